//! What the writers promise, held against other programs' reading of the files: qpdf, poppler and resvg. A missing program fails the test.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path as FilePath;
use std::sync::Arc;

use crate::support::{outside, sample};
use lopdf::content::Content;
use lopdf::{Document, Object};
use moldloft::export::{ExportError, ExportOptions, FORMATS, TextMode, format_for, pdf, png, render_page, svg};
use moldloft::fonts::{FontFace, shape};
use moldloft::progress::Progress;
use moldloft::scene::{
    Drawing, Page, Paint, PaintStyle, Path, Rect, Scene, SceneItem, Segment, Shape, Stroke, TextLine, Transform,
};
use resvg::{tiny_skia, usvg};

/// Pictures this near are the same picture: hinting and snapping of lines differ between programs, boxes and letters do not. Measured:
/// 0.041 against cairo, 0.017 against resvg; columns of text moved by a millimetre or two give 0.09.
const SAME: f64 = 0.055;

fn saved(bytes: &[u8], ending: &str) -> tempfile::NamedTempFile {
    let mut file = tempfile::Builder::new().suffix(ending).tempfile().expect("a file");
    file.write_all(bytes).expect("written");
    file
}

fn name(path: &FilePath) -> &str {
    path.to_str().expect("a plain path")
}

fn write_pdf(scene: &Scene, grey: bool) -> Vec<u8> {
    pdf::write(scene, &ExportOptions::default().grey(grey)).expect("a file")
}

/// Every text of a scene, in drawings and groups too.
fn texts(scene: &Scene) -> BTreeSet<String> {
    fn of_shape(shape: &Shape, all: &mut BTreeSet<String>) {
        match shape {
            Shape::Text(text) => drop(all.insert(text.shaped.text.to_string())),
            Shape::Use { drawing, .. } => drawing.shapes.iter().for_each(|shape| of_shape(shape, all)),
            Shape::Group { items, .. } => items.iter().for_each(|item| of_shape(&item.shape, all)),
            _ => {}
        }
    }
    let mut all = BTreeSet::new();
    scene.pages.iter().flat_map(|page| &page.items).for_each(|item| of_shape(&item.shape, &mut all));
    all
}

#[test]
fn other_programs_read_the_pdf_as_promised() {
    if outside::lacks(&["pdffonts", "pdfinfo", "pdftotext", "qpdf"]) {
        return;
    }
    let scene = sample::scene(3);
    let file = saved(&write_pdf(&scene, false), ".pdf");
    let path = name(file.path());

    assert!(outside::tool("qpdf", &["--check", path]).contains("No syntax or stream encoding errors"));
    let info = outside::tool("pdfinfo", &[path]);
    for line in [
        "Title:           HMS Sample, control sheet",
        "Pages:           3",
        "595.276 x 841.89 pts (A4)",
        "PDF version:     1.7",
    ] {
        assert!(info.contains(line), "{line}\n{info}");
    }
    assert!(info.contains("Somebody’s rules") && !info.contains("PDF subtype") && !info.contains("Date"), "{info}");

    let fonts = outside::tool("pdffonts", &[path]);
    let fonts: Vec<&str> = fonts.lines().skip(2).collect();
    assert_eq!(fonts.len(), 3, "{fonts:?}");
    for font in fonts {
        assert!(font.contains("+IBMPlexSansCond") && font.contains("yes yes yes"), "{font}");
    }

    let read = outside::tool("pdftotext", &["-raw", path, "-"]);
    let plain = |text: &str| text.replace("e\u{301}", "é").split_whitespace().collect::<String>();
    let read = plain(&read);
    for text in texts(&scene) {
        assert!(read.contains(&plain(&text)), "{text} is not found");
    }
    assert!(
        outside::tool("pdftotext", &[path, "-"]).contains("SPACED OUT"),
        "letters set apart are words all the same"
    );
    for page in 1..=3 {
        let words = outside::tool("pdftotext", &["-f", &page.to_string(), "-l", &page.to_string(), path, "-"]);
        assert!(words.contains(&format!("HMS Sample No. {page}")), "{words}");
    }
}

#[test]
fn equal_scenes_give_equal_bytes() {
    let all = |scene: &Scene| {
        FORMATS
            .iter()
            .map(|format| (format.write)(scene, &ExportOptions::default().dpi(40.0), &Progress::default()))
            .collect::<Vec<_>>()
    };
    let first = all(&sample::scene(2));
    assert_eq!(first, all(&sample::scene(2)));
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
    assert_eq!(first, alone.install(|| all(&sample::scene(2))));
    assert_ne!(first[0], all(&sample::scene(3))[0]);
}

/// The operators of a content stream.
fn operations(document: &Document, id: lopdf::ObjectId) -> Vec<lopdf::content::Operation> {
    let stream = document.get_object(id).and_then(Object::as_stream).expect("a stream");
    Content::decode(&stream.decompressed_content().expect("decompressed")).expect("operators").operations
}

/// The operators of each page, all of whose streams follow one another.
fn contents(document: &Document) -> Vec<Vec<lopdf::content::Operation>> {
    let pages = document.get_pages().into_values();
    let content = |page| document.get_page_content(page);
    pages.map(|page| Content::decode(&content(page)).expect("operators").operations).collect()
}

fn forms(document: &Document) -> Vec<lopdf::ObjectId> {
    let is_form = |object: &Object| {
        object
            .as_stream()
            .is_ok_and(|stream| stream.dict.get(b"Subtype").and_then(Object::as_name).is_ok_and(|name| name == b"Form"))
    };
    document.objects.iter().filter(|(_, object)| is_form(object)).map(|(&id, _)| id).collect()
}

#[test]
fn every_box_stands_where_the_scene_has_it() {
    let scene = sample::scene(2);
    let document = Document::load_mem(&write_pdf(&scene, false)).expect("a PDF");
    for (page, operations) in scene.pages.iter().zip(contents(&document)) {
        let mut wanted: Vec<[f32; 4]> = (page.items.iter())
            .filter_map(|item| match &item.shape {
                Shape::Rect { rect, radius: 0.0, .. } => Some([rect.x, rect.y, rect.w, rect.h]),
                _ => None,
            })
            .collect();
        assert_eq!(wanted.len(), 300);
        // The page begins with the size of its units, in points.
        assert_eq!(operations[0].operator, "cm");
        let unit = operations[0].operands[0].as_float().expect("a number") * 25.4 / 72.0;
        for operation in operations.iter().filter(|operation| operation.operator == "re") {
            let [x, y, w, h] = [0, 1, 2, 3].map(|index| operation.operands[index].as_float().expect("a number") * unit);
            let found = [x, page.height - y - h, w, h];
            let near = |rect: &[f32; 4]| rect.iter().zip(found).all(|(a, b)| (a - b).abs() < 0.02);
            if let Some(index) = wanted.iter().position(near) {
                wanted.swap_remove(index);
            }
        }
        assert_eq!(wanted, Vec::<[f32; 4]>::new());
    }
}

#[test]
fn the_page_is_as_large_as_the_paper() {
    let mut scene = sample::scene(1);
    let page = Page { width: 215.9, height: 279.4, ..scene.pages[0].clone() };
    scene.pages.push(page);
    let document = Document::load_mem(&write_pdf(&scene, false)).expect("a PDF");
    for (page, id) in scene.pages.iter().zip(document.get_pages().into_values()) {
        for name in [b"MediaBox".as_slice(), b"CropBox", b"TrimBox"] {
            let edges =
                document.get_dictionary(id).and_then(|page| page.get(name)).and_then(Object::as_array).expect("a box");
            let edges: Vec<f32> = edges.iter().map(|edge| edge.as_float().expect("a number") * 25.4 / 72.0).collect();
            assert!(edges[0] == 0.0 && edges[1] == 0.0, "{edges:?}");
            assert!((edges[2] - page.width).abs() < 0.001 && (edges[3] - page.height).abs() < 0.001, "{edges:?}");
        }
    }
}

#[test]
fn drawings_are_written_once_and_bookmarks_keep_their_order() {
    let mut scene = sample::scene(20);
    scene.pages[4].bookmarks = vec!["Zebra".into(), "Ägir".into(), "Alpha (2)".into()];
    let bytes = write_pdf(&scene, false);
    let document = Document::load_mem(&bytes).expect("a PDF");
    // Outlines that many pages draw have no resources.
    let is_drawing = |id: &lopdf::ObjectId| {
        document.get_object(*id).and_then(Object::as_stream).is_ok_and(|form| form.dict.has(b"Resources"))
    };
    let (drawings, outlines): (Vec<_>, Vec<_>) = forms(&document).into_iter().partition(is_drawing);
    assert_eq!((drawings.len(), outlines.len()), (2, 3));
    assert!(bytes.len() < 20 * 6_000 + 20_000, "{}", bytes.len());

    let catalog = document.catalog().expect("a catalog");
    assert_eq!(catalog.get(b"PageMode").and_then(Object::as_name).expect("a name"), b"UseOutlines");
    let outline = catalog.get(b"Outlines").and_then(Object::as_reference).expect("an outline");
    let mut next =
        document.get_dictionary(outline).and_then(|outline| outline.get(b"First")).and_then(Object::as_reference);
    let mut titles = Vec::new();
    while let Ok(id) = next {
        let entry = document.get_dictionary(id).expect("an entry");
        titles.push(lopdf::decode_text_string(entry.get(b"Title").expect("a title")).expect("text"));
        next = entry.get(b"Next").and_then(Object::as_reference);
    }
    let wanted: Vec<String> =
        scene.pages.iter().flat_map(|page| page.bookmarks.iter().map(|mark| mark.title.clone())).collect();
    assert_eq!(titles, wanted);
}

#[test]
fn a_pen_too_wide_for_a_shared_outline_is_drawn_in_place() {
    let circle = |width: f32| Shape::Circle {
        x: 50.0,
        y: 50.0,
        radius: 20.0,
        style: PaintStyle { fill: None, stroke: Some(Stroke::new(Paint::grey(0), width)) },
    };
    let items = || [0.3, 9.0].map(|width| SceneItem { shape: circle(width), mark: None }).to_vec();
    let page = || Page { width: 100.0, height: 100.0, items: items(), ..Page::default() };
    let scene = Scene { pages: (0..5).map(|_| page()).collect(), ..Scene::default() };
    let document = Document::load_mem(&write_pdf(&scene, false)).expect("a document");
    for operations in contents(&document) {
        let count = |operator: &str| operations.iter().filter(|operation| operation.operator == operator).count();
        assert_eq!((count("Do"), count("S")), (1, 1), "{operations:?}");
    }
}

/// Root of the mean square difference of two pictures on white, where both have pixels; 1 is black against white.
fn difference(a: &tiny_skia::Pixmap, b: &tiny_skia::Pixmap) -> f64 {
    let (width, height) = (a.width().min(b.width()), a.height().min(b.height()));
    assert!(a.width().abs_diff(b.width()) <= 1 && a.height().abs_diff(b.height()) <= 1);
    let on_white = |picture: &tiny_skia::Pixmap, x, y| {
        let pixel = picture.pixel(x, y).expect("a pixel");
        [pixel.red(), pixel.green(), pixel.blue()].map(|part| f64::from(part) + 255.0 - f64::from(pixel.alpha()))
    };
    let mut sum = 0.0;
    for y in 0..height {
        for x in 0..width {
            let (a, b) = (on_white(a, x, y), on_white(b, x, y));
            sum += a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
        }
    }
    (sum / (3.0 * f64::from(width) * f64::from(height))).sqrt() / 255.0
}

#[test]
fn the_pictures_of_pdf_svg_and_png_are_the_same() {
    if outside::lacks(&["pdftocairo"]) {
        return;
    }
    let scene = sample::scene(1);
    let own = render_page(&scene.pages[0], 150.0).expect("a picture");

    let file = saved(&write_pdf(&scene, false), ".pdf");
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("page");
    outside::tool("pdftocairo", &["-r", "150", "-png", "-singlefile", name(file.path()), name(&target)]);
    let cairo = tiny_skia::Pixmap::load_png(target.with_extension("png")).expect("a picture");
    let off = difference(&own, &cairo);
    assert!(off < SAME, "PDF: {off}");

    let text = svg::write(&scene, &ExportOptions::default()).remove(0);
    let tree = usvg::Tree::from_str(&text, &usvg::Options::default()).expect("an SVG");
    let mut other = tiny_skia::Pixmap::new(own.width(), own.height()).expect("room");
    resvg::render(&tree, tiny_skia::Transform::from_scale(150.0 / 96.0, 150.0 / 96.0), &mut other.as_mut());
    let off = difference(&own, &other);
    assert!(off < SAME, "SVG: {off}");

    let files = png::write(&scene, &ExportOptions::default()).expect("files");
    let read = tiny_skia::Pixmap::decode_png(&files[0]).expect("a picture");
    assert!(difference(&own, &read) == 0.0);
    let at = files[0].windows(4).position(|word| word == b"pHYs").expect("the size is stated");
    assert_eq!(files[0][at + 4..at + 13], [0, 0, 0x17, 0x12, 0, 0, 0x17, 0x12, 1]);
}

/// Shapes thrown together: few kinds, so that many could share an operator, and hardly one that lies free.
fn heap() -> Scene {
    let mut seed = 7_u32;
    let mut next = |below: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) % below
    };
    let fills =
        [Paint::grey(255), Paint::rgb(200, 30, 30), Paint::rgb(20, 90, 160), Paint { rgb: [30, 160, 60], alpha: 0.5 }];
    let mut items = Vec::new();
    for _ in 0..300 {
        let (x, y) = (next(900) as f32 / 10.0, next(900) as f32 / 10.0);
        let (w, h) = (1.0 + next(120) as f32 / 10.0, 1.0 + next(120) as f32 / 10.0);
        let stroke = Stroke::new(fills[next(4) as usize], 0.4 + next(2) as f32);
        let style = match next(3) {
            0 => PaintStyle { fill: Some(fills[next(4) as usize]), stroke: None },
            1 => PaintStyle { fill: None, stroke: Some(stroke) },
            _ => PaintStyle { fill: Some(fills[next(4) as usize]), stroke: Some(stroke) },
        };
        let shape = match next(5) {
            0 => Shape::Circle { x, y, radius: w / 2.0, style },
            1 => sample::text("WWW", FontFace::Bold, x, y, w),
            2 => {
                let turn = if next(2) == 0 { 1.0 } else { -1.0 };
                let segments = vec![
                    Segment::Move(x, y),
                    Segment::Line(x + w * turn, y + h),
                    Segment::Line(x - w, y + h / 2.0),
                    Segment::Close,
                ];
                Shape::Path(Path { segments, even_odd: next(2) == 0 }, style)
            }
            _ => Shape::Rect { rect: Rect::new(x, y, w, h), radius: 0.0, style },
        };
        items.push(SceneItem { shape, mark: None });
    }
    Scene {
        pages: vec![Page { width: 100.0, height: 100.0, bookmarks: Vec::new(), items, ..Page::default() }],
        ..Scene::default()
    }
}

#[test]
fn gathering_shapes_into_few_operators_leaves_the_picture_alone() {
    if outside::lacks(&["pdftocairo"]) {
        return;
    }
    let scene = heap();
    let own = render_page(&scene.pages[0], 254.0).expect("a picture");
    let file = saved(&write_pdf(&scene, false), ".pdf");
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("page");
    outside::tool("pdftocairo", &["-r", "254", "-png", "-singlefile", name(file.path()), name(&target)]);
    let cairo = tiny_skia::Pixmap::load_png(target.with_extension("png")).expect("a picture");
    let off = difference(&own, &cairo);
    assert!(off < SAME, "{off}");
}

#[test]
fn svg_stands_alone_and_names_what_it_shows() {
    let mut scene = sample::scene(1);
    scene.meta.title = "<Tom & \"Jerry\">\u{1}".into();
    scene.pages[0]
        .items
        .push(SceneItem { shape: sample::text("a < b & 'c' > \"d\"", FontFace::Bold, 20.0, 20.0, 3.0), mark: None });
    for lettering in [TextMode::Outlined, TextMode::Embedded] {
        let text = svg::write(&scene, &ExportOptions::default().text_mode(lettering)).remove(0);
        let document = usvg::roxmltree::Document::parse(&text).expect("well formed");
        let root = document.root_element();
        assert_eq!(root.attribute("width"), Some("210mm"));
        assert_eq!(root.attribute("viewBox"), Some("0 0 210 297"));

        let marks: Vec<&str> = document.descendants().filter_map(|node| node.attribute("data-mark")).collect();
        let wanted: Vec<String> =
            scene.pages[0].items.iter().filter_map(|item| Some(item.mark.as_ref()?.name.to_string())).collect();
        assert_eq!(marks, wanted);
        assert_eq!(marks.iter().collect::<BTreeSet<_>>().len(), marks.len());

        let ids: Vec<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
        for node in document.descendants() {
            for attribute in node.attributes().filter(|attribute| attribute.name() == "href") {
                let id = attribute.value().strip_prefix('#').expect("inside the file");
                assert!(ids.contains(&id), "{id}");
            }
        }
        assert!(!text.replace("http://www.w3.org/", "").contains("http"), "something from outside");

        let said: String = match lettering {
            TextMode::Outlined => document.descendants().filter_map(|node| node.attribute("aria-label")).collect(),
            _ => {
                document.descendants().filter(|node| node.has_tag_name("text")).filter_map(|node| node.text()).collect()
            }
        };
        for words in texts(&scene) {
            assert!(said.contains(&words), "{words}");
        }
        assert_eq!(text.contains("@font-face"), lettering == TextMode::Embedded);
    }
}

#[test]
fn letters_of_a_long_line_stand_side_by_side() {
    let words = "No letter of a long line stands on another, however far from its beginning it is. ".repeat(2);
    let page = |words: &str| {
        let shape = sample::text(words, FontFace::Regular, 10.0, 20.0, 2.0);
        Page { width: 210.0, height: 297.0, items: vec![SceneItem { shape, mark: None }], ..Page::default() }
    };
    let places = |words: &str| -> Vec<f32> {
        let text = svg::write_page(&page(words), "", &ExportOptions::default());
        let document = usvg::roxmltree::Document::parse(&text).expect("well formed");
        let uses = document.descendants().filter(|node| node.has_tag_name("use"));
        uses.map(|node| node.attribute("x").expect("a place").parse().expect("a number")).collect()
    };
    let run = shape(FontFace::Regular, &words);
    assert!(run.width > 50.0, "{} em", run.width);
    let mut pen = 0.0;
    let mut wanted = Vec::new();
    for glyph in &run.glyphs {
        if !moldloft::fonts::glyph_outline(FontFace::Regular, glyph.id).segments.is_empty() {
            wanted.push((pen + glyph.dx) * 1000.0);
        }
        pen += glyph.advance;
    }
    let found = places(&words);
    assert_eq!(found.len(), wanted.len());
    assert!(found.iter().zip(&wanted).all(|(found, wanted)| (found - wanted).abs() < 0.1), "{found:?}");

    // Far beyond every page letters are left out: they would be written at the largest number, one on the other.
    let found = places(&"m".repeat(4000));
    assert!(found.len() > 2000 && found.windows(2).all(|pair| pair[0] < pair[1]), "{}", found.len());
}

#[test]
fn an_svg_page_is_white_unless_asked_otherwise() {
    let scene = sample::scene(1);
    let ground = |options: &ExportOptions| {
        let files = (format_for("svg").expect("SVG").write)(&scene, options, &Progress::default()).expect("files");
        let text = String::from_utf8(files[0].clone()).expect("text");
        let tree = usvg::Tree::from_str(&text, &usvg::Options::default()).expect("an SVG");
        let mut picture = tiny_skia::Pixmap::new(210, 297).expect("room");
        let scale = 25.4 / 96.0;
        resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut picture.as_mut());
        picture.pixels().iter().filter(|pixel| pixel.alpha() < 255).count()
    };
    assert_eq!(ground(&ExportOptions::default()), 0);
    assert!(ground(&ExportOptions::default().background(false)) > 10_000);
}

/// Shapes made of numbers that are none.
fn hostile() -> Scene {
    let mut items = Vec::new();
    for wild in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN_POSITIVE, -1.0, 0.0] {
        let stroke = Stroke { dash: vec![wild, 1.0, wild], ..Stroke::new(Paint { rgb: [1, 2, 3], alpha: wild }, wild) };
        let style = PaintStyle { fill: Some(Paint { rgb: [9, 8, 7], alpha: wild }), stroke: Some(stroke) };
        let plain =
            PaintStyle { fill: None, stroke: Some(Stroke { dash: vec![wild], ..Stroke::new(Paint::grey(0), 0.3) }) };
        let path = Path {
            segments: vec![
                Segment::Close,
                Segment::Line(wild, 3.0),
                Segment::Curve(1.0, wild, 5.0, 6.0, wild, wild),
                Segment::Line(10.0, 10.0),
                Segment::Close,
            ],
            even_odd: true,
        };
        let run = shape(FontFace::Bold, "wild \u{7} \u{fffe} ☃");
        let text = |x, size| {
            Shape::Text(TextLine { shaped: Arc::clone(&run), x, y: wild, size, spacing: wild, paint: Paint::grey(0) })
        };
        let shapes = vec![
            Shape::Rect { rect: Rect::new(wild, 5.0, wild, 6.0), radius: wild, style: style.clone() },
            Shape::Rect { rect: Rect::new(5.0, 5.0, 8.0, 6.0), radius: 0.0, style: plain.clone() },
            Shape::Circle { x: 5.0, y: wild, radius: wild, style: style.clone() },
            Shape::Path(path.clone(), style.clone()),
            Shape::Path(path, plain),
            text(5.0, wild),
            text(wild, 3.0),
        ];
        let transform = Transform { m: [wild, 0.0, wild, 1.0, 2.0, wild] };
        let drawing =
            Arc::new(Drawing { name: String::new(), width: wild, height: 4.0, picture: None, shapes: shapes.clone() });
        let group: Vec<SceneItem> = shapes.iter().map(|shape| SceneItem { shape: shape.clone(), mark: None }).collect();
        items.extend(group.clone());
        items.push(SceneItem { shape: Shape::Use { drawing, transform }, mark: None });
        items.push(SceneItem { shape: Shape::Group { transform, items: group }, mark: None });
    }
    let mut nested = sample::text("deep", FontFace::Regular, 1.0, 1.0, 3.0);
    for _ in 0..500 {
        nested = Shape::Group {
            transform: Transform::translate(0.1, 0.0),
            items: vec![SceneItem { shape: nested, mark: None }],
        };
    }
    items.push(SceneItem { shape: nested, mark: None });
    let page = |width, height| Page {
        width,
        height,
        bookmarks: vec!["\u{0}(\\)é".into()],
        items: items.clone(),
        ..Page::default()
    };
    Scene { pages: vec![page(100.0, 80.0), page(f32::MAX, 80.0)], ..Scene::default() }
}

#[test]
fn hostile_numbers_become_harmless() {
    if outside::lacks(&["qpdf"]) {
        return;
    }
    let scene = hostile();
    let bytes = write_pdf(&scene, false);
    assert!(
        outside::tool("qpdf", &["--check", name(saved(&bytes, ".pdf").path())])
            .contains("No syntax or stream encoding errors")
    );
    let document = Document::load_mem(&bytes).expect("a PDF");
    for stream in
        contents(&document).into_iter().chain(forms(&document).into_iter().map(|id| operations(&document, id)))
    {
        for operand in stream.iter().flat_map(|operation| &operation.operands) {
            if let Ok(number) = operand.as_float() {
                assert!(number.is_finite() && number.abs() <= 2.1e6, "{number}");
            }
        }
    }
    for lettering in [TextMode::Outlined, TextMode::Embedded] {
        for text in svg::write(&scene, &ExportOptions::default().text_mode(lettering)) {
            let document = usvg::roxmltree::Document::parse(&text).expect("well formed");
            for attribute in document.descendants().flat_map(|node| node.attributes().collect::<Vec<_>>()) {
                assert!(
                    attribute.name() == "aria-label"
                        || !(attribute.value().contains("NaN") || attribute.value().contains("inf"))
                );
            }
        }
    }
    render_page(&scene.pages[0], 96.0).expect("a picture");
}

#[test]
fn what_cannot_be_written_is_refused_in_words() {
    let scene = sample::scene(1);
    let at = |dpi| png::write(&scene, &ExportOptions::default().dpi(dpi)).expect_err("refused");
    assert!(matches!(at(f32::NAN), ExportError::NoResolution(_)) && matches!(at(-3.0), ExportError::NoResolution(_)));
    let large = at(20_000.0).to_string();
    assert!(large.contains("more than 200 million") && large.contains("up to 1438 dpi"), "{large}");
    let flat = Scene { pages: vec![Page { width: 10.0, ..Page::default() }], ..Scene::default() };
    assert_eq!(pdf::write(&flat, &ExportOptions::default()), Err(ExportError::NoPaper { page: 1 }));
    assert_eq!(pdf::write(&Scene::default(), &ExportOptions::default()), Err(ExportError::NoPages));
    assert!(format_for("PDF").is_some() && format_for("docx").is_none());
}

#[test]
fn grey_output_has_no_colour() {
    let scene = sample::scene(1);
    let document = Document::load_mem(&write_pdf(&scene, true)).expect("a PDF");
    for stream in
        contents(&document).into_iter().chain(forms(&document).into_iter().map(|id| operations(&document, id)))
    {
        assert!(
            stream
                .iter()
                .all(|operation| !["rg", "RG", "k", "K", "sc", "scn", "SC", "SCN"]
                    .contains(&operation.operator.as_str()))
        );
    }
    let text = svg::write(&scene, &ExportOptions::default().grey(true)).remove(0);
    let document = usvg::roxmltree::Document::parse(&text).expect("well formed");
    for colour in document.descendants().flat_map(|node| [node.attribute("fill"), node.attribute("stroke")]).flatten() {
        assert!(colour == "none" || (colour[1..3] == colour[3..5] && colour[3..5] == colour[5..7]), "{colour}");
    }
    let files = png::write(&scene, &ExportOptions::default().grey(true).dpi(50.0)).expect("files");
    let read = tiny_skia::Pixmap::decode_png(&files[0]).expect("a picture");
    assert!(read.pixels().iter().all(|pixel| pixel.red() == pixel.green() && pixel.green() == pixel.blue()));
    let coloured = png::write(&scene, &ExportOptions::default().dpi(50.0)).expect("files");
    assert_ne!(files, coloured);
}

#[test]
fn a_drawing_is_cut_at_its_edges_everywhere() {
    let style = PaintStyle { fill: Some(Paint::grey(0)), stroke: None };
    let shapes = vec![Shape::Rect { rect: Rect::new(-5.0, -5.0, 20.0, 20.0), radius: 0.0, style }];
    let drawing = Arc::new(Drawing { name: "large".into(), width: 10.0, height: 10.0, picture: None, shapes });
    let shape = Shape::Use { drawing, transform: Transform::translate(20.0, 20.0) };
    let page = Page { width: 50.0, height: 50.0, items: vec![SceneItem { shape, mark: None }], ..Page::default() };
    let scene = Scene { pages: vec![page], ..Scene::default() };
    let own = render_page(&scene.pages[0], 25.4).expect("a picture");
    let dark = |picture: &tiny_skia::Pixmap| {
        picture.pixels().iter().filter(|pixel| pixel.red() < 128 && pixel.alpha() > 128).count()
    };
    assert_eq!(dark(&own), 100);
    let text = svg::write(&scene, &ExportOptions::default()).remove(0);
    let tree = usvg::Tree::from_str(&text, &usvg::Options::default()).expect("an SVG");
    let mut other = tiny_skia::Pixmap::new(50, 50).expect("room");
    resvg::render(&tree, tiny_skia::Transform::from_scale(25.4 / 96.0, 25.4 / 96.0), &mut other.as_mut());
    assert_eq!(dark(&other), 100);
}
