//! A compiled panel: takes a ship, gives the panel's content for it, under its heading. Never measures or draws: that
//! is the content's task.

use std::sync::Arc;

use crate::sheet::assembly::ship_view::{ShipView, mark_house_rule};
use crate::sheet::assembly::shown_parts::ShownParts;
use crate::sheet::layout::flow_layout::FlowOptions;
use crate::sheet::layout::flowable::{Flowable, HeadedContent, HeadingStyle, MAX_KEPT_TOGETHER};
use crate::sheet::layout::outline::Outline;
use moldloft_rules::evaluate::SlotScope;
use moldloft_rules::formula::{Formula, TextTemplate};

/// Between contents on a continuation page, mm, where its template does not say.
pub const REST_GAP: f32 = 5.0;

/// What a panel shows: what players would lack without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PanelShows {
    /// Lines to write on, or decoration: a page is complete without it.
    Extras,
    /// Numbers and rules: printed at least once.
    Information,
    /// Boxes: printed exactly once.
    Boxes,
}

/// The part of a compiled panel that depends on its kind.
pub trait Panel: Send + Sync {
    /// `None` when the ship has nothing to show.
    fn content(&self, view: &ShipView<'_>, shown: &mut ShownParts) -> Option<Box<dyn Flowable>>;

    fn shows(&self) -> PanelShows {
        PanelShows::Information
    }

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

    /// Whether it shows what the ship does to its enemies.
    fn shows_odds(&self) -> bool {
        false
    }

    /// Whether a player writes a log of the turns in it.
    fn is_log(&self) -> bool {
        false
    }

    /// Its name and those of the logs whose rows it continues, if it is a log.
    fn log(&self) -> Option<(&Arc<str>, &[Arc<str>])> {
        None
    }

    /// Whether it is drawn under the other panels of its block or page.
    fn is_underlay(&self) -> bool {
        false
    }

    /// Whether it may be drawn on a counter's face: art without boxes or texts.
    fn suits_faces(&self) -> bool {
        false
    }

    /// The greatest height, mm at normal size, at which it is not split even where its template does not ask for that.
    fn kept_together(&self) -> f32 {
        0.0
    }

    /// The distance between its contents, mm, if it takes what did not fit elsewhere.
    fn leftovers_gap(&self) -> Option<f32> {
        None
    }

    /// Whether it takes what did not fit elsewhere.
    fn takes_leftovers(&self) -> bool {
        self.leftovers_gap().is_some()
    }
}

/// A panel with the options common to all kinds.
pub struct CompiledPanel {
    pub panel: Box<dyn Panel>,
    /// For messages.
    pub label: Arc<str>,
    pub title: Option<TextTemplate>,
    /// A layer named what it shows: its own heading takes the place of the template's words.
    pub is_relabelled: bool,
    pub note: Option<TextTemplate>,
    pub small_heading: Option<TextTemplate>,
    pub heading_below: bool,
    pub group: Option<Arc<str>>,
    pub when: Option<Formula>,
    pub keep_together: bool,
    /// On the continuation sheet, whatever room there is.
    pub deferred: bool,
    /// Logs: where one of them is on the pages before, the panel is left out.
    pub not_after: Vec<Arc<str>>,
    /// How it behaves in a page's flow.
    pub flow: FlowOptions,
    /// Share of a stack's width.
    pub width: Option<f32>,
    /// The outline of a slot that is no rectangle.
    pub outline: Option<Outline>,
}

impl CompiledPanel {
    /// Whether its own condition is true.
    pub fn holds(&self, view: &ShipView<'_>) -> bool {
        self.when.as_ref().is_none_or(|when| view.condition_holds(when, &SlotScope::default()))
    }

    /// The panel's content for a ship, under its heading.
    pub fn content(&self, view: &ShipView<'_>, shown: &mut ShownParts) -> Option<Box<dyn Flowable>> {
        if !self.holds(view) || shown.last_log_row(&self.not_after) > 0 {
            return None;
        }
        let mut body = self.panel.content(view, shown)?;
        if let Some(outline) = &self.outline {
            body.set_outline(outline);
        }
        let own = self.panel.heading(view);
        let focus = view.mount_focus(self.panel.mount());
        let relabelled = own.as_ref().map(|(words, _)| words.clone()).filter(|_| self.is_relabelled);
        let say = |text: &TextTemplate| view.render_text(text, &focus).unwrap_or_default();
        let heading = |text: &TextTemplate| match &relabelled {
            Some(words) if !text.source.is_empty() => words.clone(),
            _ => say(text),
        };
        let (title, style) = match (&self.title, &self.small_heading, own) {
            (Some(title), _, _) => (heading(title), HeadingStyle::Ruled),
            (None, Some(label), _) => {
                (heading(label), if self.heading_below { HeadingStyle::Below } else { HeadingStyle::Above })
            }
            (None, None, Some((words, HeadingStyle::Above))) if self.heading_below => (words, HeadingStyle::Below),
            (None, None, Some(own)) => own,
            (None, None, None) => (String::new(), HeadingStyle::Above),
        };
        let continuation_title = match &self.small_heading {
            Some(label) if self.panel.heading(view).is_none() => say(label),
            _ => self.continuation_title(view),
        };
        let title = mark_house_rule(&title, self.panel.uses_house_rules(view));
        let note = self.note.as_ref().map(say).unwrap_or_default();
        let (note, more) = combine_notes(note, self.panel.note(view).unwrap_or_default(), title.is_empty());
        Some(Box::new(HeadedContent {
            title,
            note,
            extra_note: more,
            style,
            kept_together: if self.keep_together { MAX_KEPT_TOGETHER } else { self.panel.kept_together() },
            continued: false,
            continued_word: view.say("continued").into(),
            continuation_title,
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
