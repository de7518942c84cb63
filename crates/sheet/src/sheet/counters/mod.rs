//! Counter sheets: takes evaluated ships, gives pages of counters at their exact sizes, fronts and backs, with cut
//! marks outside the art and a ruler to check the printer. Every counter of every ship is drawn once per copy; one that
//! cannot be drawn is reported, never dropped silently.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use self::face::draw_face;
use super::assembly::scene_meta::scene_meta;
use super::assembly::ship_sheets::PageStorage;
use crate::sheet::SheetOptions;
use crate::sheet::assembly::prepare::{PreparedTemplate, prepare_template_within};
use crate::sheet::assembly::ship_view::ShipView;
use crate::sheet::assembly::template_cache::TemplateCache;
use crate::sheet::layout::minimum_sizes::QUIET_INK;
use crate::sheet::layout::missing_characters::MissingCharacters;
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::TextStyles;
use crate::sheet::page_setup::cut_marks::CutMarks;
use crate::sheet::page_setup::ruler;
use crate::sheet::page_setup::{PageSetup, PrintableArea};
use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_drawing::art::Anchor;
use moldloft_drawing::scene::{
    Mark, MarkKind, Meta, Page, PageRole, PaintStyle, Rect, Scene, SceneItem, Shape, Transform,
};
use moldloft_rules::evaluate::{CounterResult, Evaluation, ResultRef, SlotScope};
use moldloft_rules::ruleset::{Ruleset, SlotContext};

mod face;
mod spares;
pub mod tokens;

/// How fronts and backs are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Backs {
    /// A page of backs after each page of fronts, mirrored for printing on both sides.
    #[default]
    Duplex,
    /// Front and back in one piece, head to head, to be folded and glued.
    Fold,
    /// Fronts only.
    None,
}

pub struct CounterJob<'a> {
    /// Their counters are numbered.
    pub ships: &'a [Evaluation],
    /// Source of the faces.
    pub templates: &'a TemplateCache<'a>,
    pub page_setup: PageSetup,
    pub backs: Backs,
    /// How often each ship's counters are printed, multiplied by a fleet's own count.
    pub copies: u32,
}

/// Space around each block of counters for its cut marks, mm.
const BLOCK_MARGIN: f32 = 3.2;
/// Distance of cut marks from the art, and their length, mm.
const CUT_MARK_CLEARANCE: f32 = 0.6;
const CUT_MARK_LENGTH: f32 = 2.4;
/// Limit of one job.
const MAX_CHITS: usize = 100_000;

struct Chit {
    ship: usize,
    /// Index in the ship's counters.
    counter: usize,
    /// The number on the face, if it has one.
    number: Option<u32>,
    /// Number among all chits of its kind in this job, from 1; 0 for a spare.
    serial: u32,
}

/// Index of a chit, and its rectangle on the page.
type ChitSpot = (usize, Rect);

/// Chits of one size, edge to edge.
struct ChitBlock {
    /// Left edge of the first.
    x: f32,
    y: f32,
    columns: usize,
    /// Size of the piece to cut: folded chits are twice as high as the face.
    piece_size: (f32, f32),
    chits: Vec<usize>,
}

/// Lays out all counters of a job. After a cancel the pages are unusable.
pub fn lay_out_counters(job: &CounterJob<'_>, storage: PageStorage, progress: &Progress) -> (Scene, Vec<Finding>) {
    let mut findings = Vec::new();
    let mut chits = list_chits(job, &mut findings);
    let faces = CounterFaces::new(job, &chits);
    let sheet = ChitSheet::choose_orientation(job, &chits);
    let mut pages = sheet.pack(job, &chits, &mut findings);
    let spares_from = chits.len();
    sheet.add_spares(job, &mut chits, &mut pages);
    let paper = sheet.printable.page;
    let sheets = pages.len();
    let mut scene = Scene { meta: counter_scene_meta(job), pages: Vec::new() };
    let mut missing = MissingCharacters::default();
    let say = |text: &str| say(job, text);
    progress.begin_phase("sheet of counters", sheets);
    for (n, blocks) in pages.iter().enumerate() {
        if progress.is_cancelled() {
            break;
        }
        progress.step();
        let mut pen = new_counter_pen(job);
        for block in blocks {
            for (chit, spot) in block.spots() {
                match job.backs {
                    Backs::Fold => {
                        let (w, h) = (spot.w, spot.h / 2.0);
                        let upper = Rect::new(spot.x, spot.y, w, h);
                        faces.draw_chit(&chits[chit], ChitSide::Back, upper, true, &mut pen);
                        faces.draw_chit(
                            &chits[chit],
                            ChitSide::Front,
                            Rect::new(spot.x, spot.y + h, w, h),
                            false,
                            &mut pen,
                        );
                    }
                    Backs::Duplex | Backs::None => {
                        faces.draw_chit(&chits[chit], ChitSide::Front, spot, false, &mut pen)
                    }
                }
            }
            pen.items.extend(block.cut_marks(job.backs == Backs::Fold));
        }
        let mut words = say(&format!("counters, sheet {} of {sheets}", n + 1));
        match job.backs {
            Backs::Duplex => {
                let edge = job.page_setup.turn.edge_name();
                words += &format!(" · {}", say(&format!("print on both sides, turned along the {edge}")));
            }
            Backs::Fold => words += &format!(" · {}", say("cut at the solid marks, fold at the dashed ones")),
            Backs::None => {}
        }
        let is_spare = |block: &ChitBlock| block.chits.first().is_some_and(|&chit| chit >= spares_from);
        if blocks.iter().any(is_spare) {
            words += &format!(" · {}", say("below: spares"));
        }
        sheet.draw_footer(&words, &say(RULER_ADVICE), &mut pen);
        missing.append(&mut pen.missing_characters);
        let bookmarks = if n == 0 { vec!["counters".into()] } else { Vec::new() };
        let page = Page { width: paper.0, height: paper.1, bookmarks, items: pen.items, ..Page::default() };
        scene.pages.push(storage.keep(page));
        if job.backs == Backs::Duplex {
            let mut pen = self::new_counter_pen(job);
            for (chit, spot) in blocks.iter().flat_map(ChitBlock::spots) {
                let spot = Rect { x: paper.0 - spot.x - spot.w, ..spot };
                faces.draw_chit(&chits[chit], ChitSide::Back, spot, false, &mut pen);
            }
            sheet.draw_footer(&say(&format!("backs of sheet {} of {sheets}", n + 1)), &say(RULER_ADVICE), &mut pen);
            missing.append(&mut pen.missing_characters);
            let (width, height) = paper;
            let page = Page { width, height, items: pen.items, role: PageRole::Back, ..Page::default() };
            scene.pages.push(storage.keep(page));
        }
    }
    findings.extend(missing.finding("counters"));
    let mut all = job.templates.findings();
    all.extend(faces.findings.iter().filter(|finding| !all.contains(finding)).cloned().collect::<Vec<_>>());
    all.extend(findings);
    (scene, all)
}

/// Every counter, ship by ship, in the ruleset's order.
fn list_chits(job: &CounterJob<'_>, findings: &mut Vec<Finding>) -> Vec<Chit> {
    let mut chits = Vec::new();
    let mut serials: BTreeMap<Arc<str>, u32> = BTreeMap::new();
    for (s, ship) in job.ships.iter().enumerate() {
        for _ in 0..job.copies.max(1).saturating_mul(ship.ship.count.max(1)) {
            for (c, counter) in ship.counters.iter().enumerate() {
                if chits.len() + counter.count as usize > MAX_CHITS {
                    let message =
                        format!("{}: more than {MAX_CHITS} counters in one job; skipped these", ship_name(ship));
                    findings.push(
                        Finding::error("too-many-counters", message).help("print fewer ships or copies at a time"),
                    );
                    return chits;
                }
                let serial = serials.entry(counter.id.clone()).or_default();
                for n in 0..counter.count {
                    *serial += 1;
                    let number = counter.first.map(|first| first.saturating_add(n));
                    chits.push(Chit { ship: s, counter: c, number, serial: *serial });
                }
            }
        }
    }
    chits
}

fn ship_name(ship: &Evaluation) -> &str {
    ship.ship.name.as_deref().unwrap_or(&ship.name)
}

/// A text of the program in the language of the job.
fn say(job: &CounterJob<'_>, text: &str) -> String {
    job.ships.first().map_or_else(|| text.to_owned(), |ship| ship.say(text))
}

/// A sheet of chits: the orientation of the paper, and its footer.
struct ChitSheet {
    printable: PrintableArea,
    /// Kept free at the foot for the ruler and its caption, mm.
    footer_height: f32,
}

impl ChitSheet {
    /// The orientation that needs fewer sheets, or takes chits that the other cannot.
    fn choose_orientation(job: &CounterJob<'_>, chits: &[Chit]) -> Self {
        let [upright, turned] = job.page_setup.printable_areas().map(|printable| {
            let pen = new_counter_pen(job);
            let (_, down) = footer_lines(&printable, &[&say(job, LONGEST_FOOTER), &say(job, RULER_ADVICE)], &pen);
            Self { printable, footer_height: 4.5 + down }
        });
        let cost = |sheet: &Self| {
            let mut lost = Vec::new();
            let pages = sheet.pack(job, chits, &mut lost).len();
            (lost.len(), pages)
        };
        if cost(&turned) < cost(&upright) { turned } else { upright }
    }

    /// Sorts chits by size and arranges them in blocks, one below another, on as many pages as needed.
    fn pack(&self, job: &CounterJob<'_>, chits: &[Chit], findings: &mut Vec<Finding>) -> Vec<Vec<ChitBlock>> {
        let area = self.printable.area;
        let corner = (area.x + BLOCK_MARGIN, area.y);
        let (wide, high) = (area.w - 2.0 * BLOCK_MARGIN, area.h - self.footer_height);
        // In hundredths of a millimetre, largest first; equal sizes keep their order.
        let mut sizes: BTreeMap<(std::cmp::Reverse<u32>, std::cmp::Reverse<u32>), Vec<usize>> = BTreeMap::new();
        let mut reported = Vec::new();
        for (place, chit) in chits.iter().enumerate() {
            let counter = &job.ships[chit.ship].counters[chit.counter];
            let (w, h) = counter.size;
            let piece = (w, if job.backs == Backs::Fold { 2.0 * h } else { h });
            let fits = w >= 1.0 && h >= 1.0 && piece.0 <= wide + 0.01 && piece.1 <= high - 2.0 * BLOCK_MARGIN + 0.01;
            if fits {
                let key = (
                    std::cmp::Reverse((piece.1 * 100.0).round() as u32),
                    std::cmp::Reverse((w * 100.0).round() as u32),
                );
                sizes.entry(key).or_default().push(place);
            } else if !reported.contains(&(chit.ship, chit.counter)) {
                reported.push((chit.ship, chit.counter));
                let what = if counter.label.is_empty() { &counter.id } else { &counter.label };
                let who = ship_name(&job.ships[chit.ship]);
                let message = format!(
                    "{who}: skipped the counters “{what}” ({} of {w:.1} x {h:.1} mm); expected 1 x 1 to {wide:.1} x {:.1} mm on {} paper",
                    counter.count,
                    high - 2.0 * BLOCK_MARGIN,
                    job.page_setup.paper
                );
                findings.push(
                    Finding::error("counter-size", message)
                        .help("change the setting for their size, or use larger paper"),
                );
            }
        }
        let mut pages: Vec<Vec<ChitBlock>> = Vec::new();
        let mut y = high;
        for ((h, w), places) in sizes {
            let piece = (w.0 as f32 / 100.0, h.0 as f32 / 100.0);
            let columns = (((wide + 0.01) / piece.0).floor() as usize).max(1);
            let mut left = places.as_slice();
            while !left.is_empty() {
                let mut rows = rows_in(high - y - 2.0 * BLOCK_MARGIN, piece.1);
                if rows == 0 || pages.is_empty() {
                    pages.push(Vec::new());
                    y = 0.0;
                    rows = rows_in(high - 2.0 * BLOCK_MARGIN, piece.1).max(1);
                }
                let (here, after) = left.split_at(left.len().min(rows * columns));
                let block = ChitBlock {
                    x: corner.0,
                    y: corner.1 + y + BLOCK_MARGIN,
                    columns,
                    piece_size: piece,
                    chits: here.to_vec(),
                };
                y += 2.0 * BLOCK_MARGIN + here.len().div_ceil(columns) as f32 * piece.1;
                if let Some(page) = pages.last_mut() {
                    page.push(block);
                }
                left = after;
            }
        }
        pages
    }

    /// Draws the ruler, the page's caption, and advice for the case that the ruler is wrong.
    fn draw_footer(&self, words: &str, advice: &str, pen: &mut SheetPen) {
        let area = self.printable.area;
        let (lines, down) = footer_lines(&self.printable, &[words, advice], pen);
        let mm = ruler::longest_ruler(area.w);
        let mut y = area.bottom() - 0.8 - down;
        ruler::draw_ruler(mm, area.x, y, &format!("{mm} mm"), pen);
        let style = pen.styles.small.with_paint(QUIET_INK);
        for line in lines {
            y += ruler::CAPTION_LINE_HEIGHT;
            pen.text(&line, style, area.x, y, Anchor::Start);
        }
    }
}

/// Advice for a printer that does not keep the size.
const RULER_ADVICE: &str = "If this line has another length, the sizes are wrong: print again at 100 % (“actual size”), not fitted to the page.";
/// The longest possible caption, for its width.
const LONGEST_FOOTER: &str =
    "counters, sheet 1000 of 1000 · print on both sides, turned along the short edge · below: spares";

fn footer_lines(printable: &PrintableArea, words: &[&str], pen: &SheetPen) -> (Vec<String>, f32) {
    ruler::caption_lines(words, printable.area.w, pen)
}

fn rows_in(height: f32, piece: f32) -> usize {
    ((height + 0.01) / piece).floor().max(0.0) as usize
}

impl ChitBlock {
    fn spots(&self) -> impl Iterator<Item = ChitSpot> + '_ {
        self.chits.iter().enumerate().map(|(n, &chit)| {
            let (column, row) = ((n % self.columns) as f32, (n / self.columns) as f32);
            (
                chit,
                Rect::new(
                    self.x + column * self.piece_size.0,
                    self.y + row * self.piece_size.1,
                    self.piece_size.0,
                    self.piece_size.1,
                ),
            )
        })
    }

    /// Marks around the block at every cut, none across a chit; dashed ones at folds.
    fn cut_marks(&self, folded: bool) -> impl Iterator<Item = SceneItem> {
        let (w, h) = self.piece_size;
        let columns = self.columns.min(self.chits.len());
        let rows = self.chits.len().div_ceil(self.columns);
        // The last row may be shorter: its marks are below it, those of the row above at its end.
        let last = self.chits.len() - (rows - 1) * self.columns;
        let bottom = |column: usize| self.y + if column <= last { rows as f32 * h } else { (rows as f32 - 1.0) * h };
        let (mut cuts, mut folds) = (CutMarks::new(), CutMarks::folds());
        let line = |to: &mut CutMarks, x: f32, y: f32, dx: f32, dy: f32| {
            to.outward((x, y), (dx, dy), CUT_MARK_CLEARANCE, CUT_MARK_LENGTH);
        };
        for column in 0..=columns {
            let x = self.x + column as f32 * w;
            line(&mut cuts, x, self.y, 0.0, -1.0);
            line(&mut cuts, x, bottom(column), 0.0, 1.0);
        }
        for row in 0..=rows {
            let across = if row == rows { last } else { columns };
            let y = self.y + row as f32 * h;
            line(&mut cuts, self.x, y, -1.0, 0.0);
            line(&mut cuts, self.x + across as f32 * w, y, 1.0, 0.0);
            if folded && row < rows {
                let end = if row + 1 == rows { last } else { columns };
                line(&mut folds, self.x, y + h / 2.0, -1.0, 0.0);
                line(&mut folds, self.x + end as f32 * w, y + h / 2.0, 1.0, 0.0);
            }
        }
        cuts.into_item().into_iter().chain(folds.into_item())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ChitSide {
    Front,
    Back,
}

/// The faces of a job's counters, compiled once per ruleset and counter.
struct CounterFaces<'a> {
    job: &'a CounterJob<'a>,
    views: Vec<ShipView<'a>>,
    faces: Vec<CounterFace>,
    findings: Vec<Finding>,
}

struct CounterFace {
    ruleset: Arc<Ruleset>,
    counter: Arc<str>,
    file: Arc<str>,
    prepared: Option<PreparedTemplate>,
}

impl<'a> CounterFaces<'a> {
    fn new(job: &'a CounterJob<'a>, chits: &[Chit]) -> Self {
        let options = SheetOptions { page_setup: job.page_setup, ..SheetOptions::default() };
        let styles = TextStyles::new(options.minimum_sizes());
        let views = job.ships.iter().map(|ship| ShipView::new(ship, options, styles, job.templates)).collect();
        let mut faces = Self { job, views, faces: Vec::new(), findings: Vec::new() };
        let mut last = None;
        for chit in chits {
            if last != Some((chit.ship, chit.counter)) {
                last = Some((chit.ship, chit.counter));
                let ship = &job.ships[chit.ship];
                let counter = &ship.counters[chit.counter];
                for file in std::iter::once(&counter.face).chain(&counter.back) {
                    faces.add(ship, counter, file);
                }
            }
        }
        faces
    }

    fn add(&mut self, ship: &Evaluation, counter: &CounterResult, file: &Arc<str>) {
        if self.find(ship, counter, file).is_some() {
            return;
        }
        let within = SlotContext::Counter(counter.id.clone());
        let prepared = self.job.templates.template(&ship.ruleset, file).map(|template| {
            let (prepared, findings) = prepare_template_within(&template, &ship.ruleset, &within);
            self.findings.extend(findings);
            let unsuited = prepared.panels.iter().find(|placed| !placed.panel.panel.suits_faces());
            if let Some((panel, span)) = unsuited.map(|placed| (&placed.panel, placed.span)) {
                let message = format!("cannot use the panel “{}” on the face of a counter", panel.label);
                self.findings
                    .push(Finding::warning("panel-on-counter", message).at(template.source.place_with_snippet(span)));
            }
            prepared
        });
        let (ruleset, counter) = (Arc::clone(&ship.ruleset), counter.id.clone());
        self.faces.push(CounterFace { ruleset, counter, file: file.clone(), prepared });
    }

    fn find(&self, ship: &Evaluation, counter: &CounterResult, file: &str) -> Option<&CounterFace> {
        let same = |face: &&CounterFace| {
            *face.file == *file && face.counter == counter.id && Arc::ptr_eq(&face.ruleset, &ship.ruleset)
        };
        self.faces.iter().find(same)
    }

    fn file<'c>(&self, counter: &'c CounterResult, side: ChitSide) -> &'c Arc<str> {
        match side {
            ChitSide::Front => &counter.face,
            ChitSide::Back => counter.back.as_ref().unwrap_or(&counter.face),
        }
    }

    /// Draws one side of a chit; a counter without a back of its own shows its front on both sides.
    fn draw_chit(&self, chit: &Chit, side: ChitSide, spot: Rect, turned: bool, pen: &mut SheetPen) {
        let ship = &self.job.ships[chit.ship];
        let counter = &ship.counters[chit.counter];
        let file = self.file(counter, side);
        let mut items = SheetPen::new(pen.styles, (0.0, 0.0));
        if let Some(prepared) = self.find(ship, counter, file).and_then(|face| face.prepared.as_ref()) {
            let focus = SlotScope { it: ResultRef::Counter(chit.counter), number: chit.number, ..SlotScope::default() };
            draw_face(prepared, &self.views[chit.ship], &focus, spot, &mut items);
        } else if let Some(number) = chit.number {
            // A face that cannot be read gives a plain chit: the game cannot do without the number.
            items.text_centred(&number.to_string(), pen.styles.value, spot.w / 2.0, spot.h / 2.0, None);
        }
        pen.missing_characters.append(&mut items.missing_characters);
        if side == ChitSide::Front && chit.serial > 0 {
            let name = format!("{}_{}", counter.id, chit.number.unwrap_or(chit.serial));
            let fit = counter.fit.and_then(|fit| ship.fits.get(fit)).map(|fit| fit.index);
            let mark = Mark::new(name, MarkKind::Shown, fit);
            items.rect(Rect::new(0.0, 0.0, spot.w, spot.h), 0.0, PaintStyle::default(), Some(mark));
        }
        let transform = if turned {
            Transform { m: [-1.0, 0.0, 0.0, -1.0, spot.right(), spot.bottom()] }
        } else {
            Transform::translate(spot.x, spot.y)
        };
        pen.items.push(SceneItem { shape: Shape::Group { transform, items: items.items }, mark: None });
    }
}

fn new_counter_pen(job: &CounterJob<'_>) -> SheetPen {
    SheetPen::from_options(&SheetOptions { page_setup: job.page_setup, ..SheetOptions::default() })
}

fn counter_scene_meta(job: &CounterJob<'_>) -> Meta {
    let names: Vec<&str> = job.ships.iter().map(ship_name).collect();
    scene_meta(&names, job.ships.iter().map(|ship| &*ship.ruleset), "counters")
}

#[cfg(test)]
mod tests;
