//! A fleet: takes its file, gives its ships as checked by the rules.

use moldloft_base::finding::Finding;
use moldloft_base::source::Source;
use moldloft_library::library::{EvaluatedFleet, Fingerprint};
use moldloft_library::store::FileRef;
use moldloft_rules::design::fleet::Fleet;

use super::{CheckedShip, Error};

/// A fleet as read from its file. Nothing in it is checked yet, and the designs it names are not read.
#[derive(Clone, Debug)]
pub struct FleetFile {
    pub(super) fleet: Fleet,
    pub(super) file: FileRef,
}

impl FleetFile {
    /// Reads a fleet from text. Findings use `file` as its name, and paths in the text start at its folder; the file
    /// need not exist.
    ///
    /// # Errors
    /// The text is not TOML, not a fleet, or in a newer format.
    pub fn from_toml(file: &str, text: &str) -> Result<Self, Error> {
        Ok(Self { fleet: Fleet::read(&Source::new(file, text))?, file: FileRef::on_disk(file) })
    }

    /// The id of the ruleset that the fleet names.
    #[must_use]
    pub fn ruleset(&self) -> Option<&str> {
        self.fleet.ruleset.as_ref().map(|id| &*id.text)
    }
}

/// A fleet with all its ships checked, each with its own name, hull number and damage.
#[derive(Clone, Debug)]
pub struct CheckedFleet {
    pub(super) fleet: EvaluatedFleet,
}

impl CheckedFleet {
    pub(super) fn new(fleet: EvaluatedFleet) -> Self {
        Self { fleet }
    }

    /// The fleet's name, or its file's name without `.toml` when it has none.
    #[must_use]
    pub fn name(&self) -> String {
        self.fleet.name()
    }

    /// Whether neither the fleet nor any of its ships has a finding that is an error.
    #[must_use]
    pub fn is_legal(&self) -> bool {
        self.fleet.legal
    }

    /// The total cost of its ships, in the game's points. `None` when none of them has points.
    #[must_use]
    pub fn points(&self) -> Option<i64> {
        self.fleet.points
    }

    /// Its ships and what they carry, in the order of the file; at most a few thousand.
    #[must_use]
    pub fn ships(&self) -> Vec<CheckedShip> {
        self.fleet.units.iter().map(|unit| CheckedShip::new(unit.evaluation.clone())).collect()
    }

    /// Names of ships that could not be checked, for example because their design is missing. The findings say why.
    pub fn skipped(&self) -> impl Iterator<Item = &str> {
        self.fleet.skipped.iter().map(|ship| ship.name.as_str())
    }

    /// Findings about the fleet, about what was skipped and about each ship. A finding shared by several ships of a
    /// class is listed once.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.fleet.all_findings()
    }

    /// The short code that the summary sheet shows, such as `K7QF-2M9D-XW4T-8HN9`. Two fleets with the same code have the same ships under the
    /// same rules. `None` when the rules cannot be used.
    #[must_use]
    pub fn code(&self) -> Option<String> {
        Fingerprint::of_fleet(&self.fleet).map(|code| code.to_string())
    }
}
