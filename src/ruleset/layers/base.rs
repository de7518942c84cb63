//! `base` in a formula that a layer writes: what the key held below. Takes the new text and the old node, gives the text with the old
//! put in, so that two layers that each add something both count, in either order. A ruleset that calls something `base` itself keeps
//! that meaning.

use std::collections::BTreeSet;

use crate::source::toml::{Data, Node, Table};

use super::named;
use crate::ruleset::words::{Holds, INNER, Key, WORDS};

/// Bytes that a formula may grow to by what is put in: the longest formula that can be compiled, and its brackets.
const LONGEST: usize = 4_200;

/// Which keys hold formulas, as far as a ruleset's own text says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grounds {
    /// The ruleset has a name `base` of its own.
    taken: bool,
    /// Attributes that are text: what stands under them is no formula.
    texts: BTreeSet<String>,
}

impl Grounds {
    /// Looks through the trees that are laid together.
    pub(crate) fn of(trees: &[&Table<'_>]) -> Self {
        let mut grounds = Self::default();
        for tree in trees {
            for word in ["setting", "field", "value", "relation"] {
                if let Some(Data::List(list)) = tree.get(word).map(|node| &node.data) {
                    grounds.taken |= list.iter().any(|node| named(node, "id") == Some("base"));
                }
            }
            if let Some(Data::Table(attributes)) = tree.get("attributes").map(|node| &node.data) {
                for entry in &attributes.entries {
                    let text = match &entry.node.data {
                        Data::Table(attribute) => {
                            let kind = attribute.get("type").map(|node| &node.data);
                            let default = attribute.get("default").map(|node| &node.data);
                            matches!(kind, Some(Data::Text(kind)) if kind == "text")
                                || matches!(default, Some(Data::Text(_)))
                                || attribute.get("options").is_some()
                        }
                        Data::Text(_) => true,
                        _ => false,
                    };
                    if text {
                        grounds.texts.insert(entry.key.to_string());
                    }
                }
            }
        }
        grounds
    }

    /// Whether a string under this key of a `[[word]]` is a formula that may say `base`.
    pub(crate) fn formula(&self, word: &str, key: &str) -> bool {
        if self.taken {
            return false;
        }
        let keys = |name: &str, list: &'static [crate::ruleset::words::Word]| -> &'static [Key] {
            list.iter().find(|word| word.name == name).map_or(&[], |word| word.keys)
        };
        let holds = |keys: &[Key]| keys.iter().find(|known| known.name == key).map(|known| known.holds);
        let is_formula = |holds: Holds| {
            matches!(holds, Holds::Number | Holds::Condition | Holds::Numbers | Holds::Anything | Holds::Formulas)
        };
        match holds(keys(word, WORDS)) {
            Some(held) => is_formula(held),
            None if word == "system" => !self.texts.contains(key),
            None if word == "table" => {
                ["grid", "table column"].iter().filter_map(|inner| holds(keys(inner, INNER))).any(is_formula)
            }
            None => false,
        }
    }
}

/// Whether a formula says `base`.
pub(crate) fn says_base(text: &str) -> bool {
    places(text).next().is_some()
}

/// What comes of putting in what stood there.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Put {
    /// The text does not say `base`, or the old is nothing that could be put in.
    Not,
    /// The text with the old put in.
    In(String),
    /// It would be longer than any formula may be.
    TooLong,
}

/// Puts what stood there in the place of `base`.
pub(crate) fn put(text: &str, old: &Node<'_>) -> Put {
    let mut found = places(text).peekable();
    if found.peek().is_none() {
        return Put::Not;
    }
    let Some(old) = written(old) else { return Put::Not };
    let mut out = String::new();
    let mut from = 0;
    for at in found {
        out.push_str(&text[from..at]);
        out.push_str(&old);
        from = at + WORD.len();
        if out.len() > LONGEST {
            return Put::TooLong;
        }
    }
    out.push_str(&text[from..]);
    if out.len() > LONGEST { Put::TooLong } else { Put::In(out) }
}

const WORD: &str = "base";

/// The old as a part of a formula: in brackets, where it is more than a word or number.
fn written(node: &Node<'_>) -> Option<String> {
    Some(match &node.data {
        Data::Int(number) if *number < 0 => format!("({number})"),
        Data::Int(number) => number.to_string(),
        Data::Flag(flag) => flag.to_string(),
        Data::Text(text) if text.bytes().all(|b| b.is_ascii_alphanumeric() || b"._".contains(&b)) => text.to_string(),
        Data::Text(text) => format!("({})", text.trim()),
        Data::List(list) => {
            let items: Option<Vec<String>> = list.iter().map(written).collect();
            format!("[{}]", items?.join(", "))
        }
        _ => return None,
    })
}

/// Where a formula says the word `base`: not in quotes, not after a full stop, not as the name of an argument.
fn places(text: &str) -> impl Iterator<Item = usize> {
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
                let whole = rest.starts_with(WORD.as_bytes())
                    && !before.is_some_and(part)
                    && !rest.get(WORD.len()).copied().is_some_and(part);
                let after: &[u8] = rest.get(WORD.len()..).unwrap_or_default().trim_ascii_start();
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
    use crate::source::Span;

    fn node(data: Data<'_>) -> Node<'_> {
        Node { span: Span::default(), data }
    }

    #[test]
    fn what_stood_there_is_put_in_where_the_word_is_said() {
        let old = node(Data::Text("2 * hull".into()));
        assert_eq!(put("base + 5", &old), Put::In("(2 * hull) + 5".into()));
        assert_eq!(put("max(base, 3) if base == 2 else 0", &node(Data::Int(-1))), {
            Put::In("max((-1), 3) if (-1) == 2 else 0".into())
        });
        assert_eq!(put("base+ [1]", &node(Data::List(vec![node(Data::Int(7))]))), Put::In("[7]+ [1]".into()));
        for other in ["it.base", "'base'", "bases + database", "where(rows, base=3)", "base_cost", "it . base"] {
            assert_eq!(put(other, &old), Put::Not, "{other}");
        }
        assert_eq!(put("base", &node(Data::Table(Table::default()))), Put::Not);
    }

    #[test]
    fn what_grows_too_long_is_refused() {
        let long = node(Data::Text("1 + ".repeat(800).into()));
        assert_eq!(put("base + base", &long), Put::TooLong);
    }
}
