//! A job: takes evaluated ships, gives the scene of all their pages in order. Ships are laid out side by side in threads; the order of pages
//! depends on nothing but the job. A ship that cannot be laid out is named; the others print.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rayon::prelude::*;

use super::bed::Bed;
use super::cards::pack;
use super::leaf::Leaf;
use super::options::{Floor, Options};
use super::page::{self, Laid, Stand};
use super::paper::{SHARED, tidy};
use super::pen::cut;
use super::prepare::Prepared;
use super::shelf::Shelf;
use super::units;
use super::view::View;
use crate::evaluate::Evaluation;
use crate::finding::Finding;
use crate::progress::Progress;
use crate::scene::{Item, Meta, Page, Path, Rect, Scene, Segment, Shape, Stroke, Style, Unit};

/// What is to be printed.
pub struct Job<'a> {
    /// The ships in order, their counters numbered if they are to be.
    pub ships: &'a [Evaluation],
    /// Where templates come from.
    pub shelf: &'a Shelf<'a>,
    /// How.
    pub options: Options,
    /// What is printed, for the file's title: `control sheets`.
    pub what: &'a str,
}

/// A ship of more boxes to tick (systems, tracks and counters together) is not laid out: it is a slip of the pen, not a ship.
pub const MOST_BOXES: u64 = 20_000;
/// A job of more boxes than this, repeats included, is to be printed in parts.
pub const MOST_BOXES_OF_A_JOB: u64 = 500_000;

/// What takes up less of the area that A4 and Letter share is a card.
const CARD: f32 = 0.6;

/// Where a ship's pages go.
struct Place {
    ship: usize,
    prepared: Arc<Prepared>,
    continuation: Option<Arc<Prepared>>,
    /// Where its template's corner lies on its page.
    origin: (f32, f32),
    /// What it is made smaller by; 1 for cards.
    scale: f32,
    /// How its continuation pages lie.
    next: Leaf,
    /// The page it stands on, among the pages opened for first pages.
    page: usize,
    /// Repeats of the same ship.
    copy: u32,
    /// Which unit of the job it is.
    unit: Arc<Unit>,
}

/// A page opened for first pages.
enum Open {
    Full(Leaf),
    Cards((f32, f32)),
}

impl Open {
    fn page(&self) -> Page {
        match *self {
            Self::Full(leaf) => leaf.page(),
            Self::Cards((width, height)) => Page { width, height, ..Page::default() },
        }
    }
}

/// Prints a job.
pub fn print(job: &Job<'_>) -> (Scene, Vec<Finding>) {
    print_watched(job, &Progress::default())
}

/// The same, each ship counted on the way. When it was asked to stop, the pages are good for nothing.
pub fn print_watched(job: &Job<'_>, progress: &Progress) -> (Scene, Vec<Finding>) {
    print_all(job, false, progress)
}

/// The same, each page laid away in little room as soon as it is done: for jobs of hundreds of ships.
pub fn print_folded(job: &Job<'_>, progress: &Progress) -> (Scene, Vec<Finding>) {
    print_all(job, true, progress)
}

/// A ship's pages: what she has on her first one, and those that continue it.
#[derive(Default)]
struct Done {
    first: Page,
    more: Vec<Page>,
    findings: Vec<Finding>,
}

fn print_all(job: &Job<'_>, folded: bool, progress: &Progress) -> (Scene, Vec<Finding>) {
    let mut findings = Vec::new();
    let (places, pages) = place(job, &mut findings);
    let floor = Floor::of(&job.options);
    progress.begin("sheet", places.len());
    let laid: Vec<Result<Done, Box<Finding>>> = places
        .par_iter()
        .map(|place| {
            if progress.is_cancelled() {
                return Ok(Done::default());
            }
            let laid = lay(job, place, floor);
            progress.step();
            laid.map(|laid| {
                let filled = |page: Page, items: Vec<Item>| {
                    let mut page = Page { items, ..page };
                    if folded {
                        page.fold();
                    }
                    page
                };
                let more = laid.more.into_iter().map(|items| filled(place.next.page(), items)).collect();
                Done { first: filled(Page::default(), laid.first), more, findings: laid.findings }
            })
        })
        .collect();

    let mut first: Vec<Page> = pages.iter().map(Open::page).collect();
    let mut more: Vec<Vec<Page>> = pages.iter().map(|_| Vec::new()).collect();
    let mut guides: Vec<Vec<Rect>> = pages.iter().map(|_| Vec::new()).collect();
    for (place, laid) in places.iter().zip(laid) {
        let ship = &job.ships[place.ship];
        match laid {
            Ok(laid) => {
                if place.copy == 0 {
                    findings.extend(laid.findings);
                    first[place.page].bookmarks.push(bookmark(ship, job.what).into());
                }
                let template = &place.prepared.template;
                guides[place.page].push(Rect::new(place.origin.0, place.origin.1, template.width, template.height));
                let page = &mut first[place.page];
                page.folded.append(laid.first.folded);
                append(&mut page.items, laid.first.items);
                more[place.page].extend(laid.more);
            }
            Err(finding) => findings.push(*finding),
        }
    }
    for (page, (cards, open)) in first.iter_mut().zip(guides.iter().zip(&pages)) {
        if matches!(open, Open::Cards(_)) {
            page.items.extend(cut_guides(cards));
        }
    }
    let pages = first.into_iter().zip(more).filter(|(page, _)| !page.is_empty());
    let pages = pages.flat_map(|(page, more)| std::iter::once(page).chain(more)).collect();
    let mut seen = job.shelf.findings();
    seen.extend(findings);
    (Scene { meta: meta(job), pages }, seen)
}

fn append(items: &mut Vec<Item>, mut more: Vec<Item>) {
    if items.is_empty() {
        *items = more;
    } else {
        items.append(&mut more);
    }
}

/// What a player calls a ship, or a sheet of no ship.
fn named(ship: &Evaluation) -> String {
    match ship.ship.name.as_deref().unwrap_or(&ship.name) {
        "" => format!("{}, {}", ship.ruleset.title, ship.sheet().map_or("sheet", |sheet| &sheet.id)),
        name => name.to_owned(),
    }
}

/// Decides where every ship's first page goes; full pages one after another, cards together on pages that have room.
fn place(job: &Job<'_>, findings: &mut Vec<Finding>) -> (Vec<Place>, Vec<Open>) {
    let bed = &job.options.bed;
    let mut places: Vec<Place> = Vec::new();
    let mut cards: Vec<(usize, (f32, f32))> = Vec::new();
    let mut boxes_of_job = job.options.boxes_before;
    for (n, ship) in job.ships.iter().enumerate() {
        let who = ship.ship.name.as_deref().unwrap_or(&ship.name);
        let Some(sheet) = ship.sheet() else {
            let message = format!("{who}: the ruleset {} has no sheet for this design", ship.ruleset.id);
            findings
                .push(Finding::error("no-sheet", message).help("add a [[sheet]] whose condition covers this design"));
            continue;
        };
        let Some(prepared) = job.shelf.prepared(&ship.ruleset, &sheet.template) else {
            let message = format!("skipped {who}: cannot use its template {}", sheet.template);
            findings.push(Finding::error("no-template", message));
            continue;
        };
        let continuation =
            ship.ruleset.continuation().and_then(|sheet| job.shelf.prepared(&ship.ruleset, &sheet.template));
        let mut continuation = continuation.filter(|prepared| prepared.takes_rest());
        let more = continuation.as_ref().map_or(SHARED, |prepared| (prepared.template.width, prepared.template.height));
        let mut next = Leaf::new(bed, more);
        let size = (prepared.template.width, prepared.template.height);
        let card = size.0 * size.1 < SHARED.0 * SHARED.1 * CARD;
        let mut own = Leaf::new(bed, size);
        if card && next.fit.scale < 1.0 {
            // A card keeps its size, and so does what it continues on: a plain page as large as the paper has room.
            let (w, h) = next.fit.cells.least_area();
            (continuation, next) = (None, Leaf::new(bed, (w, h)));
        }
        if !card {
            // One size of print on all pages of a ship.
            let scale = own.fit.scale.min(next.fit.scale);
            (own.fit.scale, next.fit.scale) = (scale, scale);
        }
        let told = if card { no_room_for_card(bed, who, size) } else { own.no_room(&job.options, &named(ship)) };
        if let Some(finding) = told {
            findings.push(finding);
            continue;
        }
        let copies = copies_of(ship, job.options.copies);
        if !job.options.blank
            && let Some(finding) = too_large(ship, who, copies, &mut boxes_of_job)
        {
            findings.push(finding);
            continue;
        }
        for copy in 0..copies {
            if card {
                cards.push((places.len(), size));
            }
            places.push(Place {
                ship: n,
                prepared: Arc::clone(&prepared),
                continuation: continuation.clone(),
                origin: own.origin(),
                scale: if card { 1.0 } else { own.fit.scale },
                next,
                page: 0,
                copy,
                unit: Arc::default(),
            });
        }
    }
    let sizes: Vec<_> = cards.iter().map(|(_, size)| *size).collect();
    let packed = pack(&sizes, bed);
    let mut seats = vec![None; places.len()];
    for ((place, _), seat) in cards.iter().zip(&packed.seats) {
        seats[*place] = *seat;
    }
    // Pages in the order of the first ship on each.
    let mut pages: Vec<Open> = Vec::new();
    let mut opened: Vec<Option<usize>> = vec![None; packed.pages.len()];
    let units = units::name(places.iter().map(|place| (&job.ships[place.ship], place.copy)));
    for ((place, seat), unit) in places.iter_mut().zip(seats).zip(units) {
        place.unit = unit;
        match seat {
            Some(seat) => {
                place.origin = seat.at;
                place.page = *opened[seat.page].get_or_insert_with(|| {
                    pages.push(Open::Cards(packed.pages[seat.page]));
                    pages.len() - 1
                });
            }
            None => {
                let size = (place.prepared.template.width, place.prepared.template.height);
                let mut leaf = Leaf::new(bed, size);
                leaf.fit.scale = place.scale;
                place.origin = leaf.origin();
                place.page = pages.len();
                pages.push(Open::Full(leaf));
            }
        }
    }
    (places, pages)
}

/// The finding for a card that fits the paper neither way; cards keep their size.
fn no_room_for_card(bed: &Bed, who: &str, size: (f32, f32)) -> Option<Finding> {
    if bed.grounds().iter().any(|ground| bed.room(ground, size).is_some()) {
        return None;
    }
    let room = bed.grounds()[0].area;
    let message = format!(
        "skipped {who}: the card is {} × {} mm, {} paper has room for {} × {} mm between its margins",
        tidy(size.0),
        tidy(size.1),
        bed.paper,
        tidy(room.w),
        tidy(room.h)
    );
    let help = "use larger paper or smaller margins: cards are never reduced";
    Some(Finding::error("paper-too-small", message).help(help))
}

/// How often a ship's pages are printed.
fn copies_of(ship: &Evaluation, copies: u32) -> u32 {
    copies.max(1).saturating_mul(ship.ship.count.max(1)).min(1000)
}

/// The boxes of a file after these ships, when so many came before; what exceeds a limit is not printed and does not count.
pub fn boxes_after(ships: &[Evaluation], copies: u32, before: u64) -> u64 {
    let mut boxes = before;
    for ship in ships.iter().filter(|ship| ship.sheet().is_some()) {
        let _ = too_large(ship, "", copies_of(ship, copies), &mut boxes);
    }
    boxes
}

/// What keeps a ship from being laid out: more boxes than a game could tick, or more than one file should hold.
fn too_large(ship: &Evaluation, who: &str, copies: u32, boxes_of_job: &mut u64) -> Option<Finding> {
    let systems: u64 = ship.fits.iter().map(|fit| u64::from(fit.count)).sum();
    let tracks: u64 = ship.tracks.iter().flat_map(|track| &track.rows).map(|&boxes| u64::from(boxes)).sum();
    let counters: u64 = ship.counters.iter().map(|counter| u64::from(counter.count)).sum();
    let boxes = systems + tracks + counters;
    if boxes > MOST_BOXES {
        let message = format!(
            "skipped {who}: {boxes} boxes ({systems} systems, {tracks} in tracks, {counters} counters), the limit is {MOST_BOXES}"
        );
        let help = "check for a count that is far too large, or split it among several ships";
        return Some(Finding::error("too-large-to-print", message).help(help));
    }
    let all = boxes * u64::from(copies);
    if *boxes_of_job + all > MOST_BOXES_OF_A_JOB {
        let message = format!(
            "skipped {who}: {copies} × {boxes} boxes and the {boxes_of_job} of earlier ships exceed the limit of {MOST_BOXES_OF_A_JOB} per file"
        );
        return Some(
            Finding::error("too-large-to-print", message).help("print fewer copies, or fewer ships in one file"),
        );
    }
    *boxes_of_job += all;
    None
}

fn lay(job: &Job<'_>, place: &Place, floor: Floor) -> Result<Laid, Box<Finding>> {
    let ship = &job.ships[place.ship];
    let work = || {
        let template = &place.prepared.template;
        let mut own = Leaf { size: (template.width, template.height), ..place.next };
        own.fit.scale = place.scale;
        let stand = Stand { origin: own.before(place.origin), ..own.stand(floor) };
        let view = View::new(ship, job.options, stand.hands, job.shelf);
        let next = place.next.stand(floor);
        let mut laid = page::lay(
            &place.prepared,
            place.continuation.as_deref(),
            &view,
            stand.origin,
            next,
            Arc::clone(&place.unit),
        );
        own.reduce(&mut laid.first, place.origin, &job.options);
        for items in &mut laid.more {
            place.next.reduce(items, place.next.origin(), &job.options);
        }
        laid
    };
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| {
        let who = ship.ship.name.as_deref().unwrap_or(&ship.name);
        let finding = Finding::error("sheet-failed", format!("cannot lay out {who}; printed the other ships"));
        Box::new(finding.help("this is a bug in Moldloft: please report it with the design"))
    })
}

fn bookmark(ship: &Evaluation, what: &str) -> String {
    match (&ship.ship.name, &ship.name) {
        (Some(name), class) if **name != **class && !class.is_empty() => format!("{name} ({class})"),
        (Some(name), _) => name.to_string(),
        (None, class) if class.is_empty() => format!("{}: {what}", ship.ruleset.title),
        (None, class) => class.to_string(),
    }
}

fn meta(job: &Job<'_>) -> Meta {
    let names: Vec<&str> = job
        .ships
        .iter()
        .map(|ship| ship.ship.name.as_deref().unwrap_or(&ship.name))
        .filter(|n| !n.is_empty())
        .collect();
    let title = match names.as_slice() {
        [] => match job.ships.first() {
            Some(ship) => format!("{}: {}", ship.ruleset.title, job.what),
            None => job.what.to_owned(),
        },
        [one] => format!("{one}, {}", job.what),
        [first, .., last] => format!("{first} to {last}, {}", job.what),
    };
    let mut games: Vec<&str> = Vec::new();
    let mut credits: Vec<&str> = Vec::new();
    for ship in job.ships {
        if !games.contains(&&*ship.ruleset.title) {
            games.push(&ship.ruleset.title);
        }
        if !ship.ruleset.credit.is_empty() && !credits.contains(&&*ship.ruleset.credit) {
            credits.push(&ship.ruleset.credit);
        }
    }
    Meta { title, author: credits.join(", "), subject: format!("{}: {}", games.join(", "), job.what) }
}

/// Short lines at the corners of cards, outside every card.
fn cut_guides(cards: &[Rect]) -> Vec<Item> {
    const LENGTH: f32 = 2.2;
    const CLEAR: f32 = 0.4;
    let mut segments = Vec::new();
    for card in cards {
        for (x, out) in [(card.x, -1.0), (card.right(), 1.0)] {
            for (y, up) in [(card.y, -1.0), (card.bottom(), 1.0)] {
                segments.push(Segment::Move(x + out * CLEAR, y));
                segments.push(Segment::Line(x + out * (CLEAR + LENGTH), y));
                segments.push(Segment::Move(x, y + up * CLEAR));
                segments.push(Segment::Line(x, y + up * (CLEAR + LENGTH)));
            }
        }
    }
    let style = Style { fill: None, stroke: Some(Stroke { dash: Vec::new(), ..cut() }) };
    let path = Path { segments, even_odd: false };
    if path.segments.is_empty() { Vec::new() } else { vec![Item { shape: Shape::Path(path, style), mark: None }] }
}
