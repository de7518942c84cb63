//! Forms: every box of a sheet is one check box in its place, other programs find the file in order, and what was filled in by another
//! writer is read back as it was. Hostile files are refused in words.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::Command;
use std::sync::Arc;

use lopdf::{Dictionary, Document, Object, ObjectId};
use moldloft::design::{Design, Ship};
use moldloft::evaluate::{Evaluation, evaluate, number};
use moldloft::export::pdf;
use moldloft::form;
use moldloft::press::blank;
use moldloft::ruleset::{Ruleset, SheetKind};
use moldloft::scene::{Item, MarkKind, Rect, Scene, Shape};
use moldloft::sheet::{Job, Options, Shelf, print};
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
    number(&mut ships);
    ships
}

fn scene(store: &Store, ships: &[Evaluation], options: Options) -> Scene {
    let shelf = Shelf::new(|ids, name| store.template(ids, name));
    print(&Job { ships, shelf: &shelf, options, what: "control sheets" }).0
}

fn written(scene: &Scene) -> Vec<u8> {
    pdf::write(scene, &pdf::Options { grey: false, form: true }).expect("a file")
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
        for Item { shape, mark } in &page.items {
            let Some(mark) = mark.as_ref().filter(|mark| mark.kind != MarkKind::Cross) else {
                continue;
            };
            let rect = match shape {
                Shape::Rect { rect, .. } => *rect,
                Shape::Circle { x, y, radius, .. } => Rect::new(x - radius, y - radius, radius * 2.0, radius * 2.0),
                Shape::Path(path, _) => path.surround().expect("an outline"),
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
            let scene = scene(&store, ships, Options { large_print, ..Options::default() });
            let bytes = written(&scene);
            let fields = holds(&scene, &bytes);
            assert!(fields.len() > ships.len() * 10, "{game}: {} fields", fields.len());
            assert_eq!(bytes, written(&scene), "the same form twice");
            let read = form::read(&bytes).expect("a form");
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
        let alone = scene(&store, one, Options::default());
        assert!(holds(&alone, &written(&alone)).iter().all(|field| !field.name.contains('.')));

        let sheets = blank(&rules(&store, game), SheetKind::Design);
        let scene = scene(&store, &sheets, Options { blank: true, ..Options::default() });
        let fields = holds(&scene, &written(&scene));
        assert!(fields.iter().any(|field| field.is_box) && fields.iter().any(|field| !field.is_box), "{game}");
    }
}

#[test]
fn repeats_of_a_ship_are_units_of_their_own() {
    let store = Store::built_in();
    let one = &ships(&store, "star-navy")[..1];
    let scene = scene(&store, one, Options { copies: 3, ..Options::default() });
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
fn held(form: &form::Form) -> (BTreeMap<String, bool>, BTreeMap<String, String>) {
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
            let bytes = written(&scene(&store, ships, Options::default()));
            let mut document = Document::load_mem(&bytes).expect("a PDF");
            let filled = fill(&mut document);
            let (mut modern, mut plain) = (Vec::new(), Vec::new());
            document.clone().save_modern(&mut modern).expect("saved");
            document.save_to(&mut plain).expect("saved");
            for bytes in [modern, plain] {
                assert_eq!(held(&form::read(&bytes).expect("a form")), filled, "{game}");
            }
        }
    }
}

#[test]
fn what_is_appended_to_the_file_counts() {
    let store = Store::built_in();
    let bytes = written(&scene(&store, &ships(&store, "star-navy")[..2], Options::default()));
    let document = Document::load_mem(&bytes).expect("a PDF");
    let field = fields(&document).into_iter().find(|field| field.is_box).expect("a box");
    let mut later = lopdf::IncrementalDocument::create_from(bytes, document);
    later.opt_clone_object_to_new_document(field.id).expect("cloned");
    let dict: &mut Dictionary = later.new_document.get_dictionary_mut(field.id).expect("a field");
    dict.set("AS", "Yes");
    let mut saved = Vec::new();
    later.save_to(&mut saved).expect("saved");
    let (boxes, _) = held(&form::read(&saved).expect("a form"));
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
    let bytes = written(&scene(&store, &ships(&store, "wars-of-honor")[..3], Options::default()));
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
    assert!(at_line("Ardennes") < at_line("SHIP SYSTEMS") && at_line("SHIP SYSTEMS") < at_line("ORDERS LOG"));
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
    let before = held(&form::read(&bytes).expect("a form"));
    tool("qpdf", &["--qdf", path, &at("plain.pdf")]);
    tool("qpdf", &["--linearize", path, &at("web.pdf")]);
    for name in ["plain.pdf", "web.pdf"] {
        let bytes = std::fs::read(at(name)).expect("read");
        assert_eq!(held(&form::read(&bytes).expect("a form")), before, "{name}");
    }
    tool("qpdf", &["--encrypt", "", "owner", "256", "--", path, &at("locked.pdf")]);
    let refused = form::read(&std::fs::read(at("locked.pdf")).expect("read")).expect_err("locked");
    assert_eq!(refused.code, "form-encrypted");
    tool("pdftocairo", &["-pdf", path, &at("flat.pdf")]);
    let refused = form::read(&std::fs::read(at("flat.pdf")).expect("read")).expect_err("no form");
    assert_eq!(refused.code, "not-a-form");
}

#[test]
fn hostile_files_are_refused_in_words() {
    let of = |bytes: &[u8]| form::read(bytes).map_err(|finding| finding.code);
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
    assert_eq!(form::read(&bytes).map_err(|finding| finding.code), Err("form-too-large".into()));
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
        let form = form::read(bytes).expect("a form");
        let unit = &form.units[0];
        assert_eq!((form.units.len(), &*unit.fleet, &*unit.key), (1, "first", "hms-x"));
        assert_eq!(
            unit.boxes.iter().map(|tick| (&*tick.name, tick.ticked)).collect::<Vec<_>>(),
            [("structure_1", true), ("structure_2", false)]
        );
        assert_eq!((&*unit.texts[0].name, &*unit.texts[0].text), ("orders_1_course", "P3 & on"));
    }
    assert!(form::read(b"<xfdf><fields>").is_err());
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
    assert!(status == 0 && said.contains("nothing has changed"), "{said}");
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
    let before = form::read(&std::fs::read(at("filled.pdf")).expect("read")).expect("a form");
    assert_eq!(form::read(&std::fs::read(at("again.pdf")).expect("read")).expect("a form"), before);
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
        wrong.contains("form-ship-unknown")
            && wrong.contains("`dd-12`")
            && wrong.contains("2 ticked boxes are not set"),
        "{wrong}"
    );
    assert!(std::fs::read_to_string(at("first.toml")).expect("read").contains("structure = \"1-3, 7\" # at the yard"));
    assert_eq!(std::fs::read_to_string(at("second.toml")).expect("read"), second);

    let third = second.replace("Second", "Third");
    std::fs::write(at("third.toml"), third).expect("written");
    let (status, _, wrong) = run(folder.path(), &["damage", "filled.pdf", "third.toml"]);
    assert!(status == 2 && wrong.contains("`first`, `second`"), "{wrong}");
    let (status, _, wrong) = run(folder.path(), &["damage", "first.toml"]);
    assert!(status == 2 && wrong.contains("neither a PDF"), "{wrong}");
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
    assert!(status == 0 && wrong.contains("form-of-renamed-fleet"), "{status} {wrong}");
    let (status, said, wrong) = run(folder.path(), &["damage", "filled.pdf", "blue.toml"]);
    assert!(status == 0 && wrong.contains("form-ships-alike") && said.contains("thrust left 1"), "{said}{wrong}");
    // A form of which nothing fits is an error.
    std::fs::write(at("blue.toml"), of("Blue", "[[ship]]\ndesign = \"Vigilant\"\n")).expect("written");
    let (status, said, wrong) = run(folder.path(), &["damage", "filled.pdf", "blue.toml"]);
    assert!(status == 1 && wrong.contains("no ship of Blue is on the form"), "{said}{wrong}");
}
