//! The muster: takes a fleet, gives its units evaluated in roster order. Bounded: no count in a file makes it long.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::design::fleet::{Fleet, FleetShip, SHIP_KEYS, UNITS_MOST};
use crate::design::{Asks, CarriedBy, Damage, Load, OfFleet, Plain, Ship, Word};
use crate::evaluate::{Evaluation, evaluate, number, soften};
use crate::finding::{Finding, nearest};
use crate::library::fold::fold;
use crate::library::games::{Games, Loaded, unusable};
use crate::library::read::each;
use crate::ruleset::{RelationKind, Ruleset};
use crate::source::toml::Data;
use crate::source::{Source, Span};

use super::classes::Classes;
use super::{Class, LeftOut, Lies, Mustered, Unit, groups, hits, roll};

/// Units evaluated between two looks at how much work it was.
const BATCH: usize = 64;
/// Formulas and cells of lists that the units of a fleet may take in all; three hundred ships take a few million.
const MOST_WORK: u64 = 60_000_000;

/// A unit before it is evaluated.
struct Plan {
    entry: usize,
    carried: Option<(usize, usize)>,
    copy: u32,
    towed_by: Option<usize>,
    class: Arc<Class>,
    ship: Ship,
}

/// What is known from the time before.
#[derive(Default)]
struct Before {
    ruleset: Option<Arc<Ruleset>>,
    units: BTreeMap<Arc<str>, Unit>,
    classes: Vec<Arc<Class>>,
}

impl Before {
    fn of(mustered: Option<Mustered>) -> Self {
        let Some(mustered) = mustered else { return Self::default() };
        let units = mustered.units.into_iter().map(|unit| (unit.evaluation.ship.unit.clone(), unit)).collect();
        Self { ruleset: mustered.ruleset, units, classes: mustered.read }
    }

    /// The evaluation of a unit that is as she was: the same rules, the same class, the same ship. Each is given once.
    fn take(&mut self, plan: &Plan, ruleset: &Arc<Ruleset>) -> Option<Evaluation> {
        self.ruleset.as_ref().filter(|known| Arc::ptr_eq(known, ruleset))?;
        let known = self.units.get(&plan.ship.unit)?;
        let is_same = Arc::ptr_eq(&known.class, &plan.class) && known.evaluation.ship == plan.ship;
        if is_same { self.units.remove(&plan.ship.unit).map(|unit| unit.evaluation) } else { None }
    }
}

/// Reads a fleet's text and musters it.
///
/// # Errors
/// The findings when the text cannot be read as a fleet at all.
pub fn check(games: &Games, source: &Source, lies: &Lies) -> Result<Mustered, Vec<Finding>> {
    Fleet::read(source).map(|fleet| muster(games, fleet, lies, None))
}

/// Every unit of a fleet, evaluated, numbered in one series. `rules` is the ruleset to judge it by instead of the one it names.
pub fn muster(games: &Games, fleet: Fleet, lies: &Lies, rules: Option<&str>) -> Mustered {
    muster_again(games, fleet, lies, rules, None)
}

/// The same for a fleet that was mustered before and changed since: of the units that are as they were, the evaluations are taken over, of files
/// that hold the same text the designs. What comes out is the same either way.
pub fn muster_again(
    games: &Games,
    fleet: Fleet,
    lies: &Lies,
    rules: Option<&str>,
    before: Option<Mustered>,
) -> Mustered {
    let id = rules.or(fleet.ruleset.as_ref().map(|word| &*word.text)).map(str::to_owned);
    let mut findings = fleet.findings.clone();
    let ruleset = match id.as_deref().map(|id| (id, games.find(id))) {
        Some((_, Loaded::Ready(ruleset, _))) => Some(ruleset),
        Some((id, loaded)) => {
            let finding = match loaded {
                Loaded::Missing(finding) if finding.at.file.is_some() => finding,
                Loaded::Missing(finding) => at_ruleset(&fleet, finding),
                _ => at_ruleset(&fleet, unusable(id, loaded.findings())),
            };
            findings.push(finding);
            None
        }
        None => None,
    };
    let mut mustered = Mustered {
        fleet,
        ruleset: ruleset.clone(),
        units: Vec::new(),
        left_out: Vec::new(),
        findings,
        points: None,
        legal: false,
        read: Vec::new(),
    };
    let mut before = Before::of(before);
    if let Some(ruleset) = &ruleset {
        let plans = plan(games, &mut mustered, lies, ruleset, &before);
        evaluate_all(&mut mustered, plans, ruleset, &mut before);
        let mut more: Vec<Finding> = mustered.units.iter_mut().flat_map(hits::check).collect();
        more.extend(groups::check(&mustered, ruleset));
        more.extend(hull_numbers(&mustered));
        mustered.findings.extend(more);
    }
    for ship in &mustered.fleet.ships {
        for one in std::iter::once(ship).chain(ship.carried.iter().flat_map(|list| &list.ships)) {
            let unknown = one.unknown.iter().map(|entry| (&*entry.key, entry.span));
            let told = unknown.map(|(key, span)| unknown_key(&mustered.fleet, ruleset.as_deref(), key, span));
            mustered.findings.extend(told);
        }
    }
    let mut evaluations = mustered.units.iter().filter_map(|unit| unit.evaluation.points).peekable();
    mustered.points = evaluations.peek().is_some().then(|| evaluations.fold(0_i64, i64::saturating_add));
    over_budget(&mut mustered);
    if let Some(ruleset) = &ruleset {
        mustered.findings.retain_mut(|finding| soften(ruleset, finding));
    }
    mustered.findings.sort_by_key(|finding| (finding.severity, finding.at.line, finding.at.column));
    mustered.legal = ruleset.is_some() && !mustered.has_errors();
    mustered
}

fn at_ruleset(fleet: &Fleet, finding: Finding) -> Finding {
    let span = fleet.ruleset.as_ref().map_or(Span::default(), |word| word.span);
    finding.at(fleet.source.shown(span))
}

/// What a player calls an entry.
fn called(ship: &FleetShip) -> String {
    let word = [&ship.name, &ship.hull_number, &ship.design].into_iter().flatten().next();
    let words =
        word.map_or_else(|| format!("ship {}", ship.index + 1), |word| word.text.trim().chars().take(60).collect());
    if ship.count > 1 { format!("{words} (×{})", ship.count) } else { words }
}

fn plan(games: &Games, mustered: &mut Mustered, lies: &Lies, ruleset: &Arc<Ruleset>, before: &Before) -> Vec<Plan> {
    let fleet = mustered.fleet.clone();
    let mut classes = Classes::new(games.store(), &fleet, lies, ruleset, &before.classes);
    let text =
        |word: &Option<Word>| word.as_ref().map(|word| word.text.trim().to_owned()).filter(|text| !text.is_empty());
    let of_fleet = OfFleet {
        name: text(&fleet.name).unwrap_or_default().into(),
        side: text(&fleet.side).unwrap_or_default().into(),
    };
    let player = text(&fleet.player);
    let mut plans: Vec<Plan> = Vec::new();
    let mut full = false;
    for (entry, ship) in fleet.ships.iter().enumerate() {
        if full {
            break;
        }
        let Some(word) = &ship.design else {
            // The fleet's own findings say so.
            mustered.left_out.push(LeftOut { entry, carried: None, name: called(ship), findings: Vec::new() });
            continue;
        };
        let class = match classes.get(word) {
            Ok(class) => class,
            Err(findings) => {
                mustered.left_out.push(LeftOut { entry, carried: None, name: called(ship), findings });
                continue;
            }
        };
        if ship.count == 0 {
            // So do they of a count without sense.
            mustered.left_out.push(LeftOut { entry, carried: None, name: called(ship), findings: Vec::new() });
            continue;
        }
        // What she carries: each list once, whatever her count.
        let mut carried: Vec<((usize, usize), &FleetShip, Arc<Class>, Asks)> = Vec::new();
        let mut relations: Vec<Asks> = Vec::new();
        for (n, one) in ship.carried.iter().enumerate() {
            let at = fleet.source.shown(one.span);
            if !ruleset.relations.iter().any(|known| known.id == one.relation.text && known.kind == RelationKind::Carry)
            {
                mustered.findings.push(unknown_key(&fleet, Some(ruleset), &one.relation.text, one.relation.span));
                continue;
            }
            let mut asks = Asks { relation: one.relation.text.clone(), count: one.plain.unwrap_or(0), at };
            for (k, pod) in one.ships.iter().enumerate() {
                asks.count = asks.count.saturating_add(i64::from(pod.count));
                let Some(word) = &pod.design else { continue };
                match classes.get(word) {
                    Ok(class) => carried.push(((n, k), pod, class, asks.clone())),
                    Err(findings) => {
                        mustered.left_out.push(LeftOut { entry, carried: Some((n, k)), name: called(pod), findings });
                    }
                }
            }
            relations.push(asks);
        }
        for copy in 1..=ship.count {
            let place = plans.len();
            let mut made = made(&fleet, ship, copy, copy == 1, (&of_fleet, &player));
            made.relations.clone_from(&relations);
            made.relations.extend(sails(&fleet, ship));
            plans.push(Plan { entry, carried: None, copy, towed_by: None, class: class.clone(), ship: made });
            for (which, pod, class, asks) in &carried {
                let carrier = &plans[place].ship;
                let called = carrier
                    .hull_number
                    .clone()
                    .or_else(|| carrier.name.clone())
                    .or_else(|| class_name(&plans[place].class));
                let by = CarriedBy {
                    relation: asks.relation.clone(),
                    carrier: called.clone().unwrap_or_default().into(),
                    unit: "".into(),
                    at: fleet.source.shown(pod.span),
                };
                for pod_copy in 1..=pod.count {
                    let is_first = pod_copy == 1 && copy == 1;
                    let mut made = self::made(&fleet, pod, pod_copy, is_first, (&of_fleet, &None));
                    // Hull numbers run on through what several alike carry.
                    let nth = (copy - 1).saturating_mul(pod.count).saturating_add(pod_copy);
                    made.hull_number = pod.hull_number_of(nth);
                    made.owner.clone_from(&called);
                    made.carried_by = Some(by.clone());
                    plans.push(Plan {
                        entry,
                        carried: Some(*which),
                        copy: pod_copy,
                        towed_by: Some(place),
                        class: class.clone(),
                        ship: made,
                    });
                    if plans.len() > UNITS_MOST as usize {
                        break;
                    }
                }
            }
            if plans.len() > UNITS_MOST as usize {
                full = true;
                let message = format!("more than {UNITS_MOST} ships; the rest is left out");
                let finding = Finding::error("too-many-ships", message).help("divide the fleet into several files");
                mustered.findings.push(finding.at(fleet.source.shown(ship.count_at.unwrap_or(ship.span))));
                plans.truncate(UNITS_MOST as usize);
                break;
            }
        }
    }
    keys(&mut plans);
    mustered.read = classes.read();
    plans
}

/// The keys of all units; what is carried knows its carrier's.
fn keys(plans: &mut [Plan]) {
    let keys = {
        let names: Vec<String> = plans.iter().map(|plan| class_name(&plan.class).unwrap_or_default()).collect();
        let asks = plans.iter().zip(&names).map(|(plan, class)| roll::Asks {
            hull_number: plan.ship.hull_number.as_deref(),
            name: plan.ship.name.as_deref(),
            class,
            carrier: plan.towed_by,
        });
        roll::keys(&asks.collect::<Vec<_>>())
    };
    for (n, plan) in plans.iter_mut().enumerate() {
        plan.ship.unit = keys[n].clone();
        if let (Some(by), Some(carrier)) = (&mut plan.ship.carried_by, plan.towed_by) {
            by.unit = keys[carrier].clone();
        }
    }
}

fn class_name(class: &Class) -> Option<String> {
    class.design.name.as_ref().map(|word| word.text.trim().to_owned()).filter(|name| !name.is_empty())
}

/// One of an entry's ships.
fn made(fleet: &Fleet, entry: &FleetShip, copy: u32, is_first: bool, whose: (&OfFleet, &Option<String>)) -> Ship {
    let (of_fleet, player) = whose;
    let text =
        |word: &Option<Word>| word.as_ref().map(|word| word.text.trim().to_owned()).filter(|text| !text.is_empty());
    let group = entry.group.as_ref().and_then(|word| fleet.groups.iter().find(|group| group.id.text == word.text));
    Ship {
        name: entry.name_of(copy),
        hull_number: entry.hull_number_of(copy),
        captain: text(&entry.captain),
        owner: text(&entry.owner).or_else(|| player.clone()),
        notes: text(&entry.notes),
        count: 1,
        group: group.and_then(|group| text(&group.name).or_else(|| Some(group.id.text.to_string()))),
        relations: Vec::new(),
        carried_by: None,
        load: loads(fleet, entry),
        damage: if is_first { entry.damage(&fleet.source) } else { Damage::default() },
        fleet: Some(of_fleet.clone()),
        unit: "".into(),
    }
}

fn loads(fleet: &Fleet, entry: &FleetShip) -> Vec<Load> {
    let plain = |data: &Data<'_>| match data {
        Data::Int(number) => Some(Plain::Number(*number)),
        Data::Flag(flag) => Some(Plain::Flag(*flag)),
        Data::Text(text) => Some(Plain::Text(text.as_ref().into())),
        _ => None,
    };
    let one = |load: &crate::design::fleet::FleetLoad| Load {
        system: load.system.text.clone(),
        mount: load.mount.as_ref().map(|word| word.text.clone()),
        values: load
            .values
            .iter()
            .filter_map(|entry| {
                Some((entry.key.as_ref().into(), plain(&entry.node.data)?, fleet.source.shown(entry.node.span)))
            })
            .collect(),
        at: fleet.source.shown(load.system.span),
    };
    entry.load.iter().map(one).collect()
}

/// The group that a ship sails in as a relation of the ruleset, with how many sail there.
fn sails(fleet: &Fleet, ship: &FleetShip) -> Option<Asks> {
    let word = ship.group.as_ref()?;
    let kind = fleet.groups.iter().find(|group| group.id.text == word.text)?.kind.as_ref()?;
    let members = fleet.ships.iter().filter(|ship| ship.group.as_ref().is_some_and(|other| other.text == word.text));
    let count = members.map(|ship| i64::from(ship.count)).sum();
    Some(Asks { relation: kind.text.clone(), count, at: fleet.source.shown(word.span) })
}

fn unknown_key(fleet: &Fleet, ruleset: Option<&Ruleset>, key: &str, span: Span) -> Finding {
    let relations = ruleset.iter().flat_map(|ruleset| &ruleset.relations);
    let relations = relations.filter(|relation| relation.kind == RelationKind::Carry);
    let known = SHIP_KEYS.into_iter().chain(relations.clone().map(|relation| &*relation.id));
    if let Some(relation) = { relations }.find(|relation| *relation.id == *key) {
        let message = format!("`{key}` says what she has of {}: a number, or a list of classes", relation.label);
        let help = format!("write it such as {key} = [{{ design = \"quiver.toml\", count = 3 }}]");
        return Finding::error("wrong-type", message).help(help).at(fleet.source.shown(span));
    }
    let shown: String = key.chars().take(60).collect();
    let finding = Finding::warning("unknown-key", format!("a ship has no key `{shown}`; it is kept but means nothing"));
    let help = match nearest(key, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "a note stands in notes = \"…\"".to_owned(),
    };
    finding.help(help).at(fleet.source.shown(span))
}

/// Hull numbers that several ships have.
fn hull_numbers(mustered: &Mustered) -> Vec<Finding> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut told = BTreeSet::new();
    let mut findings = Vec::new();
    for (n, unit) in mustered.units.iter().enumerate() {
        let Some(number) = &unit.evaluation.ship.hull_number else { continue };
        let key = fold(number);
        let Some(&first) = seen.get(&key) else {
            seen.insert(key, n);
            continue;
        };
        if !told.insert(key) {
            continue;
        }
        let fleet = &mustered.fleet;
        let entry = &fleet.ships[unit.entry];
        let own = match unit.carried {
            Some((list, at)) => &entry.carried[list].ships[at],
            None => entry,
        };
        let span = own.hull_number.as_ref().map_or(own.span, |word| word.span);
        let name = |unit: &Unit| unit.evaluation.ship.name.clone().unwrap_or_else(|| unit.evaluation.name.to_string());
        let shown: String = number.chars().take(60).collect();
        let message =
            format!("{shown} is the hull number of two ships: {}, {}", name(&mustered.units[first]), name(unit));
        let finding = Finding::error("duplicate-hull-number", message)
            .help("give each a number of her own; of several alike the numbers count up from the one given");
        findings.push(finding.at(fleet.source.shown(span)));
    }
    findings
}

/// Evaluates the plans in order, until it is too much work.
fn evaluate_all(mustered: &mut Mustered, mut plans: Vec<Plan>, ruleset: &Arc<Ruleset>, before: &mut Before) {
    let mut work = 0_u64;
    while !plans.is_empty() {
        if work > MOST_WORK {
            let message = format!("these ships take too much to work out; {} of them are left out", plans.len());
            let finding = Finding::error("too-large", message).help("look for very long lists in their designs");
            mustered.findings.push(finding.at(mustered.fleet.source.place(Span::default())));
            break;
        }
        let rest = plans.split_off(plans.len().min(BATCH));
        let batch = std::mem::replace(&mut plans, rest).into_iter().map(|plan| {
            let known = before.take(&plan, ruleset);
            (plan, known)
        });
        let done = each(batch.collect(), |(plan, known)| {
            let evaluation = known.unwrap_or_else(|| evaluate(ruleset, &plan.class.design, &plan.ship));
            let Plan { entry, carried, copy, towed_by, class, .. } = plan;
            Unit { entry, carried, copy, towed_by, class, evaluation }
        });
        work += done.iter().map(|unit| unit.evaluation.work()).sum::<u64>();
        mustered.units.extend(done);
    }
    number(mustered.units.iter_mut().map(|unit| &mut unit.evaluation));
}

fn over_budget(mustered: &mut Mustered) {
    let (Some(budget), Some(points)) = (mustered.fleet.budget, mustered.points) else { return };
    if points <= budget.points {
        return;
    }
    let message = format!("the fleet costs {points} points, its budget is {}", budget.points);
    let finding = Finding::error("over-budget", message)
        .help(format!("take {} points off, or agree on another budget", points - budget.points))
        .at(mustered.fleet.source.shown(budget.span));
    mustered
        .findings
        .push(Finding { numbers: Some(format!("points = {points}, budget = {}", budget.points)), ..finding });
}
