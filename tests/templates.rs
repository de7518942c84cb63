//! The templates that ship with the program, and what Inkscape makes of one: each is read whole, without a finding. The templates of a small
//! new game: what they ask for is drawn, or reported.

use std::process::Command;
use std::sync::Arc;

use include_dir::{Dir, include_dir};
use moldloft::art::Template;
use moldloft::design::{Design, Ship};
use moldloft::evaluate::evaluate;
use moldloft::finding::Finding;
use moldloft::ruleset::Ruleset;
use moldloft::scene::{Scene, Shape};
use moldloft::sheet::{SheetJob, SheetOptions, TemplateCache, print};
use moldloft::source::Source;

static TEMPLATES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/templates");
const BEFORE: &str = include_str!("cases/inkscape/before.svg");
const SAVED: &str = include_str!("cases/inkscape/saved.svg");
const MOVED: &str = include_str!("cases/inkscape/moved.svg");
const PLAIN: &str = include_str!("cases/inkscape/plain.svg");

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
        assert!(!template.art.is_empty() || !template.slots.is_empty(), "{file} shows nothing");
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
        template.art.iter().map(|piece| (piece.when, piece.drawing.shapes.len())).collect::<Vec<_>>()
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

#[test]
fn inkscapes_plain_svg_has_lost_its_labels() {
    let (template, findings) = Template::read(&Source::new("plain.svg", PLAIN));
    assert!(template.is_some_and(|template| template.panels.is_empty()));
    let lost: Vec<&Finding> = findings.iter().filter(|finding| finding.code == "labels-lost").collect();
    assert_eq!(lost.len(), 1, "{findings:#?}");
    assert!(lost[0].help.as_ref().is_some_and(|help| help.contains("Inkscape SVG")), "{lost:#?}");
}

/// A small game as somebody new would write it: files by their paths.
const SKIFFS: [(&str, &str); 8] = [
    (
        "rulesets/skiffs.toml",
        r#"[ruleset]
id = "skiffs"
title = "Skiffs"
version = "1"
schema = 1
[attributes]
points = 0
[[field]]
id = "hull"
kind = "integer"
default = 6
[[mount]]
id = "deck"
[[system]]
id = "rack"
icon = "rack.svg"
mounts = ["deck"]
points = 2
parameters = { darts = { default = 3, min = 1, max = 9 } }
[[value]]
id = "points"
formula = "total('points')"
[[track]]
id = "damage"
boxes = "hull"
[[track]]
id = "darts"
for_each = "fit rack"
boxes = "it.whole.darts"
label = "darts"
cell = { n = "box" }
face = "box.svg"
[[sheet]]
id = "card"
kind = "design"
template = "card.svg"
[[sheet]]
id = "more"
kind = "continuation"
template = "more.svg"
"#,
    ),
    (
        "templates/skiffs/card.svg",
        r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" width="94mm" height="62mm" viewBox="0 0 94 62">
<text x="3" y="8" font-size="5">{{ name }}</text>
<rect x="3" y="12" width="60" height="14" inkscape:label="panel: track darts"><desc>size = 9</desc></rect>
<rect x="3" y="30" width="40" height="10" inkscape:label="panel: legend systems"><desc>size = 6</desc></rect>
<rect x="70" y="12" width="20" height="20" inkscape:label="panel: art crest.svg"/>
<rect x="3" y="42" width="60" height="12" inkscape:label="panel: track damage"/>
<text x="3" y="59" font-size="2.8"><desc>width = 30</desc>{{ name }}, a skiff of {{ points }} points</text>
</svg>"#,
    ),
    (
        "templates/skiffs/more.svg",
        r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" width="94mm" height="62mm" viewBox="0 0 94 62">
<rect x="3" y="12" width="88" height="46" inkscape:label="panel: rest"/></svg>"#,
    ),
    (
        "templates/skiffs/box.svg",
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="10mm" height="10mm" viewBox="0 0 10 10">
<path d="M1 1 H9 V9 H1 Z" fill="none" stroke="black"/><text x="5" y="7" font-size="5" text-anchor="middle">{{ n }}</text></svg>"#,
    ),
    (
        "templates/skiffs/rack.svg",
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="10mm" height="10mm" viewBox="0 0 10 10">
<circle cx="5" cy="5" r="4"/><text x="5" y="7" font-size="5">{{ name }}</text></svg>"#,
    ),
    (
        "templates/skiffs/crest.svg",
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="20mm" height="20mm" viewBox="0 0 20 20">
<text x="10" y="12" font-size="6" text-anchor="middle">Sail</text></svg>"#,
    ),
    (
        "designs/skiffs/gull.toml",
        "ruleset = \"skiffs\"\nname = \"Gull\"\n[[fit]]\nsystem = \"rack\"\nmount = \"deck\"\n",
    ),
    (
        "designs/skiffs/long.toml",
        "ruleset = \"skiffs\"\nname = \"Spirit of the Outer Banks\"\n[[fit]]\nsystem = \"rack\"\nmount = \"deck\"\n",
    ),
];

/// The pages of a skiff by rules in which one text stands for another, and what was found.
fn skiff(design: &str, change: (&str, &str)) -> (Scene, Vec<Finding>) {
    let file = |path: &str| SKIFFS.iter().find(|(known, _)| *known == path).map(|(_, text)| *text);
    let text = file("rulesets/skiffs.toml").unwrap().replace(change.0, change.1);
    let (rules, faults) = Ruleset::load(&Source::new("skiffs.toml", &text));
    let rules = Arc::new(rules.unwrap_or_else(|| panic!("{faults:#?}")));
    let design = Source::new(design, file(design).unwrap());
    let ship = evaluate(&rules, &Design::read(&design).unwrap(), &Ship::default());
    let shelf = TemplateCache::new(|_, name| {
        let path = format!("templates/skiffs/{name}");
        file(&path).map(|text| Ok(Source::new(path.as_str(), text)))
    });
    print(&SheetJob { ships: &[ship], templates: &shelf, options: SheetOptions::default(), subject: "control sheets" })
}

/// Everything written on the pages, in drawings too.
fn written(scene: &Scene) -> String {
    fn gather(shape: &Shape, to: &mut Vec<String>) {
        match shape {
            Shape::Text(text) => to.push(text.shaped.text.to_string()),
            Shape::Use { drawing, .. } => drawing.shapes.iter().for_each(|shape| gather(shape, to)),
            Shape::Group { items, .. } => items.iter().for_each(|item| gather(&item.shape, to)),
            _ => {}
        }
    }
    let mut words = Vec::new();
    scene.pages.iter().flat_map(|page| &page.items).for_each(|item| gather(&item.shape, &mut words));
    words.join(" | ")
}

/// The width of the box of this mark.
fn side(scene: &Scene, mark: &str) -> Option<f32> {
    let mut items = scene.pages.iter().flat_map(|page| &page.items);
    items.find_map(|item| match &item.shape {
        Shape::Rect { rect, .. } if item.mark.as_ref().is_some_and(|known| *known.name == *mark) => Some(rect.w),
        _ => None,
    })
}

/// How wide a drawing is on the page.
fn drawn(scene: &Scene, file: &str) -> Option<f32> {
    let mut items = scene.pages.iter().flat_map(|page| &page.items);
    items.find_map(|item| match &item.shape {
        Shape::Use { drawing, transform } if drawing.name.ends_with(file) => Some(drawing.width * transform.m[0]),
        _ => None,
    })
}

#[test]
fn boxes_and_icons_are_drawn_at_the_size_asked() {
    const GULL: &str = "designs/skiffs/gull.toml";
    let near = |found: Option<f32>, wanted: f32| {
        assert!(found.is_some_and(|found| (found - wanted).abs() < 0.05), "{found:?} is not {wanted}");
    };
    let (scene, _) = skiff(GULL, ("", ""));
    near(side(&scene, "darts_1_3"), 9.0);
    near(drawn(&scene, "rack.svg"), 6.0);
    // An icon is inside the outline of its box; where there is none it is as large as the box.
    let (scene, _) = skiff(GULL, ("cell = { n = \"box\" }\nface = \"box.svg\"", "cell = { icon = \"'crest.svg'\" }"));
    near(side(&scene, "darts_1_3"), 9.0);
    let icons = "cell = { icon = \"'crest.svg'\" }\nshape = \"plain\"";
    let (scene, _) = skiff(GULL, ("cell = { n = \"box\" }\nface = \"box.svg\"", icons));
    near(drawn(&scene, "crest.svg"), 9.0);
}

#[test]
fn a_fit_that_a_track_stands_for_is_not_printed_again() {
    let gull = "designs/skiffs/gull.toml";
    let (scene, findings) = skiff(gull, ("", ""));
    assert!(!findings.iter().any(|finding| finding.code == "box-lost"), "{findings:#?}");
    assert!(!written(&scene).to_lowercase().contains("other systems"), "{}", written(&scene));
    assert_eq!(scene.pages.len(), 1);
    // A track of what the fit is doing does not say whether it is destroyed.
    let (scene, findings) = skiff(gull, ("face = \"box.svg\"", "kind = \"each-turn\""));
    assert!(!findings.iter().any(|finding| finding.code == "box-lost"), "{findings:#?}");
    assert!(written(&scene).to_lowercase().contains("other systems"), "{}", written(&scene));
}

#[test]
fn texts_of_icons_and_drawings_are_drawn_or_reported() {
    let (scene, findings) = skiff("designs/skiffs/gull.toml", ("", ""));
    assert!(written(&scene).contains("Sail"), "{}", written(&scene));
    let found: Vec<_> = findings.iter().filter(|finding| finding.code == "text-not-filled").collect();
    let [found] = found[..] else { panic!("{findings:#?}") };
    assert!(found.message.contains("{{ name }}") && found.at.line == 2, "{found:#?}");
}

/// A player's folder with the small game.
fn skiffs_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in SKIFFS {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

fn check_output(folder: &tempfile::TempDir, arguments: &[&str], status: i32) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_moldloft"));
    let out = command.args(arguments).current_dir(folder.path()).output().unwrap();
    assert_eq!(out.status.code(), Some(status), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

#[test]
fn template_check_reports_texts_that_are_cut_or_not_filled() {
    let folder = skiffs_folder();
    let said = |what: &str| check_output(&folder, &["template", "check", what], 0);
    let all = said("skiffs");
    assert_eq!(all.matches("warning[text-cut]").count(), 1, "{all}");
    for words in [
        "at 3.0, 59.0 is cut on 1 of 2 designs: on Spirit of the Outer Banks it needs",
        "mm at its smallest size, but has 30.0 mm; the full text costs 1 of them an extra page",
        "templates/skiffs/card.svg:7:1",
        "warning[text-not-filled]",
        "templates/skiffs/rack.svg:2:",
    ] {
        assert!(all.contains(words), "{words} in {all}");
    }
    // A single file is tried on the same designs, and nothing is said of the others.
    let card = said("templates/skiffs/card.svg");
    assert!(card.contains("text-cut") && !card.contains("rack.svg"), "{card}");
    assert!(said("templates/skiffs/rack.svg").contains("text-not-filled"));
    // With room for it, nothing is left to say of the footer.
    let path = folder.path().join("templates/skiffs/card.svg");
    let wider = std::fs::read_to_string(&path).unwrap().replace("width = 30", "width = 80");
    std::fs::write(path, wider).unwrap();
    assert!(!said("skiffs").contains("text-cut"));
}

#[test]
fn compact_forms_are_checked_like_the_templates_that_they_replace() {
    let folder = skiffs_folder();
    let compact = folder.path().join("templates/skiffs/card-compact.svg");
    let card = std::fs::read_to_string(folder.path().join("templates/skiffs/card.svg")).unwrap();
    std::fs::write(&compact, card.replace("width = 30", "width = 25")).unwrap();
    let all = check_output(&folder, &["template", "check", "skiffs"], 0);
    assert_eq!(all.matches("warning[text-cut]").count(), 2, "{all}");
    assert!(all.contains("templates/skiffs/card-compact.svg:7:1") && all.contains("has 25.0 mm"), "{all}");
    let alone = check_output(&folder, &["template", "check", "templates/skiffs/card-compact.svg"], 0);
    assert!(alone.contains("has 25.0 mm") && !alone.contains("has 30.0 mm"), "{alone}");
    assert!(!check_output(&folder, &["rules", "check", "skiffs"], 0).contains("template-faulty"));
    std::fs::write(&compact, card.replace("panel: track darts", "panel: track dartz")).unwrap();
    let all = check_output(&folder, &["template", "check", "skiffs"], 1);
    assert!(all.contains("did you mean `darts`?"), "{all}");
    let lints = check_output(&folder, &["rules", "check", "skiffs"], 1);
    assert!(lints.contains("template-faulty") && lints.contains("`card-compact.svg`"), "{lints}");
}

#[test]
fn labels_with_a_slip_and_lost_labels_are_reported() {
    let folder = skiffs_folder();
    let path = folder.path().join("templates/skiffs/card.svg");
    let card = std::fs::read_to_string(&path).unwrap();
    for (right, wrong, meant) in [
        ("panel: track damage", "pannel: track damage", "did you mean `panel: track damage`?"),
        ("panel: track damage", "pnael: track damage", "did you mean `panel: track damage`?"),
        ("panel: art crest.svg", "blok: crest", "did you mean `block: crest`?"),
    ] {
        std::fs::write(&path, card.replace(right, wrong)).unwrap();
        let said = check_output(&folder, &["template", "check", "skiffs"], 0);
        let line = 1 + card.lines().position(|line| line.contains(right)).unwrap();
        assert!(said.contains("warning[unknown-label]") && said.contains(meant), "{wrong}: {said}");
        assert!(said.contains(&format!("templates/skiffs/card.svg:{line}:1")), "{said}");
    }
    // Other labels of art are nobody's mistake.
    std::fs::write(&path, card.replace("panel: art crest.svg", "plan: hull")).unwrap();
    assert!(!check_output(&folder, &["template", "check", "skiffs"], 0).contains("unknown-label"));
    // As Plain SVG, it has its descriptions, but no labels.
    let plain = without_labels(&card);
    std::fs::write(&path, plain).unwrap();
    let said = check_output(&folder, &["template", "check", "skiffs"], 1);
    assert!(said.contains("error[labels-lost]: 2 rectangles with options"), "{said}");
    assert!(said.contains("templates/skiffs/card.svg:3:1") && said.contains("Inkscape SVG"), "{said}");
}

/// What a command writes to both outputs.
fn all_output(folder: &tempfile::TempDir, arguments: &[&str], status: i32) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_moldloft"));
    let out = command.args(arguments).current_dir(folder.path()).output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert_eq!(out.status.code(), Some(status), "{said}");
    said
}

#[test]
fn a_built_in_file_saved_without_labels_is_reported_where_it_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    all_output(&folder, &["template", "copy", "battleships-1890s", "."], 0);
    let token = folder.path().join("templates/battleships-1890s/counters/token.svg");
    let labelled = std::fs::read_to_string(&token).unwrap();
    std::fs::write(&token, without_labels(&labelled)).unwrap();
    let design = concat!(env!("CARGO_MANIFEST_DIR"), "/designs/battleships-1890s/hammerfest.toml");
    let said = all_output(&folder, &["chits", design, "--workspace", ".", "-o", "chits.pdf"], 1);
    assert!(
        said.contains("error[labels-lost]: 1 rectangle with options in the description, but nothing has"),
        "{said}"
    );
    assert!(said.contains("templates/battleships-1890s/counters/token.svg"), "{said}");
    let said = all_output(&folder, &["template", "check", "battleships-1890s", "--workspace", "."], 1);
    assert!(said.contains("labels-lost"), "{said}");
    // A text that was converted to paths is no longer filled in.
    let paths = r#"<g aria-label="{{ ship.name }}"><path d="M1 1 h3"/></g></svg>"#;
    std::fs::write(&token, labelled.replace("</svg>", paths)).unwrap();
    let said = all_output(&folder, &["chits", design, "--workspace", ".", "-o", "again.pdf"], 1);
    assert!(said.contains("error[text-as-paths]: “{{ ship.name }}” was converted to paths"), "{said}");
    // The file as it was has no finding.
    std::fs::write(&token, labelled).unwrap();
    all_output(&folder, &["chits", design, "--workspace", ".", "-o", "right.pdf"], 0);
}

#[test]
fn what_is_off_the_page_is_reported_where_it_is_printed() {
    let folder = skiffs_folder();
    let path = folder.path().join("templates/skiffs/card.svg");
    let card = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, card.replacen("<rect ", r#"<rect transform="translate(-40 0)" "#, 1)).unwrap();
    let said = all_output(&folder, &["print", "designs/skiffs/gull.toml", "-o", "out.pdf"], 0);
    assert!(said.contains("warning[panel-off-the-page]") && said.contains("templates/skiffs/card.svg"), "{said}");
}

/// An SVG without its labels.
fn without_labels(svg: &str) -> String {
    let mut parts = svg.split(" inkscape:label=\"");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + part.split_once('"').map_or("", |(_, rest)| rest))
}

#[test]
fn an_empty_sheet_has_the_columns_that_only_some_ships_have() {
    let folder = skiffs_folder();
    let path = folder.path().join("templates/skiffs/card.svg");
    let card = std::fs::read_to_string(&path).unwrap();
    let log = r#"panel: log turns"><desc>columns = ["speed", "aim"]
rows = 1
shown_when = { aim = "count('rack') > 1" }</desc></rect>"#;
    std::fs::write(&path, card.replace("panel: track damage\"/>", log)).unwrap();
    let columns = |arguments: &[&str]| {
        check_output(&folder, &[arguments, &["-o", "out.svg", "--svg-text", "embedded", "--force"]].concat(), 0);
        let svg = std::fs::read_to_string(folder.path().join("out.svg")).unwrap();
        (svg.contains(">speed<"), svg.contains(">aim<"))
    };
    assert_eq!(columns(&["print", "designs/skiffs/gull.toml"]), (true, false));
    assert_eq!(columns(&["print", "--blank", "skiffs"]), (true, true));
}

#[test]
fn a_heading_with_nothing_under_it_is_reported() {
    let folder = skiffs_folder();
    let path = folder.path().join("templates/skiffs/card.svg");
    let card = std::fs::read_to_string(&path).unwrap();
    let heading = r##"<text x="3" y="230" style="font-size:2.82px; font-weight:600; letter-spacing:.25px">DAMAGE</text>
<path d="M3 231.6 H90" stroke="#1a1a1a" stroke-width=".4"/></svg>"##;
    let page = card.replace("height=\"62mm\" viewBox=\"0 0 94 62\"", "height=\"263mm\" viewBox=\"0 0 94 263\"");
    std::fs::write(&path, page.replace("</svg>", heading)).unwrap();
    let said = check_output(&folder, &["template", "check", "skiffs"], 0);
    assert!(said.contains("warning[split-heading]") && said.contains("the heading “DAMAGE” at"), "{said}");
    let row =
        heading.replace("</svg>", r##"<rect x="3" y="233" width="5" height="5" fill="none" stroke="#1a1a1a"/></svg>"##);
    std::fs::write(&path, page.replace("</svg>", &row)).unwrap();
    assert!(!check_output(&folder, &["template", "check", "skiffs"], 0).contains("split-heading"));
    // The same at the far end of the heading's rule, which begins a hair left of its letters.
    let far = row.replace("rect x=\"3\"", "rect x=\"80\"").replace("x=\"3\" y=\"230\"", "x=\"3.4\" y=\"230\"");
    let far = far.replace("M3 231.6", "M3.4 231.6");
    std::fs::write(&path, page.replace("</svg>", &far)).unwrap();
    assert!(!check_output(&folder, &["template", "check", "skiffs"], 0).contains("split-heading"));
}
