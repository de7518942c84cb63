//! The folders built into the program are watched, so that a new file in them is seen.

fn main() {
    for folder in ["rulesets", "templates", "designs"] {
        println!("cargo:rerun-if-changed={folder}");
    }
}
