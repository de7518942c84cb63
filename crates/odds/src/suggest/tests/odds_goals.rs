//! Questions about odds: the best of what counting by other means finds, goals with decimals, and questions that cannot be asked.

use super::*;
use crate::odds::{OddsQuestion, default_situation, work_out};
use crate::suggest::dice::search_odds;
use moldloft_rules::evaluate::Evaluation;

fn opponent(subject: &Subject) -> OddsTarget {
    OddsTarget { target: subject.evaluation.clone(), situation: default_situation(&subject.rules.attack_rules) }
}

/// What all that bears does to the headline's gauge, as `moldloft odds` works it out.
fn mean(own: &Evaluation, opponent: &OddsTarget) -> f64 {
    let question = OddsQuestion { situation: opponent.situation.clone(), ..OddsQuestion::default() };
    let odds = work_out(own, &opponent.target, &question);
    odds.headline_of(&odds.all).map_or(0.0, crate::odds::GaugeOdds::mean)
}

#[test]
fn the_most_damage_is_what_trying_every_file_finds() {
    let text = include_builtin("designs/sky-full-of-ships/swordfish.toml");
    let swordfish = subject_of("sky-full-of-ships", &text);
    let opponent = opponent(&swordfish);
    let mut best: Option<(f64, i64, i64, i64)> = None;
    for primary in 0..=12_i64 {
        for secondary in 0..=6_i64 {
            let text = text
                .replace("primary_forward = 8", &format!("primary_forward = {primary}"))
                .replace("secondary = 4", &format!("secondary = {secondary}"));
            let design = Subject::new(&swordfish.rules, &Source::new("x.toml", &text)).unwrap();
            let points = design.evaluation.points.unwrap();
            let known = &swordfish.evaluation.findings;
            let is_new = |code: &str| known.iter().all(|finding| *finding.code != *code);
            let warns =
                design.evaluation.findings.iter().any(|finding| {
                    finding.severity == moldloft_base::finding::Severity::Warning && is_new(&finding.code)
                });
            if !design.evaluation.legal || warns || points > 14 {
                continue;
            }
            let mean = mean(&design.evaluation, &opponent);
            if best.is_none_or(|(most, cost, _, _)| mean > most + 1e-9 || (mean > most - 1e-9 && points < cost)) {
                best = Some((mean, points, primary, secondary));
            }
        }
    }
    let (most, points, _, _) = best.unwrap();
    let question =
        question((Sense::Maximise, "odds.all"), &["points <= 14"], &["primary_forward:0..12", "secondary:0..6"]);
    let question = Question { warnings: WarningPolicy::Known, ..question };
    let (space, found) = search_odds(&swordfish, &question, &opponent, &Progress::default()).unwrap();
    let score = found.result.best.as_ref().unwrap().score;
    assert!((found.best.unwrap() - most).abs() < 2e-9, "{:?} {best:?}", found.best);
    assert_eq!((-score.points, found.result.proof, found.result.tried), (points, Proof::Proved, 13 * 7));
    assert!(found.best > found.before, "{found:?}");
    assert_eq!(claim(&space, &found.result), "Proved: no design within these limits is better.");
}

#[test]
fn a_goal_compares_a_mean_with_a_decimal() {
    // 7.0719 blocks at 20 MU: the worked figure of five launchers a side against Ardennes.
    let vigilant = subject("wars-of-honor", "vigilant");
    let ardennes = include_builtin("designs/wars-of-honor/ardennes.toml");
    let ardennes = Subject::new(&vigilant.rules, &Source::new("ardennes.toml", &ardennes)).unwrap();
    let opponent = opponent(&ardennes);
    let ask = |goal: &str| {
        let words = ["missile-launcher@port+starboard:3..5"];
        let question = question((Sense::Minimise, "points"), &[goal], &words);
        let (_, found) = search_odds(&vigilant, &question, &opponent, &Progress::default()).unwrap();
        (found.result.best.map(|best| best.point[0]), found.result.proof)
    };
    assert_eq!(ask("odds.missiles.structure >= 7.0718"), (Some(5), Proof::Proved));
    assert_eq!(ask("odds.missiles.structure > 7.0720"), (None, Proof::Proved));
    assert_eq!(ask("odds.missiles.structure <= 7.0718").1, Proof::Proved);
    assert!(ask("odds.missiles.structure <= 7.0718").0 < Some(5));
}

#[test]
fn questions_about_odds_that_cannot_be_asked_say_why() {
    let petrel = subject("wars-of-honor", "petrel");
    let opponent = opponent(&petrel);
    let refused = |objective: &str, goals: &[&str], vary: &[&str]| {
        let question = question((Sense::Maximise, objective), goals, vary);
        let finding = search_odds(&petrel, &question, &opponent, &Progress::default()).unwrap_err();
        (finding.code, format!("{} {}", finding.message, finding.help.unwrap_or_default()))
    };
    for (objective, goals, vary, code, words) in [
        ("odds.misiles", &[][..], &["laser"][..], "unknown-attack", "did you mean `missiles`?"),
        ("odds.missiles.strukture", &[], &["laser"], "unknown-gauge", "did you mean `structure`?"),
        ("odds.all", &[], &[], "nothing-to-vary", "such as laser:0..6"),
        ("odds.all", &[], &["laser:0..90", "cnc:0..90"], "too-many-designs", "8,281 designs"),
        ("launchers", &["odds.all >= many"], &["laser"], "goal-not-a-condition", "odds.all >= 7.5"),
        ("launchers", &["odds.all"], &["laser"], "goal-not-a-condition", "compare"),
        ("2 * odds.all", &["odds.all > 1"], &["laser"], "unknown-name", "odds"),
    ] {
        let (found, text) = refused(objective, goals, vary);
        assert_eq!(found, code, "{text}");
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn a_game_without_attacks_has_no_odds_to_ask_for() {
    let rules = "[ruleset]\nid = \"raft\"\ntitle = \"Rafts\"\nversion = \"1\"\nschema = 1\n[[field]]\nid = \"n\"\nkind = \"integer\"\ndefault = 5\n[[value]]\nid = \"points\"\nformula = \"n\"\n";
    let (rules, _) = Ruleset::load(&Source::new("raft.toml", rules));
    let raft =
        Subject::new(&Arc::new(rules.unwrap()), &Source::new("kon.toml", "ruleset = \"raft\"\nname = \"Kon\"\n"));
    let raft = raft.unwrap();
    let question = question((Sense::Maximise, "odds.all"), &[], &["n:0..3"]);
    let finding = search_odds(&raft, &question, &opponent(&raft), &Progress::default()).unwrap_err();
    assert_eq!(finding.code, "no-odds");
}
