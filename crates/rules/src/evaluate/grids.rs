//! Computes tables with a cell for each pair of numbers; what ships have in common is computed once.

use std::sync::Arc;

use crate::formula::{Formula, Host, Value};
use crate::ruleset::{KnownGrid, LocalVar, Symbol, TableKind};
use moldloft_base::finding::{Finding, FindingOrigin};
use moldloft_base::source::Span;

use super::evaluator::Evaluator;
use super::state::{ItTarget, display_value};

/// By the table's place in the ruleset.
pub(super) fn fill_grid(run: &mut Evaluator<'_>, number: usize) -> Option<Arc<KnownGrid>> {
    let rules = run.rules.clone();
    let table = &rules.tables[number];
    let TableKind::Grid { across, down, inputs, .. } = &table.kind else { return None };
    let numbers = |value: Value| match value {
        Value::List(list) => {
            list.iter().filter_map(|value| if let Value::Int(number) = value { Some(*number) } else { None }).collect()
        }
        _ => Vec::<i64>::new(),
    };
    let across = numbers(run.eval_value(across, ItTarget::Nothing, &table.id));
    let down = numbers(run.eval_value(down, ItTarget::Nothing, &table.id));
    if across.is_empty() || down.is_empty() {
        return None;
    }
    if across.len().saturating_mul(down.len()) > 10_000 || across.len() > 200 {
        let message = format!("{}: {} × {} cells are too many for a table", table.id, across.len(), down.len());
        let mut finding =
            Finding::error("too-large", message).help("look for a number in the design that is far too large");
        finding.rule = Some(run.rules.location(table.span));
        let origin = FindingOrigin::default().leaving_out();
        run.notes.add(finding, Span::default(), Some(table.id.clone()), origin);
        return None;
    }
    // A ship's own systems may have rows of their own.
    let inputs = inputs.as_ref().filter(|_| run.state.custom_systems.is_empty());
    let inputs = inputs.and_then(|inputs| inputs.of_ship(&run.view(ItTarget::Nothing)));
    let known = inputs.as_ref().and_then(|inputs| rules.known_grids.find(number, inputs, &across, &down));
    if let Some(known) = known.filter(|known| run.effort.spend_known(known.cost)) {
        return Some(known);
    }
    let before = run.effort.left();
    let mut grid = computed(run, number, across, down);
    let after = run.effort.left();
    grid.cost = (before.0 - after.0, before.1 - after.1);
    let may_keep = !run.effort.is_spent() && run.state.failures.is_empty();
    let inputs = inputs.filter(|_| may_keep);
    let is_shared = inputs.is_some();
    grid.inputs = inputs.unwrap_or_default();
    let grid = Arc::new(grid);
    if is_shared {
        rules.known_grids.keep(grid.clone());
    }
    Some(grid)
}

fn computed(run: &mut Evaluator<'_>, number: usize, across: Vec<i64>, down: Vec<i64>) -> KnownGrid {
    let rules = run.rules.clone();
    let table = &rules.tables[number];
    let mut labels = |formula: &Option<Formula>, local: LocalVar, numbers: &[i64]| -> Vec<Arc<str>> {
        let label = |&number: &i64| match formula {
            Some(formula) => {
                value_text(&run.eval_with_locals(formula, ItTarget::Nothing, &[(local, number)], &table.id))
            }
            None => number.to_string().into(),
        };
        numbers.iter().map(label).collect()
    };
    let mut grid = KnownGrid { table: number, across, down, ..KnownGrid::default() };
    let TableKind::Grid { across_label, down_label, cell, .. } = &table.kind else { return grid };
    grid.across_labels = labels(across_label, LocalVar::Across, &grid.across);
    grid.down_labels = labels(down_label, LocalVar::Down, &grid.down);
    let varying = [Symbol::Local(LocalVar::Across).slot(), Symbol::Local(LocalVar::Down).slot()];
    let times = grid.across.len() * grid.down.len();
    let cell = fold_constants(&cell.with_calls_chosen(), times, &run.view(ItTarget::Nothing), &varying);
    let mut cell_at = |across: i64, down: i64| {
        let locals = [(LocalVar::Across, across), (LocalVar::Down, down)];
        run.eval_with_locals(&cell, ItTarget::Nothing, &locals, &table.id)
    };
    let row = |&down: &i64| grid.across.iter().map(|&across| cell_at(across, down)).collect();
    grid.cells = grid.down.iter().map(row).collect();
    grid
}

pub(super) fn value_text(value: &Value) -> Arc<str> {
    match value {
        Value::Text(text) => text.clone(),
        Value::Null => "".into(),
        value => display_value(value).into(),
    }
}

/// Specialises a formula if it is evaluated often enough to be worth it.
pub(super) fn fold_constants(formula: &Formula, times: usize, host: &dyn Host, varying: &[u32]) -> Formula {
    if times > 8 { formula.specialize(host, varying) } else { formula.clone() }
}
