//! Ship designs: takes a design's TOML, gives a [`Design`] and the findings about the file itself; edits files without
//! losing comments, order or line ends. Never knows a ruleset: it does not check that a field, system or mount exists,
//! and never compiles a string.

mod band;
mod code;
mod document;
pub mod fleet;
mod model;
mod read;
mod ship;
mod write;
mod written_value;

pub use band::{Band, BandPattern};
pub use code::{CODE_DIGITS, CODE_WORDS, base_41, bytes_of_base_41, is_design_code, toml_of_code};
pub use document::{
    Document, DocumentEdit, TableList, TablePath, UnitPath, basic_string, data_with_texts, written_scalar,
};
pub use model::{CustomSystem, Design, Fit, SpannedText};
pub use moldloft_base::finding::{DesignEdit, DesignPart, Scalar};
pub use read::MAX_COUNT;
pub(crate) use read::SCHEMA;
pub use ship::{CarriedBy, Damage, FleetInfo, RelationUse, Ship, ShipLoad};
pub use written_value::written_value;

#[cfg(test)]
mod roundtrip;
#[cfg(test)]
mod tests;
