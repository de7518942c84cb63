//! A table of the rules: rows of cells that can be selected, with what the layer changes marked.

use crate::language::say;
use crate::tile::paint_cell;
use egui::style::ScrollAnimation;
use egui::{
    Align, Color32, FontId, Layout, Response, RichText, Role, ScrollArea, Sense, Stroke, StrokeKind, TextStyle, Ui,
    WidgetInfo, pos2, vec2,
};

use crate::Command;
use crate::rules_page::panel::view::{PageView, is_numeric};
use crate::rules_page::panel::words::{can_add, grid_name, part_name, singular};
use crate::rules_page::{CellId, RuleChange, RulesPageCommand};
use crate::theme::{BODY, Palette, SMALL, TITLE, bold, palette};
use crate::widgets::{capitalize, context_menu, memoized, muted_label, named_button, with_curly_quotes};
use moldloft_rules::ruleset::{GridColumn, GridRow, RowState, RuleCell, RuleGrid};

const ROW_HEIGHT: f32 = 26.0;
/// In points.
const MIN_COLUMN: f32 = 48.0;
const MAX_COLUMN: f32 = 250.0;
/// Of a check's message and help.
const MAX_SENTENCE: f32 = 400.0;
const MAX_NAME: f32 = 220.0;
const CHAR_WIDTH: f32 = 7.0;
/// Rows that are measured for the widths of columns.
const MEASURED_ROWS: usize = 400;
/// Of a check, for players; its other columns are formulas.
const CHECK_COLUMNS: [&str; 4] = ["message", "severity", "help", "rule"];

pub fn show(ui: &mut Ui, view: &PageView<'_>, out: &mut Vec<Command>) {
    let Some(grid) = view.grid else {
        muted_label(ui, if view.query.is_empty() { "No tables: see the findings." } else { "Nothing found." });
        return;
    };
    head(ui, view, grid, out);
    let rows: Vec<&GridRow> = view.rows(grid).collect();
    let shown = shown_columns(view, grid);
    let key = (view.doc.id.0, view.doc.revision, grid.id.clone(), shown.clone());
    let columns = memoized(ui.ctx(), "columns of rules", key, || {
        let right = shown.iter().map(|n| mostly_numbers(grid, &grid.columns[*n]));
        let to_right = std::iter::once(false).chain(right).collect();
        GridColumns { widths: column_widths(grid, &shown), to_right, shown }
    });
    let all: f32 = columns.widths.iter().sum::<f32>() + 8.0;
    ScrollArea::horizontal().id_salt(("rules across", view.doc.id.0, &grid.id)).auto_shrink(false).show(ui, |ui| {
        ui.set_min_width(all.max(ui.available_width()));
        ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
        heading_row(ui, grid, &columns);
        let area = ScrollArea::vertical().id_salt(("rules down", view.doc.id.0, &grid.id)).auto_shrink(false);
        let wanted = newly_selected(ui, view, grid, &rows);
        area.show_rows(ui, ROW_HEIGHT, rows.len(), |ui, range| {
            if let Some(at) = wanted {
                let top = ui.max_rect().top() + (at as f32 - range.start as f32) * ROW_HEIGHT;
                let row = egui::Rect::from_min_size(pos2(ui.max_rect().left(), top), vec2(10.0, ROW_HEIGHT));
                ui.scroll_to_rect_animation(row, None, ScrollAnimation::none());
            }
            for row in &rows[range] {
                ui.push_id(&*row.key, |ui| row_line(ui, view, grid, row, &columns, out));
            }
        });
    });
}

/// The row of a cell that was selected since the last frame, to be brought in sight.
fn newly_selected(ui: &Ui, view: &PageView<'_>, grid: &RuleGrid, rows: &[&GridRow]) -> Option<usize> {
    let cell = view.page.cell.as_ref().filter(|cell| cell.grid == grid.id)?;
    let key = egui::Id::unique(("selected row of rules", view.doc.id.0));
    let at = rows.iter().position(|row| row.key == cell.row)?;
    let last: Option<CellId> = ui.data(|data| data.get_temp(key));
    ui.data_mut(|data| data.insert_temp(key, cell.clone()));
    (last.as_ref() != Some(cell)).then_some(at)
}

/// Widths in points, and which columns are aligned to the right; that of the names first.
#[derive(Clone)]
struct GridColumns {
    widths: Vec<f32>,
    to_right: Vec<bool>,
    /// Of the table's columns, without that of the names.
    shown: Vec<usize>,
}

fn is_checks(grid: &RuleGrid) -> bool {
    &*grid.id.section == "check" && grid.id.part.is_none()
}

/// Checks are sentences until their formulas are asked for, or one is selected.
fn shown_columns(view: &PageView<'_>, grid: &RuleGrid) -> Vec<usize> {
    if !is_checks(grid) || view.page.shows_formulas {
        return (0..grid.columns.len()).collect();
    }
    let mut shown: Vec<usize> = CHECK_COLUMNS.iter().filter_map(|key| grid.column(key)).collect();
    let selected = view.page.cell.as_ref().filter(|cell| cell.grid == grid.id);
    let more = selected.and_then(|cell| grid.column(&cell.column)).filter(|at| !shown.contains(at));
    shown.extend(more);
    shown
}

/// `{{ mass }} mass gives none` as `… mass gives none`.
fn without_formulas(text: &str) -> String {
    let mut parts = text.split("{{");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push('…');
        plain.push_str(part.split_once("}}").map_or("", |(_, after)| after));
    }
    plain
}

fn head(ui: &mut Ui, view: &PageView<'_>, grid: &RuleGrid, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(say(grid_name(grid))).family(bold()).size(TITLE));
        if let Some((entry, _)) = &grid.id.part {
            muted_label(ui, format!("{} {entry}", singular(&grid.id.section)));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if can_add(&grid.id) {
                let what = match &grid.id.part {
                    Some((_, key)) => part_name(key).1,
                    None => singular(&grid.id.section).to_owned(),
                };
                if named_button(ui, &format!("+ {}…", capitalize(&what)), &format!("add a new {what}")) {
                    let like = view.page.cell.as_ref().filter(|cell| cell.grid == grid.id).map(|cell| cell.row.clone());
                    out.push(Command::RulesPage(RulesPageCommand::OpenAddDialog { grid: grid.id.clone(), like }));
                }
            }
            if is_checks(grid) {
                let mut on = view.page.shows_formulas;
                let tick = ui.checkbox(&mut on, say("Formulas"));
                out.extend(tick.changed().then(|| Command::RulesPage(RulesPageCommand::ShowFormulas(on))));
            }
        });
    });
    ui.add_space(2.0);
}

fn column_widths(grid: &RuleGrid, shown: &[usize]) -> Vec<f32> {
    let measured = || grid.rows.iter().take(MEASURED_ROWS);
    let wide = |text: &str| text.chars().take(60).count() as f32 * CHAR_WIDTH + 18.0;
    let name = measured().map(|row| wide(&row.label)).fold(90.0, f32::max).min(MAX_NAME);
    let most = if shown.len() < grid.columns.len() { MAX_SENTENCE } else { MAX_COLUMN };
    let columns = shown.iter().map(|n| {
        let cells = measured().filter_map(|row| row.cells.get(*n)?.text.as_deref());
        cells.map(wide).fold(wide(&heading(&grid.columns[*n])), f32::max).clamp(MIN_COLUMN, most)
    });
    std::iter::once(name).chain(columns).collect()
}

fn heading(column: &GridColumn) -> String {
    if column.unit.is_empty() || column.unit == column.label {
        column.label.clone()
    } else {
        format!("{}, {}", column.label, column.unit)
    }
}

fn heading_row(ui: &mut Ui, grid: &RuleGrid, columns: &GridColumns) {
    let widths = &columns.widths;
    let colours = palette(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(widths.iter().sum::<f32>() + 8.0, 24.0), Sense::hover());
    let mut left = rect.left() + 8.0;
    let font = FontId::new(SMALL, bold());
    for (n, width) in widths.iter().enumerate() {
        let column = n.checked_sub(1).and_then(|n| grid.columns.get(*columns.shown.get(n)?));
        let text = column.map_or_else(|| first_heading(grid), heading);
        let numeric = columns.to_right[n];
        let cell = egui::Rect::from_min_size(pos2(left, rect.top()), vec2(*width, rect.height()));
        paint_cell(ui, cell, &say(&text), font.clone(), colours.muted, numeric);
        if let Some(column) = column.filter(|column| !column.about.is_empty()) {
            let id = ui.scope_id().with(("heading", n));
            ui.interact(cell, id, Sense::hover()).on_hover_text(say(column.about));
        }
        left += width;
    }
    ui.painter().hline(rect.x_range(), rect.bottom(), Stroke::new(1.0, colours.line));
}

/// Of the rows' names.
fn first_heading(grid: &RuleGrid) -> String {
    match &grid.id.part {
        Some((_, key)) => part_name(key).1,
        None => singular(&grid.id.section).to_owned(),
    }
}

fn mostly_numbers(grid: &RuleGrid, column: &GridColumn) -> bool {
    let Some(n) = grid.column(&column.key) else { return false };
    let cells = || grid.rows.iter().take(MEASURED_ROWS).filter_map(|row| row.cells.get(n)?.text.as_deref());
    cells().filter(|text| is_numeric(column.kind, text)).count() * 2 > cells().count()
}

fn row_line(
    ui: &mut Ui,
    view: &PageView<'_>,
    grid: &RuleGrid,
    row: &GridRow,
    columns: &GridColumns,
    out: &mut Vec<Command>,
) {
    let colours = palette(ui);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let (bar, _) = ui.allocate_exact_size(vec2(8.0, ROW_HEIGHT), Sense::hover());
        if let Some(colour) = state_colour(row.state, colours) {
            let bar = egui::Rect::from_min_size(bar.min + vec2(1.0, 3.0), vec2(3.0, ROW_HEIGHT - 6.0));
            ui.painter().rect_filled(bar, 1.5, colour);
        }
        name_cell(ui, view, grid, row, columns.widths[0], out);
        for (n, at) in columns.shown.iter().enumerate() {
            let place = (columns.widths[n + 1], columns.to_right[n + 1]);
            let Some(cell) = row.cells.get(*at) else { continue };
            value_cell(ui, view, grid, row, (&grid.columns[*at], cell), place, out);
        }
    });
}

fn state_colour(state: RowState, colours: &Palette) -> Option<Color32> {
    match state {
        RowState::Below => None,
        RowState::Changed => Some(colours.accent),
        RowState::Added => Some(colours.good),
        RowState::Removed => Some(colours.error),
    }
}

/// The row's name selects its first cell and has a menu for the row.
fn name_cell(ui: &mut Ui, view: &PageView<'_>, grid: &RuleGrid, row: &GridRow, width: f32, out: &mut Vec<Command>) {
    let colours = palette(ui);
    let state = match row.state {
        RowState::Below => "",
        RowState::Changed => ", changed",
        RowState::Added => ", new",
        RowState::Removed => ", removed",
    };
    let is_here = view.page.cell.as_ref().is_some_and(|cell| cell.grid == grid.id && cell.row == row.key);
    let accessible = format!("{}{state}", row.label);
    let colour = if row.state == RowState::Removed { colours.muted } else { ui.visuals().text_color() };
    let font = FontId::new(BODY, if is_here { bold() } else { egui::FontFamily::Proportional });
    let look = CellLook {
        font,
        colour,
        numeric: false,
        is_selected: false,
        fill: None,
        is_struck: row.state == RowState::Removed,
    };
    let hover = format!("{}{}", row.key, row.reason.as_ref().map(|why| format!("\n{why}")).unwrap_or_default());
    let response = cell_button(ui, width, &row.label, &accessible, &look).on_hover_text(say(hover));
    if response.clicked()
        && let Some(column) = grid.columns.first()
    {
        out.push(select(grid, row, column));
    }
    context_menu(&response, |ui| {
        if row.state != RowState::Below && ui.button(say("Take back")).clicked() {
            let command = RulesPageCommand::TakeBackRow { grid: grid.id.clone(), row: row.key.clone() };
            out.push(Command::RulesPage(command));
            ui.close();
        }
        if matches!(row.state, RowState::Below | RowState::Changed) && ui.button(say("Remove…")).clicked() {
            let (grid, row) = (grid.id.clone(), row.key.clone());
            let change = RuleChange::Remove { grid, row, reason: String::new() };
            out.push(Command::RulesPage(RulesPageCommand::OpenReasonDialog(change)));
            ui.close();
        }
    });
}

fn value_cell(
    ui: &mut Ui,
    view: &PageView<'_>,
    grid: &RuleGrid,
    row: &GridRow,
    (column, cell): (&GridColumn, &RuleCell),
    (width, to_right): (f32, bool),
    out: &mut Vec<Command>,
) {
    let colours = palette(ui);
    let text = cell.text.as_deref().unwrap_or_default();
    let is_selected = view
        .page
        .cell
        .as_ref()
        .is_some_and(|known| known.grid == grid.id && known.row == row.key && known.column == column.key);
    let has_error = !view.open.findings_at(cell).is_empty();
    let ink = ui.visuals().text_color();
    let colour = match () {
        () if has_error => colours.error,
        () if cell.is_set => colours.accent,
        () if row.state == RowState::Removed || !cell.is_plain => colours.muted,
        () => ink,
    };
    let look = CellLook {
        font: FontId::new(BODY, if cell.is_set { bold() } else { egui::FontFamily::Proportional }),
        colour,
        numeric: to_right,
        is_selected,
        fill: cell.is_set.then_some(colours.selection),
        is_struck: row.state == RowState::Removed,
    };
    let is_sentence = is_checks(grid) && !view.page.shows_formulas;
    let shown = match (&*column.key, text) {
        // As the buttons below call it.
        ("severity", "info") if is_checks(grid) => "note".to_owned(),
        ("message" | "help", text) if is_sentence => without_formulas(text),
        _ => text.replace('\n', " "),
    };
    let mark = match (cell.is_set, has_error) {
        (_, true) => ", error",
        (true, _) => ", changed",
        _ => "",
    };
    let value = if shown.is_empty() { "not set" } else { &shown };
    let accessible = format!("{}, {}: {value}{mark}", row.label, column.label);
    let response = cell_button(ui, width, &shown, &accessible, &look);
    if response.clicked() {
        view.focus_input_again(ui);
        out.push(select(grid, row, column));
    }
    let long = shown.chars().count() as f32 * CHAR_WIDTH + 12.0 > width;
    if cell.is_set || long {
        response.on_hover_ui(|ui| {
            ui.set_max_width(420.0);
            if long {
                ui.label(with_curly_quotes(&say(text)));
            }
            if cell.is_set {
                ui.label(say(format!("was: {}", cell.below.as_deref().unwrap_or("not set"))));
            }
        });
    }
}

fn select(grid: &RuleGrid, row: &GridRow, column: &GridColumn) -> Command {
    let cell = CellId { grid: grid.id.clone(), row: row.key.clone(), column: column.key.clone() };
    Command::RulesPage(RulesPageCommand::SelectCell(cell))
}

struct CellLook {
    font: FontId,
    colour: Color32,
    numeric: bool,
    is_selected: bool,
    fill: Option<Color32>,
    is_struck: bool,
}

fn cell_button(ui: &mut Ui, width: f32, text: &str, accessible: &str, look: &CellLook) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(width, ROW_HEIGHT), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, say(accessible)));
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let colours = palette(ui);
    let inner = rect.shrink2(vec2(1.0, 1.0));
    if let Some(fill) = look.fill {
        ui.painter().rect_filled(inner, 3.0, fill);
    }
    if look.is_selected || response.has_focus() {
        ui.painter().rect_stroke(inner, 3.0, Stroke::new(1.5, colours.accent), StrokeKind::Inside);
    } else if response.hovered() {
        ui.painter().rect_stroke(inner, 3.0, Stroke::new(1.0, colours.line), StrokeKind::Inside);
    }
    let used = paint_cell(ui, rect, text, look.font.clone(), look.colour, look.numeric);
    if look.is_struck {
        let left = rect.left() + 6.0;
        ui.painter().hline(left..=left + used, rect.center().y, Stroke::new(1.0, look.colour));
    }
    response
}

/// The height of a line of text, for fields of several lines.
pub fn line_height(ui: &Ui) -> f32 {
    ui.text_style_height(&TextStyle::Body)
}
