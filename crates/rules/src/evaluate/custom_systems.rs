//! Reads a design's `[[system]]` tables into the state. Values are data, never formulas.

use std::sync::Arc;

use crate::design::{CustomSystem, DesignPart};
use crate::formula::Type;
use crate::ruleset::{AttributeRule, BoxShape, CustomSystemBase, Ruleset, SystemDef, shorten, suggest_near};
use moldloft_base::finding::Finding;
use moldloft_base::sanitize::id_as_words;
use moldloft_base::source::Span;
use moldloft_base::source::toml::{TomlEntry, TomlValue};

use super::diagnostics::{Diagnostics, ValuePath};
use super::resolve::{MAX_FITS, integer, plain_value, wrong_type};
use super::scalars::scalar;
use super::state::{CustomSystemState, ShipState};

pub(super) fn resolve_custom_systems(notes: &mut Diagnostics<'_>, state: &mut ShipState) {
    let (rules, design) = (notes.rules, notes.design);
    for system in design.systems.iter().take(MAX_FITS) {
        let item: Option<Arc<str>> = Some(shorten(&system.id.text).into());
        let part = || DesignPart::CustomSystem(system.id.text.clone());
        if rules.systems.iter().any(|known| known.id == system.id.text) {
            if notes.is_full() {
                continue;
            }
            let message = format!("`{}` is already a system of {}", shorten(&system.id.text), rules.base.title);
            let help = "give this [[system]] another id".to_owned();
            notes.error("duplicate-id", system.id.span, item, (message, help), part());
            continue;
        }
        let kinds = rules.systems.iter().filter(|system| !system.is_removed).map(|system| &*system.id);
        let Some(like) = &system.like else {
            if notes.is_full() {
                continue;
            }
            let help = format!("add like = \"…\"; systems: {}", kinds.take(12).collect::<Vec<_>>().join(", "));
            let message = "missing `like` in a [[system]] of the design".to_owned();
            notes.error_left_out("system-without-kind", system.span, item, (message, help), part());
            continue;
        };
        let Some(base) = rules.systems.iter().position(|known| known.id == like.text && !known.is_removed) else {
            if notes.is_full() {
                continue;
            }
            let (help, near) = suggest_near(&like.text, kinds);
            let message = format!("unknown system `{}` in `like`", shorten(&like.text));
            let message = rules.with_removal(message, "system", &like.text, None);
            let about = ValuePath::CustomSystem(&system.id.text, "like").with_near_word(near);
            notes.error_left_out("unknown-system", like.span, item, (message, help), about);
            continue;
        };
        if let Some((message, help)) = refusal(rules, &system.id.text, base) {
            let mut finding = Finding::error("own-system-not-allowed", message).help(help);
            finding.rule = rules.custom_systems.span.map(|span| rules.location(span));
            notes.add(finding, system.span, item, part());
        }
        let own = resolve_custom_system(notes, system, base);
        state.custom_systems.push(own);
    }
}

/// Why a custom system may not be based on this one, and help.
fn refusal(rules: &Ruleset, id: &str, base: usize) -> Option<(String, String)> {
    let kind = &rules.systems[base];
    let id = shorten(id);
    let open: Vec<&str> = rules.systems.iter().filter(|known| known.is_open()).map(|known| &*known.id).collect();
    let out = match kind.is_abstract {
        true => "remove this [[system]]".to_owned(),
        false => format!("fit {} itself and remove this [[system]]", kind.id),
    };
    match rules.custom_systems.like {
        CustomSystemBase::Any => None,
        CustomSystemBase::Abstract if kind.is_abstract => None,
        CustomSystemBase::Abstract if !open.is_empty() => Some((
            format!("`{id}` cannot be like {}: the rules allow only {}", kind.id, open.join(", ")),
            format!("set `like` to {}, or {out}", open.join(" or ")),
        )),
        CustomSystemBase::None | CustomSystemBase::Abstract => Some((
            format!("`{id}` is a system of the design: the rules allow no own systems"),
            format!("{out}; a house layer can allow them: own_systems = \"any\" in its [ruleset]"),
        )),
    }
}

/// An attribute that the rules compute: it stays as they do, whatever the design states.
fn refuse_locked(
    notes: &mut Diagnostics<'_>,
    system: &CustomSystem,
    kind: &SystemDef,
    (attribute, span): (usize, Span),
    item: &Arc<str>,
) {
    let rules = notes.rules;
    let id = &rules.symbols.attributes[attribute].id;
    let by = match &kind.attributes[attribute] {
        AttributeRule::Formula(formula, ..) => format!(": {}", shorten(&formula.source)),
        _ => String::new(),
    };
    let message = format!("{item}: cannot set {id}: the rules compute it for {}{by}", kind.id);
    let mut finding = Finding::error("own-system-computed", message).help(format!(
        "remove {id} from its [[system]]; a house layer can open it: own_systems = {{ open = [\"{id}\"] }}"
    ));
    finding.rule = Some(rules.location(kind.span));
    let about = ValuePath::CustomSystem(&system.id.text, id).for_unknown_key(None);
    notes.add(finding, span, Some(item.clone()), about);
}

fn resolve_custom_system(notes: &mut Diagnostics<'_>, system: &CustomSystem, base: usize) -> CustomSystemState {
    let rules = notes.rules;
    let kind = &rules.systems[base];
    let item: Arc<str> = shorten(&system.id.text).into();
    let mut own = CustomSystemState {
        base,
        id: system.id.text.clone(),
        name: id_as_words(&system.id.text).into(),
        abbr: kind.abbr.clone(),
        icon: kind.icon.clone(),
        shape: kind.shape,
        tags: kind.tags.clone(),
        tag_ids: kind.tag_ids.clone(),
        mounts: kind.mounts.clone(),
        answers: Vec::new(),
    };
    for TomlEntry { key, span, node } in &system.keys {
        let what = format!("{item}: {}", shorten(key));
        let path = ValuePath::CustomSystem(&system.id.text, key);
        match (key.as_ref(), &node.data) {
            ("name", TomlValue::Text(text)) => own.name = text.as_ref().into(),
            ("abbr", TomlValue::Text(text)) => own.abbr = text.as_ref().into(),
            ("icon", TomlValue::Text(text)) => own.icon = Some(text.as_ref().into()),
            ("shape", TomlValue::Text(text)) => match BoxShape::named(text) {
                Some(shape) => own.shape = shape,
                None if notes.is_full() => {}
                None => {
                    let (help, near) = suggest_near(text, BoxShape::ALL.iter().map(|(word, _)| *word));
                    let message = format!("unknown shape `{}`", shorten(text));
                    notes.error_left_out(
                        "unknown-option",
                        node.span,
                        Some(item.clone()),
                        (message, help),
                        path.with_near_word(near),
                    );
                }
            },
            ("tags", TomlValue::List(list)) => {
                let tags = list.iter().filter_map(|node| {
                    if let TomlValue::Text(tag) = &node.data { Some(Arc::from(tag.as_ref())) } else { None }
                });
                // What it is like, it stays: its own tags are more of them.
                own.tags = kind.tags.iter().cloned().chain(tags.filter(|tag| !kind.tags.contains(tag))).collect();
                own.tag_ids = own
                    .tags
                    .iter()
                    .filter_map(|tag| rules.symbols.tags.iter().position(|t| t == tag))
                    .map(|n| n as u32)
                    .collect();
            }
            ("mounts", TomlValue::List(list)) => {
                let mut mounts = Vec::new();
                for node in list {
                    let TomlValue::Text(word) = &node.data else { continue };
                    match rules.symbols.match_mounts(word) {
                        Ok(found) => mounts.extend(found),
                        Err(_) if notes.is_full() => {}
                        Err(help) => {
                            let message = format!("unknown mount `{}`", shorten(word));
                            let item = Some(item.clone());
                            notes.error_left_out("unknown-mount", node.span, item, (message, help), path.subject());
                        }
                    }
                }
                own.mounts = Some(mounts);
            }
            ("name" | "abbr" | "icon" | "shape", _) => {
                wrong_type(notes, node, &what, "text in \"quotes\"", path.subject());
            }
            ("tags" | "mounts", _) => {
                wrong_type(notes, node, &what, "a list of words", path.subject());
            }
            ("assumed" | "derived" | "house" | "published" | "rule", _) => {}
            (key, _) => {
                let attribute = rules.symbols.attribute(key);
                match attribute.filter(|&n| {
                    rules.symbols.attributes[n].default.is_some() || kind.parameters.iter().any(|p| p.attribute == n)
                }) {
                    Some(answer) if rules.custom_systems.is_locked(kind, &rules.symbols.attributes, answer) => {
                        if !notes.is_full() {
                            refuse_locked(notes, system, kind, (answer, *span), &item);
                        }
                    }
                    Some(answer) => {
                        let parameter = kind.parameters.iter().find(|parameter| parameter.attribute == answer);
                        let value = match parameter.filter(|parameter| parameter.ty == Type::Int) {
                            Some(parameter) => {
                                let bounds = (parameter.min, parameter.max, parameter.bounds_reason.as_deref());
                                integer(notes, node, (&what, &what.as_str().into()), bounds, path)
                            }
                            None => plain_value(notes, node, &what, &rules.symbols.attributes[answer].ty, path),
                        };
                        own.answers.push((answer, value));
                    }
                    None if notes.is_full() => {}
                    None => {
                        let known: Vec<&str> = rules
                            .symbols
                            .attributes
                            .iter()
                            .map(|a| &*a.id)
                            .chain(["name", "abbr", "icon", "shape", "tags", "mounts"])
                            .collect();
                        let (help, near) = suggest_near(key, known.iter().copied());
                        let message = format!("unknown attribute `{}` in a [[system]]", shorten(key));
                        let free = near.filter(|near| system.keys.iter().all(|entry| *entry.key != **near));
                        let renamed = free.and_then(|near| {
                            Some((ValuePath::CustomSystem(&system.id.text, near), scalar(&node.data)?))
                        });
                        let about = path.for_unknown_key(renamed);
                        notes.error_left_out("unknown-parameter", *span, Some(item.clone()), (message, help), about);
                    }
                }
            }
        }
    }
    own
}
