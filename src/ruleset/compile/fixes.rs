//! How checks are mended: takes the `fix` of a check and what the check is for each of, gives it compiled. What it sets is known to be
//! there: a fit's parameter, a row's column or a field.

use super::Compiler;
use crate::formula::Type;
use crate::ruleset::lexicon::{Around, Meaning};
use crate::ruleset::model::{Fix, Selector};
use crate::ruleset::reader::{Reader, brief, suggest};

impl Compiler<'_> {
    pub(super) fn fix(&self, reader: &Reader<'_, '_>, for_each: Option<&Selector>, around: &Around) -> Fix {
        let system = reader.text("system").and_then(|(word, span)| {
            let found = self.lexicon.system(&word);
            if found.is_none() {
                let help = suggest(&word, self.lexicon.systems.iter().map(|system| &*system.id));
                let message = format!("{}: unknown system `{}`", reader.what, brief(&word));
                self.problems.error("unknown-name", span, message, help);
            }
            found
        });
        let mut mounts = Vec::new();
        for (word, span) in reader.texts("mount").unwrap_or_default() {
            match self.lexicon.mounts_of(&word) {
                Ok(found) => mounts.extend(found),
                Err(help) => {
                    let message = format!("{}: unknown mount `{}`", reader.what, brief(&word));
                    self.problems.error("unknown-mount", span, message, help);
                }
            }
        }
        // The fit that is changed is `it`, so that its numbers can be counted on from.
        let own = Around { it: Meaning::Fit(system.map(|system| vec![system])), ..Around::default() };
        let around = if reader.table.get("system").is_some() { &own } else { around };
        let count = self.formula(reader, "count", around, &Type::Int);
        let set = self.named_formulas(reader, "set", around);
        let of_fit = reader.table.get("system").is_some() || matches!(for_each, Some(Selector::Fit(_)));
        for key in ["mount", "count"] {
            if let Some(node) = reader.table.get(key).filter(|_| !of_fit) {
                let message = format!("{}: `{key}` needs a fit, and the check is not for each fit", reader.what);
                self.problems.error("missing-key", node.span, message, "add the system of the fit: system = \"…\"");
            }
        }
        for (key, formula) in &set {
            if !self.can_set(key, system, for_each) {
                let message = format!("{}: cannot set `{key}`: unknown name", reader.what);
                let fields = self.lexicon.fields.iter().map(|(id, _, _)| &**id);
                let parameters = self.lexicon.answers.iter().filter(|answer| answer.default.is_none());
                let known: Vec<&str> = fields.chain(parameters.map(|answer| &*answer.id)).collect();
                self.problems.error("unknown-name", formula.at, message, suggest(key, known));
            }
        }
        reader.finish();
        Fix { system, mounts, count, set }
    }

    /// Whether all that a fix may change has such a parameter or column, or there is such a field.
    fn can_set(&self, key: &str, system: Option<usize>, for_each: Option<&Selector>) -> bool {
        let lexicon = &self.lexicon;
        let has = |system: usize| {
            lexicon.answer(key).is_some_and(|answer| lexicon.systems[system].parameters.contains(&answer))
        };
        let field = || lexicon.fields.iter().any(|(id, _, _)| **id == *key);
        match (system, for_each) {
            (Some(system), _) => has(system),
            (None, Some(Selector::Fit(Some(systems)))) => systems.iter().all(|system| has(*system)) || field(),
            (None, Some(Selector::Fit(None))) => (0..lexicon.systems.len()).all(has) || field(),
            (None, Some(Selector::Field(n))) => {
                lexicon.columns[*n].iter().any(|(column, _)| **column == *key) || field()
            }
            _ => field(),
        }
    }
}
