//! Reads a fleet. Errors in a key become findings and the rest is still read; the work is bounded whatever numbers the
//! file contains.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::design::read::{DesignReader, ExpectedType, MAX_NOTES, not_toml_finding, shorten};
use crate::design::{Band, BandPattern, Design, DesignPart, SpannedText};
use moldloft_base::finding::{Finding, did_you_mean};
use moldloft_base::source::toml::{TomlNode, TomlTable, TomlValue, parse};
use moldloft_base::source::{Source, Span};

use super::keys::{FLEET_KEYS, has_fleet_keys};
use super::model::{Budget, Fleet, FleetGroup};

/// The newest fleet format that this program reads.
pub const SCHEMA: i64 = 1;
pub const MAX_SHIPS: usize = 2_000;
pub const MAX_GROUPS: usize = 200;
pub const MAX_DESIGNS: usize = 200;
const MAX_POINTS: i64 = 1_000_000_000;

impl Fleet {
    /// Whether a text is a fleet rather than a design; text that is not TOML is classified by its readable part.
    pub fn looks_like_fleet(source: &Source) -> bool {
        has_fleet_keys(&parse(&source.text, 0).0)
    }

    /// Reads a fleet. Faults of the fleet are in [`Fleet::findings`], those of an embedded design in that design.
    ///
    /// # Errors
    /// The findings (all errors) when the text is not TOML, uses a newer format than [`SCHEMA`], or is not a fleet.
    pub fn read(source: &Source) -> Result<Fleet, Vec<Finding>> {
        let (root, faults) = parse(&source.text, 0);
        if !faults.is_empty() {
            return Err(faults.iter().take(20).map(|fault| not_toml_finding(source, fault)).collect());
        }
        let reader = DesignReader::new(source, Span::default());
        reader.check_schema(&root, "fleet", SCHEMA)?;
        if !has_fleet_keys(&root) {
            let finding = Finding::error("not-a-fleet", "this is not a fleet: it has no ships and no budget")
                .help("add a [[ship]] for each ship, with a line such as design = \"Vigilant\"")
                .at(source.place(Span::default()));
            return Err(vec![finding]);
        }
        Ok(read_fleet(reader, root))
    }
}

fn read_fleet(mut reader: DesignReader<'_>, root: TomlTable<'_>) -> Fleet {
    let source = reader.source;
    let mut fleet = Fleet::empty(source.clone());
    let mut designs = Vec::new();
    for entry in root.entries {
        match entry.key.as_ref() {
            "schema" => {}
            "ruleset" => fleet.ruleset = reader.read_text("ruleset", entry.node, None),
            "name" => fleet.name = reader.read_name("name", entry.node),
            "side" => fleet.side = reader.read_name("side", entry.node),
            "player" => fleet.player = reader.read_name("player", entry.node),
            "colour" => fleet.colour = reader.read_text("colour", entry.node, None),
            "pattern" => fleet.pattern = reader.read_text("pattern", entry.node, None),
            "notes" => {
                let notes = reader.read_text("notes", entry.node, None);
                fleet.notes = notes.map(|notes| reader.truncate_text("notes", notes, MAX_NOTES));
            }
            "budget" => fleet.budget = read_budget(&mut reader, &entry.node),
            "group" => {
                let tables = read_tables(&mut reader, "group", entry.node, MAX_GROUPS);
                let mut ids = BTreeMap::new();
                for (index, (span, table)) in tables {
                    fleet.groups.extend(read_group(&mut reader, index, span, table, &mut ids));
                }
            }
            "ship" => {
                for (index, (span, table)) in read_tables(&mut reader, "ship", entry.node, MAX_SHIPS) {
                    fleet.ships.push(super::ships::read_ship(&mut reader, index, span, table));
                }
            }
            "design" => designs = read_tables(&mut reader, "design", entry.node, MAX_DESIGNS),
            key => {
                reader.unknown_key(("a fleet", key), entry.span, &FLEET_KEYS, "use notes = \"…\" for a note");
                fleet.unknown.push(entry.into_owned());
            }
        }
    }
    read_band(&mut reader, &mut fleet);
    let top = || source.place(Span::default());
    if fleet.ruleset.as_ref().is_none_or(|word| word.text.is_empty()) && !reader.has_found("ruleset") {
        fleet.ruleset = None;
        let finding = Finding::error("missing-ruleset", "missing `ruleset` in the fleet")
            .help("start the file with a line such as ruleset = \"wars-of-honor\"; run `moldloft list rulesets` for all rulesets")
            .at(top());
        reader.add(finding, DesignPart::TopKey("ruleset".into()));
    }
    let mut names: BTreeMap<String, Span> = BTreeMap::new();
    for (_, (span, table)) in designs {
        let design = Design::read_embedded(source, span, table, fleet.ruleset.as_ref());
        if let Some(name) = design.name.as_ref().filter(|name| !name.text.trim().is_empty()) {
            if let Some(first) = names.get(&name.text.trim().to_lowercase()) {
                let (line, _) = source.line_column(first.start);
                let message = format!("duplicate design name {} in this fleet", shorten(&name.text));
                let help = format!("give this one another name; the first, in line {line}, is used");
                reader.add(
                    Finding::error("duplicate-design", message).help(help).at(source.place_with_snippet(name.span)),
                    DesignPart::Design,
                );
            } else {
                names.insert(name.text.trim().to_lowercase(), name.span);
            }
        }
        if let Some(finding) = unused_design(&fleet, &design, span) {
            reader.add(finding, DesignPart::Design);
        }
        fleet.designs.push(design);
    }
    reader.report_left_out(top);
    fleet.findings = reader.findings;
    fleet
}

/// The fleet's colour and pattern; what cannot be drawn is reported.
fn read_band(reader: &mut DesignReader<'_>, fleet: &mut Fleet) {
    let source = reader.source;
    let mut refuse = |word: &SpannedText, message: String, help: String, key: &'static str| {
        let finding = Finding::error("wrong-band", message).help(help).at(source.place_with_snippet(word.span));
        reader.add(finding, DesignPart::TopKey(key.into()));
    };
    let pattern = fleet.pattern.as_ref().map_or("", |word| &word.text);
    if let Some(word) = fleet.pattern.as_ref().filter(|word| Band::parse("#000000", &word.text).is_none()) {
        let known = BandPattern::ALL.map(|(word, _)| word);
        let help =
            did_you_mean(&word.text, known).unwrap_or_else(|| format!("available patterns: {}", known.join(", ")));
        refuse(word, format!("unknown pattern `{}`", shorten(&word.text)), help, "pattern");
    }
    if let Some(word) = fleet.colour.as_ref().filter(|word| Band::parse(&word.text, "").is_none()) {
        let message = format!("expected a colour as `#rrggbb`, found `{}`", shorten(&word.text));
        refuse(word, message, "write it as in colour = \"#1f4e9e\"".into(), "colour");
    }
    fleet.band = fleet.colour.as_ref().and_then(|colour| Band::parse(&colour.text, pattern));
}

fn unused_design(fleet: &Fleet, design: &Design, span: Span) -> Option<Finding> {
    let name = design.name.as_ref().map_or("", |word| word.text.trim());
    let carried = fleet.ships.iter().flat_map(|ship| &ship.carried).flat_map(|one| &one.ships);
    let mut asked = fleet.ships.iter().chain(carried).filter_map(|ship| ship.design.as_ref());
    // Accents are optional when a class is named, so names with accents are not checked.
    if !name.is_empty() && (!name.is_ascii() || asked.any(|word| word.text.trim().eq_ignore_ascii_case(name))) {
        return None;
    }
    let (message, help) = match name {
        "" => {
            ("a design in this file has no name: no ship can use it".to_owned(), "add a line such as name = \"Tern\"")
        }
        name => (
            format!("unused design {} in this file; it is not checked", shorten(name)),
            "use it for a ship, or remove it",
        ),
    };
    let at = design.name.as_ref().map_or(span, |word| word.span);
    Some(Finding::warning("unused-design", message).help(help).at(fleet.source.place_with_snippet(at)))
}

fn read_tables<'a>(
    reader: &mut DesignReader<'_>,
    key: &str,
    node: TomlNode<'a>,
    most: usize,
) -> Vec<(u32, (Span, TomlTable<'a>))> {
    let mut tables = reader.tables(key, node);
    if tables.len() > most {
        let message = format!("{} [[{key}]] tables, a fleet can have at most {most}", tables.len());
        let finding = Finding::error("too-large", message)
            .help("combine identical ships into one [[ship]] with a count, or split the fleet into two files");
        reader.add_at(tables[most].0, finding, DesignPart::Design);
        tables.truncate(most);
    }
    (0..).zip(tables).collect()
}

fn read_budget(reader: &mut DesignReader<'_>, node: &TomlNode<'_>) -> Option<Budget> {
    match &node.data {
        TomlValue::Int(points) if (0..=MAX_POINTS).contains(points) => {
            Some(Budget { points: *points, span: node.span })
        }
        TomlValue::Int(_) => {
            let finding =
                Finding::error("value-out-of-range", format!("expected 0 to {MAX_POINTS} points for the budget"))
                    .help("remove the line if points do not matter");
            reader.add_at(node.span, finding, DesignPart::TopKey("budget".into()));
            None
        }
        other => {
            reader.wrong_type(node.span, "budget", &ExpectedType::Number, other, DesignPart::TopKey("budget".into()));
            None
        }
    }
}

fn read_group(
    reader: &mut DesignReader<'_>,
    index: u32,
    span: Span,
    table: TomlTable<'_>,
    ids: &mut BTreeMap<Arc<str>, Span>,
) -> Option<FleetGroup> {
    let (mut id, mut kind, mut name, mut notes) = (None, None, None, None);
    let mut named = false;
    let mut unknown = Vec::new();
    for entry in table.entries {
        match entry.key.as_ref() {
            "id" => {
                named = true;
                id = reader.read_text("id", entry.node, None);
            }
            "kind" => kind = reader.read_text("kind", entry.node, None),
            "name" => name = reader.read_name("name", entry.node),
            "notes" => notes = reader.read_text("notes", entry.node, None),
            key => {
                reader.unknown_key(
                    ("a group", key),
                    entry.span,
                    &["id", "kind", "name", "notes"],
                    "use notes = \"…\" for a note",
                );
                unknown.push(entry.into_owned());
            }
        }
    }
    if !named {
        let finding = Finding::error("group-without-id", "missing `id` in a group")
            .help("add a line such as id = \"first\", and group = \"first\" to the ships that belong to it");
        reader.add_at(span, finding, DesignPart::Design);
    }
    let id: SpannedText = id?;
    if let Some(first) = ids.get(&id.text) {
        let (line, _) = reader.source.line_column(first.start);
        let finding = Finding::error("duplicate-id", format!("duplicate group id `{}`", shorten(&id.text)))
            .help(format!("give this one another id; the first, in line {line}, is used"));
        reader.add_at(id.span, finding, DesignPart::Design);
        return None;
    }
    ids.insert(id.text.clone(), id.span);
    Some(FleetGroup { index, id, kind, name, notes, unknown, span })
}
