//! `total(…)` in a formula, so that it can be added up: takes the formula, gives a line for each sum and under it a line for each sort of
//! thing that is added, with how many there are and what each brings.

use std::sync::Arc;

use crate::evaluate::state::{Of, shown};
use crate::formula::{Formula, Host, Trace, Value};
use crate::ruleset::{AttributeRule, Call, Filter, Kind};

use super::{Explainer, Item, Provenance};

/// A sort of thing that is added: its line, and the first fit of it.
struct Part {
    name: Arc<str>,
    fit: usize,
    each: i64,
    count: i64,
}

impl<'a> Explainer<'a> {
    /// The sums of a formula, each with what it adds.
    pub(super) fn totals(&mut self, formula: &'a Formula, depth: u32) {
        let mut calls: Vec<u32> = formula.calls().collect();
        calls.sort_unstable();
        calls.dedup();
        // A formula that is one sum and nothing else is not said twice.
        let bare = formula.source.trim();
        let alone = bare.starts_with("total(") && bare.matches('(').count() == 1 && bare.ends_with(')');
        for number in calls {
            let Some(call) = self.rules.lexicon.calls.get(number) else { continue };
            let Kind::Total(answer) = call.kind else { continue };
            let parts = self.parts(call, answer);
            let depth = if alone {
                depth
            } else {
                let sums: Vec<String> = parts.iter().map(|part| (part.count * part.each).to_string()).collect();
                let sum = sums.join(" + ").replace("+ -", "- ");
                let value = self.view(Of::Nothing).call(number, &[]).unwrap_or(Value::Null);
                let trace = Trace { formula: sum.clone(), numbers: sum, result: shown(&value) };
                let name = self.called(call, answer);
                self.push(None, name, depth, trace, "".into(), (Provenance::Published, None));
                depth + 1
            };
            for part in parts {
                self.part(&part, answer, depth);
            }
        }
    }

    /// What a sum adds, those alike together.
    fn parts(&self, call: &Call, answer: usize) -> Vec<Part> {
        let (rules, state) = (self.rules, self.state);
        let view = self.view(Of::Nothing);
        let mut parts: Vec<Part> = Vec::new();
        for (fit, fitted) in state.fits.iter().enumerate() {
            if !view.counts(call, fit, answer) {
                continue;
            }
            let (Ok(Some(whole)), Some(Value::Int(each))) = (view.whole(fit, answer), view.answer(fit, answer)) else {
                continue;
            };
            if whole == 0 {
                continue;
            }
            let parameters = &rules.systems[fitted.base].parameters;
            let per_fit = parameters.iter().any(|parameter| parameter.answer == answer && parameter.per_fit);
            let count = if per_fit { 1 } else { fitted.count };
            let (name, each) = (self.attribute_name(fit, answer), *each);
            match parts.iter_mut().find(|part| part.name == name && part.each == each) {
                Some(part) => part.count = part.count.saturating_add(count),
                None => parts.push(Part { name, fit, each, count }),
            }
        }
        parts
    }

    fn part(&mut self, part: &Part, answer: usize, depth: u32) {
        if self.out.len() >= super::MOST_LINES || depth > super::DEEPEST {
            return;
        }
        let rules = self.rules;
        let system = &rules.systems[self.state.fits[part.fit].base];
        let own = self.is_own(part.fit, answer);
        let (span, marks): (_, &[u32]) = match &system.attributes[answer] {
            AttributeRule::Formula(_, span, marks) | AttributeRule::Is(_, span, marks) if !own => (*span, marks),
            _ => (system.span, &[]),
        };
        let product = format!("{} × {}", part.count, part.each);
        let result = part.count.checked_mul(part.each).map_or_else(|| "?".to_owned(), |sum| sum.to_string());
        let trace = Trace { formula: product.clone(), numbers: product, result };
        let asked = self.asked(Item::Attribute(part.fit, answer));
        let rule = self.rule(span, system.rule.as_ref());
        let provenance = self.provenance(marks, marks.len());
        self.push(asked, part.name.clone(), depth, trace, rule, provenance);
        match &system.attributes[answer] {
            AttributeRule::Formula(..) if !own => self.item(Item::Attribute(part.fit, answer), depth + 1),
            // What it brings is said in the line above.
            _ => {}
        }
    }

    /// `total('points', tag='weapon')`.
    fn called(&self, call: &Call, answer: usize) -> Arc<str> {
        let lexicon = &self.rules.lexicon;
        let mut words = vec![format!("'{}'", lexicon.answers[answer].id)];
        let names: [(&Filter, &str, &dyn Fn(usize) -> Arc<str>); 3] = [
            (&call.system, "", &|n| lexicon.systems[n].id.clone()),
            (&call.mount, "mount=", &|n| lexicon.mounts[n].0.clone()),
            (&call.tag, "tag=", &|n| lexicon.tags[n].clone()),
        ];
        for (filter, word, name) in names {
            let Filter::Only(only) = filter else { continue };
            let quoted: Vec<String> =
                only.iter().take(MOST_WORDS).map(|n| format!("'{}'", name(*n as usize))).collect();
            let more = if only.len() > MOST_WORDS { ", …" } else { "" };
            match quoted.as_slice() {
                [one] => words.push(format!("{word}{one}")),
                several => words.push(format!("{word}[{}{more}]", several.join(", "))),
            }
        }
        format!("total({})", words.join(", ")).into()
    }
}

/// The most systems, mounts or tags that the name of a sum lists.
const MOST_WORDS: usize = 6;
