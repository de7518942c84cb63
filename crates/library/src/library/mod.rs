//! What a store has, read and evaluated: rulesets, designs, fleets. Never prints, never draws a window, never writes a file.
//!
//! - `rulesets`: [`Rulesets`] holds each ruleset once, merged with its layers, and can be kept up to date; [`review_ruleset`] and
//!   [`check_texts`] check rulesets for their authors.
//! - `catalogue`: [`catalogue()`] lists every design and fleet; [`CatalogueFilter`] searches it, [`design_picture()`] and [`fleet_picture()`] draw what tells them apart,
//!   [`starters`] lists what a new design can begin from.
//! - `fleets`: [`evaluate_fleet`] evaluates every unit of a fleet; [`apply_form()`] puts the ticked boxes of a filled form into a fleet;
//!   [`Fingerprint`] is its short code.
//! - `impact`: [`store_impact`] and [`design_impact`] compare designs and fleets under two rulesets.
//! - `read_design`: [`read_input`] and [`check_design`] turn a file into a design and its evaluation.
//! - [`open_templates`] gives a store's templates, with the files beside designs; [`lost_labels`] finds one that was saved without its labels.
//! - [`use_font`] reads a player's font for letters that the bundled faces lack.

mod catalogue;
mod fleets;
mod font;
mod impact;
mod read_design;
mod rulesets;
mod template_files;

pub use catalogue::{
    Catalogue, CatalogueEntry, CatalogueFilter, CatalogueGroup, CatalogueGroupState, DesignCard, EntrySummary,
    FilterQuery, FleetCard, Game, LegalFilter, MAX_CATALOGUE_FILES, OriginFilter, Starter, Thumbnail, catalogue,
    commented_design, design_card, design_picture, empty_design_text, fleet_picture, new_design_path, new_design_text,
    renamed_design_text, silhouette_picture, starters, thumbnail,
};
pub use fleets::{
    AppliedForm, ClassSource, EvaluatedFleet, Fingerprint, FingerprintMatch, FleetClass, FleetInput, FleetUnit,
    ShipChange, SkippedShip, apply_form, check_fleet, evaluate_fleet, evaluate_fleets, fleet_facts, reevaluate_fleet,
};
pub(crate) use fleets::{CHIT_SIZE, filled_form_warning, key_word, ruleset_code};
pub use font::use_font;
pub use impact::{
    ImpactChange, ImpactKind, ImpactOdds, ImpactRow, ImpactSide, OpenTexts, design_before_and_after, design_impact,
    fleet_impact, impact_changes, store_impact,
};
pub use read_design::{
    CheckedDesign, InputContent, ReadDesign, check_design, check_findings, check_source, evaluate_design, par_map,
    read_input,
};
pub use rulesets::{
    DesignsTried, Language, LoadedRuleset, ReloadedRuleset, RulesetReview, Rulesets, SHARED_WORDS, WINDOW_WORDS,
    allowed_mounts, built_in_title, change_reach, check_counter_texts, check_texts, check_typography,
    checked_templates, designs_of_ruleset, layer_sources, review_ruleset, sheets_of_no_ship, ships_of_ruleset,
    system_answers, templates_of_ruleset, toml_text, tracks_of_sheet, typography_papers, unusable_ruleset, words_files,
};
pub use template_files::{PICTURE_ENDINGS, is_picture, lost_labels, open_templates};
