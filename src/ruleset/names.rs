//! Names as numbers: what a formula's slot stands for. Takes a [`Name`], gives the slot, and back.

use crate::formula::Slot;

/// What a slot stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// A field, by number.
    Field(usize),
    /// A setting.
    Setting(usize),
    /// A value.
    Value(usize),
    /// A relation.
    Relation(usize),
    /// `choice.FIELD.ATTRIBUTE`; attribute 0 is the label.
    FieldOption(usize, usize),
    /// `choice.SETTING.ATTRIBUTE`.
    SettingOption(usize, usize),
    /// A word of `it`.
    It(It),
    /// `it.NAME`: a parameter or attribute, by answer number.
    Answer(usize),
    /// `it.whole.NAME`.
    Whole(usize),
    /// `it.COLUMN`.
    Column(usize),
    /// `group.WORD`.
    Group(usize),
    /// A word of a counter's data.
    Data(usize),
    /// A number that is set where the formula stands.
    Local(Local),
    /// A word about the ship, the design, the ruleset or the page.
    About(About),
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $name { $($variant),* }
        impl $name {
            pub(crate) const ALL: &'static [(&'static str, $name)] = &[$(($word, $name::$variant)),*];
        }
    };
}

words! {
    /// What `it` answers beside parameters, attributes and columns.
    It {
        Id = "id", Name = "name", Label = "label", Abbr = "abbr", Tags = "tags", System = "system", Mount = "mount",
        MountLabel = "mount_label", Count = "count", Mirror = "mirror", MirrorLabel = "mirror_label", Track = "track",
        Badge = "badge", Boxes = "boxes",
    }
}

words! {
    /// Numbers that are set where a formula stands.
    Local {
        Box = "box", Boxes = "boxes", Row = "row", Rows = "rows", Across = "across", Down = "down", Number = "number",
        Page = "page", Pages = "pages", Column = "column",
    }
}

words! {
    /// Words about the ship, the design and the ruleset.
    About {
        Name = "name", Notes = "notes", ShipName = "ship.name", HullNumber = "ship.hull_number", Captain = "ship.captain",
        Owner = "ship.owner", ShipNotes = "ship.notes", ShipGroup = "ship.group", ShipCount = "ship.count", RulesetId = "ruleset.id",
        Title = "ruleset.title", Version = "ruleset.version", Credit = "ruleset.credit", Source = "ruleset.source",
        Terms = "ruleset.terms", Layers = "ruleset.layers", Legal = "legal", Verdict = "verdict", Assumed = "assumed",
        FleetName = "fleet.name", FleetSide = "fleet.side", FleetPlayer = "fleet.player", FleetNotes = "fleet.notes",
        FleetBudget = "fleet.budget", FleetPoints = "fleet.points", FleetLeft = "fleet.left", FleetShips = "fleet.ships",
        FleetUnits = "fleet.units", FleetLeftOut = "fleet.left_out", FleetCode = "fleet.code",
    }
}

impl About {
    /// Whether it is known on a fleet's pages only.
    pub(crate) fn is_of_fleet(self) -> bool {
        use About::{
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

/// A function that asks about the design or the ruleset's tables.
#[derive(Debug)]
pub struct Asked {
    /// `count`
    pub name: &'static str,
    /// What stands between its brackets.
    pub arguments: &'static str,
    /// What it gives, in one line.
    pub doc: &'static str,
    /// Whether it looks into a table rather than at what is aboard.
    pub(crate) looks_up: bool,
}

const fn asked(name: &'static str, arguments: &'static str, doc: &'static str, looks_up: bool) -> Asked {
    Asked { name, arguments, doc, looks_up }
}

/// The functions that ask, beside [`FUNCTIONS`](crate::formula::FUNCTIONS).
pub static ASKED: [Asked; 6] = [
    asked(
        "count",
        "system, mount, tag=",
        "how many are fitted of a system, in a mount, with a tag; each can be a list or omitted",
        false,
    ),
    asked("total", "'name', system, mount, tag=", "the sum of an attribute or parameter over the same", false),
    asked("fitted", "mount, system=, tag=", "what is fitted there, as a record of counts, to compare places", false),
    asked("systems", "mount, tag=", "the list of the systems fitted there", false),
    asked("row", "'table', key, …", "the row of a table with this key: row('guns', 'heavy').range", true),
    asked("step", "'table', 'column', n", "the first row of a table whose column reaches n", true),
];

/// The names that every formula, or some, may say beside the ruleset's own: what they are, and the words.
pub fn given() -> [(&'static str, Vec<&'static str>); 3] {
    fn words<T>(all: &'static [(&'static str, T)]) -> Vec<&'static str> {
        all.iter().map(|(word, _)| *word).collect()
    }
    [("it", words(It::ALL)), ("number", words(Local::ALL)), ("about", words(About::ALL))]
}

const SMALL: u32 = 12;
/// The most fields, settings, attributes and so on that a ruleset may have.
pub(crate) const MOST: usize = 1 << SMALL;

impl Name {
    /// The slot. Numbers stay below [`MOST`]: a ruleset with more of anything does not load.
    pub(crate) fn slot(self) -> Slot {
        let part = |n: usize| n.min(MOST - 1) as u32;
        let pack = |kind: u32, a: usize, b: usize| (kind << (2 * SMALL)) | (part(a) << SMALL) | part(b);
        match self {
            Name::Field(n) => pack(0, n, 0),
            Name::Setting(n) => pack(1, n, 0),
            Name::Value(n) => pack(2, n, 0),
            Name::Relation(n) => pack(3, n, 0),
            Name::FieldOption(n, attribute) => pack(4, n, attribute),
            Name::SettingOption(n, attribute) => pack(5, n, attribute),
            Name::It(word) => pack(6, word as usize, 0),
            Name::Answer(n) => pack(7, n, 0),
            Name::Whole(n) => pack(8, n, 0),
            Name::Column(n) => pack(9, n, 0),
            Name::Group(n) => pack(10, n, 0),
            Name::Data(n) => pack(11, n, 0),
            Name::Local(word) => pack(12, word as usize, 0),
            Name::About(word) => pack(13, word as usize, 0),
        }
    }

    /// The name of a slot.
    pub(crate) fn of(slot: Slot) -> Self {
        let a = (slot >> SMALL) as usize & (MOST - 1);
        let b = slot as usize & (MOST - 1);
        match slot >> (2 * SMALL) {
            0 => Name::Field(a),
            1 => Name::Setting(a),
            2 => Name::Value(a),
            3 => Name::Relation(a),
            4 => Name::FieldOption(a, b),
            5 => Name::SettingOption(a, b),
            6 => Name::It(It::ALL[a % It::ALL.len()].1),
            7 => Name::Answer(a),
            8 => Name::Whole(a),
            9 => Name::Column(a),
            10 => Name::Group(a),
            11 => Name::Data(a),
            12 => Name::Local(Local::ALL[a % Local::ALL.len()].1),
            _ => Name::About(About::ALL[a % About::ALL.len()].1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_come_back_as_the_same_name() {
        let mut names = vec![
            Name::Field(3),
            Name::FieldOption(4095, 4095),
            Name::SettingOption(1, 2),
            Name::Whole(77),
            Name::Data(9),
        ];
        names.extend(It::ALL.iter().map(|&(_, word)| Name::It(word)));
        names.extend(Local::ALL.iter().map(|&(_, word)| Name::Local(word)));
        names.extend(About::ALL.iter().map(|&(_, word)| Name::About(word)));
        for name in names {
            assert_eq!(Name::of(name.slot()), name);
        }
    }
}
