//! Splits a line into runs of one face, one direction and, in the fallback, one script. A line that the bundled faces
//! cover is one run.

use std::ops::Range;

use skrifa::MetadataProvider;
use unicode_bidi::BidiInfo;
use unicode_script::{Script, UnicodeScript};

use super::face::{LoadedFace, loaded_face};
use super::fallback;
use super::outline::draw_outline;
use super::types::FontFace;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FontRun {
    pub range: Range<usize>,
    pub face: FontFace,
    pub is_right_to_left: bool,
}

/// In visual order, from left to right.
pub(super) fn split_runs(face: FontFace, text: &str) -> Vec<FontRun> {
    if text.is_ascii() || !fallback::is_set() {
        single_run(face, text)
    } else {
        split_runs_with_fallback(face, text, loaded_face(FontFace::Fallback))
    }
}

fn single_run(face: FontFace, text: &str) -> Vec<FontRun> {
    vec![FontRun { range: 0..text.len(), face, is_right_to_left: false }]
}

pub(super) fn split_runs_with_fallback(face: FontFace, text: &str, other: &LoadedFace<'_>) -> Vec<FontRun> {
    let bundled = loaded_face(face);
    let (plain, further) = (bundled.outlines.charmap(), other.outlines.charmap());
    let bundled = |character: char| character.is_control() || plain.map(character).is_some();
    let other = |character: char| {
        let glyph = further.map(character).and_then(|glyph| u16::try_from(glyph.to_u32()).ok());
        glyph.is_some_and(|glyph| glyph != 0 && draw_outline(other, glyph).is_some())
    };
    if text.chars().any(|character| !bundled(character) && other(character)) {
        split_by_coverage(face, text, &bundled, &other)
    } else {
        single_run(face, text)
    }
}

/// Runs of two faces with this coverage; characters that neither covers stay with the first.
fn split_by_coverage(
    face: FontFace,
    text: &str,
    bundled: &dyn Fn(char) -> bool,
    other: &dyn Fn(char) -> bool,
) -> Vec<FontRun> {
    let order = BidiInfo::new(text, None);
    let mut runs = Vec::new();
    for paragraph in &order.paragraphs {
        let (levels, level_runs) = order.visual_runs(paragraph, paragraph.range.clone());
        for run in level_runs {
            let leftwards = levels.get(run.start).is_some_and(|level| level.is_rtl());
            let first = runs.len();
            let mut script = Script::Common;
            for (at, character) in text[run.clone()].char_indices() {
                let (start, end) = (run.start + at, run.start + at + character.len_utf8());
                let own = character.script();
                let last = runs.get_mut(first..).and_then(<[FontRun]>::last_mut);
                // Marks and joiners stay with their base letter.
                let follows = own == Script::Inherited && other(character);
                let follows = follows && last.as_ref().is_some_and(|last| last.face == FontFace::Fallback);
                let chosen =
                    if follows || (!bundled(character) && other(character)) { FontFace::Fallback } else { face };
                let neutral = matches!(own, Script::Common | Script::Inherited);
                let joins = face == chosen || neutral || script == Script::Common || own == script;
                match last.filter(|last| last.face == chosen && joins) {
                    Some(last) => last.range.end = end,
                    None => {
                        script = Script::Common;
                        runs.push(FontRun { range: start..end, face: chosen, is_right_to_left: leftwards });
                    }
                }
                if !neutral {
                    script = own;
                }
            }
            if leftwards {
                runs[first..].reverse();
            }
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str) -> Vec<(&str, bool, bool)> {
        let bundled = |c: char| (c as u32) < 0x300;
        let other = |c: char| c != '\u{2603}' && c as u32 >= 0x2b0;
        let runs = split_by_coverage(FontFace::Bold, text, &bundled, &other);
        runs.into_iter().map(|p| (&text[p.range], p.face == FontFace::Fallback, p.is_right_to_left)).collect()
    }

    #[test]
    fn letters_go_to_the_face_that_holds_them() {
        assert_eq!(seen("HMS 漢字 2"), [("HMS ", false, false), ("漢字", true, false), (" 2", false, false)]);
        assert_eq!(seen("a☃漢"), [("a☃", false, false), ("漢", true, false)]);
        assert_eq!(seen("漢\u{301}かх"), [("漢\u{301}", true, false), ("か", true, false), ("х", true, false)]);
    }

    #[test]
    fn words_read_from_right_to_left_stand_so() {
        let space = (" ", false, true);
        // A number after right-to-left words is read after them, so it is on their left.
        assert_eq!(
            seen("HMS אב גד 7"),
            [("HMS ", false, false), ("7", false, false), space, ("גד", true, true), space, ("אב", true, true)]
        );
    }

    #[test]
    fn every_letter_is_in_one_piece() {
        for text in ["אב (12) ab\nגד", "\u{202e}אb\u{202c}漢", "漢\r\nא"] {
            let mut ranges: Vec<_> = split_by_coverage(FontFace::Regular, text, &|c| c.is_ascii(), &|_| true);
            ranges.sort_by_key(|piece| piece.range.start);
            let mut at = 0;
            for piece in ranges {
                assert_eq!(piece.range.start, at, "{text:?}");
                at = piece.range.end;
            }
            assert_eq!(at, text.len());
        }
    }
}
