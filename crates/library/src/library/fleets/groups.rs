//! Checks the groups of a fleet: takes an evaluated fleet, gives findings by the ruleset's group relations: allowed
//! ships, their number, and what they must have alike. A formula that cannot be computed gives no finding here, since
//! its cause has one.

use std::sync::Arc;

use moldloft_base::finding::{Finding, FindingList, did_you_mean, nearest};
use moldloft_base::sanitize::{list_names, shorten_line};
use moldloft_rules::design::fleet::FleetGroup;
use moldloft_rules::evaluate::SlotScope;
use moldloft_rules::formula::{Formula, Value};
use moldloft_rules::ruleset::{RelationDef, RelationKind, Ruleset};

use super::{EvaluatedFleet, FleetUnit};

/// The most ships in one finding.
const MAX_NAMED: usize = 6;
/// The most characters of a name in a finding.
const MAX_QUOTED_CHARS: usize = 60;

pub(super) fn check_groups(evaluated: &EvaluatedFleet, rules: &Arc<Ruleset>, found: &mut FindingList) {
    let fleet = &evaluated.fleet;
    for ship in &fleet.ships {
        let Some(word) = &ship.group else { continue };
        if fleet.groups.iter().any(|group| group.id.text == word.text) || found.is_full() {
            continue;
        }
        let help = did_you_mean(&word.text, fleet.groups.iter().map(|group| &*group.id.text))
            .unwrap_or_else(|| format!("add a [[group]] with the line id = \"{}\"", shorten(&word.text)));
        let message = format!("unknown group `{}`", shorten(&word.text));
        found
            .add(|| Finding::error("unknown-group", message).help(help).at(fleet.source.place_with_snippet(word.span)));
    }
    for group in &fleet.groups {
        check_group(evaluated, rules, group, found);
    }
}

fn check_group(evaluated: &EvaluatedFleet, rules: &Arc<Ruleset>, group: &FleetGroup, findings: &mut FindingList) {
    let fleet = &evaluated.fleet;
    let members: Vec<&FleetUnit> =
        evaluated.units.iter().filter(|unit| unit.is_in_group(fleet, &group.id.text)).collect();
    let name = group.name.as_ref().map_or(&group.id.text, |name| &name.text);
    let name = shorten(name);
    let at = fleet.source.place_with_snippet(group.id.span);
    // A group whose ships were skipped is not empty.
    if !fleet.ships.iter().any(|ship| ship.group.as_ref().is_some_and(|word| word.text == group.id.text)) {
        let finding = Finding::warning("empty-group", format!("no ships in {name}"))
            .help(format!("add group = \"{}\" to its ships", shorten(&group.id.text)));
        findings.add(|| finding.at(at.clone()));
    }
    // A group without a kind is only a name: every game allows it.
    let Some(kind) = &group.kind else { return };
    let groups = || rules.relations.iter().filter(|relation| relation.kind == RelationKind::Group);
    let Some(relation) = groups().find(|relation| relation.id == kind.text) else {
        let known: Vec<&str> = groups().map(|relation| &*relation.id).collect();
        let help = match (nearest(&kind.text, known.iter().copied()), known.as_slice()) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, []) => "remove the line: a group without a kind is only a name".to_owned(),
            (None, known) => format!("available kinds: {}; a group without a kind is only a name", known.join(", ")),
        };
        let message = format!("unknown group kind `{}` in {}", shorten(&kind.text), rules.base.title);
        findings.add(|| {
            Finding::error("unknown-relation", message).help(help).at(fleet.source.place_with_snippet(kind.span))
        });
        return;
    };
    let Some(first) = members.first() else { return };
    let mut add = |ending: &str, message: String, help: String, numbers: Option<String>| {
        let mut finding = Finding::error(format!("{}-{ending}", relation.id), message).help(help).at(at.clone());
        finding.rule = Some(rules.location(relation.span()));
        finding.numbers = numbers;
        findings.add(|| finding);
    };
    let count = members.len() as i64;
    let number = |formula: &Option<Formula>| match formula.as_ref().map(|formula| eval_for_unit(first, formula)) {
        Some(Value::Int(number)) => Some(number),
        _ => None,
    };
    if let Some(limit) = number(&relation.limit).filter(|limit| count > *limit) {
        let message = format!("{name} has {count} {}, a {} has at most {limit}", ship_noun(count), relation.label);
        let numbers = format!("{} = {count}, limit = {limit}", relation.id);
        add("over-limit", message, format!("remove {} from it", count - limit), Some(numbers));
    }
    if let Some(least) = number(&relation.least).filter(|least| count < *least) {
        let message = format!("{name} has {count} {}, a {} has at least {least}", ship_noun(count), relation.label);
        let numbers = format!("{} = {count}, least = {least}", relation.id);
        add("under-limit", message, format!("add {} more, or remove its kind", least - count), Some(numbers));
    }
    if let Some(from) = &relation.from {
        let barred: Vec<&&FleetUnit> =
            members.iter().filter(|unit| eval_for_unit(unit, from) == Value::Flag(false)).collect();
        if !barred.is_empty() {
            let named = name_list(barred.iter().map(|unit| unit_label(unit)));
            let message = format!("{named} not allowed in a {} ({name})", relation.label);
            add("not-allowed", message, "remove it from the group".to_owned(), None);
        }
    }
    report_differences(&members, relation, &name, &mut add);
}

/// Reports ships that differ in what must be alike.
fn report_differences(
    members: &[&FleetUnit],
    relation: &RelationDef,
    name: &str,
    add: &mut dyn FnMut(&str, String, String, Option<String>),
) {
    for (what, formula) in &relation.alike {
        let mut values: Vec<(Value, Vec<String>)> = Vec::new();
        for unit in members {
            let value = eval_for_unit(unit, formula);
            if value == Value::Null {
                continue;
            }
            match values.iter_mut().find(|(known, _)| *known == value) {
                Some((_, units)) => units.push(unit_label(unit)),
                None => values.push((value, vec![unit_label(unit)])),
            }
        }
        if values.len() > 1 {
            let listed = values
                .iter()
                .map(|(value, units)| format!("{} {}", name_list(units.iter().cloned()), value_text(value)));
            let listed: Vec<String> = listed.take(MAX_NAMED).collect();
            let message = format!("the ships of {name} differ in {}: {}", what.replace('_', " "), listed.join("; "));
            let help = format!("the ships of a {} must match: split the group", relation.label);
            add("not-alike", message, help, None);
        }
    }
}

fn eval_for_unit(unit: &FleetUnit, formula: &Formula) -> Value {
    unit.evaluation.eval(formula, &SlotScope::default())
}

fn value_text(value: &Value) -> String {
    match value {
        Value::Int(number) => number.to_string(),
        Value::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
        Value::Text(text) => shorten(text),
        _ => "something else".to_owned(),
    }
}

fn ship_noun(count: i64) -> &'static str {
    if count == 1 { "ship" } else { "ships" }
}

/// The ship's name in findings.
fn unit_label(unit: &FleetUnit) -> String {
    let ship = &unit.evaluation.ship;
    let name = ship.name.as_deref().or(ship.hull_number.as_deref());
    shorten(name.unwrap_or(if unit.evaluation.name.is_empty() { "a ship" } else { &unit.evaluation.name }))
}

/// The first names of a list, for a sentence.
fn name_list(names: impl Iterator<Item = String>) -> String {
    list_names(&names.collect::<Vec<_>>(), MAX_NAMED)
}

fn shorten(text: &str) -> String {
    shorten_line(text.trim(), MAX_QUOTED_CHARS)
}
