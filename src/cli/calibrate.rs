//! `moldloft calibrate`: makes the test page for a printer, and stores what was measured.

use std::fmt::Write;
use std::path::PathBuf;

use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_export::export;
use moldloft_library::print::{self, MeasuredPrinter, Printer, Printers};
use moldloft_library::store::{self, Store, settings_folder};
use moldloft_sheet::sheet::{DuplexEdge, Margins, PageSetup, Paper};

use super::language_arg::LanguageArg;
use super::outcome::RunOutcome;
use super::page_args::{DuplexEdgeArg, parse_offset};
use super::terminal::{print_done, print_findings, print_stdout};

#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
pub struct CalibrateArgs {
    /// Write the calibration page to this .pdf, .svg or .png file; with --printer, corrected for that printer
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Paper of the calibration page: a4, letter, a5, a3, legal, tabloid, or a size such as 200x300mm
    #[arg(long, default_value = "a4", value_name = "PAPER", value_parser = |text: &str| text.parse::<Paper>())]
    paper: Paper,
    /// Edge along which the printer turns the paper for the second side
    #[arg(long, value_enum, value_name = "EDGE")]
    turn: Option<DuplexEdgeArg>,
    /// Name of the printer
    #[arg(long, value_name = "NAME")]
    printer: Option<String>,
    /// Measured lengths of the rulers, across and down, in mm, such as 196.5x248
    #[arg(long, value_name = "WxH", requires = "printer", value_parser = parse_measured)]
    measured: Option<(f32, f32)>,
    /// Position of the cross on the scales of the back, such as 0.5,-1
    #[arg(long, value_name = "X,Y", requires = "printer", value_parser = parse_offset, allow_hyphen_values = true)]
    back: Option<(f32, f32)>,
    /// White margins of the printer in mm: one number, or four clockwise from the top
    #[arg(long, value_name = "MM", requires = "printer", value_parser = |text: &str| text.parse::<Margins>())]
    margin: Option<Margins>,
    /// List the stored printers
    #[arg(long, exclusive = true)]
    list: bool,
    /// Remove a stored printer
    #[arg(long, value_name = "NAME", exclusive = true)]
    forget: Option<String>,
    #[command(flatten)]
    language: LanguageArg,
}

/// # Errors
/// A finding when the command cannot run.
pub fn run(store: &Store, arguments: &CalibrateArgs) -> Result<RunOutcome, Finding> {
    let words = arguments.language.program_words(store)?;
    let folder = settings_folder();
    // Locked from reading to writing, so that concurrent changes of printers are not lost.
    let CalibrateArgs { measured, back, margin, .. } = arguments;
    let has_measurements = measured.is_some() || back.is_some() || margin.is_some();
    let changes = arguments.forget.is_some() || (arguments.printer.is_some() && has_measurements);
    let _lock = match folder.as_deref().filter(|_| changes) {
        Some(folder) => {
            store::make_folder(folder)?;
            Some(store::Lock::for_folder(folder)?)
        }
        None => None,
    };
    let (mut printers, finding) = Printers::load(folder.as_deref());
    print_findings(finding.as_slice());
    let keep = |printers: &Printers| match &folder {
        Some(folder) => printers.save(folder),
        None => Err(Finding::error("no-settings-folder", "cannot store printers: this system has no settings folder")),
    };
    if arguments.list {
        return print_printers(&printers).map(|()| RunOutcome::Success);
    }
    if let Some(name) = &arguments.forget {
        printers.remove(name)?;
        keep(&printers)?;
        print_done(&format!("removed {name}\n"))?;
        return Ok(RunOutcome::Success);
    }
    if let Some(name) = arguments.printer.as_ref().filter(|_| has_measurements) {
        let turn = arguments.turn.map(DuplexEdgeArg::to_duplex_edge);
        let measured = MeasuredPrinter { lengths: *measured, back: *back, margin: *margin, turn };
        let printer = printers.measure(name, arguments.paper, &measured)?;
        keep(&printers)?;
        print_calibration(&printer)?;
    }
    let Some(output) = &arguments.output else {
        if !has_measurements {
            let finding = Finding::error("nothing-to-do", "missing a file for the calibration page or a measurement");
            return Err(finding
                .help("write the page with -o page.pdf; store measurements with --printer NAME --measured 196.5x248"));
        }
        return Ok(RunOutcome::Success);
    };
    let printer = arguments.printer.as_ref().map(|name| printers.require(name)).transpose()?;
    let own_turn = printer.map(|printer| printer.turn).unwrap_or_default();
    let turn = arguments.turn.map_or(own_turn, DuplexEdgeArg::to_duplex_edge);
    let page_setup = PageSetup::from(arguments.paper).turn(turn);
    let mut pages = print::calibration_pages(page_setup, printer, &next_step(&page_setup, printer), words.as_ref())?;
    let progress = Progress::default();
    let files = pages.write(output.clone(), export::format_for_path(output)?, &Default::default(), &progress)?;
    files.save_unless_kept(&progress)?;
    print_done(&format!("{}: calibration page for {} paper\n", files.names(), page_setup.paper))?;
    Ok(RunOutcome::Success)
}

/// What the page says about the command line.
fn next_step(page_setup: &PageSetup, printer: Option<&Printer>) -> String {
    let turn = if page_setup.turn == DuplexEdge::Short { " --turn short" } else { "" };
    let paper = page_setup.paper.id();
    match printer {
        None => format!(
            "Then run: moldloft calibrate --printer NAME --paper {paper}{turn} --measured ACROSSxDOWN --back RIGHT,DOWN --margin MM"
        ),
        Some(printer) => format!(
            "This page is corrected for “{}”: all sizes should match. If not, print one without --printer, and measure that.",
            printer.name
        ),
    }
}

fn print_printers(printers: &Printers) -> Result<(), Finding> {
    let mut text = String::new();
    for printer in &printers.printers {
        let _ = writeln!(text, "{} (measured on {})\n  {}", printer.name, printer.paper, printer.summary());
    }
    if text.is_empty() {
        text.push_str("no printers stored; write a calibration page with `moldloft calibrate -o page.pdf`\n");
    }
    print_stdout(&text)
}

fn print_calibration(printer: &Printer) -> Result<(), Finding> {
    let mut text = format!("{}: {}\n", printer.name, printer.summary());
    if printer.has_scale_error() {
        text.push_str("A printer that scales is usually set to “fit to page”: set it to 100 % (“actual size”) if possible, and measure again.\n");
    }
    let _ = writeln!(
        text,
        "Print with --printer “{}”; check the correction with `moldloft calibrate -o page.pdf --printer “{0}”`.",
        printer.name
    );
    print_stdout(&text)
}

/// `196.5x248`.
fn parse_measured(text: &str) -> Result<(f32, f32), String> {
    let plain = text.trim().trim_end_matches("mm").trim();
    let number = |text: &str| text.trim().trim_end_matches("mm").trim().replace(',', ".").parse::<f32>().ok();
    let pair = plain.split_once(['x', '×', '*']).and_then(|(x, y)| Some((number(x)?, number(y)?)));
    pair.ok_or_else(|| "expected two lengths in mm, across and down, such as 196.5x248".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measurements_are_two_lengths() {
        assert_eq!(parse_measured("196.5x248"), Ok((196.5, 248.0)));
        assert_eq!(parse_measured("196,5 mm × 248 mm"), Ok((196.5, 248.0)));
        for wrong in ["", "196.5", "196.5x", "axb", "196.5;248"] {
            assert!(parse_measured(wrong).is_err(), "{wrong}");
        }
    }
}
