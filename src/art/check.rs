//! What is wrong with a template before any ruleset is asked: takes a template, gives findings. Never judges what a panel
//! or a slot says; `sheet` does.

use super::{Panel, Template};
use crate::finding::Finding;
use crate::scene::Rect;
use crate::source::toml;

/// Millimetres by which a rectangle drawn by hand may miss.
const SLACK: f32 = 0.2;

impl Template {
    /// Panels that leave the page, stand on each other, repeat each other, or whose options are not TOML; text off the page.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let page = Rect::new(0.0, 0.0, self.width, self.height);
        for (n, panel) in self.panels.iter().enumerate() {
            let at = || self.source.shown(panel.span);
            let (label, rect) = (&panel.label, panel.rect);
            if panel.kind.is_empty() {
                let found = Finding::error("panel-without-kind", format!("“{label}” does not say what it shows"));
                findings.push(found.at(at()).help("write `panel: KIND ARGUMENT`, such as `panel: track structure`"));
            }
            if rect.x < -SLACK || rect.y < -SLACK || rect.right() > page.w + SLACK || rect.bottom() > page.h + SLACK {
                let found = format!(
                    "“{label}” stands at {:.1}, {:.1} and ends at {:.1}, {:.1}; the page area is {:.1} x {:.1} mm",
                    rect.x,
                    rect.y,
                    rect.right(),
                    rect.bottom(),
                    page.w,
                    page.h
                );
                findings.push(Finding::error("panel-off-the-page", found).at(at()).help("move it inside the page"));
            }
            findings.extend(self.not_toml(panel));
            for other in &self.panels[..n] {
                if !self.together(panel.when, other.when) {
                    continue;
                }
                let line = self.source.line_column(other.span.start).0;
                if other.label == panel.label && other.options.text.trim() == panel.options.text.trim() {
                    let found = format!(
                        "“{label}” stands twice, here and in line {line}: the same boxes would be printed twice"
                    );
                    findings.push(Finding::warning("panel-twice", found).at(at()).help("take one out"));
                } else if rect.overlaps(&other.rect, SLACK) {
                    let found = format!("“{label}” overlaps “{}” (line {line})", other.label);
                    findings
                        .push(Finding::warning("panels-overlap", found).at(at()).help("move or shrink one of them"));
                }
            }
        }
        for slot in &self.slots {
            if slot.x < -SLACK || slot.y < -SLACK || slot.x > page.w + SLACK || slot.y > page.h + SLACK {
                let found = format!(
                    "{} stands at {:.1}, {:.1}, off the page area of {:.1} x {:.1} mm",
                    slot.name(),
                    slot.x,
                    slot.y,
                    page.w,
                    page.h
                );
                findings.push(
                    Finding::warning("text-off-the-page", found)
                        .at(self.source.shown(slot.span))
                        .help("move it inside the page"),
                );
            }
        }
        findings
    }

    fn not_toml(&self, panel: &Panel) -> Vec<Finding> {
        let (_, faults) = toml::parse(&panel.options.text, 0);
        let fault = |fault: toml::NotToml| {
            let span = panel.options.at(fault.span.start as usize..fault.span.end as usize);
            let found = Finding::error(
                "panel-options-not-toml",
                format!("the description of “{}” is not TOML: {}", panel.label, fault.message),
            );
            found.at(self.source.shown(span)).help("write options as `name = value`, one a line, text in quotes")
        };
        faults.into_iter().map(fault).collect()
    }

    /// Whether two conditions can be told to hold at the same time: one is the other or stands around it.
    fn together(&self, a: Option<usize>, b: Option<usize>) -> bool {
        self.around(a, b) || self.around(b, a)
    }

    fn around(&self, outer: Option<usize>, inner: Option<usize>) -> bool {
        let mut at = inner;
        loop {
            if at == outer {
                return true;
            }
            match at {
                Some(place) => at = self.conditions[place].parent,
                None => return false,
            }
        }
    }
}
