//! The print dialog: what, how, where to; how far it is; how it went.

use std::collections::BTreeSet;

use egui::{Checkbox, DragValue, Grid, ProgressBar, ScrollArea, TextEdit, Ui};

use crate::editor::desk::{Pick, PickKind, Picked};
use crate::editor::printing::{Ask, DPI, Made, Options, Print, Stage, Told};
use crate::editor::theme::palette;
use crate::editor::widgets::{primary, quiet};
use crate::editor::{Command, State};
use crate::export::{FORMATS, Lettering};
use crate::finding::{Finding, Severity};
use crate::press::{CHIT_SIZES, MOST_COPIES, MOST_OFFSET, Part, Printers, What};
use crate::progress::Progress;
use crate::sheet::{Backs, Turn};

/// Seconds between two looks at how far the work is.
const LOOK: f32 = 0.1;

/// Shows it.
pub fn show(ui: &mut Ui, state: &State, ask: &Ask, out: &mut Vec<Command>) {
    let is_fleet = state.doc().is_some_and(|doc| doc.fleet().is_some());
    let title = if ask.options.what == What::Counters { "Print chits" } else { "Print" };
    ui.heading(if is_fleet { "Print the pack" } else { title });
    match &ask.stage {
        Stage::Asking => questions(ui, state, ask, out),
        Stage::Working(progress) => working(ui, progress, out),
        Stage::Exists(made) => exists(ui, made, out),
        Stage::Told(told) => told_of(ui, told, out),
    }
}

fn questions(ui: &mut Ui, state: &State, ask: &Ask, out: &mut Vec<Command>) {
    let mut new = ask.clone();
    // The buttons below stay in sight at any size of the window.
    let room = (ui.ctx().content_rect().height() - 190.0).max(120.0);
    ScrollArea::vertical().max_height(room).show(ui, |ui| {
        Grid::new("print").num_columns(2).spacing([16.0, 8.0]).show(ui, |ui| {
            let is_fleet = state.doc().is_some_and(|doc| doc.fleet().is_some());
            if is_fleet {
                of_fleets(ui, state, &mut new);
            } else {
                of_what(ui, state, &mut new);
            }
            how(ui, &mut new.options, &ask.printers, is_fleet);
            let has_chits = matches!(new.options.what, What::Counters | What::SheetsAndCounters);
            let of_pack = new.options.parts.is_empty() || new.options.parts.contains(&Part::Chits);
            if if is_fleet { of_pack } else { has_chits } {
                chits(ui, &mut new.options, is_fleet);
            }
        });
        ui.add_space(6.0);
        let label = ui.label("File");
        ui.horizontal(|ui| {
            let width = (ui.available_width() - 100.0).max(120.0);
            ui.add(TextEdit::singleline(&mut new.path).desired_width(width)).labelled_by(label.id);
            if ui.button("Browse…").clicked() {
                out.push(Command::Pick(pick(ask)));
            }
        });
        ui.checkbox(&mut new.options.view, "Open when done");
    });
    if let Some(doc) = state.doc().filter(|doc| doc.is_legal() == Some(false)) {
        quiet(ui, format!("This {} breaks the rules; the printout says so.", doc.kind()));
    }
    if new != *ask {
        out.push(Command::Print(Print::Change(Box::new(new))));
    }
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        let print = primary(ui, "Print");
        if ui.memory(|memory| memory.focused().is_none()) {
            print.request_focus();
        }
        if print.clicked() {
            out.push(Command::Print(Print::Start));
        }
        if ui.button("Cancel").clicked() {
            out.push(Command::Dismiss);
        }
    });
}

fn of_what(ui: &mut Ui, state: &State, ask: &mut Ask) {
    ui.label("What");
    let ships = [
        (What::Sheets, "Control sheets"),
        (What::SheetsAndCounters, "Control sheets and chits"),
        (What::Counters, "Chits"),
    ];
    let games = [(What::Reference, "Reference sheet"), (What::Blank, "Blank sheets")];
    ui.vertical(|ui| {
        for row in [&ships[..], &games[..]] {
            ui.horizontal(|ui| {
                for (what, name) in row {
                    ui.radio_value(&mut ask.options.what, *what, *name);
                }
            });
        }
    });
    ui.end_row();
    let designs = state.docs.iter().filter(|doc| doc.fleet().is_none()).count();
    if ask.options.what.kind().is_some() {
        ui.label("Of");
        let game = state.doc().and_then(|doc| doc.ship()).map(|ship| ship.ruleset.title.to_string());
        ui.label(game.unwrap_or_else(|| "no usable ruleset in this design".into()));
        ui.end_row();
    } else if designs > 1 {
        ui.label("Of");
        ui.horizontal_wrapped(|ui| {
            let here = state.doc().map(|doc| doc.name()).unwrap_or_default();
            ui.radio_value(&mut ask.all, false, here);
            ui.radio_value(&mut ask.all, true, format!("all {designs} open designs"));
        });
        ui.end_row();
    }
}

/// Of which fleets, and which parts of their packs.
fn of_fleets(ui: &mut Ui, state: &State, ask: &mut Ask) {
    let open = state.docs.iter().filter(|doc| doc.fleet().is_some()).count();
    if open > 1 {
        ui.label("Of");
        ui.horizontal_wrapped(|ui| {
            let here = state.doc().map(|doc| doc.name()).unwrap_or_default();
            ui.radio_value(&mut ask.all, false, here);
            ui.radio_value(&mut ask.all, true, format!("all {open} open fleets, as a battle pack"));
        });
        ui.end_row();
    }
    ui.label("Parts");
    ui.horizontal_wrapped(|ui| {
        let all: BTreeSet<Part> = Part::ALL.iter().map(|(part, _)| *part).collect();
        let mut parts = if ask.options.parts.is_empty() { all.clone() } else { ask.options.parts.clone() };
        for (part, name) in Part::ALL {
            let mut on = parts.contains(&part);
            // The last one stays: a pack of nothing is none.
            let is_last = on && parts.len() == 1;
            if ui.add_enabled(!is_last, Checkbox::new(&mut on, name)).changed() {
                if on {
                    parts.insert(part)
                } else {
                    parts.remove(&part)
                };
            }
        }
        ask.options.parts = if parts == all { BTreeSet::new() } else { parts };
    });
    ui.end_row();
    ui.label("Sides");
    ui.checkbox(&mut ask.options.single_sided, "single-sided");
    ui.end_row();
}

fn how(ui: &mut Ui, options: &mut Options, printers: &Printers, is_fleet: bool) {
    ui.label("Format");
    ui.horizontal(|ui| {
        for format in FORMATS {
            ui.radio_value(&mut options.format, format.extension.to_owned(), format.name);
        }
    });
    ui.end_row();
    match &*options.format {
        "png" => {
            let label = ui.label("Dots per inch");
            ui.horizontal(|ui| {
                ui.add(DragValue::new(&mut options.dpi).range(DPI.0..=DPI.1)).labelled_by(label.id);
                ui.checkbox(&mut options.transparent, "Transparent background");
            });
            ui.end_row();
        }
        "svg" => {
            ui.label("Text");
            ui.horizontal(|ui| {
                ui.radio_value(&mut options.lettering, Lettering::Outlined, "as outlines, the same everywhere");
                ui.radio_value(&mut options.lettering, Lettering::Embedded, "as text, with its font");
            });
            ui.end_row();
            ui.label("Background");
            ui.checkbox(&mut options.transparent, "Transparent background");
            ui.end_row();
        }
        "pdf" => {
            ui.label("Form");
            ui.checkbox(&mut options.form, "fillable on the screen");
            ui.end_row();
        }
        _ => {}
    }
    super::bed::show(ui, &mut options.bed);
    super::bed::printer(ui, options, printers);
    ui.label("Print");
    ui.horizontal_wrapped(|ui| {
        ui.checkbox(&mut options.grey, "Greyscale");
        ui.add_enabled_ui(is_fleet || options.what != What::Counters, |ui| {
            ui.checkbox(&mut options.large_print, "Large print")
        });
    });
    ui.end_row();
    if is_fleet || options.what.kind().is_none() {
        let label = ui.label("Copies");
        ui.add(DragValue::new(&mut options.copies).range(1..=MOST_COPIES)).labelled_by(label.id);
        ui.end_row();
    }
}

fn chits(ui: &mut Ui, options: &mut Options, is_fleet: bool) {
    ui.label("Backs");
    ui.horizontal_wrapped(|ui| {
        ui.radio_value(&mut options.backs, Backs::Duplex, "on the other side");
        ui.radio_value(&mut options.backs, Backs::Fold, "next to the front, to fold");
        ui.radio_value(&mut options.backs, Backs::None, "none");
    });
    ui.end_row();
    if options.backs == Backs::Duplex {
        ui.label("Flip");
        ui.horizontal_wrapped(|ui| {
            for (turn, name) in [(Turn::Long, "on the long edge"), (Turn::Short, "on the short edge")] {
                ui.radio_value(&mut options.bed.turn, turn, name);
            }
        });
        ui.end_row();
        ui.label("Back side");
        ui.horizontal(|ui| {
            for (mm, name) in [(&mut options.bed.offset.0, "mm to the right"), (&mut options.bed.offset.1, "mm down")] {
                let value = DragValue::new(mm).range(-MOST_OFFSET..=MOST_OFFSET).speed(0.1).max_decimals(1);
                let value = ui.add(value);
                let label = ui.label(name);
                value.labelled_by(label.id);
            }
        });
        ui.end_row();
    }
    if is_fleet {
        return;
    }
    ui.label("Size");
    ui.horizontal(|ui| {
        let mut own = options.chit.is_some();
        if ui.checkbox(&mut own, "custom chit size").changed() {
            options.chit = own.then_some(20);
        }
        if let Some(side) = &mut options.chit {
            let value = ui.add(DragValue::new(side).range(CHIT_SIZES.0..=CHIT_SIZES.1));
            let label = ui.label("mm per side");
            value.labelled_by(label.id);
        }
    });
    ui.end_row();
}

fn pick(ask: &Ask) -> Pick {
    let at = std::path::Path::new(ask.path.trim());
    let format = ask.options.format();
    Pick {
        title: "Print to a file".into(),
        kind: PickKind::Save,
        folder: at.parent().map(Into::into),
        name: at.file_name().map(|name| name.to_string_lossy().into_owned()),
        endings: vec![(format.name.into(), vec![format.extension.into()])],
        then: Picked::IntoDialog,
    }
}

fn working(ui: &mut Ui, progress: &Progress, out: &mut Vec<Command>) {
    let (done, of) = progress.so_far();
    let share = if of == 0 { 0.0 } else { done as f32 / of as f32 };
    let words = match progress.counts() {
        "" => "Reading the designs".to_owned(),
        step => format!("{step} {} of {of}", (done + 1).min(of.max(1))),
    };
    ui.label(&words);
    ui.add(ProgressBar::new(share).desired_width(ui.available_width()));
    ui.ctx().request_repaint_after_secs(LOOK);
    let cancel = ui.button("Cancel");
    if ui.memory(|memory| memory.focused().is_none()) {
        cancel.request_focus();
    }
    if cancel.clicked() {
        out.push(Command::Print(Print::Back));
    }
}

fn exists(ui: &mut Ui, made: &Made, out: &mut Vec<Command>) {
    match made.there.as_slice() {
        [one] => ui.label(format!("{} already exists.", one.display())),
        several => {
            ui.label(format!("{} of these files already exist:", several.len()));
            ScrollArea::vertical().max_height(160.0).show(ui, |ui| {
                for path in several {
                    ui.label(path.display().to_string());
                }
            });
            ui.label("Nothing has been written yet.")
        }
    };
    for finding in &made.filled {
        ui.label(format!("Warning: {}", finding.message));
    }
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        if primary(ui, "Replace").clicked() {
            out.push(Command::Print(Print::Replace));
        }
        let back = ui.button("Choose another name");
        // Enter alone replaces nothing.
        if ui.memory(|memory| memory.focused().is_none()) {
            back.request_focus();
        }
        if back.clicked() {
            out.push(Command::Print(Print::Back));
        }
        if ui.button("Cancel").clicked() {
            out.push(Command::Dismiss);
        }
    });
}

fn told_of(ui: &mut Ui, told: &Told, out: &mut Vec<Command>) {
    ui.label(&told.words);
    if told.written {
        quiet(ui, "Findings while printing:");
    }
    let room = (ui.ctx().content_rect().height() - 220.0).max(100.0);
    ScrollArea::vertical().max_height(room).show(ui, |ui| told.findings.iter().for_each(|found| finding(ui, found)));
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        let close = primary(ui, "Close");
        if ui.memory(|memory| memory.focused().is_none()) {
            close.request_focus();
        }
        if close.clicked() {
            out.push(Command::Dismiss);
        }
        if !told.written && ui.button("Back").clicked() {
            out.push(Command::Print(Print::Back));
        }
    });
}

fn finding(ui: &mut Ui, finding: &Finding) {
    let colour = match finding.severity {
        Severity::Error => palette(ui).error,
        Severity::Warning => palette(ui).warning,
        Severity::Info => palette(ui).quiet,
    };
    let place = finding.at.file.as_ref().map(|file| format!("{file}: ")).unwrap_or_default();
    ui.colored_label(colour, format!("{}: {place}{}", finding.severity.word(), finding.message));
    if let Some(help) = &finding.help {
        quiet(ui, format!("→ {help}"));
    }
}
