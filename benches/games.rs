//! Every built-in game by the same measure: loading its rules, checking its samples, printing them to PDF. One group a game; a game that
//! joins the `designs` folder is measured without a word here.

#![allow(clippy::disallowed_methods, reason = "benches read files")]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use moldloft::design::{Design, Ship};
use moldloft::evaluate::{Evaluation, evaluate, number_counters};
use moldloft::export::{ExportOptions, pdf};
use moldloft::ruleset::Ruleset;
use moldloft::sheet::{SheetJob, SheetOptions, TemplateCache, print};
use moldloft::source::Source;
use moldloft::store::Store;

/// The files of a folder, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    files.sort();
    files
}

/// The games that have samples, in order.
fn games() -> Vec<(String, Vec<Source>)> {
    let designs = Path::new(env!("CARGO_MANIFEST_DIR")).join("designs");
    let folders = files(&designs).into_iter().filter(|path| path.is_dir());
    let game = |folder: PathBuf| {
        let tomls = files(&folder).into_iter().filter(|path| path.extension().is_some_and(|e| e == "toml"));
        let read = |path: PathBuf| Source::new(path.display().to_string(), &std::fs::read_to_string(&path).unwrap());
        (folder.file_name().unwrap().to_string_lossy().into_owned(), tomls.map(read).collect())
    };
    folders.map(game).collect()
}

fn check_all(rules: &Arc<Ruleset>, sources: &[Source]) -> Vec<Evaluation> {
    let designs = sources.iter().map(|source| Design::read(black_box(source)).unwrap());
    designs.map(|design| evaluate(rules, &design, &Ship::default())).collect()
}

fn measure(criterion: &mut Criterion) {
    let store = Store::built_in();
    for (id, sources) in games() {
        let source = store.ruleset(&id).unwrap();
        let rules = Arc::new(Ruleset::load(&source).0.unwrap());
        let shelf = TemplateCache::new(|ids, name| store.template(ids, name));
        let printed = || {
            let mut ships = check_all(&rules, &sources);
            number_counters(&mut ships);
            let job = SheetJob {
                ships: &ships,
                templates: &shelf,
                options: SheetOptions::default(),
                subject: "control sheets",
            };
            let scene = print(&job).0;
            (scene.pages.len(), pdf::write(&scene, &ExportOptions::default()).map_or(0, |bytes| bytes.len()))
        };
        let (pages, bytes) = printed();
        println!("{id}: {} samples on {pages} pages, {bytes} bytes", sources.len());

        let mut group = criterion.benchmark_group(&id);
        group
            .bench_function("load", |bench| bench.iter(|| Ruleset::load(black_box(&source)).0.map(|r| r.values.len())));
        group.throughput(Throughput::Elements(sources.len() as u64));
        group.bench_function("check the samples", |bench| bench.iter(|| check_all(&rules, &sources).len()));
        group.bench_function("print the samples", |bench| bench.iter(printed));
        group.finish();
    }
}

criterion_group!(benches, measure);
criterion_main!(benches);
