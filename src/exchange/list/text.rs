//! A list as text: takes a [`List`], gives lines of at most some seventy letters, broken only where the rest cannot be taken for a line of its own.

use super::clean;
use super::{Class, Fit, Group, Known, List, Load, Ship, line, read, relation_label};

/// Letters of a line before it is broken.
const WIDE: usize = 72;
/// Letters behind a break that may make it a line of its own: no label, no class and no ship's line is longer.
const LOOKED_AT: usize = 1_000;
/// The last line.
pub const FOOT: &str = "Made with Moldloft, which reads this list again (moldloft import).";
/// What begins a line on a class's own systems; not read again.
pub const OWN: &str = "With own systems, class";

/// The text.
pub fn text(list: &List, known: &Known) -> String {
    let mut out = Out { text: String::new(), known };
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
    let head = [
        ("Fleet", &list.name),
        ("Side", &list.side),
        ("Player", &list.player),
        ("Game", &ruleset),
        ("Points", &points),
        ("Budget", &budget),
    ];
    for (label, words) in head {
        out.label("", label, words);
    }
    out.notes("", "Notes", &list.notes);
    for group in &list.groups {
        out.group(group);
    }
    if !list.ships.is_empty() {
        out.text.push('\n');
    }
    for ship in &list.ships {
        out.ship(ship, list);
    }
    for class in &list.designs {
        out.text.push('\n');
        out.class(class);
    }
    out.text.push('\n');
    out.text.push_str(FOOT);
    out.text.push('\n');
    out.text
}

struct Out<'a> {
    text: String,
    known: &'a Known,
}

impl Out<'_> {
    /// A line, broken where it is too long.
    fn line(&mut self, indent: &str, words: &str) {
        let mut rest = words;
        let mut indent = indent.to_owned();
        loop {
            let room = WIDE.saturating_sub(indent.chars().count());
            let Some(end) = self.breaks(rest, room) else { break };
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

    /// Where words that are too long are broken: at the last space within the room behind which the rest is no line of its own; else at the
    /// first such space beyond it.
    fn breaks(&self, words: &str, room: usize) -> Option<usize> {
        let (limit, _) = words.char_indices().nth(room)?;
        let allowed = |at: &usize| {
            let after = words[*at..].trim_start();
            let after = after.char_indices().nth(LOOKED_AT).map_or(after, |(end, _)| &after[..end]);
            // Read at once and read when it was broken again.
            let cut: String = after.chars().take(WIDE).collect();
            let single = after.split(' ').next().unwrap_or_default();
            !after.is_empty() && ![after, &cut, single].iter().any(|line| read::begins(line, self.known))
        };
        let end = words[limit..].chars().next().map_or(limit, |c| limit + c.len_utf8());
        let within = words[..end].rmatch_indices(' ').map(|(at, _)| at).filter(|at| *at > 0).find(|at| allowed(at));
        within.or_else(|| words[end..].match_indices(' ').map(|(at, _)| end + at).find(|at| allowed(at)))
    }

    fn label(&mut self, indent: &str, label: &str, words: &Option<String>) {
        if let Some(words) = words.as_ref().filter(|words| !words.is_empty()) {
            self.line(indent, &format!("{label}: {words}"));
        }
    }

    /// Text of several lines: the label again before each.
    fn notes(&mut self, indent: &str, label: &str, words: &Option<String>) {
        for line in words.iter().flat_map(|words| words.split('\n')) {
            self.line(indent, format!("{label}: {line}").trim_end());
        }
    }

    fn group(&mut self, group: &Group) {
        let name = group.name.as_deref().unwrap_or_default();
        let kind = group.kind.as_ref().map(|kind| format!(" ({kind})")).unwrap_or_default();
        self.line("", format!("Group {}: {}", group.id, format!("{name}{kind}").trim()).trim_end());
        self.notes("", &format!("Notes on {}", group.id), &group.notes);
    }

    fn ship(&mut self, ship: &Ship, list: &List) {
        match line::written(ship, self.known) {
            Some(line) => self.line("", &format!("- {line}")),
            None => {
                self.line("", "- ship");
                self.said("", ship);
            }
        }
        self.label("  ", "Captain", &ship.captain);
        self.label("  ", "Owner", &ship.owner);
        let group = ship.group.as_ref().map(|id| list.group_name(id).to_owned());
        self.label("  ", "Group", &group);
        for carried in &ship.carried {
            let label = clean::spaced(&relation_label(&carried.relation));
            self.label("  ", &label, &carried.plain.map(|count| count.to_string()));
            for one in &carried.ships {
                let line = line::written(one, self.known);
                self.label("  ", &label, &Some(line.clone().unwrap_or_else(|| "ship".into())));
                if line.is_none() {
                    self.said(&format!("{label} "), one);
                }
                self.label("  ", &format!("{label} captain"), &one.captain);
                self.label("  ", &format!("{label} owner"), &one.owner);
                self.carries(&format!("{label} "), one);
            }
        }
        self.carries("", ship);
    }

    /// What her line could not say, each for itself.
    fn said(&mut self, before: &str, ship: &Ship) {
        let capital = |word: &str| if before.is_empty() { relation_label(word) } else { format!("{before}{word}") };
        self.label("  ", &capital("class"), &Some(ship.class.clone()));
        self.label("  ", &capital("count"), &ship.count.map(|count| count.to_string()));
        self.label("  ", &capital("name"), &ship.name);
        self.label("  ", &capital("hull number"), &ship.hull_number);
        self.label("  ", &capital("points"), &ship.points.map(|points| points.to_string()));
    }

    fn carries(&mut self, before: &str, ship: &Ship) {
        let capital = |word: &str| if before.is_empty() { relation_label(word) } else { format!("{before}{word}") };
        for load in &ship.loads {
            self.line("  ", &format!("{}: {}", capital("load"), load.words()));
        }
        if !ship.damage.is_empty() {
            let stems: Vec<String> = ship.damage.iter().map(|(stem, runs)| format!("{stem} {runs}")).collect();
            self.line("  ", &format!("{}: {}", capital("damage"), stems.join("; ")));
        }
        self.notes("  ", &capital("notes"), &ship.notes);
    }

    fn class(&mut self, class: &Class) {
        self.line("", &format!("Design: {}", class.name));
        self.notes("", "Design notes", &class.notes);
        for fields in class.fields.chunks(6) {
            self.line("", &format!("Fields: {}", pairs(fields).join("; ")));
        }
        for Fit { count, what } in &class.fits {
            let count = if *count == 1 { String::new() } else { format!("{count} x ") };
            self.line("", &format!("Fit: {count}{}", what.words()));
        }
        for system in &class.systems {
            self.line("", &format!("System: {}", pairs(system).join("; ")));
        }
    }
}

fn pairs(pairs: &[(String, String)]) -> Vec<String> {
    pairs.iter().map(|(key, value)| format!("{key} = {}", plain(value))).collect()
}

/// A TOML text that is a plain word stands without its quotes.
fn plain(value: &str) -> &str {
    let inner = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.filter(|word| super::value::toml(word) == value && super::value::is_word(word)).unwrap_or(value)
}

impl Load {
    fn words(&self) -> String {
        let mut words = self.system.clone();
        if let Some(mount) = &self.mount {
            words += &format!(" in {mount}");
        }
        for pair in pairs(&self.values) {
            words += &format!("; {pair}");
        }
        words
    }
}

impl List {
    /// What a ship's line calls a group: its name, if no other has that, else its id.
    fn group_name<'a>(&'a self, id: &'a str) -> &'a str {
        let name = self.groups.iter().find(|group| group.id == id).and_then(|group| group.name.as_deref());
        let Some(name) = name else { return id };
        let same = self.groups.iter().filter(|group| group.name.as_deref() == Some(name) || group.id == name);
        if same.count() == 1 { name } else { id }
    }
}
