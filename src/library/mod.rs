//! What there is: games, designs, fleets, starters. Reads through `store`, knows rulesets and evaluates; both faces stand on it. Never
//! prints, never draws a window, never writes a file.
//!
//! - [`Games`] holds each ruleset once, laid together with its layers; it can be kept up to date.
//! - [`read`](read::read) and [`judge`] turn a file into a design and what the rules say of it.
//! - [`catalogue()`] is every design and fleet there is, one [`Entry`] a file; [`Filter`] searches it, [`thumbnail()`] draws a small picture.
//! - [`fleet`] musters a fleet: every unit of it evaluated, what is left out, what is wrong with the whole.
//! - [`forms`] puts the boxes of a filled form into a fleet.
//! - [`use_font`] reads a player's font for letters that the bundled faces lack.
//! - [`author`] looks rulesets over for their authors; `lettered` tries the texts of sheets on the game's designs.
//! - [`starters`] is what a new design can begin from.

pub mod author;
pub mod basis;
pub mod catalogue;
pub mod chain;
pub mod code;
mod entry;
mod filter;
pub mod fleet;
mod font;
pub mod forms;
pub mod games;
mod lettered;
mod own_units;
pub mod read;
pub mod starter;
mod thumbnail;
pub mod words;

pub use basis::{Starter, starters};
pub use catalogue::{Card, Catalogue, Entry, FleetCard, Game, Group, Origin, Shown, State, catalogue};
pub use chain::chain;
pub use filter::{Filter, Legal, Query};
pub use fleet::{Mustered, Unit};
pub use font::use_font;
pub use games::{Games, Loaded, Reloaded};
pub use lettered::lettered;
pub use read::{Checked, File, Read, alone, check, each, judge};
pub use thumbnail::{Thumbnail, thumbnail};
