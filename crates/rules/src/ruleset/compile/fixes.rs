//! Quick fixes of checks: takes the `fix` of a check and what its `for_each` goes over, gives the fix compiled. The
//! parameter, column or field that it sets is known to exist.

use super::Compiler;
use crate::formula::Type;
use crate::ruleset::model::FixDef;
use crate::ruleset::problems::{shorten, suggest};
use crate::ruleset::selector::Selector;
use crate::ruleset::symbol_table::{ItKind, ScopeContext};
use crate::ruleset::table_reader::TableReader;

impl Compiler<'_> {
    pub(super) fn compile_fix(
        &self,
        reader: &TableReader<'_, '_>,
        for_each: Option<&Selector>,
        context: &ScopeContext,
    ) -> Option<FixDef> {
        // A fix of what a layer removed fixes nothing.
        if reader.text("system").is_some_and(|(word, _)| self.symbols.removed.has("system", &word))
            && reader.text("system").is_some_and(|(word, _)| {
                self.symbols.system_index(&word).is_none() || self.symbols.removed.kept.contains(&*word)
            })
        {
            return None;
        }
        let system = reader.text("system").and_then(|(word, span)| {
            let found = self.symbols.system_index(&word);
            if found.is_none() {
                let help = suggest(&word, self.symbols.systems.iter().map(|system| &*system.id));
                let message = format!("unknown system `{}`", shorten(&word));
                reader.error("unknown-name", span, message, help);
            }
            found
        });
        let mut mounts = Vec::new();
        for (word, span) in reader.texts("mount").unwrap_or_default() {
            match self.symbols.match_mounts(&word) {
                Ok(found) => mounts.extend(found),
                Err(help) => {
                    let message = format!("unknown mount `{}`", shorten(&word));
                    reader.error("unknown-mount", span, message, help);
                }
            }
        }
        // The fit that is changed is `it`, so that new numbers can be computed from its old ones.
        let own = ScopeContext { it: ItKind::Fit(system.map(|system| vec![system])), ..ScopeContext::default() };
        let context = if reader.table.get("system").is_some() { &own } else { context };
        let count = self.compile_formula(reader, "count", context, &Type::Int);
        let set = self.named_formulas(reader, "set", context);
        let of_fit = reader.table.get("system").is_some() || matches!(for_each, Some(Selector::Fit(_)));
        for key in ["mount", "count"] {
            if let Some(node) = reader.table.get(key).filter(|_| !of_fit) {
                let message = format!("`{key}` needs a fit, and the check is not for each fit");
                reader.error("missing-key", node.span, message, "add the system of the fit: system = \"…\"");
            }
        }
        for (key, formula) in &set {
            if !self.can_set(key, system, for_each) {
                let message = format!("cannot set `{key}`: unknown name");
                let fields = self.symbols.fields.iter().map(|(id, _, _)| &**id);
                let parameters = self.symbols.attributes.iter().filter(|attribute| attribute.default.is_none());
                let known: Vec<&str> = fields.chain(parameters.map(|attribute| &*attribute.id)).collect();
                reader.error("unknown-name", formula.at, message, suggest(key, known));
            }
        }
        reader.report_unknown_keys();
        Some(FixDef { system, mounts, count, set })
    }

    /// Whether all that the fix may change has this parameter or column, or the field exists.
    fn can_set(&self, key: &str, system: Option<usize>, for_each: Option<&Selector>) -> bool {
        let symbols = &self.symbols;
        let has = |system: usize| {
            symbols.attribute(key).is_some_and(|attribute| symbols.systems[system].parameters.contains(&attribute))
        };
        let field = || symbols.fields.iter().any(|(id, _, _)| **id == *key);
        match (system, for_each) {
            (Some(system), _) => has(system),
            // What it was for is gone.
            (None, Some(nothing)) if *nothing == Selector::NOTHING => true,
            (None, Some(Selector::Fit(Some(systems)))) => systems.iter().all(|system| has(*system)) || field(),
            (None, Some(Selector::Fit(None))) => (0..symbols.systems.len()).all(has) || field(),
            (None, Some(Selector::Field(n))) => {
                symbols.columns[*n].iter().any(|(column, _)| **column == *key) || field()
            }
            _ => field(),
        }
    }
}
