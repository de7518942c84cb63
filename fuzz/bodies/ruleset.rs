//! What the fuzz target `ruleset` and the corpus test do with an input: load it as a ruleset, and as a layer over a small one;
//! evaluate an empty design by what loads. Bytes that are no text are replaced.

use std::sync::Arc;

use moldloft::design::{Design, Ship};
use moldloft::evaluate::{evaluate, explain, report_json};
use moldloft::ruleset::Ruleset;
use moldloft::source::Source;

const BASE: &str = include_str!("../corpus/ruleset/small.toml");
const DESIGN: &str = "ruleset = \"small\"\nname = \"x\"\n[[fit]]\nsystem = \"gun\"\nmount = \"bow\"\ncount = 3\n";

/// Runs one input.
///
/// # Panics
/// When a promise of loading is broken.
pub fn run(data: &[u8]) {
    let input = Source::new("input.toml", &String::from_utf8_lossy(data));
    let base = Source::new("base.toml", BASE);
    let design = Design::read(&Source::new("design.toml", DESIGN)).expect("the design reads");
    for sources in [vec![input.clone()], vec![base, input]] {
        let (ruleset, findings) = Ruleset::load_layers(&sources);
        assert!(findings.iter().all(|finding| finding.at.file.is_some() && finding.at.line > 0));
        match ruleset {
            Some(ruleset) => {
                let ship = evaluate(&Arc::new(ruleset), &design, &Ship::default());
                let _ = (report_json(&ship).to_string(), explain(&ship, None));
                assert!(ship.tracks.iter().map(|track| u64::from(track.boxes())).sum::<u64>() <= 100_000);
            }
            None => assert!(!findings.is_empty(), "what does not load says why"),
        }
    }
}
