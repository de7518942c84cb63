//! Sheets side by side as pictures: each as wide as its column or larger, all scrolled together. The keys and the wheel of the
//! preview enlarge them; a click on a page shows the place large, another one all of it again.

use egui::{
    Align, EventFilter, Id, Image, Key, Layout, Modifiers, Pos2, Rect, RichText, ScrollArea, Sense, Ui, Vec2, vec2,
};

use crate::Command;
use crate::language::say;
use crate::preview::{PreviewChange, Tile, Zoom};
use crate::theme::{bold, palette, paper};
use crate::widgets::{muted_label, named_button, with_accessible_name};

/// After a click on a page, in percent of its column's width.
const LARGE: f32 = 250.0;
/// In points; beside the pages.
const MARGIN: f32 = 16.0;
const GAP: f32 = 10.0;
/// In points; of an arrow key.
const LINE: f32 = 48.0;

pub struct PictureColumn<'a> {
    /// Empty: none.
    pub title: &'a str,
    pub pages: &'a [Tile],
    /// Of each page, without its number.
    pub name: String,
}

/// What is remembered from one frame to the next.
#[derive(Clone, Copy, Debug, Default)]
struct PictureScroll {
    offset: Vec2,
    percent: f32,
    /// Keeps its place when the size changes; from the corner of the column's window.
    anchor: Option<Vec2>,
}

pub fn zoom_buttons(ui: &mut Ui, percent: f32, out: &mut Vec<Command>) {
    if named_button(ui, "−", "Zoom sheets out") {
        out.push(Command::Preview(PreviewChange::Step { larger: false }));
    }
    muted_label(ui, format!("{percent:.0} %")).on_hover_text(say("100 % fills the column"));
    out.extend(named_button(ui, "+", "Zoom sheets in").then(|| Command::Preview(PreviewChange::Step { larger: true })));
}

/// Fills the rest of the page; `width` is that of a column.
pub fn show(ui: &mut Ui, id: Id, percent: f32, width: f32, columns: &[PictureColumn<'_>], out: &mut Vec<Command>) {
    let height = ui.available_height();
    let mut scroll: PictureScroll = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    if scroll.percent > 0.0 && scroll.percent != percent {
        let anchor = scroll.anchor.take().unwrap_or(vec2(width / 2.0, 0.0));
        scroll.offset = (scroll.offset + anchor) * (percent / scroll.percent) - anchor;
    }
    scroll.percent = percent;
    scroll.offset += scroll_keys(ui, id, height);
    let given = scroll.offset.max(Vec2::ZERO);
    let (mut furthest, mut moved) = (Vec2::ZERO, None);
    let pointer = ui.input(|input| input.pointer.hover_pos());
    let mut change = None;
    let mut focused = false;
    ui.with_layout(Layout::left_to_right(Align::Min), |ui| {
        for (n, column) in columns.iter().enumerate() {
            let own = (width - GAP).max(40.0);
            ui.allocate_ui_with_layout(vec2(own, height), Layout::top_down(Align::Min), |ui| {
                ui.set_width(own);
                if !column.title.is_empty() {
                    ui.label(RichText::new(say(column.title)).family(bold()));
                }
                if column.pages.is_empty() {
                    muted_label(ui, "no sheet");
                }
                let area = ScrollArea::both().id_salt((id, n)).auto_shrink(false).animated(false);
                let shown = area.scroll_offset(given).show(ui, |ui| {
                    let mut clicked = None;
                    for (n, page) in column.pages.iter().enumerate() {
                        let name = format!("{}, page {}", column.name, n + 1);
                        let size = (own - MARGIN) * percent / 100.0;
                        if let Some((at, has_focus)) = picture(ui, page, size, &name) {
                            clicked = at.or(clicked);
                            focused |= has_focus;
                        }
                        ui.add_space(GAP);
                    }
                    clicked
                });
                let window = shown.inner_rect;
                let most = (shown.content_size - window.size()).max(Vec2::ZERO);
                let now = shown.state.clamped_offset();
                if (now - given.min(most)).length() > 0.5 {
                    moved = Some(now);
                }
                furthest = furthest.max(now);
                let factor = ui.input(egui::InputState::zoom_delta);
                if let Some(at) = pointer.filter(|at| factor != 1.0 && window.contains(*at)) {
                    scroll.anchor = Some(at - window.min);
                    change = Some(percent * factor);
                }
                if let Some(at) = shown.inner {
                    scroll.anchor = Some(at - window.min);
                    change = Some(if percent > 100.5 { 100.0 } else { LARGE });
                }
            });
            ui.add_space(GAP);
        }
    });
    scroll.offset = moved.unwrap_or(furthest);
    ui.data_mut(|data| {
        data.insert_temp(id, scroll);
        data.insert_temp(id.with("focus"), focused);
    });
    out.extend(change.map(|percent| Command::Preview(PreviewChange::Zoom(Zoom::percent(percent)))));
}

/// Where it was clicked, and whether it has the focus; `None` if it cannot be drawn.
fn picture(ui: &mut Ui, page: &Tile, width: f32, name: &str) -> Option<(Option<Pos2>, bool)> {
    let texture = page.texture(ui.ctx())?;
    let size = vec2(width, width * page.size.1 as f32 / page.size.0.max(1) as f32);
    let image = ui.add(Image::new((texture, size)).tint(paper(ui)).alt_text(name).sense(Sense::click()));
    let palette = palette(ui);
    let has_focus = image.has_focus();
    let stroke = if has_focus { egui::Stroke::new(2.0, palette.accent) } else { egui::Stroke::new(1.0, palette.line) };
    ui.painter().rect_stroke(image.rect, 0, stroke, egui::StrokeKind::Inside);
    if has_focus {
        let keys = EventFilter { tab: false, horizontal_arrows: true, vertical_arrows: true, escape: false };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(image.id, keys));
    }
    if image.clicked() {
        image.request_focus();
    }
    let at = image.clicked().then(|| image.interact_pointer_pos().unwrap_or(visible(ui, image.rect).center_top()));
    with_accessible_name(image, name).on_hover_cursor(egui::CursorIcon::ZoomIn);
    Some((at, has_focus))
}

fn visible(ui: &Ui, rect: Rect) -> Rect {
    rect.intersect(ui.clip_rect())
}

/// While a page has the focus.
fn scroll_keys(ui: &Ui, id: Id, height: f32) -> Vec2 {
    if !ui.data(|data| data.get_temp(id.with("focus"))).unwrap_or(false) {
        return Vec2::ZERO;
    }
    let keys = [
        (Key::ArrowUp, vec2(0.0, -LINE)),
        (Key::ArrowDown, vec2(0.0, LINE)),
        (Key::ArrowLeft, vec2(-LINE, 0.0)),
        (Key::ArrowRight, vec2(LINE, 0.0)),
        (Key::PageUp, vec2(0.0, -height * 0.9)),
        (Key::PageDown, vec2(0.0, height * 0.9)),
    ];
    let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    keys.into_iter().filter(|(key, _)| pressed(*key)).fold(Vec2::ZERO, |sum, (_, by)| sum + by)
}
