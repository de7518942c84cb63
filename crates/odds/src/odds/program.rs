//! Attacks prepared for a run: takes the firings of a fight and a question, gives their steps with all fixed names worked out, cut down to what the
//! question hangs on, and with what dies where.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use moldloft_base::source::Span;
use moldloft_rules::formula::{Formula, Host, ItemPlace, Slot, Value};

use moldloft_rules::ruleset::{Attack, Ruleset, Step, Variable, is_removed};

/// One use of an attack by one of the things that it is for, with the host that answers its names.
#[derive(Clone, Copy)]
pub struct Firing<'a> {
    pub attack: &'a Attack,
    pub host: &'a dyn Host,
    /// Turns from one use to the next, and how often in a battle; `None` where the ship's numbers do not say.
    pub pace: Option<Pace>,
    /// The rules, where a layer removed rows of what the attack looks up.
    pub lossy: Option<&'a Ruleset>,
}

/// When an attack is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// At least 1.
    pub every: u32,
    /// `None` is always.
    pub uses: Option<u32>,
}

impl<'a> Firing<'a> {
    pub fn new(attack: &'a Attack, host: &'a dyn Host) -> Self {
        let number = |formula: &Option<Formula>, least: u32| match formula {
            None => Some(None),
            Some(formula) => match formula.eval(host) {
                Ok(Value::Int(number)) => u32::try_from(number).ok().filter(|number| *number >= least).map(Some),
                _ => None,
            },
        };
        let pace = || Some(Pace { every: number(&attack.every, 1)?.unwrap_or(1), uses: number(&attack.uses, 0)? });
        Self { attack, host, pace: pace(), lossy: None }
    }

    /// Whether it fires in a turn, which count from 1.
    pub fn fires_in(&self, turn: u32) -> bool {
        let Some(Pace { every, uses }) = self.pace else { return false };
        (turn - 1).is_multiple_of(every) && uses.is_none_or(|uses| (turn - 1) / every < uses)
    }
}

/// Steps in which only variables are left open; what else they read has been put in.
#[derive(Clone, Debug, Default)]
pub(super) struct FixedStep {
    pub label: Option<Arc<str>>,
    pub when: Option<Formula>,
    pub assignments: Vec<(Variable, Formula)>,
    pub repeat: Option<Formula>,
    pub each: Vec<FixedStep>,
    pub at: Span,
}

/// Puts in all that is fixed. A firing that does not bear has no steps.
pub(super) fn fix(firing: &Firing<'_>) -> Vec<FixedStep> {
    let attack = firing.attack;
    if !firing.fires_in(1) {
        return Vec::new();
    }
    let steps = fix_steps(&attack.steps, firing.host, &mut FixedNames::default());
    match fixed_when(firing) {
        None => steps,
        Some(when) => match when.as_constant().and_then(Value::as_bool) {
            Some(true) => steps,
            Some(false) => Vec::new(),
            None => vec![FixedStep { when: Some(when), each: steps, at: attack.at, ..FixedStep::default() }],
        },
    }
}

/// Whether it fires, or may fire if that is rolled.
pub(super) fn bears(firing: &Firing<'_>) -> bool {
    if !firing.fires_in(1) {
        return false;
    }
    fixed_when(firing).is_none_or(|when| when.as_constant().and_then(Value::as_bool) != Some(false))
}

/// `when` with all that is fixed put in; a comparison with what a layer removed is false.
pub(super) fn fixed_when(firing: &Firing<'_>) -> Option<Formula> {
    let when = firing.attack.when.as_ref()?;
    let fixed = fix_formula(when, firing.host);
    let is_null = matches!(fixed.as_constant(), Some(Value::Null));
    let is_about_nothing = is_null && when.reads().any(is_removed);
    Some(if is_about_nothing { Formula::constant(Value::Flag(false), when.at) } else { fixed })
}

/// Puts in all that is fixed, and the names that steps set to the same number whatever is rolled; `known` then has those that hold after the steps.
pub(super) fn fix_steps(steps: &[Step], host: &dyn Host, known: &mut FixedNames) -> Vec<FixedStep> {
    let mut fixed = Vec::with_capacity(steps.len());
    for step in steps {
        let when = step.when.as_ref().map(|when| known.fix(when, host));
        let when = match when.as_ref().and_then(Formula::as_constant).and_then(Value::as_bool) {
            Some(true) => None,
            Some(false) => continue,
            None => when,
        };
        // All formulas of a step read what was before it.
        let assignments = step.assignments.iter().map(|set| (set.variable, known.fix(&set.formula, host)));
        let assignments: Vec<(Variable, Formula)> = assignments.collect();
        assignments.iter().for_each(|(variable, formula)| known.set(*variable, formula));
        let repeat = step.repeat.as_ref().map(|repeat| known.fix(repeat, host));
        let mut set = BTreeSet::new();
        if repeat.is_some() {
            // What a time round sets is another the next time, and as before if there is none.
            set_by_all(&step.each, &mut set);
            known.forget(&set);
        }
        let each = fix_steps(&step.each, host, known);
        if when.is_some() {
            set_by_all(std::slice::from_ref(step), &mut set);
        }
        known.forget(&set);
        fixed.push(FixedStep { label: step.label.clone(), when, assignments, repeat, each, at: step.at });
    }
    fixed
}

/// Adds all that steps set.
fn set_by_all(steps: &[Step], set: &mut BTreeSet<Variable>) {
    for step in steps {
        set.extend(step.assignments.iter().map(|assignment| assignment.variable));
        set_by_all(&step.each, set);
    }
}

/// Names set by steps whose number, flag or text is known before anything is rolled. What falls together in two situations because of them is run once.
#[derive(Default)]
pub(super) struct FixedNames(BTreeMap<Slot, Value>);

impl FixedNames {
    fn get(&self, slot: Slot) -> Option<&Value> {
        self.0.get(&slot)
    }

    fn set(&mut self, variable: Variable, formula: &Formula) {
        let is_name = matches!(variable, Variable::Register(_));
        match formula.as_constant() {
            Some(value @ (Value::Int(_) | Value::Flag(_) | Value::Text(_))) if is_name => {
                self.0.insert(variable.slot(), value.clone());
            }
            _ => {
                self.0.remove(&variable.slot());
            }
        }
    }

    fn forget(&mut self, set: &BTreeSet<Variable>) {
        set.iter().for_each(|variable| {
            self.0.remove(&variable.slot());
        });
    }

    fn fix(&self, formula: &Formula, host: &dyn Host) -> Formula {
        let is_open = |slot: &Slot| Variable::from_slot(*slot).is_some() && self.get(*slot).is_none();
        let varying: Vec<Slot> = formula.reads().filter(is_open).collect();
        formula.specialize(&FixedNamesHost { known: self, host }, &varying)
    }
}

/// Answers known names, and all else as `host`.
struct FixedNamesHost<'h> {
    known: &'h FixedNames,
    host: &'h dyn Host,
}

impl Host for FixedNamesHost<'_> {
    fn around(&self) -> Option<&dyn Host> {
        Some(self.host)
    }

    fn read_ref(&self, slot: Slot) -> Option<&Value> {
        self.known.get(slot).or_else(|| self.host.read_ref(slot))
    }
}

pub(super) fn fix_formula(formula: &Formula, host: &dyn Host) -> Formula {
    FixedNames::default().fix(formula, host)
}

pub(super) fn is_same(a: &[FixedStep], b: &[FixedStep]) -> bool {
    let formulas = |a: &Option<Formula>, b: &Option<Formula>| match (a, b) {
        (Some(a), Some(b)) => a.is_same(b),
        (None, None) => true,
        _ => false,
    };
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| {
            a.label == b.label
                && formulas(&a.when, &b.when)
                && formulas(&a.repeat, &b.repeat)
                && a.assignments.len() == b.assignments.len()
                && a.assignments.iter().zip(&b.assignments).all(|(a, b)| a.0 == b.0 && a.1.is_same(&b.1))
                && is_same(&a.each, &b.each)
        })
}

pub(super) fn variables(formula: &Formula) -> impl Iterator<Item = Variable> + '_ {
    formula.reads().filter_map(Variable::from_slot)
}

/// Adds all variables that steps read or set.
pub(super) fn add_named(steps: &[FixedStep], named: &mut BTreeSet<Variable>) {
    for step in steps {
        let set = step
            .assignments
            .iter()
            .flat_map(|(variable, formula)| std::iter::once(*variable).chain(variables(formula)));
        named.extend(set.chain(guards(step)));
        add_named(&step.each, named);
    }
}

fn guards(step: &FixedStep) -> impl Iterator<Item = Variable> + '_ {
    step.when.iter().chain(&step.repeat).flat_map(variables)
}

/// Adds all that bears on `needed`: what their assignments read, and the conditions and counts around those.
pub(super) fn close(steps: &[FixedStep], needed: &mut BTreeSet<Variable>) {
    loop {
        let before = needed.len();
        steps.iter().for_each(|step| {
            adds_reads(step, needed);
        });
        if needed.len() == before {
            return;
        }
    }
}

/// Whether a step bears on `needed`, to which it adds what it reads.
fn adds_reads(step: &FixedStep, needed: &mut BTreeSet<Variable>) -> bool {
    let mut found = false;
    for (variable, formula) in &step.assignments {
        if needed.contains(variable) {
            found = true;
            needed.extend(variables(formula));
        }
    }
    for inner in &step.each {
        found |= adds_reads(inner, needed);
    }
    if found {
        needed.extend(guards(step));
    }
    found
}

/// What a formula sees of a column: states that agree in it have the same distribution, whatever the other items of a list are.
#[derive(Clone, Copy, Debug)]
pub(super) enum FormulaKey {
    Whole(usize),
    /// The item of a list whose place is in another column.
    ItemAt(usize, usize),
    /// The item of a list at this place.
    Item(usize, i64),
}

/// A formula of a run.
#[derive(Clone, Debug)]
pub(super) struct BoundFormula {
    pub formula: Formula,
    /// Columns of what it reads, and their slots.
    pub reads: Vec<(Slot, usize)>,
    /// What its distribution hangs on, by read.
    pub keys: Vec<FormulaKey>,
    /// Where its distributions are kept.
    pub cache: usize,
}

/// A change of a column.
#[derive(Clone, Debug)]
pub(super) struct BoundAssignment {
    pub column: usize,
    pub formula: BoundFormula,
    /// The formula gives what is added to the column.
    pub shift: bool,
}

#[derive(Clone, Debug)]
pub(super) struct ProgramStep {
    pub when: Option<BoundFormula>,
    pub assignments: Vec<BoundAssignment>,
    pub repeat: Option<BoundFormula>,
    pub each: Vec<ProgramStep>,
    /// Where the successors of its states are kept, if it repeats.
    pub successors: usize,
    /// By column: whether it is read after this step.
    pub live: Vec<bool>,
    /// Its assignments only add names to states, so that no two states become one.
    pub adds_only: bool,
    /// By column: whether it is read before or after any time round.
    pub live_within: Vec<bool>,
    /// Place of its means among those reported.
    pub label: Option<usize>,
    pub at: Span,
}

impl ProgramStep {
    /// Whether it only sets names and gauges.
    pub fn is_plain(&self) -> bool {
        self.when.is_none() && self.repeat.is_none() && self.each.is_empty() && !self.assignments.is_empty()
    }
}

/// One labelled step whose means are reported.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LabelledStep {
    pub firing: usize,
    pub label: Arc<str>,
    /// Variables with their columns.
    pub variables: Vec<(Variable, usize)>,
}

/// The steps of some firings for one question.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    /// The variables of each column, in order.
    pub columns: Vec<Variable>,
    /// By firing.
    pub firings: Vec<Vec<ProgramStep>>,
    pub labels: Vec<LabelledStep>,
    pub caches: usize,
    pub loops: usize,
}

impl Program {
    pub fn column(&self, variable: Variable) -> Option<usize> {
        self.columns.binary_search(&variable).ok()
    }

    pub fn has_loop(steps: &[ProgramStep]) -> bool {
        steps.iter().any(|step| step.repeat.is_some() || Self::has_loop(&step.each))
    }
}

/// Variables that labelled steps set, in all of a firing's steps outside loops.
pub(super) fn labelled(steps: &[FixedStep]) -> BTreeSet<Variable> {
    let mut found = BTreeSet::new();
    for step in steps {
        if step.label.is_some() {
            found.extend(set_by(step));
        } else if step.repeat.is_none() {
            found.extend(labelled(&step.each));
        }
    }
    found
}

/// What a labelled step reports: what it sets itself, or the gauges that it changes within.
fn set_by(step: &FixedStep) -> Vec<Variable> {
    fn gauges(steps: &[FixedStep], found: &mut BTreeSet<Variable>) {
        for step in steps {
            let set = step.assignments.iter().map(|(variable, _)| *variable);
            found.extend(set.filter(|variable| !matches!(variable, Variable::Register(_))));
            gauges(&step.each, found);
        }
    }
    if step.each.is_empty() {
        return step.assignments.iter().map(|(variable, _)| *variable).collect();
    }
    let mut found = step.assignments.iter().map(|(variable, _)| *variable).collect();
    gauges(&step.each, &mut found);
    found.into_iter().collect()
}

/// Builds the program of `firings` for what hangs on `wanted`; with `labels` the means of labelled steps are kept.
pub(super) fn build(firings: &[&[FixedStep]], wanted: &BTreeSet<Variable>, labels: bool) -> Program {
    let mut needed = wanted.clone();
    loop {
        let before = needed.len();
        firings.iter().for_each(|steps| close(steps, &mut needed));
        if needed.len() == before {
            break;
        }
    }
    let columns: Vec<Variable> = needed.iter().copied().collect();
    let gauges: Vec<bool> = columns.iter().map(|column| !matches!(column, Variable::Register(_))).collect();
    let mut builder =
        Builder { needed: &needed, columns: &columns, labels, firing: 0, found: Vec::new(), caches: 0, loops: 0 };
    let mut built = Vec::with_capacity(firings.len());
    for (firing, steps) in firings.iter().enumerate() {
        builder.firing = firing;
        let mut steps = builder.steps(steps, true);
        builder.liveness(&mut steps, gauges.clone());
        built.push(steps);
    }
    let Builder { found, caches, loops, .. } = builder;
    Program { firings: built, labels: found, caches, loops, columns }
}

struct Builder<'b> {
    needed: &'b BTreeSet<Variable>,
    columns: &'b [Variable],
    labels: bool,
    /// Of the steps at hand.
    firing: usize,
    found: Vec<LabelledStep>,
    caches: usize,
    loops: usize,
}

impl Builder<'_> {
    fn column(&self, variable: Variable) -> usize {
        self.columns.binary_search(&variable).unwrap_or(usize::MAX)
    }

    fn bind(&mut self, formula: &Formula) -> BoundFormula {
        let reads = formula.reads().filter_map(|slot| Some((slot, self.column(Variable::from_slot(slot)?))));
        let mut reads: Vec<(Slot, usize)> = reads.collect();
        reads.sort_unstable();
        let key = |(slot, column): &(Slot, usize)| match formula.only_item(*slot) {
            Some(ItemPlace::Number(place)) => FormulaKey::Item(*column, place),
            Some(ItemPlace::Slot(place)) => match reads.binary_search_by_key(&place, |(known, _)| *known) {
                Ok(place) => FormulaKey::ItemAt(*column, reads[place].1),
                Err(_) => FormulaKey::Whole(*column),
            },
            None => FormulaKey::Whole(*column),
        };
        let keys = reads.iter().map(key).collect();
        self.caches += 1;
        BoundFormula { formula: formula.clone(), reads, keys, cache: self.caches - 1 }
    }

    fn assignment(&mut self, variable: Variable, formula: &Formula) -> BoundAssignment {
        let column = self.column(variable);
        let rest = match variable {
            Variable::Register(_) => None,
            gauge => formula.as_shift(gauge.slot()),
        };
        match rest {
            Some(rest) => BoundAssignment { column, formula: self.bind(&rest), shift: true },
            None => BoundAssignment { column, formula: self.bind(formula), shift: false },
        }
    }

    fn steps(&mut self, steps: &[FixedStep], outer: bool) -> Vec<ProgramStep> {
        let mut built = Vec::with_capacity(steps.len());
        for step in steps {
            if !adds_reads(step, &mut self.needed.clone()) {
                continue;
            }
            let when = step.when.as_ref().map(|when| self.bind(when));
            let repeat = step.repeat.as_ref().map(|repeat| self.bind(repeat));
            let set = step.assignments.iter().filter(|(variable, _)| self.needed.contains(variable));
            let set: Vec<(Variable, Formula)> = set.cloned().collect();
            let assignments = set.iter().map(|(variable, formula)| self.assignment(*variable, formula)).collect();
            let inner = self.labels && outer && step.label.is_none() && step.repeat.is_none();
            let each = self.steps(&step.each, inner);
            let label = step.label.as_ref().filter(|_| self.labels && outer).map(|label| {
                let variables = set_by(step).into_iter().filter(|variable| self.needed.contains(variable));
                let variables = variables.map(|variable| (variable, self.column(variable))).collect();
                self.found.push(LabelledStep { firing: self.firing, label: label.clone(), variables });
                self.found.len() - 1
            });
            let successors = self.loops;
            self.loops += usize::from(repeat.is_some());
            built.push(ProgramStep {
                when,
                assignments,
                repeat,
                each,
                successors,
                live: Vec::new(),
                adds_only: false,
                live_within: Vec::new(),
                label,
                at: step.at,
            });
        }
        built
    }

    /// Goes backwards over steps after which `live` are read; gives what is read before them.
    fn liveness(&self, steps: &mut [ProgramStep], mut live: Vec<bool>) -> Vec<bool> {
        for step in steps.iter_mut().rev() {
            if let Some(label) = step.label {
                for (_, column) in &self.found[label].variables {
                    live[*column] = true;
                }
            }
            step.live.clone_from(&live);
            let after = live.clone();
            let mut before = live;
            if step.repeat.is_some() {
                // What one time round leaves is read by the next.
                loop {
                    let start = self.liveness(&mut step.each, before.clone());
                    let grown: Vec<bool> = start.iter().zip(&before).map(|(a, b)| *a || *b).collect();
                    if grown == before {
                        break;
                    }
                    before = grown;
                }
                step.live_within.clone_from(&before);
            } else if !step.each.is_empty() {
                before = self.liveness(&mut step.each, before);
                step.live_within.clone_from(&before);
            } else {
                step.live_within.clone_from(&before);
            }
            if let Some(repeat) = &step.repeat {
                mark(repeat, &mut before);
            }
            if step.when.is_none() {
                step.assignments.iter().filter(|set| !set.shift).for_each(|set| before[set.column] = false);
            }
            for set in &step.assignments {
                mark(&set.formula, &mut before);
                if set.shift {
                    before[set.column] = true;
                }
            }
            if let Some(when) = &step.when {
                mark(when, &mut before);
                before.iter_mut().zip(&after).for_each(|(before, after)| *before |= after);
            }
            for (live, column) in before.iter_mut().zip(self.columns) {
                *live |= !matches!(column, Variable::Register(_));
            }
            step.adds_only = step.each.is_empty()
                && step.repeat.is_none()
                && before.iter().zip(&after).all(|(before, after)| *after || !*before)
                && step.assignments.iter().all(|set| !before[set.column] && after[set.column]);
            live = before;
        }
        live
    }
}

fn mark(formula: &BoundFormula, live: &mut [bool]) {
    formula.reads.iter().for_each(|(_, column)| live[*column] = true);
}
