//! All against all as a table: a row for each ship that fires, with the trade and the mean on each other one.

use egui::{Grid, Label, RichText, Role, ScrollArea, Ui, WidgetInfo};

use crate::language::say;
use crate::odds_page::panel::parts::{rest_on, section};
use crate::theme::{SMALL, bold, palette};
use crate::widgets::muted_text;
use moldloft_odds::odds::words::{figure, matrix_exactness, ship_title};
use moldloft_odds::odds::{MatrixCell, OddsMatrix, value_word};

pub fn show(ui: &mut Ui, matrix: &OddsMatrix) {
    section(ui, "POINTS DESTROYED FOR EACH POINT LOST, AT EQUAL POINTS");
    let rules = &matrix.ruleset.attack_rules;
    let gauge = matrix.headline.and_then(|gauge| rules.gauges.get(gauge)).map_or("", |gauge| &*gauge.label);
    muted_text(ui, format!("Below each: the mean of {gauge} in a turn, one ship."));
    let names: Vec<String> = matrix.ships.iter().map(|ship| ship_title(&ship.name)).collect();
    let shown = |number: Option<f64>| number.map_or_else(|| "–".to_owned(), figure);
    ScrollArea::horizontal().id_salt("matrix").show(ui, |ui| {
        Grid::new("matrix").striped(true).spacing([14.0, 4.0]).show(ui, |ui| {
            ui.label("");
            for name in &names {
                ui.label(RichText::new(name).family(bold()));
            }
            ui.end_row();
            for (row, cells) in matrix.cells.iter().enumerate() {
                let own = names.get(row).map_or("", |name| name);
                ui.label(RichText::new(own).family(bold()));
                for (target, cell) in names.iter().zip(cells) {
                    let MatrixCell { mean, trade, choice } = cell;
                    let (mean, trade) = (*mean, *trade);
                    let muted = palette(ui).muted;
                    ui.vertical(|ui| {
                        ui.spacing_mut().item_spacing.y = 0.0;
                        let chosen = choice.as_ref().map(|choice| format!(", with {}", value_word(choice)));
                        let chosen = chosen.unwrap_or_default();
                        let words = format!("{own} on {target}: trade {}, mean {}{chosen}", shown(trade), shown(mean));
                        let label = ui.label(shown(trade));
                        label.widget_info(|| WidgetInfo::labeled(Role::Label, true, say(&words)));
                        ui.add(Label::new(RichText::new(shown(mean)).size(SMALL).color(muted)));
                        if let Some(choice) = choice {
                            ui.add(Label::new(RichText::new(say(value_word(choice))).size(SMALL).color(muted)));
                        }
                    });
                }
                ui.end_row();
            }
        });
    });
    rest_on(ui, &matrix_exactness(matrix), &matrix.assumed, &matrix.not_counted);
}
