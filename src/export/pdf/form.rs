//! Makes a form of a scene's marks: every box to tick a check box, every field to write in a text field. Takes marks, gives objects of the
//! file: each field is one object, with its place on the page in it; boxes of a size share one appearance. A text field has none while it is
//! empty, so that no reader writes into what another field shows.
//!
//! A fleet has a hidden field besides, which says what fleet it is.
//!
//! Names are `structure_12` for a unit alone, `unit.structure_12`, or `fleet.unit.structure_12`, parents and kids. The order of fields and
//! of a page's annotations is the order of the marks.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use lopdf::{Dictionary, Document, Object, ObjectId, Stream, dictionary};

use super::document::words;
use super::identity;
use super::structure::Placed;
use crate::export::flat::{self, keeps_upright};
use crate::export::number::{POINTS, put_steps, steps};
use crate::export::safe;
use crate::scene::{Cross, Mark, MarkKind, PENCIL, Path, Rect, Scene, Segment, Shape, Transform, Unit};

/// The state of a ticked box, and of one that is not.
const TICKED: &str = "Yes";
const OFF: &str = "Off";
/// Letters in a field are so much of its height, and between these sizes, in points.
const LETTER: f32 = 0.66;
const LETTERS: (f32, f32) = (5.0, 10.0);
/// A field higher than this takes several lines, in points.
const SEVERAL_LINES: f32 = 26.0;
/// Field flag: several lines.
const MULTILINE: i64 = 1 << 12;
/// Field flag: nobody writes in it.
const READ_ONLY: i64 = 1;
/// Annotation flag: is printed.
const PRINTED: i64 = 4;
/// Annotation flag: is neither shown nor printed.
const HIDDEN: i64 = 2;

/// The fields of a scene.
pub struct Form<'a> {
    units: Vec<Owner<'a>>,
    pages: usize,
}

/// A unit and its fields.
struct Owner<'a> {
    unit: Option<&'a Arc<Unit>>,
    fields: Vec<Field<'a>>,
}

struct Field<'a> {
    mark: &'a Mark,
    /// The mark's name, fit to be part of a field's.
    name: String,
    page: usize,
    /// Its place among the page's items.
    at: usize,
    /// Left, bottom, right, top, in hundredths of a point.
    place: [i64; 4],
    /// Part of the shorter side that a cross leaves free, in hundredths.
    free: i64,
}

impl<'a> Form<'a> {
    /// Gathers the marks, unit by unit as they come.
    pub fn of(scene: &'a Scene, sizes: &[(f32, f32)]) -> Self {
        let mut units: Vec<Owner<'a>> = Vec::new();
        let mut known: HashMap<(&str, &str), usize> = HashMap::new();
        let mut names: Vec<HashSet<String>> = Vec::new();
        for (at, (page, &(_, height))) in scene.pages.iter().zip(sizes).enumerate() {
            flat::each(&page.items, &mut |place_in_page, item, transform| {
                // What a ship's sheet shows without a box, such as numbers to strike out, is ticked as boxes are.
                let is_field = |mark: &&Mark| match mark.kind {
                    MarkKind::Tick | MarkKind::Write => true,
                    MarkKind::Shown => mark.unit.is_some(),
                    MarkKind::Cross => false,
                };
                let Some(mark) = item.mark.as_deref().filter(is_field) else { return };
                let Some((rect, free)) = room(&item.shape, transform) else { return };
                let key = mark.unit.as_ref().map_or(("", ""), |unit| (&*unit.fleet, &*unit.key));
                let owner = *known.entry(key).or_insert_with(|| {
                    units.push(Owner { unit: mark.unit.as_ref(), fields: Vec::new() });
                    names.push(HashSet::new());
                    units.len() - 1
                });
                let place = [rect.x, height - rect.bottom(), rect.right(), height - rect.y];
                let place = place.map(|mm| steps(safe(mm) * POINTS, 2));
                let own = mark.name.replace('.', "-");
                // Fields of one name would be filled in together.
                let (mut name, mut serial) = (own.clone(), 2);
                while !names[owner].insert(name.clone()) {
                    name = format!("{own}-{serial}");
                    serial += 1;
                }
                let free = (free * 100.0).round() as i64;
                units[owner].fields.push(Field { mark, name, page: at, at: place_in_page, place, free });
            });
        }
        Self { units, pages: scene.pages.len() }
    }

    /// Adds all that tells this form from another to what the file is known by.
    pub fn tell(&self, all: &mut Vec<u8>) {
        all.extend_from_slice(b"form");
        for owner in &self.units {
            if let Some(unit) = owner.unit {
                for part in [&unit.fleet, &unit.key, &unit.title, &unit.fleet_title, &unit.fleet_side, &unit.class] {
                    all.extend_from_slice(part.as_bytes());
                    all.push(0);
                }
            }
            for field in &owner.fields {
                all.extend_from_slice(field.name.as_bytes());
                all.extend_from_slice(&[0, u8::from(field.mark.taken)]);
                all.extend_from_slice(field.mark.label.as_bytes());
                field.place.iter().for_each(|edge| all.extend_from_slice(&edge.to_be_bytes()));
            }
        }
    }

    /// Puts the fields into a finished document; gives those of each page.
    ///
    /// # Errors
    /// When the document is not what it should be.
    pub fn add(self, document: &mut Document) -> Result<Vec<Vec<Placed>>, lopdf::Error> {
        let pages: Vec<ObjectId> = document.get_pages().into_values().collect();
        let mut maker = Maker { document, pages: &pages, looks: BTreeMap::new(), off: None, signs: None };
        let mut placed: Vec<Vec<Placed>> = vec![Vec::new(); self.pages];
        let mut roots: Vec<Object> = Vec::new();
        let mut fleets: Vec<(&str, ObjectId, Vec<Object>)> = Vec::new();
        for owner in &self.units {
            let unit = owner.unit.filter(|unit| !unit.key.is_empty());
            let fleet = unit.filter(|unit| !unit.fleet.is_empty());
            let above = fleet.map(|unit| match fleets.iter().position(|known| *known.0 == *unit.fleet) {
                Some(place) => place,
                None => {
                    let id = maker.document.new_object_id();
                    let parent = dictionary! { "T" => words(&unit.fleet), "TU" => words(&unit.fleet_title) };
                    maker.document.set_object(id, parent);
                    roots.push(id.into());
                    fleets.push((&unit.fleet, id, Vec::new()));
                    fleets.len() - 1
                }
            });
            let parent = unit.map(|_| maker.document.new_object_id());
            let mut kids = Vec::with_capacity(owner.fields.len());
            for field in &owner.fields {
                let id = maker.field(field, parent)?;
                kids.push(Object::from(id));
                if let Some(page) = placed.get_mut(field.page) {
                    page.push(Placed { at: field.at, field: id });
                }
            }
            let (Some(unit), Some(id)) = (unit, parent) else {
                roots.extend(kids);
                continue;
            };
            let mut dict = dictionary! { "T" => words(&unit.key), "TU" => words(&unit.title), "Kids" => kids };
            match above {
                Some(place) => {
                    dict.set("Parent", fleets[place].1);
                    fleets[place].2.push(id.into());
                }
                None => roots.push(id.into()),
            }
            maker.document.set_object(id, dict);
        }
        let mut hidden: Vec<(usize, ObjectId)> = Vec::new();
        for (word, id, mut kids) in fleets {
            let owners = || self.units.iter().filter(|owner| owner.unit.is_some_and(|unit| *unit.fleet == *word));
            let page = owners().flat_map(|owner| &owner.fields).map(|field| field.page).min();
            if let (Some(text), Some(page)) = (identity::of(owners().filter_map(|owner| owner.unit)), page) {
                let field = maker.hidden(identity::NAME, &text, id, page);
                kids.push(field.into());
                hidden.push((page, field));
            }
            maker.document.get_dictionary_mut(id)?.set("Kids", kids);
        }
        for (at, (&page, list)) in pages.iter().zip(&placed).enumerate() {
            let mut list: Vec<Object> = list.iter().map(|placed| placed.field.into()).collect();
            list.extend(hidden.iter().filter(|(on, _)| *on == at).map(|(_, field)| Object::from(*field)));
            if !list.is_empty() {
                document.get_dictionary_mut(page)?.set("Annots", list);
            }
        }
        add_form(document, roots)?;
        Ok(placed)
    }
}

/// The form's own dictionary, with the fonts that readers write into fields with.
fn add_form(document: &mut Document, fields: Vec<Object>) -> Result<(), lopdf::Error> {
    let letters = document.add_object(dictionary! {
        "Type" => "Font",
        "Subtype" => "Type1",
        "BaseFont" => "Helvetica",
        "Encoding" => "WinAnsiEncoding",
    });
    let signs =
        document.add_object(dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "ZapfDingbats" });
    let form = document.add_object(dictionary! {
        "Fields" => fields,
        "DR" => dictionary! { "Font" => dictionary! { "Helv" => letters, "ZaDb" => signs } },
        "DA" => Object::string_literal("/Helv 8 Tf 0 g"),
    });
    let catalog = document.trailer.get(b"Root")?.as_reference()?;
    document.get_dictionary_mut(catalog)?.set("AcroForm", form);
    Ok(())
}

/// Where a marked shape lies on its page in millimetres, and what a cross leaves free there.
pub fn room(shape: &Shape, transform: &Transform) -> Option<(Rect, f32)> {
    let (rect, free) = match shape {
        Shape::Rect { rect, .. } => (*rect, Cross::FREE),
        Shape::Circle { x, y, radius, .. } => {
            (Rect::new(x - radius, y - radius, radius * 2.0, radius * 2.0), Cross::FREE_ROUND)
        }
        Shape::Path(path, _) => (path.surround()?, Cross::FREE_POINTED),
        Shape::Text(_) | Shape::Use { .. } | Shape::Group { .. } => return None,
    };
    let corners = [(rect.x, rect.y), (rect.right(), rect.y), (rect.right(), rect.bottom()), (rect.x, rect.bottom())];
    let segments = corners.map(|(x, y)| transform.apply(safe(x), safe(y))).map(|(x, y)| Segment::Line(x, y));
    let placed = Path { segments: segments.to_vec(), even_odd: false }.surround()?;
    // What stands askew still has its room around it.
    let free = if keeps_upright(transform) { free } else { Cross::FREE_ROUND };
    (placed.w > 0.0 && placed.h > 0.0).then_some((placed, free))
}

/// Makes objects, those that are shared only once.
struct Maker<'d> {
    document: &'d mut Document,
    pages: &'d [ObjectId],
    /// Appearances by width, height (in tenths of a point) and free part.
    looks: BTreeMap<(i64, i64, i64), ObjectId>,
    off: Option<ObjectId>,
    signs: Option<ObjectId>,
}

impl Maker<'_> {
    fn field(&mut self, field: &Field<'_>, parent: Option<ObjectId>) -> Result<ObjectId, lopdf::Error> {
        let [left, bottom, right, top] = field.place;
        let rect: Vec<Object> = field.place.iter().map(|&edge| hundredths(edge)).collect();
        let mut dict = dictionary! {
            "Type" => "Annot",
            "Subtype" => "Widget",
            "Rect" => rect,
            "F" => PRINTED,
            "T" => words(&field.name),
        };
        if let Some(&page) = self.pages.get(field.page) {
            dict.set("P", page);
        }
        if !field.mark.label.is_empty() {
            dict.set("TU", words(&field.mark.label));
        }
        if let Some(parent) = parent {
            dict.set("Parent", parent);
        }
        if field.mark.kind != MarkKind::Write {
            let state = if field.mark.taken { TICKED } else { OFF };
            dict.set("FT", "Btn");
            dict.set("V", state);
            dict.set("AS", state);
            if field.mark.taken {
                // As it was printed: what a reader goes back to when the form is reset.
                dict.set("DV", state);
            }
            dict.set("AP", self.look(right - left, top - bottom, field.free));
            dict.set("MK", self.sign());
        } else {
            let height = (top - bottom) as f32 / 100.0;
            let several = height > SEVERAL_LINES;
            let size = if several { 8.0 } else { ((height * LETTER * 2.0).floor() / 2.0).clamp(LETTERS.0, LETTERS.1) };
            dict.set("FT", "Tx");
            dict.set("DA", Object::string_literal(format!("/Helv {size} Tf 0 g")));
            if several {
                dict.set("Ff", MULTILINE);
            }
        }
        Ok(self.document.add_object(dict))
    }

    /// A field that nobody sees; programs that fill in forms keep it, and so does data exported from the form.
    fn hidden(&mut self, name: &str, text: &str, parent: ObjectId, page: usize) -> ObjectId {
        let off = self.off();
        let mut dict = dictionary! {
            "Type" => "Annot",
            "Subtype" => "Widget",
            "Rect" => vec![0.into(), 0.into(), 0.into(), 0.into()],
            "F" => HIDDEN,
            "FT" => "Tx",
            "Ff" => READ_ONLY,
            "T" => words(name),
            "TU" => words("the fleet of this form"),
            "V" => words(text),
            "DA" => Object::string_literal("/Helv 8 Tf 0 g"),
            "Parent" => parent,
            "AP" => dictionary! { "N" => off },
        };
        if let Some(&page) = self.pages.get(page) {
            dict.set("P", page);
        }
        self.document.add_object(dict)
    }

    /// What shows nothing.
    fn off(&mut self) -> ObjectId {
        *self.off.get_or_insert_with(|| {
            let empty = form_of(1, 1);
            self.document.add_object(Stream::new(empty, Vec::new()).with_compression(false))
        })
    }

    /// How boxes of a size look: crossed, or not at all, as the page draws the outline.
    fn look(&mut self, width: i64, height: i64, free: i64) -> ObjectId {
        // Boxes that differ by a tenth of a point look alike: readers fit the drawing to the box.
        let key = ((width + 5) / 10, (height + 5) / 10, free);
        if let Some(&known) = self.looks.get(&key) {
            return known;
        }
        let off = self.off();
        let (wide, high) = (key.0 * 10, key.1 * 10);
        let points = |hundredths: i64| hundredths as f32 / 100.0;
        let cross = Cross::within(&Rect::new(0.0, 0.0, points(wide), points(high)), free as f32 / 100.0);
        let mut content = Vec::new();
        let put = |content: &mut Vec<u8>, value: f32, operator: &[u8]| {
            put_steps(content, steps(value, 2), 2);
            content.extend_from_slice(operator);
        };
        put(&mut content, f32::from(PENCIL.rgb[0]) / 255.0, b" G 1 J ");
        put(&mut content, (cross.width * points(wide.min(high))).clamp(0.25 * POINTS, 0.7 * POINTS), b" w\n");
        for [ax, ay, bx, by] in cross.lines {
            for (value, operator) in [(ax, &b" "[..]), (ay, b" m "), (bx, b" "), (by, b" l\n")] {
                put(&mut content, value, operator);
            }
        }
        content.extend_from_slice(b"S");
        let ticked = self.document.add_object(Stream::new(form_of(wide, high), content).with_compression(false));
        let look = self.document.add_object(dictionary! { "N" => dictionary! { TICKED => ticked, OFF => off } });
        self.looks.insert(key, look);
        look
    }

    /// The sign that a reader draws if it draws boxes by itself: a cross.
    fn sign(&mut self) -> ObjectId {
        *self.signs.get_or_insert_with(|| self.document.add_object(dictionary! { "CA" => Object::string_literal("8") }))
    }
}

/// The dictionary of a drawing of a size in hundredths of a point.
fn form_of(width: i64, height: i64) -> Dictionary {
    let bounds = vec![0.into(), 0.into(), hundredths(width), hundredths(height)];
    dictionary! { "Type" => "XObject", "Subtype" => "Form", "BBox" => bounds, "Resources" => dictionary! {} }
}

fn hundredths(value: i64) -> Object {
    if value % 100 == 0 { (value / 100).into() } else { Object::Real((value as f64 / 100.0) as f32) }
}
