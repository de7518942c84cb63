//! Generates designs to try a ruleset with: takes a ruleset and designs, gives one design at a time, always in the same
//! order: the smallest, one with one of everything, and the game's own with a few changes, all within the limits of
//! fields, systems and parameters.

use std::sync::Arc;

use moldloft_base::source::toml::{TomlEntry, TomlNode, TomlTable, TomlValue};
use moldloft_base::source::{Source, Span};
use moldloft_rules::design::{CustomSystem, Design, Fit, SpannedText};
use moldloft_rules::formula::{Type, Value};
use moldloft_rules::ruleset::{ColumnKind, FieldColumn, FieldKind, ParameterDef, Ruleset, SystemDef};

/// The most fits of a design generated from nothing.
const MAX_FITS: u64 = 12;
/// The most systems in a design with one of each.
const MAX_SYSTEMS_AT_ONCE: usize = 200;

/// The whole numbers in a ruleset's formulas and their neighbours, where conditions change.
fn formula_numbers(rules: &Ruleset) -> Vec<i64> {
    let mut numbers: Vec<i64> = (0..=8).collect();
    for formula in rules.all_formulas().iter().flat_map(|entry| entry.part.formula_sources()) {
        for word in formula.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            if let Some(number) = word.parse::<i64>().ok().filter(|&number| number < 1_000) {
                numbers.extend([number - 1, number, number + 1]);
            }
        }
    }
    numbers.retain(|&number| number >= 0);
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// The first designs that are generated for a ruleset and its samples: the same ones each time.
pub fn generated_designs(rules: &Ruleset, samples: &[Design], count: usize) -> Vec<Design> {
    let mut generator = DesignGenerator::new(rules, samples);
    let first = [generator.minimal_design(), generator.one_of_each()];
    let rest = std::iter::repeat_with(|| generator.generate());
    first.into_iter().chain(rest).take(count).collect()
}

pub(super) struct DesignGenerator<'r> {
    rules: &'r Ruleset,
    bases: Vec<Design>,
    numbers: Vec<i64>,
    state: u64,
    generated: usize,
}

impl<'r> DesignGenerator<'r> {
    pub(super) fn new(rules: &'r Ruleset, samples: &[Design]) -> Self {
        let bases = samples.iter().take(MAX_SYSTEMS_AT_ONCE).cloned().collect();
        let mut generator =
            Self { rules, bases, numbers: formula_numbers(rules), state: 0x9e37_79b9_7f4a_7c15, generated: 0 };
        let each = generator.one_of_each();
        generator.bases.push(each);
        generator
    }

    /// A design generated from nothing, or one of the game's with up to four changes.
    pub(super) fn generate(&mut self) -> Design {
        self.generated += 1;
        if self.generated.is_multiple_of(3) {
            return self.random_design();
        }
        let mut design = self.bases[self.generated % self.bases.len()].clone();
        for _ in 0..=self.random_below(4) {
            self.change_design(&mut design);
        }
        design
    }

    /// A number less than `most`.
    fn random_below(&mut self, most: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) % most.max(1)
    }

    fn pick<'p, T>(&mut self, list: &'p [T]) -> Option<&'p T> {
        let place = self.random_below(list.len() as u64) as usize;
        list.get(place)
    }

    fn chance(&mut self, of: u64) -> bool {
        self.random_below(of) == 0
    }

    fn random_number(&mut self, min: Option<i64>, max: Option<i64>) -> i64 {
        let (least, most) = (min.unwrap_or(0), max.unwrap_or(i64::MAX).min(min.unwrap_or(0).saturating_add(2_000)));
        match self.random_below(8) {
            0 => least,
            1 => most.min(least.saturating_add(60)),
            2 if max.is_some() => most,
            3 | 4 => least.saturating_add(self.random_below(most.saturating_sub(least).clamp(0, 20) as u64 + 1) as i64),
            _ => {
                let known: Vec<i64> = self.numbers.iter().copied().filter(|n| (least..=most).contains(n)).collect();
                self.pick(&known).copied().unwrap_or(least)
            }
        }
    }

    fn random_count(&mut self) -> u32 {
        match self.random_below(6) {
            0 => 1,
            1 => self.random_below(4) as u32,
            2 => 1 + self.random_below(60) as u32,
            _ => 1 + self.random_below(9) as u32,
        }
    }

    fn empty_design(&self) -> Design {
        let mut design = Design::empty(Source::new("a generated design", ""));
        design.ruleset = Some(spanned_text(&self.rules.id));
        design.name = Some(spanned_text(&Arc::from("Trial")));
        design
    }

    /// Only the required fields.
    pub(super) fn minimal_design(&mut self) -> Design {
        let mut design = self.empty_design();
        for field in &self.rules.fields {
            if field.default == Value::Null
                && field.shown_when.is_none()
                && let Some(data) = self.random_field(&field.kind)
            {
                design.fields.push(new_entry(&field.id, data));
            }
        }
        design
    }

    /// One of each system, and a custom system of each abstract kind.
    pub(super) fn one_of_each(&mut self) -> Design {
        let mut design = self.minimal_design();
        for n in 0..self.rules.systems.len().min(MAX_SYSTEMS_AT_ONCE) {
            if self.rules.systems[n].is_abstract {
                self.add_custom_system(&mut design, n);
            }
        }
        for system in self.rules.systems.iter().filter(|system| !system.is_abstract).take(MAX_SYSTEMS_AT_ONCE) {
            let mut fit = self.random_fit(system);
            fit.count = 1;
            design.fits.push(fit);
        }
        reindex(&mut design);
        design
    }

    fn random_design(&mut self) -> Design {
        let mut design = self.empty_design();
        for field in &self.rules.fields {
            let must = field.default == Value::Null;
            if (must || self.chance(2))
                && let Some(data) = self.random_field(&field.kind)
            {
                design.fields.push(new_entry(&field.id, data));
            }
        }
        for _ in 0..self.random_below(MAX_FITS) {
            self.add_fit(&mut design);
        }
        reindex(&mut design);
        design
    }

    fn add_fit(&mut self, design: &mut Design) {
        let kinds: Vec<usize> = (0..self.rules.systems.len()).filter(|&n| self.rules.systems[n].is_open()).collect();
        if !kinds.is_empty()
            && self.chance(2)
            && let Some(&kind) = self.pick(&kinds)
        {
            return self.add_custom_system(design, kind);
        }
        let systems: Vec<&SystemDef> = self.rules.systems.iter().filter(|system| !system.is_abstract).collect();
        if let Some(&system) = self.pick(&systems) {
            let fit = self.random_fit(system);
            design.fits.push(fit);
        }
    }

    /// Adds a custom system and some fits of it.
    fn add_custom_system(&mut self, design: &mut Design, kind: usize) {
        let rules = self.rules;
        let system = &rules.systems[kind];
        let id: Arc<str> = format!("trial-{}", design.systems.len() + 1).into();
        let mut keys = Vec::new();
        for attribute in rules.symbols.attributes.iter().filter(|attribute| attribute.default.is_some()) {
            if self.chance(2) {
                let data = match &attribute.ty {
                    Type::Flag => TomlValue::Flag(self.chance(2)),
                    Type::Text(Some(words)) => {
                        TomlValue::Text(self.pick(words).map_or(String::new(), |w| w.to_string()).into())
                    }
                    Type::Text(None) => TomlValue::Text("trial".into()),
                    Type::List(_) => TomlValue::List(
                        (0..self.random_below(4)).map(|n| new_node(TomlValue::Int(n as i64 + 1))).collect(),
                    ),
                    _ => TomlValue::Int(self.random_number(None, None)),
                };
                keys.push(new_entry(&attribute.id, data));
            }
        }
        design.systems.push(CustomSystem {
            id: spanned_text(&id),
            like: Some(spanned_text(&system.id)),
            keys,
            span: Span::default(),
        });
        let mut fit = self.random_fit(system);
        fit.system = spanned_text(&id);
        design.fits.push(fit);
    }

    fn random_fit(&mut self, system: &SystemDef) -> Fit {
        let all: Vec<usize> = (0..self.rules.mounts.len()).collect();
        let mounts = system.mounts.as_deref().unwrap_or(&all);
        let mount = self.pick(mounts).map(|&mount| spanned_text(&self.rules.mounts[mount].id));
        let mut parameters = Vec::new();
        for parameter in &system.parameters {
            if parameter.default == Value::Null || !self.chance(3) {
                let data = self.random_parameter(parameter);
                parameters.push(new_entry(&parameter.id, data));
            }
        }
        let count = self.random_count();
        Fit {
            index: 0,
            system: spanned_text(&system.id),
            mount,
            count,
            written_count: count.into(),
            parameters,
            span: Span::default(),
        }
    }

    fn random_parameter(&mut self, parameter: &ParameterDef) -> TomlValue<'static> {
        match &parameter.ty {
            Type::Flag => TomlValue::Flag(self.chance(2)),
            Type::Text(Some(words)) => {
                TomlValue::Text(self.pick(words).map_or(String::new(), |w| w.to_string()).into())
            }
            Type::Text(None) => TomlValue::Text("trial".into()),
            Type::List(_) => TomlValue::List(Vec::new()),
            _ => TomlValue::Int(self.random_number(parameter.min, parameter.max)),
        }
    }

    fn random_field(&mut self, kind: &FieldKind) -> Option<TomlValue<'static>> {
        Some(match kind {
            FieldKind::Choice(choice) => TomlValue::Text(self.pick(&choice.options)?.id.to_string().into()),
            FieldKind::Integer { min, max } => TomlValue::Int(self.random_number(*min, *max)),
            FieldKind::Flag => TomlValue::Flag(self.chance(2)),
            FieldKind::Text => TomlValue::Text("trial".into()),
            FieldKind::Rows(columns) => {
                let rows = self.random_below(6);
                TomlValue::List((0..rows).map(|_| new_node(TomlValue::Table(self.random_row(columns)))).collect())
            }
        })
    }

    fn random_row(&mut self, columns: &[FieldColumn]) -> TomlTable<'static> {
        let mut row = TomlTable::default();
        for column in columns {
            if column.default.is_none() || self.chance(2) {
                let data = self.random_cell(&column.kind);
                row.entries.push(new_entry(&column.id, data));
            }
        }
        row
    }

    fn random_cell(&mut self, kind: &ColumnKind) -> TomlValue<'static> {
        let ids = |ids: Vec<&Arc<str>>, generator: &mut Self| {
            TomlValue::Text(generator.pick(&ids).map_or(String::new(), |id| id.to_string()).into())
        };
        let rules = self.rules;
        match kind {
            ColumnKind::Integer { min, max } => TomlValue::Int(self.random_number(*min, *max)),
            ColumnKind::Flag => TomlValue::Flag(self.chance(2)),
            ColumnKind::Text => TomlValue::Text("trial".into()),
            ColumnKind::Mount => ids(rules.mounts.iter().map(|mount| &mount.id).collect(), self),
            ColumnKind::System => {
                ids(rules.systems.iter().filter(|s| !s.is_abstract).map(|system| &system.id).collect(), self)
            }
            ColumnKind::Choice(words) => ids(words.iter().collect(), self),
        }
    }

    fn change_design(&mut self, design: &mut Design) {
        let fits = design.fits.len() as u64;
        let rules = self.rules;
        match self.random_below(9) {
            0 | 1 => {
                if let Some(field) = self.pick(&rules.fields) {
                    self.change_field(design, field);
                }
            }
            2 => self.add_fit(design),
            _ if fits == 0 => self.add_fit(design),
            3 => {
                let place = self.random_below(fits) as usize;
                design.fits.remove(place);
            }
            4 | 5 => {
                let place = self.random_below(fits) as usize;
                let count = design.fits[place].count;
                design.fits[place].count = match self.random_below(4) {
                    0 => count + 1,
                    1 => count.saturating_sub(1),
                    2 => count.saturating_mul(3).min(500),
                    _ => self.random_count(),
                };
            }
            6 => {
                let place = self.random_below(fits) as usize;
                let id = design.fits[place].system.text.clone();
                if let Some(system) = rules.systems.iter().find(|system| system.id == id) {
                    let all: Vec<usize> = (0..rules.mounts.len()).collect();
                    let mounts = system.mounts.as_deref().unwrap_or(&all);
                    design.fits[place].mount = self.pick(mounts).map(|&mount| spanned_text(&rules.mounts[mount].id));
                }
            }
            7 => {
                let place = self.random_below(fits) as usize;
                let id = design.fits[place].system.text.clone();
                let custom = design.systems.iter().find(|custom| custom.id.text == id);
                let base = custom.and_then(|custom| custom.like.as_ref()).map_or(&id, |like| &like.text);
                let Some(system) = rules.systems.iter().find(|system| system.id == *base) else { return };
                if let Some(parameter) = self.pick(&system.parameters) {
                    let data = self.random_parameter(parameter);
                    set_entry(&mut design.fits[place].parameters, &parameter.id, data);
                }
            }
            _ => {
                // The attributes of a custom system.
                let systems = design.systems.len() as u64;
                if systems == 0 {
                    return self.add_fit(design);
                }
                let place = self.random_below(systems) as usize;
                let keys = design.systems[place].keys.len() as u64;
                if keys > 0 {
                    let key = self.random_below(keys) as usize;
                    if let TomlValue::Int(_) = design.systems[place].keys[key].node.data {
                        let number = self.random_number(None, None);
                        design.systems[place].keys[key].node.data = TomlValue::Int(number);
                    }
                }
            }
        }
        reindex(design);
    }

    fn change_field(&mut self, design: &mut Design, field: &moldloft_rules::ruleset::FieldDef) {
        let rows = design.fields.iter_mut().find(|entry| *entry.key == *field.id).map(|entry| &mut entry.node.data);
        if let (FieldKind::Rows(columns), Some(TomlValue::List(rows))) = (&field.kind, rows)
            && !rows.is_empty()
            && !self.chance(4)
        {
            let place = self.random_below(rows.len() as u64) as usize;
            match self.random_below(4) {
                0 => {
                    rows.remove(place);
                }
                1 => {
                    let row = rows[place].clone();
                    rows.insert(place, row);
                }
                _ => {
                    if let (Some(column), TomlValue::Table(row)) = (self.pick(columns), &mut rows[place].data) {
                        let data = self.random_cell(&column.kind);
                        set_entry(&mut row.entries, &column.id, data);
                    }
                }
            }
        } else if let Some(data) = self.random_field(&field.kind) {
            set_entry(&mut design.fields, &field.id, data);
        }
    }
}

fn spanned_text(text: &Arc<str>) -> SpannedText {
    SpannedText { text: text.clone(), span: Span::default() }
}

fn new_node(data: TomlValue<'static>) -> TomlNode<'static> {
    TomlNode { span: Span::default(), data }
}

fn new_entry(key: &str, data: TomlValue<'static>) -> TomlEntry<'static> {
    TomlEntry { key: key.to_owned().into(), span: Span::default(), node: new_node(data) }
}

fn set_entry(entries: &mut Vec<TomlEntry<'static>>, key: &str, data: TomlValue<'static>) {
    match entries.iter_mut().find(|entry| entry.key == key) {
        Some(entry) => entry.node.data = data,
        None => entries.push(new_entry(key, data)),
    }
}

/// Fits are numbered from 0 in their order.
fn reindex(design: &mut Design) {
    for (fit, index) in design.fits.iter_mut().zip(0..) {
        fit.index = index;
    }
}
