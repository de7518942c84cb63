//! Rulers and collars to cut out, and the page of shared rolls: millimetres are measured on the pages and compared with what the rules say, worked out here.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::house_odds::house;
use crate::support::program::Folder;
use crate::support::{GAMES, outside, rules};
use moldloft::design::{Design, Ship};
use moldloft::evaluate::{Evaluation, LARGEST_GROUP, evaluate, percent_at_most};
use moldloft::formula::Value;
use moldloft::print::{PrintOptions, print_ships};
use moldloft::progress::Progress;
use moldloft::ruleset::Ruleset;
use moldloft::scene::{MarkKind, Page, Segment, Shape};
use moldloft::sheet::{Margins, PageSetup, Paper, SheetJob, SheetOptions, TemplateCache, print};
use moldloft::source::Source;
use moldloft::store::Store;
use proptest::test_runner::{Config, TestRunner};

/// The pages of rulers of these ships, and the codes of what was found.
fn ruler_pages(ships: Vec<Evaluation>, setup: PageSetup) -> (Vec<Page>, Vec<String>) {
    let options = PrintOptions::default().page_setup(setup).rulers(true);
    let printed = print_ships(&Store::built_in(), ships, &options, &Progress::default());
    let is_ruler = |page: &Page| page.bookmarks.iter().any(|mark| mark.title.starts_with("rulers"));
    let codes = printed.findings.iter().map(|finding| finding.code.to_string()).collect();
    (printed.scene.pages.into_iter().filter(is_ruler).collect(), codes)
}

/// A piece of a ruler: the places of its ticks and of its marks, mm on the page.
#[derive(Debug)]
struct Strip {
    ticks: Vec<f32>,
    marks: Vec<f32>,
}

/// The upright lines of a path that begin on one height, which are those of a ruler; their width, that height and their places.
fn upright(shape: &Shape) -> Option<(f32, f32, Vec<f32>)> {
    let Shape::Path(path, style) = shape else { return None };
    let (mut places, mut top) = (Vec::new(), None);
    for pair in path.segments.chunks(2) {
        let [Segment::Move(x, y), Segment::Line(to, _)] = pair else { return None };
        if (x - to).abs() > 1e-4 || top.is_some_and(|top: f32| (top - y).abs() > 1e-4) {
            return None;
        }
        top = Some(*y);
        places.push(*x);
    }
    Some((style.stroke.as_ref()?.width, top?, places))
}

/// The strips of pages in order: ticks are thinner than marks.
fn strips(pages: &[Page]) -> Vec<Strip> {
    let mut found: Vec<(f32, Strip)> = Vec::new();
    for page in pages {
        for item in page.items().iter() {
            let Some((width, top, places)) = upright(&item.shape) else { continue };
            match found.last_mut() {
                Some((known, strip)) if width > 0.25 && *known == top => strip.marks.extend(places),
                // What leads from the numbers to the words.
                _ if width > 0.25 => assert!(found.last().is_some_and(|(known, _)| top > *known), "{places:?}"),
                // Not a direction of a collar.
                _ if places.len() > 1 => found.push((top, Strip { ticks: places, marks: Vec::new() })),
                _ => {}
            }
        }
    }
    found.into_iter().map(|(_, strip)| strip).collect()
}

/// How far from the ship each mark of the only ruler is, mm; its ticks stand at every unit.
fn reaches(ship: &Evaluation, unit: f32, setup: PageSetup) -> BTreeSet<i64> {
    let (pages, codes) = ruler_pages(vec![ship.clone()], setup);
    assert!(
        codes.iter().all(|code| code != "not-measured") && codes.iter().all(|code| code != "paper-too-small"),
        "{}: {codes:?}",
        ship.name
    );
    let mut begins = 0.0;
    let mut marks = BTreeSet::new();
    for strip in strips(&pages) {
        let (first, last) = (strip.ticks[0], strip.ticks[strip.ticks.len() - 1]);
        for (n, tick) in strip.ticks.iter().enumerate() {
            assert!((tick - first - n as f32 * unit).abs() < 0.01, "{}: tick {n} at {tick}, from {first}", ship.name);
        }
        // To a tenth of a millimetre.
        marks.extend(strip.marks.iter().map(|mark| ((begins + mark - first) * 10.0).round() as i64));
        begins += last - first;
    }
    marks
}

/// The reaches of a design by the rules' texts, in units, and the unit in mm.
fn expected(game: &str, ship: &Evaluation) -> (Vec<i64>, f32) {
    let count = |systems: &[&str]| -> u32 {
        ship.fits.iter().filter(|fit| systems.contains(&&*fit.system)).map(|fit| fit.count).sum()
    };
    let field = |id: &str| &ship.fields.iter().find(|field| &*field.id == id).unwrap().value;
    let number = |id: &str| if let Value::Int(number) = field(id) { *number } else { panic!("{id}") };
    let mut all: Vec<i64> = Vec::new();
    let mut add = |has: bool, at: &[i64]| all.extend(at.iter().filter(|_| has));
    let unit = match game {
        "wars-of-honor" => {
            let Value::Text(nation) = field("nation") else { panic!("no nation") };
            let (accel, turns, counter) = match &**nation {
                "manticore" | "manticore-q-ship" => (10, 3, 40),
                "haven" => (10, 3, 35),
                "silesian-confederacy" => (9, 2, 30),
                "silesian-pirates" => (8, 2, 30),
                _ => (10, 3, 35),
            };
            let launchers = count(&["missile-launcher", "box-launcher"]) > 0;
            let moves: Vec<i64> = (1..=turns).map(|turn| turn * accel).collect();
            add(launchers, &[6]);
            add(launchers || count(&["missile-magazine"]) > 0, &moves);
            add(count(&["laser", "graser"]) > 0, &[12]);
            add(count(&["grav-lance", "energy-torpedo"]) > 0, &[6]);
            add(count(&["counter-missile-launcher"]) > 0, &[counter]);
            add(true, &[1]);
            25.4
        }
        "star-navy" => {
            add(count(&["cannon", "laser", "pulser", "torpedo", "weapon"]) > 0, &[15]);
            add(count(&["laser"]) > 0, &[3, 6, 9, 12, 15]);
            add(count(&["marine"]) > 0, &[3]);
            add(count(&["mine"]) > 0, &[2]);
            25.0
        }
        "battleships-1890s" => {
            add(count(&["main-gun"]) > 0, &[9]);
            add(count(&["secondary-gun"]) > 0, &[5]);
            add(count(&["torpedo-tube"]) > 0, &[3]);
            add(true, &[2]);
            40.0
        }
        "sky-full-of-ships" => {
            let arcs = ["primary_forward", "primary_left", "primary_right", "primary_rear"];
            add(arcs.iter().any(|arc| number(arc) > 0), &[12, 24, 36]);
            add(number("secondary") > 0, &[6]);
            add(number("special_count") > 0, &[12, 24, 36]);
            add(number("fighter_bays") > 0, &[12]);
            add(true, &[4]);
            25.4
        }
        _ => panic!("no reaches known of {game}"),
    };
    (all, unit)
}

#[test]
fn rulers_measure_true_for_every_sample() {
    let landscape = PageSetup::from(Paper::A4);
    for game in GAMES {
        let rules = rules::load(game);
        for file in rules::folder(&format!("designs/{game}")) {
            let ship = rules::check(&rules, &file);
            if game == "b5-house-rules" {
                // Ranges are a list in the design, from hex 0 on; delays are rows of it.
                let text = std::fs::read_to_string(rules::root().join(&file)).unwrap();
                let tree: toml::Table = text.parse().unwrap();
                let list = |value: &toml::Value, key: &str| value.get(key).and_then(|list| list.as_array()).cloned();
                let systems = tree["system"].as_array().unwrap();
                let ranges =
                    systems.iter().filter_map(|system| list(system, "ranges")).map(|list| list.len() as i64 - 1);
                let rows = list(&tree["fields"], "movement").unwrap_or_default();
                let delays = rows.iter().filter_map(|row| row["delay"].as_integer());
                // A turn at once is no distance.
                let hexes = ranges.chain(delays).filter(|hexes| *hexes > 0);
                let expected = hexes.map(|hexes| hexes * 250).collect::<BTreeSet<_>>();
                assert_eq!(reaches(&ship, 25.0, landscape), expected, "{file}");
                continue;
            }
            let (units, unit) = expected(game, &ship);
            let tenths: BTreeSet<i64> = units.iter().map(|at| at * (unit * 10.0) as i64).collect();
            assert_eq!(reaches(&ship, unit, landscape), tenths, "{file}");
        }
    }
}

/// A collar shows where tubes point, as the card's squares do.
#[test]
fn torpedoes_have_their_arcs_on_the_collar() {
    let rules = rules::load("battleships-1890s");
    for mount in ["bow", "stern", "port", "starboard"] {
        let fit = format!("name = \"Odd\"\n[[fit]]\nsystem = \"torpedo-tube\"\nmount = \"{mount}\"\n");
        let ship = evaluate(&rules, &Design::read(&Source::new("odd.toml", &fit)).unwrap(), &Ship::default());
        let (pages, _) = ruler_pages(vec![ship], PageSetup::from(Paper::A4));
        let items: Vec<_> = pages.iter().flat_map(|page| page.items().into_owned()).collect();
        let texts: Vec<String> = items
            .iter()
            .filter_map(|item| match &item.shape {
                Shape::Text(text) => Some(text.shaped.text.to_string()),
                _ => None,
            })
            .collect();
        assert!(texts.join(" ").contains("A torpedo"), "{mount}: {texts:?}");
    }
}

/// A reach names the own systems that go by its row, as the ship's table does.
#[test]
fn reaches_name_own_systems() {
    let rules = rules::load("wars-of-honor");
    let own = "[[system]]\nid = \"ion-cannon\"\nlike = \"laser\"\nname = \"ion cannon\"\n";
    let fit = "[[fit]]\nsystem = \"ion-cannon\"\nmount = \"port\"\n";
    let text = format!("name = \"Odd\"\n{own}{fit}");
    let ship = evaluate(&rules, &Design::read(&Source::new("odd.toml", &text)).unwrap(), &Ship::default());
    let (rulers, _) = ship.rulers();
    let labels: Vec<&str> = rulers[0].reaches.iter().map(|reach| &*reach.label).collect();
    assert!(labels.contains(&"laser, ion cannon"), "{labels:?}");
    for reach in labels {
        let named = |table: &moldloft::evaluate::TableResult| {
            table.rows.iter().any(|row| matches!(row.first(), Some(Value::Text(name)) if **name == *reach))
        };
        assert!(!reach.contains("ion cannon") || ship.tables.iter().any(named), "{reach} is a row of the sheet");
    }
}

/// However narrow the paper, the pieces put end to end are as long.
#[test]
fn pieces_are_as_long_on_any_paper() {
    let ship = rules::check(&rules::load("wars-of-honor"), "designs/wars-of-honor/vigilant.toml");
    let on = |paper: Paper, margin: f32| {
        let setup = PageSetup::from(paper).margins(Some(Margins::all(margin)));
        reaches(&ship, 25.4, setup)
    };
    let wide = on(Paper::A3, 8.0);
    assert_eq!(wide, BTreeSet::from([254, 1524, 2540, 3048, 5080, 7620, 10160]));
    for (paper, margin) in [(Paper::A4, 8.0), (Paper::Letter, 12.0), (Paper::A5, 5.0), (Paper::A5, 20.0)] {
        assert_eq!(on(paper, margin), wide, "{paper}, {margin}");
    }
}

/// As another program reads the file: the numbers 5 and 10 are five units apart, by the scale that the players set.
#[test]
fn the_pdf_has_the_scale_of_the_settings() {
    if outside::lacks(&["pdftotext"]) {
        return;
    }
    let folder = Folder::new();
    for (scale, unit) in [("inch", 25.4), ("cm", 10.0)] {
        let set = format!("mu={scale}");
        let printed = folder.run(&["print", "vigilant", "--rulers", "-o", "v.pdf", "--set", &set]);
        assert_eq!(printed.status, 0, "{}", printed.err);
        let pdf = folder.path("v.pdf");
        let words = outside::tool("pdftotext", &["-bbox", pdf.to_str().unwrap(), "-"]);
        let last = words.rsplit("<page").find(|page| page.contains(">piece<")).unwrap();
        let middle = |number: &str| {
            let line = last.lines().find(|line| line.contains(&format!(">{number}</word>"))).unwrap();
            let of = |key: &str| -> f64 {
                let value = line.split(&format!("{key}=\"")).nth(1).unwrap();
                value.split('"').next().unwrap().parse().unwrap()
            };
            (of("xMin") + of("xMax")) / 2.0 * 25.4 / 72.0
        };
        let apart = middle("10") - middle("5");
        assert!((apart - 5.0 * unit).abs() < 0.05, "{scale}: {apart} mm");
    }
}

const RULES: &str = r#"[ruleset]
id = "carts"
title = "Carts"
version = "1"
schema = 1
[attributes]
reach = 0
[[field]]
id = "scale"
kind = "integer"
default = 20
[[field]]
id = "flag"
kind = "integer"
default = 1
[[mount]]
id = "deck"
[[system]]
id = "sling"
reach = 7
[[system]]
id = "spear"
reach = 2
[[ruler]]
id = "table"
unit = "paces"
tenths = "10 * scale"
points = 8
marks = [
  { for_each = "fit", label = "{{ it.name }}", at = "it.reach", arcs = "forward 120°" },
  { label = "far", at = "flag // (flag - 1)" },
  { label = "crooked", arcs = "sideways" },
  { label = "everywhere", arcs = "all round" },
]
assumed = { marks = "the carts are not described" }
"#;

fn cart(fields: &str) -> Evaluation {
    let (rules, findings) = Ruleset::load(&Source::new("carts.toml", RULES));
    assert!(findings.is_empty(), "{}", rules::said(&findings));
    let fits =
        "[[fit]]\nsystem = \"sling\"\nmount = \"deck\"\n[[fit]]\nsystem = \"spear\"\nmount = \"deck\"\ncount = 3\n";
    let text = format!("ruleset = \"carts\"\nname = \"Ox\"\n[fields]\n{fields}\n{fits}");
    evaluate(&Arc::new(rules.unwrap()), &Design::read(&Source::new("ox.toml", &text)).unwrap(), &Ship::default())
}

#[test]
fn what_cannot_be_measured_is_named() {
    let setup = PageSetup::from(Paper::A4);
    let good = cart("flag = 2");
    let (pages, codes) = ruler_pages(vec![good.clone()], setup);
    assert_eq!(strips(&pages)[0].marks.len(), 2, "the spears of one reach are one mark");
    // The arcs that nobody can read; there is no sheet either.
    assert_eq!(codes.iter().filter(|code| *code == "not-measured").count(), 1, "{codes:?}");
    let (rulers, findings) = cart("flag = 1").rulers();
    assert!(findings[0].message.contains("`far` cannot be computed"), "{}", findings[0].message);
    assert_eq!(rulers[0].reaches.len(), 4);
    assert_eq!(rulers[0].assumed, ["the carts are not described".into()]);
    // 7 paces of 200 mm fit, 7 of 400 mm have no unit.
    assert!(cart("flag = 2\nscale = 200").rulers().1.is_empty());
    assert!(cart("flag = 2\nscale = 400").rulers().1[0].message.contains("no unit"));
    let far = cart("flag = 2\nscale = 200");
    let text = far.rulers().0;
    assert_eq!(text[0].tenths, 2000);
    assert!(ruler_pages(vec![far], setup).1.iter().all(|code| code != "paper-too-small"));
}

#[test]
fn a_class_has_one_ruler_and_another_game_says_that_it_has_none() {
    let rules = rules::load("star-navy");
    let chicago = || rules::check(&rules, "designs/star-navy/chicago.toml");
    let (one, _) = ruler_pages(vec![chicago()], PageSetup::from(Paper::A4));
    let (two, _) = ruler_pages(vec![chicago(), chicago()], PageSetup::from(Paper::A4));
    assert_eq!(strips(&one).len(), strips(&two).len());
    let text = RULES.split("[[ruler]]").next().unwrap();
    let bare = Arc::new(Ruleset::load(&Source::new("carts.toml", text)).0.unwrap());
    let ship =
        evaluate(&bare, &Design::read(&Source::new("ox.toml", "ruleset = \"carts\"")).unwrap(), &Ship::default());
    assert!(ruler_pages(vec![ship], PageSetup::from(Paper::A4)).1.contains(&"no-ruler".to_owned()));
}

/// The tables of shared rolls against dice rolled one by one: whatever earlier rows took, each system that stands is lost with the chance of its own die.
#[test]
fn shared_rolls_come_to_what_single_dice_come_to() {
    // Chances of so many lost after all rows, exactly, by single dice: systems are lost independently.
    let single = |count: u32, checks: &[u32]| -> Vec<f64> {
        let stays: f64 = checks.iter().map(|check| f64::from(check - 1) / 6.0).product();
        let ways = |k: u32| (0..k).fold(1.0, |ways, n| ways * f64::from(count - n) / f64::from(n + 1));
        (0..=count).map(|k| ways(k) * (1.0 - stays).powi(k as i32) * stays.powi((count - k) as i32)).collect()
    };
    // The same by the tables, row after row, for as many as still stand.
    let shared = |count: u32, checks: &[u32]| -> Vec<f64> {
        let mut lost = vec![0.0; count as usize + 1];
        lost[0] = 1.0;
        for check in checks {
            let mut after = vec![0.0; count as usize + 1];
            for gone in 0..=count {
                let mut before = 0;
                for (more, percent) in percent_at_most(count - gone, *check, 6).into_iter().enumerate() {
                    after[gone as usize + more] += lost[gone as usize] * f64::from(percent - before) / 100.0;
                    before = percent;
                }
            }
            lost = after;
        }
        lost
    };
    let mut runner = TestRunner::new_with_rng(
        Config { cases: 200, ..Config::default() },
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let random = (1..=LARGEST_GROUP, proptest::collection::vec(2_u32..=6, 1..=4));
    let checked = runner.run(&random, |(count, checks)| {
        let (single, shared) = (single(count, &checks), shared(count, &checks));
        for (lost, (one, other)) in single.iter().zip(&shared).enumerate() {
            // Each row is rounded to whole per cents: half a per cent at either end of a number.
            assert!(
                (one - other).abs() <= 0.01 * checks.len() as f64 + 1e-9,
                "{count}, {checks:?}, {lost}: {one} {other}"
            );
        }
        Ok(())
    });
    checked.unwrap();
}

#[test]
fn shared_rolls_have_the_checks_and_systems_of_the_ships() {
    let rules = rules::load("wars-of-honor");
    for file in rules::folder("designs/wars-of-honor") {
        let ship = rules::check(&rules, &file);
        let rows = ship.tracks.iter().find(|track| &*track.id == "structure").map_or(0, |track| track.rows.len());
        let rolls = ship.shared_rolls();
        let least: Vec<u32> = rolls.iter().flat_map(|roll| roll.least.clone()).collect();
        assert_eq!(least, [6, 5, 4, 3][..rows.saturating_sub(1)], "{file}");
        let systems: u32 = ship.fits.iter().map(|fit| fit.count).sum();
        for roll in &rolls {
            assert_eq!(roll.groups.iter().map(|(_, count)| count).sum::<u32>(), systems, "{file}");
        }
    }
    for game in GAMES.iter().filter(|game| **game != "wars-of-honor") {
        assert!(rules::load(game).shared_rolls.is_empty(), "the text of {game} rolls no die for each of many systems");
    }
}

/// The texts of a ship's pages, and the places of its boxes.
fn page_parts(rules: &Arc<Ruleset>, file: &str) -> (Vec<String>, Vec<String>) {
    let ship = [rules::check(rules, file)];
    let store = Store::built_in();
    let shelf = TemplateCache::new(|ids, name| store.template(ids, name));
    let job = SheetJob { ships: &ship, templates: &shelf, options: SheetOptions::default(), subject: "" };
    let scene = print(&job).0;
    let items: Vec<_> = scene.pages.iter().flat_map(|page| page.items().into_owned()).collect();
    let texts = items.iter().filter_map(|item| match &item.shape {
        Shape::Text(text) => Some(text.shaped.text.to_string()),
        _ => None,
    });
    let boxes = items.iter().filter(|item| item.mark.as_ref().is_some_and(|mark| mark.kind == MarkKind::Tick));
    (texts.collect(), boxes.map(|item| format!("{:?}", item.shape)).collect())
}

/// Beside the rows of structure stand the numbers of the shared roll, where the boxes leave room: they take none of theirs.
#[test]
fn one_roll_for_a_row_is_beside_it_where_there_is_room() {
    let with = rules::load("wars-of-honor");
    let mut without = Ruleset::load_layers(&rules::chain("wars-of-honor")).0.unwrap();
    without.set_setting("row_rolls", "0").unwrap();
    let without = Arc::new(without);
    let mut shown = 0;
    for file in rules::folder("designs/wars-of-honor") {
        let ([texts, none], [boxes, same]): ([Vec<_>; 2], [Vec<_>; 2]) = {
            let (one, other) = (page_parts(&with, &file), page_parts(&without, &file));
            ([one.0, other.0], [one.1, other.1])
        };
        assert_eq!(boxes, same, "{file}");
        assert!(!none.contains(&"1 left".to_owned()), "{file}");
        if !texts.contains(&"1 left".to_owned()) {
            assert_eq!(texts, none, "{file}");
            continue;
        }
        shown += 1;
        let rolls = rules::check(&with, &file).shared_rolls();
        for (n, left) in [1, 2].into_iter().flat_map(|left| rolls[0].least.iter().map(move |least| (*least, left))) {
            let numbers = percent_at_most(left, n, 6).into_iter().filter(|percent| *percent < 100);
            let numbers = numbers.map(|percent| percent.to_string()).collect::<Vec<_>>().join(" ");
            assert!(texts.contains(&numbers), "{file}: {left} lost on {n}: {numbers}");
        }
    }
    assert!(shown >= 6, "{shown} sheets have them");
}

/// What hangs on a banned row is no mark, and no fault of the ruler.
#[test]
fn a_banned_row_takes_its_mark_along() {
    let marks = |rules: &Arc<Ruleset>| {
        let vigilant = rules::check(rules, "designs/wars-of-honor/vigilant.toml");
        let (rulers, findings) = vigilant.rulers();
        assert!(findings.is_empty(), "{findings:?}");
        rulers[0].reaches.iter().map(|reach| reach.label.clone()).collect::<Vec<_>>()
    };
    let ban = "[change.table.counter_missiles.rows.manticore]\nremove = true\n";
    let (plain, banned) = (marks(&rules::load("wars-of-honor")), marks(&house("wars-of-honor", ban)));
    let left: Vec<_> = plain.iter().filter(|label| *label != "counter-missile").cloned().collect();
    assert!(left.len() < plain.len() && left == banned, "{plain:?} {banned:?}");
}
