//! A file's text and places in it: takes text, gives spans, line and column, and strict reading of TOML with spans.
//! Never touches the disk and never knows what a key means.

mod text;
pub mod toml;

pub use text::{Source, Span};
