//! The weapons of a ship, for what odds count: takes an evaluation, gives its armed fits and fields, what attacks are made for, and whether a query asks for a fit.

use std::sync::Arc;

use crate::formula::Value;
use crate::ruleset::{FieldKind, FitFilter, Selector, TableSubject};

use super::Evaluation;
use super::evaluator::targets;
use super::resolve::fit_label;
use super::run::evaluate;
use super::state::{ItTarget, ResolvedFit};

/// A part of a ship that attacks are made by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ArmedPart {
    /// Index of the fit.
    Fit(usize),
    /// Index of the field.
    Field(usize),
}

impl Evaluation {
    /// What the rules call weapons, and systems of house rules and designs at mounts that else hold nothing but weapons; each with its name.
    pub fn armed_parts(&self) -> Vec<(ArmedPart, Arc<str>)> {
        let (rules, state) = (&self.ruleset, &self.fighting().state);
        let fits = state.fits.iter().enumerate().filter(|(_, fit)| fit.count > 0 && self.is_weapon(fit));
        let fits = fits.map(|(n, fit)| {
            let mount = fit.mount.and_then(|mount| rules.mounts.get(mount)).map(|mount| &*mount.label);
            (ArmedPart::Fit(n), fit_label(state.system(rules, fit.system).name, mount))
        });
        let fields = rules.fields.iter().enumerate().filter(|(_, field)| rules.weapons.contains(&field.id));
        let fields = fields.filter_map(|(n, field)| {
            let label = match (&field.kind, self.state.fields.get(n)?) {
                (_, Value::Int(1..) | Value::Flag(true)) => field.label.clone(),
                (FieldKind::Choice(choice), Value::Text(word)) => {
                    let option = choice.options.iter().skip(1).find(|option| option.id == *word)?;
                    format!("{}, {}", option.label, field.label).into()
                }
                _ => return None,
            };
            Some((ArmedPart::Field(n), label))
        });
        fits.chain(fields).collect()
    }

    /// The ship without what is in mounts that the rules do not have, where it has such.
    pub(super) fn fighting(&self) -> &Self {
        let without = || {
            let has_no_place = |fit: &&ResolvedFit| fit.count > 0 && fit.mount.is_none() && !fit.mount_id.is_empty();
            let idle: Vec<_> = self.state.fits.iter().filter(has_no_place).collect();
            let mut design = self.state.design.clone().filter(|_| !idle.is_empty())?;
            idle.iter().for_each(|fit| design.fits[fit.index].count = 0);
            Some(Arc::new(evaluate(&self.ruleset, &design, &self.ship)))
        };
        self.shared.fighting.get_or_init(without).as_deref().unwrap_or(self)
    }

    fn is_weapon(&self, fit: &ResolvedFit) -> bool {
        let rules = &self.ruleset;
        let is_called = |system: usize| {
            let Some(system) = rules.systems.get(system) else { return false };
            rules.weapons.iter().any(|word| match word.strip_prefix('#') {
                Some(tag) => system.tags.iter().any(|known| **known == *tag),
                None => system.id == *word,
            })
        };
        if is_called(fit.base) {
            return true;
        }
        let is_own = |system: usize| rules.systems.get(system).is_none_or(|system| system.span.file > 0);
        let Some(mount) = fit.mount.filter(|_| is_own(fit.system)) else { return false };
        let mut listed = (0..rules.systems.len()).filter(|&system| {
            let mounts = rules.systems[system].mounts.as_ref();
            !is_own(system) && mounts.is_some_and(|mounts| mounts.contains(&mount))
        });
        let mut any = false;
        listed.all(|system| {
            any = true;
            is_called(system)
        }) && any
    }

    /// By item of [`Evaluation::with_attack_views`]: the fits that it is.
    pub fn attack_fits(&self, for_each: &[Option<&Selector>], most: usize) -> Vec<Vec<usize>> {
        let all = for_each.iter().flat_map(|selector| targets(&self.ruleset, &self.fighting().state, *selector));
        let fits = |target| match target {
            ItTarget::Fit(n) => vec![n],
            ItTarget::System(system) => {
                (0..self.state.fits.len()).filter(|&fit| self.state.fits[fit].system == system).collect()
            }
            _ => Vec::new(),
        };
        all.take(most).map(fits).collect()
    }

    /// Whether a query names this fit by its system or tag, in a mount that may be one of `mounts` where the query does not say which.
    pub fn is_asked_for(&self, fit: usize, call: u32, mounts: &[Arc<str>]) -> bool {
        let rules = &self.ruleset;
        let (Some(fit), Some(call)) = (self.state.fits.get(fit), rules.symbols.calls.get(call)) else { return false };
        let info = self.state.system(rules, fit.system);
        let by_system = match &call.system {
            FitFilter::Only(systems) => {
                rules.symbols.systems.get(fit.base).map(|base| base.counts_as_any(systems, &call.except))
            }
            FitFilter::Exactly(systems) => Some(systems.contains(&(fit.system as u32))),
            FitFilter::Any | FitFilter::Argument(_) => None,
        };
        let by_tag = match &call.tag {
            FitFilter::Only(tags) | FitFilter::Exactly(tags) => Some(info.tag_ids.iter().any(|tag| tags.contains(tag))),
            _ => None,
        };
        let by_mount = match &call.mount {
            FitFilter::Any => true,
            FitFilter::Only(only) | FitFilter::Exactly(only) => {
                fit.mount.is_some_and(|mount| only.contains(&(mount as u32)))
            }
            FitFilter::Argument(_) => mounts.contains(&fit.mount_id),
        };
        by_mount && (by_system.is_some() || by_tag.is_some()) && by_system != Some(false) && by_tag != Some(false)
    }

    /// Whether rows or a whole table are about one of these parts.
    pub fn is_described(&self, table: usize, parts: &[(ArmedPart, Arc<str>)]) -> bool {
        let rules = &self.ruleset;
        let Some(table) = rules.tables.get(table) else { return false };
        let is_about = |word: &str| {
            parts.iter().any(|(part, _)| match part {
                ArmedPart::Fit(n) => self.state.fits.get(*n).is_some_and(|fit| {
                    [fit.system, fit.base].iter().any(|n| rules.systems.get(*n).is_some_and(|one| one.is_named(word)))
                }),
                ArmedPart::Field(n) => rules.fields.get(*n).is_some_and(|field| *field.id == *word),
            })
        };
        match &table.describes {
            None => false,
            Some(TableSubject::Names(names)) => names.iter().any(|name| is_about(name)),
            Some(TableSubject::Rows(rows)) => rows.iter().flat_map(|(_, names)| names).any(|name| is_about(name)),
            Some(TableSubject::Column(column)) => table.rows().iter().any(|row| match &row.entries[*column].1 {
                Value::Text(word) => is_about(word),
                Value::List(words) => words.iter().any(|word| matches!(word, Value::Text(word) if is_about(word))),
                _ => false,
            }),
        }
    }
}
