//! The report of `check --json`: takes an evaluation, gives one object of the array, its keys in the order of the format.

use serde_json::{Map, Value as Json, json};

use crate::formula::Value;

use super::Evaluation;

/// One object of the array that `check --json` prints.
pub fn report(evaluation: &Evaluation) -> Json {
    let values: Map<String, Json> =
        evaluation.values.iter().map(|value| (value.id.to_string(), plain(&value.value))).collect();
    let costs: Vec<Json> = evaluation
        .costs
        .iter()
        .map(|line| json!({ "label": &*line.label, "count": line.count, "each": line.each, "total": line.total }))
        .collect();
    let tracks: Map<String, Json> = evaluation
        .tracks
        .iter()
        .map(|track| {
            let cells: Vec<Json> = track.cells.iter().map(plain).collect();
            (track.id.to_string(), json!({ "rows": track.rows, "cells": cells }))
        })
        .collect();
    let tables: Map<String, Json> = evaluation
        .tables
        .iter()
        .map(|table| {
            let row = |row: &Vec<Value>| match table.grid {
                true => Json::Array(row.iter().map(plain).collect()),
                false => Json::Object(
                    table
                        .columns
                        .iter()
                        .zip(row)
                        .map(|(column, value)| (column.id.to_string(), plain(value)))
                        .collect(),
                ),
            };
            (table.id.to_string(), Json::Array(table.rows.iter().map(row).collect()))
        })
        .collect();
    let findings: Vec<Json> = evaluation
        .findings
        .iter()
        .map(|finding| {
            json!({
                "code": finding.code,
                "severity": finding.severity,
                "message": finding.message,
                "help": finding.help,
                "at": { "file": finding.at.file.as_deref(), "line": finding.at.line, "item": finding.at.item.as_deref() },
            })
        })
        .collect();
    json!({
        "file": &*evaluation.file,
        "ruleset": { "id": &*evaluation.ruleset.id, "version": &*evaluation.ruleset.version },
        "name": &*evaluation.name,
        "legal": evaluation.legal,
        "values": values,
        "points": evaluation.points,
        "costs": costs,
        "tracks": tracks,
        "tables": tables,
        "findings": findings,
    })
}

fn plain(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Int(number) => json!(number),
        Value::Flag(flag) => json!(flag),
        Value::Text(text) => json!(&**text),
        Value::List(list) => Json::Array(list.iter().map(plain).collect()),
        Value::Record(record) => {
            Json::Object(record.entries.iter().map(|(id, value)| (id.to_string(), plain(value))).collect())
        }
    }
}
