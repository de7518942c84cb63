//! Feeds random bytes to questions of `suggest`.

#![no_main]

#[path = "../bodies/goal.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::run(data));
