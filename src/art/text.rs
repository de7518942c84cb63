//! Reads a `<text>` element: gives its lines with place and style in the element's own units, joining what Inkscape
//! splits into tspans. Never shapes or measures text.

use simplecss::StyleSheet;
use usvg::roxmltree::Node;

use super::mapped_text::MappedText;
use super::style::{CssStyle, parse_length};
use super::svg::SODIPODI_NAMESPACE;

pub(super) struct SvgTextLine {
    pub x: f64,
    pub y: f64,
    pub text: MappedText,
    pub style: CssStyle,
}

/// Blank lines are left out.
pub(super) fn read_lines(node: Node, style: &CssStyle, sheet: &StyleSheet) -> Vec<SvgTextLine> {
    let mut reader = SvgTextReader { sheet, lines: Vec::new() };
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
    }
    lines.retain(|line| !line.text.is_empty());
    lines
}

fn has_unclosed_braces(text: &str) -> bool {
    text.matches("{{").count() > text.matches("}}").count()
}

struct SvgTextReader<'a, 'input> {
    sheet: &'a StyleSheet<'input>,
    lines: Vec<SvgTextLine>,
}

impl SvgTextReader<'_, '_> {
    /// `at`: the pen position, unless the element has its own.
    fn read_element(&mut self, node: Node, style: &CssStyle, at: (f64, f64)) {
        let number = |name: &str| {
            let first = node.attribute(name)?.split([',', ' ', '\n', '\t']).find(|part| !part.is_empty())?;
            parse_length(first, style.size, 0.0)
        };
        let (x, y, dy) = (number("x"), number("y"), number("dy"));
        let line = node.attribute((SODIPODI_NAMESPACE, "role")) == Some("line");
        let mut at = (x.unwrap_or(at.0), y.unwrap_or(at.1));
        if node.tag_name().name() == "text" || line || x.is_some() {
            at.0 += number("dx").unwrap_or(0.0);
            if y.is_none() && self.lines.last().is_some_and(|last| last.text.is_empty()) {
                // A blank first line still moves the pen, as in `<tspan x="0" dy="1em">`.
                self.lines.pop();
            }
            at.1 += dy.unwrap_or(0.0);
            self.lines.push(SvgTextLine { x: at.0, y: at.1, text: MappedText::default(), style: style.clone() });
        }
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

    fn read_text(&mut self, node: Node, style: &CssStyle) {
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
