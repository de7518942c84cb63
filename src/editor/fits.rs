//! What can be done to fits: takes an open design, gives the edit that does it, or `None` where there is nothing to do. Changes nothing
//! itself and knows no game.

use std::sync::Arc;

use toml_edit::{Array, InlineTable, Value};

use crate::design::{COUNT_MOST, Design, Document, Fit};
use crate::evaluate::{Evaluation, FitResult};
use crate::formula;
use crate::ruleset::Ruleset;
use crate::source::Source;
use crate::source::toml::Data;

use super::doc::Doc;
use super::edit::{Edit, Step};

/// A system that can be fitted.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Its id.
    pub id: Arc<str>,
    /// What a player calls it.
    pub name: Arc<str>,
    /// Letters in its box.
    pub abbr: Arc<str>,
    /// The number of its kind among the ruleset's systems.
    pub kind: usize,
}

/// Every system that can be fitted: the ruleset's, then the design's own.
pub fn systems(evaluation: &Evaluation) -> Vec<Choice> {
    let rules = &evaluation.ruleset;
    let theirs = rules.systems.iter().enumerate().filter(|(_, system)| !system.is_abstract);
    let theirs = theirs.map(|(kind, system)| Choice {
        id: system.id.clone(),
        name: system.name.clone(),
        abbr: system.abbr.clone(),
        kind,
    });
    let own = evaluation.state.own.iter().map(|own| Choice {
        id: own.id.clone(),
        name: own.name.clone(),
        abbr: own.abbr.clone(),
        kind: own.base,
    });
    theirs.chain(own).collect()
}

/// What a player calls a mount.
pub fn mount_label(evaluation: &Evaluation, mount: &str) -> Arc<str> {
    let found = evaluation.mounts.iter().find(|known| *known.id == *mount);
    found.map_or_else(|| mount.into(), |mount| mount.label.clone())
}

/// `laser, port`.
pub fn said(evaluation: &Evaluation, fit: &FitResult) -> String {
    if fit.mount.is_empty() {
        return fit.name.to_string();
    }
    format!("{}, {}", fit.name, mount_label(evaluation, &fit.mount))
}

/// What edits of these fits are about: `laser, port`, or how many there are.
fn about(doc: &Doc, fits: &[u32]) -> String {
    let one = match (fits, doc.evaluation()) {
        ([fit], Some(evaluation)) => {
            evaluation.fits.iter().find(|known| known.index == *fit).map(|fit| said(evaluation, fit))
        }
        _ => None,
    };
    one.unwrap_or_else(|| if let [_] = fits { "a system".to_owned() } else { format!("{} systems", fits.len()) })
}

/// The chosen fits in file order.
pub fn chosen(doc: &Doc) -> Vec<u32> {
    let mut fits = doc.selected.clone();
    fits.sort_unstable();
    fits.dedup();
    fits
}

/// The chosen fits as text.
pub fn copy(doc: &Doc) -> Option<String> {
    let fits: Vec<usize> = chosen(doc).into_iter().map(|fit| fit as usize).collect();
    let text = doc.judged()?.document.fits_text(&fits);
    (!fits.is_empty() && !text.is_empty()).then_some(text)
}

/// The mount that is meant: the one that was chosen, else the one in which all the chosen fits stand.
pub fn target(doc: &Doc) -> Option<Arc<str>> {
    if let Some(mount) = &doc.mount {
        return Some(mount.clone());
    }
    let fits = &doc.judged()?.design.fits;
    let mut mounts = fits.iter().filter(|fit| doc.selected.contains(&fit.index)).map(|fit| fit.mount.as_ref());
    let first = mounts.next()??;
    mounts.all(|mount| mount.is_some_and(|mount| mount.text == first.text)).then(|| first.text.clone())
}

/// Puts the fits of a text in: into the mount that is meant, behind what is chosen there; without one each into the mount it came from. What
/// may not stand in that mount is left out.
///
/// # Errors
/// What is left out, and why; beside the edit, if there is anything left to put in.
pub fn paste(doc: &Doc, text: String) -> (Option<Edit>, Option<String>) {
    let (Some(judged), Some(evaluation)) = (doc.judged(), doc.evaluation()) else { return (None, None) };
    let paste = |text: String, at: usize| Some(Edit::one("paste systems", Step::Paste { text, at }));
    let last = chosen(doc).last().map(|last| *last as usize + 1);
    let mount = target(doc).filter(|mount| evaluation.ruleset.mounts.iter().any(|known| known.id == *mount));
    let read = Design::read(&Source::new("(pasted)", text.as_str())).ok().zip(Document::parse(&text).ok());
    let (Some(mount), Some((pasted, mut document))) = (mount, read) else {
        return (paste(text, last.unwrap_or(usize::MAX)), None);
    };
    let mut refused: Vec<String> = Vec::new();
    // From behind, so that those before stay where they are.
    for fit in pasted.fits.iter().rev() {
        let index = fit.index as usize;
        let is_known = systems(evaluation).iter().any(|known| known.id == fit.system.text);
        let why = evaluation.refusal(&fit.system.text, &mount).filter(|_| is_known);
        let done = match why {
            Some(why) => {
                refused.insert(0, why);
                document.remove_fit(index)
            }
            None => document.set_fit(index, "mount", &*mount),
        };
        if let Err(finding) = done {
            return (None, Some(finding.message));
        }
    }
    refused.dedup();
    let why = (!refused.is_empty()).then(|| refused.join("; "));
    if document.fits() == 0 && why.is_some() {
        return (None, why);
    }
    let mut here = judged.design.fits.iter().filter(|fit| fit.mount.as_ref().is_some_and(|word| word.text == mount));
    let at = last.or(here.next_back().map(|fit| fit.index as usize + 1)).unwrap_or(usize::MAX);
    (paste(document.to_text(), at), why)
}

/// What of the chosen fits these rules do not know, as words to a player.
pub fn strangers(doc: &Doc) -> Option<String> {
    let (judged, evaluation) = (doc.judged()?, doc.evaluation()?);
    let rules = &evaluation.ruleset;
    let chosen = || judged.design.fits.iter().filter(|fit| doc.selected.contains(&fit.index));
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
            words.iter().take(6).map(|word| format!("`{}`", crate::ruleset::brief(word))).collect();
        let more = if words.len() > 6 { format!(" and {} more", words.len() - 6) } else { String::new() };
        format!("{}{more}", shown.join(", "))
    };
    let mut said = Vec::new();
    if !unknown.is_empty() {
        said.push(format!("{} has no system {}", rules.title, list(&unknown)));
    }
    if !places.is_empty() {
        said.push(format!("{} has no mount {}", rules.title, list(&places)));
    }
    (!said.is_empty())
        .then(|| format!("Pasted, but {}: choose replacements in the last card of the form", said.join(", and ")))
}

/// Where the file's fits stand while steps are made: each by the place it had before.
struct Order {
    fits: Vec<u32>,
    steps: Vec<Step>,
}

/// A fit that was not there before.
const NEW: u32 = u32::MAX;

impl Order {
    fn of(doc: &Doc) -> Option<Self> {
        let fits = doc.judged()?.document.fits();
        Some(Self { fits: (0..u32::try_from(fits).ok()?).collect(), steps: Vec::new() })
    }

    fn at(&self, fit: u32) -> Option<usize> {
        self.fits.iter().position(|known| *known == fit)
    }

    fn set(&mut self, fit: u32, key: &str, value: Value) {
        if let Some(fit) = self.at(fit) {
            self.steps.push(Step::SetFit { fit, key: key.to_owned(), value });
        }
    }

    fn remove(&mut self, fit: u32) {
        if let Some(at) = self.at(fit) {
            self.fits.remove(at);
            self.steps.push(Step::RemoveFit { fit: at });
        }
    }

    /// Moves a fit to stand before another.
    fn before(&mut self, fit: u32, other: u32) {
        self.beside(fit, other, 0);
    }

    /// Moves a fit to stand behind another.
    fn behind(&mut self, fit: u32, other: u32) {
        self.beside(fit, other, 1);
    }

    fn beside(&mut self, fit: u32, other: u32, off: usize) {
        let Some(from) = self.at(fit).filter(|_| fit != other) else { return };
        self.fits.remove(from);
        let to = self.at(other).map_or(self.fits.len(), |at| at + off);
        self.fits.insert(to, fit);
        if from != to {
            self.steps.push(Step::MoveFit { from, to });
        }
    }

    /// Adds the like of a fit before place `at`.
    fn add(&mut self, at: usize, like: &Fit, mount: Option<&str>) {
        let at = at.min(self.fits.len());
        self.fits.insert(at, NEW);
        self.steps.push(Step::AddFit {
            at,
            system: like.system.text.to_string(),
            mount: mount.map(str::to_owned),
            count: like.count,
            parameters: like.parameters.iter().map(|entry| (entry.key.to_string(), value(&entry.node.data))).collect(),
        });
    }

    /// The edit, which chooses these fits and those that are new.
    fn edit(self, label: String, chosen: &[u32]) -> Option<Edit> {
        let places = self.fits.iter().enumerate().filter(|(_, fit)| **fit == NEW || chosen.contains(fit));
        let chosen = places.filter_map(|(at, _)| u32::try_from(at).ok()).collect();
        (!self.steps.is_empty()).then(|| Edit::all(label, self.steps).choosing(chosen))
    }
}

/// What a file says, as a value to be written again.
pub fn value(data: &Data<'_>) -> Value {
    match data {
        Data::Int(number) => (*number).into(),
        Data::Flag(flag) => (*flag).into(),
        Data::Text(text) => (&**text).into(),
        Data::Float(text) => text.parse().unwrap_or_else(|_| (&**text).into()),
        Data::Date(text) => text.parse().unwrap_or_else(|_| text.into()),
        Data::List(list) => Value::Array(list.iter().map(|node| value(&node.data)).collect::<Array>()),
        Data::Table(table) => {
            let pairs = table.entries.iter().map(|entry| (&*entry.key, value(&entry.node.data)));
            Value::InlineTable(pairs.collect::<InlineTable>())
        }
    }
}

/// Takes the chosen fits out.
pub fn delete(doc: &Doc) -> Option<Edit> {
    remove(doc, &chosen(doc))
}

/// Takes fits out; the one that stood behind the last in its mount is chosen then.
pub fn remove(doc: &Doc, fits: &[u32]) -> Option<Edit> {
    let mut order = Order::of(doc)?;
    fits.iter().for_each(|fit| order.remove(*fit));
    let kept: Vec<u32> = doc.selected.iter().copied().filter(|fit| !fits.contains(fit)).collect();
    let kept = if kept.is_empty() { next_to(doc, fits).into_iter().collect() } else { kept };
    order.edit(format!("remove {}", about(doc, fits)), &kept)
}

/// The fit of the same mount behind these, else the one before.
fn next_to(doc: &Doc, fits: &[u32]) -> Option<u32> {
    let design = &doc.judged()?.design;
    let last = design.fits.iter().find(|fit| Some(&fit.index) == fits.last())?;
    let beside: Vec<u32> = same_mount(design, last).filter(|fit| !fits.contains(fit)).collect();
    beside.iter().copied().find(|fit| *fit > last.index).or(beside.last().copied())
}

fn same_mount<'a>(design: &'a Design, fit: &'a Fit) -> impl Iterator<Item = u32> + 'a {
    let mount = |fit: &Fit| fit.mount.as_ref().map(|word| word.text.clone());
    design.fits.iter().filter(move |other| mount(other) == mount(fit)).map(|fit| fit.index)
}

/// A fit's count. One of 0 stays in the file and in its row, and counts for nothing: so what stands behind it never comes to lie under a pointer
/// that is about to click again.
pub fn set_count(doc: &Doc, fit: &FitResult, count: i64) -> Option<Edit> {
    let said = doc.evaluation().map(|evaluation| said(evaluation, fit))?;
    let count = count.clamp(0, i64::from(COUNT_MOST));
    let label =
        if count == i64::from(fit.count) + 1 { format!("add {said}") } else { format!("set {said} to {count}") };
    Some(Edit::one(label, Step::SetFit { fit: fit.index as usize, key: "count".into(), value: count.into() }))
}

/// Adds some of a system to a mount: as many more of the fit that is alike, or a fit of its own behind the mount's others.
pub fn add(doc: &Doc, system: &str, mount: Option<&str>, count: u32) -> Option<Edit> {
    let added = count.clamp(1, COUNT_MOST);
    let (judged, evaluation) = (doc.judged()?, doc.evaluation()?);
    let choice = systems(evaluation).into_iter().find(|choice| *choice.id == *system)?;
    let parameters = &evaluation.ruleset.systems.get(choice.kind)?.parameters;
    let place = mount.map(|mount| mount_label(evaluation, mount));
    let said = place.map_or_else(|| choice.name.to_string(), |place| format!("{}, {place}", choice.name));
    let said = if added == 1 { said } else { format!("{added} × {said}") };
    let here = |fit: &&Fit| fit.mount.as_ref().map(|word| &*word.text) == mount;
    let is_plain = |fit: &&Fit| {
        fit.parameters.iter().all(|entry| {
            let known = parameters.iter().find(|parameter| *parameter.id == *entry.key);
            known.is_some_and(|known| is_same(&entry.node.data, &known.default))
        })
    };
    let alike = judged.design.fits.iter().filter(here).find(|fit| *fit.system.text == *system && is_plain(fit));
    if let Some(fit) = alike.filter(|fit| fit.count <= COUNT_MOST - added) {
        let (index, count) = (fit.index as usize, i64::from(fit.count + added));
        let step = Step::SetFit { fit: index, key: "count".into(), value: count.into() };
        return Some(Edit::one(format!("add {said}"), step).choosing(vec![fit.index]));
    }
    let at = judged.design.fits.iter().rfind(here).map_or(usize::MAX, |fit| fit.index as usize + 1);
    let (system, mount) = (system.to_owned(), mount.map(str::to_owned));
    let step = Step::AddFit { at, system, mount, count: added, parameters: Vec::new() };
    Some(Edit::one(format!("add {said}"), step))
}

fn is_same(data: &Data<'_>, default: &formula::Value) -> bool {
    match (data, default) {
        (Data::Int(one), formula::Value::Int(other)) => one == other,
        (Data::Flag(one), formula::Value::Flag(other)) => one == other,
        (Data::Text(one), formula::Value::Text(other)) => **one == **other,
        _ => false,
    }
}

/// Puts the like of each chosen fit behind it.
pub fn duplicate(doc: &Doc) -> Option<Edit> {
    let (mut order, fits) = (Order::of(doc)?, chosen(doc));
    let design = &doc.judged()?.design;
    for fit in design.fits.iter().filter(|fit| fits.contains(&fit.index)) {
        let at = order.at(fit.index)? + 1;
        order.add(at, fit, fit.mount.as_ref().map(|word| &*word.text));
    }
    order.edit(format!("duplicate {}", about(doc, &fits)), &[])
}

/// Moves the chosen fits one place up or down in their mounts.
pub fn shift(doc: &Doc, up: bool) -> Option<Edit> {
    let (mut order, fits) = (Order::of(doc)?, chosen(doc));
    let design = &doc.judged()?.design;
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
                    order.before(moved, other)
                } else {
                    order.behind(moved, other)
                }
                mount.swap(at - 1, at);
            }
        }
    }
    let way = if up { "up" } else { "down" };
    order.edit(format!("move {} {way}", about(doc, &fits)), &fits)
}

/// Moves fits to a mount: before a fit of it, or behind its last.
pub fn move_to(doc: &Doc, fits: &[u32], mount: &str, before: Option<u32>) -> Option<Edit> {
    let mut order = Order::of(doc)?;
    let design = &doc.judged()?.design;
    let in_mount = |fit: &&Fit| fit.mount.as_ref().is_some_and(|word| *word.text == *mount);
    let moved: Vec<&Fit> = design.fits.iter().filter(|fit| fits.contains(&fit.index)).collect();
    for fit in moved.iter().filter(|fit| !in_mount(fit)) {
        order.set(fit.index, "mount", mount.into());
    }
    let mut last = design.fits.iter().filter(|fit| !fits.contains(&fit.index)).rfind(in_mount).map(|fit| fit.index);
    for fit in moved {
        match (before.filter(|before| !fits.contains(before)), last) {
            (Some(before), _) => order.before(fit.index, before),
            (None, Some(after)) => {
                order.behind(fit.index, after);
                last = Some(fit.index);
            }
            (None, None) => {}
        }
    }
    let place = doc.evaluation().map_or_else(|| mount.into(), |evaluation| mount_label(evaluation, mount));
    order.edit(format!("move {} to {place}", about(doc, fits)), fits)
}

/// A mount's counterpart.
pub fn mirror_of(rules: &Ruleset, mount: &str) -> Option<usize> {
    let at = rules.mounts.iter().position(|known| *known.id == *mount)?;
    rules.mounts[at].mirror.or_else(|| rules.mounts.iter().position(|other| other.mirror == Some(at)))
}

/// Makes the counterpart of a mount alike; what stands there is replaced.
pub fn mirror_mount(doc: &Doc, mount: &str) -> Option<Edit> {
    let rules = &doc.evaluation()?.ruleset;
    let to = &rules.mounts[mirror_of(rules, mount)?];
    let mut order = Order::of(doc)?;
    alike(&mut order, &doc.judged()?.design, mount, &to.id);
    order.edit(format!("make {} like {}", to.label, mount_label(doc.evaluation()?, mount)), &[])
}

/// Makes the second mount of every pair like the first, as the rules name them.
pub fn mirror_all(doc: &Doc) -> Option<Edit> {
    let rules = &doc.evaluation()?.ruleset;
    let mut order = Order::of(doc)?;
    for (mount, to) in rules.mounts.iter().filter_map(|mount| Some((mount, rules.mounts.get(mount.mirror?)?))) {
        alike(&mut order, &doc.judged()?.design, &mount.id, &to.id);
    }
    order.edit("mirror all mount pairs".to_owned(), &[])
}

/// Puts the like of each chosen fit into the counterpart of its mount.
pub fn mirror_chosen(doc: &Doc) -> Option<Edit> {
    let rules = &doc.evaluation()?.ruleset;
    let (mut order, fits) = (Order::of(doc)?, chosen(doc));
    let design = &doc.judged()?.design;
    for fit in design.fits.iter().filter(|fit| fits.contains(&fit.index)) {
        let Some(mount) = &fit.mount else { continue };
        let Some(to) = mirror_of(rules, &mount.text).map(|to| &rules.mounts[to].id) else { continue };
        let of_kind = |mount: &str| -> Vec<&Fit> {
            fits_in(design, mount).into_iter().filter(|other| other.system.text == fit.system.text).collect()
        };
        let rank = of_kind(&mount.text).iter().position(|other| other.index == fit.index)?;
        match of_kind(to).get(rank) {
            Some(other) => copy_keys(&mut order, fit, other),
            None => {
                let last = fits_in(design, to).last().map_or(fit.index, |last| last.index);
                let at = order.at(last)? + 1;
                order.add(at, fit, Some(to));
            }
        }
    }
    order.edit(format!("mirror {}", about(doc, &fits)), &fits)
}

fn fits_in<'d>(design: &'d Design, mount: &str) -> Vec<&'d Fit> {
    design.fits.iter().filter(|fit| fit.mount.as_ref().is_some_and(|word| *word.text == *mount)).collect()
}

fn alike(order: &mut Order, design: &Design, from: &str, to: &str) {
    let (ours, theirs) = (fits_in(design, from), fits_in(design, to));
    if ours.len() == theirs.len() && ours.iter().zip(&theirs).all(|(one, other)| one.system.text == other.system.text) {
        ours.iter().zip(theirs).for_each(|(one, other)| copy_keys(order, one, other));
        return;
    }
    let place = theirs.first().and_then(|first| order.at(first.index));
    let behind = ours.last().and_then(|last| order.at(last.index)).map(|at| at + 1);
    let at = place.or(behind).unwrap_or(usize::MAX);
    theirs.iter().for_each(|fit| order.remove(fit.index));
    ours.iter().enumerate().for_each(|(n, fit)| order.add(at.saturating_add(n), fit, Some(to)));
}

/// Gives one fit the count and parameters of another.
fn copy_keys(order: &mut Order, from: &Fit, to: &Fit) {
    if from.count != to.count {
        order.set(to.index, "count", i64::from(from.count).into());
    }
    for entry in &from.parameters {
        let new = value(&entry.node.data);
        let old = to.parameters.iter().find(|other| other.key == entry.key).map(|other| value(&other.node.data));
        if old.is_none_or(|old| old.to_string() != new.to_string()) {
            order.set(to.index, &entry.key, new);
        }
    }
    let gone = to.parameters.iter().filter(|entry| from.parameters.iter().all(|other| other.key != entry.key));
    for entry in gone {
        if let Some(fit) = order.at(to.index) {
            order.steps.push(Step::RemoveFitKey { fit, key: entry.key.to_string() });
        }
    }
}
