//! `moldloft suggest`: the best change of a design within limits, and what is proved of it.

use std::fmt::Write;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::evaluate::{Evaluation, report_json};
use crate::finding::Finding;
use crate::odds::{OddsQuestion, read_situation, work_out, words};
use crate::progress::Progress;
use crate::sanitize::plural;
use crate::store::{self, Store};
use crate::suggest::{
    self, BreakPoint, LegalWays, LeverChange, Opponent, Purchases, Question, SearchResult, SearchSpace, Sense, Subject,
    Suggestion, VaryWord, WarningPolicy,
};

use super::load::{JobItem, RulesetArgs, load};
use super::odds::inputs::load_opponent;
use super::outcome::RunOutcome;
use super::render::clean;
use super::terminal::{json_report, print_findings, print_stdout};

/// Find the best design within limits, and say what is proved
///
/// Ask one question: --legal, --spend, --cheaper, --breaks, --maximise or --minimise. Every answer is legal by the rules, and
/// the claim below it says what is proved about it.
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("question").required(true))]
pub struct SuggestArgs {
    /// A design file
    #[arg(value_name = "DESIGN")]
    design: PathBuf,
    /// Make it legal with the fewest changes: all ways
    #[arg(long, group = "question")]
    legal: bool,
    /// List what it could have more of for so many points in all
    #[arg(long, value_name = "POINTS", group = "question")]
    spend: Option<i64>,
    /// The same for fewer points
    #[arg(long, group = "question")]
    cheaper: bool,
    /// List where one more or one fewer changes a value
    #[arg(long, value_name = "VALUE", group = "question", num_args = 0..=1, default_missing_value = "")]
    breaks: Option<String>,
    /// Find the most of this formula, such as launchers or "count('laser')", or of a figure of odds, such as odds.missiles
    #[arg(long, value_name = "FORMULA", group = "question", allow_hyphen_values = true)]
    maximise: Option<String>,
    /// Find the least of this formula
    #[arg(long, value_name = "FORMULA", group = "question", allow_hyphen_values = true)]
    minimise: Option<String>,
    /// A condition that the design must meet, such as "points <= 500"; can be repeated
    #[arg(long, value_name = "CONDITION", allow_hyphen_values = true)]
    goal: Vec<String>,
    /// What may vary: a field, a system, system@mount, system.parameter or #tag, with a window such as laser:0..8; can be
    /// repeated [default: what the formula depends on]
    #[arg(long, value_name = "WORD[:A..B]")]
    vary: Vec<String>,
    /// Warnings that an answer may have
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = WarningArg::Known)]
    warnings: WarningArg,
    /// The target of figures such as odds.missiles: the file or name of a design [default: the design as it is]
    #[arg(long, value_name = "DESIGN")]
    against: Option<PathBuf>,
    /// What the table decides for odds, such as aspect=forward
    #[arg(long = "with", value_name = "NAME=VALUE")]
    with: Vec<String>,
    /// Same as --with range=N
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    range: Option<String>,
    /// Do so many times the usual work, from 1 to 100
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(suggest::MAX_EFFORT)))]
    effort: u32,
    /// Write the changed design to this file; an existing one is replaced only with --force
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long, requires = "output")]
    force: bool,
    /// Print a JSON report
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    rules: RulesetArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum WarningArg {
    /// Any
    Any,
    /// Those that the design has already
    Known,
    /// None
    None,
}

/// What is printed and written.
struct SuggestReport {
    text: String,
    json: Value,
    /// The changed design's file.
    changed: Option<String>,
    outcome: RunOutcome,
}

/// # Errors
/// A finding when the command cannot run.
pub fn run(store: &Store, arguments: &SuggestArgs) -> Result<RunOutcome, Finding> {
    let job = load(store, std::slice::from_ref(&arguments.design), &arguments.rules)?;
    print_findings(&job.general_findings);
    let checked = match job.items.into_iter().next() {
        Some(JobItem::Design(checked)) => checked,
        Some(_) => {
            let message = format!("{} is a fleet, expected a design", arguments.design.display());
            return Err(Finding::error("wrong-argument", message).help("name the file of one design"));
        }
        None => return Ok(RunOutcome::CannotRun),
    };
    let (Some(design), Some(evaluation)) = (&checked.design, &checked.evaluation) else {
        print_findings(checked.findings());
        return Ok(if checked.opened { RunOutcome::Errors } else { RunOutcome::CannotRun });
    };
    let subject = match Subject::new(&evaluation.ruleset, &design.source) {
        Ok(subject) => subject,
        Err(findings) => {
            print_findings(&findings);
            return Ok(RunOutcome::Errors);
        }
    };
    let report = ask(store, &subject, arguments)?;
    match arguments.json {
        true => print_stdout(&json_report(&[report.json])?)?,
        false => print_stdout(&report.text)?,
    }
    if let Some(path) = &arguments.output {
        let Some(text) = report.changed else {
            let message = format!("nothing was written to {}", path.display());
            print_findings(&[Finding::warning("nothing-to-write", message)]);
            return Ok(RunOutcome::Errors);
        };
        match arguments.force {
            true => store::save_over(path, text.as_bytes(), None).map(drop).map_err(Finding::from)?,
            false => store::save_new(path, text.as_bytes())
                .map_err(|finding| finding.help("give another name with -o, or --force"))?,
        }
        if !arguments.json {
            print_stdout(&format!("wrote {}\n", clean(&path.to_string_lossy())))?;
        }
    }
    Ok(report.outcome)
}

fn ask(store: &Store, subject: &Subject, arguments: &SuggestArgs) -> Result<SuggestReport, Finding> {
    let progress = Progress::default();
    let question = question(arguments)?;
    let is_search = arguments.maximise.is_some() || arguments.minimise.is_some();
    if question.is_about_odds() && is_search {
        return ask_odds(store, subject, &question, arguments);
    }
    if arguments.against.is_some() || !arguments.with.is_empty() || arguments.range.is_some() {
        let message = "--against, --with and --range are for figures of odds";
        return Err(Finding::error("wrong-argument", message).help("ask with --maximise odds.all or --goal \"odds.all >= 5\""));
    }
    if arguments.legal {
        let ways = suggest::make_legal(subject, question.warnings, question.effort, &progress);
        return Ok(legal_report(subject, &ways));
    }
    if let Some(points) = arguments.spend {
        let bought = suggest::spend(subject, points, &question, &progress)?;
        return Ok(spend_report(subject, points, &question, &bought));
    }
    if let Some(value) = &arguments.breaks {
        let value = Some(value.as_str()).filter(|value| !value.is_empty());
        return Ok(breaks_report(subject, &suggest::break_points(subject, value)?));
    }
    if arguments.cheaper {
        let (space, result) = suggest::cheaper(subject, &question, &progress)?;
        return Ok(search_report(subject, "points", &space, &result));
    }
    let space = SearchSpace::new(subject, &question)?;
    let result = suggest::search(&space, &progress);
    let what = question.objective.as_ref().map_or("", |(_, formula)| formula);
    Ok(search_report(subject, what, &space, &result))
}

/// A question with dice: the text names the target and what the figures rest on.
fn ask_odds(
    store: &Store,
    subject: &Subject,
    question: &Question,
    arguments: &SuggestArgs,
) -> Result<SuggestReport, Finding> {
    let rules = &subject.rules.attack_rules;
    let target = match &arguments.against {
        None => subject.evaluation.clone(),
        Some(against) => load_opponent(store, against, &arguments.rules, &subject.rules.templates)?,
    };
    let mut changes = arguments.with.clone();
    changes.extend(arguments.range.iter().map(|range| format!("range={range}")));
    let situation = read_situation(rules, &changes)?;
    let opponent = Opponent { target, situation };
    let (space, found) = suggest::search_odds(subject, question, &opponent, &Progress::default())?;
    let what = question.objective.as_ref().map_or("", |(_, formula)| formula);
    let numbers = match found.best {
        Some(best) => ObjectiveNumbers { before: found.before.map(Number::Mean), best: Some(Number::Mean(best)) },
        // The objective is a plain formula, or there is no answer.
        None => {
            let number = found.result.best.as_ref().map(|best| suggest::objective_number(&space, &best.score));
            ObjectiveNumbers { before: space.objective_now().map(Into::into), best: number.map(Into::into) }
        }
    };
    let mut report = report_of(subject, what, &space, &found.result, numbers);
    let best = found.result.best.as_ref().and_then(|best| Suggestion::new(&space, best));
    let own = best.as_ref().map_or(&subject.evaluation, |best| &best.after);
    let asked = OddsQuestion { situation: opponent.situation.clone(), ..OddsQuestion::default() };
    let odds = work_out(own, &opponent.target, &asked);
    let line = words::situation_line(rules, &opponent.situation);
    let against = clean(&words::ship_title(&opponent.target.name));
    let _ = writeln!(report.text, "  odds: against {against}{}{line}", if line.is_empty() { "" } else { ", " });
    if !odds.assumed.is_empty() {
        let _ = writeln!(report.text, "  assumed: {}", clean(&odds.assumed.join("; ")));
    }
    if !odds.not_counted.is_empty() {
        let _ = writeln!(report.text, "  not counted: {}", clean(&odds.not_counted.join("; ")));
    }
    if let Value::Object(json) = &mut report.json {
        json.insert("against".into(), json!({ "file": &*opponent.target.file, "name": &*opponent.target.name }));
        json.insert("situation".into(), line.into());
        json.insert("assumed".into(), json!(odds.assumed));
        json.insert("not_counted".into(), json!(odds.not_counted));
    }
    print_findings(&found.findings);
    Ok(report)
}

fn question(arguments: &SuggestArgs) -> Result<Question, Finding> {
    let objective = match (&arguments.maximise, &arguments.minimise) {
        (Some(formula), _) => Some((Sense::Maximise, formula.clone())),
        (_, Some(formula)) => Some((Sense::Minimise, formula.clone())),
        _ => None,
    };
    Ok(Question {
        objective,
        goals: arguments.goal.clone(),
        vary: arguments.vary.iter().map(|word| VaryWord::parse(word)).collect::<Result<_, _>>()?,
        warnings: match arguments.warnings {
            WarningArg::Any => WarningPolicy::Any,
            WarningArg::Known => WarningPolicy::Known,
            WarningArg::None => WarningPolicy::None,
        },
        effort: arguments.effort,
    })
}

fn points_words(points: Option<i64>) -> String {
    points.map_or_else(|| "no points".to_owned(), |points| plural(points, "point"))
}

fn change_line(out: &mut String, change: &LeverChange, indent: &str) {
    let with = change.follows.as_ref().map_or_else(String::new, |code| format!("    goes with it ({code})"));
    let _ = writeln!(out, "{indent}{}{}", clean(&change.words()), clean(&with));
}

fn change_json(change: &LeverChange) -> Value {
    json!({ "lever": &*change.lever, "label": &*change.label, "from": &*change.from, "to": &*change.to, "follows": change.follows.as_deref() })
}

fn after_json(after: &Evaluation) -> Value {
    json!({ "legal": after.legal, "points": after.points, "values": report_json(after).get("values") })
}

fn search_report(subject: &Subject, what: &str, space: &SearchSpace<'_>, result: &SearchResult) -> SuggestReport {
    let number = result.best.as_ref().map(|best| suggest::objective_number(space, &best.score));
    let numbers = ObjectiveNumbers { before: space.objective_now().map(Into::into), best: number.map(Into::into) };
    report_of(subject, what, space, result, numbers)
}

/// What the objective is before and after.
struct ObjectiveNumbers {
    before: Option<Number>,
    best: Option<Number>,
}

/// A whole number, or the mean of a figure of odds.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Number {
    Whole(i64),
    Mean(f64),
}

impl From<i64> for Number {
    fn from(number: i64) -> Self {
        Self::Whole(number)
    }
}

impl Number {
    fn shown(self) -> String {
        match self {
            Self::Whole(number) => number.to_string(),
            Self::Mean(mean) => words::figure(mean),
        }
    }

    fn json(self) -> Value {
        match self {
            Self::Whole(number) => json!(number),
            Self::Mean(mean) => json!(mean),
        }
    }
}

fn report_of(
    subject: &Subject,
    what: &str,
    space: &SearchSpace<'_>,
    result: &SearchResult,
    numbers: ObjectiveNumbers,
) -> SuggestReport {
    let claim = suggest::claim(space, result);
    let limits = suggest::limits(space);
    let suggestion = result.best.as_ref().and_then(|best| Suggestion::new(space, best));
    let mut text = String::new();
    let ObjectiveNumbers { before, best: number } = numbers;
    match (&suggestion, number) {
        (Some(suggestion), Some(number)) => {
            let was = match before.map(Number::shown) {
                Some(before) if before != number.shown() => format!(" instead of {before}"),
                Some(_) => ", as it is".to_owned(),
                None => String::new(),
            };
            let _ = write!(text, "{}: {}{was}", clean(what), number.shown());
            if what != "points" {
                let _ = write!(text, "; {}", points_words(suggestion.after.points));
            }
            text.push_str("; legal\n");
            suggestion.changes.iter().for_each(|change| change_line(&mut text, change, "  "));
        }
        _ => text.push_str("no design found\n"),
    }
    let impossible = suggestion.is_none().then(|| suggest::impossible_goal(space)).flatten();
    if let Some(goal) = impossible {
        let _ = writeln!(text, "the goal `{}` alone cannot be met", clean(&space.goals[goal].text));
    }
    let _ = writeln!(text, "{claim}\n  limits: {}", clean(&limits));
    let bound = match result.proof {
        suggest::Proof::Proved => number,
        suggest::Proof::AtMost(_) => suggest::bound_number(space, result.proof).map(Into::into),
        suggest::Proof::Nothing => None,
    };
    let levers: Vec<Value> = space
        .levers
        .iter()
        .map(|lever| json!({ "lever": &*lever.id, "label": &*lever.label, "low": lever.low, "high": lever.high, "now": lever.now, "follows": lever.follows.as_deref() }))
        .collect();
    let json = json!({
        "file": &*subject.design.source.file,
        "objective": what,
        "found": suggestion.is_some(),
        "before": before.map(Number::json),
        "best": number.map(Number::json),
        "bound": bound.map(Number::json),
        "proved": result.proof == suggest::Proof::Proved,
        "claim": claim,
        "changes": suggestion.iter().flat_map(|suggestion| suggestion.changes.iter().map(change_json)).collect::<Vec<_>>(),
        "after": suggestion.as_ref().map(|suggestion| after_json(&suggestion.after)),
        "goals": space.goals.iter().map(|goal| &*goal.text).chain(space.odds_goals.iter().map(|goal| &*goal.text)).collect::<Vec<_>>(),
        "impossible_goal": impossible.map(|goal| &*space.goals[goal].text),
        "levers": levers,
        "limits": limits,
        "boxes": result.boxes,
        "tried": result.tried,
    });
    let outcome = if suggestion.is_some() { RunOutcome::Success } else { RunOutcome::Errors };
    SuggestReport { text, json, changed: suggestion.map(|suggestion| suggestion.document.to_text()), outcome }
}

fn legal_report(subject: &Subject, ways: &LegalWays) -> SuggestReport {
    let mut text = String::new();
    let claim = suggest::legal_claim(ways);
    let _ = writeln!(text, "{claim}");
    for (n, way) in ways.ways.iter().enumerate() {
        let _ = writeln!(text, "  {}. {}", n + 1, points_words(way.after.points));
        if let Some(fix) = &way.fix {
            let _ = writeln!(text, "       {}", clean(fix));
        }
        way.changes.iter().for_each(|change| change_line(&mut text, change, "       "));
    }
    let json = json!({
        "file": &*subject.design.source.file,
        "fewest": ways.fewest,
        "claim": claim,
        "levers": ways.levers,
        "complete": ways.is_complete,
        "ways": ways.ways.iter().map(|way| json!({
            "fix": way.fix,
            "changes": way.changes.iter().map(change_json).collect::<Vec<_>>(),
            "after": after_json(&way.after),
        })).collect::<Vec<_>>(),
        "boxes": ways.boxes,
        "tried": ways.tried,
    });
    let outcome = if ways.fewest.is_some() { RunOutcome::Success } else { RunOutcome::Errors };
    SuggestReport { text, json, changed: ways.ways.first().map(|way| way.document.to_text()), outcome }
}

fn spend_report(subject: &Subject, points: i64, question: &Question, bought: &Purchases) -> SuggestReport {
    let mut text = String::new();
    let has = points_words(subject.evaluation.points);
    match subject.evaluation.points.filter(|now| *now > points) {
        Some(now) => {
            let over = plural(now.saturating_sub(points), "point");
            let _ = writeln!(text, "{has} now, {over} more than {points}, so nothing can be added; --cheaper asks for less");
        }
        None => {
            let _ = writeln!(text, "{has} now; for {} in all, one of these:", plural(points, "point"));
        }
    }
    for purchase in &bought.bought {
        let suggestion = &purchase.suggestion;
        let _ = writeln!(
            text,
            "  {} more {}: {}",
            purchase.more,
            clean(&purchase.lever.label),
            points_words(suggestion.after.points)
        );
        suggestion
            .changes
            .iter()
            .filter(|change| change.follows.is_some())
            .for_each(|change| change_line(&mut text, change, "      "));
    }
    if bought.bought.is_empty() && subject.evaluation.points.is_none_or(|now| now <= points) {
        text.push_str("  nothing\n");
    }
    let claim = suggest::spend_claim(bought);
    let limits = suggest::spend_limits(points, question);
    let _ = writeln!(text, "{claim}\n  limits: {}", clean(&limits));
    if !bought.none.is_empty() {
        let none: Vec<&str> = bought.none.iter().map(|lever| &*lever.label).collect();
        let _ = writeln!(text, "  no more, or for no points: {}", clean(&none.join("; ")));
    }
    let json = json!({
        "file": &*subject.design.source.file,
        "points": points,
        "before": subject.evaluation.points,
        "claim": claim,
        "limits": limits,
        "bought": bought.bought.iter().map(|purchase| json!({
            "lever": &*purchase.lever.id,
            "label": &*purchase.lever.label,
            "more": purchase.more,
            "proved": purchase.proof == suggest::Proof::Proved,
            "changes": purchase.suggestion.changes.iter().map(change_json).collect::<Vec<_>>(),
            "after": after_json(&purchase.suggestion.after),
        })).collect::<Vec<_>>(),
        "none": bought.none.iter().map(|lever| &*lever.id).collect::<Vec<_>>(),
        "boxes": bought.boxes,
        "tried": bought.tried,
    });
    let changed = bought.bought.first().map(|purchase| purchase.suggestion.document.to_text());
    SuggestReport { text, json, changed, outcome: RunOutcome::Success }
}

fn breaks_report(subject: &Subject, found: &[BreakPoint]) -> SuggestReport {
    let mut text = String::new();
    let signed = |points: Option<i64>| match points {
        None => String::new(),
        Some(points) => {
            let sign = if points < 0 { "−" } else { "+" };
            let s = if points.unsigned_abs() == 1 { "" } else { "s" };
            format!(" ({sign}{} point{s})", points.unsigned_abs())
        }
    };
    for one in found {
        let _ = write!(text, "{}: {} now", clean(&one.label), one.now);
        if let Some((at, points)) = one.last_same {
            let _ = write!(text, "; {at} changes nothing{}", signed(points));
        }
        let turns: Vec<String> = one.turns.iter().map(|(label, from, to)| format!("{label} {from} → {to}")).collect();
        let legal = if one.is_legal { "" } else { ", not legal by itself" };
        let _ = writeln!(text, "; {}: {}{}{legal}", one.at, clean(&turns.join(", ")), signed(one.points));
    }
    if found.is_empty() {
        text.push_str("no break-points within reach\n");
    }
    let json = json!({
        "file": &*subject.design.source.file,
        "breaks": found.iter().map(|one| json!({
            "lever": &*one.lever,
            "label": &*one.label,
            "now": one.now,
            "at": one.at,
            "turns": one.turns.iter().map(|(label, from, to)| json!({ "label": &**label, "from": &**from, "to": &**to })).collect::<Vec<_>>(),
            "points": one.points,
            "same": one.last_same.map(|(at, points)| json!({ "at": at, "points": points })),
            "legal": one.is_legal,
        })).collect::<Vec<_>>(),
    });
    SuggestReport { text, json, changed: None, outcome: RunOutcome::Success }
}
