//! Random commands of the rules page, mostly for cells that the open ruleset has.

use moldloft::editor::EditorState;
use moldloft::editor::rules_page::{CellId, RuleChange, RulesPageCommand, RulesPageCommandKind, RulesSide};
use moldloft::ruleset::{GridId, RuleBook};
use moldloft::store::FileRef;

use super::{Dice, text};

fn book(state: &EditorState) -> Option<&RuleBook> {
    state.current_doc()?.as_ruleset().map(|open| &*open.book)
}

fn cell(state: &EditorState, dice: &mut Dice) -> CellId {
    let found = book(state).and_then(|book| dice.pick(&book.grids)).and_then(|grid| {
        let (row, column) = (dice.pick(&grid.rows)?, dice.pick(&grid.columns)?);
        Some(CellId { grid: grid.id.clone(), row: row.key.clone(), column: column.key.clone() })
    });
    found.unwrap_or_else(|| CellId { grid: GridId::default(), row: text(dice).into(), column: text(dice).into() })
}

fn change(state: &EditorState, dice: &mut Dice) -> RuleChange {
    let cell = cell(state, dice);
    match dice.roll(5) {
        0 => RuleChange::Severity {
            code: cell.row,
            severity: dice.of(&["off", "info", "warning", "error", "loud"]).into(),
            reason: text(dice),
        },
        1 => RuleChange::Remove { grid: cell.grid, row: cell.row, reason: text(dice) },
        2 => {
            let cells = vec![("".into(), "new-one".into()), (cell.column, text(dice))];
            RuleChange::Add { grid: cell.grid, cells, reason: text(dice) }
        }
        3 => RuleChange::Reason { grid: cell.grid, row: cell.row, reason: text(dice) },
        _ => RuleChange::Cell { cell, text: typed(dice) },
    }
}

fn typed(dice: &mut Dice) -> String {
    match dice.roll(4) {
        0 => text(dice),
        1 => "base + 1".to_owned(),
        2 => "total('points') + (".to_owned(),
        _ => dice.roll(40).to_string(),
    }
}

pub fn command(state: &EditorState, dice: &mut Dice) -> RulesPageCommand {
    let cell = cell(state, dice);
    match dice.of(RulesPageCommandKind::ALL) {
        // Rulesets are compiled with every edit, which takes time; few tabs are theirs.
        RulesPageCommandKind::Open if dice.one_in(4) => {
            let games = ["wars-of-honor", "woh-lasers", "sky-plasma", "star-navy", "nowhere"];
            RulesPageCommand::Open(dice.of(&games).to_owned())
        }
        RulesPageCommandKind::ShowGrid => RulesPageCommand::ShowGrid(cell.grid),
        RulesPageCommandKind::SelectCell => RulesPageCommand::SelectCell(cell),
        RulesPageCommandKind::ShowLine => RulesPageCommand::ShowLine(dice.roll(60) as u32),
        RulesPageCommandKind::Type => RulesPageCommand::Type(typed(dice)),
        RulesPageCommandKind::Search => RulesPageCommand::Search(dice.of(&["", "laser", "mass", "zzz"]).to_owned()),
        RulesPageCommandKind::ShowSide => {
            RulesPageCommand::ShowSide(dice.of(&[RulesSide::Impact, RulesSide::Text, RulesSide::Findings]))
        }
        RulesPageCommandKind::Change => RulesPageCommand::Change(change(state, dice)),
        RulesPageCommandKind::TakeBack => RulesPageCommand::TakeBack(cell),
        RulesPageCommandKind::TakeBackRow => RulesPageCommand::TakeBackRow { grid: cell.grid, row: cell.row },
        RulesPageCommandKind::CreateLayer => RulesPageCommand::CreateLayer,
        RulesPageCommandKind::AddRow => RulesPageCommand::AddRow,
        RulesPageCommandKind::ToggleLayer => {
            RulesPageCommand::ToggleLayer(dice.of(&["woh-lasers", "our-house-rules", "wars-of-honor"]).to_owned())
        }
        RulesPageCommandKind::MoveLayer => RulesPageCommand::MoveLayer { from: dice.roll(3), to: dice.roll(3) },
        RulesPageCommandKind::AddLayer => RulesPageCommand::AddLayer(dice.of(&["woh-lasers", "nowhere"]).to_owned()),
        RulesPageCommandKind::DropLayer => RulesPageCommand::DropLayer(dice.roll(3)),
        RulesPageCommandKind::ShowSheets => {
            let name = "designs/wars-of-honor/vigilant.toml";
            RulesPageCommand::ShowSheets(dice.one_in(2).then(|| (FileRef::built_in(name), "Vigilant".to_owned())))
        }
        RulesPageCommandKind::OpenReasonDialog => RulesPageCommand::OpenReasonDialog(change(state, dice)),
        RulesPageCommandKind::OpenAddDialog => {
            RulesPageCommand::OpenAddDialog { grid: cell.grid, like: dice.one_in(2).then_some(cell.row) }
        }
        RulesPageCommandKind::BeginRule => RulesPageCommand::BeginRule,
        RulesPageCommandKind::MakeFor => RulesPageCommand::MakeFor(dice.pick(&state.docs).map(|doc| doc.id)),
        RulesPageCommandKind::ShowFormulas => RulesPageCommand::ShowFormulas(dice.one_in(2)),
        RulesPageCommandKind::Open
        | RulesPageCommandKind::TablesMade
        | RulesPageCommandKind::Tried
        | RulesPageCommandKind::ImpactDone
        | RulesPageCommandKind::SheetsDrawn
        | RulesPageCommandKind::Failed => RulesPageCommand::ShowSheets(None),
    }
}
