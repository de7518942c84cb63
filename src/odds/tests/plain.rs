//! Attacks without ships: rules from a text whose names are only those of the attacks themselves.

use crate::formula::{Argument, BoundCall, FormulaError, Host, ResolvedName, Scope, Slot, UnknownName, Value, Weight};

use super::super::*;
use super::rules_text::{Names, ReadRules, read};

/// A ship without names.
pub struct NoShip;

impl Scope for NoShip {
    fn resolve(&self, _path: &[&str]) -> Result<ResolvedName, UnknownName> {
        Err(UnknownName { word_index: 0, help: None })
    }

    fn call(&self, _function: &str, _arguments: &[Argument<'_>]) -> Option<Result<BoundCall, FormulaError>> {
        None
    }

    fn functions(&self) -> Vec<String> {
        Vec::new()
    }
}

impl Host for NoShip {
    fn read(&self, _slot: Slot) -> Value {
        Value::Null
    }

    fn call(&self, _call: u32, _arguments: &[Value]) -> Result<Value, String> {
        Ok(Value::Null)
    }
}

pub fn rules(toml: &str) -> Result<ReadRules, FormulaError> {
    let own = |_: Option<&str>| -> Box<dyn Scope> { Box::new(NoShip) };
    read(toml, &Names { own: &own, target: &NoShip, more: Vec::new() })
}

/// The volley of all attacks, with the situations' defaults.
pub fn volley_of<W: Weight>(toml: &str) -> Result<Volley<W>, FormulaError> {
    answer_of(toml, &Ask::ALL)
}

pub fn answer_of<W: Weight>(toml: &str, ask: &Ask) -> Result<Volley<W>, FormulaError> {
    let rules = rules(toml)?.rules;
    let situation: Vec<Value> = rules.situations.iter().map(|rule| rule.default.clone()).collect();
    let host = AttackHost { own: &NoShip, target: &NoShip, situation: &situation, target_tables: &[] };
    let mut firings: Vec<Firing<'_>> = rules.attacks.iter().map(|attack| Firing { attack, host: &host }).collect();
    firings.sort_by_key(|firing| firing.attack.order);
    let gauges = limits(&rules, &NoShip)?;
    let fight = Fight { rules: &rules, firings: &firings, own: &gauges, left: &gauges, host: &host };
    Ok(volley(&fight, ask))
}
