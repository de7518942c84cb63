//! What a fleet is: data with places, nothing decided.

use crate::design::{Damage, Design, SpannedText};
use crate::finding::Finding;
use crate::source::toml::TomlEntry;
use crate::source::{Source, Span};

/// A fleet as its file states it.
#[derive(Clone, Debug)]
pub struct Fleet {
    /// The file and its text; every span below points into it.
    pub source: Source,
    /// The ruleset's id. `None` when the file names none (a finding says so).
    pub ruleset: Option<SpannedText>,
    /// What it is called.
    pub name: Option<SpannedText>,
    /// Whose it is: a nation, an alliance.
    pub side: Option<SpannedText>,
    /// Who plays it.
    pub player: Option<SpannedText>,
    /// Free text.
    pub notes: Option<SpannedText>,
    /// The points it may cost.
    pub budget: Option<Budget>,
    /// `[[group]]` in file order.
    pub groups: Vec<FleetGroup>,
    /// `[[ship]]` in file order.
    pub ships: Vec<FleetShip>,
    /// `[[design]]`: the designs that travel in the file.
    pub designs: Vec<Design>,
    /// Top-level keys nobody knows; kept, and each reported.
    pub unknown: Vec<TomlEntry<'static>>,
    /// What is wrong with the file itself.
    pub findings: Vec<Finding>,
}

/// The points that a fleet may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// How many.
    pub points: i64,
    /// Where the number stands.
    pub span: Span,
}

/// Ships that sail together: a squadron, a division, a formation.
#[derive(Clone, Debug)]
pub struct FleetGroup {
    /// Its place among the file's `[[group]]` tables, from 0.
    pub index: u32,
    /// What ships call it.
    pub id: SpannedText,
    /// The relation of the ruleset that it is of.
    pub kind: Option<SpannedText>,
    /// What a player calls it.
    pub name: Option<SpannedText>,
    /// Free text.
    pub notes: Option<SpannedText>,
    /// Keys nobody knows; kept, and each reported.
    pub unknown: Vec<TomlEntry<'static>>,
    /// Where it stands: its `[[group]]` header.
    pub span: Span,
}

/// One ship of a fleet, or several alike.
#[derive(Clone, Debug)]
pub struct FleetShip {
    /// Its place among the file's `[[ship]]` tables, or among what that ship carries, from 0.
    pub index: u32,
    /// The class: a relative path that ends in `.toml`, or a class's name. `None` when the file does not say (a finding says so).
    pub design: Option<SpannedText>,
    /// The ship's own name.
    pub name: Option<SpannedText>,
    /// Hull number.
    pub hull_number: Option<SpannedText>,
    /// Who commands her.
    pub captain: Option<SpannedText>,
    /// Whose she is, where several players share a side.
    pub owner: Option<SpannedText>,
    /// Free text.
    pub notes: Option<SpannedText>,
    /// How many alike, 0 to 2,000; 1 when the file does not say. An unusable count is reported and taken as 0.
    pub count: u32,
    /// Where the count stands, if the file states it.
    pub count_span: Option<Span>,
    /// The id of the group that she sails in.
    pub group: Option<SpannedText>,
    /// What she carries, by the ruleset's relations, in file order.
    pub carried: Vec<CarriedUnits>,
    /// Other values for what she is loaded with.
    pub load: Vec<FleetLoad>,
    /// `[ship.damage]` in file order.
    pub ticked_boxes: Vec<TickedBoxes>,
    /// Keys that can be no relation either; kept, and each reported when the fleet is mustered.
    pub unknown: Vec<TomlEntry<'static>>,
    /// Where she stands: her `[[ship]]` header, or the table of a carrier's list.
    pub span: Span,
}

/// What a ship carries by one of the ruleset's relations.
#[derive(Clone, Debug)]
pub struct CarriedUnits {
    /// The relation's id: the key, as the file writes it.
    pub relation: SpannedText,
    /// A plain number: so many, of no class.
    pub plain: Option<i64>,
    /// The units carried; they carry nothing themselves.
    pub ships: Vec<FleetShip>,
    /// Where the value stands.
    pub span: Span,
}

/// Another load for the fits of a system.
#[derive(Clone, Debug)]
pub struct FleetLoad {
    /// The system's id.
    pub system: SpannedText,
    /// The mount's id; `None` for every mount.
    pub mount: Option<SpannedText>,
    /// The parameters, in file order.
    pub values: Vec<TomlEntry<'static>>,
    /// Where it stands.
    pub span: Span,
}

/// Ticked boxes of one stem of marks.
#[derive(Clone, Debug)]
pub struct TickedBoxes {
    /// The stem, as the file writes it.
    pub stem: SpannedText,
    /// Runs of boxes, first and last, as the file writes them.
    pub runs: Vec<(u32, u32)>,
    /// Where the value stands.
    pub span: Span,
}

impl Fleet {
    /// A fleet that says nothing yet.
    pub fn empty(source: Source) -> Self {
        Self {
            source,
            ruleset: None,
            name: None,
            side: None,
            player: None,
            notes: None,
            budget: None,
            groups: Vec::new(),
            ships: Vec::new(),
            designs: Vec::new(),
            unknown: Vec::new(),
            findings: Vec::new(),
        }
    }

    /// The embedded design of this name; case does not matter.
    pub fn design(&self, name: &str) -> Option<&Design> {
        let is_it = |design: &&Design| {
            design.name.as_ref().is_some_and(|word| word.text.trim().to_lowercase() == name.trim().to_lowercase())
        };
        self.designs.iter().find(is_it)
    }
}

impl FleetShip {
    /// The name of one of several alike, from 1: `Tern 2`.
    pub fn copy_name(&self, copy: u32) -> Option<String> {
        let name = self.name.as_ref().map(|word| word.text.trim()).filter(|name| !name.is_empty())?;
        Some(if self.count > 1 { format!("{name} {copy}") } else { name.to_owned() })
    }

    /// The hull number of one of several alike, from 1: `DD-12` is followed by `DD-13`, `Z` by `Z-2`.
    pub fn copy_hull_number(&self, copy: u32) -> Option<String> {
        let first = self.hull_number.as_ref().map(|word| word.text.trim()).filter(|number| !number.is_empty())?;
        Some(numbered_name(first, copy))
    }

    /// Her ticked boxes, each stem with its place.
    pub fn damage(&self, source: &Source) -> Damage {
        let mut damage = Damage::default();
        for hits in &self.ticked_boxes {
            damage.tick_runs(&hits.stem.text, &hits.runs);
            damage.set_place(&hits.stem.text, source.shown(hits.span));
        }
        damage
    }
}

fn numbered_name(first: &str, copy: u32) -> String {
    if copy <= 1 {
        return first.to_owned();
    }
    let digits = first.len() - first.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    // More digits than a number has are no number to count.
    let (stem, number) = first.split_at(first.len() - digits.min(15));
    match number.parse::<u64>() {
        Ok(start) => format!("{stem}{:0width$}", start + u64::from(copy - 1), width = number.len()),
        Err(_) => format!("{first}-{copy}"),
    }
}

#[cfg(test)]
mod tests {
    use super::numbered_name;

    #[test]
    fn hull_numbers_count_up() {
        assert_eq!(numbered_name("DD-12", 1), "DD-12");
        assert_eq!(numbered_name("DD-12", 3), "DD-14");
        assert_eq!(numbered_name("DD-099", 2), "DD-100");
        assert_eq!(numbered_name("LAC 07", 2), "LAC 08");
        assert_eq!(numbered_name("Z", 2), "Z-2");
        assert!(numbered_name("9999999999999999999999", 2).starts_with("9999999100"));
    }
}
