//! A list read: takes a text, however it was treated on its way, gives what it says, and each line that says nothing with its number. Bounded.

use std::collections::BTreeMap;

use crate::cleaning::fold;
use crate::finding::{Finding, Findings, Place};
use crate::source::Source;

use super::{Carried, Class, Fit, Group, Known, List, Load, Ship, clean, line, text, value};

/// The most lines that are read.
const MOST_LINES: usize = 20_000;
/// The most ships, groups or classes.
const MOST: usize = 2_000;
/// The longest label.
const LABEL: usize = 60;
/// The longest fleet's name that is taken from a line without a label.
const NAME: usize = 80;

/// What stands before a colon.
const HEAD: [&str; 12] =
    ["fleet", "name", "side", "player", "game", "rules", "house rules", "points", "total", "budget", "limit", "notes"];
const SHIP: [&str; 13] = [
    "class",
    "name",
    "hull number",
    "hull",
    "count",
    "captain",
    "owner",
    "group",
    "squadron",
    "notes",
    "load",
    "damage",
    "points",
];
const CLASS: [&str; 6] = ["design", "fields", "field", "fit", "system", "design notes"];
/// Of what is carried, behind the relation's word.
const CARRIED: [&str; 9] = ["class", "name", "hull number", "count", "captain", "owner", "notes", "load", "damage"];

/// A line with those that it goes on in.
struct Item {
    line: u32,
    kind: Kind,
    words: String,
}

#[derive(PartialEq, Eq)]
enum Kind {
    Ship,
    Label(String),
    Name,
    /// Said by the program that wrote the list.
    Foot,
}

/// The id of the game that a list names, and what it calls the game.
pub fn game(text: &str) -> (Option<String>, Option<String>) {
    let mut lines = clean::lines(text).into_iter().take(MOST_LINES).map(|(_, line)| line);
    let said = lines.find_map(|line| {
        let (label, value) = labelled(&line)?;
        (fold(label) == "game").then(|| value.to_owned())
    });
    let nothing = Known::default();
    let said = said.map(|mut said| {
        for more in lines.take_while(|line| !line.is_empty() && begun(line, &nothing, true).is_none()) {
            said.push(' ');
            said.push_str(&more);
        }
        said.trim().to_owned()
    });
    said.map_or((None, None), |said| {
        let id = said.strip_suffix(')').and_then(|rest| rest.rsplit_once('('));
        match id {
            Some((title, id)) if is_id(id.trim()) => (Some(id.trim().to_owned()), some(title)),
            _ => (None, some(&said)),
        }
    })
}

/// Reads a list; what is known of the game helps with what players write by hand.
pub fn read(source: &Source, known: &Known) -> List {
    let mut list = List::default();
    (list.ruleset, list.game) = game(&source.text);
    let mut items: Vec<Item> = Vec::new();
    // The line before, if it may go on.
    let mut open = false;
    let lines = clean::lines(&source.text);
    if lines.len() > MOST_LINES {
        let message = format!("read only the first {MOST_LINES} of {} lines", lines.len());
        list.findings.push(Finding::error("too-large", message).help("is this the right file?").at(at(source, 0)));
    }
    for (number, words) in lines.into_iter().take(MOST_LINES) {
        if words.is_empty() {
            open = false;
            continue;
        }
        let in_label = open && items.last().is_some_and(|item| !matches!(item.kind, Kind::Ship | Kind::Name));
        match begun(&words, known, in_label) {
            Some((kind, words)) => {
                items.push(Item { line: number, kind, words: words.to_owned() });
                open = true;
            }
            None => match items.last_mut() {
                Some(item) if open => {
                    item.words.push(' ');
                    item.words.push_str(&words);
                }
                None if words.chars().count() <= NAME => {
                    items.push(Item { line: number, kind: Kind::Name, words });
                    open = false;
                }
                _ => list.unread.push((number, words)),
            },
        }
    }
    // What the program wrote says classes as they are; only hand-written lines are looked at for what may be meant.
    let strict = items.iter().any(|item| item.kind == Kind::Foot);
    let nothing = Known::default();
    let meant = if strict { &nothing } else { known };
    let raw = source.text.lines().collect();
    let groups = BTreeMap::new();
    let mut reading = Reading { list, source, raw, groups, known, meant, at: At::Head, told: false };
    for item in items {
        reading.item(item);
    }
    let mut list = reading.list;
    list.unread.sort_by_key(|(line, _)| *line);
    let mut found = Findings::default();
    for (number, words) in &list.unread {
        found.add(|| {
            let cut: String = words.chars().take(60).collect();
            let message = format!("expected a ship or a label, found “{cut}”; kept as a comment");
            let help = "start a ship's line with a hyphen or a count: 3 x Tern \"HMS Argus\", DD-12";
            Finding::warning("not-understood", message).help(help).at(at(source, *number))
        });
    }
    list.findings.extend(found.into_kept(at(source, 0)));
    list.findings.sort_by_key(|finding| finding.at.line);
    list
}

/// Whether a line would be taken for one of its own.
pub fn begins(words: &str, known: &Known) -> bool {
    words.starts_with(['>', '#', '`', '~', '|']) || begun(words, known, false).is_some()
}

fn begun<'a>(words: &'a str, known: &Known, in_label: bool) -> Option<(Kind, &'a str)> {
    if words.get(..18).is_some_and(|head| text::FOOT.starts_with(head)) || words.starts_with(text::OWN) {
        return Some((Kind::Foot, words));
    }
    let label = |words: &'a str| {
        let (label, value) = labelled(words)?;
        let label = fold(label);
        is_label(&label, known).then_some((Kind::Label(label), value))
    };
    if let Some(point) = line::point(words) {
        return label(point).or(Some((Kind::Ship, point)));
    }
    if let Some(found) = label(words) {
        return Some(found);
    }
    let is_ship = line::count(words).is_some() || (!in_label && line::is_ship(words, known));
    is_ship.then_some((Kind::Ship, words))
}

fn labelled(words: &str) -> Option<(&str, &str)> {
    let (label, value) = words.split_once(':')?;
    let label = label.trim().trim_matches(['*', '_', '#']).trim();
    let apart = value.is_empty() || value.starts_with([' ', '*', '_']);
    (apart && !label.is_empty() && label.chars().count() <= LABEL)
        .then(|| (label, value.trim_start_matches(['*', '_']).trim()))
}

fn is_label(label: &str, known: &Known) -> bool {
    let fixed = [&HEAD[..], &SHIP, &CLASS].iter().any(|labels| labels.contains(&label));
    fixed
        || label.strip_prefix("group ").is_some()
        || label.strip_prefix("notes on ").is_some()
        || relation(label, known).is_some()
}

/// The relation that a label begins with, and the rest of the label.
fn relation<'a>(label: &'a str, known: &'a Known) -> Option<(&'a str, &'a str)> {
    known.relations.iter().find_map(|(id, word)| {
        let rest = label.strip_prefix(word.as_str())?;
        let rest = if rest.is_empty() { rest } else { rest.strip_prefix(' ')? };
        (rest.is_empty() || rest == "points" || CARRIED.contains(&rest)).then_some((id.as_str(), rest))
    })
}

/// What labels are about.
enum At {
    Head,
    Ship,
    Class,
}

struct Reading<'a> {
    list: List,
    source: &'a Source,
    /// Its lines as they are written.
    raw: Vec<&'a str>,
    /// Places of groups by their ids as they are compared.
    groups: BTreeMap<String, usize>,
    known: &'a Known,
    /// What helps with ships' lines.
    meant: &'a Known,
    at: At,
    told: bool,
}

impl Reading<'_> {
    fn item(&mut self, item: Item) {
        let Item { line, kind, words } = item;
        match kind {
            Kind::Foot => {}
            Kind::Name => put(&mut self.list.name, &words),
            Kind::Ship => {
                if self.list.ships.len() >= MOST {
                    return self.too_many(line, "ships");
                }
                let ship = Ship { line, ..line::ship(&words, self.meant) };
                self.guessed(&ship, &words);
                self.list.ships.push(ship);
                self.at = At::Ship;
            }
            Kind::Label(label) => {
                if self.label(&label, &words, line).is_none() {
                    self.list.unread.push((line, format!("{label}: {words}")));
                }
            }
        }
    }

    /// Says how a line was understood that names no class as it stands.
    fn guessed(&mut self, ship: &Ship, words: &str) {
        let plain = line::ship(words, &Known::default());
        let more = [(&ship.name, &plain.name), (&ship.hull_number, &plain.hull_number)];
        let Some(more) = more.into_iter().find_map(|(got, said)| got.as_ref().filter(|_| said.is_none())) else {
            return;
        };
        // `DD-12` can be nothing but a hull number.
        let ends = more.rsplit_once('-').map(|(_, end)| end);
        if ends.is_some_and(|end| !end.is_empty() && end.bytes().all(|b| b.is_ascii_digit())) {
            return;
        }
        let message = format!("read “{}” as a {} named “{more}”", plain.class, ship.class);
        let help = format!("if the class is “{}”, add a comma after it", plain.class);
        let finding = Finding::warning("class-guessed", message).help(help);
        self.list.findings.push(finding.at(at(self.source, ship.line)));
    }

    fn too_many(&mut self, line: u32, what: &str) {
        if !self.told {
            self.told = true;
            let finding = Finding::error("too-large", format!("more than {MOST} {what}; skipped the rest"));
            self.list.findings.push(finding.help("split the list").at(at(self.source, line)));
        }
    }

    /// Takes what a label says; `None` when it says nothing here.
    fn label(&mut self, label: &str, words: &str, line: u32) -> Option<()> {
        match label {
            "fleet" => put(&mut self.list.name, words),
            "side" => put(&mut self.list.side, words),
            "player" => put(&mut self.list.player, words),
            "game" | "rules" | "house rules" => {}
            "budget" | "limit" => self.list.budget = Some(number(words)?),
            "total" => self.total(words)?,
            "design" => {
                if self.list.designs.len() >= MOST {
                    self.too_many(line, "classes");
                } else {
                    self.list.designs.push(Class { name: words.to_owned(), ..Class::default() });
                }
                self.at = At::Class;
            }
            "fields" | "field" | "fit" | "system" | "design notes" => self.class(label, words)?,
            _ => {
                if let Some(id) = label.strip_prefix("notes on ") {
                    let group = *self.groups.get(id)?;
                    add(&mut self.list.groups.get_mut(group)?.notes, words);
                } else if let Some(id) = label.strip_prefix("group ") {
                    // As it is written, not as it is compared.
                    let id = self.written_id(line, id);
                    if self.list.groups.len() < MOST {
                        self.groups.entry(fold(&id)).or_insert(self.list.groups.len());
                        self.list.groups.push(group(id, words));
                    } else {
                        self.too_many(line, "groups");
                    }
                    self.at = At::Head;
                } else if let Some((relation, what)) = relation(label, self.known) {
                    self.carried(relation, what, words, line)?;
                } else {
                    match self.at {
                        At::Head => match label {
                            "name" => put(&mut self.list.name, words),
                            "notes" => add(&mut self.list.notes, words),
                            "points" => self.total(words)?,
                            _ => return None,
                        },
                        At::Class => return None,
                        At::Ship => {
                            let groups = &self.list.groups;
                            of_ship(self.list.ships.last_mut()?, label, words, groups)?;
                        }
                    }
                }
            }
        }
        Some(())
    }

    /// A group's id as the list writes it.
    fn written_id(&self, line: u32, folded: &str) -> String {
        let raw = self.raw.get(line.saturating_sub(1) as usize).map(|raw| clean::line(raw)).unwrap_or_default();
        let raw = line::point(&raw).unwrap_or(&raw);
        let id = labelled(raw).and_then(|(label, _)| label.split_once(' ')).map(|(_, id)| id.trim());
        id.filter(|id| fold(id) == folded).unwrap_or(folded).to_owned()
    }

    fn total(&mut self, words: &str) -> Option<()> {
        let digits = |words: &str| -> Option<i64> {
            let digits: String = words.trim().chars().take_while(char::is_ascii_digit).take(10).collect();
            digits.parse().ok()
        };
        let (points, budget) = match words.split_once(" of ").or_else(|| words.split_once('/')) {
            Some((points, budget)) => (digits(points), Some(digits(budget)?)),
            None => (Some(digits(words)?), None),
        };
        self.list.points = points.or(self.list.points);
        self.list.budget = budget.or(self.list.budget);
        Some(())
    }

    fn class(&mut self, label: &str, words: &str) -> Option<()> {
        let class = self.list.designs.last_mut()?;
        match label {
            "design notes" => add(&mut class.notes, words),
            "fit" => {
                let (count, rest) = line::count(words).unwrap_or((1, words));
                class.fits.push(Fit { count, what: load(rest)? });
            }
            "system" => class.systems.push(pairs(words)?),
            _ => class.fields.extend(pairs(words)?),
        }
        Some(())
    }

    fn carried(&mut self, relation: &str, what: &str, words: &str, line: u32) -> Option<()> {
        if !matches!(self.at, At::Ship) {
            return None;
        }
        let meant = self.meant;
        let ship = self.list.ships.last_mut()?;
        let place = ship.carried.iter().position(|carried| carried.relation == relation);
        if what.is_empty() {
            let place = place.unwrap_or_else(|| {
                ship.carried.push(Carried { relation: relation.to_owned(), ..Carried::default() });
                ship.carried.len() - 1
            });
            let carried = &mut ship.carried[place];
            match number(words) {
                Some(count) => carried.plain = Some(count),
                None if carried.ships.len() < MOST => carried.ships.push(Ship { line, ..line::ship(words, meant) }),
                None => self.too_many(line, "units carried by one ship"),
            }
            return Some(());
        }
        of_ship(ship.carried.get_mut(place?)?.ships.last_mut()?, what, words, &[])
    }
}

fn of_ship(ship: &mut Ship, label: &str, words: &str, groups: &[Group]) -> Option<()> {
    match label {
        "class" => ship.class = words.to_owned(),
        "name" => put(&mut ship.name, words),
        "hull number" | "hull" => put(&mut ship.hull_number, words),
        "count" => ship.count = Some(u32::try_from(number(words)?).ok()?),
        "points" => ship.points = Some(number(words.split(' ').next()?)?),
        "captain" => put(&mut ship.captain, words),
        "owner" => put(&mut ship.owner, words),
        "group" | "squadron" => {
            let wanted = fold(words);
            let named = |group: &&Group| group.name.as_deref().is_some_and(|name| fold(name) == wanted);
            let found = groups.iter().find(|group| group.id == words).or_else(|| groups.iter().find(named));
            ship.group = Some(found.map_or(words, |group| &group.id).to_owned());
        }
        "notes" => add(&mut ship.notes, words),
        "load" => ship.loads.push(load(words)?),
        "damage" => {
            for part in value::parts(words) {
                let (stem, runs) = part.split_once(' ')?;
                let runs: String = runs.chars().map(|c| if matches!(c, '–' | '—' | '−') { '-' } else { c }).collect();
                ship.damage.push((stem.trim_end_matches(':').to_owned(), runs.trim().to_owned()));
            }
        }
        _ => return None,
    }
    Some(())
}

/// `Close escort (formation)`.
fn group(id: String, words: &str) -> Group {
    let kind = words.strip_suffix(')').and_then(|rest| rest.rsplit_once('(')).filter(|(_, kind)| is_id(kind));
    let (name, kind) = match kind {
        Some((name, kind)) => (name, Some(kind.to_owned())),
        None => (words, None),
    };
    Group { id, kind, name: some(name), notes: None }
}

/// `missile-magazine in core; laser_heads = 40`.
fn load(words: &str) -> Option<Load> {
    let mut parts = value::parts(words).into_iter();
    let head = parts.next()?;
    let (system, mount) = match head.split_once(" in ") {
        Some((system, mount)) => (system.trim(), some(mount)),
        None => (head, None),
    };
    let values: Option<Vec<_>> = parts.map(value::pair).collect();
    Some(Load { system: system.to_owned(), mount, values: values? })
}

fn pairs(words: &str) -> Option<Vec<(String, String)>> {
    value::parts(words).into_iter().map(value::pair).collect()
}

/// A whole number and nothing else.
fn number(words: &str) -> Option<i64> {
    let words = words.trim();
    (!words.is_empty() && words.len() <= 12 && words.bytes().all(|b| b.is_ascii_digit())).then(|| words.parse().ok())?
}

fn is_id(id: &str) -> bool {
    !id.is_empty() && id.len() <= 80 && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

fn some(words: &str) -> Option<String> {
    let words = words.trim();
    (!words.is_empty()).then(|| words.to_owned())
}

fn put(slot: &mut Option<String>, words: &str) {
    *slot = some(words).or_else(|| slot.take());
}

/// Adds a line to a text.
fn add(slot: &mut Option<String>, words: &str) {
    match slot {
        Some(text) => {
            text.push('\n');
            text.push_str(words);
        }
        None => *slot = Some(words.to_owned()),
    }
}

/// A line of the list.
fn at(source: &Source, line: u32) -> Place {
    Place { file: Some(source.file.clone()), line, ..Place::default() }
}
