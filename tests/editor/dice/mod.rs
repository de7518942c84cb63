//! Commands at random, made from what is before the player: of every kind there is, sensible ones mostly.

use std::path::PathBuf;

use moldloft::design::fleet::Fleet;
use moldloft::design::{Damage, UnitPath};
use moldloft::editor::file_chooser::FileChooserCommand;
use moldloft::editor::fix_all::FixAllCommand;
use moldloft::editor::fleet::FleetCommand;
use moldloft::editor::fleet::design_chooser::DesignChooserPurpose;
use moldloft::editor::fleet_exchange::ExchangeCommand;
use moldloft::editor::inspector::{CompareTarget, InspectorCommand};
use moldloft::editor::library_browser::LibraryCommand;
use moldloft::editor::preview::{PreviewChange, PreviewMode, Zoom};
use moldloft::editor::printing::{PrintCommand, PrintDialog, PrintStage};
use moldloft::editor::ruleset_status::RulesCommand;
use moldloft::editor::{
    Command, CommandKind, Dialog, DocId, Edit, EditStep, EditorState, FilePick, FormTarget, InspectorTab, Notice, Pane,
    PickPurpose, SystemPicker, Tab, Theme,
};
use moldloft::editor::{DiscardTarget, PersistenceCommand};
use moldloft::evaluate::{ExplainTarget, quick_fix, tick_marks};
use moldloft::print::PrintKind;
use moldloft::sheet::Paper;
use moldloft::store::FileRef;
use toml_edit::Value;

/// Numbers from a seed, the same each time.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides.max(1)
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.roll(n) == 0
    }

    fn of<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        let at = self.roll(list.len());
        list.get(at)
    }
}

/// Files that may be opened and written.
pub struct Files {
    pub designs: Vec<PathBuf>,
    pub built_in: Vec<PathBuf>,
    pub scratch: Vec<PathBuf>,
}

/// A command, now.
pub fn roll(state: &EditorState, files: &Files, dice: &mut Dice) -> Command {
    // Most of what a player does is editing.
    match dice.roll(100) {
        0..60 => return Command::Edit(edit(state, dice)),
        60..70 => return Command::Undo,
        70..76 => return Command::Redo,
        _ => {}
    }
    let kind = CommandKind::ALL[dice.roll(CommandKind::ALL.len())];
    of_kind(kind, state, files, dice).unwrap_or(Command::CloseDialog)
}

/// A command of a kind; none where only a job, the window or another command gives it. **A new command belongs here.**
pub fn of_kind(kind: CommandKind, state: &EditorState, files: &Files, dice: &mut Dice) -> Option<Command> {
    let id = any_doc(state, dice);
    Some(match kind {
        CommandKind::ShowTab => Command::ShowTab(if dice.one_in(6) { Tab::Start } else { Tab::Doc(id) }),
        CommandKind::NextTab => Command::NextTab { back: dice.one_in(2) },
        CommandKind::Close => Command::Close(id),
        // Most designs stay open.
        CommandKind::CloseAnyway if dice.one_in(8) => Command::CloseAnyway(id),
        CommandKind::Quit => Command::Quit,
        CommandKind::QuitAnyway => Command::QuitAnyway,
        CommandKind::Open => Command::Open(dice.of(&files.designs).cloned().unwrap_or_default()),
        CommandKind::OpenBuiltIn => Command::OpenBuiltIn(dice.of(&files.built_in).cloned().unwrap_or_default()),
        CommandKind::OpenText if dice.one_in(6) => Command::OpenText { text: text(dice).into() },
        CommandKind::Save => Command::Save,
        CommandKind::SaveAs => Command::SaveAs,
        CommandKind::SaveTo => Command::SaveTo(dice.of(&files.scratch).cloned().unwrap_or_default()),
        CommandKind::SaveAll => Command::SaveAll,
        CommandKind::PickFile => Command::PickFile(pick(dice)),
        CommandKind::FilesPicked => Command::FilesPicked {
            paths: dice.of(&files.scratch).cloned().into_iter().collect(),
            purpose: picked(dice),
        },
        CommandKind::OpenExternally => Command::OpenExternally(dice.of(&files.designs).cloned().unwrap_or_default()),
        CommandKind::Library => Command::Library(browsing(state, files, dice)),
        CommandKind::Edit => Command::Edit(edit(state, dice)),
        CommandKind::Undo => Command::Undo,
        CommandKind::Redo => Command::Redo,
        CommandKind::EndMerge => Command::EndMerge,
        CommandKind::Select => Command::Select((0..dice.roll(4)).map(|_| dice.roll(12) as u32).collect()),
        CommandKind::Persistence => Command::Persistence(keeping(id, state, files, dice)),
        CommandKind::FileChooser => Command::FileChooser(filing(files, dice)),
        CommandKind::FixAll => Command::FixAll(mending(state, dice)),
        CommandKind::Fleet => Command::Fleet(mustering(state, dice)),
        CommandKind::Exchange => Command::Exchange(trading(id, state, dice)),
        CommandKind::SelectMount => Command::SelectMount(mount(state, dice).unwrap_or_else(|| text(dice)).into()),
        CommandKind::Copy => Command::Copy,
        CommandKind::Cut => Command::Cut,
        CommandKind::Paste => Command::Paste(copied(state, dice)),
        CommandKind::RequestPaste => Command::RequestPaste,
        CommandKind::SystemPicker => Command::SystemPicker(dice.one_in(2).then(|| palette(state, dice))),
        CommandKind::Print => Command::Print(printing(state, files, dice)),
        CommandKind::Explain => Command::Explain(asked(state, dice)),
        CommandKind::Inspector => Command::Inspector(inspecting(id, files, dice)),
        CommandKind::Rules => Command::Rules(ruling(dice)),
        CommandKind::ShowInspectorTab => {
            let all = [
                InspectorTab::Findings,
                InspectorTab::Explain,
                InspectorTab::Compare,
                InspectorTab::Rules,
                InspectorTab::Ship,
            ];
            Command::ShowInspectorTab(all[dice.roll(all.len())])
        }
        CommandKind::ShowPane => Command::ShowPane([Pane::Form, Pane::Sheet, Pane::Inspector][dice.roll(3)]),
        CommandKind::GoTo => Command::GoTo(place(state, dice)),
        CommandKind::ClearGoTo => Command::ClearGoTo,
        CommandKind::ToggleLibrary => Command::ToggleLibrary,
        CommandKind::SetTheme => Command::SetTheme([Theme::System, Theme::Light, Theme::Dark][dice.roll(3)]),
        CommandKind::StepScale => Command::StepScale { larger: dice.one_in(2) },
        CommandKind::ResetScale => Command::ResetScale,
        CommandKind::Preview => Command::Preview(sheet(dice)),
        CommandKind::OpenDialog => Command::OpenDialog(dialog(id, files, dice)),
        CommandKind::Notify => {
            Command::Notify(if dice.one_in(2) { Notice::info(text(dice)) } else { Notice::error(text(dice)) })
        }
        CommandKind::DismissNotice => Command::DismissNotice(dice.roll(3)),
        CommandKind::CloseAnyway | CommandKind::OpenText | CommandKind::CloseDialog => Command::CloseDialog,
        CommandKind::RereadFiles => return None,
        CommandKind::SystemCosts | CommandKind::SetViewport | CommandKind::PreviewRendered => return None,
    })
}

fn any_doc(state: &EditorState, dice: &mut Dice) -> DocId {
    dice.of(&state.docs).map_or(DocId(dice.roll(40) as u64), |doc| doc.id)
}

fn dialog(id: DocId, files: &Files, dice: &mut Dice) -> Dialog {
    let path = dice.of(&files.scratch).map(|path| path.display().to_string()).unwrap_or_default();
    let dialog = match dice.roll(10) {
        0 => Dialog::Keys,
        1 => Dialog::About,
        2 => Dialog::SaveAs { path },
        3 => Dialog::ConfirmClose(id),
        4 => Dialog::Calibrate,
        5 => Dialog::MoveTo,
        6 => Dialog::RecoverDrafts,
        8 => Dialog::Settings,
        7 => Dialog::ChangedOnDisk(id),
        _ => Dialog::ConfirmQuit,
    };
    // A new dialog belongs above.
    match dialog {
        Dialog::Keys
        | Dialog::About
        | Dialog::SaveAs { .. }
        | Dialog::ConfirmClose(_)
        | Dialog::ConfirmQuit
        | Dialog::Calibrate
        | Dialog::RecoverDrafts
        | Dialog::Settings
        | Dialog::ChangedOnDisk(_)
        | Dialog::MoveTo => dialog,
        // Saving opens it.
        Dialog::ConfirmReplace { .. } => dialog,
        // The command `print` opens it.
        Dialog::Print(_) => dialog,
        // The commands `files` and `mend` open them.
        Dialog::FileChooser(_) | Dialog::FixAll(_) => dialog,
        // The commands of a fleet open them.
        Dialog::ChooseDesigns(_) | Dialog::NameVariant { .. } | Dialog::Tokens(_) | Dialog::ImportList { .. } => dialog,
    }
}

fn mending(state: &EditorState, dice: &mut Dice) -> FixAllCommand {
    let made = match (dice.roll(3), &state.dialog) {
        (0, _) => FixAllCommand::Open,
        (1, Some(Dialog::FixAll(open))) => {
            FixAllCommand::Toggle(dice.of(&open.lines).map_or_else(String::new, |line| line.description.clone()))
        }
        _ => FixAllCommand::Apply,
    };
    match made {
        FixAllCommand::Open | FixAllCommand::Toggle(_) | FixAllCommand::Apply => made,
    }
}

fn filing(files: &Files, dice: &mut Dice) -> FileChooserCommand {
    let path = dice.of(&files.scratch).cloned().unwrap_or_default();
    let made = match dice.roll(4) {
        0 => FileChooserCommand::Open(Box::new(pick(dice))),
        1 => FileChooserCommand::EnterFolder(path.parent().map(Into::into).unwrap_or_default()),
        2 => FileChooserCommand::SetInput(text(dice)),
        _ => FileChooserCommand::Accept(path),
    };
    match made {
        FileChooserCommand::Open(_)
        | FileChooserCommand::EnterFolder(_)
        | FileChooserCommand::SetInput(_)
        | FileChooserCommand::Accept(_) => made,
    }
}

fn pick(dice: &mut Dice) -> FilePick {
    use moldloft::editor::FilePickKind;
    let kind = [FilePickKind::Open, FilePickKind::Save, FilePickKind::Folder][dice.roll(3)];
    FilePick { title: text(dice), kind, folder: None, name: None, extensions: Vec::new(), purpose: picked(dice) }
}

fn sheet(dice: &mut Dice) -> PreviewChange {
    let made = match dice.roll(8) {
        0 => PreviewChange::View(PreviewMode::ALL[dice.roll(4)]),
        1 => PreviewChange::Paper(Paper::ALL[dice.roll(2)]),
        2 => PreviewChange::Grey(dice.one_in(2)),
        3 => PreviewChange::LargePrint(dice.one_in(2)),
        4 => PreviewChange::Sheet { ruleset: text(dice), sheet: dice.one_in(2).then(|| text(dice)) },
        5 => PreviewChange::Zoom(
            [Zoom::FitWidth, Zoom::FitPage, Zoom::Percent(f32::NAN), Zoom::Percent(90.0)][dice.roll(4)],
        ),
        6 => PreviewChange::Calibration(dice.roll(3000) as u32),
        _ => PreviewChange::Step { larger: dice.one_in(2) },
    };
    match made {
        PreviewChange::View(_)
        | PreviewChange::Paper(_)
        | PreviewChange::Grey(_)
        | PreviewChange::LargePrint(_)
        | PreviewChange::Sheet { .. } => made,
        PreviewChange::Zoom(_) | PreviewChange::Step { .. } | PreviewChange::Calibration(_) => made,
    }
}

fn picked(dice: &mut Dice) -> PickPurpose {
    let picked =
        [PickPurpose::Open, PickPurpose::Compare, PickPurpose::FillDialogPath, PickPurpose::FilledForm][dice.roll(4)];
    match picked {
        PickPurpose::Open | PickPurpose::Compare | PickPurpose::FillDialogPath | PickPurpose::FilledForm => picked,
        // Another workspace would take the designs away that are opened here.
        PickPurpose::Workspace => picked,
    }
}

fn browsing(state: &EditorState, files: &Files, dice: &mut Dice) -> LibraryCommand {
    let game = state
        .library
        .catalogue
        .games
        .get(dice.roll(state.library.catalogue.games.len() + 1))
        .map(|game| game.id.clone());
    let made = match dice.roll(11) {
        8 => LibraryCommand::ShowNewDesign,
        9 => LibraryCommand::NameFocused,
        0 => LibraryCommand::Scan,
        1 => LibraryCommand::SearchPanel(text(dice)),
        2 => LibraryCommand::ChooseGame(game),
        3 => LibraryCommand::SetName(text(dice)),
        4 => LibraryCommand::ShowThumbnails(dice.one_in(2)),
        5 => LibraryCommand::ToggleGroup(text(dice)),
        6 => LibraryCommand::FocusSearch,
        7 => LibraryCommand::ForgetRecent(dice.of(&files.designs).cloned().unwrap_or_default()),
        _ => match game.filter(|_| state.docs.len() < 12) {
            Some(game) => {
                LibraryCommand::CreateDesign { game, copy_of: state.library.catalogue.entries().next().cloned() }
            }
            None => LibraryCommand::SearchFocused,
        },
    };
    match made {
        LibraryCommand::Scan
        | LibraryCommand::SearchPanel(_)
        | LibraryCommand::ChooseGame(_)
        | LibraryCommand::ShowNewDesign
        | LibraryCommand::NameFocused
        | LibraryCommand::SetName(_)
        | LibraryCommand::ShowThumbnails(_)
        | LibraryCommand::ToggleGroup(_) => made,
        LibraryCommand::FocusSearch
        | LibraryCommand::Invalidate
        | LibraryCommand::SearchFocused
        | LibraryCommand::ForgetRecent(_)
        | LibraryCommand::CreateDesign { .. } => made,
        // Given by jobs, or by panels while a frame is drawn.
        LibraryCommand::ScanDone { .. }
        | LibraryCommand::DrawThumbnails { .. }
        | LibraryCommand::ThumbnailsDrawn { .. }
        | LibraryCommand::SetFilter(_) => made,
        LibraryCommand::SetWorkspace(_) => made,
    }
}

fn asked(state: &EditorState, dice: &mut Dice) -> ExplainTarget {
    let evaluation = state.current_doc().and_then(|doc| doc.evaluation());
    let value = evaluation.and_then(|one| dice.of(&one.values)).map_or_else(|| text(dice).into(), |one| one.id.clone());
    match dice.roll(8) {
        0 => ExplainTarget::Value(value),
        1 => ExplainTarget::Limit(value),
        2 => ExplainTarget::Field(field(state, dice).into()),
        3 => ExplainTarget::Attribute { fit: dice.roll(12) as u32, id: parameter(state, dice).into() },
        4 => ExplainTarget::Cost(dice.roll(12)),
        5 => ExplainTarget::Costs,
        6 => ExplainTarget::Setting(text(dice).into()),
        _ => ExplainTarget::Code("missing-name".into()),
    }
}

fn inspecting(id: DocId, files: &Files, dice: &mut Dice) -> InspectorCommand {
    let made = match dice.roll(9) {
        0 => InspectorCommand::GoToFinding(dice.roll(6)),
        1 => InspectorCommand::NextFinding { back: dice.one_in(2) },
        2 => InspectorCommand::Back,
        3 => InspectorCommand::Forward,
        4 => InspectorCommand::ListAll,
        5 => InspectorCommand::ToggleBranch(text(dice)),
        6 => InspectorCommand::CompareWith(match dice.roll(4) {
            0 => CompareTarget::Saved,
            1 => CompareTarget::Doc(id),
            2 => CompareTarget::File(FileRef::built_in(dice.of(&files.built_in).cloned().unwrap_or_default())),
            _ => CompareTarget::File(FileRef::on_disk(dice.of(&files.designs).cloned().unwrap_or_default())),
        }),
        7 => InspectorCommand::PickCompareFile,
        _ => InspectorCommand::OnlyDifferences(dice.one_in(2)),
    };
    match made {
        InspectorCommand::GoToFinding(_)
        | InspectorCommand::NextFinding { .. }
        | InspectorCommand::Back
        | InspectorCommand::Forward => made,
        InspectorCommand::ListAll
        | InspectorCommand::ToggleBranch(_)
        | InspectorCommand::CompareWith(_)
        | InspectorCommand::PickCompareFile => made,
        InspectorCommand::OnlyDifferences(_) => made,
    }
}

fn ruling(dice: &mut Dice) -> RulesCommand {
    let id = ["woh-lasers", "sky-plasma", "star-navy", "nowhere"][dice.roll(4)].to_owned();
    let made = match dice.roll(30) {
        0 => RulesCommand::Lint(id),
        1..20 => RulesCommand::Override(None),
        _ => RulesCommand::Override(Some(id)),
    };
    match made {
        RulesCommand::Lint(_) | RulesCommand::Override(_) => made,
        // Writes into the workspace, once.
        RulesCommand::CopyRules(_) | RulesCommand::CopyTemplates(_) => made,
        // Given by jobs.
        RulesCommand::LintDone { .. } => made,
    }
}

fn printing(state: &EditorState, files: &Files, dice: &mut Dice) -> PrintCommand {
    let made = match dice.roll(6) {
        0 => PrintCommand::Open([None, Some(PrintKind::Counters), Some(PrintKind::Reference)][dice.roll(3)]),
        1 => PrintCommand::Start,
        2 => PrintCommand::Replace,
        3 => PrintCommand::BackToSettings,
        _ => {
            let mut options = state.settings.print.clone();
            options.what = [
                PrintKind::Sheets,
                PrintKind::SheetsAndCounters,
                PrintKind::Counters,
                PrintKind::Reference,
                PrintKind::Blank,
            ][dice.roll(5)];
            options.format = ["pdf", "svg", "png", "doc"][dice.roll(4)].into();
            (options.dpi, options.copies) = (dice.roll(60) as u32, dice.roll(3) as u32);
            options.chit = dice.one_in(2).then(|| dice.roll(40) as u32);
            let path = dice
                .of(&files.scratch)
                .map(|path| path.with_extension("pdf").display().to_string())
                .unwrap_or_default();
            PrintCommand::UpdateDialog(Box::new(PrintDialog {
                options,
                all_open: dice.one_in(3),
                path,
                path_edited: true,
                printers: Default::default(),
                stage: PrintStage::Settings,
            }))
        }
    };
    match made {
        PrintCommand::Open(_)
        | PrintCommand::UpdateDialog(_)
        | PrintCommand::Start
        | PrintCommand::Replace
        | PrintCommand::BackToSettings => made,
        // Given by jobs.
        PrintCommand::FilesMade(..) | PrintCommand::FilesWritten(..) => made,
    }
}

fn keeping(id: DocId, state: &EditorState, files: &Files, dice: &mut Dice) -> PersistenceCommand {
    let doubt = || [DiscardTarget::One(0), DiscardTarget::All][id.0 as usize % 2];
    let made = match dice.roll(14) {
        0 => PersistenceCommand::WriteDrafts,
        1 => PersistenceCommand::ShowRecovered,
        2 => PersistenceCommand::Restore(dice.roll(3)),
        3 => PersistenceCommand::RestoreAll,
        4 => PersistenceCommand::ConfirmDiscard(dice.one_in(2).then(doubt)),
        5 => PersistenceCommand::Discard(doubt()),
        6 => PersistenceCommand::FilesChanged(files.designs.clone()),
        7 => PersistenceCommand::CheckFiles,
        8 => PersistenceCommand::TakeDiskVersion(id),
        9 => PersistenceCommand::KeepOwnVersion(id),
        10 => PersistenceCommand::SaveCopy(id),
        11 if dice.one_in(8) => PersistenceCommand::SaveAndClose(id),
        12 => PersistenceCommand::SaveAndQuit,
        _ => PersistenceCommand::SetText(
            state.current_doc().map(|doc| doc.text().to_string()).unwrap_or_default() + &text(dice),
        ),
    };
    match made {
        PersistenceCommand::WriteDrafts
        | PersistenceCommand::ShowRecovered
        | PersistenceCommand::Restore(_)
        | PersistenceCommand::RestoreAll
        | PersistenceCommand::ConfirmDiscard(_) => made,
        PersistenceCommand::Discard(_)
        | PersistenceCommand::FilesChanged(_)
        | PersistenceCommand::CheckFiles
        | PersistenceCommand::TakeDiskVersion(_) => made,
        PersistenceCommand::KeepOwnVersion(_)
        | PersistenceCommand::SaveCopy(_)
        | PersistenceCommand::SaveAndClose(_)
        | PersistenceCommand::SaveAndQuit => made,
        PersistenceCommand::SetText(_) => made,
        // Once, at the start.
        PersistenceCommand::Start | PersistenceCommand::Watch => made,
        // The dialog that saving opens gives it.
        PersistenceCommand::ReplaceFile { .. } => made,
    }
}

fn palette(state: &EditorState, dice: &mut Dice) -> SystemPicker {
    SystemPicker { mount: mount(state, dice), query: text(dice), highlighted: dice.roll(60) }
}

fn place(state: &EditorState, dice: &mut Dice) -> FormTarget {
    match dice.roll(6) {
        4 => FormTarget::Ship { ship: dice.roll(6) as u32, key: ["name", "design", "captain"][dice.roll(3)] },
        5 => FormTarget::Group(dice.roll(3) as u32),
        0 => FormTarget::TopKey("name"),
        1 => FormTarget::Field(field(state, dice)),
        2 => FormTarget::Fit(dice.roll(12) as u32),
        _ => FormTarget::Mount(mount(state, dice).unwrap_or_default()),
    }
}

fn ruleset(state: &EditorState) -> Option<&moldloft::ruleset::Ruleset> {
    state.current_doc()?.evaluation().map(|evaluation| &*evaluation.ruleset)
}

fn field(state: &EditorState, dice: &mut Dice) -> String {
    let known = ruleset(state).and_then(|ruleset| dice.of(&ruleset.fields)).map(|field| field.id.to_string());
    known.filter(|_| !dice.one_in(20)).unwrap_or_else(|| text(dice))
}

fn system(state: &EditorState, dice: &mut Dice) -> String {
    let known = ruleset(state).and_then(|ruleset| dice.of(&ruleset.systems)).map(|system| system.id.to_string());
    known.filter(|_| !dice.one_in(20)).unwrap_or_else(|| text(dice))
}

fn mount(state: &EditorState, dice: &mut Dice) -> Option<String> {
    let known = ruleset(state).and_then(|ruleset| dice.of(&ruleset.mounts)).map(|mount| mount.id.to_string());
    known.filter(|_| !dice.one_in(20))
}

/// A key that fits of this design have, or might.
fn parameter(state: &EditorState, dice: &mut Dice) -> String {
    let fits = state.current_doc().and_then(|doc| doc.as_design()).map(|judged| &judged.design.fits);
    let known =
        fits.and_then(|fits| dice.of(fits)).and_then(|fit| dice.of(&fit.parameters)).map(|entry| entry.key.to_string());
    known.unwrap_or_else(|| ["count", "system", "mount", "feeds", "odd key"][dice.roll(5)].to_owned())
}

fn text(dice: &mut Dice) -> String {
    const TEXTS: [&str; 10] = [
        "",
        "Vigilant",
        "two\nlines",
        "\"quoted\" # 'no comment'",
        "Jaskółka",
        "\u{7}\r\n\t",
        "[[fit]]",
        "a.b",
        "日本語",
        "x = 1",
    ];
    let mut text = TEXTS[dice.roll(TEXTS.len())].to_owned();
    if dice.one_in(30) {
        text = text.repeat(200);
    }
    text
}

fn value(dice: &mut Dice) -> Value {
    match dice.roll(12) {
        0 => Value::from(text(dice)),
        1 => Value::from(dice.one_in(2)),
        2 => Value::from(-(dice.roll(1000) as i64)),
        3 => Value::from(i64::MAX),
        4 => Value::from(1.5),
        5 => Value::from_iter([dice.roll(9) as i64, 2]),
        6 => Value::from_iter([("x", Value::from(1)), ("y z", Value::from("\u{7}"))]),
        _ => Value::from(dice.roll(40) as i64),
    }
}

fn choice(state: &EditorState, dice: &mut Dice) -> Value {
    use moldloft::ruleset::FieldKind;
    let choices: Vec<String> = ruleset(state)
        .into_iter()
        .flat_map(|ruleset| &ruleset.fields)
        .filter_map(|field| if let FieldKind::Choice(choice) = &field.kind { Some(choice) } else { None })
        .flat_map(|choice| choice.options.iter().map(|option| option.id.to_string()))
        .collect();
    dice.of(&choices).map_or_else(|| value(dice), |id| Value::from(id.as_str()))
}

/// An edit of some steps.
pub fn edit(state: &EditorState, dice: &mut Dice) -> Edit {
    let steps = 1 + if dice.one_in(6) { dice.roll(4) } else { 0 };
    let edit = Edit::from_steps("try something", (0..steps).map(|_| step(state, dice)).collect());
    if dice.one_in(4) { edit.with_merge_key(["name", "count"][dice.roll(2)]) } else { edit }
}

fn step(state: &EditorState, dice: &mut Dice) -> EditStep {
    let (fits, rows) = match state.current_doc().and_then(|doc| doc.as_design()) {
        Some(judged) => (judged.document.fit_count(), 4),
        None => (2, 2),
    };
    // One behind the last now and then.
    let fit = dice.roll(fits + 1);
    let row = dice.roll(rows + 1);
    let small = |dice: &mut Dice| Value::from(dice.roll(9) as i64);
    if let Some(fleet) = state.current_doc().and_then(|doc| doc.as_fleet()).filter(|_| !dice.one_in(6)) {
        return ship_step(fleet.fleet(), dice);
    }
    let made = match dice.roll(27) {
        0 => EditStep::SetTopKey {
            key: ["name", "notes", "name", "ruleset"][dice.roll(4)].into(),
            value: text(dice).into(),
        },
        1 => EditStep::RemoveTopKey { key: ["name", "notes"][dice.roll(2)].into() },
        2 | 3 => EditStep::SetField { field: field(state, dice), value: choice(state, dice) },
        4 => EditStep::SetField { field: field(state, dice), value: value(dice) },
        5 => EditStep::RemoveField { field: field(state, dice) },
        6 => EditStep::SetCell { field: field(state, dice), row, column: text(dice), value: value(dice) },
        7 => EditStep::RemoveCell { field: field(state, dice), row, column: text(dice) },
        8 => EditStep::AddRow { field: field(state, dice), at: row, cells: vec![("a".into(), value(dice))] },
        9 => EditStep::RemoveRow { field: field(state, dice), row },
        10 => EditStep::MoveRow { field: field(state, dice), from: row, to: dice.roll(rows + 1) },
        11 | 12 => EditStep::SetFit { fit, key: "count".into(), value: small(dice) },
        13 => EditStep::SetFit { fit, key: "mount".into(), value: mount(state, dice).unwrap_or_default().into() },
        14 => EditStep::SetFit { fit, key: parameter(state, dice), value: value(dice) },
        15 => EditStep::RemoveFitKey { fit, key: parameter(state, dice) },
        16 | 17 => {
            let parameters = if dice.one_in(3) { vec![(parameter(state, dice), value(dice))] } else { Vec::new() };
            let (system, mount) = (system(state, dice), mount(state, dice));
            EditStep::AddFit { at: fit, system, mount, count: dice.roll(12) as u32, parameters }
        }
        18 | 19 => EditStep::RemoveFit { fit },
        20 => EditStep::MoveFit { from: fit, to: dice.roll(fits + 1) },
        21 => EditStep::Paste { text: copied(state, dice), at: fit },
        22 => EditStep::AddCustomSystem {
            id: ["own", "other"][dice.roll(2)].into(),
            like: system(state, dice),
            keys: Vec::new(),
        },
        23 => EditStep::SetCustomSystem {
            system: dice.roll(3),
            key: ["name", "mass", "like"][dice.roll(3)].into(),
            value: value(dice),
        },
        24 => {
            EditStep::RemoveCustomSystemKey { system: dice.roll(3), key: ["name", "mass", "like"][dice.roll(3)].into() }
        }
        25 => {
            let evaluation = state.current_doc().and_then(|doc| doc.evaluation());
            let found = evaluation.and_then(|one| quick_fix(one, dice.roll(one.findings.len())));
            EditStep::Fix(found.map(|mend| mend.edits).unwrap_or_default())
        }
        _ => EditStep::RemoveCustomSystem { system: dice.roll(3) },
    };
    // A new step belongs above.
    match made {
        EditStep::SetTopKey { .. }
        | EditStep::RemoveTopKey { .. }
        | EditStep::SetField { .. }
        | EditStep::RemoveField { .. } => made,
        EditStep::SetCell { .. }
        | EditStep::RemoveCell { .. }
        | EditStep::AddRow { .. }
        | EditStep::RemoveRow { .. } => made,
        EditStep::MoveRow { .. }
        | EditStep::SetFit { .. }
        | EditStep::RemoveFitKey { .. }
        | EditStep::AddFit { .. } => made,
        EditStep::RemoveFit { .. }
        | EditStep::MoveFit { .. }
        | EditStep::Paste { .. }
        | EditStep::AddCustomSystem { .. } => made,
        EditStep::SetCustomSystem { .. }
        | EditStep::RemoveCustomSystemKey { .. }
        | EditStep::RemoveCustomSystem { .. } => made,
        // Those of a fleet: below.
        EditStep::SetShip { .. }
        | EditStep::RemoveShipKey { .. }
        | EditStep::AddShip { .. }
        | EditStep::DuplicateShip { .. } => made,
        EditStep::RemoveShip { .. }
        | EditStep::MoveShip { .. }
        | EditStep::SplitShip { .. }
        | EditStep::SetDamage { .. } => made,
        EditStep::AddCarried { .. } | EditStep::SetCarried { .. } | EditStep::RemoveCarriedKey { .. } => made,
        EditStep::RemoveCarried { .. } | EditStep::SetLoad { .. } => made,
        EditStep::AddGroup { .. } | EditStep::SetGroup { .. } | EditStep::RemoveGroup { .. } => made,
        EditStep::Fix(_) | EditStep::EmbedDesign { .. } => made,
    }
}

/// A step on a fleet's text.
fn ship_step(fleet: &Fleet, dice: &mut Dice) -> EditStep {
    let ship = dice.roll(fleet.ships.len() + 1);
    let group = dice.roll(fleet.groups.len() + 1);
    let at = dice.roll(fleet.ships.len() + 2);
    let class = |dice: &mut Dice| -> Value {
        let known = dice.of(&fleet.ships).and_then(|ship| ship.design.as_ref()).map(|word| word.text.to_string());
        known.filter(|_| !dice.one_in(8)).unwrap_or_else(|| text(dice)).into()
    };
    let key = |dice: &mut Dice| {
        ["name", "hull_number", "captain", "notes", "count", "group", "tow", "load", "damage", "odd"][dice.roll(10)]
            .to_owned()
    };
    let (relation, carried) = (|| "tow".to_owned(), dice.roll(2));
    match dice.roll(21) {
        19 => EditStep::EmbedDesign { text: format!("name = \"Own\"\n{}\n", text(dice)).into() },
        0 => EditStep::SetTopKey {
            key: ["name", "side", "player", "notes"][dice.roll(4)].into(),
            value: text(dice).into(),
        },
        1 => EditStep::SetTopKey { key: "budget".into(), value: value(dice) },
        2 => EditStep::SetShip { ship, key: key(dice), value: value(dice) },
        3 => EditStep::SetShip { ship, key: "count".into(), value: Value::from(dice.roll(5) as i64) },
        4 => EditStep::SetShip { ship, key: "design".into(), value: class(dice) },
        5 => EditStep::RemoveShipKey { ship, key: key(dice) },
        6 => EditStep::AddShip { at, keys: vec![("design".into(), class(dice)), ("name".into(), text(dice).into())] },
        7 => EditStep::DuplicateShip { ship },
        8 => EditStep::RemoveShip { ship },
        9 => EditStep::MoveShip { from: ship, to: at },
        10 => {
            let mut damage = Damage::default();
            damage.tick(["structure", "hull", "odd stem"][dice.roll(3)], 1, dice.roll(4) as u32);
            let carried = dice.one_in(3).then(|| (relation(), carried, 1 + dice.roll(2) as u32));
            EditStep::SetDamage { seat: UnitPath { ship, copy: 1 + dice.roll(2) as u32, carried }, damage }
        }
        11 => EditStep::AddGroup { keys: vec![("id".into(), text(dice).into()), ("name".into(), text(dice).into())] },
        13 => EditStep::SplitShip { ship },
        14 => {
            let design = class(dice).as_str().unwrap_or_default().to_owned();
            EditStep::AddCarried { ship, relation: relation(), design, count: dice.roll(3) as u32 }
        }
        15 => {
            let (key, value) = ("count".into(), Value::from(dice.roll(4) as i64));
            EditStep::SetCarried { ship, relation: relation(), at: carried, key, value }
        }
        16 => EditStep::RemoveCarriedKey { ship, relation: relation(), at: carried, key: "count".into() },
        17 => EditStep::RemoveCarried { ship, relation: relation(), at: carried },
        18 => {
            let (system, mount) = ("missile-magazine".to_owned(), dice.one_in(2).then(|| "core".to_owned()));
            let value = dice.one_in(2).then(|| value(dice));
            EditStep::SetLoad { ship, system, mount, key: "laser_heads".into(), value }
        }
        12 => EditStep::SetGroup { group, key: ["id", "name", "kind"][dice.roll(3)].into(), value: value(dice) },
        _ => EditStep::RemoveGroup { group },
    }
}

fn trading(id: DocId, state: &EditorState, dice: &mut Dice) -> ExchangeCommand {
    let made = match dice.roll(6) {
        0 => ExchangeCommand::ShareList { with_designs: dice.one_in(2) },
        1 if state.docs.len() < 12 => ExchangeCommand::ImportList("game: wars-of-honor\n2 x Petrel".into()),
        2 => ExchangeCommand::FormRead { doc: id, form: Ok(Default::default()) },
        3 => ExchangeCommand::FormRead { doc: id, form: Err(text(dice)) },
        _ => ExchangeCommand::OpenTokensDialog,
    };
    match made {
        ExchangeCommand::ShareList { .. }
        | ExchangeCommand::ImportList(_)
        | ExchangeCommand::FormRead { .. }
        | ExchangeCommand::OpenTokensDialog => made,
        // Writes into the workspace.
        ExchangeCommand::WriteTokens => made,
    }
}

fn mustering(state: &EditorState, dice: &mut Dice) -> FleetCommand {
    let fleet = state.current_doc().and_then(|doc| doc.as_fleet());
    let ship = dice.roll(6) as u32;
    let stem = || fleet.and_then(|fleet| fleet.shown_unit()).map(|unit| tick_marks(&unit.evaluation).into_keys());
    let stem = stem().and_then(|mut stems| stems.nth(dice.roll(4))).map_or_else(|| text(dice), |stem| stem.to_string());
    let made = match dice.roll(11) {
        0 => FleetCommand::ShowUnit(ship),
        1 => FleetCommand::OpenDesignChooser(match dice.roll(4) {
            0 => DesignChooserPurpose::AddShips,
            1 => DesignChooserPurpose::ChangeClass(vec![ship]),
            2 => DesignChooserPurpose::RefitClass(text(dice)),
            _ => DesignChooserPurpose::SetCarried { ship, relation: "tow".into(), label: "tow".into() },
        }),
        2 => match &state.dialog {
            Some(Dialog::ChooseDesigns(choosing)) => {
                let mut new = choosing.clone();
                let known = new.candidates.clone().unwrap_or_default();
                let word = dice.of(&known).map_or_else(|| text(dice), |one| one.reference.clone());
                new.set_count(&word, dice.roll(4) as u32);
                FleetCommand::UpdateDesignChooser(new)
            }
            _ => FleetCommand::ConfirmDesignChooser,
        },
        3 => FleetCommand::ConfirmDesignChooser,
        4 | 5 => FleetCommand::ToggleBox { stem, number: dice.roll(9) as u32 },
        6 => FleetCommand::SetBoxes { stem, boxes: ["", "1-3", "x", "7-2"][dice.roll(4)].to_owned() },
        7 => FleetCommand::ClearDamage,
        8 => FleetCommand::EditClass,
        9 => FleetCommand::OpenVariantDialog,
        _ if state.docs.len() < 12 => FleetCommand::New("wars-of-honor".into()),
        _ => FleetCommand::ConfirmDesignChooser,
    };
    match made {
        FleetCommand::New(_)
        | FleetCommand::ShowUnit(_)
        | FleetCommand::OpenDesignChooser(_)
        | FleetCommand::UpdateDesignChooser(_) => made,
        FleetCommand::ConfirmDesignChooser
        | FleetCommand::ToggleBox { .. }
        | FleetCommand::SetBoxes { .. }
        | FleetCommand::ClearDamage => made,
        FleetCommand::EditClass | FleetCommand::OpenVariantDialog => made,
        // Writes into the workspace.
        FleetCommand::SaveVariant { .. } => made,
    }
}

/// Fits copied from any open design; now and then something else that was on the clipboard.
fn copied(state: &EditorState, dice: &mut Dice) -> String {
    let doc = dice.of(&state.docs).and_then(|doc| doc.as_design()).filter(|_| !dice.one_in(8));
    let Some(judged) = doc else { return text(dice) };
    let fits: Vec<usize> = (0..judged.document.fit_count().min(30)).filter(|_| dice.one_in(4)).collect();
    judged.document.fits_text(&fits)
}
