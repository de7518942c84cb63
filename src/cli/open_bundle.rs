//! Opening a stranger's bundle: lists what is in it and what differs from what the sender saw; writes it where asked.

use std::fmt::Write;
use std::path::Path;

use moldloft_base::finding::{Finding, Severity};
use moldloft_base::sanitize::plural;
use moldloft_library::exchange::bundle::{
    BundleFileKind, BundlePlan, BundleReview, FileAction, MAX_BUNDLE_BYTES, ReviewEntry, SharedBundle, bundle_of_text,
    is_bundle_text, plan_files, read_bundle, review_bundle_for,
};
use moldloft_library::store::{is_there, read_bytes};

use super::outcome::RunOutcome;
use super::render::{MAX_NAME_CHARS, clean};
use super::terminal::{print_findings, print_stdout};

/// What a zip begins with.
const ZIP_START: &[u8] = b"PK";
/// The most differences of one file that are listed.
const MAX_DIFFERENCES: usize = 12;

/// The bundle in a file, or in the argument itself; `None` if it is something else.
///
/// # Errors
/// What is wrong with a bundle.
pub fn bundle_in(argument: &Path) -> Result<Option<SharedBundle>, Finding> {
    if !is_there(argument) {
        let text = argument.to_string_lossy();
        return if is_bundle_text(&text) { bundle_of_text(&text).map(Some) } else { Ok(None) };
    }
    let named = argument.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("moldloft"));
    let bytes = match read_bytes(argument, MAX_BUNDLE_BYTES) {
        Ok(bytes) => bytes,
        Err(finding) if named => return Err(finding),
        Err(_) => return Ok(None),
    };
    match std::str::from_utf8(&bytes) {
        _ if bytes.starts_with(ZIP_START) => read_bundle(&bytes).map(Some),
        Ok(text) if named || is_bundle_text(text) => bundle_of_text(text).map(Some),
        _ if named => read_bundle(&bytes).map(Some),
        _ => Ok(None),
    }
}

/// # Errors
/// A finding when nothing could be written.
pub fn open_bundle(bundle: &SharedBundle, output: Option<&Path>) -> Result<RunOutcome, Finding> {
    let review = review_bundle_for(bundle, output);
    print_findings(&review.findings);
    let plan = output.map(|folder| plan_files(bundle, &review, folder));
    let mut out = heading(bundle, &review);
    for (n, entry) in review.entries.iter().enumerate() {
        let action = plan.as_ref().and_then(|plan| plan.files.get(n)).filter(|_| entry.is_in_bundle);
        append_entry(&mut out, entry, action.map(|planned| &planned.action));
    }
    for difference in &review.ruleset_differences {
        let _ = writeln!(out, "  differs: {}", clean(difference));
    }
    let _ = writeln!(out, "{}", review.verdict());
    match (output, &plan) {
        (Some(folder), Some(plan)) => out.push_str(&write(plan, folder)?),
        _ => out.push_str("nothing was written: -o FOLDER writes these files\n"),
    }
    print_stdout(&out)?;
    let findings = review.entries.iter().flat_map(|entry| &entry.findings);
    let is_refused = plan.iter().flat_map(|plan| &plan.files).any(|file| matches!(file.action, FileAction::Refused(_)));
    let has_errors = findings.chain(&review.findings).any(|finding| finding.severity == Severity::Error);
    Ok(RunOutcome::from_errors(has_errors || is_refused))
}

fn heading(bundle: &SharedBundle, review: &BundleReview) -> String {
    let name: String = review.name.chars().take(MAX_NAME_CHARS).collect();
    let program: String = review.program.chars().take(MAX_NAME_CHARS).collect();
    let heading = format!("{}: {}, written by {}\n", clean(&name), plural(bundle.files.len(), "file"), clean(&program));
    match bundle.left_aside.as_slice() {
        [] => heading,
        [first, ..] => {
            let count = plural(bundle.left_aside.len(), "file");
            format!("{heading}  left aside what another program added: {count}, such as {}\n", clean(first))
        }
    }
}

fn append_entry(out: &mut String, entry: &ReviewEntry, action: Option<&FileAction>) {
    let what = if entry.is_in_bundle { entry.kind.as_str() } else { "built in" };
    let _ = write!(out, "  {what:<10}  {}", clean(&entry.path));
    if let Some(result) = &entry.result {
        let name: String = result.name.chars().take(MAX_NAME_CHARS).collect();
        let _ = write!(out, "  {}", clean(&name));
        if let Some(points) = result.points {
            let _ = write!(out, ", {}", plural(points, "point"));
        }
        if !result.legal {
            out.push_str(", NOT LEGAL");
        }
    }
    match action {
        Some(FileAction::New) => out.push_str("  · new"),
        Some(FileAction::Present) => out.push_str("  · there already"),
        Some(FileAction::Renamed(to)) => {
            let why = match entry.kind {
                BundleFileKind::Template => "where your own sheets do not use it",
                _ => "since the name is in use",
            };
            let _ = write!(out, "  · as {}, {why}", clean(to));
        }
        Some(FileAction::Refused(why)) => {
            let _ = write!(out, "  · NOT WRITTEN: {}", clean(why));
        }
        None => {}
    }
    out.push('\n');
    for difference in entry.differences.iter().take(MAX_DIFFERENCES) {
        let _ = writeln!(out, "      differs: {}", clean(difference));
    }
    let more = entry.differences.len().saturating_sub(MAX_DIFFERENCES);
    if more > 0 {
        let _ = writeln!(out, "      and {}", plural(more, "more difference"));
    }
    for finding in entry.findings.iter().filter(|finding| finding.severity == Severity::Error) {
        let _ = writeln!(out, "      error[{}]: {}", clean(&finding.code), clean(&finding.message));
    }
}

fn write(plan: &BundlePlan, folder: &Path) -> Result<String, Finding> {
    print_findings(&plan.findings);
    let shown = clean(&folder.to_string_lossy());
    if plan.count() == 0 {
        return Ok(format!("nothing new for {shown}\n"));
    }
    let done = plan.write(folder)?;
    Ok(format!("wrote {} to {shown}\n", plural(done.written, "file")))
}
