//! Rows that share out the faces of a die, such as a chart of hits: takes a design as evaluated and a field of such rows, gives rows for all that can be
//! hit, by its boxes, or the row that continues the last one. Pure; knows no game.

use toml_edit::{Array, InlineTable, Value};

use moldloft_base::source::toml::{TomlTable, TomlValue};
use moldloft_rules::evaluate::{Evaluation, FitResult};
use moldloft_rules::formula;
use moldloft_rules::ruleset::{ColumnKind, FieldColumn, FieldDef};

pub type Cells = Vec<(String, Value)>;

pub struct RollTable<'a> {
    ship: &'a Evaluation,
    faces: i64,
    /// The column that names what is hit.
    hits: &'a FieldColumn,
    /// The column that says whose chart a row belongs to.
    of: Option<&'a FieldColumn>,
}

impl<'a> RollTable<'a> {
    pub fn new(ship: &'a Evaluation, field: &FieldDef, columns: &'a [FieldColumn]) -> Option<Self> {
        let last = |kind: &ColumnKind| columns.iter().rfind(|column| column.kind == *kind);
        let (system, mount) = (last(&ColumnKind::System), last(&ColumnKind::Mount));
        let (hits, of) = if system.is_some() { (system?, mount) } else { (mount?, None) };
        Some(Self { ship, faces: field.faces?, hits, of })
    }

    /// The charts in the order of the ship: whose each is, and what it can hit with the boxes of that. What is in the middle of the ship is hit through its
    /// sides.
    fn charts(&self) -> Vec<(&'a str, Vec<(&'a str, i64)>)> {
        let ship = self.ship;
        let fits = |mount: &'a str| ship.fits.iter().filter(move |fit| *fit.mount == *mount && fit.count > 0);
        let mounts = ship.mounts.iter().filter(|mount| fits(&mount.id).next().is_some());
        if self.hits.kind == ColumnKind::Mount {
            let plan = |id: &str| ship.ruleset.mounts.iter().find(|known| *known.id == *id)?.plan;
            let sides = mounts.filter(|mount| plan(&mount.id) != Some((0, 0)));
            return vec![("", sides.map(|mount| (&*mount.id, fits(&mount.id).map(boxes).sum())).collect())];
        }
        let targets = |fits: &mut dyn Iterator<Item = &'a FitResult>| {
            let mut targets: Vec<(&'a str, i64)> = Vec::new();
            for fit in fits {
                match targets.iter_mut().find(|(known, _)| **known == *fit.system) {
                    Some((_, sum)) => *sum += boxes(fit),
                    None => targets.push((&fit.system, boxes(fit))),
                }
            }
            targets
        };
        match self.of {
            Some(_) => mounts.map(|mount| (&*mount.id, targets(&mut fits(&mount.id)))).collect(),
            None => vec![("", targets(&mut ship.fits.iter()))],
        }
    }

    fn row(&self, of: &str, (from, to): (i64, i64), hits: &str) -> Cells {
        let of = self.of.map(|column| (column.id.to_string(), of.into()));
        let faces = [("from".to_owned(), from.into()), ("to".to_owned(), to.into())];
        of.into_iter().chain(faces).chain([(self.hits.id.to_string(), hits.into())]).collect()
    }

    /// Rows for all charts; `None` if there is nothing to hit, or more than the die has faces.
    pub fn filled(&self) -> Option<Value> {
        let mut rows = Array::new();
        for (of, targets) in self.charts() {
            let mut from = 1;
            for ((hits, _), share) in targets.iter().zip(shares(self.faces, &targets)?) {
                rows.push(self.row(of, (from, from + share - 1), hits).into_iter().collect::<InlineTable>());
                from += share;
            }
        }
        (!rows.is_empty()).then(|| rows.into())
    }

    /// Goes on where the last row ends, up to the last face; then begins the next chart.
    pub fn next_row(&self, rows: &[Option<&TomlTable<'_>>]) -> Cells {
        let text = |row: &TomlTable<'_>, column: &str| match row.get(column).map(|node| &node.data) {
            Some(TomlValue::Text(text)) => text.to_string(),
            _ => String::new(),
        };
        let of = |row: &TomlTable<'_>| self.of.map_or_else(String::new, |column| text(row, &column.id));
        let rows: Vec<&TomlTable<'_>> = rows.iter().copied().flatten().collect();
        let last = rows.last().and_then(|row| match row.get("to").map(|node| &node.data) {
            Some(TomlValue::Int(to)) if (0..self.faces).contains(to) => Some((of(row), to + 1)),
            _ => None,
        });
        let charts = self.charts();
        let fresh = || charts.iter().find(|(id, _)| !rows.iter().any(|row| of(row) == *id));
        let (chart, from) = last.unwrap_or_else(|| (fresh().map_or("", |(id, _)| id).to_owned(), 1));
        let is_named = |id: &str| rows.iter().any(|row| of(row) == chart && text(row, &self.hits.id) == *id);
        let targets = charts.iter().find(|(id, _)| *id == chart).map_or(&[][..], |(_, targets)| targets);
        let hits = targets.iter().find(|(id, _)| !is_named(id)).or(targets.last()).map_or("", |(id, _)| id);
        self.row(&chart, (from, self.faces), hits)
    }
}

/// Of all of them; a fit without such a number counts by its number.
fn boxes(fit: &FitResult) -> i64 {
    let each = fit.answers.iter().find(|(id, _)| **id == *"boxes").map(|(_, value)| value);
    let each = if let Some(formula::Value::Int(boxes)) = each { (*boxes).max(1) } else { 1 };
    each.saturating_mul(i64::from(fit.count))
}

/// At least one face each, the others by weight, the largest remainders first.
fn shares(faces: i64, targets: &[(&str, i64)]) -> Option<Vec<i64>> {
    let spare = faces - i64::try_from(targets.len()).ok()?;
    let sum: i64 = targets.iter().map(|(_, weight)| weight).sum();
    if spare < 0 {
        return None;
    }
    let part = |weight: i64| i128::from(spare) * i128::from(weight);
    let whole = |weight: i64| i64::try_from(part(weight) / i128::from(sum.max(1))).unwrap_or(0);
    let mut shares: Vec<i64> = targets.iter().map(|(_, weight)| 1 + whole(*weight)).collect();
    let mut order: Vec<usize> = (0..targets.len()).collect();
    order.sort_by_key(|n| std::cmp::Reverse(part(targets[*n].1) % i128::from(sum.max(1))));
    let left = faces - shares.iter().sum::<i64>();
    order.into_iter().take(usize::try_from(left).unwrap_or(0)).for_each(|n| shares[n] += 1);
    Some(shares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_face_has_one_target_and_every_target_a_face() {
        let of = |faces, weights: &[i64]| shares(faces, &weights.iter().map(|w| ("", *w)).collect::<Vec<_>>());
        assert_eq!(of(20, &[16, 6, 8]), Some(vec![10, 4, 6]));
        assert_eq!(of(10, &[1, 1, 1]), Some(vec![4, 3, 3]));
        assert_eq!(of(4, &[1000, 1, 1, 1]), Some(vec![1, 1, 1, 1]));
        assert_eq!(of(2, &[1, 1, 1]), None);
    }
}
