//! Side effects of formulas and changes: takes the lint context, reports per-fit parameters that are multiplied by the
//! count, and systems that a layer changes because they are like another. Never evaluates.

use std::collections::BTreeMap;
use std::sync::Arc;

use moldloft_base::source::Span;
use moldloft_base::source::toml::{TomlNode, TomlTable, TomlValue};
use moldloft_rules::formula::Formula;
use moldloft_rules::ruleset::{AttributeRule, CallKind, ChangeKind, ItWord, Selector, Symbol, shorten};

use super::context::{LintContext, words_of};

pub(super) fn check(context: &mut LintContext<'_>) {
    check_attributes(context);
    check_cost_lines(context);
    check_inherited_changes(context);
}

/// A per-fit parameter of a system that a formula reads without dividing by the count.
fn whole_fit_parameter(context: &LintContext<'_>, system: usize, formula: &Formula) -> Option<Arc<str>> {
    let reads: Vec<Symbol> = formula.reads().map(Symbol::from_slot).collect();
    if reads.contains(&Symbol::It(ItWord::Count)) {
        return None;
    }
    let parameters = &context.rules.systems[system].parameters;
    let read = |attribute: usize| {
        reads.iter().any(|name| matches!(name, Symbol::Attribute(n) | Symbol::Whole(n) if *n == attribute))
    };
    parameters.iter().find(|one| one.per_fit && read(one.attribute)).map(|one| one.id.clone())
}

/// Attributes that are totalled and read a per-fit parameter.
fn check_attributes(context: &mut LintContext<'_>) {
    let rules = context.rules;
    let added = |attribute: usize| {
        let total =
            |call: &u32| rules.symbols.calls.get(*call).is_some_and(|call| call.kind == CallKind::Total(attribute));
        let cost =
            |formula: &Formula| formula.reads().any(|slot| Symbol::from_slot(slot) == Symbol::Attribute(attribute));
        context.calls.iter().any(total)
            || context.reads.contains(&Symbol::Whole(attribute).slot())
            || rules.costs.iter().any(|line| line.count.is_none() && cost(&line.each))
    };
    // Systems that are like each other share one formula.
    let mut found: BTreeMap<Span, (Arc<str>, Vec<Arc<str>>, Arc<str>)> = BTreeMap::new();
    for (n, system) in rules.systems.iter().enumerate() {
        for (attribute, rule) in system.attributes.iter().enumerate() {
            let AttributeRule::Formula(formula, span, _) = rule else { continue };
            if let Some(parameter) = whole_fit_parameter(context, n, formula).filter(|_| added(attribute)) {
                let id = rules.symbols.attributes[attribute].id.clone();
                found.entry(*span).or_insert_with(|| (id, Vec::new(), parameter)).1.push(system.id.clone());
            }
        }
    }
    for (span, (attribute, systems, parameter)) in found {
        let message = format!(
            "`{attribute}` of {} is for ONE of a fit's count but reads `{parameter}`, which is for the whole fit: a fit of 6 counts it 6 times",
            join_ids(&systems)
        );
        let help = format!(
            "total it separately, with total('{parameter}', '{}') in the value and in a [[cost]] line, or divide by it.count",
            systems.first().map_or("", |id| id)
        );
        let names = systems.iter().chain([&attribute, &parameter]).map(|name| &**name);
        context.find_about("whole-fit-times-count", span, names, message, help);
    }
}

/// Cost lines for each fit, times its count, that read a per-fit parameter.
fn check_cost_lines(context: &mut LintContext<'_>) {
    let rules = context.rules;
    let mut found = Vec::new();
    for line in rules.costs.iter().filter(|line| line.count.is_none()) {
        let systems: Vec<usize> = match &line.for_each {
            Some(Selector::Fit(Some(systems)) | Selector::System(Some(systems))) => systems.clone(),
            Some(Selector::Fit(None) | Selector::System(None)) => (0..rules.systems.len()).collect(),
            _ => continue,
        };
        if let Some(parameter) = systems.into_iter().find_map(|system| whole_fit_parameter(context, system, &line.each))
        {
            let message = format!(
                "`{}` is paid for each of a fit's count but reads `{parameter}`, which is for the whole fit: a fit of 6 pays it 6 times",
                shorten(&line.each.source)
            );
            found.push((&line.each, message));
        }
    }
    for (formula, message) in found {
        let help = "set count = 1 in the line to pay it once per fit";
        context.find_about("whole-fit-times-count", formula.at, words_of(&formula.source), message, help);
    }
}

/// Systems that a layer changes because they are like one that it names.
fn check_inherited_changes(context: &mut LintContext<'_>) {
    if !context.is_layer() {
        return;
    }
    let rules = context.rules;
    let id_of = |table: &TomlTable<'_>| table.text("id").map(str::to_owned);
    let mut found: Vec<(Span, String, String)> = Vec::new();
    for one in rules.statements.iter().filter(|one| one.span.file == context.own_file() && &*one.section == "system") {
        let Some(named) = rules.systems.iter().find(|system| *system.id == *one.id) else { continue };
        let own = context.definition("system", &one.id).is_some_and(|table| table.span.file == context.own_file());
        // An abstract system is meant to be changed together with all that are like it.
        if one.kind == ChangeKind::Removed || named.is_abstract || own {
            continue;
        }
        let mut reached: Vec<Arc<str>> = Vec::new();
        let mut key = None;
        for table in context.definitions("system") {
            let Some(id) = id_of(table).filter(|id| **id != *one.id) else { continue };
            if let Some(entry) = table.entries.iter().find(|entry| is_written_by(&entry.node, one.full_span)) {
                key.get_or_insert_with(|| entry.key.to_string());
                reached.push(id.into());
            }
        }
        let (Some(key), Some(first)) = (key, reached.first()) else { continue };
        let before = one.before.map(|span| rules.source_text(span));
        let was = before.as_ref().map_or_else(|| "…".to_owned(), String::clone);
        let message = format!(
            "changing `{key}` of {} also changes {}, which {} like it",
            one.id,
            join_ids(&reached),
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
        context.find("changes-others-too", span, message, help);
    }
}

fn is_within(node: &TomlNode<'_>, all: Span) -> bool {
    node.span.file == all.file && all.start <= node.span.start && node.span.end <= all.end
}

/// Whether a statement wrote a part of a node.
fn is_written_by(node: &TomlNode<'_>, all: Span) -> bool {
    is_within(node, all)
        || match &node.data {
            TomlValue::List(list) => list.iter().any(|node| is_written_by(node, all)),
            TomlValue::Table(table) => table.entries.iter().any(|entry| is_written_by(&entry.node, all)),
            _ => false,
        }
}

/// `laser, pulser and torpedo`; a long list is cut.
fn join_ids(ids: &[Arc<str>]) -> String {
    const MAX_IDS: usize = 6;
    match ids.split_last() {
        None => String::new(),
        Some((last, [])) => last.to_string(),
        Some((last, before)) if ids.len() <= MAX_IDS => format!("{} and {last}", before.join(", ")),
        Some(_) => format!("{} and {} more", ids[..MAX_IDS].join(", "), ids.len() - MAX_IDS),
    }
}
