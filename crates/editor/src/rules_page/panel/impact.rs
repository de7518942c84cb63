//! What the layers that are on do to the designs and fleets of the workspace: differences in points as bars, what became
//! illegal and why, and everything else that differs.

use crate::Command;
use crate::language::say;
use crate::rules_page::panel::view::PageView;
use crate::rules_page::{ImpactStatus, RulesPageCommand};
use crate::theme::{SMALL, bold, palette};
use crate::widgets::{
    amount_with_unit, error_text, heading, memoized, muted_label, muted_text, small_label, with_accessible_name,
    with_curly_quotes,
};
use egui::{
    Align, Button, CollapsingHeader, Color32, Label, Layout, Rect, RichText, ScrollArea, Sense, Stroke, Ui, pos2, vec2,
};
use moldloft_base::finding::{Finding, Severity};
use moldloft_base::sanitize::shorten;
use moldloft_library::library::{ImpactKind, ImpactRow, impact_changes};
use moldloft_library::print::plural;
use moldloft_library::store::FileRef;
use moldloft_rules::evaluate::ResultChange;
use moldloft_sheet::sheet::format_signed;

const BAR_HEIGHT: f32 = 7.0;
/// The most differences shown of a ship, and of all.
const MAX_EFFECTS: usize = 60;
const MAX_CHANGES: usize = 200;
const MAX_VALUE_CHARS: usize = 60;
const MAX_NAMED: usize = 3;

pub fn show(ui: &mut Ui, view: &PageView<'_>, out: &mut Vec<Command>) {
    let base = view.open.stack.first().map(|base| base.title.clone()).unwrap_or_default();
    let on: Vec<&str> =
        view.open.stack.iter().skip(1).filter(|layer| layer.is_on).map(|layer| layer.title.as_str()).collect();
    let title =
        if on.is_empty() { format!("{base}, no layer on") } else { format!("{base} → with {}", on.join(" + ")) };
    ui.add(Label::new(RichText::new(say(title)).color(palette(ui).muted)).truncate());
    match &view.page.impact {
        ImpactStatus::Empty => {
            muted_text(ui, "Change a number, and this shows what it does to the designs and fleets of your workspace.");
            return;
        }
        ImpactStatus::Failed(message) => {
            error_text(ui, message.clone());
            return;
        }
        ImpactStatus::Running(..) if view.page.impact.rows().is_empty() => {
            muted_label(ui, "Comparing…");
            return;
        }
        ImpactStatus::Running(..) | ImpactStatus::Done(_) => {}
    }
    let rows = view.page.impact.rows();
    summary(ui, rows);
    ScrollArea::vertical().id_salt("impact").auto_shrink(false).show(ui, |ui| {
        ui.set_max_width((ui.available_width() - 10.0).max(0.0));
        for (kind, title) in [(ImpactKind::Design, "DESIGNS"), (ImpactKind::Fleet, "FLEETS")] {
            let of_kind = || rows.iter().filter(move |(_, row)| row.kind == kind);
            let most = of_kind().filter_map(|(_, row)| row.difference()).map(i64::unsigned_abs).max().unwrap_or(0);
            let of = |is_changed: bool| of_kind().filter(move |(_, row)| is_affected(row) == is_changed);
            let (changed, same) = (of(true).count(), of(false).count());
            if changed + same == 0 {
                continue;
            }
            ui.add_space(4.0);
            heading(ui, title);
            for (file, row) in of(true) {
                ui.push_id(file, |ui| row_entry(ui, file, row, most, out));
            }
            if same > 0 {
                let text = if changed > 0 {
                    if same == 1 {
                        "1 other does not change".to_owned()
                    } else {
                        format!("{same} others do not change")
                    }
                } else {
                    "none of them changes".to_owned()
                };
                let names: Vec<&str> = of(false).map(|(_, row)| row.name.as_str()).take(20).collect();
                muted_label(ui, text).on_hover_text(say(names.join("\n")));
            }
        }
        all_changes(ui, view, rows);
    });
}

fn is_affected(row: &ImpactRow) -> bool {
    row.difference() != Some(0)
        || row.before.legal != row.after.legal
        || !row.effects.is_empty()
        || row.ships.iter().any(is_affected)
}

fn summary(ui: &mut Ui, rows: &[(FileRef, ImpactRow)]) {
    let count = |is: &dyn Fn(&ImpactRow) -> bool| rows.iter().filter(|(_, row)| is(row)).count();
    let designs = count(&|row| row.kind == ImpactKind::Design);
    let fleets = count(&|row| row.kind == ImpactKind::Fleet);
    let points = count(&|row| row.difference().is_some_and(|by| by != 0));
    let illegal = count(&|row| row.before.legal && !row.after.legal);
    let legal = count(&|row| !row.before.legal && row.after.legal);
    ui.horizontal_wrapped(|ui| {
        let colours = palette(ui);
        let text = format!("{} and {}: {points} with other points", plural(designs, "design"), plural(fleets, "fleet"));
        ui.label(RichText::new(say(text)).family(bold()));
        if illegal > 0 {
            ui.label(RichText::new(say(format!("{illegal} became illegal"))).family(bold()).color(colours.error));
        }
        if legal > 0 {
            ui.label(RichText::new(say(format!("{legal} became legal"))).family(bold()).color(colours.good));
        }
    });
}

fn points_text(points: Option<i64>) -> String {
    points.map_or_else(|| "–".to_owned(), |points| points.to_string())
}

fn row_entry(ui: &mut Ui, file: &FileRef, row: &ImpactRow, most: u64, out: &mut Vec<Command>) {
    let colours = palette(ui);
    let difference = row.difference();
    let (before, after) = (points_text(row.before.points), points_text(row.after.points));
    let numbers = match difference {
        Some(0) => amount_with_unit(&after, "points"),
        Some(by) => format!("{before} → {after} ({})", format_signed(by)),
        None => format!("{before} → {after}"),
    };
    let verdict = match (row.before.legal, row.after.legal) {
        (true, false) => Some(("became illegal", colours.error)),
        (false, true) => Some(("became legal", colours.good)),
        (false, false) => Some(("not legal", colours.muted)),
        (true, true) => None,
    };
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if row.kind == ImpactKind::Design {
                let button = ui.add(Button::new(say("Sheets")).small());
                let name = format!("show the sheets of {} before and after", row.name);
                if with_accessible_name(button, &name).clicked() {
                    let wanted = Some((file.clone(), row.name.clone()));
                    out.push(Command::RulesPage(RulesPageCommand::ShowSheets(wanted)));
                }
            }
            ui.label(say(numbers));
            if let Some((text, colour)) = verdict {
                ui.label(RichText::new(say(text)).color(colour));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(Label::new(RichText::new(&row.name).family(bold())).truncate()).on_hover_text(file.to_string());
            });
        });
    });
    difference_bar(ui, row, most);
    reasons(ui, row);
    if let (Some(budget), Some(before), Some(after)) = (row.budget, row.before.points, row.after.points) {
        let left = |points: i64| match budget.saturating_sub(points) {
            over if over < 0 => format!("{} over", over.unsigned_abs()),
            left => format!("{left} left"),
        };
        small_label(ui, format!("budget {budget}: {} → {}", left(before), left(after)));
    }
    if !row.effects.is_empty() {
        let title = plural(row.effects.len(), "other difference");
        CollapsingHeader::new(RichText::new(say(&title)).size(SMALL)).id_salt(("effects", file)).show(ui, |ui| {
            for effect in row.effects.iter().take(MAX_EFFECTS) {
                effect_line(ui, effect);
            }
            more(ui, row.effects.len(), MAX_EFFECTS);
        });
    }
    let ships: Vec<&ImpactRow> = row.ships.iter().filter(|ship| is_affected(ship)).collect();
    if !ships.is_empty() {
        let title = format!("{} of {} change", ships.len(), plural(row.ships.len(), "ship"));
        CollapsingHeader::new(RichText::new(say(title)).size(SMALL)).id_salt(("ships", file)).show(ui, |ui| {
            for ship in ships.iter().take(MAX_EFFECTS) {
                let (before, after) = (points_text(ship.before.points), points_text(ship.after.points));
                let verdict = if ship.before.legal && !ship.after.legal { ", became illegal" } else { "" };
                ui.label(say(format!("{}: {before} → {after}{verdict}", ship.name)));
                reasons(ui, ship);
            }
            more(ui, ships.len(), MAX_EFFECTS);
        });
    }
}

/// The difference in points, from the middle: to the right what costs more, to the left what costs less.
fn difference_bar(ui: &mut Ui, row: &ImpactRow, most: u64) {
    let colours = palette(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), BAR_HEIGHT), Sense::hover());
    ui.painter().vline(rect.center().x, rect.y_range(), Stroke::new(1.0, colours.line));
    let Some(by) = row.difference().filter(|by| *by != 0) else { return };
    let long = rect.width() / 2.0 * (by as f32 / most.max(1) as f32);
    let end = rect.center().x + long.signum() * long.abs().max(2.0);
    let bar = Rect::from_two_pos(pos2(rect.center().x, rect.top()), pos2(end, rect.bottom()));
    ui.painter().rect_filled(bar, 2.0, if by > 0 { colours.accent } else { colours.good });
}

/// Errors that are new or gone.
fn reasons(ui: &mut Ui, row: &ImpactRow) {
    let colours = palette(ui);
    let mut line = |sign: &str, finding: &Finding, more: &str, colour: Color32| {
        let text = with_curly_quotes(&format!("{sign} {}{more}", finding.message));
        ui.add(Label::new(RichText::new(say(text)).size(SMALL).color(colour)).wrap()).on_hover_text(&*finding.code);
    };
    for finding in row.new_findings.iter().filter(|finding| finding.severity == Severity::Error) {
        line("+", finding, "", colours.error);
    }
    for finding in row.gone_findings.iter().filter(|finding| finding.severity == Severity::Error) {
        let milder = row.new_findings.iter().find(|new| new.code == finding.code && new.severity != Severity::Error);
        let now = match milder.map(|finding| finding.severity) {
            Some(Severity::Warning) => ", now a warning",
            Some(_) => ", now a note",
            None => "",
        };
        line("−", finding, now, colours.good);
    }
}

fn change_text(effect: &ResultChange) -> String {
    let side = |text: &Option<String>| shorten(text.as_deref().unwrap_or("none"), MAX_VALUE_CHARS);
    let by = effect.difference.map(|by| format!(" ({})", format_signed(by))).unwrap_or_default();
    format!("{} → {}{by}", side(&effect.before), side(&effect.after))
}

fn effect_line(ui: &mut Ui, effect: &ResultChange) {
    let text = format!("{} {}: {}", say(effect.kind), say(&effect.label), say(change_text(effect)));
    ui.add(Label::new(RichText::new(text).size(SMALL)).wrap());
}

fn more(ui: &mut Ui, count: usize, shown: usize) {
    if count > shown {
        muted_label(ui, format!("and {} more", count - shown));
    }
}

/// Each value, track, table cell, counter and cost line once, with its ships.
fn all_changes(ui: &mut Ui, view: &PageView<'_>, rows: &[(FileRef, ImpactRow)]) {
    // While a job runs, the rows are those of the change before.
    let is_done = matches!(view.page.impact, ImpactStatus::Done(_));
    let key = (view.doc.id.0, view.page.impact_key.clone(), is_done, rows.len());
    let lines: (usize, Vec<(String, String)>) = memoized(ui.ctx(), "changes of rules", key, || {
        let changes = impact_changes(rows.iter().map(|(_, row)| row));
        let line = |change: &moldloft_library::library::ImpactChange| {
            let mut sorts: Vec<(String, &str)> = Vec::new();
            for (ship, effect) in &change.ships {
                let text = change_text(effect);
                if !sorts.iter().any(|(known, _)| *known == text) {
                    sorts.push((text, ship));
                }
            }
            let text = match (sorts.as_slice(), change.range()) {
                ([(one, _)], _) => one.clone(),
                (several, range) => {
                    let range = match range {
                        Some((least, most)) if least == most => format!("{}: ", format_signed(least)),
                        Some((least, most)) => format!("{} to {}: ", format_signed(least), format_signed(most)),
                        None => String::new(),
                    };
                    let named = several.iter().take(MAX_NAMED).map(|(text, ship)| format!("{text} {ship}"));
                    let etc = if several.len() > MAX_NAMED { ", …" } else { "" };
                    format!("{range}{}{etc}", named.collect::<Vec<_>>().join(", "))
                }
            };
            (format!("{} {}", change.kind, change.label), format!("{text} · on {}", change.ships.len()))
        };
        (changes.len(), changes.iter().take(MAX_CHANGES).map(line).collect())
    });
    if lines.0 == 0 {
        return;
    }
    ui.add_space(8.0);
    heading(ui, "EVERYTHING THAT DIFFERS");
    for (name, text) in &lines.1 {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            ui.label(RichText::new(say(name)).size(SMALL).family(bold()));
            ui.label(RichText::new(say(text)).size(SMALL));
        });
    }
    more(ui, lines.0, MAX_CHANGES);
}
