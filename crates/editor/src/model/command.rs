//! All commands, as data: panels, keys, menus and jobs give them, and `apply` carries them out.

use std::path::PathBuf;
use std::sync::Arc;

use crate::bundles::model::BundleCommand;
use crate::compare_page::model::CompareCommand;
use crate::file_chooser::model::FileChooserCommand;
use crate::fix_all::model::FixAllCommand;
use crate::fleet::model::FleetCommand;
use crate::fleet_exchange::model::ExchangeCommand;
use crate::guide::model::GuideCommand;
use crate::inspector::model::InspectorCommand;
use crate::library_browser::model::LibraryCommand;
use crate::odds_page::model::OddsCommand;
use crate::palette::model::PaletteCommand;
use crate::printing::model::PrintCommand;
use crate::rules_page::model::RulesPageCommand;
use crate::suggest::model::SuggestCommand;
use crate::system_costs::model::SystemCosts;
use crate::{
    Dialog, DocId, Edit, FilePick, FormTarget, InspectorTab, Notice, Pane, PersistenceCommand, PickPurpose, RightPage,
    RulesCommand, SystemPicker, Tab, Theme, preview, with_kinds,
};
use moldloft_library::store::FileRef;
use moldloft_rules::evaluate::ExplainTarget;

with_kinds! {
    #[derive(Clone, Debug)]
    pub enum Command as CommandKind {
        // --- tabs ---
        ShowTab(Tab),
        NextTab { back: bool },
        /// Asks first if changes would be lost.
        Close(DocId),
        CloseAnyway(DocId),
        /// Asks first if changes would be lost.
        Quit,
        QuitAnyway,

        // --- files ---
        /// Shows its tab if it is already open.
        Open(PathBuf),
        /// By its name, such as `designs/star-navy/x.toml`.
        OpenBuiltIn(PathBuf),
        /// Opens a file of the library in the tab for looking, which the next such file takes over.
        Glance(FileRef),
        /// The tab is no longer the one for looking.
        KeepTab(DocId),
        KeepCurrentTab,
        /// Opens a text that has no file yet.
        OpenText { text: Arc<str> },
        /// Asks where to save if the document has no file yet.
        Save,
        SaveAs,
        SaveTo(PathBuf),
        /// All changed documents that have a file.
        SaveAll,
        /// Opens the system's file chooser.
        PickFile(FilePick),
        /// `paths` is empty if the user cancelled.
        FilesPicked { paths: Vec<PathBuf>, purpose: PickPurpose },
        /// The editor's own file chooser, for systems without one.
        FileChooser(FileChooserCommand),
        Persistence(PersistenceCommand),
        /// Reloads what depends on these changed files: rules, open fleets, the library.
        RereadFiles(Vec<PathBuf>),
        OpenExternally(PathBuf),

        // --- library ---
        Library(LibraryCommand),

        // --- current document ---
        Edit(Edit),
        Undo,
        Redo,
        /// Ends a run of edits that are undone together: the focus left the field.
        EndMerge,
        /// Fits, or ships of a fleet, by index in the file.
        Select(Vec<u32>),
        /// New and pasted systems go there.
        SelectMount(Arc<str>),
        Copy,
        Cut,
        Paste(String),
        /// The answer comes as [`Command::Paste`].
        RequestPaste,
        /// Opens, updates or closes the list of systems.
        SystemPicker(Option<SystemPicker>),
        /// Opens the list of systems for a mount, beside its place on the sheet.
        PickForSheet(Arc<str>),
        /// Sent by the job that computes them.
        SystemCosts(SystemCosts),

        // --- current fleet ---
        Fleet(FleetCommand),

        Exchange(ExchangeCommand),
        Bundle(BundleCommand),

        // --- printing ---
        Print(PrintCommand),

        // --- window ---
        /// For windows with room for one pane only.
        ShowPane(Pane),
        ShowPage(RightPage),
        Odds(OddsCommand),
        ShowInspectorTab(InspectorTab),
        Explain(ExplainTarget),
        Inspector(InspectorCommand),
        Compare(CompareCommand),
        Guide(GuideCommand),
        FixAll(FixAllCommand),
        Suggest(SuggestCommand),
        Rules(RulesCommand),
        RulesPage(RulesPageCommand),
        /// Focuses a part of the form.
        GoTo(FormTarget),
        ClearGoTo,
        ToggleLibrary,
        /// Name, notes and choices of a design: all, or one line.
        ShowIdentity(bool),
        SetTheme(Theme),
        DimPaper(bool),
        /// Of the window and of what it prints; `None`: English.
        SetLanguage(Option<String>),
        StepScale { larger: bool },
        ResetScale,
        Preview(preview::PreviewChange),
        SetViewport(preview::PreviewViewport),
        PreviewRendered(Box<preview::RenderResult>),
        Palette(PaletteCommand),
        OpenDialog(Dialog),
        CloseDialog,
        Notify(Notice),
        /// To the clipboard: of the fault that is shown, or of the current document.
        CopyReport,
        /// By index in the list.
        DismissNotice(usize),
    }
}

impl Command {
    /// Starts something new, so that earlier good news can be cleared.
    pub(crate) fn starts_something(&self) -> bool {
        match self {
            Self::ShowTab(_) | Self::Close(_) | Self::Open(_) | Self::OpenBuiltIn(_) | Self::OpenDialog(_) => true,
            Self::NextTab { .. } | Self::Library(LibraryCommand::CreateDesign { .. }) => true,
            Self::Fleet(FleetCommand::New(_)) => true,
            Self::Edit(_) | Self::Undo | Self::Redo | Self::Cut | Self::Paste(_) | Self::SaveAs => true,
            Self::Print(print) => matches!(print, PrintCommand::Open(_) | PrintCommand::Start),
            _ => self.saves(),
        }
    }

    pub(crate) fn saves(&self) -> bool {
        matches!(
            self,
            Self::Save | Self::SaveTo(_) | Self::SaveAll | Self::Persistence(PersistenceCommand::ReplaceFile { .. })
        )
    }

    /// The library may have changed.
    pub(crate) fn touches_files(&self) -> bool {
        self.saves()
            || matches!(
                self,
                Self::Open(_) | Self::FilesPicked { .. } | Self::Persistence(PersistenceCommand::SaveAndClose(_))
            )
    }

    /// The text becomes another one, not by an edit.
    pub(crate) fn replaces_text(&self) -> bool {
        use PersistenceCommand::{SetText, TakeDiskVersion};
        matches!(self, Self::Undo | Self::Redo | Self::Persistence(SetText(_) | TakeDiskVersion(_)))
    }

    /// Shows a part of the document, which a comparison would cover.
    pub(crate) fn shows_a_part(&self) -> bool {
        use Command::{Explain, GoTo, ShowInspectorTab, ShowPage, ShowPane};
        matches!(self, ShowInspectorTab(_) | Explain(_) | ShowPage(_) | ShowPane(_) | GoTo(_))
    }
}
