//! Checks of a page as a whole: takes its ink, gives faults of sizes, weights, labels, headings and of its use.

use std::collections::BTreeMap;

use super::faults::{
    LABELS_ONE_IN, MAX_SIZES, MAX_WEIGHTS, MIN_BODY_POINTS, MIN_USED, TypographyCheck, TypographyFault,
};
use super::ink::{InkLine, InkText, PageInk};
use moldloft_drawing::fonts::FontFace;
use moldloft_drawing::scene::Rect;

/// Sizes that differ by less are one, pt.
const SAME_SIZE: f32 = 0.15;
/// With fewer characters a page has no share of labels.
const MIN_CHARACTERS: usize = 200;
/// A small text of at most so many letters is a sign, such as those in boxes.
const MAX_SIGN_CHARACTERS: usize = 2;
/// A text of so many words is a sentence, no label.
const MIN_SENTENCE_WORDS: usize = 6;
/// Gaps up to this height between lines and rows count as used, mm.
const USED_GAP: f32 = 9.0;
/// A page's foot: credits and page numbers, mm from its edge.
const FOOT: f32 = 20.0;
/// The first row of a heading begins within this distance, mm.
const HEADING_REACH: f32 = 32.0;
/// From a heading to the first line to write on below it, at least, mm.
const WRITING_BELOW: f32 = 4.0;
/// A heading without a rule is at least so wide, mm.
const MIN_HEADING_WIDTH: f32 = 25.0;
/// Height of the bands in which the content under a heading is looked up, mm.
const BAND: f32 = 8.0;
/// The most headings and pieces of content that are compared on a page.
const MAX_COMPARED: usize = 2_000_000;

fn fault(check: TypographyCheck, at: (f32, f32), text: &str, message: String) -> TypographyFault {
    TypographyFault { check, at, text: text.to_owned(), message }
}

fn corner(text: &InkText) -> (f32, f32) {
    (text.extent.x, text.extent.bottom())
}

pub(super) fn check_cut_texts(ink: &PageInk) -> Vec<TypographyFault> {
    let cut = ink.texts.iter().filter(|text| text.words.trim_end().ends_with('…'));
    cut.map(|text| {
        let (x, y) = corner(text);
        let message = format!("“{}” is cut at {x:.1}, {y:.1} mm", text.words);
        fault(TypographyCheck::TextCut, (x, y), &text.words, message)
    })
    .collect()
}

/// The sizes on a page, each with its first text, largest first.
fn sizes<'a>(texts: &[&'a InkText]) -> Vec<(f32, &'a InkText)> {
    let mut sizes: Vec<(f32, &InkText)> = texts.iter().map(|text| (text.points, *text)).collect();
    sizes.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.order.cmp(&b.1.order)));
    sizes.dedup_by(|a, b| (a.0 - b.0).abs() < SAME_SIZE);
    sizes
}

pub(super) fn check_sizes(texts: &[&InkText]) -> Option<TypographyFault> {
    let sizes = sizes(texts);
    if sizes.len() <= MAX_SIZES {
        return None;
    }
    let shown: Vec<String> =
        sizes.iter().take(12).map(|(points, text)| format!("{points:.1} pt “{}”", shortened(&text.words))).collect();
    let message = format!("{} text sizes, the limit is {MAX_SIZES}: {}", sizes.len(), shown.join(", "));
    let (_, text) = sizes[MAX_SIZES];
    Some(fault(TypographyCheck::TextSizes, corner(text), "", message))
}

fn shortened(words: &str) -> String {
    if words.chars().count() <= 18 { words.to_owned() } else { words.chars().take(16).chain(['…']).collect() }
}

pub(super) fn check_weights(texts: &[&InkText]) -> Option<TypographyFault> {
    let mut weights: BTreeMap<u16, &InkText> = BTreeMap::new();
    for text in texts.iter().filter(|text| text.face != FontFace::Fallback) {
        weights.entry(text.face.weight()).or_insert(text);
    }
    let text = weights.values().last().filter(|_| weights.len() > MAX_WEIGHTS)?;
    let shown: Vec<String> =
        weights.iter().map(|(weight, text)| format!("{weight} “{}”", shortened(&text.words))).collect();
    let message = format!("{} weights, the limit is {MAX_WEIGHTS}: {}", weights.len(), shown.join(", "));
    Some(fault(TypographyCheck::TextWeights, corner(text), "", message))
}

fn characters(text: &InkText) -> usize {
    text.words.chars().filter(|c| c.is_alphanumeric()).count()
}

fn is_small(text: &InkText) -> bool {
    text.points < MIN_BODY_POINTS - 0.02
}

/// Sentences in small text, apart from those at a page's foot.
pub(super) fn check_sentences(ink: &PageInk) -> Vec<TypographyFault> {
    let has_letters = |word: &&str| word.chars().any(char::is_alphabetic);
    let small = ink.texts.iter().filter(|text| is_small(text) && !is_in_foot(ink, &text.extent));
    small
        .filter(|text| text.words.split_whitespace().filter(has_letters).count() >= MIN_SENTENCE_WORDS)
        .map(|text| {
            let (x, y) = corner(text);
            let message = format!(
                "“{}” at {x:.1}, {y:.1} mm is set in {:.1} pt, the least is {MIN_BODY_POINTS} pt",
                text.words, text.points
            );
            fault(TypographyCheck::SmallText, (x, y), &text.words, message)
        })
        .collect()
}

/// A page with too many labels. What is at its foot is no label, nor is a sign in a box.
pub(super) fn check_labels(ink: &PageInk, texts: &[&InkText]) -> Option<TypographyFault> {
    let is_sign = |text: &InkText| characters(text) <= MAX_SIGN_CHARACTERS;
    let counted = || texts.iter().filter(|text| !is_small(text) || !is_sign(text) && !is_in_foot(ink, &text.extent));
    let all: usize = counted().map(|text| characters(text)).sum();
    let labels = || counted().filter(|text| is_small(text));
    let small: usize = labels().map(|text| characters(text)).sum();
    if all < MIN_CHARACTERS || small * LABELS_ONE_IN <= all {
        return None;
    }
    let longest = labels().max_by_key(|text| characters(text))?;
    let message = format!(
        "{small} of {all} characters are smaller than {MIN_BODY_POINTS} pt, the limit is one in {LABELS_ONE_IN}: “{}”",
        shortened(&longest.words)
    );
    Some(fault(TypographyCheck::ManyLabels, corner(longest), "", message))
}

fn is_in_foot(ink: &PageInk, rect: &Rect) -> bool {
    rect.y > ink.size.1 - FOOT
}

/// A page of which too little of the height is used.
pub(super) fn check_use(ink: &PageInk) -> Option<TypographyFault> {
    let texts = ink.texts.iter().map(|text| text.extent);
    // An upright line is used where something is beside it.
    let lines = ink.lines.iter().map(|line| {
        let (top, bottom) = (line.from.1.min(line.to.1), line.from.1.max(line.to.1));
        Rect::new(line.from.0, top, 0.0, if bottom - top > 40.0 { 0.0 } else { bottom - top })
    });
    let mut spans: Vec<(f32, f32)> = Vec::new();
    for rect in texts.chain(lines).chain(ink.icons.iter().copied()) {
        // What is beside another, such as boxes of a row, is one with it.
        let (top, bottom) = (rect.y, rect.bottom());
        match spans.last_mut() {
            Some(last) if last.0 <= top && bottom <= last.1 => {}
            Some(last) if top <= last.0 && last.1 <= bottom => *last = (top, bottom),
            _ => spans.push((top, bottom)),
        }
    }
    spans.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let (first, last) = (spans.first()?.0, ink.size.1 - 8.0);
    let (mut used, mut reached) = (0.0, first);
    for (top, bottom) in spans {
        used += if top <= reached + USED_GAP { (bottom - reached).max(0.0) } else { bottom - top };
        reached = reached.max(bottom);
    }
    let share = used / (last - first).max(1.0);
    (share < MIN_USED).then(|| {
        let message =
            format!("{:.0} % of the page's height is used, the least is {:.0} %", share * 100.0, MIN_USED * 100.0);
        fault(TypographyCheck::SparsePage, (0.0, first), "", message)
    })
}

fn is_heading(text: &InkText) -> bool {
    text.spacing > 0.05 && text.face != FontFace::Regular && text.words.chars().any(char::is_alphabetic)
}

fn rule_key(x: f32, y: f32) -> (i32, i32) {
    (x.round() as i32, (y / BAND).floor() as i32)
}

fn is_wide_and_level(line: &InkLine) -> bool {
    (line.from.1 - line.to.1).abs() < 0.05 && (line.from.0 - line.to.0).abs() > MIN_HEADING_WIDTH
}

fn is_level_within(line: &InkLine, room: &Rect) -> bool {
    is_wide_and_level(line)
        && line.from.1 > room.y
        && line.from.1 < room.bottom()
        && line.from.0.min(line.to.0) < room.right()
        && line.from.0.max(line.to.0) > room.x
}

/// The longest level line that begins at each place, of those wider than a heading without a rule.
fn level_rules(ink: &PageInk) -> BTreeMap<(i32, i32), f32> {
    let mut rules: BTreeMap<(i32, i32), f32> = BTreeMap::new();
    for line in ink.lines.iter().filter(|line| is_wide_and_level(line)) {
        let (left, width) = (line.from.0.min(line.to.0), (line.from.0 - line.to.0).abs());
        let longest = rules.entry(rule_key(left, line.from.1)).or_default();
        *longest = longest.max(width);
    }
    rules
}

/// Headings with nothing under them: the foot of a page or another heading.
pub(super) fn check_headings(ink: &PageInk) -> Vec<TypographyFault> {
    let mut bands: BTreeMap<i32, Vec<(Rect, bool)>> = BTreeMap::new();
    let band = |y: f32| (y / BAND).floor() as i32;
    let mut add = |rect: Rect, is_heading: bool| bands.entry(band(rect.y)).or_default().push((rect, is_heading));
    for text in ink.texts.iter().filter(|text| !(text.points < 7.0 && is_in_foot(ink, &text.extent))) {
        add(text.extent, is_heading(text));
    }
    ink.icons.iter().for_each(|icon| add(*icon, false));
    // The rule under a heading is no content; boxes and grids are.
    for shape in ink.shapes.iter().filter(|shape| shape.bounds.h > 1.0) {
        add(shape.bounds, false);
    }
    let rules = level_rules(ink);
    let mut faults = Vec::new();
    let mut compared = 0;
    for heading in ink.texts.iter().filter(|text| is_heading(text)) {
        let foot = heading.extent.bottom();
        // A letter's ink begins a little beside its rule.
        let keys = [-0.5, 0.0, 0.5].map(|beside| heading.extent.x + beside);
        let near = keys.into_iter().flat_map(|x| [rule_key(x, foot), rule_key(x, foot + BAND)]);
        let rule = near.filter_map(|key| rules.get(&key)).copied().fold(MIN_HEADING_WIDTH, f32::max);
        let reach = Rect::new(heading.extent.x, foot + 0.3, heading.extent.w.max(rule), HEADING_REACH);
        let near = bands.range(band(reach.y)..=band(reach.bottom())).flat_map(|(_, all)| all);
        let mut next: Option<&(Rect, bool)> = None;
        for part in near {
            compared += 1;
            let (rect, _) = part;
            let is_under = rect.y >= reach.y && rect.y <= reach.bottom();
            if is_under && rect.x < reach.right() && rect.right() > reach.x && next.is_none_or(|(n, _)| rect.y < n.y) {
                next = Some(part);
            }
        }
        // Lines to write on are content; the first is further down than the heading's own.
        let writing = Rect { y: foot + WRITING_BELOW, h: HEADING_REACH - WRITING_BELOW, ..reach };
        let has_lines = || ink.lines.iter().any(|line| is_level_within(line, &writing));
        // A frame around the heading is content too.
        let what = match next {
            // At a page's head, it belongs to the page.
            None if foot > ink.size.1 / 2.0 && !has_lines() => "nothing",
            Some((rect, true)) if (rect.x - heading.extent.x).abs() < 1.0 && rect.y - foot > 2.0 => "another heading",
            _ => continue,
        };
        if compared > MAX_COMPARED {
            break;
        }
        let (x, y) = corner(heading);
        let message = format!("the heading “{}” at {x:.1}, {y:.1} mm has {what} under it", heading.words);
        faults.push(fault(TypographyCheck::SplitHeading, (x, y), &heading.words, message));
    }
    faults
}
