//! The dialog that fixes all findings: a list of fixes to include, and their total effect.

use egui::{Checkbox, Label, RichText, ScrollArea, Ui};

use crate::Command;
use crate::fix_all::model::{FixAllCommand, FixAllDialog};
use crate::language::say;
use crate::panels::dialog_parts::{dialog_foot, focus_first};
use crate::theme::bold;
use crate::widgets::{muted_text, with_accessible_name, with_curly_quotes};

pub fn show(ui: &mut Ui, dialog: &FixAllDialog, out: &mut Vec<Command>) {
    ui.heading(say("Fix all"));
    let room = (ui.ctx().content_rect().height() - 240.0).clamp(80.0, 420.0);
    ScrollArea::vertical().id_salt("fixes").max_height(room).auto_shrink([false, true]).show(ui, |ui| {
        for line in &dialog.lines {
            let change = if line.change.is_empty() { String::new() } else { format!(" ({})", say(&line.change)) };
            let text = format!("{}{change}", with_curly_quotes(&say(&line.description)));
            let mut on = line.enabled;
            ui.horizontal_top(|ui| {
                let tick = with_accessible_name(ui.add(Checkbox::without_text(&mut on)), &format!("include: {text}"));
                out.extend(tick.changed().then(|| Command::FixAll(FixAllCommand::Toggle(line.description.clone()))));
                ui.add(Label::new(&text).wrap());
            });
        }
    });
    let count = dialog.lines.iter().filter(|line| line.enabled).count();
    let change = if dialog.change.is_empty() { "no change in points".to_owned() } else { dialog.change.clone() };
    let left = match dialog.remaining {
        0 => "no errors or warnings left".to_owned(),
        1 => "1 error or warning left".to_owned(),
        left => format!("{left} errors and warnings left"),
    };
    ui.add(Label::new(RichText::new(say(format!("Total: {change}; {left}"))).family(bold())).wrap());
    muted_text(ui, "One undo step.");
    let apply = || Command::FixAll(FixAllCommand::Apply);
    let button = dialog_foot(ui, &format!("Fix {count}"), (count > 0, false), out, apply);
    // Enter fixes them, as Enter in other dialogs does what they are for.
    if count > 0 {
        focus_first(ui, &button);
    }
}
