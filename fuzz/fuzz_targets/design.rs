//! Feeds random bytes to designs and texts.

#![no_main]

#[path = "../bodies/design.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::run(data));
