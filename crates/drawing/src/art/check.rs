//! Checks a template without a ruleset: takes a template, gives findings. Contents of panels and slots are checked by
//! `sheet`.

use std::collections::HashMap;

use super::{CappedFindings, PanelRect, Template, TextSlot};
use moldloft_base::finding::{Finding, Severity};
use moldloft_base::source::toml;

/// Millimetres by which a hand-drawn rectangle may be off.
const TOLERANCE: f32 = 0.2;

/// The most pairs of horizontally overlapping panels compared; a sheet has some dozens of panels.
const MAX_PAIRS: usize = 1_000_000;

/// Kinds of panels that may be under others: drawings.
const UNDERLAYS: [&str; 3] = ["art", "band", "silhouette"];

impl Template {
    /// Reports panels that leave the page, overlap or repeat each other, or have options that are not TOML; and text
    /// off the page.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = CappedFindings::default();
        let beside = self.conflicting_pairs(&mut findings);
        let mut beside = beside.as_slice();
        for (n, panel) in self.panels.iter().enumerate() {
            let at = || self.source.place_with_snippet(panel.span);
            let label = &panel.label;
            if panel.kind.is_empty() {
                findings.add(|| {
                    let found = Finding::error("panel-without-kind", format!("missing panel kind in “{label}”"));
                    found.at(at()).help("write `panel: KIND ARGUMENT`, such as `panel: track structure`")
                });
            }
            if let Some(found) = self.panel_off_page(panel) {
                findings.add(|| found);
            }
            self.report_invalid_toml(panel, &mut findings);
            let own = beside.iter().take_while(|(later, ..)| *later == n).count();
            for (_, other, is_twice) in &beside[..own] {
                let other = &self.panels[*other];
                let line = || self.source.line_column(other.span.start).0;
                if *is_twice {
                    findings.add(|| {
                        let found = format!(
                            "duplicate panel “{label}”, also in line {}: the same boxes would be printed twice",
                            line()
                        );
                        Finding::warning("panel-twice", found).at(at()).help("remove one")
                    });
                } else {
                    findings.add(|| {
                        let found = format!("“{label}” overlaps “{}” (line {})", other.label, line());
                        Finding::warning("panels-overlap", found).at(at()).help("move or shrink one of them")
                    });
                }
            }
            beside = &beside[own..];
        }
        for found in self.slots.iter().filter_map(|slot| self.slot_off_page(slot)) {
            findings.add(|| found);
        }
        findings.into_vec()
    }

    /// Warnings about panels and texts that leave the page, for who prints without having checked the template.
    pub fn off_page(&self) -> Vec<Finding> {
        let mut findings = CappedFindings::default();
        let panels = self.panels.iter().filter_map(|panel| self.panel_off_page(panel));
        for found in panels.chain(self.slots.iter().filter_map(|slot| self.slot_off_page(slot))) {
            findings.add(|| {
                let mut found = found;
                found.severity = Severity::Warning;
                found
            });
        }
        findings.into_vec()
    }

    fn panel_off_page(&self, panel: &PanelRect) -> Option<Finding> {
        let PanelRect { label, rect, .. } = panel;
        let is_on_page = rect.x >= -TOLERANCE
            && rect.y >= -TOLERANCE
            && rect.right() <= self.width + TOLERANCE
            && rect.bottom() <= self.height + TOLERANCE;
        let found = || {
            format!(
                "“{label}” runs from {:.1}, {:.1} to {:.1}, {:.1}; the page area is {:.1} x {:.1} mm",
                rect.x,
                rect.y,
                rect.right(),
                rect.bottom(),
                self.width,
                self.height
            )
        };
        let at = || self.source.place_with_snippet(panel.span);
        (!is_on_page).then(|| Finding::error("panel-off-the-page", found()).at(at()).help("move it inside the page"))
    }

    fn slot_off_page(&self, slot: &TextSlot) -> Option<Finding> {
        let is_on_page = slot.x >= -TOLERANCE
            && slot.y >= -TOLERANCE
            && slot.x <= self.width + TOLERANCE
            && slot.y <= self.height + TOLERANCE;
        let found = || {
            format!(
                "{} is at {:.1}, {:.1}, outside the page area of {:.1} x {:.1} mm",
                slot.name(),
                slot.x,
                slot.y,
                self.width,
                self.height
            )
        };
        let at = || self.source.place_with_snippet(slot.span);
        (!is_on_page).then(|| Finding::warning("text-off-the-page", found()).at(at()).help("move it inside the page"))
    }

    /// Pairs of panels that may be shown together and repeat (`true`) or overlap each other, as (later, earlier),
    /// sorted by the later; at most as many as are listed.
    fn conflicting_pairs(&self, findings: &mut CappedFindings) -> Vec<(usize, usize, bool)> {
        let mut pairs = Vec::new();
        // The panels with the same text, by their condition and each one around it.
        let mut under: HashMap<(&str, &str, Option<usize>), usize> = HashMap::new();
        let mut within: HashMap<(&str, &str, Option<usize>), usize> = HashMap::new();
        for (n, panel) in self.panels.iter().enumerate() {
            let (label, options) = (&*panel.label, panel.options.text.trim());
            let around: Vec<Option<usize>> = self.enclosing_conditions(panel.when).collect();
            let earlier = around.iter().find_map(|when| under.get(&(label, options, *when)));
            let earlier = earlier.or_else(|| within.get(&(label, options, panel.when))).copied();
            if let Some(earlier) = earlier {
                pairs.push((n, earlier, true));
            }
            under.entry((label, options, panel.when)).or_insert(n);
            for when in around {
                within.entry((label, options, when)).or_insert(n);
            }
        }
        // Sorted by left edge: only panels that begin before one ends can overlap it.
        let mut order: Vec<usize> = (0..self.panels.len()).collect();
        order.sort_by(|a, b| self.panels[*a].rect.x.total_cmp(&self.panels[*b].rect.x));
        let mut left = MAX_PAIRS;
        'all: for (n, &one) in order.iter().enumerate() {
            let rect = self.panels[one].rect;
            for &two in order[n + 1..].iter().take_while(|two| self.panels[**two].rect.x < rect.right()) {
                if left == 0 || pairs.len() > 2 * super::MAX_FINDINGS + self.panels.len() {
                    findings.add(|| {
                        let message = "too many overlapping panels to compare";
                        let found = Finding::warning("panels-overlap", message).help("move or shrink them");
                        found.at(self.source.place_with_snippet(self.panels[one].span))
                    });
                    break 'all;
                }
                left -= 1;
                let (a, b) = (&self.panels[one], &self.panels[two]);
                let is_twice = a.label == b.label && a.options.text.trim() == b.options.text.trim();
                // Outlines may be side by side within each other's rectangles.
                let is_free = [a, b].iter().any(|panel| UNDERLAYS.contains(&&*panel.kind) || panel.outline.is_some());
                if !is_twice && !is_free && rect.overlaps(&b.rect, TOLERANCE) && self.may_hold_together(a.when, b.when)
                {
                    pairs.push((one.max(two), one.min(two), false));
                }
            }
        }
        pairs.sort_unstable();
        pairs
    }

    /// A condition and those around it, outermost last: `None` for no condition.
    fn enclosing_conditions(&self, when: Option<usize>) -> impl Iterator<Item = Option<usize>> + '_ {
        let chain = std::iter::successors(when, |place| self.conditions[*place].parent);
        chain.map(Some).chain(std::iter::once(None))
    }

    fn report_invalid_toml(&self, panel: &PanelRect, findings: &mut CappedFindings) {
        let (_, faults) = toml::parse(&panel.options.text, 0);
        for fault in faults {
            findings.add(|| {
                let span = panel.options.span_of(fault.span.start as usize..fault.span.end as usize);
                let found = Finding::error(
                    "panel-options-not-toml",
                    format!("invalid TOML in the description of “{}”: {}", panel.label, fault.message),
                );
                found
                    .at(self.source.place_with_snippet(span))
                    .help("write options as `name = value`, one per line, text in quotes")
            });
        }
    }

    /// Whether two conditions certainly can hold together: they are equal, or one encloses the other.
    fn may_hold_together(&self, a: Option<usize>, b: Option<usize>) -> bool {
        self.encloses(a, b) || self.encloses(b, a)
    }

    fn encloses(&self, outer: Option<usize>, inner: Option<usize>) -> bool {
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
