//! A job: takes evaluated ships, gives the scene of all their pages in order. Ships are laid out in parallel, but the
//! order of pages depends only on the job. A ship that cannot be laid out is reported; the others are printed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rayon::prelude::*;

use super::card_backs::{
    CardSpot, card_back, continues_short_log, draw_back, form_of_width, missing_fights, sheet_back,
};
use super::card_room::{note_lines, places_for_backs, places_for_repeats, shift_for_notes};
use super::prepare::PreparedTemplate;
use super::scene_meta::scene_meta;
use super::sheet_plan::SheetPlan;
use super::ship_pages::{self, PageFrame, ShipPages};
use super::ship_view::ShipView;
use super::template_cache::TemplateCache;
use super::unit_names;
use crate::sheet::layout::minimum_sizes::MinimumSizes;
use crate::sheet::page_setup::sheet_options::SheetOptions;
use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_base::sanitize::list_names;
use moldloft_drawing::scene::{Meta, Page, PageRole, PrintedUnit, Rect, Scene, SceneItem};
use moldloft_rules::evaluate::Evaluation;
use moldloft_rules::ruleset::SheetKind;

use crate::sheet::page_setup::PageSetup;
use crate::sheet::page_setup::card_packing::pack_cards;
use crate::sheet::page_setup::cut_marks::card_cut_marks;
use crate::sheet::page_setup::paper::format_mm;
use crate::sheet::page_setup::sheet_placement::SheetPlacement;

pub struct SheetJob<'a> {
    /// In order; their counters numbered where needed.
    pub ships: &'a [Evaluation],
    /// Source of the templates.
    pub templates: &'a TemplateCache<'a>,
    pub options: SheetOptions,
    /// For the file's title: `control sheets`.
    pub subject: &'a str,
}

/// The most skipped ships that are named.
const MAX_NAMED: usize = 6;
/// A ship with more tick boxes (systems, tracks and counters together) is not laid out: it must be a mistake.
pub const MAX_BOXES_PER_SHIP: u64 = 20_000;
/// A larger job, repeats included, must be printed in parts.
pub const MAX_BOXES_PER_JOB: u64 = 500_000;

pub(super) struct ShipPlacement {
    pub ship: usize,
    pub plan: SheetPlan,
    /// Position of the template's corner on its page.
    pub origin: (f32, f32),
    /// Index among the pages opened for first pages.
    page: usize,
    /// The number of the repeat, from 0.
    copy: u32,
    /// Where its back is on the same page.
    pub back_place: Option<Rect>,
    unit: Arc<PrintedUnit>,
}

/// A page opened for first pages.
pub(super) enum FirstPage {
    Full(SheetPlacement),
    Cards((f32, f32)),
}

impl FirstPage {
    fn blank_page(&self) -> Page {
        match *self {
            Self::Full(sheet) => sheet.blank_page(),
            Self::Cards((width, height)) => Page { width, height, ..Page::default() },
        }
    }
}

/// How finished pages are kept in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageStorage {
    /// As items.
    Plain,
    /// Packed into a seventh of the memory, for jobs of hundreds of ships or thousands of counters.
    Compact,
}

impl PageStorage {
    pub(in crate::sheet) fn keep(self, mut page: Page) -> Page {
        if self == Self::Compact {
            page.compact_items();
        }
        page
    }
}

/// [`lay_out_sheets`] without progress, with plain pages.
pub fn print(job: &SheetJob<'_>) -> (Scene, Vec<Finding>) {
    lay_out_sheets(job, PageStorage::Plain, &Progress::default())
}

/// A ship's items on its first page, and its continuation pages.
#[derive(Default)]
struct FinishedShip {
    first: Page,
    /// Backs of its sheets are the last of them.
    continuation_pages: Vec<Page>,
    sheet_backs: usize,
    /// What is on the back of its card.
    back: Vec<SceneItem>,
    findings: Vec<Finding>,
    /// What it does to its enemies has no room on its pages.
    lacks_fights: bool,
}

/// Lays out all sheets of a job. After a cancel the pages are unusable.
pub fn lay_out_sheets(job: &SheetJob<'_>, storage: PageStorage, progress: &Progress) -> (Scene, Vec<Finding>) {
    let (scene, findings, _) = lay_out_with_backs(job, storage, progress);
    (scene, findings)
}

/// The same, and how many of the pages are backs of sheets: each ship's last ones.
pub(super) fn lay_out_with_backs(
    job: &SheetJob<'_>,
    storage: PageStorage,
    progress: &Progress,
) -> (Scene, Vec<Finding>, usize) {
    let mut findings = Vec::new();
    let (places, pages) = place_first_pages(job, &mut findings);
    let minimums = job.options.minimum_sizes();
    progress.begin_phase("sheet", places.len());
    let laid: Vec<Result<FinishedShip, Box<Finding>>> = places
        .par_iter()
        .map(|place| {
            if progress.is_cancelled() {
                return Ok(FinishedShip::default());
            }
            let page_width = if let FirstPage::Cards((width, _)) = pages[place.page] { Some(width) } else { None };
            let laid = lay_out_ship(job, place, page_width, minimums);
            progress.step();
            laid.map(|(laid, back)| {
                let lacks_fights = job.ships[place.ship].fights.is_some() && !laid.shows_odds;
                let filled = |page: Page, items: Vec<SceneItem>| storage.keep(Page { items, ..page });
                let more = laid
                    .continuation_pages
                    .into_iter()
                    .map(|items| filled(place.plan.next.blank_page(), items))
                    .collect();
                FinishedShip {
                    first: Page { mount_areas: laid.mount_areas, ..filled(Page::default(), laid.first) },
                    continuation_pages: more,
                    sheet_backs: laid.backs,
                    back,
                    findings: laid.findings,
                    lacks_fights,
                }
            })
        })
        .collect();

    let mut without_fights: Vec<&str> = Vec::new();
    let mut sheet_backs = vec![0; pages.len()];
    let mut first: Vec<Page> = pages.iter().map(FirstPage::blank_page).collect();
    let mut more: Vec<Vec<Page>> = pages.iter().map(|_| Vec::new()).collect();
    let mut backs: Vec<Vec<SceneItem>> = pages.iter().map(|_| Vec::new()).collect();
    let mut guides: Vec<Vec<Rect>> = pages.iter().map(|_| Vec::new()).collect();
    for (place, laid) in places.iter().zip(laid) {
        let ship = &job.ships[place.ship];
        match laid {
            Ok(laid) => {
                if place.copy == 0 {
                    if laid.lacks_fights {
                        without_fights.push(ship.ship.name.as_deref().unwrap_or(&ship.name));
                    }
                    findings.extend(laid.findings);
                    first[place.page].bookmarks.push(bookmark_title(ship, job.subject).into());
                }
                let (width, height) = place.plan.own.size_on_page();
                guides[place.page].push(Rect::new(place.origin.0, place.origin.1, width, height));
                let page = &mut first[place.page];
                page.mount_areas.extend(laid.first.mount_areas);
                page.compact.append(laid.first.compact);
                append_items(&mut page.items, laid.first.items);
                if let Some(back) = place.back_place {
                    guides[place.page].push(back);
                    append_items(&mut page.items, laid.back);
                } else {
                    append_items(&mut backs[place.page], laid.back);
                }
                more[place.page].extend(laid.continuation_pages);
                sheet_backs[place.page] += laid.sheet_backs;
            }
            Err(finding) => findings.push(*finding),
        }
    }
    for ((page, back), (cards, open)) in first.iter_mut().zip(&mut backs).zip(guides.iter().zip(&pages)) {
        if matches!(open, FirstPage::Cards(_)) {
            page.items.extend(card_cut_marks(cards));
            if job.options.fill_card_pages && !job.options.is_blank {
                let size = (page.width, page.height);
                let title = job.ships.first().map_or_else(String::new, |ship| ship.say("NOTES"));
                append_items(&mut page.items, note_lines(&title, cards, size, &job.options));
                if !back.is_empty() {
                    let behind = cards.iter().map(|card| Rect { x: size.0 - card.right(), ..*card });
                    append_items(back, note_lines(&title, &behind.collect::<Vec<_>>(), size, &job.options));
                }
            }
        }
    }
    let sheet_backs = first.iter().zip(sheet_backs).filter(|(page, _)| !page.is_empty()).map(|(_, backs)| backs).sum();
    let pages = first.into_iter().zip(backs).zip(more).filter(|((page, _), _)| !page.is_empty());
    let pages = pages.flat_map(|((page, back), more)| {
        let Page { width, height, .. } = page;
        let back = (!back.is_empty())
            .then(|| storage.keep(Page { width, height, items: back, role: PageRole::Back, ..Page::default() }));
        std::iter::once(page).chain(back).chain(more)
    });
    let pages = pages.collect();
    findings.extend(missing_fights(&without_fights));
    findings.extend(missing_qr_panels(job, &places));
    let mut seen = job.templates.findings();
    seen.extend(findings);
    (Scene { meta: sheet_scene_meta(job), pages }, seen, sheet_backs)
}

/// A finding for each template that has no place for the QR codes that the job asks for.
fn missing_qr_panels(job: &SheetJob<'_>, places: &[ShipPlacement]) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    // Sheets without a design, such as reference sheets, have no code.
    let has_design = |place: &&ShipPlacement| job.ships[place.ship].design().is_some();
    for place in places.iter().filter(|_| job.options.qr).filter(has_design) {
        let prepared = &place.plan.first;
        let has_qr = |template: &PreparedTemplate| template.panels.iter().any(|placed| *placed.kind == *"qr");
        let back = place.plan.is_card.then(|| card_back(&job.ships[place.ship], prepared.size(), job.templates));
        if has_qr(prepared) || back.flatten().is_some_and(|back| has_qr(&back)) {
            continue;
        }
        let template = &prepared.template.source.file;
        let message = format!("no QR code on {template}: the template has no `panel: qr`");
        let help = "label a rectangle of at least 36 × 36 mm `panel: qr` in the template";
        let finding = Finding::warning("no-qr-panel", message).help(help);
        if !findings.iter().any(|other| finding.repeats(other)) {
            findings.push(finding);
        }
    }
    findings
}

fn append_items(items: &mut Vec<SceneItem>, mut more: Vec<SceneItem>) {
    if items.is_empty() {
        *items = more;
    } else {
        items.append(&mut more);
    }
}

fn ship_title(ship: &Evaluation) -> String {
    match ship.ship.name.as_deref().unwrap_or(&ship.name) {
        "" => format!("{}, {}", ship.ruleset.title, ship.sheet().map_or("sheet", |sheet| &sheet.id)),
        name => name.to_owned(),
    }
}

/// Decides where every ship's first page goes: full pages one after another, cards together on pages with room.
pub(super) fn place_first_pages(
    job: &SheetJob<'_>,
    findings: &mut Vec<Finding>,
) -> (Vec<ShipPlacement>, Vec<FirstPage>) {
    let page_setup = &job.options.page_setup;
    let mut places: Vec<ShipPlacement> = Vec::new();
    let mut cards: Vec<(usize, (f32, f32))> = Vec::new();
    let mut boxes_of_job = job.options.boxes_before;
    let mut beyond_limit: Vec<(&str, Finding)> = Vec::new();
    for (n, ship) in job.ships.iter().enumerate() {
        let who = ship.ship.name.as_deref().unwrap_or(&ship.name);
        let Some(sheet) = ship.sheet() else {
            let message = format!("{who}: the ruleset {} has no sheet for this design", ship.ruleset.id);
            findings
                .push(Finding::error("no-sheet", message).help("add a [[sheet]] whose condition covers this design"));
            continue;
        };
        let more = ship.ruleset.continuation().map(|sheet| &*sheet.template);
        let plan = SheetPlan::new(&sheet.template, more, job.templates, &ship.ruleset, &job.options);
        let Some(plan) = plan else {
            let message = format!("skipped {who}: cannot use its template {}", sheet.template);
            findings.push(Finding::error("no-template", message));
            continue;
        };
        let (size, first_sheet) = (plan.own.size_on_page(), plan.own);
        let too_large_or_small = if plan.is_card {
            card_too_large_finding(page_setup, who, size)
        } else {
            first_sheet.too_small_finding(plan.first.size(), &job.options, &ship_title(ship))
        };
        if let Some(finding) = too_large_or_small {
            findings.push(finding);
            continue;
        }
        let copies = copies_of(ship, job.options.copies);
        match if job.options.is_blank { BoxCount::Fits } else { count_boxes(ship, who, copies, &mut boxes_of_job) } {
            BoxCount::Fits => {}
            BoxCount::ShipTooLarge(finding) => {
                findings.push(finding);
                continue;
            }
            BoxCount::FileFull(finding) => {
                beyond_limit.push((who, finding));
                continue;
            }
        }
        for copy in 0..copies {
            if plan.is_card {
                cards.push((places.len(), size));
            }
            places.push(ShipPlacement {
                ship: n,
                plan: plan.clone(),
                origin: first_sheet.origin(),
                page: 0,
                copy,
                back_place: None,
                unit: Arc::default(),
            });
        }
    }
    findings.extend(file_full_finding(beyond_limit));
    let sizes: Vec<_> = cards.iter().map(|(_, size)| *size).collect();
    let packed = pack_cards(&sizes, page_setup);
    let mut positions = vec![None; places.len()];
    for ((place, _), position) in cards.iter().zip(&packed.positions) {
        positions[*place] = *position;
    }
    // Pages in the order of the first ship on each.
    let mut pages: Vec<FirstPage> = Vec::new();
    let mut opened: Vec<Option<usize>> = vec![None; packed.pages.len()];
    for (place, position) in places.iter_mut().zip(positions) {
        match position {
            Some(position) => {
                place.origin = position.corner;
                place.page = *opened[position.page].get_or_insert_with(|| {
                    pages.push(FirstPage::Cards(packed.pages[position.page]));
                    pages.len() - 1
                });
            }
            None => {
                let sheet = place.plan.own;
                place.origin = sheet.origin();
                place.page = pages.len();
                pages.push(FirstPage::Full(sheet));
            }
        }
    }
    for (page, open) in pages.iter().enumerate() {
        if let FirstPage::Cards(size) = *open
            && job.options.fill_card_pages
        {
            use_free_room(job, &mut places, page, size);
        }
    }
    let units = unit_names::name_units(places.iter().map(|place| (&job.ships[place.ship], place.copy)));
    places.iter_mut().zip(units).for_each(|(place, unit)| place.unit = unit);
    (places, pages)
}

/// Fills the room that the cards of a page leave free: with more cards on empty sheets, else with the backs of all of
/// them, unless those are behind them.
fn use_free_room(job: &SheetJob<'_>, places: &mut Vec<ShipPlacement>, page: usize, size: (f32, f32)) {
    let on_page: Vec<usize> = (0..places.len()).filter(|n| places[*n].page == page).collect();
    let card = |place: &ShipPlacement| {
        let (w, h) = place.plan.own.size_on_page();
        Rect::new(place.origin.0, place.origin.1, w, h)
    };
    let mut cards: Vec<Rect> = on_page.iter().map(|n| card(&places[*n])).collect();
    if !job.options.is_blank {
        let shift = shift_for_notes(&cards, size, &job.options);
        on_page.iter().for_each(|n| places[*n].origin.0 -= shift);
        cards.iter_mut().for_each(|card| card.x -= shift);
    }
    if job.options.is_blank {
        for (n, place) in places_for_repeats(&cards, size, &job.options.page_setup) {
            let ShipPlacement { ship, ref plan, .. } = places[on_page[n]];
            let copy = places.iter().filter(|place| place.ship == ship).count() as u32;
            let (plan, origin, unit) = (plan.clone(), (place.x, place.y), Arc::default());
            places.push(ShipPlacement { ship, plan, origin, page, copy, back_place: None, unit });
        }
        return;
    }
    let has_back = |n: &usize| {
        let ShipPlacement { ship, plan, .. } = &places[*n];
        card_back(&job.ships[*ship], plan.first.size(), job.templates).is_some()
    };
    if job.options.card_backs_beside
        && on_page.iter().all(has_back)
        && let Some(backs) = places_for_backs(&cards, size, &job.options.page_setup)
    {
        on_page.into_iter().zip(backs).for_each(|(n, back)| places[n].back_place = Some(back));
    }
}

/// The finding for a card that fits the paper in neither orientation; cards keep their size.
fn card_too_large_finding(page_setup: &PageSetup, who: &str, size: (f32, f32)) -> Option<Finding> {
    if page_setup.printable_areas().iter().any(|printable| page_setup.card_area(printable, size).is_some()) {
        return None;
    }
    let room = page_setup.printable_areas()[0].area;
    let message = format!(
        "skipped {who}: the card is {} × {} mm, {} paper has room for {} × {} mm between its margins",
        format_mm(size.0),
        format_mm(size.1),
        page_setup.paper,
        format_mm(room.w),
        format_mm(room.h)
    );
    let help = "use larger paper or smaller margins: cards are never reduced";
    Some(Finding::error("paper-too-small", message).help(help))
}

fn copies_of(ship: &Evaluation, copies: u32) -> u32 {
    copies.max(1).saturating_mul(ship.ship.count.max(1)).min(1000)
}

/// The number of boxes of a file after these ships, given those before; what exceeds a limit is not printed and does
/// not count.
pub fn boxes_after(ships: &[Evaluation], copies: u32, before: u64) -> u64 {
    let mut boxes = before;
    for ship in ships.iter().filter(|ship| ship.sheet().is_some()) {
        let _ = count_boxes(ship, "", copies_of(ship, copies), &mut boxes);
    }
    boxes
}

enum BoxCount {
    Fits,
    /// More boxes than a game could use.
    ShipTooLarge(Finding),
    /// The file would have too many.
    FileFull(Finding),
}

/// Adds a ship's boxes to those of the job, unless it is not laid out because of them.
fn count_boxes(ship: &Evaluation, who: &str, copies: u32, boxes_of_job: &mut u64) -> BoxCount {
    let systems: u64 = ship.fits.iter().map(|fit| u64::from(fit.count)).sum();
    let tracks: u64 = ship.tracks.iter().flat_map(|track| &track.rows).map(|&boxes| u64::from(boxes)).sum();
    let counters: u64 = ship.counters.iter().map(|counter| u64::from(counter.count)).sum();
    let boxes = systems + tracks + counters;
    if boxes > MAX_BOXES_PER_SHIP {
        let message = format!(
            "skipped {who}: {boxes} boxes ({systems} systems, {tracks} in tracks, {counters} counters), the limit is {MAX_BOXES_PER_SHIP}"
        );
        let help = "check for a count that is far too large, or split it among several ships";
        return BoxCount::ShipTooLarge(Finding::error("too-large-to-print", message).help(help));
    }
    let all = boxes * u64::from(copies);
    if *boxes_of_job + all > MAX_BOXES_PER_JOB {
        let message = format!(
            "skipped {who}: {copies} × {boxes} boxes and the {boxes_of_job} of earlier ships exceed the limit of {MAX_BOXES_PER_JOB} per file"
        );
        let help = "print fewer copies, or fewer ships in one file";
        return BoxCount::FileFull(Finding::error("too-large-to-print", message).help(help));
    }
    *boxes_of_job += all;
    BoxCount::Fits
}

/// One finding for all ships beyond the limit of a file, each with its own.
fn file_full_finding(mut ships: Vec<(&str, Finding)>) -> Option<Finding> {
    let names: Vec<&str> = ships.iter().map(|(who, _)| *who).collect();
    let message = format!(
        "skipped {}: with the boxes of earlier ships each exceeds the limit of {MAX_BOXES_PER_JOB} boxes per file",
        list_names(&names, MAX_NAMED)
    );
    let several = ships.len() > 1;
    let (_, last) = ships.pop()?;
    Some(if several { last.with_message(message) } else { last })
}

/// A ship's pages and the items of its card's back. `page_width`: that of the page of cards it is on.
pub(super) fn lay_out_ship(
    job: &SheetJob<'_>,
    place: &ShipPlacement,
    page_width: Option<f32>,
    minimums: MinimumSizes,
) -> Result<(ShipPages, Vec<SceneItem>), Box<Finding>> {
    let ship = &job.ships[place.ship];
    let work = || {
        let SheetPlan { first, continuation, own, next, is_card } = &place.plan;
        let frame = PageFrame { origin: own.before_scaling(place.origin), ..own.page_frame(minimums) };
        let view = ShipView::new(ship, job.options, frame.styles, job.templates);
        let view = view.knowing(std::iter::once(&first.texts).chain(continuation.iter().map(|more| &more.texts)));
        let unit = Arc::clone(&place.unit);
        let (more, next_frame) = (continuation.as_deref(), next.page_frame(minimums));
        let mut laid = ship_pages::lay_out_pages(first, more, &view, frame, next_frame, unit, *is_card);
        let words = ship.ruleset.words.as_deref();
        own.scale_items(&mut laid.first, place.origin, (!is_card).then_some((&job.options, words)));
        for items in &mut laid.continuation_pages {
            next.scale_items(items, next.origin(), Some((&job.options, words)));
        }
        let back = draw_ship_back(job, place, page_width, minimums, &mut laid);
        add_load_sheets(job, place, minimums, &mut laid);
        (laid, back)
    };
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| {
        let who = ship.ship.name.as_deref().unwrap_or(&ship.name);
        let finding = Finding::error("sheet-failed", format!("cannot lay out {who}; printed the other ships"));
        Box::new(finding.help("this is a bug in Moldloft: please report it with the design"))
    })
}

/// Draws the back of a ship's card, or adds that of its sheets to its pages: on a side that they leave blank, else on both
/// sides of a further leaf if a log would be too short without.
fn draw_ship_back(
    job: &SheetJob<'_>,
    place: &ShipPlacement,
    page_width: Option<f32>,
    minimums: MinimumSizes,
    laid: &mut ShipPages,
) -> Vec<SceneItem> {
    let ship = &job.ships[place.ship];
    let SheetPlan { first, own, is_card, .. } = &place.plan;
    let draw = |ship: &Evaluation, back: &PreparedTemplate, frame: PageFrame, laid: &mut ShipPages| {
        let (items, findings, shows_odds) =
            draw_back(back, ship, frame, job.options, job.templates, Arc::clone(&place.unit), &mut laid.log_rows);
        laid.findings.extend(findings);
        laid.shows_odds |= shows_odds;
        items
    };
    let has_back = job.options.card_backs || place.back_place.is_some();
    if let Some(page_width) = page_width.filter(|_| *is_card && has_back) {
        let Some(back) = card_back(ship, first.size(), job.templates) else { return Vec::new() };
        let (scale, (w, h)) = (own.placement.scale, own.size_on_page());
        let behind = || CardSpot { card: Rect::new(place.origin.0, place.origin.1, w, h), page_width, scale };
        let spot = place.back_place.map_or_else(behind, |back| CardSpot::on_front(back, scale));
        let mut items = draw(ship, &back, spot.frame_behind(&back, minimums), laid);
        own.scale_items(&mut items, place.origin, None);
        return items;
    }
    // With the first page, an odd number of pages.
    let leaves_side_blank = laid.continuation_pages.len().is_multiple_of(2);
    let is_ship = ship.sheet().is_some_and(|sheet| sheet.kind == SheetKind::Design);
    if !*is_card
        && job.options.sheet_backs
        && is_ship
        && let Some(back) = sheet_back(ship, first.size().0, job.templates)
    {
        let sides = match leaves_side_blank {
            true => 1,
            false if continues_short_log(&back, &laid.log_rows) => 2,
            false => 0,
        };
        // What it does to its enemies is on the first.
        let next = Evaluation { fights: None, ..ship.clone() };
        for ship in [ship, &next].into_iter().take(sides) {
            let mut items = draw(ship, &back, own.page_frame(minimums), laid);
            own.scale_items(&mut items, own.origin(), Some((&job.options, ship.ruleset.words.as_deref())));
            laid.continuation_pages.push(items);
            laid.backs += 1;
        }
    }
    Vec::new()
}

/// Adds a ship's load sheets to its pages, where these are asked for.
fn add_load_sheets(job: &SheetJob<'_>, place: &ShipPlacement, minimums: MinimumSizes, laid: &mut ShipPages) {
    if !job.options.load_sheets || job.options.is_blank {
        return;
    }
    let (ship, next) = (&job.ships[place.ship], &place.plan.next);
    for sheet in ship.load_sheets() {
        let Some(form) = form_of_width(ship, sheet, next.size.0, job.templates) else { continue };
        let (frame, unit) = (next.page_frame(minimums), Arc::clone(&place.unit));
        let (mut items, findings, _) =
            draw_back(&form, ship, frame, job.options, job.templates, unit, &mut laid.log_rows);
        next.scale_items(&mut items, next.origin(), Some((&job.options, ship.ruleset.words.as_deref())));
        laid.findings.extend(findings);
        laid.continuation_pages.push(items);
    }
}

pub(super) fn bookmark_title(ship: &Evaluation, what: &str) -> String {
    match (&ship.ship.name, &ship.name) {
        (Some(name), class) if **name != **class && !class.is_empty() => format!("{name} ({class})"),
        (Some(name), _) => name.to_string(),
        (None, class) if class.is_empty() => format!("{}: {what}", ship.ruleset.title),
        (None, class) => class.to_string(),
    }
}

fn sheet_scene_meta(job: &SheetJob<'_>) -> Meta {
    let names: Vec<&str> = job.ships.iter().map(|ship| ship.ship.name.as_deref().unwrap_or(&ship.name)).collect();
    scene_meta(&names, job.ships.iter().map(|ship| &*ship.ruleset), job.subject)
}
