//! What printing costs. `cargo bench --bench print`; bytes a page are printed first.

use criterion::{Criterion, criterion_group, criterion_main};
use moldloft::export::{pdf, picture, png, svg};

#[path = "../tests/support/sample.rs"]
mod sample;

fn export(criterion: &mut Criterion) {
    let (one, many) = (sample::scene(1), sample::scene(101));
    let size = |scene| pdf::write(scene, &pdf::Options::default()).map_or(0, |bytes| bytes.len());
    println!("PDF: {} bytes for one page, {} for each further one", size(&one), (size(&many) - size(&one)) / 100);

    let mut group = criterion.benchmark_group("export");
    group.bench_function("pdf of 1 page", |bench| bench.iter(|| pdf::write(&one, &pdf::Options::default())));
    group.bench_function("pdf of 101 pages", |bench| bench.iter(|| pdf::write(&many, &pdf::Options::default())));
    group.bench_function("svg of a page", |bench| bench.iter(|| svg::write(&one, &svg::Options::default())));
    group.bench_function("picture at 96 dpi", |bench| bench.iter(|| picture(&one.pages[0], 96.0)));
    group.bench_function("picture at 150 dpi", |bench| bench.iter(|| picture(&one.pages[0], 150.0)));
    group.bench_function("png at 150 dpi", |bench| bench.iter(|| png::write(&one, &png::Options::default())));
    group.finish();
}

criterion_group!(benches, export);
criterion_main!(benches);
