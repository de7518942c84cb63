//! What the readers of an SVG share: names of its namespaces, places in its text.

use std::ops::Range;

use usvg::roxmltree::Node;

use crate::source::{Source, Span};

/// Bytes of a template's text, and what usvg sees in their place.
pub(super) type SvgEdit = (Range<usize>, String);

pub(super) const SVG_NAMESPACE: &str = "http://www.w3.org/2000/svg";
pub(super) const INKSCAPE_NAMESPACE: &str = "http://www.inkscape.org/namespaces/inkscape";
pub(super) const SODIPODI_NAMESPACE: &str = "http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd";
pub(super) const XML_NAMESPACE: &str = "http://www.w3.org/XML/1998/namespace";
/// An element's start tag up to its name: what a finding's caret points at.
pub(super) fn start_tag_span(source: &Source, node: Node) -> Span {
    let start = node.range().start;
    let name = source.text.get(start + 1..).unwrap_or_default();
    let length = name.find(|c: char| c.is_whitespace() || c == '>' || c == '/').unwrap_or(name.len());
    (start..start + 1 + length).into()
}
