//! Two designs side by side: takes two evaluations, gives every part of both in lines, each saying whether it differs. Nothing that differs
//! is passed over: fields and their rows, what stands where, systems of the design's own, values, costs, findings. Where things stand in
//! the file is no difference. Never judges which is the better.

use std::sync::Arc;

use crate::finding::{Finding, Severity};
use crate::formula::Value;
use crate::ruleset::Ruleset;

use super::state::shown;
use super::{CostLine, Evaluation};

/// Two designs, compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Points first, then every value that has a limit or is a headline.
    pub budgets: Vec<Line>,
    /// All else, part by part; parts that neither has are left out.
    pub parts: Vec<Part>,
}

/// Lines that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// `Values`, `Aboard: port broadside`.
    pub title: String,
    /// In the order of this design; what only the other has stands at the end.
    pub lines: Vec<Line>,
}

/// One thing of both designs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What a player calls it.
    pub label: String,
    /// How this design has it; `None` when it has not.
    pub here: Option<String>,
    /// How the other has it.
    pub there: Option<String>,
    /// How much more this design has, where both are numbers.
    pub by: Option<i64>,
    /// How they differ.
    pub change: Change,
}

/// How two things differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// In nothing.
    Same,
    /// Both have it, not alike.
    Changed,
    /// Only this design has it.
    OnlyHere,
    /// Only the other has it.
    OnlyThere,
}

impl Comparison {
    /// How many lines differ; budgets are values and count once.
    pub fn differences(&self) -> usize {
        self.parts.iter().map(Part::differences).sum()
    }

    /// Whether nothing differs.
    pub fn is_same(&self) -> bool {
        self.differences() == 0
    }
}

impl Part {
    /// How many of its lines differ.
    pub fn differences(&self) -> usize {
        self.lines.iter().filter(|line| line.change != Change::Same).count()
    }
}

/// A thing as one design has it: what it is matched by, what it is called, how it reads, its number, and all that must be equal.
struct Thing {
    key: String,
    label: String,
    shown: String,
    number: Option<i64>,
    facts: Vec<Value>,
}

impl Thing {
    fn new(key: impl Into<String>, label: impl Into<String>, shown: impl Into<String>) -> Self {
        let (key, label, shown) = (key.into(), label.into(), shown.into());
        let facts = vec![Value::text(&shown)];
        Self { key, label, shown, number: None, facts }
    }

    fn of(key: impl Into<String>, label: impl Into<String>, value: &Value) -> Self {
        let number = if let Value::Int(number) = value { Some(*number) } else { None };
        Self { number, facts: vec![value.clone()], ..Self::new(key, label, shown(value)) }
    }
}

/// Compares two evaluated designs; `here` is the one before the player.
pub fn compare(here: &Evaluation, there: &Evaluation) -> Comparison {
    let both = |of: &dyn Fn(&Evaluation) -> Vec<Thing>| matched(of(here), of(there));
    let mut parts = vec![
        Part { title: "Design".into(), lines: both(&heads) },
        Part { title: "Fields".into(), lines: both(&fields) },
    ];
    for mount in mounts(here, there) {
        let title = if mount.label.is_empty() { "Aboard".to_owned() } else { format!("Aboard: {}", mount.label) };
        parts.push(Part { title, lines: both(&|evaluation| fits(evaluation, &mount.id)) });
    }
    parts.push(Part { title: "Own systems".into(), lines: both(&own) });
    parts.push(Part { title: "Values".into(), lines: both(&values) });
    parts.push(Part { title: "Cost".into(), lines: both(&costs) });
    parts.push(Part { title: "Findings".into(), lines: both(&findings) });
    parts.retain(|part| !part.lines.is_empty());
    Comparison { budgets: both(&budgets), parts }
}

/// Lines of what both have: things of one key are matched, equal ones first, the others in their order.
fn matched(here: Vec<Thing>, there: Vec<Thing>) -> Vec<Line> {
    let mut there: Vec<Option<Thing>> = there.into_iter().map(Some).collect();
    let mut take = |thing: &Thing, equal: bool| {
        let fits = |other: &Thing| other.key == thing.key && (!equal || other.facts == thing.facts);
        there.iter_mut().find(|other| other.as_ref().is_some_and(fits)).and_then(Option::take)
    };
    let mut pairs: Vec<(Thing, Option<Thing>)> = here
        .into_iter()
        .map(|thing| {
            let equal = take(&thing, true);
            (thing, equal)
        })
        .collect();
    for (thing, other) in pairs.iter_mut().filter(|(_, other)| other.is_none()) {
        *other = take(thing, false);
    }
    let mut lines: Vec<Line> = pairs
        .into_iter()
        .map(|(thing, other)| {
            let change = match &other {
                None => Change::OnlyHere,
                Some(other) if other.facts == thing.facts => Change::Same,
                Some(_) => Change::Changed,
            };
            let by = thing.number.zip(other.as_ref().and_then(|other| other.number));
            Line {
                label: thing.label,
                here: Some(thing.shown),
                there: other.map(|other| other.shown),
                by: by.map(|(here, there)| here - there),
                change,
            }
        })
        .collect();
    lines.extend(there.into_iter().flatten().map(|thing| Line {
        label: thing.label,
        here: None,
        there: Some(thing.shown),
        by: None,
        change: Change::OnlyThere,
    }));
    lines
}

fn budgets(evaluation: &Evaluation) -> Vec<Thing> {
    let points = evaluation.points.map(|points| Thing::of("points", "points", &Value::Int(points)));
    let limited =
        evaluation.values.iter().filter(|value| (value.limit.is_some() || value.headline) && &*value.id != "points");
    points.into_iter().chain(limited.map(|value| Thing::of(&*value.id, &*value.label, &value.value))).collect()
}

fn heads(evaluation: &Evaluation) -> Vec<Thing> {
    let rules = &evaluation.ruleset;
    let mut heads = vec![
        Thing::new("rules", "rules", format!("{} ({} {})", rules.rules_title(), rules.id, rules.version)),
        Thing::new("name", "name", &*evaluation.name),
    ];
    heads.extend(evaluation.state.notes.as_ref().map(|notes| Thing::new("notes", "notes", &**notes)));
    heads
}

fn fields(evaluation: &Evaluation) -> Vec<Thing> {
    let mut things = Vec::new();
    for field in &evaluation.fields {
        let stated = !field.value.is_null();
        match &field.value {
            Value::List(rows) => things.extend(rows.iter().enumerate().map(|(n, row)| {
                Thing::of(format!("{} {n}", field.id), format!("{}, row {}", field.label, n + 1), row)
            })),
            _ if stated && field.applies => {
                things.push(Thing {
                    shown: field.shown.to_string(),
                    ..Thing::of(&*field.id, &*field.label, &field.value)
                });
            }
            // What does not apply counts for nothing, but it stands in the file.
            _ if stated => things.push(Thing {
                shown: format!("{} (does not apply)", field.shown),
                ..Thing::of(&*field.id, &*field.label, &field.value)
            }),
            _ => {}
        }
    }
    things
}

struct Place {
    id: Arc<str>,
    label: Arc<str>,
}

/// The mounts of both, in the ruleset's order; unknown ones and none at all behind them.
fn mounts(here: &Evaluation, there: &Evaluation) -> Vec<Place> {
    let mut mounts: Vec<Place> = Vec::new();
    let known = [here, there].into_iter().flat_map(|one| one.mounts.iter()).map(|mount| (&mount.id, &mount.label));
    let written = [here, there].into_iter().flat_map(|one| one.fits.iter()).map(|fit| (&fit.mount, &fit.mount));
    for (id, label) in known.chain(written) {
        if !mounts.iter().any(|mount| mount.id == *id) {
            mounts.push(Place { id: id.clone(), label: label.clone() });
        }
    }
    mounts
}

fn fits(evaluation: &Evaluation, mount: &str) -> Vec<Thing> {
    let mut things: Vec<Thing> = Vec::new();
    let aboard = evaluation.fits.iter().enumerate().filter(|(_, fit)| *fit.mount == *mount);
    for (n, fit) in aboard {
        let stated = parameters(evaluation, n);
        let said: Vec<String> = stated.iter().filter_map(|parameter| parameter.said.clone()).collect();
        let count = i64::from(fit.count);
        let facts: Vec<Value> = stated.into_iter().map(|parameter| parameter.value).collect();
        let more = if said.is_empty() { String::new() } else { format!(" · {}", said.join(", ")) };
        // Fits that are alike in all but their count are one: four and three are seven.
        if let Some(alike) = things
            .iter_mut()
            .find(|thing| *thing.key == *fit.system && thing.facts[1..] == facts[..] && !per_fit(evaluation, n))
        {
            let count = count + alike.number.unwrap_or(0);
            alike.number = Some(count);
            alike.facts[0] = Value::Int(count);
            alike.shown = format!("{count}{more}");
            continue;
        }
        things.push(Thing {
            key: fit.system.to_string(),
            label: fit.name.to_string(),
            shown: format!("{count}{more}"),
            number: Some(count),
            facts: std::iter::once(Value::Int(count)).chain(facts).collect(),
        });
    }
    things
}

struct Stated {
    value: Value,
    /// `feeds 14`; none where it is what it is without saying.
    said: Option<String>,
}

fn parameters(evaluation: &Evaluation, fit: usize) -> Vec<Stated> {
    let (rules, state) = (&*evaluation.ruleset, &*evaluation.state);
    let Some(fitted) = state.fits.get(fit) else { return Vec::new() };
    let answers = rules.lexicon.answers.len();
    let parameters = rules.systems[fitted.base].parameters.iter();
    parameters
        .map(|parameter| {
            let value = state.answers.get(fit * answers + parameter.answer).cloned().unwrap_or(Value::Null);
            let said = (value != parameter.default).then(|| format!("{} {}", parameter.label, shown(&value)));
            Stated { value, said }
        })
        .collect()
}

/// Whether a fit states something for all of its count: two such are not one.
fn per_fit(evaluation: &Evaluation, fit: usize) -> bool {
    let base = evaluation.state.fits.get(fit).map(|fitted| fitted.base);
    base.is_some_and(|base| evaluation.ruleset.systems[base].parameters.iter().any(|parameter| parameter.per_fit))
}

fn own(evaluation: &Evaluation) -> Vec<Thing> {
    let rules: &Ruleset = &evaluation.ruleset;
    let own = evaluation.state.own.iter().map(|own| {
        let base = &rules.systems[own.base];
        let mut said = vec![format!("like {}", base.name)];
        if own.name != own.id {
            said.push(format!("name {}", own.name));
        }
        if own.abbr != base.abbr {
            said.push(format!("abbr {}", own.abbr));
        }
        if let Some(icon) = own.icon.as_ref().filter(|icon| base.icon.as_ref() != Some(*icon)) {
            said.push(format!("icon {icon}"));
        }
        if own.shape != base.shape {
            said.push(format!("shape {:?}", own.shape).to_lowercase());
        }
        if own.tags != base.tags {
            said.push(format!("tags {}", own.tags.join(" ")));
        }
        if own.mounts != base.mounts {
            let labels = own.mounts.iter().flatten().map(|n| &*rules.mounts[*n].label);
            said.push(format!("mounts {}", labels.collect::<Vec<_>>().join(", ")));
        }
        let mut answers: Vec<(&str, &Value)> =
            own.answers.iter().map(|(answer, value)| (&*rules.lexicon.answers[*answer].id, value)).collect();
        answers.sort_by_key(|(id, _)| *id);
        said.extend(answers.iter().map(|(id, value)| format!("{id} {}", shown(value))));
        let facts = answers.into_iter().map(|(_, value)| value.clone()).chain([Value::text(&said.join("; "))]);
        Thing { facts: facts.collect(), ..Thing::new(&*own.id, &*own.id, said.join("; ")) }
    });
    own.collect()
}

fn values(evaluation: &Evaluation) -> Vec<Thing> {
    let values = evaluation.values.iter().map(|value| {
        let mut thing = Thing::of(&*value.id, &*value.label, &value.value);
        if let Some(limit) = value.limit {
            thing.shown = format!("{} of {limit}", thing.shown);
            thing.facts.push(Value::Int(limit));
        }
        thing
    });
    values.collect()
}

fn costs(evaluation: &Evaluation) -> Vec<Thing> {
    let line = |line: &CostLine| Thing {
        number: Some(line.total),
        facts: [line.count, line.each, line.total].map(Value::Int).to_vec(),
        ..Thing::new(&*line.label, &*line.label, format!("{} × {} = {}", line.count, line.each, line.total))
    };
    evaluation.costs.iter().map(line).collect()
}

fn findings(evaluation: &Evaluation) -> Vec<Thing> {
    let one = |finding: &Finding| {
        let item = finding.at.item.as_deref().map_or_else(String::new, |item| format!(", {item}"));
        let word = if finding.severity == Severity::Info { "note" } else { finding.severity.word() };
        let key = format!("{}{item}", finding.code);
        Thing::new(key, format!("{}{item}", finding.code), format!("{word}: {}", finding.message))
    };
    evaluation.findings.iter().map(one).collect()
}
