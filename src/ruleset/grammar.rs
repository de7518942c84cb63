//! The sections and keys of the ruleset language in one table: the schema for text editors is made from it, and a test
//! compares it with the keys that the compiler reads. Data only.

/// A section `[[name]]`, or a table within a declaration.
#[derive(Debug)]
pub struct SectionSpec {
    /// `system`, or `parameter` for an inner table.
    pub name: &'static str,
    /// One sentence.
    pub about: &'static str,
    pub keys: &'static [KeySpec],
}

#[derive(Debug)]
pub struct KeySpec {
    pub name: &'static str,
    pub holds: KeyType,
    /// Whether a missing key is an error.
    pub required: bool,
    pub about: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyType {
    /// Small letters, digits and `_`, for use in formulas.
    Name,
    /// Small letters, digits, `-` and `_`.
    Id,
    Text,
    /// Text with `{{ formula }}`.
    Template,
    Integer,
    Bool,
    StringOrList,
    /// One of these texts.
    Choice(&'static [&'static str]),
    /// A whole number, or a formula for one.
    Number,
    /// A boolean, or a formula for one.
    Condition,
    /// A list of whole numbers, or a formula for one.
    IntegerList,
    /// A literal or a formula.
    Anything,
    /// A number, boolean, text or list.
    Literal,
    /// The default of a field or setting: a number, boolean, text or empty list.
    Default,
    /// Names with formulas.
    FormulaTable,
    /// A list of tables with the keys of this section.
    Tables(&'static str),
    /// A list of tables of this section, or of ids only.
    TablesOrIds(&'static str),
    /// Tables of this section by id.
    TablesById(&'static str),
    /// One table of this section.
    TableOf(&'static str),
    /// A list of rows, each a list of cells.
    Rows,
    /// One size, or width and height; numbers or formulas.
    Size,
    /// Two whole numbers: across and down.
    Position,
    /// One of these texts, or a table of this section.
    ChoiceOrTable(&'static [&'static str], &'static str),
    /// Names with whole numbers.
    IntegersByName,
}

use KeyType::{
    Anything, Bool, Choice, ChoiceOrTable, Condition, Default, FormulaTable, Id, Integer, IntegerList, IntegersByName,
    Literal, Name, Number, Position, Rows, Size, StringOrList, TableOf, Tables, TablesById, TablesOrIds, Template,
    Text,
};

const fn optional(name: &'static str, holds: KeyType, about: &'static str) -> KeySpec {
    KeySpec { name, holds, required: false, about }
}

const fn required(name: &'static str, holds: KeyType, about: &'static str) -> KeySpec {
    KeySpec { name, holds, required: true, about }
}

const CUSTOM_BASES: &[&str] = &["none", "abstract", "any"];
const AFTER: KeySpec = optional("after", Id, "in a layer: the id that it follows in lists");
const LABEL: KeySpec = optional("label", Text, "its name for players; defaults to the words of the id");
const HEADING: KeySpec =
    optional("label", Template, "its heading; text with {{ formula }}; defaults to the words of the id");
const RULE: KeySpec = optional("rule", Text, "the game rule it comes from, in a few words");
const WHEN: KeySpec = optional("when", Condition, "checked first; skipped if this is false");
const FOR_EACH: KeySpec = optional(
    "for_each",
    Text,
    "repeats it for each fit, system or mount, alone or followed by ids or #tags; or for each row of a rows field or table. Formulas then read `it`",
);
const MIN: KeySpec = optional("min", Integer, "the lowest value allowed");
const MAX: KeySpec = optional("max", Integer, "the highest value allowed");
const KIND: KeySpec = optional(
    "kind",
    Choice(&["damage", "state", "ammo", "each-turn", "countdown"]),
    "what its boxes are for: damage is hit and repaired; state is one of several, such as the speed; ammo is used up; each-turn is cleared when a turn ends; countdown counts the turns left. Fleets keep damage and ammo; defaults to damage",
);
const SHAPE: KeySpec = optional(
    "shape",
    Choice(&["square", "circle", "shield", "plain", "round"]),
    "how its boxes are drawn; defaults to round for a track of kind state, else to square",
);

/// The top-level sections, in the order in which a ruleset usually has them.
pub static WORDS: &[SectionSpec] = &[
    SectionSpec {
        name: "setting",
        about: "a constant that a player or a layer can change: --set NAME=VALUE",
        keys: &[
            required("id", Name, "its name in formulas"),
            AFTER,
            LABEL,
            optional(
                "options",
                TablesById("option"),
                "the options to choose from; without options it is a whole number",
            ),
            optional("default", Default, "the id of an option, or the number"),
            MIN,
            MAX,
        ],
    },
    SectionSpec {
        name: "field",
        about: "a value that a design sets under [fields]",
        keys: &[
            required("id", Name, "its name in designs and formulas"),
            AFTER,
            LABEL,
            required("kind", Choice(&["choice", "integer", "flag", "text", "rows"]), "the type of its value"),
            optional("help", Text, "a hint for the player"),
            optional(
                "options",
                TablesById("option"),
                "for choice: the options to choose from; formulas read their other keys as choice.FIELD.KEY",
            ),
            optional(
                "default",
                Default,
                "the value if a design does not set it; without a default, designs must set it",
            ),
            MIN,
            MAX,
            optional("columns", Tables("field column"), "for rows: the columns of each row"),
            optional("shown_when", Condition, "whether it applies to a design"),
        ],
    },
    SectionSpec {
        name: "mount",
        about: "a place for systems",
        keys: &[
            required("id", Id, "its name in designs"),
            AFTER,
            LABEL,
            optional("tags", StringOrList, "names shared by several mounts: #tag"),
            optional("mirror", Id, "its counterpart; set on one of the two"),
            optional(
                "plan",
                Position,
                "its position on the ship seen from above, bow up: [across, down], each -9 to 9; across 0 is the centre line, negative is to port; smaller down is further forward",
            ),
            optional("shown_when", Condition, "whether a design has it"),
        ],
    },
    SectionSpec {
        name: "system",
        about: "something that can be fitted; the names in [attributes] are keys of it too",
        keys: &[
            required("id", Id, "its name in designs"),
            AFTER,
            optional("like", Id, "another system, whose keys it inherits unless it sets them itself"),
            optional("name", Text, "its name for players; defaults to the words of the id"),
            optional("abbr", Text, "the letters in its box"),
            optional("icon", Text, "a file in the templates folder to draw instead of letters"),
            SHAPE,
            optional("tags", StringOrList, "names shared by several systems: #tag"),
            optional("mounts", StringOrList, "the mounts it is allowed in, by id or #tag; defaults to any"),
            optional("abstract", Bool, "only a base for others to be like; cannot be fitted"),
            optional("parameters", TablesById("parameter"), "what a fit of it sets in addition to mount and count"),
            RULE,
        ],
    },
    SectionSpec {
        name: "relation",
        about: "what ships of a fleet can do with each other",
        keys: &[
            required("id", Name, "its name; in formulas, how many it has"),
            AFTER,
            LABEL,
            optional(
                "kind",
                Choice(&["carry", "group"]),
                "carry: one ship carries others, each with a card that shows the carrier's number; group: ships sail together; defaults to carry",
            ),
            optional("from", Condition, "which ships can: the one that carries, or each one in the group"),
            optional("to", Condition, "for carry: what can be carried"),
            optional("limit", Number, "how many at most; for group, computed for its first ship"),
            optional("least", Number, "for group: how many at least, computed for its first ship"),
            optional("alike", FormulaTable, "for group: what must be equal for all its ships, by name"),
            RULE,
        ],
    },
    SectionSpec {
        name: "value",
        about: "a number, flag, text or list computed from the design",
        keys: &[
            required("id", Name, "its name in formulas; the one named points is the cost"),
            AFTER,
            LABEL,
            required("formula", Anything, "how it is computed"),
            optional("headline", Bool, "shown large, and in lists of designs"),
            optional("limit", Number, "the budget it must stay within"),
            optional(
                "spare_of",
                StringOrList,
                "the value or field, or several, spent in steps to raise this one: the excess is shown as wasted, with the next step",
            ),
            optional(
                "room_for",
                StringOrList,
                "the value or field, or several, that this one is paid for in steps: how much more of it is free is shown",
            ),
            optional("unit", Text, "the unit it is counted in"),
            RULE,
        ],
    },
    SectionSpec {
        name: "cost",
        about: "lines of the cost; together they add up to the value points",
        keys: &[
            optional("id", Id, "a name that layers can change it by"),
            AFTER,
            FOR_EACH,
            WHEN,
            required("label", Template, "the text of the line; text with {{ formula }}"),
            optional("count", Number, "how many; defaults to the fit's count, else to 1"),
            required("each", Number, "points each"),
            RULE,
        ],
    },
    SectionSpec {
        name: "track",
        about: "rows of boxes that are ticked off in play",
        keys: &[
            required("id", Id, "its name in templates"),
            AFTER,
            FOR_EACH,
            WHEN,
            HEADING,
            optional("rows", IntegerList, "the number of boxes in each row; or use `boxes`"),
            optional("boxes", Number, "the number of boxes; or use `rows`"),
            optional(
                "lines",
                IntegerList,
                "the lengths of the lines that each of its rows is split into, the last one repeated for the rest: the same on every paper; defaults to what fits",
            ),
            optional("row_label", FormulaTable, "named labels at the end of each row; they can read row and rows"),
            optional("cell", FormulaTable, "named contents of each box; they can read box, boxes and row"),
            optional("badge", Template, "a small sign next to it; text with {{ formula }}"),
            optional("marks", Tables("mark"), "signs in or after single boxes"),
            KIND,
            SHAPE,
            optional("face", Text, "a small template that draws each box; not used where names are next to the boxes"),
            optional("required", Bool, "some panel of the sheet must show it"),
            RULE,
        ],
    },
    SectionSpec {
        name: "table",
        about: "a table for the sheet, and for lookups in formulas with row() and step()",
        keys: &[
            required("id", Id, "its name in templates and formulas"),
            AFTER,
            HEADING,
            optional("note", Template, "a small note on it; text with {{ formula }}"),
            optional("columns", TablesOrIds("table column"), "its columns, each an id or a table"),
            optional("key", StringOrList, "the columns that row() searches"),
            optional("rows", Rows, "its rows, with a cell for each column"),
            optional("hide", StringOrList, "columns that formulas read and sheets do not show"),
            optional("concerns", Condition, "which rows a ship shows; reads the row's columns as it.COLUMN"),
            FOR_EACH,
            optional("grid", TableOf("grid"), "cells computed from two numbers, instead of rows"),
            WHEN,
            RULE,
        ],
    },
    SectionSpec {
        name: "check",
        about: "a rule that a design can break",
        keys: &[
            required(
                "code",
                Id,
                "the code of its finding, in lower-case letters and hyphens: launcher-without-magazine",
            ),
            AFTER,
            required("severity", Choice(&["error", "warning", "info", "off"]), "how serious it is"),
            FOR_EACH,
            WHEN,
            required("fails_when", Condition, "true if the design breaks the rule"),
            required("message", Template, "what is wrong, with the numbers; text with {{ formula }}"),
            optional("help", Template, "how to fix it; text with {{ formula }}"),
            optional(
                "at",
                Text,
                "where it points: fit, system or mount with ids or #tags, or `field ID`; if there are several, the one of for_each, else the first",
            ),
            RULE,
            optional("reason", Text, "in a layer: why it was changed"),
            optional("fix", TableOf("fix"), "how a program can fix it"),
        ],
    },
    SectionSpec {
        name: "counter",
        about: "chits that the ship puts on the table",
        keys: &[
            required("id", Id, "its name in templates"),
            AFTER,
            FOR_EACH,
            WHEN,
            HEADING,
            optional("count", Number, "how many; or use `groups`"),
            optional(
                "groups",
                Tables("group"),
                "kinds of it, each with its count and words that the face reads as group.WORD",
            ),
            optional("data", FormulaTable, "what else its face can read"),
            optional("first", Integer, "the number of the first one; not numbered by default"),
            optional("series", Text, "the series they are numbered in: fleet for one series through all ships"),
            optional(
                "ticked",
                Bool,
                "each has a box on the sheet, ticked when it is used up; fleets can record it as used",
            ),
            optional("size_mm", Size, "side in mm, or [width, height]; defaults to 20"),
            optional("size_tenths", Size, "the same in tenths of a millimetre"),
            optional("face", Text, "the template of its front"),
            optional("back", Text, "the template of its back"),
            optional("stands_for", Choice(&["ship"]), "ship: it is the ship's token on the table"),
        ],
    },
    SectionSpec {
        name: "sheet",
        about: "a page to print",
        keys: &[
            required("id", Id, "its name"),
            AFTER,
            LABEL,
            required(
                "kind",
                Choice(&["design", "reference", "continuation", "roster", "summary", "log"]),
                "design: a ship's own sheet; reference: the game's tables for all; continuation: what did not fit; of a fleet: its roster, its summary for the opponent, its order log",
            ),
            required("template", Text, "its SVG file in the templates folder"),
            optional("when", Condition, "which designs it is for"),
        ],
    },
];

/// The header, and tables within declarations.
pub static INNER: &[SectionSpec] = &[
    SectionSpec {
        name: "ruleset",
        about: "what the ruleset is, and its credits",
        keys: &[
            required("id", Id, "the name of its file without .toml; the name of its folders of designs and templates"),
            required("title", Text, "the name of the game for players"),
            required("version", Text, "the author's version number"),
            required("schema", Integer, "the format of this file: 1"),
            optional("about", Text, "one line for lists of games: what a design is"),
            optional("credit", Text, "who made the rules; printed on every sheet"),
            optional("source", Text, "where the rules were published"),
            optional("terms", Text, "the terms of use"),
            optional(
                "phases",
                Id,
                "the table whose rows are the phases of a turn: a pack's battle page prints its first two columns",
            ),
            optional("extends", StringOrList, "the ruleset that this layer extends, or several from left to right"),
            optional("extends_version", StringOrList, "the version of it, or of each, that this layer was written for"),
            optional(
                "kind",
                Choice(&["house", "supplement"]),
                "for a layer: house rules, marked on sheets with a star, or a supplement published by the game's author; defaults to house",
            ),
            optional(
                "own_systems",
                ChoiceOrTable(CUSTOM_BASES, "own_systems"),
                "what a design's own systems can be like: none of the ruleset's systems, the abstract ones, any; a layer replaces the value of the ruleset it extends; defaults to any",
            ),
        ],
    },
    SectionSpec {
        name: "own_systems",
        about: "limits for a design's own systems; designs that have some are marked, unless they only fill in abstract systems and this is no house rule",
        keys: &[
            optional("like", Choice(CUSTOM_BASES), "none, abstract or any; defaults to any"),
            optional("min", IntegersByName, "the lowest values allowed, by attribute: { mass = 1, points = 1 }"),
            optional("max", IntegersByName, "the highest values allowed"),
            optional("house", Text, "marks them as the players' own rule: why"),
            optional("assumed", Text, "marks them as an assumption where the source is silent: why"),
        ],
    },
    SectionSpec {
        name: "attribute",
        about: "a number, flag, text or list that every system has: it.NAME, total('NAME')",
        keys: &[
            optional(
                "type",
                Choice(&["integer", "text", "flag", "list"]),
                "the type of its value; defaults to that of the default",
            ),
            optional("default", Literal, "the value if a system does not set it"),
            optional("options", StringOrList, "for text: the allowed words"),
            LABEL,
            optional("unit", Text, "the unit it is counted in"),
        ],
    },
    SectionSpec {
        name: "option",
        about: "an option to choose; its other keys are data, read as choice.FIELD.KEY",
        keys: &[LABEL],
    },
    SectionSpec {
        name: "field column",
        about: "a column of the field's rows",
        keys: &[
            required("id", Name, "read as it.NAME"),
            required(
                "kind",
                Choice(&["integer", "flag", "text", "mount", "system", "choice"]),
                "the type of its value",
            ),
            LABEL,
            MIN,
            MAX,
            optional("options", StringOrList, "for choice: the allowed words"),
            optional("default", Literal, "the value if a row does not set it"),
        ],
    },
    SectionSpec {
        name: "parameter",
        about: "a value that each fit of the system sets",
        keys: &[
            optional(
                "kind",
                Choice(&["integer", "flag", "text", "choice", "numbers"]),
                "the type of its value, `numbers` for a list of them; defaults to that of the default",
            ),
            optional("per", Choice(&["each", "fit"]), "for each of the fit's count, or for the whole fit"),
            optional("load", Bool, "what it is loaded with: a fleet can change it for a single ship"),
            optional("options", StringOrList, "for choice: the allowed words"),
            optional("default", Literal, "the value if a fit does not set it"),
            LABEL,
            MIN,
            MAX,
        ],
    },
    SectionSpec {
        name: "table column",
        about: "a column of the table",
        keys: &[
            required("id", Name, "its name in formulas"),
            LABEL,
            optional("hide", Bool, "read by formulas, not shown on sheets"),
            optional("boxes", Bool, "show its numbers as boxes to tick"),
            KIND,
            optional("signed", Bool, "show its numbers with their sign: +4"),
            optional("spread", Bool, "spread its lists over as many columns as the longest has entries"),
            optional("cell", Anything, "how it is computed, in a table with for_each"),
        ],
    },
    SectionSpec {
        name: "grid",
        about: "cells computed from two numbers",
        keys: &[
            required("across", IntegerList, "the numbers across"),
            required("down", IntegerList, "the numbers down"),
            required("cell", Anything, "the cell; can read across and down"),
            optional("across_label", Anything, "the heading of a column; can read across"),
            optional("down_label", Anything, "the heading of a row; can read down"),
        ],
    },
    SectionSpec {
        name: "mark",
        about: "a sign in or after a box of the track",
        keys: &[
            required("at", Number, "the box, from 1; 0 or less for none"),
            optional("icon", Text, "dot, bar-after, or a file in the templates folder"),
            optional("label", Template, "what it means; text with {{ formula }}"),
        ],
    },
    SectionSpec {
        name: "group",
        about: "a kind of the counter; its other keys are words, read as group.WORD: each is a formula, so put text in single quotes inside the double quotes",
        keys: &[required("count", Number, "how many")],
    },
    SectionSpec {
        name: "fix",
        about: "how a program can fix the design",
        keys: &[
            optional(
                "system",
                Id,
                "the system whose fit is changed or added: the check's own fit, else the first one; defaults to what for_each of the check gives",
            ),
            optional(
                "mount",
                StringOrList,
                "the mounts where a fit of the system is changed or added, one in each; without a system, where the check's own fit moves to",
            ),
            optional("count", Number, "the fit's new count; 0 removes it"),
            optional(
                "set",
                FormulaTable,
                "parameters of the fit, columns of the row or fields, and their new values; values that are not allowed are not offered",
            ),
        ],
    },
    SectionSpec {
        name: "reason",
        about: "why a number is what it is",
        keys: &[
            required("why", Text, "in a few words"),
            optional("when", Condition, "only for designs where this is true"),
        ],
    },
];

pub fn section(name: &str) -> Option<&'static SectionSpec> {
    WORDS.iter().chain(INNER).find(|word| word.name == name)
}

#[cfg(test)]
mod tests;
