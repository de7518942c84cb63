//! Counts and names in a sentence: takes numbers or names, gives the words for them.

use std::fmt::Display;

/// `1 ship`, `12 ships`, `3 boxes`.
pub fn plural<N: Display + PartialEq + From<u8>>(count: N, word: &str) -> String {
    let ending = if word.ends_with(['x', 's']) || word.ends_with("ch") || word.ends_with("sh") { "es" } else { "s" };
    if count == N::from(1) { format!("1 {word}") } else { format!("{count} {word}{ending}") }
}

/// A number with a label in the plural, as rulesets have them: `1 pod in tow`, `2 pods in tow`, `+1 box`, `1 mass`.
pub fn amount_with_unit(number: &str, label: &str) -> String {
    if number.trim_start_matches(['+', '−', '-']) != "1" {
        return format!("{number} {label}");
    }
    // The noun is before a preposition, or last.
    let is_preposition = |word: &str| matches!(word, "in" | "of" | "on" | "with" | "for" | "to" | "at" | "per");
    let mut words: Vec<String> = label.split(' ').map(str::to_owned).collect();
    let noun = words.iter().position(|word| is_preposition(word)).unwrap_or(words.len()).saturating_sub(1);
    words[noun] = singular(&words[noun]);
    format!("{number} {}", words.join(" "))
}

/// `pod` for `pods`, `box` for `boxes`, `battery` for `batteries`; a word that ends in `ss`, `us` or `is` is no plural.
pub fn singular(word: &str) -> String {
    if ["ss", "us", "is"].iter().any(|ending| word.ends_with(ending)) {
        return word.to_owned();
    }
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        return format!("{stem}y");
    }
    let is_es = ["xes", "sses", "ches", "shes"].iter().any(|ending| word.ends_with(ending));
    word.strip_suffix(if is_es { "es" } else { "s" }).unwrap_or(word).to_owned()
}

pub fn capitalize(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// An id as words: `counter-missile_launcher` is `counter missile launcher`.
pub fn id_as_words(id: &str) -> String {
    id.replace(['-', '_'], " ")
}

/// A text of more than `max` characters cut to so many, with `…` after them.
pub fn shorten(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// [`shorten`], with control characters as spaces, for one line.
pub fn shorten_line(text: &str, max: usize) -> String {
    shorten(text, max).replace(char::is_control, " ")
}

/// `Heron, Egret and 3 more`: the first `max` names, and how many others there are.
pub fn list_names<T: AsRef<str>>(names: &[T], max: usize) -> String {
    let named: Vec<&str> = names.iter().take(max).map(AsRef::as_ref).collect();
    match names.len().saturating_sub(max) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_not_many() {
        assert_eq!(plural(0_usize, "ship"), "0 ships");
        assert_eq!(plural(1_i64, "point"), "1 point");
        assert_eq!(plural(-1_i64, "point"), "-1 points");
        assert_eq!(plural(2_usize, "ticked box"), "2 ticked boxes");
        for (label, one) in [
            ("pods in tow", "1 pod in tow"),
            ("boxes", "1 box"),
            ("structure points", "1 structure point"),
            ("mass", "1 mass"),
            ("thrust", "1 thrust"),
            ("ships of a class", "1 ship of a class"),
            ("torpedo batteries", "1 torpedo battery"),
        ] {
            assert_eq!(amount_with_unit("1", label), one);
            assert_eq!(amount_with_unit("2", label), format!("2 {label}"));
        }
        assert_eq!(
            (amount_with_unit("+1", "boxes"), amount_with_unit("−1", "points")),
            ("+1 box".into(), "−1 point".into())
        );
    }

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(list_names(&["a", "b"], 2), "a, b");
        assert_eq!(list_names(&["a", "b", "c"], 1), "a and 2 more");
        assert_eq!(list_names::<&str>(&[], 1), "");
    }

    #[test]
    fn characters_are_counted_not_bytes() {
        assert_eq!(shorten("Søn", 3), "Søn");
        assert_eq!(shorten("Søns", 3), "Søn…");
        assert_eq!(shorten("", 0), "");
        assert_eq!(shorten_line("a\nbc", 3), "a b…");
    }
}
