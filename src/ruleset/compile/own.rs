//! `own_systems` of `[ruleset]`: what the systems that a design defines itself may be. Takes its node, gives it read; its attributes are looked up
//! once they are known.

use std::sync::Arc;

use super::Compiler;
use crate::formula::Type;
use crate::ruleset::model::{Bound, OwnLike, OwnSystems};
use crate::ruleset::reader::{Problems, Reader, brief, suggest};
use crate::source::toml::{Data, Node};

/// `own_systems = "abstract"`, or a table with `like`, `min`, `max` and `house`.
pub(super) fn own_systems(node: &Node<'_>, problems: &Problems<'_>) -> Option<OwnSystems> {
    let said = OwnSystems { span: Some(node.span), ..OwnSystems::default() };
    match &node.data {
        Data::Text(text) => {
            let like = OwnLike::ALL.iter().find(|(word, _)| *word == text.as_ref());
            if like.is_none() {
                let help = suggest(text, OwnLike::ALL.iter().map(|(word, _)| *word));
                let message = format!("[ruleset]: `own_systems` cannot be `{}`", brief(text));
                problems.error("unknown-word", node.span, message, help);
            }
            like.map(|(_, like)| OwnSystems { like: *like, ..said })
        }
        Data::Table(table) => {
            let reader = Reader::new(table, "[ruleset]: own_systems", problems);
            let like = reader.one_of("like", &OwnLike::ALL).unwrap_or_default();
            let (min, max) = (bounds(&reader, "min"), bounds(&reader, "max"));
            let house = reader.words("house");
            let _ = reader.words("assumed");
            reader.finish();
            Some(OwnSystems { like, min, max, house, ..said })
        }
        other => {
            let message = format!(
                "[ruleset]: expected \"none\", \"abstract\", \"any\" or a table for `own_systems`, found {}",
                other.kind()
            );
            problems.error("wrong-type", node.span, message, "");
            None
        }
    }
}

fn bounds(reader: &Reader<'_, '_>, key: &'static str) -> Vec<Bound> {
    let mut bounds = Vec::new();
    for entry in reader.table(key).iter().flat_map(|table| &table.entries).take(super::MOST_ANSWERS) {
        match entry.node.data {
            Data::Int(amount) if amount.unsigned_abs() <= crate::ruleset::MOST_NUMBER => {
                bounds.push(Bound { attribute: Arc::from(entry.key.as_ref()), amount, span: entry.span });
            }
            _ => {
                let message = format!(
                    "{}: expected a whole number of at most 15 digits for `{key}.{}`",
                    reader.what,
                    brief(&entry.key)
                );
                reader.problems.error("wrong-type", entry.node.span, message, "");
            }
        }
    }
    bounds
}

impl Compiler<'_> {
    /// Takes out bounds of what no system answers by a number; they are reported.
    pub(super) fn own_bounds(&self, own: &mut OwnSystems) {
        let known = |bound: &Bound| {
            let numbers = self.lexicon.answers.iter().filter(|answer| answer.ty == Type::Int);
            let names: Vec<&str> = numbers.map(|answer| &*answer.id).collect();
            let found = names.contains(&&*bound.attribute);
            if !found {
                let message =
                    format!("[ruleset]: own_systems: unknown number `{}` in [attributes]", brief(&bound.attribute));
                self.problems.error("unknown-word", bound.span, message, suggest(&bound.attribute, names));
            }
            found
        };
        own.min.retain(known);
        own.max.retain(known);
    }
}
