//! Boxes in rows, the body of tracks and mounts: takes rows of boxes with their contents and labels, draws them with
//! [`fit`](crate::sheet::layout::box_layout). Returns what does not fit at the minimum size, as boxes of the same rows.

use std::cell::Cell;
use std::sync::Arc;

use super::box_rows::{BoxFace, BoxRow, FIGURE_ROOM, RowFaces, companion_grids, marker_slot, remaining_rows};
use super::box_template::BoxTemplate;
use super::text_blocks::Paragraphs;
use crate::sheet::layout::box_layout::{self, BoxGaps, BoxLayout, BoxLayoutRequest, RowFlow};
use crate::sheet::layout::companion_grid::{self, CompanionGrid, CompanionSide};
use crate::sheet::layout::flowable::{Flowable, MAX_KEPT_TOGETHER, SizeHint};
use crate::sheet::layout::minimum_sizes::{INK, LINE_WIDTH};
use crate::sheet::layout::outline::{self, Outline};
use crate::sheet::layout::outline_rows;
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::{TextRole, TextStyle, TextStyles};
use moldloft_drawing::art::Anchor;
use moldloft_drawing::fonts::FontFace;
use moldloft_drawing::scene::{PaintStyle, Rect, Stroke};
use moldloft_rules::evaluate::BoxShape;

#[derive(Clone, Debug)]
pub struct BoxGrid {
    pub rows: Vec<BoxRow>,
    /// Headings over the labels at the rows' ends; the first is strong.
    pub end_headings: Vec<Arc<str>>,
    /// So many of them, the last ones, are only where the boxes leave room; and how these are read, after the last row.
    pub spare_ends: usize,
    pub ends_key: Arc<str>,
    /// Quiet text at the end of the very last row.
    pub last_label: Arc<str>,
    /// Text in a large circle at the right, and text under it.
    pub medal: Option<(Arc<str>, Arc<str>)>,
    /// How rows become lines.
    pub flow: RowFlow,
    /// Whether lines run down.
    pub down: bool,
    /// Whether they run down if the rectangle is taller than wide.
    pub down_if_tall: bool,
    /// Whether labels at the left are names rather than quiet text.
    pub labels_are_names: bool,
    /// The largest share of the width for labels at the left.
    pub max_label_share: f32,
    /// Width kept for labels at the left, mm, so that several blocks line up.
    pub label_width: f32,
    /// Preferred side of a box, mm before large print.
    pub preferred_side: f32,
    /// Whether the side is that of all boxes of a group.
    pub is_limited: bool,
    /// Width of a marker that is put on the boxes, mm; 0 without.
    pub marker: f32,
    /// Heights of the layers as multiples of the first; one for each layer.
    pub layer_heights: Vec<f32>,
    /// Between layers, as a multiple of a box; 0: each layer shares a line with the next.
    pub layer_gap: f32,
    /// A box's width divided by its height (of the first layer).
    pub aspect: f32,
    /// The same at most, where lines leave part of the width free; 0: boxes keep their shape.
    pub widest: f32,
    pub gaps: BoxGaps,
    /// Whether the block is centred in the rectangle rather than at its upper left corner.
    pub is_centred: bool,
    /// Of a centred grid: it begins at the top nevertheless.
    pub starts_at_top: bool,
    /// Where companions are; by default beside boxes that run down, below boxes that run across.
    pub companion_side: Option<CompanionSide>,
    /// A row may be begun where not all of it fits.
    pub may_split: bool,
    /// The boxes are inside this outline of the rectangle, if nothing but names is beside them.
    pub outline: Option<Outline>,
    /// What it wants at a width, with this smallest box, once that is known.
    pub known_hint: Cell<Option<(f32, f32, SizeHint)>>,
    /// Notes of rows that are already drawn, for below the last boxes.
    pub earlier_notes: Vec<Arc<str>>,
}

impl Default for BoxGrid {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            end_headings: Vec::new(),
            spare_ends: 0,
            ends_key: "".into(),
            last_label: "".into(),
            medal: None,
            flow: RowFlow::Rows,
            down: false,
            down_if_tall: false,
            labels_are_names: false,
            max_label_share: 0.5,
            label_width: 0.0,
            preferred_side: 5.0,
            is_limited: false,
            marker: 0.0,
            layer_heights: vec![1.0],
            layer_gap: LAYER_GAP,
            aspect: 1.0,
            widest: 0.0,
            gaps: BoxGaps::default(),
            is_centred: false,
            starts_at_top: false,
            companion_side: None,
            may_split: false,
            outline: None,
            known_hint: Cell::default(),
            earlier_notes: Vec::new(),
        }
    }
}

/// Between layers of one column that are not joined, as a multiple of a box.
const LAYER_GAP: f32 = 0.08;
pub(super) const MEDAL_SIZE: f32 = 14.0;
/// Between the rows' ends and the circle or the text under it, mm.
pub(super) const MEDAL_GAP: f32 = 6.0;
/// Between a note and what is before it, mm.
pub(super) const NOTE_GAP: f32 = 1.6;
/// Ways to arrange companions beside a box.
const COMPANION_ARRANGEMENTS: u32 = 3;
/// Inside an outline, so much of the wanted size is as good if rows then take fewer lines.
const NEARLY: f32 = 0.9;
/// A room of more than so many times its width is taller than wide.
const TALL: f32 = 1.3;

/// Widths beside the boxes, mm.
pub(super) struct SideWidths {
    pub(super) left: f32,
    /// Inside an outline: the rows' names with the gap after them.
    pub(super) leads: Vec<f32>,
    pub(super) ends: Vec<f32>,
    pub(super) spare: Vec<f32>,
    pub(super) right: f32,
    pub(super) top: f32,
    /// Width of the notes at the rows' ends; 0 if there are none, or if they are below the boxes.
    pub(super) notes: f32,
    /// From the first box to the notes, where they are in what short rows leave free, mm.
    pub(super) notes_inside: Option<f32>,
    /// Notes too long for the rows' ends.
    pub(super) long_notes: Vec<Arc<str>>,
    /// Lines of notes below the boxes, and their height.
    pub(super) below: Vec<String>,
    pub(super) bottom: f32,
}

impl BoxGrid {
    /// Narrowest box for its text at the minimum size, mm.
    fn min_box_width(&self, styles: &TextStyles) -> f32 {
        let margin = if self.has_only_values() { 0.3 } else { FIGURE_ROOM };
        let layers = self.rows.iter().flat_map(|row| row.layers.iter());
        layers.map(|layer| layer.min_width(margin, styles)).fold(0.0, f32::max)
    }

    /// Whether there are only figures: they may be closer together than boxes.
    fn has_only_values(&self) -> bool {
        self.rows.iter().all(|row| row.layers.iter().all(|layer| layer.shape == BoxShape::Plain))
    }

    /// Faces drawn from small templates.
    fn box_templates(&self) -> impl Iterator<Item = &BoxTemplate> {
        let faces = self.rows.iter().flat_map(|row| row.layers.iter()).flat_map(|layer| match &layer.faces {
            RowFaces::Same(face) => std::slice::from_ref(face),
            RowFaces::Each(faces) => faces,
        });
        faces.filter_map(|face| match face {
            BoxFace::Template(face) => Some(face),
            _ => None,
        })
    }

    /// Height of all layers as a multiple of the first.
    fn relative_height(&self) -> f32 {
        self.layer_heights.iter().sum::<f32>() + self.layer_gap * (self.layer_heights.len().saturating_sub(1)) as f32
    }

    fn min_companion(&self, styles: &TextStyles) -> f32 {
        let companions = self.rows.iter().flat_map(|row| &row.companions);
        companions.map(|companion| companion.min_side(styles)).fold(styles.minimums.companion, f32::max)
    }

    pub(super) fn layout_request<'a>(
        &self,
        counts: &'a [u32],
        width: f32,
        height: f32,
        styles: &TextStyles,
    ) -> BoxLayoutRequest<'a> {
        // With layers the fitted "box" is a whole column of them; the lowest layer is at least the smallest tick box.
        let lowest = self.layer_heights.iter().copied().fold(1.0, f32::min).min(self.aspect);
        let least = if self.has_only_values() { styles.minimums.play_text * 0.9 } else { styles.minimums.tick_box };
        let least = least.max(marker_slot(self.marker));
        let least =
            self.box_templates().fold(least / lowest.max(0.05), |least, face| face.min_height(styles).max(least))
                * self.relative_height();
        BoxLayoutRequest {
            rows: counts,
            width,
            height,
            min_side: least,
            max_side: (self.preferred_side * styles.minimums.scale * self.relative_height()).max(least),
            aspect: self.aspect / self.relative_height(),
            min_width: self.min_box_width(styles),
            flow: self.flow,
            down: self.down,
            gaps: self.gaps,
            companions: &[],
            min_companion: self.min_companion(styles),
        }
    }

    /// The ways to arrange companions beside a box; without companions there is one.
    fn arrangements(&self, down: bool) -> Vec<Vec<CompanionGrid>> {
        let grids = |arrangement| companion_grids(&self.rows, self.companion_side, down, arrangement);
        let tried = if self.rows.iter().all(|row| row.companions.is_empty()) { 1 } else { COMPANION_ARRANGEMENTS };
        let mut all: Vec<_> = (0..tried).map(grids).collect();
        all.dedup();
        all
    }

    /// The boxes at the largest size that holds all of them, or the most of them, with their companions.
    pub(super) fn lay_out_with_companions(&self, request: &BoxLayoutRequest<'_>) -> (BoxLayout, Vec<CompanionGrid>) {
        let mut best: Option<(BoxLayout, Vec<CompanionGrid>)> = None;
        for grids in self.arrangements(request.down) {
            let fitted = box_layout::lay_out_boxes(&BoxLayoutRequest { companions: &grids, ..request.clone() });
            let better = best.as_ref().is_none_or(|(known, _)| {
                fitted.unplaced < known.unplaced || fitted.unplaced == known.unplaced && fitted.size > known.size
            });
            if better {
                best = Some((fitted, grids));
            }
        }
        best.unwrap_or_default()
    }

    /// The height of the first row at the minimum size, mm.
    fn first_row_height(&self, request: &BoxLayoutRequest<'_>) -> Option<f32> {
        let (rows, _) = request.rows.split_at_checked(1)?;
        let arrangements = self.arrangements(request.down);
        let heights = arrangements.iter().filter_map(|grids| {
            let companions = grids.get(..1).unwrap_or_default();
            let request = BoxLayoutRequest { rows, companions, ..request.clone() };
            box_layout::extent(&request, request.min_side)
        });
        heights.min_by(f32::total_cmp)
    }

    /// The height that all boxes with their labels take at the minimum size, and at the preferred size or the largest
    /// that the width allows, mm; `left` is the width of the labels.
    fn grid_heights(&self, request: &BoxLayoutRequest<'_>, left: f32, styles: &TextStyles) -> (f32, f32) {
        let arrangements = self.arrangements(request.down);
        let heights = arrangements.iter().map(|grids| {
            let request = BoxLayoutRequest { companions: grids, ..request.clone() };
            let Some(least) = box_layout::extent(&request, request.min_side) else {
                return (f32::INFINITY, f32::INFINITY);
            };
            let mut natural = box_layout::lay_out_boxes(&request);
            self.spread_for_labels(&mut natural, left, styles);
            (least + self.label_extra(&request, left, styles), natural.height)
        });
        let least = |a: (f32, f32), b: (f32, f32)| (a.0.min(b.0), a.1.min(b.1));
        let (min, natural) = heights.fold((f32::INFINITY, f32::INFINITY), least);
        if min.is_finite() { (min, natural) } else { (request.min_side, 0.0) }
    }

    /// The request for lines that run down, where the room for them is tall enough.
    fn turned<'a>(&self, request: &BoxLayoutRequest<'a>) -> Option<BoxLayoutRequest<'a>> {
        let is_tall = self.down_if_tall && request.height > request.width * TALL;
        is_tall.then(|| BoxLayoutRequest { down: true, flow: RowFlow::Start, ..request.clone() })
    }

    /// The outline, unless there is something beside the boxes.
    fn outline_for(&self, sides: &SideWidths) -> Option<&Outline> {
        let is_alone = self.rows.iter().all(|row| row.companions.is_empty()) && sides.long_notes.is_empty();
        self.outline.as_ref().filter(|_| is_alone && sides.left + sides.right + sides.top == 0.0)
    }

    pub(super) fn counts(&self) -> Vec<u32> {
        self.rows.iter().map(|row| row.boxes).collect()
    }

    /// The boxes, and what is beside them; with the notes below if all of it fits, otherwise without them.
    fn lay_out(&self, rect: Rect, styles: &TextStyles) -> (BoxLayout, Vec<CompanionGrid>, SideWidths) {
        let mut sides = self.side_widths_for(rect.w, styles);
        let (mut fitted, mut grids) = self.lay_out_beside(&sides, rect, styles);
        if fitted.unplaced > 0 && !sides.below.is_empty() {
            (sides.below, sides.bottom) = (Vec::new(), 0.0);
            (fitted, grids) = self.lay_out_beside(&sides, rect, styles);
        }
        self.add_spare_ends(&mut sides, &fitted, rect.w, styles);
        (fitted, grids, sides)
    }

    fn lay_out_beside(&self, sides: &SideWidths, rect: Rect, styles: &TextStyles) -> (BoxLayout, Vec<CompanionGrid>) {
        let counts = self.counts();
        let (width, height) = (rect.w - sides.left - sides.right, rect.h - sides.top - sides.bottom);
        let request = self.layout_request(&counts, width, height, styles);
        if let Some(outline) = self.outline_for(sides) {
            if !sides.leads.is_empty() {
                let least_share = if self.is_limited { 1.0 } else { NEARLY };
                let fitted = outline_rows::lay_out_named_rows(&request, outline, &sides.leads, least_share);
                return (fitted, Vec::new());
            }
            return (outline::lay_out_in_outline(&request, outline), Vec::new());
        }
        // Lines run across after all where those that run down do not hold everything.
        let down = self.turned(&request).map(|turned| self.lay_out_with_companions(&turned));
        if let Some(fitted) = down.filter(|(fitted, _)| fitted.unplaced == 0) {
            return fitted;
        }
        let (mut fitted, mut grids) = self.lay_out_with_companions(&request);
        let added = self.spread_for_labels(&mut fitted, sides.left, styles);
        if added > 0.0 && fitted.height > height + 0.01 {
            let added = self.label_extra(&request, sides.left, styles);
            let request = BoxLayoutRequest { height: height - added, ..request };
            (fitted, grids) = self.lay_out_with_companions(&request);
            self.spread_for_labels(&mut fitted, sides.left, styles);
        }
        if grids.is_empty() && !self.down {
            fitted.widen(width, self.widest * fitted.box_height / self.relative_height());
        }
        (fitted, grids)
    }

    /// What is left after the first `done` boxes; `long_notes` are for below the last boxes.
    fn remaining_after(self, done: u32, long_notes: Vec<Arc<str>>) -> Self {
        let rows = remaining_rows(self.rows, done);
        let still: Vec<&Arc<str>> = rows.iter().map(|row| &row.note).collect();
        let earlier_notes = long_notes.into_iter().filter(|note| !still.contains(&note)).collect();
        Self { rows, medal: None, outline: None, earlier_notes, known_hint: Cell::default(), ..self }
    }

    fn draw_box(&self, row: &BoxRow, n: u32, place: Rect, pen: &mut SheetPen) {
        let unit = place.h / self.relative_height();
        let mut y = place.y;
        for (layer, part) in row.layers.iter().zip(self.layer_heights.iter().copied()) {
            let rect = Rect::new(place.x, y, place.w, unit * part);
            y += unit * (part + self.layer_gap);
            layer.draw_box(n, rect, unit * self.gaps.within, pen);
        }
    }

    /// The companions of a row's box, which is at a place.
    fn draw_companions(&self, row: &BoxRow, n: u32, place: Rect, grid: CompanionGrid, pen: &mut SheetPen) {
        let count = row.companions.iter().map(|companion| companion.count(n)).sum();
        let side = companion_grid::companion_side(place.h, self.min_companion(&pen.styles));
        let corners = companion_grid::companion_corners(grid, count, (place.w, place.h), side);
        let mut corners = corners.map(|(x, y)| (place.x + x, place.y + y));
        for companion in &row.companions {
            companion.draw(n, side, corners.by_ref().take(companion.count(n) as usize), pen);
        }
    }

    fn draw_sides(&self, fitted: &BoxLayout, sides: &SideWidths, corner: (f32, f32), rect: Rect, pen: &mut SheetPen) {
        let styles = pen.styles;
        let strong = styles.value;
        let after = corner.0 + fitted.width;
        let mut heads = after;
        for (n, (head, width)) in self.end_headings.iter().zip(&sides.ends).enumerate() {
            let middle = heads + width / 2.0 + 0.8;
            pen.text(head, styles.label, middle, corner.1 - styles.label.size.mm() * 0.4, Anchor::Middle);
            for line in fitted.lines.iter().filter(|line| line.ends) {
                let row = &self.rows[line.row];
                let words = row.end_labels.get(n).map_or("", |words| words);
                let y = corner.1 + line.at + fitted.box_height / 2.0;
                pen.text_centred(
                    words,
                    if n == 0 { strong.with_face(FontFace::SemiBold) } else { styles.quiet_value },
                    middle,
                    y,
                    None,
                );
            }
            heads += width;
        }
        self.draw_spare_ends(fitted, sides, corner, rect.right(), pen);
        if sides.notes > 0.0 {
            for line in fitted.lines.iter().filter(|line| line.ends) {
                let y = corner.1 + line.at + fitted.box_height / 2.0 + styles.label.cap_height() / 2.0;
                let x = sides.notes_inside.map_or(heads + NOTE_GAP, |at| corner.0 + at);
                pen.text(&self.rows[line.row].note, styles.label, x, y, Anchor::Start);
            }
        }
        for (n, words) in sides.below.iter().enumerate() {
            let y = corner.1 + fitted.height + NOTE_GAP + n as f32 * styles.label.line_height();
            pen.text(words, styles.label, corner.0 - sides.left, y + styles.label.size.mm() * 0.8, Anchor::Start);
        }
        if let (Some(line), 0) = (fitted.lines.last(), fitted.unplaced)
            && self.rows[line.row].end_labels.iter().all(|words| words.is_empty())
        {
            let y = corner.1 + line.at + fitted.box_height / 2.0 + styles.label.cap_height() / 2.0;
            pen.text(&self.last_label, styles.label, after + 2.4, y, Anchor::Start);
        }
        if let Some((words, note)) = &self.medal {
            let radius = MEDAL_SIZE / 2.0 * styles.minimums.scale;
            // Beside what it belongs to, where short rows leave room.
            let half = styles.label.width(note) / 2.0;
            let x = (heads + MEDAL_GAP + radius.max(half)).min(rect.right() - radius - 0.4);
            let under = if note.is_empty() { 0.0 } else { styles.label.line_height() };
            let lowest = (rect.bottom() - under - radius - 0.6).max(rect.y + radius);
            let y = (corner.1 + (fitted.height - under) / 2.0).max(corner.1 + radius).min(lowest);
            let style = PaintStyle { fill: None, stroke: Some(Stroke::new(INK, LINE_WIDTH * 1.8)) };
            pen.circle(x, y, radius, style, None);
            let style = TextStyle {
                face: FontFace::SemiBold,
                size: styles.minimums.text_size(14.0, TextRole::Play),
                ..styles.value
            };
            let size = styles.minimums.shrink_to_width(
                style.size,
                style.width(words) / style.size.mm(),
                radius * 1.6,
                TextRole::Play,
            );
            pen.text_centred(words, TextStyle { size, ..style }, x, y, None);
            let below = y + radius + styles.label.line_height();
            pen.text(note, styles.label, x.min(rect.right() - half), below, Anchor::Middle);
        }
    }

    /// The heights wanted at a width, mm, for boxes of this size at most, mm before large print.
    fn size_hint(&self, width: f32, largest: f32, styles: &TextStyles) -> SizeHint {
        let sides = self.side_widths_for(width, styles);
        let counts = self.counts();
        let medal = match &self.medal {
            Some((_, note)) => {
                MEDAL_SIZE * styles.minimums.scale
                    + 1.0
                    + if note.is_empty() { 0.0 } else { styles.label.line_height() + 0.6 }
            }
            None => 0.0,
        };
        let request = self.layout_request(&counts, width - sides.left - sides.right, 1e6, styles);
        let largest = largest * styles.minimums.scale * self.relative_height();
        let request = BoxLayoutRequest { max_side: request.max_side.min(largest).max(request.min_side), ..request };
        if let Some(outline) = self.outline_for(&sides) {
            let (least, natural) = self.heights_in_outline(&request, outline, &sides.leads);
            return SizeHint { min_start: request.min_side * 2.0, min: least, natural, max: natural };
        }
        if self.down {
            let min_start = request.min_side + sides.top;
            let longest = counts.iter().copied().max().unwrap_or(0) as f32 * request.max_side * 1.1;
            let min = min_start + sides.bottom;
            return SizeHint { min_start, min, natural: min.max(longest), max: longest };
        }
        // The natural height is that of the preferred size, or of the largest that the width allows.
        let (least, natural) = self.grid_heights(&request, sides.left, styles);
        let around = sides.top + sides.bottom;
        let (least, natural) = (least + around, natural + around);
        let mut start = request.min_side + sides.top;
        if !self.may_split
            && matches!(self.flow, RowFlow::Rows | RowFlow::Even)
            && let Some(first) = self.first_row_height(&request).filter(|first| *first <= MAX_KEPT_TOGETHER)
        {
            start = start.max(first + sides.top);
        }
        // A long name at the left may take more lines than its boxes.
        let style = self.label_style(styles);
        let lines = self.label_lines(sides.left, styles).into_iter().max().unwrap_or(0);
        start = start.max(lines as f32 * style.line_height()).max(medal);
        let least = least.max(start);
        let natural = natural.max(least);
        SizeHint { min_start: start, min: least, natural, max: natural }
    }
}

impl Flowable for BoxGrid {
    fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        let smallest = styles.minimums.tick_box;
        if let Some((known, box_side, hint)) = self.known_hint.get()
            && (known - width).abs() < 1e-3
            && box_side == smallest
        {
            return hint;
        }
        let hint = self.size_hint(width, f32::INFINITY, styles);
        self.known_hint.set(Some((width, smallest, hint)));
        hint
    }

    fn draw(self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        let (fitted, grids, sides) = self.lay_out(rect, &pen.styles);
        let fitted = fitted.without_begun_row();
        let mut corner = (rect.x + sides.left, rect.y + sides.top);
        if self.is_centred {
            corner.0 += (rect.w - sides.left - sides.right - fitted.width) / 2.0;
            if !self.starts_at_top {
                corner.1 += (rect.h - sides.top - sides.bottom - fitted.height) / 2.0;
            }
        }
        let (width, height) = (rect.w - sides.left - sides.right, rect.h - sides.top - sides.bottom);
        let down = self.down_if_tall && height > width * TALL || self.down;
        let before = |sum: &mut u32, row: &BoxRow| Some(std::mem::replace(sum, *sum + row.boxes));
        let firsts: Vec<u32> = self.rows.iter().scan(0, before).collect();
        for line in &fitted.lines {
            let (mut row, mut n) = (line.row, line.first - firsts[line.row]);
            if line.begins && !down {
                let y = corner.1 + line.at + fitted.box_height / 2.0;
                let lead = if sides.leads.is_empty() { 0.0 } else { fitted.corners[line.first as usize].0 };
                self.draw_label(&self.rows[row], (rect.x, corner.0 + lead), y, pen);
            }
            for place in line.first..line.first + line.count {
                while n >= self.rows[row].boxes {
                    (row, n) = (row + 1, 0);
                }
                let (x, y) = fitted.corners[place as usize];
                let rect = Rect::new(corner.0 + x, corner.1 + y, fitted.box_width, fitted.box_height);
                self.draw_box(&self.rows[row], n, rect, pen);
                if let Some(grid) = grids.get(row) {
                    self.draw_companions(&self.rows[row], n, rect, *grid, pen);
                }
                n += 1;
            }
        }
        if !fitted.lines.is_empty() {
            self.draw_sides(&fitted, &sides, corner, rect, pen);
        }
        let done = fitted.corners.len() as u32;
        // Notes for which there was no room below the boxes.
        let notes = if sides.below.is_empty() { sides.long_notes } else { Vec::new() };
        if fitted.unplaced == 0 {
            let notes: Vec<_> = notes.into_iter().map(|note| ("".into(), note)).collect();
            let content = Paragraphs::new(notes, pen.styles.label, Anchor::Start);
            return (!content.is_empty()).then(|| Box::new(content) as Box<dyn Flowable>);
        }
        let flow = if self.flow == RowFlow::Centred { RowFlow::Start } else { self.flow };
        Some(Box::new(Self {
            is_centred: false,
            down: false,
            down_if_tall: false,
            flow,
            may_split: self.may_split && done == 0,
            ..self.remaining_after(done, notes)
        }))
    }

    fn max_box_size(&self, rect: Rect, styles: &TextStyles) -> Option<f32> {
        if self.rows.is_empty() {
            return None;
        }
        Some(self.lay_out(rect, styles).0.size / self.relative_height() / styles.minimums.scale)
    }

    fn height_for_boxes(&self, width: f32, size: f32, styles: &TextStyles) -> Option<f32> {
        if self.rows.is_empty() {
            return None;
        }
        Some(self.size_hint(width, size, styles).natural)
    }

    fn drawn_height(&self, rect: Rect, styles: &TextStyles) -> Option<f32> {
        let (fitted, _, sides) = self.lay_out(rect, styles);
        (self.is_centred && fitted.unplaced == 0 && self.outline_for(&sides).is_none())
            .then_some(fitted.height + sides.top + sides.bottom)
    }

    fn start_at_top(&mut self) {
        self.starts_at_top = true;
    }

    fn limit_box_size(&mut self, size: f32) {
        self.preferred_side = self.preferred_side.min(size);
        self.is_limited = true;
        self.known_hint.take();
    }

    fn allow_split(&mut self) -> bool {
        self.known_hint.take();
        !std::mem::replace(&mut self.may_split, true)
    }

    fn set_outline(&mut self, outline: &Outline) {
        self.outline = Some(outline.clone());
        self.known_hint.take();
    }

    fn crop_outline(&mut self, top: f32, height: f32) {
        self.outline = self.outline.take().map(|outline| outline.strip(top, height));
        self.known_hint.take();
    }
}
