//! Feeds random bytes to the texts of designs' QR codes.

#![no_main]

#[path = "../bodies/code.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::run(data));
