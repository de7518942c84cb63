//! The arguments of `moldloft odds`.

use std::path::PathBuf;

use crate::cli::csv_args::CsvArgs;
use crate::cli::font_args::FontArgs;
use crate::cli::language_arg::LanguageArg;
use moldloft_sheet::sheet::Paper;

#[derive(clap::Args)]
pub struct OddsArgs {
    /// Design or fleet files, or folders
    #[arg(required = true, value_name = "DESIGN")]
    pub paths: Vec<PathBuf>,
    /// Fire at this design, or at each class of this fleet: a file, or a name in the library [default: a sister ship]
    #[arg(long, value_name = "DESIGN|FLEET", conflicts_with = "matrix")]
    pub against: Option<PathBuf>,
    /// What the table decides, such as aspect=forward
    #[arg(long = "with", value_name = "NAME=VALUE")]
    pub with: Vec<String>,
    /// Same as --with range=N
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub range: Option<String>,
    /// Show the figures over all values of a situation, or from A to B [default: the axis of the rules]
    #[arg(long, value_name = "NAME[=A..B]", num_args = 0..=1, default_missing_value = "", conflicts_with = "matrix")]
    pub over: Option<String>,
    /// Fire for so many turns: how soon each ship destroys the other
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200), conflicts_with = "matrix")]
    pub turns: Option<u32>,
    /// Let both ships fire until one is out, each as hurt as it is by then
    #[arg(long, conflicts_with = "matrix")]
    pub duel: bool,
    /// Compare all designs with all
    #[arg(long)]
    pub matrix: bool,
    /// Let each firing ship choose what does most of this situation, such as bearing [default: the first with options]
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "", requires = "matrix")]
    pub best: Option<String>,
    /// Count only this attack, of both ships
    #[arg(long, value_name = "ID")]
    pub attack: Vec<String>,
    /// Use this ruleset instead of those the designs name; given twice, compare the first with the second
    #[arg(long, value_name = "ID")]
    pub rules: Vec<String>,
    /// Change a setting of the ruleset, such as mu=cm
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Print a JSON report
    #[arg(long, conflicts_with = "output")]
    pub json: bool,
    /// Write a chart to this .svg, .pdf or .png file, or a table to this .csv file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub csv: CsvArgs,
    /// Put charts on this paper: a4, letter, a5 … [default: a page as large as the chart]
    #[arg(long, value_name = "PAPER", value_parser = |text: &str| text.parse::<Paper>())]
    pub paper: Option<Paper>,
    /// Dots per inch of a PNG
    #[arg(long, value_name = "N", default_value_t = 150.0)]
    pub dpi: f32,
    #[command(flatten)]
    pub font: FontArgs,
    #[command(flatten)]
    pub language: LanguageArg,
}
