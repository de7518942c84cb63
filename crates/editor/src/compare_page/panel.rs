//! Designs or fleets side by side: a column each, what is decided by first. The cheapest is marked, and who has more of what is shown large; what differs can
//! be taken over. Or their sheets, tinted where they differ.

use crate::compare_page::model::{CompareCommand, ComparePage, CompareTarget, ComparedDoc, MAX_OTHERS};
use crate::icons::{Icon, icon_button};
use crate::language::say;
use crate::library_browser::model::LibraryCommand;
use crate::panels::sheet_pictures::{self, PictureColumn};
use crate::theme::{TITLE, bold, palette};
use crate::tile::{TWO_LINES, paint_two_lines, tile};
use crate::widgets::{
    amount_with_unit, error_text, heading, is_left_by_enter, muted_label, number_or_unknown, sized_cell, small_button,
    with_accessible_name,
};
use crate::{Command, Doc, EditorState};
use egui::{
    Align, Button, Checkbox, ComboBox, Id, Label, Layout, PopupCloseBehavior, Rect, RichText, ScrollArea, TextEdit, Ui,
    vec2,
};
use moldloft_base::sanitize::fold_for_search;
use moldloft_library::library::{CatalogueEntry, EntrySummary};
use moldloft_rules::evaluate::{ComparedCell, TableRow, TableSection};
use moldloft_rules::ruleset::Amount;
use moldloft_sheet::sheet::format_signed;

/// The row of what a ship or fleet costs.
const POINTS: &str = "points";
/// In points.
const LABEL_WIDTH: f32 = 200.0;
const MIN_COLUMN: f32 = 150.0;
const MAX_COLUMN: f32 = 420.0;
const ROW_HEIGHT: f32 = 28.0;
/// From the top of a row, so that text is level with the buttons in it.
const TEXT_TOP: f32 = 3.0;
const MAX_LISTED: usize = 300;
/// In points.
const CHOICE_WIDTH: f32 = 520.0;

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let Some(doc) = state.current_doc() else { return };
    let Some(page) = state.compare_pages.open_page(doc.id) else { return };
    if state.library.needs_scan() {
        out.push(Command::Library(LibraryCommand::Scan));
    }
    ui.add_space(4.0);
    ui.horizontal_wrapped(|ui| {
        ui.heading(say(format!("{} side by side", if doc.as_fleet().is_some() { "Fleets" } else { "Designs" })));
        let back = format!("Back to {}", doc.name());
        out.extend(ui.button(say(back)).clicked().then(|| command(CompareCommand::Close)));
        ui.add_space(12.0);
        if page.others.len() < MAX_OTHERS {
            add_picker(ui, state, doc, page, out);
            out.extend(ui.button(say("Choose file…")).clicked().then(|| command(CompareCommand::PickFile)));
        }
        let mut only = !page.shows_all;
        if !page.shows_sheets && ui.add(Checkbox::new(&mut only, say("only differences"))).changed() {
            out.push(command(CompareCommand::ShowAll(!only)));
        }
        if doc.as_fleet().is_none() {
            for (sheets, name) in [(false, "Table"), (true, "Sheets")] {
                if ui.add(Button::selectable(page.shows_sheets == sheets, say(name))).clicked() {
                    out.push(command(CompareCommand::ShowSheets(sheets)));
                }
            }
        }
    });
    for (n, wrong) in page.columns.iter().enumerate().filter_map(|(n, column)| Some((n, column.as_ref().err()?))) {
        ui.horizontal_wrapped(|ui| {
            error_text(ui, format!("! {wrong}"));
            if n > 0 && ui.button(say("Remove")).clicked() {
                out.push(command(CompareCommand::Remove(n - 1)));
            }
        });
    }
    let ready: Vec<(usize, &ComparedDoc)> =
        page.columns.iter().enumerate().filter_map(|(n, column)| Some((n, column.as_ref().ok()?))).collect();
    if page.columns.first().is_none_or(Result::is_err) {
        return;
    }
    if ready.len() < 2 {
        return choice(ui, state, doc, page, out);
    }
    ui.add_space(6.0);
    let is_sheets = page.shows_sheets && doc.as_fleet().is_none();
    let label = if is_sheets { 0.0 } else { LABEL_WIDTH };
    let share = (ui.available_width() - label - 20.0) / ready.len() as f32;
    let column = share.clamp(MIN_COLUMN, if is_sheets { f32::MAX } else { MAX_COLUMN });
    let salt = ("compared side by side", doc.id.0, is_sheets);
    ScrollArea::horizontal().id_salt(salt).auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        header(ui, label, column, &ready, out);
        if is_sheets {
            return sheets(ui, state, doc, column, &ready, out);
        }
        ScrollArea::vertical().id_salt(salt).auto_shrink(false).show(ui, |ui| {
            table(ui, page, column, &ready, out);
        });
    });
}

fn command(command: CompareCommand) -> Command {
    Command::Compare(command)
}

// --- what to compare with ---

/// What could be another column, with what is said of it, where both have every word of the search: the saved version if it differs, open
/// documents, the library.
fn targets(state: &EditorState, doc: &Doc, page: &ComparePage) -> Vec<(CompareTarget, String, String)> {
    let points = |points: Option<i64>| points.map(|points| amount_with_unit(&points.to_string(), "points"));
    let join = |parts: [Option<String>; 2]| {
        parts.into_iter().flatten().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" · ")
    };
    let mut all = Vec::new();
    if doc.saved.is_some() && doc.is_changed() {
        all.push((CompareTarget::Saved, "the saved version".to_owned(), "what has changed since".to_owned()));
    }
    all.extend(state.docs.iter().filter(|other| is_comparable(doc, other)).map(|other| {
        let own = other.evaluation().and_then(|ship| ship.points);
        let own = own.or_else(|| other.as_fleet().and_then(|fleet| fleet.evaluated.points));
        (CompareTarget::Doc(other.id), other.name(), join([Some("open".to_owned()), points(own)]))
    }));
    all.extend(library(state, doc).map(|entry| {
        let note = join([points(entry.points()), Some(entry.summary_line())]);
        (CompareTarget::File(entry.file.clone()), entry.name.to_string(), note)
    }));
    let wanted = fold_for_search(&page.search);
    all.retain(|(_, title, note)| {
        let text = fold_for_search(&format!("{title} {note}"));
        wanted.split_whitespace().all(|word| text.contains(word))
    });
    all.truncate(MAX_LISTED);
    all
}

/// Gives whether Enter takes the first. In the frame where it comes up, it gets the keyboard.
fn search_box(ui: &mut Ui, page: &ComparePage, width: f32, key: egui::Id, out: &mut Vec<Command>) -> bool {
    let now = ui.ctx().cumulative_pass_nr();
    let last = || ui.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default::<u64>(key), now));
    let comes_up = !ui.is_sizing_pass() && last() + 2 < now;
    let mut search = page.search.clone();
    let field = TextEdit::singleline(&mut search).hint_text(say("search name, class, nation…")).char_limit(200);
    let field = with_accessible_name(ui.add(field.desired_width(width)), "Search what to compare with");
    let is_taken = is_left_by_enter(ui, &field);
    if comes_up {
        field.request_focus();
    }
    out.extend(field.changed().then(|| command(CompareCommand::Search(search))));
    is_taken
}

fn add_picker(ui: &mut Ui, state: &EditorState, doc: &Doc, page: &ComparePage, out: &mut Vec<Command>) {
    let combo = ComboBox::from_id_salt("add to the comparison").selected_text(say("Add…")).width(120.0).height(420.0);
    let combo = combo.close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let shown = combo.show_ui(ui, |ui| {
        ui.set_min_width(300.0);
        let mut takes_first = search_box(ui, page, f32::INFINITY, egui::Id::unique("search of what to add"), out);
        ScrollArea::vertical().id_salt("targets").max_height(340.0).show(ui, |ui| {
            for (target, title, note) in targets(state, doc, page) {
                let is_in = page.others.contains(&target);
                let button = Button::selectable(is_in, &title).shortcut_text(say(note)).min_size(vec2(0.0, 24.0));
                let button = with_accessible_name(ui.add_enabled(!is_in, button), &title);
                if button.clicked() || !is_in && std::mem::take(&mut takes_first) {
                    out.push(command(CompareCommand::Add(target)));
                    ui.close();
                }
            }
        });
    });
    with_accessible_name(shown.response, "Add to the comparison");
}

/// Without another column: what could be one.
fn choice(ui: &mut Ui, state: &EditorState, doc: &Doc, page: &ComparePage, out: &mut Vec<Command>) {
    ui.add_space(12.0);
    muted_label(ui, "Choose one to three others to compare with:");
    ui.add_space(4.0);
    let key = egui::Id::unique(("others to compare with were shown", doc.id.0));
    let mut takes_first = search_box(ui, page, CHOICE_WIDTH, key, out);
    let found = targets(state, doc, page);
    if found.is_empty() {
        muted_label(ui, if state.library.is_scanned { "Nothing matches." } else { "Reading your designs…" });
    }
    let salt = ("others to compare with", doc.id.0);
    ScrollArea::vertical().id_salt(salt).auto_shrink(false).show(ui, |ui| {
        for (target, title, note) in found {
            let (_, rect) = ui.allocate_space(vec2(ui.available_width().min(CHOICE_WIDTH), TWO_LINES));
            let id = egui::Id::unique(("compare with", &target));
            let response = tile(ui, rect, id, &format!("Compare with {title}"), false);
            let (ink, muted) = (ui.visuals().text_color(), palette(ui).muted);
            paint_two_lines(ui, rect, (&title, ink), (&note, muted));
            if response.clicked() || std::mem::take(&mut takes_first) {
                out.push(command(CompareCommand::Add(target)));
            }
        }
    });
}

/// Of the same game and kind.
fn is_comparable(doc: &Doc, other: &Doc) -> bool {
    other.id != doc.id
        && other.as_ruleset().is_none()
        && doc.as_fleet().is_some() == other.as_fleet().is_some()
        && game(doc).is_some_and(|game| self::game(other).is_some_and(|other| game == other))
}

/// The id of the ruleset that the rules extend in the end: house layers belong to the same game.
fn game(doc: &Doc) -> Option<&str> {
    let rules = doc.as_fleet().map_or_else(|| doc.evaluation().map(|ship| &ship.ruleset), |fleet| fleet.rules())?;
    Some(&rules.base.id)
}

/// Files of the same game and kind that are not open.
fn library<'a>(state: &'a EditorState, doc: &'a Doc) -> impl Iterator<Item = &'a CatalogueEntry> {
    let is_fleet = doc.as_fleet().is_some();
    let game = game(doc);
    let is_open =
        |entry: &CatalogueEntry| state.docs.iter().any(|open| crate::panels::library_entry::is_open(entry, open));
    state.library.catalogue.entries().map(|entry| &**entry).filter(move |entry| {
        let is_kind = match entry.summary {
            EntrySummary::Design(_) => !is_fleet,
            EntrySummary::Fleet(_) => is_fleet,
            EntrySummary::Unreadable(_) => false,
        };
        let rules = entry.rules.as_ref().and_then(|rules| rules.ruleset());
        is_kind && rules.is_some_and(|rules| Some(&*rules.base.id) == game) && !is_open(entry)
    })
}

// --- columns ---

fn rules_of(compared: &ComparedDoc) -> String {
    compared.rules().map(|rules| rules.rules_title()).unwrap_or_default()
}

/// By other rules, more or fewer points say nothing by themselves.
fn has_mixed_rules(ready: &[(usize, &ComparedDoc)]) -> bool {
    ready.windows(2).any(|pair| rules_of(pair[0].1) != rules_of(pair[1].1))
}

fn header(ui: &mut Ui, label: f32, column: f32, ready: &[(usize, &ComparedDoc)], out: &mut Vec<Command>) {
    let is_mixed = has_mixed_rules(ready);
    ui.horizontal(|ui| {
        ui.add_space(label);
        for (n, compared) in ready {
            sized_cell(ui, column, 50.0, |ui| {
                ui.vertical(|ui| {
                    ui.set_max_width(column - 10.0);
                    ui.horizontal(|ui| {
                        ui.spacing_mut().item_spacing.x = 6.0;
                        let name = RichText::new(&compared.name).family(bold()).size(TITLE);
                        let room = if *n == 0 { column - 16.0 } else { column - 50.0 };
                        sized_label(ui, name, room);
                        if *n > 0 && icon_button(ui, Icon::Close, &format!("Remove {}", compared.name)).clicked() {
                            out.push(command(CompareCommand::Remove(n - 1)));
                        }
                    });
                    let points = format!("{} points", number_or_unknown(compared.points()));
                    let colours = palette(ui);
                    let (text, colour) = if compared.is_legal() {
                        (points, colours.muted)
                    } else {
                        (format!("{points} · ! not legal"), colours.error)
                    };
                    let text = if is_mixed { format!("{} · {}", say(text), rules_of(compared)) } else { say(text) };
                    ui.add(Label::new(RichText::new(&text).color(colour)).truncate()).on_hover_text(&text);
                });
            });
        }
    });
    ui.separator();
}

fn sized_label(ui: &mut Ui, text: RichText, width: f32) {
    ui.scope(|ui| {
        ui.set_max_width(width);
        ui.add(Label::new(text).truncate());
    });
}

fn table(ui: &mut Ui, page: &ComparePage, column: f32, ready: &[(usize, &ComparedDoc)], out: &mut Vec<Command>) {
    let count = page.table.differences();
    let is_same_text = || ready.windows(2).all(|pair| pair[0].1.document.text() == pair[1].1.document.text());
    let text = match count {
        0 if is_same_text() => "The files are identical.".to_owned(),
        0 => "No difference to the rules; the texts differ in comments, order or unused keys.".to_owned(),
        1 => "1 row differs.".to_owned(),
        count => format!("{count} rows differ."),
    };
    ui.label(RichText::new(say(text)).family(bold()));
    for section in &page.table.sections {
        table_part(ui, page, section, column, ready, out);
    }
    ui.add_space(40.0);
}

fn table_part(
    ui: &mut Ui,
    page: &ComparePage,
    section: &TableSection,
    column: f32,
    ready: &[(usize, &ComparedDoc)],
    out: &mut Vec<Command>,
) {
    // A row that was taken over stays: the next one does not slide under the pointer.
    let is_taken = |row: &TableRow| row.part.as_ref().is_some_and(|part| page.taken.contains(part));
    let is_shown = |row: &&TableRow| page.shows_all || row.differs || is_taken(row);
    let rows: Vec<&TableRow> = section.rows.iter().filter(is_shown).collect();
    if rows.is_empty() {
        return;
    }
    ui.add_space(10.0);
    heading(ui, &section.title.to_uppercase());
    ui.add_space(2.0);
    ui.spacing_mut().item_spacing.y = 2.0;
    for (n, row) in rows.into_iter().enumerate() {
        table_row(ui, row, n, column, ready, marked(section, row, ready), out);
    }
}

/// The column to mark: that with fewer points, or with more of what is shown large, but is no cost.
fn marked(section: &TableSection, row: &TableRow, ready: &[(usize, &ComparedDoc)]) -> Option<usize> {
    if section.title != "Key values" || has_mixed_rules(ready) {
        return None;
    }
    let is_paid = row.label == POINTS;
    if !is_paid {
        let ship = ready.first()?.1.ship()?;
        let value = ship.values.iter().find(|value| *value.label == *row.label && value.limit.is_none())?;
        let values = &ship.ruleset.values;
        // What others are made from, and is itself made from nothing, is what they cost.
        let is_it = |amount: &Amount| matches!(amount, Amount::Value(n) if *values[*n].id == *value.id);
        let is_made = values.iter().any(|known| known.id == value.id && !known.spare_of.is_empty());
        if !is_made && values.iter().flat_map(|value| &value.spare_of).any(is_it) {
            return None;
        }
    }
    let worth = |cell: &Option<ComparedCell>| {
        let by = cell.as_ref()?.difference?;
        Some(if is_paid { -by } else { by })
    };
    let all: Vec<i64> = row.cells.iter().map(worth).collect::<Option<_>>()?;
    let best = *all.iter().max()?;
    let mut at = (0..all.len()).filter(|n| all[*n] == best);
    at.next().filter(|_| at.next().is_none())
}

fn table_row(
    ui: &mut Ui,
    row: &TableRow,
    n: usize,
    column: f32,
    ready: &[(usize, &ComparedDoc)],
    marked: Option<usize>,
    out: &mut Vec<Command>,
) {
    let colours = palette(ui);
    let background = ui.painter().add(egui::Shape::Noop);
    let shown = ui.with_layout(Layout::left_to_right(Align::Min), |ui| {
        let ink = if row.differs { ui.visuals().text_color() } else { colours.muted };
        cell(ui, LABEL_WIDTH, |ui| {
            ui.add_space(TEXT_TOP);
            ui.set_max_width(LABEL_WIDTH - 12.0);
            ui.add(Label::new(RichText::new(say(&row.label)).color(ink)).wrap());
        });
        for (n, ((at, compared), value)) in ready.iter().zip(&row.cells).enumerate() {
            let is_marked = marked == Some(n);
            cell(ui, column, |ui| value_cell(ui, row, value.as_ref(), (*at, is_marked), compared, column, out));
        }
    });
    let rect = Rect::from_min_size(
        shown.response.rect.min,
        vec2(LABEL_WIDTH + column * ready.len() as f32, shown.response.rect.height()),
    );
    if n.is_multiple_of(2) {
        ui.painter().set(background, egui::Shape::rect_filled(rect, 2, colours.line.gamma_multiply(0.3)));
    }
}

fn cell(ui: &mut Ui, width: f32, add: impl FnOnce(&mut Ui)) {
    ui.allocate_ui_with_layout(vec2(width, ROW_HEIGHT), Layout::top_down(Align::Min), |ui| {
        ui.set_width(width);
        ui.set_min_height(ROW_HEIGHT);
        add(ui);
    });
}

fn value_cell(
    ui: &mut Ui,
    row: &TableRow,
    value: Option<&ComparedCell>,
    (at, is_marked): (usize, bool),
    compared: &ComparedDoc,
    column: f32,
    out: &mut Vec<Command>,
) {
    let colours = palette(ui);
    let is_other = match value {
        _ if at == 0 => false,
        Some(value) => !value.is_same,
        None => row.cells.first().is_some_and(Option::is_some),
    };
    let takes = row.part.as_ref().filter(|_| is_other);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let room = column - 16.0 - if takes.is_some() { 52.0 } else { 0.0 };
        let text = value.map_or("–", |value| &*value.text);
        let difference = value.and_then(|value| value.difference).filter(|by| *by != 0 && is_other);
        let more = difference.map(|by| format!("  ({})", format_signed(by))).unwrap_or_default();
        // A word too, for those who do not see the colour.
        // Whether more is better the rules do not say.
        let mark = match (is_marked, row.label == POINTS) {
            (true, true) => " · better",
            (true, false) => " · more",
            (false, _) => "",
        };
        let words = format!("{text}{more}{mark}");
        let words = match (is_marked, row.differs) {
            (true, _) => RichText::new(say(words)).family(bold()).color(colours.good),
            (false, true) => RichText::new(say(words)),
            (false, false) => RichText::new(say(words)).color(colours.muted),
        };
        ui.allocate_ui_with_layout(vec2(room, 20.0), Layout::top_down(Align::Min), |ui| {
            ui.set_width(room);
            ui.add_space(TEXT_TOP);
            ui.add(Label::new(words).wrap());
        });
        if let Some(part) = takes {
            let name = format!("Take {} over from {}", row.label, compared.name);
            let button = with_accessible_name(ui.add(small_button(say("Take"))), &name).on_hover_text(say(&name));
            out.extend(button.clicked().then(|| command(CompareCommand::Take { column: at, part: part.clone() })));
        }
    });
}

// --- sheets ---

fn sheets(
    ui: &mut Ui,
    state: &EditorState,
    doc: &Doc,
    column: f32,
    ready: &[(usize, &ComparedDoc)],
    out: &mut Vec<Command>,
) {
    let page = state.compare_pages.open_page(doc.id);
    let Some(pages) = page.and_then(|page| page.sheets.as_ref()) else {
        muted_label(ui, "Drawing…");
        return;
    };
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        sheet_pictures::zoom_buttons(ui, state.pictures_percent, out);
        muted_label(
            ui,
            match ready.len() {
                2 => "Tinted: where the other sheet differs.",
                _ => "Tinted: where the first sheet differs; on the first one, where the second does.",
            },
        );
    });
    let columns: Vec<PictureColumn<'_>> = ready
        .iter()
        .zip(pages)
        .map(|((_, compared), pages)| PictureColumn { title: "", pages, name: format!("sheet of {}", compared.name) })
        .collect();
    sheet_pictures::show(ui, Id::unique(("compared sheets", doc.id.0)), state.pictures_percent, column, &columns, out);
}
