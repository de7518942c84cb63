//! `moldloft suggest`: the best change of a design within limits, and what is proved of it.

use std::fmt::Write;
use std::path::PathBuf;

use serde_json::{Value, json};

use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_library::library::Rulesets;
use moldloft_library::store::{self, Store};
use moldloft_odds::odds::read_situation;
use moldloft_odds::suggest::{
    self, Answer, BreakPoint, LegalWays, LeverChange, ObjectiveNumber, OddsBasis, OddsTarget, Purchases, Question,
    Reply, Request, SearchAnswer, Sense, SpendLimit, Subject, VaryWord, WarningPolicy,
};
use moldloft_rules::evaluate::{Evaluation, report_json};

use super::load::{FoundFleets, JobItem, RulesetArgs, load_by};
use super::odds::inputs::load_opponent;
use super::outcome::RunOutcome;
use super::render::clean;
use super::terminal::{json_report, print_done, print_findings, print_stdout, with_progress};
use super::wording::note_words;

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
    #[arg(long, value_name = "POINTS", group = "question", allow_negative_numbers = true)]
    spend: Option<i64>,
    /// Spend this value or field instead of points, such as weapon_mass
    #[arg(long, value_name = "VALUE")]
    of: Option<String>,
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
    /// What stays as it is even so, named as for --vary; can be repeated
    #[arg(long, value_name = "WORD")]
    pin: Vec<String>,
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
    let games = Rulesets::new(store, &arguments.rules.set)?;
    let inputs = store.inputs(std::slice::from_ref(&arguments.design));
    let job = load_by(&games, inputs, arguments.rules.rules.as_deref(), FoundFleets::Kept)?;
    games.check_settings_used()?;
    print_findings(job.general_findings.iter().chain(&games.findings()));
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
    let report = report(store, &games, &subject, arguments)?;
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
            print_done(&format!("wrote {}\n", clean(&path.to_string_lossy())))?;
        }
    }
    Ok(report.outcome)
}

fn report(
    store: &Store,
    games: &Rulesets,
    subject: &Subject,
    arguments: &SuggestArgs,
) -> Result<SuggestReport, Finding> {
    // The group of questions keeps clap from requiring it.
    if arguments.of.is_some() && arguments.spend.is_none() {
        let message = "--of needs --spend, which says how much in all";
        return Err(Finding::error("wrong-argument", message).help("add --spend with a number"));
    }
    let (request, question) = (request(arguments), question(arguments)?);
    suggest::check_pins(subject, &question.pins)?;
    if request == Request::Legal && !(question.vary.is_empty() && question.goals.is_empty()) {
        let finding = Finding::warning("unused-argument", "--legal tries every number: --vary and --goal do not count");
        print_findings(&[finding.help("name with --pin what must stay")]);
    }
    if question.is_about_odds() && request == Request::Best {
        return odds_report(store, games, subject, &question, arguments);
    }
    if arguments.against.is_some() || !arguments.with.is_empty() || arguments.range.is_some() {
        let message = "--against, --with and --range are for figures of odds";
        return Err(
            Finding::error("wrong-argument", message).help("ask with --maximise odds.all or --goal \"odds.all >= 5\"")
        );
    }
    let progress = Progress::default();
    let answer = with_progress(&progress, || suggest::ask(subject, &request, &question, &progress))?;
    let reply = answer.reply(subject, &question);
    let (text, json) = match &answer {
        Answer::Legal(ways) => (legal_text(&reply), legal_json(subject, ways, &reply)),
        Answer::Spend(budget, bought) => {
            (spend_text(subject, budget, &reply), spend_json(subject, budget, bought, &reply))
        }
        Answer::Breaks(found) => (breaks_text(found), breaks_json(subject, found)),
        Answer::Best(answer) => (search_text(&reply), search_json(subject, answer, &reply)),
    };
    let changed = match &answer {
        // A break-point is no answer by itself.
        Answer::Breaks(_) => None,
        _ => reply.proposals.first().and_then(|first| subject.edited(&first.edits).ok()),
    };
    let is_answered = match &answer {
        Answer::Legal(ways) => ways.fewest.is_some(),
        Answer::Best(answer) => answer.suggestion.is_some(),
        Answer::Spend(..) | Answer::Breaks(_) => true,
    };
    let outcome = if is_answered { RunOutcome::Success } else { RunOutcome::Errors };
    Ok(SuggestReport { text, json, changed: changed.map(|(document, _)| document.to_text()), outcome })
}

/// A question with dice: the text names the target and what the figures rest on.
fn odds_report(
    store: &Store,
    games: &Rulesets,
    subject: &Subject,
    question: &Question,
    arguments: &SuggestArgs,
) -> Result<SuggestReport, Finding> {
    let rules = &subject.rules.attack_rules;
    let target = match &arguments.against {
        None => subject.evaluation.clone(),
        Some(against) => load_opponent(store, games, against, arguments.rules.rules.as_deref(), &subject.rules)?,
    };
    let mut changes = arguments.with.clone();
    changes.extend(arguments.range.iter().map(|range| format!("range={range}")));
    let situation = read_situation(rules, &changes)?;
    let opponent = OddsTarget { target, situation };
    let progress = Progress::default();
    let ask = || suggest::ask_odds(subject, question, &opponent, &progress);
    let (answer, findings) = with_progress(&progress, ask)?;
    let basis = OddsBasis::new(subject, &answer, &opponent);
    let reply = Reply { basis: basis.lines(), ..answer.reply() };
    let (text, mut json) = (search_text(&reply), search_json(subject, &answer, &reply));
    if let Value::Object(json) = &mut json {
        json.insert("against".into(), json!({ "file": &*basis.target.0, "name": &*basis.target.1 }));
        json.insert("situation".into(), basis.situation.into());
        json.insert("assumed".into(), json!(basis.assumed));
        json.insert("not_counted".into(), json!(basis.not_counted));
    }
    print_findings(&findings);
    let outcome = if answer.suggestion.is_some() { RunOutcome::Success } else { RunOutcome::Errors };
    let changed = answer.suggestion.as_ref().map(|suggestion| suggestion.document.to_text());
    Ok(SuggestReport { text, json, changed, outcome })
}

fn number_json(number: ObjectiveNumber) -> Value {
    match number {
        ObjectiveNumber::Whole(number) => json!(number),
        ObjectiveNumber::Mean(mean) => json!(mean),
    }
}

fn request(arguments: &SuggestArgs) -> Request {
    if arguments.legal {
        return Request::Legal;
    }
    if let Some(most) = arguments.spend {
        let value = arguments.of.clone().unwrap_or_else(|| "points".to_owned());
        return Request::Spend(SpendLimit { value, most });
    }
    if let Some(value) = &arguments.breaks {
        return Request::Breaks(Some(value.clone()).filter(|value| !value.is_empty()));
    }
    if arguments.cheaper { Request::Cheaper } else { Request::Best }
}

fn question(arguments: &SuggestArgs) -> Result<Question, Finding> {
    let objective = match (&arguments.maximise, &arguments.minimise) {
        (Some(formula), _) => Some((Sense::Maximise, formula.clone())),
        (_, Some(formula)) => Some((Sense::Minimise, formula.clone())),
        _ => None,
    };
    let vary = arguments.vary.iter().map(|word| VaryWord::parse(word)).collect::<Result<_, _>>()?;
    let warnings = match arguments.warnings {
        WarningArg::Any => WarningPolicy::Any,
        WarningArg::Known => WarningPolicy::Known,
        WarningArg::None => WarningPolicy::None,
    };
    Ok(Question::default()
        .objective(objective)
        .goals(arguments.goal.clone())
        .vary(vary)
        .pins(arguments.pin.clone())
        .warnings(warnings)
        .effort(arguments.effort))
}

fn line(out: &mut String, indent: &str, text: &str) {
    let _ = writeln!(out, "{indent}{}", clean(text));
}

fn change_line(out: &mut String, change: &LeverChange, indent: &str) {
    let why = change.why().map_or_else(String::new, |why| format!("    {why}"));
    line(out, indent, &format!("{}{why}", change.words()));
}

fn claim_lines(out: &mut String, reply: &Reply) {
    if let Some(claim) = &reply.claim {
        line(out, "", claim);
    }
    if let Some(limits) = &reply.limits {
        line(out, "  limits: ", limits);
    }
    for words in reply.rest.iter().chain(&reply.basis) {
        line(out, "  ", words);
    }
}

fn search_text(reply: &Reply) -> String {
    let mut text = String::new();
    line(&mut text, "", &reply.heading);
    let changes = reply.proposals.iter().flat_map(|proposal| &proposal.changes);
    changes.for_each(|change| change_line(&mut text, change, "  "));
    reply.notes.iter().for_each(|note| line(&mut text, "", &note_words(note)));
    claim_lines(&mut text, reply);
    text
}

fn legal_text(reply: &Reply) -> String {
    let mut text = String::new();
    line(&mut text, "", &reply.heading);
    for (n, way) in reply.proposals.iter().enumerate() {
        line(&mut text, &format!("  {}. ", n + 1), &way.title);
        way.fix.iter().for_each(|fix| line(&mut text, "       ", fix));
        way.changes.iter().for_each(|change| change_line(&mut text, change, "       "));
    }
    reply.notes.iter().for_each(|note| line(&mut text, "  ", &note_words(note)));
    text
}

fn spend_text(subject: &Subject, budget: &SpendLimit, reply: &Reply) -> String {
    let mut text = String::new();
    let is_over = budget.value == "points" && suggest::over_budget(subject, budget).is_some();
    line(&mut text, "", &format!("{}{}", reply.heading, if is_over { "; --cheaper asks for less" } else { "" }));
    for purchase in &reply.proposals {
        line(&mut text, "  ", &purchase.title);
        let effects = [Some(&purchase.values).filter(|values| !values.is_empty()), purchase.odds.as_ref()];
        effects.into_iter().flatten().for_each(|effect| line(&mut text, "      ", effect));
        let followers = purchase.changes.iter().filter(|change| change.follows.is_some());
        followers.for_each(|change| change_line(&mut text, change, "      "));
    }
    reply.notes.iter().for_each(|note| line(&mut text, "  ", &note_words(note)));
    claim_lines(&mut text, reply);
    text
}

fn breaks_text(found: &[BreakPoint]) -> String {
    let mut text = String::new();
    found.iter().for_each(|one| line(&mut text, "", &one.words()));
    if found.is_empty() {
        text.push_str("no break-points within reach\n");
    }
    text
}

fn change_json(change: &LeverChange) -> Value {
    json!({ "lever": &*change.lever, "label": &*change.label, "from": &*change.from, "to": &*change.to, "follows": change.follows.as_deref() })
}

fn changes_json(changes: &[LeverChange]) -> Vec<Value> {
    changes.iter().map(change_json).collect()
}

fn after_json(after: &Evaluation) -> Value {
    json!({ "legal": after.legal, "points": after.points, "values": report_json(after).get("values") })
}

fn search_json(subject: &Subject, answer: &SearchAnswer<'_>, reply: &Reply) -> Value {
    let SearchAnswer { space, result, suggestion, .. } = answer;
    let number = answer.number.map(number_json);
    let bound = match result.proof {
        suggest::Proof::Proved => number.clone(),
        suggest::Proof::AtMost(_) => suggest::bound_number(space, result.proof).map(Value::from),
        suggest::Proof::Nothing => None,
    };
    let levers: Vec<Value> = space
        .levers
        .iter()
        .map(|lever| json!({ "lever": &*lever.id, "label": &*lever.label, "low": lever.low, "high": lever.high, "now": lever.now, "follows": lever.follows.as_deref() }))
        .collect();
    json!({
        "file": &*subject.design.source.file,
        "objective": answer.what,
        "found": suggestion.is_some(),
        "before": answer.before.map(number_json),
        "best": number,
        "bound": bound,
        "proved": result.proof == suggest::Proof::Proved,
        "claim": reply.claim,
        "changes": suggestion.as_ref().map_or_else(Vec::new, |suggestion| changes_json(&suggestion.changes)),
        "after": suggestion.as_ref().map(|suggestion| after_json(&suggestion.after)),
        "goals": space.goals.iter().map(|goal| &*goal.text).chain(space.odds_goals.iter().map(|goal| &*goal.text)).collect::<Vec<_>>(),
        "impossible_goal": answer.impossible.map(|goal| &*space.goals[goal].text),
        "levers": levers,
        "limits": reply.limits,
        "odds_not_compared": answer.not_compared(),
        "boxes": result.boxes,
        "tried": result.tried,
    })
}

fn legal_json(subject: &Subject, ways: &LegalWays, reply: &Reply) -> Value {
    json!({
        "file": &*subject.design.source.file,
        "fewest": ways.fewest,
        "claim": reply.heading,
        "levers": ways.levers,
        "complete": ways.is_complete,
        "ways": ways.ways.iter().map(|way| json!({
            "fix": way.fix,
            "changes": changes_json(&way.changes),
            "after": after_json(&way.after),
        })).collect::<Vec<_>>(),
        "boxes": ways.boxes,
        "tried": ways.tried,
    })
}

fn spend_json(subject: &Subject, budget: &SpendLimit, bought: &Purchases, reply: &Reply) -> Value {
    let mut json = json!({
        "file": &*subject.design.source.file,
        "points": budget.most,
        "before": suggest::number_of(&subject.evaluation, &budget.value),
        "claim": reply.claim.as_deref().unwrap_or_default(),
        "limits": reply.limits.as_deref().unwrap_or_default(),
        "bought": bought.bought.iter().map(|purchase| json!({
            "lever": &*purchase.lever.id,
            "label": &*purchase.lever.label,
            "more": purchase.more,
            "also": purchase.also.as_ref().map(|(lever, more)| json!({ "lever": &*lever.id, "label": &*lever.label, "more": more })),
            "proved": purchase.also.is_none() && purchase.proof == suggest::Proof::Proved,
            "values": purchase.values,
            "odds": purchase.odds,
            "dealt": purchase.worth.map(|worth| worth.dealt),
            "taken": purchase.worth.map(|worth| worth.taken),
            "trade": purchase.worth.and_then(|worth| worth.trade),
            "reach": purchase.reach,
            "changes": changes_json(&purchase.suggestion.changes),
            "after": after_json(&purchase.suggestion.after),
        })).collect::<Vec<_>>(),
        "by_odds": bought.is_by_odds,
        "basis": bought.basis,
        "none": bought.none.iter().map(|lever| &*lever.id).collect::<Vec<_>>(),
        "boxes": bought.boxes,
        "tried": bought.tried,
    });
    // What is spent where it is not points.
    if budget.value != "points"
        && let Some(object) = json.as_object_mut()
    {
        object.remove("points");
        object.insert("of".to_owned(), json!(budget.value));
        object.insert("most".to_owned(), json!(budget.most));
    }
    json
}

fn breaks_json(subject: &Subject, found: &[BreakPoint]) -> Value {
    json!({
        "file": &*subject.design.source.file,
        "breaks": found.iter().map(|one| json!({
            "lever": &*one.lever,
            "label": &*one.label,
            "now": one.now,
            "at": one.at,
            "turns": one.turns.iter().map(|(label, from, to)| json!({ "label": &**label, "from": &**from, "to": &**to })).collect::<Vec<_>>(),
            "points": one.points,
            "same": one.last_same.map(|(at, points, legal)| json!({ "at": at, "points": points, "legal": legal })),
            "legal": one.is_legal,
        })).collect::<Vec<_>>(),
    })
}
