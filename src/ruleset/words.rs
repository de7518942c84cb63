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
const AFTER: Key = key("after", Id, "in a layer: the id of the thing it stands after in lists");
const LABEL: Key = key("label", Words, "what a player calls it; the words of the id if not said");
const HEADING: Key = key("label", Said, "its heading; text with {{ formula }}; the words of the id if not said");
const RULE: Key = key("rule", Words, "the rule of the game it comes from, in a few words");
const WHEN: Key = key("when", Condition, "tested first: it is there only if this holds");
const FOR_EACH: Key = key(
    "for_each",
    Words,
    "one for each of these: fit, system or mount, alone or with ids or #tags after it; or a rows field; or a table. The formulas then say `it`",
);
const MIN: Key = key("min", Whole, "the least it may be");
const MAX: Key = key("max", Whole, "the most it may be");
const KIND: Key = key(
    "kind",
    Choice(&["damage", "state", "ammo", "each-turn", "countdown"]),
    "what its boxes are for: damage is hit and repaired; state is one of several, such as the speed; ammo is used up; each-turn is cleared when a turn ends; countdown is turns left. Fleets keep damage and ammo; damage if not said",
);
const SHAPE: Key = key(
    "shape",
    Choice(&["square", "circle", "shield", "plain", "round"]),
    "how its boxes are drawn; of a track of kind state round, else square if not said",
);

/// Every word that stands at the top of a ruleset as `[[word]]`, in the order in which a ruleset usually has them.
pub static WORDS: &[Word] = &[
    Word {
        name: "setting",
        about: "a constant that a player or a layer may change: --set NAME=VALUE",
        keys: &[
            must("id", Name, "what formulas call it"),
            AFTER,
            LABEL,
            key("options", Each("option"), "what may be chosen; without options it is a whole number"),
            key("default", Default, "an option's id, or the number"),
            MIN,
            MAX,
        ],
    },
    Word {
        name: "field",
        about: "what a design states under [fields]",
        keys: &[
            must("id", Name, "what designs and formulas call it"),
            AFTER,
            LABEL,
            must("kind", Choice(&["choice", "integer", "flag", "text", "rows"]), "what it holds"),
            key("help", Words, "a hint for the player"),
            key(
                "options",
                Each("option"),
                "of a choice: what may be chosen; further keys read as choice.FIELD.KEY in formulas",
            ),
            key("default", Default, "what it is when a design does not say; without it a design must say"),
            MIN,
            MAX,
            key("columns", List("field column"), "of rows: what each row states"),
            key("shown_when", Condition, "whether it applies to a design"),
        ],
    },
    Word {
        name: "mount",
        about: "a place that systems stand in",
        keys: &[
            must("id", Id, "what designs call it"),
            AFTER,
            LABEL,
            key("tags", Names, "words by which several mounts are named at once: #tag"),
            key("mirror", Id, "its counterpart; said on one of the two"),
            key(
                "plan",
                Place,
                "where it stands on the ship seen from above, bow up: [across, down], each -9 to 9; across 0 is the centre line, negative is to port; less down is further forward",
            ),
            key("shown_when", Condition, "whether a design has it"),
        ],
    },
    Word {
        name: "system",
        about: "something that can be fitted; the words of [attributes] are keys of it too",
        keys: &[
            must("id", Id, "what designs call it"),
            AFTER,
            key("like", Id, "another system, whose keys it has where it does not say otherwise"),
            key("name", Words, "what a player calls it; the words of the id if not said"),
            key("abbr", Words, "the letters in its box"),
            key("icon", Words, "a file of the templates folder to draw instead of letters"),
            SHAPE,
            key("tags", Names, "words by which several systems are named at once: #tag"),
            key("mounts", Names, "the mounts it may stand in, by id or #tag; any if not said"),
            key("abstract", Yes, "only a kind for others to be like; cannot be fitted"),
            key("parameters", Each("parameter"), "what a fit of it states beside mount and count"),
            RULE,
        ],
    },
    Word {
        name: "relation",
        about: "what ships of a fleet may do with each other",
        keys: &[
            must("id", Name, "formulas read under it how many it has"),
            AFTER,
            LABEL,
            key(
                "kind",
                Choice(&["carry", "group"]),
                "carry: one ship has others with her, each with a card that bears her number; group: ships sail together; carry if not said",
            ),
            key("from", Condition, "who may: the ship that carries, or each that sails in the group"),
            key("to", Condition, "of what carries: what may be carried"),
            key("limit", Number, "how many at most; of a group its first ship is asked"),
            key("least", Number, "of a group: how many at least; its first ship is asked"),
            key("alike", Formulas, "of a group: what all its ships have alike, by name"),
            RULE,
        ],
    },
    Word {
        name: "value",
        about: "a number, flag, text or list computed from the design",
        keys: &[
            must("id", Name, "what formulas call it; the one called points is the cost"),
            AFTER,
            LABEL,
            must("formula", Anything, "how it is computed"),
            key("headline", Yes, "shown large, and in lists of designs"),
            key("limit", Number, "the budget it must stay within"),
            key(
                "spare_of",
                Names,
                "the value or field that is spent in steps to raise this one, or several: what is over is shown as wasted, with the next step",
            ),
            key(
                "room_for",
                Names,
                "the value or field that this one is paid for in steps, or several: how much more of it comes free is shown",
            ),
            key("unit", Words, "what it is counted in"),
            RULE,
        ],
    },
    Word {
        name: "cost",
        about: "lines of the cost; together they add up to the value points",
        keys: &[
            key("id", Id, "a name by which a layer can change it"),
            AFTER,
            FOR_EACH,
            WHEN,
            must("label", Said, "what the line says; text with {{ formula }}"),
            key("count", Number, "how many; a fit's count if not said, else 1"),
            must("each", Number, "points each"),
            RULE,
        ],
    },
    Word {
        name: "track",
        about: "rows of boxes that are ticked off in play",
        keys: &[
            must("id", Id, "what templates call it"),
            AFTER,
            FOR_EACH,
            WHEN,
            HEADING,
            key("rows", Numbers, "the boxes of each row; or say `boxes`"),
            key("boxes", Number, "how many boxes; or say `rows`"),
            key(
                "lines",
                Numbers,
                "lengths of the lines each of its rows is set in, the last again for what is left: the same on every paper; as there is room if not said",
            ),
            key("row_label", Formulas, "named labels at the end of each row; they read row and rows"),
            key("cell", Formulas, "what stands in each box, by name; they read box, boxes and row"),
            key("badge", Said, "a small sign beside it; text with {{ formula }}"),
            key("marks", List("mark"), "signs in or after single boxes"),
            KIND,
            SHAPE,
            key("face", Words, "a small template that draws each box; not where names stand beside the boxes"),
            key("required", Yes, "some panel of the sheet must show it"),
            RULE,
        ],
    },
    Word {
        name: "table",
        about: "a table for the sheet, and for formulas to look into with row() and step()",
        keys: &[
            must("id", Id, "what templates and formulas call it"),
            AFTER,
            HEADING,
            key("note", Said, "a small note on it; text with {{ formula }}"),
            key("columns", ListOrIds("table column"), "its columns, each an id or a table"),
            key("key", Names, "the columns that row() looks in"),
            key("rows", Rows, "its rows written out, a cell for each column"),
            key("hide", Names, "columns that formulas read and players need not see"),
            key("concerns", Condition, "which rows a ship shows; it reads the row's columns as it.COLUMN"),
            FOR_EACH,
            key("grid", One("grid"), "cells by two numbers, instead of rows"),
            WHEN,
            RULE,
        ],
    },
    Word {
        name: "check",
        about: "a rule that a design may break",
        keys: &[
            must("code", Id, "names the fault, in small letters and hyphens: launcher-without-magazine"),
            AFTER,
            must("severity", Choice(&["error", "warning", "info", "off"]), "how much it matters"),
            FOR_EACH,
            WHEN,
            must("fails_when", Condition, "the condition of the fault"),
            must("message", Said, "what is wrong, with the numbers; text with {{ formula }}"),
            key("help", Said, "what to do about it; text with {{ formula }}"),
            key(
                "at",
                Words,
                "where it points: fit, system or mount with ids or #tags, or `field ID`; of several, at the one of for_each, else at the first",
            ),
            RULE,
            key("reason", Words, "in a layer: why it was changed"),
            key("fix", One("fix"), "how a program may mend it"),
        ],
    },
    Word {
        name: "counter",
        about: "chits that the ship puts on the table",
        keys: &[
            must("id", Id, "what templates call it"),
            AFTER,
            FOR_EACH,
            WHEN,
            HEADING,
            key("count", Number, "how many; or say `groups`"),
            key(
                "groups",
                List("group"),
                "sorts of it, each with its count and words that the face reads as group.WORD",
            ),
            key("data", Formulas, "what its face may read besides"),
            key("first", Whole, "the number of the first one; without it they are not numbered"),
            key("series", Words, "the series they are numbered in: fleet for one through all ships"),
            key("ticked", Yes, "each has a box on the sheet, ticked when it is used up; a fleet may state it used"),
            key("size_mm", Size, "side in mm, or [width, height]; 20 if not said"),
            key("size_tenths", Size, "the same in tenths of a millimetre"),
            key("face", Words, "the template of its front"),
            key("back", Words, "the template of its back"),
            key("stands_for", Choice(&["ship"]), "ship: it is the ship itself on the table, its token"),
        ],
    },
    Word {
        name: "sheet",
        about: "a page that is printed",
        keys: &[
            must("id", Id, "what it is called"),
            AFTER,
            LABEL,
            must(
                "kind",
                Choice(&["design", "reference", "continuation", "roster", "summary", "log"]),
                "a ship's own sheet, the game's tables for all, what takes what did not fit; a fleet's roster, its summary for the opponent, its order log",
            ),
            must("template", Words, "its SVG file in the templates folder"),
            key("when", Condition, "for which designs"),
        ],
    },
];

/// The header, and the tables within things.
pub static INNER: &[Word] = &[
    Word {
        name: "ruleset",
        about: "what the ruleset is and whom it is owed to",
        keys: &[
            must("id", Id, "the name of its file without .toml; the name of its folders of designs and templates"),
            must("title", Words, "what a player calls the game"),
            must("version", Words, "as its author numbers it"),
            must("schema", Whole, "the format of this file: 1"),
            key("about", Words, "one line for lists of games: what a design is"),
            key("credit", Words, "whom the rules are owed to; printed on every sheet"),
            key("source", Words, "where the rules were published"),
            key("terms", Words, "under which terms"),
            key("extends", Names, "the ruleset, or rulesets from left to right, that this one is laid over"),
            key("extends_version", Names, "the version of it, or of each, that this one was written for"),
            key(
                "kind",
                Choice(&["house", "supplement"]),
                "of a layer: house rules, marked on sheets by a star, or a supplement that the game's author published; house if not said",
            ),
            key(
                "own_systems",
                ChoiceOrOne(OWN_LIKE, "own_systems"),
                "what the systems that a design defines itself may be like: none of the ruleset's, the abstract ones, any; a layer's word replaces that of the ruleset below; any if nobody says it",
            ),
        ],
    },
    Word {
        name: "own_systems",
        about: "what the systems that a design defines itself may be; designs that have some are marked, unless they only fill in abstract kinds and it is no house rule",
        keys: &[
            key("like", Choice(OWN_LIKE), "none, abstract or any; any if not said"),
            key("min", Amounts, "the least that each may answer, by attribute: { mass = 1, points = 1 }"),
            key("max", Amounts, "the most"),
            key("house", Words, "that they are the players' own rule, and why"),
            key("assumed", Words, "that the source is silent, and why it was decided so"),
        ],
    },
    Word {
        name: "attribute",
        about: "a number, flag, text or list that every system answers: it.NAME, total('NAME')",
        keys: &[
            key("type", Choice(&["integer", "text", "flag", "list"]), "what it is; that of the default if not said"),
            key("default", Plain, "what a system answers that does not say"),
            key("options", Names, "of a text: the words it may be"),
            LABEL,
            key("unit", Words, "what it is counted in"),
        ],
    },
    Word {
        name: "option",
        about: "something to choose; further keys are its data, read as choice.FIELD.KEY",
        keys: &[LABEL],
    },
    Word {
        name: "field column",
        about: "what each row of the field states",
        keys: &[
            must("id", Name, "read as it.NAME"),
            must("kind", Choice(&["integer", "flag", "text", "mount", "system", "choice"]), "what it holds"),
            LABEL,
            MIN,
            MAX,
            key("options", Names, "of a choice: the words it may be"),
            key("default", Plain, "what it is when a row does not say"),
        ],
    },
    Word {
        name: "parameter",
        about: "what a fit states of it",
        keys: &[
            key(
                "kind",
                Choice(&["integer", "flag", "text", "choice", "numbers"]),
                "what it holds, `numbers` a list of them; that of the default if not said",
            ),
            key("per", Choice(&["each", "fit"]), "of each of the fit's count, or of the whole fit"),
            key("load", Yes, "what it is loaded with: a fleet may state another for a single ship"),
            key("options", Names, "of a choice: the words it may be"),
            key("default", Plain, "what it is when a fit does not say"),
            LABEL,
            MIN,
            MAX,
        ],
    },
    Word {
        name: "table column",
        about: "a column of the table",
        keys: &[
            must("id", Name, "what formulas call it"),
            LABEL,
            key("hide", Yes, "formulas read it, players do not see it"),
            key("boxes", Yes, "its numbers are boxes to tick"),
            KIND,
            key("signed", Yes, "its numbers show their sign: +4"),
            key("spread", Yes, "its lists are spread over as many columns as the longest has entries"),
            key("cell", Anything, "how it is computed, in a table with for_each"),
        ],
    },
    Word {
        name: "grid",
        about: "cells by two numbers",
        keys: &[
            must("across", Numbers, "the numbers across"),
            must("down", Numbers, "the numbers down"),
            must("cell", Anything, "the cell; it reads across and down"),
            key("across_label", Anything, "the heading of a column; it reads across"),
            key("down_label", Anything, "the heading of a row; it reads down"),
        ],
    },
    Word {
        name: "mark",
        about: "a sign in or after a box of the track",
        keys: &[
            must("at", Number, "the box, from 1; 0 or less for none"),
            key("icon", Words, "dot, bar-after, or a file of the templates folder"),
            key("label", Said, "what it means; text with {{ formula }}"),
        ],
    },
    Word {
        name: "group",
        about: "a sort of the counter; further keys are its words, read as group.WORD: each a formula, so a text in it has single quotes within the others",
        keys: &[must("count", Number, "how many")],
    },
    Word {
        name: "fix",
        about: "how a program may mend the fault",
        keys: &[
            key(
                "system",
                Id,
                "the system whose fit is changed, or added: the check's own fit, else the first one; not said: what the check is for each of",
            ),
            key(
                "mount",
                Names,
                "the mounts where a fit of the system is changed or added, one in each; without a system where the check's own fit moves",
            ),
            key("count", Number, "the fit's new count; 0 takes it out"),
            key(
                "set",
                Formulas,
                "parameters of the fit, columns of the row or fields, and what they become; what they may not be is not offered",
            ),
        ],
    },
    Word {
        name: "reason",
        about: "why a number is what it is",
        keys: &[must("why", Words, "in a few words"), key("when", Condition, "only for designs for which this holds")],
    },
];

/// A word of the language by its name.
pub fn word(name: &str) -> Option<&'static Word> {
    WORDS.iter().chain(INNER).find(|word| word.name == name)
}

#[cfg(test)]
mod tests;
