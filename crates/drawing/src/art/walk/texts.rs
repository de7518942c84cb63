//! Texts of a template: each line is a slot, or the whole is left to usvg, which draws as outlines what a slot cannot show.

use std::collections::BTreeSet;
use std::sync::Arc;

use usvg::roxmltree::Node;

use super::super::labels::{description, label_after_prefix};
use super::super::mapped_text::MappedText;
use super::super::svg::start_tag_span;
use super::super::template::TextSlot;
use super::super::text::{self, SvgTextLine, is_filled_text};
use super::super::text_features::{TextFeature, list_features};
use super::{MAX_QUOTED, TemplateWalk, WalkState, element_name, format_mm};
use crate::fonts;
use moldloft_base::finding::Finding;
use moldloft_base::sanitize::shorten;

impl<'a, 'input> TemplateWalk<'a, 'input> {
    pub(super) fn add_text(&mut self, node: Node<'a, 'input>, here: &WalkState, label: Option<&MappedText>) {
        let paint = here.style.paint();
        let is_unseen = here.style.has_fill && paint.alpha == 0.0 && here.style.stroke.is_none();
        if !here.style.is_visible || here.matrix.uniform_scale() == 0.0 || is_unseen {
            return self.remove_element(node);
        }
        let (lines, features) = text::read_lines(node, &here.style, self.sheet, self.view);
        let label = label.and_then(|label| label_after_prefix(label, "slot:")).map(|name| Arc::from(name.text));
        let options = description(node);
        let follows_path = node.descendants().any(|inner| inner.tag_name().name() == "textPath");
        let is_fixed = label.is_none() && options.is_empty() && !is_filled_text(node);
        let is_unusual = follows_path
            || here.matrix.is_distorting()
            || self.cloned.contains(&node.id())
            || features.iter().any(|feature| feature.is_drawable());
        let is_outlined = is_fixed && is_unusual && !lines.is_empty();
        self.report_features(node, features.into_iter().filter(|feature| !is_outlined || !feature.is_drawable()));
        if is_outlined {
            return self.outline_text(node, here, &lines);
        }
        self.remove_element(node);
        if follows_path {
            self.report_at(
                node,
                Finding::warning(
                    "text-along-a-path",
                    format!("{} follows a path; it is drawn straight", element_name(node)),
                ),
            );
        }
        if here.matrix.is_distorting() && !lines.is_empty() {
            let found = Finding::warning(
                "text-distorted",
                format!("{} is stretched, slanted or mirrored, which is ignored", element_name(node)),
            );
            self.report_at(node, found.help("set its font size instead"));
        }
        for line in lines {
            let (x, y) = here.matrix.apply(line.x, line.y);
            let size = line.style.size * here.matrix.uniform_scale();
            if !x.is_finite() || !y.is_finite() || x.abs() > 1e5 || y.abs() > 1e5 || !(0.1..=500.0).contains(&size) {
                let found = format!(
                    "text “{}” is {} high, {} from the left and {} from the top; it is not drawn",
                    shorten(&line.text.text, MAX_QUOTED),
                    format_mm(size),
                    format_mm(x),
                    format_mm(y)
                );
                self.report_at(node, Finding::error("text-out-of-bounds", found));
                continue;
            }
            self.slots.push(TextSlot {
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
                spacing: (line.style.spacing * here.matrix.uniform_scale()) as f32,
                paint: line.style.paint(),
                span: start_tag_span(self.source, node),
            });
        }
    }

    /// Leaves a text to usvg, which gives its outlines.
    fn outline_text(&mut self, node: Node<'a, 'input>, here: &WalkState, lines: &[SvgTextLine]) {
        let id = self.ensure_id(node, true);
        // A ruler's caption is not within it.
        if let Some(when) = here.when {
            self.condition_of.insert(id, when);
        }
        self.has_outlined_text = true;
        let missing: BTreeSet<char> =
            lines.iter().flat_map(|line| fonts::shape(line.style.face(), &line.text.text).missing.clone()).collect();
        if !missing.is_empty() {
            let list: Vec<String> = missing.iter().map(|letter| format!("`{letter}`")).collect();
            let list = list.join(", ");
            let found = format!("{}: no bundled font has {list}", element_name(node));
            let help = "use other characters, or draw them as paths";
            self.report_at(node, Finding::warning("missing-character", found).help(help).topic(list));
        }
    }

    /// One finding a text for what is not drawn.
    fn report_features(&mut self, node: Node<'a, 'input>, features: impl Iterator<Item = TextFeature>) {
        let features: BTreeSet<TextFeature> = features.collect();
        if features.is_empty() {
            return;
        }
        let found = format!("{} asks for {}, which is ignored", element_name(node), list_features(&features));
        let help = if features.iter().any(|feature| feature.is_drawable()) {
            "text with `{{ }}`, a label or options is drawn in one line and style: give what is fixed a text of its own"
        } else {
            "the bundled font has none: write the letters as they should be, or convert the text to paths"
        };
        self.report_at(node, Finding::warning("text-simplified", found).help(help));
    }
}
