//! The trees of the built-in rulesets, packed when the program was built: takes a text, gives its tree if it is one of them.

use super::packed_toml::unpack;
use super::toml_tree::TomlTable;

/// Each text with its packed tree.
static PACKED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/packed_rulesets.rs"));

pub fn tree(text: &str, file: u16) -> Option<TomlTable<'_>> {
    PACKED.iter().find(|(known, _)| *known == text).and_then(|(_, packed)| unpack(text, packed, file))
}

/// Whether a text is that of a built-in ruleset.
pub fn is_built_in(text: &str) -> bool {
    PACKED.iter().any(|(known, _)| *known == text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::packed_toml::pack;
    use crate::source::toml::{parse, parse_anew};

    #[test]
    fn a_packed_tree_is_the_parsed_one() {
        assert!(PACKED.len() >= 8);
        for (text, _) in PACKED {
            let packed = tree(text, 3).expect("a tree of the built-in text");
            assert_eq!(format!("{packed:?}"), format!("{:?}", parse_anew(text, 3).0));
        }
        let text =
            "a.b = -9223372036854775808\n[[t]]\n'k' = [1.5, 1979-05-27, \"\\u00e9\", '''\nx''', {}, true]\nß = 'ß'\n";
        let (root, faults) = parse_anew(text, 0);
        // A key that is not bare.
        assert_eq!(faults.len(), 1);
        assert_eq!(format!("{:?}", unpack(text, &pack(text, &root), 0).unwrap()), format!("{root:?}"));
    }

    #[test]
    fn a_changed_text_is_parsed() {
        let text = PACKED[0].0.replacen("id = ", "id= ", 1);
        assert!(tree(&text, 0).is_none());
        assert_eq!(parse(&text, 0).0.text_at_path(), parse(PACKED[0].0, 0).0.text_at_path());
    }

    impl TomlTable<'_> {
        fn text_at_path(&self) -> Option<&str> {
            self.table("ruleset")?.text("id")
        }
    }

    #[test]
    fn bytes_that_do_not_suit_give_nothing() {
        let (text, packed) = PACKED[0];
        for length in (0..packed.len()).step_by(97) {
            assert!(unpack(text, &packed[..length], 0).is_none());
        }
        assert!(unpack("", packed, 0).is_none());
    }
}
