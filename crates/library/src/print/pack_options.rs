//! What a player can choose for a pack: its parts and their order, copies, paper.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use moldloft_sheet::sheet::{Gauges, MapGrid};

use super::PrintOptions;

/// A part of a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum PackPart {
    /// The fleet's ships and their points.
    Roster,
    /// A summary for the opponent.
    Summary,
    /// The control sheet of every ship.
    Sheets,
    /// Chits and counters.
    Chits,
    /// Pages to write orders on.
    Logs,
    /// What the ships of two sides do to each other: on the backs of their sheets, else on the rosters, or without either on pages of its own; by default
    /// only for several fleets.
    Odds,
    /// The tables of the games.
    Reference,
    /// All ships of all fleets of a game, to note whose turn it is; by default only for several fleets.
    Battle,
    /// Lines for what the players agree on; by default only for several fleets.
    Scenario,
    /// Tables with which one roll does for many systems; unless it is named, only on a side that is blank otherwise.
    Rolls,
}

impl PackPart {
    /// Every part in printing order, with its name.
    pub const ALL: [(Self, &'static str); 10] = [
        (Self::Roster, "roster"),
        (Self::Summary, "summary"),
        (Self::Sheets, "sheets"),
        (Self::Chits, "chits"),
        (Self::Logs, "logs"),
        (Self::Odds, "odds"),
        (Self::Reference, "reference"),
        (Self::Battle, "battle"),
        (Self::Scenario, "scenario"),
        (Self::Rolls, "rolls"),
    ];

    /// The parts of a pack of this many fleets where none are named: pages about all fleets only if there are several, and no summary, since the roster says
    /// the same.
    pub fn usual(fleets: usize) -> BTreeSet<Self> {
        let all = Self::ALL.iter().map(|(part, _)| *part);
        let is_usual = |part: &Self| match part {
            Self::Summary => false,
            Self::Odds | Self::Battle | Self::Scenario => fleets > 1,
            _ => true,
        };
        all.filter(is_usual).collect()
    }
}

/// Options for a pack. By default the usual parts, printed on both sides of the paper.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PackOptions {
    /// Paper, print, chits; `kind` is ignored, `copies` are copies of the whole pack.
    pub print: PrintOptions,
    /// The parts; the usual ones when empty, but no order logs of a fleet whose ships' sheets all have a log.
    pub parts: BTreeSet<PackPart>,
    /// Of the usual parts, those that are left out.
    pub without: BTreeSet<PackPart>,
    /// Order logs among `parts` are for fleets that need them, as in a usual pack, not for all.
    pub logs_if_needed: bool,
    /// For paper printed on one side: no blank backs are added.
    pub single_sided: bool,
    /// Copies of each game's reference sheets, so that each side has one; 0 counts as 1.
    pub references: u32,
    /// A map at the end, each page on a front.
    pub map: Option<MapGrid>,
    /// Arcs and courses to cut out, after the map.
    pub gauges: Gauges,
}

moldloft_base::setters! {
    PackOptions {
        print: PrintOptions,
        parts: BTreeSet<PackPart>,
        without: BTreeSet<PackPart>,
        logs_if_needed: bool,
        single_sided: bool,
        references: u32,
        map: Option<MapGrid>,
        gauges: Gauges,
    }
}

impl PackOptions {
    pub(super) fn wants(&self, part: PackPart) -> bool {
        self.wants_battle(part, 2)
    }

    /// Whether a battle of so many fleets has a part about all of them.
    pub(super) fn wants_battle(&self, part: PackPart, fleets: usize) -> bool {
        let is_usual = || PackPart::usual(fleets).contains(&part) && !self.without.contains(&part);
        self.parts.contains(&part) || self.parts.is_empty() && is_usual()
    }
}
