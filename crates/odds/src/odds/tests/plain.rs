//! Attacks without ships: rules whose names are only those of the attacks themselves.

use moldloft_base::progress::Progress;
use moldloft_base::source::Source;
use moldloft_rules::formula::{NoNames, Weight};
use moldloft_rules::ruleset::{AttackRules, Ruleset};

use super::super::*;

/// The attack rules of a ruleset that has nothing else, or the code of the first finding.
pub fn rules(toml: &str) -> Result<AttackRules, String> {
    let header = "[ruleset]\nid = \"plain\"\ntitle = \"Plain\"\nversion = \"1\"\nschema = 1\n";
    let (ruleset, findings) = Ruleset::load(&Source::new("plain.toml", &format!("{header}{toml}")));
    match findings.first() {
        Some(finding) => Err(finding.code.to_string()),
        None => Ok(ruleset.unwrap().attack_rules),
    }
}

/// The volley of all attacks, with the situations' defaults; or the code of the first error.
pub fn volley_of<W: Weight>(toml: &str) -> Result<Volley<W>, String> {
    answer_of(toml, &Ask::ALL)
}

pub fn answer_of<W: Weight>(toml: &str, ask: &Ask) -> Result<Volley<W>, String> {
    answer_until(toml, ask, None)
}

/// As [`answer_of`], until it is cancelled.
pub fn answer_until<W: Weight>(toml: &str, ask: &Ask, progress: Option<&Progress>) -> Result<Volley<W>, String> {
    let rules = rules(toml)?;
    let situation = default_situation(&rules);
    let host = AttackHost { own: &NoNames, target: &NoNames, situation: &situation };
    let mut firings: Vec<Firing<'_>> = rules.attacks.iter().map(|attack| Firing::new(attack, &host)).collect();
    firings.sort_by_key(|firing| firing.attack.order);
    let gauges = limits(&rules, &NoNames).map_err(|error| error.code.to_owned())?;
    let fight = Fight { rules: &rules, firings: &firings, own: &gauges, left: &gauges, host: &host, progress };
    Ok(volley(&fight, ask))
}
