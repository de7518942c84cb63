//! Frames over the sheet, never part of it: solid for selected fits, dotted for fits with errors or warnings.

use egui::{Id, Painter, Rect, Shape, Stroke, StrokeKind, pos2, vec2};

use crate::Doc;
use crate::preview::{SheetPreview, join_near_rects};
use crate::theme::{PAGE_ACCENT, Palette};
use moldloft_base::finding::{Finding, Severity};
use moldloft_rules::design::DesignPart;
use moldloft_rules::evaluate::Evaluation;

/// In the numbering of the text that the picture shows, until the next picture is ready.
pub fn selected_fits(ctx: &egui::Context, shown: &SheetPreview, doc: &Doc) -> Vec<u32> {
    // In a fleet, the selection consists of ships.
    if doc.as_fleet().is_some() {
        return Vec::new();
    }
    let id = Id::unique(("sheet frames", doc.id));
    if shown.key.revision == doc.revision {
        ctx.data_mut(|data| data.insert_temp(id, doc.selected.clone()));
        return doc.selected.clone();
    }
    ctx.data(|data| data.get_temp(id)).unwrap_or_default()
}

pub fn draw_frames(
    painter: &Painter,
    palette: &Palette,
    shown: &SheetPreview,
    chosen: &[u32],
    n: usize,
    page: Rect,
    per_mm: f32,
) {
    let Some(index) = shown.pages.page_indices.get(n) else { return };
    let frames = |fit: u32, own: bool| {
        // A finding concerns the system, not each of its rounds.
        let known = shown.pages.ship.fits.iter().find(|known| own && known.index == fit);
        let stem = known.map_or_else(String::new, |fit| format!("{}_{}_", fit.system, fit.mount));
        let shapes = index
            .marked_shapes
            .iter()
            .filter(|shape| shape.mark.fit == Some(fit) && shape.mark.name.starts_with(&stem));
        let rects = join_near_rects(shapes.map(|shape| shape.rect).collect()).into_iter();
        let frames = rects
            .map(|rect| Rect::from_min_size(page.min + vec2(rect.x, rect.y) * per_mm, vec2(rect.w, rect.h) * per_mm));
        frames.collect::<Vec<_>>()
    };
    for (fit, severity) in faulty_fits(&shown.pages.ship) {
        if chosen.contains(&fit) {
            continue;
        }
        let colour = if severity == Severity::Error { palette.error } else { palette.warning };
        for frame in frames(fit, true) {
            let frame = frame.expand(1.5);
            let corners = [
                frame.left_top(),
                frame.right_top(),
                frame.right_bottom(),
                frame.left_bottom(),
                pos2(frame.left(), frame.top()),
            ];
            painter.extend(Shape::dotted_line(&corners, colour, 4.0, 0.9));
        }
    }
    for frame in chosen.iter().flat_map(|fit| frames(*fit, false)) {
        painter.rect_stroke(frame.expand(2.5), 3.0, Stroke::new(2.0, PAGE_ACCENT), StrokeKind::Outside);
    }
}

fn faulty_fits(ship: &Evaluation) -> Vec<(u32, Severity)> {
    let mut faults: Vec<(u32, Severity)> = Vec::new();
    for finding in &ship.findings {
        let DesignPart::Fit(fit) = finding.subject() else { continue };
        if finding.severity < Severity::Info && !faults.iter().any(|(known, _)| known == fit) {
            faults.push((*fit, finding.severity));
        }
    }
    faults
}

pub fn findings_for_fit(ship: &Evaluation, fit: Option<u32>) -> impl Iterator<Item = &Finding> {
    ship.findings.iter().filter(move |finding| {
        finding.severity < Severity::Info && fit.is_some_and(|fit| *finding.subject() == DesignPart::Fit(fit))
    })
}
