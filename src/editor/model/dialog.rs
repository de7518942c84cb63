//! The dialogs, one at a time over the window, each with what it asks.

use std::path::PathBuf;

use crate::store::{ContentHash, FolderListing};

use super::design_chooser::DesignChooser;
use super::exchange::TokensDialog;
use super::file_chooser::FilePick;
use super::fix_all::FixAllDialog;
use super::print::PrintDialog;
use super::view::DocId;

/// A dialog over the window.
#[derive(Clone, Debug, PartialEq)]
pub enum Dialog {
    /// Every key.
    Keys,
    /// What a player sets.
    Settings,
    /// What this program is and whom the rules are owed to.
    About,
    /// Where to save the design before the player.
    SaveAs {
        /// The path as typed.
        path: String,
    },
    /// Which mount the chosen fits are moved to.
    MoveTo,
    /// What is to be printed, and how far it is.
    Print(Box<PrintDialog>),
    /// Closing this design would lose changes.
    ConfirmClose(DocId),
    /// Leaving would lose changes.
    ConfirmQuit,
    /// A crash left changes that were not saved.
    RecoverDrafts,
    /// A file of this name is there already.
    ConfirmReplace {
        /// Which.
        path: PathBuf,
        /// What it held when this was asked.
        expected_hash: ContentHash,
    },
    /// This design's file was changed by another program.
    ChangedOnDisk(DocId),
    /// What mends all findings.
    FixAll(FixAllDialog),
    /// Which file or folder is meant.
    FileChooser(Box<FileChooser>),
    /// How long a millimetre is on this screen.
    Calibrate,
    /// Which designs a fleet takes.
    ChooseDesigns(Box<DesignChooser>),
    /// A fleet's list to be read, as pasted.
    ImportList {
        /// The list.
        text: String,
    },
    /// Which tokens are written, and where.
    Tokens(TokensDialog),
    /// What a variant of a ship's class is to be called.
    NameVariant {
        /// The ship, by her place in the fleet's file.
        ship: u32,
        /// The name as typed.
        name: String,
    },
}

/// The dialog in which a file is chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct FileChooser {
    /// What is asked for.
    pub request: FilePick,
    /// The folder that is looked into.
    pub folder: PathBuf,
    /// What was typed: a name, the beginning of one, or a path.
    pub input: String,
    /// What the folder holds; the system's words when it cannot be looked into.
    pub contents: Result<FolderListing, String>,
    /// Why what was typed cannot be taken.
    pub error: Option<String>,
    /// The dialog that asked, which comes back afterwards.
    pub(in crate::editor) previous_dialog: Option<Box<Dialog>>,
}
