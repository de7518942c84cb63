//! `moldloft damage`: shows the ticks of a filled form, or writes them to a fleet's file.

use std::path::{Path, PathBuf};

use moldloft_base::finding::{Cause, Finding};
use moldloft_base::sanitize::{id_as_words, plural};
use moldloft_export::filled_form::{self, FilledForm, FormUnit};
use moldloft_library::library::apply_form;
use moldloft_library::print::has_errors;
use moldloft_library::store::{self, ContentHash, Lock, Store};
use moldloft_sheet::sheet::mark_labels::split_mark_name;

use super::load::{JobItem, RulesetArgs, load};
use super::outcome::RunOutcome;
use super::render::clean;
use super::terminal::{print_findings, print_stdout};

#[derive(clap::Args)]
pub struct DamageArgs {
    /// The filled form
    #[arg(value_name = "FORM")]
    form: PathBuf,
    /// The fleet to update
    #[arg(value_name = "FLEET")]
    fleet: Option<PathBuf>,
    /// Write the fleet to another file
    #[arg(short, long, value_name = "FILE", requires = "fleet")]
    output: Option<PathBuf>,
    #[command(flatten)]
    rules: RulesetArgs,
}

/// # Errors
/// A finding when the command cannot run.
pub fn run(store: &Store, arguments: &DamageArgs) -> Result<RunOutcome, Finding> {
    let named = |mut finding: Finding| {
        finding.message = format!("{}: {}", arguments.form.display(), finding.message);
        finding
    };
    let bytes = store::read_bytes(&arguments.form, filled_form::MAX_BYTES)?;
    let form = filled_form::read(&bytes).map_err(named)?;
    drop(bytes);
    let Some(path) = &arguments.fleet else {
        print_stdout(&form_text(&form))?;
        return Ok(RunOutcome::Success);
    };
    // Locked from reading to writing, so that concurrent changes are not lost.
    let is_own = arguments.output.as_ref().is_none_or(|other| store::is_same(other, path));
    let lock = is_own.then(|| Lock::for_file(path)).transpose()?;
    // Hashed before evaluation, so that only this text is replaced.
    let (text, hash) = match store::read_hashed(path) {
        Ok((text, hash)) => (Some(text), Some(hash)),
        // A built-in fleet has no file, but can be written to another one.
        Err(finding) if finding.cause == Some(Cause::NoSuchFile) && arguments.output.is_some() => (None, None),
        Err(finding) => return Err(finding),
    };
    let job = load(store, std::slice::from_ref(path), &arguments.rules)?;
    print_findings(&job.general_findings);
    let fleet = match job.items.into_iter().next() {
        Some(JobItem::Fleet(fleet)) => fleet,
        Some(item) => {
            item.print_errors();
            let message = format!("cannot read {} as a fleet", path.display());
            return Err(Finding::error("not-a-fleet", message).help("ticked boxes are stored in the fleet file"));
        }
        None => return Err(Finding::error("not-a-fleet", format!("{} is not a fleet", path.display()))),
    };
    let text = text.unwrap_or_else(|| fleet.fleet.source.text.to_string());
    let marked = apply_form(&form, &fleet, &text).map_err(named)?;
    print_findings(&marked.findings);
    let errors = has_errors(&marked.findings);
    let mut out = String::new();
    for change in &marked.changes {
        out.push_str(&format!("{}: {}\n", clean(&change.ship), clean(&change.lines.join("; "))));
    }
    let target = arguments.output.as_ref().unwrap_or(path);
    if marked.changes.is_empty() {
        let ships = format!("its {}", plural(marked.ships, "ship"));
        let so = if errors {
            "what the form has was not read".to_owned()
        } else {
            format!("the form and the file agree on {ships}")
        };
        out.push_str(&format!("{}: no changes; {so}\n", path.display()));
    }
    match &arguments.output {
        None if marked.changes.is_empty() => {}
        None => {
            save_fleet(lock.as_ref(), path, &marked.text, hash)?;
            out.push_str(&format!("wrote {}\n", target.display()));
        }
        Some(other) => {
            if other.parent() != path.parent()
                && fleet
                    .fleet
                    .ships
                    .iter()
                    .any(|ship| ship.design.as_ref().is_some_and(|word| word.text.ends_with(".toml")))
            {
                let message = format!("{} is in another folder than {}", other.display(), path.display());
                print_findings(&[Finding::warning("fleet-moved", message)
                    .help("write it to the same folder, or fix the paths of its designs")]);
            }
            // The fleet's own file is protected by its hash; any other existing file is left unchanged.
            match hash.filter(|_| store::is_same(other, path)) {
                Some(hash) => save_fleet(lock.as_ref(), other, &marked.text, Some(hash))?,
                None => store::save_new(other, marked.text.as_bytes())?,
            }
            out.push_str(&format!("wrote {}\n", target.display()));
        }
    }
    print_stdout(&out)?;
    Ok(RunOutcome::from_errors(errors))
}

/// Writes the fleet's own file under the lock of its folder.
fn save_fleet(lock: Option<&Lock>, path: &Path, text: &str, hash: Option<ContentHash>) -> Result<(), Finding> {
    let done = match lock {
        Some(lock) => lock.save_over(path, text.as_bytes(), hash),
        None => store::save_over(path, text.as_bytes(), hash),
    };
    done.map(drop).map_err(Finding::from)
}

fn form_text(form: &FilledForm) -> String {
    let mut out = String::new();
    for unit in &form.units {
        let title = [&unit.title, &unit.key].into_iter().find(|words| !words.is_empty());
        let title = title.map_or("the sheet", |title| title);
        let of = if unit.fleet.is_empty() { String::new() } else { format!(" ({})", unit.fleet) };
        let count = match (unit.ticked(), unit.boxes.len()) {
            (_, 0) => "no boxes".to_owned(),
            (ticked, all) => format!("{ticked} of {} ticked", plural(all, "box")),
        };
        out.push_str(&clean(&format!("{title}{of}: {count}")));
        out.push('\n');
        for (stem, runs) in ticked_boxes(unit) {
            out.push_str(&clean(&format!("  {}: {runs}", id_as_words(&stem))));
            out.push('\n');
        }
        for written in unit.texts.iter().filter(|written| !written.text.trim().is_empty()) {
            let label = if written.label.is_empty() { &written.name } else { &written.label };
            out.push_str(&clean(&format!("  {label}: {}", written.text.trim().replace('\n', " / "))));
            out.push('\n');
        }
    }
    out
}

/// By label, in the form's order: `structure`, `1–12, 14`.
fn ticked_boxes(unit: &FormUnit) -> Vec<(String, String)> {
    let mut stems: Vec<(String, Vec<u32>)> = Vec::new();
    let mut places = std::collections::BTreeMap::new();
    for tick in unit.boxes.iter().filter(|tick| tick.ticked) {
        let (stem, n) = split_mark_name(&tick.name).map_or((&*tick.name, 0), |(stem, n)| (stem, n));
        let place = *places.entry(stem.to_owned()).or_insert(stems.len());
        if place == stems.len() {
            stems.push((stem.to_owned(), Vec::new()));
        }
        stems[place].1.push(n);
    }
    let words = |mut boxes: Vec<u32>| {
        boxes.sort_unstable();
        let runs = boxes.chunk_by(|a, b| a.saturating_add(1) == *b);
        let run = |run: &[u32]| match run {
            [0, ..] | [] => String::new(),
            [one] => one.to_string(),
            [first, .., last] => format!("{first}–{last}"),
        };
        runs.map(run).collect::<Vec<_>>().join(", ")
    };
    stems.into_iter().map(|(stem, boxes)| (stem, words(boxes))).collect()
}
