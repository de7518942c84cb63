//! What differs between two rulesets of a game, in words: takes the sources of both with their layers, gives the differences
//! in the order of the first. Works on the texts laid together, before anything is compiled, so that nothing is passed over and
//! a ruleset with faults can be compared too.

mod values;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::finding::{Finding, Place, Severity};
use crate::source::toml::{Data, Entry, Node, Table, parse};
use crate::source::{Source, Span};

use super::layers::{self, LISTS, Laid, LeftOut, Softened, Sort, Statement, named, row_columns, row_name};
use super::reader::{Problems, brief};
use super::settle::settle;
use values::{apart, as_table, contents, cut, show, spoken};

pub(super) use values::same;

/// Two rulesets, compared.
#[derive(Clone, Debug)]
pub struct Differences {
    /// The first, as a player calls it: `Wars of Honor 1.0, version 1.0.0`.
    pub before: String,
    /// The second.
    pub after: String,
    /// What differs.
    pub list: Vec<Difference>,
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// `system`, `check`, `ruleset`, `attributes`.
    pub word: String,
    /// Of which thing: `laser`.
    pub id: String,
    /// Of which key: `points`, `rows.haven laser-head.defence`; empty for a thing that is new or gone.
    pub key: String,
    /// As it was; `None` where it was not.
    pub before: Option<String>,
    /// As it is.
    pub after: Option<String>,
    /// In words: `laser: points 10 → 12`.
    pub text: String,
    /// Where the second ruleset says so; where the first did, when the second does not.
    pub at: Place,
    /// Of a system that is like another: the one that a layer changed, and this one with it.
    pub like: Option<String>,
}

/// A ruleset laid together.
struct Whole<'a> {
    root: Table<'a>,
    header: Table<'a>,
    ids: Vec<String>,
    sources: &'a [Source],
    /// Which system each is like, before what it takes over is put into it.
    likes: Vec<(String, String, Span)>,
    statements: Vec<Statement>,
    softened: Vec<Softened>,
}

/// Compares two rulesets, each with what it extends before itself.
///
/// # Errors
/// Findings when one of them is no TOML, or when they are rules of different games.
pub fn differences(before: &[Source], after: &[Source]) -> Result<Differences, Vec<Finding>> {
    let (a, b) = (lay(before)?, lay(after)?);
    if a.ids.first() != b.ids.first() && !alike(&a.root, &b.root) {
        let message = format!("cannot compare {} and {}: rules of different games", a.title(), b.title());
        let help = "compare two versions of one game's rules, or a ruleset and a layer over it";
        return Err(vec![Finding::error("different-games", message).help(help)]);
    }
    let mut removed: HashMap<(Arc<str>, Arc<str>), usize> = HashMap::new();
    for (n, one) in b.statements.iter().enumerate().filter(|(_, one)| one.sort == Sort::Removed) {
        removed.entry((one.word.clone(), one.id.clone())).or_insert(n);
    }
    let index = layers::Index::new(&b.statements);
    let mut comparison = Comparison { a: &a, b: &b, index, removed, list: Vec::new() };
    comparison.whole();
    Ok(Differences { before: a.title(), after: b.title(), list: comparison.list })
}

impl Whole<'_> {
    fn title(&self) -> String {
        let word = |key: &str| match self.header.get(key).map(|node| &node.data) {
            Some(Data::Text(text)) => brief(text),
            _ => "?".to_owned(),
        };
        format!("{}, version {}", word("title"), word("version"))
    }
}

fn lay(sources: &[Source]) -> Result<Whole<'_>, Vec<Finding>> {
    let problems = Problems::new(sources);
    let mut trees = Vec::new();
    for (number, source) in sources.iter().enumerate() {
        let (root, faults) = parse(&source.text, u16::try_from(number).unwrap_or(u16::MAX));
        for fault in faults.iter().take(20) {
            problems.add(Finding::error("not-toml", format!("invalid TOML: {}", fault.message)), fault.span);
        }
        trees.push(root);
    }
    if !problems.none() {
        return Err(problems.into_found());
    }
    let left_out = LeftOut::default();
    let laid = Laid::new(sources, &problems, &left_out, Vec::new());
    let mut header = Table::default();
    let mut ids = Vec::new();
    let mut root = Table::default();
    for (number, mut tree) in trees.into_iter().enumerate() {
        if let Some(at) = tree.entries.iter().position(|entry| entry.key == "ruleset")
            && let Data::Table(own) = tree.entries.remove(at).node.data
        {
            ids.extend(named_text(&own, "id"));
            // What a layer does not say of itself, the ruleset below says.
            let kept = ["about", "credit", "source", "terms", "own_systems"];
            let below = std::mem::replace(&mut header, own);
            let more = below.entries.into_iter().filter(|entry| kept.contains(&entry.key.as_ref()));
            let more: Vec<_> = more.filter(|entry| header.get(&entry.key).is_none()).collect();
            header.entries.extend(more);
        }
        if number == 0 {
            root = tree;
        } else {
            layers::lay(&mut root, tree, &laid);
        }
    }
    let like = |node: &Node<'_>| match &node.data {
        Data::Table(table) => Some((named_text(table, "id")?, named_text(table, "like")?, table.get("like")?.span)),
        _ => None,
    };
    let likes = match root.get("system").map(|node| &node.data) {
        Some(Data::List(list)) => list.iter().filter_map(like).collect(),
        _ => Vec::new(),
    };
    settle(&mut root, &problems);
    let (statements, softened, _) = laid.into_parts();
    Ok(Whole { root, header, ids, sources, likes, statements, softened })
}

fn named_text(table: &Table<'_>, key: &str) -> Option<String> {
    match table.get(key).map(|node| &node.data) {
        Some(Data::Text(text)) => Some(text.to_string()),
        _ => None,
    }
}

/// Whether two rulesets share a third of their things: the same game under two ids.
fn alike(a: &Table<'_>, b: &Table<'_>) -> bool {
    let (mut shared, mut all) = (0, 0);
    for (word, key) in LISTS {
        let (a, b) = (things(a, word, key), things(b, word, key));
        all += a.len().min(b.len());
        let known: HashSet<&String> = b.iter().map(|(id, _)| id).collect();
        shared += a.iter().filter(|(id, _)| known.contains(id)).count();
    }
    3 * shared >= all.max(1)
}

/// The things of a word with their ids; cost lines without one are called by their number.
fn things<'n, 'a>(root: &'n Table<'a>, word: &str, key: &str) -> Vec<(String, &'n Node<'a>)> {
    match root.get(word).map(|node| &node.data) {
        Some(Data::List(list)) => list
            .iter()
            .enumerate()
            .map(|(n, node)| (named(node, key).map_or_else(|| (n + 1).to_string(), str::to_owned), node))
            .collect(),
        _ => Vec::new(),
    }
}

/// Where each name stands first.
fn by_name<'n, T: Eq + std::hash::Hash>(names: impl IntoIterator<Item = &'n T>) -> HashMap<&'n T, usize> {
    let mut places = HashMap::new();
    for (n, name) in names.into_iter().enumerate() {
        places.entry(name).or_insert(n);
    }
    places
}

/// The names that are known elsewhere too, in their order.
fn shared(names: &[String], known: &HashMap<&String, usize>) -> Vec<String> {
    names.iter().filter(|name| known.contains_key(name)).cloned().collect()
}

struct Comparison<'l, 'a> {
    a: &'l Whole<'a>,
    b: &'l Whole<'a>,
    /// The statements of the second's layers by their place, and those that take a thing out by its word and id.
    index: layers::Index,
    removed: HashMap<(Arc<str>, Arc<str>), usize>,
    list: Vec<Difference>,
}

/// Of what is being compared, in words and as data.
struct Of<'s> {
    word: &'s str,
    id: &'s str,
    key: String,
    said: String,
}

impl Of<'_> {
    fn within(&self, key: &str, said: &str) -> Of<'_> {
        let joined = if self.key.is_empty() { key.to_owned() } else { format!("{}.{key}", self.key) };
        let said = match (self.key.is_empty(), said) {
            (_, "") => self.said.clone(),
            (true, said) => format!("{}: {said}", self.said),
            (false, said) => format!("{}, {said}", self.said),
        };
        Of { word: self.word, id: self.id, key: joined, said }
    }
}

impl<'a> Comparison<'_, 'a> {
    fn whole(&mut self) {
        let (a, b) = (self.a, self.b);
        // A layer over the first bears its own name and number: both are said at the top.
        let over =
            a.ids.last().is_some_and(|id| b.ids.contains(id)) || b.ids.last().is_some_and(|id| a.ids.contains(id));
        let own = ["id", "title", "version", "schema", "extends", "extends_version"];
        let pick = |table: &Table<'a>| -> Table<'a> {
            let entries = table
                .entries
                .iter()
                .filter(|entry| !(over && a.ids.last() != b.ids.last() && own.contains(&entry.key.as_ref())));
            Table { span: table.span, entries: entries.cloned().collect() }
        };
        let of = Of { word: "ruleset", id: "", key: String::new(), said: "ruleset".to_owned() };
        self.tables(&of, &pick(&a.header), &pick(&b.header));
        let none = Table::default();
        let top = |root: &Table<'a>, key: &str| match root.get(key) {
            Some(Node { data: Data::Table(table), .. }) => Some(table.clone()),
            _ => None,
        };
        let (old, new) = (top(&a.root, "attributes"), top(&b.root, "attributes"));
        let of = Of { word: "attributes", id: "", key: String::new(), said: "attributes".to_owned() };
        self.tables(&of, old.as_ref().unwrap_or(&none), new.as_ref().unwrap_or(&none));
        for (word, key) in LISTS {
            self.list(word, key);
            if word == "check" {
                self.softened();
            }
        }
        let other = |root: &Table<'a>| -> Table<'a> {
            let known = |key: &str| {
                ["ruleset", "attributes", "change"].contains(&key) || LISTS.iter().any(|(word, _)| *word == key)
            };
            let entries = root.entries.iter().filter(|entry| !known(&entry.key));
            Table { span: root.span, entries: entries.cloned().collect() }
        };
        let of = Of { word: "", id: "", key: String::new(), said: "file".to_owned() };
        self.tables(&of, &other(&a.root), &other(&b.root));
    }

    fn list(&mut self, word: &str, key: &str) {
        let (old, new) = (things(&self.a.root, word, key), things(&self.b.root, word, key));
        let (in_old, in_new) = (by_name(old.iter().map(|(id, _)| id)), by_name(new.iter().map(|(id, _)| id)));
        for (id, node) in &old {
            let said = match word {
                "system" => id.clone(),
                "cost" => format!("cost line {id}"),
                word => format!("{word} {id}"),
            };
            match in_new.get(id).map(|n| &new[*n]) {
                Some((_, other)) => {
                    let of = Of { word, id, key: String::new(), said };
                    if word == "system" {
                        self.like(&of, other.span);
                    }
                    self.nodes(&of, node, other);
                }
                None => {
                    let of = Of { word, id, key: String::new(), said };
                    let text = if word == "system" {
                        format!("system {} removed", of.said)
                    } else {
                        format!("{} removed", of.said)
                    };
                    self.push(&of, Some(show(node)), None, text, (false, node.span));
                }
            }
        }
        for (id, node) in new.iter().filter(|(id, _)| !in_old.contains_key(id)) {
            let of = Of { word, id, key: String::new(), said: String::new() };
            let line = if word == "cost" { "cost line" } else { word };
            let what = contents(node);
            let text = if what.is_empty() { format!("new {line} {id}") } else { format!("new {line} {id}: {what}") };
            self.push(&of, None, Some(show(node)), text, (true, node.span));
        }
        let order = |one: &[(String, &Node<'_>)], other: &HashMap<&String, usize>| -> Vec<String> {
            let both = one.iter().filter(|(id, _)| other.contains_key(id));
            both.map(|(id, _)| id.clone()).collect()
        };
        let (before, after) = (order(&old, &in_new), order(&new, &in_old));
        if before != after
            && let Some((_, node)) = new.first()
        {
            let of = Of { word, id: "", key: String::new(), said: String::new() };
            let first = before.iter().zip(&after).position(|(a, b)| a != b).unwrap_or(0);
            let cut =
                |ids: &[String]| ids[first.min(ids.len())..].iter().take(3).cloned().collect::<Vec<_>>().join(", ");
            let text = format!("the order of [[{word}]] changed: {} … → {} …", cut(&before), cut(&after));
            self.push(&of, Some(before.join(", ")), Some(after.join(", ")), text, (true, node.span));
        }
    }

    fn push(
        &mut self,
        of: &Of<'_>,
        before: Option<String>,
        after: Option<String>,
        text: String,
        (new, span): (bool, Span),
    ) {
        let sources = if new { self.b.sources } else { self.a.sources };
        let through = self.through(of, new && after.is_some(), span);
        let text = match &through {
            Some(id) => format!("{text} (like {id})"),
            None => text,
        };
        let text = match self.reason(of, after.is_some(), span) {
            Some(why) if !text.ends_with(&format!("({why})")) => format!("{text} ({why})"),
            _ => text,
        };
        let at = sources.get(usize::from(span.file)).map(|source| source.place(span)).unwrap_or_default();
        let (word, id, key) = (of.word.to_owned(), of.id.to_owned(), of.key.clone());
        self.list.push(Difference { word, id, key, before, after, text, at, like: through });
    }

    /// The system that a layer changed, where another has the change because it is like that one.
    fn through(&self, of: &Of<'_>, new: bool, span: Span) -> Option<String> {
        if of.word != "system" || !new {
            return None;
        }
        let statement = self.index.of(&self.b.statements, span)?;
        let other = &*statement.word == "system" && !statement.id.is_empty() && *statement.id != *of.id;
        other.then(|| statement.id.to_string())
    }

    /// Which system it is like; what it takes over from it is compared with its own keys.
    fn like(&mut self, of: &Of<'_>, thing: Span) {
        let find = |likes: &[(String, String, Span)]| {
            likes.iter().find(|(id, ..)| *id == *of.id).map(|(_, like, span)| (like.clone(), *span))
        };
        let (old, new) = (find(&self.a.likes), find(&self.b.likes));
        let word = |one: &Option<(String, Span)>| one.as_ref().map(|(like, _)| like.clone());
        if word(&old) != word(&new) {
            let shown = |one: &Option<(String, Span)>| word(one).unwrap_or_else(|| "none".to_owned());
            let text = format!("{}: like {} → {}", of.said, shown(&old), shown(&new));
            let span = new.as_ref().map_or(thing, |(_, span)| *span);
            self.push(&of.within("like", "like"), word(&old), word(&new), text, (true, span));
        }
    }

    /// Why, as the second ruleset's layers say.
    fn reason(&self, of: &Of<'_>, there: bool, span: Span) -> Option<String> {
        let statement = match there {
            true => self.index.of(&self.b.statements, span),
            false => {
                let thing: (Arc<str>, Arc<str>) = (of.word.into(), of.id.into());
                self.removed.get(&thing).map(|n| &self.b.statements[*n])
            }
        };
        statement.and_then(|one| one.reason.as_ref()).map(|why| brief(why))
    }

    /// Findings of the program's own that a layer of one of the two sees otherwise.
    fn softened(&mut self) {
        let find = |list: &[Softened], code: &str| list.iter().find(|one| *one.code == *code).cloned();
        let codes = self.a.softened.iter().chain(&self.b.softened).map(|one| one.code.to_string());
        for code in codes.collect::<std::collections::BTreeSet<_>>() {
            let (old, new) = (find(&self.a.softened, &code), find(&self.b.softened, &code));
            let word = |one: &Option<Softened>| match one {
                Some(one) => one.severity.map_or("off", Severity::word),
                None => "default",
            };
            let (before, after) = (word(&old), word(&new));
            let why = |one: &Option<Softened>| one.as_ref().map(|one| one.reason.clone());
            if before == after && why(&old) == why(&new) {
                continue;
            }
            let reason = why(&new).map(|why| format!(" ({})", brief(&why))).unwrap_or_default();
            let of = Of { word: "check", id: &code, key: "severity".to_owned(), said: String::new() };
            let text = format!("check {code}: {before} → {after}{reason}");
            let span = new.as_ref().or(old.as_ref()).map_or(Span::default(), |one| one.span);
            self.push(&of, Some(before.to_owned()), Some(after.to_owned()), text, (new.is_some(), span));
        }
    }

    fn nodes(&mut self, of: &Of<'_>, a: &Node<'a>, b: &Node<'a>) {
        match (&a.data, &b.data) {
            (Data::Table(a), Data::Table(b)) => self.tables(of, a, b),
            _ if same(a, b) => {}
            _ => {
                let (old, new) = (show(a), show(b));
                let (short, long) = apart(&old, &new);
                let text = format!("{} {short} → {long}", of.said);
                self.push(of, Some(old), Some(new), text, (true, b.span));
            }
        }
    }

    fn tables(&mut self, of: &Of<'_>, a: &Table<'a>, b: &Table<'a>) {
        let (in_a, in_b) = (by_name(a.entries.iter().map(|e| &e.key)), by_name(b.entries.iter().map(|e| &e.key)));
        let severity = a.get("severity").zip(b.get("severity")).filter(|(a, b)| of.key.is_empty() && !same(a, b));
        for entry in &a.entries {
            let (key, node) = (entry.key.as_ref(), &entry.node);
            let inner = of.within(key, &spoken(&of.key, key));
            match in_b.get(&entry.key).map(|n| &b.entries[*n].node) {
                _ if key == "reason" && severity.is_some() => {}
                Some(other) if key == "severity" && severity.is_some() => {
                    let (old, new) = (show(node), show(other));
                    let why = named_text(b, "reason").map(|why| format!(" ({})", brief(&why))).unwrap_or_default();
                    let text = format!("{}: {old} → {new}{why}", of.said);
                    self.push(&inner, Some(old), Some(new), text, (true, other.span));
                }
                Some(other) => match (&node.data, &other.data) {
                    (Data::List(old), Data::List(new)) if key == "rows" && of.key.is_empty() => {
                        self.rows(&inner, (a, old), (b, new))
                    }
                    (Data::List(old), Data::List(new)) if key == "columns" && of.key.is_empty() => {
                        self.columns(&inner, old, new)
                    }
                    _ => self.nodes(&inner, node, other),
                },
                None => {
                    let text = format!("{} {} → none", inner.said, cut(&show(node)));
                    self.push(&inner, Some(show(node)), None, text, (false, node.span));
                }
            }
        }
        for Entry { key, node, .. } in b.entries.iter().filter(|entry| !in_a.contains_key(&entry.key)) {
            if key == "reason" && severity.is_some() {
                continue;
            }
            let inner = of.within(key, &spoken(&of.key, key));
            let text = match of.key.as_str() {
                "options" | "parameters" => {
                    let known = of.within(key, &format!("new {}", spoken(&of.key, key)));
                    format!("{}: {}", known.said, contents(node))
                }
                _ => format!("{} none → {}", inner.said, cut(&show(node))),
            };
            self.push(&inner, None, Some(show(node)), text, (true, node.span));
        }
    }

    /// Columns by their id; those of tables that are only names compare as such.
    fn columns(&mut self, of: &Of<'_>, a: &[Node<'a>], b: &[Node<'a>]) {
        let id = |node: &Node<'_>| match &node.data {
            Data::Text(text) => text.to_string(),
            Data::Table(table) => named_text(table, "id").unwrap_or_default(),
            _ => String::new(),
        };
        let (old, new): (Vec<String>, Vec<String>) = (a.iter().map(id).collect(), b.iter().map(id).collect());
        let (in_old, in_new) = (by_name(&old), by_name(&new));
        for (n, column) in old.iter().enumerate() {
            let said = Of {
                word: of.word,
                id: of.id,
                key: format!("{}.{column}", of.key),
                said: of.said.replace("columns", &format!("column {column}")),
            };
            match in_new.get(column).copied() {
                Some(other) => self.nodes(&said, &as_table(&a[n]), &as_table(&b[other])),
                None => {
                    let text = format!("{} removed", said.said);
                    self.push(&said, Some(show(&a[n])), None, text, (false, a[n].span));
                }
            }
        }
        for (n, column) in new.iter().enumerate().filter(|(_, column)| !in_old.contains_key(column)) {
            let said = Of {
                word: of.word,
                id: of.id,
                key: format!("{}.{column}", of.key),
                said: of.said.replace("columns", &format!("new column {column}")),
            };
            let text = said.said.clone();
            self.push(&said, None, Some(show(&b[n])), text, (true, b[n].span));
        }
        let (before, after) = (shared(&old, &in_new), shared(&new, &in_old));
        if before != after
            && let Some(first) = b.first()
        {
            let (before, after) = (before.join(", "), after.join(", "));
            let text = format!("{} {before} → {after}", of.said);
            self.push(of, Some(before), Some(after), text, (true, first.span));
        }
    }

    /// Rows by the words of their key, else by their number.
    fn rows(&mut self, of: &Of<'_>, (at, a): (&Table<'a>, &[Node<'a>]), (bt, b): (&Table<'a>, &[Node<'a>])) {
        let (old, new) = (row_columns(at), row_columns(bt));
        let names = |rows: &[Node<'a>], columns: &[(String, bool)]| -> Vec<String> {
            rows.iter().map(|row| row_name(row, columns)).collect()
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
        let (in_first, in_second) = (by_name(&first), by_name(&second));
        let base = of.said.strip_suffix(": rows").unwrap_or(&of.said).to_owned();
        let row_of = |name: &str| Of {
            word: of.word,
            id: of.id,
            key: format!("{}.{name}", of.key),
            said: format!("{base}, row {name}"),
        };
        for (name, row) in first.iter().zip(a) {
            let row_of = row_of(name);
            let Some(&other) = in_second.get(name) else {
                let text = format!("{} removed", row_of.said);
                self.push(&row_of, Some(show(row)), None, text, (false, row.span));
                continue;
            };
            self.cells(&row_of, (&old, row), (&new, &b[other]));
        }
        for (name, row) in second.iter().zip(b).filter(|(name, _)| !in_first.contains_key(name)) {
            let row_of = row_of(name);
            let text = format!("{base}, new row {name}: {}", cut(&show(row)));
            self.push(&row_of, None, Some(show(row)), text, (true, row.span));
        }
        let (before, after) = (shared(&first, &in_second), shared(&second, &in_first));
        if before != after
            && let Some(first) = b.first()
        {
            let text = format!("{base}: the order of the rows changed");
            self.push(of, Some(before.join(", ")), Some(after.join(", ")), text, (true, first.span));
        }
    }

    fn cells(
        &mut self,
        of: &Of<'_>,
        (old, a): (&[(String, bool)], &Node<'a>),
        (new, b): (&[(String, bool)], &Node<'a>),
    ) {
        let (Data::List(a_cells), Data::List(b_cells)) = (&a.data, &b.data) else { return self.nodes(of, a, b) };
        if a_cells.len() != old.len() || b_cells.len() != new.len() {
            return self.nodes(of, a, b);
        }
        for (n, (column, _)) in new.iter().enumerate() {
            let inner = Of {
                word: of.word,
                id: of.id,
                key: format!("{}.{column}", of.key),
                said: format!("{}: {column}", of.said),
            };
            match old.iter().position(|(known, _)| known == column) {
                Some(at) => self.nodes(&inner, &a_cells[at], &b_cells[n]),
                None => {
                    let text = format!("{} none → {}", inner.said, cut(&show(&b_cells[n])));
                    self.push(&inner, None, Some(show(&b_cells[n])), text, (true, b_cells[n].span));
                }
            }
        }
    }
}
