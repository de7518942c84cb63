//! Forms: every box of a sheet is one check box in its place, other programs find the file in order, and what was filled in by another
//! writer is read back as it was. Hostile files are refused in words.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::Command;
use std::sync::Arc;

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

const GAMES: [&str; 5] = ["b5-house-rules", "battleships-1890s", "sky-full-of-ships", "star-navy", "wars-of-honor"];

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
    pdf::write(scene, &ExportOptions { form: true, ..ExportOptions::default() }).expect("a file")
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

fn tool(name: &str, arguments: &[&str]) -> String {
    let done = Command::new(name).args(arguments).output();
    let done =
        done.unwrap_or_else(|error| panic!("{name} is needed for this test (apt install qpdf poppler-utils): {error}"));
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success(), "{name} {arguments:?}: {said}{}", String::from_utf8_lossy(&done.stderr));
    said
}

fn saved(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::Builder::new().suffix(".pdf").tempfile().expect("a file");
    file.write_all(bytes).expect("written");
    file
}

#[test]
#[allow(clippy::disallowed_methods, reason = "tests read files")]
fn other_programs_take_the_form_as_it_is() {
    let store = Store::built_in();
    let bytes = written(&scene(&store, &ships(&store, "wars-of-honor")[..3], SheetOptions::default()));
    let file = saved(&bytes);
    let path = file.path().to_str().expect("a plain path");
    assert!(tool("qpdf", &["--check", path]).contains("No syntax or stream encoding errors"));
    assert!(tool("pdfinfo", &[path]).contains("Form:            AcroForm"));

    // Whoever has it read aloud hears the ship's name, headings, lines and every field, in the order of the sheet.
    assert!(tool("pdfinfo", &[path]).contains("Tagged:          yes"));
    let told = tool("pdfinfo", &["-struct-text", path]);
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
    for line in tool("pdftotext", &["-raw", "-f", "1", "-l", "1", path, "-"]).lines().filter(|line| line.len() > 12) {
        for word in line.split_whitespace().filter(|word| word.chars().count() > 3) {
            assert!(heard.contains(&plain(word)), "{word} of “{line}” is not told");
        }
    }

    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_str().expect("a plain path").to_owned();
    // Saved by another program in other ways, nothing is lost; locked or flattened, it is told.
    let before = held(&filled_form::read(&bytes).expect("a form"));
    tool("qpdf", &["--qdf", path, &at("plain.pdf")]);
    tool("qpdf", &["--linearize", path, &at("web.pdf")]);
    for name in ["plain.pdf", "web.pdf"] {
        let bytes = std::fs::read(at(name)).expect("read");
        assert_eq!(held(&filled_form::read(&bytes).expect("a form")), before, "{name}");
    }
    tool("qpdf", &["--encrypt", "", "owner", "256", "--", path, &at("locked.pdf")]);
    let refused = filled_form::read(&std::fs::read(at("locked.pdf")).expect("read")).expect_err("locked");
    assert_eq!(refused.code, "form-encrypted");
    tool("pdftocairo", &["-pdf", path, &at("flat.pdf")]);
    let refused = filled_form::read(&std::fs::read(at("flat.pdf")).expect("read")).expect_err("no form");
    assert_eq!(refused.code, "not-a-form");
}

#[test]
fn hostile_files_are_refused_in_words() {
    let of = |bytes: &[u8]| filled_form::read(bytes).map_err(|finding| finding.code);
    assert_eq!(of(b""), Err("not-a-form".into()));
    assert_eq!(of(b"%PDF-1.7\n1 0 obj <</Root 1 0 R>> trailer<</Root 1 0 R>>"), Err("not-a-form".into()));
    // Fields that hold themselves.
    let looped =
        b"%PDF-1.7\n1 0 obj<</AcroForm<</Fields[2 0 R 2 0 R]>>>>endobj 2 0 obj<</T(a)/Kids[2 0 R 3 0 R]>>endobj \
        3 0 obj<</T(b_1)/FT/Btn/V/Yes/Kids[3 0 R]>>endobj trailer<</Root 1 0 R>>";
    assert!(of(looped).is_err() || of(looped).is_ok_and(|form| form.units.iter().all(|unit| unit.boxes.len() <= 1)));
    // Fields within fields without end, strings that never end, streams that never end, numbers without end.
    let mut deep = b"%PDF-1.7\n1 0 obj<</AcroForm<</Fields[2 0 R]>>>>endobj ".to_vec();
    for n in 2..4000 {
        deep.extend_from_slice(format!("{n} 0 obj<</T(a)/Kids[{} 0 R]>>endobj ", n + 1).as_bytes());
    }
    deep.extend_from_slice(b"trailer<</Root 1 0 R>>");
    assert!(of(&deep).is_err());
    for piece in ["1 0 obj(", "1 0 obj[", "1 0 obj<<>>stream\n", "1 0 obj<</V", "trailer", "%", "1 0 obj 9"] {
        let mut bytes = b"%PDF-1.7\n".to_vec();
        bytes.extend_from_slice(piece.repeat(300_000).as_bytes());
        assert!(of(&bytes).is_err(), "{piece}");
    }
}

#[test]
fn a_file_that_unpacks_without_end_is_refused() {
    use flate2::write::ZlibEncoder;
    let mut packer = ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    let block = vec![b' '; 1 << 20];
    for _ in 0..300 {
        packer.write_all(&block).expect("packed");
    }
    let packed = packer.finish().expect("packed");
    let mut bytes = b"%PDF-1.7\n1 0 obj<</Type/ObjStm/N 1/First 4/Filter/FlateDecode>>stream\n".to_vec();
    bytes.extend_from_slice(&packed);
    bytes.extend_from_slice(b"\nendstream endobj trailer<</Root 2 0 R>>");
    assert_eq!(filled_form::read(&bytes).map_err(|finding| finding.code), Err("form-too-large".into()));
}

#[test]
fn exported_data_is_read_as_the_form_itself() {
    let xfdf = r#"<?xml version="1.0"?><xfdf xmlns="http://ns.adobe.com/xfdf/"><fields>
        <field name="first"><field name="hms-x"><field name="structure_1"><value>Yes</value></field>
        <field name="structure_2"><value>Off</value></field><field name="orders_1_course"><value>P3 &amp; on</value></field>
        </field></field></fields></xfdf>"#;
    let fdf = b"%FDF-1.2\n1 0 obj<</FDF<</Fields[<</T(first)/Kids[<</T(hms-x)/Kids[<</T(structure_1)/V/Yes>>\
        <</T(structure_2)/V/Off>><</T(orders_1_course)/V(P3 & on)>>]>>]>>]>>>>endobj trailer<</Root 1 0 R>>%%EOF";
    for bytes in [xfdf.as_bytes(), &fdf[..]] {
        let form = filled_form::read(bytes).expect("a form");
        let unit = &form.units[0];
        assert_eq!((form.units.len(), &*unit.fleet, &*unit.key), (1, "first", "hms-x"));
        assert_eq!(
            unit.boxes.iter().map(|tick| (&*tick.name, tick.ticked)).collect::<Vec<_>>(),
            [("structure_1", true), ("structure_2", false)]
        );
        assert_eq!((&*unit.texts[0].name, &*unit.texts[0].text), ("orders_1_course", "P3 & on"));
    }
    assert!(filled_form::read(b"<xfdf><fields>").is_err());
}

/// Runs the program in a folder; gives its exit status and what it said.
fn run(folder: &std::path::Path, arguments: &[&str]) -> (i32, String, String) {
    let done =
        Command::new(env!("CARGO_BIN_EXE_moldloft")).args(arguments).current_dir(folder).output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (done.status.code().expect("an end"), text(done.stdout), text(done.stderr))
}

/// A file's form with some boxes ticked or not, as another program would save it.
#[allow(clippy::disallowed_methods, reason = "tests read and write files")]
fn tick(from: &std::path::Path, to: &std::path::Path, boxes: &[(&str, bool)]) {
    let mut document = Document::load(from).expect("a PDF");
    for field in fields(&document) {
        if let Some((_, ticked)) = boxes.iter().find(|(name, _)| *name == field.name) {
            let state = if *ticked { "Yes" } else { "Off" };
            let dict = document.get_dictionary_mut(field.id).expect("a field");
            dict.set("V", state);
            dict.set("AS", state);
        }
    }
    document.save(to).expect("saved");
}

const FLEET: &str = "# ours\nruleset = \"wars-of-honor\"\nname = \"First\"\n\n[[ship]] # the flagship\ndesign = \"Vigilant\"\nname = \"HMS Vigilant\"\n\n\
    [ship.damage]\nstructure = 3 # at the yard\n\n[[ship]]\ndesign = \"Petrel\"\nname = \"HMS Petrel\"\nhull_number = \"DD-12\"\ncount = 2\n";

#[test]
#[allow(clippy::disallowed_methods, reason = "tests read and write files")]
fn a_filled_form_sets_the_damage_of_its_fleet() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("first.toml"), FLEET).expect("written");
    let (status, said, wrong) = run(folder.path(), &["print", "first.toml", "--form", "-o", "form.pdf"]);
    assert_eq!((status, &*wrong), (0, ""), "{said}");

    // Damage is on the form already; nothing is written where nothing changed.
    let (status, said, _) = run(folder.path(), &["damage", "form.pdf"]);
    assert!(status == 0 && said.contains("HMS Vigilant (first): 3 of") && said.contains("structure: 1–3"), "{said}");
    let (status, said, _) = run(folder.path(), &["damage", "form.pdf", "first.toml"]);
    assert!(status == 0 && said.contains("no changes"), "{said}");
    assert_eq!(std::fs::read_to_string(at("first.toml")).expect("read"), FLEET);

    tick(
        &at("form.pdf"),
        &at("filled.pdf"),
        &[
            ("first.hms-vigilant.structure_2", false),
            ("first.hms-vigilant.laser_port_1", true),
            ("first.dd-13.structure_1", true),
            ("first.dd-13.structure_2", true),
        ],
    );
    let (status, said, wrong) = run(folder.path(), &["damage", "filled.pdf", "first.toml", "-o", "other.toml"]);
    assert_eq!((status, &*wrong), (0, ""), "{said}");
    assert_eq!(std::fs::read_to_string(at("first.toml")).expect("read"), FLEET, "with -o the fleet's own file stays");
    assert!(said.contains("HMS Vigilant: laser, port 1; structure 1, 3 (before: 1–3)"), "{said}");
    assert!(said.contains("HMS Petrel 2: structure 1–2"), "{said}");
    let other = std::fs::read_to_string(at("other.toml")).expect("read");
    assert!(
        other.starts_with("# ours\n") && other.contains("# the flagship") && other.contains("structure = \"1, 3\""),
        "{other}"
    );

    // What was written is printed, read and the same; the older form takes it back.
    let (status, ..) = run(folder.path(), &["print", "other.toml", "--form", "-o", "again.pdf"]);
    assert_eq!(status, 0);
    let before = filled_form::read(&std::fs::read(at("filled.pdf")).expect("read")).expect("a form");
    let again = filled_form::read(&std::fs::read(at("again.pdf")).expect("read")).expect("a form");
    assert_eq!((again.units, again.fleets, again.changed), (before.units, before.fleets, 0));
    let (status, said, _) = run(folder.path(), &["damage", "form.pdf", "other.toml"]);
    assert!(status == 0 && said.contains("HMS Petrel 2: structure none (before: 1–2)"), "{said}");
}

#[test]
#[allow(clippy::disallowed_methods, reason = "tests read and write files")]
fn what_fits_no_ship_is_named_and_the_rest_is_set() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let second = FLEET.replace("First", "Second").replace("DD-12", "DD-20");
    std::fs::write(at("first.toml"), FLEET).expect("written");
    std::fs::write(at("second.toml"), &second).expect("written");
    let (status, said, wrong) = run(folder.path(), &["print", "first.toml", "second.toml", "--form", "-o", "form.pdf"]);
    assert_eq!(status, 0, "{said}{wrong}");
    tick(
        &at("form.pdf"),
        &at("filled.pdf"),
        &[
            ("second.hms-vigilant.structure_9", true),
            ("first.hms-vigilant.structure_7", true),
            ("first.dd-12.structure_1", true),
            ("first.dd-12.laser_port_1", true),
        ],
    );
    // Renumbered, and of another class meanwhile: only this fleet's boxes, what still fits.
    let changed = FLEET.replace("DD-12", "DD-77").replace("design = \"Vigilant\"", "design = \"Petrel\"");
    std::fs::write(at("first.toml"), &changed).expect("written");
    let (status, said, wrong) = run(folder.path(), &["damage", "filled.pdf", "first.toml"]);
    assert_eq!(status, 1, "{said}{wrong}");
    assert!(said.contains("HMS Vigilant: structure 1–3, 7 (before: 1–3)"), "{said}");
    assert!(
        wrong.contains("form-ship-unknown") && wrong.contains("`dd-12`") && wrong.contains("skipped 2 ticked boxes"),
        "{wrong}"
    );
    assert!(std::fs::read_to_string(at("first.toml")).expect("read").contains("structure = \"1-3, 7\" # at the yard"));
    assert_eq!(std::fs::read_to_string(at("second.toml")).expect("read"), second);

    let third = second.replace("Second", "Third");
    std::fs::write(at("third.toml"), third).expect("written");
    let (status, _, wrong) = run(folder.path(), &["damage", "filled.pdf", "third.toml"]);
    assert!(status == 2 && wrong.contains("“First”, “Second”"), "{wrong}");
    let (status, _, wrong) = run(folder.path(), &["damage", "first.toml"]);
    assert!(status == 2 && wrong.contains("expected a PDF"), "{wrong}");
    let (status, _, wrong) = run(folder.path(), &["print", "first.toml", "--form", "-o", "form.svg"]);
    assert!(status == 2 && wrong.contains("form-needs-pdf"), "{wrong}");
}

#[test]
#[allow(clippy::disallowed_methods, reason = "tests read and write files")]
fn nothing_of_a_form_is_lost_or_misplaced_in_silence() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let of = |name: &str, ships: &str| format!("ruleset = \"wars-of-honor\"\nname = \"{name}\"\n{ships}");
    let petrel = "[[ship]]\ndesign = \"Petrel\"\n";
    std::fs::write(at("blue.toml"), of("Blue", &petrel.repeat(2))).expect("written");
    std::fs::write(at("red.toml"), of("Red", petrel)).expect("written");
    let (status, ..) = run(folder.path(), &["print", "blue.toml", "--form", "-o", "form.pdf"]);
    assert_eq!(status, 0);
    tick(&at("form.pdf"), &at("filled.pdf"), &[("blue.petrel.structure_1", true), ("blue.petrel.thrust_left_1", true)]);

    // A file cut short is refused whole.
    let bytes = std::fs::read(at("filled.pdf")).expect("read");
    std::fs::write(at("cut.pdf"), &bytes[..bytes.len() - 8]).expect("written");
    let (status, _, wrong) = run(folder.path(), &["damage", "cut.pdf", "blue.toml"]);
    assert!(status == 2 && wrong.contains("form-damaged"), "{status} {wrong}");
    // What is there already stays.
    let (status, _, wrong) = run(folder.path(), &["damage", "filled.pdf", "blue.toml", "-o", "filled.pdf"]);
    assert!(status == 2 && wrong.contains("file-exists"), "{status} {wrong}");
    assert_eq!(std::fs::read(at("filled.pdf")).expect("read"), bytes);
    // Another fleet's form is told; ships that only their order tells apart are named.
    let (status, _, wrong) = run(folder.path(), &["damage", "filled.pdf", "red.toml", "-o", "red-hit.toml"]);
    assert!(status == 2 && wrong.contains("form-of-other-fleets") && wrong.contains("0 of 2 ships"), "{wrong}");
    assert!(!at("red-hit.toml").exists());
    let (status, said, wrong) = run(folder.path(), &["damage", "filled.pdf", "blue.toml"]);
    assert!(status == 0 && wrong.contains("form-ships-alike") && said.contains("structure 1"), "{said}{wrong}");
    // A form of which nothing fits is an error.
    std::fs::write(at("blue.toml"), of("Blue", "[[ship]]\ndesign = \"Vigilant\"\n")).expect("written");
    let (status, said, wrong) = run(folder.path(), &["damage", "filled.pdf", "blue.toml"]);
    assert!(status == 1 && wrong.contains("no ships of Blue on the form"), "{said}{wrong}");
}

/// What a fleet's file says of damage, line by line.
#[allow(clippy::disallowed_methods, reason = "tests read files")]
fn damage_lines(path: &std::path::Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("read");
    let is_box = |line: &&str| ["structure", "strukture", "laser_port"].iter().any(|stem| line.starts_with(stem));
    text.lines().filter(is_box).map(str::to_owned).collect()
}

#[test]
#[allow(clippy::disallowed_methods, reason = "tests read and write files")]
fn a_form_sets_boxes_in_the_fleet_that_it_was_printed_from_and_in_no_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let ship = "[[ship]]\ndesign = \"Petrel\"\n";
    let of = |name: &str, side: &str, ships: &str| {
        format!("ruleset = \"wars-of-honor\"\nname = \"{name}\"\nside = \"{side}\"\n{ships}")
    };
    let long = "The first squadron of the home fleet, ";
    // Names whose words are equal: of other letters, equal in their first forty letters, equal but for signs, equal but for the side.
    for (case, (one, two)) in [
        (of("第一", "", ship), of("第二", "", ship)),
        (of(&format!("{long}division one"), "", ship), of(&format!("{long}division two"), "", ship)),
        (of("Patrol!", "", ship), of("Patrol?", "", ship)),
        (of("Patrol", "Manticore", ship), of("Patrol", "Haven", ship)),
        (of("Patrol", "", &format!("{ship}name = \"A\"\n")), of("Patrol", "", &format!("{ship}name = \"B\"\n"))),
    ]
    .into_iter()
    .enumerate()
    {
        std::fs::write(at("one.toml"), &one).expect("written");
        std::fs::write(at("two.toml"), &two).expect("written");
        for command in [&["pack", "--only", "sheets"][..], &["print"]] {
            let arguments = [command, &["one.toml", "two.toml", "--form", "-o", "form.pdf"]].concat();
            let (status, said, wrong) = run(folder.path(), &arguments);
            assert_eq!(status, 0, "{said}{wrong}");
            // The first fleet's first box, the second's second: each is found by its place, not by its name.
            let names: Vec<String> = fields(&Document::load(at("form.pdf")).expect("a PDF"))
                .into_iter()
                .map(|field| field.name)
                .filter(|name| name.ends_with(".structure_1"))
                .collect();
            assert_eq!(names.len(), 2, "{names:?}");
            let second = names[1].replace("structure_1", "structure_2");
            tick(&at("form.pdf"), &at("filled.pdf"), &[(&names[0], true), (&second, true)]);
            for (fleet, text, boxes) in [("one.toml", &one, "structure = 1"), ("two.toml", &two, "structure = \"2\"")] {
                let (status, said, wrong) = run(folder.path(), &["damage", "filled.pdf", fleet]);
                assert_eq!(status, 0, "{case} {fleet}: {said}{wrong}");
                assert_eq!(damage_lines(&at(fleet)), [boxes], "{case} {fleet}");
                std::fs::write(at(fleet), text).expect("written");
            }
        }
    }
    // Two that nothing tells apart are refused, and nothing is written.
    std::fs::write(at("two.toml"), of("Patrol", "", &format!("{ship}name = \"A\"\n"))).expect("written");
    std::fs::write(at("one.toml"), of("Patrol", "", &format!("{ship}name = \"A\"\n"))).expect("written");
    let (status, ..) =
        run(folder.path(), &["pack", "one.toml", "two.toml", "--only", "sheets", "--form", "-o", "form.pdf"]);
    assert_eq!(status, 0);
    let (status, _, wrong) = run(folder.path(), &["damage", "form.pdf", "one.toml"]);
    assert!(status == 2 && wrong.contains("form-ambiguous"), "{wrong}");
}

#[test]
#[allow(clippy::disallowed_methods, reason = "tests read and write files")]
fn a_fleet_that_changed_since_its_form_was_printed_is_known_by_its_ships() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let ship = |class: &str, name: &str| format!("[[ship]]\ndesign = \"{class}\"\nname = \"{name}\"\n");
    let of =
        |name: &str, ships: &[String]| format!("ruleset = \"wars-of-honor\"\nname = \"{name}\"\n{}", ships.concat());
    let (alpha, beta) = (ship("Petrel", "Alpha"), ship("Vigilant", "Beta"));
    std::fs::write(at("fleet.toml"), of("Home", &[alpha.clone(), beta.clone()])).expect("written");
    assert_eq!(run(folder.path(), &["print", "fleet.toml", "--form", "-o", "form.pdf"]).0, 0);
    tick(&at("form.pdf"), &at("filled.pdf"), &[("home.alpha.structure_1", true), ("home.beta.structure_2", true)]);
    // Renamed, in another order, a ship more: told, and set.
    std::fs::write(at("new.toml"), of("Abroad", &[ship("Petrel", "Gamma"), beta, alpha])).expect("written");
    let (status, said, wrong) = run(folder.path(), &["damage", "filled.pdf", "new.toml"]);
    assert!(status == 0 && wrong.contains("form-of-renamed-fleet") && wrong.contains("“Home”"), "{said}{wrong}");
    assert_eq!(damage_lines(&at("new.toml")), ["structure = \"2\"", "structure = 1"]);
    // Two that swapped their names are not mistaken for each other.
    let swapped = of("Home", &[ship("Vigilant", "Alpha"), ship("Petrel", "Beta")]);
    std::fs::write(at("fleet.toml"), &swapped).expect("written");
    let (status, said, wrong) = run(folder.path(), &["damage", "filled.pdf", "fleet.toml"]);
    assert!(status == 1 && wrong.matches("form-ships-swapped").count() == 2, "{said}{wrong}");
    assert_eq!(std::fs::read_to_string(at("fleet.toml")).expect("read"), swapped);
    // Names of other letters give no keys: ships in another order are known by them all the same.
    let (one, two) = (ship("Petrel", "一"), ship("Petrel", "二"));
    std::fs::write(at("fleet.toml"), of("Home", &[one.clone(), two.clone()])).expect("written");
    assert_eq!(run(folder.path(), &["print", "fleet.toml", "--form", "-o", "form.pdf"]).0, 0);
    tick(&at("form.pdf"), &at("filled.pdf"), &[("home.petrel.structure_1", true)]);
    std::fs::write(at("fleet.toml"), of("Home", &[two.clone(), one.clone()])).expect("written");
    let (status, said, wrong) = run(folder.path(), &["damage", "filled.pdf", "fleet.toml"]);
    assert!(status == 0 && said.contains("一: structure 1"), "{said}{wrong}");
    let text = std::fs::read_to_string(at("fleet.toml")).expect("read");
    assert!(text.ends_with(&format!("{two}{one}\n[ship.damage]\nstructure = 1\n")), "{text}");
}

#[test]
#[allow(clippy::disallowed_methods, reason = "tests read and write files")]
fn forms_of_an_older_program_are_read_where_they_are_clear() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let of = |name: &str| format!("ruleset = \"wars-of-honor\"\nname = \"{name}\"\n[[ship]]\ndesign = \"Petrel\"\n");
    // Without the field that says of what fleet it is, as it was printed before there was one.
    let old = |from: &str, to: &str| {
        let mut document = Document::load(at(from)).expect("a PDF");
        let ids: Vec<ObjectId> = document
            .objects
            .iter()
            .filter(|(_, object)| {
                object.as_dict().is_ok_and(|dict| dict.get(b"T").is_ok_and(|name| words(name) == "form_identity"))
            })
            .map(|(id, _)| *id)
            .collect();
        assert!(!ids.is_empty());
        for object in document.objects.values_mut() {
            if let Ok(dict) = object.as_dict_mut() {
                for key in [&b"Kids"[..], b"Annots"] {
                    if let Ok(list) = dict.get_mut(key).and_then(Object::as_array_mut) {
                        list.retain(|kid| kid.as_reference().map_or(true, |id| !ids.contains(&id)));
                    }
                }
            }
        }
        document.save(at(to)).expect("saved");
    };
    for (name, file) in [("第一", "one.toml"), ("第二", "two.toml")] {
        std::fs::write(at(file), of(name)).expect("written");
    }
    let pack = ["pack", "one.toml", "two.toml", "--only", "sheets", "--form", "-o", "form.pdf"];
    assert_eq!(run(folder.path(), &pack).0, 0);
    old("form.pdf", "old.pdf");
    tick(&at("old.pdf"), &at("filled.pdf"), &[("ship.petrel.structure_1", true), ("ship-2.petrel.structure_2", true)]);
    // A PDF says its fleets' whole names as the fields' titles.
    for (fleet, boxes) in [("one.toml", "structure = 1"), ("two.toml", "structure = \"2\"")] {
        let (status, said, wrong) = run(folder.path(), &["damage", "filled.pdf", fleet]);
        assert_eq!(status, 0, "{said}{wrong}");
        assert_eq!(damage_lines(&at(fleet)), [boxes]);
    }
    // Data exported from it does not.
    let field = |fleet: &str| {
        format!(
            "<field name=\"{fleet}\"><field name=\"petrel\"><field name=\"structure_3\"><value>Yes</value></field></field></field>"
        )
    };
    let data = |fields: &str| format!("<xfdf xmlns=\"http://ns.adobe.com/xfdf/\"><fields>{fields}</fields></xfdf>");
    std::fs::write(at("both.xfdf"), data(&format!("{}{}", field("ship"), field("ship-2")))).expect("written");
    std::fs::write(at("one.xfdf"), data(&field("ship"))).expect("written");
    std::fs::write(at("third.toml"), of("Third")).expect("written");
    std::fs::write(at("third.xfdf"), data(&field("third"))).expect("written");
    for form in ["both.xfdf", "one.xfdf"] {
        let (status, _, wrong) = run(folder.path(), &["damage", form, "two.toml"]);
        assert!(status == 2 && wrong.contains("form-of-other-fleets"), "{form}: {wrong}");
    }
    let (status, _, wrong) = run(folder.path(), &["damage", "third.xfdf", "third.toml"]);
    assert_eq!((status, damage_lines(&at("third.toml"))), (0, vec!["structure = \"3\"".to_owned()]), "{wrong}");
}

#[test]
#[allow(clippy::disallowed_methods, reason = "tests read and write files")]
fn lines_that_a_player_typed_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let typed = "[ship.damage]\nstrukture = 3 # typed\nstructure = \"1, 4000\"\nlaser_port = \"1-x\"\n";
    let text = format!("ruleset = \"wars-of-honor\"\nname = \"Home\"\n[[ship]]\ndesign = \"Vigilant\"\n{typed}");
    std::fs::write(at("fleet.toml"), &text).expect("written");
    run(folder.path(), &["print", "fleet.toml", "--form", "-o", "form.pdf"]);
    tick(&at("form.pdf"), &at("filled.pdf"), &[("home.vigilant.structure_3", true)]);
    let (status, said, wrong) = run(folder.path(), &["damage", "filled.pdf", "fleet.toml"]);
    assert_eq!(status, 0, "{said}{wrong}");
    let kept = ["strukture = 3 # typed", "structure = \"1, 3, 4000\"", "laser_port = \"1-x\""];
    assert_eq!(damage_lines(&at("fleet.toml")), kept);
    // The last tick that can be read goes, the others stay; what is replaced is named.
    tick(
        &at("form.pdf"),
        &at("filled.pdf"),
        &[("home.vigilant.structure_1", false), ("home.vigilant.laser_port_1", true)],
    );
    let (status, said, wrong) = run(folder.path(), &["damage", "filled.pdf", "fleet.toml"]);
    assert!(
        status == 0 && wrong.contains("laser_port = \"1-x\"") && wrong.contains("form-line-replaced"),
        "{said}{wrong}"
    );
    let kept = ["strukture = 3 # typed", "structure = \"4000\"", "laser_port = 1"];
    assert_eq!(damage_lines(&at("fleet.toml")), kept);
}

/// A form with some boxes ticked by a program that appends what changed; gives the length before.
fn appended(ships: &[Evaluation], ticks: usize) -> (Vec<u8>, usize) {
    let bytes = written(&scene(&Store::built_in(), ships, SheetOptions::default()));
    let before = bytes.len();
    let document = Document::load_mem(&bytes).expect("a PDF");
    let boxes: Vec<ObjectId> =
        fields(&document).into_iter().filter(|field| field.is_box).map(|field| field.id).collect();
    let mut later = lopdf::IncrementalDocument::create_from(bytes, document);
    for id in boxes.into_iter().step_by(3).take(ticks) {
        later.opt_clone_object_to_new_document(id).expect("cloned");
        let dict: &mut Dictionary = later.new_document.get_dictionary_mut(id).expect("a field");
        dict.set("V", "Yes");
        dict.set("AS", "Yes");
    }
    let mut saved = Vec::new();
    later.save_to(&mut saved).expect("saved");
    (saved, before)
}

#[test]
fn a_hole_in_what_was_appended_is_never_passed_over() {
    let (saved, before) = appended(&ships(&Store::built_in(), "star-navy")[..1], 5);
    let whole = held(&filled_form::read(&saved).expect("a form"));
    assert_eq!(whole.0.values().filter(|ticked| **ticked).count(), 5);
    let (mut refused, mut harmless) = (0, 0);
    for (n, at) in (before..saved.len()).step_by(17).enumerate() {
        let end = saved.len().min(at + [1, 4, 60, 700][n % 4]);
        let mut holed = saved.clone();
        holed[at..end].fill(0);
        match filled_form::read(&holed) {
            Ok(form) => {
                assert_eq!(held(&form), whole, "a hole of {} bytes at {at}", end - at);
                harmless += 1;
            }
            Err(finding) => {
                assert_eq!(finding.code, "form-damaged", "{}", finding.message);
                refused += 1;
            }
        }
    }
    assert!(refused > 50 && harmless < refused, "{refused} {harmless}");
}

/// The bytes of a PDF of plain objects, its table of contents right.
fn with_table(objects: &[(u32, Vec<u8>)]) -> Vec<u8> {
    let mut out = b"%PDF-1.7\n".to_vec();
    let mut table = Vec::new();
    for (id, object) in objects {
        table.extend_from_slice(format!("{id} 1\n{:010} 00000 n \n", out.len()).as_bytes());
        out.extend_from_slice(format!("{id} 0 obj").as_bytes());
        out.extend_from_slice(object);
        out.extend_from_slice(b"\nendobj\n");
    }
    let at = out.len();
    out.extend_from_slice(b"xref\n");
    out.extend_from_slice(&table);
    out.extend_from_slice(format!("trailer<</Size 9/Root 1 0 R>>\nstartxref\n{at}\n%%EOF\n").as_bytes());
    out
}

#[test]
fn the_newest_table_of_contents_says_what_counts() {
    let field = |state: &str| format!("<</T(a_1)/FT/Btn/V/{state}>>").into_bytes();
    let plain = with_table(&[(1, b"<</AcroForm<</Fields[2 0 R]>>>>".to_vec()), (2, field("Yes"))]);
    let ticked =
        |bytes: &[u8]| filled_form::read(bytes).map(|form| form.units[0].ticked()).map_err(|finding| finding.message);
    assert_eq!(ticked(&plain), Ok(1));
    // What lies about in the file and no table names counts for nothing.
    let mut more = b"%PDF-1.7\n2 0 obj<</T(a_1)/FT/Btn/V/Off>>endobj\n".to_vec();
    let shift = more.len() - 9;
    let text = String::from_utf8(plain.clone()).expect("text");
    let place = |old: usize| format!("{:010} 00000 n", old + shift);
    let first = text.find("1 0 obj").expect("it is there");
    let second = text.find("2 0 obj").expect("it is there");
    let moved = text[9..]
        .replace(&format!("{first:010} 00000 n"), &place(first))
        .replace(&format!("{second:010} 00000 n"), &place(second))
        .replace(
            &format!("startxref\n{}", text.find("xref\n").expect("it is there")),
            &format!("startxref\n{}", text.find("xref\n").expect("it is there") + shift),
        );
    more.extend_from_slice(moved.as_bytes());
    assert_eq!(ticked(&more), Ok(1));
    // Without a table that can be read nothing may be doubtful.
    let broken = String::from_utf8(more).expect("text").replace("startxref\n", "startxref\n9");
    assert!(ticked(broken.as_bytes()).is_err_and(|words| words.contains("duplicate object 2")));
    let broken = text.replace("startxref\n", "startxref\n9");
    assert_eq!(ticked(broken.as_bytes()), Ok(1));
    // What a field says by an object that is not there, is not off: it is missing.
    let lost =
        with_table(&[(1, b"<</AcroForm<</Fields[2 0 R]>>>>".to_vec()), (2, b"<</T(a_1)/FT/Btn/V 7 0 R>>".to_vec())]);
    assert!(ticked(&lost).is_err_and(|words| words.contains("missing object 7")));
}

#[test]
fn small_forms_that_would_take_much_are_refused() {
    let of = |bytes: &[u8]| {
        filled_form::read(bytes).map(|form| form.units.len()).map_err(|finding| finding.code.into_owned())
    };
    let too_large = Err("form-too-large".to_owned());
    let packed = |plain: &[u8]| {
        let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(plain).expect("packed");
        let data = packer.finish().expect("packed");
        let mut object =
            format!("<</Type/ObjStm/N 1/First 4/Filter/FlateDecode/Length {}>>stream\n", data.len()).into_bytes();
        object.extend_from_slice(&data);
        object.extend_from_slice(b"\nendstream");
        let mut bytes = b"%PDF-1.7\n1 0 obj<</AcroForm<</Fields 3 0 R>>>>endobj 2 0 obj".to_vec();
        bytes.extend_from_slice(&object);
        bytes.extend_from_slice(b" endobj trailer<</Root 1 0 R>>\n%%EOF");
        bytes
    };
    // Small dictionaries without number, zeros without number: little when packed.
    assert_eq!(of(&packed(format!("3 0 [{}]", "<</V 1>>".repeat(900_000)).as_bytes())), too_large);
    assert_eq!(of(&packed(format!("3 0 {}", " ".repeat(40_000_000)).as_bytes())), too_large);
    // Fields that share a text.
    let kids: Vec<String> = (10..2_000).map(|id| format!("{id} 0 R")).collect();
    let mut objects = vec![
        (1, format!("<</AcroForm<</Fields[{}]>>>>", kids.join(" ")).into_bytes()),
        (2, format!("({})", "x".repeat(20_000)).into_bytes()),
    ];
    objects.extend((10..2_000).map(|id| (id, format!("<</T(a_{id})/FT/Tx/V 2 0 R>>").into_bytes())));
    assert_eq!(of(&with_table(&objects)), too_large);
    // XML that a parser compares with itself.
    let nested: String = (0..300).map(|n| format!("<a xmlns:n{n}=\"u\">")).collect();
    let wide: String = (0..300).map(|n| format!(" a{n}=\"\"")).collect();
    for text in [format!("<xfdf>{nested}"), format!("<xfdf{wide}/>"), format!("<xfdf>{}", "<a>".repeat(300))] {
        assert_eq!(of(text.as_bytes()), too_large);
    }
}

#[test]
#[allow(clippy::disallowed_methods, reason = "tests read and write files")]
fn a_form_that_was_filled_in_is_not_printed_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("first.toml"), FLEET).expect("written");
    for command in ["print", "pack"] {
        let print = |more: &[&str]| {
            run(folder.path(), &[&[command, "first.toml", "--form", "-o", "tablet.pdf"], more].concat())
        };
        assert_eq!(print(&["--force"]).0, 0);
        // As it was printed, with the damage of then, it is made anew as ever.
        assert_eq!(print(&[]).0, 0);
        tick(&at("tablet.pdf"), &at("tablet.pdf"), &[("first.hms-vigilant.structure_2", false)]);
        let filled = std::fs::read(at("tablet.pdf")).expect("read");
        for more in [&[][..], &["--grey"]] {
            let (status, _, wrong) = print(more);
            assert!(status == 2 && wrong.contains("form-filled-in") && wrong.contains("1 field"), "{wrong}");
        }
        let (status, ..) = run(folder.path(), &["print", "first.toml", "-o", "tablet.pdf"]);
        assert_eq!(status, 2);
        assert_eq!(std::fs::read(at("tablet.pdf")).expect("read"), filled);
        // One that cannot be read may be one.
        std::fs::write(at("tablet.pdf"), &filled[..filled.len() - 8]).expect("written");
        let (status, _, wrong) = print(&[]);
        assert!(status == 2 && wrong.contains("may be a filled form"), "{wrong}");
        assert_eq!(print(&["--force"]).0, 0);
    }
    // Plain prints are replaced as ever.
    for _ in 0..2 {
        assert_eq!(run(folder.path(), &["print", "first.toml", "-o", "plain.pdf"]).0, 0);
    }
}

#[test]
#[allow(clippy::disallowed_methods, reason = "tests read and write files")]
fn damage_waits_for_who_is_changing_the_fleet() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("first.toml"), FLEET).expect("written");
    assert_eq!(run(folder.path(), &["print", "first.toml", "--form", "-o", "form.pdf"]).0, 0);
    tick(&at("form.pdf"), &at("filled.pdf"), &[("first.hms-vigilant.structure_9", true)]);
    let lock = moldloft::store::Lock::for_file(&at("first.toml")).expect("free");
    let mut damage = Command::new(env!("CARGO_BIN_EXE_moldloft"))
        .args(["damage", "filled.pdf", "first.toml"])
        .current_dir(folder.path())
        .spawn()
        .expect("it runs");
    // It has all the time it would need, and does not end.
    for _ in 0..40 {
        assert!(damage.try_wait().expect("running").is_none(), "it did not wait");
        std::thread::sleep(std::time::Duration::from_millis(25));
    }
    let other = FLEET.replace("# ours", "# ours, and theirs");
    let seal = moldloft::store::ContentHash::of_bytes(FLEET.as_bytes());
    lock.save_over(&at("first.toml"), other.as_bytes(), Some(seal)).expect("written");
    drop(lock);
    assert!(damage.wait().expect("an end").success());
    let text = std::fs::read_to_string(at("first.toml")).expect("read");
    assert!(text.starts_with("# ours, and theirs\n") && text.contains("structure = \"1-3, 9\""), "{text}");
    // Several at once, each with a ship of its own: none is lost, and nothing is left beside the file.
    let boxes = [("hms-vigilant", "structure_9"), ("dd-12", "structure_1"), ("dd-13", "structure_2")];
    for (ship, name) in boxes {
        let text = format!(
            "<xfdf><fields><field name=\"first\"><field name=\"{ship}\"><field name=\"{name}\"><value>Yes</value></field></field></field></fields></xfdf>"
        );
        std::fs::write(at(&format!("{ship}.xfdf")), text).expect("written");
    }
    let names = || std::fs::read_dir(folder.path()).expect("a folder").count();
    let before = names();
    for _ in 0..3 {
        std::fs::write(at("first.toml"), FLEET).expect("written");
        let all = boxes.map(|(ship, _)| {
            Command::new(env!("CARGO_BIN_EXE_moldloft"))
                .args(["damage", &format!("{ship}.xfdf"), "first.toml"])
                .current_dir(folder.path())
                .stdout(std::process::Stdio::null())
                .spawn()
                .expect("it runs")
        });
        for mut one in all {
            assert!(one.wait().expect("an end").success());
        }
        assert_eq!(
            damage_lines(&at("first.toml")),
            ["structure = \"1-3, 9\" # at the yard", "structure = 1", "structure = \"2\""]
        );
    }
    assert_eq!(names(), before);
}

/// A fleet of one sample of each game, and all boxes of its form that are no damage: by the name of their track, and how many.
const TICKED: [(&str, &str, &[(&str, usize)]); 5] = [
    ("wars-of-honor", "Petrel", &[("sidewall_down", 4), ("thrust_left", 9), ("loaded", 6)]),
    (
        "star-navy",
        "Cincinnati",
        &[
            ("speed", 7),
            ("turn", 6),
            ("engine_energy", 0),
            ("status", 0),
            ("shields_active", 0),
            ("cannon_fired", 0),
            ("thrusters", 0),
        ],
    ),
    ("sky-full-of-ships", "Swordfish", &[]),
    ("battleships-1890s", "Saltholm", &[("status", 9), ("on_fire", 1)]),
    ("b5-house-rules", "Var'Nic", &[("weapons", 0)]),
];

#[test]
#[allow(clippy::disallowed_methods, reason = "tests read and write files")]
fn only_damage_and_what_is_used_up_is_set_from_a_form() {
    let store = Store::built_in();
    for (game, class, apart) in TICKED {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let fleet = format!("ruleset = \"{game}\"\nname = \"All\"\n[[ship]]\ndesign = \"{class}\"\nname = \"Ship\"\n");
        std::fs::write(at("all.toml"), fleet).expect("written");
        let (status, said, wrong) = run(folder.path(), &["print", "all.toml", "--form", "-o", "form.pdf"]);
        assert_eq!(status, 0, "{game}: {said}{wrong}");
        let document = Document::load(at("form.pdf")).expect("a PDF");
        let boxes: Vec<String> =
            fields(&document).into_iter().filter(|field| field.is_box).map(|field| field.name).collect();
        let all: Vec<(&str, bool)> = boxes.iter().map(|name| (&**name, true)).collect();
        tick(&at("form.pdf"), &at("filled.pdf"), &all);
        let (status, said, wrong) = run(folder.path(), &["damage", "filled.pdf", "all.toml"]);
        assert_eq!(status, 0, "{game}: {said}{wrong}");

        // What is written is what the rules call damage or ammunition, every box of it, and nothing else.
        let ships = ships(&store, game);
        let ship = ships.iter().find(|ship| *ship.name == *class).expect("a sample");
        let written: toml::Table = std::fs::read_to_string(at("all.toml")).expect("read").parse().expect("TOML");
        let damage = written["ship"][0]["damage"].as_table().expect("damage");
        let kinds = moldloft::evaluate::tick_marks(ship);
        let wanted: BTreeMap<&str, i64> = kinds
            .iter()
            .filter(|(_, boxes)| boxes.kind.is_lasting())
            .map(|(stem, boxes)| (&**stem, i64::from(boxes.count)))
            .collect();
        let found: BTreeMap<&str, i64> =
            damage.iter().map(|(stem, boxes)| (stem.as_str(), boxes.as_integer().expect("a number"))).collect();
        assert_eq!(found, wanted, "{game}");
        for (track, many) in apart {
            let is_of =
                |stem: &str| stem == *track || stem.strip_prefix(track).is_some_and(|rest| rest.starts_with('_'));
            assert!(!found.keys().any(|stem| is_of(stem)), "{game}: {track} is no damage: {found:?}");
            let ticked = boxes
                .iter()
                .filter_map(|name| name.rsplit_once('.')?.1.rsplit_once('_'))
                .filter(|(stem, _)| is_of(stem));
            let ticked = ticked.count();
            assert!(ticked > 0 && (*many == 0 || ticked == *many), "{game}: {track} has {ticked} boxes on the form");
        }
        let left_out: u32 = kinds.values().filter(|boxes| !boxes.kind.is_lasting()).map(|boxes| boxes.count).sum();
        match left_out {
            0 => assert!(!wrong.contains("skipped"), "{game}: {wrong}"),
            many => assert!(wrong.contains(&format!("skipped {many} boxes that are ")), "{game}: {wrong}"),
        }
    }
}

#[test]
#[allow(clippy::disallowed_methods, reason = "tests read and write files")]
fn a_state_in_an_old_fleet_is_reported_and_kept_but_never_damage() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let fleet = "ruleset = \"star-navy\"\nname = \"Old\"\n[[ship]]\ndesign = \"Chicago\"\nname = \"Chicago\"\n[ship.damage]\nspeed = \"4\"\nhull_front = 2\n";
    std::fs::write(at("old.toml"), fleet).expect("written");
    let (status, said, _) = run(folder.path(), &["check", "old.toml"]);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("warning[not-damage]: `speed` is a state, not damage; skipped"), "{said}");
    let (status, ..) = run(folder.path(), &["print", "old.toml", "--form", "-o", "form.pdf"]);
    assert_eq!(status, 0);
    let (_, said, _) = run(folder.path(), &["damage", "form.pdf"]);
    assert!(said.contains("hull front: 1–2") && !said.contains("speed"), "{said}");
    for file in ["roster.csv", "roster.json"] {
        assert_eq!(run(folder.path(), &["pack", "old.toml", "-o", file]).0, 0);
        let roster = std::fs::read_to_string(at(file)).expect("read");
        assert!(!roster.contains("speed") && roster.contains("hull"), "{roster}");
    }
    tick(
        &at("form.pdf"),
        &at("filled.pdf"),
        &[("old.chicago.speed_2", true), ("old.chicago.turn_1", true), ("old.chicago.hull_front_3", true)],
    );
    let (status, said, wrong) = run(folder.path(), &["damage", "filled.pdf", "old.toml"]);
    assert_eq!(status, 0, "{said}{wrong}");
    assert!(wrong.contains("skipped 2 boxes that are state, not damage: turn, speed"), "{wrong}");
    let text = std::fs::read_to_string(at("old.toml")).expect("read");
    assert!(text.contains("speed = \"4\"") && text.contains("hull_front = 3") && !text.contains("turn"), "{text}");
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
    assert_eq!(tip("shields_active_front_1").as_deref(), Some("active, front, box 1 (state)"));
}
