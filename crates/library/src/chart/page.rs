//! One ship on another: the curve and the bars on the left, steps and figures on the right, below them what it rests on.

use std::sync::Arc;

use moldloft_base::sanitize::plural;
use moldloft_base::words::Words;
use moldloft_drawing::scene::{Page, Rect};
use moldloft_odds::odds::words::{
    best_and_worst, exactness, figure, for_100_points, gauge_label, has_end, percent, ship_title, short_figure,
    situation_line, span, step_figures, trade_figure,
};
use moldloft_odds::odds::{AttackOdds, Bearing, GaugeOdds, Odds, figures};
use moldloft_rules::formula::Value;

use super::pen::{BAR, ChartPen, ChartText, INK, Side, fit, wrap};
use super::{histogram, plot};

/// Width of a chart's page, mm.
pub const WIDTH: f32 = 198.0;
/// The least without the column of figures, mm.
const MIN_WIDTH: f32 = 80.0;
pub(super) const MARGIN: f32 = 5.0;
/// Between lines of the foot, mm.
const FOOT_LINE: f32 = 3.0;
const TITLE_LINE: f32 = 6.0;
const MAX_TITLE_LINES: usize = 3;
/// Between rows of figures, mm.
const ROW: f32 = 4.3;
/// Left edge of the column of figures, mm.
const FIGURES: f32 = 144.0;
/// Most steps of an attack, and most outcomes.
const MAX_STEPS: usize = 6;
const MAX_OUTCOMES: usize = 3;

/// The whole chart, 198 mm wide.
pub fn odds_page(odds: &Odds, words: Option<&Words>) -> Page {
    page(odds, WIDTH, words)
}

/// The curve and the bars alone, for a window that has so much room, in mm.
pub fn narrow_odds_page(odds: &Odds, width: f32, words: Option<&Words>) -> Page {
    page(odds, width.clamp(MIN_WIDTH, WIDTH - 1.0), words)
}

/// There is room for the figures from [`WIDTH`] on.
fn page(odds: &Odds, width: f32, words: Option<&Words>) -> Page {
    let mut pen = ChartPen::new(words, vec![&odds.attacker.name, &odds.target.name]);
    let has_figures = width >= WIDTH;
    let (attacker, target) = (ship_title(&odds.attacker.name), ship_title(&odds.target.name));
    let title = pen.say_pair(&attacker, &target);
    let points = |points: Option<i64>| points.map_or_else(|| "– points".to_owned(), |points| plural(points, "point"));
    let second = format!(
        "{} against {}, one turn of fire, ships unhurt",
        points(odds.attacker.points),
        points(odds.target.points)
    );
    let mut words = pen.say(situation_line(odds.rules(), &odds.situation));
    let mut beside = vec![odds.ruleset.rules_title(), pen.say(second)];
    if !has_figures {
        words = format!("{} · {words}", beside.join(" · "));
        beside.clear();
    }
    let mut y = draw_head(&mut pen, width, &title, &beside) + 4.2;
    let most = if has_figures { 3 } else { 6 };
    for line in wrap(&words, ChartText::QUIET, width - 2.0 * MARGIN).iter().take(most) {
        pen.text(line, ChartText::QUIET, MARGIN, y, Side::Left);
        y += 3.4;
    }
    let top = y - 0.4;
    let left = if has_figures { FIGURES - 6.0 - MARGIN } else { width - 2.0 * MARGIN };
    let gauge = odds.headline_of(&odds.all);
    let below = match &odds.over {
        Some(curve) => {
            plot::draw(&mut pen, odds, curve, Rect::new(MARGIN, top, left, 58.0));
            top + 61.0
        }
        None => top,
    };
    let tall = if odds.over.is_some() { 42.0 } else { 80.0 };
    match gauge {
        Some(gauge) => histogram::draw(&mut pen, odds, gauge, Rect::new(MARGIN, below, left, tall)),
        None if odds.failed => pen.text(&pen.say("Not worked out."), ChartText::BODY, MARGIN, below + 3.2, Side::Left),
        None => {
            pen.text(&pen.say("Nothing bears in this situation."), ChartText::BODY, MARGIN, below + 3.2, Side::Left)
        }
    }
    let end = if has_figures { draw_figures(&mut pen, odds, top, below) } else { 0.0 };
    let foot = draw_foot(
        &mut pen,
        width,
        &exactness(odds),
        &odds.assumed,
        &odds.not_counted,
        &odds.ruleset.version,
        (below + tall).max(end) + 2.0,
    );
    Page { width, height: foot + MARGIN, items: pen.items, bookmarks: vec![title.into()], ..Page::default() }
}

/// With nothing to its right, a long title takes several lines. Gives the lower end.
pub(super) fn draw_head(pen: &mut ChartPen, width: f32, title: &str, right: &[String]) -> f32 {
    let inner = width - 2.0 * MARGIN;
    let mut y = 11.0;
    if right.is_empty() {
        for (n, line) in wrap(title, ChartText::TITLE, inner).iter().take(MAX_TITLE_LINES).enumerate() {
            y = 11.0 + n as f32 * TITLE_LINE;
            pen.text(line, ChartText::TITLE, MARGIN, y, Side::Left);
        }
    } else {
        let room = inner * 0.6;
        pen.text_within(title, ChartText::TITLE, (MARGIN, y), room, Side::Left);
        let left = inner - ChartText::TITLE.width(&fit(title, ChartText::TITLE, room)) - 6.0;
        for (words, y) in right.iter().zip([7.2, 10.9]) {
            pen.text_within(words, ChartText::QUIET, (width - MARGIN, y), left, Side::Right);
        }
    }
    y += 2.4;
    pen.line(&[(MARGIN, y), (width - MARGIN, y)], 0.5, INK, &[]);
    y
}

/// What the figures rest on; gives the lower end.
pub(super) fn draw_foot(
    pen: &mut ChartPen,
    width: f32,
    exactness: &str,
    assumed: &[Arc<str>],
    not_counted: &[Arc<str>],
    version: &str,
    top: f32,
) -> f32 {
    let inner = width - 2.0 * MARGIN;
    pen.line(&[(MARGIN, top), (width - MARGIN, top)], 0.25, INK, &[]);
    let mut words = pen.say(exactness);
    for (name, list) in [("Assumed", assumed), ("Not counted", not_counted)] {
        if !list.is_empty() {
            let listed: Vec<String> = list.iter().map(|one| pen.say(one)).collect();
            words += &format!(" {}: {}.", pen.say(name), listed.join("; "));
        }
    }
    words += &format!(" {}", pen.say(format!("Rules {version}.")));
    let mut y = top + 0.6;
    for line in wrap(&words, ChartText::FOOT, inner) {
        y += FOOT_LINE;
        pen.text(&line, ChartText::FOOT, MARGIN, y, Side::Left);
    }
    y
}

/// The column of figures; gives its lower end.
fn draw_figures(pen: &mut ChartPen, odds: &Odds, top: f32, below: f32) -> f32 {
    let attacks = odds.attacks.iter().enumerate().filter(|(_, attack)| attack.bearing == Bearing::Fires);
    let steps = attacks.max_by_key(|(_, attack)| attack.steps.len());
    let mut y = top + 3.2;
    if let Some((place, attack)) = steps.filter(|(_, attack)| !attack.steps.is_empty()) {
        y = draw_steps(pen, odds, place, attack, y);
    }
    let right = WIDTH - MARGIN;
    let row = |pen: &mut ChartPen, y: &mut f32, words: &str, number: &str, style: ChartText| {
        pen.text_within(&pen.say(words), style, (FIGURES, *y), right - FIGURES - style.width(number) - 2.0, Side::Left);
        pen.text(number, style, right, *y, Side::Right);
        *y += ROW;
    };
    let mean = |gauges: &[GaugeOdds<f64>]| odds.headline_of(gauges).map_or(0.0, GaugeOdds::mean);
    let label = gauge_label(odds);
    let (attacker, target) = (ship_title(&odds.attacker.name), ship_title(&odds.target.name));
    row(pen, &mut y, &format!("{label}, all that bears"), &figure(mean(&odds.all)), ChartText::STRONG);
    pen.line(&[(FIGURES, y - 2.6), (right, y - 2.6)], 0.25, INK, &[]);
    y += 1.2;
    if let Some(worth) = for_100_points(mean(&odds.all), odds.attacker.points) {
        row(pen, &mut y, &format!("{label} for 100 points"), &figure(worth), ChartText::BODY);
    }
    row(pen, &mut y, &pen.say_pair(&target, &attacker), &figure(mean(&odds.back)), ChartText::BODY);
    if let Some(trade) = odds.trade {
        row(pen, &mut y, "equal points trade", &trade_figure(trade), ChartText::BODY);
        if let Some(words) = odds.over.as_ref().and_then(best_and_worst) {
            for line in wrap(&pen.say(words), ChartText::QUIET, right - FIGURES) {
                pen.text(&line, ChartText::QUIET, FIGURES, y, Side::Left);
                y += ROW;
            }
        }
    }
    let Some(gauge) = odds.headline_of(&odds.all) else { return y };
    let mut y = if odds.over.is_some() { y.max(below + 3.2) } else { y + 4.0 };
    pen.text(&pen.say("In short"), ChartText::HEADING, FIGURES, y, Side::Left);
    y += ROW + 0.6;
    let all = figures(gauge);
    row(pen, &mut y, "mean", &figure(all.mean), ChartText::BODY);
    row(pen, &mut y, "eight times in ten", &span(all.middle), ChartText::BODY);
    row(pen, &mut y, "half the time at most", &all.median.to_string(), ChartText::BODY);
    row(pen, &mut y, "nothing gets through", &percent(all.nothing), ChartText::BODY);
    for outcome in odds.outcomes.iter().take(MAX_OUTCOMES) {
        let Some(rule) = odds.rules().outcomes.get(outcome.outcome) else { continue };
        let is_flag = outcome.spread.outcomes.iter().any(|(value, _)| matches!(value, Value::Flag(_)));
        if is_flag {
            let chance = outcome.spread.outcomes.iter().find(|(value, _)| *value == Value::Flag(true));
            row(pen, &mut y, &rule.label, &percent(chance.map_or(0.0, |(_, chance)| *chance)), ChartText::BODY);
        } else if let Some(mean) = outcome.spread.mean() {
            row(pen, &mut y, &format!("{}, on average", rule.label), &figure(mean), ChartText::BODY);
        }
    }
    if let (true, Some(boxes)) = (has_end(odds), gauge.boxes) {
        row(pen, &mut y, &format!("destroyed ({boxes})"), &percent(all.gone), ChartText::BODY);
    }
    y - ROW + 1.0
}

/// Labelled steps with bars for what several steps set, marked `step_ATTACK_STEP`; gives the next baseline.
fn draw_steps(pen: &mut ChartPen, odds: &Odds, place: usize, attack: &AttackOdds, mut y: f32) -> f32 {
    let right = WIDTH - MARGIN;
    let heading = pen.say(format!("{}, step by step", plot::capital(attack.title())));
    pen.text_within(&heading, ChartText::HEADING, (FIGURES, y), right - FIGURES, Side::Left);
    y += ROW + 0.6;
    let steps = step_figures(odds, attack);
    let bars = steps.iter().flat_map(|(_, means)| means).filter(|one| !one.is_lost);
    let most = bars.map(|one| one.mean).fold(0.0, f64::max);
    for (step, (label, means)) in steps.iter().take(MAX_STEPS).enumerate() {
        for one in means.iter().take(MAX_STEPS) {
            let words = pen.say(if one.is_lost || means.len() > 1 { &one.name } else { label });
            let number = short_figure(one.mean);
            let room = right - FIGURES - 12.0;
            let name = || (format!("step_{place}_{step}"), format!("{words}: {number}"));
            if !one.is_lost && most > 0.0 && one.mean > 0.0 && steps.len() > 1 {
                let long = 13.0 * (one.mean / most) as f32;
                pen.bar(Rect::new(right - 24.0, y - 2.2, long, 2.6), BAR, false, Some(name()));
                pen.marked_text(&words, ChartText::BODY, (FIGURES, y), room - 13.0, name());
            } else {
                pen.marked_text(&words, ChartText::BODY, (FIGURES, y), room, name());
            }
            pen.text(&number, ChartText::BODY, right, y, Side::Right);
            y += ROW;
        }
    }
    y
}
