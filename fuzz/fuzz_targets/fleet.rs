//! Feeds random bytes to fleets.

#![no_main]

#[path = "../bodies/fleet.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::run(data));
