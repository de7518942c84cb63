//! Feeds random bytes to files that are changed in single places.

#![no_main]

#[path = "../bodies/document.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::run(data));
