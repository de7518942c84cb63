//! The worked numbers of `tests/cases/odds/golden.json`: fractions are equal, decimals to 10^-9.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use moldloft_base::source::Span;
use moldloft_rules::formula::{
    ChanceBudget, Formula, Host, ResolvedName, Scope, Slot, Spread, Type, UnknownName, Value, Weight,
};

use super::super::*;
use super::fraction::Fraction;
use super::game::TriedGame;

const CLOSE: f64 = 1e-9;

fn golden() -> Json {
    serde_json::from_str(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/cases/odds/golden.json")))
        .unwrap()
}

/// Names with numbers.
struct NamedNumbers(Vec<(String, i64)>);

impl Scope for NamedNumbers {
    fn resolve(&self, path: &[&str]) -> Result<ResolvedName, UnknownName> {
        let place =
            self.0.iter().position(|(name, _)| *name == path[0]).ok_or(UnknownName { word_index: 0, help: None })?;
        Ok(ResolvedName { word_count: 1, slot: Slot::try_from(place).unwrap(), ty: Type::Int })
    }

    fn has_dice(&self) -> bool {
        true
    }
}

impl Host for NamedNumbers {
    fn read(&self, slot: Slot) -> Value {
        Value::Int(self.0[slot as usize].1)
    }
}

fn spread<W: Weight>(text: &str, names: &NamedNumbers) -> Spread<W> {
    let formula = Formula::compile(text, Span::from(0..text.len()), names, &Type::Any).unwrap();
    formula.spread(names, &ChanceBudget::default()).unwrap()
}

/// As the numbers' keys are written.
fn key(value: &Value) -> String {
    match value {
        Value::Flag(true) => "True".to_owned(),
        Value::Flag(false) => "False".to_owned(),
        value => value.shown().unwrap(),
    }
}

fn decimal(json: &Json) -> f64 {
    match json {
        Json::String(fraction) => Fraction::read(fraction).unwrap().value(),
        json => json.as_f64().unwrap(),
    }
}

fn is_exact(json: &Json) -> bool {
    match json {
        Json::Object(map) => map.values().all(is_exact),
        json => json.is_string(),
    }
}

/// Equal as fractions where they are fractions, else close.
fn compare<W: Weight>(found: &[(String, W)], wanted: &Json, what: &str) {
    let wanted = wanted.as_object().unwrap();
    let found: BTreeMap<&str, &W> = found.iter().map(|(key, weight)| (key.as_str(), weight)).collect();
    for (key, wanted) in wanted {
        let weight = found.get(key.as_str()).map_or(0.0, |weight| weight.value());
        assert!((weight - decimal(wanted)).abs() <= CLOSE, "{what}: {key} is {weight}, not {wanted}");
        if let Some(fraction) = wanted.as_str() {
            let fraction = Fraction::read(fraction).unwrap();
            let exact = found.get(key.as_str()).map(|weight| format!("{weight:?}"));
            if std::any::type_name::<W>().ends_with("Fraction") {
                assert_eq!(exact, Some(format!("{fraction:?}")), "{what}: {key}");
            }
        }
    }
}

fn pairs<W: Weight>(spread: &Spread<W>) -> Vec<(String, W)> {
    spread.outcomes.iter().map(|(value, weight)| (key(value), weight.clone())).collect()
}

#[test]
fn formulas_have_the_worked_distributions() {
    for case in golden()["formulas"].as_array().unwrap() {
        let text = case["formula"].as_str().unwrap();
        let names = case["names"].as_object().into_iter().flatten();
        let names = NamedNumbers(names.map(|(name, number)| (name.clone(), number.as_i64().unwrap())).collect());
        let exact = spread::<Fraction>(text, &names);
        let double = spread::<f64>(text, &names);
        compare(&pairs(&exact), &case["p"], text);
        compare(&pairs(&double), &case["p"], text);
        let mut all = exact.mass();
        all.add(&exact.lost);
        assert_eq!(all, Fraction::one(), "{text}");
        if let Some(mean) = case["mean"].as_str() {
            let mean = Fraction::read(mean.split(':').next().unwrap()).unwrap().value();
            assert!((double.mean().unwrap() - mean).abs() < CLOSE, "{text}");
        }
    }
}

/// The code of the error of a formula without names, when compiled or rolled.
pub fn text_error(text: &str) -> Option<&'static str> {
    let names = NamedNumbers(Vec::new());
    let formula = Formula::compile(text, Span::from(0..text.len()), &names, &Type::Any);
    let found = formula.and_then(|formula| formula.spread::<f64>(&names, &ChanceBudget::default()));
    found.err().map(|error| error.code)
}

/// The text of a sample.
pub fn design(game: &str, ship: &str) -> String {
    macro_rules! designs {
        ($($game:literal: $($ship:literal)*;)*) => {
            match (game, ship) {
                $($(($game, $ship) => include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../designs/", $game, "/", $ship, ".toml")),)*)*
                other => panic!("{other:?}"),
            }
        };
    }
    designs! {
        "wars-of-honor": "vigilant" "ardennes" "petrel";
        "sky-full-of-ships": "swordfish" "burlington" "tern" "kriegdonner";
        "star-navy": "milwaukee" "detroit";
        "battleships-1890s": "saltholm" "hammerfest" "duca-silvano" "unterwalden";
        "b5-house-rules": "varnic";
    }
    .to_owned()
}

/// The edits that the worked numbers describe in words.
fn edited(case: &Json, own: String, target: String) -> (String, String) {
    match case["edit"].as_str() {
        None => (own, target),
        Some(edit) if edit.contains("grav lance") => {
            let more = "\n[[fit]]\nsystem = \"grav-lance\"\nmount = \"port\"\n[[fit]]\nsystem = \"energy-torpedo\"\nmount = \"port\"\ncount = 2\n";
            (own + more, target)
        }
        Some(edit) if edit.contains("hull_strength 2") => {
            let target = target.replace("hull_strength = 3", "hull_strength = 2").replace("screens = 1", "screens = 0");
            (own, target.replace("agile = true", "agile = false"))
        }
        Some(_) => {
            (own.replace("system = \"laser\"\nmount = \"front\"", "system = \"cannon\"\nmount = \"front\""), target)
        }
    }
}

fn situation(json: &Json) -> Vec<(String, Value)> {
    let value = |json: &Json| match json {
        Json::Number(number) => Value::Int(number.as_i64().unwrap()),
        Json::Bool(flag) => Value::Flag(*flag),
        json => Value::text(json.as_str().unwrap()),
    };
    json.as_object().unwrap().iter().map(|(name, json)| (name.clone(), value(json))).collect()
}

fn check_volley<W: Weight>(game: &TriedGame, case: &Json) {
    let name = |key: &str| case[key].as_str().unwrap();
    let what = format!("{} on {}, {}", name("attacker"), name("target"), case["situation"]);
    let (own, target) = edited(case, design(name("game"), name("attacker")), design(name("game"), name("target")));
    let (own, target) = (game.ship(&own), game.ship(&target));
    let only = case["attacks"].as_array().map(|ids| ids.iter().map(|id| id.as_str().unwrap().to_owned()).collect());
    let only: Option<Vec<String>> = only;
    let (volley, rules) = game.volley::<W>(&own, &target, &situation(&case["situation"]), only.as_deref());
    assert!(volley.errors.is_empty(), "{what}: {:?}", volley.errors);
    for (id, wanted) in case["gauges"].as_object().unwrap() {
        let what = format!("{what}: {id}");
        let gauge = volley.gauges.iter().find(|gauge| *rules.gauges[gauge.gauge].id == **id);
        let gauge = gauge.unwrap_or_else(|| panic!("{what}"));
        assert_eq!(gauge.boxes, wanted["boxes"].as_i64(), "{what}");
        let found: Vec<(String, W)> = gauge.lost.iter().map(|(n, weight)| (n.to_string(), weight.clone())).collect();
        let wanted_spread = wanted.get("lost").unwrap_or(&wanted["comes to"]);
        compare(&found, wanted_spread, &what);
        let off = gauge.mean() - decimal(&wanted["mean"]);
        assert!(off.abs() <= CLOSE, "{what}: mean off by {off}");
        if let Some(ended) = wanted.get("ended") {
            assert!((gauge.gone.value() - decimal(ended)).abs() <= CLOSE, "{what}: gone");
        }
    }
    for (id, wanted) in case["outcomes"].as_object().into_iter().flatten() {
        let outcome = volley.outcomes.iter().find(|outcome| *rules.outcomes[outcome.outcome].id == **id);
        compare(&pairs(&outcome.unwrap().spread), wanted, &format!("{what}: {id}"));
    }
    let steps = case["steps"].as_array();
    for (step, wanted) in volley.steps.iter().zip(steps.into_iter().flatten()) {
        assert_eq!(*step.label, *wanted[0].as_str().unwrap(), "{what}");
        let mut means: Vec<f64> = step.means.iter().map(|(_, mean)| *mean).collect();
        let mut wanted: Vec<f64> = wanted[1].as_object().unwrap().values().map(decimal).collect();
        means.sort_by(f64::total_cmp);
        wanted.sort_by(f64::total_cmp);
        assert_eq!(means.len(), wanted.len(), "{what}: {}", step.label);
        assert!(means.iter().zip(&wanted).all(|(a, b)| (a - b).abs() <= CLOSE), "{what}: {} {means:?}", step.label);
    }
    assert_eq!(volley.steps.len(), steps.map_or(volley.steps.len(), Vec::len), "{what}");
}

fn check_game(id: &str) {
    let game = TriedGame::new(id);
    for case in golden()["attacks"].as_array().unwrap().iter().filter(|case| case["game"] == id) {
        check_volley::<f64>(&game, case);
        let exact = case["gauges"]
            .as_object()
            .unwrap()
            .values()
            .all(|gauge| is_exact(gauge.get("lost").unwrap_or(&gauge["comes to"])));
        if exact {
            check_volley::<Fraction>(&game, case);
        }
    }
}

#[test]
fn wars_of_honor_has_the_worked_numbers() {
    check_game("wars-of-honor");
}

/// A salvo of both warheads without nuclear ones is a salvo of laser heads, thinned shot by shot.
#[test]
fn a_mixed_salvo_of_one_kind_is_the_plain_one() {
    let rules = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rulesets/wars-of-honor.toml"));
    let mixed = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/cases/odds/mixed-salvo.toml"));
    let game = TriedGame::of(rules, mixed);
    let [own, target] = ["vigilant", "ardennes"].map(|ship| game.ship(&design("wars-of-honor", ship)));
    let lost = |attack: &str| {
        let chosen = [("salvo".to_owned(), Value::Int(5))];
        let (volley, rules) = game.volley::<f64>(&own, &target, &chosen, Some(&[attack.to_owned()]));
        assert!(volley.errors.is_empty(), "{:?}", volley.errors);
        let structure = volley.gauges.into_iter().find(|gauge| *rules.gauges[gauge.gauge].id == *"structure");
        structure.unwrap().lost
    };
    let (plain, mixed) = (lost("missiles"), lost("mixed-salvo"));
    assert_eq!(plain.len(), mixed.len());
    for ((number, weight), (_, other)) in plain.iter().zip(&mixed) {
        assert!((weight - other).abs() < CLOSE, "{number}: {weight}, {other}");
    }
}

#[test]
fn a_sky_full_of_ships_has_the_worked_numbers() {
    check_game("sky-full-of-ships");
}

#[test]
fn star_navy_has_the_worked_numbers() {
    check_game("star-navy");
}

#[test]
fn battleships_have_the_worked_numbers() {
    check_game("battleships-1890s");
}

#[test]
fn b5_has_the_worked_numbers() {
    check_game("b5-house-rules");
}

#[test]
fn turns_to_kill_are_the_worked_numbers() {
    for case in golden()["turns"].as_array().unwrap() {
        let name = |key: &str| case[key].as_str().unwrap();
        let game = TriedGame::new(name("game"));
        let [own, target] = ["attacker", "target"].map(|key| game.ship(&design(name("game"), name(key))));
        let wanted: Vec<f64> = case["killed_by_turn"].as_array().unwrap().iter().map(decimal).collect();
        let count = u32::try_from(wanted.len()).unwrap();
        let found = game.with_fight(&own, &target, &situation(&case["situation"]), None, |fight, _, host| {
            turns::<f64>(fight, host, count)
        });
        assert!(found.error.is_none(), "{:?}", found.error);
        assert!(found.out_by.iter().zip(&wanted).all(|(a, b)| (a - b).abs() <= CLOSE), "{found:?}\n{wanted:?}");
        assert_eq!(found.out_by.len(), wanted.len());
    }
}

fn check_duel(case: &Json) {
    let name = |key: &str| case[key].as_str().unwrap();
    let game = TriedGame::new(name("game"));
    let [a, b] = ["a", "b"].map(|key| game.ship(&design(name("game"), name(key))));
    let count = u32::try_from(case["turns"].as_u64().unwrap()).unwrap();
    let (of_a, of_b) = (situation(&case["situation_a"]), situation(&case["situation_b"]));
    let found = game.with_fight(&a, &b, &of_a, None, |first, host_a, host_b| {
        game.with_fight(&b, &a, &of_b, None, |second, _, _| {
            let ships = [
                Duelist { firings: first.firings, gauges: first.own, host: host_a },
                Duelist { firings: second.firings, gauges: second.own, host: host_b },
            ];
            duel::<f64>(first.rules, ships, count, None)
        })
    });
    assert!(found.error.is_none(), "{:?}", found.error);
    let close = |turn: &DuelTurn<f64>, wanted: [&Json; 3], what: &str| {
        let found = [turn.first_wins, turn.second_wins, turn.both_out];
        let same = found.iter().zip(wanted).all(|(a, b)| (a - decimal(b)).abs() <= CLOSE);
        assert!(same, "{what}: {found:?}, not {wanted:?}");
    };
    for (turn, wanted) in found.turns.iter().zip(case["by_turn"].as_array().unwrap()) {
        close(turn, [&wanted[0], &wanted[1], &wanted[2]], "a turn");
    }
    close(found.turns.last().unwrap(), [&case["a_wins"], &case["b_wins"], &case["both"]], "the end");
}

#[test]
fn a_duel_has_the_worked_numbers() {
    check_duel(&golden()["duels"][0]);
}

#[test]
fn a_large_duel_has_the_worked_numbers() {
    check_duel(&golden()["duels"][1]);
}
