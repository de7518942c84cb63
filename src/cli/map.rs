//! `moldloft map`: prints maps of hexes or squares, and arcs and courses to cut out.

use crate::finding::Finding;
use crate::print::{PrintedPages, map_pages};
use crate::sheet::{ARCS, COURSES, Gauges, MapGauge, MapGrid, RADII, parse_pages};

use super::load::JobStatus;
use super::outcome::RunOutcome;
use super::output::OutputArgs;

/// Print a map of hexes or squares at an exact size, and arcs and courses to cut out
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
    /// Arcs of fire to cut out, in degrees, such as 60,120,180
    #[arg(long, value_name = "DEGREES,…", value_delimiter = ',', value_parser = parse_arc)]
    arcs: Vec<MapGauge>,
    /// A disc to cut out with so many courses, such as 6 for hexes or 12 for a clock
    #[arg(long, value_name = "N", value_parser = parse_courses)]
    courses: Option<MapGauge>,
    /// Radius of arcs and courses in mm
    #[arg(long, value_name = "MM", default_value_t = 75.0, value_parser = parse_radius)]
    radius: f32,
}

fn parse_arc(text: &str) -> Result<MapGauge, String> {
    let degrees = text.trim().trim_end_matches('°').parse::<f32>().ok().filter(|n| (ARCS.0..=ARCS.1).contains(n));
    degrees.map(MapGauge::Arc).ok_or_else(|| format!("expected degrees from {} to {}", ARCS.0, ARCS.1))
}

fn parse_courses(text: &str) -> Result<MapGauge, String> {
    let count = text.trim().parse::<u8>().ok().filter(|n| (COURSES.0..=COURSES.1).contains(n));
    count.map(MapGauge::Courses).ok_or_else(|| format!("expected a number from {} to {}", COURSES.0, COURSES.1))
}

fn parse_radius(text: &str) -> Result<f32, String> {
    let radius = text.trim().parse::<f32>().ok().filter(|mm| (RADII.0..=RADII.1).contains(mm));
    radius.ok_or_else(|| format!("expected a number of mm from {} to {}", RADII.0, RADII.1))
}

/// # Errors
/// A finding when the command cannot run.
pub fn run(arguments: &MapArgs) -> Result<RunOutcome, Finding> {
    arguments.output.format()?;
    arguments.output.font.load()?;
    let page_setup = arguments.output.page.to_page_setup(None)?;
    let map = arguments.grid.map(|grid| MapGrid { pages: arguments.pages, numbered: arguments.numbers, ..grid });
    let gauges = arguments.arcs.iter().copied().chain(arguments.courses).collect();
    let gauges = Gauges { gauges, radius: arguments.radius };
    let pages: PrintedPages = map_pages(map.as_ref(), &gauges, &page_setup)?;
    arguments.output.print_pages(false, JobStatus::default(), |_| pages)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_out_of_range_are_refused() {
        assert_eq!((parse_arc("60°"), parse_courses(" 12 ")), (Ok(MapGauge::Arc(60.0)), Ok(MapGauge::Courses(12))));
        assert_eq!(parse_radius("75.5"), Ok(75.5));
        for wrong in ["", "0", "361", "nan", "x"] {
            assert!(parse_arc(wrong).is_err() && parse_courses(wrong).is_err(), "{wrong}");
        }
        assert!(parse_radius("19").is_err() && parse_radius("inf").is_err());
    }
}
