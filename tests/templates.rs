//! The templates that ship with the program, and what Inkscape makes of one: each is read whole, without a finding.

use include_dir::{Dir, include_dir};
use moldloft::art::Template;
use moldloft::source::Source;

static TEMPLATES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/templates");
const BEFORE: &str = include_str!("cases/inkscape/before.svg");
const SAVED: &str = include_str!("cases/inkscape/saved.svg");
const MOVED: &str = include_str!("cases/inkscape/moved.svg");

fn read(file: &str, text: &str) -> Template {
    let (template, findings) = Template::read(&Source::new(file, text));
    assert!(findings.is_empty(), "{file}: {findings:#?}");
    template.unwrap()
}

/// Labels and options of panels, texts of slots, conditions: all that is not a number.
fn words(template: &Template) -> Vec<String> {
    let panels = template.panels.iter().map(|p| format!("{} | {} | {:?}", p.label, p.options.text, p.when));
    let slots = template
        .slots
        .iter()
        .map(|s| format!("{} | {} | {:?} {:?} {:?}", s.text.text, s.options.text, s.face, s.anchor, s.paint));
    let conditions = template.conditions.iter().map(|c| c.text.text.clone());
    panels.chain(slots).chain(conditions).collect()
}

fn rect(template: &Template, label: &str) -> [f32; 4] {
    let rect = template.panels.iter().find(|panel| *panel.label == *label).unwrap().rect;
    [rect.x, rect.y, rect.w, rect.h]
}

fn near(a: [f32; 4], b: [f32; 4]) {
    assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 0.01), "{a:?} is not {b:?}");
}

fn svgs<'a>(dir: &'a Dir<'a>) -> Vec<(&'a str, &'a str)> {
    let here = dir.files().filter_map(|file| Some((file.path().to_str()?, file.contents_utf8()?)));
    let mut all: Vec<_> = here.filter(|(path, _)| path.ends_with(".svg")).collect();
    all.extend(dir.dirs().flat_map(svgs));
    all
}

#[test]
fn every_template_is_read_without_a_finding() {
    let files = svgs(&TEMPLATES);
    assert!(files.len() > 10, "{files:?}");
    for (file, text) in files {
        let template = read(file, text);
        assert!(template.check().is_empty(), "{file}: {:#?}", template.check());
        assert!(!template.pieces.is_empty() || !template.slots.is_empty(), "{file} shows nothing");
    }
}

#[test]
fn inkscape_saves_a_template_without_harm() {
    let (before, saved) = (read("before.svg", BEFORE), read("saved.svg", SAVED));
    assert_eq!(words(&before), words(&saved));
    for (a, b) in before.panels.iter().zip(&saved.panels) {
        near([a.rect.x, a.rect.y, a.rect.w, a.rect.h], [b.rect.x, b.rect.y, b.rect.w, b.rect.h]);
    }
    for (a, b) in before.slots.iter().zip(&saved.slots) {
        near([a.x, a.y, a.size, a.spacing], [b.x, b.y, b.size, b.spacing]);
    }
    let shapes = |template: &Template| {
        template.pieces.iter().map(|piece| (piece.when, piece.drawing.shapes.len())).collect::<Vec<_>>()
    };
    assert_eq!(shapes(&before), shapes(&saved));
}

#[test]
fn what_is_moved_and_resized_in_inkscape_is_moved_and_resized() {
    let (before, moved) = (read("before.svg", BEFORE), read("moved.svg", MOVED));
    assert_eq!(words(&before), words(&moved));
    // Moved by 10, 4 CSS pixels; grown by a quarter about its middle; all of it in a layer moved by 3, 7.
    let pixel = 25.4 / 96.0;
    let (dx, dy) = (3.0 * pixel, 7.0 * pixel);
    let [x, y, w, h] = rect(&before, "panel: mount core");
    near(rect(&moved, "panel: mount core"), [x + 10.0 * pixel + dx, y + 4.0 * pixel + dy, w, h]);
    let [x, y, w, h] = rect(&before, "panel: mount port");
    near(rect(&moved, "panel: mount port"), [x - w / 8.0 + dx, y - h / 8.0 + dy, w * 1.25, h * 1.25]);
    let [x, y, w, h] = rect(&before, "panel: mount aft");
    near(rect(&moved, "panel: mount aft"), [x + dx, y + dy, w, h]);
    near(rect(&moved, "panel: stack bookkeeping"), rect(&before, "panel: stack bookkeeping"));
}
