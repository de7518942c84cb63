//! Evaluates a design under a ruleset: takes both, gives an [`Evaluation`] with values, costs, tracks, tables, counters
//! and findings. Never draws, touches the disk, or keeps state between evaluations.

mod apply_loads;
mod armament;
mod attack_views;
mod box_compute;
mod box_model;
mod box_view;
mod checks;
mod codes;
mod compare;
mod compared_items;
mod custom_system_checks;
mod custom_systems;
mod descriptions;
mod diagnostics;
mod evaluation;
mod evaluator;
mod explain;
mod fleet;
mod fleet_checks;
mod fleet_facts;
mod grids;
mod guide;
mod house_rules;
mod in_words;
mod kinds;
mod list_bounds;
mod margins;
mod needless;
mod outputs;
mod quick_fix;
mod render;
mod report;
mod resolve;
mod result_diff;
mod rulers;
mod run;
mod scalars;
mod shared_rolls;
mod state;
mod state_host;
mod tick_marks;
mod to_toml;
mod trial;
mod work_budget;

pub use crate::design::{Band, BandPattern};
pub use armament::ArmedPart;
pub use attack_views::AttackView;
pub use box_model::{BoxLever, BoxModel, BoxState, LeverKind};
pub use compare::{
    ComparedCell, ComparedPart, DesignTable, TableRow, TableSection, compare, key_value_changes, table_section,
};
pub use custom_system_checks::BoxLook;
pub use descriptions::{
    ExtractColumn, TableExtract, TermText, all_terms, system_search_text, table_extracts, terms_about, terms_in,
};
pub use diagnostics::soften_for_layers;
pub use evaluation::*;
pub use explain::{ExplainTarget, Explanation, codes, explain, explain_code_in_fleet, explain_target};
pub use fleet_checks::{FleetMember, check_fleet_rules};
pub use fleet_facts::FleetFacts;
pub use guide::{GuidedDesign, guide_edits, guided_design};
pub use margins::{AmountRange, Margin, MarginKind, margins};
pub use quick_fix::{QuickFix, describe_edits, quick_fix};
pub use render::{ResultRef, SlotScope, number_counters, number_job};
pub use report::{EvaluationReport, report_json};
pub use result_diff::{ResultChange, diff_results};
pub use rulers::{RulerReach, ShipRuler};
pub use run::{evaluate, evaluate_for_findings, evaluate_within};
pub use shared_rolls::{LARGEST_GROUP, SharedRoll, percent_at_most};
pub use state::FormulaFailure;
pub use tick_marks::{MarkBoxes, TickMarks, tick_marks};
pub use to_toml::to_toml_value;
pub use trial::{Trial, TrialFault, TrialFit, TrialPart};
