//! What the fuzz target `fleet` and the corpus test do with an input: read it as a fleet, muster it among the built-in designs, and write
//! damage into it. Bytes that are no text are replaced.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use moldloft::design::fleet::Fleet;
use moldloft::design::{Damage, Document};
use moldloft::library::{EvaluatedFleet, Rulesets, check_fleet};
use moldloft::source::Source;
use moldloft::store::{FileRef, Store};

fn games() -> &'static Rulesets {
    static GAMES: OnceLock<Rulesets> = OnceLock::new();
    GAMES.get_or_init(|| Rulesets::without_settings(&Store::built_in()))
}

fn mustered(text: &str) -> Result<EvaluatedFleet, usize> {
    let source = Source::new("input.toml", text);
    let lies = FileRef::built_in("designs/wars-of-honor/fleets/input.toml");
    check_fleet(games(), &source, &lies).map_err(|findings| findings.len())
}

/// Runs one input.
///
/// # Panics
/// When a promise of fleets is broken.
pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let fleet = match mustered(&text) {
        Ok(fleet) => fleet,
        Err(findings) => return assert!(findings > 0),
    };
    let keys: BTreeSet<&str> = fleet.units.iter().map(|unit| &*unit.evaluation.ship.unit).collect();
    assert_eq!(keys.len(), fleet.units.len(), "each key stands once");
    assert!(fleet.units.len() <= 2_000);
    assert!(fleet.legal || fleet.has_errors() || fleet.ruleset.is_none());
    let Ok(mut document) = Document::parse(&text) else { return };
    let Some(seat) = fleet.units.len().checked_sub(1).and_then(|last| fleet.unit_path(last)) else { return };
    let mut damage = Damage::default();
    damage.tick("structure", 1, 1);
    if document.set_damage(&[(seat, damage)]).is_ok() {
        let after = Fleet::read(&Source::new("input.toml", document.text())).expect("it is still a fleet");
        assert!(after.ships.len() >= fleet.fleet.ships.len());
    }
}
