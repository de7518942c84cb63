//! A fleet's own pages, of made-up fleets of every game: each ship is named, sums are right, nothing is smaller than is legible or stands over
//! anything else, and large fleets go on over as many pages as it takes.

use std::fs;
use std::sync::Arc;

use moldloft::design::{Design, Ship};
use moldloft::evaluate::{Evaluation, FleetFacts, evaluate, number_counters};
use moldloft::export;
use moldloft::library::Rulesets;
use moldloft::progress::Progress;
use moldloft::scene::{Page, Scene, SceneItem, Shape};
use moldloft::sheet::fleet_roster::{Roster, RosterGroup, RosterPlace, RosterRemark};
use moldloft::sheet::{FleetJob, FleetPage, Paper, SheetJob, SheetOptions, TemplateCache, lay_out_fleet_page};
use moldloft::source::Source;
use moldloft::store::Store;

use crate::support::GAMES;

const ALL: [FleetPage; 3] = [FleetPage::Roster, FleetPage::Summary, FleetPage::Log];

/// Ships made of a game's samples, so many of them.
fn ships(game: &str, many: usize, long: bool) -> Vec<Evaluation> {
    let ruleset = Rulesets::without_settings(&Store::built_in()).find(game).ruleset().unwrap().clone();
    let mut files: Vec<_> = fs::read_dir(format!("{}/designs/{game}", env!("CARGO_MANIFEST_DIR")))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    files.sort();
    let designs: Vec<Design> = files
        .iter()
        .map(|path| Design::read(&Source::new("x.toml", &fs::read_to_string(path).unwrap())).unwrap())
        .collect();
    let mut ships: Vec<Evaluation> = (0..many)
        .map(|n| {
            let name = match n % 4 {
                _ if long => {
                    format!("Неустрашимый {n} of the Very Long Name that No Painter Could Get onto any Stern {n}")
                }
                0 => format!("HMS Vigilant {n}"),
                1 => format!("HMS Patient Margin {n}"),
                2 => format!("Ägir {n}"),
                _ => format!("Fearless {n}"),
            };
            let ship = Ship {
                name: Some(name),
                hull_number: Some(format!("CA-{}", 301 + n)),
                captain: (n % 3 == 0).then(|| "Capt. A. Hollis".into()),
                notes: (n % 5 == 1).then(|| "Leads the second column; stays with the convoy until turn 3.".into()),
                ..Ship::default()
            };
            evaluate(&ruleset, &designs[n % designs.len()], &ship)
        })
        .collect();
    number_counters(&mut ships);
    ships
}

fn roster<'a>(ships: &'a [Evaluation]) -> Roster<'a> {
    let mut places = vec![RosterPlace::default(); ships.len()];
    let groups: Vec<RosterGroup> = ships
        .chunks(4)
        .enumerate()
        .map(|(n, _)| RosterGroup {
            name: format!("Cruiser Squadron {}", n + 1).into(),
            kind: "formation".into(),
            relation: "formation".into(),
        })
        .collect();
    for (n, place) in places.iter_mut().enumerate() {
        place.group = (n % 9 != 8).then_some(n / 4);
        if n % 7 == 3 {
            place.towed_by = Some(n - 1);
        }
        if n % 6 == 2 {
            place.damage = "structure 12 of 37, 1 laser out".into();
        }
    }
    let points: i64 = ships.iter().filter_map(|ship| ship.points).sum();
    let towed = places.iter().filter(|place| place.towed_by.is_some()).count();
    let mut broken = Vec::new();
    for ship in ships.iter().take(3) {
        for finding in ship.findings.iter().take(2) {
            broken.push(RosterRemark {
                subject: ship.ship.name.clone().unwrap().into(),
                text: finding.message.as_str().into(),
            });
        }
    }
    Roster {
        facts: FleetFacts {
            name: "Escort of convoy HM-17".into(),
            side: "Manticore Alliance".into(),
            player: "Anna".into(),
            notes: "The convoy enters by the eastern edge; its freighters are the other player's to move until they are met.".into(),
            budget: Some(2400),
            points: Some(points),
            ships: (ships.len() - towed) as u32,
            units: ships.len() as u32,
            left_out: 1,
            code: "K7QF-2M9D-XW4T-8HNC".into(),
            verdict: if broken.is_empty() { "legal".into() } else { format!("{} rules broken", broken.len()).into() },
            legal: broken.is_empty(),
            assumed: "".into(),
        },
        ruleset: Arc::clone(&ships[0].ruleset),
        ships,
        places,
        groups,
        left_out: vec![RosterRemark { subject: "HMS Bellerophon".into(), text: "its design ../bellerophon.toml is not there".into() }],
        broken,
        fights: None,
        card: None,
    }
}

fn pages(roster: &Roster<'_>, page: FleetPage, options: SheetOptions) -> Vec<Page> {
    let store = Store::built_in();
    let shelf = TemplateCache::new(|ids, name| store.template(ids, name));
    let (pages, findings) = lay_out_fleet_page(&FleetJob { roster, templates: &shelf, options }, page);
    let findings = [shelf.findings(), findings].concat();
    assert!(findings.is_empty(), "{page:?} of {}: {findings:#?}", roster.ruleset.id);
    assert!(!pages.is_empty());
    pages
}

fn words(pages: &[Page]) -> Vec<String> {
    fn walk(items: &[SceneItem], words: &mut Vec<String>) {
        for item in items {
            match &item.shape {
                Shape::Text(text) => words.push(text.shaped.text.to_string()),
                Shape::Group { items, .. } => walk(items, words),
                _ => {}
            }
        }
    }
    let mut all = Vec::new();
    pages.iter().for_each(|page| walk(&page.items, &mut all));
    all
}

fn told(pages: &[Page], wanted: &str) -> bool {
    words(pages).join(" ").contains(wanted)
}

/// Puts the pages into files for people to look at, where a folder is named.
fn show(game: &str, many: usize, page: FleetPage, pages: &[Page]) {
    let Ok(folder) = std::env::var("FLEET_PAGES") else { return };
    let scene = Scene { pages: pages.to_vec(), ..Scene::default() };
    let files =
        (export::format_for("pdf").unwrap().write)(&scene, &export::ExportOptions::default(), &Progress::default())
            .unwrap();
    fs::write(format!("{folder}/{game}-{many}-{page:?}.pdf"), &files[0]).unwrap();
}

#[test]
fn every_game_has_its_roster_its_summary_and_its_log() {
    for game in GAMES {
        let ships = ships(game, 7, false);
        let roster = roster(&ships);
        for page in ALL {
            let pages = pages(&roster, page, SheetOptions::default());
            show(game, 7, page, &pages);
            assert!(told(&pages, "Escort of convoy HM-17"), "{game} {page:?}");
            if page != FleetPage::Summary {
                for (ship, place) in ships.iter().zip(&roster.places) {
                    let due = page == FleetPage::Roster || place.towed_by.is_none();
                    assert_eq!(told(&pages, ship.ship.hull_number.as_deref().unwrap()), due, "{game} {page:?}");
                }
            }
            if page == FleetPage::Summary {
                assert_eq!(pages.len(), 1, "{game}");
                assert!(told(&pages, "K7QF-2M9D-XW4T-8HNC") && told(&pages, &roster.facts.points.unwrap().to_string()));
            }
        }
    }
}

#[test]
fn large_fleets_and_long_names_lose_nobody() {
    for (game, many, long) in [("wars-of-honor", 75, false), ("star-navy", 40, true), ("sky-full-of-ships", 75, false)]
    {
        let ships = ships(game, many, long);
        let roster = roster(&ships);
        for large_print in [false, true] {
            let options = SheetOptions { large_print, ..SheetOptions::default() };
            for page in ALL {
                let pages = pages(&roster, page, options);
                show(game, many + usize::from(large_print), page, &pages);
                if page == FleetPage::Summary {
                    continue;
                }
                for (ship, place) in ships.iter().zip(&roster.places) {
                    let due = page == FleetPage::Roster || place.towed_by.is_none();
                    let hull = ship.ship.hull_number.as_deref().unwrap();
                    assert_eq!(told(&pages, hull), due, "{game} {page:?} {hull}");
                }
            }
        }
    }
}

/// A log and the turn delays are on some page of every ship, and a fleet has its order log, on small paper and in large
/// print, too.
#[test]
fn small_paper_and_large_print_have_their_logs() {
    let ships = ships("b5-house-rules", 3, false);
    let roster = roster(&ships);
    let store = Store::built_in();
    let templates = TemplateCache::new(|ids, name| store.template(ids, name));
    for (paper, large_print) in [(Paper::A5, false), (Paper::A5, true), (Paper::A4, true)] {
        let options = SheetOptions { page_setup: paper.into(), large_print, ..SheetOptions::default() };
        let log = pages(&roster, FleetPage::Log, options);
        for ship in &ships {
            assert!(told(&log, ship.ship.hull_number.as_deref().unwrap()), "{paper}, large {large_print}");
            let job = SheetJob { ships: std::slice::from_ref(ship), templates: &templates, options, subject: "sheets" };
            let own = moldloft::sheet::print(&job).0.pages;
            assert!(told(&own, "TURN LOG"), "{}: {paper}, large {large_print}", ship.name);
            assert_eq!(
                told(&own, "TURN DELAY, WORKED OUT"),
                told(&own, "THRUST LEFT"),
                "{}: {paper}, large {large_print}",
                ship.name
            );
        }
    }
}

/// Ships of a class differ in name, number and captain: what else their sheets show is in the file once.
#[test]
fn a_further_ship_of_a_class_takes_few_bytes_and_keeps_its_page() {
    let store = Store::built_in();
    let templates = TemplateCache::new(|ids, name| store.template(ids, name));
    let printed = |ships: &[Evaluation]| {
        let options = SheetOptions::default();
        let job = SheetJob { ships, templates: &templates, options, subject: "sheets" };
        let scene = moldloft::sheet::print(&job).0;
        let write = || export::pdf::write(&scene, &export::ExportOptions::default()).unwrap();
        let (file, alone) = (write(), rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap());
        assert!(file == alone.install(write), "other bytes on one thread");
        (file, scene.pages.len())
    };
    let all = ships("wars-of-honor", 57, false);
    let (few, few_pages) = printed(&all[..19]);
    let (many, many_pages) = printed(&all);
    let further = (many.len() - few.len()) / (many_pages - few_pages);
    assert!(further <= 4_096, "{further} bytes for each further page");

    let document = lopdf::Document::load_mem(&many).unwrap();
    let pages: Vec<_> = document.get_pages().into_values().collect();
    let mut uses: std::collections::BTreeMap<lopdf::ObjectId, usize> = std::collections::BTreeMap::new();
    for (n, page) in pages.iter().enumerate() {
        document.get_page_contents(*page).into_iter().for_each(|stream| *uses.entry(stream).or_default() += 1);
        let content = lopdf::content::Content::decode(&document.get_page_content(*page)).unwrap();
        let count = |operator: &str| content.operations.iter().filter(|one| one.operator == operator).count();
        assert!(count("BT") == count("ET") && count("q") == count("Q"), "page {}", n + 1);
        assert!(count("BT") > 3, "page {}", n + 1);
    }
    assert!(uses.values().filter(|uses| **uses > 1).count() >= 19, "{uses:?}");
}

/// The header of rosters and summaries has the band that most of the ships have.
#[test]
fn a_fleet_has_the_band_of_most_of_its_ships() {
    let all = ships("wars-of-honor", 19, false);
    let nation = |ship: &Evaluation| {
        ship.fields.iter().find(|field| &*field.id == "nation").map(|field| format!("{:?}", field.value))
    };
    let (own, others): (Vec<&Evaluation>, Vec<&Evaluation>) =
        all.iter().partition(|ship| nation(ship) == nation(&all[0]));
    assert!(own.len() >= 2 && others.len() >= 2);
    let bands = |ships: &[&Evaluation], page: FleetPage| {
        let ships: Vec<Evaluation> = ships.iter().map(|ship| (*ship).clone()).collect();
        let mut roster = roster(&ships);
        roster.facts.side = "".into();
        let pages = pages(&roster, page, SheetOptions::default());
        let is_band = |item: &&SceneItem| matches!(&item.shape, Shape::Group { .. } | Shape::Use { .. });
        pages[0].items.iter().filter(is_band).count()
    };
    for page in [FleetPage::Roster, FleetPage::Summary] {
        let third = others.iter().find(|ship| nation(ship) != nation(others[0])).expect("a third nation");
        let (most, none) = (bands(&[own[0], others[0], own[1]], page), bands(&[own[0], others[0], third], page));
        assert_eq!(most, none + 1, "{page:?}: of three nations none is most of them");
    }
}
