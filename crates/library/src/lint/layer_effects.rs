//! Faults in lower files that a layer causes: takes the findings there, gives those that do not occur without the
//! layer, at the statement of the layer that caused them, else at its header.

use std::collections::BTreeSet;
use std::sync::Arc;

use moldloft_base::source::Span;
use moldloft_base::source::toml::{TomlNode, TomlValue};
use moldloft_rules::ruleset::{ChangeKind, LayerStatement, Ruleset, Symbol, id_key};

use super::LintInput;
use super::catalogue::BelowLayer;
use super::context::{LintContext, LintFinding, words_of};
use super::trial_runs;

/// The most statements of a layer that are left out one by one to find the cause.
const MAX_STATEMENTS_TRIED: usize = 60;
/// The most designs in which a check fires without the layer that are tried with it.
const MAX_DESIGNS_TRIED: usize = 12;

pub(super) type LintCheck = fn(&mut LintContext<'_>);

pub(super) fn check(context: &mut LintContext<'_>, checks: &[LintCheck]) {
    let found = context.take_below();
    if found.is_empty() || !context.is_layer() {
        return;
    }
    let Some(below) = context.rules.without_last_layer().map(Arc::new) else { return };
    let subject = LintInput { ruleset: &below, designs: context.designs, templates: context.templates };
    let mut without = LintContext::new(&subject, &|| true);
    for check in checks {
        check(&mut without);
    }
    let known: BTreeSet<(&str, Span)> = without.found_places();
    for found in found {
        let (lint, span) = (found.lint, found.span);
        let is_own_fault = match lint.below_layer {
            BelowLayer::Reported => true,
            BelowLayer::Ignored => false,
            BelowLayer::Retried => !still_fires(context, &without, span),
        };
        if known.contains(&(lint.code, span)) || !is_own_fault {
            continue;
        }
        let at = blame_statement(context, &found).unwrap_or_else(|| header_span(context.rules));
        let place = context.rules.location(span);
        let LintFinding { finding, names, trial, .. } = found;
        let message = format!("with this layer, {} ({place})", finding.message);
        context.add(lint.code, at, names, message, finding.help.unwrap_or_default(), trial);
    }
}

/// Whether a check that fired in none of the designs tried fires in those in which it fires without the layer.
fn still_fires(context: &LintContext<'_>, without: &LintContext<'_>, span: Span) -> bool {
    let is = |check: &moldloft_rules::ruleset::CheckDef| context.span("check", &check.code, "fails_when") == span;
    let Some(check) = context.rules.checks.iter().position(is) else { return false };
    let code = &context.rules.checks[check].code;
    let Some(before) = without.rules.checks.iter().position(|check| check.code == *code) else { return false };
    let fired =
        without.trials.iter().enumerate().filter(|(_, one)| one.fired_checks.contains(&before)).take(MAX_DESIGNS_TRIED);
    let mut designs = fired.filter_map(|(trial, _)| without.design(trial)).peekable();
    designs.peek().is_none() || designs.any(|design| trial_runs::fired_checks(context.rules, design).contains(&check))
}

fn header_span(rules: &Ruleset) -> Span {
    rules.layers.last().map_or(Span::default(), |layer| layer.span)
}

/// The statement of the layer that concerns a finding: one of the same declaration, else one of a thing that the finding
/// names, else one that replaced a text with such a name or changed what the declaration reads.
fn blame_statement(context: &LintContext<'_>, found: &LintFinding) -> Option<Span> {
    let own = context.rules.statements.iter().filter(|statement| statement.span.file == context.own_file());
    let declaration = definition_at(context, found.span);
    let (section, id) = declaration.as_ref().map_or(("", ""), |(section, id)| (section.as_str(), id.as_str()));
    let is_named = |name: &str| found.names.contains(name) || (!id.is_empty() && name == id);
    let replaced = |statement: &LayerStatement| {
        let text = statement.before.map_or("", |span| context.rules.text_at(span));
        words_of(text).iter().any(|word| is_named(word))
    };
    let formulas = context.formulas.iter().filter(|entry| entry.section == section && entry.id == id);
    let reads: BTreeSet<String> = formulas.flat_map(|entry| entry.part.formula_sources()).flat_map(words_of).collect();
    let weight = |statement: &LayerStatement| {
        if *statement.section == *section && *statement.id == *id {
            3
        } else if is_named(&statement.id) {
            2
        } else {
            u8::from(replaced(statement) || reads.contains(&*statement.id))
        }
    };
    let suspects = own.filter(|statement| weight(statement) > 0);
    suspects.max_by_key(|statement| (weight(statement), statement.id.len())).map(|statement| statement.span)
}

/// Section and id of the declaration at a place: `check`, `too-heavy`.
fn definition_at(context: &LintContext<'_>, span: Span) -> Option<(String, String)> {
    for word in &context.tree.entries {
        let TomlValue::List(list) = &word.node.data else { continue };
        for node in list {
            let TomlValue::Table(table) = &node.data else { continue };
            if contains_span(node, span)
                && let Some(id) = table.text(id_key(&word.key))
            {
                return Some((word.key.to_string(), id.to_owned()));
            }
        }
    }
    None
}

/// Whether a node, or something in it, is at a place.
pub(super) fn contains_span(node: &TomlNode<'_>, span: Span) -> bool {
    let at = |one: Span| one.file == span.file && one.start <= span.start && span.end <= one.end;
    at(node.span)
        || match &node.data {
            TomlValue::List(list) => list.iter().any(|node| contains_span(node, span)),
            TomlValue::Table(table) => {
                table.entries.iter().any(|entry| at(entry.span) || contains_span(&entry.node, span))
            }
            _ => false,
        }
}

/// The statement without which a design's costs add up, and help; the layer's header if there is no such statement.
pub(super) fn blame_costs(context: &LintContext<'_>, trial: usize) -> (Span, String) {
    let general =
        "write a surcharge as a [[cost]] line and, for the same sum, [change.value.points] formula = \"base + …\"";
    let rules = context.rules;
    let Some(design) = context.design(trial) else { return (header_span(rules), general.to_owned()) };
    let mut own: Vec<usize> =
        (0..rules.statements.len()).filter(|&n| rules.statements[n].span.file == context.own_file()).collect();
    // Statements about costs and points first.
    own.sort_by_key(|&n| {
        let one = &rules.statements[n];
        match (&*one.section, &*one.id) {
            ("cost", _) => 0,
            ("value", "points") => 1,
            ("system" | "attributes", _) => 2,
            _ => 3,
        }
    });
    let adds_up = |without: &[usize], changes: &str| {
        let rules = rules.with_trial_changes(without, changes).map(Arc::new);
        let costs = rules.and_then(|rules| trial_runs::points_and_costs(&rules, design));
        costs.is_some_and(|(points, sum)| points == sum)
    };
    let Some(found) = own.iter().copied().take(MAX_STATEMENTS_TRIED).find(|n| adds_up(&[*n], "")) else {
        return (header_span(rules), general.to_owned());
    };
    let one = &rules.statements[found];
    let help = match (&*one.section, one.kind) {
        ("cost", ChangeKind::Added) => match cost_formula(context, one.span) {
            Some(sum) => costs_help(context, &own, &sum, &adds_up),
            None => general.to_owned(),
        },
        ("cost", _) => {
            "change `points` by the same amount: [change.value.points] with formula = \"base + …\"".to_owned()
        }
        _ => "add a [[cost]] line with the difference, so that the lines add up to `points`".to_owned(),
    };
    (one.span, help)
}

/// Where the missing cost line belongs: in `points` itself, else in a value that `points` reads, since a line such as a
/// discount may be computed from `points`.
fn costs_help(context: &LintContext<'_>, own: &[usize], sum: &str, adds_up: &dyn Fn(&[usize], &str) -> bool) -> String {
    let rules = context.rules;
    let change = |value: &str| format!("[change.value.{value}]\nformula = \"base + {sum}\"\n");
    let points = rules.values.iter().find(|value| &*value.id == "points");
    let reads = points.into_iter().flat_map(|points| points.formula.reads());
    let read = reads.filter_map(|slot| match Symbol::from_slot(slot) {
        Symbol::Value(n) => Some(&*rules.values[n].id),
        _ => None,
    });
    let values: Vec<&str> = std::iter::once("points").chain(read).collect();
    if let Some(value) = values.iter().find(|value| adds_up(&[], &change(value))) {
        return format!(
            "`points` does not include this line: add [change.value.{value}] with formula = \"base + {sum}\", so that surcharges of several layers all count"
        );
    }
    let is_points = |n: &&usize| &*rules.statements[**n].section == "value" && &*rules.statements[**n].id == "points";
    let already: Vec<usize> = own.iter().filter(is_points).copied().collect();
    match values.iter().skip(1).find(|value| adds_up(&already, &change(value))) {
        Some(value) => format!(
            "another cost line is computed from `points` and includes this one too: write formula = \"base + {sum}\" in [change.value.{value}] instead of [change.value.points]"
        ),
        None => format!(
            "`points` does not include this line: write [change.value.points] with formula = \"base + {sum}\", and leave it out of the line computed from `points`"
        ),
    }
}

/// The amount of a cost line as a formula of the whole ship; `None` for a line with `for_each`.
fn cost_formula(context: &LintContext<'_>, span: Span) -> Option<String> {
    let line = context.definitions("cost").find(|line| line.span == span)?;
    if line.get("for_each").is_some() || line.get("when").is_some() {
        return None;
    }
    let part = |key: &str| match line.get(key).map(|node| &node.data) {
        Some(TomlValue::Int(number)) => Some(number.to_string()),
        Some(TomlValue::Text(text)) if text.contains(' ') => Some(format!("({text})")),
        Some(TomlValue::Text(text)) => Some(text.to_string()),
        _ => None,
    };
    let each = part("each")?;
    Some(part("count").map_or_else(|| each.clone(), |count| format!("{count} * {each}")))
}
