//! A fleet as data with places in its file.

use crate::design::{Band, Damage, Design, SpannedText};
use moldloft_base::finding::Finding;
use moldloft_base::source::toml::TomlEntry;
use moldloft_base::source::{Source, Span};

#[derive(Clone, Debug, Default)]
pub struct Fleet {
    /// All spans below refer to it.
    pub source: Source,
    /// The ruleset's id. `None` if missing, which is reported.
    pub ruleset: Option<SpannedText>,
    pub name: Option<SpannedText>,
    /// A nation or alliance.
    pub side: Option<SpannedText>,
    pub player: Option<SpannedText>,
    /// As `#rrggbb`, and a pattern; they replace those of the ships' nations.
    pub colour: Option<SpannedText>,
    pub pattern: Option<SpannedText>,
    /// Of `colour` and `pattern`, if they can be drawn.
    pub band: Option<Band>,
    pub notes: Option<SpannedText>,
    pub budget: Option<Budget>,
    /// In file order.
    pub groups: Vec<FleetGroup>,
    /// In file order.
    pub ships: Vec<FleetShip>,
    pub designs: Vec<Design>,
    /// Unknown top-level keys; kept, each with a finding.
    pub unknown: Vec<TomlEntry<'static>>,
    pub findings: Vec<Finding>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    pub points: i64,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct FleetGroup {
    /// Index among the file's `[[group]]` tables, from 0.
    pub index: u32,
    pub id: SpannedText,
    pub kind: Option<SpannedText>,
    pub name: Option<SpannedText>,
    pub notes: Option<SpannedText>,
    /// Unknown keys; kept, each with a finding.
    pub unknown: Vec<TomlEntry<'static>>,
    pub span: Span,
}

/// One entry: a ship, or several copies of it.
#[derive(Clone, Debug, Default)]
pub struct FleetShip {
    /// Index among the file's `[[ship]]` tables, or in the carrier's list, from 0.
    pub index: u32,
    /// The class: a relative path that ends in `.toml`, or a class's name. `None` if missing, which is reported.
    pub design: Option<SpannedText>,
    pub name: Option<SpannedText>,
    pub hull_number: Option<SpannedText>,
    pub captain: Option<SpannedText>,
    /// The player, where several share a side.
    pub owner: Option<SpannedText>,
    pub notes: Option<SpannedText>,
    /// 0 to 2,000; 1 when not given. An invalid count is reported and read as 0.
    pub count: u32,
    pub count_span: Option<Span>,
    pub group: Option<SpannedText>,
    pub carried: Vec<CarriedUnits>,
    /// Values that replace those of the design's fits.
    pub load: Vec<FleetLoad>,
    /// `[ship.damage]` in file order.
    pub ticked_boxes: Vec<TickedBoxes>,
    /// Keys that are not relations either; kept, each reported when the fleet is evaluated.
    pub unknown: Vec<TomlEntry<'static>>,
    /// Its `[[ship]]` header, or its table in the carrier's list.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct CarriedUnits {
    pub relation: SpannedText,
    /// A number of units without a class.
    pub plain: Option<i64>,
    /// They carry nothing themselves.
    pub ships: Vec<FleetShip>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct FleetLoad {
    pub system: SpannedText,
    /// The mount's id; `None` for every mount.
    pub mount: Option<SpannedText>,
    pub values: Vec<TomlEntry<'static>>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct TickedBoxes {
    pub stem: SpannedText,
    /// First and last box of each run, as written.
    pub runs: Vec<(u32, u32)>,
    pub span: Span,
}

impl Fleet {
    pub fn empty(source: Source) -> Self {
        Self { source, ..Self::default() }
    }

    /// The embedded design of this name; case is ignored.
    pub fn design(&self, name: &str) -> Option<&Design> {
        let is_it = |design: &&Design| {
            design.name.as_ref().is_some_and(|word| word.text.trim().to_lowercase() == name.trim().to_lowercase())
        };
        self.designs.iter().find(is_it)
    }
}

impl FleetShip {
    /// The name of one copy, from 1: `Tern 2`.
    pub fn copy_name(&self, copy: u32) -> Option<String> {
        let name = self.name.as_ref().map(|word| word.text.trim()).filter(|name| !name.is_empty())?;
        Some(if self.count > 1 { format!("{name} {copy}") } else { name.to_owned() })
    }

    /// The hull number of one copy, from 1: `DD-13` follows `DD-12`, `Z-2` follows `Z`.
    pub fn copy_hull_number(&self, copy: u32) -> Option<String> {
        let first = self.hull_number.as_ref().map(|word| word.text.trim()).filter(|number| !number.is_empty())?;
        Some(numbered_name(first, copy))
    }

    pub fn damage(&self, source: &Source) -> Damage {
        let mut damage = Damage::default();
        for hits in &self.ticked_boxes {
            damage.tick_runs(&hits.stem.text, &hits.runs);
            damage.set_place(&hits.stem.text, source.place_with_snippet(hits.span));
        }
        damage
    }
}

fn numbered_name(first: &str, copy: u32) -> String {
    if copy <= 1 {
        return first.to_owned();
    }
    let digits = first.len() - first.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    if digits == 0 {
        return format!("{first}-{copy}");
    }
    let (stem, number) = first.split_at(first.len() - digits);
    // A number of any length keeps its zeros.
    let mut carry = u64::from(copy - 1);
    let mut figures = Vec::with_capacity(digits);
    for figure in number.bytes().rev() {
        let sum = u64::from(figure - b'0') + carry;
        figures.push(char::from(b'0' + (sum % 10) as u8));
        carry = sum / 10;
    }
    let counted: String = figures.into_iter().rev().collect();
    if carry > 0 { format!("{stem}{carry}{counted}") } else { format!("{stem}{counted}") }
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
        assert_eq!(numbered_name("99999999999999999999", 3), "100000000000000000001");
        assert_eq!(numbered_name("N-00099999999999999999999", 2), "N-00100000000000000000000");
    }
}
