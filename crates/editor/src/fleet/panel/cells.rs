//! The cells of a ship's line. Up, Down and Enter go to the same cell of the next ship.

use egui::{
    Align2, Button, FontId, Frame, Id, Key, Margin, Modifiers, Rect, RichText, Role, Sense, Stroke, StrokeKind,
    TextEdit, Ui, UiBuilder, WidgetInfo, pos2,
};

use crate::fleet::lines::FleetLine;
use crate::fleet::model::FleetCommand;
use crate::fleet::panel::FleetView;
use crate::fleet::panel::columns::FleetColumn;
use crate::fleet::{design_chooser, edits, hull_numbers};
use crate::inputs::{InputOption, choice_input, focus_if_wanted};
use crate::language::{say, tell};
use crate::theme::{BODY, SMALL, palette};
use crate::tile::paint_text;
use crate::typed_number::TypedNumber;
use crate::value_text::text_or_empty;
use crate::widgets::{number_or_unknown, stay_after_enter, with_accessible_name};
use crate::{Command, FormTarget, InspectorTab};
use moldloft_rules::design::SpannedText;
use moldloft_rules::design::fleet::{CarriedUnits, FleetShip, MAX_UNITS};

pub fn show_cell(
    ui: &mut Ui,
    page: &FleetView<'_>,
    line: &FleetLine,
    column: FleetColumn,
    rect: Rect,
    here: Option<&'static str>,
    out: &mut Vec<Command>,
) {
    let Some(ship) = page.fleet.ship(line.ship) else { return };
    let is_wanted = here == Some(column.key());
    let of = format!("of ship {}", line.ship + 1);
    let cell = ShipCell { page, ship, rect, is_wanted };
    if line.carried.is_some() {
        return read_only_cell(ui, page, line, column, rect);
    }
    match column {
        FleetColumn::Class => {
            let class = if line.class.is_empty() { "choose…" } else { &*line.class };
            let is_missing = line.unit.is_none();
            let shown = if is_missing { format!("! {class}") } else { class.to_owned() };
            let colour = if is_missing { palette(ui).error } else { ui.visuals().text_color() };
            let response = link_button(ui, rect, &shown, colour, &format!("class {of}: {class}"), is_wanted, out);
            if response.on_hover_text(say("Change the class")).clicked() {
                out.extend(design_chooser::open_for_class(page.state, page.selection_with(line.ship)));
            }
        }
        FleetColumn::Hull => {
            cell.text(ui, ("hull_number", "hull number"), &ship.hull_number, "–", out);
        }
        FleetColumn::Count => cell.count(ui, &of, out),
        FleetColumn::UnitPoints | FleetColumn::TotalPoints => read_only_cell(ui, page, line, column, rect),
        FleetColumn::Carried => cell.carried(ui, &of, out),
        FleetColumn::Group => cell.group(ui, &of, out),
        FleetColumn::Damage => {
            let shown = if line.ticked_boxes == 0 { "–".to_owned() } else { box_count_text(line.ticked_boxes) };
            let accessible = if line.ticked_boxes == 0 { "none".to_owned() } else { shown.clone() };
            let colour = if line.ticked_boxes == 0 { palette(ui).muted } else { ui.visuals().text_color() };
            let response = link_button(ui, rect, &shown, colour, &format!("damage {of}: {accessible}"), is_wanted, out);
            if response.on_hover_text(say("Tick boxes on the sheet or in the list next to it")).clicked() {
                out.extend([Command::Select(vec![line.ship]), Command::ShowInspectorTab(InspectorTab::Ship)]);
            }
        }
        FleetColumn::Captain => cell.text(ui, ("captain", "captain"), &ship.captain, "–", out),
        FleetColumn::Notes => cell.text(ui, ("notes", "notes"), &ship.notes, "–", out),
    }
}

pub fn name_cell(
    ui: &mut Ui,
    page: &FleetView<'_>,
    line: &FleetLine,
    rect: Rect,
    here: Option<&'static str>,
    out: &mut Vec<Command>,
) {
    let Some(ship) = page.fleet.ship(line.ship) else { return };
    let hint = if line.class.is_empty() { "unnamed".to_owned() } else { tell("a {1}", &[&line.class]) };
    let cell = ShipCell { page, ship, rect, is_wanted: here == Some("name") };
    cell.text(ui, ("name", "name"), &ship.name, &hint, out);
}

pub fn carried_name_cell(
    ui: &mut Ui,
    page: &FleetView<'_>,
    line: &FleetLine,
    rect: Rect,
    indent: f32,
    out: &mut Vec<Command>,
) {
    let palette = palette(ui);
    let x = rect.left() + indent - 14.0;
    let (top, middle) = (rect.top() + 2.0, rect.center().y);
    ui.painter().vline(x, top..=middle, Stroke::new(1.0, palette.muted));
    ui.painter().hline(x..=x + 9.0, middle, Stroke::new(1.0, palette.muted));
    let written = line.carried.and_then(|(n, k)| page.fleet.ship(line.ship)?.carried.get(n)?.ships.get(k));
    let own = written.and_then(|ship| ship.name.as_ref()).map(|word| word.text.to_string());
    let name = own.unwrap_or_else(|| line.class.to_string());
    let accessible = format!("ship {} carries {} {name}", line.ship + 1, line.count);
    let place =
        Rect::from_min_max(pos2(rect.left() + indent, rect.top() + 2.0), pos2(rect.right() - 4.0, rect.bottom() - 2.0));
    let shown = format!("{} × {name}", line.count);
    let response = link_button(ui, place, &shown, palette.muted, &accessible, false, out);
    if response.on_hover_text(say("Show its sheet")).clicked() {
        let mut units = page.fleet.units(line.ship);
        let beside = units.position(|(_, unit)| unit.carried == line.carried);
        out.push(Command::Select(vec![line.ship]));
        out.extend(beside.and_then(|at| u32::try_from(at).ok()).map(|at| Command::Fleet(FleetCommand::ShowUnit(at))));
    }
}

/// `1 box`, `12 boxes`.
pub fn box_count_text(count: u32) -> String {
    if count == 1 { "1 box".to_owned() } else { format!("{count} boxes") }
}

fn read_only_cell(ui: &Ui, page: &FleetView<'_>, line: &FleetLine, column: FleetColumn, rect: Rect) {
    let palette = palette(ui);
    let (text, colour) = match column {
        FleetColumn::Class => (tell("of {1}", &[&edits::ship_label(page.fleet.fleet(), line.ship)]), palette.muted),
        FleetColumn::UnitPoints => (number_or_unknown(line.unit_points), palette.muted),
        FleetColumn::TotalPoints => (number_or_unknown(line.total_points), ui.visuals().text_color()),
        FleetColumn::Damage if line.ticked_boxes > 0 => (box_count_text(line.ticked_boxes), palette.muted),
        _ => return,
    };
    let at = pos2(rect.right() - 4.0, rect.center().y);
    if matches!(column, FleetColumn::Class | FleetColumn::Damage) {
        paint_text(
            ui,
            pos2(rect.left() + 5.0, rect.center().y),
            &text,
            FontId::proportional(SMALL),
            colour,
            rect.width(),
        );
        return;
    }
    ui.painter().text(at, Align2::RIGHT_CENTER, &text, FontId::proportional(BODY), colour);
    let what = if column == FleetColumn::UnitPoints { "points each" } else { "points" };
    let of = if line.carried.is_some() { "units carried by ship" } else { "ship" };
    let salt = ("fleet points", line.ship, line.carried, column.key(), column == FleetColumn::UnitPoints);
    let response = ui.interact(rect, Id::unique(salt), Sense::hover());
    response.widget_info(|| {
        WidgetInfo::labeled(Role::Label, true, say(format!("{what} of {of} {}: {text}", line.ship + 1)))
    });
}

fn link_button(
    ui: &mut Ui,
    rect: Rect,
    text: &str,
    colour: egui::Color32,
    accessible: &str,
    is_wanted: bool,
    out: &mut Vec<Command>,
) -> egui::Response {
    let builder = UiBuilder::new().max_rect(rect).id_salt(accessible.split(':').next());
    let response = ui.scope_builder(builder, |ui| {
        ui.spacing_mut().button_padding.x = 5.0;
        let button = Button::new(RichText::new(text).color(colour)).right_text("").gap(0.0).truncate();
        ui.add(button.frame_when_inactive(false).min_size(rect.size()))
    });
    let response = with_accessible_name(response.inner, accessible);
    focus_if_wanted(&response, is_wanted, out);
    response
}

/// Inputs of the table have no frame until they are hovered.
fn hide_frame(ui: &mut Ui) {
    let inactive = &mut ui.visuals_mut().widgets.inactive;
    (inactive.bg_stroke, inactive.weak_bg_fill) = (Stroke::NONE, egui::Color32::TRANSPARENT);
}

/// A cell in a ship's line.
struct ShipCell<'a> {
    page: &'a FleetView<'a>,
    ship: &'a FleetShip,
    rect: Rect,
    /// Whether the keyboard is to go here.
    is_wanted: bool,
}

impl ShipCell<'_> {
    fn text(
        &self,
        ui: &mut Ui,
        (key, label): (&'static str, &str),
        value: &Option<SpannedText>,
        hint: &str,
        out: &mut Vec<Command>,
    ) {
        let Self { page, ship, rect, is_wanted } = *self;
        let id = Id::unique(("fleet cell", page.doc.id.0, ship.index, key));
        if ui.memory(|memory| memory.has_focus(id)) {
            self.handle_keys(ui, key, out);
        }
        let mut typed = text_or_empty(value);
        let before = typed.clone();
        let field = TextEdit::singleline(&mut typed)
            .id(id)
            .frame(Frame::NONE.inner_margin(Margin::symmetric(5, 3)))
            .hint_text(RichText::new(say(hint)).color(palette(ui).muted))
            .align(Align2::LEFT_CENTER)
            .desired_width(rect.width() - 10.0)
            .min_size(rect.size());
        let response = ui.scope_builder(UiBuilder::new().max_rect(rect).id_salt(key), |ui| ui.add(field)).inner;
        let response = with_accessible_name(response, &format!("{label} of ship {}", ship.index + 1));
        let palette = palette(ui);
        if response.has_focus() {
            ui.painter().rect_stroke(rect, 3.0, Stroke::new(1.5, palette.accent), StrokeKind::Inside);
        } else if response.hovered() {
            ui.painter().rect_stroke(rect, 3.0, Stroke::new(1.0, palette.line), StrokeKind::Inside);
        }
        self.select_focused(&response, out);
        let font = egui::TextStyle::Body.resolve(ui.style());
        let is_cut = ui.painter().layout_no_wrap(typed.clone(), font, palette.muted).size().x > rect.width() - 10.0;
        let response = if is_cut { response.on_hover_text(&typed) } else { response };
        if typed != before {
            let edit = edits::set_ship_text(page.fleet.fleet(), ship.index, key, &typed);
            out.push(Command::Edit(edit.with_merge_key(format!("{id:?}"))));
        }
        out.extend(response.lost_focus().then_some(Command::EndMerge));
        focus_if_wanted(&response, is_wanted, out);
    }

    /// The sheet is that of the ship in whose row the keyboard is; of several that are selected, none is dropped for it.
    fn select_focused(&self, response: &egui::Response, out: &mut Vec<Command>) {
        let (selected, ship) = (&self.page.doc.selected, self.ship.index);
        if (response.gained_focus() && *selected != [ship]) || (self.is_wanted && !selected.contains(&ship)) {
            out.push(Command::Select(vec![ship]));
        }
    }

    /// Up, Down and Enter go to the cell above or below; with Alt they move the ship.
    fn handle_keys(&self, ui: &Ui, key: &'static str, out: &mut Vec<Command>) {
        let (page, ship) = (self.page, self.ship.index);
        let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
        for (arrow, up) in [(Key::ArrowUp, true), (Key::ArrowDown, false)] {
            if pressed(Modifiers::ALT, arrow) {
                let chosen = page.selection_with(ship);
                if let Some(edit) = edits::move_ships(page.fleet.fleet(), &chosen, up) {
                    let to = if up { ship.saturating_sub(1) } else { ship + 1 };
                    out.extend([Command::Edit(edit), Command::GoTo(FormTarget::Ship { ship: to, key })]);
                }
                return;
            }
        }
        let down = pressed(Modifiers::NONE, Key::ArrowDown) || pressed(Modifiers::NONE, Key::Enter);
        let up = pressed(Modifiers::NONE, Key::ArrowUp) || pressed(Modifiers::SHIFT, Key::Enter);
        let count = u32::try_from(page.fleet.fleet().ships.len()).unwrap_or(u32::MAX);
        let to = match (down, up) {
            (true, _) => Some(ship + 1).filter(|next| *next < count),
            (_, true) => ship.checked_sub(1),
            _ => None,
        };
        if let Some(to) = to {
            out.extend([Command::EndMerge, Command::GoTo(FormTarget::Ship { ship: to, key })]);
        }
    }

    fn count(&self, ui: &mut Ui, of: &str, out: &mut Vec<Command>) {
        let Self { page, ship, rect, is_wanted } = *self;
        let mut typed = i64::from(ship.count);
        let found = TypedNumber::default();
        let response = ui.scope_builder(UiBuilder::new().max_rect(rect).id_salt("count"), |ui| {
            ui.spacing_mut().interact_size.x = rect.width();
            hide_frame(ui);
            ui.add(found.whole(&mut typed, 1..=i64::from(MAX_UNITS)).min_size(rect.size()))
        });
        let response = with_accessible_name(response.inner, &format!("count {of}"));
        if let Some(before) = found.tell(&response, i64::from(ship.count)) {
            typed = before;
        }
        if typed != i64::from(ship.count)
            && let Some(edit) = edits::set_count(page.fleet.fleet(), ship.index, typed)
        {
            out.push(Command::Edit(edit.with_merge_key(format!("{:?}", response.id))));
        }
        self.select_focused(&response, out);
        if response.lost_focus() || response.drag_stopped() {
            out.push(Command::EndMerge);
        }
        stay_after_enter(ui, &response, typed);
        focus_if_wanted(&response, is_wanted, out);
    }

    fn carried(&self, ui: &mut Ui, of: &str, out: &mut Vec<Command>) {
        let Self { page, ship, rect, is_wanted } = *self;
        // Unknown relations are listed among the findings.
        let is_known =
            |carried: &CarriedUnits| page.fleet.carry_relations().any(|relation| relation.id == carried.relation.text);
        let known = || edits::all_carried(ship).filter(|(carried, _)| is_known(carried));
        let all: u64 = known().map(|(_, one)| u64::from(one.count)).sum();
        let plain: i64 =
            ship.carried.iter().filter(|carried| is_known(carried)).filter_map(|carried| carried.plain).sum();
        let classes: Vec<String> = known()
            .map(|(_, one)| {
                let class = one
                    .design
                    .as_ref()
                    .map_or_else(|| "?".to_owned(), |word| hull_numbers::class_display_name(&word.text));
                format!("{} × {class}", one.count)
            })
            .collect();
        let shown = match (all, plain) {
            (0, 0) => "–".to_owned(),
            (0, plain) => plain.to_string(),
            _ => classes.join(", "),
        };
        let label = page.fleet.carry_relations().next().map_or("carried", |relation| &relation.label);
        let accessible = if shown == "–" { "none" } else { &shown };
        let colour = if shown == "–" { palette(ui).muted } else { ui.visuals().text_color() };
        let response = link_button(ui, rect, &shown, colour, &format!("{label} {of}: {accessible}"), is_wanted, out);
        if response.on_hover_text(say(format!("Choose: {label}"))).clicked() {
            out.extend(design_chooser::open_for_carried(page.state, ship.index));
        }
    }

    fn group(&self, ui: &mut Ui, of: &str, out: &mut Vec<Command>) {
        let Self { page, ship, rect, is_wanted } = *self;
        let fleet = page.fleet.fleet();
        let now = ship.group.as_ref().map_or("", |word| &word.text);
        let label = |group: &moldloft_rules::design::fleet::FleetGroup| {
            let name = group.name.as_ref().map_or("", |word| word.text.trim());
            if name.is_empty() { group.id.text.to_string() } else { name.to_owned() }
        };
        let groups: Vec<(String, String)> =
            fleet.groups.iter().map(|group| (group.id.text.to_string(), label(group))).collect();
        let none = InputOption { id: "", label: "–", hint: String::new(), disabled_reason: None };
        let options = groups.iter().map(|(id, label)| InputOption::new(id, label));
        let shown =
            groups.iter().find(|(id, _)| **id == *now).map_or(if now.is_empty() { "none" } else { now }, |(_, l)| l);
        let accessible = format!("group {of}: {shown}");
        let builder = UiBuilder::new().max_rect(rect).id_salt("group");
        let (response, made) = ui
            .scope_builder(builder, |ui| {
                hide_frame(ui);
                let salt = ui.make_persistent_id("group");
                let all = std::iter::once(none).chain(options);
                choice_input(ui, salt, &accessible, now, all, (rect.width() - 8.0).max(40.0))
            })
            .inner;
        if let Some(id) = made {
            let ships = page.selection_with(ship.index);
            out.extend(edits::set_group(fleet, &ships, Some(&*id).filter(|id| !id.is_empty())).map(Command::Edit));
        }
        focus_if_wanted(&response, is_wanted, out);
    }
}
