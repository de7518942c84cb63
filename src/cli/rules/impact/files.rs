//! The impact of another ruleset as a file: a chart (SVG, PDF, PNG), a page for a browser, or a table.

use std::path::Path;

use crate::cli::render::clean;
use crate::cli::terminal::print_done;
use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_base::sanitize::{CsvStyle, plural};
use moldloft_export::export::{self, ExportOptions};
use moldloft_library::chart::{ImpactBars, ImpactChart, chart_scene, impact_pages};
use moldloft_library::print::PrintedPages;
use moldloft_library::store;

use super::{export::rows_to_csv, html, text};
use moldloft_library::library::{ImpactKind, ImpactRow};

/// The most ships of a fleet in a chart.
const MAX_SHIPS: usize = 60;

fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
}

/// # Errors
/// `unknown-format` for another kind of file.
pub fn check_format(path: &Path) -> Result<(), Finding> {
    if has_extension(path, "csv") || has_extension(path, "html") {
        return Ok(());
    }
    let help = "use a file name that ends in .svg, .pdf, .png, .html or .csv";
    export::format_for_path(path).map(drop).map_err(|finding| finding.help(help))
}

/// # Errors
/// When the file cannot be written.
pub fn write_impact(
    path: &Path,
    titles: [&str; 2],
    rows: &[ImpactRow],
    foreign: usize,
    style: CsvStyle,
) -> Result<(), Finding> {
    let bytes = if has_extension(path, "csv") {
        style.file_bytes(&rows_to_csv(rows))
    } else if has_extension(path, "html") {
        html::impact_page(titles, rows, foreign).into_bytes()
    } else {
        return write_chart(path, titles, rows, foreign);
    };
    store::save(path, &bytes)?;
    let what =
        if rows.len() == 1 { "1 design or fleet".to_owned() } else { format!("{} designs and fleets", rows.len()) };
    print_done(&format!("{}: {what}\n", clean(&path.to_string_lossy())))
}

fn write_chart(path: &Path, titles: [&str; 2], rows: &[ImpactRow], foreign: usize) -> Result<(), Finding> {
    let [before, after] = titles.map(clean);
    let chart = ImpactChart {
        title: "Impact of other rules".to_owned(),
        subtitle: vec![before, format!("→ {after}")],
        rows: rows
            .iter()
            .flat_map(|row| std::iter::once(row).chain(row.ships.iter().take(MAX_SHIPS)))
            .map(bars)
            .collect(),
        changes: text::all_changes(rows),
        summary: text::summary_text(rows, foreign).lines().map(str::to_owned).collect(),
    };
    let pages = impact_pages(&chart);
    let contents = plural(pages.len(), "page");
    let mut printed = PrintedPages { scene: chart_scene(&chart.title, pages), contents, ..PrintedPages::default() };
    let progress = Progress::default();
    let format = export::format_for_path(path)?;
    let files = printed.write(path.to_path_buf(), format, &ExportOptions::default(), &progress)?;
    files.save(&progress)?;
    print_done(&format!("{}: {}\n", files.names(), files.summary))
}

fn bars(row: &ImpactRow) -> ImpactBars {
    let name = clean(if row.name.is_empty() { &row.file } else { &row.name });
    ImpactBars {
        // A ship of the fleet above it.
        name: if row.kind == ImpactKind::Ship { format!("– {name}") } else { name },
        before: row.before.points,
        after: row.after.points,
        difference: text::signed_text(row.difference()),
        verdict: row.verdict().to_owned(),
        reasons: text::reasons(row),
    }
}
