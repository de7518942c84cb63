//! Checks a template against its ruleset: takes both, gives findings for drawings that are missing, required tracks
//! that no panel shows, and panels without room.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::icon::missing_in_text;
use super::prepare::{PanelCapacity, PreparedTemplate, prepare_template};
use super::template_cache::TemplateCache;
use crate::sheet::page_setup::paper::FULL_SHEET_AREA;
use crate::sheet::panels::panel::PanelShows;
use moldloft_base::finding::{Cause, Finding, Severity};
use moldloft_base::source::Span;
use moldloft_drawing::art::{CappedFindings, Template};
use moldloft_rules::ruleset::{Ruleset, SheetKind};

/// Finds required tracks that no panel of a design's sheet shows, among those that the ship `has`.
pub fn missing_required_tracks(
    prepared: &PreparedTemplate,
    ruleset: &Ruleset,
    has: impl Fn(&str) -> bool,
) -> Vec<Finding> {
    let shown = prepared.shown_tracks();
    ruleset
        .tracks
        .iter()
        .filter(|track| track.required && has(&track.id) && !shown.contains(&track.id))
        .map(|track| {
            let message = format!("no panel of {} shows the track `{}`", prepared.template.source.file, track.id);
            Finding::error("required-track-not-shown", message)
                .help(format!("add a rectangle labelled `panel: track {}`", track.id))
                .at(prepared.template.source.place(Span::default()))
        })
        .collect()
}

/// The icons that a ruleset names and the drawings that its sheets' panels show, each once, as far as they are known
/// without a ship.
pub fn drawing_files(ruleset: &Arc<Ruleset>, templates: &TemplateCache<'_>) -> Vec<Arc<str>> {
    let mut names: Vec<Arc<str>> = ruleset.systems.iter().filter_map(|system| system.icon.clone()).collect();
    names.extend(ruleset.silhouette.clone());
    let signs = ruleset.tracks.iter().flat_map(|track| &track.signs).map(|sign| &sign.icon);
    names.extend(signs.filter(|icon| icon.ends_with(".svg")).cloned());
    let sheets = templates.sheet_templates(ruleset);
    let sheets = sheets.iter().filter_map(|sheet| templates.prepared_template(ruleset, &sheet.name));
    for sheet in sheets {
        names.extend(sheet.panels.iter().flat_map(|placed| placed.panel.panel.files().to_vec()));
    }
    names.sort();
    names.dedup();
    names
}

/// The findings of `moldloft template check` for a sheet's template, and the capacities of its panels. `has` returns
/// whether a file is in the ruleset's templates folders; `tracks` are those that the designs on this sheet have, where
/// that is known.
pub fn check_sheet_template(
    template: &Arc<Template>,
    ruleset: &Ruleset,
    kind: SheetKind,
    has: &dyn Fn(&str) -> bool,
    tracks: Option<&BTreeSet<Arc<str>>>,
) -> (Vec<Finding>, Vec<PanelCapacity>) {
    let (prepared, compiling) = prepare_template(template, ruleset);
    let mut findings = CappedFindings::default();
    let (across, down) = (template.width.min(template.height), template.width.max(template.height));
    if across > FULL_SHEET_AREA.0 + 0.5 || down > FULL_SHEET_AREA.1 + 0.5 {
        let message = format!(
            "the sheet is {:.0} × {:.0} mm; the limit is {:.0} × {:.0} mm",
            template.width, template.height, FULL_SHEET_AREA.0, FULL_SHEET_AREA.1
        );
        let help = "make its page smaller, and move what is beyond it: printers leave a margin blank";
        findings
            .add(|| Finding::warning("sheet-too-large", message).help(help).at(template.source.place(Span::default())));
    }
    for finding in template.slots.iter().filter_map(|slot| missing_in_text(template, slot)) {
        findings.add(|| finding);
    }
    for placed in &prepared.panels {
        for file in placed.panel.panel.files().iter().filter(|file| !has(file)) {
            findings.add(|| {
                let message = format!("`{}`: no such template file `{file}`", placed.panel.label);
                let help = format!("add the file to templates/{}/, or fix its name", ruleset.id);
                let missing = Finding::caused(Cause::MissingTemplateFile, message).help(help);
                missing.topic(format!("{}/{file}", ruleset.id)).at(template.source.place_with_snippet(placed.span))
            });
        }
        if kind == SheetKind::Continuation
            && prepared.flow.is_some()
            && placed.panel.panel.shows() == PanelShows::Boxes
            && !placed.panel.panel.takes_leftovers()
        {
            let message =
                format!("`{}` prints nothing: a continuation sheet has no boxes of its own", placed.panel.label);
            let help = "move it to the ship's first sheet; what has no room there is printed in `panel: rest`";
            findings.add(|| {
                Finding::warning("boxes-on-continuation", message)
                    .help(help)
                    .at(template.source.place_with_snippet(placed.span))
            });
        }
        if kind != SheetKind::Continuation && placed.panel.panel.takes_leftovers() {
            let message = "`panel: rest` has no effect on the first sheet of a ship";
            let help = "move it to a sheet of kind = \"continuation\"";
            findings.add(|| {
                Finding::warning("rest-without-use", message)
                    .help(help)
                    .at(template.source.place_with_snippet(placed.span))
            });
        }
    }
    let rooms = prepared.panel_capacities();
    let boxed = prepared.fixed_box_panels();
    // A panel shown on a later page does not need room in its rectangle.
    for (room, (placed, _)) in
        rooms.iter().zip(boxed).filter(|(room, (placed, _))| room.boxes == 0 && !placed.panel.deferred)
    {
        let message = format!("`{}` has no room for a single box", room.label);
        let help = "make the rectangle larger: a box needs 3 × 3 mm, its heading 3 mm more";
        findings.add(|| {
            Finding::warning("panel-too-small", message).help(help).at(template.source.place_with_snippet(placed.span))
        });
    }
    if kind == SheetKind::Design {
        // With several sheets, one may be for ships that never have the track; printing checks each ship.
        let sheets = ruleset.sheets.iter().filter(|sheet| sheet.kind == SheetKind::Design).count();
        let tracks = tracks.filter(|_| sheets > 1);
        let mut missing =
            missing_required_tracks(&prepared, ruleset, |id| tracks.is_none_or(|tracks| tracks.contains(id)));
        for finding in missing.iter_mut().filter(|_| sheets > 1) {
            finding.severity = Severity::Warning;
        }
        findings.extend(missing);
    }
    let mut all = compiling;
    all.extend(findings.into_vec());
    (all, rooms)
}
