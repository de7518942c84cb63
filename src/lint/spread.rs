//! What a formula or a change reaches beyond what its author looked at: what is stated for a whole fit counted once for each of its
//! count, and systems that a layer changes because they are like the one it names. Takes the ground; never evaluates.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::formula::Formula;
use crate::ruleset::{AttributeRule, ItWord, Kind, Name, Selector, Sort, brief};
use crate::source::Span;
use crate::source::toml::{Data, Node, Table};

use super::ground::{Ground, text};

pub(super) fn look(ground: &mut Ground<'_>) {
    whole_fits(ground);
    whole_lines(ground);
    others(ground);
}

/// The parameters of a system that a formula reads although they are for the whole fit, without dividing by its count.
fn for_the_whole(ground: &Ground<'_>, system: usize, formula: &Formula) -> Option<Arc<str>> {
    let reads: Vec<Name> = formula.reads().map(Name::of).collect();
    if reads.contains(&Name::It(ItWord::Count)) {
        return None;
    }
    let parameters = &ground.rules.systems[system].parameters;
    let read =
        |answer: usize| reads.iter().any(|name| matches!(name, Name::Answer(n) | Name::Whole(n) if *n == answer));
    parameters.iter().find(|one| one.per_fit && read(one.answer)).map(|one| one.id.clone())
}

/// Attributes that are added up and read what is stated for the whole fit.
fn whole_fits(ground: &mut Ground<'_>) {
    let rules = ground.rules;
    let added = |answer: usize| {
        let total = |call: &u32| rules.lexicon.calls.get(*call).is_some_and(|call| call.kind == Kind::Total(answer));
        let cost = |formula: &Formula| formula.reads().any(|slot| Name::of(slot) == Name::Answer(answer));
        ground.calls.iter().any(total)
            || ground.reads.contains(&Name::Whole(answer).slot())
            || rules.costs.iter().any(|line| line.count.is_none() && cost(&line.each))
    };
    // Systems that are like each other have one formula between them.
    let mut found: BTreeMap<Span, (Arc<str>, Vec<Arc<str>>, Arc<str>)> = BTreeMap::new();
    for (n, system) in rules.systems.iter().enumerate() {
        for (answer, rule) in system.attributes.iter().enumerate() {
            let AttributeRule::Formula(formula, span, _) = rule else { continue };
            if let Some(parameter) = for_the_whole(ground, n, formula).filter(|_| added(answer)) {
                let id = rules.lexicon.answers[answer].id.clone();
                found.entry(*span).or_insert_with(|| (id, Vec::new(), parameter)).1.push(system.id.clone());
            }
        }
    }
    for (span, (attribute, systems, parameter)) in found {
        let message = format!(
            "`{attribute}` of {} is for ONE of a fit's count but reads `{parameter}`, which is for the whole fit: a fit of 6 counts it 6 times",
            listed(&systems)
        );
        let help = format!(
            "total it separately, with total('{parameter}', '{}') in the value and in a [[cost]] line, or divide by it.count",
            systems.first().map_or("", |id| id)
        );
        ground.find("whole-fit-times-count", span, message, help);
    }
}

/// Lines of the cost, one for each fit and times its count, that read what is stated for the whole fit.
fn whole_lines(ground: &mut Ground<'_>) {
    let rules = ground.rules;
    let mut found = Vec::new();
    for line in rules.costs.iter().filter(|line| line.count.is_none()) {
        let systems: Vec<usize> = match &line.for_each {
            Some(Selector::Fit(Some(systems)) | Selector::System(Some(systems))) => systems.clone(),
            Some(Selector::Fit(None) | Selector::System(None)) => (0..rules.systems.len()).collect(),
            _ => continue,
        };
        if let Some(parameter) = systems.into_iter().find_map(|system| for_the_whole(ground, system, &line.each)) {
            let message = format!(
                "`{}` is paid for each of a fit's count but reads `{parameter}`, which is for the whole fit: a fit of 6 pays it 6 times",
                brief(&line.each.source)
            );
            found.push((line.each.at, message));
        }
    }
    for (span, message) in found {
        ground.find("whole-fit-times-count", span, message, "set count = 1 in the line to pay it once per fit");
    }
}

/// Systems that a layer changes because they are like one that it names.
fn others(ground: &mut Ground<'_>) {
    if !ground.is_layer() {
        return;
    }
    let rules = ground.rules;
    let id_of = |table: &Table<'_>| text(table.get("id")).map(str::to_owned);
    let mut found: Vec<(Span, String, String)> = Vec::new();
    for one in rules.statements.iter().filter(|one| one.span.file == ground.own() && &*one.word == "system") {
        let Some(named) = rules.systems.iter().find(|system| *system.id == *one.id) else { continue };
        let own = ground.thing("system", &one.id).is_some_and(|table| table.span.file == ground.own());
        // A kind is there to be changed for all that are like it.
        if one.sort == Sort::Removed || named.is_abstract || own {
            continue;
        }
        let mut reached: Vec<Arc<str>> = Vec::new();
        let mut key = None;
        for table in ground.things("system") {
            let Some(id) = id_of(table).filter(|id| **id != *one.id) else { continue };
            if let Some(entry) = table.entries.iter().find(|entry| wrote(&entry.node, one.all)) {
                key.get_or_insert_with(|| entry.key.to_string());
                reached.push(id.into());
            }
        }
        let (Some(key), Some(first)) = (key, reached.first()) else { continue };
        let before = one.before.map(|span| rules.written(span));
        let was = before.as_ref().map_or_else(|| "…".to_owned(), String::clone);
        let message = format!(
            "changing `{key}` of {} also changes {}, which {} like it",
            one.id,
            listed(&reached),
            if reached.len() == 1 { "is" } else { "are" }
        );
        let keep = match before.as_deref().and_then(|was| was.parse::<i64>().ok()) {
            Some(_) => format!("{key} = {was}"),
            None => format!("the old {key}"),
        };
        let more = if reached.len() > 1 { ", and likewise for the others" } else { "" };
        let help = format!("to keep the old value, write [change.system.{first}] with {keep}{more}");
        found.push((one.span, message, help));
    }
    for (span, message, help) in found {
        ground.find("changes-others-too", span, message, help);
    }
}

/// Whether a node stands within a statement.
fn within(node: &Node<'_>, all: Span) -> bool {
    node.span.file == all.file && all.start <= node.span.start && node.span.end <= all.end
}

/// Whether a part of a node was written by a statement.
fn wrote(node: &Node<'_>, all: Span) -> bool {
    within(node, all)
        || match &node.data {
            Data::List(list) => list.iter().any(|node| wrote(node, all)),
            Data::Table(table) => table.entries.iter().any(|entry| wrote(&entry.node, all)),
            _ => false,
        }
}

/// `laser, pulser and torpedo`; a long list is cut short.
fn listed(ids: &[Arc<str>]) -> String {
    const MOST: usize = 6;
    match ids.split_last() {
        None => String::new(),
        Some((last, [])) => last.to_string(),
        Some((last, before)) if ids.len() <= MOST => format!("{} and {last}", before.join(", ")),
        Some(_) => format!("{} and {} more", ids[..MOST].join(", "), ids.len() - MOST),
    }
}
