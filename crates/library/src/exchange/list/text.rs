//! Writes a [`FleetList`] as text, wrapped to about seventy characters and only where the rest cannot be read as a new
//! item.

use moldloft_base::sanitize::plural;

use super::item_start::{FOOTER, is_wrapped, starts_item};
use super::{
    FleetList, KnownNames, ListClass, ListFit, ListGroup, ListLoad, ListShip, clean, line, relation_label, value,
};

const LINE_WIDTH: usize = 72;
/// Characters after a break that could form an item: labels, classes and ships' lines are never longer.
const MAX_LOOKAHEAD: usize = 1_000;

pub fn list_text(list: &FleetList, known: &KnownNames) -> String {
    let mut out = ListTextWriter { text: String::new(), known };
    let ruleset = match (&list.game, &list.ruleset) {
        (Some(game), Some(id)) => Some(format!("{game} ({id})")),
        (None, Some(id)) => Some(format!("({id})")),
        (game, None) => game.clone(),
    };
    let points = match (list.points, list.budget) {
        (Some(points), Some(budget)) => Some(format!("{points} of {budget}")),
        (Some(points), None) => Some(points.to_string()),
        (None, _) => None,
    };
    let budget = list.budget.filter(|_| list.points.is_none()).map(|budget| budget.to_string());
    let verdict = (list.errors > 0).then(|| format!("no, {}", plural(list.errors, "error")));
    let head = [
        ("Fleet", &list.name),
        ("Side", &list.side),
        ("Player", &list.player),
        ("Colour", &list.colour),
        ("Pattern", &list.pattern),
        ("Game", &ruleset),
        ("Points", &points),
        ("Budget", &budget),
        ("Legal", &verdict),
    ];
    for (label, words) in head {
        out.put_label("", label, words);
    }
    out.put_notes("", "Notes", &list.notes);
    for group in &list.groups {
        out.put_group(group);
    }
    if !list.ships.is_empty() {
        out.text.push('\n');
    }
    for ship in &list.ships {
        out.put_ship(ship, list);
    }
    for class in &list.designs {
        out.text.push('\n');
        out.put_class(class);
    }
    out.text.push('\n');
    out.text.push_str(FOOTER);
    out.text.push('\n');
    out.text
}

struct ListTextWriter<'a> {
    text: String,
    known: &'a KnownNames,
}

impl ListTextWriter<'_> {
    fn put_line(&mut self, indent: &str, words: &str) {
        let mut rest = words;
        let mut indent = indent.to_owned();
        loop {
            let room = LINE_WIDTH.saturating_sub(indent.chars().count());
            let Some(end) = self.break_position(rest, room) else { break };
            self.text += &indent;
            self.text += rest[..end].trim_end();
            self.text.push('\n');
            rest = rest[end..].trim_start();
            if indent.len() < 4 {
                indent = "    ".to_owned();
            }
        }
        self.text += &indent;
        self.text += rest;
        self.text.push('\n');
    }

    /// Where to break a long line: at the last space within `room` where reading joins the parts again, else at the first
    /// such space beyond it.
    fn break_position(&self, words: &str, room: usize) -> Option<usize> {
        let (limit, _) = words.char_indices().nth(room)?;
        let allowed = |at: &usize| {
            let after = words[*at..].trim_start();
            let after = after.char_indices().nth(MAX_LOOKAHEAD).map_or(after, |(end, _)| &after[..end]);
            // As read now, and after being wrapped again.
            let cut: String = after.chars().take(LINE_WIDTH).collect();
            let single = after.split(' ').next().unwrap_or_default();
            !after.is_empty()
                && is_wrapped(words[..*at].trim_end(), after)
                && ![after, &cut, single].iter().any(|line| starts_item(line, self.known))
        };
        let end = words[limit..].chars().next().map_or(limit, |c| limit + c.len_utf8());
        let within = words[..end].rmatch_indices(' ').map(|(at, _)| at).filter(|at| *at > 0).find(|at| allowed(at));
        within.or_else(|| words[end..].match_indices(' ').map(|(at, _)| end + at).find(|at| allowed(at)))
    }

    fn put_label(&mut self, indent: &str, label: &str, words: &Option<String>) {
        if let Some(words) = words.as_ref().filter(|words| !words.is_empty()) {
            self.put_line(indent, &format!("{label}: {words}"));
        }
    }

    /// Repeats the label for each line.
    fn put_notes(&mut self, indent: &str, label: &str, words: &Option<String>) {
        for line in words.iter().flat_map(|words| words.split('\n')) {
            self.put_line(indent, format!("{label}: {line}").trim_end());
        }
    }

    fn put_group(&mut self, group: &ListGroup) {
        let name = group.name.as_deref().unwrap_or_default();
        let kind = group.kind.as_ref().map(|kind| format!(" ({kind})")).unwrap_or_default();
        self.put_line("", format!("Group {}: {}", group.id, format!("{name}{kind}").trim()).trim_end());
        self.put_notes("", &format!("Notes on {}", group.id), &group.notes);
    }

    fn put_ship(&mut self, ship: &ListShip, list: &FleetList) {
        match line::ship_line(ship, self.known) {
            Some(line) => self.put_line("", &format!("- {line}")),
            None => {
                self.put_line("", "- ship");
                self.put_ship_details("", ship);
            }
        }
        self.put_label("  ", "Captain", &ship.captain);
        self.put_label("  ", "Owner", &ship.owner);
        let group = ship.group.as_ref().map(|id| list.group_name(id).to_owned());
        self.put_label("  ", "Group", &group);
        for carried in &ship.carried {
            let label = clean::collapse_spaces(&relation_label(&carried.relation));
            self.put_label("  ", &label, &carried.plain.map(|count| count.to_string()));
            for one in &carried.ships {
                let line = line::ship_line(one, self.known);
                self.put_label("  ", &label, &Some(line.clone().unwrap_or_else(|| "ship".into())));
                if line.is_none() {
                    self.put_ship_details(&format!("{label} "), one);
                }
                self.put_label("  ", &format!("{label} captain"), &one.captain);
                self.put_label("  ", &format!("{label} owner"), &one.owner);
                self.put_carried(&format!("{label} "), one);
            }
        }
        self.put_carried("", ship);
    }

    /// What does not fit in the ship's line, one item each.
    fn put_ship_details(&mut self, before: &str, ship: &ListShip) {
        let capital = |word: &str| if before.is_empty() { relation_label(word) } else { format!("{before}{word}") };
        self.put_label("  ", &capital("class"), &Some(ship.class.clone()));
        self.put_label("  ", &capital("count"), &ship.count.map(|count| count.to_string()));
        self.put_label("  ", &capital("name"), &ship.name);
        self.put_label("  ", &capital("hull number"), &ship.hull_number);
        self.put_label("  ", &capital("points"), &ship.points.map(|points| points.to_string()));
    }

    fn put_carried(&mut self, before: &str, ship: &ListShip) {
        let capital = |word: &str| if before.is_empty() { relation_label(word) } else { format!("{before}{word}") };
        for load in &ship.loads {
            self.put_line("  ", &format!("{}: {}", capital("load"), load.load_text()));
        }
        if !ship.damage.is_empty() {
            let stems: Vec<String> = ship.damage.iter().map(|(stem, runs)| format!("{stem} {runs}")).collect();
            self.put_line("  ", &format!("{}: {}", capital("damage"), stems.join("; ")));
        }
        self.put_notes("  ", &capital("notes"), &ship.notes);
    }

    fn put_class(&mut self, class: &ListClass) {
        self.put_line("", &format!("Design: {}", class.name));
        self.put_notes("", "Design notes", &class.notes);
        for fields in class.fields.chunks(6) {
            self.put_line("", &format!("Fields: {}", pair_texts(fields).join("; ")));
        }
        for ListFit { count, load: what } in &class.fits {
            let count = if *count == 1 { String::new() } else { format!("{count} x ") };
            self.put_line("", &format!("Fit: {count}{}", what.load_text()));
        }
        for system in &class.systems {
            self.put_line("", &format!("System: {}", pair_texts(system).join("; ")));
        }
    }
}

fn pair_texts(pairs: &[(String, String)]) -> Vec<String> {
    pairs.iter().map(|(key, value)| format!("{key} = {}", without_quotes(value))).collect()
}

/// A TOML string that is a plain word loses its quotes.
fn without_quotes(value: &str) -> &str {
    let inner = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.filter(|word| value::parse_value(word) == value && value::is_word(word)).unwrap_or(value)
}

impl ListLoad {
    fn load_text(&self) -> String {
        let mut words = self.system.clone();
        if let Some(mount) = &self.mount {
            words += &format!(" in {mount}");
        }
        for pair in pair_texts(&self.values) {
            words += &format!("; {pair}");
        }
        words
    }
}

impl FleetList {
    /// A group's name in a ship's line: its name if unique, else its id.
    fn group_name<'a>(&'a self, id: &'a str) -> &'a str {
        let name = self.groups.iter().find(|group| group.id == id).and_then(|group| group.name.as_deref());
        let Some(name) = name else { return id };
        let same = self.groups.iter().filter(|group| group.name.as_deref() == Some(name) || group.id == name);
        if same.count() == 1 { name } else { id }
    }
}
