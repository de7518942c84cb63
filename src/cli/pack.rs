//! `moldloft pack`: prints everything that fleets need on the table, in one file.

use std::collections::BTreeSet;
use std::path::PathBuf;

use moldloft_base::finding::{Finding, nearest};
use moldloft_library::library::EvaluatedFleet;
use moldloft_library::print::{self, PackOptions, PackPart, PrintOptions, RosterFormat};
use moldloft_library::store::{self, Store};
use moldloft_sheet::sheet::{MapGrid, parse_pages};

use super::chit_args::ChitLayoutArgs;
use super::csv_args::CsvArgs;
use super::gauge_args::GaugeArgs;
use super::language_arg::LanguageArg;
use super::load::{JobItem, JobStatus, LoadedJob, RulesetArgs, load, load_with_attacks};
use super::outcome::RunOutcome;
use super::output::{OutputArgs, PageSelectionArg};
use super::terminal::{print_done, print_findings};

#[derive(clap::Args)]
pub struct PackArgs {
    /// Fleet files or folders; several fleets make a battle pack
    #[arg(required = true, value_name = "FLEET")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    selection: PageSelectionArg,
    /// Print only these parts: roster, summary, sheets, chits, logs, odds, reference, battle, scenario, rolls
    #[arg(long, value_name = "PART,…", value_delimiter = ',', value_parser = parse_part)]
    only: Vec<PackPart>,
    /// Leave out these of the usual parts, such as odds
    #[arg(long, value_name = "PART,…", value_delimiter = ',', value_parser = parse_part, conflicts_with = "only")]
    without: Vec<PackPart>,
    /// Print on one side of the paper: no blank backs, and counters to fold
    #[arg(long)]
    single_sided: bool,
    /// Print the reference sheets so many times, such as once for each side
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=20))]
    references: u32,
    /// Add a map: hex:25 for hexes of 25 mm from side to side, square:20 for squares of 20 mm
    #[arg(long, value_name = "GRID")]
    maps: Option<MapGrid>,
    /// Pages across and down of the map, such as 2x3
    #[arg(long, value_name = "PAGES", requires = "maps", default_value = "1x1", value_parser = parse_pages)]
    map_pages: (u16, u16),
    /// Number the cells of the map by their column and row
    #[arg(long, requires = "maps")]
    map_numbers: bool,
    #[command(flatten)]
    gauges: GaugeArgs,
    /// Number of packs, one after another
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    copies: u32,
    /// Print for tired eyes: no box under 4.1 mm, letters about a third larger
    #[arg(long)]
    large_print: bool,
    /// Print each ship's design as a QR code on its first page, where the template has a place for it; `import` reads its text
    #[arg(long)]
    qr: bool,
    /// Add each ship's load sheet, where its game has one: a place for the chit in every launcher and magazine
    #[arg(long)]
    loads: bool,
    /// Add each class's own ruler and the collar of its token, to cut out at true size
    #[arg(long)]
    rulers: bool,
    /// Write a PDF form to fill in on screen: tick boxes and text fields
    #[arg(long = "form")]
    fillable: bool,
    #[command(flatten)]
    csv: CsvArgs,
    #[command(flatten)]
    chit_layout: ChitLayoutArgs,
    #[command(flatten)]
    language: LanguageArg,
    #[command(flatten)]
    rules: RulesetArgs,
}

fn parse_part(word: &str) -> Result<PackPart, String> {
    let word = word.trim();
    let known = PackPart::ALL.iter().find(|(_, known)| known.eq_ignore_ascii_case(word));
    known.map(|(part, _)| *part).ok_or_else(|| {
        let names = PackPart::ALL.map(|(_, name)| name);
        let near = nearest(word, names).map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
        format!("unknown part `{word}`{near}; available parts: {}", names.join(", "))
    })
}

/// # Errors
/// A finding when the command cannot run.
pub fn run(store: &Store, arguments: &PackArgs) -> Result<RunOutcome, Finding> {
    let extension = arguments.output.output.extension().and_then(|extension| extension.to_str());
    let roster = extension.and_then(RosterFormat::from_extension);
    if roster.is_none() {
        arguments.output.format().map_err(|finding| {
            let help = finding.help.clone().unwrap_or_default();
            finding.help(format!("{help}, or .csv or .json for only the roster"))
        })?;
    }
    arguments.output.font.load()?;
    // Odds read the rules' attacks.
    let has_odds = arguments.only.is_empty() && !arguments.without.contains(&PackPart::Odds)
        || arguments.only.contains(&PackPart::Odds);
    let load = if has_odds { load_with_attacks } else { load };
    let job = load(
        store,
        &arguments.paths,
        &arguments.language.with_language(arguments.chit_layout.with_chit_size(&arguments.rules)),
    )?;
    let (fleets, status) = fleets_of_job(job);
    if let Some(roster) = roster {
        return write_roster(&fleets, roster, arguments, status);
    }
    let format = arguments.output.format()?;
    let options = PackOptions::default()
        .print(
            PrintOptions::default()
                .page_setup(arguments.output.page.to_page_setup(arguments.chit_layout.offset)?)
                .large_print(arguments.large_print)
                .copies(arguments.copies)
                .backs(arguments.chit_layout.back.backs())
                .qr(arguments.qr)
                .loads(arguments.loads)
                .rulers(arguments.rulers),
        )
        .parts(arguments.only.iter().copied().collect::<BTreeSet<_>>())
        .without(arguments.without.iter().copied().collect::<BTreeSet<_>>())
        .single_sided(arguments.single_sided)
        .references(arguments.references)
        .map(arguments.maps.map(|map| MapGrid { pages: arguments.map_pages, numbered: arguments.map_numbers, ..map }))
        .gauges(arguments.gauges.gauges());
    arguments.output.print_selected(&arguments.selection, arguments.fillable, status, move |progress| {
        print::print_fleets(store, &fleets, &options, format, progress)
    })
}

fn write_roster(
    fleets: &[EvaluatedFleet],
    format: RosterFormat,
    arguments: &PackArgs,
    status: JobStatus,
) -> Result<RunOutcome, Finding> {
    let path = &arguments.output.output;
    let roster = print::print_roster(fleets, format)?;
    print_findings(&roster.findings);
    let Some(bytes) = roster.bytes else { return Ok(status.without_pages()) };
    let bytes = match (format, std::str::from_utf8(&bytes)) {
        (RosterFormat::Csv, Ok(table)) => arguments.csv.style().file_bytes(table),
        _ => bytes,
    };
    store::save(path, &bytes)?;
    print_done(&format!("{}: the roster of {}\n", path.display(), roster.contents))?;
    Ok(RunOutcome::from_errors(status.has_errors || print::has_errors(&roster.findings)))
}

/// The fleets of a job; what was found is written to standard error, notes left out.
fn fleets_of_job(job: LoadedJob) -> (Vec<EvaluatedFleet>, JobStatus) {
    let mut status = job.status();
    print_findings(&job.general_findings);
    let mut fleets = Vec::new();
    for item in job.items {
        item.print_findings();
        match item {
            JobItem::Fleet(fleet) => fleets.push(*fleet),
            // That it cannot be read is said already.
            JobItem::Design(design) if design.design.is_none() => {}
            JobItem::Design(design) => {
                let mut finding = Finding::error("not-a-fleet", "expected a fleet, found a design")
                    .help("print it with `moldloft print`");
                finding.at.file = Some(design.file.clone());
                print_findings(&[finding]);
                status.has_errors = true;
            }
            JobItem::Unread(..) => {}
        }
    }
    (fleets, status)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_part_gets_the_nearest() {
        assert_eq!(parse_part("Sheets"), Ok(PackPart::Sheets));
        let message = parse_part("sheet").unwrap_err();
        assert!(message.contains("did you mean `sheets`?") && message.contains("reference"), "{message}");
        assert!(parse_part("").is_err());
    }
}
