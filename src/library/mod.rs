//! What there is: games, designs, fleets, starters. Reads through `store`, knows rulesets and evaluates; both faces stand on it. Never
//! prints, never draws a window, never writes a file.
//!
//! - [`Rulesets`] holds each ruleset once, laid together with its layers; it can be kept up to date.
//! - [`read_input`](read_design::read_input) and [`check_design`] turn a file into a design and what the rules say of it.
//! - [`catalogue()`] is every design and fleet there is, one [`CatalogueEntry`] a file; [`CatalogueFilter`] searches it, [`thumbnail()`] draws a small picture.
//! - [`fleet`] musters a fleet: every unit of it evaluated, what is left out, what is wrong with the whole.
//! - [`apply_form`](mod@apply_form) puts the boxes of a filled form into a fleet.
//! - [`use_font`] reads a player's font for letters that the bundled faces lack.
//! - [`ruleset_review`] looks rulesets over for their authors; `text_checks` tries the texts of sheets on the game's designs.
//! - [`starters`] is what a new design can begin from.

pub mod apply_form;
pub mod catalogue;
pub mod commented_design;
pub mod describe;
mod entry;
mod filter;
pub mod fingerprint;
pub mod fleet;
mod font;
mod form_matching;
pub mod layer_sources;
pub mod new_design;
pub mod read_design;
pub mod ruleset_review;
pub mod rulesets;
mod text_checks;
mod thumbnail;

pub use catalogue::{
    Catalogue, CatalogueEntry, CatalogueGroup, CatalogueGroupState, DesignCard, EntrySummary, FileOrigin, FleetCard,
    Game, catalogue,
};
pub use filter::{CatalogueFilter, FilterQuery, LegalFilter};
pub use fleet::{EvaluatedFleet, FleetUnit};
pub use font::use_font;
pub use layer_sources::layer_sources;
pub use new_design::{Starter, starters};
pub use read_design::{CheckedDesign, InputContent, ReadDesign, check_design, check_source, evaluate_design, par_map};
pub use rulesets::{LoadedRuleset, ReloadedRuleset, Rulesets};
pub use text_checks::check_texts;
pub use thumbnail::{Thumbnail, thumbnail};
