//! What is asked, compiled: takes a ruleset, a design's file and the words of a question, gives the space that is searched.

use std::sync::Arc;

use moldloft_base::finding::{Advice, DesignEdit, Finding, QuestionPart, Scalar, Severity, did_you_mean};
use moldloft_base::sanitize::shorten;
use moldloft_base::source::{Source, Span};
use moldloft_rules::design::{Design, Document, Ship};
use moldloft_rules::evaluate::{BoxModel, Evaluation, Trial, TrialFault, TrialPart, evaluate};
use moldloft_rules::formula::{Formula, FormulaErrorKind, Type, Value};
use moldloft_rules::ruleset::{Builtin, Ruleset, SlotContext, Symbol};

use super::lever::{Lever, VaryWord, add_levers, all_levers, is_named_by, named_levers};
use super::limits::{BOUNDS_WORK, BOX_WORK, MAX_EFFORT, MAX_GOALS, MAX_LEVERS, MAX_LOOKED_AT};
use super::odds_goal::OddsGoal;
use super::worth::Kept;

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// The most.
    Maximise,
    /// The least.
    Minimise,
}

/// What is asked of a design, in a player's words. By default nothing: no objective, no goals, what the objective hangs on may vary, no new warnings.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Question {
    /// A formula for a number, over values, fields and `count()`; `None`: only the goals count.
    pub objective: Option<(Sense, String)>,
    /// Conditions, in the same language.
    pub goals: Vec<String>,
    /// What may vary; empty: what the objective hangs on.
    pub vary: Vec<VaryWord>,
    /// What stays as it is even so: words as in `vary`, without windows.
    pub pins: Vec<String>,
    /// Which warnings an answer may have.
    pub warnings: WarningPolicy,
    /// How many times the usual work may be done, from 1 to 100.
    pub effort: u32,
}

moldloft_base::setters! {
    Question {
        objective: Option<(Sense, String)>,
        goals: Vec<String>,
        vary: Vec<VaryWord>,
        pins: Vec<String>,
        warnings: WarningPolicy,
        effort: u32,
    }
}

impl Default for Question {
    fn default() -> Self {
        let warnings = WarningPolicy::default();
        Self { objective: None, goals: Vec::new(), vary: Vec::new(), pins: Vec::new(), warnings, effort: 1 }
    }
}

/// The findings of severity warning that an answer may have. None has a finding of severity error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WarningPolicy {
    /// Any warnings.
    Any,
    /// Those that the design has already.
    #[default]
    Known,
    /// No warnings.
    None,
}

impl WarningPolicy {
    /// As limits list it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Any => "no error",
            Self::Known => "no error, no new warning",
            Self::None => "no error, no warning",
        }
    }

    /// What several changes would have to do.
    pub(super) fn legal_words(self) -> &'static str {
        match self {
            Self::Any => "",
            Self::Known => " without a new warning",
            Self::None => " without a warning",
        }
    }
}

/// A design that is asked about: its rules, its file and itself as it is now.
#[derive(Clone, Debug)]
pub struct Subject {
    pub rules: Arc<Ruleset>,
    pub design: Design,
    pub document: Document,
    pub ship: Ship,
    pub evaluation: Evaluation,
}

impl Subject {
    /// # Errors
    /// The findings of a text that is no design.
    pub fn new(rules: &Arc<Ruleset>, source: &Source) -> Result<Self, Vec<Finding>> {
        let design = Design::read(source)?;
        let document =
            Document::parse(&source.text).map_err(|message| vec![Finding::error("invalid-toml", message)])?;
        let ship = Ship::default();
        let evaluation = evaluate(rules, &design, &ship);
        Ok(Self { rules: rules.clone(), design, document, ship, evaluation })
    }

    /// The file with these edits, and the design in it.
    ///
    /// # Errors
    /// As [`Document::apply_edits`].
    pub fn edited(&self, edits: &[DesignEdit]) -> Result<(Document, Design), Finding> {
        let mut document = self.document.clone();
        document.apply_edits(edits)?;
        let design = self.read(&document)?;
        Ok((document, design))
    }

    /// The design in a changed file.
    ///
    /// # Errors
    /// The first finding of a text that is no design.
    pub fn read(&self, document: &Document) -> Result<Design, Finding> {
        let source = Source::new(self.design.source.file.clone(), &document.to_text());
        let cannot = || Finding::error("cannot-edit", "cannot read the result");
        Design::read(&source).map_err(|findings| findings.into_iter().next().unwrap_or_else(cannot))
    }
}

/// A condition that answers meet.
#[derive(Clone, Debug)]
pub struct Goal {
    pub text: Arc<str>,
    pub formula: Formula,
}

/// What is made as great, or as little, as can be.
#[derive(Clone, Debug)]
pub enum Objective {
    Formula(Sense, Formula),
    /// The number of a lever, by index: as great as can be.
    Lever(usize),
    /// A figure of odds, which a search of boxes does not know.
    Odds(Sense),
}

/// A question with its levers.
#[derive(Clone, Debug)]
pub struct SearchSpace<'a> {
    pub subject: &'a Subject,
    /// With fits of count 0 for what may be added.
    pub base: Design,
    pub levers: Vec<Lever>,
    pub objective: Option<Objective>,
    pub points: Option<Formula>,
    pub goals: Vec<Goal>,
    /// Words of levers that are left as they are.
    pub pins: Vec<String>,
    /// Conditions about odds.
    pub odds_goals: Vec<OddsGoal>,
    pub warnings: WarningPolicy,
    pub effort: u32,
    /// Of the design as it is.
    pub known_faults: Vec<TrialFault>,
    /// How many levers were left out, since there are too many.
    pub left_out: usize,
    /// What no answer loses.
    pub keeps: Option<Arc<Kept>>,
}

/// Compiles a formula over a design's values, fields and counts.
///
/// # Errors
/// The formula's error at its place in this part of a question, with the nearest word; `wrong-name` for names that only a finished evaluation knows.
pub fn compile(rules: &Ruleset, part: QuestionPart, text: &str, wanted: &Type) -> Result<Formula, Finding> {
    let source = Source::new("", text);
    let whole = Span::from(0..text.len());
    let compiled = rules.formula(text, whole, &SlotContext::Ship, wanted);
    let formula = compiled.map_err(|error| {
        let mut finding = asked_at(Finding::error(error.code, error.message), part, &source, error.span);
        let rest = text.get(error.span.start as usize..).unwrap_or_default();
        let is_unknown = error.kind == Some(FormulaErrorKind::UnknownName);
        let near = || is_unknown.then(|| near_name(rules, source.slice(error.span)));
        finding.help = system_named(rules, rest).or(error.help).or_else(near);
        finding
    })?;
    let late = |symbol| {
        matches!(symbol, Symbol::Builtin(Builtin::Legal | Builtin::Verdict | Builtin::Assumed))
            || matches!(symbol, Symbol::Builtin(word) if word.is_fleet_only())
    };
    if formula.reads().map(Symbol::from_slot).any(late) {
        let message = "`legal` and the like are known only after an evaluation";
        let finding = Finding::error("wrong-name", message).help("leave it out: every answer is legal");
        return Err(asked_at(finding, part, &source, whole));
    }
    Ok(formula)
}

/// At its place in the text of a part of a question, which is no file.
fn asked_at(finding: Finding, part: QuestionPart, source: &Source, span: Span) -> Finding {
    let mut place = source.place_with_snippet(span);
    place.file = None;
    finding.at(place).asked_in(part)
}

/// What to write for a system whose bare id a text begins with.
fn system_named(rules: &Ruleset, text: &str) -> Option<String> {
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    let ids = rules.systems.iter().map(|system| &*system.id);
    let id = ids.filter(|id| text.strip_prefix(id).is_some_and(ends)).max_by_key(|id| id.len())?;
    Some(format!("`{id}` is a system: write count('{id}') for how many there are"))
}

fn near_name(rules: &Ruleset, word: &str) -> String {
    let known = rules.values.iter().map(|value| &*value.id).chain(rules.fields.iter().map(|field| &*field.id));
    let known: Vec<&str> = known.collect();
    did_you_mean(word, known.iter().copied()).unwrap_or_else(|| format!("values: {}", shorten(&known.join(", "), 300)))
}

/// `points`, where the rules have such a number.
pub fn points_formula(rules: &Ruleset) -> Option<Formula> {
    let known = rules.values.iter().any(|value| &*value.id == "points" && value.formula.ty == Type::Int)
        || rules.fields.iter().any(|field| &*field.id == "points");
    known.then(|| compile(rules, QuestionPart::Spend, "points", &Type::Int).ok()).flatten()
}

impl<'a> SearchSpace<'a> {
    /// # Errors
    /// `unknown-lever`, `empty-window`, `goal-not-a-condition`, `too-many-goals`, `nothing-to-vary`, and those of formulas.
    pub fn new(subject: &'a Subject, question: &Question) -> Result<Self, Finding> {
        let rules = &subject.rules;
        let objective = match &question.objective {
            Some((sense, text)) => {
                let part = if *sense == Sense::Maximise { QuestionPart::Maximise } else { QuestionPart::Minimise };
                Some(Objective::Formula(*sense, compile(rules, part, text, &Type::Int)?))
            }
            None => None,
        };
        if question.goals.len() > MAX_GOALS {
            let message = format!("found {} goals, at most {MAX_GOALS} are possible", question.goals.len());
            return Err(Finding::error("too-many-goals", message).help("join some with `and`"));
        }
        let goals = question.goals.iter().map(|text| goal(rules, text)).collect::<Result<Vec<_>, _>>()?;
        let (base, added) = with_added_fits(subject, &question.vary)?;
        let mut space = Self { objective, goals, ..Self::of_design(subject, question, base) };
        let design = space.base.clone();
        let mut trial = Trial::new(rules, &design, &subject.ship);
        trial.compute();
        let wanted = match question.vary.is_empty() {
            true => space.levers_of_objective(&trial),
            false => {
                let mut named = Vec::new();
                for word in &question.vary {
                    let levers = named_levers(&trial, word)?;
                    named.extend(
                        levers.into_iter().map(|lever| Lever { is_added: added.contains(&word.word), ..lever }),
                    );
                }
                named
            }
        };
        let (pinned, wanted): (Vec<Lever>, Vec<Lever>) =
            wanted.into_iter().partition(|lever| space.is_pinned(&lever.id));
        space.left_out = wanted.len().saturating_sub(MAX_LEVERS);
        add_levers(&mut space.levers, wanted);
        space.add_followers(&trial);
        if space.levers.is_empty() && !pinned.is_empty() {
            let message = format!("everything that may change is pinned: {}", shorten(&lever_ids(&pinned), 200));
            return Err(Finding::error("nothing-to-vary", message).help("pin less, or let something else vary"));
        }
        if space.levers.is_empty() {
            let finding = Finding::error("nothing-to-vary", "nothing in this design changes that");
            return Err(finding.advise(Advice::NameLever("missile-launcher")));
        }
        Ok(space)
    }

    /// A space without levers and goals, for questions that choose their own.
    pub fn bare(subject: &'a Subject, question: &Question) -> Self {
        Self::of_design(subject, question, subject.design.clone())
    }

    fn of_design(subject: &'a Subject, question: &Question, base: Design) -> Self {
        let mut trial = Trial::new(&subject.rules, &base, &subject.ship);
        trial.compute();
        let known_faults = trial.faults().to_vec();
        drop(trial);
        Self {
            subject,
            base,
            levers: Vec::new(),
            objective: None,
            points: points_formula(&subject.rules),
            goals: Vec::new(),
            pins: question.pins.clone(),
            odds_goals: Vec::new(),
            warnings: question.warnings,
            effort: question.effort.clamp(1, MAX_EFFORT),
            known_faults,
            left_out: 0,
            keeps: None,
        }
    }

    /// The same with these levers alone.
    pub fn with_levers(&self, levers: Vec<Lever>) -> Self {
        Self { levers, ..self.clone() }
    }

    pub fn is_minimised(&self) -> bool {
        matches!(self.objective, Some(Objective::Formula(Sense::Minimise, _) | Objective::Odds(Sense::Minimise)))
    }

    /// Whether a lever is left as it is, by its id.
    pub fn is_pinned(&self, lever: &str) -> bool {
        self.pins.iter().any(|pin| is_named_by(lever, pin))
    }

    /// The levers of the design that are not pinned.
    pub fn free_levers(&self, trial: &Trial<'_>) -> Vec<Lever> {
        all_levers(trial).into_iter().filter(|lever| !self.is_pinned(&lever.id)).collect()
    }

    /// A trial of the design as it is.
    pub fn trial(&self) -> Trial<'_> {
        let mut trial = Trial::new(&self.subject.rules, &self.base, &self.subject.ship);
        trial.compute();
        trial
    }

    /// What the objective, or without one the goals, hang on.
    fn levers_of_objective(&self, trial: &Trial<'_>) -> Vec<Lever> {
        let asked = self.asked(false);
        let mut levers = self.free_levers(trial);
        levers.truncate(MAX_LOOKED_AT);
        levers.retain(|lever| {
            let model = BoxModel::new(trial, vec![lever.box_lever()], &asked, &|_| false, &[]);
            asked.iter().any(|formula| model.is_moved(formula))
        });
        levers
    }

    /// The formulas of the objective (or of the goals, if there is none); of all, with points.
    fn asked(&self, all: bool) -> Vec<&Formula> {
        let objective = self.objective.iter().filter_map(|objective| match objective {
            Objective::Formula(_, formula) => Some(formula),
            Objective::Lever(_) | Objective::Odds(_) => None,
        });
        let goals = self.goals.iter().map(|goal| &goal.formula).filter(|_| all || self.objective.is_none());
        objective.chain(goals).chain(self.points.iter().filter(|_| all)).collect()
    }

    /// Adds the levers that checks' fixes would move together with those that are there.
    pub fn add_followers(&mut self, trial: &Trial<'_>) {
        let model = self.model(trial);
        let followers = model.followers(&self.whole_box());
        let rules = &self.subject.rules;
        let all = self.free_levers(trial);
        for (part, check) in followers {
            let Some(lever) = all.iter().find(|lever| lever.parts.contains(&part)) else { continue };
            let follows = Some(rules.checks[check].code.clone());
            add_levers(&mut self.levers, [Lever { follows, ..lever.clone() }]);
        }
    }

    /// Whether no answer may fail a check.
    pub fn forbids(&self, trial: &Trial<'_>, check: usize) -> bool {
        match trial.severity(check) {
            Some(Severity::Error) => true,
            Some(Severity::Warning) => self.warnings != WarningPolicy::Any,
            _ => false,
        }
    }

    /// The trial must have been computed.
    pub fn model<'m>(&self, trial: &Trial<'m>) -> BoxModel<'m> {
        let tolerated: Vec<TrialFault> = match self.warnings {
            WarningPolicy::Known => {
                self.known_faults.iter().filter(|fault| fault.severity == Severity::Warning).cloned().collect()
            }
            _ => Vec::new(),
        };
        let levers = self.levers.iter().map(Lever::box_lever).collect();
        BoxModel::new(trial, levers, &self.asked(true), &|check| self.forbids(trial, check), &tolerated)
    }

    /// The objective of the design as it is; `None` without one, or where it is not computable.
    pub fn objective_now(&self) -> Option<i64> {
        match self.objective.as_ref()? {
            Objective::Lever(lever) => self.levers.get(*lever).map(|lever| lever.now),
            Objective::Odds(_) => None,
            Objective::Formula(_, formula) => match self.trial().eval(formula) {
                Value::Int(number) => Some(number),
                _ => None,
            },
        }
    }

    pub fn whole_box(&self) -> Vec<(i64, i64)> {
        self.levers.iter().map(|lever| (lever.low, lever.high)).collect()
    }

    /// How many designs there are, at most `u64::MAX`.
    pub fn designs(&self) -> u64 {
        self.levers.iter().map(Lever::width).fold(1, u64::saturating_mul)
    }

    /// Work of one design with the formulas of the question, in plain formulas. The trial must have been computed; its own work grows by that of
    /// these formulas.
    pub fn design_work(&self, trial: &Trial<'_>) -> u64 {
        self.asked(true).into_iter().for_each(|formula| drop(trial.eval(formula)));
        trial.work()
    }

    /// Work of narrowing one box, in plain formulas: that of so many designs, or that of its bounds.
    pub fn box_work(&self, trial: &Trial<'_>) -> u64 {
        let levers = self.levers.len() as u64;
        (self.design_work(trial) * BOX_WORK).max(levers * levers * BOUNDS_WORK)
    }

    /// The levers as they are, within their windows.
    pub fn now(&self) -> Vec<i64> {
        self.levers.iter().map(|lever| lever.now.clamp(lever.low, lever.high)).collect()
    }

    /// The edits that make a point of the design. With `remove`, fits with none left are removed; else their count is 0.
    pub fn edits(&self, point: &[i64], remove: bool) -> Vec<DesignEdit> {
        let rules = &self.subject.rules;
        let trial = Trial::new(rules, &self.base, &self.subject.ship);
        let fits = trial.fits();
        let mut edits: Vec<DesignEdit> = Vec::new();
        let mut removed: Vec<u32> = Vec::new();
        let moved = self.levers.iter().zip(point).filter(|(lever, number)| lever.now != **number);
        let moved: Vec<(&Lever, i64)> = moved.map(|(lever, number)| (lever, *number)).collect();
        for (lever, number) in &moved {
            for part in &lever.parts {
                if let TrialPart::Count(fit) = part
                    && *number == 0
                    && remove
                    && !lever.is_added
                {
                    removed.push(fits[*fit].file_index);
                }
            }
        }
        for (lever, number) in moved {
            let Some(value) = scalar(&lever.kind.value(number)) else { continue };
            for part in &lever.parts {
                match *part {
                    TrialPart::Field(field) => {
                        let field = rules.fields[field].id.clone();
                        edits.push(DesignEdit::SetField { field, value: value.clone() });
                    }
                    TrialPart::Count(fit) if lever.is_added => {
                        let mount = Some(fits[fit].mount_id.clone()).filter(|id| !id.is_empty());
                        let count = u32::try_from(number).unwrap_or(0);
                        edits.push(DesignEdit::AddFit {
                            system: fits[fit].system.clone(),
                            mount,
                            count,
                            parameters: Vec::new(),
                        });
                    }
                    TrialPart::Count(fit) if removed.contains(&fits[fit].file_index) => {}
                    TrialPart::Count(fit) => {
                        edits.push(DesignEdit::SetFit {
                            fit: fits[fit].file_index,
                            key: "count".into(),
                            value: value.clone(),
                        });
                    }
                    TrialPart::Parameter(fit, _) if removed.contains(&fits[fit].file_index) => {}
                    TrialPart::Parameter(fit, attribute) => {
                        let parameters = &rules.systems[fits[fit].base].parameters;
                        let Some(parameter) = parameters.iter().find(|known| known.attribute == attribute) else {
                            continue;
                        };
                        edits.push(DesignEdit::SetFit {
                            fit: fits[fit].file_index,
                            key: parameter.id.clone(),
                            value: value.clone(),
                        });
                    }
                }
            }
        }
        removed.sort_unstable();
        edits.extend(removed.into_iter().rev().map(|fit| DesignEdit::RemoveFit { fit }));
        edits
    }
}

fn scalar(value: &Value) -> Option<Scalar> {
    Some(match value {
        Value::Int(number) => Scalar::Number(*number),
        Value::Flag(flag) => Scalar::Flag(*flag),
        Value::Text(text) => Scalar::Text(text.clone()),
        _ => return None,
    })
}

pub fn goal(rules: &Ruleset, text: &str) -> Result<Goal, Finding> {
    goal_of(rules, QuestionPart::Goal, text)
}

pub fn goal_of(rules: &Ruleset, part: QuestionPart, text: &str) -> Result<Goal, Finding> {
    let formula = compile(rules, part, text, &Type::Any)?;
    if formula.ty != Type::Flag {
        let message = format!("expected a condition such as `points <= 500`, found {}", formula.ty.describe());
        let finding = Finding::error("goal-not-a-condition", message).help("compare it with a number");
        return Err(asked_at(finding, part, &Source::new("", text), Span::from(0..text.len())));
    }
    Ok(Goal { text: text.into(), formula: compile(rules, part, text, &Type::Flag)? })
}

/// The design with a fit of count 0 for each `system@mount` that it does not have, and the words of those.
fn with_added_fits(subject: &Subject, vary: &[VaryWord]) -> Result<(Design, Vec<String>), Finding> {
    let rules = &subject.rules;
    let mut document = subject.document.clone();
    let mut added = Vec::new();
    for word in vary {
        let Some((system, mount)) = word.word.split_once('@') else { continue };
        let Some(known) = rules.systems.iter().find(|known| *known.id == *system && !known.is_abstract) else {
            continue;
        };
        let Some(at) = rules.mounts.iter().position(|known| *known.id == *mount) else { continue };
        let aboard = |fit: &moldloft_rules::design::Fit| {
            *fit.system.text == *system && fit.mount.as_ref().is_some_and(|word| *word.text == *mount)
        };
        if subject.design.fits.iter().any(aboard) || added.contains(&word.word) {
            continue;
        }
        if known.mounts.as_ref().is_some_and(|mounts| !mounts.contains(&at)) {
            let allowed = known.mounts.iter().flatten().map(|mount| &*rules.mounts[*mount].id);
            let message = format!("`{system}` cannot be in `{mount}`");
            let help = format!("allowed mounts: {}", allowed.collect::<Vec<_>>().join(", "));
            return Err(Finding::error("unknown-lever", message).help(help));
        }
        let edit =
            DesignEdit::AddFit { system: system.into(), mount: Some(mount.into()), count: 0, parameters: Vec::new() };
        document.apply_edits(&[edit])?;
        added.push(word.word.clone());
    }
    if added.is_empty() {
        return Ok((subject.design.clone(), added));
    }
    let source = Source::new(subject.design.source.file.clone(), &document.to_text());
    match Design::read(&source) {
        Ok(design) => Ok((design, added)),
        Err(findings) => {
            Err(findings.into_iter().next().unwrap_or_else(|| Finding::error("cannot-edit", "cannot add a fit")))
        }
    }
}

fn lever_ids(levers: &[Lever]) -> String {
    levers.iter().map(|lever| &*lever.id).collect::<Vec<_>>().join(", ")
}
