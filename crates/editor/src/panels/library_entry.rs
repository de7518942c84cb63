//! A library entry in words: summary, accessible name, and the command of a click.

use std::fmt::Write;

use egui::{Id, Rect, Response, Ui};

use crate::language::say;
use crate::tile::{static_tile, tile};
use crate::widgets::amount_with_unit;
use crate::{Command, Doc};
use moldloft_library::library::{CatalogueEntry, EntrySummary};
use moldloft_library::store::FileRef;

/// `None` if there is nothing to open.
pub fn open_entry_command(entry: &CatalogueEntry) -> Option<Command> {
    let open = || match entry.built_in() {
        true => Command::OpenBuiltIn(entry.file.path.clone()),
        false => Command::Open(entry.absolute_path.clone()),
    };
    (!entry.is_gone()).then(open)
}

/// Where it is, for commands.
pub fn file_ref(entry: &CatalogueEntry) -> FileRef {
    match entry.built_in() {
        true => entry.file.clone(),
        false => FileRef::on_disk(entry.absolute_path.clone()),
    }
}

/// A tile that opens the entry, if there is anything to open.
pub fn entry_tile(
    ui: &mut Ui,
    rect: Rect,
    id: Id,
    entry: &CatalogueEntry,
    is_current: bool,
    out: &mut Vec<Command>,
) -> Response {
    let name = accessible_name(entry);
    let Some(command) = open_entry_command(entry) else { return static_tile(ui, rect, id, &name) };
    let response = tile(ui, rect, id, &name, is_current);
    response.ctx.accesskit_node_builder(id, |node| node.set_description(say(entry.summary_line())));
    out.extend(response.clicked().then_some(command));
    response
}

/// `153 points`; true if something is wrong.
pub fn points_in_words(entry: &CatalogueEntry) -> (String, bool) {
    let (text, is_wrong) = points_summary(entry);
    let figure = text.split_once(" · ").map_or(&*text, |(figure, _)| figure);
    let words = match figure.parse::<i64>() {
        Ok(_) => text.replacen(figure, &amount_with_unit(figure, "points"), 1),
        Err(_) => text,
    };
    (words, is_wrong)
}

/// `1956`, or `! 1956` of what is not legal, where the name needs the room.
pub fn short_points(entry: &CatalogueEntry) -> (String, bool) {
    let (text, is_wrong) = points_summary(entry);
    match entry.points().filter(|_| is_wrong) {
        Some(points) => (format!("! {points}"), true),
        None => (text, is_wrong),
    }
}

/// True if something is wrong.
pub fn points_summary(entry: &CatalogueEntry) -> (String, bool) {
    match &entry.summary {
        EntrySummary::Design(card) => {
            let mut text = card.points.map_or_else(String::new, |points| points.to_string());
            if !card.legal {
                let _ = write!(text, "{}! not legal", if text.is_empty() { "" } else { " · " });
            }
            (text, !card.legal)
        }
        EntrySummary::Fleet(card) => {
            let mut text = card.points.map_or_else(|| entry.summary_line(), |points| points.to_string());
            if !card.legal {
                let _ = write!(text, " · ! not legal");
            }
            (text, !card.legal)
        }
        EntrySummary::Unreadable(_) if entry.is_gone() => ("! file not found".to_owned(), true),
        EntrySummary::Unreadable(_) => ("! cannot be read".to_owned(), true),
    }
}

fn accessible_name(entry: &CatalogueEntry) -> String {
    let mut text = entry.name.to_string();
    match &entry.summary {
        EntrySummary::Design(card) => {
            if let Some(points) = card.points {
                let _ = write!(text, ", {}", amount_with_unit(&points.to_string(), "points"));
            }
            if !card.legal {
                text.push_str(", not legal");
            }
        }
        EntrySummary::Fleet(_) => {
            let _ = write!(text, ", fleet of {}", entry.summary_line());
        }
        EntrySummary::Unreadable(_) if entry.is_gone() => text.push_str(", file not found"),
        EntrySummary::Unreadable(_) => text.push_str(", cannot be read"),
    }
    if entry.built_in() {
        text.push_str(", built-in");
    }
    text
}

pub fn is_open(entry: &CatalogueEntry, doc: &Doc) -> bool {
    doc.file.as_ref().is_some_and(|file| entry.built_in() == file.built_in && entry.absolute_path == file.path)
}
