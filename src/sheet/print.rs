//! A job: takes evaluated ships, gives the scene of all their pages in order. Ships are laid out side by side in threads; the order of pages
//! depends on nothing but the job. A ship that cannot be laid out is named; the others print.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rayon::prelude::*;

use super::options::{Floor, Options, SHARED};
use super::page::{self, Laid};
use super::pen::{Hands, Pen, cut};
use super::prepare::Prepared;
use super::shelf::Shelf;
use super::view::View;
use crate::evaluate::Evaluation;
use crate::finding::Finding;
use crate::scene::{Item, Meta, Page, Path, Scene, Segment, Shape, Style};

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

/// Between cards, mm.
const CARD_GAP: f32 = 6.0;
/// No card comes nearer to the edge of the shared area, mm.
const CARD_MARGIN: f32 = 8.0;

/// Where a ship's first page goes.
struct Place {
    ship: usize,
    prepared: Arc<Prepared>,
    continuation: Option<Arc<Prepared>>,
    origin: (f32, f32),
    /// Where the corner of a continuation page lies.
    next: (f32, f32),
    /// The page it stands on, among the pages opened for first pages.
    page: usize,
    /// Repeats of the same ship.
    copy: u32,
}

/// How cards of one size stand on a page.
struct Layout {
    columns: usize,
    rows: usize,
    step: (f32, f32),
    corner: (f32, f32),
}

impl Layout {
    fn new((width, height): (f32, f32), paper: (f32, f32)) -> Self {
        let along = |size: f32, room: f32| {
            ((room - 2.0 * CARD_MARGIN + CARD_GAP) / (size + CARD_GAP)).floor().max(0.0) as usize
        };
        // What is as wide as the page has its own margins and is cut along its edge.
        let bleed = width > SHARED.0 - 2.0 * CARD_MARGIN - 0.1;
        let (columns, gap_x) = if bleed { (1, 0.0) } else { (along(width, SHARED.0).max(1), CARD_GAP) };
        let (rows, gap_y) = if bleed {
            let rows = ((SHARED.1 + 0.5) / height).floor().max(1.0);
            (rows as usize, ((SHARED.1 - rows * height) / (rows + 1.0)).clamp(0.0, CARD_GAP))
        } else {
            (along(height, SHARED.1).max(1), CARD_GAP)
        };
        let step = (width + gap_x, height + gap_y);
        let used = (columns as f32 * step.0 - gap_x, rows as f32 * step.1 - gap_y);
        Self { columns, rows, step, corner: ((paper.0 - used.0) / 2.0, (paper.1 - used.1) / 2.0) }
    }

    fn many(&self) -> usize {
        self.columns * self.rows
    }

    fn origin(&self, n: usize) -> (f32, f32) {
        let (column, row) = (n % self.columns, n / self.columns);
        (self.corner.0 + column as f32 * self.step.0, self.corner.1 + row as f32 * self.step.1)
    }
}

/// A page opened for first pages.
struct Open {
    size: (u32, u32),
    /// Several templates stand on it, or one that is much smaller than the paper.
    cards: bool,
    filled: usize,
}

/// Prints a job.
pub fn print(job: &Job<'_>) -> (Scene, Vec<Finding>) {
    let paper = job.options.paper.size();
    let mut findings = Vec::new();
    let (places, pages) = place(job, paper, &mut findings);
    let hands = Hands::new(Floor::of(&job.options));
    let laid: Vec<Result<Laid, Box<Finding>>> = places.par_iter().map(|place| lay(job, place, hands)).collect();

    let mut first: Vec<Page> = pages.iter().map(|_| blank_page(paper)).collect();
    let mut more: Vec<Vec<Page>> = pages.iter().map(|_| Vec::new()).collect();
    let mut guides: Vec<Vec<crate::scene::Rect>> = pages.iter().map(|_| Vec::new()).collect();
    for (place, laid) in places.iter().zip(laid) {
        let ship = &job.ships[place.ship];
        match laid {
            Ok(laid) => {
                if place.copy == 0 {
                    findings.extend(laid.findings);
                    first[place.page].bookmarks.push(bookmark(ship, job.what));
                }
                let template = &place.prepared.template;
                guides[place.page].push(crate::scene::Rect::new(
                    place.origin.0,
                    place.origin.1,
                    template.width,
                    template.height,
                ));
                append(&mut first[place.page].items, laid.first);
                more[place.page].extend(laid.more.into_iter().map(|items| Page { items, ..blank_page(paper) }));
            }
            Err(finding) => findings.push(*finding),
        }
    }
    for (page, (cards, open)) in first.iter_mut().zip(guides.iter().zip(&pages)) {
        if open.cards {
            page.items.extend(cut_guides(cards));
        }
    }
    let pages = first.into_iter().zip(more).filter(|(page, _)| !page.items.is_empty());
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

fn blank_page(paper: (f32, f32)) -> Page {
    Page { width: paper.0, height: paper.1, ..Page::default() }
}

/// Decides where every ship's first page goes; full pages one after another, cards of a size together on the page the first of them opened.
fn place(job: &Job<'_>, paper: (f32, f32), findings: &mut Vec<Finding>) -> (Vec<Place>, Vec<Open>) {
    let mut places = Vec::new();
    let mut pages: Vec<Open> = Vec::new();
    let mut boxes_of_job = 0;
    for (n, ship) in job.ships.iter().enumerate() {
        let who = ship.ship.name.as_deref().unwrap_or(&ship.name);
        let Some(sheet) = ship.sheet() else {
            let message = format!("{who}: the ruleset {} has no sheet for this design", ship.ruleset.id);
            findings.push(
                Finding::error("no-sheet", message).help("its [[sheet]] conditions must cover every kind of design"),
            );
            continue;
        };
        let Some(prepared) = job.shelf.prepared(&ship.ruleset, &sheet.template) else {
            let message = format!("{who} is not printed: its template {} cannot be used", sheet.template);
            findings.push(Finding::error("no-template", message));
            continue;
        };
        let continuation =
            ship.ruleset.continuation().and_then(|sheet| job.shelf.prepared(&ship.ruleset, &sheet.template));
        let continuation = continuation.filter(|prepared| prepared.takes_rest());
        let more = continuation.as_ref().map_or(SHARED, |prepared| (prepared.template.width, prepared.template.height));
        let next = ((paper.0 - more.0) / 2.0, (paper.1 - more.1) / 2.0);
        let size = (prepared.template.width, prepared.template.height);
        let layout = Layout::new(size, paper);
        let size = ((size.0 * 100.0) as u32, (size.1 * 100.0) as u32);
        let copies = job.options.copies.max(1).saturating_mul(ship.ship.count.max(1)).min(1000);
        if !job.options.blank
            && let Some(finding) = too_large(ship, who, copies, &mut boxes_of_job)
        {
            findings.push(finding);
            continue;
        }
        for copy in 0..copies {
            let open =
                pages.iter().position(|page| layout.many() > 1 && page.size == size && page.filled < layout.many());
            let page = open.unwrap_or_else(|| {
                let cards = layout.many() > 1 || layout.step.0 * layout.step.1 < SHARED.0 * SHARED.1 * 0.6;
                pages.push(Open { size, cards, filled: 0 });
                pages.len() - 1
            });
            let origin = layout.origin(pages[page].filled);
            pages[page].filled += 1;
            places.push(Place {
                ship: n,
                prepared: Arc::clone(&prepared),
                continuation: continuation.clone(),
                origin,
                next,
                page,
                copy,
            });
        }
    }
    (places, pages)
}

/// What keeps a ship from being laid out: more boxes than a game could tick, or more than one file should hold.
fn too_large(ship: &Evaluation, who: &str, copies: u32, boxes_of_job: &mut u64) -> Option<Finding> {
    let systems: u64 = ship.fits.iter().map(|fit| u64::from(fit.count)).sum();
    let tracks: u64 = ship.tracks.iter().flat_map(|track| &track.rows).map(|&boxes| u64::from(boxes)).sum();
    let counters: u64 = ship.counters.iter().map(|counter| u64::from(counter.count)).sum();
    let boxes = systems + tracks + counters;
    if boxes > MOST_BOXES {
        let message = format!(
            "{who} is not printed: {boxes} boxes ({systems} systems, {tracks} in tracks, {counters} counters), at most {MOST_BOXES} are laid out"
        );
        let help = "look for a count that is far too large, or share it out among several ships";
        return Some(Finding::error("too-large-to-print", message).help(help));
    }
    let all = boxes * u64::from(copies);
    if *boxes_of_job + all > MOST_BOXES_OF_A_JOB {
        let message = format!(
            "{who} is not printed: {copies} × {boxes} boxes and the {boxes_of_job} of the ships before are more than the {MOST_BOXES_OF_A_JOB} of one file"
        );
        return Some(
            Finding::error("too-large-to-print", message).help("print fewer copies, or fewer ships in one file"),
        );
    }
    *boxes_of_job += all;
    None
}

fn lay(job: &Job<'_>, place: &Place, hands: Hands) -> Result<Laid, Box<Finding>> {
    let ship = &job.ships[place.ship];
    let work = || {
        let view = View::new(ship, job.options, hands, job.shelf);
        page::lay(&place.prepared, place.continuation.as_deref(), &view, place.origin, place.next)
    };
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| {
        let who = ship.ship.name.as_deref().unwrap_or(&ship.name);
        let finding =
            Finding::error("sheet-failed", format!("{who} could not be laid out; the other ships are printed"));
        Box::new(finding.help("this is a fault of the program: please report it with the design"))
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
fn cut_guides(cards: &[crate::scene::Rect]) -> Vec<Item> {
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
    let style = Style { fill: None, stroke: Some(crate::scene::Stroke { dash: Vec::new(), ..cut() }) };
    let path = Path { segments, even_odd: false };
    if path.segments.is_empty() { Vec::new() } else { vec![Item { shape: Shape::Path(path, style), mark: None }] }
}

/// A pen for pages that are not laid out from a template, with this job's sizes.
pub fn pen(options: &Options) -> Pen {
    Pen::new(Hands::new(Floor::of(options)), (0.0, 0.0))
}
