//! Writes shapes as SVG elements, and each drawing once as a symbol.

use std::collections::HashMap;
use std::sync::Arc;

use super::text::TextWriter;
use super::xml::{put_escaped, put_number};
use crate::export::flatten::finite_transform;
use crate::export::limits::{MAX_DEPTH, MAX_PAGE_MM, bounded_length, opacity_percent, output_colour};
use crate::export::number::put;
use crate::export::options::ExportOptions;
use crate::export::picture::data_address;
use moldloft_drawing::scene::{
    Cap, Drawing, Join, Mark, MarkKind, Page, Paint, PaintStyle, Path, Picture, Rect, SceneItem, Segment, Shape,
    Stroke, Transform,
};

/// Decimals of millimetres on the page; art has more, since it may be enlarged.
const PAGE_DECIMALS: u8 = 3;

pub struct SvgWriter {
    grey: bool,
    background: bool,
    text_writer: TextWriter,
    out: Vec<u8>,
    symbols: Vec<Vec<u8>>,
    numbers: HashMap<usize, Option<usize>>,
    depth: usize,
    decimals: u8,
}

impl SvgWriter {
    pub fn new(options: &ExportOptions) -> Self {
        Self {
            grey: options.grey,
            background: options.background,
            text_writer: TextWriter::new(options.text_mode),
            out: Vec::with_capacity(65_536),
            symbols: Vec::new(),
            numbers: HashMap::new(),
            depth: MAX_DEPTH,
            decimals: PAGE_DECIMALS,
        }
    }

    /// In painting order.
    pub fn put_items(&mut self, items: &[SceneItem]) {
        for item in items {
            self.put_shape(&item.shape, item.mark.as_deref());
        }
    }

    pub fn finish(self, page: &Page, title: &str) -> String {
        let size = [page.width, page.height].map(|side| bounded_length(side).clamp(0.0, MAX_PAGE_MM));
        let mut all = Vec::with_capacity(self.out.len() + 65_536);
        all.extend_from_slice(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        all.extend_from_slice(
            b"<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"",
        );
        put(&mut all, size[0], PAGE_DECIMALS);
        all.extend_from_slice(b"mm\" height=\"");
        put(&mut all, size[1], PAGE_DECIMALS);
        all.extend_from_slice(b"mm\" viewBox=\"0 0 ");
        put(&mut all, size[0], PAGE_DECIMALS);
        all.push(b' ');
        put(&mut all, size[1], PAGE_DECIMALS);
        all.extend_from_slice(b"\">\n");
        if !title.is_empty() {
            all.extend_from_slice(b"<title>");
            put_escaped(&mut all, title);
            all.extend_from_slice(b"</title>\n");
        }
        let definitions = self.text_writer.definitions();
        if !(definitions.is_empty() && self.symbols.is_empty()) {
            all.extend_from_slice(b"<defs>\n");
            all.extend_from_slice(&definitions);
            self.symbols.iter().for_each(|symbol| all.extend_from_slice(symbol));
            all.extend_from_slice(b"</defs>\n");
        }
        if self.background {
            all.extend_from_slice(b"<rect");
            put_number(&mut all, "width", size[0], PAGE_DECIMALS);
            put_number(&mut all, "height", size[1], PAGE_DECIMALS);
            all.extend_from_slice(b" fill=\"#ffffff\"/>\n");
        }
        all.extend_from_slice(&self.out);
        all.extend_from_slice(b"</svg>\n");
        // Only text and ASCII were written; a stray byte would become a replacement character rather than a panic.
        String::from_utf8(all).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }

    fn put_shape(&mut self, shape: &Shape, mark: Option<&Mark>) {
        match shape {
            Shape::Path(path, style) => {
                self.out.extend_from_slice(b"<path d=\"");
                put_path(&mut self.out, path, self.decimals);
                self.out.push(b'"');
                if path.even_odd && style.fill.is_some() {
                    self.out.extend_from_slice(b" fill-rule=\"evenodd\"");
                }
                self.end_element(style, mark);
            }
            Shape::Rect { rect, radius, style } => {
                self.out.extend_from_slice(b"<rect");
                let sides = [("x", rect.x), ("y", rect.y), ("width", rect.w.max(0.0)), ("height", rect.h.max(0.0))];
                sides.into_iter().for_each(|(name, value)| self.put_attribute(name, value));
                if bounded_length(*radius) > 0.0 {
                    self.put_attribute("rx", *radius);
                }
                self.end_element(style, mark);
            }
            Shape::Circle { x, y, radius, style } => {
                self.out.extend_from_slice(b"<circle");
                [("cx", *x), ("cy", *y), ("r", radius.max(0.0))]
                    .into_iter()
                    .for_each(|(name, value)| self.put_attribute(name, value));
                self.end_element(style, mark);
            }
            Shape::Text(text) => {
                let mut attributes = Vec::new();
                put_mark(&mut attributes, mark);
                put_paint(&mut attributes, "fill", Some(&text.paint), self.grey);
                self.text_writer.put_text(&mut self.out, text, &attributes);
            }
            Shape::Use { drawing, transform } => {
                let Some(number) = self.put_symbol(drawing) else { return };
                self.out.extend_from_slice(format!("<use xlink:href=\"#d{number}\"").as_bytes());
                self.put_attribute("width", drawing.width.max(0.0));
                self.put_attribute("height", drawing.height.max(0.0));
                put_transform(&mut self.out, transform);
                put_mark(&mut self.out, mark);
                self.out.extend_from_slice(b"/>\n");
            }
            Shape::Group { transform, items } => {
                if self.depth == 0 {
                    return;
                }
                self.depth -= 1;
                self.out.extend_from_slice(b"<g");
                put_transform(&mut self.out, transform);
                put_mark(&mut self.out, mark);
                self.out.extend_from_slice(b">\n");
                self.put_items(items);
                self.out.extend_from_slice(b"</g>\n");
                self.depth += 1;
            }
        }
    }

    /// Writes a drawing once and returns its number; `None` if it is nested too deeply.
    fn put_symbol(&mut self, drawing: &Arc<Drawing>) -> Option<usize> {
        let address = Arc::as_ptr(drawing).addr();
        if let Some(&known) = self.numbers.get(&address) {
            return known;
        }
        if self.depth == 0 {
            return None;
        }
        self.numbers.insert(address, None);
        self.depth -= 1;
        let outer = std::mem::take(&mut self.out);
        let places = std::mem::replace(&mut self.decimals, PAGE_DECIMALS + 2);
        if let Some(picture) = &drawing.picture {
            self.put_picture(drawing, picture);
        }
        for shape in &drawing.shapes {
            self.put_shape(shape, None);
        }
        self.decimals = places;
        let inner = std::mem::replace(&mut self.out, outer);
        self.depth += 1;
        let number = self.symbols.len();
        self.numbers.insert(address, Some(number));
        let mut symbol = format!("<symbol id=\"d{number}\" viewBox=\"0 0 ").into_bytes();
        put(&mut symbol, bounded_length(drawing.width).max(0.0), PAGE_DECIMALS);
        symbol.push(b' ');
        put(&mut symbol, bounded_length(drawing.height).max(0.0), PAGE_DECIMALS);
        symbol.extend_from_slice(b"\">\n");
        // Not every reader clips a symbol at its edges.
        let is_clipped = exceeds_its_edges(drawing);
        if is_clipped {
            symbol.extend_from_slice(format!("<clipPath id=\"c{number}\"><rect").as_bytes());
            put_number(&mut symbol, "width", bounded_length(drawing.width).max(0.0), PAGE_DECIMALS);
            put_number(&mut symbol, "height", bounded_length(drawing.height).max(0.0), PAGE_DECIMALS);
            symbol.extend_from_slice(format!("/></clipPath>\n<g clip-path=\"url(#c{number})\">\n").as_bytes());
        }
        symbol.extend_from_slice(&inner);
        symbol.extend_from_slice(if is_clipped { b"</g>\n</symbol>\n" } else { b"</symbol>\n" });
        self.symbols.push(symbol);
        Some(number)
    }

    fn put_picture(&mut self, drawing: &Drawing, picture: &Picture) {
        // Without pixels there is nothing to show.
        let Ok(address) = data_address(picture, self.grey) else { return };
        self.out.extend_from_slice(b"<image");
        self.put_attribute("width", drawing.width.max(0.0));
        self.put_attribute("height", drawing.height.max(0.0));
        self.out.extend_from_slice(b" preserveAspectRatio=\"none\" xlink:href=\"");
        self.out.extend_from_slice(address.as_bytes());
        self.out.extend_from_slice(b"\"/>\n");
    }

    fn put_attribute(&mut self, name: &str, value: f32) {
        put_number(&mut self.out, name, bounded_length(value), self.decimals);
    }

    fn end_element(&mut self, style: &PaintStyle, mark: Option<&Mark>) {
        put_paint(&mut self.out, "fill", style.fill.as_ref(), self.grey);
        if let Some(stroke) = style.stroke.as_ref().filter(|stroke| bounded_length(stroke.width) > 0.0) {
            put_stroke(&mut self.out, stroke, self.grey, self.decimals);
        }
        put_mark(&mut self.out, mark);
        self.out.extend_from_slice(b"/>\n");
    }
}

/// Whether a shape of a drawing reaches beyond it, its stroke included.
fn exceeds_its_edges(drawing: &Drawing) -> bool {
    let is_within = |rect: Rect, style: &PaintStyle| {
        let rect = rect.inset(style.stroke.as_ref().map_or(0.0, |stroke| stroke.width / -2.0));
        rect.x > -0.01 && rect.y > -0.01 && rect.right() < drawing.width + 0.01 && rect.bottom() < drawing.height + 0.01
    };
    !drawing.shapes.iter().all(|shape| match shape {
        Shape::Path(path, style) => path.bounds().is_none_or(|rect| is_within(rect, style)),
        Shape::Rect { rect, style, .. } => is_within(*rect, style),
        Shape::Circle { x, y, radius, style } => {
            is_within(Rect::new(x - radius, y - radius, 2.0 * radius, 2.0 * radius), style)
        }
        Shape::Text(_) | Shape::Use { .. } | Shape::Group { .. } => true,
    })
}

fn put_transform(out: &mut Vec<u8>, transform: &Transform) {
    if *transform == Transform::IDENTITY {
        return;
    }
    let m = finite_transform(transform).m;
    out.extend_from_slice(b" transform=\"");
    let moved = m[..4] == Transform::IDENTITY.m[..4];
    out.extend_from_slice(if moved { b"translate(" } else { b"matrix(" });
    for (index, part) in m.iter().enumerate().skip(if moved { 4 } else { 0 }) {
        put(out, *part, if index < 4 { 6 } else { PAGE_DECIMALS });
        out.push(if index == 5 { b')' } else { b' ' });
    }
    out.push(b'"');
}

fn put_paint(out: &mut Vec<u8>, name: &str, paint: Option<&Paint>, grey: bool) {
    let alpha = paint.map_or(0, |paint| opacity_percent(paint.alpha));
    match paint.filter(|_| alpha > 0) {
        None => out.extend_from_slice(format!(" {name}=\"none\"").as_bytes()),
        Some(paint) => {
            let [r, g, b] = output_colour(paint.rgb, grey);
            out.extend_from_slice(format!(" {name}=\"#{r:02x}{g:02x}{b:02x}\"").as_bytes());
            if alpha < 100 {
                put_number(out, &format!("{name}-opacity"), f32::from(alpha) / 100.0, 2);
            }
        }
    }
}

fn put_stroke(out: &mut Vec<u8>, stroke: &Stroke, grey: bool, places: u8) {
    put_paint(out, "stroke", Some(&stroke.paint), grey);
    put_number(out, "stroke-width", bounded_length(stroke.width), places);
    let dash: Vec<f32> = stroke.dash.iter().take(16).map(|&part| bounded_length(part).max(0.0)).collect();
    if dash.iter().sum::<f32>() > 0.0 {
        out.extend_from_slice(b" stroke-dasharray=\"");
        for (index, part) in dash.into_iter().enumerate() {
            if index > 0 {
                out.push(b' ');
            }
            put(out, part, places);
        }
        out.push(b'"');
    }
    out.extend_from_slice(match stroke.cap {
        Cap::Butt => b"".as_slice(),
        Cap::Round => b" stroke-linecap=\"round\"",
        Cap::Square => b" stroke-linecap=\"square\"",
    });
    out.extend_from_slice(match stroke.join {
        Join::Miter => b"".as_slice(),
        Join::Round => b" stroke-linejoin=\"round\"",
        Join::Bevel => b" stroke-linejoin=\"bevel\"",
    });
}

fn put_mark(out: &mut Vec<u8>, mark: Option<&Mark>) {
    let Some(mark) = mark.filter(|mark| mark.kind != MarkKind::Value) else { return };
    out.extend_from_slice(b" data-mark=\"");
    put_escaped(out, &mark.name);
    out.extend_from_slice(match mark.kind {
        MarkKind::Tick => b"\" data-kind=\"tick\"".as_slice(),
        MarkKind::Write => b"\" data-kind=\"write\"",
        MarkKind::Shown => b"\"",
        MarkKind::Cross | MarkKind::Value => b"\" data-kind=\"cross\"",
    });
    if let Some(fit) = mark.fit {
        out.extend_from_slice(format!(" data-fit=\"{fit}\"").as_bytes());
    }
}

fn put_path(out: &mut Vec<u8>, path: &Path, places: u8) {
    let mut begun = false;
    for segment in &path.segments {
        let (letter, numbers): (u8, &[f32]) = match segment {
            Segment::Move(x, y) => (b'M', &[*x, *y]),
            Segment::Line(x, y) | Segment::Curve(.., x, y) if !begun => (b'M', &[*x, *y]),
            Segment::Line(x, y) => (b'L', &[*x, *y]),
            Segment::Curve(ax, ay, bx, by, x, y) => (b'C', &[*ax, *ay, *bx, *by, *x, *y]),
            Segment::Close if !begun => continue,
            Segment::Close => (b'Z', &[]),
        };
        begun = true;
        out.push(letter);
        for (index, &number) in numbers.iter().enumerate() {
            if index > 0 {
                out.push(b' ');
            }
            put(out, bounded_length(number), places);
        }
    }
}
