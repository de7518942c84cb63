//! Every page of every game as other programs draw it: the SVG by librsvg and Chromium, the PDF by poppler, held against the PNG, block by block.
//! The everyday test draws one sheet and one reference page a game; `cargo test --test pictures -- --ignored` draws all samples, counters, references
//! and a fleet's pack a game. What differs is written to `target/tmp/pictures` as expected | difference | actual.
//!
//! A page is compared in blocks of 6 and of 2 mm by their mean grey, 0 to 255. Measured at 144 dpi over all 119 pages: programs place thin lines by up to a
//! pixel differently and round letters' edges in their own ways, which comes to 5.7 in a coarse block and 17 in a fine one with librsvg, 6.0 and 24 with
//! poppler, 5.2 and 16 with Chromium, 7.4 and 30 with Chromium where it sets the text itself. Letters that pile up, a font that is missing and a single
//! letter that was moved are drawn by a test of their own, which holds them to be seen.
//!
//! Text in an SVG with its font inside is left to Chromium: librsvg asks the system for fonts and reads none from the file.

#![allow(clippy::disallowed_methods, reason = "tests read and write files")]

mod looks;
mod support;

use std::fs;
use std::path::{Path, PathBuf};

use moldloft::design::{Design, Ship};
use moldloft::evaluate::{Evaluation, evaluate, number_counters};
use moldloft::export::{ExportOptions, TextMode, format_for, pdf, png, svg};
use moldloft::library::{Rulesets, check_fleet};
use moldloft::print::{PackOptions, PackPart, PrintKind, PrintOptions, print_fleets, print_ruleset, print_ships};
use moldloft::progress::Progress;
use moldloft::scene::{Page, Scene, Shape};
use moldloft::sheet::{Backs, PageSetup};
use moldloft::source::Source;
use moldloft::store::{FileRef, Store};
use rayon::prelude::*;
use resvg::tiny_skia::Pixmap;

use crate::support::{GAMES, outside, picture};
use picture::{Difference, Grey, keep};

/// Dots per inch: one and a half times what a browser takes for a CSS pixel.
const DPI: f32 = 144.0;
/// The most that the mean grey of a coarse and of a fine block may differ.
const MOST: (f32, f32) = (9.0, 38.0);

/// A page to be compared.
struct Shown {
    name: String,
    /// Alone in a scene.
    scene: Scene,
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

fn pixels(mm: f32) -> usize {
    (mm * DPI / 25.4).round() as usize
}

fn own(shown: &Shown) -> Grey {
    let options = ExportOptions::default().dpi(DPI);
    Grey::read(&png::write(&shown.scene, &options).expect("a picture")[0], DPI)
}

fn svg_of(shown: &Shown, lettering: TextMode) -> String {
    svg::write(&shown.scene, &ExportOptions::default().text_mode(lettering)).remove(0)
}

fn by_librsvg(shown: &Shown, folder: &Path, at: usize) -> Grey {
    let [from, to] = ["svg", "rsvg.png"].map(|ending| folder.join(format!("{at}.{ending}")));
    fs::write(&from, svg_of(shown, TextMode::Outlined)).expect("written");
    outside::tool("rsvg-convert", &["--zoom", &(DPI / 96.0).to_string(), "-o", text(&to), text(&from)]);
    Grey::read(&fs::read(to).expect("a picture"), DPI)
}

fn by_poppler(shown: &Shown, folder: &Path, at: usize) -> Grey {
    let [from, to] = ["pdf", "cairo"].map(|ending| folder.join(format!("{at}.{ending}")));
    fs::write(&from, pdf::write(&shown.scene, &ExportOptions::default()).expect("a file")).expect("written");
    outside::tool("pdftocairo", &["-r", &DPI.to_string(), "-png", "-singlefile", text(&from), text(&to)]);
    Grey::read(&fs::read(folder.join(format!("{at}.cairo.png"))).expect("a picture"), DPI)
}

const BROWSERS: &str = "chromium|chromium-browser|google-chrome";

/// SVG files drawn by Chromium, all in one window: each in a frame of its own, as ids and fonts of one page are not another's.
fn by_chromium(files: &[(&str, (f32, f32))], folder: &Path) -> Vec<Grey> {
    const ACROSS: usize = 5;
    let browser = outside::any_of(&BROWSERS.split('|').collect::<Vec<_>>()).expect("a browser");
    // Even numbers of CSS pixels are whole numbers of the picture's.
    let side =
        |all: &mut dyn Iterator<Item = f32>| (all.fold(0.0, f32::max) * 96.0 / 25.4 / 2.0).ceil() as usize * 2 + 2;
    let wide = side(&mut files.iter().map(|(_, size)| size.0));
    let high = side(&mut files.iter().map(|(_, size)| size.1));
    let mut page = String::from(
        "<!doctype html><style>body{margin:0;background:#fff}iframe{position:absolute;border:0;overflow:hidden}</style>\n",
    );
    let place = |at: usize| (at % ACROSS * wide, at / ACROSS * high);
    for (at, (file, _)) in files.iter().enumerate() {
        let (left, top) = place(at);
        fs::write(folder.join(format!("frame-{at}.svg")), file).expect("written");
        page.push_str(&format!(
            "<iframe scrolling=no src=frame-{at}.svg style='left:{left}px;top:{top}px;width:{wide}px;height:{high}px'></iframe>\n"
        ));
    }
    let [html, picture] = ["frames.html", "frames.png"].map(|name| folder.join(name));
    fs::write(&html, page).expect("written");
    let _ = fs::remove_file(&picture);
    let user = tempfile::tempdir().expect("a folder");
    let window = format!("--window-size={},{}", wide * ACROSS, high * files.len().div_ceil(ACROSS));
    let mut arguments: Vec<String> = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync --hide-scrollbars --disable-lcd-text \
        --allow-file-access-from-files --font-render-hinting=none"
        .split_whitespace()
        .map(str::to_owned)
        .collect();
    arguments.extend([
        format!("--force-device-scale-factor={}", DPI / 96.0),
        format!("--user-data-dir={}", text(user.path())),
        window,
        format!("--screenshot={}", text(&picture)),
        format!("file://{}", text(&html)),
    ]);
    outside::tool(browser, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let whole = Pixmap::decode_png(&fs::read(&picture).expect("a screenshot")).expect("a picture");
    let scaled = |css: usize| (css as f32 * DPI / 96.0) as usize;
    let cut = |at: usize, size: (f32, f32)| {
        let (left, top) = place(at);
        Grey::of(&whole, (scaled(left), scaled(top)), (pixels(size.0), pixels(size.1)), DPI)
    };
    files.iter().enumerate().map(|(at, (_, size))| cut(at, *size)).collect()
}

/// What is wrong with a page as a program draws it, if anything.
fn held(shown: &Shown, by: &str, expected: &Grey, actual: &Grey) -> Result<Difference, String> {
    let page = &shown.scene.pages[0];
    let (wide, high) = (pixels(page.width), pixels(page.height));
    let found = (actual.width, actual.data.len() / actual.width);
    if found.0.abs_diff(wide) > 1 || found.1.abs_diff(high) > 1 {
        return Err(format!("{}, {by}: {found:?} pixels, expected {:?}", shown.name, (wide, high)));
    }
    let difference = Difference::between(expected, actual);
    if difference.is_within(MOST) {
        return Ok(difference);
    }
    let path = keep("pictures", &format!("{} {by}", shown.name), expected, actual);
    let ((coarse, x, y), (fine, fx, fy)) = (difference.coarse, difference.fine);
    Err(format!(
        "{}, {by}: {coarse:.1} in the 6 mm block at {x}, {y} mm (at most {}); {fine:.1} in the 2 mm block at {fx}, {fy} mm (at most {}); see {}",
        shown.name,
        MOST.0,
        MOST.1,
        path.display()
    ))
}

/// Compares pages; gives the largest differences of each program.
fn compare(all: &[Shown]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let drawn: Vec<(Grey, Grey, Grey)> = (all.par_iter().enumerate())
        .map(|(at, shown)| (own(shown), by_librsvg(shown, path, at), by_poppler(shown, path, at)))
        .collect();
    let kinds = [("Chromium (outlined)", TextMode::Outlined), ("Chromium (embedded)", TextMode::Embedded)];
    let mut outcomes: Vec<(&str, Result<Difference, String>)> = Vec::new();
    for (shown, (own, librsvg, poppler)) in all.iter().zip(&drawn) {
        outcomes.push(("librsvg", held(shown, "librsvg", own, librsvg)));
        outcomes.push(("poppler", held(shown, "poppler", own, poppler)));
    }
    let rows: Vec<(&str, TextMode, usize)> =
        kinds.iter().flat_map(|&(by, lettering)| (0..all.len()).map(move |at| (by, lettering, at))).collect();
    for part in rows.chunks(20) {
        let files: Vec<String> = part.iter().map(|&(_, lettering, at)| svg_of(&all[at], lettering)).collect();
        let size = |at: usize| (all[at].scene.pages[0].width, all[at].scene.pages[0].height);
        let files: Vec<(&str, (f32, f32))> =
            files.iter().zip(part).map(|(file, &(.., at))| (file.as_str(), size(at))).collect();
        for (&(by, _, at), actual) in part.iter().zip(by_chromium(&files, path)) {
            outcomes.push((by, held(&all[at], by, &drawn[at].0, &actual)));
        }
    }
    let mut faults = Vec::new();
    for by in ["librsvg", "poppler", kinds[0].0, kinds[1].0] {
        let most = outcomes.iter().filter(|(program, _)| *program == by).filter_map(|(_, one)| one.as_ref().ok());
        let (coarse, fine) = most.fold((0.0_f32, 0.0_f32), |(c, f), one| (c.max(one.coarse.0), f.max(one.fine.0)));
        println!("{by}: at most {coarse:.1} and {fine:.1} on {} pages", all.len());
    }
    faults.extend(outcomes.into_iter().filter_map(|(_, one)| one.err()));
    assert!(faults.is_empty(), "{} of {} pictures differ:\n{}", faults.len(), all.len() * 4, faults.join("\n"));
}

fn order(what: PrintKind) -> PrintOptions {
    PrintOptions::default().kind(what).page_setup(PageSetup::default()).large_print(false).copies(1).backs(Backs::Fold)
}

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("designs").join(folder);
    let mut all: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    all.sort();
    all
}

fn ships(games: &Rulesets, game: &str, most: usize) -> Vec<Evaluation> {
    let ruleset = games.find(game).ruleset().expect("it loads").clone();
    let one = |path: &PathBuf| {
        let source = Source::new(text(path), &fs::read_to_string(path).expect("read"));
        evaluate(&ruleset, &Design::read(&source).expect("a design"), &Ship::default())
    };
    let mut ships: Vec<Evaluation> = files(game).iter().take(most).map(one).collect();
    number_counters(&mut ships);
    ships
}

/// The pages of a scene, each by itself.
fn apart(name: &str, scene: Scene) -> Vec<Shown> {
    let Scene { meta, pages } = scene;
    let one = |(at, page): (usize, Page)| Shown {
        name: format!("{name} page {}", at + 1),
        scene: Scene { meta: meta.clone(), pages: vec![page] },
    };
    pages.into_iter().enumerate().map(one).collect()
}

fn reference(store: &Store, games: &Rulesets, game: &str) -> Vec<Shown> {
    let ruleset = games.find(game).ruleset().expect("it loads").clone();
    let pages = print_ruleset(store, &ruleset, &order(PrintKind::Reference), &Progress::default()).expect("sheets");
    apart(&format!("{game} reference"), pages.scene)
}

/// An orange lozenge that fades to the right, on clear ground.
fn own_picture() -> image::RgbaImage {
    image::RgbaImage::from_fn(700, 300, |x, y| {
        let is_hull = (x as i32 - 350).abs() * 3 + (y as i32 - 150).abs() * 7 < 1000;
        image::Rgba(if is_hull { [230, 120, 30, 255 - (x / 4) as u8] } else { [0, 0, 0, 0] })
    })
}

#[test]
fn a_sheet_and_a_reference_of_every_game_look_the_same_everywhere() {
    if outside::lacks(&[BROWSERS, "pdftocairo", "rsvg-convert"]) {
        return;
    }
    let store = Store::built_in();
    let games = Rulesets::without_settings(&store);
    let mut all = Vec::new();
    for game in GAMES {
        let ships = ships(&games, game, 1);
        let sheets = print_ships(&store, ships, &order(PrintKind::Sheets), &Progress::default()).scene;
        all.extend(apart(&format!("{game} ships"), sheets).into_iter().take(1));
        all.extend(reference(&store, &games, game).into_iter().take(1));
    }
    for design in ["wars-of-honor/vigilant", "star-navy/chicago"] {
        let folder = tempfile::tempdir().expect("a folder");
        let (game, _) = design.split_once('/').expect("a game");
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("designs/{design}.toml")));
        let text = text.expect("a design").replacen("\nname =", "\nsilhouette = \"own.png\"\nname =", 1);
        own_picture().save(folder.path().join("own.png")).expect("written");
        let source = Source::new(folder.path().join("own.toml").to_string_lossy().into_owned(), &text);
        let ruleset = games.find(game).ruleset().expect("it loads").clone();
        let ship = evaluate(&ruleset, &Design::read(&source).expect("a design"), &Ship::default());
        let sheets = print_ships(&store, vec![ship], &order(PrintKind::Sheets), &Progress::default()).scene;
        let drawn = |page: &Page| {
            page.items()
                .iter()
                .any(|item| matches!(&item.shape, Shape::Use { drawing, .. } if drawing.picture.is_some()))
        };
        assert!(drawn(&sheets.pages[0]));
        all.extend(apart("a design with a picture", sheets).into_iter().take(1));
    }
    compare(&all);
}

#[test]
#[ignore = "takes minutes: cargo test --test pictures -- --ignored"]
fn every_page_of_every_game_looks_the_same_everywhere() {
    if outside::lacks(&[BROWSERS, "pdftocairo", "rsvg-convert"]) {
        return;
    }
    let store = Store::built_in();
    let games = Rulesets::without_settings(&store);
    let progress = Progress::default();
    let mut all = Vec::new();
    for game in GAMES {
        let ships = ships(&games, game, usize::MAX);
        for (what, name) in [(PrintKind::Sheets, "ships"), (PrintKind::Counters, "chits")] {
            let pages = print_ships(&store, ships.clone(), &order(what), &progress);
            all.extend(apart(&format!("{game} {name}"), pages.scene));
        }
        all.extend(reference(&store, &games, game));
        let path = files(&format!("{game}/fleets")).remove(0);
        let source = Source::new(text(&path), &fs::read_to_string(&path).expect("read"));
        let fleet = check_fleet(&games, &source, &FileRef::on_disk(path)).expect("a fleet");
        assert!(fleet.units.len() > 1 && fleet.skipped.is_empty());
        let parts = PackPart::ALL.into_iter().map(|(part, _)| part).collect();
        let order = PackOptions::default().parts(parts).print(order(PrintKind::Sheets)).single_sided(true);
        all.extend(apart(
            &format!("{game} pack"),
            print_fleets(&store, &[fleet], &order, format_for("pdf").unwrap(), &progress).scene,
        ));
    }
    assert!(all.len() > 100, "{}", all.len());
    compare(&all);
}

#[test]
fn the_comparison_sees_piles_a_missing_font_and_a_letter_moved() {
    if outside::lacks(&[BROWSERS]) {
        return;
    }
    let store = Store::built_in();
    let games = Rulesets::without_settings(&store);
    let shown = reference(&store, &games, "wars-of-honor").remove(0);
    let page = &shown.scene.pages[0];
    let expected = own(&shown);
    let embedded = svg_of(&shown, TextMode::Embedded);
    let outlined = svg_of(&shown, TextMode::Outlined);
    // The largest capital of the page, pushed half an em to the right, in the file alone.
    let at = outlined.find("<use xlink:href=\"#m").expect("a semi-bold letter");
    let x = at + outlined[at..].find(" x=\"").expect("a place") + 4;
    let end = x + outlined[x..].find('"').expect("its end");
    let moved = outlined[x..end].parse::<f32>().expect("a number") + 500.0;
    let shifted = format!("{}{moved}{}", &outlined[..x], &outlined[end..]);
    // Renamed as well: the machine may have a font of that name.
    let fontless =
        embedded.replace("src: url(data:", "src: url(nothing:").replace("IBM Plex Sans Condensed", "No Such Family");
    // What once came of lines longer than twenty em: all further letters on one spot.
    let pile = |part: &str| {
        let (before, rest) = part.split_once(" x=\"").expect("a place");
        let (x, rest) = rest.split_once('"').expect("its end");
        let x = x.parse::<f32>().expect("a number").min(20_000.0);
        format!("{before} x=\"{x}\"{rest}")
    };
    let mut parts = outlined.split("<use xlink:href=\"#");
    let mut piled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        piled.push_str("<use xlink:href=\"#");
        piled.push_str(&if part.starts_with('d') { part.to_owned() } else { pile(part) });
    }
    assert!(fontless != embedded && shifted != outlined && piled != outlined);
    let size = (page.width, page.height);
    let folder = tempfile::tempdir().expect("a folder");
    let files = [&embedded, &outlined, &fontless, &shifted, &piled].map(|file| (file.as_str(), size));
    let found: Vec<Difference> =
        by_chromium(&files, folder.path()).iter().map(|actual| Difference::between(&expected, actual)).collect();
    assert!(found[0].is_within(MOST) && found[1].is_within(MOST), "{found:?}");
    println!("without its font {:?}\na letter moved {:?}\nletters in a pile {:?}", found[2], found[3], found[4]);
    assert!(found[2..].iter().all(|one| !one.is_within(MOST)), "{found:?}");
}
