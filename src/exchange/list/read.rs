//! Reads a list: takes a text, gives its contents and every unreadable line with its number. Work is bounded.

use std::collections::BTreeMap;

use crate::finding::{Finding, FindingList, Place};
use crate::sanitize::fold_for_search;
use crate::source::Source;

use super::clean::non_empty;
use super::item_start::{ListItemKind, parse_start, split_label, split_relation_label};
use super::{
    FleetList, KnownNames, ListCarried, ListClass, ListFit, ListGroup, ListLoad, ListShip, clean, line, value,
};

const MAX_LINES: usize = 20_000;
const MAX_ENTRIES: usize = 2_000;
/// Longest name of a fleet on a line without a label.
const MAX_NAME: usize = 80;

struct ListItem {
    line: u32,
    kind: ListItemKind,
    words: String,
}

/// The id and the title of the game that a text names.
pub fn named_game(text: &str) -> (Option<String>, Option<String>) {
    let mut lines = clean::clean_lines(text).into_iter().take(MAX_LINES).map(|(_, line)| line);
    let first = lines.find_map(|line| {
        let (label, value) = split_label(&line)?;
        (fold_for_search(label) == "game").then(|| value.to_owned())
    });
    let Some(mut game) = first else { return (None, None) };
    let nothing = KnownNames::default();
    for more in lines.take_while(|line| !line.is_empty() && parse_start(line, &nothing, true).is_none()) {
        game.push(' ');
        game.push_str(&more);
    }
    let game = game.trim();
    match game.strip_suffix(')').and_then(|rest| rest.rsplit_once('(')) {
        Some((title, id)) if is_id(id.trim()) => (Some(id.trim().to_owned()), non_empty(title)),
        _ => (None, non_empty(game)),
    }
}

/// Reads a list; `known` helps with handwritten lines.
pub fn read_list(source: &Source, known: &KnownNames) -> FleetList {
    let mut list = FleetList::default();
    (list.ruleset, list.game) = named_game(&source.text);
    let mut items: Vec<ListItem> = Vec::new();
    let mut open = false;
    let lines = clean::clean_lines(&source.text);
    if lines.len() > MAX_LINES {
        let message = format!("read only the first {MAX_LINES} of {} lines", lines.len());
        list.findings
            .push(Finding::error("too-large", message).help("is this the right file?").at(line_place(source, 0)));
    }
    for (number, words) in lines.into_iter().take(MAX_LINES) {
        if words.is_empty() {
            open = false;
            continue;
        }
        let in_label =
            open && items.last().is_some_and(|item| !matches!(item.kind, ListItemKind::Ship | ListItemKind::Name));
        match parse_start(&words, known, in_label) {
            Some((kind, words)) => {
                items.push(ListItem { line: number, kind, words: words.to_owned() });
                open = true;
            }
            None => match items.last_mut() {
                Some(item) if open => {
                    item.words.push(' ');
                    item.words.push_str(&words);
                }
                None if words.chars().count() <= MAX_NAME => {
                    items.push(ListItem { line: number, kind: ListItemKind::Name, words });
                    open = false;
                }
                _ => list.unread.push((number, words)),
            },
        }
    }
    // Generated lists name classes exactly; only handwritten lines need guessing.
    let strict = items.iter().any(|item| item.kind == ListItemKind::Foot);
    let nothing = KnownNames::default();
    let meant = if strict { &nothing } else { known };
    let raw = source.text.lines().collect();
    let groups = BTreeMap::new();
    let mut reading = ListReader {
        list,
        source,
        raw,
        groups,
        known,
        ship_names: meant,
        scope: LabelScope::Head,
        has_reported_limit: false,
    };
    for item in items {
        reading.read_item(item);
    }
    let mut list = reading.list;
    list.unread.sort_by_key(|(line, _)| *line);
    let mut found = FindingList::default();
    for (number, words) in &list.unread {
        found.add(|| {
            let cut: String = words.chars().take(60).collect();
            let message = format!("expected a ship or a label, found “{cut}”; kept as a comment");
            let help = "start a ship's line with a hyphen or a count: 3 x Tern \"HMS Argus\", DD-12";
            Finding::warning("not-understood", message).help(help).at(line_place(source, *number))
        });
    }
    list.findings.extend(found.into_vec(line_place(source, 0)));
    list.findings.sort_by_key(|finding| finding.at.line);
    list
}

enum LabelScope {
    Head,
    Ship,
    Class,
}

struct ListReader<'a> {
    list: FleetList,
    source: &'a Source,
    raw: Vec<&'a str>,
    /// Index by normalised id.
    groups: BTreeMap<String, usize>,
    known: &'a KnownNames,
    ship_names: &'a KnownNames,
    scope: LabelScope,
    has_reported_limit: bool,
}

impl ListReader<'_> {
    fn read_item(&mut self, item: ListItem) {
        let ListItem { line, kind, words } = item;
        match kind {
            ListItemKind::Foot => {}
            ListItemKind::Name => set_text(&mut self.list.name, &words),
            ListItemKind::Ship => {
                if self.list.ships.len() >= MAX_ENTRIES {
                    return self.report_too_many(line, "ships");
                }
                let ship = ListShip { line, ..line::parse_ship(&words, self.ship_names) };
                self.report_guess(&ship, &words);
                self.list.ships.push(ship);
                self.scope = LabelScope::Ship;
            }
            ListItemKind::Label(label) => {
                if self.read_label(&label, &words, line).is_none() {
                    self.list.unread.push((line, format!("{label}: {words}")));
                }
            }
        }
    }

    /// Reports how a line without an exact class was understood.
    fn report_guess(&mut self, ship: &ListShip, words: &str) {
        let plain = line::parse_ship(words, &KnownNames::default());
        let more = [(&ship.name, &plain.name), (&ship.hull_number, &plain.hull_number)];
        let Some(more) = more.into_iter().find_map(|(guess, exact)| guess.as_ref().filter(|_| exact.is_none())) else {
            return;
        };
        // `DD-12` can only be a hull number.
        let ends = more.rsplit_once('-').map(|(_, end)| end);
        if ends.is_some_and(|end| !end.is_empty() && end.bytes().all(|b| b.is_ascii_digit())) {
            return;
        }
        let message = format!("read “{}” as a {} named “{more}”", plain.class, ship.class);
        let help = format!("if the class is “{}”, add a comma after it", plain.class);
        let finding = Finding::warning("class-guessed", message).help(help);
        self.list.findings.push(finding.at(line_place(self.source, ship.line)));
    }

    fn report_too_many(&mut self, line: u32, what: &str) {
        if !self.has_reported_limit {
            self.has_reported_limit = true;
            let finding = Finding::error("too-large", format!("more than {MAX_ENTRIES} {what}; skipped the rest"));
            self.list.findings.push(finding.help("split the list").at(line_place(self.source, line)));
        }
    }

    /// Reads a labelled line; `None` if the label does not belong here.
    fn read_label(&mut self, label: &str, words: &str, line: u32) -> Option<()> {
        match label {
            "fleet" => set_text(&mut self.list.name, words),
            "side" => set_text(&mut self.list.side, words),
            "player" => set_text(&mut self.list.player, words),
            "game" | "rules" | "house rules" => {}
            "budget" | "limit" => self.list.budget = Some(parse_number(words)?),
            "total" => self.read_total(words)?,
            "design" => {
                if self.list.designs.len() >= MAX_ENTRIES {
                    self.report_too_many(line, "classes");
                } else {
                    self.list.designs.push(ListClass { name: words.to_owned(), ..ListClass::default() });
                }
                self.scope = LabelScope::Class;
            }
            "fields" | "field" | "fit" | "system" | "design notes" => self.read_class_label(label, words)?,
            _ => {
                if let Some(id) = label.strip_prefix("notes on ") {
                    let group = *self.groups.get(id)?;
                    append_line(&mut self.list.groups.get_mut(group)?.notes, words);
                } else if let Some(id) = label.strip_prefix("group ") {
                    // As written, not normalised.
                    let id = self.written_id(line, id);
                    if self.list.groups.len() < MAX_ENTRIES {
                        self.groups.entry(fold_for_search(&id)).or_insert(self.list.groups.len());
                        self.list.groups.push(parse_group(id, words));
                    } else {
                        self.report_too_many(line, "groups");
                    }
                    self.scope = LabelScope::Head;
                } else if let Some((relation, what)) = split_relation_label(label, self.known) {
                    self.read_carried(relation, what, words, line)?;
                } else {
                    match self.scope {
                        LabelScope::Head => match label {
                            "name" => set_text(&mut self.list.name, words),
                            "notes" => append_line(&mut self.list.notes, words),
                            "points" => self.read_total(words)?,
                            _ => return None,
                        },
                        LabelScope::Class => return None,
                        LabelScope::Ship => {
                            let groups = &self.list.groups;
                            read_ship_label(self.list.ships.last_mut()?, label, words, groups)?;
                        }
                    }
                }
            }
        }
        Some(())
    }

    fn written_id(&self, line: u32, folded: &str) -> String {
        let raw = self.raw.get(line.saturating_sub(1) as usize).map(|raw| clean::clean_line(raw)).unwrap_or_default();
        let raw = line::strip_bullet(&raw).unwrap_or(&raw);
        let id = split_label(raw).and_then(|(label, _)| label.split_once(' ')).map(|(_, id)| id.trim());
        id.filter(|id| fold_for_search(id) == folded).unwrap_or(folded).to_owned()
    }

    fn read_total(&mut self, words: &str) -> Option<()> {
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

    fn read_class_label(&mut self, label: &str, words: &str) -> Option<()> {
        let class = self.list.designs.last_mut()?;
        match label {
            "design notes" => append_line(&mut class.notes, words),
            "fit" => {
                let (count, rest) = line::parse_count(words).unwrap_or((1, words));
                class.fits.push(ListFit { count, load: parse_load(rest)? });
            }
            "system" => class.systems.push(parse_pairs(words)?),
            _ => class.fields.extend(parse_pairs(words)?),
        }
        Some(())
    }

    fn read_carried(&mut self, relation: &str, what: &str, words: &str, line: u32) -> Option<()> {
        if !matches!(self.scope, LabelScope::Ship) {
            return None;
        }
        let meant = self.ship_names;
        let ship = self.list.ships.last_mut()?;
        let place = ship.carried.iter().position(|carried| carried.relation == relation);
        if what.is_empty() {
            let place = place.unwrap_or_else(|| {
                ship.carried.push(ListCarried { relation: relation.to_owned(), ..ListCarried::default() });
                ship.carried.len() - 1
            });
            let carried = &mut ship.carried[place];
            match parse_number(words) {
                Some(count) => carried.plain = Some(count),
                None if carried.ships.len() < MAX_ENTRIES => {
                    carried.ships.push(ListShip { line, ..line::parse_ship(words, meant) })
                }
                None => self.report_too_many(line, "units carried by one ship"),
            }
            return Some(());
        }
        read_ship_label(ship.carried.get_mut(place?)?.ships.last_mut()?, what, words, &[])
    }
}

fn read_ship_label(ship: &mut ListShip, label: &str, words: &str, groups: &[ListGroup]) -> Option<()> {
    match label {
        "class" => ship.class = words.to_owned(),
        "name" => set_text(&mut ship.name, words),
        "hull number" | "hull" => set_text(&mut ship.hull_number, words),
        "count" => ship.count = Some(u32::try_from(parse_number(words)?).ok()?),
        "points" => ship.points = Some(parse_number(words.split(' ').next()?)?),
        "captain" => set_text(&mut ship.captain, words),
        "owner" => set_text(&mut ship.owner, words),
        "group" | "squadron" => {
            let wanted = fold_for_search(words);
            let named = |group: &&ListGroup| group.name.as_deref().is_some_and(|name| fold_for_search(name) == wanted);
            let found = groups.iter().find(|group| group.id == words).or_else(|| groups.iter().find(named));
            ship.group = Some(found.map_or(words, |group| &group.id).to_owned());
        }
        "notes" => append_line(&mut ship.notes, words),
        "load" => ship.loads.push(parse_load(words)?),
        "damage" => {
            for part in value::split_parts(words) {
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
fn parse_group(id: String, words: &str) -> ListGroup {
    let kind = words.strip_suffix(')').and_then(|rest| rest.rsplit_once('(')).filter(|(_, kind)| is_id(kind));
    let (name, kind) = match kind {
        Some((name, kind)) => (name, Some(kind.to_owned())),
        None => (words, None),
    };
    ListGroup { id, kind, name: non_empty(name), notes: None }
}

/// `missile-magazine in core; laser_heads = 40`.
fn parse_load(words: &str) -> Option<ListLoad> {
    let mut parts = value::split_parts(words).into_iter();
    let head = parts.next()?;
    let (system, mount) = match head.split_once(" in ") {
        Some((system, mount)) => (system.trim(), non_empty(mount)),
        None => (head, None),
    };
    let values: Option<Vec<_>> = parts.map(value::parse_pair).collect();
    Some(ListLoad { system: system.to_owned(), mount, values: values? })
}

fn parse_pairs(words: &str) -> Option<Vec<(String, String)>> {
    value::split_parts(words).into_iter().map(value::parse_pair).collect()
}

fn parse_number(words: &str) -> Option<i64> {
    let words = words.trim();
    (!words.is_empty() && words.len() <= 12 && words.bytes().all(|b| b.is_ascii_digit())).then(|| words.parse().ok())?
}

fn is_id(id: &str) -> bool {
    !id.is_empty() && id.len() <= 80 && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

fn set_text(slot: &mut Option<String>, words: &str) {
    *slot = non_empty(words).or_else(|| slot.take());
}

fn append_line(slot: &mut Option<String>, words: &str) {
    match slot {
        Some(text) => {
            text.push('\n');
            text.push_str(words);
        }
        None => *slot = Some(words.to_owned()),
    }
}

fn line_place(source: &Source, line: u32) -> Place {
    Place { file: Some(source.file.clone()), line, ..Place::default() }
}
