//! Commands at random, made from what is before the player: of every kind there is, sensible ones mostly.

use std::path::PathBuf;

use moldloft::design::fleet::Fleet;
use moldloft::design::{Damage, Seat};
use moldloft::editor::browse::Browsing;
use moldloft::editor::chooser::Filing;
use moldloft::editor::fleet::Mustering;
use moldloft::editor::fleet::choosing::For;
use moldloft::editor::inspect::{Against, Inspecting};
use moldloft::editor::mending::Mend;
use moldloft::editor::preview::{Change, View, Zoom};
use moldloft::editor::printing::{Ask, Print, Stage};
use moldloft::editor::rules::Ruling;
use moldloft::editor::trading::Trading;
use moldloft::editor::{
    Command, Dialog, DocId, Edit, Inspector, Notice, Palette, Pane, Pick, Picked, Place, State, Step, Tab, Theme,
};
use moldloft::editor::{Discarding, Keeping};
use moldloft::evaluate::{Asked, marks, mend};
use moldloft::press::What;
use moldloft::sheet::Paper;
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

/// What a command is. **A new command, or a new one of those within, belongs here and into [`roll`]**: there is no arm for the rest.
pub fn kind(command: &Command) -> &'static str {
    match command {
        Command::Show(_) => "show",
        Command::NextTab { .. } => "next tab",
        Command::Close(_) => "close",
        Command::CloseAnyway(_) => "close anyway",
        Command::Quit => "quit",
        Command::QuitAnyway => "quit anyway",
        Command::Open(_) => "open",
        Command::OpenBuiltIn(_) => "open built-in",
        Command::OpenText { .. } => "open text",
        Command::Save => "save",
        Command::SaveAs => "save as",
        Command::SaveTo(_) => "save to",
        Command::SaveAll => "save all",
        Command::Pick(_) => "pick",
        Command::Chosen { .. } => "chosen",
        Command::View(_) => "view",
        Command::Browse(_) => "browse",
        Command::Explain(_) => "explain",
        Command::Inspecting(_) => "inspecting",
        Command::Rules(_) => "rules",
        Command::Edit(_) => "edit",
        Command::Undo => "undo",
        Command::Redo => "redo",
        Command::Seal => "seal",
        Command::Select(_) => "select",
        Command::Fleet(_) => "fleet",
        Command::Trade(_) => "trade",
        Command::Keep(_) => "keep",
        Command::Files(_) => "files",
        Command::Mend(_) => "mend",
        Command::ChooseMount(_) => "choose mount",
        Command::Copy => "copy",
        Command::Cut => "cut",
        Command::Paste(_) => "paste",
        Command::AskPaste => "ask paste",
        Command::Palette(_) => "palette",
        Command::Prices(_) => "prices",
        Command::Print(_) => "print",
        Command::Inspect(_) => "inspect",
        Command::Pane(_) => "pane",
        Command::GoTo(_) => "go to",
        Command::Arrived => "arrived",
        Command::ToggleLibrary => "toggle library",
        Command::SetTheme(_) => "theme",
        Command::Scale { .. } => "scale",
        Command::PlainScale => "plain scale",
        Command::Sheet(_) => "sheet",
        Command::Look(_) => "look",
        Command::Drawn(_) => "drawn",
        Command::Ask(_) => "ask",
        Command::Dismiss => "dismiss",
        Command::Notice(_) => "notice",
        Command::DismissNotice(_) => "dismiss notice",
    }
}

/// Every kind that [`roll`] gives.
pub const KINDS: [&str; 50] = [
    "mend",
    "pane",
    "choose mount",
    "files",
    "trade",
    "fleet",
    "explain",
    "inspecting",
    "rules",
    "show",
    "next tab",
    "close",
    "close anyway",
    "quit",
    "quit anyway",
    "open",
    "open built-in",
    "open text",
    "save",
    "save as",
    "save to",
    "save all",
    "pick",
    "chosen",
    "view",
    "browse",
    "edit",
    "undo",
    "redo",
    "seal",
    "select",
    "copy",
    "cut",
    "paste",
    "ask paste",
    "palette",
    "keep",
    "print",
    "inspect",
    "go to",
    "arrived",
    "toggle library",
    "theme",
    "scale",
    "plain scale",
    "sheet",
    "ask",
    "dismiss",
    "notice",
    "dismiss notice",
];

/// Files that may be opened and written.
pub struct Files {
    pub designs: Vec<PathBuf>,
    pub built_in: Vec<PathBuf>,
    pub scratch: Vec<PathBuf>,
}

/// A command, now.
pub fn roll(state: &State, files: &Files, dice: &mut Dice) -> Command {
    // Most of what a player does is editing.
    match dice.roll(100) {
        0..60 => return Command::Edit(edit(state, dice)),
        60..70 => return Command::Undo,
        70..76 => return Command::Redo,
        _ => {}
    }
    let id = any_doc(state, dice);
    match KINDS[dice.roll(KINDS.len())] {
        "show" => Command::Show(if dice.one_in(6) { Tab::Start } else { Tab::Doc(id) }),
        "next tab" => Command::NextTab { back: dice.one_in(2) },
        "close" => Command::Close(id),
        // Most designs stay open.
        "close anyway" if dice.one_in(8) => Command::CloseAnyway(id),
        "quit" => Command::Quit,
        "quit anyway" => Command::QuitAnyway,
        "open" => Command::Open(dice.of(&files.designs).cloned().unwrap_or_default()),
        "open built-in" => Command::OpenBuiltIn(dice.of(&files.built_in).cloned().unwrap_or_default()),
        "open text" if dice.one_in(6) => Command::OpenText { text: text(dice).into() },
        "save" => Command::Save,
        "save as" => Command::SaveAs,
        "save to" => Command::SaveTo(dice.of(&files.scratch).cloned().unwrap_or_default()),
        "save all" => Command::SaveAll,
        "pick" => Command::Pick(pick(dice)),
        "chosen" => {
            Command::Chosen { paths: dice.of(&files.scratch).cloned().into_iter().collect(), then: picked(dice) }
        }
        "view" => Command::View(dice.of(&files.designs).cloned().unwrap_or_default()),
        "browse" => Command::Browse(browsing(state, files, dice)),
        "seal" => Command::Seal,
        "select" => Command::Select((0..dice.roll(4)).map(|_| dice.roll(12) as u32).collect()),
        "keep" => Command::Keep(keeping(id, state, files, dice)),
        "files" => Command::Files(filing(files, dice)),
        "mend" => Command::Mend(mending(state, dice)),
        "fleet" => Command::Fleet(mustering(state, dice)),
        "trade" => Command::Trade(trading(id, state, dice)),
        "choose mount" => Command::ChooseMount(mount(state, dice).unwrap_or_else(|| text(dice)).into()),
        "copy" => Command::Copy,
        "cut" => Command::Cut,
        "paste" => Command::Paste(copied(state, dice)),
        "ask paste" => Command::AskPaste,
        "palette" => Command::Palette(dice.one_in(2).then(|| palette(state, dice))),
        "print" => Command::Print(printing(state, files, dice)),
        "explain" => Command::Explain(asked(state, dice)),
        "inspecting" => Command::Inspecting(inspecting(id, files, dice)),
        "rules" => Command::Rules(ruling(dice)),
        "inspect" => {
            let all = [Inspector::Findings, Inspector::Explain, Inspector::Compare, Inspector::Rules, Inspector::Ship];
            Command::Inspect(all[dice.roll(all.len())])
        }
        "pane" => Command::Pane([Pane::Form, Pane::Sheet, Pane::Known][dice.roll(3)]),
        "go to" => Command::GoTo(place(state, dice)),
        "arrived" => Command::Arrived,
        "toggle library" => Command::ToggleLibrary,
        "theme" => Command::SetTheme([Theme::System, Theme::Light, Theme::Dark][dice.roll(3)]),
        "scale" => Command::Scale { larger: dice.one_in(2) },
        "plain scale" => Command::PlainScale,
        "sheet" => Command::Sheet(sheet(dice)),
        "ask" => Command::Ask(dialog(id, files, dice)),
        "notice" => Command::Notice(if dice.one_in(2) { Notice::info(text(dice)) } else { Notice::error(text(dice)) }),
        "dismiss notice" => Command::DismissNotice(dice.roll(3)),
        _ => Command::Dismiss,
    }
}

fn any_doc(state: &State, dice: &mut Dice) -> DocId {
    dice.of(&state.docs).map_or(DocId(dice.roll(40) as u64), |doc| doc.id)
}

fn dialog(id: DocId, files: &Files, dice: &mut Dice) -> Dialog {
    let path = dice.of(&files.scratch).map(|path| path.display().to_string()).unwrap_or_default();
    let dialog = match dice.roll(10) {
        0 => Dialog::Keys,
        1 => Dialog::About,
        2 => Dialog::SaveAs { path },
        3 => Dialog::CloseChanged(id),
        4 => Dialog::Calibrate,
        5 => Dialog::MoveTo,
        6 => Dialog::Recover,
        8 => Dialog::Settings,
        7 => Dialog::OnDisk(id),
        _ => Dialog::QuitChanged,
    };
    // A new dialog belongs above.
    match dialog {
        Dialog::Keys
        | Dialog::About
        | Dialog::SaveAs { .. }
        | Dialog::CloseChanged(_)
        | Dialog::QuitChanged
        | Dialog::Calibrate
        | Dialog::Recover
        | Dialog::Settings
        | Dialog::OnDisk(_)
        | Dialog::MoveTo => dialog,
        // Saving opens it.
        Dialog::Replace { .. } => dialog,
        // The command `print` opens it.
        Dialog::Print(_) => dialog,
        // The commands `files` and `mend` open them.
        Dialog::Files(_) | Dialog::Mend(_) => dialog,
        // The commands of a fleet open them.
        Dialog::Choose(_) | Dialog::Variant { .. } | Dialog::Tokens(_) | Dialog::ImportList { .. } => dialog,
    }
}

fn mending(state: &State, dice: &mut Dice) -> Mend {
    let made = match (dice.roll(3), &state.dialog) {
        (0, _) => Mend::Begin,
        (1, Some(Dialog::Mend(open))) => {
            Mend::Tick(dice.of(&open.lines).map_or_else(String::new, |line| line.sentence.clone()))
        }
        _ => Mend::Take,
    };
    match made {
        Mend::Begin | Mend::Tick(_) | Mend::Take => made,
    }
}

fn filing(files: &Files, dice: &mut Dice) -> Filing {
    let path = dice.of(&files.scratch).cloned().unwrap_or_default();
    let made = match dice.roll(4) {
        0 => Filing::Begin(Box::new(pick(dice))),
        1 => Filing::Into(path.parent().map(Into::into).unwrap_or_default()),
        2 => Filing::Typed(text(dice)),
        _ => Filing::Take(path),
    };
    match made {
        Filing::Begin(_) | Filing::Into(_) | Filing::Typed(_) | Filing::Take(_) => made,
    }
}

fn pick(dice: &mut Dice) -> Pick {
    use moldloft::editor::PickKind;
    let kind = [PickKind::Open, PickKind::Save, PickKind::Folder][dice.roll(3)];
    Pick { title: text(dice), kind, folder: None, name: None, endings: Vec::new(), then: picked(dice) }
}

fn sheet(dice: &mut Dice) -> Change {
    let made = match dice.roll(8) {
        0 => Change::View(View::ALL[dice.roll(4)]),
        1 => Change::Paper(Paper::ALL[dice.roll(2)]),
        2 => Change::Grey(dice.one_in(2)),
        3 => Change::LargePrint(dice.one_in(2)),
        4 => Change::Sheet { ruleset: text(dice), sheet: dice.one_in(2).then(|| text(dice)) },
        5 => Change::Zoom([Zoom::FitWidth, Zoom::FitPage, Zoom::Percent(f32::NAN), Zoom::Percent(90.0)][dice.roll(4)]),
        6 => Change::Calibration(dice.roll(3000) as u32),
        _ => Change::Step { larger: dice.one_in(2) },
    };
    match made {
        Change::View(_) | Change::Paper(_) | Change::Grey(_) | Change::LargePrint(_) | Change::Sheet { .. } => made,
        Change::Zoom(_) | Change::Step { .. } | Change::Calibration(_) => made,
    }
}

fn picked(dice: &mut Dice) -> Picked {
    let picked = [Picked::Open, Picked::Compare, Picked::IntoDialog, Picked::Form][dice.roll(4)];
    match picked {
        Picked::Open | Picked::Compare | Picked::IntoDialog | Picked::Form => picked,
        // Another workspace would take the designs away that are opened here.
        Picked::Workspace => picked,
    }
}

fn browsing(state: &State, files: &Files, dice: &mut Dice) -> Browsing {
    let game =
        state.browse.catalogue.games.get(dice.roll(state.browse.catalogue.games.len() + 1)).map(|game| game.id.clone());
    let made = match dice.roll(11) {
        8 => Browsing::New,
        9 => Browsing::Named,
        0 => Browsing::Look,
        1 => Browsing::Narrow(text(dice)),
        2 => Browsing::Game(game),
        3 => Browsing::Name(text(dice)),
        4 => Browsing::Pictures(dice.one_in(2)),
        5 => Browsing::Fold(text(dice)),
        6 => Browsing::Find,
        7 => Browsing::Forget(dice.of(&files.designs).cloned().unwrap_or_default()),
        _ => match game.filter(|_| state.docs.len() < 12) {
            Some(game) => Browsing::Begin { game, basis: state.browse.catalogue.entries().next().cloned() },
            None => Browsing::Found,
        },
    };
    match made {
        Browsing::Look
        | Browsing::Narrow(_)
        | Browsing::Game(_)
        | Browsing::New
        | Browsing::Named
        | Browsing::Name(_)
        | Browsing::Pictures(_)
        | Browsing::Fold(_) => made,
        Browsing::Find | Browsing::Renew | Browsing::Found | Browsing::Forget(_) | Browsing::Begin { .. } => made,
        // Given by jobs, or by panels while a frame is drawn.
        Browsing::Looked { .. } | Browsing::Draw { .. } | Browsing::Drawn { .. } | Browsing::Filter(_) => made,
        Browsing::Workspace(_) => made,
    }
}

fn asked(state: &State, dice: &mut Dice) -> Asked {
    let evaluation = state.doc().and_then(|doc| doc.evaluation());
    let value = evaluation.and_then(|one| dice.of(&one.values)).map_or_else(|| text(dice).into(), |one| one.id.clone());
    match dice.roll(8) {
        0 => Asked::Value(value),
        1 => Asked::Limit(value),
        2 => Asked::Field(field(state, dice).into()),
        3 => Asked::Attribute { fit: dice.roll(12) as u32, id: parameter(state, dice).into() },
        4 => Asked::Cost(dice.roll(12)),
        5 => Asked::Costs,
        6 => Asked::Setting(text(dice).into()),
        _ => Asked::Code("missing-name".into()),
    }
}

fn inspecting(id: DocId, files: &Files, dice: &mut Dice) -> Inspecting {
    let made = match dice.roll(9) {
        0 => Inspecting::Finding(dice.roll(6)),
        1 => Inspecting::NextFinding { back: dice.one_in(2) },
        2 => Inspecting::Back,
        3 => Inspecting::Forward,
        4 => Inspecting::List,
        5 => Inspecting::Fold(text(dice)),
        6 => Inspecting::Against(match dice.roll(4) {
            0 => Against::Saved,
            1 => Against::Doc(id),
            2 => Against::BuiltIn(dice.of(&files.built_in).cloned().unwrap_or_default()),
            _ => Against::File(dice.of(&files.designs).cloned().unwrap_or_default()),
        }),
        7 => Inspecting::ChooseFile,
        _ => Inspecting::OnlyDifferences(dice.one_in(2)),
    };
    match made {
        Inspecting::Finding(_) | Inspecting::NextFinding { .. } | Inspecting::Back | Inspecting::Forward => made,
        Inspecting::List | Inspecting::Fold(_) | Inspecting::Against(_) | Inspecting::ChooseFile => made,
        Inspecting::OnlyDifferences(_) => made,
    }
}

fn ruling(dice: &mut Dice) -> Ruling {
    let id = ["woh-lasers", "sky-plasma", "star-navy", "nowhere"][dice.roll(4)].to_owned();
    let made = match dice.roll(30) {
        0 => Ruling::Check(id),
        1..20 => Ruling::Try(None),
        _ => Ruling::Try(Some(id)),
    };
    match made {
        Ruling::Check(_) | Ruling::Try(_) => made,
        // Writes into the workspace, once.
        Ruling::CopyRules(_) | Ruling::CopyTemplates(_) => made,
        // Given by jobs.
        Ruling::Looked { .. } => made,
    }
}

fn printing(state: &State, files: &Files, dice: &mut Dice) -> Print {
    let made = match dice.roll(6) {
        0 => Print::Open([None, Some(What::Counters), Some(What::Reference)][dice.roll(3)]),
        1 => Print::Start,
        2 => Print::Replace,
        3 => Print::Back,
        _ => {
            let mut options = state.settings.print.clone();
            options.what =
                [What::Sheets, What::SheetsAndCounters, What::Counters, What::Reference, What::Blank][dice.roll(5)];
            options.format = ["pdf", "svg", "png", "doc"][dice.roll(4)].into();
            (options.dpi, options.copies) = (dice.roll(60) as u32, dice.roll(3) as u32);
            options.chit = dice.one_in(2).then(|| dice.roll(40) as u32);
            let path = dice
                .of(&files.scratch)
                .map(|path| path.with_extension("pdf").display().to_string())
                .unwrap_or_default();
            Print::Change(Box::new(Ask {
                options,
                all: dice.one_in(3),
                path,
                named: true,
                printers: Default::default(),
                stage: Stage::Asking,
            }))
        }
    };
    match made {
        Print::Open(_) | Print::Change(_) | Print::Start | Print::Replace | Print::Back => made,
        // Given by jobs.
        Print::Made(..) | Print::Written(..) => made,
    }
}

fn keeping(id: DocId, state: &State, files: &Files, dice: &mut Dice) -> Keeping {
    let doubt = || [Discarding::One(0), Discarding::All][id.0 as usize % 2];
    let made = match dice.roll(14) {
        0 => Keeping::Draft,
        1 => Keeping::Offer,
        2 => Keeping::Restore(dice.roll(3)),
        3 => Keeping::RestoreAll,
        4 => Keeping::Doubt(dice.one_in(2).then(doubt)),
        5 => Keeping::Discard(doubt()),
        6 => Keeping::Touched(files.designs.clone()),
        7 => Keeping::Look,
        8 => Keeping::TakeTheirs(id),
        9 => Keeping::KeepMine(id),
        10 => Keeping::SaveCopy(id),
        11 if dice.one_in(8) => Keeping::SaveAndClose(id),
        12 => Keeping::SaveAndLeave,
        _ => Keeping::Text(state.doc().map(|doc| doc.text().to_string()).unwrap_or_default() + &text(dice)),
    };
    match made {
        Keeping::Draft | Keeping::Offer | Keeping::Restore(_) | Keeping::RestoreAll | Keeping::Doubt(_) => made,
        Keeping::Discard(_) | Keeping::Touched(_) | Keeping::Look | Keeping::TakeTheirs(_) => made,
        Keeping::KeepMine(_) | Keeping::SaveCopy(_) | Keeping::SaveAndClose(_) | Keeping::SaveAndLeave => made,
        Keeping::Text(_) => made,
        // Once, at the start.
        Keeping::Start | Keeping::Watch => made,
        // The dialog that saving opens gives it.
        Keeping::Replace { .. } => made,
    }
}

fn palette(state: &State, dice: &mut Dice) -> Palette {
    Palette { mount: mount(state, dice), search: text(dice), line: dice.roll(60) }
}

fn place(state: &State, dice: &mut Dice) -> Place {
    match dice.roll(6) {
        4 => Place::Ship { ship: dice.roll(6) as u32, key: ["name", "design", "captain"][dice.roll(3)] },
        5 => Place::Group(dice.roll(3) as u32),
        0 => Place::Top("name"),
        1 => Place::Field(field(state, dice)),
        2 => Place::Fit(dice.roll(12) as u32),
        _ => Place::Mount(mount(state, dice).unwrap_or_default()),
    }
}

fn ruleset(state: &State) -> Option<&moldloft::ruleset::Ruleset> {
    state.doc()?.evaluation().map(|evaluation| &*evaluation.ruleset)
}

fn field(state: &State, dice: &mut Dice) -> String {
    let known = ruleset(state).and_then(|ruleset| dice.of(&ruleset.fields)).map(|field| field.id.to_string());
    known.filter(|_| !dice.one_in(20)).unwrap_or_else(|| text(dice))
}

fn system(state: &State, dice: &mut Dice) -> String {
    let known = ruleset(state).and_then(|ruleset| dice.of(&ruleset.systems)).map(|system| system.id.to_string());
    known.filter(|_| !dice.one_in(20)).unwrap_or_else(|| text(dice))
}

fn mount(state: &State, dice: &mut Dice) -> Option<String> {
    let known = ruleset(state).and_then(|ruleset| dice.of(&ruleset.mounts)).map(|mount| mount.id.to_string());
    known.filter(|_| !dice.one_in(20))
}

/// A key that fits of this design have, or might.
fn parameter(state: &State, dice: &mut Dice) -> String {
    let fits = state.doc().and_then(|doc| doc.judged()).map(|judged| &judged.design.fits);
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

fn choice(state: &State, dice: &mut Dice) -> Value {
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
pub fn edit(state: &State, dice: &mut Dice) -> Edit {
    let steps = 1 + if dice.one_in(6) { dice.roll(4) } else { 0 };
    let edit = Edit::all("try something", (0..steps).map(|_| step(state, dice)).collect());
    if dice.one_in(4) { edit.merging(["name", "count"][dice.roll(2)]) } else { edit }
}

fn step(state: &State, dice: &mut Dice) -> Step {
    let (fits, rows) = match state.doc().and_then(|doc| doc.judged()) {
        Some(judged) => (judged.document.fits(), 4),
        None => (2, 2),
    };
    // One behind the last now and then.
    let fit = dice.roll(fits + 1);
    let row = dice.roll(rows + 1);
    let small = |dice: &mut Dice| Value::from(dice.roll(9) as i64);
    if let Some(fleet) = state.doc().and_then(|doc| doc.fleet()).filter(|_| !dice.one_in(6)) {
        return ship_step(fleet.fleet(), dice);
    }
    let made = match dice.roll(27) {
        0 => Step::SetTop { key: ["name", "notes", "name", "ruleset"][dice.roll(4)].into(), value: text(dice).into() },
        1 => Step::RemoveTop { key: ["name", "notes"][dice.roll(2)].into() },
        2 | 3 => Step::SetField { field: field(state, dice), value: choice(state, dice) },
        4 => Step::SetField { field: field(state, dice), value: value(dice) },
        5 => Step::RemoveField { field: field(state, dice) },
        6 => Step::SetCell { field: field(state, dice), row, column: text(dice), value: value(dice) },
        7 => Step::RemoveCell { field: field(state, dice), row, column: text(dice) },
        8 => Step::AddRow { field: field(state, dice), at: row, cells: vec![("a".into(), value(dice))] },
        9 => Step::RemoveRow { field: field(state, dice), row },
        10 => Step::MoveRow { field: field(state, dice), from: row, to: dice.roll(rows + 1) },
        11 | 12 => Step::SetFit { fit, key: "count".into(), value: small(dice) },
        13 => Step::SetFit { fit, key: "mount".into(), value: mount(state, dice).unwrap_or_default().into() },
        14 => Step::SetFit { fit, key: parameter(state, dice), value: value(dice) },
        15 => Step::RemoveFitKey { fit, key: parameter(state, dice) },
        16 | 17 => {
            let parameters = if dice.one_in(3) { vec![(parameter(state, dice), value(dice))] } else { Vec::new() };
            let (system, mount) = (system(state, dice), mount(state, dice));
            Step::AddFit { at: fit, system, mount, count: dice.roll(12) as u32, parameters }
        }
        18 | 19 => Step::RemoveFit { fit },
        20 => Step::MoveFit { from: fit, to: dice.roll(fits + 1) },
        21 => Step::Paste { text: copied(state, dice), at: fit },
        22 => {
            Step::AddSystem { id: ["own", "other"][dice.roll(2)].into(), like: system(state, dice), keys: Vec::new() }
        }
        23 => Step::SetSystem {
            system: dice.roll(3),
            key: ["name", "mass", "like"][dice.roll(3)].into(),
            value: value(dice),
        },
        24 => Step::RemoveSystemKey { system: dice.roll(3), key: ["name", "mass", "like"][dice.roll(3)].into() },
        25 => {
            let evaluation = state.doc().and_then(|doc| doc.evaluation());
            let found = evaluation.and_then(|one| mend(one, dice.roll(one.findings.len())));
            Step::Mend(found.map(|mend| mend.steps).unwrap_or_default())
        }
        _ => Step::RemoveSystem { system: dice.roll(3) },
    };
    // A new step belongs above.
    match made {
        Step::SetTop { .. } | Step::RemoveTop { .. } | Step::SetField { .. } | Step::RemoveField { .. } => made,
        Step::SetCell { .. } | Step::RemoveCell { .. } | Step::AddRow { .. } | Step::RemoveRow { .. } => made,
        Step::MoveRow { .. } | Step::SetFit { .. } | Step::RemoveFitKey { .. } | Step::AddFit { .. } => made,
        Step::RemoveFit { .. } | Step::MoveFit { .. } | Step::Paste { .. } | Step::AddSystem { .. } => made,
        Step::SetSystem { .. } | Step::RemoveSystemKey { .. } | Step::RemoveSystem { .. } => made,
        // Those of a fleet: below.
        Step::SetShip { .. } | Step::RemoveShipKey { .. } | Step::AddShip { .. } | Step::CopyShip { .. } => made,
        Step::RemoveShip { .. } | Step::MoveShip { .. } | Step::PartShip { .. } | Step::SetDamage { .. } => made,
        Step::AddCarried { .. } | Step::SetCarried { .. } | Step::RemoveCarriedKey { .. } => made,
        Step::RemoveCarried { .. } | Step::SetLoad { .. } => made,
        Step::AddGroup { .. } | Step::SetGroup { .. } | Step::RemoveGroup { .. } => made,
        Step::Mend(_) | Step::Embed { .. } => made,
    }
}

/// A step on a fleet's text.
fn ship_step(fleet: &Fleet, dice: &mut Dice) -> Step {
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
        19 => Step::Embed { text: format!("name = \"Own\"\n{}\n", text(dice)).into() },
        0 => Step::SetTop { key: ["name", "side", "player", "notes"][dice.roll(4)].into(), value: text(dice).into() },
        1 => Step::SetTop { key: "budget".into(), value: value(dice) },
        2 => Step::SetShip { ship, key: key(dice), value: value(dice) },
        3 => Step::SetShip { ship, key: "count".into(), value: Value::from(dice.roll(5) as i64) },
        4 => Step::SetShip { ship, key: "design".into(), value: class(dice) },
        5 => Step::RemoveShipKey { ship, key: key(dice) },
        6 => Step::AddShip { at, keys: vec![("design".into(), class(dice)), ("name".into(), text(dice).into())] },
        7 => Step::CopyShip { ship },
        8 => Step::RemoveShip { ship },
        9 => Step::MoveShip { from: ship, to: at },
        10 => {
            let mut damage = Damage::default();
            damage.tick(["structure", "hull", "odd stem"][dice.roll(3)], 1, dice.roll(4) as u32);
            let carried = dice.one_in(3).then(|| (relation(), carried, 1 + dice.roll(2) as u32));
            Step::SetDamage { seat: Seat { ship, copy: 1 + dice.roll(2) as u32, carried }, damage }
        }
        11 => Step::AddGroup { keys: vec![("id".into(), text(dice).into()), ("name".into(), text(dice).into())] },
        13 => Step::PartShip { ship },
        14 => {
            let design = class(dice).as_str().unwrap_or_default().to_owned();
            Step::AddCarried { ship, relation: relation(), design, count: dice.roll(3) as u32 }
        }
        15 => {
            let (key, value) = ("count".into(), Value::from(dice.roll(4) as i64));
            Step::SetCarried { ship, relation: relation(), at: carried, key, value }
        }
        16 => Step::RemoveCarriedKey { ship, relation: relation(), at: carried, key: "count".into() },
        17 => Step::RemoveCarried { ship, relation: relation(), at: carried },
        18 => {
            let (system, mount) = ("missile-magazine".to_owned(), dice.one_in(2).then(|| "core".to_owned()));
            let value = dice.one_in(2).then(|| value(dice));
            Step::SetLoad { ship, system, mount, key: "laser_heads".into(), value }
        }
        12 => Step::SetGroup { group, key: ["id", "name", "kind"][dice.roll(3)].into(), value: value(dice) },
        _ => Step::RemoveGroup { group },
    }
}

fn trading(id: DocId, state: &State, dice: &mut Dice) -> Trading {
    let made = match dice.roll(6) {
        0 => Trading::Share { designs: dice.one_in(2) },
        1 if state.docs.len() < 12 => Trading::Import("game: wars-of-honor\n2 x Petrel".into()),
        2 => Trading::Read { doc: id, form: Ok(Default::default()) },
        3 => Trading::Read { doc: id, form: Err(text(dice)) },
        _ => Trading::AskTokens,
    };
    match made {
        Trading::Share { .. } | Trading::Import(_) | Trading::Read { .. } | Trading::AskTokens => made,
        // Writes into the workspace.
        Trading::Write => made,
    }
}

fn mustering(state: &State, dice: &mut Dice) -> Mustering {
    let fleet = state.doc().and_then(|doc| doc.fleet());
    let ship = dice.roll(6) as u32;
    let stem = || fleet.and_then(|fleet| fleet.shown_unit()).map(|unit| marks(&unit.evaluation).into_keys());
    let stem = stem().and_then(|mut stems| stems.nth(dice.roll(4))).map_or_else(|| text(dice), |stem| stem.to_string());
    let made = match dice.roll(11) {
        0 => Mustering::Beside(ship),
        1 => Mustering::Choose(match dice.roll(4) {
            0 => For::Add,
            1 => For::Class(vec![ship]),
            2 => For::Refit(text(dice)),
            _ => For::Carried { ship, relation: "tow".into(), label: "tow".into() },
        }),
        2 => match &state.dialog {
            Some(Dialog::Choose(choosing)) => {
                let mut new = choosing.clone();
                let known = new.candidates.clone().unwrap_or_default();
                let word = dice.of(&known).map_or_else(|| text(dice), |one| one.word.clone());
                new.set(&word, dice.roll(4) as u32);
                Mustering::Chosen(new)
            }
            _ => Mustering::Take,
        },
        3 => Mustering::Take,
        4 | 5 => Mustering::Mark { stem, number: dice.roll(9) as u32 },
        6 => Mustering::Hits { stem, boxes: ["", "1-3", "x", "7-2"][dice.roll(4)].to_owned() },
        7 => Mustering::ClearDamage,
        8 => Mustering::EditClass,
        9 => Mustering::AskVariant,
        _ if state.docs.len() < 12 => Mustering::Begin("wars-of-honor".into()),
        _ => Mustering::Take,
    };
    match made {
        Mustering::Begin(_) | Mustering::Beside(_) | Mustering::Choose(_) | Mustering::Chosen(_) => made,
        Mustering::Take | Mustering::Mark { .. } | Mustering::Hits { .. } | Mustering::ClearDamage => made,
        Mustering::EditClass | Mustering::AskVariant => made,
        // Writes into the workspace.
        Mustering::SaveVariant { .. } => made,
    }
}

/// Fits copied from any open design; now and then something else that was on the clipboard.
fn copied(state: &State, dice: &mut Dice) -> String {
    let doc = dice.of(&state.docs).and_then(|doc| doc.judged()).filter(|_| !dice.one_in(8));
    let Some(judged) = doc else { return text(dice) };
    let fits: Vec<usize> = (0..judged.document.fits().min(30)).filter(|_| dice.one_in(4)).collect();
    judged.document.fits_text(&fits)
}
