//! Why an attack is left aside: takes a firing, gives the fault of what it would roll, or the row that a layer took from it.

use std::cell::RefCell;

use moldloft_rules::formula::{ChanceBudget, Formula, FormulaError, FormulaErrorKind, Host, Slot, Value};
use moldloft_rules::ruleset::{Attack, Ruleset, Step, TARGET};

use super::program::{Firing, FixedNames, FixedStep, bears, fix_formula, fix_steps, fixed_when};

/// The formulas by which an attack hurts.
pub(super) fn formulas(attack: &Attack) -> Vec<&Formula> {
    attack.when.iter().chain(attack.steps.iter().flat_map(Step::formulas)).collect()
}

/// Whether a layer removed rows of what an attack looks up.
pub(super) fn has_lost_rows(rules: &Ruleset, attack: &Attack) -> bool {
    formulas(attack).into_iter().any(|formula| !rules.removed_rows(formula.at).is_empty())
}

/// Notes the first row that is looked up and that a layer removed.
struct LostRowHost<'h> {
    host: &'h dyn Host,
    rules: &'h Ruleset,
    lost: RefCell<Option<String>>,
}

impl Host for LostRowHost<'_> {
    fn around(&self) -> Option<&dyn Host> {
        Some(self.host)
    }

    fn read_ref(&self, slot: Slot) -> Option<&Value> {
        self.host.read_ref(slot)
    }

    fn call(&self, call: u32, arguments: &[Value]) -> Result<Value, String> {
        let answer = self.host.call(call, arguments);
        let mut lost = self.lost.borrow_mut();
        if lost.is_none() && matches!(answer, Ok(Value::Null)) {
            *lost = self.rules.lost_row(call & !TARGET, arguments);
        }
        answer
    }
}

/// Why it cannot fire: a text of the design is to be rolled, but names no dice; it cannot be known how often it fires; or
/// the row that it hits by is gone.
pub(super) fn unrollable(firing: &Firing<'_>) -> Option<FormulaError> {
    if let Some(rules) = firing.lossy {
        let host = LostRowHost { host: firing.host, rules, lost: RefCell::default() };
        if is_unanswered(&Firing { host: &host, ..*firing })
            && let Some(lost) = host.lost.take()
        {
            return Some(FormulaError::new("no-answer", lost, firing.attack.at));
        }
    }
    if firing.pace.is_none() {
        let message = "cannot compute how often it fires: `every` must be 1 or more, `uses` 0 or more";
        return Some(FormulaError::new("no-answer", message, firing.attack.at));
    }
    let formulas = firing.attack.steps.iter().flat_map(Step::formulas).filter(|formula| formula.rolls_text());
    let mut errors = formulas.filter_map(|formula| {
        let fixed = fix_formula(formula, firing.host);
        let is_closed = fixed.reads().next().is_none();
        if is_closed { fixed.spread::<f64>(firing.host, &ChanceBudget::default()).err() } else { None }
    });
    errors.find(|error| error.kind == Some(FormulaErrorKind::NotDice))
}

/// Whether it is known before anything is rolled that a formula of the attack gives nothing.
fn is_unanswered(firing: &Firing<'_>) -> bool {
    fn is_null(formula: &Formula) -> bool {
        matches!(formula.as_constant(), Some(Value::Null))
    }
    fn has_null(step: &FixedStep) -> bool {
        let own = step.when.iter().chain(&step.repeat).chain(step.assignments.iter().map(|(_, formula)| formula));
        own.into_iter().any(is_null) || step.each.iter().any(has_null)
    }
    if fixed_when(firing).as_ref().is_some_and(is_null) {
        return true;
    }
    bears(firing) && fix_steps(&firing.attack.steps, firing.host, &mut FixedNames::default()).iter().any(has_null)
}
