//! What the tests share: programs that are not ours, the command line run, pictures compared, rules and ships made.

#![allow(dead_code, reason = "not every test program needs all of it")]

pub mod circles;
pub mod expected;
pub mod legible;
pub mod outside;
pub mod picture;
pub mod program;
pub mod rules;
pub mod sample;
pub mod schema;
pub mod shell;
pub mod tiny_font;

/// The games that are built in.
pub const GAMES: [&str; 5] = ["b5-house-rules", "battleships-1890s", "sky-full-of-ships", "star-navy", "wars-of-honor"];
