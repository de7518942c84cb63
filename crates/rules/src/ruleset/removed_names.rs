//! What layers removed: names that formulas below may still read. There is nothing of it in any design: a comparison
//! with it is false, a count or sum over it 0. A name that never existed stays an error.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::formula::Type;
use moldloft_base::source::Span;
use moldloft_base::source::toml::{TomlNode, TomlValue};

use super::layers::{ChangeKind, LayerStatement};
use super::symbols::Absent;

/// A declaration that a layer removed: its section and its text.
pub type RemovedDeclaration<'a> = (&'static str, TomlNode<'a>);

#[derive(Clone, Debug)]
pub struct RemovedSystem {
    pub id: Arc<str>,
    pub tags: Arc<[Arc<str>]>,
    /// Attribute indices of its parameters.
    pub parameters: Vec<usize>,
}

#[derive(Clone, Debug, Default)]
pub struct RemovedNames {
    /// By section: what contains it, if anything, and its id.
    ids: BTreeMap<Arc<str>, BTreeSet<(Option<Arc<str>>, Arc<str>)>>,
    /// What names that formulas read without quotes stand for.
    absent: BTreeMap<Arc<str>, Absent>,
    /// Systems that are still there for what is like them, and for nothing else.
    pub kept: BTreeSet<String>,
    /// Tables that went along with the one whose rows they showed.
    made_from: BTreeMap<Arc<str>, Arc<str>>,
    /// Tables that may have stood for what odds are about.
    pub tables_of_odds: BTreeSet<Arc<str>>,
    /// With their tags and parameters.
    pub systems: Vec<RemovedSystem>,
    pub mounts: Vec<(Arc<str>, Arc<[Arc<str>]>)>,
    /// The file of the last layer: formulas of others were written for less, or more, than there is now.
    last_file: u16,
}

impl RemovedNames {
    pub(super) fn new(statements: &[LayerStatement], declarations: &[RemovedDeclaration<'_>], last_file: u16) -> Self {
        let mut names = Self { last_file, ..Self::default() };
        for one in statements.iter().filter(|one| one.kind == ChangeKind::Removed && one.parent.is_some()) {
            names.ids.entry(one.section.clone()).or_default().insert((one.parent.clone(), one.id.clone()));
        }
        for (section, node) in declarations {
            let Some(id) = node.text_at("id") else { continue };
            names.ids.entry((*section).into()).or_default().insert((None, id.into()));
            let words = |key: &str| -> Arc<[Arc<str>]> {
                let list = node.as_table().map(|table| table.list(key)).unwrap_or_default();
                list.iter().filter_map(TomlNode::as_text).map(Arc::from).collect()
            };
            match (*section, node.text_at("kind")) {
                ("mount", _) => names.mounts.push((id.into(), words("tags"))),
                ("system", _) => {
                    names.systems.push(RemovedSystem { id: id.into(), tags: words("tags"), parameters: Vec::new() });
                }
                ("table", _) => {
                    let of = node.text_at("for_each");
                    names.made_from.extend(of.map(|of| (Arc::from(id), Arc::from(of))));
                    let told = node.as_table().and_then(|table| table.get("odds"));
                    if !told.is_some_and(|odds| matches!(odds.data, TomlValue::Flag(false))) {
                        names.tables_of_odds.insert(id.into());
                    }
                }
                ("relation", _) => {
                    names.absent.insert(id.into(), Absent::Zero);
                }
                ("field" | "situation", Some("flag")) => {
                    names.absent.insert(id.into(), Absent::No);
                }
                ("field", Some("rows")) => {
                    names.absent.insert(id.into(), Absent::NoItems);
                }
                ("field" | "situation", Some("choice" | "text")) => {
                    names.absent.insert(id.into(), Absent::Unknown);
                }
                _ => {}
            }
        }
        names
    }

    /// Whether a layer removed a declaration.
    pub fn has(&self, section: &str, id: &str) -> bool {
        self.ids.get(section).is_some_and(|ids| ids.iter().any(|(parent, known)| parent.is_none() && **known == *id))
    }

    /// The removed tables that a formula looks up, each as the one with which it went.
    pub fn tables_in(&self, formula: &str) -> BTreeSet<&str> {
        let ids = self.of("table").filter(|id| formula.contains(&format!("'{id}'")));
        ids.map(|id| &**std::iter::successors(Some(id), |id| self.made_from.get(*id)).last().unwrap_or(id)).collect()
    }

    /// The declarations of a section that are gone.
    pub fn of(&self, section: &str) -> impl Iterator<Item = &Arc<str>> {
        let ids = self.ids.get(section).into_iter().flatten();
        ids.filter(|(parent, _)| parent.is_none()).map(|(_, id)| id)
    }

    pub fn has_none(&self, section: &str) -> bool {
        !self.ids.contains_key(section)
    }

    /// What a layer removed from a declaration: options of a field, rows of a table.
    pub fn within<'s>(&'s self, section: &str, parent: &'s str) -> impl Iterator<Item = &'s Arc<str>> {
        let ids = self.ids.get(section).into_iter().flatten();
        ids.filter(move |(known, _)| known.as_deref() == Some(parent)).map(|(_, id)| id)
    }

    /// What a removed name stands for, and its type.
    pub fn absent(&self, name: &str) -> Option<(Absent, Type)> {
        self.absent.get(name).map(|absent| (*absent, absent.ty()))
    }

    pub fn has_system_tag(&self, tag: &str) -> bool {
        self.systems.iter().any(|system| system.tags.iter().any(|known| **known == *tag))
    }

    pub fn has_mount_tag(&self, tag: &str) -> bool {
        self.mounts.iter().any(|(_, tags)| tags.iter().any(|known| **known == *tag))
    }

    /// Whether a removed system has this parameter.
    pub fn has_parameter(&self, attribute: usize) -> bool {
        self.systems.iter().any(|system| system.parameters.contains(&attribute))
    }

    /// Whether a layer above may have added what a text does not know, or taken what it reads.
    pub fn is_below_layer(&self, span: Span) -> bool {
        span.file < self.last_file
    }
}
