//! Namespaces and places in an SVG's text, shared by its readers.

use std::ops::Range;

use usvg::roxmltree::Node;

use moldloft_base::source::{Source, Span};

/// A range of a template's text and its replacement for usvg.
pub(super) type SvgEdit = (Range<usize>, String);

pub(super) const SVG_NAMESPACE: &str = "http://www.w3.org/2000/svg";
pub(super) const INKSCAPE_NAMESPACE: &str = "http://www.inkscape.org/namespaces/inkscape";
pub(super) const SODIPODI_NAMESPACE: &str = "http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd";
pub(super) const XML_NAMESPACE: &str = "http://www.w3.org/XML/1998/namespace";
/// The start tag up to the element's name, for carets.
pub(super) fn start_tag_span(source: &Source, node: Node) -> Span {
    let start = node.range().start;
    let name = source.text.get(start + 1..).unwrap_or_default();
    let length = name.find(|c: char| c.is_whitespace() || c == '>' || c == '/').unwrap_or(name.len());
    (start..start + 1 + length).into()
}
