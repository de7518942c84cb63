//! Means over the values of a situation, as steps: rules change at whole numbers, so that there are no slopes.

use moldloft_drawing::scene::Rect;
use moldloft_odds::odds::words::{figure, gauge_label, ship_title, short_figure};
use moldloft_odds::odds::{Odds, OddsCurve};
use moldloft_rules::formula::Value;

use super::labels::Taken;
use super::pen::{ChartPen, ChartText, GRID, INK, Side, WHITE};
use super::scale::{round_step, whole_step};
pub(super) use moldloft_base::sanitize::capitalize as capital;

/// Most thin lines of single attacks.
const MAX_PARTS: usize = 2;

struct Line {
    numbers: Vec<f64>,
    name: String,
    words: ChartText,
    width: f32,
    dash: &'static [f32],
}

/// Heading, axes, lines and their names within `area`.
pub(super) fn draw(pen: &mut ChartPen, odds: &Odds, curve: &OddsCurve, area: Rect) {
    let Some(rule) = odds.rules().situations.get(curve.situation) else { return };
    let heading = pen.say(format!("{} lost by {}", capital(gauge_label(odds)), rule.label));
    pen.text_within(&heading, ChartText::HEADING, (area.x, area.y + 3.2), area.w, Side::Left);
    let plot = Rect::new(area.x + 12.0, area.y + 7.0, area.w - 12.0, area.h - 14.5);
    let count = curve.values.len().min(curve.means.len());
    if count == 0 {
        return;
    }
    let lines = lines(pen, odds, curve);
    let most = lines.iter().flat_map(|line| &line.numbers).copied().fold(0.0, f64::max);
    let step = round_step(if most > 0.0 { most } else { 1.0 }, 4);
    let top = (most / step).ceil().max(1.0) * step;
    let y = |number: f64| plot.bottom() - plot.h * (number / top) as f32;
    let across = plot.w / count as f32;
    let x = |place: f32| plot.x + across * place;
    for number in 0..=(top / step).round() as u32 {
        let at = f64::from(number) * step;
        pen.line(&[(plot.x, y(at)), (plot.right(), y(at))], 0.15, GRID, &[]);
        pen.text(&short_figure(at), ChartText::BODY, plot.x - 1.6, y(at) + 0.9, Side::Right);
    }
    draw_axis(pen, curve, &plot, &x);
    let unit = if rule.unit.is_empty() { rule.label.to_string() } else { format!("{}, {}", rule.label, rule.unit) };
    pen.text(&pen.say(unit), ChartText::QUIET, plot.right(), plot.bottom() + 7.0, Side::Right);

    let mut taken = Taken::default();
    if let Some(place) = curve.values.iter().position(|value| odds.situation.get(curve.situation) == Some(value)) {
        let at = x(place as f32 + 0.5);
        pen.line(&[(at, plot.y), (at, plot.bottom())], 0.25, INK, &[0.5, 0.6]);
        let words = pen.say(format!("{} {}", rule.label, curve.values[place].shown().unwrap_or_default()));
        let wide = ChartText::BODY.width(&words);
        let side = if at + wide + 2.0 > plot.right() { Side::Right } else { Side::Left };
        let shift = if side == Side::Right { -1.0 } else { 1.0 };
        pen.text(&words, ChartText::BODY, at + shift, plot.y + 2.4, side);
        taken.add_line((at, plot.y), (at, plot.bottom()));
        taken.add(Rect::new(if side == Side::Right { at - wide - 1.0 } else { at }, plot.y, wide + 1.0, 3.4));
    }
    let paths: Vec<Vec<(f32, f32)>> =
        lines.iter().map(|line| steps(&line.numbers[..count.min(line.numbers.len())], &x, &y)).collect();
    for (line, path) in lines.iter().zip(&paths) {
        pen.line(path, line.width, INK, line.dash);
        path.windows(2).for_each(|ends| {
            if let [a, b] = ends {
                taken.add_line(*a, *b)
            }
        });
    }
    for (line, path) in lines.iter().zip(&paths) {
        name_line(pen, line, path, &plot, &mut taken);
    }
}

/// The answer first, all that bears last, so that it is on top.
fn lines(pen: &ChartPen, odds: &Odds, curve: &OddsCurve) -> Vec<Line> {
    let (attacker, target) = (ship_title(&odds.attacker.name), ship_title(&odds.target.name));
    let mut lines = Vec::new();
    // A line with gaps is not drawn: what could not be worked out is no 0.
    let mut add = |numbers: &[Option<f64>], name: String, words: ChartText, width: f32, dash: &'static [f32]| {
        let numbers: Option<Vec<f64>> = numbers.iter().copied().collect();
        lines.extend(numbers.map(|numbers| Line { numbers, name, words, width, dash }));
    };
    if odds.attacker != odds.target {
        add(&curve.back, pen.say_pair(&target, &attacker), ChartText::BODY, 0.5, &[1.6, 0.9]);
    }
    let shown = |number: &Option<f64>| number.map(figure);
    let differs = |numbers: &[Option<f64>]| numbers.iter().zip(&curve.means).any(|(a, b)| shown(a) != shown(b));
    let is_seen = |numbers: &[Option<f64>]| numbers.iter().flatten().any(|number| *number > 0.0);
    let sum = |numbers: &[Option<f64>]| numbers.iter().flatten().sum::<f64>();
    let mut parts: Vec<_> = curve.parts.iter().filter(|(_, list)| differs(list) && is_seen(list)).collect();
    parts.sort_by(|a, b| sum(&b.1).total_cmp(&sum(&a.1)));
    for (attack, numbers) in parts.into_iter().take(MAX_PARTS) {
        let title = odds.attacks.iter().find(|odds| odds.attack == *attack).map_or("", |odds| &odds.label);
        add(numbers, pen.say(format!("of that {}", ship_title(title))), ChartText::QUIET, 0.3, &[]);
    }
    add(&curve.means, pen.say(format!("{attacker}, all that bears")), ChartText::STRONG, 0.8, &[]);
    lines
}

fn draw_axis(pen: &mut ChartPen, curve: &OddsCurve, plot: &Rect, x: &dyn Fn(f32) -> f32) {
    let bottom = plot.bottom();
    pen.line(&[(plot.x, bottom), (plot.right(), bottom)], 0.25, INK, &[]);
    let count = curve.values.len();
    let every = whole_step(count, 10) as i64;
    for (place, value) in curve.values.iter().enumerate() {
        let shown = match value {
            Value::Int(number) => number.rem_euclid(every) == 0,
            _ => true,
        };
        if shown {
            let at = x(place as f32 + 0.5);
            pen.line(&[(at, bottom), (at, bottom + 0.9)], 0.25, INK, &[]);
            let wide = plot.w / count as f32;
            let words = pen.say(value.shown().unwrap_or_default());
            let most = if matches!(value, Value::Int(_)) { f32::MAX } else { wide };
            pen.text_within(&words, ChartText::BODY, (at, bottom + 3.7), most, Side::Middle);
        }
    }
}

/// A line of steps.
fn steps(numbers: &[f64], x: &dyn Fn(f32) -> f32, y: &dyn Fn(f64) -> f32) -> Vec<(f32, f32)> {
    let mut path: Vec<(f32, f32)> = Vec::new();
    for (place, number) in numbers.iter().enumerate() {
        let at = y(*number);
        match path.last() {
            Some((_, last)) if (last - at).abs() < 1e-3 => {}
            Some(_) => {
                path.extend([(x(place as f32), path.last().map_or(at, |(_, last)| *last)), (x(place as f32), at)])
            }
            None => path.push((x(0.0), at)),
        }
    }
    if let Some((_, last)) = path.last().copied() {
        path.push((x(numbers.len() as f32), last));
    }
    path
}

/// The name above or below one of the line's longest steps, where it covers least.
fn name_line(pen: &mut ChartPen, line: &Line, path: &[(f32, f32)], plot: &Rect, taken: &mut Taken) {
    const HEIGHT: f32 = 3.0;
    const GAP: f32 = 0.9;
    let wide = line.words.width(&line.name);
    let mut levels: Vec<(f32, f32, f32)> = Vec::new();
    for ends in path.windows(2) {
        if let [(ax, ay), (bx, by)] = ends
            && (ay - by).abs() < 1e-3
            && (*ay < plot.bottom() - 0.1 || path.len() == 2)
        {
            levels.push((*ax, *bx, *ay));
        }
    }
    levels.sort_by(|a, b| (b.1 - b.0).total_cmp(&(a.1 - a.0)));
    let mut places = Vec::new();
    for (from, to, y) in levels {
        for x in [(from + to - wide) / 2.0, from + 1.0, to - wide - 1.0, from - wide - 1.0, to + 1.0] {
            for top in [y - GAP - HEIGHT, y + GAP] {
                places.push(Rect::new(x, top, wide, HEIGHT));
            }
        }
    }
    let Some(place) = taken.best(&places, plot) else { return };
    pen.bar(Rect::new(place.x - 0.3, place.y + 0.2, place.w + 0.6, place.h - 0.4), WHITE, false, None);
    pen.text(&line.name, line.words, place.x, place.y + 2.3, Side::Left);
    taken.add(place);
}
