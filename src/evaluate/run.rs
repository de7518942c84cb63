//! The evaluation itself, in order: what the design says, values and attributes each after all they read, then checks, costs
//! and what is drawn. Takes a ruleset, a design and a ship, gives the evaluation. Never stops half way.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;

use crate::design::{Design, Ship, Subject};
use crate::finding::{Finding, Severity};
use crate::formula::{FORMULA_WORK, Formula, Mistake, Text, Value};
use crate::ruleset::{AttributeRule, FieldKind, Node, Ruleset, Selector, SheetKind};
use crate::source::Span;
use crate::source::toml::Data;

use super::effort::Effort;
use super::notes::Notes;
use super::state::{Fitted, Of, State, UNKNOWN, View, shown};
use super::{Common, Evaluation, FieldResult, FitResult, MountResult, Provenance, ValueResult, checks, drawn};
use super::{inputs, load, own_rules};

/// Evaluates a design as this ship of its class ([`Ship::default`] for a lone design). Never fails: what is wrong is among the
/// findings, the design's own first.
pub fn evaluate(ruleset: &Arc<Ruleset>, design: &Design, ship: &Ship) -> Evaluation {
    evaluate_within(ruleset, design, ship, u64::MAX)
}

/// The same where many ships share an allowance: as [`evaluate`], and its formulas do no more than this much work, counted as by
/// [`Evaluation::work`]. What is cut short says so among its findings, and [`Evaluation::is_cut_short`].
pub fn evaluate_within(ruleset: &Arc<Ruleset>, design: &Design, ship: &Ship, work: u64) -> Evaluation {
    let word = |word: &Option<crate::design::Word>| {
        word.as_ref().filter(|word| !word.text.trim().is_empty()).map(|word| word.text.clone())
    };
    let mut state = State { name: word(&design.name), notes: word(&design.notes), ..State::default() };
    state.relations = ruleset.relations.iter().map(|relation| ship.of(&relation.id)).collect();
    let mut notes = Notes::new(ruleset, design);
    inputs::read(&mut notes, &mut state);
    load::apply(&mut notes, &mut state, &ship.load);
    let mut run = Run {
        rules: ruleset,
        ship,
        state,
        notes,
        effort: Effort::of(work.saturating_mul(u64::from(FORMULA_WORK))),
        memo: vec![Cell::new(UNKNOWN); ruleset.lexicon.calls.count()],
        failed: Vec::new(),
        cut: false,
    };
    run.compute();
    if !run.effort.is_spent() {
        own_rules::check(&mut run);
        run.fields_without_value();
    }
    checks::relations(&mut run, ship);
    checks::checks(&mut run);
    let holds = run.marks();
    let costs = checks::costs(&mut run, &holds);
    let mut evaluation = run.results(ship);
    evaluation.costs = costs;
    drawn::tracks(&mut run, &mut evaluation, &holds);
    drawn::tables(&mut run, &mut evaluation, &holds, false);
    drawn::counters(&mut run, &mut evaluation);
    run.provenance(&mut evaluation, &holds);
    run.state.work += run.effort.taken();
    run.state.cut_short = run.cut;
    let (findings, subjects, causes) = run.notes.into_found();
    evaluation.findings = findings;
    evaluation.subjects = subjects;
    let errors = evaluation.findings.iter().filter(|finding| finding.severity == Severity::Error).count();
    evaluation.legal = errors == 0;
    let mut state = run.state;
    state.causes = causes;
    state.errors = errors;
    state.legal = evaluation.legal;
    state.own_words = own_rules::words(ruleset, &evaluation.own_systems);
    state.assumed = (!evaluation.assumed.is_empty()).then(|| evaluation.assumed.join("; ").into());
    evaluation.state = Arc::new(state);
    evaluation
}

/// No ship: every field and value null, nothing fitted; for a reference sheet all rows of all tables, else the tracks every ship has alike.
pub(super) fn blank(ruleset: &Arc<Ruleset>, design: &Design, ship: &Ship, sheet: Option<usize>) -> Evaluation {
    let reference = sheet.is_some_and(|sheet| ruleset.sheets[sheet].kind == SheetKind::Reference);
    let mut run = Run {
        rules: ruleset,
        ship,
        state: State { legal: true, sheet, ..State::default() },
        notes: Notes::new(ruleset, design),
        effort: Effort::ship(),
        memo: vec![Cell::new(UNKNOWN); ruleset.lexicon.calls.count()],
        failed: Vec::new(),
        cut: false,
    };
    run.state.relations = vec![0; ruleset.relations.len()];
    run.state.fields = vec![Value::Null; ruleset.fields.len()];
    run.state.chosen = vec![None; ruleset.fields.len()];
    // What is the same for every ship is known without one: such values, the tracks made of them, and tables that concern them all.
    run.state.values = vec![Value::Null; ruleset.values.len()];
    for (place, value) in ruleset.values.iter().enumerate().filter(|(_, value)| value.formula.is_constant()) {
        run.state.values[place] = run.value(&value.formula, Of::Nothing, &value.id);
    }
    let mut evaluation = run.results(ship);
    let holds = vec![true; ruleset.marks.len()];
    if !reference {
        drawn::fixed_tracks(&mut run, &mut evaluation);
    }
    drawn::tables(&mut run, &mut evaluation, &holds, reference);
    evaluation.legal = true;
    evaluation.state = Arc::new(run.state);
    evaluation
}

/// An evaluation on its way.
pub(super) struct Run<'a> {
    pub rules: &'a Arc<Ruleset>,
    ship: &'a Ship,
    pub state: State,
    pub notes: Notes<'a>,
    /// What is left to do: a ruleset and a design that multiply each other come to an end.
    pub effort: Effort,
    /// What counts of fits gave before: fits do not change once they are read.
    pub memo: Vec<Cell<i64>>,
    /// Formulas that failed already: each is spoken of once.
    failed: Vec<(Span, &'static str)>,
    /// Whether some formula was left out for want of work.
    cut: bool,
}

impl Run<'_> {
    pub(super) fn view(&self, of: Of) -> View<'_> {
        View { memo: &self.memo, ..View::new(self.rules, &self.state, self.ship, of, &self.effort) }
    }

    /// Speaks of a formula that failed, once for each formula and fault.
    pub(super) fn failed(&mut self, mistake: Mistake, formula: Span, of: Of, item: &str) {
        if self.effort.is_spent() {
            return self.cut_short(formula, of, item);
        }
        if self.failed.contains(&(formula, mistake.code)) || self.failed.len() > 100 {
            return;
        }
        self.failed.push((formula, mistake.code));
        let mut finding = Finding::error(mistake.code, format!("cannot compute {item}: {}", mistake.message));
        let help = match mistake.code {
            "no-answer" => {
                "look for something in the design that the rules do not cover, or add a row for it to the table"
            }
            _ => "look for a number in the design that is far too large",
        };
        finding.help = mistake.help.or_else(|| Some(help.to_owned()));
        finding.rule = Some(self.rules.place(formula));
        let (span, place) = self.place(of);
        let subject = self.subject(of);
        self.notes.add(finding, span, place.or_else(|| Some(item.into())), subject);
    }

    /// Whether a formula may still be worked out. When not, the first one left out is named.
    pub(super) fn may(&mut self, formula: Span, of: Of, item: &str) -> bool {
        if self.effort.is_spent() {
            self.cut_short(formula, of, item);
            return false;
        }
        true
    }

    /// Names the formula at which the work of the ship was spent, once.
    #[cold]
    fn cut_short(&mut self, formula: Span, of: Of, item: &str) {
        if std::mem::replace(&mut self.cut, true) {
            return;
        }
        let most = self.effort.most();
        let message = format!(
            "cannot compute {item}: the formulas of this ship take more than {most} steps; this and all later results stay empty"
        );
        let mut finding = Finding::error("too-much-work", message)
            .help("look for formulas that loop over a long list for each fit, or a design with very many fits");
        finding.rule = Some(self.rules.place(formula));
        let (span, place) = self.place(of);
        let subject = self.subject(of);
        self.notes.add(finding, span, place.or_else(|| Some(item.into())), subject);
    }

    pub(super) fn value(&mut self, formula: &Formula, of: Of, item: &str) -> Value {
        if !self.may(formula.at, of, item) {
            return Value::Null;
        }
        match formula.eval(&self.view(of)) {
            Ok(value) => value,
            Err(mistake) => {
                self.failed(mistake, formula.at, of, item);
                Value::Null
            }
        }
    }

    pub(super) fn int(&mut self, formula: &Formula, of: Of, item: &str) -> Option<i64> {
        if !self.may(formula.at, of, item) {
            return None;
        }
        match formula.int(&self.view(of)) {
            Ok(number) => number,
            Err(mistake) => {
                self.failed(mistake, formula.at, of, item);
                None
            }
        }
    }

    pub(super) fn flag(&mut self, formula: &Formula, of: Of, item: &str) -> Option<bool> {
        if !self.may(formula.at, of, item) {
            return None;
        }
        match formula.flag(&self.view(of)) {
            Ok(flag) => flag,
            Err(mistake) => {
                self.failed(mistake, formula.at, of, item);
                None
            }
        }
    }

    pub(super) fn text(&mut self, text: &Text, of: Of, item: &str) -> Option<Arc<str>> {
        if text.is_literal().is_some_and(|literal| literal.len() == text.source.len()) {
            return Some(text.source.clone());
        }
        if !self.may(text.at, of, item) {
            return None;
        }
        match text.eval(&self.view(of)) {
            Ok(said) => said.map(Arc::from),
            Err(mistake) => {
                self.failed(mistake, text.at, of, item);
                None
            }
        }
    }

    /// What a `for_each` goes over on this ship.
    pub(super) fn each(&self, selector: Option<&Selector>) -> Vec<Of> {
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
        let each = each(self.rules, &self.state, selector);
        self.effort.work(looks + each.len());
        each
    }

    /// Where a thing stands in the design, and what a player calls it.
    pub(super) fn place(&self, of: Of) -> (Span, Option<Arc<str>>) {
        let design = self.notes.design;
        let top = design.name.as_ref().or(design.ruleset.as_ref()).map_or(Span::default(), |word| word.span);
        match of {
            Of::Fit(n) => {
                let fit = &self.state.fits[n];
                let span = design.fits.get(fit.place).map_or(Span::default(), |fit| fit.span);
                (span, Some(self.item(fit)))
            }
            Of::System(system) => match self.state.fits.iter().find(|fit| fit.system == system) {
                Some(fit) => {
                    let span = design.fits.get(fit.place).map_or(Span::default(), |fit| fit.span);
                    (span, Some(self.state.system(self.rules, system).name.clone()))
                }
                None => (top, None),
            },
            Of::Mount(n) => {
                let fit = self.state.fits.iter().find(|fit| fit.mount == Some(n));
                let span = fit.and_then(|fit| design.fits.get(fit.place)).map_or(top, |fit| fit.span);
                (span, Some(self.rules.mounts[n].label.clone()))
            }
            Of::Row(field, row) => {
                let field = &self.rules.fields[field];
                let (row, span) = self.row_in_file(&field.id, row).unwrap_or((row, top));
                (span, Some(format!("{}, row {}", field.label, row + 1).into()))
            }
            Of::TableRow(..) | Of::Nothing => (top, None),
        }
    }

    /// The same as a part of the design.
    pub(super) fn subject(&self, of: Of) -> Subject {
        let design = self.notes.design;
        match of {
            Of::Fit(n) => {
                design.fits.get(self.state.fits[n].place).map_or(Subject::Design, |fit| Subject::Fit(fit.index))
            }
            Of::System(system) => Subject::System(self.state.system(self.rules, system).id.clone()),
            Of::Mount(n) => Subject::Mount(self.rules.mounts[n].id.clone()),
            Of::Row(field, row) => {
                let id = &self.rules.fields[field].id;
                let row = self.row_in_file(id, row).map_or(row, |(row, _)| row);
                Subject::Row { field: id.clone(), row }
            }
            Of::TableRow(..) | Of::Nothing => Subject::Design,
        }
    }

    /// A row of a field as the file has it: rows that are no tables are not counted when it is read.
    fn row_in_file(&self, field: &str, row: usize) -> Option<(usize, Span)> {
        let entry = self.notes.design.fields.iter().find(|entry| *entry.key == *field)?;
        let Data::List(rows) = &entry.node.data else { return None };
        let tables = rows.iter().enumerate().filter(|(_, row)| matches!(row.data, Data::Table(_)));
        tables.map(|(n, row)| (n, row.span)).nth(row)
    }

    fn item(&self, fit: &Fitted) -> Arc<str> {
        let name = self.state.system(self.rules, fit.system).name;
        let mount =
            fit.mount.map(|n| &*self.rules.mounts[n].label).or((!fit.mount_id.is_empty()).then_some(&*fit.mount_id));
        inputs::item(name, mount)
    }

    fn compute(&mut self) {
        let rules = self.rules.clone();
        self.state.values = vec![Value::Null; rules.values.len()];
        let answers = rules.lexicon.answers.len();
        let mut fits_of: Vec<Vec<usize>> = vec![Vec::new(); rules.systems.len()];
        for (n, fit) in self.state.fits.iter().enumerate() {
            fits_of[fit.base].push(n);
        }
        for node in &rules.order {
            match *node {
                Node::Value(n) => {
                    let value = &rules.values[n];
                    self.state.values[n] = self.value(&value.formula, Of::Nothing, &value.id);
                }
                Node::Attribute(system, answer) => {
                    let fits: &[usize] = fits_of.get(system).map_or(&[], Vec::as_slice);
                    for &n in fits {
                        let fit = &self.state.fits[n];
                        if self.stated(fit.system, answer) {
                            continue;
                        }
                        let at = match &rules.systems[system].attributes[answer] {
                            AttributeRule::Formula(formula, ..) => formula.at,
                            AttributeRule::Text(text, ..) => text.at,
                            _ => continue,
                        };
                        if !self.may(at, Of::Fit(n), &rules.lexicon.answers[answer].id) {
                            break;
                        }
                        let item = |run: &Self| {
                            format!("{}: {}", run.item(&run.state.fits[n]), rules.lexicon.answers[answer].id)
                        };
                        let result = match &rules.systems[system].attributes[answer] {
                            AttributeRule::Formula(formula, ..) => {
                                formula.eval(&self.view(Of::Fit(n))).map_err(|mistake| (mistake, formula.at))
                            }
                            AttributeRule::Text(text, ..) => match text.eval(&self.view(Of::Fit(n))) {
                                Ok(said) => Ok(said.map_or(Value::Null, |said| Value::Text(said.into()))),
                                Err(mistake) => Err((mistake, text.at)),
                            },
                            _ => continue,
                        };
                        let value = result.unwrap_or_else(|(mistake, at)| {
                            let item = item(self);
                            self.failed(mistake, at, Of::Fit(n), &item);
                            Value::Null
                        });
                        self.state.answers[n * answers + answer] = value;
                    }
                }
            }
        }
    }

    /// Whether a system of the design's own states an attribute itself.
    fn stated(&self, system: usize, answer: usize) -> bool {
        let own = system.checked_sub(self.rules.systems.len()).and_then(|n| self.state.own.get(n));
        own.is_some_and(|own| own.answers.iter().any(|(stated, _)| *stated == answer))
    }

    fn applies(&mut self, condition: Option<&Formula>, item: &str) -> bool {
        condition.is_none_or(|formula| self.flag(formula, Of::Nothing, item).unwrap_or(true))
    }

    fn fields_without_value(&mut self) {
        let rules = self.rules.clone();
        for (n, field) in rules.fields.iter().enumerate() {
            let given = self.state.said.get(n).copied().unwrap_or(false);
            if self.state.fields[n] == Value::Null
                && !given
                && !matches!(field.kind, FieldKind::Text)
                && self.applies(field.shown_when.as_ref(), &field.id)
            {
                inputs::missing_field(&mut self.notes, field);
            }
        }
    }

    /// Which marks of provenance hold for this ship.
    fn marks(&mut self) -> Vec<bool> {
        let rules = self.rules.clone();
        let mut holds = Vec::with_capacity(rules.marks.len());
        let mut is_aboard = vec![false; rules.systems.len()];
        for fit in self.state.fits.iter().filter(|fit| fit.count > 0) {
            is_aboard[fit.base] = true;
        }
        for mark in &rules.marks {
            let aboard = mark.system.is_none_or(|system| is_aboard[system]);
            let chosen = mark.option.is_none_or(|(field, option)| self.state.chosen[field] == Some(option));
            let when = mark.when.as_ref().is_none_or(|when| self.flag(when, Of::Nothing, &mark.of).unwrap_or(false));
            holds.push(aboard && chosen && when);
        }
        holds
    }

    /// What the ship's numbers rest on: the provenance of each value, and a line for each guess behind the cost or the sheet.
    fn provenance(&self, evaluation: &mut Evaluation, holds: &[bool]) {
        let rules = self.rules;
        let mut resting: Vec<u32> = Vec::new();
        for (rule, result) in rules.values.iter().zip(&mut evaluation.values) {
            result.provenance = strongest(rules, &rule.marks, holds);
            if &*rule.id == "points" {
                resting.extend(&rule.marks);
            }
        }
        resting.extend(rules.costs.iter().flat_map(|cost| &cost.marks));
        let tracks: HashMap<&Arc<str>, &[u32]> = rules.tracks.iter().map(|rule| (&rule.id, &*rule.marks)).collect();
        for track in &evaluation.tracks {
            resting.extend(tracks.get(&track.track).copied().unwrap_or_default());
        }
        // Each once: the same few guesses stand behind many things.
        let mut seen = vec![false; rules.marks.len()];
        for mark in resting {
            if std::mem::replace(&mut seen[mark as usize], true) {
                continue;
            }
            let mark_rule = &rules.marks[mark as usize];
            if holds[mark as usize]
                && mark_rule.provenance == Provenance::Assumed
                && !evaluation.assumed.contains(&mark_rule.why)
            {
                evaluation.assumed.push(mark_rule.why.clone());
            }
        }
    }

    fn results(&mut self, ship: &Ship) -> Evaluation {
        let rules = self.rules.clone();
        let mut fields = Vec::with_capacity(rules.fields.len());
        for (n, field) in rules.fields.iter().enumerate() {
            let value = self.state.fields[n].clone();
            let said: Arc<str> = match (&field.kind, self.state.chosen[n]) {
                (FieldKind::Choice(choice), Some(option)) => choice.options[option].label.clone(),
                (FieldKind::Rows(_), _) => match &value {
                    Value::List(rows) if rows.len() == 1 => "1 row".into(),
                    Value::List(rows) => format!("{} rows", rows.len()).into(),
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
                _ => shown(&value).into(),
            };
            let applies = self.applies(field.shown_when.as_ref(), &field.id);
            fields.push(FieldResult { id: field.id.clone(), label: field.label.clone(), value, shown: said, applies });
        }
        let mut values = Vec::with_capacity(rules.values.len());
        for (n, value) in rules.values.iter().enumerate() {
            values.push(ValueResult {
                id: value.id.clone(),
                label: value.label.clone(),
                value: self.state.values[n].clone(),
                headline: value.headline,
                limit: value.limit.as_ref().and_then(|limit| self.int(limit, Of::Nothing, &value.id)),
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
            let applies = self.applies(mount.shown_when.as_ref(), &mount.id);
            mounts.push(MountResult {
                id: mount.id.clone(),
                label: mount.label.clone(),
                tags: mount.tags.clone(),
                applies,
                fits: Vec::new(),
            });
        }
        let fits = self.fit_results(&mut mounts);
        let common = Common {
            file: self.notes.design.source.file.clone(),
            name: self.state.name.clone().unwrap_or_default(),
            points,
            fields,
            values,
            mounts,
            fits,
            own_systems: own_rules::results(&rules, &self.state),
            ..Common::default()
        };
        Evaluation {
            ruleset: rules.clone(),
            ship: ship.clone(),
            counters: Vec::new(),
            wanted_sheet: None,
            common: Arc::new(common),
            state: Arc::default(),
        }
    }

    fn fit_results(&self, mounts: &mut [MountResult]) -> Vec<FitResult> {
        let lexicon = &self.rules.lexicon;
        let width = lexicon.answers.len();
        let mut fits: Vec<FitResult> = Vec::with_capacity(self.state.fits.len());
        // How many of the same stand in the same mount already.
        let mut alike: HashMap<(usize, &Arc<str>), u32> = HashMap::new();
        for (n, fit) in self.state.fits.iter().enumerate() {
            let face = self.state.system(self.rules, fit.system);
            let has = |answer: usize| {
                lexicon.answers[answer].default.is_some() || lexicon.systems[fit.base].parameters.contains(&answer)
            };
            let answers = (0..width)
                .filter(|&a| has(a))
                .map(|a| (lexicon.answers[a].id.clone(), self.state.answers[n * width + a].clone()));
            let count = u32::try_from(fit.count).unwrap_or(0);
            let before = alike.entry((fit.system, &fit.mount_id)).or_insert(0_u32);
            let first_mark = 1 + *before;
            *before = before.saturating_add(count);
            if let Some(mount) = fit.mount {
                mounts[mount].fits.push(n);
            }
            fits.push(FitResult {
                index: self.notes.design.fits.get(fit.place).map_or(0, |fit| fit.index),
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

/// What a `for_each` goes over on this ship.
pub(super) fn each(rules: &Ruleset, state: &State, selector: Option<&Selector>) -> Vec<Of> {
    let fits = |systems: &Option<Vec<usize>>| {
        let systems = systems.clone();
        let fits = state.fits.iter().enumerate();
        fits.filter(move |(_, fit)| fit.count > 0 && systems.as_ref().is_none_or(|systems| systems.contains(&fit.base)))
    };
    match selector {
        None => vec![Of::Nothing],
        Some(Selector::Fit(systems)) => fits(systems).map(|(n, _)| Of::Fit(n)).collect(),
        Some(Selector::System(systems)) => {
            let mut aboard: Vec<usize> = fits(systems).map(|(_, fit)| fit.system).collect();
            aboard.sort_unstable();
            aboard.dedup();
            aboard.into_iter().map(Of::System).collect()
        }
        Some(Selector::Mount(mounts)) => match mounts {
            Some(mounts) => mounts.iter().map(|&n| Of::Mount(n)).collect(),
            None => (0..rules.mounts.len()).map(Of::Mount).collect(),
        },
        Some(Selector::Field(field)) => {
            let rows = if let Some(Value::List(rows)) = state.fields.get(*field) { rows.len() } else { 0 };
            (0..rows).map(|row| Of::Row(*field, row)).collect()
        }
        Some(Selector::Table(table)) => {
            let rows = if let crate::ruleset::TableKind::Rows { rows, .. } = &rules.tables[*table].kind {
                rows.len()
            } else {
                0
            };
            (0..rows).map(|row| Of::TableRow(*table, row)).collect()
        }
    }
}

/// The weightiest provenance among marks that hold.
pub(super) fn strongest(rules: &Ruleset, marks: &[u32], holds: &[bool]) -> Provenance {
    let held = marks.iter().filter(|mark| holds[**mark as usize]);
    held.map(|mark| rules.marks[*mark as usize].provenance).max().unwrap_or_default()
}
