//! What a `<text>` element says: takes the element, gives its lines with their place and style, in the element's own units.
//! Joins what Inkscape splits into tspans; never shapes or measures text.

use simplecss::StyleSheet;
use usvg::roxmltree::Node;

use super::mapped::Mapped;
use super::style::{Style, length};
use super::svg::SODIPODI;

/// One line.
pub(super) struct Line {
    pub x: f64,
    pub y: f64,
    pub text: Mapped,
    pub style: Style,
}

/// The lines of a `<text>` whose style is known, blank ones left out.
pub(super) fn lines(node: Node, style: &Style, sheet: &StyleSheet) -> Vec<Line> {
    let mut reader = Reader { sheet, lines: Vec::new() };
    reader.element(node, style, (0.0, 0.0));
    let mut lines: Vec<Line> = Vec::new();
    for line in reader.lines {
        // An expression that Inkscape wrapped over lines is still one expression.
        match lines.last_mut().filter(|last| unclosed(&last.text.text)) {
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

fn unclosed(text: &str) -> bool {
    text.matches("{{").count() > text.matches("}}").count()
}

struct Reader<'a, 'input> {
    sheet: &'a StyleSheet<'input>,
    lines: Vec<Line>,
}

impl Reader<'_, '_> {
    /// `at` is where the line stands that this element continues or, if it says so itself, begins anew.
    fn element(&mut self, node: Node, style: &Style, at: (f64, f64)) {
        let number = |name: &str| {
            let first = node.attribute(name)?.split([',', ' ', '\n', '\t']).find(|part| !part.is_empty())?;
            length(first, style.size, 0.0)
        };
        let (x, y, dy) = (number("x"), number("y"), number("dy"));
        let line = node.attribute((SODIPODI, "role")) == Some("line");
        let mut at = (x.unwrap_or(at.0), y.unwrap_or(at.1));
        if node.tag_name().name() == "text" || line || x.is_some() {
            at.0 += number("dx").unwrap_or(0.0);
            if y.is_none() && self.lines.last().is_some_and(|last| last.text.is_empty()) {
                // A blank first line still moves the pen, as in `<tspan x="0" dy="1em">`.
                self.lines.pop();
            }
            at.1 += dy.unwrap_or(0.0);
            self.lines.push(Line { x: at.0, y: at.1, text: Mapped::default(), style: style.clone() });
        }
        let mut pen = at;
        for child in node.children() {
            if child.is_text() {
                self.text(child, style);
            } else if child.is_element() && matches!(child.tag_name().name(), "tspan" | "a" | "textPath") {
                let inner = style.of(child, self.sheet);
                if inner.shown && inner.visible {
                    self.element(child, &inner, pen);
                    pen = self.lines.last().map_or(pen, |last| (last.x, last.y));
                }
            }
        }
    }

    fn text(&mut self, node: Node, style: &Style) {
        let (Some(text), Some(line)) = (node.text(), self.lines.last_mut()) else { return };
        let range = node.range();
        let raw = Mapped::raw(node.document().input_text().get(range.clone()).unwrap_or_default(), text, range.start);
        if line.text.is_empty() && !text.trim().is_empty() {
            line.style = style.clone();
        }
        for (byte, c) in raw.text.char_indices() {
            let c = if c.is_whitespace() && c != '\u{a0}' { ' ' } else { c };
            if c == ' ' && !style.preserve && line.text.text.chars().next_back().is_none_or(|last| last == ' ') {
                continue;
            }
            let span = raw.at(byte..byte + 1);
            line.text.push(c, span.start as usize, raw.at(byte..byte + c.len_utf8()).end as usize);
        }
    }
}
