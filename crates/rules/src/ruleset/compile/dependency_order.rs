//! The order of computation: takes the compiled ruleset, sorts values and (system, attribute) pairs so that each
//! follows all it reads. A circle is reported with its whole path.

use std::sync::Arc;

use crate::ruleset::Ruleset;
use crate::ruleset::model::{AttributeRule, ComputedId};
use crate::ruleset::problems::ErrorSubject;
use crate::ruleset::symbol_table::SymbolTable;
use crate::ruleset::symbols::Symbol;
use crate::ruleset::{CallKind, FitFilter};

use super::Compiler;

impl Compiler<'_> {
    pub(super) fn compute_order(&self, ruleset: &mut Ruleset) {
        let nodes = DependencyGraph { ruleset, symbols: &self.symbols, attribute_count: self.symbols.attributes.len() };
        let total = ruleset.values.len() + ruleset.systems.len() * nodes.attribute_count;
        let mut state = vec![VisitState::Unvisited; total];
        let mut order = Vec::new();
        let mut cycles = Vec::new();
        for start in 0..total {
            if state[start] != VisitState::Unvisited {
                continue;
            }
            // Depth first without recursion: each entry holds a node and those of its dependencies that are not visited
            // yet.
            let mut path: Vec<(usize, Vec<usize>)> = vec![(start, nodes.dependencies(start))];
            state[start] = VisitState::Visiting;
            while let Some((node, reads)) = path.last_mut() {
                let node = *node;
                let Some(next) = reads.pop() else {
                    state[node] = VisitState::Done;
                    if let Some(computed) = nodes.node_id(node) {
                        order.push(computed);
                    }
                    path.pop();
                    continue;
                };
                match state[next] {
                    VisitState::Unvisited => {
                        state[next] = VisitState::Visiting;
                        let reads = nodes.dependencies(next);
                        path.push((next, reads));
                    }
                    VisitState::Visiting => {
                        let from = path.iter().position(|(known, _)| *known == next).unwrap_or(0);
                        cycles.push(path[from..].iter().map(|(node, _)| *node).collect::<Vec<_>>());
                    }
                    VisitState::Done => {}
                }
            }
        }
        for cycle in cycles.iter().take(20) {
            let mut names: Vec<String> = cycle.iter().map(|node| nodes.ids(*node).join(".")).collect();
            names.push(names[0].clone());
            if names.len() > 24 {
                let left_out = names.len() - 22;
                names.splice(11..names.len() - 11, [format!("… {left_out} more …")]);
            }
            let message = format!("circular formulas: {}", names.join(" reads "));
            let subject = ErrorSubject { section: "", names: cycle.iter().flat_map(|node| nodes.ids(*node)).collect() };
            let help = "compute one of them from something else";
            self.problems.error_about(subject, "cycle", nodes.span(cycle[0]), message, help);
        }
        ruleset.order = order;
    }
}

#[derive(Clone, Copy, PartialEq)]
enum VisitState {
    Unvisited,
    Visiting,
    Done,
}

struct DependencyGraph<'r> {
    ruleset: &'r Ruleset,
    symbols: &'r SymbolTable,
    attribute_count: usize,
}

impl DependencyGraph<'_> {
    fn decode(&self, node: usize) -> Result<usize, (usize, usize)> {
        let values = self.ruleset.values.len();
        if node < values {
            Ok(node)
        } else {
            Err(((node - values) / self.attribute_count, (node - values) % self.attribute_count))
        }
    }

    fn attribute_node(&self, system: usize, attribute: usize) -> usize {
        self.ruleset.values.len() + system * self.attribute_count + attribute
    }

    fn node_id(&self, node: usize) -> Option<ComputedId> {
        match self.decode(node) {
            Ok(value) => Some(ComputedId::Value(value)),
            Err((system, attribute)) => match self.ruleset.systems[system].attributes[attribute] {
                AttributeRule::Formula(..) | AttributeRule::Text(..) => Some(ComputedId::Attribute(system, attribute)),
                _ => None,
            },
        }
    }

    /// The value's id, or those of the system and its attribute.
    fn ids(&self, node: usize) -> Vec<Arc<str>> {
        match self.decode(node) {
            Ok(value) => vec![self.ruleset.values[value].id.clone()],
            Err((system, attribute)) => {
                vec![self.ruleset.systems[system].id.clone(), self.symbols.attributes[attribute].id.clone()]
            }
        }
    }

    fn span(&self, node: usize) -> moldloft_base::source::Span {
        match self.decode(node) {
            Ok(value) => self.ruleset.values[value].formula.at,
            Err((system, attribute)) => match &self.ruleset.systems[system].attributes[attribute] {
                AttributeRule::Formula(_, span, _)
                | AttributeRule::Text(_, span, _)
                | AttributeRule::Constant(_, span, _) => *span,
                AttributeRule::None => self.ruleset.systems[system].span,
            },
        }
    }

    fn dependencies(&self, node: usize) -> Vec<usize> {
        let mut reads = Vec::new();
        match self.decode(node) {
            Ok(value) => {
                let formula = &self.ruleset.values[value].formula;
                self.collect_dependencies(None, formula.reads(), formula.calls(), &mut reads);
            }
            Err((system, attribute)) => match &self.ruleset.systems[system].attributes[attribute] {
                AttributeRule::Formula(formula, ..) => {
                    self.collect_dependencies(Some(system), formula.reads(), formula.calls(), &mut reads)
                }
                AttributeRule::Text(text, ..) => {
                    self.collect_dependencies(Some(system), text.reads(), text.calls(), &mut reads)
                }
                _ => {}
            },
        }
        // The last is visited first, so they are reversed to keep the order of reading.
        reads.reverse();
        reads
    }

    fn collect_dependencies(
        &self,
        own: Option<usize>,
        slots: impl Iterator<Item = u32>,
        calls: impl Iterator<Item = u32>,
        reads: &mut Vec<usize>,
    ) {
        for slot in slots {
            match (Symbol::from_slot(slot), own) {
                (Symbol::Value(value), _) => reads.push(value),
                (Symbol::Attribute(attribute) | Symbol::Whole(attribute), Some(system)) => {
                    reads.push(self.attribute_node(system, attribute))
                }
                _ => {}
            }
        }
        for call in calls.filter_map(|call| self.symbols.calls.get(call)) {
            if let CallKind::Total(attribute) = call.kind {
                for (system, rule) in self.ruleset.systems.iter().enumerate() {
                    let is_included = match (&call.system, &call.tag) {
                        (FitFilter::Only(only), _) => self.symbols.systems[system].counts_as_any(only, &call.except),
                        (FitFilter::Exactly(only), _) => only.contains(&(system as u32)),
                        (_, FitFilter::Only(tags)) => rule.tag_ids.iter().any(|tag| tags.contains(tag)),
                        _ => true,
                    };
                    if is_included {
                        reads.push(self.attribute_node(system, attribute));
                    }
                }
            }
        }
    }
}

/// Possible names in a formula: letters, digits and `_`, not after a full stop, not within quotes.
pub(super) fn identifiers_in(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut quote = None;
    let mut start = None;
    let mut dotted = false;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let part = c.is_ascii_alphanumeric() || c == '_';
        match (quote, start) {
            (Some(open), _) => {
                if c == open {
                    quote = None;
                }
                continue;
            }
            (None, None) if part => start = Some(at),
            (None, Some(from)) if !part => {
                if !dotted {
                    words.push(&text[from..at]);
                }
                start = None;
                dotted = false;
            }
            _ => {}
        }
        if !part {
            if c == '\'' || c == '"' {
                quote = Some(c);
            }
            if !c.is_whitespace() {
                dotted = c == '.';
            }
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::identifiers_in;

    #[test]
    fn names_are_found_and_texts_and_parts_are_not() {
        assert_eq!(
            identifiers_in("mass * it.mass // choice.nation.pct + total('structure')"),
            ["mass", "it", "choice", "total"]
        );
        assert_eq!(identifiers_in("a_1 if 'b c' == d else e"), ["a_1", "if", "d", "else", "e"]);
    }
}
