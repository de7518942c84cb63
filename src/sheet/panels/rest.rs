//! `panel: rest`: on a continuation sheet, what did not fit before it, in order.

use super::kind::PanelKind;
use super::panel::{Panel, PanelShows};
use super::panel_args::PanelArgs;
use crate::sheet::assembly::ship_view::ShipView;
use crate::sheet::layout::flowable::Flowable;

pub static KIND: PanelKind = PanelKind {
    name: "rest",
    argument: "none",
    about: "on a continuation sheet: what did not fit on earlier pages",
    options: &[],
    compile: |_: &mut PanelArgs<'_>| Some(Box::new(RestPanel)),
};

struct RestPanel;

impl Panel for RestPanel {
    fn shows(&self) -> PanelShows {
        PanelShows::Boxes
    }

    fn content(&self, _view: &ShipView<'_>) -> Option<Box<dyn Flowable>> {
        None // filled by the page
    }

    fn takes_leftovers(&self) -> bool {
        true
    }
}
