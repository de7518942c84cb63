//! What a change of a ruleset reaches: takes a difference between two rulesets, gives everything that reads what it changes, directly or through
//! other numbers: panels, values, costs, checks, attacks and the rest. Looks at formulas and templates only; evaluates nothing.

mod panels;
mod reads;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use moldloft_base::finding::Severity;
use moldloft_base::worded;
use moldloft_rules::ruleset::{Difference, Ruleset, Variable};
use moldloft_sheet::sheet::TemplateCache;

use reads::Declaration;
pub(super) use reads::{Part, RulesetReads};

worded! {
    /// What can read a number of the rules, in the order in which it is reported.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum ReaderKind {
        Panels = "panels",
        Values = "values",
        Costs = "costs",
        Checks = "checks",
        Tracks = "tracks",
        Tables = "tables",
        Counters = "counters",
        Attacks = "attacks",
        Outcomes = "outcomes",
        Suggestions = "suggestions",
    }
}

impl ReaderKind {
    /// Of a declaration's section; `None` for what players never see by itself.
    fn of_section(section: &str) -> Option<Self> {
        Some(match section {
            "value" => Self::Values,
            "cost" => Self::Costs,
            "check" => Self::Checks,
            "track" => Self::Tracks,
            "table" => Self::Tables,
            "counter" => Self::Counters,
            "attack" => Self::Attacks,
            "outcome" => Self::Outcomes,
            _ => return None,
        })
    }
}

/// What reads something that was changed, and what does not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// The ids of those that read it; panels as `console: table laser`.
    pub read_by: BTreeMap<ReaderKind, BTreeSet<Arc<str>>>,
    /// Attacks and outcomes that do not read it.
    pub not_in_odds: BTreeSet<Arc<str>>,
}

impl Reach {
    pub fn readers(&self, kind: ReaderKind) -> impl Iterator<Item = &Arc<str>> {
        self.read_by.get(&kind).into_iter().flatten()
    }

    /// The kinds of which nothing reads it.
    pub fn unread_kinds(&self) -> impl Iterator<Item = ReaderKind> + '_ {
        ReaderKind::ALL.iter().map(|(_, kind)| *kind).filter(|kind| self.readers(*kind).next().is_none())
    }

    fn add(&mut self, kind: ReaderKind, id: impl Into<Arc<str>>) {
        self.read_by.entry(kind).or_default().insert(id.into());
    }
}

/// Keys whose words are shown, and which no formula reads.
const WORDING: [&str; 14] = [
    "label", "name", "note", "help", "rule", "about", "reason", "message", "text", "title", "abbr", "icon", "shape",
    "headline",
];

/// What each of these differences reaches, in their order. What is gone is looked for in the rules that had it.
pub fn reach(
    before: &Arc<Ruleset>,
    after: &Arc<Ruleset>,
    templates: &TemplateCache<'_>,
    differences: &[Difference],
) -> Vec<Reach> {
    let (old, new) = (RulesetReach::new(before, templates), RulesetReach::new(after, templates));
    differences.iter().map(|one| if one.after.is_some() { new.of(one) } else { old.of(one) }).collect()
}

struct RulesetReach<'r> {
    reads: RulesetReads<'r>,
    panels: Vec<panels::PanelReads<'r>>,
}

impl<'r> RulesetReach<'r> {
    fn new(rules: &'r Arc<Ruleset>, templates: &TemplateCache<'_>) -> Self {
        Self { reads: RulesetReads::new(rules), panels: panels::all(rules, templates) }
    }

    fn of(&self, difference: &Difference) -> Reach {
        let rules = self.reads.rules;
        let key = difference.key.split('.').next_back().unwrap_or_default();
        let is_wording = WORDING.contains(&key) && !difference.key.starts_with("rows.");
        let seeds = self.reads.parts_of(difference);
        let mut parts: Vec<Part> = seeds.clone();
        let mut reached: BTreeSet<usize> = BTreeSet::new();
        let mut next = 0;
        while next < parts.len() && !is_wording {
            let part = parts[next].clone();
            next += 1;
            for (n, declaration) in self.reads.declarations.iter().enumerate() {
                if !reached.contains(&n) && self.reads.reads(declaration, &part) {
                    reached.insert(n);
                    parts.push(declaration.part.clone());
                }
            }
        }
        let mut reach = Reach::default();
        let of_seed = |declaration: &&Declaration<'_>| seeds.contains(&declaration.part) && !is_wording;
        let own = self.reads.declarations.iter().filter(of_seed);
        for declaration in own.chain(reached.iter().map(|n| &self.reads.declarations[*n])) {
            if let Some(kind) = ReaderKind::of_section(declaration.section) {
                reach.add(kind, declaration.id.clone());
            }
        }
        self.add_outcomes(&mut reach);
        for panel in self.panels.iter().filter(|panel| parts.iter().any(|part| panel.reads(&self.reads, part))) {
            reach.add(ReaderKind::Panels, panel.label.clone());
        }
        self.add_suggestions(&mut reach);
        let odds = rules.attack_rules.attacks.iter().map(|attack| &attack.id);
        let odds = odds.chain(rules.attack_rules.outcomes.iter().map(|outcome| &outcome.id));
        let read = |id: &Arc<str>| {
            [ReaderKind::Attacks, ReaderKind::Outcomes].iter().any(|kind| reach.readers(*kind).any(|known| known == id))
        };
        reach.not_in_odds = odds.filter(|id| !read(id)).cloned().collect();
        reach
    }

    /// Outcomes that hang on a gauge which an attack that was reached changes.
    fn add_outcomes(&self, reach: &mut Reach) {
        let rules = &self.reads.rules.attack_rules;
        let reached = |id: &Arc<str>| reach.readers(ReaderKind::Attacks).any(|known| known == id);
        let steps = rules.attacks.iter().filter(|attack| reached(&attack.id)).flat_map(|attack| &attack.steps);
        let mut changed = BTreeSet::new();
        steps.for_each(|step| reads::gauges_set(step, &mut changed));
        let hangs = |slot: u32| match Variable::from_slot(slot) {
            Some(Variable::Left(gauge) | Variable::Own(gauge)) => changed.contains(&gauge),
            _ => false,
        };
        let outcomes = rules.outcomes.iter().filter(|outcome| outcome.formula.reads().any(hangs));
        outcomes.for_each(|outcome| reach.add(ReaderKind::Outcomes, outcome.id.clone()));
    }

    /// What players can ask suggestions for: values, the odds of attacks, and a legal design.
    fn add_suggestions(&self, reach: &mut Reach) {
        let rules = self.reads.rules;
        let values: Vec<Arc<str>> = reach.readers(ReaderKind::Values).cloned().collect();
        let attacks: Vec<Arc<str>> = reach.readers(ReaderKind::Attacks).map(|id| format!("odds.{id}").into()).collect();
        let is_error = |code: &Arc<str>| {
            rules.checks.iter().any(|check| check.code == *code && check.severity == Some(Severity::Error))
        };
        let breaks = reach.readers(ReaderKind::Checks).any(is_error);
        values.into_iter().chain(attacks).for_each(|id| reach.add(ReaderKind::Suggestions, id));
        if breaks {
            reach.add(ReaderKind::Suggestions, "legal");
        }
    }
}
