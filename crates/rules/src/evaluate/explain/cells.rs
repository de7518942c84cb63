//! Explains a cell of a table: its formula with the row that it is about, or that the rules state the row.

use std::sync::Arc;

use crate::evaluate::state::{ItTarget, display_value};
use crate::formula::{Trace, Value};
use crate::ruleset::{LocalVar, TableDef, TableKind};
use moldloft_base::sanitize::id_as_words;

use super::{ExplainTarget, Explainer, Provenance};

impl Explainer<'_> {
    pub(super) fn explain_cell(&mut self, id: &str, row: usize, column: &str) {
        let evaluation = self.evaluation;
        let Some(number) = evaluation.tables.iter().position(|table| *table.id == *id) else { return };
        let table = &evaluation.tables[number];
        let Some(place) = table.columns.iter().position(|known| *known.id == *column) else { return };
        let Some(value) = table.rows.get(row).and_then(|cells| cells.get(place)) else { return };
        let of = self.state.table_targets.get(number).and_then(|rows| rows.get(row)).copied().unwrap_or_default();
        // What the row is about: its label, or its first words.
        let first = table.row_labels.get(row).cloned().or_else(|| match table.rows[row].first() {
            Some(Value::Text(words)) if place > 0 => Some(words.clone()),
            _ => None,
        });
        let first = first.filter(|words| !words.is_empty());
        let row_name = first.map_or_else(|| format!("row {}", row + 1), |words| words.to_string());
        let label = if table.label.is_empty() { id_as_words(&table.id) } else { table.label.to_string() };
        let head = &table.columns[place].label;
        let head = if head.is_empty() { id_as_words(column) } else { head.to_string() };
        let name: Arc<str> = format!("{label}, {row_name}: {head}").into();
        let asked = Some(ExplainTarget::Cell { table: id.into(), row: row as u32, column: column.into() });
        let result = display_value(value);
        let stated = |what: &str| Trace { formula: what.to_owned(), numbers: what.to_owned(), result: result.clone() };
        let rules = self.rules;
        let Some(declared) = rules.tables.iter().find(|known| *known.id == *id) else {
            // A field with rows.
            let rule = rules.fields.iter().find(|field| *field.id == *id).map(|field| field.span);
            let rule = rule.map_or_else(|| "".into(), |span| self.rule_name(span, None));
            return self.push(asked, name, 0, stated("set by the design"), rule, (Provenance::Published, None));
        };
        let provenance = self.provenance(&declared.marks[..declared.direct_marks], declared.direct_marks);
        let formula = formula_of(declared, column);
        let (Some(formula), false) = (formula, matches!(declared.kind, TableKind::Rows { .. })) else {
            let rule = self.rule_name(declared.span, declared.rule.as_ref());
            self.push(asked, name, 0, stated("stated by the rules"), rule, provenance);
            if let Some(line) = self.out.last_mut() {
                line.sentence = format!("the table {label} of the rules has {result} for {row_name}");
            }
            return;
        };
        let square = match declared.kind {
            TableKind::Grid { .. } => column.parse::<i64>().ok().zip(table.row_numbers.get(row).copied()),
            _ => None,
        };
        let (trace, phrase) = {
            let mut view = self.view(of);
            if let Some((across, down)) = square {
                view.set_local(LocalVar::Across, across);
                view.set_local(LocalVar::Down, down);
            }
            let mut trace = formula.trace(&view);
            // One entry of a list that takes several columns.
            trace.result.clone_from(&result);
            (trace, self.phrase(formula, &view))
        };
        let rule = self.rule_name(if formula.at.file > 0 { formula.at } else { declared.span }, declared.rule.as_ref());
        self.push(asked, name, 0, trace, rule, provenance);
        self.set_sentence(phrase);
        self.explain_reads(formula, of, 1);
        if let ItTarget::TableRow(..) | ItTarget::Row(..) = of {
            self.explain_reads(formula, ItTarget::Nothing, 1);
        }
    }
}

/// Columns of a list are named `column_2`.
fn formula_of<'r>(table: &'r TableDef, column: &str) -> Option<&'r crate::formula::Formula> {
    match &table.kind {
        TableKind::Rows { .. } => None,
        TableKind::ForEach { columns, .. } => {
            let found = columns.iter().find(|known| *known.id == *column).or_else(|| {
                let (stem, _) = column.rsplit_once('_')?;
                columns.iter().find(|known| known.spread && *known.id == *stem)
            });
            found?.cell.as_ref()
        }
        TableKind::Grid { cell, .. } => Some(cell),
    }
}
