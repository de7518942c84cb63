//! Entities that a file defines for itself, as Illustrator writes them: takes a file's text, gives it with each in its place, in
//! the same lines. Those that other files define, or that are made of others, are refused.

use std::collections::BTreeMap;

use moldloft_base::finding::Finding;
use moldloft_base::source::{Source, Span};

const MAX_ENTITIES: usize = 200;
/// The most bytes of the expanded text; a template may have no more.
const MAX_BYTES: usize = 2 * 1024 * 1024;
/// The most bytes of a reference.
const MAX_NAME: usize = 120;
const DECLARATION: &str = "<!ENTITY";

/// `None` for a file without entities.
///
/// # Errors
/// `template-entities`, `template-too-large`.
pub(super) fn expanded(source: &Source) -> Result<Option<Source>, Box<Finding>> {
    let text = &*source.text;
    let Some(start) = text.find("<!DOCTYPE") else { return Ok(None) };
    let Some(open) = text[start..].find(['[', '>']).map(|at| start + at).filter(|at| text.as_bytes()[*at] == b'[')
    else {
        return Ok(None);
    };
    let refuse = |at: usize, message: String| {
        let help = "write their values in their places, or save the file with Inkscape as Inkscape SVG";
        let at = source.place_with_snippet(Span::from(at..at + 1));
        Box::new(Finding::error("template-entities", message).help(help).at(at))
    };
    let mut entities: BTreeMap<&str, String> = BTreeMap::new();
    let mut at = open + 1;
    let end = loop {
        let rest = &text[at..];
        let trimmed = rest.trim_start();
        at += rest.len() - trimmed.len();
        if let Some(after) = trimmed.strip_prefix(']') {
            let close = after.find('>').ok_or_else(|| refuse(at, "the document type does not end".into()))?;
            break at + 1 + close + 1;
        }
        if trimmed.starts_with("<!--") {
            at += trimmed.find("-->").ok_or_else(|| refuse(at, "a comment does not end".into()))? + "-->".len();
        } else if let Some(declared) = trimmed.strip_prefix(DECLARATION) {
            let (name, value, length) = declaration(declared)
                .ok_or_else(|| refuse(at, "an entity is made of others, or is in another file".to_owned()))?;
            if entities.len() >= MAX_ENTITIES {
                return Err(refuse(at, format!("the template defines more than {MAX_ENTITIES} entities")));
            }
            entities.entry(name).or_insert_with(|| value.replace(['\n', '\r'], " "));
            at += DECLARATION.len() + length;
        } else if trimmed.starts_with("<!") {
            at += trimmed.find('>').ok_or_else(|| refuse(at, "the document type does not end".into()))? + 1;
        } else {
            return Err(refuse(at.min(text.len().saturating_sub(1)), "cannot read the document type".to_owned()));
        }
    };
    let blank = |part: &str| part.chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect::<String>();
    let mut out = String::with_capacity(text.len());
    out.push_str(&text[..start]);
    out.push_str(&blank(&text[start..end]));
    let mut rest = &text[end..];
    while let Some(next) = rest.find(['&', '<']) {
        let (before, after) = rest.split_at(next);
        out.push_str(before);
        // What is in these is no reference.
        let raw = [("<![CDATA[", "]]>"), ("<!--", "-->")].into_iter().find(|(begin, _)| after.starts_with(begin));
        let length = match raw {
            Some((_, close)) => after.find(close).map_or(after.len(), |at| at + close.len()),
            None => 1,
        };
        let semicolon = after.bytes().take(MAX_NAME).position(|byte| byte == b';').filter(|_| after.starts_with('&'));
        let reference = semicolon.map(|at| (&after[1..at], &after[at + 1..]));
        match reference.and_then(|(name, rest)| Some((entities.get(name)?, rest))) {
            Some((value, after)) => {
                out.push_str(value);
                rest = after;
            }
            None => {
                out.push_str(&after[..length]);
                rest = &after[length..];
            }
        }
        if out.len() > MAX_BYTES {
            let found = Finding::error("template-too-large", "with its entities the SVG has more than 2 MB");
            return Err(Box::new(found.at(source.place_with_snippet(Span::from(start..start + 1)))));
        }
    }
    out.push_str(rest);
    Ok(Some(Source::new(&*source.file, &out)))
}

/// The name and value of an entity, and how many bytes they take with the closing `>`; `None` for one that another file
/// defines, or whose value has tags or other entities.
fn declaration(text: &str) -> Option<(&str, &str, usize)> {
    let inner = text.trim_start();
    let name = &inner[..inner.find(char::is_whitespace)?];
    let value = inner[name.len()..].trim_start();
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let (value, after) = value[1..].split_once(quote)?;
    let close = after.trim_start().strip_prefix('>')?;
    let is_plain = |part: &str| {
        part.starts_with('#') || ["lt;", "gt;", "amp;", "quot;", "apos;"].iter().any(|known| part.starts_with(known))
    };
    let is_whole = !name.is_empty() && !name.starts_with('%') && !value.contains(['<', '%']);
    (is_whole && value.split('&').skip(1).all(is_plain)).then(|| (name, value, text.len() - close.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_of_the_file_are_put_in_their_places() {
        let text = "<?xml version='1.0'?>\n<!DOCTYPE svg PUBLIC \"-//W3C\" \"http://x\" [\n\t<!ENTITY a \"x &amp; y\">\n<!-- ] -->\
                    <!ATTLIST svg a CDATA #IMPLIED>\n<!ENTITY b 'fill:red;'> ]>\n<svg a=\"&a;\" b='&b;&c;'>&lt;<![CDATA[&a;]]></svg>";
        let read = expanded(&Source::new("a.svg", text)).unwrap().unwrap();
        let (kept, body) = read.text.rsplit_once('\n').unwrap();
        assert_eq!(body, "<svg a=\"x &amp; y\" b='fill:red;&c;'>&lt;<![CDATA[&a;]]></svg>");
        assert_eq!(kept.lines().count(), text.lines().count() - 1);
        assert!(expanded(&Source::new("a.svg", "<!DOCTYPE svg><svg/>")).unwrap().is_none());
    }

    #[test]
    fn entities_that_grow_or_lead_out_are_refused() {
        for inner in [
            "<!ENTITY a \"&b;&b;\">",
            "<!ENTITY a SYSTEM \"file:///etc/passwd\">",
            "<!ENTITY % a \"x\">",
            "<!ENTITY a \"<g/>\">",
            "%a;",
            "<!ENTITY a",
            "<!--",
            "",
        ] {
            let text = format!("<!DOCTYPE svg [{inner}");
            let finding = expanded(&Source::new("a.svg", &text)).unwrap_err();
            assert_eq!(finding.code, "template-entities", "{inner}");
        }
        let many = format!("<!DOCTYPE svg [<!ENTITY a \"{}\">]><svg>{}</svg>", "x".repeat(9_000), "&a;".repeat(900));
        assert_eq!(expanded(&Source::new("a.svg", &many)).unwrap_err().code, "template-too-large");
    }
}
