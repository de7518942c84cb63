//! Figures as players read them: takes odds, gives numbers and sentences of one line, the same in a terminal and in charts.

use std::sync::Arc;

use moldloft_base::sanitize::shorten_line;
use moldloft_rules::formula::{Spread, Value};
use moldloft_rules::ruleset::{AttackRules, GaugeSize};

use super::answer::{AttackOdds, Odds, OddsCurve, step_names};
use super::matrix::OddsMatrix;
use super::situation::situation_words;
use super::volley::GaugeOdds;

const EXACT: &str = "Exact: every roll counted, none thrown.";
const EXACT_BUT: &str = "Exact: every roll counted, none thrown; rules that are not counted are named.";
const OF_WHAT_IS_COUNTED: &str = "Not all is counted; of what is, every roll is, none thrown.";
/// Probability below which nothing printed changes.
const UNSEEN: f64 = 5e-7;
/// Most characters of a ship's name or an attack's title.
pub const MAX_TITLE: usize = 40;
/// Least probability that is worth a word among many.
const WORTH_A_WORD: f64 = 5e-4;
/// Most outcomes named in a line.
const MAX_OUTCOMES: usize = 8;

/// `6.3 %`
pub fn percent(probability: f64) -> String {
    format!("{:.1} %", probability.max(0.0) * 100.0)
}

/// `7.07`
pub fn figure(number: f64) -> String {
    format!("{number:.2}")
}

/// What is destroyed for each point that is lost: `0.72`; a large one says only that next to nothing is lost.
pub fn trade_figure(trade: f64) -> String {
    if trade < 1000.0 { figure(trade) } else { "more than 1000".to_owned() }
}

/// A figure of at most four characters, for narrow cells: `7.07`, `12.8`, `> 99`.
pub fn narrow_figure(number: f64) -> String {
    match number {
        number if number < 9.995 => figure(number),
        number if number < 99.95 => format!("{number:.1}"),
        _ => "> 99".to_owned(),
    }
}

/// `5` for a whole number, `2.92` for another.
pub fn short_figure(number: f64) -> String {
    if (number - number.round()).abs() < 1e-9 { format!("{number:.0}") } else { figure(number) }
}

/// `1 – 14`
pub fn span((from, to): (i64, i64)) -> String {
    if from == to { from.to_string() } else { format!("{from} – {to}") }
}

/// `Vigilant on Ardennes`
pub fn who(odds: &Odds) -> String {
    format!("{} on {}", ship_title(&odds.attacker.name), ship_title(&odds.target.name))
}

pub fn ship_title(name: &str) -> String {
    shorten_line(name, MAX_TITLE)
}

/// `range 20 MU · weapons that bear port`
pub fn situation_line(rules: &AttackRules, values: &[Value]) -> String {
    situation_but(rules, values, None, None)
}

/// The same without one of the situations; what each firing ship chooses is last, `weapons that bear: the best for each firing ship`.
pub fn situation_but(rules: &AttackRules, values: &[Value], without: Option<usize>, best: Option<usize>) -> String {
    let named = rules.situations.iter().zip(values).enumerate();
    let named = named.filter(|(number, _)| ![without, best].contains(&Some(*number)));
    let fixed = named.filter_map(|(_, (rule, value))| situation_words(rule, value));
    let chosen = best.and_then(|best| rules.situations.get(best));
    let chosen = chosen.map(|rule| format!("{}: the best for each firing ship", rule.label));
    fixed.chain(chosen).collect::<Vec<_>>().join(" · ")
}

/// The situation of a matrix.
pub fn matrix_situation_line(matrix: &OddsMatrix) -> String {
    situation_but(&matrix.ruleset.attack_rules, &matrix.situation, None, matrix.best)
}

/// The headline's gauge in words, `structure`; empty without one.
pub fn gauge_label(odds: &Odds) -> &str {
    let gauge = odds.headline.and_then(|gauge| odds.rules().gauges.get(gauge));
    gauge.map_or("", |gauge| &*gauge.label)
}

/// `5 launched → 2.92 past counter-missiles → damage: sidewall 6.05, structure 7.07`; empty without labelled steps.
pub fn steps_line(odds: &Odds, attack: &AttackOdds) -> String {
    let steps = step_figures(odds, attack);
    let parts = steps.iter().map(|(label, means)| match means.as_slice() {
        [one] if !one.is_lost && one.name == *label => format!("{label} {}", short_figure(one.mean)),
        [one] if !one.is_lost => format!("{} {label}", short_figure(one.mean)),
        several => {
            let figures = several.iter().map(|one| format!("{} {}", one.name, short_figure(one.mean)));
            format!("{label}: {}", figures.collect::<Vec<_>>().join(", "))
        }
    });
    parts.collect::<Vec<_>>().join(" → ")
}

/// The mean of a name, or of what a gauge loses.
#[derive(Clone, Debug, PartialEq)]
pub struct StepFigure {
    pub name: String,
    pub mean: f64,
    pub is_lost: bool,
}

/// Labelled steps with what they are about: the names that several of them set, else the first; of gauges, what is lost.
pub fn step_figures(odds: &Odds, attack: &AttackOdds) -> Vec<(String, Vec<StepFigure>)> {
    let rules = odds.rules();
    let steps: Vec<_> = attack.steps.iter().map(|step| (step, step_names(rules, attack.attack, step))).collect();
    let times = |name: &str| steps.iter().filter(|(_, means)| means.iter().any(|(known, _)| known == name)).count();
    let described = steps.iter().map(|(step, means)| {
        let mut chosen: Vec<StepFigure> = Vec::new();
        for (name, mean) in means {
            if let Some(id) = name.strip_prefix("left.") {
                let is_of = |gauge: &&GaugeOdds<f64>| rules.gauges.get(gauge.gauge).is_some_and(|rule| *rule.id == *id);
                let Some(gauge) = attack.gauges.iter().find(is_of) else { continue };
                let mean = gauge.boxes.map_or(*mean, |boxes| boxes as f64 - mean);
                chosen.push(StepFigure { name: id.to_owned(), mean, is_lost: true });
            } else if name.starts_with("own.") || times(name) > 1 {
                chosen.push(StepFigure { name: name.clone(), mean: *mean, is_lost: false });
            }
        }
        let first = means.iter().find(|(name, _)| !name.starts_with("left.") && !name.starts_with("own."));
        if let (true, Some((name, mean))) = (chosen.is_empty(), first) {
            chosen.push(StepFigure { name: name.clone(), mean: *mean, is_lost: false });
        }
        (step.label.to_string(), chosen)
    });
    described.filter(|(_, means)| !means.is_empty()).collect()
}

/// `rows completed: 0 81.6 %, 1 17.6 %`, `a given system lost: 1.9 %`.
pub fn outcome_line(label: &str, spread: &Spread<f64>) -> String {
    let is_flag = spread.outcomes.iter().any(|(value, _)| matches!(value, Value::Flag(_)));
    if is_flag {
        let holds = spread.outcomes.iter().find(|(value, _)| *value == Value::Flag(true)).map_or(0.0, |(_, p)| *p);
        return format!("{label}: {}", percent(holds));
    }
    let mut shown: Vec<&(Value, f64)> = spread.outcomes.iter().filter(|(_, p)| *p >= WORTH_A_WORD).collect();
    if shown.len() > MAX_OUTCOMES {
        shown.sort_by(|a, b| b.1.total_cmp(&a.1));
        shown.truncate(MAX_OUTCOMES);
    }
    let others = spread.mass() - shown.iter().map(|(_, p)| *p).sum::<f64>();
    let words = shown.iter().map(|(value, p)| format!("{} {}", value.shown().unwrap_or_default(), percent(*p)));
    let mut words: Vec<String> = words.collect();
    match others {
        others if others < WORTH_A_WORD => {}
        _ if words.is_empty() => words.push(format!("{} values, each below 0.1 %", spread.outcomes.len())),
        others => words.push(format!("others {}", percent(others))),
    }
    format!("{label}: {}", words.join(", "))
}

/// Values of a situation from one to another: `43–51`.
pub fn span_words(from: &Value, to: &Value) -> String {
    let shown = |value: &Value| value.shown().unwrap_or_default();
    if from == to { shown(from) } else { format!("{}–{}", shown(from), shown(to)) }
}

/// Neighbouring values of a situation for which something is the same, `43–51`, with their first place.
pub fn runs<T: PartialEq>(values: &[Value], of: impl Fn(usize) -> T) -> Vec<(String, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (place, value) in values.iter().enumerate() {
        match runs.last_mut() {
            Some((from, to)) if matches!(value, Value::Int(_)) && of(*from) == of(place) => *to = place,
            _ => runs.push((place, place)),
        }
    }
    let words = |(from, to): (usize, usize)| Some((span_words(values.get(from)?, values.get(to)?), from));
    runs.into_iter().filter_map(words).collect()
}

/// `best at 72 (0.98), worst at 43–51 (0.13)`; `None` where the trade is the same everywhere.
pub fn best_and_worst(curve: &OddsCurve) -> Option<String> {
    let trade = |place: usize| curve.trades.get(place).copied().flatten();
    let key = |place: usize| trade(place).map(trade_figure);
    let runs: Vec<(String, f64)> =
        runs(&curve.values, key).into_iter().filter_map(|(words, place)| Some((words, trade(place)?))).collect();
    let best = runs.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let worst = runs.iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
    let named = |(words, trade): &(String, f64)| format!("{words} ({})", trade_figure(*trade));
    (trade_figure(best.1) != trade_figure(worst.1))
        .then(|| format!("best at {}, worst at {}", named(best), named(worst)))
}

/// Values between which the trade crosses 1: `12 and 13`.
pub fn break_even(curve: &OddsCurve) -> Vec<String> {
    let shown = |place: usize| curve.values.get(place).and_then(Value::shown).unwrap_or_default();
    let mut found = Vec::new();
    for place in 1..curve.trades.len().min(curve.values.len()) {
        if let (Some(before), Some(after)) = (curve.trades[place - 1], curve.trades[place])
            && (before < 1.0) != (after < 1.0)
        {
            found.push(format!("{} and {}", shown(place - 1), shown(place)));
        }
    }
    found
}

/// Whether what was let go changes no printed digit.
pub fn is_exact(lost: f64, gauges: &[GaugeOdds<f64>]) -> bool {
    let boxes = gauges.iter().filter_map(|gauge| gauge.boxes).max().unwrap_or(1).max(1);
    lost * boxes as f64 <= UNSEEN * 1e3 && lost <= UNSEEN
}

/// `Exact: every roll counted, none thrown.`, or how far the figures may be off.
pub fn exactness(odds: &Odds) -> String {
    if odds.failed {
        return "Not worked out: the findings say why.".to_owned();
    }
    if is_exact(odds.lost, &odds.all) {
        return exact_words(odds.is_whole, &odds.not_counted).to_owned();
    }
    format!(
        "At least these figures; at most {} more of each: rolls not followed to their end.",
        percent_fine(odds.lost)
    )
}

pub(super) fn exact_words(is_whole: bool, not_counted: &[Arc<str>]) -> &'static str {
    match (is_whole, not_counted.is_empty()) {
        (true, true) => EXACT,
        (true, false) => EXACT_BUT,
        (false, _) => OF_WHAT_IS_COUNTED,
    }
}

/// As [`exactness`], of a matrix.
pub fn matrix_exactness(matrix: &OddsMatrix) -> String {
    match is_exact(matrix.lost, &[]) {
        true => exact_words(matrix.is_whole, &matrix.not_counted).to_owned(),
        false => format!("At least these figures; at most {} more of each.", percent(matrix.lost)),
    }
}

fn percent_fine(probability: f64) -> String {
    if probability >= 0.001 { percent(probability) } else { format!("{:.5} %", probability * 100.0) }
}

/// Blocks for each 100 points of the firing ship.
pub fn for_100_points(mean: f64, points: Option<i64>) -> Option<f64> {
    points.filter(|points| *points > 0).map(|points| 100.0 * mean / points as f64)
}

/// Whether `gone` means something for a gauge: it has boxes, and their end is the ship's.
pub fn has_end(odds: &Odds) -> bool {
    let gauge = odds.headline.and_then(|gauge| odds.rules().gauges.get(gauge));
    gauge.is_some_and(|gauge| gauge.ends && matches!(gauge.size, GaugeSize::Boxes(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_that_are_not_named_are_others() {
        let even = |many: i64| {
            let outcomes = (0..many).map(|number| (Value::Int(number), 1.0 / many as f64)).collect();
            outcome_line("left", &Spread { outcomes, lost: 0.0 })
        };
        assert_eq!(even(2), "left: 0 50.0 %, 1 50.0 %");
        assert!(even(10).ends_with("7 10.0 %, others 20.0 %"), "{}", even(10));
        assert_eq!(even(5_000), "left: 5000 values, each below 0.1 %");
    }

    #[test]
    fn figures_are_as_wide_as_they_may_be() {
        assert_eq!(
            [7.0749, 9.996, 12.83, 99.96, 152_716.0].map(narrow_figure),
            ["7.07", "10.0", "12.8", "> 99", "> 99"]
        );
        assert_eq!([5.0, 2.9167].map(short_figure), ["5", "2.92"]);
        assert_eq!((percent(0.0627), span((3, 3)), span((1, 14))), ("6.3 %".into(), "3".into(), "1 – 14".into()));
    }

    #[test]
    fn equal_neighbours_are_one_stretch() {
        let values: Vec<Value> = (4..9).map(Value::Int).collect();
        let found = runs(&values, |place| place / 2);
        assert_eq!(found, [("4–5".into(), 0), ("6–7".into(), 2), ("8".into(), 4)]);
        let words = [Value::text("port"), Value::text("aft")];
        assert_eq!(runs(&words, |_| 0).len(), 2);
    }
}
