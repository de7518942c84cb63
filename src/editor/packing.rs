//! Printing fleets from the window: takes fleets that are mustered and what the print dialog asks, makes the pack that `moldloft pack` makes, byte
//! for byte. What is printed is for `press`; nothing is laid out here.

use std::path::PathBuf;
use std::sync::Arc;

use crate::export;
use crate::finding::Finding;
use crate::library::Mustered;
use crate::press::{self, Order, PackOrder, many};
use crate::progress::Progress;
use crate::sheet::Backs;
use crate::store::Store;

use super::doc::Doc;
use super::printing::{Made, Options, Told};
use super::state::State;

/// The fleets that are printed: the one before the player, or all that are open. None when no fleet is before the player.
pub fn fleets(state: &State, all: bool) -> Option<Vec<Arc<Mustered>>> {
    let here = state.doc()?.fleet()?;
    let open = state.docs.iter().filter_map(Doc::fleet).map(|fleet| fleet.mustered.clone());
    Some(if all { open.collect() } else { vec![here.mustered.clone()] })
}

/// Makes the files.
///
/// # Errors
/// What is told when there is nothing to print.
pub fn make(
    store: &Store,
    fleets: &[Arc<Mustered>],
    options: &Options,
    order: Order,
    path: PathBuf,
    progress: &Progress,
) -> Result<Made, Told> {
    let mut findings = Vec::new();
    let mut ready = Vec::with_capacity(fleets.len());
    for fleet in fleets {
        let name = fleet.name();
        for one in &fleet.left_out {
            findings.push(Finding::error("left-out", format!("skipped {} of {name}", one.name)));
        }
        if fleet.units.is_empty() {
            let finding = Finding::error("empty-fleet", format!("{name} has no printable ships"));
            findings.push(finding.help("list its ships as `[[ship]]`"));
        } else {
            ready.push(Mustered::clone(fleet));
        }
    }
    let nothing = |findings: Vec<Finding>| Told { words: "Nothing was printed.".into(), written: false, findings };
    if ready.is_empty() {
        return Err(nothing(findings));
    }
    let format = path.extension().and_then(|ending| ending.to_str()).and_then(export::format);
    let format = format.unwrap_or_else(|| options.format());
    let backs = if options.single_sided && order.backs == Backs::Duplex { Backs::Fold } else { order.backs };
    let order = PackOrder {
        order: Order { backs, ..order },
        parts: options.parts.clone(),
        // Where every page is a file of its own, there are no backs to keep free.
        single_sided: options.single_sided || format.page_by_page,
    };
    let mut packed = press::pack(store, &ready, &order, progress);
    findings.extend(packed.findings);
    if packed.scene.pages.is_empty() {
        findings.push(press::no_page());
        return Err(nothing(findings));
    }
    let files = match press::files(&mut packed.scene, format, &options.files(), progress) {
        Ok(files) => files,
        Err(finding) => {
            findings.push(finding);
            return Err(nothing(findings));
        }
    };
    let there = press::there_already(&path, files.len());
    let filled = press::filled_in(&path, files.len());
    let (fleets, ships) = (many(ready.len(), "fleet"), many(packed.units, "ship"));
    let what = format!("{fleets}, {ships} on {}", many(packed.scene.pages.len(), "page"));
    Ok(Made { path, files, what, findings, there, filled })
}
