//! What printing costs. `cargo bench --bench print`; bytes a page are printed first. The fleet is made of the sample ships of
//! Wars of Honor, from their files' text to the PDF's bytes.

#![allow(clippy::disallowed_methods, reason = "benches read files")]

use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use moldloft::design::{Design, Ship};
use moldloft::evaluate::{Evaluation, evaluate, number_counters};
use moldloft::export::{ExportOptions, pdf, png, render_page, svg};
use moldloft::ruleset::Ruleset;
use moldloft::sheet::{SheetJob, SheetOptions, TemplateCache, print};
use moldloft::source::Source;
use moldloft::store::Store;

#[path = "../tests/support/sample.rs"]
mod sample;

fn export(criterion: &mut Criterion) {
    let (one, many) = (sample::scene(1), sample::scene(101));
    let size = |scene| pdf::write(scene, &ExportOptions::default()).map_or(0, |bytes| bytes.len());
    println!("PDF: {} bytes for one page, {} for each further one", size(&one), (size(&many) - size(&one)) / 100);

    let mut group = criterion.benchmark_group("export");
    group.bench_function("pdf of 1 page", |bench| bench.iter(|| pdf::write(&one, &ExportOptions::default())));
    group.bench_function("pdf of 101 pages", |bench| bench.iter(|| pdf::write(&many, &ExportOptions::default())));
    group.bench_function("svg of a page", |bench| bench.iter(|| svg::write(&one, &ExportOptions::default())));
    group.bench_function("picture at 96 dpi", |bench| bench.iter(|| render_page(&one.pages[0], 96.0)));
    group.bench_function("picture at 150 dpi", |bench| bench.iter(|| render_page(&one.pages[0], 150.0)));
    group.bench_function("png at 150 dpi", |bench| bench.iter(|| png::write(&one, &ExportOptions::default())));
    group.finish();
}

fn fleet(criterion: &mut Criterion) {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("designs/wars-of-honor");
    let mut paths: Vec<_> =
        std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    paths.sort();
    let read =
        |path: &std::path::PathBuf| Source::new(path.display().to_string(), &std::fs::read_to_string(path).unwrap());
    let sources: Vec<Source> = paths.iter().map(read).collect();
    let store = Store::built_in();
    let rules = Arc::new(Ruleset::load(&store.ruleset("wars-of-honor").unwrap()).0.unwrap());
    let shelf = TemplateCache::new(|ids, name| store.template(ids, name));
    let pages = |count: usize| {
        let designs = sources.iter().cycle().take(count).map(|source| Design::read(source).unwrap());
        let mut ships: Vec<Evaluation> = designs.map(|design| evaluate(&rules, &design, &Ship::default())).collect();
        number_counters(&mut ships);
        let job =
            SheetJob { ships: &ships, templates: &shelf, options: SheetOptions::default(), subject: "control sheets" };
        let scene = print(&job).0;
        (scene.pages.len(), pdf::write(&scene, &ExportOptions::default()).map_or(0, |bytes| bytes.len()))
    };
    let (one, all) = (pages(1), pages(100));
    let further = (all.0 - one.0).max(1);
    println!("fleet: {} pages for 100 ships, {} bytes for each further page", all.0, (all.1 - one.1) / further);
    let mut group = criterion.benchmark_group("fleet");
    group.bench_function("1 ship", |bench| bench.iter(|| pages(1)));
    group.bench_function("100 ships", |bench| bench.iter(|| pages(100)));
    group.finish();
}

criterion_group!(benches, export, fleet);
criterion_main!(benches);
