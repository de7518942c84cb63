//! The names that attacks read: takes the scopes of two ships, gives one in which bare names are the firing ship's and `target.` is the ship fired at.

use crate::formula::{Argument, BoundCall, FormulaError, KindScope, ResolvedName, Scope, Slot, Type, UnknownName};
use moldloft_base::finding::nearest;

use super::attack_model::{PrintedRows, TARGET, Variable, situation_of};
use super::symbols::Symbol;

/// A name of an attack itself: `range`, `left.hull`, `missiles`, `target.hit_chart`.
#[derive(Clone, Debug)]
pub struct ScopedName {
    /// With its dots.
    pub name: String,
    pub slot: Slot,
    pub ty: Type,
}

/// The ship's own slot that a slot of an attack reads, of whichever ship; `None` for names that are no ship's, and for what its sheet prints.
pub fn ship_slot(slot: Slot) -> Option<Slot> {
    let is_of_attack =
        situation_of(slot).is_some() || Variable::from_slot(slot).is_some() || PrintedRows::from_slot(slot).is_some();
    (!is_of_attack).then_some(slot & !TARGET)
}

/// Whether a slot of an attack reads what a layer removed.
pub fn is_removed(slot: Slot) -> bool {
    ship_slot(slot).is_some_and(|slot| matches!(Symbol::from_slot(slot), Symbol::Absent(_)))
}

pub struct AttackScope<'s> {
    /// Of the ship that fires, with its `it`.
    pub own: &'s dyn Scope,
    /// Of the ship fired at.
    pub target: &'s dyn Scope,
    /// Come before those of the ships.
    pub names: &'s [ScopedName],
}

impl Scope for AttackScope<'_> {
    fn resolve(&self, path: &[&str]) -> Result<ResolvedName, UnknownName> {
        for words in (1..=path.len().min(2)).rev() {
            let wanted = path[..words].join(".");
            if let Some(name) = self.names.iter().find(|name| name.name == wanted) {
                return Ok(ResolvedName { word_count: words, slot: name.slot, ty: name.ty.clone() });
            }
        }
        match path.first() {
            Some(&"target") if path.len() > 1 => {
                let resolved = self.target.resolve(&path[1..]);
                let resolved = resolved.map(|name| ResolvedName {
                    word_count: name.word_count + 1,
                    slot: name.slot | TARGET,
                    ty: name.ty,
                });
                resolved.map_err(|unknown| UnknownName { word_index: unknown.word_index + 1, help: unknown.help })
            }
            Some(&first @ ("left" | "own" | "target")) => {
                let known = self.names.iter().filter_map(|name| name.name.strip_prefix(first)?.strip_prefix('.'));
                let known: Vec<&str> = known.collect();
                let word = path.get(1).copied().unwrap_or_default();
                let help = match nearest(word, known.iter().copied()) {
                    Some(near) => near.to_owned(),
                    None if known.is_empty() => "declare a [[gauge]] first".to_owned(),
                    None => format!("use one of: {}", known.join(", ")),
                };
                Err(UnknownName { word_index: path.len().min(2) - 1, help: Some(help) })
            }
            _ => self.own.resolve(path).map_err(|unknown| {
                let known = self.names.iter().map(|name| name.name.as_str());
                let near = path.first().filter(|_| unknown.word_index == 0).and_then(|word| nearest(word, known));
                UnknownName { help: near.map(str::to_owned).or(unknown.help), ..unknown }
            }),
        }
    }

    fn call(&self, function: &str, arguments: &[Argument<'_>]) -> Option<Result<BoundCall, FormulaError>> {
        match function.strip_prefix("target.") {
            None => self.own.call(function, arguments),
            Some(function) => {
                let bound = self.target.call(function, arguments)?;
                Some(bound.map(|bound| BoundCall { call: bound.call | TARGET, ..bound }))
            }
        }
    }

    fn functions(&self) -> Vec<String> {
        let mut functions = self.own.functions();
        functions.extend(self.target.functions().into_iter().map(|name| format!("target.{name}")));
        functions
    }

    fn has_dice(&self) -> bool {
        true
    }

    fn kinds(&self) -> Option<&dyn KindScope> {
        self.own.kinds()
    }
}
