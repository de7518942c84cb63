//! Counts and names in a sentence: takes numbers or names, gives the words for them.

use std::fmt::Display;

/// `1 ship`, `12 ships`; for words that take an `s`.
pub fn plural<N: Display + PartialEq + From<u8>>(count: N, word: &str) -> String {
    if count == N::from(1) { format!("1 {word}") } else { format!("{count} {word}s") }
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
