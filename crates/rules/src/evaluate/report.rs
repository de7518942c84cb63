//! Serialises an evaluation for `check --json`, with keys in the documented order and without an intermediate tree.

use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::Value as Json;

use crate::formula::Value;
use moldloft_base::finding::{Finding, Severity};

use super::{CostLine, CustomSystemResult, Evaluation, TableResult, TrackResult};

/// One object of the array that `check --json` prints.
pub struct EvaluationReport<'e>(pub &'e Evaluation);

pub fn report_json(evaluation: &Evaluation) -> Json {
    serde_json::to_value(EvaluationReport(evaluation)).unwrap_or(Json::Null)
}

impl Serialize for EvaluationReport<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct ReportBody<'e, V: Serialize, C: Serialize, T: Serialize, R: Serialize, F: Serialize, O: Serialize> {
            file: &'e str,
            ruleset: ReportRuleset<'e>,
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
        let whole = ReportBody {
            file: &it.file,
            ruleset: ReportRuleset { id: &it.ruleset.id, version: &it.ruleset.version },
            name: &it.name,
            legal: it.legal,
            values: JsonObject(it.values.iter().map(|value| (&value.id, ReportValue(&value.value)))),
            points: it.points,
            costs: JsonArray(it.costs.iter().map(report_cost)),
            tracks: JsonObject(it.tracks.iter().map(|track| (&track.id, ReportTrack::from_result(track)))),
            tables: JsonObject(it.tables.iter().map(|table| (&table.id, ReportRows(table)))),
            findings: JsonArray(it.findings.iter().map(report_finding)),
            own_systems: JsonArray(it.custom_systems.iter().map(report_custom_system)),
        };
        whole.serialize(serializer)
    }
}

#[derive(Serialize)]
struct ReportRuleset<'e> {
    id: &'e str,
    version: &'e str,
}

#[derive(Serialize)]
struct ReportCost<'e> {
    label: &'e str,
    count: i64,
    each: i64,
    total: i64,
}

fn report_cost(line: &CostLine) -> ReportCost<'_> {
    ReportCost { label: &line.label, count: line.count, each: line.each, total: line.total }
}

#[derive(Serialize)]
struct ReportTrack<'e> {
    kind: &'static str,
    rows: &'e [u32],
    cells: Vec<ReportValue<'e>>,
}

impl<'e> ReportTrack<'e> {
    fn from_result(track: &'e TrackResult) -> Self {
        Self { kind: track.kind.word(), rows: &track.rows, cells: track.cells.iter().map(ReportValue).collect() }
    }
}

#[derive(Serialize)]
struct ReportCustomSystem<'e> {
    id: &'e str,
    name: &'e str,
    like: &'e str,
    count: i64,
    numbers: std::collections::BTreeMap<&'e str, i64>,
}

fn report_custom_system(own: &CustomSystemResult) -> ReportCustomSystem<'_> {
    let numbers = own.numbers.iter().map(|(id, number)| (&**id, *number)).collect();
    ReportCustomSystem { id: &own.id, name: &own.name, like: &own.like, count: own.count, numbers }
}

#[derive(Serialize)]
struct ReportFinding<'e> {
    code: &'e str,
    severity: Severity,
    message: &'e str,
    help: Option<&'e str>,
    at: ReportPlace<'e>,
}

#[derive(Serialize)]
struct ReportPlace<'e> {
    file: Option<&'e str>,
    line: u32,
    item: Option<&'e str>,
}

fn report_finding(finding: &Finding) -> ReportFinding<'_> {
    let at = ReportPlace { file: finding.at.file.as_deref(), line: finding.at.line, item: finding.at.item.as_deref() };
    ReportFinding {
        code: &finding.code,
        severity: finding.severity,
        message: &finding.message,
        help: finding.help.as_deref(),
        at,
    }
}

/// Objects, or plain lists for a grid.
struct ReportRows<'e>(&'e TableResult);

impl Serialize for ReportRows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(table) = self;
        if table.grid {
            return serializer.collect_seq(table.rows.iter().map(|row| JsonArray(row.iter().map(ReportValue))));
        }
        let columns = || table.columns.iter().map(|column| &column.id);
        serializer.collect_seq(table.rows.iter().map(|row| JsonObject(columns().zip(row.iter().map(ReportValue)))))
    }
}

struct ReportValue<'e>(&'e Value);

impl Serialize for ReportValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Null => serializer.serialize_unit(),
            Value::Int(number) => serializer.serialize_i64(*number),
            Value::Flag(flag) => serializer.serialize_bool(*flag),
            Value::Text(text) => serializer.serialize_str(text),
            Value::List(list) => serializer.collect_seq(list.iter().map(ReportValue)),
            Value::Record(record) => {
                serializer.collect_map(record.entries.iter().map(|(id, value)| (id, ReportValue(value))))
            }
        }
    }
}

struct JsonArray<I>(I);

impl<I: Iterator<Item: Serialize> + Clone> Serialize for JsonArray<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.clone())
    }
}

struct JsonObject<I>(I);

impl<'e, V: Serialize, I: Iterator<Item = (&'e Arc<str>, V)> + Clone> Serialize for JsonObject<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.clone())
    }
}
