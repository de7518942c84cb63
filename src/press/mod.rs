//! Printing: takes ships that are judged, or a ruleset, and what is wanted of them; gives pages, then files, and what was found on the way;
//! puts the files where they are to lie. Both faces print through here, so equal orders give equal bytes. Never asks the player, never
//! draws a window. A [`Progress`] counts ships and pages and may stop the work between two of them.

mod lists;
mod pack;
mod printers;
mod told;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::evaluate::Evaluation;
use crate::export::{self, Files, Format, Refusal};
use crate::finding::{Finding, Severity};
use crate::library::forms;
use crate::progress::Progress;
use crate::ruleset::{Ruleset, SheetKind};
use crate::scene::Scene;
use crate::sheet::{self, Backs, Bed, CounterJob, Options, Shelf};
use crate::store::{self, Store, numbered};

pub use lists::{COLUMNS, List};
pub use pack::{MOST_PAGES, PackOrder, Packed, Part, pack};
pub use printers::{Printer, Printers};
pub use told::{damage, reason};

/// The setting that a ruleset takes the size of its chits from, where it leaves that to the player.
pub const CHIT_SIZE: &str = "chit_mm";
/// The sizes of chits that may be asked for, in mm.
pub const CHIT_SIZES: (u32, u32) = (5, 100);
/// The most copies of a ship in one file.
pub const MOST_COPIES: u32 = 1000;
/// How far the second side may be moved, in mm either way.
pub const MOST_OFFSET: f32 = 20.0;

/// What is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// The ships' control sheets.
    #[default]
    Sheets,
    /// The same, and after them the ships' counters.
    SheetsAndCounters,
    /// The ships' counters alone.
    Counters,
    /// A game's tables for all players.
    Reference,
    /// A game's sheets without a ship, for the pencil.
    Blank,
}

impl What {
    /// The sheets of a ruleset that it is about, when it is about no ship.
    pub fn kind(self) -> Option<SheetKind> {
        match self {
            Self::Sheets | Self::SheetsAndCounters | Self::Counters => None,
            Self::Reference => Some(SheetKind::Reference),
            Self::Blank => Some(SheetKind::Design),
        }
    }

    /// What a number of them is called: `3 ships`, `the counters of 1 ship`.
    pub fn words(self, count: usize) -> String {
        match self {
            Self::Sheets | Self::SheetsAndCounters => many(count, "ship"),
            Self::Counters => format!("the counters of {}", many(count, "ship")),
            Self::Reference => many(count, "reference sheet"),
            Self::Blank => many(count, "blank sheet"),
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Sheets | Self::SheetsAndCounters | Self::Counters => "control sheets",
            Self::Reference => "reference",
            Self::Blank => "blank sheets",
        }
    }
}

/// How it is printed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Order {
    /// What.
    pub what: What,
    /// How pages lie on the paper.
    pub bed: Bed,
    /// Every box and letter 1.3 times as large.
    pub large_print: bool,
    /// How often each ship is printed.
    pub copies: u32,
    /// How fronts and backs of chits come together.
    pub backs: Backs,
}

/// Sheets of a kind with no ship on them.
pub fn blank(ruleset: &Arc<Ruleset>, kind: SheetKind) -> Vec<Evaluation> {
    let sheets = ruleset.sheets.iter().filter(|sheet| sheet.kind == kind);
    sheets.filter_map(|sheet| Evaluation::blank(ruleset, &sheet.id)).collect()
}

/// The finding for a ruleset that has none of the sheets asked for.
pub fn no_reference(ruleset: &Ruleset) -> Finding {
    let message = format!("the ruleset `{}` has no reference sheet", ruleset.id);
    Finding::error("no-reference-sheet", message).help("add a [[sheet]] with kind = \"reference\" to the ruleset")
}

/// Lays out numbered ships, or blank sheets, and sets the pages on the paper. When it was asked to stop, the pages are good for nothing.
pub fn pages(store: &Store, ships: &[Evaluation], order: &Order, progress: &Progress) -> (Scene, Vec<Finding>) {
    let (mut scene, findings) = laid_out(store, ships, order, progress);
    scene.pages = sheet::impose(scene.pages, &order.bed, true);
    (scene, findings)
}

fn laid_out(store: &Store, ships: &[Evaluation], order: &Order, progress: &Progress) -> (Scene, Vec<Finding>) {
    let shelf = Shelf::new(|ids, name| store.template(ids, name));
    if order.what == What::Counters {
        return sheet::counters_watched(&counters_of(&shelf, ships, order), progress);
    }
    let (mut scene, mut findings) = sheet::print_watched(&sheets_of(&shelf, ships, order), progress);
    if order.what == What::SheetsAndCounters && !progress.is_cancelled() {
        let (more, found) = sheet::counters_watched(&counters_of(&shelf, ships, order), progress);
        scene.pages.extend(more.pages);
        findings.extend(found);
    }
    (scene, findings)
}

impl Order {
    fn options(&self) -> Options {
        let blank = self.what == What::Blank;
        Options { bed: self.bed, large_print: self.large_print, copies: self.copies, blank, boxes_before: 0 }
    }
}

/// The sheets, from templates that may serve other parts of the job too.
fn sheets_of<'a>(shelf: &'a Shelf<'a>, ships: &'a [Evaluation], order: &Order) -> sheet::Job<'a> {
    sheet::Job { ships, shelf, options: order.options(), what: order.what.title() }
}

fn counters_of<'a>(shelf: &'a Shelf<'a>, ships: &'a [Evaluation], order: &Order) -> CounterJob<'a> {
    let Order { bed, backs, copies, .. } = *order;
    CounterJob { ships, shelf, bed, backs, copies }
}

/// Whether there is an error among them.
pub fn has_errors(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.severity == Severity::Error)
}

/// The finding for a job without a single page.
pub fn no_page() -> Finding {
    Finding::error("nothing-to-print", "no pages to print; nothing was written")
}

/// The bytes of the files that hold these pages. The pages may be empty afterwards: each is let go of as soon as it is in its file.
///
/// # Errors
/// `not-written` when the format cannot take them, or when it was asked to stop; `form-needs-pdf`.
pub fn files(
    scene: &mut Scene,
    format: &Format,
    options: &export::Options,
    progress: &Progress,
) -> Result<Files, Finding> {
    if options.form && format.extension != "pdf" {
        let message = format!("cannot write a form as {}; forms are PDF only", format.name);
        return Err(Finding::error("form-needs-pdf", message)
            .help("use a file name that ends in .pdf, or print without the form"));
    }
    let files = (format.spend)(scene, options, progress);
    // The last page may have been done when it was called off.
    let files = files.and_then(|files| if progress.is_cancelled() { Err(Refusal::Cancelled) } else { Ok(files) });
    files.map_err(|refusal| Finding::error("not-written", refusal.to_string()))
}

/// Those of the files to be written that are there already.
pub fn there_already(path: &Path, files: usize) -> Vec<PathBuf> {
    (1..=files).map(|page| numbered(path, page, files)).filter(|path| store::is_there(path)).collect()
}

/// Those of the files to be written that are forms which were filled in, or may be: they are not replaced unasked.
pub fn filled_in(path: &Path, files: usize) -> Vec<Finding> {
    let paths = (1..=files).map(|page| numbered(path, page, files));
    let pdf = |path: &PathBuf| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pdf"));
    paths.filter(pdf).filter_map(|path| forms::filled_in(&path)).collect()
}

/// Writes every file whole, in order.
///
/// # Errors
/// The finding of the first that could not be written, or that it was called off; it says which are written.
pub fn write(path: &Path, files: &Files, progress: &Progress) -> Result<(), Finding> {
    progress.begin("file", files.len());
    for (bytes, page) in files.iter().zip(1..) {
        let stopped = || Finding::error("not-written", "cancelled");
        let saved = if progress.is_cancelled() {
            Err(stopped())
        } else {
            store::save(&numbered(path, page, files.len()), bytes)
        };
        if let Err(mut finding) = saved {
            if files.len() > 1 {
                let written = match page - 1 {
                    0 => "nothing was written".to_owned(),
                    done => format!("of {} files, wrote {}", files.len(), span(path, done, files.len())),
                };
                finding.message = format!("{}; {written}", finding.message);
            }
            return Err(finding);
        }
        progress.step();
    }
    Ok(())
}

/// The names of so many files: `ship.pdf`, `ship-1.svg to ship-4.svg`.
pub fn names(path: &Path, files: usize) -> String {
    span(path, files, files)
}

fn span(path: &Path, first: usize, of: usize) -> String {
    let show = |page| numbered(path, page, of).display().to_string();
    match first {
        0 | 1 => show(1),
        many => format!("{} to {}", show(1), show(many)),
    }
}

/// `1 ship`, `12 ships`.
pub fn many(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_said() {
        assert_eq!(names(Path::new("a/b.pdf"), 1), Path::new("a/b.pdf").display().to_string());
        assert_eq!(names(Path::new("b.svg"), 3), "b-1.svg to b-3.svg");
        assert_eq!(span(Path::new("b.svg"), 1, 3), "b-1.svg");
        assert_eq!(What::Counters.words(1), "the counters of 1 ship");
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_the_others_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.svg");
        // A folder stands where the second page is to go.
        store::make_folder(&folder.path().join("x-2.svg")).expect("a folder");
        let finding = write(&path, &vec![vec![1], vec![2], vec![3]], &Progress::default()).expect_err("not written");
        assert!(finding.message.ends_with("x-1.svg"), "{}", finding.message);
        assert!(finding.message.contains("of 3 files, wrote"), "{}", finding.message);
        assert_eq!(there_already(&path, 3).len(), 2);

        let progress = Progress::default();
        progress.cancel();
        let finding = write(&folder.path().join("y.svg"), &vec![vec![1], vec![2]], &progress).expect_err("not written");
        assert!(finding.message.ends_with("nothing was written"), "{}", finding.message);
        assert!(there_already(&folder.path().join("y.svg"), 2).is_empty());
    }
}
