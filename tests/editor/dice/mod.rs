//! Random commands for the soak test: takes the state and a seed, gives a command of any kind, mostly a sensible one.

mod edits;
mod nested;
mod rules_page;

use std::path::PathBuf;

use moldloft::editor::model::dialog::DialogKind;
use moldloft::editor::{
    Command, CommandKind, Dialog, DocId, EditorState, FormTarget, InspectorTab, Notice, Pane, RightPage, SystemPicker,
    Tab, Theme,
};
use moldloft::evaluate::ExplainTarget;

pub use edits::edit;

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

    /// `None` if the list is empty.
    fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        let at = self.roll(list.len());
        list.get(at)
    }

    /// One of a list that is not empty.
    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.roll(list.len())]
    }

    fn path(&mut self, list: &[PathBuf]) -> PathBuf {
        self.pick(list).cloned().unwrap_or_default()
    }
}

/// Files that may be opened and written.
pub struct Files {
    pub designs: Vec<PathBuf>,
    pub built_in: Vec<PathBuf>,
    pub scratch: Vec<PathBuf>,
}

/// Most commands are edits, undo and redo.
pub fn roll(state: &EditorState, files: &Files, dice: &mut Dice) -> Command {
    match dice.roll(100) {
        0..60 => return Command::Edit(edit(state, dice)),
        60..70 => return Command::Undo,
        70..76 => return Command::Redo,
        _ => {}
    }
    let kind = dice.of(CommandKind::ALL);
    of_kind(kind, state, files, dice).unwrap_or(Command::CloseDialog)
}

/// `None` if only a job, the window or another command gives this kind.
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
        CommandKind::Open => Command::Open(dice.path(&files.designs)),
        CommandKind::OpenBuiltIn => Command::OpenBuiltIn(dice.path(&files.built_in)),
        CommandKind::OpenText if dice.one_in(6) => Command::OpenText { text: text(dice).into() },
        CommandKind::Save => Command::Save,
        CommandKind::SaveAs => Command::SaveAs,
        CommandKind::SaveTo => Command::SaveTo(dice.path(&files.scratch)),
        CommandKind::SaveAll => Command::SaveAll,
        CommandKind::PickFile => Command::PickFile(nested::file_pick(dice)),
        CommandKind::FilesPicked => Command::FilesPicked {
            paths: dice.pick(&files.scratch).cloned().into_iter().collect(),
            purpose: nested::pick_purpose(dice),
        },
        CommandKind::OpenExternally => Command::OpenExternally(dice.path(&files.designs)),
        CommandKind::Library => Command::Library(nested::library(state, files, dice)),
        CommandKind::Edit => Command::Edit(edit(state, dice)),
        CommandKind::Undo => Command::Undo,
        CommandKind::Redo => Command::Redo,
        CommandKind::EndMerge => Command::EndMerge,
        CommandKind::Select => Command::Select((0..dice.roll(4)).map(|_| dice.roll(12) as u32).collect()),
        CommandKind::Persistence => Command::Persistence(nested::persistence(id, state, files, dice)),
        CommandKind::FileChooser => Command::FileChooser(nested::file_chooser(files, dice)),
        CommandKind::Palette => Command::Palette(nested::palette(state, dice)),
        CommandKind::FixAll => Command::FixAll(nested::fix_all(state, dice)),
        CommandKind::Suggest => Command::Suggest(nested::suggest(state, dice)),
        CommandKind::Fleet => Command::Fleet(nested::fleet(state, dice)),
        CommandKind::Bundle => Command::Bundle(nested::bundle(state, files, dice)),
        CommandKind::Exchange => Command::Exchange(nested::exchange(id, state, dice)),
        CommandKind::SelectMount => Command::SelectMount(mount(state, dice).unwrap_or_else(|| text(dice)).into()),
        CommandKind::Copy => Command::Copy,
        CommandKind::Cut => Command::Cut,
        CommandKind::Paste => Command::Paste(edits::copied(state, dice)),
        CommandKind::RequestPaste => Command::RequestPaste,
        CommandKind::Glance => Command::Glance(moldloft::store::FileRef::on_disk(dice.path(&files.designs))),
        CommandKind::KeepTab => Command::KeepTab(id),
        CommandKind::KeepCurrentTab => Command::KeepCurrentTab,
        CommandKind::ShowIdentity => Command::ShowIdentity(dice.one_in(2)),
        CommandKind::PickForSheet => Command::PickForSheet(mount(state, dice).unwrap_or_else(|| text(dice)).into()),
        CommandKind::SystemPicker => Command::SystemPicker(dice.one_in(2).then(|| system_picker(state, dice))),
        CommandKind::Print => Command::Print(nested::print(state, files, dice)),
        CommandKind::Explain => Command::Explain(explain_target(state, dice)),
        CommandKind::Compare => Command::Compare(nested::compare(id, files, dice)),
        CommandKind::Guide => Command::Guide(nested::guide(dice)),
        CommandKind::Inspector => Command::Inspector(nested::inspector(dice)),
        CommandKind::Rules => Command::Rules(nested::rules(dice)),
        CommandKind::RulesPage => Command::RulesPage(rules_page::command(state, dice)),
        CommandKind::ShowInspectorTab => Command::ShowInspectorTab(dice.of(&[
            InspectorTab::Findings,
            InspectorTab::Explain,
            InspectorTab::Suggest,
            InspectorTab::Rules,
            InspectorTab::Ship,
        ])),
        CommandKind::ShowPane => Command::ShowPane(dice.of(&[Pane::Form, Pane::Sheet, Pane::Inspector])),
        // Odds take seconds without optimization.
        CommandKind::ShowPage => {
            Command::ShowPage(dice.of(&[RightPage::Sheet, RightPage::Sheet, RightPage::Sheet, RightPage::Odds]))
        }
        CommandKind::Odds => Command::Odds(nested::odds(id, state, files, dice)),
        CommandKind::GoTo => Command::GoTo(form_target(state, dice)),
        CommandKind::ClearGoTo => Command::ClearGoTo,
        CommandKind::ToggleLibrary => Command::ToggleLibrary,
        CommandKind::SetTheme => Command::SetTheme(dice.of(&[Theme::System, Theme::Light, Theme::Dark])),
        CommandKind::DimPaper => Command::DimPaper(dice.one_in(2)),
        CommandKind::StepScale => Command::StepScale { larger: dice.one_in(2) },
        CommandKind::ResetScale => Command::ResetScale,
        CommandKind::SetLanguage => Command::SetLanguage(dice.of(&[None, Some("de"), Some("xx")]).map(str::to_owned)),
        CommandKind::Preview => Command::Preview(nested::preview(dice)),
        CommandKind::OpenDialog => Command::OpenDialog(dialog(id, files, dice)),
        CommandKind::Notify => {
            Command::Notify(if dice.one_in(2) { Notice::info(text(dice)) } else { Notice::error(text(dice)) })
        }
        CommandKind::CopyReport => Command::CopyReport,
        CommandKind::DismissNotice => Command::DismissNotice(dice.roll(3)),
        CommandKind::CloseAnyway | CommandKind::OpenText | CommandKind::CloseDialog => Command::CloseDialog,
        CommandKind::RereadFiles
        | CommandKind::SystemCosts
        | CommandKind::SetViewport
        | CommandKind::PreviewRendered => return None,
    })
}

fn any_doc(state: &EditorState, dice: &mut Dice) -> DocId {
    dice.pick(&state.docs).map_or(DocId(dice.roll(40) as u64), |doc| doc.id)
}

fn dialog(id: DocId, files: &Files, dice: &mut Dice) -> Dialog {
    match dice.of(DialogKind::ALL) {
        DialogKind::Keys => Dialog::Keys,
        DialogKind::About => Dialog::About,
        DialogKind::Reference => Dialog::Reference,
        DialogKind::SaveAs => Dialog::SaveAs { path: dice.path(&files.scratch).display().to_string() },
        DialogKind::ConfirmClose => Dialog::ConfirmClose(id),
        DialogKind::Calibrate => Dialog::Calibrate,
        DialogKind::MoveTo => Dialog::MoveTo,
        DialogKind::Glossary => Dialog::Glossary { query: text(dice), first: "structure".to_owned() },
        DialogKind::RecoverDrafts => Dialog::RecoverDrafts,
        DialogKind::Settings => Dialog::Settings,
        DialogKind::ChangedOnDisk => Dialog::ChangedOnDisk(id),
        DialogKind::ConfirmQuit => Dialog::ConfirmQuit,
        // Opened by other commands, which know what they ask for.
        DialogKind::ConfirmReplace
        | DialogKind::Print
        | DialogKind::FileChooser
        | DialogKind::FixAll
        | DialogKind::Palette
        | DialogKind::ChooseDesigns
        | DialogKind::NameVariant
        | DialogKind::Tokens
        | DialogKind::OddsFile
        | DialogKind::Share
        | DialogKind::Bundle
        | DialogKind::ImportList
        | DialogKind::NewLayer
        | DialogKind::RuleReason
        | DialogKind::NewRule
        | DialogKind::AddRule => Dialog::ConfirmQuit,
    }
}

fn explain_target(state: &EditorState, dice: &mut Dice) -> ExplainTarget {
    let evaluation = state.current_doc().and_then(|doc| doc.evaluation());
    let value =
        evaluation.and_then(|one| dice.pick(&one.values)).map_or_else(|| text(dice).into(), |one| one.id.clone());
    match dice.roll(9) {
        0 => ExplainTarget::Value(value),
        1 => ExplainTarget::Limit(value),
        2 => ExplainTarget::Field(field(state, dice).into()),
        3 => ExplainTarget::Attribute { fit: dice.roll(12) as u32, id: parameter(state, dice).into() },
        4 => ExplainTarget::Cost(dice.roll(12)),
        5 => ExplainTarget::Costs,
        6 => ExplainTarget::Setting(text(dice).into()),
        7 => {
            let tables = evaluation.map_or(&[][..], |one| &one.tables);
            let table = dice.pick(tables);
            let column = table.and_then(|table| dice.pick(&table.columns));
            let column = column.map_or_else(|| text(dice).into(), |column| column.id.clone());
            let table = table.map_or_else(|| text(dice).into(), |table| table.id.clone());
            ExplainTarget::Cell { table, row: dice.roll(12) as u32, column }
        }
        _ => ExplainTarget::Code("missing-name".into()),
    }
}

fn system_picker(state: &EditorState, dice: &mut Dice) -> SystemPicker {
    SystemPicker { mount: mount(state, dice), query: text(dice), highlighted: dice.roll(60), ..SystemPicker::default() }
}

fn form_target(state: &EditorState, dice: &mut Dice) -> FormTarget {
    match dice.roll(6) {
        0 => FormTarget::TopKey("name"),
        1 => FormTarget::Field(field(state, dice)),
        2 => FormTarget::Fit(dice.roll(12) as u32),
        3 => FormTarget::Mount(mount(state, dice).unwrap_or_default()),
        4 => FormTarget::Ship { ship: dice.roll(6) as u32, key: dice.of(&["name", "design", "captain"]) },
        _ => FormTarget::Group(dice.roll(3) as u32),
    }
}

fn ruleset(state: &EditorState) -> Option<&moldloft::ruleset::Ruleset> {
    state.current_doc()?.evaluation().map(|evaluation| &*evaluation.ruleset)
}

fn field(state: &EditorState, dice: &mut Dice) -> String {
    let known = ruleset(state).and_then(|ruleset| dice.pick(&ruleset.fields)).map(|field| field.id.to_string());
    known.filter(|_| !dice.one_in(20)).unwrap_or_else(|| text(dice))
}

fn system(state: &EditorState, dice: &mut Dice) -> String {
    let known = ruleset(state).and_then(|ruleset| dice.pick(&ruleset.systems)).map(|system| system.id.to_string());
    known.filter(|_| !dice.one_in(20)).unwrap_or_else(|| text(dice))
}

fn mount(state: &EditorState, dice: &mut Dice) -> Option<String> {
    let known = ruleset(state).and_then(|ruleset| dice.pick(&ruleset.mounts)).map(|mount| mount.id.to_string());
    known.filter(|_| !dice.one_in(20))
}

/// A key that fits of the current design have, or might have.
fn parameter(state: &EditorState, dice: &mut Dice) -> String {
    let fits = state.current_doc().and_then(|doc| doc.as_design()).map(|open| &open.design.fits);
    let fit = fits.and_then(|fits| dice.pick(fits));
    let known = fit.and_then(|fit| dice.pick(&fit.parameters)).map(|entry| entry.key.to_string());
    known.unwrap_or_else(|| dice.of(&["count", "system", "mount", "feeds", "odd key"]).to_owned())
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
    let text = dice.of(&TEXTS);
    if dice.one_in(30) { text.repeat(200) } else { text.to_owned() }
}
