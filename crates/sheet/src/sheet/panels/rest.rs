//! `panel: rest`: on a continuation sheet, what did not fit before it, in order.

use super::kind::PanelKind;
use super::panel::{Panel, PanelShows, REST_GAP};
use super::panel_args::PanelArgs;
use super::panel_options::{Number, Or, panel_options};
use crate::sheet::assembly::ship_view::ShipView;
use crate::sheet::assembly::shown_parts::ShownParts;
use crate::sheet::layout::flowable::Flowable;

pub static KIND: PanelKind = PanelKind {
    name: "rest",
    argument: "none",
    about: "on a continuation sheet: what did not fit on earlier pages",
    options: RestOptions::LIST,
    compile: |args: &mut PanelArgs<'_>| Some(Box::new(RestPanel { options: RestOptions::read(args) })),
};

panel_options! {
    struct RestOptions {
        gap: f32 = "gap", Or(Number(0.0, 20.0), REST_GAP), "between what remained, in mm";
    }
}

struct RestPanel {
    options: RestOptions,
}

impl Panel for RestPanel {
    fn shows(&self) -> PanelShows {
        PanelShows::Boxes
    }

    fn content(&self, _: &ShipView<'_>, _: &mut ShownParts) -> Option<Box<dyn Flowable>> {
        None // filled by the page
    }

    fn leftovers_gap(&self) -> Option<f32> {
        Some(self.options.gap)
    }
}
