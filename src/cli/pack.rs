//! `moldloft pack`: everything that fleets need on the table, in one file.

use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::finding::{Finding, Severity, nearest};
use crate::library::Mustered;
use crate::press::{self, List, Order, PackOrder, Part, What};
use crate::progress::Progress;
use crate::sheet::Backs;
use crate::store::{self, Store};

use super::chits::Form;
use super::load::{Item, Job, Rules, load};
use super::output::Output;
use super::{Outcome, complain, say};

/// Print the table pack of fleets: roster, summary for the opponent, control sheets, counters, order logs, reference sheets
///
/// The pages of each fleet are kept together, so that each side can be handed its own; the reference sheets of the games come last, once.
/// FILE.csv or FILE.json gets only the roster, as a table.
#[derive(clap::Args)]
pub struct Args {
    /// Fleet files or folders; several fleets make a battle pack
    #[arg(required = true, value_name = "FLEET")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    output: Output,
    /// Print only these parts: roster, summary, sheets, chits, logs, reference
    #[arg(long, value_name = "PART,…", value_delimiter = ',', value_parser = part)]
    only: Vec<Part>,
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
    form: Form,
    #[command(flatten)]
    rules: Rules,
}

fn part(word: &str) -> Result<Part, String> {
    let word = word.trim();
    let known = Part::ALL.iter().find(|(_, known)| known.eq_ignore_ascii_case(word));
    known.map(|(part, _)| *part).ok_or_else(|| {
        let names = Part::ALL.map(|(_, name)| name);
        let near = nearest(word, names).map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
        format!("unknown part `{word}`{near}; available parts: {}", names.join(", "))
    })
}

/// Runs it.
///
/// # Errors
/// A finding when it cannot run.
pub fn run(store: &Store, arguments: &Args) -> Result<Outcome, Finding> {
    let extension = arguments.output.output.extension().and_then(|extension| extension.to_str());
    let list = extension.and_then(List::of);
    let format = match list {
        Some(_) => None,
        None => Some(arguments.output.format().map_err(|finding| {
            let help = finding.help.clone().unwrap_or_default();
            finding.help(format!("{help}, or .csv or .json for only the roster"))
        })?),
    };
    arguments.output.font.load()?;
    let job = load(store, &arguments.paths, &arguments.form.rules(&arguments.rules))?;
    let (fleets, mut errors) = match fleets(job) {
        Ok(fleets) => fleets,
        Err(outcome) => return Ok(outcome),
    };
    let units: usize = fleets.iter().map(|fleet| fleet.units.len()).sum();
    let what = format!("{}, {}", press::many(fleets.len(), "fleet"), press::many(units, "ship"));
    if let Some(list) = list {
        store::save(&arguments.output.output, &list.write(&fleets)?)?;
        say(&format!("{}: the roster of {what}\n", arguments.output.output.display()))?;
        return Ok(Outcome::of(errors));
    }
    let backs = match arguments.form.back.backs() {
        Backs::Duplex if arguments.single_sided => Backs::Fold,
        backs => backs,
    };
    let bed = arguments.output.lie.bed(arguments.form.offset)?;
    let order = PackOrder {
        order: Order { what: What::Sheets, bed, large_print: arguments.large_print, copies: arguments.copies, backs },
        parts: arguments.only.iter().copied().collect::<BTreeSet<_>>(),
        // Where every page is a file of its own, there are no backs to keep free.
        single_sided: arguments.single_sided || format.is_some_and(|format| format.page_by_page),
    };
    let progress = Progress::default();
    let mut packed = shown(&progress, || press::pack(store, &fleets, &order, &progress));
    drop(fleets);
    complain(&packed.findings);
    if packed.scene.pages.is_empty() {
        complain(&[press::no_page()]);
        return Ok(Outcome::Errors);
    }
    errors |= press::has_errors(&packed.findings);
    let blanks = match packed.blanks {
        0 => String::new(),
        1 => ", with 1 blank back".to_owned(),
        many => format!(", with {many} blank backs"),
    };
    shown(&progress, || {
        let what = format!("{what}{blanks}");
        arguments.output.write_watched(&mut packed.scene, &what, arguments.fillable, &progress)
    })?;
    Ok(Outcome::of(errors))
}

/// The fleets of a job; what was found is written to standard error, notes left out, and what is left out is named.
///
/// # Errors
/// The outcome when there is no fleet with a ship at all.
fn fleets(job: Job) -> Result<(Vec<Mustered>, bool), Outcome> {
    let mut errors = job.has_errors();
    let nothing = job.is_nothing();
    complain(&job.beside);
    let mut fleets = Vec::new();
    for item in job.items {
        let worth: Vec<Finding> =
            item.findings().into_iter().filter(|finding| finding.severity < Severity::Info).cloned().collect();
        complain(&worth);
        match item {
            Item::Fleet(fleet) => {
                for one in &fleet.left_out {
                    let message = format!("skipped {} in {}", one.name, fleet.name());
                    complain(&[Finding::error("left-out", message)]);
                }
                if fleet.units.is_empty() && fleet.ruleset.is_some() && fleet.left_out.is_empty() {
                    let message = format!("nothing to print: {} has no ships", fleet.name());
                    complain(&[Finding::error("empty-fleet", message).help("list its ships as [[ship]]")]);
                    errors = true;
                }
                if !fleet.units.is_empty() {
                    fleets.push(*fleet);
                }
            }
            Item::Design(design) => {
                let message = "expected a fleet, found a design".to_owned();
                let mut finding = Finding::error("not-a-fleet", message).help("print it with `moldloft print`");
                finding.at.file = Some(design.file.clone());
                complain(&[finding]);
                errors = true;
            }
            Item::Unread(..) => {}
        }
    }
    if fleets.is_empty() {
        complain(&[Finding::error("nothing-to-print", "cannot print any of these fleets")]);
        return Err(if nothing { Outcome::Nothing } else { Outcome::Errors });
    }
    Ok((fleets, errors))
}

/// Does a piece of work and shows meanwhile how far it is, if anybody sits at a terminal.
fn shown<T>(progress: &Progress, work: impl FnOnce() -> T) -> T {
    const BETWEEN: Duration = Duration::from_millis(120);
    if !std::io::stderr().is_terminal() {
        return work();
    }
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watch = || {
            let mut said = 0;
            while !done.load(Ordering::Relaxed) {
                std::thread::park_timeout(BETWEEN);
                let (so_far, of) = progress.so_far();
                if of > 0 && !done.load(Ordering::Relaxed) {
                    let words = format!("{} {so_far} of {of}", progress.counts());
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
        assert_eq!(part("Sheets"), Ok(Part::Sheets));
        let told = part("sheet").unwrap_err();
        assert!(told.contains("did you mean `sheets`?") && told.contains("reference"), "{told}");
        assert!(part("").is_err());
    }
}
