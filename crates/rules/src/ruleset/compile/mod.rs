//! Compiles a ruleset: takes the sources, gives the ruleset. All names and types come first, then every formula, then
//! the order of computation. Continues after an error, so that all errors are reported at once.

mod attack_context;
mod attack_marks;
mod attack_steps;
mod attacks;
mod custom_systems;
mod declarations;
mod dependency_order;
mod fixes;
mod fleet_checks;
mod formulas;
mod guide;
mod mount_rules;
mod outputs;
mod provenance;
mod rulers;
mod rules;
mod table_declarations;
mod terms;
mod type_conflict;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use moldloft_base::finding::Finding;
use moldloft_base::sanitize::id_as_words;
use moldloft_base::source::toml::{TomlNode, TomlTable, TomlValue, parse};
use moldloft_base::source::{Source, Span, parse_colour};

use super::grammar::{KeyType, LAYER_KINDS, SCHEMA, declared_section, is_valid_id, top_keys};
use super::inherit::{Likes, keep_kinds, resolve_inheritance};
use super::layers::{self, LayerLog, LayerStatement, Quarantine, RulesetLayer};
use super::limits::{MAX_ATTRIBUTES, MAX_DECLARATIONS};
use super::model::{CustomSystemRules, ProvenanceMark, Ruleset};
use super::problems::{Problems, shorten, suggest};
use super::removed_names::{RemovedDeclaration, RemovedNames};
use super::symbol_table::SymbolTable;
use super::table_reader::{ReaderLabel, TableReader};

pub(super) struct Compiler<'c> {
    sources: &'c [Source],
    problems: &'c Problems<'c>,
    symbols: SymbolTable,
    marks: RefCell<Vec<ProvenanceMark>>,
    layers: Vec<RulesetLayer>,
    statements: Vec<LayerStatement>,
    index: layers::StatementIndex,
    with_attacks: bool,
}

pub(super) struct CompileOutput {
    pub ruleset: Ruleset,
    /// The number of rejected statements by the layer's file number.
    pub rejected: BTreeMap<u16, usize>,
}

/// Whether a section has no more declarations than are allowed; otherwise it is reported.
fn is_countable(word: &str, node: &TomlNode<'_>, problems: &Problems<'_>) -> bool {
    let count = if let TomlValue::List(list) = &node.data { list.len() } else { 0 };
    if count > MAX_DECLARATIONS {
        let message = format!("{count} [[{word}]], at most {MAX_DECLARATIONS} are allowed");
        problems.error("too-large", node.span, message, "");
    }
    count <= MAX_DECLARATIONS
}

pub(super) fn compile(
    sources: &[Source],
    problems: &Problems<'_>,
    quarantine: &Quarantine,
    with_attacks: bool,
) -> Option<CompileOutput> {
    let mut trees = Vec::new();
    for (number, source) in sources.iter().enumerate() {
        let (root, faults) = parse(&source.text, u16::try_from(number).unwrap_or(u16::MAX));
        for fault in faults.iter().take(20) {
            let general = "use lines of `key = value` under headers such as [[system]], with text in \"quotes\"";
            let help = fault.hint(&source.text).unwrap_or_else(|| general.to_owned());
            let finding = Finding::error("not-toml", format!("invalid TOML: {}", fault.message));
            problems.add(finding.help(help), fault.span);
        }
        trees.push(root);
    }
    if !problems.is_usable() {
        return None;
    }
    let mut headers = Vec::new();
    for tree in &trees {
        headers.push(parse_header(tree, &headers, problems)?);
    }
    let layered = trees.len() > 1;
    if layered && !problems.is_usable() {
        return None;
    }
    let extended_files = headers.iter().map(|header| header.extended_files.clone()).collect();
    let mut log = LayerLog::new(sources, problems, quarantine, extended_files);
    let mut trees = trees.into_iter();
    let mut root = trees.next()?;
    if layered {
        log.record_base(&root);
        // What the rules below have too many of is no layer's fault.
        if !root.entries.iter().all(|entry| is_countable(&entry.key, &entry.node, problems)) {
            return None;
        }
    }
    let mut removed = Vec::new();
    for tree in trees {
        layers::apply_layer(&mut root, tree, &mut removed, &log);
    }
    if !with_attacks {
        Compiler::leave_out_attacks(&mut root);
    }
    remove_made_tables(&mut root, &mut removed);
    let likes = resolve_inheritance(&mut root, &mut removed, problems);
    for entry in &mut root.entries {
        let Some(section) = declared_section(&entry.key) else { continue };
        let TomlValue::List(list) = &mut entry.node.data else { continue };
        let id = section.id().name;
        let gone =
            list.extract_if(.., |node| quarantine.has_dependent(section.name, node.text_at(id).unwrap_or_default()));
        removed.extend(gone.map(|node| (section.name, node)));
    }
    let (statements, severity_overrides, wrong) = log.into_parts();
    let last_file = u16::try_from(headers.len() - 1).unwrap_or(u16::MAX);
    let mut names = RemovedNames::new(&statements, &removed, last_file);
    names.kept = keep_kinds(&mut root, &removed, &likes);

    let last = headers.last()?;
    let newest = |pick: fn(&RulesetHeader) -> &Option<Arc<str>>| {
        headers.iter().rev().find_map(|h| pick(h).clone()).unwrap_or_default()
    };
    let compiler = Compiler {
        sources,
        problems,
        symbols: SymbolTable { removed: names, ..SymbolTable::default() },
        marks: RefCell::new(Vec::new()),
        layers: headers
            .iter()
            .map(|h| {
                let (id, title, version) = (h.id.clone(), h.title.clone(), h.version.clone());
                RulesetLayer { id, title, version, supplement: h.supplement, span: h.span }
            })
            .collect(),
        index: layers::StatementIndex::new(&statements),
        statements,
        with_attacks,
    };
    let ruleset = Ruleset {
        id: last.id.clone(),
        title: last.title.clone(),
        version: last.version.clone(),
        about: newest(|h| &h.about),
        credit: newest(|h| &h.credit),
        source: newest(|h| &h.source),
        terms: newest(|h| &h.terms),
        phases: headers.iter().rev().find_map(|h| h.phases.as_ref().map(|(id, _)| id.clone())),
        battle_order: headers.iter().rev().find_map(|h| h.order.clone()).unwrap_or_else(|| "initiative".into()),
        battle_acts: headers
            .iter()
            .rev()
            .find_map(|h| h.acts.clone())
            .unwrap_or_else(|| vec!["mv".into(), "fire".into()]),
        battle_each_turn: headers.iter().rev().find_map(|h| h.each_turn.clone()).unwrap_or_default(),
        turns_in_cycle: headers.iter().rev().find_map(|h| h.cycle).unwrap_or_default(),
        colour: headers.iter().rev().find_map(|h| h.colour),
        silhouette: headers.iter().rev().find_map(|h| h.silhouette.clone()).filter(|file| !file.is_empty()),
        custom_systems: headers.iter().rev().find_map(|h| h.own_systems.clone()).unwrap_or_default(),
        weapons: headers.iter().rev().find_map(|h| h.weapons.clone()).unwrap_or_else(|| vec!["#weapon".into()]),
        templates: headers.iter().rev().map(|h| h.id.clone()).collect(),
        base: compiler.layers.first()?.clone(),
        layers: compiler.layers[1..].to_vec(),
        severity_overrides,
        sources: sources.into(),
        ..Ruleset::default()
    };
    let mut ruleset = compiler.compile_all(ruleset, &root, &removed, &likes);
    check_phases(&mut ruleset, &headers, problems);
    Some(CompileOutput { ruleset, rejected: wrong })
}

/// A table whose rows are made from those of a table that a layer removed goes along, as do those made from it.
fn remove_made_tables<'a>(root: &mut TomlTable<'a>, removed: &mut Vec<RemovedDeclaration<'a>>) {
    let Some(tables) = root.list_mut("table") else { return };
    loop {
        let is_table = |id: &str, node: &TomlNode<'_>| node.text_at("id") == Some(id);
        let is_gone = |id: &str| removed.iter().any(|(section, node)| *section == "table" && is_table(id, node));
        let found = tables.iter().position(|node| {
            let of =
                node.as_table().filter(|table| table.get("key").is_some()).and_then(|table| table.text("for_each"));
            of.is_some_and(|of| is_gone(of) && !tables.iter().any(|node| is_table(of, node)))
        });
        let Some(found) = found else { return };
        removed.push(("table", tables.remove(found)));
    }
}

/// Reports `phases` that name no table. A layer may have removed the table.
fn check_phases(ruleset: &mut Ruleset, headers: &[RulesetHeader], problems: &Problems<'_>) {
    let named = headers.iter().rev().find_map(|header| header.phases.as_ref());
    let Some((id, span)) = named.filter(|(id, _)| !ruleset.tables.iter().any(|table| table.id == *id)) else { return };
    ruleset.phases = None;
    if ruleset.is_removed("table", id) {
        return;
    }
    let message = format!("unknown table `{}` in `phases`", shorten(id));
    let help = suggest(id, ruleset.tables.iter().map(|table| &*table.id));
    let finding = if ruleset.layers.is_empty() {
        Finding::error("unknown-table", message)
    } else {
        Finding::warning("unknown-table", message)
    };
    problems.add(finding.help(help), *span);
}

/// More boxes or fields a turn have no room.
const MAX_ACTS: usize = 6;
const MAX_EACH_TURN: usize = 4;
/// The longest cycle of turns.
const MAX_CYCLE: i64 = 60;

struct RulesetHeader {
    id: Arc<str>,
    title: Arc<str>,
    version: Arc<str>,
    about: Option<Arc<str>>,
    credit: Option<Arc<str>>,
    source: Option<Arc<str>>,
    terms: Option<Arc<str>>,
    /// The id of a table, with its place.
    phases: Option<(Arc<str>, Span)>,
    order: Option<Arc<str>>,
    acts: Option<Vec<Arc<str>>>,
    each_turn: Option<Vec<Arc<str>>>,
    cycle: Option<u16>,
    colour: Option<[u8; 3]>,
    silhouette: Option<Arc<str>>,
    own_systems: Option<CustomSystemRules>,
    weapons: Option<Vec<Arc<str>>>,
    extended_files: BTreeSet<u16>,
    supplement: bool,
    span: Span,
}

fn parse_header(root: &TomlTable<'_>, earlier: &[RulesetHeader], problems: &Problems<'_>) -> Option<RulesetHeader> {
    let Some(node) = root.get("ruleset") else {
        problems.error(
            "missing-key",
            root.span,
            "not a ruleset: missing [ruleset]",
            "start with [ruleset] and id, title, version, schema",
        );
        return None;
    };
    let TomlValue::Table(table) = &node.data else {
        problems.error("wrong-type", node.span, "expected a table for [ruleset]", "");
        return None;
    };
    let reader = TableReader::new(table, "[ruleset]", problems);
    let schema = reader.required("schema", reader.int("schema"))?;
    if schema > SCHEMA || schema < 1 {
        let span = table.get("schema").map_or(table.span, |node| node.span);
        let help = "use a newer Moldloft; the file was not read";
        problems.error(
            "newer-schema",
            span,
            format!("unsupported ruleset format {schema}; this Moldloft reads format {SCHEMA} and older"),
            help,
        );
        return None;
    }
    let id = reader.required("id", reader.string("id"));
    let title = reader.required("title", reader.string("title"));
    let version = reader.required("version", reader.string("version"));
    let about = reader.string("about");
    let (credit, source, terms) = (reader.string("credit"), reader.string("source"), reader.string("terms"));
    let (phases, order, silhouette) = (reader.text("phases"), reader.string("order"), reader.string("silhouette"));
    let acts = parse_short_list(&reader, "acts", MAX_ACTS, problems);
    let each_turn = parse_short_list(&reader, "each_turn", MAX_EACH_TURN, problems);
    let cycle = parse_cycle(table, &reader, problems);
    let colour = reader.text("colour").and_then(|(text, span)| {
        let colour = parse_colour(&text);
        if colour.is_none() {
            let message = format!("expected a colour as `#rrggbb`, found `{}`", shorten(&text));
            problems.error(
                "wrong-colour",
                span,
                message,
                "write red, green and blue in hexadecimal, such as `#1f4f96`",
            );
        }
        colour
    });
    let own_systems = reader.node("own_systems").and_then(|node| custom_systems::parse_custom_systems(node, problems));
    let weapons = reader.texts("weapons").map(|words| words.into_iter().map(|(word, _)| word).collect());
    let bases = reader.texts("extends").unwrap_or_default();
    let wanted = reader.texts("extends_version").unwrap_or_default();
    let supplement = reader.one_of("kind", &LAYER_KINDS);
    if supplement.is_some() && bases.is_empty() {
        let span = table.get("kind").map_or(table.span, |node| node.span);
        let help = "remove the line, or add the ruleset that the layer extends: extends = \"…\"";
        problems.error("unknown-key", span, "`kind` is only for layers; this ruleset extends none", help);
    }
    let mut extended_files = BTreeSet::new();
    for (base, span) in &bases {
        match earlier.iter().position(|header| header.id == *base) {
            Some(at) => {
                extended_files.insert(u16::try_from(at).unwrap_or(u16::MAX));
                extended_files.extend(&earlier[at].extended_files);
            }
            None => {
                let known: Vec<&str> = earlier.iter().map(|header| &*header.id).collect();
                let help = match known.is_empty() {
                    true => "load it together with the ruleset it extends".to_owned(),
                    false => suggest(base, known),
                };
                let message = format!("cannot extend `{}`: it is not loaded before this layer", shorten(base));
                problems.error("missing-base", *span, message, help);
            }
        }
    }
    check_versions(&bases, &wanted, earlier, problems);
    if bases.is_empty() && !earlier.is_empty() {
        let help = "add the ruleset that the layer extends: extends = \"…\"";
        problems.error(
            "missing-base",
            table.span,
            "missing `extends`: it is loaded as a layer over another ruleset",
            help,
        );
    }
    if let (Some(id), Some(known)) = (&id, earlier.iter().find(|known| Some(&known.id) == id.as_ref())) {
        let span = table.get("id").map_or(table.span, |node| node.span);
        let message =
            format!("duplicate id `{}`, already used by the ruleset it extends: {}", shorten(id), known.title);
        problems.error("duplicate-id", span, message, "rename the layer to the name of its file");
    }
    reader.report_unknown_keys();
    Some(RulesetHeader {
        id: id?,
        title: title?,
        version: version?,
        about,
        credit,
        source,
        terms,
        phases,
        order,
        acts,
        each_turn,
        cycle,
        colour,
        silhouette,
        own_systems,
        weapons,
        extended_files,
        supplement: supplement.unwrap_or(false),
        span: node.span,
    })
}

/// A list of texts; reports those beyond the greatest number.
fn parse_short_list(
    reader: &TableReader<'_, '_>,
    key: &'static str,
    most: usize,
    problems: &Problems<'_>,
) -> Option<Vec<Arc<str>>> {
    let texts = reader.texts(key)?;
    if let Some((_, span)) = texts.get(most) {
        let message = format!("expected at most {most} texts in `{key}`, found {}", texts.len());
        problems.error("too-large", *span, message, "remove some; a page has no room for more");
    }
    Some(texts.into_iter().take(most).map(|(text, _)| text).collect())
}

fn parse_cycle(table: &TomlTable<'_>, reader: &TableReader<'_, '_>, problems: &Problems<'_>) -> Option<u16> {
    let turns = reader.int("cycle")?;
    if !(0..=MAX_CYCLE).contains(&turns) {
        let span = table.get("cycle").map_or(table.span, |node| node.span);
        let message = format!("expected 0 to {MAX_CYCLE} turns in `cycle`, found {turns}");
        problems.error("value-out-of-range", span, message, "use 0 if turns are counted without cycles");
    }
    u16::try_from(turns.clamp(0, MAX_CYCLE)).ok()
}

/// Warns about base rulesets of another version than the layer was written for. The layer still applies in full.
fn check_versions(
    bases: &[(Arc<str>, Span)],
    wanted: &[(Arc<str>, Span)],
    earlier: &[RulesetHeader],
    problems: &Problems<'_>,
) {
    if let Some((_, span)) = wanted.get(bases.len()) {
        let message = format!(
            "extends_version lists more versions ({}) than `extends` lists rulesets ({})",
            wanted.len(),
            bases.len()
        );
        problems.add(
            Finding::warning("other-version", message).help("list one version for each ruleset, in the same order"),
            *span,
        );
    }
    for ((base, _), (wanted, span)) in bases.iter().zip(wanted) {
        let Some(known) = earlier.iter().find(|header| header.id == *base && header.version != *wanted) else {
            continue;
        };
        let message =
            format!("written for version {} of {}, this is version {}", shorten(wanted), known.id, known.version);
        let help = format!(
            "its statements still apply, or are listed here; check `moldloft rules diff` of the two versions, then set extends_version = \"{}\"",
            known.version
        );
        problems.add(Finding::warning("other-version", message).help(help), *span);
    }
}

impl<'c> Compiler<'c> {
    fn compile_all(
        mut self,
        mut ruleset: Ruleset,
        root: &TomlTable<'_>,
        removed: &[RemovedDeclaration<'_>],
        likes: &Likes,
    ) -> Ruleset {
        for entry in &root.entries {
            if !top_keys().any(|key| key == entry.key) {
                let mut help = suggest(&entry.key, top_keys());
                if entry.key == "change" {
                    "use `change` only in a layer, with `extends`".clone_into(&mut help);
                }
                self.problems.error(
                    "unknown-word",
                    entry.span,
                    format!("unknown word `{}` in a ruleset", shorten(&entry.key)),
                    help,
                );
            }
        }
        self.declare_attributes(root);
        custom_systems::check_bounds(&mut ruleset.custom_systems, &self.symbols, self.problems);
        let settings = self.declarations(root, "setting");
        let fields = self.declarations(root, "field");
        let mounts = self.declarations(root, "mount");
        let systems = self.declarations(root, "system");
        let relations = self.declarations(root, "relation");
        let values = self.declarations(root, "value");
        let tables = self.declarations(root, "table");
        ruleset.settings = self.declare_settings(&settings);
        ruleset.fields = self.declare_fields(&fields);
        ruleset.mounts = self.declare_mounts(&mounts);
        ruleset.systems = self.declare_systems(&systems, likes);
        self.declare_removed_parameters(removed, &mut ruleset.systems);
        self.check_sizes(root);
        self.declare_relations_and_values(&relations, &values);
        let drafts = self.declare_tables(&tables);
        let situations = self.declarations(root, "situation");
        self.check_unique_names(&settings, &fields, &values, &relations, &situations);
        ruleset.values = self.compile_values(&values);
        self.compile_system_attributes(&systems, &mut ruleset.systems);
        self.compile_field_rules(&settings, &fields, &mut ruleset);
        self.compile_mount_rules(&mounts, &mut ruleset.mounts);
        ruleset.relations = self.compile_relations(&relations);
        ruleset.tables = self.compile_tables(drafts);
        ruleset.glossary = self.compile_terms(&self.declarations(root, "term"));
        ruleset.costs = self.compile_costs(&self.declarations(root, "cost"));
        ruleset.tracks = self.compile_tracks(&self.declarations(root, "track"));
        let checks = self.declarations(root, "check");
        ruleset.checks = self.compile_checks(&checks);
        ruleset.fleet_checks = self.compile_fleet_checks(&checks);
        ruleset.counters = self.compile_counters(&self.declarations(root, "counter"));
        ruleset.rulers = self.compile_rulers(&self.declarations(root, "ruler"));
        ruleset.shared_rolls = self.compile_shared_rolls(&self.declarations(root, "shared_roll"), &ruleset.tracks);
        ruleset.sheets = self.compile_sheets(&self.declarations(root, "sheet"));
        let guide = self.declarations(root, "guide");
        ruleset.guide = self.compile_guide(&guide, &ruleset.systems, &ruleset.mounts);
        ruleset.attack_rules = self.compile_attacks(root, &situations, &ruleset.tracks);

        self.compute_order(&mut ruleset);
        self.propagate_marks(&mut ruleset);
        self.propagate_attack_marks(&mut ruleset);
        ruleset.symbols = Arc::new(self.symbols);
        ruleset.marks = self.marks.into_inner();
        ruleset.statements = self.statements;
        ruleset
    }

    /// The tables of a `[[section]]`, each with its id; those without an id or with a duplicate are reported and left
    /// out.
    fn declarations<'t>(&self, root: &'t TomlTable<'t>, word: &'static str) -> Vec<(Arc<str>, TableReader<'t, 'c>)>
    where
        'c: 't,
    {
        let (Some(node), Some(section)) = (root.get(word), declared_section(word)) else { return Vec::new() };
        let (key, hyphens) = (section.id(), section.id().holds == KeyType::Id);
        let TomlValue::List(list) = &node.data else {
            self.problems.error("wrong-type", node.span, format!("expected two brackets for `{word}`: [[{word}]]"), "");
            return Vec::new();
        };
        if !is_countable(word, node, self.problems) {
            return Vec::new();
        }
        let mut seen: BTreeMap<Arc<str>, Span> = BTreeMap::new();
        let mut declarations = Vec::new();
        for node in list {
            let TomlValue::Table(table) = &node.data else {
                self.problems.error("wrong-type", node.span, format!("expected a table for [[{word}]]"), "");
                continue;
            };
            let reader = TableReader::new(table, ReaderLabel::Section(word), self.problems);
            if !key.required {
                declarations.push((Arc::from(""), reader));
                continue;
            }
            let Some((id, span)) = reader.required(key.name, reader.text(key.name)) else { continue };
            if !self.check_id(&id, span, hyphens) {
                continue;
            }
            if let Some(first) = seen.insert(id.clone(), span) {
                let message =
                    format!("duplicate [[{word}]] `{id}`, first at {}", layers::location(self.sources, first));
                let help = match word {
                    "sheet" => {
                        "rename one of them; for two sheets of one kind, use `when` to choose which a design gets"
                    }
                    _ => "rename one of them",
                };
                self.problems.error("duplicate-id", span, message, help);
                continue;
            }
            let reader = reader.of_declaration(section.name, &id);
            let _ = (reader.node("after"), reader.texts("formerly"));
            declarations.push((id, reader));
        }
        declarations
    }

    /// Limits on numbers that are multiplied with each other.
    fn check_sizes(&self, root: &TomlTable<'_>) {
        let columns = self.symbols.columns.iter().map(Vec::len).max().unwrap_or(0);
        let options =
            self.symbols.fields.iter().chain(&self.symbols.settings).filter_map(|(_, _, choice)| choice.as_ref());
        let options = options.map(Vec::len).max().unwrap_or(0);
        for (number, most, what) in [
            (self.symbols.attributes.len(), MAX_ATTRIBUTES, "attributes and parameters"),
            (columns, MAX_ATTRIBUTES, "columns in one field"),
            (options, MAX_ATTRIBUTES, "attributes in one choice"),
        ] {
            if number > most {
                self.problems.error("too-large", root.span, format!("{number} {what}, at most {most} are allowed"), "");
            }
        }
    }

    /// Names in formulas have letters, digits and `_`; other ids may have `-` too.
    fn check_id(&self, id: &str, span: Span, hyphens: bool) -> bool {
        let is_valid = is_valid_id(id, hyphens);
        if !is_valid {
            let characters = if hyphens {
                "lower-case letters, digits and hyphens, such as missile-launcher"
            } else {
                "lower-case letters, digits and _, such as half_mark"
            };
            self.problems.error("bad-id", span, format!("invalid id `{}`", shorten(id)), format!("use {characters}"));
        }
        is_valid
    }
}

fn label_from_id(id: &str) -> Arc<str> {
    id_as_words(id).into()
}
