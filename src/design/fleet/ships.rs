//! A ship of a fleet: who she is, what she carries, what she is loaded with, which boxes are ticked. Takes her table, gives what it says
//! and findings; what she carries is read by the same reader.

use crate::design::read::{Reader, Wanted, short};
use crate::design::{Subject, Word};
use crate::finding::Finding;
use crate::source::Span;
use crate::source::toml::{Data, Entry, Node, Table};

use super::damage::{MOST_BOXES, Wrong, runs};
use super::model::{Carried, FleetLoad, FleetShip, Hits};

/// The most units of a fleet, what is carried among them.
pub const UNITS_MOST: u32 = 2_000;
/// The most loads, or entries of what a ship carries.
const MOST_LISTED: usize = 200;
/// The most stems of ticked boxes of one ship.
const MOST_STEMS: usize = 2_000;

/// The keys of a ship; the ids of the ruleset's relations are keys too.
pub const SHIP_KEYS: [&str; 10] =
    ["design", "name", "hull_number", "captain", "owner", "notes", "count", "group", "load", "damage"];

/// A `[[ship]]`.
pub(super) fn ship(reader: &mut Reader<'_>, index: u32, span: Span, table: Table<'_>) -> FleetShip {
    one(reader, index, span, table, false)
}

fn one(reader: &mut Reader<'_>, index: u32, span: Span, table: Table<'_>, is_carried: bool) -> FleetShip {
    let mut ship = FleetShip {
        index,
        design: None,
        name: None,
        hull_number: None,
        captain: None,
        owner: None,
        notes: None,
        count: 1,
        count_at: None,
        group: None,
        carried: Vec::new(),
        load: Vec::new(),
        hits: Vec::new(),
        unknown: Vec::new(),
        span,
    };
    let before = reader.findings.len();
    let mut named = false;
    for entry in table.entries {
        match entry.key.as_ref() {
            "design" => {
                named = true;
                ship.design = reader.word("design", entry.node, None).filter(|word| !word.text.trim().is_empty());
                named &= ship.design.is_some() || reader.findings.len() > before;
            }
            "name" => ship.name = named_by(reader, "name", entry.node),
            "hull_number" => ship.hull_number = named_by(reader, "hull_number", entry.node),
            "captain" => ship.captain = named_by(reader, "captain", entry.node),
            "owner" => ship.owner = named_by(reader, "owner", entry.node),
            "notes" => ship.notes = said(reader, "notes", entry.node),
            "count" => {
                ship.count_at = Some(entry.node.span);
                ship.count = count(reader, &entry.node);
            }
            "group" => ship.group = said(reader, "group", entry.node),
            "load" => {
                for node in listed(reader, "load", entry.node) {
                    ship.load.extend(load(reader, node));
                }
            }
            "damage" => damage(reader, entry.node, &mut ship.hits),
            _ => other(reader, entry, is_carried, &mut ship),
        }
    }
    if ship.count > 1
        && (!ship.hits.is_empty() || ship.carried.iter().flat_map(|one| &one.ships).any(|pod| !pod.hits.is_empty()))
    {
        let span = ship.hits.first().map_or(ship.span, |hits| hits.stem.span);
        let message = format!("ticked boxes belong to one ship, this entry has {}", ship.count);
        let finding = Finding::error("damage-on-many", message)
            .help("give the damaged ship a separate entry; until then the boxes count for the first one")
            .at(reader.source.shown(span));
        reader.add(finding, Subject::Design);
    }
    if !named {
        let message = if is_carried { "missing `design` in a carried unit" } else { "missing `design` in a ship" };
        let finding = Finding::error("ship-without-design", message)
            .help("add design = \"vigilant.toml\", the path of a design file or the name of a class")
            .at(reader.source.shown(span));
        reader.add(finding, Subject::Design);
    }
    if reader.findings.len() > before {
        let item = item(&ship).into();
        let unnamed = reader.findings[before..].iter_mut().filter(|finding| finding.at.item.is_none());
        let item: std::sync::Arc<str> = item;
        unnamed.for_each(|finding| finding.at.item = Some(item.clone()));
    }
    ship
}

/// What a player calls an entry of a fleet's list.
pub(super) fn item(ship: &FleetShip) -> String {
    let words = [&ship.hull_number, &ship.name, &ship.design].into_iter().flatten();
    let named: Vec<String> =
        words.take(2).map(|word| short(word.text.trim())).filter(|word| !word.is_empty()).collect();
    if named.is_empty() { format!("ship {}", u64::from(ship.index) + 1) } else { named.join(" ") }
}

/// A text; one of nothing but spaces says nothing.
fn said(reader: &mut Reader<'_>, key: &str, node: Node<'_>) -> Option<Word> {
    reader.word(key, node, None).filter(|word| !word.text.trim().is_empty())
}

/// The same of a name, which has only so many letters.
fn named_by(reader: &mut Reader<'_>, key: &str, node: Node<'_>) -> Option<Word> {
    reader.name(key, node).filter(|word| !word.text.trim().is_empty())
}

fn count(reader: &mut Reader<'_>, node: &Node<'_>) -> u32 {
    let written = match &node.data {
        Data::Int(count) => match u32::try_from(*count).ok().filter(|count| (1..=UNITS_MOST).contains(count)) {
            Some(count) => return count,
            None => count.to_string(),
        },
        Data::Float(text) if text.bytes().all(|b| b.is_ascii_digit()) => text.chars().take(24).collect(),
        other => {
            reader.wrong_type(node.span, "count", &Wanted::Number, other, Subject::Design);
            return 0;
        }
    };
    let message = format!("count = {written}, expected 1 to {UNITS_MOST} ships");
    let help = if written == "0" {
        "remove the ship, or comment out its lines with #"
    } else {
        "fix the count; until then it counts as 0"
    };
    reader.add(
        Finding::error("value-out-of-range", message).help(help).at(reader.source.shown(node.span)),
        Subject::Design,
    );
    0
}

/// The tables of a list, in brackets or with headers; one table is a list of one.
fn listed<'a>(reader: &mut Reader<'_>, key: &str, node: Node<'a>) -> Vec<(Span, Table<'a>)> {
    let mut tables = Vec::new();
    match node.data {
        Data::Table(table) => tables.push((node.span, table)),
        Data::List(list) => {
            if list.len() > MOST_LISTED {
                let message = format!("`{key}` has {} entries, at most {MOST_LISTED} are read", list.len());
                let finding = Finding::error("too-large", message).at(reader.source.shown(list[MOST_LISTED].span));
                reader.add(finding.help("combine identical entries into one with a count"), Subject::Design);
            }
            for item in list.into_iter().take(MOST_LISTED) {
                match item.data {
                    Data::Table(table) => tables.push((item.span, table)),
                    other => not_a_list(reader, key, item.span, &other),
                }
            }
        }
        other => not_a_list(reader, key, node.span, &other),
    }
    tables
}

fn not_a_list(reader: &mut Reader<'_>, key: &str, span: Span, got: &Data<'_>) {
    if reader.is_full() {
        return;
    }
    let like = if key == "load" {
        "load = [{ system = \"missile-magazine\", laser_heads = 40 }]".to_owned()
    } else {
        format!("{key} = [{{ design = \"quiver.toml\", count = 3 }}]")
    };
    let finding = Finding::error("wrong-type", format!("expected a list of tables for `{key}`, found {}", got.kind()))
        .help(format!("write, for example, {like}"))
        .at(reader.source.shown(span));
    reader.add(finding, Subject::Design);
}

fn load(reader: &mut Reader<'_>, (span, table): (Span, Table<'_>)) -> Option<FleetLoad> {
    let (mut system, mut mount, mut named) = (None, None, false);
    let mut values = Vec::new();
    for entry in table.entries {
        match entry.key.as_ref() {
            "system" => {
                named = true;
                system = reader.word("system", entry.node, None);
            }
            "mount" => mount = reader.word("mount", entry.node, None),
            key => match entry.node.data {
                Data::Int(_) | Data::Flag(_) | Data::Text(_) => values.push(entry.into_owned()),
                _ if reader.is_full() => {}
                ref got => {
                    let message = format!("expected a number or text for `{}`, found {}", short(key), got.kind());
                    let finding = Finding::error("wrong-type", message)
                        .help(format!("write, for example, {} = 40", short(key)))
                        .at(reader.source.shown(entry.node.span));
                    reader.add(finding, Subject::Design);
                }
            },
        }
    }
    if !named && !reader.is_full() {
        let finding = Finding::error("load-without-system", "missing `system` in a load")
            .help("add the loaded system, such as system = \"missile-magazine\"")
            .at(reader.source.shown(span));
        reader.add(finding, Subject::Design);
    }
    Some(FleetLoad { system: system?, mount, values, span })
}

fn damage(reader: &mut Reader<'_>, node: Node<'_>, hits: &mut Vec<Hits>) {
    let Data::Table(table) = node.data else {
        let finding = Finding::error(
            "wrong-type",
            format!("expected a table for `damage`, found {}", node.data.kind()),
        )
        .help("write [ship.damage] on a separate line below the ship, and lines such as structure = \"1-12\" below it")
        .at(reader.source.shown(node.span));
        return reader.add(finding, Subject::Design);
    };
    for (n, entry) in table.entries.into_iter().enumerate() {
        if n == MOST_STEMS {
            let message = format!("more than {MOST_STEMS} kinds of boxes are ticked; the rest is skipped");
            let finding = Finding::error("too-large", message).at(reader.source.shown(entry.span));
            return reader.add(finding.help("remove some; no sheet has that many"), Subject::Design);
        }
        match runs(&entry.node.data) {
            Ok(runs) => {
                let stem = Word { text: entry.key.as_ref().into(), span: entry.span };
                hits.push(Hits { stem, runs, span: entry.node.span });
            }
            Err(_) if reader.is_full() => {}
            Err(wrong) => {
                let finding = unreadable(&entry, &wrong).at(reader.source.shown(entry.node.span));
                reader.add(finding, Subject::Design);
            }
        }
    }
}

fn unreadable(entry: &Entry<'_>, wrong: &Wrong) -> Finding {
    let key = short(&entry.key);
    let write = format!("write {key} = 3 for the first three boxes, or {key} = \"1-12, 14\"");
    match wrong {
        Wrong::Type => {
            let message = format!("expected a number of boxes or text for `{key}`, found {}", entry.node.data.kind());
            Finding::error("wrong-type", message).help(write)
        }
        Wrong::Part(part) => {
            Finding::error("not-boxes", format!("expected a box or a range of boxes, found `{part}`")).help(write)
        }
        Wrong::Turned(first, last) => {
            Finding::error("not-boxes", format!("range {first}-{last} ends before it starts"))
                .help(format!("write {last}-{first}"))
        }
        Wrong::TooLarge(number) => Finding::error(
            "value-out-of-range",
            format!("{key}: {number}; no sheet has more than {MOST_BOXES} boxes of one kind"),
        )
        .help(write),
        Wrong::TooSmall(number) => {
            Finding::error("value-out-of-range", format!("{key}: {number}; boxes are numbered from 1")).help(write)
        }
    }
}

/// A key that is none of a ship's: what one of the ruleset's relations may be, if it has that form.
fn other(reader: &mut Reader<'_>, entry: Entry<'_>, is_carried: bool, ship: &mut FleetShip) {
    let holds_design = |node: &Node<'_>| matches!(&node.data, Data::Table(table) if table.get("design").is_some());
    let may_be = match &entry.node.data {
        Data::Int(_) => true,
        Data::List(list) => list.iter().any(holds_design),
        _ => holds_design(&entry.node),
    };
    if !may_be {
        return ship.unknown.push(entry.into_owned());
    }
    let relation = Word { text: entry.key.as_ref().into(), span: entry.span };
    if is_carried && reader.is_full() {
        return;
    }
    if is_carried {
        let finding = Finding::error("carried-carries", "a carried unit cannot carry others")
            .help("give it a separate [[ship]], or remove this")
            .at(reader.source.shown(relation.span));
        return reader.add(finding, Subject::Design);
    }
    let span = entry.node.span;
    let mut carried = Carried { relation, plain: None, ships: Vec::new(), span };
    match entry.node.data {
        Data::Int(number) => carried.plain = Some(number),
        _ => {
            let key = carried.relation.text.clone();
            for (index, (span, table)) in (0..).zip(listed(reader, &key, entry.node)) {
                carried.ships.push(one(reader, index, span, table, true));
            }
        }
    }
    ship.carried.push(carried);
}
