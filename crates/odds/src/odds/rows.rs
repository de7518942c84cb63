//! The figures of odds as rows of cells, the same in a terminal, a file and the window: one row for each attack, each stretch of a situation's values, each
//! turn.

use moldloft_base::sanitize::shorten_line;

use super::answer::{Bearing, Odds};
use super::curve::MAX_AXIS;
use super::figures::figures;
use super::volley::GaugeOdds;
use super::words::{figure, for_100_points, has_end, percent, runs, span};

/// Most characters of an attack's title.
pub(super) const MAX_ATTACK: usize = 32;
/// Most attacks with a row of their own.
pub const MAX_ROWS: usize = 40;
/// What the last row is about.
pub const ALL_THAT_BEARS: &str = "all that bears";
/// Headings of [`RowFigures::Known`].
pub const FIGURE_COLUMNS: [&str; 5] = ["mean", "8 in 10", "nothing", "destroyed", "for 100 points"];
/// Headings of [`CurveRow::cells`].
pub const CURVE_COLUMNS: [&str; 3] = ["mean", "answer", "trade"];

/// The figures of one attack, or of all.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OddsRow {
    /// The attack, with what it is made for: `laser, port`.
    pub title: String,
    /// Its place in [`Odds::attacks`]; `None`: all that bears.
    pub attack: Option<usize>,
    /// Its cells.
    pub figures: RowFigures,
}

/// The cells of a row of odds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowFigures {
    /// In words, as [`FIGURE_COLUMNS`] names them.
    Known([String; 5]),
    /// It fires at other values of the situation's axis.
    OutOfReach,
    /// A finding says why.
    NotWorkedOut,
}

/// A row for each attack that bears or would at another range, at most [`MAX_ROWS`]; then one for all together. Also how many are left out.
pub fn figure_rows(odds: &Odds) -> (Vec<OddsRow>, usize) {
    let shown: Vec<_> =
        odds.attacks.iter().enumerate().filter(|(_, attack)| attack.bearing != Bearing::Never).collect();
    let mut rows: Vec<OddsRow> = Vec::with_capacity(shown.len().min(MAX_ROWS) + 1);
    for (place, attack) in shown.iter().take(MAX_ROWS) {
        let figures = match attack.bearing {
            Bearing::OutOfReach => RowFigures::OutOfReach,
            _ => row_figures(odds, odds.headline_of(&attack.gauges), attack.failed),
        };
        rows.push(OddsRow { title: shorten_line(attack.title(), MAX_ATTACK), attack: Some(*place), figures });
    }
    let all = row_figures(odds, odds.headline_of(&odds.all), odds.failed);
    rows.push(OddsRow { title: ALL_THAT_BEARS.to_owned(), attack: None, figures: all });
    (rows, shown.len().saturating_sub(MAX_ROWS))
}

fn row_figures(odds: &Odds, gauge: Option<&GaugeOdds<f64>>, failed: bool) -> RowFigures {
    if failed {
        return RowFigures::NotWorkedOut;
    }
    let worth = |mean: f64| for_100_points(mean, odds.attacker.points).map_or_else(|| "–".to_owned(), figure);
    let destroyed = |chance: f64| if has_end(odds) { percent(chance) } else { "–".to_owned() };
    RowFigures::Known(match gauge.map(figures) {
        None => [figure(0.0), "0".to_owned(), percent(1.0), destroyed(0.0), worth(0.0)],
        Some(all) => [figure(all.mean), span(all.middle), percent(all.nothing), destroyed(all.gone), worth(all.mean)],
    })
}

/// A stretch of a situation's values with equal figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurveRow {
    /// `43–51`
    pub values: String,
    /// Place of the first in [`OddsCurve::values`](super::OddsCurve::values).
    pub first: usize,
    pub cells: [String; 3],
}

/// Empty without a curve.
pub fn curve_rows(odds: &Odds) -> Vec<CurveRow> {
    let Some(curve) = &odds.over else { return Vec::new() };
    let number =
        |list: &[Option<f64>], place: usize| list.get(place).copied().flatten().map_or_else(|| "–".to_owned(), figure);
    let cells = |place: usize| [number(&curve.means, place), number(&curve.back, place), number(&curve.trades, place)];
    let rows = runs(&curve.values, cells).into_iter().take(MAX_AXIS);
    rows.map(|(values, first)| CurveRow { values, first, cells: cells(first) }).collect()
}

/// By turn: the probabilities that the target, and that the attacker, is destroyed by then.
pub fn turn_rows(odds: &Odds) -> Vec<[String; 2]> {
    let Some(turns) = &odds.turns else { return Vec::new() };
    let chance = |list: &[f64], turn: usize| list.get(turn).map_or_else(|| "–".to_owned(), |chance| percent(*chance));
    let count = turns.there.out_by.len().max(turns.back.out_by.len());
    (0..count).map(|turn| [chance(&turns.there.out_by, turn), chance(&turns.back.out_by, turn)]).collect()
}
