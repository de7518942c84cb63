//! Symbols of formulas: takes a [`Symbol`], gives its slot number, and back.

use crate::formula::{Slot, Type, Value};
use moldloft_base::worded;

/// The meaning of a slot; numbers are indices in the ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    Field(usize),
    Setting(usize),
    Value(usize),
    Relation(usize),
    /// `choice.FIELD.ATTRIBUTE`; attribute 0 is the label.
    FieldOption(usize, usize),
    /// `choice.SETTING.ATTRIBUTE`.
    SettingOption(usize, usize),
    /// `it.id`, `it.count` and the like.
    It(ItProperty),
    /// `it.NAME`: a parameter or attribute, by its index.
    Attribute(usize),
    /// `it.whole.NAME`.
    Whole(usize),
    /// `it.COLUMN`.
    Column(usize),
    /// `group.NAME`.
    Group(usize),
    /// A name of a counter's data.
    Data(usize),
    Local(LocalVar),
    /// Of the ship, the design, the ruleset or the page.
    Builtin(Builtin),
    /// What a layer removed.
    Absent(Absent),
}

/// What stands for a name that a layer removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent {
    Unknown,
    No,
    Zero,
    NoItems,
}

impl Absent {
    const ALL: [Self; 4] = [Self::Unknown, Self::No, Self::Zero, Self::NoItems];

    pub fn ty(self) -> Type {
        match self {
            Self::Unknown => Type::Any,
            Self::No => Type::Flag,
            Self::Zero => Type::Int,
            Self::NoItems => Type::list_of(Type::Any),
        }
    }

    pub fn value(self) -> Value {
        match self {
            Self::Unknown => Value::Null,
            Self::No => Value::Flag(false),
            Self::Zero => Value::Int(0),
            Self::NoItems => Value::List([].into()),
        }
    }
}

worded! {
    /// Properties of `it` besides parameters, attributes and columns.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ItProperty {
        Id = "id", Name = "name", Label = "label", Abbr = "abbr", Tags = "tags", System = "system", Mount = "mount",
        MountLabel = "mount_label", Count = "count", Mirror = "mirror", MirrorLabel = "mirror_label", Track = "track",
        Badge = "badge", Boxes = "boxes",
    }
}

worded! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum LocalVar {
        Box = "box", Boxes = "boxes", Row = "row", Rows = "rows", Across = "across", Down = "down", Number = "number",
        Page = "page", Pages = "pages", Column = "column",
    }
}

worded! {
    /// Names for the ship, the design and the ruleset.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Builtin {
        Name = "name", Notes = "notes", ShipName = "ship.name", HullNumber = "ship.hull_number", Captain = "ship.captain",
        Owner = "ship.owner", ShipNotes = "ship.notes", ShipGroup = "ship.group", ShipCount = "ship.count",
        ShipCarried = "ship.carried", RulesetId = "ruleset.id",
        Title = "ruleset.title", Version = "ruleset.version", Credit = "ruleset.credit", Source = "ruleset.source",
        Terms = "ruleset.terms", Layers = "ruleset.layers", Legal = "legal", Verdict = "verdict", Assumed = "assumed",
        FleetName = "fleet.name", FleetSide = "fleet.side", FleetPlayer = "fleet.player", FleetNotes = "fleet.notes",
        FleetBudget = "fleet.budget", FleetPoints = "fleet.points", FleetLeft = "fleet.left", FleetShips = "fleet.ships",
        FleetUnits = "fleet.units", FleetLeftOut = "fleet.left_out", FleetCode = "fleet.code",
    }
}

impl Builtin {
    /// Whether it is the same for every ship of the game.
    pub fn is_of_ruleset(self) -> bool {
        use Builtin::{Credit, Layers, RulesetId, Source, Terms, Title, Version};
        matches!(self, RulesetId | Title | Version | Credit | Source | Terms | Layers)
    }

    /// Whether it is known on a fleet's pages only.
    pub fn is_fleet_only(self) -> bool {
        use Builtin::{
            FleetBudget, FleetCode, FleetLeft, FleetLeftOut, FleetName, FleetNotes, FleetPlayer, FleetPoints,
            FleetShips, FleetSide, FleetUnits,
        };
        matches!(
            self,
            FleetName
                | FleetSide
                | FleetPlayer
                | FleetNotes
                | FleetBudget
                | FleetPoints
                | FleetLeft
                | FleetShips
                | FleetUnits
                | FleetLeftOut
                | FleetCode
        )
    }
}

/// A function that queries the design or the ruleset's tables.
#[derive(Debug)]
pub struct QueryFn {
    /// `count`
    pub name: &'static str,
    /// As documented, without brackets.
    pub arguments: &'static str,
    /// One line.
    pub doc: &'static str,
    /// Whether it reads a table and not the fits.
    pub reads_table: bool,
}

const fn query_fn(name: &'static str, arguments: &'static str, doc: &'static str, looks_up: bool) -> QueryFn {
    QueryFn { name, arguments, doc, reads_table: looks_up }
}

/// In addition to [`FUNCTIONS`](crate::formula::FUNCTIONS).
#[rustfmt::skip] // A function a line.
pub static QUERY_FUNCTIONS: [QueryFn; 8] = [
    query_fn("count", "system, mount, tag=",
        "how many are fitted of a system and what is like it ('=gun': of it alone), in a mount, with a tag; each can be a list or omitted", false),
    query_fn("total", "'name', system, mount, tag=", "the sum of an attribute or parameter over the same", false),
    query_fn("fitted", "mount, system=, tag=", "what is fitted there, as a record of counts, to compare places", false),
    query_fn("systems", "mount, tag=", "the list of the systems fitted there", false),
    query_fn("row", "'table', key, …",
        "the row of a table with this key: row('guns', 'heavy').range; for a system without a row, that of what it is like", true),
    query_fn("step", "'table', 'column', n", "the row of a table whose column reaches n with the least number", true),
    query_fn("within", "'table', 'column', n", "the row of a table whose column has n in it: a number, or a text such as 4–6, 10+ or 1, 6", true),
    query_fn("cells", "'table', 'column'",
        "the list of the values in a column of a table: 'laser' in cells('guns', 'gun') tells whether there is a row", true),
];

/// Known only in checks over a fleet.
#[rustfmt::skip] // A function a line.
pub static FLEET_FUNCTIONS: [QueryFn; 2] = [
    query_fn("units", "condition",
        "how many units meet a condition on one ship: units(count('missile') > 0); without one, how many there are", false),
    query_fn("each", "formula, condition",
        "the list of what a formula gives for each unit, or for those that meet a condition: sum(each(points, role == 'escort'))", false),
];

/// The names that formulas may use besides the ruleset's own: a description of each group, and its names.
pub fn builtin_words() -> [(&'static str, Vec<&'static str>); 3] {
    fn names_of<T>(all: &'static [(&'static str, T)]) -> Vec<&'static str> {
        all.iter().map(|(word, _)| *word).collect()
    }
    [("it", names_of(&ItProperty::ALL)), ("number", names_of(&LocalVar::ALL)), ("about", names_of(&Builtin::ALL))]
}

const INDEX_BITS: u32 = 12;
/// The most fields, settings, attributes and the like of a ruleset.
pub const MAX_SYMBOLS: usize = 1 << INDEX_BITS;

impl Symbol {
    /// Indices are less than [`MAX_SYMBOLS`], since a ruleset with more does not load.
    pub fn slot(self) -> Slot {
        let part = |n: usize| n.min(MAX_SYMBOLS - 1) as u32;
        let pack = |kind: u32, a: usize, b: usize| (kind << (2 * INDEX_BITS)) | (part(a) << INDEX_BITS) | part(b);
        match self {
            Symbol::Field(n) => pack(0, n, 0),
            Symbol::Setting(n) => pack(1, n, 0),
            Symbol::Value(n) => pack(2, n, 0),
            Symbol::Relation(n) => pack(3, n, 0),
            Symbol::FieldOption(n, attribute) => pack(4, n, attribute),
            Symbol::SettingOption(n, attribute) => pack(5, n, attribute),
            Symbol::It(word) => pack(6, word as usize, 0),
            Symbol::Attribute(n) => pack(7, n, 0),
            Symbol::Whole(n) => pack(8, n, 0),
            Symbol::Column(n) => pack(9, n, 0),
            Symbol::Group(n) => pack(10, n, 0),
            Symbol::Data(n) => pack(11, n, 0),
            Symbol::Local(word) => pack(12, word as usize, 0),
            Symbol::Builtin(word) => pack(13, word as usize, 0),
            Symbol::Absent(what) => pack(14, what as usize, 0),
        }
    }

    pub fn from_slot(slot: Slot) -> Self {
        fn nth<T: Copy>(all: &'static [(&'static str, T)], place: usize) -> T {
            all[place % all.len()].1
        }
        let a = (slot >> INDEX_BITS) as usize & (MAX_SYMBOLS - 1);
        let b = slot as usize & (MAX_SYMBOLS - 1);
        match slot >> (2 * INDEX_BITS) {
            0 => Symbol::Field(a),
            1 => Symbol::Setting(a),
            2 => Symbol::Value(a),
            3 => Symbol::Relation(a),
            4 => Symbol::FieldOption(a, b),
            5 => Symbol::SettingOption(a, b),
            6 => Symbol::It(nth(&ItProperty::ALL, a)),
            7 => Symbol::Attribute(a),
            8 => Symbol::Whole(a),
            9 => Symbol::Column(a),
            10 => Symbol::Group(a),
            11 => Symbol::Data(a),
            12 => Symbol::Local(nth(&LocalVar::ALL, a)),
            14 => Symbol::Absent(Absent::ALL[a % Absent::ALL.len()]),
            _ => Symbol::Builtin(nth(&Builtin::ALL, a)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_come_back_as_the_same_name() {
        let mut names = vec![
            Symbol::Field(3),
            Symbol::FieldOption(4095, 4095),
            Symbol::SettingOption(1, 2),
            Symbol::Whole(77),
            Symbol::Data(9),
        ];
        names.extend(ItProperty::ALL.iter().map(|&(_, word)| Symbol::It(word)));
        names.extend(LocalVar::ALL.iter().map(|&(_, word)| Symbol::Local(word)));
        names.extend(Builtin::ALL.iter().map(|&(_, word)| Symbol::Builtin(word)));
        names.extend(Absent::ALL.map(Symbol::Absent));
        for name in names {
            assert_eq!(Symbol::from_slot(name.slot()), name);
        }
    }
}
