//! What is wrong with attack rules is found when loading, with its code and place.

use moldloft_base::source::Source;
use moldloft_rules::ruleset::{Ruleset, differences};

const GAUGES: &str = "[[gauge]]\nid = \"hull\"\nboxes = 10\nends = true\n[[gauge]]\nid = \"fire\"\nmost = 2\n";

/// Code, line after the header and message of each finding.
fn findings(toml: &str) -> Vec<(String, u32, String)> {
    let header = "[ruleset]\nid = \"plain\"\ntitle = \"Plain\"\nversion = \"1\"\nschema = 1\n";
    let (_, findings) = Ruleset::load(&Source::new("plain.toml", &format!("{header}{toml}")));
    findings.iter().map(|one| (one.code.to_string(), one.at.line.saturating_sub(5), one.message.clone())).collect()
}

fn steps(steps: &str) -> Vec<(String, u32, String)> {
    let lines = GAUGES.lines().count() as u32 + 2;
    let found = findings(&format!("{GAUGES}[[attack]]\nid = \"a\"\n{steps}"));
    found.into_iter().map(|(code, line, message)| (code, line.saturating_sub(lines), message)).collect()
}

fn one(found: &[(String, u32, String)], code: &str, line: u32, what: &str) {
    assert_eq!(found.len(), 1, "{what}: {found:?}");
    assert_eq!((found[0].0.as_str(), found[0].1), (code, line), "{what}: {found:?}");
}

#[test]
fn faults_of_steps_have_a_code_and_a_place() {
    let cases = [
        ("[[attack.step]]\nleft.hul = \"1\"\n", "unknown-gauge", 2),
        ("[[attack.step]]\nuse = \"nothing\"\n", "unknown-routine", 2),
        ("[[attack.step]]\na = \"d6\"\nleft.hull = \"left.hull - b\"\n", "unknown-name", 3),
        // What a step sets is known from the next step on.
        ("[[attack.step]]\na = \"d6\"\nleft.hull = \"left.hull - a\"\n", "unknown-name", 3),
        ("[[attack.step]]\nwhen = \"d6 == 6\"\na = \"1\"\n[[attack.step]]\nleft.hull = \"a\"\n", "unset-name", 5),
        (
            "[[attack.step]]\nrepeat = 2\n[[attack.step.each]]\na = \"1\"\n[[attack.step]]\nleft.hull = \"a\"\n",
            "unset-name",
            6,
        ),
        ("[[attack.step]]\na = \"1\"\n[[attack.step]]\na = \"'x'\"\n", "wrong-type", 4),
        ("[[attack.step]]\nleft.hull = \"d6 == 6\"\n", "wrong-type", 2),
        ("[[attack.step]]\ntarget = \"1\"\n", "bad-id", 2),
        ("[[attack.step]]\nA = \"1\"\n", "bad-id", 2),
        ("[[attack.step]]\nid = \"x\"\n[[attack.step]]\nid = \"x\"\n", "duplicate-id", 4),
        ("[[attack.step]]\nd6 = \"1\"\n", "name-of-a-die", 2),
        ("[[attack.step]]\nassumed = { b = \"so\" }\na = \"1\"\n", "unknown-key", 2),
        ("every = 0\n[[attack.step]]\na = \"1\"\n", "wrong-bounds", 1),
        ("[[attack.step]]\nuse = \"r\"\n[[routine]]\nid = \"r\"\n[[routine.step]]\nuse = \"r\"\n", "routine-circle", 6),
    ];
    for (text, code, line) in cases {
        one(&steps(text), code, line, text);
    }
    assert_eq!(steps("[[attack.step]]\nleft.hull = \"1\"\nassumed = { hull = \"so\" }\n"), []);
    assert_eq!(steps("").first().map(|(code, ..)| code.as_str()), Some("missing-key"));
}

#[test]
fn a_name_that_may_be_unset_is_not_the_ships_own() {
    let toml = format!(
        "{GAUGES}[[field]]\nid = \"mass\"\nkind = \"integer\"\n[[attack]]\nid = \"a\"\n\
         [[attack.step]]\nwhen = \"d6 == 6\"\nmass = \"mass + 1\"\n[[attack.step]]\nleft.hull = \"left.hull - mass\"\n"
    );
    one(&findings(&toml), "unset-name", 17, &toml);
}

#[test]
fn faults_of_declarations_have_a_code_and_a_place() {
    let cases = [
        ("[[gauge]]\nid = \"a\"\n", "missing-key", 1),
        ("[[gauge]]\nid = \"a\"\nboxes = 1\nmost = 2\n", "unknown-key", 4),
        ("[[gauge]]\nid = \"a\"\nmost = 0\n", "wrong-bounds", 3),
        ("[[gauge]]\nid = \"a\"\nboxes = \"'x'\"\n", "wrong-type", 3),
        ("[[situation]]\nid = \"left\"\nkind = \"flag\"\n", "bad-id", 2),
        ("[[situation]]\nid = \"a\"\nkind = \"integer\"\nmax = 3\ndefault = 4\n", "value-out-of-range", 5),
        ("[[situation]]\nid = \"a\"\nkind = \"flag\"\naxis = true\n", "wrong-type", 4),
        ("[[situation]]\nid = \"a\"\nkind = \"choice\"\noptions = { x = {} }\ndefault = \"y\"\n", "unknown-option", 5),
        ("[[field]]\nid = \"a\"\nkind = \"flag\"\n[[situation]]\nid = \"a\"\nkind = \"flag\"\n", "duplicate-id", 5),
        ("[[field]]\nid = \"d6\"\nkind = \"flag\"\n[[outcome]]\nid = \"o\"\nformula = \"1\"\n", "name-of-a-die", 2),
        ("[[outcome]]\nid = \"o\"\nformula = \"left.hull\"\n", "unknown-name", 3),
        ("[[value]]\nid = \"v\"\nformula = \"d6\"\n", "misplaced-dice", 3),
    ];
    for (text, code, line) in cases {
        let found = findings(text);
        assert!(found.iter().any(|(found, at, _)| found == code && *at == line), "{text}: {found:?}");
    }
}

/// The formulas of the first attack's first step and of those within it, under a layer.
fn layered(layer: &str) -> (Vec<String>, Vec<String>) {
    let base = format!(
        "[ruleset]\nid = \"plain\"\ntitle = \"Plain\"\nversion = \"1\"\nschema = 1\n{GAUGES}[[attack]]\nid = \"a\"\n\
         [[attack.step]]\nid = \"shots\"\nrepeat = \"2\"\n[[attack.step.each]]\nid = \"hit\"\nn = \"1\"\nleft.hull = \"left.hull - 1\"\n"
    );
    let layer = format!(
        "[ruleset]\nid = \"ours\"\ntitle = \"Ours\"\nversion = \"1\"\nschema = 1\nextends = \"plain\"\n{layer}"
    );
    let sources = [Source::new("plain.toml", &base), Source::new("ours.toml", &layer)];
    let (ruleset, findings) = Ruleset::load_layers(&sources);
    let steps = ruleset.map(|ruleset| ruleset.attack_rules.attacks[0].steps.clone()).unwrap_or_default();
    let formulas = steps.iter().flat_map(|step| step.formulas()).map(|formula| formula.source.to_string());
    (formulas.collect(), findings.iter().map(|finding| finding.code.to_string()).collect())
}

#[test]
fn layers_change_steps_by_their_id() {
    let change = |text: &str| layered(&format!("[change.attack.a.step.{text}"));
    let none: Vec<String> = Vec::new();
    assert_eq!(
        change("shots]\nrepeat = \"base + 1\"\n"),
        (vec!["2 + 1".into(), "left.hull - 1".into(), "1".into()], none)
    );
    let (formulas, codes) = change("hit]\nleft.hull = \"base - 1\"\nleft.fire = \"1\"\nn = \"base * 2\"\n");
    assert_eq!((formulas.join(", "), codes), ("2, (left.hull - 1) - 1, 1, 1 * 2".to_owned(), vec![]));
    let (formulas, codes) = change("hit]\nremove = true\n");
    assert_eq!((formulas.join(", "), codes), ("2".to_owned(), vec![]));
    let (formulas, codes) = change("hit]\nunset = [\"n\"]\n");
    assert_eq!((formulas.join(", "), codes), ("2, left.hull - 1".to_owned(), vec![]));
    let (formulas, codes) = change("hits]\nn = \"2\"\n");
    assert_eq!((formulas.len(), codes.contains(&"unknown-id".to_owned())), (3, true), "{codes:?}");
    let (formulas, codes) = layered("[[change.attack.a.add.step]]\nleft.fire = \"1\"\n");
    assert_eq!((formulas.join(", "), codes), ("2, left.hull - 1, 1, 1".to_owned(), vec![]));
}

#[test]
fn differences_name_the_steps() {
    let rules = |steps: &str| {
        let header = "[ruleset]\nid = \"plain\"\ntitle = \"Plain\"\nversion = \"1\"\nschema = 1\n";
        [Source::new("plain.toml", &format!("{header}{GAUGES}[[attack]]\nid = \"a\"\n{steps}"))]
    };
    let hit = "[[attack.step]]\nid = \"hit\"\n[[attack.step.each]]\nleft.hull = \"left.hull - 1\"\n";
    let fire = "[[attack.step]]\nid = \"burn\"\nleft.fire = \"1\"\n";
    let texts = |before: &str, after: &str| {
        let found = differences(&rules(before), &rules(after)).unwrap();
        found.list.into_iter().map(|one| one.text).collect::<Vec<_>>().join("\n")
    };
    let changed = hit.replace("- 1", "- d6");
    assert_eq!(texts(hit, &changed), "attack a, step hit, step 1, left, hull left.hull - 1 → left.hull - d6");
    assert_eq!(texts(hit, &format!("{hit}{fire}")), "attack a, new step burn: left { fire = 1 }");
    assert_eq!(texts(&format!("{hit}{fire}"), fire), "attack a, step hit removed");
    let order = texts(&format!("{hit}{fire}"), &format!("{fire}{hit}"));
    assert_eq!(order, "attack a, order of steps: hit, burn → burn, hit");
}

#[test]
fn the_attacks_of_the_manual_load() {
    let page = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rulesets/attacks.md"));
    let (chapter, _) = page.split_once("\n## ").unwrap();
    let boxes = chapter.split("```toml").skip(1).filter_map(|rest| rest.split("```").next()?.split_once('\n'));
    let boxes: String = boxes.map(|(_, text)| text).collect();
    let ship = "[[field]]\nid = \"hull\"\nkind = \"integer\"\n[[mount]]\nid = \"bow\"\n[[system]]\nid = \"gun\"\n";
    assert_eq!(findings(&format!("{ship}{boxes}")), []);
}

#[test]
fn sizes_are_bounded_when_loading() {
    let many = |count: usize, each: &dyn Fn(usize) -> String| (0..count).map(each).collect::<String>();
    let attack = |n: usize| format!("[[attack]]\nid = \"a{n}\"\n[[attack.step]]\nx = \"1\"\n");
    let block = |depth: usize| {
        let each = |n: usize| format!("[[attack.step{}]]\nx = \"1\"\n", ".each".repeat(n));
        format!("[[attack]]\nid = \"a\"\n{}", many(depth, &each))
    };
    // Each routine uses the next one twice.
    let doubling = many(16, &|n| {
        format!("[[routine]]\nid = \"r{n}\"\n{}", format!("[[routine.step]]\nuse = \"r{}\"\n", n + 1).repeat(9))
    });
    let cases = [
        (many(17, &|n| format!("[[situation]]\nid = \"s{n}\"\nkind = \"flag\"\n")), Some("too-large")),
        (many(33, &|n| format!("[[gauge]]\nid = \"g{n}\"\nmost = 1\n")), Some("too-large")),
        (many(65, &attack), Some("too-large")),
        (many(64, &attack), None),
        (many(33, &|n| format!("[[outcome]]\nid = \"o{n}\"\nformula = \"1\"\n")), Some("too-large")),
        (
            format!("[[attack]]\nid = \"a\"\n{}", many(257, &|_| "[[attack.step]]\nx = \"1\"\n".into())),
            Some("too-large"),
        ),
        (format!("[[attack]]\nid = \"a\"\n{}", many(256, &|_| "[[attack.step]]\nx = \"1\"\n".into())), None),
        (block(5), None),
        (block(6), Some("too-large")),
        (format!("[[attack]]\nid = \"a\"\n[[attack.step]]\nuse = \"r0\"\n{doubling}"), Some("too-large")),
    ];
    for (text, code) in cases {
        let found = findings(&text);
        assert_eq!(found.first().map(|(code, ..)| code.as_str()), code, "{}", &text[..text.len().min(200)]);
    }
}
