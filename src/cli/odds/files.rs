//! Odds as files: charts as SVG, PDF or PNG, tables as CSV.

use std::path::Path;

use crate::cli::terminal::print_done;
use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_base::words::Words;
use moldloft_library::print::{ChartOptions, PrintedFiles, matrix_files, odds_files};
use moldloft_odds::odds::{Odds, OddsMatrix};

use super::args::OddsArgs;

/// # Errors
/// When the file cannot be written.
pub fn write_odds(path: &Path, all: &[&Odds], words: Option<&Words>, arguments: &OddsArgs) -> Result<(), Finding> {
    save(&odds_files(path.to_path_buf(), all, &options(arguments, words), &Progress::default())?)
}

/// # Errors
/// When the file cannot be written.
pub fn write_matrices(
    path: &Path,
    all: &[OddsMatrix],
    words: Option<&Words>,
    arguments: &OddsArgs,
) -> Result<(), Finding> {
    let all: Vec<&OddsMatrix> = all.iter().collect();
    save(&matrix_files(path.to_path_buf(), &all, &options(arguments, words), &Progress::default())?)
}

fn options<'w>(arguments: &OddsArgs, words: Option<&'w Words>) -> ChartOptions<'w> {
    ChartOptions::default().paper(arguments.paper).dpi(arguments.dpi).csv(arguments.csv.style()).words(words)
}

fn save(files: &PrintedFiles) -> Result<(), Finding> {
    files.save_unless_kept(&Progress::default())?;
    print_done(&format!("{}: {}\n", files.names(), files.summary))
}
