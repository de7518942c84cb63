//! How the texts of a sheet fit a ship: takes a prepared template and an evaluation, gives for each text whether it had
//! to be cut, and whether that alone costs a page. For authors; never draws.

use super::conditions::condition_holds;
use super::prepare::PreparedTemplate;
use super::ship_pages::{FirstPageMeasure, measure_first_page, page_text};
use super::ship_view::ShipView;
use super::slots;
use super::template_cache::TemplateCache;
use crate::sheet::layout::pen::MeasuredText;
use crate::sheet::layout::text_style::TextStyles;
use crate::sheet::page_setup::sheet_options::SheetOptions;
use moldloft_rules::evaluate::{Evaluation, SlotScope};

#[derive(Clone, Debug, PartialEq)]
pub struct SlotMeasures {
    /// Only non-empty texts, in the template's order; those of a block only where it is on the first page.
    pub slots: Vec<MeasuredText>,
    /// Whether anything else of the ship goes on a continuation page.
    pub needs_continuation: bool,
    /// Whether the full words of a cut text go on a continuation page that the ship would not have without it.
    pub cut_costs_page: bool,
}

/// Measures the texts of a template for a ship, without large print.
pub fn measure_slots(
    prepared: &PreparedTemplate,
    evaluation: &Evaluation,
    templates: &TemplateCache<'_>,
) -> SlotMeasures {
    let options = SheetOptions::default();
    let view = ShipView::new(evaluation, options, TextStyles::new(options.minimum_sizes()), templates);
    let view = view.knowing([&prepared.texts]);
    let focus = SlotScope { page: Some((1, 1)), ..SlotScope::default() };
    let shown = |when: Option<usize>| condition_holds(prepared, &view, &view.styles, when);
    let FirstPageMeasure { needs_continuation, holds_full_texts, block_texts } = measure_first_page(prepared, &view);
    let in_block = |slot_index: usize| prepared.flow.as_ref().is_some_and(|flow| flow.owned.slots[slot_index]);
    let texts = prepared
        .texts
        .slots
        .iter()
        .filter(|filled| !in_block(filled.slot_index) && shown(prepared.template.slots[filled.slot_index].when));
    let texts = texts.filter_map(|filled| {
        let words = view.slot_text(filled, &focus).filter(|words| !words.trim().is_empty())?;
        let text = page_text(prepared, filled, None, 0, 1);
        Some(slots::measure(&text, &words, prepared.size(), &view.styles))
    });
    let mut slots: Vec<MeasuredText> = texts.chain(block_texts).collect();
    slots.sort_by_key(|text| text.slot_index);
    SlotMeasures { slots, needs_continuation, cut_costs_page: !needs_continuation && !holds_full_texts }
}
