//! Checks over a fleet: takes their tables, gives them compiled.

use std::sync::Arc;

use crate::formula::{Formula, Scope, TextTemplate, Type};
use moldloft_base::source::Span;

use super::Compiler;
use super::declarations::Declaration;
use super::rules::{CheckParts, is_over_fleet};
use crate::ruleset::fleet_model::{FleetCall, FleetSelector, OverFleet};
use crate::ruleset::fleet_scope::{FleetScope, fleet_call_of, unit_slot};
use crate::ruleset::grammar::CheckScope;
use crate::ruleset::model::{CheckDef, ConditionRead};
use crate::ruleset::problems::shorten;
use crate::ruleset::symbols::Symbol;
use crate::ruleset::table_reader::TableReader;

impl Compiler<'_> {
    pub(super) fn compile_fleet_checks(&self, declarations: &[Declaration<'_, '_>]) -> Vec<CheckDef<OverFleet>> {
        let fleets = declarations.iter().filter(|(_, reader)| is_over_fleet(reader));
        fleets.filter_map(|(code, reader)| self.compile_fleet_check(code, reader)).collect()
    }

    fn compile_fleet_check(&self, code: &Arc<str>, reader: &TableReader<'_, '_>) -> Option<CheckDef<OverFleet>> {
        let _ = reader.one_of("over", &CheckScope::ALL);
        let for_each = match reader.text("for_each") {
            Some((word, span)) => Some(self.fleet_selector(&word, span)?),
            None => None,
        };
        let scope = FleetScope::new(&self.symbols, for_each);
        let parts = CheckParts {
            when: self.fleet_condition(reader, "when", &scope),
            fails_when: self.fleet_condition(reader, "fails_when", &scope),
            message: self.fleet_text(reader, "message", &scope),
            help: self.fleet_text(reader, "help", &scope),
        };
        let at = reader.text("at").and_then(|(text, span)| {
            let at = Formula::compile(&text, self.inner_span(span), scope.unit_scope(), &Type::Flag);
            at.map_err(|error| self.problems.add_formula_error(error)).ok()
        });
        if let Some(node) = reader.node("fix") {
            let message = "a check over the fleet has no `fix`";
            reader.error("unknown-key", node.span, message, "remove it, and say in `help` what to do");
        }
        let calls = scope.into_calls();
        self.check(code, reader, parts, |condition| {
            (self.fleet_reads(condition, &calls), OverFleet { for_each, at, calls })
        })
    }

    fn fleet_selector(&self, word: &str, span: Span) -> Option<FleetSelector> {
        let found = FleetSelector::named(word);
        if found.is_none() {
            let message =
                format!("cannot repeat for each `{}` of a fleet: expected unit, class or group", shorten(word));
            let help = "use `when` to choose among them, such as when = \"it.hull == 'cruiser'\"";
            self.problems.error("unknown-name", span, message, help);
        }
        found
    }

    fn fleet_condition(
        &self,
        reader: &TableReader<'_, '_>,
        key: &'static str,
        scope: &FleetScope<'_>,
    ) -> Option<Formula> {
        let node = reader.node(key)?;
        self.compile_in_scope(&format_args!("{}: `{key}`", reader.label), node, scope, &Type::Flag)?
            .map_err(|error| self.problems.add_formula_error(error))
            .ok()
    }

    fn fleet_text(
        &self,
        reader: &TableReader<'_, '_>,
        key: &'static str,
        scope: &FleetScope<'_>,
    ) -> Option<TextTemplate> {
        let (text, span) = reader.text(key)?;
        let text = TextTemplate::compile(&text, self.inner_span(span), scope as &dyn Scope);
        text.map_err(|error| self.problems.add_formula_error(error)).ok()
    }

    /// What a condition reads, with players' names.
    fn fleet_reads(&self, formula: &Formula, calls: &[FleetCall]) -> Vec<(Arc<str>, ConditionRead)> {
        let symbols = &self.symbols;
        let own_name = |slot: u32| -> Option<Arc<str>> {
            Some(match Symbol::from_slot(slot) {
                Symbol::Field(n) => symbols.fields[n].0.clone(),
                Symbol::Setting(n) => symbols.settings[n].0.clone(),
                Symbol::Value(n) => symbols.values[n].0.clone(),
                Symbol::Relation(n) => symbols.relations[n].clone(),
                Symbol::It(_) => "it.count".into(),
                Symbol::Builtin(word) => word.word().into(),
                _ => return None,
            })
        };
        let mut reads: Vec<(Arc<str>, ConditionRead)> = Vec::new();
        for slot in formula.reads() {
            let name = match unit_slot(slot) {
                Some(own) => own_name(own).map(|name| format!("it.{name}").into()),
                None => own_name(slot),
            };
            reads.extend(name.map(|name| (name, ConditionRead::Slot(slot))));
        }
        let called = formula.calls().filter_map(|call| Some((call, calls.get(fleet_call_of(call)?)?)));
        reads.extend(called.map(|(call, of)| (of.text.clone(), ConditionRead::Call(call))));
        reads
    }
}
