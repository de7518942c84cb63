//! Counter sheets: takes evaluated ships, gives pages of chits at their exact sizes, fronts and backs, with cut marks outside the art
//! and a ruler to check the printer by. Every counter of every ship is drawn once a copy; what cannot be is named, never dropped silently.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Options;
use super::bed::{Bed, Ground};
use super::missing::Missing;
use super::options::{Floor, QUIET};
use super::pen::{Hand, Hands, Pen, Role};
use super::prepare::{Prepared, prepare_within};
use super::ruler;
use super::shelf::Shelf;
use super::view::View;
use crate::art::Anchor;
use crate::evaluate::{CounterResult, Evaluation, Focus, It};
use crate::finding::Finding;
use crate::progress::Progress;
use crate::ruleset::{Ruleset, Within};
use crate::scene::{
    Item, Lies, Mark, MarkKind, Meta, Page, Paint, Path, Rect, Scene, Segment, Shape, Stroke, Style, Transform,
};

pub mod tokens;

/// How fronts and backs come together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Backs {
    /// A page of backs after each page of fronts, mirrored for printing on both sides.
    #[default]
    Duplex,
    /// Front and back in one piece, head to head, to be folded and glued.
    Fold,
    /// Fronts only.
    None,
}

/// What is to be printed.
pub struct CounterJob<'a> {
    /// The ships, their counters numbered.
    pub ships: &'a [Evaluation],
    /// Where faces come from.
    pub shelf: &'a Shelf<'a>,
    /// How pages lie on the paper.
    pub bed: Bed,
    /// Fronts and backs.
    pub backs: Backs,
    /// How often each ship's counters are printed, beside a fleet's own count.
    pub copies: u32,
}

/// Around each block of counters, for its cut marks, mm.
const MARGIN: f32 = 3.2;
/// A cut mark begins this far from the art and is this long, mm.
const CLEAR: f32 = 0.6;
const LENGTH: f32 = 2.4;
/// The most chits of one job.
const MOST: usize = 100_000;

/// A counter to be drawn.
struct Chit {
    ship: usize,
    /// Place in the ship's counters.
    counter: usize,
    /// Its number on the face, if it has one.
    number: Option<u32>,
    /// Number among all chits of its sort in this job, from 1.
    serial: u32,
}

/// A place on a page: which chit, where.
type Spot = (usize, Rect);

/// Chits of one size standing edge to edge.
struct Block {
    /// The corner of the first.
    x: f32,
    y: f32,
    columns: usize,
    /// The piece to cut: for folded chits twice as high as the chit.
    piece: (f32, f32),
    chits: Vec<usize>,
}

/// Lays out all counters of a job.
pub fn counters(job: &CounterJob<'_>) -> (Scene, Vec<Finding>) {
    counters_watched(job, &Progress::default())
}

/// The same, each page counted on the way. When it was asked to stop, the pages are good for nothing.
pub fn counters_watched(job: &CounterJob<'_>, progress: &Progress) -> (Scene, Vec<Finding>) {
    counters_all(job, false, progress)
}

/// The same, each page laid away in little room as soon as it is done: for jobs of thousands of counters.
pub fn counters_folded(job: &CounterJob<'_>, progress: &Progress) -> (Scene, Vec<Finding>) {
    counters_all(job, true, progress)
}

fn counters_all(job: &CounterJob<'_>, folded: bool, progress: &Progress) -> (Scene, Vec<Finding>) {
    let add = |scene: &mut Scene, mut page: Page| {
        if folded {
            page.fold();
        }
        scene.pages.push(page);
    };
    let mut findings = Vec::new();
    let chits = chits(job, &mut findings);
    let faces = Faces::new(job, &chits);
    let sheet = Sheet::best(job, &chits);
    let pages = sheet.pack(job, &chits, &mut findings);
    let paper = sheet.ground.page;
    let sheets = pages.len();
    let mut scene = Scene { meta: meta(job), pages: Vec::new() };
    let mut missing = Missing::default();
    progress.begin("sheet of counters", sheets);
    for (n, blocks) in pages.iter().enumerate() {
        if progress.is_cancelled() {
            break;
        }
        progress.step();
        let mut pen = pen(job);
        for block in blocks {
            for (chit, spot) in block.spots() {
                match job.backs {
                    Backs::Fold => {
                        let (w, h) = (spot.w, spot.h / 2.0);
                        let upper = Rect::new(spot.x, spot.y, w, h);
                        faces.draw(&chits[chit], Side::Back, upper, true, &mut pen);
                        faces.draw(&chits[chit], Side::Front, Rect::new(spot.x, spot.y + h, w, h), false, &mut pen);
                    }
                    Backs::Duplex | Backs::None => faces.draw(&chits[chit], Side::Front, spot, false, &mut pen),
                }
            }
            pen.items.extend(block.guides(job.backs == Backs::Fold));
        }
        let mut words = format!("counters, sheet {} of {sheets}", n + 1);
        match job.backs {
            Backs::Duplex => {
                words += &format!(" · print on both sides, turned along the {}", job.bed.turn.edge());
            }
            Backs::Fold => words += " · cut at the solid marks, fold at the dashed ones",
            Backs::None => {}
        }
        sheet.foot(&words, &mut pen);
        missing.append(&mut pen.missing);
        let bookmarks = if n == 0 { vec!["counters".into()] } else { Vec::new() };
        let page = Page { width: paper.0, height: paper.1, bookmarks, items: pen.items, ..Page::default() };
        add(&mut scene, page);
        if job.backs == Backs::Duplex {
            let mut pen = self::pen(job);
            for (chit, spot) in blocks.iter().flat_map(Block::spots) {
                let spot = Rect { x: paper.0 - spot.x - spot.w, ..spot };
                faces.draw(&chits[chit], Side::Back, spot, false, &mut pen);
            }
            sheet.foot(&format!("backs of sheet {} of {sheets}", n + 1), &mut pen);
            missing.append(&mut pen.missing);
            let (width, height) = paper;
            add(&mut scene, Page { width, height, items: pen.items, lies: Lies::Back, ..Page::default() });
        }
    }
    findings.extend(missing.finding("counters"));
    let mut all = job.shelf.findings();
    all.extend(faces.findings.iter().filter(|finding| !all.contains(finding)).cloned().collect::<Vec<_>>());
    all.extend(findings);
    (scene, all)
}

/// Every counter, ship by ship, in the ruleset's order.
fn chits(job: &CounterJob<'_>, findings: &mut Vec<Finding>) -> Vec<Chit> {
    let mut chits = Vec::new();
    let mut serials: BTreeMap<Arc<str>, u32> = BTreeMap::new();
    for (s, ship) in job.ships.iter().enumerate() {
        for _ in 0..job.copies.max(1).saturating_mul(ship.ship.count.max(1)) {
            for (c, counter) in ship.counters.iter().enumerate() {
                if chits.len() + counter.count as usize > MOST {
                    let message = format!("{}: more than {MOST} counters in one job; skipped these", who(ship));
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

fn who(ship: &Evaluation) -> &str {
    ship.ship.name.as_deref().unwrap_or(&ship.name)
}

/// A sheet of chits: the way the paper lies, and what stands at its foot.
struct Sheet {
    ground: Ground,
    /// Kept free at the foot for the ruler and the words, mm.
    foot: f32,
}

impl Sheet {
    /// The way of laying the paper that needs fewer sheets, or takes chits that the other cannot.
    fn best(job: &CounterJob<'_>, chits: &[Chit]) -> Self {
        let [upright, turned] = job.bed.grounds().map(|ground| {
            let pen = pen(job);
            let (_, down) = words_below(&ground, &[LONGEST, ADVICE], &pen);
            Self { ground, foot: 4.5 + down }
        });
        let cost = |sheet: &Self| {
            let mut lost = Vec::new();
            let pages = sheet.pack(job, chits, &mut lost).len();
            (lost.len(), pages)
        };
        if cost(&turned) < cost(&upright) { turned } else { upright }
    }

    /// Sorts chits by size and sets them in blocks, blocks under one another, as many pages as it takes.
    fn pack(&self, job: &CounterJob<'_>, chits: &[Chit], findings: &mut Vec<Finding>) -> Vec<Vec<Block>> {
        let area = self.ground.area;
        let corner = (area.x + MARGIN, area.y);
        let (wide, high) = (area.w - 2.0 * MARGIN, area.h - self.foot);
        // In hundredths of a millimetre, largest first; equal sizes in the order they come.
        let mut sizes: BTreeMap<(std::cmp::Reverse<u32>, std::cmp::Reverse<u32>), Vec<usize>> = BTreeMap::new();
        let mut told = Vec::new();
        for (place, chit) in chits.iter().enumerate() {
            let counter = &job.ships[chit.ship].counters[chit.counter];
            let (w, h) = counter.size;
            let piece = (w, if job.backs == Backs::Fold { 2.0 * h } else { h });
            let fits = w >= 1.0 && h >= 1.0 && piece.0 <= wide + 0.01 && piece.1 <= high - 2.0 * MARGIN + 0.01;
            if fits {
                let key = (
                    std::cmp::Reverse((piece.1 * 100.0).round() as u32),
                    std::cmp::Reverse((w * 100.0).round() as u32),
                );
                sizes.entry(key).or_default().push(place);
            } else if !told.contains(&(chit.ship, chit.counter)) {
                told.push((chit.ship, chit.counter));
                let what = if counter.label.is_empty() { &counter.id } else { &counter.label };
                let who = who(&job.ships[chit.ship]);
                let message = format!(
                    "{who}: skipped the counters “{what}” ({} of {w:.1} x {h:.1} mm); expected 1 x 1 to {wide:.1} x {:.1} mm on {} paper",
                    counter.count,
                    high - 2.0 * MARGIN,
                    job.bed.paper
                );
                findings.push(
                    Finding::error("counter-size", message)
                        .help("change the setting for their size, or use larger paper"),
                );
            }
        }
        let mut pages: Vec<Vec<Block>> = Vec::new();
        let mut y = high;
        for ((h, w), places) in sizes {
            let piece = (w.0 as f32 / 100.0, h.0 as f32 / 100.0);
            let columns = (((wide + 0.01) / piece.0).floor() as usize).max(1);
            let mut left = places.as_slice();
            while !left.is_empty() {
                let mut rows = rows_in(high - y - 2.0 * MARGIN, piece.1);
                if rows == 0 || pages.is_empty() {
                    pages.push(Vec::new());
                    y = 0.0;
                    rows = rows_in(high - 2.0 * MARGIN, piece.1).max(1);
                }
                let (here, after) = left.split_at(left.len().min(rows * columns));
                let block = Block { x: corner.0, y: corner.1 + y + MARGIN, columns, piece, chits: here.to_vec() };
                y += 2.0 * MARGIN + here.len().div_ceil(columns) as f32 * piece.1;
                if let Some(page) = pages.last_mut() {
                    page.push(block);
                }
                left = after;
            }
        }
        pages
    }

    /// The ruler, what the page is, what to do if the ruler lies.
    fn foot(&self, words: &str, pen: &mut Pen) {
        let area = self.ground.area;
        let (lines, down) = words_below(&self.ground, &[words, ADVICE], pen);
        let mm = ruler::length(area.w);
        let mut y = area.bottom() - 0.8 - down;
        ruler::ruler(mm, area.x, y, &format!("{mm} mm"), pen);
        let hand = pen.hands.label.paint(QUIET);
        for line in lines {
            y += ruler::LINE_DOWN;
            pen.text(&line, hand, area.x, y, Anchor::Start);
        }
    }
}

/// What the foot says if the printer does not keep the size.
const ADVICE: &str = "If this line has another length, the sizes are wrong: print again at 100 % (“actual size”), not fitted to the page.";
/// The longest words about a sheet.
const LONGEST: &str = "counters, sheet 1000 of 1000 · print on both sides, turned along the short edge";

fn words_below(ground: &Ground, words: &[&str], pen: &Pen) -> (Vec<String>, f32) {
    ruler::below(words, ground.area.w, pen)
}

fn rows_in(height: f32, piece: f32) -> usize {
    ((height + 0.01) / piece).floor().max(0.0) as usize
}

impl Block {
    fn spots(&self) -> impl Iterator<Item = Spot> + '_ {
        self.chits.iter().enumerate().map(|(n, &chit)| {
            let (column, row) = ((n % self.columns) as f32, (n / self.columns) as f32);
            (chit, Rect::new(self.x + column * self.piece.0, self.y + row * self.piece.1, self.piece.0, self.piece.1))
        })
    }

    /// Marks around the block at every cut, none of them over a chit; dashed ones at folds.
    fn guides(&self, folded: bool) -> Vec<Item> {
        let (w, h) = self.piece;
        let columns = self.columns.min(self.chits.len());
        let rows = self.chits.len().div_ceil(self.columns);
        // The last row may be shorter: its marks stand below it, those of the row above beside it.
        let last = self.chits.len() - (rows - 1) * self.columns;
        let bottom = |column: usize| self.y + if column <= last { rows as f32 * h } else { (rows as f32 - 1.0) * h };
        let mut cuts = Vec::new();
        let mut folds = Vec::new();
        let line = |to: &mut Vec<Segment>, x: f32, y: f32, dx: f32, dy: f32| {
            to.push(Segment::Move(x + dx * CLEAR, y + dy * CLEAR));
            to.push(Segment::Line(x + dx * (CLEAR + LENGTH), y + dy * (CLEAR + LENGTH)));
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
        let item = |segments: Vec<Segment>, dash: Vec<f32>| {
            let stroke = Stroke { dash, ..Stroke::new(Paint::grey(90), 0.15) };
            let shape = Shape::Path(Path { segments, even_odd: false }, Style { fill: None, stroke: Some(stroke) });
            Item { shape, mark: None }
        };
        let mut items = vec![item(cuts, Vec::new())];
        if !folds.is_empty() {
            items.push(item(folds, vec![0.5, 0.35]));
        }
        items
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Front,
    Back,
}

/// The faces of a job's counters, each compiled once for each ruleset and counter.
struct Faces<'a> {
    job: &'a CounterJob<'a>,
    views: Vec<View<'a>>,
    faces: Vec<Face>,
    findings: Vec<Finding>,
}

struct Face {
    ruleset: Arc<Ruleset>,
    counter: Arc<str>,
    file: Arc<str>,
    prepared: Option<Prepared>,
}

impl<'a> Faces<'a> {
    fn new(job: &'a CounterJob<'a>, chits: &[Chit]) -> Self {
        let options = Options { bed: job.bed, ..Options::default() };
        let hands = Hands::new(Floor::of(&options));
        let views = job.ships.iter().map(|ship| View::new(ship, options, hands, job.shelf)).collect();
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
        let within = Within::Counter(counter.id.clone());
        let prepared = self.job.shelf.template(&ship.ruleset, file).map(|template| {
            let (prepared, findings) = prepare_within(&template, &ship.ruleset, &within);
            self.findings.extend(findings);
            if let Some(panel) = template.panels.first() {
                let message = format!("cannot use the panel “{}” on the face of a counter", panel.label);
                self.findings.push(Finding::warning("panel-on-counter", message).at(template.source.shown(panel.span)));
            }
            prepared
        });
        let (ruleset, counter) = (Arc::clone(&ship.ruleset), counter.id.clone());
        self.faces.push(Face { ruleset, counter, file: file.clone(), prepared });
    }

    fn find(&self, ship: &Evaluation, counter: &CounterResult, file: &str) -> Option<&Face> {
        let same = |face: &&Face| {
            *face.file == *file && face.counter == counter.id && Arc::ptr_eq(&face.ruleset, &ship.ruleset)
        };
        self.faces.iter().find(same)
    }

    fn file<'c>(&self, counter: &'c CounterResult, side: Side) -> &'c Arc<str> {
        match side {
            Side::Front => &counter.face,
            Side::Back => counter.back.as_ref().unwrap_or(&counter.face),
        }
    }

    /// Draws one side of a chit into its place; a counter without a back of its own shows its front on both sides.
    fn draw(&self, chit: &Chit, side: Side, spot: Rect, turned: bool, pen: &mut Pen) {
        let ship = &self.job.ships[chit.ship];
        let counter = &ship.counters[chit.counter];
        let file = self.file(counter, side);
        let mut items = Pen::new(pen.hands, (0.0, 0.0));
        if let Some(prepared) = self.find(ship, counter, file).and_then(|face| face.prepared.as_ref()) {
            let focus = Focus { it: It::Counter(chit.counter), number: chit.number, ..Focus::default() };
            face(prepared, &self.views[chit.ship], &focus, spot, &mut items);
        } else if let Some(number) = chit.number {
            // A face that cannot be read leaves a plain chit: the number is what the game cannot do without.
            items.centred(&number.to_string(), pen.hands.value, spot.w / 2.0, spot.h / 2.0, None);
        }
        pen.missing.append(&mut items.missing);
        if side == Side::Front {
            let name = format!("{}_{}", counter.id, chit.number.unwrap_or(chit.serial));
            let fit = counter.fit.and_then(|fit| ship.fits.get(fit)).map(|fit| fit.index);
            let mark = Mark::new(name, MarkKind::Shown, fit);
            items.rect(Rect::new(0.0, 0.0, spot.w, spot.h), 0.0, Style::default(), Some(mark));
        }
        let transform = if turned {
            Transform { m: [-1.0, 0.0, 0.0, -1.0, spot.right(), spot.bottom()] }
        } else {
            Transform::translate(spot.x, spot.y)
        };
        pen.items.push(Item { shape: Shape::Group { transform, items: items.items }, mark: None });
    }
}

/// Which conditions of a face hold.
fn held(prepared: &Prepared, view: &View<'_>, focus: &Focus) -> Vec<bool> {
    let mut holds = Vec::with_capacity(prepared.conditions.len());
    for (condition, formula) in prepared.template.conditions.iter().zip(&prepared.conditions) {
        let outer = condition.parent.is_none_or(|parent| holds.get(parent).copied().unwrap_or(false));
        holds.push(outer && formula.as_ref().is_some_and(|formula| view.holds(formula, focus)));
    }
    holds
}

/// How large a face is drawn in its place, and where its corner lies: exactly the size asked for, whatever size it was drawn at.
fn placed(prepared: &Prepared, spot: Rect) -> (f32, f32, f32) {
    let template = &prepared.template;
    let scale = (spot.w / template.width).min(spot.h / template.height);
    (scale, (spot.w - template.width * scale) / 2.0, (spot.h - template.height * scale) / 2.0)
}

/// The shape that a face is cut along, if it has one, and how it lies in its place.
fn outline(prepared: &Prepared, view: &View<'_>, focus: &Focus, spot: Rect) -> Option<(Transform, Path)> {
    let outlines = &prepared.template.outlines;
    if outlines.is_empty() {
        return None;
    }
    let holds = held(prepared, view, focus);
    let shown = |when: Option<usize>| when.is_none_or(|when| holds.get(when).copied().unwrap_or(false));
    let outline = outlines.iter().find(|outline| shown(outline.when))?;
    let (scale, x, y) = placed(prepared, spot);
    Some((Transform { m: [scale, 0.0, 0.0, scale, x, y] }, outline.path.clone()))
}

/// Draws a face into its place.
fn face(prepared: &Prepared, view: &View<'_>, focus: &Focus, spot: Rect, pen: &mut Pen) {
    let template = &prepared.template;
    let holds = held(prepared, view, focus);
    let shown = |when: Option<usize>| when.is_none_or(|when| holds.get(when).copied().unwrap_or(false));
    let (scale, x, y) = placed(prepared, spot);
    for piece in template.pieces.iter().filter(|piece| shown(piece.when)) {
        pen.drawing(&piece.drawing, Rect::new(0.0, 0.0, spot.w, spot.h), None);
    }
    for filled in &prepared.slots {
        let slot = &template.slots[filled.place];
        if !shown(slot.when) {
            continue;
        }
        let Some(words) = filled.words(view, focus).filter(|words| !words.trim().is_empty()) else { continue };
        let floor = pen.hands.floor;
        let role = if filled.played { Role::Played } else { Role::Label };
        let spacing = slot.spacing / slot.size.max(0.01);
        let mut hand =
            Hand { face: slot.face, size: floor.at_least(slot.size * scale, role), paint: slot.paint, spacing };
        let mut lines = vec![words];
        if let Some(width) = filled.width {
            lines = fitted(lines.remove(0), &mut hand, width * scale, filled.lines as usize, role, floor);
        }
        for (n, line) in lines.iter().enumerate() {
            let (sin, cos) = slot.rotation.to_radians().sin_cos();
            let down = n as f32 * hand.size.mm() * 1.1;
            let (x, y) = (x + slot.x * scale - sin * down, y + slot.y * scale + cos * down);
            pen.turned(line, hand, x, y, slot.anchor, slot.rotation);
        }
    }
}

/// Words made to keep to a width: smaller down to what is read in play, then broken into lines, then down to the smallest print, then
/// cut short. A chit has no further page to continue on, and nothing else may be written over.
fn fitted(words: String, hand: &mut Hand, width: f32, most: usize, role: Role, floor: Floor) -> Vec<String> {
    let em = hand.width(&words) / hand.size.mm();
    for role in [role, Role::Label] {
        let line = Hand { size: floor.shrink(hand.size, em, width, role), ..*hand };
        if line.width(&words) <= width + 0.01 {
            *hand = line;
            return vec![words];
        }
        let lines = line.wrap(&words, width);
        let whole =
            lines.iter().map(|line| line.split_whitespace().count()).sum::<usize>() == words.split_whitespace().count();
        if lines.len() <= most && whole {
            *hand = line;
            return lines;
        }
    }
    hand.size = floor.shrink(hand.size, em, width, Role::Label);
    let mut lines = hand.wrap(&words, width);
    if lines.len() > most.max(1) {
        lines.truncate(most.max(1));
        if let Some(last) = lines.last_mut() {
            while !last.is_empty() && hand.width(&format!("{last}…")) > width {
                last.pop();
            }
            last.push('…');
        }
    }
    lines
}

fn pen(job: &CounterJob<'_>) -> Pen {
    super::pen::pen(&Options { bed: job.bed, ..Options::default() })
}

fn meta(job: &CounterJob<'_>) -> Meta {
    let names: Vec<&str> = job.ships.iter().map(who).filter(|name| !name.is_empty()).collect();
    let of = match names.as_slice() {
        [] => String::new(),
        [one] => format!("{one}, "),
        [first, .., last] => format!("{first} to {last}, "),
    };
    let ruleset = job.ships.first().map(|ship| &ship.ruleset);
    Meta {
        title: format!("{of}counters"),
        author: ruleset.map(|rules| rules.credit.to_string()).unwrap_or_default(),
        subject: ruleset.map(|rules| format!("{}: counters", rules.title)).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests;
