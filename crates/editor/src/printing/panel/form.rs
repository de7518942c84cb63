//! The settings of the print room: what is printed, of which ships and fleets, in which format, on which paper.

use std::collections::BTreeSet;

use egui::{Checkbox, DragValue, Grid, ScrollArea, Ui};

use crate::language::{language_name, say};
use crate::library_browser::model::LibraryCommand;
use crate::panels::dialog_parts::{form_row, labelled_number};
use crate::printing::page_setup_panel;
use crate::printing::{DPI_RANGE, PrintCommand, PrintDialog, PrintSettings, PrintSource};
use crate::widgets::{heading, muted_label, named_button};
use crate::{Command, EditorState};
use moldloft_export::export::{FORMATS, TextMode};
use moldloft_library::library::{CatalogueEntry, EntrySummary};
use moldloft_library::print::{CHIT_SIZES, MAX_COPIES, MAX_OFFSET, PackPart, PrintKind, Printers};
use moldloft_sheet::sheet::{Backs, DuplexEdge};

/// More are found by opening them.
const MAX_LISTED_FLEETS: usize = 200;

pub fn show(ui: &mut Ui, state: &EditorState, dialog: &PrintDialog, new: &mut PrintDialog, out: &mut Vec<Command>) {
    if state.shows_fleet() && state.library.needs_scan() {
        // Its fleets can be added.
        out.push(Command::Library(LibraryCommand::Scan));
    }
    ui.add_space(6.0);
    Grid::new("print").num_columns(2).spacing([14.0, 8.0]).show(ui, |ui| {
        let is_fleet = state.shows_fleet();
        if is_fleet {
            fleet_inputs(ui, state, new);
        } else {
            subject_inputs(ui, state, new);
        }
        if !dialog.languages.is_empty() {
            form_row(ui, "Language", |ui| {
                ui.radio_value(&mut new.options.language, None, "English");
                for code in &*dialog.languages {
                    ui.radio_value(&mut new.options.language, Some(code.clone()), language_name(code));
                }
            });
        }
        output_inputs(ui, &mut new.options, &dialog.printers, is_fleet, out);
        let has_chits = matches!(new.options.what, PrintKind::Counters | PrintKind::SheetsAndCounters);
        let of_pack = new.options.parts.is_empty() || new.options.parts.contains(&PackPart::Chits);
        if if is_fleet { of_pack } else { has_chits } {
            chit_inputs(ui, &mut new.options, is_fleet);
        }
    });
}

fn subject_inputs(ui: &mut Ui, state: &EditorState, dialog: &mut PrintDialog) {
    ui.label(say("What"));
    let ships = [
        (PrintKind::Sheets, "Control sheets"),
        (PrintKind::SheetsAndCounters, "Control sheets and chits"),
        (PrintKind::Counters, "Chits"),
    ];
    let games = [(PrintKind::Reference, "Reference sheet"), (PrintKind::Blank, "Blank sheets")];
    ui.vertical(|ui| {
        for row in [&ships[..], &games[..]] {
            ui.horizontal_wrapped(|ui| {
                for (what, name) in row {
                    ui.radio_value(&mut dialog.options.what, *what, say(*name));
                }
            });
        }
    });
    ui.end_row();
    let designs = state.docs.iter().filter(|doc| doc.as_design().is_some()).count();
    if dialog.options.what.sheet_kind().is_some() {
        ui.label(say("Of"));
        let game = state.current_doc().and_then(|doc| doc.shown_ship()).map(|ship| ship.ruleset.title.to_string());
        ui.label(say(game.unwrap_or_else(|| "no usable ruleset in this design".into())));
        ui.end_row();
    } else if designs > 1 {
        form_row(ui, "Of", |ui| {
            let here = state.current_doc().map(|doc| doc.name()).unwrap_or_default();
            ui.radio_value(&mut dialog.all_open, false, here);
            ui.radio_value(&mut dialog.all_open, true, say(format!("all {designs} open designs")));
        });
    }
}

fn fleet_inputs(ui: &mut Ui, state: &EditorState, dialog: &mut PrintDialog) {
    let others = state
        .docs
        .iter()
        .filter(|doc| doc.as_fleet().is_some() && Some(doc.id) != state.current_doc().map(|doc| doc.id));
    let others: Vec<_> = others.collect();
    let listed = library_fleets(state);
    ui.label(say("Fleets"));
    ui.vertical(|ui| {
        let mut on = true;
        let here = state.current_doc().map(|doc| doc.name()).unwrap_or_default();
        ui.add_enabled(false, Checkbox::new(&mut on, here));
        for doc in &others {
            let source = PrintSource::Open(doc.id);
            let mut on = dialog.all_open || dialog.more.contains(&source);
            if ui.checkbox(&mut on, doc.name()).changed() {
                if std::mem::take(&mut dialog.all_open) {
                    dialog.more.extend(others.iter().map(|doc| PrintSource::Open(doc.id)));
                }
                set_member(&mut dialog.more, source, on);
            }
        }
        library_fleet_inputs(ui, state, &listed, dialog);
    });
    ui.end_row();
    let open = if dialog.all_open { others.len() } else { 0 };
    let fleets = 1 + open + dialog.more.len();
    form_row(ui, "Parts", |ui| {
        let usual = PackPart::usual(fleets);
        let mut parts = if dialog.options.parts.is_empty() { usual.clone() } else { dialog.options.parts.clone() };
        for (part, name) in PackPart::ALL {
            let mut on = parts.contains(&part);
            // A pack needs at least one part.
            let is_last = on && parts.len() == 1;
            if ui.add_enabled(!is_last, Checkbox::new(&mut on, say(name))).changed() {
                if on {
                    parts.insert(part)
                } else {
                    parts.remove(&part)
                };
            }
        }
        dialog.options.parts = if parts == usual { BTreeSet::new() } else { parts };
    });
    ui.label(say("Sides"));
    ui.checkbox(&mut dialog.options.single_sided, say("single-sided"));
    ui.end_row();
}

fn set_member(set: &mut BTreeSet<PrintSource>, source: PrintSource, is_in: bool) {
    if is_in {
        set.insert(source);
    } else {
        set.remove(&source);
    }
}

/// Fleets of the library that are not open, those of the same game first.
fn library_fleets(state: &EditorState) -> Vec<&CatalogueEntry> {
    let is_open =
        |entry: &CatalogueEntry| state.docs.iter().any(|doc| crate::panels::library_entry::is_open(entry, doc));
    let fleets = state.library.catalogue.entries().map(|entry| &**entry);
    let fleets = fleets.filter(|entry| matches!(entry.summary, EntrySummary::Fleet(_)) && !is_open(entry));
    let mut fleets: Vec<&CatalogueEntry> = fleets.take(MAX_LISTED_FLEETS).collect();
    let game = state.current_doc().and_then(|doc| doc.ruleset_id());
    fleets.sort_by_key(|entry| (Some(&entry.ruleset) != game, entry.built_in()));
    fleets.dedup_by(|one, other| one.file == other.file);
    fleets
}

fn library_fleet_inputs(ui: &mut Ui, state: &EditorState, listed: &[&CatalogueEntry], dialog: &mut PrintDialog) {
    if listed.is_empty() {
        return;
    }
    let chosen = listed.iter().filter(|entry| dialog.more.contains(&PrintSource::File(entry.file.clone()))).count();
    let title = match chosen {
        0 => "more from the library".to_owned(),
        count => format!("more from the library: {count} chosen"),
    };
    egui::CollapsingHeader::new(say(title)).id_salt("more fleets").show(ui, |ui| {
        let mut game = None;
        ScrollArea::vertical().id_salt("more fleets").max_height(180.0).min_scrolled_height(180.0).show(ui, |ui| {
            for entry in listed {
                if game != Some(&entry.ruleset) {
                    game = Some(&entry.ruleset);
                    let title = state.rulesets.find(&entry.ruleset).ruleset().map(|rules| rules.title.to_string());
                    heading(ui, &title.unwrap_or_else(|| entry.ruleset.to_string()).to_uppercase());
                }
                let source = PrintSource::File(entry.file.clone());
                let mut on = dialog.more.contains(&source);
                let place = if entry.built_in() { " (built-in)" } else { "" };
                let points = entry.points().map(|points| format!(", {points}")).unwrap_or_default();
                if ui.checkbox(&mut on, say(format!("{}{place}{points}", entry.name))).changed() {
                    set_member(&mut dialog.more, source, on);
                }
            }
        });
    });
}

fn output_inputs(
    ui: &mut Ui,
    options: &mut PrintSettings,
    printers: &Printers,
    is_fleet: bool,
    out: &mut Vec<Command>,
) {
    ui.label(say("Format"));
    ui.horizontal(|ui| {
        for format in FORMATS {
            ui.radio_value(&mut options.format, format.extension.to_owned(), say(format.name));
        }
    });
    ui.end_row();
    match &*options.format {
        "png" => {
            let label = ui.label(say("Dots per inch"));
            ui.horizontal(|ui| {
                ui.add(DragValue::new(&mut options.dpi).range(DPI_RANGE.0..=DPI_RANGE.1)).labelled_by(label.id);
                ui.checkbox(&mut options.transparent, say("Transparent background"));
            });
            ui.end_row();
        }
        "svg" => {
            ui.label(say("Text"));
            ui.horizontal_wrapped(|ui| {
                ui.radio_value(&mut options.lettering, TextMode::Outlined, say("as outlines, the same everywhere"));
                ui.radio_value(&mut options.lettering, TextMode::Embedded, say("as text, with its font"));
            });
            ui.end_row();
            ui.label(say("Background"));
            ui.checkbox(&mut options.transparent, say("Transparent background"));
            ui.end_row();
        }
        "pdf" => {
            ui.label(say("Form"));
            ui.checkbox(&mut options.form, say("fillable on the screen"));
            ui.end_row();
        }
        _ => {}
    }
    page_setup_panel::show(ui, &mut options.page_setup);
    ui.label(say("Printer"));
    ui.horizontal_wrapped(|ui| {
        if printers.printers.is_empty() {
            muted_label(ui, "none calibrated");
        } else {
            page_setup_panel::printer_input(ui, options, printers);
        }
        if named_button(ui, "Calibrate…", "Calibrate a printer") {
            out.push(Command::Print(PrintCommand::OpenCalibration));
        }
    });
    ui.end_row();
    form_row(ui, "Print", |ui| {
        ui.checkbox(&mut options.grey, say("Greyscale"));
        let has_sheets = is_fleet || options.what != PrintKind::Counters;
        ui.add_enabled(has_sheets, Checkbox::new(&mut options.large_print, say("Large print")));
        ui.add_enabled(has_sheets, Checkbox::new(&mut options.qr, say("QR code of the design")));
        let has_ships = is_fleet || options.what.sheet_kind().is_none();
        ui.add_enabled(has_ships && has_sheets, Checkbox::new(&mut options.loads, say("Load sheets")))
            .on_hover_text(say("A place for the chit in each launcher and magazine, where the game has such sheets"));
        ui.add_enabled(has_ships, Checkbox::new(&mut options.rulers, say("Rulers and collars")))
            .on_hover_text(say("Each class's reaches and arcs at true size, to cut out"));
    });
    if is_fleet || options.what.sheet_kind().is_none() {
        let label = ui.label(say("Copies"));
        ui.add(DragValue::new(&mut options.copies).range(1..=MAX_COPIES)).labelled_by(label.id);
        ui.end_row();
    }
}

fn chit_inputs(ui: &mut Ui, options: &mut PrintSettings, is_fleet: bool) {
    form_row(ui, "Backs", |ui| {
        ui.radio_value(&mut options.backs, Backs::Duplex, say("on the other side"));
        ui.radio_value(&mut options.backs, Backs::Fold, say("next to the front, to fold"));
        ui.radio_value(&mut options.backs, Backs::None, say("none"));
    });
    if options.backs == Backs::Duplex {
        form_row(ui, "Flip", |ui| {
            for (turn, name) in [(DuplexEdge::Long, "on the long edge"), (DuplexEdge::Short, "on the short edge")] {
                ui.radio_value(&mut options.page_setup.turn, turn, say(name));
            }
        });
        ui.label(say("Back side"));
        ui.horizontal(|ui| {
            for (mm, name) in
                [(&mut options.page_setup.offset.0, "mm to the right"), (&mut options.page_setup.offset.1, "mm down")]
            {
                labelled_number(
                    ui,
                    DragValue::new(mm).range(-MAX_OFFSET..=MAX_OFFSET).speed(0.1).max_decimals(1),
                    name,
                );
            }
        });
        ui.end_row();
    }
    if is_fleet {
        return;
    }
    ui.label(say("Size"));
    ui.horizontal(|ui| {
        let mut own = options.chit.is_some();
        if ui.checkbox(&mut own, say("custom chit size")).changed() {
            options.chit = own.then_some(20);
        }
        if let Some(side) = &mut options.chit {
            labelled_number(ui, DragValue::new(side).range(CHIT_SIZES.0..=CHIT_SIZES.1), "mm per side");
        }
    });
    ui.end_row();
}
