//! What things are: takes an evaluation and the id of a system, field or value, gives the rows of the ruleset's tables that
//! are about it and the terms of the glossary. Changes nothing.

use std::sync::Arc;

use crate::formula::{Record, Value};
use crate::ruleset::{Ruleset, Selector, SystemDef, TableColumn, TableDef, TableKind, TableSubject, TermDef};

use super::Evaluation;
use super::state::{ItTarget, StateView};
use super::work_budget::WorkBudget;

/// What a table says about something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableExtract {
    /// The table's id.
    pub table: Arc<str>,
    /// Its heading.
    pub label: String,
    pub columns: Vec<ExtractColumn>,
    pub rows: Vec<Vec<Value>>,
    pub note: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtractColumn {
    pub label: Arc<str>,
    /// Numbers have a sign.
    pub signed: bool,
}

/// A term of the glossary, for this ship.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermText {
    pub id: Arc<str>,
    pub label: Arc<str>,
    pub text: String,
    /// The game rule it comes from; may be empty.
    pub rule: Arc<str>,
}

/// The longest list of a cell that is given in full.
const MAX_LIST: usize = 40;
/// The most rows of one table.
const MAX_ROWS: usize = 12;

/// The rows of all tables that describe a system, a field or a value, in the ruleset's order. What a table says only of
/// ships with the system aboard is left out if the ship has none.
pub fn table_extracts(evaluation: &Evaluation, id: &str) -> Vec<TableExtract> {
    let rules = &*evaluation.ruleset;
    // The empty evaluation has no state.
    if evaluation.state.values.len() != rules.values.len() || evaluation.state.fields.len() != rules.fields.len() {
        return Vec::new();
    }
    let effort = WorkBudget::for_ship();
    let view = |of| StateView::new(rules, &evaluation.state, &evaluation.ship, of, &effort);
    let subject = DescribedSubject::new(evaluation, id);
    let tables = rules.tables.iter().enumerate();
    let extracts = tables.filter_map(|(number, table)| {
        let (columns, rows) = match &table.kind {
            TableKind::Rows { columns, rows, concerns, .. } => {
                let about = table.describes.as_ref()?;
                let is_about_all =
                    matches!(about, TableSubject::Names(names) if names.iter().any(|name| subject.is(name)));
                let shown = rows.iter().enumerate().filter(|(row, cells)| {
                    let here = match about {
                        TableSubject::Names(_) => is_about_all,
                        TableSubject::Column(column) => subject.is_in(&cells.entries[*column].1),
                        TableSubject::Rows(rows) => subject.is_row(rows, cells),
                    };
                    let target = ItTarget::TableRow(number, *row);
                    here && concerns.as_ref().is_none_or(|concerns| concerns.flag(&view(target)) == Ok(Some(true)))
                });
                let cells = shown.map(|(_, row)| row.entries.iter().map(|(_, value)| value.clone()).collect());
                (columns, cells.take(MAX_ROWS).collect::<Vec<Vec<Value>>>())
            }
            TableKind::ForEach { of: Selector::System(systems), columns } => {
                let system = subject.system.filter(|_| subject.count > 0)?;
                if systems.as_ref().is_some_and(|systems| !systems.contains(&subject.base)) {
                    return None;
                }
                let view = view(ItTarget::System(system));
                if table.when.as_ref().is_some_and(|when| when.flag(&view) != Ok(Some(true))) {
                    return None;
                }
                let cell = |column: &TableColumn| column.cell.as_ref().and_then(|cell| cell.eval(&view).ok());
                (columns, vec![columns.iter().map(|column| cell(column).unwrap_or(Value::Null)).collect()])
            }
            _ => return None,
        };
        let text = view(ItTarget::Nothing);
        let note = table.note.as_ref().and_then(|note| note.eval(&text).ok().flatten()).unwrap_or_default();
        let label = table.label.eval(&text).ok().flatten().unwrap_or_default();
        visible(table, columns, &rows).map(|(columns, rows)| TableExtract {
            table: table.id.clone(),
            label,
            columns,
            rows,
            note,
        })
    });
    extracts.collect()
}

/// Without hidden columns; `None` without rows.
fn visible(
    table: &TableDef,
    columns: &[TableColumn],
    rows: &[Vec<Value>],
) -> Option<(Vec<ExtractColumn>, Vec<Vec<Value>>)> {
    let subject = match table.describes {
        Some(TableSubject::Column(column)) => Some(column),
        _ => None,
    };
    // The first cell of the only row just names it.
    let is_named = rows.len() == 1 && columns.len() > 1 && matches!(table.describes, Some(TableSubject::Rows(_)));
    let is_shown = |n: &usize| !(columns[*n].hidden || is_named && *n == 0);
    let places: Vec<usize> = (0..columns.len()).filter(is_shown).collect();
    // A table that only says what it is about has nothing to show.
    if rows.is_empty() || places.iter().all(|place| Some(*place) == subject) {
        return None;
    }
    let short = |value: &Value| match value {
        Value::List(list) if list.len() > MAX_LIST => Value::List(list.iter().take(MAX_LIST).cloned().collect()),
        value => value.clone(),
    };
    let kept = places.iter().map(|n| ExtractColumn { label: columns[*n].label.clone(), signed: columns[*n].signed });
    let rows = rows.iter().map(|row| places.iter().map(|n| short(&row[*n])).collect()).collect();
    Some((kept.collect(), rows))
}

/// What is asked for: a system with its base and its tags, or another id.
struct DescribedSubject<'e> {
    ids: Vec<Arc<str>>,
    /// The ruleset's system that it is, or is like.
    known: Option<&'e SystemDef>,
    /// All that it counts as.
    kinds: Vec<&'e SystemDef>,
    tags: Vec<Arc<str>>,
    /// As in the ship's state.
    system: Option<usize>,
    base: usize,
    /// The number aboard.
    count: i64,
}

impl<'e> DescribedSubject<'e> {
    fn new(evaluation: &'e Evaluation, id: &str) -> Self {
        let rules = &*evaluation.ruleset;
        let own = evaluation.state.custom_systems.iter().enumerate().find(|(_, own)| *own.id == *id);
        let number = match own {
            Some((n, _)) => Some(rules.systems.len() + n),
            None => rules.systems.iter().position(|system| *system.id == *id),
        };
        let base = own.map(|(_, own)| own.base).or(number).unwrap_or(usize::MAX);
        let mut ids: Vec<Arc<str>> = vec![id.into()];
        let mut tags = Vec::new();
        let known = rules.systems.get(base);
        let kinds: Vec<&SystemDef> =
            known.iter().flat_map(|known| &known.kinds).map(|kind| &rules.systems[*kind]).collect();
        ids.extend(kinds.iter().map(|kind| kind.id.clone()));
        if let Some(system) = known {
            tags = system.tags.to_vec();
        }
        if let Some((_, own)) = own {
            tags.extend(own.tags.iter().cloned());
        }
        let aboard = evaluation.state.fits.iter().filter(|fit| Some(fit.system) == number).map(|fit| fit.count);
        Self { ids, known, kinds, tags, system: number, base, count: aboard.sum() }
    }

    fn is(&self, name: &str) -> bool {
        match name.strip_prefix('#') {
            Some(tag) => self.has_tag(tag),
            None => self.ids.iter().any(|id| **id == *name),
        }
    }

    fn has_tag(&self, tag: &str) -> bool {
        self.tags.iter().any(|known| **known == *tag)
    }

    fn is_row(&self, subjects: &[(Arc<str>, Vec<Arc<str>>)], row: &Record) -> bool {
        let Some((_, Value::Text(first))) = row.entries.first() else { return false };
        subjects.iter().any(|(text, names)| text == first && names.iter().any(|name| self.is(name)))
    }

    /// Whether a cell names it: by id, tag or name, alone, in a list, or between commas.
    fn is_in(&self, cell: &Value) -> bool {
        match cell {
            Value::List(list) => list.iter().any(|cell| self.is_in(cell)),
            Value::Text(text) => text
                .split(',')
                .map(str::trim)
                .any(|word| self.is(word) || self.kinds.iter().any(|kind| kind.is_named(word)) || self.has_tag(word)),
            _ => false,
        }
    }
}

/// The terms that describe a system, a field or a value.
pub fn terms_about(evaluation: &Evaluation, id: &str) -> Vec<TermText> {
    let subject = DescribedSubject::new(evaluation, id);
    let about = |term: &&TermDef| term.describes.iter().any(|name| subject.is(name));
    evaluation.ruleset.glossary.iter().filter(about).map(|term| term_text(evaluation, term)).collect()
}

/// The terms whose words occur in a text, those of more letters first. A word inside a longer term that occurs does not
/// count.
pub fn terms_in(evaluation: &Evaluation, text: &str) -> Vec<TermText> {
    find_terms(&evaluation.ruleset, text).into_iter().map(|term| term_text(evaluation, term)).collect()
}

/// What a search for a system looks through, in small letters: its names, letters, tags and rule, the terms about it and
/// what the tables say of it.
pub fn system_search_text(evaluation: &Evaluation, id: &str) -> String {
    let rules = &*evaluation.ruleset;
    let subject = DescribedSubject::new(evaluation, id);
    let mut words: Vec<&str> = vec![id];
    words.extend(subject.ids.iter().chain(&subject.tags).map(|word| &**word));
    if let Some(system) = subject.known {
        words.extend([&*system.name, &*system.abbr]);
        words.extend(system.rule.as_deref());
    }
    words.extend(evaluation.state.custom_systems.iter().filter(|own| *own.id == *id).map(|own| &*own.name));
    let name = subject.known.map_or_else(String::new, |system| system.name.to_lowercase());
    let about = |term: &&TermDef| {
        let is_named = term.all_words().any(|word| whole_word_at(&name, &word.to_lowercase()).is_some());
        is_named || term.describes.iter().any(|name| subject.is(name))
    };
    for term in rules.glossary.iter().filter(about) {
        words.extend(term.all_words().map(|word| &**word));
        words.push(&term.text.source);
    }
    for table in &rules.tables {
        let (TableKind::Rows { rows, .. }, Some(about)) = (&table.kind, &table.describes) else { continue };
        let is_about_all = matches!(about, TableSubject::Names(names) if names.iter().any(|name| subject.is(name)));
        let described = rows.iter().filter(|row| match about {
            TableSubject::Names(_) => is_about_all,
            TableSubject::Column(column) => subject.is_in(&row.entries[*column].1),
            TableSubject::Rows(rows) => subject.is_row(rows, row),
        });
        for row in described.take(MAX_ROWS) {
            words.extend(row.entries.iter().filter_map(|(_, cell)| match cell {
                Value::Text(text) => Some(&**text),
                _ => None,
            }));
        }
        if is_about_all {
            words.push(&table.label.source);
        }
    }
    words.join("\n").to_lowercase()
}

/// The whole glossary, in the ruleset's order.
pub fn all_terms(evaluation: &Evaluation) -> Vec<TermText> {
    evaluation.ruleset.glossary.iter().map(|term| term_text(evaluation, term)).collect()
}

fn term_text(evaluation: &Evaluation, term: &TermDef) -> TermText {
    let rules = &*evaluation.ruleset;
    let effort = WorkBudget::for_ship();
    let is_whole =
        evaluation.state.values.len() == rules.values.len() && evaluation.state.fields.len() == rules.fields.len();
    let view = StateView::new(rules, &evaluation.state, &evaluation.ship, ItTarget::Nothing, &effort);
    let text = if is_whole { term.text.eval(&view).ok().flatten() } else { None };
    TermText {
        id: term.id.clone(),
        label: term.label.clone(),
        text: text.unwrap_or_else(|| term.text.source.to_string()),
        rule: term.rule.clone().unwrap_or_default(),
    }
}

fn find_terms<'r>(rules: &'r Ruleset, text: &str) -> Vec<&'r TermDef> {
    let text = text.to_lowercase();
    let mut words: Vec<(String, &TermDef)> = Vec::new();
    for term in &rules.glossary {
        words.extend(term.all_words().map(|word| (word.to_lowercase(), term)));
    }
    words.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
    let mut taken: Vec<(usize, usize)> = Vec::new();
    let mut found: Vec<&TermDef> = Vec::new();
    for (word, term) in &words {
        let Some(at) = whole_word_at(&text, word) else { continue };
        let end = at + word.len();
        if taken.iter().any(|(from, to)| at < *to && *from < end) {
            continue;
        }
        taken.push((at, end));
        if !found.iter().any(|known| known.id == term.id) {
            found.push(term);
        }
    }
    found
}

/// The place of a word that is not part of a longer one; it may have the `s` of a plural.
fn whole_word_at(text: &str, word: &str) -> Option<usize> {
    if word.is_empty() {
        return None;
    }
    text.match_indices(word).map(|(at, _)| at).find(|at| {
        let before = text[..*at].chars().next_back();
        let mut after = text[at + word.len()..].chars();
        let next = after.next();
        let next = if next == Some('s') { after.next() } else { next };
        let ends = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_alphanumeric());
        ends(before) && ends(next)
    })
}

#[cfg(test)]
mod tests {
    use super::whole_word_at;

    #[test]
    fn words_are_found_whole_and_in_the_plural() {
        assert_eq!(whole_word_at("sidewall boxes per side", "sidewall"), Some(0));
        assert_eq!(whole_word_at("two sidewalls", "sidewall"), Some(4));
        assert_eq!(whole_word_at("grasers", "laser"), None);
        assert_eq!(whole_word_at("lasers", "laser"), Some(0));
        assert_eq!(whole_word_at("a mast", "mas"), None);
        assert_eq!(whole_word_at("", ""), None);
    }
}
