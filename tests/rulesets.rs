//! The built-in rulesets: they load, their sample designs come to the figures worked out by hand, every check speaks when it
//! should, and what is wrong with a ruleset is told with its place. Expected messages stand beside their inputs.

use crate::support::rules;
use moldloft::design::{Design, RelationUse, Ship};
use moldloft::evaluate::{Evaluation, evaluate, evaluate_for_findings, explain, number_counters, report_json};
use moldloft::finding::Place;
use moldloft::formula::Value;
use moldloft::ruleset::Ruleset;
use moldloft::source::Source;
use rules::{check, expected, folder, load, root, rows, said, source, value};

#[test]
fn the_worked_examples_come_to_the_printed_figures() {
    let rules = load("wars-of-honor");
    // mass, structure rows, half, R, sidewall, thrust, wave, slow, full, points
    type Figures = (&'static str, i64, &'static [u32], [i64; 3], [i64; 3], [i64; 2]);
    let figures: [Figures; 6] = [
        ("ca", 125, &[9, 7, 7, 7, 7], [19, 1, 9], [16, 8, 8], [1732, 1732]),
        ("ca-haven", 125, &[9, 7, 7, 7, 7], [19, 1, 9], [16, 8, 8], [1732, 1628]),
        ("dd", 50, &[3, 3, 3, 3, 3], [8, 0, 3], [8, 4, 4], [442, 442]),
        ("lac", 17, &[1, 1, 1, 1, 1], [3, 0, 1], [3, 0, 3], [167, 167]),
        ("freighter", 94, &[6, 3, 3, 3, 3], [9, 0, 6], [6, 4, 2], [324, 210]),
        ("pod", 10, &[3], [2, 0, 0], [0, 0, 0], [160, 160]),
    ];
    for (name, mass, structure, [half, repair, sidewall], [thrust, wave, slow], [full, points]) in figures {
        let ship = check(&rules, &format!("tests/cases/wars-of-honor/good/{name}.toml"));
        assert!(ship.legal, "{name}: {}", said(&ship.findings));
        assert_eq!(value(&ship, "mass"), mass, "{name}");
        assert_eq!(rows(&ship, "structure"), structure, "{name}");
        assert_eq!(value(&ship, "structure"), structure.iter().map(|n| i64::from(*n)).sum::<i64>(), "{name}");
        assert_eq!(
            [value(&ship, "half_mark"), value(&ship, "repair"), value(&ship, "sidewall")],
            [half, repair, sidewall],
            "{name}"
        );
        assert_eq!(
            [value(&ship, "thrust"), value(&ship, "thrust_wave"), value(&ship, "thrust_slow")],
            [thrust, wave, slow],
            "{name}"
        );
        assert_eq!([value(&ship, "points_full"), value(&ship, "points")], [full, points], "{name}");
        for side in ["sidewall_port", "sidewall_starboard"] {
            assert_eq!(rows(&ship, side).iter().map(|n| i64::from(*n)).sum::<i64>(), sidewall, "{name}");
        }
        let track = ship.tracks.iter().find(|track| &*track.id == "structure").unwrap();
        // A dot where repair is halved: none where there is no repair.
        let dots = track.marks.iter().filter(|mark| &*mark.icon == "dot" && mark.at > 0);
        let dots: Vec<i64> = dots.map(|mark| i64::from(mark.at)).collect();
        assert_eq!(dots, if repair > 0 { vec![half] } else { Vec::new() }, "{name}");
        let checks: Vec<&str> = track.row_labels[0].1.iter().map(|label| &**label).collect();
        assert_eq!(checks, if structure.len() == 1 { vec![""] } else { vec!["6", "5", "4", "3", ""] }, "{name}");
    }
}

#[test]
fn every_ruleset_loads_and_its_designs_cost_what_their_lines_add_up_to() {
    for path in folder("rulesets") {
        let id = path.trim_start_matches("rulesets/").trim_end_matches(".toml");
        let rules = load(id);
        assert_eq!(&*rules.id, id);
        let base = rules.templates.last().unwrap().clone();
        let mut designs = if root().join(format!("designs/{base}")).is_dir() {
            folder(&format!("designs/{base}"))
        } else {
            Vec::new()
        };
        let drafts = folder("tests/cases/drafts").into_iter().chain(folder("tests/cases/wars-of-honor/good"));
        designs.extend(
            drafts.filter(|path| Design::read(&source(path)).unwrap().ruleset.is_some_and(|word| word.text == base)),
        );
        assert!(!designs.is_empty(), "{id} has no design to try");
        for design in designs {
            let ship = check(&rules, &design);
            let sum: i64 = ship.costs.iter().map(|line| line.total).sum();
            if !rules.costs.is_empty() {
                assert_eq!(Some(sum), ship.points, "{design} under {id}: {:?}", ship.costs);
            }
            let json = report_json(&ship);
            let keys: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(
                keys,
                [
                    "file",
                    "ruleset",
                    "name",
                    "legal",
                    "values",
                    "points",
                    "costs",
                    "tracks",
                    "tables",
                    "findings",
                    "own_systems"
                ]
            );
            assert_eq!(json.to_string(), report_json(&check(&rules, &design)).to_string(), "the same twice");
            for value in &ship.values {
                assert!(!explain(&ship, Some(&value.id)).is_empty(), "{design}: {}", value.id);
            }
        }
    }
}

#[test]
fn five_different_games_come_to_figures_worked_out_by_hand() {
    let ship = check(&load("sky-full-of-ships"), "tests/cases/drafts/swordfish.toml");
    // 6 mass, strongest arc 2 + 1 masses at 2, secondary 1 and three bays at 1.
    assert_eq!(ship.points, Some(6 + 2 * 3 + 1 + 3));
    let json = report_json(&ship);
    let weapons = json["tracks"]["weapons"]["cells"].as_array().unwrap();
    let box_of = |n: usize, id: &str| weapons[n - 1][id].as_i64().unwrap();
    // Half of the boxes left (the fourth of six): exactly half; rounded to nearest between, halves up.
    assert_eq!([box_of(1, "forward"), box_of(4, "forward"), box_of(2, "forward"), box_of(6, "left")], [8, 4, 7, 1]);
    assert_eq!(
        json["tracks"]["hull"]["cells"].as_array().unwrap().iter().filter(|cell| cell["icon"] == "bay").count(),
        3
    );
    assert_eq!(json["values"]["class_name"], "heavy cruiser");

    let ship = check(&load("battleships-1890s"), "tests/cases/drafts/thunderer.toml");
    assert_eq!(ship.points, Some(12 + 2 * 8 + 3 + 3 + 2));
    let flotation = ship.tracks.iter().find(|track| &*track.id == "flotation").unwrap();
    assert_eq!((flotation.rows.as_slice(), flotation.marks[0].at), (&[12][..], 6));

    let ship = check(&load("star-navy"), "tests/cases/drafts/milwaukee.toml");
    let outer = 6 * (5 + 5 * 2 + 3 * 4 + 3);
    assert_eq!(ship.points, Some(outer + 6 * 5 + 3 * 3 + 4 * 2 + 4 * 4 + 3 * 3));
    assert_eq!(rows(&ship, "status_left-front"), [5]);
    assert!(ship.findings.iter().any(|finding| finding.code == "weapon-types-differ"));

    let ship = check(&load("b5-house-rules"), "tests/cases/drafts/narn.toml");
    assert_eq!(value(&ship, "accel_steps"), 4);
    let delays = ship.tables.iter().find(|table| &*table.id == "turn_delay").unwrap();
    let column = |speed: &str| {
        let at = delays.columns.iter().position(|column| &*column.label == speed).unwrap();
        delays.rows[..4].iter().map(|row| if let Value::Int(n) = row[at] { n } else { 0 }).collect::<Vec<_>>()
    };
    assert_eq!((column("7"), column("6")), (vec![4, 5, 5, 6], vec![3, 4, 4, 5]));
    assert_eq!(rows(&ship, "flight_1"), [5; 6]);
    assert!(ship.legal, "{}", said(&ship.findings));
}

#[test]
fn a_house_layer_changes_what_it_names_and_nothing_else() {
    let (plain, house) = (load("wars-of-honor"), load("woh-lasers"));
    let path = "tests/cases/wars-of-honor/good/ca-haven.toml";
    let (before, after) = (check(&plain, path), check(&house, path));
    assert_eq!(
        value(&after, "points_full"),
        value(&before, "points_full") + 6 * 2 + 6,
        "six lasers at 12 rather than 10, six grasers at 16 rather than 15"
    );
    assert_eq!(rows(&after, "structure"), [7, 6, 6, 6, 6, 6]);
    assert_eq!(value(&after, "mass"), value(&before, "mass"));
    assert!(after.assumptions.is_empty(), "what a layer wrote anew is no guess: {:?}", after.assumptions);
    assert_eq!(house.rules_title(), "Wars of Honor 1.0 + Our lasers 1.0 (* house)");
    let starred: Vec<&str> = after.costs.iter().filter(|line| line.house).map(|line| &*line.label).collect();
    assert_eq!(starred, ["laser", "graser", "Republic of Haven: 6 % off"]);
    assert!(before.costs.iter().all(|line| !line.house));
    let defence = |ship: &Evaluation| report_json(ship)["tables"]["missiles"][0]["defence"].clone();
    assert_eq!((defence(&before), defence(&after)), (3.into(), 4.into()));
    let order: Vec<&str> = house.systems.iter().map(|system| &*system.id).collect();
    let laser = order.iter().position(|id| *id == "laser").unwrap();
    assert_eq!(order[laser + 1], "ion-cannon");
}

#[test]
fn what_is_wrong_with_a_ruleset_is_told_with_its_place() {
    let mut faults = Vec::new();
    for path in folder("tests/cases/rulesets") {
        let (ruleset, findings) = Ruleset::load(&source(&path));
        assert!(ruleset.is_none(), "{path} loads");
        assert!(findings.iter().all(|finding| finding.at.line > 0), "{path}: {}", said(&findings));
        faults.extend(expected(&path, &said(&findings)).err());
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[test]
fn counters_are_numbered_in_one_series_over_a_job() {
    let rules = load("wars-of-honor");
    let mut ships = [
        check(&rules, "tests/cases/wars-of-honor/good/ca.toml"),
        check(&rules, "tests/cases/wars-of-honor/good/lac.toml"),
    ];
    number_counters(&mut ships);
    let missiles = |ship: &Evaluation| -> Vec<(u32, u32)> {
        ship.counters
            .iter()
            .filter(|counter| &*counter.id == "missile")
            .map(|counter| (counter.first.unwrap(), counter.count))
            .collect()
    };
    let mut next = 101;
    for (first, count) in ships.iter().flat_map(missiles) {
        assert_eq!(first, next);
        next += count;
    }
    assert_eq!(next, 101 + 70 + 6);
}

#[test]
fn towing_takes_the_beta_nodes_and_has_a_limit() {
    let rules = load("wars-of-honor");
    let design = Design::read(&source("tests/cases/wars-of-honor/good/ca.toml")).unwrap();
    let one = evaluate(&rules, &design, &towing(1));
    assert_eq!((value(&one, "thrust"), one.legal), (8, true));
    let two = evaluate(&rules, &design, &towing(2));
    assert!(two.findings.iter().any(|finding| finding.code == "tow-over-limit"), "{}", said(&two.findings));
}

#[test]
fn an_empty_sheet_and_the_reference_sheet_have_no_ship() {
    let rules = load("wars-of-honor");
    let blank = Evaluation::blank(&rules, "ship").unwrap();
    // What the rules say of every ship stays.
    let known: Vec<&str> =
        blank.values.iter().filter(|value| value.value != Value::Null).map(|value| &*value.id).collect();
    assert_eq!((known, blank.tracks.len()), (vec!["structure_rows"], 0));
    let reference = Evaluation::blank(&rules, "reference").unwrap();
    let missiles = reference.tables.iter().find(|table| &*table.id == "missiles").unwrap();
    assert_eq!((missiles.rows.len(), missiles.columns.len()), (10, 6));
    assert!(Evaluation::blank(&rules, "none").is_none());
}

/// A ship with so many pods in tow.
/// Every `total(…)` of every sample: count × each is each line's sum, and the lines add up to the total, which is the value where a
/// formula is nothing else.
#[test]
fn what_explain_says_of_a_total_adds_up() {
    let (mut totals, mut parts) = (0, 0);
    for game in folder("rulesets") {
        let id = game.trim_start_matches("rulesets/").trim_end_matches(".toml");
        let rules = load(id);
        let base = if root().join("designs").join(id).is_dir() { id } else { &*rules.base.id };
        for path in folder(&format!("designs/{base}")) {
            let of = check(&rules, &path);
            let all: Vec<String> = of.values.iter().map(|value| value.id.to_string()).collect();
            for asked in all.iter().map(|id| Some(id.as_str())).chain([None, Some("costs")]) {
                let lines = explain(&of, asked);
                for (n, line) in lines.iter().enumerate() {
                    let alone = line.formula.starts_with("total(") && line.formula.matches('(').count() == 1;
                    if !(line.name.starts_with("total(") || alone && line.formula.ends_with(')')) {
                        continue;
                    }
                    let below = lines[n + 1..].iter().take_while(|one| one.depth > line.depth);
                    let mut sum = 0;
                    for part in below.filter(|one| one.depth == line.depth + 1) {
                        let Some((count, each)) = part.formula.split_once(" × ") else { continue };
                        let product = count.parse::<i64>().unwrap() * each.parse::<i64>().unwrap();
                        assert_eq!(part.result, product.to_string(), "{path}: {}", part.name);
                        (sum, parts) = (sum + product, parts + 1);
                    }
                    assert_eq!(line.result, sum.to_string(), "{path}, {asked:?}: {} {}", line.name, line.formula);
                    totals += 1;
                }
            }
        }
    }
    assert!(totals > 300 && parts > 1_000, "{totals} totals, {parts} parts");
}

fn towing(count: i64) -> Ship {
    let asks = RelationUse { relation: "tow".into(), count, place: Place::default() };
    Ship { relations: vec![asks], ..Ship::default() }
}

/// Cases of every game, sound and faulty: the findings, the points and the verdict are those of the whole evaluation.
#[test]
fn an_evaluation_for_its_findings_has_all_of_them() {
    let (mut designs, mut faults) = (0, 0);
    for game in ["wars-of-honor", "sky-full-of-ships", "star-navy", "battleships-1890s", "b5-house-rules"] {
        let rules = load(game);
        let mut names = [folder(&format!("tests/cases/{game}/bad")), folder(&format!("designs/{game}"))].concat();
        if game == "wars-of-honor" {
            names.extend(folder("tests/cases/wars-of-honor/good"));
        }
        for name in names {
            let Ok(design) = Design::read(&source(&name)) else { continue };
            let (whole, brief) = (evaluate(&rules, &design, &Ship::default()), evaluate_for_findings(&rules, &design));
            assert_eq!(said(&whole.findings), said(&brief.findings), "{name}");
            assert_eq!((whole.points, whole.legal), (brief.points, brief.legal), "{name}");
            assert!(brief.tracks.is_empty() && brief.tables.is_empty() && brief.costs.is_empty(), "{name}");
            designs += 1;
            faults += whole.findings.len();
        }
    }
    assert!(designs > 80 && faults > 80, "{designs} designs, {faults} faults");
}

#[test]
fn a_wrong_word_of_what_acts_by_itself_is_told_with_the_nearest() {
    let text = source("rulesets/b5-house-rules.toml").text.to_string();
    for (right, wrong, message, help) in [
        ("acts_as = \"{{ it.name }}", "acts_as = \"{{ it.nam }}", "`it` has no `nam`", "did you mean `name`?"),
        (
            "acts_as = \"{{ it",
            "act_as = \"{{ it",
            "[[counter]] flight: unknown key `act_as`",
            "did you mean `acts_as`?",
        ),
    ] {
        let text = text.replace(right, wrong);
        let line = text.lines().position(|line| line.contains(wrong)).expect("the key") as u32 + 1;
        let (_, findings) = Ruleset::load(&moldloft::source::Source::new("b5.toml", &text));
        let [fault] = &findings[..] else { panic!("{}", said(&findings)) };
        assert_eq!((fault.at.file.as_deref(), fault.at.line), (Some("b5.toml"), line));
        assert_eq!((fault.message.as_str(), fault.help.as_deref()), (message, Some(help)));
    }
}

/// Under `fit #weapon`, `it` is no bomb: a table of weapons needs no row for bombs.
#[test]
fn a_table_needs_rows_for_what_it_can_be_alone() {
    let rules = |tag: &str| {
        let text = format!(
            "[ruleset]\nid = \"zep\"\ntitle = \"Zep\"\nversion = \"1\"\nschema = 1\n[[mount]]\nid = \"top\"\n\
             [[system]]\nid = \"gun\"\ntags = [\"weapon\"]\n[[system]]\nid = \"bomb\"\ntags = [\"load\"]\n\
             [[table]]\nid = \"guns\"\nkey = \"gun\"\ncolumns = [\"gun\", \"reach\"]\nrows = [[\"gun\", 3]]\n\
             [[gauge]]\nid = \"hull\"\nboxes = 5\nends = true\n[[attack]]\nid = \"shot\"\nfor_each = \"fit {tag}\"\n\
             when = \"row('guns', it.system).reach > 2\"\nstep = [{{ left.hull = \"left.hull - 1\" }}]\n"
        );
        said(&Ruleset::load(&Source::new("zep.toml", &text)).1)
    };
    assert_eq!(rules("#weapon"), "");
    assert_eq!(rules("gun"), "");
    assert!(rules("#load").contains("needs a row for `bomb`"), "{}", rules("#load"));
    assert!(rules("gun bomb").contains("missing `bomb`"));
}
