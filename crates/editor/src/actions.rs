//! The table of all menu entries and keys. Takes the state, gives commands; menus, the palette and the list of shortcuts are
//! made from it.

use egui::{Key, KeyboardShortcut, Modifiers};

use crate::bundles::model::BundleCommand;
use crate::compare_page::model::CompareCommand;
use crate::file_chooser::folder_to_open;
use crate::fix_all::model::FixAllCommand;
use crate::fleet::model::FleetCommand;
use crate::fleet::{design_chooser, edits};
use crate::fleet_exchange::model::ExchangeCommand;
use crate::guide::model::GuideCommand;
use crate::inspector::model::InspectorCommand;
use crate::library_browser::model::LibraryCommand;
use crate::odds_page::model::OddsCommand;
use crate::odds_page::{current_answer, fight};
use crate::palette::model::PaletteCommand;
use crate::preview::{PreviewChange, PreviewMode, Zoom};
use crate::printing::PrintCommand;
use crate::rules_page::model::RulesPageCommand;
use crate::suggest::model::SuggestCommand;
use crate::{
    ActiveRuleset, Command, DesignChooserPurpose, Dialog, Doc, Edit, EditorState, FilePick, InspectorTab,
    PersistenceCommand, PickPurpose, RightPage, RulesCommand, SystemPicker, Tab, Theme, fit_edits, library_browser,
    own_picture,
};
use moldloft_library::print::PrintKind;
use moldloft_odds::suggest::Request;
use moldloft_rules::design::fleet::Fleet;
use moldloft_sheet::sheet::Paper;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Menu {
    File,
    Edit,
    View,
    Ship,
    Fleet,
    Sheet,
    Rules,
    Help,
}

impl Menu {
    pub const ALL: [Self; 8] =
        [Self::File, Self::Edit, Self::View, Self::Ship, Self::Fleet, Self::Sheet, Self::Rules, Self::Help];

    pub const fn name(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Edit => "Edit",
            Self::View => "View",
            Self::Ship => "Ship",
            Self::Fleet => "Fleet",
            Self::Sheet => "Sheet",
            Self::Rules => "Rules",
            Self::Help => "Help",
        }
    }
}

pub struct Action {
    pub label: &'static str,
    pub menu: Menu,
    pub separator_above: bool,
    /// The first is shown in menus.
    pub keys: &'static [KeyboardShortcut],
    /// `None` if it is not possible now.
    pub command: fn(&EditorState) -> Option<Command>,
    /// Replaces `label` if it gives more detail.
    pub current_label: Option<fn(&EditorState) -> Option<String>>,
    pub is_on: Option<fn(&EditorState) -> bool>,
    /// While text is typed, its keys belong to the text field.
    pub not_while_typing: bool,
    /// Its keys add to the mount that has the keyboard.
    pub adds_to_mount: bool,
    /// Label on the toolbar above a fleet's table; `None`: not shown there.
    pub toolbar_label: Option<&'static str>,
}

const fn ctrl(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND, key)
}
const fn ctrl_shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), key)
}
const fn shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::SHIFT, key)
}
const fn alt(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::ALT, key)
}
const fn plain_key(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::NONE, key)
}

const fn action(
    menu: Menu,
    label: &'static str,
    keys: &'static [KeyboardShortcut],
    command: fn(&EditorState) -> Option<Command>,
) -> Action {
    Action {
        label,
        menu,
        separator_above: false,
        keys,
        command,
        current_label: None,
        is_on: None,
        not_while_typing: false,
        adds_to_mount: false,
        toolbar_label: None,
    }
}

impl Action {
    const fn with_separator(self) -> Self {
        Self { separator_above: true, ..self }
    }

    const fn with_current_label(self, now: fn(&EditorState) -> Option<String>) -> Self {
        Self { current_label: Some(now), ..self }
    }

    pub fn label(&self, state: &EditorState) -> String {
        self.current_label.and_then(|now| now(state)).unwrap_or_else(|| self.label.to_owned())
    }

    const fn unless_typing(self) -> Self {
        Self { not_while_typing: true, ..self }
    }

    const fn adding_to_mount(self) -> Self {
        Self { adds_to_mount: true, ..self.unless_typing() }
    }

    /// Also shown on the toolbar above a fleet's table.
    const fn on_toolbar(self, bar: &'static str) -> Self {
        Self { toolbar_label: Some(bar), ..self }
    }

    const fn toggled_by(self, is_on: fn(&EditorState) -> bool) -> Self {
        Self { is_on: Some(is_on), ..self }
    }
}

fn always(command: Command) -> Option<Command> {
    Some(command)
}

fn edit_doc(state: &EditorState, edit: fn(&Doc) -> Option<Edit>) -> Option<Command> {
    state.current_doc().and_then(edit).map(Command::Edit)
}

fn if_fits_selected(state: &EditorState, command: Command) -> Option<Command> {
    state.current_doc().filter(|doc| doc.as_design().is_some() && !doc.selected.is_empty()).map(|_| command)
}

fn edit_ships(state: &EditorState, edit: fn(&Fleet, &[u32]) -> Option<Edit>) -> Option<Command> {
    let doc = state.current_doc()?;
    let fleet = doc.as_fleet()?.fleet();
    Some(&doc.selected)
        .filter(|selected| !selected.is_empty())
        .and_then(|selected| edit(fleet, selected))
        .map(Command::Edit)
}

fn edit_fits_or_ships(
    state: &EditorState,
    of_fits: fn(&Doc) -> Option<Edit>,
    of_ships: fn(&Fleet, &[u32]) -> Option<Edit>,
) -> Option<Command> {
    edit_doc(state, of_fits).or_else(|| edit_ships(state, of_ships))
}

fn if_ship_shown(state: &EditorState, command: FleetCommand) -> Option<Command> {
    state.current_doc()?.as_fleet()?.shown_unit().map(|_| Command::Fleet(command))
}

fn choose_designs(state: &EditorState, purpose: fn(&Doc) -> Option<DesignChooserPurpose>) -> Option<Command> {
    let doc = state.current_doc()?;
    doc.as_fleet()?.rules()?;
    purpose(doc).map(|purpose| Command::Fleet(FleetCommand::OpenDesignChooser(purpose)))
}

/// Opens the list of systems for the mount of the selected fit, or else for the first mount.
fn open_system_picker(state: &EditorState) -> Option<Command> {
    let evaluation = state.current_doc()?.evaluation()?;
    let selected = state.current_doc()?.selected.first();
    let fit = evaluation.fits.iter().find(|fit| fit.placed && Some(&fit.index) == selected).map(|fit| &fit.mount);
    let first = || evaluation.mounts.iter().find(|mount| mount.applies).map(|mount| &mount.id);
    let mount = state.current_doc()?.selected_mount.as_ref().or(fit).or_else(first).map(ToString::to_string);
    let can = evaluation.ruleset.systems.iter().any(|system| !system.is_abstract);
    can.then(|| Command::SystemPicker(Some(SystemPicker { mount, ..SystemPicker::default() })))
}

/// For a design that its rules can check.
fn if_checked(state: &EditorState, command: SuggestCommand) -> Option<Command> {
    state.current_doc()?.evaluation().map(|_| Command::Suggest(command))
}

fn if_doc(state: &EditorState, command: Command) -> Option<Command> {
    state.current_doc().map(|_| command)
}

/// The one that F8 or a click has gone to.
fn fix_finding(state: &EditorState) -> Option<Command> {
    let is_listed = state.visible_inspector_tab() == InspectorTab::Findings;
    let view = state.inspector_views.view(state.current_doc().filter(|_| is_listed)?.id)?;
    view.offers.get(view.selected_finding?)?.as_ref().map(|fix| Command::Edit(fix.edit.clone()))
}

pub static ACTIONS: &[Action] = &[
    action(Menu::File, "New…", &[ctrl(Key::N)], |_| always(Command::Library(LibraryCommand::ShowNewDesign))),
    action(Menu::File, "Open…", &[ctrl(Key::O)], |state| {
        let extensions = vec![("Designs, fleets and bundles".into(), vec!["toml".into(), "moldloft".into()])];
        let pick = FilePick::designs("Open designs", folder_to_open(state), PickPurpose::Open);
        always(Command::PickFile(FilePick { extensions, ..pick }))
    }),
    action(Menu::File, "Open folder…", &[ctrl_shift(Key::O)], |state| {
        always(Command::PickFile(FilePick::workspace(&state.store)))
    }),
    action(Menu::File, "Save", &[ctrl(Key::S)], |state| if_doc(state, Command::Save)).with_separator(),
    action(Menu::File, "Save as…", &[ctrl_shift(Key::S)], |state| if_doc(state, Command::SaveAs)),
    action(Menu::File, "Save all", &[], |state| {
        state.docs.iter().any(|doc| doc.is_changed() && doc.path().is_some()).then_some(Command::SaveAll)
    }),
    action(Menu::File, "Share…", &[], |state| if_doc(state, Command::Bundle(BundleCommand::OpenShareDialog)))
        .with_separator(),
    action(Menu::File, "Open bundle…", &[], |state| {
        let extensions = vec![("Bundles".into(), vec!["moldloft".into()])];
        let pick = FilePick::designs("Open a bundle", state.store.workspace(), PickPurpose::Open);
        always(Command::PickFile(FilePick { extensions, ..pick }))
    }),
    action(Menu::File, "Restore after a crash…", &[], |state| {
        state.persistence.is_after_crash().then_some(Command::Persistence(PersistenceCommand::ShowRecovered))
    })
    .with_separator(),
    action(Menu::File, "Print…", &[ctrl(Key::P)], |state| if_doc(state, Command::Print(PrintCommand::Open(None))))
        .with_separator(),
    action(Menu::File, "Print chits…", &[ctrl_shift(Key::P)], |state| {
        if_doc(state, Command::Print(PrintCommand::Open(Some(PrintKind::Counters))))
    }),
    action(Menu::File, "Close", &[ctrl(Key::W)], |state| state.current_doc().map(|doc| Command::Close(doc.id)))
        .with_separator(),
    action(Menu::File, "Quit", &[ctrl(Key::Q)], |_| always(Command::Quit)),
    action(Menu::Edit, "Undo", &[ctrl(Key::Z)], |state| {
        state.current_doc().and_then(|doc| doc.history.undo_label()).map(|_| Command::Undo)
    })
    .with_current_label(|state| Some(format!("Undo {}", state.current_doc()?.history.undo_label()?))),
    action(Menu::Edit, "Redo", &[ctrl_shift(Key::Z), ctrl(Key::Y)], |state| {
        state.current_doc().and_then(|doc| doc.history.redo_label()).map(|_| Command::Redo)
    })
    .with_current_label(|state| Some(format!("Redo {}", state.current_doc()?.history.redo_label()?))),
    action(Menu::Edit, "Cut", &[ctrl(Key::X)], |state| if_fits_selected(state, Command::Cut))
        .unless_typing()
        .with_separator(),
    action(Menu::Edit, "Copy", &[ctrl(Key::C)], |state| if_fits_selected(state, Command::Copy)).unless_typing(),
    action(Menu::Edit, "Paste", &[ctrl(Key::V)], |state| if_doc(state, Command::RequestPaste)).adding_to_mount(),
    action(Menu::Edit, "Duplicate", &[ctrl(Key::D)], |state| {
        edit_fits_or_ships(state, fit_edits::duplicate_selected, edits::duplicate_ships)
    })
    .unless_typing(),
    action(Menu::Edit, "Delete", &[plain_key(Key::Delete)], |state| {
        edit_fits_or_ships(state, fit_edits::remove_selected, edits::remove_ships)
    })
    .unless_typing(),
    action(Menu::Edit, "Select all", &[ctrl(Key::A)], |state| {
        let doc = state.current_doc()?;
        let of_design = doc.as_design().map(|open| open.design.fits.iter().map(|fit| fit.index).collect());
        let of_fleet = || doc.as_fleet().map(|fleet| fleet.fleet().ships.iter().map(|ship| ship.index).collect());
        of_design.or_else(of_fleet).map(Command::Select)
    })
    .unless_typing(),
    action(Menu::Ship, "Add a system…", &[plain_key(Key::Insert), ctrl(Key::I)], open_system_picker).adding_to_mount(),
    action(Menu::Ship, "Move up", &[alt(Key::ArrowUp)], |state| {
        edit_fits_or_ships(
            state,
            |doc| fit_edits::move_selected(doc, true),
            |fleet, ships| edits::move_ships(fleet, ships, true),
        )
    })
    .unless_typing()
    .with_separator(),
    action(Menu::Ship, "Move down", &[alt(Key::ArrowDown)], |state| {
        edit_fits_or_ships(
            state,
            |doc| fit_edits::move_selected(doc, false),
            |fleet, ships| edits::move_ships(fleet, ships, false),
        )
    })
    .unless_typing(),
    action(Menu::Ship, "Move to mount…", &[ctrl(Key::M)], |state| {
        if_fits_selected(state, Command::OpenDialog(Dialog::MoveTo))
    })
    .unless_typing(),
    action(Menu::Ship, "Mirror selection", &[ctrl(Key::R)], |state| edit_doc(state, fit_edits::mirror_selected))
        .with_separator(),
    action(Menu::Ship, "Mirror all mount pairs", &[ctrl_shift(Key::R)], |state| edit_doc(state, fit_edits::mirror_all)),
    action(Menu::Ship, "Picture…", &[], own_picture::choose).with_separator(),
    action(Menu::Ship, "Remove picture", &[], own_picture::remove),
    action(Menu::Fleet, "New fleet", &[], |state| Some(library_browser::new_fleet(state))),
    action(Menu::Fleet, "Add ships…", &[ctrl_shift(Key::A)], |state| {
        choose_designs(state, |_| Some(DesignChooserPurpose::AddShips))
    })
    .on_toolbar("+ Ships…"),
    action(Menu::Fleet, "Duplicate selected ships", &[], |state| edit_ships(state, edits::duplicate_ships))
        .on_toolbar("Duplicate"),
    action(Menu::Fleet, "Remove selected ships", &[], |state| edit_ships(state, edits::remove_ships))
        .on_toolbar("Remove"),
    action(Menu::Fleet, "Split into single ships", &[], |state| edit_ships(state, edits::split_ships))
        .on_toolbar("Split"),
    action(Menu::Fleet, "Next free hull number", &[ctrl_shift(Key::H)], |state| {
        edit_ships(state, edits::assign_hull_numbers)
    })
    .on_toolbar("Next hull no."),
    action(Menu::Fleet, "Change class…", &[], |state| {
        choose_designs(state, |doc| {
            Some(DesignChooserPurpose::ChangeClass(doc.selected.clone())).filter(|_| !doc.selected.is_empty())
        })
    })
    .with_separator(),
    action(Menu::Fleet, "Choose what the ship carries…", &[], |state| {
        design_chooser::open_for_carried(state, *state.current_doc()?.selected.first()?)
    }),
    action(Menu::Fleet, "Refit all ships of this class…", &[], |state| {
        choose_designs(state, |doc| {
            let ship = doc.as_fleet()?.ship(*doc.selected.first()?)?;
            Some(DesignChooserPurpose::RefitClass(ship.design.as_ref()?.text.to_string()))
        })
    })
    .on_toolbar("Refit class…"),
    action(Menu::Fleet, "Save class as a variant…", &[], |state| {
        if_ship_shown(state, FleetCommand::OpenVariantDialog)
    })
    .on_toolbar("Variant…"),
    action(Menu::Fleet, "Edit the ship's class", &[ctrl(Key::E)], |state| {
        if_ship_shown(state, FleetCommand::EditClass)
    })
    .on_toolbar("Edit class"),
    action(Menu::Fleet, "Clear damage", &[], |state| {
        let doc = state.current_doc()?;
        let is_hurt =
            doc.as_fleet()?.table_lines.iter().any(|line| line.ticked_boxes > 0 && doc.selected.contains(&line.ship));
        is_hurt.then_some(Command::Fleet(FleetCommand::ClearDamage))
    })
    .with_separator(),
    action(Menu::Fleet, "Read damage from a filled form…", &[], |state| {
        let doc = state.current_doc()?;
        let folder = doc.path().and_then(|path| path.parent()).or(state.store.workspace());
        let extensions = vec![("Filled forms".into(), vec!["pdf".into(), "fdf".into(), "xfdf".into()])];
        let pick = FilePick::designs("Read a filled form", folder, PickPurpose::FilledForm);
        doc.as_fleet().map(|_| Command::PickFile(FilePick { extensions, ..pick }))
    }),
    action(Menu::Fleet, "Copy as text", &[], |state| {
        state.current_doc()?.as_fleet().map(|_| Command::Exchange(ExchangeCommand::ShareList { with_designs: false }))
    })
    .with_separator(),
    action(Menu::Fleet, "Copy as text with classes", &[], |state| {
        state.current_doc()?.as_fleet().map(|_| Command::Exchange(ExchangeCommand::ShareList { with_designs: true }))
    }),
    action(Menu::Fleet, "Import a list…", &[], |_| {
        always(Command::OpenDialog(Dialog::ImportList { text: String::new() }))
    }),
    action(Menu::Fleet, "Export tokens…", &[], |state| {
        state
            .current_doc()
            .filter(|doc| doc.shown_ship().is_some())
            .map(|_| Command::Exchange(ExchangeCommand::OpenTokensDialog))
    }),
    action(Menu::Fleet, "Damage and load", &[ctrl(Key::Num5)], |state| {
        state.current_doc()?.as_fleet().map(|_| Command::ShowInspectorTab(InspectorTab::Ship))
    })
    .toggled_by(|state| state.inspector_tab == InspectorTab::Ship),
    action(Menu::View, "Start page", &[ctrl(Key::Home)], |_| always(Command::ShowTab(Tab::Start)))
        .toggled_by(|state| state.tab == Tab::Start)
        .unless_typing(),
    action(Menu::View, "Find anything…", &[ctrl(Key::K)], |_| always(Command::Palette(PaletteCommand::Open))),
    action(Menu::View, "Next tab", &[ctrl(Key::PageDown), ctrl(Key::Tab)], |_| {
        always(Command::NextTab { back: false })
    }),
    action(Menu::View, "Previous tab", &[ctrl(Key::PageUp), ctrl_shift(Key::Tab)], |_| {
        always(Command::NextTab { back: true })
    }),
    action(Menu::View, "Library", &[ctrl(Key::L)], |_| always(Command::ToggleLibrary))
        .toggled_by(|state| state.settings.library)
        .with_separator(),
    action(Menu::View, "Search the library", &[ctrl(Key::F)], |_| {
        always(Command::Library(LibraryCommand::FocusSearch))
    }),
    action(Menu::View, "Odds", &[ctrl(Key::Num6)], |state| {
        let is_shown = state.settings.page == RightPage::Odds;
        if_doc(state, Command::ShowPage(if is_shown { RightPage::Sheet } else { RightPage::Odds }))
    })
    .toggled_by(|state| state.settings.page == RightPage::Odds),
    action(Menu::View, "Findings", &[ctrl(Key::Num1)], |_| always(Command::ShowInspectorTab(InspectorTab::Findings)))
        .toggled_by(|state| state.inspector_tab == InspectorTab::Findings),
    action(Menu::View, "Explain", &[ctrl(Key::Num2)], |_| always(Command::ShowInspectorTab(InspectorTab::Explain)))
        .toggled_by(|state| state.inspector_tab == InspectorTab::Explain),
    action(Menu::View, "Suggest", &[], |state| if_checked(state, SuggestCommand::Open))
        .toggled_by(|state| state.inspector_tab == InspectorTab::Suggest),
    action(Menu::View, "Rules", &[ctrl(Key::Num4)], |_| always(Command::ShowInspectorTab(InspectorTab::Rules)))
        .toggled_by(|state| state.inspector_tab == InspectorTab::Rules),
    action(Menu::View, "Larger interface", &[ctrl(Key::Plus), ctrl(Key::Equals)], |_| {
        always(Command::StepScale { larger: true })
    })
    .with_separator(),
    action(Menu::View, "Smaller interface", &[ctrl(Key::Minus)], |_| always(Command::StepScale { larger: false })),
    action(Menu::View, "Reset interface size", &[ctrl(Key::Num0)], |_| always(Command::ResetScale)),
    action(Menu::Sheet, "Sheet", &[plain_key(Key::F5)], |state| {
        if_doc(state, Command::Preview(PreviewChange::View(PreviewMode::Sheet)))
    })
    .toggled_by(|state| state.settings.sheet.view == PreviewMode::Sheet),
    action(Menu::Sheet, "Chits", &[shift(Key::F5)], |state| {
        if_doc(state, Command::Preview(PreviewChange::View(PreviewMode::Chits)))
    })
    .toggled_by(|state| state.settings.sheet.view == PreviewMode::Chits),
    action(Menu::Sheet, "Reference", &[ctrl(Key::F5)], |state| {
        if_doc(state, Command::Preview(PreviewChange::View(PreviewMode::Reference)))
    })
    .toggled_by(|state| state.settings.sheet.view == PreviewMode::Reference),
    action(Menu::Sheet, "Blank sheet", &[ctrl_shift(Key::F5)], |state| {
        if_doc(state, Command::Preview(PreviewChange::View(PreviewMode::Empty)))
    })
    .toggled_by(|state| state.settings.sheet.view == PreviewMode::Empty),
    action(Menu::Sheet, "Letter paper", &[ctrl_shift(Key::E)], |state| {
        let paper = if state.settings.sheet.paper == Paper::Letter { Paper::A4 } else { Paper::Letter };
        if_doc(state, Command::Preview(PreviewChange::Paper(paper)))
    })
    .toggled_by(|state| state.settings.sheet.paper == Paper::Letter)
    .with_separator(),
    action(Menu::Sheet, "Greyscale", &[ctrl_shift(Key::G)], |state| {
        if_doc(state, Command::Preview(PreviewChange::Grey(!state.settings.sheet.grey)))
    })
    .toggled_by(|state| state.settings.sheet.grey),
    action(Menu::Sheet, "Large print", &[ctrl_shift(Key::L)], |state| {
        if_doc(state, Command::Preview(PreviewChange::LargePrint(!state.settings.sheet.large_print)))
    })
    .toggled_by(|state| state.settings.sheet.large_print),
    action(Menu::Sheet, "Zoom sheet out", &[plain_key(Key::F7)], |state| {
        if_doc(state, Command::Preview(PreviewChange::Step { larger: false }))
    })
    .with_separator(),
    action(Menu::Sheet, "Zoom sheet in", &[shift(Key::F7)], |state| {
        if_doc(state, Command::Preview(PreviewChange::Step { larger: true }))
    }),
    action(Menu::Sheet, "Fit width", &[plain_key(Key::F9)], |state| {
        if_doc(state, Command::Preview(PreviewChange::Zoom(Zoom::FitWidth)))
    })
    .toggled_by(|state| state.settings.sheet.zoom == Zoom::FitWidth),
    action(Menu::Sheet, "Fit page", &[shift(Key::F9)], |state| {
        if_doc(state, Command::Preview(PreviewChange::Zoom(Zoom::FitPage)))
    })
    .toggled_by(|state| state.settings.sheet.zoom == Zoom::FitPage),
    action(Menu::Sheet, "True size", &[ctrl(Key::F9)], |state| {
        if_doc(state, Command::Preview(PreviewChange::Zoom(Zoom::Percent(100.0))))
    })
    .toggled_by(|state| state.settings.sheet.zoom == Zoom::Percent(100.0)),
    action(Menu::Sheet, "Calibrate screen…", &[], |_| always(Command::OpenDialog(Dialog::Calibrate))),
    action(Menu::View, "Settings…", &[ctrl(Key::Comma)], |_| always(Command::OpenDialog(Dialog::Settings)))
        .with_separator(),
    action(Menu::View, "Light", &[], |_| always(Command::SetTheme(Theme::Light)))
        .toggled_by(|state| state.settings.theme == Theme::Light)
        .with_separator(),
    action(Menu::View, "Dark", &[], |_| always(Command::SetTheme(Theme::Dark)))
        .toggled_by(|state| state.settings.theme == Theme::Dark),
    action(Menu::View, "Follow system theme", &[], |_| always(Command::SetTheme(Theme::System)))
        .toggled_by(|state| state.settings.theme == Theme::System),
    action(Menu::View, "Dim paper when dark", &[], |state| always(Command::DimPaper(!state.settings.dim_paper)))
        .toggled_by(|state| state.settings.dim_paper),
    action(Menu::Ship, "Next finding", &[plain_key(Key::F8)], |state| {
        if_doc(state, Command::Inspector(InspectorCommand::NextFinding { back: false }))
    })
    .with_separator(),
    action(Menu::Ship, "Previous finding", &[shift(Key::F8)], |state| {
        if_doc(state, Command::Inspector(InspectorCommand::NextFinding { back: true }))
    }),
    action(Menu::Ship, "Take the fix of the finding", &[ctrl(Key::Period)], fix_finding),
    action(Menu::Ship, "Suggest…", &[ctrl(Key::G)], |state| if_checked(state, SuggestCommand::Open)).with_separator(),
    action(Menu::Ship, "Make legal…", &[], |state| {
        let is_wrong = state.current_doc()?.evaluation().is_some_and(|evaluation| !evaluation.legal);
        is_wrong.then_some(Command::Suggest(SuggestCommand::Ask(Request::Legal)))
    }),
    action(Menu::Ship, "Fix all…", &[], |state| {
        let doc = state.current_doc()?;
        state.inspector_views.view(doc.id)?.fixable_count.map(|_| Command::FixAll(FixAllCommand::Open))
    }),
    action(Menu::Ship, "The same for less", &[], |state| {
        state.current_doc()?.evaluation()?.points?;
        if_checked(state, SuggestCommand::Ask(Request::Cheaper))
    }),
    action(Menu::Ship, "Break-points", &[], |state| if_checked(state, SuggestCommand::Ask(Request::Breaks(None)))),
    action(Menu::Ship, "Fight it…", &[], |state| {
        let doc = state.current_doc().filter(|doc| doc.as_design().is_some() && fight::has_fights(doc))?;
        Some(Command::Odds(if fight::is_pinned(state, doc.id) { OddsCommand::Unpin } else { OddsCommand::Pin }))
    })
    .with_current_label(|state| fight::is_pinned(state, state.current_doc()?.id).then(|| "No opponent here".to_owned()))
    .with_separator(),
    action(Menu::Ship, "Copy the odds as text", &[ctrl_shift(Key::C)], |state| {
        current_answer(state).map(|_| Command::Odds(OddsCommand::Copy))
    })
    .unless_typing(),
    action(Menu::Ship, "Save or print the odds…", &[], |state| {
        current_answer(state).map(|_| Command::Odds(OddsCommand::OpenFileDialog))
    }),
    action(Menu::View, "Compare side by side", &[ctrl_shift(Key::D), ctrl(Key::Num3)], |state| {
        let doc = state.current_doc().filter(|doc| doc.as_ruleset().is_none())?;
        let is_open = state.compare_pages.open_page(doc.id).is_some();
        Some(Command::Compare(if is_open { CompareCommand::Close } else { CompareCommand::Open }))
    })
    .toggled_by(|state| state.current_doc().is_some_and(|doc| state.compare_pages.open_page(doc.id).is_some())),
    action(Menu::Ship, "Compare with a file…", &[], |state| {
        if_doc(state, Command::Compare(CompareCommand::PickFile))
    }),
    action(Menu::Rules, "Rules page", &[ctrl_shift(Key::U)], |state| {
        let shown = state.ruleset_status.active.as_ref()?;
        Some(Command::RulesPage(RulesPageCommand::Open(shown.id.clone())))
    }),
    action(Menu::Rules, "New house rule…", &[], |state| {
        let has_rules = state.ruleset_status.active.is_some() || state.current_doc()?.as_ruleset().is_some();
        has_rules.then_some(Command::RulesPage(RulesPageCommand::BeginRule))
    }),
    action(Menu::Rules, "Check the rules", &[], |state| {
        state.ruleset_status.active.as_ref().map(|shown| Command::Rules(RulesCommand::Lint(shown.id.clone())))
    }),
    action(Menu::Rules, "Rules and credits", &[], |state| {
        if_doc(state, Command::ShowInspectorTab(InspectorTab::Rules))
    }),
    action(Menu::Rules, "Try other rules…", &[], |state| {
        if_doc(state, Command::ShowInspectorTab(InspectorTab::Rules))
    })
    .with_separator(),
    action(Menu::Rules, "Use the file's ruleset", &[], |state| {
        state
            .current_doc()
            .and_then(|doc| doc.rules_override.as_ref())
            .map(|_| Command::Rules(RulesCommand::Override(None)))
    }),
    action(Menu::Rules, "Use the tried rules in the file", &[], |state| {
        let tried = state.current_doc()?.rules_override.clone()?;
        Some(Command::Rules(RulesCommand::Adopt(tried)))
    })
    .with_current_label(|state| Some(format!("Use {} in the file", state.current_doc()?.rules_override.as_ref()?))),
    action(Menu::Rules, "Open the rules in a text editor", &[], |state| {
        state
            .ruleset_status
            .active
            .as_ref()
            .and_then(ActiveRuleset::own_file)
            .filter(|_| state.platform.opens_files)
            .map(|file| Command::OpenExternally(file.clone()))
    })
    .with_separator(),
    action(Menu::Rules, "Copy the rules into the workspace", &[], |state| {
        let shown = state.ruleset_status.active.as_ref().filter(|shown| shown.own_file().is_none());
        shown.map(|shown| Command::Rules(RulesCommand::CopyRules(shown.id.clone())))
    }),
    action(Menu::Rules, "Copy the templates into the workspace", &[], |state| {
        state.ruleset_status.active.as_ref().map(|shown| Command::Rules(RulesCommand::CopyTemplates(shown.id.clone())))
    }),
    action(Menu::Help, "Guide", &[], |state| {
        let page = state.platform.guide.as_ref().filter(|_| state.platform.opens_files);
        page.map(|page| Command::OpenExternally(page.clone()))
    }),
    action(Menu::Help, "Reference sheet", &[shift(Key::F1)], |state| {
        let has_game = state.current_doc().is_some_and(|doc| doc.shown_ship().is_some());
        (has_game || state.library.is_scanned).then_some(Command::Guide(GuideCommand::ShowReference(None)))
    }),
    action(Menu::Help, "First ship, step by step", &[], |state| {
        let doc = state.current_doc()?;
        let ship = doc.as_design()?.evaluation.as_ref().filter(|ship| !ship.ruleset.guide.is_empty());
        ship.map(|_| {
            Command::Guide(if state.guides.is_open(doc.id) { GuideCommand::Close } else { GuideCommand::Open })
        })
    })
    .toggled_by(|state| state.current_doc().is_some_and(|doc| state.guides.is_open(doc.id))),
    action(Menu::Help, "Keyboard shortcuts", &[plain_key(Key::F1)], |_| always(Command::OpenDialog(Dialog::Keys))),
    action(Menu::Help, "Glossary", &[], |state| {
        let ship = state.current_doc()?.shown_ship()?;
        let first = String::new();
        (!ship.ruleset.glossary.is_empty()).then_some(Command::Palette(PaletteCommand::ShowTerm(first)))
    }),
    action(Menu::Help, "Copy a report", &[plain_key(Key::F12)], |_| always(Command::CopyReport)).with_separator(),
    action(Menu::Help, "About Moldloft", &[], |_| always(Command::OpenDialog(Dialog::About))),
];
