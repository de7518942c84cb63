//! A file's text: gives spans, lines and columns, TOML parsed strictly with spans, tags of XML. Never touches the disk and never
//! knows what a key means.

mod colour;
mod path;
mod text;
pub mod toml;
mod toml_tree;
mod xml_tags;

pub use colour::parse_colour;
pub use path::PathStep;
pub use text::{Source, Span};
pub use xml_tags::{XmlTag, XmlTagKind, XmlTags};
