//! Makes files from odds: takes odds or matrices and a path, gives a chart as SVG, PDF or PNG, or a table as CSV.

use std::path::{Path, PathBuf};

use crate::chart::{chart_scene, matrix_page, odds_page, on_paper};
use crate::store;
use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_base::sanitize::{CsvStyle, plural};
use moldloft_base::words::Words;
use moldloft_drawing::scene::Page;
use moldloft_export::export::{self, ExportOptions};
use moldloft_odds::odds::{Odds, OddsMatrix, matrix_table, odds_table};
use moldloft_sheet::sheet::Paper;

use super::files::{PrintedFiles, PrintedPages};

/// How a chart or table of odds is written.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ChartOptions<'w> {
    /// `None`: a page as large as the chart.
    pub paper: Option<Paper>,
    /// Of a PNG, in dots per inch.
    pub dpi: f32,
    /// Of a table.
    pub csv: CsvStyle,
    /// Of a chart; names of ships stay, and so does a table.
    pub words: Option<&'w Words>,
}

impl Default for ChartOptions<'_> {
    fn default() -> Self {
        Self { paper: None, dpi: ExportOptions::default().dpi, csv: CsvStyle::default(), words: None }
    }
}

moldloft_base::setters! { ChartOptions<'w> { paper: Option<Paper>, dpi: f32, csv: CsvStyle, words: Option<&'w Words> } }

/// Whether odds are written to it as a table, not as a chart.
pub fn is_table(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"))
}

/// # Errors
/// `unknown-format` for a file that is neither a picture nor a table.
pub fn check_chart_path(path: &Path) -> Result<(), Finding> {
    if is_table(path) {
        return Ok(());
    }
    let help = "use a file name that ends in .svg, .pdf, .png or .csv";
    export::format_for_path(path).map(drop).map_err(|finding| finding.help(help))
}

/// A chart for each of these, or one table.
///
/// # Errors
/// Those of [`check_chart_path`]; `paper-too-small`; `not-written` when the format cannot hold the charts, or after a cancel.
pub fn odds_files(
    path: PathBuf,
    all: &[&Odds],
    options: &ChartOptions,
    progress: &Progress,
) -> Result<PrintedFiles, Finding> {
    check_chart_path(&path)?;
    if is_table(&path) {
        return Ok(table_file(path, &odds_table(all), options.csv));
    }
    chart_files(path, all.iter().map(|odds| odds_page(odds, options.words)).collect(), options, progress)
}

/// As [`odds_files`].
///
/// # Errors
/// Those of [`odds_files`].
pub fn matrix_files(
    path: PathBuf,
    all: &[&OddsMatrix],
    options: &ChartOptions,
    progress: &Progress,
) -> Result<PrintedFiles, Finding> {
    check_chart_path(&path)?;
    if is_table(&path) {
        return Ok(table_file(path, &matrix_table(all), options.csv));
    }
    chart_files(path, all.iter().map(|matrix| matrix_page(matrix, options.words)).collect(), options, progress)
}

fn table_file(path: PathBuf, text: &str, style: CsvStyle) -> PrintedFiles {
    let summary = plural(text.lines().count(), "line");
    let existing = Some(path.clone()).filter(|path| store::is_there(path)).into_iter().collect();
    let files = vec![style.file_bytes(text)];
    PrintedFiles { path, files, summary, findings: Vec::new(), existing, kept: Vec::new() }
}

fn chart_files(
    path: PathBuf,
    pages: Vec<Page>,
    options: &ChartOptions,
    progress: &Progress,
) -> Result<PrintedFiles, Finding> {
    let pages = match options.paper {
        None => pages,
        Some(paper) => {
            let too_small = || {
                let message = format!("{paper} paper is too small for the chart");
                Finding::error("paper-too-small", message).help("leave out the paper, or use A4 or larger")
            };
            let placed = pages.into_iter().map(|page| on_paper(page, paper.size()).ok_or_else(too_small));
            placed.collect::<Result<Vec<Page>, Finding>>()?
        }
    };
    let format = export::format_for_path(&path)?;
    let contents = plural(pages.len(), "chart");
    let title =
        pages.first().and_then(|page| page.bookmarks.first()).map_or_else(String::new, |mark| mark.title.clone());
    let mut printed = PrintedPages { scene: chart_scene(&title, pages), contents, ..PrintedPages::default() };
    printed.write(path, format, &ExportOptions::default().dpi(options.dpi), progress)
}
