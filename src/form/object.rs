//! Reads what a PDF file is made of: takes bytes and a place in them, gives values. Of dictionaries only the keys that forms are made of are
//! kept. Depth and work are bounded; what is no value is none, never a fault of the program.

use std::collections::BTreeMap;

/// A value as far as forms need it.
#[derive(Clone, Debug, PartialEq)]
pub enum Object {
    /// A whole number; fractions are cut.
    Number(i64),
    /// A name, without its stroke.
    Name(Box<[u8]>),
    /// A string's bytes.
    Text(Box<[u8]>),
    /// An array.
    List(Vec<Object>),
    /// A dictionary, only the keys of [`KEPT`].
    Dict(Dict),
    /// A reference to an object by its number.
    Ref(u32),
    /// Anything else: true, false, null, a key nobody needs.
    Other,
}

/// A dictionary.
pub type Dict = BTreeMap<&'static str, Object>;

/// The keys that are kept.
pub const KEPT: &[&str] = &[
    "AS", "AcroForm", "DV", "Encrypt", "FDF", "FT", "Fields", "Filter", "First", "Kids", "Length", "N", "Parent",
    "Root", "T", "TU", "Title", "Type", "V",
];

/// Values within values that are followed.
const DEEPEST: usize = 48;
/// The longest number that is read: more digits are no number.
const LONGEST_NUMBER: usize = 40;

/// Work that may still be done, over all that is read of a file.
#[derive(Debug)]
pub struct Work {
    /// Bytes that may still be looked at.
    pub bytes: usize,
    /// Values that may still be kept.
    pub values: usize,
}

impl Work {
    /// Whether nothing is left to be spent.
    pub fn is_spent(&self) -> bool {
        self.bytes == 0 || self.values == 0
    }
}

/// A reader of values.
#[derive(Debug)]
pub struct Reader<'a, 'w> {
    bytes: &'a [u8],
    /// Where it stands.
    pub at: usize,
    work: &'w mut Work,
}

/// Spaces of PDF.
pub fn is_space(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 0x0c | b'\r' | b' ')
}

/// What ends a word.
fn ends_word(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

impl<'a, 'w> Reader<'a, 'w> {
    /// A reader at a place.
    pub fn new(bytes: &'a [u8], at: usize, work: &'w mut Work) -> Self {
        Self { bytes, at, work }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn step(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.work.bytes = self.work.bytes.checked_sub(1)?;
        self.at += 1;
        Some(byte)
    }

    /// Goes past spaces and comments.
    pub fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            if byte == b'%' {
                while self.peek().is_some_and(|byte| byte != b'\n' && byte != b'\r') && self.step().is_some() {}
            } else if !is_space(byte) {
                return;
            }
            if self.step().is_none() {
                return;
            }
        }
    }

    /// A word that stands here, such as `stream`.
    pub fn takes(&mut self, word: &[u8]) -> bool {
        let is_here = self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(word));
        if is_here {
            self.at += word.len();
        }
        is_here
    }

    /// The value that stands here.
    pub fn object(&mut self) -> Option<Object> {
        self.value(DEEPEST)
    }

    fn value(&mut self, depth: usize) -> Option<Object> {
        let depth = depth.checked_sub(1)?;
        self.skip_space();
        match self.peek()? {
            b'/' => Some(Object::Name(self.name()?.into())),
            b'(' => Some(Object::Text(self.string()?.into())),
            b'<' if self.bytes.get(self.at + 1) == Some(&b'<') => self.dict(depth),
            b'<' => Some(Object::Text(self.hex()?.into())),
            b'[' => self.list(depth),
            b'0'..=b'9' | b'+' | b'-' | b'.' => self.number(),
            _ => self.word(),
        }
    }

    /// `true`, `null` and whatever else is a word.
    fn word(&mut self) -> Option<Object> {
        let start = self.at;
        while self.peek().is_some_and(|byte| !ends_word(byte)) {
            self.step()?;
        }
        let word = &self.bytes[start..self.at];
        matches!(word, b"true" | b"false" | b"null").then_some(Object::Other)
    }

    fn number(&mut self) -> Option<Object> {
        let first = self.digits()?;
        // `12 0 R` is a reference: look ahead, and come back if it is none.
        let back = self.at;
        if let Ok(id) = u32::try_from(first)
            && self.peek().is_some_and(is_space)
        {
            self.skip_space();
            if self.peek().is_some_and(|byte| byte.is_ascii_digit()) && self.digits().is_some() {
                self.skip_space();
                if self.peek() == Some(b'R') && self.bytes.get(self.at + 1).is_none_or(|&byte| ends_word(byte)) {
                    self.step()?;
                    return Some(Object::Ref(id));
                }
            }
            self.at = back;
        }
        Some(Object::Number(first))
    }

    fn digits(&mut self) -> Option<i64> {
        let start = self.at;
        while self.peek().is_some_and(|byte| !ends_word(byte)) && self.at - start <= LONGEST_NUMBER {
            self.step()?;
        }
        let word = std::str::from_utf8(&self.bytes[start..self.at]).ok()?;
        let whole = word.split('.').next().unwrap_or_default();
        match whole {
            "" | "-" | "+" => Some(0),
            _ => whole.parse().ok(),
        }
    }

    fn name(&mut self) -> Option<Vec<u8>> {
        self.step()?;
        let mut name = Vec::new();
        while let Some(byte) = self.peek().filter(|&byte| !ends_word(byte)) {
            self.step()?;
            let escaped = (byte == b'#').then(|| self.bytes.get(self.at..self.at + 2).and_then(pair)).flatten();
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

    fn string(&mut self) -> Option<Vec<u8>> {
        self.step()?;
        let (mut text, mut open) = (Vec::new(), 1_usize);
        loop {
            match self.step()? {
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
                b'\\' => self.escape(&mut text)?,
                b'\r' => {
                    if self.peek() == Some(b'\n') {
                        self.step()?;
                    }
                    text.push(b'\n');
                }
                byte => text.push(byte),
            }
        }
    }

    fn escape(&mut self, text: &mut Vec<u8>) -> Option<()> {
        match self.step()? {
            b'n' => text.push(b'\n'),
            b'r' => text.push(b'\r'),
            b't' => text.push(b'\t'),
            b'b' => text.push(8),
            b'f' => text.push(0x0c),
            b'\r' => {
                if self.peek() == Some(b'\n') {
                    self.step()?;
                }
            }
            b'\n' => {}
            digit @ b'0'..=b'7' => {
                let mut value = u32::from(digit - b'0');
                for _ in 0..2 {
                    match self.peek() {
                        Some(digit @ b'0'..=b'7') => {
                            value = value * 8 + u32::from(digit - b'0');
                            self.step()?;
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

    fn hex(&mut self) -> Option<Vec<u8>> {
        self.step()?;
        let (mut text, mut half) = (Vec::new(), None);
        loop {
            match self.step()? {
                b'>' => break,
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

    fn list(&mut self, depth: usize) -> Option<Object> {
        self.step()?;
        let mut list = Vec::new();
        loop {
            self.skip_space();
            if self.peek()? == b']' {
                self.step()?;
                return Some(Object::List(list));
            }
            let value = self.value(depth)?;
            self.work.values = self.work.values.checked_sub(1)?;
            list.push(value);
        }
    }

    fn dict(&mut self, depth: usize) -> Option<Object> {
        self.step()?;
        self.step()?;
        let mut dict = Dict::new();
        loop {
            self.skip_space();
            match self.peek()? {
                b'>' => {
                    self.step()?;
                    if self.peek() == Some(b'>') {
                        self.step()?;
                    }
                    return Some(Object::Dict(dict));
                }
                b'/' => {
                    let key = self.name()?;
                    let value = self.value(depth)?;
                    if let Some(key) = KEPT.iter().find(|kept| kept.as_bytes() == key) {
                        self.work.values = self.work.values.checked_sub(1)?;
                        dict.insert(key, value);
                    }
                }
                _ => return None,
            }
        }
    }
}

/// Two hexadecimal digits.
fn pair(digits: &[u8]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    Some((digit(*digits.first()?)? * 16 + digit(*digits.get(1)?)?) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Object> {
        let mut work = Work { bytes: 10_000, values: 10_000 };
        Reader::new(text.as_bytes(), 0, &mut work).object()
    }

    #[test]
    fn values_are_read_as_written() {
        assert_eq!(read("12 0 R"), Some(Object::Ref(12)));
        assert_eq!(read("12 0 obj"), Some(Object::Number(12)));
        assert_eq!(read("-3.75"), Some(Object::Number(-3)));
        assert_eq!(read("(a\\(b\\051 (c) \\\n\\101\\\\)"), Some(Object::Text(b"a(b) (c) A\\"[..].into())));
        assert_eq!(read("<FEff 0>"), Some(Object::Text([0xfe, 0xff, 0][..].into())));
        assert_eq!(read("/A#20b"), Some(Object::Name(b"A b"[..].into())));
        let Some(Object::Dict(dict)) = read("<</T(x)/Rect[1 2 3 4]/Kids[1 0 R 2 0 R 7]/Who<</T 1>>/V/Yes>>") else {
            panic!()
        };
        assert_eq!(dict.keys().copied().collect::<Vec<_>>(), ["Kids", "T", "V"]);
        assert_eq!(dict["Kids"], Object::List(vec![Object::Ref(1), Object::Ref(2), Object::Number(7)]));
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
