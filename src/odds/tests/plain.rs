//! Attacks without ships: rules from a text whose names are only those of the attacks themselves.

use crate::formula::{FormulaError, NoNames, Scope, Value, Weight};

use super::super::*;
use super::rules_text::{Names, ReadRules, read};

pub fn rules(toml: &str) -> Result<ReadRules, FormulaError> {
    let own = |_: Option<&str>| -> Box<dyn Scope> { Box::new(NoNames) };
    read(toml, &Names { own: &own, target: &NoNames, more: Vec::new() })
}

/// The volley of all attacks, with the situations' defaults.
pub fn volley_of<W: Weight>(toml: &str) -> Result<Volley<W>, FormulaError> {
    answer_of(toml, &Ask::ALL)
}

pub fn answer_of<W: Weight>(toml: &str, ask: &Ask) -> Result<Volley<W>, FormulaError> {
    let rules = rules(toml)?.rules;
    let situation: Vec<Value> = rules.situations.iter().map(|rule| rule.default.clone()).collect();
    let host = AttackHost { own: &NoNames, target: &NoNames, situation: &situation, target_tables: &[] };
    let mut firings: Vec<Firing<'_>> = rules.attacks.iter().map(|attack| Firing { attack, host: &host }).collect();
    firings.sort_by_key(|firing| firing.attack.order);
    let gauges = limits(&rules, &NoNames)?;
    let fight = Fight { rules: &rules, firings: &firings, own: &gauges, left: &gauges, host: &host };
    Ok(volley(&fight, ask))
}
