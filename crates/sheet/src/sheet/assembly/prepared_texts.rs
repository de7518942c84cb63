//! The texts and conditions of a template, compiled against a ruleset: takes a template, gives them with findings for
//! what does not fit the ruleset.

use std::sync::Arc;

use moldloft_base::finding::{Finding, nearest};
use moldloft_base::source::Span;
use moldloft_base::source::toml::{TomlTable, TomlValue, parse};
use moldloft_drawing::art::{CappedFindings, GroupKind, MappedText, Template, TextSlot};
use moldloft_rules::formula::{Formula, FormulaError, TextTemplate, Type};
use moldloft_rules::ruleset::{Ruleset, SlotContext};

/// A template's texts and conditions, ready to be filled.
pub struct PreparedTexts {
    pub template: Arc<Template>,
    /// By index in the template's conditions; a broken one is never true.
    pub conditions: Vec<Option<Formula>>,
    pub slots: Vec<PreparedSlot>,
}

pub struct PreparedSlot {
    /// Index in the template's slots.
    pub slot_index: usize,
    pub text: TextTemplate,
    /// Printed when the text is empty or not computable.
    pub fallback: Option<TextTemplate>,
    /// Read during play: at least 8 pt.
    pub is_play_value: bool,
    /// Maximum width, mm.
    pub width: Option<f32>,
    /// Maximum number of lines.
    pub max_lines: u32,
    /// The field's name for a text to be written in.
    pub field_name: Option<Arc<str>>,
    /// Whether a rule is drawn under an empty field.
    pub has_rule: bool,
    /// The first value that the text reads, else the first field.
    pub shown_value: Option<Arc<str>>,
}

pub const SLOT_OPTIONS: [(&str, &str); 6] = [
    ("or", "text with {{ }} to use if the text is empty or cannot be calculated"),
    ("played", "true: a value read during play, at least 8 pt"),
    ("width", "in mm: the text shrinks to fit, down to the smallest size"),
    ("lines", "number of lines to use if it is still too wide; default 1"),
    ("write", "the name of the field to write in if the text cannot be calculated"),
    ("rule", "false: no line under that field"),
];

/// Compiles a template's texts and conditions against a ruleset.
pub fn prepare_texts(
    template: &Arc<Template>,
    ruleset: &Ruleset,
    within: &SlotContext,
    findings: &mut CappedFindings,
) -> PreparedTexts {
    let conditions = template
        .conditions
        .iter()
        .map(|condition| {
            let text = &condition.text;
            let (what, wanted) = match condition.kind {
                GroupKind::When | GroupKind::Ruler => ("a `when:` group", Type::Flag),
                GroupKind::Repeat { .. } => ("a `repeat:` group", Type::Int),
                GroupKind::Scale => ("a `scale:` group", Type::list_of(Type::Int)),
            };
            let compiled = ruleset.formula(&text.text, whole_span(&text.text), within, &wanted);
            compiled.map_err(|mistake| findings.add(|| mistake_finding(mistake, template, text, what))).ok()
        })
        .collect();
    let slots = (0..template.slots.len())
        .filter_map(|slot_index| prepare_slot(template, slot_index, ruleset, within, findings))
        .collect();
    PreparedTexts { template: Arc::clone(template), conditions, slots }
}

/// Parses the TOML of options; faults become findings.
pub fn parse_options<'a>(
    mapped: &'a MappedText,
    template: &Template,
    name: &str,
    findings: &mut CappedFindings,
) -> TomlTable<'a> {
    let (table, faults) = parse(&mapped.text, 0);
    for fault in faults {
        findings.add(|| {
            let at = mapped.span_of(fault.span.start as usize..fault.span.end as usize);
            let message = format!("invalid TOML in the description of `{name}`: {}", fault.message);
            Finding::error("panel-options-not-toml", message).at(template.source.place_with_snippet(at))
        });
    }
    table
}

/// The span of the whole text.
fn whole_span(text: &str) -> Span {
    Span { file: 0, start: 0, end: u32::try_from(text.len()).unwrap_or(u32::MAX) }
}

fn mistake_finding(mistake: FormulaError, template: &Template, mapped: &MappedText, name: &str) -> Finding {
    let at = mapped.span_of(mistake.span.start as usize..mistake.span.end as usize);
    let mut finding =
        Finding::error(mistake.code, format!("{name}: {}", mistake.message)).at(template.source.place_with_snippet(at));
    finding.help = mistake.help;
    finding
}

fn prepare_slot(
    template: &Template,
    slot_index: usize,
    ruleset: &Ruleset,
    within: &SlotContext,
    findings: &mut CappedFindings,
) -> Option<PreparedSlot> {
    let slot: &TextSlot = &template.slots[slot_index];
    let name = slot.name();
    let options = parse_options(&slot.options, template, &name, findings);
    let mut filled = PreparedSlot {
        slot_index,
        text: match ruleset.text(&slot.text.text, whole_span(&slot.text.text), within) {
            Ok(text) => text,
            Err(mistake) => {
                findings.add(|| mistake_finding(mistake, template, &slot.text, &name));
                return None;
            }
        },
        fallback: None,
        is_play_value: false,
        width: None,
        max_lines: 1,
        field_name: None,
        has_rule: true,
        shown_value: None,
    };
    filled.shown_value = ruleset.first_value_read(&filled.text);
    for entry in &options.entries {
        let known = match (&*entry.key, &entry.node.data) {
            ("played", TomlValue::Flag(flag)) => {
                filled.is_play_value = *flag;
                true
            }
            ("or", TomlValue::Text(words)) => {
                let at = Span { start: entry.node.span.start + 1, end: entry.node.span.end.saturating_sub(1), file: 0 };
                match ruleset.text(words, at, within) {
                    Ok(text) => filled.fallback = Some(text),
                    Err(mistake) => findings.add(|| mistake_finding(mistake, template, &slot.options, &name)),
                }
                true
            }
            ("rule", TomlValue::Flag(flag)) => {
                filled.has_rule = *flag;
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
                filled.max_lines = *n as u32;
                true
            }
            ("write", TomlValue::Text(text)) => {
                filled.field_name = Some(Arc::from(&**text));
                true
            }
            _ => false,
        };
        if !known {
            findings.add(|| {
                let names = SLOT_OPTIONS.map(|(name, _)| name);
                let at = slot.options.span_of(entry.span.start as usize..entry.span.end as usize);
                let (message, help) = match SLOT_OPTIONS.iter().find(|(name, _)| *name == entry.key) {
                    Some((key, about)) => (format!("{name}: invalid value for `{key}`"), (*about).to_owned()),
                    None => {
                        let near = nearest(&entry.key, names).map(|near| format!("did you mean `{near}`?"));
                        let all = || format!("available options: {}", names.join(", "));
                        (format!("{name}: unknown option `{}`", entry.key), near.unwrap_or_else(all))
                    }
                };
                Finding::error("unknown-slot-option", message).help(help).at(template.source.place_with_snippet(at))
            });
        }
    }
    Some(filled)
}
