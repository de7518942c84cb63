//! The window: its panels through the names that a screen reader says (`editor/`), and the real one under a virtual display.

#![cfg(feature = "editor")]

mod editor;
mod support;
