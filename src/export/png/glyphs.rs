//! Small masks of glyphs, remembered a thread: a letter at one size and a quarter of a pixel's place is drawn once. The memory is bounded
//! and only saves time.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use resvg::tiny_skia::{FillRule, Mask, Path, PathBuilder, Transform};

use crate::fonts::{Face, Step, outline};

/// A glyph's coverage.
pub struct Glyph {
    /// One byte a pixel, row by row.
    pub cover: Vec<u8>,
    /// Pixels a row.
    pub width: usize,
    /// Left edge from the pen's pixel.
    pub left: i32,
    /// Top edge from the baseline's pixel.
    pub top: i32,
}

/// Larger letters are drawn as outlines.
pub const LARGEST: f32 = 64.0;
/// Bytes held before the memory is emptied.
const HELD: usize = 4_000_000;

type Key = (Face, u16, u32, u8, u8);

#[derive(Default)]
struct Memory {
    glyphs: HashMap<Key, Option<Rc<Glyph>>>,
    bytes: usize,
}

/// The mask of a glyph of so many pixels an em with the pen at a place, and the pixel it belongs to; nothing for a blank.
pub fn masked(face: Face, glyph: u16, em: f32, x: f32, y: f32) -> Option<(Rc<Glyph>, (i32, i32))> {
    thread_local!(static MEMORY: RefCell<Memory> = RefCell::default());
    let quarter = |at: f32| {
        let steps = (at * 4.0).round();
        (steps.div_euclid(4.0) as i32, steps.rem_euclid(4.0) as u8)
    };
    let ((px, fx), (py, fy)) = (quarter(x), quarter(y));
    MEMORY.with_borrow_mut(|memory| {
        if memory.bytes > HELD {
            *memory = Memory::default();
        }
        let key = (face, glyph, em.to_bits(), fx, fy);
        let Memory { glyphs, bytes } = memory;
        let entry = glyphs.entry(key).or_insert_with(|| {
            let drawn = raster(face, glyph, em, f32::from(fx) / 4.0, f32::from(fy) / 4.0);
            *bytes += 64 + drawn.as_ref().map_or(0, |glyph| glyph.cover.len());
            drawn.map(Rc::new)
        });
        entry.as_ref().map(|glyph| (Rc::clone(glyph), (px, py)))
    })
}

fn raster(face: Face, glyph: u16, em: f32, x: f32, y: f32) -> Option<Glyph> {
    let bounds = outline(face, glyph).bounds.map(|edge| edge * em);
    let (left, top) = ((bounds[0] + x).floor(), (bounds[1] + y).floor());
    let (width, height) = ((bounds[2] + x).ceil() - left + 1.0, (bounds[3] + y).ceil() - top + 1.0);
    let path = path(face, glyph)?;
    let mut mask = Mask::new(width as u32, height as u32)?;
    mask.fill_path(&path, FillRule::Winding, true, Transform::from_row(em, 0.0, 0.0, em, x - left, y - top));
    Some(Glyph { cover: mask.data().to_vec(), width: width as usize, left: left as i32, top: top as i32 })
}

/// A glyph's outline, in ems.
pub fn path(face: Face, glyph: u16) -> Option<Path> {
    let mut builder = PathBuilder::new();
    add(&mut builder, face, glyph, 0.0, 0.0);
    builder.finish()
}

/// Adds a glyph's outline, moved by ems.
pub fn add(builder: &mut PathBuilder, face: Face, glyph: u16, dx: f32, dy: f32) {
    for step in &outline(face, glyph).steps {
        match *step {
            Step::Move(x, y) => builder.move_to(x + dx, y + dy),
            Step::Line(x, y) => builder.line_to(x + dx, y + dy),
            Step::Quad(cx, cy, x, y) => builder.quad_to(cx + dx, cy + dy, x + dx, y + dy),
            Step::Curve(ax, ay, bx, by, x, y) => builder.cubic_to(ax + dx, ay + dy, bx + dx, by + dy, x + dx, y + dy),
            Step::Close => builder.close(),
        }
    }
}
