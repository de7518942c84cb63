//! Edits of fits: takes an open design, gives the edit, or `None` if there is nothing to do. Changes nothing itself and
//! knows no game.

use std::sync::Arc;

use toml_edit::Value;

use crate::language::tell;
use crate::value_text::to_toml_value;
use crate::{Doc, Edit};
use moldloft_base::source::Source;
use moldloft_base::source::toml::TomlValue;
use moldloft_rules::design::{Design, Document, DocumentEdit, Fit, MAX_COUNT, TableList, TablePath};
use moldloft_rules::evaluate::{Evaluation, FitResult};
use moldloft_rules::formula;
use moldloft_rules::ruleset::Ruleset;

#[derive(Clone, Debug)]
pub struct SystemOption {
    pub id: Arc<str>,
    pub name: Arc<str>,
    pub abbr: Arc<str>,
    /// Index among the ruleset's systems.
    pub kind: usize,
}

/// The ruleset's systems, then the design's own.
pub fn available_systems(evaluation: &Evaluation) -> Vec<SystemOption> {
    let option = |id: &Arc<str>, name: &Arc<str>, abbr: &Arc<str>, kind| SystemOption {
        id: id.clone(),
        name: name.clone(),
        abbr: abbr.clone(),
        kind,
    };
    let systems = evaluation.ruleset.systems.iter().enumerate().filter(|(_, system)| !system.is_abstract);
    let systems = systems.map(|(kind, system)| option(&system.id, &system.name, &system.abbr, kind));
    let own = evaluation.state.custom_systems.iter().map(|own| option(&own.id, &own.name, &own.abbr, own.base));
    systems.chain(own).collect()
}

pub fn mount_label(evaluation: &Evaluation, mount: &str) -> Arc<str> {
    let found = evaluation.mounts.iter().find(|known| *known.id == *mount);
    found.map_or_else(|| mount.into(), |mount| mount.label.clone())
}

/// `laser, port`.
pub fn fit_label(evaluation: &Evaluation, fit: &FitResult) -> String {
    if fit.mount.is_empty() {
        return fit.name.to_string();
    }
    format!("{}, {}", fit.name, mount_label(evaluation, &fit.mount))
}

/// `laser, port`, or how many fits there are.
fn describe_fits(doc: &Doc, fits: &[u32]) -> String {
    let one = match (fits, doc.evaluation()) {
        ([fit], Some(evaluation)) => {
            evaluation.fits.iter().find(|known| known.index == *fit).map(|fit| fit_label(evaluation, fit))
        }
        _ => None,
    };
    one.unwrap_or_else(|| if let [_] = fits { "a system".to_owned() } else { format!("{} systems", fits.len()) })
}

pub fn selected_fits(doc: &Doc) -> Vec<u32> {
    let mut fits = doc.selected.clone();
    fits.sort_unstable();
    fits.dedup();
    fits
}

pub fn selection_text(doc: &Doc) -> Option<String> {
    let fits: Vec<usize> = selected_fits(doc).into_iter().map(|fit| fit as usize).collect();
    let text = doc.as_design()?.document.fits_text(&fits);
    (!fits.is_empty() && !text.is_empty()).then_some(text)
}

/// The selected mount, or the one that holds all selected fits.
pub fn target_mount(doc: &Doc) -> Option<Arc<str>> {
    if let Some(mount) = &doc.selected_mount {
        return Some(mount.clone());
    }
    let fits = &doc.as_design()?.design.fits;
    let mut mounts = fits.iter().filter(|fit| doc.selected.contains(&fit.index)).map(|fit| fit.mount.as_ref());
    let first = mounts.next()??;
    mounts.all(|mount| mount.is_some_and(|mount| mount.text == first.text)).then(|| first.text.clone())
}

/// Pastes the fits of a text into the target mount, after the selection; without a target, each into the mount it came
/// from.
/// Gives the edit, if any fit is left, and why the others are not allowed in that mount.
pub fn paste(doc: &Doc, text: String) -> (Option<Edit>, Option<String>) {
    let (Some(open_design), Some(evaluation)) = (doc.as_design(), doc.evaluation()) else { return (None, None) };
    let paste = |text: String, at: usize| Some(Edit::single("paste systems", DocumentEdit::Paste { text, at }));
    let last = selected_fits(doc).last().map(|last| *last as usize + 1);
    let mount = target_mount(doc).filter(|mount| evaluation.ruleset.mounts.iter().any(|known| known.id == *mount));
    let read = Design::read(&Source::new("(pasted)", text.as_str())).ok().zip(Document::parse(&text).ok());
    let (Some(mount), Some((pasted, mut document))) = (mount, read) else {
        return (paste(text, last.unwrap_or(usize::MAX)), None);
    };
    let mut refused: Vec<String> = Vec::new();
    // From the last to the first, so that the indices stay valid.
    for fit in pasted.fits.iter().rev() {
        let index = fit.index as usize;
        let is_known = available_systems(evaluation).iter().any(|known| known.id == fit.system.text);
        let why = evaluation.mount_refusal(&fit.system.text, &mount).filter(|_| is_known);
        let done = match why {
            Some(why) => {
                refused.insert(0, why);
                document.remove(&TableList::Fits, index)
            }
            None => document.set(&TablePath::Fit(index), "mount", &*mount),
        };
        if let Err(finding) = done {
            return (None, Some(finding.message));
        }
    }
    refused.dedup();
    let why = (!refused.is_empty()).then(|| refused.join("; "));
    if document.count(&TableList::Fits) == 0 && why.is_some() {
        return (None, why);
    }
    let mut here =
        open_design.design.fits.iter().filter(|fit| fit.mount.as_ref().is_some_and(|word| word.text == mount));
    let at = last.or(here.next_back().map(|fit| fit.index as usize + 1)).unwrap_or(usize::MAX);
    (paste(document.to_text(), at), why)
}

/// What the rules do not know of the selected fits.
pub fn describe_unknown_fits(doc: &Doc) -> Option<String> {
    let (open_design, evaluation) = (doc.as_design()?, doc.evaluation()?);
    let rules = &evaluation.ruleset;
    let chosen = || open_design.design.fits.iter().filter(|fit| doc.selected.contains(&fit.index));
    let mut unknown: Vec<&str> = Vec::new();
    let mut places: Vec<&str> = Vec::new();
    for fit in chosen() {
        if !evaluation.fits.iter().any(|known| known.index == fit.index) {
            unknown.push(&fit.system.text);
        }
        if let Some(mount) = &fit.mount
            && !rules.mounts.iter().any(|known| known.id == mount.text)
        {
            places.push(&mount.text);
        }
    }
    for words in [&mut unknown, &mut places] {
        words.sort_unstable();
        words.dedup();
    }
    let list = |words: &[&str]| {
        let shown: Vec<String> =
            words.iter().take(6).map(|word| format!("`{}`", moldloft_rules::ruleset::shorten(word))).collect();
        let more = if words.len() > 6 { format!(" and {} more", words.len() - 6) } else { String::new() };
        format!("{}{more}", shown.join(", "))
    };
    let mut label_text = Vec::new();
    if !unknown.is_empty() {
        label_text.push(format!("{} has no system {}", rules.title, list(&unknown)));
    }
    if !places.is_empty() {
        label_text.push(format!("{} has no mount {}", rules.title, list(&places)));
    }
    (!label_text.is_empty())
        .then(|| format!("Pasted, but {}: choose replacements in the last card of the form", label_text.join(", and ")))
}

/// The order of the file's fits while steps are collected, each by its old index.
struct FitOrder {
    fits: Vec<u32>,
    steps: Vec<DocumentEdit>,
}

const NEW_FIT: u32 = u32::MAX;

impl FitOrder {
    fn new(doc: &Doc) -> Option<Self> {
        let fits = doc.as_design()?.document.count(&TableList::Fits);
        Some(Self { fits: (0..u32::try_from(fits).ok()?).collect(), steps: Vec::new() })
    }

    fn position(&self, fit: u32) -> Option<usize> {
        self.fits.iter().position(|known| *known == fit)
    }

    fn set(&mut self, fit: u32, key: &str, value: Value) {
        if let Some(fit) = self.position(fit) {
            self.steps.push(DocumentEdit::set(TablePath::Fit(fit), key, value));
        }
    }

    fn remove(&mut self, fit: u32) {
        if let Some(at) = self.position(fit) {
            self.fits.remove(at);
            self.steps.push(DocumentEdit::remove(TableList::Fits, at));
        }
    }

    fn move_before(&mut self, fit: u32, other: u32) {
        self.move_beside(fit, other, 0);
    }

    fn move_behind(&mut self, fit: u32, other: u32) {
        self.move_beside(fit, other, 1);
    }

    fn move_beside(&mut self, fit: u32, other: u32, off: usize) {
        let Some(from) = self.position(fit).filter(|_| fit != other) else { return };
        self.fits.remove(from);
        let to = self.position(other).map_or(self.fits.len(), |at| at + off);
        self.fits.insert(to, fit);
        if from != to {
            self.steps.push(DocumentEdit::reorder(TableList::Fits, from, to));
        }
    }

    fn insert_copy(&mut self, at: usize, like: &Fit, mount: Option<&str>) {
        let at = at.min(self.fits.len());
        self.fits.insert(at, NEW_FIT);
        self.steps.push(DocumentEdit::AddFit {
            at,
            system: like.system.text.to_string(),
            mount: mount.map(str::to_owned),
            count: like.count,
            parameters: like
                .parameters
                .iter()
                .map(|entry| (entry.key.to_string(), to_toml_value(&entry.node.data)))
                .collect(),
        });
    }

    /// Selects these fits and all new ones.
    fn into_edit(self, label: String, chosen: &[u32]) -> Option<Edit> {
        let places = self.fits.iter().enumerate().filter(|(_, fit)| **fit == NEW_FIT || chosen.contains(fit));
        let chosen = places.filter_map(|(at, _)| u32::try_from(at).ok()).collect();
        (!self.steps.is_empty()).then(|| Edit::from_steps(label, self.steps).selecting(chosen))
    }
}

pub fn remove_selected(doc: &Doc) -> Option<Edit> {
    remove_fits(doc, &selected_fits(doc))
}

/// Removes fits and selects the next one of the same mount.
pub fn remove_fits(doc: &Doc, fits: &[u32]) -> Option<Edit> {
    let mut order = FitOrder::new(doc)?;
    fits.iter().for_each(|fit| order.remove(*fit));
    let kept: Vec<u32> = doc.selected.iter().copied().filter(|fit| !fits.contains(fit)).collect();
    let kept = if kept.is_empty() { neighbour(doc, fits).into_iter().collect() } else { kept };
    order.into_edit(format!("remove {}", describe_fits(doc, fits)), &kept)
}

/// The next fit of the same mount, or the one before.
fn neighbour(doc: &Doc, fits: &[u32]) -> Option<u32> {
    let design = &doc.as_design()?.design;
    let last = design.fits.iter().find(|fit| Some(&fit.index) == fits.last())?;
    let beside: Vec<u32> = same_mount(design, last).filter(|fit| !fits.contains(fit)).collect();
    beside.iter().copied().find(|fit| *fit > last.index).or(beside.last().copied())
}

fn same_mount<'a>(design: &'a Design, fit: &'a Fit) -> impl Iterator<Item = u32> + 'a {
    let mount = |fit: &Fit| fit.mount.as_ref().map(|word| word.text.clone());
    design.fits.iter().filter(move |other| mount(other) == mount(fit)).map(|fit| fit.index)
}

/// A count of 0 keeps the row, so that nothing moves under the pointer between clicks.
pub fn set_count(doc: &Doc, fit: &FitResult, count: i64) -> Option<Edit> {
    let label_text = doc.evaluation().map(|evaluation| fit_label(evaluation, fit))?;
    let count = count.clamp(0, i64::from(MAX_COUNT));
    let label = if count == i64::from(fit.count) + 1 {
        format!("add {label_text}")
    } else {
        format!("set {label_text} to {count}")
    };
    Some(Edit::single(label, DocumentEdit::set(TablePath::Fit(fit.index as usize), "count", count)))
}

/// Whether a number of a system is that of its boxes: it must say them.
fn counts_boxes(rules: &Ruleset, kind: usize) -> bool {
    let parameters = rules.systems.get(kind).map_or(&[][..], |system| &system.parameters);
    parameters.iter().any(|one| *one.id == *"boxes" && one.default == formula::Value::Int(0))
}

/// `4 × laser`, or `laser, 4 boxes`.
pub fn counted_name(rules: &Ruleset, kind: usize, name: &str, count: u32) -> String {
    match count {
        1 => name.to_owned(),
        _ if counts_boxes(rules, kind) => tell("{1}, {2} boxes", &[name, &count.to_string()]),
        _ => format!("{count} × {name}"),
    }
}

/// Raises the count of a fit with the same system, mount and default parameters, or adds one after the mount's other
/// fits.
pub fn add_system(doc: &Doc, system: &str, mount: Option<&str>, count: u32) -> Option<Edit> {
    let added = count.clamp(1, MAX_COUNT);
    let (open_design, evaluation) = (doc.as_design()?, doc.evaluation()?);
    let choice = available_systems(evaluation).into_iter().find(|choice| *choice.id == *system)?;
    let parameters = &evaluation.ruleset.systems.get(choice.kind)?.parameters;
    let place = mount.map(|mount| mount_label(evaluation, mount));
    let label_text = place.map_or_else(|| choice.name.to_string(), |place| format!("{}, {place}", choice.name));
    let has_boxes = counts_boxes(&evaluation.ruleset, choice.kind);
    let label_text = counted_name(&evaluation.ruleset, choice.kind, &label_text, added);
    let here = |fit: &&Fit| fit.mount.as_ref().map(|word| &*word.text) == mount;
    let is_plain = |fit: &&Fit| {
        fit.parameters.iter().all(|entry| {
            let known = parameters.iter().find(|parameter| *parameter.id == *entry.key);
            known.is_some_and(|known| equals_default(&entry.node.data, &known.default))
        })
    };
    let alike = open_design.design.fits.iter().filter(here).find(|fit| *fit.system.text == *system && is_plain(fit));
    let alike = alike.filter(|_| !has_boxes);
    if let Some(fit) = alike.filter(|fit| fit.count <= MAX_COUNT - added) {
        let (index, count) = (fit.index as usize, i64::from(fit.count + added));
        let step = DocumentEdit::set(TablePath::Fit(index), "count", count);
        return Some(Edit::single(format!("add {label_text}"), step).selecting(vec![fit.index]));
    }
    let at = end_of_mount(doc, mount);
    let (system, mount) = (system.to_owned(), mount.map(str::to_owned));
    let (count, parameters) = match has_boxes {
        true => (1, vec![("boxes".to_owned(), i64::from(added).into())]),
        false => (added, Vec::new()),
    };
    let step = DocumentEdit::AddFit { at, system, mount, count, parameters };
    Some(Edit::single(format!("add {label_text}"), step))
}

/// Where the next fit of a mount goes: behind its others.
pub fn end_of_mount(doc: &Doc, mount: Option<&str>) -> usize {
    let here = |fit: &&Fit| fit.mount.as_ref().map(|word| &*word.text) == mount;
    let last = doc.as_design().and_then(|open| open.design.fits.iter().rfind(here));
    last.map_or(usize::MAX, |fit| fit.index as usize + 1)
}

/// Several at once: one step to undo.
pub fn add_systems(doc: &Doc, systems: &[(Arc<str>, u32)], mount: Option<&str>) -> Option<Edit> {
    let mut each: Vec<(&str, u32)> = Vec::new();
    for (id, count) in systems {
        match each.iter_mut().find(|(known, _)| *known == &**id) {
            Some((_, many)) => *many = many.saturating_add(*count).min(MAX_COUNT),
            None => each.push((id, *count)),
        }
    }
    let mut edits =
        each.into_iter().map(|(id, count)| add_system(doc, id, mount, count)).collect::<Option<Vec<Edit>>>()?;
    if edits.len() < 2 {
        return edits.pop();
    }
    let label = edits.iter().map(|edit| &*edit.label).collect::<Vec<_>>().join("; ");
    // Counts are raised while the indices hold; each new fit goes behind the one before it.
    let (raised, added): (Vec<Edit>, Vec<Edit>) = edits.into_iter().partition(|edit| edit.selects.is_some());
    let mut steps: Vec<DocumentEdit> = raised.into_iter().chain(added).flat_map(|edit| edit.steps).collect();
    let places = steps.iter_mut().filter_map(|step| match step {
        DocumentEdit::AddFit { at, .. } => Some(at),
        _ => None,
    });
    places.enumerate().for_each(|(n, at)| *at = at.saturating_add(n));
    Some(Edit::from_steps(label, steps))
}

fn equals_default(data: &TomlValue<'_>, default: &formula::Value) -> bool {
    match (data, default) {
        (TomlValue::Int(one), formula::Value::Int(other)) => one == other,
        (TomlValue::Flag(one), formula::Value::Flag(other)) => one == other,
        (TomlValue::Text(one), formula::Value::Text(other)) => **one == **other,
        _ => false,
    }
}

pub fn duplicate_selected(doc: &Doc) -> Option<Edit> {
    let (mut order, fits) = (FitOrder::new(doc)?, selected_fits(doc));
    let design = &doc.as_design()?.design;
    for fit in design.fits.iter().filter(|fit| fits.contains(&fit.index)) {
        let at = order.position(fit.index)? + 1;
        order.insert_copy(at, fit, fit.mount.as_ref().map(|word| &*word.text));
    }
    order.into_edit(format!("duplicate {}", describe_fits(doc, &fits)), &[])
}

pub fn move_selected(doc: &Doc, up: bool) -> Option<Edit> {
    let (mut order, fits) = (FitOrder::new(doc)?, selected_fits(doc));
    let design = &doc.as_design()?.design;
    let is_chosen = |fit: &u32| fits.contains(fit);
    let mut done: Vec<u32> = Vec::new();
    for fit in design.fits.iter().filter(|fit| is_chosen(&fit.index)) {
        if done.contains(&fit.index) {
            continue;
        }
        let mut mount: Vec<u32> = same_mount(design, fit).collect();
        done.extend(&mount);
        if !up {
            mount.reverse();
        }
        for at in 1..mount.len() {
            if is_chosen(&mount[at]) && !is_chosen(&mount[at - 1]) {
                let (moved, other) = (mount[at], mount[at - 1]);
                if up {
                    order.move_before(moved, other)
                } else {
                    order.move_behind(moved, other)
                }
                mount.swap(at - 1, at);
            }
        }
    }
    let way = if up { "up" } else { "down" };
    order.into_edit(format!("move {} {way}", describe_fits(doc, &fits)), &fits)
}

/// Moves fits to a mount: before one of its fits, or after the last.
pub fn move_to_mount(doc: &Doc, fits: &[u32], mount: &str, before: Option<u32>) -> Option<Edit> {
    let mut order = FitOrder::new(doc)?;
    let design = &doc.as_design()?.design;
    let in_mount = |fit: &&Fit| fit.mount.as_ref().is_some_and(|word| *word.text == *mount);
    let moved: Vec<&Fit> = design.fits.iter().filter(|fit| fits.contains(&fit.index)).collect();
    for fit in moved.iter().filter(|fit| !in_mount(fit)) {
        order.set(fit.index, "mount", mount.into());
    }
    let mut last = design.fits.iter().filter(|fit| !fits.contains(&fit.index)).rfind(in_mount).map(|fit| fit.index);
    for fit in moved {
        match (before.filter(|before| !fits.contains(before)), last) {
            (Some(before), _) => order.move_before(fit.index, before),
            (None, Some(after)) => {
                order.move_behind(fit.index, after);
                last = Some(fit.index);
            }
            (None, None) => {}
        }
    }
    let place = doc.evaluation().map_or_else(|| mount.into(), |evaluation| mount_label(evaluation, mount));
    order.into_edit(format!("move {} to {place}", describe_fits(doc, fits)), fits)
}

pub fn mirrored_mount(rules: &Ruleset, mount: &str) -> Option<usize> {
    let at = rules.mounts.iter().position(|known| *known.id == *mount)?;
    rules.mounts[at].mirror.or_else(|| rules.mounts.iter().position(|other| other.mirror == Some(at)))
}

/// Replaces the fits of the opposite mount by copies.
pub fn mirror_mount(doc: &Doc, mount: &str) -> Option<Edit> {
    let rules = &doc.evaluation()?.ruleset;
    let to = &rules.mounts[mirrored_mount(rules, mount)?];
    let mut order = FitOrder::new(doc)?;
    copy_mount(&mut order, &doc.as_design()?.design, mount, &to.id);
    order.into_edit(format!("make {} like {}", to.label, mount_label(doc.evaluation()?, mount)), &[])
}

/// Copies the first mount of every pair to the second; the second to the first, if only that has systems.
pub fn mirror_all(doc: &Doc) -> Option<Edit> {
    let rules = &doc.evaluation()?.ruleset;
    let mut order = FitOrder::new(doc)?;
    let design = &doc.as_design()?.design;
    for (mount, to) in rules.mounts.iter().filter_map(|mount| Some((mount, rules.mounts.get(mount.mirror?)?))) {
        let (from, to) = if fits_in(design, &mount.id).is_empty() { (to, mount) } else { (mount, to) };
        copy_mount(&mut order, design, &from.id, &to.id);
    }
    order.into_edit("mirror all mount pairs".to_owned(), &[])
}

/// Copies each selected fit to the opposite mount.
pub fn mirror_selected(doc: &Doc) -> Option<Edit> {
    let rules = &doc.evaluation()?.ruleset;
    let (mut order, fits) = (FitOrder::new(doc)?, selected_fits(doc));
    let design = &doc.as_design()?.design;
    for fit in design.fits.iter().filter(|fit| fits.contains(&fit.index)) {
        let Some(mount) = &fit.mount else { continue };
        let Some(to) = mirrored_mount(rules, &mount.text).map(|to| &rules.mounts[to].id) else { continue };
        let of_kind = |mount: &str| -> Vec<&Fit> {
            fits_in(design, mount).into_iter().filter(|other| other.system.text == fit.system.text).collect()
        };
        let rank = of_kind(&mount.text).iter().position(|other| other.index == fit.index)?;
        match of_kind(to).get(rank) {
            Some(other) => copy_keys(&mut order, fit, other),
            None => {
                let last = fits_in(design, to).last().map_or(fit.index, |last| last.index);
                let at = order.position(last)? + 1;
                order.insert_copy(at, fit, Some(to));
            }
        }
    }
    order.into_edit(format!("mirror {}", describe_fits(doc, &fits)), &fits)
}

fn fits_in<'d>(design: &'d Design, mount: &str) -> Vec<&'d Fit> {
    design.fits.iter().filter(|fit| fit.mount.as_ref().is_some_and(|word| *word.text == *mount)).collect()
}

fn copy_mount(order: &mut FitOrder, design: &Design, from: &str, to: &str) {
    let (source_fits, target_fits) = (fits_in(design, from), fits_in(design, to));
    if source_fits.len() == target_fits.len()
        && source_fits.iter().zip(&target_fits).all(|(one, other)| one.system.text == other.system.text)
    {
        source_fits.iter().zip(target_fits).for_each(|(one, other)| copy_keys(order, one, other));
        return;
    }
    let place = target_fits.first().and_then(|first| order.position(first.index));
    let behind = source_fits.last().and_then(|last| order.position(last.index)).map(|at| at + 1);
    let at = place.or(behind).unwrap_or(usize::MAX);
    target_fits.iter().for_each(|fit| order.remove(fit.index));
    source_fits.iter().enumerate().for_each(|(n, fit)| order.insert_copy(at.saturating_add(n), fit, Some(to)));
}

fn copy_keys(order: &mut FitOrder, from: &Fit, to: &Fit) {
    if from.count != to.count {
        order.set(to.index, "count", i64::from(from.count).into());
    }
    for entry in &from.parameters {
        let new = to_toml_value(&entry.node.data);
        let old =
            to.parameters.iter().find(|other| other.key == entry.key).map(|other| to_toml_value(&other.node.data));
        if old.is_none_or(|old| old.to_string() != new.to_string()) {
            order.set(to.index, &entry.key, new);
        }
    }
    let obsolete = to.parameters.iter().filter(|entry| from.parameters.iter().all(|other| other.key != entry.key));
    for entry in obsolete {
        if let Some(fit) = order.position(to.index) {
            order.steps.push(DocumentEdit::unset(TablePath::Fit(fit), entry.key.to_string()));
        }
    }
}
