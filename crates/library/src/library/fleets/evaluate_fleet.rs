//! Evaluates a fleet: takes its file's content, gives its units in roster order. Limited by an allowance, so that no
//! count in a file makes it run long.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::library::read_design::par_map;
use crate::library::rulesets::{LoadedRuleset, Rulesets, unusable_ruleset};
use crate::store::{FileRef, Store};
use moldloft_base::allowance::Allowance;
use moldloft_base::finding::{Finding, FindingList};
use moldloft_base::sanitize::{fold_for_search, plural};
use moldloft_base::source::{Source, Span};
use moldloft_rules::design::fleet::Fleet;
use moldloft_rules::evaluate::{Evaluation, evaluate, number_counters, soften_for_layers};
use moldloft_rules::ruleset::Ruleset;

use super::plan::{UnitPlan, plan_units};
use super::unknown_key::unknown_key;
use super::{EvaluatedFleet, FleetClass, FleetUnit, damage_check, fleet_rules, groups, same_names};

/// Evaluations between two checks of the allowance.
const BATCH: usize = 16;

/// What can be reused from the last evaluation.
#[derive(Default)]
struct PreviousFleet {
    ruleset: Option<Arc<Ruleset>>,
    units: BTreeMap<Arc<str>, FleetUnit>,
    classes: Vec<Arc<FleetClass>>,
}

impl PreviousFleet {
    fn from_fleet(evaluated: Option<EvaluatedFleet>) -> Self {
        let Some(evaluated) = evaluated else { return Self::default() };
        let units = evaluated.units.into_iter().map(|unit| (unit.evaluation.ship.unit.clone(), unit)).collect();
        Self { ruleset: evaluated.ruleset, units, classes: evaluated.classes }
    }

    /// The evaluation of an unchanged unit: equal rules, class and ship. Each is given once.
    fn take(&mut self, plan: &UnitPlan, ruleset: &Arc<Ruleset>) -> Option<Evaluation> {
        self.ruleset.as_ref().filter(|known| Arc::ptr_eq(known, ruleset))?;
        let known = self.units.get(&plan.ship.unit)?;
        let is_same = Arc::ptr_eq(&known.class, &plan.class) && known.evaluation.ship == plan.ship;
        if is_same { self.units.remove(&plan.ship.unit).map(|unit| unit.evaluation) } else { None }
    }
}

/// Reads a fleet's text and evaluates it.
///
/// # Errors
/// The findings when the text is not a fleet.
pub fn check_fleet(rulesets: &Rulesets, source: &Source, location: &FileRef) -> Result<EvaluatedFleet, Vec<Finding>> {
    Fleet::read(source).map(|fleet| evaluate_fleet(rulesets, fleet, location, None))
}

/// Evaluates every unit of a fleet and numbers the counters in one series. `rules`: a ruleset to use instead of the
/// fleet's.
pub fn evaluate_fleet(rulesets: &Rulesets, fleet: Fleet, location: &FileRef, rules: Option<&str>) -> EvaluatedFleet {
    reevaluate_fleet(rulesets, fleet, location, rules, None)
}

/// A fleet and the place of its file.
#[derive(Clone, Debug)]
pub struct FleetInput {
    /// The content of the file.
    pub fleet: Fleet,
    pub location: FileRef,
}

/// Evaluates the fleets of one job in parallel within one allowance. Each first has an equal share of it; fleets that
/// need more then get, in the given order, what the others leave.
pub fn evaluate_fleets(
    rulesets: &Rulesets,
    fleets: Vec<FleetInput>,
    rules: Option<&str>,
    job: &Allowance,
) -> Vec<EvaluatedFleet> {
    let shares: Vec<Allowance> = fleets.iter().map(|_| job.split(fleets.len())).collect();
    let todo: Vec<(FleetInput, &Allowance)> = fleets.into_iter().zip(&shares).collect();
    let mut done = par_map(todo, |(FleetInput { fleet, location }, share)| {
        let evaluated = evaluate_fleet_within(rulesets, fleet, &location, rules, None, share);
        (evaluated, location)
    });
    shares.iter().for_each(|share| job.absorb(share));
    for ((evaluated, location), share) in done.iter_mut().zip(&shares) {
        if evaluated.exceeds_allowance
            && let Some(wider) = job.widened(share)
        {
            let fleet = evaluated.fleet.clone();
            let before = std::mem::replace(evaluated, unevaluated_fleet(fleet.clone()));
            *evaluated = evaluate_fleet_within(rulesets, fleet, location, rules, Some(before), &wider);
            job.absorb_widened(&wider, share);
        }
    }
    done.into_iter().map(|(evaluated, _)| evaluated).collect()
}

/// A fleet before any unit is evaluated.
fn unevaluated_fleet(fleet: Fleet) -> EvaluatedFleet {
    let findings = fleet.findings.clone();
    EvaluatedFleet {
        fleet,
        ruleset: None,
        units: Vec::new(),
        skipped: Vec::new(),
        findings,
        points: None,
        legal: false,
        exceeds_allowance: false,
        classes: Vec::new(),
        store: Store::built_in(),
    }
}

/// The same for a changed fleet that was evaluated before: reuses evaluations of unchanged units and designs of
/// unchanged files. The result does not depend on the reuse.
pub fn reevaluate_fleet(
    rulesets: &Rulesets,
    fleet: Fleet,
    location: &FileRef,
    rules: Option<&str>,
    before: Option<EvaluatedFleet>,
) -> EvaluatedFleet {
    evaluate_fleet_within(rulesets, fleet, location, rules, before, &Allowance::for_job())
}

fn evaluate_fleet_within(
    rulesets: &Rulesets,
    fleet: Fleet,
    location: &FileRef,
    rules: Option<&str>,
    before: Option<EvaluatedFleet>,
    allowance: &Allowance,
) -> EvaluatedFleet {
    let id = rules.or(fleet.ruleset.as_ref().map(|word| &*word.text)).map(str::to_owned);
    let mut evaluated = unevaluated_fleet(fleet);
    let ruleset = match id.as_deref().map(|id| (id, rulesets.find(id))) {
        Some((_, LoadedRuleset::Ready(ruleset, _))) => Some(ruleset),
        Some((id, loaded)) => {
            let finding = match loaded {
                LoadedRuleset::Missing(finding) if finding.at.file.is_some() => finding,
                LoadedRuleset::Missing(finding) => at_ruleset(&evaluated.fleet, finding),
                _ => at_ruleset(&evaluated.fleet, unusable_ruleset(id, loaded.findings())),
            };
            evaluated.findings.push(finding);
            None
        }
        None => None,
    };
    evaluated.ruleset.clone_from(&ruleset);
    evaluated.store = rulesets.store().clone();
    let mut before = PreviousFleet::from_fleet(before);
    let mut found = FindingList::default();
    if let Some(ruleset) = &ruleset {
        let plans = plan_units(rulesets, &mut evaluated, location, ruleset, (&before.classes, allowance), &mut found);
        evaluate_all(&mut evaluated, plans, ruleset, &mut before, allowance);
        evaluated.units.iter_mut().for_each(|unit| damage_check::check_damage(unit, &mut found));
        groups::check_groups(&evaluated, ruleset, &mut found);
        evaluated.points = total_points(&evaluated);
        fleet_rules::check_fleet_rules(&evaluated, ruleset, &mut found);
        check_hull_numbers(&evaluated, &mut found);
        same_names::check_same_names(&evaluated, ruleset, &mut found);
    }
    for ship in &evaluated.fleet.ships {
        for one in std::iter::once(ship).chain(ship.carried.iter().flat_map(|list| &list.ships)) {
            for entry in &one.unknown {
                found.add(|| unknown_key(&evaluated.fleet, ruleset.as_deref(), &entry.key, entry.span));
            }
        }
    }
    evaluated.findings.extend(found.into_vec(evaluated.fleet.source.place(Span::default())));
    check_budget(&mut evaluated);
    if let Some(ruleset) = &ruleset {
        evaluated.findings.retain_mut(|finding| soften_for_layers(ruleset, finding));
    }
    evaluated.findings.sort_by_key(|finding| (finding.severity, finding.at.line, finding.at.column));
    evaluated.legal = ruleset.is_some() && !evaluated.has_errors();
    evaluated
}

/// `None` when no unit has points.
fn total_points(evaluated: &EvaluatedFleet) -> Option<i64> {
    let mut points = evaluated.units.iter().filter_map(|unit| unit.evaluation.points).peekable();
    points.peek().is_some().then(|| points.fold(0_i64, i64::saturating_add))
}

fn at_ruleset(fleet: &Fleet, finding: Finding) -> Finding {
    let span = fleet.ruleset.as_ref().map_or(Span::default(), |word| word.span);
    finding.at(fleet.source.place_with_snippet(span))
}

/// Reports hull numbers that several ships have.
fn check_hull_numbers(evaluated: &EvaluatedFleet, found: &mut FindingList) {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut reported = BTreeSet::new();
    for (n, unit) in evaluated.units.iter().enumerate() {
        let Some(number) = &unit.evaluation.ship.hull_number else { continue };
        let key = fold_for_search(number);
        let Some(&first) = seen.get(&key) else {
            seen.insert(key, n);
            continue;
        };
        if !reported.insert(key) {
            continue;
        }
        found.add(|| {
            let fleet = &evaluated.fleet;
            let entry = &fleet.ships[unit.entry];
            let own = match unit.carried {
                Some((list, at)) => &entry.carried[list].ships[at],
                None => entry,
            };
            let span = own.hull_number.as_ref().map_or(own.span, |word| word.span);
            let short = |text: &str| text.chars().take(60).collect::<String>();
            let name = |unit: &FleetUnit| short(unit.evaluation.ship.name.as_deref().unwrap_or(&unit.evaluation.name));
            let (first, second) = (name(&evaluated.units[first]), name(unit));
            let message = format!("duplicate hull number {}: {first}, {second}", short(number));
            Finding::error("duplicate-hull-number", message)
                .help("give each its own number; an entry with a count numbers its ships up from the one given")
                .at(fleet.source.place_with_snippet(span))
        });
    }
}

/// Units with equal keys have equal evaluations: the class, and except for plain ships of it the entry and the carrier.
type EvaluationKey = (*const FleetClass, Option<(usize, Option<(usize, usize)>, Option<usize>)>);

fn evaluation_key(plan: &UnitPlan) -> EvaluationKey {
    let ship = &plan.ship;
    let is_bare = ship.load.is_empty() && ship.relations.is_empty() && ship.carried_by.is_none();
    (Arc::as_ptr(&plan.class), (!is_bare).then_some((plan.entry, plan.carried, plan.carrier)))
}

/// Evaluates the plans in order, equal ones once, until the allowance is used up.
fn evaluate_all(
    evaluated: &mut EvaluatedFleet,
    plans: Vec<UnitPlan>,
    ruleset: &Arc<Ruleset>,
    before: &mut PreviousFleet,
    allowance: &Allowance,
) {
    // If a formula reads a ship's name, no two ships are equal.
    let may_share = !ruleset.depends_on_ship_identity();
    let mut known: BTreeMap<EvaluationKey, Evaluation> = BTreeMap::new();
    let mut plans = plans.into_iter().peekable();
    let mut batch: Vec<(UnitPlan, Option<Evaluation>)> = Vec::new();
    while plans.peek().is_some() {
        // Take plans until `BATCH` of them need a new evaluation.
        let mut new: BTreeSet<EvaluationKey> = BTreeSet::new();
        let mut wanted: Vec<usize> = Vec::new();
        while wanted.len() < BATCH
            && let Some(plan) = plans.next()
        {
            let taken = before.take(&plan, ruleset);
            let key = evaluation_key(&plan);
            if taken.is_none() && !(may_share && (known.contains_key(&key) || !new.insert(key))) {
                wanted.push(batch.len());
            }
            batch.push((plan, taken));
        }
        let todo: Vec<&UnitPlan> = wanted.iter().map(|&n| &batch[n].0).collect();
        let done = par_map(todo, |plan| evaluate(ruleset, &plan.class.design, &plan.ship));
        for (&n, evaluation) in wanted.iter().zip(done) {
            if may_share {
                known.insert(evaluation_key(&batch[n].0), evaluation.clone());
            }
            batch[n].1 = Some(evaluation);
        }
        let mut wanted = wanted.into_iter().peekable();
        let mut rest = batch.drain(..).enumerate();
        for (n, (plan, evaluation)) in rest.by_ref() {
            let is_new = wanted.next_if_eq(&n).is_some();
            let shared = || known.get(&evaluation_key(&plan)).map(|known| known.for_ship(plan.ship.clone()));
            let Some(evaluation) = evaluation.or_else(shared) else { continue };
            let weight = if is_new { evaluation.memory_size() } else { evaluation.unshared_memory_size() };
            if !(allowance.reserve_memory(weight) && allowance.spend_work(if is_new { evaluation.work() } else { 1 })) {
                let skipped = rest.count() + 1 + plans.count();
                let message = format!("these ships are too complex to evaluate; skipped {skipped}");
                let help = "shorten very long lists in their designs, or give fewer ships at once";
                let finding = Finding::error("too-large", message).help(help);
                evaluated.exceeds_allowance = true;
                evaluated.findings.push(finding.at(evaluated.fleet.source.place(Span::default())));
                number_counters(evaluated.units.iter_mut().map(|unit| &mut unit.evaluation));
                return;
            }
            let UnitPlan { entry, carried, copy, carrier: towed_by, class, .. } = plan;
            evaluated.units.push(FleetUnit { entry, carried, copy, carrier: towed_by, class, evaluation });
        }
    }
    number_counters(evaluated.units.iter_mut().map(|unit| &mut unit.evaluation));
}

fn check_budget(evaluated: &mut EvaluatedFleet) {
    let (Some(budget), Some(points)) = (evaluated.fleet.budget, evaluated.points) else { return };
    if points <= budget.points {
        return;
    }
    let message = format!("the fleet costs {}, its budget is {}", plural(points, "point"), budget.points);
    let over = points - budget.points;
    let finding = Finding::error("over-budget", message)
        .help(format!("remove {}, or agree on another budget", plural(over, "point")))
        .numbers(format!("points = {points}, budget = {}", budget.points))
        .at(evaluated.fleet.source.place_with_snippet(budget.span));
    evaluated.findings.push(finding);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    fn fleets(counts: &[u32]) -> Vec<FleetInput> {
        let one = |count: &u32| {
            let text =
                format!("ruleset = \"wars-of-honor\"\n[[ship]]\ndesign = \"Petrel\"\nname = \"P\"\ncount = {count}\n");
            let path = "designs/wars-of-honor/fleets/x.toml";
            let fleet = Fleet::read(&Source::new("x.toml", &text)).expect("a fleet");
            FleetInput { fleet, location: FileRef::built_in(path) }
        };
        counts.iter().map(one).collect()
    }

    #[test]
    fn fleets_share_an_allowance_and_the_order_decides_who_is_skipped() {
        let rulesets = Rulesets::without_settings(&Store::built_in());
        let evaluated = |counts: &[u32], memory: u64| -> Vec<(usize, bool)> {
            let job = Allowance::new(u64::MAX / 2, memory);
            let done = evaluate_fleets(&rulesets, fleets(counts), None, &job);
            assert!(job.used().1 <= memory);
            done.iter().map(|fleet| (fleet.units.len(), fleet.exceeds_allowance)).collect()
        };
        let alone = Allowance::new(u64::MAX / 2, u64::MAX / 2);
        evaluate_fleets(&rulesets, fleets(&[300]), None, &alone);
        let large = alone.used().1;
        // A third is too little for the large fleet; what the two small ones leave is enough.
        assert_eq!(evaluated(&[300, 2, 2], large * 5 / 4), [(300, false), (2, false), (2, false)]);
        // Two fleets that need everything: the first gets what the small one leaves, and both report what was skipped.
        let both = evaluated(&[300, 300, 2], large * 5 / 4);
        assert!(both[0].1 && both[1].1 && both[1].0 > 0 && both[0].0 > both[1].0, "{both:?}");
        assert_eq!(both[2], (2, false));
    }
}
