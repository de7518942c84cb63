//! Fits with the custom systems that they use, and ships of a fleet, as text: copies them from a document and pastes such a
//! text into one, within limits.

use std::collections::BTreeMap;

use moldloft_base::finding::Finding;
use moldloft_base::source::Source;
use moldloft_base::source::toml::{TomlTable, TomlValue, parse};

use super::toml_text;
use super::tree::{PathStep, path};
use super::{Document, TableList, TablePath, cannot_edit_form};

const MAX_PASTE_BYTES: usize = 200_000;
const MAX_PASTE_FITS: usize = 500;

impl Document {
    /// Some fits as TOML, in the order given, with the custom systems that they name. Unknown indices are skipped.
    pub fn fits_text(&self, fits: &[usize]) -> String {
        let (root, _) = parse(&self.text, 0);
        let own = tables(&root, "system");
        let mut systems: Vec<usize> = Vec::new();
        let mut blocks: Vec<String> = Vec::new();
        for &fit in fits {
            let Some(table) = tables(&root, "fit").get(fit).copied() else { continue };
            blocks.push(self.table_block("fit", fit, table));
            let mut wanted = text_of(table, "system");
            while let Some(at) = wanted.and_then(|id| own.iter().position(|system| text_of(system, "id") == Some(id))) {
                if systems.contains(&at) {
                    break;
                }
                systems.push(at);
                wanted = text_of(own[at], "like");
            }
        }
        blocks.extend(systems.into_iter().map(|at| self.table_block("system", at, own[at])));
        blocks.iter().map(|block| with_line_ends(block, "\n")).collect::<Vec<_>>().join("\n")
    }

    /// Inserts the fits of a text before fit `at`, or at the end; returns their indices. Missing custom systems are
    /// added; one that differs from an existing system of the same id gets a new id.
    ///
    /// # Errors
    /// A finding when the text is too long or not part of a design; nothing has changed then.
    pub fn insert_fits(&mut self, text: &str, at: usize) -> Result<Vec<usize>, Finding> {
        let mut snippet = parse_snippet(text)?;
        let at = at.min(self.count(&TableList::Fits));
        self.transaction(|document| {
            let systems = document.systems_to_add(&mut snippet)?;
            let (root, _) = parse(&snippet.text, 0);
            let fits = tables(&root, "fit");
            let new = (0..fits.len())
                .map(|fit| document.table_in_own_form(&snippet, "fit", fit, fits[fit]))
                .collect::<Vec<_>>();
            document.insert_tables(&path(&["fit"]), at, &new)?;
            let own = tables(&root, "system");
            let new: Vec<String> = systems
                .into_iter()
                .map(|system| document.table_in_own_form(&snippet, "system", system, own[system]))
                .collect();
            if !new.is_empty() {
                document.insert_tables(&path(&["system"]), usize::MAX, &new)?;
            }
            Ok((at..at + fits.len()).collect())
        })
    }

    /// Some ships of a fleet as TOML, in the order given, with what they carry, their loads and their damage. Unknown
    /// indices are skipped.
    pub fn ships_text(&self, ships: &[usize]) -> String {
        let (root, _) = parse(&self.text, 0);
        let tables = tables(&root, "ship");
        let blocks = ships.iter().filter_map(|ship| Some(self.table_block("ship", *ship, tables.get(*ship)?)));
        blocks.map(|block| with_line_ends(&block, "\n")).collect::<Vec<_>>().join("\n")
    }

    /// Inserts the ships of a text before ship `at`, or at the end; returns their indices.
    ///
    /// # Errors
    /// A finding when the text is too long or has no ships; nothing has changed then.
    pub fn insert_ships(&mut self, text: &str, at: usize) -> Result<Vec<usize>, Finding> {
        let refused = |message: String| Err(Finding::error("cannot-paste", message));
        if text.len() > MAX_PASTE_BYTES {
            return refused(format!("the ships have {} bytes, at most {MAX_PASTE_BYTES} can be copied", text.len()));
        }
        let Ok(snippet) = Document::parse(text) else { return refused("invalid TOML in the copied ships".to_owned()) };
        let (root, _) = parse(&snippet.text, 0);
        let ships = tables(&root, "ship");
        if ships.is_empty() || ships.len() > MAX_PASTE_FITS {
            return refused(format!("expected 1 to {MAX_PASTE_FITS} ships, found {}", ships.len()));
        }
        let at = at.min(self.count(&TableList::Ships));
        let new: Vec<String> =
            ships.iter().enumerate().map(|(n, table)| self.table_in_own_form(&snippet, "ship", n, table)).collect();
        self.transaction(|document| document.insert_tables(&path(&["ship"]), at, &new))?;
        Ok((at..at + new.len()).collect())
    }

    /// The snippet's systems that must be added; those with an id already in use are renamed in the snippet.
    fn systems_to_add(&self, snippet: &mut Document) -> Result<Vec<usize>, Finding> {
        let snippet_text = snippet.text.clone();
        let (pasted, _) = parse(&snippet_text, 0);
        let (existing, _) = parse(&self.text, 0);
        let (existing, pasted, fits) = (tables(&existing, "system"), tables(&pasted, "system"), tables(&pasted, "fit"));
        let mut ids: BTreeMap<&str, Option<&TomlTable<'_>>> =
            pasted.iter().filter_map(|system| Some((text_of(system, "id")?, None))).collect();
        for system in existing.iter().rev() {
            ids.extend(text_of(system, "id").map(|id| (id, Some(*system))));
        }
        let mut used: Vec<String> = ids.keys().map(|id| (*id).to_owned()).collect();
        let mut needed = Vec::new();
        for (place, system) in pasted.iter().enumerate() {
            let Some(id) = text_of(system, "id") else { continue };
            let is_first = pasted.iter().position(|other| text_of(other, "id") == Some(id)) == Some(place);
            let is_named = fits.iter().any(|fit| text_of(fit, "system") == Some(id))
                || pasted.iter().any(|other| text_of(other, "like") == Some(id));
            match ids.get(id) {
                _ if !is_first || !is_named => {}
                Some(Some(existing)) if existing.has_same_entries(system, true) => {}
                Some(Some(_)) => {
                    let free = |n: &usize| !used.contains(&format!("{id}-{n}"));
                    let name = format!("{id}-{}", (2..).find(free).ok_or_else(cannot_edit_form)?);
                    snippet.set(&TablePath::CustomSystem(place), "id", name.as_str())?;
                    for (fit, _) in fits.iter().enumerate().filter(|(_, fit)| text_of(fit, "system") == Some(id)) {
                        snippet.set(&TablePath::Fit(fit), "system", name.as_str())?;
                    }
                    for (other, _) in pasted.iter().enumerate().filter(|(_, one)| text_of(one, "like") == Some(id)) {
                        snippet.set(&TablePath::CustomSystem(other), "like", name.as_str())?;
                    }
                    used.push(name);
                    needed.push(place);
                }
                _ => needed.push(place),
            }
        }
        Ok(needed)
    }

    fn table_in_own_form(&self, snippet: &Document, key: &str, index: usize, table: &TomlTable<'_>) -> String {
        if self.writes_inline(key) {
            return toml_text::inline_data(&TomlValue::Table(table.clone()));
        }
        with_line_ends(&snippet.table_block(key, index, table), self.newline())
    }

    fn writes_inline(&self, key: &str) -> bool {
        self.tree.value(&path(&[key])).is_some()
    }

    fn table_block(&self, key: &str, index: usize, table: &TomlTable<'_>) -> String {
        let place = [PathStep::Key(key.to_owned()), PathStep::Nth(index)];
        if self.tree.header(&place).is_some() {
            return self.table_text(&place);
        }
        let mut out = format!("[[{key}]]\n");
        for entry in &table.entries {
            out.push_str(&format!("{} = {}\n", toml_text::key(&entry.key), toml_text::inline_data(&entry.node.data)));
        }
        out
    }
}

/// Changes line endings, except inside multi-line strings.
fn with_line_ends(lines: &str, newline: &str) -> String {
    if lines.contains("\"\"\"") || lines.contains("'''") {
        return lines.to_owned();
    }
    lines.replace("\r\n", "\n").replace('\n', newline)
}

fn parse_snippet(text: &str) -> Result<Document, Finding> {
    let refused = |message: String, help: &str| Err(Finding::error("cannot-paste", message).help(help));
    if text.len() > MAX_PASTE_BYTES {
        return refused(
            format!("the text has {} bytes, at most {MAX_PASTE_BYTES} can be pasted", text.len()),
            "copy fewer systems at a time",
        );
    }
    if text.trim().is_empty() {
        return refused("nothing to paste".to_owned(), "copy or cut some systems first");
    }
    let source = Source::new("pasted text", text);
    if let Some(fault) = parse(&source.text, 0).1.first() {
        let finding = Finding::error("cannot-paste", format!("invalid TOML in the copied text: {}", fault.message))
            .help("copy systems from a design: a [[fit]] with lines such as system = \"laser\"")
            .at(source.place_with_snippet(fault.span));
        return Err(finding);
    }
    let document = Document::parse(text).map_err(|_| cannot_edit_form())?;
    match document.count(&TableList::Fits) {
        0 => refused(
            "no systems in the copied text".to_owned(),
            "copy systems from a design: a [[fit]] with lines such as system = \"laser\"",
        ),
        fits if fits > MAX_PASTE_FITS => refused(
            format!("{fits} systems in the copied text, at most {MAX_PASTE_FITS} can be pasted"),
            "copy fewer systems at a time",
        ),
        _ => Ok(document),
    }
}

/// The tables of an array; a single table counts as an array of one.
fn tables<'t, 'a>(root: &'t TomlTable<'a>, key: &str) -> Vec<&'t TomlTable<'a>> {
    match root.get(key).map(|node| &node.data) {
        Some(TomlValue::List(list)) => list
            .iter()
            .filter_map(|node| if let TomlValue::Table(table) = &node.data { Some(table) } else { None })
            .collect(),
        Some(TomlValue::Table(table)) => vec![table],
        _ => Vec::new(),
    }
}

fn text_of<'t>(table: &'t TomlTable<'_>, key: &str) -> Option<&'t str> {
    match &table.get(key)?.data {
        TomlValue::Text(text) => Some(text),
        _ => None,
    }
}
