//! `moldloft pack`: everything that fleets need on the table, in one file.

use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::finding::{Finding, Severity, nearest};
use crate::library::EvaluatedFleet;
use crate::print::{self, PackOptions, PackPart, PrintKind, PrintOptions, RosterFormat};
use crate::progress::Progress;
use crate::sheet::Backs;
use crate::store::{self, Store};

use super::chits::ChitLayoutArgs;
use super::load::{JobItem, LoadedJob, RulesetArgs, load};
use super::output::OutputArgs;
use super::{Outcome, print_findings, print_stdout};

/// Print the table pack of fleets: roster, summary for the opponent, control sheets, counters, order logs, reference sheets
///
/// The pages of each fleet are kept together, so that each side can be handed its own; the reference sheets of the games come last, once.
/// FILE.csv or FILE.json gets only the roster, as a table.
#[derive(clap::Args)]
pub struct PackArgs {
    /// Fleet files or folders; several fleets make a battle pack
    #[arg(required = true, value_name = "FLEET")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
    /// Print only these parts: roster, summary, sheets, chits, logs, reference
    #[arg(long, value_name = "PART,…", value_delimiter = ',', value_parser = parse_part)]
    only: Vec<PackPart>,
    /// Print on one side of the paper: no blank backs, and counters to fold
    #[arg(long)]
    single_sided: bool,
    /// Number of packs, one after another
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    copies: u32,
    /// Print every box and letter 1.3 times as large
    #[arg(long)]
    large_print: bool,
    /// Write a PDF form to fill in on screen: tick boxes and text fields
    #[arg(long = "form")]
    fillable: bool,
    #[command(flatten)]
    chit_layout: ChitLayoutArgs,
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

/// Runs it.
///
/// # Errors
/// A finding when it cannot run.
pub fn run(store: &Store, arguments: &PackArgs) -> Result<Outcome, Finding> {
    let extension = arguments.output.output.extension().and_then(|extension| extension.to_str());
    let list = extension.and_then(RosterFormat::from_extension);
    let format = match list {
        Some(_) => None,
        None => Some(arguments.output.format().map_err(|finding| {
            let help = finding.help.clone().unwrap_or_default();
            finding.help(format!("{help}, or .csv or .json for only the roster"))
        })?),
    };
    arguments.output.font.load()?;
    let job = load(store, &arguments.paths, &arguments.chit_layout.with_chit_size(&arguments.rules))?;
    let (fleets, mut errors) = match fleets_of_job(job) {
        Ok(fleets) => fleets,
        Err(outcome) => return Ok(outcome),
    };
    let units: usize = fleets.iter().map(|fleet| fleet.units.len()).sum();
    let what = format!("{}, {}", print::plural(fleets.len(), "fleet"), print::plural(units, "ship"));
    if let Some(list) = list {
        store::save(&arguments.output.output, &list.write(&fleets)?)?;
        print_stdout(&format!("{}: the roster of {what}\n", arguments.output.output.display()))?;
        return Ok(Outcome::from_errors(errors));
    }
    let backs = match arguments.chit_layout.back.backs() {
        Backs::Duplex if arguments.single_sided => Backs::Fold,
        backs => backs,
    };
    let bed = arguments.output.page.to_page_setup(arguments.chit_layout.offset)?;
    let order = PackOptions {
        print: PrintOptions {
            kind: PrintKind::Sheets,
            page_setup: bed,
            large_print: arguments.large_print,
            copies: arguments.copies,
            backs,
        },
        parts: arguments.only.iter().copied().collect::<BTreeSet<_>>(),
        // Where every page is a file of its own, there are no backs to keep free.
        single_sided: arguments.single_sided || format.is_some_and(|format| format.page_by_page),
    };
    let progress = Progress::default();
    let mut packed = run_with_progress(&progress, || print::lay_out_pack(store, &fleets, &order, &progress));
    drop(fleets);
    print_findings(&packed.findings);
    if packed.scene.pages.is_empty() {
        print_findings(&[print::no_page_finding()]);
        return Ok(Outcome::Errors);
    }
    errors |= print::has_errors(&packed.findings);
    let blanks = match packed.blank_backs {
        0 => String::new(),
        1 => ", with 1 blank back".to_owned(),
        many => format!(", with {many} blank backs"),
    };
    run_with_progress(&progress, || {
        let what = format!("{what}{blanks}");
        arguments.output.write_with_progress(&mut packed.scene, &what, arguments.fillable, &progress)
    })?;
    Ok(Outcome::from_errors(errors))
}

/// The fleets of a job; what was found is written to standard error, notes left out, and what is left out is named.
///
/// # Errors
/// The outcome when there is no fleet with a ship at all.
fn fleets_of_job(job: LoadedJob) -> Result<(Vec<EvaluatedFleet>, bool), Outcome> {
    let mut errors = job.has_errors();
    let nothing = job.is_empty();
    print_findings(&job.general_findings);
    let mut fleets = Vec::new();
    for item in job.items {
        let worth: Vec<Finding> =
            item.findings().into_iter().filter(|finding| finding.severity < Severity::Info).cloned().collect();
        print_findings(&worth);
        match item {
            JobItem::Fleet(fleet) => {
                for one in &fleet.skipped {
                    let message = format!("skipped {} in {}", one.name, fleet.name());
                    print_findings(&[Finding::error("left-out", message)]);
                }
                if fleet.units.is_empty() && fleet.ruleset.is_some() && fleet.skipped.is_empty() {
                    let message = format!("nothing to print: {} has no ships", fleet.name());
                    print_findings(&[Finding::error("empty-fleet", message).help("list its ships as [[ship]]")]);
                    errors = true;
                }
                if !fleet.units.is_empty() {
                    fleets.push(*fleet);
                }
            }
            JobItem::Design(design) => {
                let message = "expected a fleet, found a design".to_owned();
                let mut finding = Finding::error("not-a-fleet", message).help("print it with `moldloft print`");
                finding.at.file = Some(design.file.clone());
                print_findings(&[finding]);
                errors = true;
            }
            JobItem::Unread(..) => {}
        }
    }
    if fleets.is_empty() {
        print_findings(&[Finding::error("nothing-to-print", "cannot print any of these fleets")]);
        return Err(if nothing { Outcome::CannotRun } else { Outcome::Errors });
    }
    Ok((fleets, errors))
}

/// Does a piece of work and shows meanwhile how far it is, if anybody sits at a terminal.
fn run_with_progress<T>(progress: &Progress, work: impl FnOnce() -> T) -> T {
    const REDRAW_INTERVAL: Duration = Duration::from_millis(120);
    if !std::io::stderr().is_terminal() {
        return work();
    }
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watch = || {
            let mut said = 0;
            while !done.load(Ordering::Relaxed) {
                std::thread::park_timeout(REDRAW_INTERVAL);
                let (so_far, of) = progress.done_and_total();
                if of > 0 && !done.load(Ordering::Relaxed) {
                    let words = format!("{} {so_far} of {of}", progress.unit());
                    let mut out = std::io::stderr().lock();
                    let _ = write!(out, "\r{words:<width$}\r", width = said);
                    let _ = out.flush();
                    said = words.chars().count();
                }
            }
            if said > 0 {
                let _ = write!(std::io::stderr().lock(), "\r{:said$}\r", "");
            }
        };
        // Without a thread nothing is shown, and the work is done all the same.
        let watcher = std::thread::Builder::new().spawn_scoped(scope, watch);
        let result = work();
        done.store(true, Ordering::Relaxed);
        if let Ok(watcher) = watcher {
            watcher.thread().unpark();
        }
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_misspelt_is_told_the_nearest() {
        assert_eq!(parse_part("Sheets"), Ok(PackPart::Sheets));
        let told = parse_part("sheet").unwrap_err();
        assert!(told.contains("did you mean `sheets`?") && told.contains("reference"), "{told}");
        assert!(parse_part("").is_err());
    }
}
