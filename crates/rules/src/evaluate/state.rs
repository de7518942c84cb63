//! The values that formulas read, during an evaluation and afterwards for its sheet: takes slots and calls, gives
//! values. A view is the state with its own `it`.

use std::cell::{Cell, OnceCell, RefCell};
use std::sync::Arc;

use crate::design::{Design, Ship};
use crate::formula::{FormulaError, Record, Value};
use crate::ruleset::{Builtin, CallKind, FitFilter, ItWord, LocalVar, Ruleset, SheetKind, SystemDef};
use moldloft_base::source::Span;

use super::work_budget::WorkBudget;
use super::{BoxShape, FleetFacts, TrackResult};

#[derive(Clone, Debug, Default)]
pub struct ShipState {
    /// `None` without a ship.
    pub design: Option<Box<Design>>,
    pub name: Option<Arc<str>>,
    pub notes: Option<Arc<str>>,
    pub fields: Vec<Value>,
    /// By field: whether the design states it.
    pub stated_fields: Vec<bool>,
    /// By field: the option chosen.
    pub chosen: Vec<Option<usize>>,
    pub values: Vec<Value>,
    pub relations: Vec<i64>,
    /// Numbered after the ruleset's systems.
    pub custom_systems: Vec<CustomSystemState>,
    pub fits: Vec<ResolvedFit>,
    pub answers: Vec<Value>,
    pub legal: bool,
    pub errors: usize,
    pub fired_checks: Vec<FiredCheck>,
    /// Formulas that could not be computed, each fault of each once.
    pub failures: Vec<FormulaFailure>,
    pub assumed: Option<Arc<str>>,
    /// The design's own systems aboard, in a sentence; `None` where the rules have them as part of the game.
    pub custom_system_summary: Option<Arc<str>>,
    /// `it` of each counter and of each shown table row.
    pub counter_targets: Vec<ItTarget>,
    pub table_targets: Vec<Vec<ItTarget>>,
    pub sheet: Option<usize>,
    pub fleet: Option<Arc<FleetFacts>>,
    /// Work in plain formulas and cells of lists.
    pub work: u64,
    pub cut_short: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct FiredCheck {
    pub check: usize,
    /// What `it` was.
    pub target: ItTarget,
    /// For a row: its index in the file.
    pub row: usize,
}

/// A formula that could not be computed for this ship.
#[derive(Clone, Debug)]
pub struct FormulaFailure {
    pub formula: Span,
    /// Always with a help.
    pub error: FormulaError,
}

#[derive(Clone, Debug)]
pub struct CustomSystemState {
    pub base: usize,
    pub id: Arc<str>,
    pub name: Arc<str>,
    pub abbr: Arc<str>,
    pub icon: Option<Arc<str>>,
    pub shape: BoxShape,
    pub tags: Arc<[Arc<str>]>,
    pub tag_ids: Vec<u32>,
    pub mounts: Option<Vec<usize>>,
    pub answers: Vec<(usize, Value)>,
}

#[derive(Clone, Debug)]
pub struct ResolvedFit {
    /// Index among the ruleset's systems followed by the custom ones.
    pub system: usize,
    /// The ruleset's system that it is or is based on.
    pub base: usize,
    pub mount: Option<usize>,
    pub mount_id: Arc<str>,
    pub count: i64,
    /// Index in the design's list of fits.
    pub index: usize,
    pub stated_parameters: Vec<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ItTarget {
    #[default]
    Nothing,
    Fit(usize),
    System(usize),
    Mount(usize),
    Row(usize, usize),
    TableRow(usize, usize),
}

pub struct SystemInfo<'a> {
    pub id: &'a Arc<str>,
    pub name: &'a Arc<str>,
    pub abbr: &'a Arc<str>,
    pub icon: &'a Option<Arc<str>>,
    pub shape: BoxShape,
    pub tags: &'a Arc<[Arc<str>]>,
    pub tag_ids: &'a [u32],
    pub mounts: &'a Option<Vec<usize>>,
}

impl ShipState {
    /// Legality for a sheet's footer; custom systems are always mentioned.
    pub fn verdict(&self) -> Arc<str> {
        let legal: Arc<str> = match self.errors {
            0 => "legal".into(),
            1 => "NOT LEGAL, 1 error".into(),
            many => format!("NOT LEGAL, {many} errors").into(),
        };
        match &self.custom_system_summary {
            Some(own) => format!("{legal}, {own}").into(),
            None => legal,
        }
    }

    pub fn system<'a>(&'a self, rules: &'a Ruleset, number: usize) -> SystemInfo<'a> {
        match self.custom_systems.get(number.wrapping_sub(rules.systems.len())) {
            Some(own) if number >= rules.systems.len() => SystemInfo {
                id: &own.id,
                name: &own.name,
                abbr: &own.abbr,
                icon: &own.icon,
                shape: own.shape,
                tags: &own.tags,
                tag_ids: &own.tag_ids,
                mounts: &own.mounts,
            },
            _ => {
                let SystemDef { id, name, abbr, icon, shape, tags, tag_ids, mounts, .. } =
                    &rules.systems[number.min(rules.systems.len() - 1)];
                SystemInfo { id, name, abbr, icon, shape: *shape, tags, tag_ids, mounts }
            }
        }
    }
}

pub struct StateView<'a> {
    pub rules: &'a Ruleset,
    pub state: &'a ShipState,
    pub ship: &'a Ship,
    pub target: ItTarget,
    pub track: Option<&'a TrackResult>,
    pub locals: [Option<i64>; LocalVar::ALL.len()],
    pub group: &'a [Value],
    pub data: &'a [(Arc<str>, Value)],
    pub work_budget: &'a WorkBudget,
    /// By call, while nothing that it reads can change.
    pub memo: &'a [CallMemo],
    /// Whether [`CallMemo::fits`] is filled.
    pub keeps_fits: bool,
}

/// What is remembered of a call.
#[derive(Clone, Debug)]
pub struct CallMemo {
    pub(super) count: Cell<i64>,
    /// The fits that it asks about.
    pub(super) fits: OnceCell<Box<[usize]>>,
    /// Counts by the word that is asked for, the first [`MAX_KEPT_COUNTS`] of them.
    pub(super) counts: RefCell<Vec<(Arc<str>, i64)>>,
    /// The values of a table's column.
    pub(super) cells: OnceCell<Value>,
}

/// Words whose counts a [`CallMemo`] keeps: more would take longer to look through than to count.
pub(super) const MAX_KEPT_COUNTS: usize = 16;

impl Default for CallMemo {
    fn default() -> Self {
        Self {
            count: Cell::new(UNKNOWN_COUNT),
            fits: OnceCell::new(),
            counts: RefCell::default(),
            cells: OnceCell::new(),
        }
    }
}

impl CallMemo {
    /// Forgets numbers of fits, but not which fits are asked about.
    pub fn forget_count(&self) {
        self.count.set(UNKNOWN_COUNT);
        self.counts.borrow_mut().clear();
    }

    /// How many there are of what a word names, if that is known.
    pub(super) fn count_of(&self, word: &Arc<str>) -> Option<i64> {
        let counts = self.counts.borrow();
        counts.iter().find(|(known, _)| Arc::ptr_eq(known, word) || known == word).map(|(_, count)| *count)
    }

    pub(super) fn keep_count_of(&self, word: &Arc<str>, count: i64) {
        let mut counts = self.counts.borrow_mut();
        if counts.len() < MAX_KEPT_COUNTS {
            counts.push((word.clone(), count));
        }
    }
}

/// Outside the range of formulas.
pub(super) const UNKNOWN_COUNT: i64 = i64::MIN;

impl<'a> StateView<'a> {
    pub fn new(rules: &'a Ruleset, state: &'a ShipState, ship: &'a Ship, of: ItTarget, effort: &'a WorkBudget) -> Self {
        Self {
            rules,
            state,
            ship,
            target: of,
            track: None,
            locals: [None; LocalVar::ALL.len()],
            group: &[],
            data: &[],
            work_budget: effort,
            memo: &[],
            keeps_fits: false,
        }
    }

    pub fn set_local(&mut self, local: LocalVar, value: i64) {
        self.locals[local as usize] = Some(value);
    }

    pub fn fit_answer(&self, fit: usize, answer: usize) -> Option<&'a Value> {
        self.state.answers.get(fit * self.rules.symbols.attributes.len() + answer)
    }

    pub(super) fn has_answer(&self, fit: &ResolvedFit, answer: usize) -> bool {
        let lexicon = &self.rules.symbols;
        lexicon.attributes[answer].default.is_some() || lexicon.systems[fit.base].parameters.contains(&answer)
    }

    pub fn answer_for_all(&self, fit: usize, answer: usize) -> Result<Option<i64>, String> {
        let fitted = &self.state.fits[fit];
        let per_fit = self.rules.systems[fitted.base]
            .parameters
            .iter()
            .any(|parameter| parameter.attribute == answer && parameter.per_fit);
        let count = if per_fit { fitted.count.min(1) } else { fitted.count };
        match self.fit_answer(fit, answer) {
            Some(Value::Int(each)) => each.checked_mul(count).map(Some).ok_or_else(too_large),
            _ => Ok(None),
        }
    }

    /// `None` when an answer is not known.
    pub(super) fn total(&self, fits: impl Iterator<Item = usize>, answer: usize) -> Result<Option<i64>, String> {
        let mut total = 0_i64;
        for fit in fits {
            let Some(whole) = self.answer_for_all(fit, answer)? else { return Ok(None) };
            total = total.checked_add(whole).ok_or_else(too_large)?;
        }
        if total.unsigned_abs() > crate::ruleset::MAX_NUMBER {
            return Err(too_large());
        }
        Ok(Some(total))
    }

    pub(super) fn box_record(&self) -> Option<&'a Arc<Record>> {
        match self.target {
            ItTarget::Row(field, row) => match self.state.fields.get(field) {
                Some(Value::List(rows)) => match rows.get(row) {
                    Some(Value::Record(record)) => Some(record),
                    _ => None,
                },
                _ => None,
            },
            ItTarget::TableRow(table, row) => match &self.rules.tables.get(table)?.kind {
                crate::ruleset::TableKind::Rows { rows, .. } => rows.get(row),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn it_value(&self, word: ItWord) -> Value {
        let text = |text: &Arc<str>| Value::Text(text.clone());
        if let Some(track) = self.track {
            return match word {
                ItWord::Id => text(&track.id),
                ItWord::Track => text(&track.track),
                ItWord::Label => text(&track.label),
                ItWord::Badge => text(&track.badge),
                ItWord::Boxes => Value::Int(i64::from(track.boxes())),
                ItWord::Mount => Value::Text(track.mount.clone().unwrap_or_default()),
                _ => Value::Null,
            };
        }
        let mounted = |n: usize, word: ItWord| {
            let mount = &self.rules.mounts[n];
            let mirror = mount.mirror.map(|n| &self.rules.mounts[n]);
            match word {
                ItWord::Id => text(&mount.id),
                ItWord::Label | ItWord::Name | ItWord::MountLabel => text(&mount.label),
                ItWord::Tags => Value::List(mount.tags.iter().map(text).collect()),
                ItWord::Mirror => mirror.map_or_else(|| Value::Text("".into()), |mount| text(&mount.id)),
                ItWord::MirrorLabel => mirror.map_or_else(|| Value::Text("".into()), |mount| text(&mount.label)),
                ItWord::Count => {
                    self.charge_fit_scan();
                    Value::Int(self.state.fits.iter().filter(|fit| fit.mount == Some(n)).map(|fit| fit.count).sum())
                }
                _ => Value::Null,
            }
        };
        match self.target {
            ItTarget::Fit(n) => {
                let Some(fit) = self.state.fits.get(n) else { return Value::Null };
                match word {
                    ItWord::Count => Value::Int(fit.count),
                    ItWord::Mount => text(&fit.mount_id),
                    ItWord::MountLabel => fit.mount.map_or_else(|| text(&fit.mount_id), |n| mounted(n, word)),
                    _ => self.system_value(fit.system, word),
                }
            }
            ItTarget::System(system) => match word {
                ItWord::Count => {
                    self.charge_fit_scan();
                    Value::Int(self.state.fits.iter().filter(|fit| fit.system == system).map(|fit| fit.count).sum())
                }
                _ => self.system_value(system, word),
            },
            ItTarget::Mount(n) => mounted(n, word),
            _ => Value::Null,
        }
    }

    fn system_value(&self, system: usize, word: ItWord) -> Value {
        let face = self.state.system(self.rules, system);
        match word {
            ItWord::Id | ItWord::System => Value::Text(face.id.clone()),
            ItWord::Name | ItWord::Label => Value::Text(face.name.clone()),
            ItWord::Abbr => Value::Text(face.abbr.clone()),
            ItWord::Tags => Value::List(face.tags.iter().map(|tag| Value::Text(tag.clone())).collect()),
            _ => Value::Null,
        }
    }

    pub(super) fn builtin_value(&self, word: Builtin) -> Value {
        let own = |text: &Option<String>| text.as_deref().map_or(Value::Null, |text| Value::Text(text.into()));
        let shared = |text: &Option<Arc<str>>| text.clone().map_or(Value::Null, Value::Text);
        let text = |text: &Arc<str>| Value::Text(text.clone());
        let ship = self.ship;
        match word {
            Builtin::Name => self.state.name.as_ref().map_or(Value::Null, text),
            Builtin::Notes => self.state.notes.as_ref().map_or(Value::Null, text),
            Builtin::ShipName => own(&ship.name),
            Builtin::HullNumber => own(&ship.hull_number),
            Builtin::Captain => shared(&ship.captain),
            Builtin::Owner => shared(&ship.owner),
            Builtin::ShipNotes => shared(&ship.notes),
            Builtin::ShipGroup => shared(&ship.group),
            Builtin::ShipCount => Value::Int(i64::from(ship.count)),
            Builtin::ShipCarried => Value::Flag(ship.carried_by.is_some()),
            Builtin::RulesetId => text(&self.rules.id),
            Builtin::Title => Value::Text(self.rules.rules_title().into()),
            Builtin::Version => text(&self.rules.base.version),
            Builtin::Layers => Value::Text(self.rules.layers_title().into()),
            Builtin::Credit => text(&self.rules.credit),
            Builtin::Source => text(&self.rules.source),
            Builtin::Terms => text(&self.rules.terms),
            Builtin::Legal => Value::Flag(self.state.legal),
            Builtin::Verdict => Value::Text(match self.state.sheet {
                Some(sheet) if self.rules.sheets[sheet].kind == SheetKind::Reference => "reference sheet".into(),
                Some(_) => "empty sheet".into(),
                None => match &self.state.fleet {
                    Some(fleet) => fleet.verdict.clone(),
                    None => self.state.verdict(),
                },
            }),
            Builtin::Assumed => self.state.assumed.as_ref().map_or_else(|| Value::Text("".into()), text),
            word => self.state.fleet.as_ref().map_or(Value::Null, |fleet| fleet.builtin_value(word)),
        }
    }

    /// Whether a call totals this fit's answer.
    pub fn matches_fit(&self, call: &crate::ruleset::Call, fit: usize, answer: usize) -> bool {
        let fitted = &self.state.fits[fit];
        self.has_answer(fitted, answer) && self.matches_call(fitted, call, &[])
    }

    /// Whether a total of this answer counts the fit.
    pub(super) fn matches_fit_answer(&self, fit: usize, answer: usize) -> bool {
        self.has_answer(&self.state.fits[fit], answer)
    }

    pub(super) fn charge_fit_scan(&self) {
        self.work_budget.spend(self.state.fits.len());
    }

    pub(super) fn first_fit(&self, system: usize) -> Option<usize> {
        self.charge_fit_scan();
        self.state.fits.iter().position(|fit| fit.system == system)
    }

    /// Items that a call scans: all fits, for each word requested. Rows are charged as they are visited.
    pub(super) fn scan_cost(&self, call: &crate::ruleset::Call, arguments: &[Value]) -> usize {
        let words = |filter: &FitFilter| match filter {
            FitFilter::Any => 0,
            FitFilter::Only(only) | FitFilter::Exactly(only) => only.len(),
            FitFilter::Argument(n) => match arguments.get(*n) {
                Some(Value::List(list)) => list.len(),
                _ => 1,
            },
        };
        match call.kind {
            CallKind::Row(_)
            | CallKind::Step(..)
            | CallKind::Cells(..)
            | CallKind::Within(..)
            | CallKind::Kind(_)
            | CallKind::Removed { .. } => 0,
            _ => {
                let words: usize = [&call.system, &call.mount, &call.tag].into_iter().map(words).sum();
                self.state.fits.len().saturating_mul(1 + words / 4)
            }
        }
    }

    pub(super) fn matches_call(&self, fit: &ResolvedFit, call: &crate::ruleset::Call, arguments: &[Value]) -> bool {
        let crate::ruleset::Call { system, except, mount, tag, .. } = call;
        // Numbers are compared before words.
        let is_system = match system {
            FitFilter::Only(only) => self.rules.symbols.systems[fit.base].counts_as_any(only, except),
            FitFilter::Exactly(only) => only.contains(&(fit.system as u32)),
            FitFilter::Any | FitFilter::Argument(_) => true,
        };
        let is_there = match mount {
            FitFilter::Only(only) | FitFilter::Exactly(only) => {
                fit.mount.is_some_and(|mount| only.contains(&(mount as u32)))
            }
            FitFilter::Any | FitFilter::Argument(_) => true,
        };
        if !is_system || !is_there {
            return false;
        }
        let names = |argument: usize, id: &str| match arguments.get(argument) {
            Some(Value::Text(word)) => **word == *id,
            Some(Value::List(list)) => list.iter().any(|value| matches!(value, Value::Text(word) if **word == *id)),
            _ => false,
        };
        if let FitFilter::Argument(argument) = system
            && !arguments.get(*argument).is_some_and(|words| self.is_meant(fit.system, words))
        {
            return false;
        }
        if let FitFilter::Argument(argument) = mount
            && !names(*argument, &fit.mount_id)
        {
            return false;
        }
        match tag {
            FitFilter::Any => true,
            FitFilter::Only(only) | FitFilter::Exactly(only) => {
                self.state.system(self.rules, fit.system).tag_ids.iter().any(|tag| only.contains(tag))
            }
            FitFilter::Argument(argument) => {
                self.state.system(self.rules, fit.system).tags.iter().any(|tag| names(*argument, tag))
            }
        }
    }
}

fn too_large() -> String {
    "the sum has more than 15 digits".to_owned()
}

pub fn display_value(value: &Value) -> String {
    match value {
        Value::Null => "?".to_owned(),
        Value::Int(number) => number.to_string(),
        Value::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
        Value::Text(text) => crate::ruleset::shorten(text),
        Value::List(list) => {
            let words: Vec<String> = list.iter().take(20).map(display_value).collect();
            format!("[{}]", words.join(", "))
        }
        Value::Record(record) => {
            let words: Vec<String> =
                record.entries.iter().take(20).map(|(id, value)| format!("{id}: {}", display_value(value))).collect();
            format!("{{{}}}", words.join(", "))
        }
    }
}
