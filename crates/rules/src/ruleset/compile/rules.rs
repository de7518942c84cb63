//! The second pass over rules: takes the tables of values, attributes, relations, costs and checks, gives them
//! compiled.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::formula::{Formula, TextTemplate, Type, Value};
use moldloft_base::finding::Severity;
use moldloft_base::source::toml::{TomlEntry, TomlValue};

use super::declarations::Declaration;
use super::dependency_order::identifiers_in;
use super::formulas::matches_type;
use super::{Compiler, label_from_id};
use crate::ruleset::grammar::{CheckScope, SEVERITIES};
use crate::ruleset::layers;
use crate::ruleset::model::{
    Amount, AttributeRule, CheckDef, ConditionRead, CostDef, FieldKind, OverShip, RelationDef, RelationKind, Ruleset,
    SystemDef, ValueDef,
};
use crate::ruleset::problems::{shorten, suggest};
use crate::ruleset::symbol_table::{EXACT, ItKind, ScopeContext};
use crate::ruleset::symbols::Symbol;
use crate::ruleset::table_reader::TableReader;
use crate::ruleset::{CallKind, FitFilter};

/// Whether a check is for all ships of a fleet together.
pub(super) fn is_over_fleet(reader: &TableReader<'_, '_>) -> bool {
    reader.table.text("over") == Some("fleet")
}

/// The formulas and texts of a check, compiled in its scope.
pub(super) struct CheckParts {
    pub when: Option<Formula>,
    pub fails_when: Option<Formula>,
    pub message: Option<TextTemplate>,
    pub help: Option<TextTemplate>,
}

impl Compiler<'_> {
    /// In an order in which the types of all that a value reads are known.
    pub(super) fn compile_values(&mut self, declarations: &[Declaration<'_, '_>]) -> Vec<ValueDef> {
        let mut formulas: Vec<Option<Formula>> = vec![None; declarations.len()];
        for n in self.type_order(declarations) {
            let (_, reader) = &declarations[n];
            formulas[n] = reader
                .required("formula", self.compile_formula(reader, "formula", &ScopeContext::default(), &Type::Any));
            if let Some(formula) = &formulas[n] {
                self.symbols.values[n].1 = formula.ty.clone();
            }
        }
        let mut values = Vec::new();
        for ((id, reader), formula) in declarations.iter().zip(formulas) {
            let marks = self.marks(reader);
            let value = ValueDef {
                id: id.clone(),
                label: reader.string("label").unwrap_or_else(|| label_from_id(id)),
                formula: formula.unwrap_or_else(|| Formula::constant(Value::Null, reader.span())),
                headline: reader.flag("headline").unwrap_or(false),
                limit: self.compile_formula(reader, "limit", &ScopeContext::default(), &Type::Int),
                spare_of: self.parse_amounts(reader, "spare_of"),
                room_for: self.parse_amounts(reader, "room_for"),
                rule: reader.string("rule"),
                direct_marks: marks.len(),
                marks,
                span: reader.span(),
            };
            let _ = reader.string("unit");
            reader.report_unknown_keys();
            values.push(value);
        }
        values
    }

    /// The values and integer fields that a key names.
    fn parse_amounts(&self, reader: &TableReader<'_, '_>, key: &'static str) -> Vec<Amount> {
        let mut amounts = Vec::new();
        for (word, span) in reader.texts(key).unwrap_or_default() {
            match self.symbols.index.get(&word) {
                Some(Symbol::Value(n)) => amounts.push(Amount::Value(*n)),
                Some(Symbol::Field(n)) if self.symbols.fields[*n].1 == Type::Int => amounts.push(Amount::Field(*n)),
                Some(_) => {
                    let message = format!("`{}` is not a whole number of the design", shorten(&word));
                    reader.error("wrong-type", span, message, "use a value, or a field of kind integer");
                }
                None => {
                    let fields = self.symbols.fields.iter().map(|(id, _, _)| &**id);
                    let known: Vec<&str> = self.symbols.values.iter().map(|(id, _)| &**id).chain(fields).collect();
                    let message = format!("unknown value or field `{}`", shorten(&word));
                    self.problems.error("unknown-name", span, message, suggest(&word, known));
                }
            }
        }
        amounts
    }

    /// Values after those that their formulas name. A circle is broken anywhere: the dependency order reports it.
    fn type_order(&self, declarations: &[Declaration<'_, '_>]) -> Vec<usize> {
        let mut needs: Vec<Vec<usize>> = declarations
            .iter()
            .map(|(_, reader)| match reader.table.text("formula") {
                Some(text) => {
                    let place = |word: &&str| match self.symbols.index.get(*word) {
                        Some(Symbol::Value(n)) => Some(*n),
                        _ => None,
                    };
                    let mut needs: Vec<_> = identifiers_in(text).iter().filter_map(place).collect();
                    needs.sort_unstable();
                    needs.dedup();
                    needs
                }
                None => Vec::new(),
            })
            .collect();
        let mut order = Vec::new();
        let mut begun = vec![false; declarations.len()];
        for start in 0..declarations.len() {
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

    pub(super) fn compile_system_attributes(&self, declarations: &[Declaration<'_, '_>], systems: &mut [SystemDef]) {
        for (n, ((_, reader), system)) in declarations.iter().zip(systems).enumerate() {
            let marked = self.marks_of(reader.table, &reader.label);
            self.restrict_marks(&marked, Some(n), None);
            let context = ScopeContext { it: ItKind::SystemBeingComputed(n), ..ScopeContext::default() };
            let mut known = Vec::new();
            for (attribute, rule) in self.symbols.attributes.iter().zip(&mut system.attributes) {
                let Some(default) = &attribute.default else { continue };
                known.push(&*attribute.id);
                let marks = marked
                    .iter()
                    .filter(|(key, _)| key.as_deref() == Some(&*attribute.id))
                    .map(|(_, mark)| *mark)
                    .collect();
                let Some(node) = reader.table.get(&attribute.id) else {
                    *rule = AttributeRule::Constant(default.clone(), reader.span(), Vec::new());
                    continue;
                };
                let what = format!("{}: `{}`", reader.label, attribute.id);
                *rule = match (&node.data, &attribute.ty) {
                    (TomlValue::Text(text), Type::Text(words)) => match self.compile_text(text, node.span, &context) {
                        Some(text) => match text.is_literal().map(|literal| Value::Text(literal.into())) {
                            Some(word) if matches_type(&word, &attribute.ty) => {
                                AttributeRule::Constant(word, node.span, marks)
                            }
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
                                    format!("{what} cannot be `{}`", shorten(&text.source)),
                                    help,
                                );
                                continue;
                            }
                            None => AttributeRule::Text(text, node.span, marks),
                        },
                        None => continue,
                    },
                    (TomlValue::Text(_), ty) => match self.compile_node(&what, node, &context, ty) {
                        Some(formula) => AttributeRule::Formula(formula, node.span, marks),
                        None => continue,
                    },
                    (_, ty) => match self.literal_value(&what, node) {
                        Some(value) if matches_type(&value, ty) => AttributeRule::Constant(value, node.span, marks),
                        Some(_) => {
                            self.report_wrong_type(&what, node, ty);
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
            // No key of a system is a number but what `[attributes]` declares.
            let declare = |entry: &TomlEntry<'_>| {
                let number = matches!(entry.node.data, TomlValue::Int(_));
                number.then(|| suggest(&entry.key, known.iter().copied())).map(|near| match &*near {
                    "" => format!("declare it for all systems: add {} = 0 to [attributes]", entry.key),
                    _ => near,
                })
            };
            reader.report_unknown_keys_with(&known, &declare);
        }
    }

    /// Conditions and marks of fields and settings.
    pub(super) fn compile_field_rules(
        &self,
        settings: &[Declaration<'_, '_>],
        fields: &[Declaration<'_, '_>],
        ruleset: &mut Ruleset,
    ) {
        for ((_, reader), setting) in settings.iter().zip(&mut ruleset.settings) {
            setting.marks = self.marks(reader);
            reader.report_unknown_keys();
        }
        for (n, ((_, reader), field)) in fields.iter().zip(&mut ruleset.fields).enumerate() {
            field.shown_when = self.compile_formula(reader, "shown_when", &ScopeContext::default(), &Type::Flag);
            field.marks = self.marks(reader);
            if let (FieldKind::Choice(choice), Some(options)) = (&mut field.kind, reader.table.table("options")) {
                let places: BTreeMap<Arc<str>, usize> =
                    choice.options.iter().enumerate().map(|(n, option)| (option.id.clone(), n)).collect();
                for TomlEntry { key, node, .. } in &options.entries {
                    let place = places.get(key.as_ref()).copied();
                    if let (Some(place), TomlValue::Table(table)) = (place, &node.data) {
                        let marked = self.marks_of(table, &format!("{} {key}", field.id));
                        self.restrict_marks(&marked, None, Some((n, place)));
                        choice.options[place].marks = marked;
                    }
                }
            }
            reader.report_unknown_keys();
        }
    }

    pub(super) fn compile_relations(&self, declarations: &[Declaration<'_, '_>]) -> Vec<RelationDef> {
        let relation = |(id, reader): &Declaration<'_, '_>| {
            let context = ScopeContext::default();
            let kind = reader.one_of("kind", &RelationKind::ALL).unwrap_or_default();
            let carries = kind == RelationKind::Carry;
            let alike = if carries { Vec::new() } else { self.named_formulas(reader, "alike", &context) };
            let relation = RelationDef {
                kind,
                id: id.clone(),
                label: reader.string("label").unwrap_or_else(|| label_from_id(id)),
                from: self.compile_formula(reader, "from", &context, &Type::Flag),
                // Keys of the other kind are unknown, so that nobody relies on a key without effect.
                to: carries.then(|| self.compile_formula(reader, "to", &context, &Type::Flag)).flatten(),
                limit: self.compile_formula(reader, "limit", &context, &Type::Int),
                least: if carries { None } else { self.compile_formula(reader, "least", &context, &Type::Int) },
                alike,
                span: reader.span(),
            };
            let _ = reader.string("rule");
            reader.report_unknown_keys();
            relation
        };
        declarations.iter().map(relation).collect()
    }

    pub(super) fn compile_costs(&self, declarations: &[Declaration<'_, '_>]) -> Vec<CostDef> {
        let mut costs = Vec::new();
        for (_, reader) in declarations {
            let _ = reader.string("id");
            let (for_each, context) = self.parse_for_each(reader);
            let when = self.compile_formula(reader, "when", &context, &Type::Flag);
            let label = reader.required("label", self.compile_text_key(reader, "label", &context));
            let count = self.compile_formula(reader, "count", &context, &Type::Int);
            let each = reader.required("each", self.compile_formula(reader, "each", &context, &Type::Int));
            let marks = self.marks(reader);
            let (rule, own_marks) = (reader.string("rule"), marks.len());
            let _ = (reader.node("after"), reader.texts("formerly"));
            reader.report_unknown_keys();
            if let (Some(label), Some(each)) = (label, each) {
                costs.push(CostDef { for_each, when, label, count, each, rule, marks, direct_marks: own_marks });
            }
        }
        costs
    }

    pub(super) fn compile_checks(&self, declarations: &[Declaration<'_, '_>]) -> Vec<CheckDef> {
        let mut checks = Vec::new();
        for (code, reader) in declarations.iter().filter(|(_, reader)| !is_over_fleet(reader)) {
            let _ = reader.one_of("over", &CheckScope::ALL);
            let (for_each, context) = self.parse_for_each(reader);
            let parts = CheckParts {
                when: self.compile_formula(reader, "when", &context, &Type::Flag),
                fails_when: self.compile_formula(reader, "fails_when", &context, &Type::Flag),
                message: self.compile_text_key(reader, "message", &context),
                help: self.compile_text_key(reader, "help", &context),
            };
            let at = self.parse_target(reader);
            let fix = reader
                .table("fix")
                .map(|table| reader.nested(table, "`fix`"))
                .and_then(|fix| self.compile_fix(&fix, for_each.as_ref(), &context));
            let scope = |condition: &Formula| (self.named_reads(condition), OverShip { for_each, at, fix });
            checks.extend(self.check(code, reader, parts, scope));
        }
        checks
    }

    /// A check; `None` where it lacks something, which is reported. `scope` gives what its condition reads, and what its scope has of its own.
    pub(super) fn check<S>(
        &self,
        code: &Arc<str>,
        reader: &TableReader<'_, '_>,
        parts: CheckParts,
        scope: impl FnOnce(&Formula) -> (Vec<(Arc<str>, ConditionRead)>, S),
    ) -> Option<CheckDef<S>> {
        let CheckParts { when, fails_when, message, help } = parts;
        let severity = reader.required("severity", reader.one_of("severity", &SEVERITIES));
        let fails_when = reader.required("fails_when", fails_when);
        let message = reader.required("message", message);
        let (rule, reason, marks) = (reader.string("rule"), reader.string("reason"), self.marks(reader));
        reader.report_unknown_keys();
        let (severity, fails_when, message) = (severity?, fails_when?, message?);
        let (house_note, by_house) = self.house_note(reader, severity, reason.as_ref());
        let (condition_reads, scope) = scope(&fails_when);
        let (code, span) = (code.clone(), reader.span());
        Some(CheckDef {
            code,
            severity,
            when,
            fails_when,
            message,
            help,
            rule,
            reason,
            house_note,
            by_house,
            condition_reads,
            marks,
            span,
            scope,
        })
    }

    /// How a layer changed a check's severity, and whether it was house rules that did.
    fn house_note(
        &self,
        reader: &TableReader<'_, '_>,
        severity: Option<Severity>,
        reason: Option<&Arc<str>>,
    ) -> (Option<Arc<str>>, bool) {
        let node = reader.table.get("severity");
        let before = node.and_then(|node| layers::previous_text(self.sources, &self.statements, node.span));
        let Some(before) = before else { return (None, false) };
        let file = node.map_or(0, |node| node.span.file);
        let by_house = !self.layers.get(usize::from(file)).is_some_and(|layer| layer.supplement);
        let whose = if by_house { "house" } else { "supplement" };
        let now = severity.map_or("off", Severity::as_str);
        let why = reason.map(|reason| format!(", {reason}")).unwrap_or_default();
        (Some(format!("{whose}: {now}, the base has {before}{why}").into()), by_house)
    }

    /// Everything that a condition reads, with players' names.
    fn named_reads(&self, formula: &Formula) -> Vec<(Arc<str>, ConditionRead)> {
        let symbols = &self.symbols;
        let mut reads: Vec<(Arc<str>, ConditionRead)> = Vec::new();
        for slot in formula.reads() {
            let name = match Symbol::from_slot(slot) {
                Symbol::Field(n) => symbols.fields[n].0.clone(),
                Symbol::Setting(n) => symbols.settings[n].0.clone(),
                Symbol::Value(n) => symbols.values[n].0.clone(),
                Symbol::Relation(n) => symbols.relations[n].clone(),
                Symbol::Attribute(n) | Symbol::Whole(n) => symbols.attributes[n].id.clone(),
                Symbol::It(crate::ruleset::ItWord::Count) => "count".into(),
                Symbol::It(crate::ruleset::ItWord::Mount) => "mount".into(),
                _ => continue,
            };
            if !reads.iter().any(|(known, _)| *known == name) {
                reads.push((name, ConditionRead::Slot(slot)));
            }
        }
        for number in formula.calls() {
            let Some(call) = symbols.calls.get(number) else { continue };
            let mut parts = Vec::new();
            let mut is_complete = true;
            let function = match call.kind {
                CallKind::Count => "count",
                CallKind::Total(attribute) => {
                    parts.push(format!("'{}'", symbols.attributes[attribute].id));
                    "total"
                }
                _ => continue,
            };
            let names: [(&FitFilter, &str, &dyn Fn(usize) -> Arc<str>); 3] = [
                (&call.system, "", &|n| symbols.systems[n].id.clone()),
                (&call.mount, "mount=", &|n| symbols.mounts[n].0.clone()),
                (&call.tag, "tag=", &|n| symbols.tags[n].clone()),
            ];
            for (filter, word, name) in names {
                match filter {
                    FitFilter::Any => {}
                    FitFilter::Only(only) if only.len() == 1 => {
                        parts.push(format!("{word}'{}'", name(only[0] as usize)))
                    }
                    FitFilter::Exactly(only) if only.len() == 1 => {
                        parts.push(format!("{word}'{EXACT}{}'", name(only[0] as usize)))
                    }
                    _ => is_complete = false,
                }
            }
            if is_complete {
                reads.push((format!("{function}({})", parts.join(", ")).into(), ConditionRead::Call(number)));
            }
        }
        reads
    }
}
