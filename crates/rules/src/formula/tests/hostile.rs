//! Tests that hostile text ends in an error or a result with little work and memory. Work is counted rather than timed,
//! so that a slow machine passes too.

use super::limits::{MAX_FORMULA_BYTES, MAX_TEXT_CHARS, MAX_WORK};
use super::*;

fn error_code(host: &TestHost, source: &str) -> &'static str {
    host.eval(source).map_or_else(|error| error.code, |_| "fine")
}

struct CountingHost<'d>(&'d TestHost, std::cell::Cell<u32>);

impl Host for CountingHost<'_> {
    fn around(&self) -> Option<&dyn Host> {
        Some(self.0)
    }
    fn reserve_cells(&self, cells: u32) -> bool {
        self.1.set(self.1.get() + cells);
        true
    }
}

#[test]
fn nesting_without_end_is_refused() {
    let host = TestHost::default().int("x", 1);
    for (open, inner, close) in [
        ("(", "1", ")"),
        ("[", "1", "]"),
        ("-", "1", ""),
        ("not ", "true", ""),
        ("1 if true else ", "1", ""),
        ("abs(", "1", ")"),
        ("[1][", "0", "]"),
        ("[", "", ""),
        ("(", "", ""),
        ("(1 + ", "x", ")"),
        ("true and (", "x", ")"),
    ] {
        for times in [200, 700] {
            let source = format!("{}{inner}{}", open.repeat(times), close.repeat(times));
            if source.len() <= MAX_FORMULA_BYTES {
                let found = host.compile(&source, &Type::Any).unwrap_err();
                assert_eq!(found.code, "too-deep", "{open} {times}: {found:?}");
            }
        }
        for times in 1..70 {
            let source = format!("{}{inner}{}", open.repeat(times), close.repeat(times));
            let _ = host.eval(&source);
            let _ = host.compile(&source, &Type::Any).map(|formula| formula.trace(&host));
        }
    }
    assert_eq!(error_code(&host, &format!("x{}", "[0]".repeat(1300))), "too-deep");
    assert_eq!(error_code(&host, &format!("[1][0]{}", ".x".repeat(1300))), "too-deep");
    assert_eq!(error_code(&host, &format!("x{}", ".x".repeat(1300))), "too-deep");
}

#[test]
fn chains_are_long_but_flat() {
    let host = TestHost::default().int("x", 1);
    for (link, last) in [("x + ", "x"), ("x * ", "x"), ("x and ", "x"), ("x or ", "x"), ("x < ", "x"), ("x, ", "x]")] {
        let times = (MAX_FORMULA_BYTES - 10) / link.len();
        let source = format!("{}{}{last}", if link == "x, " { "[" } else { "" }, link.repeat(times));
        let formula = host.compile(&source, &Type::Any).unwrap();
        assert!(formula.eval(&host).is_ok());
        let _ = formula.trace(&host);
    }
    let long = "x + ".repeat(2000) + "x";
    assert_eq!(error_code(&host, &long), "too-long");
    assert_eq!(TextTemplate::compile(&"x".repeat(20_000), Span::default(), &host).unwrap_err().code, "too-long");
}

#[test]
fn lists_are_counted_before_they_are_made() {
    let host = TestHost::default().int("n", 100_000).int("huge", 1_000_000_000_000_000);
    for (source, expected) in [
        ("range(n)", "fine"),
        ("range(n + 1)", "too-long"),
        ("range(huge)", "too-long"),
        ("range(-huge, huge)", "too-long"),
        ("repeat(0, huge)", "too-long"),
        ("repeat(repeat(repeat(0, n), n), n)", "too-large"),
        ("repeat(repeat(0, n), n) == repeat(repeat(0, n), n)", "too-large"),
        ("range(n) + range(n)", "too-long"),
        ("[range(n), range(n), range(n), range(n), range(n), range(n)]", "too-large"),
        (
            "length(range(n)) + length(range(n)) + length(range(n)) + length(range(n)) + length(range(n)) + length(range(n))",
            "too-large",
        ),
        ("split_rows(huge, n)", "fine"),
        ("split_rows(huge, huge)", "too-long"),
        ("spread(n, 'a', huge, 'b', huge)", "fine"),
        ("spread(huge, 'a', 1)", "too-long"),
        ("sort(range(n))", "fine"),
        ("rising(range(n))", "fine"),
        ("range(n) in [range(n), 1]", "fine"),
        ("join(range(n), ', ')", "too-long"),
        ("join(repeat('', n), 'x')", "too-long"),
        ("length(join(repeat('', n), ''))", "fine"),
        ("sort(repeat(join(repeat('ab', 5000), ''), n))", "too-large"),
        ("covers(range(n), 1, huge)", "wrong-type"),
    ] {
        assert_eq!(error_code(&host, source), expected, "{source}");
        if let Ok(formula) = host.compile(source, &Type::Any) {
            let host = CountingHost(&host, std::cell::Cell::new(0));
            let _ = formula.eval(&host);
            assert!(host.1.get() <= MAX_WORK, "{source}");
            let trace = formula.trace(&host);
            assert!(trace.result.len() <= MAX_TEXT_CHARS + 100, "{source}: {}", trace.result.len());
            assert!(trace.numbers.len() <= MAX_TEXT_CHARS, "{source}: {}", trace.numbers.len());
        }
    }
}

#[test]
fn lists_within_lists_end_even_from_value_to_value() {
    // A value may wrap the one before it in a list: a million levels must never be made.
    let mut value = Value::Int(1);
    let mut levels = 0;
    let found = loop {
        let host = TestHost::default().name("before", Type::Any, value.clone());
        match host.eval("[before]") {
            Ok(next) => value = next,
            Err(found) => break found,
        }
        levels += 1;
        assert!(levels < 100);
    };
    assert_eq!((found.code, levels), ("too-deep", 8));
    let host = TestHost::default().name("before", Type::Any, value);
    assert_eq!(error_code(&host, "repeat(before, 3)"), "too-deep");
    assert_eq!(error_code(&host, "[[[[[[[[[1]]]]]]]]]"), "too-deep");
    assert_eq!(error_code(&host, "[[[[[[[[1]]]]]]]]"), "fine");
    assert_eq!(error_code(&host, "repeat([[[[[[[[1]]]]]]]], 2)"), "too-deep");
}

#[test]
fn texts_cannot_be_doubled_for_ever() {
    let mut value = "x".repeat(100);
    let found = loop {
        let host = TestHost::default().text("t", &value);
        match host.eval("t + t") {
            Ok(next) => value = next.shown().unwrap(),
            Err(found) => break found,
        }
        assert!(value.len() <= MAX_TEXT_CHARS);
    };
    assert_eq!(found.code, "too-long");
    let host = TestHost::default().text("t", &value);
    assert_eq!(error_code(&host, &format!("{}t", "t + ".repeat(900))), "too-long");
    let text = "{{ t }}".repeat(2000);
    assert_eq!(
        TextTemplate::compile(&text, whole_span(&text), &host).unwrap().eval(&host).unwrap_err().code,
        "too-long"
    );
    let text = "{{ range(100000) }}";
    assert_eq!(TextTemplate::compile(text, whole_span(text), &host).unwrap().eval(&host).unwrap_err().code, "too-long");
}

#[test]
fn a_host_of_wild_values_meets_no_panic() {
    for wild in [i64::MIN, i64::MAX, 0, -1] {
        let host = TestHost::default().int("w", wild).int("v", -1);
        #[rustfmt::skip]
        let sources = [
            "w", "-w", "w + w", "w - w", "w * w", "w // v", "w % v", "v // w", "v % w", "abs(w)", "ceil_div(w, v)",
            "round_div(w, w)", "rounded('up', w, v)", "clamp(w, v, w)", "range(w)", "range(w, v)", "repeat(1, w)",
            "split_rows(w, 5)", "split_rows(5, w)", "spread(w, 'a', w)", "spread(5, 'a', w)", "[1, 2][w]",
            "covers([], w, w)", "covers([], v, w)",
        ];
        for source in sources {
            if let Ok(Value::Int(number)) = host.eval(source) {
                assert!(number.abs() <= limits::MAX_NUMBER, "{source} of {wild}");
            }
        }
    }
    // A host may return a type that its scope did not promise.
    for value in [Value::text("x"), Value::Flag(true), ints(&[1]), record(&[("a", Value::Int(1))]), Value::Null] {
        let ty = Type::list_of(columns(&[("from", Type::Int), ("to", Type::Int)]));
        let host = TestHost::default()
            .name("n", Type::Int, value.clone())
            .name("t", Type::TEXT, value.clone())
            .name("r", ty, value.clone())
            .name("a", Type::Any, value);
        #[rustfmt::skip]
        let sources = [
            "n + 1", "t + 'x'", "a + a", "a - a", "-a", "a[0]", "a[a]", "a.a", "a.b", "r[0].from",
            "where(r, from=1)", "where(a, from=1)", "column(r, 'to')", "column(a, t)", "covers(r, 1, 2)",
            "covers(a, 1, 2)", "rising(a)", "sort(a)", "join(a, t)", "min(a)", "max(n, n)", "length(a)",
            "length(t)", "spread(n, t, n)", "repeat(a, n)", "a in a", "a < a", "a == a", "t in a", "1 if a else 2",
            "rounded(t, n, n)", "[a, t, n]",
        ];
        for source in sources {
            let _ = host.compile(source, &Type::Any).map(|formula| (formula.eval(&host), formula.trace(&host)));
        }
    }
}

#[test]
fn constants_that_fail_are_looked_for_with_bounded_work() {
    let host = TestHost::default();
    // Each level makes the list below it again, so the search must give up early.
    let source = (0..40).fold("range(9000)".to_owned(), |inner, _| format!("sort({inner})"));
    assert_eq!(error_code(&host, &source), "too-large");
    let many = vec!["length(range(9000))"; 150].join(" + ");
    assert_eq!(error_code(&host, &many), "too-large");
}

#[test]
fn what_may_fail_is_not_taken_for_what_never_does() {
    let host = TestHost::default()
        .int("a", 1)
        .int("b", 2)
        .flag("flag", true)
        .name("word", Type::Text(None), Value::text("x"))
        .name("any", Type::Any, Value::text("x"))
        .name("list", Type::list_of(Type::Int), ints(&[1]))
        .function("count", Type::Int, Value::Int(3));
    let never_fails = |text: &str| host.compile(text, &Type::Flag).unwrap().never_fails();
    for text in [
        "a > b",
        "flag and a == 3",
        "word == 'x'",
        "word in ['x', 'y']",
        "not flag or word",
        "count('x') > 0 or flag",
        "1 if flag else b",
    ] {
        assert!(never_fails(text), "{text}");
    }
    for text in [
        "a + b > 3",
        "a // b == 1",
        "list[0] == 1",
        "any > 3",
        "any == word",
        "a in list",
        "list == list",
        "count(a + b)",
    ] {
        assert!(!never_fails(text), "{text}");
    }
    let text = |text: &str| TextTemplate::compile(text, whole_span(text), &host).unwrap().never_fails();
    assert!(text("plain") && text("{{ a }} of {{ count('x') }}"));
    assert!(!text("{{ word }}") && !text("{{ a + b }}"));
}
