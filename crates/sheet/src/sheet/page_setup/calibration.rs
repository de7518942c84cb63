//! The calibration page: takes the page setup, gives two pages with rulers across and down, squares that show what a
//! printer leaves white, a cross on the first side, scales on the second, and instructions. Knows no printer and stores
//! nothing.

use super::paper::Paper;
use crate::sheet::layout::minimum_sizes::{INK, MinimumSizes, QUIET_INK, THIN_LINE};
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::{TextRole, TextStyle, TextStyles};
use crate::sheet::page_setup::PageSetup;
use moldloft_base::words::{Words, in_words};
use moldloft_drawing::art::Anchor;
use moldloft_drawing::fonts::FontFace;
use moldloft_drawing::scene::{Meta, Page, PageRole, Scene};

/// Minimum width of the paper, mm: on less there is no room for the instructions.
pub const MIN_PAPER_WIDTH: f32 = 100.0;

/// Lengths across and down, mm: the largest multiples of 50 mm that the paper holds.
pub fn ruler_lengths(paper: Paper) -> (f32, f32) {
    let (w, h) = portrait_size(paper);
    let long = |side: f32| ((side - 9.9) / 50.0).floor().max(1.0) * 50.0;
    (long(w), long(h))
}

fn portrait_size(paper: Paper) -> (f32, f32) {
    let (w, h) = paper.size();
    (w.min(h), w.max(h))
}

/// Both sides of the page. `then`: what to do with what was measured, in the words of the face.
pub fn calibration_scene(page_setup: &PageSetup, then: &str, words: Option<&Words>) -> Scene {
    let say = |text: &str| in_words(words, text);
    let (width, height) = portrait_size(page_setup.paper);
    let page = |items, role| Page { width, height, items, role, ..Page::default() };
    let meta = Meta { title: say(&format!("calibration page, {}", page_setup.paper)), ..Meta::default() };
    Scene {
        meta,
        pages: vec![
            page(draw_front(page_setup, then, &say), PageRole::Single),
            page(draw_back(page_setup, &say), PageRole::Back),
        ],
    }
}

fn new_calibration_pen() -> SheetPen {
    SheetPen::new(TextStyles::new(MinimumSizes::default()), (0.0, 0.0))
}

fn draw_front(
    page_setup: &PageSetup,
    then: &str,
    say: &dyn Fn(&str) -> String,
) -> Vec<moldloft_drawing::scene::SceneItem> {
    let mut pen = new_calibration_pen();
    let (w, h) = portrait_size(page_setup.paper);
    let (across, down) = ruler_lengths(page_setup.paper);
    draw_title(&say(&format!("Calibration page, {}", page_setup.paper)), w, &mut pen);
    draw_ruler_across(((w - across) / 2.0, h * 0.3), across, &mut pen);
    draw_ruler_down((w * 0.2, (h - down) / 2.0), down, &mut pen);
    draw_corner_lines(w, h, &mut pen);
    draw_cross((w / 2.0, h / 2.0), 15.0, &say("pin here"), &mut pen);
    let words = [
        format!(
            "Print this page on both sides, turned over along the {}, at 100 % (“actual size”). Wrong sizes usually come from “fit to page” in the printer's dialog: switch it off, and print this page again.",
            page_setup.turn.edge_name()
        ),
        format!("Across and down: measure both rulers from 0 to the end. They should be {across} mm and {down} mm long."),
        "Margin: at the corners, the smallest number with a complete line is the printer's white margin.".to_owned(),
        "Second side: push a pin through the middle of the cross, or hold the sheet to the light, and read its position on the back.".to_owned(),
        then.to_owned(),
    ];
    draw_text_block(&words.map(|text| say(&text)), (w * 0.2 + 16.0, h * 0.5 + 22.0), w * 0.8 - 32.0, &mut pen);
    pen.items
}

fn draw_back(page_setup: &PageSetup, say: &dyn Fn(&str) -> String) -> Vec<moldloft_drawing::scene::SceneItem> {
    let mut pen = new_calibration_pen();
    let (w, h) = portrait_size(page_setup.paper);
    draw_title(&say("Calibration page, second side"), w, &mut pen);
    let (x, y) = (w / 2.0, h / 2.0);
    let reach = 10_i16;
    let style = pen.styles.small;
    let ticks = (-reach * 2..=reach * 2).flat_map(|half| {
        let at = f32::from(half) / 2.0;
        let long = match half {
            _ if half % 10 == 0 => 3.0,
            _ if half % 2 == 0 => 2.0,
            _ => 1.1,
        };
        [[x + at, y - long, x + at, y + long], [x - long, y + at, x + long, y + at]]
    });
    let r = f32::from(reach);
    pen.lines(ticks.chain([[x - r, y, x + r, y], [x, y - r, x, y + r]]), 0.12, INK);
    for at in [-reach, reach] {
        let figure = if at < 0 { format!("−{}", -at) } else { format!("+{at}") };
        pen.text(&figure, style, x + f32::from(at), y - 4.0, Anchor::Middle);
        pen.text(&figure, style, x + 4.2, y + f32::from(at) + style.cap_height() / 2.0, Anchor::Start);
    }
    let words = [
        "Where is the cross of the first side on these scales? The lines are half a millimetre apart.".to_owned(),
        "First number: + to the right of the middle, − to the left. Second number: + below the middle, − above. Half a millimetre to the right and one above is 0.5,-1.".to_owned(),
        "In the middle: backs and fronts match as they are.".to_owned(),
    ];
    draw_text_block(&words.map(|text| say(&text)), (w * 0.2 + 16.0, h * 0.5 + 22.0), w * 0.8 - 32.0, &mut pen);
    pen.items
}

fn draw_title(words: &str, width: f32, pen: &mut SheetPen) {
    let size = pen.styles.minimums.text_size(14.0, TextRole::Play);
    let style = TextStyle { face: FontFace::SemiBold, size, paint: INK, spacing: 0.0 };
    pen.text(words, style, width / 2.0, 21.0, Anchor::Middle);
}

fn draw_text_block(words: &[String], (x, mut y): (f32, f32), width: f32, pen: &mut SheetPen) {
    let style = pen.styles.body;
    for words in words {
        for line in style.wrap(words, width) {
            pen.text(&line, style, x, y, Anchor::Start);
            y += style.line_height();
        }
        y += 1.6;
    }
}

/// A mark per millimetre, longer at fives and tens.
fn ruler_ticks(length: f32) -> impl Iterator<Item = (f32, f32)> {
    (0..=length as u16).map(|mm| {
        let long = match mm {
            _ if mm % 10 == 0 => 4.0,
            _ if mm % 5 == 0 => 3.0,
            _ => 2.0,
        };
        (f32::from(mm), long)
    })
}

fn draw_ruler_across((x, y): (f32, f32), length: f32, pen: &mut SheetPen) {
    let lines = ruler_ticks(length).map(|(mm, long)| [x + mm, y - long, x + mm, y]);
    pen.lines(lines.chain([[x, y, x + length, y]]), THIN_LINE, INK);
    let style = pen.styles.small.with_paint(QUIET_INK);
    for ten in 0..=(length as u16 / 10) {
        let mm = f32::from(ten) * 10.0;
        pen.text(&format!("{mm}"), style, x + mm, y + 3.4, Anchor::Middle);
    }
}

fn draw_ruler_down((x, y): (f32, f32), length: f32, pen: &mut SheetPen) {
    let lines = ruler_ticks(length).map(|(mm, long)| [x, y + mm, x + long, y + mm]);
    pen.lines(lines.chain([[x, y, x, y + length]]), THIN_LINE, INK);
    let style = pen.styles.small.with_paint(QUIET_INK);
    for ten in 0..=(length as u16 / 10) {
        let mm = f32::from(ten) * 10.0;
        pen.text(&format!("{mm}"), style, x - 1.2, y + mm + style.cap_height() / 2.0, Anchor::End);
    }
}

fn draw_cross((x, y): (f32, f32), arm: f32, words: &str, pen: &mut SheetPen) {
    pen.lines([[x - arm, y, x + arm, y], [x, y - arm, x, y + arm]].into_iter(), 0.12, INK);
    pen.text(words, pen.styles.small.with_paint(QUIET_INK), x + 1.5, y - 1.5, Anchor::Start);
}

/// Lines at every corner at set distances from both edges, in mm, each a little longer than the one outside it.
fn draw_corner_lines(w: f32, h: f32, pen: &mut SheetPen) {
    const FROM: [f32; 7] = [2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];
    let style = pen.styles.small;
    let mut lines = Vec::new();
    for (n, d) in FROM.into_iter().enumerate() {
        let reach = 12.0 + 3.2 * n as f32;
        for (left, x) in [(true, d), (false, w - d)] {
            for (top, y) in [(true, d), (false, h - d)] {
                let (ex, ey) = (if left { reach } else { w - reach }, if top { reach } else { h - reach });
                lines.extend([[x, y, ex, y], [x, y, x, ey]]);
                let anchor = if left { Anchor::Start } else { Anchor::End };
                let out = if left { 0.5 } else { -0.5 };
                pen.text(&format!("{d}"), style, ex + out, y + style.cap_height() / 2.0, anchor);
                let down = if top { style.cap_height() + 0.6 } else { -0.6 };
                pen.text(&format!("{d}"), style, x, ey + down, Anchor::Middle);
            }
        }
    }
    pen.lines(lines.into_iter(), 0.12, INK);
}
