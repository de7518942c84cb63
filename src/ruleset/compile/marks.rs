//! Provenance: `assumed = { mounts = "why" }` beside the keys it is about, and everything that a layer wrote is `house`. Takes a
//! thing's table, gives its marks; then hands every computed thing the marks of all it reads.

use std::sync::Arc;

use crate::formula::Type;
use crate::source::toml::{Data, Entry, Node, Table};

use super::{Compiler, from_layer};
use crate::ruleset::drawn::TableKind;
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
                    let help = format!("write {word} = {{ KEY = \"why\" }}");
                    self.problems.error(
                        "wrong-type",
                        node.span,
                        format!("{what}: `{word}` says why for each key"),
                        help,
                    );
                    continue;
                }
            };
            for Entry { key, span, node } in &reasons.entries {
                if table.get(key).is_none() {
                    let known = table.entries.iter().map(|entry| entry.key.as_ref()).filter(|key| *key != word);
                    let help = suggest(key, known.collect::<Vec<_>>().iter().copied());
                    self.problems.error(
                        "unknown-key",
                        *span,
                        format!("{what}: `{word}` speaks of `{key}`, which is not there"),
                        help,
                    );
                    continue;
                }
                if let Some(mark) = self.reason(node, provenance, format!("{what}: {key}")) {
                    marked.push((Some(key.as_ref().into()), self.push(mark)));
                }
            }
        }
        for Entry { key, node, .. } in &table.entries {
            if let Some(file) = from_layer(node)
                && ![
                    "id", "after", "remove", "label", "name", "abbr", "icon", "rule", "message", "help", "reason",
                    "house",
                ]
                .contains(&key.as_ref())
                && let Some(layer) = self.layers.get(usize::from(file))
            {
                marked.push((
                    Some(key.as_ref().into()),
                    self.push(self.mark(Provenance::House, layer.title.clone(), format!("{what}: {key}"))),
                ));
            }
        }
        marked
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
                self.problems.error("wrong-type", node.span, format!("{of}: a reason is text"), "");
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
                add(marks)
            }
            AttributeRule::None => {}
        };
        for slot in reads {
            match Name::of(slot) {
                Name::Value(n) => add(&ruleset.values[n].marks),
                Name::Setting(n) | Name::SettingOption(n, _) => add(&ruleset.settings[n].marks),
                Name::FieldOption(n, _) => {
                    if let crate::ruleset::FieldKind::Choice(choice) = &ruleset.fields[n].kind {
                        choice.options.iter().for_each(|option| add(&option.marks));
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
