//! Applies a fleet's loads: takes the state from the design and the loads, replaces the values as if the design had
//! them. A load that is not possible gives a finding at its place in the fleet.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::design::{Scalar, ShipLoad};
use moldloft_base::source::Span;
use moldloft_base::source::toml::{TomlEntry, TomlNode, TomlValue};

use super::diagnostics::Diagnostics;
use super::resolve::{fit_label, parameter_value};
use super::state::ShipState;
use crate::design::DesignPart;
use crate::ruleset::{shorten, suggest_near};
use moldloft_base::finding::Finding;

const MAX_LOADED: usize = 200_000;

pub(super) fn apply_loads(notes: &mut Diagnostics<'_>, state: &mut ShipState, loads: &[ShipLoad]) {
    if loads.is_empty() {
        return;
    }
    let rules = notes.rules;
    let mut aboard: BTreeMap<Arc<str>, Vec<usize>> = BTreeMap::new();
    for (n, fit) in state.fits.iter().enumerate() {
        aboard.entry(state.system(rules, fit.system).id.clone()).or_default().push(n);
    }
    let mut room = MAX_LOADED;
    for load in loads {
        apply_load(notes, state, load, &aboard, &mut room);
        if room == 0 {
            let message = format!("more than {MAX_LOADED} values to load; the rest is skipped");
            let help = "combine identical fits into one with a count".to_owned();
            notes.error_left_out("too-large", Span::default(), None, (message, help), DesignPart::Design);
            break;
        }
    }
    state.work += (MAX_LOADED - room) as u64;
    notes.set_place(None);
}

fn apply_load(
    notes: &mut Diagnostics<'_>,
    state: &mut ShipState,
    load: &ShipLoad,
    aboard: &BTreeMap<Arc<str>, Vec<usize>>,
    room: &mut usize,
) {
    let rules = notes.rules;
    notes.set_place(Some(load.place.clone()));
    let all = aboard.get(&load.system).map_or(&[][..], Vec::as_slice);
    let fits: Vec<usize> = all
        .iter()
        .copied()
        .filter(|&n| load.mount.as_ref().is_none_or(|mount| *mount == state.fits[n].mount_id))
        .collect();
    *room = room.saturating_sub(all.len());
    if fits.is_empty() {
        if notes.is_full() {
            return;
        }
        let (message, help) = match &load.mount {
            Some(mount) if !all.is_empty() => {
                let message = format!("this ship has no {} at `{}`", fit_name(state, notes, all[0]), shorten(mount));
                let mounts = all.iter().map(|&n| &*state.fits[n].mount_id);
                (message, suggest_near(mount, mounts.clone()).0)
            }
            _ => {
                let message = format!("this ship has no `{}` to load", shorten(&load.system));
                let aboard: Vec<Arc<str>> =
                    state.fits.iter().map(|fit| state.system(rules, fit.system).id.clone()).collect();
                (message, suggest_near(&load.system, aboard.iter().map(|id| &**id)).0)
            }
        };
        return notes.error("nothing-to-load", Span::default(), None, (message, help), DesignPart::Design);
    }
    for (key, value, at) in &load.values {
        notes.set_place(Some(at.clone()));
        let data = match value {
            Scalar::Number(number) => TomlValue::Int(*number),
            Scalar::Flag(flag) => TomlValue::Flag(*flag),
            Scalar::Text(text) => TomlValue::Text(text.to_string().into()),
        };
        let entry = TomlEntry {
            key: key.to_string().into(),
            span: Span::default(),
            node: TomlNode { span: Span::default(), data },
        };
        for &n in &fits {
            *room = room.saturating_sub(1);
            if *room == 0 {
                return;
            }
            let parameters = &rules.systems[state.fits[n].base].parameters;
            let Some(parameter) = parameters.iter().find(|parameter| parameter.id == *key) else {
                if notes.is_full() {
                    break;
                }
                let name = fit_name(state, notes, n);
                let known = parameters.iter().filter(|parameter| parameter.load).map(|parameter| &*parameter.id);
                let message = format!("unknown parameter `{}` for {name}", shorten(key));
                let help = suggest_near(key, known).0;
                notes.error_left_out("unknown-parameter", Span::default(), None, (message, help), DesignPart::Design);
                break;
            };
            if !parameter.load {
                let name = fit_name(state, notes, n);
                let message =
                    format!("{name}: `{}` is not a load; it is the same for every ship of the class", parameter.label);
                let finding = Finding::error("not-a-load", message)
                    .help("change the design, or save a variant of it for this ship")
                    .rule(rules.location(rules.systems[state.fits[n].base].span));
                notes.add(finding, Span::default(), None, DesignPart::Design);
                break;
            }
            let label = state.fits[n].mount.map(|mount| &*rules.mounts[mount].label);
            let name = fit_name(state, notes, n);
            let what = || fit_label(&name, label);
            let value = parameter_value(notes, parameter, &entry, &name, &what, 0);
            let row = n * rules.symbols.attributes.len();
            state.answers[row + parameter.attribute] = value;
            if !state.fits[n].stated_parameters.contains(&parameter.attribute) {
                state.fits[n].stated_parameters.push(parameter.attribute);
            }
        }
    }
}

fn fit_name(state: &ShipState, notes: &Diagnostics<'_>, fit: usize) -> String {
    shorten(state.system(notes.rules, state.fits[fit].system).name)
}
