//! What is wrong with a parameter whose name means something else: takes the parameter's type and the answer it would be, gives what was
//! expected, what was found and what to do.

use std::sync::Arc;

use crate::formula::Type;

use super::Compiler;

impl Compiler<'_> {
    /// What is wrong with a parameter whose name is taken for something else: one word means one thing in all systems.
    pub(super) fn other_meaning(&self, answer: usize, ty: &Type) -> (String, String) {
        let known = &self.lexicon.answers[answer];
        let id = &known.id;
        if known.default.is_some() {
            let help = "give the parameter another name, or take the attribute out of [attributes]".to_owned();
            return (format!("expected a name of its own, found `{id}`, which is an attribute"), help);
        }
        let first = self.lexicon.systems.iter().find(|system| system.parameters.contains(&answer));
        // Two of one system are told elsewhere.
        let first = first.map_or_else(|| "a system above".to_owned(), |system| format!("`{}`", system.id));
        let words = |words: &[Arc<str>]| words.iter().take(8).map(|word| &**word).collect::<Vec<_>>().join(", ");
        match (&known.ty, ty) {
            (Type::Text(Some(old)), Type::Text(Some(new))) => (
                format!("expected the options that `{id}` has in {first}: {}; found: {}", words(old), words(new)),
                "give both the same options in the same order, or one of the two another name".to_owned(),
            ),
            (old, new) => (
                format!("expected {}, as `{id}` is in {first}, found {}", kind_word(old), kind_word(new)),
                "let it be of the same kind in all systems, or give one of the two another name".to_owned(),
            ),
        }
    }
}

/// What a parameter holds, in a player's words.
fn kind_word(ty: &Type) -> &'static str {
    match ty {
        Type::Int => "a whole number",
        Type::Flag => "true or false",
        Type::Text(Some(_)) => "one of some options",
        Type::Text(None) => "text",
        _ => "a list",
    }
}
