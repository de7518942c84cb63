//! Provenance: `assumed = { mounts = "why" }` beside the keys it is about, and everything that a layer wrote is `house`, or `published`
//! where it is a supplement. Takes a thing's table, gives its marks; then hands every computed thing the marks of all it reads.

use std::sync::Arc;

use crate::formula::Type;
use crate::source::Span;
use crate::source::toml::{Data, Entry, Node, Table};

use super::Compiler;
use crate::ruleset::drawn::TableKind;
use crate::ruleset::layers;
use crate::ruleset::lexicon::{Around, Meaning};
use crate::ruleset::model::{AttributeRule, Mark, Node as Computed, Provenance, Ruleset};
use crate::ruleset::names::Name;
use crate::ruleset::reader::suggest;
use crate::ruleset::{Filter, Kind};

/// A mark with the key it is about; `None`: the whole thing.
pub(super) type Marked = (Option<Arc<str>>, u32);

const SORTS: [(&str, Provenance); 4] = [
    ("published", Provenance::Published),
    ("derived", Provenance::Derived),
    ("assumed", Provenance::Assumed),
    ("house", Provenance::House),
];

/// The most marks of provenance: every value carries those of all it reads.
const MOST_MARKS: usize = 1_000;
/// The most statements of layers that one key speaks of.
const MOST_TOLD: usize = 8;

impl Compiler<'_> {
    fn mark(&self, provenance: Provenance, why: Arc<str>, of: String) -> Mark {
        Mark { provenance, why, of: of.into(), when: None, system: None, option: None }
    }

    fn push(&self, mark: Mark) -> u32 {
        let mut marks = self.marks.borrow_mut();
        // A ruleset with more is not refused: what is told once is enough for the rest.
        if marks.len() >= MOST_MARKS {
            return marks.len() as u32 - 1;
        }
        marks.push(mark);
        marks.len() as u32 - 1
    }

    /// The marks that a table bears on its keys.
    pub(super) fn marks_of(&self, table: &Table<'_>, what: &str) -> Vec<Marked> {
        let mut marked = Vec::new();
        for (word, provenance) in SORTS {
            let Some(node) = table.get(word) else { continue };
            let reasons = match &node.data {
                Data::Table(reasons) => reasons,
                Data::Text(why) => {
                    marked.push((None, self.push(self.mark(provenance, why.as_ref().into(), what.to_owned()))));
                    continue;
                }
                _ => {
                    let help = format!("use {word} = {{ KEY = \"why\" }}");
                    self.problems.error(
                        "wrong-type",
                        node.span,
                        format!("{what}: expected a reason for each key in `{word}`"),
                        help,
                    );
                    continue;
                }
            };
            for Entry { key, span, node } in &reasons.entries {
                // A guess about what a layer has since written itself is no longer made, but for what it says of the `base`.
                let anew = |new: &Node<'_>| new.span.file > span.file && !layers::says_base(self.written(new.span));
                if table.get(key).is_some_and(anew) {
                    continue;
                }
                if table.get(key).is_none() {
                    let known = table.entries.iter().map(|entry| entry.key.as_ref()).filter(|key| *key != word);
                    let help = suggest(key, known.collect::<Vec<_>>().iter().copied());
                    self.problems.error("unknown-key", *span, format!("{what}: unknown key `{key}` in `{word}`"), help);
                    continue;
                }
                if let Some(mark) = self.reason(node, provenance, format!("{what}: {key}")) {
                    marked.push((Some(key.as_ref().into()), self.push(mark)));
                }
            }
        }
        if self.layers.len() > 1 {
            self.house(table, what, &mut marked);
        }
        marked
    }

    /// The text of a string as its file has it.
    fn written(&self, span: Span) -> &str {
        let inside = self.inside(span);
        let text = self.sources.get(usize::from(inside.file)).map_or("", |source| &*source.text);
        text.get(inside.start as usize..inside.end as usize).unwrap_or_default()
    }

    /// What layers wrote of a thing is `house`, or `published` by a supplement, each of its statements by itself.
    fn house(&self, table: &Table<'_>, what: &str, marked: &mut Vec<Marked>) {
        let silent =
            ["id", "code", "after", "label", "name", "abbr", "icon", "rule", "message", "help", "reason", "house"];
        for Entry { key, node, .. } in table.entries.iter().filter(|entry| !silent.contains(&entry.key.as_ref())) {
            let mut said: Vec<Span> = Vec::new();
            from_layers(node, &mut said);
            let mut told: Vec<Arc<str>> = Vec::new();
            for span in said {
                if told.len() >= MOST_TOLD {
                    break;
                }
                let Some(statement) = self.index.of(&self.statements, span) else { continue };
                let why: Arc<str> =
                    layers::told(self.sources, &self.statements, statement, &self.layers[0], &self.layers[1..]).into();
                if !told.contains(&why) {
                    told.push(why.clone());
                    let supplement = self.layers.get(usize::from(span.file)).is_some_and(|layer| layer.supplement);
                    let whose = if supplement { Provenance::Published } else { Provenance::House };
                    marked
                        .push((Some(key.as_ref().into()), self.push(self.mark(whose, why, format!("{what}: {key}")))));
                }
            }
        }
    }

    /// `"why"`, or `{ why = "…", when = "unit == 'lac'" }`.
    fn reason(&self, node: &Node<'_>, provenance: Provenance, of: String) -> Option<Mark> {
        match &node.data {
            Data::Text(why) => Some(self.mark(provenance, why.as_ref().into(), of)),
            Data::Table(table) => {
                let reader = crate::ruleset::reader::Reader::new(table, of.clone(), self.problems);
                let why = reader.required("why", reader.words("why"))?;
                let mut mark = self.mark(provenance, why, of);
                mark.when =
                    self.formula(&reader, "when", &Around { it: Meaning::Nothing, ..Around::default() }, &Type::Flag);
                reader.finish();
                Some(mark)
            }
            _ => {
                self.problems.error("wrong-type", node.span, format!("{of}: expected text for the reason"), "");
                None
            }
        }
    }

    /// Ties the marks of a system's or an option's keys to ships that have it.
    pub(super) fn tie(&self, marks: &[Marked], system: Option<usize>, option: Option<(usize, usize)>) {
        let mut all = self.marks.borrow_mut();
        for (_, mark) in marks {
            all[*mark as usize].system = system;
            all[*mark as usize].option = option;
        }
    }

    /// A mark that bears on a ship only with this system aboard, since it is read through the system.
    fn aboard(&self, mark: u32, system: usize) -> u32 {
        let known = self.marks.borrow()[mark as usize].clone();
        if known.system.is_some() {
            return mark;
        }
        let tied = Mark { system: Some(system), ..known };
        let same = |one: &Mark| {
            (&one.of, &one.why, one.system, one.option) == (&tied.of, &tied.why, tied.system, tied.option)
                && one.provenance == tied.provenance
        };
        let found = self.marks.borrow().iter().position(same);
        match found {
            Some(found) => found as u32,
            None if self.marks.borrow().len() >= MOST_MARKS => mark,
            None => self.push(tied),
        }
    }

    /// Gives every computed thing the marks of what it reads, in dependency order.
    pub(super) fn spread_marks(&self, ruleset: &mut Ruleset) {
        for node in ruleset.order.clone() {
            match node {
                Computed::Value(n) => {
                    let value = &ruleset.values[n];
                    let mut marks = value.marks.clone();
                    self.gather(ruleset, value.formula.reads(), value.formula.calls(), &mut marks);
                    ruleset.values[n].marks = marks;
                }
                Computed::Attribute(system, answer) => {
                    let mut gathered = Vec::new();
                    match &ruleset.systems[system].attributes[answer] {
                        AttributeRule::Formula(formula, _, marks) => {
                            gathered.clone_from(marks);
                            self.gather_in(ruleset, Some(system), formula.reads(), formula.calls(), &mut gathered);
                        }
                        AttributeRule::Text(text, _, marks) => {
                            gathered.clone_from(marks);
                            self.gather_in(ruleset, Some(system), text.reads(), text.calls(), &mut gathered);
                        }
                        _ => {}
                    }
                    match &mut ruleset.systems[system].attributes[answer] {
                        AttributeRule::Formula(_, _, marks) | AttributeRule::Text(_, _, marks) => *marks = gathered,
                        _ => {}
                    }
                }
            }
        }
        for n in 0..ruleset.tracks.len() {
            let track = &ruleset.tracks[n];
            let mut marks = track.marks.clone();
            let formulas = std::iter::once(&track.boxes)
                .chain(&track.lines)
                .chain(track.row_labels.iter().chain(&track.cell).map(|(_, formula)| formula));
            for formula in formulas.chain(track.signs.iter().map(|sign| &sign.at)) {
                self.gather(ruleset, formula.reads(), formula.calls(), &mut marks);
            }
            ruleset.tracks[n].marks = marks;
        }
        for n in 0..ruleset.tables.len() {
            let table = &ruleset.tables[n];
            let mut marks = table.marks.clone();
            match &table.kind {
                TableKind::Rows { .. } => {}
                TableKind::ForEach { columns, .. } => {
                    for formula in columns.iter().filter_map(|column| column.cell.as_ref()) {
                        self.gather(ruleset, formula.reads(), formula.calls(), &mut marks);
                    }
                }
                TableKind::Grid { cell, .. } => self.gather(ruleset, cell.reads(), cell.calls(), &mut marks),
            }
            ruleset.tables[n].marks = marks;
        }
        for n in 0..ruleset.costs.len() {
            let cost = &ruleset.costs[n];
            let mut marks = cost.marks.clone();
            self.gather(ruleset, cost.each.reads(), cost.each.calls(), &mut marks);
            if let Some(count) = &cost.count {
                self.gather(ruleset, count.reads(), count.calls(), &mut marks);
            }
            ruleset.costs[n].marks = marks;
        }
    }

    fn gather(
        &self,
        ruleset: &Ruleset,
        reads: impl Iterator<Item = u32>,
        calls: impl Iterator<Item = u32>,
        into: &mut Vec<u32>,
    ) {
        self.gather_in(ruleset, None, reads, calls, into);
    }

    fn gather_in(
        &self,
        ruleset: &Ruleset,
        own: Option<usize>,
        reads: impl Iterator<Item = u32>,
        calls: impl Iterator<Item = u32>,
        into: &mut Vec<u32>,
    ) {
        let mut add = |marks: &[u32]| {
            for mark in marks {
                if !into.contains(mark) {
                    into.push(*mark);
                }
            }
        };
        let attribute = |system: usize, answer: usize, add: &mut dyn FnMut(&[u32])| match &ruleset.systems[system]
            .attributes[answer]
        {
            AttributeRule::Is(_, _, marks) | AttributeRule::Formula(_, _, marks) | AttributeRule::Text(_, _, marks) => {
                add(&marks.iter().map(|mark| self.aboard(*mark, system)).collect::<Vec<_>>());
            }
            AttributeRule::None => {}
        };
        for slot in reads {
            match Name::of(slot) {
                Name::Value(n) => add(&ruleset.values[n].marks),
                Name::Setting(n) | Name::SettingOption(n, _) => add(&ruleset.settings[n].marks),
                // An option's reason is about the key it is given for: who reads another key does not rest on it.
                Name::FieldOption(n, answer) => {
                    if let crate::ruleset::FieldKind::Choice(choice) = &ruleset.fields[n].kind
                        && let Some(attribute) = answer.checked_sub(1)
                    {
                        let options = 0..choice.options.len();
                        options.for_each(|option| add(&choice.marks(option, attribute).collect::<Vec<_>>()));
                    }
                }
                Name::Answer(answer) | Name::Whole(answer) => match own {
                    Some(system) => attribute(system, answer, &mut add),
                    None => (0..ruleset.systems.len()).for_each(|system| attribute(system, answer, &mut add)),
                },
                _ => {}
            }
        }
        for call in calls {
            let Some(call) = self.lexicon.calls.get(call) else { continue };
            match call.kind {
                Kind::Total(answer) => {
                    for system in 0..ruleset.systems.len() {
                        if !matches!(&call.system, Filter::Only(only) if !only.contains(&(system as u32))) {
                            attribute(system, answer, &mut add);
                        }
                    }
                }
                Kind::Row(table) | Kind::Step(table, _) => add(&ruleset.tables[table].marks),
                _ => {}
            }
        }
    }
}

/// The places of what layers wrote in a node.
fn from_layers(node: &Node<'_>, into: &mut Vec<Span>) {
    match &node.data {
        _ if into.len() >= MOST_TOLD => {}
        Data::List(list) if node.span.file == 0 => list.iter().for_each(|node| from_layers(node, into)),
        Data::Table(table) if node.span.file == 0 => {
            table.entries.iter().for_each(|entry| from_layers(&entry.node, into))
        }
        _ if node.span.file > 0 => into.push(node.span),
        _ => {}
    }
}
