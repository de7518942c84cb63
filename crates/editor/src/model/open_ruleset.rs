//! An open ruleset or layer: its text with the rulesets it extends, as tables with findings at their places. A text that
//! cannot be read keeps the tables of the last one that could.

use std::collections::BTreeSet;
use std::sync::Arc;

use moldloft_base::finding::{Finding, Severity};
use moldloft_base::source::toml::{TomlTable, parse};
use moldloft_base::source::{PathStep, Source, Span};
use moldloft_library::library::{Rulesets, layer_sources};
use moldloft_rules::design::Document;
use moldloft_rules::ruleset::{FormulaName, RowState, RuleBook, RuleCell, Ruleset, extends, formula_names};

#[derive(Clone, Debug)]
pub struct OpenRuleset {
    /// `None` as long as the text is not TOML.
    pub document: Option<Document>,
    pub id: String,
    pub title: String,
    pub version: String,
    /// What it extends directly, in order; empty for a ruleset of its own.
    pub extends: Vec<String>,
    /// From the ruleset that extends none to this one.
    pub stack: Vec<StackedLayer>,
    /// The texts in the order of the stack, this one last, without layers that are off.
    pub sources: Arc<[Source]>,
    /// Of the last text that could be read.
    pub book: Arc<RuleBook>,
    /// With all changes that can be applied; the last that could be loaded.
    pub rules: Option<Arc<Ruleset>>,
    pub names: Arc<[FormulaName]>,
    /// Those of this file first, errors first.
    pub findings: Vec<Finding>,
    /// Set if the text has changed since: then all but `document` belongs to the text before.
    pub behind: Option<TablesBehind>,
}

/// What has changed since the tables were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TablesBehind {
    /// Values of cells: every row is still where the tables say.
    Cells,
    Rows,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackedLayer {
    pub id: String,
    pub title: String,
    pub version: String,
    pub is_on: bool,
    /// Its index in [`OpenRuleset::extends`].
    pub direct: Option<usize>,
}

/// Whether a text is a ruleset or a layer: it has a table `[ruleset]`, where designs and fleets have a text.
pub fn looks_like_ruleset(source: &Source) -> bool {
    let (root, _) = parse(&source.text, 0);
    root.table("ruleset").is_some()
}

struct Header {
    id: String,
    title: String,
    version: String,
}

fn header(root: &TomlTable<'_>) -> Header {
    let text = |key: &str| root.table("ruleset").and_then(|table| table.text(key)).unwrap_or_default().to_owned();
    Header { id: text("id"), title: text("title"), version: text("version") }
}

impl OpenRuleset {
    /// `off`: ids of layers that are left out for a look. `before`: for what cannot be read now.
    pub fn new(rulesets: &Rulesets, source: &Source, off: &BTreeSet<String>, before: Option<Self>) -> Self {
        let (root, faults) = parse(&source.text, 0);
        let own = header(&root);
        let extends = if faults.is_empty() { extends(source) } else { Vec::new() };
        let mut findings = Vec::new();
        let mut below: Vec<(Header, Source)> = Vec::new();
        for id in &extends {
            match layer_sources(rulesets.store(), id) {
                Ok(sources) => {
                    for one in sources {
                        if one.file != source.file && !below.iter().any(|(_, known)| known.file == one.file) {
                            below.push((header(&parse(&one.text, 0).0), one));
                        }
                    }
                }
                Err(finding) => findings.push(finding.at_file_if_none(&source.file)),
            }
        }
        if let (false, Some(before)) = (faults.is_empty(), before.as_ref()) {
            // The tables stay as they were until the text can be read again.
            let (_, mut found) = Ruleset::load(source);
            found.retain(|finding| finding.severity == Severity::Error);
            return Self { document: None, findings: found, behind: None, ..before.clone() };
        }
        let mut stack: Vec<StackedLayer> = below
            .iter()
            .enumerate()
            .map(|(at, (Header { id, title, version }, _))| {
                let direct = extends.iter().position(|known| known == id);
                let (title, version) = (title.clone(), version.clone());
                StackedLayer { is_on: at == 0 || !off.contains(id), id: id.clone(), title, version, direct }
            })
            .collect();
        stack.push(StackedLayer {
            id: own.id.clone(),
            title: own.title.clone(),
            version: own.version.clone(),
            is_on: extends.is_empty() || !off.contains(&own.id),
            direct: None,
        });
        let base = stack.first().map(|base| (base.id.clone(), base.version.clone())).unwrap_or_default();
        let mut sources: Vec<Source> =
            below.into_iter().zip(&stack).filter(|(_, layer)| layer.is_on).map(|((_, one), _)| one).collect();
        sources.push(source.clone());
        if !off.is_empty() {
            sources.iter_mut().for_each(|source| drop_layers(source, off, &base));
        }
        let (rules, found) = Ruleset::load_layers(&sources);
        findings.extend(found);
        findings.sort_by_key(|finding| (finding.at.file.as_deref() != Some(&*source.file), finding.severity));
        let rules = rules.map(Arc::new).or_else(|| before.as_ref().and_then(|before| before.rules.clone()));
        let names = rules.as_deref().map(formula_names).unwrap_or_default();
        Self {
            document: if faults.is_empty() { Document::parse(&source.text).ok() } else { None },
            id: own.id,
            title: own.title,
            version: own.version,
            book: Arc::new(RuleBook::new(&sources, sources.len() > 1)),
            extends,
            stack,
            sources: sources.into(),
            rules,
            names: names.into(),
            findings,
            behind: None,
        }
    }

    pub fn is_layer(&self) -> bool {
        !self.extends.is_empty()
    }

    pub fn own_source(&self) -> &Source {
        &self.sources[self.sources.len() - 1]
    }

    /// Whether this layer itself is on.
    pub fn is_on(&self) -> bool {
        self.stack.last().is_none_or(|own| own.is_on)
    }

    /// The rules in force with the layers that are on.
    pub fn sources_in_force(&self) -> &[Source] {
        let without = usize::from(!self.is_on() && self.sources.len() > 1);
        &self.sources[..self.sources.len() - without]
    }

    /// The ruleset that extends none.
    pub fn base_sources(&self) -> &[Source] {
        &self.sources[..1]
    }

    /// Rows and cells that this layer changes, adds or removes.
    pub fn change_count(&self) -> usize {
        let rows = self.book.grids.iter().flat_map(|grid| &grid.rows);
        rows.map(|row| match row.state {
            RowState::Below => 0,
            RowState::Added | RowState::Removed => 1,
            RowState::Changed => row.cells.iter().filter(|cell| cell.is_set).count(),
        })
        .sum()
    }

    /// Where a cell is written: `rulesets/ours.toml:12`.
    pub fn place(&self, span: Span) -> String {
        let source = self.sources.get(usize::from(span.file));
        source.map_or_else(String::new, |source| format!("{}:{}", source.file, source.line_column(span.start).0))
    }

    /// The findings in the text of a cell of this layer.
    pub fn findings_at(&self, cell: &RuleCell) -> Vec<&Finding> {
        let Some(span) = cell.span.filter(|span| usize::from(span.file) + 1 == self.sources.len()) else {
            return Vec::new();
        };
        let source = self.own_source();
        let (first, column) = source.line_column(span.start);
        let (last, end) = source.line_column(span.end);
        let is_here = |finding: &&Finding| {
            let (line, at) = (finding.at.line, finding.at.column);
            finding.at.file.as_deref() == Some(&*source.file)
                && (first..=last).contains(&line)
                && (line < last || at <= end)
                // A finding can be at the cell's key, before its value.
                && (line > first || at >= column || !source_between(source, first, at, column).contains(','))
        };
        self.findings.iter().filter(is_here).collect()
    }
}

/// A source that extends layers that are off extends the rest, or the base. Its lines stay.
fn drop_layers(source: &mut Source, off: &BTreeSet<String>, base: &(String, String)) {
    let ids = extends(source);
    let Ok(mut document) = Document::parse(&source.text) else { return };
    if !ids.iter().any(|id| off.contains(id)) {
        return;
    }
    let versions: Vec<String> = {
        let (root, _) = parse(&source.text, 0);
        let node = root.table("ruleset").and_then(|table| table.get("extends_version"));
        let list = node.map(|node| node.as_list().unwrap_or(std::slice::from_ref(node))).unwrap_or_default();
        list.iter().map(|version| version.as_text().unwrap_or_default().to_owned()).collect()
    };
    let kept = || ids.iter().enumerate().filter(|(_, id)| !off.contains(*id));
    let mut new: (Vec<&str>, Vec<&str>) = (
        kept().map(|(_, id)| id.as_str()).collect(),
        kept().filter_map(|(at, _)| versions.get(at).map(String::as_str)).collect(),
    );
    if new.0.is_empty() {
        new = (vec![base.0.as_str()], vec![base.1.as_str()]);
    }
    let mut set = |key: &str, texts: Vec<&str>| {
        let path: [PathStep; 2] = ["ruleset".into(), key.into()];
        document.set_at(&path, &texts.into_iter().collect::<toml_edit::Value>(), 1)
    };
    let done =
        set("extends", new.0).and_then(|()| if versions.is_empty() { Ok(()) } else { set("extends_version", new.1) });
    if done.is_ok() {
        *source = Source::new(source.file.clone(), document.text());
    }
}

/// The characters of a line from a column to another.
fn source_between(source: &Source, line: u32, from: u32, to: u32) -> String {
    let text = source.text.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default();
    text.chars().skip(from.saturating_sub(1) as usize).take(to.saturating_sub(from) as usize).collect()
}

trait AtFile {
    fn at_file_if_none(self, file: &Arc<str>) -> Self;
}

impl AtFile for Finding {
    fn at_file_if_none(mut self, file: &Arc<str>) -> Self {
        self.at.file.get_or_insert_with(|| file.clone());
        self
    }
}
