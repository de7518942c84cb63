//! Trees of texts that were parsed when the program was built: takes a text, gives its tree if it is one of them.

use std::sync::OnceLock;

use super::packed_toml::unpack;
use super::toml_tree::TomlTable;

/// Each text with its packed tree.
static PACKED: OnceLock<PackedTexts> = OnceLock::new();

/// Texts, each with its tree as [`pack`](super::pack) writes it.
pub type PackedTexts = &'static [(&'static str, &'static [u8])];

/// From now on these texts are not parsed but unpacked: the same trees, sooner.
pub fn use_packed(texts: PackedTexts) {
    PACKED.get_or_init(|| texts);
}

pub fn tree(text: &str, file: u16) -> Option<TomlTable<'_>> {
    PACKED.get()?.iter().find(|(known, _)| *known == text).and_then(|(_, packed)| unpack(text, packed, file))
}

/// Whether a text is that of a built-in ruleset.
pub fn is_built_in(text: &str) -> bool {
    PACKED.get().is_some_and(|packed| packed.iter().any(|(known, _)| *known == text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::packed_toml::pack;
    use crate::source::toml::{parse, parse_anew};

    const TEXT: &str =
        "a.b = -9223372036854775808\n[[t]]\n'k' = [1.5, 1979-05-27, \"\\u00e9\", '''\nx''', {}, true]\nß = 'ß'\n";

    #[test]
    fn a_packed_tree_is_the_parsed_one() {
        let (root, faults) = parse_anew(TEXT, 0);
        // A key that is not bare.
        assert_eq!(faults.len(), 1);
        assert_eq!(format!("{:?}", unpack(TEXT, &pack(TEXT, &root), 0).unwrap()), format!("{root:?}"));
    }

    #[test]
    fn only_the_very_text_is_unpacked() {
        let text = "[ruleset]\nid = \"known\"\n";
        let packed = pack(text, &parse_anew(text, 0).0);
        use_packed(Box::leak(Box::new([(text, &*packed.leak())])));
        assert!(is_built_in(text));
        assert_eq!(format!("{:?}", tree(text, 3).unwrap()), format!("{:?}", parse_anew(text, 3).0));
        let changed = text.replacen("id = ", "id= ", 1);
        assert!(tree(&changed, 0).is_none());
        assert_eq!(parse(&changed, 0).0.table("ruleset").unwrap().text("id"), Some("known"));
    }

    #[test]
    fn bytes_that_do_not_suit_give_nothing() {
        let packed = pack(TEXT, &parse_anew(TEXT, 0).0);
        for length in 0..packed.len() {
            assert!(unpack(TEXT, &packed[..length], 0).is_none());
        }
        assert!(unpack("", &packed, 0).is_none());
    }
}
