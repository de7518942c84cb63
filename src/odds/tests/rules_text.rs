//! Attack rules from TOML, over the names of any two scopes.

use std::sync::Arc;

use toml::{Table, Value as Toml};

use crate::formula::{Formula, FormulaError, Scope, TextTemplate, Type, Value};
use crate::source::Span;

use crate::ruleset::*;

/// Scopes of the two ships and further names.
pub struct Names<'s> {
    /// By what `for_each` says.
    pub own: &'s dyn Fn(Option<&str>) -> Box<dyn Scope + 's>,
    pub target: &'s dyn Scope,
    pub more: Vec<ScopedName>,
}

/// An attack's `for_each` beside its rules.
pub struct ReadRules {
    pub rules: AttackRules,
    pub for_each: Vec<Option<String>>,
}

fn span(text: &str) -> Span {
    Span::from(0..text.len())
}

fn list<'t>(table: &'t Table, key: &str) -> Vec<&'t Table> {
    table.get(key).and_then(Toml::as_array).into_iter().flatten().filter_map(Toml::as_table).collect()
}

fn text<'t>(table: &'t Table, key: &str) -> Option<&'t str> {
    table.get(key).and_then(Toml::as_str)
}

fn int(table: &Table, key: &str) -> Option<i64> {
    table.get(key).and_then(Toml::as_integer)
}

fn situation(table: &Table) -> Situation {
    let options = table.get("options").and_then(Toml::as_table);
    let default = table.get("default");
    let (kind, default) = match text(table, "kind").unwrap() {
        "integer" => (
            SituationKind::Integer { min: int(table, "min").unwrap_or(0), max: int(table, "max").unwrap_or(1000) },
            Value::Int(default.and_then(Toml::as_integer).unwrap_or(0)),
        ),
        "flag" => (SituationKind::Flag, Value::Flag(default.and_then(Toml::as_bool).unwrap_or(false))),
        _ => {
            let label = |(id, option): (&String, &Toml)| {
                let label = option.get("label").and_then(Toml::as_str).unwrap_or(id);
                (Arc::from(id.as_str()), Arc::from(label))
            };
            let options = options.unwrap().iter().map(label).collect();
            (SituationKind::Choice(options), Value::text(default.and_then(Toml::as_str).unwrap()))
        }
    };
    let id = text(table, "id").unwrap();
    Situation {
        id: id.into(),
        label: text(table, "label").unwrap_or(id).into(),
        kind,
        default,
        unit: text(table, "unit").unwrap_or_default().into(),
        help: text(table, "help").unwrap_or_default().into(),
        axis: table.get("axis").and_then(Toml::as_bool).unwrap_or(false),
    }
}

/// Reads all attack rules of a text.
pub fn read(toml: &str, names: &Names<'_>) -> Result<ReadRules, FormulaError> {
    let table: Table = toml.parse().unwrap();
    let mut rules = AttackRules::default();
    let mut known = names.more.clone();
    for table in list(&table, "situation") {
        let situation = situation(table);
        let ty = match &situation.kind {
            SituationKind::Integer { .. } => Type::Int,
            SituationKind::Flag => Type::Flag,
            SituationKind::Choice(options) => Type::one_of(options.iter().map(|(id, _)| &**id)),
        };
        let number = u16::try_from(rules.situations.len()).unwrap();
        known.push(ScopedName { name: situation.id.to_string(), slot: situation_slot(number), ty });
        rules.situations.push(situation);
    }
    let gauges = list(&table, "gauge");
    let mut left_names = Vec::new();
    for (number, table) in (0..).zip(&gauges) {
        let id = text(table, "id").unwrap();
        let (size, ty) = match table.get("boxes") {
            Some(Toml::Integer(boxes)) => {
                (GaugeSize::Boxes(Formula::constant(Value::Int(*boxes), Span::default())), Type::Int)
            }
            Some(boxes) => {
                let boxes = boxes.as_str().unwrap();
                let formula = Formula::compile(boxes, span(boxes), names.target, &Type::Any)?;
                let ty = formula.ty.clone();
                (GaugeSize::Boxes(formula), ty)
            }
            None => (GaugeSize::Most(int(table, "most").unwrap()), Type::Int),
        };
        for (whose, variable) in [("left", Variable::Left(number)), ("own", Variable::Own(number))] {
            let name = ScopedName { name: format!("{whose}.{id}"), slot: variable.slot(), ty: ty.clone() };
            if whose == "left" {
                left_names.push(name.clone());
            }
            known.push(name);
        }
        rules.gauges.push(Gauge {
            id: id.into(),
            label: text(table, "label").unwrap_or(id).into(),
            size,
            ends: table.get("ends").and_then(Toml::as_bool).unwrap_or(false),
            at_turn: None,
            at: Span::default(),
        });
    }
    for (gauge, table) in rules.gauges.iter_mut().zip(&gauges) {
        if let Some(at_turn) = text(table, "at_turn") {
            let scope = AttackScope { own: names.target, target: names.target, names: &left_names };
            gauge.at_turn = Some(Formula::compile(at_turn, span(at_turn), &scope, &Type::Any)?);
        }
    }
    let routines = list(&table, "routine");
    let mut for_each = Vec::new();
    for table in list(&table, "attack") {
        let id = text(table, "id").unwrap();
        let each = text(table, "for_each");
        let own = (names.own)(each);
        let mut reader = StepReader {
            own: &*own,
            target: names.target,
            names: known.clone(),
            registers: Vec::new(),
            routines: &routines,
        };
        let when = text(table, "when").map(|when| reader.compile(when, &Type::Flag)).transpose()?;
        let steps = reader.steps(&list(table, "step"))?;
        rules.attacks.push(Attack {
            id: id.into(),
            label: TextTemplate::literal(id, Span::default()),
            when,
            order: int(table, "order").unwrap_or(1),
            every: u32::try_from(int(table, "every").unwrap_or(1)).unwrap(),
            uses: int(table, "uses").map(|uses| u32::try_from(uses).unwrap()),
            leaves_out: text(table, "leaves_out").unwrap_or_default().into(),
            registers: reader.registers.iter().map(|name| Arc::from(name.as_str())).collect(),
            steps,
            at: Span::default(),
        });
        for_each.push(each.map(str::to_owned));
    }
    for table in list(&table, "outcome") {
        let id = text(table, "id").unwrap();
        let formula = text(table, "formula").unwrap();
        let own = (names.own)(None);
        let scope = AttackScope { own: &*own, target: names.target, names: &known };
        rules.outcomes.push(Outcome {
            id: id.into(),
            label: text(table, "label").unwrap_or(id).into(),
            formula: Formula::compile(formula, span(formula), &scope, &Type::Any)?,
            at: Span::default(),
        });
    }
    Ok(ReadRules { rules, for_each })
}

struct StepReader<'r> {
    own: &'r dyn Scope,
    target: &'r dyn Scope,
    names: Vec<ScopedName>,
    registers: Vec<String>,
    routines: &'r [&'r Table],
}

const NOT_NAMES: [&str; 11] =
    ["label", "id", "when", "repeat", "use", "each", "assumed", "derived", "house", "left", "own"];

impl StepReader<'_> {
    fn compile(&self, text: &str, want: &Type) -> Result<Formula, FormulaError> {
        let scope = AttackScope { own: self.own, target: self.target, names: &self.names };
        Formula::compile(text, span(text), &scope, want)
    }

    fn steps(&mut self, tables: &[&Table]) -> Result<Vec<Step>, FormulaError> {
        let mut steps = Vec::new();
        for table in tables {
            if let Some(routine) = text(table, "use") {
                let routine = self.routines.iter().find(|table| text(table, "id") == Some(routine)).unwrap();
                let mut inner = self.steps(&list(routine, "step"))?;
                steps.append(&mut inner);
                continue;
            }
            let optional = |key: &str, want: &Type| match table.get(key) {
                Some(Toml::Integer(number)) => Ok(Some(Formula::constant(Value::Int(*number), Span::default()))),
                Some(formula) => self.compile(formula.as_str().unwrap(), want).map(Some),
                None => Ok(None),
            };
            let when = optional("when", &Type::Flag)?;
            let repeat = optional("repeat", &Type::Int)?;
            let mut set: Vec<(String, String)> = Vec::new();
            for (key, value) in table.iter() {
                match (key.as_str(), value) {
                    ("left" | "own", Toml::Table(gauges)) => {
                        set.extend(
                            gauges
                                .iter()
                                .map(|(gauge, value)| (format!("{key}.{gauge}"), value.as_str().unwrap().to_owned())),
                        );
                    }
                    (name, Toml::String(formula)) if !NOT_NAMES.contains(&name) => {
                        set.push((name.to_owned(), formula.clone()));
                    }
                    _ => {}
                }
            }
            let mut assignments = Vec::new();
            let mut new = Vec::new();
            for (name, formula) in set {
                let formula = self.compile(&formula, &Type::Any)?;
                let known = self.names.iter().find(|known| known.name == name);
                let variable = match known.map(|known| Variable::from_slot(known.slot)) {
                    Some(variable) => variable.unwrap_or_else(|| panic!("`{name}` cannot be set")),
                    None => {
                        let number = self.registers.iter().position(|known| *known == name).unwrap_or_else(|| {
                            self.registers.push(name.clone());
                            self.registers.len() - 1
                        });
                        let variable = Variable::Register(u16::try_from(number).unwrap());
                        new.push(ScopedName { name, slot: variable.slot(), ty: formula.ty.clone() });
                        variable
                    }
                };
                assignments.push(Assignment { variable, formula });
            }
            self.names.append(&mut new);
            let before = self.names.len();
            let each = self.steps(&list(table, "each"))?;
            self.names.truncate(before);
            steps.push(Step {
                label: text(table, "label").map(Arc::from),
                when,
                assignments,
                repeat,
                each,
                at: Span::default(),
            });
        }
        Ok(steps)
    }
}
