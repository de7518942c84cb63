//! The plan of a ship, on random legal ships of every game and on all papers: where its boxes are, and how large.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use moldloft::design::{Design, Ship};
use moldloft::evaluate::{BoxKind, Evaluation, evaluate, number_counters};
use moldloft::finding::Severity;
use moldloft::library::{designs_of_ruleset, typography_papers};
use moldloft::lint::generated_designs;
use moldloft::ruleset::Ruleset;
use moldloft::scene::{MarkKind, Rect, Scene, Segment, Shape, Transform};
use moldloft::sheet::{SheetJob, SheetOptions, TemplateCache, print};
use moldloft::source::Source;
use moldloft::store::Store;
use rayon::prelude::*;

use crate::support::{GAMES, legible};

/// Random ships of a game.
const SHIPS: usize = 20;
/// Designs among which so many legal ones are found.
const DESIGNS: usize = 600;

fn store() -> &'static Store {
    static STORE: OnceLock<Store> = OnceLock::new();
    STORE.get_or_init(Store::built_in)
}

/// Random ships without an error.
fn legal_ships(game: &str) -> Vec<Evaluation> {
    let source = store().ruleset(game).expect("it is built in");
    let rules = Arc::new(Ruleset::load(&source).0.expect("it loads"));
    let designs = generated_designs(&rules, &designs_of_ruleset(store(), &rules), DESIGNS);
    let ships = designs.iter().map(|design| evaluate(&rules, design, &Ship::default()));
    let is_legal = |ship: &Evaluation| {
        ship.sheet().is_some() && ship.findings.iter().all(|finding| finding.severity != Severity::Error)
    };
    let mut legal: Vec<Evaluation> = ships.filter(is_legal).take(SHIPS).collect();
    number_counters(&mut legal);
    legal
}

/// A box to be hit.
struct PlanBox {
    page: usize,
    name: String,
    rect: Rect,
}

fn plan_boxes(ship: &Evaluation, scene: &Scene) -> Vec<PlanBox> {
    let stems: BTreeSet<String> = ship.fits.iter().map(|fit| format!("{}_{}", fit.system, fit.mount)).collect();
    let is_hit = |stem: &str| {
        let mut tracks = ship.tracks.iter();
        tracks.any(|track| *track.id == *stem && track.fit.is_some() && track.kind == BoxKind::Damage)
    };
    let mut found = Vec::new();
    for (page, items) in scene.pages.iter().enumerate() {
        for item in items.items().iter() {
            let Some(mark) = item.mark.as_ref().filter(|mark| mark.kind == MarkKind::Tick) else { continue };
            let stem = mark.name.rsplit_once('_').map_or("", |(stem, _)| stem);
            let rect = match &item.shape {
                Shape::Rect { rect, .. } => *rect,
                Shape::Circle { x, y, radius, .. } => Rect::new(x - radius, y - radius, radius * 2.0, radius * 2.0),
                Shape::Path(path, _) => legible::bounds(path),
                _ => continue,
            };
            if stems.contains(stem) || is_hit(stem) {
                found.push(PlanBox { page: page + 1, name: mark.name.to_string(), rect });
            }
        }
    }
    found
}

/// The paths of a shape that could hold a plan: a hull's outline, as a closed line.
fn hulls(shape: &Shape, place: Transform, found: &mut Vec<Vec<(f32, f32)>>) {
    match shape {
        // Of straight lines; where guns stand on a rounded hull is the game's.
        Shape::Path(path, _) if path.segments.ends_with(&[Segment::Close]) => {
            let points = path.segments.iter().map_while(|segment| match *segment {
                Segment::Move(x, y) | Segment::Line(x, y) => Some(place.apply(x, y)),
                Segment::Curve(..) | Segment::Close => None,
            });
            let mut points: Vec<(f32, f32)> = points.collect();
            if points.len() + 1 < path.segments.len() {
                return;
            }
            points.extend(points.first().copied());
            let span = |of: fn(&(f32, f32)) -> f32| {
                let all = points.iter().map(of);
                all.clone().fold(f32::MIN, f32::max) - all.fold(f32::MAX, f32::min)
            };
            if span(|point| point.0) > 12.0 && span(|point| point.1) > 30.0 {
                found.push(points);
            }
        }
        Shape::Use { drawing, transform } => {
            drawing.shapes.iter().for_each(|inner| hulls(inner, place.then_inner(transform), found));
        }
        Shape::Group { transform, items } => {
            items.iter().for_each(|item| hulls(&item.shape, place.then_inner(transform), found));
        }
        _ => {}
    }
}

/// The first box that lies across the outline of a hull.
fn across_a_hull<'a>(boxes: &'a [PlanBox], scene: &Scene) -> Option<&'a str> {
    for (page, items) in scene.pages.iter().enumerate() {
        let mut outlines = Vec::new();
        items.items().iter().for_each(|item| hulls(&item.shape, Transform::default(), &mut outlines));
        let lines = || outlines.iter().flat_map(|outline| outline.windows(2));
        let mut on_page = boxes.iter().filter(|one| one.page == page + 1);
        let across = on_page.find(|one| lines().any(|line| crosses(line[0], line[1], &one.rect)));
        if let Some(across) = across {
            return Some(&across.name);
        }
    }
    None
}

/// Whether a line goes through a rectangle, or so near to it that the strokes of both touch.
fn crosses(from: (f32, f32), to: (f32, f32), rect: &Rect) -> bool {
    let (left, top, right, bottom) = (rect.x - 0.45, rect.y - 0.45, rect.x + rect.w + 0.45, rect.y + rect.h + 0.45);
    (0..=200).any(|step| {
        let part = step as f32 / 200.0;
        let (x, y) = (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part);
        x > left && x < right && y > top && y < bottom
    })
}

fn printed(ship: &Evaluation, options: SheetOptions) -> Scene {
    let shelf = TemplateCache::new(|ids, name| store().template(ids, name));
    print(&SheetJob { ships: std::slice::from_ref(ship), templates: &shelf, options, subject: "" }).0
}

/// Least and greatest side of the boxes of systems.
fn sides(boxes: &[PlanBox]) -> (f32, f32) {
    let sides = boxes.iter().filter(|one| (one.rect.w - one.rect.h).abs() < 0.1).map(|one| one.rect.h);
    sides.fold((f32::INFINITY, 0.0), |(least, most), side| (least.min(side), most.max(side)))
}

/// The sheets of random ships, five for each, that may have a fault. Fewer is better; more is a change for the worse.
struct Most {
    game: &'static str,
    /// With boxes of the plan on a further page: monsters, and on small paper what no page holds.
    beyond: usize,
    /// With boxes of a plan more than a quarter larger than others.
    uneven: usize,
    /// Of those in large print on A4, with boxes less than 1.3 times as large as in plain print.
    small: usize,
    /// With boxes of the plan across the outline of a hull, or touching it.
    crossed: usize,
}

const MOST: [Most; 5] = [
    Most { game: "b5-house-rules", beyond: 20, uneven: 0, small: 7, crossed: 0 },
    Most { game: "battleships-1890s", beyond: 19, uneven: 0, small: 0, crossed: 0 },
    Most { game: "sky-full-of-ships", beyond: 0, uneven: 0, small: 0, crossed: 0 },
    Most { game: "star-navy", beyond: 7, uneven: 0, small: 2, crossed: 0 },
    Most { game: "wars-of-honor", beyond: 0, uneven: 1, small: 0, crossed: 0 },
];

#[derive(Default)]
struct Faults {
    beyond: Vec<String>,
    uneven: Vec<String>,
    small: Vec<String>,
    crossed: Vec<String>,
    twice: Vec<String>,
}

fn faults(n: usize, ship: &Evaluation) -> Faults {
    let mut found = Faults::default();
    let mut plain = 0.0;
    for (paper, options) in typography_papers() {
        let scene = printed(ship, options);
        let boxes = plan_boxes(ship, &scene);
        let who = format!("{n} {}, {paper}, {} pages", ship.name, scene.pages.len());
        let beyond: Vec<_> = boxes.iter().filter(|one| one.page > 1).map(|one| &*one.name).collect();
        if let Some(first) = beyond.first() {
            found.beyond.push(format!("{who}: {} of {} boxes, {first}", beyond.len(), boxes.len()));
        }
        let names: BTreeSet<&str> = boxes.iter().map(|one| &*one.name).collect();
        let starts = scene.pages.iter().flat_map(|page| page.items().into_owned()).filter(|item| match &item.shape {
            Shape::Text(text) => &*text.shaped.text == "start",
            _ => false,
        });
        if names.len() < boxes.len() || starts.count() > 1 {
            found.twice.push(who.clone());
        }
        let (least, most) = sides(&boxes);
        if most > least * 1.25 + 0.051 {
            found.uneven.push(format!("{who}: {least:.2} to {most:.2}"));
        }
        if let Some(first) = across_a_hull(&boxes, &scene) {
            found.crossed.push(format!("{who}: {first}"));
        }
        match paper {
            "A4" => plain = least,
            "A4, large print" if least < plain * 1.295 && least < f32::INFINITY => {
                found.small.push(format!("{who}: {least:.2}, in plain print {plain:.2}"));
            }
            _ => {}
        }
    }
    found
}

#[test]
fn plans_of_random_ships_are_on_their_first_page_in_boxes_of_one_size() {
    let mut told = Vec::new();
    for Most { game, beyond, uneven, small, crossed } in MOST {
        let ships = legal_ships(game);
        assert!(ships.len() >= SHIPS, "{game}: {} legal ships", ships.len());
        let found: Vec<Faults> = ships.par_iter().enumerate().map(|(n, ship)| faults(n, ship)).collect();
        let mut hold = |what: &str, most: usize, of: fn(&Faults) -> &Vec<String>| {
            let all: Vec<&String> = found.iter().flat_map(of).collect();
            if all.len() > most {
                told.push(format!("{game}, {what}: {} sheets, the limit is {most}\n{all:#?}", all.len()));
            }
        };
        hold("boxes of the plan beyond page 1", beyond, |faults| &faults.beyond);
        hold("boxes of different sizes", uneven, |faults| &faults.uneven);
        hold("small boxes in large print", small, |faults| &faults.small);
        hold("boxes across a hull", crossed, |faults| &faults.crossed);
        hold("boxes or the start of a log twice", 0, |faults| &faults.twice);
    }
    assert_eq!(MOST.map(|most| most.game), GAMES);
    assert!(told.is_empty(), "{}", told.join("\n"));
}

/// Beta nodes before alpha nodes and no nuclear missiles make wider rows; a third magazine moves the widest row of a core to where the hull is
/// narrower.
#[test]
fn no_box_is_across_the_hull_of_ships_with_other_rows() {
    let source = store().ruleset("wars-of-honor").expect("it is built in");
    let rules = Arc::new(Ruleset::load(&source).0.expect("it loads"));
    let read = |text: &str| Design::read(&Source::new("ship.toml", text)).expect("it is a design");
    let vigilant = include_str!("../designs/wars-of-honor/vigilant.toml").replace("nuclear = 20", "nuclear = 0");
    let [mut many, mut few] =
        ["laser_heads = 50", "laser_heads = 5"].map(|heads| read(&vigilant.replace("laser_heads = 50", heads)));
    many.fits.reverse();
    few.fits.reverse();
    let magazine =
        "[[fit]]\nsystem = \"missile-magazine\"\nmount = \"core\"\nfeeds = 9\nlaser_heads = 27\nnuclear = 18\n";
    let lodestar = read(&[include_str!("../designs/wars-of-honor/lodestar.toml"), magazine].concat());
    for (design, what) in [(many, "50 missiles"), (few, "5 missiles"), (lodestar, "three magazines")] {
        let ship = evaluate(&rules, &design, &Ship::default());
        for (paper, options) in typography_papers() {
            let scene = printed(&ship, options);
            let across = across_a_hull(&plan_boxes(&ship, &scene), &scene).map(str::to_owned);
            assert_eq!(across, None, "{what}, {paper}");
        }
    }
}
