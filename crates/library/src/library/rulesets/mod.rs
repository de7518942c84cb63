//! Rulesets of a store: each loaded once with its layers, described for players, reviewed for authors.

mod cache;
mod describe;
mod layer_sources;
mod review;
mod text_checks;
mod typography_checks;
mod words;

pub use cache::{LoadedRuleset, ReloadedRuleset, Rulesets, unusable_ruleset};
pub(crate) use describe::field_values;
pub use describe::{allowed_mounts, system_answers, toml_text};
pub use layer_sources::{built_in_title, layer_sources};
pub use review::{DesignsTried, RulesetReview, change_reach, designs_of_ruleset, review_ruleset, templates_of_ruleset};
pub use text_checks::{check_texts, checked_templates, ships_of_ruleset, tracks_of_sheet};
pub use typography_checks::{check_counter_texts, check_typography, sheets_of_no_ship, typography_papers};
pub use words::{Language, SHARED_WORDS, WINDOW_WORDS, words_files};
