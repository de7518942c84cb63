//! What is wrong with a parameter whose name means something else: takes the parameter's type and the answer it would be, gives what was
//! expected, what was found and what to do.

use std::sync::Arc;

use crate::formula::Type;

use super::Compiler;

impl Compiler<'_> {
    /// What is wrong with a parameter whose name is taken for something else: one word means one thing in all systems.
    pub(super) fn type_conflict(&self, answer: usize, ty: &Type) -> (String, String) {
        let known = &self.symbols.attributes[answer];
        let id = &known.id;
        if known.default.is_some() {
            let help = "rename the parameter, or remove the attribute from [attributes]".to_owned();
            return (format!("`{id}` is already an attribute"), help);
        }
        let first = self.symbols.systems.iter().find(|system| system.parameters.contains(&answer));
        // Two of one system are told elsewhere.
        let first = first.map_or_else(|| "an earlier system".to_owned(), |system| format!("`{}`", system.id));
        let words = |words: &[Arc<str>]| words.iter().take(8).map(|word| &**word).collect::<Vec<_>>().join(", ");
        match (&known.ty, ty) {
            (Type::Text(Some(old)), Type::Text(Some(new))) => (
                format!("expected the options of `{id}` in {first}: {}; found: {}", words(old), words(new)),
                "give both the same options in the same order, or rename one".to_owned(),
            ),
            (old, new) => (
                format!("expected {}, as for `{id}` in {first}, found {}", type_noun(old), type_noun(new)),
                "use the same type in all systems, or rename one".to_owned(),
            ),
        }
    }
}

/// What a parameter holds, in a player's words.
fn type_noun(ty: &Type) -> &'static str {
    match ty {
        Type::Int => "a whole number",
        Type::Flag => "true or false",
        Type::Text(Some(_)) => "one of some options",
        Type::Text(None) => "text",
        _ => "a list",
    }
}
