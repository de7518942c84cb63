//! A fleet's roster for spreadsheets (CSV, RFC 4180, UTF-8) and programs (JSON): takes evaluated fleets, gives bytes.
//! Text of players never becomes a formula in a spreadsheet. The columns and keys are documented in docs/guide/src/packs.md and
//! are stable.

use std::borrow::Borrow;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::library::{EvaluatedFleet, Fingerprint};
use moldloft_base::finding::Finding;
use moldloft_base::sanitize::{self, for_spreadsheet};
use moldloft_rules::evaluate::{BoxKind, Evaluation, MarkBoxes, number_counters, tick_marks};
use moldloft_sheet::sheet::fleet_roster::counter_numbers;

use super::roster_data::{damage_summary, group_of, skip_reason, unit_title};

#[rustfmt::skip]
pub const COLUMNS: [&str; 16] = [
    "fleet", "side", "player", "group", "hull_number", "ship", "class", "captain", "points", "towed_by", "counters",
    "damage", "legal", "notes", "left_out", "own_systems",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RosterFormat {
    /// For spreadsheets.
    Csv,
    /// For programs.
    Json,
}

impl RosterFormat {
    /// The format for a file extension.
    pub fn from_extension(extension: &str) -> Option<Self> {
        match extension.to_ascii_lowercase().as_str() {
            "csv" => Some(Self::Csv),
            "json" => Some(Self::Json),
            _ => None,
        }
    }

    /// The bytes of a table with every unit of every fleet, and what was skipped.
    ///
    /// # Errors
    /// `not-written` when the serializer fails.
    pub fn write<F: Borrow<EvaluatedFleet>>(self, fleets: &[F]) -> Result<Vec<u8>, Finding> {
        let fleets: Vec<&EvaluatedFleet> = fleets.iter().map(Borrow::borrow).collect();
        let failed = |words: String| Finding::error("not-written", format!("cannot write the list: {words}"));
        let mut units: Vec<Evaluation> =
            fleets.iter().flat_map(|fleet| fleet.units.iter().map(|unit| unit.evaluation.clone())).collect();
        number_counters(&mut units);
        let mut first = 0;
        let numbered: Vec<(&EvaluatedFleet, &[Evaluation])> = fleets
            .iter()
            .map(|fleet| {
                let own = &units[first..first + fleet.units.len()];
                first += own.len();
                (*fleet, own)
            })
            .collect();
        match self {
            Self::Csv => roster_csv(&numbered).map_err(|error| failed(error.to_string())),
            Self::Json => {
                let fleets: Vec<Value> = numbered.iter().map(|(fleet, units)| fleet_object(fleet, units)).collect();
                let text = serde_json::to_string_pretty(&json!({ "schema": 1, "fleets": fleets }));
                text.map(|text| (sanitize::for_json(text) + "\n").into_bytes())
                    .map_err(|error| failed(error.to_string()))
            }
        }
    }
}

fn text_or_empty(word: &Option<moldloft_rules::design::SpannedText>) -> &str {
    word.as_ref().map_or("", |word| word.text.trim())
}

fn group_name(fleet: &EvaluatedFleet, entry: usize) -> &str {
    group_of(fleet, entry).map_or("", |group| {
        let group = &fleet.fleet.groups[group];
        group.name.as_ref().map_or(&*group.id.text, |name| &*name.text)
    })
}

fn roster_csv(fleets: &[(&EvaluatedFleet, &[Evaluation])]) -> Result<Vec<u8>, csv::Error> {
    let mut out = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    out.write_record(COLUMNS)?;
    for (fleet, units) in fleets {
        let head =
            [fleet.name(), text_or_empty(&fleet.fleet.side).to_owned(), text_or_empty(&fleet.fleet.player).to_owned()];
        let head = head.map(|words| for_spreadsheet(&words));
        for (unit, evaluation) in fleet.units.iter().zip(*units) {
            let ship = &evaluation.ship;
            let own = |words: Option<&str>| for_spreadsheet(words.unwrap_or_default());
            let towed_by = unit.carrier.and_then(|by| units.get(by)).map_or("", unit_title);
            let row = [
                for_spreadsheet(group_name(fleet, unit.entry)),
                own(ship.hull_number.as_deref()),
                for_spreadsheet(ship.name.as_deref().unwrap_or(&evaluation.name)),
                for_spreadsheet(&evaluation.name),
                own(ship.captain.as_deref()),
                evaluation.points.map(|points| points.to_string()).unwrap_or_default(),
                for_spreadsheet(towed_by),
                plain_ranges(&counter_numbers(evaluation)),
                for_spreadsheet(&damage_summary(evaluation).replace('–', "-")),
                if evaluation.legal { "yes" } else { "no" }.to_owned(),
                own(ship.notes.as_deref()),
                String::new(),
                for_spreadsheet(evaluation.custom_system_summary().map_or("", |words| &**words)),
            ];
            out.write_record(head.iter().chain(&row))?;
        }
        for one in &fleet.skipped {
            let mut row = vec![String::new(); COLUMNS.len() - head.len()];
            row[0] = for_spreadsheet(group_name(fleet, one.entry));
            row[2] = for_spreadsheet(&one.name);
            let reason_at = row.len() - 2;
            if let Some(last) = row.get_mut(reason_at) {
                *last = for_spreadsheet(&skip_reason(&one.findings));
            }
            out.write_record(head.iter().chain(&row))?;
        }
    }
    out.into_inner().map_err(|error| error.into_error().into())
}

/// Ranges with hyphens; an apostrophe precedes what a spreadsheet would make a date, such as `1-12`.
fn plain_ranges(numbers: &str) -> String {
    let plain = numbers.replace('–', "-");
    let is_day = plain.split_once('-').is_some_and(|(first, _)| first.parse::<u32>().is_ok_and(|day| day <= 31));
    if is_day { format!("'{plain}") } else { plain }
}

/// The remaining ammunition: `{ "missile": { "left": 58, "of": 70 } }`.
fn ammunition(ship: &Evaluation) -> Map<String, Value> {
    let ammo = tick_marks(ship).into_iter().filter(|(_, boxes)| boxes.kind == BoxKind::Ammo);
    let left = |(stem, boxes): (Arc<str>, MarkBoxes)| {
        let used = ship.ship.damage.count(&stem);
        (stem.to_string(), json!({ "left": boxes.count.saturating_sub(used), "of": boxes.count }))
    };
    ammo.map(left).collect()
}

fn fleet_object(fleet: &EvaluatedFleet, units: &[Evaluation]) -> Value {
    let ruleset = fleet.ruleset.as_ref().map(|rules| {
        let layers: Vec<Value> =
            rules.layers.iter().map(|layer| json!({ "id": &*layer.id, "version": &*layer.version })).collect();
        json!({ "id": &*rules.id, "title": &*rules.title, "version": &*rules.version, "layers": layers })
    });
    let budget = fleet.fleet.budget.map(|budget| budget.points);
    let all = fleet.units.iter().zip(units).map(|(unit, evaluation)| {
        let ship = &evaluation.ship;
        let mut damage = Map::new();
        for stem in ship.damage.stems() {
            damage.insert(stem.to_string(), ship.damage.runs_text(stem).into());
        }
        let counters = evaluation.counters.iter().filter(|counter| counter.count > 0).map(|counter| {
            let last = counter.first.map(|first| first.saturating_add(counter.count - 1));
            json!({
                "id": &*counter.id, "label": &*counter.label, "count": counter.count,
                "first": counter.first, "last": last,
            })
        });
        json!({
            "unit": &*ship.unit,
            "name": ship.name,
            "class": &*evaluation.name,
            "hull_number": ship.hull_number,
            "captain": ship.captain,
            "notes": ship.notes,
            "group": Some(group_name(fleet, unit.entry)).filter(|name| !name.is_empty()),
            "points": evaluation.points,
            "legal": evaluation.legal,
            "towed_by": unit.carrier.and_then(|by| units.get(by)).map(|by| by.ship.unit.to_string()),
            "damage": damage,
            "ammunition": ammunition(evaluation),
            "own_systems": evaluation.custom_system_summary().map(|words| words.to_string()),
            "counters": counters.collect::<Vec<_>>(),
        })
    });
    let left_out = fleet.skipped.iter().map(|one| json!({ "name": one.name, "reason": skip_reason(&one.findings) }));
    let text = |word: &Option<moldloft_rules::design::SpannedText>| {
        Some(text_or_empty(word).to_owned()).filter(|words| !words.is_empty())
    };
    json!({
        "file": &*fleet.fleet.source.file,
        "name": fleet.name(),
        "side": text(&fleet.fleet.side),
        "player": text(&fleet.fleet.player),
        "notes": text(&fleet.fleet.notes),
        "ruleset": ruleset,
        "budget": budget,
        "points": fleet.points,
        "left": budget.zip(fleet.points).map(|(budget, points)| budget.saturating_sub(points)),
        "legal": fleet.legal,
        "code": Fingerprint::of_fleet(fleet).map(|code| code.to_string()),
        "units": all.collect::<Vec<_>>(),
        "left_out": left_out.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::for_spreadsheet;

    #[test]
    fn no_cell_is_a_formula() {
        for wicked in ["=1+1", "+44", "-1", "@SUM(A1)", "\t=1", " =1", "＝1", "\r=1", "\u{a0}=1"] {
            assert!(for_spreadsheet(wicked).starts_with('\''), "{wicked:?}");
        }
        for plain in ["HMS Vigilant", "CA-301", "1–40", "", "'t Harde"] {
            assert_eq!(for_spreadsheet(plain), plain);
        }
    }
}
