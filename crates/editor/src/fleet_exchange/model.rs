//! Commands for lists, forms and tokens, and the tokens dialog.

use std::sync::Arc;

use crate::{DocId, with_kinds};
use moldloft_export::filled_form::FilledForm;
use moldloft_library::exchange::TabletopProgram;

with_kinds! {
    #[derive(Clone, Debug)]
    pub enum ExchangeCommand as ExchangeCommandKind {
        ShareList {
            /// Includes whole designs, so that the text alone makes the fleet.
            with_designs: bool,
        },
        ImportList(String),
        FormRead { doc: DocId, form: Result<Arc<FilledForm>, String> },
        OpenTokensDialog,
        WriteTokens,
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokensDialog {
    pub program: TabletopProgram,
    pub dpi: u32,
    /// Without the white card.
    pub transparent: bool,
    /// Must be new or empty, or hold an earlier export.
    pub folder: String,
}
