//! The results of an evaluation in another language: labels, notes and names that the rules give. Runs last, so that no formula, check or
//! finding reads them; what a player wrote, ids and marks stay.

use std::sync::Arc;

use crate::formula::Value;
use crate::ruleset::{ColumnKind, FieldKind};

use super::Evaluation;

impl Evaluation {
    /// Puts what it shows into the language of its ruleset, if that has one.
    pub(super) fn put_into_words(&mut self) {
        let Some(words) = self.ruleset.words.clone() else { return };
        let own: Vec<bool> = self.fits.iter().map(|fit| self.is_own(&fit.name)).collect();
        let say = |text: &mut Arc<str>| *text = words.say_shared(text);
        let shared = &mut **self;
        shared.mounts.iter_mut().for_each(|mount| say(&mut mount.label));
        shared.fits.iter_mut().zip(own).filter(|(_, own)| !own).for_each(|(fit, _)| say(&mut fit.name));
        for track in &mut shared.tracks {
            say(&mut track.label);
            track.row_labels.iter_mut().flat_map(|(_, labels)| labels).for_each(say);
            track.row_notes.iter_mut().for_each(say);
            track.marks.iter_mut().for_each(|mark| say(&mut mark.label));
        }
        for table in &mut shared.tables {
            say(&mut table.label);
            say(&mut table.note);
            table.row_labels.iter_mut().for_each(say);
            table.columns.iter_mut().for_each(|column| say(&mut column.label));
        }
        self.counters.iter_mut().for_each(|counter| say(&mut counter.label));
    }

    /// Whether a player wrote this text in a design or fleet: a name, a note, a field of text; or it is the title of the game or of its source. It is
    /// never translated.
    pub fn is_own(&self, text: &str) -> bool {
        let ship = &self.ship;
        let names = [ship.name.as_deref(), ship.hull_number.as_deref()].into_iter().flatten();
        let more = [&ship.captain, &ship.owner, &ship.notes, &ship.group, &self.state.notes].into_iter().flatten();
        let fleet = ship.fleet.iter().flat_map(|fleet| [&fleet.name, &fleet.side]);
        let carrier = ship.carried_by.iter().map(|by| &by.carrier);
        let systems = self.custom_systems.iter().map(|system| &system.name);
        let facts = self.state.fleet.iter();
        let facts = facts.flat_map(|facts| [&facts.name, &facts.side, &facts.player, &facts.notes, &facts.code]);
        let rules = [&self.ruleset.title, &self.ruleset.source];
        let mut texts = more.chain(fleet).chain(carrier).chain(systems).chain(facts).chain(rules).chain([&self.name]);
        !text.is_empty()
            && (!self.ruleset.base.title.is_empty() && text.starts_with(&*self.ruleset.base.title)
                || texts.any(|own| **own == *text)
                || names.into_iter().any(|own| own == text)
                || self.state.custom_system_summary.as_deref() == Some(text)
                || self.is_in_text_field(text))
    }

    fn is_in_text_field(&self, text: &str) -> bool {
        let is_it = |value: &Value| matches!(value, Value::Text(own) if **own == *text);
        self.ruleset.fields.iter().zip(&self.fields).any(|(field, result)| match (&field.kind, &result.value) {
            (FieldKind::Text, value) => is_it(value),
            (FieldKind::Rows(columns), Value::List(rows)) => rows.iter().any(|row| {
                let Value::Record(row) = row else { return false };
                row.entries.iter().any(|(id, value)| {
                    let column = columns.iter().find(|column| column.id == *id);
                    is_it(value) && column.is_some_and(|column| column.kind == ColumnKind::Text)
                })
            }),
            _ => false,
        })
    }
}
