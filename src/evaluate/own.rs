//! Systems of a design's own: takes its `[[system]]` tables, gives them as state. Plain values only: strings of designs are
//! data, never formulas.

use std::sync::Arc;

use crate::design::{OwnSystem, Subject};
use crate::finding::Finding;
use crate::ruleset::{BoxShape, OwnLike, Ruleset, brief, suggest_near};
use crate::source::toml::{Data, Entry};

use super::inputs::{MOST_FITS, plain, stated, wrong_type};
use super::notes::{Notes, Seat};
use super::state::{Own, State};

pub(super) fn own_systems(notes: &mut Notes<'_>, state: &mut State) {
    let (rules, design) = (notes.rules, notes.design);
    for system in design.systems.iter().take(MOST_FITS) {
        let item: Option<Arc<str>> = Some(brief(&system.id.text).into());
        let whose = || Subject::Own(system.id.text.clone());
        if rules.systems.iter().any(|known| known.id == system.id.text) {
            if notes.is_full() {
                continue;
            }
            let message = format!("`{}` is already a system of {}", brief(&system.id.text), rules.base.title);
            let help = "give this [[system]] another id".to_owned();
            notes.error("duplicate-id", system.id.span, item, (message, help), whose());
            continue;
        }
        let kinds = rules.systems.iter().map(|system| &*system.id);
        let Some(like) = &system.like else {
            if notes.is_full() {
                continue;
            }
            let help = format!("add like = \"…\"; systems: {}", kinds.take(12).collect::<Vec<_>>().join(", "));
            let message = "missing `like` in a [[system]] of the design".to_owned();
            notes.error("system-without-kind", system.span, item, (message, help), whose());
            continue;
        };
        let Some(base) = rules.systems.iter().position(|known| known.id == like.text) else {
            if notes.is_full() {
                continue;
            }
            let (help, near) = suggest_near(&like.text, kinds);
            let message = format!("unknown system `{}` in `like`", brief(&like.text));
            let message = rules.and_removed(message, "system", &like.text, None);
            let about = Seat::Own(&system.id.text, "like").near(near);
            notes.error("unknown-system", like.span, item, (message, help), about);
            continue;
        };
        if let Some((message, help)) = refused(rules, &system.id.text, base) {
            let mut finding = Finding::error("own-system-not-allowed", message).help(help);
            finding.rule = rules.own_systems.span.map(|span| rules.place(span));
            notes.add(finding, system.span, item, whose());
        }
        let own = own_system(notes, system, base);
        state.own.push(own);
    }
}

/// Why the rules do not allow a design a system of its own that is like this one, and what to do.
fn refused(rules: &Ruleset, id: &str, base: usize) -> Option<(String, String)> {
    let kind = &rules.systems[base];
    let id = brief(id);
    let open: Vec<&str> = rules.systems.iter().filter(|known| known.is_abstract).map(|known| &*known.id).collect();
    let out = match kind.is_abstract {
        true => "remove this [[system]]".to_owned(),
        false => format!("fit {} itself and remove this [[system]]", kind.id),
    };
    match rules.own_systems.like {
        OwnLike::Any => None,
        OwnLike::Abstract if kind.is_abstract => None,
        OwnLike::Abstract if !open.is_empty() => Some((
            format!("`{id}` is like {}: expected an abstract system of the rules ({})", kind.id, open.join(", ")),
            format!("set `like` to {}, or {out}", open.join(" or ")),
        )),
        OwnLike::None | OwnLike::Abstract => Some((
            format!("`{id}` is a system of the design: the rules allow no own systems"),
            format!("{out}; a house layer can allow them: own_systems = \"any\" in its [ruleset]"),
        )),
    }
}

fn own_system(notes: &mut Notes<'_>, system: &OwnSystem, base: usize) -> Own {
    let rules = notes.rules;
    let kind = &rules.systems[base];
    let item: Arc<str> = brief(&system.id.text).into();
    let mut own = Own {
        base,
        id: system.id.text.clone(),
        name: system.id.text.replace(['-', '_'], " ").into(),
        abbr: kind.abbr.clone(),
        icon: kind.icon.clone(),
        shape: kind.shape,
        tags: kind.tags.clone(),
        tag_ids: kind.tag_ids.clone(),
        mounts: kind.mounts.clone(),
        answers: Vec::new(),
    };
    for Entry { key, span, node } in &system.keys {
        let what = format!("{item}: {}", brief(key));
        let seat = Seat::Own(&system.id.text, key);
        match (key.as_ref(), &node.data) {
            ("name", Data::Text(text)) => own.name = text.as_ref().into(),
            ("abbr", Data::Text(text)) => own.abbr = text.as_ref().into(),
            ("icon", Data::Text(text)) => own.icon = Some(text.as_ref().into()),
            ("shape", Data::Text(text)) => {
                let shapes = BoxShape::ALL;
                match shapes.iter().find(|(word, _)| *word == text.as_ref()) {
                    Some((_, shape)) => own.shape = *shape,
                    None if notes.is_full() => {}
                    None => {
                        let (help, near) = suggest_near(text, shapes.iter().map(|(word, _)| *word));
                        let message = format!("unknown shape `{}`", brief(text));
                        notes.error("unknown-option", node.span, Some(item.clone()), (message, help), seat.near(near));
                    }
                }
            }
            ("tags", Data::List(list)) => {
                let tags = list.iter().filter_map(|node| {
                    if let Data::Text(tag) = &node.data { Some(Arc::from(tag.as_ref())) } else { None }
                });
                own.tags = tags.collect();
                own.tag_ids = own
                    .tags
                    .iter()
                    .filter_map(|tag| rules.lexicon.tags.iter().position(|t| t == tag))
                    .map(|n| n as u32)
                    .collect();
            }
            ("mounts", Data::List(list)) => {
                let mut mounts = Vec::new();
                for node in list {
                    let Data::Text(word) = &node.data else { continue };
                    match rules.lexicon.mounts_of(word) {
                        Ok(found) => mounts.extend(found),
                        Err(_) if notes.is_full() => {}
                        Err(help) => {
                            let message = format!("unknown mount `{}`", brief(word));
                            let item = Some(item.clone());
                            notes.error("unknown-mount", node.span, item, (message, help), seat.subject());
                        }
                    }
                }
                own.mounts = Some(mounts);
            }
            ("name" | "abbr" | "icon" | "shape", _) => {
                wrong_type(notes, node, &what, "text in \"quotes\"", seat.subject());
            }
            ("tags" | "mounts", _) => {
                wrong_type(notes, node, &what, "a list of words", seat.subject());
            }
            ("assumed" | "derived" | "house" | "published" | "rule", _) => {}
            (key, _) => {
                let attribute = rules.lexicon.answer(key);
                match attribute.filter(|&n| {
                    rules.lexicon.answers[n].default.is_some() || kind.parameters.iter().any(|p| p.answer == n)
                }) {
                    Some(answer) => {
                        let value = plain(notes, node, &what, &rules.lexicon.answers[answer].ty, seat);
                        own.answers.push((answer, value));
                    }
                    None if notes.is_full() => {}
                    None => {
                        let known: Vec<&str> = rules
                            .lexicon
                            .answers
                            .iter()
                            .map(|a| &*a.id)
                            .chain(["name", "abbr", "icon", "shape", "tags", "mounts"])
                            .collect();
                        let (help, near) = suggest_near(key, known.iter().copied());
                        let message = format!("unknown attribute `{}` in a [[system]]", brief(key));
                        let free = near.filter(|near| system.keys.iter().all(|entry| *entry.key != **near));
                        let renamed =
                            free.and_then(|near| Some((Seat::Own(&system.id.text, near), stated(&node.data)?)));
                        let about = seat.key(renamed);
                        notes.error("unknown-parameter", *span, Some(item.clone()), (message, help), about);
                    }
                }
            }
        }
    }
    own
}
