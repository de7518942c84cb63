//! `panel: art FILE`: an icon or silhouette, as large as its rectangle.

use std::sync::Arc;

use super::words::Picture;
use super::{Kind, Panel, Setup};
use crate::sheet::content::Content;
use crate::sheet::view::View;

/// The kind.
pub static KIND: Kind = Kind {
    name: "art",
    argument: "a file of the templates folder",
    about: "a drawing, fitted to the rectangle",
    options: &[],
    compile,
};

struct Art {
    file: Arc<str>,
}

fn compile(setup: &mut Setup<'_>) -> Option<Box<dyn Panel>> {
    let Some(file) = setup.argument.first().cloned() else {
        let message = format!("missing file in `{}`", setup.label);
        setup.wrong_argument("unknown-panel-argument", message, Some("use `panel: art FILE.svg`".into()));
        return None;
    };
    Some(Box::new(Art { file }))
}

impl Panel for Art {
    fn content(&self, view: &View<'_>) -> Option<Box<dyn Content>> {
        let drawing = view.icon(&self.file)?;
        Some(Box::new(Picture { drawing }))
    }

    fn files(&self) -> &[Arc<str>] {
        std::slice::from_ref(&self.file)
    }
}
