//! What there is: games, designs, fleets, starters. Reads through `store`, knows rulesets and evaluates; both faces stand on it. Never
//! prints, never draws a window, never writes a file.
//!
//! - [`Games`] holds each ruleset once, laid together with its layers; it can be kept up to date.
//! - [`read`](read::read) and [`judge`] turn a file into a design and what the rules say of it.
//! - [`starter`] is a new design as text; [`names`] makes file names of what players call things.

pub mod chain;
pub mod games;
pub mod names;
pub mod read;
pub mod starter;
pub mod words;

pub use chain::chain;
pub use games::{Games, Loaded, Reloaded};
pub use read::{Checked, Read, alone, check, each, judge};
