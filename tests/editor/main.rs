//! The editor, driven as a player would: by what its widgets are called. No display, no clock; files in a folder of each test's own.

#![cfg(feature = "editor")]
#![allow(clippy::disallowed_methods, reason = "tests read and write files")]

mod access;
#[allow(dead_code, reason = "each part takes what it needs")]
mod bench;
mod dice;
mod fleet;
mod form;
mod inspect;
mod keep;
mod live;
mod preview;
mod print;
mod shell;
mod soak;
mod start;
