//! The window: its panels through the names that a screen reader says (`editor/`), and the real one under a virtual display.

#![allow(clippy::disallowed_methods, reason = "tests read and write files")]
#![cfg(feature = "editor")]

mod editor;
mod support;
