//! Feeds random bytes to the reader of filled forms.

#![no_main]

#[path = "../bodies/form.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::run(data));
