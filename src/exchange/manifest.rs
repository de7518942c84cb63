//! The list of a folder of tokens, as JSON and as CSV: which file is what, of which ship, how large, how many. Takes the tokens and the files,
//! gives the texts; reads back which files a list of before says are this program's.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::sanitize;
use crate::store::{Bundle, ContentHash};

/// The name of the list.
pub const JSON_FILE: &str = "manifest.json";
/// The name of the same as a table.
pub const CSV_FILE: &str = "manifest.csv";
/// What the list says it is.
const FORMAT: &str = "moldloft-tokens";
/// Which version of it.
const VERSION: u64 = 1;

/// One token in the list.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ManifestEntry {
    /// Its front, `images/ca-301-missile-101.png`.
    pub file: String,
    /// Its back, if it has one of its own.
    pub back: Option<String>,
    /// The counter's id: `missile`; `ship` for the plain token of a ship.
    pub token: String,
    /// What a player calls it.
    pub label: String,
    /// Whether it stands for the ship itself.
    pub is_ship: bool,
    /// Its number, if it has one.
    pub number: Option<u32>,
    /// How many there are of it.
    pub count: u32,
    /// Its width.
    pub width_mm: f64,
    /// Its height.
    pub height_mm: f64,
    /// `rectangle` with round corners, or `own`: cut along a shape of its own.
    pub shape: &'static str,
    /// The ship's key in the file names.
    pub unit: String,
    /// The ship's own name.
    pub ship: String,
    /// Her class.
    pub class: String,
    /// Her hull number.
    pub hull_number: String,
    /// Her fleet.
    pub fleet: String,
    /// Its side.
    pub side: String,
    /// What she costs.
    pub points: Option<i64>,
    /// The ruleset's id.
    pub ruleset: String,
    /// Its version.
    pub version: String,
}

/// The list as JSON: the tokens, and every other file of the folder with what it holds.
pub fn manifest_json(entries: &[ManifestEntry], files: &Bundle, program: &str, dpi: f32) -> String {
    let mut out = String::from("{\n");
    let mut line = |key: &str, value: &Value, last: bool| {
        out.push_str(&format!("  {}: {value}{}\n", Value::from(key), if last { "" } else { "," }));
    };
    line("format", &FORMAT.into(), false);
    line("version", &VERSION.into(), false);
    line("program", &program.into(), false);
    line("dpi", &Value::from((f64::from(dpi) * 1000.0).round() / 1000.0), false);
    // One token a line: read by people, and by programs that compare versions.
    let list = |values: Vec<String>, open: char, close: char| {
        let inner = values.join(",\n    ");
        if inner.is_empty() { format!("{open}{close}") } else { format!("{open}\n    {inner}\n  {close}") }
    };
    let tokens = entries.iter().filter_map(|entry| serde_json::to_string(entry).ok()).collect();
    out.push_str(&format!("  \"tokens\": {},\n", list(tokens, '[', ']')));
    let seals = files.iter().map(|(name, bytes)| {
        format!("{}: {}", Value::from(name.as_str()), Value::from(ContentHash::of_bytes(bytes).to_string()))
    });
    out.push_str(&format!("  \"files\": {}\n}}\n", list(seals.collect(), '{', '}')));
    sanitize::for_json(out)
}

/// The list as CSV.
pub fn manifest_csv(entries: &[ManifestEntry]) -> Vec<u8> {
    let mut out = csv::WriterBuilder::new().from_writer(Vec::new());
    for entry in entries {
        let guarded = |words: &str| sanitize::cell(words);
        let entry = ManifestEntry {
            token: guarded(&entry.token),
            label: guarded(&entry.label),
            unit: guarded(&entry.unit),
            ship: guarded(&entry.ship),
            class: guarded(&entry.class),
            hull_number: guarded(&entry.hull_number),
            fleet: guarded(&entry.fleet),
            side: guarded(&entry.side),
            ruleset: guarded(&entry.ruleset),
            version: guarded(&entry.version),
            ..entry.clone()
        };
        // Writing to memory does not fail.
        let _ = out.serialize(entry);
    }
    out.into_inner().unwrap_or_default()
}

/// What a list of before says the folder holds; `None` when this is no such list.
pub fn known_files(text: &str) -> Option<BTreeMap<String, ContentHash>> {
    let list: Value = serde_json::from_str(text).ok()?;
    if list.get("format")?.as_str()? != FORMAT || list.get("version")?.as_u64()? > VERSION {
        return None;
    }
    let files = list.get("files")?.as_object()?;
    let seals = files.iter().filter_map(|(name, seal)| Some((name.clone(), seal.as_str()?.parse().ok()?)));
    let mut known: BTreeMap<String, ContentHash> = seals.collect();
    known.insert(JSON_FILE.to_owned(), ContentHash::of_bytes(text.as_bytes()));
    Some(known)
}
