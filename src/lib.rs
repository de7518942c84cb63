//! Moldloft checks ship designs for tabletop fleet games by a game's construction rules, shows where each number comes from, works out odds, and
//! prints control sheets, counters and tables as PDF, SVG or PNG. This is its library: what the program does with files, for other programs.
//!
//! | to | use |
//! |---|---|
//! | find rulesets, designs and fleets | [`Workspace`] |
//! | make and change a ship | [`Workspace::new_design`], [`ShipDesign`] |
//! | check it, read its numbers and boxes | [`Workspace::check`], [`CheckedShip`] |
//! | see what is wrong, and put it right | [`Finding`], [`CheckedShip::fix`] |
//! | see where a number comes from | [`CheckedShip::explain`] |
//! | know what its weapons do | [`CheckedShip::odds`] |
//! | find a better design | [`CheckedShip::suggest`] |
//! | check a fleet | [`Workspace::check_fleet`], [`CheckedFleet`] |
//! | print | [`Workspace::print`], [`Workspace::print_pack`], [`Pages`] |
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
//! # Make and change a ship
//!
//! A [`ShipDesign`] is a file that is edited: comments and order stay, and [`to_toml`](ShipDesign::to_toml) gives its text. An edit may name what the
//! rules do not have; checking reports it, with the nearest word and often with a fix.
//!
//! ```
//! # fn main() -> Result<(), moldloft::Error> {
//! # let workspace = moldloft::Workspace::built_in();
//! let mut design = workspace.new_design("battleships-1890s", "Grebe")?;
//! design.set_field("ram", true)?.add_fit("torpedo-tube", "bow", 1)?;
//! design.add_fit_with("main-gun", "fore", 1, &[("guns", 2.into())])?.add_fit("main-gum", "aft", 1)?;
//!
//! let ship = workspace.check(&design)?;
//! let unknown = ship.findings().iter().position(|finding| finding.code == "unknown-system").unwrap();
//! design.apply(&ship.fix(unknown).unwrap().edits)?;
//! assert_eq!(design.fits().map(|fit| fit.system).collect::<Vec<_>>(), ["torpedo-tube", "main-gun", "main-gun"]);
//! assert!(design.to_toml().ends_with("[[fit]]\nsystem = \"main-gun\"\nmount = \"aft\"\n"));
//! # Ok(())
//! # }
//! ```
//!
//! What a design of some rules may contain is in [`Workspace::design_schema`], for programs, and in [`Workspace::commented_design`], for people.
//!
//! # Read numbers, tracks and boxes
//!
//! A number that is not there says why: [`NoValue`].
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let workspace = moldloft::Workspace::built_in();
//! let ship = workspace.check(&workspace.design("wars-of-honor/vigilant")?)?;
//! let structure = ship.number("structure")?;
//! let why = ship.number("strukture").unwrap_err();
//! assert_eq!(why.to_string(), "unknown value `strukture`: did you mean `structure`?");
//!
//! let track = ship.tracks().iter().find(|track| &*track.id == "structure").unwrap();
//! assert_eq!(i64::from(track.boxes()), structure);
//! for table in ship.tables() {
//!     println!("{}: {} rows", table.label, table.rows.len());
//! }
//! let lasers = ship.boxes().into_iter().find(|group| group.name == "laser_port").unwrap();
//! assert_eq!(lasers.ticked, 0);
//! # Ok(())
//! # }
//! ```
//!
//! # Explain a number
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let workspace = moldloft::Workspace::built_in();
//! let ship = workspace.check(&workspace.design("wars-of-honor/vigilant")?)?;
//! let lines = ship.explain("structure");
//! assert_eq!(lines[0].result, ship.number("structure")?.to_string());
//! for line in lines {
//!     println!("{}{} = {} = {} ({})", "  ".repeat(line.depth as usize), line.name, line.formula, line.result, line.rule);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Odds and suggestions
//!
//! Odds are exact: every roll is counted. Suggestions are evaluated by the rules, and say what is proved of them.
//!
//! ```
//! use moldloft::{OddsRequest, Sense, SuggestQuestion, SuggestRequest};
//! # fn main() -> Result<(), moldloft::Error> {
//! # let workspace = moldloft::Workspace::built_in();
//! let mut design = workspace.design("wars-of-honor/petrel")?;
//! let ship = workspace.check(&design)?;
//! let target = workspace.check(&workspace.design("wars-of-honor/vigilant")?)?;
//! let odds = ship.odds(&target, &OddsRequest::default().situation(vec!["range=10".to_owned()]))?;
//! println!("{:.1} boxes on average", odds.figures().unwrap().mean);
//!
//! let question = SuggestQuestion::default()
//!     .objective(Some((Sense::Maximise, "launchers".to_owned())))
//!     .goals(vec!["points <= 620".to_owned()]);
//! let answer = ship.suggest(&SuggestRequest::Best, &question)?;
//! if let Some(best) = answer.proposals().next() {
//!     design.apply(best.edits())?;
//!     assert_eq!(workspace.check(&design)?.points(), best.ship().points());
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
//! let pages = workspace.print(&[ship], &PrintOptions::default().copies(2))?;
//! assert!(pages.to_pdf(&ExportOptions::default())?.starts_with(b"%PDF"));
//! assert_eq!(pages.to_svg(&ExportOptions::default().grey(true))?.len(), pages.len());
//! # Ok(())
//! # }
//! ```
//!
//! # Fleets
//!
//! A fleet lists its ships with their names, loads and damage. Its pack is everything that the table needs. A pack is laid out for the format that it
//! is for: a PDF is printed on both sides, so it has blank backs; pictures have none.
//!
//! ```
//! use moldloft::{FileFormat, PackOptions, PackPart, PageSetup, Paper, PrintOptions};
//! # fn main() -> Result<(), moldloft::Error> {
//! # let workspace = moldloft::Workspace::built_in();
//! let fleet = workspace.check_fleet(&workspace.fleet("wars-of-honor/fleets/convoy-escort")?);
//! let points: i64 = fleet.ships().iter().filter_map(|ship| ship.points()).sum();
//! assert_eq!(fleet.points(), Some(points));
//! let options = PackOptions::default()
//!     .print(PrintOptions::default().page_setup(PageSetup::from(Paper::A5)))
//!     .parts([PackPart::Roster, PackPart::Sheets].into());
//! let pack = workspace.print_pack(&[fleet], &options, FileFormat::Pdf)?;
//! assert!(!pack.is_empty());
//! # Ok(())
//! # }
//! ```
//!
//! # What stays
//!
//! The items of this page are the library; the hidden modules are the program's own and change without notice. Types that may grow are
//! `#[non_exhaustive]`: options are made from their default, with a method for each field. Codes of findings, ids and file formats stay as they are.
//!
//! The programs in `examples/` do the same with files. How rulesets, designs and fleets are written is described in `docs/` of the repository.

// What ARCHITECTURE.md describes, for the tests, benches and fuzz targets of this repository: it changes without notice.
#[doc(hidden)]
pub use moldloft_base::{allowance, finding, hash, progress, sanitize, source, words};
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

pub use workspace::{
    BoxGroup, CheckedFleet, CheckedShip, Error, FileFormat, FleetFile, NoValue, Pages, ShipDesign, ShipFit, ShipOdds,
    SuggestAnswer, SuggestedChange, Workspace,
};

#[doc(inline)]
pub use evaluate::{
    BoxKind, BoxShape, ColumnResult, CostLine, ExplainTarget, Explanation, FieldResult, FitResult, Provenance,
    QuickFix, TableResult, TrackMark, TrackResult, ValueResult,
};
#[doc(inline)]
pub use export::{ExportOptions, TextMode};
#[doc(inline)]
pub use finding::{DesignEdit, DesignPart, Finding, Place, Scalar, Severity, SourceSnippet};
#[doc(inline)]
pub use formula::{Record, Value};
#[doc(inline)]
pub use odds::{FIGURE_COLUMNS, Figures, OddsRequest, OddsRow, RowFigures};
#[doc(inline)]
pub use print::{PackOptions, PackPart, PrintKind, PrintOptions};
#[doc(inline)]
pub use sheet::{
    Backs, CellShape, CustomSize, DuplexEdge, Gauges, MapGauge, MapGrid, Margins, NUp, NUpOrder, PageSetup, Paper,
    PrinterScale,
};
#[doc(inline)]
pub use store::{FileRef, ListedAsset};
#[doc(inline)]
pub use suggest::{
    LeverChange, Question as SuggestQuestion, Request as SuggestRequest, Sense, SpendLimit, VaryWord, WarningPolicy,
};
