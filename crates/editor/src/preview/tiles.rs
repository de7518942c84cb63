//! Pages as tiles: takes a page and a scale, gives the tiles of an area, their pictures and fingerprints. A texture is
//! made when a tile is first shown.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use egui::{Color32, ColorImage, TextureHandle, TextureId, TextureOptions};

use crate::preview::page_index::{ItemBounds, PageIndex};
use moldloft_drawing::scene::{Page, Rect};
use moldloft_export::export::{PictureRegion, render_region};

/// In pixels.
pub const TILE_SIDE: u32 = 512;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TileKey {
    /// From 0.
    pub page: u32,
    /// From the top.
    pub y: u32,
    /// From the left.
    pub x: u32,
}

/// `scale` in pixels per mm.
pub fn page_pixels((width, height): (f32, f32), scale: f32) -> (u32, u32) {
    let side = |length: f32| (length * scale).round().clamp(1.0, 100_000.0) as u32;
    (side(width), side(height))
}

impl TileKey {
    /// `None` beyond the page's edge.
    pub fn pixel_rect(&self, (width, height): (u32, u32), scale: f32) -> Option<PictureRegion> {
        let corner = (self.x.checked_mul(TILE_SIDE)?, self.y.checked_mul(TILE_SIDE)?);
        let size = (width.checked_sub(corner.0)?.min(TILE_SIDE), height.checked_sub(corner.1)?.min(TILE_SIDE));
        (size.0 > 0 && size.1 > 0).then_some(PictureRegion { scale, corner, size })
    }
}

/// In pixels from the page's corner.
pub fn tiles_in_rect(
    page: u32,
    size: (u32, u32),
    (left, top, right, bottom): (f32, f32, f32, f32),
) -> impl Iterator<Item = TileKey> {
    let range = |low: f32, high: f32, most: u32| {
        let (low, high) = (low.clamp(0.0, most as f32), high.clamp(0.0, most as f32));
        if low < high { (low as u32 / TILE_SIDE)..(high.ceil() as u32).div_ceil(TILE_SIDE) } else { 0..0 }
    };
    let (across, down) = (range(left, right, size.0), range(top, bottom, size.1));
    down.flat_map(move |y| across.clone().map(move |x| TileKey { page, y, x }))
}

/// Equal as long as the tile looks the same.
pub fn tile_fingerprint(index: &PageIndex, part: &PictureRegion, grey: bool) -> u64 {
    let mut hasher = DefaultHasher::new();
    (part.scale.to_bits(), part.corner, part.size, grey).hash(&mut hasher);
    items_in_tile(index, part).for_each(|n| index.items[n].fingerprint.hash(&mut hasher));
    hasher.finish()
}

/// `None` if it cannot be drawn.
pub fn draw_tile(page: &Page, index: &PageIndex, part_of: &PictureRegion, grey: bool) -> Option<ColorImage> {
    let items = items_in_tile(index, part_of).filter_map(|n| page.items.get(n));
    let drawn = render_region(items, part_of, grey).ok()?;
    let (pixels, _) = drawn.data().as_chunks::<4>();
    let pixels = pixels.iter().map(|&[r, g, b, a]| Color32::from_rgba_premultiplied(r, g, b, a)).collect();
    Some(ColorImage::new([drawn.width() as usize, drawn.height() as usize], pixels))
}

fn items_in_tile<'a>(index: &'a PageIndex, part: &PictureRegion) -> impl Iterator<Item = usize> + use<'a> {
    let mm = |pixel: u32, more: f32| (pixel as f32 + more) / part.scale;
    let room = ItemBounds([
        mm(part.corner.0, -2.0),
        mm(part.corner.1, -2.0),
        mm(part.corner.0 + part.size.0, 2.0),
        mm(part.corner.1 + part.size.1, 2.0),
    ]);
    let pieces = index.items.iter().enumerate();
    pieces.filter(move |(_, piece)| piece.bounds.intersects(&room)).map(|(n, _)| n)
}

pub struct Tile {
    pub fingerprint: u64,
    /// In pixels.
    pub size: (u32, u32),
    pixels: Mutex<TilePixels>,
}

enum TilePixels {
    Image(ColorImage),
    Texture(TextureHandle),
    Failed,
}

impl Tile {
    pub fn new(print: u64, drawn: Option<ColorImage>) -> Self {
        let size = drawn.as_ref().map_or((0, 0), |image| (image.width() as u32, image.height() as u32));
        Self { fingerprint: print, size, pixels: Mutex::new(drawn.map_or(TilePixels::Failed, TilePixels::Image)) }
    }

    /// Created on first use.
    pub fn texture(&self, ctx: &egui::Context) -> Option<TextureId> {
        let mut pixels = self.pixels.lock().unwrap_or_else(PoisonError::into_inner);
        *pixels = match std::mem::replace(&mut *pixels, TilePixels::Failed) {
            TilePixels::Image(image) => TilePixels::Texture(ctx.load_texture("sheet", image, TextureOptions::LINEAR)),
            other => other,
        };
        match &*pixels {
            TilePixels::Texture(texture) => Some(texture.id()),
            _ => None,
        }
    }

    pub fn bytes(&self) -> usize {
        self.size.0 as usize * self.size.1 as usize * 4
    }
}

/// As fractions of the page's width and height.
pub fn page_fraction(part: &PictureRegion, (width, height): (u32, u32)) -> Rect {
    let (w, h) = (width.max(1) as f32, height.max(1) as f32);
    Rect::new(part.corner.0 as f32 / w, part.corner.1 as f32 / h, part.size.0 as f32 / w, part.size.1 as f32 / h)
}
