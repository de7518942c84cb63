//! The fix of a finding: takes an evaluation and one of its findings, gives the edits and a sentence about them. Only certain ones: the fix
//! that the ruleset gives a check, the near word, the nearest bound.

use std::sync::Arc;

use crate::formula::{Formula, Type, Value};
use crate::ruleset::{ColumnKind, FieldDef, FieldKind, FixDef, Ruleset, shorten};
use moldloft_base::finding::{DesignEdit, DesignPart, FindingFix, Scalar};

use super::Evaluation;
use super::state::{FiredCheck, ItTarget, ResolvedFit, ShipState, StateView};
use super::work_budget::WorkBudget;

/// What puts a finding right.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct QuickFix {
    /// Never empty; all of them are made, or none.
    pub edits: Vec<DesignEdit>,
    /// As an instruction: `set feeds of the missile magazine in core to 14`.
    pub sentence: String,
}

/// The fix of a finding, by its index in `Evaluation::findings`. `None` where a player has to choose, or no fix is certain.
pub fn quick_fix(evaluation: &Evaluation, finding: usize) -> Option<QuickFix> {
    let mut steps = match evaluation.findings.get(finding)?.fix() {
        FindingFix::None => return None,
        FindingFix::Edits(steps) => steps.clone(),
        FindingFix::Check(fired) => {
            let FiredCheck { check, target, row } = *evaluation.state.fired_checks.get(*fired)?;
            let fix = evaluation.ruleset.checks.get(check)?.scope.fix.as_ref()?;
            QuickFixBuilder { evaluation, rules: &evaluation.ruleset, fix, of: target, row }.edits()?
        }
    };
    // Removing a fit shifts later ones, so remove the last first, after everything else.
    steps.sort_by_key(|step| if let DesignEdit::RemoveFit { fit } = step { u32::MAX - fit } else { 0 });
    (!steps.is_empty()).then(|| QuickFix { sentence: describe_edits(evaluation, &steps), edits: steps })
}

/// Edits of an evaluated design as an instruction: `remove the laser in port`.
pub fn describe_edits(evaluation: &Evaluation, edits: &[DesignEdit]) -> String {
    edits.iter().map(|edit| describe_edit(evaluation, edit)).collect::<Vec<_>>().join(" and ")
}

struct QuickFixBuilder<'a> {
    evaluation: &'a Evaluation,
    rules: &'a Ruleset,
    fix: &'a FixDef,
    of: ItTarget,
    /// For a row: its index in the file.
    row: usize,
}

impl QuickFixBuilder<'_> {
    fn edits(&self) -> Option<Vec<DesignEdit>> {
        let state = &*self.evaluation.state;
        let mut steps = Vec::new();
        match (self.fix.system, self.of) {
            (Some(system), _) => {
                let here = if let ItTarget::Mount(mount) = self.of { Some(mount) } else { None };
                let mounts: Vec<Option<usize>> = match (&*self.fix.mounts, here) {
                    ([], here) => vec![here],
                    (mounts, _) => mounts.iter().map(|mount| Some(*mount)).collect(),
                };
                for mount in mounts {
                    match self.fit_to_change(system, mount) {
                        Some(fit) => self.push_fit_edits(state, fit, &mut steps)?,
                        None => steps.push(self.add_edit(system, mount)?),
                    }
                }
            }
            (None, ItTarget::Fit(fit)) => {
                if let Some(mount) = self.fix.mounts.first() {
                    steps.push(self.move_edit(fit, *mount)?);
                }
                self.push_fit_edits(state, fit, &mut steps)?;
            }
            (None, of) => {
                for (key, formula) in &self.fix.set {
                    let value = self.eval_value(state, formula, of)?;
                    steps.extend(self.cell_edit(of, key, &value).or_else(|| self.field_edit(key, &value))?);
                }
            }
        }
        Some(steps)
    }

    /// The check's own fit if it is one, else the first.
    fn fit_to_change(&self, system: usize, mount: Option<usize>) -> Option<usize> {
        let fits = &self.evaluation.state.fits;
        let is_one = |fit: &ResolvedFit| self.rules.systems[fit.base].kinds.contains(&system);
        let fitting = |n: &usize| is_one(&fits[*n]) && mount.is_none_or(|mount| fits[*n].mount == Some(mount));
        let own = if let ItTarget::Fit(n) = self.of { Some(n) } else { None };
        own.filter(fitting).or_else(|| (0..fits.len()).find(fitting))
    }

    fn eval_value(&self, state: &ShipState, formula: &Formula, of: ItTarget) -> Option<Value> {
        let effort = WorkBudget::for_text();
        formula
            .eval(&StateView::new(self.rules, state, &self.evaluation.ship, of, &effort))
            .ok()
            .filter(|value| !value.is_null())
    }

    fn file_index(&self, fit: usize) -> u32 {
        self.evaluation.fits[fit].index
    }

    /// Edits of a fit's count and parameters; those without effect are left out.
    fn push_fit_edits(&self, state: &ShipState, fit: usize, steps: &mut Vec<DesignEdit>) -> Option<()> {
        let of = ItTarget::Fit(fit);
        let fitted = &state.fits[fit];
        if let Some(count) = &self.fix.count {
            match self.eval_value(state, count, of)? {
                Value::Int(0) => {
                    steps.push(DesignEdit::RemoveFit { fit: self.file_index(fit) });
                    return Some(());
                }
                Value::Int(count) if count == fitted.count => {}
                Value::Int(count) if (1..=i64::from(crate::design::MAX_COUNT)).contains(&count) => {
                    let value = Scalar::Number(count);
                    steps.push(DesignEdit::SetFit { fit: self.file_index(fit), key: "count".into(), value });
                }
                _ => return None,
            }
        }
        for (key, formula) in &self.fix.set {
            let value = self.eval_value(state, formula, of)?;
            match self.parameter_value(fitted.base, key, &value) {
                Some(_) if self.current_answer(state, fit, key) == Some(&value) => {}
                Some(value) => steps.push(DesignEdit::SetFit { fit: self.file_index(fit), key: key.clone(), value }),
                None => steps.extend(self.field_edit(key, &value)?),
            }
        }
        Some(())
    }

    fn current_answer<'s>(&self, state: &'s ShipState, fit: usize, key: &str) -> Option<&'s Value> {
        let answer = self.rules.symbols.attribute(key)?;
        state.answers.get(fit * self.rules.symbols.attributes.len() + answer)
    }

    fn move_edit(&self, fit: usize, mount: usize) -> Option<DesignEdit> {
        let face = self.evaluation.state.system(self.rules, self.evaluation.state.fits[fit].system);
        let taken = face.mounts.as_ref().is_none_or(|mounts| mounts.contains(&mount));
        let value = Scalar::Text(self.rules.mounts.get(mount)?.id.clone());
        taken.then(|| DesignEdit::SetFit { fit: self.file_index(fit), key: "mount".into(), value })
    }

    /// A new fit; its formulas see an empty fit of the system.
    fn add_edit(&self, system: usize, mount: Option<usize>) -> Option<DesignEdit> {
        let rule = &self.rules.systems[system];
        if rule.is_abstract {
            return None;
        }
        let shown = |mount: &usize| self.evaluation.mounts[*mount].applies;
        let mount = match (&rule.mounts, mount) {
            (Some(mounts), Some(mount)) if !mounts.contains(&mount) => return None,
            (_, Some(mount)) => Some(mount),
            (Some(mounts), None) => Some(*mounts.iter().find(|mount| shown(mount)).or(mounts.first())?),
            (None, None) => (0..self.rules.mounts.len()).find(shown),
        };
        let mount_id: Arc<str> = mount.map_or_else(|| "".into(), |mount| self.rules.mounts[mount].id.clone());
        let mut state = (*self.evaluation.state).clone();
        let row = state.answers.len();
        state.answers.resize(row + self.rules.symbols.attributes.len(), Value::Null);
        for parameter in &rule.parameters {
            state.answers[row + parameter.attribute] = parameter.default.clone();
        }
        let place = state.fits.len();
        let fitted = ResolvedFit {
            system,
            base: system,
            mount,
            mount_id: mount_id.clone(),
            count: 0,
            index: place,
            stated_parameters: Vec::new(),
        };
        state.fits.push(fitted);
        let of = ItTarget::Fit(place);
        let count = match &self.fix.count {
            Some(count) => match self.eval_value(&state, count, of)? {
                Value::Int(count) => {
                    u32::try_from(count).ok().filter(|n| (1..=crate::design::MAX_COUNT).contains(n))?
                }
                _ => return None,
            },
            None => 1,
        };
        let mut parameters = Vec::new();
        for (key, formula) in &self.fix.set {
            let value = self.eval_value(&state, formula, of)?;
            parameters.push((key.clone(), self.parameter_value(system, key, &value)?));
        }
        Some(DesignEdit::AddFit { system: rule.id.clone(), mount: mount.map(|_| mount_id), count, parameters })
    }

    fn parameter_value(&self, system: usize, key: &str, value: &Value) -> Option<Scalar> {
        let parameter = self.rules.systems[system].parameters.iter().find(|parameter| *parameter.id == *key)?;
        match (&parameter.ty, value) {
            (Type::Int, Value::Int(number)) => in_range(*number, parameter.min, parameter.max),
            (Type::Flag, Value::Flag(flag)) => Some(Scalar::Flag(*flag)),
            (Type::Text(words), Value::Text(text)) => {
                let known = words.as_ref().is_none_or(|words| words.contains(text));
                known.then(|| Scalar::Text(text.clone()))
            }
            _ => None,
        }
    }

    /// The edit that sets a field, if the value is allowed; `Some(None)` if it has that value.
    fn field_edit(&self, key: &str, value: &Value) -> Option<Option<DesignEdit>> {
        let n = self.rules.fields.iter().position(|field| *field.id == *key)?;
        let FieldDef { id, kind, .. } = &self.rules.fields[n];
        let plain = match (kind, value) {
            (FieldKind::Integer { min, max }, Value::Int(number)) => in_range(*number, *min, *max)?,
            (FieldKind::Flag, Value::Flag(flag)) => Scalar::Flag(*flag),
            (FieldKind::Text, Value::Text(text)) => Scalar::Text(text.clone()),
            (FieldKind::Choice(choice), Value::Text(text)) => {
                Scalar::Text(choice.options.iter().find(|option| option.id == *text)?.id.clone())
            }
            _ => return None,
        };
        let changes = self.evaluation.state.fields.get(n) != Some(value);
        Some(changes.then(|| DesignEdit::SetField { field: id.clone(), value: plain }))
    }

    /// The edit that sets a column of the check's own row, if it has one.
    fn cell_edit(&self, of: ItTarget, key: &str, value: &Value) -> Option<Option<DesignEdit>> {
        let ItTarget::Row(field, _) = of else { return None };
        let FieldDef { id, kind, .. } = &self.rules.fields[field];
        let FieldKind::Rows(columns) = kind else { return None };
        let column = columns.iter().find(|column| *column.id == *key)?;
        let plain = match (&column.kind, value) {
            (ColumnKind::Integer { min, max }, Value::Int(number)) => in_range(*number, *min, *max)?,
            (ColumnKind::Flag, Value::Flag(flag)) => Scalar::Flag(*flag),
            (ColumnKind::Integer { .. } | ColumnKind::Flag, _) => return None,
            (_, Value::Text(text)) => Scalar::Text(text.clone()),
            _ => return None,
        };
        Some(Some(DesignEdit::SetCell { field: id.clone(), row: self.row, column: column.id.clone(), value: plain }))
    }
}

fn in_range(number: i64, min: Option<i64>, max: Option<i64>) -> Option<Scalar> {
    let fits = min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max);
    fits.then_some(Scalar::Number(number))
}

fn describe_edit(evaluation: &Evaluation, step: &DesignEdit) -> String {
    let rules = &evaluation.ruleset;
    let mount =
        |id: &str| rules.mounts.iter().find(|mount| *mount.id == *id).map_or(id, |mount| &*mount.label).to_owned();
    let system =
        |id: &str| rules.systems.iter().find(|system| *system.id == *id).map_or(id, |system| &*system.name).to_owned();
    let field = |id: &str| rules.fields.iter().find(|field| *field.id == *id);
    let fit = |index: &u32| evaluation.fits.iter().find(|fit| fit.index == *index);
    let the = |index: &u32| match fit(index) {
        Some(fit) if fit.mount.is_empty() => format!("the {}", fit.name),
        Some(fit) => format!("the {} in {}", fit.name, mount(&fit.mount)),
        None => match evaluation.design().and_then(|design| design.fits.iter().find(|fit| fit.index == *index)) {
            Some(fit) => {
                let place = fit.mount.as_ref().map_or_else(String::new, |word| format!(" in {}", mount(&word.text)));
                format!("the {}{place}", shorten(&fit.system.text))
            }
            None => format!("fit {}", u64::from(*index) + 1),
        },
    };
    let parameter = |system: &str, key: &str| {
        let own = evaluation.state.custom_systems.iter().find(|own| *own.id == *system).map(|own| own.base);
        let number = own.or_else(|| rules.systems.iter().position(|known| *known.id == *system));
        let parameter = number.and_then(|n| rules.systems[n].parameters.iter().find(|known| *known.id == *key));
        parameter.map_or(key, |parameter| &*parameter.label).to_owned()
    };
    match step {
        DesignEdit::SetField { field: id, value } => {
            let label = field(id).map_or(&**id, |field| &*field.label);
            let shown = match (field(id).map(|field| &field.kind), value) {
                (Some(FieldKind::Choice(choice)), Scalar::Text(word)) => {
                    choice.options.iter().find(|option| option.id == *word).map(|option| option.label.to_string())
                }
                _ => None,
            };
            format!("set {label} to {}", shown.unwrap_or_else(|| scalar_text(value)))
        }
        DesignEdit::SetCell { field: id, row, column, value } => {
            let rows = field(id);
            let label = rows.map_or(&**id, |field| &*field.label);
            let columns =
                if let Some(FieldKind::Rows(columns)) = rows.map(|field| &field.kind) { &**columns } else { &[] };
            let column = columns.iter().find(|known| known.id == *column).map_or(&**column, |column| &*column.label);
            format!("set {column} in row {} of the {label} to {}", row + 1, scalar_text(value))
        }
        DesignEdit::SetFit { fit: index, key, value } => match (&**key, value) {
            ("mount", Scalar::Text(to)) => match fit(index) {
                Some(fit) if !fit.mount.is_empty() && fit.placed => {
                    format!("move the {} from {} to {}", fit.name, mount(&fit.mount), mount(to))
                }
                Some(fit) => format!("put the {} in {}", fit.name, mount(to)),
                None => format!("put {} in {}", the(index), mount(to)),
            },
            ("system", Scalar::Text(to)) => format!("change {} to {}", the(index), system(to)),
            _ => {
                let label = fit(index).map_or_else(|| key.to_string(), |fit| parameter(&fit.system, key));
                format!("set {label} of {} to {}", the(index), scalar_text(value))
            }
        },
        DesignEdit::SetCustomSystem { system, key, value } => {
            format!("set {key} of {system} to {}", scalar_text(value))
        }
        DesignEdit::AddFit { system: id, mount: place, count, parameters } => {
            let place = place.as_ref().map_or_else(String::new, |place| format!(" in {}", mount(place)));
            let stated: Vec<String> = parameters
                .iter()
                .map(|(key, value)| format!("{} {}", parameter(id, key), scalar_text(value)))
                .collect();
            let with = if stated.is_empty() { String::new() } else { format!(" with {}", stated.join(", ")) };
            format!("add {count} {}{place}{with}", system(id))
        }
        DesignEdit::RemoveFit { fit: index } => format!("remove {}", the(index)),
        DesignEdit::RemoveKey { part: of, key } => match of {
            DesignPart::Fit(index) => format!("remove `{key}` from {}", the(index)),
            DesignPart::Row { field: id, row } => {
                let label = field(id).map_or(&**id, |field| &*field.label);
                format!("remove `{key}` from row {} of the {label}", row + 1)
            }
            DesignPart::CustomSystem(system) => format!("remove `{key}` from {system}"),
            _ => format!("remove `{key}`"),
        },
    }
}

fn scalar_text(value: &Scalar) -> String {
    match value {
        Scalar::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
        other => crate::ruleset::shorten(&other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{Design, Document, Ship};
    use crate::evaluate::evaluate;
    use moldloft_base::source::Source;

    const RULES: &str = r#"
        ruleset = { id = "raft", title = "Rafts", version = "1", schema = 1 }
        attributes = { mass = 0 }
        field = [
          { id = "sail", kind = "flag" },
          { id = "crew", kind = "integer", min = 1, max = 6, default = 2 },
          { id = "wood", kind = "choice", options = { oak = { label = "old oak" }, pine = {} }, default = "oak" },
          { id = "log", kind = "rows", columns = [{ id = "day", kind = "integer", default = 1 }, { id = "at", kind = "mount" }] },
        ]
        mount = [{ id = "bow" }, { id = "stern" }]
        system = [
          { id = "oar", mass = 2, mounts = ["stern"], parameters = { blades = { default = 1, min = 1, max = 4 } } },
          { id = "cat" },
        ]
        check = [
          { code = "a-cat", severity = "info", for_each = "system cat", fails_when = "true", message = "meow", rule = "cats" },
          { code = "blades", severity = "warning", for_each = "fit oar", fails_when = "it.blades > 2", message = "m", fix = { set = { blades = 2, crew = "it.count" } } },
          { code = "empty", severity = "error", for_each = "mount bow", fails_when = "not count(mount=it.id)", message = "m", fix = { system = "cat" } },
          { code = "days", severity = "error", for_each = "log", fails_when = "it.day < 1", message = "m", fix = { set = { day = 1 } } },
          { code = "crewless", severity = "error", fails_when = "crew < 2", message = "m", at = "field crew", fix = { set = { crew = 99 } } },
          { code = "odd", severity = "error", fails_when = "sail", message = "m", at = "system oar", fix = { system = "oar", count = "it.count - 99" } },
        ]
    "#;

    fn ship(text: &str) -> Evaluation {
        let (rules, findings) = Ruleset::load(&Source::new("raft.toml", RULES));
        let rules = Arc::new(rules.unwrap_or_else(|| panic!("{findings:?}")));
        let text = format!("ruleset = 'raft'\n{text}");
        evaluate(&rules, &Design::read(&Source::new("x.toml", &text)).unwrap(), &Ship::default())
    }

    fn found(text: &str) -> Vec<(String, DesignPart, Option<String>)> {
        let ship = ship(text);
        let each = ship.findings.iter().enumerate();
        each.map(|(n, finding)| {
            (finding.code.to_string(), finding.subject().clone(), quick_fix(&ship, n).map(|fix| fix.sentence))
        })
        .collect()
    }

    fn one(text: &str) -> (String, DesignPart, Option<String>) {
        let cat = "[[fit]]\nsystem = 'cat'\nmount = 'bow'\n";
        let mut found = found(&format!("name = 'x'\n{text}\n{cat}"));
        found.retain(|(code, ..)| code != "a-cat");
        assert_eq!(found.len(), 1, "{found:?}");
        found.remove(0)
    }

    fn expected(code: &str, subject: DesignPart, fix: &str) -> (String, DesignPart, Option<String>) {
        (code.to_owned(), subject, Some(fix.to_owned()))
    }

    #[test]
    fn faults_of_the_file_say_what_they_concern_and_how_they_are_mended() {
        let field = |field: &str| DesignPart::Field(field.into());
        let row = |row| DesignPart::Row { field: "log".into(), row };
        for (text, wanted) in [
            ("[fields]\ncrew = 9", expected("value-out-of-range", field("crew"), "set crew to 6")),
            ("[fields]\ncrew = '3'", expected("wrong-type", field("crew"), "set crew to 3")),
            ("[fields]\nsail = 'no'", expected("wrong-type", field("sail"), "set sail to no")),
            ("[fields]\nwood = 'oka'", expected("unknown-option", field("wood"), "set wood to old oak")),
            ("[fields]\ncrow = 3", expected("unknown-field", field("crow"), "set crew to 3 and remove `crow`")),
            ("[fields]\ncrew = 2\ncrow = 3", expected("unknown-field", field("crow"), "remove `crow`")),
            ("[fields]\nlog = [3, { at = 'bwo' }]", expected("x", row(1), "set at in row 2 of the log to bow")),
            ("[[fit]]\nsystem = 'oar'", expected("missing-mount", DesignPart::Fit(0), "put the oar in stern")),
            (
                "[[fit]]\nsystem = 'oar'\nmount = 'bow'",
                expected("mount-not-allowed", DesignPart::Fit(0), "move the oar from bow to stern"),
            ),
            (
                "[[fit]]\nsystem = 'oer'\nmount = 'stern'",
                expected("unknown-system", DesignPart::Fit(0), "change the oer in stern to oar"),
            ),
            (
                "[[fit]]\nsystem = 'oar'\nmount = 'stren'",
                expected("unknown-mount", DesignPart::Fit(0), "put the oar in stern"),
            ),
            (
                "[[fit]]\nsystem = 'oar'\nmount = 'stern'\nblads = 2",
                expected(
                    "unknown-parameter",
                    DesignPart::Fit(0),
                    "set blades of the oar in stern to 2 and remove `blads` from the oar in stern",
                ),
            ),
            (
                "[[fit]]\nsystem = 'oar'\nmount = 'stern'\ncount = -2",
                expected("value-out-of-range", DesignPart::Fit(0), "set count of the oar in stern to 0"),
            ),
            (
                "[[system]]\nid = 'big'\nlike = 'oer'",
                expected("unknown-system", DesignPart::CustomSystem("big".into()), "set like of big to oar"),
            ),
            ("beard = 3", expected("unknown-key", DesignPart::TopKey("beard".into()), "remove `beard`")),
        ] {
            if wanted.0 == "x" {
                // The row before it is not a table: rows count as in the file.
                assert!(
                    found(&format!("name = 'x'\n{text}")).iter().any(|one| one.1 == wanted.1 && one.2 == wanted.2),
                    "{text}"
                );
            } else {
                assert_eq!(one(text), wanted, "{text}");
            }
        }
        assert_eq!(found("").iter().find(|one| one.0 == "missing-name").unwrap().1, DesignPart::TopKey("name".into()));
    }

    #[test]
    fn checks_say_what_they_concern_and_how_they_are_mended() {
        let text = "name = 'x'\n[fields]\nsail = true\ncrew = 1\nlog = [{ day = 0, at = 'bow' }]\n[[fit]]\nsystem = 'oar'\nmount = 'stern'\n\
                    count = 2\nblades = 4\n[[fit]]\nsystem = 'cat'\nmount = 'stern'\n";
        let mut found = found(text);
        found.sort();
        let fixed = |fix: &str| Some(fix.to_owned());
        let wanted = [
            ("a-cat", DesignPart::System("cat".into()), None),
            ("blades", DesignPart::Fit(0), fixed("set blades of the oar in stern to 2 and set crew to 2")),
            ("crewless", DesignPart::Field("crew".into()), None),
            ("days", DesignPart::Row { field: "log".into(), row: 0 }, fixed("set day in row 1 of the log to 1")),
            ("empty", DesignPart::Mount("bow".into()), fixed("add 1 cat in bow")),
            ("odd", DesignPart::Fit(0), None),
        ];
        assert_eq!(found, wanted.map(|(code, subject, mend)| (code.to_owned(), subject, mend)));
    }

    #[test]
    fn steps_are_carried_out_together_or_not_at_all() {
        let mut document =
            Document::parse("[[fit]]\nsystem = 'a'\n[[fit]]\nsystem = 'b'\n[[system]]\nid = 'b'\n").unwrap();
        let own =
            |id: &str| DesignEdit::SetCustomSystem { system: id.into(), key: "mass".into(), value: Scalar::Number(3) };
        let before = document.to_text();
        assert!(document.apply_edits(&[DesignEdit::RemoveFit { fit: 1 }, own("nobody")]).is_err());
        assert_eq!(document.to_text(), before);
        document.apply_edits(&[own("b"), DesignEdit::RemoveFit { fit: 1 }, DesignEdit::RemoveFit { fit: 0 }]).unwrap();
        assert_eq!(document.to_text().trim(), "[[system]]\nid = 'b'\nmass = 3");
    }
}
