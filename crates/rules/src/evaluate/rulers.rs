//! A ship's rulers: takes an evaluation, asks the formulas of its ruleset's rulers, which are needed where a ruler is printed and
//! nowhere else.

use std::sync::Arc;

use moldloft_base::finding::Finding;

use super::Evaluation;
use super::evaluator::targets;
use super::state::{ItTarget, StateView};
use super::work_budget::WorkBudget;
use crate::formula::{Formula, Host, Value};
use crate::ruleset::{RulerDef, RulerMark};

/// What is measured from a ship on the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShipRuler {
    pub label: Arc<str>,
    /// The word for its unit.
    pub unit: Arc<str>,
    /// Of one unit, tenths of a millimetre.
    pub tenths: u32,
    /// Directions numbered round the collar; 0 for none.
    pub points: u8,
    /// In the ruleset's order, equal ones once.
    pub reaches: Vec<RulerReach>,
    /// What is assumed, or a house rule.
    pub assumed: Vec<Arc<str>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulerReach {
    pub label: String,
    /// From the ship, in units; none for what has arcs alone.
    pub at: Vec<u32>,
    /// As written; empty for none.
    pub arcs: String,
}

/// The shortest and the longest unit, tenths of a millimetre.
const UNITS: (i64, i64) = (10, 2_000);
/// The longest reach on the table, tenths of a millimetre.
const LONGEST: i64 = 25_000;
/// The most marks of a ruler.
const MAX_REACHES: usize = 60;

impl Evaluation {
    /// The ship's rulers, and what of them cannot be measured.
    pub fn rulers(&self) -> (Vec<ShipRuler>, Vec<Finding>) {
        let mut findings = Vec::new();
        let rulers = self.ruleset.rulers.iter().filter_map(|ruler| self.ruler(ruler, &mut findings)).collect();
        (rulers, findings)
    }

    fn ruler(&self, ruler: &RulerDef, findings: &mut Vec<Finding>) -> Option<ShipRuler> {
        let budget = WorkBudget::for_ship();
        let view = |target| StateView::new(&self.ruleset, &self.state, &self.ship, target, &budget);
        let mut leave_out = |message: String| {
            let finding = Finding::warning("not-measured", format!("{}: {message}", self.name));
            findings.push(finding.help("change the ruler in the ruleset"));
        };
        let tenths = match ruler.tenths.eval(&view(ItTarget::Nothing)) {
            Ok(Value::Int(tenths)) if (UNITS.0..=UNITS.1).contains(&tenths) => tenths,
            _ => {
                leave_out(format!("the ruler `{}` has no unit from {} to {} mm", ruler.id, UNITS.0 / 10, UNITS.1 / 10));
                return None;
            }
        };
        let mut reaches: Vec<RulerReach> = Vec::new();
        for mark in &ruler.reaches {
            for target in targets(&self.ruleset, &self.state, mark.for_each.as_ref()) {
                let host = view(target);
                if mark.when.as_ref().is_some_and(|when| !matches!(when.flag(&host), Ok(Some(true)))) {
                    continue;
                }
                let reach = match self.reach(mark, &host) {
                    Ok(reach) => RulerReach { label: self.name_alike(target, reach.label), ..reach },
                    Err(label) => {
                        leave_out(format!("the ruler's mark `{label}` cannot be computed; left out"));
                        continue;
                    }
                };
                if let Some(far) = reach.at.iter().find(|at| i64::from(**at) * tenths > LONGEST) {
                    let most = LONGEST / 10;
                    leave_out(format!("{}: {far} {} are more than {most} mm; left out", reach.label, ruler.unit));
                } else if reaches.len() == MAX_REACHES {
                    leave_out(format!("{}: a ruler has at most {MAX_REACHES} marks; left out", reach.label));
                } else if !(reaches.contains(&reach) || reach.at.is_empty() && reach.arcs.is_empty()) {
                    reaches.push(reach);
                }
            }
        }
        let points = u8::try_from(ruler.points).unwrap_or(0);
        (!reaches.is_empty() || points > 0).then(|| ShipRuler {
            label: ruler.label.clone(),
            unit: ruler.unit.clone(),
            tenths: tenths as u32,
            points,
            reaches,
            assumed: self.provenance_notes(&ruler.marks, false),
        })
    }

    /// Of a mark that is called by the name of a table's row, the name that the row has in the ship's table: own systems that go by it are named there.
    fn name_alike(&self, target: ItTarget, label: String) -> String {
        let ItTarget::TableRow(number, row) = target else { return label };
        let written = self.ruleset.tables.get(number).and_then(|table| table.rows().get(row)?.entries.first());
        let is_name = written.is_some_and(|(_, cell)| matches!(cell, Value::Text(name) if **name == *label));
        let place = |(table, rows): (usize, &Vec<ItTarget>)| Some((table, rows.iter().position(|of| *of == target)?));
        let place = self.state.table_targets.iter().enumerate().find_map(place);
        match place.and_then(|(table, row)| self.tables.get(table)?.rows.get(row)?.first()) {
            Some(Value::Text(name)) if is_name => name.to_string(),
            _ => label,
        }
    }

    /// A mark, or the label of one that cannot be computed. Distances below 1 are no marks.
    fn reach(&self, mark: &RulerMark, host: &dyn Host) -> Result<RulerReach, String> {
        let label = self.text_for(&mark.label, host).unwrap_or_else(|| mark.label.source.to_string());
        let distances = |at: &Formula| match at.eval(host) {
            Ok(Value::Int(at)) => Some(vec![at]),
            // A row that a layer removed reaches nowhere.
            Ok(Value::Null) if !self.ruleset.removed_rows(at.at).is_empty() => Some(Vec::new()),
            Ok(Value::List(list)) => {
                list.iter().map(|at| if let Value::Int(at) = at { Some(*at) } else { None }).collect::<Option<Vec<_>>>()
            }
            _ => None,
        };
        let (at, arcs) =
            (mark.at.as_ref().map(distances), mark.arcs.as_ref().map(|arcs| arcs.eval(host).ok().flatten()));
        if at == Some(None) || arcs == Some(None) {
            return Err(label);
        }
        let mut at: Vec<u32> = at
            .flatten()
            .unwrap_or_default()
            .into_iter()
            .filter(|at| *at > 0)
            .map(|at| u32::try_from(at).unwrap_or(u32::MAX))
            .collect();
        at.sort_unstable();
        at.dedup();
        Ok(RulerReach { label, at, arcs: arcs.flatten().unwrap_or_default().trim().to_owned() })
    }
}
