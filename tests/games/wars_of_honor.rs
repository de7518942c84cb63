//! Wars of Honor; its worked figures stand in `tests/rulesets.rs`, its random ships in `tests/oracle.rs` and `tests/sheets.rs`.

use moldloft::scene::{Rect, Shape};
use moldloft::sheet::{Paper, SheetOptions};

use super::rules::load;

const ID: &str = "wars-of-honor";

super::game_of!(ID, 19);

/// The words of all pages of a job.
fn words(ship: &moldloft::evaluate::Evaluation) -> String {
    let (scene, findings) = super::printed(std::slice::from_ref(ship), moldloft::sheet::SheetOptions::default());
    assert!(findings.is_empty());
    let items = scene.pages.iter().flat_map(|page| &page.items);
    let words = items.filter_map(|item| match &item.shape {
        moldloft::scene::Shape::Text(text) => Some(text.shaped.text.to_string()),
        _ => None,
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn the_reference_says_of_pods_and_sidewalls_what_the_rules_say() {
    let reference = moldloft::evaluate::Evaluation::blank(&load(ID), "reference").expect("there is one");
    let words = words(&reference);
    for said in [
        "or its drone in its place",
        "rolls once for the pods",
        "18 still repair",
        "its pods: not in the rules (†)",
        "YOUR GROUP'S RULINGS",
    ] {
        assert!(words.contains(said), "{said}: {words}");
    }
    assert!(!words.contains("die with her"), "the rules do not say so");
}

/// A row that a layer changes is not printed as it was beside what it is.
#[test]
fn the_reference_prints_a_changed_row_once() {
    let layer = "[change.table.damage.rows.\"laser cluster\"]\nroll = \"5–6 kills; one per missile\"\n";
    let rules = crate::house_odds::house(ID, layer);
    let text = words(&moldloft::evaluate::Evaluation::blank(&rules, "reference").expect("there is one"));
    assert!(text.contains("5–6 kills; one per missile"), "{text}");
    assert!(!text.contains("1D6 once: 6 kills") && !text.contains("laser-cluster"), "{text}");
}

/// What the rules say on starting, loading, repairing and pods, and what they leave to the group, each in a few words.
#[test]
fn the_reference_has_every_rule_of_the_text() {
    let text = words(&moldloft::evaluate::Evaluation::blank(&load(ID), "reference").expect("there is one"));
    for said in [
        "facing along the course",
        "no alpha node left in one of the rings",
        "combat: not in the rules (†)",
        "optional, from the game's start",
        "not again as the next turn starts",
        "out of range or arc: a miss",
        "its missile exchanged",
        "launcher to launcher takes two turns",
        "with one target arc",
        "this turn and the next (the other: †)",
        "on each side that is not down",
        "if R falls, choose",
        "only at targets without a sidewall box",
        "target arcs, sidewall",
        "combat in a gravity wave",
        "overload: other side",
        "the table without a title",
        "civilians have the pirates",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
}

/// The missiles of box launchers are listed with the launchers' side; one of a thing is no plural.
#[test]
fn box_launchers_are_named_by_their_side() {
    let rules = load(ID);
    let mut text = include_str!("../cases/wars-of-honor/good/dd.toml").to_owned();
    for (mount, loads) in [("port", "laser_heads = 1"), ("starboard", "nuclear = 1")] {
        text += &format!("\n[[fit]]\nsystem = \"box-launcher\"\nmount = \"{mount}\"\n{loads}\n");
    }
    let ship = super::ship(&rules, &text);
    let (scene, _) = super::printed(std::slice::from_ref(&ship), SheetOptions::default());
    let text: String = scene.pages.iter().map(|page| words_of(&page.items)).collect();
    for said in ["port · 1 laser head", "starboard · 1 nuclear"] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert!(!text.contains("1 laser heads") && !text.contains("MAGAZINES AND SALVOES"), "{text}");
}

#[test]
fn the_reference_names_each_nation_once_with_all_its_numbers() {
    let text = words(&moldloft::evaluate::Evaluation::blank(&load(ID), "reference").expect("there is one"));
    // Acceleration, turns, defence and dice of a laser head and a nuclear one, counter-missile, drone.
    for line in [
        "Manticore Alliance 10 3 +4 3D6 +2 2D6 +4 40 +3 6",
        "Republic of Haven 10 3 +3 3D6 +1 2D6 +3 35 +2 6",
        "Silesian Confederacy 9 2 +3 3D6 +1 2D6 +3 30 +2 5",
        "civilians 8 2 +1 2D6 \u{2212}1 2D6 +2 30 +1 4",
        "Anderman Empire 10 3 +4 3D6 +2 2D6 +3 35 +3 6",
    ] {
        assert_eq!(text.matches(line).count(), 1, "{line}: {text}");
    }
    assert_eq!(text.matches("Republic of Haven").count(), 1, "{text}");
    // What each of several clusters may do, and what turning costs.
    assert!(text.contains("each at another missile") && text.contains("which cost no thrust"), "{text}");
}

/// Damage by the face of a die is for the weapons of the rules; what a layer adds to the table of damage is printed too.
#[test]
fn the_reference_shows_the_damage_of_a_layers_weapon() {
    let words_of =
        |id: &str| words(&moldloft::evaluate::Evaluation::blank(&load(id), "reference").expect("there is one"));
    let (plain, house) = (words_of(ID), words_of("woh-lasers"));
    assert!(house.contains("ion cannon") && house.contains("see the ion table"), "{house}");
    for text in [&plain, &house] {
        for said in
            ["laser head 6 the missile’s 0 1 1 2 2 3", "nuclear 6 the missile’s 1 2 3 4 5 6", "8 2 +1 2D6 −1 2D6"]
        {
            assert!(text.contains(said), "{said}: {text}");
        }
    }
    assert!(!plain.contains("OTHER DAMAGE") && house.contains("OTHER DAMAGE"), "{house}");
}

#[test]
fn a_ship_says_down_to_how_many_blocks_her_sidewall_is_repaired() {
    let ships = super::samples(ID);
    let vigilant = ships.iter().find(|ship| &*ship.name == "Vigilant").expect("the sample");
    // 37 blocks: with 18 left, half rounded down, she still repairs; up to half of 9 boxes are 4.
    let words = words(vigilant);
    assert!(words.contains("boxes back a side: 4 at most, with 18 or more blocks left"), "{words}");
    assert!(words.contains("1D6 a system (70)") && words.contains("checks 5 and 4"), "{words}");
}

/// The built-in destroyer with lasers of her own: so many kinds, each three times in her core.
fn with_own(kinds: usize, numbers: &str) -> String {
    let mut text = include_str!("../cases/wars-of-honor/good/dd.toml").to_owned();
    for n in 1..=kinds {
        text += &format!("\n[[system]]\nid = \"doom-{n}\"\nlike = \"laser\"\n{numbers}\n");
        text += &format!("[[fit]]\nsystem = \"doom-{n}\"\nmount = \"forward\"\ncount = 3\n");
    }
    text
}

#[test]
fn a_ship_with_systems_of_her_own_is_never_simply_legal() {
    let rules = load(ID);
    let free = super::ship(&rules, &with_own(1, "mass = 0\npoints = 0"));
    let beyond: Vec<&str> = free
        .findings
        .iter()
        .filter(|finding| *finding.code == *"own-system-out-of-range")
        .map(|finding| &*finding.message)
        .collect();
    assert_eq!(
        beyond,
        ["doom 1: expected mass of at least 1, found 0", "doom 1: expected points of at least 1, found 0"]
    );
    assert!(!free.legal);

    let paid = super::ship(&rules, &with_own(1, "mass = 2\npoints = 9"));
    assert!(paid.legal, "{:?}", paid.findings);
    let words = "own systems (house): doom 1 ×3 (like laser, 2 mass, 9 points)";
    assert_eq!(paid.custom_system_summary().map(|words| &**words), Some(words));
    // Few are in the foot; many go on to another page. None is lost.
    for kinds in [1, 40] {
        let ship = super::ship(&rules, &with_own(kinds, "mass = 2\npoints = 9"));
        let (scene, _) = super::printed(std::slice::from_ref(&ship), SheetOptions::default());
        let text: String = scene.pages.iter().map(|page| words_of(&page.items)).collect::<Vec<_>>().join(" ");
        for n in 1..=kinds {
            assert!(text.contains(&format!("doom {n} ×3 (like laser, 2 mass, 9")), "{n} of {kinds}: {text}");
        }
    }
}

/// All text of items, in order.
fn words_of(items: &[moldloft::scene::SceneItem]) -> String {
    let mut out = String::new();
    for item in items {
        match &item.shape {
            moldloft::scene::Shape::Text(text) => {
                out.push_str(&text.shaped.text);
                out.push(' ');
            }
            moldloft::scene::Shape::Group { items, .. } => out.push_str(&words_of(items)),
            _ => {}
        }
    }
    out
}

/// The places of boxes of a track on a page, in their order.
fn boxes_of(page: &moldloft::scene::Page, stem: &str) -> Vec<Rect> {
    let named = page.items.iter().filter(|item| {
        let name = item.mark.as_ref().map_or("", |mark| &*mark.name);
        name.strip_prefix(stem).is_some_and(|n| n.parse::<u32>().is_ok())
    });
    let rects = named.filter_map(|item| match &item.shape {
        Shape::Rect { rect, .. } => Some(*rect),
        _ => None,
    });
    rects.collect()
}

/// Five rows of structure are five lines, on the first page with the ship, also of a superdreadnought.
#[test]
fn no_row_of_structure_is_broken() {
    let ships = super::samples(ID);
    for name in ["Lodestar", "Ardennes", "Vigilant"] {
        let ship = ships.iter().find(|ship| &*ship.name == name).expect("the sample");
        let (scene, _) = super::printed(std::slice::from_ref(ship), SheetOptions::default());
        let boxes = boxes_of(&scene.pages[0], "structure_");
        assert_eq!(boxes.len() as i64, super::rules::value(ship, "structure"), "{name}: not all on the first page");
        let lines: std::collections::BTreeSet<i64> = boxes.iter().map(|rect| (rect.y * 10.0).round() as i64).collect();
        assert_eq!(lines.len(), 5, "{name}: {lines:?}");
        assert!(!boxes_of(&scene.pages[0], "missile-launcher_port_").is_empty(), "{name}: no launchers beside it");
    }
}

/// The circle of R is beside the rows that it is about, not at the page's edge.
#[test]
fn the_repair_circle_is_near_its_rows() {
    let ships = super::samples(ID);
    let ardennes = ships.iter().find(|ship| &*ship.name == "Ardennes").expect("the sample");
    let (scene, _) = super::printed(std::slice::from_ref(ardennes), SheetOptions::default());
    let boxes = boxes_of(&scene.pages[0], "structure_");
    let (top, bottom) = (boxes[0].y, boxes.last().expect("boxes").y);
    let right = boxes.iter().map(|rect| rect.right()).fold(0.0, f32::max);
    let circle = scene.pages[0].items.iter().find_map(|item| match &item.shape {
        Shape::Circle { x, y, radius, .. } if *radius > 6.0 && *y > top && *y < bottom + 5.0 => Some((*x, *radius)),
        _ => None,
    });
    let (x, radius) = circle.expect("the circle");
    assert!(x - radius - right < 40.0, "{x}, {radius}, boxes end at {right}");
}

/// A ship without repair has no circle of R, no column of repair numbers.
#[test]
fn a_ship_without_repair_has_no_repair_numbers() {
    let ships = super::samples(ID);
    let page = |name: &str| {
        let ship = ships.iter().find(|ship| &*ship.name == name).expect("the sample");
        words(ship)
    };
    assert!(page("Vigilant").contains("dot ticked: R 0"));
    assert!(!page("Petrel").contains("dot ticked"));
}

/// The signs beside numbers of missiles have a key, of those aboard; a warhead of which there is none has no row, and a dot that means nothing is not drawn.
#[test]
fn a_sheet_explains_the_signs_it_shows_and_shows_no_others() {
    let ships = super::samples(ID);
    let page = |name: &str| {
        let ship = ships.iter().find(|ship| &*ship.name == name).expect("the sample");
        let (scene, _) = super::printed(std::slice::from_ref(ship), SheetOptions::default());
        let texts = scene.pages[0].items.iter().filter_map(|item| match &item.shape {
            Shape::Text(text) => Some(text.shaped.text.to_string()),
            _ => None,
        });
        let texts: Vec<String> = texts.collect();
        ["laser head", "nuclear"].map(|word| texts.iter().filter(|text| *text == word).count())
    };
    // In the tables of missiles and of damage, and in the key.
    assert_eq!(page("Vigilant"), [3, 3]);
    assert_eq!(page("Hornisse"), [3, 0]);
    let dots = |name: &str| {
        let ship = ships.iter().find(|ship| &*ship.name == name).expect("the sample");
        let structure = ship.tracks.iter().find(|track| &*track.id == "structure").expect("boxes");
        structure.marks.iter().filter(|mark| &*mark.icon == "dot" && mark.at > 0).count()
    };
    assert_eq!(["Vigilant", "Hornisse", "Carquois"].map(dots), [1, 0, 0]);
}

fn small_and_large() -> SheetOptions {
    SheetOptions { page_setup: Paper::A5.into(), large_print: true, ..SheetOptions::default() }
}

/// Orders are written from a course and a speed: the turn log has a row for those at the start, the further turns none.
#[test]
fn the_turn_log_begins_before_the_first_turn() {
    let ships = super::samples(ID);
    for name in ["Vigilant", "Petrel", "Sparrowhawk"] {
        let ship = ships.iter().find(|ship| &*ship.name == name).expect("the sample");
        for options in [SheetOptions::default(), small_and_large()] {
            let (scene, _) = super::printed(std::slice::from_ref(ship), options);
            let text: String = scene.pages.iter().map(|page| words_of(&page.items)).collect();
            assert_eq!(text.matches("start 1 2 ").count(), 1, "{name}: {text}");
        }
    }
}

/// An empty sheet's first page is the ship: its plan with the boxes, and the structure below.
#[test]
fn an_empty_sheet_begins_with_the_plan_on_every_paper() {
    let blank = moldloft::evaluate::Evaluation::blank(&load(ID), "ship").expect("there is one");
    let options = SheetOptions { is_blank: true, ..small_and_large() };
    let (scene, _) = super::printed(std::slice::from_ref(&blank), options);
    let first = words_of(&scene.pages[0].items);
    for part in ["SHIP SYSTEMS", "forward chase", "starboard", "after chase", "STRUCTURE"] {
        assert!(first.contains(part), "{part}: {first}");
    }
}

/// Weapons that roll one die are with the damage of the others, not alone on the next page.
#[test]
fn damage_of_all_weapons_is_on_one_page() {
    for ship in super::samples(ID).iter().filter(|ship| super::rules::value(ship, "mass") > 20) {
        let (scene, _) = super::printed(std::slice::from_ref(ship), small_and_large());
        let pages: Vec<String> = scene.pages.iter().map(|page| words_of(&page.items)).collect();
        let page_of = |what: &str| pages.iter().position(|text| text.contains(what));
        if let (Some(damage), Some(once)) = (page_of("DAMAGE OF EACH DIE"), page_of("1D6 once: 6 kills")) {
            assert_eq!(damage, once, "{}", ship.name);
        }
    }
}
