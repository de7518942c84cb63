//! What the fuzz target `code` and the corpus test do with an input: read it as the text of a design's QR code, and write the design it holds as such a
//! text again.

use moldloft::design::{Design, toml_of_code};
use moldloft::source::Source;

/// Runs one input.
///
/// # Panics
/// When a promise of codes is broken.
pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for text in [text.to_string(), format!("MOLDLOFT1:{text}")] {
        let Ok(toml) = toml_of_code(&text) else { continue };
        assert!(toml.len() <= 64 * 1024);
        check(&toml);
    }
    check(&text);
}

/// A design's code gives its TOML back.
fn check(toml: &str) {
    let Ok(design) = Design::read(&Source::new("design.toml", toml)) else { return };
    let Some(code) = design.to_code() else { return };
    assert_eq!(toml_of_code(&code).expect("a code that was just written"), design.to_toml());
}
