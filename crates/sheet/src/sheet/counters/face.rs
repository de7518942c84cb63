//! The face of a counter: takes the prepared texts of a template and a counter of a ship, draws it into its spot or
//! gives the outline along which it is cut.

use crate::sheet::assembly::prepare::PreparedTemplate;
use crate::sheet::assembly::prepared_texts::PreparedTexts;
use crate::sheet::assembly::ship_view::ShipView;
use crate::sheet::assembly::shown_parts::ShownParts;
use crate::sheet::layout::minimum_sizes::MinimumSizes;
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::{TextRole, TextStyle};
use moldloft_drawing::scene::{Path, Rect, Transform};
use moldloft_rules::evaluate::SlotScope;

/// The scale and the corner of a face within its spot, which it fills whatever its own size.
fn face_scale_and_corner(texts: &PreparedTexts, spot: Rect) -> (f32, f32, f32) {
    let template = &texts.template;
    let scale = (spot.w / template.width).min(spot.h / template.height);
    (scale, (spot.w - template.width * scale) / 2.0, (spot.h - template.height * scale) / 2.0)
}

/// The shape along which a face is cut, if it has one, and its transform within the spot.
pub fn face_outline(
    texts: &PreparedTexts,
    view: &ShipView<'_>,
    focus: &SlotScope,
    spot: Rect,
) -> Option<(Transform, Path)> {
    let outlines = &texts.template.outlines;
    if outlines.is_empty() {
        return None;
    }
    let holds = view.conditions_met(texts, focus);
    let shown = |when: Option<usize>| when.is_none_or(|when| holds.get(when).copied().unwrap_or(false));
    let outline = outlines.iter().find(|outline| shown(outline.when))?;
    let (scale, x, y) = face_scale_and_corner(texts, spot);
    Some((Transform { m: [scale, 0.0, 0.0, scale, x, y] }, outline.path.clone()))
}

/// Draws its art, then the panels that suit faces, then its texts.
pub fn draw_face(prepared: &PreparedTemplate, view: &ShipView<'_>, focus: &SlotScope, spot: Rect, pen: &mut SheetPen) {
    let texts = &prepared.texts;
    let template = &texts.template;
    let holds = view.conditions_met(texts, focus);
    let shown = |when: Option<usize>| when.is_none_or(|when| holds.get(when).copied().unwrap_or(false));
    let (scale, x, y) = face_scale_and_corner(texts, spot);
    for piece in template.art.iter().filter(|piece| shown(piece.when)) {
        pen.drawing(&piece.drawing, Rect::new(0.0, 0.0, spot.w, spot.h), None);
    }
    let panels = prepared.panels.iter().filter(|placed| placed.panel.panel.suits_faces() && shown(placed.when));
    for placed in panels {
        if let Some(content) = placed.panel.content(view, &mut ShownParts::default()) {
            let Rect { x: left, y: top, w, h } = placed.rect;
            content.draw(Rect::new(x + left * scale, y + top * scale, w * scale, h * scale), pen);
        }
    }
    for filled in &texts.slots {
        let slot = &template.slots[filled.slot_index];
        if !shown(slot.when) {
            continue;
        }
        let Some(words) = view.slot_text(filled, focus).filter(|words| !words.trim().is_empty()) else { continue };
        let minimums = pen.styles.minimums;
        let role = if filled.is_play_value { TextRole::Play } else { TextRole::Label };
        let spacing = slot.spacing / slot.size.max(0.01);
        let mut style = TextStyle {
            face: slot.face,
            size: minimums.text_size_mm(slot.size * scale, role),
            paint: slot.paint,
            spacing,
        };
        let mut lines = vec![words];
        if let Some(width) = filled.width {
            lines = fit_text(lines.remove(0), &mut style, width * scale, filled.max_lines as usize, role, minimums);
        }
        for (n, line) in lines.iter().enumerate() {
            let (sin, cos) = slot.rotation.to_radians().sin_cos();
            let down = n as f32 * style.size.mm() * 1.1;
            let (x, y) = (x + slot.x * scale - sin * down, y + slot.y * scale + cos * down);
            pen.text_rotated(line, style, (x, y), slot.anchor, slot.rotation, None);
        }
    }
}

/// Fits words into a width: smaller down to the size for play, then broken into lines, then down to the smallest size,
/// then truncated, since a counter has no continuation page and its words must not cover anything else.
pub fn fit_text(
    words: String,
    style: &mut TextStyle,
    width: f32,
    most: usize,
    role: TextRole,
    minimums: MinimumSizes,
) -> Vec<String> {
    let em = style.width(&words) / style.size.mm();
    for role in [role, TextRole::Label] {
        let line = TextStyle { size: minimums.shrink_to_width(style.size, em, width, role), ..*style };
        if line.width(&words) <= width + 0.01 {
            *style = line;
            return vec![words];
        }
        let lines = line.wrap(&words, width);
        let whole =
            lines.iter().map(|line| line.split_whitespace().count()).sum::<usize>() == words.split_whitespace().count();
        if lines.len() <= most && whole {
            *style = line;
            return lines;
        }
    }
    style.size = minimums.shrink_to_width(style.size, em, width, TextRole::Label);
    let mut lines = style.wrap(&words, width);
    if lines.len() > most.max(1) {
        lines.truncate(most.max(1));
        if let Some(last) = lines.last_mut() {
            *last = truncated(last, &words, style, width);
        }
    }
    lines
}

/// The last line that has room, with an ellipsis after a word; without one where it is one of the words alone and has no
/// room for it; only a word that is itself too long is cut.
fn truncated(line: &str, words: &str, style: &TextStyle, width: f32) -> String {
    let line = line.trim_end();
    let ends = line.match_indices(' ').map(|(end, _)| end).chain(std::iter::once(line.len()));
    let mut at_words = ends.rev().map(|end| format!("{}…", line[..end].trim_end()));
    if words.split_whitespace().any(|word| line.ends_with(word)) {
        if let Some(cut) = at_words.find(|cut| style.width(cut) <= width) {
            return cut;
        }
        if !line.contains(' ') {
            return line.to_owned();
        }
    }
    let mut cut = line.to_owned();
    while !cut.is_empty() && style.width(&format!("{cut}…")) > width {
        cut.pop();
    }
    cut.push('…');
    cut
}
