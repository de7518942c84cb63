//! The second pass, what is computed and tested: values, attributes, relations, costs and checks. Takes their tables, gives
//! them compiled.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::finding::Severity;
use crate::formula::{Formula, Text, Type, Value};
use crate::source::toml::{Data, Entry};

use super::formulas::fits;
use super::names::Thing;
use super::order::mentions;
use super::{Compiler, words};
use crate::ruleset::layers;
use crate::ruleset::lexicon::{Around, Meaning};
use crate::ruleset::model::{
    Amount, AttributeRule, Check, Cost, FieldKind, Read, Relation, RelationKind, Ruleset, System, ValueRule,
};
use crate::ruleset::names::Name;
use crate::ruleset::reader::{Reader, brief, suggest};
use crate::ruleset::{Filter, Kind};

impl Compiler<'_> {
    /// Values, compiled in an order in which the type of what each reads is known.
    pub(super) fn values(&mut self, things: &[Thing<'_, '_>]) -> Vec<ValueRule> {
        let mut formulas: Vec<Option<Formula>> = vec![None; things.len()];
        for n in self.type_order(things) {
            let (_, reader) = &things[n];
            formulas[n] = reader.required("formula", self.formula(reader, "formula", &Around::default(), &Type::Any));
            if let Some(formula) = &formulas[n] {
                self.lexicon.values[n].1 = formula.ty.clone();
            }
        }
        let mut values = Vec::new();
        for ((id, reader), formula) in things.iter().zip(formulas) {
            let marks: Vec<u32> = self.marks_of(reader.table, &reader.what).into_iter().map(|(_, mark)| mark).collect();
            let value = ValueRule {
                id: id.clone(),
                label: reader.words("label").unwrap_or_else(|| words(id)),
                formula: formula.unwrap_or_else(|| Formula::constant(Value::Null, reader.span())),
                headline: reader.flag("headline").unwrap_or(false),
                limit: self.formula(reader, "limit", &Around::default(), &Type::Int),
                spare_of: self.amounts(reader, "spare_of"),
                room_for: self.amounts(reader, "room_for"),
                rule: reader.words("rule"),
                own_marks: marks.len(),
                marks,
                span: reader.span(),
            };
            let _ = reader.words("unit");
            reader.finish();
            values.push(value);
        }
        values
    }

    /// The values and whole-number fields that a key names.
    fn amounts(&self, reader: &Reader<'_, '_>, key: &'static str) -> Vec<Amount> {
        let mut amounts = Vec::new();
        for (word, span) in reader.texts(key).unwrap_or_default() {
            match self.lexicon.index.get(&word) {
                Some(Name::Value(n)) => amounts.push(Amount::Value(*n)),
                Some(Name::Field(n)) if self.lexicon.fields[*n].1 == Type::Int => amounts.push(Amount::Field(*n)),
                Some(_) => {
                    let message = format!("{}: `{}` is not a whole number of the design", reader.what, brief(&word));
                    self.problems.error("wrong-type", span, message, "use a value, or a field of kind integer");
                }
                None => {
                    let fields = self.lexicon.fields.iter().map(|(id, _, _)| &**id);
                    let known: Vec<&str> = self.lexicon.values.iter().map(|(id, _)| &**id).chain(fields).collect();
                    let message = format!("unknown value or field `{}`", brief(&word));
                    self.problems.error("unknown-name", span, message, suggest(&word, known));
                }
            }
        }
        amounts
    }

    /// Values after those that their formulas mention. A circle is broken anywhere here: the order of computation reports it.
    fn type_order(&self, things: &[Thing<'_, '_>]) -> Vec<usize> {
        let mut needs: Vec<Vec<usize>> = things
            .iter()
            .map(|(_, reader)| match reader.table.get("formula").map(|node| &node.data) {
                Some(Data::Text(text)) => {
                    let place = |word: &&str| match self.lexicon.index.get(*word) {
                        Some(Name::Value(n)) => Some(*n),
                        _ => None,
                    };
                    let mut needs: Vec<_> = mentions(text).iter().filter_map(place).collect();
                    needs.sort_unstable();
                    needs.dedup();
                    needs
                }
                _ => Vec::new(),
            })
            .collect();
        let mut order = Vec::new();
        let mut begun = vec![false; things.len()];
        for start in 0..things.len() {
            if begun[start] {
                continue;
            }
            begun[start] = true;
            let mut path = vec![start];
            while let Some(&node) = path.last() {
                match needs[node].pop() {
                    Some(next) if !begun[next] => {
                        begun[next] = true;
                        path.push(next);
                    }
                    Some(_) => {}
                    None => {
                        order.push(node);
                        path.pop();
                    }
                }
            }
        }
        order
    }

    /// The attributes of each system, and its marks.
    pub(super) fn system_rules(&self, things: &[Thing<'_, '_>], systems: &mut [System]) {
        for (n, ((_, reader), system)) in things.iter().zip(systems).enumerate() {
            let marked = self.marks_of(reader.table, &reader.what);
            self.tie(&marked, Some(n), None);
            let around = Around { it: Meaning::Own(n), ..Around::default() };
            let mut known = Vec::new();
            for (answer, rule) in self.lexicon.answers.iter().zip(&mut system.attributes) {
                let Some(default) = &answer.default else { continue };
                known.push(&*answer.id);
                let marks = marked
                    .iter()
                    .filter(|(key, _)| key.as_deref() == Some(&*answer.id))
                    .map(|(_, mark)| *mark)
                    .collect();
                let Some(node) = reader.table.get(&answer.id) else {
                    *rule = AttributeRule::Is(default.clone(), reader.span(), Vec::new());
                    continue;
                };
                let what = format!("{}: `{}`", reader.what, answer.id);
                *rule = match (&node.data, &answer.ty) {
                    (Data::Text(text), Type::Text(words)) => match self.compile_text(text, node.span, &around) {
                        Some(text) => match text.is_literal().map(|literal| Value::Text(literal.into())) {
                            Some(word) if fits(&word, &answer.ty) => AttributeRule::Is(word, node.span, marks),
                            Some(_) => {
                                let help = suggest(
                                    &text.source,
                                    words
                                        .iter()
                                        .flat_map(|words| words.iter())
                                        .map(|w| &**w)
                                        .collect::<Vec<_>>()
                                        .iter()
                                        .copied(),
                                );
                                self.problems.error(
                                    "unknown-word",
                                    node.span,
                                    format!("{what} cannot be `{}`", brief(&text.source)),
                                    help,
                                );
                                continue;
                            }
                            None => AttributeRule::Text(text, node.span, marks),
                        },
                        None => continue,
                    },
                    (Data::Text(_), ty) => match self.compile_node(&what, node, &around, ty) {
                        Some(formula) => AttributeRule::Formula(formula, node.span, marks),
                        None => continue,
                    },
                    (_, ty) => match self.plain(&what, node) {
                        Some(value) if fits(&value, ty) => AttributeRule::Is(value, node.span, marks),
                        Some(_) => {
                            self.wrong_kind(&what, node, ty);
                            continue;
                        }
                        None => continue,
                    },
                };
            }
            system.marks = marked
                .iter()
                .filter(|(key, _)| !key.as_deref().is_some_and(|key| known.contains(&key)))
                .map(|(_, mark)| *mark)
                .collect();
            reader.finish_with(&known);
        }
    }

    /// What fields and settings have left: conditions and marks.
    pub(super) fn field_rules(&self, settings: &[Thing<'_, '_>], fields: &[Thing<'_, '_>], ruleset: &mut Ruleset) {
        for ((_, reader), setting) in settings.iter().zip(&mut ruleset.settings) {
            setting.marks = self.marks_of(reader.table, &reader.what).into_iter().map(|(_, mark)| mark).collect();
            reader.finish();
        }
        for (n, ((_, reader), field)) in fields.iter().zip(&mut ruleset.fields).enumerate() {
            field.shown_when = self.formula(reader, "shown_when", &Around::default(), &Type::Flag);
            field.marks = self.marks_of(reader.table, &reader.what).into_iter().map(|(_, mark)| mark).collect();
            if let (FieldKind::Choice(choice), Some(Data::Table(options))) =
                (&mut field.kind, reader.table.get("options").map(|node| &node.data))
            {
                let places: BTreeMap<Arc<str>, usize> =
                    choice.options.iter().enumerate().map(|(n, option)| (option.id.clone(), n)).collect();
                for Entry { key, node, .. } in &options.entries {
                    let place = places.get(key.as_ref()).copied();
                    if let (Some(place), Data::Table(table)) = (place, &node.data) {
                        let marked = self.marks_of(table, &format!("{} {key}", field.id));
                        self.tie(&marked, None, Some((n, place)));
                        choice.options[place].marks = marked;
                    }
                }
            }
            reader.finish();
        }
    }

    pub(super) fn relations(&self, things: &[Thing<'_, '_>]) -> Vec<Relation> {
        let relation = |(id, reader): &Thing<'_, '_>| {
            let around = Around::default();
            let kinds = [("carry", RelationKind::Carry), ("group", RelationKind::Group)];
            let kind = reader.one_of("kind", &kinds).unwrap_or_default();
            let carries = kind == RelationKind::Carry;
            let alike = if carries { Vec::new() } else { self.named_formulas(reader, "alike", &around) };
            let relation = Relation {
                kind,
                id: id.clone(),
                label: reader.words("label").unwrap_or_else(|| words(id)),
                from: self.formula(reader, "from", &around, &Type::Flag),
                // The keys of the other kind are unknown, so that nobody relies on what is not tested.
                to: carries.then(|| self.formula(reader, "to", &around, &Type::Flag)).flatten(),
                limit: self.formula(reader, "limit", &around, &Type::Int),
                least: if carries { None } else { self.formula(reader, "least", &around, &Type::Int) },
                alike,
                span: reader.span(),
            };
            let _ = reader.words("rule");
            reader.finish();
            relation
        };
        things.iter().map(relation).collect()
    }

    pub(super) fn costs(&self, things: &[Thing<'_, '_>]) -> Vec<Cost> {
        let mut costs = Vec::new();
        for (_, reader) in things {
            let _ = reader.words("id");
            let (for_each, around) = self.for_each(reader);
            let when = self.formula(reader, "when", &around, &Type::Flag);
            let label = reader.required("label", self.text(reader, "label", &around));
            let count = self.formula(reader, "count", &around, &Type::Int);
            let each = reader.required("each", self.formula(reader, "each", &around, &Type::Int));
            let marks: Vec<u32> = self.marks_of(reader.table, &reader.what).into_iter().map(|(_, mark)| mark).collect();
            let (rule, own_marks) = (reader.words("rule"), marks.len());
            let _ = reader.node("after");
            reader.finish();
            if let (Some(label), Some(each)) = (label, each) {
                costs.push(Cost { for_each, when, label, count, each, rule, marks, own_marks });
            }
        }
        costs
    }

    pub(super) fn checks(&self, things: &[Thing<'_, '_>]) -> Vec<Check> {
        let mut checks = Vec::new();
        for (code, reader) in things {
            let (for_each, around) = self.for_each(reader);
            let severities = [
                ("error", Some(Severity::Error)),
                ("warning", Some(Severity::Warning)),
                ("info", Some(Severity::Info)),
                ("off", None),
            ];
            let severity = reader.required("severity", reader.one_of("severity", &severities));
            let when = self.formula(reader, "when", &around, &Type::Flag);
            let fails_when = reader.required("fails_when", self.formula(reader, "fails_when", &around, &Type::Flag));
            let message = reader.required("message", self.text(reader, "message", &around));
            let help = self.text(reader, "help", &around);
            let at = self.at(reader);
            let rule = reader.words("rule");
            let reason = reader.words("reason");
            let fix = reader
                .table("fix")
                .map(|table| Reader::new(table, format!("{}: `fix`", reader.what), self.problems))
                .map(|fix| self.fix(&fix, for_each.as_ref(), &around));
            let marks = self.marks_of(reader.table, &reader.what).into_iter().map(|(_, mark)| mark).collect();
            reader.finish();
            let (Some(severity), Some(fails_when), Some(message)) = (severity, fails_when, message) else { continue };
            let reads = self.shown_reads(&fails_when);
            let house =
                reader.table.get("severity").and_then(|node| layers::before(self.sources, &self.statements, node.span));
            let file = reader.table.get("severity").map_or(0, |node| node.span.file);
            let by_house = house.is_some() && !self.layers.get(usize::from(file)).is_some_and(|layer| layer.supplement);
            let house = house.map(|before| {
                let whose = if by_house { "house" } else { "supplement" };
                let now = severity.map_or("off", Severity::word);
                let why = reason.as_ref().map(|reason| format!(", {reason}")).unwrap_or_default();
                format!("{whose}: {now}, the base has {before}{why}").into()
            });
            let (code, span) = (code.clone(), reader.span());
            checks.push(Check {
                code,
                severity,
                for_each,
                when,
                fails_when,
                message,
                help,
                at,
                rule,
                fix,
                reason,
                house,
                by_house,
                reads,
                marks,
                span,
            });
        }
        checks
    }

    /// What a condition reads, with the names a player knows.
    fn shown_reads(&self, formula: &Formula) -> Vec<(Arc<str>, Read)> {
        let lexicon = &self.lexicon;
        let mut reads: Vec<(Arc<str>, Read)> = Vec::new();
        for slot in formula.reads() {
            let name = match Name::of(slot) {
                Name::Field(n) => lexicon.fields[n].0.clone(),
                Name::Setting(n) => lexicon.settings[n].0.clone(),
                Name::Value(n) => lexicon.values[n].0.clone(),
                Name::Relation(n) => lexicon.relations[n].clone(),
                Name::Answer(n) | Name::Whole(n) => lexicon.answers[n].id.clone(),
                Name::It(crate::ruleset::ItWord::Count) => "count".into(),
                Name::It(crate::ruleset::ItWord::Mount) => "mount".into(),
                _ => continue,
            };
            if !reads.iter().any(|(known, _)| *known == name) {
                reads.push((name, Read::Slot(slot)));
            }
        }
        for number in formula.calls() {
            let Some(call) = lexicon.calls.get(number) else { continue };
            let mut parts = Vec::new();
            let mut said = true;
            let function = match call.kind {
                Kind::Count => "count",
                Kind::Total(answer) => {
                    parts.push(format!("'{}'", lexicon.answers[answer].id));
                    "total"
                }
                _ => continue,
            };
            let names: [(&Filter, &str, &dyn Fn(usize) -> Arc<str>); 3] = [
                (&call.system, "", &|n| lexicon.systems[n].id.clone()),
                (&call.mount, "mount=", &|n| lexicon.mounts[n].0.clone()),
                (&call.tag, "tag=", &|n| lexicon.tags[n].clone()),
            ];
            for (filter, word, name) in names {
                match filter {
                    Filter::Any => {}
                    Filter::Only(only) if only.len() == 1 => parts.push(format!("{word}'{}'", name(only[0] as usize))),
                    _ => said = false,
                }
            }
            if said {
                reads.push((format!("{function}({})", parts.join(", ")).into(), Read::Call(number)));
            }
        }
        reads
    }

    /// A key that holds text or, without a string, nothing.
    pub(super) fn note(&self, reader: &Reader<'_, '_>, around: &Around) -> Option<Text> {
        self.text(reader, "note", around)
    }
}
