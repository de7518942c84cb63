//! Hosts for a fight: takes the evaluations of two ships and what the table decided, gives a [`Fight`] of all that can
//! fire.

use std::collections::BTreeSet;
use std::sync::Arc;

use moldloft_base::progress::Progress;
use moldloft_base::source::Span;
use moldloft_rules::evaluate::{AttackView, Evaluation};
use moldloft_rules::formula::{FormulaError, Host, Value};
use moldloft_rules::ruleset::{Attack, AttackRules};

use super::host::{AttackHost, SheetHost};
use super::left_aside::{has_lost_rows, unrollable};
use super::program::{self, Firing};
use super::volley::{Fight, limits, prepare};

/// Most attacks of one ship, an attack with `for_each` counted once for each item.
pub const MAX_FIRINGS: usize = 1_000;

/// A ship fires at another.
#[derive(Clone, Copy)]
pub struct Encounter<'e> {
    pub own: &'e Evaluation,
    pub target: &'e Evaluation,
    /// By situation.
    pub situation: &'e [Value],
    /// How many fights share the work of the ships' own formulas, from 1.
    pub fights: usize,
    /// Cancels the work; what is worked out then is of no use.
    pub progress: Option<&'e Progress>,
}

/// The situations' defaults.
pub fn default_situation(rules: &AttackRules) -> Vec<Value> {
    rules.situations.iter().map(|situation| situation.default.clone()).collect()
}

fn in_order<'a>(rules: &'a AttackRules, is_wanted: &dyn Fn(&Attack) -> bool) -> Vec<&'a Attack> {
    let mut attacks: Vec<&Attack> = rules.attacks.iter().filter(|attack| is_wanted(attack)).collect();
    attacks.sort_by_key(|attack| attack.order);
    attacks
}

impl Encounter<'_> {
    /// What each firing of [`Encounter::with_fight`] is for, `laser, port`; `None` where it is for the ship.
    pub fn items(&self, is_wanted: &dyn Fn(&Attack) -> bool) -> Vec<Option<Arc<str>>> {
        let unrollable = self.unrollable(is_wanted);
        let items = self.all_items(is_wanted).into_iter().enumerate();
        items.filter(|(number, _)| unrollable.iter().all(|(other, _)| other != number)).map(|(_, item)| item).collect()
    }

    /// Places in the rules of the attacks that fire, or may fire if that is rolled.
    pub fn firing_attacks(&self) -> BTreeSet<usize> {
        let place = |id: &str| self.own.ruleset.attack_rules.attacks.iter().position(|attack| *attack.id == *id);
        let fired = self.with_fight(&|_| true, |fight, _, _| {
            let fired = fight.firings.iter().filter(|firing| program::bears(firing));
            fired.filter_map(|firing| place(&firing.attack.id)).collect()
        });
        fired.unwrap_or_default()
    }

    /// Whether the same happens in two situations.
    pub fn is_same_in(&self, other: &[Value]) -> bool {
        let other = Encounter { situation: other, ..*self };
        let same = self.with_fight(&|_| true, |fight, _, _| {
            let before = prepare(fight);
            other.with_fight(&|_| true, |fight, _, _| before.is_same(&prepare(fight)))
        });
        matches!(same, Ok(Ok(true)))
    }

    fn all_items(&self, is_wanted: &dyn Fn(&Attack) -> bool) -> Vec<Option<Arc<str>>> {
        let attacks = in_order(&self.own.ruleset.attack_rules, is_wanted);
        let for_each: Vec<_> = attacks.iter().map(|attack| attack.for_each.as_ref()).collect();
        self.own.attack_items(&for_each, MAX_FIRINGS)
    }

    /// By firing of [`Encounter::with_all`]: the fits that it is made for.
    pub(super) fn all_fits(&self) -> Vec<Vec<usize>> {
        let attacks = in_order(&self.own.ruleset.attack_rules, &|_| true);
        let for_each: Vec<_> = attacks.iter().map(|attack| attack.for_each.as_ref()).collect();
        self.own.attack_fits(&for_each, MAX_FIRINGS)
    }

    fn unrollable(&self, is_wanted: &dyn Fn(&Attack) -> bool) -> Vec<(usize, FormulaError)> {
        let found = self.with_all(is_wanted, |fight, _, _| {
            let firings = fight.firings.iter().enumerate();
            firings.filter_map(|(number, firing)| Some((number, unrollable(firing)?))).collect()
        });
        found.unwrap_or_default()
    }

    /// What [`Encounter::with_fight`] leaves out, since a text that is to be rolled names no dice or a row is gone; with its name.
    pub fn left_out(&self, is_wanted: &dyn Fn(&Attack) -> bool) -> Vec<(Arc<str>, FormulaError)> {
        let items = self.all_items(is_wanted);
        let named = |number: usize, firing: &Firing<'_>| match items.get(number) {
            Some(Some(item)) => item.clone(),
            _ => match firing.attack.label.eval(firing.host) {
                Ok(Some(label)) if !label.is_empty() => label.into(),
                _ => firing.attack.id.clone(),
            },
        };
        let found = self.with_all(is_wanted, |fight, _, _| {
            let firings = fight.firings.iter().enumerate();
            firings.filter_map(|(number, firing)| Some((named(number, firing), unrollable(firing)?))).collect()
        });
        found.unwrap_or_default()
    }

    /// Calls `ask` with the fight of the attacks that `is_wanted` accepts and that can be rolled, in their order, and the hosts
    /// of the firing ship and the target. All formulas of one ship share one allowance of work.
    ///
    /// # Errors
    /// `other-game` for ships of different rules; `too-many-states` for more than [`MAX_FIRINGS`] attacks; those of
    /// [`limits`].
    pub fn with_fight<T>(
        &self,
        is_wanted: &dyn Fn(&Attack) -> bool,
        ask: impl FnOnce(&Fight<'_>, &dyn Host, &dyn Host) -> T,
    ) -> Result<T, FormulaError> {
        self.with_all(is_wanted, |fight, own, target| {
            let firings = fight.firings.iter().filter(|firing| unrollable(firing).is_none());
            let firings: Vec<Firing<'_>> = firings.copied().collect();
            ask(&Fight { firings: &firings, ..*fight }, own, target)
        })
    }

    /// As [`Encounter::with_fight`], with attacks that cannot be rolled.
    pub(super) fn with_all<T>(
        &self,
        is_wanted: &dyn Fn(&Attack) -> bool,
        ask: impl FnOnce(&Fight<'_>, &dyn Host, &dyn Host) -> T,
    ) -> Result<T, FormulaError> {
        let ruleset = &self.own.ruleset;
        if !ruleset.has_same_sources(&self.target.ruleset) {
            let message = format!("a ship of {} cannot fire at one of {}", ruleset.id, self.target.ruleset.id);
            let error = FormulaError::new("other-game", message, Span::default());
            return Err(error.help("name a target of the same game, by the same rules"));
        }
        let rules = &ruleset.attack_rules;
        let attacks = in_order(rules, is_wanted);
        let for_each: Vec<_> = attacks.iter().map(|attack| attack.for_each.as_ref()).collect();
        let printed = [self.own, self.target].map(|ship| ship.printed_values(&rules.printed));
        self.own.with_attack_views(&for_each, MAX_FIRINGS + 1, self.fights, |own, views| {
            if let Some(AttackView { attack, .. }) = views.get(MAX_FIRINGS) {
                let message = format!("more than {MAX_FIRINGS} attacks of one ship");
                return Err(FormulaError::new("too-many-states", message, attacks[*attack].at));
            }
            self.target.with_attack_views(&[], 0, self.fights, |target, _| {
                let sheet = |ship| SheetHost { ship, printed: &printed[0] };
                let (own, target) = (sheet(own), SheetHost { ship: target, printed: &printed[1] });
                let items: Vec<SheetHost<'_>> = views.iter().map(|view| sheet(view.host)).collect();
                let host = |own| AttackHost { own, target: &target, situation: self.situation };
                let hosts: Vec<AttackHost<'_>> = items.iter().map(|item| host(item)).collect();
                let lossy: Vec<bool> = attacks.iter().map(|attack| has_lost_rows(ruleset, attack)).collect();
                let firings = views.iter().zip(&hosts);
                let firings = firings.map(|(view, host)| Firing {
                    lossy: lossy[view.attack].then_some(&**ruleset),
                    ..Firing::new(attacks[view.attack], host)
                });
                let firings: Vec<Firing<'_>> = firings.collect();
                let (own_gauges, left) = (limits(rules, &own)?, limits(rules, &target)?);
                let all = host(&own);
                let fight = Fight {
                    rules,
                    firings: &firings,
                    own: &own_gauges,
                    left: &left,
                    host: &all,
                    progress: self.progress,
                };
                Ok(ask(&fight, &own, &target))
            })
        })
    }
}
