//! A template's texts on a page: takes a slot and its words for a ship, gives its lines, shrunk or wrapped to the width,
//! and draws them; without words it draws a field to write in.

use std::sync::Arc;

use super::prepared_texts::PreparedSlot;
use crate::sheet::layout::minimum_sizes::{POINT_MM, RULE_INK, THIN_LINE};
use crate::sheet::layout::pen::{MeasuredText, SheetPen};
use crate::sheet::layout::text_style::{TextRole, TextSize, TextStyle, TextStyles};
use moldloft_base::sanitize::id_as_words;
use moldloft_drawing::art::{Anchor, Template, TextSlot};
use moldloft_drawing::scene::Rect;

/// Large print enlarges a template's text to at most this size, mm: 10.4 pt.
const MAX_ENLARGED_TEXT: f32 = 8.0 * 1.3 * POINT_MM;
/// The least share of its size that a text in large print keeps for having a named one.
const MIN_SNAPPED: f32 = 0.9;

/// A text at a page's foot takes at most so many lines: the names of some layers are long.
const FOOT_LINES: u32 = 4;

/// A slot with its words for one ship.
#[derive(Clone, Debug)]
pub struct SlotText {
    pub slot: TextSlot,
    /// Index in the template's slots.
    pub slot_index: usize,
    /// `None`: to be written in.
    pub words: Option<String>,
    /// Maximum width, mm.
    pub width: Option<f32>,
    lines: u32,
    /// What does not fit on one line at the least size takes up to so many.
    foot_lines: u32,
    is_play_value: bool,
    /// The field's name where it is written in.
    field: Arc<str>,
    has_rule: bool,
    /// The value or field whose number it shows.
    shown_value: Option<Arc<str>>,
}

impl SlotText {
    /// `n` is its place among the texts; `page` the number of the ship's page.
    pub fn new(filled: &PreparedSlot, template: &Template, words: Option<String>, n: usize, page: i64) -> Self {
        let slot = template.slots[filled.slot_index].clone();
        let plain = filled.field_name.clone().or_else(|| slot.label.clone());
        let name = plain.unwrap_or_else(|| format!("field_{}", n + 1).into());
        // Fields with the same name on several pages of a ship would be filled in together.
        let field = if page > 1 { format!("{name}_{page}").into() } else { name };
        Self {
            slot,
            slot_index: filled.slot_index,
            words,
            width: filled.width,
            lines: filled.max_lines,
            foot_lines: 1,
            is_play_value: filled.is_play_value,
            field,
            has_rule: filled.has_rule && filled.field_name.is_some(),
            shown_value: filled.shown_value.clone(),
        }
    }

    /// The same at the foot of a page, where it can push the panels up.
    pub fn at_foot(self) -> Self {
        let foot_lines = if self.slot.rotation == 0.0 { FOOT_LINES } else { 1 };
        Self { foot_lines, ..self }
    }

    fn role(&self) -> TextRole {
        if self.is_play_value { TextRole::Play } else { TextRole::Label }
    }
}

/// A slot's text and its layout.
pub struct SlotLayout {
    pub lines: Vec<String>,
    pub size: TextSize,
    pub is_cut: bool,
    /// The available width, and the width on one line, mm.
    pub width: f32,
    pub natural_width: f32,
}

/// Lays out a slot's words on a page of a size, mm.
pub fn lay_out(text: &SlotText, words: &str, page: (f32, f32), styles: &TextStyles) -> SlotLayout {
    let slot = &text.slot;
    let role = text.role();
    // Large print enlarges small text; a large title would only run into its neighbours.
    let large = slot.size.max(MAX_ENLARGED_TEXT);
    let wanted = styles.minimums.text_size_mm((slot.size * styles.minimums.scale).min(large), role);
    // It is of the size of the panels' texts where that is not much smaller: a sheet has few sizes.
    let named = styles.minimums.named_size_mm(wanted.mm(), role);
    let is_near = styles.minimums.scale > 1.0 && named < wanted && named.mm() >= wanted.mm() * MIN_SNAPPED;
    let wanted = if is_near { named } else { wanted };
    let style =
        TextStyle { face: slot.face, size: wanted, paint: slot.paint, spacing: slot.spacing / slot.size.max(0.01) };
    let width = text.width.unwrap_or_else(|| width_to_edge(slot, page)).max(1.0);
    let em = style.width(words) / wanted.mm();
    let size = if text.lines > 1 {
        styles.minimums.shrink_to_width(wanted, em, width, role)
    } else {
        styles.minimums.shrink_to_least(wanted, em, width, role)
    };
    let style = TextStyle { size, ..style };
    let needs = style.width(words);
    if needs <= width + 0.05 {
        return SlotLayout { lines: vec![words.to_owned()], size, is_cut: false, width, natural_width: needs };
    }
    let mut lines = style.wrap(words, width);
    let most = text.lines.max(text.foot_lines) as usize;
    let cut = lines.len() > most;
    if cut {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            *last = style.truncate(&format!("{last} …"), width - 0.1);
        }
    }
    SlotLayout { lines, size, is_cut: cut, width, natural_width: needs }
}

/// From line to line, as a multiple of the size.
const LINE_STEP: f32 = 1.18;

impl SlotLayout {
    /// From the first line to the last, mm.
    pub fn drop(&self) -> f32 {
        self.lines.len().saturating_sub(1) as f32 * self.size.mm() * LINE_STEP
    }
}

/// The width available to a slot without a width of its own: up to the page's edge.
fn width_to_edge(slot: &TextSlot, page: (f32, f32)) -> f32 {
    const MARGIN: f32 = 0.5;
    if slot.rotation != 0.0 {
        return page.0.max(page.1);
    }
    match slot.anchor {
        Anchor::Start => page.0 - slot.x - MARGIN,
        Anchor::Middle => 2.0 * (slot.x.min(page.0 - slot.x) - MARGIN),
        Anchor::End => slot.x - MARGIN,
    }
}

/// Measures a slot's words on a page of a size, mm.
pub fn measure(text: &SlotText, words: &str, page: (f32, f32), styles: &TextStyles) -> MeasuredText {
    let SlotLayout { is_cut, width, natural_width, .. } = lay_out(text, words, page, styles);
    MeasuredText { slot_index: text.slot_index, words: words.to_owned(), is_cut, width, natural_width }
}

/// Draws a slot's words, or its field, on a page of a size, mm.
pub fn draw(text: &SlotText, page: (f32, f32), pen: &mut SheetPen) {
    let slot = &text.slot;
    let Some(words) = &text.words else { return draw_field(text, page, pen) };
    let set = lay_out(text, words, page, &pen.styles);
    let style =
        TextStyle { face: slot.face, size: set.size, paint: slot.paint, spacing: slot.spacing / slot.size.max(0.01) };
    for (k, line) in set.lines.iter().enumerate() {
        let down = k as f32 * style.size.mm() * LINE_STEP;
        let mark = pen.value_mark(text.shown_value.as_ref());
        if slot.rotation == 0.0 {
            pen.text_with_mark(line, style, slot.x, slot.y + down, slot.anchor, mark);
        } else {
            let (sin, cos) = slot.rotation.to_radians().sin_cos();
            let at = (slot.x - sin * down, slot.y + cos * down);
            pen.text_rotated(line, style, at, slot.anchor, slot.rotation, mark);
        }
    }
}

/// A field to write in where a slot is not computable.
fn draw_field(text: &SlotText, page: (f32, f32), pen: &mut SheetPen) {
    let slot = &text.slot;
    let width = text.width.unwrap_or_else(|| width_to_edge(slot, page).min(18.0)).max(4.0);
    let x = match slot.anchor {
        Anchor::Start => slot.x,
        Anchor::Middle => slot.x - width / 2.0,
        Anchor::End => slot.x - width,
    };
    let height = slot.size.max(5.0);
    if slot.rotation == 0.0 {
        let label = id_as_words(&text.field);
        pen.field(Rect::new(x, slot.y - height * 0.85, width, height), Arc::clone(&text.field), label);
        if text.has_rule {
            pen.rule(x, slot.y + height * 0.2, width, THIN_LINE, RULE_INK);
        }
    }
}
