//! Parts of the page that several files show.

use std::sync::Arc;

use egui::{Label, Ui, vec2};

use crate::language::say;
use crate::widgets::{heading, muted_quote};

/// A heading with room above; what follows is close together.
pub(crate) fn section(ui: &mut Ui, text: &str) {
    ui.add_space(8.0);
    heading(ui, text);
    ui.spacing_mut().item_spacing = vec2(8.0, 2.0);
}

/// What figures rest on.
pub(crate) fn rest_on(ui: &mut Ui, exactness: &str, assumed: &[Arc<str>], not_counted: &[Arc<str>]) {
    ui.add_space(8.0);
    ui.add(Label::new(say(exactness)).wrap());
    for (word, list) in [("Assumed", assumed), ("Not counted", not_counted)] {
        if !list.is_empty() {
            muted_quote(ui, format!("{}: {}", say(word), list.iter().map(say).collect::<Vec<_>>().join("; ")));
        }
    }
}
