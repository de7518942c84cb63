//! Encodes a page or drawing as a content stream: takes items, gives bytes. Coordinates are whole hundredths of a
//! millimetre from the lower left corner, with decimals in an enlarged drawing: what is laid out in millimetres has short
//! numbers there, and what is alike has the same.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::acroform::{PageFields, field_rect};
use super::batch::{Batches, BoxBounds};
use super::graphics_state::{Colour, FONT_PLACES, GraphicsState, PdfPen};
use super::outline::{ShapeOutline, bounds_around, grown};
use super::stamp::StampForm;
use super::structure::{self, StructureRole};
use super::text_line::{LineTracker, PendingLine, ink_box, put_actual_text, show_operator};
use super::usage::{DrawingUse, SceneUsage};
use crate::export::flatten::{
    finite_transform, for_each_item, for_each_nested_shape, for_each_shape, keeps_rects_upright, keeps_shape, max_scale,
};
use crate::export::limits::{bounded_length, opacity_percent, output_colour};
use crate::export::number::{UNITS_PER_MM, put, put_steps, to_steps};
use crate::export::options::ExportOptions;
use moldloft_drawing::fonts::FontFace;
use moldloft_drawing::scene::{Join, Page, Paint, PaintStyle, Rect, Shape, Stroke, TextLine, Transform};

/// What a page begins with: points to its units.
const PAGE_UNITS: &[u8] = b".02834646 0 0 .02834646 0 0 cm\n";

pub struct EncodedContent {
    /// Not compressed.
    pub bytes: Vec<u8>,
    /// See [`RawPage`](super::shared_content::RawPage).
    pub cuts: Vec<usize>,
    /// Opacities of fills in per cent, except 100.
    pub fills: BTreeSet<u8>,
    pub strokes: BTreeSet<u8>,
    pub drawings: BTreeSet<usize>,
    pub stamps: BTreeSet<StampForm>,
    /// Lines of text, if marked.
    pub lines: structure::MarkedLines,
    /// Boxes and fields, in a form.
    pub fields: PageFields,
}

/// `width` and `height` are in millimetres. In a form, crosses are left to the boxes, and text is marked line by line.
pub fn encode_page(
    page: &Page,
    (width, height): (f32, f32),
    usage: &SceneUsage,
    options: &ExportOptions,
) -> EncodedContent {
    let mut encoder = ContentEncoder::new(width, height, 0, usage, options.grey);
    encoder.stamps = Some(BTreeSet::new());
    if options.form {
        let mut titles: Vec<&str> = Vec::new();
        let items = page.items();
        for_each_item(&items, &mut |_, item, _| {
            let title = item.mark.as_ref().and_then(|mark| mark.unit.as_deref()).map(|unit| &*unit.title);
            titles.extend(title.filter(|title| !title.is_empty() && titles.last() != Some(title)));
        });
        encoder.lines = Some(LineTracker { titles, ..LineTracker::default() });
        let mut fields = PageFields::default();
        for_each_item(&items, &mut |number, item, transform| {
            fields.note_item(number, item, transform, height);
            if let Some(lines) = &mut encoder.lines {
                lines.item = number;
                if item.mark.is_some() {
                    lines.field = field_rect(&item.shape, transform).map(|(rect, _)| rect);
                }
            }
            encoder.draw(&item.shape, transform);
        });
        return EncodedContent { fields: fields.shrunk(), ..encoder.finish(GraphicsState::for_page(), PAGE_UNITS) };
    }
    for_each_shape(&page.items_for_drawing()[..], &mut |shape, transform| encoder.draw(shape, transform));
    encoder.finish(GraphicsState::for_page(), PAGE_UNITS)
}

pub fn encode_drawing(drawn: &DrawingUse, usage: &SceneUsage, grey: bool) -> EncodedContent {
    let extra = drawn.scale.max(1.0).log10().ceil().clamp(0.0, 4.0) as u8;
    let mut encoder = ContentEncoder::new(
        bounded_length(drawn.drawing.width),
        bounded_length(drawn.drawing.height),
        extra,
        usage,
        grey,
    );
    for_each_nested_shape(&drawn.drawing.shapes, &mut |shape, transform| encoder.draw(shape, transform));
    let mut encoded = encoder.finish(GraphicsState::default(), b"");
    if drawn.drawing.picture.is_some() {
        let mut shown = b"q ".to_vec();
        put(&mut shown, bounded_length(drawn.drawing.width) * UNITS_PER_MM, extra);
        shown.extend_from_slice(b" 0 0 ");
        put(&mut shown, bounded_length(drawn.drawing.height) * UNITS_PER_MM, extra);
        shown.extend_from_slice(format!(" 0 0 cm/{PICTURE} Do Q\n").as_bytes());
        encoded.bytes.splice(..0, shown);
    }
    encoded
}

/// The name of a drawing's picture among its resources.
pub const PICTURE: &str = "P";

/// About what a form of its own takes in the file, in bytes before compression.
const FORM_COST: usize = 400;

/// Whether a drawing takes less where it is shown than in a form.
pub fn is_better_inline(used: &DrawingUse, encoded: &EncodedContent) -> bool {
    encoded.bytes.len().saturating_mul(used.times.saturating_sub(1)) <= FORM_COST
}

#[derive(Clone, Debug, PartialEq)]
enum BatchKind {
    Paths {
        fill: Option<Colour>,
        stroke: Option<PdfPen>,
        even_odd: bool,
    },
    /// Outlines of one form and paint: the same bytes, moved from one place to the next, which compress to a few.
    Stamps {
        fill: Option<Colour>,
        stroke: Option<PdfPen>,
        form: Rc<[u8]>,
    },
    /// Lines of text of one font, size and colour, upright or under one transform.
    Texts {
        face: FontFace,
        size: i64,
        spacing: i64,
        colour: Colour,
        turned: Option<[i64; 4]>,
        line: Option<u32>,
    },
    /// Content that is not grouped and restores the graphics state.
    Single,
}

fn paint_operator(fill: bool, stroke: bool, even_odd: bool) -> &'static str {
    match (fill, stroke, even_odd) {
        (true, true, false) => "B",
        (true, true, true) => "B*",
        (true, false, false) => "f",
        (true, false, true) => "f*",
        (false, ..) => "S",
    }
}

struct ContentEncoder<'a> {
    usage: &'a SceneUsage,
    grey: bool,
    places: u8,
    height: f32,
    batches: Batches<BatchKind>,
    drawings: BTreeSet<usize>,
    strokes: BTreeSet<u8>,
    lines: Option<LineTracker<'a>>,
    last_stamp: Option<LastStamp>,
    /// Shared outlines that it shows; `None` for a drawing, which shows none.
    stamps: Option<BTreeSet<StampForm>>,
}

/// The sides, the transform, the painting and the pen of an outline, and how it was written about its origin.
type LastStamp = (([f32; 3], [f32; 4], (&'static str, f32)), Rc<[u8]>);

impl<'a> ContentEncoder<'a> {
    fn new(width: f32, height: f32, places: u8, usage: &'a SceneUsage, grey: bool) -> Self {
        let batches = Batches::new(width * UNITS_PER_MM, height * UNITS_PER_MM);
        Self {
            usage,
            grey,
            places,
            height: height * UNITS_PER_MM,
            batches,
            drawings: BTreeSet::new(),
            strokes: BTreeSet::new(),
            lines: None,
            last_stamp: None,
            stamps: None,
        }
    }

    fn draw(&mut self, shape: &Shape, transform: &Transform) {
        match shape {
            Shape::Path(path, style) => self.draw_outline(ShapeOutline::Path(path), style, transform, path.even_odd),
            Shape::Rect { rect, radius, style } => {
                self.draw_outline(ShapeOutline::Rect(rect, *radius), style, transform, false)
            }
            Shape::Circle { x, y, radius, style } => {
                self.draw_outline(ShapeOutline::Circle(*x, *y, *radius), style, transform, false)
            }
            Shape::Text(text) => self.draw_text(text, transform),
            Shape::Use { drawing, transform: inner } => {
                let Some(number) = self.usage.number(drawing) else { return };
                self.drawings.insert(number);
                let transform = transform.then_inner(&finite_transform(inner));
                let corners = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)].map(|(x, y)| {
                    self.to_units(&transform, x * bounded_length(drawing.width), y * bounded_length(drawing.height))
                });
                let [a, b, c, d, e, f] = transform.m;
                let tall = bounded_length(drawing.height);
                let (x, y) = ((c * tall + e) * UNITS_PER_MM, self.height - (f + d * tall) * UNITS_PER_MM);
                let out = &mut self.batches.batch_for(BatchKind::Single, bounds_around(&corners, 0.0), None).bytes;
                out.extend_from_slice(b"q ");
                for part in [a, -b, -c, d] {
                    put(out, part, 5);
                    out.push(b' ');
                }
                put(out, x, self.places);
                out.push(b' ');
                put(out, y, self.places);
                match &self.usage.drawings[number].inline {
                    None => out.extend_from_slice(format!(" cm/D{number} Do Q\n").as_bytes()),
                    Some(content) => {
                        out.extend_from_slice(b" cm 0 0 ");
                        put(out, bounded_length(drawing.width) * UNITS_PER_MM, self.places + 1);
                        out.push(b' ');
                        put(out, tall * UNITS_PER_MM, self.places + 1);
                        out.extend_from_slice(b" re W n\n");
                        out.extend_from_slice(content);
                        out.extend_from_slice(b"Q\n");
                    }
                }
            }
            Shape::Group { .. } => {}
        }
    }

    fn to_units(&self, transform: &Transform, x: f32, y: f32) -> (f32, f32) {
        let (x, y) = transform.apply(bounded_length(x), bounded_length(y));
        (x * UNITS_PER_MM, self.height - y * UNITS_PER_MM)
    }

    fn colour(&self, paint: &Paint) -> Option<Colour> {
        let alpha = opacity_percent(paint.alpha);
        (alpha > 0).then(|| Colour { rgb: output_colour(paint.rgb, self.grey), alpha })
    }

    fn pen(&self, stroke: &Stroke, scale: f32) -> Option<PdfPen> {
        let width = to_steps(bounded_length(stroke.width) * scale * UNITS_PER_MM, self.places + 1);
        let dash: Vec<i64> = stroke
            .dash
            .iter()
            .take(16)
            .map(|&part| to_steps(bounded_length(part) * scale * UNITS_PER_MM, self.places).max(0))
            .collect();
        let dash = if dash.iter().sum::<i64>() > 0 { dash } else { Vec::new() };
        let colour = self.colour(&stroke.paint)?;
        (width > 0).then_some(PdfPen { colour, width, dash, cap: stroke.cap, join: stroke.join })
    }

    fn draw_outline(&mut self, outline: ShapeOutline, style: &PaintStyle, transform: &Transform, even_odd: bool) {
        let fill = style.fill.as_ref().and_then(|paint| self.colour(paint));
        if style.stroke.is_some() && !keeps_shape(transform) {
            // The stroke is distorted with the shape, so paint under the transform itself.
            if fill.is_some() {
                self.draw_outline(outline, &PaintStyle { fill: style.fill, stroke: None }, transform, even_odd);
            }
            self.draw_distorted(outline, style, transform);
            return;
        }
        let stroke = style.stroke.as_ref().and_then(|stroke| self.pen(stroke, max_scale(transform)));
        if fill.is_none() && stroke.is_none() {
            return;
        }
        if fill.is_some() && stroke.as_ref().is_some_and(|pen| pen.colour.alpha < 100) {
            // Fill first, then stroke: a thin stroke shows the fill through its inner half in all readers.
            self.paint_outline(outline, fill, None, transform, even_odd);
            self.paint_outline(outline, None, stroke, transform, false);
        } else {
            self.paint_outline(outline, fill, stroke, transform, even_odd);
        }
    }

    fn paint_outline(
        &mut self,
        outline: ShapeOutline,
        fill: Option<Colour>,
        stroke: Option<PdfPen>,
        transform: &Transform,
        even_odd: bool,
    ) {
        let Some(bounds) = outline.bounds(|x, y| self.to_units(transform, x, y)) else { return };
        let half = stroke.as_ref().map_or(0.0, |pen| {
            let half = pen.width as f32 / 10_f32.powi(i32::from(self.places) + 1) / 2.0;
            // A mitred corner extends by at most four half widths (the limit below), a right angle by less than two.
            if matches!(outline, ShapeOutline::Path(_)) && pen.join == Join::Miter { half * 4.0 } else { half * 1.5 }
        });
        let painted = grown(bounds, half);
        if let Some(origin) = outline.stamp_origin() {
            return self.stamp_outline(outline, origin, (fill, stroke, even_odd), transform, painted);
        }
        // Only shapes painted in one step and one opaque colour may overlap each other.
        let single = fill.is_none() || (stroke.is_none() && !matches!(outline, ShapeOutline::Path(_)));
        let solid_paint =
            [fill, stroke.as_ref().map(|pen| pen.colour)].iter().flatten().all(|colour| colour.alpha == 100);
        let touching = if single && solid_paint {
            None
        } else if solid_paint && matches!(outline, ShapeOutline::Rect(..)) {
            // Adjacent boxes look the same in one step, since each stroke covers the common edge.
            Some(grown(bounds, -0.7))
        } else {
            Some(painted)
        };
        let (height, places) = (self.height, self.places);
        let even_odd = even_odd && fill.is_some();
        let batch = self.batches.batch_for(BatchKind::Paths { fill, stroke, even_odd }, painted, touching);
        outline.write(&mut batch.bytes, places, keeps_rects_upright(transform), &|x, y| {
            let (x, y) = transform.apply(bounded_length(x), bounded_length(y));
            (x * UNITS_PER_MM, height - y * UNITS_PER_MM)
        });
    }

    /// Paints an outline about its origin, which is moved to its place: each on its own, so they may overlap.
    fn stamp_outline(
        &mut self,
        outline: ShapeOutline,
        (x, y): (f32, f32),
        (fill, stroke, even_odd): (Option<Colour>, Option<PdfPen>, bool),
        transform: &Transform,
        painted: BoxBounds,
    ) {
        let places = self.places;
        let even_odd = even_odd && fill.is_some();
        let paint = paint_operator(fill.is_some(), stroke.is_some(), even_odd);
        let pen = stroke.as_ref().map_or(0.0, |pen| pen.width as f32 / 10.0);
        let form = self.stamp(outline, (x, y), transform, (paint, pen));
        let (x, y) = self.to_units(transform, x, y);
        let at = (to_steps(x, places), to_steps(y, places));
        let kind = BatchKind::Stamps { fill, stroke, form: Rc::clone(&form) };
        let batch = self.batches.batch_for(kind, painted, None);
        let out = &mut batch.bytes;
        out.extend_from_slice(b"1 0 0 1 ");
        put_steps(out, at.0 - batch.pen.0, places);
        out.push(b' ');
        put_steps(out, at.1 - batch.pen.1, places);
        out.extend_from_slice(b" cm\n");
        out.extend_from_slice(&form);
        batch.pen = at;
    }

    /// An outline painted about its origin; the same as before is not written again.
    fn stamp(
        &mut self,
        outline: ShapeOutline,
        (x, y): (f32, f32),
        transform: &Transform,
        (paint, pen): (&'static str, f32),
    ) -> Rc<[u8]> {
        let [a, b, c, d, ..] = transform.m;
        let own = outline.sides().map(|sides| (sides, [a, b, c, d], (paint, pen)));
        if let Some((_, form)) = self.last_stamp.as_ref().filter(|(known, _)| own.is_some_and(|own| *known == own)) {
            return Rc::clone(form);
        }
        let mut form = Vec::new();
        let shared = self.stamps.as_mut().and_then(|shown| {
            let shared = self.usage.stamps.form(&outline, transform, (paint, pen))?;
            shown.insert(shared);
            Some(shared.name())
        });
        match shared {
            Some(name) => form.extend_from_slice(format!("/{name} Do\n").as_bytes()),
            None => {
                let about_origin;
                let (outline, (x, y)) = match outline {
                    ShapeOutline::Path(_) => (outline, (x, y)),
                    ShapeOutline::Circle(_, _, radius) => (ShapeOutline::Circle(0.0, 0.0, radius), (0.0, 0.0)),
                    ShapeOutline::Rect(rect, radius) => {
                        about_origin = Rect::new(0.0, 0.0, rect.w, rect.h);
                        (ShapeOutline::Rect(&about_origin, radius), (0.0, 0.0))
                    }
                };
                outline.write(&mut form, self.places, false, &|px, py| {
                    let (px, py) = (bounded_length(px) - x, bounded_length(py) - y);
                    ((a * px + c * py) * UNITS_PER_MM, -(b * px + d * py) * UNITS_PER_MM)
                });
                form.extend_from_slice(paint.as_bytes());
                form.push(b'\n');
            }
        }
        let form: Rc<[u8]> = form.into();
        self.last_stamp = own.map(|own| (own, Rc::clone(&form)));
        form
    }

    fn draw_distorted(&mut self, outline: ShapeOutline, style: &PaintStyle, transform: &Transform) {
        let Some(pen) = style.stroke.as_ref().and_then(|stroke| self.pen(stroke, 1.0)) else { return };
        let Some(bounds) = outline.bounds(|x, y| self.to_units(transform, x, y)) else { return };
        let reach = pen.width as f32 / 10_f32.powi(i32::from(self.places) + 1) * 2.0 * max_scale(transform).max(1.0);
        let places = self.places;
        let [a, b, c, d, e, f] = transform.m;
        let height = self.height;
        let colour = pen.colour;
        self.strokes.insert(colour.alpha);
        let out = &mut self.batches.batch_for(BatchKind::Single, grown(bounds, reach), None).bytes;
        let mut state = GraphicsState::default();
        out.extend_from_slice(b"q ");
        for part in [a, -b, -c, d] {
            put(out, part, 5);
            out.push(b' ');
        }
        put(out, e * UNITS_PER_MM, places);
        out.push(b' ');
        put(out, height - f * UNITS_PER_MM, places);
        out.extend_from_slice(b" cm\n");
        state.set_pen(out, &pen, places);
        if colour.alpha < 100 {
            out.extend_from_slice(format!("/S{} gs\n", colour.alpha).as_bytes());
        }
        outline.write(out, places + 1, false, &|x, y| {
            (bounded_length(x) * UNITS_PER_MM, -bounded_length(y) * UNITS_PER_MM)
        });
        out.extend_from_slice(b"S Q\n");
    }

    fn draw_text(&mut self, text: &TextLine, transform: &Transform) {
        let run = &text.shaped;
        let Some(colour) = self.colour(&text.paint) else { return };
        let size = bounded_length(text.size);
        // A line entirely in the fallback needs no other font.
        let Some(face) = run.glyphs.first().map(|glyph| glyph.face).filter(|_| size > 0.0) else { return };
        let [a, b, c, d, ..] = transform.m;
        let upright = b.abs() < 1e-6 && c.abs() < 1e-6 && a > 0.0 && (a - d).abs() < 1e-5 * a;
        let grown = if upright { a } else { 1.0 };
        let turned = (!upright).then(|| [a, -b, -c, d].map(|part| to_steps(part, 5)));
        let em = size * grown * UNITS_PER_MM;
        // Readers split widely spaced letters into words unless they have the actual text.
        let apart = bounded_length(text.spacing) > 0.05 * size;
        let (x, y) = self.to_units(transform, text.x, text.y);
        let (x, y) = (to_steps(x, self.places), to_steps(y, self.places));
        let width = to_steps(bounded_length(text.width()) * grown * UNITS_PER_MM, self.places);
        let (left, base) = transform.apply(bounded_length(text.x), bounded_length(text.y));
        let line = self.lines.as_mut().filter(|lines| !lines.is_box_label(&run.text, left, base)).map(|lines| {
            let role = match &*run.text {
                words if run.face == FontFace::Bold && lines.titles.contains(&words) => StructureRole::Title,
                _ if apart && run.face == FontFace::SemiBold => StructureRole::Heading,
                _ => StructureRole::Body,
            };
            lines.line_for(text, role, (x, y), width, upright)
        });
        let kind = BatchKind::Texts {
            face,
            size: to_steps(em, FONT_PLACES),
            spacing: to_steps(bounded_length(text.spacing) * grown * UNITS_PER_MM, FONT_PLACES),
            colour,
            turned,
            line,
        };
        let (left, top, right, bottom) = ink_box(text);
        let corners =
            [(left, top), (right, top), (left, bottom), (right, bottom)].map(|(x, y)| self.to_units(transform, x, y));
        let places = self.places;
        let batch = self.batches.batch_for(kind, bounds_around(&corners, 3.5), None);
        let out = &mut batch.bytes;
        if apart {
            put_actual_text(out, &run.text);
        }
        if let Some(turned) = turned {
            for part in turned {
                put_steps(out, part, 5);
                out.push(b' ');
            }
            put_steps(out, x, places);
            out.push(b' ');
            put_steps(out, y, places);
            out.extend_from_slice(b" Tm");
        } else {
            put_steps(out, x - batch.pen.0, places);
            out.push(b' ');
            put_steps(out, y - batch.pen.1, places);
            out.extend_from_slice(b" Td");
            batch.pen = (x, y);
        }
        show_operator(out, text, face, &self.usage.fonts, em);
        if apart {
            out.extend_from_slice(b"EMC\n");
        }
    }

    /// `begin`: what the content begins with, if it draws anything.
    fn finish(self, mut state: GraphicsState, begin: &[u8]) -> EncodedContent {
        let places = self.places;
        let batches = self.batches.finish();
        let mut out = Vec::with_capacity(batches.iter().map(|batch| batch.bytes.len() + 64).sum());
        if !batches.is_empty() {
            out.extend_from_slice(begin);
        }
        let mut cuts = Vec::new();
        let (mut fills, mut strokes) = (BTreeSet::new(), self.strokes);
        let (mut lines, tagged) = self.lines.map_or((Vec::new(), false), |lines| (lines.all, true));
        // Decoration is marked as an artifact, in one sequence until the next text.
        let (mut in_artifact, mut marks) = (false, 0);
        for batch in batches {
            let line = match batch.kind {
                BatchKind::Texts { line, .. } => line,
                _ => None,
            };
            if in_artifact && line.is_some() {
                out.extend_from_slice(b"EMC\n");
                in_artifact = false;
            }
            if let Some(line) = line.and_then(|line| lines.get_mut(line as usize)) {
                line.marks.push(marks);
                out.extend_from_slice(format!("/{}<</MCID {marks}>>BDC\n", line.role.tag()).as_bytes());
                marks += 1;
            } else if tagged && !in_artifact {
                out.extend_from_slice(b"/Artifact BMC\n");
                in_artifact = true;
            }
            match &batch.kind {
                BatchKind::Paths { fill, stroke, .. } | BatchKind::Stamps { fill, stroke, .. } => {
                    if let Some(colour) = fill {
                        state.set_fill(&mut out, *colour, &mut fills);
                    }
                    if let Some(pen) = stroke {
                        state.set_stroke_alpha(&mut out, pen.colour.alpha);
                        strokes.insert(pen.colour.alpha);
                        state.set_pen(&mut out, pen, places);
                    }
                    if let BatchKind::Paths { even_odd, .. } = batch.kind {
                        out.extend_from_slice(&batch.bytes);
                        out.extend_from_slice(paint_operator(fill.is_some(), stroke.is_some(), even_odd).as_bytes());
                        out.push(b'\n');
                    } else {
                        out.extend_from_slice(b"q\n");
                        out.extend_from_slice(&batch.bytes);
                        out.extend_from_slice(b"Q\n");
                    }
                }
                BatchKind::Texts { face, size, spacing, colour, .. } => {
                    state.set_fill(&mut out, *colour, &mut fills);
                    out.extend_from_slice(b"BT");
                    state.set_font(&mut out, *face, *size, *spacing);
                    out.extend_from_slice(&batch.bytes);
                    out.extend_from_slice(b"ET\n");
                    if line.is_some() {
                        out.extend_from_slice(b"EMC\n");
                    }
                }
                BatchKind::Single => {
                    state.set_fill_alpha(&mut out, 100);
                    state.set_stroke_alpha(&mut out, 100);
                    out.extend_from_slice(&batch.bytes);
                }
            }
            cuts.push(out.len());
        }
        if in_artifact {
            out.extend_from_slice(b"EMC\n");
            cuts.push(out.len());
        }
        for set in [&mut fills, &mut strokes] {
            if set.iter().any(|&alpha| alpha < 100) {
                set.insert(100);
            } else {
                set.clear();
            }
        }
        let mut kept = structure::MarkedLines::with_capacity(lines.len());
        for PendingLine { item: at, role, marks } in &lines {
            kept.push(structure::MarkedLine { item: *at, role: *role, marks });
        }
        EncodedContent {
            bytes: out,
            cuts,
            fills,
            strokes,
            drawings: self.drawings,
            stamps: self.stamps.unwrap_or_default(),
            lines: kept,
            fields: PageFields::default(),
        }
    }
}
