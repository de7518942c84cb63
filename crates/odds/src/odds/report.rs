//! Odds as JSON, with keys in the documented order.

use serde_json::{Map, Value as Json, json};

use moldloft_base::finding::Finding;
use moldloft_rules::formula::{Spread, Value};
use moldloft_rules::ruleset::{AttackRules, Ruleset};

use super::answer::{AttackOdds, Bearing, Odds, OddsShip, step_names};
use super::matrix::{MatrixCell, OddsMatrix};
use super::volley::GaugeOdds;
use super::words::is_exact;

/// One object of the array that `odds --json` prints.
pub fn odds_json(odds: &Odds) -> Json {
    let rules = odds.rules();
    let mut object = Map::new();
    let mut put = |key: &str, value: Json| object.insert(key.to_owned(), value);
    put("attacker", ship_json(&odds.attacker));
    put("target", ship_json(&odds.target));
    put("ruleset", ruleset_json(&odds.ruleset));
    put("situation", situation_json(rules, &odds.situation));
    put("attacks", odds.attacks.iter().map(|attack| attack_json(rules, attack)).collect());
    put("all", gauges_json(rules, &odds.all));
    let outcomes = odds
        .outcomes
        .iter()
        .filter_map(|odds| Some((rules.outcomes.get(odds.outcome)?.id.to_string(), spread_json(&odds.spread))));
    put("outcomes", Json::Object(outcomes.collect()));
    put("back", gauges_json(rules, &odds.back));
    put("trade", json!(odds.trade));
    if let Some(curve) = &odds.over {
        let name = rules.situations.get(curve.situation).map_or("", |rule| &*rule.id);
        let points = |numbers: &[Option<f64>]| -> Json {
            curve.values.iter().zip(numbers).map(|(value, number)| json!([value_json(value), number])).collect()
        };
        let trades = curve.values.iter().zip(&curve.trades);
        let trades: Json = trades.map(|(value, trade)| json!([value_json(value), trade])).collect();
        put(
            "over",
            json!({ "name": name, "points": points(&curve.means), "back": points(&curve.back), "trade": trades }),
        );
    }
    if let Some(turns) = &odds.turns {
        put("turns", json!(turns.there.out_by));
        put("turns_back", json!(turns.back.out_by));
        let [first, second, both] = turns.race;
        put("race", json!({ "a": first, "b": second, "both": both, "open": (1.0 - first - second - both).max(0.0) }));
    }
    if let Some(duel) = &odds.duel {
        let by_turn = duel.turns.iter().map(|turn| json!([turn.first_wins, turn.second_wins, turn.both_out]));
        let by_turn: Vec<Json> = by_turn.collect();
        let (a, b, both) =
            duel.turns.last().map_or((0.0, 0.0, 0.0), |turn| (turn.first_wins, turn.second_wins, turn.both_out));
        let open = (1.0 - a - b - both).max(0.0);
        put("duel", json!({ "a": a, "b": b, "both": both, "open": open, "by_turn": by_turn }));
    }
    put("assumed", json!(odds.assumed));
    put("not_counted", json!(odds.not_counted));
    put("exact", json!(is_exact(odds.lost, &odds.all) && odds.is_whole && !odds.failed));
    put("lost", json!(odds.lost));
    put("findings", odds.findings.iter().map(Finding::to_json).collect());
    Json::Object(object)
}

/// The object that `odds --matrix --json` prints.
pub fn matrix_json(matrix: &OddsMatrix) -> Json {
    let rules = &matrix.ruleset.attack_rules;
    let cells = matrix.cells.iter().map(|row| row.iter().map(|cell| cell_json(matrix, cell)).collect::<Json>());
    let mut report = json!({
        "ruleset": ruleset_json(&matrix.ruleset),
        "situation": situation_json(rules, &matrix.situation),
        "gauge": matrix.headline.and_then(|gauge| rules.gauges.get(gauge)).map(|gauge| &*gauge.id),
        "ships": matrix.ships.iter().map(ship_json).collect::<Json>(),
        "rows": cells.collect::<Json>(),
        "assumed": matrix.assumed,
        "not_counted": matrix.not_counted,
        "exact": is_exact(matrix.lost, &[]) && matrix.is_whole,
        "lost": matrix.lost,
        "findings": matrix.findings.iter().map(Finding::to_json).collect::<Json>(),
    });
    if let Some(rule) = matrix.best.and_then(|best| rules.situations.get(best)) {
        report["best"] = json!(&*rule.id);
    }
    report
}

/// With a situation to choose, also what the attacker chooses, `null` where several choices do as much.
fn cell_json(matrix: &OddsMatrix, cell: &MatrixCell) -> Json {
    let mut object = json!({ "mean": cell.mean, "trade": cell.trade });
    if matrix.best.is_some() {
        object["choice"] = cell.choice.as_ref().map_or(Json::Null, value_json);
    }
    object
}

fn ship_json(ship: &OddsShip) -> Json {
    json!({ "file": &*ship.file, "name": &*ship.name, "points": ship.points })
}

fn ruleset_json(ruleset: &Ruleset) -> Json {
    json!({ "id": &*ruleset.id, "version": &*ruleset.version })
}

fn situation_json(rules: &AttackRules, values: &[Value]) -> Json {
    let named = rules.situations.iter().zip(values);
    Json::Object(named.map(|(rule, value)| (rule.id.to_string(), value_json(value))).collect())
}

fn value_json(value: &Value) -> Json {
    match value {
        Value::Int(number) => json!(number),
        Value::Flag(flag) => json!(flag),
        other => json!(other.shown()),
    }
}

fn spread_json(spread: &Spread<f64>) -> Json {
    spread.outcomes.iter().map(|(value, p)| json!([value_json(value), p])).collect()
}

fn attack_json(rules: &AttackRules, odds: &AttackOdds) -> Json {
    let steps = odds.steps.iter().map(|step| {
        let means = step_names(rules, odds.attack, step).into_iter().map(|(name, mean)| (name, json!(mean)));
        json!({ "label": &*step.label, "means": Json::Object(means.collect()) })
    });
    json!({
        "id": rules.attacks.get(odds.attack).map(|attack| &*attack.id),
        "label": odds.label,
        "item": odds.item.as_deref(),
        "fires": odds.bearing == Bearing::Fires,
        "steps": steps.collect::<Json>(),
        "gauges": gauges_json(rules, &odds.gauges),
    })
}

fn gauges_json(rules: &AttackRules, gauges: &[GaugeOdds<f64>]) -> Json {
    let named = gauges.iter().filter_map(|odds| {
        let lost: Json = odds.lost.iter().map(|(number, p)| json!([number, p])).collect();
        let gauge = json!({ "boxes": odds.boxes, "mean": odds.mean(), "lost": lost, "destroyed": odds.gone });
        Some((rules.gauges.get(odds.gauge)?.id.to_string(), gauge))
    });
    Json::Object(named.collect())
}
