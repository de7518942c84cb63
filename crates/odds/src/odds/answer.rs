//! All that players ask of two ships: takes their evaluations and a question, gives [`Odds`] and what the figures rest on.

use std::collections::BTreeSet;
use std::sync::Arc;

use moldloft_base::finding::{Advice, Cause, Finding};
use moldloft_base::progress::Progress;
use moldloft_base::source::Span;
use moldloft_rules::evaluate::Evaluation;
use moldloft_rules::formula::{FormulaError, FormulaErrorKind, MAX_MULTIPLICATIONS, Value};
use moldloft_rules::ruleset::{Attack, AttackRules, Ruleset, Variable};

use super::counted::{add_new, left_aside, left_out_by, left_out_later, no_attacks, nothing_to_lose, told_by_removal};
use super::curve::curve;
use super::duel::{Duel, Duelist};
use super::duel_apart::duel;
use super::encounter::Encounter;
use super::figures::{share_lost, trade};
use super::program;
use super::situation::{axis, axis_values};
use super::turns::{Turns, race, turns};
use super::volley::{Ask, Fight, GaugeOdds, OutcomeOdds, StepMeans, Volley, volley};

/// Of a race or duel.
pub const MAX_BATTLE_TURNS: u32 = 200;

#[derive(Clone, Debug, Default)]
pub struct OddsQuestion {
    /// By situation.
    pub situation: Vec<Value>,
    /// Ids of the only attacks that count, of both ships; all if empty.
    pub only: Vec<Arc<str>>,
    /// A situation and values of it, at most [`MAX_AXIS`](super::MAX_AXIS).
    pub over: Option<(usize, Vec<Value>)>,
    /// Curves of single attacks too.
    pub parts: bool,
    /// Turns in which one ship fires, at most [`MAX_BATTLE_TURNS`]; 0 for none.
    pub turns: u32,
    /// Turns of a duel, at most [`MAX_BATTLE_TURNS`]; 0 for none.
    pub duel: u32,
    /// A situation that each firing ship chooses for the largest mean, in a matrix only.
    pub best: Option<usize>,
    /// Cancels the work; what is worked out then is of no use.
    pub progress: Progress,
}

/// A ship for readers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OddsShip {
    /// As the player named it.
    pub file: Arc<str>,
    pub name: Arc<str>,
    pub points: Option<i64>,
}

impl OddsShip {
    pub(super) fn new(evaluation: &Evaluation) -> Self {
        let name = match evaluation.name.trim() {
            "" => "(no name)".into(),
            _ => evaluation.name.clone(),
        };
        Self { file: evaluation.file.clone(), name, points: evaluation.points }
    }
}

/// What one ship does to another.
#[derive(Clone, Debug)]
pub struct Odds {
    pub ruleset: Arc<Ruleset>,
    pub attacker: OddsShip,
    pub target: OddsShip,
    /// By situation.
    pub situation: Vec<Value>,
    /// The gauge that figures in short are about: the first that puts a ship out, else the first that something changes.
    pub headline: Option<usize>,
    /// In firing order.
    pub attacks: Vec<AttackOdds>,
    /// All that bears, together.
    pub all: Vec<GaugeOdds<f64>>,
    /// Whether the headline's gauge could not be worked out; then `all` lacks it, and a finding says why.
    pub failed: bool,
    pub outcomes: Vec<OutcomeOdds<f64>>,
    /// All that bears of the other ship on this one.
    pub back: Vec<GaugeOdds<f64>>,
    /// As `failed`, of `back`.
    pub back_failed: bool,
    /// Points destroyed for each point lost, at equal points.
    pub trade: Option<f64>,
    pub over: Option<OddsCurve>,
    pub turns: Option<OddsTurns>,
    pub duel: Option<Duel<f64>>,
    pub assumed: Vec<Arc<str>>,
    pub not_counted: Vec<Arc<str>>,
    /// Whether every weapon that bears is counted, all that layers change of them, and what happens from turn to turn.
    pub is_whole: bool,
    /// The most that any probability may be off.
    pub lost: f64,
    pub findings: Vec<Finding>,
}

/// One attack by itself.
#[derive(Clone, Debug)]
pub struct AttackOdds {
    /// Its place in the rules.
    pub attack: usize,
    pub label: String,
    /// What it is made for each of: `laser, port`.
    pub item: Option<Arc<str>>,
    pub bearing: Bearing,
    pub steps: Vec<StepMeans>,
    pub gauges: Vec<GaugeOdds<f64>>,
    /// Whether the headline's gauge could not be worked out; then `gauges` lacks it.
    pub failed: bool,
}

impl AttackOdds {
    /// The item if it has one, else the label.
    pub fn title(&self) -> &str {
        self.item.as_deref().unwrap_or(&self.label)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bearing {
    Fires,
    /// It fires at other values of the axis.
    OutOfReach,
    Never,
}

/// Figures over the values of a situation.
#[derive(Clone, Debug)]
pub struct OddsCurve {
    /// Its place in the rules.
    pub situation: usize,
    pub values: Vec<Value>,
    /// Means of the headline's gauge, by value; `None` where they could not be worked out.
    pub means: Vec<Option<f64>>,
    /// Those of the other ship's answer.
    pub back: Vec<Option<f64>>,
    pub trades: Vec<Option<f64>>,
    /// Single attacks by their place in the rules, if asked for and if there are several that fire.
    pub parts: Vec<(usize, Vec<Option<f64>>)>,
    /// What kept the first value without a mean from being worked out.
    pub error: Option<FormulaError>,
}

/// Each ship fires and is never hurt.
#[derive(Clone, Debug)]
pub struct OddsTurns {
    pub there: Turns<f64>,
    pub back: Turns<f64>,
    /// The probabilities that the first ship is first, that the other is, that both are in the same turn.
    pub race: [f64; 3],
}

/// Works out all that is asked. What cannot be is a finding.
pub fn work_out(own: &Evaluation, target: &Evaluation, question: &OddsQuestion) -> Odds {
    let ruleset = own.ruleset.clone();
    let rules = &ruleset.attack_rules;
    let mut odds = Odds {
        ruleset: ruleset.clone(),
        attacker: OddsShip::new(own),
        target: OddsShip::new(target),
        situation: question.situation.clone(),
        headline: None,
        attacks: Vec::new(),
        all: Vec::new(),
        failed: false,
        outcomes: Vec::new(),
        back: Vec::new(),
        back_failed: false,
        trade: None,
        over: None,
        turns: None,
        duel: None,
        assumed: Vec::new(),
        not_counted: Vec::new(),
        is_whole: true,
        lost: 0.0,
        findings: Vec::new(),
    };
    if rules.attacks.is_empty() {
        odds.findings.push(no_attacks(&ruleset));
        return odds;
    }
    let pair = Pair { own, target, question, rules, fights: 1 };
    let is_wanted = |attack: &Attack| pair.is_wanted(attack);
    let there = pair.there().with_fight(&is_wanted, |fight, _, _| odds.answer_volley(&pair, fight));
    if let Err(error) = there {
        (odds.failed, odds.back_failed) = (true, true);
        odds.add_error(&error);
        return odds;
    }
    let ask = pair.short_ask(odds.headline);
    match pair.back().with_fight(&is_wanted, |fight, _, _| volley::<f64>(fight, &ask)) {
        Ok(answered) => {
            odds.back_failed = lacks(&answered, odds.headline);
            odds.back = answered.gauges;
            answered.errors.iter().for_each(|error| odds.add_error(error));
        }
        Err(error) => {
            odds.back_failed = true;
            odds.add_error(&error);
        }
    }
    for encounter in [pair.there(), pair.back()] {
        for (item, error) in encounter.left_out(&is_wanted) {
            let message = format!("{item} is not counted: {}", error.message);
            let mut finding = Finding::warning(error.code, message);
            finding.help = error.help;
            finding.at.file = Some(encounter.own.file.clone());
            finding.at.item = Some(item);
            if !odds.findings.contains(&finding) {
                odds.findings.push(finding);
            }
        }
    }
    // What a single volley does not allow, many do not.
    if !odds.failed && !odds.back_failed {
        odds.trade = pair.trade(odds.headline, &odds.all, &odds.back);
        odds.answer_battles(&pair);
    }
    if question.turns.max(question.duel) > 0 && !pair.has_end() {
        let message = format!("{} does not say when a ship is out, so that turns and duels have no end", ruleset.id);
        odds.findings.push(Finding::warning("no-end", message).help("in the rules, give a gauge `ends = true`"));
    }
    odds.gather_notes(own, target);
    odds.gather_uncounted(&pair);
    let sides = [(&odds.all, &odds.target.name), (&odds.back, &odds.attacker.name)];
    let mut notes: Vec<_> = sides.iter().flat_map(|side| nothing_to_lose(odds.rules(), side.0, side.1)).collect();
    notes.extend(left_aside(&pair.there(), &is_wanted));
    odds.is_whole &= notes.is_empty();
    add_new(&mut odds.not_counted, notes);
    odds
}

impl Odds {
    /// A gauge's odds among some.
    pub fn headline_of<'o>(&self, gauges: &'o [GaugeOdds<f64>]) -> Option<&'o GaugeOdds<f64>> {
        gauges.iter().find(|odds| Some(odds.gauge) == self.headline)
    }

    pub fn rules(&self) -> &AttackRules {
        &self.ruleset.attack_rules
    }

    /// Whether turns follow one another.
    fn is_a_battle(&self) -> bool {
        self.turns.is_some() || self.duel.is_some()
    }

    /// The curve, the turns and the duel that are asked for.
    fn answer_battles(&mut self, pair: &Pair<'_>) {
        let question = pair.question;
        if let Some((situation, values)) = &question.over {
            let curve = pair.curve(self.headline, *situation, values, &self.attacks);
            curve.error.iter().for_each(|error| self.add_error(error));
            self.over = Some(curve);
        }
        if question.turns > 0 && pair.has_end() {
            match pair.turns() {
                Ok([there, back]) => {
                    let errors = [&there.error, &back.error].into_iter().flatten();
                    errors.for_each(|error| self.add_error(error));
                    self.lost = self.lost.max(there.open).max(back.open);
                    let race = race(&there.out_by, &back.out_by);
                    self.turns = Some(OddsTurns { there, back, race });
                }
                Err(error) => self.add_error(&error),
            }
        }
        if question.duel > 0 && pair.has_end() {
            match pair.duel() {
                Ok(duel) => {
                    self.lost = self.lost.max(duel.open);
                    duel.error.iter().for_each(|error| self.add_error(error));
                    self.duel = Some(duel);
                }
                Err(error) => self.add_error(&error),
            }
        }
    }

    fn answer_volley(&mut self, pair: &Pair<'_>, fight: &Fight<'_>) {
        let bearing: Vec<bool> = fight.firings.iter().map(program::bears).collect();
        let firing = bearing.iter().filter(|bears| **bears).count();
        // One attack alone is all that bears.
        let all = volley::<f64>(fight, &Ask { steps: firing == 1, ..Ask::ALL });
        let ends = pair.rules.gauges.iter().position(|gauge| gauge.ends);
        self.headline = ends.or_else(|| all.gauges.first().map(|odds| odds.gauge));
        let reach = pair.within_reach(&bearing);
        // All attacks by themselves together take as much work as one question.
        let share = MAX_MULTIPLICATIONS / firing.max(1) as u64;
        let items = pair.there().items(&|attack| pair.is_wanted(attack));
        for (number, one) in fight.firings.iter().enumerate() {
            let bearing = match (bearing[number], reach.get(number) == Some(&true)) {
                (true, _) => Bearing::Fires,
                (false, true) => Bearing::OutOfReach,
                (false, false) => Bearing::Never,
            };
            let label = match one.attack.label.eval(one.host) {
                Ok(Some(label)) if !label.is_empty() => label,
                _ => one.attack.id.to_string(),
            };
            let attack = pair.rules.attacks.iter().position(|attack| std::ptr::eq(attack, one.attack)).unwrap_or(0);
            let item = items.get(number).cloned().flatten();
            let (steps, gauges) = (Vec::new(), Vec::new());
            let mut odds = AttackOdds { attack, label, item, bearing, steps, gauges, failed: false };
            if bearing == Bearing::Fires {
                let is_a_battle = pair.question.turns.max(pair.question.duel) > 0;
                add_new(&mut self.not_counted, left_out_by(one, odds.title(), is_a_battle));
                let later = left_out_later(one, odds.title()).filter(|_| is_a_battle);
                self.is_whole &= later.is_none();
                add_new(&mut self.not_counted, later);
                let alone = match firing {
                    1 => all.clone(),
                    _ => {
                        let alone = Fight { firings: std::slice::from_ref(one), ..*fight };
                        volley::<f64>(&alone, &Ask { outcomes: false, multiplications: share, ..Ask::ALL })
                    }
                };
                odds.failed = lacks(&alone, self.headline);
                odds.steps = alone.steps;
                odds.gauges = alone.gauges;
                if firing > 1 {
                    alone.errors.iter().for_each(|error| self.add_error(error));
                }
            }
            self.attacks.push(odds);
        }
        all.errors.iter().for_each(|error| self.add_error(error));
        let open = all.gauges.iter().map(|odds| odds.open).chain(all.outcomes.iter().map(|odds| odds.spread.lost));
        self.lost = open.fold(self.lost, f64::max);
        self.failed = lacks(&all, self.headline);
        (self.all, self.outcomes) = (all.gauges, all.outcomes);
    }

    fn add_error(&mut self, error: &FormulaError) {
        let finding = finding_of(&self.ruleset, error);
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }

    /// Weapons of either ship that no attack uses, and what attacks do not read; of the attacks that are asked for, only the latter.
    fn gather_uncounted(&mut self, pair: &Pair<'_>) {
        let sides = [(pair.there(), String::new()), (pair.back(), format!("{}: ", self.target.name))];
        for (encounter, prefix) in sides.into_iter().take(if std::ptr::eq(pair.own, pair.target) { 1 } else { 2 }) {
            let notes = match pair.question.only.is_empty() {
                true => encounter.uncounted(),
                false => encounter.unread_by(&|attack| pair.is_wanted(attack)),
            };
            for note in notes {
                self.is_whole = false;
                let is_known = self.not_counted.contains(&note);
                let note = if prefix.is_empty() { note } else { format!("{prefix}{note}").into() };
                add_new(&mut self.not_counted, (!is_known).then_some(note));
            }
        }
    }

    /// What the figures of the attacks that fire rest on.
    fn gather_notes(&mut self, own: &Evaluation, target: &Evaluation) {
        let rules = &self.ruleset.attack_rules;
        let mut marks: Vec<u32> = Vec::new();
        for odds in self.attacks.iter().filter(|odds| odds.bearing == Bearing::Fires) {
            let Some(attack) = rules.attacks.get(odds.attack) else { continue };
            marks.extend(&attack.marks);
        }
        if !marks.is_empty() {
            let outcomes = self.outcomes.iter().filter_map(|odds| rules.outcomes.get(odds.outcome));
            marks.extend(outcomes.flat_map(|outcome| &outcome.marks));
        }
        let mut seen = BTreeSet::new();
        marks.retain(|mark| seen.insert(*mark));
        self.assumed = own.provenance_notes(&marks, self.is_a_battle());
        for note in target.provenance_notes(&marks, self.is_a_battle()) {
            if !self.assumed.contains(&note) {
                self.assumed.push(note);
            }
        }
    }
}

/// An error at its place in the rules.
pub(super) fn finding_of(ruleset: &Ruleset, error: &FormulaError) -> Finding {
    if let Some(told) = told_by_removal(ruleset, error) {
        return told;
    }
    let mut finding = Finding::error(error.code, error.message.clone());
    finding.help.clone_from(&error.help);
    if error.kind == Some(FormulaErrorKind::TooManyStates) {
        finding.cause = Some(Cause::TooManyStates);
        if error.help.is_none() {
            finding = finding.advise(Advice::AskLess);
        }
    }
    if error.span == Span::default() {
        return finding;
    }
    if let Some(source) = ruleset.file(error.span) {
        finding.at = source.place_with_snippet(error.span);
    }
    finding
}

/// Two ships and what is asked of them.
pub(super) struct Pair<'p> {
    pub own: &'p Evaluation,
    pub target: &'p Evaluation,
    pub question: &'p OddsQuestion,
    pub rules: &'p AttackRules,
    /// As in [`Encounter`].
    pub fights: usize,
}

impl<'p> Pair<'p> {
    pub(super) fn there(&self) -> Encounter<'p> {
        let progress = Some(&self.question.progress);
        Encounter {
            own: self.own,
            target: self.target,
            situation: &self.question.situation,
            fights: self.fights,
            progress,
        }
    }

    pub(super) fn back(&self) -> Encounter<'p> {
        Encounter { own: self.target, target: self.own, ..self.there() }
    }

    pub(super) fn is_wanted(&self, attack: &Attack) -> bool {
        let only = &self.question.only;
        only.is_empty() || only.contains(&attack.id)
    }

    fn has_end(&self) -> bool {
        self.rules.gauges.iter().any(|gauge| gauge.ends)
    }

    /// Asks for the headline's gauge and little more.
    pub(super) fn short_ask(&self, headline: Option<usize>) -> Ask {
        let ends = headline.and_then(|gauge| self.rules.gauges.get(gauge)).is_some_and(|gauge| gauge.ends);
        Ask { all_gauges: !ends, ..Ask::END }
    }

    pub(super) fn trade(
        &self,
        headline: Option<usize>,
        there: &[GaugeOdds<f64>],
        back: &[GaugeOdds<f64>],
    ) -> Option<f64> {
        let (there, back) = self.shares(headline, there, back)?;
        let points = |ship: &Evaluation| Some(ship.points.filter(|points| *points > 0)? as f64);
        trade((there, points(self.own)?), (back, points(self.target)?))
    }

    /// The parts of their boxes that the other ship and this one lose; `None` where the gauge puts none out.
    pub(super) fn shares(
        &self,
        headline: Option<usize>,
        there: &[GaugeOdds<f64>],
        back: &[GaugeOdds<f64>],
    ) -> Option<(f64, f64)> {
        let ends = headline.filter(|gauge| self.rules.gauges.get(*gauge).is_some_and(|gauge| gauge.ends))?;
        let share = |odds: &[GaugeOdds<f64>]| match odds.iter().find(|odds| odds.gauge == ends) {
            Some(odds) => share_lost(odds),
            None => Some(0.0),
        };
        Some((share(there)?, share(back)?))
    }

    /// By firing: whether it fires in this situation or at some value of the axis.
    fn within_reach(&self, bearing: &[bool]) -> Vec<bool> {
        let mut reach = bearing.to_vec();
        let Some(axis) = axis(self.rules) else { return reach };
        let Some(rule) = self.rules.situations.get(axis) else { return reach };
        let values = axis_values(rule);
        let fights = values.len();
        for value in values {
            if reach.iter().all(|reach| *reach) {
                break;
            }
            let situation = self.situation_with(axis, &value);
            let encounter = Encounter { situation: &situation, fights, ..self.there() };
            let _ = encounter.with_fight(&|attack| self.is_wanted(attack), |fight, _, _| {
                fight.firings.iter().zip(&mut reach).for_each(|(firing, reach)| *reach |= program::bears(firing));
            });
        }
        reach
    }

    fn situation_with(&self, number: usize, value: &Value) -> Vec<Value> {
        let mut situation = self.question.situation.clone();
        if let Some(place) = situation.get_mut(number) {
            place.clone_from(value);
        }
        situation
    }

    fn curve(&self, headline: Option<usize>, number: usize, values: &[Value], attacks: &[AttackOdds]) -> OddsCurve {
        let situations: Vec<Vec<Value>> = values.iter().map(|value| self.situation_with(number, value)).collect();
        let ask = self.short_ask(headline);
        let run = |encounter: Encounter<'_>, is_wanted: &(dyn Fn(&Attack) -> bool + Sync)| {
            curve::<f64>(situations.len(), &ask, &|place, with: &mut dyn FnMut(&Fight<'_>)| {
                let Some(situation) = situations.get(place) else { return };
                let _ = Encounter { situation, fights: situations.len(), ..encounter }
                    .with_fight(&is_wanted, |fight, _, _| with(fight));
            })
        };
        let mean = |volley: &Volley<f64>| {
            let found = volley.gauges.iter().find(|odds| Some(odds.gauge) == headline);
            (!lacks(volley, headline)).then(|| found.map_or(0.0, GaugeOdds::mean))
        };
        let there = run(self.there(), &|attack| self.is_wanted(attack));
        // A sister ship does the same.
        let back = match std::ptr::eq(self.own, self.target) {
            true => there.clone(),
            false => run(self.back(), &|attack| self.is_wanted(attack)),
        };
        let lacking = there.iter().chain(&back).find(|volley| lacks(volley, headline));
        let error = lacking.and_then(|volley| volley.errors.first().cloned());
        let trades = there.iter().zip(&back);
        let trades = trades.map(|(there, back)| {
            let failed = lacks(there, headline) || lacks(back, headline);
            if failed { None } else { self.trade(headline, &there.gauges, &back.gauges) }
        });
        let trades = trades.collect();
        let mut parts: Vec<(usize, Vec<Option<f64>>)> = Vec::new();
        if self.question.parts {
            let mut known: Vec<usize> =
                attacks.iter().filter(|odds| odds.bearing != Bearing::Never).map(|odds| odds.attack).collect();
            known.sort_unstable();
            known.dedup();
            if known.len() > 1 {
                for attack in known {
                    let is_this =
                        |one: &Attack| self.rules.attacks.get(attack).is_some_and(|attack| attack.id == one.id);
                    let volleys = run(self.there(), &is_this);
                    parts.push((attack, volleys.iter().map(|volley| mean(volley)).collect()));
                }
            }
        }
        OddsCurve {
            situation: number,
            values: values.to_vec(),
            means: there.iter().map(|volley| mean(volley)).collect(),
            back: back.iter().map(|volley| mean(volley)).collect(),
            trades,
            parts,
            error,
        }
    }

    /// Of this ship, and of the other.
    fn turns(&self) -> Result<[Turns<f64>; 2], FormulaError> {
        let is_wanted = |attack: &Attack| self.is_wanted(attack);
        let count = self.question.turns.min(MAX_BATTLE_TURNS);
        let of = |encounter: Encounter<'_>| {
            encounter.with_fight(&is_wanted, |fight, _, target| turns::<f64>(fight, target, count))
        };
        Ok([of(self.there())?, of(self.back())?])
    }

    fn duel(&self) -> Result<Duel<f64>, FormulaError> {
        let is_wanted = |attack: &Attack| self.is_wanted(attack);
        let turns = self.question.duel.min(MAX_BATTLE_TURNS);
        let fought = self.there().with_fight(&is_wanted, |first, own, target| {
            self.back().with_fight(&is_wanted, |second, _, _| {
                let ships = [
                    Duelist { firings: first.firings, gauges: first.own, host: own },
                    Duelist { firings: second.firings, gauges: second.own, host: target },
                ];
                duel::<f64>(self.rules, ships, turns, Some(&self.question.progress))
            })
        });
        fought.and_then(|fought| fought)
    }
}

/// The means of a step as names with figures: `missiles`, `left.structure`.
pub fn step_names(rules: &AttackRules, attack: usize, step: &StepMeans) -> Vec<(String, f64)> {
    let registers = rules.attacks.get(attack).map_or(&[][..], |attack| &attack.registers);
    let gauge = |number: u16| rules.gauges.get(usize::from(number)).map_or("", |gauge| &*gauge.id);
    let name = |variable: &Variable| match *variable {
        Variable::Left(n) => format!("left.{}", gauge(n)),
        Variable::Own(n) => format!("own.{}", gauge(n)),
        Variable::Register(n) => registers.get(usize::from(n)).map_or_else(String::new, |name| name.to_string()),
    };
    step.means.iter().map(|(variable, mean)| (name(variable), *mean)).collect()
}

/// Whether an error kept the headline's gauge from being worked out.
pub(super) fn lacks(volley: &Volley<f64>, headline: Option<usize>) -> bool {
    !volley.errors.is_empty() && !volley.gauges.iter().any(|odds| Some(odds.gauge) == headline)
}
