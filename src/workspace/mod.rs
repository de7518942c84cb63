//! The library's public interface: takes a folder of rulesets, designs and templates, gives its contents, checked ships
//! and fleets, and printed pages. All work is done by the other modules; nothing else in the crate uses this one.
#![warn(missing_docs)]

mod design;
mod error;
mod fleet;
mod odds;
mod pages;
mod ship;
mod suggest;

use std::path::Path;
use std::sync::Arc;

use moldloft_base::finding::Finding;
use moldloft_base::sanitize::design_file_name;
use moldloft_library::library::{
    LoadedRuleset, Rulesets, commented_design, evaluate_design, evaluate_fleet, new_design_text, unusable_ruleset,
};
use moldloft_library::store::{AssetKind, FileRef, ListedAsset, Store};
use moldloft_rules::design::Design;
use moldloft_rules::design::fleet::Fleet;
use moldloft_rules::ruleset::Ruleset;
use moldloft_rules::schema;

pub use design::{ShipDesign, ShipFit};
pub use error::{Error, NoValue};
pub use fleet::{CheckedFleet, FleetFile};
pub use odds::ShipOdds;
pub use pages::{FileFormat, Pages};
pub use ship::{BoxGroup, CheckedShip};
pub use suggest::{SuggestAnswer, SuggestedChange};

/// Rulesets, templates, designs and fleets: those built into the program, and those of a folder, which take precedence.
///
/// Rulesets are read when first needed and then kept; later changes to their files are not seen.
pub struct Workspace {
    rulesets: Rulesets,
}

impl Workspace {
    /// Opens a folder. It may contain `rulesets/`, `templates/` and `designs/`; their files take precedence over the
    /// built-in ones.
    ///
    /// # Errors
    /// `no-workspace` when there is no such folder.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, Error> {
        Ok(Self { rulesets: Rulesets::without_settings(&Store::open(Some(folder.as_ref()))?) })
    }

    /// Only what is built into the program, and files named explicitly.
    #[must_use]
    pub fn built_in() -> Self {
        Self { rulesets: Rulesets::without_settings(&Store::built_in()) }
    }

    fn store(&self) -> &Store {
        self.rulesets.store()
    }

    /// Every ruleset, by id: `wars-of-honor`.
    #[must_use]
    pub fn rulesets(&self) -> Vec<ListedAsset> {
        self.store().list_assets(AssetKind::Ruleset)
    }

    /// Every design, by id: `wars-of-honor/vigilant`.
    #[must_use]
    pub fn designs(&self) -> Vec<ListedAsset> {
        self.store().list_assets(AssetKind::Design)
    }

    /// Every fleet, by id: `wars-of-honor/fleets/convoy-escort`.
    #[must_use]
    pub fn fleets(&self) -> Vec<ListedAsset> {
        self.store().list_assets(AssetKind::Fleet)
    }

    /// Reads a design by its id, as listed by [`designs`](Self::designs).
    ///
    /// # Errors
    /// `missing-design` when there is none; otherwise why its file cannot be read as a design.
    pub fn design(&self, id: &str) -> Result<ShipDesign, Error> {
        self.read_design(&self.store().find_asset(AssetKind::Design, id)?)
    }

    /// Reads a design from a file.
    ///
    /// # Errors
    /// Why it cannot be read as a design: no such file, more than 4 MB, not TOML, a newer format …
    pub fn read_design(&self, file: &FileRef) -> Result<ShipDesign, Error> {
        Ok(ShipDesign { design: Design::read(&file.read()?)? })
    }

    /// A new design with nothing aboard, its fields at their defaults. It has no file yet: its text is
    /// [`to_toml`](ShipDesign::to_toml).
    ///
    /// # Errors
    /// `unknown-ruleset` or `unusable-ruleset`.
    pub fn new_design(&self, ruleset: &str, name: &str) -> Result<ShipDesign, Error> {
        let text = new_design_text(&*self.usable_ruleset(ruleset)?, None, name)?;
        ShipDesign::from_toml(&design_file_name(name), &text)
    }

    /// The text of a new design, with all that it may contain as comments: every field, system, mount and option, as
    /// `moldloft new` writes it.
    ///
    /// # Errors
    /// `unknown-ruleset` or `unusable-ruleset`.
    pub fn commented_design(&self, ruleset: &str, name: &str) -> Result<String, Error> {
        Ok(commented_design(&*self.usable_ruleset(ruleset)?, name))
    }

    /// A JSON Schema of the ruleset's designs: every field, system, mount and option, with bounds and descriptions.
    ///
    /// # Errors
    /// `unknown-ruleset` or `unusable-ruleset`.
    pub fn design_schema(&self, ruleset: &str) -> Result<String, Error> {
        Ok(schema::design(&*self.usable_ruleset(ruleset)?).to_string())
    }

    /// Reads a fleet by its id, as listed by [`fleets`](Self::fleets).
    ///
    /// # Errors
    /// `missing-design` when there is none; otherwise why its file cannot be read as a fleet.
    pub fn fleet(&self, id: &str) -> Result<FleetFile, Error> {
        self.read_fleet(&self.store().find_asset(AssetKind::Fleet, id)?)
    }

    /// Reads a fleet from a file. The paths in it start at its folder.
    ///
    /// # Errors
    /// Why it cannot be read as a fleet: no such file, more than 4 MB, not TOML, a newer format …
    pub fn read_fleet(&self, file: &FileRef) -> Result<FleetFile, Error> {
        Ok(FleetFile { fleet: Fleet::read(&file.read()?)?, file: file.clone() })
    }

    /// Checks a design against the ruleset it names. Faults of the design are not errors: they are the ship's
    /// [findings](CheckedShip::findings).
    ///
    /// # Errors
    /// `unknown-ruleset`, `missing-ruleset` or `unusable-ruleset`: without rules nothing can be computed.
    pub fn check(&self, design: &ShipDesign) -> Result<CheckedShip, Error> {
        match design.ruleset() {
            Some(id) => self.check_with(design, id),
            None => Err(design.design.findings.clone().into()),
        }
    }

    /// Checks a design against a ruleset other than the one it names, such as a layer of house rules.
    ///
    /// # Errors
    /// `unknown-ruleset` or `unusable-ruleset`.
    pub fn check_with(&self, design: &ShipDesign, ruleset: &str) -> Result<CheckedShip, Error> {
        Ok(CheckedShip::new(evaluate_design(&self.usable_ruleset(ruleset)?, &design.design)))
    }

    fn usable_ruleset(&self, id: &str) -> Result<Arc<Ruleset>, Error> {
        match self.rulesets.find(id) {
            LoadedRuleset::Ready(ruleset, _) => Ok(ruleset),
            LoadedRuleset::Missing(finding) => Err(finding.into()),
            LoadedRuleset::Broken(findings) => {
                let first = unusable_ruleset(id, &findings);
                Err(std::iter::once(first).chain(findings.iter().cloned()).collect::<Vec<_>>().into())
            }
        }
    }

    /// Checks a fleet and all its ships against the ruleset it names. Faults of the fleet are not errors: without
    /// usable rules it has no ships, and a finding explains why.
    #[must_use]
    pub fn check_fleet(&self, fleet: &FleetFile) -> CheckedFleet {
        CheckedFleet::new(evaluate_fleet(&self.rulesets, fleet.fleet.clone(), &fleet.file, None))
    }

    /// Checks a fleet against a ruleset other than the one it names.
    #[must_use]
    pub fn check_fleet_with(&self, fleet: &FleetFile, ruleset: &str) -> CheckedFleet {
        CheckedFleet::new(evaluate_fleet(&self.rulesets, fleet.fleet.clone(), &fleet.file, Some(ruleset)))
    }

    /// Findings about the rulesets used so far, each ruleset's once. They include statements of a layer that do not fit
    /// its ruleset; the other rules remain in force.
    #[must_use]
    pub fn ruleset_findings(&self) -> Vec<Finding> {
        self.rulesets.findings()
    }
}
