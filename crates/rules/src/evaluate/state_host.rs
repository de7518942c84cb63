//! Answers the slots and calls of formulas from a ship's state.

use std::sync::Arc;

use crate::formula::{Host, Record, Slot, Value, ranges_of};
use crate::ruleset::{CallKind, Symbol};

use super::state::{ItTarget, StateView, UNKNOWN_COUNT, display_value};

impl Host for StateView<'_> {
    fn read(&self, slot: Slot) -> Value {
        if let Some(value) = self.read_ref(slot) {
            return value.clone();
        }
        match Symbol::from_slot(slot) {
            Symbol::Relation(n) => Value::Int(self.state.relations.get(n).copied().unwrap_or(0)),
            Symbol::FieldOption(field, 0) => match (&self.rules.fields[field].kind, self.state.chosen.get(field)) {
                (crate::ruleset::FieldKind::Choice(choice), Some(&Some(option))) => {
                    Value::Text(choice.options[option].label.clone())
                }
                _ => Value::Null,
            },
            Symbol::SettingOption(setting, 0) => {
                let setting = &self.rules.settings[setting];
                let option = setting
                    .choice
                    .as_ref()
                    .and_then(|choice| choice.options.iter().find(|o| Value::Text(o.id.clone()) == setting.value));
                option.map_or(Value::Null, |option| Value::Text(option.label.clone()))
            }
            Symbol::It(word) => self.it_value(word),
            Symbol::Attribute(answer) => match self.target {
                ItTarget::System(system) => {
                    self.first_fit(system).and_then(|fit| self.fit_answer(fit, answer)).cloned().unwrap_or(Value::Null)
                }
                _ => Value::Null,
            },
            Symbol::Whole(answer) => {
                let whole = match self.target {
                    ItTarget::Fit(fit) => self.answer_for_all(fit, answer).ok().flatten(),
                    ItTarget::System(system) => {
                        self.charge_fit_scan();
                        let fits = (0..self.state.fits.len()).filter(|&fit| self.state.fits[fit].system == system);
                        fits.map(|fit| self.answer_for_all(fit, answer).ok().flatten())
                            .try_fold(0_i64, |sum, whole| sum.checked_add(whole?))
                    }
                    _ => None,
                };
                whole.map_or(Value::Null, Value::Int)
            }
            Symbol::Local(local) => self.locals[local as usize].map_or(Value::Null, Value::Int),
            Symbol::Builtin(word) => self.builtin_value(word),
            Symbol::Absent(what) => what.value(),
            _ => Value::Null,
        }
    }

    fn read_ref(&self, slot: Slot) -> Option<&Value> {
        match Symbol::from_slot(slot) {
            Symbol::Field(n) => self.state.fields.get(n),
            Symbol::Setting(n) => Some(&self.rules.settings[n].value),
            Symbol::Value(n) => self.state.values.get(n),
            Symbol::FieldOption(field, attribute) if attribute > 0 => match &self.rules.fields[field].kind {
                crate::ruleset::FieldKind::Choice(choice) => {
                    let option = (*self.state.chosen.get(field)?)?;
                    choice.options[option].values.get(attribute - 1)
                }
                _ => None,
            },
            Symbol::SettingOption(setting, attribute) if attribute > 0 => {
                let setting = &self.rules.settings[setting];
                let Value::Text(chosen) = &setting.value else { return None };
                setting.choice.as_ref()?.options.iter().find(|option| option.id == *chosen)?.values.get(attribute - 1)
            }
            Symbol::Attribute(answer) => match self.target {
                ItTarget::Fit(fit) => self.fit_answer(fit, answer),
                _ => None,
            },
            Symbol::Column(n) => Some(&self.box_record()?.entries.get(n)?.1),
            Symbol::Group(n) => self.group.get(n),
            Symbol::Data(n) => self.data.get(n).map(|(_, value)| value),
            _ => None,
        }
    }

    fn call(&self, number: u32, arguments: &[Value]) -> Result<Value, String> {
        let Some(call) = self.rules.symbols.calls.get(number) else { return Ok(Value::Null) };
        if arguments.contains(&Value::Null) {
            return Ok(Value::Null);
        }
        let any_memo = self.memo.get(number as usize);
        let memo = any_memo.filter(|_| arguments.is_empty());
        let word = match (call.kind, arguments) {
            // In a row of a table, a count depends on the other rows.
            (CallKind::Count, [Value::Text(word)]) if !matches!(self.target, ItTarget::TableRow(..)) => {
                any_memo.map(|memo| (memo, word))
            }
            _ => None,
        };
        if let Some(known) = word.and_then(|(memo, word)| memo.count_of(word)) {
            return Ok(Value::Int(known));
        }
        let counted = memo.filter(|_| call.kind == CallKind::Count);
        if let Some(known) = counted.map(|memo| memo.count.get()).filter(|known| *known != UNKNOWN_COUNT) {
            return Ok(Value::Int(known));
        }
        if !self.work_budget.spend(self.scan_cost(call, arguments)) {
            return Err("the formulas of this ship take too much work".to_owned());
        }
        let asked = || self.state.fits.iter().enumerate().filter(|(_, fit)| self.matches_call(fit, call, arguments));
        let kept = memo.filter(|_| self.keeps_fits).map(|memo| {
            memo.fits.get_or_init(|| match call.kind {
                CallKind::Total(answer) => {
                    asked().filter(|(_, fit)| self.has_answer(fit, answer)).map(|(n, _)| n).collect()
                }
                _ => asked().map(|(n, _)| n).collect(),
            })
        });
        match call.kind {
            CallKind::Count => {
                let count = match kept {
                    Some(fits) => fits.iter().map(|n| self.state.fits[*n].count).sum(),
                    None => asked().map(|(_, fit)| fit.count).sum(),
                };
                if let Some(memo) = counted {
                    memo.count.set(count);
                } else if let Some((memo, word)) = word {
                    memo.keep_count_of(word, count);
                }
                Ok(Value::Int(count))
            }
            CallKind::Total(answer) => {
                let total = match kept {
                    Some(fits) => self.total(fits.iter().copied(), answer)?,
                    None => {
                        let fits = asked().filter(|(_, fit)| self.has_answer(fit, answer)).map(|(n, _)| n);
                        self.total(fits, answer)?
                    }
                };
                Ok(total.map_or(Value::Null, Value::Int))
            }
            CallKind::Fitted => {
                let mut counts: Vec<(usize, i64)> = Vec::new();
                for (_, fit) in asked() {
                    match counts.iter_mut().find(|(system, _)| *system == fit.system) {
                        Some((_, count)) => *count += fit.count,
                        None => counts.push((fit.system, fit.count)),
                    }
                }
                counts.sort_unstable();
                counts.retain(|(_, count)| *count > 0);
                let name = |system| self.state.system(self.rules, system).id.clone();
                let entries = counts.into_iter().map(|(system, count)| (name(system), Value::Int(count))).collect();
                Ok(Value::Record(Arc::new(Record { entries })))
            }
            CallKind::Systems => {
                let mut systems: Vec<usize> =
                    asked().filter(|(_, fit)| fit.count > 0).map(|(_, fit)| fit.system).collect();
                systems.sort_unstable();
                systems.dedup();
                Ok(Value::List(
                    systems.into_iter().map(|n| Value::Text(self.state.system(self.rules, n).id.clone())).collect(),
                ))
            }
            CallKind::Kind(call) => Ok(self.answer_of_kinds(call, arguments)),
            CallKind::Cells(table, column) => {
                let crate::ruleset::TableKind::Rows { rows, .. } = &self.rules.tables[table].kind else {
                    return Ok(Value::Null);
                };
                self.work_budget.spend(rows.len());
                let cells = || Value::List(rows.iter().map(|row| row.entries[column].1.clone()).collect());
                Ok(memo.map_or_else(cells, |memo| memo.cells.get_or_init(cells).clone()))
            }
            CallKind::Removed { list } => Ok(if list { Value::List(Arc::new([])) } else { Value::Null }),
            CallKind::Row(table) | CallKind::Step(table, _) | CallKind::Within(table, _) => {
                let table = &self.rules.tables[table];
                let crate::ruleset::TableKind::Rows { rows: all, key, .. } = &table.kind else {
                    return Ok(Value::Null);
                };
                // Words in a row are compared one by one.
                let mut rows = all.iter().inspect(|_| {
                    self.work_budget.spend(3);
                });
                let found = match call.kind {
                    CallKind::Step(_, column) => {
                        let Some(Value::Int(reach)) = arguments.first() else { return Ok(Value::Null) };
                        let reaching = rows.filter_map(|row| match &row.entries[column].1 {
                            Value::Int(up_to) if up_to >= reach => Some((up_to, row)),
                            _ => None,
                        });
                        reaching.min_by_key(|(up_to, _)| **up_to).map(|(_, row)| row)
                    }
                    CallKind::Within(_, column) => {
                        let Some(Value::Int(wanted)) = arguments.first() else { return Ok(Value::Null) };
                        rows.find(|row| match &row.entries[column].1 {
                            Value::Int(number) => number == wanted,
                            Value::Text(text) => ranges_of(text).any(|(from, to)| (from..=to).contains(wanted)),
                            _ => false,
                        })
                    }
                    _ => rows.find(|row| key.iter().zip(arguments).all(|(&n, word)| row.entries[n].1 == *word)),
                };
                let found = found.or_else(|| match call.kind {
                    CallKind::Row(_) => self.closest_row(key, all, arguments),
                    _ => None,
                });
                match found {
                    Some(row) => Ok(Value::Record(row.clone())),
                    None => {
                        let words: Vec<String> = arguments.iter().map(display_value).collect();
                        let is_row = matches!(call.kind, CallKind::Row(_));
                        if is_row && self.rules.symbols.is_removed_row(&table.id, &words.join(" ")) {
                            return Ok(Value::Null);
                        }
                        let how = match call.kind {
                            CallKind::Step(..) => "that reaches",
                            CallKind::Within(..) => "with",
                            _ => "for",
                        };
                        Err(format!("table `{}` has no row {how} {}", table.id, words.join(", ")))
                    }
                }
            }
        }
    }

    fn reserve_cells(&self, cells: u32) -> bool {
        self.work_budget.spend_cells(cells)
    }

    fn work_limit(&self) -> u32 {
        u32::try_from(self.work_budget.remaining()).unwrap_or(u32::MAX)
    }

    fn record_work(&self, units: u32) {
        self.work_budget.spend(units as usize);
    }
}
