//! Printing on every paper: each game's sheets, cards and chits on papers small and large, with margins, beside each other, turned over either
//! way and corrected for a printer; read back from the finished PDF.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use moldloft::evaluate::{Evaluation, number_counters};
use moldloft::finding::Finding;
use moldloft::progress::Progress;
use moldloft::ruleset::SheetKind;
use moldloft::scene::{Page, Rect, Scene, Shape, Transform};
use moldloft::sheet::{
    Backs, CounterJob, DuplexEdge, Margins, NUp, NUpOrder, PageSetup, PageStorage, Paper, PrinterScale, SheetJob,
    SheetOptions, TemplateCache, impose, lay_out_counters, print,
};
use moldloft::store::Store;
use proptest::prelude::*;

use crate::support::{GAMES, legible, outside, rules, tiny_font};
use legible::holds;
use rules::{check, folder, load, said};

fn store() -> &'static Store {
    static STORE: OnceLock<Store> = OnceLock::new();
    STORE.get_or_init(Store::built_in)
}

/// The samples of a game, numbered, and its reference sheet.
fn samples(id: &str) -> (Vec<Evaluation>, Vec<Evaluation>) {
    let rules = load(id);
    let mut ships: Vec<_> = folder(&format!("designs/{id}")).iter().map(|path| check(&rules, path)).collect();
    number_counters(&mut ships);
    (ships, moldloft::print::blank_sheets(&rules, SheetKind::Reference))
}

fn printed(ships: &[Evaluation], options: SheetOptions) -> (Scene, Vec<Finding>) {
    let shelf = TemplateCache::new(|ids, name| store().template(ids, name));
    print(&SheetJob { ships, templates: &shelf, options, subject: "control sheets" })
}

fn paper(word: &str) -> Paper {
    word.parse().unwrap_or_else(|error| panic!("{word}: {error}"))
}

/// Everything on every paper keeps the promise of smallest sizes, loses no box and stands over nothing.
#[test]
fn sheets_hold_on_every_paper() {
    let beds = [
        PageSetup::from(Paper::A5),
        PageSetup::from(Paper::Legal),
        PageSetup::from(Paper::A3),
        PageSetup::from(paper("8x10in")),
        PageSetup::from(Paper::Letter).margins(Some(Margins::all(14.0))),
        PageSetup::from(Paper::A4).up(NUp::Two),
        PageSetup::from(Paper::Tabloid).up(NUp::Four),
    ];
    let mut faults = Vec::new();
    for game in GAMES {
        let (ships, reference) = samples(game);
        for bed in beds {
            for large_print in [false, true] {
                let options = SheetOptions { page_setup: bed, large_print, ..SheetOptions::default() };
                for ship in ships.iter().chain(&reference) {
                    let done = std::panic::catch_unwind(|| {
                        let (scene, findings) = printed(std::slice::from_ref(ship), options);
                        if findings.iter().all(|finding| finding.code == "paper-too-small") && !findings.is_empty() {
                            return;
                        }
                        assert!(findings.is_empty(), "{}", said(&findings));
                        holds(ship, &scene, &findings, options);
                    });
                    if let Err(why) = done {
                        let why = why.downcast_ref::<String>().cloned().unwrap_or_default();
                        faults.push(format!(
                            "{game} {} on {} {:?} large {large_print}: {why}",
                            ship.name, bed.paper, bed.up
                        ));
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

/// Where every chit of a page stands, in order: of a first side by its mark, of a second by the place it is moved to.
fn chits(page: &Page) -> Vec<(Rect, Transform)> {
    let mut found = Vec::new();
    for item in &page.items {
        let Shape::Group { transform, items } = &item.shape else { continue };
        // The words at the foot, turned with their page.
        if matches!(items.as_slice(), [one] if matches!(one.shape, Shape::Text(_))) {
            continue;
        }
        let marked = items.iter().find_map(|inner| match (&inner.mark, &inner.shape) {
            (Some(_), Shape::Rect { rect, .. }) => Some(*rect),
            _ => None,
        });
        found.push((marked.map(|rect| transform.bounding_rect(&rect)).unwrap_or_default(), *transform));
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// On every paper, however it is turned, wherever backs are moved to and whatever the printer does: each back lies behind its front, the
    /// same way up as seen when the chit is turned over, and no chit is in the margins.
    #[test]
    fn backs_meet_their_fronts(
        word in prop::sample::select(vec!["a4", "letter", "a5", "a3", "legal", "tabloid", "300x200mm", "8x10in"]),
        turn in prop::sample::select(vec![DuplexEdge::Long, DuplexEdge::Short]), up in prop::sample::select(vec![NUp::Auto, NUp::Two, NUp::Four]),
        offset in (-3.0f32..3.0, -3.0f32..3.0), corrected in prop::option::of((0.95f32..1.05, 0.95f32..1.05)),
        margins in prop::option::of(prop::array::uniform4(0.0f32..15.0)), which in 0usize..5,
    ) {
        let margins = margins.map(|[top, right, bottom, left]| Margins { top, right, bottom, left });
        let printer_scale = corrected.map(|scale| PrinterScale { scale });
        let bed = PageSetup::default().paper(paper(word)).turn(turn).up(up).offset(offset).printer_scale(printer_scale).margins(margins);
        let ships = fleet(GAMES[which]);
        let shelf = TemplateCache::new(|ids, name| store().template(ids, name));
        let job = CounterJob { ships, templates: &shelf, page_setup: bed, backs: Backs::Duplex, copies: 1 };
        let (scene, findings) = lay_out_counters(&job, PageStorage::Plain, &Progress::default());
        prop_assert!(findings.iter().all(|finding| finding.code == "counter-size"), "{}", said(&findings));
        for page in scene.pages.iter().step_by(2) {
            let ground = bed.printable_areas().into_iter().find(|ground| ground.page == (page.width, page.height)).unwrap();
            for (rect, own) in chits(page) {
                let area = ground.area;
                // A spare has no mark; its corner is where it is drawn.
                let rect = if rect.w > 0.0 { rect } else { Rect::new(own.m[4], own.m[5], 1.0, 1.0) };
                prop_assert!(rect.x >= area.x && rect.y >= area.y && rect.right() <= area.right() + 0.02 && rect.bottom() <= area.bottom(), "{rect:?} in {area:?}");
            }
        }
        let plain = scene.pages.clone();
        let pages = impose(scene.pages, &bed, true, None);
        prop_assert_eq!(pages.len(), plain.len());
        for (n, pair) in pages.chunks(2).enumerate() {
            let (front, back) = (&pair[0], &pair[1]);
            prop_assert_eq!((front.width, front.height), (back.width, back.height));
            prop_assert!(printer_scale.is_none() || front.width <= front.height, "the printer's right and down are those of upright paper");
            let like_a_book = (turn == DuplexEdge::Long) == (front.width <= front.height);
            let (fronts, backs) = (chits(front), chits(back));
            prop_assert_eq!(fronts.len(), backs.len());
            for ((place, (rect, own)), (_, behind)) in fronts.iter().enumerate().zip(&backs) {
                // The back of a chit fills the same rectangle of its own.
                let (size, _) = chits(&plain[2 * n])[place];
                if size.w == 0.0 {
                    continue;
                }
                let there = behind.bounding_rect(&Rect::new(0.0, 0.0, size.w, size.h));
                let (x, y) = (there.x - offset.0, there.y - offset.1);
                let seen = if like_a_book {
                    Rect::new(front.width - x - there.w, y, there.w, there.h)
                } else {
                    Rect::new(x, front.height - y - there.h, there.w, there.h)
                };
                for (a, b) in [(seen.x, rect.x), (seen.y, rect.y), (seen.w, rect.w), (seen.h, rect.h)] {
                    prop_assert!((a - b).abs() < 0.02, "{:?} behind {:?} on {}", seen, rect, word);
                }
                // Turned over about the chit's own upright line, the back's top is the front's top.
                let (up_front, up_back) = ([own.m[2], own.m[3]], [behind.m[2], behind.m[3]]);
                let flipped = if like_a_book { [-up_back[0], up_back[1]] } else { [up_back[0], -up_back[1]] };
                prop_assert!((up_front[0] - flipped[0]).abs() < 1e-4 && (up_front[1] - flipped[1]).abs() < 1e-4);
                if let Some((sx, sy)) = corrected {
                    let turned = plain[2 * n].width > plain[2 * n].height;
                    let (w, h) = if turned { (size.h, size.w) } else { (size.w, size.h) };
                    prop_assert!((rect.w - w * sx).abs() < 0.02 && (rect.h - h * sy).abs() < 0.02, "made larger as the printer needs it");
                }
            }
        }
    }
}

/// The samples of a game, made once.
fn fleet(game: &'static str) -> &'static [Evaluation] {
    static FLEETS: OnceLock<Vec<(&'static str, Vec<Evaluation>)>> = OnceLock::new();
    let fleets = FLEETS.get_or_init(|| GAMES.map(|game| (game, samples(game).0.into_iter().take(4).collect())).into());
    &fleets.iter().find(|(id, _)| *id == game).expect("a game").1
}

/// Whose boxes stand on a half of a page.
fn owners(page: &Page, right: bool) -> BTreeSet<String> {
    let ticks = page.items.iter().filter_map(|item| Some((item.mark.as_ref()?, &item.shape)));
    let ticks = ticks.filter_map(|(mark, shape)| match shape {
        Shape::Rect { rect, .. } if (rect.x > page.width / 2.0) == right => mark.unit.as_ref(),
        _ => None,
    });
    ticks.map(|unit| unit.key.to_string()).collect()
}

/// Two sheets on an A3 page, in either order, on one side or two; cut marks are outside what is printed.
#[test]
fn sheets_lie_beside_each_other() {
    let ships = &samples("star-navy").0;
    let (scene, _) = printed(ships, SheetOptions { page_setup: Paper::A3.into(), ..SheetOptions::default() });
    let leaves = scene.pages.len();
    assert!(scene.pages.iter().all(|page| (page.width, page.height) == (210.0, 297.0)));
    let of = |page: &Page| owners(page, false).union(&owners(page, true)).cloned().collect::<BTreeSet<_>>();
    let leaf: Vec<_> = scene.pages.iter().map(of).collect();
    for sequence in [NUpOrder::Reading, NUpOrder::Stacks] {
        let pages = impose(scene.pages.clone(), &PageSetup::from(Paper::A3).sequence(sequence), true, None);
        let sheets = leaves.div_ceil(2);
        assert_eq!(pages.len(), sheets);
        for (n, page) in pages.iter().enumerate() {
            assert_eq!((page.width, page.height), (420.0, 297.0));
            let (left, right) = if sequence == NUpOrder::Reading { (2 * n, 2 * n + 1) } else { (n, sheets + n) };
            assert_eq!(owners(page, false), leaf[left]);
            assert_eq!(owners(page, true), leaf.get(right).cloned().unwrap_or_default());
            let marks = page.items.last().expect("cut marks");
            let Shape::Path(path, _) = &marks.shape else { panic!("{marks:?}") };
            let marks = legible::bounds(path);
            assert!((marks.x - 210.0).abs() < 0.01 && marks.w < 0.01, "{marks:?}");
            let lines: Vec<f32> = path
                .segments
                .iter()
                .map(|segment| match segment {
                    moldloft::scene::Segment::Move(_, y) | moldloft::scene::Segment::Line(_, y) => *y,
                    _ => panic!("a straight line"),
                })
                .collect();
            assert!(lines.iter().all(|y| *y < 17.0 || *y > 280.0), "{lines:?}");
        }
    }
    // The second leaf lies behind the first: turned over along the long edge, upside down on the same side; along the short one, beside it.
    for (turn, behind_first_is_right) in [(DuplexEdge::Long, false), (DuplexEdge::Short, true)] {
        let pages = impose(scene.pages.clone(), &PageSetup::from(Paper::A3).two_sided(true).turn(turn), true, None);
        assert_eq!(owners(&pages[0], false), leaf[0]);
        assert_eq!(owners(&pages[0], true), leaf[2]);
        assert_eq!(owners(&pages[1], behind_first_is_right), leaf[1]);
        assert_eq!(owners(&pages[1], !behind_first_is_right), leaf[3]);
    }
}

/// The finished files have the paper asked for, and other programs find them sound.
#[test]
fn files_have_the_paper_asked_for() {
    if outside::lacks(&["pdfinfo", "pdftotext", "qpdf"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let design = rules::root().join("designs/wars-of-honor/vigilant.toml");
    let run = |program: &str, arguments: &[&str]| {
        let done = std::process::Command::new(program)
            .args(arguments)
            .current_dir(folder.path())
            .env("XDG_CONFIG_HOME", folder.path().join("config"))
            .output()
            .unwrap_or_else(|error| panic!("{program}: {error}"));
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (done.status.code().unwrap_or(-1), text(&done.stdout) + &text(&done.stderr))
    };
    let moldloft = env!("CARGO_BIN_EXE_moldloft");
    for (word, size) in [
        ("a4", "595.276 x 841.89"),
        ("letter", "612 x 792"),
        ("a5", "419.528 x 595.276"),
        ("a3", "1190.55 x 841.89"),
        ("legal", "612 x 1008"),
        ("tabloid", "1224 x 792"),
        ("200x300mm", "566.929 x 850.394"),
    ] {
        let (status, told) = run(moldloft, &["print", design.to_str().unwrap(), "--paper", word, "-o", "x.pdf"]);
        assert_eq!(status, 0, "{told}");
        assert!(run("pdfinfo", &["x.pdf"]).1.contains(size), "{word}: {}", run("pdfinfo", &["x.pdf"]).1);
        assert_eq!(run("qpdf", &["--check", "x.pdf"]).0, 0);
    }
    let (status, told) = run(moldloft, &["print", design.to_str().unwrap(), "--paper", "100x150mm", "-o", "y.pdf"]);
    assert!(
        status == 1 && told.contains("error[paper-too-small]") && told.contains("mm of the paper; the minimum"),
        "{told}"
    );
    assert!(
        run(moldloft, &["print", design.to_str().unwrap(), "--paper", "a6", "-o", "y.pdf"]).1.contains("200x300mm")
    );

    // A printer is measured, used and forgotten.
    let calibrate = |more: &[&str]| run(moldloft, &[&["calibrate"], more].concat());
    assert_eq!(calibrate(&["-o", "page.pdf"]).0, 0);
    let text = run("pdftotext", &["-layout", "page.pdf", "-"]).1;
    assert!(text.contains("fit to page") && text.contains("200") && text.contains("250"), "{text}");
    let (status, told) =
        calibrate(&["--printer", "Study", "--measured", "196.5x248", "--back", "0.5,-1", "--margin", "5"]);
    assert!(status == 0 && told.contains("prints 98.3 % across: pages made 1.8 % wider"), "{told}");
    assert!(calibrate(&["--list"]).1.contains("Study"));
    let (status, told) = calibrate(&["--printer", "Study", "--measured", "19.6x24.8"]);
    assert!(status == 2 && told.contains("not centimetres"), "{told}");
    let long = |file: &str| {
        let text = run("pdftotext", &["-bbox", file, "-"]).1;
        let x = |word: &str| {
            let line = text
                .lines()
                .find(|line| line.contains(&format!(">{word}<")))
                .unwrap_or_else(|| panic!("{word}: {text}"));
            let at = |name: &str| line.split(name).nth(1).unwrap().split('"').nth(1).unwrap().parse::<f32>().unwrap();
            (at("xMin=") + at("xMax=")) / 2.0 / 72.0 * 25.4
        };
        x("200") - x("120")
    };
    assert_eq!(calibrate(&["-o", "true.pdf", "--printer", "study"]).0, 0);
    assert!((long("page.pdf") - 80.0).abs() < 0.1, "{}", long("page.pdf"));
    assert!((long("true.pdf") - 80.0 * 200.0 / 196.5).abs() < 0.1, "{}", long("true.pdf"));
    let (status, told) = run(moldloft, &["chits", design.to_str().unwrap(), "--printer", "study", "-o", "x.pdf"]);
    assert_eq!(status, 0, "{told}");
    assert_eq!(calibrate(&["--forget", "Study"]).0, 0);
    let (status, told) = run(moldloft, &["chits", design.to_str().unwrap(), "--printer", "study", "-o", "x.pdf"]);
    assert!(status == 2 && told.contains("error[unknown-printer]"), "{told}");
}

/// Letters that the bundled faces lack are drawn from the font named, and from no other, in every format.
#[test]
fn letters_of_a_named_font_are_in_every_format() {
    if outside::lacks(&["pdffonts", "pdftotext", "qpdf"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let run = |program: &str, arguments: &[&str]| {
        let done = std::process::Command::new(program).args(arguments).current_dir(folder.path()).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (done.status.code().unwrap_or(-1), text(&done.stdout) + &text(&done.stderr))
    };
    let moldloft = env!("CARGO_BIN_EXE_moldloft");
    let design = std::fs::read_to_string(rules::root().join("designs/wars-of-honor/vigilant.toml")).unwrap();
    let start = design.find("name = ").unwrap();
    let end = start + design[start..].find('\n').unwrap();
    for (file, name) in [("both.toml", "Pike 漢 אב"), ("han.toml", "漢 Pike")] {
        std::fs::write(path(file), format!("{}name = \"{name}\"{}", &design[..start], &design[end..])).unwrap();
    }
    let letters = tiny_font::font(&['א', 'ב', '漢']);
    std::fs::write(path("tiny.ttf"), &letters).unwrap();
    let print = |design: &str, file: &str, more: &[&str]| {
        let (status, told) = run(moldloft, &[&["print", design, "-o", file, "--dpi", "100"], more].concat());
        assert_eq!(status, 0, "{told}");
        told
    };
    let font = ["--font", "tiny.ttf"];

    let told = print("both.toml", "without.png", &[]);
    assert_eq!(told.matches("missing-character").count(), 1, "{told}");
    assert!(told.contains("`--font FILE`"), "{told}");
    for file in ["a.pdf", "b.pdf", "a.png", "a.svg"] {
        assert!(!print("both.toml", file, &font).contains("missing-character"), "{file}");
    }
    // PDF: the letters are found as they are read, in a font of their own.
    assert_eq!(std::fs::read(path("a.pdf")).unwrap(), std::fs::read(path("b.pdf")).unwrap());
    let words = run("pdftotext", &["-layout", "a.pdf", "-"]).1;
    assert!(words.contains("Pike 漢") && words.contains("אב"), "{words}");
    let fonts = run("pdffonts", &["a.pdf"]).1;
    let own = fonts.lines().find(|line| line.contains("+Tiny-Regular")).unwrap_or_else(|| panic!("{fonts}"));
    assert!(own.contains("yes yes yes"), "embedded, cut down, with its words: {own}");
    let (status, told) = run("qpdf", &["--check", "a.pdf"]);
    assert_eq!(status, 0, "{told}");
    // SVG: from left to right, so that the second Hebrew letter comes first.
    let svg = std::fs::read_to_string(path("a.svg")).unwrap();
    let line = svg.lines().find(|line| line.contains("aria-label=\"Pike 漢 אב\"")).expect("the name");
    let order: Vec<_> = line.match_indices("#f").map(|(at, _)| &line[at + 1..at + 3]).collect();
    assert_eq!(order, ["f3", "f2", "f1"], "{line}");
    assert!(svg.contains("<path id=\"f3\" d=\"M100 0L900 0L900 -800"), "a square, as the font draws it");
    // PNG: three squares of 0.64 em² have more ink than three question marks, in the line of the name and elsewhere.
    let ink = |file: &str| {
        let drawn = resvg::tiny_skia::Pixmap::decode_png(&std::fs::read(path(file)).unwrap()).unwrap();
        drawn.pixels().iter().filter(|pixel| pixel.red() < 100).count()
    };
    assert!(ink("a.png") > ink("without.png") + 300, "{} {}", ink("a.png"), ink("without.png"));

    // As text: the name stays text, its letters come from two fonts inside the file.
    print("han.toml", "han.svg", &["--font", "tiny.ttf", "--svg-text", "embedded"]);
    let svg = std::fs::read_to_string(path("han.svg")).unwrap();
    assert!(
        svg.contains(">漢 Pike</text>") && svg.contains("font-family: 'Moldloft f'; font-weight: 100 900"),
        "{svg}"
    );

    for (name, bytes, found) in [
        ("cff.otf", b"OTTO\0\0".to_vec(), "found an OpenType font with CFF outlines"),
        ("many.ttc", b"ttcf\0\0".to_vec(), "found a font collection"),
        ("half.ttf", letters[..letters.len() / 2].to_vec(), "found a font whose table"),
        ("own.ttf", tiny_font::font_made_of_itself(), "part of itself"),
    ] {
        std::fs::write(path(name), bytes).unwrap();
        let (status, told) = run(moldloft, &["chits", "han.toml", "-o", "no.pdf", "--font", name]);
        let expected = format!("cannot use {name}: expected a TrueType font with glyf outlines, ");
        assert!(status == 2 && told.contains(&expected) && told.contains(found), "{told}");
        assert!(!path("no.pdf").exists());
    }
    for all in [
        &["chits", "han.toml", "-o", "chits.pdf"][..],
        &["tokens", "han.toml", "-o", "tokens"],
        &["reference", "wars-of-honor", "-o", "reference.pdf"],
    ] {
        let (status, told) = run(moldloft, &[all, &font].concat());
        assert!(status == 0 && !told.contains("missing-character"), "{told}");
    }
}
