//! A panel of a template, compiled.

use std::sync::Arc;

use crate::sheet::panels::panel::CompiledPanel;
use moldloft_base::source::Span;
use moldloft_drawing::scene::Rect;

pub struct PreparedPanel {
    pub panel: CompiledPanel,
    pub rect: Rect,
    /// Index in the template's conditions.
    pub when: Option<usize>,
    /// The kind's name, for `template check`.
    pub kind: Arc<str>,
    /// Position in the template's file.
    pub span: Span,
}
