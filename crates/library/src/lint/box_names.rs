//! Box names such as `structure_12` or `laser_port_3`, which identify boxes in damage and forms: takes the lint
//! context, reports tracks and systems whose boxes would have equal names; and systems whose boxes look alike.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use moldloft_base::source::Span;
use moldloft_rules::evaluate::BoxLook;
use moldloft_rules::ruleset::Selector;

use super::context::LintContext;

/// Systems whose boxes cannot be told apart on a sheet.
fn check_letters(context: &mut LintContext<'_>) {
    let mut known: BTreeMap<BoxLook<'_>, &Arc<str>> = BTreeMap::new();
    let mut found: Vec<(&Arc<str>, &Arc<str>, String)> = Vec::new();
    for system in context.rules.systems.iter().filter(|system| !system.is_abstract) {
        let Some(look) = BoxLook::of(&system.abbr, &system.icon, system.shape) else { continue };
        let face = look.face();
        match known.entry(look) {
            Entry::Occupied(other) => found.push((&system.id, other.get(), face)),
            Entry::Vacant(place) => drop(place.insert(&system.id)),
        }
    }
    for (id, other, face) in found {
        let message = format!("{other} and {id} have the same {face}: their boxes look alike on a sheet");
        let help = format!("give {id} another `abbr`, a `shape` or an `icon`");
        let span = context.span("system", id, "id");
        context.find_about("same-letter", span, [&**other, &**id], message, help);
    }
}

/// More than any game needs; bounds the work.
const MAX_NAMES: usize = 50_000;

pub(super) fn check(context: &mut LintContext<'_>) {
    check_letters(context);
    let rules = context.rules;
    if (rules.systems.len() + rules.tracks.len()) * rules.mounts.len().max(1) > MAX_NAMES {
        return;
    }
    let mut known: BTreeMap<String, (Span, String)> = BTreeMap::new();
    let mut clashes: Vec<(Span, String, String, String)> = Vec::new();
    let mut numbered: Vec<(String, Span, String)> = Vec::new();
    let mut add = |stem: String, span: Span, what: String| match known.get(&stem) {
        Some((_, other)) if *other != what => clashes.push((span, what, other.clone(), stem)),
        Some(_) => {}
        None => {
            known.insert(stem, (span, what));
        }
    };
    for system in rules.systems.iter().filter(|system| !system.is_abstract) {
        let span = context.span("system", &system.id, "id");
        let what = format!("the system {}", system.id);
        let all: Vec<usize> = (0..rules.mounts.len()).collect();
        for &mount in system.mounts.as_ref().unwrap_or(&all) {
            add(format!("{}_{}", system.id, rules.mounts[mount].id), span, what.clone());
        }
    }
    for track in &rules.tracks {
        let span = context.span("track", &track.id, "id");
        let what = format!("the track {}", track.id);
        match &track.for_each {
            None => add(track.id.to_string(), span, what),
            Some(Selector::Mount(mounts)) => {
                let all: Vec<usize> = (0..rules.mounts.len()).collect();
                let mut ids: Vec<&Arc<str>> = Vec::new();
                ids.extend(mounts.as_ref().unwrap_or(&all).iter().map(|&mount| &rules.mounts[mount].id));
                ids.into_iter().for_each(|mount| add(format!("{}_{mount}", track.id), span, what.clone()));
            }
            Some(_) => numbered.push((track.id.to_string(), span, what)),
        }
    }
    // A track for each fit is numbered: flight_1_5 is also the fifth box of a track called flight_1.
    for (id, span, what) in numbered {
        for (stem, (_, other)) in &known {
            let number = stem.strip_prefix(&id).and_then(|rest| rest.strip_prefix('_'));
            if number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit())) {
                clashes.push((span, what.clone(), other.clone(), stem.clone()));
            }
        }
    }
    for (span, what, other, stem) in clashes {
        let message = format!("boxes of {what} and of {other} would both be named {stem}_1");
        context.find("marks-collide", span, message, "give one of them another id");
    }
}
