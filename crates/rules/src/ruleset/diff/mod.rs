//! Differences between two rulesets of a game: takes the sources of both with their layers, gives the differences in
//! the order of the first. Compares the merged TOML, before it is compiled, so that nothing is missed and a ruleset
//! with errors can be compared too.

mod steps;
mod values;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use moldloft_base::finding::{Finding, Place, Severity};
use moldloft_base::source::toml::{TomlEntry, TomlNode, TomlTable, TomlValue, parse};
use moldloft_base::source::{Source, Span};

use super::grammar::{KeySpec, SectionSpec, report_order, section, top_keys};
use super::inherit::resolve_inheritance;
use super::layers::{self, ChangeKind, LayerLog, LayerStatement, Quarantine, SeverityOverride, row_key, table_columns};
use super::problems::{Problems, shorten};
use values::{column_table, display_value, key_label, summarize, truncate, truncate_pair};

#[derive(Clone, Debug)]
pub struct Differences {
    /// The first as players name it: `Wars of Honor 1.0, version 1.0.0`.
    pub before: String,
    /// The second, in the same form.
    pub after: String,
    pub list: Vec<Difference>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// `system`, `check`, `ruleset`, `attributes`.
    pub section: String,
    /// `laser`
    pub id: String,
    /// `points`, `rows.haven laser-head.defence`; empty for a declaration that is new or removed.
    pub key: String,
    /// `None` if it is new.
    pub before: Option<String>,
    /// `None` if it was removed.
    pub after: Option<String>,
    /// As a sentence: `laser: points 10 → 12`.
    pub text: String,
    /// In the second ruleset; in the first for what was removed.
    pub at: Place,
    /// The system that a layer changed, if this one has the change because it is like that one.
    pub like: Option<String>,
}

struct MergedRuleset<'a> {
    root: TomlTable<'a>,
    header: TomlTable<'a>,
    ids: Vec<String>,
    sources: &'a [Source],
    /// System, the system that it is like, and the place: as written, before inheritance.
    inherits: Vec<(String, String, Span)>,
    statements: Vec<LayerStatement>,
    severity_overrides: Vec<SeverityOverride>,
}

/// Compares two rulesets; the sources of each are in the order of their layers, the ruleset itself last.
///
/// # Errors
/// Findings when one of them is not TOML, or when they are for different games.
pub fn differences(before: &[Source], after: &[Source]) -> Result<Differences, Vec<Finding>> {
    let (a, b) = (merge_layers(before)?, merge_layers(after)?);
    if a.ids.first() != b.ids.first() && !is_same_game(&a.root, &b.root) {
        let message = format!("cannot compare {} and {}: rules of different games", a.title(), b.title());
        let help = "compare two versions of one game's rules, or a ruleset and a layer over it";
        return Err(vec![Finding::error("different-games", message).help(help)]);
    }
    let mut removed: HashMap<(Arc<str>, Arc<str>), usize> = HashMap::new();
    for (n, one) in b.statements.iter().enumerate().filter(|(_, one)| one.kind == ChangeKind::Removed) {
        removed.entry((one.section.clone(), one.id.clone())).or_insert(n);
    }
    let index = layers::StatementIndex::new(&b.statements);
    let mut comparison = DiffBuilder { a: &a, b: &b, index, removed, list: Vec::new() };
    comparison.compare_all();
    Ok(Differences { before: a.title(), after: b.title(), list: comparison.list })
}

impl MergedRuleset<'_> {
    fn title(&self) -> String {
        let word = |key: &str| self.header.text(key).map_or_else(|| "?".to_owned(), shorten);
        format!("{}, version {}", word("title"), word("version"))
    }
}

fn merge_layers(sources: &[Source]) -> Result<MergedRuleset<'_>, Vec<Finding>> {
    let problems = Problems::new(sources);
    let mut trees = Vec::new();
    for (number, source) in sources.iter().enumerate() {
        let (root, faults) = parse(&source.text, u16::try_from(number).unwrap_or(u16::MAX));
        for fault in faults.iter().take(20) {
            problems.add(Finding::error("not-toml", format!("invalid TOML: {}", fault.message)), fault.span);
        }
        trees.push(root);
    }
    if !problems.is_usable() {
        return Err(problems.into_findings());
    }
    let quarantine = Quarantine::default();
    let log = LayerLog::new(sources, &problems, &quarantine, Vec::new());
    let mut header = TomlTable::default();
    let mut ids = Vec::new();
    let mut root = TomlTable::default();
    let mut removed = Vec::new();
    for (number, mut tree) in trees.into_iter().enumerate() {
        if let Some(entry) = tree.take("ruleset")
            && let TomlValue::Table(own) = entry.node.data
        {
            ids.extend(text_of(&own, "id"));
            // Keys that a layer leaves out are taken from the ruleset below.
            let below = std::mem::replace(&mut header, own);
            let more = below.entries.into_iter().filter(|entry| header_key(&entry.key).is_some_and(|key| !key.own));
            let more: Vec<_> = more.filter(|entry| header.get(&entry.key).is_none()).collect();
            header.entries.extend(more);
        }
        if number == 0 {
            root = tree;
        } else {
            layers::apply_layer(&mut root, tree, &mut removed, &log);
        }
    }
    let like = |node: &TomlNode<'_>| {
        let system = node.as_table()?;
        Some((text_of(system, "id")?, text_of(system, "like")?, system.get("like")?.span))
    };
    let inherits = root.list("system").iter().filter_map(like).collect();
    let _ = resolve_inheritance(&mut root, &mut removed, &problems);
    let (statements, severity_overrides, _) = log.into_parts();
    Ok(MergedRuleset { root, header, ids, sources, inherits, statements, severity_overrides })
}

fn text_of(table: &TomlTable<'_>, key: &str) -> Option<String> {
    table.text(key).map(str::to_owned)
}

/// Whether two rulesets share a third of their declarations: the same game under two ids.
fn is_same_game(a: &TomlTable<'_>, b: &TomlTable<'_>) -> bool {
    let (mut shared, mut all) = (0, 0);
    for section in report_order() {
        let (a, b) = (declarations(a, section), declarations(b, section));
        all += a.len().min(b.len());
        let known: HashSet<&String> = b.iter().map(|(id, _)| id).collect();
        shared += a.iter().filter(|(id, _)| known.contains(id)).count();
    }
    3 * shared >= all.max(1)
}

/// The declarations of a section with their ids; cost lines without an id have their number.
fn declarations<'n, 'a>(root: &'n TomlTable<'a>, section: &SectionSpec) -> Vec<(String, &'n TomlNode<'a>)> {
    let id = |node: &TomlNode<'_>| node.text_at(section.id().name).map(str::to_owned);
    let list = root.list(section.name).iter().enumerate();
    list.map(|(n, node)| (id(node).unwrap_or_else(|| (n + 1).to_string()), node)).collect()
}

fn header_key(name: &str) -> Option<&'static KeySpec> {
    section("ruleset")?.key(name)
}

/// The first index of each name.
fn index_by_name<'n, T: Eq + std::hash::Hash>(names: impl IntoIterator<Item = &'n T>) -> HashMap<&'n T, usize> {
    let mut places = HashMap::new();
    for (n, name) in names.into_iter().enumerate() {
        places.entry(name).or_insert(n);
    }
    places
}

/// The names that both have, in their order.
fn common_names(names: &[String], known: &HashMap<&String, usize>) -> Vec<String> {
    names.iter().filter(|name| known.contains_key(name)).cloned().collect()
}

struct DiffBuilder<'l, 'a> {
    a: &'l MergedRuleset<'a>,
    b: &'l MergedRuleset<'a>,
    /// The statements of the second's layers by place, and those that remove a declaration by its section and id.
    index: layers::StatementIndex,
    removed: HashMap<(Arc<str>, Arc<str>), usize>,
    list: Vec<Difference>,
}

/// The part that is being compared, as text and as data.
struct DiffPath<'s> {
    section: &'s str,
    id: &'s str,
    key: String,
    label: String,
}

impl DiffPath<'_> {
    fn child(&self, key: &str, label: &str) -> DiffPath<'_> {
        let joined = if self.key.is_empty() { key.to_owned() } else { format!("{}.{key}", self.key) };
        let label = match (self.key.is_empty(), label) {
            (_, "") => self.label.clone(),
            (true, label) => format!("{}: {label}", self.label),
            (false, label) => format!("{}, {label}", self.label),
        };
        DiffPath { section: self.section, id: self.id, key: joined, label }
    }

    /// An item of a list, by its name.
    fn item(&self, name: &str, label: String) -> DiffPath<'_> {
        DiffPath { section: self.section, id: self.id, key: format!("{}.{name}", self.key), label }
    }
}

/// A list whose items have names, in words.
struct NamedItems<'s> {
    path: &'s DiffPath<'s>,
    item: &'s dyn Fn(&str) -> DiffPath<'s>,
    new_text: &'s dyn Fn(&str, &TomlNode<'_>) -> String,
    /// Of the names that both have, in either order.
    order_text: &'s dyn Fn(&str, &str) -> String,
}

impl<'a> DiffBuilder<'_, 'a> {
    fn compare_all(&mut self) {
        let (a, b) = (self.a, self.b);
        // A layer over the first has a name and version of its own: both are at the top.
        let over =
            a.ids.last().is_some_and(|id| b.ids.contains(id)) || b.ids.last().is_some_and(|id| a.ids.contains(id));
        let own = |key: &str| key != "kind" && header_key(key).is_some_and(|key| key.own);
        let pick = |table: &TomlTable<'a>| -> TomlTable<'a> {
            let entries =
                table.entries.iter().filter(|entry| !(over && a.ids.last() != b.ids.last() && own(&entry.key)));
            TomlTable { span: table.span, entries: entries.cloned().collect() }
        };
        let path = DiffPath { section: "ruleset", id: "", key: String::new(), label: "ruleset".to_owned() };
        self.compare_tables(&path, &pick(&a.header), &pick(&b.header));
        let none = TomlTable::default();
        let top = |root: &TomlTable<'a>, key: &str| match root.get(key) {
            Some(TomlNode { data: TomlValue::Table(table), .. }) => Some(table.clone()),
            _ => None,
        };
        let (old, new) = (top(&a.root, "attributes"), top(&b.root, "attributes"));
        let path = DiffPath { section: "attributes", id: "", key: String::new(), label: "attributes".to_owned() };
        self.compare_tables(&path, old.as_ref().unwrap_or(&none), new.as_ref().unwrap_or(&none));
        for section in report_order() {
            self.compare_list(section);
            if section.name == "check" {
                self.compare_severities();
            }
        }
        let other = |root: &TomlTable<'a>| -> TomlTable<'a> {
            let known = |key: &str| key == "change" || top_keys().any(|known| known == key);
            let entries = root.entries.iter().filter(|entry| !known(&entry.key));
            TomlTable { span: root.span, entries: entries.cloned().collect() }
        };
        let path = DiffPath { section: "", id: "", key: String::new(), label: "file".to_owned() };
        self.compare_tables(&path, &other(&a.root), &other(&b.root));
    }

    fn compare_list(&mut self, section: &SectionSpec) {
        let word = section.name;
        let (old, new) = (declarations(&self.a.root, section), declarations(&self.b.root, section));
        let (in_old, in_new) =
            (index_by_name(old.iter().map(|(id, _)| id)), index_by_name(new.iter().map(|(id, _)| id)));
        for (id, node) in &old {
            let label = match word {
                "system" => id.clone(),
                "cost" => format!("cost line {id}"),
                word => format!("{word} {id}"),
            };
            match in_new.get(id).map(|n| &new[*n]) {
                Some((_, other)) => {
                    let path = DiffPath { section: word, id, key: String::new(), label };
                    if word == "system" {
                        self.compare_like(&path, other.span);
                    }
                    self.compare_nodes(&path, node, other);
                }
                None => {
                    let path = DiffPath { section: word, id, key: String::new(), label };
                    let text = if word == "system" {
                        format!("system {} removed", path.label)
                    } else {
                        format!("{} removed", path.label)
                    };
                    self.add(&path, Some(display_value(node)), None, text, (false, node.span));
                }
            }
        }
        for (id, node) in new.iter().filter(|(id, _)| !in_old.contains_key(id)) {
            let path = DiffPath { section: word, id, key: String::new(), label: String::new() };
            let line = if word == "cost" { "cost line" } else { word };
            let what = summarize(node);
            let text = if what.is_empty() { format!("new {line} {id}") } else { format!("new {line} {id}: {what}") };
            self.add(&path, None, Some(display_value(node)), text, (true, node.span));
        }
        let order = |one: &[(String, &TomlNode<'_>)], other: &HashMap<&String, usize>| -> Vec<String> {
            let both = one.iter().filter(|(id, _)| other.contains_key(id));
            both.map(|(id, _)| id.clone()).collect()
        };
        let (before, after) = (order(&old, &in_new), order(&new, &in_old));
        if before != after
            && let Some((_, node)) = new.first()
        {
            let path = DiffPath { section: word, id: "", key: String::new(), label: String::new() };
            let first = before.iter().zip(&after).position(|(a, b)| a != b).unwrap_or(0);
            let cut =
                |ids: &[String]| ids[first.min(ids.len())..].iter().take(3).cloned().collect::<Vec<_>>().join(", ");
            let text = format!("the order of [[{word}]] changed: {} … → {} …", cut(&before), cut(&after));
            self.add(&path, Some(before.join(", ")), Some(after.join(", ")), text, (true, node.span));
        }
    }

    fn add(
        &mut self,
        path: &DiffPath<'_>,
        before: Option<String>,
        after: Option<String>,
        text: String,
        (new, span): (bool, Span),
    ) {
        let sources = if new { self.b.sources } else { self.a.sources };
        let through = self.inherited_from(path, new && after.is_some(), span);
        let text = match &through {
            Some(id) => format!("{text} (like {id})"),
            None => text,
        };
        let text = match self.change_reason(path, after.is_some(), span) {
            Some(why) if !text.ends_with(&format!("({why})")) => format!("{text} ({why})"),
            _ => text,
        };
        let at = sources.get(usize::from(span.file)).map(|source| source.place(span)).unwrap_or_default();
        let (word, id, key) = (path.section.to_owned(), path.id.to_owned(), path.key.clone());
        self.list.push(Difference { section: word, id, key, before, after, text, at, like: through });
    }

    /// The changed system that this one inherits the change from.
    fn inherited_from(&self, path: &DiffPath<'_>, new: bool, span: Span) -> Option<String> {
        if path.section != "system" || !new {
            return None;
        }
        let statement = self.index.smallest_at(&self.b.statements, span)?;
        let other = &*statement.section == "system" && !statement.id.is_empty() && *statement.id != *path.id;
        other.then(|| statement.id.to_string())
    }

    /// Compares `like`; inherited keys are compared as the system's own.
    fn compare_like(&mut self, path: &DiffPath<'_>, thing: Span) {
        let find = |likes: &[(String, String, Span)]| {
            likes.iter().find(|(id, ..)| *id == *path.id).map(|(_, like, span)| (like.clone(), *span))
        };
        let (old, new) = (find(&self.a.inherits), find(&self.b.inherits));
        let word = |one: &Option<(String, Span)>| one.as_ref().map(|(like, _)| like.clone());
        if word(&old) != word(&new) {
            let shown = |one: &Option<(String, Span)>| word(one).unwrap_or_else(|| "none".to_owned());
            let text = format!("{}: like {} → {}", path.label, shown(&old), shown(&new));
            let span = new.as_ref().map_or(thing, |(_, span)| *span);
            self.add(&path.child("like", "like"), word(&old), word(&new), text, (true, span));
        }
    }

    /// The reason that the second ruleset's layers give.
    fn change_reason(&self, path: &DiffPath<'_>, there: bool, span: Span) -> Option<String> {
        let statement = match there {
            true => self.index.smallest_at(&self.b.statements, span),
            false => {
                let thing: (Arc<str>, Arc<str>) = (path.section.into(), path.id.into());
                self.removed.get(&thing).map(|n| &self.b.statements[*n])
            }
        };
        statement.and_then(|one| one.reason.as_ref()).map(|why| shorten(why))
    }

    /// Compares severity overrides of built-in findings.
    fn compare_severities(&mut self) {
        let find = |list: &[SeverityOverride], code: &str| list.iter().find(|one| *one.code == *code).cloned();
        let codes = self.a.severity_overrides.iter().chain(&self.b.severity_overrides).map(|one| one.code.to_string());
        for code in codes.collect::<std::collections::BTreeSet<_>>() {
            let (old, new) = (find(&self.a.severity_overrides, &code), find(&self.b.severity_overrides, &code));
            let word = |one: &Option<SeverityOverride>| match one {
                Some(one) => one.severity.map_or("off", Severity::as_str),
                None => "default",
            };
            let (before, after) = (word(&old), word(&new));
            let why = |one: &Option<SeverityOverride>| one.as_ref().map(|one| one.reason.clone());
            if before == after && why(&old) == why(&new) {
                continue;
            }
            let reason = why(&new).map(|why| format!(" ({})", shorten(&why))).unwrap_or_default();
            let path = DiffPath { section: "check", id: &code, key: "severity".to_owned(), label: String::new() };
            let text = format!("check {code}: {before} → {after}{reason}");
            let span = new.as_ref().or(old.as_ref()).map_or(Span::default(), |one| one.span);
            self.add(&path, Some(before.to_owned()), Some(after.to_owned()), text, (new.is_some(), span));
        }
    }

    fn compare_nodes(&mut self, path: &DiffPath<'_>, a: &TomlNode<'a>, b: &TomlNode<'a>) {
        match (&a.data, &b.data) {
            (TomlValue::Table(a), TomlValue::Table(b)) => self.compare_tables(path, a, b),
            _ if a.has_same_value(b) => {}
            _ => {
                let (old, new) = (display_value(a), display_value(b));
                let (short, long) = truncate_pair(&old, &new);
                let text = format!("{} {short} → {long}", path.label);
                self.add(path, Some(old), Some(new), text, (true, b.span));
            }
        }
    }

    fn compare_tables(&mut self, path: &DiffPath<'_>, a: &TomlTable<'a>, b: &TomlTable<'a>) {
        let (in_a, in_b) =
            (index_by_name(a.entries.iter().map(|e| &e.key)), index_by_name(b.entries.iter().map(|e| &e.key)));
        let severity =
            a.get("severity").zip(b.get("severity")).filter(|(a, b)| path.key.is_empty() && !a.has_same_value(b));
        for entry in &a.entries {
            let (key, node) = (entry.key.as_ref(), &entry.node);
            let inner = path.child(key, &key_label(&path.key, key));
            match in_b.get(&entry.key).map(|n| &b.entries[*n].node) {
                _ if key == "reason" && severity.is_some() => {}
                Some(other) if key == "severity" && severity.is_some() => {
                    let (old, new) = (display_value(node), display_value(other));
                    let why = text_of(b, "reason").map(|why| format!(" ({})", shorten(&why))).unwrap_or_default();
                    let text = format!("{}: {old} → {new}{why}", path.label);
                    self.add(&inner, Some(old), Some(new), text, (true, other.span));
                }
                Some(other) => match (&node.data, &other.data) {
                    (TomlValue::List(old), TomlValue::List(new)) if key == "rows" && path.key.is_empty() => {
                        self.compare_rows(&inner, (a, old), (b, new))
                    }
                    (TomlValue::List(old), TomlValue::List(new)) if key == "columns" && path.key.is_empty() => {
                        self.compare_columns(&inner, old, new)
                    }
                    (TomlValue::List(old), TomlValue::List(new))
                        if ["attack", "routine"].contains(&path.section) && ["step", "each"].contains(&key) =>
                    {
                        self.compare_steps(&inner, old, new)
                    }
                    _ => self.compare_nodes(&inner, node, other),
                },
                None => {
                    let text = format!("{} {} → none", inner.label, truncate(&display_value(node)));
                    self.add(&inner, Some(display_value(node)), None, text, (false, node.span));
                }
            }
        }
        for TomlEntry { key, node, .. } in b.entries.iter().filter(|entry| !in_a.contains_key(&entry.key)) {
            if key == "reason" && severity.is_some() {
                continue;
            }
            let inner = path.child(key, &key_label(&path.key, key));
            let text = match path.key.as_str() {
                "options" | "parameters" => {
                    let known = path.child(key, &format!("new {}", key_label(&path.key, key)));
                    format!("{}: {}", known.label, summarize(node))
                }
                _ => format!("{} none → {}", inner.label, truncate(&display_value(node))),
            };
            self.add(&inner, None, Some(display_value(node)), text, (true, node.span));
        }
    }

    /// By id; columns that are only a name are compared as tables.
    fn compare_columns(&mut self, path: &DiffPath<'_>, a: &[TomlNode<'a>], b: &[TomlNode<'a>]) {
        let id = |node: &TomlNode<'_>| match &node.data {
            TomlValue::Text(text) => text.to_string(),
            TomlValue::Table(table) => text_of(table, "id").unwrap_or_default(),
            _ => String::new(),
        };
        let (old, new): (Vec<String>, Vec<String>) = (a.iter().map(id).collect(), b.iter().map(id).collect());
        let label = |new: &str, column: &str| path.label.replace("columns", &format!("{new}column {column}"));
        let items = NamedItems {
            path,
            item: &|column| path.item(column, label("", column)),
            new_text: &|column, _| label("new ", column),
            order_text: &|before, after| format!("{} {before} → {after}", path.label),
        };
        self.compare_named(&items, (&old, a), (&new, b), &mut |diff, path, a, b| {
            diff.compare_nodes(path, &column_table(a), &column_table(b));
        });
    }

    /// By name: what is gone, what has changed, what is new, and another order.
    fn compare_named(
        &mut self,
        items: &NamedItems<'_>,
        (old, a): (&[String], &[TomlNode<'a>]),
        (new, b): (&[String], &[TomlNode<'a>]),
        compare: &mut dyn FnMut(&mut Self, &DiffPath<'_>, &TomlNode<'a>, &TomlNode<'a>),
    ) {
        let (in_old, in_new) = (index_by_name(old), index_by_name(new));
        for (name, node) in old.iter().zip(a) {
            let path = (items.item)(name);
            match in_new.get(name) {
                Some(other) => compare(self, &path, node, &b[*other]),
                None => {
                    let text = format!("{} removed", path.label);
                    self.add(&path, Some(display_value(node)), None, text, (false, node.span));
                }
            }
        }
        for (name, node) in new.iter().zip(b).filter(|(name, _)| !in_old.contains_key(name)) {
            let text = (items.new_text)(name, node);
            self.add(&(items.item)(name), None, Some(display_value(node)), text, (true, node.span));
        }
        let (before, after) = (common_names(old, &in_new), common_names(new, &in_old));
        if before != after
            && let Some(first) = b.first()
        {
            let (before, after) = (before.join(", "), after.join(", "));
            let text = (items.order_text)(&before, &after);
            self.add(items.path, Some(before), Some(after), text, (true, first.span));
        }
    }

    /// By their keys, or by number in tables without keys.
    fn compare_rows(
        &mut self,
        path: &DiffPath<'_>,
        (at, a): (&TomlTable<'a>, &[TomlNode<'a>]),
        (bt, b): (&TomlTable<'a>, &[TomlNode<'a>]),
    ) {
        let (old, new) = (table_columns(at), table_columns(bt));
        let names = |rows: &[TomlNode<'a>], columns: &[(String, bool)]| -> Vec<String> {
            rows.iter().map(|row| row_key(row, columns)).collect()
        };
        let distinct = |names: &[String]| {
            let set: std::collections::BTreeSet<&String> = names.iter().collect();
            set.len() == names.len() && !set.iter().any(|name| name.is_empty())
        };
        let (mut first, mut second) = (names(a, &old), names(b, &new));
        if !(distinct(&first) && distinct(&second)) {
            first = (1..=a.len()).map(|n| n.to_string()).collect();
            second = (1..=b.len()).map(|n| n.to_string()).collect();
        }
        let base = path.label.strip_suffix(": rows").unwrap_or(&path.label);
        let items = NamedItems {
            path,
            item: &|name| path.item(name, format!("{base}, row {name}")),
            new_text: &|name, row| format!("{base}, new row {name}: {}", truncate(&display_value(row))),
            order_text: &|_, _| format!("{base}: the order of the rows changed"),
        };
        self.compare_named(&items, (&first, a), (&second, b), &mut |diff, path, a, b| {
            diff.compare_cells(path, (&old, a), (&new, b));
        });
    }

    fn compare_cells(
        &mut self,
        path: &DiffPath<'_>,
        (old, a): (&[(String, bool)], &TomlNode<'a>),
        (new, b): (&[(String, bool)], &TomlNode<'a>),
    ) {
        let (TomlValue::List(a_cells), TomlValue::List(b_cells)) = (&a.data, &b.data) else {
            return self.compare_nodes(path, a, b);
        };
        if a_cells.len() != old.len() || b_cells.len() != new.len() {
            return self.compare_nodes(path, a, b);
        }
        for (n, (column, _)) in new.iter().enumerate() {
            let inner = path.item(column, format!("{}: {column}", path.label));
            match old.iter().position(|(known, _)| known == column) {
                Some(at) => self.compare_nodes(&inner, &a_cells[at], &b_cells[n]),
                None => {
                    let text = format!("{} none → {}", inner.label, truncate(&display_value(&b_cells[n])));
                    self.add(&inner, None, Some(display_value(&b_cells[n])), text, (true, b_cells[n].span));
                }
            }
        }
    }
}
