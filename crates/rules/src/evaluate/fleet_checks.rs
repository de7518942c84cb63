//! Checks over a fleet: takes its evaluated units and facts, gives findings by the ruleset's checks over a fleet. All checks
//! share one allowance of work. A condition that is not computable gives no finding, since its cause has one.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::design::Ship;
use crate::formula::{Formula, FormulaError, Host, Slot, TextTemplate, Value};
use crate::ruleset::{
    CheckDef, ConditionRead, FleetCall, FleetCallKind, FleetSelector, ItWord, OverFleet, Ruleset, Symbol,
    fleet_call_of, unit_slot,
};
use moldloft_base::finding::{Finding, FindingList, Place, Severity};

use super::checks::numbers_read;
use super::state::{ItTarget, ShipState, StateView};
use super::work_budget::{SHIP_WORK, WorkBudget};
use super::{Evaluation, FleetFacts};

/// The most findings of one check.
const MAX_FINDINGS_OF_CHECK: usize = 100;

/// A unit of the fleet.
#[derive(Clone, Copy, Debug)]
pub struct FleetMember<'a> {
    pub evaluation: &'a Evaluation,
    /// Equal for units of one class.
    pub class: usize,
    /// Equal for units of one group; `None` without a group.
    pub group: Option<usize>,
}

/// Adds the findings of all checks over a fleet. `place`: of a unit by its index, or of the fleet.
pub fn check_fleet_rules(
    rules: &Ruleset,
    facts: &FleetFacts,
    members: &[FleetMember<'_>],
    place: &dyn Fn(Option<usize>) -> Place,
    found: &mut FindingList,
) {
    let budget = WorkBudget::for_ship();
    let (state, ship) = (ShipState::default(), Ship::default());
    for check in rules.fleet_checks.iter().filter(|check| check.severity.is_some()) {
        let run = FleetRun {
            rules,
            facts,
            members,
            check,
            budget: &budget,
            state: &state,
            ship: &ship,
            known: RefCell::new(vec![None; check.scope.calls.len()]),
        };
        if let Err(fault) = run.report(place, found) {
            let too_much = budget.is_spent();
            let code = if too_much { "too-much-work" } else { fault.code };
            let message = match too_much {
                true => format!("the checks over the fleet take more than {SHIP_WORK} steps; skipped {}", check.code),
                false => format!("cannot compute the check {}: {}", check.code, fault.message),
            };
            let mut finding = Finding::error(code, message).at(place(None));
            finding.help = fault.help.or_else(|| Some("simplify the check, or split the fleet".to_owned()));
            finding.rule = Some(rules.location(fault.span));
            found.add(|| finding);
            if too_much {
                return;
            }
        }
    }
}

/// What a check is repeated for: its first unit, and the number of units.
#[derive(Clone, Copy)]
struct FleetItem {
    unit: usize,
    count: i64,
}

struct FleetRun<'a> {
    rules: &'a Ruleset,
    facts: &'a FleetFacts,
    members: &'a [FleetMember<'a>],
    check: &'a CheckDef<OverFleet>,
    budget: &'a WorkBudget,
    /// Of no ship, for settings and tables.
    state: &'a ShipState,
    ship: &'a Ship,
    /// Results of calls that are the same for every item.
    known: RefCell<Vec<Option<Value>>>,
}

impl FleetRun<'_> {
    fn report(&self, place: &dyn Fn(Option<usize>) -> Place, found: &mut FindingList) -> Result<(), FormulaError> {
        let mut findings = 0;
        for item in self.items() {
            let host = FleetHost { run: self, item, blank: self.blank_view() };
            let holds = |formula: &Formula| formula.flag(&host).map(|flag| flag == Some(true));
            if let Some(when) = &self.check.when
                && !holds(when)?
            {
                continue;
            }
            if !holds(&self.check.fails_when)? {
                continue;
            }
            findings += 1;
            if findings > MAX_FINDINGS_OF_CHECK || found.is_full() {
                return Ok(());
            }
            let finding = self.finding(&host)?;
            let unit = match &self.check.scope.at {
                Some(at) => self.last_unit(&host, at)?,
                None => None,
            };
            let unit = unit.or(item.map(|item| item.unit));
            found.add(|| finding.at(place(unit)));
        }
        Ok(())
    }

    fn items(&self) -> Vec<Option<FleetItem>> {
        let key = |unit: usize| match self.check.scope.for_each {
            None | Some(FleetSelector::Unit) => Some(unit),
            Some(FleetSelector::Class) => Some(self.members[unit].class),
            Some(FleetSelector::Group) => self.members[unit].group,
        };
        if self.check.scope.for_each.is_none() {
            return vec![None];
        }
        let mut items: Vec<FleetItem> = Vec::new();
        let mut place_of = BTreeMap::new();
        for unit in 0..self.members.len() {
            let Some(key) = key(unit) else { continue };
            let place = *place_of.entry(key).or_insert(items.len());
            match items.get_mut(place) {
                Some(item) => item.count += 1,
                None => items.push(FleetItem { unit, count: 1 }),
            }
        }
        items.into_iter().map(Some).collect()
    }

    fn finding(&self, host: &FleetHost<'_>) -> Result<Finding, FormulaError> {
        let check = self.check;
        let text = |text: &TextTemplate| text.eval(host);
        let message = text(&check.message)?.unwrap_or_else(|| check.code.replace('-', " "));
        let severity = check.severity.unwrap_or(Severity::Error);
        let mut finding = Finding::new(check.code.to_string(), severity, message);
        if let Some(help) = &check.help {
            finding.help = text(help)?;
        }
        finding.rule = Some(self.rules.check_rule(check));
        finding.numbers = numbers_read(check, |read| match read {
            ConditionRead::Slot(slot) => Some(host.read(slot)),
            ConditionRead::Call(call) => host.call(call, &[]).ok(),
        });
        Ok(finding)
    }

    fn last_unit(&self, host: &FleetHost<'_>, condition: &Formula) -> Result<Option<usize>, FormulaError> {
        for unit in (0..self.members.len()).rev() {
            let asked = UnitHost { around: host, view: self.unit_view(unit) };
            if condition.flag(&asked)? == Some(true) {
                return Ok(Some(unit));
            }
        }
        Ok(None)
    }

    fn blank_view(&self) -> StateView<'_> {
        StateView::new(self.rules, self.state, self.ship, ItTarget::Nothing, self.budget)
    }

    fn unit_view(&self, unit: usize) -> StateView<'_> {
        let evaluation = self.members[unit].evaluation;
        StateView::new(self.rules, &evaluation.state, &evaluation.ship, ItTarget::Nothing, self.budget)
    }

    fn call(&self, number: usize, host: &FleetHost<'_>) -> Result<Value, String> {
        let Some(call) = self.check.scope.calls.get(number) else { return Ok(Value::Null) };
        if let Some(known) = self.known.borrow().get(number).and_then(Clone::clone) {
            return Ok(known);
        }
        let value = self.ask_units(call, host)?;
        if !call.reads_it
            && let Some(place) = self.known.borrow_mut().get_mut(number)
        {
            *place = Some(value.clone());
        }
        Ok(value)
    }

    fn ask_units(&self, call: &FleetCall, host: &FleetHost<'_>) -> Result<Value, String> {
        let mut count = 0;
        let mut values = Vec::new();
        let mut is_known = true;
        for unit in 0..self.members.len() {
            if self.budget.is_spent() {
                return Err("it takes too much work".to_owned());
            }
            let asked = UnitHost { around: host, view: self.unit_view(unit) };
            let meets = match &call.condition {
                Some(condition) => condition.flag(&asked).map_err(|error| self.named_error(unit, &error))?,
                None => Some(true),
            };
            match (meets, &call.kind) {
                (Some(false), _) => continue,
                (None, _) => is_known = false,
                (Some(true), FleetCallKind::Units) => count += 1,
                (Some(true), FleetCallKind::Each(formula)) => {
                    values.push(formula.eval(&asked).map_err(|error| self.named_error(unit, &error))?);
                }
            }
        }
        if !is_known {
            return Ok(Value::Null);
        }
        if !self.budget.spend_cells(u32::try_from(values.len()).unwrap_or(u32::MAX)) {
            return Err("the lists of this fleet are too long".to_owned());
        }
        Ok(match call.kind {
            FleetCallKind::Units => Value::Int(count),
            FleetCallKind::Each(_) => Value::List(values.into()),
        })
    }

    fn named_error(&self, unit: usize, error: &FormulaError) -> String {
        let evaluation = self.members[unit].evaluation;
        let name = evaluation.ship.name.as_deref().unwrap_or(&evaluation.name);
        format!("{}: {}", crate::ruleset::shorten(name), error.message)
    }
}

/// Answers the names of a check over a fleet.
struct FleetHost<'r> {
    run: &'r FleetRun<'r>,
    item: Option<FleetItem>,
    blank: StateView<'r>,
}

impl Host for FleetHost<'_> {
    fn around(&self) -> Option<&dyn Host> {
        Some(&self.blank)
    }

    fn read(&self, slot: Slot) -> Value {
        if let Some(own) = unit_slot(slot) {
            return self.item.map_or(Value::Null, |item| self.run.unit_view(item.unit).read(own));
        }
        match Symbol::from_slot(slot) {
            Symbol::It(ItWord::Count) => self.item.map_or(Value::Null, |item| Value::Int(item.count)),
            Symbol::Builtin(word) if word.is_fleet_only() => self.run.facts.builtin_value(word),
            _ => self.blank.read(slot),
        }
    }

    fn call(&self, call: u32, arguments: &[Value]) -> Result<Value, String> {
        match fleet_call_of(call) {
            Some(number) => self.run.call(number, self),
            None => self.blank.call(call, arguments),
        }
    }
}

/// Answers the names of one unit, and around it those of the check.
struct UnitHost<'r> {
    around: &'r FleetHost<'r>,
    view: StateView<'r>,
}

impl UnitHost<'_> {
    fn is_around(slot: Slot) -> bool {
        unit_slot(slot).is_some()
            || match Symbol::from_slot(slot) {
                Symbol::It(word) => word == ItWord::Count,
                Symbol::Builtin(word) => word.is_fleet_only(),
                _ => false,
            }
    }
}

impl Host for UnitHost<'_> {
    fn around(&self) -> Option<&dyn Host> {
        Some(&self.view)
    }

    fn read(&self, slot: Slot) -> Value {
        if Self::is_around(slot) { self.around.read(slot) } else { self.view.read(slot) }
    }

    fn read_ref(&self, slot: Slot) -> Option<&Value> {
        if Self::is_around(slot) { None } else { self.view.read_ref(slot) }
    }
}
