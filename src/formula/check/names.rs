//! Names and what is read from them: paths, parts of records, items of lists. Unknown ones are answered with the nearest known.

use crate::finding::nearest;
use crate::source::Span;

use super::super::functions;
use super::super::mistake::{no_item, some};
use super::super::node::{Node, Op};
use super::super::syntax::{Expr, Kind, Word};
use super::super::{Mistake, Type, Unknown};
use super::{Checked, Checker};

impl Checker<'_> {
    pub(super) fn path(&mut self, words: &[Word], at: Span) -> Result<Checked, Mistake> {
        let names: Vec<&str> = words.iter().map(|word| &*word.text).collect();
        let resolved = self.scope.resolve(&names).map_err(|unknown| self.unknown(words, unknown))?;
        let known = resolved.words.clamp(1, words.len());
        let op = if resolved.ty == Type::Int { Op::IntSlot(resolved.slot) } else { Op::Slot(resolved.slot) };
        let span = |last: usize| self.span(&(words[0].span.start..words[last].span.end));
        let at = if known == words.len() { at } else { span(known - 1) };
        let mut checked = Checked { node: Node { op, at }, ty: resolved.ty, constant: false };
        for (place, word) in words.iter().enumerate().skip(known) {
            checked = self.field(checked, word, span(place))?;
        }
        Ok(checked)
    }

    fn unknown(&self, words: &[Word], unknown: Unknown) -> Mistake {
        let place = unknown.word.min(words.len() - 1);
        let word = &words[place];
        let functions = self.scope.functions();
        let help = match (unknown.help, &*word.text) {
            // A single word is the name that was probably meant.
            (Some(near), _) if !near.contains(char::is_whitespace) => format!("did you mean `{near}`?"),
            (Some(help), _) => help,
            (None, "True" | "TRUE") => "write `true`".to_owned(),
            (None, "False" | "FALSE") => "write `false`".to_owned(),
            (None, "null" | "None" | "nil" | "none") => "what is not computable stays so by itself".to_owned(),
            (None, name) if functions::find(name).is_some() || functions.iter().any(|known| known == name) => {
                format!("a function is called with brackets: {name}(…)")
            }
            (None, _) if place == 0 => "ids of systems, mounts and options stand in quotes: 'starship'".to_owned(),
            (None, _) => return self.unknown_without_help(words, place),
        };
        self.unknown_without_help(words, place).help(help)
    }

    fn unknown_without_help(&self, words: &[Word], place: usize) -> Mistake {
        let word = &words[place];
        let message = match place {
            0 => format!("nothing is named `{}` here", word.text),
            _ => {
                let before: Vec<&str> = words[..place].iter().map(|word| &*word.text).collect();
                format!("`{}` has no `{}`", before.join("."), word.text)
            }
        };
        Mistake::new("unknown-name", message, self.span(&word.span))
    }

    pub(super) fn field(&self, inner: Checked, name: &Word, at: Span) -> Result<Checked, Mistake> {
        let span = self.span(&name.span);
        let ty = match &inner.ty {
            Type::Any => Type::Any,
            Type::Record(fields) => match fields.iter().find(|(field, _)| *field == name.text) {
                Some((_, ty)) => ty.clone(),
                None => {
                    let known = fields.iter().map(|(field, _)| &**field);
                    let help = match nearest(&name.text, known.clone()) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("it has {}", some(known)),
                    };
                    let message = format!("nothing here is named `{}`", name.text);
                    return Err(Mistake::new("unknown-name", message, span).help(help));
                }
            },
            other => {
                let message = format!("{} has no parts, so no `{}`", other.describe(), name.text);
                let help = match other {
                    Type::List(_) => {
                        Some(format!("take one item, rows[0].{0}, or all: column(rows, '{0}')", name.text))
                    }
                    Type::Text(Some(_)) => {
                        Some(format!("what an option of a field knows is read as choice.FIELD.{}", name.text))
                    }
                    _ => None,
                };
                return Err(Mistake::new("wrong-type", message, span).maybe(help));
            }
        };
        let op = Op::Field(Box::new(inner.node), name.text.clone());
        Ok(Checked { node: Node { op, at }, ty, constant: inner.constant })
    }

    pub(super) fn index(&mut self, list: &Expr, index: &Expr, at: Span) -> Result<Checked, Mistake> {
        let items = self.check(list)?;
        let ty = match &items.ty {
            Type::List(item) => (**item).clone(),
            Type::Any => Type::Any,
            other => {
                let message = format!("[ ] takes an item of a list, this is {}", other.describe());
                let help =
                    matches!(other, Type::Record(_)).then(|| "a part of a record is written row.name".to_owned());
                return Err(Mistake::new("wrong-type", message, items.node.at).maybe(help));
            }
        };
        let number = self.check(index)?;
        if !matches!(number.ty, Type::Int | Type::Any) {
            let message = format!("a place in a list is a number, this is {}", number.ty.describe());
            return Err(Mistake::new("wrong-type", message, number.node.at).help("items count from 0"));
        }
        if let Some(place) = self.number(&number) {
            if place < 0 {
                return Err(Mistake::new("no-such-item", format!("there is no item {place}"), number.node.at)
                    .help("items count from 0; the last of x is x[length(x) - 1]"));
            }
            if let Kind::List(written) = &list.kind
                && usize::try_from(place).is_ok_and(|place| place >= written.len())
            {
                return Err(*no_item(place, written.len(), number.node.at));
            }
        }
        let constant = items.constant && number.constant;
        Ok(Checked { node: Node { op: Op::Index(Box::new([items.node, number.node])), at }, ty, constant })
    }
}
