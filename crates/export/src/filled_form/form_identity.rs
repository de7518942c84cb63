//! The hidden field that identifies the fleet of a form: JSON, which `export` writes. Forms of older versions have none.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Name of the field below the fleet's. A unit's key has no underscore, so names cannot clash.
pub const IDENTITY_FIELD: &str = "form_identity";

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FormIdentity {
    /// Version of this format: 1.
    pub moldloft_form: u32,
    pub game: String,
    /// At most 80 characters.
    pub fleet: String,
    /// Nation or alliance.
    pub side: String,
    /// Ships by key: class and title, at most 80 characters each.
    pub ships: BTreeMap<String, (String, String)>,
}

/// Reads the field; `None` for other contents.
pub fn parse_identity(text: &str) -> Option<FormIdentity> {
    serde_json::from_str::<FormIdentity>(text).ok().filter(|identity| !identity.ships.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_form_says_of_itself_is_read_or_nothing() {
        let text =
            r#"{"moldloft_form":1,"game":"g","fleet":"\u7b2c","side":"","ships":{"a":["Petrel","HMS A"]},"later":[1]}"#;
        let identity = parse_identity(text).unwrap();
        assert_eq!((&*identity.game, &*identity.fleet), ("g", "第"));
        assert_eq!(identity.ships["a"], ("Petrel".to_owned(), "HMS A".to_owned()));
        for wrong in ["", "{}", "[", "{\"ships\":{}}", "{\"ships\":{\"a\":[1]}}", "x"] {
            assert_eq!(parse_identity(wrong), None, "{wrong}");
        }
        assert_eq!(parse_identity(&"[".repeat(100_000)), None);
    }
}
