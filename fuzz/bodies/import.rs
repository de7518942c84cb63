//! What the fuzz target `import` and the corpus test do with an input: make a fleet of it as of a list, find its ships among the built-in designs, write
//! the fleet as a list and read that again. Bytes that are no text are replaced.

use std::path::Path;
use std::sync::OnceLock;

use moldloft::exchange::list::{ImportedList, ShareOptions, import_list, write_list};
use moldloft::library::Rulesets;
use moldloft::source::Source;
use moldloft::store::Store;

fn games() -> &'static Rulesets {
    static GAMES: OnceLock<Rulesets> = OnceLock::new();
    GAMES.get_or_init(|| Rulesets::without_settings(&Store::built_in()))
}

fn imported(text: &str) -> ImportedList {
    let path = Path::new("designs/wars-of-honor/fleets/input.toml");
    import_list(games().store(), games(), &Source::new("list.txt", text), Some("wars-of-honor"), path)
}

/// Runs one input.
///
/// # Panics
/// When a promise of importing is broken.
pub fn run(data: &[u8]) {
    let one = imported(&String::from_utf8_lossy(data));
    let Some(fleet) = &one.fleet else {
        return assert!(one.list.ships.is_empty() || !one.findings.is_empty(), "no fleet, and nobody says why");
    };
    assert!(fleet.units.len() <= 2_000);
    let (text, told) = write_list(fleet, ShareOptions { designs: true });
    if !told.is_empty() || fleet.ruleset.is_none() {
        return;
    }
    let two = imported(&text);
    let again = two.fleet.expect("what was shared is a fleet");
    assert_eq!(again.units.len(), fleet.units.len(), "{text}");
    assert_eq!(again.points, fleet.points, "{text}");
}
