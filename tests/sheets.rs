//! The promises of a sheet, held on random and monstrous ships of Wars of Honor: every box is drawn once and legible, nothing stands over
//! anything else or off the page, and what is printed twice is printed alike.

use std::fmt::Write;
use std::sync::{Arc, OnceLock};

use crate::house_odds::house;
use crate::support::legible;
use legible::holds;
use moldloft::design::{Design, Ship};
use moldloft::evaluate::{Evaluation, evaluate, number_counters};
use moldloft::finding::Finding;
use moldloft::formula::Value;
use moldloft::library::{Rulesets, designs_of_ruleset};
use moldloft::ruleset::Ruleset;
use moldloft::scene::{MarkKind, Scene, SceneItem, Segment, Shape, Transform};
use moldloft::sheet::{Paper, SheetJob, SheetOptions, TemplateCache, print};
use moldloft::source::Source;
use moldloft::store::Store;
use proptest::prelude::*;

fn store() -> &'static Store {
    static STORE: OnceLock<Store> = OnceLock::new();
    STORE.get_or_init(Store::built_in)
}

fn rules() -> &'static Arc<Ruleset> {
    static RULES: OnceLock<Arc<Ruleset>> = OnceLock::new();
    RULES.get_or_init(|| {
        let source = store().ruleset("wars-of-honor").expect("it is built in");
        Arc::new(Ruleset::load(&source).0.expect("it loads"))
    })
}

fn ship(text: &str) -> Evaluation {
    let source = Source::new("ship.toml", text);
    let design = Design::read(&source).expect("it is TOML");
    evaluate(rules(), &design, &Ship::default())
}

fn printed(ships: &[Evaluation], options: SheetOptions) -> (Scene, Vec<Finding>) {
    let shelf = TemplateCache::new(|ids, name| store().template(ids, name));
    print(&SheetJob { ships, templates: &shelf, options, subject: "control sheets" })
}

/// Fits as a design file.
fn design(unit: &str, fits: &[(&str, &str, u32)]) -> String {
    let mut text =
        format!("ruleset = \"wars-of-honor\"\nname = \"Test\"\n[fields]\nnation = \"haven\"\nunit = \"{unit}\"\n");
    for (system, mount, count) in fits.iter().filter(|fit| fit.2 > 0) {
        let _ = write!(text, "[[fit]]\nsystem = \"{system}\"\nmount = \"{mount}\"\n");
        let _ = match *system {
            "missile-magazine" => writeln!(text, "feeds = {count}\nlaser_heads = {}\nnuclear = {count}", count * 4),
            "box-launcher" => writeln!(text, "count = {count}\nlaser_heads = {count}"),
            _ => writeln!(text, "count = {count}"),
        };
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_ships_keep_every_promise(
        unit in prop::sample::select(vec!["starship", "starship", "lac", "pod"]),
        rings in prop::array::uniform4(0u32..30), core in prop::array::uniform4(0u32..12),
        chase in prop::array::uniform4(0u32..16), sides in prop::array::uniform5(0u32..60),
        large_print: bool, letter: bool,
    ) {
        let text = design(unit, &[
            ("alpha-node", "forward-ring", rings[0]), ("beta-node", "forward-ring", rings[1]),
            ("alpha-node", "after-ring", rings[2]), ("beta-node", "after-ring", rings[3]),
            ("cnc", "core", core[0]), ("ew-drone", "core", core[1]), ("missile-magazine", "core", core[2] * 3),
            ("cargo-hold", "core", core[3]), ("laser-cluster", "all-round", chase[0]),
            ("missile-launcher", "forward", chase[1]), ("laser", "aft", chase[2]), ("counter-missile-launcher", "aft", chase[3]),
            ("missile-launcher", "port", sides[0]), ("graser", "port", sides[1]), ("missile-launcher", "starboard", sides[2]),
            ("counter-missile-launcher", "starboard", sides[3]), ("box-launcher", if unit == "pod" { "pod" } else { "forward" }, sides[4] / 3),
        ]);
        let options = SheetOptions { large_print, page_setup: if letter { Paper::Letter } else { Paper::A4 }.into(), ..SheetOptions::default() };
        let mut ships = [ship(&text)];
        number_counters(&mut ships);
        let (scene, findings) = printed(&ships, options);
        holds(&ships[0], &scene, &findings, options);
    }
}

#[test]
fn a_monster_loses_nothing() {
    // 400 blocks and 200 systems beside the nodes, then 5,000 blocks and 2,000 missiles.
    let large = [
        ("alpha-node", "forward-ring", 60),
        ("beta-node", "forward-ring", 40),
        ("alpha-node", "after-ring", 60),
        ("cargo-hold", "core", 90),
        ("missile-launcher", "port", 60),
        ("missile-launcher", "starboard", 60),
        ("laser", "port", 20),
        ("graser", "starboard", 30),
        ("missile-magazine", "core", 70),
    ];
    let huge = [
        ("cargo-hold", "core", 1660),
        ("missile-magazine", "core", 400),
        ("missile-launcher", "port", 400),
        ("cnc", "core", 3),
    ];
    for fits in [&large[..], &huge[..]] {
        let mut ships = [ship(&design("starship", fits))];
        number_counters(&mut ships);
        let blocks = ships[0].tracks.iter().find(|track| &*track.id == "structure").map_or(0, |track| track.boxes());
        assert!(blocks >= 400, "{blocks}");
        let (scene, findings) = printed(&ships, SheetOptions::default());
        holds(&ships[0], &scene, &findings, SheetOptions::default());
        assert!(scene.pages.len() < 60, "{}", scene.pages.len());
    }
}

#[test]
fn a_slip_of_the_pen_is_named_and_not_laid_out() {
    let slip = ship(&design("starship", &[("alpha-node", "forward-ring", 9999), ("alpha-node", "after-ring", 9999)]));
    let good = ship(&design("lac", &[("beta-node", "forward-ring", 4), ("cnc", "core", 1)]));
    let (scene, findings) = printed(&[slip, good.clone()], SheetOptions::default());
    let (alone, _) = printed(&[good], SheetOptions::default());
    assert_eq!(scene.pages.len(), alone.pages.len());
    let told = findings.iter().find(|finding| finding.code == "too-large-to-print").unwrap();
    assert!(told.message.contains("19998 systems"), "{}", told.message);
}

#[test]
fn one_ship_without_a_sheet_does_not_spoil_the_others() {
    let good = ship(&design("lac", &[("beta-node", "forward-ring", 4), ("cnc", "core", 1)]));
    let bad = ship("ruleset = \"wars-of-honor\"\nname = \"Wreck\"\n[fields]\nunit = \"balloon\"\n");
    let (scene, findings) = printed(&[good.clone(), bad, good], SheetOptions::default());
    assert!(!scene.pages.is_empty());
    assert!(findings.iter().any(|finding| finding.message.contains("Wreck")), "{findings:?}");
}

#[test]
fn strange_names_shrink_wrap_and_are_told() {
    let mut text = design("starship", &[("alpha-node", "forward-ring", 40), ("cnc", "core", 1)]);
    text = text.replace("\"Test\"", &format!("\"{}漢\"", "The Everlasting Glory of the Fleet ".repeat(6)));
    let ships = [ship(&text)];
    let (scene, findings) = printed(&ships, SheetOptions::default());
    holds(&ships[0], &scene, &findings, SheetOptions::default());
    let told = findings.iter().find(|finding| finding.code == "missing-character").expect("it is told");
    assert!(told.message.contains('漢'), "{}", told.message);
    let words: String = scene
        .pages
        .iter()
        .flat_map(|page| &page.items)
        .filter_map(|item| match &item.shape {
            Shape::Text(text) => Some(text.shaped.text.to_string()),
            _ => None,
        })
        .collect();
    assert!(words.contains('?') && !words.contains('漢'));
}

/// The words of a page.
fn words(scene: &Scene, page: usize) -> String {
    let items = scene.pages[page].items.iter();
    let words = items.filter_map(|item| match &item.shape {
        Shape::Text(text) => Some(text.shaped.text.to_string()),
        _ => None,
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_panel_of_a_stack_may_wait_for_the_next_page() {
    const SHEET: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" width="194mm" height="263mm" viewBox="0 0 194 263">
<rect x="0" y="20" width="194" height="200" inkscape:label="panel: stack all"><desc>[[panel]]
show = "text a"
text = "before"
[[panel]]
show = "text b"
text = "afterwards"
later = true
[[panel]]
show = "text c"
text = "between"</desc></rect></svg>"#;
    let good = ship(&design("starship", &[("alpha-node", "forward-ring", 4), ("cnc", "core", 1)]));
    let shelf = TemplateCache::new(|ids, name| match name {
        "ship.svg" => Some(Ok(Source::new("ship.svg", SHEET))),
        _ => store().template(ids, name),
    });
    let (scene, _) = print(&SheetJob {
        ships: &[good],
        templates: &shelf,
        options: SheetOptions::default(),
        subject: "control sheets",
    });
    let (first, second) = (words(&scene, 0), words(&scene, 1));
    assert!(first.contains("before") && first.contains("between") && !first.contains("afterwards"), "{first}");
    assert!(second.contains("afterwards") && !second.contains("between"), "{second}");
}

#[test]
fn notes_of_tables_and_narrow_panels_are_printed() {
    let fits = [("alpha-node", "forward-ring", 8), ("cnc", "core", 1), ("ew-drone", "core", 1), ("laser", "port", 4)];
    let armed = ship(&design("starship", &[&fits[..], &[("counter-missile-launcher", "port", 2)]].concat()));
    for paper in [Paper::A4, Paper::A5] {
        let options = SheetOptions { page_setup: paper.into(), ..SheetOptions::default() };
        let (scene, findings) = printed(std::slice::from_ref(&armed), options);
        holds(&armed, &scene, &findings, options);
        let all = (0..scene.pages.len()).map(|page| words(&scene, page)).collect::<Vec<_>>().join(" ");
        for rule in ["is rolled again", "ties kill", "is your group's ruling", "a side not down gets up to"] {
            assert!(all.contains(rule), "{paper:?}: {rule} in {all}");
        }
    }
    const SHEET: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" width="194mm" height="263mm" viewBox="0 0 194 263">
<rect x="0" y="20" width="30" height="60" inkscape:label="panel: table damage"><desc>note = "as our club rolls them"</desc></rect>
<rect x="40" y="20" width="60" height="60" inkscape:label="panel: table counter_missiles"><desc>table_notes = false</desc></rect>
<rect x="0" y="90" width="150" height="60" inkscape:label="panel: table drones"><desc>title = ""</desc></rect></svg>"#;
    let shelf = TemplateCache::new(|ids, name| match name {
        "ship.svg" => Some(Ok(Source::new("ship.svg", SHEET))),
        _ => store().template(ids, name),
    });
    let (scene, _) = print(&SheetJob {
        ships: &[armed],
        templates: &shelf,
        options: SheetOptions::default(),
        subject: "control sheets",
    });
    let first = words(&scene, 0);
    // A narrow panel's own note and its table's stand under the heading; one that is left out is left out.
    assert!(first.contains("as our club rolls") && first.contains("rolled again"), "{first}");
    assert!(first.contains("how is not in the rules") && !first.contains("ties kill"), "{first}");
}

/// The sign stands in the column of the face that the rules roll again, and the note names that face.
#[test]
fn dice_that_are_rolled_again_are_marked_as_the_rules_say() {
    fn triangles(items: &[SceneItem], found: &mut Vec<[u32; 2]>) {
        for item in items {
            match &item.shape {
                Shape::Group { items, .. } => triangles(items, found),
                Shape::Path(path, _) => {
                    if let [Segment::Move(x, y), Segment::Line(..), Segment::Line(..), Segment::Close] =
                        path.segments[..]
                    {
                        found.push([(x * 100.0) as u32, (y * 100.0) as u32]);
                    }
                }
                _ => {}
            }
        }
    }
    let text = design("starship", &[("cnc", "core", 1), ("laser", "port", 2), ("missile-launcher", "port", 2)]);
    let page = |reroll: u8| {
        let rules = house("wars-of-honor", &format!("[change.setting.reroll]\ndefault = {reroll}\n"));
        let ship = evaluate(&rules, &Design::read(&Source::new("ship.toml", &text)).unwrap(), &Ship::default());
        let (scene, _) = printed(&[ship], SheetOptions::default());
        let mut found = Vec::new();
        triangles(&scene.pages[0].items, &mut found);
        (found, words(&scene, 0))
    };
    let [none, four, five] = [0, 4, 5].map(page);
    assert!(four.1.contains("a 4 counts and is rolled again") && five.1.contains("a 5 counts"), "{}", four.1);
    let signs = |of: &[[u32; 2]], not: &[[u32; 2]]| -> Vec<[u32; 2]> {
        of.iter().filter(|place| !not.contains(place)).copied().collect()
    };
    let (fours, fives) = (signs(&four.0, &five.0), signs(&five.0, &four.0));
    assert!(fours.len() >= 2 && fours.len() == fives.len(), "{fours:?} {fives:?}");
    assert!(!none.1.contains("rolled again") && none.0.len() + fours.len() == four.0.len(), "{}", none.1);
    assert!(
        fours.iter().zip(&fives).all(|(four, five)| four[0] < five[0] && four[1] == five[1]),
        "{fours:?} {fives:?}"
    );
}

#[test]
fn a_job_printed_twice_is_the_same_and_copies_follow_their_ship() {
    let ships: Vec<_> = ["lac", "starship", "pod"]
        .map(|unit| ship(&design(unit, &[("beta-node", "forward-ring", 9), ("box-launcher", "pod", 4)])))
        .into();
    let options = SheetOptions { copies: 2, ..SheetOptions::default() };
    let (first, _) = printed(&ships, options);
    let (second, _) = printed(&ships, options);
    assert_eq!(format!("{first:?}"), format!("{second:?}"));
    let bookmarks: Vec<_> = first.pages.iter().flat_map(|page| &page.bookmarks).collect();
    assert_eq!(bookmarks.len(), 3, "one a ship");
}

#[test]
fn empty_sheets_have_boxes_for_the_pencil() {
    let blank = Evaluation::blank(rules(), "ship").expect("there is such a sheet");
    let options = SheetOptions { is_blank: true, ..SheetOptions::default() };
    let (scene, findings) = printed(&[blank], options);
    assert!(findings.is_empty(), "{findings:?}");
    let ticks = |item: &&SceneItem| item.mark.as_ref().is_some_and(|mark| mark.kind == MarkKind::Tick);
    assert!(scene.pages[0].items.iter().filter(ticks).count() > 40);
}

/// A superdreadnought: more launchers than one column of the plan takes.
const LARGE: [(&str, &str, u32); 22] = [
    ("alpha-node", "forward-ring", 8),
    ("beta-node", "forward-ring", 16),
    ("alpha-node", "after-ring", 8),
    ("beta-node", "after-ring", 16),
    ("cnc", "core", 6),
    ("ew-drone", "core", 6),
    ("missile-magazine", "core", 14),
    ("laser-cluster", "all-round", 16),
    ("missile-launcher", "forward", 2),
    ("counter-missile-launcher", "forward", 2),
    ("graser", "forward", 3),
    ("missile-launcher", "aft", 2),
    ("counter-missile-launcher", "aft", 2),
    ("graser", "aft", 3),
    ("missile-launcher", "port", 12),
    ("counter-missile-launcher", "port", 8),
    ("laser", "port", 6),
    ("graser", "port", 8),
    ("missile-launcher", "starboard", 12),
    ("counter-missile-launcher", "starboard", 8),
    ("laser", "starboard", 6),
    ("graser", "starboard", 8),
];

/// The middles of the boxes of a page whose marks begin so, mm.
fn middles(scene: &Scene, page: usize, stem: &str) -> Vec<(f32, f32)> {
    let named = |item: &&SceneItem| {
        let number = item.mark.as_ref().and_then(|mark| mark.name.strip_prefix(stem)?.strip_prefix('_'));
        number.is_some_and(|number| number.parse::<u32>().is_ok())
    };
    let middle = |item: &SceneItem| match &item.shape {
        Shape::Rect { rect, .. } => (rect.x + rect.w / 2.0, rect.y + rect.h / 2.0),
        Shape::Circle { x, y, .. } => (*x, *y),
        other => panic!("a box that is {other:?}"),
    };
    scene.pages[page].items.iter().filter(named).map(middle).collect()
}

/// Level lines of a shape: left end, right end, height.
fn level_lines(shape: &Shape, by: &Transform, found: &mut Vec<(f32, f32, f32)>) {
    match shape {
        Shape::Group { transform, items } => {
            items.iter().for_each(|item| level_lines(&item.shape, &by.then_inner(transform), found));
        }
        Shape::Use { drawing, transform } => {
            drawing.shapes.iter().for_each(|shape| level_lines(shape, &by.then_inner(transform), found));
        }
        Shape::Path(path, _) => {
            if let [Segment::Move(x, y), Segment::Line(to, at)] = *path.segments
                && (y - at).abs() < 0.01
            {
                let ((left, y), (right, _)) = (by.apply(x, y), by.apply(to, at));
                found.push((left.min(right), left.max(right), y));
            }
        }
        _ => {}
    }
}

#[test]
fn no_rule_of_a_heading_goes_through_a_box() {
    let mut fits = LARGE.to_vec();
    fits.retain(|fit| fit.0 != "missile-launcher");
    fits.extend([("missile-launcher", "port", 100), ("missile-launcher", "starboard", 10)]);
    for (fits, paper) in [(&fits[..], Paper::A4), (&fits, Paper::A5), (&LARGE, Paper::A4), (&LARGE, Paper::Letter)] {
        let options = SheetOptions { page_setup: paper.into(), ..SheetOptions::default() };
        let (scene, _) = printed(&[ship(&design("starship", fits))], options);
        for page in &scene.pages {
            let mut lines = Vec::new();
            page.items().iter().for_each(|item| level_lines(&item.shape, &Transform::IDENTITY, &mut lines));
            lines.retain(|(left, right, _)| right - left > 60.0);
            assert!(lines.len() > 3, "{paper:?}: {lines:?}");
            for item in
                page.items().iter().filter(|item| item.mark.as_ref().is_some_and(|mark| mark.kind == MarkKind::Tick))
            {
                let Shape::Rect { rect, .. } = &item.shape else { continue };
                let through = |(left, right, y): &&(f32, f32, f32)| {
                    *left < rect.x && *right > rect.right() && *y > rect.y + 0.1 && *y < rect.bottom() - 0.1
                };
                assert!(!lines.iter().any(|line| through(&line)), "{paper:?}: {:?} {rect:?}", item.mark);
            }
        }
    }
}

#[test]
fn circles_of_a_large_ship_are_beside_their_launchers_on_every_paper() {
    let large = ship(&design("starship", &LARGE));
    for (paper, large_print) in [(Paper::A4, false), (Paper::Letter, false), (Paper::A5, false), (Paper::A5, true)] {
        let options = SheetOptions { page_setup: paper.into(), large_print, ..SheetOptions::default() };
        let (scene, findings) = printed(std::slice::from_ref(&large), options);
        holds(&large, &scene, &findings, options);
        let all = (0..scene.pages.len()).map(|page| words(&scene, page)).collect::<Vec<_>>().join(" ");
        assert!(!all.contains("LAUNCHERS LOADED") && !all.contains("ROUNDS"), "{paper:?}: {all}");
        // On the first page, one circle next to each launcher.
        for side in ["port", "starboard"] {
            let launchers = middles(&scene, 0, &format!("missile-launcher_{side}"));
            let circles = middles(&scene, 0, &format!("loaded_{side}"));
            assert_eq!((launchers.len(), circles.len()), (12, 12), "{paper:?}");
            for (launcher, circle) in launchers.iter().zip(&circles) {
                let apart = ((launcher.0 - circle.0).abs(), (launcher.1 - circle.1).abs());
                assert!(apart.0 < 7.0 && apart.1 < 0.5, "{paper:?}: {launcher:?} {circle:?}");
            }
        }
    }
}

#[test]
fn magazines_and_box_launchers_leave_the_plan_on_its_page() {
    let cruiser = [
        ("alpha-node", "forward-ring", 4),
        ("beta-node", "forward-ring", 8),
        ("alpha-node", "after-ring", 4),
        ("beta-node", "after-ring", 8),
        ("cnc", "core", 3),
        ("missile-magazine", "core", 5),
        ("missile-magazine", "core", 5),
        ("missile-magazine", "core", 4),
        ("laser-cluster", "all-round", 6),
        ("missile-launcher", "port", 7),
        ("missile-launcher", "starboard", 7),
    ];
    let nodes = [("beta-node", "forward-ring", 3), ("beta-node", "after-ring", 3), ("cnc", "core", 1)];
    let arms = [("box-launcher", "forward", 12), ("laser", "forward", 3), ("laser-cluster", "all-round", 1)];
    for (ship, stem, boxes) in [
        (ship(&design("starship", &cruiser)), "missile-magazine_core", 3),
        (ship(&design("lac", &[nodes, arms].concat())), "box-launcher_forward", 12),
        (ship(&design("pod", &[("box-launcher", "pod", 24)])), "box-launcher_pod", 24),
    ] {
        let (scene, _) = printed(std::slice::from_ref(&ship), SheetOptions::default());
        assert_eq!(middles(&scene, 0, stem).len(), boxes, "{stem}");
        let blocks = middles(&scene, 0, "structure").len() as u32;
        assert_eq!(blocks, ship.tracks.iter().find(|track| &*track.id == "structure").unwrap().boxes(), "{stem}");
    }
}

#[test]
fn a_log_has_columns_for_what_the_ship_has() {
    let unarmed = [("alpha-node", "forward-ring", 4), ("cnc", "core", 1), ("laser", "port", 4)];
    let armed = [&unarmed[..], &[("ew-drone", "core", 1), ("missile-launcher", "port", 2)]].concat();
    for (fits, has_columns) in [(&unarmed[..], false), (&armed[..], true)] {
        let (scene, _) = printed(&[ship(&design("starship", fits))], SheetOptions::default());
        let texts: Vec<String> = scene.pages.iter().flat_map(|page| &page.items).filter_map(text_of).collect();
        let count = |word: &str| texts.iter().filter(|text| *text == word).count();
        assert!(count("movement") > 0, "{texts:?}");
        assert_eq!(count("drones") > 0, has_columns, "{texts:?}");
        assert_eq!(count("load") + count("load launchers") > 0, has_columns, "{texts:?}");
    }
    // An empty sheet may become any ship.
    let options = SheetOptions { is_blank: true, ..SheetOptions::default() };
    let (scene, _) = printed(&[Evaluation::blank(rules(), "ship").expect("there is such a sheet")], options);
    let texts: Vec<String> = scene.pages[0].items.iter().filter_map(text_of).collect();
    assert!(["load", "drones", "repair"].iter().all(|word| texts.iter().any(|text| text == word)), "{texts:?}");
}

fn text_of(item: &SceneItem) -> Option<String> {
    match &item.shape {
        Shape::Text(text) => Some(text.shaped.text.to_string()),
        _ => None,
    }
}

/// With fewer blocks left than half of all, rounded down, sidewalls are not repaired: the block whose loss leaves fewer is marked.
#[test]
fn the_block_that_ends_sidewall_repair_is_marked() {
    for holds in 1..60 {
        let fits = [("alpha-node", "forward-ring", 2), ("cnc", "core", 1), ("cargo-hold", "core", holds)];
        let ship = ship(&design("starship", &fits));
        let value = |id: &str| match ship.values.iter().find(|value| &*value.id == id).map(|value| &value.value) {
            Some(Value::Int(number)) => *number,
            other => panic!("{id}: {other:?}"),
        };
        let track = ship.tracks.iter().find(|track| &*track.id == "structure").expect("there is one");
        let mark =
            track.marks.iter().find(|mark| &*mark.icon == "icons/sidewall.svg").map_or(0, |mark| i64::from(mark.at));
        if value("sidewall_repair") == 0 {
            assert_eq!(mark, 0, "{holds} holds");
            continue;
        }
        let (structure, fewest) = (value("structure"), value("structure") / 2);
        assert!(structure - mark < fewest && structure - (mark - 1) >= fewest, "{structure} blocks: {mark}");
    }
}

#[test]
fn a_light_craft_has_one_panel_called_missiles_and_the_reference_names_each_nation_once() {
    let craft = [("beta-node", "forward-ring", 6), ("cnc", "core", 1), ("box-launcher", "forward", 5)];
    let (scene, _) = printed(&[ship(&design("lac", &craft))], SheetOptions::default());
    let titles: Vec<String> = scene.pages[0].items.iter().filter_map(text_of).collect();
    assert_eq!(titles.iter().filter(|title| *title == "MISSILES").count(), 1, "{titles:?}");
    let reference = Evaluation::blank(rules(), "reference").expect("there is such a sheet");
    let (scene, _) = printed(&[reference], SheetOptions::default());
    let texts: Vec<String> = scene.pages.iter().flat_map(|page| &page.items).filter_map(text_of).collect();
    assert_eq!(texts.iter().filter(|text| *text == "Republic of Haven").count(), 1, "{texts:?}");
}

/// All texts of a ruleset's empty sheet.
fn empty_sheet(games: &Rulesets, id: &str, sheet: &str, paper: Paper) -> (Scene, Vec<String>) {
    let rules = games.find(id).ruleset().expect("it loads").clone();
    let blank = Evaluation::blank(&rules, sheet).expect("there is such a sheet");
    let options = SheetOptions { is_blank: true, page_setup: paper.into(), ..SheetOptions::default() };
    let (scene, findings) = printed(&[blank], options);
    assert!(findings.is_empty(), "{findings:?}");
    let texts = scene.pages.iter().flat_map(|page| &page.items).filter_map(text_of).collect();
    (scene, texts)
}

/// With house rules those of the house, since the rows come from the rules.
#[test]
fn an_empty_sheet_has_the_tables_in_force() {
    let games = Rulesets::without_settings(store());
    for paper in [Paper::A4, Paper::A5] {
        for (id, has_ions) in [("wars-of-honor", false), ("woh-lasers", true)] {
            let (_, texts) = empty_sheet(&games, id, "ship", paper);
            let count = |word: &str| texts.iter().filter(|text| *text == word).count();
            assert!(
                ["laser head", "graser", "laser cluster", "launcher M"].iter().all(|word| count(word) > 0),
                "{texts:?}"
            );
            assert_eq!(count("ion cannon") > 0, has_ions, "{id} {paper:?}: {texts:?}");
            // Columns that no sheet shows are not among them.
            assert_eq!(count("missile-launcher, box-launcher"), 0, "{texts:?}");
        }
    }
    let defences = |id: &str| {
        let (_, texts) = empty_sheet(&games, id, "ship", Paper::A4);
        let haven = texts.iter().position(|text| text == "Republic of Haven").expect("a row for each nation");
        texts[haven..].iter().find(|text| text.starts_with('+')).cloned()
    };
    assert_eq!(defences("wars-of-honor").as_deref(), Some("+3"));
    assert_eq!(defences("woh-lasers").as_deref(), Some("+4"));
}

#[test]
fn boxes_of_an_empty_sheet_have_their_own_tracks_shape() {
    let games = Rulesets::without_settings(store());
    let (scene, _) = empty_sheet(&games, "wars-of-honor", "ship", Paper::A4);
    let is_square = |name: &str| {
        let mut items = scene.pages.iter().flat_map(|page| &page.items);
        let item = items.find(|item| item.mark.as_ref().is_some_and(|mark| *mark.name == *name)).expect("it is drawn");
        matches!(item.shape, Shape::Rect { .. })
    };
    assert!((1..=4).all(|n| !is_square(&format!("sidewall_down_{n}"))), "turns left");
    assert!(is_square("sidewall_down_5"), "the generator's box");
}

#[test]
fn circles_of_a_ship_twice_as_large_are_on_its_plan() {
    let twice = LARGE
        .map(|(system, mount, count)| (system, mount, if system == "missile-magazine" { count } else { 2 * count }));
    let twice = ship(&design("starship", &twice));
    for paper in [Paper::A4, Paper::A5] {
        let options = SheetOptions { page_setup: paper.into(), ..SheetOptions::default() };
        let (scene, findings) = printed(std::slice::from_ref(&twice), options);
        holds(&twice, &scene, &findings, options);
        let all = (0..scene.pages.len()).map(|page| words(&scene, page)).collect::<Vec<_>>().join(" ");
        let lists = ["LAUNCHERS LOADED", "ROUNDS", "PORT · CONTINUED", "FORWARD CHASE", "AFTER RING", "CORE"];
        assert!(lists.iter().all(|list| !all.contains(list)), "{paper:?}: {all}");
        for side in ["port", "starboard"] {
            let circles = (0..scene.pages.len()).map(|page| middles(&scene, page, &format!("loaded_{side}")).len());
            // All on the page of the plan.
            assert_eq!(circles.max(), Some(24), "{paper:?}");
        }
    }
}

/// What waited for the second page stands close there, so that the log of turns has room beside it.
#[test]
fn a_light_cruiser_takes_two_pages_of_small_paper() {
    let samples = designs_of_ruleset(store(), rules());
    for name in ["Eisvogel", "Sirocco"] {
        let mut ships = samples.iter().map(|design| evaluate(rules(), design, &Ship::default()));
        let cruiser = ships.find(|ship| &*ship.name == name).expect("a sample");
        let options = SheetOptions { page_setup: Paper::A5.into(), ..SheetOptions::default() };
        let (scene, _) = printed(&[cruiser], options);
        assert_eq!(scene.pages.len(), 2, "{name}");
        assert!(words(&scene, 1).contains("TURN LOG"), "{name}");
    }
}

/// The imprint begins at the left edge on every paper, with the game and its rules, whether or not a scale is drawn beside it.
#[test]
fn the_imprint_begins_with_the_rules_at_the_left_edge() {
    let craft = [("beta-node", "forward-ring", 6), ("cnc", "core", 1), ("box-launcher", "forward", 5)];
    let star = [("alpha-node", "forward-ring", 4), ("cnc", "core", 1), ("laser", "port", 4)];
    let pod = [("box-launcher", "pod", 8)];
    for (unit, fits) in [("starship", &star[..]), ("lac", &craft[..]), ("pod", &pod[..])] {
        let ship = ship(&design(unit, fits));
        for (paper, large_print) in [(Paper::A4, false), (Paper::A4, true), (Paper::A5, false), (Paper::A5, true)] {
            let options = SheetOptions { page_setup: paper.into(), large_print, ..SheetOptions::default() };
            let (scene, _) = printed(std::slice::from_ref(&ship), options);
            let texts = scene.pages[0].items.iter().filter_map(|item| match &item.shape {
                Shape::Text(text) => Some((text.shaped.text.to_string(), text.x, text.y)),
                _ => None,
            });
            let texts: Vec<_> = texts.collect();
            let at = |words: &str| texts.iter().find(|text| text.0.contains(words)).expect("the imprint").clone();
            let (rules, credit) = (at("Wars of Honor 1.0"), at("by the author"));
            assert!(rules.0.starts_with("Wars of Honor 1.0 · rules"), "{unit} {paper:?}: {rules:?}");
            assert!(
                (rules.1 - credit.1).abs() < 0.3 && rules.2 <= credit.2,
                "{unit} {paper:?} {large_print}: {rules:?} {credit:?}"
            );
        }
    }
}

/// What cannot be drawn is in words on the sheet, and told with its place.
#[test]
fn arcs_that_cannot_be_drawn_are_printed_and_told() {
    let sample = moldloft::store::built_in_source("designs/b5-house-rules/sirenna.toml").expect("a sample").text;
    let (before, after) = sample.split_once("arc = \"").expect("a weapon with an arc");
    let (_, after) = after.split_once('"').expect("the end of its arc");
    let ship_with = |arc: &str| {
        let source = Source::new("ship.toml", &format!("{before}arc = \"{arc}\"{after}"));
        let design = Design::read(&source).expect("it is TOML");
        let rules = Rulesets::without_settings(store());
        let rules = rules.get("b5-house-rules").expect("it is built in").ruleset().expect("it loads").clone();
        evaluate(&rules, &design, &Ship::default())
    };
    let told = |ship: &Evaluation| ship.findings.iter().find(|finding| finding.code == "arc-not-drawn").cloned();
    for drawn in ["300 to 60", "forward, starboard", ""] {
        assert!(told(&ship_with(drawn)).is_none(), "{drawn}");
    }
    let ship = ship_with("forward and starboard");
    let finding = told(&ship).expect("a finding");
    assert!(finding.message.contains("forward and starboard") && finding.help.is_some(), "{finding:?}");
    assert!(finding.at.line > 0 && finding.at.column > 0, "{finding:?}");
    let (scene, _) = printed(&[ship], SheetOptions::default());
    let pages: Vec<String> = (0..scene.pages.len()).map(|page| words(&scene, page)).collect();
    assert!(pages.join(" ").contains("forward and starboard"), "{pages:?}");
}
