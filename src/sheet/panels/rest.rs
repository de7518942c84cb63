//! `panel: rest`: on a continuation sheet, what did not fit before it, in order.

use super::{Kind, Panel, Setup};
use crate::sheet::content::Content;
use crate::sheet::view::View;

/// The kind.
pub static KIND: Kind = Kind {
    name: "rest",
    argument: "none",
    about: "on a continuation sheet: what did not fit on earlier pages",
    options: &[],
    compile: |_: &mut Setup<'_>| Some(Box::new(Rest)),
};

struct Rest;

impl Panel for Rest {
    fn content(&self, _view: &View<'_>) -> Option<Box<dyn Content>> {
        None // the page fills it
    }

    fn takes_rest(&self) -> bool {
        true
    }
}
