//! Style of a ruleset: takes the lint context, reports missing credits, rules and reasons, unclear ids and labels, and
//! messages without their numbers. All are notes, since everything works.

use std::sync::Arc;

use moldloft_base::sanitize::id_as_words;
use moldloft_base::source::Span;
use moldloft_base::source::toml::parse;

use super::context::LintContext;

pub(super) fn check(context: &mut LintContext<'_>) {
    check_header(context);
    check_changes(context);
    check_checks(context);
    check_ids(context);
    check_labels(context);
}

fn check_header(context: &mut LintContext<'_>) {
    let rules = context.rules;
    let Some(source) = rules.sources.last() else { return };
    let file = u16::try_from(rules.sources.len() - 1).unwrap_or(0);
    let (root, _) = parse(&source.text, file);
    let Some(header) = root.table("ruleset") else { return };
    let at = header.get("id").map_or(header.span, |node| node.span);
    if context.is_layer() {
        if header.get("extends_version").is_none() {
            let below = rules.layers.iter().rev().nth(1).map(|layer| layer.version.to_string());
            let base = || context.tree.table("ruleset")?.text("version").map(str::to_owned);
            let version = below.or_else(base).unwrap_or_else(|| "…".to_owned());
            let help = format!("add extends_version = \"{version}\" to be warned when the rules below change");
            let message =
                "missing extends_version: the version of the rules below that the layer was written for".to_owned();
            context.find("base-version-missing", at, message, help);
        }
        return;
    }
    let missing: Vec<&str> = [
        ("credit", "whom the rules are owed to"),
        ("source", "where they were published"),
        ("terms", "under which terms"),
    ]
    .into_iter()
    .filter(|(key, _)| header.text(key).is_none_or(|text| text.trim().is_empty()))
    .map(|(key, _)| key)
    .collect();
    if !missing.is_empty() {
        let message = format!("missing in the header: {}", missing.join(", "));
        context.find("credit-missing", at, message, "add the lines, in quotes; sheets print the credits of the rules");
    }
}

/// Checks that a layer changes without a reason.
fn check_changes(context: &mut LintContext<'_>) {
    if !context.is_layer() {
        return;
    }
    let rules = context.rules;
    let Some(source) = rules.sources.last() else { return };
    let (root, _) = parse(&source.text, u16::try_from(rules.sources.len() - 1).unwrap_or(0));
    let Some(checks) = root.table("change").and_then(|change| change.table("check")) else { return };
    let mut found: Vec<(Span, String, &str)> = Vec::new();
    for entry in &checks.entries {
        let Some(change) = entry.node.as_table() else { continue };
        let has_reason = ["reason", "house"].iter().any(|key| change.get(key).is_some());
        let what =
            [("remove", "removed"), ("severity", "given another severity"), ("fails_when", "given another condition")];
        if !has_reason && let Some((_, what)) = what.into_iter().find(|(key, _)| change.get(key).is_some()) {
            found.push((entry.span, entry.key.to_string(), what));
        }
    }
    for (span, code, what) in found {
        let message = format!("`{code}` is {what} without a reason");
        context.find("change-without-reason", span, message, "add reason = \"…\" for the other players");
    }
}

fn check_checks(context: &mut LintContext<'_>) {
    let rules = context.rules;
    let ship = rules.checks.iter().filter(|check| check.severity.is_some());
    let ship = ship.map(|check| (&check.code, &check.rule, &check.message, &check.fails_when));
    let fleet = rules.fleet_checks.iter().filter(|check| check.severity.is_some());
    let fleet = fleet.map(|check| (&check.code, &check.rule, &check.message, &check.fails_when));
    for (code, rule, message, fails_when) in ship.chain(fleet) {
        if rule.as_ref().is_none_or(|rule| rule.trim().is_empty()) {
            let span = context.span("check", code, "code");
            let message = format!("the check {code} does not name its rule");
            context.find("check-without-rule", span, message, "add rule = \"…\", such as \"construction: magazines\"");
        }
        let shows = message.formulas().next().is_some();
        if !shows && compares_by_size(&fails_when.source) {
            let span = context.span("check", code, "message");
            let message = format!("the check {code} compares numbers, but its message shows none");
            context.find(
                "message-without-numbers",
                span,
                message,
                "add them, such as \"{{ mass }} mass, 100 at most\"",
            );
        }
    }
}

/// Whether a formula compares sizes, except with 0 or 1.
fn compares_by_size(formula: &str) -> bool {
    let mut quote = None;
    let mut plain = String::new();
    for c in formula.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c == '\'' || c == '"' => quote = Some(c),
            None => plain.push(c),
        }
    }
    plain.split(['<', '>']).skip(1).any(|rest| !["0", "1"].contains(&rest.trim_start_matches('=').trim()))
}

/// Ids with `_` where designs and players use `-`.
fn check_ids(context: &mut LintContext<'_>) {
    let rules = context.rules;
    let mut all: Vec<(&'static str, Arc<str>)> = Vec::new();
    all.extend(rules.check_codes().map(|code| ("check", code.clone())));
    all.extend(rules.systems.iter().map(|system| ("system", system.id.clone())));
    all.extend(rules.mounts.iter().map(|mount| ("mount", mount.id.clone())));
    for (word, id) in all.into_iter().filter(|(_, id)| id.contains('_')) {
        let span = context.span(word, &id, "id");
        let message = format!("the {word} id `{id}` contains _");
        context.find(
            "id-not-kebab",
            span,
            message,
            format!("use `{}`, which reads better in designs and messages", id.replace('_', "-")),
        );
    }
}

/// Ids that are not words and have no label.
fn check_labels(context: &mut LintContext<'_>) {
    let rules = context.rules;
    let headlines = rules.values.iter().filter(|value| value.headline).map(|value| ("value", value.id.clone()));
    let all: Vec<(&'static str, Arc<str>)> = rules
        .fields
        .iter()
        .map(|field| ("field", field.id.clone()))
        .chain(rules.settings.iter().map(|setting| ("setting", setting.id.clone())))
        .chain(rules.mounts.iter().map(|mount| ("mount", mount.id.clone())))
        .chain(rules.systems.iter().map(|system| ("system", system.id.clone())))
        .chain(headlines)
        .collect();
    for (word, id) in all {
        let key = if word == "system" { "name" } else { "label" };
        let Some(table) = context.definition(word, &id) else { continue };
        if table.get(key).is_some() || id.split(['-', '_']).all(is_word) {
            continue;
        }
        let span = context.span(word, &id, "id");
        let message = format!("the {word} is shown to players as `{}`", id_as_words(&id));
        context.find("label-missing", span, message, format!("add {key} = \"…\""));
    }
}

/// Whether it could be a word: letters, including a vowel.
fn is_word(part: &str) -> bool {
    part.chars().all(|c| c.is_ascii_lowercase()) && part.contains(['a', 'e', 'i', 'o', 'u', 'y']) && part.len() > 2
        || ["to", "of", "at", "in", "on", "up", "no", "a", "per", "by", "or"].contains(&part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_by_size_are_seen() {
        assert!(
            compares_by_size("mass > 100")
                && compares_by_size("fed <= launchers")
                && compares_by_size("1 < count('a')")
        );
        assert!(
            !compares_by_size("unit == 'a > b'") && !compares_by_size("structure < 1") && !compares_by_size("x > 0")
        );
    }

    #[test]
    fn words_and_letters_are_distinguished() {
        assert!(is_word("mass") && is_word("aft") && is_word("pod"));
        assert!(!is_word("df") && !is_word("mu") && !is_word("cnc") && !is_word("b5"));
    }
}
