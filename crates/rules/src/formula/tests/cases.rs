//! Tests of `cases.txt`: formulas and texts with their result, trace, or error with caret.

use std::fmt::Write;

use super::*;

fn ship() -> TestHost {
    let row = columns(&[
        ("side", Type::one_of(["forward", "aft"])),
        ("from", Type::Int),
        ("to", Type::Int),
        ("hits", Type::TEXT),
    ]);
    let chart = |side: &str, from, to, hits: &str| {
        record(&[
            ("side", Value::text(side)),
            ("from", Value::Int(from)),
            ("to", Value::Int(to)),
            ("hits", Value::text(hits)),
        ])
    };
    TestHost::default()
        .int("mass", 125)
        .int("structure", 37)
        .int("alpha", 2)
        .int("beta", 0)
        .name("unknown", Type::Int, Value::Null)
        .name("unknown_text", Type::TEXT, Value::Null)
        .flag("agile", true)
        .option("unit", &["starship", "lac", "pod"], "starship")
        .option("choice.nation.row", &["haven", "manticore"], "haven")
        .int("choice.nation.structure_pct", 30)
        .int("choice.nation.discount", 6)
        .text("it.name", "missile launcher")
        .int("it.count", 3)
        .text("it.mirror", "")
        .name("it.tags", Type::list_of(Type::one_of(["weapon", "store", "node"])), list(&[Value::text("weapon")]))
        .name("it.ranges", Type::list_of(Type::Int), ints(&[10, 12, 9]))
        .name("it.cell", Type::Any, Value::text("3D6"))
        .name("it.holes", Type::list_of(Type::Int), list(&[Value::Int(1), Value::Null, Value::Int(3)]))
        .option("rounding", &["nearest", "down", "up"], "up")
        .option("spelling", &["nearest", "upwards"], "nearest")
        .name(
            "location",
            Type::list_of(row),
            list(&[
                chart("forward", 9, 20, "laser"),
                chart("forward", 1, 8, "hull"),
                chart("aft", 1, 19, "hull"),
                chart("aft", 20, 20, "engine"),
            ]),
        )
        .function("count", Type::Int, Value::Int(4))
        .function("fitted", Type::Any, record(&[("laser", Value::Int(2)), ("graser", Value::Int(1))]))
        .function(
            "row",
            columns(&[("accel", Type::Int), ("dice", Type::TEXT)]),
            record(&[("accel", Value::Int(9)), ("dice", Value::text("3D6"))]),
        )
}

fn type_of_word(word: &str) -> Type {
    match word {
        "int" => Type::Int,
        "flag" => Type::Flag,
        "text" => Type::TEXT,
        "ints" => Type::list_of(Type::Int),
        "side" => Type::one_of(["port", "starboard"]),
        _ => Type::Any,
    }
}

/// The source begins after `indent` characters.
fn write_error(out: &mut String, indent: usize, source: &str, error: &FormulaError) {
    let before = indent + source[..error.span.start as usize].chars().count();
    let carets = source[error.span.start as usize..error.span.end as usize].chars().count().max(1);
    let _ = writeln!(out, "{}{}", " ".repeat(before), "^".repeat(carets));
    let _ = writeln!(out, "  ! {}: {}", error.code, error.message);
    if let Some(help) = &error.help {
        let _ = writeln!(out, "    {help}");
    }
}

fn evaluate_line(line: &str) -> String {
    let host = ship();
    let mut out = format!("{line}\n");
    let Some((word, source)) = line.split_once(": ") else { return out };
    if word == "say" {
        match TextTemplate::compile(source, whole_span(source), &host).and_then(|text| text.eval(&host)) {
            Ok(text) => {
                let _ = writeln!(out, "  = {}", text.as_deref().unwrap_or("(a write-in)"));
            }
            Err(found) => write_error(&mut out, word.len() + 2, source, &found),
        }
        return out;
    }
    let formula = match host.compile(source, &type_of_word(word)) {
        Ok(formula) => formula,
        Err(found) => {
            write_error(&mut out, word.len() + 2, source, &found);
            return out;
        }
    };
    match formula.eval(&host) {
        Ok(_) => {
            let trace = formula.trace(&host);
            if trace.numbers != trace.formula {
                let _ = writeln!(out, "  = {}", trace.numbers);
            }
            let _ = writeln!(out, "  = {}", trace.result);
        }
        Err(found) => {
            out.push_str("  when evaluated\n");
            write_error(&mut out, word.len() + 2, source, &found);
        }
    }
    out
}

fn evaluate_file(file: &str) -> String {
    let mut out = String::new();
    for line in file.lines().filter(|line| !line.starts_with("  ")) {
        match line {
            "" => out.push('\n'),
            line if line.starts_with('#') => {
                let _ = writeln!(out, "{line}");
            }
            line => out.push_str(&evaluate_line(line)),
        }
    }
    out
}

#[test]
#[allow(clippy::disallowed_methods, reason = "BLESS=1 writes the file")]
fn every_case_answers_as_written() {
    let file = include_str!("cases.txt");
    let found = evaluate_file(file);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/formula/tests/cases.txt"), &found).unwrap();
    } else if file != found {
        let differs = file.lines().zip(found.lines()).position(|(expected, found)| expected != found);
        let line = differs.unwrap_or_else(|| found.lines().count().min(file.lines().count())) + 1;
        panic!("cases.txt:{line} is answered otherwise; BLESS=1 accepts what is found, and git diff shows it");
    }
}

#[test]
fn spans_are_those_of_the_file() {
    let host = ship();
    let at = Span { file: 2, start: 100, end: 120 };
    let found = Formula::compile("mass + strcture", at, &host, &Type::Int).unwrap_err();
    assert_eq!(found.span, Span { file: 2, start: 107, end: 115 });
    let found = TextTemplate::compile("{{ mass }} {{ mas }}", at, &host).unwrap_err();
    assert_eq!(found.span, Span { file: 2, start: 114, end: 117 });
}

#[test]
fn reads_and_calls_are_each_named_once_in_order() {
    let host = ship();
    let formula = host.compile("count('x') + alpha * mass + alpha + count('y')", &Type::Int).unwrap();
    assert_eq!(formula.reads().collect::<Vec<_>>(), [2, 0]);
    assert_eq!(formula.calls().collect::<Vec<_>>(), [0]);
    assert!(!formula.is_constant());
    assert!(host.compile("3 * (4 + 1)", &Type::Int).unwrap().is_constant());
    let text = TextTemplate::compile("{{ mass }} of {{ mass + alpha }}", Span::default(), &host).unwrap();
    assert_eq!(text.reads().collect::<Vec<_>>(), [0, 2]);
    assert_eq!(text.is_literal(), None);
    assert_eq!(
        TextTemplate::compile("plain {text}", Span::default(), &host).unwrap().is_literal(),
        Some("plain {text}")
    );
}

#[test]
fn numbers_and_flags_have_short_ways() {
    let host = ship();
    assert_eq!(host.compile("mass // 2", &Type::Int).unwrap().int(&host), Ok(Some(62)));
    assert_eq!(host.compile("unknown // 2", &Type::Int).unwrap().int(&host), Ok(None));
    assert_eq!(host.compile("mass", &Type::Flag).unwrap().flag(&host), Ok(Some(true)));
    assert_eq!(host.compile("mass", &Type::Flag).unwrap().eval(&host), Ok(Value::Flag(true)));
    assert_eq!(Formula::constant(Value::Int(7), Span::default()).int(&host), Ok(Some(7)));
}

#[test]
fn settling_leaves_only_what_varies() {
    let host = ship().int("box", 3);
    let slot = u32::try_from(host.names.len() - 1).unwrap();
    let formula = host
        .compile("spread(mass, 'bay', 2, 'crew', 3)[box - 1] if mass > 4 else location[99].hits", &Type::TEXT)
        .unwrap();
    let settled = formula.specialize(&host, &[slot]);
    assert_eq!(settled.reads().collect::<Vec<_>>(), [slot]);
    assert_eq!(settled.eval(&host), formula.eval(&host));
    // A failing part still fails when it is needed.
    let formula = host.compile("box // (mass - 125)", &Type::Int).unwrap();
    assert_eq!(formula.specialize(&host, &[slot]).eval(&host), formula.eval(&host));
    assert_eq!(formula.specialize(&host, &[]).eval(&host).unwrap_err().code, "division-by-zero");
}

#[test]
fn a_host_can_bound_what_many_formulas_make() {
    struct LimitedHost(TestHost);
    impl Host for LimitedHost {
        fn read(&self, slot: Slot) -> Value {
            self.0.read(slot)
        }
        fn call(&self, call: u32, arguments: &[Value]) -> Result<Value, String> {
            Host::call(&self.0, call, arguments)
        }
        fn reserve_cells(&self, cells: u32) -> bool {
            cells < 100
        }
    }
    let host = ship();
    let formula = host.compile("range(mass)", &Type::Any).unwrap();
    assert!(formula.eval(&host).is_ok());
    assert_eq!(formula.eval(&LimitedHost(ship())).unwrap_err().code, "too-large");
}

#[test]
fn the_table_of_functions_is_whole() {
    assert!(FUNCTIONS.is_sorted_by(|a, b| a.name < b.name));
    for function in &FUNCTIONS {
        assert!(!function.doc.is_empty() && !function.arguments.is_empty(), "{}", function.name);
        assert!(function.numbers.is_some() || function.values.is_some(), "{}", function.name);
    }
}
