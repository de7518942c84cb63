//! Faults that only show when designs are evaluated: checks that never or always fire, formulas that fail, costs that
//! do not add up, options that are always forbidden, limits without a check, mounts at one position. Each finding has
//! the number of designs tried.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use moldloft_base::finding::{Advice, Severity};
use moldloft_base::source::Span;
use moldloft_rules::evaluate::FormulaFailure;
use moldloft_rules::formula::{FormulaError, FormulaErrorKind};
use moldloft_rules::ruleset::{CheckDef, FieldKind, Symbol};

use super::context::{LintContext, words_of};
use super::layer_effects;
use super::trial_runs::TrialRun;
use super::unused::option_span;

/// Fewer designs with an option prove nothing.
const MIN_DESIGNS: usize = 12;

pub(super) fn check(context: &mut LintContext<'_>) {
    check_left_out(context);
    check_checks(context);
    check_failures(context);
    check_costs(context);
    check_options(context);
    check_limits(context);
    check_overlaps(context);
}

/// Reports that the allowance was used up before all designs were tried, since few designs prove little.
fn check_left_out(context: &mut LintContext<'_>) {
    if context.left_out == 0 {
        return;
    }
    let (tried, all) = (context.trials.len(), context.trials.len() + context.left_out);
    let message = format!("only {tried} of {all} designs were tried: the formulas of this ruleset take too much work");
    let help =
        "look for formulas that loop over a long list for each fit, and compute such a list once, in a [[value]]";
    // A layer has no header of its own in the tree: its file is named.
    let at = if context.is_layer() { context.span("ruleset", "", "id") } else { context.header_span() };
    context.find("fewer-designs-tried", at, message, help);
}

/// `1,210 designs (10 of the game, 1,200 generated)`.
fn tried_designs_text(context: &LintContext<'_>) -> String {
    let (samples, made) = (context.samples, context.trials.len() - context.samples);
    let s = if samples + made == 1 { "" } else { "s" };
    match samples {
        0 => format!("{made} generated design{s}"),
        _ => format!("{} design{s} ({samples} of the game, {made} generated)", samples + made),
    }
}

fn check_checks(context: &mut LintContext<'_>) {
    let rules = context.rules;
    let tried = tried_designs_text(context);
    let mut found = Vec::new();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut times = vec![0_usize; rules.checks.len()];
    for check in context.trials.iter().flat_map(|one| &one.fired_checks) {
        times[*check] += 1;
    }
    for (n, check) in rules.checks.iter().enumerate().filter(|(_, check)| check.severity.is_some()) {
        if !seen.insert(&check.code) {
            continue;
        }
        let fired = times[n];
        let (some, all) = (fired > 0, fired == context.trials.len());
        let span = context.span("check", &check.code, "fails_when");
        if !some && context.left_out == 0 && !is_constant(context, check) {
            let message = format!("the check {} fires in none of {tried}", check.code);
            let help = "check whether its condition can be true; if so, add a sample design that shows it";
            found.push(("check-never-fires", span, message, help));
        } else if some && all && context.left_out == 0 && context.samples > 0 {
            let message = format!("the check {} fires in all of {tried}", check.code);
            found.push(("check-always-fires", span, message, "check whether its condition can be false"));
        }
    }
    for (code, span, message, help) in found {
        context.find(code, span, message, help);
    }
}

/// Whether the check's condition is constant, which has a finding of its own.
fn is_constant(context: &LintContext<'_>, check: &CheckDef) -> bool {
    let span = [Some(check.fails_when.at), check.when.as_ref().map(|when| when.at)];
    context.has_found("never-holds", &span.into_iter().flatten().collect::<Vec<_>>())
}

/// Reports formulas that could not be computed.
fn check_failures(context: &mut LintContext<'_>) {
    let rules = context.rules;
    let mut failed: BTreeMap<(Arc<str>, &'static str), (usize, FormulaError, usize)> = BTreeMap::new();
    for (trial, one) in context.trials.iter().enumerate() {
        for FormulaFailure { formula, error } in &one.failed_formulas {
            let place = (rules.location(*formula), error.code);
            failed.entry(place).or_insert_with(|| (0, error.clone(), trial)).0 += 1;
        }
    }
    let total = context.trials.len();
    let mut at: HashMap<Arc<str>, (Span, String)> = HashMap::new();
    for entry in &context.formulas {
        let source = || (entry.part.at(), moldloft_rules::ruleset::shorten(entry.part.source()));
        at.entry(rules.location(entry.part.at())).or_insert_with(source);
    }
    for ((rule, _), (times, error, trial)) in failed {
        let Some((span, source)) = at.get(&rule) else { continue };
        let seen = format!("for {times} of {total} tried designs");
        if error.kind == Some(FormulaErrorKind::DivisionByZero) {
            let message = format!("the divisor in `{source}` is 0 {seen}");
            let help = "use max(1, …), or `… if divisor else 0`";
            context.add("divisor-can-be-zero", *span, words_of(source), message, help, Some(trial));
        } else {
            let message = format!("cannot compute `{source}` {seen}: {}", error.message);
            let help = error.help.unwrap_or_else(|| "make the formula work for every possible design".to_owned());
            context.add("formula-can-fail", *span, words_of(source), message, help, Some(trial));
        }
    }
}

/// The most designs with wrong sums that are tried again without the layer.
const MAX_DESIGNS_RETRIED: usize = 24;

fn check_costs(context: &mut LintContext<'_>) {
    let rules = context.rules;
    if rules.costs.is_empty() {
        return;
    }
    let wrong: Vec<(usize, i64, i64)> = (context.trials.iter().enumerate())
        .filter_map(|(trial, one)| one.costs.map(|(points, sum)| (trial, points, sum)))
        .filter(|(_, points, sum)| points != sum)
        .collect();
    let mut first = wrong.first().copied();
    let general = "write a discount or rounding as a separate line: each = \"points - …\"";
    let cost = context.definitions("cost").next();
    let mut span = cost.map_or(Span::default(), |cost| cost.get("each").map_or(cost.span, |n| n.span));
    let mut help = general.to_owned();
    if context.is_layer() {
        let Some(below) = rules.without_last_layer().map(Arc::new) else { return };
        // A sum that is also wrong without the layer is not the layer's fault.
        let is_caused_by_layer = |(trial, ..): &&(usize, i64, i64)| {
            let design = context.design(*trial);
            design.is_some_and(|design| {
                super::trial_runs::points_and_costs(&below, design).is_none_or(|(points, sum)| points == sum)
            })
        };
        first = wrong.iter().take(MAX_DESIGNS_RETRIED).find(is_caused_by_layer).copied();
        let Some((trial, ..)) = first else { return };
        (span, help) = layer_effects::blame_costs(context, trial);
    }
    let Some((trial, points, sum)) = first else { return };
    let name = &context.trials[trial].name;
    let message = format!(
        "the cost lines do not add up to `points` for {} of {}: they total {sum} for {name}, and `points` is {points}",
        wrong.len(),
        tried_designs_text(context),
    );
    let help = Advice::WriteTrial(help);
    context.add("costs-do-not-add-up", span, BTreeSet::new(), message, help, Some(trial));
}

/// Options that one check, which reads the field, forbids in every design that chose them.
fn check_options(context: &mut LintContext<'_>) {
    let rules = context.rules;
    let mut found = Vec::new();
    for (n, field) in rules.fields.iter().enumerate() {
        let FieldKind::Choice(choice) = &field.kind else { continue };
        let reading: Vec<usize> = (0..rules.checks.len())
            .filter(|&c| rules.checks[c].severity == Some(Severity::Error))
            .filter(|&c| {
                let check = &rules.checks[c];
                let reads = check.fails_when.reads().chain(check.when.iter().flat_map(|when| when.reads()));
                reads.into_iter().any(
                    |slot| matches!(Symbol::from_slot(slot), Symbol::Field(m) | Symbol::FieldOption(m, _) if m == n),
                )
            })
            .collect();
        for option in &choice.options {
            let chose = |one: &&TrialRun| one.chosen_options[n].as_ref() == Some(&option.id);
            let with: Vec<&TrialRun> = context.trials.iter().filter(chose).collect();
            if with.len() < MIN_DESIGNS {
                continue;
            }
            let without =
                |check: usize| context.trials.iter().any(|one| !chose(&one) && !one.fired_checks.contains(&check));
            let mut reading = reading.iter().filter(|&&check| without(check));
            let always = reading
                .find(|check| with.iter().all(|one| one.fired_checks.contains(check)))
                .map(|&c| &rules.checks[c]);
            let trial = context.trials.iter().position(|one| chose(&one));
            if let Some(check) = always {
                let message = format!(
                    "`{}` of {} is never legal: {} fires in all {} tried designs that choose it",
                    option.id,
                    field.id,
                    check.code,
                    with.len(),
                );
                let names = BTreeSet::from([option.id.to_string(), check.code.to_string()]);
                found.push((option_span(context, "field", &field.id, &option.id), names, message, trial));
            }
        }
    }
    for (span, names, message, trial) in found {
        let help = "fix the check, or remove the option";
        context.add("option-never-legal", span, names, message, help, trial);
    }
}

/// Values with a limit that no check reads.
fn check_limits(context: &mut LintContext<'_>) {
    let rules = context.rules;
    for (n, value) in rules.values.iter().enumerate().filter(|(_, value)| value.limit.is_some()) {
        let slot = Symbol::Value(n).slot();
        let is_tested = rules.checks.iter().any(|check| check.fails_when.reads().any(|read| read == slot));
        if !is_tested {
            let span = context.span("value", &value.id, "limit");
            let message = format!("no check tests the limit of `{}`", value.id);
            let limit = value.limit.as_ref().map(|limit| limit.source.to_string()).unwrap_or_default();
            context.find(
                "limit-without-check",
                span,
                message,
                format!("add a [[check]] with fails_when = \"{} > {limit}\"", value.id),
            );
        }
    }
}

/// Mounts at one position of which a design has both.
fn check_overlaps(context: &mut LintContext<'_>) {
    let rules = context.rules;
    let pairs: BTreeSet<(usize, usize)> = context.trials.iter().flat_map(|one| one.overlaps.iter().copied()).collect();
    for pair in pairs {
        let (one, two) = pair;
        let times = context.trials.iter().filter(|trial| trial.overlaps.contains(&(one, two))).count();
        let (one, two) = (&rules.mounts[one], &rules.mounts[two]);
        let (across, down) = two.plan.unwrap_or_default();
        let message = format!(
            "{} and {} are both at [{across}, {down}] in {times} of {}",
            one.id,
            two.id,
            tried_designs_text(context)
        );
        let span = context.span("mount", &two.id, "plan");
        let help = "move one of them, or make their shown_when exclude each other";
        let trial = context.trials.iter().position(|trial| trial.overlaps.contains(&pair));
        context.add("mounts-overlap", span, BTreeSet::from([one.id.to_string()]), message, help, trial);
    }
}
