//! Resolves names, parts of records and items of lists; suggests the nearest name for unknown ones.

use moldloft_base::finding::did_you_mean;
use moldloft_base::source::Span;

use super::super::chance;
use super::super::error::{FormulaErrorKind, first_few, no_such_item};
use super::super::functions;
use super::super::node::{FormulaNode, NodeOp};
use super::super::syntax::{Expr, ExprKind, Ident};
use super::super::{FormulaError, NameSource, Naming, Type, UnknownName};
use super::{Checker, TypedNode};

impl Checker<'_> {
    pub(super) fn path(&mut self, words: &[Ident], at: Span) -> Result<TypedNode, FormulaError> {
        let names: Vec<&str> = words.iter().map(|word| &*word.text).collect();
        let resolved = match self.scope.resolve(&names) {
            Ok(resolved) => resolved,
            Err(unknown) => {
                let die = names.first().filter(|_| words.len() == 1);
                let die = die.and_then(|name| chance::die(name, at, self.scope.has_dice()));
                let (node, ty) = die.unwrap_or_else(|| Err(self.unknown(words, unknown)))?;
                return Ok(TypedNode::plain(node, ty, false));
            }
        };
        let known = resolved.word_count.clamp(1, words.len());
        let op = if resolved.ty == Type::Int { NodeOp::IntSlot(resolved.slot) } else { NodeOp::Slot(resolved.slot) };
        let span = |last: usize| self.span(&(words[0].span.start..words[last].span.end));
        let at = if known == words.len() { at } else { span(known - 1) };
        let naming = self.naming(NameSource::Slot(resolved.slot));
        let mut checked = TypedNode { naming, ..TypedNode::plain(FormulaNode { op, at }, resolved.ty, false) };
        for (place, word) in words.iter().enumerate().skip(known) {
            checked = self.field(checked, word, span(place))?;
        }
        Ok(checked)
    }

    fn unknown(&self, words: &[Ident], unknown: UnknownName) -> FormulaError {
        let place = unknown.word_index.min(words.len() - 1);
        let word = &words[place];
        let functions = self.scope.functions();
        let help = match (unknown.help, &*word.text) {
            (Some(near), _) if !near.contains(char::is_whitespace) => format!("did you mean `{near}`?"),
            (Some(help), _) => help,
            (None, "True" | "TRUE") => "use `true`".to_owned(),
            (None, "False" | "FALSE") => "use `false`".to_owned(),
            (None, "null" | "None" | "nil" | "none") => {
                "remove it: values that cannot be computed stay empty by themselves".to_owned()
            }
            (None, name) if functions::find(name).is_some() || functions.iter().any(|known| known == name) => {
                format!("add brackets to call a function: {name}(…)")
            }
            (None, _) if place == 0 => "put ids of systems, mounts and options in quotes: 'starship'".to_owned(),
            (None, _) => return self.unknown_without_help(words, place),
        };
        self.unknown_without_help(words, place).help(help)
    }

    fn unknown_without_help(&self, words: &[Ident], place: usize) -> FormulaError {
        let word = &words[place];
        let message = match place {
            0 => format!("unknown name `{}`", word.text),
            _ => {
                let before: Vec<&str> = words[..place].iter().map(|word| &*word.text).collect();
                format!("`{}` has no `{}`", before.join("."), word.text)
            }
        };
        FormulaError::of_kind(FormulaErrorKind::UnknownName, message, self.span(&word.span))
    }

    pub(super) fn field(&self, inner: TypedNode, name: &Ident, at: Span) -> Result<TypedNode, FormulaError> {
        let span = self.span(&name.span);
        let ty = match &inner.ty {
            Type::Any => Type::Any,
            Type::Record(fields) => match fields.iter().find(|(field, _)| *field == name.text) {
                Some((_, ty)) => ty.clone(),
                None => {
                    let known = fields.iter().map(|(field, _)| &**field);
                    let help = did_you_mean(&name.text, known.clone())
                        .unwrap_or_else(|| format!("it has {}", first_few(known)));
                    let message = format!("unknown name `{}`", name.text);
                    return Err(FormulaError::of_kind(FormulaErrorKind::UnknownName, message, span).help(help));
                }
            },
            other => {
                let message = format!("{} has no `{}`", other.describe(), name.text);
                let help = match other {
                    Type::List(_) => Some(format!("use one item, rows[0].{0}, or all: column(rows, '{0}')", name.text)),
                    Type::Text(Some(_)) => {
                        Some(format!("use choice.FIELD.{} to read the data of a field's option", name.text))
                    }
                    _ => None,
                };
                return Err(FormulaError::new("wrong-type", message, span).maybe_help(help));
            }
        };
        let naming = match &inner.ty {
            Type::Record(fields) => self.naming(NameSource::Column(fields, &name.text)),
            _ => Naming::Word,
        };
        let op = NodeOp::Field(Box::new(inner.node), name.text.clone());
        Ok(TypedNode { naming, ..TypedNode::plain(FormulaNode { op, at }, ty, inner.constant) })
    }

    pub(super) fn index(&mut self, list: &Expr, index: &Expr, at: Span) -> Result<TypedNode, FormulaError> {
        let items = self.check(list)?;
        let ty = match &items.ty {
            Type::List(item) => (**item).clone(),
            Type::Any => Type::Any,
            other => {
                let message = format!("expected a list before `[`, found {}", other.describe());
                let help = matches!(other, Type::Record(_)).then(|| "use row.name to read a record".to_owned());
                return Err(FormulaError::new("wrong-type", message, items.node.at).maybe_help(help));
            }
        };
        let number = self.check(index)?;
        if !matches!(number.ty, Type::Int | Type::Any) {
            let message = format!("expected a number as the place in a list, found {}", number.ty.describe());
            return Err(FormulaError::new("wrong-type", message, number.node.at).help("count items from 0"));
        }
        if let Some(place) = self.number(&number) {
            if place < 0 {
                return Err(FormulaError::new("no-such-item", format!("no item {place}"), number.node.at)
                    .help("count items from 0; the last of x is x[length(x) - 1]"));
            }
            if let ExprKind::List(written) = &list.kind
                && usize::try_from(place).is_ok_and(|place| place >= written.len())
            {
                return Err(*no_such_item(place, written.len(), number.node.at));
            }
        }
        let constant = items.constant && number.constant;
        let op = NodeOp::Index(Box::new([items.node, number.node]));
        Ok(TypedNode { naming: items.naming, ..TypedNode::plain(FormulaNode { op, at }, ty, constant) })
    }
}
