//! Random commands of the features: each takes its kinds from the declaration of the command, so that a new one does
//! not compile without a case here.

use moldloft::editor::bundles::model::{BundleCommand, BundleCommandKind};
use moldloft::editor::compare_page::model::{CompareCommand, CompareCommandKind, CompareTarget};
use moldloft::editor::file_chooser::model::{
    FileChooserCommand, FileChooserCommandKind, FilePick, FilePickKind, PickPurpose, PickPurposeKind,
};
use moldloft::editor::fix_all::model::{FixAllCommand, FixAllCommandKind};
use moldloft::editor::fleet::model::{FleetCommand, FleetCommandKind};
use moldloft::editor::fleet_exchange::model::{ExchangeCommand, ExchangeCommandKind};
use moldloft::editor::guide::model::{GuideCommand, GuideCommandKind};
use moldloft::editor::inspector::model::{InspectorCommand, InspectorCommandKind};
use moldloft::editor::library_browser::model::{LibraryCommand, LibraryCommandKind};
use moldloft::editor::model::design_chooser::DesignChooserPurpose;
use moldloft::editor::model::persistence::{DiscardTarget, PersistenceCommand, PersistenceCommandKind};
use moldloft::editor::model::rules::{RulesCommand, RulesCommandKind};
use moldloft::editor::model::settings::DesignOrder;
use moldloft::editor::odds_page::model::{OddsCommand, OddsCommandKind, OddsSelection, OddsViewport, Opponent};
use moldloft::editor::palette;
use moldloft::editor::palette::model::{EntryKind, PaletteCommand, PaletteCommandKind, PaletteDialog};
use moldloft::editor::preview::{PreviewChange, PreviewChangeKind, PreviewMode, Zoom};
use moldloft::editor::print_room::model::PagesInSight;
use moldloft::editor::printing::model::{CalibrationForm, PrintCommand, PrintCommandKind, PrintDialog, PrintStage};
use moldloft::editor::printing::presets::PrintPreset;
use moldloft::editor::suggest::goals::{GoalLine, Relation};
use moldloft::editor::suggest::model::{QuestionDraft, SuggestCommand, SuggestCommandKind};
use moldloft::editor::{Dialog, DocId, EditorState};
use moldloft::evaluate::{ComparedPart, tick_marks};
use moldloft::print::PrintKind;
use moldloft::sheet::Paper;
use moldloft::store::FileRef;
use moldloft::suggest::Request;

use super::{Dice, Files, text};

/// More open documents would make the test slow.
const MAX_DOCS: usize = 12;

pub fn palette(state: &EditorState, dice: &mut Dice) -> PaletteCommand {
    match dice.of(PaletteCommandKind::ALL) {
        PaletteCommandKind::Open => PaletteCommand::Open,
        PaletteCommandKind::Update => {
            let query = dice.of(&["", "beta", "4 beta", "impeller", "zzz", "12"]).to_owned();
            PaletteCommand::Update(PaletteDialog { query, highlighted: dice.roll(70) })
        }
        PaletteCommandKind::Choose => {
            // Other commands are tried by themselves; some of them quit.
            let entries = palette::find_entries(state, "");
            let harmless: Vec<String> =
                entries.into_iter().filter(|entry| entry.kind > EntryKind::Command).map(|entry| entry.key).collect();
            PaletteCommand::Choose(dice.pick(&harmless).cloned().unwrap_or_default())
        }
        PaletteCommandKind::GoToAdded => PaletteCommand::GoToAdded,
        PaletteCommandKind::ShowTerm => PaletteCommand::ShowTerm(text(dice)),
    }
}

pub fn fix_all(state: &EditorState, dice: &mut Dice) -> FixAllCommand {
    match (dice.of(FixAllCommandKind::ALL), &state.dialog) {
        (FixAllCommandKind::Open, _) => FixAllCommand::Open,
        (FixAllCommandKind::Toggle, Some(Dialog::FixAll(open))) => {
            FixAllCommand::Toggle(dice.pick(&open.lines).map_or_else(String::new, |line| line.description.clone()))
        }
        (FixAllCommandKind::Toggle | FixAllCommandKind::Apply, _) => FixAllCommand::Apply,
    }
}

pub fn suggest(state: &EditorState, dice: &mut Dice) -> SuggestCommand {
    let view = state.current_doc().and_then(|doc| state.suggestions.view(doc.id));
    let term = view.and_then(|view| dice.pick(&view.terms)).map_or_else(|| text(dice), |term| term.formula.clone());
    let lever = view.and_then(|view| dice.pick(&view.levers)).map_or_else(|| text(dice), |lever| lever.id.to_string());
    let number = dice.roll(2000) as i64 - 100;
    match dice.of(SuggestCommandKind::ALL) {
        SuggestCommandKind::Open => SuggestCommand::Open,
        SuggestCommandKind::SetGoal => SuggestCommand::SetGoal {
            at: dice.roll(20),
            goal: GoalLine { what: term, relation: dice.of(&Relation::ALL), number, hundredths: 0 },
        },
        SuggestCommandKind::RemoveGoal => SuggestCommand::RemoveGoal(dice.roll(3)),
        SuggestCommandKind::Pin => SuggestCommand::Pin { lever, on: dice.one_in(2) },
        SuggestCommandKind::SetDraft => {
            let levers = std::iter::once((lever, (number, number + dice.roll(9) as i64))).collect();
            SuggestCommand::SetDraft(Box::new(QuestionDraft { objective: term, levers, ..QuestionDraft::default() }))
        }
        // Searches of random questions would make the test slow: those of break-points are short.
        SuggestCommandKind::Ask => SuggestCommand::Ask(Request::Breaks(dice.one_in(2).then_some(term))),
        SuggestCommandKind::AskAgain => SuggestCommand::AskAgain,
        SuggestCommandKind::Cancel => SuggestCommand::Cancel,
        SuggestCommandKind::Preview => SuggestCommand::Preview(dice.one_in(2).then(|| dice.roll(9))),
        SuggestCommandKind::Apply => SuggestCommand::Apply(dice.roll(9)),
        // Sent by jobs.
        SuggestCommandKind::Answered | SuggestCommandKind::Leave => SuggestCommand::Leave,
    }
}

pub fn file_chooser(files: &Files, dice: &mut Dice) -> FileChooserCommand {
    let path = dice.path(&files.scratch);
    match dice.of(FileChooserCommandKind::ALL) {
        FileChooserCommandKind::Open => FileChooserCommand::Open(Box::new(file_pick(dice))),
        FileChooserCommandKind::EnterFolder => {
            FileChooserCommand::EnterFolder(path.parent().map(Into::into).unwrap_or_default())
        }
        FileChooserCommandKind::SetInput => FileChooserCommand::SetInput(text(dice)),
        FileChooserCommandKind::Accept => FileChooserCommand::Accept(path),
    }
}

pub fn file_pick(dice: &mut Dice) -> FilePick {
    let kind = dice.of(&[FilePickKind::Open, FilePickKind::Save, FilePickKind::Folder]);
    FilePick { title: text(dice), kind, folder: None, name: None, extensions: Vec::new(), purpose: pick_purpose(dice) }
}

pub fn pick_purpose(dice: &mut Dice) -> PickPurpose {
    match dice.of(PickPurposeKind::ALL) {
        // Another workspace would hide the designs that are opened here.
        PickPurposeKind::Open | PickPurposeKind::Workspace => PickPurpose::Open,
        PickPurposeKind::Compare => PickPurpose::Compare,
        PickPurposeKind::FillDialogPath => PickPurpose::FillDialogPath,
        PickPurposeKind::FilledForm => PickPurpose::FilledForm,
        PickPurposeKind::Picture => PickPurpose::Picture,
    }
}

pub fn preview(dice: &mut Dice) -> PreviewChange {
    match dice.of(PreviewChangeKind::ALL) {
        PreviewChangeKind::View => PreviewChange::View(dice.of(&PreviewMode::ALL)),
        PreviewChangeKind::Paper => PreviewChange::Paper(Paper::ALL[dice.roll(2)]),
        PreviewChangeKind::Grey => PreviewChange::Grey(dice.one_in(2)),
        PreviewChangeKind::LargePrint => PreviewChange::LargePrint(dice.one_in(2)),
        PreviewChangeKind::Sheet => {
            PreviewChange::Sheet { ruleset: text(dice), sheet: dice.one_in(2).then(|| text(dice)) }
        }
        PreviewChangeKind::Zoom => PreviewChange::Zoom(
            [Zoom::FitWidth, Zoom::FitPage, Zoom::Percent(f32::NAN), Zoom::Percent(90.0)][dice.roll(4)],
        ),
        PreviewChangeKind::Step => PreviewChange::Step { larger: dice.one_in(2) },
        PreviewChangeKind::Calibration => PreviewChange::Calibration(dice.roll(3000) as u32),
    }
}

pub fn library(state: &EditorState, files: &Files, dice: &mut Dice) -> LibraryCommand {
    let game = dice.pick(&state.library.catalogue.games).map(|game| game.id.clone()).filter(|_| !dice.one_in(4));
    match dice.of(LibraryCommandKind::ALL) {
        LibraryCommandKind::Scan => LibraryCommand::Scan,
        LibraryCommandKind::SearchPanel => LibraryCommand::SearchPanel(text(dice)),
        LibraryCommandKind::ChooseGame => LibraryCommand::ChooseGame(game),
        LibraryCommandKind::ShowNewDesign => LibraryCommand::ShowNewDesign,
        LibraryCommandKind::NameFocused => LibraryCommand::NameFocused,
        LibraryCommandKind::SetName => LibraryCommand::SetName(text(dice)),
        LibraryCommandKind::ShowThumbnails => LibraryCommand::ShowThumbnails(dice.one_in(2)),
        LibraryCommandKind::SetOrder => {
            LibraryCommand::SetOrder(if dice.one_in(2) { DesignOrder::Kind } else { DesignOrder::Name })
        }
        LibraryCommandKind::ToggleGroup => LibraryCommand::ToggleGroup(text(dice)),
        LibraryCommandKind::FocusSearch => LibraryCommand::FocusSearch,
        LibraryCommandKind::ForgetRecent => LibraryCommand::ForgetRecent(dice.path(&files.designs)),
        LibraryCommandKind::CreateDesign => match game.filter(|_| state.docs.len() < MAX_DOCS) {
            Some(game) => {
                LibraryCommand::CreateDesign { game, copy_of: state.library.catalogue.entries().next().cloned() }
            }
            None => LibraryCommand::SearchFocused,
        },
        // Sent by jobs, or by panels while a frame is drawn, or not repeatable.
        LibraryCommandKind::SearchFocused
        | LibraryCommandKind::Invalidate
        | LibraryCommandKind::ScanDone
        | LibraryCommandKind::DrawThumbnails
        | LibraryCommandKind::ThumbnailsDrawn
        | LibraryCommandKind::SetFilter
        | LibraryCommandKind::SetWorkspace => LibraryCommand::SearchFocused,
        LibraryCommandKind::AskForGames => LibraryCommand::AskForGames,
        LibraryCommandKind::ChooseGames => LibraryCommand::ChooseGames(["star-navy".to_owned()].into()),
        LibraryCommandKind::SetGames => LibraryCommand::SetGames(Default::default()),
    }
}

pub fn odds(id: DocId, state: &EditorState, files: &Files, dice: &mut Dice) -> OddsCommand {
    let rules = state.current_doc().and_then(|doc| doc.shown_ship()).map(|ship| &ship.ruleset.attack_rules);
    let rule = rules.and_then(|rules| dice.pick(&rules.situations));
    let name = rule.map(|rule| rule.id.to_string()).filter(|_| !dice.one_in(20)).unwrap_or_else(|| text(dice));
    match dice.of(OddsCommandKind::ALL) {
        OddsCommandKind::SetOpponent => OddsCommand::SetOpponent(match dice.roll(3) {
            0 => Opponent::Sister,
            1 => Opponent::Doc(id),
            _ => Opponent::File(FileRef::on_disk(dice.path(&files.designs))),
        }),
        OddsCommandKind::Search => OddsCommand::Search(text(dice)),
        OddsCommandKind::SetSituation => {
            let word = dice.of(&["0", "7", "true", "port", "-1"]).to_owned();
            OddsCommand::SetSituation { id: name, word: Some(word).filter(|_| !dice.one_in(6)) }
        }
        OddsCommandKind::ResetSituation => OddsCommand::ResetSituation,
        OddsCommandKind::StepAxis => OddsCommand::StepAxis(dice.of(&[-10, -1, 1, i64::MAX, i64::MIN])),
        OddsCommandKind::SetOver => OddsCommand::SetOver(Some(name).filter(|_| dice.one_in(2))),
        OddsCommandKind::SetTurns => OddsCommand::SetTurns(dice.roll(4) as u32),
        // All against all takes minutes without optimization.
        OddsCommandKind::SetMatrix => OddsCommand::SetMatrix(false),
        OddsCommandKind::SetBest => OddsCommand::SetBest(Some(name).filter(|_| dice.one_in(2))),
        OddsCommandKind::SetAttack => OddsCommand::SetAttack(Some(name).filter(|_| dice.one_in(2))),
        OddsCommandKind::SetOtherRules => OddsCommand::SetOtherRules(
            Some(dice.of(&["woh-lasers", "sky-plasma", "star-navy", "nowhere"]).to_owned()).filter(|_| dice.one_in(2)),
        ),
        OddsCommandKind::Select => OddsCommand::Select(match dice.roll(3) {
            0 => None,
            1 => Some(OddsSelection::Bar(dice.roll(80))),
            _ => Some(OddsSelection::Attack(dice.roll(12))),
        }),
        OddsCommandKind::SetViewport => OddsCommand::SetViewport(OddsViewport {
            doc: id,
            width: dice.roll(900) as u32,
            page: dice.roll(300) as u32,
        }),
        OddsCommandKind::Cancel => OddsCommand::Cancel,
        OddsCommandKind::Resume => OddsCommand::Resume,
        OddsCommandKind::Copy => OddsCommand::Copy,
        OddsCommandKind::WriteFile => OddsCommand::WriteFile { replace: false },
        OddsCommandKind::FileExists => OddsCommand::FileExists(text(dice)),
        OddsCommandKind::Unpin => OddsCommand::Unpin,
        // Sent by jobs, or too slow for many.
        OddsCommandKind::SetDuel
        | OddsCommandKind::Pin
        | OddsCommandKind::FightDone
        | OddsCommandKind::OpenFileDialog
        | OddsCommandKind::Deliver
        | OddsCommandKind::FileWritten
        | OddsCommandKind::FileFailed => OddsCommand::SetDuel(false),
    }
}

pub fn compare(id: DocId, files: &Files, dice: &mut Dice) -> CompareCommand {
    match dice.of(CompareCommandKind::ALL) {
        CompareCommandKind::Open => CompareCommand::Open,
        CompareCommandKind::Close => CompareCommand::Close,
        CompareCommandKind::Add => CompareCommand::Add(match dice.roll(3) {
            0 => CompareTarget::Saved,
            1 => CompareTarget::Doc(id),
            _ => CompareTarget::File(FileRef::on_disk(dice.path(&files.designs))),
        }),
        CompareCommandKind::Remove => CompareCommand::Remove(dice.roll(4)),
        CompareCommandKind::PickFile => CompareCommand::PickFile,
        CompareCommandKind::Search => CompareCommand::Search(text(dice)),
        CompareCommandKind::ShowAll => CompareCommand::ShowAll(dice.one_in(2)),
        CompareCommandKind::ShowSheets => CompareCommand::ShowSheets(dice.one_in(8)),
        // Jobs send the last one.
        CompareCommandKind::Take | CompareCommandKind::SheetsDrawn => CompareCommand::Take {
            column: dice.roll(4),
            part: match dice.roll(3) {
                0 => ComparedPart::TopKey("name"),
                1 => ComparedPart::Field(text(dice)),
                2 => ComparedPart::CustomSystem(text(dice)),
                _ => ComparedPart::Class(text(dice)),
            },
        },
    }
}

pub fn guide(dice: &mut Dice) -> GuideCommand {
    match dice.of(GuideCommandKind::ALL) {
        GuideCommandKind::Close => GuideCommand::Close,
        GuideCommandKind::ShowStep => GuideCommand::ShowStep(dice.one_in(2).then(|| dice.roll(9))),
        GuideCommandKind::Perform => GuideCommand::Perform(dice.roll(9)),
        // Drawing reference sheets takes long.
        GuideCommandKind::ShowReference if dice.one_in(10) => GuideCommand::ShowReference(None),
        GuideCommandKind::Open
        | GuideCommandKind::Start
        | GuideCommandKind::ShowReference
        | GuideCommandKind::ReferenceDrawn => GuideCommand::Open,
    }
}

pub fn inspector(dice: &mut Dice) -> InspectorCommand {
    match dice.of(InspectorCommandKind::ALL) {
        InspectorCommandKind::GoToFinding => InspectorCommand::GoToFinding(dice.roll(6)),
        InspectorCommandKind::NextFinding => InspectorCommand::NextFinding { back: dice.one_in(2) },
        InspectorCommandKind::Back => InspectorCommand::Back,
        InspectorCommandKind::Forward => InspectorCommand::Forward,
        InspectorCommandKind::ListAll => InspectorCommand::ListAll,
        InspectorCommandKind::ToggleBranch => InspectorCommand::ToggleBranch(text(dice)),
    }
}

pub fn rules(dice: &mut Dice) -> RulesCommand {
    let id = dice.of(&["woh-lasers", "sky-plasma", "star-navy", "nowhere"]).to_owned();
    match dice.of(RulesCommandKind::ALL) {
        // Lints take long.
        RulesCommandKind::Lint if dice.one_in(6) => RulesCommand::Lint(id),
        RulesCommandKind::Override => RulesCommand::Override(Some(id)),
        RulesCommandKind::Adopt => RulesCommand::Adopt(id),
        // Sent by jobs, or written into the workspace.
        RulesCommandKind::Lint
        | RulesCommandKind::LintDone
        | RulesCommandKind::CopyRules
        | RulesCommandKind::CopyTemplates => RulesCommand::Override(None),
    }
}

pub fn print(state: &EditorState, files: &Files, dice: &mut Dice) -> PrintCommand {
    match dice.of(PrintCommandKind::ALL) {
        PrintCommandKind::Open => {
            PrintCommand::Open(dice.of(&[None, Some(PrintKind::Counters), Some(PrintKind::Reference)]))
        }
        PrintCommandKind::Start => PrintCommand::Start,
        PrintCommandKind::Replace => PrintCommand::Replace,
        PrintCommandKind::BackToSettings => PrintCommand::BackToSettings,
        PrintCommandKind::ApplyPreset => PrintCommand::ApplyPreset(dice.of(&PrintPreset::ALL)),
        PrintCommandKind::ApplyOwnPreset => PrintCommand::ApplyOwnPreset(text(dice)),
        PrintCommandKind::KeepPreset => PrintCommand::KeepPreset,
        PrintCommandKind::RemovePreset => PrintCommand::RemovePreset(text(dice)),
        PrintCommandKind::ShowPages => PrintCommand::ShowPages(PagesInSight {
            pages: vec![dice.roll(4) as u32, dice.roll(400) as u32],
            width: dice.roll(90) as u32,
        }),
        PrintCommandKind::StepPictureSize => PrintCommand::StepPictureSize { larger: dice.one_in(2) },
        PrintCommandKind::OpenCalibration => PrintCommand::OpenCalibration,
        PrintCommandKind::UpdateCalibration => PrintCommand::UpdateCalibration(Box::new(CalibrationForm {
            printer: text(dice),
            across: text(dice),
            ..CalibrationForm::default()
        })),
        PrintCommandKind::KeepCalibration => PrintCommand::KeepCalibration,
        // Jobs send these; the calibration page would be written into the folder of a design.
        PrintCommandKind::UpdateDialog
        | PrintCommandKind::FilesMade
        | PrintCommandKind::FilesWritten
        | PrintCommandKind::PlanMade
        | PrintCommandKind::PagesDrawn
        | PrintCommandKind::WriteCalibrationPage => {
            let mut options = state.settings.print.clone();
            options.what = dice.of(&[
                PrintKind::Sheets,
                PrintKind::SheetsAndCounters,
                PrintKind::Counters,
                PrintKind::Reference,
                PrintKind::Blank,
            ]);
            options.format = dice.of(&["pdf", "svg", "png", "doc"]).into();
            (options.dpi, options.copies) = (dice.roll(60) as u32, dice.roll(3) as u32);
            options.chit = dice.one_in(2).then(|| dice.roll(40) as u32);
            PrintCommand::UpdateDialog(Box::new(PrintDialog {
                options,
                all_open: dice.one_in(3),
                path: dice.path(&files.scratch).with_extension("pdf").display().to_string(),
                path_edited: true,
                more: Default::default(),
                pages: String::new(),
                path_problem: None,
                preset_name: None,
                shows_pages: false,
                printers: Default::default(),
                languages: Default::default(),
                stage: PrintStage::Settings,
            }))
        }
    }
}

pub fn persistence(id: DocId, state: &EditorState, files: &Files, dice: &mut Dice) -> PersistenceCommand {
    let target = dice.of(&[DiscardTarget::One(0), DiscardTarget::All]);
    match dice.of(PersistenceCommandKind::ALL) {
        PersistenceCommandKind::WriteDrafts => PersistenceCommand::WriteDrafts,
        PersistenceCommandKind::ShowRecovered => PersistenceCommand::ShowRecovered,
        PersistenceCommandKind::Restore => PersistenceCommand::Restore(dice.roll(3)),
        PersistenceCommandKind::RestoreAll => PersistenceCommand::RestoreAll,
        PersistenceCommandKind::ConfirmDiscard => PersistenceCommand::ConfirmDiscard(dice.one_in(2).then_some(target)),
        PersistenceCommandKind::Discard => PersistenceCommand::Discard(target),
        PersistenceCommandKind::FilesChanged => PersistenceCommand::FilesChanged(files.designs.clone()),
        PersistenceCommandKind::CheckFiles => PersistenceCommand::CheckFiles,
        PersistenceCommandKind::TakeDiskVersion => PersistenceCommand::TakeDiskVersion(id),
        PersistenceCommandKind::KeepOwnVersion => PersistenceCommand::KeepOwnVersion(id),
        PersistenceCommandKind::SaveCopy => PersistenceCommand::SaveCopy(id),
        PersistenceCommandKind::SaveAndClose if dice.one_in(8) => PersistenceCommand::SaveAndClose(id),
        PersistenceCommandKind::SaveAndQuit => PersistenceCommand::SaveAndQuit,
        PersistenceCommandKind::SetText | PersistenceCommandKind::SaveAndClose => PersistenceCommand::SetText(
            state.current_doc().map(|doc| doc.text().to_string()).unwrap_or_default() + &text(dice),
        ),
        // Once at the start, or given by a dialog that saving opens.
        PersistenceCommandKind::Start | PersistenceCommandKind::Watch | PersistenceCommandKind::ReplaceFile => {
            PersistenceCommand::WriteDrafts
        }
    }
}

pub fn bundle(state: &EditorState, files: &Files, dice: &mut Dice) -> BundleCommand {
    match (dice.of(BundleCommandKind::ALL), &state.dialog) {
        (BundleCommandKind::OpenShareDialog | BundleCommandKind::WriteShared, _) => BundleCommand::OpenShareDialog,
        (BundleCommandKind::CopyShared, _) => BundleCommand::CopyShared,
        (BundleCommandKind::Open, _) => BundleCommand::Open(dice.path(&files.designs)),
        (BundleCommandKind::OpenText, _) => BundleCommand::OpenText(text(dice)),
        (BundleCommandKind::Reviewed, _) => BundleCommand::Reviewed(Err(text(dice))),
        // Another workspace would hide the designs that are opened here.
        (BundleCommandKind::SetFolder | BundleCommandKind::Planned | BundleCommandKind::Unpack, _) => {
            BundleCommand::SetFolder(text(dice))
        }
    }
}

pub fn exchange(id: DocId, state: &EditorState, dice: &mut Dice) -> ExchangeCommand {
    match dice.of(ExchangeCommandKind::ALL) {
        ExchangeCommandKind::ShareList => ExchangeCommand::ShareList { with_designs: dice.one_in(2) },
        ExchangeCommandKind::ImportList if state.docs.len() < MAX_DOCS => {
            ExchangeCommand::ImportList("game: wars-of-honor\n2 x Petrel".into())
        }
        ExchangeCommandKind::FormRead => {
            let form = if dice.one_in(2) { Ok(Default::default()) } else { Err(text(dice)) };
            ExchangeCommand::FormRead { doc: id, form }
        }
        // Writing tokens takes long.
        ExchangeCommandKind::ImportList | ExchangeCommandKind::OpenTokensDialog | ExchangeCommandKind::WriteTokens => {
            ExchangeCommand::OpenTokensDialog
        }
    }
}

pub fn fleet(state: &EditorState, dice: &mut Dice) -> FleetCommand {
    let fleet = state.current_doc().and_then(|doc| doc.as_fleet());
    let ship = dice.roll(6) as u32;
    let stems = fleet.and_then(|fleet| fleet.shown_unit()).map(|unit| tick_marks(&unit.evaluation).into_keys());
    let stem = stems.and_then(|mut stems| stems.nth(dice.roll(4))).map_or_else(|| text(dice), |stem| stem.to_string());
    match dice.of(FleetCommandKind::ALL) {
        FleetCommandKind::ShowUnit => FleetCommand::ShowUnit(ship),
        FleetCommandKind::OpenDesignChooser => FleetCommand::OpenDesignChooser(match dice.roll(4) {
            0 => DesignChooserPurpose::AddShips,
            1 => DesignChooserPurpose::ChangeClass(vec![ship]),
            2 => DesignChooserPurpose::RefitClass(text(dice)),
            _ => DesignChooserPurpose::SetCarried { ship, relation: "tow".into(), label: "tow".into() },
        }),
        FleetCommandKind::UpdateDesignChooser => match &state.dialog {
            Some(Dialog::ChooseDesigns(chooser)) => {
                let mut new = chooser.clone();
                let candidates = new.candidates.clone().unwrap_or_default();
                let reference = dice.pick(&candidates).map_or_else(|| text(dice), |one| one.reference.clone());
                new.set_count(&reference, dice.roll(4) as u32);
                FleetCommand::UpdateDesignChooser(new)
            }
            _ => FleetCommand::ConfirmDesignChooser,
        },
        FleetCommandKind::MarkBoxes => FleetCommand::MarkBoxes {
            boxes: vec![(stem, dice.roll(9) as u32), (text(dice), 1)],
            ticked: dice.one_in(2),
        },
        FleetCommandKind::ToggleBox => FleetCommand::ToggleBox { stem, number: dice.roll(9) as u32 },
        FleetCommandKind::SetBoxes => {
            FleetCommand::SetBoxes { stem, boxes: dice.of(&["", "1-3", "x", "7-2"]).to_owned() }
        }
        FleetCommandKind::ClearDamage => FleetCommand::ClearDamage,
        FleetCommandKind::EditClass => FleetCommand::EditClass,
        FleetCommandKind::OpenVariantDialog => FleetCommand::OpenVariantDialog,
        FleetCommandKind::New if state.docs.len() < MAX_DOCS => FleetCommand::New("wars-of-honor".into()),
        // A variant is written into the workspace.
        FleetCommandKind::New | FleetCommandKind::ConfirmDesignChooser | FleetCommandKind::SaveVariant => {
            FleetCommand::ConfirmDesignChooser
        }
    }
}
