//! Newer spellings of CSS: takes a document, gives edits that write colours as usvg reads them, and a warning for what is not read. A
//! declaration that is not read is left out, so that the one before it counts, as CSS has it.

use std::collections::HashSet;
use std::str::FromStr;

use usvg::roxmltree::{Document, Node};

use super::svg::{SVG_NAMESPACE, SvgEdit, start_tag_span};
use moldloft_base::finding::Finding;
use moldloft_base::sanitize::shorten;
use moldloft_base::source::{Source, Span};

const COLOURS: [&str; 6] = ["fill", "stroke", "color", "stop-color", "flood-color", "lighting-color"];
const MAX_QUOTED: usize = 60;
/// Fallbacks within fallbacks.
const MAX_DEPTH: usize = 8;

enum Reading {
    Plain,
    Instead(String),
    Unread,
}

/// How a declaration is read.
fn read_declaration(name: &str, value: &str) -> Reading {
    if value.contains("calc(") || name == "transform-box" && value != "view-box" {
        return Reading::Unread;
    }
    match plain_value(name, value, MAX_DEPTH) {
        Some(plain) if plain == value => Reading::Plain,
        Some(plain) => Reading::Instead(plain),
        None => Reading::Unread,
    }
}

/// A colour as svgtypes reads it.
pub(super) fn plain_colour(value: &str) -> Option<String> {
    plain_value("fill", value, MAX_DEPTH)
}

/// `None` for what is not read.
fn plain_value(name: &str, value: &str, depth: usize) -> Option<String> {
    if let Some(inner) = value.strip_prefix("var(").and_then(|rest| rest.strip_suffix(')')) {
        return plain_value(name, inner.split_once(',')?.1.trim(), depth.checked_sub(1)?);
    }
    let has_function = value.contains('(') && !value.starts_with("url(");
    if !COLOURS.contains(&name) || !has_function {
        return Some(value.to_owned());
    }
    let (colour, important) = match value.strip_suffix("!important") {
        Some(colour) => (colour.trim(), " !important"),
        None => (value, ""),
    };
    if svgtypes::Color::from_str(colour).is_ok() {
        return Some(value.to_owned());
    }
    // An opacity in per cent, behind a stroke or as the fourth number.
    let inner = colour.strip_suffix(')')?.trim_end().strip_suffix('%')?;
    let at = inner.rfind(['/', ','])?;
    let share: f64 = inner[at + 1..].trim().parse().ok()?;
    let plain = format!("{} {})", &inner[..=at], share / 100.0);
    svgtypes::Color::from_str(&plain).is_ok().then(|| plain + important)
}

/// `name: value`, as usvg reads it; `None` to leave it out.
pub(super) fn plain_declaration(part: &str) -> Option<String> {
    let Some((name, value)) = part.split_once(':') else { return Some(part.to_owned()) };
    match read_declaration(name.trim(), value.trim()) {
        Reading::Plain => Some(part.to_owned()),
        Reading::Instead(value) => Some(format!("{}:{value}", name.trim())),
        Reading::Unread => None,
    }
}

struct NewerCss<'a> {
    source: &'a Source,
    edits: Vec<SvgEdit>,
    findings: Vec<Finding>,
    reported: HashSet<String>,
}

pub(super) fn plain_styles(source: &Source, document: &Document) -> (Vec<SvgEdit>, Vec<Finding>) {
    let mut css = NewerCss { source, edits: Vec::new(), findings: Vec::new(), reported: HashSet::new() };
    for node in document.descendants().filter(|node| node.tag_name().namespace() == Some(SVG_NAMESPACE)) {
        match node.tag_name().name() {
            "style" => css.read_sheet(node),
            _ => css.read_element(node),
        }
    }
    (css.edits, css.findings)
}

impl NewerCss<'_> {
    fn read_element(&mut self, node: Node) {
        let at = start_tag_span(self.source, node);
        let mut readable: HashSet<&str> = HashSet::new();
        let mut unread: Vec<(&str, &str)> = Vec::new();
        for attribute in node.attributes().filter(|one| one.namespace().is_none() && one.name() != "style") {
            match read_declaration(attribute.name(), attribute.value().trim()) {
                Reading::Plain => drop(readable.insert(attribute.name())),
                Reading::Instead(plain) => {
                    readable.insert(attribute.name());
                    self.edits.push((attribute.range_value(), escaped(&plain)));
                }
                Reading::Unread if attribute.name() == "transform-box" || COLOURS.contains(&attribute.name()) => {
                    unread.push((attribute.name(), attribute.value()));
                    self.edits.push((attribute.range_value(), "inherit".to_owned()));
                }
                Reading::Unread => unread.push((attribute.name(), attribute.value())),
            }
        }
        if let Some(style) = node.attribute_node("style") {
            let parts: Vec<&str> = style.value().split(';').collect();
            for (name, value) in parts.iter().filter_map(|part| part.split_once(':')) {
                match read_declaration(name.trim(), value.trim()) {
                    Reading::Unread => unread.push((name.trim(), value.trim())),
                    _ => drop(readable.insert(name.trim())),
                }
            }
            let plain: Vec<String> = parts.iter().filter_map(|part| plain_declaration(part)).collect();
            let plain = plain.join(";");
            if plain != style.value() {
                self.edits.push((style.range_value(), escaped(&plain)));
            }
        }
        for (name, value) in unread.into_iter().filter(|(name, _)| !readable.contains(name)) {
            self.report(name, value, at);
        }
    }

    /// The declarations of a `<style>` whose text is in the file as it is.
    fn read_sheet(&mut self, node: Node) {
        for text in node.children().filter(Node::is_text) {
            let range = text.range();
            let Some(written) = self.source.text.get(range.clone()).filter(|written| Some(*written) == text.text())
            else {
                continue;
            };
            let mut from = range.start;
            for block in written.split_inclusive(['{', '}']) {
                let start = from;
                from += block.len();
                let Some(rule) = block.strip_suffix('}') else { continue };
                let parts: Vec<&str> = rule.split(';').collect();
                let plain: Vec<String> = parts.iter().filter_map(|part| plain_declaration(part)).collect();
                let declarations = || parts.iter().filter_map(|part| part.split_once(':'));
                let is_unread =
                    |name: &str, value: &str| matches!(read_declaration(name.trim(), value.trim()), Reading::Unread);
                for (name, value) in declarations().filter(|(name, value)| is_unread(name, value)) {
                    if !declarations().any(|(other, value)| other.trim() == name.trim() && !is_unread(other, value)) {
                        self.report(name.trim(), value.trim(), (start..start + rule.len()).into());
                    }
                }
                let plain = plain.join(";");
                if plain != rule {
                    self.edits.push((start..start + rule.len(), plain));
                }
            }
        }
    }

    /// Each of what is not read once.
    fn report(&mut self, name: &str, value: &str, at: Span) {
        let written = shorten(&format!("{name}: {value}"), MAX_QUOTED);
        if self.reported.insert(written.clone()) {
            let help = if COLOURS.contains(&name) {
                "write the colour as #rrggbb"
            } else {
                "let the program that wrote it flatten it, or write a plain number"
            };
            let found = Finding::warning("template-style", format!("`{written}` is not read; it is drawn without it"));
            self.findings.push(found.help(help).at(self.source.place_with_snippet(at)));
        }
    }
}

fn escaped(value: &str) -> String {
    value.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}
