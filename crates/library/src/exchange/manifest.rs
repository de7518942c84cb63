//! The manifest of a folder of tokens as JSON and CSV: for each file its contents, ship, size and count. Also reads an
//! earlier manifest to find which files belong to this program.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::store::{Bundle, ContentHash};
use moldloft_base::sanitize;

pub const JSON_FILE: &str = "manifest.json";
pub const CSV_FILE: &str = "manifest.csv";
const FORMAT: &str = "moldloft-tokens";
const VERSION: u64 = 1;

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ManifestEntry {
    /// `images/ca-301-missile-101.png`.
    pub file: String,
    /// `None` without a back of its own.
    pub back: Option<String>,
    /// Id of the counter: `missile`; `ship` for a ship's plain token.
    pub token: String,
    pub label: String,
    pub is_ship: bool,
    pub number: Option<u32>,
    pub count: u32,
    pub width_mm: f64,
    pub height_mm: f64,
    /// `rectangle` with rounded corners, or `own` for an outline of its own.
    pub shape: &'static str,
    /// The ship's key in file names.
    pub unit: String,
    pub ship: String,
    pub class: String,
    pub hull_number: String,
    pub fleet: String,
    pub side: String,
    pub points: Option<i64>,
    pub ruleset: String,
    pub version: String,
}

/// Lists the tokens, and the hash of every other file.
pub fn manifest_json(entries: &[ManifestEntry], files: &Bundle, program: &str, dpi: f32) -> String {
    let mut out = String::from("{\n");
    let mut line = |key: &str, value: &Value, last: bool| {
        out.push_str(&format!("  {}: {value}{}\n", Value::from(key), if last { "" } else { "," }));
    };
    line("format", &FORMAT.into(), false);
    line("version", &VERSION.into(), false);
    line("program", &program.into(), false);
    line("dpi", &Value::from((f64::from(dpi) * 1000.0).round() / 1000.0), false);
    // One token per line, for people and diffs.
    let list = |values: Vec<String>, open: char, close: char| {
        let inner = values.join(",\n    ");
        if inner.is_empty() { format!("{open}{close}") } else { format!("{open}\n    {inner}\n  {close}") }
    };
    let tokens = entries.iter().filter_map(|entry| serde_json::to_string(entry).ok()).collect();
    out.push_str(&format!("  \"tokens\": {},\n", list(tokens, '[', ']')));
    let hashes = files.iter().map(|(name, bytes)| {
        format!("{}: {}", Value::from(name.as_str()), Value::from(ContentHash::of_bytes(bytes).to_string()))
    });
    out.push_str(&format!("  \"files\": {}\n}}\n", list(hashes.collect(), '{', '}')));
    sanitize::for_json(out)
}

pub fn manifest_csv(entries: &[ManifestEntry]) -> Vec<u8> {
    let mut out = csv::WriterBuilder::new().from_writer(Vec::new());
    for entry in entries {
        let safe = |words: &str| sanitize::for_spreadsheet(words);
        let entry = ManifestEntry {
            token: safe(&entry.token),
            label: safe(&entry.label),
            unit: safe(&entry.unit),
            ship: safe(&entry.ship),
            class: safe(&entry.class),
            hull_number: safe(&entry.hull_number),
            fleet: safe(&entry.fleet),
            side: safe(&entry.side),
            ruleset: safe(&entry.ruleset),
            version: safe(&entry.version),
            ..entry.clone()
        };
        let _ = out.serialize(entry);
    }
    out.into_inner().unwrap_or_default()
}

/// The files of an earlier manifest; `None` for any other text.
pub fn known_files(text: &str) -> Option<BTreeMap<String, ContentHash>> {
    let list: Value = serde_json::from_str(text).ok()?;
    if list.get("format")?.as_str()? != FORMAT || list.get("version")?.as_u64()? > VERSION {
        return None;
    }
    let files = list.get("files")?.as_object()?;
    let hashes = files.iter().filter_map(|(name, hash)| Some((name.clone(), hash.as_str()?.parse().ok()?)));
    let mut known: BTreeMap<String, ContentHash> = hashes.collect();
    known.insert(JSON_FILE.to_owned(), ContentHash::of_bytes(text.as_bytes()));
    Some(known)
}
