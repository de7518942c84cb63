//! Feeds random bytes to files of printers.

#![no_main]

#[path = "../bodies/printers.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::run(data));
