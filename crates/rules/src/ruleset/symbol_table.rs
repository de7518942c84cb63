//! All names of a ruleset with their types: takes a dotted path or a call and its scope, gives the slot or bound call,
//! or the error with the nearest known name.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::formula::{
    Argument, BoundCall, FormulaError, KindCall, KindScope, NameSource, Naming, ResolvedName, Scope, Type, UnknownName,
    Value,
};
use moldloft_base::finding::{did_you_mean, nearest};
use moldloft_base::source::Span;

use super::call_table::{Call, CallKind, CallTable, FitFilter};
use super::problems::{suggest, suggest_item};
use super::removed_names::RemovedNames;
use super::selector::Selector;
use super::symbols::{Absent, Builtin, FLEET_FUNCTIONS, ItProperty, LocalVar, QUERY_FUNCTIONS, Symbol};

pub type TypedName = (Arc<str>, Type);
type TypeOf = fn(&SymbolTable) -> Type;

/// Before the id of a system in a query: it alone, without what is like it.
pub const EXACT: char = '=';

#[derive(Clone, Debug, Default)]
pub struct SymbolTable {
    /// A choice with the attributes of its options after `label`.
    pub fields: Vec<(Arc<str>, Type, Option<Vec<TypedName>>)>,
    pub settings: Vec<(Arc<str>, Type, Option<Vec<TypedName>>)>,
    pub values: Vec<TypedName>,
    pub relations: Vec<Arc<str>>,
    /// Of each field; empty unless it is a rows field.
    pub columns: Vec<Vec<TypedName>>,
    /// Field and column of each column that names systems.
    pub system_columns: Vec<(usize, usize)>,
    pub attributes: Vec<AttributeDef>,
    pub mounts: Vec<(Arc<str>, Arc<[Arc<str>]>)>,
    pub systems: Vec<SystemSymbol>,
    /// The tags of all systems.
    pub tags: Vec<Arc<str>>,
    pub tables: Vec<TableSymbol>,
    pub calls: CallTable,
    pub removed: RemovedNames,
    /// Fields, settings, values and relations by name, after [`build_index`](Self::build_index).
    pub index: BTreeMap<Arc<str>, Symbol>,
}

/// An attribute or a parameter: a name after `it.`.
#[derive(Clone, Debug)]
pub struct AttributeDef {
    pub id: Arc<str>,
    pub ty: Type,
    /// `None` for a parameter.
    pub default: Option<Value>,
    /// A value as players write it; may be empty.
    pub example: Arc<str>,
}

#[derive(Clone, Debug)]
pub struct SystemSymbol {
    pub id: Arc<str>,
    pub tags: Arc<[Arc<str>]>,
    /// Attribute indices of its parameters.
    pub parameters: Vec<usize>,
    /// What it counts as: itself, what it is like, what that is like.
    pub kinds: Vec<usize>,
}

impl SystemSymbol {
    /// Whether it is one of these, or like one, and not more closely one of `except`.
    pub fn counts_as_any(&self, systems: &[u32], except: &[u32]) -> bool {
        let mut kinds = self.kinds.iter().map(|kind| *kind as u32);
        kinds.find(|kind| systems.contains(kind) || except.contains(kind)).is_some_and(|kind| systems.contains(&kind))
    }
}

#[derive(Clone, Debug)]
pub struct TableSymbol {
    pub id: Arc<str>,
    /// Tables whose numbers it has taken over.
    pub former: Vec<Arc<str>>,
    /// The table whose rows its own are made from.
    pub made_from: Option<Arc<str>>,
    pub columns: Vec<TypedName>,
    pub record: Type,
    pub key: Vec<usize>,
    /// The key cells of each row.
    pub keys: Vec<Vec<Value>>,
}

/// The names that a formula can use besides the ruleset's own.
#[derive(Clone, Debug, Default)]
pub struct ScopeContext {
    pub it: ItKind,
    pub locals: &'static [LocalVar],
    pub group: Vec<TypedName>,
    pub data: Vec<TypedName>,
    /// In a template: `page`, `pages`, `legal` and the like are known.
    pub in_template: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub enum ItKind {
    #[default]
    Nothing,
    /// Of one of these systems; `None`: any.
    Fit(Option<Vec<usize>>),
    /// All fits of a system; of one of these systems, `None`: any.
    System(Option<Vec<usize>>),
    /// The fit whose attribute is computed.
    SystemBeingComputed(usize),
    Mount,
    /// Of a rows field.
    Row(usize),
    /// Of a table.
    TableRow(usize),
    Track,
    /// What a layer removed.
    Removed,
}

impl ItKind {
    /// The kind of `it` within a `for_each`.
    pub fn of(selector: &Selector) -> Self {
        match selector {
            Selector::Fit(systems) => ItKind::Fit(systems.clone()),
            Selector::System(systems) => ItKind::System(systems.clone()),
            nothing if *nothing == Selector::NOTHING => ItKind::Removed,
            Selector::Mount(_) => ItKind::Mount,
            Selector::Field(field) => ItKind::Row(*field),
            Selector::Table(table) => ItKind::TableRow(*table),
        }
    }
}

/// A symbol table as seen from one scope.
pub struct ScopeView<'l> {
    pub symbols: &'l SymbolTable,
    pub context: &'l ScopeContext,
}

impl SymbolTable {
    /// Of two declarations with one name (which is an error) the first is indexed.
    pub fn build_index(&mut self) {
        let fields = self.fields.iter().enumerate().map(|(n, (id, _, _))| (id, Symbol::Field(n)));
        let settings = self.settings.iter().enumerate().map(|(n, (id, _, _))| (id, Symbol::Setting(n)));
        let values = self.values.iter().enumerate().map(|(n, (id, _))| (id, Symbol::Value(n)));
        let relations = self.relations.iter().enumerate().map(|(n, id)| (id, Symbol::Relation(n)));
        for (id, name) in fields.chain(settings).chain(values).chain(relations) {
            self.index.entry(id.clone()).or_insert(name);
        }
    }

    pub fn field_index(&self, id: &str) -> Option<usize> {
        match self.index.get(id) {
            Some(Symbol::Field(n)) => Some(*n),
            _ => None,
        }
    }

    pub fn mount_index(&self, id: &str) -> Option<usize> {
        self.mounts.iter().position(|(known, _)| **known == *id)
    }

    pub fn system_index(&self, id: &str) -> Option<usize> {
        self.systems.iter().position(|known| *known.id == *id)
    }

    pub fn attribute(&self, id: &str) -> Option<usize> {
        self.attributes.iter().position(|known| *known.id == *id)
    }

    /// The systems that an id selects, with those that are like it, or those that have a `#tag`; none if a layer removed them.
    pub fn match_systems(&self, word: &str) -> Result<Vec<usize>, String> {
        let named = self.named_systems(word)?;
        if word.starts_with('#') {
            return Ok(named);
        }
        let is_meant = |n: &usize| self.systems[*n].kinds.iter().any(|kind| named.contains(kind));
        Ok((0..self.systems.len()).filter(is_meant).collect())
    }

    /// The systems that an id or a `#tag` names, without those that are like them.
    pub fn named_systems(&self, word: &str) -> Result<Vec<usize>, String> {
        if let Some(tag) = word.strip_prefix('#') {
            let found: Vec<_> =
                (0..self.systems.len()).filter(|&n| self.systems[n].tags.iter().any(|t| **t == *tag)).collect();
            return match found.is_empty() && !self.is_removed_system(word) {
                true => Err(suggest_item(word, self.systems.iter().map(|s| &s.id), &self.tags)),
                false => Ok(found),
            };
        }
        match self.system_index(word) {
            Some(n) => Ok(vec![n]),
            None if self.is_removed_system(word) => Ok(Vec::new()),
            None => Err(suggest(word, self.systems.iter().map(|s| &*s.id))),
        }
    }

    /// Whether a layer removed the row with this key, words with spaces between them, of a table or of one from which it is made.
    pub fn is_removed_row(&self, table: &str, key: &str) -> bool {
        self.sources_of(table).any(|id| self.removed.within("row", id).any(|row| **row == *key))
    }

    /// A table, the one from which it is made, and so on.
    pub fn sources_of<'s>(&'s self, table: &'s str) -> impl Iterator<Item = &'s str> {
        let made_from = |id: &&str| self.tables.iter().find(|table| *table.id == **id)?.made_from.as_deref();
        std::iter::successors(Some(table), made_from).take(self.tables.len().max(1))
    }

    /// Whether an id or a `#tag` names only systems that a layer removed.
    pub fn is_removed_system(&self, word: &str) -> bool {
        match word.strip_prefix('#') {
            Some(tag) => {
                self.removed.has_system_tag(tag) && !self.systems.iter().any(|s| s.tags.iter().any(|t| **t == *tag))
            }
            None => self.removed.has("system", word) && self.system_index(word).is_none(),
        }
    }

    /// The mounts that an id or a `#tag` selects; none if a layer removed them.
    pub fn match_mounts(&self, word: &str) -> Result<Vec<usize>, String> {
        let tags = || self.mounts.iter().flat_map(|(_, tags)| &**tags);
        let unknown = || suggest_item(word, self.mounts.iter().map(|(id, _)| id), tags());
        if let Some(tag) = word.strip_prefix('#') {
            let found: Vec<_> =
                (0..self.mounts.len()).filter(|&n| self.mounts[n].1.iter().any(|t| **t == *tag)).collect();
            return match found.is_empty() && !self.removed.has_mount_tag(tag) {
                true => Err(unknown()),
                false => Ok(found),
            };
        }
        if self.mount_index(word).is_none() && self.removed.has("mount", word) {
            return Ok(Vec::new());
        }
        self.mount_index(word).map(|n| vec![n]).ok_or_else(unknown)
    }

    fn mount_type(&self) -> Type {
        Type::Text(Some(self.mounts.iter().chain(&self.removed.mounts).map(|(id, _)| id.clone()).collect()))
    }

    pub(super) fn system_type(&self) -> Type {
        let systems = self.systems.iter().map(|system| &system.id);
        let removed = self.removed.systems.iter().map(|system| &system.id);
        Type::Text(Some(systems.chain(removed).cloned().collect()))
    }

    fn tag_list_type(&self) -> Type {
        let removed = self.removed.systems.iter().flat_map(|system| system.tags.iter());
        Type::List(Box::new(Type::Text(Some(self.tags.iter().chain(removed).cloned().collect()))))
    }

    fn mount_tag_list_type(&self) -> Type {
        let mut tags: Vec<Arc<str>> = Vec::new();
        for tag in self.mounts.iter().chain(&self.removed.mounts).flat_map(|(_, tags)| tags.iter()) {
            if !tags.contains(tag) {
                tags.push(tag.clone());
            }
        }
        Type::List(Box::new(Type::Text(Some(tags.into()))))
    }
}

pub(super) fn find_typed(list: &[TypedName], word: &str) -> Option<usize> {
    list.iter().position(|(known, _)| **known == *word)
}

fn unknown(word_index: usize, help: impl Into<String>) -> Result<ResolvedName, UnknownName> {
    Err(UnknownName { word_index, help: Some(help.into()) })
}

fn resolve_to(words: usize, name: Symbol, ty: Type) -> ResolvedName {
    ResolvedName { word_count: words, slot: name.slot(), ty }
}

impl ScopeView<'_> {
    fn resolve_it(&self, path: &[&str]) -> Result<ResolvedName, UnknownName> {
        let symbols = self.symbols;
        let Some(&word) = path.get(1) else {
            return unknown(0, "add what to read: it.name, it.count …");
        };
        // Types are made for the word that is asked for alone.
        let (text, int): (TypeOf, TypeOf) = (|_| Type::TEXT, |_| Type::Int);
        let (system, mount): (TypeOf, TypeOf) = (SymbolTable::system_type, SymbolTable::mount_type);
        let mut known: Vec<&str> = Vec::new();
        let words: &[(&str, ItProperty, TypeOf)] = match &self.context.it {
            ItKind::Nothing => {
                let help = "`it` is available only under for_each and in attributes";
                return unknown(0, help);
            }
            ItKind::Fit(_) | ItKind::SystemBeingComputed(_) => &[
                ("system", ItProperty::System, system),
                ("id", ItProperty::Id, system),
                ("mount", ItProperty::Mount, mount),
                ("mount_label", ItProperty::MountLabel, text),
                ("count", ItProperty::Count, int),
                ("name", ItProperty::Name, text),
                ("abbr", ItProperty::Abbr, text),
                ("tags", ItProperty::Tags, SymbolTable::tag_list_type),
            ],
            ItKind::System(_) => &[
                ("system", ItProperty::System, system),
                ("id", ItProperty::Id, system),
                ("count", ItProperty::Count, int),
                ("name", ItProperty::Name, text),
                ("abbr", ItProperty::Abbr, text),
                ("tags", ItProperty::Tags, SymbolTable::tag_list_type),
            ],
            ItKind::Mount => &[
                ("id", ItProperty::Id, mount),
                ("label", ItProperty::Label, text),
                ("name", ItProperty::Name, text),
                ("tags", ItProperty::Tags, SymbolTable::mount_tag_list_type),
                ("count", ItProperty::Count, int),
                ("mirror", ItProperty::Mirror, mount),
                ("mirror_label", ItProperty::MirrorLabel, text),
            ],
            ItKind::Track => &[
                ("id", ItProperty::Id, text),
                ("track", ItProperty::Track, text),
                ("label", ItProperty::Label, text),
                ("badge", ItProperty::Badge, text),
                ("boxes", ItProperty::Boxes, int),
                ("mount", ItProperty::Mount, text),
            ],
            ItKind::Removed => return Ok(resolve_to(2, Symbol::Absent(Absent::Unknown), Type::Any)),
            ItKind::Row(field) => return self.resolve_column(word, &symbols.columns[*field]),
            ItKind::TableRow(table) => return self.resolve_column(word, &symbols.tables[*table].columns),
        };
        if let Some((_, it, ty)) = words.iter().find(|(known, _, _)| *known == word) {
            return Ok(resolve_to(2, Symbol::It(*it), ty(symbols)));
        }
        known.extend(words.iter().map(|(word, _, _)| *word));
        let systems: Option<&[usize]> = match &self.context.it {
            ItKind::Fit(systems) | ItKind::System(systems) => systems.as_deref(),
            ItKind::SystemBeingComputed(system) => Some(std::slice::from_ref(system)),
            _ => {
                return unknown(1, suggest(word, known.iter().copied()));
            }
        };
        let has = |attribute: usize| match systems {
            _ if symbols.attributes[attribute].default.is_some() || symbols.removed.has_parameter(attribute) => true,
            None => true,
            Some(systems) => systems.iter().any(|&system| symbols.systems[system].parameters.contains(&attribute)),
        };
        let attributes = || (0..symbols.attributes.len()).filter(|&n| has(n)).map(|n| &*symbols.attributes[n].id);
        if word == "whole" {
            let Some(&word) = path.get(2) else {
                return unknown(1, "use it.whole.NAME");
            };
            return match symbols.attribute(word).filter(|&n| has(n) && symbols.attributes[n].ty == Type::Int) {
                Some(n) => Ok(resolve_to(3, Symbol::Whole(n), Type::Int)),
                None => unknown(2, suggest(word, attributes().collect::<Vec<_>>().iter().copied())),
            };
        }
        match symbols.attribute(word).filter(|&n| has(n)) {
            Some(n) => Ok(resolve_to(2, Symbol::Attribute(n), symbols.attributes[n].ty.clone())),
            None => {
                known.push("whole");
                known.extend(attributes());
                unknown(1, suggest(word, known.iter().copied()))
            }
        }
    }

    fn resolve_column(&self, word: &str, columns: &[TypedName]) -> Result<ResolvedName, UnknownName> {
        match find_typed(columns, word) {
            Some(n) => Ok(resolve_to(2, Symbol::Column(n), columns[n].1.clone())),
            None => unknown(1, suggest(word, columns.iter().map(|(id, _)| &**id))),
        }
    }

    fn resolve_choice(&self, path: &[&str]) -> Result<ResolvedName, UnknownName> {
        let symbols = self.symbols;
        let all: Vec<_> =
            symbols.fields.iter().chain(&symbols.settings).filter(|(_, _, choice)| choice.is_some()).collect();
        let ids = || all.iter().map(|(id, _, _)| &**id).collect::<Vec<_>>();
        let Some(&word) = path.get(1) else {
            let example = ids().first().map_or("FIELD", |id| *id).to_owned();
            return unknown(0, format!("use choice.{example}.label"));
        };
        let place = |list: &[(Arc<str>, Type, Option<Vec<TypedName>>)]| {
            list.iter().position(|(id, _, choice)| **id == *word && choice.is_some())
        };
        let (attributes, name): (&[TypedName], &dyn Fn(usize) -> Symbol) = if let Some(n) = place(&symbols.fields) {
            (symbols.fields[n].2.as_deref().unwrap_or_default(), &move |a| Symbol::FieldOption(n, a))
        } else if let Some(n) = place(&symbols.settings) {
            (symbols.settings[n].2.as_deref().unwrap_or_default(), &move |a| Symbol::SettingOption(n, a))
        } else if ["field", "setting"].iter().any(|section| symbols.removed.has(section, word)) {
            return Ok(resolve_to(path.len().min(3), Symbol::Absent(Absent::Unknown), Type::Any));
        } else {
            return unknown(1, suggest(word, ids().iter().copied()));
        };
        match path.get(2) {
            Some(&"label") => Ok(resolve_to(3, name(0), Type::Text(None))),
            Some(&attribute) => match find_typed(attributes, attribute) {
                Some(n) => Ok(resolve_to(3, name(n + 1), attributes[n].1.clone())),
                None => {
                    let known: Vec<&str> =
                        std::iter::once("label").chain(attributes.iter().map(|(id, _)| &**id)).collect();
                    unknown(2, suggest(attribute, known.iter().copied()))
                }
            },
            None => unknown(1, format!("use choice.{word}.label")),
        }
    }
}

impl Scope for ScopeView<'_> {
    fn is_sure(&self, call: u32) -> bool {
        let kind = self.symbols.calls.get(call).map(|call| call.kind);
        matches!(
            kind,
            Some(CallKind::Count | CallKind::Fitted | CallKind::Systems | CallKind::Cells(..) | CallKind::Kind(_))
        )
    }

    fn resolve(&self, path: &[&str]) -> Result<ResolvedName, UnknownName> {
        let symbols = self.symbols;
        let Some(&first) = path.first() else { return Err(UnknownName { word_index: 0, help: None }) };
        match first {
            "it" => return self.resolve_it(path),
            "choice" => return self.resolve_choice(path),
            "group" if !self.context.group.is_empty() => {
                let word = path.get(1).copied().unwrap_or_default();
                return match find_typed(&self.context.group, word) {
                    Some(n) => Ok(resolve_to(2, Symbol::Group(n), self.context.group[n].1.clone())),
                    None => {
                        unknown(path.len().min(2) - 1, suggest(word, self.context.group.iter().map(|(id, _)| &**id)))
                    }
                };
            }
            _ => {}
        }
        if let Some(n) = find_typed(&self.context.data, first) {
            return Ok(resolve_to(1, Symbol::Data(n), self.context.data[n].1.clone()));
        }
        let page = if self.context.in_template {
            &[LocalVar::Page, LocalVar::Pages, LocalVar::Row, LocalVar::Column][..]
        } else {
            &[]
        };
        if let Some((_, local)) = LocalVar::ALL
            .iter()
            .find(|(word, local)| *word == first && (self.context.locals.contains(local) || page.contains(local)))
        {
            return Ok(resolve_to(1, Symbol::Local(*local), Type::Int));
        }
        if let Some(&name) = symbols.index.get(first) {
            let ty = match name {
                Symbol::Field(n) => symbols.fields[n].1.clone(),
                Symbol::Setting(n) => symbols.settings[n].1.clone(),
                Symbol::Value(n) => symbols.values[n].1.clone(),
                _ => Type::Int,
            };
            return Ok(resolve_to(1, name, ty));
        }
        // What a template shows of it is left to be written in.
        let is_shown = self.context.in_template
            && ["value", "setting", "field"].iter().any(|section| symbols.removed.has(section, first));
        let shown = is_shown.then_some((Absent::Unknown, Type::Any));
        if let Some((what, ty)) = symbols.removed.absent(first).or(shown) {
            return Ok(resolve_to(1, Symbol::Absent(what), ty));
        }
        let in_templates_only = |is_available: &Builtin| {
            matches!(is_available, Builtin::Legal | Builtin::Verdict | Builtin::Assumed) || is_available.is_fleet_only()
        };
        let is_available =
            |(_, is_available): &&(&str, Builtin)| self.context.in_template || !in_templates_only(is_available);
        let whole = match path.get(1) {
            Some(second) => format!("{first}.{second}"),
            None => String::new(),
        };
        if let Some((word, is_available)) =
            Builtin::ALL.iter().filter(is_available).find(|(word, _)| *word == first || *word == whole)
        {
            let ty = match is_available {
                Builtin::ShipCount
                | Builtin::FleetBudget
                | Builtin::FleetPoints
                | Builtin::FleetLeft
                | Builtin::FleetShips
                | Builtin::FleetUnits
                | Builtin::FleetLeftOut => Type::Int,
                Builtin::Legal | Builtin::ShipCarried => Type::Flag,
                _ => Type::Text(None),
            };
            return Ok(resolve_to(if *word == first { 1 } else { 2 }, Symbol::Builtin(*is_available), ty));
        }
        if first == "ship" || first == "ruleset" || first == "fleet" && self.context.in_template {
            let known: Vec<&str> =
                Builtin::ALL.iter().filter_map(|(word, _)| word.strip_prefix(first)?.strip_prefix('.')).collect();
            let second = path.get(1).copied().unwrap_or_default();
            return unknown(path.len().min(2) - 1, suggest(second, known.iter().copied()));
        }
        let locals =
            LocalVar::ALL.iter().filter(|(_, local)| self.context.locals.contains(local)).map(|(word, _)| *word);
        let known: Vec<&str> = (symbols.fields.iter().chain(&symbols.settings).map(|(id, _, _)| &**id))
            .chain(symbols.values.iter().chain(&self.context.data).map(|(id, _)| &**id))
            .chain(symbols.relations.iter().map(|id| &**id))
            .chain(Builtin::ALL.iter().filter(is_available).map(|(word, _)| *word))
            .chain(locals)
            .chain(["it", "choice"])
            .collect();
        let help = did_you_mean(first, known.iter().copied());
        let help = help.or_else(|| {
            let near = nearest(first, symbols.systems.iter().map(|system| &*system.id))?;
            Some(format!("`{near}` is a system: write count('{near}') for how many there are"))
        });
        Err(UnknownName { word_index: 0, help })
    }

    fn call(&self, function: &str, arguments: &[Argument<'_>]) -> Option<Result<BoundCall, FormulaError>> {
        if FLEET_FUNCTIONS.iter().any(|known| known.name == function) {
            let span = arguments.first().map_or(Span::default(), |argument| argument.span);
            let message = format!("`{function}` is only for checks over a fleet");
            let help = "write it in a [[check]] with over = \"fleet\"";
            return Some(Err(FormulaError::new("wrong-arguments", message, span).help(help)));
        }
        let query = QUERY_FUNCTIONS.iter().find(|query| query.name == function)?;
        Some(if query.reads_table {
            self.bind_table_query(function, arguments)
        } else {
            self.bind_fit_query(function, arguments)
        })
    }

    fn functions(&self) -> Vec<String> {
        QUERY_FUNCTIONS.iter().map(|query| query.name.to_owned()).collect()
    }

    fn kinds(&self) -> Option<&dyn KindScope> {
        Some(self)
    }
}

impl KindScope for ScopeView<'_> {
    fn naming(&self, source: NameSource<'_>) -> Naming {
        let symbols = self.symbols;
        match source {
            NameSource::Slot(slot) => match Symbol::from_slot(slot) {
                // Scopes of attacks have slots of their own.
                symbol if symbol.slot() != slot => Naming::Word,
                Symbol::It(ItProperty::System) => Naming::Thing,
                Symbol::Column(column) => match self.context.it {
                    ItKind::Row(field) if symbols.system_columns.contains(&(field, column)) => Naming::Written,
                    _ => Naming::Word,
                },
                _ => Naming::Word,
            },
            NameSource::Column(columns, name) => {
                let is_meant = |(field, column): &(usize, usize)| {
                    *symbols.columns[*field] == *columns && *symbols.columns[*field][*column].0 == *name
                };
                if symbols.system_columns.iter().any(is_meant) { Naming::Written } else { Naming::Word }
            }
            NameSource::Call(call) => match symbols.calls.get(call).map(|call| call.kind) {
                Some(CallKind::Systems) => Naming::Thing,
                _ => Naming::Word,
            },
        }
    }

    fn apart(&self, call: u32, others: &[u32]) -> Option<u32> {
        let calls = &self.symbols.calls;
        let own = calls.get(call)?;
        let FitFilter::Only(systems) = &own.system else { return None };
        let others = others.iter().filter_map(|other| calls.get(*other));
        let named = others.filter_map(|other| match &other.system {
            FitFilter::Only(named) if (other.kind, &other.mount, &other.tag) == (own.kind, &own.mount, &own.tag) => {
                Some(named)
            }
            _ => None,
        });
        let is_nearer = |system: &u32| {
            !systems.contains(system) && self.symbols.systems[*system as usize].counts_as_any(systems, &[])
        };
        let except: Vec<u32> = named.flatten().copied().filter(is_nearer).collect();
        if except.is_empty() { None } else { calls.intern(Call { except, ..own.clone() }) }
    }

    fn kind_call(&self, call: KindCall) -> Option<u32> {
        self.symbols.calls.intern(Call::of(CallKind::Kind(call)))
    }
}
