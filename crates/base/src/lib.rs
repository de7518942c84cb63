//! What every other crate stands on.
//!
//! - [`source`]: a file's text → places in it, TOML with spans, tags of XML
//! - [`finding`]: code, severity, message, help, place
//! - [`allowance`]: how much work and memory one job may use
//! - [`progress`]: how far long work is, whether it is cancelled
//! - [`sanitize`]: text made safe for a terminal, a spreadsheet, XML, JSON, the name of a file or a field
//! - [`setters`]: options with a method for each field
//! - [`words`]: a text → the same in another language
//! - [`hash`]: bytes told apart, not for security

pub mod allowance;
pub mod finding;
pub mod hash;
mod options;
pub mod progress;
pub mod sanitize;
pub mod source;
pub mod words;
