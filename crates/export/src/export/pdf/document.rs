//! Assembles the file: printpdf makes the document, fonts, forms and metadata; the object tree is corrected before
//! saving where printpdf is wrong or incomplete. Contains nothing random and no time.

use std::collections::{BTreeSet, HashMap};

use lopdf::{Dictionary, Document, Object, ObjectId, Stream, StringFormat, dictionary};
use printpdf::{
    Codepoint, ExtendedGraphicsState, ExtendedGraphicsStateId, ExternalStream, ExternalXObject, FontId, Mm, Op,
    ParsedFont, PdfDocument, PdfFont, PdfFontHandle, PdfPage, PdfSaveOptions, Pt, TextItem, XObject, XObjectId,
};

use super::acroform::AcroForm;
use super::code_map;
use super::content::{EncodedContent, PICTURE};
use super::graphics_state::font_name;
use super::object_writer::ObjectWriter;
use super::shared_content::{EncodedPages, PageStreams};
use super::stamp::StampForm;
use super::structure::{self, MarkedLines, PlacedField, TaggedPage};
use super::syntax::{compress, text_string};
use super::usage::{EmbeddedFont, SceneUsage};
use crate::export::limits::bounded_length;
use crate::export::number::{POINTS_PER_MM, UNITS_PER_MM};
use crate::export::page_work::ExportError;
use crate::export::picture::PixelStreams;
use moldloft_base::hash::fnv128_in_words;
use moldloft_drawing::fonts::{self, FontFace};
use moldloft_drawing::scene::{Bookmark, Scene};

/// Shorter content, in bytes, takes no fewer compressed.
const SHORT_CONTENT: usize = 160;
/// Approximate bytes of the file per field, parents included.
const BYTES_PER_FIELD: usize = 96;

pub fn assemble(
    scene: &Scene,
    sizes: &[(f32, f32)],
    usage: &SceneUsage,
    drawings: Vec<EncodedContent>,
    encoded: EncodedPages,
    as_form: bool,
) -> Result<Vec<u8>, ExportError> {
    let EncodedPages { streams, mut pages } = encoded;
    let fields = pages.iter_mut().map(|page| std::mem::take(&mut page.fields));
    let form = if as_form { Some(AcroForm::from_pages(fields.collect())) } else { None };
    let stamps: BTreeSet<StampForm> = pages.iter().flat_map(|page| &page.stamps).copied().collect();
    let id = file_id(scene, usage, (&drawings, &stamps), &streams, form.as_ref());
    let lines: Vec<MarkedLines> = pages.iter_mut().map(|page| std::mem::take(&mut page.lines)).collect();
    let mut plan = PdfDocument::new(&scene.meta.title);
    plan.metadata.info.author.clone_from(&scene.meta.author);
    plan.metadata.info.subject.clone_from(&scene.meta.subject);
    plan.metadata.info.creator = "Moldloft".into();
    plan.metadata.info.producer = format!("Moldloft {} (printpdf)", env!("CARGO_PKG_VERSION"));
    let used = add_fonts(&mut plan, usage)?;
    add_opacities(&mut plan, drawings.iter().chain(&pages));
    let needs: Vec<BTreeSet<usize>> = drawings.iter().map(|drawing| drawing.drawings.clone()).collect();
    let mut add_form = |name: String, content: Vec<u8>| {
        let stream = ExternalStream { dict: Default::default(), content, compress: false };
        let form = ExternalXObject { stream, width: None, height: None, dpi: None };
        plan.resources.xobjects.map.insert(XObjectId(name), XObject::External(form));
    };
    for (number, encoded) in
        drawings.into_iter().enumerate().filter(|(number, _)| usage.drawings[*number].inline.is_none())
    {
        add_form(drawing_name(number), encoded.bytes);
    }
    stamps.iter().for_each(|stamp| add_form(stamp.name(), Vec::new()));
    // The first page carries every glyph, so that printpdf embeds them; the real contents are inserted below.
    plan.pages = sizes.iter().map(|&(width, height)| PdfPage::new(Mm(width), Mm(height), Vec::new())).collect();
    if let Some(first) = plan.pages.first_mut() {
        first.ops = used;
    }
    let layout = PdfSaveOptions { optimize: false, subset_fonts: false, secure: false, image_optimization: None };
    let mut document = plan.to_lopdf_document(&layout, &mut Vec::new());
    let failed = |error: lopdf::Error| ExportError::Failed(error.to_string());
    patch(&mut document, scene, sizes, usage, (&needs, &stamps), streams, id).map_err(failed)?;
    save(document, scene, form, &lines).map_err(failed)?
}

/// Writes each object as it is made, since a form can have a million.
fn save(
    mut document: Document,
    scene: &Scene,
    form: Option<AcroForm>,
    lines: &[MarkedLines],
) -> Result<Result<Vec<u8>, ExportError>, lopdf::Error> {
    // A form's many small objects compress better together.
    let packed = if form.is_some() { 400 } else { 100 };
    let streams = document.objects.values().filter_map(|object| object.as_stream().ok());
    let content: usize = streams.map(|stream| stream.content.len() + 100).sum();
    let fields = form.as_ref().map_or(0, AcroForm::count);
    let mut file = ObjectWriter::new(document.max_id, packed, content + fields * BYTES_PER_FIELD + 20_000);
    // By page: its key in the parent tree, its fields in reading order, the hidden ones.
    let mut fields: HashMap<u32, (i64, Vec<PlacedField>, Vec<u32>)> = HashMap::new();
    if let Some(form) = form {
        let pages: Vec<u32> = document.get_pages().into_values().map(|(number, _)| number).collect();
        let written = form.write(&mut file, &pages);
        drop(form);
        let tagged = scene.pages.iter().zip(lines).zip(&written.placed).zip(&pages);
        let tagged = tagged.map(|(((page, lines), fields), &number)| {
            let title = page.bookmarks.first().map_or("", |mark| &mark.title);
            TaggedPage { page: number, lines, fields, title }
        });
        let tree = structure::write_tree(&mut file, tagged, written.fields);
        let catalog = document.trailer.get(b"Root")?.as_reference()?;
        let catalog = document.get_dictionary_mut(catalog)?;
        catalog.set("AcroForm", (written.form, 0));
        catalog.set("StructTreeRoot", (tree, 0));
        catalog.set("MarkInfo", dictionary! { "Marked" => true });
        let own = pages.into_iter().zip(written.placed).zip(lines).enumerate();
        let own = own.filter(|(_, ((_, placed), lines))| !(placed.is_empty() && lines.is_empty()));
        let hidden = |n| written.hidden.iter().filter(|(page, _)| *page == n).map(|&(_, object)| object).collect();
        fields = own.map(|(n, ((page, placed), _))| (page, (n as i64, placed, hidden(n)))).collect();
    }
    for ((number, _), mut object) in std::mem::take(&mut document.objects) {
        if let (Some((key, placed, hidden)), Ok(page)) = (fields.remove(&number), object.as_dict_mut()) {
            page.set("StructParents", key);
            if !placed.is_empty() {
                let annotations = placed.iter().map(|one| one.object).chain(hidden);
                page.set("Annots", annotations.map(|object| (object, 0).into()).collect::<Vec<Object>>());
                page.set("Tabs", "S");
            }
        }
        file.put_object(number, &object);
    }
    Ok(file.finish(&document.trailer))
}

fn drawing_name(number: usize) -> String {
    format!("D{number}")
}

/// Adds the fonts; returns operations that name every glyph with its text.
fn add_fonts(plan: &mut PdfDocument, usage: &SceneUsage) -> Result<Vec<Op>, ExportError> {
    let mut ops = vec![Op::StartTextSection];
    for face in FontFace::WITH_FALLBACK {
        let Some(font) = &usage.fonts[face as usize] else { continue };
        let Some(mut parsed) = ParsedFont::from_bytes(&font.subset.bytes, 0, &mut Vec::new()) else {
            return Err(ExportError::Failed(format!("the font {} is damaged", face.postscript_name())));
        };
        parsed.font_name = Some(format!("{}+{}", subset_tag(font), face.postscript_name()));
        let id = FontId(font_name(face).into());
        ops.push(Op::SetFont { font: PdfFontHandle::External(id.clone()), size: Pt(1.0) });
        let glyphs =
            font.letters.values().map(|(glyph, text)| Codepoint::with_cid(*glyph, 0.0, text.clone())).collect();
        ops.push(Op::ShowText { items: vec![TextItem::GlyphIds(glyphs)] });
        plan.resources.fonts.map.insert(id, PdfFont::new(parsed));
    }
    ops.push(Op::EndTextSection);
    Ok(ops)
}

fn subset_tag(font: &EmbeddedFont) -> String {
    let mut hash = fnv128_in_words(&font.subset.bytes);
    (0..6)
        .map(|_| {
            let letter = char::from(b'A' + (hash % 26) as u8);
            hash /= 26;
            letter
        })
        .collect()
}

fn add_opacities<'a>(plan: &mut PdfDocument, streams: impl Iterator<Item = &'a EncodedContent>) {
    for stream in streams {
        for &alpha in &stream.fills {
            let mut state = ExtendedGraphicsState::default();
            state.set_current_fill_alpha(f32::from(alpha) / 100.0);
            plan.resources.extgstates.map.insert(ExtendedGraphicsStateId(format!("F{alpha}")), state);
        }
        for &alpha in &stream.strokes {
            let mut state = ExtendedGraphicsState::default();
            state.set_current_stroke_alpha(f32::from(alpha) / 100.0);
            plan.resources.extgstates.map.insert(ExtendedGraphicsStateId(format!("S{alpha}")), state);
        }
    }
}

fn patch(
    document: &mut Document,
    scene: &Scene,
    sizes: &[(f32, f32)],
    usage: &SceneUsage,
    (needs, stamps): (&[BTreeSet<usize>], &BTreeSet<StampForm>),
    contents: PageStreams,
    id: [u8; 16],
) -> Result<(), lopdf::Error> {
    document.version = "1.7".into();
    let catalog = document.trailer.get(b"Root")?.as_reference()?;
    let tree = document.get_dictionary(catalog)?.get(b"Pages")?.as_reference()?;
    let page_ids: Vec<ObjectId> = document
        .get_dictionary(tree)?
        .get(b"Kids")?
        .as_array()?
        .iter()
        .filter_map(|kid| kid.as_reference().ok())
        .collect();

    let resources = share_resources(document, tree, &page_ids)?;
    patch_fonts(document, &resources, usage)?;
    patch_forms(document, &resources, usage, needs)?;
    patch_stamps(document, &resources, usage, stamps)?;
    let group = !resources.opacities.is_empty();
    let streams: Vec<ObjectId> =
        contents.streams.into_iter().map(|bytes| document.add_object(stream(dictionary! {}, bytes))).collect();
    for ((&page_id, &(width, height)), own) in page_ids.iter().zip(sizes).zip(contents.pages) {
        let replaced = document.get_dictionary(page_id)?.get(b"Contents")?.as_reference()?;
        document.objects.remove(&replaced);
        let page = document.get_dictionary_mut(page_id)?;
        let own: Vec<Object> = own.into_iter().filter_map(|at| streams.get(at)).map(|&id| id.into()).collect();
        match <[Object; 1]>::try_from(own) {
            Ok([only]) => page.set("Contents", only),
            Err(several) => page.set("Contents", several),
        }
        for name in ["MediaBox", "CropBox", "TrimBox"] {
            page.set(name, vec![0.into(), 0.into(), points_object(width), points_object(height)]);
        }
        page.remove(b"Annots");
        page.remove(b"Resources");
        if group {
            // Without it, readers choose the colour space for blending.
            page.set("Group", dictionary! { "S" => "Transparency", "CS" => "DeviceRGB" });
        }
    }
    let outline = add_bookmarks(document, scene, &page_ids);
    let catalog = document.get_dictionary_mut(catalog)?;
    catalog.set("PageMode", if outline.is_some() { "UseOutlines" } else { "UseNone" });
    catalog.set("PageLayout", "SinglePage");
    // Scaled to the printer's margins, chits and rulers would no longer be true to size.
    catalog.set("ViewerPreferences", dictionary! { "PrintScaling" => "None", "DisplayDocTitle" => true });
    let language = if scene.meta.language.is_empty() { "en" } else { &scene.meta.language };
    catalog.set("Lang", text_string(language));
    if let Some(outline) = outline {
        catalog.set("Outlines", outline);
    }
    patch_info(document, scene)?;
    let id = || Object::String(id.to_vec(), StringFormat::Hexadecimal);
    document.trailer.set("ID", vec![id(), id()]);
    document.renumber_objects();
    Ok(())
}

struct Resources {
    fonts: Object,
    opacities: Dictionary,
    forms: Dictionary,
}

fn share_resources(document: &mut Document, tree: ObjectId, pages: &[ObjectId]) -> Result<Resources, lopdf::Error> {
    let Some(&first) = pages.first() else {
        return Ok(Resources { fonts: dictionary! {}.into(), opacities: dictionary! {}, forms: dictionary! {} });
    };
    let own = document.get_dictionary(first)?.get(b"Resources")?.as_reference()?;
    let own = document.get_dictionary(own)?.clone();
    let part = |name: &[u8]| document.get_dictionary(own.get(name)?.as_reference()?).cloned();
    let resources =
        Resources { fonts: own.get(b"Font")?.clone(), opacities: part(b"ExtGState")?, forms: part(b"XObject")? };
    let mut shared = dictionary! { "Font" => resources.fonts.clone() };
    if !resources.forms.is_empty() {
        shared.set("XObject", own.get(b"XObject")?.clone());
    }
    if !resources.opacities.is_empty() {
        shared.set("ExtGState", own.get(b"ExtGState")?.clone());
    }
    let unused: Vec<ObjectId> = pages
        .iter()
        .map(|&page| document.get_dictionary(page)?.get(b"Resources")?.as_reference())
        .chain([own.get(b"Shading").and_then(Object::as_reference)])
        .collect::<Result<_, _>>()?;
    for id in unused {
        document.objects.remove(&id);
    }
    for name in [b"XObject".as_slice(), b"ExtGState"] {
        if !shared.has(name) {
            document.objects.remove(&own.get(name)?.as_reference()?);
        }
    }
    document.get_dictionary_mut(tree)?.set("Resources", shared);
    Ok(resources)
}

/// Compresses the font streams and adds the cap height, which printpdf does not know. Glyphs of a font with few of them
/// have codes of one byte.
fn patch_fonts(document: &mut Document, resources: &Resources, usage: &SceneUsage) -> Result<(), lopdf::Error> {
    let Ok(fonts) = resources.fonts.as_reference() else { return Ok(()) };
    let fonts = document.get_dictionary(fonts)?.clone();
    for face in FontFace::WITH_FALLBACK {
        let Ok(own) = fonts.get(font_name(face).as_bytes()).and_then(Object::as_reference) else { continue };
        let words = document.get_dictionary(own)?.get(b"ToUnicode")?.as_reference()?;
        if let Some(embedded) = usage.fonts[face as usize].as_ref().filter(|font| font.code_bytes() == 1) {
            let codes = document.add_object(code_map::glyphs_of_codes(&embedded.letters));
            document.get_dictionary_mut(own)?.set("Encoding", codes);
            document.get_object_mut(words)?.as_stream_mut()?.set_content(code_map::words_of_codes(&embedded.letters));
        }
        let font = document.get_dictionary(own)?;
        let inner =
            font.get(b"DescendantFonts")?.as_array()?.first().ok_or(lopdf::Error::DictKey("DescendantFonts".into()))?;
        let descriptor = inner.as_dict()?.get(b"FontDescriptor")?.as_reference()?;
        let program = document.get_dictionary(descriptor)?.get(b"FontFile2")?.as_reference()?;
        let heights = fonts::FontFace::metrics(face);
        document.get_dictionary_mut(descriptor)?.set("CapHeight", (heights.cap_height * 1000.0).round() as i64);
        for id in [words, program] {
            let stream = document.get_object_mut(id)?.as_stream_mut()?;
            let length = stream.content.len() as i64;
            stream.dict.set("Length1", length);
            stream.set_content(compress(&stream.content));
            stream.dict.set("Filter", "FlateDecode");
        }
        document.get_object_mut(words)?.as_stream_mut()?.dict.remove(b"Length1");
    }
    Ok(())
}

fn patch_forms(
    document: &mut Document,
    resources: &Resources,
    usage: &SceneUsage,
    needs: &[BTreeSet<usize>],
) -> Result<(), lopdf::Error> {
    for (number, drawn) in usage.drawings.iter().enumerate().filter(|(_, drawn)| drawn.inline.is_none()) {
        let id = resources.forms.get(drawing_name(number).as_bytes())?.as_reference()?;
        let mut own = dictionary! { "Font" => resources.fonts.clone() };
        if !resources.opacities.is_empty() {
            own.set("ExtGState", resources.opacities.clone());
        }
        let mut shown = Dictionary::new();
        for &inner in needs.get(number).into_iter().flatten() {
            shown.set(drawing_name(inner), resources.forms.get(drawing_name(inner).as_bytes())?.clone());
        }
        if let Some(picture) = &drawn.picture {
            shown.set(PICTURE, add_picture(document, picture));
        }
        if !shown.is_empty() {
            own.set("XObject", shown);
        }
        let (width, height) = (bounded_length(drawn.drawing.width), bounded_length(drawn.drawing.height));
        let units = |mm: f32| Object::Real((mm * UNITS_PER_MM * 100.0).round() / 100.0);
        let dict = dictionary! {
            "Type" => "XObject",
            "Subtype" => "Form",
            "BBox" => vec![0.into(), 0.into(), units(width), units(height)],
            "Resources" => own,
        };
        let content = std::mem::take(&mut document.get_object_mut(id)?.as_stream_mut()?.content);
        let form = if content.len() < SHORT_CONTENT {
            Stream::new(dict, content).with_compression(false)
        } else {
            stream(dict, compress(&content))
        };
        document.set_object(id, form);
    }
    Ok(())
}

/// What several pages draw: short, and drawn with what is set on the page.
fn patch_stamps(
    document: &mut Document,
    resources: &Resources,
    usage: &SceneUsage,
    stamps: &BTreeSet<StampForm>,
) -> Result<(), lopdf::Error> {
    for &stamp in stamps {
        let id = resources.forms.get(stamp.name().as_bytes())?.as_reference()?;
        let (content, bounds) = usage.stamps.content(stamp);
        let bounds: Vec<Object> = bounds.iter().map(|side| (side.round() as i64).into()).collect();
        let dict = dictionary! { "Subtype" => "Form", "BBox" => bounds };
        document.set_object(id, Stream::new(dict, content).with_compression(false));
    }
    Ok(())
}

fn add_picture(document: &mut Document, picture: &PixelStreams) -> ObjectId {
    let mut add = |colours: &str, filter: &str, bytes: &[u8], opacity: Option<ObjectId>| {
        let mut dict = dictionary! {
            "Type" => "XObject",
            "Subtype" => "Image",
            "Width" => i64::from(picture.width),
            "Height" => i64::from(picture.height),
            "ColorSpace" => colours,
            "BitsPerComponent" => 8,
            "Filter" => filter,
        };
        if let Some(opacity) = opacity {
            dict.set("SMask", opacity);
        }
        document.add_object(Stream::new(dict, bytes.to_vec()).with_compression(false))
    };
    let opacity = picture.opacity.as_ref().map(|bytes| add("DeviceGray", "FlateDecode", bytes, None));
    let filter = if picture.is_jpeg { "DCTDecode" } else { "FlateDecode" };
    add(if picture.grey { "DeviceGray" } else { "DeviceRGB" }, filter, &picture.colours, opacity)
}

/// Adds the bookmarks of all pages, nested by depth; returns the id of the outline.
fn add_bookmarks(document: &mut Document, scene: &Scene, pages: &[ObjectId]) -> Option<ObjectId> {
    let marks: Vec<(&Bookmark, ObjectId, f32)> = (scene.pages.iter().zip(pages))
        .flat_map(|(page, &id)| page.bookmarks.iter().map(move |mark| (mark, id, page.height)))
        .collect();
    if marks.is_empty() {
        return None;
    }
    let first = document.max_id + 1;
    let id = |n: usize| (first + n as u32, 0);
    let outline = id(marks.len());
    document.max_id = outline.0;
    // Parent of each entry; one that is too deep is placed below the one before it.
    let mut parents: Vec<Option<usize>> = Vec::with_capacity(marks.len());
    let mut open: Vec<usize> = Vec::new();
    for (n, (mark, ..)) in marks.iter().enumerate() {
        open.truncate(usize::from(mark.depth));
        parents.push(open.last().copied());
        open.push(n);
    }
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); marks.len() + 1];
    for (n, parent) in parents.iter().enumerate() {
        below[parent.unwrap_or(marks.len())].push(n);
    }
    for siblings in &below {
        for (at, &n) in siblings.iter().enumerate() {
            let (mark, page, height) = marks[n];
            let mut entry = dictionary! {
                "Title" => text_string(&mark.title),
                "Parent" => parents[n].map_or(outline, id),
                "Dest" => vec![page.into(), "XYZ".into(), 0.into(), points_object(bounded_length(height)), Object::Null],
            };
            if at > 0 {
                entry.set("Prev", id(siblings[at - 1]));
            }
            if let Some(&next) = siblings.get(at + 1) {
                entry.set("Next", id(next));
            }
            if let (Some(&first), Some(&last)) = (below[n].first(), below[n].last()) {
                entry.set("First", id(first));
                entry.set("Last", id(last));
                // Collapsed below the top level.
                entry.set("Count", -(below[n].len() as i64));
            }
            document.set_object(id(n), entry);
        }
    }
    let top = &below[marks.len()];
    let mut entry = dictionary! { "Type" => "Outlines", "Count" => top.len() as i64 };
    if let (Some(&first), Some(&last)) = (top.first(), top.last()) {
        entry.set("First", id(first));
        entry.set("Last", id(last));
    }
    document.set_object(outline, entry);
    Some(outline)
}

/// Keeps only what is known: no dates, no PDF/X claim.
fn patch_info(document: &mut Document, scene: &Scene) -> Result<(), lopdf::Error> {
    let info = document.trailer.get(b"Info")?.as_reference()?;
    let info = document.get_dictionary_mut(info)?;
    for name in ["CreationDate", "ModDate", "GTS_PDFXVersion", "Identifier", "Keywords", "Trapped"] {
        info.remove(name.as_bytes());
    }
    for (name, text) in [("Title", &scene.meta.title), ("Author", &scene.meta.author), ("Subject", &scene.meta.subject)]
    {
        if text.is_empty() {
            info.remove(name.as_bytes());
        } else {
            info.set(name, text_string(text));
        }
    }
    Ok(())
}

fn points_object(millimetres: f32) -> Object {
    let thousandths = (f64::from(millimetres) * f64::from(POINTS_PER_MM) * 1000.0).round();
    Object::Real((thousandths / 1000.0) as f32)
}

fn stream(mut dict: Dictionary, compressed: Vec<u8>) -> Stream {
    dict.set("Filter", "FlateDecode");
    Stream::new(dict, compressed).with_compression(false)
}

fn file_id(
    scene: &Scene,
    usage: &SceneUsage,
    (drawings, stamps): (&[EncodedContent], &BTreeSet<StampForm>),
    pages: &PageStreams,
    form: Option<&AcroForm>,
) -> [u8; 16] {
    let mut all = Vec::new();
    for text in [&scene.meta.title, &scene.meta.author, &scene.meta.subject] {
        all.extend_from_slice(text.as_bytes());
        all.push(0);
    }
    for page in &scene.pages {
        all.extend_from_slice(&page.width.to_bits().to_be_bytes());
        all.extend_from_slice(&page.height.to_bits().to_be_bytes());
        for mark in &page.bookmarks {
            all.push(mark.depth);
            all.extend_from_slice(mark.title.as_bytes());
        }
    }
    let pictures = usage.drawings.iter().filter_map(|drawn| drawn.picture.as_ref());
    let pictures = pictures.flat_map(|picture| [Some(&picture.colours), picture.opacity.as_ref()]).flatten();
    for stream in drawings.iter().map(|drawing| &drawing.bytes).chain(&pages.streams).chain(pictures) {
        all.extend_from_slice(&fnv128_in_words(stream).to_be_bytes());
    }
    for &stamp in stamps {
        all.extend(usage.stamps.content(stamp).0);
    }
    for own in &pages.pages {
        for &number in [own.len()].iter().chain(own) {
            all.extend_from_slice(&(number as u64).to_be_bytes());
        }
    }
    if let Some(form) = form {
        form.hash_into(&mut all);
    }
    fnv128_in_words(&all).to_be_bytes()
}
