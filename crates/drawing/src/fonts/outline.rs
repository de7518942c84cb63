//! Outlines of glyphs, for pictures and outlined text. They are cached for the whole process (a face has about a
//! thousand).

use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{GlyphId, MetadataProvider};

use super::face::{LoadedFace, loaded_face};
use super::types::{FontFace, GlyphOutline, GlyphSegment};

/// Largest distance from the pen in ems. A glyph beyond it is broken and could need any amount of memory as a picture.
const MAX_REACH: f32 = 8.0;

/// Blank if the face lacks the glyph or it cannot be drawn.
pub fn glyph_outline(face: FontFace, glyph: u16) -> &'static GlyphOutline {
    static BLANK: GlyphOutline = GlyphOutline { segments: Vec::new(), bounds: [0.0; 4] };
    draw_outline(loaded_face(face), glyph).unwrap_or(&BLANK)
}

pub(super) fn draw_outline<'a>(loaded: &'a LoadedFace<'_>, glyph: u16) -> Option<&'a GlyphOutline> {
    let place = loaded.cached_outlines.get(usize::from(glyph))?;
    let outline = place.get_or_init(|| {
        let mut pen = GlyphPen { scale: 1.0 / loaded.units, segments: Vec::new(), bounds: None };
        let settings = DrawSettings::unhinted(Size::unscaled(), LocationRef::default());
        let glyph = loaded.outlines.outline_glyphs().get(GlyphId::from(glyph))?;
        glyph.draw(settings, &mut pen).ok()?;
        let bounds = pen.bounds.unwrap_or_default();
        let sound = bounds.iter().all(|edge| edge.abs() <= MAX_REACH);
        sound.then_some(GlyphOutline { segments: pen.segments, bounds })
    });
    outline.as_ref()
}

struct GlyphPen {
    scale: f32,
    segments: Vec<GlyphSegment>,
    bounds: Option<[f32; 4]>,
}

impl GlyphPen {
    fn scale_point(&mut self, x: f32, y: f32) -> (f32, f32) {
        let (x, y) = (x * self.scale, -y * self.scale);
        let [left, top, right, bottom] = self.bounds.unwrap_or([x, y, x, y]);
        self.bounds = Some([left.min(x), top.min(y), right.max(x), bottom.max(y)]);
        (x, y)
    }
}

impl OutlinePen for GlyphPen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.scale_point(x, y);
        self.segments.push(GlyphSegment::Move(x, y));
    }
    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.scale_point(x, y);
        self.segments.push(GlyphSegment::Line(x, y));
    }
    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        let ((cx, cy), (x, y)) = (self.scale_point(cx, cy), self.scale_point(x, y));
        self.segments.push(GlyphSegment::Quad(cx, cy, x, y));
    }
    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        let ((ax, ay), (bx, by), (x, y)) = (self.scale_point(ax, ay), self.scale_point(bx, by), self.scale_point(x, y));
        self.segments.push(GlyphSegment::Curve(ax, ay, bx, by, x, y));
    }
    fn close(&mut self) {
        self.segments.push(GlyphSegment::Close);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_glyph_of_every_face_draws() {
        for face in FontFace::BUNDLED {
            let loaded = loaded_face(face);
            for id in 0..loaded.cached_outlines.len() as u16 {
                let glyph = loaded.outlines.outline_glyphs().get(GlyphId::from(id)).expect("an outline");
                let mut pen = GlyphPen { scale: 1.0, segments: Vec::new(), bounds: None };
                glyph.draw(DrawSettings::unhinted(Size::unscaled(), LocationRef::default()), &mut pen).expect("draws");
                let drawn = glyph_outline(face, id);
                assert_eq!(drawn.segments.is_empty(), pen.segments.is_empty());
                assert!(drawn.bounds.iter().all(|edge| edge.abs() < 4.0), "{face:?} {id}: {:?}", drawn.bounds);
            }
        }
    }

    #[test]
    fn capitals_stand_on_the_baseline() {
        let capital = crate::fonts::shape(FontFace::Bold, "H").glyphs[0].id;
        let bounds = glyph_outline(FontFace::Bold, capital).bounds;
        assert!(
            (bounds[1] + FontFace::Bold.metrics().cap_height).abs() < 0.001 && bounds[3].abs() < 0.001,
            "{bounds:?}"
        );
        assert!(glyph_outline(FontFace::Bold, u16::MAX).segments.is_empty());
    }
}
