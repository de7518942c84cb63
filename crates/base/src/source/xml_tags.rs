//! Scans XML before it is parsed: takes the text, gives its tags with their sizes, so that a limit can refuse what would
//! take a parser too much work. Accepts any text; what is not well formed is left to the parser.

use std::ops::Range;

/// The tags of a text, in order. Comments and CDATA are skipped.
pub struct XmlTags<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XmlTag {
    /// From `<` to after `>`, or to the end of the text.
    pub range: Range<usize>,
    /// How many elements are open after the tag.
    pub depth: usize,
    pub kind: XmlTagKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum XmlTagKind {
    Start {
        attributes: usize,
        namespaces: usize,
    },
    End,
    /// `<?name …?>`
    Instruction,
    Doctype,
}

impl<'a> XmlTags<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0, depth: 0 }
    }

    /// An `=` outside quotes is an attribute.
    fn scan_start_tag(&mut self, start: usize) -> XmlTagKind {
        let bytes = self.text.as_bytes();
        let (mut attributes, mut namespaces) = (0, 0);
        let (mut at, mut word, mut in_gap) = (start + 1, start + 1, false);
        self.at = self.text.len();
        self.depth += 1;
        while let Some(&byte) = bytes.get(at) {
            // A name may have spaces before its `=`.
            let is_gap = byte.is_ascii_whitespace();
            if in_gap && !is_gap && byte != b'=' {
                word = at;
            }
            in_gap = is_gap;
            match byte {
                b'"' | b'\'' => match bytes[at + 1..].iter().position(|&other| other == byte) {
                    Some(length) => at += length + 1,
                    None => break,
                },
                b'=' => {
                    attributes += 1;
                    namespaces += usize::from(bytes[word..at].starts_with(b"xmlns"));
                }
                b'>' => {
                    self.depth -= usize::from(bytes[at - 1] == b'/');
                    self.at = at + 1;
                    break;
                }
                _ => {}
            }
            at += 1;
        }
        XmlTagKind::Start { attributes, namespaces }
    }
}

impl Iterator for XmlTags<'_> {
    type Item = XmlTag;

    fn next(&mut self) -> Option<XmlTag> {
        loop {
            let start = self.at + self.text[self.at..].find('<')?;
            let rest = &self.text[start..];
            let after = |end: &str| rest.find(end).map_or(self.text.len(), |n| start + n + end.len());
            let kind = if rest.starts_with("<!--") {
                self.at = after("-->");
                continue;
            } else if rest.starts_with("<![CDATA[") {
                self.at = after("]]>");
                continue;
            } else if rest.starts_with("<?") {
                self.at = after("?>");
                XmlTagKind::Instruction
            } else if rest.starts_with("<!DOCTYPE") {
                self.at = after(">");
                XmlTagKind::Doctype
            } else if rest.starts_with("</") {
                self.at = after(">");
                self.depth = self.depth.saturating_sub(1);
                XmlTagKind::End
            } else {
                self.scan_start_tag(start)
            };
            return Some(XmlTag { range: start..self.at, depth: self.depth, kind });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(text: &str) -> Vec<(&str, usize, XmlTagKind)> {
        XmlTags::new(text).map(|tag| (&text[tag.range], tag.depth, tag.kind)).collect()
    }

    #[test]
    fn tags_have_their_sizes() {
        let start = |attributes, namespaces| XmlTagKind::Start { attributes, namespaces };
        assert_eq!(
            scan("<?xml?><!DOCTYPE svg><!-- <b> --><a xmlns:x = 'u' b=\"<>=\"><![CDATA[<c>]]><d/></a>é"),
            [
                ("<?xml?>", 0, XmlTagKind::Instruction),
                ("<!DOCTYPE svg>", 0, XmlTagKind::Doctype),
                ("<a xmlns:x = 'u' b=\"<>=\">", 1, start(2, 1)),
                ("<d/>", 1, start(0, 0)),
                ("</a>", 0, XmlTagKind::End),
            ]
        );
        assert_eq!(scan("<a xmlns='u' xmlns:x='v' c='d'>")[0].2, start(3, 2));
    }

    #[test]
    fn any_text_is_accepted() {
        for text in ["<", "<a", "<a b='", "<!--", "<![CDATA[", "<?", "</", "</a></b>", "<!DOCTYPE", "<é/>", ">"] {
            let tags = scan(text);
            assert!(tags.len() <= 2, "{text}: {tags:?}");
        }
    }
}
