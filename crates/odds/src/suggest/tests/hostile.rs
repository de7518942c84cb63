//! Hostile questions and rulesets: a finding that names the place, in bounded work.

use super::super::boxes::narrow;
use super::*;
use crate::suggest::limits::MAX_LEVERS;
use crate::suggest::search::branch_and_bound;
use moldloft_base::finding::Finding;

fn refusal(question: &Question) -> Finding {
    let petrel = subject("wars-of-honor", "petrel");
    SearchSpace::new(&petrel, question).err().unwrap_or_else(|| panic!("{question:?} is possible"))
}

fn maximise(formula: &str, goals: &[&str], vary: &[&str]) -> Question {
    question((Sense::Maximise, formula), goals, vary)
}

#[test]
fn mistakes_are_named_with_what_is_near() {
    for (question, code, words) in [
        (maximise("launchers", &[], &["missile-luncher"]), "unknown-lever", "did you mean `missile-launcher`?"),
        (maximise("launcher", &[], &[]), "unknown-name", "launchers"),
        (maximise("launchers", &["points + 1"], &[]), "goal-not-a-condition", "compare it with a number"),
        (maximise("launchers", &["pionts < 3"], &[]), "unknown-name", "points"),
        (maximise("launchers", &["points <"], &[]), "not-a-formula", "unexpected end"),
        (maximise("d6", &[], &[]), "misplaced-dice", "dice belong in attacks"),
        (maximise("1 if legal else 0", &[], &[]), "wrong-name", "every answer is legal"),
        (maximise("7", &[], &[]), "nothing-to-vary", "such as missile-launcher"),
        (maximise("launchers", &[], &["missile-magazine.feeds:-9..-3"]), "empty-window", "within"),
        (maximise("launchers", &[], &["graser@core"]), "unknown-lever", "allowed mounts"),
        (maximise("launchers", &["points < 3"; 17], &[]), "too-many-goals", "and"),
    ] {
        let finding = refusal(&question);
        let text = format!("{} {}", finding.message, finding.help.clone().unwrap_or_default());
        assert!(text.contains(words), "{code}: {text}");
        assert_eq!(finding.code, code, "{text}");
    }
    for (text, code) in [
        ("laser:9..3", "empty-window"),
        ("laser:a..b", "wrong-argument"),
        ("laser:0..99999", "too-large"),
        ("laser:3", "wrong-argument"),
        ("laser:0..99999999999999999999", "wrong-argument"),
    ] {
        assert_eq!(VaryWord::parse(text).unwrap_err().code, code, "{text}");
    }
}

/// A ruleset and a design with so many of its systems.
fn raft(rules: &str, fits: usize) -> Subject {
    let rules = format!(
        "[ruleset]\nid = \"raft\"\ntitle = \"Rafts\"\nversion = \"1\"\nschema = 1\n[attributes]\nmass = 1\n[[mount]]\nid = \"deck\"\n{rules}"
    );
    let (rules, findings) = Ruleset::load(&Source::new("raft.toml", &rules));
    let rules = Arc::new(rules.unwrap_or_else(|| panic!("{findings:?}")));
    let fit = "[[fit]]\nsystem = \"log\"\nmount = \"deck\"\n";
    let text = format!("ruleset = \"raft\"\nname = \"Kon\"\n{}", fit.repeat(fits));
    Subject::new(&rules, &Source::new("kon.toml", &text)).unwrap()
}

#[test]
fn what_a_box_does_not_know_proves_nothing() {
    let rules = "[[system]]\nid = \"log\"\n[[value]]\nid = \"points\"\nformula = \"length(join(repeat('x', count('log')), ''))\"\n";
    let subject = raft(rules, 1);
    let space = SearchSpace::new(&subject, &maximise("points", &[], &["log:0..9000"])).unwrap();
    let result = search(&space, &Progress::default());
    assert_ne!(result.proof, Proof::Proved);
    assert!(claim(&space, &result).ends_with("designs tried. Nothing is proved."), "{}", claim(&space, &result));
    // A small window is counted.
    let space = SearchSpace::new(&subject, &maximise("points", &[], &["log:0..900"])).unwrap();
    let result = search(&space, &Progress::default());
    assert_eq!((result.proof, result.best.unwrap().score.main), (Proof::Proved, 900));
}

#[test]
fn overflow_and_division_by_zero_are_no_answers() {
    let rules = "[[system]]\nid = \"log\"\n[[field]]\nid = \"n\"\nkind = \"integer\"\ndefault = 5\n[[value]]\nid = \"big\"\nformula = \"n * n * n * 1000000000\"\n[[value]]\nid = \"rest\"\nformula = \"1000 // (n - 7)\"\n[[value]]\nid = \"points\"\nformula = \"n\"\n";
    let subject = raft(rules, 1);
    let ask = |formula: &str, window: &str| {
        let space = SearchSpace::new(&subject, &maximise(formula, &[], &[window])).unwrap();
        let result = branch_and_bound(&space, &Progress::default());
        (result.proof, result.best.map(|best| (best.score.main, best.point)))
    };
    assert_eq!(ask("big", "n:0..9000"), (Proof::Proved, Some((1_000_000_000_000_000, vec![100]))));
    assert_eq!(ask("rest", "n:0..9000"), (Proof::Proved, Some((1_000, vec![8]))));
    assert_eq!(ask("rest", "n:7..7"), (Proof::Proved, None));
}

#[test]
fn many_fits_and_long_formulas_end() {
    let values: String = (0..40)
        .map(|n| format!("[[value]]\nid = \"v{n}\"\nformula = \"{}\"\n", ["total('mass')"; 40].join(" + ")))
        .collect();
    let rules = format!("[[system]]\nid = \"log\"\n{values}[[value]]\nid = \"points\"\nformula = \"v0 + v39\"\n");
    let subject = raft(&rules, 40);
    let space = SearchSpace::new(&subject, &maximise("v39", &["points <= 100000"], &["log"])).unwrap();
    assert_eq!((space.levers.len(), space.left_out), (MAX_LEVERS, 40 - MAX_LEVERS));
    let result = search(&space, &Progress::default());
    // 24 logs of 0 to 8 and 16 of 1, each counted forty times.
    assert_eq!(result.best.map(|best| best.score.main), Some(40 * (24 * 8 + 16)));
}

/// The question's own formulas are work of each design: lists of thousands stop the search long before all boxes are looked into.
#[test]
fn formulas_of_the_question_are_work() {
    let subject = raft("[[system]]\nid = \"log\"\n[[value]]\nid = \"points\"\nformula = \"count('log')\"\n", 1);
    let long = maximise("length(join(repeat('x', count('log')), ''))", &[], &["log:0..9999"]);
    let space = SearchSpace::new(&subject, &long).unwrap();
    let result = search(&space, &Progress::default());
    // Thousands of letters are thousands of steps for each design.
    assert!(result.work > 200 * result.tried as u64, "{} {}", result.work, result.tried);
    assert!(result.boxes < 10_000, "{}", result.boxes);
    let short = maximise("count('log')", &[], &["log:0..9999"]);
    let space = SearchSpace::new(&subject, &short).unwrap();
    let plain = space.box_work(&space.trial());
    let goals = vec!["count('log') + count('log') * 2 + count('log') * 3 + count('log') * 4 >= 0"; 16];
    let space = SearchSpace::new(&subject, &maximise("count('log')", &goals, &["log:0..9999"])).unwrap();
    assert!(space.box_work(&space.trial()) > 5 * plain, "{plain}");
}

/// A box looks at exact lists once for each goal.
#[test]
fn lists_that_no_lever_moves_are_work_of_each_box() {
    let rules = "[[system]]\nid = \"log\"\n[[field]]\nid = \"n\"\nkind = \"integer\"\nmin = 0\nmax = 9000\ndefault = 5000\n\
                 [[value]]\nid = \"points\"\nformula = \"count('log')\"\n";
    let subject = raft(rules, 1);
    let goal = "count('log') + sum(range(n)) >= 0";
    let space = SearchSpace::new(&subject, &maximise("count('log')", &[goal], &["log:0..9999"])).unwrap();
    let mut work = 0;
    let trial = space.trial();
    assert!(narrow(&space, &space.model(&trial), space.whole_box(), None, &mut work).is_some());
    // Each round asks twice whether the goal holds.
    assert!(work >= 1_000, "{work}");
}
