//! What the codes of findings mean that no ruleset declares: the one table of them.

/// Code and meaning, by the alphabet.
pub(super) const CODES: &[(&str, &str)] = &[
    ("carried-carries", "what a ship carries cannot carry something itself; that is left out"),
    ("damage-beyond", "a box is ticked that the ship does not have; it is left out"),
    ("damage-on-many", "boxes are ticked in an entry that stands for several ships; the first has them"),
    ("division-by-zero", "a formula divides by nothing for this design; look for a number that is 0"),
    ("duplicate-design", "two designs in a fleet's file have the same name; the first is used"),
    (
        "duplicate-hull-number",
        "two ships of a fleet have the same hull number, so that nobody can tell their sheets and counters apart",
    ),
    ("duplicate-id", "two things of one kind have the same id; the first is used"),
    ("empty-group", "no ship sails in this group"),
    (
        "field-without-value",
        "the ruleset asks for something that the design does not state and that has no default; what is computed from it is left open",
    ),
    ("fit-without-system", "a fit does not say which system it is; it is left out"),
    ("group-without-id", "a group has no id by which ships could name it; it is left out"),
    ("load-without-system", "a load does not say what is loaded; it is left out"),
    ("missing-design", "a fleet names a design that is nowhere; the ship is left out, the others are done"),
    ("missing-mount", "a fit does not say where it stands; it counts, but the sheet has no place for it"),
    ("missing-name", "the class of ship has no name; the sheet leaves a line to write on"),
    ("missing-ruleset", "the design or fleet does not say which game it is for"),
    ("mixed-rulesets", "a ship's design follows another game than her fleet; she is left out"),
    (
        "mount-not-allowed",
        "a system stands in a mount that it may not take; it counts all the same, so that the numbers show what was meant",
    ),
    ("newer-schema", "the file is written in a newer format than this program reads; nothing of it was guessed at"),
    ("no-answer", "a formula looks up a row that its table does not have"),
    ("no-such-item", "a formula asks for an item beyond the end of its list"),
    ("not-a-load", "a fleet may only change what a ship is loaded with, not what she is"),
    ("not-boxes", "ticked boxes are written as a number of them, or such as 1-12, 14"),
    (
        "not-damage",
        "boxes that are a state, a countdown or marked anew each turn; a fleet keeps only what is hit and what is used up",
    ),
    ("not-toml", "the text is not TOML: a quote, bracket or equals sign is missing or too many"),
    ("nothing-to-load", "a fleet loads a system that the ship does not have"),
    ("outside-workspace", "a fleet names a file outside the workspace; it is not opened"),
    ("over-budget", "the fleet costs more than its budget allows"),
    (
        "overflow",
        "a number grows beyond what is counted here (15 digits); look for one in the design that is far too large",
    ),
    (
        "own-system-not-allowed",
        "a system of the design's own that the ruleset does not allow: own_systems says what they may be like",
    ),
    (
        "own-system-out-of-range",
        "a number of a system of the design's own is beyond what the ruleset's own_systems lets it be",
    ),
    ("row-without-value", "a row of a field leaves out a column that has no default"),
    ("ship-without-design", "a ship of a fleet does not say which class she is of; she is left out"),
    ("system-without-id", "a system of the design's own has no id; it is left out"),
    (
        "system-without-kind",
        "a system of the design's own does not say which of the ruleset's it is like; it is left out",
    ),
    (
        "too-large",
        "something is larger than any table could use: too many fits, rows or cells; the rest is not looked at",
    ),
    ("too-long", "a text grows longer than any sheet could show"),
    (
        "too-many-boxes",
        "a track has more boxes than can be drawn; look for a number in the design that is far too large",
    ),
    (
        "too-many-counters",
        "more counters of one sort than can be cut; look for a number in the design that is far too large",
    ),
    ("too-many-findings", "only the first findings are shown; mend them and look again"),
    ("too-many-ships", "a fleet holds more ships than are worked out; the rest is left out"),
    (
        "too-much-work",
        "the formulas of one ship take more steps than are worked out; the first that was left empty is named",
    ),
    ("unknown-column", "a row states a column that its field does not have; it is left out"),
    ("unknown-damage", "boxes are ticked that the ship's sheet does not have; they are left out"),
    ("unknown-field", "a design states a field that its ruleset does not have; it means nothing"),
    ("unknown-group", "a ship sails in a group that the fleet does not have"),
    ("unknown-key", "a key that the file's format does not have; it is kept but means nothing"),
    (
        "unknown-mount",
        "a mount that the ruleset does not have; what stands there counts, but the sheet has no place for it",
    ),
    ("unknown-option", "a word that is none of the options to choose from; what is computed from it is left open"),
    ("unknown-parameter", "a fit states something that its system does not have; it means nothing"),
    ("unknown-relation", "a group is of a kind that the ruleset does not have"),
    ("unknown-system", "a system that neither the ruleset nor the design has; it does not count"),
    ("unused-design", "a design in a fleet's file that none of its ships is of; nobody judges it"),
    (
        "value-out-of-range",
        "a number outside the range that the rules give it; it is used as it stands, unless it is beyond all counting",
    ),
    ("wrong-type", "a number stands where text belongs, or the like; what is computed from it is left open"),
];

#[cfg(test)]
mod tests {
    #[test]
    fn every_code_softens_in_a_layer_or_is_a_guard() {
        for (code, _) in super::CODES {
            assert!(crate::ruleset::weighed(code), "{code}");
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
