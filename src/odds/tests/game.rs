//! Two sample ships of a game under its attack rules.

use std::sync::Arc;

use crate::design::{Design, Ship};
use crate::evaluate::{Evaluation, ResultRef, SlotScope, evaluate};
use crate::formula::{Host, Record, Scope, Type, Value, Weight};
use crate::source::{Source, Span};

use super::super::*;
use super::rules_text::{Names, read};
use crate::ruleset::*;

pub struct TriedGame {
    pub ruleset: Arc<Ruleset>,
    attacks: String,
}

macro_rules! file {
    ($path:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/", $path))
    };
}

impl TriedGame {
    pub fn new(id: &str) -> Self {
        let (rules, attacks) = match id {
            "wars-of-honor" => {
                (file!("rulesets/wars-of-honor.toml"), file!("tests/cases/odds/fragments/wars-of-honor.toml"))
            }
            "sky-full-of-ships" => {
                (file!("rulesets/sky-full-of-ships.toml"), file!("tests/cases/odds/fragments/sky-full-of-ships.toml"))
            }
            "star-navy" => (file!("rulesets/star-navy.toml"), file!("tests/cases/odds/fragments/star-navy.toml")),
            "battleships-1890s" => {
                (file!("rulesets/battleships-1890s.toml"), file!("tests/cases/odds/fragments/battleships-1890s.toml"))
            }
            _ => (file!("rulesets/b5-house-rules.toml"), file!("tests/cases/odds/fragments/b5-house-rules.toml")),
        };
        Self::of(rules, attacks)
    }

    /// A ruleset and its attacks, whose tables become the ruleset's.
    pub fn of(rules: &str, attacks: &str) -> Self {
        let mut tables: toml_edit::DocumentMut = attacks.parse().unwrap();
        let others: Vec<String> = tables.iter().map(|(key, _)| key.to_owned()).filter(|key| key != "table").collect();
        for key in others {
            tables.remove(&key);
        }
        let text = format!("{rules}\n{tables}");
        let (ruleset, findings) = Ruleset::load(&Source::new("rules.toml", &text));
        let ruleset = ruleset.unwrap_or_else(|| panic!("{findings:?}"));
        Self { ruleset: Arc::new(ruleset), attacks: attacks.to_owned() }
    }

    pub fn ship(&self, design: &str) -> Evaluation {
        let design = Design::read(&Source::new("design.toml", design)).unwrap();
        evaluate(&self.ruleset, &design, &Ship::default())
    }

    /// Rows of the target that attacks read: tables, by id.
    fn tables(&self, target: &Evaluation) -> Vec<(String, Type, Value)> {
        let tables = target.tables.iter().filter(|table| self.attacks.contains(&format!("target.{}", table.id)));
        tables
            .map(|table| {
                let ids: Vec<Arc<str>> = table.columns.iter().map(|column| column.id.clone()).collect();
                let rows = table.rows.iter().map(|row| {
                    let entries = ids.iter().cloned().zip(row.iter().cloned()).collect();
                    Value::Record(Arc::new(Record { entries }))
                });
                let record = Type::Record(ids.iter().map(|id| (id.clone(), Type::Any)).collect());
                (table.id.to_string(), Type::list_of(record), Value::List(rows.collect()))
            })
            .collect()
    }

    /// Calls `with` with the fight of `own` against `target`. `chosen` are situations other than their defaults; `only` names attacks.
    pub fn with_fight<T>(
        &self,
        own: &Evaluation,
        target: &Evaluation,
        chosen: &[(String, Value)],
        only: Option<&[String]>,
        with: impl FnOnce(&Fight<'_>, &dyn Host, &dyn Host) -> T,
    ) -> T {
        let at = Span::default();
        let ship_scope = self.ruleset.scope(&SlotContext::Ship, at).unwrap();
        let tables = self.tables(target);
        let more = (0..).zip(&tables).map(|(number, (id, ty, _))| ScopedName {
            name: format!("target.{id}"),
            slot: target_table_slot(number),
            ty: ty.clone(),
        });
        let own_scope = |for_each: Option<&str>| -> Box<dyn Scope + '_> {
            let context = if for_each.is_some() { SlotContext::Fit } else { SlotContext::Ship };
            Box::new(self.ruleset.scope(&context, at).unwrap())
        };
        let names = Names { own: &own_scope, target: &ship_scope, more: more.collect() };
        let read = read(&self.attacks, &names).unwrap_or_else(|error| panic!("{error:?}"));
        let situation: Vec<Value> = read
            .rules
            .situations
            .iter()
            .map(|rule| {
                let chosen = chosen.iter().find(|(id, _)| **id == *rule.id);
                chosen.map_or(rule.default.clone(), |(_, value)| value.clone())
            })
            .collect();
        let mut uses: Vec<(usize, Option<usize>)> = Vec::new();
        for (number, for_each) in read.for_each.iter().enumerate() {
            match for_each.as_deref().map(|each| each.split_whitespace().skip(1).collect::<Vec<_>>()) {
                None => uses.push((number, None)),
                Some(systems) => {
                    for (place, fit) in own.state.fits.iter().enumerate() {
                        let id = &*self.ruleset.systems[fit.base].id;
                        let tags = &self.ruleset.systems[fit.base].tags;
                        let fits = |word: &&str| match word.strip_prefix('#') {
                            Some(tag) => tags.iter().any(|known| **known == *tag),
                            None => *word == id,
                        };
                        if systems.iter().any(fits) {
                            uses.push((number, Some(place)));
                        }
                    }
                }
            }
        }
        uses.retain(|(number, _)| {
            only.is_none_or(|only| only.iter().any(|id| **id == *read.rules.attacks[*number].id))
        });
        uses.sort_by_key(|(number, _)| read.rules.attacks[*number].order);
        let target_tables: Vec<Value> = tables.into_iter().map(|(.., rows)| rows).collect();
        let focus: Vec<SlotScope> = uses
            .iter()
            .map(|(_, fit)| SlotScope { it: fit.map_or(ResultRef::Nothing, ResultRef::Fit), ..SlotScope::default() })
            .collect();
        let plain = SlotScope::default();
        let (mut with, mut result) = (Some(with), None);
        own.with_view(&plain, |own_host| {
            target.with_view(&plain, |target_host| {
                with_views(own, &focus, &[], &mut |views: &[&dyn Host]| {
                    let hosts: Vec<AttackHost<'_>> = views
                        .iter()
                        .map(|view| AttackHost {
                            own: *view,
                            target: target_host,
                            situation: &situation,
                            target_tables: &target_tables,
                        })
                        .collect();
                    let firings: Vec<Firing<'_>> = uses
                        .iter()
                        .zip(&hosts)
                        .map(|((number, _), host)| Firing { attack: &read.rules.attacks[*number], host })
                        .collect();
                    let all = AttackHost {
                        own: own_host,
                        target: target_host,
                        situation: &situation,
                        target_tables: &target_tables,
                    };
                    let own_gauges = limits(&read.rules, own_host).unwrap();
                    let left = limits(&read.rules, target_host).unwrap();
                    let fight =
                        Fight { rules: &read.rules, firings: &firings, own: &own_gauges, left: &left, host: &all };
                    result = with.take().map(|with| with(&fight, own_host, target_host));
                });
            });
        });
        result.unwrap()
    }

    pub fn volley<W: Weight>(
        &self,
        own: &Evaluation,
        target: &Evaluation,
        chosen: &[(String, Value)],
        only: Option<&[String]>,
    ) -> (Volley<W>, AttackRules) {
        self.with_fight(own, target, chosen, only, |fight, _, _| (volley(fight, &Ask::ALL), fight.rules.clone()))
    }
}

/// Calls `with` with one view of the ship for each focus.
fn with_views(own: &Evaluation, focus: &[SlotScope], views: &[&dyn Host], with: &mut dyn FnMut(&[&dyn Host])) {
    match focus.split_first() {
        None => with(views),
        Some((first, rest)) => own.with_view(first, |view| {
            let mut all = views.to_vec();
            all.push(view);
            with_views(own, rest, &all, with);
        }),
    }
}
