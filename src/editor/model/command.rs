//! Everything that can be done in the window, as data: what panels, keys, menus and jobs give, and `apply` carries out.

use std::path::PathBuf;
use std::sync::Arc;

use crate::editor::preview;
use crate::evaluate::ExplainTarget;

use super::dialog::Dialog;
use super::edit::Edit;
use super::exchange::ExchangeCommand;
use super::file_chooser::{FileChooserCommand, FilePick, PickPurpose};
use super::fix_all::FixAllCommand;
use super::fleet::FleetCommand;
use super::inspector::InspectorCommand;
use super::kinds::with_kinds;
use super::library::LibraryCommand;
use super::persistence::PersistenceCommand;
use super::print::PrintCommand;
use super::rules::RulesCommand;
use super::settings::Theme;
use super::system_costs::SystemCosts;
use super::view::{DocId, FormTarget, InspectorTab, Notice, Pane, SystemPicker, Tab};

with_kinds! {
    /// Something to be done.
    #[derive(Clone, Debug)]
    pub enum Command as CommandKind {
        // --- tabs ---
        /// Shows a tab.
        ShowTab(Tab),
        /// Shows the next tab, or the one before.
        NextTab {
            /// To the left.
            back: bool,
        },
        /// Closes a design; asks first when it would lose something.
        Close(DocId),
        /// Closes a design, whatever it holds.
        CloseAnyway(DocId),
        /// Leaves the program; asks first when something would be lost.
        Quit,
        /// Leaves the program, whatever is open.
        QuitAnyway,

        // --- files ---
        /// Opens a design's file, or shows it when it is open.
        Open(PathBuf),
        /// Opens a built-in design by its name, such as `designs/star-navy/x.toml`.
        OpenBuiltIn(PathBuf),
        /// Opens a text that belongs to no file yet.
        OpenText {
            /// The design's text.
            text: Arc<str>,
        },
        /// Saves the design before the player; asks where if it belongs nowhere yet.
        Save,
        /// Asks where to save it.
        SaveAs,
        /// Saves it there.
        SaveTo(PathBuf),
        /// Saves all that is changed and belongs to a file.
        SaveAll,
        /// Lets the player choose a file or folder in the system's own window.
        PickFile(FilePick),
        /// What was chosen there; none when it was called off.
        FilesPicked {
            /// The files.
            paths: Vec<PathBuf>,
            /// What is done with them.
            purpose: PickPurpose,
        },
        /// Chooses a file or folder in the window itself, where the system has no chooser.
        FileChooser(FileChooserCommand),
        /// Keeps the player's work safe.
        Persistence(PersistenceCommand),
        /// Reads again what depends on these files, which have changed: rules, open fleets, the library.
        RereadFiles(Vec<PathBuf>),
        /// Opens a file in the program that the system has for it.
        OpenExternally(PathBuf),

        // --- looking for designs ---
        /// Something about the library.
        Library(LibraryCommand),

        // --- the design before the player ---
        /// Changes it.
        Edit(Edit),
        /// Undoes.
        Undo,
        /// Redoes.
        Redo,
        /// Ends a run of edits that are undone together: the keyboard left the field.
        EndMerge,
        /// Chooses fits, or ships of a fleet, by their place in the file.
        Select(Vec<u32>),
        /// Chooses a mount: what is added or pasted next goes there.
        SelectMount(Arc<str>),
        /// Puts the chosen fits into the clipboard.
        Copy,
        /// Puts them there and takes them out of the design.
        Cut,
        /// Puts the fits of a text in.
        Paste(String),
        /// Asks the system for what is in its clipboard: it comes back as [`Command::Paste`].
        RequestPaste,
        /// Opens the list of systems for a mount, changes what was typed there, or closes it.
        SystemPicker(Option<SystemPicker>),
        /// What each system would come to: from the thread that found out.
        SystemCosts(SystemCosts),

        // --- the fleet before the player ---
        /// Something about the fleet, beside editing its text.
        Fleet(FleetCommand),

        /// A fleet and other programs: lists, forms, tokens.
        Exchange(ExchangeCommand),

        // --- printing ---
        /// What is done in the print dialog.
        Print(PrintCommand),

        // --- the window ---
        /// Shows another part, in a window with room for one only.
        ShowPane(Pane),
        /// Chooses what stands below the sheet.
        ShowInspectorTab(InspectorTab),
        /// Explains where a number comes from, or what a code means.
        Explain(ExplainTarget),
        /// Looks at something below the sheet.
        Inspector(InspectorCommand),
        /// Mends all findings at once.
        FixAll(FixAllCommand),
        /// Does something about rules.
        Rules(RulesCommand),
        /// Brings the player to a place of the form.
        GoTo(FormTarget),
        /// The player is there.
        ClearGoTo,
        /// Shows or hides the library beside the design.
        ToggleLibrary,
        /// Light, dark or the system's.
        SetTheme(Theme),
        /// Larger or smaller.
        StepScale {
            /// Larger.
            larger: bool,
        },
        /// The plain size.
        ResetScale,
        /// Changes how sheets are shown.
        Preview(preview::PreviewChange),
        /// The preview looks at something else.
        SetViewport(preview::PreviewViewport),
        /// A part of a sheet is drawn.
        PreviewRendered(Box<preview::RenderResult>),
        /// Opens a dialog.
        OpenDialog(Dialog),
        /// Closes the dialog that is open.
        CloseDialog,
        /// Tells something.
        Notify(Notice),
        /// What was told can go: its place in the list.
        DismissNotice(usize),
    }
}
