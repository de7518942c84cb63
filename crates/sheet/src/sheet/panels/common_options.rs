//! The options common to all kinds of panel: declares them, gives their values.

use std::sync::Arc;

use super::panel_args::PanelArgs;
use super::panel_options::{
    Choice, ConditionOption, Flag, HeadingTemplate, Integer, Maybe, Number, Or, PanelOption, Share, Text, Texts,
    panel_options,
};
use crate::sheet::layout::flow_layout::FlowOptions;
use moldloft_base::source::toml::TomlValue;
use moldloft_drawing::art::SHARED_FROM;
use moldloft_rules::formula::{Formula, TextTemplate};
use moldloft_rules::ruleset::SlotContext;

panel_options! {
    pub struct CommonOptions {
        pub title: Option<TextTemplate> = "title", Maybe(HeadingTemplate),
            "heading above a line; text with {{ }}";
        pub note: Option<TextTemplate> = "note", Maybe(HeadingTemplate),
            "small text to the right of the heading, or below it if too narrow; text with {{ }}";
        pub small_heading: Option<TextTemplate> = "label", Maybe(HeadingTemplate),
            "small heading above, centred; text with {{ }}";
        pub heading_below: bool = "label_at", Or(Choice(&[("above", false), ("below", true)]), false),
            "`above` or `below`";
        pub group: Option<Arc<str>> = "group", Maybe(Text), "panels of one group share one box size";
        pub when: Option<Formula> = "when", Maybe(ConditionOption(SlotContext::Ship)), "formula: the panel is shown if true";
        pub keep_together: bool = "whole", Or(Flag, false),
            "true: starts only where all of it fits, or else on the next page";
        pub deferred: bool = "later", Or(Flag, false),
            "true: printed on the continuation sheet, in order, not in its rectangle";
        pub not_after: Vec<Arc<str>> = "not_after", Or(Texts, Vec::new()),
            "names of logs: left out where one of them is on the ship's pages before it";
        pub width: Option<f32> = "width", Maybe(Share),
            "in a stack: part of the width; panels are put side by side";
    }
}

panel_options! {
    /// How a panel or block behaves in a page's flow.
    pub struct FlowPartOptions {
        pub least: Option<f32> = "least", Maybe(Number(0.0, 1000.0)), "in a flow: least height in mm";
        pub most: Option<f32> = "most", Maybe(Number(0.0, 1000.0)), "in a flow: greatest height in mm";
        pub move_order: Option<u32> = "move", Maybe(Integer(0, 100)),
            "in a flow, a number: moves whole to the next page where there is no room, the lowest number first";
    }
}

impl From<FlowPartOptions> for FlowOptions {
    fn from(options: FlowPartOptions) -> Self {
        let FlowPartOptions { least, most, move_order } = options;
        Self { least, most, move_order, ..Self::default() }
    }
}

panel_options! {
    /// Of panels in a flow, not of blocks.
    pub struct FlowPanelOptions {
        pub is_optional: bool = "optional", Or(Flag, false),
            "in a flow, true: left out where there is no room, of several the last one first; only for a log, orders or art";
    }
}

panel_options! {
    /// The options of rectangles labelled `flow:`.
    pub struct FlowRectOptions {
        pub gap: f32 = "gap", Or(Number(0.0, 100.0), 3.0), "between its parts, mm";
        pub stack_below: f32 = "stack_below", Or(Number(0.0, 1000.0), 0.0),
            "of columns: the width in mm, at normal size, below which they are put one under another";
        pub move_order: Option<u32> = "move", Maybe(Integer(0, 100)),
            "in another flow, a number, as of panels: it moves whole to the next page, in its form, with all that is in it";
    }
}

/// Allowed on every panel, read by some kinds only.
pub static BLANK: PanelOption = PanelOption::new("blank", "number of boxes, rows or lines on an empty sheet", || None);
pub static AS: PanelOption = PanelOption::new(
    SHARED_FROM,
    "the argument of an earlier panel of this kind: its options are this panel's too, but for those given here and lists of tables such as `[[panel]]`; of several, the nearest above",
    || None,
);
pub static SHOW: PanelOption = PanelOption::new("show", "in a stack: the panel's kind and argument", || None);

/// The options of every panel.
pub fn common_options() -> impl Iterator<Item = &'static PanelOption> {
    CommonOptions::LIST.iter().chain(FlowPartOptions::LIST).chain(FlowPanelOptions::LIST).chain([&BLANK, &AS, &SHOW])
}

/// The option `blank`: a number, or a list of numbers, each at most `max`.
pub fn blank_counts(args: &mut PanelArgs<'_>, max: u32) -> Vec<u32> {
    if matches!(args.options.get(BLANK.key).map(|node| &node.data), Some(TomlValue::List(_))) {
        let counts = args.numbers(BLANK.key).unwrap_or_default();
        return counts.into_iter().map(|n| (n as u32).min(max)).collect();
    }
    args.integer(BLANK.key).into_iter().collect()
}
