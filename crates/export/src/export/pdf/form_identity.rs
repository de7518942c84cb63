//! Identifies the fleet of a form, even after it was filled in, saved by another program or exported: takes units,
//! gives the text of a hidden field, JSON in ASCII so that no font is needed.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::filled_form::FormIdentity;
use moldloft_drawing::scene::PrintedUnit;

/// The text of the field of a fleet with these units; `None` when no ship is among them.
pub fn identity_text<'a>(units: impl Iterator<Item = &'a Arc<PrintedUnit>>) -> Option<String> {
    let mut fleet: Option<FormIdentity> = None;
    for unit in units.filter(|unit| !unit.class.is_empty()) {
        let known = fleet.get_or_insert_with(|| FormIdentity {
            moldloft_form: 1,
            game: unit.game.to_string(),
            fleet: PrintedUnit::truncate_name(&unit.fleet_title),
            side: PrintedUnit::truncate_name(&unit.fleet_side),
            ships: BTreeMap::new(),
        });
        known.ships.insert(
            unit.key.to_string(),
            (PrintedUnit::truncate_name(&unit.class), PrintedUnit::truncate_name(&unit.title)),
        );
    }
    fleet.and_then(|fleet| serde_json::to_string(&fleet).ok()).map(|json| escape_non_ascii(&json))
}

fn escape_non_ascii(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for letter in json.chars() {
        if letter.is_ascii() && !letter.is_ascii_control() {
            out.push(letter);
        } else {
            let mut units = [0; 2];
            letter.encode_utf16(&mut units).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        }
    }
    out
}
