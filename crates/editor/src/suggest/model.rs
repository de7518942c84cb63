//! Suggestions for each open design: the question that is put together, the answer, what is previewed; and the commands.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::suggest::goals::{DesignGoals, GoalLine};
use crate::{Doc, DocId, with_kinds};
use moldloft_base::progress::Progress;
use moldloft_odds::suggest::{Lever, Proposal, Question, Reply, Request, Sense, Term};
use moldloft_rules::evaluate::Evaluation;
use moldloft_rules::ruleset::Ruleset;

#[derive(Debug, Default)]
pub struct Suggestions {
    pub(crate) views: BTreeMap<DocId, SuggestView>,
    /// Counts answers, so that pictures of one are never taken for those of another.
    pub(crate) last_number: u64,
}

impl Suggestions {
    pub fn view(&self, id: DocId) -> Option<&SuggestView> {
        self.views.get(&id)
    }
}

#[derive(Clone, Debug, Default)]
pub struct SuggestView {
    pub goals: DesignGoals,
    pub draft: QuestionDraft,
    pub asked: Option<AskedQuestion>,
    /// Whether the answer is shown in place of the question.
    pub shows_answer: bool,
    /// By index among the answer's proposals.
    pub previewed: Option<usize>,
    /// Numbers that goals and objectives may name.
    pub terms: Arc<[Term]>,
    pub levers: Arc<[Lever]>,
    /// The revision that the terms and levers belong to; 0 before the first.
    pub(crate) listed_revision: u64,
    /// Where the goals are kept.
    pub(crate) goals_key: String,
}

/// A question for the best design, as the form has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionDraft {
    pub sense: Sense,
    /// A term's formula; empty until one is chosen.
    pub objective: String,
    /// What may change, with its window; empty: what the objective depends on.
    pub levers: BTreeMap<String, (i64, i64)>,
    /// How many times the usual work may be done.
    pub effort: u32,
    /// A system that is not aboard, to be ticked, and its mount.
    pub added: (String, String),
}

impl Default for QuestionDraft {
    fn default() -> Self {
        let added = (String::new(), String::new());
        Self { sense: Sense::Maximise, objective: String::new(), levers: BTreeMap::new(), effort: 1, added }
    }
}

#[derive(Clone, Debug)]
pub struct AskedQuestion {
    pub request: Request,
    pub question: Question,
    /// The design's text and rules when it was asked: the answer holds for these alone.
    pub text: Arc<str>,
    pub rules: Arc<Ruleset>,
    pub number: u64,
    pub stage: AnswerStage,
    /// What was last taken over of the answer.
    pub applied: Option<String>,
}

#[derive(Clone, Debug)]
pub enum AnswerStage {
    Working(Progress),
    Done {
        reply: Arc<Reply>,
        is_cancelled: bool,
    },
    /// Why it cannot be asked.
    Failed(String),
}

impl AskedQuestion {
    /// Whether the design is as it was asked about.
    pub fn is_for(&self, doc: &Doc) -> bool {
        let is_same = |evaluation: &Arc<Evaluation>| Arc::ptr_eq(&evaluation.ruleset, &self.rules);
        **doc.text() == *self.text && doc.evaluation().is_some_and(is_same)
    }

    pub fn reply(&self) -> Option<&Arc<Reply>> {
        match &self.stage {
            AnswerStage::Done { reply, .. } => Some(reply),
            AnswerStage::Working(_) | AnswerStage::Failed(_) => None,
        }
    }
}

/// A proposal that is shown in place of the design.
#[derive(Clone, Copy, Debug)]
pub struct Previewed<'a> {
    /// The answer and the proposal's index.
    pub key: (u64, usize),
    pub proposal: &'a Proposal,
}

impl SuggestView {
    /// `None` where nothing is previewed, or the design has changed since.
    pub fn previewed(&self, doc: &Doc) -> Option<Previewed<'_>> {
        let asked = self.asked.as_ref().filter(|asked| self.shows_answer && asked.is_for(doc))?;
        let index = self.previewed?;
        let proposal = asked.reply()?.proposals.get(index)?;
        Some(Previewed { key: (asked.number, index), proposal })
    }
}

with_kinds! {
    #[derive(Clone, Debug)]
    pub enum SuggestCommand as SuggestCommandKind {
        /// Shows the form for a question.
        Open,
        /// At the number of goals, it is added.
        SetGoal { at: usize, goal: GoalLine },
        RemoveGoal(usize),
        /// Levers by id.
        Pin { lever: String, on: bool },
        SetDraft(Box<QuestionDraft>),
        Ask(Request),
        AskAgain,
        /// Stops the search; what it found so far is shown.
        Cancel,
        /// Sent by the job.
        Answered { progress: Progress, answer: Result<Arc<Reply>, String> },
        /// By index; `None` shows the design itself.
        Preview(Option<usize>),
        Apply(usize),
        /// Back to the findings.
        Leave,
    }
}
