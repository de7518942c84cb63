//! Tests of lists: a written list reads as the same, even after a forum has reformatted it; handwritten lists are
//! understood.

use crate::exchange::list::read::named_game;
use proptest::prelude::*;

use super::*;
use moldloft_base::source::Source;
use moldloft_rules::design::Design;
use moldloft_rules::design::fleet::Fleet;

const RELATIONS: [&str; 2] = ["tow", "carry-aloft"];
const CLASSES: [&str; 7] = ["Vigilant", "Tern", "Petrel", "Saint Louis", "Quiver", "Type 45", "A, B \"C\""];

fn known() -> KnownNames {
    KnownNames::new(CLASSES.map(str::to_owned), RELATIONS.map(str::to_owned))
}

fn list(text: &str) -> FleetList {
    read_list(&Source::new("list.txt", text), &known())
}

fn one(line: &str) -> (Option<u32>, String, Option<String>, Option<String>, Option<i64>) {
    let list = list(line);
    assert_eq!(list.ships.len(), 1, "{line}: {list:?}");
    let ship = list.ships.into_iter().next().unwrap();
    (ship.count, ship.class, ship.name, ship.hull_number, ship.points)
}

#[test]
fn lines_that_players_write_are_ships() {
    let s = |text: &str| Some(text.to_owned());
    for (line, count, class, name, hull, points) in [
        ("3x Tern", Some(3), "Tern", None, None, None),
        ("2 x Vigilant \"HMS Argus\" CA-301", Some(2), "Vigilant", s("HMS Argus"), s("CA-301"), None),
        ("- Vigilant “HMS Argus”, CA-301 (412 points)", None, "Vigilant", s("HMS Argus"), s("CA-301"), Some(412)),
        ("* 2× Tern (120 pts each)", Some(2), "Tern", None, None, Some(120)),
        ("1. Tern, DD-12", None, "Tern", None, s("DD-12"), None),
        ("12) Saint Louis - 300 points", None, "Saint Louis", None, None, Some(300)),
        ("> > • x4 Petrel", Some(4), "Petrel", None, None, None),
        ("Tern x3", Some(3), "Tern", None, None, None),
        ("- 3 Terns", Some(3), "Tern", None, None, None),
        ("Tern DD-7", None, "Tern", None, s("DD-7"), None),
        ("- saint louis HMS Good Hope", None, "Saint Louis", s("HMS Good Hope"), None, None),
        ("- Vigilant-class „Argus“", None, "Vigilant-class", s("Argus"), None, None),
        ("- Type 45, D-32", None, "Type 45", None, s("D-32"), None),
        ("[b]2 x Tern[/b] @ 99", Some(2), "Tern", None, None, Some(99)),
        ("[*]Tern «Sterna» D-1", None, "Tern", s("Sterna"), s("D-1"), None),
        ("-\u{a0}2\u{a0}x\u{a0}Tern\u{200b}\t\"A  B\"", Some(2), "Tern", s("A B"), None, None),
        ("- Unknown Thing", None, "Unknown Thing", None, None, None),
    ] {
        let got = one(line);
        let class = if class == "Vigilant-class" { "Vigilant" } else { class };
        assert_eq!(got, (count, class.to_owned(), name, hull, points), "{line}");
    }
}

#[test]
fn a_hand_written_list_is_read_and_what_is_not_understood_is_named() {
    let text = "The Third Squadron\r\n\r\nTotal: 1500 / 2000\r\nCaptain: nobody\r\n\r\n2x Tern\r\n3 x Vigilat\r\n\r\nsee you on Friday\r\n\
                - Petrel, DD-1\r\n  Notes: she burnt\r\n    at Yeltsin\r\n  Damage: structure 1–4, 7; laser_port 1\r\n  tow: 2\r\n";
    let list = list(text);
    assert_eq!(list.name.as_deref(), Some("The Third Squadron"));
    assert_eq!((list.points, list.budget), (Some(1500), Some(2000)));
    assert_eq!(list.ships.iter().map(|ship| &*ship.class).collect::<Vec<_>>(), ["Tern", "Vigilat", "Petrel"]);
    let last = &list.ships[2];
    assert_eq!(last.notes.as_deref(), Some("she burnt at Yeltsin"));
    assert_eq!(last.damage, [("structure".to_owned(), "1-4, 7".to_owned()), ("laser_port".to_owned(), "1".to_owned())]);
    assert_eq!(last.carried, [ListCarried { relation: "tow".into(), plain: Some(2), ships: Vec::new() }]);
    assert_eq!(list.unread, [(4, "captain: nobody".to_owned()), (9, "see you on Friday".to_owned())]);
    let lines: Vec<u32> = list.findings.iter().map(|finding| finding.at.line).collect();
    assert_eq!(lines, [4, 9]);
    let toml = list.to_toml();
    assert!(toml.contains("# line 9: see you on Friday"), "{toml}");
    let fleet = Fleet::read(&Source::new("f.toml", &toml)).unwrap();
    assert_eq!((fleet.ships.len(), fleet.budget.unwrap().points), (3, 2000));
}

#[test]
fn a_class_that_is_not_known_is_never_made_another_in_silence() {
    let by_hand = list("- Vigilant Mk II\n- Vigilant Mk II, \n- Vigilant Mk II \"X\", CA-1\n");
    assert_eq!(by_hand.ships[0].class, "Vigilant");
    assert_eq!((by_hand.findings.len(), by_hand.findings[0].at.line), (1, 1), "{:?}", by_hand.findings);
    assert_eq!((&*by_hand.ships[1].class, &*by_hand.ships[2].class), ("Vigilant Mk II", "Vigilant Mk II"));
    let ours =
        list(&format!("- Vigilant Mk II (12 points)\n- 3 x Terns\n  Tow: Tern DD-1\n\n{}\n", item_start::FOOTER));
    assert_eq!(ours.ships[0].class, "Vigilant Mk II");
    assert_eq!((&*ours.ships[1].class, &*ours.ships[1].carried[0].ships[0].class), ("Terns", "Tern DD-1"));
    assert!(ours.findings.is_empty(), "{:?}", ours.findings);
}

/// Every usual mark before a ship, and every usual way to write two of a class.
const MARKS: [&str; 23] = [
    "", "- ", "* ", "+ ", "• ", "● ", "○ ", "▪ ", "■ ", "➤ ", "→ ", "☐ ", "☑ ", "✔ ", "★ ", "⚓ ", "-", "•", "●",
    "1. ", "2) ", "- [ ] ", "[x] ",
];
#[rustfmt::skip]
const PAIRS: [&str; 36] = [
    "2x Petrel", "2 x Petrel", "2X Petrel", "2× Petrel", "2xPetrel", "x2 Petrel", "(2x) Petrel", "(x2) Petrel",
    "[2x] Petrel", "2, Petrel", "2; Petrel", "2: Petrel", "2 - Petrel", "2 – Petrel", "2 Petrels", "two Petrels",
    "Petrel x2", "Petrel x 2", "Petrel (x2)", "Petrel, 2x", "**2x Petrel**", "2x Petrel (442 points)",
    "2\tPetrel\t442", "2 off Petrel", "2 of Petrel", "2 ships: Petrel", "qty 2 Petrel", "Qty: 2 Petrel",
    "Quantity 2, Petrel", "Petrel 2 off", "Petrel, 2 off", "Petrel - 2 ships", "Petrel qty 2", "Petrel, qty. 2",
    "Petrel (qty: 2)", "Petrel (2 off)",
];

#[test]
fn no_ship_is_lost_whatever_mark_or_count_it_has() {
    for mark in MARKS {
        for pair in PAIRS {
            for end in ["\n", "\r\n", "\n\n", "  \n"] {
                let text = format!("Fleet: T{end}{end}- Vigilant, CA-1{end}{mark}{pair}{end}- Tern{end}");
                let list = list(&text);
                let ships: Vec<_> = list.ships.iter().map(|ship| (ship.count.unwrap_or(1), &*ship.class)).collect();
                assert_eq!(ships, [(1, "Vigilant"), (2, "Petrel"), (1, "Tern")], "{text:?}: {list:?}");
                assert_eq!(list.ships[0].hull_number.as_deref(), Some("CA-1"), "{text:?}");
                assert!(list.unread.is_empty() && list.name.as_deref() == Some("T"), "{text:?}");
            }
        }
    }
}

#[test]
fn a_line_that_is_no_ship_is_reported_and_added_to_none() {
    for (line, near) in [
        ("Petral", Some("Petrel")),
        ("2 Petrals", Some("Petrel")),
        ("2\tPetral\t442", Some("Petrel")),
        ("== Escorts ==", None),
        ("Escorts", None),
        ("Destroyers:", None),
        ("led by Anna", None),
    ] {
        for before in ["- Vigilant, CA-1", "- Vigilant, CA-1\n  Notes: veterans", "- Vigilant, CA-1\n  Captain: Anna"] {
            let list = list(&format!("{before}\n{line}\n- Tern\n"));
            assert_eq!(list.ships.len(), 2, "{before} {line}: {list:?}");
            let first = &list.ships[0];
            assert_eq!(first.hull_number.as_deref(), Some("CA-1"), "{before} {line}");
            assert!(first.notes.as_deref().is_none_or(|notes| notes == "veterans"), "{first:?}");
            assert!(first.captain.as_deref().is_none_or(|captain| captain == "Anna"), "{first:?}");
            let [finding] = list.findings.as_slice() else { panic!("{before} {line}: {:?}", list.findings) };
            assert_eq!(&*finding.code, "not-understood");
            let help = finding.help.clone().unwrap_or_default();
            assert_eq!(help.contains("did you mean"), near.is_some(), "{line}: {help}");
            assert!(near.is_none_or(|near| help.contains(near)), "{line}: {help}");
            assert!(list.to_toml().contains("# line "), "{line}");
        }
    }
    // A class alone is a ship, after notes as well; a rule of dashes is nothing.
    let text = "Fleet: T\nPetrel\n3 x Tern\nNotes: veterans\nQuiver\n-----\n";
    let list = list(text);
    assert_eq!(list.ships.iter().map(|ship| &*ship.class).collect::<Vec<_>>(), ["Petrel", "Tern", "Quiver"]);
    assert!(list.findings.is_empty() && list.name.as_deref() == Some("T"), "{list:?}");
}

#[test]
fn numbers_of_rows_are_no_counts() {
    let counts = |text: &str| {
        let list = list(text);
        let counts: Vec<u32> = list.ships.iter().map(|ship| ship.count.unwrap_or(1)).collect();
        (counts, list.findings.iter().map(|finding| finding.message.to_string()).collect::<Vec<_>>())
    };
    let rows = "read 1 to 3 as the numbers of the rows, each of one ship".to_owned();
    for head in ["No.", "#", "number"] {
        assert_eq!(
            counts(&format!("| {head} | Ship |\n|:-:|:--|\n| 1 | Tern |\n| 2 | Petrel |\n| 3 | Quiver |\n")),
            (vec![1, 1, 1], vec![rows.clone()])
        );
        // Numbers that are not those of the rows are counts.
        let (found, said) = counts(&format!("| {head} | Ship |\n|---|---|\n| 2 | Tern |\n| 1 | Petrel |\n"));
        assert_eq!((found, said.len()), (vec![2, 1], 0), "{said:?}");
    }
    assert_eq!(counts("| count | Ship |\n|---|---|\n| 1 | Tern |\n| 2 | Petrel |\n"), (vec![1, 2], vec![]));
}

#[test]
fn what_is_struck_out_is_no_ship_and_is_named() {
    for struck in [
        "~~Petrel~~",
        "- ~~2x Petrel~~",
        "~~- Petrel, DD-1~~",
        "2x ~~Petrel~~",
        "- ~Petrel~",
        "[s]- Petrel[/s]",
        "- [S]Petrel[/S]",
        "- <del>Petrel</del>",
        "- P\u{336}e\u{336}t\u{336}r\u{336}e\u{336}l\u{336}",
        "| ~~2~~ | ~~Petrel~~ |",
        "[s]\n- Petrel\n[/s]",
    ] {
        let list = list(&format!("- Vigilant, CA-1\n{struck}\n- Tern\n"));
        let ships: Vec<_> = list.ships.iter().map(|ship| &*ship.class).collect();
        assert_eq!(ships, ["Vigilant", "Tern"], "{struck}: {list:?}");
        let [finding] = list.findings.as_slice() else { panic!("{struck}: {:?}", list.findings) };
        assert!(finding.message.contains("Petrel") && finding.message.contains("struck out"), "{}", finding.message);
        assert!(list.to_toml().contains("# line "), "{struck}");
    }
    // What follows is the struck ship's; what stands beside is read; a tilde alone strikes nothing out.
    let text = "- Vigilant\n- ~~Petrel~~\n  Captain: Anna\n  Damage: structure 1\n- ~~2x~~ 3x Tern\n  ~~Notes: old~~\n  Owner: Bo\n- Tern ~120 points\n";
    let list = list(text);
    let ships: Vec<_> = list.ships.iter().map(|ship| (ship.count.unwrap_or(1), &*ship.class)).collect();
    assert_eq!(ships, [(1, "Vigilant"), (3, "Tern"), (1, "Tern")], "{list:?}");
    assert!(list.ships[0].captain.is_none() && list.ships[0].damage.is_empty(), "{list:?}");
    assert_eq!((list.ships[1].owner.as_deref(), &list.ships[1].notes), (Some("Bo"), &None));
    let lines: Vec<u32> = list.unread.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [2, 3, 4, 5, 6]);
}

#[test]
fn a_wrapped_line_goes_on() {
    let long =
        "- Saint Louis \"HMS Admiral of the Fleet Sir Cloudesley Shovell of\nCockthorpe in Norfolk\", CA-1\n- Tern\n";
    let list = list(long);
    let first = &list.ships[0];
    assert_eq!(list.ships.len(), 2, "{list:?}");
    assert_eq!(
        (first.name.as_deref(), first.hull_number.as_deref()),
        (Some("HMS Admiral of the Fleet Sir Cloudesley Shovell of Cockthorpe in Norfolk"), Some("CA-1"))
    );
    let quoted = self::list("- Tern \"HMS\n Argus\", D-1\n- Petrel \"HMS\nPetrel\n");
    assert_eq!(quoted.ships[0].name.as_deref(), Some("HMS Argus"));
    assert_eq!(quoted.ships.len(), 3, "a quotation that is never closed takes no ship: {quoted:?}");
    let notes =
        "- Petrel\n  Notes: she was at Yeltsin, where she lost both of her chase\n  Tern and Petrel saw it\n- Tern\n";
    let notes = self::list(notes);
    assert_eq!(notes.ships.len(), 2, "{notes:?}");
    assert!(notes.ships[0].notes.as_deref().is_some_and(|notes| notes.ends_with("chase Tern and Petrel saw it")));
}

#[test]
fn what_a_ship_takes_along_is_read_without_a_label() {
    let known = KnownNames::new(CLASSES.map(str::to_owned), ["tow".to_owned()]);
    let read = |text: &str| read_list(&Source::new("list.txt", text), &known);
    for text in [
        "- Vigilant \"V\"\n  Tow: 2 x Quiver (160 points)\n- Tern",
        "- Vigilant \"V\"\n  with 2 x Quiver\n- Tern",
        "- Vigilant \"V\"\n  - towing 2x Quiver\n- Tern",
        "- Vigilant \"V\" with 2 x Quiver\n- Tern",
    ] {
        let list = read(text);
        assert_eq!(list.ships.len(), 2, "{text}: {list:?}");
        let pods = &list.ships[0].carried[0];
        let pod = &pods.ships[0];
        assert_eq!((&*pods.relation, pod.count, &*pod.class, &pod.name), ("tow", Some(2), "Quiver", &None), "{text}");
        assert_eq!(list.ships[0].name.as_deref(), Some("V"));
        assert!(list.findings.is_empty(), "{text}: {:?}", list.findings);
    }
    let list = read("- Vigilant \"V\"\n  Tow: 2 x Quiver (160 points)\n  Veteran crew\n- Tern");
    assert_eq!(list.unread, [(3, "Veteran crew".to_owned())]);
}

#[test]
fn rows_of_tables_are_ships() {
    let known = KnownNames::new(CLASSES.map(str::to_owned), ["tow".to_owned()]);
    let read = |text: &str| read_list(&Source::new("list.csv", text), &known);
    let of = |list: &FleetList| -> Vec<String> {
        let word = |word: &Option<String>| word.clone().unwrap_or_default();
        let line = |ship: &ListShip| {
            let (count, points) = (ship.count.unwrap_or(1), ship.points.unwrap_or(-1));
            let words = format!("{count} {} {} {} {points}", ship.class, word(&ship.name), word(&ship.hull_number));
            clean::collapse_spaces(&words)
        };
        list.ships.iter().map(line).collect()
    };
    for text in [
        "Qty\tClass\tName\tPoints\n2\tPetrel\t\t442\n1\tTern\tArgus\t99\n",
        "| Qty | Class | Name | Pts |\n|---|---|---|---|\n| 2 | Petrel | | 442 |\n| 1 | Tern | Argus | 99 |\n",
        "\u{feff}qty;class;name;points\r\n2;Petrel;;442\r\n1;Tern;\"Argus\";99\r\n",
        "sep=,\nname,class,points,count\nPetrel,Petrel,442,2\nArgus,Tern,99,1\n",
    ] {
        let list = read(text);
        assert_eq!(of(&list), ["2 Petrel 442", "1 Tern Argus 99"], "{text}");
        assert!(list.findings.is_empty(), "{text}: {:?}", list.findings);
    }
    // The row of a Markdown table that says how columns are aligned; a heading of which too little is known.
    assert_eq!(of(&read("| # | Ship |\n|:-:|:--|\n| 2 | Tern |\n")), ["2 Tern -1"]);
    let list = read("| n | ship |\n|---|---|\n| 2 | Tern |\n");
    assert_eq!((list.name.as_deref(), of(&list)), (None, vec!["2 Tern -1".to_owned()]));
    assert_eq!(list.unread, [(1, "| n | ship |".to_owned())]);
    // Places are those of the text, whatever ends its lines.
    for end in ["\n", "\r\n"] {
        let list = read(&["Count;Name;Points", "2;Tern;15", "x;Petrel;442"].join(end));
        assert_eq!(list.ships.iter().map(|ship| ship.line).collect::<Vec<_>>(), [2, 3], "{list:?}");
    }
    assert_eq!(of(&read("Petrel\t2\t442\nTern\t99\nQuiver\t3\n")), ["2 Petrel 442", "1 Tern 99", "3 Quiver -1"]);
    assert_eq!(of(&read("2, Petrel, DD-1, 442\n")), ["2 Petrel DD-1 442"]);
    let roster = "fleet,side,group,hull_number,ship,class,points,towed_by,damage,notes,left_out\n\
                  F,Red,Screen,CA-1,\"Argus, II\",Vigilant,900,,,\"two\nlines\",\nF,Red,Screen,,Quiver,Quiver,160,CA-1,,,\n\
                  F,Red,,'-5,Tern,Tern,99,,structure 1-2 of 9,,\nF,Red,,,Nobody,,,,,,unknown class\n";
    let list = read(roster);
    assert_eq!((list.name.as_deref(), list.side.as_deref(), list.groups.len()), (Some("F"), Some("Red"), 1));
    assert_eq!(of(&list), ["1 Vigilant Argus, II CA-1 900", "1 Tern -5 99"]);
    assert_eq!(list.ships[0].notes.as_deref(), Some("two\nlines"));
    assert_eq!((&*list.ships[0].carried[0].relation, &*list.ships[0].carried[0].ships[0].class), ("tow", "Quiver"));
    assert_eq!(list.ships[0].group.as_deref(), Some("screen"));
    let found: Vec<(u32, &str)> = list.findings.iter().map(|finding| (finding.at.line, &*finding.message)).collect();
    assert!(
        found.len() == 2 && found[0].1.contains("structure 1-2 of 9") && found[1].1.contains("Nobody"),
        "{found:?}"
    );
}

#[test]
fn a_number_that_may_be_points_is_said_to_be_read_as_a_count() {
    let list = list("- Petrel (3)\n- Tern (120)\n");
    assert_eq!((list.ships[0].count, list.ships[0].points), (Some(3), None));
    assert_eq!((list.ships[1].count, list.ships[1].points), (None, Some(120)));
    assert_eq!(list.findings.iter().map(|finding| &*finding.code).collect::<Vec<_>>(), ["count-guessed"]);
}

/// Numbers of rows from a spreadsheet may be counts: said where one name stands beside it.
#[test]
fn a_number_in_a_row_with_one_name_is_said_to_be_read_as_a_count() {
    let list = list("1\tTern\tHMS A\n2\tTern\tHMS B\n3\tTern\nPetrel\tHMS C\t6\n2x\tTern\tHMS D\n");
    let counts: Vec<_> = list.ships.iter().map(|ship| ship.count.unwrap_or(1)).collect();
    assert_eq!(counts, [1, 2, 3, 6, 2]);
    let told: Vec<_> = list.findings.iter().map(|finding| (&*finding.code, finding.at.line)).collect();
    assert_eq!(told, [("count-guessed", 2), ("count-guessed", 4)]);
}

#[test]
fn a_game_is_found_in_its_line() {
    let of = |text: &str| named_game(text);
    let s = |text: &str| Some(text.to_owned());
    assert_eq!(of("Game: Wars of Honor 1.0 (wars-of-honor)"), (s("wars-of-honor"), s("Wars of Honor 1.0")));
    assert_eq!(of("> [b]Game:[/b]\u{a0}Star Navy"), (None, s("Star Navy")));
    assert_eq!(of("Game: X (not an id!)"), (None, s("X (not an id!)")));
    assert_eq!(of("2x Tern"), (None, None));
}

/// How a forum shows a list: what stands around it, before and after each line, and between two words.
const TREATMENTS: [[&str; 5]; 8] = [
    ["", "", "\n", " ", ""],
    ["[quote=Anna][code]\n", "", "\n", " ", "[/code][/quote]\n"],
    ["```\n", "", "\n", " ", ""],
    ["", "> > ", "\n", " ", ""],
    ["", "", "\t\r\n", " ", ""],
    ["", "", "\n", "\u{a0}", ""],
    ["", "", "\t\r\n", "\u{a0}", ""],
    ["", "> > ", "\t\r\n", "\u{a0}", ""],
];

fn treated(text: &str, [start, before, after, space, end]: [&str; 5]) -> String {
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(space);
    let lines: String = text.lines().map(|line| format!("{before}{}{after}", words(line))).collect();
    format!("{start}{lines}{end}")
}

fn word() -> impl Strategy<Value = String> {
    "[A-Za-z][a-zà-ÿ0-9'’./&-]{0,9}( [A-Z0-9][a-z0-9é-]{0,7}){0,3}"
}

fn notes() -> impl Strategy<Value = String> {
    proptest::collection::vec("[A-Z][a-z]{1,9}( [a-z0-9,.;()=!?’\"-]{1,12}){0,30}", 1..4)
        .prop_map(|lines| lines.iter().map(|line| clean::collapse_spaces(line)).collect::<Vec<_>>().join("\n"))
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i64>().prop_map(|n| n.to_string()),
        any::<bool>().prop_map(|flag| flag.to_string()),
        "[a-z][a-z0-9-]{0,8}".prop_map(|word| value::quoted(&word)),
        "[ -~àé“”;#]{0,20}".prop_map(|text| value::quoted(&clean::collapse_spaces(&text))),
        Just("[1, { a = \"x; y\", b = [] }, \"]\"]".to_owned()),
    ]
}

fn ship(carries: bool) -> impl Strategy<Value = ListShip> {
    let some = |strategy: BoxedStrategy<String>| proptest::option::of(strategy);
    let load = (
        "[a-z][a-z-]{0,8}[a-z]",
        proptest::option::of("[a-z]{1,8}"),
        proptest::collection::vec(("[a-z][a-z_]{0,6}", value()), 0..3),
    );
    let load = load.prop_map(|(system, mount, values)| ListLoad { system, mount, values });
    let damage = proptest::collection::btree_map("[a-z][a-z_]{0,8}", "[1-9]{1,2}(, [1-9]{1,2}-[1-9]{2,3}){0,3}", 0..3);
    let who = (
        proptest::option::of(2_u32..40),
        prop_oneof![proptest::sample::select(CLASSES.map(str::to_owned).to_vec()), word()],
        some(prop_oneof![word().boxed(), "[A-Z] \"[a-z]{1,5}\" [a-z()]{1,6}".boxed()].boxed()),
        some("[A-Z]{1,3}-[0-9]{1,4}".boxed()),
        some(word().boxed()),
        some(word().boxed()),
        some(notes().boxed()),
        proptest::option::of(0_i64..5000),
    );
    let pods = if carries { 0..3_usize } else { 0..1 };
    (who, proptest::collection::vec(load, 0..3), damage, proptest::collection::vec(any::<u8>(), pods)).prop_map(
        |((count, class, name, hull_number, captain, owner, notes, points), loads, damage, pods)| {
            let mut carried = Vec::new();
            for (n, what) in pods.iter().take(2).enumerate() {
                let relation = RELATIONS[n].to_owned();
                let pod = ListShip {
                    class: "Quiver".into(),
                    count: (*what > 9).then_some(u32::from(*what)),
                    ..ListShip::default()
                };
                carried.push(match what % 3 {
                    0 => ListCarried { relation, plain: Some(i64::from(*what)), ships: Vec::new() },
                    1 => ListCarried { relation, plain: None, ships: vec![pod] },
                    _ => ListCarried {
                        relation,
                        plain: None,
                        ships: vec![
                            pod.clone(),
                            ListShip { class: "A, B \"C\"".into(), name: Some("x".into()), ..pod },
                        ],
                    },
                });
            }
            let damage = damage.into_iter().collect();
            ListShip {
                line: 0,
                count,
                class,
                name,
                hull_number,
                captain,
                owner,
                group: None,
                notes,
                points,
                carried,
                loads,
                damage,
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_reads_as_the_same(
        name in proptest::option::of(word()),
        side in proptest::option::of(word()),
        budget in proptest::option::of(0_i64..9999),
        colour in proptest::option::of("#[0-9a-f]{6}"),
        errors in 0_usize..3,
        notes in proptest::option::of(notes()),
        ships in proptest::collection::vec(ship(true), 1..6),
        fields in proptest::collection::btree_map("[a-z][a-z_]{0,8}", value(), 0..9),
    ) {
        let class = ListClass {
            name: "Own Class".into(),
            notes: notes.clone(),
            fields: fields.clone().into_iter().collect(),
            fits: ships.iter().flat_map(|ship| &ship.loads).map(|what| ListFit { count: 3, load: what.clone() }).collect(),
            systems: vec![fields.into_iter().chain([("id".to_owned(), "\"x\"".to_owned())]).collect()],
        };
        let list = FleetList {
            ruleset: Some("g".into()), game: Some("Game, version 1".into()), name, side, budget, points: budget, notes,
            pattern: colour.as_ref().map(|_| "dots".to_owned()), colour, errors,
            groups: vec![ListGroup { id: "first".into(), kind: Some("formation".into()), name: Some("Squadron 4".into()), notes: Some("a\nb".into()) }],
            ships, designs: vec![class], ..FleetList::default()
        };
        let mut known = known();
        known.add(list.ships.iter().map(|ship| ship.class.clone()));
        let text = text::list_text(&list, &known);
        let again = |text: &str| {
            let mut again = read_list(&Source::new("l", text), &known);
            again.ships.iter_mut().for_each(ListShip::forget_lines);
            again
        };
        prop_assert_eq!(&again(&text), &list, "{}", text);
        for treatment in TREATMENTS {
            prop_assert_eq!(&again(&treated(&text, treatment)), &list, "{}", treated(&text, treatment));
        }
        let fleet = Fleet::read(&Source::new("f.toml", &list.to_toml()));
        prop_assert!(fleet.is_ok(), "{:?}\n{}", fleet, list.to_toml());
    }

    #[test]
    fn anything_is_read_and_makes_a_file_of_toml(text in "(\\PC{0,40}|[a-zA-Z:;=\\[\\]{}\"“” 0-9x.-]{0,60}|- |Tow: |Load: |Fit: |Fields: |System: |Damage: |Design: |Group |\n){0,40}") {
        let list = list(&text);
        let file = Source::new("f.toml", &list.to_toml());
        let fleet = Fleet::read(&file);
        prop_assert!(fleet.is_ok() || Design::read(&file).is_ok() || list.ships.is_empty(), "{:?}\n{}", fleet, file.text);
    }
}
