//! What a form says of the fleet that it was printed from, so that it is known again after it was filled in, saved by any program or exported as
//! data: a hidden text field for each fleet. Takes units, gives the field's text: JSON in plain letters, so that no program needs a font for it.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use crate::scene::Unit;

/// The field's own name, below the fleet's. A unit's key has no underscore, so none is called so.
pub const NAME: &str = "form_identity";

/// What the field holds; [`form`](crate::form) reads it.
#[derive(Serialize)]
struct Identity {
    moldloft_form: u32,
    game: String,
    fleet: String,
    side: String,
    /// By key: class and title.
    ships: BTreeMap<String, (String, String)>,
}

/// The text of the field of a fleet with these units; `None` when no ship is among them.
pub fn of<'a>(units: impl Iterator<Item = &'a Arc<Unit>>) -> Option<String> {
    let mut fleet: Option<Identity> = None;
    for unit in units.filter(|unit| !unit.class.is_empty()) {
        let known = fleet.get_or_insert_with(|| Identity {
            moldloft_form: 1,
            game: unit.game.to_string(),
            fleet: Unit::short(&unit.fleet_title),
            side: Unit::short(&unit.fleet_side),
            ships: BTreeMap::new(),
        });
        known.ships.insert(unit.key.to_string(), (Unit::short(&unit.class), Unit::short(&unit.title)));
    }
    fleet.and_then(|fleet| serde_json::to_string(&fleet).ok()).map(|json| plain(&json))
}

/// JSON with every other letter than those of ASCII escaped.
fn plain(json: &str) -> String {
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
