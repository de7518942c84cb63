//! Faults of printed output: takes the lint context, reports missing or broken files, missing sheets, tracks that no
//! panel shows, texts that are cut.

use std::collections::BTreeMap;
use std::sync::Arc;

use moldloft_base::finding::Severity;
use moldloft_base::source::Span;
use moldloft_rules::design::Ship;
use moldloft_rules::evaluate::evaluate;
use moldloft_rules::ruleset::{SheetKind, SlotContext};
use moldloft_sheet::sheet::{drawing_files, first_unfilled_text, measure_slots, prepare_template_within};

use super::context::{LintContext, sheet_templates, words_of};
use super::trial_runs::sheet_of;

pub(super) fn check(context: &mut LintContext<'_>) {
    check_files(context);
    check_kinds(context);
    check_tracks(context);
    check_templates(context);
    check_texts(context);
    check_drawing_texts(context);
}

/// The most designs of the game whose texts are laid out.
const MAX_DESIGNS_SET: usize = 24;

/// Texts that are cut on every design of the game that shows them.
fn check_texts(context: &mut LintContext<'_>) {
    let rules = context.rules;
    let mut cut: BTreeMap<(Arc<str>, usize), (usize, usize)> = BTreeMap::new();
    for design in context.designs.iter().take(MAX_DESIGNS_SET) {
        let of = evaluate(rules, design, &Ship::default());
        let Some(sheet) = sheet_of(&of) else { continue };
        let compact = context.templates.compact_name(rules, &sheet.template).map(Arc::from);
        for name in std::iter::once(Arc::clone(&sheet.template)).chain(compact) {
            let Some(prepared) = context.templates.prepared_template(rules, &name) else { continue };
            for text in measure_slots(&prepared, &of, context.templates).slots {
                let (times, all) = cut.entry((Arc::clone(&name), text.slot_index)).or_default();
                *times += usize::from(text.is_cut);
                *all += 1;
            }
        }
    }
    let sheets = context.templates.sheet_templates(rules);
    for ((name, place), (times, all)) in cut {
        let Some(template) = context.templates.template(rules, &name).filter(|_| all > 1 && times == all) else {
            continue;
        };
        let slot = &template.slots[place];
        let (line, _) = template.source.line_column(slot.span.start);
        let sheet = sheets.iter().find(|sheet| sheet.name == name).map_or("", |sheet| &sheet.sheet);
        let message = format!("`{name}`, line {line}: {} is cut off on all {all} designs that show it", slot.name());
        let help = "increase its `width` or `lines`, or shorten it; the full text is on the continuation page";
        let span = context.span("sheet", sheet, "template");
        context.find("text-never-fits", span, message, help);
    }
}

/// Texts of icons and drawings that use a value: reported once for each file, at the name of the file, else at the
/// sheet.
fn check_drawing_texts(context: &mut LintContext<'_>) {
    let rules = context.rules;
    let sheets = context.templates.sheet_templates(rules);
    for name in drawing_files(rules, context.templates) {
        let template = context.templates.template(rules, &name);
        let Some(found) = template.and_then(|template| first_unfilled_text(&template)) else { continue };
        let system = rules.systems.iter().find(|system| system.icon.as_ref() == Some(&name));
        let track = rules.tracks.iter().find(|track| track.signs.iter().any(|sign| sign.icon == name));
        let sheet = sheets.iter().find(|sheet| {
            let prepared = context.templates.prepared_template(rules, &sheet.name);
            prepared.is_some_and(|sheet| sheet.shows_file(&name))
        });
        let span = match (system, track, sheet) {
            (Some(system), ..) => context.span("system", &system.id, "icon"),
            (_, Some(track), _) => context.span("track", &track.id, "marks"),
            (.., Some(sheet)) => context.span("sheet", &sheet.sheet, "template"),
            _ => context.header_span(),
        };
        let message = format!("`{name}`, line {}: {}", found.at.line, found.message);
        context.find("text-not-filled", span, message, found.help.unwrap_or_default());
    }
}

/// Templates that do not compile with the ruleset.
fn check_templates(context: &mut LintContext<'_>) {
    let rules = context.rules;
    let mut named: Vec<(Span, Arc<str>, SlotContext)> = Vec::new();
    for sheet in context.templates.sheet_templates(rules) {
        named.push((context.span("sheet", &sheet.sheet, "template"), sheet.name, SlotContext::Ship));
    }
    for counter in &rules.counters {
        let within = SlotContext::Counter(counter.id.clone());
        named.push((context.span("counter", &counter.id, "face"), counter.face.clone(), within.clone()));
        if let Some(back) = &counter.back {
            named.push((context.span("counter", &counter.id, "back"), back.clone(), within));
        }
    }
    for (span, name, within) in named {
        let Some(template) = context.templates.template(rules, &name) else { continue };
        let found = prepare_template_within(&template, rules, &within).1;
        let mut errors = found.iter().filter(|finding| finding.severity == Severity::Error);
        let Some(first) = errors.next() else { continue };
        let more = match errors.count() {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        let line = if first.at.line > 0 { format!(", line {}", first.at.line) } else { String::new() };
        let message = format!("`{name}`{line}: {}{more}", first.message);
        let help = match &first.help {
            Some(help) => help.clone(),
            None => "run `moldloft template check` for details".to_owned(),
        };
        // The template's line has the names that are wrong.
        let names = first.at.snippet.as_ref().map(|snippet| words_of(&snippet.text)).unwrap_or_default();
        context.find_about("template-faulty", span, names, message, help);
    }
}

/// Every file that the ruleset names.
fn check_files(context: &mut LintContext<'_>) {
    let rules = context.rules;
    let mut named: Vec<(Span, Arc<str>, String)> = Vec::new();
    for sheet in &rules.sheets {
        named.push((
            context.span("sheet", &sheet.id, "template"),
            sheet.template.clone(),
            format!("the sheet {}", sheet.id),
        ));
    }
    for counter in &rules.counters {
        let what = format!("the counter {}", counter.id);
        if counter.face.is_empty() {
            let span = context.span("counter", &counter.id, "face");
            let message = format!("{what} has no face");
            context.find(
                "missing-template-file",
                span,
                message,
                "add face = \"chits/….svg\": a small template of its size",
            );
        } else {
            named.push((context.span("counter", &counter.id, "face"), counter.face.clone(), what.clone()));
        }
        if let Some(back) = &counter.back {
            named.push((context.span("counter", &counter.id, "back"), back.clone(), what));
        }
    }
    for track in &rules.tracks {
        let what = format!("the track {}", track.id);
        if let Some(face) = &track.face {
            named.push((context.span("track", &track.id, "face"), face.clone(), what.clone()));
        }
        for sign in track.signs.iter().filter(|sign| sign.icon.ends_with(".svg")) {
            named.push((context.span("track", &track.id, "marks"), sign.icon.clone(), what.clone()));
        }
    }
    for system in &rules.systems {
        if let Some(icon) = &system.icon {
            named.push((context.span("system", &system.id, "icon"), icon.clone(), format!("the system {}", system.id)));
        }
    }
    for (span, name, what) in named {
        if context.templates.template(rules, &name).is_some() {
            continue;
        }
        let (message, help) = match context.templates.is_missing(rules, &name) {
            true => (
                format!("{what} uses `{name}`, which is in no templates folder"),
                format!("put the file into templates/{}/, or correct its name", rules.id),
            ),
            false => (
                format!("{what} uses `{name}`, which cannot be read"),
                "run `moldloft template check` on the file for details".to_owned(),
            ),
        };
        context.find("missing-template-file", span, message, help);
    }
}

fn check_kinds(context: &mut LintContext<'_>) {
    let rules = context.rules;
    let at = context.header_span();
    if sheet_templates(rules, SheetKind::Design).next().is_none() {
        let help = "add [[sheet]] id = \"ship\", kind = \"design\", template = \"ship.svg\"";
        context.find("sheet-missing", at, "no sheet prints a design".to_owned(), help);
        return;
    }
    let without = context.trials.iter().find_map(|one| one.without_sheet.clone());
    if let Some(without) = without {
        let message = format!("no sheet prints a design with {without}");
        let help = "extend the `when` of the sheets to cover every design";
        context.find_about("sheet-missing", at, words_of(&without), message, help);
    }
    if rules.continuation().is_none() {
        let help = "add [[sheet]] id = \"more\", kind = \"continuation\", with a panel `panel: rest`";
        let message = "missing continuation sheet: large ships cannot be printed in full".to_owned();
        context.find("continuation-missing", at, message, help);
    }
    if rules.reference_sheets().next().is_none() {
        let help = "add [[sheet]] id = \"reference\", kind = \"reference\"";
        context.find("reference-missing", at, "no sheet shows the game's tables to all players".to_owned(), help);
    }
}

fn check_tracks(context: &mut LintContext<'_>) {
    let rules = context.rules;
    let names: Vec<&Arc<str>> = sheet_templates(rules, SheetKind::Design).collect();
    let prepared: Vec<_> = names.iter().filter_map(|name| context.templates.prepared_template(rules, name)).collect();
    // Without all sheets nothing is certain.
    if prepared.is_empty() || prepared.len() < names.len() {
        return;
    }
    let shown: Vec<_> = prepared.iter().map(|sheet| sheet.shown_tracks()).collect();
    for track in &rules.tracks {
        // A track of a layer that the base's sheets do not have is printed on the continuation page.
        let left_over = track.required && context.is_layer() && rules.continuation().is_some();
        if left_over || shown.iter().any(|sheet| sheet.contains(&track.id)) {
            continue;
        }
        let span = context.span("track", &track.id, "id");
        let message = format!("no panel of a design's sheet shows the track `{}`", track.id);
        let other =
            if context.is_layer() { ", or set required = true to print it on the continuation page" } else { "" };
        let help = format!("draw a rectangle labelled `panel: track {}`{other}", track.id);
        context.find("track-not-shown", span, message, help);
    }
}
