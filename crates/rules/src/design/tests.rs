//! Tests of reading designs.

use super::*;
use moldloft_base::source::Source;

fn read(text: &str) -> Design {
    Design::read(&Source::new("x.toml", text)).unwrap_or_else(|findings| panic!("{findings:?}"))
}

fn codes(design: &Design) -> Vec<&str> {
    design.findings.iter().map(|finding| finding.code.as_ref()).collect()
}

const GOOD: &str = r#"ruleset = "wars-of-honor"
name = "Vigilant"
[fields]
nation = "manticore"
[[fit]]
system = "missile-magazine"
mount = "core"
feeds = 14
[[fit]]
system = "laser"
mount = "port"
count = 3
"#;

#[test]
fn reads_what_is_there_with_its_place() {
    let design = read(GOOD);
    assert!(design.findings.is_empty(), "{:?}", design.findings);
    assert_eq!(&*design.ruleset.as_ref().unwrap().text, "wars-of-honor");
    assert_eq!(design.fields.len(), 1);
    assert_eq!((design.fits[0].count, design.fits[1].count), (1, 3));
    assert_eq!(design.fits[0].parameters[0].key, "feeds");
    let span = design.fits[1].span;
    assert_eq!(design.source.line_column(span.start), (9, 1));
    assert_eq!(&GOOD[span.start as usize..span.end as usize], "[[fit]]");
}

#[test]
fn wrong_types_are_found_and_the_rest_is_read() {
    let design = read(
        "ruleset = 3\nname = ['x']\nfields = 1\nfits = 2\n[[fit]]\nsystem = 'laser'\ncount = 1000000000000000000\n\
         [[fit]]\ncount = 2\n[[fit]]\nsystem = 'laser'\nmount = 4\ncount = 1.5\n[[system]]\nid = 'a'\n[[system]]\nid = 'a'\n",
    );
    assert_eq!(
        codes(&design),
        [
            "wrong-type",
            "wrong-type",
            "wrong-type",
            "unknown-key",
            "value-out-of-range",
            "fit-without-system",
            "wrong-type",
            "wrong-type",
            "duplicate-id",
        ]
    );
    assert_eq!(design.fits.iter().map(|fit| fit.index).collect::<Vec<_>>(), [0, 2]);
    assert_eq!(design.systems.len(), 1);
    assert!(design.findings.iter().all(|finding| finding.at.line > 0));
    assert_eq!(design.findings[3].help.as_deref(), Some("did you mean `fit`?"));
    assert_eq!(design.findings[0].message, "expected text for `ruleset`, found a whole number");
}

#[test]
fn a_design_without_ruleset_and_name_says_so() {
    assert_eq!(codes(&read("[fields]\n")), ["missing-ruleset", "missing-name"]);
}

#[test]
fn other_files_are_told_from_designs() {
    for (text, word) in [
        ("", "no fits"),
        ("[package]\nname = 'x'", "no fits"),
        ("[ruleset]\nid = 'x'", "ruleset"),
        ("ruleset = 'x'\n[[ship]]\nname = 'y'", "fleet"),
    ] {
        let findings = Design::read(&Source::new("x.toml", text)).unwrap_err();
        assert_eq!(findings[0].code, "not-a-design");
        assert!(findings[0].message.contains(word), "{}", findings[0].message);
    }
}

#[test]
fn what_is_not_toml_or_is_newer_is_refused() {
    for (text, code) in [
        ("ruleset = \nname = 'x'", "not-toml"),
        ("name = 'a'\nname = 'b'", "not-toml"),
        ("schema = 2", "newer-schema"),
        ("schema = 'one'", "wrong-type"),
        ("schema = 0", "wrong-type"),
    ] {
        let findings = Design::read(&Source::new("x.toml", text)).unwrap_err();
        assert_eq!(findings[0].code, code, "{text}");
        assert!(findings[0].at.snippet.is_some());
    }
}

#[test]
fn one_bracket_too_few_is_said_and_read() {
    let design = read("ruleset='r'\nname='n'\n[fit]\nsystem='laser'\n");
    assert_eq!(codes(&design), ["wrong-type"]);
    assert_eq!(design.fits.len(), 1);
}

#[test]
fn a_file_full_of_faults_ends_in_a_number() {
    let design = read(&("ruleset='r'\nname='n'\n".to_owned() + &"[[fit]]\ncount='x'\n".repeat(20_000)));
    assert_eq!(design.findings.len(), 501);
    assert!(design.findings[500].message.starts_with("39500 more"), "{}", design.findings[500].message);
}

/// To remove what it has would remove the fleet.
#[test]
fn ships_of_a_fleet_are_no_key_of_a_design() {
    let design = read("ruleset = 'x'\nname = 'y'\n[[ships]]\ndesign = 'vigilant'\n");
    assert_eq!(codes(&design), ["unknown-key"]);
    assert_eq!(design.findings[0].help.as_deref(), Some("did you mean `ship`?"));
}

#[test]
fn misspelt_keys_of_a_fit_are_named_with_what_is_meant() {
    let text = "ruleset = 'x'\nname = 'y'\n[[fit]]\nssytem = 'laser'\nmuont = 'port'\ncuont = 2\nheads = 1\n";
    let design = read(text);
    assert_eq!(codes(&design), ["fit-without-system", "unknown-key", "unknown-key", "unknown-key"]);
    let said: Vec<_> = design.findings[1..].iter().map(|one| (one.at.line, one.help.as_deref().unwrap())).collect();
    assert_eq!(said, [(4, "did you mean `system`?"), (5, "did you mean `mount`?"), (6, "did you mean `count`?")]);
}

#[test]
fn faults_beyond_those_that_are_kept_cost_nothing() {
    let text = format!("ruleset = 'x'\nname = 'y'\nfit = [{}]\n", "1, ".repeat(300_000));
    let before = moldloft_base::allowance::work_counted();
    let design = read(&text);
    assert_eq!(design.findings.len(), 501);
    assert!(design.findings[500].message.starts_with("299500 more findings"), "{:?}", design.findings[500]);
    // Each finding kept looks at part of the line; scanning all of it would take 450 million steps.
    assert!(moldloft_base::allowance::work_counted() - before < 50_000_000);
    let shown = design.findings[400].at.snippet.as_ref().unwrap();
    assert!(shown.text.chars().count() <= 160 && shown.start <= 80);
}
