//! Exchange with other programs: takes evaluated ships, gives pictures of their tokens and chits for virtual tabletops
//! with a manifest and the program's own file of objects; converts fleets to and from lists, and designs, fleets and
//! layers to and from bundles; reports a file to the makers of the program. Draws through `sheet` and
//! `export` like printing; writes only through `store`.

pub mod bundle;
mod file_names;
pub mod list;
pub mod manifest;
mod report;
mod tabletop_simulator;
#[cfg(test)]
mod tests;
mod tokens;
mod vassal;

pub use file_names::FileNames;
pub use manifest::ManifestEntry;
pub use report::{Reported, report};

pub use tokens::{MAX_DPI, MIN_DPI, TabletopProgram, TokenFolder, TokenOptions, make_tokens, write_tokens};
