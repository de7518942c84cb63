//! Printing: takes ships that are judged, or a ruleset, and what is wanted of them; gives pages, then files, and what was found on the way;
//! puts the files where they are to lie. Both faces print through here, so equal orders give equal bytes. Never asks the player, never
//! draws a window. A [`Progress`] counts ships and pages and may stop the work between two of them.

mod pack;
mod printers;
mod roster_data;
mod roster_export;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::evaluate::Evaluation;
use crate::export::{self, ExportError, FileBytes, Format};
use crate::finding::{Finding, Severity};
use crate::library::apply_form;
use crate::progress::Progress;
use crate::ruleset::{Ruleset, SheetKind};
use crate::scene::Scene;
use crate::sheet::{self, Backs, CounterJob, PageSetup, SheetOptions, TemplateCache};
use crate::store::{self, Store, page_path};

pub use pack::{LaidOutPack, MAX_PAGES, PackOptions, PackPart, lay_out_pack};
pub use printers::{Printer, Printers};
pub use roster_data::{damage_summary, skip_reason};
pub use roster_export::{COLUMNS, RosterFormat};

pub use crate::sanitize::plural;

/// The setting that a ruleset takes the size of its chits from, where it leaves that to the player.
pub const CHIT_SIZE: &str = "chit_mm";
/// The sizes of chits that may be asked for, in mm.
pub const CHIT_SIZES: (u32, u32) = (5, 100);
/// The most copies of a ship in one file.
pub const MAX_COPIES: u32 = 1000;
/// How far the second side may be moved, in mm either way.
pub const MAX_OFFSET: f32 = 20.0;

/// What is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PrintKind {
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

impl PrintKind {
    /// The sheets of a ruleset that it is about, when it is about no ship.
    pub fn sheet_kind(self) -> Option<SheetKind> {
        match self {
            Self::Sheets | Self::SheetsAndCounters | Self::Counters => None,
            Self::Reference => Some(SheetKind::Reference),
            Self::Blank => Some(SheetKind::Design),
        }
    }

    /// What a number of them is called: `3 ships`, `the counters of 1 ship`.
    pub fn count_text(self, count: usize) -> String {
        match self {
            Self::Sheets | Self::SheetsAndCounters => plural(count, "ship"),
            Self::Counters => format!("the counters of {}", plural(count, "ship")),
            Self::Reference => plural(count, "reference sheet"),
            Self::Blank => plural(count, "blank sheet"),
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
pub struct PrintOptions {
    /// What.
    pub kind: PrintKind,
    /// How pages lie on the paper.
    pub page_setup: PageSetup,
    /// Every box and letter 1.3 times as large.
    pub large_print: bool,
    /// How often each ship is printed.
    pub copies: u32,
    /// How fronts and backs of chits come together.
    pub backs: Backs,
}

/// Sheets of a kind with no ship on them.
pub fn blank_sheets(ruleset: &Arc<Ruleset>, kind: SheetKind) -> Vec<Evaluation> {
    let sheets = ruleset.sheets.iter().filter(|sheet| sheet.kind == kind);
    sheets.filter_map(|sheet| Evaluation::blank(ruleset, &sheet.id)).collect()
}

/// The finding for a ruleset that has none of the sheets asked for.
pub fn no_reference(ruleset: &Ruleset) -> Finding {
    let message = format!("the ruleset `{}` has no reference sheet", ruleset.id);
    Finding::error("no-reference-sheet", message).help("add a [[sheet]] with kind = \"reference\" to the ruleset")
}

/// Lays out numbered ships, or blank sheets, and sets the pages on the paper. When it was asked to stop, the pages are good for nothing.
pub fn lay_out_pages(
    store: &Store,
    ships: &[Evaluation],
    order: &PrintOptions,
    progress: &Progress,
) -> (Scene, Vec<Finding>) {
    let (mut scene, findings) = lay_out(store, ships, order, progress);
    scene.pages = sheet::impose(scene.pages, &order.page_setup, true);
    (scene, findings)
}

fn lay_out(store: &Store, ships: &[Evaluation], order: &PrintOptions, progress: &Progress) -> (Scene, Vec<Finding>) {
    let shelf = TemplateCache::new(|ids, name| store.template(ids, name));
    if order.kind == PrintKind::Counters {
        return sheet::lay_out_counters_with_progress(&counters_of(&shelf, ships, order), progress);
    }
    let (mut scene, mut findings) = sheet::lay_out_sheets_with_progress(&sheets_of(&shelf, ships, order), progress);
    if order.kind == PrintKind::SheetsAndCounters && !progress.is_cancelled() {
        let (more, found) = sheet::lay_out_counters_with_progress(&counters_of(&shelf, ships, order), progress);
        scene.pages.extend(more.pages);
        findings.extend(found);
    }
    (scene, findings)
}

impl PrintOptions {
    fn sheet_options(&self) -> SheetOptions {
        let blank = self.kind == PrintKind::Blank;
        SheetOptions {
            page_setup: self.page_setup,
            large_print: self.large_print,
            copies: self.copies,
            is_blank: blank,
            boxes_before: 0,
        }
    }
}

/// The sheets, from templates that may serve other parts of the job too.
fn sheets_of<'a>(shelf: &'a TemplateCache<'a>, ships: &'a [Evaluation], order: &PrintOptions) -> sheet::SheetJob<'a> {
    sheet::SheetJob { ships, templates: shelf, options: order.sheet_options(), what: order.kind.title() }
}

fn counters_of<'a>(shelf: &'a TemplateCache<'a>, ships: &'a [Evaluation], order: &PrintOptions) -> CounterJob<'a> {
    let PrintOptions { page_setup: bed, backs, copies, .. } = *order;
    CounterJob { ships, templates: shelf, page_setup: bed, backs, copies }
}

/// Whether there is an error among them.
pub fn has_errors(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.severity == Severity::Error)
}

/// The finding for a job without a single page.
pub fn no_page_finding() -> Finding {
    Finding::error("nothing-to-print", "no pages to print; nothing was written")
}

/// The bytes of the files that hold these pages. The pages may be empty afterwards: each is let go of as soon as it is in its file.
///
/// # Errors
/// `not-written` when the format cannot take them, or when it was asked to stop; `form-needs-pdf`.
pub fn write_bytes(
    scene: &mut Scene,
    format: &Format,
    options: &export::ExportOptions,
    progress: &Progress,
) -> Result<FileBytes, Finding> {
    if options.form && format.extension != "pdf" {
        let message = format!("cannot write a form as {}; forms are PDF only", format.name);
        return Err(Finding::error("form-needs-pdf", message)
            .help("use a file name that ends in .pdf, or print without the form"));
    }
    let files = (format.write_consuming)(scene, options, progress);
    // The last page may have been done when it was called off.
    let files = files.and_then(|files| if progress.is_cancelled() { Err(ExportError::Cancelled) } else { Ok(files) });
    files.map_err(|refusal| Finding::error("not-written", refusal.to_string()))
}

/// Those of the files to be written that are there already.
pub fn existing_files(path: &Path, files: usize) -> Vec<PathBuf> {
    (1..=files).map(|page| page_path(path, page, files)).filter(|path| store::is_there(path)).collect()
}

/// Those of the files to be written that are forms which were filled in, or may be: they are not replaced unasked.
pub fn filled_form_warnings(path: &Path, files: usize) -> Vec<Finding> {
    let paths = (1..=files).map(|page| page_path(path, page, files));
    let pdf = |path: &PathBuf| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pdf"));
    paths.filter(pdf).filter_map(|path| apply_form::filled_form_warning(&path)).collect()
}

/// Writes every file whole, in order.
///
/// # Errors
/// The finding of the first that could not be written, or that it was called off; it says which are written.
pub fn write_files(path: &Path, files: &FileBytes, progress: &Progress) -> Result<(), Finding> {
    progress.begin_phase("file", files.len());
    for (bytes, page) in files.iter().zip(1..) {
        let stopped = || Finding::error("not-written", "cancelled");
        let saved = if progress.is_cancelled() {
            Err(stopped())
        } else {
            store::save(&page_path(path, page, files.len()), bytes)
        };
        if let Err(mut finding) = saved {
            if files.len() > 1 {
                let written = match page - 1 {
                    0 => "nothing was written".to_owned(),
                    done => format!("of {} files, wrote {}", files.len(), file_name_range(path, done, files.len())),
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
pub fn file_names(path: &Path, files: usize) -> String {
    file_name_range(path, files, files)
}

fn file_name_range(path: &Path, first: usize, of: usize) -> String {
    let show = |page| page_path(path, page, of).display().to_string();
    match first {
        0 | 1 => show(1),
        many => format!("{} to {}", show(1), show(many)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_said() {
        assert_eq!(file_names(Path::new("a/b.pdf"), 1), Path::new("a/b.pdf").display().to_string());
        assert_eq!(file_names(Path::new("b.svg"), 3), "b-1.svg to b-3.svg");
        assert_eq!(file_name_range(Path::new("b.svg"), 1, 3), "b-1.svg");
        assert_eq!(PrintKind::Counters.count_text(1), "the counters of 1 ship");
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_the_others_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.svg");
        // A folder stands where the second page is to go.
        store::make_folder(&folder.path().join("x-2.svg")).expect("a folder");
        let finding =
            write_files(&path, &vec![vec![1], vec![2], vec![3]], &Progress::default()).expect_err("not written");
        assert!(finding.message.ends_with("x-1.svg"), "{}", finding.message);
        assert!(finding.message.contains("of 3 files, wrote"), "{}", finding.message);
        assert_eq!(existing_files(&path, 3).len(), 2);

        let progress = Progress::default();
        progress.cancel();
        let finding =
            write_files(&folder.path().join("y.svg"), &vec![vec![1], vec![2]], &progress).expect_err("not written");
        assert!(finding.message.ends_with("nothing was written"), "{}", finding.message);
        assert!(existing_files(&folder.path().join("y.svg"), 2).is_empty());
    }
}
