//! Compiles how a ruleset resolves attacks: takes the tables of situations, gauges, routines, attacks and outcomes, gives
//! them with all formulas compiled.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::formula::{Formula, Type, Value};
use moldloft_base::finding::Finding;
use moldloft_base::source::Span;
use moldloft_base::source::toml::{TomlNode, TomlTable, TomlValue};

use super::attack_context::{AttackContext, SheetScope};
use super::attack_steps::StepCompiler;
use super::declarations::Declaration;
use super::{Compiler, label_from_id};
use crate::ruleset::attack_model::*;
use crate::ruleset::attack_scope::ScopedName;
use crate::ruleset::grammar::{SITUATION_KINDS, ValueKind, section};
use crate::ruleset::limits::MAX_NUMBER;
use crate::ruleset::model::ChoiceDef;
use crate::ruleset::outputs::TrackDef;
use crate::ruleset::problems::{shorten, suggest};
use crate::ruleset::selector::Selector;
use crate::ruleset::symbol_table::ScopeContext;
use crate::ruleset::symbols::{Absent, Symbol};
use crate::ruleset::table_reader::TableReader;

impl<'c> Compiler<'c> {
    /// Removes what only odds are made of.
    pub(super) fn leave_out_attacks(root: &mut TomlTable<'_>) {
        root.entries.retain(|entry| section(&entry.key).is_none_or(|section| !section.is_for_odds));
    }

    /// `tracks` are those of the ruleset.
    pub(super) fn compile_attacks<'t>(
        &self,
        root: &'t TomlTable<'t>,
        situations: &[Declaration<'_, '_>],
        tracks: &[TrackDef],
    ) -> AttackRules
    where
        'c: 't,
    {
        let ship = ScopeContext::default();
        let mut context = AttackContext {
            compiler: self,
            tracks,
            target: SheetScope::new(&self.symbols, &ship, tracks),
            names: Vec::new(),
            printed: Cell::default(),
            text_left: Cell::new(MAX_ATTACK_TEXT),
        };
        let gauges = self.declarations(root, "gauge");
        let routines = self.declarations(root, "routine");
        let attacks = self.declarations(root, "attack");
        let outcomes = self.declarations(root, "outcome");
        let situations = self.limit_count(situations, "situation", MAX_SITUATIONS);
        let gauges = self.limit_count(&gauges, "gauge", MAX_GAUGES);
        let routines = self.limit_count(&routines, "routine", MAX_ATTACKS);
        let attacks = self.limit_count(&attacks, "attack", MAX_ATTACKS);
        let outcomes = self.limit_count(&outcomes, "outcome", MAX_OUTCOME_RULES);
        let mut rules = AttackRules::default();
        for (number, (id, reader)) in (0..).zip(situations) {
            let situation = self.parse_situation(id, reader, rules.situations.iter().any(|rule| rule.axis));
            let ty = match &situation.kind {
                SituationKind::Integer { .. } => Type::Int,
                SituationKind::Flag => Type::Flag,
                SituationKind::Choice(options) => {
                    let removed = self.symbols.removed.within("option", id);
                    Type::one_of(options.iter().map(|(id, _)| id).chain(removed).map(|id| &**id))
                }
            };
            context.names.push(ScopedName { name: id.to_string(), slot: situation_slot(number), ty });
            rules.situations.push(situation);
        }
        let mut left_names = Vec::new();
        for (number, (id, reader)) in (0..).zip(gauges) {
            let gauge = self.parse_gauge(id, reader, &context);
            let ty = match &gauge.size {
                GaugeSize::Boxes(boxes) => boxes.ty.clone(),
                GaugeSize::Most(_) => Type::Int,
            };
            let name = |ship: &str, variable: Variable| ScopedName {
                name: format!("{ship}.{id}"),
                slot: variable.slot(),
                ty: ty.clone(),
            };
            left_names.push(name("left", Variable::Left(number)));
            context.names.push(name("left", Variable::Left(number)));
            context.names.push(name("own", Variable::Own(number)));
            rules.gauges.push(gauge);
        }
        for ((_, reader), gauge) in gauges.iter().zip(&mut rules.gauges) {
            let what = format!("{}: `at_turn`", reader.label);
            let own = SheetScope::new(&self.symbols, &ship, tracks);
            gauge.at_turn =
                reader.node("at_turn").and_then(|node| context.compile(&what, node, &own, &left_names, &Type::Any));
            reader.report_unknown_keys();
        }
        let by_id: BTreeMap<&str, &TableReader<'_, '_>> = routines.iter().map(|(id, reader)| (&**id, reader)).collect();
        for (_, reader) in routines {
            let _ = (reader.required("step", reader.list("step")), reader.string("rule"));
            reader.report_unknown_keys();
        }
        for (id, reader) in attacks {
            let attack = self.compile_attack(id, reader, &by_id, &context);
            rules.attacks.push(attack);
        }
        self.leave_to_closer_attacks(attacks, &mut rules.attacks);
        for (id, reader) in outcomes {
            let own = SheetScope::new(&self.symbols, &ship, tracks);
            let node = reader.required("formula", reader.node("formula"));
            let what = format!("{}: `formula`", reader.label);
            let formula = node.and_then(|node| context.compile(&what, node, &own, &context.names, &Type::Any));
            rules.outcomes.push(Outcome {
                id: id.clone(),
                label: reader.string("label").unwrap_or_else(|| label_from_id(id)),
                formula: formula.unwrap_or_else(|| Formula::constant(Value::Null, reader.span())),
                marks: self.marks(reader),
                at: reader.span(),
            });
            let _ = reader.string("rule");
            reader.report_unknown_keys();
        }
        if !rules.attacks.is_empty() || !rules.outcomes.is_empty() {
            self.report_names_of_dice(root);
        }
        rules.printed = context.printed.take().into_iter().collect();
        rules
    }

    /// A system that has an attack of its own is not fired by that of what it is like. Tags name all that have them.
    fn leave_to_closer_attacks(&self, declarations: &[Declaration<'_, '_>], attacks: &mut [Attack]) {
        let named: Vec<Vec<usize>> = declarations
            .iter()
            .map(|(_, reader)| {
                let text =
                    reader.table.get("for_each").and_then(TomlNode::as_text).unwrap_or_default().replace(':', " ");
                text.split_whitespace().skip(1).filter_map(|word| self.symbols.system_index(word)).collect()
            })
            .collect();
        let steps = |system: usize, attack: usize| {
            self.symbols.systems[system].kinds.iter().position(|kind| named[attack].contains(kind))
        };
        let all = 0..attacks.len();
        for (n, attack) in attacks.iter_mut().enumerate() {
            let Some(Selector::Fit(Some(systems)) | Selector::System(Some(systems))) = &mut attack.for_each else {
                continue;
            };
            systems.retain(|system| match steps(*system, n) {
                None | Some(0) => true,
                Some(own) => all.clone().all(|other| steps(*system, other).is_none_or(|steps| steps >= own)),
            });
        }
    }

    /// Those within the limit; more are an error.
    pub(super) fn limit_count<'d, 't, 'p>(
        &self,
        declarations: &'d [Declaration<'t, 'p>],
        section: &str,
        most: usize,
    ) -> &'d [Declaration<'t, 'p>] {
        if let Some((_, reader)) = declarations.get(most) {
            let message = format!("{} [[{section}]], at most {most} are allowed", declarations.len());
            self.problems.error("too-large", reader.span(), message, "");
        }
        &declarations[..declarations.len().min(most)]
    }

    fn parse_situation(&self, id: &Arc<str>, reader: &TableReader<'_, '_>, has_axis: bool) -> Situation {
        if ["left", "own", "target"].contains(&&**id) {
            let span = reader.table.get("id").map_or(reader.span(), |node| node.span);
            reader.error("bad-id", span, format!("`{id}` is a reserved name"), "use another name");
        }
        let kind = reader.required("kind", reader.one_of("kind", &SITUATION_KINDS)).unwrap_or(ValueKind::Flag);
        let mut bounds = (None, None);
        let (kind, lowest) = match kind {
            ValueKind::Integer => {
                bounds = reader.bounds();
                let min = bounds.0.unwrap_or(0);
                let max = bounds.1.unwrap_or(MAX_NUMBER as i64).max(min);
                (SituationKind::Integer { min, max }, Value::Int(min))
            }
            ValueKind::Choice => {
                let choice = reader.required("options", self.parse_choice(reader)).unwrap_or_default();
                let first = choice.options.first().map(|option| Value::Text(option.id.clone()));
                (options_of(&choice), first.unwrap_or_else(|| Value::text("")))
            }
            _ => (SituationKind::Flag, Value::Flag(false)),
        };
        let default = self.parse_situation_default(reader, &kind, bounds).unwrap_or(lowest);
        let axis = reader.flag("axis").unwrap_or(false);
        if let Some(node) = reader.table.get("axis").filter(|_| axis) {
            if has_axis {
                let help = "keep it on one situation";
                reader.error("duplicate-id", node.span, "another situation is the axis already", help);
            } else if !matches!(kind, SituationKind::Integer { .. }) {
                let help = "use it on a situation of kind integer";
                reader.error("wrong-type", node.span, "only an integer can be the axis", help);
            }
        }
        let situation = Situation {
            id: id.clone(),
            label: reader.string("label").unwrap_or_else(|| label_from_id(id)),
            kind,
            default,
            unit: reader.string("unit").unwrap_or_default(),
            help: reader.string("help").unwrap_or_default(),
            axis,
            marks: self.marks(reader),
            at: reader.span(),
        };
        reader.report_unknown_keys();
        situation
    }

    fn parse_situation_default(
        &self,
        reader: &TableReader<'_, '_>,
        kind: &SituationKind,
        bounds: (Option<i64>, Option<i64>),
    ) -> Option<Value> {
        let span = reader.table.get("default")?.span;
        match kind {
            SituationKind::Integer { .. } => {
                reader.check_default(bounds, false);
                reader.int("default").map(Value::Int)
            }
            SituationKind::Flag => reader.flag("default").map(Value::Flag),
            SituationKind::Choice(options) => {
                let word = reader.string("default")?;
                if self.symbols.removed.within("option", reader.declaration()?).any(|option| *option == word) {
                    return None;
                }
                if !options.iter().any(|(id, _)| *id == word) {
                    let help = suggest(&word, options.iter().map(|(id, _)| &**id));
                    reader.error("unknown-option", span, format!("`default` cannot be `{}`", shorten(&word)), help);
                }
                Some(Value::Text(word))
            }
        }
    }

    /// Without `at_turn`, which reads all gauges.
    fn parse_gauge(&self, id: &Arc<str>, reader: &TableReader<'_, '_>, context: &AttackContext<'_, '_>) -> Gauge {
        let boxes = reader.node("boxes").and_then(|node| {
            let what = format_args!("{}: `boxes`", reader.label);
            let compiled = self.compile_in_scope(&what, node, &context.target, &Type::Any)?;
            let formula = compiled.map_err(|error| self.problems.add_formula_error(error)).ok()?;
            context.note_printed(&formula);
            let fits = match &formula.ty {
                Type::Int | Type::Any => true,
                Type::List(item) => matches!(**item, Type::Int | Type::Any),
                _ => false,
            };
            if !fits {
                let message = format!("expected a number or a list of numbers, found {}", formula.ty.describe());
                reader.error("wrong-type", node.span, message, "");
            }
            Some(formula)
        });
        let most = reader.int("most");
        let (has_boxes, most_node) = (reader.table.get("boxes").is_some(), reader.table.get("most"));
        match most_node {
            Some(node) if has_boxes => {
                reader.error("unknown-key", node.span, "it has `boxes` and `most`", "remove one of them");
            }
            None if !has_boxes => {
                let help = "add `boxes = …` for what falls to 0, or `most = …` for what rises from 0";
                reader.missing(&["boxes", "most"], reader.span(), "missing `boxes` or `most`", help);
            }
            Some(node) if most.is_some_and(|most| most < 1) => {
                reader.error("wrong-bounds", node.span, "`most` is less than 1", "");
            }
            _ => {}
        }
        let boxes = boxes.filter(|_| most_node.is_none() || has_boxes);
        // What has gone entirely ends no ship.
        let is_gone = boxes.as_ref().is_some_and(|boxes| {
            boxes.reads().any(|slot| slot == Symbol::Absent(Absent::NoItems).slot())
                && !boxes.reads().any(|slot| PrintedRows::from_slot(slot).is_some())
        });
        let ends = reader.flag("ends").unwrap_or(false) && !is_gone;
        let _ = reader.string("rule");
        Gauge {
            id: id.clone(),
            label: reader.string("label").unwrap_or_else(|| label_from_id(id)),
            size: boxes.map_or(GaugeSize::Most(most.unwrap_or(1)), GaugeSize::Boxes),
            ends,
            at_turn: None,
            marks: self.marks(reader),
            at: reader.span(),
        }
    }

    fn compile_attack(
        &self,
        id: &Arc<str>,
        reader: &TableReader<'_, '_>,
        routines: &BTreeMap<&str, &TableReader<'_, '_>>,
        context: &AttackContext<'_, '_>,
    ) -> Attack {
        let (for_each, it) = self.parse_for_each(reader);
        let own = SheetScope::new(&self.symbols, &it, context.tracks);
        let what = format!("{}: `when`", reader.label);
        let when = reader.node("when").and_then(|node| context.compile(&what, node, &own, &context.names, &Type::Flag));
        let is_situation = |name: &&ScopedName| situation_of(name.slot).is_some();
        let situations: Vec<ScopedName> = context.names.iter().filter(is_situation).cloned().collect();
        let pace = |key: &'static str| {
            let what = format!("{}: `{key}`", reader.label);
            let pace = context.compile(&what, reader.node(key)?, &own, &situations, &Type::Int)?;
            if pace.as_constant().is_some_and(|number| matches!(number, Value::Int(..1))) {
                reader.error("wrong-bounds", pace.at, format!("`{key}` is less than 1"), "");
            }
            Some(pace)
        };
        let (every, uses) = (pace("every"), pace("uses"));
        let label = self.compile_label(reader, id, &it);
        let mut steps = StepCompiler::new(context, &own, routines);
        let compiled = match reader.required("step", reader.list("step")) {
            Some(nodes) => steps.compile_all(reader, nodes),
            None => Vec::new(),
        };
        let mut marks = self.marks(reader);
        marks.append(&mut steps.marks);
        let attack = Attack {
            id: id.clone(),
            label,
            for_each,
            when,
            order: reader.int("order").unwrap_or(1),
            every,
            uses,
            leaves_out: context.compile_text(reader, "leaves_out", &own),
            leaves_out_later: context.compile_text(reader, "leaves_out_later", &own),
            registers: steps.registers,
            steps: compiled,
            marks,
            at: reader.span(),
        };
        let _ = reader.string("rule");
        reader.report_unknown_keys();
        attack
    }

    /// Warns about names that attacks cannot tell from a die.
    fn report_names_of_dice(&self, root: &TomlTable<'_>) {
        for section in ["setting", "field", "value", "relation", "situation"] {
            let Some(TomlValue::List(list)) = root.get(section).map(|node| &node.data) else { continue };
            for node in list.iter().filter_map(TomlNode::as_table).filter_map(|table| table.get("id")) {
                self.report_name_of_a_die(section, node.as_text().unwrap_or_default(), node.span);
            }
        }
    }

    pub(super) fn report_name_of_a_die(&self, what: &str, id: &str, span: Span) {
        let is_die = |id: &str| {
            id.strip_prefix('d').is_some_and(|sides| !sides.is_empty() && sides.bytes().all(|b| b.is_ascii_digit()))
        };
        if is_die(id) {
            let message = format!("in attacks, `{}` is this {what} and not a die", shorten(id));
            let help = format!("rename it, or write 1{} for the die", shorten(id));
            self.problems.add(Finding::warning("name-of-a-die", message).help(help), span);
        }
    }
}

fn options_of(choice: &ChoiceDef) -> SituationKind {
    SituationKind::Choice(choice.options.iter().map(|option| (option.id.clone(), option.label.clone())).collect())
}
