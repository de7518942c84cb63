//! Properties of random formulas: printing and parsing agree, arithmetic agrees with a simple evaluator, nothing
//! panics.

use proptest::prelude::*;

use super::parse::parse;
use super::print::print;
use super::syntax::{ArgumentExpr, CompareOp, Expr, ExprKind, Ident, ProductOp, SumOp};
use super::*;

const NAMES: [&str; 6] = ["a", "b", "c", "it.count", "flag", "list"];

fn test_host(a: i64, b: i64, c: i64) -> TestHost {
    TestHost::default().int("a", a).int("b", b).int("c", c).int("it.count", 3).flag("flag", a > b).name(
        "list",
        Type::list_of(Type::Int),
        ints(&[a, b, c]),
    )
}

fn word(text: &str) -> Ident {
    Ident { text: text.into(), span: 0..0 }
}

fn path(text: &str) -> Expr {
    Expr::new(ExprKind::Path(text.split('.').map(word).collect()), 0..0)
}

fn new(kind: ExprKind) -> Expr {
    Expr::new(kind, 0..0)
}

fn any_tree() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        (0..=limits::MAX_NUMBER).prop_map(|number| new(ExprKind::Int(number))),
        "[ -~àλ☃\n]{0,6}".prop_map(|text| new(ExprKind::Text(text.into()))),
        any::<bool>().prop_map(|flag| new(ExprKind::Flag(flag))),
        proptest::sample::select(&NAMES[..]).prop_map(path),
    ];
    leaf.prop_recursive(5, 40, 4, |inner| {
        let more = |inner: &BoxedStrategy<Expr>| proptest::collection::vec(inner.clone(), 1..4);
        let inner = inner.boxed();
        let plus = prop_oneof![Just(SumOp::Add), Just(SumOp::Subtract)];
        let times = prop_oneof![Just(ProductOp::Multiply), Just(ProductOp::FloorDivide), Just(ProductOp::Remainder)];
        let relation = proptest::sample::select(vec![
            CompareOp::Equal,
            CompareOp::NotEqual,
            CompareOp::Less,
            CompareOp::LessEqual,
            CompareOp::Greater,
            CompareOp::GreaterEqual,
            CompareOp::In,
            CompareOp::NotIn,
        ]);
        prop_oneof![
            inner.clone().prop_map(|item| new(ExprKind::Negate(Box::new(item)))),
            inner.clone().prop_map(|item| new(ExprKind::Not(Box::new(item)))),
            (inner.clone(), proptest::collection::vec((plus, inner.clone()), 1..3))
                .prop_map(|(first, rest)| Expr::sum(first, rest, 0..0)),
            (inner.clone(), proptest::collection::vec((times, inner.clone()), 1..3))
                .prop_map(|(first, rest)| Expr::product(first, rest, 0..0)),
            (inner.clone(), proptest::collection::vec((relation, inner.clone()), 1..3))
                .prop_map(|(first, rest)| new(ExprKind::Compare(Box::new(first), rest))),
            more(&inner).prop_map(|items| Expr::and(items, 0..0)),
            more(&inner).prop_map(|items| Expr::or(items, 0..0)),
            [inner.clone(), inner.clone(), inner.clone()].prop_map(|parts| new(ExprKind::If(Box::new(parts)))),
            proptest::collection::vec(inner.clone(), 0..4).prop_map(|items| new(ExprKind::List(items))),
            (inner.clone(), inner.clone())
                .prop_map(|(list, index)| new(ExprKind::Index(Box::new(list), Box::new(index)))),
            inner.clone().prop_map(|item| Expr::field(item, word("name"), 0..0)),
            (more(&inner), inner).prop_map(|(items, last)| {
                let mut given: Vec<ArgumentExpr> =
                    items.into_iter().map(|value| ArgumentExpr { name: None, value }).collect();
                given.push(ArgumentExpr { name: Some(word("key")), value: last });
                new(ExprKind::Call(word("call"), given))
            }),
        ]
    })
}

/// Comparisons of names, words and numbers, put together.
fn condition_tree() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        (0..9_i64).prop_map(|number| new(ExprKind::Int(number))),
        proptest::sample::select(&["a", "word"][..]).prop_map(|text| new(ExprKind::Text(text.into()))),
        proptest::sample::select(&["a", "b", "word", "flag", "list", "it.count"][..]).prop_map(path),
    ];
    let list = proptest::collection::vec(leaf.clone(), 1..3).prop_map(|items| new(ExprKind::List(items)));
    let relation =
        proptest::sample::select(vec![CompareOp::Equal, CompareOp::NotEqual, CompareOp::Less, CompareOp::In]);
    let compare = (leaf.clone(), relation, prop_oneof![3 => leaf, 1 => list])
        .prop_map(|(a, relation, b)| new(ExprKind::Compare(Box::new(a), vec![(relation, b)])));
    compare.prop_recursive(3, 12, 3, |inner| {
        let some = proptest::collection::vec(inner.clone(), 1..3);
        prop_oneof![
            inner.prop_map(|item| new(ExprKind::Not(Box::new(item)))),
            some.clone().prop_map(|items| Expr::and(items, 0..0)),
            some.prop_map(|items| Expr::or(items, 0..0)),
        ]
    })
}

fn number_tree() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        (0..200_i64).prop_map(|number| new(ExprKind::Int(number))),
        (0..limits::MAX_NUMBER).prop_map(|number| new(ExprKind::Int(number))),
        proptest::sample::select(&NAMES[..4]).prop_map(path),
    ];
    leaf.prop_recursive(5, 30, 3, |inner| {
        let plus = prop_oneof![Just(SumOp::Add), Just(SumOp::Subtract)];
        let times = prop_oneof![Just(ProductOp::Multiply), Just(ProductOp::FloorDivide), Just(ProductOp::Remainder)];
        let relation = proptest::sample::select(vec![
            CompareOp::Equal,
            CompareOp::NotEqual,
            CompareOp::Less,
            CompareOp::GreaterEqual,
        ]);
        let condition = (inner.clone(), relation, inner.clone(), any::<bool>()).prop_map(|(a, relation, b, not)| {
            let compare = new(ExprKind::Compare(Box::new(a), vec![(relation, b)]));
            if not { new(ExprKind::Not(Box::new(compare))) } else { compare }
        });
        let pair = |name: &'static str, inner: BoxedStrategy<Expr>| {
            (inner.clone(), inner).prop_map(move |(a, b)| {
                let given = [a, b].into_iter().map(|value| ArgumentExpr { name: None, value }).collect();
                new(ExprKind::Call(word(name), given))
            })
        };
        let inner = inner.boxed();
        prop_oneof![
            inner.clone().prop_map(|item| new(ExprKind::Negate(Box::new(item)))),
            (inner.clone(), proptest::collection::vec((plus, inner.clone()), 1..3))
                .prop_map(|(first, rest)| Expr::sum(first, rest, 0..0)),
            (inner.clone(), proptest::collection::vec((times, inner.clone()), 1..3))
                .prop_map(|(first, rest)| Expr::product(first, rest, 0..0)),
            (inner.clone(), condition, inner.clone())
                .prop_map(|(then, condition, other)| new(ExprKind::If(Box::new([then, condition, other])))),
            pair("ceil_div", inner.clone()),
            pair("round_div", inner.clone()),
            pair("min", inner.clone()),
            pair("max", inner),
        ]
    })
}

/// The plain reckoner: whole numbers of 128 bits, halves and floors by definition; `None` when there is no answer.
fn evaluate_plainly(expr: &Expr, names: &[(&str, i128)]) -> Option<i128> {
    let within = |number: i128| (number.abs() <= i128::from(limits::MAX_NUMBER)).then_some(number);
    let floor = |a: i128, b: i128| {
        if b == 0 { None } else { Some(a.div_euclid(b) - i128::from(b < 0 && a.rem_euclid(b) != 0)) }
    };
    match &expr.kind {
        ExprKind::Int(number) => Some(i128::from(*number)),
        ExprKind::Path(words) => {
            let name = words.iter().map(|word| &*word.text).collect::<Vec<_>>().join(".");
            names.iter().find(|(known, _)| *known == name).map(|(_, number)| *number)
        }
        ExprKind::Negate(inner) => within(-evaluate_plainly(inner, names)?),
        ExprKind::Sum(first, rest) => rest.iter().try_fold(evaluate_plainly(first, names)?, |total, (sign, item)| {
            let item = evaluate_plainly(item, names)?;
            within(if *sign == SumOp::Add { total + item } else { total - item })
        }),
        ExprKind::Product(first, rest) => {
            rest.iter().try_fold(evaluate_plainly(first, names)?, |total, (sign, item)| {
                let item = evaluate_plainly(item, names)?;
                within(match sign {
                    ProductOp::Multiply => total * item,
                    ProductOp::FloorDivide => floor(total, item)?,
                    ProductOp::Remainder => total - floor(total, item)? * item,
                })
            })
        }
        ExprKind::If(parts) => evaluate_plainly(if holds(&parts[1], names)? { &parts[0] } else { &parts[2] }, names),
        ExprKind::Call(function, given) => {
            let [a, b] = [evaluate_plainly(&given[0].value, names)?, evaluate_plainly(&given[1].value, names)?];
            within(match &*function.text {
                "min" => a.min(b),
                "max" => a.max(b),
                "ceil_div" => -floor(-a, b)?,
                _ => floor(2 * a + b, 2 * b)?,
            })
        }
        other => panic!("{other:?} is no number"),
    }
}

fn holds(expr: &Expr, names: &[(&str, i128)]) -> Option<bool> {
    match &expr.kind {
        ExprKind::Not(inner) => Some(!holds(inner, names)?),
        ExprKind::Compare(a, rest) => {
            let (a, b) = (evaluate_plainly(a, names)?, evaluate_plainly(&rest[0].1, names)?);
            Some(match rest[0].0 {
                CompareOp::Equal => a == b,
                CompareOp::NotEqual => a != b,
                CompareOp::Less => a < b,
                _ => a >= b,
            })
        }
        other => panic!("{other:?} is no condition"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_parses_to_the_same(tree in any_tree()) {
        let text = print(&tree);
        let again = parse(&text, whole_span(&text));
        prop_assert_eq!(again.as_ref().map(print), Ok(text.clone()));
        prop_assert_eq!(again, Ok(tree), "{}", text);
    }

    #[test]
    fn arithmetic_agrees_with_a_plain_reckoner(tree in number_tree(), a in -50_i64..50, b in -50_i64..50, c in -limits::MAX_NUMBER..=limits::MAX_NUMBER) {
        let host = test_host(a, b, c);
        let text = print(&tree);
        let names = [("a", i128::from(a)), ("b", i128::from(b)), ("c", i128::from(c)), ("it.count", 3)];
        let expected = evaluate_plainly(&tree, &names);
        match host.compile(&text, &Type::Int) {
            Ok(formula) => {
                let found = formula.int(&host).ok().flatten().map(i128::from);
                prop_assert_eq!(found, expected, "{}", &text);
                let trace = formula.trace(&host);
                prop_assert_eq!(trace.result, expected.map_or("?".to_owned(), |number| number.to_string()));
                // The traced numbers are a formula with the same result.
                if let (Some(expected), false) = (expected, trace.numbers.contains('?')) {
                    let again = host.compile(&trace.numbers, &Type::Int).and_then(|formula| formula.int(&host));
                    prop_assert_eq!(again, Ok(i64::try_from(expected).ok()), "{} of {}", trace.numbers, text);
                }
                let slots: Vec<Slot> = formula.reads().take(1).collect();
                prop_assert_eq!(formula.specialize(&host, &slots).int(&host).ok(), formula.int(&host).ok());
            }
            // A part that always fails is refused, though an untaken branch may have hidden it.
            Err(error) => prop_assert!(["division-by-zero", "overflow"].contains(&error.code), "{}: {:?}", text, error),
        }
    }

    #[test]
    fn any_tree_compiles_or_says_why(tree in any_tree(), a in -9_i64..9) {
        let host = test_host(a, 2, 3).function("call", Type::Any, Value::Null);
        let text = print(&tree);
        if let Ok(formula) = host.compile(&text, &Type::Any) {
            if let Ok(value) = formula.eval(&host) {
                prop_assert!(check::conform(&value, &formula.ty), "{}: {:?} is no {:?}", text, value, formula.ty);
            }
            prop_assert!(!formula.never_fails() || formula.eval(&host).is_ok(), "{}", text);
            let _ = formula.trace(&host);
        }
    }

    #[test]
    fn what_never_fails_gives_a_value(tree in condition_tree(), a in -9_i64..9, b in -limits::MAX_NUMBER..=limits::MAX_NUMBER) {
        let text = print(&tree);
        for word in [Value::text("a"), Value::text(&"long ".repeat(50)), Value::Null] {
            let host = test_host(a, b, 3).name("word", Type::Text(None), word);
            if let Ok(formula) = host.compile(&text, &Type::Flag) {
                prop_assert!(!formula.never_fails() || formula.eval(&host).is_ok(), "{}", text);
            }
        }
    }

    #[test]
    fn no_text_is_too_strange(text in "\\PC{0,60}", tokens in proptest::collection::vec(proptest::sample::select(&[
        "(", ")", "[", "]", "{{", "}}", "'", "\"", "\\", "+", "-", "*", "//", "%", "==", "<", "=", ",", ".", "if", "else", "not", "in", "and", "a", "b",
        "list", "flag", "it.count", "max", "where", "repeat", "range", "9", "0", "é", "☃", "\n", " ",
    ][..]), 0..25)) {
        let host = test_host(1, 2, 3);
        for text in [text, tokens.concat(), tokens.join(" ")] {
            for found in [host.compile(&text, &Type::Flag).map(|formula| drop(formula.eval(&host))), TextTemplate::compile(&text, whole_span(&text), &host).map(|text| drop(text.eval(&host)))] {
                if let Err(error) = found {
                    let (start, end) = (error.span.start as usize, error.span.end as usize);
                    prop_assert!(text.get(start..end).is_some(), "{:?} of {:?}", error, text);
                }
            }
        }
    }
}
