//! A file's text: gives spans, lines and columns, TOML parsed strictly with spans, tags of XML. Never touches the disk and never
//! knows what a key means.

mod built_in_toml;
mod colour;
mod packed_toml;
mod path;
mod span;
mod text;
pub mod toml;
mod toml_tree;
mod xml_tags;

pub use built_in_toml::{PackedTexts, is_built_in, use_packed};
pub use colour::parse_colour;
pub use packed_toml::pack;
pub use path::PathStep;
pub use span::Span;
pub use text::Source;
pub use xml_tags::{XmlTag, XmlTagKind, XmlTags};
