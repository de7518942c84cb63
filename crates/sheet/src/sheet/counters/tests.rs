//! Tests of counter sheets: sizes, numbers, backs, cut marks.

use proptest::prelude::*;

use super::face::fit_text;
use super::*;
use crate::sheet::Paper;
use crate::sheet::layout::minimum_sizes::MinimumSizes;
use crate::sheet::layout::text_style::TextRole;
use moldloft_base::source::Source;
use moldloft_drawing::scene::Segment;
use moldloft_rules::design::Ship;

const RULES: &str = r#"
[ruleset]
id = "g"
title = "Game"
version = "1"
schema = 1
credit = "c"
source = "s"
terms = "t"
[[field]]
id = "n"
kind = "integer"
default = 3
[[counter]]
id = "chit"
count = "n"
first = 101
series = "fleet"
size_mm = [20, 20]
face = "face.svg"
back = "back.svg"
"#;

const FACE: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="20mm" height="20mm" viewBox="0 0 20 20">
<rect width="20" height="20" fill="#eee"/><text x="10" y="12" font-size="6" text-anchor="middle">{{ number }}</text></svg>"##;

#[allow(clippy::result_large_err, reason = "the signature of a file lookup")]
fn files(_: &[&str], name: &str) -> Option<Result<Source, Finding>> {
    (name != "missing.svg").then(|| Ok(Source::new(name, FACE)))
}

/// A ship with counters of these numbers and sizes.
fn ship(counters: &[(u32, f32, f32)]) -> Evaluation {
    let (rules, found) = Ruleset::load(&Source::new("g.toml", RULES));
    let rules = Arc::new(rules.unwrap_or_else(|| panic!("{found:?}")));
    let design = moldloft_rules::design::Design::read(&Source::new("d.toml", "ruleset = \"g\"\nname = \"D\"\n"));
    let mut ship = moldloft_rules::evaluate::evaluate(&rules, &design.unwrap(), &Ship::default());
    let pattern = ship.counters[0].clone();
    let counters = counters.iter().enumerate().map(|(n, &(count, w, h))| CounterResult {
        count,
        first: (n == 0).then_some(101),
        size: (w, h),
        ..pattern.clone()
    });
    ship.counters = counters.collect();
    ship
}

fn printed(ships: &[Evaluation], backs: Backs, paper: Paper, copies: u32) -> (Scene, Vec<Finding>) {
    let templates = TemplateCache::new(files);
    let page_setup = PageSetup { offset: (0.3, -0.2), ..paper.into() };
    let (mut scene, findings) = lay_out_counters(
        &CounterJob { ships, templates: &templates, page_setup, backs, copies },
        PageStorage::Plain,
        &Progress::default(),
    );
    scene.pages = crate::sheet::impose(scene.pages, &page_setup, true, None);
    (scene, findings)
}

/// Name and rectangle on its page of every chit's front.
fn fronts(page: &Page) -> Vec<(String, Rect)> {
    let mut found = Vec::new();
    for item in &page.items {
        let Shape::Group { transform, items } = &item.shape else { continue };
        for inner in items {
            if let (Some(mark), Shape::Rect { rect, .. }) = (&inner.mark, &inner.shape) {
                let (x, y) = transform.apply(rect.x, rect.y);
                found.push((mark.name.to_string(), Rect::new(x, y, rect.w, rect.h)));
            }
        }
    }
    found
}

fn page_lines(page: &Page) -> Vec<[f32; 4]> {
    let mut found = Vec::new();
    for item in &page.items {
        if let Shape::Path(path, _) = &item.shape {
            for pair in path.segments.chunks(2) {
                if let [Segment::Move(ax, ay), Segment::Line(bx, by)] = *pair {
                    found.push([ax, ay, bx, by]);
                }
            }
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Every chit is drawn once, at its exact size, on the paper, across no other chit and no cut mark.
    #[test]
    fn nothing_is_lost(
        sorts in prop::collection::vec((0..140_u32, 8.0..60.0_f32, 8.0..60.0_f32), 1..6), many in 0..20_u32, ships in 1..3_usize, copies in 1..3_u32,
        backs in prop::sample::select(vec![Backs::Duplex, Backs::Fold, Backs::None]), letter in any::<bool>(),
    ) {
        let paper = if letter { Paper::Letter } else { Paper::A4 };
        let mut sorts = sorts;
        sorts.push((if many == 0 { 5000 } else { many }, 15.0, 15.0));
        let all: Vec<Evaluation> = (0..ships).map(|_| ship(&sorts)).collect();
        let expected: usize = sorts.iter().map(|sort| sort.0 as usize).sum::<usize>() * ships * copies as usize;
        let (scene, findings) = printed(&all, backs, paper, copies);
        prop_assert!(findings.is_empty(), "{:?}", findings);
        let mut drawn = 0;
        for page in &scene.pages {
            let chits = fronts(page);
            drawn += chits.len();
            let marks = page_lines(page);
            for (n, (name, rect)) in chits.iter().enumerate() {
                let exact = sorts.iter().any(|&(_, w, h)| (rect.w - w).abs() < 0.01 && (rect.h - h).abs() < 0.01);
                prop_assert!(exact, "{} is {:?}", name, rect);
                prop_assert!(rect.x >= 7.9 && rect.y >= 7.9 && rect.right() <= page.width - 7.9 && rect.bottom() <= page.height - 7.9, "{:?}", rect);
                // Comparing neighbours is enough for thousands in order; the first hundred are compared with all.
                for (_, other) in chits[n + 1..].iter().take(if n < 100 { usize::MAX } else { 30 }) {
                    prop_assert!(!rect.overlaps(other, 0.03), "{:?} {:?}", rect, other);
                }
                if n < 60 {
                    for &[ax, ay, bx, by] in &marks {
                        let line = Rect::new(ax.min(bx), ay.min(by), (ax - bx).abs(), (ay - by).abs());
                        prop_assert!(!rect.overlaps(&line, 0.05), "{:?} {:?}", rect, line);
                    }
                }
            }
        }
        prop_assert_eq!(drawn, expected);
    }
}

#[test]
fn backs_meet_their_fronts() {
    let ship = ship(&[(5, 20.0, 20.0)]);
    let (scene, _) = printed(std::slice::from_ref(&ship), Backs::Duplex, Paper::A4, 1);
    assert_eq!(scene.pages.len(), 2);
    let place = |page: &Page| {
        let groups = page.items.iter().filter_map(|item| match &item.shape {
            Shape::Group { transform, .. } => Some(transform.m),
            _ => None,
        });
        groups.collect::<Vec<_>>()
    };
    for (front, back) in place(&scene.pages[0]).iter().zip(place(&scene.pages[1])) {
        assert!(
            (front[4] + 20.0 + back[4] - 0.3 - 210.0).abs() < 1e-3,
            "mirrored about the paper's middle, moved by the offset"
        );
        assert!((front[5] - back[5] - 0.2).abs() < 1e-3);
    }
    let (scene, _) = printed(std::slice::from_ref(&ship), Backs::Fold, Paper::A4, 1);
    let folded = place(&scene.pages[0]);
    assert_eq!((scene.pages.len(), folded.len()), (1, 10));
    // The back is upside down above the front, so that it is upright once folded over.
    assert_eq!(folded[0][0], -1.0);
    assert!((folded[0][5] - folded[1][5]).abs() < 1e-3, "both meet in the fold");
}

#[test]
fn numbers_run_on_and_what_cannot_be_printed_is_named() {
    let ship = ship(&[(3, 20.0, 20.0), (2, 500.0, 20.0), (1, f32::NAN, 20.0)]);
    let (scene, findings) = printed(std::slice::from_ref(&ship), Backs::None, Paper::Letter, 1);
    let names: Vec<String> = fronts(&scene.pages[0]).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["chit_101", "chit_102", "chit_103"]);
    let codes: Vec<&str> = findings.iter().map(|finding| &*finding.code).collect();
    assert_eq!(codes, ["counter-size", "counter-size"]);
    assert!(findings[0].message.contains("(2 of 500.0 x 20.0 mm)"), "{}", findings[0].message);
    let mut faceless = ship;
    faceless.counters.truncate(1);
    faceless.counters[0].face = "missing.svg".into();
    let (scene, findings) = printed(&[faceless], Backs::None, Paper::A4, 1);
    assert_eq!(fronts(&scene.pages[0]).len(), 3, "plain chits replace a missing face");
    assert!(findings.iter().any(|finding| finding.code == "missing-template-file"));
}

#[test]
fn long_names_keep_to_their_place() {
    let minimums = MinimumSizes::default();
    let styles = TextStyles::new(minimums);
    for (words, width, most, lines) in [
        ("Kestrel", 20.0, 1, 1),
        ("Patient Margaret", 12.0, 2, 2),
        ("Patient Margaret", 12.0, 1, 1),
        ("Wwwwwwwwwwwwwwwwwwwwww", 5.0, 2, 2),
    ] {
        let mut style = styles.value;
        let set = fit_text(words.to_owned(), &mut style, width, most, TextRole::Play, minimums);
        assert_eq!(set.len(), lines, "{set:?}");
        assert!(set.iter().all(|line| style.width(line) <= width + 0.01), "{set:?}");
        assert!(style.size.mm() >= minimums.text);
    }
    // Of several words, whole ones: with an ellipsis where it has room.
    let smallest = |words: &str| {
        let mut style = styles.value;
        fit_text(words.to_owned(), &mut style, 1.0, 1, TextRole::Play, minimums);
        style.width(words)
    };
    for (width, expected) in [("Commonwealth", "Commonwealth"), ("Commonwealth of the", "Commonwealth of…")] {
        let mut style = styles.value;
        let words = "Commonwealth of the Outer Hundred Suns".to_owned();
        let set = fit_text(words, &mut style, smallest(width) + 0.02, 1, TextRole::Play, minimums);
        assert_eq!(set, [expected]);
    }
}

#[test]
fn there_are_as_many_spares_as_counters_and_they_are_no_boxes_to_tick() {
    let (rules, found) = Ruleset::load(&Source::new("g.toml", &RULES.replace("series = ", "spares = true\nseries = ")));
    let rules = Arc::new(rules.unwrap_or_else(|| panic!("{found:?}")));
    for (count, backs) in [(3, Backs::Duplex), (3, Backs::Fold), (3, Backs::None), (200, Backs::Duplex)] {
        let mut ship = ship(&[(count, 20.0, 20.0)]);
        let without = printed(std::slice::from_ref(&ship), backs, Paper::A4, 1).0;
        ship.ruleset = Arc::clone(&rules);
        let (scene, _) = printed(std::slice::from_ref(&ship), backs, Paper::A4, 1);
        assert_eq!(scene.pages.len(), without.pages.len(), "spares need no page of their own");
        let ticked: usize = scene.pages.iter().map(|page| fronts(page).len()).sum();
        assert_eq!(ticked, count as usize, "only what the ship has is marked");
        let pieces = |scene: &Scene| {
            let groups =
                |page: &Page| page.items.iter().filter(|item| matches!(item.shape, Shape::Group { .. })).count();
            scene.pages.iter().map(groups).sum::<usize>()
        };
        // A piece with a back is drawn twice.
        let faces = if backs == Backs::None { 1 } else { 2 };
        let spares = (pieces(&scene) - pieces(&without)) / faces;
        assert!(spares > 0 && spares <= count as usize, "{count} {backs:?}: {spares}");
        assert!(count > 3 || spares == count as usize, "one for each where there is room: {backs:?}");
    }
    // Six ships with one each have six.
    let mut ships: Vec<Evaluation> = (0..6).map(|_| ship(&[(1, 20.0, 20.0)])).collect();
    let groups = |ships: &[Evaluation]| {
        let scene = printed(ships, Backs::None, Paper::A4, 1).0;
        let groups = |page: &Page| page.items.iter().filter(|item| matches!(item.shape, Shape::Group { .. })).count();
        scene.pages.iter().map(groups).sum::<usize>()
    };
    let without = groups(&ships);
    ships.iter_mut().for_each(|ship| ship.ruleset = Arc::clone(&rules));
    assert_eq!(groups(&ships) - without, 6);
}
