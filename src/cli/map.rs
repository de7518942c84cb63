//! `moldloft map`: prints maps of hexes or squares, and arcs and courses to cut out.

use moldloft_base::finding::Finding;
use moldloft_library::print::{PrintedPages, map_pages};
use moldloft_library::store::Store;
use moldloft_sheet::sheet::{MapGrid, parse_pages};

use super::gauge_args::GaugeArgs;
use super::language_arg::LanguageArg;
use super::load::JobStatus;
use super::outcome::RunOutcome;
use super::output::OutputArgs;

#[derive(clap::Args)]
pub struct MapArgs {
    /// The map: hex:25 for hexes of 25 mm from side to side, square:20 for squares of 20 mm
    #[arg(value_name = "GRID", required_unless_present_any = ["arcs", "courses"])]
    grid: Option<MapGrid>,
    #[command(flatten)]
    output: OutputArgs,
    /// Pages across and down that make one map, such as 2x3
    #[arg(long, value_name = "PAGES", default_value = "1x1", value_parser = parse_pages)]
    pages: (u16, u16),
    /// Number each cell by its column and row
    #[arg(long)]
    numbers: bool,
    #[command(flatten)]
    gauges: GaugeArgs,
    #[command(flatten)]
    language: LanguageArg,
}

/// # Errors
/// A finding when the command cannot run.
pub fn run(store: &Store, arguments: &MapArgs) -> Result<RunOutcome, Finding> {
    arguments.output.format()?;
    arguments.output.font.load()?;
    let words = arguments.language.program_words(store)?;
    let page_setup = arguments.output.page.to_page_setup(None)?;
    let map = arguments.grid.map(|grid| MapGrid { pages: arguments.pages, numbered: arguments.numbers, ..grid });
    let pages: PrintedPages = map_pages(map.as_ref(), &arguments.gauges.gauges(), &page_setup, words.as_ref())?;
    arguments.output.print_pages(false, JobStatus::default(), |_| pages)
}
