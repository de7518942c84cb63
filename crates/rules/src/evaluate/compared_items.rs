//! What a design is compared by: takes an evaluation, gives the items of each part of it: fields and rows, fits by mount,
//! custom systems, values, costs, findings. The order in the file does not matter.

use std::sync::Arc;

use crate::formula::Value;
use crate::ruleset::Ruleset;
use moldloft_base::finding::{Finding, Severity};

use super::state::display_value;
use super::{CostLine, Evaluation};

/// An item of one design: key for matching, label, text, number, and whatever else must be equal.
pub(super) struct ComparedItem {
    pub(super) key: String,
    pub(super) label: String,
    pub(super) text: String,
    pub(super) number: Option<i64>,
    pub(super) facts: Vec<Value>,
}

impl ComparedItem {
    pub(super) fn new(key: impl Into<String>, label: impl Into<String>, shown: impl Into<String>) -> Self {
        let (key, label, shown) = (key.into(), label.into(), shown.into());
        let facts = vec![Value::text(&shown)];
        Self { key, label, text: shown, number: None, facts }
    }

    pub(super) fn from_value(key: impl Into<String>, label: impl Into<String>, value: &Value) -> Self {
        let number = if let Value::Int(number) = value { Some(*number) } else { None };
        Self { number, facts: vec![value.clone()], ..Self::new(key, label, value_text(value)) }
    }
}

/// A dash for what is not there.
pub(super) fn value_text(value: &Value) -> String {
    match display_value(value) {
        text if text.is_empty() || value.is_null() => "–".to_owned(),
        text => text,
    }
}

pub(super) fn budget_items(evaluation: &Evaluation) -> Vec<ComparedItem> {
    let points = evaluation.points.map(|points| ComparedItem::from_value("points", "points", &Value::Int(points)));
    let limited =
        evaluation.values.iter().filter(|value| (value.limit.is_some() || value.headline) && &*value.id != "points");
    points
        .into_iter()
        .chain(limited.map(|value| ComparedItem::from_value(&*value.id, &*value.label, &value.value)))
        .collect()
}

pub(super) fn head_items(evaluation: &Evaluation) -> Vec<ComparedItem> {
    let rules = &evaluation.ruleset;
    let mut heads = vec![
        ComparedItem::new("rules", "rules", format!("{} ({} {})", rules.rules_title(), rules.id, rules.version)),
        ComparedItem::new("name", "name", &*evaluation.name),
    ];
    heads.extend(evaluation.state.notes.as_ref().map(|notes| ComparedItem::new("notes", "notes", &**notes)));
    heads
}

pub(super) fn field_items(evaluation: &Evaluation) -> Vec<ComparedItem> {
    let mut things = Vec::new();
    for field in &evaluation.fields {
        let stated = !field.value.is_null();
        match &field.value {
            Value::List(rows) => things.extend(rows.iter().enumerate().map(|(n, row)| {
                ComparedItem::from_value(format!("{} {n}", field.id), format!("{}, row {}", field.label, n + 1), row)
            })),
            _ if stated && field.applies => {
                things.push(ComparedItem {
                    text: field.text.to_string(),
                    ..ComparedItem::from_value(&*field.id, &*field.label, &field.value)
                });
            }
            // A field that does not apply has no effect, but it is in the file.
            _ if stated => things.push(ComparedItem {
                text: format!("{} (does not apply)", field.text),
                ..ComparedItem::from_value(&*field.id, &*field.label, &field.value)
            }),
            _ => {}
        }
    }
    things
}

pub(super) struct MountLabel {
    pub(super) id: Arc<str>,
    pub(super) label: Arc<str>,
}

/// The mounts of all in the ruleset's order, then unknown mounts and none.
pub(super) fn mounts_of_all(ships: &[&Evaluation]) -> Vec<MountLabel> {
    let mut mounts: Vec<MountLabel> = Vec::new();
    let known = ships.iter().flat_map(|one| one.mounts.iter()).map(|mount| (&mount.id, &mount.label));
    let written = ships.iter().flat_map(|one| one.fits.iter()).map(|fit| (&fit.mount, &fit.mount));
    for (id, label) in known.chain(written) {
        if !mounts.iter().any(|mount| mount.id == *id) {
            mounts.push(MountLabel { id: id.clone(), label: label.clone() });
        }
    }
    mounts
}

pub(super) fn fit_items(evaluation: &Evaluation, mount: &str) -> Vec<ComparedItem> {
    let mut things: Vec<ComparedItem> = Vec::new();
    let aboard = evaluation.fits.iter().enumerate().filter(|(_, fit)| *fit.mount == *mount);
    for (n, fit) in aboard {
        let stated = stated_parameters(evaluation, n);
        let texts: Vec<String> = stated.iter().filter_map(|parameter| parameter.text.clone()).collect();
        let count = i64::from(fit.count);
        let facts: Vec<Value> = stated.into_iter().map(|parameter| parameter.value).collect();
        let more = if texts.is_empty() { String::new() } else { format!(" · {}", texts.join(", ")) };
        // Fits that differ only in their count are combined: four and three are seven.
        if let Some(alike) = things.iter_mut().find(|thing| {
            *thing.key == *fit.system && thing.facts[1..] == facts[..] && !has_per_fit_values(evaluation, n)
        }) {
            let count = count + alike.number.unwrap_or(0);
            alike.number = Some(count);
            alike.facts[0] = Value::Int(count);
            alike.text = format!("{count}{more}");
            continue;
        }
        things.push(ComparedItem {
            key: fit.system.to_string(),
            label: fit.name.to_string(),
            text: format!("{count}{more}"),
            number: Some(count),
            facts: std::iter::once(Value::Int(count)).chain(facts).collect(),
        });
    }
    things
}

struct StatedParameter {
    value: Value,
    /// `feeds 14`; `None` for a default.
    text: Option<String>,
}

fn stated_parameters(evaluation: &Evaluation, fit: usize) -> Vec<StatedParameter> {
    let (rules, state) = (&*evaluation.ruleset, &*evaluation.state);
    let Some(fitted) = state.fits.get(fit) else { return Vec::new() };
    let answers = rules.symbols.attributes.len();
    let parameters = rules.systems[fitted.base].parameters.iter();
    parameters
        .map(|parameter| {
            let value = state.answers.get(fit * answers + parameter.attribute).cloned().unwrap_or(Value::Null);
            let text = (value != parameter.default).then(|| format!("{} {}", parameter.label, display_value(&value)));
            StatedParameter { value, text }
        })
        .collect()
}

/// Whether a fit has a value for its whole count, so that two cannot be combined.
fn has_per_fit_values(evaluation: &Evaluation, fit: usize) -> bool {
    let base = evaluation.state.fits.get(fit).map(|fitted| fitted.base);
    base.is_some_and(|base| evaluation.ruleset.systems[base].parameters.iter().any(|parameter| parameter.per_fit))
}

pub(super) fn custom_system_items(evaluation: &Evaluation) -> Vec<ComparedItem> {
    let rules: &Ruleset = &evaluation.ruleset;
    let own = evaluation.state.custom_systems.iter().map(|own| {
        let base = &rules.systems[own.base];
        let mut facts_text = vec![format!("like {}", base.name)];
        if own.name != own.id {
            facts_text.push(format!("name {}", own.name));
        }
        if own.abbr != base.abbr {
            facts_text.push(format!("abbr {}", own.abbr));
        }
        if let Some(icon) = own.icon.as_ref().filter(|icon| base.icon.as_ref() != Some(*icon)) {
            facts_text.push(format!("icon {icon}"));
        }
        if own.shape != base.shape {
            facts_text.push(format!("shape {:?}", own.shape).to_lowercase());
        }
        if own.tags != base.tags {
            facts_text.push(format!("tags {}", own.tags.join(" ")));
        }
        if own.mounts != base.mounts {
            let labels = own.mounts.iter().flatten().map(|n| &*rules.mounts[*n].label);
            facts_text.push(format!("mounts {}", labels.collect::<Vec<_>>().join(", ")));
        }
        let mut answers: Vec<(&str, &Value)> =
            own.answers.iter().map(|(answer, value)| (&*rules.symbols.attributes[*answer].id, value)).collect();
        answers.sort_by_key(|(id, _)| *id);
        facts_text.extend(answers.iter().map(|(id, value)| format!("{id} {}", display_value(value))));
        let facts = answers.into_iter().map(|(_, value)| value.clone()).chain([Value::text(&facts_text.join("; "))]);
        ComparedItem { facts: facts.collect(), ..ComparedItem::new(&*own.id, &*own.id, facts_text.join("; ")) }
    });
    own.collect()
}

pub(super) fn value_items(evaluation: &Evaluation) -> Vec<ComparedItem> {
    let values = evaluation.values.iter().map(|value| {
        let mut thing = ComparedItem::from_value(&*value.id, &*value.label, &value.value);
        if let Some(limit) = value.limit {
            thing.text = format!("{} of {limit}", thing.text);
            thing.facts.push(Value::Int(limit));
        }
        thing
    });
    values.collect()
}

pub(super) fn cost_items(evaluation: &Evaluation) -> Vec<ComparedItem> {
    let line = |line: &CostLine| ComparedItem {
        number: Some(line.total),
        facts: [line.count, line.each, line.total].map(Value::Int).to_vec(),
        ..ComparedItem::new(&*line.label, &*line.label, format!("{} × {} = {}", line.count, line.each, line.total))
    };
    evaluation.costs.iter().map(line).collect()
}

pub(super) fn finding_items(evaluation: &Evaluation) -> Vec<ComparedItem> {
    let one = |finding: &Finding| {
        let item = finding.at.item.as_deref().map_or_else(String::new, |item| format!(", {item}"));
        let word = if finding.severity == Severity::Info { "note" } else { finding.severity.as_str() };
        let key = format!("{}{item}", finding.code);
        ComparedItem::new(key, format!("{}{item}", finding.code), format!("{word}: {}", finding.message))
    };
    evaluation.findings.iter().map(one).collect()
}
