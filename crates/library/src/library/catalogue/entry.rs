//! One entry of a catalogue: takes a file, gives its summary. A file that is unreadable, or whose rules cannot be used,
//! is an entry too, with the reason.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::store::{FileRef, FileStamp, ListedFile, file_stamp};
use moldloft_base::finding::{Cause, Finding, Severity};
use moldloft_base::source::Source;
use moldloft_rules::design::fleet::Fleet;
use moldloft_rules::design::{Design, SpannedText};
use moldloft_rules::evaluate::Evaluation;
use moldloft_rules::formula::Value;
use moldloft_rules::ruleset::FieldKind;

use crate::library::fleets::{ClassSource, evaluate_fleet};
use crate::library::read_design::{CheckedDesign, ReadDesign, check_design};
use crate::library::rulesets::{LoadedRuleset, Rulesets};
use moldloft_base::sanitize::{fold_for_search, plural};

#[derive(Clone, Debug)]
pub struct CatalogueEntry {
    pub file: FileRef,
    /// For a built-in file its name.
    pub absolute_path: PathBuf,
    /// Whether it is a given file outside the workspace.
    pub elsewhere: bool,
    /// The class or the fleet's name; the file's name if it has none.
    pub name: Arc<str>,
    /// The ruleset's id; empty if the file names none.
    pub ruleset: Arc<str>,
    pub summary: EntrySummary,
    /// The rules it was checked by; `None` when it names none.
    pub rules: Option<LoadedRuleset>,
    pub(super) stamp: FileStamp,
    /// For a fleet: the files of its designs, as they were.
    uses: Vec<(PathBuf, Option<FileStamp>)>,
    /// In small letters without accents.
    search_text: String,
    folded: String,
    /// Of a design that was checked.
    carried: Vec<CarriedNumber>,
}

/// A number of a design that a search can ask for: systems of one kind, or a large value.
#[derive(Clone, Debug, PartialEq, Eq)]
struct CarriedNumber {
    /// Id, name, letters and tags, in small letters without accents.
    names: Vec<String>,
    number: i64,
}

/// What a list shows of a file.
#[derive(Clone, Debug)]
pub enum EntrySummary {
    /// A design that was checked.
    Design(DesignCard),
    Fleet(FleetCard),
    /// A file that could not be checked, and why.
    Unreadable(Vec<Finding>),
}

/// What a list shows of a design.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DesignCard {
    /// Labels and texts of its fields: nation, type and whatever the game has.
    pub fields: Vec<(Arc<str>, Arc<str>)>,
    /// `heavy cruiser`: what the game shows large, else the last of the first three texts and choices. Empty without any.
    pub kind: Arc<str>,
    /// Labels and numbers of the values that the game shows large.
    pub headlines: Vec<(Arc<str>, i64)>,
    pub points: Option<i64>,
    /// Whether it follows the rules.
    pub legal: bool,
    /// The number of errors and of warnings.
    pub findings: (usize, usize),
    /// Whether it has custom systems that the rules mark.
    pub own_systems: bool,
}

/// What a list shows of a fleet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FleetCard {
    /// The side it fights for.
    pub side: Arc<str>,
    /// The number of ships.
    pub ships: u64,
    /// The most points that it may cost.
    pub budget: Option<i64>,
    /// `None` when nothing in it could be checked.
    pub points: Option<i64>,
    /// Whether it and all its ships follow the rules.
    pub legal: bool,
    /// The number of errors and of warnings, those of its ships included.
    pub findings: (usize, usize),
    /// Whether a ship has custom systems that the rules mark.
    pub own_systems: bool,
}

/// The most characters of a name or text in a list.
const MAX_CHARS: usize = 80;

impl CatalogueEntry {
    /// Whether it is a fleet in which the design of this file is.
    pub fn has_design(&self, path: &std::path::Path) -> bool {
        self.uses.iter().any(|(used, _)| *used == path)
    }

    pub fn points(&self) -> Option<i64> {
        match &self.summary {
            EntrySummary::Design(card) => card.points,
            EntrySummary::Fleet(card) => card.points,
            EntrySummary::Unreadable(_) => None,
        }
    }

    /// Of a design, `heavy cruiser`; empty if its game has none.
    pub fn kind(&self) -> &str {
        if let EntrySummary::Design(card) = &self.summary { &card.kind } else { "" }
    }

    /// Whether it is in the program, and so read-only.
    pub fn built_in(&self) -> bool {
        self.file.built_in
    }

    /// Its current text.
    ///
    /// # Errors
    /// A finding when it cannot be read.
    pub fn read(&self) -> Result<Source, Finding> {
        self.file.read()
    }

    /// Whether the file no longer exists.
    pub fn is_gone(&self) -> bool {
        matches!(&self.summary, EntrySummary::Unreadable(findings) if findings.iter().any(|finding| finding.cause == Some(Cause::NoSuchFile)))
    }

    /// In small letters without accents.
    pub fn search_text(&self) -> &str {
        &self.search_text
    }

    /// Whether a system aboard is called so: by the beginning of a word of its name, its id, letters or a tag.
    pub(super) fn carries(&self, word: &str) -> bool {
        let is_called = |known: &CarriedNumber| {
            known.number > 0 && known.names.iter().any(|name| name == word || begins_part(name, word))
        };
        self.carried.iter().any(is_called)
    }

    /// How many of the systems of this name are aboard, or the value of this name; parts of names count if no name is
    /// equal. `None` if nothing is called so.
    pub(super) fn carried_number(&self, word: &str) -> Option<i64> {
        let sum = |is_called: &dyn Fn(&str) -> bool| {
            let mut found =
                self.carried.iter().filter(|known| known.names.iter().any(|name| is_called(name))).peekable();
            found.peek()?;
            Some(found.map(|known| known.number).fold(0, i64::saturating_add))
        };
        sum(&|name| name == word).or_else(|| sum(&|name| begins_part(name, word)))
    }

    /// `Manticore Alliance · Starship`, `4 ships`, or why it cannot be read.
    pub fn summary_line(&self) -> String {
        match &self.summary {
            EntrySummary::Design(card) => {
                let mut words: Vec<&str> = card.fields.iter().map(|(_, word)| &**word).take(3).collect();
                words.extend(card.own_systems.then_some("own systems"));
                words.join(" · ")
            }
            EntrySummary::Fleet(card) => {
                let ships = plural(card.ships, "ship");
                match (card.points, card.budget) {
                    (Some(points), Some(budget)) => format!("{ships}, {points} of {}", plural(budget, "point")),
                    (Some(points), None) => format!("{ships}, {}", plural(points, "point")),
                    (None, _) => ships,
                }
            }
            EntrySummary::Unreadable(findings) => {
                findings.first().map(|finding| finding.message.clone()).unwrap_or_default()
            }
        }
    }

    /// Whether the rules it was checked by still apply, and its files are unchanged.
    pub(super) fn is_current(&self, rulesets: &Rulesets) -> bool {
        // A file that was unreadable may be readable now although it looks the same.
        if let EntrySummary::Unreadable(findings) = &self.summary
            && findings.iter().any(|finding| finding.cause == Some(Cause::UnreadableFile))
        {
            return false;
        }
        if self.uses.iter().any(|(path, stamp)| crate::store::file_stamp(path) != *stamp) {
            return false;
        }
        self.rules.as_ref().is_none_or(|rules| rules.is_same(&rulesets.find(&self.ruleset)))
    }

    /// The order in a group: the player's own files first.
    pub(super) fn sort_key(&self) -> (bool, &str, bool, &PathBuf) {
        (self.built_in(), &self.folded, self.elsewhere, &self.file.path)
    }
}

/// From the root, to compare paths; does not access the disk.
pub(super) fn absolute_path(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// A text on one line, without control characters, cut after `most` characters.
pub(super) fn one_line(text: &str, most: usize) -> String {
    let plain: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
    let plain = plain.join(" ");
    match plain.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &plain[..end]),
        None => plain,
    }
}

fn looks_like_ruleset(source: &Source) -> bool {
    moldloft_base::source::toml::parse(&source.text, 0).0.table("ruleset").is_some()
}

/// The entry of a file; `None` when it is neither a design nor a fleet and was not given as one. `ids`: those of all known
/// rulesets.
pub(super) fn entry_of_file(
    listed: &ListedFile,
    elsewhere: bool,
    rulesets: &Rulesets,
    ids: &[String],
) -> Option<CatalogueEntry> {
    let source = match listed.file.read() {
        Ok(source) => source,
        Err(finding) => return Some(unreadable_entry(listed, elsewhere, rulesets, ids, vec![finding])),
    };
    let design = match Design::read(&source) {
        Ok(design) => design,
        Err(findings) if findings.iter().any(|finding| finding.cause == Some(Cause::NotADesign)) => {
            return match Fleet::looks_like_fleet(&source) {
                true => Some(fleet_entry(listed, elsewhere, rulesets, &source)),
                // A ruleset that was opened is no design.
                false if elsewhere && !looks_like_ruleset(&source) => {
                    Some(unreadable_entry(listed, elsewhere, rulesets, ids, findings))
                }
                false => None,
            };
        }
        Err(findings) => return Some(unreadable_entry(listed, elsewhere, rulesets, ids, findings)),
    };
    let read = ReadDesign { file: source.file.clone(), opened: true, design: Ok(design) };
    let rules = read.ruleset().map(|id| rulesets.find(id));
    let id: Arc<str> = read.ruleset().unwrap_or_default().into();
    let checked = check_design(read, rules.as_ref());
    let name = checked.design.as_ref().and_then(|design| design.name.as_ref()).map(|word| word.text.clone());
    let mut carried = Vec::new();
    let shown = match checked {
        CheckedDesign { evaluation: Some(evaluation), .. } => {
            carried = carried_numbers(&evaluation);
            EntrySummary::Design(design_card(&evaluation))
        }
        CheckedDesign { failed, .. } => EntrySummary::Unreadable(failed),
    };
    let entry = new_entry(listed, elsewhere, &name.unwrap_or_default(), &id, shown, rules);
    Some(CatalogueEntry { carried, ..entry })
}

fn new_entry(
    listed: &ListedFile,
    elsewhere: bool,
    name: &str,
    ruleset: &Arc<str>,
    shown: EntrySummary,
    rules: Option<LoadedRuleset>,
) -> CatalogueEntry {
    let file = &listed.file;
    let stem = file.path.file_stem().unwrap_or_default().to_string_lossy();
    let name = one_line(name, MAX_CHARS);
    let name: Arc<str> = if name.is_empty() { one_line(&stem, MAX_CHARS).into() } else { name.into() };
    let mut words = format!("{name}\n{stem}");
    match &shown {
        EntrySummary::Design(card) => card.fields.iter().for_each(|(_, word)| words.extend(["\n", word])),
        EntrySummary::Fleet(card) => words.extend(["\n", &card.side]),
        EntrySummary::Unreadable(_) => {}
    }
    let (words, folded) = (fold_for_search(&words), fold_for_search(&name));
    CatalogueEntry {
        file: file.clone(),
        absolute_path: if file.built_in { file.path.clone() } else { absolute_path(&file.path) },
        elsewhere,
        name,
        ruleset: ruleset.clone(),
        summary: shown,
        rules,
        stamp: listed.stamp,
        uses: Vec::new(),
        search_text: words,
        folded,
        carried: Vec::new(),
    }
}

/// Whether a word of a name begins so, from three letters on: `launch` for `missile-launcher`.
fn begins_part(name: &str, word: &str) -> bool {
    word.chars().count() > 2 && (name.split('-').any(|part| part.starts_with(word)) || name.starts_with(word))
}

fn carried_numbers(evaluation: &Evaluation) -> Vec<CarriedNumber> {
    let rules = &evaluation.ruleset;
    let mut carried: Vec<CarriedNumber> = Vec::new();
    let fold = |words: &[&str]| -> Vec<String> {
        let words = words.iter().filter(|word| !word.is_empty());
        words.map(|word| fold_for_search(word).replace([' ', '_'], "-")).collect()
    };
    let mut seen: Vec<(&str, usize)> = Vec::new();
    for fit in &evaluation.fits {
        if let Some((_, known)) = seen.iter().find(|(id, _)| *id == &*fit.system) {
            carried[*known].number = carried[*known].number.saturating_add(i64::from(fit.count));
            continue;
        }
        let mut names = vec![&*fit.system, &*fit.name, &*fit.abbr];
        let system = rules.systems.iter().find(|system| system.id == fit.system);
        names.extend(system.iter().flat_map(|system| system.tags.iter()).map(|tag| &**tag));
        seen.push((&fit.system, carried.len()));
        carried.push(CarriedNumber { names: fold(&names), number: i64::from(fit.count) });
    }
    for value in evaluation.values.iter().filter(|value| value.headline) {
        if let Value::Int(number) = value.value {
            carried.push(CarriedNumber { names: fold(&[&value.id, &value.label]), number });
        }
    }
    carried
}

/// An unreadable file; its game is the one whose folder it is in, if there is such a game.
fn unreadable_entry(
    listed: &ListedFile,
    elsewhere: bool,
    rulesets: &Rulesets,
    ids: &[String],
    findings: Vec<Finding>,
) -> CatalogueEntry {
    let mut folders = listed.name.split('/').skip(1);
    let folder = folders.next().filter(|folder| ids.iter().any(|id| id == folder));
    let rules = folder.map(|id| rulesets.find(id));
    new_entry(listed, elsewhere, "", &folder.unwrap_or_default().into(), EntrySummary::Unreadable(findings), rules)
}

/// What a list shows of a design that was evaluated.
pub fn design_card(evaluation: &Evaluation) -> DesignCard {
    let declared = &evaluation.ruleset.fields;
    // A large value that is text, such as a computed class, describes the design best.
    let headlines = || evaluation.values.iter().filter(|value| value.headline);
    let large = headlines().filter_map(|value| match &value.value {
        Value::Text(text) if !text.trim().is_empty() => Some((value.label.clone(), one_line(text, MAX_CHARS).into())),
        _ => None,
    });
    let shown = evaluation.fields.iter().filter(|field| field.applies).filter_map(|field| {
        let kind = &declared.iter().find(|declared| declared.id == field.id)?.kind;
        let word = match (kind, &field.value) {
            (FieldKind::Choice(_), Value::Text(id)) if **id == *"none" => return None,
            (FieldKind::Choice(_) | FieldKind::Text, Value::Text(_)) => one_line(&field.text, MAX_CHARS),
            (FieldKind::Flag, Value::Flag(true)) => one_line(&field.label, MAX_CHARS),
            _ => return None,
        };
        (!word.is_empty()).then(|| (field.label.clone(), word.into()))
    });
    let (large, shown): (Vec<_>, Vec<(Arc<str>, Arc<str>)>) = (large.collect(), shown.collect());
    let words = shown.iter().filter(|(label, word)| label != word).take(3).last();
    let kind = large.first().or(words).map(|(_, word)| word.clone()).unwrap_or_default();
    let number = |value: &Value| if let Value::Int(number) = value { Some(*number) } else { None };
    let count = |severity| evaluation.findings.iter().filter(|finding| finding.severity == severity).count();
    DesignCard {
        fields: large.into_iter().chain(shown).collect(),
        kind,
        headlines: headlines().filter_map(|value| Some((value.label.clone(), number(&value.value)?))).collect(),
        points: evaluation.points,
        legal: evaluation.legal,
        findings: (count(Severity::Error), count(Severity::Warning)),
        own_systems: evaluation.custom_system_summary().is_some(),
    }
}

/// The entry of a fleet: its own keys, and the result of its evaluation.
fn fleet_entry(listed: &ListedFile, elsewhere: bool, rulesets: &Rulesets, source: &Source) -> CatalogueEntry {
    let read = match Fleet::read(source) {
        Ok(read) => read,
        Err(findings) => return new_entry(listed, elsewhere, "", &"".into(), EntrySummary::Unreadable(findings), None),
    };
    let text = |word: &Option<SpannedText>| word.as_ref().map(|word| word.text.clone()).unwrap_or_default();
    let (name, ruleset) = (text(&read.name), text(&read.ruleset));
    let rules = read.ruleset.as_ref().map(|word| rulesets.find(&word.text));
    let ships = read.ships.iter().map(|ship| u64::from(ship.count)).sum();
    let fleet = evaluate_fleet(rulesets, read, &listed.file, None);
    let count = |severity| fleet.all_findings().filter(|finding| finding.severity == severity).count();
    let card = FleetCard {
        side: one_line(&text(&fleet.fleet.side), MAX_CHARS).into(),
        ships,
        budget: fleet.fleet.budget.map(|budget| budget.points),
        points: fleet.points,
        legal: fleet.legal,
        findings: (count(Severity::Error), count(Severity::Warning)),
        own_systems: fleet.units.iter().any(|unit| unit.evaluation.custom_system_summary().is_some()),
    };
    let mut uses: Vec<PathBuf> = fleet
        .units
        .iter()
        .filter_map(|unit| if let ClassSource::File(file) = &unit.class.source { file.disk_path() } else { None })
        .map(Path::to_path_buf)
        .collect();
    // A missing file may be created.
    let folder = listed.file.path.parent().unwrap_or(Path::new(""));
    let left_out = fleet.skipped.iter().filter(|one| one.carried.is_none());
    let missing = left_out.filter_map(|one| fleet.fleet.ships.get(one.entry)?.design.as_ref());
    uses.extend(missing.filter(|word| word.text.ends_with(".toml")).map(|word| folder.join(&*word.text)));
    uses.sort();
    uses.dedup();
    let uses = uses.into_iter().map(|path| (file_stamp(&path), path)).map(|(stamp, path)| (path, stamp)).collect();
    CatalogueEntry { uses, ..new_entry(listed, elsewhere, &name, &ruleset, EntrySummary::Fleet(card), rules) }
}
