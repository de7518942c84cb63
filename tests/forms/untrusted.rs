//! Damaged and hostile forms, and those that were saved several times: refused, or read as they are.

use std::io::Write as _;

use lopdf::{Dictionary, Document, ObjectId};
use moldloft::evaluate::Evaluation;
use moldloft::filled_form;
use moldloft::sheet::SheetOptions;
use moldloft::store::Store;

use super::{fields, held, scene, ships, written};

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
    assert_eq!(of(&packed(format!("3 0 [{}]", "<</V 1>>".repeat(2_000_000)).as_bytes())), too_large);
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
fn forms_of_the_most_fields_are_read_and_larger_ones_refused() {
    let fields = |count: usize| -> Vec<u8> {
        let references: Vec<String> = (0..count).map(|n| format!("{} 0 R", n + 3)).collect();
        let mut bytes = b"%PDF-1.7\n".to_vec();
        let mut offsets = Vec::new();
        let objects = ["<</AcroForm 2 0 R>>".to_owned(), format!("<</Fields[{}]>>", references.join(" "))];
        let boxes = (0..count).map(|n| format!("<</T(structure_{n})/FT/Btn/V/Yes>>"));
        for (n, object) in objects.into_iter().chain(boxes).enumerate() {
            offsets.push(bytes.len());
            writeln!(bytes, "{} 0 obj{object}endobj", n + 1).expect("written");
        }
        let start = bytes.len();
        writeln!(bytes, "xref\n1 {}", offsets.len()).expect("written");
        offsets.iter().for_each(|at| writeln!(bytes, "{at:010} 00000 n ").expect("written"));
        writeln!(bytes, "trailer<</Root 1 0 R>>\nstartxref\n{start}\n%%EOF").expect("written");
        bytes
    };
    let exported = |count: usize| -> Vec<u8> {
        let boxes: String = (0..count).map(|n| format!("<</T(structure_{n})/V/Yes>>")).collect();
        format!("%FDF-1.2\n1 0 obj<</FDF<</Fields[{boxes}]>>>>endobj trailer<</Root 1 0 R>>\n%%EOF").into_bytes()
    };
    let ticked = |bytes: &[u8]| filled_form::read(bytes).map(|form| form.units[0].ticked()).map_err(|found| found.code);
    let most = filled_form::MAX_FIELDS;
    assert_eq!(ticked(&fields(most)), Ok(most));
    assert_eq!(ticked(&exported(most)), Ok(most));
    assert_eq!(ticked(&exported(most + 1)), Err("form-too-large".into()));
}
