//! Name conflicts of parameters: takes a parameter's type and the attribute or parameter of the same name, reports them.

use std::sync::Arc;

use crate::formula::Type;
use crate::ruleset::problems::ErrorSubject;
use crate::ruleset::table_reader::TableReader;
use moldloft_base::source::Span;

use super::Compiler;

impl Compiler<'_> {
    /// Reports a parameter whose name has another type elsewhere: a name must have one type in all systems.
    pub(super) fn report_type_conflict(&self, reader: &TableReader<'_, '_>, span: Span, attribute: usize, ty: &Type) {
        let known = &self.symbols.attributes[attribute];
        let id = &known.id;
        if known.default.is_some() {
            let help = "rename the parameter, or remove the attribute from [attributes]";
            return reader.error("duplicate-id", span, format!("`{id}` is already an attribute"), help);
        }
        // Duplicates within one system are reported elsewhere.
        let first = self.symbols.systems.iter().find(|system| system.parameters.contains(&attribute));
        let place = first.map_or_else(|| "an earlier system".to_owned(), |system| format!("`{}`", system.id));
        let words = |words: &[Arc<str>]| words.iter().take(8).map(|word| &**word).collect::<Vec<_>>().join(", ");
        let (message, help) = match (&known.ty, ty) {
            (Type::Text(Some(old)), Type::Text(Some(new))) => (
                format!("expected the options of `{id}` in {place}: {}; found: {}", words(old), words(new)),
                "give both the same options in the same order, or rename one",
            ),
            (old, new) => (
                format!("expected {}, as for `{id}` in {place}, found {}", type_noun(old), type_noun(new)),
                "use the same type in all systems, or rename one",
            ),
        };
        let names = first.map(|system| system.id.clone()).into_iter().chain(reader.declaration().cloned());
        let subject = ErrorSubject { section: "system", names: names.collect() };
        self.problems.error_about(subject, "duplicate-id", span, format!("{}: {message}", reader.label), help);
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
