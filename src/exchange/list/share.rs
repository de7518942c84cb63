//! A fleet as a list: takes a mustered fleet, gives the text, and what of it cannot be said so.

use std::sync::Arc;

use crate::cleaning::fold;
use crate::design::fleet::FleetShip;
use crate::design::{Design, Word};
use crate::evaluate::marks;
use crate::finding::Finding;
use crate::library::fleet::{Class as Found, ClassFrom, Mustered};
use crate::ruleset::Ruleset;
use crate::source::Source;
use crate::source::toml::{Data, Entry, Node};

use super::{Carried, Class, Fit, Group, Known, List, Load, Ship, clean, read, text, value};

/// What a list holds besides the ships.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sharing {
    /// Whole classes, so that the text alone makes the fleet anew; those that the fleet's file holds are always there.
    pub designs: bool,
}

/// Writes a fleet as text.
pub fn share(fleet: &Mustered, sharing: Sharing) -> (String, Vec<Finding>) {
    let list = list(fleet, sharing);
    let rules = fleet.ruleset.iter().flat_map(|rules| &rules.relations);
    let mut known = Known::new([], rules.map(|relation| relation.id.to_string()));
    for ship in &list.ships {
        known.add([ship.class.clone()]);
        known.add(ship.carried.iter().flat_map(|carried| &carried.ships).map(|pod| pod.class.clone()));
    }
    let mut text = text::text(&list, &known);
    // For people: whoever reads the list again works it out from the designs.
    let mut told: Vec<String> = Vec::new();
    for unit in &fleet.units {
        if let Some(own) = unit.evaluation.own_words() {
            let line = format!("{} {}: {}\n", text::OWN, clean::spaced(&unit.evaluation.name), clean::spaced(own));
            if !told.contains(&line) {
                told.push(line);
            }
        }
    }
    text.extend(told);
    let mut again = read(&Source::new("", &text), &known);
    again.ships.iter_mut().for_each(Ship::forget_lines);
    let mut findings = Vec::new();
    if again != list {
        let who = list.ships.iter().zip(&again.ships).find(|(one, two)| one != two).map(|(ship, _)| called(ship));
        let message = match who {
            Some(who) => format!("{who}: cannot write everything as plain text that can be read back"),
            None => "cannot write all of this fleet as plain text that can be read back".to_owned(),
        };
        let help = "remove unusual characters from names and notes, or share the fleet file";
        findings.push(Finding::warning("not-in-plain-text", message).help(help));
    }
    let keys = fleet.fleet.unknown.iter().chain(fleet.fleet.ships.iter().flat_map(|ship| &ship.unknown));
    for entry in keys {
        let message = format!("unknown key `{}`; skipped in the list", cut(&entry.key));
        findings.push(Finding::warning("not-in-plain-text", message).at(fleet.fleet.source.shown(entry.span)));
    }
    (text, findings)
}

fn called(ship: &Ship) -> String {
    let own = [&ship.hull_number, &ship.name].into_iter().flatten().next();
    cut(own.unwrap_or(&ship.class))
}

fn cut(words: &str) -> String {
    words.chars().take(60).collect()
}

fn list(mustered: &Mustered, sharing: Sharing) -> List {
    let fleet = &mustered.fleet;
    let names = Names { mustered };
    let game = mustered.ruleset.as_deref().map(game_words);
    let mut list = List {
        ruleset: words(&fleet.ruleset),
        game,
        name: words(&fleet.name),
        side: words(&fleet.side),
        player: words(&fleet.player),
        budget: fleet.budget.map(|budget| budget.points),
        points: mustered.points,
        notes: notes(&fleet.notes),
        ..List::default()
    };
    list.groups = fleet
        .groups
        .iter()
        .map(|group| Group {
            id: clean::spaced(&group.id.text),
            kind: words(&group.kind),
            name: words(&group.name),
            notes: notes(&group.notes),
        })
        .collect();
    list.ships = fleet.ships.iter().enumerate().map(|(entry, ship)| names.ship(entry, None, ship)).collect();
    list.designs = fleet.designs.iter().map(class).collect();
    if sharing.designs {
        let mut seen: Vec<&Arc<Found>> = Vec::new();
        for unit in &mustered.units {
            let is_new = |known: &&Arc<Found>| known.from == unit.class.from;
            if !matches!(unit.class.from, ClassFrom::Embedded(_)) && !seen.iter().any(is_new) {
                seen.push(&unit.class);
                list.designs.push(class(&unit.class.design));
            }
        }
    }
    list
}

/// What a list calls a game: its title, and the version unless the title says it.
pub(super) fn game_words(rules: &Ruleset) -> String {
    let (title, version) = (clean::spaced(&rules.title), clean::spaced(&rules.version));
    if title.ends_with(&version) { title } else { format!("{title}, version {version}") }
}

struct Names<'a> {
    mustered: &'a Mustered,
}

impl Names<'_> {
    fn ship(&self, entry: usize, carried: Option<(usize, usize)>, ship: &FleetShip) -> Ship {
        let unit = self.mustered.units.iter().find(|unit| unit.entry == entry && unit.carried == carried);
        let source = &self.mustered.fleet.source;
        let damage = ship.damage(source);
        let kinds = unit.filter(|_| !damage.is_empty()).map(|unit| marks(&unit.evaluation)).unwrap_or_default();
        let is_kept = |stem: &str| kinds.get(stem).is_none_or(|boxes| boxes.kind.is_lasting());
        Ship {
            line: 0,
            count: (ship.count != 1).then_some(ship.count),
            class: self.class(ship, unit.map(|unit| &unit.class)),
            name: words(&ship.name),
            hull_number: words(&ship.hull_number),
            captain: words(&ship.captain),
            owner: words(&ship.owner),
            group: words(&ship.group),
            notes: notes(&ship.notes),
            points: unit.and_then(|unit| unit.evaluation.points).filter(|points| *points >= 0),
            carried: ship
                .carried
                .iter()
                .enumerate()
                .filter(|(_, one)| one.plain.is_some() || !one.ships.is_empty())
                .map(|(n, one)| Carried {
                    relation: one.relation.text.to_string(),
                    plain: one.plain.filter(|_| one.ships.is_empty()),
                    ships: one.ships.iter().enumerate().map(|(k, pod)| self.ship(entry, Some((n, k)), pod)).collect(),
                })
                .collect(),
            loads: ship
                .load
                .iter()
                .map(|load| Load {
                    system: clean::spaced(&load.system.text),
                    mount: words(&load.mount),
                    values: load.values.iter().map(pair).collect(),
                })
                .collect(),
            damage: damage
                .stems()
                .filter(|stem| is_kept(stem))
                .map(|stem| (clean::spaced(stem), damage.words(stem)))
                .filter(|(_, runs)| !runs.is_empty())
                .collect(),
        }
    }

    /// The class as people call it; as the file does, where two are called the same.
    fn class(&self, ship: &FleetShip, class: Option<&Arc<Found>>) -> String {
        let written = words(&ship.design).unwrap_or_else(|| "?".into());
        let Some(class) = class else { return written };
        let Some(name) = words(&class.design.name) else { return written };
        let wanted = fold(&name);
        let same_name = |other: &Arc<Found>| words(&other.design.name).is_some_and(|other| fold(&other) == wanted);
        let two = self.mustered.units.iter().any(|unit| unit.class.from != class.from && same_name(&unit.class));
        if two { written } else { name }
    }
}

fn class(design: &Design) -> Class {
    let mut class =
        Class { name: words(&design.name).unwrap_or_default(), notes: notes(&design.notes), ..Class::default() };
    class.fields = design.fields.iter().map(pair).collect();
    for fit in &design.fits {
        let what = Load {
            system: clean::spaced(&fit.system.text),
            mount: words(&fit.mount),
            values: fit.parameters.iter().map(pair).collect(),
        };
        class.fits.push(Fit { count: fit.count, what });
    }
    for system in &design.systems {
        let text = |word: &Word| Data::Text(word.text.to_string().into());
        let mut keys = vec![("id".to_owned(), value::written(&text(&system.id)))];
        keys.extend(system.like.as_ref().map(|like| ("like".to_owned(), value::written(&text(like)))));
        let mut keys: Vec<(String, String)> = keys.into_iter().map(|(key, value)| (key, value::toml(&value))).collect();
        keys.extend(system.keys.iter().map(pair));
        class.systems.push(keys);
    }
    class
}

/// A key and its value as TOML.
fn pair(entry: &Entry<'_>) -> (String, String) {
    let Node { data, .. } = &entry.node;
    (entry.key.to_string(), value::toml(&value::written(data)))
}

fn words(word: &Option<Word>) -> Option<String> {
    word.as_ref().map(|word| clean::spaced(&word.text)).filter(|words| !words.is_empty())
}

/// A text of several lines, each tidied.
fn notes(word: &Option<Word>) -> Option<String> {
    let text = word.as_ref()?.text.replace("\r\n", "\n");
    let lines: Vec<String> = text.trim().split('\n').map(clean::spaced).collect();
    let text = lines.join("\n");
    (!text.trim().is_empty()).then_some(text)
}

impl Ship {
    /// Where it stood does not matter.
    pub(super) fn forget_lines(&mut self) {
        self.line = 0;
        self.carried.iter_mut().flat_map(|carried| &mut carried.ships).for_each(Self::forget_lines);
    }
}
