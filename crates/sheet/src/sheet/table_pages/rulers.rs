//! Rulers and collars to cut out: takes evaluated ships and the page setup, gives pages with each class's own reaches and arcs at
//! their exact size, as many pieces on a page as fit. Nothing is reduced: a ruler longer than the paper is in pieces.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::gauges;
use crate::sheet::assembly::ship_view::with_decimals;
use crate::sheet::layout::minimum_sizes::{INK, LINE_WIDTH, MinimumSizes, RULE_INK, THIN_LINE};
use crate::sheet::layout::pen::{SheetPen, thin_line_style};
use crate::sheet::layout::text_style::{TextStyle, TextStyles};
use crate::sheet::page_setup::PageSetup;
use crate::sheet::page_setup::paper::format_mm;
use moldloft_base::finding::Finding;
use moldloft_drawing::art::Anchor;
use moldloft_drawing::scene::{Bookmark, Page, Paint, PaintStyle, Rect, Stroke};
use moldloft_rules::arcs::Arcs;
use moldloft_rules::evaluate::{Evaluation, ShipRuler};

/// Between two pieces, mm: room for scissors.
const GAP: f32 = 5.0;
/// Ticks of one and of five units, mm.
const TICK: f32 = 2.2;
const LONG_TICK: f32 = 3.6;
/// Units closer than this have ticks, and numbers, at every fifth alone, mm.
const MIN_TICKS: f32 = 1.6;
const MIN_NUMBERS: f32 = 7.0;
/// From the measuring edge to the words of the first row, and above and below the line at the foot, mm.
const ROWS_TOP: f32 = 8.4;
const FOOT: f32 = 4.6;
/// Beside words, mm.
const INSET: f32 = 1.2;
/// Words of several reaches of one distance share a line up to this, mm.
const LONGEST_WORDS: f32 = 60.0;
/// A collar's hole without a token, mm, and what it has more than a token on each side.
const USUAL_TOKEN: (f32, f32) = (20.0, 20.0);
const PLAY: f32 = 0.5;
/// From the hole's corner to the first ring; the width of a ring of arcs, and of the ring with numbers, mm.
const HUB: f32 = 1.5;
const RING: f32 = 5.0;
const NUMBER_RING: f32 = 5.6;
/// Of the words beside a collar, mm.
const KEY_WIDTH: f32 = 62.0;
/// Degrees of a straight piece of a ring.
const PIECE: f32 = 3.0;
const SECTOR: Paint = Paint::grey(226);
/// Letters of arcs; more are numbers.
const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Something to cut out.
enum CutOut<'a> {
    /// The units of a ruler from one to another, the number of the piece and of all.
    Strip {
        ruler: &'a ShipRuler,
        ship: &'a Evaluation,
        units: (u32, u32),
        piece: (u32, u32),
    },
    Collar {
        ruler: &'a ShipRuler,
        ship: &'a Evaluation,
        token: (f32, f32),
        rings: Vec<Ring>,
    },
}

/// Arcs that do not overlap, each with its letter.
#[derive(Default)]
struct Ring(Vec<(Arcs, String, String)>);

/// The pages of the rulers and collars of ships, once for each class and for ships that differ.
pub fn ruler_pages(ships: &[Evaluation], page_setup: &PageSetup) -> (Vec<Page>, Vec<Finding>) {
    let mut findings = Vec::new();
    let mut rulers: Vec<(&Evaluation, ShipRuler, (f32, f32))> = Vec::new();
    for ship in ships {
        let (own, found) = ship.rulers();
        let known = |other: &Finding| findings.iter().any(|finding: &Finding| finding.repeats(other));
        let found: Vec<Finding> = found.into_iter().filter(|finding| !known(finding)).collect();
        findings.extend(found);
        for ruler in own {
            let token = token_size(ship);
            if !rulers.iter().any(|(known, own, size)| known.name == ship.name && *own == ruler && *size == token) {
                rulers.push((ship, ruler, token));
            }
        }
    }
    // Turned so that rulers have the fewest pieces.
    let [upright, turned] = page_setup.printable_areas();
    let paper = if turned.area.w > upright.area.w { turned } else { upright };
    let styles = TextStyles::new(MinimumSizes::default());
    let mut pages: Vec<SheetPen> = Vec::new();
    let (mut x, mut y, mut foot) = (0.0, f32::INFINITY, 0.0_f32);
    for (ship, ruler, token) in &rulers {
        let name = &ship.name;
        for piece in pieces(ship, ruler, *token, paper.area.w, &mut findings) {
            let size = piece.size(&styles);
            if size.0 > paper.area.w + 0.05 || size.1 > paper.area.h + 0.05 {
                let what = format!("{} paper has no room for the ruler and collar of {name}", page_setup.paper);
                findings.push(Finding::error("paper-too-small", what).help("use larger paper or smaller margins"));
                continue;
            }
            if x + size.0 > paper.area.right() + 0.05 {
                (x, y) = (paper.area.x, foot + GAP);
            }
            if pages.is_empty() || y + size.1 > paper.area.bottom() + 0.05 {
                pages.push(SheetPen::new(styles, (0.0, 0.0)));
                (x, y, foot) = (paper.area.x, paper.area.y, paper.area.y);
            }
            if let Some(pen) = pages.last_mut() {
                piece.draw((x, y), pen);
            }
            (x, foot) = (x + size.0 + GAP, foot.max(y + size.1));
        }
    }
    let (width, height) = paper.page;
    let page = |(n, pen): (usize, SheetPen)| {
        let of = rulers.first().map(|(ship, ..)| *ship);
        let title = of.map_or_else(String::new, |ship| ship.say("rulers"));
        let title = if n == 0 { title } else { format!("{title}, {}", n + 1) };
        Page { width, height, bookmarks: vec![Bookmark { depth: 0, title }], items: pen.finish(), ..Page::default() }
    };
    (pages.into_iter().enumerate().map(page).collect(), findings)
}

/// Of the counter that stands for the ship.
fn token_size(ship: &Evaluation) -> (f32, f32) {
    let token = ship.ruleset.counters.iter().find(|counter| counter.is_ship);
    let drawn = token.and_then(|token| ship.counters.iter().find(|counter| counter.id == token.id));
    drawn.map_or(USUAL_TOKEN, |counter| counter.size)
}

fn pieces<'a>(
    ship: &'a Evaluation,
    ruler: &'a ShipRuler,
    token: (f32, f32),
    width: f32,
    findings: &mut Vec<Finding>,
) -> Vec<CutOut<'a>> {
    let mut all = Vec::new();
    let far = ruler.reaches.iter().flat_map(|reach| &reach.at).copied().max().unwrap_or(0);
    let each = ((width / unit(ruler) + 1e-3).floor() as u32).max(1);
    let count = far.div_ceil(each);
    for n in 0..count {
        let units = (n * each, far.min((n + 1) * each));
        all.push(CutOut::Strip { ruler, ship, units, piece: (n + 1, count) });
    }
    let mut rings: Vec<Ring> = Vec::new();
    let mut sectors: Vec<(Arcs, String)> = Vec::new();
    for reach in ruler.reaches.iter().filter(|reach| !reach.arcs.is_empty()) {
        let Some(arcs) = Arcs::parse(&reach.arcs, &Vec::new()) else {
            let name = &ship.name;
            let message = format!("{name}: cannot read the arcs of {}: {}", reach.label, reach.arcs);
            let help = "write degrees clockwise from the bow, such as `300-60`, or words such as `port`";
            findings.push(Finding::warning("not-measured", message).help(help));
            continue;
        };
        match sectors.iter_mut().find(|(known, _)| *known == arcs) {
            Some((_, label)) if label.split(", ").any(|known| known == reach.label) => {}
            Some((_, label)) => *label = format!("{label}, {}", reach.label),
            None => sectors.push((arcs, reach.label.clone())),
        }
    }
    for (n, (arcs, label)) in sectors.into_iter().enumerate() {
        let letter = LETTERS.get(n).map_or_else(|| (n + 1).to_string(), |letter| char::from(*letter).to_string());
        let is_free = |ring: &Ring| ring.0.iter().all(|(taken, ..)| !overlap(taken, &arcs));
        match rings.iter().position(is_free) {
            Some(ring) => rings[ring].0.push((arcs, letter, label)),
            None => rings.push(Ring(vec![(arcs, letter, label)])),
        }
    }
    if !rings.is_empty() || ruler.points > 0 {
        all.push(CutOut::Collar { ruler, ship, token, rings });
    }
    all
}

/// Whether two have more than an edge in common.
fn overlap(a: &Arcs, b: &Arcs) -> bool {
    (0..360).any(|degree| inside(a, degree) && inside(b, degree))
}

/// Whether the degree that begins at this one is within the arcs.
fn inside(arcs: &Arcs, degree: u16) -> bool {
    arcs.0.iter().any(|&(from, to)| (i32::from(degree) - i32::from(from)).rem_euclid(360) < width_of(from, to))
}

fn width_of(from: u16, to: u16) -> i32 {
    match (i32::from(to) - i32::from(from)).rem_euclid(360) {
        0 => 360,
        wide => wide,
    }
}

/// Of one unit, mm.
fn unit(ruler: &ShipRuler) -> f32 {
    ruler.tenths as f32 / 10.0
}

/// Reaches of one distance on a strip: their place, a line of their words with its ends, its row, and whether it stands before the mark.
struct StripMark {
    x: f32,
    from: f32,
    to: f32,
    words: String,
    row: usize,
    is_before: bool,
}

/// The marks of a strip, words in the highest row that has room.
fn strip_marks(ruler: &ShipRuler, units: (u32, u32), styles: &TextStyles) -> Vec<StripMark> {
    let mut at: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    for reach in &ruler.reaches {
        for place in reach.at.iter().filter(|at| **at > units.0 && **at <= units.1) {
            at.entry(*place).or_default().push(&reach.label);
        }
    }
    let mut marks: Vec<StripMark> = Vec::new();
    let mut before = 0.0;
    for (place, names) in at {
        let x = (place - units.0) as f32 * unit(ruler);
        let wide = |words: &str| styles.body.width(words) + INSET;
        // Words stand before their mark, clear of the one before, if each of the names has room there.
        let room = (x - before - INSET).min(LONGEST_WORDS);
        let is_narrow = names.iter().any(|name| wide(name) > room);
        let room = if is_narrow { LONGEST_WORDS } else { room };
        let mut lines: Vec<String> = Vec::new();
        for name in names {
            match lines.last_mut() {
                Some(line) if wide(&format!("{line}, {name}")) <= room => *line = format!("{line}, {name}"),
                _ => lines.push(name.to_owned()),
            }
        }
        for words in lines {
            let is_before = x >= wide(&words);
            let (from, to) = if is_before { (x - wide(&words), x) } else { (x, x + wide(&words)) };
            // Words cover neither others nor the line of a mark, in the highest row where that is so.
            let covers = |mark: &StripMark, row: usize| match mark.row.cmp(&row) {
                Ordering::Equal => mark.from < to + INSET && from < mark.to + INSET,
                Ordering::Greater => mark.x != x && from - INSET < mark.x && mark.x < to,
                Ordering::Less => mark.x != x && mark.from < x && x < mark.to,
            };
            let rows = marks.iter().map(|mark| mark.row + 1).max().unwrap_or(0);
            let is_free = |row: &usize| !marks.iter().any(|mark| covers(mark, *row));
            let row = (0..rows).find(is_free).unwrap_or(rows);
            marks.push(StripMark { x, from, to, words, row, is_before });
        }
        before = x;
    }
    marks
}

/// What stands at the foot of a strip.
fn strip_foot(ruler: &ShipRuler, ship: &Evaluation, (piece, count): (u32, u32)) -> String {
    let mm = with_decimals(ship.ruleset.words.as_deref(), &format_mm(unit(ruler)));
    let scale = format!("{} = {mm} mm", ship.say(&format!("1 {}", singular(&ruler.unit))));
    let piece =
        if count > 1 { format!(" · {}", ship.say(&format!("piece {piece} of {count}"))) } else { String::new() };
    format!("{} · {scale}{piece}", ship.name)
}

/// The words beside a collar, in lines.
fn key_lines(
    ruler: &ShipRuler,
    ship: &Evaluation,
    token: (f32, f32),
    rings: &[Ring],
    styles: &TextStyles,
) -> Vec<(String, TextStyle)> {
    let [wide, high] = [token.0, token.1].map(|side| with_decimals(ship.ruleset.words.as_deref(), &format_mm(side)));
    let token = format!("{} {wide} × {high} mm", ship.say("for a token of"));
    let mut all =
        vec![(ship.name.to_string(), styles.value), (format!("{}, {token}", ship.say(&ruler.label)), styles.label)];
    all.extend(
        rings.iter().flat_map(|ring| &ring.0).map(|(_, letter, label)| (format!("{letter}  {label}"), styles.body)),
    );
    if rings.is_empty() {
        all.push((ship.say("the rules name no arcs for it: draw yours into the empty ring"), styles.label));
    }
    if !ruler.assumed.is_empty() {
        let notes: Vec<String> = ruler.assumed.iter().map(|note| ship.say(note)).collect();
        all.push((format!("{} {}", ship.say("assumed:"), notes.join("; ")), styles.small));
    }
    all.into_iter()
        .flat_map(|(words, style)| style.wrap(&words, KEY_WIDTH).into_iter().map(move |line| (line, style)))
        .collect()
}

impl CutOut<'_> {
    fn size(&self, styles: &TextStyles) -> (f32, f32) {
        match self {
            Self::Strip { ruler, ship, units, piece } => {
                let marks = strip_marks(ruler, *units, styles);
                let rows = marks.iter().map(|mark| mark.row + 1).max().unwrap_or(0);
                let mut length = (units.1 - units.0) as f32 * unit(ruler);
                // The last piece is as long as its words; the others end where the next begins.
                if piece.0 == piece.1 {
                    let after = marks.iter().filter(|mark| !mark.is_before);
                    let ends = after.map(|mark| mark.x + styles.body.width(&mark.words) + 2.0 * INSET);
                    let foot = styles.small.width(&strip_foot(ruler, ship, *piece)) + 2.0 * INSET;
                    length = ends.fold(length.max(foot), f32::max);
                }
                (length, ROWS_TOP + rows as f32 * styles.body.line_height() + FOOT)
            }
            Self::Collar { ruler, ship, token, rings } => {
                let side = 2.0 * outer_radius(*token, rings, ruler);
                let key: f32 =
                    key_lines(ruler, ship, *token, rings, styles).iter().map(|(_, style)| style.line_height()).sum();
                (side + GAP + KEY_WIDTH, side.max(key))
            }
        }
    }

    fn draw(&self, corner: (f32, f32), pen: &mut SheetPen) {
        match self {
            Self::Strip { ruler, ship, units, piece } => {
                draw_strip(ruler, ship, *units, *piece, corner, self.size(&pen.styles), pen)
            }
            Self::Collar { ruler, ship, token, rings } => draw_collar(ruler, ship, *token, rings, corner, pen),
        }
    }
}

fn draw_strip(
    ruler: &ShipRuler,
    ship: &Evaluation,
    units: (u32, u32),
    piece: (u32, u32),
    (x, y): (f32, f32),
    size: (f32, f32),
    pen: &mut SheetPen,
) {
    let (styles, each) = (pen.styles, unit(ruler));
    let at = |units_on: u32| x + (units_on - units.0) as f32 * each;
    let outline = Rect::new(x, y, size.0, size.1);
    pen.rect(outline, 0.0, thin_line_style(), None);
    let is_shown = |n: u32| each >= MIN_TICKS || n.is_multiple_of(5);
    let ticks = (units.0..=units.1).filter(|n| is_shown(*n));
    pen.lines(ticks.map(|n| [at(n), y, at(n), y + if n.is_multiple_of(5) { LONG_TICK } else { TICK }]), THIN_LINE, INK);
    let is_numbered = |n: &u32| *n > units.0 && (each >= MIN_NUMBERS || n.is_multiple_of(5));
    for n in (units.0..=units.1).filter(is_numbered) {
        let (anchor, place) = if n == units.1 { (Anchor::End, at(n) - 0.6) } else { (Anchor::Middle, at(n)) };
        pen.text(
            &n.to_string(),
            styles.quiet_value,
            place,
            y + LONG_TICK + styles.quiet_value.cap_height() + 0.5,
            anchor,
        );
    }
    let marks = strip_marks(ruler, units, &styles);
    let baseline = |row: usize| y + ROWS_TOP + row as f32 * styles.body.line_height() + styles.body.cap_height();
    // At the edge, then below the numbers.
    pen.lines(marks.iter().map(|mark| [x + mark.x, y, x + mark.x, y + LONG_TICK]), LINE_WIDTH, INK);
    let below = y + ROWS_TOP - 0.6;
    pen.lines(marks.iter().map(|mark| [x + mark.x, below, x + mark.x, baseline(mark.row)]), LINE_WIDTH, INK);
    for place in marks.iter().map(|mark| x + mark.x) {
        pen.triangle([(place, y), (place - 0.8, y + 2.0), (place + 0.8, y + 2.0)], INK);
    }
    for mark in &marks {
        let (place, anchor) = match mark.is_before {
            true => (x + mark.x - INSET, Anchor::End),
            false => (x + mark.x + INSET, Anchor::Start),
        };
        pen.text(&mark.words, styles.body, place, baseline(mark.row), anchor);
    }
    let words = styles.small.truncate(&strip_foot(ruler, ship, piece), size.0 - 2.0 * INSET);
    pen.text(&words, styles.small, x + INSET, y + size.1 - 1.3, Anchor::Start);
}

/// Half the diagonal of the hole.
fn hole_radius(token: (f32, f32)) -> f32 {
    (token.0 / 2.0 + PLAY).hypot(token.1 / 2.0 + PLAY)
}

fn outer_radius(token: (f32, f32), rings: &[Ring], ruler: &ShipRuler) -> f32 {
    // Without arcs a ring to draw them in.
    let numbers = if ruler.points > 0 { NUMBER_RING } else { 0.0 };
    hole_radius(token) + HUB + RING * rings.len().max(1) as f32 + numbers
}

fn draw_collar(
    ruler: &ShipRuler,
    ship: &Evaluation,
    token: (f32, f32),
    rings: &[Ring],
    corner: (f32, f32),
    pen: &mut SheetPen,
) {
    let (styles, radius) = (pen.styles, outer_radius(token, rings, ruler));
    let middle = (corner.0 + radius, corner.1 + radius);
    let point = move |radius: f32, degrees: f32| gauges::point(middle, radius, degrees);
    let along = move |radius: f32, from: f32, wide: f32| {
        let pieces = (wide / PIECE).ceil().max(1.0) as u16;
        (0..=pieces).map(move |n| point(radius, from + wide * f32::from(n) / f32::from(pieces)))
    };
    let outline = PaintStyle { fill: None, stroke: Some(Stroke::new(INK, LINE_WIDTH)) };
    pen.circle(middle.0, middle.1, radius, outline.clone(), None);
    let hole = (token.0 + 2.0 * PLAY, token.1 + 2.0 * PLAY);
    // A long token lies along the ship.
    let (across, down) = if hole.0 > hole.1 * 1.3 { (hole.1, hole.0) } else { hole };
    pen.rect(Rect::new(middle.0 - across / 2.0, middle.1 - down / 2.0, across, down), 0.0, outline, None);
    let mut inner = hole_radius(token) + HUB;
    for ring in rings {
        for (arcs, letter, _) in &ring.0 {
            for &(from, to) in &arcs.0 {
                let (from, wide) = (f32::from(from), width_of(from, to) as f32);
                let outer: Vec<_> = along(inner + RING - 0.4, from, wide).collect();
                let mut back: Vec<_> = along(inner, from, wide).collect();
                back.reverse();
                pen.fill(std::iter::once(outer.into_iter().chain(back).collect()), SECTOR);
                let sides = [from, from + wide].map(|side| {
                    let (a, b) = (point(inner, side), point(radius, side));
                    [a.0, a.1, b.0, b.1]
                });
                pen.lines(sides.into_iter().filter(|_| wide < 360.0), LINE_WIDTH, INK);
                let (x, y) = point(inner + RING / 2.0 - 0.2, from + wide / 2.0);
                pen.text_centred(letter, styles.value, x, y, None);
            }
        }
        inner += RING;
    }
    if ruler.points > 0 {
        let (count, inside) = (u16::from(ruler.points), radius - NUMBER_RING);
        pen.circle(
            middle.0,
            middle.1,
            inside,
            PaintStyle { fill: None, stroke: Some(Stroke::new(RULE_INK, THIN_LINE)) },
            None,
        );
        for n in 1..=count {
            let degrees = f32::from(n) * 360.0 / f32::from(count);
            let (x, y) = point(inside + NUMBER_RING / 2.0, degrees);
            let (a, b) = (point(inside, degrees), point(inside + 0.9, degrees));
            pen.line(a, b, THIN_LINE, INK);
            pen.text_centred(&n.to_string(), styles.quiet_value, x, y, None);
        }
    }
    // The bow, between token and rings.
    let tip = hole_radius(token) + HUB - 0.3;
    let foot = |side: f32| (middle.0 + side, middle.1 - tip + 1.9);
    pen.triangle([(middle.0, middle.1 - tip), foot(-1.4), foot(1.4)], INK);
    let (x, mut y) = (corner.0 + 2.0 * radius + GAP, corner.1);
    for (line, style) in key_lines(ruler, ship, token, rings, &styles) {
        y += style.line_height();
        pen.text(&line, style, x, y - 0.3 * style.size.mm(), Anchor::Start);
    }
}

/// `MU`, `inch`, `hex`: one of a unit.
fn singular(unit: &str) -> &str {
    let is_hissed = |stem: &&str| ["x", "ch", "sh", "s"].iter().any(|end| stem.ends_with(end));
    unit.strip_suffix("es").filter(is_hissed).or_else(|| unit.strip_suffix('s')).unwrap_or(unit)
}
