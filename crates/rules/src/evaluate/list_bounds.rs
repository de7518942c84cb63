//! The numbers of a parameter that is a list: takes a fit's value, reports those out of the parameter's range.

use std::sync::Arc;

use crate::ruleset::{ParameterDef, range_text};
use moldloft_base::source::toml::{TomlNode, TomlValue};

use super::diagnostics::{Diagnostics, ValuePath};

/// Reports the numbers of a list that are out of the parameter's range; like single ones, they are used.
pub(super) fn report_list_bounds(
    notes: &mut Diagnostics<'_>,
    parameter: &ParameterDef,
    node: &TomlNode<'_>,
    (what, item): (&str, &dyn Fn() -> Arc<str>),
    path: ValuePath<'_>,
) {
    let TomlValue::List(list) = &node.data else { return };
    let (min, max) = (parameter.min, parameter.max);
    let is_beyond = |number: i64| min.is_some_and(|min| number < min) || max.is_some_and(|max| number > max);
    for (place, one) in list.iter().enumerate() {
        let TomlValue::Int(number) = one.data else { continue };
        if is_beyond(number) && !notes.is_full() {
            let why = parameter.bounds_reason.as_deref().map(|why| format!(" ({why})")).unwrap_or_default();
            let message =
                format!("{what}, number {}: {number}, expected a number{}{why}", place + 1, range_text(min, max));
            notes.error_left_out(
                "value-out-of-range",
                one.span,
                Some(item()),
                (message, String::new()),
                path.subject(),
            );
        }
    }
}
