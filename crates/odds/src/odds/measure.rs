//! One figure of a ship against another, as a question of `suggest` names it: `odds.missiles.structure`, `odds.all.structure`, `odds.trade`.

use std::sync::Arc;

use moldloft_base::finding::Finding;
use moldloft_base::sanitize::shorten;
use moldloft_rules::evaluate::Evaluation;
use moldloft_rules::formula::{MAX_MULTIPLICATIONS, Value};
use moldloft_rules::ruleset::AttackRules;

use super::answer::{OddsQuestion, Pair, finding_of};
use super::encounter::Encounter;
use super::situation::near_or_known;
use super::volley::{Ask, GaugeOdds, Prepared, answer, prepare};

/// Before every figure's name.
const PREFIX: &str = "odds.";
/// Names all that bears.
const ALL: &str = "all";
const TRADE: &str = "trade";

/// A figure, with the attacks that count for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Boxes that a gauge of the target loses, on average.
    Mean { attack: Option<Arc<str>>, gauge: usize },
    /// Points destroyed for each point lost, at equal points.
    Trade { gauge: usize },
}

/// Whether a text is about figures of odds.
pub fn names_odds(text: &str) -> bool {
    text.trim_start().starts_with(PREFIX)
}

impl Measure {
    /// `odds.ATTACK.GAUGE`, `odds.ATTACK` for the gauge that puts a ship out, `odds.trade`; `all` in place of an attack for all that bears.
    ///
    /// # Errors
    /// `no-odds` where the rules declare no attacks; `unknown-attack`, `unknown-gauge` with the nearest name.
    pub fn parse(rules: &AttackRules, text: &str) -> Result<Self, Finding> {
        if rules.attacks.is_empty() {
            return Err(Finding::error("no-odds", "these rules declare no attacks")
                .help("write [[attack]] into them: docs/rulesets/attacks.md"));
        }
        let words = text.trim().strip_prefix(PREFIX).unwrap_or_default();
        let (attack, gauge) = match words.split_once('.') {
            Some((attack, gauge)) => (attack, Some(gauge)),
            None => (words, None),
        };
        let ends = rules.gauges.iter().position(|gauge| gauge.ends);
        let headline = || {
            ends.ok_or_else(|| {
                let gauges: Vec<&str> = rules.gauges.iter().map(|gauge| &*gauge.id).collect();
                let message = format!("no gauge of these rules puts a ship out, found `{}`", shorten(text, 60));
                Finding::error("unknown-gauge", message)
                    .help(format!("name a gauge: odds.all.{}", gauges.first().unwrap_or(&"GAUGE")))
            })
        };
        if attack == TRADE && gauge.is_none() {
            return Ok(Self::Trade { gauge: headline()? });
        }
        let attack: Option<Arc<str>> = match rules.attacks.iter().find(|known| *known.id == *attack) {
            Some(known) => Some(known.id.clone()),
            None if attack == ALL => None,
            None => {
                let help = near_or_known(attack, rules.attacks.iter().map(|known| &*known.id).chain([ALL, TRADE]));
                return Err(
                    Finding::error("unknown-attack", format!("unknown attack `{}`", shorten(attack, 40))).help(help)
                );
            }
        };
        let gauge = match gauge {
            None => headline()?,
            Some(gauge) => rules.gauges.iter().position(|known| *known.id == *gauge).ok_or_else(|| {
                let help = near_or_known(gauge, rules.gauges.iter().map(|known| &*known.id));
                Finding::error("unknown-gauge", format!("unknown gauge `{}`", shorten(gauge, 40))).help(help)
            })?,
        };
        Ok(Self::Mean { attack, gauge })
    }

    /// The figure; `None` for a trade where the target does nothing. `multiplications` is the work that it may take; so many
    /// `fights` share the work of the ships' own formulas.
    ///
    /// # Errors
    /// What keeps it from being worked out, at its place in the rules.
    pub fn work_out(
        &self,
        own: &Evaluation,
        target: &Evaluation,
        situation: &[Value],
        multiplications: u64,
        fights: usize,
    ) -> Result<Option<f64>, Finding> {
        let (only, gauge) = match self {
            Self::Mean { attack, gauge } => (attack.iter().cloned().collect(), *gauge),
            Self::Trade { gauge } => (Vec::new(), *gauge),
        };
        let question = OddsQuestion { situation: situation.to_vec(), only, ..OddsQuestion::default() };
        let rules = &own.ruleset.attack_rules;
        let pair = Pair { own, target, question: &question, rules, fights };
        let known = KnownFights::default();
        let there = gauges(&pair, pair.there(), gauge, multiplications, &known)?.odds;
        match self {
            Self::Mean { .. } => Ok(Some(mean(&there, gauge))),
            Self::Trade { .. } => {
                Ok(pair.trade(Some(gauge), &there, &gauges(&pair, pair.back(), gauge, multiplications, &known)?.odds))
            }
        }
    }
}

/// What comes of one fight.
#[derive(Clone, Debug)]
struct KnownFight {
    fight: Prepared,
    odds: Vec<GaugeOdds<f64>>,
    /// In multiplications; 0 where it was known.
    work: u64,
}

/// Fights that were worked out, all by the same question: where the same happens again, the same comes of it.
#[derive(Clone, Debug, Default)]
pub struct KnownFights(Vec<KnownFight>);

impl KnownFights {
    /// What working them out took, in multiplications.
    pub fn work(&self) -> u64 {
        self.0.iter().map(|known| known.work).sum()
    }
}

fn gauges(
    pair: &Pair<'_>,
    encounter: Encounter<'_>,
    gauge: usize,
    multiplications: u64,
    known: &KnownFights,
) -> Result<KnownFight, Finding> {
    let ask = Ask { multiplications: multiplications.min(MAX_MULTIPLICATIONS), ..pair.short_ask(Some(gauge)) };
    let fought = encounter.with_fight(&|attack| pair.is_wanted(attack), |fight, _, _| {
        let prepared = prepare(fight);
        if let Some(known) = known.0.iter().find(|known| known.fight.is_same(&prepared)) {
            return Ok(KnownFight { work: 0, ..known.clone() });
        }
        let answered = answer::<f64>(fight, &prepared, &ask);
        match answered.errors.first() {
            Some(error) if !answered.gauges.iter().any(|odds| odds.gauge == gauge) => Err(error.clone()),
            _ => Ok(KnownFight { fight: prepared, odds: answered.gauges, work: answered.work }),
        }
    });
    fought.and_then(|fought| fought).map_err(|error| finding_of(&pair.own.ruleset, &error))
}

fn mean(odds: &[GaugeOdds<f64>], gauge: usize) -> f64 {
    odds.iter().find(|odds| odds.gauge == gauge).map_or(0.0, GaugeOdds::mean)
}

/// What two ships do to the gauge that puts one out, or to the first, in one volley of each, on average.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exchange {
    pub dealt: f64,
    pub taken: f64,
    /// The parts of their boxes that the other ship and this one lose; `None` where the gauge puts none out.
    pub shares: Option<(f64, f64)>,
}

impl Exchange {
    /// The gauge that puts a ship out, else the first.
    pub fn gauge(rules: &AttackRules) -> Option<usize> {
        let first = (!rules.gauges.is_empty() && !rules.attacks.is_empty()).then_some(0);
        rules.gauges.iter().position(|gauge| gauge.ends).filter(|_| first.is_some()).or(first)
    }

    /// So many `fights` share the work of the ships' own formulas. Gives also the two fights, for others like it.
    ///
    /// # Errors
    /// Where it is more work than `multiplications`, or what `Measure` says.
    pub fn work_out(
        (own, target): (&Evaluation, &Evaluation),
        gauge: usize,
        situation: &[Value],
        (multiplications, fights): (u64, usize),
        known: &KnownFights,
    ) -> Result<(Self, KnownFights), Finding> {
        let rules = &own.ruleset.attack_rules;
        let question = OddsQuestion { situation: situation.to_vec(), ..OddsQuestion::default() };
        let pair = Pair { own, target, question: &question, rules, fights };
        let there = gauges(&pair, pair.there(), gauge, multiplications, known)?;
        let back = gauges(&pair, pair.back(), gauge, multiplications, known)?;
        let (dealt, taken) = (mean(&there.odds, gauge), mean(&back.odds, gauge));
        let shares = pair.shares(Some(gauge), &there.odds, &back.odds);
        Ok((Self { dealt, taken, shares }, KnownFights(vec![there, back])))
    }
}
