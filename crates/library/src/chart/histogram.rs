//! How much is lost how often: bars, a white one for nothing, and a line for as much or more.

use moldloft_drawing::scene::Rect;
use moldloft_odds::odds::words::{percent, situation_line};
use moldloft_odds::odds::{GaugeOdds, Odds};

use super::pen::{BAR, ChartPen, ChartText, GRID, INK, Side, WHITE};
use super::scale::{round_step, whole_step};

/// Most bars.
const MAX_BARS: usize = 60;
/// Bars beyond which less than this is left are put together.
const TAIL: f64 = 5e-4;

/// Bars of equal width: the first number of each, and the probability of its numbers.
struct Bars {
    width: i64,
    /// The greatest number of all.
    most: i64,
    bars: Vec<f64>,
    /// The last bar is for its numbers and all above.
    is_last_open: bool,
}

impl Bars {
    fn new(gauge: &GaugeOdds<f64>) -> Self {
        let most = gauge.lost.last().map_or(0, |(number, _)| *number).max(0);
        let mut left = 0.0;
        let mut end = most;
        for (number, chance) in gauge.lost.iter().rev() {
            left += chance;
            if left >= TAIL {
                end = *number;
                break;
            }
        }
        // A little air, and round numbers at the end.
        let end = (end + 1).min(most).max(1);
        let width = (end / MAX_BARS as i64 + 1).max(1);
        let count = usize::try_from(end / width + 1).unwrap_or(1);
        let mut bars = vec![0.0; count];
        for (number, chance) in &gauge.lost {
            let place = usize::try_from(number / width).unwrap_or(0).min(count - 1);
            bars[place] += chance;
        }
        Self { width, most, bars, is_last_open: most >= width * count as i64 }
    }

    /// `7`, `30 +`, `12–13`
    fn name(&self, place: usize) -> String {
        let from = place as i64 * self.width;
        let open = if self.is_last_open && place + 1 == self.bars.len() { " +" } else { "" };
        match (self.width, open) {
            (1, _) | (_, " +") => format!("{from}{open}"),
            _ if from == self.most => from.to_string(),
            _ => format!("{from}–{}", (from + self.width - 1).min(self.most)),
        }
    }
}

/// One bar: `bar_N` marks the N-th, from 0.
#[derive(Clone, Debug, PartialEq)]
pub struct ChanceBar {
    /// What is lost: `7`, `30 +`, `12–13`.
    pub name: String,
    pub chance: f64,
    /// The probability of as much or more.
    pub or_more: f64,
}

/// The bars of a chart.
pub fn chance_bars(gauge: &GaugeOdds<f64>) -> Vec<ChanceBar> {
    let bars = Bars::new(gauge);
    let mut or_more: f64 = bars.bars.iter().sum();
    let each = bars.bars.iter().enumerate().map(|(place, chance)| {
        let bar = ChanceBar { name: bars.name(place), chance: *chance, or_more: or_more.clamp(0.0, 1.0) };
        or_more -= chance;
        bar
    });
    each.collect()
}

pub(super) fn draw(pen: &mut ChartPen, odds: &Odds, gauge: &GaugeOdds<f64>, area: Rect) {
    let rules = odds.rules();
    let axis = odds.over.as_ref().and_then(|curve| {
        let rule = rules.situations.get(curve.situation)?;
        Some(format!("{} {}", rule.label, odds.situation.get(curve.situation)?.shown()?))
    });
    let at = axis.unwrap_or_else(|| situation_line(rules, &odds.situation));
    let heading = pen.say(format!("How much of it at {at}"));
    pen.text_within(&heading, ChartText::HEADING, (area.x, area.y + 3.2), area.w, Side::Left);
    let plot = Rect::new(area.x + 12.0, area.y + 7.0, area.w - 12.0, area.h - 11.5);
    let bars = Bars::new(gauge);
    let most = bars.bars.iter().copied().fold(0.0, f64::max);
    let step = round_step(if most > 0.0 { most } else { 1.0 }, 3);
    let top = (most / step).ceil().max(1.0) * step;
    for line in 0..=(top / step).round() as u32 {
        let part = f64::from(line) * step;
        let y = plot.bottom() - plot.h * (part / top) as f32;
        pen.line(&[(plot.x, y), (plot.right(), y)], 0.15, GRID, &[]);
        let words = if step >= 0.01 { format!("{:.0} %", part * 100.0) } else { percent(part) };
        pen.text(&words, ChartText::BODY, plot.x - 1.6, y + 0.9, Side::Right);
    }
    let across = plot.w / bars.bars.len() as f32;
    let every = whole_step(bars.bars.len(), 8);
    let mut or_more = Vec::new();
    let mut rest: f64 = bars.bars.iter().sum();
    for (place, chance) in bars.bars.iter().enumerate() {
        let x = plot.x + across * place as f32;
        let height = plot.h * (chance / top) as f32;
        let rect = Rect::new(x + across * 0.06, plot.bottom() - height, across * 0.88, height);
        let name = bars.name(place);
        let is_nothing = place == 0 && bars.width == 1;
        if height > 0.0 {
            let mark = (format!("bar_{place}"), format!("{name}: {}", percent(*chance)));
            pen.bar(rect, if is_nothing { WHITE } else { BAR }, is_nothing, Some(mark));
        }
        let is_last = place + 1 == bars.bars.len();
        if (place % every == 0 && place + every / 2 < bars.bars.len()) || is_last {
            pen.text(&name, ChartText::BODY, x + across / 2.0, plot.bottom() + 3.7, Side::Middle);
        }
        or_more.push((x + across / 2.0, plot.bottom() - plot.h * rest.clamp(0.0, 1.0) as f32));
        rest -= chance;
    }
    pen.line(&[(plot.x, plot.bottom()), (plot.right(), plot.bottom())], 0.25, INK, &[]);
    pen.line(&or_more, 0.4, INK, &[]);
    let tops: Vec<(f32, f32)> = bars
        .bars
        .iter()
        .enumerate()
        .map(|(place, chance)| (plot.x + across * place as f32, plot.bottom() - plot.h * (chance / top) as f32))
        .collect();
    let name = pen.say("as much or more");
    match free_place(&or_more, &tops, across, ChartText::BODY.width(&name), &plot) {
        Some((x, y)) => {
            pen.text(&name, ChartText::BODY, x, y, Side::Left);
            pen.text("100 %", ChartText::BODY, plot.right(), plot.y - 0.8, Side::Right);
        }
        None => pen.text(
            &pen.say("line: as much or more, up to 100 %"),
            ChartText::BODY,
            plot.right(),
            plot.y - 0.8,
            Side::Right,
        ),
    }
}

/// Where the line's name covers neither bars nor the line: its left end and baseline.
fn free_place(line: &[(f32, f32)], tops: &[(f32, f32)], across: f32, wide: f32, plot: &Rect) -> Option<(f32, f32)> {
    const GAP: f32 = 2.0;
    let is_free = |(x, y): (f32, f32)| {
        let (from, to) = (x + GAP, x + GAP + wide + 1.0);
        let bars = tops.iter().filter(|(left, _)| *left < to && left + across > from);
        let points = line.iter().filter(|(x, _)| *x > from - across && *x < to + across);
        to <= plot.right() && bars.chain(points).all(|(_, top)| *top > y - 0.6 || (*top - y).abs() < 0.1)
    };
    line.iter()
        .skip(1)
        .copied()
        .find(|place| place.1 > plot.y + 4.0 && is_free(*place))
        .map(|(x, y)| (x + GAP, y - 1.0))
}
