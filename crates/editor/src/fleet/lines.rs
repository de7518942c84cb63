//! A fleet as table lines: takes it evaluated, gives a line for each ship and each carried group with cost and counts,
//! and all findings with the part of the form that each concerns.

use std::collections::BTreeMap;
use std::sync::Arc;

use moldloft_base::finding::{DesignPart, Finding, Severity};
use moldloft_library::library::{EvaluatedFleet, FleetUnit};

#[derive(Clone, Debug)]
pub struct FleetLine {
    pub ship: u32,
    /// Index of the relation and index among its ships.
    pub carried: Option<(usize, usize)>,
    /// Of carried units: of all carriers together.
    pub count: u32,
    pub unit: Option<usize>,
    pub class: Arc<str>,
    pub unit_points: Option<i64>,
    pub total_points: Option<i64>,
    /// Indices of the findings about the ship; none for carried units.
    pub findings: Vec<usize>,
    pub has_errors: bool,
    pub ticked_boxes: u32,
}

const MAX_FINDINGS: usize = 2_000;

pub fn fleet_lines(evaluated: &EvaluatedFleet, findings: &[Finding]) -> Vec<FleetLine> {
    let fleet = &evaluated.fleet;
    let mut lines = Vec::with_capacity(fleet.ships.len());
    let mut units = evaluated.units.iter().enumerate().peekable();
    let mut by_ship: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (n, finding) in findings.iter().enumerate() {
        if let DesignPart::Ship { ship, .. } = finding.subject() {
            by_ship.entry(*ship).or_default().push(n);
        }
    }
    for (entry, ship) in fleet.ships.iter().enumerate() {
        // Units are in the order of the file.
        let mut own: Vec<(usize, &FleetUnit)> = Vec::new();
        while let Some(unit) = units.next_if(|(_, unit)| unit.entry == entry) {
            own.push(unit);
        }
        let line = |carried: Option<(usize, usize)>| {
            let mut of = own.iter().filter(|(_, unit)| unit.carried == carried).peekable();
            let first = of.peek().copied();
            let points = |unit: &FleetUnit| unit.evaluation.points;
            let (mut count, mut total) = (0_u32, None::<i64>);
            for (_, unit) in of {
                count += 1;
                total = total.or(Some(0)).zip(points(unit)).map(|(sum, one)| sum.saturating_add(one)).or(total);
            }
            let about = by_ship.get(&ship.index).filter(|_| carried.is_none()).cloned().unwrap_or_default();
            let written = match carried {
                None => Some(ship),
                Some((n, k)) => ship.carried.get(n).and_then(|carried| carried.ships.get(k)),
            };
            let word = written.and_then(|ship| ship.design.as_ref());
            let known = first.and_then(|(_, unit)| unit.class.design.name.as_ref()).map(|word| word.text.clone());
            let hits = written.iter().flat_map(|ship| &ship.ticked_boxes).flat_map(|hits| &hits.runs);
            FleetLine {
                ship: ship.index,
                carried,
                count: if first.is_some() { count } else { written.map_or(0, |ship| ship.count) },
                unit: first.map(|(at, _)| *at),
                class: known.unwrap_or_else(|| word.map_or("", |word| &word.text).trim().into()),
                unit_points: first.and_then(|(_, unit)| points(unit)),
                total_points: total,
                has_errors: about.iter().any(|n| findings[*n].severity == Severity::Error),
                findings: about,
                ticked_boxes: hits.map(|(first, last)| last - first + 1).fold(0, u32::saturating_add),
            }
        };
        lines.push(line(None));
        for (n, carried) in ship.carried.iter().enumerate() {
            lines.extend((0..carried.ships.len()).map(|k| line(Some((n, k)))));
        }
    }
    // Below the ships, so that none moves when one takes something in tow.
    lines.sort_by_key(|line| line.carried.is_some());
    lines
}

/// Findings of several ships of one class are reported once.
pub fn collect_findings(evaluated: &EvaluatedFleet) -> Vec<Finding> {
    let mut all: Vec<Finding> = Vec::new();
    let by_line = FileSpans::new(evaluated);
    for finding in &evaluated.findings {
        all.push(finding.clone().with_origin(by_line.target(finding).unwrap_or_default()));
    }
    for out in &evaluated.skipped {
        let ship = evaluated.fleet.ships.get(out.entry).map_or(0, |ship| ship.index);
        let key = if out.carried.is_some() { "carried" } else { "design" };
        for finding in &out.findings {
            let finding = finding.clone().with_message(format!("{}: {}", out.name, finding.message));
            all.push(finding.with_origin(DesignPart::Ship { ship, key }));
        }
    }
    // The same finding for several ships of a class.
    let mut alike: Vec<(usize, &Finding, &FleetUnit, usize)> = Vec::new();
    for unit in evaluated.units.iter().filter(|unit| unit.copy == 1) {
        let class = Arc::as_ptr(&unit.class) as usize;
        for finding in unit.evaluation.findings.iter().filter(|finding| finding.severity < Severity::Info) {
            let same = |(of, known, ..): &&mut (usize, &Finding, &FleetUnit, usize)| {
                *of == class && known.code == finding.code && known.message == finding.message
            };
            if let Some((_, _, _, count)) = alike.iter_mut().find(same) {
                *count += 1;
            } else if alike.len() < MAX_FINDINGS {
                alike.push((class, finding, unit, 1));
            }
        }
    }
    for (_, finding, unit, count) in alike {
        let ship = evaluated.fleet.ships.get(unit.entry).map_or(0, |ship| ship.index);
        let place = by_line
            .target(finding)
            .unwrap_or(DesignPart::Ship { ship, key: if unit.carried.is_some() { "carried" } else { "design" } });
        let who = if count > 1 { unit.evaluation.name.to_string() } else { unit_label(unit) };
        let more = if count > 1 { format!(" ({count} ships of the fleet)") } else { String::new() };
        let finding = finding.clone().with_message(format!("{who}: {}{more}", finding.message));
        all.push(finding.with_origin(place));
    }
    all.sort_by_key(|finding| finding.severity);
    all.truncate(MAX_FINDINGS);
    all
}

pub fn unit_label(unit: &FleetUnit) -> String {
    let ship = &unit.evaluation.ship;
    match (&ship.hull_number, &ship.name) {
        (_, Some(name)) => name.clone(),
        (Some(hull), None) => hull.clone(),
        (None, None) => unit.evaluation.name.to_string(),
    }
}

struct FileSpans {
    file: Arc<str>,
    table_starts: Vec<(u32, DesignPart)>,
    key_lines: Vec<(u32, DesignPart)>,
}

impl FileSpans {
    fn new(evaluated: &EvaluatedFleet) -> Self {
        let fleet = &evaluated.fleet;
        let line = |span: moldloft_base::source::Span| fleet.source.line_column(span.start).0;
        let mut starts = Vec::new();
        let mut keys = Vec::new();
        for ship in &fleet.ships {
            starts.push((line(ship.span), DesignPart::Ship { ship: ship.index, key: "name" }));
            let words = [
                ("design", &ship.design),
                ("name", &ship.name),
                ("hull_number", &ship.hull_number),
                ("captain", &ship.captain),
                ("notes", &ship.notes),
                ("group", &ship.group),
            ];
            let mut key = |span, key| keys.push((line(span), DesignPart::Ship { ship: ship.index, key }));
            words
                .into_iter()
                .filter_map(|(name, word)| Some((name, word.as_ref()?)))
                .for_each(|(k, word)| key(word.span, k));
            ship.count_span.iter().for_each(|span| key(*span, "count"));
            ship.carried.iter().for_each(|carried| key(carried.relation.span, "carried"));
            ship.ticked_boxes.iter().for_each(|hits| key(hits.stem.span, "damage"));
            ship.load.iter().for_each(|load| key(load.span, "damage"));
        }
        for group in &fleet.groups {
            starts.push((line(group.span), DesignPart::Group(group.index)));
        }
        for (key, word) in
            [("name", &fleet.name), ("side", &fleet.side), ("player", &fleet.player), ("notes", &fleet.notes)]
        {
            keys.extend(word.iter().map(|word| (line(word.span), DesignPart::TopKey(key.into()))));
        }
        keys.extend(fleet.budget.iter().map(|budget| (line(budget.span), DesignPart::TopKey("budget".into()))));
        for design in &fleet.designs {
            // What follows belongs to no ship.
            starts.push((line(design.top), DesignPart::Design));
        }
        starts.sort_by_key(|(line, _)| *line);
        Self { file: fleet.source.file.clone(), table_starts: starts, key_lines: keys }
    }

    fn target(&self, finding: &Finding) -> Option<DesignPart> {
        if finding.at.line == 0 || finding.at.file.as_deref() != Some(&*self.file) {
            return None;
        }
        let line = finding.at.line;
        if let Some((_, place)) = self.key_lines.iter().find(|(at, _)| *at == line) {
            return Some(place.clone());
        }
        let before = self.table_starts.iter().rev().find(|(at, _)| *at <= line);
        before.map(|(_, place)| place.clone()).filter(|part| *part != DesignPart::Design)
    }
}
