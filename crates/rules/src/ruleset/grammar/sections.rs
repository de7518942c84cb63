//! The top-level sections of a ruleset, with their keys. Data only.

use super::choices::{
    CHECK_SCOPES, COUNTER_ROLES, FIELD_KINDS, RELATION_KINDS, SEVERITIES, SHEET_KINDS, SITUATION_KINDS, words,
};
use super::spec::KeyType::{
    AnyTable, Anything, Bool, Choice, Condition, Default, FormulaTable, Id, Integer, IntegerList, Name, Number,
    Position, Rows, Size, StringOrList, TableOf, Tables, TablesById, TablesOrIds, Template, Text,
};
use super::spec::{KeySpec, SectionSpec, optional, required};
use crate::ruleset::outputs::{BoxKind, BoxShape};

pub(super) const AFTER: KeySpec = optional("after", Id, "in a layer: the id that it follows in lists").own().wording();
pub(super) const FORMERLY: KeySpec = optional(
    "formerly",
    StringOrList,
    "what it was called in older days, or what it has taken over: layers that say so keep their effect, or a finding says what to write",
)
.own()
.wording();
pub(super) const LABEL: KeySpec =
    optional("label", Text, "its name for players; defaults to the words of the id").wording();
pub(super) const HEADING: KeySpec =
    optional("label", Template, "its heading; text with {{ formula }}; defaults to the words of the id").wording();
pub(super) const RULE: KeySpec = optional("rule", Text, "the game rule it comes from, in a few words").own().wording();
pub(super) const WHEN: KeySpec = optional("when", Condition, "checked first; skipped if this is false");
pub(super) const FOR_EACH: KeySpec = optional(
    "for_each",
    Text,
    "repeats it for each fit, system or mount, alone or followed by ids or #tags; or for each row of a rows field or table. Formulas then read `it`",
);
pub(super) const MIN: KeySpec = optional("min", Integer, "the lowest value allowed");
pub(super) const MAX: KeySpec = optional("max", Integer, "the highest value allowed");
pub(super) const KIND: KeySpec = optional(
    "kind",
    Choice(&words(&BoxKind::ALL)),
    "what its boxes are for: damage is hit and repaired; state is one of several, such as the speed; ammo is used up; each-turn is cleared when a turn ends; countdown counts the turns left. Fleets keep damage and ammo; defaults to damage",
);
pub(super) const SHAPE: KeySpec = optional(
    "shape",
    Choice(&words(&BoxShape::ALL)),
    "how its boxes are drawn; a track's default follows its kind: ruled for state, circle for ammo, rounded for each-turn, arrow for countdown; otherwise square",
);

/// The top-level sections, in the order in which a ruleset usually has them.
pub static SECTIONS: &[SectionSpec] = &[
    SectionSpec::new(
        "setting",
        "a constant that a player or a layer can change",
        &[
            required("id", Name, "its name in formulas").wording(),
            AFTER,
            FORMERLY,
            LABEL,
            optional(
                "options",
                TablesById("option"),
                "the options to choose from; without options it is a whole number",
            ),
            optional("default", Default, "the id of an option, or the number"),
            MIN,
            MAX,
            optional("hide", Bool, "true: not on a fleet's summary, since it changes no rule, such as the size of counters"),
        ],
    ),
    SectionSpec::new(
        "field",
        "a value that a design sets under [fields]",
        &[
            required("id", Name, "its name in designs and formulas").wording(),
            AFTER,
            FORMERLY,
            LABEL,
            required("kind", Choice(&words(&FIELD_KINDS)), "the type of its value"),
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
            optional("faces", Integer, "for rows with columns from and to: the faces of the die that they share out"),
            optional("shown_when", Condition, "whether it applies to a design"),
        ],
    ),
    SectionSpec::new(
        "mount",
        "a place for systems",
        &[
            required("id", Id, "its name in designs").wording(),
            AFTER,
            FORMERLY,
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
    ),
    SectionSpec::open(
        "system",
        "something that can be fitted; the names in [attributes] are keys of it too",
        &[
            required("id", Id, "its name in designs").own().wording(),
            AFTER,
            FORMERLY,
            optional("like", Id, "another system, whose keys it inherits unless it sets them itself, and which it counts as"),
            optional("name", Text, "its name for players; defaults to the words of the id").own().wording(),
            optional("abbr", Text, "the letters in its box").wording(),
            optional("icon", Text, "a file in the templates folder to draw instead of letters").wording(),
            SHAPE,
            optional("tags", StringOrList, "names shared by several systems: #tag"),
            optional("mounts", StringOrList, "the mounts it is allowed in, by id or #tag; defaults to any"),
            optional("abstract", Bool, "only a base for others to be like; cannot be fitted").own(),
            optional("distinct", Bool, "inherits the keys of what it is like, but does not count as it").own(),
            optional("parameters", TablesById("parameter"), "what a fit of it sets in addition to mount and count"),
            RULE,
        ],
    ),
    SectionSpec::new(
        "relation",
        "what ships of a fleet can do with each other",
        &[
            required("id", Name, "its name; in formulas, how many it has").wording(),
            AFTER,
            FORMERLY,
            LABEL,
            optional(
                "kind",
                Choice(&words(&RELATION_KINDS)),
                "carry: one ship carries others, each with a card that shows the carrier's number; group: ships sail together; defaults to carry",
            ),
            optional("from", Condition, "which ships can: the one that carries, or each one in the group"),
            optional("to", Condition, "for carry: what can be carried"),
            optional("limit", Number, "how many at most; for group, computed for its first ship"),
            optional("least", Number, "for group: how many at least, computed for its first ship"),
            optional("alike", FormulaTable, "for group: what must be equal for all its ships, by name")
                .entry_noun("name in `alike`"),
            RULE,
        ],
    ),
    SectionSpec::new(
        "value",
        "a number, flag, text or list computed from the design",
        &[
            required("id", Name, "its name in formulas; the one named points is the cost").wording(),
            AFTER,
            FORMERLY,
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
    ),
    SectionSpec::new(
        "cost",
        "lines of the cost; together they add up to the value points",
        &[
            optional("id", Id, "a name that layers can change it by").wording(),
            AFTER,
            FORMERLY,
            FOR_EACH,
            WHEN,
            required("label", Template, "the text of the line; text with {{ formula }}"),
            optional("count", Number, "how many; defaults to the fit's count, else to 1"),
            required("each", Number, "points each"),
            RULE,
        ],
    ),
    SectionSpec::new(
        "track",
        "rows of boxes that are ticked off in play",
        &[
            required("id", Id, "its name in templates").wording(),
            AFTER,
            FORMERLY,
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
            optional("row_label", FormulaTable, "named labels at the end of each row; they can read row and rows")
                .entry_noun("row label"),
            optional(
                "row_note",
                Template,
                "what happens when a row is gone, printed at its end, once where rows follow with the same; text with {{ formula }}, which can read row and rows",
            ),
            optional("cell", FormulaTable, "named contents of each box; they can read box, boxes and row")
                .entry_noun("name in `cell`"),
            optional("badge", Template, "a small sign next to it; text with {{ formula }}"),
            optional("marks", Tables("mark"), "signs in or after single boxes"),
            KIND,
            SHAPE,
            optional("face", Text, "a small template that draws each box; not used where names are next to the boxes"),
            optional("required", Bool, "some panel of the sheet must show it"),
            RULE,
        ],
    ),
    SectionSpec::new(
        "table",
        "a table for the sheet, and for lookups in formulas with row() and step()",
        &[
            required("id", Id, "its name in templates and formulas").wording(),
            AFTER,
            FORMERLY,
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
            optional("odds", Bool, "false: it has no bearing on fire, and odds do not name it as not counted where a layer changes it; defaults to true"),
            optional(
                "formerly_rows",
                AnyTable,
                "what its rows were called in older days, for layers that say so: { older = \"name of today\" }",
            )
            .wording(),
            optional(
                "describes",
                StringOrList,
                "what it is about, shown beside that in the editor: systems by id or #tag, fields, values; or one of its columns, whose cells name them",
            )
            .wording(),
            optional(
                "row_describes",
                AnyTable,
                "the same for single rows, by the text in their first column: { laser = \"laser\", \"a row\" = [\"#tag\"] }",
            )
            .wording(),
            RULE,
        ],
    ),
    SectionSpec::new(
        "term",
        "a word of the game with its meaning, for players who meet it in the editor",
        &[
            required("id", Id, "its name").wording(),
            AFTER,
            FORMERLY,
            LABEL,
            optional("words", StringOrList, "other words for it, such as an abbreviation").wording(),
            required("text", Template, "what it means, in a sentence or two; text with {{ formula }}").wording(),
            optional(
                "describes",
                StringOrList,
                "what it explains besides what contains its words: systems by id or #tag, fields, values",
            )
            .wording(),
            RULE,
        ],
    ),
    SectionSpec::new(
        "check",
        "a rule that a design or a fleet can break",
        &[
            required(
                "code",
                Id,
                "the code of its finding, in lower-case letters and hyphens: launcher-without-magazine",
            )
            .wording(),
            AFTER,
            FORMERLY,
            required("severity", Choice(&words(&SEVERITIES)), "how serious it is"),
            optional(
                "over",
                Choice(&words(&CHECK_SCOPES)),
                "design: each ship by itself; fleet: all ships of a fleet together, counted by units() and each(); defaults to design",
            ),
            optional(
                "for_each",
                Text,
                "repeats it for each fit, system or mount, alone or followed by ids or #tags; or for each row of a rows field or table; over a fleet, for each unit, class or group, whose first ship is `it`, with it.count",
            ),
            WHEN,
            required("fails_when", Condition, "true if the design or fleet breaks the rule"),
            required("message", Template, "what is wrong, with the numbers; text with {{ formula }}").wording(),
            optional("help", Template, "how to fix it; text with {{ formula }}").wording(),
            optional(
                "at",
                Text,
                "where it points: fit, system or mount with ids or #tags, or `field ID`; if there are several, the one of for_each, else the first; over a fleet a condition, the last ship for which it is true",
            ),
            RULE,
            optional("reason", Text, "in a layer: why it was changed").wording(),
            optional("fix", TableOf("fix"), "how a program can fix it"),
        ],
    ),
    SectionSpec::new(
        "counter",
        "chits that the ship puts on the table",
        &[
            required("id", Id, "its name in templates").wording(),
            AFTER,
            FORMERLY,
            FOR_EACH,
            WHEN,
            HEADING,
            optional("count", Number, "how many; or use `groups`"),
            optional(
                "groups",
                Tables("group"),
                "kinds of it, each with its count and words that the face reads as group.WORD",
            ),
            optional("data", FormulaTable, "what else its face can read").entry_noun("name in `data`"),
            optional("first", Integer, "the number of the first one; not numbered by default"),
            optional("series", Text, "the series they are numbered in: fleet for one series through all ships"),
            optional(
                "ticked",
                Bool,
                "each has a box on the sheet, ticked when it is used up; fleets can record it as used",
            ),
            optional(
                "spares",
                Bool,
                "true: up to as many again, without numbers, where the last sheet of a job's counters has room",
            ),
            optional("size_mm", Size, "side in mm, or [width, height]; defaults to 20"),
            optional("size_tenths", Size, "the same in tenths of a millimetre"),
            optional("face", Text, "the template of its front"),
            optional("back", Text, "the template of its back"),
            optional(
                "acts_as",
                Template,
                "for what acts by itself, such as a flight: the words of its line on a pack's battle page, after its number; for the ship's own counter, words beside the ship's name",
            )
            .wording(),
            optional("stands_for", Choice(&words(&COUNTER_ROLES)), "ship: it is the ship's token on the table"),
        ],
    ),
    SectionSpec::new(
        "ruler",
        "what is measured from a ship on the table: a ruler with its reaches and a collar for its token with its arcs, to cut out where that is asked for",
        &[
            required("id", Name, "its name").wording(),
            AFTER,
            FORMERLY,
            LABEL,
            required("unit", Text, "what it counts: MU, inches, hexes").wording(),
            required("tenths", Number, "one unit on the table, in tenths of a millimetre"),
            optional("points", Integer, "directions numbered round the collar, clockwise, the last one at the bow: 12 for a clock; defaults to none"),
            optional("marks", Tables("ruler mark"), "what it shows"),
            RULE,
        ],
    ),
    SectionSpec::new(
        "shared_roll",
        "a die for each of many systems when a row of a track is gone: packs have tables with which one roll does for all of a kind",
        &[
            required("id", Name, "its name").wording(),
            AFTER,
            FORMERLY,
            LABEL,
            required("track", Name, "the track"),
            required("row_label", Name, "of the labels at the ends of its rows the one that says from which face on a system is lost"),
            required("faces", Integer, "faces of the die, 2 to 20"),
            optional("note", Text, "what is rolled for, and when").wording(),
            RULE,
        ],
    ),
    SectionSpec::new(
        "situation",
        "what the table decides when a ship fires, such as the range; only attacks and outcomes read it",
        &[
            required("id", Name, "its name in formulas").wording(),
            AFTER,
            FORMERLY,
            LABEL,
            required("kind", Choice(&words(&SITUATION_KINDS)), "the type of its value"),
            optional("options", TablesById("option"), "for choice: the options to choose from"),
            optional(
                "default",
                Default,
                "the value if the player does not choose one; defaults to the lowest, false or the first",
            ),
            MIN,
            MAX,
            optional("unit", Text, "the unit it is counted in"),
            optional("help", Text, "a hint for the player").wording(),
            optional("axis", Bool, "for one integer: charts show the odds over it"),
        ],
    )
    .for_odds(),
    SectionSpec::new(
        "gauge",
        "what a ship can lose, or a counter that rises: read and set in attacks as left.NAME and own.NAME",
        &[
            required("id", Name, "its name after left. and own.").wording(),
            AFTER,
            FORMERLY,
            LABEL,
            optional("boxes", Anything, "the number that it falls from to 0, or a list of such numbers; or use `most`"),
            optional("most", Integer, "the number that it rises to from 0; or use `boxes`"),
            optional("ends", Bool, "at 0 (all of a list at 0), the ship is out"),
            optional("at_turn", Anything, "its value when a turn begins; can read left.NAME"),
            RULE,
        ],
    )
    .for_odds(),
    SectionSpec::new(
        "routine",
        "steps that several attacks use",
        &[
            required("id", Id, "its name for `use`").wording(),
            AFTER,
            FORMERLY,
            optional("step", Tables("attack step"), "its steps"),
            RULE,
        ],
    )
    .for_odds(),
    SectionSpec::new(
        "attack",
        "one way to hurt another ship. Bare names are the firing ship's, target.NAME is the other ship's",
        &[
            required("id", Id, "its name").wording(),
            AFTER,
            FORMERLY,
            HEADING,
            FOR_EACH,
            optional("when", Condition, "whether it can fire: range, arc"),
            optional("order", Integer, "attacks with a lower number fire first; defaults to 1"),
            optional("every", Number, "turns from one use to the next; defaults to 1"),
            optional("uses", Number, "how often in a battle; without it, in every turn"),
            optional(
                "leaves_out",
                Template,
                "what the odds do not count, and why; text with {{ formula }}, nothing where it comes to nothing",
            )
            .wording(),
            optional(
                "leaves_out_later",
                Template,
                "what the odds of several turns do not count besides: what runs out, burns on or is lost meanwhile",
            )
            .wording(),
            optional("step", Tables("attack step"), "its steps, done in this order"),
            RULE,
        ],
    )
    .for_odds(),
    SectionSpec::new(
        "outcome",
        "something else to report after all attacks: a condition gives a probability, a number a distribution",
        &[
            required("id", Id, "its name").wording(),
            AFTER,
            FORMERLY,
            LABEL,
            required("formula", Anything, "reads left.NAME and target.NAME; can roll dice"),
            RULE,
        ],
    )
    .for_odds(),
    SectionSpec::new(
        "sheet",
        "a page to print",
        &[
            required("id", Id, "its name").wording(),
            AFTER,
            FORMERLY,
            LABEL,
            required(
                "kind",
                Choice(&words(&SHEET_KINDS)),
                "design: a ship's own sheet; reference: the game's tables for all; continuation: what did not fit; of a fleet: its roster, its summary for the opponent, its order log; back: the back of a card, of those no larger than the card the first whose `when` is true",
            ),
            required("template", Text, "its SVG file in the templates folder"),
            optional("when", Condition, "which designs it is for; of an order log, whose orders are written in it: default, of those without a log on their sheet"),
        ],
    ),
    SectionSpec::new(
        "guide",
        "a step of making a first ship, from an empty design; the editor shows the steps in this order beside the design",
        &[
            required("id", Id, "its name").wording(),
            AFTER,
            FORMERLY,
            LABEL,
            required("text", Text, "what to do and why, for somebody new to the game"),
            optional("set", AnyTable, "the fields that the step sets: { FIELD = value }"),
            optional("system", Tables("guide system"), "the design's own systems that the step declares"),
            optional("fit", Tables("guide fit"), "the systems that the step fits"),
            required("done_when", Condition, "whether the step is done"),
        ],
    ),
];
