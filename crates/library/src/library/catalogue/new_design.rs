//! Starting points of new designs: takes a ruleset and a catalogue, gives an empty design and copies of existing ones,
//! and the path for a new one. Never writes a file.

use std::path::PathBuf;
use std::sync::Arc;

use crate::library::rulesets::toml_text;
use crate::store::Store;
use moldloft_base::finding::Finding;
use moldloft_base::sanitize::{design_file_name, plural};
use moldloft_base::source::Source;
use moldloft_base::source::toml::{TomlNode, TomlValue, parse};
use moldloft_rules::formula::Value;
use moldloft_rules::ruleset::Ruleset;

use super::entry::{CatalogueEntry, EntrySummary};
use super::listing::{Catalogue, Game};

/// A starting point of a new design.
#[derive(Clone, Debug)]
pub struct Starter {
    /// `Empty design`, or the class that is copied.
    pub title: Arc<str>,
    /// One line.
    pub note: String,
    /// The design to copy; `None` for an empty one.
    pub source: Option<Arc<CatalogueEntry>>,
}

/// The starting points for a game: the empty design, then designs that follow the rules, then the others. House rules
/// also have the designs of the game that they extend.
pub fn starters(game: &Game, catalogue: &Catalogue) -> Vec<Starter> {
    let empty = Starter { title: "Empty design".into(), note: "only what the game requires".to_owned(), source: None };
    let own = |entry: &CatalogueEntry| entry.ruleset == game.id;
    let designs = catalogue.entries().filter(|entry| own(entry) || game.bases.contains(&entry.ruleset));
    let mut starters: Vec<Starter> = designs
        .filter_map(|entry| {
            let EntrySummary::Design(card) = &entry.summary else { return None };
            // With other rules the points may differ. They come first: the end of a line may be cut off.
            let points = card.points.filter(|_| own(entry)).map(|points| plural(points, "point"));
            let about = Some(entry.summary_line()).filter(|about| !about.is_empty());
            let note = points.into_iter().chain(about).collect::<Vec<_>>().join(" · ");
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
    /// The text of a new design with this name.
    ///
    /// # Errors
    /// A finding when the design to copy cannot be read any more.
    pub fn text(&self, ruleset: &Ruleset, name: &str) -> Result<String, Finding> {
        new_design_text(ruleset, self.source.as_deref(), name)
    }
}

/// The text of a new design with this name: empty, or a copy with this ruleset.
///
/// # Errors
/// A finding when the design to copy cannot be read any more.
pub fn new_design_text(ruleset: &Ruleset, basis: Option<&CatalogueEntry>, name: &str) -> Result<String, Finding> {
    let Some(entry) = basis else { return Ok(empty_design_text(ruleset, name)) };
    let text = renamed_design_text(&entry.read()?, name);
    Ok(if *entry.ruleset == *ruleset.id { text } else { with_top_key(&text, "ruleset", &ruleset.id) })
}

/// A design with only the required keys and the fields at their defaults; nothing aboard.
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

/// A design's text with another name; the rest is unchanged.
pub fn renamed_design_text(source: &Source, name: &str) -> String {
    with_top_key(&source.text, "name", name)
}

/// A text with another value of a key above all tables.
fn with_top_key(text: &str, key: &str, value: &str) -> String {
    let quoted = quoted(value);
    let (root, _) = parse(text, 0);
    let (start, end) = match root.get(key) {
        Some(TomlNode { data: TomlValue::Table(_), .. }) => return text.to_owned(),
        Some(node) => (node.span.start as usize, node.span.end as usize),
        None => {
            // A schema line for text editors stays first.
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

/// The path for a design with this name: `designs/<ruleset>/<name>.toml`, numbered if the file exists. `None` without a
/// workspace, or if the id cannot be a folder's name.
pub fn new_design_path(store: &Store, ruleset: &str, name: &str) -> Option<PathBuf> {
    store.free_path(&format!("designs/{ruleset}"), &design_file_name(name))
}
