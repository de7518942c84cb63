//! Feeds random bytes to formulas and texts.

#![no_main]

#[path = "../bodies/formula.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::run(data));
