//! What goes to other programs and comes back: takes evaluated ships, gives pictures of their tokens and chits for programs that show a table on a
//! screen, with a list of them and, for one of these programs, its own file of objects. Draws through `sheet` and `export` as printing does, so numbers and faces are
//! those of the paper. Never asks the player; writes only through `store`.

mod file_names;
pub mod list;
pub mod manifest;
mod tabletop_simulator;
#[cfg(test)]
mod tests;
mod tokens;
mod vassal;

pub use file_names::{FileNames, name_part};
pub use manifest::ManifestEntry;
pub use tokens::{
    MAX_DPI, MAX_PICTURES, MIN_DPI, TabletopProgram, TokenFolder, TokenOptions, make_tokens, write_tokens,
};
