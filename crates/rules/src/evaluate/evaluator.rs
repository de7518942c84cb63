//! Computes a ship: takes what its design states, gives its values and attributes, each after all that it reads, and the findings of formulas
//! that fail.

use std::collections::HashMap;
use std::sync::Arc;

use crate::design::{DesignPart, Ship};
use crate::formula::{Formula, FormulaError, FormulaErrorKind, TextTemplate, Value};
use crate::ruleset::{AttributeRule, ComputedId, FieldKind, LocalVar, Ruleset, Selector};
use moldloft_base::finding::{Finding, FindingOrigin};
use moldloft_base::sanitize::plural;
use moldloft_base::source::Span;
use moldloft_base::source::toml::TomlValue;

use super::diagnostics::Diagnostics;
use super::resolve;
use super::state::{CallMemo, FormulaFailure, ItTarget, ResolvedFit, ShipState, StateView, display_value};
use super::work_budget::WorkBudget;
use super::{Evaluation, FieldResult, FitResult, MountResult, Provenance, SharedEvaluation, ValueResult};

/// The most failures of formulas that are reported of one ship.
const MAX_FAILURES: usize = 100;

pub(super) struct Evaluator<'a> {
    pub rules: &'a Arc<Ruleset>,
    pub ship: &'a Ship,
    pub state: ShipState,
    pub notes: Diagnostics<'a>,
    /// Work left, so that a ruleset and design that multiply each other still end.
    pub effort: WorkBudget,
    pub memo: Vec<CallMemo>,
    pub is_cut_short: bool,
    /// Whether the same fits are evaluated again and again, so that it pays to remember which of them a call asks about.
    pub keeps_fits: bool,
    /// Whether fits, tracks, tables, counters and cost lines are kept. If not, their formulas are evaluated for their faults alone.
    pub keeps_results: bool,
    /// By system of the ruleset: its fits.
    fits_of: Vec<Vec<usize>>,
}

impl<'a> Evaluator<'a> {
    pub(super) fn new(
        rules: &'a Arc<Ruleset>,
        ship: &'a Ship,
        state: ShipState,
        notes: Diagnostics<'a>,
        effort: WorkBudget,
    ) -> Self {
        let memo = vec![CallMemo::default(); rules.symbols.calls.len()];
        let mut fits_of = vec![Vec::new(); rules.systems.len()];
        for (n, fit) in state.fits.iter().enumerate() {
            fits_of[fit.base].push(n);
        }
        Self {
            rules,
            ship,
            state,
            notes,
            effort,
            memo,
            is_cut_short: false,
            keeps_fits: false,
            keeps_results: true,
            fits_of,
        }
    }
}

impl Evaluator<'_> {
    pub(super) fn view(&self, of: ItTarget) -> StateView<'_> {
        let keeps_fits = self.keeps_fits;
        StateView {
            memo: &self.memo,
            keeps_fits,
            ..StateView::new(self.rules, &self.state, self.ship, of, &self.effort)
        }
    }

    pub(super) fn report_failure(&mut self, mut error: FormulaError, formula: Span, of: ItTarget, item: &str) {
        if self.effort.is_spent() {
            return self.report_cut_short(formula, of, item);
        }
        // A row that is missing is missing once, whatever looks for it.
        let known = |one: &FormulaFailure| {
            one.error.code == error.code
                && (one.formula == formula
                    || error.kind == Some(FormulaErrorKind::NoAnswer) && one.error.message == error.message)
        };
        if self.state.failures.iter().any(known) || self.state.failures.len() > MAX_FAILURES {
            return;
        }
        let help = error.help.get_or_insert_with(|| {
            let help = match error.kind {
                _ if self.rules.removed_tables(formula).next().is_some() => {
                    "in the layer that removed the table, change what looks it up"
                }
                Some(FormulaErrorKind::NoAnswer) => {
                    "look for something in the design that the rules do not cover, or add a row for it to the table"
                }
                _ => "look for a number in the design that is far too large",
            };
            help.to_owned()
        });
        let message = self.rules.with_removed_tables(format!("cannot compute {item}: {}", error.message), formula);
        let mut finding = Finding::error(error.code, message).help(help.clone());
        self.state.failures.push(FormulaFailure { formula, error });
        finding.rule = Some(self.rules.location(formula));
        let (span, place) = self.target_place(of);
        let origin = FindingOrigin::from(self.target_part(of)).leaving_out();
        self.notes.add(finding, span, place.or_else(|| Some(item.into())), origin);
    }

    /// Whether work is left for a formula. If not, the first one skipped is reported.
    pub(super) fn may_evaluate(&mut self, formula: Span, of: ItTarget, item: &str) -> bool {
        if self.effort.is_spent() {
            self.report_cut_short(formula, of, item);
            return false;
        }
        true
    }

    /// Reports, once, the formula at which the work was used up.
    #[cold]
    fn report_cut_short(&mut self, formula: Span, of: ItTarget, item: &str) {
        if std::mem::replace(&mut self.is_cut_short, true) {
            return;
        }
        let most = self.effort.initial();
        let message = format!(
            "cannot compute {item}: the formulas of this ship take more than {most} steps; this and all later results stay empty"
        );
        let mut finding = Finding::error("too-much-work", message)
            .help("look for formulas that loop over a long list for each fit, or a design with very many fits");
        finding.rule = Some(self.rules.location(formula));
        let (span, place) = self.target_place(of);
        let origin = FindingOrigin::from(self.target_part(of)).leaving_out();
        self.notes.add(finding, span, place.or_else(|| Some(item.into())), origin);
    }

    /// What `eval` makes of a view on this; a failure is reported and counts as nothing known.
    fn evaluated<T: Default>(
        &mut self,
        at: Span,
        of: ItTarget,
        item: &str,
        eval: impl FnOnce(StateView<'_>) -> Result<T, FormulaError>,
    ) -> T {
        if !self.may_evaluate(at, of, item) {
            return T::default();
        }
        eval(self.view(of)).unwrap_or_else(|mistake| {
            self.report_failure(mistake, at, of, item);
            T::default()
        })
    }

    pub(super) fn eval_value(&mut self, formula: &Formula, of: ItTarget, item: &str) -> Value {
        self.evaluated(formula.at, of, item, |view| formula.eval(&view))
    }

    pub(super) fn eval_with_locals(
        &mut self,
        formula: &Formula,
        of: ItTarget,
        set: &[(LocalVar, i64)],
        item: &str,
    ) -> Value {
        self.evaluated(formula.at, of, item, |mut view| {
            set.iter().for_each(|(local, value)| view.set_local(*local, *value));
            formula.eval(&view)
        })
    }

    pub(super) fn eval_int(&mut self, formula: &Formula, of: ItTarget, item: &str) -> Option<i64> {
        self.evaluated(formula.at, of, item, |view| formula.int(&view))
    }

    pub(super) fn eval_flag(&mut self, formula: &Formula, of: ItTarget, item: &str) -> Option<bool> {
        self.evaluated(formula.at, of, item, |view| formula.flag(&view))
    }

    pub(super) fn eval_text(&mut self, text: &TextTemplate, of: ItTarget, item: &str) -> Option<Arc<str>> {
        if text.is_literal().is_some_and(|literal| literal.len() == text.source.len()) {
            return Some(text.source.clone());
        }
        self.evaluated(text.at, of, item, |view| text.eval(&view)).map(Arc::from)
    }

    pub(super) fn targets(&self, selector: Option<&Selector>) -> Vec<ItTarget> {
        if self.effort.is_spent() {
            return Vec::new();
        }
        let looks = match selector {
            None => 1,
            Some(Selector::Fit(systems) | Selector::System(systems)) => {
                self.state.fits.len().saturating_mul(1 + systems.as_ref().map_or(0, Vec::len) / 4)
            }
            Some(Selector::Mount(_)) => self.rules.mounts.len(),
            Some(Selector::Field(_) | Selector::Table(_)) => 0,
        };
        let each = targets(self.rules, &self.state, selector);
        self.effort.spend(looks + each.len());
        each
    }

    pub(super) fn target_place(&self, of: ItTarget) -> (Span, Option<Arc<str>>) {
        let design = self.notes.design;
        let top = design.name.as_ref().or(design.ruleset.as_ref()).map_or(Span::default(), |word| word.span);
        match of {
            ItTarget::Fit(n) => {
                let fit = &self.state.fits[n];
                let span = design.fits.get(fit.index).map_or(Span::default(), |fit| fit.span);
                (span, Some(self.fit_label(fit)))
            }
            ItTarget::System(system) => match self.state.fits.iter().find(|fit| fit.system == system) {
                Some(fit) => {
                    let span = design.fits.get(fit.index).map_or(Span::default(), |fit| fit.span);
                    (span, Some(self.state.system(self.rules, system).name.clone()))
                }
                None => (top, None),
            },
            ItTarget::Mount(n) => {
                let fit = self.state.fits.iter().find(|fit| fit.mount == Some(n));
                let span = fit.and_then(|fit| design.fits.get(fit.index)).map_or(top, |fit| fit.span);
                (span, Some(self.rules.mounts[n].label.clone()))
            }
            ItTarget::Row(field, row) => {
                let field = &self.rules.fields[field];
                let (row, span) = self.row_in_file(&field.id, row).unwrap_or((row, top));
                (span, Some(format!("{}, row {}", field.label, row + 1).into()))
            }
            ItTarget::TableRow(..) | ItTarget::Nothing => (top, None),
        }
    }

    pub(super) fn target_part(&self, of: ItTarget) -> DesignPart {
        let design = self.notes.design;
        match of {
            ItTarget::Fit(n) => {
                design.fits.get(self.state.fits[n].index).map_or(DesignPart::Design, |fit| DesignPart::Fit(fit.index))
            }
            ItTarget::System(system) => DesignPart::System(self.state.system(self.rules, system).id.clone()),
            ItTarget::Mount(n) => DesignPart::Mount(self.rules.mounts[n].id.clone()),
            ItTarget::Row(field, row) => {
                let id = &self.rules.fields[field].id;
                let row = self.row_in_file(id, row).map_or(row, |(row, _)| row);
                DesignPart::Row { field: id.clone(), row }
            }
            ItTarget::TableRow(..) | ItTarget::Nothing => DesignPart::Design,
        }
    }

    /// A row's index and span in the file, where rows that are not tables count as well.
    fn row_in_file(&self, field: &str, row: usize) -> Option<(usize, Span)> {
        let entry = self.notes.design.fields.iter().find(|entry| *entry.key == *field)?;
        let TomlValue::List(rows) = &entry.node.data else { return None };
        let tables = rows.iter().enumerate().filter(|(_, row)| matches!(row.data, TomlValue::Table(_)));
        tables.map(|(n, row)| (n, row.span)).nth(row)
    }

    fn fit_label(&self, fit: &ResolvedFit) -> Arc<str> {
        let name = self.state.system(self.rules, fit.system).name;
        let mount =
            fit.mount.map(|n| &*self.rules.mounts[n].label).or((!fit.mount_id.is_empty()).then_some(&*fit.mount_id));
        resolve::fit_label(name, mount)
    }

    pub(super) fn compute(&mut self) {
        let rules = self.rules.clone();
        self.state.values.clear();
        self.state.values.resize(rules.values.len(), Value::Null);
        let answers = rules.symbols.attributes.len();
        let fits_of = std::mem::take(&mut self.fits_of);
        for node in &rules.order {
            match *node {
                ComputedId::Value(n) => {
                    let value = &rules.values[n];
                    self.state.values[n] = self.eval_value(&value.formula, ItTarget::Nothing, &value.id);
                }
                ComputedId::Attribute(system, answer) => {
                    let fits: &[usize] = fits_of.get(system).map_or(&[], Vec::as_slice);
                    for &n in fits {
                        let fit = &self.state.fits[n];
                        if self.states_itself(fit.system, answer) {
                            continue;
                        }
                        let at = match &rules.systems[system].attributes[answer] {
                            AttributeRule::Formula(formula, ..) => formula.at,
                            AttributeRule::Text(text, ..) => text.at,
                            _ => continue,
                        };
                        if !self.may_evaluate(at, ItTarget::Fit(n), &rules.symbols.attributes[answer].id) {
                            break;
                        }
                        let item = |run: &Self| {
                            format!("{}: {}", run.fit_label(&run.state.fits[n]), rules.symbols.attributes[answer].id)
                        };
                        let result = match &rules.systems[system].attributes[answer] {
                            AttributeRule::Formula(formula, ..) => {
                                formula.eval(&self.view(ItTarget::Fit(n))).map_err(|mistake| (mistake, formula.at))
                            }
                            AttributeRule::Text(text, ..) => match text.eval(&self.view(ItTarget::Fit(n))) {
                                Ok(text) => Ok(text.map_or(Value::Null, |text| Value::Text(text.into()))),
                                Err(mistake) => Err((mistake, text.at)),
                            },
                            _ => continue,
                        };
                        let value = result.unwrap_or_else(|(mistake, at)| {
                            let item = item(self);
                            self.report_failure(mistake, at, ItTarget::Fit(n), &item);
                            Value::Null
                        });
                        self.state.answers[n * answers + answer] = value;
                    }
                }
            }
        }
        self.fits_of = fits_of;
    }

    fn states_itself(&self, system: usize, answer: usize) -> bool {
        let own = system.checked_sub(self.rules.systems.len()).and_then(|n| self.state.custom_systems.get(n));
        own.is_some_and(|own| own.answers.iter().any(|(stated, _)| *stated == answer))
    }

    pub(super) fn applies(&mut self, condition: Option<&Formula>, item: &str) -> bool {
        condition.is_none_or(|formula| self.eval_flag(formula, ItTarget::Nothing, item).unwrap_or(true))
    }

    pub(super) fn report_missing_fields(&mut self) {
        let rules = self.rules.clone();
        for (n, field) in rules.fields.iter().enumerate() {
            let given = self.state.stated_fields.get(n).copied().unwrap_or(false);
            if self.state.fields[n] == Value::Null
                && !given
                && !matches!(field.kind, FieldKind::Text)
                && self.applies(field.shown_when.as_ref(), &field.id)
            {
                resolve::report_missing_field(&mut self.notes, field);
            }
        }
    }

    /// Which provenance notes concern this ship.
    pub(super) fn active_provenance_marks(&mut self) -> Vec<bool> {
        let rules = self.rules.clone();
        let mut active_marks = Vec::with_capacity(rules.marks.len());
        let mut is_aboard = vec![false; rules.systems.len()];
        for fit in self.state.fits.iter().filter(|fit| fit.count > 0) {
            is_aboard[fit.base] = true;
        }
        for mark in &rules.marks {
            let aboard = mark.system.is_none_or(|system| is_aboard[system]);
            let chosen = mark.option.is_none_or(|(field, option)| self.state.chosen[field] == Some(option));
            let when = mark
                .when
                .as_ref()
                .is_none_or(|when| self.eval_flag(when, ItTarget::Nothing, &mark.subject).unwrap_or(false));
            active_marks.push(aboard && chosen && when);
        }
        active_marks
    }

    /// Sets the provenance of each value, and a line for each assumption that the cost or sheet uses.
    pub(super) fn set_provenance(&self, evaluation: &mut Evaluation, active_marks: &[bool]) {
        let rules = self.rules;
        let mut resting: Vec<u32> = Vec::new();
        for (rule, result) in rules.values.iter().zip(&mut evaluation.values) {
            result.provenance = strongest(rules, &rule.marks, active_marks);
            if &*rule.id == "points" {
                resting.extend(&rule.marks);
            }
        }
        resting.extend(rules.costs.iter().flat_map(|cost| &cost.marks));
        if !evaluation.tracks.is_empty() {
            let tracks: HashMap<&Arc<str>, &[u32]> = rules.tracks.iter().map(|rule| (&rule.id, &*rule.marks)).collect();
            for track in &evaluation.tracks {
                resting.extend(tracks.get(&track.track).copied().unwrap_or_default());
            }
        }
        // Each once, since many items use the same few assumptions.
        let mut seen = vec![false; rules.marks.len()];
        for mark in resting {
            if std::mem::replace(&mut seen[mark as usize], true) {
                continue;
            }
            let mark_rule = &rules.marks[mark as usize];
            if active_marks[mark as usize]
                && mark_rule.provenance == Provenance::Assumed
                && !evaluation.assumptions.contains(&mark_rule.why)
            {
                evaluation.assumptions.push(mark_rule.why.clone());
            }
        }
    }

    pub(super) fn take_evaluation(&mut self, ship: &Ship) -> Evaluation {
        let rules = self.rules.clone();
        let mut fields = Vec::with_capacity(rules.fields.len());
        for (n, field) in rules.fields.iter().enumerate() {
            let value = self.state.fields[n].clone();
            let text: Arc<str> = match (&field.kind, self.state.chosen[n]) {
                (FieldKind::Choice(choice), Some(option)) => choice.options[option].label.clone(),
                (FieldKind::Rows(_), _) => match &value {
                    Value::List(rows) if rows.len() == 1 => "1 row".into(),
                    Value::List(rows) => plural(rows.len(), "row").into(),
                    _ => "".into(),
                },
                (FieldKind::Text, _) => {
                    if let Value::Text(text) = &value {
                        text.clone()
                    } else {
                        "".into()
                    }
                }
                _ if value == Value::Null => "".into(),
                _ => display_value(&value).into(),
            };
            let applies = self.is_shown(field.shown_when.as_ref(), &field.id);
            fields.push(FieldResult { id: field.id.clone(), label: field.label.clone(), value, text, applies });
        }
        let mut values = Vec::with_capacity(rules.values.len());
        for (n, value) in rules.values.iter().enumerate() {
            values.push(ValueResult {
                id: value.id.clone(),
                label: value.label.clone(),
                value: self.state.values[n].clone(),
                headline: value.headline,
                limit: value.limit.as_ref().and_then(|limit| self.eval_int(limit, ItTarget::Nothing, &value.id)),
                provenance: Provenance::Published,
            });
        }
        let named = values.iter().find(|value| &*value.id == "points").map(|value| &value.value);
        let stated = || fields.iter().find(|field| &*field.id == "points").map(|field| &field.value);
        let points = match named.or_else(stated) {
            Some(Value::Int(points)) => Some(*points),
            _ => None,
        };
        let mut mounts = Vec::with_capacity(rules.mounts.len());
        for mount in &rules.mounts {
            let applies = self.is_shown(mount.shown_when.as_ref(), &mount.id);
            mounts.push(MountResult {
                id: mount.id.clone(),
                label: mount.label.clone(),
                tags: mount.tags.clone(),
                applies,
                fits: Vec::new(),
            });
        }
        let fits = if self.keeps_results { self.fit_results(&mut mounts) } else { Vec::new() };
        let common = SharedEvaluation {
            file: self.notes.design.source.file.clone(),
            name: self.state.name.clone().unwrap_or_default(),
            silhouette: self.notes.design.silhouette.as_ref().map(|name| name.text.clone()),
            points,
            fields,
            values,
            mounts,
            fits,
            ..SharedEvaluation::default()
        };
        Evaluation {
            ruleset: rules.clone(),
            ship: ship.clone(),
            counters: Vec::new(),
            fights: None,
            wanted_sheet: None,
            shared: Arc::new(common),
            state: Arc::default(),
        }
    }

    fn fit_results(&self, mounts: &mut [MountResult]) -> Vec<FitResult> {
        let lexicon = &self.rules.symbols;
        let width = lexicon.attributes.len();
        let mut fits: Vec<FitResult> = Vec::with_capacity(self.state.fits.len());
        let mut alike: HashMap<(usize, &Arc<str>), u32> = HashMap::new();
        for (n, fit) in self.state.fits.iter().enumerate() {
            let face = self.state.system(self.rules, fit.system);
            let has = |answer: usize| {
                lexicon.attributes[answer].default.is_some() || lexicon.systems[fit.base].parameters.contains(&answer)
            };
            let answers = (0..width)
                .filter(|&a| has(a))
                .map(|a| (lexicon.attributes[a].id.clone(), self.state.answers[n * width + a].clone()));
            let count = u32::try_from(fit.count).unwrap_or(0);
            let before = alike.entry((fit.system, &fit.mount_id)).or_insert(0_u32);
            let first_mark = 1 + *before;
            *before = before.saturating_add(count);
            if let Some(mount) = fit.mount {
                mounts[mount].fits.push(n);
            }
            fits.push(FitResult {
                index: self.notes.design.fits.get(fit.index).map_or(0, |fit| fit.index),
                system: face.id.clone(),
                name: face.name.clone(),
                abbr: face.abbr.clone(),
                icon: face.icon.clone(),
                shape: face.shape,
                mount: fit.mount_id.clone(),
                count,
                placed: fit.mount.is_some(),
                answers: answers.collect(),
                first_mark,
            });
        }
        fits
    }
}

pub(super) fn targets(rules: &Ruleset, state: &ShipState, selector: Option<&Selector>) -> Vec<ItTarget> {
    fn fits<'s>(
        state: &'s ShipState,
        systems: &'s Option<Vec<usize>>,
    ) -> impl Iterator<Item = (usize, &'s ResolvedFit)> {
        let fits = state.fits.iter().enumerate();
        fits.filter(|(_, fit)| fit.count > 0 && systems.as_ref().is_none_or(|systems| systems.contains(&fit.base)))
    }
    match selector {
        None => vec![ItTarget::Nothing],
        Some(Selector::Fit(systems)) => fits(state, systems).map(|(n, _)| ItTarget::Fit(n)).collect(),
        Some(Selector::System(systems)) => {
            let mut aboard: Vec<usize> = fits(state, systems).map(|(_, fit)| fit.system).collect();
            aboard.sort_unstable();
            aboard.dedup();
            aboard.into_iter().map(ItTarget::System).collect()
        }
        Some(Selector::Mount(mounts)) => match mounts {
            Some(mounts) => mounts.iter().map(|&n| ItTarget::Mount(n)).collect(),
            None => (0..rules.mounts.len()).map(ItTarget::Mount).collect(),
        },
        Some(Selector::Field(field)) => {
            let rows = if let Some(Value::List(rows)) = state.fields.get(*field) { rows.len() } else { 0 };
            (0..rows).map(|row| ItTarget::Row(*field, row)).collect()
        }
        Some(Selector::Table(table)) => {
            let rows = if let crate::ruleset::TableKind::Rows { rows, .. } = &rules.tables[*table].kind {
                rows.len()
            } else {
                0
            };
            let shown = (0..rows).filter(|row| !rules.tables[*table].hidden_rows.contains(row));
            shown.map(|row| ItTarget::TableRow(*table, row)).collect()
        }
    }
}

pub(super) fn strongest(rules: &Ruleset, marks: &[u32], active_marks: &[bool]) -> Provenance {
    let active = marks.iter().filter(|mark| active_marks[**mark as usize]);
    active.map(|mark| rules.marks[*mark as usize].provenance).max().unwrap_or_default()
}
