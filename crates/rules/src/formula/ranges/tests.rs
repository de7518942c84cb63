//! What a formula gives for any point of a box is within its range and its sum of levers, and bounds hold where its condition does.

use std::cell::RefCell;

use proptest::prelude::*;

use super::*;
use crate::formula::{Host, ResolvedName, Scope, Slot, UnknownName, Value};
use moldloft_base::source::Span;

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

struct Levers {
    within: Vec<(i64, i64)>,
    point: RefCell<Vec<i64>>,
}

impl Scope for Levers {
    fn resolve(&self, path: &[&str]) -> Result<ResolvedName, UnknownName> {
        match NAMES.iter().position(|name| *name == path[0]) {
            Some(slot) => Ok(ResolvedName { word_count: 1, slot: slot as u32, ty: Type::Int }),
            None => Err(UnknownName { word_index: 0, help: None }),
        }
    }
}

impl Host for Levers {
    fn read(&self, slot: Slot) -> Value {
        self.point.borrow().get(slot as usize).map_or(Value::Null, |number| Value::Int(*number))
    }
}

impl RangeHost for Levers {
    fn read(&self, slot: Slot) -> RangeValue {
        RangeValue::number(NumberRange::lever(slot as u16, self.within[slot as usize]))
    }

    fn call(&self, _: u32, _: &[RangeValue]) -> RangeValue {
        RangeValue::any()
    }

    fn levers(&self) -> &LeverBox {
        &self.within
    }
}

fn numbers() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => prop::sample::select(NAMES.to_vec()).prop_map(str::to_owned),
        2 => (-9_i64..40).prop_map(|number| format!("({number})")),
        1 => Just("1000000".to_owned()),
    ];
    leaf.prop_recursive(5, 48, 4, |inner| {
        let two = (inner.clone(), inner.clone());
        let condition = (inner.clone(), prop::sample::select(vec!["<", "<=", ">", ">=", "==", "!="]), inner.clone());
        prop_oneof![
            (two.clone(), prop::sample::select(vec!["+", "-", "*", "//", "%"]))
                .prop_map(|((a, b), op)| format!("({a} {op} {b})")),
            (two.clone(), prop::sample::select(vec!["max", "min", "ceil_div", "round_div"]))
                .prop_map(|((a, b), name)| format!("{name}({a}, {b})")),
            inner.clone().prop_map(|a| format!("abs({a})")),
            inner.clone().prop_map(|a| format!("(-{a})")),
            (inner.clone(), inner.clone(), inner.clone()).prop_map(|(a, b, c)| format!("clamp({a}, {b}, {c})")),
            (two.clone(), prop::sample::select(vec!["nearest", "up", "down"]))
                .prop_map(|((a, b), how)| format!("rounded('{how}', {a}, {b})")),
            (two.clone(), inner.clone()).prop_map(|((a, b), c)| format!("sum([{a}, {b}, {c}])")),
            (two.clone(), inner.clone()).prop_map(|((a, b), c)| format!("[{a}, {b}, 7][{c} % 3]")),
            (two.clone(), inner.clone()).prop_map(|((a, b), c)| format!("max([{a}, {b}, {c}])")),
            (condition, two).prop_map(|((a, op, b), (c, d))| format!("({c} if {a} {op} {b} else {d})")),
        ]
    })
}

fn conditions() -> impl Strategy<Value = String> {
    let one = (numbers(), prop::sample::select(vec!["<", "<=", ">", ">=", "==", "!="]), numbers());
    let leaf = one.prop_map(|(a, op, b)| format!("{a} {op} {b}"));
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(({a}) and ({b}))")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(({a}) or ({b}))")),
            inner.clone().prop_map(|a| format!("(not ({a}))")),
            (inner.clone(), numbers()).prop_map(|(a, b)| format!("(({a}) and {b})")),
            (numbers(), numbers()).prop_map(|(a, b)| format!("({a} in [{b}, 3, 4])")),
        ]
    })
}

fn boxes() -> impl Strategy<Value = Vec<(i64, i64)>> {
    prop::collection::vec((-20_i64..60, 0_i64..30).prop_map(|(low, width)| (low, low + width)), 4)
}

fn point(within: &[(i64, i64)], at: &[u32]) -> Vec<i64> {
    within.iter().zip(at).map(|((low, high), at)| low + i64::from(*at) % (high - low + 1)).collect()
}

fn places() -> impl Strategy<Value = Vec<Vec<u32>>> {
    prop::collection::vec(prop::collection::vec(any::<u32>(), 4), 24)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn numbers_are_within_their_ranges(text in numbers(), within in boxes(), places in places()) {
        let host = Levers { within: within.clone(), point: RefCell::default() };
        if let Ok(formula) = Formula::compile(&text, Span::from(0..text.len()), &host, &Type::Int) {
            let range = formula.ranges(&host);
            for at in places {
                let point = point(&within, &at);
                *host.point.borrow_mut() = point.clone();
                let value = formula.eval(&host).unwrap_or(Value::Null);
                prop_assert!(range.contains(&value), "{text} = {value:?} at {point:?}, not in {range:?}");
                if let Value::Int(number) = value {
                    prop_assert!(range.sum_allows(number, &point), "{text} = {number} at {point:?}, not allowed by {range:?}");
                }
            }
        }
    }

    #[test]
    fn conditions_are_as_their_truth_and_bounds_say(text in conditions(), within in boxes(), places in places()) {
        let host = Levers { within: within.clone(), point: RefCell::default() };
        if let Ok(formula) = Formula::compile(&text, Span::from(0..text.len()), &host, &Type::Flag) {
            let truth = formula.truth(&host);
            let (mut met, mut missed) = (Vec::new(), Vec::new());
            formula.bounds(&host, true, &mut met);
            formula.bounds(&host, false, &mut missed);
            for at in places {
                let point = point(&within, &at);
                *host.point.borrow_mut() = point.clone();
                let flag = formula.flag(&host).unwrap_or(None);
                let allowed = match flag {
                    Some(true) => truth.may_be_true,
                    Some(false) => truth.may_be_false,
                    None => truth.may_be_null,
                };
                prop_assert!(allowed, "{text} is {flag:?} at {point:?}, not in {truth:?}");
                let bounds = match flag {
                    Some(true) => &met,
                    Some(false) => &missed,
                    None => continue,
                };
                for bound in bounds {
                    prop_assert!(bound.allows(&point), "{text} is {flag:?} at {point:?} against {bound:?}");
                }
            }
        }
    }
}

#[test]
fn levers_that_cancel_out_are_known_exactly() {
    let host = Levers { within: vec![(0, 50), (0, 50), (0, 9), (0, 9)], point: RefCell::default() };
    let range = |text: &str| {
        let formula = Formula::compile(text, Span::from(0..text.len()), &host, &Type::Int).unwrap();
        let range = formula.ranges(&host).numbers().unwrap();
        (range.low, range.high)
    };
    assert_eq!(range("3 * a - b - 2 * a + b - a"), (0, 0));
    assert_eq!(range("(a + b) // 2"), (0, 50));
    assert_eq!(range("a * c"), (0, 450));
    assert_eq!(range("max(a, 60) + min(b, -1)"), (59, 59));
    assert_eq!(range("(10 * a + c) // 10 - a"), (0, 0));
}
