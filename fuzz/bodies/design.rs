//! What the fuzz target `design` and the corpus test do with an input: read it as a design and evaluate it by Wars of Honor. Bytes
//! that are no text are replaced.

use std::sync::{Arc, OnceLock};

use moldloft::design::{Design, Ship};
use moldloft::evaluate::{evaluate, explain, report_json};
use moldloft::ruleset::Ruleset;
use moldloft::source::Source;

fn rules() -> &'static Arc<Ruleset> {
    static RULES: OnceLock<Arc<Ruleset>> = OnceLock::new();
    RULES.get_or_init(|| {
        let source = Source::new("rulesets/wars-of-honor.toml", include_str!("../../rulesets/wars-of-honor.toml"));
        Arc::new(Ruleset::load(&source).0.expect("the built-in ruleset loads"))
    })
}

/// Runs one input.
///
/// # Panics
/// When a promise of evaluating is broken.
pub fn run(data: &[u8]) {
    let source = Source::new("input.toml", &String::from_utf8_lossy(data));
    match Design::read(&source) {
        Ok(design) => {
            let ship = evaluate(rules(), &design, &Ship::default());
            let _ = explain(&ship, None);
            assert!(ship.tracks.iter().map(|track| u64::from(track.boxes())).sum::<u64>() <= 100_000);
            assert!(report_json(&ship).to_string().len() <= 100_000_000);
            if ship.legal {
                let total: i64 = ship.costs.iter().map(|line| line.total).sum();
                assert_eq!(Some(total), ship.points, "the cost lines add up");
            }
        }
        Err(findings) => assert!(!findings.is_empty()),
    }
}
