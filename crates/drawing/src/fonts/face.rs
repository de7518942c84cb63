//! Loads each face once, on first use. Never fails: a test opens every bundled face, and a fallback is checked before
//! use.

use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use harfrust::{Feature, FontRef, ShapePlan, ShaperData, UnicodeBuffer, script};
use skrifa::MetadataProvider;
use skrifa::instance::{LocationRef, Size};

use super::fallback;
use super::types::{FontFace, GlyphOutline, Metrics};

pub(super) struct LoadedFace<'a> {
    pub font: FontRef<'a>,
    pub shaper: ShaperData,
    plans: RwLock<Vec<Arc<ShapePlan>>>,
    pub outlines: skrifa::FontRef<'a>,
    pub metrics: Metrics,
    /// Units per em.
    pub units: f32,
    /// In ems, by glyph id.
    pub advances: Vec<f32>,
    /// Cached by glyph id; `None` if a glyph cannot be drawn.
    pub cached_outlines: Vec<OnceLock<Option<GlyphOutline>>>,
}

impl LoadedFace<'_> {
    /// `features` must always be the same.
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
    /// Capitals and figures of size `s` are centred on `y` when the baseline is at `y + s * cap_height / 2`.
    pub fn metrics(self) -> &'static Metrics {
        &loaded_face(self).metrics
    }

    pub fn bytes(self) -> &'static [u8] {
        match self {
            Self::Fallback => fallback::bytes(),
            bundled => bundled.bundled_bytes(),
        }
    }

    /// As PDF readers show it.
    pub fn postscript_name(self) -> &'static str {
        match self {
            Self::Fallback => fallback::name(),
            Self::Regular => "IBMPlexSansCond",
            Self::SemiBold => "IBMPlexSansCond-SmBld",
            Self::Bold => "IBMPlexSansCond-Bold",
        }
    }
}

pub(super) fn loaded_face(face: FontFace) -> &'static LoadedFace<'static> {
    static FACES: [OnceLock<LoadedFace<'static>>; 4] = [const { OnceLock::new() }; 4];
    FACES[face as usize].get_or_init(|| load_face(face.bytes()))
}

pub(super) fn load_face(bytes: &[u8]) -> LoadedFace<'_> {
    let font = FontRef::new(bytes).expect("a face that was checked opens");
    let outlines = skrifa::FontRef::new(bytes).expect("a face that was checked opens");
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
        cached_outlines: (0..found.glyph_count).map(|_| OnceLock::new()).collect(),
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
