//! Feeds random bytes to lists of fleets, among the built-in designs.

#![no_main]

#[path = "../bodies/import.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::run(data));
