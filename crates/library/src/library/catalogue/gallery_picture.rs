//! Pictures of designs and fleets for a gallery: takes evaluated ships, gives a design's token, larger
//! for a larger ship, over its sheet; of a fleet the tokens of its ships. Caches nothing.

use crate::library::EvaluatedFleet;
use moldloft_drawing::scene::{Page, SceneItem, Shape, Transform};
use moldloft_export::export::render_page;
use moldloft_rules::evaluate::{Evaluation, number_counters};
use moldloft_sheet::sheet::{Backs, CounterJob, TemplateCache, TokenBacking, TokenRenderer};

use super::thumbnail::{MAX_WIDTH, Thumbnail, thumbnail};

/// Height for each width.
const ASPECT: (u32, u32) = (134, 176);
/// Percent of the height.
const TOKEN_STRIP: u32 = 34;
/// The smallest token, in percent of the largest.
const SMALLEST: f32 = 0.42;
const MAX_TOKENS: usize = 8;
const WHITE: [u8; 4] = [255; 4];

/// A design's picture. `size` is how large the ship is among those of its game, from 0 to 1.
pub fn design_picture(ship: &Evaluation, templates: &TemplateCache<'_>, width: u32, size: f32) -> Option<Thumbnail> {
    let mut canvas = PictureCanvas::new(width);
    let sheet = thumbnail(ship, templates, canvas.width);
    let strip = canvas.height * TOKEN_STRIP / 100;
    let share = SMALLEST + (1.0 - SMALLEST) * size.clamp(0.0, 1.0);
    let most = ((canvas.width - 4) as f32 * share, (strip - 4) as f32 * share.sqrt());
    let top = match ship_token(ship, templates, most) {
        Some(token) => {
            canvas.draw(&token, (canvas.width - token.width) / 2, (strip - token.height.min(strip)) / 2, canvas.height);
            strip
        }
        None => 0,
    };
    match &sheet {
        Some(sheet) => canvas.draw(sheet, 0, top, canvas.height),
        None if top == 0 => return None,
        None => {}
    }
    Some(canvas.into_thumbnail())
}

/// A fleet's picture: a token for each class, the most numerous and dearest first.
pub fn fleet_picture(fleet: &EvaluatedFleet, templates: &TemplateCache<'_>, width: u32) -> Option<Thumbnail> {
    let mut classes: Vec<(&Evaluation, u32)> = Vec::new();
    for unit in fleet.units.iter().filter(|unit| unit.carried.is_none()) {
        match classes.iter_mut().find(|(known, _)| known.name == unit.evaluation.name) {
            Some((_, count)) => *count += 1,
            None => classes.push((&unit.evaluation, 1)),
        }
    }
    classes.sort_by_key(|(ship, _)| std::cmp::Reverse(ship.points));
    classes.truncate(MAX_TOKENS);
    if classes.is_empty() {
        return None;
    }
    let mut canvas = PictureCanvas::new(width);
    let columns: u32 = if classes.len() > 3 { 2 } else { 1 };
    let rows = (classes.len() as u32).div_ceil(columns).max(2);
    let cell = (canvas.width / columns, canvas.height / rows);
    let largest = classes.iter().filter_map(|(ship, _)| ship.points).max().unwrap_or(1).max(1) as f32;
    for ((ship, count), n) in classes.iter().zip(0..) {
        let size = (ship.points.unwrap_or(0).max(0) as f32 / largest).sqrt();
        let share = SMALLEST + (1.0 - SMALLEST) * size;
        // Several ships of a class are a stack.
        let copies = (*count).min(3);
        let step = (cell.1 / 14).max(2);
        let room = |side: u32| (side.saturating_sub(6 + step * (copies - 1))) as f32 * share;
        let Some(token) = ship_token(ship, templates, (room(cell.0), room(cell.1))) else { continue };
        let (left, top) = ((n % columns) * cell.0, (n / columns) * cell.1);
        let centre = |from: u32, side: u32, of: u32| from + side.saturating_sub(of + step * (copies - 1)) / 2;
        let at = (centre(left, cell.0, token.width), centre(top, cell.1, token.height));
        for copy in 0..copies {
            canvas.draw_ink(&token, at.0 + copy * step, at.1 + copy * step);
        }
    }
    Some(canvas.into_thumbnail())
}

/// A ship's silhouette, within a width and height in pixels; `None` for a game without one.
pub fn silhouette_picture(ship: &Evaluation, templates: &TemplateCache<'_>, most: (u32, u32)) -> Option<Thumbnail> {
    let drawing = templates.ship_silhouette(ship)?;
    let (width, height) = (drawing.width.max(1.0), drawing.height.max(1.0));
    let shape = Shape::Use { drawing, transform: Transform::IDENTITY };
    let page = Page { width, height, items: vec![SceneItem { shape, mark: None }], ..Page::default() };
    page_picture(&page, (most.0 as f32, most.1 as f32))
}

/// The ship's counter, or a plain one with its outline and name, within a width and height in pixels.
fn ship_token(ship: &Evaluation, templates: &TemplateCache<'_>, most: (f32, f32)) -> Option<Thumbnail> {
    let mut ships = vec![ship.clone()];
    // Missiles and markers are not drawn.
    let is_ship = |id: &str| ship.ruleset.counters.iter().any(|known| *known.id == *id && known.is_ship);
    ships[0].counters.retain(|counter| is_ship(&counter.id));
    number_counters(&mut ships);
    let job = CounterJob { ships: &ships, templates, page_setup: Default::default(), backs: Backs::None, copies: 1 };
    let mut renderer = TokenRenderer::new(&job, TokenBacking::White);
    let token = std::mem::take(&mut renderer.tokens).into_iter().find(|token| token.is_ship)?;
    page_picture(&renderer.draw(&token).front, most)
}

fn page_picture(page: &Page, most: (f32, f32)) -> Option<Thumbnail> {
    let scale = (most.0 / page.width.max(1.0)).min(most.1 / page.height.max(1.0));
    let drawn = render_page(page, (scale * 25.4).clamp(8.0, 600.0)).ok()?;
    Some(Thumbnail { width: drawn.width(), height: drawn.height(), rgba: drawn.data().to_vec() })
}

struct PictureCanvas {
    width: u32,
    height: u32,
    rgba: Vec<u8>,
}

impl PictureCanvas {
    fn new(width: u32) -> Self {
        let width = width.clamp(32, MAX_WIDTH);
        let height = width * ASPECT.1 / ASPECT.0;
        Self { width, height, rgba: WHITE.repeat((width * height) as usize) }
    }

    /// Cut at the canvas and at `bottom`.
    fn draw(&mut self, image: &Thumbnail, left: u32, top: u32, bottom: u32) {
        self.put(image, (left, top), bottom, |_| true);
    }

    /// Without the white around the ink, so that stacked pictures show each other.
    fn draw_ink(&mut self, image: &Thumbnail, left: u32, top: u32) {
        // What is white from the edges inwards in its row is around the drawing.
        let row_ends: Vec<Option<(u32, u32)>> = (0..image.height)
            .map(|y| {
                let inked = |x: &u32| {
                    let at = ((y * image.width + x) * 4) as usize;
                    image.rgba.get(at..at + 3).is_some_and(|pixel| pixel.iter().any(|part| *part < 245))
                };
                (0..image.width).find(inked).zip((0..image.width).rev().find(inked))
            })
            .collect();
        self.put(image, (left, top), self.height, |(x, y)| {
            row_ends[y as usize].is_some_and(|(first, last)| (first..=last).contains(&x))
        });
    }

    fn put(&mut self, image: &Thumbnail, (left, top): (u32, u32), bottom: u32, takes: impl Fn((u32, u32)) -> bool) {
        for y in 0..image.height.min(bottom.min(self.height).saturating_sub(top)) {
            for x in (0..image.width.min(self.width.saturating_sub(left))).filter(|x| takes((*x, y))) {
                let from = ((y * image.width + x) * 4) as usize;
                let to = (((top + y) * self.width + left + x) * 4) as usize;
                if let (Some(pixel), Some(place)) = (image.rgba.get(from..from + 4), self.rgba.get_mut(to..to + 4)) {
                    place.copy_from_slice(pixel);
                }
            }
        }
    }

    fn into_thumbnail(self) -> Thumbnail {
        Thumbnail { width: self.width, height: self.height, rgba: self.rgba }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_cut_at_the_canvas() {
        let mut canvas = PictureCanvas::new(40);
        let black = Thumbnail { width: 60, height: 90, rgba: [0, 0, 0, 255].repeat(60 * 90) };
        canvas.draw(&black, 10, 20, 30);
        let pixel = |x: u32, y: u32| canvas.rgba[((y * canvas.width + x) * 4) as usize];
        assert_eq!([pixel(9, 25), pixel(10, 25), pixel(39, 29), pixel(39, 30)], [255, 0, 0, 255]);
        assert_eq!(canvas.rgba.len() as u32, canvas.width * canvas.height * 4);
    }
}
