//! The words of the ruleset language and their keys: one table, from which the schema for text editors is made and against which a
//! test holds what the compiler asks for. Data only; never reads a file.

/// A word of the language: what stands under `[[word]]`, or a table within such a thing.
#[derive(Debug)]
pub struct Word {
    /// `system`, or of an inner table `parameter`.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub about: &'static str,
    /// Its keys.
    pub keys: &'static [Key],
}

/// A key of a word.
#[derive(Debug)]
pub struct Key {
    /// As it is written.
    pub name: &'static str,
    /// What it holds.
    pub holds: Holds,
    /// Whether it must be there.
    pub required: bool,
    /// What it is for.
    pub about: &'static str,
}

/// What a key holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// A name in small letters, digits and `_`, that formulas say.
    Name,
    /// A name in small letters, digits, `-` and `_`.
    Id,
    /// Plain text.
    Words,
    /// Text that may hold `{{ formula }}`.
    Said,
    /// A whole number.
    Whole,
    /// true or false.
    Yes,
    /// A text, or a list of texts.
    Names,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A whole number, or a formula that gives one.
    Number,
    /// true, false, or a formula that gives one.
    Condition,
    /// A list of whole numbers, or a formula that gives one.
    Numbers,
    /// A plain value, or a formula.
    Anything,
    /// A plain value: a number, a flag, a text or a list.
    Plain,
    /// What a field or setting begins with: a number, a flag, a text or an empty list.
    Default,
    /// A table of named formulas.
    Formulas,
    /// A list of tables of this word.
    List(&'static str),
    /// A list of tables of this word, or of ids alone.
    ListOrIds(&'static str),
    /// A table of tables of this word, by id.
    Each(&'static str),
    /// A table of this word.
    One(&'static str),
    /// A list of rows, each a list of cells.
    Rows,
    /// One size or width and height, in numbers or formulas.
    Size,
    /// Two whole numbers: across and down.
    Place,
    /// One of these words, or a table of this word.
    ChoiceOrOne(&'static [&'static str], &'static str),
    /// A table of whole numbers by name.
    Amounts,
}

use Holds::{
    Amounts, Anything, Choice, ChoiceOrOne, Condition, Default, Each, Formulas, Id, List, ListOrIds, Name, Names,
    Number, Numbers, One, Place, Plain, Rows, Said, Size, Whole, Words, Yes,
};

const fn key(name: &'static str, holds: Holds, about: &'static str) -> Key {
    Key { name, holds, required: false, about }
}

const fn must(name: &'static str, holds: Holds, about: &'static str) -> Key {
    Key { name, holds, required: true, about }
}

const OWN_LIKE: &[&str] = &["none", "abstract", "any"];
const AFTER: Key = key("after", Id, "in a layer: the id that it follows in lists");
const LABEL: Key = key("label", Words, "its name for players; defaults to the words of the id");
const HEADING: Key = key("label", Said, "its heading; text with {{ formula }}; defaults to the words of the id");
const RULE: Key = key("rule", Words, "the game rule it comes from, in a few words");
const WHEN: Key = key("when", Condition, "checked first; skipped if this is false");
const FOR_EACH: Key = key(
    "for_each",
    Words,
    "repeats it for each fit, system or mount, alone or followed by ids or #tags; or for each row of a rows field or table. Formulas then read `it`",
);
const MIN: Key = key("min", Whole, "the lowest value allowed");
const MAX: Key = key("max", Whole, "the highest value allowed");
const KIND: Key = key(
    "kind",
    Choice(&["damage", "state", "ammo", "each-turn", "countdown"]),
    "what its boxes are for: damage is hit and repaired; state is one of several, such as the speed; ammo is used up; each-turn is cleared when a turn ends; countdown counts the turns left. Fleets keep damage and ammo; defaults to damage",
);
const SHAPE: Key = key(
    "shape",
    Choice(&["square", "circle", "shield", "plain", "round"]),
    "how its boxes are drawn; defaults to round for a track of kind state, else to square",
);

/// Every word that stands at the top of a ruleset as `[[word]]`, in the order in which a ruleset usually has them.
pub static WORDS: &[Word] = &[
    Word {
        name: "setting",
        about: "a constant that a player or a layer can change: --set NAME=VALUE",
        keys: &[
            must("id", Name, "its name in formulas"),
            AFTER,
            LABEL,
            key("options", Each("option"), "the options to choose from; without options it is a whole number"),
            key("default", Default, "the id of an option, or the number"),
            MIN,
            MAX,
        ],
    },
    Word {
        name: "field",
        about: "a value that a design sets under [fields]",
        keys: &[
            must("id", Name, "its name in designs and formulas"),
            AFTER,
            LABEL,
            must("kind", Choice(&["choice", "integer", "flag", "text", "rows"]), "the type of its value"),
            key("help", Words, "a hint for the player"),
            key(
                "options",
                Each("option"),
                "for choice: the options to choose from; formulas read their other keys as choice.FIELD.KEY",
            ),
            key("default", Default, "the value if a design does not set it; without a default, designs must set it"),
            MIN,
            MAX,
            key("columns", List("field column"), "for rows: the columns of each row"),
            key("shown_when", Condition, "whether it applies to a design"),
        ],
    },
    Word {
        name: "mount",
        about: "a place for systems",
        keys: &[
            must("id", Id, "its name in designs"),
            AFTER,
            LABEL,
            key("tags", Names, "names shared by several mounts: #tag"),
            key("mirror", Id, "its counterpart; set on one of the two"),
            key(
                "plan",
                Place,
                "its position on the ship seen from above, bow up: [across, down], each -9 to 9; across 0 is the centre line, negative is to port; smaller down is further forward",
            ),
            key("shown_when", Condition, "whether a design has it"),
        ],
    },
    Word {
        name: "system",
        about: "something that can be fitted; the names in [attributes] are keys of it too",
        keys: &[
            must("id", Id, "its name in designs"),
            AFTER,
            key("like", Id, "another system, whose keys it inherits unless it sets them itself"),
            key("name", Words, "its name for players; defaults to the words of the id"),
            key("abbr", Words, "the letters in its box"),
            key("icon", Words, "a file in the templates folder to draw instead of letters"),
            SHAPE,
            key("tags", Names, "names shared by several systems: #tag"),
            key("mounts", Names, "the mounts it is allowed in, by id or #tag; defaults to any"),
            key("abstract", Yes, "only a base for others to be like; cannot be fitted"),
            key("parameters", Each("parameter"), "what a fit of it sets in addition to mount and count"),
            RULE,
        ],
    },
    Word {
        name: "relation",
        about: "what ships of a fleet can do with each other",
        keys: &[
            must("id", Name, "its name; in formulas, how many it has"),
            AFTER,
            LABEL,
            key(
                "kind",
                Choice(&["carry", "group"]),
                "carry: one ship carries others, each with a card that shows the carrier's number; group: ships sail together; defaults to carry",
            ),
            key("from", Condition, "which ships can: the one that carries, or each one in the group"),
            key("to", Condition, "for carry: what can be carried"),
            key("limit", Number, "how many at most; for group, computed for its first ship"),
            key("least", Number, "for group: how many at least, computed for its first ship"),
            key("alike", Formulas, "for group: what must be equal for all its ships, by name"),
            RULE,
        ],
    },
    Word {
        name: "value",
        about: "a number, flag, text or list computed from the design",
        keys: &[
            must("id", Name, "its name in formulas; the one named points is the cost"),
            AFTER,
            LABEL,
            must("formula", Anything, "how it is computed"),
            key("headline", Yes, "shown large, and in lists of designs"),
            key("limit", Number, "the budget it must stay within"),
            key(
                "spare_of",
                Names,
                "the value or field, or several, spent in steps to raise this one: the excess is shown as wasted, with the next step",
            ),
            key(
                "room_for",
                Names,
                "the value or field, or several, that this one is paid for in steps: how much more of it is free is shown",
            ),
            key("unit", Words, "the unit it is counted in"),
            RULE,
        ],
    },
    Word {
        name: "cost",
        about: "lines of the cost; together they add up to the value points",
        keys: &[
            key("id", Id, "a name that layers can change it by"),
            AFTER,
            FOR_EACH,
            WHEN,
            must("label", Said, "the text of the line; text with {{ formula }}"),
            key("count", Number, "how many; defaults to the fit's count, else to 1"),
            must("each", Number, "points each"),
            RULE,
        ],
    },
    Word {
        name: "track",
        about: "rows of boxes that are ticked off in play",
        keys: &[
            must("id", Id, "its name in templates"),
            AFTER,
            FOR_EACH,
            WHEN,
            HEADING,
            key("rows", Numbers, "the number of boxes in each row; or use `boxes`"),
            key("boxes", Number, "the number of boxes; or use `rows`"),
            key(
                "lines",
                Numbers,
                "the lengths of the lines that each of its rows is split into, the last one repeated for the rest: the same on every paper; defaults to what fits",
            ),
            key("row_label", Formulas, "named labels at the end of each row; they can read row and rows"),
            key("cell", Formulas, "named contents of each box; they can read box, boxes and row"),
            key("badge", Said, "a small sign next to it; text with {{ formula }}"),
            key("marks", List("mark"), "signs in or after single boxes"),
            KIND,
            SHAPE,
            key("face", Words, "a small template that draws each box; not used where names are next to the boxes"),
            key("required", Yes, "some panel of the sheet must show it"),
            RULE,
        ],
    },
    Word {
        name: "table",
        about: "a table for the sheet, and for lookups in formulas with row() and step()",
        keys: &[
            must("id", Id, "its name in templates and formulas"),
            AFTER,
            HEADING,
            key("note", Said, "a small note on it; text with {{ formula }}"),
            key("columns", ListOrIds("table column"), "its columns, each an id or a table"),
            key("key", Names, "the columns that row() searches"),
            key("rows", Rows, "its rows, with a cell for each column"),
            key("hide", Names, "columns that formulas read and sheets do not show"),
            key("concerns", Condition, "which rows a ship shows; reads the row's columns as it.COLUMN"),
            FOR_EACH,
            key("grid", One("grid"), "cells computed from two numbers, instead of rows"),
            WHEN,
            RULE,
        ],
    },
    Word {
        name: "check",
        about: "a rule that a design can break",
        keys: &[
            must("code", Id, "the code of its finding, in lower-case letters and hyphens: launcher-without-magazine"),
            AFTER,
            must("severity", Choice(&["error", "warning", "info", "off"]), "how serious it is"),
            FOR_EACH,
            WHEN,
            must("fails_when", Condition, "true if the design breaks the rule"),
            must("message", Said, "what is wrong, with the numbers; text with {{ formula }}"),
            key("help", Said, "how to fix it; text with {{ formula }}"),
            key(
                "at",
                Words,
                "where it points: fit, system or mount with ids or #tags, or `field ID`; if there are several, the one of for_each, else the first",
            ),
            RULE,
            key("reason", Words, "in a layer: why it was changed"),
            key("fix", One("fix"), "how a program can fix it"),
        ],
    },
    Word {
        name: "counter",
        about: "chits that the ship puts on the table",
        keys: &[
            must("id", Id, "its name in templates"),
            AFTER,
            FOR_EACH,
            WHEN,
            HEADING,
            key("count", Number, "how many; or use `groups`"),
            key(
                "groups",
                List("group"),
                "kinds of it, each with its count and words that the face reads as group.WORD",
            ),
            key("data", Formulas, "what else its face can read"),
            key("first", Whole, "the number of the first one; not numbered by default"),
            key("series", Words, "the series they are numbered in: fleet for one series through all ships"),
            key("ticked", Yes, "each has a box on the sheet, ticked when it is used up; fleets can record it as used"),
            key("size_mm", Size, "side in mm, or [width, height]; defaults to 20"),
            key("size_tenths", Size, "the same in tenths of a millimetre"),
            key("face", Words, "the template of its front"),
            key("back", Words, "the template of its back"),
            key("stands_for", Choice(&["ship"]), "ship: it is the ship's token on the table"),
        ],
    },
    Word {
        name: "sheet",
        about: "a page to print",
        keys: &[
            must("id", Id, "its name"),
            AFTER,
            LABEL,
            must(
                "kind",
                Choice(&["design", "reference", "continuation", "roster", "summary", "log"]),
                "design: a ship's own sheet; reference: the game's tables for all; continuation: what did not fit; of a fleet: its roster, its summary for the opponent, its order log",
            ),
            must("template", Words, "its SVG file in the templates folder"),
            key("when", Condition, "which designs it is for"),
        ],
    },
];

/// The header, and the tables within things.
pub static INNER: &[Word] = &[
    Word {
        name: "ruleset",
        about: "what the ruleset is, and its credits",
        keys: &[
            must("id", Id, "the name of its file without .toml; the name of its folders of designs and templates"),
            must("title", Words, "the name of the game for players"),
            must("version", Words, "the author's version number"),
            must("schema", Whole, "the format of this file: 1"),
            key("about", Words, "one line for lists of games: what a design is"),
            key("credit", Words, "who made the rules; printed on every sheet"),
            key("source", Words, "where the rules were published"),
            key("terms", Words, "the terms of use"),
            key("extends", Names, "the ruleset that this layer extends, or several from left to right"),
            key("extends_version", Names, "the version of it, or of each, that this layer was written for"),
            key(
                "kind",
                Choice(&["house", "supplement"]),
                "for a layer: house rules, marked on sheets with a star, or a supplement published by the game's author; defaults to house",
            ),
            key(
                "own_systems",
                ChoiceOrOne(OWN_LIKE, "own_systems"),
                "what a design's own systems can be like: none of the ruleset's systems, the abstract ones, any; a layer replaces the value of the ruleset it extends; defaults to any",
            ),
        ],
    },
    Word {
        name: "own_systems",
        about: "limits for a design's own systems; designs that have some are marked, unless they only fill in abstract systems and this is no house rule",
        keys: &[
            key("like", Choice(OWN_LIKE), "none, abstract or any; defaults to any"),
            key("min", Amounts, "the lowest values allowed, by attribute: { mass = 1, points = 1 }"),
            key("max", Amounts, "the highest values allowed"),
            key("house", Words, "marks them as the players' own rule: why"),
            key("assumed", Words, "marks them as an assumption where the source is silent: why"),
        ],
    },
    Word {
        name: "attribute",
        about: "a number, flag, text or list that every system has: it.NAME, total('NAME')",
        keys: &[
            key(
                "type",
                Choice(&["integer", "text", "flag", "list"]),
                "the type of its value; defaults to that of the default",
            ),
            key("default", Plain, "the value if a system does not set it"),
            key("options", Names, "for text: the allowed words"),
            LABEL,
            key("unit", Words, "the unit it is counted in"),
        ],
    },
    Word {
        name: "option",
        about: "an option to choose; its other keys are data, read as choice.FIELD.KEY",
        keys: &[LABEL],
    },
    Word {
        name: "field column",
        about: "a column of the field's rows",
        keys: &[
            must("id", Name, "read as it.NAME"),
            must("kind", Choice(&["integer", "flag", "text", "mount", "system", "choice"]), "the type of its value"),
            LABEL,
            MIN,
            MAX,
            key("options", Names, "for choice: the allowed words"),
            key("default", Plain, "the value if a row does not set it"),
        ],
    },
    Word {
        name: "parameter",
        about: "a value that each fit of the system sets",
        keys: &[
            key(
                "kind",
                Choice(&["integer", "flag", "text", "choice", "numbers"]),
                "the type of its value, `numbers` for a list of them; defaults to that of the default",
            ),
            key("per", Choice(&["each", "fit"]), "for each of the fit's count, or for the whole fit"),
            key("load", Yes, "what it is loaded with: a fleet can change it for a single ship"),
            key("options", Names, "for choice: the allowed words"),
            key("default", Plain, "the value if a fit does not set it"),
            LABEL,
            MIN,
            MAX,
        ],
    },
    Word {
        name: "table column",
        about: "a column of the table",
        keys: &[
            must("id", Name, "its name in formulas"),
            LABEL,
            key("hide", Yes, "read by formulas, not shown on sheets"),
            key("boxes", Yes, "show its numbers as boxes to tick"),
            KIND,
            key("signed", Yes, "show its numbers with their sign: +4"),
            key("spread", Yes, "spread its lists over as many columns as the longest has entries"),
            key("cell", Anything, "how it is computed, in a table with for_each"),
        ],
    },
    Word {
        name: "grid",
        about: "cells computed from two numbers",
        keys: &[
            must("across", Numbers, "the numbers across"),
            must("down", Numbers, "the numbers down"),
            must("cell", Anything, "the cell; can read across and down"),
            key("across_label", Anything, "the heading of a column; can read across"),
            key("down_label", Anything, "the heading of a row; can read down"),
        ],
    },
    Word {
        name: "mark",
        about: "a sign in or after a box of the track",
        keys: &[
            must("at", Number, "the box, from 1; 0 or less for none"),
            key("icon", Words, "dot, bar-after, or a file in the templates folder"),
            key("label", Said, "what it means; text with {{ formula }}"),
        ],
    },
    Word {
        name: "group",
        about: "a kind of the counter; its other keys are words, read as group.WORD: each is a formula, so put text in single quotes inside the double quotes",
        keys: &[must("count", Number, "how many")],
    },
    Word {
        name: "fix",
        about: "how a program can fix the design",
        keys: &[
            key(
                "system",
                Id,
                "the system whose fit is changed or added: the check's own fit, else the first one; defaults to what for_each of the check gives",
            ),
            key(
                "mount",
                Names,
                "the mounts where a fit of the system is changed or added, one in each; without a system, where the check's own fit moves to",
            ),
            key("count", Number, "the fit's new count; 0 removes it"),
            key(
                "set",
                Formulas,
                "parameters of the fit, columns of the row or fields, and their new values; values that are not allowed are not offered",
            ),
        ],
    },
    Word {
        name: "reason",
        about: "why a number is what it is",
        keys: &[must("why", Words, "in a few words"), key("when", Condition, "only for designs where this is true")],
    },
];

/// A word of the language by its name.
pub fn word(name: &str) -> Option<&'static Word> {
    WORDS.iter().chain(INNER).find(|word| word.name == name)
}

#[cfg(test)]
mod tests;
