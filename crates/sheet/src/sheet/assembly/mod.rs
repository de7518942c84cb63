//! From templates and evaluated ships to pages: takes a job, prepares its templates, fills their slots and panels,
//! gives pages and findings.

pub mod box_audit;
pub mod card_backs;
pub mod card_room;
pub mod conditions;
pub mod fleet_roster;
pub mod fleet_sheets;
pub mod flow_block;
pub mod grown_drawing;
pub mod icon;
pub mod lone_card;
pub mod page_filler;
pub mod page_flow;
pub mod prepare;
pub mod prepare_flow;
pub mod prepared_panel;
pub mod prepared_texts;
pub mod scene_meta;
pub mod sheet_plan;
pub mod sheet_typography;
pub mod ship_pages;
pub mod ship_sheets;
pub mod ship_view;
pub mod shown_parts;
pub mod slot_measure;
pub mod slots;
pub mod stretch;
pub mod template_cache;
pub mod template_check;
pub mod unit_names;

#[cfg(test)]
mod tests;
