//! What a changed design does in a fight: takes the design as it is for the opponent, gives what each deals and takes, the mean over the bearings of
//! its weapons, and whether that and its boxes are kept.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use crate::odds::words::{figure, situation_line};
use crate::odds::{
    Encounter, Exchange, KnownFights, Measure, axis, axis_values, bearings, default_situation, situation_words, trade,
};
use moldloft_rules::evaluate::{ArmedPart, Evaluation};
use moldloft_rules::formula::{MAX_MULTIPLICATIONS, Value};
use moldloft_rules::ruleset::SituationKind;

use super::odds_goal::steps;

/// Work of all exchanges of a question, in multiplications.
const WORK_OF_ALL: u64 = 30 * MAX_MULTIPLICATIONS;

/// Two equal ships that fire at one another.
#[derive(Clone, Debug)]
pub struct Duelling {
    /// The design as it is.
    opponent: Evaluation,
    gauge: usize,
    situations: Vec<Vec<Value>>,
    /// By situation, of the design as it is: most changes leave what the one ship does as it was.
    known: Vec<KnownFights>,
    /// Work of all exchanges so far. Whether it is too much in the end does not hang on their order.
    work: Arc<AtomicU64>,
    /// Of the design as it is, by situation.
    each_before: Vec<Exchange>,
    before: Worth,
}

/// The means over the bearings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worth {
    pub dealt: f64,
    pub taken: f64,
    /// Points destroyed for each point lost, at equal points, of these means.
    pub trade: Option<f64>,
}

impl Duelling {
    /// # Errors
    /// Why the odds cannot be worked out.
    pub fn new(design: &Evaluation) -> Result<Self, Arc<str>> {
        Self::within(design, bearings(&design.ruleset.attack_rules))
    }

    fn within(design: &Evaluation, situations: Vec<Vec<Value>>) -> Result<Self, Arc<str>> {
        let gauge = Exchange::gauge(&design.ruleset.attack_rules).ok_or("the rules have none")?;
        let before = Worth { dealt: 0.0, taken: 0.0, trade: None };
        let opponent = design.clone();
        let known = vec![KnownFights::default(); situations.len()];
        let work = Arc::default();
        let mut duelling = Self { opponent, gauge, situations, known, work, each_before: Vec::new(), before };
        (duelling.each_before, duelling.known) = duelling.exchanges(design)?.into_iter().unzip();
        duelling.before = duelling.mean(design, &duelling.each_before);
        Ok(duelling)
    }

    /// By situation.
    fn exchanges(&self, design: &Evaluation) -> Result<Vec<(Exchange, KnownFights)>, Arc<str>> {
        let work = (MAX_MULTIPLICATIONS, self.situations.len());
        let work_out = |(situation, known): (&Vec<Value>, &KnownFights)| {
            Exchange::work_out((design, &self.opponent), self.gauge, situation, work, known)
        };
        let mut exchanges = Vec::with_capacity(self.situations.len());
        for bearing in self.situations.iter().zip(&self.known) {
            if self.work.load(Relaxed) > WORK_OF_ALL {
                return Err("more multiplications than one question may take".into());
            }
            let (exchange, known) = work_out(bearing).map_err(|finding| -> Arc<str> { finding.message.into() })?;
            self.work.fetch_add(known.work(), Relaxed);
            exchanges.push((exchange, known));
        }
        Ok(exchanges)
    }

    fn mean(&self, design: &Evaluation, each: &[Exchange]) -> Worth {
        let mean = |of: &dyn Fn(&Exchange) -> f64| each.iter().map(of).sum::<f64>() / each.len().max(1) as f64;
        let has_shares = each.iter().all(|one| one.shares.is_some());
        let share = |of: &dyn Fn((f64, f64)) -> f64| mean(&|one| one.shares.map_or(0.0, of));
        let points = |ship: &Evaluation| ship.points.filter(|points| *points > 0).map(|points| points as f64);
        let both = points(design).zip(points(&self.opponent)).filter(|_| has_shares);
        let traded = |(own, other)| trade((share(&|both| both.0), own), (share(&|both| both.1), other));
        Worth { dealt: mean(&|one| one.dealt), taken: mean(&|one| one.taken), trade: both.and_then(traded) }
    }

    /// What a changed design does.
    ///
    /// # Errors
    /// Why a bearing cannot be worked out.
    pub fn worth(&self, design: &Evaluation) -> Result<Worth, Arc<str>> {
        let (each, _): (Vec<_>, Vec<_>) = self.exchanges(design)?.into_iter().unzip();
        Ok(self.mean(design, &each))
    }

    /// The more, the better: the trade, or what is dealt less what is taken where the design as it is has no trade.
    pub fn rank(&self, worth: &Worth) -> f64 {
        match (self.before.trade, worth.trade) {
            (Some(_), Some(trade)) => trade,
            // It loses nothing.
            (Some(_), None) if worth.taken <= 0.0 => f64::INFINITY,
            (Some(_), None) => f64::NEG_INFINITY,
            (None, _) => worth.dealt - worth.taken,
        }
    }

    /// Whether a design deals no less than the one as it is and takes no more, in every bearing.
    fn loses_nothing(&self, design: &Evaluation) -> Result<bool, Arc<str>> {
        let each = self.exchanges(design)?;
        let is_kept = |(before, (after, _)): (&Exchange, &(Exchange, KnownFights))| {
            steps(after.dealt) >= steps(before.dealt) && steps(after.taken) <= steps(before.taken)
        };
        Ok(self.each_before.iter().zip(&each).all(is_kept))
    }

    /// What a design deals in a situation, in steps that tell differences; `None` where that cannot be worked out.
    fn dealt(&self, design: &Evaluation, situation: &[Value]) -> Option<i64> {
        let mean = Measure::Mean { attack: None, gauge: self.gauge };
        let dealt = mean.work_out(design, &self.opponent, situation, MAX_MULTIPLICATIONS, self.situations.len());
        dealt.ok().flatten().map(steps)
    }

    /// The farthest value of the axis at which a weapon of a design bears, with its words: `bears up to range 43 MU`.
    pub fn reach(&self, design: &Evaluation, part: ArmedPart) -> Option<(i64, String)> {
        design.armed_parts().iter().find(|(known, _)| *known == part)?;
        let rules = &design.ruleset.attack_rules;
        let situation = &default_situation(rules);
        let encounter = Encounter { own: design, target: &self.opponent, situation, fights: 1, progress: None };
        // Attacks that read a number for one weapon may read the others', too: what counts is whether more of it does more.
        let is_felt = |situation: &[Value]| match part {
            ArmedPart::Fit(_) => true,
            ArmedPart::Field(_) => self.dealt(design, situation) != self.dealt(&self.opponent, situation),
        };
        let farthest = encounter.reach(part, &self.situations, &is_felt)?;
        let rule = rules.situations.iter().find(|rule| rule.axis)?;
        Some((farthest, format!("bears up to {}", situation_words(rule, &Value::Int(farthest))?)))
    }

    /// `structure blocks taken 15.64 → 16.20, lost 15.64 → 15.60; points destroyed for each lost 1.00 → 1.04`
    pub fn words(&self, worth: &Worth) -> String {
        let rules = &self.opponent.ruleset.attack_rules;
        let gauge = rules.gauges.get(self.gauge);
        let label = gauge.map_or("", |gauge| if gauge.label.is_empty() { &gauge.id } else { &gauge.label });
        let turn = |before: f64, after: f64| match figure(before) == figure(after) {
            true => figure(after),
            false => format!("{} → {}", figure(before), figure(after)),
        };
        let traded = match (self.before.trade, worth.trade) {
            (Some(before), Some(after)) => format!("; points destroyed for each lost {}", turn(before, after)),
            _ => String::new(),
        };
        let (dealt, taken) = (turn(self.before.dealt, worth.dealt), turn(self.before.taken, worth.taken));
        format!("{label}: takes {dealt}, loses {taken}{traded}")
    }

    /// `in order of what they do …`, for a list.
    pub fn basis(&self) -> String {
        let rules = &self.opponent.ruleset.attack_rules;
        let bearing = rules.situations.iter().find(|rule| matches!(rule.kind, SituationKind::Choice(_)));
        let over = match bearing.filter(|_| self.situations.len() > 1) {
            Some(bearing) => format!(" · mean over {}", bearing.label),
            None => String::new(),
        };
        let situation = situation_line(rules, &default_situation(rules));
        let by = match self.before.trade {
            Some(_) => "points destroyed for each lost",
            None => "what it takes less what it loses",
        };
        format!("best first, by {by} against the same ship as it is now, at equal points: {situation}{over}")
    }
}

/// What a cheaper design keeps.
#[derive(Debug)]
pub struct Kept {
    /// Boxes of each track, by the rules' id and what it is of.
    tracks: BTreeMap<String, u64>,
    /// Else why the odds are not compared.
    duelling: Result<Duelling, Arc<str>>,
    /// Why the odds of a design were not worked out, which was left out.
    left_out: OnceLock<Arc<str>>,
}

impl Kept {
    pub fn new(design: &Evaluation) -> Self {
        let (tracks, duelling) = (boxes_of_tracks(design), Duelling::within(design, wherever_it_fires(design)));
        Self { tracks, duelling, left_out: OnceLock::new() }
    }

    /// A design of which the odds cannot be worked out is not known to keep anything.
    pub fn holds(&self, design: &Evaluation) -> bool {
        let after = boxes_of_tracks(design);
        let has_boxes = self.tracks.iter().all(|(track, boxes)| after.get(track).is_some_and(|now| now >= boxes));
        let Ok(duelling) = &self.duelling else { return has_boxes };
        has_boxes
            && duelling.loses_nothing(design).unwrap_or_else(|why| {
                let _ = self.left_out.set(why);
                false
            })
    }

    /// Whether designs were left out of which the odds could not be worked out, so that nothing is proved.
    pub fn has_left_out(&self) -> bool {
        self.left_out.get().is_some()
    }

    /// Why the odds were not compared, of all designs or of some.
    pub fn not_compared(&self) -> Option<String> {
        match (&self.duelling, self.left_out.get()) {
            (Err(why), _) => Some(why.to_string()),
            (Ok(_), Some(why)) => Some(format!("designs were left out: {why}")),
            (Ok(_), None) => None,
        }
    }
}

fn boxes_of_tracks(design: &Evaluation) -> BTreeMap<String, u64> {
    let mut boxes = BTreeMap::new();
    for track in &design.tracks {
        let own: u64 = track.rows.iter().map(|row| u64::from(*row)).sum();
        *boxes.entry(track.id.to_string()).or_insert(0) += own;
    }
    boxes.retain(|_, boxes| *boxes > 0);
    boxes
}

/// The bearings, and for each the nearest place at which other attacks fire than at the default one: a weapon of short reach counts, too.
fn wherever_it_fires(design: &Evaluation) -> Vec<Vec<Value>> {
    let rules = &design.ruleset.attack_rules;
    let mut all = bearings(rules);
    let Some((number, rule)) = axis(rules).and_then(|number| Some((number, rules.situations.get(number)?))) else {
        return all;
    };
    let fired = |situation: &Vec<Value>| {
        Encounter { own: design, target: design, situation, fights: 1, progress: None }.firing_attacks()
    };
    for bearing in all.clone() {
        let mut known = vec![fired(&bearing)];
        for value in axis_values(rule) {
            let mut situation = bearing.clone();
            situation[number] = value;
            let attacks = fired(&situation);
            if !attacks.is_empty() && !known.contains(&attacks) {
                known.push(attacks);
                all.push(situation);
            }
        }
    }
    all
}
