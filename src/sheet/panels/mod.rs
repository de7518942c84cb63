//! The kinds of panel, one file each, listed in one table: takes the words of a labelled rectangle, gives a compiled
//! panel.

mod art;
pub mod content;
mod costs;
mod counter;
mod findings;
pub mod kind;
mod legend;
mod log;
pub mod mount;
mod orders;
pub mod panel;
pub mod panel_args;
mod panel_options;
mod rest;
mod roster;
mod stack;
pub mod table;
mod text;
pub mod track;

use std::sync::Arc;

use self::kind::PanelKind;
use self::panel::CompiledPanel;
use self::panel_args::PanelArgs;
use crate::finding::nearest;
use crate::ruleset::SlotContext;
use crate::source::toml::TomlTable;

/// All kinds, by name.
pub static KINDS: &[&PanelKind] = &[
    &art::KIND,
    &costs::KIND,
    &counter::KIND,
    &findings::KIND,
    &legend::KIND,
    &log::KIND,
    &mount::KIND,
    &orders::KIND,
    &rest::KIND,
    &roster::KIND,
    &stack::KIND,
    &table::KIND,
    &text::KIND,
    &track::KIND,
];

/// The options of every panel.
pub static COMMON_OPTIONS: &[(&str, &str)] = &[
    ("title", "heading above a line; text with {{ }}"),
    ("note", "small text to the right of the heading, or below it if too narrow; text with {{ }}"),
    ("label", "small heading above, centred; text with {{ }}"),
    ("label_at", "`above` or `below`"),
    ("group", "panels of one group share one box size"),
    ("when", "formula: the panel is shown if true"),
    ("whole", "true: starts only where all of it fits, or else on the next page"),
    ("later", "true: printed on the continuation sheet, in order, not in its rectangle"),
    ("blank", "number of boxes, rows or lines on an empty sheet"),
    ("width", "in a stack: part of the width; panels are put side by side"),
    ("show", "in a stack: the panel's kind and argument"),
];

/// Compiles a panel from its kind, argument and options; `None` when it cannot be used at all.
pub fn compile_panel(kind: &str, mut setup: PanelArgs<'_>) -> Option<CompiledPanel> {
    let Some(kind) = KINDS.iter().find(|known| known.name == kind) else {
        let label = Arc::clone(&setup.label);
        setup.report_argument_with("unknown-panel", || {
            let near =
                nearest(kind, KINDS.iter().map(|known| known.name)).map(|near| format!("did you mean `{near}`?"));
            let all =
                || format!("available kinds: {}", KINDS.iter().map(|known| known.name).collect::<Vec<_>>().join(", "));
            (format!("`{label}`: unknown panel kind `{kind}`"), Some(near.unwrap_or_else(all)))
        });
        return None;
    };
    report_unknown_options(kind, &mut setup);
    let within = match kind.name {
        "mount" => SlotContext::Mount,
        _ => SlotContext::Ship,
    };
    let compiled = CompiledPanel {
        label: Arc::clone(&setup.label),
        title: setup.template_text("title", &within),
        note: setup.template_text("note", &within),
        small_heading: setup.template_text("label", &within),
        heading_below: setup.one_of("label_at", &["above", "below"]) == Some("below"),
        group: setup.string("group"),
        when: setup.condition("when", &SlotContext::Ship),
        keep_together: setup.boolean("whole").unwrap_or(false),
        deferred: setup.boolean("later").unwrap_or(false),
        width: setup.number("width").map(|part| if part > 1.0 { part / 100.0 } else { part }),
        panel: (kind.compile)(&mut setup)?,
    };
    Some(compiled)
}

fn report_unknown_options(kind: &PanelKind, setup: &mut PanelArgs<'_>) {
    let known = || kind.options.iter().chain(COMMON_OPTIONS).map(|(name, _)| *name);
    let table: &TomlTable<'_> = setup.options;
    for entry in &table.entries {
        if !known().any(|name| name == entry.key) {
            let label = Arc::clone(&setup.label);
            setup.report_with("unknown-panel-option", entry.span, || {
                let help = match nearest(&entry.key, known()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("available options: {}", known().collect::<Vec<_>>().join(", ")),
                };
                (format!("`{label}`: unknown option `{}`", entry.key), Some(help))
            });
        }
    }
}
