//! The net under every change: a hash of all that the lines of `cases/net/commands.txt` print and write, page by page. `sh tools/net.sh OLD NEW` shows
//! what changed between two built programs, as text and as pictures.

use std::fs;
use std::path::Path;

use moldloft::hash::fnv32;
use rayon::prelude::*;
use roxmltree::Document;

use crate::support::expected::same;
use crate::support::program::Folder;

/// What an SVG says, in the order it is drawn.
fn texts(svg: &str) -> String {
    let document = Document::parse(svg).unwrap();
    let texts =
        document.descendants().filter(|node| node.is_text() && !node.ancestors().any(|up| up.has_tag_name("style")));
    texts.filter_map(|node| node.text()).collect::<Vec<_>>().join("\n")
}

fn hash(text: &str) -> String {
    format!("{:08x}", fnv32(text.as_bytes()))
}

/// Lines for a command: one for what it prints, one for each page.
fn found(command: &str) -> String {
    let folder = Folder::new();
    let words = command.replace("-o OUT", "-o page.svg --svg-text embedded");
    let output = folder.run(&words.split(' ').collect::<Vec<_>>());
    assert!(output.status < 2, "{command}\n{}", output.err);
    let mut lines = format!("{command}\n    said {} {}\n", hash(&output.out), hash(&output.err));
    for name in folder.files() {
        let page = fs::read_to_string(folder.path(&name)).unwrap();
        lines += &format!("    {name} text {} drawn {}\n", hash(&texts(&page)), hash(&page));
    }
    lines
}

#[test]
fn all_that_is_printed_is_as_it_was_last_accepted() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/net");
    let commands = fs::read_to_string(cases.join("commands.txt")).unwrap();
    let commands: Vec<&str> = commands.lines().filter(|line| !line.starts_with('#')).collect();
    let found: String = commands.par_iter().map(|command| found(command)).collect();
    same(&cases.join("hashes.txt"), &found).unwrap_or_else(|fault| panic!("{fault}"));
}
