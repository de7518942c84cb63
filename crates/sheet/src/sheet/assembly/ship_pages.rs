//! One ship on its sheets: takes a prepared template and an evaluation, gives the items of each page. What does not
//! fit, or is shown by no panel, goes to continuation pages until nothing is left; finally the boxes drawn are counted.

use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use super::conditions::condition_holds;
use super::page_filler::{draw_panels, draw_panels_and, draw_remaining, due_logs};
use super::prepare::PreparedTemplate;
use super::prepared_texts::PreparedSlot;
use super::ship_view::{ShipView, mark_house_rule, with_minus_signs};
use super::shown_parts::ShownParts;
use super::slots::{self, SlotText};
use crate::sheet::layout::box_layout::{BoxGaps, RowFlow};
use crate::sheet::layout::flowable::{Flowable, HeadedContent, VStack};
use crate::sheet::layout::mark_labels::MarkLabels;
use crate::sheet::layout::minimum_sizes::{INK, LINE_WIDTH};
use crate::sheet::layout::missing_characters::MissingCharacters;
use crate::sheet::layout::pen::{MeasuredText, RoomForPlans, SheetPen};
use crate::sheet::layout::text_style::{TextRole, TextStyle, TextStyles};
use crate::sheet::panels::content::box_grid::BoxGrid;
use crate::sheet::panels::content::text_blocks::Paragraphs;
use crate::sheet::panels::panel::REST_GAP;
use crate::sheet::panels::{mount, table, track};
use moldloft_base::finding::Finding;
use moldloft_drawing::art::Anchor;
use moldloft_drawing::fonts::FontFace;
use moldloft_drawing::scene::{MountArea, PrintedUnit, SceneItem, Shape};
use moldloft_rules::evaluate::SlotScope;

#[derive(Default)]
pub struct ShipPages {
    /// Items of the first page, or of a card, at the requested origin.
    pub first: Vec<SceneItem>,
    /// Continuation pages, full size, and backs of sheets.
    pub continuation_pages: Vec<Vec<SceneItem>>,
    /// How many of them are backs.
    pub backs: usize,
    /// On the first page.
    pub mount_areas: Vec<MountArea>,
    /// The logs on its pages, by their names, and the number of the last row of each.
    pub log_rows: Vec<(Arc<str>, u32)>,
    /// Whether one of them says what it does to its enemies.
    pub shows_odds: bool,
    pub findings: Vec<Finding>,
}

/// Limit of one ship: twenty thousand boxes take fewer.
const MAX_PAGES: usize = 500;

/// A template's position, size and text styles on a page.
#[derive(Clone, Copy)]
pub struct PageFrame {
    /// The text styles it is filled with.
    pub styles: TextStyles,
    /// Position of its corner, mm.
    pub origin: (f32, f32),
    /// Width, and height above what the texts at the page's foot need beyond their lines, mm.
    pub size: (f32, f32),
    /// Height of that, mm.
    pub foot: f32,
}

/// Lays out a ship: its first page, which may be a card, and continuation pages in their own frame.
pub fn lay_out_pages(
    prepared: &PreparedTemplate,
    continuation: Option<&PreparedTemplate>,
    view: &ShipView<'_>,
    own: PageFrame,
    next: PageFrame,
    unit: Arc<PrintedUnit>,
    is_card: bool,
) -> ShipPages {
    let own = above_foot(prepared, view, own);
    let next = continuation.map_or(next, |continuation| above_foot(continuation, view, next));
    let with_room = |makes_room| lay_out_with(prepared, continuation, view, (own, next), Arc::clone(&unit), makes_room);
    // Larger boxes are worth a further page in large print only, where a card is enlarged as a whole.
    if view.options.large_print && !view.options.is_blank && !is_card {
        return with_room(RoomForPlans::Page).0;
    }
    let (laid, made_room) = with_room(RoomForPlans::Overleaf);
    if made_room && laid.continuation_pages.len() > 1 {
        let (plain, _) = with_room(RoomForPlans::AsNeeded);
        if plain.continuation_pages.len() < laid.continuation_pages.len() {
            return plain;
        }
    }
    laid
}

/// The same, with room made for plans on the first page or not; gives whether any was.
fn lay_out_with(
    prepared: &PreparedTemplate,
    continuation: Option<&PreparedTemplate>,
    view: &ShipView<'_>,
    (own, next): (PageFrame, PageFrame),
    unit: Arc<PrintedUnit>,
    makes_room: RoomForPlans,
) -> (ShipPages, bool) {
    let mut findings = Vec::new();
    let subject = Rc::new(MarkLabels::new(view.evaluation, unit));
    let mut pen = SheetPen::for_ship(view.styles, own.origin, Rc::clone(&subject));
    pen.marks_values = view.options.marks_values;
    pen.makes_room = makes_room;
    draw_art(prepared, view, &own, &mut pen);
    // The number of items of each page that are its template's art.
    let mut arts = vec![pen.items.len()];
    let mut shown = ShownParts::default();
    let mut rest = draw_panels(prepared, (view, &mut shown), own.size.1, &mut pen);
    let made_room = pen.made_room;
    let mut cut: Vec<_> = cut_slot_texts(prepared, view).chain(cut_block_texts(&mut pen)).collect();
    let own_systems = custom_systems(prepared, view);
    let may_stay = rest.is_empty() && own_systems.is_none();
    let leftovers = leftover_content(view, &shown);
    let needs_page = !may_stay || !leftovers.is_empty();
    match may_stay.then(|| page_with_rest(prepared, view, &own, (leftovers, &cut), &subject)).flatten() {
        Some(with_rest) => pen = with_rest,
        None => {
            if let (true, Some(continuation)) = (needs_page, continuation) {
                // Its heading is there on every page.
                let shown = texts_in_full(continuation, view);
                cut.retain(|(_, words)| !shown.contains(words));
            }
            rest.extend(leftover_content(view, &shown));
            rest.extend(in_full(cut, view));
        }
    }
    shown.log_rows.extend_from_slice(&pen.log_rows);
    let mut logs = due_logs(prepared, view, &view.styles);
    logs.retain(|name| !pen.log_rows.iter().any(|(drawn, _)| drawn == name));
    rest.extend(own_systems);
    let mut pens = vec![pen];
    while !rest.is_empty() {
        let mut pen = SheetPen::for_ship(next.styles, next.origin, Rc::clone(&subject));
        pen.marks_values = view.options.marks_values;
        if let Some(prepared) = continuation {
            draw_art(prepared, view, &next, &mut pen);
        }
        arts.push(pen.items.len());
        let (progressed, remaining) =
            draw_remaining(continuation, (view, &mut shown), next.size, (std::mem::take(&mut rest), &logs), &mut pen);
        rest = remaining;
        // Of a block that moved to this page.
        rest.extend(in_full(cut_block_texts(&mut pen).collect(), view));
        if progressed && pens.len() < MAX_PAGES {
            shown.log_rows.extend_from_slice(&pen.log_rows);
            logs.retain(|name| !pen.log_rows.iter().any(|(drawn, _)| drawn == name));
            pens.push(pen);
            continue;
        }
        // Not even a whole page has room for the first remaining item: it is split, and only those of its parts that
        // are too large themselves are left out. Everything beside or after it is printed.
        arts.pop();
        let mut parts = VecDeque::from(std::mem::take(&mut rest));
        let Some(mut first) = parts.pop_front() else { break };
        if first.allow_split() {
            parts.push_front(first);
            rest.extend(parts);
            continue;
        }
        let within = first.take_apart();
        if within.is_empty() || pens.len() >= MAX_PAGES {
            let message = format!("{}: skipped a part of its sheet that is too large for a page", ship_name(view));
            let help = "print without large print, or give the continuation sheet a larger `panel: rest`";
            findings.push(Finding::error("box-lost", message).help(help));
            if pens.len() >= MAX_PAGES {
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
            (0, _) => draw_slots(prepared, view, page, own.size.1, pen),
            (_, Some(prepared)) => draw_slots(prepared, view, page, next.size.1, pen),
            (_, None) => draw_default_header(view, page, next.size.0, pen),
        }
        let frame = if n == 0 { &own } else { &next };
        move_header_before_panels(pen, arts[n], before, frame.origin.1 + frame.size.1 / 2.0);
    }
    let mut missing = MissingCharacters::default();
    pens.iter_mut().for_each(|pen| missing.append(&mut pen.missing_characters));
    findings.extend(missing.finding(ship_name(view)));
    pens.iter_mut().for_each(|pen| findings.append(&mut pen.findings));
    let mount_areas = pens.first_mut().map(|pen| std::mem::take(&mut pen.mount_areas)).unwrap_or_default();
    let shows_odds = pens.iter().any(|pen| pen.shows_odds);
    let mut pages = pens.into_iter().map(SheetPen::finish);
    let first = pages.next().unwrap_or_default();
    let more: Vec<_> = pages.collect();
    if !view.options.is_blank && view.roster.is_none() {
        findings.extend(super::box_audit::audit_boxes(
            view.evaluation,
            std::iter::once(&first).chain(&more).map(Vec::as_slice),
        ));
    }
    let log_rows = shown.log_rows;
    (ShipPages { first, continuation_pages: more, backs: 0, mount_areas, log_rows, shows_odds, findings }, made_room)
}

/// A first page with what no panel shows and its cut texts in full below its flow; `None` if they have no room there.
fn page_with_rest(
    prepared: &PreparedTemplate,
    view: &ShipView<'_>,
    own: &PageFrame,
    (mut parts, cut): (Vec<Box<dyn Flowable>>, &[(usize, String)]),
    subject: &Rc<MarkLabels>,
) -> Option<SheetPen> {
    prepared.flow.as_ref()?;
    parts.extend(in_full(cut.to_vec(), view));
    let below: Box<dyn Flowable> = match parts.len() {
        0 => return None,
        1 => parts.remove(0),
        _ => Box::new(VStack::new(parts, REST_GAP, true)),
    };
    let mut pen = SheetPen::for_ship(view.styles, own.origin, Rc::clone(subject));
    pen.marks_values = view.options.marks_values;
    draw_art(prepared, view, own, &mut pen);
    let shown = &mut ShownParts::default();
    draw_panels_and(below, prepared, (view, shown), own.size.1, &mut pen).is_empty().then_some(pen)
}

/// How a template's first page fits a ship.
pub struct FirstPageMeasure {
    /// Whether something of the ship other than cut texts goes on a continuation page.
    pub needs_continuation: bool,
    /// Whether cut texts have room in full on this page, so that they need no other.
    pub holds_full_texts: bool,
    /// The texts of blocks on this page, which are as wide as the flow makes them.
    pub block_texts: Vec<MeasuredText>,
}

pub fn measure_first_page(prepared: &PreparedTemplate, view: &ShipView<'_>) -> FirstPageMeasure {
    let subject = Rc::new(MarkLabels::new(view.evaluation, Arc::default()));
    let mut pen = SheetPen::for_ship(view.styles, (0.0, 0.0), Rc::clone(&subject));
    let own = PageFrame { styles: view.styles, origin: (0.0, 0.0), size: prepared.size(), foot: 0.0 };
    let own = above_foot(prepared, view, own);
    let mut shown = ShownParts::default();
    let rest = draw_panels(prepared, (view, &mut shown), own.size.1, &mut pen);
    let holds =
        |cut: &[_]| page_with_rest(prepared, view, &own, (leftover_content(view, &shown), cut), &subject).is_some();
    let has_leftovers = !leftover_content(view, &shown).is_empty();
    let holds_leftovers = has_leftovers && holds(&[]);
    let needs_continuation =
        !rest.is_empty() || custom_systems(prepared, view).is_some() || has_leftovers && !holds_leftovers;
    let block_texts = std::mem::take(&mut pen.measured_texts);
    let cut_texts = block_texts.iter().filter(|text| text.is_cut).map(|text| (text.slot_index, text.words.clone()));
    let cut: Vec<_> = cut_slot_texts(prepared, view).chain(cut_texts).collect();
    let holds_full_texts = if cut.is_empty() { holds_leftovers } else { holds(&cut) };
    FirstPageMeasure { needs_continuation, holds_full_texts, block_texts }
}

/// The ship's name in messages and headers.
pub fn ship_name<'a>(view: &'a ShipView<'_>) -> &'a str {
    view.evaluation.ship.name.as_deref().unwrap_or(&view.evaluation.name)
}

pub fn draw_art(prepared: &PreparedTemplate, view: &ShipView<'_>, frame: &PageFrame, pen: &mut SheetPen) {
    let stretched = prepared.flow.as_ref().map(|flow| flow.art(frame.size.1, frame.foot));
    for piece in stretched.as_ref().map_or(&*prepared.template.art, |pieces| &pieces[..]) {
        if condition_holds(prepared, view, &pen.styles, piece.when) {
            pen.drawing_at_origin(&piece.drawing);
        }
    }
}

/// Fits and tracks that no panel shows.
fn leftover_content(view: &ShipView<'_>, shown: &ShownParts) -> Vec<Box<dyn Flowable>> {
    if view.options.is_blank || view.roster.is_some() {
        return Vec::new();
    }
    let (fits, tracks) = shown.missing_boxes(view.evaluation);
    let mut contents: Vec<Box<dyn Flowable>> = Vec::new();
    let rows: Vec<_> = fits
        .into_iter()
        .map(|fit| &view.evaluation.fits[fit])
        .filter(|fit| fit.count > 0)
        .map(|fit| {
            let mut row = mount::fit_row(fit, view);
            row.label = format!("{}, {}", fit.name, view.say(&fit.mount.replace('-', " "))).into();
            row
        })
        .collect();
    if !rows.is_empty() {
        let boxes = BoxGrid {
            rows,
            flow: RowFlow::Rows,
            gaps: BoxGaps::default(),
            labels_are_names: true,
            ..BoxGrid::default()
        };
        contents.push(under_heading(view, view.say("Other systems"), String::new(), Box::new(boxes)));
    }
    for place in tracks {
        let track = &view.evaluation.tracks[place];
        if track.boxes() > 0 && track.required {
            let title =
                if track.label.is_empty() { view.say(&track.track.replace('_', " ")) } else { track.label.to_string() };
            let title = mark_house_rule(&title, track.house);
            contents.push(under_heading(view, title, String::new(), track::leftover_track(place, view)));
        }
    }
    for place in shown.missing_layer_tables(view.evaluation, view.is_reference()) {
        let table = &view.evaluation.tables[place];
        let (title, note) = (mark_house_rule(&table.label, table.house), with_minus_signs(&table.note));
        contents.extend(table::leftover_table(place, view).map(|content| under_heading(view, title, note, content)));
    }
    contents
}

fn under_heading(view: &ShipView<'_>, title: String, note: String, body: Box<dyn Flowable>) -> Box<dyn Flowable> {
    Box::new(HeadedContent::titled(title, note, view.say("continued").into(), body))
}

fn draw_default_header(view: &ShipView<'_>, (page, pages): (i64, i64), width: f32, pen: &mut SheetPen) {
    let styles = pen.styles;
    let style = TextStyle {
        face: FontFace::SemiBold,
        size: styles.minimums.text_size(20.0, TextRole::Play),
        paint: INK,
        spacing: 0.0,
    };
    let words = ship_name(view).to_owned();
    let note = view.say(&format!("continued · page {page} of {pages}"));
    let room = width - 22.0 - styles.note.width(&note);
    let size = styles.minimums.shrink_to_width(style.size, style.width(&words) / style.size.mm(), room, TextRole::Play);
    let style = TextStyle { size, ..style };
    let cut = style.truncate(&words, room);
    pen.text(&cut, style, 9.0, 16.0, Anchor::Start);
    pen.text(&note, styles.note, width - 9.0, 16.0, Anchor::End);
    pen.rule(9.0, 19.0, width - 18.0, LINE_WIDTH * 2.0, INK);
}

/// The slots outside blocks that are printed for a ship.
fn shown_slots<'a>(
    prepared: &'a PreparedTemplate,
    view: &'a ShipView<'_>,
) -> impl Iterator<Item = &'a PreparedSlot> + use<'a> {
    prepared.texts.slots.iter().filter(|filled| {
        !prepared.flow.as_ref().is_some_and(|flow| flow.owned.slots[filled.slot_index])
            && condition_holds(prepared, view, &view.styles, prepared.template.slots[filled.slot_index].when)
    })
}

/// A text outside blocks.
pub fn page_text(
    prepared: &PreparedTemplate,
    filled: &PreparedSlot,
    words: Option<String>,
    n: usize,
    page: i64,
) -> SlotText {
    let text = SlotText::new(filled, &prepared.template, words, n, page);
    let is_foot = prepared.flow.as_ref().is_some_and(|flow| flow.is_foot(text.slot.y));
    if is_foot { text.at_foot() } else { text }
}

/// The frame without what the texts at the page's foot need beyond their lines: all else moves up.
pub fn above_foot(prepared: &PreparedTemplate, view: &ShipView<'_>, frame: PageFrame) -> PageFrame {
    let drop = foot_drops(prepared, view, &frame.styles).iter().map(|(_, drop)| drop).sum();
    PageFrame { size: (frame.size.0, frame.size.1 - drop), foot: drop, ..frame }
}

/// The baselines of the texts at the page's foot, each once, and what each needs beyond a line, mm.
fn foot_drops(prepared: &PreparedTemplate, view: &ShipView<'_>, styles: &TextStyles) -> Vec<(f32, f32)> {
    let Some(flow) = &prepared.flow else { return Vec::new() };
    let focus = SlotScope { page: Some((1, 1)), ..SlotScope::default() };
    let mut rows: Vec<(f32, f32)> = Vec::new();
    for filled in shown_slots(prepared, view).filter(|filled| filled.max_lines == 1) {
        let y = prepared.template.slots[filled.slot_index].y;
        let Some(words) = view.slot_text(filled, &focus).filter(|_| flow.is_foot(y)) else { continue };
        let text = page_text(prepared, filled, None, 0, 1);
        let drop = slots::lay_out(&text, &words, prepared.size(), styles).drop();
        match rows.iter_mut().find(|(row, _)| (*row - y).abs() < 0.5) {
            Some((_, most)) => *most = most.max(drop),
            None => rows.push((y, drop)),
        }
    }
    rows
}

/// The words of texts outside blocks that have to be cut, each with the index of its slot.
fn cut_slot_texts<'a>(
    prepared: &'a PreparedTemplate,
    view: &'a ShipView<'_>,
) -> impl Iterator<Item = (usize, String)> + use<'a> {
    shown_slots(prepared, view).filter_map(|filled| {
        let focus = SlotScope { page: Some((1, 1)), ..SlotScope::default() };
        let words = view.slot_text(filled, &focus)?;
        let text = page_text(prepared, filled, None, 0, 1);
        let is_cut = slots::lay_out(&text, &words, prepared.size(), &view.styles).is_cut;
        is_cut.then_some((filled.slot_index, words))
    })
}

/// The words of texts outside blocks that are not cut.
fn texts_in_full(prepared: &PreparedTemplate, view: &ShipView<'_>) -> Vec<String> {
    let cut: Vec<(usize, String)> = cut_slot_texts(prepared, view).collect();
    let focus = SlotScope { page: Some((2, 2)), ..SlotScope::default() };
    let words =
        shown_slots(prepared, view).filter_map(|filled| Some((filled.slot_index, view.slot_text(filled, &focus)?)));
    words.filter(|text| !cut.contains(text)).map(|(_, words)| words).collect()
}

/// The words of texts of blocks that were cut on a page, each with the index of its slot.
fn cut_block_texts(pen: &mut SheetPen) -> impl Iterator<Item = (usize, String)> {
    let texts = std::mem::take(&mut pen.measured_texts).into_iter();
    texts.filter(|text| text.is_cut).map(|text| (text.slot_index, text.words))
}

/// The full texts of slots that had to be cut, in the template's order.
fn in_full(mut cut: Vec<(usize, String)>, view: &ShipView<'_>) -> Option<Box<dyn Flowable>> {
    if cut.is_empty() {
        return None;
    }
    cut.sort_by_key(|(slot_index, _)| *slot_index);
    let paragraphs = cut.into_iter().map(|(_, words)| ("".into(), words.into())).collect();
    let text = Paragraphs::new(paragraphs, view.styles.body, Anchor::Start);
    Some(under_heading(view, view.say("In full"), String::new(), Box::new(text)))
}

/// The design's own systems, where the template has no slot that names them.
fn custom_systems(prepared: &PreparedTemplate, view: &ShipView<'_>) -> Option<Box<dyn Flowable>> {
    let own = view.evaluation.custom_system_summary()?;
    let focus = SlotScope { page: Some((1, 1)), ..SlotScope::default() };
    let shown = |filled: &PreparedSlot| {
        condition_holds(prepared, view, &view.styles, prepared.template.slots[filled.slot_index].when)
            && view.slot_text(filled, &focus).is_some_and(|words| words.contains(&*with_minus_signs(own)))
    };
    if view.options.is_blank || prepared.texts.slots.iter().any(shown) {
        return None;
    }
    let paragraphs = vec![("".into(), with_minus_signs(own).into())];
    let text = Paragraphs::new(paragraphs, view.styles.body, Anchor::Start);
    Some(under_heading(view, view.say("Own systems"), String::new(), Box::new(text)))
}

/// Draws the texts that belong to no block; on a page of a flow's height, those below the flow at the page's foot.
pub fn draw_slots(prepared: &PreparedTemplate, view: &ShipView<'_>, page: (i64, i64), height: f32, pen: &mut SheetPen) {
    let focus = SlotScope { page: Some(page), ..SlotScope::default() };
    let size = (prepared.template.width, height);
    let drops = foot_drops(prepared, view, &pen.styles);
    for (n, filled) in prepared.texts.slots.iter().enumerate() {
        let slot = &prepared.template.slots[filled.slot_index];
        let in_block = prepared.flow.as_ref().is_some_and(|flow| flow.owned.slots[filled.slot_index]);
        if in_block || !condition_holds(prepared, view, &pen.styles, slot.when) {
            continue;
        }
        let words = view.slot_text(filled, &focus);
        // A reference sheet is about no ship: what a ship's sheet asks for is not written on it.
        if words.is_none() && view.is_reference() {
            continue;
        }
        let mut text = page_text(prepared, filled, words, n, page.0);
        if let Some(flow) = &prepared.flow {
            let lines_above = |(row, _): &&(f32, f32)| flow.is_foot(slot.y) && *row < slot.y - 0.5;
            let pushed: f32 = drops.iter().filter(lines_above).map(|(_, drop)| drop).sum();
            text.slot.y = flow.stretch_y(text.slot.y, height) + pushed;
        }
        slots::draw(&text, size, pen);
    }
}

/// Moves the sheet's header, the items from an index on, before the panels: screen readers and keyboard navigation
/// start there.
fn move_header_before_panels(pen: &mut SheetPen, art: usize, from: usize, middle: f32) {
    let drawn = pen.items.split_off(from);
    let (head, foot): (Vec<SceneItem>, Vec<SceneItem>) = drawn.into_iter().partition(|item| match &item.shape {
        Shape::Text(text) => text.y < middle,
        Shape::Rect { rect, .. } => rect.y < middle,
        _ => false,
    });
    pen.items.splice(art..art, head);
    pen.items.extend(foot);
}
