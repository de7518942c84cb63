//! The sheet as it will be printed: all its pages, scrolled and zoomed; what the pointer is over, and what is chosen. Shows pictures that
//! [`preview`](crate::editor::preview) has drawn, and says what it looks at.

use egui::{Color32, CursorIcon, EventFilter, Id, Key, Pos2, Rect, Response, ScrollArea, Sense, Ui, Vec2, pos2, vec2};

use super::{outline, sheet_bar};
use crate::editor::doc::Doc;
use crate::editor::fleet::{Mustering, called};
use crate::editor::preview::place::{self, Placed, place};
use crate::editor::preview::{At, Change, Look, Shown, Spot, View, Zoom, over, pixels, share, words};
use crate::editor::state::Place;
use crate::editor::theme::palette;
use crate::editor::widgets::{named, plain, quiet};
use crate::editor::{Command, State};
use crate::evaluate::marks;
use crate::finding::{Finding, Severity};
use crate::scene::{Mark, MarkKind};

/// Shows it.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let Some(doc) = state.doc() else { return };
    sheet_bar::show(ui, state, out);
    let shown = state.preview.shown(doc.id);
    match (doc.ship(), shown) {
        (None, _) if doc.fleet().is_some() => {
            let words = match doc.fleet().is_some_and(|fleet| fleet.fleet().ships.is_empty()) {
                true => "Select a ship to show its sheet.",
                false => "No sheet: this ship cannot be checked. See the findings.",
            };
            quiet(ui, words);
            return;
        }
        (None, None) => {
            quiet(ui, "No sheet: this text cannot be read as a design yet. See the findings.");
            return;
        }
        (None, Some(_)) => {
            quiet(ui, "Showing the last sheet: the current text cannot be read as a design.");
        }
        (Some(_), _) => {}
    }
    if let Some(shown) = shown {
        notes(ui, &shown.laid.findings);
        if shown.laid.scene.pages.is_empty() {
            nothing(ui, shown);
        }
    }
    canvas(ui, state, doc, shown, out);
}

/// What was found while laying out, errors first, a few lines of it.
fn notes(ui: &mut Ui, findings: &[Finding]) {
    const MOST: usize = 3;
    let mut worth: Vec<&Finding> = findings.iter().filter(|finding| finding.severity < Severity::Info).collect();
    worth.sort_by_key(|finding| finding.severity);
    let palette = palette(ui);
    for finding in worth.iter().take(MOST) {
        let colour = if finding.severity == Severity::Error { palette.error } else { palette.warning };
        let line = ui.colored_label(colour, plain(&format!("{}: {}", finding.severity.word(), finding.message)));
        if let Some(help) = &finding.help {
            line.on_hover_text(plain(help));
        }
    }
    if worth.len() > MOST {
        quiet(ui, format!("and {} more about this sheet", worth.len() - MOST));
    }
}

/// Why there is no page.
fn nothing(ui: &mut Ui, shown: &Shown) {
    if shown.laid.findings.iter().any(|finding| finding.severity == Severity::Error) {
        return;
    }
    quiet(
        ui,
        match shown.key.view {
            View::Chits => "This design has no chits.",
            View::Reference => "This game has no reference sheet.",
            View::Sheet | View::Empty => "No page to show.",
        },
    );
}

/// How the pages were looked at in the frame before.
#[derive(Clone, Copy, Debug, Default)]
struct Eye {
    scale: f32,
    per_point: f32,
    window: Vec2,
    offset: Vec2,
    /// Where the pages lay when they were taken hold of.
    grip: Option<Vec2>,
    /// Where the pointer turned the wheel: that place stays under it.
    anchor: Option<Vec2>,
    /// The size that the wheel has come to, in hundredths; finer than what is shown.
    percent: f32,
}

fn canvas(ui: &mut Ui, state: &State, doc: &Doc, shown: Option<&Shown>, out: &mut Vec<Command>) {
    let ctx = ui.ctx().clone();
    let choice = &state.settings.sheet;
    let per_point = ctx.pixels_per_point();
    // On whole pixels, so that pictures are sharp.
    let whole = |at: Pos2| pos2((at.x * per_point).round() / per_point, (at.y * per_point).round() / per_point);
    let room = ui.available_rect_before_wrap();
    let window = Rect::from_min_max(whole(room.min), whole(room.max));
    if window.width() < 40.0 || window.height() < 40.0 {
        return;
    }
    let mut sizes: Vec<(f32, f32)> =
        shown.iter().flat_map(|shown| &shown.laid.scene.pages).map(|page| (page.width, page.height)).collect();
    let nothing_yet = shown.is_none();
    if nothing_yet {
        sizes.push(choice.paper.size());
    }
    let true_scale = place::true_scale(ctx.native_pixels_per_point().unwrap_or(1.0), choice.calibration);
    let scale = place::scale(choice.zoom, &sizes, true_scale, per_point, window.size());
    let percent = scale / true_scale * 100.0;
    let placed = place(&sizes, scale, per_point, window.size());

    let id = Id::unique(("sheet", doc.id));
    let mut eye: Eye = ctx.data(|data| data.get_temp(id)).unwrap_or_default();
    let mut to = None;
    if eye.scale > 0.0 && (eye.scale != scale || eye.window != window.size() || eye.per_point != per_point) {
        let before = place(&sizes, eye.scale, eye.per_point, eye.window);
        // Without a pointer the middle of the top edge's page keeps its place.
        let anchor = eye.anchor.take().unwrap_or(vec2(window.width() / 2.0, 0.0));
        to = Some(placed.same(&before, (eye.offset + anchor).to_pos2()) - anchor.to_pos2());
    }
    let canvas_id = id.with("canvas");
    let focused = ui.memory(|memory| memory.has_focus(canvas_id));
    if focused {
        to = keys(ui, &placed, &eye, window.size()).or(to);
    }
    let dragged = ctx.read_response(canvas_id).is_some_and(|response| response.dragged());
    let pulled = ctx.input(|input| Some(input.pointer.interact_pos()? - input.pointer.press_origin()?));
    let painting = ctx.data(|data| data.get_temp::<bool>(id.with("ticking"))).unwrap_or(false);
    match pulled.filter(|_| dragged && !painting) {
        Some(pulled) => to = Some(*eye.grip.get_or_insert(eye.offset) - pulled),
        None => eye.grip = None,
    }
    // Nothing may look as if it were printed paler there.
    ui.spacing_mut().scroll.fade.strength = 0.0;
    let mut area = ScrollArea::both().id_salt(id).auto_shrink(false).animated(false);
    if let Some(to) = to {
        area = area.scroll_offset(to.clamp(Vec2::ZERO, (placed.size - window.size()).max(Vec2::ZERO)));
    }
    let scrolled = area.show_viewport(ui, |ui, seen| {
        ui.allocate_exact_size(placed.size, Sense::hover());
        let seen = Rect::from_min_size(seen.min, window.size());
        let response = ui.interact(window, canvas_id, Sense::click_and_drag());
        let sight = Sight { window, seen: whole(seen.min).to_vec2(), placed: &placed, scale };
        let response = named(response, &about(doc, shown, sizes.len()));
        sight.show(ui, doc, shown, &response, out);
        response
    });
    let response = scrolled.inner;
    eye = Eye { scale, per_point, window: window.size(), offset: scrolled.state.clamped_offset(), ..eye };
    wheel(ui, &response, window, percent, choice.zoom, &mut eye, out);
    let seen = Rect::from_min_size(eye.offset.to_pos2(), window.size());
    if !nothing_yet && sizes.len() > 1 {
        let words = format!("page {} of {}", placed.page_at(seen) + 1, sizes.len());
        number(ui, window, &words);
    }
    ctx.data_mut(|data| data.insert_temp(id, eye));

    // What is in sight, and half a window above and below.
    let ahead = seen.expand2(vec2(0.0, window.height() / 2.0));
    let tiles: Vec<At> = placed
        .pages
        .iter()
        .zip(&sizes)
        .enumerate()
        .filter(|(_, (page, _))| page.intersects(ahead))
        .flat_map(|(n, (page, size))| {
            let part = page.intersect(ahead).translate(-page.min.to_vec2());
            let [left, top, right, bottom] =
                [part.left(), part.top(), part.right(), part.bottom()].map(|side| side * per_point);
            over(n as u32, pixels(*size, scale), (left, top, right, bottom))
        })
        .take(600)
        .collect();
    let look = Look { doc: doc.id, scale, percent, tiles };
    if state.preview.look() != Some(&look) {
        out.push(Command::Look(look));
    }
}

fn about(doc: &Doc, shown: Option<&Shown>, pages: usize) -> String {
    let unit = doc.fleet().and_then(|fleet| fleet.shown_unit());
    let name = unit.map_or_else(|| doc.name(), called);
    let what = match shown.map(|shown| shown.key.view) {
        None => return format!("Sheet of {name}, drawing…"),
        Some(View::Sheet) => format!("Sheet of {name}"),
        Some(View::Chits) => format!("Chits of {name}"),
        Some(View::Reference) => "Reference sheet".to_owned(),
        Some(View::Empty) => "Blank sheet".to_owned(),
    };
    format!("{what}, {pages} {}", if pages == 1 { "page" } else { "pages" })
}

/// Where the keys lead.
fn keys(ui: &Ui, placed: &Placed, eye: &Eye, window: Vec2) -> Option<Vec2> {
    let line = 48.0;
    let at = eye.offset;
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
                to = Some(vec2(at.x, placed.leaf(at.y, window.y, down)));
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

/// Ctrl and the wheel, or two fingers: larger and smaller about the pointer.
fn wheel(ui: &Ui, response: &Response, window: Rect, percent: f32, zoom: Zoom, eye: &mut Eye, out: &mut Vec<Command>) {
    let (factor, pointer) = ui.input(|input| (input.zoom_delta(), input.pointer.hover_pos()));
    let Some(pointer) = pointer.filter(|_| response.contains_pointer() && factor != 1.0) else { return };
    // Where the sum of small steps has come to.
    let now = if (eye.percent - percent).abs() < 1.0 { eye.percent } else { percent };
    if let Zoom::Percent(to) = Zoom::percent(now * factor)
        && zoom != Zoom::Percent(to)
    {
        eye.percent = to;
        eye.anchor = Some(pointer - window.min);
        out.push(Command::Sheet(Change::Zoom(Zoom::Percent(to))));
    }
}

/// “page 1 of 2”, in the corner.
fn number(ui: &mut Ui, window: Rect, words: &str) {
    let palette = palette(ui);
    let galley = ui.painter().layout_no_wrap(words.to_owned(), egui::FontId::proportional(13.0), palette.quiet);
    let size = galley.size() + vec2(14.0, 6.0);
    let rect = Rect::from_min_size(window.right_bottom() - size - vec2(14.0, 8.0), size);
    ui.painter().rect(rect, 4.0, palette.card, egui::Stroke::new(1.0, palette.line), egui::StrokeKind::Inside);
    ui.painter().galley(rect.min + vec2(7.0, 3.0), galley, palette.quiet);
    let label = ui.interact(rect, Id::unique("sheet page"), Sense::hover());
    label.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Label, true, words));
}

/// The pages in sight.
struct Sight<'a> {
    window: Rect,
    /// The corner of what is seen, in the pages' room.
    seen: Vec2,
    placed: &'a Placed,
    /// Pixels a millimetre.
    scale: f32,
}

impl Sight<'_> {
    /// Where a page lies on the screen.
    fn page(&self, n: usize) -> Option<Rect> {
        let rect = self.placed.pages.get(n)?.translate(self.window.min.to_vec2() - self.seen);
        rect.intersects(self.window).then_some(rect)
    }

    fn show(&self, ui: &mut Ui, doc: &Doc, shown: Option<&Shown>, response: &Response, out: &mut Vec<Command>) {
        let palette = palette(ui);
        let painter = ui.painter().with_clip_rect(self.window);
        painter.rect_filled(self.window, 0.0, palette.bar);
        let per_mm = self.scale / ui.ctx().pixels_per_point();
        let count = self.placed.pages.len();
        let framed = shown.map(|shown| outline::framed(ui.ctx(), shown, doc)).unwrap_or_default();
        for (n, rect) in (0..count).filter_map(|n| Some((n, self.page(n)?))) {
            painter.rect_filled(rect.translate(vec2(0.0, 1.5)).expand(1.0), 1.0, Color32::from_black_alpha(40));
            painter.rect_filled(rect, 0.0, Color32::WHITE);
            let Some(shown) = shown else { continue };
            paint(&painter, ui.ctx(), shown, n, rect);
            outline::show(&painter, palette, shown, &framed, n, rect, per_mm);
            let page = ui.interact(rect.intersect(self.window), Id::unique(("sheet page", n)), Sense::hover());
            let words =
                format!("{}, page {} of {count}", about(doc, Some(shown), 1).trim_end_matches(", 1 page"), n + 1);
            page.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Image, true, &words));
        }
        if response.has_focus() {
            let stroke = egui::Stroke::new(1.5, palette.accent);
            painter.rect_stroke(self.window.shrink(0.5), 0.0, stroke, egui::StrokeKind::Inside);
            let keys = EventFilter { tab: false, horizontal_arrows: true, vertical_arrows: true, escape: false };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, keys));
        }
        if let Some(shown) = shown.filter(|_| doc.fleet().is_some())
            && self.tick_along(ui, doc, shown, response, per_mm, out)
        {
            return;
        }
        if response.dragged() {
            ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
            return;
        }
        let Some(shown) = shown else { return };
        let under = response.hover_pos().and_then(|pointer| self.spot(shown, pointer, per_mm));
        let clicked = response.clicked().then(|| response.interact_pointer_pos()).flatten();
        if response.clicked() {
            response.request_focus();
        }
        if let Some(spot) = clicked.and_then(|pointer| self.spot(shown, pointer, per_mm)) {
            match doc.fleet() {
                Some(_) => tick(doc, shown, spot, out),
                None => choose(ui, doc, shown, spot, out),
            }
        }
        let Some(spot) = under else { return };
        let ticks = doc.fleet().is_some() && is_kept(shown, &spot.mark);
        if spot.mark.fit.is_some() || ticks {
            ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
        }
        let tip = egui::Tooltip::always_open(
            ui.ctx().clone(),
            ui.layer_id(),
            response.id.with("tip"),
            egui::PopupAnchor::Pointer,
        );
        tip.gap(14.0).show(|ui| {
            ui.label(words(&shown.laid.ship, &spot.mark));
            for finding in outline::concerning(&shown.laid.ship, spot.mark.fit) {
                quiet(ui, plain(&format!("{}: {}", finding.severity.word(), finding.message)));
            }
        });
    }

    /// Boxes that the pointer is drawn over become as the first of them becomes; whether one was begun upon, so that the sheet stays where it is.
    fn tick_along(
        &self,
        ui: &Ui,
        doc: &Doc,
        shown: &Shown,
        response: &Response,
        per_mm: f32,
        out: &mut Vec<Command>,
    ) -> bool {
        let key = Id::unique(("sheet", doc.id)).with("ticking");
        let (begun, now, moved) =
            ui.input(|input| (input.pointer.press_origin(), input.pointer.interact_pos(), input.pointer.delta()));
        let is_box = |at: Pos2| self.spot(shown, at, per_mm).filter(|spot| spot.mark.kind == MarkKind::Tick);
        let first = begun.filter(|_| response.is_pointer_button_down_on()).and_then(is_box);
        ui.data_mut(|data| data.insert_temp(key, first.is_some()));
        let (Some(first), Some(now)) = (first, now.filter(|_| response.dragged())) else { return false };
        let Some(damage) = doc.fleet().and_then(|fleet| fleet.shown_unit()).map(|unit| &unit.evaluation.ship.damage)
        else {
            return true;
        };
        let is_hit = |spot: &Spot| {
            let parts = spot.mark.name.rsplit_once('_');
            parts.and_then(|(stem, number)| Some(damage.is_hit(stem, number.parse().ok()?)))
        };
        let target = key.with("to");
        let to = match response.drag_started() {
            true => is_hit(first).map(|hit| !hit),
            false => ui.data(|data| data.get_temp::<bool>(target)),
        };
        let Some(to) = to else { return true };
        ui.data_mut(|data| data.insert_temp(target, to));
        // The pointer leaps from frame to frame: what lies between counts too.
        let steps = (moved.length() / 2.0).ceil().clamp(1.0, 400.0) as u32;
        let way = (0..=steps).map(|step| now - moved * (step as f32 / steps as f32));
        let mut done: Vec<&str> = Vec::new();
        let begun = begun.filter(|_| response.drag_started());
        for spot in way.chain(begun).filter_map(is_box) {
            if is_hit(spot) == Some(!to) && !done.contains(&&*spot.mark.name) {
                done.push(&spot.mark.name);
                tick(doc, shown, spot, out);
            }
        }
        true
    }

    /// What is marked at a place on the screen.
    fn spot<'s>(&self, shown: &'s Shown, pointer: Pos2, per_mm: f32) -> Option<&'s Spot> {
        let count = self.placed.pages.len();
        let (n, rect) = (0..count).filter_map(|n| Some((n, self.page(n)?))).find(|(_, rect)| rect.contains(pointer))?;
        let at = (pointer - rect.min) / per_mm;
        shown.laid.pages.get(n)?.at(at.x, at.y)
    }
}

/// Ticks the box of a fleet's ship, or takes the tick off.
fn tick(doc: &Doc, shown: &Shown, spot: &Spot, out: &mut Vec<Command>) {
    // A picture of another ship or of an earlier text is not what is ticked.
    let is_now = doc.ship().is_some_and(|ship| ship.ship.unit == shown.key.unit);
    let is_sheet = matches!(shown.key.view, View::Sheet);
    if !is_now || !is_sheet || !is_kept(shown, &spot.mark) {
        return;
    }
    let Some((stem, number)) = spot.mark.name.rsplit_once('_') else { return };
    if let Ok(number) = number.parse() {
        out.push(Command::Fleet(Mustering::Mark { stem: stem.to_owned(), number }));
    }
}

/// Whether a box is one that a fleet keeps ticked: damage, or what is used up.
fn is_kept(shown: &Shown, mark: &Mark) -> bool {
    let Some((stem, _)) = mark.name.rsplit_once('_').filter(|_| mark.kind == MarkKind::Tick) else { return false };
    marks(&shown.laid.ship).get(stem).is_some_and(|boxes| boxes.kind.is_lasting())
}

/// Chooses the fit that a box shows; with Ctrl or Shift beside those chosen already.
fn choose(ui: &Ui, doc: &Doc, shown: &Shown, spot: &Spot, out: &mut Vec<Command>) {
    // A picture of an earlier text counts its fits otherwise.
    let Some(fit) = spot.mark.fit.filter(|_| shown.key.revision == doc.revision) else { return };
    if !doc.judged().is_some_and(|judged| judged.design.fits.iter().any(|known| known.index == fit)) {
        return;
    }
    let more = ui.input(|input| input.modifiers.command || input.modifiers.shift);
    let mut chosen = if more { doc.selected.clone() } else { Vec::new() };
    match chosen.iter().position(|other| *other == fit) {
        Some(at) => {
            chosen.remove(at);
        }
        None => chosen.push(fit),
    }
    out.extend([Command::Select(chosen), Command::GoTo(Place::Fit(fit))]);
}

/// The squares of a page, at whatever scale they were drawn.
fn paint(painter: &egui::Painter, ctx: &egui::Context, shown: &Shown, n: usize, rect: Rect) {
    let Some(page) = shown.laid.scene.pages.get(n) else { return };
    let size = pixels((page.width, page.height), shown.scale);
    let first = At { page: n as u32, x: 0, y: 0 };
    let last = At { page: n as u32, x: u32::MAX, y: u32::MAX };
    for (at, tile) in shown.tiles.range(first..=last) {
        let Some(part) = at.part(size, shown.scale) else { continue };
        let share = share(&part, size);
        let place =
            Rect::from_min_size(rect.min + vec2(share.x, share.y) * rect.size(), vec2(share.w, share.h) * rect.size());
        if !painter.clip_rect().intersects(place) {
            continue;
        }
        if let Some(texture) = tile.texture(ctx) {
            let whole = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));
            painter.image(texture, place, whole, Color32::WHITE);
        }
    }
}
