//! A filled form's boxes put into a fleet: takes what a form holds and a mustered fleet, gives the fleet's new text, what was set for each ship,
//! and what did not fit. Only boxes that stand in the form are touched. Never touches the disk.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Mustered;
use crate::design::{Damage, Document, Seat};
use crate::evaluate::{Evaluation, marks};
use crate::finding::Finding;
use crate::form::{Form, Unit};
use crate::sheet::subject::{Subject, numbered};
use crate::sheet::units::word;

/// What a form does to a fleet.
#[derive(Clone, Debug, Default)]
pub struct Marked {
    /// The fleet's file with the boxes ticked, byte for byte the old one where nothing changed.
    pub text: String,
    /// What changed, ship by ship.
    pub changes: Vec<Change>,
    /// How many ships of the fleet are in the form.
    pub ships: usize,
    /// What did not fit.
    pub findings: Vec<Finding>,
}

/// What was set for a ship.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What a player calls her.
    pub ship: String,
    /// Each kind of box with what is ticked now, and what was before: `structure 1–12 (before: 1–5)`.
    pub said: Vec<String>,
}

/// Puts the boxes of a form into a fleet's text.
///
/// # Errors
/// A finding when the form is of other fleets, or of no fleet, or the text cannot be edited.
pub fn mark(form: &Form, fleet: &Mustered, text: &str) -> Result<Marked, Finding> {
    let own = own_units(form, fleet)?;
    let mut marked = Marked { text: text.to_owned(), findings: renamed(&own, fleet), ..Marked::default() };
    let mut alike: Vec<String> = Vec::new();
    let mut sets: Vec<(Seat, Damage)> = Vec::new();
    let mut repeats = 0;
    for unit in own.into_iter().filter(|unit| !unit.boxes.is_empty()) {
        let at = fleet.units.iter().position(|known| *known.evaluation.ship.unit == *unit.key);
        let Some((at, seat)) = at.and_then(|at| Some((at, fleet.seat(at)?))) else {
            match unit.key.rsplit_once("-copy-") {
                Some((of, _)) if fleet.units.iter().any(|known| *known.evaluation.ship.unit == *of) => repeats += 1,
                _ => marked.findings.push(no_ship(unit, fleet)),
            }
            continue;
        };
        marked.ships += 1;
        let ship = &fleet.units[at].evaluation;
        let (damage, finding) = damage_of(unit, ship);
        marked.findings.extend(finding);
        let subject = Subject::new(ship, Arc::default());
        let said = said(&ship.ship.damage, &damage, &subject);
        if !said.is_empty() {
            alike.extend(is_told_apart_by_place(fleet, at).then(|| title(ship).to_owned()));
            marked.changes.push(Change { ship: title(ship).to_owned(), said });
            sets.push((seat, damage));
        }
    }
    if marked.ships == 0 {
        let message = format!("no ship of {} is on the form: nothing is set", fleet.name());
        marked.findings.push(
            Finding::error("form-of-other-fleets", message).help("give the fleet that the form was printed from"),
        );
    }
    if !alike.is_empty() {
        alike.dedup();
        let message = format!("{}: ships of one name are told apart by their order in the file", alike.join(", "));
        let help = "were they put in another order, or one taken out, since the form was printed, look at their boxes; hull numbers tell them apart for good";
        marked.findings.push(Finding::warning("form-ships-alike", message).help(help));
    }
    if repeats > 0 {
        let message =
            format!("{repeats} repeats of sheets are not read: what is ticked on a ship's first sheet counts");
        marked.findings.push(Finding::info("form-repeats", message));
    }
    if !sets.is_empty() {
        let unreadable = |words| Finding::error("cannot-edit", format!("the fleet's file cannot be changed: {words}"));
        let mut document = Document::parse(text).map_err(unreadable)?;
        document.set_damage(&sets)?;
        marked.text = document.to_text();
    }
    Ok(marked)
}

/// What is said when the form bears another fleet's name.
fn renamed(own: &[&Unit], fleet: &Mustered) -> Vec<Finding> {
    let name = word(&fleet.name());
    let other = own.first().filter(|unit| *unit.fleet != *name);
    let told = |unit: &&Unit| {
        let message = format!("the form is of a fleet called `{}`, this one would be `{name}`", unit.fleet);
        let help = "if the fleet has another name now, all is well; if it is another fleet, undo this";
        Finding::warning("form-of-renamed-fleet", message).help(help)
    };
    other.map(told).into_iter().collect()
}

/// Whether only a number that follows the order in the file tells a unit from another.
fn is_told_apart_by_place(fleet: &Mustered, at: usize) -> bool {
    let key = |at: usize| &*fleet.units[at].evaluation.ship.unit;
    let serial =
        |text: &str| text.rsplit_once('-').filter(|(_, n)| n.parse::<u32>().is_ok()).map(|(of, _)| of.to_owned());
    let own = key(at);
    let numbered = fleet.units[at].evaluation.ship.hull_number.is_some();
    !numbered
        && (0..fleet.units.len()).any(|other| {
            other != at
                && fleet.units[other].entry != fleet.units[at].entry
                && (serial(key(other)).as_deref() == Some(own)
                    || serial(own)
                        .is_some_and(|base| base == key(other) || serial(key(other)).as_deref() == Some(&base)))
        })
}

/// The units of a form that are of this fleet.
fn own_units<'f>(form: &'f Form, fleet: &Mustered) -> Result<Vec<&'f Unit>, Finding> {
    let fleets: BTreeSet<&str> = form.units.iter().map(|unit| &*unit.fleet).filter(|word| !word.is_empty()).collect();
    let own = word(&fleet.name());
    let own = match fleets.len() {
        0 => {
            return Err(Finding::error("form-without-fleet", "the form is of single designs, not of a fleet")
                .help("print the fleet's own file with --form: `moldloft print FLEET.toml --form -o FORM.pdf`"));
        }
        // A fleet may have been renamed since: its ships are known by their own keys.
        1 => fleets.into_iter().next().unwrap_or_default(),
        _ => fleets.iter().find(|known| ***known == *own).ok_or_else(|| {
            let names: Vec<String> = fleets.iter().map(|name| format!("`{name}`")).collect();
            let message = format!("the form holds the fleets {}; this one would be `{own}`", names.join(", "));
            Finding::error("form-of-other-fleets", message)
                .help("give the file of one of those fleets, or its name of then to this one")
        })?,
    };
    Ok(form.units.iter().filter(|unit| *unit.fleet == *own).collect())
}

fn title(ship: &Evaluation) -> &str {
    ship.ship.name.as_deref().filter(|name| !name.is_empty()).unwrap_or(&ship.name)
}

fn no_ship(unit: &Unit, fleet: &Mustered) -> Finding {
    let name = if unit.title.is_empty() { &unit.key } else { &unit.title };
    let ticked = unit.ticked();
    let message = format!("{name} is on the form, but {} has no ship with the key `{}`", fleet.name(), unit.key);
    if ticked == 0 {
        return Finding::info("form-ship-unknown", message);
    }
    let boxes = if ticked == 1 { "1 ticked box is".to_owned() } else { format!("{ticked} ticked boxes are") };
    Finding::error("form-ship-unknown", format!("{message}: {boxes} not set")).help(
        "a ship's key comes from her hull number, else her name: give her those of then, or set the boxes by hand",
    )
}

/// The boxes a ship has ticked after the form, and those it ticks that she does not have.
fn damage_of(unit: &Unit, ship: &Evaluation) -> (Damage, Option<Finding>) {
    let known = marks(ship);
    let mut damage = ship.ship.damage.clone();
    let mut strange: Vec<String> = Vec::new();
    for tick in &unit.boxes {
        match numbered(&tick.name) {
            Some((stem, n)) if known.get(stem).is_some_and(|&boxes| n <= boxes) => {
                damage.set(stem, n, tick.ticked);
            }
            // A repeat of a sheet, told apart by a hyphen.
            _ if tick
                .name
                .rsplit_once('-')
                .is_some_and(|(own, _)| numbered(own).is_some_and(|(stem, _)| known.contains_key(stem))) => {}
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
    let what = if many == 1 { "a box is ticked" } else { "boxes are ticked" };
    let message = format!("{}: {what} that she does not have: {}{dots}", title(ship), strange.join(", "));
    let help = "her design has changed since the form was printed: set by hand what is lost instead";
    (damage, Some(Finding::error("form-box-unknown", message).help(help)))
}

/// Each kind of box whose ticks changed.
fn said(before: &Damage, after: &Damage, subject: &Subject) -> Vec<String> {
    let stems: BTreeSet<&str> = before.stems().chain(after.stems()).map(|stem| &**stem).collect();
    let words = |damage: &Damage, stem: &str| match damage.words(stem) {
        words if words.is_empty() => "none".to_owned(),
        words => words.replace('-', "–"),
    };
    let changed = stems.into_iter().filter(|stem| before.runs(stem) != after.runs(stem));
    changed
        .map(|stem| match before.runs(stem) {
            [] => format!("{} {}", subject.what(stem), words(after, stem)),
            _ => format!("{} {} (before: {})", subject.what(stem), words(after, stem), words(before, stem)),
        })
        .collect()
}
