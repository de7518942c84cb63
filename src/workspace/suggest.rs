//! Suggestions: takes a checked ship and a question, gives what could be changed, with the edits that change it.

use moldloft_base::finding::DesignEdit;
use moldloft_base::progress::Progress;
use moldloft_odds::odds::read_situation;
use moldloft_odds::suggest::{self, LeverChange, OddsBasis, OddsTarget, Question, Reply, Request, Subject};

use super::{CheckedShip, Error};

impl CheckedShip {
    /// The best change of the ship's design, and what is proved of it. Every answer was checked by the rules. Figures of
    /// odds, such as `odds.all`, are against the ship as it is.
    ///
    /// # Errors
    /// `unknown-lever`, `unknown-name`, `empty-window`, `goal-not-a-condition`, `too-many-goals`, `too-many-designs`,
    /// `nothing-to-vary`, `no-points`: the question cannot be asked of this design.
    pub fn suggest(&self, request: &Request, question: &Question) -> Result<SuggestAnswer, Error> {
        self.suggest_against(request, question, self, &[])
    }

    /// As [`suggest`](Self::suggest), with figures of odds against another ship. `situation` is what the table decides,
    /// each `NAME=VALUE`, such as `range=20`.
    ///
    /// # Errors
    /// As [`suggest`](Self::suggest); `other-game`; `unknown-situation`, `unknown-option`, `value-out-of-range`.
    pub fn suggest_against(
        &self,
        request: &Request,
        question: &Question,
        target: &Self,
        situation: &[String],
    ) -> Result<SuggestAnswer, Error> {
        let rules = &self.evaluation.ruleset;
        let subject = Subject::new(rules, &self.design().design.source)?;
        suggest::check_pins(&subject, &question.pins)?;
        let progress = Progress::default();
        if !question.is_about_odds() || *request != Request::Best {
            return Ok(SuggestAnswer(suggest::ask(&subject, request, question, &progress)?.reply(&subject, question)));
        }
        let situation = read_situation(&rules.attack_rules, situation)?;
        let opponent = OddsTarget { target: target.evaluation.clone(), situation };
        let (answer, findings) = suggest::ask_odds(&subject, question, &opponent, &progress)?;
        let mut reply = Reply { basis: OddsBasis::new(&subject, &answer, &opponent).lines(), ..answer.reply() };
        reply.notes.extend(findings.into_iter().map(|finding| finding.message.into()));
        Ok(SuggestAnswer(reply))
    }
}

/// The answer to a question about a design.
#[derive(Clone, Debug)]
pub struct SuggestAnswer(Reply);

impl SuggestAnswer {
    /// The answer in a sentence: `points 512 → 498`, `no design found`. Empty for break-points.
    #[must_use]
    pub fn heading(&self) -> &str {
        &self.0.heading
    }

    /// What can be done, the best first. Each stands alone.
    pub fn proposals(&self) -> impl Iterator<Item = SuggestedChange<'_>> {
        self.0.proposals.iter().map(SuggestedChange)
    }

    /// What is proved: that nothing is better, or how much better something could be. `None` where the heading says it.
    #[must_use]
    pub fn claim(&self) -> Option<&str> {
        self.0.claim.as_deref()
    }

    /// What was found beside, what the answer keeps to, what it rests on.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        let Reply { notes, limits, rest, basis, .. } = &self.0;
        notes.iter().map(ToString::to_string).chain(limits.iter().chain(rest).chain(basis).cloned())
    }
}

/// One thing that a player can do.
#[derive(Clone, Copy, Debug)]
pub struct SuggestedChange<'a>(&'a suggest::Proposal);

impl<'a> SuggestedChange<'a> {
    /// `3 more CnC, core: 1794 points`
    #[must_use]
    pub fn title(&self) -> &'a str {
        &self.0.title
    }

    /// The numbers that change.
    #[must_use]
    pub fn changes(&self) -> &'a [LeverChange] {
        &self.0.changes
    }

    /// For [`ShipDesign::apply`](super::ShipDesign::apply).
    #[must_use]
    pub fn edits(&self) -> &'a [DesignEdit] {
        &self.0.edits
    }

    /// The ship with the changes.
    #[must_use]
    pub fn ship(&self) -> CheckedShip {
        CheckedShip::new((*self.0.after).clone())
    }
}
