//! Compiles the steps of an attack: takes their tables, gives them in order with routines put in, and the names they set.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::formula::{Formula, FormulaErrorKind, Scope, Slot, Type};
use moldloft_base::source::Span;
use moldloft_base::source::toml::{TomlEntry, TomlNode, TomlTable, TomlValue};

use super::attack_context::AttackContext;
use crate::ruleset::attack_model::{Assignment, MAX_ASSIGNMENTS, MAX_BLOCKS, MAX_REGISTERS, MAX_STEPS, Step, Variable};
use crate::ruleset::attack_scope::ScopedName;
use crate::ruleset::grammar::{is_provenance_key, section};
use crate::ruleset::problems::{shorten, suggest};
use crate::ruleset::table_reader::TableReader;

type RoutineReaders<'r, 't, 'p> = BTreeMap<&'r str, &'r TableReader<'t, 'p>>;

pub(super) struct StepCompiler<'s, 'a, 'c, 't, 'p> {
    context: &'s AttackContext<'a, 'c>,
    own: &'s dyn Scope,
    routines: &'s RoutineReaders<'s, 't, 'p>,
    /// Those known here: situations, gauges, names set.
    names: Vec<ScopedName>,
    /// Names set on some way to here, but not on every one; with the slot of the firing ship's name, if it has one.
    unset: BTreeMap<String, Option<Slot>>,
    /// All names that the attack sets.
    pub registers: Vec<Arc<str>>,
    /// Of steps and routines.
    pub marks: Vec<u32>,
    /// The routines being put in.
    using: Vec<Arc<str>>,
    /// Routines whose own marks are among `marks`.
    marked: Vec<Arc<str>>,
    step_ids: BTreeMap<Arc<str>, Span>,
    steps_left: usize,
    depth: usize,
}

impl<'s, 'a, 'c, 't, 'p> StepCompiler<'s, 'a, 'c, 't, 'p> {
    pub(super) fn new(
        context: &'s AttackContext<'a, 'c>,
        own: &'s dyn Scope,
        routines: &'s RoutineReaders<'s, 't, 'p>,
    ) -> Self {
        Self {
            context,
            own,
            routines,
            names: context.names.clone(),
            unset: BTreeMap::new(),
            registers: Vec::new(),
            marks: Vec::new(),
            using: Vec::new(),
            marked: Vec::new(),
            step_ids: BTreeMap::new(),
            steps_left: MAX_STEPS,
            depth: 0,
        }
    }

    /// The steps of a list, in order.
    pub(super) fn compile_all(&mut self, reader: &TableReader<'_, '_>, nodes: &[TomlNode<'_>]) -> Vec<Step> {
        let mut steps = Vec::new();
        for (n, node) in nodes.iter().enumerate() {
            let TomlValue::Table(table) = &node.data else {
                reader.error("wrong-type", node.span, "expected a table for a step", "");
                continue;
            };
            let Some(left) = self.steps_left.checked_sub(1) else {
                let message = format!("more than {MAX_STEPS} steps, with those of routines");
                reader.error("too-large", node.span, message, "");
                return steps;
            };
            self.steps_left = left;
            let step = reader.nested(table, &format!("step {}", n + 1));
            self.check_step_id(&step);
            match step.text("use") {
                Some((routine, span)) => steps.append(&mut self.put_in(&step, &routine, span)),
                None => steps.push(self.compile_step(&step)),
            }
        }
        steps
    }

    fn check_step_id(&mut self, step: &TableReader<'_, '_>) {
        let Some((id, span)) = step.text("id") else { return };
        if self.context.compiler.check_id(&id, span, true)
            && self.step_ids.insert(id.clone(), span).is_some_and(|known| known != span)
        {
            step.error("duplicate-id", span, format!("duplicate step `{id}`"), "rename one of them");
        }
    }

    /// The steps of a routine.
    fn put_in(&mut self, step: &TableReader<'_, '_>, id: &Arc<str>, span: Span) -> Vec<Step> {
        for TomlEntry { key, span, .. } in &step.table.entries {
            if !["use", "id"].contains(&key.as_ref()) && !is_provenance_key(key) {
                let help = "use `when` and `repeat` on a step whose `each` has the step with `use`";
                step.error("unknown-key", *span, format!("`{}` beside `use`", shorten(key)), help);
            }
        }
        let Some(reader) = self.routines.get(&**id).copied() else {
            let help = suggest(id, self.routines.keys().copied());
            step.error("unknown-routine", span, format!("unknown routine `{}`", shorten(id)), help);
            return Vec::new();
        };
        if self.using.contains(id) {
            let message = format!("routine `{id}` uses itself");
            step.error("routine-circle", span, message, "use `repeat` to do steps several times");
            return Vec::new();
        }
        if self.using.len() >= MAX_BLOCKS {
            let message = format!("more than {MAX_BLOCKS} routines that use one another");
            step.error("too-large", span, message, "");
            return Vec::new();
        }
        if !self.marked.contains(id) {
            self.marked.push(id.clone());
            self.marks.append(&mut self.context.compiler.marks(reader));
        }
        let Some(TomlValue::List(nodes)) = reader.table.get("step").map(|node| &node.data) else { return Vec::new() };
        self.using.push(id.clone());
        let steps = self.compile_all(reader, nodes);
        self.using.pop();
        steps
    }

    fn compile_step(&mut self, step: &TableReader<'_, '_>) -> Step {
        let when = self.compile_key(step, "when", &Type::Flag);
        let repeat = self.compile_key(step, "repeat", &Type::Int);
        let (assignments, mut new) = self.compile_assignments(step);
        self.marks.append(&mut self.context.compiler.marks(step));
        let before = self.names.len();
        self.unset.retain(|name, _| !new.iter().any(|new| new.name == *name));
        self.names.append(&mut new);
        let each = match step.list("each") {
            None => Vec::new(),
            Some(_) if self.depth >= MAX_BLOCKS => {
                let message = format!("more than {MAX_BLOCKS} blocks within each other, with those of routines");
                step.error("too-large", step.span(), message, "");
                Vec::new()
            }
            Some(nodes) => {
                let inside = self.names.len();
                self.depth += 1;
                let each = self.compile_all(step, nodes);
                self.depth -= 1;
                self.forget(inside);
                each
            }
        };
        if when.is_some() {
            self.forget(before);
        }
        Step { label: step.string("label"), when, assignments, repeat, each, at: step.span() }
    }

    /// Names after the first `known` may be unset from here on.
    fn forget(&mut self, known: usize) {
        for name in self.names.split_off(known) {
            let own = self.own.resolve(&[&name.name]).ok();
            self.unset.insert(name.name, own.map(|own| own.slot));
        }
    }

    fn compile_key(&self, step: &TableReader<'_, '_>, key: &'static str, expected: &Type) -> Option<Formula> {
        self.compile(&format!("{}: `{key}`", step.label), step.node(key)?, expected)
    }

    /// The assignments, and the names that are new.
    fn compile_assignments(&mut self, step: &TableReader<'_, '_>) -> (Vec<Assignment>, Vec<ScopedName>) {
        let mut assignments = Vec::new();
        let mut new: Vec<ScopedName> = Vec::new();
        let gauges = ["left", "own"].map(|ship| (ship, step.table(ship)));
        let count: usize = gauges.iter().filter_map(|(_, table)| table.map(|table| table.entries.len())).sum();
        if count + step.table.entries.len() > MAX_ASSIGNMENTS {
            step.error("too-large", step.span(), format!("more than {MAX_ASSIGNMENTS} keys in a step"), "");
            return (assignments, new);
        }
        for (ship, table) in gauges {
            for entry in table.into_iter().flat_map(|table: &TomlTable<'_>| &table.entries) {
                let name = format!("{ship}.{}", entry.key);
                let Some(known) = self.names.iter().find(|known| known.name == name) else {
                    let gauges = self.names.iter().filter_map(|known| known.name.strip_prefix("left."));
                    let help = suggest(&entry.key, gauges.collect::<Vec<_>>().iter().copied());
                    let help = if help.is_empty() { "declare a [[gauge]] first".to_owned() } else { help };
                    step.error("unknown-gauge", entry.span, format!("unknown gauge `{}`", shorten(&entry.key)), help);
                    continue;
                };
                let (variable, ty) = (Variable::from_slot(known.slot), known.ty.clone());
                let formula = self.compile(&format!("{}: `{name}`", step.label), &entry.node, &ty);
                assignments.extend(variable.zip(formula).map(|(variable, formula)| Assignment { variable, formula }));
            }
        }
        let is_key = |key: &str| section("attack step").is_some_and(|step| step.key(key).is_some());
        for TomlEntry { key, span, node } in &step.table.entries {
            if is_key(key) || is_provenance_key(key) || !self.context.compiler.check_id(key, *span, false) {
                continue;
            }
            if ["it", "choice", "target", "group"].contains(&key.as_ref()) {
                step.error("bad-id", *span, format!("`{key}` is a reserved name"), "use another name");
                continue;
            }
            let known = self.names.iter().find(|known| *known.name == **key);
            let variable = match known.map(|known| Variable::from_slot(known.slot)) {
                Some(None) => {
                    let message = format!("`{key}` is a situation, steps cannot set it");
                    step.error("duplicate-id", *span, message, "use another name");
                    continue;
                }
                Some(Some(variable)) => Some(variable),
                None => None,
            };
            let expected = known.map_or(Type::Any, |known| widened(&known.ty));
            let formula = self.compile(&format!("{}: `{key}`", step.label), node, &expected);
            let variable = match variable {
                Some(variable) => variable,
                None => {
                    self.context.compiler.report_name_of_a_die("name", key, *span);
                    let Some(variable) = self.register(key) else {
                        let message = format!("more than {MAX_REGISTERS} names in one attack");
                        step.error("too-large", *span, message, "");
                        continue;
                    };
                    // Without a formula the name is known all the same, so that its readers have no error of their own.
                    let ty = formula.as_ref().map_or(Type::Any, |formula| formula.ty.clone());
                    new.push(ScopedName { name: key.to_string(), slot: variable.slot(), ty });
                    variable
                }
            };
            assignments.extend(formula.map(|formula| Assignment { variable, formula }));
        }
        (assignments, new)
    }

    fn register(&mut self, name: &str) -> Option<Variable> {
        let number = self.registers.iter().position(|known| **known == *name).unwrap_or_else(|| {
            self.registers.push(name.into());
            self.registers.len() - 1
        });
        u16::try_from(number).ok().filter(|_| number < MAX_REGISTERS).map(Variable::Register)
    }

    /// As [`AttackContext::compile`], for the names known here; reading a name that may be unset is an error.
    fn compile(&self, what: &str, node: &TomlNode<'_>, expected: &Type) -> Option<Formula> {
        let problems = self.context.compiler.problems;
        let unset = |name: &str, span: Span| {
            let message = format!("{what}: `{}` may be unset here", shorten(name));
            let help = "set it in an earlier step without `when`, outside `each`";
            problems.error("unset-name", span, message, help);
        };
        match self.context.try_compile(what, node, self.own, &self.names, expected)? {
            Ok(formula) => {
                let shadowed = |own: &Option<Slot>| own.is_some_and(|own| formula.reads().any(|slot| slot == own));
                if let Some((name, _)) = self.unset.iter().find(|(_, own)| shadowed(own)) {
                    unset(name, node.span);
                }
                Some(formula)
            }
            Err(error) => {
                let word = self.context.compiler.source_at(error.span);
                match self.unset.contains_key(word) {
                    true if error.kind == Some(FormulaErrorKind::UnknownName) => unset(word, error.span),
                    _ => problems.add_formula_error(error),
                }
                None
            }
        }
    }
}

/// The type that further formulas for a name must have: its first formula's, with any words or items.
fn widened(ty: &Type) -> Type {
    match ty {
        Type::Text(_) => Type::TEXT,
        Type::List(_) => Type::list_of(Type::Any),
        Type::Record(_) => Type::Any,
        ty => ty.clone(),
    }
}
