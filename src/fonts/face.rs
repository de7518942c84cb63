//! Loads the faces, each once and when first asked for. Never fails: a test opens every bundled face, and a fallback is opened before it is used.

use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use harfrust::{Feature, FontRef, ShapePlan, ShaperData, UnicodeBuffer, script};
use skrifa::MetadataProvider;
use skrifa::instance::{LocationRef, Size};

use super::fallback;
use super::types::{FontFace, GlyphOutline, Metrics};

/// A face ready for use.
pub(super) struct LoadedFace<'a> {
    /// For the shaper.
    pub font: FontRef<'a>,
    /// The shaper's tables.
    pub shaper: ShaperData,
    /// How text of a script and direction is shaped, each worked out once.
    plans: RwLock<Vec<Arc<ShapePlan>>>,
    /// For outlines and the character map.
    pub outlines: skrifa::FontRef<'a>,
    /// Heights in ems.
    pub metrics: Metrics,
    /// Units in an em.
    pub units: f32,
    /// Widths in ems, by glyph number.
    pub advances: Vec<f32>,
    /// Outlines drawn so far, by glyph number; none where a glyph cannot be drawn.
    pub drawn: Vec<OnceLock<Option<GlyphOutline>>>,
}

impl LoadedFace<'_> {
    /// How a text is shaped; `features` are always the same.
    pub fn shape_plan(
        &self,
        shaper: &harfrust::Shaper<'_>,
        text: &UnicodeBuffer,
        features: &[Feature],
    ) -> Arc<ShapePlan> {
        let (direction, own, language) = (text.direction(), text.script(), text.language());
        let suits = |plan: &&Arc<ShapePlan>| {
            plan.direction() == direction
                && plan.script().unwrap_or(script::UNKNOWN) == own
                && plan.language() == language.as_ref()
        };
        if let Some(known) = self.plans.read().unwrap_or_else(PoisonError::into_inner).iter().find(suits) {
            return Arc::clone(known);
        }
        let own = Some(own).filter(|own| *own != script::UNKNOWN);
        let plan = Arc::new(ShapePlan::new(shaper, direction, own, language.as_ref(), features));
        self.plans.write().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&plan));
        plan
    }
}

impl FontFace {
    /// Its heights. Capitals and figures of size `s` stand centred on `y` when the baseline is at
    /// `y + s * cap_height / 2`.
    pub fn metrics(self) -> &'static Metrics {
        &loaded_face(self).metrics
    }

    /// The whole font file.
    pub fn bytes(self) -> &'static [u8] {
        match self {
            Self::Fallback => fallback::bytes(),
            bundled => bundled.bundled_bytes(),
        }
    }

    /// Its PostScript name, the one PDF readers show.
    pub fn postscript_name(self) -> &'static str {
        match self {
            Self::Fallback => fallback::name(),
            Self::Regular => "IBMPlexSansCond",
            Self::SemiBold => "IBMPlexSansCond-SmBld",
            Self::Bold => "IBMPlexSansCond-Bold",
        }
    }
}

/// The face, loaded.
pub(super) fn loaded_face(face: FontFace) -> &'static LoadedFace<'static> {
    static FACES: [OnceLock<LoadedFace<'static>>; 4] = [const { OnceLock::new() }; 4];
    FACES[face as usize].get_or_init(|| load(face.bytes()))
}

/// A font's file that was looked at, loaded.
pub(super) fn load(bytes: &[u8]) -> LoadedFace<'_> {
    let font = FontRef::new(bytes).expect("a face that was looked at opens");
    let outlines = skrifa::FontRef::new(bytes).expect("a face that was looked at opens");
    let found = outlines.metrics(Size::unscaled(), LocationRef::default());
    let units = f32::from(found.units_per_em.max(1));
    let widths = outlines.glyph_metrics(Size::unscaled(), LocationRef::default());
    let advance = |glyph: u16| widths.advance_width(glyph.into()).unwrap_or(0.0) / units;
    LoadedFace {
        advances: (0..found.glyph_count).map(advance).collect(),
        shaper: ShaperData::new(&font),
        plans: RwLock::default(),
        metrics: Metrics {
            ascent: found.ascent / units,
            descent: -found.descent / units,
            cap_height: found.cap_height.unwrap_or(0.7 * units) / units,
            x_height: found.x_height.unwrap_or(0.5 * units) / units,
        },
        units,
        drawn: (0..found.glyph_count).map(|_| OnceLock::new()).collect(),
        font,
        outlines,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_face_opens_with_its_heights() {
        for face in FontFace::BUNDLED {
            let metrics = face.metrics();
            assert!(
                metrics.ascent > metrics.cap_height && metrics.cap_height > metrics.x_height && metrics.descent > 0.0
            );
            assert!((metrics.cap_height - 0.698).abs() < 0.001, "{face:?}: {metrics:?}");
        }
    }
}
