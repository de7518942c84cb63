//! The table pack as players get it: files are written by the program and read back with other tools. Every ship is there, numbers on chits are
//! the numbers on the sheets, what begins on a front begins on a front; broken fleets are named and the others print; a code tells what it is to.

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
        (0, "battle: Wars of Honor 1.0"),
        (1, "HMS Vigilant (Vigilant)"),
        (1, "Quiver"),
        (1, "HMS Petrel (Petrel)"),
        (1, "counters"),
        (0, "Raiders"),
        (1, "roster"),
        (0, "scenario"),
    ];
    assert_eq!(titles[..wanted.len()], wanted);
    let ends: Vec<&str> = titles.iter().rev().take(2).map(|(_, title)| *title).collect();
    let wanted = ["reference: A Sky Full of Ships", "reference: Wars of Honor 1.0"];
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
    assert_eq!(said.matches("blank back").count(), 1, "{said}");
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
    ["summary", "order log", "battle", "scenario"].iter().any(|start| title.starts_with(start))
}

/// Whether a page, by its index, may begin what its bookmarks say: on a front, or behind another page of its leaf.
fn may_begin(page: &Page, index: usize) -> bool {
    index.is_multiple_of(2) || page.bookmarks.iter().all(|mark| is_behind_a_roster(&mark.title))
}

#[test]
fn blank_backs_of_rosters_have_the_battle_page_and_the_scenario() {
    let folder = folder(&[("escort.toml", ESCORT), ("raiders.toml", RAIDERS)]);
    let places = |more: &[&str]| {
        let (status, said, told) =
            run(folder.path(), &[&["pack", "escort.toml", "raiders.toml", "-o", "battle.pdf"], more].concat());
        assert_eq!((status, told.as_str()), (0, ""), "{said}");
        let marks = outline(&folder.path().join("battle.pdf"));
        let of = |start: &str| -> Vec<u32> {
            marks.iter().filter(|(_, title, _)| title.starts_with(start)).map(|(_, _, page)| *page).collect()
        };
        ([of("roster"), of("reference")], of("battle")[0], of("scenario")[0])
    };
    let ([rosters, _], battle, scenario) = places(&[]);
    assert_eq!([battle, scenario], [rosters[0] + 1, rosters[1] + 1]);
    let ([_, references], battle, scenario) = places(&["--single-sided", "--back", "none"]);
    assert_eq!([battle, scenario], [references[0] + 1, references[0] + 2], "there are no backs");
    // Without rosters the backs of the reference sheets are there.
    let only = ["--only", "sheets,reference,battle,scenario", "--references", "2"];
    let ([_, references], battle, scenario) = places(&only);
    assert_eq!([battle, scenario], [references[0] + 1, references[1] + 1]);
    // A roster has one back: a summary that is named comes first.
    let ([rosters, references], battle, _) = places(&["--only", "roster,summary,reference,battle,scenario"]);
    assert_eq!((rosters[0], battle), (1, references[0] + 1));
}

#[test]
fn arcs_and_courses_come_after_the_map() {
    if outside::lacks(&["pdftotext"]) {
        return;
    }
    let folder = folder(&[("patrol.toml", PATROL)]);
    let arguments =
        ["pack", "patrol.toml", "-o", "pack.pdf", "--maps", "hex:25", "--arcs", "60,120", "--courses", "12"];
    let (status, said, told) = run(folder.path(), &arguments);
    assert_eq!((status, told.as_str()), (0, ""), "{said}");
    let pages = read_back(&folder.path().join("pack.pdf"));
    let map = pages.iter().position(|page| page.contains("hexes of 25 mm")).expect("a map");
    assert!(map + 1 < pages.len() && pages[map + 1..].concat().contains("120°"), "{}", pages[map + 1..].concat());
    let (status, _, told) =
        run(folder.path(), &["pack", "patrol.toml", "-o", "pack.pdf", "--arcs", "60", "--radius", "300"]);
    assert!(status == 1 && told.contains("paper-too-small"), "{told}");
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

/// An order log has more turns on its back rather than a blank page; printed on one side it is as long as it has to be.
#[test]
fn an_order_log_goes_on_behind() {
    let one = packed(&[PATROL], &order().single_sided(true));
    let two = packed(&[PATROL], &order().parts(BTreeSet::from([PackPart::Logs])));
    let (one, two) = (section(&one, "Border patrol", "order log"), section(&two, "Border patrol", "order log"));
    assert_eq!((one.len(), two.len()), (1, 2));
    let turns = |page: &Page| {
        let turn = |words: &String| words.strip_prefix("TURN ").and_then(|number| number.parse::<u32>().ok());
        words(page).iter().filter_map(turn).collect::<Vec<_>>()
    };
    let (front, back) = (turns(&two[0]), turns(&two[1]));
    assert_eq!(front, turns(&one[0]));
    assert_eq!(back.first(), front.last().map(|turn| turn + 1).as_ref());
    assert!(back.len() * 2 >= front.len(), "{front:?} {back:?}");
}

#[test]
fn both_sides_of_the_paper_and_one() {
    let two = packed(&[ESCORT], &order());
    for (n, page) in two.scene.pages.iter().enumerate() {
        assert!(may_begin(page, n), "{:?} on page {}", page.bookmarks, n + 1);
    }
    let blanks = |pack: &PrintedPages| pack.scene.pages.iter().filter(|page| page.is_empty()).count();
    let said = two.contents.contains(&format!("with {} blank back", blanks(&two)));
    assert_eq!(said, blanks(&two) > 0, "{}", two.contents);
    // Backs of chits lie behind their fronts.
    let counters = section(&two, "Escort of HM-17", "counters");
    assert!(counters.len().is_multiple_of(2));
    for pair in counters.chunks(2) {
        let told = words(&pair[1]).join(" ");
        assert!(told.contains("backs of sheet") && !words(&pair[0]).join(" ").contains("backs of sheet"), "{told}");
    }
    // Two pages beside each other on large paper: cards and chits, which fill a sheet of their own, begin on fronts all the same.
    let bed = PageSetup::default().paper(Paper::A3);
    let large = packed(&[PATROL, ESCORT], &order().print(order().print.page_setup(bed)));
    for (n, page) in large.scene.pages.iter().enumerate() {
        assert!(may_begin(page, n), "A3: {:?} on page {}", page.bookmarks, n + 1);
    }
    let one = packed(&[ESCORT], &order().single_sided(true));
    // Chits are folded then.
    let folded = packed(&[ESCORT], &order().print(order().print.backs(Backs::Fold)));
    assert_eq!(blanks(&one), 0);
    // Backs of sheets are not printed then; those of cards are on the pages of their cards.
    let is_back = |page: &&Page| {
        let words = words(page).join(" ");
        words.contains("LOGS AND RULINGS") || words.contains("MISSILE PODS") && !words.contains("box launchers")
    };
    let backs = folded.scene.pages.iter().filter(is_back).count();
    assert!(backs > 1 && !one.scene.pages.iter().any(|page| is_back(&page)));
    assert_eq!(one.scene.pages.len(), folded.scene.pages.len() - blanks(&folded) - backs);
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
fn cards_whose_log_is_not_for_orders_leave_them_to_the_order_log() {
    let fleet = "ruleset = \"sky-full-of-ships\"\nname = \"Relief\"\n[[ship]]\ndesign = \"Tern\"\nname = \"Alma\"\nhull_number = \"CL-1\"\n";
    let pack = packed(&[fleet], &order());
    assert_eq!(titles(&pack, "order log").len(), 1);
    // It goes on on its back, which one side of the paper does not have.
    let of_log = |pack: &PrintedPages| section(pack, "Relief", "order log").iter().flat_map(words).collect::<Vec<_>>();
    let both = of_log(&packed(&[fleet], &order().parts(BTreeSet::from([PackPart::Logs]))));
    assert!(both.iter().any(|word| word == "page 2 of 2"), "{both:?}");
    assert!(of_log(&pack).iter().any(|word| word == "page 1 of 1"), "behind the roster");
    let print = order().print.backs(Backs::None);
    let one = of_log(&packed(&[fleet], &order().single_sided(true).print(print)));
    assert!(one.iter().any(|word| word == "page 1 of 1"), "{one:?}");
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
fn a_log_that_is_too_short_goes_on_on_a_further_leaf() {
    let fleet = "ruleset = \"b5-house-rules\"\nname = \"Watch\"\n[[ship]]\ndesign = \"Torvald Deep\"\nname = \"TD\"\n";
    let written = |single_sided: bool| -> BTreeSet<u32> {
        let print = order().print.page_setup(Paper::A5.into());
        let parts = BTreeSet::from([PackPart::Sheets]);
        let packed = packed(&[fleet], &order().print(print).parts(parts).single_sided(single_sided));
        let mut rows = BTreeSet::new();
        for page in &packed.scene.pages {
            walk(&page.items(), &mut |item| {
                let Some(mark) = item.mark.as_ref() else { return };
                let logs = ["turns_", "more_turns_", "back_turns_"];
                let row: Option<u32> =
                    logs.iter().find_map(|log| mark.name.strip_prefix(log)?.split('_').next()?.parse().ok());
                rows.extend(row);
            });
        }
        rows
    };
    let last = |rows: &BTreeSet<u32>| rows.last().copied().unwrap_or(0);
    let (one_sided, both) = (written(true), written(false));
    assert!((1..10).contains(&last(&one_sided)), "{one_sided:?}");
    // Numbered on without a gap.
    assert!(last(&both) >= 20 && (1..=last(&both)).all(|row| both.contains(&row)), "{both:?}");
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

#[test]
fn a_code_stands_for_what_counts_and_for_nothing_else() {
    let code = |text: &str| Fingerprint::of_fleet(&mustered(text)).expect("a code");
    let own = code(ESCORT);
    let (first, second) =
        ESCORT.split_once("[[ship]]").map(|(head, ships)| (head, ships.split_once("[[ship]]").unwrap())).unwrap();
    let turned = format!("{first}[[ship]]{}\n[[ship]]{}", second.1, second.0);
    for (what, text) in [
        ("comments", format!("# for Saturday\n{ESCORT}\n# that is all\n")),
        ("line ends", ESCORT.replace('\n', "\r\n")),
        ("the order of ships", turned),
        ("the fleet's name", ESCORT.replace("Escort of HM-17", "Escort")),
        ("who plays and commands", ESCORT.replace("Anna", "Bert").replace("Captain Aurelia Penhaligon", "Nobody")),
        ("notes", ESCORT.replace("Keep the freighters alive.", "")),
        ("how damage is written", ESCORT.replace("\"1-3, 5\"", "\"1, 2-2,3, 5\"")),
    ] {
        assert_eq!(code(&text), own, "{what}");
    }
    for (what, text) in [
        ("damage", ESCORT.replace("1-3, 5", "1-3, 6")),
        ("a name", ESCORT.replace("HMS Petrel", "HMS Petral")),
        ("a hull number", ESCORT.replace("DD-118", "DD-119")),
        ("a class", ESCORT.replace("design = \"Petrel\"", "design = \"Vigilant\"")),
        ("pods", ESCORT.replace("tow = [{ design = \"Quiver\", count = 1 }]\n", "")),
        ("the budget", ESCORT.replace("2400", "2401")),
        ("a group", ESCORT.replace("group = \"first\"\n", "")),
    ] {
        let other = code(&text);
        assert_eq!(own.compare(&other), FingerprintMatch::OtherFleet, "{what}");
        assert_ne!(own.to_string(), other.to_string(), "{what}");
    }
}

#[test]
fn verify_says_the_same_or_what_is_not() {
    if outside::lacks(&["pdftotext"]) {
        return;
    }
    let folder = folder(&[("escort.toml", ESCORT), ("raiders.toml", RAIDERS)]);
    run(folder.path(), &["pack", "escort.toml", "-o", "summary.pdf", "--only", "summary"]);
    let page = read_back(&folder.path().join("summary.pdf")).join(" ");
    let printed = Fingerprint::of_fleet(&mustered(ESCORT)).unwrap().to_string();
    assert!(page.contains(&printed), "{page}");
    let typed = printed.to_lowercase().replace('0', "O").replace('-', " ");
    let (status, said, _) = run(folder.path(), &["verify", &typed, "escort.toml"]);
    assert_eq!((status, said.as_str()), (0, "escort.toml: matches\n"));
    let (status, said, _) = run(folder.path(), &["verify", &printed, "escort.toml", "raiders.toml"]);
    assert!(status == 1 && said.contains("escort.toml: matches") && said.contains("raiders.toml: different"), "{said}");
    let (status, said, _) = run(folder.path(), &["verify", &printed, "escort.toml", "--set", "mu=cm"]);
    assert!(status == 1 && said.contains("layer or setting"), "{said}");
    let (status, _, _) = run(folder.path(), &["verify", &printed, "escort.toml", "--set", "chit_mm=15"]);
    assert_eq!(status, 0, "the size of chits is no rule");
    let (status, _, told) = run(folder.path(), &["verify", "K7QF", "escort.toml"]);
    assert!(status == 2 && told.contains("sixteen"), "{told}");
}

#[test]
fn the_roster_goes_to_spreadsheets_and_programs() {
    let wicked = ESCORT.replace("\"HMS Petrel\"", "\"=HYPERLINK(\\\"x\\\"),\\n\\\"Petrel\\\"\"");
    let fleets = vec![mustered(&wicked), mustered(PATROL)];
    let bytes = RosterFormat::Csv.write(&fleets).unwrap();
    let text = String::from_utf8(bytes.clone()).unwrap();
    assert!(text.contains("\r\n"));
    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    let heads: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let at = |name: &str| heads.iter().position(|head| head == name).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 6);
    assert_eq!(&rows[0][at("captain")], "Captain Aurelia Penhaligon");
    assert_eq!(&rows[1][at("towed_by")], "CA-301");
    assert_eq!(&rows[2][at("ship")], "'=HYPERLINK(\"x\"),\n\"Petrel\"");
    assert_eq!(&rows[2][at("notes")], "'-1 to every roll, says her captain");
    let points: i64 = rows.iter().map(|row| row[at("points")].parse::<i64>().unwrap()).sum();
    assert_eq!(points, fleets.iter().filter_map(|fleet| fleet.points).sum::<i64>());

    let json: serde_json::Value = serde_json::from_slice(&RosterFormat::Json.write(&fleets).unwrap()).unwrap();
    assert_eq!(json["schema"], 1);
    let fleet = &json["fleets"][0];
    assert_eq!(fleet["code"], Fingerprint::of_fleet(&fleets[0]).unwrap().to_string());
    assert_eq!(fleet["units"][0]["damage"]["structure"], "1-3, 5");
    assert_eq!(fleet["units"][1]["towed_by"], fleet["units"][0]["unit"]);
    assert_eq!(fleet["left"], 2400 - fleets[0].points.unwrap());

    let folder = folder(&[("escort.toml", ESCORT)]);
    for name in ["roster.csv", "roster.json"] {
        let (status, said, told) = run(folder.path(), &["pack", "escort.toml", "-o", name]);
        assert!(status == 0 && said.contains(name), "{told}");
        assert!(PathBuf::from(folder.path()).join(name).exists());
    }
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

#[test]
fn cards_have_their_backs_behind_them() {
    let pages = |options: &PackOptions| packed(&[PATROL], options).scene.pages;
    let is_back = |page: &Page| words(page).iter().any(|word| word == "Combat chart");
    let two = pages(&order());
    let backs: Vec<usize> = (0..two.len()).filter(|&n| is_back(&two[n])).collect();
    let [back] = backs[..] else { panic!("one page of backs, found {backs:?}") };
    assert_eq!(back % 2, 1, "behind a front");
    let names =
        |page: &Page| words(page).into_iter().filter(|word| word == "Lantern" || word.starts_with("Pike")).count();
    assert_eq!(names(&two[back]), names(&two[back - 1]), "as many as cards");
    let one = pages(&order().single_sided(true));
    assert!(one.iter().all(|page| !is_back(page)));
}

/// The pages of the sample fleets' packs are those in docs/guide/src/packs.md.
#[test]
fn docs_say_the_pages_of_the_sample_fleets() {
    let store = store();
    let rulesets = Rulesets::without_settings(&store);
    let pages = |texts: &[(String, String)]| {
        let read = |(path, text): &(String, String)| {
            let source = Source::new(path.as_str(), text.as_str());
            check_fleet(&rulesets, &source, &FileRef::built_in(path)).expect("a fleet")
        };
        let fleets: Vec<EvaluatedFleet> = texts.iter().map(read).collect();
        assert!(fleets.iter().all(|fleet| fleet.skipped.is_empty()), "{:?}", fleets[0].skipped);
        let packed = print_fleets(&store, &fleets, &order(), format_for("pdf").unwrap(), &Progress::default());
        packed.scene.pages.len()
    };
    let mut rows = 0;
    for line in include_str!("../docs/guide/src/packs.md").lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [game, each, both] = cells[..] else { continue };
        let game = game.trim_matches('`');
        let mut fleets = Vec::new();
        for fleet in each.split(", ") {
            let (name, now) = fleet.split_once(' ').expect("a fleet and its sides");
            let path = format!("designs/{game}/fleets/{}.toml", name.trim_matches('`'));
            let text = fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).expect("a sample fleet");
            let one = [(path, text)];
            assert_eq!(now, pages(&one).to_string(), "packs.md: {fleet}");
            fleets.extend(one);
        }
        assert_eq!((fleets.len(), both), (2, pages(&fleets).to_string().as_str()), "packs.md: {game}");
        rows += 1;
    }
    assert_eq!(rows, 5, "two fleets and their battle pack of each game");
}

#[test]
fn summaries_list_the_settings_that_change_rules() {
    if outside::lacks(&["pdftotext"]) {
        return;
    }
    for (game, shown, hidden) in [
        ("sky-full-of-ships/fleets/colm-relief", "battery strength per mass", "side of a counter"),
        ("star-navy/fleets/blue-line", "width of a map hex", "status marker"),
    ] {
        let path = format!("{}/designs/{game}.toml", env!("CARGO_MANIFEST_DIR"));
        let folder = folder(&[]);
        let (status, said, told) = run(folder.path(), &["pack", &path, "--only", "summary", "-o", "summary.pdf"]);
        assert_eq!((status, told.as_str()), (0, ""), "{said}");
        let page = read_back(&folder.path().join("summary.pdf")).concat();
        assert!(page.contains(shown) && !page.contains(hidden), "{game}: {page}");
    }
}

#[test]
fn reference_sheets_need_no_place_for_a_code() {
    let order = order().print(order().print.qr(true));
    assert!(!packed(&[PATROL], &order).scene.pages.is_empty(), "no finding");
}

#[test]
fn a_name_of_two_lines_needs_no_further_page() {
    let long = PATROL.replace("name = \"Lantern\"", "name = \"Lantern over the Northern Marches\"");
    let sheets = order().parts(BTreeSet::from([PackPart::Sheets]));
    let pages = |text: &str| packed(&[text], &sheets).scene.pages.len();
    assert_eq!(pages(&long), pages(PATROL));
}

#[test]
fn a_line_that_is_cut_is_printed_in_full_on_the_same_page() {
    let captain =
        "Commander Idris Vaughan-Featherstonehaugh of the Second Battlecruiser Squadron, commodore of the escort";
    let long =
        ESCORT.replace("hull_number = \"DD-118\"", &format!("hull_number = \"DD-118\"\ncaptain = \"{captain}\""));
    let sheets = order().parts(BTreeSet::from([PackPart::Sheets]));
    let (plain, cut) = (packed(&[ESCORT], &sheets), packed(&[&long], &sheets));
    assert_eq!(plain.scene.pages.len(), cut.scene.pages.len());
    let pages: Vec<Vec<String>> = cut.scene.pages.iter().map(words).collect();
    let page = pages.iter().position(|page| page.iter().any(|word| word == "DD-118")).expect("her sheet");
    let first = &pages[page];
    assert!(first.iter().any(|word| word.ends_with('…')), "{first:?}");
    let start = first.iter().position(|word| word == "IN FULL").expect("a heading");
    assert!(first[start..].join(" ").contains("commodore of the escort"), "{first:?}");
    // The back is the one that she has without it.
    assert_eq!(words(&plain.scene.pages[page + 1]), pages[page + 1]);
}

#[test]
fn a_side_that_a_ships_pages_leave_blank_has_its_back() {
    let fleet = "ruleset = \"b5-house-rules\"\nname = \"Strike\"\n[[ship]]\ndesign = \"Var'Nic\"\nname = \"Na'Tesh\"\nhull_number = \"N1\"\n";
    for (paper, sides) in [(Paper::A4, 2), (Paper::A5, 4)] {
        let print = order().print.page_setup(PageSetup::from(paper));
        let parts = BTreeSet::from([PackPart::Sheets, PackPart::Reference]);
        let pack = packed(&[fleet], &order().print(print).parts(parts));
        let reference = pack
            .scene
            .pages
            .iter()
            .position(|page| page.bookmarks.iter().any(|mark| mark.title.starts_with("reference")));
        assert_eq!(reference, Some(sides), "{paper}");
        let last = words(&pack.scene.pages[sides - 1]);
        assert!(last.iter().any(|word| word == "Na'Tesh"), "{paper}: {last:?}");
    }
}

#[test]
fn what_a_layer_adds_to_the_tables_of_nations_is_on_the_reference_sheet_and_a_column_that_it_removes_goes() {
    if outside::lacks(&["pdftotext"]) {
        return;
    }
    let folder = folder(&[]);
    fs::create_dir(folder.path().join("rulesets")).unwrap();
    let of = |changes: &str| {
        let head = "[ruleset]\nid = \"house\"\ntitle = \"House\"\nversion = \"1\"\nschema = 1\nextends = \"wars-of-honor\"\nextends_version = \"1.0.0\"\n";
        fs::write(folder.path().join("rulesets/house.toml"), format!("{head}{changes}")).unwrap();
        let (status, said, told) = run(folder.path(), &["reference", "house", "-o", "reference.pdf", "--force"]);
        assert_eq!(status, 0, "{said}{told}");
        let page = read_back(&folder.path().join("reference.pdf")).concat();
        page.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let plain = of("[change.table.missiles.rows.\"haven laser-head\"]\ndefence = 9\n");
    assert!(
        plain.contains("Republic of Haven 10 3 +9 3D6 +1 2D6 +3 35 +2 6") && !plain.contains("MISSILE DATA"),
        "{plain}"
    );
    let decoy = of("[change.table.missiles]\nadd.rows = [[\"haven\", \"decoy\", 7, 5, 4, \"1D6\"]]\n");
    assert!(decoy.contains("MISSILE DATA") && decoy.contains("decoy 7 +5 4 1D6"), "{decoy}");
    let diceless = of("[change.table.missiles.columns]\ndice = { remove = true }\n");
    assert!(diceless.contains("Republic of Haven 10 3 +3 +1 +3 35 +2 6"), "{diceless}");
}

/// Two destroyers with two flights each.
const NARN: &str = r#"ruleset = "b5-house-rules"
name = "Two of them"

[[ship]]
design = "Var'Nic"
name = "Na'Tesh"
hull_number = "N1"
count = 2
"#;

#[test]
fn a_list_of_both_sides_that_fits_a_page_is_not_split_for_the_phases() {
    if outside::lacks(&["pdftotext"]) {
        return;
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("designs/b5-house-rules/fleets");
    let folder = tempfile::tempdir().unwrap();
    let pdf = folder.path().join("battle.pdf");
    let arguments =
        ["pack", "narn-strike.toml", "station-watch.toml", "--only", "battle", "--paper", "a5", "--large-print", "-o"];
    let (status, said, errors) = run(&here, &[&arguments[..], &[pdf.to_str().unwrap()]].concat());
    assert_eq!(status, 0, "{said}{errors}");
    let mut pages = read_back(&pdf);
    pages.retain(|page| !page.trim().is_empty());
    let first = &pages[0];
    assert!(first.contains("PHASES OF A TURN") && first.contains("NOTES") && !first.contains("Frazi"), "{first}");
    for page in &pages[1..] {
        let has_all = ["Na'Tesh 1", "Torvald Deep", "began firing"].iter().all(|words| page.contains(words));
        assert!(has_all, "{page}");
    }
    assert!(pages.iter().any(|page| page.contains("turn 6")), "six turns");
}

#[test]
fn what_acts_by_itself_has_a_line_with_its_counters_number() {
    let order = order().parts(BTreeSet::from([PackPart::Battle]));
    let battle = packed(&[NARN], &order);
    assert_eq!(battle.scene.pages.len(), 1);
    let words = words(&battle.scene.pages[0]);
    let from = words.iter().position(|word| word == "N1 Na'Tesh 1").expect("the first ship");
    let is_after = |word: &String| ["TWO OF THEM", "NOTES", "began firing"].contains(&word.as_str());
    let to = words[from..].iter().position(is_after).expect("a heading");
    let lines: Vec<&str> = words[from..from + to].iter().map(String::as_str).collect();
    let flight = "Frazi · d20 +9";
    let ship = |name| [name, "Var'Nic · d20 +2", "525"];
    let wanted: Vec<&str> =
        [&ship("N1 Na'Tesh 1")[..], &["1", flight, "2", flight], &ship("N2 Na'Tesh 2"), &["3", flight, "4", flight]]
            .concat();
    assert_eq!(lines, wanted, "two ships and four flights");
}

/// What a workspace puts in the place of built-in rules and drawings is in the code; what it only holds is not.
#[test]
fn a_code_covers_what_a_workspace_prints() {
    let rules = built_in_source("rulesets/wars-of-honor.toml").unwrap().text.to_string();
    let sheet = built_in_source("templates/wars-of-honor/ship.svg").unwrap().text.to_string();
    let layer = "[ruleset]\nid = \"club\"\ntitle = \"Club\"\nversion = \"1\"\nschema = 1\nextends = \"wars-of-honor\"\n\
                 [change.system.laser]\npoints = 12\nreason = \"they win\"\n";
    let design =
        "ruleset = \"wars-of-honor\"\nname = \"Heron\"\nsilhouette = \"heron.svg\"\n[fields]\nnation = \"manticore\"\n";
    let outline = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 4 4\"><path d=\"M0 0 H4 V4 Z\"/></svg>";
    // The code, and how that of before compares.
    let code = |fleet: &str, files: &[(&str, &str)], before: Option<Fingerprint>| {
        let files: Vec<(&str, &str)> = files.iter().copied().chain([("f.toml", fleet)]).collect();
        let folder = folder(&files);
        let store = Store::open(Some(folder.path())).unwrap();
        let file = FileRef::on_disk(folder.path().join("f.toml"));
        let fleet = check_fleet(&Rulesets::without_settings(&store), &file.read().unwrap(), &file).unwrap();
        assert!(!fleet.units.is_empty(), "{:?}", fleet.skipped);
        let own = Fingerprint::of_fleet(&fleet).unwrap();
        (own, before.and_then(|code: Fingerprint| code.compare_fleet(&fleet)))
    };
    let fleet = "ruleset = \"wars-of-honor\"\n[[ship]]\ndesign = \"Vigilant\"\n";
    let (own, _) = code(fleet, &[], None);
    let headings = [
        ("id = \"f1\", label = \"1\"", "id = \"f1\", label = \"6\""),
        ("id = \"f6\", label = \"6\"", "id = \"f6\", label = \"1\""),
    ];
    assert!(headings.iter().all(|(old, _)| rules.contains(old)));
    let reversed = headings.iter().fold(rules.clone(), |text, (old, new)| text.replace(old, new));
    let letters = rules.replacen("abbr = \"α\"", "abbr = \"Ω\"", 1);
    assert!(reversed != rules && letters != rules);
    let forged = sheet.replace("{{ points }}", "{{ points - 300 }}");
    let path = "templates/wars-of-honor/ship.svg";
    for (what, files) in [
        ("a copy of the rules", vec![("rulesets/wars-of-honor.toml", &*rules)]),
        ("a copy of a template", vec![(path, &*sheet)]),
        ("a copy with other line ends", vec![(path, &*sheet.replace('\n', "\r\n"))]),
        ("a template of another game", vec![("templates/star-navy/ship.svg", outline)]),
        ("rules that are not used", vec![("rulesets/club.toml", layer), ("templates/club/ship.svg", outline)]),
    ] {
        assert_eq!(code(fleet, &files, None).0, own, "{what}");
    }
    for (what, expected, files) in [
        ("faces of dice", FingerprintMatch::OtherTexts, vec![("rulesets/wars-of-honor.toml", &*reversed)]),
        ("letters", FingerprintMatch::OtherTexts, vec![("rulesets/wars-of-honor.toml", &*letters)]),
        ("a template", FingerprintMatch::OtherTemplates, vec![(path, &*forged)]),
        ("a compact form", FingerprintMatch::OtherTemplates, vec![("templates/wars-of-honor/x-compact.svg", outline)]),
        ("an icon of all games", FingerprintMatch::OtherTemplates, vec![("templates/icons/laser.svg", outline)]),
        ("a roster", FingerprintMatch::OtherTemplates, vec![("templates/fleet/roster.svg", outline)]),
    ] {
        let (other, found) = code(fleet, &files, Some(own));
        assert_ne!(other, own, "{what}");
        assert_eq!(found, Some(expected), "{what}");
    }
    // Comments and layout of house rules do not count, their texts do; the outline of a ship counts.
    let of_club = fleet.replace("wars-of-honor", "club");
    let club = |text: &str| code(&of_club, &[("rulesets/club.toml", text)], None).0;
    let turned = layer.replace("points = 12\nreason = \"they win\"", "# changed\nreason   = 'they win'\npoints = 12");
    assert_eq!(club(layer), club(&turned));
    assert_ne!(club(layer), club(&layer.replace("they win", "they lose")));
    let of_heron = fleet.replace("Vigilant", "Heron");
    let drawn = |outline: &str| code(&of_heron, &[("heron.toml", design), ("heron.svg", outline)], None).0;
    assert_ne!(drawn(outline), drawn(&outline.replace("H4", "H3")));
}
