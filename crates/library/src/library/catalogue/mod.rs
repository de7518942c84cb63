//! The designs and fleets of a store: lists, search, thumbnails, new designs.

mod commented_design;
mod entry;
mod filter;
mod gallery_picture;
mod listing;
mod new_design;
mod thumbnail;

pub use commented_design::commented_design;
pub use entry::{CatalogueEntry, DesignCard, EntrySummary, FleetCard, design_card};
pub use filter::{CatalogueFilter, FilterQuery, LegalFilter, OriginFilter};
pub use gallery_picture::{design_picture, fleet_picture, silhouette_picture};
pub use listing::{Catalogue, CatalogueGroup, CatalogueGroupState, Game, MAX_CATALOGUE_FILES, catalogue};
pub use new_design::{Starter, empty_design_text, new_design_path, new_design_text, renamed_design_text, starters};
pub use thumbnail::{Thumbnail, thumbnail};
