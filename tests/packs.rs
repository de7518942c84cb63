//! The table pack as players get it: files are written by the program and read back with other tools. Every ship is there, numbers on chits are
//! the numbers on the sheets, what begins on a front begins on a front; broken fleets are named and the others print; a code tells what it is to.

mod codes;
mod odds;
mod pages;
mod sides;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::outside;
use moldloft::export::{self, format_for};
use moldloft::library::{EvaluatedFleet, Fingerprint, FingerprintMatch, Rulesets, check_fleet};
use moldloft::print::{
    PackOptions, PackPart, PrintKind, PrintOptions, PrintedPages, RosterFormat, print_fleets, write_bytes,
};
use moldloft::progress::Progress;
use moldloft::scene::{MarkKind, Page, SceneItem, Shape};
use moldloft::sheet::{Backs, PageSetup, Paper};
use moldloft::source::Source;
use moldloft::store::{FileRef, Store, built_in_source};

const ESCORT: &str = r#"ruleset = "wars-of-honor"
name = "Escort of HM-17"
side = "Manticore"
player = "Anna"
budget = 2400
notes = "Keep the freighters alive."

[[group]]
id = "first"
name = "Cruiser Squadron 4"

[[ship]]
design = "Vigilant"
name = "HMS Vigilant"
hull_number = "CA-301"
captain = "Captain Aurelia Penhaligon"
group = "first"
tow = [{ design = "Quiver", count = 1 }]
[ship.damage]
structure = "1-3, 5"

[[ship]]
design = "Petrel"
name = "HMS Petrel"
hull_number = "DD-118"
notes = "-1 to every roll, says her captain"
"#;

const RAIDERS: &str = r#"ruleset = "wars-of-honor"
name = "Raiders"
side = "Haven"

[[ship]]
design = "Petrel"
name = "PNS Rossignol"
hull_number = "DD-7"
count = 3
"#;

const PATROL: &str = r#"ruleset = "sky-full-of-ships"
name = "Border patrol"

[[ship]]
design = "Projector"
name = "Lantern"

[[ship]]
design = "Swordfish"
name = "Pike"
count = 2
"#;

fn store() -> Store {
    Store::built_in()
}

fn mustered(text: &str) -> EvaluatedFleet {
    check_fleet(&Rulesets::without_settings(&store()), &Source::new("fleet.toml", text), &FileRef::default())
        .expect("a fleet")
}

fn order() -> PackOptions {
    PackOptions::default()
        .print(
            PrintOptions::default()
                .kind(PrintKind::Sheets)
                .page_setup(Default::default())
                .large_print(false)
                .copies(1)
                .backs(Backs::Duplex),
        )
        .parts(BTreeSet::new())
        .single_sided(false)
}

fn packed(texts: &[&str], order: &PackOptions) -> PrintedPages {
    packed_fleets(texts.iter().map(|text| mustered(text)).collect(), order)
}

fn packed_fleets(fleets: Vec<EvaluatedFleet>, order: &PackOptions) -> PrintedPages {
    assert!(fleets.iter().all(|fleet| fleet.skipped.is_empty()), "{:?}", fleets[0].skipped);
    let packed = print_fleets(&store(), &fleets, order, format_for("pdf").unwrap(), &Progress::default());
    assert!(packed.findings.is_empty(), "{:#?}", packed.findings);
    packed
}

fn walk<'a>(items: &'a [SceneItem], see: &mut impl FnMut(&'a SceneItem)) {
    for item in items {
        see(item);
        if let Shape::Group { items, .. } = &item.shape {
            walk(items, see);
        }
    }
}

fn words(page: &Page) -> Vec<String> {
    let mut words = Vec::new();
    walk(&page.items(), &mut |item| {
        if let Shape::Text(text) = &item.shape {
            words.push(text.shaped.text.to_string());
        }
    });
    words
}

/// The pages from the bookmark that begins with these words to the next bookmark.
fn section<'a>(packed: &'a PrintedPages, fleet: &str, title: &str) -> &'a [Page] {
    let pages = &packed.scene.pages;
    let of_fleet =
        pages.iter().position(|page| page.bookmarks.iter().any(|mark| mark.depth == 0 && mark.title == fleet));
    let first = of_fleet.expect(fleet);
    let begins = |page: &Page| page.bookmarks.iter().any(|mark| mark.title.starts_with(title));
    let from = first + pages[first..].iter().position(begins).unwrap_or_else(|| panic!("{title} of {fleet}"));
    let to = pages[from + 1..].iter().position(|page| !page.bookmarks.is_empty()).map_or(pages.len(), |n| from + 1 + n);
    &pages[from..to]
}

/// The program, run in a folder with these fleets.
fn folder(fleets: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in fleets {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let run =
        Command::new(env!("CARGO_BIN_EXE_moldloft")).args(arguments).current_dir(folder).output().expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (run.status.code().expect("a status"), text(&run.stdout), text(&run.stderr))
}

fn read_back(pdf: &Path) -> Vec<String> {
    let text = outside::tool("pdftotext", &["-layout", pdf.to_str().expect("a plain path"), "-"]);
    text.split('\u{c}').map(str::to_owned).collect()
}

/// The outline as readers show it: depth and title, with the page from 1.
fn outline(pdf: &Path) -> Vec<(usize, String, u32)> {
    let document = lopdf::Document::load(pdf).expect("a PDF");
    let pages: BTreeMap<lopdf::ObjectId, u32> = document.get_pages().into_iter().map(|(n, id)| (id, n)).collect();
    fn text(object: &lopdf::Object) -> String {
        let bytes = object.as_str().expect("a title");
        match bytes.strip_prefix(&[0xFE, 0xFF]) {
            Some(wide) => {
                let units: Vec<u16> = wide.chunks(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect();
                String::from_utf16_lossy(&units)
            }
            None => String::from_utf8_lossy(bytes).into_owned(),
        }
    }
    fn below(
        document: &lopdf::Document,
        parent: &lopdf::Dictionary,
        depth: usize,
        pages: &BTreeMap<lopdf::ObjectId, u32>,
        all: &mut Vec<(usize, String, u32)>,
    ) {
        let mut next = parent.get(b"First").and_then(lopdf::Object::as_reference).ok();
        while let Some(id) = next {
            let entry = document.get_dictionary(id).expect("an entry");
            let page = entry.get(b"Dest").unwrap().as_array().unwrap()[0].as_reference().unwrap();
            all.push((depth, text(entry.get(b"Title").unwrap()), pages[&page]));
            below(document, entry, depth + 1, pages, all);
            next = entry.get(b"Next").and_then(lopdf::Object::as_reference).ok();
        }
    }
    let catalog = document.catalog().expect("a catalogue");
    let top = catalog.get(b"Outlines").and_then(lopdf::Object::as_reference).expect("an outline");
    let mut all = Vec::new();
    below(&document, document.get_dictionary(top).unwrap(), 0, &pages, &mut all);
    all
}

#[test]
fn a_battle_pack_reads_back_whole() {
    if outside::lacks(&["pdftotext"]) {
        return;
    }
    let folder = folder(&[("escort.toml", ESCORT), ("raiders.toml", RAIDERS), ("patrol.toml", PATROL)]);
    let arguments = ["pack", "escort.toml", "raiders.toml", "patrol.toml", "-o", "battle.pdf"];
    let (status, said, told) = run(folder.path(), &arguments);
    assert_eq!((status, told.as_str()), (0, ""), "{said}");
    let pdf = folder.path().join("battle.pdf");
    let pages = read_back(&pdf);
    let whole = pages.join("\n");
    for name in
        ["HMS Vigilant", "HMS Petrel", "PNS Rossignol 1", "PNS Rossignol 3", "DD-8", "DD-9", "Lantern", "Pike 2"]
    {
        assert!(whole.contains(name), "{name}");
    }
    let marks = outline(&pdf);
    let titles: Vec<(usize, &str)> = marks.iter().map(|(depth, title, _)| (*depth, title.as_str())).collect();
    let wanted = [
        (0, "Escort of HM-17"),
        (1, "roster"),
        (2, "Quiver"),
        (0, "battle: Wars of Honor 1.0"),
        (1, "HMS Vigilant (Vigilant)"),
        (1, "HMS Petrel (Petrel)"),
        (1, "counters"),
        (0, "Raiders"),
        (1, "roster"),
        (0, "scenario"),
    ];
    assert_eq!(titles[..wanted.len()], wanted);
    let ends: Vec<&str> = titles.iter().rev().take(2).map(|(_, title)| *title).collect();
    let wanted = ["reference: A Sky Full of Ships", "shared rolls: Wars of Honor 1.0"];
    assert_eq!(ends, wanted);
    let battle = pages.iter().find(|page| page.contains("PHASES OF A TURN")).expect("a battle page");
    assert!(
        battle.contains("Orders") && battle.contains("HMS Vigilant") && battle.contains("PNS Rossignol 1"),
        "{battle}"
    );
    assert!(!battle.contains("Quiver"), "towed units do not act: {battle}");
    assert_eq!(titles.iter().filter(|(_, title)| title.starts_with("reference")).count(), 2, "each game once");
    // Every bookmark is on the page that it says, and every one on a front, but what is on the back of a roster.
    for (_, title, page) in &marks {
        assert_eq!(page % 2 == 0, is_behind_a_roster(title), "{title} on page {page}");
        let name = title.split(" (").next().unwrap();
        if name.starts_with("HMS") || name.starts_with("PNS") {
            assert!(pages[*page as usize - 1].contains(name), "{name} on page {page}");
        }
    }
    assert!(!said.contains("blank back"), "shared rolls are on the only one: {said}");
    // Points of the roster are those of the fleet.
    let points = mustered(ESCORT).points.unwrap();
    assert!(pages[0].contains(&points.to_string()) && pages[0].contains(&(2400 - points).to_string()), "{}", pages[0]);
    assert!(pages[0].contains("Captain Aurelia Penhaligon") && pages[0].contains("structure 4 of"), "{}", pages[0]);

    let again = folder.path().join("again.pdf");
    run(folder.path(), &["pack", "escort.toml", "raiders.toml", "patrol.toml", "-o", "again.pdf"]);
    assert_eq!(fs::read(&pdf).unwrap(), fs::read(again).unwrap(), "the same bytes");
}

#[test]
fn chits_bear_the_numbers_of_the_sheets_in_one_series() {
    // The counters of both fleets share their pages, since they have the same ruleset.
    let rulesets = Rulesets::without_settings(&store());
    let fleet = |text: &&str| check_fleet(&rulesets, &Source::new("fleet.toml", text), &FileRef::default());
    let fleets = [ESCORT, RAIDERS].iter().map(|text| fleet(text).expect("a fleet")).collect();
    let packed = packed_fleets(fleets, &order());
    let mut all = BTreeSet::new();
    for page in section(&packed, "counters", "counters") {
        walk(&page.items(), &mut |item| {
            if let Some(mark) = item.mark.as_ref().filter(|mark| mark.kind == MarkKind::Shown)
                && let Some(number) = mark.name.strip_prefix("missile_")
            {
                assert!(all.insert(number.parse::<u32>().unwrap()), "{number} twice");
            }
        });
    }
    assert_eq!(titles(&packed, "counters").len(), 1);
    let mut left = all.iter().copied();
    for (fleet, text) in [("Escort of HM-17", ESCORT), ("Raiders", RAIDERS)] {
        let aboard: u32 = mustered(text)
            .units
            .iter()
            .flat_map(|unit| &unit.evaluation.counters)
            .filter(|counter| counter.series.is_some())
            .map(|counter| counter.count)
            .sum();
        let chits: BTreeSet<u32> = left.by_ref().take(aboard as usize).collect();
        assert_eq!(chits.len() as u32, aboard, "{fleet}");
        // Each number stands once on the sheets of this fleet.
        let units: Vec<EvaluatedFleet> = vec![mustered(text)];
        let mut shown: Vec<u32> = Vec::new();
        let mut seen = Vec::new();
        for unit in &units[0].units {
            let ship = &unit.evaluation;
            let title = ship.ship.name.as_deref().unwrap_or(&ship.name);
            for page in section(&packed, fleet, title) {
                if !seen.contains(&std::ptr::from_ref(page)) {
                    seen.push(std::ptr::from_ref(page));
                    shown.extend(words(page).iter().filter_map(|words| words.parse::<u32>().ok()).filter(|n| *n > 100));
                }
            }
        }
        for number in &chits {
            assert!(shown.contains(number), "{fleet}: chit {number} is on no sheet");
        }
    }
    assert_eq!(left.next(), None, "each number is of one fleet");
    let (first, last) = (*all.first().unwrap(), *all.last().unwrap());
    assert_eq!(all.len() as u32, last - first + 1, "no number is left out");
}

fn is_behind_a_roster(title: &str) -> bool {
    ["summary", "order log", "battle", "scenario", "shared rolls"].iter().any(|start| title.starts_with(start))
}

/// Whether a page, by its index, may begin what its bookmarks say: on a front, or behind another page of its leaf.
fn may_begin(page: &Page, index: usize) -> bool {
    index.is_multiple_of(2) || page.bookmarks.iter().all(|mark| is_behind_a_roster(&mark.title))
}

#[test]
fn ships_of_no_group_are_where_the_fleet_names_them() {
    if outside::lacks(&["pdftotext"]) {
        return;
    }
    let folder = folder(&[]);
    let fleet = concat!(env!("CARGO_MANIFEST_DIR"), "/designs/star-navy/fleets/blue-line.toml");
    let (status, said, told) = run(folder.path(), &["pack", fleet, "--only", "roster", "-o", "roster.pdf"]);
    assert_eq!((status, told.as_str()), (0, ""), "{said}");
    let page = read_back(&folder.path().join("roster.pdf")).concat();
    let place = |words: &str| page.find(words).unwrap_or_else(|| panic!("{words}: {page}"));
    assert!(place("Lake Shore") < place("Screen") && place("Screen") < place("Riverfront 1"), "{page}");
}

#[test]
fn the_pages_of_a_pack_take_little_room_and_are_let_go_of() {
    let bed = PageSetup::default().paper(Paper::A3);
    for (bed, form) in [(PageSetup::default(), false), (PageSetup::default(), true), (bed, true)] {
        let order = order().print(order().print.page_setup(bed));
        let mut packed = packed(&[ESCORT, PATROL], &order);
        // All but marks to cut by is laid away, on shared paper too.
        let lying: Vec<usize> = packed.scene.pages.iter().map(|page| page.items.len()).collect();
        assert!(lying.iter().all(|&items| items <= 20), "{lying:?}");
        let mut whole = packed.scene.clone();
        whole.pages.iter_mut().for_each(Page::expand_items);
        assert!(whole.pages.iter().map(|page| page.items.len()).sum::<usize>() > 3_000);
        let options = export::ExportOptions::default().form(form);
        let format = export::format_for("pdf").expect("PDF");
        let written = (format.write)(&whole, &options, &Progress::default()).expect("a file");
        assert!(written == (format.write)(&packed.scene, &options, &Progress::default()).expect("a file"));
        assert!(written == write_bytes(&mut packed.scene, format, &options, &Progress::default()).expect("a file"));
        assert!(packed.scene.pages.iter().all(Page::is_empty));
    }
}

/// The titles of bookmarks that begin with a word.
fn titles<'a>(packed: &'a PrintedPages, word: &str) -> Vec<&'a str> {
    let marks = packed.scene.pages.iter().flat_map(|page| &page.bookmarks);
    marks.map(|mark| mark.title.as_str()).filter(|title| title.starts_with(word)).collect()
}

#[test]
fn each_side_has_a_reference_and_ships_with_a_log_need_no_other() {
    let plain = packed(&[ESCORT, RAIDERS], &order());
    let once = titles(&plain, "reference");
    assert!(titles(&plain, "order log").is_empty());
    let two = packed(&[ESCORT, RAIDERS], &order().references(2));
    let twice: Vec<String> = once.iter().flat_map(|title| [(*title).to_owned(), format!("{title}, copy 2")]).collect();
    assert_eq!(titles(&two, "reference"), twice);
    let logs = order().parts(BTreeSet::from([PackPart::Logs]));
    assert_eq!(titles(&packed(&[ESCORT, RAIDERS], &logs), "order log").len(), 2);
    // Roster and summary share a leaf.
    let leaf = order().parts(BTreeSet::from([PackPart::Roster, PackPart::Summary]));
    let leaf = packed(&[ESCORT], &leaf);
    assert_eq!((leaf.scene.pages.len(), leaf.scene.pages.iter().filter(|page| page.is_empty()).count()), (2, 0));
}

/// What one page of a ship has, its backs leave out.
#[test]
fn a_back_repeats_no_list_of_the_pages_before() {
    let fleet = "ruleset = \"b5-house-rules\"\nname = \"Raiders\"\n[[ship]]\ndesign = \"Torvald Deep\"\n";
    let sheets = order().parts(BTreeSet::from([PackPart::Sheets]));
    let print = sheets.print.page_setup(Paper::A5.into());
    let packed = packed(&[fleet], &sheets.print(print));
    let lists = |title: &str| packed.scene.pages.iter().flat_map(words).filter(|words| words == title).count();
    assert_eq!((packed.scene.pages.len(), lists("PIVOTS")), (4, 1));
}

#[test]
fn sheets_are_in_the_order_of_the_roster() {
    let fleet = ESCORT.replace("hull_number = \"CA-301\"", "hull_number = \"CA-301\"\n# first");
    // The destroyer is in the group, which the roster lists first, but behind the cruiser in the file.
    let fleet = fleet
        .replace("group = \"first\"\n", "")
        .replace("hull_number = \"DD-118\"", "hull_number = \"DD-118\"\ngroup = \"first\"");
    let fleet = fleet.replace(
        "[[ship]]\ndesign = \"Vigilant\"",
        "[[ship]]\ndesign = \"Petrel\"\nname = \"HMS First\"\ngroup = \"first\"\n\n[[ship]]\ndesign = \"Vigilant\"",
    );
    let sheets = order().parts(BTreeSet::from([PackPart::Sheets]));
    let packed = packed(&[&fleet], &sheets);
    let titles: Vec<&str> =
        packed.scene.pages.iter().flat_map(|page| &page.bookmarks).map(|mark| mark.title.as_str()).collect();
    let place = |name: &str| titles.iter().position(|title| title.starts_with(name)).unwrap();
    assert!(place("HMS First") < place("HMS Petrel") && place("HMS Petrel") < place("HMS Vigilant"), "{titles:?}");
}

#[test]
fn only_the_parts_asked_for() {
    for (parts, titles) in [
        (vec![PackPart::Roster], vec!["roster"]),
        (vec![PackPart::Summary, PackPart::Logs], vec!["summary for the opponent", "order log"]),
        (vec![PackPart::Chits], vec!["counters"]),
        (vec![PackPart::Reference], vec!["reference: Wars of Honor 1.0"]),
        (vec![PackPart::Sheets], vec!["HMS Vigilant (Vigilant)", "Quiver", "HMS Petrel (Petrel)"]),
    ] {
        let packed = packed(&[ESCORT], &order().parts(parts.iter().copied().collect()));
        let mut found: Vec<&str> =
            packed.scene.pages.iter().flat_map(|page| &page.bookmarks).map(|mark| mark.title.as_str()).collect();
        found.retain(|title| *title != "Escort of HM-17");
        assert_eq!(found, titles);
    }
}

#[test]
fn boxes_of_two_fleets_of_one_name_are_told_apart() {
    let packed = packed(&[RAIDERS, RAIDERS], &order());
    let mut ticks = BTreeSet::new();
    for page in &packed.scene.pages {
        walk(&page.items(), &mut |item| {
            if let Some(mark) = item.mark.as_ref().filter(|mark| matches!(mark.kind, MarkKind::Tick | MarkKind::Write))
            {
                // A reference sheet belongs to no fleet.
                let Some(unit) = mark.unit.as_ref().filter(|unit| !unit.fleet.is_empty()) else { return };
                let name = format!("{}.{}.{}", unit.fleet, unit.key, mark.name);
                assert!(ticks.insert(name.clone()), "{name} twice");
            }
        });
    }
    assert!(
        ticks.iter().any(|name| name.starts_with("raiders."))
            && ticks.iter().any(|name| name.starts_with("raiders-2."))
    );
}

#[test]
fn copies_are_whole_packs() {
    let one = packed(&[RAIDERS], &order());
    let three = packed(&[RAIDERS], &order().print(order().print.copies(3)));
    let pack = one.scene.pages.len().next_multiple_of(2);
    assert_eq!(three.scene.pages.len(), 3 * pack);
    for n in 0..one.scene.pages.len() {
        assert_eq!(words(&three.scene.pages[n]), words(&three.scene.pages[2 * pack + n]), "page {n}");
    }
}

#[test]
fn what_is_broken_is_named_and_the_rest_prints() {
    if outside::lacks(&["pdftotext"]) {
        return;
    }
    let half = ESCORT.replace("design = \"Petrel\"", "design = \"Albatross\"");
    let folder = folder(&[
        ("half.toml", &half),
        ("raiders.toml", RAIDERS),
        ("torn.toml", "ruleset = \"wars-of-honor\nname = "),
        ("strange.toml", &RAIDERS.replace("wars-of-honor", "wars-of-horror")),
        ("empty.toml", "ruleset = \"wars-of-honor\"\nname = \"Nobody\"\nship = []\n"),
    ]);
    let (status, _, told) = run(folder.path(), &["pack", "half.toml", "-o", "half.pdf"]);
    assert_eq!(status, 1);
    assert!(told.contains("skipped HMS Petrel in Escort of HM-17"), "{told}");
    let pages = read_back(&folder.path().join("half.pdf"));
    assert!(
        pages[0].contains("SKIPPED") && pages[0].contains("HMS Petrel") && pages[0].contains("Albatross"),
        "{}",
        pages[0]
    );
    assert!(pages.iter().any(|page| page.contains("HMS Vigilant")));

    let (status, said, told) =
        run(folder.path(), &["pack", "torn.toml", "raiders.toml", "strange.toml", "gone.toml", "-o", "rest.pdf"]);
    assert_eq!(status, 1, "{said}");
    for name in ["torn.toml", "strange.toml", "gone.toml"] {
        assert!(told.contains(name), "{name}: {told}");
    }
    assert!(read_back(&folder.path().join("rest.pdf")).join(" ").contains("PNS Rossignol 2"));

    for nothing in ["torn.toml", "strange.toml", "empty.toml"] {
        let (status, _, told) = run(folder.path(), &["pack", nothing, "-o", "nothing.pdf"]);
        assert!(status > 0 && told.contains("error"), "{nothing}: {told}");
        assert!(!folder.path().join("nothing.pdf").exists(), "{nothing}");
    }
    let (status, _, _) = run(folder.path(), &["pack", "gone.toml", "-o", "nothing.pdf"]);
    assert_eq!(status, 2);
    let (status, _, told) = run(folder.path(), &["pack", "raiders.toml", "-o", "x.pdf", "--only", "rooster"]);
    assert!(status == 2 && told.contains("did you mean `roster`?"), "{told}");
    let (status, _, told) = run(folder.path(), &["pack", "raiders.toml", "-o", "x.docx"]);
    assert!(status == 2 && told.contains(".csv"), "{told}");
}

/// A game whose ships have thousands of counters and next to nothing on their sheets.
const SWARM: &str = r#"[ruleset]
id = "swarm"
title = "Swarm"
version = "1.0.0"
schema = 1
credit = "us"
source = "our own"
terms = "anyone"

[[value]]
id = "points"
formula = "1"

[[counter]]
id = "bee"
count = "19000"
size_mm = [10, 10]
face = "bee.svg"

[[sheet]]
id = "card"
kind = "design"
template = "card.svg"
"#;

const CARD: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="60mm" height="20mm" viewBox="0 0 60 20">
<text x="3" y="8" style="font-family:'IBM Plex Sans Condensed'; font-size:3px">{{ ship.name }} {{ ship.notes }}</text></svg>"#;

fn swarm() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    put("rulesets/swarm.toml", SWARM);
    put("templates/swarm/card.svg", CARD);
    put(
        "templates/swarm/bee.svg",
        &CARD.replace("60", "10").replace("20", "10").replace("{{ ship.name }} {{ ship.notes }}", "bee"),
    );
    put("designs/swarm/hive.toml", "ruleset = \"swarm\"\nname = \"Hive\"\n");
    folder
}

#[test]
fn all_fleets_of_a_pack_share_one_limit_of_boxes() {
    let folder = swarm();
    let fleet = |name: &str, count: u32| {
        let text = format!(
            "ruleset = \"swarm\"\nname = \"{name}\"\n[[ship]]\ndesign = \"Hive\"\nname = \"{name}\"\ncount = {count}\n"
        );
        fs::write(folder.path().join(format!("{name}.toml")), text).unwrap();
    };
    fleet("North", 26);
    fleet("South", 2);
    let pack = |fleets: &[&str]| {
        let arguments = [&["pack", "--workspace", ".", "--only", "sheets", "-o", "x.pdf"], fleets].concat();
        let (status, _, told) = run(folder.path(), &arguments);
        (status, told.lines().filter(|line| line.contains("skipped")).map(str::to_owned).collect::<Vec<_>>())
    };
    let skipped = "error[too-large-to-print]: skipped South 1, South 2: with the boxes of earlier ships each exceeds the limit of 500000 boxes per file";
    assert_eq!(pack(&["North.toml"]), (0, vec![]));
    assert_eq!(pack(&["South.toml"]), (0, vec![]));
    assert_eq!(pack(&["North.toml", "South.toml"]), (1, vec![skipped.to_owned()]));
}
