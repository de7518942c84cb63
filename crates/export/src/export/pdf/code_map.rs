//! Maps of codes of one byte in a font's texts: to glyphs, and to the letters that they stand for.

use std::collections::BTreeMap;

use lopdf::{Object, Stream, dictionary};

use super::syntax::compress;

/// The most entries of a list in a map.
const MAX_ENTRIES: usize = 100;
const FIRST: &str = "/CIDInit/ProcSet findresource begin 12 dict begin begincmap\n";
const SYSTEM: &str = "/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>def/CMapName/B def/CMapType ";
const LENGTH: &str = " def\n1 begincodespacerange<00><FF>endcodespacerange\n";
const LAST: &str = "endcmap CMapName currentdict/CMap defineresource pop end end\n";

/// Each code is its glyph.
pub fn short_codes() -> Stream {
    let map = [FIRST, SYSTEM, "1", LENGTH, "1 begincidrange<00><FF>0 endcidrange\n", LAST].concat();
    let system = dictionary! {
        "Registry" => Object::string_literal("Adobe"),
        "Ordering" => Object::string_literal("Identity"),
        "Supplement" => 0,
    };
    let dict =
        dictionary! { "Type" => "CMap", "CMapName" => "B", "CIDSystemInfo" => system, "Filter" => "FlateDecode" };
    Stream::new(dict, compress(map.as_bytes())).with_compression(false)
}

/// The letters of each code that has some.
pub fn words_of_codes(words: &BTreeMap<u16, String>) -> Vec<u8> {
    let mut map = [FIRST, SYSTEM, "2", LENGTH].concat();
    let words: Vec<_> = words.iter().filter(|(_, words)| !words.is_empty()).collect();
    for part in words.chunks(MAX_ENTRIES) {
        map.push_str(&format!("{} beginbfchar\n", part.len()));
        for (code, words) in part {
            let letters: String = words.encode_utf16().map(|unit| format!("{unit:04X}")).collect();
            map.push_str(&format!("<{code:02X}><{letters}>\n"));
        }
        map.push_str("endbfchar\n");
    }
    map.push_str(LAST);
    map.into_bytes()
}
