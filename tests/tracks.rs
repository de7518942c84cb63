//! Tracks on the sheets of a made-up game. Boxes beside the systems that they belong to are the track's own, near their
//! system's box, and none is lost; boxes look like what they are for.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use moldloft::design::{Design, Ship};
use moldloft::evaluate::{Evaluation, evaluate};
use moldloft::ruleset::Ruleset;
use moldloft::scene::{Rect, Scene, Shape};
use moldloft::sheet::{SheetJob, SheetOptions, TemplateCache, print};
use moldloft::source::Source;

const RULES: &str = "[ruleset]\nid = \"game\"\ntitle = \"Game\"\nversion = \"1\"\nschema = 1\n\
    [attributes]\nrounds = { default = 0 }\n\
    [[mount]]\nid = \"port\"\n\
    [[system]]\nid = \"launcher\"\nabbr = \"M\"\n\
    [[system]]\nid = \"flak\"\nabbr = \"C\"\nrounds = 4\n\
    [[system]]\nid = \"laser\"\nabbr = \"L\"\n\
    [[track]]\nid = \"loaded\"\nfor_each = \"mount\"\nboxes = \"count('launcher', it.id)\"\nkind = \"state\"\nshape = \"circle\"\n\
    [[track]]\nid = \"rounds\"\nfor_each = \"fit\"\nwhen = \"it.rounds > 0\"\nrows = \"repeat(it.rounds, it.count)\"\n\
    kind = \"ammo\"\nshape = \"circle\"\n\
    [[track]]\nid = \"boxes\"\nfor_each = \"fit\"\nrows = \"repeat(6, it.count)\"\nlines = \"[4]\"\n\
    [[track]]\nid = \"hull\"\nboxes = 4\n\
    [[track]]\nid = \"speed\"\nboxes = 4\nkind = \"state\"\n\
    [[track]]\nid = \"shells\"\nboxes = 4\nkind = \"ammo\"\n\
    [[track]]\nid = \"fired\"\nboxes = 4\nkind = \"each-turn\"\n\
    [[track]]\nid = \"ladder\"\nboxes = 25\ncell = { n = \"boxes - box\" }\nkind = \"state\"\nshape = \"plain\"\n\
    [[track]]\nid = \"fire\"\nboxes = 4\nkind = \"countdown\"\n\
    [[track]]\nid = \"delay\"\nrows = \"[7]\"\nkind = \"each-turn\"\ncell = { n = \"8 - box\" }\nrow_label = { what = \"'delay'\" }\n\
    [[track]]\nid = \"alarm\"\nrows = \"[1]\"\nrow_label = { what = \"'alarm'\" }\n\
    [[track]]\nid = \"dial\"\nboxes = 7\nkind = \"state\"\ncell = { n = \"box\" }\n\
    [[track]]\nid = \"ring\"\nboxes = 4\nkind = \"state\"\nshape = \"round\"\n\
    [[track]]\nid = \"structure\"\nrows = \"[5, 4, 4]\"\n\
    row_note = \"{{ \'check 6\' if row == 1 else (\'check \' + join([8 - row], \'\')) }}\"\n\
    [[track]]\nid = \"thruster\"\nrows = \"[3, 3]\"\nrow_note = \"-1 thrust a row\"\n\
    [[track]]\nid = \"long\"\nrows = \"[3, 3]\"\nrow_note = \"row {{ row }} of {{ rows }} gone: one die for each system, this or more and it is lost\"\n\
    [[track]]\nid = \"armour\"\nfor_each = \"fit\"\nrows = \"repeat(8, it.count)\"\nlines = \"[4]\"\nrow_note = \"a row: {{ it.id }} -1\"\n\
    [[sheet]]\nid = \"card\"\nkind = \"design\"\ntemplate = \"card.svg\"\n\
    [[sheet]]\nid = \"more\"\nkind = \"continuation\"\ntemplate = \"more.svg\"\n";

fn svg(width: u32, height: u32, label: &str, options: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:inkscape=\"http://www.inkscape.org/namespaces/inkscape\" \
         width=\"90mm\" height=\"90mm\" viewBox=\"0 0 90 90\"><rect x=\"5\" y=\"5\" width=\"{width}\" \
         height=\"{height}\" inkscape:label=\"{label}\"><desc>{options}</desc></rect></svg>"
    )
}

fn ship(fits: &[(&str, u32)]) -> Evaluation {
    let rules = Arc::new(Ruleset::load(&Source::new("game.toml", RULES)).0.unwrap());
    let mut text = "ruleset = \"game\"\nname = \"Ship\"\n".to_owned();
    for (system, count) in fits {
        let _ = writeln!(text, "[[fit]]\nsystem = \"{system}\"\nmount = \"port\"\ncount = {count}");
    }
    evaluate(&rules, &Design::read(&Source::new("ship.toml", &text)).unwrap(), &Ship::default())
}

fn printed(ship: &Evaluation, size: (u32, u32), options: &str) -> (Scene, Vec<String>) {
    printed_panel(ship, size, "panel: mount port", options)
}

fn printed_panel(ship: &Evaluation, (width, height): (u32, u32), label: &str, options: &str) -> (Scene, Vec<String>) {
    let (card, more) = (svg(width, height, label, options), svg(80, 80, "panel: rest", ""));
    let templates =
        TemplateCache::new(move |_, name| Some(Ok(Source::new(name, if name == "card.svg" { &card } else { &more }))));
    let ships = std::slice::from_ref(ship);
    let job = SheetJob { ships, templates: &templates, options: SheetOptions::default(), subject: "control sheets" };
    let (scene, findings) = print(&job);
    (scene, findings.iter().map(|finding| format!("{}: {}", finding.code, finding.message)).collect())
}

/// The boxes of all pages by name, each with its page.
fn boxes(scene: &Scene) -> BTreeMap<String, (usize, Rect)> {
    let mut found = BTreeMap::new();
    for (n, page) in scene.pages.iter().enumerate() {
        for item in page.items().iter() {
            let Some(mark) = &item.mark else { continue };
            let rect = match &item.shape {
                Shape::Rect { rect, .. } => *rect,
                Shape::Circle { x, y, radius, .. } => Rect::new(x - radius, y - radius, 2.0 * radius, 2.0 * radius),
                _ => continue,
            };
            assert!(found.insert(mark.name.to_string(), (n, rect)).is_none(), "{} twice", mark.name);
        }
    }
    found
}

const BESIDE: &str = "beside = { launcher = \"loaded\", flak = \"rounds\" }";

#[test]
fn each_box_has_its_own_companions_next_to_it() {
    let ship = ship(&[("launcher", 7), ("flak", 3), ("laser", 2), ("launcher", 2)]);
    for (size, options) in [
        ((24, 80), BESIDE.to_owned()),
        ((24, 80), format!("{BESIDE}\nbeside_at = \"left\"")),
        ((80, 30), BESIDE.to_owned()),
        ((80, 40), format!("{BESIDE}\nby = \"system\"\nbeside_at = \"right\"")),
    ] {
        let (scene, findings) = printed(&ship, size, &options);
        assert!(findings.is_empty(), "{options}: {findings:?}");
        let boxes = boxes(&scene);
        assert_eq!(boxes.len(), 9 + 3 + 2 + 9 + 12, "{boxes:?}");
        let near = |of: &str, to: &str| {
            let ((page, a), (other, b)) = (boxes[of], boxes[to]);
            assert_eq!(page, other);
            let across = (a.x - b.right()).max(b.x - a.right()).max(0.0);
            let down = (a.y - b.bottom()).max(b.y - a.bottom()).max(0.0);
            assert!(a.w >= 2.399 && across.hypot(down) < 12.0, "{of} is {across} and {down} off {to} with {options}");
            // No box of another system is nearer.
            for (name, (_, rect)) in boxes.iter().filter(|(name, _)| name.starts_with("launcher") && *name != to) {
                let centre = |rect: &Rect| (rect.x + rect.w / 2.0, rect.y + rect.h / 2.0);
                let off = |rect: &Rect| (centre(rect).0 - centre(&a).0).hypot(centre(rect).1 - centre(&a).1);
                assert!(!to.starts_with("launcher") || off(rect) > off(&b), "{of} is nearer to {name} with {options}");
            }
        };
        for n in 1..=9 {
            near(&format!("loaded_port_{n}"), &format!("launcher_port_{n}"));
        }
        for n in 1..=12 {
            near(&format!("rounds_2_{n}"), &format!("flak_port_{}", (n - 1) / 4 + 1));
        }
    }
}

#[test]
fn what_does_not_fit_is_continued_with_its_companions() {
    for count in [20, 60, 400] {
        let ship = ship(&[("launcher", 30), ("flak", count), ("laser", 3)]);
        let (scene, findings) = printed(&ship, (24, 40), BESIDE);
        assert!(findings.is_empty(), "{findings:?}");
        assert!(scene.pages.len() > 1);
        let boxes = boxes(&scene);
        assert_eq!(boxes.len() as u32, 30 + 30 + count + 4 * count + 3);
        for n in 1..=4 * count {
            let (own, to) = (boxes[&format!("rounds_2_{n}")].0, boxes[&format!("flak_port_{}", (n - 1) / 4 + 1)].0);
            assert_eq!(own, to, "a box is on another page than its companion");
        }
    }
}

#[test]
fn systems_with_boxes_of_their_own_have_companions_under_them() {
    let ship = ship(&[("flak", 3), ("laser", 1)]);
    let (scene, findings) = printed(&ship, (60, 80), "track = \"boxes\"\nbeside = [\"rounds\"]");
    assert!(findings.is_empty(), "{findings:?}");
    let boxes = boxes(&scene);
    assert_eq!(boxes.len(), 4 + 4 * 6 + 12, "{boxes:?}");
    for n in 0..3 {
        let (first, last) = (boxes[&format!("boxes_1_{}", n * 6 + 1)].1, boxes[&format!("boxes_1_{}", n * 6 + 6)].1);
        let pip = boxes[&format!("rounds_1_{}", n * 4 + 1)].1;
        assert!((pip.x - first.x).abs() < 0.1, "{pip:?} {first:?}");
        assert!(pip.y > last.bottom() && pip.y < last.bottom() + 2.0, "{pip:?} {last:?}");
    }
}

#[test]
fn a_track_that_belongs_to_no_system_is_reported() {
    let ship = ship(&[("launcher", 1)]);
    for (options, expected) in [
        (
            "beside = [\"loaded\"]",
            "wrong-panel-option: `panel: mount port`: track `loaded` cannot be beside a system's boxes",
        ),
        ("beside = [\"loadde\"]", "unknown-panel-argument: `panel: mount port`: unknown track `loadde`"),
        ("beside = { laser = \"ronds\" }", "unknown-panel-argument: `panel: mount port`: unknown track `ronds`"),
        ("beside = { lasr = \"rounds\" }", "unknown-panel-argument: `panel: mount port`: unknown system `lasr`"),
    ] {
        let (_, findings) = printed(&ship, (60, 80), options);
        assert_eq!(findings, [expected]);
    }
    for kind in ["track", "table", "mount", "counter"] {
        let (_, findings) = printed_panel(&ship, (60, 80), &format!("panel: {kind}"), "");
        let expected = format!("`panel: {kind}`: missing the {kind} that it shows");
        assert!(findings.iter().any(|found| found.ends_with(&expected)), "{findings:?}");
    }
}

/// The texts of all pages, in the order in which they were drawn.
fn texts(scene: &Scene) -> Vec<String> {
    let items = scene.pages.iter().flat_map(|page| page.items().into_owned());
    let text = |shape: &Shape| if let Shape::Text(line) = shape { Some(line.shaped.text.to_string()) } else { None };
    items.filter_map(|item| text(&item.shape)).collect()
}

#[test]
fn boxes_look_like_what_they_are_for() {
    let ship = ship(&[("laser", 1)]);
    let drawn = |track: &str| {
        let (scene, findings) = printed_panel(&ship, (80, 20), &format!("panel: track {track}"), "");
        assert!(findings.is_empty(), "{findings:?}");
        let items: Vec<_> = scene.pages[0].items().into_owned();
        let own = format!("{track}_");
        let boxes = items.into_iter().filter(|item| item.mark.as_ref().is_some_and(|mark| mark.name.starts_with(&own)));
        (boxes.map(|item| item.shape).collect::<Vec<_>>(), texts(&scene))
    };
    let square = |shapes: &[Shape], round: bool| {
        shapes.iter().all(|shape| matches!(shape, Shape::Rect { radius, .. } if (*radius > 0.0) == round))
    };
    let (hull, _) = drawn("hull");
    assert!(hull.len() == 4 && square(&hull, false), "{hull:?}");
    let (fired, _) = drawn("fired");
    assert!(square(&fired, true), "{fired:?}");
    let (shells, _) = drawn("shells");
    assert!(shells.iter().all(|shape| matches!(shape, Shape::Circle { radius, .. } if *radius < 2.0)), "{shells:?}");
    let (fire, words) = drawn("fire");
    assert!(fire.iter().all(|shape| matches!(shape, Shape::Path(..))), "{fire:?}");
    assert!(words.windows(4).any(|words| words == ["4", "3", "2", "1"]), "{words:?}");
    let (speed, _) = drawn("speed");
    assert!(square(&speed, false), "{speed:?}");
    for pair in speed.windows(2) {
        let (Shape::Rect { rect: a, .. }, Shape::Rect { rect: b, .. }) = (&pair[0], &pair[1]) else { unreachable!() };
        assert!((a.right() - b.x).abs() < 0.01, "cells of a row share their lines");
    }
    let (ring, _) = drawn("ring");
    assert!(ring.iter().all(|shape| matches!(shape, Shape::Rect { rect, radius, .. } if radius * 2.0 > rect.h - 0.01)));
}

#[test]
fn a_legend_names_the_boxes_that_are_not_for_damage() {
    let named = |options: &str| {
        let words = texts(&printed_panel(&ship(&[("laser", 1)]), (80, 40), "panel: legend systems", options).0);
        let known = ["laser", "mark one", "ammunition", "cleared each turn", "turns left"];
        known.into_iter().filter(|known| words.iter().any(|word| word == known)).collect::<Vec<_>>()
    };
    assert_eq!(named(""), ["laser", "mark one", "ammunition", "cleared each turn", "turns left"]);
    assert_eq!(named("except = [\"ammo\", \"state\"]"), ["laser", "cleared each turn", "turns left"]);
}

#[test]
fn a_row_says_at_its_end_what_happens_when_it_is_gone() {
    let ship = ship(&[("laser", 2)]);
    let notes = |label: &str, options: &str, size| {
        let (scene, findings) = printed_panel(&ship, size, label, options);
        assert!(findings.is_empty(), "{findings:?}");
        let items = scene.pages.iter().flat_map(|page| page.items().into_owned());
        let text = |shape: Shape| {
            if let Shape::Text(line) = shape { Some((line.shaped.text.to_string(), line.x, line.y)) } else { None }
        };
        let texts: Vec<_> = items.filter_map(|item| text(item.shape)).collect();
        (texts, boxes(&scene))
    };
    let (texts, drawn) = notes("panel: track structure", "", (80, 40));
    for (n, words) in ["check 6", "check 6", "check 5"].into_iter().enumerate() {
        let last = drawn[&format!("structure_{}", [5, 9, 13][n])].1;
        let at_end =
            |(text, x, y): &(String, f32, f32)| text == words && *x > last.right() && *y > last.y && *y < last.bottom();
        // The second row's note is that of the first, so it is not repeated.
        assert_eq!(texts.iter().any(at_end), n != 1, "{words}: {texts:?}");
    }
    let (texts, _) = notes("panel: track thruster", "", (80, 40));
    assert_eq!(texts.iter().filter(|(text, ..)| text == "−1 thrust a row").count(), 1, "{texts:?}");
    let (texts, drawn) = notes("panel: track long", "", (40, 60));
    let first = texts.iter().find(|(text, ..)| text.starts_with("row 1 of 2 gone")).expect("it is below the boxes");
    assert!(first.2 > drawn["long_6"].1.bottom());
    let (texts, _) = notes("panel: mount port", "track = \"armour\"", (70, 60));
    assert_eq!(texts.iter().filter(|(text, ..)| text == "a row: laser −1").count(), 2, "{texts:?}");
}

/// Boxes that run down begin right under a heading with a rule, all columns at one height.
#[test]
fn columns_of_a_headed_track_begin_under_the_heading() {
    let ship = ship(&[]);
    let places = |height: u32| -> Vec<(f32, f32)> {
        let options = "title = \"Boxes\"\ndown = true\nsize = 8";
        let (scene, findings) = printed_panel(&ship, (40, height), "panel: track dial", options);
        assert!(findings.is_empty(), "{findings:?}");
        boxes(&scene).values().map(|(_, rect)| (rect.x, rect.y)).collect()
    };
    let top = |places: &[(f32, f32)]| places.iter().map(|(_, y)| *y).fold(f32::INFINITY, f32::min);
    let (low, high) = (places(30), places(80));
    assert!((top(&low) - top(&high)).abs() < 0.01, "not in the middle of a higher rectangle: {low:?} {high:?}");
    // Seven boxes are two columns, of four and three.
    let at_top = low.iter().filter(|(_, y)| (y - top(&low)).abs() < 0.01).count();
    assert_eq!((low.len(), at_top), (7, 2), "{low:?}");
}

/// Boxes with numbers are read, not counted: no group of five among them, whatever other boxes the panel has.
#[test]
fn numbered_boxes_beside_single_ones_have_no_gap() {
    let ship = ship(&[]);
    let (scene, _) = printed_panel(&ship, (80, 40), "panel: track delay alarm", "row_name = \"what\"");
    let boxes = boxes(&scene);
    assert!(boxes.contains_key("delay_7"), "{:?}", boxes.keys());
    let x: Vec<f32> = (1..=7).map(|n| boxes[&format!("delay_{n}")].1.x).collect();
    let steps: Vec<f32> = x.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(steps.iter().all(|step| (step - steps[0]).abs() < 0.01), "{steps:?}");
}

/// Numbers to strike out take lines of one length: twenty-five in room for twenty are thirteen and twelve, on an empty sheet, too.
#[test]
fn numbers_to_strike_out_are_in_even_lines() {
    let options = "size = 4\nblank = [25]\nblank_cells = [\"24\"]";
    let (scene, _) = printed_panel(&ship(&[]), (80, 30), "panel: track ladder", options);
    let mut lines: BTreeMap<i32, u32> = BTreeMap::new();
    for item in scene.pages.iter().flat_map(|page| page.items.iter()) {
        if let Shape::Text(text) = &item.shape
            && text.shaped.text.parse::<u32>().is_ok_and(|n| n <= 24)
        {
            *lines.entry((text.y * 10.0) as i32).or_default() += 1;
        }
    }
    let counts: Vec<u32> = lines.into_values().collect();
    assert_eq!(counts.iter().sum::<u32>(), 25, "{counts:?}");
    assert!(counts.len() > 1 && counts.iter().max().unwrap() - counts.iter().min().unwrap() <= 1, "{counts:?}");
}
