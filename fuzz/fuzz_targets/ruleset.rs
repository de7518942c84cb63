//! Feeds random bytes to rulesets and texts.

#![no_main]

#[path = "../bodies/ruleset.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::run(data));
