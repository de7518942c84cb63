//! Odds of a salvo of missiles: 80 on the largest sample (at most 10 ms), a curve over 80 ranges (30 ms), a matrix of 19 ships (1 s), on one core.
//! The attack is that of Wars of Honor with its tables' numbers written out.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use moldloft::formula::{Formula, NoNames, TextTemplate, Type, Value};
use moldloft::odds::{Ask, AttackHost, Fight, Firing, curve, limits, volley};
use moldloft::ruleset::{
    Assignment, Attack, AttackRules, AttackScope, Gauge, GaugeSize, ScopedName, Step, Variable, situation_slot,
};
use moldloft::source::Span;

/// Sidewall and structure.
const LODESTAR: (i64, i64) = (19, 83);

const SIDEWALL: Variable = Variable::Left(0);
const STRUCTURE: Variable = Variable::Left(1);
const MISSILES: Variable = Variable::Register(0);
const SHOTS: Variable = Variable::Register(1);
const POINTS: Variable = Variable::Register(2);

fn names() -> Vec<ScopedName> {
    let names = [
        ("range", situation_slot(0)),
        ("salvo", situation_slot(1)),
        ("left.sidewall", SIDEWALL.slot()),
        ("left.structure", STRUCTURE.slot()),
        ("missiles", MISSILES.slot()),
        ("shots", SHOTS.slot()),
        ("points", POINTS.slot()),
    ];
    names.map(|(name, slot)| ScopedName { name: name.to_owned(), slot, ty: Type::Int }).into()
}

fn compile(text: &str, want: &Type) -> Formula {
    let names = names();
    let scope = AttackScope { own: &NoNames, target: &NoNames, names: &names };
    Formula::compile(text, Span::from(0..text.len()), &scope, want).unwrap()
}

fn set(all: &[(Variable, &str)]) -> Step {
    let assignment =
        |(variable, text): &(Variable, &str)| Assignment { variable: *variable, formula: compile(text, &Type::Any) };
    Step { assignments: all.iter().map(assignment).collect(), ..Step::default() }
}

/// The rules against a ship with so many blocks.
fn rules((sidewall, structure): (i64, i64)) -> AttackRules {
    let gauge = |id: &str, boxes: i64, ends: bool| Gauge {
        id: id.into(),
        label: id.into(),
        size: GaugeSize::Boxes(Formula::constant(Value::Int(boxes), Span::default())),
        ends,
        at_turn: None,
        marks: Vec::new(),
        at: Span::default(),
    };
    let damage = Step {
        repeat: Some(compile("3 * missiles", &Type::Int)),
        each: vec![
            set(&[(POINTS, "faces([0, 1, 1, 2, 2, 3], again=[6])")]),
            set(&[
                (SIDEWALL, "left.sidewall - (1 if points else 0)"),
                (STRUCTURE, "left.structure - points + (1 if points and left.sidewall else 0)"),
            ]),
        ],
        ..Step::default()
    };
    let shots = "(1 if range - 16 <= 35 else 0) + (1 if range > 22 and range - 36 <= 35 else 0) + (1 if range > 42 and range - 66 <= 35 else 0)";
    let steps = vec![
        set(&[(MISSILES, "salvo")]),
        set(&[(SHOTS, shots)]),
        set(&[(MISSILES, "missiles - min(missiles, times(min(shots, 4) * 5, d6 >= d6 + 4))")]),
        set(&[(MISSILES, "missiles - times(min(missiles, 6), d6 == 6)")]),
        damage,
    ];
    let attack = Attack {
        id: "missiles".into(),
        label: TextTemplate::default(),
        for_each: None,
        when: Some(compile("range <= 72", &Type::Flag)),
        order: 1,
        every: None,
        uses: None,
        leaves_out: None,
        leaves_out_later: None,
        registers: Vec::new(),
        steps,
        marks: Vec::new(),
        at: Span::default(),
    };
    AttackRules {
        gauges: vec![gauge("sidewall", sidewall, false), gauge("structure", structure, true)],
        attacks: vec![attack],
        ..AttackRules::default()
    }
}

fn with_fight(rules: &AttackRules, range: i64, salvo: i64, with: &mut dyn FnMut(&Fight<'_>)) {
    let situation = [Value::Int(range), Value::Int(salvo)];
    let host = AttackHost { own: &NoNames, target: &NoNames, situation: &situation };
    let firings = [Firing::new(&rules.attacks[0], &host)];
    let gauges = limits(rules, &NoNames).unwrap();
    with(&Fight { rules, firings: &firings, own: &gauges, left: &gauges, host: &host, progress: None });
}

fn mean(rules: &AttackRules, range: i64, salvo: i64) -> f64 {
    let mut mean = 0.0;
    with_fight(rules, range, salvo, &mut |fight| {
        let volley = volley::<f64>(fight, &Ask::END);
        mean = volley.gauges.iter().map(moldloft::odds::GaugeOdds::mean).sum();
    });
    mean
}

fn odds(criterion: &mut Criterion) {
    let lodestar = rules(LODESTAR);
    criterion
        .bench_function("80 missiles on the largest sample", |bench| bench.iter(|| mean(black_box(&lodestar), 20, 80)));
    let ardennes = rules((12, 60));
    criterion
        .bench_function("24 missiles on a capital ship", |bench| bench.iter(|| mean(black_box(&ardennes), 20, 24)));
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    criterion.bench_function("curve over 80 ranges", |bench| {
        bench.iter(|| {
            one.install(|| {
                let at = |place: usize, with: &mut dyn FnMut(&Fight<'_>)| with_fight(&ardennes, place as i64, 5, with);
                curve::<f64>(black_box(80), &Ask::END, &at).len()
            })
        })
    });
    // Ships from a corvette to the largest sample.
    let ships: Vec<(AttackRules, i64)> = (0..19).map(|n| (rules((3 + n * 16 / 18, 10 + n * 73 / 18)), 2 + n)).collect();
    criterion.bench_function("matrix of 19 ships", |bench| {
        bench.iter(|| {
            let pairs = ships.iter().flat_map(|(_, salvo)| ships.iter().map(move |(target, _)| (target, *salvo)));
            pairs.map(|(target, salvo)| mean(black_box(target), 20, salvo)).sum::<f64>()
        })
    });
}

criterion_group!(benches, odds);
criterion_main!(benches);
