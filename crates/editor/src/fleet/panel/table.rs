//! The table of a fleet's ships, and below them what they carry. Only visible lines are laid out; the first columns
//! do not scroll sideways. Lines are selected by click and keyboard, and reordered by dragging or with Alt and the
//! arrows.

use std::sync::Arc;

use egui::{
    Align2, DragAndDrop, EventFilter, FontId, Id, Key, Modifiers, Pos2, Rect, Response, RichText, Role, ScrollArea,
    Sense, Shape, Stroke, StrokeKind, Ui, UiBuilder, Vec2, WidgetInfo, pos2, vec2,
};

use crate::fleet::edits;
use crate::fleet::lines::FleetLine;
use crate::fleet::model::FleetCommand;
use crate::fleet::panel::columns::FleetColumn;
use crate::fleet::panel::{FleetView, cells};
use crate::inputs::findings_badge;
use crate::language::say;
use crate::library_browser::model::Pictured;
use crate::panels::selection;
use crate::panels::ship_picture::ShipPictures;
use crate::theme::{SMALL, TITLE, bold, palette};
use crate::tile::paint_text;
use crate::widgets::{amount_with_unit, muted_label, primary_button};
use crate::{Command, DesignChooserPurpose, FormTarget, focus};
use moldloft_base::finding::Finding;

/// In points: of the fields in its cells.
const CELL_HEIGHT: f32 = 26.0;
const LOW_WINDOW: f32 = 600.0;

/// In points; in a low window without space between the lines.
pub fn line_height(ui: &Ui) -> f32 {
    if ui.ctx().content_rect().height() < LOW_WINDOW { CELL_HEIGHT } else { CELL_HEIGHT + 4.0 }
}
const HEADER_HEIGHT: f32 = 26.0;
/// In points.
const HANDLE_WIDTH: f32 = 42.0;
/// Of a ship's silhouette, in points.
const PICTURE_SIZE: Vec2 = vec2(34.0, 20.0);
const SIGN_WIDTH: f32 = 24.0;
/// Before the name.
const BEFORE_NAME: f32 = HANDLE_WIDTH + PICTURE_SIZE.x + SIGN_WIDTH;
const NAME_WIDTH: f32 = 150.0;
const GAP: f32 = 4.0;

/// Positions from the left of the first.
pub struct FleetColumns {
    placed: Vec<(FleetColumn, f32, f32)>,
    width: f32,
}

impl FleetColumns {
    fn new(page: &FleetView<'_>, room: f32) -> Self {
        let wanted: Vec<FleetColumn> = FleetColumn::ALL.into_iter().filter(|column| column.is_visible(page)).collect();
        let least: f32 = wanted.iter().map(|column| column.width().0 + GAP).sum();
        let shares: f32 = wanted.iter().map(|column| column.width().1).sum::<f32>().max(0.1);
        let spare = (room - least).max(0.0);
        let mut x = 0.0;
        let mut all = Vec::with_capacity(wanted.len());
        for column in wanted {
            let (least, share) = column.width();
            let width = (least + spare * share / shares).floor();
            all.push((column, x, width));
            x += width + GAP;
        }
        Self { placed: all, width: x }
    }
}

#[derive(Debug)]
struct DraggedShips(Vec<u32>);

pub fn show(ui: &mut Ui, page: &FleetView<'_>, out: &mut Vec<Command>) {
    let lines = &page.fleet.table_lines;
    if lines.is_empty() {
        return no_ships(ui, page, out);
    }
    let line_height = line_height(ui);
    let frozen = BEFORE_NAME + NAME_WIDTH + GAP;
    let room = ui.available_width();
    let columns = FleetColumns::new(page, room - frozen - 12.0);
    let id = Id::unique(("fleet table", page.doc.id.0));
    let (head, _) = ui.allocate_exact_size(vec2(room, HEADER_HEIGHT), Sense::hover());
    let before: Vec2 = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    header_row(ui, page, head, &columns, frozen, before.x);
    let wanted = focus_target(page);
    let height = ui.available_height().max(line_height * 2.0);
    let mut area = ScrollArea::both().id_salt(id).auto_shrink(false).max_height(height);
    if let Some(at) = wanted.and_then(|(ship, _)| lines.iter().position(|line| line.ship == ship)) {
        let (top, bottom) = (at as f32 * line_height, at as f32 * line_height + line_height);
        let sight = height - 14.0;
        if top < before.y {
            area = area.vertical_scroll_offset(top);
        } else if bottom > before.y + sight {
            area = area.vertical_scroll_offset((bottom - sight).max(0.0));
        }
        let column = columns.placed.iter().find(|(column, ..)| Some(column.key()) == wanted.map(|(_, key)| key));
        if let Some((_, x, width)) = column {
            let sight = (room - frozen - 14.0).max(60.0);
            if *x < before.x {
                area = area.horizontal_scroll_offset(*x);
            } else if x + width > before.x + sight {
                area = area.horizontal_scroll_offset(x + width - sight);
            }
        }
    }
    let shown = area.show_viewport(ui, |ui, sight| {
        let origin = ui.max_rect().min;
        let size = vec2(frozen + columns.width, lines.len() as f32 * line_height);
        ui.allocate_rect(Rect::from_min_size(origin, size), Sense::hover());
        let first = ((sight.min.y / line_height).floor().max(0.0) as usize).min(lines.len());
        // One more on either side, so that Tab finds the next line.
        let last = (((sight.max.y / line_height).ceil() as usize) + 1).min(lines.len());
        let clip = ui.clip_rect();
        let grid = FleetGrid {
            origin,
            visible_area: sight,
            clip,
            frozen,
            line_height,
            width: size.x.max(sight.width()),
            columns: &columns,
        };
        let mut pictures = ShipPictures::default();
        for n in first.saturating_sub(1)..last {
            grid.show_line(ui, page, n, wanted, &mut pictures, out);
        }
        pictures.draw_missing(page.state, out);
        grid.handle_drop(ui, page, out);
    });
    let offset = shown.state.clamped_offset();
    if offset != before {
        ui.data_mut(|data| data.insert_temp(id, offset));
        ui.request_repaint();
    }
}

/// What a fleet begins with.
fn no_ships(ui: &mut Ui, page: &FleetView<'_>, out: &mut Vec<Command>) {
    ui.add_space(24.0);
    ui.vertical_centered(|ui| {
        ui.label(RichText::new(say("No ships yet")).size(TITLE).family(bold()));
        muted_label(ui, "Add classes from the library; each gets a name, a hull number and its damage here.");
        ui.add_space(6.0);
        if primary_button(ui, "Add ships…").clicked() {
            let purpose = DesignChooserPurpose::AddShips;
            out.push(Command::Fleet(FleetCommand::OpenDesignChooser(purpose)));
        }
        if page.fleet.fleet().budget.is_none() {
            ui.add_space(6.0);
            muted_label(ui, "With a budget above, the points that are left are counted.");
        }
    });
}

fn focus_target(page: &FleetView<'_>) -> Option<(u32, &'static str)> {
    match page.state.go_to {
        Some(FormTarget::Ship { ship, key }) => Some((ship, key)),
        _ => None,
    }
}

fn header_row(ui: &Ui, page: &FleetView<'_>, rect: Rect, columns: &FleetColumns, frozen: f32, offset: f32) {
    let palette = palette(ui);
    let y = rect.center().y;
    let font = || FontId::new(SMALL, bold());
    ui.painter().hline(rect.x_range(), rect.bottom() - 1.0, Stroke::new(1.0, palette.line));
    paint_text(ui, pos2(rect.left() + BEFORE_NAME + 4.0, y), "Name", font(), palette.muted, NAME_WIDTH);
    let clip = Rect::from_min_max(pos2(rect.left() + frozen, rect.top()), rect.max);
    let painter = ui.painter().with_clip_rect(clip.intersect(ui.clip_rect()));
    for (column, x, width) in &columns.placed {
        let left = rect.left() + frozen + x - offset;
        let label = column.label(page);
        let (at, align) = match column {
            FleetColumn::UnitPoints | FleetColumn::TotalPoints => (pos2(left + width - 4.0, y), Align2::RIGHT_CENTER),
            _ => (pos2(left + 5.0, y), Align2::LEFT_CENTER),
        };
        painter.text(at, align, say(label), font(), palette.muted);
    }
}

struct FleetGrid<'a> {
    origin: Pos2,
    /// Relative to the corner of the first line.
    visible_area: Rect,
    clip: Rect,
    frozen: f32,
    line_height: f32,
    width: f32,
    columns: &'a FleetColumns,
}

impl FleetGrid<'_> {
    fn line_rect(&self, n: usize) -> Rect {
        Rect::from_min_size(self.origin + vec2(0.0, n as f32 * self.line_height), vec2(self.width, self.line_height))
    }

    /// Above and below a cell.
    fn margin(&self) -> Vec2 {
        vec2(0.0, (self.line_height - CELL_HEIGHT) / 2.0)
    }

    fn visible_left(&self) -> f32 {
        self.origin.x + self.visible_area.min.x
    }

    fn show_line(
        &self,
        ui: &mut Ui,
        page: &FleetView<'_>,
        n: usize,
        wanted: Option<(u32, &'static str)>,
        pictures: &mut ShipPictures,
        out: &mut Vec<Command>,
    ) {
        let Some(line) = page.fleet.table_lines.get(n) else { return };
        let rect = self.line_rect(n);
        let palette = palette(ui);
        let is_chosen = page.doc.selected.contains(&line.ship);
        let ground = match (is_chosen, line.has_errors) {
            (true, _) => Some(palette.selection),
            (false, true) => Some(palette.error_background),
            _ => None,
        };
        if let Some(ground) = ground {
            ui.painter().rect_filled(rect, 0.0, ground);
        }
        if is_chosen && line.carried.is_none() {
            let bar =
                Rect::from_min_size(pos2(self.visible_left(), rect.top() + 3.0), vec2(3.0, self.line_height - 6.0));
            ui.painter().rect_filled(bar, 1.0, palette.accent);
        }
        ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, Stroke::new(0.6, palette.line));
        focus::mark_place(ui, page.doc, rect, FormTarget::Ship { ship: line.ship, key: "handle" });
        let salt = (line.ship, line.carried);
        let here = wanted.filter(|(ship, _)| *ship == line.ship && line.carried.is_none()).map(|(_, key)| key);
        let fixed = Rect::from_min_size(pos2(self.visible_left(), rect.top()), vec2(self.frozen, self.line_height));
        ui.scope_builder(UiBuilder::new().max_rect(fixed).id_salt(("fixed", salt)), |ui| {
            ui.set_clip_rect(self.clip.intersect(fixed));
            self.frozen_cells(ui, page, line, fixed, here, out);
            self.paint_ship(ui, page, line, fixed, pictures);
        });
        let rest = Rect::from_min_max(pos2(self.visible_left() + self.frozen, rect.top()), rect.max);
        ui.scope_builder(UiBuilder::new().max_rect(rest).id_salt(("cells", salt)), |ui| {
            ui.set_clip_rect(self.clip.intersect(rest));
            let focus = ui.memory(|memory| memory.focused());
            for (column, x, width) in &self.columns.placed {
                let left = self.origin.x + self.frozen + x;
                let cell = Rect::from_min_size(pos2(left, rect.top()), vec2(*width, self.line_height));
                cells::show_cell(ui, page, line, *column, cell.shrink2(self.margin()), here, out);
            }
            self.scroll_into_view(ui, rest, focus);
        });
    }

    fn scroll_into_view(&self, ui: &Ui, rest: Rect, focus: Option<Id>) {
        let Some(focus) = focus else { return };
        let last_focused = Id::unique("cell scrolled to");
        let Some(response) = ui.ctx().read_response(focus) else { return };
        if !rest.y_range().contains(response.rect.center().y) || response.rect.left() < self.origin.x + self.frozen {
            return;
        }
        if ui.data(|data| data.get_temp(last_focused)) == Some(focus) {
            return;
        }
        ui.data_mut(|data| data.insert_temp(last_focused, focus));
        // The fixed columns cover what scrolls beneath them.
        let wide = Rect::from_min_max(response.rect.min - vec2(self.frozen, 0.0), response.rect.max);
        ui.scroll_to_rect_animation(wide, None, egui::style::ScrollAnimation::none());
    }

    fn frozen_cells(
        &self,
        ui: &mut Ui,
        page: &FleetView<'_>,
        line: &FleetLine,
        rect: Rect,
        here: Option<&'static str>,
        out: &mut Vec<Command>,
    ) {
        if line.carried.is_some() {
            return cells::carried_name_cell(ui, page, line, rect, BEFORE_NAME, out);
        }
        let handle = Rect::from_min_size(rect.min, vec2(HANDLE_WIDTH, self.line_height)).shrink2(vec2(1.0, 2.0));
        self.row_handle(ui, page, line, handle, here == Some("handle"), out);
        let findings: Vec<&Finding> = line.findings.iter().filter_map(|n| page.fleet.findings.get(*n)).collect();
        if !findings.is_empty() {
            let place =
                Rect::from_min_size(rect.min + vec2(BEFORE_NAME - SIGN_WIDTH, 0.0), vec2(SIGN_WIDTH, self.line_height));
            ui.scope_builder(UiBuilder::new().max_rect(place.shrink2(vec2(1.0, 3.0))), |ui| {
                findings_badge(ui, &findings, out)
            });
        }
        let name =
            Rect::from_min_max(pos2(rect.left() + BEFORE_NAME, rect.top()), pos2(rect.right() - GAP, rect.bottom()));
        cells::name_cell(ui, page, line, name.shrink2(self.margin()), here, out);
    }

    /// The silhouette of the ship's class.
    fn paint_ship(&self, ui: &Ui, page: &FleetView<'_>, line: &FleetLine, rect: Rect, pictures: &mut ShipPictures) {
        let evaluated = &page.fleet.evaluated;
        let unit = line.unit.and_then(|at| evaluated.units.get(at));
        let Some((unit, rules)) = unit.zip(evaluated.ruleset.as_ref()) else { return };
        let left = rect.left() + if line.carried.is_some() { 2.0 } else { HANDLE_WIDTH };
        let place = Rect::from_min_size(pos2(left, rect.center().y - PICTURE_SIZE.y / 2.0), PICTURE_SIZE);
        let of = Pictured::Design(Arc::clone(&unit.class.design), Arc::clone(rules));
        let id = Id::unique(("ship of a fleet", page.doc.id.0, line.ship, line.carried));
        pictures.paint(ui, page.state, place, id, of, ui.visuals().text_color());
    }

    fn row_handle(
        &self,
        ui: &mut Ui,
        page: &FleetView<'_>,
        line: &FleetLine,
        rect: Rect,
        is_wanted: bool,
        out: &mut Vec<Command>,
    ) {
        let id = Id::unique(("ship of a fleet", page.doc.id.0, line.ship));
        let response = ui.interact(rect, id, Sense::click_and_drag());
        let is_chosen = page.doc.selected.contains(&line.ship);
        let text = accessible_name(page, line);
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_chosen, say(&text)));
        if is_wanted {
            response.request_focus();
            out.push(Command::ClearGoTo);
        }
        let palette = palette(ui);
        if response.hovered() {
            ui.painter().rect_filled(rect, 4.0, ui.visuals().widgets.hovered.weak_bg_fill);
            ui.set_cursor_icon(egui::CursorIcon::Grab);
        }
        if response.has_focus() {
            ui.painter().rect_stroke(rect, 4.0, ui.visuals().selection.stroke, StrokeKind::Inside);
            handle_keys(ui, page, line, &response, out);
        }
        for (x, y) in [(0, -1), (1, -1), (0, 0), (1, 0), (0, 1), (1, 1)] {
            let at = pos2(rect.left() + 8.0 + x as f32 * 4.0, rect.center().y + y as f32 * 4.0);
            ui.painter().circle_filled(at, 1.1, palette.muted);
        }
        let font = if is_chosen { FontId::new(SMALL, bold()) } else { FontId::proportional(SMALL) };
        let at = pos2(rect.right() - 5.0, rect.center().y);
        ui.painter().text(at, Align2::RIGHT_CENTER, line.ship + 1, font, palette.muted);
        if response.drag_started() {
            response.dnd_set_drag_payload(DraggedShips(page.selection_with(line.ship)));
        }
        if response.dragged() {
            ui.set_cursor_icon(egui::CursorIcon::Grabbing);
        }
        if response.clicked() {
            let modifiers = ui.input(|input| input.modifiers);
            out.push(Command::Select(selection_after_click(page, line.ship, modifiers)));
            response.request_focus();
        }
        response.on_hover_text(say("Drag to reorder, or use Alt and the arrow keys"));
    }

    fn handle_drop(&self, ui: &Ui, page: &FleetView<'_>, out: &mut Vec<Command>) {
        let Some(dragged) = DragAndDrop::payload::<DraggedShips>(ui) else { return };
        let Some(at) = ui.input(|input| input.pointer.interact_pos()) else { return };
        if !self.clip.x_range().contains(at.x) {
            return;
        }
        let near = 40.0;
        let high = page.fleet.table_lines.len() as f32 * self.line_height;
        let pull = if at.y < self.clip.top() + near && self.visible_area.min.y > 0.0 {
            6.0
        } else if at.y > self.clip.bottom() - near && self.visible_area.max.y < high {
            -6.0
        } else {
            0.0
        };
        if pull != 0.0 {
            // Scroll near the edge.
            ui.scroll_with_delta_animation(vec2(0.0, pull), egui::style::ScrollAnimation::none());
            ui.request_repaint();
        }
        let lines = &page.fleet.table_lines;
        let at = ((at.y - self.origin.y) / self.line_height).round().max(0.0) as usize;
        let before = lines.get(at).filter(|line| line.carried.is_none());
        let ships = lines.iter().filter(|line| line.carried.is_none()).count();
        let y = self.origin.y + at.min(ships) as f32 * self.line_height;
        let accent = palette(ui).accent;
        let painter = ui.painter().with_clip_rect(self.clip);
        painter.add(Shape::hline(self.clip.x_range().shrink(4.0), y, Stroke::new(2.5, accent)));
        if ui.input(|input| input.pointer.any_released()) {
            DragAndDrop::clear_payload(ui);
            let edit = edits::move_ships_to(page.fleet.fleet(), &dragged.0, before.map(|line| line.ship));
            out.extend(edit.map(Command::Edit));
        }
    }
}

/// `Ship 1: HMS Vigilant, Vigilant, 866 points, not legal`.
fn accessible_name(page: &FleetView<'_>, line: &FleetLine) -> String {
    let name = edits::ship_label(page.fleet.fleet(), line.ship);
    let mut text = format!("ship {}: {name}", line.ship + 1);
    if *line.class != *name {
        text.push_str(", ");
        text.push_str(&line.class);
    }
    if let Some(total) = line.total_points {
        text.push_str(&format!(", {}", amount_with_unit(&total.to_string(), "points")));
    }
    if line.has_errors {
        text.push_str(", not legal");
    }
    text
}

fn selection_after_click(page: &FleetView<'_>, ship: u32, modifiers: Modifiers) -> Vec<u32> {
    selection::after_click(&page.doc.selected, ship, modifiers, modifiers.command, |first| {
        Some((first.min(ship)..=first.max(ship)).collect())
    })
}

/// Up and Down go to the next ship; with Shift they extend the selection.
fn handle_keys(ui: &mut Ui, page: &FleetView<'_>, line: &FleetLine, response: &Response, out: &mut Vec<Command>) {
    let filter = EventFilter { vertical_arrows: true, escape: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let count = u32::try_from(page.fleet.fleet().ships.len()).unwrap_or(u32::MAX);
    for (key, down) in [(Key::ArrowDown, true), (Key::ArrowUp, false)] {
        for modifiers in [Modifiers::SHIFT, Modifiers::NONE] {
            if !ui.input_mut(|input| input.consume_key(modifiers, key)) {
                continue;
            }
            let next =
                if down { line.ship.checked_add(1).filter(|next| *next < count) } else { line.ship.checked_sub(1) };
            let Some(next) = next else { continue };
            out.push(Command::Select(selection_after_click(page, next, modifiers)));
            out.push(Command::GoTo(FormTarget::Ship { ship: next, key: "handle" }));
        }
    }
}
