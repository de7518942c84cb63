//! The header of a ruleset, and the tables within declarations, with their keys. Data only.

use super::choices::{ATTRIBUTE_TYPES, COLUMN_KINDS, LAYER_KINDS, PARAMETER_KINDS, PARAMETER_SCOPES, words};
use super::sections::{KIND, LABEL, MAX, MIN};
use super::spec::KeyType::{
    AnyTable, Anything, Bool, Choice, ChoiceOrTable, Condition, FormulaTable, Id, Integer, IntegerList, IntegersByName,
    Literal, Name, Number, StringOrList, Tables, Template, Text,
};
use super::spec::{KeySpec, SectionSpec, optional, required};
use crate::ruleset::model::CustomSystemBase;

/// The header first.
#[rustfmt::skip] // A key a line.
pub static NESTED_TABLES: &[SectionSpec] = &[
    SectionSpec::new("ruleset", "what the ruleset is, and its credits", &[
        required("id", Id, "the name of its file without .toml; the name of its folders of designs and templates").own(),
        required("title", Text, "the name of the game for players").own(),
        required("version", Text, "the author's version number").own(),
        required("schema", Integer, "the format of this file: 1").own(),
        optional("about", Text, "one line for lists of games: what a design is"),
        optional("credit", Text, "who made the rules; printed on every sheet"),
        optional("source", Text, "where the rules were published"),
        optional("terms", Text, "the terms of use"),
        optional("phases", Id, "the table whose rows are the phases of a turn: a pack's battle page prints its first two columns"),
        optional("order", Text,
            "what decides the order in which ships act: the heading of a column on a pack's battle page, which has none if this is empty; defaults to initiative"),
        optional("acts", StringOrList, "what a ship does each turn: the headings of its boxes on the battle page; defaults to mv and fire"),
        optional("each_turn", StringOrList, "what is noted once a turn for all sides, such as who begins: a field for each turn on the battle page"),
        optional("cycle", Integer, "number of turns after which the battle page counts them from 1 again, as 1.6, 2.1; defaults to 0: never"),
        optional("colour", Text, "the colour of the game in the editor: `#rrggbb`"),
        optional("silhouette", Text, "an SVG of the templates folder whose groups follow the design: every ship's silhouette; \"\" in a layer: none"),
        optional("extends", StringOrList, "the ruleset that this layer extends, or several from left to right").own(),
        optional("extends_version", StringOrList, "the version of it, or of each, that this layer was written for").own(),
        optional("kind", Choice(&words(&LAYER_KINDS)),
            "for a layer: house rules, marked on sheets with a star, or a supplement published by the game's author; defaults to house").own(),
        optional("own_systems", ChoiceOrTable(&words(&CustomSystemBase::ALL), "own_systems"),
            "what a design's own systems can be like: none of the ruleset's systems, the abstract ones, any; a layer replaces the value of the ruleset it extends; defaults to any"),
        optional("weapons", StringOrList,
            "what attacks must use, or odds say that it is not counted: systems by id or #tag, fields; defaults to #weapon"),
    ]),
    SectionSpec::new("own_systems",
        "limits for a design's own systems; designs that have some are marked, unless they only fill in abstract systems and this is no house rule", &[
        optional("like", Choice(&words(&CustomSystemBase::ALL)), "none, abstract or any; defaults to any"),
        optional("min", IntegersByName, "the lowest values allowed, by attribute: { mass = 1, points = 1 }"),
        optional("max", IntegersByName, "the highest values allowed"),
        optional("open", StringOrList,
            "attributes that a design may state although the kind has a formula for them; all others with a formula stay as the rules compute them"),
        optional("house", Text, "marks them as the players' own rule: why"),
        optional("assumed", Text, "marks them as an assumption where the source is silent: why"),
    ]),
    SectionSpec::open("guide system",
        "one of the design's own systems that a step of the guide declares; its other keys are written as in a design", &[
        required("id", Id, "its id, for the fits of this step and later ones"),
        required("like", Id, "the id of the system that it is like"),
    ]),
    SectionSpec::open("guide fit", "a system that a step of the guide fits; its other keys are parameters of the system", &[
        required("system", Id, "the system's id; also of an own system that a step declares"),
        optional("mount", Id, "the mount's id"),
        optional("count", Integer, "how many there are to be; defaults to 1"),
    ]),
    SectionSpec::new("attribute", "a number, flag, text or list that every system has: it.NAME, total('NAME')", &[
        optional("type", Choice(&words(&ATTRIBUTE_TYPES)), "the type of its value; defaults to that of the default"),
        optional("default", Literal, "the value if a system does not set it"),
        optional("options", StringOrList, "for text: the allowed words"),
        LABEL,
        optional("unit", Text, "the unit it is counted in"),
        optional("example", Text, "a value as players write it, shown where a design's own system is made"),
    ]),
    SectionSpec::open("option", "an option to choose; its other keys are data, read as choice.FIELD.KEY", &[
        LABEL,
    ]),
    SectionSpec::new("field column", "a column of the field's rows", &[
        required("id", Name, "read as it.NAME"),
        required("kind", Choice(&words(&COLUMN_KINDS)), "the type of its value"),
        LABEL,
        MIN,
        MAX,
        optional("options", StringOrList, "for choice: the allowed words"),
        optional("default", Literal, "the value if a row does not set it"),
    ]),
    SectionSpec::new("parameter", "a value that each fit of the system sets", &[
        optional("kind", Choice(&words(&PARAMETER_KINDS)), "the type of its value, `numbers` for a list of them; defaults to that of the default"),
        optional("per", Choice(&words(&PARAMETER_SCOPES)), "for each of the fit's count, or for the whole fit"),
        optional("load", Bool, "what it is loaded with: a fleet can change it for a single ship"),
        optional("options", StringOrList, "for choice: the allowed words"),
        optional("default", Literal, "the value if a fit does not set it"),
        LABEL,
        MIN,
        MAX,
    ]),
    SectionSpec::new("table column", "a column of the table", &[
        required("id", Name, "its name in formulas"),
        LABEL,
        optional("hide", Bool, "read by formulas, not shown on sheets"),
        optional("boxes", Bool, "show its numbers as boxes to tick"),
        KIND,
        optional("signed", Bool, "show its numbers with their sign: +4"),
        optional("spread", Bool, "spread its lists over as many columns as the longest has entries"),
        optional("cell", Anything, "how it is computed, in a table with for_each"),
        optional("read_if", Anything,
            "in a table with rows: holds for cells of which attacks read all; a layer's other cells are reported, and odds say that they are not counted"),
        optional("formerly", StringOrList,
            "what it was called in older days, for layers that say so; several: each is one of the numbers in its text"),
        optional("optional", Bool, "with `cell`: the column goes where a layer removes what its cell reads"),
    ]),
    SectionSpec::new("grid", "cells computed from two numbers", &[
        required("across", IntegerList, "the numbers across"),
        required("down", IntegerList, "the numbers down"),
        required("cell", Anything, "the cell; can read across and down"),
        optional("across_label", Anything, "the heading of a column; can read across"),
        optional("down_label", Anything, "the heading of a row; can read down"),
    ]),
    SectionSpec::new("mark", "a sign in or after a box of the track", &[
        required("at", Number, "the box, from 1; 0 or less for none"),
        optional("icon", Text, "dot, bar-after, or a file in the templates folder"),
        optional("label", Template, "what it means; text with {{ formula }}"),
    ]),
    SectionSpec::new("ruler mark", "a reach on the ruler, sectors of the collar, or both", &[
        super::sections::FOR_EACH,
        super::sections::WHEN,
        required("label", Template, "what reaches so far or points there; text with {{ formula }}"),
        optional("at", Anything, "how far from the ship, in units of the ruler: a number or a list"),
        optional("arcs", Template,
            "sectors, in degrees clockwise from the bow or in words: `300-60`, `port`, `forward 120°`, `all round`, lists of these; text with {{ formula }}"),
    ]),
    SectionSpec::open("group",
        "a kind of the counter; its other keys are words, read as group.WORD: each is a formula, so put text in single quotes inside the double quotes", &[
        required("count", Number, "how many"),
    ]),
    SectionSpec::new("fix", "how a program can fix the design", &[
        optional("system", Id,
            "the system whose fit is changed or added: the check's own fit, else the first one; defaults to what for_each of the check gives"),
        optional("mount", StringOrList,
            "the mounts where a fit of the system is changed or added, one in each; without a system, where the check's own fit moves to"),
        optional("count", Number, "the fit's new count; 0 removes it"),
        optional("set", FormulaTable,
            "parameters of the fit, columns of the row or fields, and their new values; values that are not allowed are not offered"),
    ]),
    SectionSpec::open("attack step",
        "a step of an attack or a routine; its other keys are names that it sets, each a formula that later steps read. All formulas of a step see what was before it", &[
        optional("id", Id, "a name that layers can change it by"),
        optional("label", Text, "what to call it in reports, which then give the means of the names it sets"),
        optional("when", Condition, "it is done only if this is true"),
        optional("use", Id, "a routine, whose steps replace this one"),
        optional("left", FormulaTable, "what is left of gauges of the ship fired at: left.GAUGE").entry_noun("gauge"),
        optional("own", FormulaTable, "what is left of gauges of the firing ship: own.GAUGE").entry_noun("gauge"),
        optional("repeat", Number, "how often the steps in `each` are done, computed before the first time; defaults to 1"),
        optional("each", Tables("attack step"), "steps within it, done after it sets its names; a name first set in them is new each time"),
    ]),
    SectionSpec::new("reason", "why a number is what it is", &[
        required("why", Text, "in a few words"),
        optional("when", Condition, "only for designs where this is true"),
    ]),
];

/// What a layer may write for one cell of a grid.
pub static GRID_CELLS: KeySpec =
    optional("cells", AnyTable, "in a layer: single cells by their two numbers, across and down: { \"3 2\" = 9 }");
