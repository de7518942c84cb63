//! Parses PDF objects: takes bytes and a position, gives values; dictionaries keep only the keys that forms need.
//! Depth, work and memory are bounded, and malformed input gives `None`. A zero byte is not white space here: programs
//! do not write it, so it marks a hole in the file.

#[derive(Clone, Debug, PartialEq)]
pub enum PdfObject {
    /// Fractions are truncated.
    Number(i64),
    /// Without the slash.
    Name(Box<[u8]>),
    Text(Box<[u8]>),
    List(Box<[PdfObject]>),
    /// Only the keys in [`KEPT_KEYS`].
    Dict(PdfDict),
    /// Object number of a reference.
    Ref(u32),
    /// Anything else: true, false, null, the value of an unneeded key.
    Other,
}

/// Indices in [`KEPT_KEYS`] with values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PdfDict(Box<[(u8, PdfObject)]>);

impl PdfDict {
    /// The last one if a key is repeated.
    pub fn get(&self, key: &str) -> Option<&PdfObject> {
        self.0.iter().rev().find(|(at, _)| KEPT_KEYS[usize::from(*at)] == key).map(|(_, value)| value)
    }

    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }
}

pub const KEPT_KEYS: &[&str] = &[
    "AS",
    "AcroForm",
    "Columns",
    "DV",
    "DecodeParms",
    "Encrypt",
    "FDF",
    "FT",
    "Fields",
    "Filter",
    "First",
    "Index",
    "Kids",
    "Length",
    "N",
    "Parent",
    "Predictor",
    "Prev",
    "Root",
    "Size",
    "T",
    "TU",
    "Type",
    "V",
    "W",
    "XRefStm",
];

const MAX_DEPTH: usize = 48;
/// A longer number is malformed.
const MAX_NUMBER_DIGITS: usize = 40;
/// Upper bound of an item's memory in bytes while its list grows.
const VALUE_MEMORY: usize = 64;

/// Work and memory left for one file.
#[derive(Debug)]
pub struct ParseBudget {
    /// Bytes that may still be read.
    pub bytes: usize,
    /// Bytes of memory that may still be used.
    pub memory: usize,
}

impl ParseBudget {
    /// Whether either is used up.
    pub fn is_spent(&self) -> bool {
        self.bytes == 0 || self.memory == 0
    }

    /// If less is left, the budget is used up.
    pub fn take_memory(&mut self, bytes: usize) -> Option<()> {
        match self.memory.checked_sub(bytes) {
            Some(left) => {
                self.memory = left;
                Some(())
            }
            None => {
                self.memory = 0;
                None
            }
        }
    }
}

#[derive(Debug)]
pub struct ObjectReader<'a, 'w> {
    bytes: &'a [u8],
    pub at: usize,
    work: &'w mut ParseBudget,
}

/// PDF white space, without the zero byte.
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0c | b'\r' | b' ')
}

fn is_delimiter(byte: u8) -> bool {
    is_space(byte) || matches!(byte, 0 | b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

impl<'a, 'w> ObjectReader<'a, 'w> {
    pub fn new(bytes: &'a [u8], at: usize, work: &'w mut ParseBudget) -> Self {
        Self { bytes, at, work }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn next_byte(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.work.bytes = self.work.bytes.saturating_sub(1);
        if self.work.bytes == 0 {
            return None;
        }
        self.at += 1;
        Some(byte)
    }

    pub fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            if byte == b'%' {
                while self.peek().is_some_and(|byte| !matches!(byte, b'\n' | b'\r' | 0)) && self.next_byte().is_some() {
                }
                if self.peek() == Some(0) {
                    return;
                }
            } else if !is_space(byte) {
                return;
            }
            if self.next_byte().is_none() {
                return;
            }
        }
    }

    pub fn take_word(&mut self, word: &[u8]) -> bool {
        let is_here = self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(word));
        if is_here {
            self.at += word.len();
        }
        is_here
    }

    pub fn read_object(&mut self) -> Option<PdfObject> {
        self.read_value(MAX_DEPTH)
    }

    fn read_value(&mut self, depth: usize) -> Option<PdfObject> {
        let depth = depth.checked_sub(1)?;
        self.skip_space();
        match self.peek()? {
            b'/' => Some(PdfObject::Name(self.read_name().and_then(|name| self.keep_bytes(name))?)),
            b'(' => Some(PdfObject::Text(self.read_string().and_then(|text| self.keep_bytes(text))?)),
            b'<' if self.bytes.get(self.at + 1) == Some(&b'<') => self.read_dict(depth),
            b'<' => Some(PdfObject::Text(self.read_hex().and_then(|text| self.keep_bytes(text))?)),
            b'[' => self.read_list(depth),
            b'0'..=b'9' | b'+' | b'-' | b'.' => self.read_number(),
            _ => self.read_word(),
        }
    }

    fn keep_bytes(&mut self, bytes: Vec<u8>) -> Option<Box<[u8]>> {
        self.work.take_memory(bytes.len())?;
        Some(bytes.into())
    }

    fn read_word(&mut self) -> Option<PdfObject> {
        let start = self.at;
        while self.peek().is_some_and(|byte| !is_delimiter(byte)) {
            self.next_byte()?;
        }
        let word = &self.bytes[start..self.at];
        matches!(word, b"true" | b"false" | b"null").then_some(PdfObject::Other)
    }

    fn read_number(&mut self) -> Option<PdfObject> {
        let first = self.read_digits()?;
        // `12 0 R` is a reference: look ahead, and return if it is not one.
        let back = self.at;
        if let Ok(id) = u32::try_from(first)
            && self.peek().is_some_and(is_space)
        {
            self.skip_space();
            if self.peek().is_some_and(|byte| byte.is_ascii_digit()) && self.read_digits().is_some() {
                self.skip_space();
                if self.peek() == Some(b'R') && self.bytes.get(self.at + 1).is_none_or(|&byte| is_delimiter(byte)) {
                    self.next_byte()?;
                    return Some(PdfObject::Ref(id));
                }
            }
            self.at = back;
        }
        Some(PdfObject::Number(first))
    }

    /// Charges memory that the caller keeps.
    pub fn charge(&mut self, bytes: usize) -> Option<()> {
        self.work.take_memory(bytes)
    }

    pub fn read_unsigned(&mut self) -> Option<usize> {
        self.skip_space();
        if !self.peek()?.is_ascii_digit() {
            return None;
        }
        usize::try_from(self.read_digits()?).ok()
    }

    fn read_digits(&mut self) -> Option<i64> {
        let start = self.at;
        while self.peek().is_some_and(|byte| !is_delimiter(byte)) && self.at - start <= MAX_NUMBER_DIGITS {
            self.next_byte()?;
        }
        let word = std::str::from_utf8(&self.bytes[start..self.at]).ok()?;
        let whole = word.split('.').next().unwrap_or_default();
        match whole {
            "" | "-" | "+" => Some(0),
            _ => whole.parse().ok(),
        }
    }

    fn read_name(&mut self) -> Option<Vec<u8>> {
        self.next_byte()?;
        let mut name = Vec::new();
        while let Some(byte) = self.peek().filter(|&byte| !is_delimiter(byte)) {
            self.next_byte()?;
            let escaped = (byte == b'#').then(|| self.bytes.get(self.at..self.at + 2).and_then(hex_byte)).flatten();
            match escaped {
                Some(byte) => {
                    name.push(byte);
                    self.at += 2;
                }
                None => name.push(byte),
            }
        }
        Some(name)
    }

    fn read_string(&mut self) -> Option<Vec<u8>> {
        self.next_byte()?;
        let (mut text, mut open) = (Vec::new(), 1_usize);
        loop {
            match self.next_byte()? {
                b'(' => {
                    open += 1;
                    text.push(b'(');
                }
                b')' => {
                    open -= 1;
                    if open == 0 {
                        return Some(text);
                    }
                    text.push(b')');
                }
                b'\\' => self.read_escape(&mut text)?,
                b'\r' => {
                    if self.peek() == Some(b'\n') {
                        self.next_byte()?;
                    }
                    text.push(b'\n');
                }
                byte => text.push(byte),
            }
        }
    }

    fn read_escape(&mut self, text: &mut Vec<u8>) -> Option<()> {
        match self.next_byte()? {
            b'n' => text.push(b'\n'),
            b'r' => text.push(b'\r'),
            b't' => text.push(b'\t'),
            b'b' => text.push(8),
            b'f' => text.push(0x0c),
            b'\r' => {
                if self.peek() == Some(b'\n') {
                    self.next_byte()?;
                }
            }
            b'\n' => {}
            digit @ b'0'..=b'7' => {
                let mut value = u32::from(digit - b'0');
                for _ in 0..2 {
                    match self.peek() {
                        Some(digit @ b'0'..=b'7') => {
                            value = value * 8 + u32::from(digit - b'0');
                            self.next_byte()?;
                        }
                        _ => break,
                    }
                }
                text.push((value & 0xff) as u8);
            }
            other => text.push(other),
        }
        Some(())
    }

    fn read_hex(&mut self) -> Option<Vec<u8>> {
        self.next_byte()?;
        let (mut text, mut half) = (Vec::new(), None);
        loop {
            match self.next_byte()? {
                b'>' => break,
                0 => return None,
                byte => {
                    let Some(digit) = char::from(byte).to_digit(16) else { continue };
                    match half.take() {
                        Some(high) => text.push((high * 16 + digit) as u8),
                        None => half = Some(digit),
                    }
                }
            }
        }
        text.extend(half.map(|high| (high * 16) as u8));
        Some(text)
    }

    fn read_list(&mut self, depth: usize) -> Option<PdfObject> {
        self.next_byte()?;
        let mut list = Vec::new();
        loop {
            self.skip_space();
            if self.peek()? == b']' {
                self.next_byte()?;
                return Some(PdfObject::List(list.into()));
            }
            self.work.take_memory(VALUE_MEMORY)?;
            list.push(self.read_value(depth)?);
        }
    }

    fn read_dict(&mut self, depth: usize) -> Option<PdfObject> {
        self.next_byte()?;
        self.next_byte()?;
        let mut dict: Vec<(u8, PdfObject)> = Vec::new();
        loop {
            self.skip_space();
            match self.peek()? {
                b'>' => {
                    self.next_byte()?;
                    if self.peek() == Some(b'>') {
                        self.next_byte()?;
                    }
                    return Some(PdfObject::Dict(PdfDict(dict.into())));
                }
                b'/' => {
                    let key = self.read_name()?;
                    let before = self.work.memory;
                    let value = self.read_value(depth)?;
                    match KEPT_KEYS.binary_search_by(|kept| kept.as_bytes().cmp(&key)) {
                        Ok(key) => {
                            self.work.take_memory(VALUE_MEMORY)?;
                            dict.push((key as u8, value));
                        }
                        // Unneeded values free their memory at once.
                        Err(_) => self.work.memory = before,
                    }
                }
                _ => return None,
            }
        }
    }
}

fn hex_byte(digits: &[u8]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    Some((digit(*digits.first()?)? * 16 + digit(*digits.get(1)?)?) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<PdfObject> {
        let mut work = ParseBudget { bytes: 10_000, memory: 100_000 };
        ObjectReader::new(text.as_bytes(), 0, &mut work).read_object()
    }

    #[test]
    fn values_are_read_as_written() {
        assert_eq!(read("12 0 R"), Some(PdfObject::Ref(12)));
        assert_eq!(read("12 0 obj"), Some(PdfObject::Number(12)));
        assert_eq!(read("-3.75"), Some(PdfObject::Number(-3)));
        assert_eq!(read("(a\\(b\\051 (c) \\\n\\101\\\\)"), Some(PdfObject::Text(b"a(b) (c) A\\"[..].into())));
        assert_eq!(read("<FEff 0>"), Some(PdfObject::Text([0xfe, 0xff, 0][..].into())));
        assert_eq!(read("/A#20b"), Some(PdfObject::Name(b"A b"[..].into())));
        let Some(PdfObject::Dict(dict)) = read("<</T(x)/Rect[1 2 3 4]/Kids[1 0 R 2 0 R 7]/Who<</T 1>>/V/Yes>>") else {
            panic!()
        };
        assert_eq!(dict.0.iter().map(|(key, _)| KEPT_KEYS[usize::from(*key)]).collect::<Vec<_>>(), ["T", "Kids", "V"]);
        assert_eq!(
            dict.get("Kids"),
            Some(&PdfObject::List([PdfObject::Ref(1), PdfObject::Ref(2), PdfObject::Number(7)].into()))
        );
        assert!(dict.has("V") && !dict.has("Who"));
    }

    #[test]
    fn keys_are_in_order_and_a_hole_is_no_space() {
        assert!(KEPT_KEYS.is_sorted() && KEPT_KEYS.len() < 256);
        for hole in ["<</T(x)\0\0\0>>", "<</T(x)/V/Y\0\0>>", "[1 \0 2]", "<00\0\0>", "<<%\0\n/T(x)>>", "\0 1"] {
            assert_eq!(read(hole), None, "{hole:?}");
        }
    }

    #[test]
    fn what_is_no_value_is_none() {
        for wrong in ["", "(", "<", "<<", "<</T", "<</T(", "[", "[1", "]", ">", "endobj", "<<1>>", "/", "\\"] {
            assert!(read(wrong).is_none() || wrong == "/", "{wrong}");
        }
        assert_eq!(read(&"[".repeat(5000)), None);
        assert_eq!(read(&"<</V".repeat(2000)), None);
        assert_eq!(read(&format!("({}", "(".repeat(9000))), None);
        assert_eq!(read(&"9".repeat(3000)), None);
    }
}
