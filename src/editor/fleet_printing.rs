//! Printing fleets from the window: takes fleets that are mustered and what the print dialog asks, makes the pack that `moldloft pack` makes, byte
//! for byte. What is printed is for `press`; nothing is laid out here.

use std::path::PathBuf;
use std::sync::Arc;

use crate::export;
use crate::finding::Finding;
use crate::library::EvaluatedFleet;
use crate::print::{self, PackOptions, PrintOptions, plural};
use crate::progress::Progress;
use crate::sheet::Backs;
use crate::store::Store;

use super::doc::Doc;
use super::printing::{PrintReport, PrintSettings, PrintedFiles};
use super::state::EditorState;

/// The fleets that are printed: the one before the player, or all that are open. None when no fleet is before the player.
pub fn fleets_to_print(state: &EditorState, all: bool) -> Option<Vec<Arc<EvaluatedFleet>>> {
    let here = state.current_doc()?.as_fleet()?;
    let open = state.docs.iter().filter_map(Doc::as_fleet).map(|fleet| fleet.evaluated.clone());
    Some(if all { open.collect() } else { vec![here.evaluated.clone()] })
}

/// Makes the files.
///
/// # Errors
/// What is told when there is nothing to print.
pub fn make_pack(
    store: &Store,
    fleets: &[Arc<EvaluatedFleet>],
    options: &PrintSettings,
    order: PrintOptions,
    path: PathBuf,
    progress: &Progress,
) -> Result<PrintedFiles, PrintReport> {
    let mut findings = Vec::new();
    let mut ready = Vec::with_capacity(fleets.len());
    for fleet in fleets {
        let name = fleet.name();
        for one in &fleet.skipped {
            findings.push(Finding::error("left-out", format!("skipped {} of {name}", one.name)));
        }
        if fleet.units.is_empty() {
            let finding = Finding::error("empty-fleet", format!("{name} has no printable ships"));
            findings.push(finding.help("list its ships as `[[ship]]`"));
        } else {
            ready.push(EvaluatedFleet::clone(fleet));
        }
    }
    let nothing =
        |findings: Vec<Finding>| PrintReport { summary: "Nothing was printed.".into(), any_written: false, findings };
    if ready.is_empty() {
        return Err(nothing(findings));
    }
    let format = path.extension().and_then(|ending| ending.to_str()).and_then(export::format_for);
    let format = format.unwrap_or_else(|| options.format());
    let backs = if options.single_sided && order.backs == Backs::Duplex { Backs::Fold } else { order.backs };
    let order = PackOptions {
        print: PrintOptions { backs, ..order },
        parts: options.parts.clone(),
        // Where every page is a file of its own, there are no backs to keep free.
        single_sided: options.single_sided || format.page_by_page,
    };
    let mut packed = print::lay_out_pack(store, &ready, &order, progress);
    findings.extend(packed.findings);
    if packed.scene.pages.is_empty() {
        findings.push(print::no_page_finding());
        return Err(nothing(findings));
    }
    let files = match print::write_bytes(&mut packed.scene, format, &options.export_options(), progress) {
        Ok(files) => files,
        Err(finding) => {
            findings.push(finding);
            return Err(nothing(findings));
        }
    };
    let there = print::existing_files(&path, files.len());
    let filled = print::filled_form_warnings(&path, files.len());
    let (fleets, ships) = (plural(ready.len(), "fleet"), plural(packed.units, "ship"));
    let what = format!("{fleets}, {ships} on {}", plural(packed.scene.pages.len(), "page"));
    Ok(PrintedFiles { path, files, summary: what, findings, existing: there, filled_forms: filled })
}
