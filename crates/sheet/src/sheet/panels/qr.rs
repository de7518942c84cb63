//! `panel: qr`: the design itself as a QR code, where the job asks for it.

use super::content::qr_symbol::QrSymbol;
use super::kind::PanelKind;
use super::panel::Panel;
use super::panel_args::PanelArgs;
use super::panel_options::{Maybe, Number, panel_options};
use crate::sheet::assembly::ship_view::ShipView;
use crate::sheet::assembly::shown_parts::ShownParts;
use crate::sheet::layout::flowable::Flowable;

pub static KIND: PanelKind = PanelKind {
    name: "qr",
    argument: "none",
    about: "if printing asks for it, a QR code of the ship's design, which importing reads; 36 mm of white paper, 60 mm for designs with many systems of their own",
    options: QrOptions::LIST,
    compile: |args: &mut PanelArgs<'_>| Some(Box::new(QrPanel { options: QrOptions::read(args) })),
};

panel_options! {
    struct QrOptions {
        module: Option<f32> = "module", Maybe(Number(0.4, 2.0)),
            "side of a module in mm, kept if the page is wide enough: 0.7 is read from pictures of 150 dpi; default: 0.5, or 0.4 where room is short";
    }
}

struct QrPanel {
    options: QrOptions,
}

impl Panel for QrPanel {
    fn content(&self, view: &ShipView<'_>, _: &mut ShownParts) -> Option<Box<dyn Flowable>> {
        if !view.options.qr || view.options.is_blank {
            return None;
        }
        let design = view.evaluation.design()?;
        let ship = view.evaluation.ship.name.as_deref().unwrap_or(&view.evaluation.name).to_owned();
        Some(Box::new(QrSymbol { text: design.to_code().unwrap_or_default(), ship, module: self.options.module }))
    }
}
