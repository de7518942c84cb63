//! Shapes lines of text, with a bounded cache that no result depends on.

use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasher, BuildHasherDefault};
use std::sync::{Arc, PoisonError, RwLock};

use harfrust::{BufferClusterLevel, Direction, Feature, GlyphInfo, ShapeOptions, Tag, UnicodeBuffer};
use skrifa::MetadataProvider;

use super::face::{LoadedFace, loaded_face};
use super::font_runs::{self, FontRun};
use super::types::{FontFace, ShapedGlyph, ShapedLine};
use moldloft_base::hash::Fnv64;

/// Longer texts are not cached; they rarely recur.
const MAX_CACHED_LENGTH: usize = 120;
/// Lines per shard before it is emptied: about 3 MB in all.
const MAX_CACHED_LINES: usize = 1000;
/// Largest advance of a fallback glyph, in ems.
const MAX_ADVANCE: f32 = 8.0;

type CacheHasher = BuildHasherDefault<Fnv64>;
type ShapeCache = HashMap<Box<str>, Arc<ShapedLine>, CacheHasher>;

// Sharded by face and hash, so that threads rarely wait for each other.
static CACHES: [[RwLock<ShapeCache>; 8]; 4] =
    [const { [const { RwLock::new(HashMap::with_hasher(BuildHasherDefault::new())) }; 8] }; 4];

pub(super) fn shape_cached(face: FontFace, text: &str) -> Arc<ShapedLine> {
    if text.len() > MAX_CACHED_LENGTH {
        return Arc::new(shape(face, text));
    }
    let hash = CacheHasher::default().hash_one(text);
    let part = &CACHES[face as usize][(hash >> 32) as usize % 8];
    if let Some(known) = part.read().unwrap_or_else(PoisonError::into_inner).get(text) {
        return Arc::clone(known);
    }
    let shaped = Arc::new(shape(face, text));
    let mut lines = part.write().unwrap_or_else(PoisonError::into_inner);
    if lines.len() >= MAX_CACHED_LINES {
        lines.clear();
    }
    Arc::clone(lines.entry(text.into()).or_insert(shaped))
}

fn shape(face: FontFace, text: &str) -> ShapedLine {
    let mut line = LineBuilder::default();
    let is_word = text == " " || !text.contains(' ');
    for run in font_runs::split_runs(face, text) {
        if is_word || run.face == FontFace::Fallback || run.is_right_to_left {
            line.append_run(text, &run, loaded_face(run.face));
        } else {
            line.append_words(text, &run);
        }
    }
    line.finish(face, text)
}

pub(super) fn shape_with_fallback(face: FontFace, text: &str, other: &LoadedFace<'_>) -> ShapedLine {
    let mut line = LineBuilder::default();
    for run in font_runs::split_runs_with_fallback(face, text, other) {
        line.append_run(text, &run, if run.face == FontFace::Fallback { other } else { loaded_face(run.face) });
    }
    line.finish(face, text)
}

#[derive(Default)]
struct LineBuilder {
    glyphs: Vec<ShapedGlyph>,
    width: f32,
    missing: Vec<char>,
    known: BTreeSet<char>,
}

impl LineBuilder {
    fn finish(self, face: FontFace, text: &str) -> ShapedLine {
        ShapedLine { face, text: text.into(), glyphs: self.glyphs, width: self.width, missing: self.missing }
    }

    /// A run of a bundled face from left to right, word by word, since words recur: none of these faces kerns across a space.
    fn append_words(&mut self, text: &str, run: &FontRun) {
        let mut at = run.range.start as u32;
        for part in text[run.range.clone()].split_inclusive(' ') {
            let word = part.trim_end_matches(' ');
            for part in [word, &part[word.len()..]].into_iter().filter(|part| !part.is_empty()) {
                let word = shape_cached(run.face, part);
                for glyph in &word.glyphs {
                    self.width += glyph.advance;
                    self.glyphs.push(ShapedGlyph { text: glyph.text.start + at..glyph.text.end + at, ..*glyph });
                }
                word.missing.iter().for_each(|&character| self.note_missing(character));
                at += part.len() as u32;
            }
        }
    }

    fn note_missing(&mut self, character: char) {
        if self.known.insert(character) {
            self.missing.push(character);
        }
    }

    fn append_run(&mut self, text: &str, run: &FontRun, loaded: &LoadedFace<'_>) {
        let face = run.face;
        let mut buffer = UnicodeBuffer::new();
        for (at, character) in text[run.range.clone()].char_indices() {
            let shown = if character.is_control() { ' ' } else { character };
            buffer.add(shown, u32::try_from(run.range.start + at).unwrap_or(u32::MAX));
        }
        buffer.set_cluster_level(BufferClusterLevel::MonotoneCharacters);
        buffer.set_direction(if run.is_right_to_left { Direction::RightToLeft } else { Direction::LeftToRight });
        buffer.guess_segment_properties();
        let features = [Feature::new(Tag::new(b"liga"), 0, ..), Feature::new(Tag::new(b"clig"), 0, ..)];
        let shaper = loaded.shaper.shaper(&loaded.font).build();
        let plan = loaded.shape_plan(&shaper, &buffer, &features);
        let out = shaper.shape(buffer, ShapeOptions::new().features(&features).plan(Some(&plan)));

        let infos = out.glyph_infos();
        // A cluster ends where the next of the text begins.
        let next = |at: usize| {
            let other = |info: &&GlyphInfo| info.cluster != infos[at].cluster;
            let (before, after) = infos.split_at(at);
            let found = if run.is_right_to_left { before.iter().rfind(other) } else { after.iter().find(other) };
            found.map_or(run.range.end as u32, |info| info.cluster)
        };
        self.glyphs.reserve(infos.len());
        for (index, (info, position)) in infos.iter().zip(out.glyph_positions()).enumerate() {
            let first = index == 0 || infos[index - 1].cluster != info.cluster;
            let end = next(index);
            let range = if first { info.cluster..end } else { end..end };
            // Tables of a fallback may yield a glyph that it lacks.
            let beyond = info.glyph_id as usize >= loaded.advances.len();
            if info.glyph_id == 0 || beyond {
                let part = text.get(range.start as usize..range.end as usize).unwrap_or_default();
                let characters = loaded.outlines.charmap();
                for character in part.chars().filter(|&character| beyond || characters.map(character).is_none()) {
                    self.note_missing(character);
                }
                continue;
            }
            let id = info.glyph_id as u16;
            let own =
                text.get(range.start as usize..).and_then(|rest| rest.chars().next()).is_some_and(is_spacing_accent);
            let sound =
                |ems: f32, least: f32| if face == FontFace::Fallback { ems.clamp(least, MAX_ADVANCE) } else { ems };
            let placed = |units: i32| if own { 0.0 } else { sound(units as f32 / loaded.units, -MAX_ADVANCE) };
            let alone = loaded.advances.get(usize::from(id)).copied().filter(|_| own);
            let advance = sound(alone.unwrap_or(position.x_advance as f32 / loaded.units), 0.0);
            self.width += advance;
            let (dx, dy) = (placed(position.x_offset), placed(position.y_offset));
            let plain = || {
                let mut letters = text.get(range.start as usize..range.end as usize).unwrap_or_default().chars();
                let alone = letters.next().filter(|_| letters.next().is_none());
                let own = alone.and_then(|letter| loaded.outlines.charmap().map(letter));
                own.is_some_and(|own| own.to_u32() == info.glyph_id)
            };
            let formed = run.is_right_to_left || (face == FontFace::Fallback && !plain());
            self.glyphs.push(ShapedGlyph { face, id, advance, dx, dy, is_substituted: formed, text: range });
        }
    }
}

/// Accents with a width of their own, which the faces' tables take for combining ones: o` became ò.
fn is_spacing_accent(character: char) -> bool {
    matches!(character, '`' | '´' | '¨' | '¯' | '¸' | 'ˆ' | '˜' | '˘' | '˙' | '˚' | '˝' | '˛' | 'ˇ')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fonts::width;

    fn missing(text: &str) -> Vec<char> {
        shape(FontFace::Regular, text).missing
    }

    #[test]
    fn accents_typed_alone_stand_alone() {
        for face in FontFace::BUNDLED {
            for accent in ["`", "´", "¨"] {
                let shaped = shape_cached(face, &format!("o{accent}n"));
                assert_eq!(shaped.glyphs.len(), 3, "{accent}");
                assert_eq!((shaped.glyphs[1].dx, shaped.glyphs[1].dy), (0.0, 0.0), "{accent}");
                let apart = width(face, "o") + width(face, accent) + width(face, "n");
                assert!((shaped.width - apart).abs() < 0.02 && width(face, accent) > 0.1, "{face:?} {accent}");
            }
        }
    }

    #[test]
    fn figures_are_all_of_one_width() {
        for face in FontFace::BUNDLED {
            for digit in "0123456789".chars() {
                assert!((width(face, &digit.to_string()) - 0.54).abs() < 1e-6, "{face:?} {digit}");
            }
        }
    }

    /// So that a line is its words one after another, whatever the script of what is before them.
    #[test]
    fn words_are_shaped_alone_as_in_their_line() {
        let letters: Vec<char> = (' '..='~').chain("×–−→≥½éΨЖ".chars()).collect();
        for face in FontFace::BUNDLED {
            let whole = |text: &str| {
                let mut line = LineBuilder::default();
                line.append_run(text, &font_runs::split_runs(face, text)[0], loaded_face(face));
                line.glyphs
            };
            let characters = loaded_face(face).outlines.charmap();
            let single = characters.mappings().filter_map(|(code, _)| Some(char::from_u32(code)?.to_string()));
            let pairs = letters.iter().flat_map(|a| letters.iter().map(move |b| format!("{a}{b}")));
            for word in single.chain(pairs) {
                for text in [format!("n {word} "), format!("Ж {word}n"), format!("Ψ{word} n")] {
                    assert_eq!(shape(face, &text).glyphs, whole(&text), "{face:?} {text:?}");
                }
            }
        }
    }

    #[test]
    fn letters_are_kerned_and_never_joined() {
        let pair = width(FontFace::Regular, "A") + width(FontFace::Regular, "V");
        assert!(width(FontFace::Regular, "AV") < pair);
        let shaped = shape_cached(FontFace::Regular, "first flag");
        assert_eq!(shaped.glyphs.len(), 10);
        assert!(shaped.glyphs.iter().all(|glyph| glyph.text.len() == 1));
    }

    #[test]
    fn missing_characters_are_told_once_and_drawn_as_nothing() {
        let shaped = shape_cached(FontFace::Bold, "a☃b☃漢");
        assert_eq!(shaped.missing, ['☃', '漢']);
        assert_eq!(shaped.glyphs.len(), 2);
        assert!((shaped.width - width(FontFace::Bold, "a") - width(FontFace::Bold, "b")).abs() < 1e-6);
        assert!(missing("HMS Vigilant – Größe, Ψ, Ж, → ≥ ½ ×").is_empty());
        assert_eq!(missing("\t\n"), Vec::<char>::new());
    }

    #[test]
    fn no_face_lacks_what_another_holds() {
        let held: Vec<Vec<u32>> = FontFace::BUNDLED
            .iter()
            .map(|&face| {
                let mut all: Vec<u32> = loaded_face(face).outlines.charmap().mappings().map(|(code, _)| code).collect();
                all.sort_unstable();
                all
            })
            .collect();
        assert!(held[0] == held[1] && held[1] == held[2]);
    }

    #[test]
    fn the_memory_gives_the_same_line_again_and_stays_bounded() {
        let first = shape_cached(FontFace::Regular, "Structure");
        for number in 0..9_000 {
            shape_cached(FontFace::SemiBold, &format!("number {number}"));
        }
        let held: usize = CACHES[FontFace::SemiBold as usize].iter().map(|part| part.read().unwrap().len()).sum();
        assert!(held <= 8 * MAX_CACHED_LINES);
        let again = shape_cached(FontFace::Regular, "Structure");
        assert_eq!(first.width.to_bits(), again.width.to_bits());
    }

    #[test]
    fn marks_that_combine_count_as_one_letter() {
        let shaped = shape_cached(FontFace::Regular, "e\u{301}x");
        assert_eq!(shaped.glyphs.iter().map(|glyph| glyph.text.len()).sum::<usize>(), 4);
        assert!(shaped.missing.is_empty());
    }
}
