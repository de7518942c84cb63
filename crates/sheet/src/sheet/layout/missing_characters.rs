//! Characters that no font has: collects them while pages are drawn, gives one finding for all of them.

use std::collections::BTreeSet;

use moldloft_base::finding::{Advice, Finding};
use moldloft_base::sanitize::shorten;

/// Characters named in a finding; the others are only counted.
const MAX_NAMED: usize = 12;
/// Greatest length of a ship's name, and of the text with the character, in letters.
const MAX_LETTERS: usize = 60;

#[derive(Clone, Debug, Default)]
pub struct MissingCharacters {
    all: BTreeSet<char>,
    /// The first ones, in order of appearance.
    first: Vec<char>,
    /// The first text with such a character.
    words: String,
}

impl MissingCharacters {
    pub fn add(&mut self, characters: &[char], words: &str) {
        if self.all.is_empty() && !characters.is_empty() {
            self.words = shorten(words, MAX_LETTERS);
        }
        for &character in characters {
            if self.all.insert(character) && self.first.len() < MAX_NAMED {
                self.first.push(character);
            }
        }
    }

    /// Moves those of `other` into this one.
    pub fn append(&mut self, other: &mut Self) {
        let other = std::mem::take(other);
        self.add(&other.first, &other.words);
        self.all.extend(other.all);
    }

    /// One finding for all of them; `None` if none is missing. `whose` names the ship or pages.
    pub fn finding(&self, whose: &str) -> Option<Finding> {
        let (last, others) = self.first.split_last()?;
        let mut list = String::new();
        for character in others {
            list.push_str(&format!("`{character}`, "));
        }
        list.push_str(&format!("`{last}`"));
        let word = if self.all.len() == 1 { "character" } else { "characters" };
        let more = match self.all.len() - self.first.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let what = format!("the {word} {list}{more}");
        let message = format!("{}: no bundled font has {what} (in “{}”)", shorten(whose, MAX_LETTERS), self.words);
        Some(Finding::warning("missing-character", message).advise(Advice::ChooseFont).topic(what))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thousand_characters_make_one_short_finding() {
        let name: String = ('一'..).take(1000).collect();
        let mut missing = MissingCharacters::default();
        assert!(missing.finding("x").is_none());
        for _ in 0..2 {
            missing.add(&name.chars().collect::<Vec<_>>(), &name);
        }
        let mut all = MissingCharacters::default();
        all.append(&mut missing);
        let finding = all.finding(&name).expect("a finding");
        assert!(
            finding.message.contains("`一`, `丁`") && finding.message.contains("and 988 more"),
            "{}",
            finding.message
        );
        assert!(finding.message.chars().count() < 300, "{}", finding.message);
        let mut one = MissingCharacters::default();
        one.add(&['漢'], "a 漢");
        let message = one.finding("Pike").expect("a finding").message;
        assert_eq!(message, "Pike: no bundled font has the character `漢` (in “a 漢”)");
    }
}
