//! Reads a `[[ship]]`: names, carried units, loads and ticked boxes, with findings. Carried units use the same reader.

use crate::design::read::{DesignReader, ExpectedType, shorten};
use crate::design::{DesignPart, SpannedText};
use moldloft_base::finding::Finding;
use moldloft_base::source::Span;
use moldloft_base::source::toml::{TomlEntry, TomlNode, TomlTable, TomlValue};

use super::damage::{MAX_BOXES, TickedBoxesError, parse_runs};
use super::model::{CarriedUnits, FleetLoad, FleetShip, TickedBoxes};

/// The most units of a fleet, carried units included.
pub const MAX_UNITS: u32 = 2_000;
const MAX_LISTED: usize = 200;
const MAX_STEMS: usize = 2_000;

/// Keys of a ship; the ids of relations are allowed as well.
pub const SHIP_KEYS: [&str; 10] =
    ["design", "name", "hull_number", "captain", "owner", "notes", "count", "group", "load", "damage"];

pub(super) fn read_ship(reader: &mut DesignReader<'_>, index: u32, span: Span, table: TomlTable<'_>) -> FleetShip {
    read_entry(reader, index, span, table, false)
}

fn read_entry(
    reader: &mut DesignReader<'_>,
    index: u32,
    span: Span,
    table: TomlTable<'_>,
    is_carried: bool,
) -> FleetShip {
    let mut ship = FleetShip { index, count: 1, span, ..FleetShip::default() };
    let before = reader.findings.len();
    let mut named = false;
    for entry in table.entries {
        match entry.key.as_ref() {
            "design" => {
                named = true;
                ship.design = reader.read_text("design", entry.node, None).filter(|word| !word.text.trim().is_empty());
                named &= ship.design.is_some() || reader.findings.len() > before;
            }
            "name" => ship.name = read_name(reader, "name", entry.node),
            "hull_number" => ship.hull_number = read_name(reader, "hull_number", entry.node),
            "captain" => ship.captain = read_name(reader, "captain", entry.node),
            "owner" => ship.owner = read_name(reader, "owner", entry.node),
            "notes" => ship.notes = read_text(reader, "notes", entry.node),
            "count" => {
                ship.count_span = Some(entry.node.span);
                ship.count = read_count(reader, &entry.node);
            }
            "group" => ship.group = read_text(reader, "group", entry.node),
            "load" => {
                for node in read_table_list(reader, "load", entry.node) {
                    ship.load.extend(read_load(reader, node));
                }
            }
            "damage" => read_damage(reader, entry.node, &mut ship.ticked_boxes),
            _ => read_relation_key(reader, entry, is_carried, &mut ship),
        }
    }
    if ship.count > 1
        && (!ship.ticked_boxes.is_empty()
            || ship.carried.iter().flat_map(|one| &one.ships).any(|pod| !pod.ticked_boxes.is_empty()))
    {
        let span = ship.ticked_boxes.first().map_or(ship.span, |hits| hits.stem.span);
        let message = format!("ticked boxes belong to one ship, this entry has {}", ship.count);
        let finding = Finding::error("damage-on-many", message)
            .help("give the damaged ship a separate entry; until then the boxes count for the first one");
        reader.add_at(span, finding, DesignPart::Design);
    }
    if !named {
        let message = if is_carried { "missing `design` in a carried unit" } else { "missing `design` in a ship" };
        let finding = Finding::error("ship-without-design", message)
            .help("add design = \"vigilant.toml\", the path of a design file or the name of a class");
        reader.add_at(span, finding, DesignPart::Design);
    }
    if reader.findings.len() > before {
        let item = ship_label(&ship).into();
        let unnamed = reader.findings[before..].iter_mut().filter(|finding| finding.at.item.is_none());
        let item: std::sync::Arc<str> = item;
        unnamed.for_each(|finding| finding.at.item = Some(item.clone()));
    }
    ship
}

pub(super) fn ship_label(ship: &FleetShip) -> String {
    let words = [&ship.hull_number, &ship.name, &ship.design].into_iter().flatten();
    let named: Vec<String> =
        words.take(2).map(|word| shorten(word.text.trim())).filter(|word| !word.is_empty()).collect();
    if named.is_empty() { format!("ship {}", u64::from(ship.index) + 1) } else { named.join(" ") }
}

/// `None` for text that is only spaces.
fn read_text(reader: &mut DesignReader<'_>, key: &str, node: TomlNode<'_>) -> Option<SpannedText> {
    reader.read_text(key, node, None).filter(|word| !word.text.trim().is_empty())
}

/// As [`read_text`], cut to the longest name allowed.
fn read_name(reader: &mut DesignReader<'_>, key: &str, node: TomlNode<'_>) -> Option<SpannedText> {
    reader.read_name(key, node).filter(|word| !word.text.trim().is_empty())
}

fn read_count(reader: &mut DesignReader<'_>, node: &TomlNode<'_>) -> u32 {
    let written = match &node.data {
        TomlValue::Int(count) => match u32::try_from(*count).ok().filter(|count| (1..=MAX_UNITS).contains(count)) {
            Some(count) => return count,
            None => count.to_string(),
        },
        TomlValue::Float(text) if text.bytes().all(|b| b.is_ascii_digit()) => text.chars().take(24).collect(),
        other => {
            reader.wrong_type(node.span, "count", &ExpectedType::Number, other, DesignPart::Design);
            return 0;
        }
    };
    let message = format!("count = {written}, expected 1 to {MAX_UNITS} ships");
    let help = if written == "0" {
        "remove the ship, or comment out its lines with #"
    } else {
        "fix the count; until then it counts as 0"
    };
    reader.add(
        Finding::error("value-out-of-range", message).help(help).at(reader.source.place_with_snippet(node.span)),
        DesignPart::Design,
    );
    0
}

/// The tables of a list; a single table counts as a list of one.
fn read_table_list<'a>(reader: &mut DesignReader<'_>, key: &str, node: TomlNode<'a>) -> Vec<(Span, TomlTable<'a>)> {
    let mut tables = Vec::new();
    match node.data {
        TomlValue::Table(table) => tables.push((node.span, table)),
        TomlValue::List(list) => {
            if list.len() > MAX_LISTED {
                let message = format!("`{key}` has {} entries, at most {MAX_LISTED} are read", list.len());
                let finding =
                    Finding::error("too-large", message).help("combine identical entries into one with a count");
                reader.add_at(list[MAX_LISTED].span, finding, DesignPart::Design);
            }
            for item in list.into_iter().take(MAX_LISTED) {
                match item.data {
                    TomlValue::Table(table) => tables.push((item.span, table)),
                    other => report_not_a_list(reader, key, item.span, &other),
                }
            }
        }
        other => report_not_a_list(reader, key, node.span, &other),
    }
    tables
}

fn report_not_a_list(reader: &mut DesignReader<'_>, key: &str, span: Span, got: &TomlValue<'_>) {
    if reader.is_full() {
        return;
    }
    let like = if key == "load" {
        "load = [{ system = \"missile-magazine\", laser_heads = 40 }]".to_owned()
    } else {
        format!("{key} = [{{ design = \"quiver.toml\", count = 3 }}]")
    };
    let finding =
        Finding::error("wrong-type", format!("expected a list of tables for `{key}`, found {}", got.type_name()))
            .help(format!("write, for example, {like}"));
    reader.add_at(span, finding, DesignPart::Design);
}

fn read_load(reader: &mut DesignReader<'_>, (span, table): (Span, TomlTable<'_>)) -> Option<FleetLoad> {
    let (mut system, mut mount, mut named) = (None, None, false);
    let mut values = Vec::new();
    for entry in table.entries {
        match entry.key.as_ref() {
            "system" => {
                named = true;
                system = reader.read_text("system", entry.node, None);
            }
            "mount" => mount = reader.read_text("mount", entry.node, None),
            key => match entry.node.data {
                TomlValue::Int(_) | TomlValue::Flag(_) | TomlValue::Text(_) => values.push(entry.into_owned()),
                _ if reader.is_full() => {}
                ref got => {
                    let message =
                        format!("expected a number or text for `{}`, found {}", shorten(key), got.type_name());
                    let finding = Finding::error("wrong-type", message)
                        .help(format!("write, for example, {} = 40", shorten(key)));
                    reader.add_at(entry.node.span, finding, DesignPart::Design);
                }
            },
        }
    }
    if !named && !reader.is_full() {
        let finding = Finding::error("load-without-system", "missing `system` in a load")
            .help("add the loaded system, such as system = \"missile-magazine\"");
        reader.add_at(span, finding, DesignPart::Design);
    }
    Some(FleetLoad { system: system?, mount, values, span })
}

fn read_damage(reader: &mut DesignReader<'_>, node: TomlNode<'_>, hits: &mut Vec<TickedBoxes>) {
    let TomlValue::Table(table) = node.data else {
        let finding = Finding::error(
            "wrong-type",
            format!("expected a table for `damage`, found {}", node.data.type_name()),
        )
        .help("write [ship.damage] on a separate line below the ship, and lines such as structure = \"1-12\" below it");
        return reader.add_at(node.span, finding, DesignPart::Design);
    };
    for (n, entry) in table.entries.into_iter().enumerate() {
        if n == MAX_STEMS {
            let message = format!("more than {MAX_STEMS} kinds of boxes are ticked; the rest is skipped");
            let finding = Finding::error("too-large", message);
            return reader.add_at(entry.span, finding.help("remove some; no sheet has that many"), DesignPart::Design);
        }
        match parse_runs(&entry.node.data) {
            Ok(runs) => {
                let stem = SpannedText { text: entry.key.as_ref().into(), span: entry.span };
                hits.push(TickedBoxes { stem, runs, span: entry.node.span });
            }
            Err(_) if reader.is_full() => {}
            Err(wrong) => {
                let finding = unreadable_damage(&entry, &wrong);
                reader.add_at(entry.node.span, finding, DesignPart::Design);
            }
        }
    }
}

fn unreadable_damage(entry: &TomlEntry<'_>, wrong: &TickedBoxesError) -> Finding {
    let key = shorten(&entry.key);
    let write = format!("write {key} = 3 for the first three boxes, or {key} = \"1-12, 14\"");
    match wrong {
        TickedBoxesError::Type => {
            let message =
                format!("expected a number of boxes or text for `{key}`, found {}", entry.node.data.type_name());
            Finding::error("wrong-type", message).help(write)
        }
        TickedBoxesError::InvalidPart(part) => {
            Finding::error("not-boxes", format!("expected a box or a range of boxes, found `{part}`")).help(write)
        }
        TickedBoxesError::Reversed(first, last) => {
            Finding::error("not-boxes", format!("range {first}-{last} ends before it starts"))
                .help(format!("write {last}-{first}"))
        }
        TickedBoxesError::TooLarge(number) => Finding::error(
            "value-out-of-range",
            format!("{key}: {number}; no sheet has more than {MAX_BOXES} boxes of one kind"),
        )
        .help(write),
        TickedBoxesError::TooSmall(number) => {
            Finding::error("value-out-of-range", format!("{key}: {number}; boxes are numbered from 1")).help(write)
        }
    }
}

fn read_relation_key(reader: &mut DesignReader<'_>, entry: TomlEntry<'_>, is_carried: bool, ship: &mut FleetShip) {
    let holds_design =
        |node: &TomlNode<'_>| matches!(&node.data, TomlValue::Table(table) if table.get("design").is_some());
    let may_be = match &entry.node.data {
        TomlValue::Int(_) => true,
        TomlValue::List(list) => list.iter().any(holds_design),
        _ => holds_design(&entry.node),
    };
    if !may_be {
        return ship.unknown.push(entry.into_owned());
    }
    let relation = SpannedText { text: entry.key.as_ref().into(), span: entry.span };
    if is_carried && reader.is_full() {
        return;
    }
    if is_carried {
        let finding = Finding::error("carried-carries", "a carried unit cannot carry others")
            .help("give it a separate [[ship]], or remove this");
        return reader.add_at(relation.span, finding, DesignPart::Design);
    }
    let span = entry.node.span;
    let mut carried = CarriedUnits { relation, plain: None, ships: Vec::new(), span };
    match entry.node.data {
        TomlValue::Int(number) => carried.plain = Some(number),
        _ => {
            let key = carried.relation.text.clone();
            for (index, (span, table)) in (0..).zip(read_table_list(reader, &key, entry.node)) {
                carried.ships.push(read_entry(reader, index, span, table, true));
            }
        }
    }
    ship.carried.push(carried);
}
