//! What the fuzz target `attack` and the corpus test do with an input: put it at the end of a small ruleset, and let two ships of what loads fire at each
//! other, over some values of the axis, for two turns, in a duel. Bytes that are no text are replaced.

use std::sync::Arc;

use moldloft::chart::odds_page;
use moldloft::design::{Design, Ship};
use moldloft::evaluate::evaluate;
use moldloft::odds::{GaugeOdds, OddsQuestion, axis, axis_values, default_situation, odds_json, words, work_out};
use moldloft::ruleset::Ruleset;
use moldloft::source::Source;

const RULES: &str = "[ruleset]\nid = \"small\"\ntitle = \"Small\"\nversion = \"1\"\nschema = 1\n\
    [[field]]\nid = \"hull\"\nkind = \"integer\"\ndefault = 6\n[[field]]\nid = \"dice\"\nkind = \"text\"\ndefault = \"2D6+1\"\n\
    [[mount]]\nid = \"bow\"\n[[system]]\nid = \"gun\"\n[[value]]\nid = \"points\"\nformula = \"hull + count('gun')\"\n";
const DESIGNS: [&str; 2] = [
    "ruleset = \"small\"\nname = \"x\"\n[[fit]]\nsystem = \"gun\"\nmount = \"bow\"\ncount = 3\n",
    "ruleset = \"small\"\nname = \"y\"\n[fields]\nhull = 9\n",
];
/// Values of the axis that are tried.
const AXIS: usize = 3;

/// Runs one input.
///
/// # Panics
/// When a promise of the odds is broken.
pub fn run(data: &[u8]) {
    let input = format!("{RULES}{}", String::from_utf8_lossy(data));
    let (ruleset, findings) = Ruleset::load(&Source::new("input.toml", &input));
    let Some(ruleset) = ruleset.map(Arc::new) else {
        assert!(!findings.is_empty(), "what does not load says why");
        return;
    };
    let rules = &ruleset.attack_rules;
    let ships = DESIGNS.map(|design| {
        let design = Design::read(&Source::new("design.toml", design)).expect("the design reads");
        evaluate(&ruleset, &design, &Ship::default())
    });
    let over = axis(rules).and_then(|number| {
        let values = axis_values(rules.situations.get(number)?);
        Some((number, values.into_iter().take(AXIS).collect()))
    });
    let question = OddsQuestion {
        situation: default_situation(rules),
        over,
        parts: true,
        turns: 2,
        duel: 2,
        ..OddsQuestion::default()
    };
    let odds = work_out(&ships[0], &ships[1], &question);
    for gauge in odds.all.iter().chain(&odds.back).chain(odds.attacks.iter().flat_map(|attack| &attack.gauges)) {
        check(gauge);
    }
    assert!(!odds.failed || !odds.findings.is_empty(), "what is not worked out says why");
    let _ = (odds_json(&odds).to_string(), words::exactness(&odds), odds_page(&odds, None));
}

/// Probabilities add up, and nothing more is lost than there was.
fn check(gauge: &GaugeOdds<f64>) {
    let sum: f64 = gauge.lost.iter().map(|(_, chance)| *chance).sum();
    assert!(sum <= 1.0 + 1e-9 && sum + gauge.open >= 1.0 - 1e-9, "{gauge:?}");
    assert!(gauge.lost.windows(2).all(|pair| pair[0].0 < pair[1].0), "{gauge:?}");
    assert!(gauge.lost.iter().all(|(number, chance)| *number >= 0 && *chance >= 0.0), "{gauge:?}");
    if let Some(boxes) = gauge.boxes {
        assert!(gauge.lost.iter().all(|(number, _)| *number <= boxes), "{gauge:?}");
    }
}
