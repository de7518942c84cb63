//! Designs of one name in several files: takes an evaluated fleet, reports which of them a ship's class is.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::store::FileRef;
use moldloft_base::finding::{Finding, FindingList};
use moldloft_base::sanitize::{fold_for_search, plural, shorten};
use moldloft_rules::design::Ship;
use moldloft_rules::evaluate::evaluate;
use moldloft_rules::ruleset::Ruleset;

use super::{ClassSource, EvaluatedFleet, FleetClass};

const MAX_NAME: usize = 60;

/// Reports each class that is named by its name and found in several files. A copy with the same text changes nothing,
/// and neither does a class that is named by its file.
pub(super) fn check_same_names(evaluated: &EvaluatedFleet, rules: &Arc<Ruleset>, found: &mut FindingList) {
    let name_of = |class: &FleetClass| class.design.name.as_ref().map(|name| fold_for_search(name.text.trim()));
    let is_of_game = |class: &FleetClass| {
        class.design.ruleset.as_ref().is_some_and(|id| rules.templates.iter().any(|known| **known == *id.text))
    };
    let mut seen = BTreeSet::new();
    for unit in &evaluated.units {
        let ClassSource::File(file) = &unit.class.source else { continue };
        let Some(name) = name_of(&unit.class) else { continue };
        let entry = &evaluated.fleet.ships[unit.entry];
        let own = unit.carried.map_or(entry, |(list, at)| &entry.carried[list].ships[at]);
        let Some(word) = own.design.as_ref().filter(|word| fold_for_search(word.text.trim()) == name) else { continue };
        if !seen.insert(name.clone()) {
            continue;
        }
        let others = evaluated.classes.iter().filter(|other| {
            matches!(&other.source, ClassSource::File(path) if path != file)
                && name_of(other).as_deref() == Some(&*name)
                && is_of_game(other)
                && other.design.source.text != unit.class.design.source.text
        });
        for other in others {
            let ClassSource::File(path) = &other.source else { continue };
            found.add(|| {
                let points =
                    |points: Option<i64>| points.map_or_else(|| "no points".into(), |one| plural(one, "point"));
                let now = points(evaluate(rules, &unit.class.design, &Ship::default()).points);
                let then = points(evaluate(rules, &other.design, &Ship::default()).points);
                let class = shorten(word.text.trim(), MAX_NAME);
                let (file, path) = (shown(file), shown(path));
                let message = format!("two designs are called {class}: {file} ({now}) is used, {path} ({then}) is not");
                Finding::warning("duplicate-design", message)
                    .help("rename one of them, or name a ship's class by its file: design = \"FILE.toml\"")
                    .at(evaluated.fleet.source.place_with_snippet(word.span))
            });
        }
    }
}

fn shown(file: &FileRef) -> String {
    let built_in = if file.built_in { "the built-in " } else { "" };
    format!("{built_in}{}", shorten(&file.path.to_string_lossy().replace('\\', "/"), 2 * MAX_NAME))
}
