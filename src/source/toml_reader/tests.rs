//! The tree and the errors of every text are those of the `toml` crate.

#![allow(clippy::disallowed_methods, reason = "tests read files")]

use std::fmt::Write;
use std::path::Path;

use ::toml::Spanned;
use ::toml::de::{DeTable, DeValue};
use proptest::prelude::*;

use super::*;

/// A tree with all spans, and the errors in their order.
fn ours(text: &str) -> String {
    fn table(out: &mut String, table: &TomlTable<'_>) {
        write!(out, "{}-{}{{", table.span.start, table.span.end).unwrap();
        for entry in &table.entries {
            write!(out, "{:?}@{}-{}=", entry.key, entry.span.start, entry.span.end).unwrap();
            node(out, &entry.node);
        }
        out.push('}');
    }
    fn node(out: &mut String, of: &TomlNode<'_>) {
        write!(out, "{}-{}:", of.span.start, of.span.end).unwrap();
        match &of.data {
            TomlValue::List(list) => list.iter().for_each(|item| node(out, item)),
            TomlValue::Table(inner) => table(out, inner),
            TomlValue::Int(number) => write!(out, "Int {number}").unwrap(),
            TomlValue::Float(text) => write!(out, "Float {text}").unwrap(),
            TomlValue::Flag(flag) => write!(out, "Flag {flag}").unwrap(),
            TomlValue::Text(text) => write!(out, "Text {text:?}").unwrap(),
            TomlValue::Date(text) => write!(out, "Date {text}").unwrap(),
        }
        out.push(';');
    }
    let (root, errors) = read(text, 7);
    let mut out = String::new();
    table(&mut out, &root);
    for error in errors {
        assert_eq!(error.span.file, 7);
        write!(out, "\n{}-{} {}", error.span.start, error.span.end, error.message).unwrap();
    }
    out
}

/// As [`ours`], from the library's own tree.
fn theirs(text: &str) -> String {
    fn table(out: &mut String, table: &DeTable<'_>, span: std::ops::Range<usize>) {
        write!(out, "{}-{}{{", span.start, span.end).unwrap();
        for (key, value) in table {
            write!(out, "{:?}@{}-{}=", key.get_ref(), key.span().start, key.span().end).unwrap();
            node(out, value);
        }
        out.push('}');
    }
    fn node(out: &mut String, of: &Spanned<DeValue<'_>>) {
        write!(out, "{}-{}:", of.span().start, of.span().end).unwrap();
        match of.get_ref() {
            DeValue::Array(list) => list.iter().for_each(|item| node(out, item)),
            DeValue::Table(inner) => table(out, inner, of.span()),
            DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
                Ok(number) => write!(out, "Int {number}").unwrap(),
                Err(_) => write!(out, "Float {}", number.as_str()).unwrap(),
            },
            DeValue::Float(number) => write!(out, "Float {}", number.as_str()).unwrap(),
            DeValue::Boolean(flag) => write!(out, "Flag {flag}").unwrap(),
            DeValue::String(text) => write!(out, "Text {text:?}").unwrap(),
            DeValue::Datetime(date) => write!(out, "Date {date}").unwrap(),
        }
        out.push(';');
    }
    let (root, errors) = DeTable::parse_recoverable(text);
    let mut out = String::new();
    table(&mut out, root.get_ref(), root.span());
    for error in errors {
        let span = error.span().unwrap_or(0..0);
        write!(out, "\n{}-{} {}", span.start, span.end, error.message()).unwrap();
    }
    out
}

fn texts() -> Vec<String> {
    fn add(folder: &Path, texts: &mut Vec<String>) {
        let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                add(&path, texts);
            } else if path.metadata().unwrap().len() < 400_000 {
                texts.extend(std::fs::read_to_string(&path).ok());
            }
        }
    }
    let mut found = Vec::new();
    for folder in ["designs", "fleets", "rulesets", "tests/cases", "tests/fleets", "fuzz/corpus", "templates"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        if folder.is_dir() {
            add(&folder, &mut found);
        }
    }
    found
}

#[test]
fn every_file_of_the_repository_is_read_as_by_the_library() {
    let texts = texts();
    assert!(texts.len() > 100, "{}", texts.len());
    for text in &texts {
        assert_eq!(ours(text), theirs(text), "{}", text.get(..200).unwrap_or(text));
    }
}

#[test]
fn keys_of_large_tables_are_found_and_removed_in_order() {
    let mut text = String::new();
    (0..90).for_each(|n| writeln!(text, "[t{n}.inner]\nx = {n}").unwrap());
    (0..90).step_by(7).for_each(|n| writeln!(text, "[t{n}]\ny = {n}\nx.z = 1\n[t{n}.inner]\n[[t{n}.list]]").unwrap());
    writeln!(text, "[t3]\n[t7]\n[t89.inner.more]\n[[t80]]\n[big]").unwrap();
    (0..70).for_each(|n| writeln!(text, "k{n} = {{a = 1, a.b = 2}}").unwrap());
    (0..70).step_by(5).for_each(|n| writeln!(text, "k{n}.c = 1\n\"k{n}\" = 2").unwrap());
    assert_eq!(ours(&text), theirs(&text));
    assert!(ours(&text).matches("duplicate key").count() > 14);
}

const PIECES: [&str; 48] = [
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    ",",
    ".",
    "=",
    " = ",
    " ",
    "\n",
    "\n",
    "\n",
    "\r\n",
    "\r",
    "# c\n",
    "#",
    "a",
    "b",
    "a.b",
    "\"a\"",
    "'b'",
    "\"a b\"",
    "1",
    "-2",
    "1.5",
    "1e3",
    "inf",
    "nan",
    "true",
    "false",
    "yes",
    "1979-05-27",
    "07:32:00",
    "1979-13-41",
    "0x1F",
    "0xfffffffffffffffff",
    "99999999999999999999",
    "1__0",
    "\"\\q\"",
    "\"\\u00e9\"",
    "\"\"\"m\nn\"\"\"",
    "'''l\n'''",
    "\"open",
    "\u{feff}",
    "é",
    "\u{0}",
];

const LINES: [&str; 40] = [
    "[a]",
    "[b]",
    "[a.b]",
    "[a.b.c]",
    "[b.a]",
    "[a.a.a]",
    "[[a]]",
    "[[b]]",
    "[[a.b]]",
    "[[a.b.c]]",
    "[[b.a]]",
    "a = 1",
    "b = 2",
    "c = 'x'",
    "a.b = 1",
    "a.b.c = 1",
    "a.c = 1.5",
    "b.a = true",
    "b.c.a = []",
    "a = {}",
    "a = {b = 1}",
    "b = {a.b = 1, a.c = 2}",
    "b = {a = 1, a.b = 2}",
    "b = {a.b = 1, a = 2}",
    "c = {a = {b = 1}, a.c = 2}",
    "a = []",
    "a = [1, 2]",
    "a = [{b = 1}, {c = 2}]",
    "b = [[1], [2, [3]]]",
    "a.b = {c = 1}",
    "a.d = 99999999999999999999",
    "a.e = 1979-05-27",
    "[a.d]",
    "[a.e.f]",
    "[]",
    "[a.]",
    "a = ",
    "= 1",
    "a b = 1",
    "a = 1 b = 2",
];

fn pieces(of: &'static [&'static str], most: usize, between: &'static str) -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(of), 0..most).prop_map(move |pieces| pieces.join(between))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn random_pieces_are_read_as_by_the_library(text in pieces(&PIECES, 24, "")) {
        prop_assert_eq!(ours(&text), theirs(&text), "{:?}", text);
    }

    #[test]
    fn random_lines_are_read_as_by_the_library(text in pieces(&LINES, 16, "\n")) {
        prop_assert_eq!(ours(&text), theirs(&text), "{}", text);
    }

    #[test]
    fn files_with_a_part_cut_out_or_put_in_are_read_as_by_the_library(
        file in any::<proptest::sample::Index>(), from in 0_usize..3_000, length in 0_usize..60, piece in proptest::sample::select(&PIECES[..])
    ) {
        thread_local!(static TEXTS: Vec<String> = texts().into_iter().filter(|text| text.len() < 6_000).collect());
        TEXTS.with(|texts| {
            let text = file.get(texts);
            let (start, end) = (from.min(text.len()), (from + length).min(text.len()));
            let (Some(head), Some(tail)) = (text.get(..start), text.get(end..)) else { return Ok(()) };
            let text = format!("{head}{piece}{tail}");
            prop_assert_eq!(ours(&text), theirs(&text), "{}", text);
            Ok(())
        })?;
    }
}
