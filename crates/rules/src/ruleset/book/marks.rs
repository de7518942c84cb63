//! What the last layer itself writes: takes its text, gives the path, text and place of each of its changes.

use std::sync::Arc;

use moldloft_base::source::toml::{TomlNode, TomlTable, TomlValue, parse};
use moldloft_base::source::{PathStep, Span};

use super::collect::{RawRow, node_text};
use super::model::{GridId, declaration_key};

pub(super) struct LayerTree<'t> {
    root: TomlTable<'t>,
    text: &'t str,
    file: u16,
}

impl<'t> LayerTree<'t> {
    /// `file`: the number of its source; an empty text is no layer.
    pub(super) fn new(text: &'t str, file: usize) -> Self {
        let file = u16::try_from(file).unwrap_or(u16::MAX);
        Self { root: parse(text, file).0, text, file }
    }

    /// Whether a place is in the layer.
    pub(super) fn is_own(&self, span: Span) -> bool {
        !self.text.is_empty() && span.file == self.file
    }

    fn node(&self, path: &[PathStep]) -> Option<&TomlNode<'t>> {
        let (first, rest) = path.split_first()?;
        let PathStep::Key(key) = first else { return None };
        rest.iter().try_fold(self.root.get(key)?, |node, step| match (&node.data, step) {
            (TomlValue::Table(table), PathStep::Key(key)) => table.get(key),
            (TomlValue::List(list), PathStep::Nth(at)) => list.get(*at),
            _ => None,
        })
    }

    pub(super) fn text(&self, path: &[PathStep]) -> Option<Arc<str>> {
        self.node(path).map(|node| node_text(node, self.text).0)
    }

    pub(super) fn span(&self, path: &[PathStep]) -> Option<Span> {
        self.node(path).map(|node| node.span)
    }

    /// The reason given in the table of a path.
    pub(super) fn reason(&self, path: &[PathStep]) -> Option<String> {
        let TomlValue::Table(table) = &self.node(path)?.data else { return None };
        table.text("reason").map(str::to_owned)
    }

    /// Where the layer has a row, or would change it.
    pub(super) fn row_path(&self, id: &GridId, row: &RawRow, at: usize) -> Vec<PathStep> {
        let section = &*id.section;
        let declaration = id.part.as_ref().map_or(&row.key, |(entry, _)| entry);
        let own = self.own_declaration(section, declaration);
        let mut path = match own {
            Some(n) => vec![section.into(), PathStep::Nth(n)],
            None => vec!["change".into(), section.into(), (&**declaration).into()],
        };
        let Some((_, key)) = &id.part else { return path };
        // What the layer adds to a declaration of the rules below.
        if own.is_none() && self.is_own(row.span) {
            let mut added = path.clone();
            added.extend(["add".into(), PathStep::from(&**key)]);
            if &**key == "rows" {
                let list = self.node(&added).and_then(TomlNode::as_list).unwrap_or_default();
                if let Some(n) = list.iter().position(|node| node.span == row.span) {
                    added.push(PathStep::Nth(n));
                    return added;
                }
            } else {
                added.push((&*row.key).into());
                if self.node(&added).is_some() {
                    return added;
                }
            }
        }
        path.push((&**key).into());
        match own {
            Some(_) if &**key == "rows" => path.push(PathStep::Nth(at)),
            _ if row.is_key_only => {}
            _ => path.push((&*row.key).into()),
        }
        path
    }

    /// The number of a declaration that the layer adds.
    fn own_declaration(&self, section: &str, id: &str) -> Option<usize> {
        if self.text.is_empty() {
            return None;
        }
        let key = declaration_key(section);
        self.root.list(section).iter().position(|node| node.text_at(key) == Some(id))
    }
}
