//! Answers the names and calls of formulas for all designs of a box.

use std::sync::Arc;

use crate::formula::{Host, LeverBox, NumberRange, RangeHost, RangeKind, RangeValue, Record, Slot, Value};
use crate::ruleset::{Call, CallKind, FieldKind, FitFilter, ItWord, Symbol, TableKind};

use super::box_model::{BoxModel, BoxState};
use super::state::{ItTarget, StateView};

pub(super) struct BoxView<'b> {
    model: &'b BoxModel<'b>,
    state: &'b BoxState,
    of: ItTarget,
}

impl<'b> BoxView<'b> {
    pub(super) fn new<'a: 'b>(model: &'b BoxModel<'a>, state: &'b BoxState, of: ItTarget) -> Self {
        Self { model, state, of }
    }

    /// The design itself: for what does not hang on a lever.
    fn view(&self) -> StateView<'_> {
        StateView::new(self.model.rules, &self.model.state, self.model.ship, self.of, &self.state.work)
    }

    fn count(&self, fit: usize) -> NumberRange {
        match &self.state.counts[fit] {
            Some(range) => range.clone(),
            None => NumberRange::exact(self.model.state.fits[fit].count),
        }
    }

    fn answer(&self, fit: usize, attribute: usize) -> RangeValue {
        let place = fit * self.model.rules.symbols.attributes.len() + attribute;
        match self.state.answers.get(place) {
            Some(Some(range)) => range.clone(),
            _ => self.model.state.answers.get(place).map_or_else(RangeValue::null, RangeValue::exact),
        }
    }

    fn sum(&self, numbers: impl Iterator<Item = RangeValue>) -> RangeValue {
        let mut total = NumberRange::exact(0);
        let mut may_be_null = false;
        for value in numbers {
            may_be_null |= value.may_be_null;
            let sum = match value.numbers() {
                Some(range) => total.plus(&range, 1.0, self.levers()),
                None => return RangeValue::null(),
            };
            may_be_null |= sum.may_fail || value.kind == RangeKind::Any;
            match sum.range {
                Some(range) => total = range,
                None => return RangeValue::null(),
            }
        }
        RangeValue::number(total).or_null(may_be_null)
    }

    /// An attribute of all of a fit, as `it.whole` reads it.
    fn whole(&self, fit: usize, attribute: usize) -> RangeValue {
        let base = self.model.state.fits[fit].base;
        let per_fit =
            self.model.rules.systems[base].parameters.iter().any(|known| known.attribute == attribute && known.per_fit);
        let count = self.count(fit);
        let count = match (per_fit, count.low, count.high) {
            (false, ..) => count,
            (true, 1.., _) => NumberRange::exact(1),
            (true, _, ..=0) => NumberRange::exact(0),
            (true, ..) => NumberRange::between(0, 1),
        };
        let answer = self.answer(fit, attribute);
        let Some(each) = answer.numbers() else { return RangeValue::null() };
        let product = each.times(&count, self.levers());
        let may_be_null = answer.may_be_null || answer.kind == RangeKind::Any || product.may_fail;
        product.range.map_or_else(RangeValue::null, RangeValue::number).or_null(may_be_null)
    }

    fn fits_of(&self, system: usize) -> impl Iterator<Item = usize> + '_ {
        let fits = self.model.state.fits.iter().enumerate();
        fits.filter(move |(_, fit)| fit.system == system).map(|(n, _)| n)
    }

    fn it_count(&self) -> RangeValue {
        let fits = self.model.state.fits.iter().enumerate();
        match self.of {
            ItTarget::Fit(fit) => RangeValue::number(self.count(fit)),
            ItTarget::System(system) => self.sum(self.fits_of(system).map(|fit| RangeValue::number(self.count(fit)))),
            ItTarget::Mount(mount) => {
                let there = fits.filter(|(_, fit)| fit.mount == Some(mount));
                self.sum(there.map(|(fit, _)| RangeValue::number(self.count(fit))))
            }
            _ => RangeValue::null(),
        }
    }

    fn option(&self, field: usize, attribute: usize) -> RangeValue {
        let (Some(places), FieldKind::Choice(choice)) =
            (&self.state.options[field], &self.model.rules.fields[field].kind)
        else {
            return RangeValue::any();
        };
        let each =
            places.iter().filter_map(|place| choice.options.get(*place)).map(|option| match attribute.checked_sub(1) {
                None => RangeValue::exact(&Value::Text(option.label.clone())),
                Some(attribute) => option.values.get(attribute).map_or_else(RangeValue::null, RangeValue::exact),
            });
        each.reduce(RangeValue::hull).unwrap_or_else(RangeValue::null)
    }

    /// The fits that a call asks about, and whether arguments name them exactly.
    fn asked(&self, call: &Call, arguments: &[RangeValue]) -> Option<Vec<usize>> {
        let uses_arguments =
            [&call.system, &call.mount, &call.tag].iter().any(|filter| matches!(filter, FitFilter::Argument(_)));
        let exact: Option<Vec<Value>> = arguments.iter().map(RangeValue::as_exact).collect();
        let exact = match exact {
            Some(exact) => exact,
            None if uses_arguments => return None,
            None => Vec::new(),
        };
        let view = self.view();
        let fits = self.model.state.fits.iter().enumerate();
        Some(fits.filter(|(_, fit)| view.matches_call(fit, call, &exact)).map(|(n, _)| n).collect())
    }

    /// Rows of a table whose key may be these.
    fn row(&self, table: usize, arguments: &[RangeValue]) -> RangeValue {
        let TableKind::Rows { rows, key, .. } = &self.model.rules.tables[table].kind else { return RangeValue::null() };
        self.state.work.spend(rows.len().saturating_mul(3));
        let meant = rows.iter().filter(|row| {
            let cells = key.iter().filter_map(|column| row.entries.get(*column));
            cells.zip(arguments).all(|((_, cell), wanted)| wanted.contains(cell))
        });
        rows_hull(meant.map(|row| Value::Record(row.clone())))
    }

    fn step(&self, table: usize, column: usize, reach: &RangeValue) -> RangeValue {
        let TableKind::Rows { rows, .. } = &self.model.rules.tables[table].kind else { return RangeValue::null() };
        let Some(reach) = reach.numbers() else { return RangeValue::null() };
        self.state.work.spend(rows.len().saturating_mul(3));
        let up_to = |row: &Arc<Record>| match row.entries.get(column) {
            Some((_, Value::Int(up_to))) => Some(*up_to),
            _ => None,
        };
        let last = rows.iter().filter_map(up_to).filter(|number| *number >= reach.high).min();
        let is_meant = |number: i64| number >= reach.low && last.is_none_or(|last| number <= last);
        let meant = rows.iter().filter(|row| up_to(row).is_some_and(is_meant));
        rows_hull(meant.map(|row| Value::Record(row.clone()))).or_null(last.is_none())
    }
}

/// One of these rows, or none.
fn rows_hull(rows: impl Iterator<Item = Value>) -> RangeValue {
    const MAX_ROWS: usize = 200;
    let rows: Vec<Value> = rows.take(MAX_ROWS + 1).collect();
    if rows.len() > MAX_ROWS {
        return RangeValue::any();
    }
    let hull = rows.iter().map(RangeValue::exact).reduce(RangeValue::hull);
    hull.unwrap_or_else(RangeValue::null).or_null(true)
}

impl RangeHost for BoxView<'_> {
    fn levers(&self) -> &LeverBox {
        &self.state.levers
    }

    fn record_work(&self, units: usize) {
        self.state.work.spend(units);
    }

    fn read(&self, slot: Slot) -> RangeValue {
        let symbol = Symbol::from_slot(slot);
        if !self.model.slot_hangs(symbol, self.of) {
            let view = self.view();
            return match view.read_ref(slot) {
                Some(value) => RangeValue::exact(value),
                None => RangeValue::exact(&view.read(slot)),
            };
        }
        let known = |range: &Option<RangeValue>| range.clone().unwrap_or_else(RangeValue::any);
        match symbol {
            Symbol::Field(n) => known(&self.state.fields[n]),
            Symbol::FieldOption(field, attribute) => self.option(field, attribute),
            Symbol::Value(n) => known(&self.state.values[n]),
            Symbol::It(ItWord::Count) => self.it_count(),
            Symbol::Attribute(attribute) => match self.of {
                ItTarget::Fit(fit) => self.answer(fit, attribute),
                ItTarget::System(system) => {
                    self.fits_of(system).next().map_or_else(RangeValue::null, |fit| self.answer(fit, attribute))
                }
                _ => RangeValue::null(),
            },
            Symbol::Whole(attribute) => match self.of {
                ItTarget::Fit(fit) => self.whole(fit, attribute),
                ItTarget::System(system) => self.sum(self.fits_of(system).map(|fit| self.whole(fit, attribute))),
                _ => RangeValue::null(),
            },
            _ => RangeValue::any(),
        }
    }

    fn call(&self, number: u32, arguments: &[RangeValue]) -> RangeValue {
        let Some(call) = self.model.rules.symbols.calls.get(number) else { return RangeValue::null() };
        let may_be_null = arguments.iter().any(|argument| argument.may_be_null);
        let exact: Option<Vec<Value>> = arguments.iter().map(RangeValue::as_exact).collect();
        if let Some(exact) = exact
            && !self.model.call_hangs(number)
        {
            return match self.view().call(number, &exact) {
                Ok(value) => RangeValue::exact(&value),
                Err(_) => RangeValue::any(),
            };
        }
        let value = match call.kind {
            CallKind::Count => match self.asked(call, arguments) {
                Some(fits) => self.sum(fits.into_iter().map(|fit| RangeValue::number(self.count(fit)))),
                None => RangeValue::any(),
            },
            CallKind::Total(attribute) => match self.asked(call, arguments) {
                Some(fits) => {
                    let view = self.view();
                    let fits = fits.into_iter().filter(|fit| view.matches_fit_answer(*fit, attribute));
                    self.sum(fits.map(|fit| self.whole(fit, attribute)))
                }
                None => RangeValue::any(),
            },
            CallKind::Fitted
            | CallKind::Systems
            | CallKind::Cells(..)
            | CallKind::Within(..)
            | CallKind::Kind(_)
            | CallKind::Removed { .. } => RangeValue::any(),
            CallKind::Row(table) => self.row(table, arguments),
            CallKind::Step(table, column) => match arguments.first() {
                Some(reach) => self.step(table, column, reach),
                None => RangeValue::null(),
            },
        };
        value.or_null(may_be_null)
    }
}
