//! The editor, driven by accessible names as a user would. No display, no clock; each test has a temporary folder.

mod access;
#[allow(dead_code, reason = "each part takes what it needs")]
mod bench;
mod bundle;
mod canvas;
mod compare;
mod dice;
mod first_evening;
mod fleet;
mod form;
mod frame;
mod inspect;
mod keyboard;
mod keys;
mod languages;
mod look;
mod low_window;
mod odds;
mod pages;
mod painted;
mod persistence;
mod preview;
mod print;
mod print_room;
#[cfg(target_os = "linux")]
mod real_window;
mod report;
mod rule_forms;
mod rule_impact;
mod rules_page;
mod ruleset_changes;
mod shell;
mod soak;
mod start;
mod suggest;
mod tasks;
mod things;
mod timings;
