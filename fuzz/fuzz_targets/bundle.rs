//! Feeds random bytes to the reader of bundles.

#![no_main]

#[path = "../bodies/bundle.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::run(data));
