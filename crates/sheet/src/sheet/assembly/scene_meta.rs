//! What a file says of itself: takes the names of what is in it and its rules, gives title, credit, subject and language.

use moldloft_drawing::scene::Meta;
use moldloft_rules::ruleset::Ruleset;

/// `names` are those of ships or fleets, perhaps empty; `what` is the kind of pages, `control sheets`.
pub fn scene_meta<'a>(names: &[&str], rulesets: impl Iterator<Item = &'a Ruleset>, what: &str) -> Meta {
    let rulesets: Vec<&Ruleset> = rulesets.collect();
    let say = |text: &str| rulesets.first().map_or_else(|| text.to_owned(), |rules| rules.say(text));
    let distinct = |pick: fn(&Ruleset) -> &str| {
        let mut known: Vec<&str> = Vec::new();
        for text in rulesets.iter().map(|rules| pick(rules)) {
            if !text.is_empty() && !known.contains(&text) {
                known.push(text);
            }
        }
        known.join(", ")
    };
    let (games, what) = (distinct(|rules| &rules.title), say(what));
    let names: Vec<&str> = names.iter().copied().filter(|name| !name.is_empty()).collect();
    let title = match names.as_slice() {
        [] if games.is_empty() => what.clone(),
        [] => format!("{games}: {what}"),
        [one] => format!("{one}, {what}"),
        [one, other] => format!("{one} {} {other}, {what}", say("and")),
        [first, .., last] => format!("{first} {} {last}, {what}", say("to")),
    };
    let subject = if games.is_empty() { what } else { format!("{games}: {what}") };
    let words = rulesets.iter().find_map(|rules| rules.words.as_ref());
    Meta {
        title,
        author: distinct(|rules| &rules.credit),
        subject,
        language: words.map_or_else(String::new, |words| words.language.clone()),
    }
}
