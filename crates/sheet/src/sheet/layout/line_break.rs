//! Cuts words to a width and breaks them into lines: takes words of any length and a width, gives text that fits. Never
//! measures more than can fit.

use super::text_style::{MAX_UNBROKEN_BYTES, TextStyle, shape_text};

/// What separates words; a no-break space does not.
fn is_space(c: char) -> bool {
    c.is_whitespace() && c != '\u{a0}'
}

/// The byte offset in `words` after the lines they were broken into.
pub fn offset_after_lines(words: &str, lines: &[impl AsRef<str>]) -> usize {
    let letters = |line: &str| line.chars().filter(|&c| !is_space(c)).count();
    let done: usize = lines.iter().map(|line| letters(line.as_ref())).sum();
    let mut left = words.char_indices().filter(|&(_, c)| !is_space(c));
    left.nth(done).map_or(words.len(), |(at, _)| at)
}

impl TextStyle {
    /// Words cut to a width, with an ellipsis: only for text that is printed in full elsewhere or obvious from its
    /// position.
    pub fn truncate(&self, words: &str, width: f32) -> String {
        if words.len() <= MAX_UNBROKEN_BYTES && self.width(words) <= width + 0.05 {
            return words.to_owned();
        }
        let start = words.trim_end_matches([' ', '…']);
        let with_dots = |end: usize| format!("{}…", start[..end].trim_end());
        // Near the end, one letter at a time because of kerning and the ellipsis: as much as fits.
        let (mut end, ends) = self.estimate_fitting_bytes(start, width);
        let mut place = ends.partition_point(|&one| one < end).min(ends.len().saturating_sub(1));
        while place + 1 < ends.len() && ends[place] < start.len() && self.width(&with_dots(ends[place])) <= width {
            place += 1;
        }
        loop {
            end = ends[place];
            let cut = with_dots(end);
            // At least one letter is removed.
            if end < start.len() && self.width(&cut) <= width {
                return cut;
            }
            if place == 0 {
                return String::new();
            }
            place -= 1;
        }
    }

    /// About how many bytes of words fit into a width, and the ends of all their letters within the range of error,
    /// starting with 0. Only as much is shaped as can fit, whatever the length.
    fn estimate_fitting_bytes(&self, words: &str, width: f32) -> (usize, Vec<usize>) {
        /// The least average width of letters, in ems; anything narrower is not real text.
        const NARROW: f32 = 0.2;
        let most = (width.max(0.0) / (self.size.mm() * (NARROW + self.spacing.max(0.0)))) as usize + 64;
        let ends: Vec<usize> =
            words.char_indices().map(|(at, _)| at).chain([words.len()]).take(most.min(100_000)).collect();
        let step = self.spacing * self.size.mm();
        let over = |part: &str| {
            let (run, _) = shape_text(self.face, part);
            let mut along = 0.0;
            let over = run.glyphs.iter().find(|glyph| {
                along += glyph.advance * self.size.mm() + step;
                along > width
            });
            over.map(|glyph| glyph.text.start as usize)
        };
        // Half as many letters are nearly always enough.
        let all = ends.last().copied().unwrap_or_default();
        let half = ends.get(ends.len() / 2).copied().filter(|&half| half < all);
        let end = half.and_then(|half| over(&words[..half])).or_else(|| over(&words[..all])).unwrap_or(all);
        (end, ends)
    }

    /// Words broken into lines no wider than `width`, at spaces; a single word wider than that is broken after a hyphen, else
    /// within.
    pub fn wrap(&self, words: &str, width: f32) -> Vec<String> {
        let mut lines = Vec::new();
        for paragraph in words.split('\n') {
            self.wrap_paragraph(paragraph, width, &mut lines);
        }
        lines
    }

    /// The first lines of words of any length, at most `most`, and the byte offset where the next one begins: later
    /// text is not read. Unless the words are `parted`, line breaks in them count as spaces.
    pub fn wrap_lines(&self, words: &str, width: f32, most: usize, parted: bool) -> (Vec<String>, usize) {
        /// The average width of letters, in ems.
        const LETTER: f32 = 0.4;
        let line = (width.max(0.0) / (self.size.mm() * LETTER)).min(10_000.0) as usize + 8;
        let mut bytes = MAX_UNBROKEN_BYTES.max(line.saturating_mul(most.saturating_add(3)));
        loop {
            let part = &words[..words.floor_char_boundary(bytes)];
            let mut lines = Vec::new();
            if parted {
                lines = self.wrap(part, width);
            } else {
                self.wrap_paragraph(part, width, &mut lines);
            }
            if part.len() == words.len() && lines.len() <= most {
                return (lines, words.len());
            }
            // The last one may be cut off.
            if part.len() == words.len() || lines.len() > most.saturating_add(1) {
                lines.truncate(most);
                let next = offset_after_lines(words, &lines);
                return (lines, next);
            }
            bytes = bytes.saturating_mul(2);
        }
    }

    fn wrap_paragraph(&self, paragraph: &str, width: f32, lines: &mut Vec<String>) {
        /// More than a font kerns a word and a space, in ems.
        const KERNING: f32 = 0.2;
        /// Bytes of a line: most lines need no more.
        const USUAL_LINE: usize = 64;
        let space = if paragraph.contains(is_space) { self.width("n n") - 2.0 * self.width("n") } else { 0.0 };
        // A line is about as wide as its words, which recur, and is measured only where that does not tell.
        let room = paragraph.len().min(USUAL_LINE);
        let (mut line, mut about, mut unsure) = (String::with_capacity(room), 0.0, 0.0);
        for word in paragraph.split(is_space).filter(|word| !word.is_empty()) {
            // What is far too long is not shaped just to find that out.
            if word.len() <= MAX_UNBROKEN_BYTES {
                let before = line.len();
                if before > 0 {
                    line.push(' ');
                    about += space;
                    unsure += KERNING * self.size.mm();
                }
                line.push_str(word);
                about += self.width(word);
                let surely = about + unsure <= width;
                let perhaps = about - unsure <= width + 0.01 && line.len() <= MAX_UNBROKEN_BYTES;
                if surely || perhaps && self.width(&line) <= width + 0.01 {
                    continue;
                }
                line.truncate(before);
            }
            if !line.is_empty() {
                lines.push(std::mem::replace(&mut line, String::with_capacity(room)));
            }
            line.push_str(self.break_word(word, width, lines));
            (about, unsure) = (self.width(&line), 0.0);
        }
        if !line.is_empty() {
            lines.push(line);
        }
    }

    /// Pushes the lines that a word fills; gives what is left of it.
    fn break_word<'a>(&self, word: &'a str, width: f32, lines: &mut Vec<String>) -> &'a str {
        let mut rest = word;
        loop {
            if rest.len() <= MAX_UNBROKEN_BYTES && self.width(rest) <= width + 0.01 {
                return rest;
            }
            let (about, ends) = self.estimate_fitting_bytes(rest, width + 0.01);
            let fits = |place: usize| self.width(&rest[..ends[place]]) <= width + 0.01;
            let last = ends.len() - 1;
            let mut place = ends.partition_point(|&end| end < about).clamp(1, last);
            while place < last && fits(place + 1) {
                place += 1;
            }
            while place > 1 && !fits(place) {
                place -= 1;
            }
            if ends[place] == rest.len() {
                return rest;
            }
            let end = rest[..ends[place]].rfind('-').map_or(ends[place], |hyphen| hyphen + 1);
            lines.push(rest[..end].to_owned());
            rest = &rest[end..];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::MinimumSizes;
    use crate::sheet::layout::text_style::TextStyles;
    use moldloft_base::allowance::work_counted;

    /// A letter at a time: the slow way to the results of cutting and breaking.
    fn cut_slowly(style: &TextStyle, words: &str, width: f32) -> String {
        if style.width(words) <= width + 0.05 {
            return words.to_owned();
        }
        let mut short: Vec<char> = words.trim_end_matches([' ', '…']).chars().collect();
        while short.pop().is_some() {
            let cut = format!("{}…", short.iter().collect::<String>().trim_end());
            if style.width(&cut) <= width {
                return cut;
            }
        }
        String::new()
    }

    fn broken_slowly(style: &TextStyle, word: &str, width: f32) -> Vec<String> {
        let (mut lines, mut line) = (Vec::new(), String::new());
        for character in word.chars() {
            line.push(character);
            if style.width(&line) > width + 0.01 && line.chars().count() > 1 {
                line.pop();
                lines.push(std::mem::replace(&mut line, character.to_string()));
            }
        }
        lines.push(line);
        lines
    }

    #[test]
    fn words_are_cut_and_broken_as_letter_by_letter() {
        let styles = TextStyles::new(MinimumSizes::default());
        let words = ["HMS Vigilant", "AVAVAVA Ty. To, f’n", "é̀́ a  b …", "x", "", "      ", "………", "WWWW iiii llll"];
        for style in [styles.title, styles.label, styles.value] {
            for words in words {
                for tenths in 0..400_u16 {
                    let width = f32::from(tenths) / 10.0;
                    assert_eq!(style.truncate(words, width), cut_slowly(&style, words, width), "{words:?} in {width}");
                    let word = words.replace(' ', "");
                    if !word.is_empty() && style.width(&word) > width + 0.01 {
                        assert_eq!(
                            style.wrap(&word, width),
                            broken_slowly(&style, &word, width),
                            "{word:?} in {width}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_word_too_wide_is_broken_after_a_hyphen() {
        let style = TextStyles::new(MinimumSizes::default()).body;
        let width = style.width("Sternenkreuzer-Kl");
        assert_eq!(style.wrap("Sternenkreuzer-Klasse", width), ["Sternenkreuzer-", "Klasse"]);
        assert_eq!(style.wrap("Fregatte Sternenkreuzer-Klasse", width), ["Fregatte", "Sternenkreuzer-", "Klasse"]);
    }

    #[test]
    fn long_paragraphs_are_broken_as_short_ones() {
        let style = TextStyles::new(MinimumSizes::default()).body;
        let words = ["a", "Vigilant", "AVAVA", "Ty.", "To,", "Supercalifragilisticexpialidocious", "iii", "é̀́x"];
        let text: String =
            (0..400).map(|n| format!("{}{}", words[n * 7 % 8], [" ", "  ", "\t", " \u{a0} "][n % 4])).collect();
        assert!(text.len() > MAX_UNBROKEN_BYTES);
        for width in [0.5, 3.0, 9.5, 20.0, 33.3, 80.0, 200.0] {
            let mut short = Vec::new();
            let mut line = String::new();
            for word in text.split(is_space).filter(|word| !word.is_empty()) {
                let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
                if style.width(&longer) <= width + 0.01 {
                    line = longer;
                    continue;
                }
                if !line.is_empty() {
                    short.push(std::mem::take(&mut line));
                }
                let mut broken = broken_slowly(&style, word, width);
                line = broken.pop().unwrap();
                short.append(&mut broken);
            }
            short.push(line);
            assert_eq!(style.wrap(&text, width), short, "{width}");
        }
    }

    #[test]
    fn the_first_lines_of_a_long_text_are_those_of_all_of_it() {
        let style = TextStyles::new(MinimumSizes::default()).body;
        let words = ["a", "Vigilant", "AVAVA\n", "Supercalifragilisticexpialidocious", "é̀́x", "\u{a0}to\u{a0}", "W"];
        let parts = |many: usize| (0..many).map(|n| format!("{}  ", words[n * 5 % 7])).collect::<String>();
        for text in [parts(2_000), parts(10), "Wi".repeat(9_000), " \n".repeat(3_000), String::new()] {
            for (width, most, parted) in [(9.0, 1, true), (9.0, 40, false), (60.0, 7, true), (200.0, 500, false)] {
                let all = if parted { style.wrap(&text, width) } else { style.wrap(&text.replace('\n', " "), width) };
                let (mut from, mut got) = (0, Vec::new());
                while from < text.len() {
                    let (lines, next) = style.wrap_lines(&text[from..], width, most, parted);
                    assert!(lines.len() <= most && next > 0, "{} lines, {next} of {}", lines.len(), text.len());
                    got.extend(lines);
                    from += next;
                }
                assert_eq!(got, all, "{width} mm, {most} lines");
            }
        }
        let before = work_counted();
        let _ = style.wrap_lines(&"The convoy keeps to the lane. ".repeat(100_000), 80.0, 10, true);
        // Other tests shape words at the same time.
        assert!(work_counted() - before < 3_000_000);
    }

    #[test]
    fn long_words_are_no_work() {
        let style = TextStyles::new(MinimumSizes::default()).body;
        let before = work_counted();
        assert!(style.truncate(&"Wi".repeat(500_000), 50.0).ends_with("Wi…"));
        assert!(style.wrap(&"Wi".repeat(20_000), 50.0).len() > 500);
        // Other tests shape words at the same time.
        assert!(work_counted() - before < 20_000_000);
    }
}
