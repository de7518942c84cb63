//! Sheets of ships that no sample is like: one-sided, unarmed, with long names, under house rules. What they print is what holds for them.

use std::sync::Arc;

use moldloft::design::{Design, Ship};
use moldloft::evaluate::{Evaluation, evaluate};
use moldloft::library::{Language, Rulesets};
use moldloft::ruleset::Ruleset;
use moldloft::scene::Shape;
use moldloft::sheet::{Paper, SheetJob, SheetOptions, TemplateCache, print};
use moldloft::source::Source;
use moldloft::store::Store;

use crate::house_odds::house;
use crate::support::rules;
use rules::load;

/// The texts of each page of a ship's sheets.
fn pages(ship: Evaluation, options: SheetOptions) -> Vec<Vec<String>> {
    let store = Store::built_in();
    let templates = TemplateCache::new(|ids, name| store.template(ids, name));
    let (scene, findings) = print(&SheetJob { ships: &[ship], templates: &templates, options, subject: "sheets" });
    assert!(findings.is_empty(), "{findings:?}");
    let text_of = |shape: &Shape| match shape {
        Shape::Text(text) => Some(text.shaped.text.to_string()),
        _ => None,
    };
    scene.pages.iter().map(|page| page.items.iter().filter_map(|item| text_of(&item.shape)).collect()).collect()
}

fn ship(rules: &Arc<Ruleset>, text: &str) -> Evaluation {
    evaluate(rules, &Design::read(&Source::new("ship.toml", text)).unwrap(), &Ship::default())
}

/// A design of Wars of Honor: its fields, and fits as `system mount count`, with further keys.
fn honor(fields: &str, fits: &[&str]) -> String {
    let fit = |line: &&str| {
        let words: Vec<&str> = line.splitn(4, ' ').collect();
        format!(
            "[[fit]]\nsystem = \"{}\"\nmount = \"{}\"\ncount = {}\n{}\n",
            words[0],
            words[1],
            words[2],
            words.get(3).unwrap_or(&"").replace(';', "\n")
        )
    };
    format!("name = \"Odd\"\n[fields]\n{fields}\n{}", fits.iter().map(fit).collect::<String>())
}

const NODES: [&str; 3] = ["alpha-node forward-ring 3", "alpha-node after-ring 3", "cnc core 1"];

fn with_backs() -> SheetOptions {
    SheetOptions { sheet_backs: true, card_backs: true, card_backs_beside: true, ..SheetOptions::default() }
}

fn has(pages: &[Vec<String>], words: &str) -> bool {
    pages.iter().any(|page| page.join(" ").contains(words))
}

#[test]
fn each_launcher_has_its_column_where_missiles_loaded_are_written() {
    for many in [9, 16] {
        let port = format!("missile-launcher port {many}");
        let magazine = format!("missile-magazine core 1 feeds = {many};laser_heads = 20");
        let design = honor("nation = \"haven\"", &[&NODES[..], &[&*port, &*magazine]].concat());
        let texts = pages(ship(&load("wars-of-honor"), &design), with_backs());
        let back = texts.last().unwrap();
        for n in 1..=many {
            assert!(back.contains(&format!("P{n}")), "{n} of {many}: {back:?}");
        }
        assert!(!back.contains(&format!("P{}", many + 1)));
    }
}

/// What is rolled again is said once: tables made of another have its note, unless they have their own.
#[test]
fn a_house_note_on_damage_is_printed_everywhere() {
    let design = honor("nation = \"haven\"", &[&NODES[..], &["laser port 2"]].concat());
    let note = |table: &str| format!("[change.table.{table}]\nnote = \"the club's dice\"\n");
    for rules in [house("wars-of-honor", &note("damage")), house("wars-of-honor", &note("damage_by_die"))] {
        let reference = Evaluation::blank(&rules, "reference").unwrap();
        for texts in [pages(ship(&rules, &design), with_backs()), pages(reference, SheetOptions::default())] {
            assert!(has(&texts, "the club's dice") && !has(&texts, "rolled again;"), "{texts:?}");
        }
    }
    let lasers = pages(ship(&load("woh-lasers"), &design), SheetOptions::default());
    assert!(has(&lasers, "a 6 is rolled again, once") && !has(&lasers, "the new die is added"), "{lasers:?}");
}

#[test]
fn the_sidewall_is_as_long_as_the_first_row_of_structure() {
    let design = honor("nation = \"haven\"", &[&NODES[..], &["cargo-hold core 7"]].concat());
    for id in ["wars-of-honor", "woh-lasers"] {
        let ship = ship(&load(id), &design);
        let rows = |id: &str| ship.tracks.iter().find(|track| &*track.id == id).unwrap().rows.clone();
        assert_eq!(rows("sidewall_port")[0], rows("structure")[0], "{id}");
    }
}

/// Boxes and tables that no panel shows are on the first page where it has room for them.
#[test]
fn what_a_layer_adds_is_no_page_of_its_own() {
    let rules = load("sky-plasma");
    let marines = "name = \"Odd\"\n[fields]\nmass = 30\nhull_strength = 4\nscreens = 3\nengine = 6\nspecial = \"plasma-lance\"\nspecial_count = 3\nprimary_forward = 10\nsecondary = 4\nmarines = 14\n";
    let texts = pages(ship(&rules, marines), SheetOptions::default());
    assert_eq!(texts.len(), 1, "{texts:?}");
    assert!(has(&texts, "MARINES*"), "{texts:?}");
    // How the weapon of the layer fires is on the back, where the changed chart has its star.
    let texts = pages(ship(&rules, marines), with_backs());
    assert!(has(&texts, "twice the damage within 6 inches"), "{texts:?}");
    assert!(texts.iter().flatten().any(|text| text == "die*"), "{texts:?}");
    let reference = Evaluation::blank(&load("woh-lasers"), "reference").unwrap();
    let texts = pages(reference, SheetOptions::default());
    assert_eq!(texts.len(), 1, "{texts:?}");
    assert!(has(&texts, "one system off until the turn ends"), "{texts:?}");
}

/// A star is the mark of house rules; what a group decides has another.
#[test]
fn a_star_has_one_meaning() {
    let texts = pages(Evaluation::blank(&load("woh-lasers"), "reference").unwrap(), SheetOptions::default());
    assert!(has(&texts, "(† ") || has(&texts, "(†)"), "{texts:?}");
    assert!(!has(&texts, "(*)") && !has(&texts, "* YOUR GROUP"), "{texts:?}");
}

#[test]
fn salvoes_are_for_ships_with_missiles() {
    let rules = load("wars-of-honor");
    let craft = |more: &'static str| {
        let fits = ["beta-node forward-ring 3", "beta-node after-ring 3", "cnc core 1", "graser forward 1", more];
        pages(ship(&rules, &honor("unit = \"lac\"", &fits)), with_backs())
    };
    let unarmed = craft("laser-cluster all-round 1");
    assert!(!has(&unarmed, "SALVOES") && has(&unarmed, "AGREED RULINGS"), "{unarmed:?}");
    assert!(has(&craft("box-launcher forward 2 laser_heads = 2"), "SALVOES AND RULINGS"));
    // A pod fires by its owner, whose sheet has the log.
    let pod = honor("unit = \"pod\"", &["box-launcher pod 30 laser_heads = 30"]);
    assert!(!has(&pages(ship(&rules, &pod), SheetOptions::default()), "SALVOES"));
}

#[test]
fn one_long_name_breaks_no_other() {
    let own = "[[system]]\nid = \"ion\"\nlike = \"laser\"\nname = \"ion cannon of the improved pattern\"\nabbr = \"IC\"\nmass = 3\npoints = 8\n";
    let fits = ["ion forward 3", "missile-launcher port 2", "missile-magazine core 1 feeds = 2;laser_heads = 10"];
    let design =
        honor("nation = \"haven\"", &[&NODES[..], &fits].concat()).replace("[fields]", &format!("{own}[fields]"));
    let texts = pages(ship(&load("wars-of-honor"), &design), SheetOptions::default());
    let damage = texts[0].iter().position(|text| text == "DAMAGE OF EACH DIE").unwrap();
    let rows = &texts[0][damage..];
    assert!(
        rows.iter().any(|text| text == "laser head") && rows.iter().any(|text| text == "the missile’s"),
        "{rows:?}"
    );
}

#[test]
fn a_carrier_of_many_bays_knows_how_many_flights_it_launches() {
    let rules = load("sky-full-of-ships");
    let carrier = |mass: u32, bays: u32| {
        let fields =
            format!("name = \"Odd\"\n[fields]\nmass = {mass}\nengine = 2\nfighter_bays = {bays}\nsecondary = 9\n");
        pages(ship(&rules, &fields), with_backs())
    };
    assert!(has(&carrier(18, 12), "launch, recover 4"));
    let titan = carrier(48, 20);
    assert!(has(&titan, "launch, recover 7") && has(&titan, "then 1 more for every 3"), "{titan:?}");
    // No line ends between a strength and its column.
    assert!(titan.iter().flatten().all(|text| !text.trim_end().ends_with('=')), "{titan:?}");
}

fn german(id: &str) -> Arc<Ruleset> {
    let store = Store::built_in();
    let rulesets = Rulesets::without_settings(&store).in_language(Some(Language::new("de")));
    rulesets.get(id).expect("words").ruleset().expect("it loads").clone()
}

/// No row of a table on a back is lost for want of room, in German neither.
#[test]
fn the_back_of_a_german_titan_has_every_row() {
    let rules = german("sky-full-of-ships");
    let titan = "name = \"Odd\"\n[fields]\nmass = 48\nhull_strength = 6\nscreens = 4\nprimary_forward = 120\nsecondary = 44\nengine = 2\nspecial = \"mass-driver\"\nspecial_count = 12\nfighter_bays = 20\n";
    let texts = pages(ship(&rules, titan), with_backs());
    assert!(has(&texts, "das Schiff ist zerstört"), "{texts:?}");
    assert!(!has(&texts, "bays"), "{texts:?}");
}

#[test]
fn pockets_of_magazines_are_named_and_not_counted() {
    let fits = ["missile-launcher port 2", "missile-magazine core 1 feeds = 2;laser_heads = 5;nuclear = 5"];
    let design = honor("nation = \"haven\"", &[&NODES[..], &fits].concat());
    let options = SheetOptions { load_sheets: true, ..SheetOptions::default() };
    let texts = pages(ship(&load("wars-of-honor"), &design), options);
    assert!(texts.last().unwrap().contains(&"laser heads".to_owned()), "{texts:?}");
    assert!(!has(&texts, "1 laser heads"), "{texts:?}");
}

fn count(pages: &[Vec<String>], words: &str) -> usize {
    pages.iter().flatten().filter(|text| *text == words).count()
}

#[test]
fn logs_of_cards_have_a_row_for_the_plot_and_go_on_on_the_back() {
    let rules = load("sky-full-of-ships");
    let card = |rules: &Arc<Ruleset>, fields: &str| {
        pages(ship(rules, &format!("name = \"Odd\"\n[fields]\n{fields}")), with_backs())
    };
    let carrier = card(&rules, "mass = 9\nengine = 8\nfighter_bays = 7\n");
    assert!(!has(&carrier, "speed, plot, target") && count(&carrier[..1], "plot") > 0, "{carrier:?}");
    let titan = "mass = 48\nhull_strength = 6\nscreens = 4\nprimary_forward = 120\nsecondary = 44\nengine = 2\nspecial = \"mass-driver\"\nspecial_count = 12\nfighter_bays = 20\n";
    assert_eq!(count(&card(&rules, titan), "plot"), 2);
    let small = "mass = 6\nhull_strength = 3\nscreens = 1\nprimary_forward = 8\nprimary_left = 4\nprimary_right = 4\nprimary_rear = 2\nsecondary = 4\nengine = 5\nagile = true\nspecial = \"mass-driver\"\nspecial_count = 1\n";
    assert_eq!(count(&card(&german("sky-full-of-ships"), small), "Plot"), 2);
}

#[test]
fn a_craft_has_no_more_salvo_lines_than_missiles_and_its_key_in_large_print() {
    let rules = load("wars-of-honor");
    let fits = [
        "beta-node forward-ring 3",
        "beta-node after-ring 3",
        "cnc core 1",
        "laser-cluster all-round 1",
        "box-launcher forward 5 laser_heads = 5",
        "counter-missile-launcher forward 1",
        "laser forward 3",
    ];
    let craft = honor("nation = \"anderman\"\nunit = \"lac\"", &fits);
    assert_eq!(count(&pages(ship(&rules, &craft), with_backs()), "F"), 5);
    let large = SheetOptions { large_print: true, ..SheetOptions::default() };
    let texts = pages(ship(&rules, &craft), large);
    assert!(has(&texts[..1], "beta node"), "{texts:?}");
}

#[test]
fn a_large_ship_without_missiles_has_rulings_beside_its_plan() {
    let fits = ["beta-node forward-ring 40", "beta-node after-ring 40", "cargo-hold core 20"];
    let design = honor("nation = \"haven\"", &[&NODES[..], &fits].concat());
    assert!(has(
        &pages(ship(&load("wars-of-honor"), &design), SheetOptions::default()),
        "PODS IN TOW AND AGREED RULINGS"
    ));
}

#[test]
fn the_german_reference_of_wars_of_honor_is_one_page() {
    let reference = Evaluation::blank(&german("wars-of-honor"), "reference").unwrap();
    assert_eq!(pages(reference, SheetOptions::default()).len(), 1);
}

/// The widths of the areas of these mounts on a ship's first page, mm.
fn mount_widths<const N: usize>(ship: Evaluation, mounts: [&str; N]) -> [f32; N] {
    let store = Store::built_in();
    let templates = TemplateCache::new(|ids, name| store.template(ids, name));
    let options = SheetOptions { maps_mounts: true, ..SheetOptions::default() };
    let (scene, _) = print(&SheetJob { ships: &[ship], templates: &templates, options, subject: "sheets" });
    mounts.map(|mount| {
        let area = scene.pages[0].mount_areas.iter().find(|area| &*area.mount == mount);
        area.unwrap_or_else(|| panic!("no area of {mount}")).rect.w
    })
}

#[test]
fn a_hull_is_wide_where_its_sides_are_bare() {
    let fits = ["laser forward 9", "laser aft 9", "graser forward 8", "graser aft 8"];
    let rules = load("wars-of-honor");
    let design = |more: &str| ship(&rules, &honor("nation = \"haven\"", &[&NODES[..], &fits, &[more]].concat()));
    let [bare] = mount_widths(design("laser-cluster all-round 4"), ["forward"]);
    let [armed] = mount_widths(design("laser port 4"), ["forward"]);
    assert!(bare > 1.5 * armed, "{bare} {armed}");
}

/// A design of Babylon 5: its fields, kinds of weapons, and fits as `system mount count boxes`.
fn house_ship(fields: &str, weapons: u32, fits: &[&str]) -> String {
    let weapon = |n: u32| {
        format!(
            "[[system]]\nid = \"m{n}\"\nlike = \"weapon\"\nname = \"missile of kind {n}\"\narc = \"240°\"\nrecharge = 2\ndamage = \"{}\"\nballistic = true\nranges = [9, 8, 7, 6, 5, 4, 3, 2]\n",
            10 + n
        )
    };
    let fit = |line: &&str| {
        let words: Vec<&str> = line.split(' ').collect();
        let [system, mount, count, boxes] = words[..] else { panic!("{line}") };
        format!("[[fit]]\nsystem = \"{system}\"\nmount = \"{mount}\"\ncount = {count}\narmour = 3\nboxes = {boxes}\n")
    };
    let movement: Vec<String> =
        (1..9).map(|n| format!("{{ speed = {n}, delay = {}, half = {} }}", n / 2, n / 2 + 1)).collect();
    format!(
        "[fields]\nthrust = 9\naccn = 3\nsignature = 15\nmovement = [{}]\n{fields}\n{}{}",
        movement.join(", "),
        (0..weapons).map(weapon).collect::<String>(),
        fits.iter().map(fit).collect::<String>()
    )
}

const HULL: [&str; 8] = [
    "structure forward 1 30",
    "structure port 1 30",
    "structure starboard 1 30",
    "structure aft 1 30",
    "structure primary 1 30",
    "cnc primary 1 8",
    "reactor primary 1 20",
    "engine primary 1 12",
];

#[test]
fn twelve_weapons_are_on_the_page_of_their_plan_with_the_log() {
    let fits = [
        "m0 forward 1 4",
        "m1 forward 1 4",
        "m2 forward 1 4",
        "m3 port 2 4",
        "m4 port 2 4",
        "m5 port 2 4",
        "m6 starboard 2 4",
        "m7 starboard 2 4",
        "m8 starboard 2 4",
        "m9 aft 1 4",
        "m10 aft 1 4",
        "m11 aft 1 4",
    ];
    let design = format!("name = \"Odd\"\n{}", house_ship("jamming = 10", 12, &[&HULL[..], &fits].concat()));
    let texts = pages(ship(&load("b5-house-rules"), &design), SheetOptions::default());
    assert!(has(&texts[..1], "WEAPONS") && has(&texts[..1], "TURN LOG"), "{texts:?}");
    // No figure is alone on a line.
    assert!(texts.iter().flatten().any(|text| text.replace('\u{a0}', " ").contains("jamming 5")), "{texts:?}");
}

#[test]
fn the_armed_side_has_the_room_of_the_bare_one() {
    let fits = ["m0 port 6 4", "m1 port 6 4"];
    let design = format!("name = \"Odd\"\n{}", house_ship("", 2, &[&HULL[..], &fits].concat()));
    let [port, starboard] = mount_widths(ship(&load("b5-house-rules"), &design), ["port", "starboard"]);
    assert!(port > 2.0 * starboard, "{port} {starboard}");
}

/// A ship without a name of its own is headed by its class: a long line below does not say it again.
#[test]
fn a_long_class_takes_no_room_of_the_log() {
    let fields = "race = \"Minbari Federation of the Five Castes\"\nship_class = \"escort with nothing but defences\"";
    let design = format!("name = \"Aegis of the Grey Council and All Her Worlds\"\n{}", house_ship(fields, 0, &HULL));
    let texts = pages(ship(&load("b5-house-rules"), &design), SheetOptions::default());
    assert!(
        has(&texts, "escort with nothing but defences · Minbari Federation of the Five Castes")
            && !has(&texts, "IN FULL"),
        "{texts:?}"
    );
}

#[test]
fn a_long_name_of_a_weapon_tears_no_section_and_weapons_come_after_the_hull() {
    let own = "[[system]]\nid = \"hex\"\nlike = \"cannon\"\nname = \"hexagonal lance battery\"\nabbr = \"HX\"\n";
    let fit = |system: &str, mount: &str, count: u32| {
        format!("[[fit]]\nsystem = \"{system}\"\nmount = \"{mount}\"\ncount = {count}\n")
    };
    let section = |mount: &str| {
        [fit("hex", mount, 3), fit("hull", mount, 5), fit("shield", mount, 4), fit("capacitor", mount, 2)].concat()
    };
    let fits = [section("left-front"), section("right-front"), fit("engine", "core", 7)].concat();
    let design = format!("name = \"Odd\"\n[fields]\nclass_kind = \"destroyer\"\n{own}{fits}");
    let small = SheetOptions { page_setup: Paper::A5.into(), ..SheetOptions::default() };
    let texts = pages(ship(&load("star-navy"), &design), small);
    assert!(!has(&texts, "LEFT FRONT"), "{texts:?}");
    let place = |words: &str| texts[0].iter().position(|text| text == words).unwrap_or_else(|| panic!("{texts:?}"));
    assert!(place("hull") < place("hexagonal"), "{texts:?}");
}

/// A command's cycle and turn are no decimal number.
#[test]
fn german_commands_have_no_decimal_comma() {
    let fits = "[[fit]]\nsystem = \"engine\"\nmount = \"core\"\ncount = 7\n";
    let design = format!("name = \"Odd\"\n[fields]\nclass_kind = \"destroyer\"\n{fits}");
    let texts = pages(ship(&german("star-navy"), &design), SheetOptions::default());
    assert!(has(&texts, "1:1") && !has(&texts, "1,1"), "{texts:?}");
}

#[test]
fn the_foot_of_a_german_card_in_large_print_is_german() {
    let fit = "[[fit]]\nsystem = \"main-gun\"\nmount = \"wing-port\"\nguns = 2\n";
    let options = SheetOptions { page_setup: Paper::A5.into(), large_print: true, ..SheetOptions::default() };
    let texts = pages(ship(&german("battleships-1890s"), &format!("name = \"Odd\"\n{fit}")), options);
    assert!(has(&texts, "Haus: Punkte") && has(&texts, "angenommen: Plätze"), "{texts:?}");
    assert!(!has(&texts, "house") && !has(&texts, "wing, guns"), "{texts:?}");
}

/// The kind and nation of a ship without a name of her own are whole under her long name.
#[test]
fn a_long_line_of_a_class_is_not_torn_to_be_said_in_full() {
    let fields = "nation = \"manticore\"\ntype = \"superdreadnought of the second emergency programme\"";
    let design = honor(fields, &NODES).replacen("Odd", "Queen Thessalonika Adeline Marguerite the Third", 1);
    let small = SheetOptions { page_setup: Paper::A5.into(), ..SheetOptions::default() };
    let texts = pages(ship(&load("wars-of-honor"), &design), small);
    assert!(has(&texts[..1], "superdreadnought of the second emergency programme"), "{texts:?}");
    assert!(!has(&texts, "IN FULL"), "{texts:?}");
}
