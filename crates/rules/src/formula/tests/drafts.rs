//! Tests that the formulas of five drafted games compile and evaluate.

use super::*;

fn draft_host() -> TestHost {
    let integer = Type::Int;
    let number_rows = columns(&[("speed", Type::Int), ("delay", Type::Int), ("half", Type::Int)]);
    let movement = |speed, delay, half| {
        record(&[("speed", Value::Int(speed)), ("delay", Value::Int(delay)), ("half", Value::Int(half))])
    };
    let chart = columns(&[("side", Type::TEXT), ("from", Type::Int), ("to", Type::Int), ("hits", Type::TEXT)]);
    let spot = |side: &str, from, to, hits: &str| {
        record(&[
            ("side", Value::text(side)),
            ("from", Value::Int(from)),
            ("to", Value::Int(to)),
            ("hits", Value::text(hits)),
        ])
    };
    let texts = |words: &[&str]| list(&words.iter().map(|word| Value::text(word)).collect::<Vec<_>>());
    #[rustfmt::skip]
    let numbers = [
        ("accn", 3), ("across", 1), ("alpha", 8), ("beta", 8), ("box", 2), ("boxes", 6),
        ("choice.class_kind.turn", 1), ("choice.mu.mm", 25), ("choice.nation.discount", 6),
        ("choice.nation.structure_pct", 30), ("crew_units", 2), ("critical", 6), ("down", 2),
        ("energy_per_cycle", 6), ("engine", 5), ("fighter_bays", 3), ("flotation", 12), ("half_mark", 19),
        ("hull_strength", 3), ("it.armour", 3), ("it.boxes", 8), ("it.count", 2), ("it.craft", 6), ("it.feeds", 4),
        ("it.from", 1), ("it.guns", 2), ("it.intercept", 2), ("it.mass", 12), ("it.points", 15), ("it.recharge", 3),
        ("it.rounds", 4), ("it.to", 8), ("it.whole.holds", 20), ("it.whole.laser_heads", 12),
        ("it.whole.nuclear", 6), ("launchers", 14), ("mass", 125), ("points", 940), ("points_full", 1000),
        ("power_drawn", 8), ("power_made", 7), ("primary_forward", 8), ("primary_left", 4), ("primary_rear", 2),
        ("primary_right", 4), ("repair", 1), ("row", 1), ("rows", 5), ("screens", 0), ("secondary", 4),
        ("sidewall", 9), ("special_count", 1), ("strength_per_mass", 4), ("structure", 37), ("thrust", 12),
        ("tow", 0), ("turn_discount", 1), ("w_forward", 3), ("w_small", 4), ("w_strongest", 3),
    ];
    let host = numbers
        .into_iter()
        .fold(TestHost::default(), |host, (name, value)| host.name(name, integer.clone(), Value::Int(value)));
    host.flag("gravitic", false)
        .flag("it.ballistic", true)
        .flag("ram", true)
        .flag("retro", true)
        .option("unit", &["starship", "lac", "pod"], "starship")
        .option("special", &["none", "particle-cannon", "mass-driver"], "mass-driver")
        .option("rounding", &["nearest", "down", "up"], "nearest")
        .text("choice.nation.label", "Republic of Haven")
        .text("choice.nation.row", "haven")
        .text("group.warhead", "nuclear")
        .text("it.arc", "forward 120")
        .text("it.damage", "2D10+4")
        .text("it.hits", "laser")
        .text("it.id", "forward")
        .text("it.label", "forward")
        .text("it.mirror", "aft")
        .text("it.mode", "standard")
        .text("it.mount", "forward")
        .text("it.name", "laser")
        .text("it.nation", "haven")
        .text("it.side", "forward")
        .text("it.system", "laser")
        .text("it.weapon", "laser")
        .name("it.ranges", Type::list_of(Type::Int), ints(&[10, 12, 9, 6]))
        .name("it.tags", Type::list_of(Type::TEXT), texts(&["weapon", "store"]))
        .name("movement", Type::list_of(number_rows), list(&[movement(5, 2, 3), movement(6, 3, 4), movement(7, 4, 5)]))
        .name("sides_hit", Type::list_of(chart.clone()), list(&[spot("", 1, 4, "forward"), spot("", 5, 10, "primary")]))
        .name(
            "location",
            Type::list_of(chart),
            list(&[spot("forward", 1, 8, "structure"), spot("forward", 9, 20, "laser")]),
        )
        .function("count", Type::Int, Value::Int(2))
        .function("total", Type::Int, Value::Int(30))
        .function("fitted", Type::Any, record(&[("laser", Value::Int(2))]))
        .function("systems", Type::list_of(Type::TEXT), texts(&["laser", "graser"]))
        .function(
            "step",
            columns(&[("up_to", Type::Int), ("name", Type::TEXT)]),
            record(&[("up_to", Value::Int(9)), ("name", Value::text("cruiser"))]),
        )
        .function(
            "row",
            columns(&[("endurance", Type::Int), ("dice", Type::list_of(Type::Int))]),
            record(&[("endurance", Value::Int(6)), ("dice", ints(&[3, 3, 3, 2, 2, 2, 1, 1, 1]))]),
        )
}

#[test]
fn every_drafted_formula_answers() {
    let host = draft_host();
    let mut answered = 0;
    for line in include_str!("drafts.txt").lines().filter(|line| !line.starts_with('#')) {
        let (expected, source) = line.split_once('\t').unwrap();
        if expected == "text" {
            let text = TextTemplate::compile(source, whole_span(source), &host)
                .unwrap_or_else(|error| panic!("{source}: {error:?}"));
            assert!(text.eval(&host).unwrap().is_some(), "{source}");
        } else {
            let expected = match expected {
                "int" => Type::Int,
                "flag" => Type::Flag,
                "list" => Type::list_of(Type::Int),
                _ => Type::Any,
            };
            let formula = host.compile(source, &expected).unwrap_or_else(|error| panic!("{source}: {error:?}"));
            let value = formula.eval(&host).unwrap_or_else(|error| panic!("{source}: {error:?}"));
            assert!(!value.is_null(), "{source}");
            assert_ne!(formula.trace(&host).result, "?", "{source}");
        }
        answered += 1;
    }
    assert!(answered > 190, "{answered}");
}

#[test]
fn some_drafted_figures() {
    let host = draft_host();
    let text = |source: &str| host.eval(source).unwrap().shown().unwrap();
    assert_eq!(text("0 if unit == 'pod' else max(0, structure // 5 + structure % 5)"), "9");
    assert_eq!(text("alpha if tow else (1 if alpha == 0 and beta == 1 else (2 * alpha + beta) // 2)"), "12");
    assert_eq!(text("split_rows(structure, 5)"), "9, 7, 7, 7, 7");
    assert_eq!(text("range(-9, 10)").split(", ").count(), 19);
    assert_eq!(text("spread(boxes, 'bay', fighter_bays, 'crew', crew_units)"), ", bay, crew, bay, crew, bay");
    assert_eq!(
        text(
            "'no turn' if across + down // 2 >= length(movement) else (movement[across + down // 2].half if down % 2 else movement[across + down // 2].delay)"
        ),
        "4"
    );
}
