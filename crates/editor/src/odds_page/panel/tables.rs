//! The figures as tables, each row with a name that a screen reader says whole; then remarks and what the figures rest on.

use egui::{Color32, FontId, Id, Label, Rect, Sense, Ui, pos2, vec2};

use crate::language::{say, tell};
use crate::odds_page::model::OddsView;
use crate::odds_page::panel::parts::{rest_on, section};
use crate::odds_page::{OddsCommand, OddsSelection};
use crate::theme::{BODY, SMALL, bold, palette};
use crate::tile::{paint_text, paint_text_right, static_tile, tile};
use crate::widgets::muted_text;
use crate::{Command, Doc};
use moldloft_library::chart::chance_bars;
use moldloft_odds::odds::words::{break_even, exactness, gauge_label, percent, ship_title};
use moldloft_odds::odds::{
    CURVE_COLUMNS, FIGURE_COLUMNS, Odds, RowFigures, battle_lines, comparison_rows, curve_rows, figure_rows, remarks,
    turn_rows, value_word,
};
use moldloft_rules::evaluate::Evaluation;

const ROW_HEIGHT: f32 = 26.0;
/// Widest column of figures, in points.
const MAX_COLUMN: f32 = 104.0;

/// Columns of one table.
struct Columns<'c> {
    id: Id,
    titles: &'c [&'c str],
    /// Right edges of the figures, from the left edge of the table.
    edges: Vec<f32>,
    width: f32,
}

impl<'c> Columns<'c> {
    fn new(ui: &Ui, id: Id, titles: &'c [&'c str]) -> Self {
        let width = ui.available_width();
        let each = (width * 0.7 / titles.len().max(1) as f32).min(MAX_COLUMN);
        // Next to the title, not at the far edge of a wide page.
        let first = (width - each * titles.len() as f32).min(240.0);
        let edges: Vec<f32> = (1..=titles.len()).map(|column| first + each * column as f32 - 8.0).collect();
        let width = edges.last().map_or(width, |last| last + 12.0);
        Self { id, titles, edges, width }
    }

    fn rect(&self, ui: &mut Ui, height: f32) -> Rect {
        ui.allocate_exact_size(vec2(self.width, height), Sense::hover()).0
    }

    fn title_width(&self) -> f32 {
        let each = self.edges.windows(2).next().map_or(MAX_COLUMN, |pair| pair[1] - pair[0]);
        self.edges.first().map_or(self.width, |first| first - each).max(40.0)
    }

    fn head(&self, ui: &mut Ui, title: &str) {
        let rect = self.rect(ui, 20.0);
        let colour = palette(ui).muted;
        self.paint(ui, rect, title, self.titles, &FontId::proportional(SMALL), colour);
        ui.painter().hline(rect.x_range(), rect.bottom(), egui::Stroke::new(1.0, palette(ui).line));
    }

    /// A row with a name; clicked if it can be.
    fn row(
        &self,
        ui: &mut Ui,
        number: usize,
        row: (&str, &[&str]),
        (name, is_chosen): (&str, Option<bool>),
        font: FontId,
    ) -> bool {
        let rect = self.rect(ui, ROW_HEIGHT);
        let id = self.id.with(number);
        let clicked = match is_chosen {
            Some(is_chosen) => tile(ui, rect, id, name, is_chosen).clicked(),
            None => {
                static_tile(ui, rect, id, name);
                false
            }
        };
        let ink = ui.visuals().text_color();
        self.paint(ui, rect, row.0, row.1, &font, ink);
        clicked
    }

    fn paint(&self, ui: &Ui, rect: Rect, title: &str, cells: &[&str], font: &FontId, colour: Color32) {
        let y = rect.center().y;
        paint_text(ui, pos2(rect.left() + 6.0, y), title, font.clone(), colour, self.title_width());
        let each = self.edges.windows(2).next().map_or(MAX_COLUMN, |pair| pair[1] - pair[0]);
        for (cell, edge) in cells.iter().zip(&self.edges) {
            paint_text_right(ui, pos2(rect.left() + edge, y), cell, font.clone(), colour, each);
        }
    }
}

/// `missiles: mean 7.07, 8 in 10 1 – 14, …`
fn row_name(title: &str, columns: &[&str], cells: &[&str]) -> String {
    let cells: Vec<String> = columns.iter().zip(cells).map(|(column, cell)| format!("{column} {cell}")).collect();
    format!("{title}: {}", cells.join(", "))
}

pub fn show(ui: &mut Ui, doc: &Doc, view: &OddsView, odds: &Odds, ship: &Evaluation, out: &mut Vec<Command>) {
    if odds.attacks.is_empty() && odds.failed {
        return;
    }
    let id = Id::unique(("odds", doc.id));
    figure_table(ui, id, view, odds, out);
    for line in remarks(odds) {
        ui.add(Label::new(say(line)).wrap());
    }
    // The first two are the rows of the table.
    let skipped = if odds.turns.is_some() { 2 } else { 0 };
    for line in battle_lines(odds).into_iter().skip(skipped) {
        ui.add(Label::new(say(line)).wrap());
    }
    ui.scope(|ui| turn_table(ui, id, odds));
    ui.scope(|ui| curve_table(ui, id, odds, ship, out));
    ui.scope(|ui| chance_table(ui, id, view, odds, out));
    rest_on(ui, &exactness(odds), &odds.assumed, &odds.not_counted);
}

/// The figures by the ship's rules and by others, side by side.
pub fn comparison_table(ui: &mut Ui, doc: &Doc, before: &Odds, after: &Odds) {
    let titles = [before, after].map(|odds| odds.ruleset.id.to_string());
    ui.scope(|ui| {
        section(ui, &tell("by {1} and by {2}", &[&titles[0], &titles[1]]).to_uppercase());
        let titles = titles.each_ref().map(String::as_str);
        let columns = Columns::new(ui, Id::unique(("compared odds", doc.id)), &titles);
        columns.head(ui, "figure");
        for (number, row) in comparison_rows(before, after).iter().enumerate() {
            let cells = [&*row.before, &*row.after];
            let name = row_name(row.title.trim(), &titles, &cells);
            columns.row(ui, number, (&row.title, &cells), (&name, None), FontId::proportional(BODY));
        }
    });
}

fn figure_table(ui: &mut Ui, id: Id, view: &OddsView, odds: &Odds, out: &mut Vec<Command>) {
    section(ui, &tell("{1} lost in a turn", &[&say(gauge_label(odds))]).to_uppercase());
    let columns = Columns::new(ui, id.with("figures"), &FIGURE_COLUMNS);
    columns.head(ui, "attack");
    let (rows, left_out) = figure_rows(odds);
    for (number, row) in rows.iter().enumerate() {
        let text = |words: &str| (format!("{}: {words}", row.title), vec!["–".to_owned(), words.to_owned()]);
        let (name, cells) = match &row.figures {
            RowFigures::Known(cells) => {
                let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
                (row_name(&row.title, &FIGURE_COLUMNS, &cells), cells.into_iter().map(str::to_owned).collect())
            }
            RowFigures::OutOfReach => text("out of reach"),
            RowFigures::NotWorkedOut => text("not worked out"),
        };
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        let chosen = row.attack.map(|attack| view.selection == Some(OddsSelection::Attack(attack)));
        let font = if row.attack.is_none() { FontId::new(BODY, bold()) } else { FontId::proportional(BODY) };
        if columns.row(ui, number, (&row.title, &cells), (&name, chosen), font) {
            let selection = row.attack.filter(|_| chosen == Some(false)).map(OddsSelection::Attack);
            out.push(Command::Odds(OddsCommand::Select(selection)));
        }
    }
    if left_out > 0 {
        muted_text(ui, format!("{left_out} more attacks are counted but have no row."));
    }
    ui.add_space(4.0);
}

fn turn_table(ui: &mut Ui, id: Id, odds: &Odds) {
    let rows = turn_rows(odds);
    if rows.is_empty() {
        return;
    }
    section(ui, "DESTROYED BY TURN");
    let names = [&odds.target, &odds.attacker].map(|ship| ship_title(&ship.name));
    let titles = names.each_ref().map(String::as_str);
    let columns = Columns::new(ui, id.with("turns"), &titles);
    columns.head(ui, "turn");
    for (turn, cells) in rows.iter().enumerate() {
        let cells = cells.each_ref().map(String::as_str);
        let title = (turn + 1).to_string();
        let name = row_name(&format!("turn {title}, destroyed by then"), &titles, &cells);
        columns.row(ui, turn, (&title, &cells), (&name, None), FontId::proportional(BODY));
    }
}

/// A click on a row moves there.
fn curve_table(ui: &mut Ui, id: Id, odds: &Odds, ship: &Evaluation, out: &mut Vec<Command>) {
    let Some(curve) = &odds.over else { return };
    let Some(rule) = ship.ruleset.attack_rules.situations.get(curve.situation) else { return };
    let now = odds.situation.get(curve.situation);
    let place = curve.values.iter().position(|value| Some(value) == now);
    let rows = curve_rows(odds);
    if rows.is_empty() {
        return;
    }
    section(ui, &tell("by {1}", &[&say(&rule.label)]).to_uppercase());
    let columns = Columns::new(ui, id.with("curve"), &CURVE_COLUMNS);
    columns.head(ui, &rule.label);
    for (number, row) in rows.iter().enumerate() {
        let end = rows.get(number + 1).map_or(curve.values.len(), |next| next.first);
        let is_chosen = place.is_some_and(|place| (row.first..end).contains(&place));
        let cells = row.cells.each_ref().map(String::as_str);
        let name = row_name(&format!("{} {}", rule.label, row.values), &CURVE_COLUMNS, &cells);
        let line = (&*row.values, &cells[..]);
        let font = FontId::proportional(BODY);
        if columns.row(ui, number, line, (&name, Some(is_chosen)), font)
            && let Some(value) = curve.values.get(row.first)
        {
            let word = Some(value_word(value));
            out.push(Command::Odds(OddsCommand::SetSituation { id: rule.id.to_string(), word }));
        }
    }
    let even = break_even(curve);
    if !even.is_empty() {
        muted_text(ui, format!("even trade between {}", even.join(", ")));
    }
}

fn chance_table(ui: &mut Ui, id: Id, view: &OddsView, odds: &Odds, out: &mut Vec<Command>) {
    let Some(gauge) = odds.headline_of(&odds.all) else { return };
    ui.add_space(8.0);
    let title = format!("How likely each loss of {} is", gauge_label(odds));
    egui::CollapsingHeader::new(say(title)).id_salt(id.with("chances")).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        const TITLES: [&str; 2] = ["exactly", "or more"];
        let columns = Columns::new(ui, id.with("chances"), &TITLES);
        columns.head(ui, "lost");
        for (place, bar) in chance_bars(gauge).iter().enumerate() {
            let cells = [percent(bar.chance), percent(bar.or_more)];
            let cells = cells.each_ref().map(String::as_str);
            let name = row_name(&format!("{} lost", bar.name), &TITLES, &cells);
            let is_chosen = view.selection == Some(OddsSelection::Bar(place));
            let font = FontId::proportional(BODY);
            if columns.row(ui, place, (&bar.name, &cells), (&name, Some(is_chosen)), font) {
                let selection = Some(OddsSelection::Bar(place)).filter(|_| !is_chosen);
                out.push(Command::Odds(OddsCommand::Select(selection)));
            }
        }
    });
}
