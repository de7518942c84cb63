//! Feeds random bytes to lists of tokens.

#![no_main]

#[path = "../bodies/manifest.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::run(data));
