//! The guide to a first ship beside a design: its steps with a tick for what is done, the next one open. In a narrow window
//! only that one, above the design. Also the reference sheets in Help.

use egui::{Button, Id, Image, Label, Panel, RichText, ScrollArea, Ui, vec2};

use crate::guide::model::GuideCommand;
use crate::language::say;
use crate::panels::dialog_parts::close_button;
use crate::printing::PrintCommand;
use crate::regions::{self, Region};
use crate::theme::{TITLE, bold, palette, paper};
use crate::value_text::as_read;
use crate::widgets::{
    card_frame, heading, muted_label, muted_text, named_button, primary_button, text_button, with_accessible_name,
};
use crate::{Command, DocId, EditorState, FormTarget};
use moldloft_base::sanitize::{id_as_words, plural};
use moldloft_rules::evaluate::Evaluation;
use moldloft_rules::ruleset::{FieldDef, FieldKind, GuideStep, GuideSystem};

/// In points.
const MIN_WIDE_WIDTH: f32 = 1_100.0;
const WIDTH: f32 = 300.0;
const MAX_REFERENCE_WIDTH: f32 = 980.0;

/// Takes its place from the page's area.
pub fn show_beside(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let Some(doc) = state.current_doc() else { return };
    let (id, Some(ship)) = (doc.id, doc.evaluation()) else { return };
    if ship.ruleset.guide.is_empty() {
        return;
    }
    if ui.available_width() >= MIN_WIDE_WIDTH {
        let panel = Panel::left("guide").default_size(WIDTH).size_range(240.0..=420.0);
        panel.show(ui, |ui| {
            regions::begin_region(ui, Region::Guide);
            ScrollArea::vertical().id_salt("guide").auto_shrink(false).show(ui, |ui| {
                ui.set_max_width(ui.available_width() - 8.0);
                head(ui, ship, out);
                open_step(ui, state, ship, out);
                ui.add_space(8.0);
                for (n, step) in ship.ruleset.guide.iter().enumerate() {
                    step_row(ui, state, ship, n, step, out);
                }
            });
        });
    } else {
        Panel::top("guide above").show(ui, |ui| {
            regions::begin_region(ui, Region::Guide);
            ScrollArea::vertical().id_salt("guide above").max_height(190.0).show(ui, |ui| {
                head(ui, ship, out);
                open_step(ui, state, ship, out);
            });
        });
    }
    let seen = Id::unique(("guide seen", id.0));
    if !ui.data(|data| data.get_temp(seen).unwrap_or(false)) {
        // The tab is new in this frame: its focus is given from the next one on.
        ui.data_mut(|data| data.insert_temp(seen, true));
        focus_after(ui, id, None);
        ui.ctx().request_repaint();
    }
}

/// The focus goes to the first button of the next open step: the one that was pressed vanishes.
fn focus_after(ui: &Ui, doc: DocId, left: Option<usize>) {
    ui.data_mut(|data| data.insert_temp(Id::unique(("guide focus", doc.0)), left));
}

fn take_focus(ui: &Ui, doc: DocId, open: Option<usize>, button: &egui::Response) {
    let wanted = Id::unique(("guide focus", doc.0));
    let left = ui.data(|data| data.get_temp::<Option<usize>>(wanted));
    if left.is_some_and(|left| left.is_none() || left != open) {
        ui.data_mut(|data| data.remove::<Option<usize>>(wanted));
        button.request_focus();
    }
}

fn head(ui: &mut Ui, ship: &Evaluation, out: &mut Vec<Command>) {
    let done = ship.ruleset.guide.iter().filter(|step| ship.is_guide_step_done(step)).count();
    ui.horizontal(|ui| {
        heading(ui, "YOUR FIRST SHIP");
        muted_label(ui, format!("{done} of {} steps", ship.ruleset.guide.len()));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            out.extend(named_button(ui, "Close", "Close the guide").then(|| Command::Guide(GuideCommand::Close)));
        });
    });
}

/// The sign of a step in its colour.
fn step_sign(ui: &Ui, is_done: bool, n: usize) -> (String, egui::Color32) {
    let colours = palette(ui);
    if is_done { ("✓".to_owned(), colours.good) } else { ((n + 1).to_string(), colours.accent) }
}

/// A line of the list: opens its step above.
fn step_row(ui: &mut Ui, state: &EditorState, ship: &Evaluation, n: usize, step: &GuideStep, out: &mut Vec<Command>) {
    let Some(doc) = state.current_doc() else { return };
    let is_done = ship.is_guide_step_done(step);
    let open = state.guides.opened_step(doc.id).or(ship.next_guide_step());
    let (sign, ink) = step_sign(ui, is_done, n);
    let mut text = RichText::new(format!("{sign}  {}", say(&*step.label))).color(ink);
    if open == Some(n) {
        text = text.family(bold());
    }
    let row = text_button(ui, Button::new(text).min_size(vec2(0.0, 26.0)));
    let name = format!("Step {}, {}{}", n + 1, step.label, if is_done { ", done" } else { "" });
    if with_accessible_name(row, &name).clicked() {
        focus_after(ui, doc.id, open);
        out.push(Command::Guide(GuideCommand::ShowStep(Some(n))));
    }
}

/// The step to do, above the list: its buttons are at the same height in every step, so that the pointer need not follow
/// them. After the last one, what comes next.
fn open_step(ui: &mut Ui, state: &EditorState, ship: &Evaluation, out: &mut Vec<Command>) {
    let Some(doc) = state.current_doc() else { return };
    let open = state.guides.opened_step(doc.id).or(ship.next_guide_step());
    let shown = open.and_then(|n| Some((n, ship.ruleset.guide.get(n)?)));
    ui.add_space(4.0);
    let Some((n, step)) = shown else { return end(ui, state, ship, out) };
    let is_done = ship.is_guide_step_done(step);
    let (sign, ink) = step_sign(ui, is_done, n);
    card_frame(ui).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        let title = RichText::new(format!("{sign}  {}", say(&*step.label))).color(ink).family(bold()).size(TITLE);
        ui.add(Label::new(title).truncate());
        ui.add_space(2.0);
        ui.horizontal_wrapped(|ui| {
            if is_done {
                let next = match ship.next_guide_step() {
                    Some(_) => with_accessible_name(primary_button(ui, "Next"), "Next step"),
                    None => with_accessible_name(primary_button(ui, "Done"), "Close the step"),
                };
                // A step that was opened stays open when it is done.
                take_focus(ui, doc.id, None, &next);
                if next.clicked() {
                    focus_after(ui, doc.id, open);
                    out.push(Command::Guide(GuideCommand::ShowStep(None)));
                }
            } else {
                let perform = primary_button(ui, "Do it for me");
                let perform = with_accessible_name(perform, &format!("Do the step {}", step.label));
                take_focus(ui, doc.id, open, &perform);
                if perform.clicked() {
                    focus_after(ui, doc.id, open);
                    out.push(Command::Guide(GuideCommand::Perform(n)));
                }
            }
            if let Some(place) = place_of(step)
                && named_button(ui, "Show me where", &format!("Show where to do the step {}", step.label))
            {
                out.push(Command::GoTo(place));
            }
        });
        ui.add_space(4.0);
        ui.add(Label::new(say(&*step.text)).wrap());
        ui.add_space(4.0);
        for line in what_is_set(ship, step) {
            muted_text(ui, format!("• {}", say(line)));
        }
    });
}

fn option_label<'r>(field: Option<&'r FieldDef>, id: &str) -> Option<&'r str> {
    let FieldKind::Choice(choice) = &field?.kind else { return None };
    choice.options.iter().find(|option| *option.id == *id).map(|option| &*option.label)
}

/// `Nation: Manticore Alliance`, `2 × laser, port`: choices by their labels, as the form has them.
fn what_is_set(ship: &Evaluation, step: &GuideStep) -> Vec<String> {
    let rules = &ship.ruleset;
    let sets = step.sets.iter().map(|entry| {
        let field = rules.fields.iter().find(|field| *field.id == *entry.key);
        let label = field.map_or_else(|| entry.key.to_string(), |field| field.label.to_string());
        match &entry.node.data {
            moldloft_base::source::toml::TomlValue::List(rows) => format!("{label}: {}", plural(rows.len(), "row")),
            moldloft_base::source::toml::TomlValue::Flag(flag) => {
                format!("{label}: {}", if *flag { "yes" } else { "no" })
            }
            moldloft_base::source::toml::TomlValue::Text(id) if let Some(option) = option_label(field, id) => {
                format!("{label}: {option}")
            }
            data => format!("{label}: {}", as_read(data)),
        }
    });
    let system_name = |id: &str| {
        let name = rules.systems.iter().find(|system| *system.id == *id);
        name.map_or_else(|| id_as_words(id), |system| system.name.to_string())
    };
    let own_name = |own: &GuideSystem| {
        let name = own.entries.iter().find(|entry| *entry.key == *"name");
        name.map_or_else(|| id_as_words(&own.id), |entry| as_read(&entry.node.data))
    };
    let systems = step.systems.iter().map(|own| {
        let more: Vec<String> = own
            .entries
            .iter()
            .filter(|entry| !matches!(&*entry.key, "name" | "abbr" | "icon" | "shape"))
            .map(|entry| format!("{} {}", id_as_words(&entry.key), as_read(&entry.node.data)))
            .collect();
        let more = if more.is_empty() { String::new() } else { format!(": {}", more.join(", ")) };
        format!("own system {}, like {}{more}", own_name(own), system_name(&own.like))
    });
    let fits = step.fits.iter().map(|fit| {
        let own = rules.guide.iter().flat_map(|step| &step.systems).find(|own| own.id == fit.system);
        let name = own.map_or_else(|| system_name(&fit.system), own_name);
        let mount = fit.mount.as_ref().and_then(|id| rules.mounts.iter().find(|mount| mount.id == *id));
        let mount = mount.map(|mount| format!(", {}", mount.label)).unwrap_or_default();
        let more: Vec<String> = fit
            .parameters
            .iter()
            .map(|entry| format!("{} {}", entry.key.replace('_', " "), as_read(&entry.node.data)))
            .collect();
        let more = if more.is_empty() { String::new() } else { format!(" ({})", more.join(", ")) };
        format!("{} × {name}{mount}{more}", fit.count)
    });
    sets.chain(systems).chain(fits).collect()
}

fn place_of(step: &GuideStep) -> Option<FormTarget> {
    let field = step.sets.first().map(|entry| FormTarget::Field(entry.key.to_string()));
    let mount =
        || step.fits.first().and_then(|fit| fit.mount.as_ref()).map(|mount| FormTarget::Mount(mount.to_string()));
    field.or_else(mount)
}

fn end(ui: &mut Ui, state: &EditorState, ship: &Evaluation, out: &mut Vec<Command>) {
    let points = ship.points.map(|points| format!(" It costs {}.", plural(points, "point"))).unwrap_or_default();
    let text = if ship.legal {
        format!("That is a whole ship, and it follows the rules.{points}")
    } else {
        "All steps are done. The findings say what is still against the rules.".to_owned()
    };
    ui.add(Label::new(say(text)).wrap());
    ui.horizontal_wrapped(|ui| {
        if ship.legal {
            let print = with_accessible_name(primary_button(ui, "Print it…"), "Print the first ship");
            if let Some(doc) = state.current_doc() {
                take_focus(ui, doc.id, None, &print);
            }
            out.extend(print.clicked().then(|| Command::Print(PrintCommand::Open(None))));
        }
        if named_button(ui, "Give it a name", "Give the first ship a name") {
            out.push(Command::GoTo(FormTarget::TopKey("name")));
        }
        if state.platform.opens_files || ship.legal {
            let help = ui.button(say("Reference sheet"));
            out.extend(help.clicked().then(|| Command::Guide(GuideCommand::ShowReference(None))));
        }
    });
}

/// The dialog with a game's reference sheets.
pub fn show_reference(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let Some(shown) = &state.guides.reference else { return };
    ui.horizontal_wrapped(|ui| {
        ui.heading(say("Reference sheet"));
        for game in state.library.catalogue.games.iter().filter(|game| game.ready && state.settings.plays(&game.id)) {
            let is_shown = game.id == shown.game;
            if ui.add(Button::selectable(is_shown, &game.title)).clicked() && !is_shown {
                out.push(Command::Guide(GuideCommand::ShowReference(Some(game.id.clone()))));
            }
        }
    });
    let height = (ui.ctx().content_rect().height() - 190.0).max(120.0);
    let area = ScrollArea::both().id_salt(("reference", &shown.game)).max_height(height).auto_shrink(false);
    area.show(ui, |ui| match &shown.pages {
        None => _ = muted_label(ui, "Drawing…"),
        Some(pages) if pages.is_empty() => _ = muted_label(ui, "This game has no reference sheet."),
        Some(pages) => {
            let width = (ui.available_width() - 12.0).clamp(300.0, MAX_REFERENCE_WIDTH);
            for (n, page) in pages.iter().enumerate() {
                let Some(texture) = page.texture(ui.ctx()) else { continue };
                let size = vec2(width, width * page.size.1 as f32 / page.size.0.max(1) as f32);
                let name = format!("reference sheet, page {}", n + 1);
                let image = ui.add(Image::new((texture, size)).tint(paper(ui)).alt_text(&name));
                with_accessible_name(image, &name);
                ui.add_space(8.0);
            }
        }
    });
    ui.horizontal(|ui| {
        close_button(ui, out);
    });
}
