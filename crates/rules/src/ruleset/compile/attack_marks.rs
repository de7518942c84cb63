//! Provenance of attacks: takes the compiled rules, adds to each gauge, attack and outcome the marks of all that it
//! reads.

use crate::formula::Formula;

use super::Compiler;
use crate::ruleset::attack_model::{GaugeSize, PrintedRows, Step, TARGET, Variable, situation_of};
use crate::ruleset::attack_scope::ship_slot;
use crate::ruleset::model::Ruleset;
use crate::ruleset::outputs::TrackDef;

impl Compiler<'_> {
    pub(super) fn propagate_attack_marks(&self, ruleset: &mut Ruleset) {
        for n in 0..ruleset.attack_rules.gauges.len() {
            let gauge = &ruleset.attack_rules.gauges[n];
            let mut marks = gauge.marks.clone();
            if let GaugeSize::Boxes(boxes) = &gauge.size {
                self.collect_attack_marks(ruleset, boxes, &mut marks);
            }
            if let Some(at_turn) = &gauge.at_turn {
                self.collect_attack_marks(ruleset, at_turn, &mut marks);
            }
            ruleset.attack_rules.gauges[n].marks = marks;
        }
        for n in 0..ruleset.attack_rules.attacks.len() {
            let attack = &ruleset.attack_rules.attacks[n];
            let mut marks = attack.marks.clone();
            for formula in attack.when.iter().chain(&attack.every).chain(&attack.uses) {
                self.collect_attack_marks(ruleset, formula, &mut marks);
            }
            self.collect_step_marks(ruleset, &attack.steps, &mut marks);
            ruleset.attack_rules.attacks[n].marks = marks;
        }
        for n in 0..ruleset.attack_rules.outcomes.len() {
            let outcome = &ruleset.attack_rules.outcomes[n];
            let mut marks = outcome.marks.clone();
            self.collect_attack_marks(ruleset, &outcome.formula, &mut marks);
            ruleset.attack_rules.outcomes[n].marks = marks;
        }
    }

    fn collect_step_marks(&self, ruleset: &Ruleset, steps: &[Step], marks: &mut Vec<u32>) {
        for step in steps {
            let set = step.assignments.iter().map(|assignment| &assignment.formula);
            for formula in step.when.iter().chain(&step.repeat).chain(set) {
                self.collect_attack_marks(ruleset, formula, marks);
            }
            for assignment in &step.assignments {
                if let Variable::Left(gauge) | Variable::Own(gauge) = assignment.variable {
                    let gauge = ruleset.attack_rules.gauges.get(usize::from(gauge));
                    add_missing(marks, gauge.map_or(&[], |gauge| &gauge.marks));
                }
            }
            self.collect_step_marks(ruleset, &step.each, marks);
        }
    }

    fn collect_attack_marks(&self, ruleset: &Ruleset, formula: &Formula, marks: &mut Vec<u32>) {
        let rules = &ruleset.attack_rules;
        let mut of_ships = Vec::new();
        for slot in formula.reads() {
            if let Some(situation) = situation_of(slot) {
                add_missing(marks, rules.situations.get(usize::from(situation)).map_or(&[], |rule| &rule.marks));
            } else if let Some(printed) = PrintedRows::from_slot(slot) {
                match printed {
                    PrintedRows::Table(n) => {
                        add_missing(marks, ruleset.tables.get(usize::from(n)).map_or(&[], |table| &table.marks));
                    }
                    PrintedRows::Track(n) => {
                        let track = ruleset.tracks.get(usize::from(n));
                        track.into_iter().for_each(|track| self.collect_track_marks(ruleset, track, formula, marks));
                    }
                }
            } else if let Some(variable) = Variable::from_slot(slot) {
                if let Variable::Left(gauge) | Variable::Own(gauge) = variable {
                    add_missing(marks, rules.gauges.get(usize::from(gauge)).map_or(&[], |gauge| &gauge.marks));
                }
            } else {
                of_ships.extend(ship_slot(slot));
            }
        }
        self.collect_marks(ruleset, of_ships.into_iter(), formula.calls().map(|call| call & !TARGET), marks);
    }

    /// A formula that counts boxes does not rest on what is assumed of their contents.
    fn collect_track_marks(&self, ruleset: &Ruleset, track: &TrackDef, formula: &Formula, marks: &mut Vec<u32>) {
        if formula.source.contains("cells") {
            return add_missing(marks, &track.marks);
        }
        let is_of_cells = |mark: &u32| self.marks.borrow()[*mark as usize].key.as_deref() == Some("cell");
        let own: Vec<u32> =
            track.marks[..track.direct_marks].iter().copied().filter(|mark| !is_of_cells(mark)).collect();
        add_missing(marks, &own);
        self.collect_marks(ruleset, track.boxes.reads(), track.boxes.calls(), marks);
    }
}

fn add_missing(marks: &mut Vec<u32>, more: &[u32]) {
    for mark in more {
        if !marks.contains(mark) {
            marks.push(*mark);
        }
    }
}
