//! The scrolling columns of the fleet table: label, width and visibility.

use crate::fleet::panel::FleetView;
use crate::widgets::capitalize;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FleetColumn {
    Class,
    Hull,
    Count,
    UnitPoints,
    TotalPoints,
    Carried,
    Group,
    Damage,
    Captain,
    Notes,
}

impl FleetColumn {
    pub const ALL: [Self; 10] = [
        Self::Class,
        Self::Hull,
        Self::Count,
        Self::UnitPoints,
        Self::TotalPoints,
        Self::Carried,
        Self::Group,
        Self::Damage,
        Self::Captain,
        Self::Notes,
    ];

    pub const fn key(self) -> &'static str {
        match self {
            Self::Class => "design",
            Self::Hull => "hull_number",
            Self::Count => "count",
            Self::UnitPoints | Self::TotalPoints => "points",
            Self::Carried => "carried",
            Self::Group => "group",
            Self::Damage => "damage",
            Self::Captain => "captain",
            Self::Notes => "notes",
        }
    }

    /// The least width, and the share of what is left.
    pub const fn width(self) -> (f32, f32) {
        match self {
            Self::Class => (112.0, 1.5),
            Self::Hull => (72.0, 0.4),
            Self::Count => (44.0, 0.0),
            Self::UnitPoints | Self::TotalPoints => (50.0, 0.0),
            Self::Carried => (96.0, 0.6),
            Self::Group => (104.0, 0.5),
            Self::Damage => (70.0, 0.0),
            Self::Captain => (110.0, 1.0),
            Self::Notes => (110.0, 1.0),
        }
    }

    pub fn label(self, page: &FleetView<'_>) -> String {
        match self {
            Self::Class => "Class".to_owned(),
            Self::Hull => "Hull no.".to_owned(),
            Self::Count => "Count".to_owned(),
            Self::UnitPoints => "Each".to_owned(),
            Self::TotalPoints => "Points".to_owned(),
            Self::Carried => {
                let label = page.fleet.carry_relations().next().map_or("carried", |relation| &relation.label);
                capitalize(label)
            }
            Self::Group => "Group".to_owned(),
            Self::Damage => "Damage".to_owned(),
            Self::Captain => "Captain".to_owned(),
            Self::Notes => "Notes".to_owned(),
        }
    }

    pub fn is_visible(self, page: &FleetView<'_>) -> bool {
        let ships = &page.fleet.fleet().ships;
        match self {
            Self::Carried => {
                page.fleet.carry_relations().next().is_some() || ships.iter().any(|ship| !ship.carried.is_empty())
            }
            Self::Group => !page.fleet.fleet().groups.is_empty() || ships.iter().any(|ship| ship.group.is_some()),
            _ => true,
        }
    }
}
