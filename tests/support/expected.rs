//! Texts kept beside what they are expected of; `BLESS=1 cargo test` writes them anew.

use std::path::Path;

/// Whether expected texts and pictures are to be written as they are now.
pub fn blessing() -> bool {
    std::env::var_os("BLESS").is_some_and(|value| value != "0")
}

/// Compares with the text kept in a file.
///
/// # Errors
/// The first line that differs, with both texts, and how to accept it.
#[allow(dead_code, reason = "each test program uses a part")]
pub fn same(file: &Path, got: &str) -> Result<(), String> {
    let kept = std::fs::read_to_string(file).map(|text| text.replace("\r\n", "\n")).ok();
    if kept.as_deref() == Some(got) {
        return Ok(());
    }
    if blessing() {
        std::fs::write(file, got).unwrap();
        return Ok(());
    }
    let name = file.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap_or(file).display();
    let Some(kept) = kept else {
        return Err(format!("{name} is missing; BLESS=1 writes it:\n{got}"));
    };
    let line = kept.lines().zip(got.lines()).take_while(|(kept, got)| kept == got).count();
    // A long text from where it differs.
    let part = |text: &str| {
        let (skipped, most) = if text.lines().count() > 60 { (line, 6) } else { (0, usize::MAX) };
        text.lines().skip(skipped).take(most).collect::<Vec<_>>().join("\n")
    };
    let (expected, found) = (part(&kept), part(got));
    Err(format!("{name}, line {}: expected\n{expected}\nfound\n{found}\nBLESS=1 accepts what is found", line + 1))
}
