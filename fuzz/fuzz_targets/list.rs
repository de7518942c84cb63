//! Feeds random bytes to lists of fleets.

#![no_main]

#[path = "../bodies/list.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::run(data));
