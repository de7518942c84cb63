//! What each declaration of a ruleset reads: its formulas with their names and queries, and what it is for each of.

use std::collections::BTreeSet;
use std::sync::Arc;

use moldloft_rules::formula::{Formula, TextTemplate};
use moldloft_rules::ruleset::{
    AttributeRule, Call, CallKind, Difference, FitFilter, FormulaRef, PrintedRows, Ruleset, Selector, Step, Symbol,
    TARGET, TableKind, Variable, ship_slot, situation_of,
};

/// Something that formulas can read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// By its section and id; of a table all of its cells.
    Named(&'static str, Arc<str>),
    /// A number of the options of a field: field, attribute.
    OptionData(usize, usize),
    /// A number of systems: attribute, and the system; `None`: of all.
    Attribute(usize, Option<usize>),
    /// Whether and where it is fitted, what it is called.
    System(usize),
    /// A row of a table, or one cell of it.
    Cell { table: usize, row: usize, column: Option<usize> },
}

/// A declaration with all that it reads.
pub struct Declaration<'r> {
    pub section: &'static str,
    pub id: Arc<str>,
    /// What others read of it.
    pub part: Part,
    formulas: Vec<FormulaRef<'r>>,
    for_each: Option<&'r Selector>,
    /// The system whose number this is.
    system: Option<usize>,
    /// The table that its rows are made from.
    made_from: Option<usize>,
}

pub struct RulesetReads<'r> {
    pub rules: &'r Arc<Ruleset>,
    pub declarations: Vec<Declaration<'r>>,
}

/// Sections whose declarations are read by their id, with the name of the section.
const READ_BY_ID: [&str; 9] =
    ["field", "setting", "value", "relation", "table", "track", "gauge", "situation", "mount"];

pub(super) fn gauges_set(step: &Step, into: &mut BTreeSet<u16>) {
    into.extend(step.assignments.iter().filter_map(|set| match set.variable {
        Variable::Left(gauge) | Variable::Own(gauge) => Some(gauge),
        Variable::Register(_) => None,
    }));
    step.each.iter().for_each(|inner| gauges_set(inner, into));
}

impl<'r> RulesetReads<'r> {
    pub fn new(rules: &'r Arc<Ruleset>) -> Self {
        let mut declarations: Vec<Declaration<'r>> = Vec::new();
        for entry in rules.all_formulas().into_iter().filter(|entry| !matches!(entry.section, "system" | "cost")) {
            let id: Arc<str> = entry.id.into();
            match declarations.iter_mut().find(|known| known.section == entry.section && known.id == id) {
                Some(known) => known.formulas.push(entry.part),
                None => declarations.push(Declaration {
                    section: entry.section,
                    part: Part::Named(entry.section, id.clone()),
                    for_each: for_each_of(rules, entry.section, &id),
                    made_from: rules
                        .tables
                        .iter()
                        .find(|table| entry.section == "table" && table.id == id)
                        .and_then(|table| table.made_from),
                    formulas: vec![entry.part],
                    system: None,
                    id,
                }),
            }
        }
        for (n, system) in rules.systems.iter().enumerate() {
            for (attribute, rule) in system.attributes.iter().enumerate() {
                let formula = match rule {
                    AttributeRule::Formula(formula, ..) => FormulaRef::Formula(formula),
                    AttributeRule::Text(text, ..) => FormulaRef::Text(text),
                    AttributeRule::None | AttributeRule::Constant(..) => continue,
                };
                declarations.push(Declaration {
                    section: "system",
                    id: system.id.clone(),
                    part: Part::Attribute(attribute, Some(n)),
                    formulas: vec![formula],
                    for_each: None,
                    system: Some(n),
                    made_from: None,
                });
            }
        }
        for (n, line) in rules.costs.iter().enumerate() {
            let formulas = line.when.iter().chain(&line.count).chain([&line.each]).map(FormulaRef::Formula);
            let id: Arc<str> = match line.label.is_literal() {
                Some(label) => label.into(),
                None => format!("line {}", n + 1).into(),
            };
            declarations.push(Declaration {
                section: "cost",
                part: Part::Named("cost", (n + 1).to_string().into()),
                id,
                formulas: formulas.chain([FormulaRef::Text(&line.label)]).collect(),
                for_each: line.for_each.as_ref(),
                system: None,
                made_from: None,
            });
        }
        // Nothing that they read makes them what they are.
        for (section, ids) in [
            ("track", rules.tracks.iter().map(|one| &one.id).collect::<Vec<_>>()),
            ("table", rules.tables.iter().map(|one| &one.id).collect()),
        ] {
            for id in ids {
                if !declarations.iter().any(|known| known.section == section && known.id == *id) {
                    declarations.push(Declaration {
                        section,
                        id: id.clone(),
                        part: Part::Named(section, id.clone()),
                        formulas: Vec::new(),
                        for_each: for_each_of(rules, section, id),
                        system: None,
                        made_from: None,
                    });
                }
            }
        }
        Self { rules, declarations }
    }

    /// What a difference changes.
    pub fn parts_of(&self, difference: &Difference) -> Vec<Part> {
        let rules = self.rules;
        let (id, key) = (&*difference.id, &*difference.key);
        let attribute = |word: &str| rules.symbols.attributes.iter().position(|known| *known.id == *word);
        let section = difference.section.as_str();
        match section {
            "attributes" => attribute(key.split('.').next().unwrap_or(key))
                .map(|attribute| Part::Attribute(attribute, None))
                .into_iter()
                .collect(),
            "system" => {
                let Some(system) = rules.systems.iter().position(|known| *known.id == *id) else { return Vec::new() };
                let word = key.strip_prefix("parameters.").unwrap_or(key);
                match attribute(word.split('.').next().unwrap_or(word)) {
                    Some(attribute) => vec![Part::Attribute(attribute, Some(system))],
                    None => vec![Part::System(system)],
                }
            }
            "table" => {
                let Some(table) = rules.tables.iter().position(|known| *known.id == *id) else { return Vec::new() };
                let named = Part::Named("table", rules.tables[table].id.clone());
                match key.strip_prefix("rows.").and_then(|rest| self.cell(table, rest)) {
                    Some((row, column)) => vec![Part::Cell { table, row, column }],
                    None => vec![named],
                }
            }
            "field" => {
                let Some(n) = rules.fields.iter().position(|known| *known.id == *id) else { return Vec::new() };
                let data = key.strip_prefix("options.").and_then(|rest| rest.split_once('.'));
                let data = data.and_then(|(_, word)| match &rules.fields[n].kind {
                    moldloft_rules::ruleset::FieldKind::Choice(choice) => {
                        choice.attributes.iter().position(|(known, _)| **known == *word)
                    }
                    _ => None,
                });
                match data {
                    Some(attribute) => vec![Part::OptionData(n, attribute + 1)],
                    None => vec![Part::Named("field", id.into())],
                }
            }
            // What an attack puts in is its own.
            "routine" => self.users_of(id),
            "cost" => {
                let by_id = moldloft_rules::ruleset::merged_tree(&rules.sources);
                let place = by_id.list("cost").iter().position(|line| line.text_at("id") == Some(id));
                let number = place.map_or_else(|| id.to_owned(), |place| (place + 1).to_string());
                vec![Part::Named("cost", number.into())]
            }
            _ => {
                let known = READ_BY_ID.iter().chain(&[
                    "check",
                    "counter",
                    "ruler",
                    "shared_roll",
                    "attack",
                    "outcome",
                    "term",
                    "sheet",
                    "guide",
                ]);
                let section = known.copied().find(|known| *known == section);
                section.map(|section| Part::Named(section, id.into())).into_iter().collect()
            }
        }
    }

    /// Attacks that use a routine, directly or through another.
    fn users_of(&self, routine: &str) -> Vec<Part> {
        fn uses(node: &moldloft_base::source::toml::TomlNode<'_>, names: &BTreeSet<String>) -> bool {
            let Some(step) = node.as_table() else { return false };
            step.text("use").is_some_and(|word| names.contains(word))
                || step.list("each").iter().any(|inner| uses(inner, names))
        }
        let tree = moldloft_rules::ruleset::merged_tree(&self.rules.sources);
        let mut names = BTreeSet::from([routine.to_owned()]);
        let users = |section: &str, names: &BTreeSet<String>| -> Vec<String> {
            let all = tree.list(section).iter().filter_map(|node| node.as_table());
            let using = all.filter(|one| one.list("step").iter().any(|step| uses(step, names)));
            using.filter_map(|one| Some(one.text("id")?.to_owned())).collect()
        };
        loop {
            let before = names.len();
            let more = users("routine", &names);
            names.extend(more);
            if names.len() == before {
                break;
            }
        }
        users("attack", &names).into_iter().map(|id| Part::Named("attack", id.into())).collect()
    }

    /// The row and the column of `haven laser-head.defence`.
    fn cell(&self, table: usize, words: &str) -> Option<(usize, Option<usize>)> {
        let TableKind::Rows { columns, key, rows, .. } = &self.rules.tables[table].kind else { return None };
        let ending = |column: &str| words.strip_suffix(column)?.strip_suffix('.');
        let column = columns.iter().enumerate().find_map(|(n, column)| Some((n, ending(&column.id)?)));
        let row = column.map_or(words, |(_, row)| row);
        let named = rows.iter().position(|cells| {
            let words: Vec<String> = key.iter().map(|&n| cells.entries[n].1.shown().unwrap_or_default()).collect();
            !key.is_empty() && words.join(" ") == *row
        });
        let numbered = || row.parse::<usize>().ok()?.checked_sub(1).filter(|&n| n < rows.len());
        Some((named.or_else(numbered)?, column.map(|(n, _)| n)))
    }

    /// Whether a declaration reads a part, by its own formulas or what it is for each of.
    pub fn reads(&self, declaration: &Declaration<'_>, part: &Part) -> bool {
        if declaration.part == *part {
            return false;
        }
        let systems = match (declaration.system, declaration.for_each) {
            (Some(system), _) => Some(vec![system]),
            (None, Some(Selector::Fit(set) | Selector::System(set))) => set.clone(),
            _ => None,
        };
        let over = match (declaration.for_each, part) {
            (Some(Selector::Fit(set) | Selector::System(set)), Part::System(system)) => {
                set.as_ref().is_none_or(|set| set.contains(system))
            }
            (Some(Selector::Field(field)), Part::Named("field", id)) => self.rules.fields[*field].id == *id,
            (Some(Selector::Table(of)), part) => self.is_of_table(part, *of),
            (Some(Selector::Mount(_)), Part::Named("mount", _)) => true,
            _ => false,
        };
        over || declaration.made_from.is_some_and(|of| self.is_of_table(part, of))
            || declaration.formulas.iter().any(|formula| match formula {
                FormulaRef::Formula(formula) => self.formula_reads(formula, part, systems.as_deref()),
                FormulaRef::Text(text) => self.text_reads(text, part, systems.as_deref()),
            })
    }

    fn is_of_table(&self, part: &Part, table: usize) -> bool {
        match part {
            Part::Named("table", id) => self.rules.tables[table].id == *id,
            Part::Cell { table: of, .. } => *of == table,
            _ => false,
        }
    }

    pub fn text_reads(&self, text: &TextTemplate, part: &Part, systems: Option<&[usize]>) -> bool {
        text.formulas().any(|formula| self.formula_reads(formula, part, systems))
    }

    /// `systems`: those that `it` can be; `None`: any, or none.
    pub fn formula_reads(&self, formula: &Formula, part: &Part, systems: Option<&[usize]>) -> bool {
        formula.reads().any(|slot| self.slot_reads(slot, part, systems))
            || formula.lookups().iter().any(|lookup| {
                let call = self.rules.symbols.calls.get(lookup.call & !TARGET);
                call.is_some_and(|call| self.call_reads(call, lookup, part))
            })
    }

    fn slot_reads(&self, slot: u32, part: &Part, systems: Option<&[usize]>) -> bool {
        let rules = self.rules;
        let named = |section: &str, id: Option<&Arc<str>>| match part {
            Part::Named(known, of) => *known == section && id == Some(of),
            _ => false,
        };
        let gauge = |n: u16| rules.attack_rules.gauges.get(usize::from(n)).map(|gauge| &gauge.id);
        match PrintedRows::from_slot(slot) {
            Some(PrintedRows::Table(n)) => return self.is_of_table(part, usize::from(n)),
            Some(PrintedRows::Track(n)) => {
                return named("track", rules.tracks.get(usize::from(n)).map(|track| &track.id));
            }
            None => {}
        }
        if let Some(n) = situation_of(slot) {
            return named("situation", rules.attack_rules.situations.get(usize::from(n)).map(|one| &one.id));
        }
        match Variable::from_slot(slot) {
            Some(Variable::Left(n) | Variable::Own(n)) => return named("gauge", gauge(n)),
            Some(Variable::Register(_)) => return false,
            None => {}
        }
        let can_be = |system: &usize| systems.is_none_or(|systems| systems.contains(system));
        match (ship_slot(slot).map(Symbol::from_slot), part) {
            (Some(Symbol::Field(n)), _) => named("field", rules.fields.get(n).map(|field| &field.id)),
            (Some(Symbol::FieldOption(n, attribute)), Part::OptionData(field, data)) => {
                n == *field && attribute == *data
            }
            (Some(Symbol::FieldOption(n, _)), _) => named("field", rules.fields.get(n).map(|field| &field.id)),
            (Some(Symbol::Setting(n) | Symbol::SettingOption(n, _)), _) => {
                named("setting", rules.settings.get(n).map(|setting| &setting.id))
            }
            (Some(Symbol::Value(n)), _) => named("value", rules.values.get(n).map(|value| &value.id)),
            (Some(Symbol::Relation(n)), _) => named("relation", rules.relations.get(n).map(|one| &one.id)),
            (Some(Symbol::Attribute(n) | Symbol::Whole(n)), Part::Attribute(attribute, system)) => {
                n == *attribute && system.as_ref().is_none_or(can_be)
            }
            _ => false,
        }
    }

    fn call_reads(&self, call: &Call, lookup: &moldloft_rules::formula::Lookup<'_>, part: &Part) -> bool {
        match (call.kind, part) {
            (CallKind::Total(of), Part::Attribute(attribute, system)) => {
                of == *attribute && system.is_none_or(|system| self.may_ask(call, system))
            }
            (CallKind::Count | CallKind::Total(_) | CallKind::Fitted | CallKind::Systems, Part::System(system)) => {
                self.may_ask(call, *system)
            }
            (kind, Part::Named("table", id)) => kind.table().is_some_and(|table| self.rules.tables[table].id == *id),
            (kind, Part::Cell { table, row, column }) if kind.table() == Some(*table) => {
                let TableKind::Rows { columns, key, rows, .. } = &self.rules.tables[*table].kind else { return true };
                // The columns that say which row it is, and the row if the formula names it.
                let (searched, finds) = match kind {
                    CallKind::Row(_) => {
                        let cells = rows.get(*row);
                        let fits = |(n, word): (&usize, &Option<&moldloft_rules::formula::Value>)| {
                            word.is_none_or(|word| cells.is_none_or(|cells| cells.entries[*n].1 == *word))
                        };
                        (key.clone(), key.iter().zip(&lookup.arguments).all(fits))
                    }
                    CallKind::Step(_, column) | CallKind::Within(_, column) => (vec![column], true),
                    CallKind::Cells(_, of) => return column.is_none_or(|column| column == of),
                    _ => return false,
                };
                let read = |column: &usize| {
                    searched.contains(column) || lookup.field.is_none_or(|field| *columns[*column].id == *field)
                };
                finds && column.as_ref().is_none_or(read)
            }
            _ => false,
        }
    }

    /// Whether a query can ask about a system.
    fn may_ask(&self, call: &Call, system: usize) -> bool {
        let Some(of) = self.rules.systems.get(system) else { return true };
        let among = |filter: &FitFilter, ids: &dyn Fn(u32) -> bool| match filter {
            FitFilter::Only(list) | FitFilter::Exactly(list) => list.iter().any(|id| ids(*id)),
            FitFilter::Any | FitFilter::Argument(_) => true,
        };
        let is_asked = match &call.system {
            FitFilter::Only(list) => self.rules.symbols.systems[system].counts_as_any(list, &call.except),
            filter => among(filter, &|id| id as usize == system),
        };
        is_asked
            && among(&call.tag, &|id| of.tag_ids.contains(&id))
            && among(&call.mount, &|id| of.mounts.as_ref().is_none_or(|mounts| mounts.contains(&(id as usize))))
    }
}

fn for_each_of<'r>(rules: &'r Ruleset, section: &str, id: &str) -> Option<&'r Selector> {
    match section {
        "track" => rules.tracks.iter().find(|one| *one.id == *id)?.for_each.as_ref(),
        "check" => rules.checks.iter().find(|one| *one.code == *id)?.scope.for_each.as_ref(),
        "counter" => rules.counters.iter().find(|one| *one.id == *id)?.for_each.as_ref(),
        "attack" => rules.attack_rules.attacks.iter().find(|one| *one.id == *id)?.for_each.as_ref(),
        "table" => match &rules.tables.iter().find(|one| *one.id == *id)?.kind {
            TableKind::ForEach { of, .. } => Some(of),
            _ => None,
        },
        _ => None,
    }
}
