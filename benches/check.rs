//! Designs checked a second: reading the TOML, evaluating, and both; on every sample of Wars of Honor in turn.

#![allow(clippy::disallowed_methods, reason = "benches read files")]

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use moldloft::design::{Design, Ship};
use moldloft::evaluate::{evaluate, report_json};
use moldloft::ruleset::Ruleset;
use moldloft::source::Source;

fn samples(folder: &Path) -> Vec<Source> {
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    paths.sort();
    let read =
        |path: &std::path::PathBuf| Source::new(path.display().to_string(), &std::fs::read_to_string(path).unwrap());
    paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "toml")).map(read).collect()
}

fn check(criterion: &mut Criterion) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("rulesets/wars-of-honor.toml")).unwrap();
    let source = Source::new("rulesets/wars-of-honor.toml", &text);
    let rules = Arc::new(Ruleset::load(&source).0.unwrap());
    let sources = samples(&root.join("designs/wars-of-honor"));
    let designs: Vec<Design> = sources.iter().map(|source| Design::read(source).unwrap()).collect();
    let ship = Ship::default();

    let mut group = criterion.benchmark_group("check");
    group.throughput(Throughput::Elements(sources.len() as u64));
    group.bench_function("read", |bench| {
        bench.iter(|| sources.iter().map(|source| Design::read(black_box(source)).unwrap().fits.len()).sum::<usize>())
    });
    group.bench_function("evaluate", |bench| {
        bench.iter(|| {
            designs.iter().map(|design| evaluate(&rules, black_box(design), &ship)).filter(|e| e.legal).count()
        });
    });
    group.bench_function("read and evaluate", |bench| {
        bench.iter(|| {
            let designs = sources.iter().map(|source| Design::read(black_box(source)).unwrap());
            designs.map(|design| evaluate(&rules, &design, &ship)).filter(|e| e.legal).count()
        });
    });
    group.bench_function("read, evaluate and report", |bench| {
        bench.iter(|| {
            let designs = sources.iter().map(|source| Design::read(black_box(source)).unwrap());
            designs.map(|design| report_json(&evaluate(&rules, &design, &ship)).to_string().len()).sum::<usize>()
        });
    });
    group.finish();
    criterion.bench_function("load wars-of-honor", |bench| {
        bench.iter(|| Ruleset::load(black_box(&source)).0.unwrap().values.len())
    });
}

criterion_group!(benches, check);
criterion_main!(benches);
