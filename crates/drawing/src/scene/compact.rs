//! Compresses items, since all pages of a job are laid out before the first is written: a labelled box takes two
//! hundred bytes, compressed thirty. Gives the same items back, bit for bit. Shared values are kept once per page,
//! names as differences from the one before.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use super::{
    Drawing, Mark, MarkKind, Page, Paint, PaintStyle, Path, PrintedUnit, Rect, SceneItem, Segment, Shape, TextLine,
    Transform,
};
use crate::fonts::ShapedLine;

/// Compressed items in painting order; clones share them.
#[derive(Clone, Debug, Default)]
pub struct CompactItems {
    chunks: Vec<Arc<CompactChunk>>,
}

#[derive(Clone, Debug, Default)]
struct CompactChunk {
    /// Without those inside groups.
    count: usize,
    bytes: Box<[u8]>,
    runs: Vec<Arc<ShapedLine>>,
    drawings: Vec<Arc<Drawing>>,
    units: Vec<Arc<PrintedUnit>>,
    styles: Vec<PaintStyle>,
    looks: Vec<TextLook>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct TextLook {
    size: f32,
    spacing: f32,
    paint: Paint,
}

/// Kinds of shape, in the low bits of an item's first byte.
const PATH: u8 = 0;
const RECT: u8 = 1;
const CIRCLE: u8 = 2;
const TEXT: u8 = 3;
const USE: u8 = 4;
const GROUP: u8 = 5;
const KIND_MASK: u8 = 7;
/// In an item's first byte, above its kind.
const HAS_MARK: u8 = 8;
const EVEN_ODD: u8 = 16;
/// In a mark's first byte, above its kind.
const TICKED: u8 = 4;
const HAS_FIT: u8 = 8;
const HAS_UNIT: u8 = 16;
const VALUE: u8 = 32;
/// Kinds of segment.
const MOVE: u8 = 0;
const LINE: u8 = 1;
const CURVE: u8 = 2;
const CLOSE: u8 = 3;
/// Longer lists are not searched for an equal value.
const MAX_SEARCHED: usize = 64;

impl CompactItems {
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    pub fn push(&mut self, items: &[SceneItem]) {
        if items.is_empty() {
            return;
        }
        let mut encoder = ItemEncoder::default();
        items.iter().for_each(|item| encoder.write_item(item));
        let ItemEncoder { mut chunk, bytes, .. } = encoder;
        chunk.count = items.len();
        chunk.bytes = bytes.into_boxed_slice();
        chunk.runs.shrink_to_fit();
        chunk.styles.shrink_to_fit();
        chunk.looks.shrink_to_fit();
        self.chunks.push(Arc::new(chunk));
    }

    /// Moves another's items on top of its own.
    pub fn append(&mut self, mut other: Self) {
        self.chunks.append(&mut other.chunks);
    }

    /// Each line once per chunk, in order.
    pub fn runs(&self) -> impl Iterator<Item = &Arc<ShapedLine>> {
        self.chunks.iter().flat_map(|chunk| &chunk.runs)
    }

    /// May repeat between chunks.
    pub fn drawings(&self) -> impl Iterator<Item = &Arc<Drawing>> {
        self.chunks.iter().flat_map(|chunk| &chunk.drawings)
    }

    pub fn for_each_unit(&mut self, change: &mut impl FnMut(&mut Arc<PrintedUnit>)) {
        self.chunks.iter_mut().filter(|chunk| !chunk.units.is_empty()).for_each(|chunk| {
            Arc::make_mut(chunk).units.iter_mut().for_each(&mut *change);
        });
    }

    fn decode(&self, marked: bool) -> Vec<SceneItem> {
        let mut items = Vec::with_capacity(self.chunks.iter().map(|chunk| chunk.count).sum());
        for chunk in &self.chunks {
            let mut decoder = ItemDecoder { chunk, at: 0, marked, name: Vec::new(), label: Vec::new() };
            items.extend((0..chunk.count).map(|_| decoder.read_item()));
        }
        items
    }
}

impl Page {
    pub fn compact_items(&mut self) {
        self.compact.push(&std::mem::take(&mut self.items));
    }

    /// Undoes [`Page::compact_items`].
    pub fn expand_items(&mut self) {
        if !self.compact.is_empty() {
            let mut items = std::mem::take(&mut self.compact).decode(true);
            items.append(&mut self.items);
            self.items = items;
        }
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && self.compact.is_empty()
    }

    /// Everything drawn, in painting order.
    pub fn items(&self) -> Cow<'_, [SceneItem]> {
        self.decoded_items(true)
    }

    /// As [`Page::items`], perhaps without marks.
    pub fn items_for_drawing(&self) -> Cow<'_, [SceneItem]> {
        self.decoded_items(false)
    }

    fn decoded_items(&self, marked: bool) -> Cow<'_, [SceneItem]> {
        if self.compact.is_empty() {
            return Cow::Borrowed(&self.items);
        }
        let mut items = self.compact.decode(marked);
        items.extend_from_slice(&self.items);
        Cow::Owned(items)
    }

    /// Adds items on top; they are compressed if `compact`, or if the page's own are.
    pub fn push_items(&mut self, items: Vec<SceneItem>, compact: bool) {
        if compact || !self.compact.is_empty() {
            self.compact_items();
            self.compact.push(&items);
        } else {
            self.items.extend(items);
        }
    }
}

#[derive(Default)]
struct ItemEncoder {
    chunk: CompactChunk,
    bytes: Vec<u8>,
    /// Indices of shared values by address.
    runs: HashMap<usize, usize>,
    drawings: HashMap<usize, usize>,
    units: HashMap<usize, usize>,
    name: Arc<str>,
    label: Arc<str>,
}

fn intern_shared<T>(all: &mut Vec<Arc<T>>, known: &mut HashMap<usize, usize>, one: &Arc<T>) -> usize {
    *known.entry(Arc::as_ptr(one).addr()).or_insert_with(|| {
        all.push(Arc::clone(one));
        all.len() - 1
    })
}

fn intern_equal<T: Clone + PartialEq>(all: &mut Vec<T>, one: &T) -> usize {
    let from = all.len().saturating_sub(MAX_SEARCHED);
    match all[from..].iter().position(|known| known == one) {
        Some(place) => from + place,
        None => {
            all.push(one.clone());
            all.len() - 1
        }
    }
}

impl ItemEncoder {
    fn write_number(&mut self, mut number: usize) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    fn write_floats(&mut self, floats: &[f32]) {
        floats.iter().for_each(|float| self.bytes.extend_from_slice(&float.to_le_bytes()));
    }

    fn write_style(&mut self, style: &PaintStyle) {
        let place = intern_equal(&mut self.chunk.styles, style);
        self.write_number(place);
    }

    fn write_item(&mut self, item: &SceneItem) {
        let marked = if item.mark.is_some() { HAS_MARK } else { 0 };
        match &item.shape {
            Shape::Path(path, style) => {
                self.bytes.push(PATH | marked | if path.even_odd { EVEN_ODD } else { 0 });
                self.write_style(style);
                self.write_number(path.segments.len());
                path.segments.iter().for_each(|segment| self.write_segment(segment));
            }
            Shape::Rect { rect, radius, style } => {
                self.bytes.push(RECT | marked);
                self.write_style(style);
                self.write_floats(&[rect.x, rect.y, rect.w, rect.h, *radius]);
            }
            Shape::Circle { x, y, radius, style } => {
                self.bytes.push(CIRCLE | marked);
                self.write_style(style);
                self.write_floats(&[*x, *y, *radius]);
            }
            Shape::Text(TextLine { shaped, x, y, size, spacing, paint }) => {
                self.bytes.push(TEXT | marked);
                let run = intern_shared(&mut self.chunk.runs, &mut self.runs, shaped);
                let ink =
                    intern_equal(&mut self.chunk.looks, &TextLook { size: *size, spacing: *spacing, paint: *paint });
                self.write_number(run);
                self.write_number(ink);
                self.write_floats(&[*x, *y]);
            }
            Shape::Use { drawing, transform } => {
                self.bytes.push(USE | marked);
                let drawing = intern_shared(&mut self.chunk.drawings, &mut self.drawings, drawing);
                self.write_number(drawing);
                self.write_floats(&transform.m);
            }
            Shape::Group { transform, items } => {
                self.bytes.push(GROUP | marked);
                self.write_floats(&transform.m);
                self.write_number(items.len());
                items.iter().for_each(|item| self.write_item(item));
            }
        }
        if let Some(mark) = &item.mark {
            self.write_mark(mark);
        }
    }

    fn write_segment(&mut self, segment: &Segment) {
        match *segment {
            Segment::Move(x, y) => {
                self.bytes.push(MOVE);
                self.write_floats(&[x, y]);
            }
            Segment::Line(x, y) => {
                self.bytes.push(LINE);
                self.write_floats(&[x, y]);
            }
            Segment::Curve(ax, ay, bx, by, x, y) => {
                self.bytes.push(CURVE);
                self.write_floats(&[ax, ay, bx, by, x, y]);
            }
            Segment::Close => self.bytes.push(CLOSE),
        }
    }

    fn write_mark(&mut self, mark: &Mark) {
        let kind = match mark.kind {
            MarkKind::Tick => 0,
            MarkKind::Write => 1,
            MarkKind::Shown => 2,
            MarkKind::Cross => 3,
            MarkKind::Value => VALUE,
        };
        let flags = [(mark.ticked, TICKED), (mark.fit.is_some(), HAS_FIT), (mark.unit.is_some(), HAS_UNIT)];
        self.bytes.push(flags.iter().filter(|(set, _)| *set).fold(kind, |all, (_, flag)| all | flag));
        if let Some(fit) = mark.fit {
            self.write_number(fit as usize);
        }
        if let Some(unit) = &mark.unit {
            let unit = intern_shared(&mut self.chunk.units, &mut self.units, unit);
            self.write_number(unit);
        }
        let before = std::mem::replace(&mut self.name, Arc::clone(&mark.name));
        self.write_text(&before, &mark.name);
        let before = std::mem::replace(&mut self.label, Arc::clone(&mark.label));
        self.write_text(&before, &mark.label);
    }

    /// Writes the length of the common prefix with `before`, and the rest.
    fn write_text(&mut self, before: &str, text: &str) {
        let same = before.bytes().zip(text.bytes()).take_while(|(one, other)| one == other).count();
        self.write_number(same);
        self.write_number(text.len() - same);
        self.bytes.extend_from_slice(&text.as_bytes()[same..]);
    }
}

struct ItemDecoder<'a> {
    chunk: &'a CompactChunk,
    at: usize,
    marked: bool,
    name: Vec<u8>,
    label: Vec<u8>,
}

impl ItemDecoder<'_> {
    fn read_byte(&mut self) -> u8 {
        let byte = self.chunk.bytes.get(self.at).copied().unwrap_or_default();
        self.at += 1;
        byte
    }

    fn read_number(&mut self) -> usize {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.read_byte();
            number |= usize::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 || shift >= usize::BITS {
                return number;
            }
        }
    }

    fn read_floats<const N: usize>(&mut self) -> [f32; N] {
        let bytes = self.chunk.bytes.get(self.at..self.at + 4 * N).unwrap_or_default();
        self.at += 4 * N;
        let mut floats = [0.0; N];
        for (float, bytes) in floats.iter_mut().zip(bytes.as_chunks::<4>().0) {
            *float = f32::from_le_bytes(*bytes);
        }
        floats
    }

    fn read_style(&mut self) -> PaintStyle {
        let place = self.read_number();
        self.chunk.styles.get(place).cloned().unwrap_or_default()
    }

    fn read_item(&mut self) -> SceneItem {
        let first = self.read_byte();
        let shape = match first & KIND_MASK {
            PATH => {
                let style = self.read_style();
                let many = self.read_number();
                let segments = (0..many).map(|_| self.read_segment()).collect();
                Shape::Path(Path { segments, even_odd: first & EVEN_ODD != 0 }, style)
            }
            RECT => {
                let style = self.read_style();
                let [x, y, w, h, radius] = self.read_floats();
                Shape::Rect { rect: Rect::new(x, y, w, h), radius, style }
            }
            CIRCLE => {
                let style = self.read_style();
                let [x, y, radius] = self.read_floats();
                Shape::Circle { x, y, radius, style }
            }
            TEXT => {
                let (run, ink) = (self.read_number(), self.read_number());
                let [x, y] = self.read_floats();
                match (self.chunk.runs.get(run), self.chunk.looks.get(ink)) {
                    (Some(run), Some(&TextLook { size, spacing, paint })) => {
                        Shape::Text(TextLine { shaped: Arc::clone(run), x, y, size, spacing, paint })
                    }
                    _ => Shape::Path(Path::default(), PaintStyle::default()),
                }
            }
            USE => {
                let drawing = self.read_number();
                let transform = Transform { m: self.read_floats() };
                match self.chunk.drawings.get(drawing) {
                    Some(drawing) => Shape::Use { drawing: Arc::clone(drawing), transform },
                    None => Shape::Path(Path::default(), PaintStyle::default()),
                }
            }
            _ => {
                let transform = Transform { m: self.read_floats() };
                let many = self.read_number();
                Shape::Group { transform, items: (0..many).map(|_| self.read_item()).collect() }
            }
        };
        let mark = if first & HAS_MARK == 0 { None } else { self.read_mark() };
        SceneItem { shape, mark }
    }

    fn read_segment(&mut self) -> Segment {
        match self.read_byte() {
            MOVE => {
                let [x, y] = self.read_floats();
                Segment::Move(x, y)
            }
            LINE => {
                let [x, y] = self.read_floats();
                Segment::Line(x, y)
            }
            CURVE => {
                let [ax, ay, bx, by, x, y] = self.read_floats();
                Segment::Curve(ax, ay, bx, by, x, y)
            }
            _ => Segment::Close,
        }
    }

    fn read_mark(&mut self) -> Option<Box<Mark>> {
        let flags = self.read_byte();
        let fit = (flags & HAS_FIT != 0).then(|| self.read_number() as u32);
        let unit = (flags & HAS_UNIT != 0).then(|| self.read_number());
        let mut name = std::mem::take(&mut self.name);
        self.read_text(&mut name);
        let mut label = std::mem::take(&mut self.label);
        self.read_text(&mut label);
        let mark = self.marked.then(|| {
            Box::new(Mark {
                name: String::from_utf8_lossy(&name).into(),
                kind: match flags & (VALUE | 3) {
                    0 => MarkKind::Tick,
                    1 => MarkKind::Write,
                    2 => MarkKind::Shown,
                    VALUE => MarkKind::Value,
                    _ => MarkKind::Cross,
                },
                fit,
                label: String::from_utf8_lossy(&label).into(),
                ticked: flags & TICKED != 0,
                unit: unit.and_then(|unit| self.chunk.units.get(unit)).cloned(),
            })
        });
        (self.name, self.label) = (name, label);
        mark
    }

    /// Replaces `text`, which is the one before.
    fn read_text(&mut self, text: &mut Vec<u8>) {
        let (same, more) = (self.read_number(), self.read_number());
        text.truncate(same);
        text.extend_from_slice(self.chunk.bytes.get(self.at..self.at + more).unwrap_or_default());
        self.at += more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fonts::{FontFace, shape};
    use crate::scene::{Cap, Join, Stroke};

    fn items() -> Vec<SceneItem> {
        let dashed =
            Stroke { dash: vec![2.0, 1.5], cap: Cap::Round, join: Join::Bevel, ..Stroke::new(Paint::grey(9), 0.3) };
        let style = PaintStyle { fill: Some(Paint { rgb: [1, 2, 3], alpha: 0.25 }), stroke: Some(dashed) };
        let drawing = Arc::new(Drawing { name: "a".into(), width: 3.0, height: 4.0, ..Drawing::default() });
        let unit = Arc::new(PrintedUnit { key: "first".into(), fleet: "red".into(), ..PrintedUnit::default() });
        let text = |words: &str, x| TextLine {
            shaped: shape(FontFace::Bold, words),
            x,
            y: -0.0,
            size: 2.5,
            spacing: 0.1,
            paint: Paint::grey(26),
        };
        let segments = vec![
            Segment::Move(0.1, f32::MIN_POSITIVE),
            Segment::Line(1e9, -7.25),
            Segment::Curve(1.0, 2.0, 3.0, 4.0, 5.0, 6.0),
            Segment::Close,
        ];
        let mut items = Vec::new();
        for n in 0..300_u32 {
            let kind = [MarkKind::Tick, MarkKind::Write, MarkKind::Shown, MarkKind::Cross][n as usize % 4];
            let mark = (n % 5 != 0).then(|| {
                let own = (n % 3 != 0).then(|| Arc::clone(&unit));
                let label = ["Größe, box ", "Grüße – box ", ""][n as usize % 3].to_owned() + &n.to_string();
                let fit = (n % 7 == 0).then_some(n * 1000);
                Box::new(Mark {
                    label: label.into(),
                    ticked: n % 2 == 0,
                    unit: own,
                    ..Mark::new(format!("structure_{n}"), kind, fit)
                })
            });
            let shape = match n % 6 {
                0 => Shape::Path(Path { segments: segments.clone(), even_odd: n % 4 == 0 }, style.clone()),
                1 => {
                    Shape::Rect { rect: Rect::new(1.0, 2.0, n as f32, 4.0), radius: 0.5, style: PaintStyle::default() }
                }
                2 => Shape::Circle { x: 1.5, y: n as f32, radius: 3.0, style: style.clone() },
                3 => Shape::Text(text(["one", "two", "three"][n as usize % 3], n as f32)),
                4 => Shape::Use { drawing: Arc::clone(&drawing), transform: Transform::rotate(n as f32) },
                _ => {
                    let inner = SceneItem { shape: Shape::Text(text("within", 0.0)), mark: mark.clone() };
                    Shape::Group { transform: Transform::scale(2.0, n as f32), items: vec![inner; n as usize % 3] }
                }
            };
            items.push(SceneItem { shape, mark });
        }
        items
    }

    fn plain(items: &[SceneItem]) -> String {
        format!("{items:?}")
    }

    #[test]
    fn what_was_laid_away_comes_out_as_it_was() {
        let all = items();
        let mut page = Page { items: all.clone(), ..Page::default() };
        page.compact_items();
        assert!(page.items.is_empty() && !page.is_empty());
        assert_eq!(plain(&page.items()), plain(&all));
        page.items.extend_from_slice(&all[..10]);
        page.push_items(all[10..20].to_vec(), false);
        page.items.extend_from_slice(&all[20..25]);
        let wanted = [&all[..], &all[..25]].concat();
        assert_eq!(plain(&page.items()), plain(&wanted));
        let mut bare = page.items_for_drawing().into_owned();
        assert_eq!(bare.len(), wanted.len());
        assert!(bare.drain(..all.len()).all(|item| item.mark.is_none()));
        page.expand_items();
        assert_eq!(plain(&page.items), plain(&wanted));
        // Shared values stay shared.
        let drawings = page.items.iter().filter_map(|item| match &item.shape {
            Shape::Use { drawing, .. } => Some(Arc::as_ptr(drawing)),
            _ => None,
        });
        let drawings: Vec<_> = drawings.collect();
        assert!(drawings.windows(2).all(|two| two[0] == two[1]));
    }

    #[test]
    fn it_takes_little_room() {
        let boxed = |n: usize| SceneItem {
            shape: Shape::Rect { rect: Rect::new(n as f32, 2.0, 3.0, 3.0), radius: 0.0, style: PaintStyle::default() },
            mark: Some(Box::new(Mark {
                label: format!("structure, box {n}").into(),
                ..Mark::new(format!("structure_{n}"), MarkKind::Tick, None)
            })),
        };
        let mut folded = CompactItems::default();
        folded.push(&(0..1000).map(boxed).collect::<Vec<_>>());
        let bytes: usize = folded.chunks.iter().map(|part| part.bytes.len()).sum();
        assert!(bytes < 36_000, "{bytes} bytes for a thousand boxes");
    }
}
