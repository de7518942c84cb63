//! Everything that differs on ships, each once: takes rows, gives the changes with how many ships have them.

use std::collections::BTreeMap;

use super::row::ImpactRow;
use moldloft_rules::evaluate::ResultChange;

/// One value, track, table cell, counter or cost line that differs on some ships.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImpactChange {
    /// `value`, `field`, `system`, `track`, `table`, `counter` or `cost`.
    pub kind: &'static str,
    /// For players: `structure`, `laser: mass`.
    pub label: String,
    /// Before and after, of each ship; with the ship's name.
    pub ships: Vec<(String, ResultChange)>,
}

impl ImpactChange {
    /// The least and the greatest difference, if all are numbers.
    pub fn range(&self) -> Option<(i64, i64)> {
        let all: Option<Vec<i64>> = self.ships.iter().map(|(_, change)| change.difference).collect();
        let all = all?;
        Some((*all.iter().min()?, *all.iter().max()?))
    }
}

/// In the order of a sheet; ships of fleets count, too.
pub fn impact_changes<'r>(rows: impl IntoIterator<Item = &'r ImpactRow>) -> Vec<ImpactChange> {
    let mut changes: Vec<ImpactChange> = Vec::new();
    let mut places: BTreeMap<(&str, String), usize> = BTreeMap::new();
    for row in rows.into_iter().flat_map(|row| std::iter::once(row).chain(&row.ships)) {
        for effect in &row.effects {
            let place = *places.entry((effect.kind, effect.label.clone())).or_insert(changes.len());
            if place == changes.len() {
                changes.push(ImpactChange { kind: effect.kind, label: effect.label.clone(), ships: Vec::new() });
            }
            changes[place].ships.push((row.name.clone(), effect.clone()));
        }
    }
    changes
}
