//! Tests of suggestions: the golden questions, brute force over windows, bounds over random boxes.

mod broken;
mod brute_force;
mod golden;
mod hostile;
mod odds_goals;
mod random_questions;
mod soundness;

use std::sync::Arc;

use super::*;
use moldloft_base::progress::Progress;
use moldloft_base::source::Source;
use moldloft_rules::ruleset::Ruleset;

pub(super) fn rules(game: &str) -> Arc<Ruleset> {
    let text = include_builtin(&format!("rulesets/{game}.toml"));
    let (rules, findings) = Ruleset::load(&Source::new(format!("rulesets/{game}.toml"), &text));
    Arc::new(rules.unwrap_or_else(|| panic!("{findings:?}")))
}

macro_rules! files {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../../../../../", $path)))),*]
    };
}

const FILES: &[(&str, &str)] = files![
    "rulesets/wars-of-honor.toml",
    "rulesets/sky-full-of-ships.toml",
    "rulesets/star-navy.toml",
    "rulesets/battleships-1890s.toml",
    "rulesets/b5-house-rules.toml",
    "designs/wars-of-honor/petrel.toml",
    "designs/wars-of-honor/vigilant.toml",
    "designs/wars-of-honor/grinning-jack.toml",
    "designs/wars-of-honor/hornisse.toml",
    "designs/wars-of-honor/ardennes.toml",
    "designs/sky-full-of-ships/swordfish.toml",
    "designs/sky-full-of-ships/atlas.toml",
    "designs/sky-full-of-ships/burlington.toml",
    "designs/star-navy/pittsburgh.toml",
    "designs/star-navy/milwaukee.toml",
    "designs/battleships-1890s/saltholm.toml",
    "designs/b5-house-rules/varnic.toml",
    "designs/b5-house-rules/torvald-deep.toml",
];

fn include_builtin(path: &str) -> String {
    FILES.iter().find(|(known, _)| *known == path).unwrap_or_else(|| panic!("no {path}")).1.to_owned()
}

pub(super) fn subject(game: &str, design: &str) -> Subject {
    subject_of(game, &include_builtin(&format!("designs/{game}/{design}.toml")))
}

pub(super) fn subject_of(game: &str, text: &str) -> Subject {
    Subject::new(&rules(game), &Source::new("x.toml", text)).unwrap()
}

pub(super) fn question(objective: (Sense, &str), goals: &[&str], vary: &[&str]) -> Question {
    Question {
        objective: Some((objective.0, objective.1.to_owned())),
        goals: goals.iter().map(|goal| (*goal).to_owned()).collect(),
        vary: vary.iter().map(|word| VaryWord::parse(word).unwrap()).collect(),
        pins: Vec::new(),
        warnings: WarningPolicy::Any,
        effort: 1,
    }
}

pub(super) fn ask(subject: &Subject, question: &Question) -> (SearchResult, Vec<String>) {
    let space = SearchSpace::new(subject, question).unwrap();
    let result = search(&space, &Progress::default());
    let changes = result.best.iter().flat_map(|best| {
        let moved = space.levers.iter().zip(&best.point).filter(|(lever, number)| lever.now != **number);
        moved.map(|(lever, number)| format!("{} {}->{number}", lever.id, lever.now)).collect::<Vec<_>>()
    });
    let changes = changes.collect();
    (result, changes)
}
