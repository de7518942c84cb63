//! Text styles: takes minimum sizes, gives the styles of a sheet; takes words, gives their width and their shaped
//! glyphs. A [`TextSize`] is never smaller than the minimum.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::hash::BuildHasherDefault;
use std::sync::Arc;

use super::minimum_sizes::{INK, MinimumSizes, POINT_MM, QUIET_INK};
use moldloft_base::allowance::count_work;
use moldloft_base::hash::Fnv64;
use moldloft_drawing::fonts::{self, FontFace, ShapedLine};
use moldloft_drawing::scene::Paint;

/// A longer word, in bytes, is broken without being measured as a whole.
pub(in crate::sheet) const MAX_UNBROKEN_BYTES: usize = 2_000;

/// The sizes of all text that panels draw, pt, largest first: a sheet has no more than four. Text that is too wide for
/// its place takes the next smaller one.
pub const NAMED_POINTS: [f32; 4] = [20.0, 14.0, 8.0, 6.5];

/// A font size in millimetres, not below the minimum at its creation.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct TextSize(f32);

impl TextSize {
    pub fn mm(self) -> f32 {
        self.0
    }
}

/// Separates what is read during play from mere labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextRole {
    /// Labels, notes, headings: at least 6 pt.
    Label,
    /// Values a player reads during play: at least 8 pt.
    Play,
}

impl MinimumSizes {
    /// A size of `points` before large print, raised to the role's minimum.
    pub fn text_size(&self, points: f32, role: TextRole) -> TextSize {
        self.text_size_mm(points * POINT_MM * self.scale, role)
    }

    /// A size in millimetres, raised to the role's minimum.
    pub fn text_size_mm(&self, mm: f32, role: TextRole) -> TextSize {
        let minimum = match role {
            TextRole::Label => self.text,
            TextRole::Play => self.play_text,
        };
        TextSize(if mm.is_finite() { mm.max(minimum) } else { minimum })
    }

    /// The size at which `words` fit into `width`: `size`, or a named size below it. At the smallest, the words may
    /// still be wider.
    pub fn shrink_to_width(&self, size: TextSize, words_em: f32, width: f32, role: TextRole) -> TextSize {
        if words_em * size.0 <= width + 0.005 { size } else { self.named_size_mm(width / words_em.max(0.01), role) }
    }

    /// The same; the minimum itself where only that saves the words from being cut.
    pub fn shrink_to_least(&self, size: TextSize, words_em: f32, width: f32, role: TextRole) -> TextSize {
        let (named, least) = (self.shrink_to_width(size, words_em, width, role), self.text_size_mm(0.0, role));
        let fits = |size: TextSize| words_em * size.0 <= width + 0.005;
        if !fits(named) && fits(least) { least } else { named }
    }

    /// The largest named size of at most so many millimetres that the role allows; else the smallest that it allows.
    pub fn named_size_mm(&self, mm: f32, role: TextRole) -> TextSize {
        let named = NAMED_POINTS.into_iter().map(|points| self.text_size(points, role));
        let fits = |size: &TextSize| size.0 <= mm + 0.005;
        named.into_iter().find(fits).unwrap_or_else(|| self.smallest_named(role))
    }

    /// The smallest named size of a role.
    pub fn smallest_named(&self, role: TextRole) -> TextSize {
        match role {
            TextRole::Label => self.text_size(6.5, role),
            TextRole::Play => self.text_size(8.0, role),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextStyle {
    pub face: FontFace,
    pub size: TextSize,
    pub paint: Paint,
    /// Letter spacing in ems.
    pub spacing: f32,
}

impl TextStyle {
    /// In mm.
    pub fn width(&self, words: &str) -> f32 {
        let (em, glyphs) = measure_text(self.face, words);
        em * self.size.0 + self.spacing * self.size.0 * glyphs.saturating_sub(1) as f32
    }

    /// Height of capitals and figures, mm.
    pub fn cap_height(&self) -> f32 {
        self.face.metrics().cap_height * self.size.0
    }

    /// Height of a line of running text, mm.
    pub fn line_height(&self) -> f32 {
        self.size.0 * 1.22
    }

    #[must_use]
    pub fn with_paint(self, paint: Paint) -> Self {
        Self { paint, ..self }
    }

    #[must_use]
    pub fn with_face(self, face: FontFace) -> Self {
        Self { face, ..self }
    }
}

/// The text styles of a sheet, the same for all panels.
#[derive(Clone, Copy, Debug)]
pub struct TextStyles {
    pub minimums: MinimumSizes,
    /// A panel's heading: spaced capitals.
    pub title: TextStyle,
    /// Text at the right of a heading.
    pub note: TextStyle,
    /// Labels and column headings.
    pub label: TextStyle,
    /// Labels in places without room for a word of usual size: a tenth of a sheet's characters at most.
    pub small: TextStyle,
    /// Running text and names.
    pub body: TextStyle,
    /// A value read during play.
    pub value: TextStyle,
    /// A value in regular weight.
    pub quiet_value: TextStyle,
}

impl TextStyles {
    pub fn new(minimums: MinimumSizes) -> Self {
        let style = |face, points, role, paint, spacing| TextStyle {
            face,
            size: minimums.text_size(points, role),
            paint,
            spacing,
        };
        Self {
            minimums,
            title: style(FontFace::SemiBold, 8.0, TextRole::Label, INK, 0.09),
            note: style(FontFace::Regular, 8.0, TextRole::Label, QUIET_INK, 0.0),
            label: style(FontFace::Regular, 8.0, TextRole::Label, QUIET_INK, 0.0),
            small: style(FontFace::Regular, 6.5, TextRole::Label, QUIET_INK, 0.0),
            body: style(FontFace::Regular, 8.0, TextRole::Play, INK, 0.0),
            value: style(FontFace::SemiBold, 8.0, TextRole::Play, INK, 0.0),
            quiet_value: style(FontFace::Regular, 8.0, TextRole::Play, INK, 0.0),
        }
    }
}

/// Width in ems and number of glyphs of words. Each thread caches its latest measurements, since layout measures the
/// same words many times; no result depends on the cache.
fn measure_text(face: FontFace, words: &str) -> (f32, usize) {
    // More than the different words of one ship, so that a long list is not measured repeatedly.
    const HELD: usize = 30_000;
    type Widths = HashMap<Box<str>, (f32, usize), BuildHasherDefault<Fnv64>>;
    thread_local! {
        static KNOWN: RefCell<[Widths; 3]> = RefCell::default();
    }
    KNOWN.with_borrow_mut(|known| {
        let known = &mut known[face as usize];
        if let Some(&width) = known.get(words) {
            return width;
        }
        count_work(words.len());
        let run = shape_text(face, words).0;
        if words.len() > MAX_UNBROKEN_BYTES {
            return (run.width, run.glyphs.len());
        }
        if known.len() >= HELD {
            known.clear();
        }
        known.insert(words.into(), (run.width, run.glyphs.len()));
        (run.width, run.glyphs.len())
    })
}

/// Shapes words, with characters that no font has replaced by `?`; those characters are returned too.
pub fn shape_text(face: FontFace, words: &str) -> (Arc<ShapedLine>, Option<Vec<char>>) {
    let run = fonts::shape(face, words);
    if run.missing.is_empty() {
        return (run, None);
    }
    let missing = run.missing.clone();
    let without: BTreeSet<char> = missing.iter().copied().collect();
    let plain: String = words.chars().map(|c| if without.contains(&c) { '?' } else { c }).collect();
    (fonts::shape(face, &plain), Some(missing))
}
