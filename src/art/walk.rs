//! The walk through a template's tree: takes a parsed document, gives slots, panels and conditions, and the changes that
//! turn the text into one that usvg may draw. Never draws.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use simplecss::StyleSheet;
use usvg::roxmltree::{Document, Node};

use super::geometry::{Frame, Matrix, own};
use super::mapped::Mapped;
use super::style::{Style, length};
use super::svg::{Edit, INKSCAPE, SVG, start_tag};
use super::template::{Condition, Panel, Slot};
use super::{guard, text};
use crate::finding::Finding;
use crate::source::Source;

/// What the walk gathers.
pub(super) struct Walk<'a, 'input> {
    source: &'a Source,
    sheet: &'a StyleSheet<'input>,
    pub slots: Vec<Slot>,
    pub panels: Vec<Panel>,
    pub conditions: Vec<Condition>,
    /// Which condition holds for the element of an id, and all in it.
    pub conditional: HashMap<String, usize>,
    /// Elements labelled as outlines, by the id usvg will know them by.
    pub outlines: HashSet<String>,
    /// Where each drawn element stands, by the id usvg will know it by.
    pub places: HashMap<String, Place>,
    /// Bytes of the text and what stands there instead, in file order.
    pub edits: Vec<Edit>,
    pub findings: Vec<Finding>,
    used: HashSet<&'a str>,
}

/// An element for messages.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub name: String,
    pub span: crate::source::Span,
}

#[derive(Clone)]
struct Here {
    matrix: Matrix,
    style: Style,
    when: Option<usize>,
}

impl<'a, 'input> Walk<'a, 'input> {
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
            conditions: Vec::new(),
            conditional: HashMap::new(),
            outlines: HashSet::new(),
            places: HashMap::new(),
            edits: Vec::new(),
            findings: Vec::new(),
            used: document.descendants().filter_map(|node| node.attribute("id")).collect(),
        };
        let root = document.root_element();
        walk.references(document);
        let style = Style::default().of(root, sheet);
        walk.children(root, &Here { matrix: frame.matrix, style, when: None });
        walk.edits.sort_by_key(|edit| (edit.0.start, edit.0.end));
        walk
    }

    fn children(&mut self, node: Node<'a, 'input>, here: &Here) {
        let mut ruler = None;
        for child in node.children().filter(|child| child.is_element() && child.tag_name().namespace() == Some(SVG)) {
            // What is written straight after a ruler is about it.
            let about = ruler.take().filter(|_| child.tag_name().name() == "text");
            let when = about.or(here.when);
            let before = self.conditions.len();
            self.element(child, &Here { when, ..here.clone() });
            ruler = self.conditions.get(before).filter(|condition| condition.ruler).map(|_| before);
        }
    }

    fn element(&mut self, node: Node<'a, 'input>, here: &Here) {
        let name = node.tag_name().name();
        match name {
            "defs" | "symbol" | "marker" | "pattern" | "clipPath" | "mask" | "filter" => return self.definition(node),
            "style" | "title" | "desc" | "metadata" | "linearGradient" | "radialGradient" | "solidColor" => return,
            "script" | "foreignObject" | "flowRoot" | "image" => return self.refused(node),
            _ => {}
        }
        let style = here.style.of(node, self.sheet);
        if !style.shown {
            return self.cut(node);
        }
        let own = own(node).unwrap_or_else(|| {
            self.find(
                node,
                Finding::error("template-bad-transform", format!("cannot read the transform of {}", called(node))),
            );
            Matrix::IDENTITY
        });
        let label = label(node, self.source);
        let mut here = Here { matrix: here.matrix.then_inner(&own), style, when: here.when };
        if let Some(text) = label.as_ref().and_then(|label| prefixed(label, "when:")) {
            self.condition(node, text, false, &mut here);
        }
        let ruler = label.as_ref().is_some_and(is_ruler) && name != "text";
        if ruler {
            let holds = Mapped::raw("true", "true", start_tag(self.source, node).start as usize);
            self.condition(node, holds, true, &mut here);
        }
        let panel = label.as_ref().and_then(|label| prefixed(label, "panel:").map(|rest| (label.text.clone(), rest)));
        if panel.is_none() {
            self.nearly(node, label.as_ref());
        }
        match (name, panel) {
            ("rect", Some((label, rest))) => self.panel(node, &here, &label, &rest),
            (_, Some((label, _))) => {
                let found = Finding::error(
                    "panel-not-a-rectangle",
                    format!("“{label}” is a <{name}>; a panel must be a rectangle"),
                );
                self.find(node, found.help("replace it with a rectangle that has this label"));
            }
            ("text", None) => self.text(node, &here, label.as_ref()),
            ("svg", None) => {
                let found = "nested SVG: its text and panels are ignored";
                self.definition(node);
                self.find(node, Finding::warning("template-inner-svg", found).help("ungroup it in Inkscape"));
            }
            ("g" | "a" | "switch", None) => {
                self.known(node, false);
                self.children(node, &here);
            }
            // A ruler is known already.
            ("path" | "rect" | "circle" | "ellipse" | "line" | "polyline" | "polygon" | "use", None) if !ruler => {
                let outline = label.as_ref().is_some_and(|label| prefixed(label, "shape:").is_some());
                self.drawn(node, outline);
            }
            _ => {}
        }
    }

    /// Tells of a panel or condition whose label is not quite one: it would be printed as it stands.
    fn nearly(&mut self, node: Node<'a, 'input>, label: Option<&Mapped>) {
        let head = |text: &str, word: &str| {
            let text = text.trim();
            let rest =
                text.get(..word.len()).filter(|head| head.eq_ignore_ascii_case(word)).map(|_| &text[word.len()..]);
            rest.is_some_and(|rest| rest.trim_start().starts_with(':') || rest.starts_with(char::is_whitespace))
        };
        let labelled = label.map(|label| &*label.text).unwrap_or_default();
        let id = node.attribute("id").unwrap_or_default();
        let rest = |text: &str| {
            text.trim().split_once([' ', ':']).map_or("", |(_, rest)| rest).trim_matches([' ', ':']).to_owned()
        };
        let tag = node.tag_name().name();
        let closed = matches!(tag, "path" | "rect" | "circle" | "ellipse" | "polygon");
        for (word, is) in [("panel", tag == "rect"), ("when", tag == "g"), ("shape", closed)] {
            if !is {
                continue;
            }
            if head(labelled, word) && prefixed(&Mapped::raw(labelled, labelled, 0), &format!("{word}:")).is_none() {
                let found = format!("“{labelled}” has no effect: the element is printed unchanged");
                let help = format!("write `{word}: {}`, with a colon", rest(labelled));
                self.find(node, Finding::warning("label-without-colon", found).help(help));
            } else if labelled.is_empty() && id.trim().to_ascii_lowercase().starts_with(&format!("{word}:")) {
                let found = format!("“{id}” has no effect in the id");
                let help = "put it in the Label field (in the file: inkscape:label)";
                self.find(node, Finding::warning("label-in-id", found).help(help));
            }
        }
    }

    fn condition(&mut self, node: Node<'a, 'input>, text: Mapped, ruler: bool, here: &mut Here) {
        self.conditions.push(Condition { text, parent: here.when, span: start_tag(self.source, node), ruler });
        let place = self.conditions.len() - 1;
        here.when = Some(place);
        let id = self.known(node, true);
        self.conditional.insert(id, place);
    }

    fn panel(&mut self, node: Node<'a, 'input>, here: &Here, label: &str, rest: &Mapped) {
        self.cut(node);
        let side = |name: &str| node.attribute(name).map_or(Some(0.0), |text| length(text, here.style.size, 0.0));
        let (Some(x), Some(y), Some(w), Some(h)) = (side("x"), side("y"), side("width"), side("height")) else {
            return self
                .find(node, Finding::error("panel-without-size", format!("“{label}” has an invalid side length")));
        };
        let rect = here.matrix.rect(x, y, w, h);
        let finite = [rect.x, rect.y, rect.w, rect.h].iter().all(|side| side.is_finite() && side.abs() < 1e5);
        if !finite || w <= 0.0 || h <= 0.0 || rect.w <= 0.0 || rect.h <= 0.0 {
            let size =
                format!("“{label}” is {} wide and {} high", mm(w * here.matrix.scale()), mm(h * here.matrix.scale()));
            return self.find(
                node,
                Finding::error("panel-without-size", size).help("give the rectangle a width and a height"),
            );
        }
        if !here.matrix.upright() {
            let found = Finding::warning(
                "panel-turned",
                format!("“{label}” is rotated or slanted; its panel fills the upright rectangle around it"),
            );
            self.find(node, found.help("rotate the rectangle back"));
        }
        let word = rest.text.find(char::is_whitespace).unwrap_or(rest.text.len());
        self.panels.push(Panel {
            label: Arc::from(label),
            kind: Arc::from(&rest.text[..word]),
            argument: rest.part(word..rest.text.len()).trimmed(),
            options: description(node),
            when: here.when,
            rect,
            span: start_tag(self.source, node),
        });
    }

    fn text(&mut self, node: Node<'a, 'input>, here: &Here, label: Option<&Mapped>) {
        self.cut(node);
        let paint = here.style.paint();
        if !here.style.visible || here.matrix.scale() == 0.0 || (here.style.filled && paint.alpha == 0.0) {
            return;
        }
        let label = label.and_then(|label| prefixed(label, "slot:")).map(|name| Arc::from(name.text));
        let options = description(node);
        if node.descendants().any(|inner| inner.tag_name().name() == "textPath") {
            self.find(
                node,
                Finding::warning("text-along-a-path", format!("{} follows a path; it is drawn straight", called(node))),
            );
        }
        let lines = text::lines(node, &here.style, self.sheet);
        if here.matrix.distorts() && !lines.is_empty() {
            let found = Finding::warning(
                "text-distorted",
                format!("{} is stretched, slanted or mirrored, which is ignored", called(node)),
            );
            self.find(node, found.help("set its font size instead"));
        }
        for line in lines {
            let (x, y) = here.matrix.apply(line.x, line.y);
            let size = line.style.size * here.matrix.scale();
            if !x.is_finite() || !y.is_finite() || x.abs() > 1e5 || y.abs() > 1e5 || !(0.1..=500.0).contains(&size) {
                let found = format!(
                    "text “{}” is {} high, {} from the left and {} from the top; it is not drawn",
                    cut_short(&line.text.text),
                    mm(size),
                    mm(x),
                    mm(y)
                );
                self.find(node, Finding::error("text-out-of-bounds", found));
                continue;
            }
            self.slots.push(Slot {
                label: label.clone(),
                text: line.text,
                options: options.clone(),
                when: here.when,
                x: x as f32,
                y: y as f32,
                size: size as f32,
                rotation: here.matrix.rotation() as f32,
                anchor: line.style.anchor,
                face: line.style.face(),
                spacing: (line.style.spacing * here.matrix.scale()) as f32,
                paint: line.style.paint(),
                span: start_tag(self.source, node),
            });
        }
    }

    fn drawn(&mut self, node: Node<'a, 'input>, outline: bool) {
        if node.tag_name().name() == "use" {
            let target = node.attributes().find(|a| a.name() == "href").and_then(|a| a.value().strip_prefix('#'));
            let target = target.and_then(|id| node.document().descendants().find(|n| n.attribute("id") == Some(id)));
            if target.is_some_and(|target| {
                target.descendants().any(|n| n.tag_name().name() == "text" || is_panel(n, self.source))
            }) {
                let found = Finding::warning(
                    "clone-of-text",
                    format!("{} is a clone of text or a panel; only its art is drawn", called(node)),
                );
                self.find(node, found.help("unlink the clone (Edit, Clone, Unlink)"));
            }
        }
        if let Some(data) = node.attribute("d").filter(|_| node.tag_name().name() == "path") {
            let mut parts = svgtypes::PathParser::from(data).enumerate();
            if let Some((part, _)) = parts.find(|(_, part)| part.is_err()) {
                let found = format!("cannot read the path of {} from part {} on", called(node), part + 1);
                self.find(
                    node,
                    Finding::warning("template-bad-path", found).help("redraw it; the rest of the path is skipped"),
                );
            }
        }
        let id = self.known(node, outline);
        if outline {
            self.outlines.insert(id);
        }
    }

    /// Makes sure that usvg will know the element by an id of its own; gives the id.
    fn known(&mut self, node: Node<'a, 'input>, alone: bool) -> String {
        let place = Place { name: called(node), span: start_tag(self.source, node) };
        let id = match node.attribute_node("id").filter(|id| !id.value().is_empty()) {
            Some(id) if !alone || !self.places.contains_key(id.value()) => id.value().to_owned(),
            Some(id) => {
                let fresh = self.fresh();
                self.edits.push((id.range_value(), fresh.clone()));
                fresh
            }
            // Groups without an id vanish in usvg, which is as well.
            None if node.tag_name().name() == "g" && !alone => return String::new(),
            None => {
                let fresh = self.fresh();
                let after = start_tag(self.source, node).end as usize;
                self.edits.push((after..after, format!(" id=\"{fresh}\"")));
                fresh
            }
        };
        self.places.entry(id.clone()).or_insert(place);
        id
    }

    fn fresh(&self) -> String {
        let mut number = self.places.len() + self.conditions.len();
        loop {
            let id = format!("element-{number}");
            if !self.used.contains(id.as_str()) && !self.places.contains_key(&id) {
                return id;
            }
            number += 1;
        }
    }

    /// Takes text and pictures out of a definition, where they would be drawn by clones only.
    fn definition(&mut self, node: Node<'a, 'input>) {
        for inner in node.descendants().filter(|inner| *inner != node && inner.tag_name().namespace() == Some(SVG)) {
            match inner.tag_name().name() {
                "text" if inner.descendants().any(|n| n.text().is_some_and(|text| !text.trim().is_empty())) => {
                    let found =
                        format!("{} is in a definition (<{}>) and is not drawn", called(inner), node.tag_name().name());
                    self.find(
                        inner,
                        Finding::warning("text-in-definition", found).help("unlink the clones that show it"),
                    );
                    self.cut(inner);
                }
                "text" => self.cut(inner),
                "image" | "feImage" | "script" | "foreignObject" => self.refused(inner),
                _ => {}
            }
        }
    }

    fn refused(&mut self, node: Node<'a, 'input>) {
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
        self.find(node, Finding::warning(code, format!("{} is {what}", called(node))).help(help));
        self.cut(node);
    }

    /// Whatever points out of the file.
    fn references(&mut self, document: &'a Document<'input>) {
        for node in document.descendants().filter(|node| node.is_element()) {
            for attribute in node.attributes().filter(|a| a.namespace() != Some(INKSCAPE)) {
                let value = attribute.value().trim();
                let linked = attribute.name() == "href"
                    && node.tag_name().name() != "a"
                    && node.tag_name().namespace() == Some(SVG);
                let picture = matches!(node.tag_name().name(), "image" | "feImage") && value.starts_with("data:");
                let outside = (linked && !picture && !value.starts_with('#') && !value.is_empty())
                    || guard::urls(value).any(|url| !url.starts_with('#'));
                if outside {
                    self.outside(node, attribute.range_value(), value);
                    self.edits.push((attribute.range_value(), String::new()));
                }
            }
            if node.tag_name().name() == "style" {
                for text in node.children().filter(|child| child.is_text()) {
                    let value = text.text().unwrap_or_default();
                    // Escapes could hide either word from this search, so a style may not hold any.
                    let outside = value.contains("@import")
                        || value.contains('\\')
                        || guard::urls(value).any(|url| !url.starts_with('#'));
                    if outside {
                        self.outside(node, text.range(), "its style");
                        self.edits.push((text.range(), String::new()));
                    }
                }
            }
        }
    }

    fn outside(&mut self, node: Node, range: Range<usize>, value: &str) {
        let found = format!("{} refers to something outside the file: {}", called(node), cut_short(value));
        let finding =
            Finding::error("template-external-reference", found).help("embed what the template needs as paths");
        self.findings.push(finding.at(self.source.shown(range.into())));
    }

    fn cut(&mut self, node: Node) {
        self.edits.push((node.range(), String::new()));
    }

    fn find(&mut self, node: Node, finding: Finding) {
        self.findings.push(finding.at(self.source.shown(start_tag(self.source, node))));
    }
}

fn is_panel(node: Node, source: &Source) -> bool {
    label(node, source).is_some_and(|label| prefixed(&label, "panel:").is_some())
}

fn label(node: Node, source: &Source) -> Option<Mapped> {
    let label = node.attribute_node((INKSCAPE, "label"))?;
    let range = label.range_value();
    Some(Mapped::raw(source.text.get(range.clone())?, label.value(), range.start))
}

/// `ruler`, or `ruler, 100 mm`.
fn is_ruler(label: &Mapped) -> bool {
    let label = label.text.trim();
    let head = label.split(|c: char| !c.is_alphanumeric()).next();
    head.is_some_and(|head| head.eq_ignore_ascii_case("ruler"))
}

/// What follows a word at the label's beginning, in any case.
fn prefixed(label: &Mapped, word: &str) -> Option<Mapped> {
    let label = label.trimmed();
    let head = label.text.get(..word.len())?;
    head.eq_ignore_ascii_case(word).then(|| label.part(word.len()..label.text.len()).trimmed())
}

/// The text of an element's `<desc>`.
fn description(node: Node) -> Mapped {
    let mut all = Mapped::default();
    for desc in
        node.children().filter(|child| child.tag_name().name() == "desc" && child.tag_name().namespace() == Some(SVG))
    {
        for text in desc.children().filter(|child| child.is_text()) {
            let range = text.range();
            all.push_raw(
                node.document().input_text().get(range.clone()).unwrap_or_default(),
                text.text().unwrap_or_default(),
                range.start,
            );
        }
    }
    all
}

/// An element as messages name it: by label, else by id.
fn called(node: Node) -> String {
    match (node.attribute((INKSCAPE, "label")), node.attribute("id")) {
        (Some(label), _) => format!("“{}”", cut_short(label)),
        (None, Some(id)) => format!("the <{}> “{}”", node.tag_name().name(), cut_short(id)),
        (None, None) => format!("this <{}>", node.tag_name().name()),
    }
}

/// A length for messages, however wild.
fn mm(length: f64) -> String {
    if length.abs() < 1e5 { format!("{length:.2} mm") } else { "over 100 m".into() }
}

fn cut_short(text: &str) -> String {
    if text.chars().count() > 60 { text.chars().take(60).chain(['…']).collect() } else { text.to_owned() }
}
