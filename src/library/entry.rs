//! One file of a catalogue: takes a file, gives what a list shows of it. A file that cannot be read, or whose rules cannot be used, is an entry
//! too, with the reason.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::design::fleet::Fleet;
use crate::design::{Design, Word};
use crate::evaluate::Evaluation;
use crate::finding::{Finding, Severity};
use crate::formula::Value;
use crate::ruleset::FieldKind;
use crate::source::Source;
use crate::store::{Stamp, Stocked, stamp};

use super::fleet::{ClassFrom, Lies, muster};
use super::games::{Games, Loaded};
use super::read::{Checked, Read, judge};
use crate::cleaning::fold;

/// A design or a fleet.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The path, or the built-in name.
    pub path: PathBuf,
    /// The path from the root; the built-in name.
    pub full: PathBuf,
    /// Where it is from.
    pub origin: Origin,
    /// Class of ship, or the fleet's name; the file's where it says none.
    pub name: Arc<str>,
    /// The id of the ruleset; empty where none is named.
    pub ruleset: Arc<str>,
    /// What a list shows of it.
    pub shown: Shown,
    /// The rules it was judged by; `None` when it names none.
    pub rules: Option<Loaded>,
    pub(super) stamp: Stamp,
    /// Of a fleet: the files of its designs, as they were.
    uses: Vec<(PathBuf, Option<Stamp>)>,
    /// What searches look through: small letters, no accents.
    words: String,
    folded: String,
}

/// Where a file is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// The player's workspace.
    Workspace,
    /// The program; it cannot be written to.
    BuiltIn,
    /// A file that was given, outside the workspace.
    Elsewhere,
}

/// What a list shows of a file.
#[derive(Clone, Debug)]
pub enum Shown {
    /// A design that was judged.
    Design(Card),
    /// A fleet.
    Fleet(FleetCard),
    /// A file that could not be judged, and why.
    Unread(Vec<Finding>),
}

/// What a list shows of a design.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Card {
    /// The words of its fields as a player reads them, each with its label: nation, type and whatever the game asks for.
    pub fields: Vec<(Arc<str>, Arc<str>)>,
    /// The values that its game shows large.
    pub headlines: Vec<(Arc<str>, i64)>,
    /// What it costs.
    pub points: Option<i64>,
    /// Whether it keeps the rules.
    pub legal: bool,
    /// How many errors and warnings were found.
    pub findings: (usize, usize),
    /// Whether it has systems of its own that the rules mark.
    pub own_systems: bool,
}

/// What a list shows of a fleet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FleetCard {
    /// Whose it is.
    pub side: Arc<str>,
    /// How many ships.
    pub ships: u64,
    /// The points it may cost.
    pub budget: Option<i64>,
    /// What it costs; `None` when nothing in it could be judged.
    pub points: Option<i64>,
    /// Whether it and all its ships keep the rules.
    pub legal: bool,
    /// How many errors and warnings were found, those of its ships among them.
    pub findings: (usize, usize),
    /// Whether a ship of it has systems of her own that the rules mark.
    pub own_systems: bool,
}

/// The most characters of a name or word that lists show.
const MOST: usize = 80;

impl Entry {
    /// What it costs.
    pub fn points(&self) -> Option<i64> {
        match &self.shown {
            Shown::Design(card) => card.points,
            Shown::Fleet(card) => card.points,
            Shown::Unread(_) => None,
        }
    }

    /// Whether it is built into the program, and so cannot be written to.
    pub fn built_in(&self) -> bool {
        self.origin == Origin::BuiltIn
    }

    /// Its text as it stands now.
    ///
    /// # Errors
    /// A finding when it cannot be read.
    pub fn read(&self) -> Result<Source, Finding> {
        let name = self.path.to_string_lossy().replace('\\', "/");
        Stocked { name, path: self.path.clone(), built_in: self.built_in(), stamp: self.stamp }.read()
    }

    /// Whether there is no such file any more.
    pub fn is_gone(&self) -> bool {
        matches!(&self.shown, Shown::Unread(findings) if findings.iter().any(|finding| finding.code == "no-such-file"))
    }

    /// What searches look through.
    pub fn words(&self) -> &str {
        &self.words
    }

    /// One line on it: `Manticore Alliance · Starship`, `4 ships`, or what keeps it from being read.
    pub fn line(&self) -> String {
        match &self.shown {
            Shown::Design(card) => {
                let mut words: Vec<&str> = card.fields.iter().map(|(_, word)| &**word).take(3).collect();
                words.extend(card.own_systems.then_some("own systems"));
                words.join(" · ")
            }
            Shown::Fleet(card) => {
                let ships = if card.ships == 1 { "1 ship".to_owned() } else { format!("{} ships", card.ships) };
                match (card.points, card.budget) {
                    (Some(points), Some(budget)) => format!("{ships}, {points} of {budget} points"),
                    (Some(points), None) => format!("{ships}, {points} points"),
                    (None, _) => ships,
                }
            }
            Shown::Unread(findings) => findings.first().map(|finding| finding.message.clone()).unwrap_or_default(),
        }
    }

    /// Whether the rules it was judged by are still those in force.
    pub(super) fn is_current(&self, games: &Games) -> bool {
        // What may be read now could not be read before, and the file looks the same.
        if let Shown::Unread(findings) = &self.shown
            && findings.iter().any(|finding| finding.code == "unreadable-file")
        {
            return false;
        }
        if self.uses.iter().any(|(path, stamp)| crate::store::stamp(path) != *stamp) {
            return false;
        }
        self.rules.as_ref().is_none_or(|rules| rules.is_same(&games.find(&self.ruleset)))
    }

    /// Entries of a group stand in this order: the player's own first.
    pub(super) fn order(&self) -> (bool, &str, Origin, &PathBuf) {
        (self.built_in(), &self.folded, self.origin, &self.path)
    }
}

/// A path from the root, to tell whether two are the same; the disk is not asked.
pub(super) fn full(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// A text in one line, control characters taken out, cut after `most` characters.
pub(super) fn line(text: &str, most: usize) -> String {
    let plain: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
    let plain = plain.join(" ");
    match plain.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &plain[..end]),
        None => plain,
    }
}

/// The entry of a file; `None` when it is neither a design nor a fleet and nobody said it were. `rulesets` are the ids there are.
pub(super) fn made(file: &Stocked, origin: Origin, games: &Games, rulesets: &[String]) -> Option<Entry> {
    let source = match file.read() {
        Ok(source) => source,
        Err(finding) => return Some(unread(file, origin, games, rulesets, vec![finding])),
    };
    let design = match Design::read(&source) {
        Ok(design) => design,
        Err(findings) if findings.iter().any(|finding| finding.code == "not-a-design") => {
            return match Fleet::is_meant(&source) {
                true => Some(fleet(file, origin, games, &source)),
                false if origin == Origin::Elsewhere => Some(unread(file, origin, games, rulesets, findings)),
                false => None,
            };
        }
        Err(findings) => return Some(unread(file, origin, games, rulesets, findings)),
    };
    let read = Read { file: source.file.clone(), opened: true, design: Ok(design) };
    let rules = read.ruleset().map(|id| games.find(id));
    let id: Arc<str> = read.ruleset().unwrap_or_default().into();
    let checked = judge(read, rules.as_ref());
    let name = checked.design.as_ref().and_then(|design| design.name.as_ref()).map(|word| word.text.clone());
    let shown = match checked {
        Checked { evaluation: Some(evaluation), .. } => Shown::Design(card(&evaluation)),
        Checked { failed, .. } => Shown::Unread(failed),
    };
    Some(entry(file, origin, &name.unwrap_or_default(), &id, shown, rules))
}

fn entry(file: &Stocked, origin: Origin, name: &str, ruleset: &Arc<str>, shown: Shown, rules: Option<Loaded>) -> Entry {
    let stem = file.path.file_stem().unwrap_or_default().to_string_lossy();
    let name = line(name, MOST);
    let name: Arc<str> = if name.is_empty() { line(&stem, MOST).into() } else { name.into() };
    let mut words = format!("{name}\n{stem}");
    match &shown {
        Shown::Design(card) => card.fields.iter().for_each(|(_, word)| words.extend(["\n", word])),
        Shown::Fleet(card) => words.extend(["\n", &card.side]),
        Shown::Unread(_) => {}
    }
    let (words, folded) = (fold(&words), fold(&name));
    Entry {
        path: file.path.clone(),
        full: if file.built_in { file.path.clone() } else { full(&file.path) },
        origin,
        name,
        ruleset: ruleset.clone(),
        shown,
        rules,
        stamp: file.stamp,
        uses: Vec::new(),
        words,
        folded,
    }
}

/// A file that cannot be read: it stands with the game whose folder it lies in, if there is such a game.
fn unread(file: &Stocked, origin: Origin, games: &Games, rulesets: &[String], findings: Vec<Finding>) -> Entry {
    let mut folders = file.name.split('/').skip(1);
    let folder = folders.next().filter(|folder| rulesets.iter().any(|id| id == folder));
    let rules = folder.map(|id| games.find(id));
    entry(file, origin, "", &folder.unwrap_or_default().into(), Shown::Unread(findings), rules)
}

fn card(evaluation: &Evaluation) -> Card {
    let declared = &evaluation.ruleset.fields;
    // What the game shows large says most, if it is a word: a class that is computed.
    let headlines = || evaluation.values.iter().filter(|value| value.headline);
    let large = headlines().filter_map(|value| match &value.value {
        Value::Text(text) if !text.trim().is_empty() => Some((value.label.clone(), line(text, MOST).into())),
        _ => None,
    });
    let shown = evaluation.fields.iter().filter(|field| field.applies).filter_map(|field| {
        let kind = &declared.iter().find(|declared| declared.id == field.id)?.kind;
        let word = match (kind, &field.value) {
            (FieldKind::Choice(_), Value::Text(id)) if **id == *"none" => return None,
            (FieldKind::Choice(_) | FieldKind::Text, Value::Text(_)) => line(&field.shown, MOST),
            (FieldKind::Flag, Value::Flag(true)) => line(&field.label, MOST),
            _ => return None,
        };
        (!word.is_empty()).then(|| (field.label.clone(), word.into()))
    });
    let number = |value: &Value| if let Value::Int(number) = value { Some(*number) } else { None };
    let count = |severity| evaluation.findings.iter().filter(|finding| finding.severity == severity).count();
    Card {
        fields: large.chain(shown).collect(),
        headlines: headlines().filter_map(|value| Some((value.label.clone(), number(&value.value)?))).collect(),
        points: evaluation.points,
        legal: evaluation.legal,
        findings: (count(Severity::Error), count(Severity::Warning)),
        own_systems: evaluation.own_words().is_some(),
    }
}

/// The entry of a fleet: what it says of itself, and what the rules say of it.
fn fleet(file: &Stocked, origin: Origin, games: &Games, source: &Source) -> Entry {
    let read = match Fleet::read(source) {
        Ok(read) => read,
        Err(findings) => return entry(file, origin, "", &"".into(), Shown::Unread(findings), None),
    };
    let text = |word: &Option<Word>| word.as_ref().map(|word| word.text.clone()).unwrap_or_default();
    let (name, ruleset) = (text(&read.name), text(&read.ruleset));
    let rules = read.ruleset.as_ref().map(|word| games.find(&word.text));
    let ships = read.ships.iter().map(|ship| u64::from(ship.count)).sum();
    let fleet = muster(games, read, &Lies::from(file), None);
    let count = |severity| fleet.all_findings().filter(|finding| finding.severity == severity).count();
    let card = FleetCard {
        side: line(&text(&fleet.fleet.side), MOST).into(),
        ships,
        budget: fleet.fleet.budget.map(|budget| budget.points),
        points: fleet.points,
        legal: fleet.legal,
        findings: (count(Severity::Error), count(Severity::Warning)),
        own_systems: fleet.units.iter().any(|unit| unit.evaluation.own_words().is_some()),
    };
    let mut uses: Vec<PathBuf> = fleet
        .units
        .iter()
        .filter_map(|unit| if let ClassFrom::File(path) = &unit.class.from { Some(path.clone()) } else { None })
        .collect();
    // A file that is not there yet may come.
    let folder = file.path.parent().unwrap_or(Path::new(""));
    let left_out = fleet.left_out.iter().filter(|one| one.carried.is_none());
    let missing = left_out.filter_map(|one| fleet.fleet.ships.get(one.entry)?.design.as_ref());
    uses.extend(missing.filter(|word| word.text.ends_with(".toml")).map(|word| folder.join(&*word.text)));
    uses.sort();
    uses.dedup();
    let uses = uses.into_iter().map(|path| (stamp(&path), path)).map(|(stamp, path)| (path, stamp)).collect();
    Entry { uses, ..entry(file, origin, &name, &ruleset, Shown::Fleet(card), rules) }
}
