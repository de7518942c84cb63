//! Suggestions: takes the question that the form or a button asks, has a job search for the answer, and gives the edit that a
//! proposal stands for. Keeps the goals and pins of each design.

pub mod goals;
pub mod model;
pub mod panel;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::odds_page::{ChosenTarget, chosen_target};
use crate::panic_guard::catch_panic;
use crate::suggest::goals::{GoalState, MAX_GOALS, Relation, goals_key, is_unsaved_key};
use crate::suggest::model::{AnswerStage, AskedQuestion, SuggestView};
use crate::{Command, Doc, DocId, Edit, EditorState, InspectorTab, Jobs, Notice, Pane, message_with_help};
use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_base::source::Source;
use moldloft_odds::odds::read_situation;
use moldloft_odds::suggest::{self, OddsBasis, OddsTarget, Question, Reply, Request, SpendLimit, Subject, VaryWord};
use moldloft_rules::design::DocumentEdit;
use moldloft_rules::ruleset::Ruleset;

pub use crate::suggest::goals::GoalLine;
pub use crate::suggest::model::{QuestionDraft, SuggestCommand};

pub fn apply(state: &mut EditorState, command: SuggestCommand, jobs: &Jobs) -> Vec<Command> {
    if let SuggestCommand::Answered { progress, answer } = command {
        accept(state, &progress, answer);
        return Vec::new();
    }
    let Some(id) = state.current_doc().filter(|doc| doc.as_design().is_some()).map(|doc| doc.id) else {
        return Vec::new();
    };
    update(state);
    let Some(view) = state.suggestions.views.get_mut(&id) else { return Vec::new() };
    match command {
        SuggestCommand::Open => {
            view.shows_answer = false;
            view.previewed = None;
            show_tab(state);
        }
        SuggestCommand::SetGoal { at, goal } => match view.goals.goals.get_mut(at) {
            Some(known) => *known = goal,
            None if at < MAX_GOALS => view.goals.goals.push(goal),
            None => state.notify(Notice::info(format!("a design has {MAX_GOALS} goals at most"))),
        },
        SuggestCommand::RemoveGoal(at) if at < view.goals.goals.len() => {
            view.goals.goals.remove(at);
        }
        SuggestCommand::Pin { lever, on } => {
            view.goals.pins.retain(|pin| !suggest::is_named_by(&lever, pin));
            if on {
                view.draft.levers.remove(&lever);
                view.goals.pins.extend(pin_words(&lever));
            }
        }
        SuggestCommand::SetDraft(draft) => view.draft = *draft,
        SuggestCommand::Ask(request) => ask(state, id, request, jobs),
        SuggestCommand::AskAgain => {
            if let Some(request) = view.asked.as_ref().map(|asked| asked.request.clone()) {
                ask(state, id, request, jobs);
            }
        }
        SuggestCommand::Cancel => cancel(view),
        SuggestCommand::Preview(index) => view.previewed = index,
        SuggestCommand::Apply(index) => return apply_proposal(state, id, index),
        SuggestCommand::Leave => {
            cancel(view);
            view.previewed = None;
            state.inspector_tab = InspectorTab::Findings;
        }
        SuggestCommand::RemoveGoal(_) | SuggestCommand::Answered { .. } => {}
    }
    keep_goals(state);
    Vec::new()
}

fn show_tab(state: &mut EditorState) {
    state.inspector_tab = InspectorTab::Suggest;
    state.pane = Pane::Inspector;
}

/// Levers of mirrored fits are pinned one by one, since they may part.
fn pin_words(lever: &str) -> Vec<String> {
    match lever.split_once('@') {
        Some((name, mounts)) => mounts.split('+').map(|mount| format!("{name}@{mount}")).collect(),
        None => vec![lever.to_owned()],
    }
}

/// Brings goals, terms and levers up to the open documents.
pub fn update(state: &mut EditorState) {
    let EditorState { suggestions, docs, settings, wants_quit, .. } = state;
    suggestions.views.retain(|id, view| {
        let is_open = docs.iter().any(|doc| doc.id == *id);
        if !is_open {
            cancel(view);
        }
        // A crash leaves a draft, and its goals with it.
        if !is_open && !*wants_quit && is_unsaved_key(&view.goals_key) {
            settings.goals.forget(&view.goals_key);
        }
        is_open
    });
    for doc in docs.iter().filter(|doc| doc.as_design().is_some()) {
        let key = goals_key(doc);
        let view = suggestions.views.entry(doc.id).or_default();
        if view.goals_key.is_empty() {
            view.goals = settings.goals.find(&key).cloned().unwrap_or_default();
        } else if view.goals_key != key && is_unsaved_key(&view.goals_key) {
            settings.goals.forget(&view.goals_key);
        }
        view.goals_key = key;
    }
    let Some(doc) = state.current_doc() else { return };
    let (Some(open), Some(evaluation)) = (doc.as_design(), doc.evaluation()) else { return };
    let (id, revision) = (doc.id, doc.revision);
    let is_listed = |view: &SuggestView| view.listed_revision == revision;
    if state.suggestions.view(id).is_some_and(is_listed) {
        return;
    }
    let terms = suggest::terms(evaluation);
    let levers = suggest::lever_menu(&evaluation.ruleset, &open.design);
    if let Some(view) = state.suggestions.views.get_mut(&id) {
        view.terms = terms.into();
        view.levers = levers.into();
        view.listed_revision = revision;
    }
}

fn keep_goals(state: &mut EditorState) {
    for view in state.suggestions.views.values() {
        state.settings.goals.keep(&view.goals_key, &view.goals);
    }
}

/// After every command: goals follow their design when it is saved under another name.
pub fn sync_after_command(state: &mut EditorState) {
    update(state);
    keep_goals(state);
}

fn cancel(view: &SuggestView) {
    if let Some(AskedQuestion { stage: AnswerStage::Working(progress), .. }) = &view.asked {
        progress.cancel();
    }
}

fn ask(state: &mut EditorState, id: DocId, request: Request, jobs: &Jobs) {
    let Some(doc) = state.find_doc(id) else { return };
    let (Some(open), Some(evaluation)) = (doc.as_design(), doc.evaluation()) else { return };
    let Some(view) = state.suggestions.view(id) else { return };
    cancel(view);
    let question = question(doc, view, &request);
    let (text, rules) = (doc.text().clone(), evaluation.ruleset.clone());
    let stage = match question.objective.is_none() && question.goals.is_empty() && request == Request::Best {
        true => AnswerStage::Failed("choose what to make the most of, or add a goal".to_owned()),
        false => {
            let job = SearchJob {
                rules: rules.clone(),
                source: open.design.source.clone(),
                request: request.clone(),
                question: question.clone(),
                odds: chosen_target(state, doc).filter(|_| question.is_about_odds() && request == Request::Best),
            };
            AnswerStage::Working(jobs.start(move |progress| {
                let answer = catch_panic(|| job.run(progress));
                let answer = answer.unwrap_or_else(|| Err("cannot search: this is a bug in moldloft".to_owned()));
                let progress = progress.clone();
                Some(Command::Suggest(SuggestCommand::Answered { progress, answer }))
            }))
        }
    };
    state.suggestions.last_number += 1;
    let number = state.suggestions.last_number;
    if let Some(view) = state.suggestions.views.get_mut(&id) {
        view.asked = Some(AskedQuestion { request, question, text, rules, number, stage, applied: None });
        view.shows_answer = true;
        view.previewed = None;
    }
    show_tab(state);
}

struct SearchJob {
    rules: Arc<Ruleset>,
    source: Source,
    request: Request,
    question: Question,
    /// Of a question about odds.
    odds: Option<ChosenTarget>,
}

impl SearchJob {
    fn run(&self, progress: &Progress) -> Result<Arc<Reply>, String> {
        let subject = Subject::new(&self.rules, &self.source)
            .map_err(|findings| findings.first().map_or_else(String::new, message_with_help))?;
        if let Some(odds) = &self.odds {
            return self
                .run_odds(&subject, odds, progress)
                .map(Arc::new)
                .map_err(|finding| message_with_help(&finding));
        }
        let answer = suggest::ask(&subject, &self.request, &self.question, progress);
        answer
            .map(|answer| Arc::new(answer.reply(&subject, &self.question)))
            .map_err(|finding| message_with_help(&finding))
    }
}

impl SearchJob {
    fn run_odds(&self, subject: &Subject, odds: &ChosenTarget, progress: &Progress) -> Result<Reply, Finding> {
        let situation = read_situation(&self.rules.attack_rules, &odds.situation)?;
        let target = odds.source.evaluate(&odds.own)?;
        let opponent = OddsTarget { target: (*target).clone(), situation };
        let (answer, findings) = suggest::ask_odds(subject, &self.question, &opponent, progress)?;
        let mut reply = answer.reply();
        reply.basis = OddsBasis::new(subject, &answer, &opponent).lines();
        reply.notes.extend(findings.into_iter().map(|finding| finding.message.into()));
        Ok(reply)
    }
}

/// What the command line would be asked with.
fn question(doc: &Doc, view: &SuggestView, request: &Request) -> Question {
    let goals = &view.goals.goals;
    let is_met = |goal: &&GoalLine| {
        doc.evaluation().is_some_and(|evaluation| matches!(goal.state(evaluation), GoalState::Met { .. }))
    };
    let levers = || {
        let chosen = &view.draft.levers;
        let word = |word: &str, window: &(i64, i64)| VaryWord { word: word.to_owned(), window: Some(*window) };
        // In the order of the file, as the command line has them.
        let aboard = view.levers.iter().filter_map(|lever| Some(word(&lever.id, chosen.get(&*lever.id)?)));
        let is_new = |id: &str| view.levers.iter().all(|lever| *lever.id != *id) && is_new_fit(doc, id);
        let new = chosen.iter().filter(|(id, _)| is_new(id)).map(|(id, window)| word(id, window));
        aboard.chain(new).collect::<Vec<_>>()
    };
    let conditions = |goals: Vec<&GoalLine>| goals.into_iter().map(GoalLine::condition).collect::<Vec<_>>();
    let pins = view.goals.pins.iter().cloned().collect();
    let plain = Question::default().pins(pins).effort(view.draft.effort);
    match request {
        Request::Legal => plain,
        Request::Breaks(_) => Question::default(),
        // What is reached stays so.
        Request::Spend(budget) => {
            let is_other = |goal: &&GoalLine| goal.what != budget.value || goal.relation != Relation::AtMost;
            plain.goals(conditions(goals.iter().filter(is_met).filter(is_other).collect()))
        }
        Request::Cheaper => plain.goals(conditions(goals.iter().filter(is_met).collect())).vary(levers()),
        Request::Best => {
            let draft = &view.draft;
            let objective = (!draft.objective.is_empty()).then(|| (draft.sense, draft.objective.clone()));
            plain.objective(objective).goals(conditions(goals.iter().collect())).vary(levers())
        }
    }
}

/// A system that is not aboard, in a mount of the rules.
fn is_new_fit(doc: &Doc, word: &str) -> bool {
    let (Some((system, mount)), Some(evaluation)) = (word.split_once('@'), doc.evaluation()) else { return false };
    let rules = &evaluation.ruleset;
    rules.systems.iter().any(|known| *known.id == *system) && rules.mounts.iter().any(|known| *known.id == *mount)
}

fn accept(state: &mut EditorState, progress: &Progress, answer: Result<Arc<Reply>, String>) {
    let is_awaited = |asked: &&mut AskedQuestion| matches!(&asked.stage, AnswerStage::Working(awaited) if awaited.is_same_work(progress));
    let mut asked = state.suggestions.views.values_mut().filter_map(|view| view.asked.as_mut());
    let Some(asked) = asked.find(is_awaited) else { return };
    asked.stage = match answer {
        Ok(reply) => AnswerStage::Done { reply, is_cancelled: progress.is_cancelled() },
        Err(why) => AnswerStage::Failed(why),
    };
}

fn apply_proposal(state: &mut EditorState, id: DocId, index: usize) -> Vec<Command> {
    let Some(doc) = state.docs.iter().find(|doc| doc.id == id) else { return Vec::new() };
    let Some(view) = state.suggestions.views.get_mut(&id) else { return Vec::new() };
    let Some(asked) = view.asked.as_mut().filter(|asked| asked.is_for(doc)) else { return Vec::new() };
    let Some(reply) = asked.reply().cloned() else { return Vec::new() };
    let Some(proposal) = reply.proposals.get(index) else { return Vec::new() };
    let label = match (&asked.request, &proposal.break_point) {
        (_, Some(at)) => format!("set {} to {}", at.label, at.at),
        (Request::Legal, _) => "make it legal".to_owned(),
        (Request::Cheaper, _) => "make it cheaper".to_owned(),
        (Request::Spend(_), _) => format!("add {}", proposal.title.split(':').next().unwrap_or_default()),
        (Request::Best | Request::Breaks(_), _) => "take over a suggestion".to_owned(),
    };
    asked.applied = Some(label.clone());
    view.previewed = None;
    let mut commands = vec![Command::Edit(Edit::single(label, DocumentEdit::Fix(proposal.edits.clone())))];
    // What is left may buy more, and the next step is another one.
    if matches!(asked.request, Request::Spend(_) | Request::Breaks(_)) {
        commands.push(Command::Suggest(SuggestCommand::AskAgain));
    }
    commands
}

/// What a design could spend: goals that allow more, then the rules' own limits.
pub fn budgets(doc: &Doc, view: &SuggestView) -> Vec<(SpendLimit, i64)> {
    let Some(evaluation) = doc.evaluation() else { return Vec::new() };
    let goals = view.goals.goals.iter().filter(|goal| goal.relation == Relation::AtMost && !goal.what.contains('('));
    let goals = goals.filter_map(|goal| match goal.state(evaluation) {
        GoalState::Met { left } if left > 0 => Some((SpendLimit { value: goal.what.clone(), most: goal.number }, left)),
        _ => None,
    });
    let limits = evaluation.values.iter().filter_map(|value| {
        let (limit, now) = (value.limit?, suggest::number_of(evaluation, &value.id)?);
        (limit > now).then(|| (SpendLimit { value: value.id.to_string(), most: limit }, limit - now))
    });
    let mut smallest: BTreeMap<String, usize> = BTreeMap::new();
    let mut found: Vec<(SpendLimit, i64)> = Vec::new();
    for (budget, left) in goals.chain(limits) {
        match smallest.get(&budget.value) {
            Some(known) if found[*known].1 <= left => {}
            Some(known) => found[*known] = (budget, left),
            None => {
                smallest.insert(budget.value.clone(), found.len());
                found.push((budget, left));
            }
        }
    }
    found
}
