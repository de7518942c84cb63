//! What a new design can begin from: takes a ruleset and a catalogue, gives an empty design and copies of those there are, and where in the
//! workspace a new one would be saved. Never writes it there.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use crate::finding::Finding;
use crate::formula::Value;
use crate::library::rulesets::toml_text;
use crate::ruleset::Ruleset;
use crate::sanitize::{design_file_name, plural};
use crate::source::Source;
use crate::source::toml::{TomlNode, TomlValue, parse};
use crate::store::Store;

use super::entry::{CatalogueEntry, EntrySummary};
use super::listing::{Catalogue, Game};

/// What a new design can begin from.
#[derive(Clone, Debug)]
pub struct Starter {
    /// `Empty design`, or the class that is copied.
    pub title: Arc<str>,
    /// One line on it.
    pub note: String,
    /// The design that is copied; `None` for an empty one.
    pub source: Option<Arc<CatalogueEntry>>,
}

/// What a new design of a game can begin from: an empty one first, then every design there is that keeps the rules, then the others. House
/// rules offer the designs of the game they are laid over as well.
pub fn starters(game: &Game, catalogue: &Catalogue) -> Vec<Starter> {
    let empty = Starter { title: "Empty design".into(), note: "only what the game requires".to_owned(), source: None };
    let own = |entry: &CatalogueEntry| entry.ruleset == game.id;
    let designs = catalogue.entries().filter(|entry| own(entry) || game.bases.contains(&entry.ruleset));
    let mut starters: Vec<Starter> = designs
        .filter_map(|entry| {
            let EntrySummary::Design(card) = &entry.summary else { return None };
            let mut note = entry.summary_line();
            // Under other rules it may cost something else.
            if let Some(points) = card.points.filter(|_| own(entry)) {
                let _ = write!(note, "{}{}", if note.is_empty() { "" } else { " · " }, plural(points, "point"));
            }
            Some(Starter { title: entry.name.clone(), note, source: Some(Arc::clone(entry)) })
        })
        .collect();
    let last =
        |entry: &CatalogueEntry| (!own(entry), !matches!(&entry.summary, EntrySummary::Design(card) if card.legal));
    starters.sort_by_key(|one| one.source.as_deref().map(last));
    starters.insert(0, empty);
    starters
}

impl Starter {
    /// The text of a new design of this name.
    ///
    /// # Errors
    /// A finding when the design that is copied cannot be read any more.
    pub fn text(&self, ruleset: &Ruleset, name: &str) -> Result<String, Finding> {
        new_design_text(ruleset, self.source.as_deref(), name)
    }
}

/// The text of a new design of this name: empty, or a copy that follows these rules.
///
/// # Errors
/// A finding when the design that is copied cannot be read any more.
pub fn new_design_text(ruleset: &Ruleset, basis: Option<&CatalogueEntry>, name: &str) -> Result<String, Finding> {
    let Some(entry) = basis else { return Ok(empty_design_text(ruleset, name)) };
    let text = renamed_design_text(&entry.read()?, name);
    Ok(if *entry.ruleset == *ruleset.id { text } else { with_top_key(&text, "ruleset", &ruleset.id) })
}

/// A design that says only what the game asks for: its fields with their defaults; nothing aboard.
pub fn empty_design_text(ruleset: &Ruleset, name: &str) -> String {
    let mut out = format!("ruleset = {}\nname = {}\n", quoted(&ruleset.id), quoted(name));
    let stated = ruleset.fields.iter().filter(|field| field.shown_when.is_none());
    let lines: Vec<String> =
        stated.filter_map(|field| Some(format!("{} = {}\n", field.id, toml_text(&field.default)?))).collect();
    if !lines.is_empty() {
        out.push_str("\n[fields]\n");
        out.extend(lines);
    }
    out
}

/// A design's text under another name; everything else in it stays as it is.
pub fn renamed_design_text(source: &Source, name: &str) -> String {
    with_top_key(&source.text, "name", name)
}

/// A text with another value of a key that stands before all tables.
fn with_top_key(text: &str, key: &str, value: &str) -> String {
    let quoted = quoted(value);
    let (root, _) = parse(text, 0);
    let (start, end) = match root.get(key) {
        Some(TomlNode { data: TomlValue::Table(_), .. }) => return text.to_owned(),
        Some(node) => (node.span.start as usize, node.span.end as usize),
        None => {
            // A line for text editors stays the first.
            let first = text.starts_with("#:").then(|| text.find('\n')).flatten().map_or(0, |end| end + 1);
            return format!("{}{key} = {quoted}\n{}", &text[..first], &text[first..]);
        }
    };
    match (text.get(..start), text.get(end..)) {
        (Some(before), Some(after)) => format!("{before}{quoted}{after}"),
        _ => text.to_owned(),
    }
}

fn quoted(text: &str) -> String {
    toml_text(&Value::Text(text.into())).unwrap_or_default()
}

/// Where in the workspace a design of this name is saved: `designs/<ruleset>/<name>.toml`, numbered if that is taken. `None` without a
/// workspace, or with an id that cannot be a folder's name.
pub fn new_design_path(store: &Store, ruleset: &str, name: &str) -> Option<PathBuf> {
    store.free_path(&format!("designs/{ruleset}"), &design_file_name(name))
}
