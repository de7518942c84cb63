//! Explains `total(…)` in a formula: takes the formula, gives a line for each sum and below it a line for each kind of
//! item, with the number of items and what each adds.

use std::sync::Arc;

use crate::evaluate::state::{ItTarget, display_value};
use crate::formula::{Formula, Host, Trace, Value};
use crate::ruleset::{AttributeRule, Call, CallKind, FitFilter};

use super::{ExplainItem, Explainer, Provenance};

/// Equal items of a sum: the line, and the first fit.
struct TotalPart {
    name: Arc<str>,
    fit: usize,
    each: i64,
    count: i64,
}

impl<'a> Explainer<'a> {
    pub(super) fn explain_totals(&mut self, formula: &'a Formula, depth: u32) {
        let mut calls: Vec<u32> = formula.calls().collect();
        calls.sort_unstable();
        calls.dedup();
        // A formula that is only one sum is not repeated.
        let bare = formula.source.trim();
        let alone = bare.starts_with("total(") && bare.matches('(').count() == 1 && bare.ends_with(')');
        for number in calls {
            let Some(call) = self.rules.symbols.calls.get(number) else { continue };
            let CallKind::Total(answer) = call.kind else { continue };
            let parts = self.total_parts(call, answer);
            let depth = if alone {
                depth
            } else {
                let sums: Vec<String> = parts.iter().map(|part| (part.count * part.each).to_string()).collect();
                let sum = sums.join(" + ").replace("+ -", "- ");
                let value = self.view(ItTarget::Nothing).call(number, &[]).unwrap_or(Value::Null);
                let trace = Trace { formula: sum.clone(), numbers: sum, result: display_value(&value) };
                let name = self.call_text(call, answer);
                self.push(None, name, depth, trace, "".into(), (Provenance::Published, None));
                depth + 1
            };
            for part in parts {
                self.explain_part(&part, answer, depth);
            }
        }
    }

    /// The items of a sum, equal ones together.
    fn total_parts(&self, call: &Call, answer: usize) -> Vec<TotalPart> {
        let (rules, state) = (self.rules, self.state);
        let view = self.view(ItTarget::Nothing);
        let mut parts: Vec<TotalPart> = Vec::new();
        for (fit, fitted) in state.fits.iter().enumerate() {
            if !view.matches_fit(call, fit, answer) {
                continue;
            }
            let (Ok(Some(whole)), Some(Value::Int(each))) =
                (view.answer_for_all(fit, answer), view.fit_answer(fit, answer))
            else {
                continue;
            };
            if whole == 0 {
                continue;
            }
            let parameters = &rules.systems[fitted.base].parameters;
            let per_fit = parameters.iter().any(|parameter| parameter.attribute == answer && parameter.per_fit);
            let count = if per_fit { fitted.count.min(1) } else { fitted.count };
            let (name, each) = (self.attribute_name(fit, answer), *each);
            match parts.iter_mut().find(|part| part.name == name && part.each == each) {
                Some(part) => part.count = part.count.saturating_add(count),
                None => parts.push(TotalPart { name, fit, each, count }),
            }
        }
        parts
    }

    fn explain_part(&mut self, part: &TotalPart, answer: usize, depth: u32) {
        if self.out.len() >= super::MAX_LINES || depth > super::MAX_DEPTH {
            return;
        }
        let rules = self.rules;
        let system = &rules.systems[self.state.fits[part.fit].base];
        let own = self.is_own(part.fit, answer);
        let (span, marks): (_, &[u32]) = match &system.attributes[answer] {
            AttributeRule::Formula(_, span, marks) | AttributeRule::Constant(_, span, marks) if !own => (*span, marks),
            _ => (system.span, &[]),
        };
        let product = format!("{} × {}", part.count, part.each);
        let result = part.count.checked_mul(part.each).map_or_else(|| "?".to_owned(), |sum| sum.to_string());
        let trace = Trace { formula: product.clone(), numbers: product, result };
        let asked = self.target_of(ExplainItem::Attribute(part.fit, answer));
        let rule = self.rule_name(span, system.rule.as_ref());
        let provenance = self.provenance(marks, marks.len());
        self.push(asked, part.name.clone(), depth, trace, rule, provenance);
        match &system.attributes[answer] {
            AttributeRule::Formula(..) if !own => {
                self.explain_item(ExplainItem::Attribute(part.fit, answer), depth + 1)
            }
            // The line above already has the amount.
            _ => {}
        }
    }

    /// `total('points', tag='weapon')`.
    fn call_text(&self, call: &Call, answer: usize) -> Arc<str> {
        let lexicon = &self.rules.symbols;
        let mut words = vec![format!("'{}'", lexicon.attributes[answer].id)];
        let names: [(&FitFilter, &str, &dyn Fn(usize) -> Arc<str>); 3] = [
            (&call.system, "", &|n| lexicon.systems[n].id.clone()),
            (&call.mount, "mount=", &|n| lexicon.mounts[n].0.clone()),
            (&call.tag, "tag=", &|n| lexicon.tags[n].clone()),
        ];
        for (filter, word, name) in names {
            let (only, exact) = match filter {
                FitFilter::Only(only) => (only, ""),
                FitFilter::Exactly(only) => (only, "="),
                FitFilter::Any | FitFilter::Argument(_) => continue,
            };
            let quoted: Vec<String> =
                only.iter().take(MAX_NAMES).map(|n| format!("'{exact}{}'", name(*n as usize))).collect();
            let more = if only.len() > MAX_NAMES { ", …" } else { "" };
            match quoted.as_slice() {
                [one] => words.push(format!("{word}{one}")),
                several => words.push(format!("{word}[{}{more}]", several.join(", "))),
            }
        }
        format!("total({})", words.join(", ")).into()
    }
}

/// The most systems, mounts or tags that the name of a sum lists.
const MAX_NAMES: usize = 6;
