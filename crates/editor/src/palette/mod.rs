//! The palette of everything: takes the state and what is typed, gives the entries that match, best first. Commands come
//! from the table of actions, so that none is listed twice.

pub mod model;
pub mod panel;

use std::collections::{BTreeMap, BTreeSet};

use crate::actions::{ACTIONS, Menu};
use crate::fleet::model::FleetCommand;
use crate::language::{say, say_keys, tell};
use crate::library_browser::model::LibraryCommand;
use crate::model::settings::MAX_PALETTE_USED;
use crate::rules_page::model::RulesPageCommand;
use crate::suggest::panel::ask::named_questions;
use crate::value_text::format_or;
use crate::{Command, Dialog, Doc, EditorState, FormTarget, Tab, fit_edits};
use moldloft_base::sanitize::fold_for_search;
use moldloft_library::library::{CatalogueEntry, CatalogueFilter, EntrySummary};
use moldloft_rules::evaluate::{Evaluation, ExplainTarget, all_terms, system_search_text};

pub use crate::palette::model::{EntryKind, PaletteCommand, PaletteDialog};

/// Something to do, open or look up.
#[derive(Clone, Debug)]
pub struct PaletteEntry {
    /// The same in every run: `command Print…`, `design /home/me/x.toml`.
    pub key: String,
    pub kind: EntryKind,
    pub title: String,
    /// Shown after the title: a key, points, a number.
    pub detail: String,
    /// Searched, but not shown.
    pub words: String,
    pub command: Command,
}

/// More would not be read.
pub const MAX_SHOWN: usize = 60;

pub fn apply(state: &mut EditorState, command: PaletteCommand) -> Vec<Command> {
    match command {
        PaletteCommand::Open => state.dialog = Some(Dialog::Palette(PaletteDialog::default())),
        PaletteCommand::Update(palette) => {
            if let Some(Dialog::Palette(open)) = &mut state.dialog {
                *open = palette;
            }
        }
        PaletteCommand::GoToAdded => {
            let fit = state.current_doc().and_then(|doc| doc.selected.first().copied());
            return fit.map(|fit| Command::GoTo(FormTarget::Fit(fit))).into_iter().collect();
        }
        PaletteCommand::ShowTerm(term) => state.dialog = Some(Dialog::Glossary { query: String::new(), first: term }),
        PaletteCommand::Choose(key) => {
            let Some(Dialog::Palette(open)) = &state.dialog else { return Vec::new() };
            let (count, query) = count_and_name(state, &open.query);
            let entries = all_entries(state, count, !query.is_empty());
            let Some(entry) = entries.into_iter().find(|entry| entry.key == key) else { return Vec::new() };
            state.dialog = None;
            let used = &mut state.settings.palette;
            used.retain(|known| *known != key);
            used.insert(0, key);
            used.truncate(MAX_PALETTE_USED);
            let adds = entry.kind == EntryKind::System;
            let added = adds.then_some(Command::Palette(PaletteCommand::GoToAdded));
            return std::iter::once(entry.command).chain(added).collect();
        }
    }
    Vec::new()
}

/// The entries that match, at most [`MAX_SHOWN`]: those used last first among equally good ones.
pub fn find_entries(state: &EditorState, typed: &str) -> Vec<PaletteEntry> {
    let (count, query) = count_and_name(state, typed);
    let used: BTreeMap<&str, usize> = state.settings.palette.iter().map(|key| &**key).zip(0..).collect();
    let listed = listed_by(state, &query);
    let words: Vec<String> = fold_for_search(&query).split_whitespace().map(str::to_owned).collect();
    let mut found: Vec<(u32, usize, PaletteEntry)> = Vec::new();
    for entry in all_entries(state, count, !words.is_empty()) {
        let title = fold_for_search(&format!("{} {}", entry.title, say(&entry.title)));
        let more =
            fold_for_search(&format!("{} {} {} {}", entry.kind.name(), entry.detail, say(&entry.detail), entry.words));
        let quality: Option<u32> = words.iter().map(|word| match_quality(&title, &more, word)).sum();
        let quality = quality.or_else(|| listed.contains(&entry.key).then_some(LISTED_QUALITY));
        let Some(quality) = quality else { continue };
        let place = used.get(&*entry.key).copied().unwrap_or(usize::MAX);
        let quality = if place == usize::MAX { quality * 2 } else { (quality * 2).saturating_sub(1) };
        found.push((quality, place, entry));
    }
    // Who types a number means systems.
    if query != typed.trim() && found.iter().any(|(.., entry)| entry.kind == EntryKind::System) {
        found.retain(|(.., entry)| entry.kind == EntryKind::System);
    }
    // Stable: otherwise in the order of the menus.
    found.sort_by_key(
        |(quality, place, entry)| {
            if words.is_empty() { (0, *place, entry.kind) } else { (*quality, *place, entry.kind) }
        },
    );
    found.truncate(MAX_SHOWN);
    found.into_iter().map(|(_, _, entry)| entry).collect()
}

/// Behind what is called so.
const LISTED_QUALITY: u32 = 10;

/// The designs that the library lists for a search with a comparison or a range of points: `graser>4`, `400-900`.
fn listed_by(state: &EditorState, query: &str) -> BTreeSet<String> {
    let is_range = |word: &str| word.split_once('-').is_some_and(|(least, most)| is_number(least) && is_number(most));
    if !query.split_whitespace().any(|word| word.contains(['<', '>', '=']) || is_range(word)) {
        return BTreeSet::new();
    }
    let filter = CatalogueFilter { text: query.to_owned(), ..CatalogueFilter::default() };
    let search = filter.query();
    let entries = state.library.catalogue.entries().filter(|entry| search.matches(entry));
    entries.map(|entry| design_key(entry)).collect()
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn design_key(entry: &CatalogueEntry) -> String {
    format!("design {}", entry.absolute_path.display())
}

/// Lower is better; `None` if the word does not match. Letters of a title match in order: `mkl` finds “Make legal…”.
fn match_quality(title: &str, more: &str, word: &str) -> Option<u32> {
    let starts_word = |text: &str| {
        let starts = |at: usize| text[..at].chars().next_back().is_none_or(|before| !before.is_alphanumeric());
        text.match_indices(word).any(|(at, _)| starts(at))
    };
    if title == word {
        return Some(0);
    }
    if title.starts_with(word) {
        return Some(1);
    }
    if starts_word(title) {
        return Some(2);
    }
    if title.contains(word) {
        return Some(4);
    }
    if starts_word(more) {
        return Some(6);
    }
    let mut letters = title.chars();
    let in_order = word.chars().all(|wanted| letters.any(|letter| letter == wanted));
    if in_order && word.chars().count() >= 2 {
        return Some(9);
    }
    more.contains(word).then_some(8)
}

/// `4 beta` adds four.
fn count_and_name(state: &EditorState, typed: &str) -> (u32, String) {
    let typed = typed.trim();
    let split = typed.split_once(char::is_whitespace).filter(|_| current_design(state).is_some());
    let counted = split.and_then(|(first, rest)| {
        let count: u32 = first.trim_end_matches(['x', '×']).parse().ok()?;
        (1..=999).contains(&count).then(|| (count, rest.trim().to_owned()))
    });
    counted.unwrap_or((1, typed.to_owned()))
}

fn current_design(state: &EditorState) -> Option<(&Doc, &Evaluation)> {
    let doc = state.current_doc().filter(|doc| doc.as_design().is_some())?;
    Some((doc, doc.evaluation()?))
}

fn all_entries(state: &EditorState, count: u32, with_library: bool) -> Vec<PaletteEntry> {
    let mut entries: Vec<PaletteEntry> = Vec::new();
    let context = egui::Context::default();
    for action in ACTIONS {
        let Some(command) = (action.command)(state) else { continue };
        let keys = action.keys.first().map(|key| say_keys(&context.format_shortcut(key))).unwrap_or_default();
        entries.push(PaletteEntry {
            key: format!("command {}", action.label),
            kind: EntryKind::Command,
            title: action.label(state),
            detail: keys,
            words: action.menu.name().to_owned(),
            command,
        });
    }
    entries.extend(named_questions(state).into_iter().map(|(title, question)| PaletteEntry {
        key: format!("question {title}"),
        kind: EntryKind::Command,
        title,
        detail: String::new(),
        words: Menu::Ship.name().to_owned(),
        command: Command::Suggest(question),
    }));
    for doc in state.docs.iter().filter(|doc| state.tab != Tab::Doc(doc.id)) {
        entries.push(PaletteEntry {
            key: format!("tab {}", doc.path().map_or_else(|| doc.name(), |path| path.display().to_string())),
            kind: EntryKind::Tab,
            title: doc.name(),
            detail: "open tab".to_owned(),
            words: String::new(),
            command: Command::ShowTab(Tab::Doc(doc.id)),
        });
    }
    if let Some((doc, evaluation)) = current_design(state) {
        entries.extend(system_entries(doc, evaluation, count, with_library));
    }
    if let Some(evaluation) = state.current_doc().and_then(Doc::shown_ship) {
        entries.extend(ship_entries(state, evaluation));
    }
    if with_library {
        entries.extend(game_entries(state));
        let groups = state.library.catalogue.groups.iter();
        entries.extend(groups.flat_map(|group| &group.entries).filter_map(|entry| library_entry(entry)));
    }
    entries
}

/// What begins with a game.
fn game_entries(state: &EditorState) -> Vec<PaletteEntry> {
    let games = state.library.catalogue.games.iter().filter(|game| game.ready && state.settings.plays(&game.id));
    let entries = games.flat_map(|game| {
        let entry = |what: &str, command: Command| PaletteEntry {
            key: format!("{what} {}", game.id),
            kind: EntryKind::Command,
            title: format!("{what}: {}", game.title),
            detail: String::new(),
            words: game.id.to_string(),
            command,
        };
        let design = LibraryCommand::CreateDesign { game: game.id.clone(), copy_of: None };
        [
            entry("New design", Command::Library(design)),
            entry("New fleet", Command::Fleet(FleetCommand::New(game.id.clone()))),
            entry("Rules and house rules", Command::RulesPage(RulesPageCommand::Open(game.id.to_string()))),
        ]
    });
    entries.collect()
}

/// Each for the first mount that takes it: the selected one, else in the order of the plan.
fn system_entries(doc: &Doc, evaluation: &Evaluation, count: u32, searched: bool) -> Vec<PaletteEntry> {
    let wanted = fit_edits::target_mount(doc);
    let mounts = || evaluation.mounts.iter().filter(|mount| mount.applies);
    let systems = fit_edits::available_systems(evaluation).into_iter().filter_map(|system| {
        let takes = |mount: &str| evaluation.mount_refusal(&system.id, mount).is_none();
        let chosen = wanted.as_deref().filter(|mount| takes(mount)).map(str::to_owned);
        let mount = chosen.or_else(|| mounts().find(|mount| takes(&mount.id)).map(|mount| mount.id.to_string()));
        if mount.is_none() && mounts().next().is_some() {
            return None;
        }
        let edit = fit_edits::add_system(doc, &system.id, mount.as_deref(), count)?;
        let place =
            mount.map_or_else(String::new, |mount| tell("to {1}", &[&say(fit_edits::mount_label(evaluation, &mount))]));
        Some(PaletteEntry {
            key: format!("system {}", system.id),
            kind: EntryKind::System,
            title: fit_edits::counted_name(&evaluation.ruleset, system.kind, &system.name, count),
            detail: place,
            words: if searched { system_search_text(evaluation, &system.id) } else { String::new() },
            command: Command::Edit(edit),
        })
    });
    systems.collect()
}

fn ship_entries(state: &EditorState, evaluation: &Evaluation) -> Vec<PaletteEntry> {
    let mut entries = Vec::new();
    if state.current_doc().is_some_and(|doc| doc.as_design().is_some()) {
        entries.extend(["name", "notes"].map(|key| PaletteEntry {
            key: format!("field {key}"),
            kind: EntryKind::Field,
            title: key.to_owned(),
            detail: String::new(),
            words: String::new(),
            command: Command::GoTo(FormTarget::TopKey(key)),
        }));
        entries.extend(evaluation.fields.iter().filter(|field| field.applies).map(|field| PaletteEntry {
            key: format!("field {}", field.id),
            kind: EntryKind::Field,
            title: field.label.to_string(),
            detail: field.text.to_string(),
            words: field.id.to_string(),
            command: Command::GoTo(FormTarget::Field(field.id.to_string())),
        }));
    }
    entries.extend(evaluation.values.iter().map(|value| PaletteEntry {
        key: format!("value {}", value.id),
        kind: EntryKind::Value,
        title: value.label.to_string(),
        detail: format_or(&value.value, "unknown"),
        words: value.id.to_string(),
        command: Command::Explain(ExplainTarget::Value(value.id.clone())),
    }));
    entries.extend(all_terms(evaluation).into_iter().map(|term| {
        let words = evaluation.ruleset.glossary.iter().find(|known| known.id == term.id);
        PaletteEntry {
            key: format!("term {}", term.id),
            kind: EntryKind::Term,
            title: term.label.to_string(),
            detail: term.text,
            words: words.map_or_else(String::new, |known| known.words.join(" ")),
            command: Command::Palette(PaletteCommand::ShowTerm(term.id.to_string())),
        }
    }));
    entries
}

fn library_entry(entry: &CatalogueEntry) -> Option<PaletteEntry> {
    let command = match entry.built_in() {
        _ if entry.is_gone() => return None,
        true => Command::OpenBuiltIn(entry.file.path.clone()),
        false => Command::Open(entry.absolute_path.clone()),
    };
    let what = if matches!(entry.summary, EntrySummary::Fleet(_)) { "fleet " } else { "" };
    Some(PaletteEntry {
        key: design_key(entry),
        kind: EntryKind::Design,
        title: entry.name.to_string(),
        detail: format!("{what}{}", entry.summary_line()),
        words: entry.ruleset.to_string(),
        command,
    })
}

#[cfg(test)]
mod tests {
    use super::match_quality;

    #[test]
    fn better_matches_come_first() {
        let quality = |title, word| match_quality(title, "print chits", word);
        assert!(quality("undo", "undo") < quality("undo all", "undo"));
        assert!(quality("undo all", "undo") < quality("not undo", "undo"));
        assert!(quality("not undo", "undo") < quality("fundo", "undo"));
        assert!(quality("make legal…", "mkl").is_some());
        assert_eq!(quality("make legal…", "zq"), None);
        assert!(quality("make legal…", "chits").is_some(), "found by its other words");
    }
}
