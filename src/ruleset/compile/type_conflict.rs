//! Name conflicts of parameters: takes a parameter's type and the attribute or parameter of the same name, gives a
//! message and a help text.

use std::sync::Arc;

use crate::formula::Type;

use super::Compiler;

impl Compiler<'_> {
    /// A name must have one type in all systems.
    pub(super) fn type_conflict(&self, answer: usize, ty: &Type) -> (String, String) {
        let known = &self.symbols.attributes[answer];
        let id = &known.id;
        if known.default.is_some() {
            let help = "rename the parameter, or remove the attribute from [attributes]".to_owned();
            return (format!("`{id}` is already an attribute"), help);
        }
        let first = self.symbols.systems.iter().find(|system| system.parameters.contains(&answer));
        // Duplicates within one system are reported elsewhere.
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

fn type_noun(ty: &Type) -> &'static str {
    match ty {
        Type::Int => "a whole number",
        Type::Flag => "true or false",
        Type::Text(Some(_)) => "one of some options",
        Type::Text(None) => "text",
        _ => "a list",
    }
}
