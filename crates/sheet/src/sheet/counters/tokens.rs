//! Tokens: takes the counters of evaluated ships, gives each on a page of exactly its size, on the piece of card it is
//! cut from. Numbered counters give one token each, as on the sheets; equal counters give one with a count. Every ship
//! has a token for itself: the one its ruleset declares, otherwise a plain one.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::face::{draw_face, face_outline};
use super::{Chit, ChitSide, CounterFaces, CounterJob, MAX_CHITS, list_chits, new_counter_pen, ship_name};
use crate::sheet::layout::missing_characters::MissingCharacters;
use moldloft_base::finding::Finding;
use moldloft_drawing::scene::{Page, Paint, PaintStyle, Path, Rect, SceneItem, Shape, Stroke, Transform};
use moldloft_rules::evaluate::{ResultRef, SlotScope};

/// The template of a ship's token in games that declare none.
const PLAIN_TEMPLATE: &str = "token.svg";
/// Width and height, mm.
const PLAIN_SIZE: (f32, f32) = (40.0, 20.0);
/// Corner radius of a piece without a shape of its own, as a share of its shorter side.
const CORNER_SHARE: f32 = 0.08;
/// Width of the line around such a piece, mm.
const EDGE_WIDTH: f32 = 0.2;

/// What is under the ink of a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TokenBacking {
    /// White card in the token's shape.
    #[default]
    White,
    /// Nothing: ink alone.
    None,
}

#[derive(Clone, Debug, PartialEq)]
pub struct GameToken {
    /// Index in the job's ships.
    pub ship: usize,
    /// Index in the ship's counters; `None` for the plain token of a ship.
    pub counter: Option<usize>,
    /// The number on the face, if it has one.
    pub number: Option<u32>,
    /// How many look like this.
    pub count: u32,
    /// Width and height, mm.
    pub size: (f32, f32),
    /// Whether it represents the ship itself.
    pub is_ship: bool,
}

pub struct DrawnToken {
    pub front: Page,
    /// The back, if it has one of its own.
    pub back: Option<Page>,
    /// Whether it is cut along a shape of its own, rather than a rectangle with round corners.
    pub has_outline: bool,
}

pub struct TokenRenderer<'a> {
    job: &'a CounterJob<'a>,
    backing: TokenBacking,
    faces: CounterFaces<'a>,
    /// Ship by ship in the ruleset's order.
    pub tokens: Vec<GameToken>,
    findings: Vec<Finding>,
    missing: MissingCharacters,
}

impl<'a> TokenRenderer<'a> {
    /// Collects the tokens of a job's ships. The job's paper has no effect.
    pub fn new(job: &'a CounterJob<'a>, card: TokenBacking) -> Self {
        let mut findings = Vec::new();
        let chits = list_chits(job, &mut findings);
        let faces = CounterFaces::new(job, &chits);
        let mut list: Vec<GameToken> = Vec::new();
        let mut chits = chits.into_iter().peekable();
        for (ship, evaluation) in job.ships.iter().enumerate() {
            let stands_for =
                |id: &str| evaluation.ruleset.counters.iter().any(|known| *known.id == *id && known.is_ship);
            // A copy of a ship has the same numbers and the same faces.
            let mut known: HashMap<(usize, Option<u32>), usize> = HashMap::new();
            while let Some(chit) = chits.next_if(|chit| chit.ship == ship) {
                let counter = &evaluation.counters[chit.counter];
                match known.entry((chit.counter, chit.number)) {
                    Entry::Occupied(place) => list[*place.get()].count += 1,
                    Entry::Vacant(place) => {
                        place.insert(list.len());
                        list.push(GameToken {
                            ship,
                            counter: Some(chit.counter),
                            number: chit.number,
                            count: 1,
                            size: counter.size,
                            is_ship: stands_for(&counter.id),
                        });
                    }
                }
            }
            if !evaluation.ruleset.counters.iter().any(|counter| counter.is_ship) && list.len() < MAX_CHITS {
                list.push(GameToken {
                    ship,
                    counter: None,
                    number: None,
                    count: evaluation.ship.count.max(1),
                    size: PLAIN_SIZE,
                    is_ship: true,
                });
            }
        }
        Self { job, backing: card, faces, tokens: list, findings, missing: MissingCharacters::default() }
    }

    pub fn draw(&mut self, token: &GameToken) -> DrawnToken {
        let evaluation = &self.job.ships[token.ship];
        let backed = token.counter.is_some_and(|counter| evaluation.counters[counter].back.is_some());
        let (front, shaped) = self.draw_side(token, ChitSide::Front);
        let back = backed.then(|| self.draw_side(token, ChitSide::Back).0);
        DrawnToken { front, back, has_outline: shaped }
    }

    /// Findings so far, in faces and texts.
    pub fn findings(&self) -> Vec<Finding> {
        let mut all = self.job.templates.findings();
        all.extend(self.faces.findings.iter().filter(|finding| !all.contains(finding)).cloned().collect::<Vec<_>>());
        all.extend(self.findings.iter().cloned());
        all.extend(self.missing.finding("counters"));
        all
    }

    fn draw_side(&mut self, token: &GameToken, side: ChitSide) -> (Page, bool) {
        let spot = Rect::new(0.0, 0.0, token.size.0, token.size.1);
        let mut pen = new_counter_pen(self.job);
        let mut outline = None;
        match token.counter {
            Some(counter) => {
                let chit = Chit { ship: token.ship, counter, number: token.number, serial: 1 };
                outline = self.faces.outline(&chit, side, spot);
                self.faces.draw_chit(&chit, side, spot, false, &mut pen);
            }
            None => {
                let evaluation = &self.job.ships[token.ship];
                let view = &self.faces.views[token.ship];
                if let Some(prepared) = self.job.templates.prepared_template(&evaluation.ruleset, PLAIN_TEMPLATE) {
                    outline = face_outline(&prepared.texts, view, &SlotScope::default(), spot);
                    draw_face(&prepared, view, &SlotScope::default(), spot, &mut pen);
                } else {
                    pen.text_centred(ship_name(evaluation), pen.styles.value, spot.w / 2.0, spot.h / 2.0, None);
                }
            }
        }
        self.missing.append(&mut pen.missing_characters);
        let shaped = outline.is_some();
        let mut items = Vec::new();
        if self.backing == TokenBacking::White {
            items.push(draw_backing(spot, outline));
        }
        items.append(&mut pen.items);
        (Page { width: spot.w, height: spot.h, items, ..Page::default() }, shaped)
    }
}

fn draw_backing(spot: Rect, outline: Option<(Transform, Path)>) -> SceneItem {
    let white = Some(Paint::grey(255));
    let shape = match outline {
        Some((transform, path)) => {
            let inner = SceneItem { shape: Shape::Path(path, PaintStyle { fill: white, stroke: None }), mark: None };
            Shape::Group { transform, items: vec![inner] }
        }
        None => {
            let style = PaintStyle { fill: white, stroke: Some(Stroke::new(Paint::grey(150), EDGE_WIDTH)) };
            Shape::Rect { rect: spot.inset(EDGE_WIDTH / 2.0), radius: CORNER_SHARE * spot.w.min(spot.h), style }
        }
    };
    SceneItem { shape, mark: None }
}

impl CounterFaces<'_> {
    /// The shape along which a side of a chit is cut, and its transform within the spot.
    fn outline(&self, chit: &Chit, side: ChitSide, spot: Rect) -> Option<(Transform, Path)> {
        let ship = &self.job.ships[chit.ship];
        let counter = &ship.counters[chit.counter];
        let file = self.file(counter, side);
        let prepared = self.find(ship, counter, file)?.prepared.as_ref()?;
        let focus = SlotScope { it: ResultRef::Counter(chit.counter), number: chit.number, ..SlotScope::default() };
        face_outline(&prepared.texts, &self.views[chit.ship], &focus, spot)
    }
}
