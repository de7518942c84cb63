//! Odds as files: charts as SVG, PDF or PNG, tables as CSV.

use std::path::Path;

use crate::chart::{chart_scene, matrix_page, odds_page, on_paper};
use crate::cli::terminal::print_stdout;
use crate::export::{self, ExportOptions};
use crate::finding::Finding;
use crate::odds::words::who;
use crate::odds::{Odds, OddsMatrix};
use crate::print::PrintedPages;
use crate::progress::Progress;
use crate::sanitize::plural;
use crate::scene::Page;
use crate::store;

use super::args::OddsArgs;
use super::table;

fn is_table(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"))
}

/// # Errors
/// `unknown-format` for a file that is neither a picture nor a table.
pub fn check_format(path: &Path) -> Result<(), Finding> {
    if is_table(path) {
        return Ok(());
    }
    let help = "use a file name that ends in .svg, .pdf, .png or .csv";
    export::format_for_path(path).map(drop).map_err(|finding| finding.help(help))
}

/// # Errors
/// When the file cannot be written.
pub fn write_odds(path: &Path, all: &[&Odds], arguments: &OddsArgs) -> Result<(), Finding> {
    if is_table(path) {
        return write_table(path, &table::odds_table(all)?);
    }
    let title = all.first().map_or_else(String::new, |odds| who(odds));
    write_pages(path, &title, all.iter().map(|odds| odds_page(odds)).collect(), arguments)
}

/// # Errors
/// When the file cannot be written.
pub fn write_matrices(path: &Path, all: &[OddsMatrix], arguments: &OddsArgs) -> Result<(), Finding> {
    if is_table(path) {
        return write_table(path, &table::matrix_table(all)?);
    }
    write_pages(path, "odds", all.iter().map(matrix_page).collect(), arguments)
}

fn write_table(path: &Path, text: &str) -> Result<(), Finding> {
    store::save(path, text.as_bytes())?;
    print_stdout(&format!("{}: {}\n", path.display(), plural(text.lines().count(), "line")))
}

fn write_pages(path: &Path, title: &str, pages: Vec<Page>, arguments: &OddsArgs) -> Result<(), Finding> {
    let pages = match arguments.paper {
        None => pages,
        Some(paper) => {
            let too_small = || {
                let message = format!("{paper} paper is too small for the chart");
                Finding::error("paper-too-small", message).help("leave out --paper, or use A4 or larger")
            };
            let placed = pages.into_iter().map(|page| on_paper(page, paper.size()).ok_or_else(too_small));
            placed.collect::<Result<Vec<Page>, Finding>>()?
        }
    };
    let contents = plural(pages.len(), "chart");
    let mut printed = PrintedPages { scene: chart_scene(title, pages), findings: Vec::new(), contents };
    let options = ExportOptions { dpi: arguments.dpi, ..ExportOptions::default() };
    let progress = Progress::default();
    let files = printed.write(path.to_path_buf(), export::format_for_path(path)?, &options, &progress)?;
    if let Some(finding) = files.filled_forms.first() {
        return Err(finding.clone());
    }
    files.save(&progress)?;
    print_stdout(&format!("{}: {}\n", files.names(), files.summary))
}
