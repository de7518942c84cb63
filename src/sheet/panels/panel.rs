//! A compiled panel: takes a ship, gives the panel's content for it, under its heading. Never measures or draws: that
//! is the content's task.

use std::sync::Arc;

use super::panel_options::{
    Choice, Condition, Flag, HeadingTemplate, Maybe, Or, PanelOption, Share, Text, panel_options,
};
use crate::evaluate::SlotScope;
use crate::formula::{Formula, TextTemplate};
use crate::ruleset::SlotContext;
use crate::sheet::assembly::ship_view::{ShipView, mark_house_rule};
use crate::sheet::layout::flowable::{Flowable, HeadedContent, HeadingStyle};

/// The part of a compiled panel that depends on its kind.
pub trait Panel: Send + Sync {
    /// `None` when the ship has nothing to show.
    fn content(&self, view: &ShipView<'_>) -> Option<Box<dyn Flowable>>;

    /// Used when the options set no heading.
    fn heading(&self, _view: &ShipView<'_>) -> Option<(String, HeadingStyle)> {
        None
    }

    /// The ruleset's own note beside the heading.
    fn note(&self, _view: &ShipView<'_>) -> Option<String> {
        None
    }

    fn tracks(&self) -> &[Arc<str>] {
        &[]
    }

    /// Files of the templates folder that it draws.
    fn files(&self) -> &[Arc<str>] {
        &[]
    }

    /// The mount it shows: `it` in its heading.
    fn mount(&self) -> Option<&str> {
        None
    }

    /// Whether its content depends on a layer of house rules: its heading is marked.
    fn uses_house_rules(&self, _view: &ShipView<'_>) -> bool {
        false
    }

    /// Whether it takes what did not fit elsewhere.
    fn takes_leftovers(&self) -> bool {
        false
    }
}

panel_options! {
    pub struct CommonOptions {
        title: Option<TextTemplate> = "title", Maybe(HeadingTemplate),
            "heading above a line; text with {{ }}";
        note: Option<TextTemplate> = "note", Maybe(HeadingTemplate),
            "small text to the right of the heading, or below it if too narrow; text with {{ }}";
        small_heading: Option<TextTemplate> = "label", Maybe(HeadingTemplate),
            "small heading above, centred; text with {{ }}";
        heading_below: bool = "label_at", Or(Choice(&[("above", false), ("below", true)]), false),
            "`above` or `below`";
        pub group: Option<Arc<str>> = "group", Maybe(Text), "panels of one group share one box size";
        when: Option<Formula> = "when", Maybe(Condition(SlotContext::Ship)), "formula: the panel is shown if true";
        keep_together: bool = "whole", Or(Flag, false),
            "true: starts only where all of it fits, or else on the next page";
        pub deferred: bool = "later", Or(Flag, false),
            "true: printed on the continuation sheet, in order, not in its rectangle";
        pub width: Option<f32> = "width", Maybe(Share),
            "in a stack: part of the width; panels are put side by side";
    }
}

/// Allowed on every panel, read by some kinds only.
pub static BLANK: PanelOption = PanelOption::new("blank", "number of boxes, rows or lines on an empty sheet", || None);
pub static SHOW: PanelOption = PanelOption::new("show", "in a stack: the panel's kind and argument", || None);

/// The options of every panel.
pub fn common_options() -> impl Iterator<Item = &'static PanelOption> {
    CommonOptions::LIST.iter().chain([&BLANK, &SHOW])
}

/// A panel with the options common to all kinds.
pub struct CompiledPanel {
    pub panel: Box<dyn Panel>,
    /// For messages.
    pub label: Arc<str>,
    pub options: CommonOptions,
}

impl CompiledPanel {
    /// The panel's content for a ship, under its heading.
    pub fn content(&self, view: &ShipView<'_>) -> Option<Box<dyn Flowable>> {
        if !self.options.when.as_ref().is_none_or(|when| view.condition_holds(when, &SlotScope::default())) {
            return None;
        }
        let body = self.panel.content(view)?;
        let own = self.panel.heading(view);
        let focus = view.mount_focus(self.panel.mount());
        let say = |text: &TextTemplate| view.render_text(text, &focus).unwrap_or_default();
        let (title, style) = match (&self.options.title, &self.options.small_heading, own) {
            (Some(title), _, _) => (say(title), HeadingStyle::Ruled),
            (None, Some(label), _) => {
                (say(label), if self.options.heading_below { HeadingStyle::Below } else { HeadingStyle::Above })
            }
            (None, None, Some((words, HeadingStyle::Above))) if self.options.heading_below => {
                (words, HeadingStyle::Below)
            }
            (None, None, Some(own)) => own,
            (None, None, None) => (String::new(), HeadingStyle::Above),
        };
        let title = mark_house_rule(&title, self.panel.uses_house_rules(view));
        let note = self.options.note.as_ref().map(say).unwrap_or_default();
        let (note, more) = combine_notes(note, self.panel.note(view).unwrap_or_default(), title.is_empty());
        Some(Box::new(HeadedContent {
            title,
            note,
            extra_note: more,
            style,
            keep_together: self.options.keep_together,
            continued: false,
            continuation_title: self.continuation_title(view),
            body,
        }))
    }

    /// The heading of a continuation when the panel itself has none.
    fn continuation_title(&self, view: &ShipView<'_>) -> String {
        match self.panel.heading(view) {
            Some((words, _)) => words,
            None => kind_of(&self.label).to_owned(),
        }
    }
}

/// Combines the template's note and the ruleset's, which may be the same: one beside the title, one under it.
fn combine_notes(own: String, ruleset: String, untitled: bool) -> (String, String) {
    match (own.is_empty(), ruleset.is_empty()) {
        // A panel without a title gets no rule for a note that its template does not request.
        (true, false) if untitled => (String::new(), ruleset),
        (true, _) => (ruleset, String::new()),
        _ if own.contains(&ruleset) => (own, String::new()),
        _ if ruleset.contains(&own) => (ruleset, String::new()),
        _ => (own, ruleset),
    }
}

/// `legend` of `panel: legend systems` and of `panel: stack right › legend systems`.
fn kind_of(label: &str) -> &str {
    let own = label.rsplit('›').next().unwrap_or(label).trim();
    own.trim_start_matches("panel:").split_whitespace().next().unwrap_or_default()
}
