//! What figures do not count: takes two ships and what fires, gives the words for what rules leave out, for weapons that no attack uses, and for what house
//! rules change where no attack reads it.

use std::collections::BTreeSet;
use std::sync::Arc;

use moldloft_base::finding::{DesignPart, Finding};
use moldloft_rules::evaluate::ArmedPart;
use moldloft_rules::formula::{Formula, FormulaError, FormulaErrorKind, Host, Slot, TextTemplate, Value};
use moldloft_rules::ruleset::{
    Attack, AttackRules, ChangeKind, GaugeSize, Ruleset, ShipReads, SituationKind, Variable, situation_of,
    situation_slot,
};

use super::encounter::Encounter;
use super::left_aside::{formulas, unrollable};
use super::program::{Firing, Pace};
use super::situation::{axis, axis_values};
use super::volley::GaugeOdds;

/// Most choices of situations that are tried for each weapon.
const MAX_TRIES: usize = 256;

/// What the figures of an attack that fires leave out; `title` is what it is called.
pub(super) fn left_out_by(firing: &Firing<'_>, title: &str, is_a_battle: bool) -> Vec<Arc<str>> {
    let mut notes: Vec<Arc<str>> =
        firing.attack.leaves_out.iter().filter_map(|text| in_words(text, firing, title)).collect();
    if let Some(Pace { every, .. }) = firing.pace.filter(|pace| pace.every > 1 && !is_a_battle) {
        notes.push(format!("{title} fires every {every} turns, the figures are of a turn in which it does").into());
    }
    notes
}

/// A ship without a box of what puts it out is not one that was shot down.
pub(super) fn nothing_to_lose(rules: &AttackRules, gauges: &[GaugeOdds<f64>], ship: &str) -> Vec<Arc<str>> {
    let bare = gauges.iter().filter(|gauge| gauge.boxes == Some(0));
    let bare = bare.filter_map(|gauge| rules.gauges.get(gauge.gauge)).filter(|rule| rule.ends);
    bare.map(|rule| format!("{ship} has no {} to lose", rule.label).into()).collect()
}

/// What is not rolled, since a text names no dice.
pub(super) fn left_aside(encounter: &Encounter<'_>, is_wanted: &dyn Fn(&Attack) -> bool) -> Vec<Arc<str>> {
    let left_out = encounter.left_out(is_wanted).into_iter();
    left_out.map(|(item, error)| format!("{item}: {}", error.message).into()).collect()
}

/// Why rules without attacks give no odds.
pub(super) fn no_attacks(rules: &Ruleset) -> Finding {
    let gone = rules.gone_along("attack").join(", ");
    if gone.is_empty() {
        let finding = Finding::error("no-odds", format!("the rules of {} declare no attacks", rules.id));
        return finding.help("write [[attack]] into them: docs/rulesets/attacks.md");
    }
    let message = format!("{} has no attacks left: {gone} went along with what a layer removed", rules.id);
    Finding::error("no-odds", message).help("write [[attack]] of your own without it")
}

/// What the figures of several turns leave out besides.
pub(super) fn left_out_later(firing: &Firing<'_>, title: &str) -> Option<Arc<str>> {
    in_words(firing.attack.leaves_out_later.as_ref()?, firing, title)
}

fn in_words(text: &TextTemplate, firing: &Firing<'_>, title: &str) -> Option<Arc<str>> {
    match text.eval(firing.host) {
        Ok(Some(words)) => (!words.trim().is_empty()).then(|| words.trim().into()),
        _ => Some(format!("{title}: what its rules leave out cannot be computed").into()),
    }
}

/// Adds those that are not there yet.
pub(super) fn add_new(notes: &mut Vec<Arc<str>>, more: impl IntoIterator<Item = Arc<str>>) {
    for note in more {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
}

/// A host in another situation.
struct SituationHost<'h> {
    host: &'h dyn Host,
    situation: &'h [Value],
}

impl Host for SituationHost<'_> {
    fn around(&self) -> Option<&dyn Host> {
        Some(self.host)
    }

    fn read_ref(&self, slot: Slot) -> Option<&Value> {
        match situation_of(slot) {
            Some(number) => self.situation.get(usize::from(number)),
            None => self.host.read_ref(slot),
        }
    }
}

/// All formulas of attacks, gauges and outcomes.
fn all_formulas(rules: &Ruleset) -> Vec<&Formula> {
    formulas_of(rules, &|_| true)
}

/// As [`all_formulas`], of the attacks that `is_wanted` accepts.
fn formulas_of<'r>(rules: &'r Ruleset, is_wanted: &dyn Fn(&Attack) -> bool) -> Vec<&'r Formula> {
    let rules = &rules.attack_rules;
    let gauges = rules.gauges.iter().flat_map(|gauge| {
        let boxes = match &gauge.size {
            GaugeSize::Boxes(boxes) => Some(boxes),
            GaugeSize::Most(_) => None,
        };
        boxes.into_iter().chain(&gauge.at_turn)
    });
    let attacks =
        rules.attacks.iter().filter(|attack| is_wanted(attack)).flat_map(|attack| {
            formulas(attack).into_iter().chain(&attack.every).chain(&attack.uses).collect::<Vec<_>>()
        });
    attacks.chain(gauges).chain(rules.outcomes.iter().map(|outcome| &outcome.formula)).collect()
}

impl Encounter<'_> {
    /// Weapons of the firing ship that no attack uses or that never bear, what it has that the rules do not, and what layers change that should count
    /// and does not.
    pub(super) fn uncounted(&self) -> Vec<Arc<str>> {
        let parts = self.own.armed_parts();
        let (used, held) = self.used_parts();
        let weapons = parts.iter().filter(|(part, _)| !used.contains(part));
        let told = weapons.map(|(part, label)| match held.contains(part) {
            true => format!("{label}: no attack of the rules fires it as it is").into(),
            false => format!("{label}: no attack of the rules uses it").into(),
        });
        let mut notes: Vec<Arc<str>> = told.collect();
        add_new(&mut notes, self.unknown_parts());
        let gone = self.own.ruleset.gone_along("attack").into_iter();
        add_new(
            &mut notes,
            gone.map(|id| format!("the attack {id}, which went along with what a layer removed").into()),
        );
        add_new(&mut notes, removed_attacks(&self.own.ruleset));
        let changed = changed_unread(&self.own.ruleset, &|table| {
            self.own.is_described(table, &parts) || self.target.is_described(table, &self.target.armed_parts())
        });
        add_new(&mut notes, changed);
        add_new(&mut notes, self.unread_by(&|_| true));
        add_new(&mut notes, removed_tables(&self.own.ruleset));
        add_new(&mut notes, skipped_statements(&self.own.ruleset));
        notes
    }

    /// Cells that some attacks do not read whole.
    pub(super) fn unread_by(&self, is_wanted: &dyn Fn(&Attack) -> bool) -> Vec<Arc<str>> {
        unread_cells(&self.own.ruleset, &|rules| formulas_of(rules, is_wanted))
    }

    /// Systems, mounts and options that the rules do not have: they do not count.
    fn unknown_parts(&self) -> Vec<Arc<str>> {
        let told = self.own.findings.iter().filter_map(|finding| match &*finding.code {
            "unknown-system" | "unknown-mount" | "unknown-option" => {
                Some(match (finding.subject(), &finding.at.item) {
                    (DesignPart::Fit(_), Some(item)) => format!("{item}: {}", finding.message).into(),
                    _ => finding.message.clone().into(),
                })
            }
            _ => None,
        });
        told.collect()
    }

    /// Parts of the firing ship that an attack is made for or asks for, if it can bear in some situation, and those that attacks on the ship ask for;
    /// then those whose attack bears in none.
    fn used_parts(&self) -> (BTreeSet<ArmedPart>, BTreeSet<ArmedPart>) {
        let rules = &self.own.ruleset;
        let choices = self.choices();
        let mounts = mount_words(rules);
        let parts = self.own.armed_parts();
        let mut used = BTreeSet::new();
        let mut ask = |reads: &ShipReads| {
            used.extend(parts.iter().map(|(part, _)| *part).filter(|part| self.asks_for(*part, reads, &mounts)));
        };
        let all = rules.attack_reads(all_formulas(rules));
        ask(&ShipReads { fields: BTreeSet::new(), ..all.target });
        let items = self.all_fits();
        let able = self.with_all(&|_| true, |fight, _, _| {
            let able = fight.firings.iter().map(|firing| {
                // What cannot be rolled is told by itself.
                unrollable(firing).is_some() || self.may_bear(firing, &choices)
            });
            able.zip(fight.firings).map(|(able, firing)| (able, firing.attack.id.clone())).collect::<Vec<_>>()
        });
        let (mut fits, mut held) = (BTreeSet::new(), BTreeSet::new());
        for ((able, id), item) in able.unwrap_or_default().into_iter().zip(items) {
            let item = item.into_iter().map(ArmedPart::Fit);
            if !able {
                held.extend(item);
                continue;
            }
            fits.extend(item);
            if let Some(attack) = rules.attack_rules.attacks.iter().find(|attack| attack.id == id) {
                ask(&rules.attack_reads(formulas(attack)).own);
            }
        }
        used.extend(fits);
        (used, held)
    }

    /// All combinations of the situations' options, that of the question first; at most so many.
    fn choices(&self) -> Vec<Vec<Value>> {
        let mut all = vec![self.situation.to_vec()];
        for (number, rule) in self.own.ruleset.attack_rules.situations.iter().enumerate() {
            let SituationKind::Choice(options) = &rule.kind else { continue };
            let known = all.clone();
            for (id, _) in options {
                for situation in &known {
                    let mut other = situation.clone();
                    let Some(place) = other.get_mut(number) else { continue };
                    *place = Value::Text(id.clone());
                    if all.len() < MAX_TRIES && !all.contains(&other) {
                        all.push(other);
                    }
                }
            }
        }
        all
    }

    /// Whether an attack bears in one of these situations, at some value of the axis, whatever the other numbers are.
    fn may_bear(&self, firing: &Firing<'_>, choices: &[Vec<Value>]) -> bool {
        choices.iter().filter(|situation| self.may_fire(firing, situation, true)).any(|situation| {
            let Some(axis) = self.axis_read(firing) else { return true };
            let Some(rule) = self.own.ruleset.attack_rules.situations.get(axis) else { return true };
            axis_values(rule).iter().any(|value| self.may_fire(firing, &with_value(situation, axis, value), false))
        })
    }

    /// The axis, if the attack hangs on it.
    fn axis_read(&self, firing: &Firing<'_>) -> Option<usize> {
        let axis = axis(&self.own.ruleset.attack_rules)?;
        let slot = situation_slot(u16::try_from(axis).ok()?);
        firing.attack.when.as_ref()?.reads().any(|read| read == slot).then_some(axis)
    }

    /// Whether an attack bears in a situation, whatever its other numbers are: those that are no choice, with the axis if that is open.
    fn may_fire(&self, firing: &Firing<'_>, situation: &[Value], is_axis_open: bool) -> bool {
        let Some(when) = &firing.attack.when else { return true };
        let rules = &self.own.ruleset.attack_rules;
        let axis = axis(rules);
        let is_open = |slot: &Slot| match situation_of(*slot).map(usize::from) {
            Some(number) => {
                let rule = rules.situations.get(number);
                let is_choice = rule.is_some_and(|rule| matches!(rule.kind, SituationKind::Choice(_)));
                !is_choice && (is_axis_open || Some(number) != axis)
            }
            None => Variable::from_slot(*slot).is_some(),
        };
        let open: Vec<Slot> = when.reads().filter(is_open).collect();
        let settled = when.specialize(&SituationHost { host: firing.host, situation }, &open);
        settled.as_constant().and_then(Value::as_bool) != Some(false)
    }

    /// The farthest value of the axis at which an attack bears that is made for a part of the firing ship or asks for it, in one of these situations,
    /// and the part is felt.
    pub fn reach(
        &self,
        part: ArmedPart,
        situations: &[Vec<Value>],
        is_felt: &(dyn Fn(&[Value]) -> bool + Sync),
    ) -> Option<i64> {
        let rules = &self.own.ruleset;
        let number = axis(&rules.attack_rules)?;
        let values = axis_values(rules.attack_rules.situations.get(number)?);
        let (items, mounts) = (self.all_fits(), mount_words(rules));
        let is_made_for = |firing: &Firing<'_>, item: &[usize]| {
            let reads = || rules.attack_reads(formulas(firing.attack)).own;
            matches!(part, ArmedPart::Fit(fit) if item.contains(&fit)) || self.asks_for(part, &reads(), &mounts)
        };
        let farthest = self.with_all(&|_| true, |fight, _, _| {
            let firings = fight.firings.iter().zip(&items);
            let firings =
                firings.filter(|(firing, item)| self.axis_read(firing).is_some() && is_made_for(firing, item));
            let firings: Vec<&Firing<'_>> = firings.map(|(firing, _)| firing).collect();
            let bears = |situation: &[Value]| {
                firings.iter().any(|firing| self.may_fire(firing, situation, false)) && is_felt(situation)
            };
            let mut values = values.iter().rev();
            values.find(|value| situations.iter().any(|known| bears(&with_value(known, number, value)))).cloned()
        });
        match farthest {
            Ok(Some(Value::Int(value))) => Some(value),
            _ => None,
        }
    }

    fn asks_for(&self, part: ArmedPart, reads: &ShipReads, mounts: &[Arc<str>]) -> bool {
        match part {
            ArmedPart::Fit(fit) => reads.calls.iter().any(|call| self.own.is_asked_for(fit, *call, mounts)),
            ArmedPart::Field(field) => reads.fields.contains(&field),
        }
    }
}

/// The words of all choices, which may name mounts.
fn mount_words(rules: &Ruleset) -> Vec<Arc<str>> {
    let choices = rules.attack_rules.situations.iter().filter_map(|rule| match &rule.kind {
        SituationKind::Choice(options) => Some(options.iter().map(|(id, _)| id.clone())),
        _ => None,
    });
    choices.flatten().collect()
}

fn with_value(situation: &[Value], number: usize, value: &Value) -> Vec<Value> {
    let mut other = situation.to_vec();
    if let Some(place) = other.get_mut(number) {
        place.clone_from(value);
    }
    other
}

/// Cells of tables that these formulas of attacks read, of which they do not read all.
fn unread_cells<'r>(rules: &'r Ruleset, formulas: &dyn Fn(&'r Ruleset) -> Vec<&'r Formula>) -> Vec<Arc<str>> {
    let is_none = rules.tables.iter().all(|table| table.unread_cells.is_empty());
    let read = if is_none { BTreeSet::new() } else { rules.attack_reads(formulas(rules)).tables };
    let tables = read.into_iter().filter_map(|table| rules.tables.get(table));
    let cells = tables.flat_map(|table| table.unread_cells.iter().map(move |(text, _)| (table, text)));
    cells.map(|(table, text)| format!("`{text}` in the table {}, which no attack can read", table.id).into()).collect()
}

/// Statements of layers that are not in force.
fn skipped_statements(rules: &Ruleset) -> Option<Arc<str>> {
    match rules.skipped {
        0 => None,
        1 => Some("1 statement of a layer, which is not in force".into()),
        n => Some(format!("{n} statements of layers, which are not in force").into()),
    }
}

/// Attacks that layers removed, unless they have others in their place.
fn removed_attacks(rules: &Ruleset) -> Vec<Arc<str>> {
    let of_layers = |kind: ChangeKind| {
        let own = rules.statements.iter().filter(|one| &*one.section == "attack" && one.span.file > 0);
        own.filter(move |one| one.kind == kind)
    };
    let is_replaced = of_layers(ChangeKind::Added).any(|one| one.parent.is_none());
    let removed = of_layers(ChangeKind::Removed).filter(|_| !is_replaced);
    removed.map(|one| rules.with_removal(format!("the attack {}", one.id), "attack", &one.id, None).into()).collect()
}

/// Tables that layers removed and that attacks look up, or that stood for what they do.
fn removed_tables(rules: &Ruleset) -> Vec<Arc<str>> {
    let mut ids: BTreeSet<&str> =
        all_formulas(rules).into_iter().flat_map(|formula| rules.removed_tables(formula.at)).collect();
    ids.extend(rules.removed_tables_of_odds());
    ids.into_iter().map(|id| removed_table(rules, id).into()).collect()
}

/// `the table chart: removed by club ("nobody plays it")`
fn removed_table(rules: &Ruleset, id: &str) -> String {
    rules.with_removal(format!("the table {id}"), "table", id, None)
}

/// One finding, where a layer removed something, for all that an attack cannot work out without it.
pub(super) fn told_by_removal(rules: &Ruleset, error: &FormulaError) -> Option<Finding> {
    if error.kind == Some(FormulaErrorKind::TooManyStates) {
        return None;
    }
    let own = rules.attack_rules.attacks.iter().map(formulas).find(|formulas| {
        let mut places = formulas.iter().map(|formula| formula.at);
        places.any(|at| at.file == error.span.file && at.start <= error.span.start && error.span.end <= at.end)
    })?;
    let looked_up = own.iter().find_map(|formula| rules.first_removed(formula.at));
    // What is only named need not be why: both are said.
    let named = || {
        let (removal, gone) = own.iter().find_map(|formula| rules.first_named_removed(formula.at))?;
        Some((removal, format!("{} in an attack that names {gone}", error.message)))
    };
    let (removal, gone) = looked_up.or_else(named)?;
    let finding = Finding::error(error.code, format!("attacks cannot be worked out: {gone}"))
        .help("in the layer that removed it, change or remove the attacks that look it up");
    Some(finding.at(rules.file(removal.span)?.place_with_snippet(removal.span)))
}

/// What layers change in tables about weapons and in tracks of damage, where no attack reads it. `is_about_weapons` tells of a table.
fn changed_unread(rules: &Ruleset, is_about_weapons: &dyn Fn(usize) -> bool) -> Vec<Arc<str>> {
    let statements: Vec<_> = rules.statements.iter().filter(|statement| statement.span.file > 0).collect();
    if statements.is_empty() {
        return Vec::new();
    }
    let reads = rules.attack_reads(all_formulas(rules));
    let mut notes = Vec::new();
    for (n, table) in rules.tables.iter().enumerate().filter(|(n, _)| reads.tables.contains(n)) {
        let is_unread = |id: &Arc<str>| !reads.columns.contains(&(n, id.clone()));
        let added = table.columns().iter().filter(|column| column.is_new && is_unread(&column.id));
        let is_of_below = table.span.file == 0 && table.may_change_odds;
        let note =
            |id: &str| format!("the column {id} of the table {}, which a layer adds and no attack reads", table.id);
        add_new(&mut notes, added.filter(|_| is_of_below).map(|column| note(&column.id).into()));
    }
    for statement in statements {
        let layer = rules.layers.get(usize::from(statement.span.file) - 1).map_or("a layer", |layer| &*layer.title);
        let key = rules.sources.get(usize::from(statement.span.file)).map_or("", |source| source.slice(statement.span));
        let (section, id) = match (&*statement.section, &statement.parent) {
            ("row" | "column", Some(table)) => ("table", table),
            (section, _) => (section, &statement.id),
        };
        let note = match section {
            "table" => rules.tables.iter().position(|table| table.id == *id).and_then(|n| {
                let table = rules.tables.get(n).filter(|table| table.may_change_odds)?;
                let is_worded = ["label", "rule", "when", "describes"].contains(&key.trim());
                let is_of_below = table.span.file < statement.span.file && !is_worded;
                let is_note = key.trim().trim_start_matches("note").is_empty() && key.contains("note");
                match (reads.tables.contains(&n), is_about_weapons(n)) {
                    (true, _) if is_note => Some(format!("the note of the table {id} as {layer} changes it")),
                    (false, is_about) if is_about || is_of_below => {
                        Some(format!("the table {id} as {layer} changes it"))
                    }
                    _ => None,
                }
            }),
            "track" => rules.tracks.iter().position(|track| track.id == statement.id).and_then(|n| {
                let track = rules.tracks.get(n)?;
                let changes = ["rows", "boxes", "cell", "when", "row_label"].iter().any(|known| key.contains(known));
                let is_damage = track.kind == moldloft_rules::ruleset::BoxKind::Damage && track.span.file == 0;
                (is_damage && changes && !reads.tracks.contains(&n))
                    .then(|| format!("the track {} as {layer} changes it", statement.id))
            }),
            _ => None,
        };
        add_new(&mut notes, note.map(Into::into));
    }
    notes
}
