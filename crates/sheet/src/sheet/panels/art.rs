//! `panel: art FILE`: an icon or silhouette, as large as its rectangle.

use std::sync::Arc;

use super::content::text_blocks::FittedDrawing;
use super::kind::PanelKind;
use super::panel::{Panel, PanelShows};
use super::panel_args::PanelArgs;
use crate::sheet::assembly::ship_view::ShipView;
use crate::sheet::assembly::shown_parts::ShownParts;
use crate::sheet::layout::flowable::Flowable;

pub static KIND: PanelKind = PanelKind {
    name: "art",
    argument: "a file of the templates folder",
    about: "a drawing, fitted to the rectangle",
    options: &[],
    compile,
};

struct ArtPanel {
    file: Arc<str>,
}

fn compile(args: &mut PanelArgs<'_>) -> Option<Box<dyn Panel>> {
    let Some(file) = args.argument.first().cloned() else {
        let message = format!("missing file in `{}`", args.label);
        args.report_argument("unknown-panel-argument", message, Some("use `panel: art FILE.svg`".into()));
        return None;
    };
    Some(Box::new(ArtPanel { file }))
}

impl Panel for ArtPanel {
    fn shows(&self) -> PanelShows {
        PanelShows::Extras
    }

    fn content(&self, view: &ShipView<'_>, _: &mut ShownParts) -> Option<Box<dyn Flowable>> {
        let drawing = view.icon(&self.file)?;
        Some(Box::new(FittedDrawing { drawing }))
    }

    fn suits_faces(&self) -> bool {
        true
    }

    fn files(&self) -> &[Arc<str>] {
        std::slice::from_ref(&self.file)
    }
}
