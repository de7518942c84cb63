//! All against all: a cell for each pair with the trade at equal points and the mean, grey where the attacker gains.

use moldloft_base::sanitize::plural;
use moldloft_base::words::Words;
use moldloft_drawing::scene::{Page, Rect};
use moldloft_odds::odds::OddsMatrix;
use moldloft_odds::odds::words::{figure, matrix_exactness, matrix_situation_line, narrow_figure, ship_title};

use super::page::{MARGIN, WIDTH, draw_foot, draw_head};
use super::pen::{ChartPen, ChartText, GRID, MIN_TEXT, QUIET, SHADE, Side, WHITE, wrap};

/// Trades from this on are grey.
const GAIN: f64 = 1.05;
/// Width of the names on the left, mm.
const NAMES: f32 = 40.0;
/// Widest cell, mm.
const MAX_CELL: f32 = 30.0;

pub fn matrix_page(matrix: &OddsMatrix, words: Option<&Words>) -> Page {
    let mut pen = ChartPen::new(words, matrix.ships.iter().map(|ship| &*ship.name).collect());
    let rules = &matrix.ruleset.attack_rules;
    let title = pen.say(format!("{}: who trades well", matrix.ruleset.base.title));
    let layers = matrix.ruleset.layers_title();
    let second = pen.say("one turn of fire, ships unhurt");
    draw_head(&mut pen, WIDTH, &title, &[second, layers]);
    let inner = WIDTH - 2.0 * MARGIN;
    let mut y = 17.6;
    for line in wrap(&pen.say(matrix_situation_line(matrix)), ChartText::QUIET, inner).iter().take(3) {
        pen.text(line, ChartText::QUIET, MARGIN, y, Side::Left);
        y += 3.4;
    }
    let count = matrix.ships.len().max(1);
    let cell = ((inner - NAMES) / count as f32).min(MAX_CELL);
    let left = MARGIN + NAMES;
    let names: Vec<String> = matrix.ships.iter().map(|ship| ship_title(&ship.name)).collect();
    let is_wide = names.iter().any(|name| ChartText::STRONG.width(name) > cell - 1.5);
    pen.text(&pen.say("target"), ChartText::QUIET, left + cell * count as f32 / 2.0, y + 1.0, Side::Middle);
    let top = if is_wide {
        let longest = names.iter().map(|name| ChartText::STRONG.width(name)).fold(0.0, f32::max).min(34.0);
        y + 4.0 + longest
    } else {
        y + 10.5
    };
    let row = if cell < 16.0 { 8.6 } else { 11.6 };
    let points = |points: Option<i64>| points.map_or_else(String::new, |points| plural(points, "point"));
    let costs: Vec<String> = matrix.ships.iter().map(|ship| pen.say(points(ship.points))).collect();
    for (place, (cost, name)) in costs.iter().zip(&names).enumerate() {
        let x = left + cell * place as f32;
        if is_wide {
            pen.text_upwards(
                &super::pen::fit(name, ChartText::STRONG, 34.0),
                ChartText::STRONG,
                x + cell / 2.0 + 0.9,
                top - 1.4,
            );
        } else {
            pen.text(name, ChartText::STRONG, x + cell / 2.0, top - 5.2, Side::Middle);
            pen.text(cost, ChartText::QUIET, x + cell / 2.0, top - 1.6, Side::Middle);
        }
        let y = top + row * place as f32;
        pen.text_within(name, ChartText::STRONG, (MARGIN, y + row * 0.42), NAMES - 2.0, Side::Left);
        pen.text_within(cost, ChartText::QUIET, (MARGIN, y + row * 0.42 + 3.4), NAMES - 2.0, Side::Left);
    }
    let small = ChartText { size: 2.3_f32.min(cell * 0.33).max(MIN_TEXT), paint: QUIET, ..ChartText::BODY };
    let gauge = matrix.headline.and_then(|gauge| rules.gauges.get(gauge)).map_or("", |gauge| &*gauge.label);
    let gauge = pen.say(gauge);
    for (number, cells) in matrix.cells.iter().enumerate() {
        for (place, one) in cells.iter().enumerate() {
            let rect = Rect::new(left + cell * place as f32, top + row * number as f32, cell, row);
            let gains = one.trade.is_some_and(|trade| trade >= GAIN);
            let label = pen.say_pair(&names[number], names.get(place).map_or("", |name| name));
            pen.bar(rect, if gains { SHADE } else { WHITE }, false, Some((format!("cell_{number}_{place}"), label)));
            let middle = rect.x + cell / 2.0;
            let big = if gains { ChartText::STRONG } else { ChartText::BODY };
            let big = ChartText { size: 3.6_f32.min(cell * 0.42).max(MIN_TEXT), ..big };
            let trade = one.trade.map_or_else(|| "–".to_owned(), narrow_figure);
            pen.text(&trade, big, middle, rect.y + row * 0.45, Side::Middle);
            let mean = one.mean.map_or_else(|| "–".to_owned(), figure);
            let with_gauge = format!("{mean} {gauge}");
            let words = if small.width(&with_gauge) < cell - 1.5 { with_gauge } else { mean };
            pen.text(&words, small, middle, rect.y + row * 0.84, Side::Middle);
        }
    }
    let (right, bottom) = (left + cell * count as f32, top + row * count as f32);
    for line in 0..=count {
        let (x, y) = (left + cell * line as f32, top + row * line as f32);
        pen.line(&[(x, top), (x, bottom)], 0.2, GRID, &[]);
        pen.line(&[(left, y), (right, y)], 0.2, GRID, &[]);
    }
    let legend = format!(
        "Large: points destroyed for each point lost at equal points; grey: the attacker gains. Small: {gauge} a turn, one ship."
    );
    let mut y = bottom + 1.5;
    for line in wrap(&pen.say(legend), ChartText::FOOT, inner) {
        y += 3.0;
        pen.text(&line, ChartText::FOOT, MARGIN, y, Side::Left);
    }
    let exactness = matrix_exactness(matrix);
    let foot =
        draw_foot(&mut pen, WIDTH, &exactness, &matrix.assumed, &matrix.not_counted, &matrix.ruleset.version, y + 1.8);
    Page { width: WIDTH, height: foot + MARGIN, items: pen.items, bookmarks: vec![title.into()], ..Page::default() }
}
