//! A design as one line of text for a QR code: its TOML, deflated, in the letters that a QR code packs closest.
//! Takes a [`Design`], gives the text; takes such a text from anyone, gives the TOML or a finding.

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

use super::Design;
use moldloft_base::finding::Finding;

/// What every code begins with; the figure is the version of the format.
const PREFIX: &str = "MOLDLOFT1:";
/// The digits of base 41: QR's alphanumeric characters without space, `$`, `%` and `*`, so that a text survives being
/// wrapped or trimmed.
pub const CODE_DIGITS: &[u8; 41] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ+-./:";
/// The largest TOML in a code, bytes.
const MAX_TOML: usize = 64 * 1024;
/// The longest text that is read; the largest QR code holds 4,296 characters.
const MAX_CHARS: usize = 100_000;
/// What deflate assumes to precede the text: words of the built-in games' designs, the most frequent last. Part of the
/// format: a change needs another prefix.
pub const CODE_WORDS: &[u8] = include_bytes!("code_words.txt");

impl Design {
    /// The design as a text of the characters `0–9 A–Z + - . / :`; [`toml_of_code`] reads it. `None` for a design of
    /// more than 64 KiB.
    pub fn to_code(&self) -> Option<String> {
        let toml = self.to_toml();
        if toml.len() > MAX_TOML {
            return None;
        }
        let mut packed = Vec::with_capacity(toml.len() + 64);
        packed.extend(checksum(toml.as_bytes()));
        let mut deflate = Compress::new(Compression::best(), false);
        deflate.set_dictionary(CODE_WORDS).ok()?;
        let status = deflate.compress_vec(toml.as_bytes(), &mut packed, FlushCompress::Finish).ok()?;
        (status == Status::StreamEnd).then(|| PREFIX.to_owned() + &base_41(&packed))
    }
}

/// Whether a text is meant as a design's code.
pub fn is_design_code(text: &str) -> bool {
    let text = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    text.get(.."MOLDLOFT".len()).is_some_and(|word| word.eq_ignore_ascii_case("MOLDLOFT"))
        && text["MOLDLOFT".len()..].trim_start_matches(|letter: char| letter.is_ascii_digit()).starts_with(':')
}

/// The TOML in a design's code. Spaces and line breaks in the text do not matter.
///
/// # Errors
/// `not-a-code` for a text that is damaged, of a newer version, or larger than any design's.
pub fn toml_of_code(text: &str) -> Result<String, Finding> {
    let damaged = |what: &str| {
        Finding::error("not-a-code", format!("cannot read the design's code: {what}"))
            .help("scan it again, and copy the whole text")
    };
    if text.len() > MAX_CHARS {
        return Err(damaged("it is too long"));
    }
    let text: String = text
        .chars()
        .filter(|letter| !letter.is_whitespace() && *letter != '\u{feff}')
        .map(|letter| letter.to_ascii_uppercase())
        .collect();
    let Some(digits) = text.strip_prefix(PREFIX) else {
        return Err(Finding::error("not-a-code", format!("expected a design's code that begins with {PREFIX}"))
            .help("a code with a higher number was written by a newer version of Moldloft"));
    };
    let packed = bytes_of_base_41(digits).ok_or_else(|| damaged("it has a character that no code has"))?;
    let Some((sum, deflated)) = packed.split_first_chunk::<2>() else { return Err(damaged("it ends too early")) };
    let mut inflate = Decompress::new(false);
    inflate.set_dictionary(CODE_WORDS).map_err(|_| damaged("it cannot be unpacked"))?;
    // No more is unpacked than there is room for.
    let mut toml = Vec::with_capacity(MAX_TOML + 1);
    match inflate.decompress_vec(deflated, &mut toml, FlushDecompress::Finish) {
        Ok(Status::StreamEnd) => {}
        Ok(_) if toml.len() > MAX_TOML => return Err(damaged("its design is larger than 64 KiB")),
        Ok(_) => return Err(damaged("it ends too early")),
        Err(_) => return Err(damaged("it cannot be unpacked")),
    }
    if toml.len() > MAX_TOML || checksum(&toml) != *sum {
        return Err(damaged("a character is wrong"));
    }
    String::from_utf8(toml).map_err(|_| damaged("a character is wrong"))
}

/// Fletcher's checksum of 16 bits, against characters typed wrong.
fn checksum(bytes: &[u8]) -> [u8; 2] {
    let (mut low, mut high) = (0u32, 0u32);
    for byte in bytes {
        low = (low + u32::from(*byte)) % 255;
        high = (high + low) % 255;
    }
    [high as u8, low as u8]
}

/// Two bytes in three digits, the lowest first; a single last byte in two.
pub fn base_41(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() / 2 * 3 + 2);
    for pair in bytes.chunks(2) {
        let mut number = pair.iter().fold(0, |number, byte| number * 256 + usize::from(*byte));
        for _ in 0..=pair.len() {
            out.push(char::from(CODE_DIGITS[number % 41]));
            number /= 41;
        }
    }
    out
}

/// `None` for a text that [`base_41`] never gives.
pub fn bytes_of_base_41(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 3 * 2 + 1);
    for digits in text.as_bytes().chunks(3) {
        let mut number = 0;
        for digit in digits.iter().rev() {
            number = number * 41 + CODE_DIGITS.iter().position(|known| known == digit)?;
        }
        match digits.len() {
            3 => out.extend(u16::try_from(number).ok()?.to_be_bytes()),
            2 => out.push(u8::try_from(number).ok()?),
            _ => return None,
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use moldloft_base::source::Source;

    fn design(toml: &str) -> Design {
        Design::read(&Source::new("d.toml", toml)).expect("TOML")
    }

    #[test]
    fn a_code_gives_the_design_back() {
        let short = "ruleset = \"star-navy\"\nname = \"Søn «x»\"\n";
        let fits = "[[fit]]\nsystem = \"laser\"\nmount = \"port\"\ncount = 3\narcs = [1, 2]\n\n".repeat(60);
        for toml in [short.to_owned(), format!("{short}\n{fits}"), "ruleset = \"x\"\n".to_owned()] {
            let design = design(&toml);
            let code = design.to_code().expect("small");
            assert!(code.bytes().all(|byte| CODE_DIGITS.contains(&byte)), "{code}");
            assert_eq!(toml_of_code(&code).expect("a code"), design.to_toml());
            let wrapped: Vec<String> =
                code.as_bytes().chunks(20).map(|line| String::from_utf8_lossy(line).into()).collect();
            assert!(is_design_code(&format!("\n {}", wrapped.join("\n").to_lowercase())));
            assert_eq!(toml_of_code(&wrapped.join("\r\n ").to_lowercase()).expect("a code"), design.to_toml());
        }
    }

    #[test]
    fn damaged_codes_are_refused() {
        let code = design("ruleset = \"star-navy\"\nname = \"Argus\"\nnotes = \"a fast ship with long legs\"\n")
            .to_code()
            .expect("small");
        for end in PREFIX.len()..code.len() {
            assert!(toml_of_code(&code[..end]).is_err(), "{end}");
        }
        for place in PREFIX.len()..code.len() {
            let mut other = code.clone().into_bytes();
            other[place] = if other[place] == b'7' { b'8' } else { b'7' };
            assert!(toml_of_code(&String::from_utf8_lossy(&other)).is_err(), "{place}");
        }
        for text in ["", "MOLDLOFT1:", "MOLDLOFT1:é", "MOLDLOFT2:00", "MOLDLOFT1::::", "3 x Tern"] {
            assert!(toml_of_code(text).is_err(), "{text}");
        }
        assert!(!is_design_code("Moldloft 1") && is_design_code("moldloft2:A"));
    }

    #[test]
    fn a_bomb_is_refused_and_a_giant_has_no_code() {
        let mut packed = vec![0, 0];
        packed.reserve(20_000);
        let mut deflate = Compress::new(Compression::best(), false);
        let zeros = vec![b' '; 4 << 20];
        let status = deflate.compress_vec(&zeros, &mut packed, FlushCompress::Finish);
        assert_eq!(status.expect("packs"), Status::StreamEnd);
        assert!(toml_of_code(&(PREFIX.to_owned() + &base_41(&packed))).is_err());
        assert!(toml_of_code(&(PREFIX.to_owned() + &"0".repeat(1 << 20))).is_err());
        let giant = format!("ruleset = \"x\"\nnotes = \"{}\"\n", "x".repeat(MAX_TOML));
        assert!(design(&giant).to_code().is_none());
    }
}
