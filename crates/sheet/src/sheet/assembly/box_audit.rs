//! Checks that the boxes drawn equal the numbers: takes a ship's evaluation and the items of all its pages, gives a
//! finding for every track or fit whose boxes are not all drawn exactly once.

use std::collections::{BTreeSet, HashMap};
use std::hash::BuildHasherDefault;

use moldloft_base::finding::Finding;
use moldloft_base::hash::Fnv64;
use moldloft_drawing::scene::{MarkKind, SceneItem, Shape};
use moldloft_rules::evaluate::{Evaluation, TrackResult};

type MarkCounts<'a> = HashMap<&'a str, u32, BuildHasherDefault<Fnv64>>;

/// How often each mark was drawn, by name.
pub fn count_marks<'a>(pages: impl Iterator<Item = &'a [SceneItem]>) -> MarkCounts<'a> {
    fn walk<'a>(items: &'a [SceneItem], found: &mut MarkCounts<'a>) {
        for item in items {
            if let Some(mark) = item
                .mark
                .as_deref()
                .filter(|mark| !matches!(mark.kind, MarkKind::Write | MarkKind::Cross | MarkKind::Value))
            {
                *found.entry(&mark.name).or_default() += 1;
            }
            if let Shape::Group { items, .. } = &item.shape {
                walk(items, found);
            }
        }
    }
    let mut found = MarkCounts::default();
    pages.for_each(|items| walk(items, &mut found));
    found
}

/// A track that no panel shows and that is not required counts as drawn in full; so does a fit that a track represents.
pub fn audit_boxes<'a>(evaluation: &Evaluation, pages: impl Iterator<Item = &'a [SceneItem]>) -> Vec<Finding> {
    let drawn = count_marks(pages);
    let mut findings = Vec::new();
    let mut stem = String::new();
    let mut count = |name: &str, first: u32, boxes: u32, may_be_absent: bool, what: &str| {
        let seen = (first..first.saturating_add(boxes))
            .map(|n| {
                use std::fmt::Write;
                stem.clear();
                let _ = write!(stem, "{name}_{n}");
                drawn.get(stem.as_str()).copied().unwrap_or(0)
            })
            .fold((0, 0), |(once, more), n| (once + u32::from(n >= 1), more + n.saturating_sub(1)));
        if (seen.0 == 0 && may_be_absent) || seen == (boxes, 0) {
            return;
        }
        let message =
            format!("{what}: expected {boxes} boxes, drew {}{}", seen.0, if seen.1 > 0 { ", some twice" } else { "" });
        findings.push(
            Finding::error("box-lost", message).help("this is a bug in Moldloft: please report it with the design"),
        );
    };
    for track in &evaluation.tracks {
        count(&track.id, 1, track.boxes(), !track.required, &track.id);
    }
    let is_drawn = |track: &&TrackResult| drawn.contains_key(format!("{}_1", track.id).as_str());
    let mut elsewhere: BTreeSet<usize> =
        evaluation.tracks.iter().filter(is_drawn).filter_map(TrackResult::represented_fit).collect();
    for (place, table) in evaluation.tables.iter().enumerate() {
        let is_drawn =
            |row: usize, column: &str| drawn.contains_key(format!("{}_{}_{column}_1", table.id, row + 1).as_str());
        let fits = evaluation.fits_in_table(place).into_iter();
        elsewhere.extend(fits.filter(|(_, row, column)| is_drawn(*row, column)).map(|(fit, ..)| fit));
    }
    for (place, fit) in evaluation.fits.iter().enumerate().filter(|(_, fit)| fit.count > 0) {
        let name = format!("{}_{}", fit.system, fit.mount);
        count(&name, fit.first_mark, fit.count, elsewhere.contains(&place), &format!("{}, {}", fit.name, fit.mount));
    }
    findings
}
