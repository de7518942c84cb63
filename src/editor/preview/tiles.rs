//! Pages cut into squares of pixels: takes a page and a scale, says which squares a part of it needs, draws one, tells by a number whether one
//! drawn before still holds. Pictures reach the window's textures when they are first shown.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use egui::{ColorImage, TextureHandle, TextureId, TextureOptions};

use super::index::{Bounds, Index};
use crate::export::{Part, part};
use crate::scene::{Page, Rect};

/// Side of a square, in pixels.
pub const SIDE: u32 = 512;

/// A square of a page, by its place in the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At {
    /// Which page, from 0.
    pub page: u32,
    /// Squares from the top.
    pub y: u32,
    /// Squares from the left.
    pub x: u32,
}

/// Pixels a page is wide and high at so many pixels a millimetre.
pub fn pixels((width, height): (f32, f32), scale: f32) -> (u32, u32) {
    let side = |length: f32| (length * scale).round().clamp(1.0, 100_000.0) as u32;
    (side(width), side(height))
}

impl At {
    /// Where it lies in the picture of the page, which is so large; `None` beyond its edge.
    pub fn part(&self, (width, height): (u32, u32), scale: f32) -> Option<Part> {
        let corner = (self.x.checked_mul(SIDE)?, self.y.checked_mul(SIDE)?);
        let size = (width.checked_sub(corner.0)?.min(SIDE), height.checked_sub(corner.1)?.min(SIDE));
        (size.0 > 0 && size.1 > 0).then_some(Part { scale, corner, size })
    }
}

/// The squares that a part of a page, in pixels from its corner, reaches into.
pub fn over(page: u32, size: (u32, u32), (left, top, right, bottom): (f32, f32, f32, f32)) -> impl Iterator<Item = At> {
    let range = |low: f32, high: f32, most: u32| {
        let (low, high) = (low.clamp(0.0, most as f32), high.clamp(0.0, most as f32));
        if low < high { (low as u32 / SIDE)..(high.ceil() as u32).div_ceil(SIDE) } else { 0..0 }
    };
    let (across, down) = (range(left, right, size.0), range(top, bottom, size.1));
    down.flat_map(move |y| across.clone().map(move |x| At { page, y, x }))
}

/// A number that is the same as long as a square would be drawn the same.
pub fn print(index: &Index, part: &Part, grey: bool) -> u64 {
    let mut hasher = DefaultHasher::new();
    (part.scale.to_bits(), part.corner, part.size, grey).hash(&mut hasher);
    within(index, part).for_each(|n| index.pieces[n].print.hash(&mut hasher));
    hasher.finish()
}

/// Draws a square. `None` when it cannot be drawn.
pub fn draw(page: &Page, index: &Index, part_of: &Part, grey: bool) -> Option<ColorImage> {
    let items = within(index, part_of).filter_map(|n| page.items.get(n));
    let drawn = part(items, part_of, grey).ok()?;
    Some(ColorImage::from_rgba_premultiplied([drawn.width() as usize, drawn.height() as usize], drawn.data()))
}

/// The items that may show in a square, by their place.
fn within<'a>(index: &'a Index, part: &Part) -> impl Iterator<Item = usize> + use<'a> {
    let mm = |pixel: u32, more: f32| (pixel as f32 + more) / part.scale;
    let room = Bounds([
        mm(part.corner.0, -2.0),
        mm(part.corner.1, -2.0),
        mm(part.corner.0 + part.size.0, 2.0),
        mm(part.corner.1 + part.size.1, 2.0),
    ]);
    let pieces = index.pieces.iter().enumerate();
    pieces.filter(move |(_, piece)| piece.room.meets(&room)).map(|(n, _)| n)
}

/// A square that was drawn.
pub struct Tile {
    /// What it was drawn from.
    pub print: u64,
    /// Its width and height, in pixels.
    pub size: (u32, u32),
    pixels: Mutex<Pixels>,
}

enum Pixels {
    Drawn(ColorImage),
    Shown(TextureHandle),
    /// It cannot be drawn.
    None,
}

impl Tile {
    /// A square just drawn.
    pub fn new(print: u64, drawn: Option<ColorImage>) -> Self {
        let size = drawn.as_ref().map_or((0, 0), |image| (image.width() as u32, image.height() as u32));
        Self { print, size, pixels: Mutex::new(drawn.map_or(Pixels::None, Pixels::Drawn)) }
    }

    /// Its texture, made when it is first asked for.
    pub fn texture(&self, ctx: &egui::Context) -> Option<TextureId> {
        let mut pixels = self.pixels.lock().unwrap_or_else(PoisonError::into_inner);
        *pixels = match std::mem::replace(&mut *pixels, Pixels::None) {
            Pixels::Drawn(image) => Pixels::Shown(ctx.load_texture("sheet", image, TextureOptions::LINEAR)),
            other => other,
        };
        match &*pixels {
            Pixels::Shown(texture) => Some(texture.id()),
            _ => None,
        }
    }

    /// Bytes it takes.
    pub fn bytes(&self) -> usize {
        self.size.0 as usize * self.size.1 as usize * 4
    }
}

/// The part of a page that a square shows, in shares of its width and height.
pub fn share(part: &Part, (width, height): (u32, u32)) -> Rect {
    let (w, h) = (width.max(1) as f32, height.max(1) as f32);
    Rect::new(part.corner.0 as f32 / w, part.corner.1 as f32 / h, part.size.0 as f32 / w, part.size.1 as f32 / h)
}
