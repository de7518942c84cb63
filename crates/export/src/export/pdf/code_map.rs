//! Codes of one byte in a font's texts: which glyph has which, and the maps of codes to glyphs and to the letters that they
//! stand for.

use std::collections::BTreeMap;

use lopdf::{Object, Stream, dictionary};

use super::syntax::compress;

/// By code: the glyph, and its text.
type Letters = BTreeMap<u16, (u16, String)>;

/// The most entries of a list in a map.
const MAX_ENTRIES: usize = 100;
const FIRST: &str = "/CIDInit/ProcSet findresource begin 12 dict begin begincmap\n";
const SYSTEM: &str = "/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>def/CMapName/B def/CMapType ";
const LENGTH: &str = " def\n1 begincodespacerange<00><FF>endcodespacerange\n";
const LAST: &str = "endcmap CMapName currentdict/CMap defineresource pop end end\n";

/// Codes for glyphs with these texts, in their order; `None` if there are too many. A letter of ASCII is its own code: figures
/// in texts and in positions compress together.
pub fn short_codes<'a>(texts: impl Iterator<Item = &'a str>) -> Option<Vec<u16>> {
    let mut is_taken = [false; 256];
    let own: Vec<Option<u16>> = texts
        .map(|text| match *text.as_bytes() {
            [letter @ b' '..=b'~'] if !std::mem::replace(&mut is_taken[usize::from(letter)], true) => {
                Some(u16::from(letter))
            }
            _ => None,
        })
        .collect();
    // 0 is no glyph.
    let mut others = (0x80..=0xFF).chain(1..0x80).filter(|&code| !is_taken[usize::from(code)]);
    own.into_iter().map(|own| own.or_else(|| others.next())).collect()
}

/// The glyph of each code.
pub fn glyphs_of_codes(letters: &Letters) -> Stream {
    let mut map = [FIRST, SYSTEM, "1", LENGTH].concat();
    let glyphs = letters.iter().map(|(&code, &(glyph, _))| (code, glyph));
    put_list(&mut map, "cidrange", &runs(glyphs), |(first, last, glyph)| format!("<{first:02X}><{last:02X}>{glyph}"));
    map.push_str(LAST);
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
pub fn words_of_codes(letters: &Letters) -> Vec<u8> {
    let mut map = [FIRST, SYSTEM, "2", LENGTH].concat();
    let (mut single, mut others) = (Vec::new(), Vec::new());
    for (&code, (_, text)) in letters {
        match text.encode_utf16().collect::<Vec<_>>()[..] {
            [] => {}
            [unit] => single.push((code, unit)),
            ref units => others.push((code, units.iter().map(|unit| format!("{unit:04X}")).collect::<String>())),
        }
    }
    put_list(&mut map, "bfrange", &runs(single.into_iter()), |(first, last, unit)| {
        format!("<{first:02X}><{last:02X}><{unit:04X}>")
    });
    put_list(&mut map, "bfchar", &others, |(code, units)| format!("<{code:02X}><{units}>"));
    map.push_str(LAST);
    map.into_bytes()
}

/// Codes that follow one another, with what goes with the first of them, where what goes with the others follows, too, and has
/// the same upper byte: the first and the last code of each run.
fn runs(pairs: impl Iterator<Item = (u16, u16)>) -> Vec<(u16, u16, u16)> {
    let mut runs: Vec<(u16, u16, u16)> = Vec::new();
    for (code, value) in pairs {
        match runs.last_mut() {
            Some((first, last, of_first))
                if *last + 1 == code && value.checked_sub(*of_first) == Some(code - *first) && value & 0xFF > 0 =>
            {
                *last = code;
            }
            _ => runs.push((code, code, value)),
        }
    }
    runs
}

fn put_list<T>(map: &mut String, kind: &str, entries: &[T], line: impl Fn(&T) -> String) {
    for part in entries.chunks(MAX_ENTRIES) {
        map.push_str(&format!("{} begin{kind}\n", part.len()));
        part.iter().for_each(|entry| map.extend([&*line(entry), "\n"]));
        map.push_str(&format!("end{kind}\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_of_ascii_is_its_own_code_and_the_others_are_beside_it() {
        let codes = short_codes(["a", "é", "0", "fi", "", "a", " "].into_iter());
        assert_eq!(codes, Some(vec![97, 0x80, 48, 0x81, 0x82, 0x83, 32]));
        let many: Vec<String> = (0..255).map(|n| char::from_u32(0x400 + n).unwrap().to_string()).collect();
        let mut codes = short_codes(many.iter().map(|text| &**text)).expect("as many as there are codes");
        codes.sort_unstable();
        assert_eq!(codes, (1..=255).collect::<Vec<_>>());
        assert_eq!(short_codes(many.iter().map(|text| &**text).chain(["x"])), None);
    }

    #[test]
    fn maps_name_every_code_once() {
        let letters =
            [(48, (1, "0")), (49, (2, "1")), (51, (3, "3")), (128, (4, "ÿ")), (129, (5, "Ā")), (130, (6, "fi"))];
        let letters = letters.into_iter().map(|(code, (glyph, text))| (code, (glyph, text.to_owned()))).collect();
        let map = String::from_utf8(words_of_codes(&letters)).expect("text");
        let list = "4 beginbfrange\n<30><31><0030>\n<33><33><0033>\n<80><80><00FF>\n<81><81><0100>\nendbfrange\n";
        assert!(map.contains(list), "{map}");
        assert!(map.contains("1 beginbfchar\n<82><00660069>\nendbfchar\n"), "{map}");
        let glyphs = letters.iter().map(|(&code, &(glyph, _))| (code, glyph));
        assert_eq!(runs(glyphs), [(48, 49, 1), (51, 51, 3), (128, 130, 4)]);
    }
}
