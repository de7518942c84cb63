//! What a table pack costs: `cargo bench --bench pack`. Four fleets of 75 ships, made of the sample ships of Wars of Honor and, in the second
//! group, of the four other games; from evaluated fleets to pages, and from pages to the PDF's bytes. Pages and bytes are printed first.

#![allow(clippy::disallowed_methods, reason = "benches read files")]

use std::collections::BTreeSet;
use std::fmt::Write;

use criterion::{Criterion, criterion_group, criterion_main};
use moldloft::export::{ExportOptions, format_for, pdf};
use moldloft::library::{EvaluatedFleet, Rulesets, check_fleet};
use moldloft::print::{PackOptions, PrintKind, PrintOptions, print_fleets};
use moldloft::progress::Progress;
use moldloft::sheet::{Backs, PageSetup};
use moldloft::source::Source;
use moldloft::store::{FileRef, Store};

/// A fleet of a game's samples, so many ships.
fn fleet(games: &Rulesets, game: &str, number: usize, ships: usize) -> EvaluatedFleet {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("designs").join(game);
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.is_file());
    files.sort();
    let names: Vec<String> = files
        .iter()
        .filter_map(|path| {
            let text = std::fs::read_to_string(path).unwrap();
            let line = text.lines().find_map(|line| line.strip_prefix("name = \""))?;
            Some(line.split('"').next()?.to_owned())
        })
        .collect();
    let mut text = format!("ruleset = \"{game}\"\nname = \"Fleet {number}\"\n");
    for (n, name) in names.iter().cycle().take(ships).enumerate() {
        let _ = write!(
            text,
            "[[ship]]\ndesign = \"{name}\"\nname = \"Ship {number}-{n}\"\nhull_number = \"CA-{number}{n:03}\"\n"
        );
    }
    check_fleet(games, &Source::new("fleet.toml", &text), &FileRef::default()).unwrap()
}

fn packs(criterion: &mut Criterion) {
    let store = Store::built_in();
    let games = Rulesets::without_settings(&store);
    let order = PackOptions::default()
        .print(
            PrintOptions::default()
                .kind(PrintKind::Sheets)
                .page_setup(PageSetup::default())
                .large_print(false)
                .copies(1)
                .backs(Backs::Duplex),
        )
        .parts(BTreeSet::new())
        .single_sided(false);
    let others = ["sky-full-of-ships", "star-navy", "battleships-1890s", "b5-house-rules"];
    for (name, played) in [("wars-of-honor", ["wars-of-honor"; 4]), ("the other games", others)] {
        let evaluate = || -> Vec<EvaluatedFleet> {
            played.iter().enumerate().map(|(n, game)| fleet(&games, game, n, 75)).collect()
        };
        let fleets = evaluate();
        let format = format_for("pdf").expect("PDF");
        let lay_out = || print_fleets(&store, &fleets, &order, format, &Progress::default());
        let packed = lay_out();
        let bytes = pdf::write(&packed.scene, &ExportOptions::default()).map_or(0, |bytes| bytes.len());
        println!("{name}: {} on {} pages, {bytes} bytes", packed.contents, packed.scene.pages.len());
        let mut group = criterion.benchmark_group(format!("pack of 300 ships, {name}"));
        group.sample_size(10);
        group.bench_function("evaluated", |bench| bench.iter(evaluate));
        group.bench_function("laid out", |bench| bench.iter(lay_out));
        group.bench_function("written", |bench| bench.iter(|| pdf::write(&packed.scene, &ExportOptions::default())));
        group.finish();
    }
}

criterion_group!(benches, packs);
criterion_main!(benches);
