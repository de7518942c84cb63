//! The sheet as it will be printed: all pages, scrolled and zoomed, with what the pointer is over and what is selected.
//! Shows the pictures of [`preview`](crate::preview) and reports the visible area.

use egui::{Color32, CursorIcon, EventFilter, Id, Key, Pos2, Rect, Response, ScrollArea, Sense, Ui, Vec2, pos2, vec2};

use crate::fleet::lines::unit_label;
use crate::language::say;
use crate::panels::canvas::{self, SheetOnScreen};
use crate::panels::{about, fit_frames, sheet_bar};
use crate::pointer_moves::follow_pointer;
use crate::preview::page_layout::{self, PreviewLayout, lay_out_pages};
use crate::preview::{
    MarkedShape, PreviewChange, PreviewMode, PreviewViewport, SheetPreview, TileKey, Zoom, mark_label, page_fraction,
    page_pixels, tiles_in_rect,
};
use crate::theme::{SMALL, palette, paper};
use crate::value_text::format_or;
use crate::widgets::{muted_label, severity_colour, with_accessible_name, with_curly_quotes};
use crate::{Command, Doc, EditorState};
use moldloft_base::finding::{Finding, Severity};
use moldloft_drawing::scene::{Mark, MarkKind};
use moldloft_rules::evaluate::{ExplainTarget, explain_target};

/// `has_switch`: with the buttons that choose between sheet and odds.
pub fn show(ui: &mut Ui, state: &EditorState, has_switch: bool, out: &mut Vec<Command>) {
    if state.current_doc().is_some() {
        sheet_bar::show(ui, state, has_switch, out);
        show_sheet(ui, state, out);
    }
}

/// Without the controls.
pub fn show_sheet(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let Some(doc) = state.current_doc() else { return };
    let shown = state.preview.sheet(doc.id);
    match (doc.shown_ship(), shown) {
        (None, _) if doc.as_fleet().is_some() => {
            let words = match doc.as_fleet().is_some_and(|fleet| fleet.fleet().ships.is_empty()) {
                true => "Select a ship to show its sheet.",
                false => "No sheet: this ship cannot be checked. See the findings.",
            };
            muted_label(ui, words);
            return;
        }
        (None, None) => {
            muted_label(ui, "No sheet: this text cannot be read as a design yet. See the findings.");
            return;
        }
        (None, Some(_)) => {
            muted_label(ui, "Showing the last sheet: the current text cannot be read as a design.");
        }
        (Some(_), _) => {}
    }
    if let Some(shown) = shown {
        layout_findings(ui, &shown.pages.findings);
        if shown.pages.scene.pages.is_empty() {
            no_page_message(ui, shown);
        }
    }
    show_canvas(ui, state, doc, shown, out);
}

fn layout_findings(ui: &mut Ui, findings: &[Finding]) {
    const MAX_NOTES: usize = 3;
    let mut worth: Vec<&Finding> = findings.iter().filter(|finding| finding.severity < Severity::Info).collect();
    worth.sort_by_key(|finding| finding.severity);
    for finding in worth.iter().take(MAX_NOTES) {
        let colour = severity_colour(ui, finding.severity);
        let line = ui.colored_label(
            colour,
            with_curly_quotes(&format!("{}: {}", say(finding.severity.as_str()), say(&finding.message))),
        );
        if let Some(help) = &finding.help {
            line.on_hover_text(with_curly_quotes(&say(help)));
        }
    }
    if worth.len() > MAX_NOTES {
        muted_label(ui, format!("and {} more about this sheet", worth.len() - MAX_NOTES));
    }
}

fn no_page_message(ui: &mut Ui, shown: &SheetPreview) {
    if shown.pages.findings.iter().any(|finding| finding.severity == Severity::Error) {
        return;
    }
    muted_label(
        ui,
        match shown.key.view {
            PreviewMode::Chits => "This design has no chits.",
            PreviewMode::Reference => "This game has no reference sheet.",
            PreviewMode::Sheet | PreviewMode::Empty => "No page to show.",
        },
    );
}

#[derive(Clone, Copy, Debug, Default)]
struct CanvasState {
    scale: f32,
    per_point: f32,
    window_size: Vec2,
    offset: Vec2,
    /// Scroll offset when the drag began.
    drag_start: Option<Vec2>,
    /// Keeps its place during a zoom.
    zoom_anchor: Option<Vec2>,
    /// Percent, finer than what is shown.
    exact_percent: f32,
}

fn show_canvas(ui: &mut Ui, state: &EditorState, doc: &Doc, shown: Option<&SheetPreview>, out: &mut Vec<Command>) {
    let ctx = ui.ctx().clone();
    let choice = &state.settings.sheet;
    let per_point = ctx.pixels_per_point();
    // Whole pixels, so that pictures are sharp.
    let whole = |at: Pos2| pos2((at.x * per_point).round() / per_point, (at.y * per_point).round() / per_point);
    let room = ui.available_rect_before_wrap();
    let window = Rect::from_min_max(whole(room.min), whole(room.max));
    if window.width() < 40.0 || window.height() < 40.0 {
        return;
    }
    let mut sizes: Vec<(f32, f32)> =
        shown.iter().flat_map(|shown| &shown.pages.scene.pages).map(|page| (page.width, page.height)).collect();
    // A card in the corner of a page fills the width by itself.
    let mut used: Vec<(f32, f32)> =
        shown.iter().flat_map(|shown| &shown.pages.page_indices).map(|index| index.used).collect();
    let nothing_yet = shown.is_none();
    if nothing_yet {
        sizes.push(choice.paper.size());
        used.push(choice.paper.size());
    }
    let true_scale = page_layout::true_scale(ctx.native_pixels_per_point().unwrap_or(1.0), choice.calibration);
    let scale = page_layout::zoom_scale(choice.zoom, &used, true_scale, per_point, window.size());
    let percent = scale / true_scale * 100.0;
    let placed = lay_out_pages(&sizes, scale, per_point, window.size());

    let id = Id::unique(("sheet", doc.id));
    let mut canvas: CanvasState = ctx.data(|data| data.get_temp(id)).unwrap_or_default();
    let mut to = None;
    if canvas.scale > 0.0
        && (canvas.scale != scale || canvas.window_size != window.size() || canvas.per_point != per_point)
    {
        let before = lay_out_pages(&sizes, canvas.scale, canvas.per_point, canvas.window_size);
        // Without a pointer, the middle of the top edge keeps its place.
        let anchor = canvas.zoom_anchor.take().unwrap_or(vec2(window.width() / 2.0, 0.0));
        let mut moved = placed.map_point_from(&before, (canvas.offset + anchor).to_pos2()) - anchor.to_pos2();
        if !matches!(choice.zoom, Zoom::Percent(_)) {
            // What fits begins at the left edge, even where the page goes on to the right.
            moved.x = 0.0;
        }
        to = Some(moved);
    }
    let canvas_id = id.with("canvas");
    let focused = ui.memory(|memory| memory.has_focus(canvas_id));
    if focused {
        to = scroll_offset_for_keys(ui, &placed, &canvas, window.size()).or(to);
    }
    let dragged = ctx.read_response(canvas_id).is_some_and(|response| response.dragged());
    let drag_offset = ctx.input(|input| Some(input.pointer.interact_pos()? - input.pointer.press_origin()?));
    to = canvas::take_scroll_offset(&ctx, doc).or(to);
    match drag_offset.filter(|_| dragged && !canvas::holds_drag(&ctx, doc)) {
        Some(drag_offset) => to = Some(*canvas.drag_start.get_or_insert(canvas.offset) - drag_offset),
        None => canvas.drag_start = None,
    }
    // Faded edges would look as if they were printed paler.
    ui.spacing_mut().scroll.fade.strength = 0.0;
    // It would spring back to what fitted before a zoom.
    ui.spacing_mut().scroll.kinetic.rubber_band = false;
    let mut area = ScrollArea::both().id_salt(id).auto_shrink(false).animated(false);
    if let Some(to) = to {
        area = area.scroll_offset(to.clamp(Vec2::ZERO, (placed.size - window.size()).max(Vec2::ZERO)));
    }
    let scrolled = area.show_viewport(ui, |ui, seen| {
        ui.allocate_exact_size(placed.size, Sense::hover());
        let seen = Rect::from_min_size(seen.min, window.size());
        let response = ui.interact(window, canvas_id, Sense::click_and_drag());
        let scroll_offset = whole(seen.min).to_vec2();
        let sheet = SheetOnScreen { window, scroll_offset, layout: &placed, per_mm: scale / per_point };
        let response = with_accessible_name(response, &accessible_name(doc, shown, sizes.len()));
        ui.ctx().accesskit_node_builder(response.id, |node| {
            node.set_description(say("Enter goes to its mounts and boxes; arrows scroll"));
        });
        show_pages(ui, state, doc, shown, &sheet, &response, out);
        response
    });
    let response = scrolled.inner;
    canvas =
        CanvasState { scale, per_point, window_size: window.size(), offset: scrolled.state.clamped_offset(), ..canvas };
    handle_wheel(ui, &response, window, percent, choice.zoom, &mut canvas, out);
    let seen = Rect::from_min_size(canvas.offset.to_pos2(), window.size());
    if !nothing_yet && sizes.len() > 1 {
        let words = format!("page {} of {}", placed.page_at(seen) + 1, sizes.len());
        page_number_label(ui, window, &words);
    }
    ctx.data_mut(|data| data.insert_temp(id, canvas));

    // The visible area and half a window above and below.
    let ahead = seen.expand2(vec2(0.0, window.height() / 2.0));
    let tiles: Vec<TileKey> = placed
        .pages
        .iter()
        .zip(&sizes)
        .enumerate()
        .filter(|(_, (page, _))| page.intersects(ahead))
        .flat_map(|(n, (page, size))| {
            let part = page.intersect(ahead).translate(-page.min.to_vec2());
            let [left, top, right, bottom] =
                [part.left(), part.top(), part.right(), part.bottom()].map(|side| side * per_point);
            tiles_in_rect(n as u32, page_pixels(*size, scale), (left, top, right, bottom))
        })
        .take(600)
        .collect();
    let viewport = PreviewViewport { doc: doc.id, scale, percent, visible_tiles: tiles };
    if state.preview.viewport() != Some(&viewport) {
        out.push(Command::SetViewport(viewport));
    }
}

fn accessible_name(doc: &Doc, shown: Option<&SheetPreview>, pages: usize) -> String {
    let unit = doc.as_fleet().and_then(|fleet| fleet.shown_unit());
    let name = unit.map_or_else(|| doc.name(), unit_label);
    let what = match shown.map(|shown| shown.key.view) {
        None => return format!("Sheet of {name}, drawing…"),
        Some(PreviewMode::Sheet) => format!("Sheet of {name}"),
        Some(PreviewMode::Chits) => format!("Chits of {name}"),
        Some(PreviewMode::Reference) => "Reference sheet".to_owned(),
        Some(PreviewMode::Empty) => "Blank sheet".to_owned(),
    };
    format!("{what}, {pages} {}", if pages == 1 { "page" } else { "pages" })
}

fn scroll_offset_for_keys(ui: &Ui, placed: &PreviewLayout, canvas: &CanvasState, window: Vec2) -> Option<Vec2> {
    let line = 48.0;
    let at = canvas.offset;
    ui.input_mut(|input| {
        let mut pressed = |key| input.consume_key(egui::Modifiers::NONE, key);
        let mut to = None;
        for (key, by) in [
            (Key::ArrowUp, vec2(0.0, -line)),
            (Key::ArrowDown, vec2(0.0, line)),
            (Key::ArrowLeft, vec2(-line, 0.0)),
            (Key::ArrowRight, vec2(line, 0.0)),
        ] {
            if pressed(key) {
                to = Some(at + by);
            }
        }
        for (key, down) in [(Key::PageUp, false), (Key::PageDown, true)] {
            if pressed(key) {
                to = Some(vec2(at.x, placed.next_screen_offset(at.y, window.y, down)));
            }
        }
        if pressed(Key::Home) {
            to = Some(vec2(at.x, 0.0));
        }
        if pressed(Key::End) {
            to = Some(vec2(at.x, placed.size.y));
        }
        to
    })
}

fn handle_wheel(
    ui: &Ui,
    response: &Response,
    window: Rect,
    percent: f32,
    zoom: Zoom,
    canvas: &mut CanvasState,
    out: &mut Vec<Command>,
) {
    let (factor, pointer) = ui.input(|input| (input.zoom_delta(), input.pointer.hover_pos()));
    let Some(pointer) = pointer.filter(|_| response.contains_pointer() && factor != 1.0) else { return };
    // The sum of small steps.
    let now = if (canvas.exact_percent - percent).abs() < 1.0 { canvas.exact_percent } else { percent };
    if let Zoom::Percent(to) = Zoom::percent(now * factor)
        && zoom != Zoom::Percent(to)
    {
        canvas.exact_percent = to;
        canvas.zoom_anchor = Some(pointer - window.min);
        out.push(Command::Preview(PreviewChange::Zoom(Zoom::Percent(to))));
    }
}

/// `page 1 of 2`, in the corner.
fn page_number_label(ui: &mut Ui, window: Rect, words: &str) {
    let palette = palette(ui);
    let galley = ui.painter().layout_no_wrap(say(words), egui::FontId::proportional(SMALL), palette.muted);
    let size = galley.size() + vec2(14.0, 6.0);
    let rect = Rect::from_min_size(window.right_bottom() - size - vec2(14.0, 8.0), size);
    ui.painter().rect(rect, 4.0, palette.card, egui::Stroke::new(1.0, palette.line), egui::StrokeKind::Inside);
    ui.painter().galley(rect.min + vec2(7.0, 3.0), galley, palette.muted);
    let label = ui.interact(rect, Id::unique("sheet page"), Sense::hover());
    label.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Label, true, say(words)));
}

fn show_pages(
    ui: &mut Ui,
    state: &EditorState,
    doc: &Doc,
    shown: Option<&SheetPreview>,
    sheet: &SheetOnScreen<'_>,
    response: &Response,
    out: &mut Vec<Command>,
) {
    let palette = palette(ui);
    let painter = ui.painter().with_clip_rect(sheet.window);
    painter.rect_filled(sheet.window, 0.0, palette.bar);
    let count = sheet.layout.pages.len();
    let framed = shown.map(|shown| fit_frames::selected_fits(ui.ctx(), shown, doc)).unwrap_or_default();
    for (n, rect) in (0..count).filter_map(|n| Some((n, sheet.page_rect(n)?))) {
        painter.rect_filled(rect.translate(vec2(0.0, 1.5)).expand(1.0), 1.0, Color32::from_black_alpha(40));
        painter.rect_filled(rect, 0.0, paper(ui));
        let Some(shown) = shown else { continue };
        paint_tiles(ui, &painter, shown, n, rect);
        fit_frames::draw_frames(&painter, palette, shown, &framed, n, rect, sheet.per_mm);
        let page = ui.interact(rect.intersect(sheet.window), Id::unique(("sheet page", n)), Sense::hover());
        let words =
            format!("{}, page {} of {count}", accessible_name(doc, Some(shown), 1).trim_end_matches(", 1 page"), n + 1);
        page.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Image, true, say(&words)));
    }
    if response.has_focus() {
        let stroke = egui::Stroke::new(1.5, palette.accent);
        painter.rect_stroke(sheet.window.shrink(0.5), 0.0, stroke, egui::StrokeKind::Inside);
        let keys = EventFilter { tab: false, horizontal_arrows: true, vertical_arrows: true, escape: false };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, keys));
    }
    let Some(shown) = shown else { return };
    if canvas::show(ui, state, doc, shown, sheet, response, out) {
        return;
    }
    if response.dragged() {
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
        return;
    }
    follow_pointer(ui.ctx(), response.id);
    let hovered = response.hover_pos().filter(|_| !egui::Popup::is_any_open(ui.ctx()));
    let under = hovered.and_then(|pointer| sheet.marked_shape_at(shown, pointer));
    let clicked = response.clicked().then(|| response.interact_pointer_pos()).flatten();
    if clicked.is_some() {
        response.request_focus();
    }
    if let Some(pointer) = clicked {
        let shape = sheet.marked_shape_at(shown, pointer);
        match (doc.as_fleet(), shape) {
            (Some(_), Some(shape)) => canvas::toggle_box(doc, shown, shape, out),
            (Some(_), None) => {}
            (None, _) => canvas::click(ui, doc, shown, sheet, pointer, out),
        }
        let ticks = |shape: &&MarkedShape| doc.as_fleet().is_some() && canvas::is_fleet_damage(shown, &shape.mark);
        let value = shape.filter(|shape| !ticks(shape)).and_then(|shape| value_shown(shown, &shape.mark));
        out.extend(value.map(|(target, _)| Command::Explain(target)));
    }
    let ticks = doc.as_fleet().is_some() && under.is_some_and(|shape| canvas::is_fleet_damage(shown, &shape.mark));
    let value = under.filter(|_| !ticks).and_then(|shape| value_shown(shown, &shape.mark));
    let mount = hovered.filter(|_| under.is_none());
    let mount = mount.and_then(|pointer| canvas::mount_label_at(ui.ctx(), doc, shown, sheet, pointer));
    let label = under.map(|shape| match (shape.mark.kind, &value) {
        (MarkKind::Value, Some((_, words))) => words.clone(),
        _ => mark_label(&shown.pages.ship, &shape.mark),
    });
    let Some(text) = label.or(mount.clone()).filter(|text| !text.is_empty()) else { return };
    let fit = under.and_then(|shape| shape.mark.fit);
    if fit.is_some() || ticks || mount.is_some() || value.is_some() {
        ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
    }
    let tip = egui::Tooltip::always_open(
        ui.ctx().clone(),
        ui.layer_id(),
        response.id.with("tip"),
        egui::PopupAnchor::Pointer,
    );
    tip.gap(14.0).show(|ui| {
        ui.label(say(text));
        if value.is_some() {
            muted_label(ui, "Click: where it comes from");
        }
        about::show_system_of(ui, &shown.pages.ship, fit);
        for finding in fit_frames::findings_for_fit(&shown.pages.ship, fit) {
            muted_label(
                ui,
                with_curly_quotes(&format!("{}: {}", say(finding.severity.as_str()), say(&finding.message))),
            );
        }
    });
}

/// What a click on a number, or on a box of a track, explains, with its name and number.
fn value_shown(shown: &SheetPreview, mark: &Mark) -> Option<(ExplainTarget, String)> {
    let ship = &shown.pages.ship;
    let id = match mark.kind {
        MarkKind::Value => mark.name.clone(),
        _ if mark.fit.is_some() => return None,
        _ => {
            let (stem, _) = mark.name.rsplit_once('_')?;
            let track = ship.tracks.iter().find(|track| *track.id == *stem)?;
            ship.ruleset.value_of_track(&track.track)?
        }
    };
    let target = ExplainTarget::from_mark(ship, &id)?;
    let words = match &target {
        ExplainTarget::Value(_) => {
            let value = ship.values.iter().find(|value| value.id == id)?;
            format!("{}: {}", value.label, format_or(&value.value, "unknown"))
        }
        ExplainTarget::Field(_) => {
            let field = ship.fields.iter().find(|field| field.id == id)?;
            format!("{}: {}", field.label, field.text)
        }
        ExplainTarget::Cost(line) => {
            let line = ship.costs.get(*line)?;
            format!("{}: {} × {}", line.label, line.count, line.each)
        }
        ExplainTarget::Costs => "The sum of all costs".to_owned(),
        _ => {
            let line = explain_target(ship, &target).into_iter().next()?;
            format!("{}: {}", line.name, line.result)
        }
    };
    Some((target, words))
}

fn paint_tiles(ui: &Ui, painter: &egui::Painter, shown: &SheetPreview, n: usize, rect: Rect) {
    let Some(page) = shown.pages.scene.pages.get(n) else { return };
    let size = page_pixels((page.width, page.height), shown.scale);
    let first = TileKey { page: n as u32, x: 0, y: 0 };
    let last = TileKey { page: n as u32, x: u32::MAX, y: u32::MAX };
    for (at, tile) in shown.tiles.range(first..=last) {
        let Some(part) = at.pixel_rect(size, shown.scale) else { continue };
        let share = page_fraction(&part, size);
        let place =
            Rect::from_min_size(rect.min + vec2(share.x, share.y) * rect.size(), vec2(share.w, share.h) * rect.size());
        if !painter.clip_rect().intersects(place) {
            continue;
        }
        if let Some(texture) = tile.texture(ui.ctx()) {
            let whole = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));
            painter.image(texture, place, whole, paper(ui));
        }
    }
}
