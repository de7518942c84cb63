//! A fleet and other programs: what can be done, and what the tokens dialog asks.

use std::sync::Arc;

use crate::exchange::TabletopProgram;
use crate::filled_form::FilledForm;

use super::view::DocId;

/// What can be done.
#[derive(Clone, Debug)]
pub enum ExchangeCommand {
    /// Puts the fleet's list into the clipboard.
    ShareList {
        /// With its classes whole, so that the text alone makes the fleet.
        with_designs: bool,
    },
    /// Makes a fleet of a list.
    ImportList(String),
    /// A form was read for this fleet, or why not.
    FormRead {
        /// The fleet.
        doc: DocId,
        /// What the form holds.
        form: Result<Arc<FilledForm>, String>,
    },
    /// Asks which tokens are written.
    OpenTokensDialog,
    /// Writes them.
    WriteTokens,
}

/// Which tokens are written, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokensDialog {
    /// The program they are for.
    pub program: TabletopProgram,
    /// Dots per inch.
    pub dpi: u32,
    /// Ink alone, without the white card under it.
    pub transparent: bool,
    /// The folder, as typed: a new or empty one.
    pub folder: String,
}
