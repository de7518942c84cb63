//! Moldloft checks ship designs for tabletop fleet games by a game's construction rules, shows where each number comes from, and prints control
//! sheets, counters and tables as PDF, SVG or PNG.
//!
//! # Check a design
//!
//! A [`Workspace`] has rulesets, templates, designs and fleets: those built into the program, and those of a folder.
//!
//! ```
//! # fn main() -> Result<(), moldloft::Error> {
//! let workspace = moldloft::Workspace::built_in();
//! let design = workspace.design("wars-of-honor/vigilant")?;
//! let ship = workspace.check(&design)?;
//!
//! assert_eq!(ship.class(), "Vigilant");
//! assert!(ship.is_legal());
//! for finding in ship.findings() {
//!     println!("{finding}");
//! }
//! # Ok(())
//! # }
//! ```
//!
//! What is wrong with a design is data, a [`Finding`]: a code that names the fault, a sentence with the numbers, what to do, and the place in the file.
//! A design with faults is still evaluated and printed. An [`Error`] means that nothing could be done: no such file, no TOML, no rules.
//!
//! ```
//! # fn main() -> Result<(), moldloft::Error> {
//! # let workspace = moldloft::Workspace::built_in();
//! let error = workspace.design("wars-of-honor/vigilent").unwrap_err();
//! assert_eq!(error.code(), "missing-design");
//! assert!(error.to_string().contains("did you mean `wars-of-honor/vigilant`?"));
//!
//! let design = moldloft::ShipDesign::from_toml("mine.toml", "ruleset = \"wars-of-honor\"\nname = \"Empty\"")?;
//! let ship = workspace.check(&design)?;
//! assert!(!ship.is_legal());
//! # Ok(())
//! # }
//! ```
//!
//! # Explain a number
//!
//! ```
//! # fn main() -> Result<(), moldloft::Error> {
//! # let workspace = moldloft::Workspace::built_in();
//! let ship = workspace.check(&workspace.design("wars-of-honor/vigilant")?)?;
//! let lines = ship.explain("structure");
//! assert_eq!(lines[0].result, ship.number("structure").unwrap().to_string());
//! for line in lines {
//!     println!("{}{} = {} = {} ({})", "  ".repeat(line.depth as usize), line.name, line.formula, line.result, line.rule);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Print
//!
//! Ships are laid out on paper as [`Pages`], which become bytes or files. The same input gives the same bytes.
//!
//! ```
//! use moldloft::{ExportOptions, PrintOptions};
//! # fn main() -> Result<(), moldloft::Error> {
//! # let workspace = moldloft::Workspace::built_in();
//! let ship = workspace.check(&workspace.design("wars-of-honor/vigilant")?)?;
//! let options = PrintOptions { copies: 2, ..PrintOptions::default() };
//! let pages = workspace.print(&[ship], &options)?;
//! assert!(pages.to_pdf(&ExportOptions::default())?.starts_with(b"%PDF"));
//! assert_eq!(pages.to_svg(&ExportOptions { grey: true, ..ExportOptions::default() })?.len(), pages.len());
//! # Ok(())
//! # }
//! ```
//!
//! # Fleets
//!
//! A fleet lists its ships with their names, loads and damage. Its pack is everything that the table needs.
//!
//! ```
//! use moldloft::PackOptions;
//! # fn main() -> Result<(), moldloft::Error> {
//! # let workspace = moldloft::Workspace::built_in();
//! let fleet = workspace.check_fleet(&workspace.fleet("wars-of-honor/fleets/convoy-escort")?);
//! let points: i64 = fleet.ships().iter().filter_map(|ship| ship.points()).sum();
//! assert_eq!(fleet.points(), Some(points));
//! let pack = workspace.print_pack(&[fleet], &PackOptions::default())?;
//! assert!(!pack.is_empty());
//! # Ok(())
//! # }
//! ```
//!
//! The programs in `examples/` do the same with files. How rulesets, designs and fleets are written is described in `docs/` of the repository.

// What ARCHITECTURE.md describes, for the tests, benches and fuzz targets of this repository: it changes without notice.
#[doc(hidden)]
pub use moldloft_base::{allowance, finding, hash, progress, sanitize, source};
#[doc(hidden)]
pub use moldloft_drawing::{art, fonts, scene};
#[doc(hidden)]
#[cfg(feature = "editor")]
pub use moldloft_editor as editor;
#[doc(hidden)]
pub use moldloft_export::{export, filled_form};
#[doc(hidden)]
pub use moldloft_library::{chart, exchange, library, lint, print, store};
#[doc(hidden)]
pub use moldloft_odds::{odds, suggest};
#[doc(hidden)]
pub use moldloft_rules::{design, evaluate, formula, ruleset, schema};
#[doc(hidden)]
pub use moldloft_sheet::sheet;

#[doc(hidden)]
pub mod cli;
mod workspace;

pub use workspace::{CheckedFleet, CheckedShip, Error, FleetFile, Pages, ShipDesign, Workspace};

#[doc(inline)]
pub use evaluate::{CostLine, ExplainTarget, Explanation, Provenance};
#[doc(inline)]
pub use export::{ExportOptions, TextMode};
#[doc(inline)]
pub use finding::{Finding, Place, Severity, SourceSnippet};
#[doc(inline)]
pub use print::{PackOptions, PackPart, PrintKind, PrintOptions};
#[doc(inline)]
pub use sheet::{Backs, CustomSize, DuplexEdge, Margins, NUp, NUpOrder, PageSetup, Paper, PrinterScale};
#[doc(inline)]
pub use store::{FileRef, ListedAsset};
