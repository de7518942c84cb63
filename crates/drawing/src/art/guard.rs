//! Refuses hostile SVG: takes a file's text, gives a parsed document small enough for every later step, or a finding.
//! Never follows a reference out of the file.
//!
//! Limits: 2 MB, 50,000 elements, 100 levels, 200 attributes per element, and 200,000 elements after expansion of
//! clones, patterns, markers and clips.

use std::borrow::Cow;
use std::collections::HashMap;

use simplecss::StyleSheet;
use usvg::roxmltree::{Document, Error, Node, NodeId, ParsingOptions};

use moldloft_base::finding::Finding;
use moldloft_base::source::{Source, Span, XmlTag, XmlTagKind, XmlTags};

use super::svg::{INKSCAPE_NAMESPACE, SVG_NAMESPACE, start_tag_span};

const MAX_BYTES: usize = 2 * 1024 * 1024;
const MAX_ELEMENTS: usize = 50_000;
const MAX_DEPTH: usize = 100;
const MAX_ATTRIBUTES: usize = 200;
const MAX_NAMESPACES: usize = 256;
const MAX_EXPANDED: u64 = 200_000;
/// Style rules times elements: each rule is tried on each element, and `a b c` also on each pair of its ancestors.
const MAX_STYLE_TRIALS: usize = 20_000_000;
/// Style rules: the parser inserts them into a list sorted by linear search.
const MAX_STYLE_RULES: usize = 4_000;

/// The text to parse: the file's, with a harmless document type declaration blanked out.
pub(super) fn check_text(source: &Source) -> Result<Cow<'_, str>, Box<Finding>> {
    let text = &*source.text;
    let refuse = |code: &'static str, byte: usize, message: String, help: &str| {
        Box::new(Finding::error(code, message).at(source.place_with_snippet(Span::from(byte..byte + 1))).help(help))
    };
    if text.len() > MAX_BYTES {
        return Err(refuse(
            "template-too-large",
            0,
            format!("the SVG has {} bytes, at most 2 MB allowed", text.len()),
            "remove embedded pictures, or simplify its paths",
        ));
    }
    let mut elements = 0;
    let mut namespaces = 0;
    let mut doctype = None;
    for XmlTag { range, depth, kind } in XmlTags::new(text) {
        let start = range.start;
        match kind {
            XmlTagKind::End => {}
            XmlTagKind::Instruction => {
                if text[start..].starts_with("<?xml-stylesheet") {
                    return Err(refuse(
                        "template-external-reference",
                        start,
                        "the template uses an external style sheet".into(),
                        "put the style into a <style> element, and remove this line",
                    ));
                }
            }
            XmlTagKind::Doctype => {
                if text[range.clone()].contains('[') || doctype.is_some() {
                    return Err(refuse(
                        "template-entities",
                        start,
                        "the template has more than one document type, or one that is not read".into(),
                        "remove the lines that begin with <!DOCTYPE",
                    ));
                }
                doctype = Some(range);
            }
            XmlTagKind::Start { attributes, namespaces: declared } => {
                elements += 1;
                namespaces += declared;
                let too_large = |message: String, help: &str| refuse("template-too-large", start, message, help);
                if elements > MAX_ELEMENTS {
                    let message = format!("the template has more than {MAX_ELEMENTS} elements");
                    return Err(too_large(message, "simplify the drawing"));
                }
                if namespaces > MAX_NAMESPACES {
                    let message = format!("the template declares more than {MAX_NAMESPACES} namespaces");
                    return Err(too_large(message, "remove unused ones from its first element"));
                }
                if attributes > MAX_ATTRIBUTES {
                    let message = format!("this element has more than {MAX_ATTRIBUTES} attributes");
                    return Err(too_large(message, "remove unused ones"));
                }
                if depth > MAX_DEPTH {
                    let message = format!("groups are nested more than {MAX_DEPTH} deep");
                    return Err(refuse("template-too-deep", start, message, "ungroup the drawing"));
                }
            }
        }
    }
    Ok(match doctype {
        None => Cow::Borrowed(text),
        Some(range) => {
            let blank: String = text[range.clone()].bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }).collect();
            Cow::Owned([&text[..range.start], &blank, &text[range.end..]].concat())
        }
    })
}

pub(super) fn parse_document<'a>(source: &Source, text: &'a str) -> Result<Document<'a>, Box<Finding>> {
    let options = ParsingOptions {
        allow_dtd: false,
        nodes_limit: 4 * u32::try_from(MAX_ELEMENTS).unwrap_or(u32::MAX),
        entity_resolver: None,
    };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let at = error.pos();
        let byte = byte_offset(text, at.row, at.col);
        let found = Finding::error("template-not-svg", format!("invalid XML: {error}"));
        let help = match error {
            Error::MalformedEntityReference(_) | Error::UnknownEntityReference(..) | Error::InvalidName(_) => {
                "write `&` as `&amp;` and `<` as `&lt;` in texts and descriptions"
            }
            _ => "open it in Inkscape and save it again",
        };
        Box::new(found.at(source.place_with_snippet(Span::from(byte..byte + 1))).help(help))
    })?;
    let root = document.root_element();
    if root.tag_name().name() != "svg" || root.tag_name().namespace() != Some(SVG_NAMESPACE) {
        let start = root.range().start;
        let found = format!("expected <svg> as the outermost element, found <{}>", root.tag_name().name());
        let found =
            Finding::error("template-not-svg", found).at(source.place_with_snippet(Span::from(start..start + 1)));
        return Err(Box::new(found.help("start the SVG with <svg xmlns=\"http://www.w3.org/2000/svg\">")));
    }
    Ok(document)
}

fn byte_offset(text: &str, row: u32, column: u32) -> usize {
    let line: usize = text.split_inclusive('\n').take(row.saturating_sub(1) as usize).map(str::len).sum();
    let within = text[line..].char_indices().nth(column.saturating_sub(1) as usize).map_or(0, |(n, _)| n);
    line + within
}

/// Refuses excessive style rules before they are parsed. A rule counts once for each selector.
pub(super) fn check_styles(source: &Source, document: &Document, styles: &[&str]) -> Result<(), Box<Finding>> {
    let rules: usize = styles.iter().map(|style| count_selectors(style)).sum();
    if rules <= MAX_STYLE_RULES {
        return Ok(());
    }
    let message = format!("the template has {rules} style rules, at most {MAX_STYLE_RULES} allowed");
    let at = source.place_with_snippet(start_tag_span(source, document.root_element()));
    Err(Box::new(Finding::error("template-too-large", message).at(at).help("remove unused rules")))
}

fn count_selectors(style: &str) -> usize {
    let (mut rules, mut within) = (0, false);
    for byte in style.bytes() {
        match byte {
            b'{' => (rules, within) = (rules + 1, true),
            b'}' => within = false,
            b',' if !within => rules += 1,
            _ => {}
        }
    }
    rules
}

/// Refuses a document that references expand beyond the limits or endlessly.
pub(super) fn check_expansion(source: &Source, document: &Document, sheet: &StyleSheet) -> Result<(), Box<Finding>> {
    let elements = document.descendants().filter(Node::is_element).count();
    let root = document.root_element();
    let refuse = |node: Node, message: String| {
        let found = Finding::error("template-expands-too-much", message)
            .at(source.place_with_snippet(start_tag_span(source, node)));
        Box::new(found.help("unlink clones (Edit, Clone, Unlink), or simplify what they repeat"))
    };
    let nesting = document.descendants().map(|node| node.ancestors().count()).max().unwrap_or(1);
    let trials = sheet.rules.iter().fold(0_usize, |sum, rule| {
        let parts = rule.selector.to_string().split_whitespace().count().saturating_sub(1);
        sum.saturating_add(nesting.saturating_pow(u32::try_from(parts).unwrap_or(u32::MAX)))
    });
    if trials.saturating_mul(elements) > MAX_STYLE_TRIALS {
        return Err(refuse(root, format!("{} style rules on {elements} elements are too many", sheet.rules.len())));
    }
    let mut ids = HashMap::new();
    for node in document.descendants().filter(Node::is_element) {
        if let Some(id) = node.attribute("id") {
            ids.entry(id).or_insert(node);
        }
    }
    // References of a style rule may apply to every element.
    let mut styled = Vec::new();
    for style in document.descendants().filter(|n| n.tag_name().name() == "style") {
        for text in style.descendants().filter_map(|n| n.text()) {
            styled.extend(local_urls(text).filter_map(|id| ids.get(id).copied()));
        }
    }
    let mut count = ExpansionCounter { ids, styled, known: HashMap::new() };
    match count.count_node(root, 0) {
        Ok((size, _)) if size <= MAX_EXPANDED => Ok(()),
        Ok(_) => Err(refuse(
            root,
            format!("with its clones, patterns and markers the drawing has more than {MAX_EXPANDED} elements"),
        )),
        Err(node) => Err(refuse(node, "this refers to itself, directly or through others".into())),
    }
}

struct ExpansionCounter<'a, 'input> {
    ids: HashMap<&'a str, Node<'a, 'input>>,
    styled: Vec<Node<'a, 'input>>,
    /// Size and depth; `None` while being counted.
    known: HashMap<NodeId, Option<(u64, usize)>>,
}

impl<'a, 'input> ExpansionCounter<'a, 'input> {
    fn count_node(&mut self, node: Node<'a, 'input>, level: usize) -> Result<(u64, usize), Node<'a, 'input>> {
        match self.known.get(&node.id()) {
            Some(Some(known)) => return Ok(*known),
            Some(None) => return Err(node),
            None => {}
        }
        if level > 2 * MAX_DEPTH {
            return Err(node);
        }
        self.known.insert(node.id(), None);
        let mut size = 1_u64;
        let mut depth = 0;
        let mut parts: Vec<(Node, u64)> = node.children().filter(Node::is_element).map(|child| (child, 1)).collect();
        let definition = matches!(
            node.tag_name().name(),
            "style" | "marker" | "pattern" | "linearGradient" | "radialGradient" | "stop"
        );
        for attribute in node.attributes().filter(|a| a.namespace() != Some(INKSCAPE_NAMESPACE)) {
            // A marker is drawn at every vertex of its path; a vertex takes at least two bytes.
            let marker = attribute.name().contains("marker") || attribute.value().contains("marker");
            let corners = if marker {
                node.attribute("d").or(node.attribute("points")).map_or(2, |d| d.len() as u64 / 2 + 2)
            } else {
                1
            };
            let linked = attribute.value().strip_prefix('#').filter(|_| attribute.name() == "href");
            for id in linked.into_iter().chain(local_urls(attribute.value())) {
                parts.extend(self.ids.get(id).map(|&target| (target, corners)));
            }
        }
        if !definition && !self.styled.is_empty() {
            let corners = node.attribute("d").or(node.attribute("points")).map_or(2, |d| d.len() as u64 / 2 + 2);
            parts.extend(
                self.styled
                    .iter()
                    .filter(|target| !node.ancestors().any(|n| n == **target))
                    .map(|&target| (target, corners)),
            );
        }
        for (part, times) in parts {
            let (inner, below) = self.count_node(part, level + 1)?;
            size = size.saturating_add(inner.saturating_mul(times));
            depth = depth.max(below + 1);
        }
        if depth > 2 * MAX_DEPTH {
            return Err(node);
        }
        self.known.insert(node.id(), Some((size, depth)));
        Ok((size, depth))
    }
}

/// The ids of all `url(#id)` in a value.
fn local_urls(value: &str) -> impl Iterator<Item = &str> {
    urls(value).filter_map(|url| url.strip_prefix('#'))
}

/// The contents of all `url(…)` in a value, without quotes.
pub(super) fn urls(value: &str) -> impl Iterator<Item = &str> {
    value
        .split("url(")
        .skip(1)
        .map(|part| part.split(')').next().unwrap_or(part).trim().trim_matches(['"', '\'']).trim())
}
