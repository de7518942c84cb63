//! The plan of a ship, on random legal ships of every game and on all papers: where its boxes are, and how large.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use moldloft::design::{Design, Ship};
use moldloft::evaluate::{BoxKind, Evaluation, evaluate, number_counters};
use moldloft::finding::Severity;
use moldloft::library::{designs_of_ruleset, typography_papers};
use moldloft::lint::generated_designs;
use moldloft::ruleset::Ruleset;
use moldloft::scene::{MarkKind, Rect, Scene, Segment, Shape};
use moldloft::sheet::{SheetJob, SheetOptions, TemplateCache, print};
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

/// The first box that lies across a line of a hull: of a path that could hold a plan.
fn across_a_hull<'a>(boxes: &'a [PlanBox], scene: &Scene) -> Option<&'a str> {
    for (page, items) in scene.pages.iter().enumerate() {
        for item in items.items().iter() {
            let Shape::Path(path, _) = &item.shape else { continue };
            let hull = legible::bounds(path);
            if hull.h < 30.0 || hull.w < 12.0 {
                continue;
            }
            let mut points = path.segments.iter().filter_map(|segment| match *segment {
                Segment::Move(x, y) | Segment::Line(x, y) | Segment::Curve(_, _, _, _, x, y) => Some((x, y)),
                Segment::Close => None,
            });
            let Some(first) = points.next() else { continue };
            let points: Vec<(f32, f32)> = std::iter::once(first).chain(points).chain([first]).collect();
            let on_page = boxes.iter().filter(|one| one.page == page + 1);
            for one in on_page {
                if points.windows(2).any(|line| crosses(line[0], line[1], &one.rect)) {
                    return Some(&one.name);
                }
            }
        }
    }
    None
}

/// Whether a line goes through a rectangle by more than a hair.
fn crosses(from: (f32, f32), to: (f32, f32), rect: &Rect) -> bool {
    let (left, top, right, bottom) = (rect.x + 0.1, rect.y + 0.1, rect.x + rect.w - 0.1, rect.y + rect.h - 0.1);
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
    /// With boxes of the plan across the outline of a hull.
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

/// Launchers first, beta nodes before alpha nodes, no nuclear missiles: the rows are in another order, and wider.
#[test]
fn the_order_of_systems_puts_no_box_across_the_hull() {
    let source = store().ruleset("wars-of-honor").expect("it is built in");
    let rules = Arc::new(Ruleset::load(&source).0.expect("it loads"));
    let is_vigilant = |design: &Design| design.name.as_ref().is_some_and(|name| *name.text == *"Vigilant");
    let mut design = designs_of_ruleset(store(), &rules).into_iter().find(is_vigilant);
    let design = design.as_mut().expect("it is a sample");
    design.fits.reverse();
    let ship = evaluate(&rules, design, &Ship::default());
    for (paper, options) in typography_papers() {
        let scene = printed(&ship, options);
        let across = across_a_hull(&plan_boxes(&ship, &scene), &scene).map(str::to_owned);
        assert_eq!(across, None, "{paper}");
    }
}
