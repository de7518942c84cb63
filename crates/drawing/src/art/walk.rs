//! Walks a template's tree: takes a parsed document, gives slots, panels, conditions and the edits that prepare the
//! text for usvg. Never draws.

mod texts;

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use simplecss::StyleSheet;
use usvg::roxmltree::{Document, Node, NodeId};

use super::geometry::{self, Frame, Matrix, own_transform};
use super::labels::{RectangleKind, description, group_label, label_after_prefix, rectangle_label};
use super::mapped_text::MappedText;
use super::style::{CssStyle, parse_length};
use super::svg::{INKSCAPE_NAMESPACE, SVG_NAMESPACE, SvgEdit, start_tag_span};
use super::template::{Condition, GroupKind, PanelRect, TextSlot};
use super::text::{cloned_texts, is_filled_text};
use super::{guard, labels, newer_css};
use crate::scene::Rect;
use moldloft_base::finding::Finding;
use moldloft_base::sanitize::shorten;
use moldloft_base::source::Source;

/// The most letters of a text that a message quotes.
const MAX_QUOTED: usize = 60;

pub(super) struct TemplateWalk<'a, 'input> {
    source: &'a Source,
    sheet: &'a StyleSheet<'input>,
    pub slots: Vec<TextSlot>,
    pub panels: Vec<PanelRect>,
    pub flows: Vec<PanelRect>,
    pub blocks: Vec<PanelRect>,
    pub conditions: Vec<Condition>,
    pub condition_of: HashMap<String, usize>,
    /// Elements labelled as outlines, by the id that usvg sees.
    pub outlines: HashSet<String>,
    /// Place of each drawn element, by the id that usvg sees.
    pub places: HashMap<String, ElementOrigin>,
    pub edits: Vec<SvgEdit>,
    pub findings: Vec<Finding>,
    used_ids: HashSet<&'a str>,
    view: (f64, f64),
    /// Whether a text is drawn as outlines, as usvg lays it out.
    pub has_outlined_text: bool,
    /// What clones show.
    cloned: HashSet<NodeId>,
}

#[derive(Clone, Debug)]
pub(super) struct ElementOrigin {
    pub name: String,
    pub span: moldloft_base::source::Span,
}

#[derive(Clone)]
struct WalkState {
    matrix: Matrix,
    style: CssStyle,
    when: Option<usize>,
}

impl<'a, 'input> TemplateWalk<'a, 'input> {
    pub fn new(
        source: &'a Source,
        document: &'a Document<'input>,
        sheet: &'a StyleSheet<'input>,
        frame: &Frame,
    ) -> Self {
        let mut walk = Self {
            source,
            sheet,
            slots: Vec::new(),
            panels: Vec::new(),
            flows: Vec::new(),
            blocks: Vec::new(),
            conditions: Vec::new(),
            condition_of: HashMap::new(),
            outlines: HashSet::new(),
            places: HashMap::new(),
            edits: Vec::new(),
            findings: Vec::new(),
            used_ids: document.descendants().filter_map(|node| node.attribute("id")).collect(),
            view: frame.view,
            has_outlined_text: false,
            cloned: cloned_texts(document),
        };
        let root = document.root_element();
        walk.refuse_external_references(document);
        walk.free_gradients(document);
        if let Some((node, finding)) = labels::lost_labels(document) {
            walk.report_at(node, finding);
        }
        let style = CssStyle::default().for_child(root, sheet);
        walk.visit_children(root, &WalkState { matrix: frame.matrix, style, when: None });
        walk.edits.sort_by_key(|edit| (edit.0.start, edit.0.end));
        walk
    }

    fn visit_children(&mut self, node: Node<'a, 'input>, here: &WalkState) {
        let mut ruler = None;
        for child in
            node.children().filter(|child| child.is_element() && child.tag_name().namespace() == Some(SVG_NAMESPACE))
        {
            // Text directly after a ruler belongs to it.
            let about = ruler.take().filter(|_| child.tag_name().name() == "text");
            let when = about.or(here.when);
            let before = self.conditions.len();
            self.visit_element(child, &WalkState { when, ..here.clone() });
            ruler = self.conditions.get(before).filter(|condition| condition.kind == GroupKind::Ruler).map(|_| before);
        }
    }

    fn visit_element(&mut self, node: Node<'a, 'input>, here: &WalkState) {
        let name = node.tag_name().name();
        if !is_for_this_program(node) {
            return self.remove_element(node);
        }
        match name {
            "defs" | "symbol" | "marker" | "pattern" | "clipPath" | "mask" | "filter" => {
                return self.clean_definition(node);
            }
            "style" | "title" | "desc" | "metadata" | "linearGradient" | "radialGradient" | "solidColor" => return,
            "script" | "foreignObject" | "flowRoot" | "image" => return self.refuse_element(node),
            _ => {}
        }
        let style = here.style.for_child(node, self.sheet);
        if !style.is_displayed {
            return self.remove_element(node);
        }
        if let Some(finding) = labels::outlined_text(node).filter(|_| name != "text") {
            self.report_at(node, finding);
        }
        if let Some(written) = &style.transform {
            self.restyle_transform(node, written);
        }
        let own = own_transform(node, style.transform.as_deref()).unwrap_or_else(|| {
            self.report_at(
                node,
                Finding::error(
                    "template-bad-transform",
                    format!("cannot read the transform of {}", element_name(node)),
                ),
            );
            Matrix::IDENTITY
        });
        let label = inkscape_label(node, self.source);
        let outer = here.when;
        let mut here = WalkState { matrix: here.matrix.then_inner(&own), style, when: here.when };
        if let Some((text, kind)) = label.as_ref().and_then(group_label) {
            self.add_condition(node, text, kind, &mut here);
        }
        if label.as_ref().is_some_and(|label| &*label.text == "along") && self.take_line(node, &here) {
            return;
        }
        let ruler = label.as_ref().is_some_and(is_ruler) && name != "text";
        if ruler {
            let holds = MappedText::from_raw("true", "true", start_tag_span(self.source, node).start as usize);
            self.add_condition(node, holds, GroupKind::Ruler, &mut here);
        }
        let panel = label.as_ref().and_then(|label| {
            let (kind, rest) = rectangle_label(label)?;
            Some((kind, label.text.clone(), rest))
        });
        if panel.is_none() {
            self.warn_about_near_label(node, label.as_ref());
        }
        match (name, panel) {
            ("rect", Some((kind, label, rest))) => self.add_rectangle(node, &here, kind, &label, &rest),
            ("path" | "polygon", Some((RectangleKind::Panel, label, rest))) => {
                self.add_outline(node, &here, &label, &rest);
            }
            (_, Some((_, label, _))) => {
                let found =
                    Finding::error("panel-not-a-rectangle", format!("“{label}” is a <{name}>; it must be a rectangle"));
                self.report_at(node, found.help("replace it with a rectangle that has this label"));
            }
            ("text", None) => self.add_text(node, &here, label.as_ref()),
            ("svg", None) => {
                let has_slots = node.descendants().any(|inner| is_filled_text(inner) || is_panel(inner, self.source));
                self.clean_definition(node);
                if has_slots {
                    let found = "nested SVG: its panels and texts with {{ }} are ignored";
                    self.report_at(node, Finding::warning("template-inner-svg", found).help("ungroup it in Inkscape"));
                }
            }
            ("switch", None) => {
                self.ensure_id(node, false);
                self.choose(node, &here);
            }
            ("g" | "a", None) => {
                self.ensure_id(node, false);
                self.visit_children(node, &here);
                let is_bare = |group: &Condition| group.kind == GroupKind::Repeat { along: (0.0, 0.0) };
                if here.when != outer && here.when.is_some_and(|group| is_bare(&self.conditions[group])) {
                    let found = format!("{} has no line to spread along", element_name(node));
                    let help = "draw a straight line in the group and label it `along`";
                    self.report_at(node, Finding::warning("repeat-without-line", found).help(help));
                }
            }
            ("path" | "rect" | "circle" | "ellipse" | "line" | "polyline" | "polygon" | "use", None) if !ruler => {
                let outline = label.as_ref().is_some_and(|label| label_after_prefix(label, "shape:").is_some());
                self.keep_art(node, outline);
            }
            _ => {}
        }
    }

    /// Reports a label that is almost one of a panel or condition; the element would be printed.
    fn warn_about_near_label(&mut self, node: Node<'a, 'input>, label: Option<&MappedText>) {
        let label = label.map(|label| &*label.text).unwrap_or_default();
        let found = labels::near_labels(node.tag_name().name(), label, node.attribute("id").unwrap_or_default());
        found.into_iter().for_each(|finding| self.report_at(node, finding));
    }

    fn add_condition(&mut self, node: Node<'a, 'input>, text: MappedText, kind: GroupKind, here: &mut WalkState) {
        self.conditions.push(Condition { text, parent: here.when, span: start_tag_span(self.source, node), kind });
        let place = self.conditions.len() - 1;
        here.when = Some(place);
        let id = self.ensure_id(node, true);
        self.condition_of.insert(id, place);
    }

    /// Whether it is the line of a `repeat:` group, which is not drawn.
    fn take_line(&mut self, node: Node<'a, 'input>, here: &WalkState) -> bool {
        let group = here.when.map(|group| &mut self.conditions[group].kind);
        let Some(GroupKind::Repeat { along }) = group else { return false };
        let Some((from, to)) = geometry::line_ends(node) else { return false };
        let (from, to) = (here.matrix.apply(from.0, from.1), here.matrix.apply(to.0, to.1));
        *along = ((to.0 - from.0) as f32, (to.1 - from.1) as f32);
        self.remove_element(node);
        true
    }

    fn add_rectangle(
        &mut self,
        node: Node<'a, 'input>,
        here: &WalkState,
        kind: RectangleKind,
        label: &str,
        rest: &MappedText,
    ) {
        self.remove_element(node);
        let side = |name: &str| {
            let whole = if matches!(name, "x" | "width") { self.view.0 } else { self.view.1 };
            node.attribute(name).map_or(Some(0.0), |text| parse_length(text, here.style.size, whole))
        };
        let (Some(x), Some(y), Some(w), Some(h)) = (side("x"), side("y"), side("width"), side("height")) else {
            return self.report_at(
                node,
                Finding::error("panel-without-size", format!("“{label}” has an invalid side length")),
            );
        };
        let rect = here.matrix.bounding_rect(x, y, w, h);
        let finite = [rect.x, rect.y, rect.w, rect.h].iter().all(|side| side.is_finite() && side.abs() < 1e5);
        if !finite || w <= 0.0 || h <= 0.0 || rect.w <= 0.0 || rect.h <= 0.0 {
            let size = format!(
                "“{label}” is {} wide and {} high",
                format_mm(w * here.matrix.uniform_scale()),
                format_mm(h * here.matrix.uniform_scale())
            );
            return self.report_at(
                node,
                Finding::error("panel-without-size", size).help("give the rectangle a width and a height"),
            );
        }
        if !here.matrix.is_axis_aligned() {
            let found = Finding::warning(
                "panel-turned",
                format!("“{label}” is rotated or slanted; the upright rectangle around it is used"),
            );
            self.report_at(node, found.help("rotate the rectangle back"));
        }
        let word = rest.text.find(char::is_whitespace).unwrap_or(rest.text.len());
        let list = match kind {
            RectangleKind::Panel => &mut self.panels,
            RectangleKind::Flow => &mut self.flows,
            RectangleKind::Block => &mut self.blocks,
        };
        list.push(PanelRect {
            label: Arc::from(label),
            kind: Arc::from(&rest.text[..word]),
            argument: rest.part(word..rest.text.len()).trimmed(),
            options: description(node),
            when: here.when,
            rect,
            outline: None,
            span: start_tag_span(self.source, node),
        });
    }

    /// A panel whose slot is a closed path or polygon.
    fn add_outline(&mut self, node: Node<'a, 'input>, here: &WalkState, label: &str, rest: &MappedText) {
        self.remove_element(node);
        let points = match node.tag_name().name() {
            "polygon" => geometry::polygon_points(node.attribute("points").unwrap_or_default()),
            _ => geometry::closed_path_points(node.attribute("d").unwrap_or_default()),
        };
        let Some(points) = points else {
            let found = format!("“{label}” is not one closed outline");
            let help = "close its path (Path, Join Selected Nodes), and give each part a label of its own";
            return self.report_at(node, Finding::error("panel-not-closed", found).help(help));
        };
        let points: Vec<(f64, f64)> = points.into_iter().map(|(x, y)| here.matrix.apply(x, y)).collect();
        let side = |pick: fn(&(f64, f64)) -> f64| {
            let least = points.iter().map(pick).fold(f64::INFINITY, f64::min);
            let most = points.iter().map(pick).fold(f64::NEG_INFINITY, f64::max);
            (least, most - least)
        };
        let ((x, w), (y, h)) = (side(|point| point.0), side(|point| point.1));
        let usable = [x, y, w, h].iter().all(|side| side.is_finite() && side.abs() < 1e5) && w > 0.01 && h > 0.01;
        if !usable {
            let size = format!("“{label}” is {} wide and {} high", format_mm(w), format_mm(h));
            let found = Finding::error("panel-without-size", size);
            return self.report_at(node, found.help("give the outline a width and a height"));
        }
        let share = |(px, py): (f64, f64)| (((px - x) / w) as f32, ((py - y) / h) as f32);
        let word = rest.text.find(char::is_whitespace).unwrap_or(rest.text.len());
        self.panels.push(PanelRect {
            label: Arc::from(label),
            kind: Arc::from(&rest.text[..word]),
            argument: rest.part(word..rest.text.len()).trimmed(),
            options: description(node),
            when: here.when,
            rect: Rect::new(x as f32, y as f32, w as f32, h as f32),
            outline: (!geometry::is_upright_rectangle(&points)).then(|| points.iter().copied().map(share).collect()),
            span: start_tag_span(self.source, node),
        });
    }

    /// Of a `<switch>`, the first part that is for this program is drawn.
    fn choose(&mut self, node: Node<'a, 'input>, here: &WalkState) {
        let mut parts = node.children().filter(Node::is_element).collect::<Vec<_>>();
        let chosen = parts.iter().position(|part| is_for_this_program(*part)).map(|place| parts.remove(place));
        parts.into_iter().for_each(|part| self.remove_element(part));
        match chosen {
            Some(part) if part.tag_name().namespace() == Some(SVG_NAMESPACE) => self.visit_element(part, here),
            Some(_) => {}
            None => {
                let found = format!(
                    "{} has no part in English or for all languages; nothing of it is drawn",
                    element_name(node)
                );
                let help = "remove `systemLanguage` from the part to draw";
                self.report_at(node, Finding::warning("switch-without-part", found).help(help));
            }
        }
    }

    /// Gives usvg a transform of CSS as it reads it.
    fn restyle_transform(&mut self, node: Node<'a, 'input>, written: &str) {
        let Some(Matrix(m)) = own_transform(node, Some(written)) else { return };
        let plain = format!("transform:matrix({})", m.map(|number| number.to_string()).join(" "));
        match node.attribute_node("style") {
            Some(style) => {
                let others = style
                    .value()
                    .split(';')
                    .filter(|part| part.split_once(':').is_some_and(|(name, _)| name.trim() != "transform"));
                // As XML has them: an edit replaces the text of the file.
                let others = others.filter_map(newer_css::plain_declaration);
                let others: String = others.map(|part| format!("{};", part.trim())).collect();
                self.edits.push((
                    style.range_value(),
                    others.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;") + &plain,
                ));
            }
            None => {
                let after = start_tag_span(self.source, node).end as usize;
                self.edits.push((after..after, format!(" style=\"{plain}\"")));
            }
        }
    }

    /// Gradients are drawn in their first colour, so also on a line without a height, of which a gradient cannot be a part.
    fn free_gradients(&mut self, document: &'a Document<'input>) {
        for node in
            document.descendants().filter(|node| matches!(node.tag_name().name(), "linearGradient" | "radialGradient"))
        {
            match node.attribute_node("gradientUnits") {
                Some(units) => self.edits.push((units.range_value(), "userSpaceOnUse".to_owned())),
                None => {
                    let after = start_tag_span(self.source, node).end as usize;
                    self.edits.push((after..after, " gradientUnits=\"userSpaceOnUse\"".to_owned()));
                }
            }
        }
    }

    fn keep_art(&mut self, node: Node<'a, 'input>, outline: bool) {
        if node.tag_name().name() == "use" {
            let target = node.attributes().find(|a| a.name() == "href").and_then(|a| a.value().strip_prefix('#'));
            let target = target.and_then(|id| node.document().descendants().find(|n| n.attribute("id") == Some(id)));
            if target.is_some_and(|target| target.descendants().any(|n| is_filled_text(n) || is_panel(n, self.source)))
            {
                let found = Finding::warning(
                    "clone-of-text",
                    format!(
                        "{} is a clone of a panel or of text with {{{{ }}}}; only its art is drawn",
                        element_name(node)
                    ),
                );
                self.report_at(node, found.help("unlink the clone (Edit, Clone, Unlink)"));
            }
        }
        if let Some(data) = node.attribute("d").filter(|_| node.tag_name().name() == "path") {
            let mut parts = svgtypes::PathParser::from(data).enumerate();
            if let Some((part, _)) = parts.find(|(_, part)| part.is_err()) {
                let found = format!("cannot read the path of {} from part {} on", element_name(node), part + 1);
                self.report_at(
                    node,
                    Finding::warning("template-bad-path", found).help("redraw it; the rest of the path is skipped"),
                );
            }
        }
        let id = self.ensure_id(node, outline);
        if outline {
            self.outlines.insert(id);
        }
    }

    /// Ensures that the element has an id that usvg keeps; returns it.
    fn ensure_id(&mut self, node: Node<'a, 'input>, alone: bool) -> String {
        let place = ElementOrigin { name: element_name(node), span: start_tag_span(self.source, node) };
        let id = match node.attribute_node("id").filter(|id| !id.value().is_empty()) {
            Some(id) if !alone || !self.places.contains_key(id.value()) => id.value().to_owned(),
            Some(id) => {
                let fresh = self.unused_id();
                self.edits.push((id.range_value(), fresh.clone()));
                fresh
            }
            // usvg drops groups without an id, which is fine.
            None if node.tag_name().name() == "g" && !alone && !has_effect(node) => return String::new(),
            None => {
                let fresh = self.unused_id();
                let after = start_tag_span(self.source, node).end as usize;
                self.edits.push((after..after, format!(" id=\"{fresh}\"")));
                fresh
            }
        };
        self.places.entry(id.clone()).or_insert(place);
        id
    }

    fn unused_id(&self) -> String {
        let mut number = self.places.len() + self.conditions.len();
        loop {
            let id = format!("element-{number}");
            if !self.used_ids.contains(id.as_str()) && !self.places.contains_key(&id) {
                return id;
            }
            number += 1;
        }
    }

    /// Removes text and pictures from a definition; only clones would draw them.
    fn clean_definition(&mut self, node: Node<'a, 'input>) {
        for inner in
            node.descendants().filter(|inner| *inner != node && inner.tag_name().namespace() == Some(SVG_NAMESPACE))
        {
            match inner.tag_name().name() {
                "text" if !is_filled_text(inner) => self.has_outlined_text = true,
                "text" => {
                    let found = format!(
                        "{} is in a definition (<{}>) and is not drawn",
                        element_name(inner),
                        node.tag_name().name()
                    );
                    self.report_at(
                        inner,
                        Finding::warning("text-in-definition", found).help("unlink the clones that show it"),
                    );
                    self.remove_element(inner);
                }
                "image" | "feImage" | "script" | "foreignObject" => self.refuse_element(inner),
                _ => {}
            }
        }
    }

    fn refuse_element(&mut self, node: Node<'a, 'input>) {
        let (code, what, help) = match node.tag_name().name() {
            "image" | "feImage" => {
                ("template-picture", "a bitmap image, which is not drawn", "trace it (Path, Trace Bitmap)")
            }
            "flowRoot" | "foreignObject" => (
                "template-foreign-text",
                "flowed text, which is not drawn",
                "convert it to text (Text, Convert to Text)",
            ),
            _ => ("template-script", "a script, which is not run", "remove it"),
        };
        self.report_at(node, Finding::warning(code, format!("{} is {what}", element_name(node))).help(help));
        self.remove_element(node);
    }

    fn refuse_external_references(&mut self, document: &'a Document<'input>) {
        for node in document.descendants().filter(|node| node.is_element()) {
            for attribute in node.attributes().filter(|a| a.namespace() != Some(INKSCAPE_NAMESPACE)) {
                let value = attribute.value().trim();
                let linked = attribute.name() == "href"
                    && node.tag_name().name() != "a"
                    && node.tag_name().namespace() == Some(SVG_NAMESPACE);
                let picture = matches!(node.tag_name().name(), "image" | "feImage") && value.starts_with("data:");
                let outside = (linked && !picture && !value.starts_with('#') && !value.is_empty())
                    || guard::urls(value).any(|url| !url.starts_with('#'));
                if outside {
                    self.report_external_reference(node, attribute.range_value(), value);
                    self.edits.push((attribute.range_value(), String::new()));
                }
            }
            if node.tag_name().name() == "style" {
                for text in node.children().filter(|child| child.is_text()) {
                    let value = text.text().unwrap_or_default();
                    // Escapes could hide either word from this search, so they are refused.
                    let outside = value.contains("@import")
                        || value.contains('\\')
                        || guard::urls(value).any(|url| !url.starts_with('#'));
                    if outside {
                        self.report_external_reference(node, text.range(), "its style");
                        self.edits.push((text.range(), String::new()));
                    }
                }
            }
        }
    }

    fn report_external_reference(&mut self, node: Node, range: Range<usize>, value: &str) {
        let found =
            format!("{} refers to something outside the file: {}", element_name(node), shorten(value, MAX_QUOTED));
        let finding =
            Finding::error("template-external-reference", found).help("embed what the template needs as paths");
        self.findings.push(finding.at(self.source.place_with_snippet(range.into())));
    }

    fn remove_element(&mut self, node: Node) {
        self.edits.push((node.range(), String::new()));
    }

    fn report_at(&mut self, node: Node, finding: Finding) {
        self.findings.push(finding.at(self.source.place_with_snippet(start_tag_span(self.source, node))));
    }
}

/// Whether something of a group may be reported that is not its parts'.
fn has_effect(node: Node) -> bool {
    ["class", "style", "clip-path", "mask", "filter", "opacity"].iter().any(|name| node.has_attribute(*name))
}

/// Whether an element is to be drawn: its languages are none or English, and it needs nothing of other programs.
fn is_for_this_program(node: Node) -> bool {
    let english = |tag: &str| tag.trim().split('-').next() == Some("en");
    node.attribute("systemLanguage").is_none_or(|tags| tags.split(',').any(english))
        && node.attribute("requiredExtensions").is_none()
        && node.attribute("requiredFeatures").is_none_or(|features| !features.contains("#Extensibility"))
}

fn is_panel(node: Node, source: &Source) -> bool {
    inkscape_label(node, source).is_some_and(|label| rectangle_label(&label).is_some())
}

fn inkscape_label(node: Node, source: &Source) -> Option<MappedText> {
    let label = node.attribute_node((INKSCAPE_NAMESPACE, "label"))?;
    let range = label.range_value();
    Some(MappedText::from_raw(source.text.get(range.clone())?, label.value(), range.start))
}

/// `ruler`, or `ruler, 100 mm`.
fn is_ruler(label: &MappedText) -> bool {
    let label = label.text.trim();
    let head = label.split(|c: char| !c.is_alphanumeric()).next();
    head.is_some_and(|head| head.eq_ignore_ascii_case("ruler"))
}

fn element_name(node: Node) -> String {
    match (node.attribute((INKSCAPE_NAMESPACE, "label")), node.attribute("id")) {
        (Some(label), _) => format!("“{}”", shorten(label, MAX_QUOTED)),
        (None, Some(id)) => format!("the <{}> “{}”", node.tag_name().name(), shorten(id, MAX_QUOTED)),
        (None, None) => format!("this <{}>", node.tag_name().name()),
    }
}

fn format_mm(length: f64) -> String {
    if length.abs() < 1e5 { format!("{length:.2} mm") } else { "over 100 m".into() }
}
