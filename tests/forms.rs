//! Forms: every box of a sheet is one check box in its place, other programs find the file in order, and what was filled in by another
//! writer is read back as it was. Hostile files are refused in words.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::Arc;

use crate::support::{GAMES, outside};
use lopdf::{Dictionary, Document, Object, ObjectId};
use moldloft::design::{Design, Ship};
use moldloft::evaluate::{Evaluation, evaluate, number_counters};
use moldloft::export::{ExportOptions, pdf};
use moldloft::filled_form;
use moldloft::print::blank_sheets;
use moldloft::ruleset::{Ruleset, SheetKind};
use moldloft::scene::{MarkKind, Rect, Scene, SceneItem, Shape};
use moldloft::sheet::{SheetJob, SheetOptions, TemplateCache, print};
use moldloft::source::Source;
use moldloft::store::Store;

mod damage;
mod fleet_file;
mod untrusted;

fn rules(store: &Store, id: &str) -> Arc<Ruleset> {
    let source = store.ruleset(id).expect("it is built in");
    Arc::new(Ruleset::load(&source).0.expect("it loads"))
}

/// The samples of a game.
fn ships(store: &Store, id: &str) -> Vec<Evaluation> {
    let rules = rules(store, id);
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("designs").join(id);
    #[allow(clippy::disallowed_methods, reason = "tests read files")]
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    paths.sort();
    let mut ships: Vec<Evaluation> = paths
        .iter()
        .map(|path| {
            #[allow(clippy::disallowed_methods, reason = "tests read files")]
            let text = std::fs::read_to_string(path).expect("read");
            let design = Design::read(&Source::new("ship.toml", &text)).expect("a design");
            evaluate(&rules, &design, &Ship::default())
        })
        .collect();
    number_counters(&mut ships);
    ships
}

fn scene(store: &Store, ships: &[Evaluation], options: SheetOptions) -> Scene {
    let shelf = TemplateCache::new(|ids, name| store.template(ids, name));
    print(&SheetJob { ships, templates: &shelf, options, subject: "control sheets" }).0
}

fn written(scene: &Scene) -> Vec<u8> {
    pdf::write(scene, &ExportOptions::default().form(true)).expect("a file")
}

/// A field as a reader finds it.
struct Field {
    id: ObjectId,
    name: String,
    is_box: bool,
    page: usize,
    rect: [f32; 4],
    tooltip: String,
}

fn words(object: &Object) -> String {
    lopdf::decode_text_string(object).expect("a text")
}

/// Every field of a document in order, with its full name.
fn fields(document: &Document) -> Vec<Field> {
    let pages: BTreeMap<ObjectId, usize> =
        document.get_pages().into_iter().map(|(n, id)| (id, n as usize - 1)).collect();
    let form =
        document.catalog().and_then(|catalog| catalog.get(b"AcroForm")).and_then(Object::as_reference).expect("a form");
    let form = document.get_dictionary(form).expect("a form");
    assert!(!form.has(b"NeedAppearances") && !form.has(b"XFA"));
    let mut fields = Vec::new();
    walk(document, form.get(b"Fields").and_then(Object::as_array).expect("fields"), "", None, &pages, &mut fields);
    fields
}

fn walk(
    document: &Document,
    kids: &[Object],
    above: &str,
    parent: Option<ObjectId>,
    pages: &BTreeMap<ObjectId, usize>,
    out: &mut Vec<Field>,
) {
    for kid in kids {
        let id = kid.as_reference().expect("a reference");
        let dict = document.get_dictionary(id).expect("a field");
        assert_eq!(dict.get(b"Parent").and_then(Object::as_reference).ok(), parent);
        let own = words(dict.get(b"T").expect("a name"));
        assert!(!own.is_empty() && !own.contains('.'), "{own}");
        let name = if above.is_empty() { own } else { format!("{above}.{own}") };
        if let Ok(kids) = dict.get(b"Kids").and_then(Object::as_array) {
            walk(document, kids, &name, Some(id), pages, out);
            continue;
        }
        let rect = dict.get(b"Rect").and_then(Object::as_array).expect("a place");
        let rect: Vec<f32> = rect.iter().map(|edge| edge.as_float().expect("a number")).collect();
        let page = pages[&dict.get(b"P").and_then(Object::as_reference).expect("a page")];
        let is_box = dict.get(b"FT").and_then(Object::as_name).expect("a kind") == b"Btn";
        let tooltip = dict.get(b"TU").map(words).unwrap_or_default();
        out.push(Field { id, name, is_box, page, rect: rect.try_into().expect("four edges"), tooltip });
    }
}

/// Every marked shape of a scene that a player ticks or writes in: page, kind, name with its unit, place in points from below.
fn marks(scene: &Scene) -> Vec<(usize, MarkKind, String, [f32; 4])> {
    let mut all = Vec::new();
    for (at, page) in scene.pages.iter().enumerate() {
        for SceneItem { shape, mark } in page.items().iter() {
            let Some(mark) = mark.as_ref().filter(|mark| mark.kind != MarkKind::Cross) else {
                continue;
            };
            let rect = match shape {
                Shape::Rect { rect, .. } => *rect,
                Shape::Circle { x, y, radius, .. } => Rect::new(x - radius, y - radius, radius * 2.0, radius * 2.0),
                Shape::Path(path, _) => path.bounds().expect("an outline"),
                other => panic!("{} is {other:?}", mark.name),
            };
            let points = |mm: f32| mm * 72.0 / 25.4;
            let place = [rect.x, page.height - rect.bottom(), rect.right(), page.height - rect.y].map(points);
            let unit = mark.unit.as_ref().map_or("", |unit| &unit.key);
            let name = if unit.is_empty() { mark.name.to_string() } else { format!("{unit}.{}", mark.name) };
            all.push((at, mark.kind, name, place));
        }
    }
    all
}

/// Holds a form against its scene; gives the fields.
fn holds(scene: &Scene, bytes: &[u8]) -> Vec<Field> {
    let document = Document::load_mem(bytes).expect("a PDF");
    let fields = fields(&document);
    let mut wanted: BTreeMap<String, (usize, MarkKind, [f32; 4])> = BTreeMap::new();
    for (page, kind, name, place) in marks(scene) {
        assert!(wanted.insert(name.clone(), (page, kind, place)).is_none(), "{name} stands twice");
    }
    assert_eq!(fields.len(), wanted.len());
    for field in &fields {
        let (page, kind, place) = wanted.remove(&field.name).unwrap_or_else(|| panic!("{} is on no page", field.name));
        assert_eq!((field.page, field.is_box), (page, kind != MarkKind::Write), "{}", field.name);
        assert!(
            field.rect.iter().zip(place).all(|(a, b)| (a - b).abs() < 0.02),
            "{}: {:?} {place:?}",
            field.name,
            field.rect
        );
        assert!(!field.tooltip.is_empty(), "{} has no tooltip", field.name);
    }
    // A page's annotations are its fields, in the order of the form.
    for (page, id) in document.get_pages() {
        let held = document.get_dictionary(id).expect("a page");
        let listed: Vec<ObjectId> = match held.get(b"Annots").and_then(Object::as_array) {
            Ok(list) => list.iter().map(|kid| kid.as_reference().expect("a reference")).collect(),
            Err(_) => Vec::new(),
        };
        let here: Vec<ObjectId> =
            fields.iter().filter(|field| field.page + 1 == page as usize).map(|field| field.id).collect();
        assert_eq!(listed.iter().collect::<std::collections::BTreeSet<_>>(), here.iter().collect());
        assert_eq!(listed.len(), here.len());
    }
    fields
}

#[test]
fn every_box_of_every_sample_is_one_check_box_in_its_place() {
    let store = Store::built_in();
    for game in GAMES {
        let ships = ships(&store, game);
        for large_print in [false, true] {
            let ships = if large_print { &ships[..2] } else { &ships[..] };
            let scene = scene(&store, ships, SheetOptions { large_print, ..SheetOptions::default() });
            let bytes = written(&scene);
            let fields = holds(&scene, &bytes);
            assert!(fields.len() > ships.len() * 10, "{game}: {} fields", fields.len());
            assert_eq!(bytes, written(&scene), "the same form twice");
            let read = filled_form::read(&bytes).expect("a form");
            assert_eq!(read.units.len(), ships.len());
            assert!(read.units.iter().all(|unit| unit.ticked() == 0 && !unit.title.is_empty()));
        }
    }
}

#[test]
fn one_ship_needs_no_key_and_blank_sheets_are_forms_too() {
    let store = Store::built_in();
    for game in GAMES {
        let one = &ships(&store, game)[..1];
        let alone = scene(&store, one, SheetOptions::default());
        assert!(holds(&alone, &written(&alone)).iter().all(|field| !field.name.contains('.')));

        let sheets = blank_sheets(&rules(&store, game), SheetKind::Design);
        let scene = scene(&store, &sheets, SheetOptions { is_blank: true, ..SheetOptions::default() });
        let fields = holds(&scene, &written(&scene));
        assert!(fields.iter().any(|field| field.is_box) && fields.iter().any(|field| !field.is_box), "{game}");
    }
}

#[test]
fn repeats_of_a_ship_are_units_of_their_own() {
    let store = Store::built_in();
    let one = &ships(&store, "star-navy")[..1];
    let scene = scene(&store, one, SheetOptions { copies: 3, ..SheetOptions::default() });
    let fields = holds(&scene, &written(&scene));
    let units: std::collections::BTreeSet<&str> =
        fields.iter().filter_map(|field| Some(field.name.split_once('.')?.0)).collect();
    assert_eq!(units.into_iter().collect::<Vec<_>>(), ["chicago", "chicago-copy-2", "chicago-copy-3"]);
}

/// Ticks every third box and writes in every second field, as a program that fills forms in would; gives what was done.
fn fill(document: &mut Document) -> (BTreeMap<String, bool>, BTreeMap<String, String>) {
    let (mut boxes, mut texts) = (BTreeMap::new(), BTreeMap::new());
    for (n, field) in fields(document).into_iter().enumerate() {
        let dict = document.get_dictionary_mut(field.id).expect("a field");
        if field.is_box {
            if n % 3 == 0 {
                dict.set("V", "Yes");
                dict.set("AS", "Yes");
            }
            boxes.insert(field.name, n % 3 == 0);
        } else {
            let text = match n % 4 {
                0 => "port 2 (of 3) \\ \r\n".to_owned(),
                2 => "Ærø – № 7".to_owned(),
                _ => String::new(),
            };
            if !text.is_empty() {
                dict.set("V", lopdf::text_string(&text));
            }
            texts.insert(field.name, text.replace("\r\n", "\n"));
        }
    }
    (boxes, texts)
}

/// What a form holds, with full names.
fn held(form: &filled_form::FilledForm) -> (BTreeMap<String, bool>, BTreeMap<String, String>) {
    let (mut boxes, mut texts) = (BTreeMap::new(), BTreeMap::new());
    for unit in &form.units {
        let full = |name: &str| if unit.key.is_empty() { name.to_owned() } else { format!("{}.{name}", unit.key) };
        boxes.extend(unit.boxes.iter().map(|tick| (full(&tick.name), tick.ticked)));
        texts.extend(unit.texts.iter().map(|text| (full(&text.name), text.text.clone())));
    }
    (boxes, texts)
}

#[test]
fn what_another_writer_filled_in_is_read_back() {
    let store = Store::built_in();
    for game in GAMES {
        let ships = ships(&store, game);
        for ships in [&ships[..1], &ships[..3]] {
            let bytes = written(&scene(&store, ships, SheetOptions::default()));
            let mut document = Document::load_mem(&bytes).expect("a PDF");
            let filled = fill(&mut document);
            let (mut modern, mut plain) = (Vec::new(), Vec::new());
            document.clone().save_modern(&mut modern).expect("saved");
            document.save_to(&mut plain).expect("saved");
            for bytes in [modern, plain] {
                assert_eq!(held(&filled_form::read(&bytes).expect("a form")), filled, "{game}");
            }
        }
    }
}

#[test]
fn what_is_appended_to_the_file_counts() {
    let store = Store::built_in();
    let bytes = written(&scene(&store, &ships(&store, "star-navy")[..2], SheetOptions::default()));
    let document = Document::load_mem(&bytes).expect("a PDF");
    let field = fields(&document).into_iter().find(|field| field.is_box).expect("a box");
    let mut later = lopdf::IncrementalDocument::create_from(bytes, document);
    later.opt_clone_object_to_new_document(field.id).expect("cloned");
    let dict: &mut Dictionary = later.new_document.get_dictionary_mut(field.id).expect("a field");
    dict.set("AS", "Yes");
    let mut saved = Vec::new();
    later.save_to(&mut saved).expect("saved");
    let (boxes, _) = held(&filled_form::read(&saved).expect("a form"));
    assert_eq!(boxes.iter().filter(|(_, ticked)| **ticked).map(|(name, _)| name).collect::<Vec<_>>(), [&field.name]);
}

fn saved(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::Builder::new().suffix(".pdf").tempfile().expect("a file");
    file.write_all(bytes).expect("written");
    file
}

#[test]
#[allow(clippy::disallowed_methods, reason = "tests read files")]
fn other_programs_take_the_form_as_it_is() {
    if outside::lacks(&["pdfinfo", "pdftocairo", "pdftotext", "qpdf"]) {
        return;
    }
    let store = Store::built_in();
    let bytes = written(&scene(&store, &ships(&store, "wars-of-honor")[..3], SheetOptions::default()));
    let file = saved(&bytes);
    let path = file.path().to_str().expect("a plain path");
    assert!(outside::tool("qpdf", &["--check", path]).contains("No syntax or stream encoding errors"));
    assert!(outside::tool("pdfinfo", &[path]).contains("Form:            AcroForm"));

    // Whoever has it read aloud hears the ship's name, headings, lines and every field, in the order of the sheet.
    assert!(outside::tool("pdfinfo", &[path]).contains("Tagged:          yes"));
    let told = outside::tool("pdfinfo", &["-struct-text", path]);
    let count = |word: &str| told.lines().filter(|line| line.trim_start().starts_with(word)).count();
    let fields = fields(&Document::load_mem(&bytes).expect("a PDF"));
    assert_eq!(count("Object "), fields.len());
    assert_eq!(count("Sect "), 3);
    let at_line = |word: &str| {
        told.lines()
            .position(|line| line.trim() == format!("\"{word}\""))
            .unwrap_or_else(|| panic!("{word} in\n{told}"))
    };
    assert!(at_line("Ardennes") < at_line("SHIP SYSTEMS") && at_line("SHIP SYSTEMS") < at_line("TURN LOG"));
    let plain = |text: &str| text.split_whitespace().collect::<String>();
    let heard = plain(&told.replace('"', ""));
    for line in
        outside::tool("pdftotext", &["-raw", "-f", "1", "-l", "1", path, "-"]).lines().filter(|line| line.len() > 12)
    {
        for word in line.split_whitespace().filter(|word| word.chars().count() > 3) {
            assert!(heard.contains(&plain(word)), "{word} of “{line}” is not told");
        }
    }

    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_str().expect("a plain path").to_owned();
    // Saved by another program in other ways, nothing is lost; locked or flattened, it is told.
    let before = held(&filled_form::read(&bytes).expect("a form"));
    outside::tool("qpdf", &["--qdf", path, &at("plain.pdf")]);
    outside::tool("qpdf", &["--linearize", path, &at("web.pdf")]);
    for name in ["plain.pdf", "web.pdf"] {
        let bytes = std::fs::read(at(name)).expect("read");
        assert_eq!(held(&filled_form::read(&bytes).expect("a form")), before, "{name}");
    }
    outside::tool("qpdf", &["--encrypt", "", "owner", "256", "--", path, &at("locked.pdf")]);
    let refused = filled_form::read(&std::fs::read(at("locked.pdf")).expect("read")).expect_err("locked");
    assert_eq!(refused.code, "form-encrypted");
    outside::tool("pdftocairo", &["-pdf", path, &at("flat.pdf")]);
    let refused = filled_form::read(&std::fs::read(at("flat.pdf")).expect("read")).expect_err("no form");
    assert_eq!(refused.code, "not-a-form");
}

#[test]
fn a_field_says_what_its_box_is_for() {
    let store = Store::built_in();
    let ships = ships(&store, "star-navy");
    let scene = scene(&store, &ships[..1], SheetOptions::default());
    let fields = holds(&scene, &written(&scene));
    let tip = |name: &str| fields.iter().find(|field| field.name == name).map(|field| field.tooltip.clone());
    assert_eq!(tip("speed_4").as_deref(), Some("speed, box 4 (state)"));
    assert_eq!(tip("hull_front_1").as_deref(), Some("hull, front, 1"));
    // A shield that is destroyed and one that is active are two boxes.
    assert!(tip("shield_front_1").is_some_and(|tip| !tip.contains("state")));
    assert_eq!(tip("shields_active_front_1").as_deref(), Some("shields active, front, box 1 (state)"));
}
