//! The report of `check --json`: takes an evaluation, gives one object of the array, its keys in the order of the format. Written straight
//! from the evaluation: no tree is built on the way.

use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::Value as Json;

use crate::finding::{Finding, Severity};
use crate::formula::Value;

use super::{CostLine, Evaluation, OwnResult, TableResult, TrackResult};

/// One object of the array that `check --json` prints.
pub struct Report<'e>(pub &'e Evaluation);

/// The same as a tree.
pub fn report(evaluation: &Evaluation) -> Json {
    serde_json::to_value(Report(evaluation)).unwrap_or(Json::Null)
}

impl Serialize for Report<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Whole<'e, V: Serialize, C: Serialize, T: Serialize, R: Serialize, F: Serialize, O: Serialize> {
            file: &'e str,
            ruleset: Rules<'e>,
            name: &'e str,
            legal: bool,
            values: V,
            points: Option<i64>,
            costs: C,
            tracks: T,
            tables: R,
            findings: F,
            own_systems: O,
        }
        let Self(it) = self;
        let whole = Whole {
            file: &it.file,
            ruleset: Rules { id: &it.ruleset.id, version: &it.ruleset.version },
            name: &it.name,
            legal: it.legal,
            values: Entries(it.values.iter().map(|value| (&value.id, Plain(&value.value)))),
            points: it.points,
            costs: List(it.costs.iter().map(cost)),
            tracks: Entries(it.tracks.iter().map(|track| (&track.id, Track::of(track)))),
            tables: Entries(it.tables.iter().map(|table| (&table.id, Rows(table)))),
            findings: List(it.findings.iter().map(found)),
            own_systems: List(it.own_systems.iter().map(own)),
        };
        whole.serialize(serializer)
    }
}

#[derive(Serialize)]
struct Rules<'e> {
    id: &'e str,
    version: &'e str,
}

#[derive(Serialize)]
struct Cost<'e> {
    label: &'e str,
    count: i64,
    each: i64,
    total: i64,
}

fn cost(line: &CostLine) -> Cost<'_> {
    Cost { label: &line.label, count: line.count, each: line.each, total: line.total }
}

#[derive(Serialize)]
struct Track<'e> {
    kind: &'static str,
    rows: &'e [u32],
    cells: Vec<Plain<'e>>,
}

impl<'e> Track<'e> {
    fn of(track: &'e TrackResult) -> Self {
        Self { kind: track.kind.word(), rows: &track.rows, cells: track.cells.iter().map(Plain).collect() }
    }
}

#[derive(Serialize)]
struct Own<'e> {
    id: &'e str,
    name: &'e str,
    like: &'e str,
    count: i64,
    numbers: std::collections::BTreeMap<&'e str, i64>,
}

fn own(own: &OwnResult) -> Own<'_> {
    let numbers = own.numbers.iter().map(|(id, number)| (&**id, *number)).collect();
    Own { id: &own.id, name: &own.name, like: &own.like, count: own.count, numbers }
}

#[derive(Serialize)]
struct Found<'e> {
    code: &'e str,
    severity: Severity,
    message: &'e str,
    help: Option<&'e str>,
    at: At<'e>,
}

#[derive(Serialize)]
struct At<'e> {
    file: Option<&'e str>,
    line: u32,
    item: Option<&'e str>,
}

fn found(finding: &Finding) -> Found<'_> {
    let at = At { file: finding.at.file.as_deref(), line: finding.at.line, item: finding.at.item.as_deref() };
    Found {
        code: &finding.code,
        severity: finding.severity,
        message: &finding.message,
        help: finding.help.as_deref(),
        at,
    }
}

/// A table's rows: objects, or plain lists of a grid.
struct Rows<'e>(&'e TableResult);

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(table) = self;
        if table.grid {
            return serializer.collect_seq(table.rows.iter().map(|row| List(row.iter().map(Plain))));
        }
        let columns = || table.columns.iter().map(|column| &column.id);
        serializer.collect_seq(table.rows.iter().map(|row| Entries(columns().zip(row.iter().map(Plain)))))
    }
}

/// A value as JSON has it.
struct Plain<'e>(&'e Value);

impl Serialize for Plain<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Null => serializer.serialize_unit(),
            Value::Int(number) => serializer.serialize_i64(*number),
            Value::Flag(flag) => serializer.serialize_bool(*flag),
            Value::Text(text) => serializer.serialize_str(text),
            Value::List(list) => serializer.collect_seq(list.iter().map(Plain)),
            Value::Record(record) => {
                serializer.collect_map(record.entries.iter().map(|(id, value)| (id, Plain(value))))
            }
        }
    }
}

/// What an iterator gives, as an array.
struct List<I>(I);

impl<I: Iterator<Item: Serialize> + Clone> Serialize for List<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.clone())
    }
}

/// What an iterator gives, as an object.
struct Entries<I>(I);

impl<'e, V: Serialize, I: Iterator<Item = (&'e Arc<str>, V)> + Clone> Serialize for Entries<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.clone())
    }
}
