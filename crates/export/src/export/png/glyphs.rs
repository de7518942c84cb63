//! Caches small glyph masks per thread, by size and quarter-pixel position. The cache is bounded, and no result depends
//! on it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use resvg::tiny_skia::{FillRule, Mask, Path, PathBuilder, Transform};

use moldloft_drawing::fonts::{FontFace, GlyphSegment, glyph_outline};

pub struct GlyphMask {
    /// One byte per pixel, row by row.
    pub coverage: Vec<u8>,
    pub width: usize,
    /// Offset from the pen's pixel.
    pub left: i32,
    /// Offset from the baseline's pixel.
    pub top: i32,
}

/// Pixels per em; larger text is drawn as outlines.
pub const MAX_MASK_EM: f32 = 64.0;
const MAX_CACHE_BYTES: usize = 4_000_000;

type GlyphKey = (FontFace, u16, u32, u8, u8);

#[derive(Default)]
struct GlyphCache {
    glyphs: HashMap<GlyphKey, Option<Rc<GlyphMask>>>,
    bytes: usize,
}

/// The mask of a glyph with `em` pixels per em and the pen at (x, y), and its pixel; `None` if blank.
pub fn cached_mask(face: FontFace, glyph: u16, em: f32, x: f32, y: f32) -> Option<(Rc<GlyphMask>, (i32, i32))> {
    thread_local!(static MEMORY: RefCell<GlyphCache> = RefCell::default());
    let quarter = |at: f32| {
        let steps = (at * 4.0).round();
        (steps.div_euclid(4.0) as i32, steps.rem_euclid(4.0) as u8)
    };
    let ((px, fx), (py, fy)) = (quarter(x), quarter(y));
    MEMORY.with_borrow_mut(|memory| {
        if memory.bytes > MAX_CACHE_BYTES {
            *memory = GlyphCache::default();
        }
        let key = (face, glyph, em.to_bits(), fx, fy);
        let GlyphCache { glyphs, bytes } = memory;
        let entry = glyphs.entry(key).or_insert_with(|| {
            let drawn = rasterize(face, glyph, em, f32::from(fx) / 4.0, f32::from(fy) / 4.0);
            *bytes += 64 + drawn.as_ref().map_or(0, |glyph| glyph.coverage.len());
            drawn.map(Rc::new)
        });
        entry.as_ref().map(|glyph| (Rc::clone(glyph), (px, py)))
    })
}

fn rasterize(face: FontFace, glyph: u16, em: f32, x: f32, y: f32) -> Option<GlyphMask> {
    let bounds = glyph_outline(face, glyph).bounds.map(|edge| edge * em);
    let (left, top) = ((bounds[0] + x).floor(), (bounds[1] + y).floor());
    let (width, height) = ((bounds[2] + x).ceil() - left + 1.0, (bounds[3] + y).ceil() - top + 1.0);
    let path = glyph_path(face, glyph)?;
    let mut mask = Mask::new(width as u32, height as u32)?;
    mask.fill_path(&path, FillRule::Winding, true, Transform::from_row(em, 0.0, 0.0, em, x - left, y - top));
    Some(GlyphMask { coverage: mask.data().to_vec(), width: width as usize, left: left as i32, top: top as i32 })
}

/// In ems.
pub fn glyph_path(face: FontFace, glyph: u16) -> Option<Path> {
    let mut builder = PathBuilder::new();
    add_outline(&mut builder, face, glyph, 0.0, 0.0);
    builder.finish()
}

/// Appends an outline, shifted by ems.
pub fn add_outline(builder: &mut PathBuilder, face: FontFace, glyph: u16, dx: f32, dy: f32) {
    for segment in &glyph_outline(face, glyph).segments {
        match *segment {
            GlyphSegment::Move(x, y) => builder.move_to(x + dx, y + dy),
            GlyphSegment::Line(x, y) => builder.line_to(x + dx, y + dy),
            GlyphSegment::Quad(cx, cy, x, y) => builder.quad_to(cx + dx, cy + dy, x + dx, y + dy),
            GlyphSegment::Curve(ax, ay, bx, by, x, y) => {
                builder.cubic_to(ax + dx, ay + dy, bx + dx, by + dy, x + dx, y + dy)
            }
            GlyphSegment::Close => builder.close(),
        }
    }
}
