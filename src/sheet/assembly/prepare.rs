//! A template made ready: its conditions, slots and panels compiled against a ruleset, once for a whole job. What does not fit together
//! is found here, both ways: words of the template the ruleset does not know, tracks of the ruleset no panel shows.

use std::collections::BTreeSet;
use std::ops::Bound;
use std::sync::Arc;

use super::template_cache::TemplateCache;
use crate::art::{CappedFindings, Template, TextSlot};
use crate::finding::{Cause, Finding, Severity, nearest};
use crate::formula::{Formula, FormulaError, TextTemplate, Type};
use crate::ruleset::{Ruleset, SheetKind, SlotContext};
use crate::scene::Rect;
use crate::sheet::layout::minimum_sizes::MinimumSizes;
use crate::sheet::page_setup::paper::FULL_SHEET_AREA;
use crate::sheet::panels::{self, CompiledPanel, PanelArgs};
use crate::source::Span;
use crate::source::toml::TomlValue;

/// A template ready to be filled.
pub struct PreparedTemplate {
    /// The template.
    pub template: Arc<Template>,
    /// By place in the template's conditions; a broken one never holds.
    pub conditions: Vec<Option<Formula>>,
    /// Its texts.
    pub slots: Vec<PreparedSlot>,
    /// Its panels.
    pub panels: Vec<PreparedPanel>,
}

/// A text of the template, compiled.
pub struct PreparedSlot {
    /// Its place in the template's slots.
    pub place: usize,
    /// The words.
    pub text: TextTemplate,
    /// What is printed when the words are empty or not computable.
    pub or: Option<TextTemplate>,
    /// Read during play: at least 8 pt.
    pub is_play_value: bool,
    /// The width it must keep to, mm.
    pub width: Option<f32>,
    /// Lines it may be broken into.
    pub lines: u32,
    /// The field's name when it is to be written in.
    pub write: Option<Arc<str>>,
    /// Whether a rule is drawn under an empty field.
    pub rule: bool,
}

/// A panel in its rectangle.
pub struct PreparedPanel {
    /// The panel.
    pub panel: CompiledPanel,
    /// Where.
    pub rect: Rect,
    /// Place in the template's conditions.
    pub when: Option<usize>,
    /// The kind's name, for `template check`.
    pub kind: Arc<str>,
    /// Where it stands in the template's file.
    pub span: Span,
}

/// The options a text knows.
pub const SLOT_OPTIONS: [(&str, &str); 6] = [
    ("or", "text with {{ }} to use if the text is empty or cannot be calculated"),
    ("played", "true: a value read during play, at least 8 pt"),
    ("width", "in mm: the text shrinks to fit, down to the smallest size"),
    ("lines", "number of lines to use if it is still too wide; default 1"),
    ("write", "the name of the field to write in if the text cannot be calculated"),
    ("rule", "false: no line under that field"),
];

/// Compiles a template against a ruleset.
pub fn prepare_template(template: &Arc<Template>, ruleset: &Ruleset) -> (PreparedTemplate, Vec<Finding>) {
    prepare_template_within(template, ruleset, &SlotContext::Ship)
}

/// The same for a template whose texts and conditions are about something aboard: a counter's face.
pub fn prepare_template_within(
    template: &Arc<Template>,
    ruleset: &Ruleset,
    within: &SlotContext,
) -> (PreparedTemplate, Vec<Finding>) {
    let mut findings = CappedFindings::default();
    let conditions = template
        .conditions
        .iter()
        .map(|condition| {
            let text = &condition.text;
            let compiled = ruleset.formula(&text.text, whole(&text.text), within, &Type::Flag);
            compiled.map_err(|mistake| findings.add(|| found(mistake, template, text, "a `when:` group"))).ok()
        })
        .collect();
    let slots = (0..template.slots.len())
        .filter_map(|place| prepare_slot(template, place, ruleset, within, &mut findings))
        .collect();
    let panels = template
        .panels
        .iter()
        .filter_map(|panel| {
            let options = panels::options(&panel.options, template, &panel.label, &mut findings);
            let setup = PanelArgs {
                ruleset,
                template,
                label: Arc::clone(&panel.label),
                argument: panel.argument.text.split_whitespace().map(Arc::from).collect(),
                argument_span: if panel.argument.is_empty() { panel.span } else { panel.argument.span() },
                options: &options,
                mapped: &panel.options,
                findings: &mut findings,
            };
            let compiled = panels::compile_panel(&panel.kind, setup)?;
            Some(PreparedPanel {
                panel: compiled,
                rect: panel.rect,
                when: panel.when,
                kind: Arc::clone(&panel.kind),
                span: panel.span,
            })
        })
        .collect();
    (PreparedTemplate { template: Arc::clone(template), conditions, slots, panels }, findings.into_vec())
}

/// The whole of a text as a span of itself.
fn whole(text: &str) -> Span {
    Span { file: 0, start: 0, end: u32::try_from(text.len()).unwrap_or(u32::MAX) }
}

fn found(mistake: FormulaError, template: &Template, mapped: &crate::art::MappedText, name: &str) -> Finding {
    let at = mapped.at(mistake.span.start as usize..mistake.span.end as usize);
    let mut finding =
        Finding::error(mistake.code, format!("{name}: {}", mistake.message)).at(template.source.shown(at));
    finding.help = mistake.help;
    finding
}

fn prepare_slot(
    template: &Template,
    place: usize,
    ruleset: &Ruleset,
    within: &SlotContext,
    findings: &mut CappedFindings,
) -> Option<PreparedSlot> {
    let slot: &TextSlot = &template.slots[place];
    let name = slot.name();
    let options = panels::options(&slot.options, template, &name, findings);
    let mut filled = PreparedSlot {
        place,
        text: match ruleset.text(&slot.text.text, whole(&slot.text.text), within) {
            Ok(text) => text,
            Err(mistake) => {
                findings.add(|| found(mistake, template, &slot.text, &name));
                return None;
            }
        },
        or: None,
        is_play_value: false,
        width: None,
        lines: 1,
        write: None,
        rule: true,
    };
    for entry in &options.entries {
        let known = match (&*entry.key, &entry.node.data) {
            ("played", TomlValue::Flag(flag)) => {
                filled.is_play_value = *flag;
                true
            }
            ("or", TomlValue::Text(words)) => {
                let at = Span { start: entry.node.span.start + 1, end: entry.node.span.end.saturating_sub(1), file: 0 };
                match ruleset.text(words, at, within) {
                    Ok(text) => filled.or = Some(text),
                    Err(mistake) => findings.add(|| found(mistake, template, &slot.options, &name)),
                }
                true
            }
            ("rule", TomlValue::Flag(flag)) => {
                filled.rule = *flag;
                true
            }
            ("width", TomlValue::Int(n)) if (1..=1000).contains(n) => {
                filled.width = Some(*n as f32);
                true
            }
            ("width", TomlValue::Float(n)) => {
                filled.width = n.parse().ok().filter(|n| (1.0..=1000.0).contains(n));
                filled.width.is_some()
            }
            ("lines", TomlValue::Int(n)) if (1..=50).contains(n) => {
                filled.lines = *n as u32;
                true
            }
            ("write", TomlValue::Text(text)) => {
                filled.write = Some(Arc::from(&**text));
                true
            }
            _ => false,
        };
        if !known {
            findings.add(|| {
                let names = SLOT_OPTIONS.map(|(name, _)| name);
                let at = slot.options.at(entry.span.start as usize..entry.span.end as usize);
                let (message, help) = match SLOT_OPTIONS.iter().find(|(name, _)| *name == entry.key) {
                    Some((key, about)) => (format!("{name}: invalid value for `{key}`"), (*about).to_owned()),
                    None => {
                        let near = nearest(&entry.key, names).map(|near| format!("did you mean `{near}`?"));
                        let all = || format!("available options: {}", names.join(", "));
                        (format!("{name}: unknown option `{}`", entry.key), near.unwrap_or_else(all))
                    }
                };
                Finding::error("unknown-slot-option", message).help(help).at(template.source.shown(at))
            });
        }
    }
    Some(filled)
}

/// How many boxes a panel's rectangle holds at the smallest legal size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PanelCapacity {
    /// `panel: track structure`.
    pub label: Arc<str>,
    /// Tick boxes of 3 mm, in fives.
    pub boxes: u32,
}

impl PreparedSlot {
    /// What it says for a ship; `None` when it is to be written in.
    pub fn words(&self, view: &super::ship_view::ShipView<'_>, focus: &crate::evaluate::SlotScope) -> Option<String> {
        let own = view
            .render_text(&self.text, focus)
            .filter(|words| !words.trim().is_empty() || self.or.is_none() && self.write.is_none());
        own.or_else(|| self.or.as_ref().and_then(|or| view.render_text(or, focus)))
    }
}

/// Tracks that a sheet's panels show, by their ids and by `ID_REST` where a panel names one of several.
pub struct ShownTracks(BTreeSet<Arc<str>>);

impl ShownTracks {
    /// Whether a track, or one of those made of it, is shown.
    pub fn has(&self, id: &str) -> bool {
        let of_it = format!("{id}_");
        let mut after = self.0.range::<str, _>((Bound::Included(&*of_it), Bound::Unbounded));
        self.0.contains(id) || after.next().is_some_and(|next| next.starts_with(&of_it))
    }
}

impl PreparedTemplate {
    /// What each panel of boxes could hold.
    pub fn panel_capacities(&self) -> Vec<PanelCapacity> {
        let floor = MinimumSizes::default();
        self.panels
            .iter()
            .filter(|placed| has_boxes(placed))
            .map(|placed| {
                let heading = floor.text * 1.3;
                let rows = [100_000];
                let request = crate::sheet::layout::box_layout::BoxLayoutRequest {
                    rows: &rows,
                    width: placed.rect.w,
                    height: placed.rect.h - heading,
                    least: floor.tick_box,
                    most: floor.tick_box,
                    aspect: 1.0,
                    min_width: 0.0,
                    flow: crate::sheet::layout::box_layout::RowFlow::Start,
                    down: false,
                    gaps: crate::sheet::layout::box_layout::BoxGaps::default(),
                };
                let fitted = crate::sheet::layout::box_layout::fit(&request);
                PanelCapacity { label: Arc::clone(&placed.panel.label), boxes: fitted.places.len() as u32 }
            })
            .collect()
    }

    /// The tracks that its panels show.
    pub fn shown_tracks(&self) -> ShownTracks {
        ShownTracks(self.panels.iter().flat_map(|placed| placed.panel.panel.tracks().to_vec()).collect())
    }

    /// Whether some panel shows a drawing of this name.
    pub fn shows(&self, file: &str) -> bool {
        self.panels.iter().any(|placed| placed.panel.panel.files().iter().any(|name| **name == *file))
    }

    /// Whether some panel takes what did not fit elsewhere.
    pub fn takes_leftovers(&self) -> bool {
        self.panels.iter().any(|placed| placed.panel.panel.takes_leftovers())
    }
}

/// Whether a panel's kind is one of boxes.
fn has_boxes(placed: &PreparedPanel) -> bool {
    matches!(&*placed.kind, "track" | "mount" | "counter" | "stack")
}

/// Checks a design's sheet against the ruleset: required tracks that no panel shows, of those that the ship `has`.
pub fn missing_required_tracks(
    prepared: &PreparedTemplate,
    ruleset: &Ruleset,
    has: impl Fn(&str) -> bool,
) -> Vec<Finding> {
    let shown = prepared.shown_tracks();
    ruleset
        .tracks
        .iter()
        .filter(|track| track.required && has(&track.id) && !shown.has(&track.id))
        .map(|track| {
            let message = format!("no panel of {} shows the track `{}`", prepared.template.source.file, track.id);
            Finding::error("required-track-not-shown", message)
                .help(format!("add a rectangle labelled `panel: track {}`", track.id))
                .at(prepared.template.source.place(Span::default()))
        })
        .collect()
}

/// The icons that a ruleset names and the drawings that its sheets' panels show, each once, as far as they can be read without a ship.
pub fn drawing_files(ruleset: &Arc<Ruleset>, shelf: &TemplateCache<'_>) -> Vec<Arc<str>> {
    let mut names: Vec<Arc<str>> = ruleset.systems.iter().filter_map(|system| system.icon.clone()).collect();
    let signs = ruleset.tracks.iter().flat_map(|track| &track.signs).map(|sign| &sign.icon);
    names.extend(signs.filter(|icon| icon.ends_with(".svg")).cloned());
    let sheets = ruleset.sheets.iter().filter_map(|sheet| shelf.prepared_template(ruleset, &sheet.template));
    for sheet in sheets {
        names.extend(sheet.panels.iter().flat_map(|placed| placed.panel.panel.files().to_vec()));
    }
    names.sort();
    names.dedup();
    names
}

/// Everything `moldloft template check` says of a sheet's template: findings of compiling it, and its rooms. `has` knows whether
/// a file stands in the ruleset's templates folders.
pub fn check(
    template: &Arc<Template>,
    ruleset: &Ruleset,
    kind: SheetKind,
    has: &dyn Fn(&str) -> bool,
) -> (Vec<Finding>, Vec<PanelCapacity>) {
    let (prepared, compiling) = prepare_template(template, ruleset);
    let mut findings = CappedFindings::default();
    let (across, down) = (template.width.min(template.height), template.width.max(template.height));
    if across > FULL_SHEET_AREA.0 + 0.5 || down > FULL_SHEET_AREA.1 + 0.5 {
        let message = format!(
            "the sheet is {:.0} × {:.0} mm; the limit is {:.0} × {:.0} mm",
            template.width, template.height, FULL_SHEET_AREA.0, FULL_SHEET_AREA.1
        );
        let help = "make its page smaller, and move what is beyond it: printers leave a margin blank";
        findings
            .add(|| Finding::warning("sheet-too-large", message).help(help).at(template.source.place(Span::default())));
    }
    for placed in &prepared.panels {
        for file in placed.panel.panel.files().iter().filter(|file| !has(file)) {
            findings.add(|| {
                let message = format!("`{}`: no such template file `{file}`", placed.panel.label);
                let help = format!("add the file to templates/{}/, or fix its name", ruleset.id);
                Finding::caused(Cause::MissingTemplateFile, message).help(help).at(template.source.shown(placed.span))
            });
        }
        if kind != SheetKind::Continuation && placed.panel.panel.takes_leftovers() {
            let message = "`panel: rest` has no effect on the first sheet of a ship";
            let help = "move it to a sheet of kind = \"continuation\"";
            findings.add(|| {
                Finding::warning("rest-without-use", message).help(help).at(template.source.shown(placed.span))
            });
        }
    }
    let rooms = prepared.panel_capacities();
    let boxed = prepared.panels.iter().filter(|placed| has_boxes(placed));
    // A panel that is shown later has no need of its rectangle's room.
    for (room, placed) in rooms.iter().zip(boxed).filter(|(room, placed)| room.boxes == 0 && !placed.panel.deferred) {
        let message = format!("`{}` has no room for a single box", room.label);
        let help = "make the rectangle larger: a box needs 3 × 3 mm, its heading 3 mm more";
        findings.add(|| Finding::warning("panel-too-small", message).help(help).at(template.source.shown(placed.span)));
    }
    if kind == SheetKind::Design {
        let mut missing = missing_required_tracks(&prepared, ruleset, |_| true);
        // Where there are several sheets, one may be for ships that never have the track; printing judges each ship.
        let sheets = ruleset.sheets.iter().filter(|sheet| sheet.kind == SheetKind::Design).count();
        for finding in missing.iter_mut().filter(|_| sheets > 1) {
            finding.severity = Severity::Warning;
        }
        findings.extend(missing);
    }
    let mut all = compiling;
    all.extend(findings.into_vec());
    (all, rooms)
}
