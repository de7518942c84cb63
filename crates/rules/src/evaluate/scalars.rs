//! Values of a file taken for another kind: text that is a number, a number that is true or false, and the like.

use crate::design::Scalar;
use moldloft_base::source::toml::{TomlNode, TomlValue};

pub(super) fn scalar(data: &TomlValue<'_>) -> Option<Scalar> {
    match data {
        TomlValue::Int(number) => Some(Scalar::Number(*number)),
        TomlValue::Flag(flag) => Some(Scalar::Flag(*flag)),
        TomlValue::Text(text) => Some(Scalar::Text(text.as_ref().into())),
        _ => None,
    }
}

pub(super) fn number_from_text(data: &TomlValue<'_>) -> Option<i64> {
    let TomlValue::Text(text) = data else { return None };
    text.trim().parse().ok()
}

pub(super) fn flag_from_text(data: &TomlValue<'_>) -> Option<Scalar> {
    let flag = match data {
        TomlValue::Int(0) => false,
        TomlValue::Int(1) => true,
        TomlValue::Text(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" => true,
            "false" | "no" | "off" => false,
            _ => return None,
        },
        _ => return None,
    };
    Some(Scalar::Flag(flag))
}

pub(super) fn text_from_number(node: &TomlNode<'_>) -> Option<Scalar> {
    match &node.data {
        TomlValue::Int(number) => Some(Scalar::Text(number.to_string().into())),
        _ => None,
    }
}
