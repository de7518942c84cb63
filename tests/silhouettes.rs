//! Silhouettes that grow with the design: groups of a drawing that are repeated and scaled, and every game's ships told apart.

use std::fs;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use moldloft::design::{Design, Ship};
use moldloft::evaluate::{Evaluation, evaluate, number_counters};
use moldloft::export::{ExportOptions, png};
use moldloft::finding::{Finding, Severity};
use moldloft::library::designs_of_ruleset;
use moldloft::lint::generated_designs;
use moldloft::progress::Progress;
use moldloft::ruleset::Ruleset;
use moldloft::scene::{Drawing, Page, Path as ScenePath, Rect, Scene, SceneItem, Segment, Shape, Transform};
use moldloft::sheet::{ArtFile, Backs, CounterJob, PageStorage, TemplateCache, lay_out_counters};
use moldloft::source::Source;
use moldloft::store::Store;

use crate::support::picture::Grey;
use crate::support::{GAMES, legible, rules as support};

/// Random legal ships of a game that are compared, each with each.
const SHIPS: usize = 30;
/// As wide as in a sheet's head, mm.
const WIDTH: f32 = 33.0;
const DPI: f32 = 254.0;
/// Side of the blocks whose mean greys are compared, mm: at arm's length more than a quarter of a degree, so that two of them are
/// seen as two.
const BLOCK: f32 = 2.0;
/// What one line of a quarter of a millimetre through a block changes in its mean grey.
const ONE_LINE: f32 = 25.0;
/// Blocks in which two ships must differ by one line: a mount on both sides, or two more of something.
const BLOCKS: usize = 2;
/// Of a thousand pairs, those that look alike by that measure today: too many, among random variants of one sample. Fewer is better; more is
/// a change for the worse.
const ALIKE: [(&str, usize); 5] = [
    ("b5-house-rules", 243),
    ("battleships-1890s", 124),
    ("sky-full-of-ships", 77),
    ("star-navy", 105),
    ("wars-of-honor", 136),
];

fn store() -> &'static Store {
    static STORE: OnceLock<Store> = OnceLock::new();
    STORE.get_or_init(Store::built_in)
}

fn legal_ships(game: &str) -> Vec<Evaluation> {
    let source = store().ruleset(game).expect("it is built in");
    let rules = Arc::new(Ruleset::load(&source).0.expect("it loads"));
    let samples = designs_of_ruleset(store(), &rules);
    let mut ships: Vec<Evaluation> = samples.iter().map(|design| evaluate(&rules, design, &Ship::default())).collect();
    let random = generated_designs(&rules, &samples, 400);
    let random = random.iter().map(|design| evaluate(&rules, design, &Ship::default()));
    ships.extend(
        random.filter(|ship| ship.findings.iter().all(|finding| finding.severity != Severity::Error)).take(SHIPS),
    );
    ships
}

fn page_of(drawings: &[Arc<Drawing>], across: usize) -> Scene {
    let high = WIDTH * 0.6;
    let place = |(n, drawing): (usize, &Arc<Drawing>)| {
        let scale = WIDTH / drawing.width;
        let corner = ((n % across) as f32 * (WIDTH + 4.0) + 2.0, (n / across) as f32 * high);
        let transform = Transform { m: [scale, 0.0, 0.0, scale, corner.0, corner.1] };
        SceneItem { shape: Shape::Use { drawing: Arc::clone(drawing), transform }, mark: None }
    };
    let items = drawings.iter().enumerate().map(place).collect();
    let rows = drawings.len().div_ceil(across) as f32;
    let page = Page { width: across as f32 * (WIDTH + 4.0), height: rows * high, items, ..Page::default() };
    Scene { pages: vec![page], ..Scene::default() }
}

fn picture(drawings: &[Arc<Drawing>], across: usize) -> Vec<u8> {
    let options = ExportOptions::default().dpi(DPI);
    png::write(&page_of(drawings, across), &options).expect("a picture").remove(0)
}

/// Mean greys of the blocks of a picture.
fn blocks(drawing: &Arc<Drawing>) -> Vec<f32> {
    let grey = Grey::read(&picture(std::slice::from_ref(drawing), 1), DPI);
    let side = (BLOCK * DPI / 25.4) as usize;
    let (across, down) = (grey.width / side, grey.data.len() / grey.width / side);
    let mean = |n: usize| {
        let (x, y) = (n % across * side, n / across * side);
        let rows = (y..y + side).flat_map(|y| &grey.data[y * grey.width + x..y * grey.width + x + side]);
        rows.map(|value| f32::from(*value)).sum::<f32>() / (side * side) as f32
    };
    (0..across * down).map(mean).collect()
}

#[test]
fn two_ships_of_a_game_are_told_apart_and_one_design_has_one_picture() {
    let mut told = Vec::new();
    assert_eq!(ALIKE.map(|(game, _)| game), GAMES);
    for (game, most) in ALIKE {
        let ships = legal_ships(game);
        let shelf = || TemplateCache::new(|ids, name| store().template(ids, name));
        let cache = shelf();
        let drawings: Vec<Arc<Drawing>> =
            ships.iter().map(|ship| cache.ship_silhouette(ship).unwrap_or_else(|| panic!("{game}"))).collect();
        assert!(cache.findings().is_empty(), "{game}: {:#?}", cache.findings());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("silhouettes");
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join(format!("{game}.png")), picture(&drawings, 5)).expect("written");
        let again = shelf();
        for (ship, drawing) in ships.iter().zip(&drawings) {
            let second = again.ship_silhouette(ship).expect("drawn again");
            assert_eq!(format!("{second:?}"), format!("{drawing:?}"), "{game}: {}", ship.name);
        }
        let all: Vec<Vec<f32>> = drawings.iter().map(blocks).collect();
        let mut alike = Vec::new();
        for (n, one) in all.iter().enumerate() {
            for (m, other) in all.iter().enumerate().skip(n + 1) {
                let differ = one.iter().zip(other).filter(|(a, b)| (*a - *b).abs() >= ONE_LINE).count();
                if differ < BLOCKS {
                    alike.push(format!("{n} {} and {m} {}: {differ} blocks", ships[n].name, ships[m].name));
                }
            }
        }
        let pairs = all.len() * (all.len() - 1) / 2;
        if alike.len() * 1000 > most * pairs {
            told.push(format!("{game}: {} of {pairs} pairs\n{}", alike.len(), alike.join("\n")));
        }
    }
    assert!(told.is_empty(), "{}", told.join("\n"));
}

/// What is drawn on a ship's own token: its silhouette with the place of its ink, and its texts with theirs.
struct Token {
    silhouette: Option<(Arc<Drawing>, Rect)>,
    texts: Vec<(String, Rect)>,
}

/// The tokens of a game's samples, as named ships with numbers; all with this `silhouette` of their own, if any.
fn tokens(game: &str, setting: Option<(&str, &str)>, own: Option<&'static str>) -> Vec<Token> {
    let (rules, _) = Ruleset::load(&store().ruleset(game).expect("it is built in"));
    let mut rules = rules.expect("it loads");
    if let Some((name, to)) = setting {
        rules.set_setting(name, to).expect("a setting");
    }
    let rules = Arc::new(rules);
    let ship = |(n, file): (usize, &String)| {
        let text = support::source(file).text.replacen(
            "\nname =",
            if own.is_some() { "\nsilhouette = \"own.svg\"\nname =" } else { "\nname =" },
            1,
        );
        let design = Design::read(&Source::new(file.as_str(), &text)).expect("a design");
        let named = Ship { name: Some(format!("Spitfire {n}")), hull_number: Some(format!("B{n}")), ..Ship::default() };
        evaluate(&rules, &design, &named)
    };
    let counter = rules.counters.iter().find(|counter| counter.is_ship).map(|counter| counter.id.to_string());
    let counter = counter.expect("a token");
    let mut ships: Vec<Evaluation> = support::folder(&format!("designs/{game}")).iter().enumerate().map(ship).collect();
    ships.iter_mut().for_each(|ship| ship.counters.retain(|known| *known.id == *counter));
    number_counters(&mut ships);
    let cache = TemplateCache::new(|ids, name| store().template(ids, name))
        .with_beside(|_, name| Some(Ok(ArtFile::Svg(Source::new(name, own?)))));
    let job =
        CounterJob { ships: &ships, templates: &cache, page_setup: Default::default(), backs: Backs::None, copies: 1 };
    let (scene, findings) = lay_out_counters(&job, PageStorage::Plain, &Progress::default());
    assert!(findings.is_empty(), "{game}: {findings:#?}");
    let faces = scene.pages.iter().flat_map(|page| &page.items).filter_map(|item| match &item.shape {
        Shape::Group { items, .. } => Some(items),
        _ => None,
    });
    let token = |items: &Vec<SceneItem>| {
        let silhouette = items.iter().find_map(|item| match &item.shape {
            Shape::Use { drawing, transform }
                if drawing.name.ends_with("silhouette.svg") || drawing.name == "own.svg" =>
            {
                let paths = drawing.shapes.iter().filter_map(|shape| match shape {
                    Shape::Path(path, _) => Some(legible::bounds(path)),
                    _ => None,
                });
                let ink = paths
                    .reduce(|a, b| {
                        let (x, y) = (a.x.min(b.x), a.y.min(b.y));
                        Rect::new(x, y, a.right().max(b.right()) - x, a.bottom().max(b.bottom()) - y)
                    })
                    .expect("paths");
                Some((Arc::clone(drawing), transform.bounding_rect(&ink)))
            }
            _ => None,
        });
        // A text of a face is in a group that places it.
        let text = |item: &SceneItem| {
            let Shape::Group { transform, items } = &item.shape else { return None };
            let Shape::Text(text) = &items.first()?.shape else { return None };
            Some((text.shaped.text.to_string(), transform.bounding_rect(&legible::extent(items.first()?)?)))
        };
        let texts = items.iter().filter_map(text);
        Token { silhouette, texts: texts.collect() }
    };
    let all: Vec<Token> = faces.map(token).collect();
    assert_eq!(all.len(), ships.iter().map(|ship| ship.counters.len()).sum::<usize>(), "{game}");
    all
}

/// A hull as long as those of the games, without their guns.
const OWN: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="100mm" height="40mm" viewBox="0 0 100 40">
<path d="M0 20 L30 0 L100 20 L30 40 Z" fill="#ccc" stroke="#000"/></svg>"##;

#[test]
fn the_tokens_of_all_games_show_their_ships_clear_of_what_they_say() {
    for game in GAMES {
        let all = tokens(game, None, None);
        let mut looks = Vec::new();
        for token in &all {
            let (drawing, ink) = token.silhouette.as_ref().unwrap_or_else(|| panic!("{game}: a token without"));
            // As long as two letters are wide at least, or it is a blot.
            assert!(ink.w.max(ink.h) >= 6.0, "{game}: {ink:?}");
            assert!(token.texts.iter().any(|(words, _)| words.starts_with('B')), "{game}: {:?}", token.texts);
            for (words, place) in &token.texts {
                assert!(!place.overlaps(&ink.inset(-0.25), 0.0), "{game}: “{words}” {place:?} beside {ink:?}");
            }
            looks.push(format!("{:?}", drawing.shapes));
        }
        looks.sort();
        looks.dedup();
        assert_eq!(looks.len(), all.len(), "{game}: every sample looks different");
        for token in tokens(game, None, Some(OWN)) {
            let (drawing, _) = token.silhouette.unwrap_or_else(|| panic!("{game}: a token without its own"));
            assert_eq!(drawing.name, "own.svg", "{game}");
        }
    }
}

#[test]
fn tokens_too_small_for_a_silhouette_say_what_large_ones_say() {
    let small =
        [("b5-house-rules", ("counter_mm", "15")), ("star-navy", ("ship_mm", "14")), ("wars-of-honor", ("mu", "cm"))];
    for (game, setting) in small {
        for (n, token) in tokens(game, Some(setting), None).iter().enumerate() {
            assert!(token.silhouette.is_none(), "{game}");
            let says = |words: &str| token.texts.iter().any(|(text, _)| text.contains(words));
            assert!(says("B") && (game == "wars-of-honor" || says("Spitfire")), "{game} {n}: {:?}", token.texts);
        }
    }
    // The smallest of Sky has room for both.
    assert!(tokens("sky-full-of-ships", Some(("chit_mm", "15")), None).iter().all(|token| token.silhouette.is_some()));
}

const RULES: &str = r##"[ruleset]
id = "punts"
title = "Punts"
version = "1"
schema = 1
silhouette = "punt.svg"
[[field]]
id = "size"
kind = "integer"
default = 100
[[mount]]
id = "deck"
[[system]]
id = "gun"
abbr = "G"
mounts = ["deck"]
"##;

const PUNT: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" width="40mm" height="20mm" viewBox="0 0 40 20">
<g inkscape:label="scale: [size, 100]"><path d="M10 5 H30 V15 H10 Z"/>
<g inkscape:label="repeat: count('gun')"><path d="M19 4 H21 V6 H19 Z"/><path inkscape:label="along" d="M12,5 L28,5"/></g></g></svg>"#;

/// The left, top, width and height of each shape of a punt's silhouette, in mm, and what was found.
fn punt(svg: &'static str, design: &str) -> (Vec<[f32; 4]>, Vec<Finding>) {
    let (rules, faults) = Ruleset::load(&Source::new("punts.toml", RULES));
    let rules = Arc::new(rules.unwrap_or_else(|| panic!("{faults:#?}")));
    let text = format!("ruleset = \"punts\"\nname = \"Ely\"\n{design}");
    let ship = evaluate(&rules, &Design::read(&Source::new("ely.toml", &text)).unwrap(), &Ship::default());
    let cache = TemplateCache::new(|_, name| (name == "punt.svg").then(|| Ok(Source::new(name, svg))));
    let drawing = cache.ship_silhouette(&ship);
    let bounds = |path: &ScenePath| path.bounds().map(|rect| [rect.x, rect.y, rect.w, rect.h]);
    let shapes = drawing.iter().flat_map(|drawing| &drawing.shapes).filter_map(|shape| match shape {
        Shape::Path(path, _) => bounds(path),
        _ => None,
    });
    (shapes.collect(), cache.findings())
}

fn guns(count: u32) -> String {
    format!("[[fit]]\nsystem = \"gun\"\nmount = \"deck\"\ncount = {count}\n")
}

#[test]
fn a_group_is_repeated_along_its_line_and_keeps_its_form_where_the_hull_is_stretched() {
    let hull = [10.0, 5.0, 20.0, 10.0];
    assert_eq!(punt(PUNT, ""), (vec![hull], vec![]));
    assert_eq!(punt(PUNT, &guns(1)).0, [hull, [19.0, 4.0, 2.0, 2.0]]);
    assert_eq!(punt(PUNT, &guns(2)).0, [hull, [15.0, 4.0, 2.0, 2.0], [23.0, 4.0, 2.0, 2.0]]);
    // Twice as long about the middle of the drawing: the guns stay square.
    let (long, _) = punt(PUNT, &format!("[fields]\nsize = 200\n{}", guns(2)));
    assert_eq!(long, [[0.0, 5.0, 40.0, 10.0], [11.0, 4.0, 2.0, 2.0], [27.0, 4.0, 2.0, 2.0]]);
    // Thousands of guns are as many as can be drawn.
    assert_eq!(punt(PUNT, &guns(9000)).0.len(), 61);
}

#[test]
fn a_slip_in_a_drawing_that_grows_is_reported_where_it_is() {
    let cases = [
        (PUNT.replace("count('gun')", "count('gnu')"), "unknown-system", "gun"),
        (PUNT.replace("inkscape:label=\"along\"", ""), "repeat-without-line", "along"),
        (PUNT.replace("repeat:", "repeat"), "label-without-colon", "repeat: count('gun')"),
        (PUNT.replace("scale:", "scal:"), "unknown-label", "scale: [size, 100]"),
        (PUNT.replace("[size, 100]", "size"), "wrong-type", "list"),
    ];
    for (svg, code, word) in cases {
        let (_, findings) = punt(svg.leak(), &guns(2));
        let found =
            findings.iter().find(|finding| &*finding.code == code).unwrap_or_else(|| panic!("{code}: {findings:#?}"));
        assert!(found.at.line > 0 && format!("{found:?}").contains(word), "{found:#?}");
    }
}

#[test]
fn groups_within_groups_are_bounded() {
    let mut inner = "<path d=\"M19 4 H21 V6 H19 Z\"/>".to_owned();
    for _ in 0..4 {
        inner =
            format!("<g inkscape:label=\"repeat: 60\">{inner}<path inkscape:label=\"along\" d=\"M12,5 L28,5\"/></g>");
    }
    let svg = PUNT.replace("<path d=\"M19 4 H21 V6 H19 Z\"/>", &inner);
    assert!(punt(svg.leak(), &guns(9000)).0.len() <= 5_000);
}

#[test]
fn segments_of_a_curve_are_moved_too() {
    let svg = PUNT.replace("M19 4 H21 V6 H19 Z", "M19 4 C19 6 21 6 21 4 Z");
    let (rules, _) = Ruleset::load(&Source::new("punts.toml", RULES));
    let text = format!("ruleset = \"punts\"\nname = \"Ely\"\n{}", guns(2));
    let ship =
        evaluate(&Arc::new(rules.unwrap()), &Design::read(&Source::new("ely.toml", &text)).unwrap(), &Ship::default());
    let cache = TemplateCache::new(move |_, name| Some(Ok(Source::new(name, &svg))));
    let drawing = cache.ship_silhouette(&ship).unwrap();
    let Shape::Path(path, _) = &drawing.shapes[2] else { panic!("{drawing:?}") };
    assert!(matches!(path.segments[1], Segment::Curve(23.0, 6.0, 25.0, 6.0, 25.0, 4.0)), "{path:?}");
}
