//! `panel: qr`: the design itself as a QR code, where the job asks for it.

use super::content::qr_symbol::QrSymbol;
use super::kind::PanelKind;
use super::panel::Panel;
use super::panel_args::PanelArgs;
use crate::sheet::assembly::ship_view::ShipView;
use crate::sheet::layout::flowable::Flowable;

pub static KIND: PanelKind = PanelKind {
    name: "qr",
    argument: "none",
    about: "with `--qr`, a QR code of the ship's design, which `moldloft import` reads; 36 mm of white paper, 60 mm for designs with many systems of their own",
    options: &[],
    compile: |_: &mut PanelArgs<'_>| Some(Box::new(QrPanel)),
};

struct QrPanel;

impl Panel for QrPanel {
    fn content(&self, view: &ShipView<'_>) -> Option<Box<dyn Flowable>> {
        if !view.options.qr || view.options.is_blank {
            return None;
        }
        let design = view.evaluation.design()?;
        let ship = view.evaluation.ship.name.as_deref().unwrap_or(&view.evaluation.name).to_owned();
        Some(Box::new(QrSymbol { text: design.to_code().unwrap_or_default(), ship }))
    }
}
