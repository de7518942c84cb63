//! Formulas in texts without braces: takes the lint context, reports texts with `it.count` or `{count}`, which need
//! `{{ }}`.

use moldloft_base::source::Span;
use moldloft_base::source::toml::{TomlNode, TomlTable, TomlValue, parse};

use super::context::LintContext;
use moldloft_rules::formula::Type;
use moldloft_rules::ruleset::FormulaRef;

/// Keys with text for players.
const TEXT_KEYS: [&str; 6] = ["message", "help", "label", "note", "reason", "rule"];

pub(super) fn check(context: &mut LintContext<'_>) {
    let rules = context.rules;
    let Some(source) = rules.sources.last() else { return };
    let (root, _) = parse(&source.text, u16::try_from(rules.sources.len() - 1).unwrap_or(0));
    let mut found = Vec::new();
    walk(&root, &mut found);
    // What is a formula needs no braces, in whatever key it is.
    let formulas = context.formulas.iter().filter(|entry| matches!(entry.part, FormulaRef::Formula(_)));
    let formulas: Vec<Span> = formulas.map(|entry| entry.part.at()).collect();
    let is_formula =
        |span: Span| formulas.iter().any(|at| at.file == span.file && span.start <= at.start && at.end <= span.end);
    found.retain(|(span, _)| !is_formula(*span));
    let is_text =
        |id: &str| rules.symbols.attributes.iter().any(|known| *known.id == *id && matches!(known.ty, Type::Text(_)));
    for word in ["mount"] {
        for table in root.list(word).iter().filter_map(TomlNode::as_table) {
            for entry in table.entries.iter().filter(|entry| is_text(&entry.key)) {
                let Some(words) = entry.node.as_text().and_then(template_words) else { continue };
                let message = format!("`{words}` in the attribute `{}` would be printed literally", entry.key);
                let help = "an attribute of text is not computed: write the formula in the column, track or template that shows it";
                context.find("braces-missing", entry.node.span, message, help);
            }
        }
    }
    for (span, words) in found {
        let message = format!("`{words}` would be printed literally");
        context.find(
            "braces-missing",
            span,
            message,
            format!("put a formula in text in double braces: {{{{ {words} }}}}"),
        );
    }
}

fn walk(table: &TomlTable<'_>, found: &mut Vec<(Span, String)>) {
    for entry in &table.entries {
        check_text(&entry.key, &entry.node.data, entry.node.span, found);
    }
}

fn check_text(key: &str, data: &TomlValue<'_>, span: Span, found: &mut Vec<(Span, String)>) {
    match data {
        TomlValue::Text(text) if TEXT_KEYS.contains(&key) => {
            found.extend(formula_without_braces(text).map(|words| (span, words.to_owned())))
        }
        TomlValue::Table(inner) => walk(inner, found),
        TomlValue::List(list) => list.iter().for_each(|node| check_text(key, &node.data, node.span, found)),
        _ => {}
    }
}

/// `{{ it.count }}` of a text that has it.
fn template_words(text: &str) -> Option<&str> {
    let start = text.find("{{")?;
    let end = start + text[start..].find("}}")? + 2;
    Some(&text[start..end])
}

/// The part of a text that looks like a formula outside double braces.
fn formula_without_braces(text: &str) -> Option<&str> {
    let name = |words: &str| {
        let mut letters = words.chars();
        letters.next().is_some_and(|c| c.is_ascii_lowercase())
            && letters.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '.')
            && !words.ends_with('.')
    };
    let whole = text.trim();
    if (whole.starts_with("it.") || whole.starts_with("choice.")) && name(whole) {
        return Some(whole);
    }
    // Single braces: {count}.
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let inner = &rest[open + 1..];
        if let Some(doubled) = inner.strip_prefix('{') {
            rest = doubled.split_once("}}").map_or("", |(_, after)| after);
            continue;
        }
        let (words, after) = inner.split_once('}')?;
        if name(words.trim()) {
            return Some(words.trim());
        }
        rest = after;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::formula_without_braces;

    #[test]
    fn formulas_in_double_braces_are_right() {
        for text in
            ["{{ it.count }} guns", "{ } of {{ count }}", "no braces", "it. is", "{A}", "{{ a }} {", "it is. fine"]
        {
            assert_eq!(formula_without_braces(text), None, "{text}");
        }
        assert_eq!(formula_without_braces("it.bombs"), Some("it.bombs"));
        assert_eq!(formula_without_braces("{ count } guns"), Some("count"));
        assert_eq!(formula_without_braces("{{ a }} and {b_2}"), Some("b_2"));
    }
}
