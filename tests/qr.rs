//! QR codes on printed sheets: a design of every game, drawn by poppler at 150 dpi, is read by a public decoder and is the design. `import` takes the
//! text; a template without a place for the code is reported.

use std::fs;
use std::path::Path;
use std::process::Command;

use moldloft::design::{Design, Ship, toml_of_code};
use moldloft::evaluate::{Evaluation, evaluate};
use moldloft::export::{ExportOptions, pdf, png};
use moldloft::library::Rulesets;
use moldloft::print::{PrintOptions, print_ships};
use moldloft::progress::Progress;
use moldloft::scene::Scene;
use moldloft::sheet::Paper;
use moldloft::source::Source;
use moldloft::store::Store;

use crate::support::outside;
use resvg::tiny_skia::Pixmap;

const SHIPS: [&str; 5] = [
    "b5-house-rules/torvald-deep",
    "battleships-1890s/august-der-starke",
    "sky-full-of-ships/tern",
    "star-navy/detroit",
    "wars-of-honor/lodestar",
];

fn design(ship: &str) -> Design {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("designs").join(ship).with_extension("toml");
    Design::read(&Source::new(ship, &fs::read_to_string(file).unwrap())).unwrap()
}

fn evaluated(store: &Store, design: &Design) -> Evaluation {
    let game = &design.ruleset.as_ref().unwrap().text;
    let ruleset = Rulesets::without_settings(store).find(game).ruleset().cloned().expect("a game");
    evaluate(&ruleset, design, &Ship::default())
}

/// A workspace whose template for this ship is a page with a place for a code.
fn workspace(folder: &Path, ship: &str, side: f32) -> Store {
    let design = design(ship);
    let ship = evaluated(&Store::built_in(), &design);
    let file = folder.join("templates").join(&*ship.ruleset.id).join(&*ship.sheet().unwrap().template);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" width="210mm" height="279.4mm" viewBox="0 0 210 279.4">
<text x="20" y="20" style="font-size:6px">{{{{ name }}}}</text>
<rect inkscape:label="panel: qr" x="20" y="30" width="{side}" height="{side}" style="fill:none"/>
</svg>"#
    );
    fs::write(file, svg).unwrap();
    Store::open(Some(folder)).unwrap()
}

fn printed(store: &Store, design: &Design, qr: bool) -> (Scene, Vec<String>) {
    let options = PrintOptions::default().qr(qr);
    let mut pages = print_ships(store, vec![evaluated(store, design)], &options, &Progress::default());
    let codes = pages.findings.iter().map(|finding| finding.code.to_string()).collect();
    let mut scene = std::mem::take(&mut pages.scene);
    scene.pages.truncate(1);
    (scene, codes)
}

/// The texts of the codes in a picture. The decoder's own threshold follows the light of a photograph and finds nothing in some clean pictures: then black is
/// what is darker than half.
fn decoded(png: &[u8]) -> Vec<String> {
    let map = Pixmap::decode_png(png).expect("a picture");
    let (width, height) = (map.width() as usize, map.height() as usize);
    let grey = |x: usize, y: usize| map.data()[(y * width + x) * 4 + 1];
    let photograph = rqrr::PreparedImage::prepare_from_greyscale(width, height, grey);
    let bitmap = rqrr::PreparedImage::prepare_from_bitmap(width, height, |x, y| grey(x, y) < 128);
    for mut image in [photograph, bitmap] {
        let grids = image.detect_grids();
        if !grids.is_empty() {
            return grids.iter().map(|grid| grid.decode().expect("a code that can be read").1).collect();
        }
    }
    Vec::new()
}

fn run(here: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_moldloft")).args(arguments).current_dir(here).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_code_is_read_from_the_printed_page() {
    if outside::lacks(&["pdftocairo"]) {
        return;
    }
    for ship in SHIPS {
        let folder = tempfile::tempdir().unwrap();
        // The largest designs are those with systems of their own.
        let side = if ship.starts_with("b5") { 60.0 } else { 36.0 };
        let store = workspace(folder.path(), ship, side);
        let design = design(ship);
        let (scene, codes) = printed(&store, &design, true);
        assert!(!codes.iter().any(|code| code.contains("qr")), "{codes:?}");
        let [from, to] = ["page.pdf", "page"].map(|name| folder.path().join(name));
        fs::write(&from, pdf::write(&scene, &ExportOptions::default()).unwrap()).unwrap();
        let [from, to] = [&from, &to].map(|path| path.to_str().expect("a plain path"));
        outside::tool("pdftocairo", &["-r", "150", "-png", "-singlefile", from, to]);
        let by_poppler = fs::read(folder.path().join("page.png")).unwrap();
        let mut own = png::write(&scene, &ExportOptions::default().dpi(150.0)).unwrap();
        for picture in [by_poppler, own.swap_remove(0)] {
            let texts = decoded(&picture);
            let [text] = texts.as_slice() else { panic!("{ship}: {} codes", texts.len()) };
            assert_eq!(*text, design.to_code().unwrap());
            let toml = toml_of_code(text).unwrap();
            assert_eq!(Design::read(&Source::new("again", &toml)).unwrap().to_toml(), design.to_toml());
        }
        let (plain, _) = printed(&store, &design, false);
        assert!(plain.pages[0].items.len() < scene.pages[0].items.len());
    }
}

/// The codes in a picture that can be read, each once: other art of a page may look like one.
fn readable(png: &[u8]) -> Vec<String> {
    let map = Pixmap::decode_png(png).expect("a picture");
    let (width, height) = (map.width() as usize, map.height() as usize);
    let grey = |x: usize, y: usize| map.data()[(y * width + x) * 4 + 1];
    let photograph = rqrr::PreparedImage::prepare_from_greyscale(width, height, grey);
    let bitmap = rqrr::PreparedImage::prepare_from_bitmap(width, height, |x, y| grey(x, y) < 128);
    let mut texts = Vec::new();
    for mut image in [photograph, bitmap] {
        texts.extend(image.detect_grids().iter().filter_map(|grid| grid.decode().ok()).map(|(_, text)| text));
    }
    texts.sort();
    texts.dedup();
    texts
}

/// Every sample has room for its code on the game's own templates: cards and the sheets of Babylon 5 on every paper, other sheets on A4. A code of each game is
/// read from a picture of the page at 150 dpi.
#[test]
fn every_sample_has_room_for_its_code() {
    let store = Store::built_in();
    let all = [(Paper::A4, false), (Paper::A5, false), (Paper::A4, true), (Paper::A5, true)];
    let games: [(&str, &[(Paper, bool)], &str); 5] = [
        ("battleships-1890s", &all, "saltholm"),
        ("sky-full-of-ships", &all, "tern"),
        ("star-navy", &all[..1], "detroit"),
        ("wars-of-honor", &all[..1], "hornisse"),
        ("b5-house-rules", &all, "sirenna"),
    ];
    for (game, papers, read) in games {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("designs").join(game);
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut names: Vec<String> = files
            .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
            .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        names.sort();
        let designs: Vec<Design> = names.iter().map(|name| design(&format!("{game}/{name}"))).collect();
        for &(paper, large_print) in papers {
            let options = PrintOptions::default().qr(true).large_print(large_print).page_setup(paper.into());
            let ships = designs.iter().map(|design| evaluated(&store, design)).collect();
            let pages = print_ships(&store, ships, &options, &Progress::default());
            let lacking = pages.findings.iter().filter(|finding| finding.code.contains("qr"));
            let lacking: Vec<&str> = lacking.map(|finding| finding.message.as_str()).collect();
            assert!(lacking.is_empty(), "{game} on {paper}, large print {large_print}: {lacking:?}");
        }
        let design = design(&format!("{game}/{read}"));
        let options = PrintOptions::default().qr(true);
        let pages = print_ships(&store, vec![evaluated(&store, &design)], &options, &Progress::default());
        let pictures = png::write(&pages.scene, &ExportOptions::default().dpi(150.0)).unwrap();
        let texts: Vec<String> = pictures.iter().flat_map(|picture| readable(picture)).collect();
        assert_eq!(texts, [design.to_code().unwrap()], "{game}");
    }
}

#[test]
fn a_code_that_cannot_be_drawn_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let ship = SHIPS[4];
    let design = design(ship);
    let small = workspace(folder.path(), ship, 18.0);
    assert!(printed(&small, &design, true).1.contains(&"qr-too-large".to_owned()));
    let (_, codes) = printed(&small, &design, false);
    assert!(!codes.iter().any(|code| code.contains("qr")), "{codes:?}");
}

#[test]
fn import_writes_the_design_of_a_code() {
    let folder = tempfile::tempdir().unwrap();
    let design = design(SHIPS[3]);
    fs::write(folder.path().join("code.txt"), design.to_code().unwrap() + "\n").unwrap();
    let (status, out, err) = run(folder.path(), &["import", "code.txt", "-o", "detroit.toml"]);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    assert!(out.contains("detroit.toml with "), "{out}");
    let text = fs::read_to_string(folder.path().join("detroit.toml")).unwrap();
    assert_eq!(Design::read(&Source::new("again", &text)).unwrap().to_toml(), design.to_toml());
    assert_eq!(run(folder.path(), &["import", "code.txt", "-o", "detroit.toml"]).0, 2, "nothing is overwritten");
    fs::write(folder.path().join("bad.txt"), "MOLDLOFT1:0123456789").unwrap();
    let (status, _, err) = run(folder.path(), &["import", "bad.txt", "-o", "bad.toml"]);
    assert!(status == 2 && err.contains("not-a-code"), "{err}");
}
