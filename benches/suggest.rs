//! Evaluations fit for search: a trial of Vigilant, a box of its designs, and the three questions that players ask most.

#![allow(clippy::disallowed_methods, reason = "benches read files")]

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use moldloft::evaluate::{BoxModel, Trial, TrialPart, evaluate};
use moldloft::formula::Value;
use moldloft::progress::Progress;
use moldloft::ruleset::Ruleset;
use moldloft::source::Source;
use moldloft::suggest::{Lever, Question, SearchSpace, SpendLimit, Subject, break_points, make_legal, spend};

fn subject(change: impl Fn(String) -> String) -> Subject {
    let read = |path: &str| std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    let rules = Source::new("rulesets/wars-of-honor.toml", &read("rulesets/wars-of-honor.toml"));
    let rules = Arc::new(Ruleset::load(&rules).0.unwrap());
    let text = change(read("designs/wars-of-honor/vigilant.toml"));
    Subject::new(&rules, &Source::new("vigilant.toml", &text)).unwrap()
}

fn suggest(criterion: &mut Criterion) {
    let subject = subject(|text| text);
    let mut group = criterion.benchmark_group("suggest");
    group.bench_function("evaluate Vigilant whole", |bench| {
        bench.iter(|| evaluate(&subject.rules, black_box(&subject.design), &subject.ship).legal);
    });
    let mut trial = Trial::new(&subject.rules, &subject.design, &subject.ship);
    let mut count = 0;
    group.bench_function("a trial of Vigilant", |bench| {
        bench.iter(|| {
            count = (count + 1) % 9;
            trial.set(TrialPart::Count(5), &Value::Int(count));
            trial.compute();
            trial.faults().len()
        });
    });
    let space = SearchSpace::new(
        &subject,
        &Question::default().objective(Some((moldloft::suggest::Sense::Maximise, "structure".into()))),
    )
    .unwrap();
    let mut trial = Trial::new(&subject.rules, &subject.design, &subject.ship);
    trial.compute();
    let model: BoxModel<'_> = space.model(&trial);
    let levers: Vec<(i64, i64)> = space.levers.iter().map(|lever: &Lever| (lever.low, lever.high)).collect();
    group.bench_function("a box of Vigilant, 18 levers", |bench| {
        bench.iter(|| {
            let state = model.compute(black_box(&levers));
            let mut bounds = Vec::new();
            model.checks().iter().filter(|check| model.check_fails(&state, **check, &mut bounds)).count()
        });
    });
    group.sample_size(10);
    group.bench_function("what 68 points could buy", |bench| {
        bench.iter(|| {
            spend(&subject, &SpendLimit::points(1_800), &Question::default(), &Progress::default())
                .unwrap()
                .bought
                .len()
        });
    });
    group.bench_function("break-points", |bench| bench.iter(|| break_points(&subject, None).unwrap().len()));
    let broken =
        self::subject(|text| text.replace("count = 5", "count = 7").replace("laser_heads = 50", "laser_heads = 90"));
    group.bench_function("make legal, two changes", |bench| {
        bench.iter(|| make_legal(&broken, &Question::default(), &Progress::default()).ways.len());
    });
    group.finish();
}

criterion_group!(benches, suggest);
criterion_main!(benches);
