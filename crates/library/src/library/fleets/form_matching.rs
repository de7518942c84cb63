//! Matches the units of a filled form with a fleet's ships: takes the form and an evaluated fleet, gives the form's
//! units that belong to the fleet with their ships, or a finding. A fleet is identified by its game and name, then by
//! its side, then by its ships; never only by the slug in field names, which two fleets may share.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::EvaluatedFleet;
use super::unit_keys::key_word;
use moldloft_base::finding::{Advice, Finding};
use moldloft_drawing::scene;
use moldloft_export::filled_form::{FilledForm, FormFleet, FormIdentity, FormUnit};
use moldloft_sheet::sheet::unit_names::{FALLBACK_SLUG, MAX_SLUG_LENGTH, unit_slug};

/// The units of a form that belong to a fleet.
pub struct MatchedUnits<'f> {
    /// In the form's order.
    pub units: Vec<&'f FormUnit>,
    /// The fleet's name, side and game on the form.
    identity: Option<&'f FormIdentity>,
    pub findings: Vec<Finding>,
}

/// The fleet's ship for a unit of a form.
#[derive(Debug)]
pub enum UnitMatch {
    /// An index in the fleet's units.
    Ship(usize),
    /// A repeat of another sheet.
    Repeat,
    /// No ship of the fleet.
    Nobody,
    /// The name now belongs to another ship.
    Swapped(Finding),
}

/// A fleet's ships by key and title.
pub struct FleetIndex<'m> {
    fleet: &'m EvaluatedFleet,
    keys: HashMap<&'m str, usize>,
    /// By class and title; `None` for several.
    titles: HashMap<(String, String), Option<usize>>,
    /// Entries whose keys end in a number, by the text before it; `None` for several entries.
    serials: HashMap<String, Option<usize>>,
}

impl<'m> FleetIndex<'m> {
    pub fn from_fleet(fleet: &'m EvaluatedFleet) -> Self {
        let mut known = Self { fleet, keys: HashMap::new(), titles: HashMap::new(), serials: HashMap::new() };
        for (at, unit) in fleet.units.iter().enumerate() {
            let key = &*unit.evaluation.ship.unit;
            known.keys.insert(key, at);
            let called = (known.short_class(at), known.short_title(at));
            known.titles.entry(called).and_modify(|at| *at = None).or_insert(Some(at));
            if let Some(base) = serial(key) {
                let entry = known.serials.entry(base.to_owned()).or_insert(Some(unit.entry));
                if *entry != Some(unit.entry) {
                    *entry = None;
                }
            }
        }
        known
    }

    fn short_class(&self, at: usize) -> String {
        scene::PrintedUnit::truncate_name(&self.fleet.units[at].evaluation.name)
    }

    fn short_title(&self, at: usize) -> String {
        scene::PrintedUnit::truncate_name(unit_title(self.fleet, at))
    }

    /// Whether a ship's key is made from its hull number or name, not from its class.
    fn is_named(&self, at: usize) -> bool {
        let ship = &self.fleet.units[at].evaluation.ship;
        [&ship.hull_number, &ship.name].into_iter().flatten().any(|words| !key_word(words).is_empty())
    }

    /// Whether only a number that depends on the order in the file identifies the ship.
    pub fn is_told_apart_by_place(&self, at: usize) -> bool {
        let unit = &self.fleet.units[at];
        let own = &*unit.evaluation.ship.unit;
        let other = |entry: Option<&Option<usize>>| entry.is_some_and(|entry| *entry != Some(unit.entry));
        let base = serial(own);
        unit.evaluation.ship.hull_number.is_none()
            && (other(self.serials.get(own))
                || base.is_some_and(|base| {
                    other(self.serials.get(base))
                        || self.keys.get(base).is_some_and(|at| self.fleet.units[*at].entry != unit.entry)
                }))
    }
}

pub fn unit_title(fleet: &EvaluatedFleet, at: usize) -> &str {
    let ship = &fleet.units[at].evaluation;
    ship.ship.name.as_deref().filter(|name| !name.is_empty()).unwrap_or(&ship.name)
}

/// The text before the final number of a key or slug.
fn serial(text: &str) -> Option<&str> {
    text.rsplit_once('-').filter(|(_, n)| n.parse::<u32>().is_ok()).map(|(of, _)| of)
}

impl<'f> MatchedUnits<'f> {
    /// The units of a form that belong to this fleet.
    ///
    /// # Errors
    /// `form-without-fleet`, `form-of-other-fleets`, `form-ambiguous`.
    pub fn match_form(form: &'f FilledForm, known: &FleetIndex<'_>) -> Result<Self, Finding> {
        let mut fleets: Vec<FleetCandidate<'f>> =
            form.fleets.iter().map(|fleet| FleetCandidate::from_form(form, fleet)).collect();
        // A fleet that has only fleet pages on the form, without ships, is ignored if others have boxes.
        if fleets.iter().any(|fleet| fleet.has_boxes()) {
            fleets.retain(|fleet| fleet.has_boxes());
        }
        if fleets.is_empty() {
            return Err(Finding::error(
                "form-without-fleet",
                "expected a fleet's form, found a form of single designs",
            )
            .advise(Advice::PrintFleetForm));
        }
        let words: BTreeSet<&str> = fleets.iter().map(|fleet| &*fleet.fleet.word).collect();
        let mut named: Vec<&FleetCandidate<'f>> = fleets.iter().filter(|one| one.is_called_as(known, &words)).collect();
        if named.len() > 1 {
            keep_best(&mut named, |one| usize::from(one.side() == Some(&fleet_side(known.fleet))));
            keep_best(&mut named, |one| one.matching_units(known));
        }
        let joined;
        let (chosen, finding) = match (named.as_slice(), fleets.as_slice()) {
            ([one], _) => (*one, None),
            ([first, ..], _) if named.iter().all(|one| one.is_part_of(first)) => {
                joined = FleetCandidate::join(&named)?;
                (&joined, None)
            }
            ([], [one]) => (one, Some(one.check_renamed(known)?)),
            ([], all) => return Err(other_fleets_finding(all, known.fleet)),
            (several, _) => return Err(ambiguous_finding(several)),
        };
        if let Some(game) = chosen.fleet.identity.as_ref().map(|identity| &identity.game)
            && known.fleet.ruleset.as_ref().is_some_and(|ruleset| *ruleset.id != **game)
        {
            let message = format!("the form is for the game `{game}`, the fleet for another");
            return Err(
                Finding::error("form-of-other-fleets", message).help("use the fleet that the form was printed from")
            );
        }
        chosen.check_merged_fleets(known)?;
        let mut findings: Vec<Finding> = finding.into_iter().collect();
        if chosen.name().is_some_and(|name| name.is_empty()) {
            let message = "cannot match the form to the fleet: neither has a name";
            let help = "name the fleet before printing its form; if the form is of another fleet, undo this";
            findings.push(Finding::warning("form-of-nameless-fleet", message).help(help));
        }
        let units = chosen.units.clone();
        Ok(Self { units, identity: chosen.fleet.identity.as_ref(), findings })
    }

    /// The ship for a unit, with a finding if its class has changed.
    pub fn match_unit(&self, unit: &FormUnit, known: &FleetIndex<'_>) -> (UnitMatch, Option<Finding>) {
        let by_key = known.keys.get(&*unit.key).copied();
        let repeat = unit
            .key
            .rsplit_once("-copy-")
            .is_some_and(|(of, n)| n.parse::<u32>().is_ok() && known.keys.contains_key(of));
        let Some((class, title)) = self.identity.and_then(|identity| identity.ships.get(&unit.key)) else {
            return match by_key {
                Some(at) => (UnitMatch::Ship(at), None),
                None if repeat => (UnitMatch::Repeat, None),
                None => (UnitMatch::Nobody, None),
            };
        };
        // A key from the class depends on the order in the file: a title without a key of its own is more reliable.
        let by_title = known.titles.get(&(class.clone(), title.clone())).copied().flatten();
        let unsure = by_key.is_none_or(|at| !known.is_named(at) && known.short_title(at) != *title);
        if let (true, Some(at)) = (unsure && !repeat, by_title)
            && !known.is_named(at)
        {
            return (UnitMatch::Ship(at), None);
        }
        let Some(at) = by_key else {
            return (if repeat { UnitMatch::Repeat } else { UnitMatch::Nobody }, None);
        };
        let now = known.short_class(at);
        if now == *class {
            return (UnitMatch::Ship(at), None);
        }
        if let Some(other) = self.find_swapped(unit, class, known) {
            let message = format!(
                "{title} is a {class} on the form and a {now} now, {} is the {class}: did they swap names? {}",
                known.short_title(other),
                not_set_text(unit)
            );
            let help = "restore the names and read the form again, or mark the boxes by hand";
            return (UnitMatch::Swapped(Finding::error("form-ships-swapped", message).help(help)), None);
        }
        let message = format!("{title} is a {class} on the form and a {now} now");
        let help = "marked the boxes that both classes have: check them";
        (UnitMatch::Ship(at), Some(Finding::warning("form-ship-other-class", message).help(help)))
    }

    /// The ship that has this class now and had another on the form.
    fn find_swapped(&self, unit: &FormUnit, class: &str, known: &FleetIndex<'_>) -> Option<usize> {
        let ships = &self.identity?.ships;
        let others = ships.iter().filter(|(key, (then, _))| **key != unit.key && then != class);
        others.filter_map(|(key, _)| known.keys.get(&**key).copied()).find(|at| known.short_class(*at) == class)
    }
}

/// Keeps the items with the highest number.
fn keep_best(list: &mut Vec<&FleetCandidate<'_>>, number: impl Fn(&FleetCandidate<'_>) -> usize) {
    let numbers: Vec<usize> = list.iter().map(|one| number(one)).collect();
    let highest = numbers.iter().copied().max().unwrap_or(0);
    let mut numbers = numbers.into_iter();
    list.retain(|_| numbers.next() == Some(highest));
}

struct FleetCandidate<'f> {
    fleet: &'f FormFleet,
    units: Vec<&'f FormUnit>,
}

impl<'f> FleetCandidate<'f> {
    fn from_form(form: &'f FilledForm, fleet: &'f FormFleet) -> Self {
        Self { fleet, units: form.units.iter().filter(|unit| unit.fleet == fleet.word).collect() }
    }

    /// Whether both are pages of one form, which another program put together again: each page then has a root of its
    /// own with the same identity.
    fn is_part_of(&self, other: &Self) -> bool {
        self.fleet.identity.is_some() && self.fleet.identity == other.fleet.identity
    }

    /// One fleet of all parts.
    ///
    /// # Errors
    /// `form-ambiguous` when a box is in two parts: those are two forms.
    fn join(parts: &[&Self]) -> Result<FleetCandidate<'f>, Finding> {
        let mut known: HashSet<(&str, &str)> = HashSet::new();
        for unit in parts.iter().flat_map(|part| &part.units) {
            if let Some(twice) = unit.boxes.iter().find(|tick| !known.insert((&*unit.key, &*tick.name))) {
                let name = if unit.title.is_empty() { &unit.key } else { &unit.title };
                let message = format!(
                    "the form has pages of two forms of one fleet: {name}'s box `{}` is on both; nothing was marked",
                    twice.name
                );
                return Err(Finding::error("form-ambiguous", message).help("read each form by itself, the older first"));
            }
        }
        let units = parts.iter().flat_map(|part| part.units.iter().copied()).collect();
        Ok(FleetCandidate { fleet: parts[0].fleet, units })
    }

    fn has_boxes(&self) -> bool {
        self.units.iter().any(|unit| !unit.boxes.is_empty())
    }

    /// `None` if the form has no name.
    fn name(&self) -> Option<String> {
        let said = (!self.fleet.title.is_empty()).then(|| scene::PrintedUnit::truncate_name(&self.fleet.title));
        self.fleet.identity.as_ref().map(|identity| identity.fleet.clone()).or(said)
    }

    fn side(&self) -> Option<&str> {
        self.fleet.identity.as_ref().map(|identity| &*identity.side)
    }

    /// Whether it has the fleet's name. Without a name, as in exported data, the slug decides, unless it is a fallback
    /// or cut, or another fleet's slug differs only by a number.
    fn is_called_as(&self, known: &FleetIndex<'_>, words: &BTreeSet<&str>) -> bool {
        let fleet = known.fleet;
        let said = fleet.fleet.name.as_ref().map_or("", |word| word.text.trim());
        match self.name() {
            Some(name) => {
                name == scene::PrintedUnit::truncate_name(said)
                    || name == scene::PrintedUnit::truncate_name(&fleet.name())
            }
            None => {
                let own = &*self.fleet.word;
                let base = |word| serial(word).unwrap_or(word).to_owned();
                let kin = words.iter().any(|other| *other != own && base(other) == base(own));
                let names = [unit_slug(said), unit_slug(&fleet.name())];
                !kin && own != FALLBACK_SLUG && own.len() < MAX_SLUG_LENGTH && names.iter().any(|name| *name == *own)
            }
        }
    }

    /// The number of its units that are ships of the fleet by key, class and title.
    fn matching_units(&self, known: &FleetIndex<'_>) -> usize {
        let is_alike = |unit: &&&FormUnit| {
            let Some(&at) = known.keys.get(&*unit.key) else { return false };
            let said = self.fleet.identity.as_ref().and_then(|identity| identity.ships.get(&unit.key));
            said.is_none_or(|(class, title)| known.short_class(at) == *class && known.short_title(at) == *title)
        };
        self.units.iter().filter(is_alike).count()
    }

    /// The finding that the fleet was renamed, if most ships match by their own numbers and names.
    ///
    /// # Errors
    /// `form-of-other-fleets`.
    fn check_renamed(&self, known: &FleetIndex<'_>) -> Result<Finding, Finding> {
        let ships: Vec<&&FormUnit> =
            self.units.iter().filter(|unit| !unit.boxes.is_empty() && !unit.key.contains("-copy-")).collect();
        let is_known = |unit: &&&&FormUnit| {
            let Some(&at) = known.keys.get(&*unit.key) else { return false };
            let said = self.fleet.identity.as_ref().and_then(|identity| identity.ships.get(&unit.key));
            known.is_named(at) && said.is_none_or(|(class, _)| known.short_class(at) == *class)
        };
        let found = ships.iter().filter(is_known).count();
        let own = known.fleet.name();
        let other = self.name().unwrap_or_else(|| self.fleet.word.clone());
        if found == 0 || found * 2 < ships.len() {
            let message = format!(
                "the form is of the fleet “{other}”, not “{own}”, and only {found} of {} ships match by hull number or name; nothing was marked",
                ships.len()
            );
            return Err(Finding::error("form-of-other-fleets", message).help(format!(
                "use the fleet that the form was printed from; if it was renamed, name it “{other}” again while the form is read"
            )));
        }
        let message = format!("the form is of the fleet “{other}”, not “{own}”");
        let help = "if the fleet was renamed, ignore this; if it is another fleet, undo this";
        Ok(Finding::warning("form-of-renamed-fleet", message).help(help))
    }

    /// Reports a form of an older program that merged two fleets with one name, their ships distinguished by numbers.
    ///
    /// # Errors
    /// `form-ambiguous`.
    fn check_merged_fleets(&self, known: &FleetIndex<'_>) -> Result<(), Finding> {
        if self.fleet.identity.is_some() {
            return Ok(());
        }
        let keys: BTreeSet<&str> = self.units.iter().map(|unit| &*unit.key).collect();
        let strange = |key: &&&str| {
            !known.keys.contains_key(**key)
                && !key.contains("-copy-")
                && serial(key).is_some_and(|base| keys.contains(base))
        };
        match keys.iter().find(strange) {
            None => Ok(()),
            Some(key) => {
                let message = format!("the form may have two fleets with the same name: unknown ship `{key}`");
                Err(Finding::error("form-ambiguous", message)
                    .help("it was printed by an older version: mark its boxes by hand, and print the form again"))
            }
        }
    }
}

fn fleet_side(fleet: &EvaluatedFleet) -> String {
    scene::PrintedUnit::truncate_name(fleet.fleet.side.as_ref().map_or("", |word| &word.text))
}

fn other_fleets_finding(fleets: &[FleetCandidate<'_>], fleet: &EvaluatedFleet) -> Finding {
    let names = fleets.iter().map(|one| match one.name() {
        Some(name) => format!("“{name}”"),
        None => format!("`{}`", one.fleet.word),
    });
    let message =
        format!("expected the fleet “{1}” on the form, found {0}", names.collect::<Vec<_>>().join(", "), fleet.name());
    Finding::error("form-of-other-fleets", message)
        .help("use the file of one of those fleets, or restore this fleet's name")
}

fn ambiguous_finding(fleets: &[&FleetCandidate<'_>]) -> Finding {
    let name = fleets.first().and_then(|one| one.name()).unwrap_or_default();
    let message = format!("ambiguous form: it has {} fleets named “{name}”; nothing was marked", fleets.len());
    Finding::error("form-ambiguous", message)
        .help("give each fleet its own name and print the form again, or mark the boxes by hand")
}

/// `its 3 ticked boxes are not set`.
pub fn not_set_text(unit: &FormUnit) -> String {
    match unit.ticked() {
        1 => "skipped its 1 ticked box".to_owned(),
        ticked => format!("skipped its {ticked} ticked boxes"),
    }
}
