//! The table of finding codes that no ruleset declares.

/// Code and meaning, sorted.
#[rustfmt::skip] // A code a line.
pub(super) const CODES: &[(&str, &str)] = &[
    ("carried-carries", "a carried unit cannot carry others; what it carries is skipped"),
    ("damage-beyond", "a box is ticked that the ship does not have; it is skipped"),
    ("damage-on-many", "boxes are ticked in an entry for several ships; they count for the first one"),
    ("division-by-zero", "a formula divides by zero for this design; look for a number that is 0"),
    ("duplicate-design", "two designs that a fleet can use have the same name; the first is used"),
    ("duplicate-hull-number", "two ships of a fleet have the same hull number, so their sheets and counters look the same"),
    ("duplicate-id", "two entries of one kind have the same id; the first is used"),
    ("empty-group", "no ship is in this group"),
    ("field-without-value", "the ruleset needs a value that the design does not set and that has no default; results that depend on it stay empty"),
    ("fit-without-system", "a fit does not name its system; it is skipped"),
    ("group-without-id", "a group has no id for ships to name it by; it is skipped"),
    ("load-without-system", "a load does not name a system; it is skipped"),
    ("missing-design", "a design of a fleet cannot be found; the ship is skipped"),
    ("missing-mount", "a fit does not name a mount; it counts, but has no place on the sheet"),
    ("missing-name", "the class has no name; the sheet has a blank line for it"),
    ("missing-ruleset", "the design or fleet does not name its ruleset"),
    ("mixed-rulesets", "a ship's design uses another ruleset than its fleet; it is skipped"),
    ("mount-not-allowed", "a system is in a mount where it is not allowed; it still counts"),
    ("newer-schema", "the file uses a newer format than this program supports; nothing was read from it"),
    ("no-answer", "a formula looks up a row that its table does not have"),
    ("no-such-item", "a formula reads an item beyond the end of its list"),
    ("not-a-load", "a fleet can only change what a ship is loaded with, not the ship itself"),
    ("not-boxes", "ticked boxes must be a number of boxes or a list such as 1-12, 14"),
    ("not-damage", "the boxes are a state, a countdown or marked again each turn; a fleet keeps only what is hit and what is used up"),
    ("not-toml", "the text is not valid TOML: look for a missing or extra quote, bracket or equals sign"),
    ("nothing-to-load", "a fleet loads a system that the ship does not have"),
    ("outside-workspace", "a fleet names a file outside the workspace; it is not opened"),
    ("over-budget", "the fleet costs more than its budget allows"),
    ("overflow", "a number has more than 15 digits; look for a number in the design that is far too large"),
    ("own-system-not-allowed", "the ruleset does not allow this own system of the design; see own_systems in the ruleset"),
    ("own-system-computed", "an own system of the design states what the ruleset computes for its kind; the computed value counts"),
    ("own-system-out-of-range", "a number of an own system of the design is outside the range that the ruleset's own_systems allows"),
    ("row-without-value", "a row of a field has no value for a column without a default"),
    ("same-letter", "two systems aboard have boxes that look alike on a sheet"),
    ("ship-without-design", "a ship of a fleet does not name its class; it is skipped"),
    ("system-without-id", "an own system of the design has no id; it is skipped"),
    ("system-without-kind", "an own system of the design does not name the system of the ruleset that it is like; it is skipped"),
    ("too-large", "there are too many fits, rows or cells; the rest is skipped"),
    ("too-long", "a text is longer than any sheet can show"),
    ("too-many-boxes", "a track has too many boxes to draw; look for a number in the design that is far too large"),
    ("too-many-counters", "there are too many counters of one kind; look for a number in the design that is far too large"),
    ("too-many-findings", "only the first findings are shown; fix them and check again"),
    ("too-many-ships", "a fleet has too many ships; the rest is skipped"),
    ("too-much-work", "the formulas of one ship take too many steps; the first formula that was skipped is named"),
    ("unknown-column", "a row sets a column that its field does not have; it is skipped"),
    ("unknown-damage", "boxes are ticked that the ship's sheet does not have; they are skipped"),
    ("unknown-field", "a design sets a field that its ruleset does not have; it has no effect"),
    ("unknown-group", "a ship is in a group that the fleet does not have"),
    ("unknown-key", "the file's format does not have this key; it is kept but has no effect"),
    ("unknown-mount", "the ruleset does not have this mount; the fit counts, but has no place on the sheet and no part in odds"),
    ("unknown-option", "a value is none of the options; results that depend on it stay empty"),
    ("unknown-parameter", "a fit sets a parameter that its system does not have; it has no effect"),
    ("unknown-relation", "a group has a kind that the ruleset does not have"),
    ("unknown-system", "neither the ruleset nor the design has this system; it does not count"),
    ("unused-design", "no ship of a fleet file uses this design; it is not checked"),
    ("value-out-of-range", "a number is outside the range that the rules allow; it is used anyway, unless it has more than 15 digits"),
    ("wrong-type", "a value has the wrong type, such as a number instead of text; results that depend on it stay empty"),
];

#[cfg(test)]
mod tests {
    #[test]
    fn every_code_softens_in_a_layer_or_is_a_guard() {
        for (code, _) in super::CODES {
            assert!(crate::ruleset::is_classified(code), "{code}");
        }
    }

    #[test]
    fn every_code_stands_once() {
        let mut codes: Vec<&str> = super::CODES.iter().map(|(code, _)| *code).collect();
        let count = codes.len();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), count);
        assert!(codes.iter().all(|code| code.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')));
    }
}
