//! Makes a form from marks: boxes become check boxes, fields become text fields. Takes marks, writes PDF objects as
//! they are made; a field and its widget are one object, and boxes of one size share an appearance. An empty text field
//! has none, so that no reader draws over its neighbour.
//!
//! Each fleet also has a hidden field that identifies it. Names are `structure_12` for a single unit,
//! `unit.structure_12` or `fleet.unit.structure_12`, as parents and kids. Fields and annotations are in the order of
//! marks.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::sync::Arc;

use lopdf::{Dictionary, Object, Stream, dictionary};

use super::form_identity::identity_text;
use super::object_writer::ObjectWriter;
use super::structure::{PlacedField, parent_key};
use super::syntax::{put_list, put_object, text_string};
use crate::export::flatten::keeps_rects_upright;
use crate::export::limits::bounded_length;
use crate::export::number::{POINTS_PER_MM, put_steps, to_steps};
use crate::filled_form::IDENTITY_FIELD;
use moldloft_base::hash::fnv128_in_words;
use moldloft_drawing::scene::{
    Cross, Mark, MarkKind, PENCIL, Path, PrintedUnit, Rect, SceneItem, Segment, Shape, Transform,
};

const TICKED: &str = "Yes";
const OFF: &str = "Off";
/// Font size relative to the field's height, and its limits in points.
const FONT_SIZE_RATIO: f32 = 0.66;
const FONT_SIZES: (f32, f32) = (5.0, 10.0);
/// A higher field has several lines, in points.
const MULTILINE_HEIGHT: f32 = 26.0;
/// Field flag: several lines.
const MULTILINE: i64 = 1 << 12;
/// Field flag: read-only.
const READ_ONLY: i64 = 1;
/// Annotation flag: printed.
const PRINT: i64 = 4;
/// Annotation flag: neither shown nor printed.
const HIDDEN: i64 = 2;

pub struct AcroForm {
    owners: Vec<FieldOwner>,
    pages: Vec<PageFields>,
}

struct FieldOwner {
    unit: Option<Arc<PrintedUnit>>,
    /// Page, and index within it.
    fields: Vec<(u32, u32)>,
}

/// Boxes and fields of one page in compact form, since a large job has a million.
#[derive(Default)]
pub struct PageFields {
    fields: Vec<FormField>,
    /// All names and labels, concatenated.
    words: String,
    units: Vec<Option<Arc<PrintedUnit>>>,
}

struct FormField {
    /// Index of the item on the page.
    item: u32,
    unit: u32,
    /// Left, bottom, right, top, in hundredths of a point.
    place: [i32; 4],
    /// End of the name and of the label in the page's `words`; each begins where the one before ends.
    words: (u32, u32),
    /// Margin of the cross, in per cent of the shorter side.
    margin: u8,
    is_text: bool,
    is_ticked: bool,
}

#[derive(Clone, Copy)]
struct NamedField<'a> {
    field: &'a FormField,
    page: u32,
    name: &'a str,
    label: &'a str,
}

impl PageFields {
    /// Adds an item if it is a box or field; `height` is the page's.
    pub fn note_item(&mut self, number: usize, item: &SceneItem, transform: &Transform, height: f32) {
        // On a ship's sheet, items without a box, such as numbers to cross off, can be ticked as well.
        let is_field = |mark: &&Mark| match mark.kind {
            MarkKind::Tick | MarkKind::Write => true,
            MarkKind::Shown => mark.unit.is_some(),
            MarkKind::Cross | MarkKind::Value => false,
        };
        let Some(mark) = item.mark.as_deref().filter(is_field) else { return };
        let Some((rect, free)) = field_rect(&item.shape, transform) else { return };
        let same = |known: &Option<Arc<PrintedUnit>>| match (known, &mark.unit) {
            (Some(known), Some(unit)) => Arc::ptr_eq(known, unit),
            (known, unit) => known.is_none() && unit.is_none(),
        };
        let unit = self.units.iter().rposition(same).unwrap_or_else(|| {
            self.units.push(mark.unit.clone());
            self.units.len() - 1
        });
        let place = [rect.x, height - rect.bottom(), rect.right(), height - rect.y];
        let place = place.map(|mm| to_steps(bounded_length(mm) * POINTS_PER_MM, 2) as i32);
        let free = (free * 100.0).round() as u8;
        self.words.push_str(&mark.name);
        let name = self.words.len() as u32;
        self.words.push_str(&mark.label);
        let words = (name, self.words.len() as u32);
        let (write, ticked) = (mark.kind == MarkKind::Write, mark.ticked);
        self.fields.push(FormField {
            item: number as u32,
            unit: unit as u32,
            place,
            words,
            margin: free,
            is_text: write,
            is_ticked: ticked,
        });
    }

    #[must_use]
    pub fn shrunk(mut self) -> Self {
        self.fields.shrink_to_fit();
        self.words.shrink_to_fit();
        self.units.shrink_to_fit();
        self
    }
}

pub struct WrittenForm {
    pub placed: Vec<Vec<PlacedField>>,
    /// Hidden fields: index of the page, number of the object.
    pub hidden: Vec<(usize, u32)>,
    pub fields: usize,
    pub form: u32,
}

/// Makes field names within a unit unique: fields of the same name would share a value.
#[derive(Default)]
struct FieldNames {
    /// Names in use, with the last serial number tried for each.
    taken: HashMap<String, u32>,
}

impl FieldNames {
    fn unique(&mut self, name: &str) -> String {
        let own = name.replace('.', "-");
        let Some(&known) = self.taken.get(&own) else {
            self.taken.insert(own.clone(), 1);
            return own;
        };
        let mut serial = known;
        loop {
            serial += 1;
            let name = format!("{own}-{serial}");
            if !self.taken.contains_key(&name) {
                self.taken.insert(name.clone(), 1);
                self.taken.insert(own, serial);
                return name;
            }
        }
    }
}

impl AcroForm {
    pub fn from_pages(pages: Vec<PageFields>) -> Self {
        let mut units: Vec<FieldOwner> = Vec::new();
        let mut known: HashMap<(Arc<str>, Arc<str>), usize> = HashMap::new();
        for (page, page_fields) in pages.iter().enumerate() {
            let mut own = page_fields.units.iter().map(|unit| {
                let key =
                    unit.as_ref().map(|unit| (Arc::clone(&unit.fleet), Arc::clone(&unit.key))).unwrap_or_default();
                *known.entry(key).or_insert_with(|| {
                    units.push(FieldOwner { unit: unit.clone(), fields: Vec::new() });
                    units.len() - 1
                })
            });
            let owners: Vec<usize> = own.by_ref().collect();
            drop(own);
            for (place, field) in page_fields.fields.iter().enumerate() {
                if let Some(owner) = owners.get(field.unit as usize).and_then(|&owner| units.get_mut(owner)) {
                    owner.fields.push((page as u32, place as u32));
                }
            }
        }
        units.iter_mut().for_each(|owner| owner.fields.shrink_to_fit());
        Self { owners: units, pages }
    }

    pub fn count(&self) -> usize {
        self.pages.iter().map(|page| page.fields.len()).sum()
    }

    fn named_fields<'a>(&'a self, owner: &'a FieldOwner) -> impl Iterator<Item = NamedField<'a>> {
        owner.fields.iter().filter_map(|&(page, place)| {
            let PageFields { fields, words, .. } = self.pages.get(page as usize)?;
            let field = fields.get(place as usize)?;
            let before = (place as usize).checked_sub(1).and_then(|before| fields.get(before));
            let start = before.map_or(0, |before| before.words.1) as usize;
            let (name, label) = (field.words.0 as usize, field.words.1 as usize);
            Some(NamedField { field, page, name: words.get(start..name)?, label: words.get(name..label)? })
        })
    }

    /// Adds everything that distinguishes forms to the input of the file id.
    pub fn hash_into(&self, all: &mut Vec<u8>) {
        all.extend_from_slice(b"form");
        let mut own = Vec::new();
        for owner in &self.owners {
            own.clear();
            if let Some(unit) = &owner.unit {
                for part in [&unit.fleet, &unit.key, &unit.title, &unit.fleet_title, &unit.fleet_side, &unit.class] {
                    own.extend_from_slice(part.as_bytes());
                    own.push(0);
                }
            }
            let mut names = FieldNames::default();
            for NamedField { field, name, label, .. } in self.named_fields(owner) {
                own.extend_from_slice(names.unique(name).as_bytes());
                own.extend_from_slice(&[0, u8::from(field.is_ticked)]);
                own.extend_from_slice(label.as_bytes());
                field.place.iter().for_each(|edge| own.extend_from_slice(&edge.to_be_bytes()));
            }
            all.extend_from_slice(&fnv128_in_words(&own).to_be_bytes());
        }
    }

    /// `pages`: object numbers of the pages.
    pub fn write(&self, file: &mut ObjectWriter, pages: &[u32]) -> WrittenForm {
        let mut writer = FieldWriter {
            file,
            pages,
            appearances: BTreeMap::new(),
            off_appearance: None,
            mk_dictionary: None,
            fields: 0,
            bytes: Vec::new(),
        };
        let mut placed: Vec<Vec<PlacedField>> = vec![Vec::new(); self.pages.len()];
        let mut roots: Vec<u32> = Vec::new();
        let mut fleets: Vec<(&PrintedUnit, u32, Vec<u32>)> = Vec::new();
        for owner in &self.owners {
            let unit = owner.unit.as_deref().filter(|unit| !unit.key.is_empty());
            let fleet = unit.filter(|unit| !unit.fleet.is_empty());
            let above = fleet.map(|unit| match fleets.iter().position(|(known, ..)| known.fleet == unit.fleet) {
                Some(place) => place,
                None => {
                    let number = writer.file.reserve();
                    roots.push(number);
                    fleets.push((unit, number, Vec::new()));
                    fleets.len() - 1
                }
            });
            let parent = unit.map(|_| writer.file.reserve());
            let mut kids = Vec::with_capacity(owner.fields.len());
            let mut names = FieldNames::default();
            for named in self.named_fields(owner) {
                let serial = writer.fields;
                let object = writer.write_field(&named, &names.unique(named.name), parent);
                kids.push(object);
                if let Some(page) = placed.get_mut(named.page as usize) {
                    page.push(PlacedField { item: named.field.item, object, field: serial });
                }
            }
            let (Some(unit), Some(number)) = (unit, parent) else {
                roots.extend(kids);
                continue;
            };
            match above {
                Some(place) => fleets[place].2.push(number),
                None => roots.push(number),
            }
            writer.write_parent(number, (&unit.key, &unit.title), &kids, above.map(|place| fleets[place].1));
        }
        let mut hidden: Vec<(usize, u32)> = Vec::new();
        for (unit, number, mut kids) in fleets {
            let in_fleet = |owner: &&FieldOwner| owner.unit.as_ref().is_some_and(|own| own.fleet == unit.fleet);
            let owners = || self.owners.iter().filter(in_fleet);
            let page = owners().flat_map(|owner| &owner.fields).map(|&(page, _)| page as usize).min();
            if let (Some(text), Some(page)) = (identity_text(owners().filter_map(|owner| owner.unit.as_ref())), page) {
                let object = writer.write_hidden_field(IDENTITY_FIELD, &text, number, page);
                kids.push(object);
                hidden.push((page, object));
            }
            writer.write_parent(number, (&unit.fleet, &unit.fleet_title), &kids, None);
        }
        let fields = writer.fields as usize;
        WrittenForm { placed, hidden, fields, form: writer.write_form(&roots) }
    }
}

/// Bounds of a marked shape on its page in millimetres, and the margin of a cross in it.
pub fn field_rect(shape: &Shape, transform: &Transform) -> Option<(Rect, f32)> {
    let (rect, free) = match shape {
        Shape::Rect { rect, .. } => (*rect, Cross::FREE),
        Shape::Circle { x, y, radius, .. } => {
            (Rect::new(x - radius, y - radius, radius * 2.0, radius * 2.0), Cross::FREE_ROUND)
        }
        Shape::Path(path, _) => (path.bounds()?, Cross::FREE_POINTED),
        Shape::Text(_) | Shape::Use { .. } | Shape::Group { .. } => return None,
    };
    let corners = [(rect.x, rect.y), (rect.right(), rect.y), (rect.right(), rect.bottom()), (rect.x, rect.bottom())];
    let segments =
        corners.map(|(x, y)| transform.apply(bounded_length(x), bounded_length(y))).map(|(x, y)| Segment::Line(x, y));
    let placed = Path { segments: segments.to_vec(), even_odd: false }.bounds()?;
    // For a rotated shape, its bounding box is used.
    let free = if keeps_rects_upright(transform) { free } else { Cross::FREE_ROUND };
    (placed.w > 0.0 && placed.h > 0.0).then_some((placed, free))
}

struct FieldWriter<'f> {
    file: &'f mut ObjectWriter,
    pages: &'f [u32],
    /// By width, height (in tenths of a point) and margin.
    appearances: BTreeMap<(i64, i64, i64), u32>,
    off_appearance: Option<u32>,
    mk_dictionary: Option<u32>,
    fields: u32,
    bytes: Vec<u8>,
}

impl FieldWriter<'_> {
    /// Written at once: there may be a million.
    fn write_field(&mut self, named: &NamedField<'_>, name: &str, parent: Option<u32>) -> u32 {
        let NamedField { field, label, .. } = *named;
        let place = field.place.map(i64::from);
        let [left, bottom, right, top] = place;
        let mut out = std::mem::take(&mut self.bytes);
        out.clear();
        out.extend_from_slice(b"<</Type/Annot/Subtype/Widget/Rect[");
        for (at, edge) in place.into_iter().enumerate() {
            if at > 0 {
                out.push(b' ');
            }
            put_object(&mut out, &hundredths(edge));
        }
        let _ = write!(out, "]/F {PRINT}/T");
        put_object(&mut out, &text_string(name));
        if let Some(page) = self.pages.get(named.page as usize) {
            let _ = write!(out, "/P {page} 0 R");
        }
        if !label.is_empty() {
            out.extend_from_slice(b"/TU");
            put_object(&mut out, &text_string(label));
        }
        if let Some(parent) = parent {
            let _ = write!(out, "/Parent {parent} 0 R");
        }
        if field.is_text {
            let height = (top - bottom) as f32 / 100.0;
            let several = height > MULTILINE_HEIGHT;
            let size = if several {
                8.0
            } else {
                ((height * FONT_SIZE_RATIO * 2.0).floor() / 2.0).clamp(FONT_SIZES.0, FONT_SIZES.1)
            };
            let _ = write!(out, "/FT/Tx/DA(/Helv {size} Tf 0 g)");
            if several {
                let _ = write!(out, "/Ff {MULTILINE}");
            }
        } else {
            let state = if field.is_ticked { TICKED } else { OFF };
            let _ = write!(out, "/FT/Btn/V/{state}/AS/{state}");
            if field.is_ticked {
                // The printed state, which a reader restores when the form is reset.
                let _ = write!(out, "/DV/{state}");
            }
            let look = self.box_appearance(right - left, top - bottom, i64::from(field.margin));
            let _ = write!(out, "/AP {look} 0 R/MK {} 0 R", self.mk_dictionary());
        }
        let _ = write!(out, "/StructParent {}>>", parent_key(self.pages.len(), self.fields));
        self.fields += 1;
        let number = self.file.reserve();
        self.file.put_bytes(number, &out);
        self.bytes = out;
        number
    }

    fn write_parent(&mut self, number: u32, (name, title): (&str, &str), kids: &[u32], parent: Option<u32>) {
        let mut bytes = b"<</T".to_vec();
        put_object(&mut bytes, &text_string(name));
        bytes.extend_from_slice(b"/TU");
        put_object(&mut bytes, &text_string(title));
        put_list(&mut bytes, b"/Kids", kids);
        if let Some(parent) = parent {
            bytes.extend_from_slice(format!("/Parent {parent} 0 R").as_bytes());
        }
        bytes.extend_from_slice(b">>");
        self.file.put_bytes(number, &bytes);
    }

    fn write_form(&mut self, roots: &[u32]) -> u32 {
        let letters = self.write_object(dictionary! {
            "Type" => "Font",
            "Subtype" => "Type1",
            "BaseFont" => "Helvetica",
            "Encoding" => "WinAnsiEncoding",
        });
        let signs =
            self.write_object(dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "ZapfDingbats" });
        let number = self.file.reserve();
        let mut bytes = b"<<".to_vec();
        put_list(&mut bytes, b"/Fields", roots);
        bytes.extend_from_slice(
            format!("/DR<</Font<</Helv {letters} 0 R/ZaDb {signs} 0 R>>>>/DA(/Helv 8 Tf 0 g)>>").as_bytes(),
        );
        self.file.put_bytes(number, &bytes);
        number
    }

    fn write_object(&mut self, object: impl Into<Object>) -> u32 {
        let number = self.file.reserve();
        self.file.put_object(number, &object.into());
        number
    }

    /// A hidden field, which other programs keep when they fill in or export the form.
    fn write_hidden_field(&mut self, name: &str, text: &str, parent: u32, page: usize) -> u32 {
        let off = self.off_appearance();
        let mut dict = dictionary! {
            "Type" => "Annot",
            "Subtype" => "Widget",
            "Rect" => vec![0.into(), 0.into(), 0.into(), 0.into()],
            "F" => HIDDEN,
            "FT" => "Tx",
            "Ff" => READ_ONLY,
            "T" => text_string(name),
            "TU" => text_string("the fleet of this form"),
            "V" => text_string(text),
            "DA" => Object::string_literal("/Helv 8 Tf 0 g"),
            "Parent" => (parent, 0),
            "AP" => dictionary! { "N" => (off, 0) },
        };
        if let Some(&page) = self.pages.get(page) {
            dict.set("P", (page, 0));
        }
        self.write_object(dict)
    }

    fn off_appearance(&mut self) -> u32 {
        if let Some(off) = self.off_appearance {
            return off;
        }
        let off = self.write_object(Stream::new(form_xobject(1, 1), Vec::new()).with_compression(false));
        self.off_appearance = Some(off);
        off
    }

    /// Appearances of boxes of one size: crossed and empty; the page itself draws the outline.
    fn box_appearance(&mut self, width: i64, height: i64, free: i64) -> u32 {
        // Boxes that differ by a tenth of a point share an appearance, which readers fit to the box.
        let key = ((width + 5) / 10, (height + 5) / 10, free);
        if let Some(&known) = self.appearances.get(&key) {
            return known;
        }
        let off = self.off_appearance();
        let (wide, high) = (key.0 * 10, key.1 * 10);
        let points = |hundredths: i64| hundredths as f32 / 100.0;
        let cross = Cross::in_rect(&Rect::new(0.0, 0.0, points(wide), points(high)), free as f32 / 100.0);
        let mut content = Vec::new();
        let put = |content: &mut Vec<u8>, value: f32, operator: &[u8]| {
            put_steps(content, to_steps(value, 2), 2);
            content.extend_from_slice(operator);
        };
        put(&mut content, f32::from(PENCIL.rgb[0]) / 255.0, b" G 1 J ");
        put(
            &mut content,
            (cross.width * points(wide.min(high))).clamp(0.25 * POINTS_PER_MM, 0.7 * POINTS_PER_MM),
            b" w\n",
        );
        for [ax, ay, bx, by] in cross.lines {
            for (value, operator) in [(ax, &b" "[..]), (ay, b" m "), (bx, b" "), (by, b" l\n")] {
                put(&mut content, value, operator);
            }
        }
        content.extend_from_slice(b"S");
        let ticked = self.write_object(Stream::new(form_xobject(wide, high), content).with_compression(false));
        let look = self.write_object(dictionary! { "N" => dictionary! { TICKED => (ticked, 0), OFF => (off, 0) } });
        self.appearances.insert(key, look);
        look
    }

    /// For readers that draw boxes themselves: a cross.
    fn mk_dictionary(&mut self) -> u32 {
        let sign = match self.mk_dictionary {
            Some(sign) => sign,
            None => self.write_object(dictionary! { "CA" => Object::string_literal("8") }),
        };
        self.mk_dictionary = Some(sign);
        sign
    }
}

/// Size in hundredths of a point.
fn form_xobject(width: i64, height: i64) -> Dictionary {
    let bounds = vec![0.into(), 0.into(), hundredths(width), hundredths(height)];
    dictionary! { "Type" => "XObject", "Subtype" => "Form", "BBox" => bounds, "Resources" => dictionary! {} }
}

fn hundredths(value: i64) -> Object {
    if value % 100 == 0 { (value / 100).into() } else { Object::Real((value as f64 / 100.0) as f32) }
}
