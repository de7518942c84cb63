//! Four pages of the window as they looked when somebody last looked at them (`tests/looks/editor-*.png`), like the printed pages of `tests/looks.rs`.

use std::fs;
use std::path::Path;

use moldloft::editor::Command;

use crate::editor::bench::Bench;
use crate::support::picture::{Grey, kept_look};

const VIGILANT: &str = "designs/wars-of-honor/vigilant.toml";
const FLEET: &str = "designs/wars-of-honor/fleets/convoy-escort.toml";
/// Of a screen on which a point is a pixel.
const DPI: f32 = 96.0;

fn look(bench: &Bench, name: &str) {
    let picture = bench.picture();
    let size = (picture.width() as usize, picture.height() as usize);
    kept_look(&format!("editor-{name}"), &Grey::of(&picture, (0, 0), size, DPI))
        .unwrap_or_else(|fault| panic!("{fault}\nBLESS=1 accepts what is found"));
}

#[test]
fn a_design_looks_as_when_it_was_last_looked_at() {
    let bench = Bench::opened(&[VIGILANT]);
    look(&bench, "design");
}

#[test]
fn the_odds_look_as_when_they_were_last_looked_at() {
    let mut bench = Bench::opened(&[VIGILANT]);
    bench.click("Show the odds");
    look(&bench, "odds");
}

#[test]
fn a_fleet_looks_as_when_it_was_last_looked_at() {
    let bench = Bench::opened(&[FLEET]);
    look(&bench, "fleet");
}

#[test]
fn a_house_rule_looks_as_when_it_was_last_looked_at() {
    let mut bench = Bench::new(&[VIGILANT]);
    let path = bench.path("rulesets/laser-price.toml");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/older_layers/laser-price.toml"), &path).unwrap();
    bench.give(Command::Open(path));
    look(&bench, "rules");
}
