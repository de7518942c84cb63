//! The dialogs, of which one at a time is open, with their contents.

use std::path::PathBuf;

use crate::bundles::model::{BundleDialog, ShareDialog};
use crate::fix_all::model::FixAllDialog;
use crate::fleet_exchange::model::TokensDialog;
use crate::odds_page::model::OddsFileDialog;
use crate::palette::model::PaletteDialog;
use crate::printing::model::PrintDialog;
use crate::rules_page::model::{AddRowDialog, NewLayerDialog, ReasonDialog};
use crate::{DesignChooser, DocId, FilePick, with_kinds};
use moldloft_library::store::{ContentHash, FolderListing};

with_kinds! {
    #[derive(Clone, Debug, PartialEq)]
    pub enum Dialog as DialogKind {
        Keys,
        Settings,
        About,
        /// Of the game in [`Guides`](crate::guide::model::Guides).
        Reference,
        SaveAs { path: String },
        MoveTo,
        Palette(PaletteDialog),
        Glossary {
            query: String,
            /// The id of the term that is listed first.
            first: String,
        },
        Print(Box<PrintDialog>),
        ConfirmClose(DocId),
        ConfirmQuit,
        RecoverDrafts,
        ConfirmReplace { path: PathBuf, expected_hash: ContentHash },
        ChangedOnDisk(DocId),
        FixAll(FixAllDialog),
        FileChooser(Box<FileChooser>),
        Calibrate,
        ChooseDesigns(Box<DesignChooser>),
        ImportList { text: String },
        Tokens(TokensDialog),
        OddsFile(OddsFileDialog),
        Share(ShareDialog),
        Bundle(BundleDialog),
        NewLayer(NewLayerDialog),
        RuleReason(ReasonDialog),
        /// Which kind of house rule.
        NewRule,
        AddRule(AddRowDialog),
        NameVariant {
            /// Index in the fleet's file.
            ship: u32,
            name: String,
        },
    }
}

impl Dialog {
    /// Whether a click beside it would lose what was typed.
    pub fn keeps_typing(&self) -> bool {
        matches!(
            self,
            Self::NewLayer(_)
                | Self::RuleReason(_)
                | Self::AddRule(_)
                | Self::ImportList { .. }
                | Self::SaveAs { .. }
                | Self::NameVariant { .. }
        )
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct FileChooser {
    pub request: FilePick,
    pub folder: PathBuf,
    /// A name, the beginning of one, or a path.
    pub input: String,
    /// Or the system's message if the folder cannot be read.
    pub contents: Result<FolderListing, String>,
    pub error: Option<String>,
    /// Restored afterwards.
    pub(crate) previous_dialog: Option<Box<Dialog>>,
}
