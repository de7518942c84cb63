//! Arguments for arcs and courses to cut out, shared by the commands that print them.

use moldloft_sheet::sheet::{ARCS, COURSES, Gauges, MapGauge, RADII};

#[derive(clap::Args)]
pub struct GaugeArgs {
    /// Arcs of fire to cut out, in degrees, such as 60,120,180
    #[arg(long, value_name = "DEGREES,…", value_delimiter = ',', value_parser = parse_arc)]
    arcs: Vec<MapGauge>,
    /// A disc to cut out with so many courses, such as 6 for hexes or 12 for a clock
    #[arg(long, value_name = "N", value_parser = parse_courses)]
    courses: Option<MapGauge>,
    /// Radius of arcs and courses in mm [default: 75, or what the paper holds]
    #[arg(long, value_name = "MM", value_parser = parse_radius)]
    radius: Option<f32>,
}

impl GaugeArgs {
    pub fn gauges(&self) -> Gauges {
        Gauges { gauges: self.arcs.iter().copied().chain(self.courses).collect(), radius: self.radius }
    }
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
