//! `base` in a layer's formula: takes the new text and the old node, gives the text with the old formula inserted, so
//! that additions of several layers combine in any order. Not used in a ruleset that itself declares a name `base`.

use std::collections::BTreeSet;

use moldloft_base::source::toml::{TomlNode, TomlTable, TomlValue};

use crate::ruleset::grammar::{self, KeyType, SECTIONS, declared_section};

/// The most bytes of a formula after insertion: the longest formula that compiles, and its brackets.
const MAX_FORMULA_BYTES: usize = 4_200;

/// The keys that hold formulas, as far as the ruleset's TOML shows.
#[derive(Clone, Debug, Default)]
pub struct FormulaKeys {
    /// The ruleset declares a name `base`.
    base_is_taken: bool,
    /// Text attributes, whose values are not formulas.
    text_attributes: BTreeSet<String>,
}

impl FormulaKeys {
    pub fn from_trees(trees: &[&TomlTable<'_>]) -> Self {
        let mut keys = Self::default();
        for tree in trees {
            let in_formulas = SECTIONS.iter().filter(|section| section.id().holds == KeyType::Name);
            for section in in_formulas {
                let declarations = tree.list(section.name);
                keys.base_is_taken |= declarations.iter().any(|node| node.text_at("id") == Some("base"));
            }
            let attributes = tree.table("attributes").into_iter().flat_map(|attributes| &attributes.entries);
            let texts = attributes.filter(|entry| match &entry.node.data {
                TomlValue::Table(attribute) => {
                    attribute.text("type") == Some("text")
                        || attribute.text("default").is_some()
                        || attribute.get("options").is_some()
                }
                data => matches!(data, TomlValue::Text(_)),
            });
            keys.text_attributes.extend(texts.map(|entry| entry.key.to_string()));
        }
        keys
    }

    /// Whether a string under this key of a `[[section]]` is a formula that may contain `base`.
    pub fn is_formula(&self, section: &str, key: &str) -> bool {
        if self.base_is_taken {
            return false;
        }
        let Some(spec) = declared_section(section) else { return false };
        match spec.key(key) {
            Some(known) => known.holds.is_formula(),
            None if section == "system" => !self.text_attributes.contains(key),
            None => {
                let nested = spec.keys.iter().filter_map(|known| grammar::section(known.holds.nested()?));
                nested.filter_map(|nested| nested.key(key)).any(|known| known.holds.is_formula())
            }
        }
    }
}

pub fn mentions_base(text: &str) -> bool {
    base_positions(text).next().is_some()
}

/// The result of inserting the old formula.
#[derive(Debug, PartialEq, Eq)]
pub enum BaseSubstitution {
    /// There is no `base`, or the old value cannot be inserted.
    Unchanged,
    Replaced(String),
    /// Longer than [`MAX_FORMULA_BYTES`].
    TooLong,
}

/// Inserts the old formula for `base`.
pub fn substitute_base(text: &str, old: &TomlNode<'_>) -> BaseSubstitution {
    let mut found = base_positions(text).peekable();
    if found.peek().is_none() {
        return BaseSubstitution::Unchanged;
    }
    let Some(old) = as_operand(old) else { return BaseSubstitution::Unchanged };
    let mut out = String::new();
    let mut from = 0;
    for at in found {
        out.push_str(&text[from..at]);
        out.push_str(&old);
        from = at + BASE.len();
        if out.len() > MAX_FORMULA_BYTES {
            return BaseSubstitution::TooLong;
        }
    }
    out.push_str(&text[from..]);
    if out.len() > MAX_FORMULA_BYTES { BaseSubstitution::TooLong } else { BaseSubstitution::Replaced(out) }
}

const BASE: &str = "base";

/// The old value as an operand: in brackets unless it is a name or number.
fn as_operand(node: &TomlNode<'_>) -> Option<String> {
    Some(match &node.data {
        TomlValue::Int(number) if *number < 0 => format!("({number})"),
        TomlValue::Int(number) => number.to_string(),
        TomlValue::Flag(flag) => flag.to_string(),
        TomlValue::Text(text) if text.bytes().all(|b| b.is_ascii_alphanumeric() || b"._".contains(&b)) => {
            text.to_string()
        }
        TomlValue::Text(text) => format!("({})", text.trim()),
        TomlValue::List(list) => {
            let items: Option<Vec<String>> = list.iter().map(as_operand).collect();
            format!("[{}]", items?.join(", "))
        }
        _ => return None,
    })
}

/// The positions of `base` as a name: not in quotes, after a full stop, or as an argument's name.
fn base_positions(text: &str) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    let part = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let mut quote = None;
    let mut found = Vec::new();
    for (at, &byte) in bytes.iter().enumerate() {
        match quote {
            Some(open) if byte == open => quote = None,
            Some(_) => {}
            None if byte == b'\'' || byte == b'"' => quote = Some(byte),
            None => {
                let before = bytes[..at].last().copied();
                let rest = &bytes[at..];
                let whole = rest.starts_with(BASE.as_bytes())
                    && !before.is_some_and(part)
                    && !rest.get(BASE.len()).copied().is_some_and(part);
                let after: &[u8] = rest.get(BASE.len()..).unwrap_or_default().trim_ascii_start();
                let named = after.starts_with(b"=") && !after.starts_with(b"==");
                if whole && !named && bytes[..at].trim_ascii_end().last() != Some(&b'.') {
                    found.push(at);
                }
            }
        }
    }
    found.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use moldloft_base::source::Span;

    fn node(data: TomlValue<'_>) -> TomlNode<'_> {
        TomlNode { span: Span::default(), data }
    }

    #[test]
    fn the_old_formula_replaces_base() {
        let old = node(TomlValue::Text("2 * hull".into()));
        assert_eq!(substitute_base("base + 5", &old), BaseSubstitution::Replaced("(2 * hull) + 5".into()));
        assert_eq!(substitute_base("max(base, 3) if base == 2 else 0", &node(TomlValue::Int(-1))), {
            BaseSubstitution::Replaced("max((-1), 3) if (-1) == 2 else 0".into())
        });
        assert_eq!(
            substitute_base("base+ [1]", &node(TomlValue::List(vec![node(TomlValue::Int(7))]))),
            BaseSubstitution::Replaced("[7]+ [1]".into())
        );
        for other in ["it.base", "'base'", "bases + database", "where(rows, base=3)", "base_cost", "it . base"] {
            assert_eq!(substitute_base(other, &old), BaseSubstitution::Unchanged, "{other}");
        }
        assert_eq!(substitute_base("base", &node(TomlValue::Table(TomlTable::default()))), BaseSubstitution::Unchanged);
    }

    #[test]
    fn a_formula_that_becomes_too_long_is_rejected() {
        let long = node(TomlValue::Text("1 + ".repeat(800).into()));
        assert_eq!(substitute_base("base + base", &long), BaseSubstitution::TooLong);
    }
}
