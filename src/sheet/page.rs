//! One ship on its sheets: takes a prepared template and an evaluation, gives the items of each page. What found no room goes to
//! continuation pages until nothing is left; what no panel shows goes there too; at the end the boxes drawn are counted.

use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use super::content::{Content, Headed, HeadingStyle, Stacked};
use super::fit::{Flow, Gaps};
use super::missing::Missing;
use super::options::{INK, LINE, THIN};
use super::panels::boxes::Boxes;
use super::panels::{mount, table, track, words::Paragraphs};
use super::pen::{Hand, Hands, Pen, Role};
use super::prepare::{Filled, Prepared};
use super::subject::Subject;
use super::view::{View, minus, starred};
use crate::art::Anchor;
use crate::evaluate::Focus;
use crate::finding::Finding;
use crate::fonts::Face;
use crate::scene::{Item, Rect, Shape, Unit};

/// The pages of one ship.
#[derive(Default)]
pub struct Laid {
    /// The first page's items (a card's, when the template is one), at the origin asked for.
    pub first: Vec<Item>,
    /// Continuation pages, full size.
    pub more: Vec<Vec<Item>>,
    /// What was found while laying out.
    pub findings: Vec<Finding>,
}

/// From this size on, large print leaves a template's text as it is, mm: 9 pt.
const LARGE_ENOUGH: f32 = 9.0 * super::options::POINT;

/// The most pages of one ship: twenty thousand boxes take fewer.
const MOST_PAGES: usize = 500;

/// How a template stands on a page.
#[derive(Clone, Copy)]
pub struct Stand {
    /// The hands it is filled with.
    pub hands: Hands,
    /// Where its corner lies.
    pub origin: (f32, f32),
    /// How large it is.
    pub size: (f32, f32),
}

/// Lays a ship out: her first page, and how continuation pages stand, which unit of the job she is.
pub fn lay(
    prepared: &Prepared,
    continuation: Option<&Prepared>,
    view: &View<'_>,
    origin: (f32, f32),
    next: Stand,
    unit: Arc<Unit>,
) -> Laid {
    let mut findings = Vec::new();
    let subject = Rc::new(Subject::new(view.evaluation, unit));
    let mut pen = Pen::of(view.hands, origin, Rc::clone(&subject));
    art(prepared, view, &mut pen);
    // How many items of each page are its template's art.
    let mut arts = vec![pen.items.len()];
    let mut rest = panels(prepared, view, &mut pen);
    rest.extend(unshown(view));
    rest.extend(long_slots(prepared, view));
    rest.extend(own_systems(prepared, view));
    let mut pens = vec![pen];
    while !rest.is_empty() {
        let mut pen = Pen::of(next.hands, next.origin, Rc::clone(&subject));
        let area = match continuation {
            Some(prepared) => {
                art(prepared, view, &mut pen);
                let areas = prepared.panels.iter().filter(|placed| placed.compiled.panel.takes_rest());
                areas.map(|placed| placed.rect).next().unwrap_or(plain_area(next.size))
            }
            None => plain_area(next.size),
        };
        let before = pen.items.len();
        arts.push(before);
        let parts = std::mem::take(&mut rest);
        let stack = Box::new(Stacked::new(parts, 5.0, true));
        // Its parts, not the stack of them: or else the stack of each page would hold that of the page before, to be measured anew at every depth.
        rest.extend(stack.draw(area, &mut pen).into_iter().flat_map(pieces));
        if pen.items.len() > before && pens.len() < MOST_PAGES {
            pens.push(pen);
            continue;
        }
        // Nothing of the first thing left finds room on a whole page: it is taken apart, and of what it is made of only that is left out which
        // is too large itself. What stands beside or after it is printed.
        arts.pop();
        let mut parts = VecDeque::from(std::mem::take(&mut rest));
        let Some(mut first) = parts.pop_front() else { break };
        let within = first.take_apart();
        if within.is_empty() || pens.len() >= MOST_PAGES {
            let message = format!("{}: skipped a part of its sheet that is too large for a page", name(view));
            let help = "print without large print, or give the continuation sheet a larger `panel: rest`";
            findings.push(Finding::error("box-lost", message).help(help));
            if pens.len() >= MOST_PAGES {
                break;
            }
        }
        rest.extend(within.into_iter().chain(parts));
    }
    let pages = pens.len() as i64;
    for (n, pen) in pens.iter_mut().enumerate() {
        let page = (n as i64 + 1, pages);
        let before = pen.items.len();
        match (n, continuation) {
            (0, _) => slots(prepared, view, page, pen),
            (_, Some(prepared)) => slots(prepared, view, page, pen),
            (_, None) => plain_header(view, page, next.size.0, pen),
        }
        let (top, height) = if n == 0 { (origin.1, prepared.template.height) } else { (next.origin.1, next.size.1) };
        head_first(pen, arts[n], before, top + height / 2.0);
    }
    let mut missing = Missing::default();
    pens.iter_mut().for_each(|pen| missing.append(&mut pen.missing));
    findings.extend(missing.finding(name(view)));
    let mut pages = pens.into_iter().map(Pen::finish);
    let first = pages.next().unwrap_or_default();
    let more: Vec<_> = pages.collect();
    if !view.options.blank && view.roster.is_none() {
        findings
            .extend(super::counted::compare(view.evaluation, std::iter::once(&first).chain(&more).map(Vec::as_slice)));
    }
    Laid { first, more, findings }
}

/// Whether something of a ship goes on a continuation page beside texts that had to be cut.
pub(super) fn goes_on(prepared: &Prepared, view: &View<'_>) -> bool {
    let subject = Rc::new(Subject::new(view.evaluation, Arc::default()));
    let mut pen = Pen::of(view.hands, (0.0, 0.0), subject);
    let rest = panels(prepared, view, &mut pen);
    !rest.is_empty() || !unshown(view).is_empty() || own_systems(prepared, view).is_some()
}

/// What a content is made of, or itself.
fn pieces(mut content: Box<dyn Content>) -> Vec<Box<dyn Content>> {
    let parts = content.take_apart();
    if parts.is_empty() { vec![content] } else { parts }
}

/// What messages and headers call a ship.
pub fn name<'a>(view: &'a View<'_>) -> &'a str {
    view.evaluation.ship.name.as_deref().unwrap_or(&view.evaluation.name)
}

pub(super) fn holds(prepared: &Prepared, view: &View<'_>, hands: &Hands, when: Option<usize>) -> bool {
    let mut next = when;
    while let Some(place) = next {
        // A ruler that is made smaller with its sheet would lie.
        if prepared.template.conditions[place].ruler && hands.floor.reduced < 1.0 {
            return false;
        }
        let held = prepared
            .conditions
            .get(place)
            .and_then(Option::as_ref)
            .is_some_and(|formula| view.holds(formula, &Focus::default()));
        if !held {
            return false;
        }
        // A condition around this one stands at an earlier place.
        next = prepared.template.conditions[place].parent.filter(|&parent| parent < place);
    }
    true
}

fn art(prepared: &Prepared, view: &View<'_>, pen: &mut Pen) {
    for piece in &prepared.template.pieces {
        if holds(prepared, view, &pen.hands, piece.when) {
            pen.art(&piece.drawing);
        }
    }
}

/// Draws the panels; gives what found no room, in order.
fn panels(prepared: &Prepared, view: &View<'_>, pen: &mut Pen) -> Vec<Box<dyn Content>> {
    let mut contents: Vec<(&super::prepare::Placed, Box<dyn Content>)> = prepared
        .panels
        .iter()
        .filter(|placed| holds(prepared, view, &pen.hands, placed.when))
        .filter_map(|placed| Some((placed, placed.compiled.content(view)?)))
        .collect();
    // Panels of a group take the size that suits the tightest of them.
    let mut sizes: Vec<(Arc<str>, f32)> = Vec::new();
    for (placed, content) in &contents {
        if let (Some(group), Some(size)) = (&placed.compiled.group, content.box_size(placed.rect, &view.hands)) {
            match sizes.iter_mut().find(|(known, _)| known == group) {
                Some((_, least)) => *least = least.min(size),
                None => sizes.push((Arc::clone(group), size)),
            }
        }
    }
    for (placed, content) in &mut contents {
        let size = placed.compiled.group.as_ref().and_then(|group| sizes.iter().find(|(known, _)| known == group));
        if let Some((_, size)) = size {
            content.limit_boxes(*size);
        }
    }
    let draw = |(placed, content): (&super::prepare::Placed, Box<dyn Content>)| {
        if placed.compiled.later { Some(content) } else { content.draw(placed.rect, pen) }
    };
    contents.into_iter().filter_map(draw).collect()
}

/// Fits and tracks that no panel shows.
fn unshown(view: &View<'_>) -> Vec<Box<dyn Content>> {
    if view.options.blank || view.roster.is_some() {
        return Vec::new();
    }
    let (fits, tracks) = view.unclaimed();
    let mut contents: Vec<Box<dyn Content>> = Vec::new();
    let rows: Vec<_> = fits
        .into_iter()
        .map(|fit| &view.evaluation.fits[fit])
        .filter(|fit| fit.count > 0)
        .map(|fit| {
            let mut row = mount::row(fit, view);
            row.label = format!("{}, {}", fit.name, fit.mount.replace('-', " ")).into();
            row
        })
        .collect();
    if !rows.is_empty() {
        let boxes = Boxes { rows, flow: Flow::Rows, gaps: Gaps::default(), named: true, ..Boxes::default() };
        contents.push(headed("Other systems".into(), Box::new(boxes)));
    }
    for place in tracks {
        let track = &view.evaluation.tracks[place];
        if track.boxes() > 0 && track.required {
            let title = if track.label.is_empty() { track.track.replace('_', " ") } else { track.label.to_string() };
            contents.push(headed(starred(&title, track.house), track::leftover(place, view)));
        }
    }
    for place in view.new_tables() {
        let table = &view.evaluation.tables[place];
        let (title, note) = (starred(&table.label, table.house), minus(&table.note));
        contents.extend(table::leftover(place, view).map(|content| noted(title, note, content)));
    }
    contents
}

fn headed(title: String, body: Box<dyn Content>) -> Box<dyn Content> {
    noted(title, String::new(), body)
}

fn noted(title: String, note: String, body: Box<dyn Content>) -> Box<dyn Content> {
    let named = title.clone();
    Box::new(Headed {
        title,
        note,
        more: String::new(),
        style: HeadingStyle::Ruled,
        named,
        continued: false,
        whole: false,
        body,
    })
}

/// The room of a continuation page without a template.
fn plain_area((width, height): (f32, f32)) -> Rect {
    Rect::new(9.0, 24.0, width - 18.0, height - 34.0)
}

fn plain_header(view: &View<'_>, (page, pages): (i64, i64), width: f32, pen: &mut Pen) {
    let hands = pen.hands;
    let hand = Hand { face: Face::Bold, size: hands.floor.size(16.0, Role::Played), paint: INK, spacing: 0.0 };
    let words = name(view).to_owned();
    let note = format!("continued · page {page} of {pages}");
    let room = width - 22.0 - hands.note.width(&note);
    let size = hands.floor.shrink(hand.size, hand.width(&words) / hand.size.mm(), room, Role::Played);
    let hand = Hand { size, ..hand };
    let cut = hand.cut(&words, room);
    pen.text(&cut, hand, 9.0, 16.0, Anchor::Start);
    pen.text(&note, hands.note, width - 9.0, 16.0, Anchor::End);
    pen.rule(9.0, 19.0, width - 18.0, LINE * 2.0, INK);
}

/// What a slot says, and how it is set.
pub(super) struct Setting {
    lines: Vec<String>,
    size: super::pen::TextSize,
    pub(super) cut: bool,
    /// The width it may take, and how wide it would be on one line, mm.
    pub(super) width: f32,
    pub(super) needs: f32,
}

pub(super) fn setting(filled: &Filled, prepared: &Prepared, words: &str, hands: &Hands) -> Setting {
    let slot = &prepared.template.slots[filled.place];
    let role = if filled.played { Role::Played } else { Role::Label };
    // Large print raises what is small; a title that is large already would only run into its neighbours.
    let large = slot.size.max(LARGE_ENOUGH);
    let wanted = hands.floor.at_least((slot.size * hands.floor.scale).min(large), role);
    let hand = Hand { face: slot.face, size: wanted, paint: slot.paint, spacing: slot.spacing / slot.size.max(0.01) };
    let width = filled.width.unwrap_or_else(|| edge(slot, &prepared.template)).max(1.0);
    let em = hand.width(words) / wanted.mm();
    let size = hands.floor.shrink(wanted, em, width, role);
    let hand = Hand { size, ..hand };
    let needs = hand.width(words);
    if needs <= width + 0.05 {
        return Setting { lines: vec![words.to_owned()], size, cut: false, width, needs };
    }
    let mut lines = hand.wrap(words, width);
    let most = filled.lines as usize;
    let cut = lines.len() > most;
    if cut {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            *last = hand.cut(&format!("{last} …"), width - 0.1);
        }
    }
    Setting { lines, size, cut, width, needs }
}

/// How far a slot without a width may reach: to the template's edge.
fn edge(slot: &crate::art::Slot, template: &crate::art::Template) -> f32 {
    const MARGIN: f32 = 0.5;
    if slot.rotation != 0.0 {
        return template.width.max(template.height);
    }
    match slot.anchor {
        Anchor::Start => template.width - slot.x - MARGIN,
        Anchor::Middle => 2.0 * (slot.x.min(template.width - slot.x) - MARGIN),
        Anchor::End => slot.x - MARGIN,
    }
}

/// The full words of slots that had to be cut.
fn long_slots(prepared: &Prepared, view: &View<'_>) -> Option<Box<dyn Content>> {
    let paragraphs: Vec<(Arc<str>, Arc<str>)> = prepared
        .slots
        .iter()
        .filter(|filled| holds(prepared, view, &view.hands, prepared.template.slots[filled.place].when))
        .filter_map(|filled| {
            let focus = Focus { page: Some((1, 1)), ..Focus::default() };
            let words = filled.words(view, &focus)?;
            setting(filled, prepared, &words, &view.hands).cut.then(|| ("".into(), words.into()))
        })
        .collect();
    if paragraphs.is_empty() {
        return None;
    }
    let text = Paragraphs::new(paragraphs, view.hands.body, Anchor::Start);
    Some(headed("In full".into(), Box::new(text)))
}

/// The design's own systems, where the template has no slot that names them.
fn own_systems(prepared: &Prepared, view: &View<'_>) -> Option<Box<dyn Content>> {
    let own = view.evaluation.own_words()?;
    let focus = Focus { page: Some((1, 1)), ..Focus::default() };
    let shown = |filled: &Filled| {
        holds(prepared, view, &view.hands, prepared.template.slots[filled.place].when)
            && filled.words(view, &focus).is_some_and(|words| words.contains(&*minus(own)))
    };
    if view.options.blank || prepared.slots.iter().any(shown) {
        return None;
    }
    let paragraphs = vec![("".into(), minus(own).into())];
    let text = Paragraphs::new(paragraphs, view.hands.body, Anchor::Start);
    Some(headed("Own systems".into(), Box::new(text)))
}

fn slots(prepared: &Prepared, view: &View<'_>, page: (i64, i64), pen: &mut Pen) {
    let focus = Focus { page: Some(page), ..Focus::default() };
    for (n, filled) in prepared.slots.iter().enumerate() {
        let slot = &prepared.template.slots[filled.place];
        if !holds(prepared, view, &pen.hands, slot.when) {
            continue;
        }
        let Some(words) = filled.words(view, &focus) else {
            write_in(filled, prepared, n, page, pen);
            continue;
        };
        let set = setting(filled, prepared, &words, &pen.hands);
        let hand =
            Hand { face: slot.face, size: set.size, paint: slot.paint, spacing: slot.spacing / slot.size.max(0.01) };
        for (k, line) in set.lines.iter().enumerate() {
            let down = k as f32 * hand.size.mm() * 1.18;
            if slot.rotation == 0.0 {
                pen.text(line, hand, slot.x, slot.y + down, slot.anchor);
            } else {
                let (sin, cos) = slot.rotation.to_radians().sin_cos();
                pen.turned(line, hand, slot.x - sin * down, slot.y + cos * down, slot.anchor, slot.rotation);
            }
        }
    }
}

/// Moves what a sheet's head says among the items from a place on to before the panels: who has the page read, or goes from field to field,
/// begins there.
fn head_first(pen: &mut Pen, art: usize, from: usize, middle: f32) {
    let drawn = pen.items.split_off(from);
    let (head, foot): (Vec<Item>, Vec<Item>) = drawn.into_iter().partition(|item| match &item.shape {
        Shape::Text(text) => text.y < middle,
        Shape::Rect { rect, .. } => rect.y < middle,
        _ => false,
    });
    pen.items.splice(art..art, head);
    pen.items.extend(foot);
}

/// A field to write in where a slot is not computable.
fn write_in(filled: &Filled, prepared: &Prepared, n: usize, (page, _): (i64, i64), pen: &mut Pen) {
    let slot = &prepared.template.slots[filled.place];
    let width = filled.width.unwrap_or_else(|| edge(slot, &prepared.template).min(18.0)).max(4.0);
    let x = match slot.anchor {
        Anchor::Start => slot.x,
        Anchor::Middle => slot.x - width / 2.0,
        Anchor::End => slot.x - width,
    };
    let height = slot.size.max(5.0);
    let plain = filled.write.clone().or_else(|| slot.label.clone());
    let name = plain.unwrap_or_else(|| format!("field_{}", n + 1).into());
    // Fields of one name on a ship's further pages would be filled in together.
    let name = if page > 1 { format!("{name}_{page}").into() } else { name };
    if slot.rotation == 0.0 {
        let label = super::subject::plain(&name);
        pen.field(Rect::new(x, slot.y - height * 0.85, width, height), name, label);
        if filled.rule && filled.write.is_some() {
            pen.rule(x, slot.y + height * 0.2, width, THIN, super::options::RULE);
        }
    }
}
