//! The guides to a first ship: every step of every game is performed, is done then and was not before, and the ship at the end is legal.

use std::sync::Arc;

use moldloft::design::{Design, Ship};
use moldloft::evaluate::{evaluate, guide_edits, guided_design};
use moldloft::library::Rulesets;
use moldloft::source::Source;
use moldloft::store::Store;

use crate::support::GAMES;

#[test]
fn every_game_leads_to_a_legal_ship() {
    let store = Store::built_in();
    let rulesets = Rulesets::without_settings(&store);
    for game in GAMES {
        let found = rulesets.find(game);
        let ruleset: &Arc<_> = found.ruleset().expect(game);
        assert!(ruleset.guide.len() >= 3, "{game}: {} steps", ruleset.guide.len());
        let guided = guided_design(ruleset).unwrap_or_else(|(step, finding)| panic!("{game}, {step}: {finding:?}"));
        let undone = guided.undone.map(|step| &ruleset.guide[step].id);
        assert_eq!(undone, None, "{game}:\n{}", guided.text);
        assert!(guided.evaluation.legal, "{game}: {:?}", guided.evaluation.findings);
        assert_eq!(guided.evaluation.next_guide_step(), None, "{game}: a later step undoes an earlier one");
        // From nothing, every step is still to be done, and tells something.
        let empty = Design::read(&Source::new("empty.toml", &format!("ruleset = \"{game}\"\n"))).unwrap();
        let blank = evaluate(ruleset, &empty, &Ship::default());
        for step in &ruleset.guide {
            assert!(!blank.is_guide_step_done(step), "{game}: {} is done before it begins", step.id);
            assert!(step.text.len() > 60, "{game}: {}", step.id);
            assert!(!guide_edits(step, &empty).is_empty(), "{game}: {} does nothing", step.id);
        }
        // Performing it again adds nothing.
        let design = Design::read(&Source::new("guided.toml", guided.text.as_str())).unwrap();
        let fits = |step| guide_edits(step, &design).len();
        for step in &ruleset.guide {
            assert_eq!(fits(step), step.sets.len(), "{game}: {}", step.id);
        }
    }
}
