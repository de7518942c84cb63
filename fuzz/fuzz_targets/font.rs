//! Feeds random bytes to fonts.

#![no_main]

#[path = "../bodies/font.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::run(data));
