//! What tables and terms are about: takes the lint context, reports tables that describe nothing and words that two terms
//! explain.

use std::collections::BTreeMap;

use moldloft_rules::formula::Value;
use moldloft_rules::ruleset::{Ruleset, TableKind, TableSubject};

use super::context::LintContext;

pub(super) fn check(context: &mut LintContext<'_>) {
    check_tables(context);
    check_terms(context);
}

fn check_tables(context: &mut LintContext<'_>) {
    let rules = context.rules;
    for table in &rules.tables {
        let (TableKind::Rows { columns, rows, .. }, Some(TableSubject::Column(column))) =
            (&table.kind, &table.describes)
        else {
            continue;
        };
        if rows.iter().any(|row| names_something(rules, &row.entries[*column].1)) {
            continue;
        }
        let span = context.span("table", &table.id, "describes");
        let message = format!("{}: no row of the column `{}` names a system", table.id, columns[*column].id);
        context.find("describes-nothing", span, message, "write ids, tags or names of systems into the column");
    }
}

fn names_something(rules: &Ruleset, cell: &Value) -> bool {
    match cell {
        Value::List(list) => list.iter().any(|cell| names_something(rules, cell)),
        Value::Text(text) => {
            let mut words = text.split(',').map(str::trim);
            words.any(|word| rules.systems.iter().any(|system| system.is_named(word)))
        }
        _ => false,
    }
}

fn check_terms(context: &mut LintContext<'_>) {
    let rules = context.rules;
    let mut known: BTreeMap<String, &str> = BTreeMap::new();
    for term in &rules.glossary {
        for word in term.all_words() {
            match known.get(&word.to_lowercase()) {
                Some(other) if **other != *term.id => {
                    let span = context.span("term", &term.id, "words");
                    let message = format!("the terms `{other}` and `{}` both explain “{word}”", term.id);
                    context.find("word-explained-twice", span, message, "keep the word in one of them");
                }
                _ => {
                    known.insert(word.to_lowercase(), &term.id);
                }
            }
        }
    }
}
