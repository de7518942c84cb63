//! Labels for marks: takes a ship's evaluation and its place in the job, gives each mark its unit, its name for people
//! and whether it is ticked. Never draws.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

use moldloft_base::hash::Fnv64;
use moldloft_base::sanitize::id_as_words;
use moldloft_drawing::scene::{Mark, MarkKind, PrintedUnit};
use moldloft_rules::evaluate::{BoxKind, Evaluation, FitResult};
use moldloft_rules::formula::Value;

/// A ship with its boxes' names.
#[derive(Debug)]
pub struct MarkLabels {
    unit: Arc<PrintedUnit>,
    /// Numbers of boxes already ticked, by stem, in order.
    ticked: BTreeMap<Arc<str>, Vec<u32>>,
    stems: ByName<MarkStem>,
    /// Field names used so far, each with the last number that was added to it.
    fields: RefCell<ByName<u32>>,
}

type ByName<T> = HashMap<Arc<str>, T, BuildHasherDefault<Fnv64>>;

/// Boxes with names that differ only by number.
#[derive(Debug)]
struct MarkStem {
    description: String,
    /// Between the boxes' name and their number.
    separator: String,
    /// A single box needs no number.
    is_single: bool,
    /// Names of the boxes, where a track has any.
    names: Vec<Arc<str>>,
    /// The purpose of the boxes, unless it is damage.
    kind: Option<BoxKind>,
}

impl MarkLabels {
    pub fn new(ship: &Evaluation, unit: Arc<PrintedUnit>) -> Self {
        let mut stems = ByName::default();
        for counter in &ship.counters {
            let what = if counter.label.is_empty() { id_as_words(&counter.id) } else { counter.label.to_string() };
            stems.insert(
                Arc::clone(&counter.id),
                MarkStem {
                    description: what,
                    separator: " ".to_owned(),
                    is_single: false,
                    names: Vec::new(),
                    kind: None,
                },
            );
        }
        for fit in &ship.fits {
            let stem = format!("{}_{}", fit.system, fit.mount);
            let alone = fit.first_mark == 1 && fit.count == 1;
            let known = stems.entry(stem.into()).or_insert_with(|| MarkStem {
                description: fit_name(ship, fit),
                separator: ", ".to_owned(),
                is_single: alone,
                names: Vec::new(),
                kind: None,
            });
            known.is_single &= alone;
        }
        for track in &ship.tracks {
            let own = if track.label.is_empty() { id_as_words(&track.track) } else { track.label.to_string() };
            let mut what = match track.fit.and_then(|fit| ship.fits.get(fit)) {
                Some(fit) => format!("{own}, {}", fit_name(ship, fit)),
                None => own,
            };
            if let Some(mount) = track.mount.as_ref().filter(|_| track.fit.is_none()) {
                let mount = mount_name(ship, mount);
                // A row that is labelled with its mount alone.
                if what.eq_ignore_ascii_case(&mount) {
                    what = format!("{}, {mount}", id_as_words(&track.track));
                }
                if !what.to_lowercase().contains(&mount.to_lowercase()) {
                    what = format!("{what}, {mount}");
                }
            }
            let names = track.cells.iter().map(cell_name).collect();
            let kind = Some(track.kind).filter(|kind| *kind != BoxKind::Damage);
            let stem = MarkStem {
                description: what,
                separator: format!(", {} ", ship.say("box")),
                is_single: track.boxes() == 1,
                names,
                kind,
            };
            stems.insert(Arc::clone(&track.id), stem);
        }
        for table in &ship.tables {
            let columns = table.columns.iter().filter_map(|column| Some((column, column.boxes?)));
            for (column, kind) in columns.filter(|(_, kind)| *kind != BoxKind::Damage) {
                for row in 1..=table.rows.len() {
                    let stem = format!("{}_{row}_{}", table.id, column.id);
                    let what = id_as_words(&stem);
                    let known = MarkStem {
                        description: what,
                        separator: " ".to_owned(),
                        is_single: false,
                        names: Vec::new(),
                        kind: Some(kind),
                    };
                    stems.entry(stem.into()).or_insert(known);
                }
            }
        }
        let damage = &ship.ship.damage;
        let taken = damage.stems().map(|stem| (Arc::clone(stem), damage.boxes(stem).collect())).collect();
        Self { unit, ticked: taken, stems, fields: RefCell::default() }
    }

    /// Sets a mark's unit and name, and whether it is ticked.
    pub fn label_mark(&self, mark: &mut Mark) {
        if mark.kind == MarkKind::Value {
            return;
        }
        mark.unit = Some(Arc::clone(&self.unit));
        if mark.kind == MarkKind::Write {
            self.make_field_name_unique(mark);
            return;
        }
        let Some((stem, n)) = split_mark_name(&mark.name) else { return };
        mark.ticked = self.ticked.get(stem).is_some_and(|boxes| boxes.binary_search(&n).is_ok());
        if mark.label.is_empty() {
            mark.label = self.box_label(stem, n).into();
        }
    }

    /// The name of the boxes of a stem, without their numbers: `laser, port`.
    pub fn describe_stem(&self, stem: &str) -> String {
        self.stems.get(stem).map_or_else(|| id_as_words(stem), |known| known.description.clone())
    }

    /// Fields with the same name would be filled in together: on an empty sheet several tables may look alike.
    fn make_field_name_unique(&self, mark: &mut Mark) {
        let mut fields = self.fields.borrow_mut();
        if let Some(last) = fields.get(&mark.name).copied() {
            let name = |serial: u32| -> Arc<str> { format!("{}-{serial}", mark.name).into() };
            let mut serial = last + 1;
            while fields.contains_key(&name(serial)) {
                serial += 1;
            }
            let unique = name(serial);
            fields.insert(Arc::clone(&mark.name), serial);
            mark.name = unique;
        }
        fields.insert(Arc::clone(&mark.name), 1);
    }

    fn box_label(&self, stem: &str, n: u32) -> String {
        let Some(known) = self.stems.get(stem) else { return format!("{} {n}", id_as_words(stem)) };
        // With room for a number and the kind.
        let mut label = String::with_capacity(known.description.len() + known.separator.len() + 24);
        label.push_str(&known.description);
        let name = known.names.get(n as usize - 1).filter(|name| !name.is_empty());
        let _ = match name {
            _ if known.is_single => Ok(()),
            Some(name) => write!(label, ", {name}"),
            None => write!(label, "{}{n}", known.separator),
        };
        if let Some(kind) = known.kind {
            let _ = write!(label, " ({})", kind.word());
        }
        label
    }
}

fn cell_name(cell: &Value) -> Arc<str> {
    match cell {
        Value::Record(record) => match record.get("label") {
            Some(Value::Text(name)) => Arc::clone(name),
            _ => Arc::default(),
        },
        _ => Arc::default(),
    }
}

/// A mark's name without its number, and the number, from 1.
pub fn split_mark_name(name: &str) -> Option<(&str, u32)> {
    let (stem, n) = name.rsplit_once('_')?;
    Some((stem, n.parse().ok().filter(|&n| n > 0)?))
}

fn mount_name(ship: &Evaluation, id: &str) -> String {
    let mount = ship.mounts.iter().find(|mount| *mount.id == *id);
    mount.map_or_else(|| id_as_words(id), |mount| mount.label.to_string())
}

fn fit_name(ship: &Evaluation, fit: &FitResult) -> String {
    format!("{}, {}", fit.name, mount_name(ship, &fit.mount))
}
