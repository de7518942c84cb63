//! The kinds of panel: one table lists them with their options; one file each. Takes a labelled rectangle's words, gives a compiled
//! panel; takes a ship, gives what the panel shows for it. Never measures or draws: that is the content's own affair.

mod art;
pub mod content;
mod costs;
mod counter;
mod findings;
mod legend;
mod log;
pub mod mount;
mod orders;
mod panel_args;
mod rest;
mod roster;
mod stack;
pub mod table;
mod text;
pub mod track;

use std::sync::Arc;

pub use panel_args::{PanelArgs, options};

use crate::evaluate::SlotScope;
use crate::finding::{Cause, Finding, nearest};
use crate::formula::{Formula, TextTemplate};
use crate::ruleset::SlotContext;
use crate::sheet::assembly::ship_view::{ShipView, mark_house_rule};
use crate::sheet::layout::flowable::{Flowable, HeadedContent, HeadingStyle};
use crate::source::toml::TomlTable;

/// A kind of panel.
pub struct PanelKind {
    /// The first word of the label.
    pub name: &'static str,
    /// What the words after it are.
    pub argument: &'static str,
    /// What it shows.
    pub about: &'static str,
    /// Its own options, beside [`COMMON_OPTIONS`].
    pub options: &'static [(&'static str, &'static str)],
    /// Compiles one.
    pub compile: fn(&mut PanelArgs<'_>) -> Option<Box<dyn Panel>>,
}

/// A compiled panel.
pub trait Panel: Send + Sync {
    /// What it shows for a ship; `None` when the ship has nothing of it.
    fn content(&self, view: &ShipView<'_>) -> Option<Box<dyn Flowable>>;

    /// What heads it when its options do not say.
    fn heading(&self, _view: &ShipView<'_>) -> Option<(String, HeadingStyle)> {
        None
    }

    /// What the ruleset itself has to say beside its heading.
    fn note(&self, _view: &ShipView<'_>) -> Option<String> {
        None
    }

    /// The tracks it shows.
    fn tracks(&self) -> &[Arc<str>] {
        &[]
    }

    /// Files of the templates folder that it draws.
    fn files(&self) -> &[Arc<str>] {
        &[]
    }

    /// The mount it shows: `it` of its heading.
    fn mount(&self) -> Option<&str> {
        None
    }

    /// Whether what it shows rests on a layer of house rules: its heading is marked.
    fn uses_house_rules(&self, _view: &ShipView<'_>) -> bool {
        false
    }

    /// Whether it takes what did not fit elsewhere.
    fn takes_leftovers(&self) -> bool {
        false
    }
}

/// Every kind, by name.
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

/// The options every panel knows.
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

/// A panel with the options all kinds share.
pub struct CompiledPanel {
    /// The kind's own part.
    pub panel: Box<dyn Panel>,
    /// The label, for messages.
    pub label: Arc<str>,
    title: Option<TextTemplate>,
    note: Option<TextTemplate>,
    small_heading: Option<TextTemplate>,
    below: bool,
    /// Panels of one group share one box size.
    pub group: Option<Arc<str>>,
    when: Option<Formula>,
    whole: bool,
    /// On the continuation sheet, whatever room there is.
    pub deferred: bool,
    /// Part of a stack's width.
    pub width: Option<f32>,
}

/// Compiles a panel: its kind, argument and options; `None` when it cannot be used at all.
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
        title: setup.text("title", &within),
        note: setup.text("note", &within),
        small_heading: setup.text("label", &within),
        below: setup.choice("label_at", &["above", "below"]) == Some("below"),
        group: setup.word("group"),
        when: setup.condition("when", &SlotContext::Ship),
        whole: setup.boolean("whole").unwrap_or(false),
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

impl CompiledPanel {
    /// What the panel shows for a ship, under its heading.
    pub fn content(&self, view: &ShipView<'_>) -> Option<Box<dyn Flowable>> {
        if !self.when.as_ref().is_none_or(|when| view.holds(when, &SlotScope::default())) {
            return None;
        }
        let body = self.panel.content(view)?;
        let own = self.panel.heading(view);
        let focus = view.panel_focus(self.panel.as_ref());
        let say = |text: &TextTemplate| view.render_text(text, &focus).unwrap_or_default();
        let (title, style) = match (&self.title, &self.small_heading, own) {
            (Some(title), _, _) => (say(title), HeadingStyle::Ruled),
            (None, Some(label), _) => (say(label), if self.below { HeadingStyle::Below } else { HeadingStyle::Above }),
            (None, None, Some((words, HeadingStyle::Above))) if self.below => (words, HeadingStyle::Below),
            (None, None, Some(own)) => own,
            (None, None, None) => (String::new(), HeadingStyle::Above),
        };
        let title = mark_house_rule(&title, self.panel.uses_house_rules(view));
        let note = self.note.as_ref().map(say).unwrap_or_default();
        let (note, more) = combine_notes(note, self.panel.note(view).unwrap_or_default(), title.is_empty());
        Some(Box::new(HeadedContent {
            title,
            note,
            more,
            style,
            whole: self.whole,
            continued: false,
            named: self.named(view),
            body,
        }))
    }

    /// What a continuation is called when the panel itself has no heading.
    fn named(&self, view: &ShipView<'_>) -> String {
        match self.panel.heading(view) {
            Some((words, _)) => words,
            None => kind_of(&self.label).to_owned(),
        }
    }
}

/// The template's note and the ruleset's, which may say the same: beside the title, and under it.
fn combine_notes(own: String, ruleset: String, untitled: bool) -> (String, String) {
    match (own.is_empty(), ruleset.is_empty()) {
        // A panel without a title gets no rule for a note that its template does not ask for.
        (true, false) if untitled => (String::new(), ruleset),
        (true, _) => (ruleset, String::new()),
        _ if own.contains(&ruleset) => (own, String::new()),
        _ if ruleset.contains(&own) => (ruleset, String::new()),
        _ => (own, ruleset),
    }
}

/// A finding about something missing that a template names.
pub fn missing_file(label: &str, file: &str) -> Finding {
    Finding::caused(Cause::MissingTemplateFile, format!("`{label}`: no such template file `{file}`"))
        .help("add the file to the game's templates folder, or fix its name")
}

/// `legend` of `panel: legend systems` and of `panel: stack right › legend systems`.
fn kind_of(label: &str) -> &str {
    let own = label.rsplit('›').next().unwrap_or(label).trim();
    own.trim_start_matches("panel:").split_whitespace().next().unwrap_or_default()
}
