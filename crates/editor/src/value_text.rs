//! Conversions of values to text, and of TOML values to values that can be written.

use moldloft_base::source::toml::TomlValue;
use moldloft_rules::design::SpannedText;
pub use moldloft_rules::design::written_value as to_toml_value;
use moldloft_rules::formula;
use moldloft_sheet::sheet::format_value;

/// A computed value as on sheets, or `unknown` if it is null.
pub fn format_or(value: &formula::Value, unknown: &str) -> String {
    if value.is_null() { unknown.to_owned() } else { format_value(value).to_string() }
}

/// Texts in quotes.
pub fn as_written(data: &TomlValue<'_>) -> String {
    to_toml_value(data).to_string().trim().to_owned()
}

/// Texts without quotes.
pub fn as_read(data: &TomlValue<'_>) -> String {
    match data {
        TomlValue::Text(text) => text.to_string(),
        other => as_written(other),
    }
}

pub fn text_or_empty(text: &Option<SpannedText>) -> String {
    text.as_ref().map_or_else(String::new, |text| text.text.to_string())
}

/// Empty if that is not a text.
pub fn text_or_default(stated: Option<&TomlValue<'_>>, default: &formula::Value) -> String {
    match (stated, default) {
        (Some(TomlValue::Text(text)), _) => text.to_string(),
        (None, formula::Value::Text(text)) => text.to_string(),
        _ => String::new(),
    }
}
