//! Writes an evaluated fleet as a list, and reports what the list cannot express.

use std::sync::Arc;

use crate::library::{ClassSource, EvaluatedFleet, FleetClass};
use moldloft_base::finding::{Finding, Severity};
use moldloft_base::sanitize::{fold_for_search, plural};
use moldloft_base::source::Source;
use moldloft_base::source::toml::{TomlEntry, TomlNode, TomlValue};
use moldloft_rules::design::fleet::FleetShip;
use moldloft_rules::design::{Design, SpannedText};
use moldloft_rules::evaluate::tick_marks;
use moldloft_rules::ruleset::{RelationKind, Ruleset};

use super::item_start::CUSTOM_SYSTEMS_LABEL;
use super::{
    FleetList, KnownNames, ListCarried, ListClass, ListFit, ListGroup, ListLoad, ListShip, clean, read_list, text,
    value,
};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShareOptions {
    /// Include all classes, so that the text is self-contained; embedded designs are always included.
    pub designs: bool,
}

pub fn write_list(fleet: &EvaluatedFleet, sharing: ShareOptions) -> (String, Vec<Finding>) {
    let list = fleet_list(fleet, sharing);
    let relations = fleet.ruleset.iter().flat_map(|rules| carry_relations(rules));
    let mut known = KnownNames::new([], relations);
    for ship in &list.ships {
        known.add([ship.class.clone()]);
        known.add(ship.carried.iter().flat_map(|carried| &carried.ships).map(|pod| pod.class.clone()));
    }
    let mut text = text::list_text(&list, &known);
    let mut findings = Vec::new();
    if list.errors > 0 {
        let message = format!("{} is not legal: {}", shorten(&fleet.name()), plural(list.errors, "error"));
        let help = "the list says so; `moldloft check` lists what to fix";
        findings.push(Finding::warning("fleet-not-legal", message).help(help));
    }
    // For readers only; import reads the designs instead.
    let mut custom_lines: Vec<String> = Vec::new();
    for unit in &fleet.units {
        if let Some(own) = unit.evaluation.custom_system_summary() {
            let line = format!(
                "{} {}: {}\n",
                CUSTOM_SYSTEMS_LABEL,
                clean::collapse_spaces(&unit.evaluation.name),
                clean::collapse_spaces(own)
            );
            if !custom_lines.contains(&line) {
                custom_lines.push(line);
            }
        }
    }
    text.extend(custom_lines);
    let mut again = read_list(&Source::new("", &text), &known);
    again.ships.iter_mut().for_each(ListShip::forget_lines);
    if again != list {
        let who = list.ships.iter().zip(&again.ships).find(|(one, two)| one != two).map(|(ship, _)| ship_label(ship));
        let message = match who {
            Some(who) => format!("{who}: cannot write everything as plain text that can be read back"),
            None => "cannot write all of this fleet as plain text that can be read back".to_owned(),
        };
        let help = "remove unusual characters from names and notes, or share the fleet file";
        findings.push(Finding::warning("not-in-plain-text", message).help(help));
    }
    let keys = fleet.fleet.unknown.iter().chain(fleet.fleet.ships.iter().flat_map(|ship| &ship.unknown));
    for entry in keys {
        let message = format!("unknown key `{}`; skipped in the list", shorten(&entry.key));
        findings
            .push(Finding::warning("not-in-plain-text", message).at(fleet.fleet.source.place_with_snippet(entry.span)));
    }
    (text, findings)
}

fn ship_label(ship: &ListShip) -> String {
    let own = [&ship.hull_number, &ship.name].into_iter().flatten().next();
    shorten(own.unwrap_or(&ship.class))
}

fn shorten(words: &str) -> String {
    words.chars().take(60).collect()
}

fn fleet_list(evaluated: &EvaluatedFleet, sharing: ShareOptions) -> FleetList {
    let fleet = &evaluated.fleet;
    let names = ListNames { fleet: evaluated };
    let game = evaluated.ruleset.as_deref().map(game_title);
    let mut list = FleetList {
        ruleset: optional_text(&fleet.ruleset),
        game,
        name: optional_text(&fleet.name),
        side: optional_text(&fleet.side),
        player: optional_text(&fleet.player),
        colour: optional_text(&fleet.colour),
        pattern: optional_text(&fleet.pattern),
        budget: fleet.budget.map(|budget| budget.points),
        points: evaluated.points,
        errors: evaluated.all_findings().filter(|finding| finding.severity == Severity::Error).count(),
        notes: optional_notes(&fleet.notes),
        ..FleetList::default()
    };
    list.groups = fleet
        .groups
        .iter()
        .map(|group| ListGroup {
            id: clean::collapse_spaces(&group.id.text),
            kind: optional_text(&group.kind),
            name: optional_text(&group.name),
            notes: optional_notes(&group.notes),
        })
        .collect();
    list.ships = fleet.ships.iter().enumerate().map(|(entry, ship)| names.ship(entry, None, ship)).collect();
    list.designs = fleet.designs.iter().map(list_class).collect();
    if sharing.designs {
        let mut seen: Vec<&Arc<FleetClass>> = Vec::new();
        for unit in &evaluated.units {
            let is_new = |known: &&Arc<FleetClass>| known.source == unit.class.source;
            if !matches!(unit.class.source, ClassSource::Embedded(_)) && !seen.iter().any(is_new) {
                seen.push(&unit.class);
                list.designs.push(list_class(&unit.class.design));
            }
        }
    }
    list
}

/// The relations by which a ship takes others along.
pub(super) fn carry_relations(rules: &Ruleset) -> impl Iterator<Item = String> {
    rules
        .relations
        .iter()
        .filter(|relation| relation.kind == RelationKind::Carry)
        .map(|relation| relation.id.to_string())
}

/// Its title, and the version unless the title has it.
pub(super) fn game_title(rules: &Ruleset) -> String {
    let (title, version) = (clean::collapse_spaces(&rules.title), clean::collapse_spaces(&rules.version));
    if title.ends_with(&version) { title } else { format!("{title}, version {version}") }
}

struct ListNames<'a> {
    fleet: &'a EvaluatedFleet,
}

impl ListNames<'_> {
    fn ship(&self, entry: usize, carried: Option<(usize, usize)>, ship: &FleetShip) -> ListShip {
        let unit = self.fleet.units.iter().find(|unit| unit.entry == entry && unit.carried == carried);
        let source = &self.fleet.fleet.source;
        let damage = ship.damage(source);
        let kinds = unit.filter(|_| !damage.is_empty()).map(|unit| tick_marks(&unit.evaluation)).unwrap_or_default();
        let is_kept = |stem: &str| kinds.get(stem).is_none_or(|boxes| boxes.kind.is_lasting());
        ListShip {
            line: 0,
            count: (ship.count != 1).then_some(ship.count),
            class: self.class_name(ship, unit.map(|unit| &unit.class)),
            name: optional_text(&ship.name),
            hull_number: optional_text(&ship.hull_number),
            captain: optional_text(&ship.captain),
            owner: optional_text(&ship.owner),
            group: optional_text(&ship.group),
            notes: optional_notes(&ship.notes),
            points: unit.and_then(|unit| unit.evaluation.points).filter(|points| *points >= 0),
            carried: ship
                .carried
                .iter()
                .enumerate()
                .filter(|(_, one)| one.plain.is_some() || !one.ships.is_empty())
                .map(|(n, one)| ListCarried {
                    relation: one.relation.text.to_string(),
                    plain: one.plain.filter(|_| one.ships.is_empty()),
                    ships: one.ships.iter().enumerate().map(|(k, pod)| self.ship(entry, Some((n, k)), pod)).collect(),
                })
                .collect(),
            loads: ship
                .load
                .iter()
                .map(|load| ListLoad {
                    system: clean::collapse_spaces(&load.system.text),
                    mount: optional_text(&load.mount),
                    values: load.values.iter().map(key_value).collect(),
                })
                .collect(),
            damage: damage
                .stems()
                .filter(|stem| is_kept(stem))
                .map(|stem| (clean::collapse_spaces(stem), damage.runs_text(stem)))
                .filter(|(_, runs)| !runs.is_empty())
                .collect(),
        }
    }

    /// The class's display name, or the file's reference if names are ambiguous.
    fn class_name(&self, ship: &FleetShip, class: Option<&Arc<FleetClass>>) -> String {
        let written = optional_text(&ship.design).unwrap_or_else(|| "?".into());
        let Some(class) = class else { return written };
        let Some(name) = optional_text(&class.design.name) else { return written };
        let wanted = fold_for_search(&name);
        let same_name = |other: &Arc<FleetClass>| {
            optional_text(&other.design.name).is_some_and(|other| fold_for_search(&other) == wanted)
        };
        let two = self.fleet.units.iter().any(|unit| unit.class.source != class.source && same_name(&unit.class));
        if two { written } else { name }
    }
}

fn list_class(design: &Design) -> ListClass {
    let mut class = ListClass {
        name: optional_text(&design.name).unwrap_or_default(),
        notes: optional_notes(&design.notes),
        ..ListClass::default()
    };
    class.fields = design.fields.iter().map(key_value).collect();
    for fit in &design.fits {
        let what = ListLoad {
            system: clean::collapse_spaces(&fit.system.text),
            mount: optional_text(&fit.mount),
            values: fit.parameters.iter().map(key_value).collect(),
        };
        class.fits.push(ListFit { count: fit.count, load: what });
    }
    for system in &design.systems {
        let text = |word: &SpannedText| TomlValue::Text(word.text.to_string().into());
        let mut keys = vec![("id".to_owned(), value::list_value(&text(&system.id)))];
        keys.extend(system.like.as_ref().map(|like| ("like".to_owned(), value::list_value(&text(like)))));
        let mut keys: Vec<(String, String)> =
            keys.into_iter().map(|(key, value)| (key, value::parse_value(&value))).collect();
        keys.extend(system.keys.iter().map(key_value));
        class.systems.push(keys);
    }
    class
}

fn key_value(entry: &TomlEntry<'_>) -> (String, String) {
    let TomlNode { data, .. } = &entry.node;
    (entry.key.to_string(), value::parse_value(&value::list_value(data)))
}

fn optional_text(word: &Option<SpannedText>) -> Option<String> {
    word.as_ref().map(|word| clean::collapse_spaces(&word.text)).filter(|words| !words.is_empty())
}

/// Each line trimmed.
fn optional_notes(word: &Option<SpannedText>) -> Option<String> {
    let text = word.as_ref()?.text.replace("\r\n", "\n");
    let lines: Vec<String> = text.trim().split('\n').map(clean::collapse_spaces).collect();
    let text = lines.join("\n");
    (!text.trim().is_empty()).then_some(text)
}

impl ListShip {
    pub(super) fn forget_lines(&mut self) {
        self.line = 0;
        self.carried.iter_mut().flat_map(|carried| &mut carried.ships).for_each(Self::forget_lines);
    }
}
