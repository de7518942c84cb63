//! Reads a list: takes a text, gives its contents and every unreadable line with its number. Work is bounded.

use std::collections::{BTreeMap, BTreeSet};

use moldloft_base::finding::{Finding, FindingList, Place, nearest};
use moldloft_base::sanitize::{fold_for_search, slug};
use moldloft_base::source::Source;

use super::clean::{CleanLine, non_empty};
use super::item_start::{ListItemKind, is_wrapped, parse_start, split_label, split_relation_label};
use super::label::{
    Unread, append_line, parse_load, points_number, read_ship_label, set_once, set_text, set_value_once,
};
use super::table::{Column, columns_of, csv_lines, guess_columns, take_row_numbers};
use super::{FleetList, KnownNames, ListCarried, ListClass, ListFit, ListGroup, ListShip, clean, line, value};

const MAX_LINES: usize = 20_000;
const MAX_ENTRIES: usize = 2_000;
/// Longest name of a fleet on a line without a label.
const MAX_NAME: usize = 80;
const A_SHIP: &str = "a ship or a label";

struct ListItem {
    line: u32,
    kind: ListItemKind,
    words: String,
}

/// The id and the title of the game that a text names.
pub fn named_game(text: &str) -> (Option<String>, Option<String>) {
    let (items, _) = split_items(clean::clean_lines(text), &KnownNames::default());
    let is_game = |item: &&ListItem| item.kind == ListItemKind::Label("game".to_owned());
    let Some(game) = items.iter().find(is_game).map(|item| item.words.trim()) else { return (None, None) };
    match game.strip_suffix(')').and_then(|rest| rest.rsplit_once('(')) {
        Some((title, id)) if is_id(id.trim()) => (Some(id.trim().to_owned()), non_empty(title)),
        _ => (None, non_empty(game)),
    }
}

/// The items of a text, and the lines that belong to none.
fn split_items(lines: Vec<CleanLine>, known: &KnownNames) -> (Vec<ListItem>, Vec<(u32, String)>) {
    let mut items: Vec<ListItem> = Vec::new();
    let mut unread = Vec::new();
    // The line before, and the indent of the first line of its item.
    let mut before: Option<(String, usize)> = None;
    let mut columns: Option<Vec<Column>> = None;
    for CleanLine { number, words, struck, indent, cells } in lines.into_iter().take(MAX_LINES) {
        if !struck.is_empty() {
            // A bullet and a count alone are of the ship that is struck out.
            if !words.chars().any(|c| c.is_alphabetic() && !line::is_times(c)) {
                if !matches!(parse_start(&struck, known, false), Some((ListItemKind::Label(_), _))) {
                    items.push(ListItem { line: number, kind: ListItemKind::Struck, words: struck.clone() });
                }
                before = None;
                unread.push((number, struck));
                continue;
            }
            unread.push((number, struck));
        }
        if words.is_empty() {
            before = None;
            continue;
        }
        if let Some(heading) = columns_of(&cells) {
            (columns, before) = (Some(heading), None);
            continue;
        }
        let open = before.take();
        let item = items.last_mut().filter(|_| open.is_some());
        let wrapped = open.as_ref().is_some_and(|(line, _)| is_wrapped(line, &words));
        let is_text = wrapped && item.as_ref().is_some_and(|item| item.kind != ListItemKind::Ship);
        let start = parse_start(&words, known, is_text);
        let is_label = matches!(start, Some((ListItemKind::Label(_) | ListItemKind::Foot, _)));
        let is_row = cells.len() > 1;
        let row = match columns.as_ref().filter(|columns| cells.len() > 1 && cells.len() <= columns.len()) {
            Some(columns) => Some(columns.iter().copied().zip(cells).collect()),
            None => {
                columns = None;
                guess_columns(&cells, known).filter(|_| !is_label)
            }
        };
        if let Some(row) = row {
            items.push(ListItem { line: number, kind: ListItemKind::Row(row), words });
        } else if let Some((kind, rest)) = start {
            items.push(ListItem { line: number, kind, words: rest.to_owned() });
            before = Some((words, indent));
        } else if let (Some((_, first)), Some(item)) = (open, item)
            && (wrapped || item.goes_on(&words, indent > first))
        {
            item.words.push(' ');
            item.words.push_str(&words);
            before = Some((words, first));
        } else if items.is_empty()
            && !is_row
            && words.chars().count() <= MAX_NAME
            && near_class(&words, known).is_none()
        {
            items.push(ListItem { line: number, kind: ListItemKind::Name, words });
        } else {
            unread.push((number, words));
        }
    }
    (items, unread)
}

impl ListItem {
    /// Whether a line that was not wrapped by its length continues this item: it closes a quotation, or is further in
    /// than the notes that it belongs to.
    fn goes_on(&self, words: &str, is_further_in: bool) -> bool {
        let ListItemKind::Label(label) = &self.kind else {
            return self.kind == ListItemKind::Ship
                && line::open_quote(&self.words).is_some_and(|close| words.contains(close));
        };
        let is_text = label.split(' ').any(|word| word == "notes");
        is_text && is_further_in || line::open_quote(&self.words).is_some_and(|close| words.contains(close))
    }
}

/// The class that a line may mean.
fn near_class<'k>(words: &str, known: &'k KnownNames) -> Option<&'k str> {
    let words = words.trim_start_matches(|c: char| !c.is_alphabetic());
    let ship = line::parse_ship(words, &KnownNames::default());
    let first = ship.class.split(' ').next().unwrap_or_default();
    let near = |words: &str| nearest(words, known.classes.values().map(String::as_str));
    near(&ship.class).or_else(|| near(first).filter(|_| first.chars().count() > 3))
}

/// Reads a list; `known` helps with handwritten lines.
pub fn read_list(source: &Source, known: &KnownNames) -> FleetList {
    let mut list = FleetList::default();
    (list.ruleset, list.game) = named_game(&source.text);
    let lines = csv_lines(&source.text).unwrap_or_else(|| clean::clean_lines(&source.text));
    if lines.len() > MAX_LINES {
        let message = format!("read only the first {MAX_LINES} of {} lines", lines.len());
        list.findings
            .push(Finding::error("too-large", message).help("is this the right file?").at(line_place(source, 0)));
    }
    let struck: BTreeSet<u32> = lines.iter().filter(|line| !line.struck.is_empty()).map(|line| line.number).collect();
    let (mut items, unread) = split_items(lines, known);
    list.unread = unread;
    let is_row = |item: &ListItem| matches!(item.kind, ListItemKind::Row(_));
    for table in items.chunk_by_mut(|one, other| is_row(one) && is_row(other)) {
        let place = line_place(source, table[0].line);
        let rows = table.iter_mut().filter_map(|item| match &mut item.kind {
            ListItemKind::Row(row) => Some(row),
            _ => None,
        });
        list.findings.extend(take_row_numbers(rows).map(|found| found.at(place)));
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
        bare_name: None,
        stated_game: None,
        expected: BTreeMap::new(),
        has_reported_limit: false,
    };
    for item in items {
        reading.read_item(item);
    }
    let ListReader { mut list, expected, .. } = reading;
    list.unread.sort_by_key(|(line, _)| *line);
    let mut found = FindingList::default();
    for (number, words) in &list.unread {
        found.add(|| {
            let cut: String = words.chars().take(60).collect();
            let wanted = expected.get(number);
            if struck.contains(number) && wanted.is_none() {
                let message = format!("“{cut}” is struck out; kept as a comment");
                return Finding::warning("not-understood", message).at(line_place(source, *number));
            }
            let message =
                format!("expected {}, found “{cut}”; kept as a comment", wanted.map_or(A_SHIP, |wanted| wanted));
            if wanted.is_some() {
                return Finding::warning("not-understood", message).at(line_place(source, *number));
            }
            let example = "start a ship's line with a hyphen or a count: 3 x Tern \"HMS Argus\", DD-12";
            let near = near_class(words, known).map(|class| format!("did you mean `{class}`? {example}"));
            let help = near.unwrap_or_else(|| example.to_owned());
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
    /// What follows is about a ship that is struck out.
    Struck,
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
    /// The line of a name without a label.
    bare_name: Option<u32>,
    stated_game: Option<String>,
    /// What was expected on lines that are not read, where it is no ship or label.
    expected: BTreeMap<u32, String>,
    has_reported_limit: bool,
}

impl ListReader<'_> {
    fn read_item(&mut self, item: ListItem) {
        let ListItem { line, kind, words } = item;
        match kind {
            ListItemKind::Foot => {}
            ListItemKind::Struck => self.scope = LabelScope::Struck,
            ListItemKind::Name => {
                self.list.name = non_empty(&words);
                self.bare_name = Some(line);
            }
            ListItemKind::Ship => {
                if self.list.ships.len() >= MAX_ENTRIES {
                    return self.report_too_many(line, "ships");
                }
                self.add_ships(&words, line);
            }
            ListItemKind::Row(cells) => self.read_row(cells, &words, line),
            ListItemKind::Label(label) => {
                if let Err(Unread(expected)) = self.read_label(&label, &words, line) {
                    self.keep_unread(line, format!("{label}: {words}"), expected);
                }
            }
        }
    }

    fn keep_unread(&mut self, line: u32, words: String, expected: Option<String>) {
        self.expected.extend(expected.map(|expected| (line, expected)));
        self.list.unread.push((line, words));
    }

    /// Ships that share a line, each as if it had its own.
    fn add_ships(&mut self, words: &str, line: u32) {
        let ships = line::split_ships(words, self.ship_names);
        if ships.len() > 1 {
            let message = format!("expected one ship in a line, found {}; each is one of its own", ships.len());
            let finding = Finding::warning("not-understood", message).help("give each ship its own line");
            self.list.findings.push(finding.at(line_place(self.source, line)));
        }
        ships.into_iter().for_each(|ship| self.add_ship(ship, line));
    }

    /// `Vigilant "HMS Argus" with 2 x Quiver` is two.
    fn add_ship(&mut self, words: &str, line: u32) {
        let with = words.match_indices(" with ").find_map(|(at, _)| {
            let (relation, what) = line::parse_with(words[at..].trim_start(), self.ship_names)?;
            line::looks_like_ship(&words[..at], self.ship_names).then_some((&words[..at], relation, what))
        });
        let own = with.map_or(words, |(own, ..)| own);
        let (ship, is_guess) = line::parse_guessed_ship(own, self.ship_names);
        let mut ship = ListShip { line, ..ship };
        // A generated list has a name for every ship and quotes for every name.
        if !self.ship_names.classes.is_empty()
            && let Some(rest) = line::take_surplus(&mut ship)
        {
            let expected = format!("one name and one hull number of the {}", ship.class);
            self.keep_unread(line, rest, Some(expected));
        }
        if is_guess {
            self.report_count(&ship);
        }
        self.report_guess(&ship, own);
        if let Some((_, relation, what)) = with {
            let pod = ListShip { line, ..line::parse_ship(what, self.ship_names) };
            ship.carried.push(ListCarried { relation: self.relation_id(relation), plain: None, ships: vec![pod] });
        }
        self.list.ships.push(ship);
        self.scope = LabelScope::Ship;
    }

    fn relation_id(&self, label: &str) -> String {
        self.known.relations.iter().find(|(_, known)| known == label).map_or(label, |(id, _)| id).to_owned()
    }

    fn report_count(&mut self, ship: &ListShip) {
        let message = format!("read the number as a count: {} x {}", ship.count.unwrap_or(1), ship.class);
        let finding = Finding::warning("count-guessed", message).help("write a count as 3 x, and points as 120 points");
        self.list.findings.push(finding.at(line_place(self.source, ship.line)));
    }

    /// A row of a table: a ship, or one that another takes along.
    fn read_row(&mut self, cells: Vec<(Column, String)>, row_words: &str, line: u32) {
        let of =
            |wanted: Column| cells.iter().find(|(column, _)| *column == wanted).map_or("", |(_, cell)| cell.trim());
        let (class, left_out) = (of(Column::Class), of(Column::LeftOut));
        if class.is_empty() || !left_out.is_empty() {
            return self.list.unread.push((line, row_words.to_owned()));
        }
        if self.list.ships.len() >= MAX_ENTRIES {
            return self.report_too_many(line, "ships");
        }
        for (column, slot) in [
            (Column::Fleet, &mut self.list.name),
            (Column::Side, &mut self.list.side),
            (Column::Player, &mut self.list.player),
        ] {
            let words = of(column);
            match slot {
                Some(known) if !words.is_empty() && known != words => {
                    let message = format!("expected rows of one fleet, {known}, found {words}");
                    let finding = Finding::warning("other-fleet", message).help("split the table by fleets and sides");
                    if !self.list.findings.iter().any(|known| known.code == finding.code) {
                        self.list.findings.push(finding.at(line_place(self.source, line)));
                    }
                    return self.list.unread.push((line, row_words.to_owned()));
                }
                _ => set_text(slot, words),
            }
        }
        let (mut ship, mut is_guess) = line::parse_guessed_ship(class, self.ship_names);
        let mut unread: Vec<&str> = Vec::new();
        ship.line = line;
        for (column, cell) in
            cells.iter().map(|(column, cell)| (*column, cell.trim())).filter(|(_, cell)| !cell.is_empty())
        {
            let plain = cell.trim_matches(line::is_opening_quote);
            match column {
                Column::Name if fold_for_search(plain) != fold_for_search(&ship.class) => {
                    if ship.name.as_deref().is_some_and(|name| name != plain) {
                        unread.push(cell);
                    } else {
                        set_text(&mut ship.name, plain);
                    }
                }
                Column::HullNumber if ship.hull_number.as_deref().is_some_and(|hull| hull != plain) => {
                    unread.push(cell);
                }
                Column::HullNumber => set_text(&mut ship.hull_number, plain),
                Column::Captain => set_text(&mut ship.captain, plain),
                Column::Owner => set_text(&mut ship.owner, plain),
                Column::Notes => ship.notes = Some(cell.to_owned()),
                Column::Points => match line::points_of(cell) {
                    Some(points) => ship.points = Some(points),
                    None => unread.push(cell),
                },
                Column::Count | Column::Number | Column::LikelyCount => match line::count_of(cell) {
                    Some(count) => (ship.count, is_guess) = (Some(count), column == Column::LikelyCount && count > 1),
                    None => unread.push(cell),
                },
                Column::Group => ship.group = Some(self.group_named(cell)),
                Column::Damage | Column::Unknown => unread.push(cell),
                _ => {}
            }
        }
        // Several of one name may be the first's place in the list, or points.
        if is_guess && (ship.name.is_some() || ship.hull_number.is_some() || of(Column::LikelyCount).is_empty()) {
            self.report_count(&ship);
        }
        if !unread.is_empty() {
            let message = format!("skipped in the row of {}: {}", ship.class, unread.join(", "));
            let help = "damage is marked in the fleet's file, or read from a filled form";
            let finding = Finding::warning("not-understood", message);
            let finding = if of(Column::Damage).is_empty() { finding } else { finding.help(help) };
            self.list.findings.push(finding.at(line_place(self.source, line)));
        }
        let by = of(Column::TowedBy);
        if !by.is_empty() {
            let title = |ship: &ListShip| {
                let own = [&ship.hull_number, &ship.name].into_iter().flatten().next();
                own.unwrap_or(&ship.class).clone()
            };
            let carrier = self.list.ships.iter_mut().rev().find(|ship| title(ship) == by);
            // What is taken along sails in no group of its own.
            ship.group = None;
            if let (Some(carrier), [(relation, _)]) = (carrier, self.known.relations.as_slice()) {
                match carrier.carried.first_mut() {
                    Some(carried) => carried.ships.push(ship),
                    None => {
                        carrier.carried.push(ListCarried { relation: relation.clone(), plain: None, ships: vec![ship] })
                    }
                }
                return;
            }
            let message = format!("cannot find {by}, which takes this {} along; it is a ship of its own", ship.class);
            let finding = Finding::warning("not-understood", message);
            self.list.findings.push(finding.at(line_place(self.source, line)));
        }
        self.list.ships.push(ship);
        self.scope = LabelScope::Ship;
    }

    /// The id of the group of this name, which is added if new.
    fn group_named(&mut self, name: &str) -> String {
        if let Some(group) = self.list.groups.iter().find(|group| group.name.as_deref() == Some(name)) {
            return group.id.clone();
        }
        let base = Some(slug(name, 40)).filter(|id| !id.is_empty()).unwrap_or_else(|| "group".to_owned());
        let is_free = |id: &String| !self.groups.contains_key(id);
        let id =
            std::iter::once(base.clone()).chain((2..).map(|n| format!("{base}-{n}"))).find(is_free).unwrap_or(base);
        self.groups.insert(id.clone(), self.list.groups.len());
        self.list.groups.push(ListGroup { id: id.clone(), name: Some(name.to_owned()), ..ListGroup::default() });
        id
    }

    /// Reports how a line without an exact class was understood.
    fn report_guess(&mut self, ship: &ListShip, words: &str) {
        let plain = line::parse_ship(words, &KnownNames::default());
        let more =
            [("named", &ship.name, &plain.name), ("with the hull number", &ship.hull_number, &plain.hull_number)];
        let guessed =
            more.into_iter().find_map(|(what, guess, exact)| Some((what, guess.as_ref().filter(|_| exact.is_none())?)));
        let Some((what, more)) = guessed else { return };
        // `DD-12` can only be a hull number.
        let ends = more.rsplit_once('-').map(|(_, end)| end);
        if ends.is_some_and(|end| !end.is_empty() && end.bytes().all(|b| b.is_ascii_digit())) {
            return;
        }
        let message = format!("read “{}” as a {} {what} “{more}”", plain.class, ship.class);
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

    /// Reads a labelled line.
    fn read_label(&mut self, label: &str, words: &str, line: u32) -> Result<(), Unread> {
        match label {
            "fleet" => {
                if let Some(bare) = self.bare_name.take() {
                    self.list.unread.extend(self.list.name.take().map(|name| (bare, name)));
                }
                self.scope = LabelScope::Head;
                set_once(&mut self.list.name, words, "fleet")?;
            }
            "side" => set_once(&mut self.list.side, words, label)?,
            "player" => set_once(&mut self.list.player, words, label)?,
            "colour" | "color" => set_once(&mut self.list.colour, words, label)?,
            "legal" => {
                let errors = words.strip_prefix("no, ").and_then(|rest| rest.split(' ').next());
                self.list.errors = errors.and_then(|errors| errors.parse().ok()).unwrap_or_default();
            }
            "pattern" => set_once(&mut self.list.pattern, words, label)?,
            "game" => set_once(&mut self.stated_game, words, label)?,
            "rules" | "house rules" => {}
            "budget" | "limit" => set_value_once(&mut self.list.budget, points_number(words)?, "budget")?,
            "total" => self.read_total(words)?,
            "design" => {
                if self.list.designs.len() >= MAX_ENTRIES {
                    self.report_too_many(line, "classes");
                } else {
                    self.list.designs.push(ListClass { name: words.to_owned(), ..ListClass::default() });
                }
                self.scope = LabelScope::Class;
            }
            "fields" | "field" | "fit" | "system" | "design notes" => {
                self.read_class_label(label, words).ok_or(Unread(None))?
            }
            _ => {
                if let Some(id) = label.strip_prefix("notes on ") {
                    let group = self.groups.get(id).and_then(|group| self.list.groups.get_mut(*group));
                    append_line(&mut group.ok_or(Unread(None))?.notes, words);
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
                            "name" => set_once(&mut self.list.name, words, "fleet")?,
                            "notes" => append_line(&mut self.list.notes, words),
                            "points" => self.read_total(words)?,
                            _ => return Err(Unread(None)),
                        },
                        LabelScope::Class => return Err(Unread(None)),
                        LabelScope::Struck => {
                            return Err(Unread(Some("a line about a ship that is not struck out".to_owned())));
                        }
                        LabelScope::Ship => {
                            let groups = &self.list.groups;
                            let ship = self.list.ships.last_mut().ok_or(Unread(None))?;
                            read_ship_label(ship, label, words, groups)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn written_id(&self, line: u32, folded: &str) -> String {
        let raw = self.raw.get(line.saturating_sub(1) as usize).map(|raw| clean::clean_line(raw)).unwrap_or_default();
        let raw = line::strip_bullet(&raw).unwrap_or(&raw);
        let id = split_label(raw).and_then(|(label, _)| label.split_once(' ')).map(|(_, id)| id.trim());
        id.filter(|id| fold_for_search(id) == folded).unwrap_or(folded).to_owned()
    }

    fn read_total(&mut self, words: &str) -> Result<(), Unread> {
        let (points, budget) = match words.split_once(" of ").or_else(|| words.split_once('/')) {
            Some((points, budget)) => (points, Some(points_number(budget)?)),
            None => (words, None),
        };
        set_value_once(&mut self.list.points, points_number(points)?, "total")?;
        budget.map_or(Ok(()), |budget| set_value_once(&mut self.list.budget, budget, "budget"))
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

    fn read_carried(&mut self, relation: &str, what: &str, words: &str, line: u32) -> Result<(), Unread> {
        let meant = self.ship_names;
        let is_here = matches!(self.scope, LabelScope::Ship);
        let ship = self.list.ships.last_mut().filter(|_| is_here).ok_or(Unread(None))?;
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
            return Ok(());
        }
        let unit = place.and_then(|place| ship.carried[place].ships.last_mut());
        read_ship_label(unit.ok_or(Unread(None))?, what, words, &[])
    }
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

fn line_place(source: &Source, line: u32) -> Place {
    Place::in_file(source.file.clone()).at_line(line)
}
