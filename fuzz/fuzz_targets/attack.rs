//! Feeds random bytes to attacks, and lets ships fire by them.

#![no_main]

#[path = "../bodies/attack.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::run(data));
