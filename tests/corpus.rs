//! Runs each fuzz target's saved corpus without a fuzzer: what once did harm, or might, does none.

use std::path::Path;

#[path = "../fuzz/bodies/attack.rs"]
mod attack;
#[path = "../fuzz/bodies/bundle.rs"]
mod bundle;
#[path = "../fuzz/bodies/code.rs"]
mod code;
#[path = "../fuzz/bodies/design.rs"]
mod design;
#[path = "../fuzz/bodies/document.rs"]
mod document;
#[path = "../fuzz/bodies/fleet.rs"]
mod fleet;
#[path = "../fuzz/bodies/font.rs"]
mod font;
#[path = "../fuzz/bodies/form.rs"]
mod form;
#[path = "../fuzz/bodies/formula.rs"]
mod formula;
#[path = "../fuzz/bodies/goal.rs"]
mod goal;
#[path = "../fuzz/bodies/import.rs"]
mod import;
#[path = "../fuzz/bodies/list.rs"]
mod list;
#[path = "../fuzz/bodies/manifest.rs"]
mod manifest;
#[path = "../fuzz/bodies/printers.rs"]
mod printers;
#[path = "../fuzz/bodies/ruleset.rs"]
mod ruleset;
#[path = "../fuzz/bodies/template.rs"]
mod template;

fn each(target: &str, run: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    for file in files {
        println!("{}", file.display());
        run(&std::fs::read(&file).unwrap());
    }
}

#[test]
fn formula() {
    each("formula", formula::run);
}

#[test]
fn goal() {
    each("goal", goal::run);
}

#[test]
fn form() {
    each("form", form::run);
}

#[test]
fn attack() {
    each("attack", attack::run);
}

#[test]
fn bundle() {
    each("bundle", bundle::run);
}

#[test]
fn ruleset() {
    each("ruleset", ruleset::run);
}

#[test]
fn design() {
    each("design", design::run);
}

#[test]
fn template() {
    each("template", template::run);
}

#[test]
fn list() {
    each("list", list::run);
}

#[test]
fn fleet() {
    each("fleet", fleet::run);
}

#[test]
fn document() {
    each("document", document::run);
}

#[test]
fn font() {
    each("font", font::run);
}

#[test]
fn code() {
    each("code", code::run);
}

#[test]
fn import() {
    each("import", import::run);
}

#[test]
fn manifest() {
    each("manifest", manifest::run);
}

#[test]
fn printers() {
    each("printers", printers::run);
}

/// Numbers that are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % most.max(1) as u64).unwrap()
    }
}

/// The words of a dictionary, as they are between quotes.
fn words(target: &str) -> Vec<Vec<u8>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/dictionaries").join(format!("{target}.dict"));
    let text = std::fs::read_to_string(file).unwrap();
    let words = text.lines().filter_map(|line| Some(line.split_once('"')?.1.rsplit_once('"')?.0.to_owned()));
    words.map(|word| word.replace("\\\"", "\"").replace("\\\\", "\\").into_bytes()).collect()
}

/// Changes the inputs of a target a little, over and over: less than a fuzzer, which learns from what it reaches. The slowest is kept beside other
/// temporary files.
fn each_changed(target: &str, dictionary: &str, run: fn(&[u8]), most_bytes: usize) {
    let runs: usize = std::env::var("RUNS").ok().and_then(|text| text.parse().ok()).unwrap_or(2_000);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let inputs: Vec<Vec<u8>> = files.iter().map(|file| std::fs::read(file).unwrap()).collect();
    let words = words(dictionary);
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let mut slowest = std::time::Duration::ZERO;
    let slowest_file = std::env::temp_dir().join(format!("{target}-slowest"));
    for _ in 0..runs {
        let mut input = inputs[dice.below(inputs.len())].clone();
        for _ in 0..=dice.below(5) {
            let at = dice.below(input.len() + 1);
            let to = (at + dice.below(40)).min(input.len());
            match dice.below(6) {
                0 if at < input.len() => input[at] ^= 1 << dice.below(8),
                1 => drop(input.drain(at..to)),
                2 => drop(input.splice(at..to, words[dice.below(words.len())].clone())),
                3 => drop(input.splice(at..at, words[dice.below(words.len())].clone())),
                4 => drop(input.splice(at..at, input[at..to].to_vec())),
                _ => {
                    let other = &inputs[dice.below(inputs.len())];
                    let from = dice.below(other.len() + 1);
                    let part = other[from..(from + dice.below(400)).min(other.len())].to_vec();
                    drop(input.splice(at..to, part));
                }
            }
        }
        input.truncate(most_bytes);
        let begin = std::time::Instant::now();
        if std::panic::catch_unwind(|| run(&input)).is_err() {
            let file = std::env::temp_dir().join(format!("{target}-found"));
            std::fs::write(&file, &input).unwrap();
            panic!("{target} panics on {}", file.display());
        }
        if begin.elapsed() > slowest {
            slowest = begin.elapsed();
            std::fs::write(&slowest_file, &input).unwrap();
        }
    }
    println!("{target}: {runs} changed inputs, the slowest took {slowest:?}: {}", slowest_file.display());
}

#[test]
#[ignore = "takes minutes: RUNS=20000 cargo test --test program corpus::changed -- --ignored"]
fn changed_attacks_do_no_harm() {
    each_changed("attack", "attack", attack::run, 8_000);
}

#[test]
#[ignore = "takes minutes: RUNS=20000 cargo test --test program corpus::changed -- --ignored"]
fn changed_goals_do_no_harm() {
    each_changed("goal", "formula", goal::run, 4_096);
}

#[test]
#[ignore = "takes minutes: RUNS=20000 cargo test --test program corpus::changed -- --ignored"]
fn changed_bundles_do_no_harm() {
    each_changed("bundle", "json", bundle::run, 8_000);
}
