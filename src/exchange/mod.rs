//! What goes to other programs and comes back: takes evaluated ships, gives pictures of their tokens and chits for programs that show a table on a
//! screen, with a list of them and, for one of these programs, its own file of objects. Draws through `sheet` and `export` as printing does, so numbers and faces are
//! those of the paper. Never asks the player; writes only through `store`.

pub mod list;
pub mod manifest;
mod names;
mod simulator;
#[cfg(test)]
mod tests;
mod tokens;
mod vassal;

pub use manifest::Entry;
pub use names::{Names, part};
pub use tokens::{LEAST_DPI, MOST_DPI, MOST_PICTURES, Made, Order, Program, make, write};
