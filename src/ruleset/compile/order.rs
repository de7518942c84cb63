//! The order of computation: values and (system, attribute) pairs, each after all it reads. Takes the compiled ruleset, fills
//! in its order; a circle is reported with its whole path.

use crate::ruleset::Ruleset;
use crate::ruleset::lexicon::Lexicon;
use crate::ruleset::model::{AttributeRule, Node};
use crate::ruleset::names::Name;
use crate::ruleset::{Filter, Kind};

use super::Compiler;

impl Compiler<'_> {
    pub(super) fn order(&self, ruleset: &mut Ruleset) {
        let nodes = Nodes { ruleset, lexicon: &self.lexicon, answers: self.lexicon.answers.len() };
        let total = ruleset.values.len() + ruleset.systems.len() * nodes.answers;
        let mut state = vec![State::New; total];
        let mut order = Vec::new();
        let mut circles = Vec::new();
        for start in 0..total {
            if state[start] != State::New {
                continue;
            }
            // Depth first without recursion: each entry holds a node and what of its reading is still to be looked at.
            let mut path: Vec<(usize, Vec<usize>)> = vec![(start, nodes.reads(start))];
            state[start] = State::Open;
            while let Some((node, reads)) = path.last_mut() {
                let node = *node;
                let Some(next) = reads.pop() else {
                    state[node] = State::Done;
                    if let Some(computed) = nodes.computed(node) {
                        order.push(computed);
                    }
                    path.pop();
                    continue;
                };
                match state[next] {
                    State::New => {
                        state[next] = State::Open;
                        let reads = nodes.reads(next);
                        path.push((next, reads));
                    }
                    State::Open => {
                        let from = path.iter().position(|(known, _)| *known == next).unwrap_or(0);
                        circles.push(path[from..].iter().map(|(node, _)| *node).collect::<Vec<_>>());
                    }
                    State::Done => {}
                }
            }
        }
        for circle in circles.iter().take(20) {
            let mut names: Vec<String> = circle.iter().map(|node| nodes.name(*node)).collect();
            names.push(names[0].clone());
            if names.len() > 24 {
                let left_out = names.len() - 22;
                names.splice(11..names.len() - 11, [format!("… {left_out} more …")]);
            }
            let message = format!("circular formulas: {}", names.join(" reads "));
            self.problems.error("cycle", nodes.span(circle[0]), message, "compute one of them from something else");
        }
        ruleset.order = order;
    }
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    Open,
    Done,
}

struct Nodes<'r> {
    ruleset: &'r Ruleset,
    lexicon: &'r Lexicon,
    answers: usize,
}

impl Nodes<'_> {
    fn pair(&self, node: usize) -> Result<usize, (usize, usize)> {
        let values = self.ruleset.values.len();
        if node < values { Ok(node) } else { Err(((node - values) / self.answers, (node - values) % self.answers)) }
    }

    fn attribute(&self, system: usize, answer: usize) -> usize {
        self.ruleset.values.len() + system * self.answers + answer
    }

    fn computed(&self, node: usize) -> Option<Node> {
        match self.pair(node) {
            Ok(value) => Some(Node::Value(value)),
            Err((system, answer)) => match self.ruleset.systems[system].attributes[answer] {
                AttributeRule::Formula(..) | AttributeRule::Text(..) => Some(Node::Attribute(system, answer)),
                _ => None,
            },
        }
    }

    fn name(&self, node: usize) -> String {
        match self.pair(node) {
            Ok(value) => self.ruleset.values[value].id.to_string(),
            Err((system, answer)) => format!("{}.{}", self.ruleset.systems[system].id, self.lexicon.answers[answer].id),
        }
    }

    fn span(&self, node: usize) -> crate::source::Span {
        match self.pair(node) {
            Ok(value) => self.ruleset.values[value].formula.at,
            Err((system, answer)) => match &self.ruleset.systems[system].attributes[answer] {
                AttributeRule::Formula(_, span, _)
                | AttributeRule::Text(_, span, _)
                | AttributeRule::Is(_, span, _) => *span,
                AttributeRule::None => self.ruleset.systems[system].span,
            },
        }
    }

    fn reads(&self, node: usize) -> Vec<usize> {
        let mut reads = Vec::new();
        match self.pair(node) {
            Ok(value) => {
                let formula = &self.ruleset.values[value].formula;
                self.gather(None, formula.reads(), formula.calls(), &mut reads);
            }
            Err((system, answer)) => match &self.ruleset.systems[system].attributes[answer] {
                AttributeRule::Formula(formula, ..) => {
                    self.gather(Some(system), formula.reads(), formula.calls(), &mut reads)
                }
                AttributeRule::Text(text, ..) => self.gather(Some(system), text.reads(), text.calls(), &mut reads),
                _ => {}
            },
        }
        // Later reads are looked at first, so that what is read first comes first.
        reads.reverse();
        reads
    }

    fn gather(
        &self,
        own: Option<usize>,
        slots: impl Iterator<Item = u32>,
        calls: impl Iterator<Item = u32>,
        reads: &mut Vec<usize>,
    ) {
        for slot in slots {
            match (Name::of(slot), own) {
                (Name::Value(value), _) => reads.push(value),
                (Name::Answer(answer) | Name::Whole(answer), Some(system)) => {
                    reads.push(self.attribute(system, answer))
                }
                _ => {}
            }
        }
        for call in calls.filter_map(|call| self.lexicon.calls.get(call)) {
            if let Kind::Total(answer) = call.kind {
                for (system, rule) in self.ruleset.systems.iter().enumerate() {
                    let asked = match (&call.system, &call.tag) {
                        (Filter::Only(only), _) => only.contains(&(system as u32)),
                        (_, Filter::Only(tags)) => rule.tag_ids.iter().any(|tag| tags.contains(tag)),
                        _ => true,
                    };
                    if asked {
                        reads.push(self.attribute(system, answer));
                    }
                }
            }
        }
    }
}

/// The words of a formula's text that may be names: letters, digits and `_`, not after a full stop, not within quotes.
pub(super) fn mentions(text: &str) -> Vec<&str> {
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
    use super::mentions;

    #[test]
    fn names_are_found_and_texts_and_parts_are_not() {
        assert_eq!(
            mentions("mass * it.mass // choice.nation.pct + total('structure')"),
            ["mass", "it", "choice", "total"]
        );
        assert_eq!(mentions("a_1 if 'b c' == d else e"), ["a_1", "if", "d", "else", "e"]);
    }
}
