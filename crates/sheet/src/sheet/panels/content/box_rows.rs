//! The boxes of tracks and mounts, in rows: takes what is on and beside each box, draws single boxes at a place. How rows
//! are laid out is the task of [`BoxGrid`](super::box_grid::BoxGrid).

use std::sync::Arc;

use super::box_template::BoxTemplate;
use crate::sheet::layout::companion_grid::{CompanionGrid, CompanionSide};
use crate::sheet::layout::minimum_sizes::INK;
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::{TextRole, TextStyle, TextStyles};
use moldloft_drawing::fonts::{self, FontFace, glyph_outline};
use moldloft_drawing::scene::{Drawing, Mark, MarkKind, PaintStyle, Rect};
use moldloft_rules::evaluate::BoxShape;

/// The most companions on one line.
const LONGEST_COMPANION_LINE: u32 = 6;

/// Between a label and its boxes, mm.
pub const LABEL_GAP: f32 = 1.8;

/// Around a figure in its box, mm, both sides together: between it and each side is half a millimetre of white, so that it is not read with a line.
pub const FIGURE_ROOM: f32 = 1.15;

/// Around a marker in its box, mm, both sides together.
const MARKER_ROOM: f32 = 0.6;

/// The side of a box that holds a marker of this width, mm, in large print too; 0 without one.
pub fn marker_slot(marker: f32) -> f32 {
    if marker > 0.0 { marker + MARKER_ROOM } else { 0.0 }
}

/// The content of a box.
#[derive(Clone, Debug, Default)]
pub enum BoxFace {
    #[default]
    Blank,
    /// Letters that name a system: at least 6 pt.
    Letters(Arc<str>),
    /// A value read during play: at least 8 pt.
    Value(Arc<str>),
    Icon(Arc<Drawing>),
    /// An icon with a number beside it, where the box has room for both.
    IconAndNumber(Arc<Drawing>, Arc<str>),
    /// A small template, scaled into the box.
    Template(BoxTemplate),
}

#[derive(Clone, Debug)]
pub enum RowFaces {
    /// All equal.
    Same(BoxFace),
    /// One per box.
    Each(Arc<[BoxFace]>),
}

/// A sign on one box.
#[derive(Clone, Debug)]
pub enum BoxSign {
    /// A grey dot in it.
    Dot,
    /// A heavy bar after it.
    BarAfter,
    /// An icon in it.
    Icon(Arc<Drawing>),
}

/// One kind of box within a row; a row usually has one, tracks on one grid have one above the other.
#[derive(Clone, Debug)]
pub struct BoxLayer {
    /// Marks are `<stem>_<n>`.
    pub stem: Arc<str>,
    /// Number of the first box's mark.
    pub first: u32,
    pub fit: Option<u32>,
    pub shape: BoxShape,
    pub faces: RowFaces,
    /// Index of the row's first box in `faces` and for `signs`.
    pub first_face: u32,
    /// By index of the box in the track.
    pub signs: Arc<[(u32, BoxSign)]>,
}

/// Small boxes that belong to the boxes of a row, such as the missile in each launcher: boxes of a track of its own.
#[derive(Clone, Debug)]
pub struct Companion {
    pub layer: BoxLayer,
    /// How many belong to each box of the row.
    pub counts: Arc<[u32]>,
    /// Not smaller than other boxes to tick: for damage.
    pub is_full_size: bool,
}

impl Companion {
    /// The smallest side of one, mm: large enough for its text.
    pub fn min_side(&self, styles: &TextStyles) -> f32 {
        let text = self.layer.min_width(FIGURE_ROOM, styles);
        let full_size = text > 0.0 || self.is_full_size;
        text.max(if full_size { styles.minimums.tick_box } else { styles.minimums.companion })
    }

    /// Those of one box, from 0, alone.
    #[must_use]
    pub fn only(mut self, n: u32) -> Self {
        let before: u32 = self.counts.iter().take(n as usize).sum();
        self.layer.first += before;
        self.layer.first_face += before;
        self.counts = Arc::from([self.count(n)]);
        self
    }

    /// The number of companions of a box, from 0.
    pub fn count(&self, n: u32) -> u32 {
        self.counts.get(n as usize).copied().unwrap_or(0)
    }

    /// Draws the companions of a box, each with this side at one of these places, mm.
    pub fn draw(&self, n: u32, side: f32, places: impl Iterator<Item = (f32, f32)>, pen: &mut SheetPen) {
        let before: u32 = self.counts.iter().take(n as usize).sum();
        for (k, (x, y)) in (before..before + self.count(n)).zip(places) {
            self.layer.draw_companion(k, Rect::new(x, y, side, side), pen);
        }
    }
}

#[derive(Clone, Debug)]
pub struct BoxRow {
    /// How many boxes (or columns of boxes, with several layers).
    pub boxes: u32,
    /// From top to bottom.
    pub layers: Vec<BoxLayer>,
    /// At the row's left.
    pub label: Arc<str>,
    /// Small sign between label and boxes; may be empty.
    pub badge: Arc<str>,
    /// Small drawing between label and boxes, such as its arcs.
    pub sign: Option<Arc<Drawing>>,
    /// At the row's right end, one per heading.
    pub end_labels: Vec<Arc<str>>,
    /// Quiet text at the end of the row; with a number of the row for where it does not fit there.
    pub note: Arc<str>,
    /// Drawn beside its boxes, one kind after another.
    pub companions: Vec<Companion>,
}

impl BoxRow {
    /// Without labels.
    pub fn new(boxes: u32, layers: Vec<BoxLayer>) -> Self {
        let (label, badge, note) = ("".into(), "".into(), "".into());
        Self { boxes, layers, label, badge, sign: None, end_labels: Vec::new(), note, companions: Vec::new() }
    }

    pub fn has_note(&self) -> bool {
        !self.note.is_empty()
    }

    /// The most companions of one of its boxes.
    fn most_companions(&self) -> u32 {
        let of = |n: u32| self.companions.iter().map(|companion| companion.count(n)).sum();
        (0..self.boxes).filter(|_| !self.companions.is_empty()).map(of).max().unwrap_or(0)
    }
}

impl BoxLayer {
    /// Boxes of no fit, marked from 1.
    pub fn new(stem: Arc<str>, shape: BoxShape, faces: RowFaces) -> Self {
        Self { stem, first: 1, fit: None, shape, faces, first_face: 0, signs: Arc::from([]) }
    }

    /// `n` counts from 0.
    pub fn box_face(&self, n: u32) -> &BoxFace {
        match &self.faces {
            RowFaces::Same(face) => face,
            RowFaces::Each(faces) => faces.get((self.first_face + n) as usize).unwrap_or(&BoxFace::Blank),
        }
    }

    pub fn mark(&self, n: u32) -> Mark {
        let kind = if self.shape == BoxShape::Plain { MarkKind::Shown } else { MarkKind::Tick };
        Mark::new(mark_name(&self.stem, self.first + n), kind, self.fit)
    }

    /// The width that its letters and values need at the smallest size, mm, values with this margin.
    pub fn min_width(&self, value_margin: f32, styles: &TextStyles) -> f32 {
        let of = |face: &BoxFace| match face {
            BoxFace::Letters(words) => letter_style(styles, TextRole::Label).width(words) + 0.9,
            BoxFace::Value(words) => letter_style(styles, TextRole::Play).width(words) + value_margin,
            BoxFace::Template(face) => face.min_width(styles),
            _ => 0.0,
        };
        match &self.faces {
            RowFaces::Same(face) => of(face),
            RowFaces::Each(faces) => faces.iter().map(of).fold(0.0, f32::max),
        }
    }

    fn draw_companion(&self, n: u32, rect: Rect, pen: &mut SheetPen) {
        let mark = self.mark(n);
        match self.box_face(n) {
            BoxFace::Blank => pen.companion_box(rect, self.shape, mark),
            BoxFace::Icon(icon) => {
                pen.companion_box(rect, self.shape, mark);
                pen.drawing(icon, icon_rect(rect, self.shape), None);
            }
            face => draw_box_face(face, self.shape, rect, mark, pen),
        }
    }

    pub fn draw_box(&self, n: u32, rect: Rect, gap: f32, pen: &mut SheetPen) {
        draw_box_face(self.box_face(n), self.shape, rect, self.mark(n), pen);
        for (_, sign) in self.signs.iter().filter(|(at, _)| *at == self.first_face + n) {
            match sign {
                BoxSign::Dot => pen.dot(rect),
                BoxSign::BarAfter => pen.bar_after(rect, gap),
                BoxSign::Icon(icon) => pen.drawing(icon, icon_rect(rect, self.shape), None),
            }
        }
    }
}

/// How each row's companions are arranged, if any row has some. Of the arrangements from 0 to 2, the first is the
/// usual one; the others are for places that it does not fit.
pub fn companion_grids(
    rows: &[BoxRow],
    side: Option<CompanionSide>,
    down: bool,
    arrangement: u32,
) -> Vec<CompanionGrid> {
    let most: Vec<u32> = rows.iter().map(BoxRow::most_companions).collect();
    if most.iter().all(|&most| most == 0) {
        return Vec::new();
    }
    let usual = if down { CompanionSide::Right } else { CompanionSide::Below };
    let side = side.unwrap_or(usual);
    let grid = |most: u32| {
        let columns = match (side, arrangement) {
            (_, _) if most == 0 => 0,
            (CompanionSide::Below, 0) => (1..).find(|n| n * n >= most).unwrap_or(1),
            (CompanionSide::Below, 1) => most.min(LONGEST_COMPANION_LINE),
            (CompanionSide::Below, _) => 1,
            (_, n) => most.div_ceil(most.div_ceil(LONGEST_COMPANION_LINE) + n),
        };
        CompanionGrid { columns, lines: most.div_ceil(columns.max(1)), side }
    };
    most.into_iter().map(grid).collect()
}

/// The rows that are left after the first `done` boxes.
pub fn remaining_rows(mut rows: Vec<BoxRow>, done: u32) -> Vec<BoxRow> {
    let mut left = done;
    let mut named: (Arc<str>, Arc<str>) = ("".into(), "".into());
    rows.retain_mut(|row| {
        if !row.label.is_empty() && left > 0 {
            named = (Arc::clone(&row.label), Arc::clone(&row.badge));
        }
        if left >= row.boxes {
            left -= row.boxes;
            return false;
        }
        row.boxes -= left;
        for layer in &mut row.layers {
            layer.first += left;
            layer.first_face += left;
        }
        for companion in &mut row.companions {
            let before = (left as usize).min(companion.counts.len());
            let drawn: u32 = companion.counts[..before].iter().sum();
            companion.layer.first += drawn;
            companion.layer.first_face += drawn;
            companion.counts = companion.counts[before..].into();
        }
        left = 0;
        true
    });
    // What is continued keeps its name.
    if let Some(first) = rows.first_mut() {
        (first.label, first.badge) = name_of_rest(first, named);
    }
    rows
}

/// The name of the first remaining row: its own, or that of the rows it belongs to.
fn name_of_rest(row: &BoxRow, before: (Arc<str>, Arc<str>)) -> (Arc<str>, Arc<str>) {
    if row.label.is_empty() { before } else { (Arc::clone(&row.label), Arc::clone(&row.badge)) }
}

/// `structure_12`.
pub fn mark_name(stem: &str, n: u32) -> Arc<str> {
    use std::fmt::Write;
    let mut name = String::with_capacity(stem.len() + 6);
    let _ = write!(name, "{stem}_{n}");
    name.into()
}

/// Side of the drawing beside a name, mm.
pub fn sign_side(styles: &TextStyles) -> f32 {
    4.4 * styles.minimums.scale
}

fn letter_style(styles: &TextStyles, role: TextRole) -> TextStyle {
    TextStyle { face: FontFace::SemiBold, size: styles.minimums.smallest_named(role), paint: INK, spacing: 0.0 }
}

/// Where an icon is drawn in a box: clear of its outline, or over the whole box where there is none.
fn icon_rect(rect: Rect, shape: BoxShape) -> Rect {
    if shape == BoxShape::Plain { rect } else { rect.inset(rect.h * 0.14) }
}

/// Between an icon and its number, mm.
const ICON_GAP: f32 = 0.4;

/// Draws an icon with a number at its right, both in the middle of a room; without room for the number, the icon alone.
fn draw_icon_and_number(icon: &Arc<Drawing>, number: &str, room: Rect, pen: &mut SheetPen) {
    let side = room.h.min(room.w);
    let style = letter_style(&pen.styles, TextRole::Label);
    let em = style.width(number) / style.size.mm();
    let wanted = pen.styles.minimums.named_size_mm(room.h, TextRole::Label);
    let left = room.w - side - ICON_GAP;
    let size = pen.styles.minimums.shrink_to_width(wanted, em, left, TextRole::Label);
    let wide = em * size.mm();
    if wide > left + 0.01 || size.mm() > room.h * 1.35 {
        return pen.drawing(icon, room, None);
    }
    let x = room.x + (room.w - side - ICON_GAP - wide) / 2.0;
    pen.drawing(icon, Rect::new(x, room.y, side, room.h), None);
    let middle = x + side + ICON_GAP + wide / 2.0;
    pen.text_centred(number, TextStyle { size, ..style }, middle, room.y + room.h / 2.0, None);
}

/// Draws a tick box with its content.
pub fn draw_box_face(face: &BoxFace, shape: BoxShape, rect: Rect, mark: Mark, pen: &mut SheetPen) {
    // A shield narrows towards its foot, so its content is a little higher.
    let lift = if shape == BoxShape::Shield { rect.h * 0.07 } else { 0.0 };
    let (x, y) = (rect.x + rect.w / 2.0, rect.y + rect.h / 2.0 - lift);
    if let BoxFace::Template(drawn) = face {
        drawn.draw(rect, pen);
        pen.rect(rect, 0.0, PaintStyle::default(), Some(mark));
        return;
    }
    pen.tick_box(rect, shape, mark);
    let (words, role) = match face {
        BoxFace::Letters(words) => (words, TextRole::Label),
        BoxFace::Value(words) => (words, TextRole::Play),
        BoxFace::Icon(icon) => return pen.drawing(icon, icon_rect(rect, shape), None),
        BoxFace::IconAndNumber(icon, number) => return draw_icon_and_number(icon, number, icon_rect(rect, shape), pen),
        BoxFace::Blank | BoxFace::Template(_) => return,
    };
    let style = letter_style(&pen.styles, role);
    // Few named sizes are between: in large print, a figure may be higher in its box rather than smaller than in plain.
    let is_figure = role == TextRole::Play && words.bytes().all(|byte| byte.is_ascii_digit());
    let (share, beside) = if is_figure && pen.styles.minimums.scale > 1.0 { (0.84, 0.4) } else { (0.66, 0.8) };
    let wanted = pen.styles.minimums.named_size_mm(rect.h * share, role);
    let em = style.width(words) / style.size.mm();
    let size = pen.styles.minimums.shrink_to_width(
        wanted,
        em,
        rect.w - if shape == BoxShape::Plain { 0.0 } else { beside },
        role,
    );
    // In lines of boxes, a letter's foot keeps clear of the next box.
    let foot = if role == TextRole::Label { depth_below_baseline(style.face, words) * size.mm() / 2.0 } else { 0.0 };
    pen.text_centred(words, TextStyle { size, ..style }, x, y - foot, None);
}

/// How far letters such as β reach below the baseline, as a multiple of the font's size; 0 for what only rounds below it.
fn depth_below_baseline(face: FontFace, words: &str) -> f32 {
    let line = fonts::shape(face, words);
    let depths = line.glyphs.iter().map(|glyph| glyph_outline(glyph.face, glyph.id).bounds[3]);
    Some(depths.fold(0.0, f32::max)).filter(|depth| *depth > 0.1).unwrap_or(0.0)
}
