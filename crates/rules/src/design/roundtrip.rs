//! Property test: reading a saved design gives the same design.

use std::borrow::Cow;

use proptest::prelude::*;

use super::*;
use moldloft_base::source::toml::{TomlEntry, TomlNode, TomlTable, TomlValue};
use moldloft_base::source::{Source, Span};

fn word() -> impl Strategy<Value = SpannedText> {
    any::<String>().prop_map(|text| SpannedText { text: text.as_str().into(), span: Span::default() })
}

fn named() -> impl Strategy<Value = SpannedText> {
    ".*\\S.*".prop_map(|text| SpannedText { text: text.as_str().into(), span: Span::default() })
}

fn data() -> impl Strategy<Value = TomlValue<'static>> {
    let leaf = prop_oneof![
        any::<i64>().prop_map(TomlValue::Int),
        any::<bool>().prop_map(TomlValue::Flag),
        any::<String>().prop_map(|text| TomlValue::Text(Cow::Owned(text))),
        prop_oneof![Just("1.5"), Just("-2e7"), Just("inf"), Just("nan"), Just("123456789012345678901")]
            .prop_map(|number| TomlValue::Float(Cow::Borrowed(number))),
        Just(TomlValue::Date("1979-05-27".to_owned())),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let node = inner.prop_map(|data| TomlNode { span: Span::default(), data });
        prop_oneof![
            proptest::collection::vec(node.clone(), 0..4).prop_map(TomlValue::List),
            proptest::collection::btree_map("[a-z .\"]{0,6}", node, 0..4).prop_map(|map| TomlValue::Table(TomlTable {
                span: Span::default(),
                entries: map.into_iter().map(entry).collect()
            })),
        ]
    })
}

fn entry((key, node): (String, TomlNode<'static>)) -> TomlEntry<'static> {
    TomlEntry { key: Cow::Owned(key), span: Span::default(), node }
}

/// Keys with a prefix that no key of a design has.
fn entries(prefix: &'static str) -> impl Strategy<Value = Vec<TomlEntry<'static>>> {
    proptest::collection::btree_map("[a-z_-]{1,8}|\\PC{0,4}", data(), 0..4).prop_map(move |map| {
        map.into_iter()
            .map(|(key, data)| entry((format!("{prefix}{key}"), TomlNode { span: Span::default(), data })))
            .collect()
    })
}

prop_compose! {
    fn design()(
        ruleset in named(),
        name in named(),
        notes in proptest::option::of(word()),
        silhouette in proptest::option::of(word()),
        fields in entries(""),
        fits in proptest::collection::vec((word(), proptest::option::of(word()), 0..=MAX_COUNT, entries("p")), 0..4),
        systems in proptest::collection::vec((proptest::option::of(word()), entries("q")), 0..3),
        unknown in entries("x-"),
    ) -> Design {
        let span = Span::default();
        let fits = fits.into_iter().zip(0..).map(|((system, mount, count, parameters), index)| {
            Fit { index, system, mount, count, written_count: count.into(), parameters, span }
        });
        let systems = systems.into_iter().enumerate().map(|(n, (like, keys))| {
            CustomSystem { id: SpannedText { text: format!("own-{n}").into(), span }, like, keys, span }
        });
        Design {
            source: Source::new("x.toml", ""),
            ruleset: Some(ruleset),
            name: Some(name),
            notes,
            silhouette,
            top: span,
            fields,
            fits: fits.collect(),
            systems: systems.collect(),
            unknown,
            findings: Vec::new(),
        }
    }
}

fn plain(design: &Design) -> String {
    let debug = format!(
        "{:?}",
        (
            &design.ruleset,
            &design.name,
            &design.notes,
            &design.silhouette,
            &design.fields,
            &design.fits,
            &design.systems,
            &design.unknown
        )
    );
    let mut out = String::new();
    let mut rest = debug.as_str();
    while let Some(at) = rest.find("Span { file: ") {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        rest = &rest[rest.find('}').map_or(rest.len(), |end| end + 1)..];
    }
    out + rest
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn what_is_saved_reads_back_the_same(design in design()) {
        let text = design.to_toml();
        let read = Design::read(&Source::new("x.toml", &text));
        prop_assert!(read.is_ok(), "{:?}\n{}", read, text);
        let read = read.unwrap();
        prop_assert_eq!(plain(&read), plain(&design), "{}", text);
        prop_assert!(read.findings.iter().all(|finding| finding.code == "unknown-key"), "{:?}", read.findings);
        prop_assert_eq!(Document::parse(&text).unwrap().to_text(), text);
    }

    #[test]
    fn no_text_makes_reading_fail_badly(text in "(\\PC|[\\[\\]{}=\"'#\\n,.]|fit|system|count|fields|ruleset){0,80}") {
        if let Err(findings) = Design::read(&Source::new("x.toml", &text)) {
            prop_assert!(!findings.is_empty());
            prop_assert!(findings.iter().all(|finding| finding.at.line > 0));
        }
    }
}
