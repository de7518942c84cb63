//! Checks a game's texts on its designs: takes a store, a ruleset and optionally one template, gives findings for texts
//! that are cut, and for texts of icons and drawings that are not drawn as written. Never prints.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use crate::library::template_files::beside_design;
use crate::store::Store;
use moldloft_base::finding::Finding;
use moldloft_base::source::Source;
use moldloft_rules::design::Ship;
use moldloft_rules::evaluate::{Evaluation, evaluate};
use moldloft_rules::ruleset::{Ruleset, SheetDef};
use moldloft_sheet::sheet::{DrawingSource, SlotMeasures, TemplateCache, compact_form, drawing_files, measure_slots};

use super::review::designs_of_ruleset;

/// The most designs of a game that are tried.
const MAX_DESIGNS: usize = 24;

/// The designs on which a game's templates are checked, evaluated.
pub fn ships_of_ruleset(store: &Store, ruleset: &Arc<Ruleset>) -> Vec<Evaluation> {
    let designs = designs_of_ruleset(store, ruleset);
    designs.iter().take(MAX_DESIGNS).map(|design| evaluate(ruleset, design, &Ship::default())).collect()
}

/// The templates that are checked; with `only`, that one has this text in place of the store's.
pub fn checked_templates<'a>(store: &'a Store, only: Option<(&'a str, &'a Source)>) -> TemplateCache<'a> {
    TemplateCache::new(move |ids, name| match only {
        Some((own, source)) if own == name => Some(Ok(source.clone())),
        _ => store.template(ids, name),
    })
    .with_beside(beside_design)
}

/// Checks the texts of all sheets, icons and drawings of the ruleset on its ships; with `only`, those of one template, by its name
/// and text.
pub fn check_texts(
    store: &Store,
    templates: &TemplateCache<'_>,
    ruleset: &Arc<Ruleset>,
    ships: &[Evaluation],
    only: Option<(&str, &Source)>,
) -> Vec<Finding> {
    let ids: Vec<&str> = ruleset.templates.iter().map(|id| &**id).collect();
    // Missing files are reported elsewhere.
    for name in drawing_files(ruleset, templates).iter().filter(|name| store.template(&ids, name).is_some()) {
        templates.icon(ruleset, name);
    }
    let mut cuts = CutTexts::new();
    // A compact form that is checked alone may be in another folder than the template.
    let checked = |name: &str| only.map(|(own, _)| own).filter(|own| compact_form(name).as_deref() == Some(own));
    let compact = |name: &Arc<str>| -> Option<Arc<str>> {
        templates.compact_name(ruleset, name).map(Arc::from).or_else(|| checked(name).map(Arc::from))
    };
    let more = ruleset.continuation().map(|sheet| Arc::clone(&sheet.template));
    for ship in ships {
        let Some(sheet) = ship.sheet() else { continue };
        let full = (Arc::clone(&sheet.template), more.clone());
        let small = compact(&sheet.template).map(|name| (name, more.as_ref().and_then(compact)));
        for (name, more) in std::iter::once(full).chain(small) {
            check_pages(ruleset, templates, ship, (&name, more.as_ref()), &mut cuts);
        }
    }
    let mut findings = templates.findings();
    for ((name, place), cut) in cuts {
        findings.extend(cut_text_finding(templates, ruleset, &name, place, &cut));
    }
    if let Some((_, source)) = only {
        findings.retain(|finding| finding.at.file.as_ref() == Some(&source.file));
    }
    findings
}

/// The tracks with boxes on the game's designs that a template or its compact form prints; `None` if it prints none of
/// them, so that nothing is known.
pub fn tracks_of_sheet(ships: &[Evaluation], file: &str) -> Option<BTreeSet<Arc<str>>> {
    let prints = |sheet: &SheetDef| {
        let compact = compact_form(&sheet.template);
        std::iter::once(&*sheet.template).chain(compact.as_deref()).any(|name| Path::new(file).ends_with(name))
    };
    let mut tracks: Option<BTreeSet<Arc<str>>> = None;
    for ship in ships {
        if ship.sheet().is_some_and(prints) {
            let own = ship.tracks.iter().filter(|track| track.boxes() > 0).map(|track| Arc::clone(&track.track));
            tracks.get_or_insert_default().extend(own);
        }
    }
    tracks
}

/// Notes the texts of a ship on a sheet and, if it needs one, its continuation, by the names of their templates.
fn check_pages(
    ruleset: &Arc<Ruleset>,
    templates: &TemplateCache<'_>,
    ship: &Evaluation,
    (name, more): (&Arc<str>, Option<&Arc<str>>),
    cuts: &mut CutTexts,
) {
    let Some(prepared) = templates.prepared_template(ruleset, name) else { return };
    let SlotMeasures { slots: texts, needs_continuation, cut_costs_page } = measure_slots(&prepared, ship, templates);
    let is_continued = needs_continuation || cut_costs_page && texts.iter().any(|text| text.is_cut);
    for text in texts {
        let cut = cuts.entry((Arc::clone(name), text.slot_index)).or_default();
        cut.add(&ship.name, text.is_cut, text.is_cut && cut_costs_page, (text.natural_width, text.width));
    }
    let Some(name) = more.filter(|_| is_continued) else { return };
    let Some(prepared) = templates.prepared_template(ruleset, name) else { return };
    for text in measure_slots(&prepared, ship, templates).slots {
        let cut = cuts.entry((Arc::clone(name), text.slot_index)).or_default();
        cut.add(&ship.name, text.is_cut, false, (text.natural_width, text.width));
    }
}

/// By template and index of the text.
type CutTexts = BTreeMap<(Arc<str>, usize), CutText>;

/// A text that was cut.
#[derive(Default)]
struct CutText {
    /// The number of designs on which it was cut.
    times: usize,
    shown: usize,
    /// The number of designs on which the full text is on a continuation page.
    pages: usize,
    /// The design with the widest text: its name, the width needed and the width available, in mm.
    worst: Option<(String, f32, f32)>,
}

impl CutText {
    fn add(&mut self, name: &str, is_cut: bool, costs_a_page: bool, (needs, width): (f32, f32)) {
        self.shown += 1;
        if !is_cut {
            return;
        }
        self.times += 1;
        self.pages += usize::from(costs_a_page);
        if self.worst.as_ref().is_none_or(|worst| needs / width > worst.1 / worst.2) {
            self.worst = Some((name.to_owned(), needs, width));
        }
    }
}

/// Rounded as it is printed, without a minus before 0.
fn to_tenths(mm: f32) -> f32 {
    (mm * 10.0).round() / 10.0 + 0.0
}

fn cut_text_finding(
    templates: &TemplateCache<'_>,
    ruleset: &Ruleset,
    name: &str,
    place: usize,
    cut: &CutText,
) -> Option<Finding> {
    let (worst, needs, width) = cut.worst.as_ref()?;
    let template = templates.template(ruleset, name)?;
    let slot = template.slots.get(place)?;
    let designs = if cut.shown == 1 { "design" } else { "designs" };
    let mut message = format!(
        "{} at {:.1}, {:.1} is cut on {} of {} {designs}: on {worst} it needs {needs:.1} mm at its smallest size, but has {width:.1} mm",
        slot.name(),
        to_tenths(slot.x),
        to_tenths(slot.y),
        cut.times,
        cut.shown
    );
    match cut.pages {
        0 => {}
        1 => message.push_str("; the full text costs 1 of them an extra page"),
        pages => message.push_str(&format!("; the full text costs {pages} of them an extra page")),
    }
    let help = "make it wider (`width` in its description, or its position), allow more `lines`, or use fewer words";
    Some(Finding::warning("text-cut", message).help(help).at(template.source.place_with_snippet(slot.span)))
}
