//! The finding for a key of a ship that is neither a ship's own nor a relation of the ruleset.

use moldloft_base::finding::{Finding, did_you_mean};
use moldloft_base::source::Span;
use moldloft_rules::design::fleet::{Fleet, SHIP_KEYS};
use moldloft_rules::ruleset::{RelationKind, Ruleset};

pub(super) fn unknown_key(fleet: &Fleet, ruleset: Option<&Ruleset>, key: &str, span: Span) -> Finding {
    let relations = ruleset.iter().flat_map(|ruleset| &ruleset.relations);
    let relations = relations.filter(|relation| relation.kind == RelationKind::Carry);
    let known = SHIP_KEYS.into_iter().chain(relations.clone().map(|relation| &*relation.id));
    if let Some(relation) = { relations }.find(|relation| *relation.id == *key) {
        let message = format!("expected a number or a list of classes for `{key}` ({})", relation.label);
        let help = format!("use {key} = [{{ design = \"quiver.toml\", count = 3 }}]");
        return Finding::error("wrong-type", message).help(help).at(fleet.source.place_with_snippet(span));
    }
    let shown: String = key.chars().take(60).collect();
    let finding = Finding::warning("unknown-key", format!("unknown key `{shown}` of a ship; kept but ignored"));
    let help = did_you_mean(key, known).unwrap_or_else(|| "write notes as notes = \"…\"".to_owned());
    finding.help(help).at(fleet.source.place_with_snippet(span))
}
