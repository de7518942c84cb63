//! A file's text: gives spans, lines and columns, and TOML parsed strictly with spans. Never touches the disk and never
//! knows what a key means.

mod colour;
mod path;
mod plain_toml;
mod text;
pub mod toml;
mod toml_tree;

pub use colour::parse_colour;
pub use path::PathStep;
pub use text::{Source, Span};
