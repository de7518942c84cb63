//! One word for one thing: takes what a game's templates and pages call its things, gives those with two names.

use std::collections::BTreeMap;

use memchr::memmem;

/// What a game's sheets, cards and counters say.
#[derive(Debug, Default)]
pub struct SheetWords {
    /// What is named, with each of its names and the file that has it first.
    names: BTreeMap<String, BTreeMap<String, String>>,
}

/// Two names of one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordClash {
    /// `track structure`, or empty for words of one meaning.
    pub thing: String,
    /// Names with the files that have them, by name.
    pub names: Vec<(String, String)>,
}

/// Words for one thing that sheets of a game must not mix.
const SYNONYMS: [&[&str]; 6] = [
    &["continued", "continuation", "further sheet", "next sheet"],
    &["turn log", "round log", "log of turns", "log of rounds"],
    &["cross off", "cross out", "strike off", "strike out", "tick off", "mark off"],
    &["hull no.", "hull number", "ship no.", "pennant"],
    &["starboard", "stbd", "stbd.", "starb."],
    &["1 square", "1 box"],
];
/// The most different names of one thing that are kept.
const MAX_NAMES: usize = 8;

impl SheetWords {
    /// A thing's heading in a file.
    pub fn add_name(&mut self, thing: &str, name: &str, file: &str) {
        let names = self.names.entry(thing.to_owned()).or_default();
        let name = name.trim().to_lowercase();
        if !name.is_empty() && names.len() < MAX_NAMES {
            names.entry(name).or_insert_with(|| file.to_owned());
        }
    }

    /// Adds what another page says.
    pub fn append(&mut self, other: Self) {
        for (thing, names) in other.names {
            let own = self.names.entry(thing).or_default();
            for (name, file) in names {
                own.entry(name).or_insert(file);
            }
        }
    }

    /// Drawn texts, one a line: whole words of the synonyms are noted.
    pub fn add_text(&mut self, text: &str, file: &str) {
        let text = text.to_lowercase();
        for group in SYNONYMS {
            for word in group.iter().filter(|word| contains_word(&text, word)) {
                let names = self.names.entry(format!(" {}", group.join("|"))).or_default();
                names.entry((*word).to_owned()).or_insert_with(|| file.to_owned());
            }
        }
    }
}

fn contains_word(text: &str, word: &str) -> bool {
    text.len() >= word.len()
        && memmem::find_iter(text.as_bytes(), word).any(|at| {
            let before = text.get(..at).and_then(|text| text.chars().next_back());
            let after = text.get(at + word.len()..).and_then(|text| text.chars().next());
            !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
        })
}

/// Everything that has two names.
pub fn clashing_words(words: &SheetWords) -> Vec<WordClash> {
    let clashes = words.names.iter().filter(|(_, names)| names.len() > 1);
    clashes
        .map(|(thing, names)| WordClash {
            thing: if thing.starts_with(' ') { String::new() } else { thing.clone() },
            names: names.iter().map(|(name, file)| (name.clone(), file.clone())).collect(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_with_two_names_is_found() {
        let mut words = SheetWords::default();
        words.add_name("track structure", "Structure", "ship.svg");
        words.add_name("track structure", "STRUCTURE", "lac.svg");
        words.add_text("page 2, CONTINUED", "more.svg");
        assert!(clashing_words(&words).is_empty());
        words.add_name("track structure", "Hull", "lac.svg");
        words.add_text("discontinued", "lac.svg");
        words.add_text("continuation of page 1", "lac.svg");
        let found = clashing_words(&words);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[1].names[0], ("hull".into(), "lac.svg".into()));
    }
}
