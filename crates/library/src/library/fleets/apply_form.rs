//! Applies a filled form to a fleet: takes the form and the evaluated fleet, gives the fleet's new text, the changes of
//! each ship, and findings for what does not fit. Changes only boxes that are in the form. Writes no file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use super::EvaluatedFleet;
use super::form_matching::{FleetIndex, MatchedUnits, UnitMatch};
use crate::store;
use moldloft_base::finding::{Advice, Cause, Finding, Place};
use moldloft_base::sanitize::{id_as_words, list_names, plural};
use moldloft_export::filled_form::{self, FilledForm, FilledText, FormUnit, TickBox};
use moldloft_rules::design::{Damage, Document, UnitPath};
use moldloft_rules::evaluate::{BoxKind, Evaluation, tick_marks};
use moldloft_sheet::sheet::mark_labels::{MarkLabels, split_mark_name};

#[derive(Clone, Debug, Default)]
pub struct AppliedForm {
    /// The fleet's file with the new boxes, unchanged bytes elsewhere.
    pub text: String,
    /// By ship.
    pub changes: Vec<ShipChange>,
    /// The number of the fleet's ships in the form.
    pub ships: usize,
    pub findings: Vec<Finding>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShipChange {
    /// The ship's title.
    pub ship: String,
    /// Each kind of box with its ticks now and before: `structure 1–12 (before: 1–5)`.
    pub lines: Vec<String>,
}

/// Applies the boxes of a form to a fleet's text.
///
/// # Errors
/// A finding when the form is for other fleets or for none, or the text cannot be edited.
pub fn apply_form(form: &FilledForm, fleet: &EvaluatedFleet, text: &str) -> Result<AppliedForm, Finding> {
    let known = FleetIndex::from_fleet(fleet);
    let mut own = MatchedUnits::match_form(form, &known)?;
    let findings = std::mem::take(&mut own.findings);
    let mut marked = AppliedForm { text: text.to_owned(), findings, ..AppliedForm::default() };
    let mut alike: Vec<String> = Vec::new();
    let mut sets: Vec<(UnitPath, Damage)> = Vec::new();
    let mut repeats = 0;
    let mut skipped = SkippedBoxes::default();
    for unit in &own.units {
        let (is, finding) = own.match_unit(unit, &known);
        // A unit of a fleet's page has no boxes.
        if unit.boxes.is_empty()
            && !matches!(is, UnitMatch::Ship(at) if !exported_boxes(unit, &fleet.units[at].evaluation).is_empty())
        {
            continue;
        }
        marked.findings.extend(finding);
        let place = match is {
            UnitMatch::Ship(at) => fleet.unit_path(at).map(|path| (at, path)),
            UnitMatch::Repeat => {
                repeats += 1;
                continue;
            }
            UnitMatch::Swapped(finding) => {
                marked.findings.push(finding);
                continue;
            }
            UnitMatch::Nobody => None,
        };
        let Some((at, path)) = place else {
            marked.findings.push(no_ship_finding(unit, fleet));
            continue;
        };
        marked.ships += 1;
        let ship = &fleet.units[at].evaluation;
        let before = fleet.damage_in_file(at);
        let (damage, finding) = merged_damage(unit, ship, &before, &mut skipped);
        marked.findings.extend(finding);
        let subject = MarkLabels::new(ship, Arc::default());
        let lines = changed_lines(&before, &damage, &subject);
        if !lines.is_empty() {
            alike.extend(known.is_told_apart_by_place(at).then(|| ship_title(ship).to_owned()));
            marked.changes.push(ShipChange { ship: ship_title(ship).to_owned(), lines });
            sets.push((path, damage));
        }
    }
    marked.findings.extend(fleetless_finding(form));
    if marked.ships == 0 {
        let message = format!("no ships of {} on the form; nothing was marked", fleet.name());
        marked
            .findings
            .push(Finding::error("form-of-other-fleets", message).help("use the fleet that the form was printed from"));
    }
    if !alike.is_empty() {
        alike.dedup();
        let message = format!("{}: ships with the same name are matched by their order in the file", alike.join(", "));
        let help = "if they were moved or removed since the form was printed, check their boxes; add hull numbers to tell them apart";
        marked.findings.push(Finding::warning("form-ships-alike", message).help(help));
    }
    marked.findings.extend(skipped.finding());
    if repeats > 0 {
        let message = format!("skipped repeated sheets ({repeats}); only a ship's first sheet is read");
        marked.findings.push(Finding::info("form-repeats", message));
    }
    if !sets.is_empty() {
        let unreadable = |words| Finding::error("cannot-edit", format!("cannot change the fleet file: {words}"));
        let mut document = Document::parse(text).map_err(unreadable)?;
        let replaced = document.set_damage(&sets)?;
        marked.findings.extend(replaced.into_iter().map(|line| {
            let message = format!("cannot read `{line}`; replaced it with the boxes of the form");
            Finding::warning("form-line-replaced", message).help("check whether it had more than the form")
        }));
        marked.text = document.to_text();
    }
    Ok(marked)
}

/// The reason not to replace a file without asking: it is or may be a filled form. `None` for other files, and if there
/// is no file.
pub fn filled_form_warning(path: &Path) -> Option<Finding> {
    if !store::is_there(path) {
        return None;
    }
    let named = |message: String| {
        let place = Place::in_file(&*path.to_string_lossy());
        Some(Finding::error("form-filled-in", message).advise(Advice::KeepForm).at(place))
    };
    let bytes = match store::read_bytes(path, filled_form::MAX_BYTES) {
        Ok(bytes) => bytes,
        Err(finding) if finding.cause == Some(Cause::FileTooLarge) => {
            return named("the existing PDF is too large to check whether it is a filled form".into());
        }
        // Writing reports this error.
        Err(_) => return None,
    };
    if !filled_form::is_pdf(&bytes) {
        return None;
    }
    match filled_form::read(&bytes) {
        Ok(form) if form.changed == 0 => None,
        Ok(form) => {
            let fields = if form.changed == 1 { "1 field".to_owned() } else { format!("{} fields", form.changed) };
            named(format!("the existing form has {fields} filled in"))
        }
        Err(finding) if finding.cause == Some(Cause::NotAForm) => None,
        Err(finding) => named(format!("the existing PDF may be a filled form: {}", finding.message)),
    }
}

fn ship_title(ship: &Evaluation) -> &str {
    ship.ship.name.as_deref().filter(|name| !name.is_empty()).unwrap_or(&ship.name)
}

fn no_ship_finding(unit: &FormUnit, fleet: &EvaluatedFleet) -> Finding {
    let name = if unit.title.is_empty() { &unit.key } else { &unit.title };
    let ticked = unit.ticked();
    let message = format!("{name} is on the form, but {} has no ship with the key `{}`", fleet.name(), unit.key);
    if ticked == 0 {
        return Finding::info("form-ship-unknown", message);
    }
    let boxes = if ticked == 1 { "1 ticked box".to_owned() } else { format!("{ticked} ticked boxes") };
    Finding::error("form-ship-unknown", format!("{message}; skipped {boxes}"))
        .help("a ship's key is its hull number, or else its name: restore those, or mark the boxes by hand")
}

/// Reports ticks whose names have no fleet, as when another program renamed or added fields.
fn fleetless_finding(form: &FilledForm) -> Option<Finding> {
    let units = form.units.iter().filter(|unit| unit.fleet.is_empty());
    let ticked = units.flat_map(|unit| unit.boxes.iter().filter(|tick| tick.ticked).map(move |tick| (unit, tick)));
    let names: Vec<String> = ticked
        .map(|(unit, tick)| [&*unit.key, ".", &tick.name].concat())
        .map(|name| format!("`{}`", name.trim_start_matches('.')))
        .collect();
    let whose = if names.len() == 1 { "its name" } else { "their names" };
    let boxes = plural(names.len(), "ticked box");
    let message = format!("skipped {boxes} without a fleet in {whose}: {}", list_names(&names, 6));
    (!names.is_empty()).then(|| Finding::error("form-ship-unknown", message).advise(Advice::PrintFormAgain))
}

/// Ticked boxes that a fleet does not keep, by kind: their number and names.
#[derive(Default)]
struct SkippedBoxes(BTreeMap<BoxKind, (u32, Vec<String>)>);

impl SkippedBoxes {
    fn add(&mut self, kind: BoxKind, what: String) {
        let (count, names) = self.0.entry(kind).or_default();
        *count += 1;
        if !names.contains(&what) {
            names.push(what);
        }
    }

    /// `skipped 3 boxes that are state, not damage: speed, turn`.
    fn finding(&self) -> Option<Finding> {
        const NAMED: usize = 6;
        let listed = |names: &[String]| list_names(names, NAMED);
        let all: u32 = self.0.values().map(|(count, _)| *count).sum();
        let boxes = if all == 1 { "1 box that is".to_owned() } else { format!("{all} boxes that are") };
        let kinds: Vec<_> = self.0.iter().collect();
        let message = match kinds.as_slice() {
            [] => return None,
            [(kind, (_, names))] => format!("skipped {boxes} {}, not damage: {}", kind.word(), listed(names)),
            several => {
                let part = |(kind, (count, names)): &(&BoxKind, &(u32, Vec<String>))| {
                    format!("{count} {} ({})", kind.word(), listed(names))
                };
                let parts: Vec<String> = several.iter().map(part).collect();
                format!("skipped {boxes} not damage: {}", parts.join("; "))
            }
        };
        Some(Finding::info("form-not-damage", message))
    }
}

/// A ship's ticked boxes with the form applied, boxes that the form does not have unchanged; and the form's ticks for
/// boxes that the ship does not have.
fn merged_damage(
    unit: &FormUnit,
    ship: &Evaluation,
    before: &Damage,
    skipped: &mut SkippedBoxes,
) -> (Damage, Option<Finding>) {
    let known = tick_marks(ship);
    let mut damage = before.clone();
    let mut strange: Vec<String> = Vec::new();
    for tick in unit.boxes.iter().chain(&exported_boxes(unit, ship)) {
        match split_mark_name(&tick.name) {
            Some((stem, _)) if known.get(stem).is_some_and(|boxes| !boxes.kind.is_lasting()) => {
                if let Some(boxes) = known.get(stem).filter(|_| tick.ticked) {
                    skipped.add(boxes.kind, kind_name(stem, ship));
                }
            }
            Some((stem, n)) if known.get(stem).is_some_and(|boxes| n <= boxes.count) => {
                damage.set(stem, n, tick.ticked);
            }
            // A repeat of a sheet, distinguished by a hyphen.
            _ if tick
                .name
                .rsplit_once('-')
                .is_some_and(|(own, _)| split_mark_name(own).is_some_and(|(stem, _)| known.contains_key(stem))) => {}
            _ if tick.ticked => strange.push(format!("`{}`", tick.name)),
            _ => {}
        }
    }
    if strange.is_empty() {
        return (damage, None);
    }
    let many = strange.len();
    strange.truncate(6);
    let dots = if many > 6 { " …" } else { "" };
    let what = if many == 1 { "unknown box ticked" } else { "unknown boxes ticked" };
    let message = format!("{}: {what}: {}{dots}", ship_title(ship), strange.join(", "));
    let help = "the design has changed since the form was printed: mark the damage by hand";
    (damage, Some(Finding::error("form-box-unknown", message).help(help)))
}

/// The ship's boxes that were exported as texts.
fn exported_boxes(unit: &FormUnit, ship: &Evaluation) -> Vec<TickBox> {
    let known = tick_marks(ship);
    let is_box = |text: &&FilledText| split_mark_name(&text.name).is_some_and(|(stem, _)| known.contains_key(stem));
    unit.texts.iter().filter(is_box).map(FilledText::as_tick).collect()
}

/// The name of a stem's boxes, equal for equal ones of a ship: `status`, not `status, left front`.
fn kind_name(stem: &str, ship: &Evaluation) -> String {
    let track = ship.tracks.iter().find(|track| *track.id == *stem);
    match track {
        Some(track) if track.id == track.track && !track.label.is_empty() => track.label.to_string(),
        Some(track) => id_as_words(&track.track),
        None => id_as_words(stem),
    }
}

/// Each kind of box whose ticks changed.
fn changed_lines(before: &Damage, after: &Damage, subject: &MarkLabels) -> Vec<String> {
    let stems: BTreeSet<&str> = before.stems().chain(after.stems()).map(|stem| &**stem).collect();
    let words = |damage: &Damage, stem: &str| match damage.runs_text(stem) {
        words if words.is_empty() => "none".to_owned(),
        words => words.replace('-', "–"),
    };
    let changed = stems.into_iter().filter(|stem| before.runs(stem) != after.runs(stem));
    changed
        .map(|stem| match before.runs(stem) {
            [] => format!("{} {}", subject.describe_stem(stem), words(after, stem)),
            _ => format!("{} {} (before: {})", subject.describe_stem(stem), words(after, stem), words(before, stem)),
        })
        .collect()
}
