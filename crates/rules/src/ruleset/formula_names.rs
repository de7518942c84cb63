//! The names and functions that formulas of a ruleset can use, each with its type, for completing what is typed.

use crate::formula::FUNCTIONS;

use super::model::Ruleset;
use super::symbols::{LocalVar, QUERY_FUNCTIONS};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaName {
    /// As it is typed: `structure`, `choice.nation.discount`, `it.mass`, `count(`, `'laser'`.
    pub text: String,
    /// `a number`; for a function, its arguments.
    pub holds: String,
    /// What it is.
    pub about: String,
}

/// In the order in which they are offered.
pub fn formula_names(ruleset: &Ruleset) -> Vec<FormulaName> {
    let symbols = &ruleset.symbols;
    let name = |text: String, holds: &str, about: &str| FormulaName { text, holds: holds.into(), about: about.into() };
    let mut names = Vec::new();
    names.extend(symbols.values.iter().map(|(id, ty)| name(id.to_string(), ty.describe(), "value")));
    names.push(name("base".into(), "", "in a layer: the value in the rules below"));
    for (kind, list) in [("field", &symbols.fields), ("setting", &symbols.settings)] {
        for (id, ty, options) in list {
            names.push(name(id.to_string(), ty.describe(), kind));
            for (key, ty) in options.iter().flatten() {
                names.push(name(format!("choice.{id}.{key}"), ty.describe(), "of the option chosen"));
            }
        }
    }
    names.extend(symbols.relations.iter().map(|id| name(id.to_string(), "a number", "relation")));
    for attribute in &symbols.attributes {
        let about = if attribute.default.is_some() { "attribute of one" } else { "parameter of one" };
        names.push(name(format!("it.{}", attribute.id), attribute.ty.describe(), about));
        names.push(name(format!("it.whole.{}", attribute.id), attribute.ty.describe(), "for the whole fit"));
    }
    names.extend(["id", "count", "mount", "system", "tags"].map(|word| name(format!("it.{word}"), "", "of the fit")));
    for function in &QUERY_FUNCTIONS {
        names.push(name(format!("{}(", function.name), function.arguments, function.doc));
    }
    for function in &FUNCTIONS {
        names.push(name(format!("{}(", function.name), function.arguments, function.doc));
    }
    names.extend(ruleset.systems.iter().map(|system| name(format!("'{}'", system.id), "text", "system")));
    names.extend(ruleset.mounts.iter().map(|mount| name(format!("'{}'", mount.id), "text", "mount")));
    names.extend(symbols.tables.iter().map(|table| name(format!("'{}'", table.id), "text", "table")));
    names.extend(LocalVar::ALL.iter().map(|(word, _)| name((*word).to_owned(), "a number", "only in some keys")));
    names
}
