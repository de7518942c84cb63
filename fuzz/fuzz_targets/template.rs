//! Feeds random bytes to templates.

#![no_main]

#[path = "../bodies/template.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::run(data));
