//! How the texts of a sheet fit a ship: takes a prepared template and an evaluation, gives for each text whether it had
//! to be cut, and whether that alone costs a page. For authors; never draws.

use super::conditions::condition_holds;
use super::prepare::PreparedTemplate;
use super::ship_pages::needs_continuation;
use super::ship_view::ShipView;
use super::slots::{self, SlotText};
use super::template_cache::TemplateCache;
use crate::evaluate::{Evaluation, SlotScope};
use crate::sheet::layout::text_style::TextStyles;
use crate::sheet::page_setup::sheet_options::SheetOptions;

#[derive(Clone, Debug, PartialEq)]
pub struct SlotMeasure {
    /// Index in the template's slots.
    pub slot_index: usize,
    /// Whether some of its words do not fit.
    pub is_cut: bool,
    /// Available width, mm.
    pub width: f32,
    /// Width on one line at the smallest size, mm.
    pub natural_width: f32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SlotMeasures {
    /// Only non-empty texts, in the template's order.
    pub slots: Vec<SlotMeasure>,
    /// Whether anything else of the ship goes on a continuation page; if not, a cut text has that page to itself.
    pub needs_continuation: bool,
}

/// Measures the texts of a template for a ship, without large print.
pub fn measure_slots(
    prepared: &PreparedTemplate,
    evaluation: &Evaluation,
    templates: &TemplateCache<'_>,
) -> SlotMeasures {
    let options = SheetOptions::default();
    let view = ShipView::new(evaluation, options, TextStyles::new(options.minimum_sizes()), templates);
    let focus = SlotScope { page: Some((1, 1)), ..SlotScope::default() };
    let shown = |when: Option<usize>| condition_holds(prepared, &view, &view.styles, when);
    let texts = prepared
        .texts
        .slots
        .iter()
        .filter(|filled| shown(prepared.template.slots[filled.slot_index].when))
        .filter_map(|filled| Some((filled, view.slot_text(filled, &focus).filter(|words| !words.trim().is_empty())?)))
        .map(|(filled, words)| {
            let text = SlotText::new(filled, &prepared.template, None, 0, 1);
            let set = slots::lay_out(&text, &words, prepared.size(), &view.styles);
            SlotMeasure {
                slot_index: filled.slot_index,
                is_cut: set.is_cut,
                width: set.width,
                natural_width: set.natural_width,
            }
        })
        .collect();
    SlotMeasures { slots: texts, needs_continuation: needs_continuation(prepared, &view) }
}
