//! Reads a `<text>` element: gives its lines with place and style in the element's own units, joining what Inkscape
//! splits into tspans. Raised and lowered figures of a text with values become the font's own small ones. Never measures text.

use std::collections::{BTreeSet, HashSet};

use simplecss::StyleSheet;
use usvg::roxmltree::{Document, Node, NodeId};

use super::mapped_text::MappedText;
use super::style::{CssStyle, parse_length};
use super::svg::SODIPODI_NAMESPACE;
use super::text_features::TextFeature;

pub(super) struct SvgTextLine {
    pub x: f64,
    pub y: f64,
    pub text: MappedText,
    pub style: CssStyle,
}

/// The lines, and what of the text they cannot show. Blank lines are left out. `view`: the width and height of which lengths in
/// per cent are parts.
pub(super) fn read_lines(
    node: Node,
    style: &CssStyle,
    sheet: &StyleSheet,
    view: (f64, f64),
) -> (Vec<SvgTextLine>, BTreeSet<TextFeature>) {
    let has_values = is_filled_text(node);
    let mut reader = SvgTextReader { sheet, view, has_values, lines: Vec::new(), features: BTreeSet::new() };
    reader.read_element(node, style, (0.0, 0.0));
    let mut lines: Vec<SvgTextLine> = Vec::new();
    for line in reader.lines {
        // An expression that Inkscape wrapped is still one expression.
        match lines.last_mut().filter(|last| has_unclosed_braces(&last.text.text)) {
            Some(last) => {
                let end = line.text.span().start as usize;
                last.text.push(' ', end, end);
                last.text.append(&line.text.trimmed());
            }
            None => lines.push(line),
        }
    }
    for line in &mut lines {
        line.text = line.text.trimmed();
        line.y += line.style.baseline_shift();
    }
    lines.retain(|line| !line.text.is_empty());
    (lines, reader.features)
}

fn has_unclosed_braces(text: &str) -> bool {
    text.matches("{{").count() > text.matches("}}").count()
}

struct SvgTextReader<'a, 'input> {
    sheet: &'a StyleSheet<'input>,
    view: (f64, f64),
    has_values: bool,
    lines: Vec<SvgTextLine>,
    features: BTreeSet<TextFeature>,
}

impl SvgTextReader<'_, '_> {
    /// `at`: the pen position, unless the element has its own.
    fn read_element(&mut self, node: Node, style: &CssStyle, at: (f64, f64)) {
        let numbers = |name: &str| {
            let parts = node.attribute(name).unwrap_or_default().split([',', ' ', '\n', '\t']);
            parts.filter(|part| !part.is_empty())
        };
        let number = |name: &str| {
            let whole = if name.ends_with('x') { self.view.0 } else { self.view.1 };
            parse_length(numbers(name).next()?, style.size, whole)
        };
        let (x, y, dx, dy) = (number("x"), number("y"), number("dx"), number("dy"));
        let is_set = |offset: Option<f64>| offset.is_some_and(|offset| offset != 0.0);
        let (has_lists, is_moved) = (["x", "y", "dx", "dy"].map(|name| numbers(name).count() > 1), is_set(dx));
        let is_turned = numbers("rotate").any(|angle| angle.parse() != Ok(0.0));
        let has_length = node.attribute("textLength").is_some();
        let line = node.attribute((SODIPODI_NAMESPACE, "role")) == Some("line");
        let mut at = (x.unwrap_or(at.0), y.unwrap_or(at.1));
        if node.tag_name().name() == "text" || line || x.is_some() {
            at.0 += dx.unwrap_or(0.0);
            if y.is_none() && self.lines.last().is_some_and(|last| last.text.is_empty()) {
                // A blank first line still moves the pen, as in `<tspan x="0" dy="1em">`.
                self.lines.pop();
            }
            at.1 += dy.unwrap_or(0.0);
            self.lines.push(SvgTextLine { x: at.0, y: at.1, text: MappedText::default(), style: style.clone() });
        } else {
            self.note(TextFeature::Heights, y.is_some() || is_set(dy));
            self.note(TextFeature::Places, is_moved);
        }
        self.note(TextFeature::Places, has_lists.contains(&true));
        self.note(TextFeature::Turns, is_turned);
        self.note(TextFeature::Length, has_length);
        let mut pen = at;
        for child in node.children() {
            if child.is_text() {
                self.read_text(child, style);
            } else if child.is_element() && matches!(child.tag_name().name(), "tspan" | "a" | "textPath") {
                let inner = style.for_child(child, self.sheet);
                if inner.is_displayed && inner.is_visible {
                    self.read_element(child, &inner, pen);
                    pen = self.lines.last().map_or(pen, |last| (last.x, last.y));
                }
            }
        }
    }

    fn note(&mut self, feature: TextFeature, is_there: bool) {
        if is_there {
            self.features.insert(feature);
        }
    }

    /// The font's small figures for a raised or lowered part within a line of values.
    fn small_figures(&self, node: Node, style: &CssStyle) -> Option<String> {
        let line = self.lines.last().filter(|line| self.has_values && !line.text.is_empty())?;
        style.shift?.small_figures(node.text()?).filter(|_| !has_unclosed_braces(&line.text.text))
    }

    fn read_text(&mut self, node: Node, style: &CssStyle) {
        if let Some(letters) = self.small_figures(node, style)
            && let Some(line) = self.lines.last_mut()
        {
            let range = node.range();
            letters.chars().for_each(|c| line.text.push(c, range.start, range.end));
            return;
        }
        if node.text().is_some_and(|text| !text.trim().is_empty()) {
            self.features.extend(style.unusual());
            let is_alike = |line: &SvgTextLine| {
                let of = |style: &CssStyle| (style.size, style.face(), style.paint(), style.spacing, style.baseline);
                // A value has one style, whatever part of its formula has another.
                let is_within = line.text.is_empty() || has_unclosed_braces(&line.text.text);
                is_within || of(&line.style) == of(style)
            };
            let is_alike = self.lines.last().is_none_or(is_alike);
            self.note(TextFeature::Parts, !is_alike);
        }
        let (Some(text), Some(line)) = (node.text(), self.lines.last_mut()) else { return };
        let range = node.range();
        let raw = MappedText::from_raw(
            node.document().input_text().get(range.clone()).unwrap_or_default(),
            text,
            range.start,
        );
        if line.text.is_empty() && !text.trim().is_empty() {
            line.style = style.clone();
        }
        for (byte, c) in raw.text.char_indices() {
            let c = if c.is_whitespace() && c != '\u{a0}' { ' ' } else { c };
            if c == ' ' && !style.preserves_space && line.text.text.chars().next_back().is_none_or(|last| last == ' ') {
                continue;
            }
            let span = raw.span_of(byte..byte + 1);
            line.text.push(c, span.start as usize, raw.span_of(byte..byte + c.len_utf8()).end as usize);
        }
    }
}

/// Whether a text shows values.
pub(super) fn is_filled_text(node: Node) -> bool {
    node.tag_name().name() == "text"
        && node.descendants().any(|inner| inner.text().is_some_and(|text| text.contains("{{")))
}

/// The texts that clones show.
pub(super) fn cloned_texts(document: &Document) -> HashSet<NodeId> {
    let targets: HashSet<&str> = document
        .descendants()
        .filter(|node| node.tag_name().name() == "use")
        .filter_map(|node| node.attributes().find(|a| a.name() == "href")?.value().strip_prefix('#'))
        .collect();
    let of = document.descendants().filter(|node| node.attribute("id").is_some_and(|id| targets.contains(id)));
    of.flat_map(|node| node.descendants())
        .filter(|node| node.tag_name().name() == "text")
        .map(|node| node.id())
        .collect()
}
