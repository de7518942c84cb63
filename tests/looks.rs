//! A dozen pages of every kind as they looked when somebody last looked at them: `tests/looks/*.png`. A page that differs fails with expected |
//! difference | found under `target/tmp/looks`; `BLESS=1 cargo test --test pictures looks::` takes the pages as they are now.

use std::fs;
use std::path::{Path, PathBuf};

use moldloft::design::{Design, Ship};
use moldloft::evaluate::{Evaluation, evaluate, number_counters};
use moldloft::export::{ExportOptions, format_for, png};
use moldloft::library::{Rulesets, check_fleet};
use moldloft::print::{PackOptions, PrintKind, PrintOptions, print_fleets, print_ruleset, print_ships};
use moldloft::progress::Progress;
use moldloft::scene::{Page, Scene};
use moldloft::sheet::{Backs, PageSetup, Paper};
use moldloft::source::Source;
use moldloft::store::{FileRef, Store};

use crate::support::{expected, picture};
use picture::{Difference, Grey, keep};

/// Dots per inch: small files in which a letter can still be told.
const DPI: f32 = 72.0;
/// The most that the mean grey of a 6 mm and of a 2 mm block may differ: what machines round differently, never a letter.
const MOST: (f32, f32) = (1.5, 6.0);

fn order(what: PrintKind, bed: impl Into<PageSetup>, large_print: bool) -> PrintOptions {
    PrintOptions::default().kind(what).page_setup(bed.into()).large_print(large_print).copies(1).backs(Backs::Fold)
}

fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("designs").join(path)
}

fn source(path: &str) -> Source {
    Source::new(path, &fs::read_to_string(file(path)).unwrap())
}

fn ship(games: &Rulesets, path: &str, change: impl Fn(&mut Design)) -> Vec<Evaluation> {
    let mut design = Design::read(&source(path)).unwrap();
    change(&mut design);
    let game = path.split('/').next().unwrap();
    let mut ships = vec![evaluate(games.find(game).ruleset().unwrap(), &design, &Ship::default())];
    number_counters(&mut ships);
    ships
}

/// The picture of a page: greys and no more, as small as it goes.
fn drawn(page: &Page) -> Vec<u8> {
    let scene = Scene { pages: vec![page.clone()], ..Scene::default() };
    png::write(&scene, &ExportOptions::default().dpi(DPI)).unwrap().remove(0)
}

#[test]
fn pages_look_as_when_they_were_last_looked_at() {
    let store = Store::built_in();
    let games = Rulesets::without_settings(&store);
    let progress = Progress::default();
    let of =
        |ships: &[Evaluation], order: &PrintOptions| print_ships(&store, ships.to_vec(), order, &progress).scene.pages;
    let same = |_: &mut Design| {};
    let monster = |design: &mut Design| {
        let last = design.fits.len() - 1;
        design.fits[last].count = 700;
    };
    let sheets = |path: &str, bed: Paper, large_print| {
        of(&ship(&games, path, same), &order(PrintKind::Sheets, bed, large_print))
    };
    let reference = |game: &str| {
        let order = order(PrintKind::Reference, Paper::A4, false);
        print_ruleset(&store, games.find(game).ruleset().unwrap(), &order, &progress).unwrap().scene.pages
    };
    let fleet = |path: &str| {
        let place = FileRef::on_disk(file(path));
        let fleet = check_fleet(&games, &source(path), &place).unwrap();
        let order = order(PrintKind::Sheets, Paper::A4, false);
        let order = PackOptions::default().print(order).single_sided(true);
        print_fleets(&store, &[fleet], &order, format_for("pdf").unwrap(), &progress).scene.pages
    };
    let roster = fleet("wars-of-honor/fleets/convoy-escort.toml");
    let mut all: Vec<(&str, Page)> = Vec::new();
    let mut add = |name, pages: Vec<Page>, at: usize| all.push((name, pages[at].clone()));
    add("woh-cruiser", sheets("wars-of-honor/vigilant.toml", Paper::A4, false), 0);
    add("woh-cruiser-a5", sheets("wars-of-honor/vigilant.toml", Paper::A5, false), 0);
    add("woh-reference", reference("wars-of-honor"), 0);
    add(
        "woh-chits",
        of(&ship(&games, "wars-of-honor/vigilant.toml", same), &order(PrintKind::Counters, Paper::A4, false)),
        0,
    );
    add("woh-roster", roster.clone(), 0);
    add("woh-summary", roster.clone(), 1);
    add("sky-card", sheets("sky-full-of-ships/kriegdonner.toml", Paper::A4, false), 0);
    add("sky-large-print", sheets("sky-full-of-ships/kriegdonner.toml", Paper::A4, true), 0);
    add("star-navy", sheets("star-navy/chicago.toml", Paper::Letter, false), 0);
    add(
        "star-navy-continued",
        of(&ship(&games, "star-navy/chicago.toml", monster), &order(PrintKind::Sheets, Paper::A4, false)),
        1,
    );
    add("battleships", sheets("battleships-1890s/saltholm.toml", Paper::A4, false), 0);
    add("b5", sheets("b5-house-rules/varnic.toml", Paper::A4, false), 0);
    add("b5-reference", reference("b5-house-rules"), 0);

    let mut faults = Vec::new();
    for (name, page) in &all {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/looks").join(format!("{name}.png"));
        let bytes = drawn(page);
        let found = Grey::read(&bytes, DPI);
        let kept = fs::read(&path).ok().map(|bytes| Grey::read(&bytes, DPI));
        let size = |grey: &Grey| (grey.width, grey.data.len());
        let fault = match &kept {
            None => Some("missing".to_owned()),
            Some(kept) if size(kept) != size(&found) => Some("of another size".to_owned()),
            Some(kept) => {
                let difference = Difference::between(kept, &found, page);
                let is_same = difference.is_within(MOST);
                (!is_same).then(|| format!("{difference:?}, see {}", keep("looks", name, kept, &found).display()))
            }
        };
        let Some(fault) = fault else { continue };
        if expected::blessing() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, found.png()).unwrap();
        } else {
            faults.push(format!("{name}: {fault}"));
        }
    }
    assert!(faults.is_empty(), "{}\nBLESS=1 accepts what is found", faults.join("\n"));
}
