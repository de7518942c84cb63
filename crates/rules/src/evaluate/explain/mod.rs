//! Explains results: takes an evaluation and the name of a value, an attribute, the costs or a code, gives the formula,
//! the formula with numbers, the result, the rule and the provenance, down to the leaves. Changes nothing.

mod cells;
mod code;
mod totals;
mod wording;

use std::sync::Arc;

use crate::formula::{Formula, Trace, Value};
use crate::ruleset::{AttributeRule, FieldKind, Ruleset, Symbol};
use moldloft_base::finding::Finding;
use moldloft_base::source::Span;

use super::checks::cost_selector;
use super::codes::CODES;
use super::evaluator::targets;
use super::state::{ItTarget, ShipState, StateView, display_value};
use super::work_budget::WorkBudget;
use super::{Evaluation, Provenance};
use wording::ShipWording;

/// Something to explain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExplainTarget {
    /// A value by its id.
    Value(Arc<str>),
    /// The budget of a value, by the value's id.
    Limit(Arc<str>),
    /// A field by its id.
    Field(Arc<str>),
    /// An attribute or parameter of a fit.
    Attribute {
        /// The fit's index in the file, from 0: [`FitResult::index`](super::FitResult::index).
        fit: u32,
        /// The id of the attribute or parameter.
        id: Arc<str>,
    },
    /// An index in `Evaluation::costs`.
    Cost(usize),
    /// All cost lines.
    Costs,
    /// The code of a check or of a finding.
    Code(Arc<str>),
    /// A setting by its id.
    Setting(Arc<str>),
    /// A cell of a table.
    Cell {
        /// The id of the table, or of a field with rows.
        table: Arc<str>,
        /// Among the rows that the ship has, from 0.
        row: u32,
        /// The id of the column.
        column: Arc<str>,
    },
}

impl ExplainTarget {
    /// What the name of a number on a sheet stands for: `structure`, `cost:3`, `cost:` for all, `movement:0:delay` for a
    /// cell. `None` for what the ship does not have.
    pub fn from_mark(evaluation: &Evaluation, name: &Arc<str>) -> Option<Self> {
        let parts: Vec<&str> = name.split(':').collect();
        match parts.as_slice() {
            [id] => {
                let is_value = evaluation.values.iter().any(|value| *value.id == **id);
                let is_field = || evaluation.fields.iter().any(|field| *field.id == **id);
                if is_value {
                    return Some(Self::Value(name.clone()));
                }
                is_field().then(|| Self::Field(name.clone()))
            }
            ["cost", ""] => Some(Self::Costs),
            ["cost", line] => line.parse().ok().filter(|line| *line < evaluation.costs.len()).map(Self::Cost),
            [table, row, column] => {
                let row: u32 = row.parse().ok()?;
                let known = evaluation.tables.iter().find(|known| *known.id == **table)?;
                let has_cell =
                    known.rows.len() > row as usize && known.columns.iter().any(|known| *known.id == **column);
                has_cell.then(|| Self::Cell { table: (*table).into(), row, column: (*column).into() })
            }
            _ => None,
        }
    }
}

/// One line of an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// The target for a further explanation; `None` when there is nothing more to explain.
    pub target: Option<ExplainTarget>,
    /// `structure`, `alpha node, forward ring: points`, `cost: alpha node`, or a code.
    pub name: Arc<str>,
    /// The depth below the target: 0 for the target itself, 1 for what it reads, and so on.
    pub depth: u32,
    /// The formula as written; for a code its condition.
    pub formula: String,
    /// How the result comes about, in words for players; empty if there are none for its formula.
    pub sentence: String,
    /// The formula with numbers in place of names; empty when it has none.
    pub numbers: String,
    /// `37`; `?` when not computable.
    pub result: String,
    /// `rulesets/wars-of-honor.toml:88`, after the rule's own name if it has one.
    pub rule: Arc<str>,
    /// Where the number comes from.
    pub provenance: Provenance,
    /// The reason for a provenance other than published; for a code its meaning and help.
    pub note: Option<Arc<str>>,
}

impl Explanation {
    /// A line of a published rule, with nothing more to explain.
    pub fn plain(
        depth: u32,
        name: impl Into<Arc<str>>,
        formula: impl Into<String>,
        result: String,
        rule: Arc<str>,
    ) -> Self {
        Self {
            target: None,
            name: name.into(),
            depth,
            formula: formula.into(),
            sentence: String::new(),
            numbers: String::new(),
            result,
            rule,
            provenance: Provenance::Published,
            note: None,
        }
    }
}

/// Explains a value, a field, a setting, an attribute (`missile-launcher.points`), `costs` or a code; without `what`
/// every value and cost line. Everything it reads follows, down to the leaves, each once. Empty for an unknown name
/// ([`codes`] and the values' ids are known).
pub fn explain(evaluation: &Evaluation, what: Option<&str>) -> Vec<Explanation> {
    let rules = &*evaluation.ruleset;
    let asked: Vec<ExplainTarget> = match what {
        None => {
            let values = rules.values.iter().map(|value| ExplainTarget::Value(value.id.clone()));
            values.chain([ExplainTarget::Costs]).collect()
        }
        Some("costs" | "cost") => vec![ExplainTarget::Costs],
        Some(what) => match (rules.symbols.index.get(what), what.split_once('.')) {
            (Some(Symbol::Value(_)), _) => vec![ExplainTarget::Value(what.into())],
            (Some(Symbol::Field(_)), _) => vec![ExplainTarget::Field(what.into())],
            (_, Some((value, "limit"))) if matches!(rules.symbols.index.get(value), Some(Symbol::Value(_))) => {
                vec![ExplainTarget::Limit(value.into())]
            }
            (_, Some((system, id))) => {
                let fits = evaluation.fits.iter().filter(|fit| *fit.system == *system);
                fits.map(|fit| ExplainTarget::Attribute { fit: fit.index, id: id.into() }).collect()
            }
            (Some(Symbol::Setting(_)), None) if !is_code(evaluation, what) => vec![ExplainTarget::Setting(what.into())],
            _ => vec![ExplainTarget::Code(what.into())],
        },
    };
    explain_all(evaluation, &asked)
}

/// Explains one target and everything it reads, down to the leaves, each once. Empty for an unknown target.
pub fn explain_target(evaluation: &Evaluation, asked: &ExplainTarget) -> Vec<Explanation> {
    explain_all(evaluation, std::slice::from_ref(asked))
}

/// Explains a code with where a fleet has it: `found` are the fleet's findings with those of its ships.
pub fn explain_code_in_fleet(evaluation: &Evaluation, code: &str, found: &[&Finding]) -> Vec<Explanation> {
    explain_with(evaluation, &[ExplainTarget::Code(code.into())], Some(found))
}

fn explain_all(evaluation: &Evaluation, asked: &[ExplainTarget]) -> Vec<Explanation> {
    explain_with(evaluation, asked, None)
}

fn explain_with(evaluation: &Evaluation, asked: &[ExplainTarget], of_fleet: Option<&[&Finding]>) -> Vec<Explanation> {
    let rules = &*evaluation.ruleset;
    // The empty evaluation has no state to explain.
    if evaluation.state.values.len() != rules.values.len() || evaluation.state.fields.len() != rules.fields.len() {
        return Vec::new();
    }
    let state = &evaluation.state;
    let effort = WorkBudget::for_ship();
    let mut explainer = Explainer { evaluation, rules, state, effort, of_fleet, seen: Vec::new(), out: Vec::new() };
    for asked in asked {
        explainer.add_target(asked);
    }
    explainer.out
}

fn is_code(evaluation: &Evaluation, word: &str) -> bool {
    CODES.iter().any(|(code, _)| *code == word) || evaluation.ruleset.check_codes().any(|code| **code == *word)
}

/// The codes of built-in findings with their meanings; a ruleset adds its checks.
pub fn codes() -> &'static [(&'static str, &'static str)] {
    CODES
}

#[derive(Clone, Copy, PartialEq)]
enum ExplainItem {
    Value(usize),
    /// Fit index, attribute index.
    Attribute(usize, usize),
    Field(usize),
    /// Field index, attribute from 1.
    Option(usize, usize),
    Setting(usize),
    Relation(usize),
    Limit(usize),
}

struct Explainer<'a> {
    evaluation: &'a Evaluation,
    rules: &'a Ruleset,
    state: &'a ShipState,
    effort: WorkBudget,
    /// In place of the ship's own findings.
    of_fleet: Option<&'a [&'a Finding]>,
    seen: Vec<ExplainItem>,
    out: Vec<Explanation>,
}

/// The most lines, more than any ship needs.
const MAX_LINES: usize = 2_000;
/// Deeper lines need an explanation of their own.
const MAX_DEPTH: u32 = 40;

impl<'a> Explainer<'a> {
    fn view(&self, of: ItTarget) -> StateView<'_> {
        StateView::new(self.rules, self.state, &self.evaluation.ship, of, &self.effort)
    }

    fn rule_name(&self, span: Span, named: Option<&Arc<str>>) -> Arc<str> {
        let place = self.rules.location(span);
        named.map_or_else(|| place.clone(), |rule| format!("{rule} ({place})").into())
    }

    /// The mark that outweighs the others that apply to this ship, with its reason.
    fn provenance(&self, marks: &[u32], own: usize) -> (Provenance, Option<Arc<str>>) {
        let is_active = |mark: &&u32| {
            let mark = &self.rules.marks[**mark as usize];
            let view = self.view(ItTarget::Nothing);
            mark.system.is_none_or(|system| self.state.fits.iter().any(|fit| fit.base == system && fit.count > 0))
                && mark.option.is_none_or(|(field, option)| self.state.chosen.get(field) == Some(&Some(option)))
                && mark.when.as_ref().is_none_or(|when| when.flag(&view) == Ok(Some(true)))
        };
        let mut found = (Provenance::Published, None);
        for (n, mark) in marks.iter().enumerate().filter(|(_, mark)| is_active(mark)) {
            let rule = &self.rules.marks[*mark as usize];
            if rule.provenance > found.0 {
                let why = if n < own { rule.why.clone() } else { format!("{} ({})", rule.why, rule.subject).into() };
                found = (rule.provenance, Some(why));
            } else if n < own && rule.provenance == Provenance::Published && found.1.is_none() {
                // The source, for what a supplement or the like published.
                found.1 = Some(rule.why.clone());
            }
        }
        found
    }

    fn add_target(&mut self, asked: &ExplainTarget) {
        let rules = self.rules;
        let value = |id: &str| rules.values.iter().position(|value| *value.id == *id);
        let item = match asked {
            ExplainTarget::Value(id) => value(id).map(ExplainItem::Value),
            ExplainTarget::Limit(id) => value(id).map(ExplainItem::Limit),
            ExplainTarget::Field(id) => rules.fields.iter().position(|field| field.id == *id).map(ExplainItem::Field),
            ExplainTarget::Setting(id) => {
                rules.settings.iter().position(|setting| setting.id == *id).map(ExplainItem::Setting)
            }
            ExplainTarget::Attribute { fit, id } => {
                let fit = self.evaluation.fits.iter().position(|known| known.index == *fit);
                fit.zip(rules.symbols.attribute(id)).map(|(fit, answer)| ExplainItem::Attribute(fit, answer))
            }
            ExplainTarget::Cost(line) => return self.explain_cost_parts(*line),
            ExplainTarget::Costs => return self.explain_costs(),
            ExplainTarget::Code(code) => return self.explain_code(code),
            ExplainTarget::Cell { table, row, column } => return self.explain_cell(table, *row as usize, column),
        };
        if let Some(item) = item {
            self.explain_item(item, 0);
        }
    }

    fn target_of(&self, item: ExplainItem) -> Option<ExplainTarget> {
        let rules = self.rules;
        Some(match item {
            ExplainItem::Value(n) => ExplainTarget::Value(rules.values[n].id.clone()),
            ExplainItem::Limit(n) => ExplainTarget::Limit(rules.values[n].id.clone()),
            ExplainItem::Attribute(fit, answer) => {
                let fit = self.evaluation.fits.get(fit)?.index;
                ExplainTarget::Attribute { fit, id: rules.symbols.attributes[answer].id.clone() }
            }
            ExplainItem::Field(n) | ExplainItem::Option(n, _) => ExplainTarget::Field(rules.fields[n].id.clone()),
            ExplainItem::Setting(n) => ExplainTarget::Setting(rules.settings[n].id.clone()),
            ExplainItem::Relation(_) => return None,
        })
    }

    fn push(
        &mut self,
        asked: Option<ExplainTarget>,
        name: Arc<str>,
        depth: u32,
        trace: Trace,
        rule: Arc<str>,
        (provenance, note): (Provenance, Option<Arc<str>>),
    ) {
        let Trace { formula, numbers, result } = trace;
        let numbers = if numbers == formula { String::new() } else { numbers };
        let sentence = String::new();
        self.out.push(Explanation {
            target: asked,
            name,
            depth,
            formula,
            sentence,
            numbers,
            result,
            rule,
            provenance,
            note,
        });
    }

    /// Says in words how the line that was pushed last comes about.
    fn add_sentence(&mut self, formula: &Formula, of: ItTarget) {
        let phrase = self.phrase(formula, &self.view(of));
        self.set_sentence(phrase);
    }

    fn phrase(&self, formula: &Formula, view: &StateView<'_>) -> Option<String> {
        formula.phrase(view, &ShipWording { rules: self.rules, state: self.state })
    }

    fn set_sentence(&mut self, phrase: Option<String>) {
        if let (Some(line), Some(phrase)) = (self.out.last_mut(), phrase)
            && line.result != "?"
        {
            line.sentence = format!("{phrase}: {}", line.result);
        }
    }

    fn explain_item(&mut self, item: ExplainItem, depth: u32) {
        if self.seen.contains(&item) || self.effort.is_spent() || self.out.len() >= MAX_LINES || depth > MAX_DEPTH {
            return;
        }
        self.seen.push(item);
        let asked = self.target_of(item);
        let plain = |formula: String, value: Option<&Value>| Trace {
            numbers: formula.clone(),
            formula,
            result: display_value(value.unwrap_or(&Value::Null)),
        };
        match item {
            ExplainItem::Value(n) => {
                let rules = self.rules;
                let value = &rules.values[n];
                let trace = value.formula.trace(&self.view(ItTarget::Nothing));
                let at = if value.formula.at.file > 0 { value.formula.at } else { value.span };
                let rule = self.rule_name(at, value.rule.as_ref());
                let provenance = self.provenance(&value.marks, value.direct_marks);
                self.push(asked, value.id.clone(), depth, trace, rule, provenance);
                self.add_sentence(&value.formula, ItTarget::Nothing);
                self.explain_reads(&value.formula, ItTarget::Nothing, depth + 1);
            }
            ExplainItem::Limit(n) => {
                let rules = self.rules;
                let value = &rules.values[n];
                let Some(limit) = &value.limit else { return };
                let trace = limit.trace(&self.view(ItTarget::Nothing));
                let rule = self.rule_name(if limit.at.file > 0 { limit.at } else { value.span }, value.rule.as_ref());
                let own = |mark: &u32| rules.marks[*mark as usize].key.as_deref() == Some("limit");
                let marks: Vec<u32> = value.marks[..value.direct_marks].iter().copied().filter(own).collect();
                let provenance = self.provenance(&marks, marks.len());
                self.push(asked, format!("{}: limit", value.id).into(), depth, trace, rule, provenance);
                self.add_sentence(limit, ItTarget::Nothing);
                self.explain_reads(limit, ItTarget::Nothing, depth + 1);
            }
            ExplainItem::Attribute(fit, answer) => self.explain_attribute(fit, answer, depth),
            ExplainItem::Field(n) => {
                let field = &self.rules.fields[n];
                let is_stated = self.state.stated_fields.get(n).is_none_or(|stated| *stated);
                let source = if is_stated { "set by the design" } else { "default, not set by the design" };
                let trace = plain(source.to_owned(), self.state.fields.get(n));
                let rule = self.rule_name(field.span, None);
                let default = |mark: &u32| self.rules.marks[*mark as usize].key.as_deref() == Some("default");
                let marks: Vec<u32> = field.marks.iter().copied().filter(default).collect();
                let provenance = self.provenance(&marks, marks.len());
                self.push(asked, field.id.clone(), depth, trace, rule, provenance);
            }
            ExplainItem::Option(n, attribute) => {
                let field = &self.rules.fields[n];
                let (FieldKind::Choice(choice), Some(&Some(chosen))) = (&field.kind, self.state.chosen.get(n)) else {
                    return;
                };
                let option = &choice.options[chosen];
                let (Some(value), Some((id, _))) =
                    (option.values.get(attribute - 1), choice.attributes.get(attribute - 1))
                else {
                    return;
                };
                let marks: Vec<u32> = choice.marks(chosen, attribute - 1).collect();
                let trace = plain(format!("choice.{}.{id}", field.id), Some(value));
                let rule = self.rule_name(field.span, None);
                let provenance = self.provenance(&marks, marks.len());
                self.push(
                    asked,
                    format!("{} {}: {id}", field.label, option.label).into(),
                    depth,
                    trace,
                    rule,
                    provenance,
                );
            }
            ExplainItem::Setting(n) => {
                let setting = &self.rules.settings[n];
                let trace = plain("a setting".to_owned(), Some(&setting.value));
                let provenance = self.provenance(&setting.marks, setting.marks.len());
                self.push(asked, setting.id.clone(), depth, trace, self.rule_name(setting.span, None), provenance);
            }
            ExplainItem::Relation(n) => {
                let relation = &self.rules.relations[n];
                let count = Value::Int(self.state.relations.get(n).copied().unwrap_or(0));
                let trace = plain("set by the fleet".to_owned(), Some(&count));
                let rule = self.rule_name(relation.span, None);
                self.push(asked, relation.id.clone(), depth, trace, rule, (Provenance::Published, None));
            }
        }
    }

    /// Whether a custom system states an attribute itself.
    fn is_own(&self, fit: usize, answer: usize) -> bool {
        let own = self.state.fits[fit].system.checked_sub(self.rules.systems.len());
        own.is_some_and(|own| self.state.custom_systems[own].answers.iter().any(|(known, _)| *known == answer))
    }

    /// `gun: points`; for a parameter, which each fit states, `gun, bow: rounds`.
    fn attribute_name(&self, fit: usize, answer: usize) -> Arc<str> {
        let (rules, fitted) = (self.rules, &self.state.fits[fit]);
        let name = self.state.system(rules, fitted.system).name;
        let answer = &rules.symbols.attributes[answer];
        match answer.default {
            Some(_) => format!("{name}: {}", answer.id).into(),
            None => {
                let mount = fitted.mount.map_or(&*fitted.mount_id, |n| &*rules.mounts[n].label);
                format!("{name}, {mount}: {}", answer.id).into()
            }
        }
    }

    fn explain_attribute(&mut self, fit: usize, answer: usize, depth: u32) {
        let rules = self.rules;
        let fitted = &self.state.fits[fit];
        let value =
            self.state.answers.get(fit * rules.symbols.attributes.len() + answer).cloned().unwrap_or(Value::Null);
        let stated =
            |what: &str| Trace { formula: what.to_owned(), numbers: what.to_owned(), result: display_value(&value) };
        let own = self.is_own(fit, answer);
        let system = &rules.systems[fitted.base];
        // Fits of one system with an equal number from equal inputs have one line.
        let name = self.attribute_name(fit, answer);
        let (trace, span, marks, formula): (Trace, Span, &[u32], Option<&Formula>) = match &system.attributes[answer] {
            _ if own => (stated("set by the design"), system.span, &[], None),
            AttributeRule::Formula(formula, span, marks) => {
                (formula.trace(&self.view(ItTarget::Fit(fit))), *span, marks, Some(formula))
            }
            AttributeRule::Constant(constant, span, marks) => (stated(&display_value(constant)), *span, marks, None),
            AttributeRule::Text(text, span, marks) => (stated(&text.source), *span, marks, None),
            AttributeRule::None if fitted.stated_parameters.contains(&answer) => {
                (stated("set by the fit"), system.span, &[], None)
            }
            AttributeRule::None => (stated("default, not set by the fit"), system.span, &[], None),
        };
        let rule = self.rule_name(span, system.rule.as_ref());
        let known = |line: &Explanation| {
            line.name == name
                && line.result == trace.result
                && line.numbers == if trace.numbers == trace.formula { "" } else { &*trace.numbers }
        };
        if !self.out.iter().any(known) {
            let provenance = self.provenance(marks, marks.len());
            self.push(self.target_of(ExplainItem::Attribute(fit, answer)), name, depth, trace, rule, provenance);
            if let Some(formula) = formula {
                self.add_sentence(formula, ItTarget::Fit(fit));
            }
        }
        if let Some(formula) = formula {
            self.explain_reads(formula, ItTarget::Fit(fit), depth + 1);
        }
    }

    fn explain_reads(&mut self, formula: &'a Formula, of: ItTarget, depth: u32) {
        for slot in formula.reads() {
            match (Symbol::from_slot(slot), of) {
                (Symbol::Value(n), _) => self.explain_item(ExplainItem::Value(n), depth),
                (Symbol::Field(n), _) => self.explain_item(ExplainItem::Field(n), depth),
                (Symbol::FieldOption(n, attribute), _) if attribute > 0 => {
                    self.explain_item(ExplainItem::Option(n, attribute), depth)
                }
                (Symbol::Setting(n) | Symbol::SettingOption(n, _), _) => {
                    self.explain_item(ExplainItem::Setting(n), depth)
                }
                (Symbol::Relation(n), _) => self.explain_item(ExplainItem::Relation(n), depth),
                (Symbol::Attribute(answer) | Symbol::Whole(answer), ItTarget::Fit(fit)) => {
                    self.explain_item(ExplainItem::Attribute(fit, answer), depth)
                }
                _ => {}
            }
        }
        self.explain_totals(formula, depth);
    }

    fn explain_costs(&mut self) {
        let rules = self.rules;
        for n in 0..self.evaluation.costs.len() {
            self.explain_cost_line(n);
        }
        if let Some(points) = self.evaluation.points {
            let totals: Vec<String> = self.evaluation.costs.iter().map(|line| line.total.to_string()).collect();
            let sum = totals.join(" + ").replace("+ -", "- ");
            let trace = Trace { formula: sum.clone(), numbers: sum, result: points.to_string() };
            let provenance = (Provenance::Published, None);
            self.push(Some(ExplainTarget::Costs), "cost: total".into(), 0, trace, rules.id.clone(), provenance);
        }
        for cost in &rules.costs {
            if cost.for_each.is_none() {
                self.explain_reads(&cost.each, ItTarget::Nothing, 1);
            } else {
                for fit in 0..self.state.fits.len() {
                    self.explain_reads(&cost.each, ItTarget::Fit(fit), 1);
                }
            }
        }
    }

    fn explain_cost_line(&mut self, n: usize) {
        let line = &self.evaluation.costs[n];
        let sum = format!("{} × {}", line.count, line.each);
        let trace = Trace { formula: sum.clone(), numbers: sum, result: line.total.to_string() };
        let provenance = if line.house { Provenance::House } else { Provenance::Published };
        let rule = self.rules.id.clone();
        self.push(
            Some(ExplainTarget::Cost(n)),
            format!("cost: {}", line.label).into(),
            0,
            trace,
            rule,
            (provenance, None),
        );
    }

    fn explain_cost_parts(&mut self, n: usize) {
        let Some(line) = self.evaluation.costs.get(n) else { return };
        self.explain_cost_line(n);
        let rules = self.rules;
        for cost in &rules.costs {
            for of in targets(rules, self.state, cost_selector(cost.for_each.as_ref()).as_ref()) {
                let view = self.view(of);
                let applies = cost.when.as_ref().is_none_or(|when| when.flag(&view) == Ok(Some(true)));
                let same = |label: Option<String>| label.as_deref() == Some(&*line.label);
                if !applies
                    || cost.each.int(&view) != Ok(Some(line.each))
                    || !same(cost.label.eval(&view).ok().flatten())
                {
                    continue;
                }
                let (each, count) = (cost.each.trace(&view), cost.count.as_ref().map(|count| count.trace(&view)));
                let rule = self.rule_name(cost.each.at, cost.rule.as_ref());
                for (what, trace, formula) in
                    [("each", Some(each), Some(&cost.each)), ("count", count, cost.count.as_ref())]
                {
                    let (Some(trace), Some(formula)) = (trace, formula) else { continue };
                    // A formula that is only a name is explained by what it names.
                    let word = formula.source.bytes().all(|b| b.is_ascii_alphanumeric() || b"._".contains(&b));
                    let names = word && !formula.is_constant();
                    let name: Arc<str> = format!("{}: {what}", line.label).into();
                    let is_known = self.out.iter().any(|one| one.name == name && one.formula == trace.formula);
                    if !names && !is_known {
                        let provenance = self.provenance(&cost.marks[..cost.direct_marks], cost.direct_marks);
                        self.push(None, name, 1, trace, rule.clone(), provenance);
                        self.add_sentence(formula, of);
                    }
                    self.explain_reads(formula, of, 1 + u32::from(!names));
                }
            }
        }
    }
}
