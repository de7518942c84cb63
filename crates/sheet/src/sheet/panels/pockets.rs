//! `panel: pockets NAME`: places at true size for what lies on a sheet in play, such as the chits of missiles.

use std::sync::Arc;

use super::kind::PanelKind;
use super::panel::{Panel, PanelShows};
use super::panel_args::PanelArgs;
use super::panel_options::{Maybe, TemplateText, panel_options};
use crate::sheet::assembly::ship_view::ShipView;
use crate::sheet::assembly::shown_parts::ShownParts;
use crate::sheet::layout::flowable::{Flowable, SizeHint};
use crate::sheet::layout::minimum_sizes::{QUIET_INK, RULE_INK, THIN_LINE};
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::TextStyles;
use moldloft_drawing::art::Anchor;
use moldloft_drawing::scene::{PaintStyle, Rect, Stroke};
use moldloft_rules::evaluate::SlotScope;
use moldloft_rules::formula::TextTemplate;
use moldloft_rules::ruleset::SlotContext;

pub static KIND: PanelKind = PanelKind {
    name: "pockets",
    argument: "its name: fields are called `<name>_<number>`",
    about: "squares at true size to lay chits on",
    options: PocketOptions::LIST,
    compile,
};

panel_options! {
    struct PocketOptions {
        count: Option<TextTemplate> = "count", Maybe(TemplateText(SlotContext::Ship)), "how many, with {{ }}, at most 200";
        side: Option<TextTemplate> = "side", Maybe(TemplateText(SlotContext::Ship)), "of each in mm, with {{ }}; default 20";
        text: Option<TextTemplate> = "text", Maybe(TemplateText(SlotContext::Ship)), "above each; may use {{ column }}, its number";
    }
}

struct PocketPanel {
    name: Arc<str>,
    options: PocketOptions,
}

fn compile(args: &mut PanelArgs<'_>) -> Option<Box<dyn Panel>> {
    let name = args.argument.first().cloned().unwrap_or_else(|| "pockets".into());
    Some(Box::new(PocketPanel { name, options: PocketOptions::read(args) }))
}

const DEFAULT_SIDE: f32 = 20.0;
/// Limits of a side, mm, and of the number of pockets.
const SIDES: (f32, f32) = (5.0, 60.0);
const MAX_POCKETS: u32 = 200;
/// Between pockets, mm, and what a chit has more than its size.
const GAP: f32 = 1.6;
const PLAY: f32 = 1.0;
/// Between a pocket and the words above it, mm.
const WORDS_GAP: f32 = 0.6;
/// Inside a pocket's frame, mm.
const FIELD_INSET: f32 = 1.0;

impl Panel for PocketPanel {
    fn shows(&self) -> PanelShows {
        PanelShows::Extras
    }

    fn content(&self, view: &ShipView<'_>, _: &mut ShownParts) -> Option<Box<dyn Flowable>> {
        let number = |text: &Option<TextTemplate>| -> Option<f32> {
            view.evaluation.render_code(text.as_ref()?, &SlotScope::default())?.trim().parse().ok()
        };
        let count = number(&self.options.count)?.clamp(0.0, MAX_POCKETS as f32) as u32;
        let words = |n: u32| -> Arc<str> {
            let scope = SlotScope { cell: Some((1, i64::from(n))), ..SlotScope::default() };
            let text = self.options.text.as_ref().and_then(|text| view.render_text(text, &scope));
            text.unwrap_or_default().into()
        };
        let side = number(&self.options.side).unwrap_or(DEFAULT_SIDE).clamp(SIDES.0, SIDES.1) + PLAY;
        let pockets = Pockets { side, words: (1..=count).map(words).collect(), name: self.name.clone(), drawn: 0 };
        (count > 0).then(|| Box::new(pockets) as Box<dyn Flowable>)
    }
}

/// Squares side by side, each with words above it, on as many lines as they need.
#[derive(Debug)]
struct Pockets {
    /// Of a square, mm on the page.
    side: f32,
    words: Vec<Arc<str>>,
    /// Fields are `<name>_<number>`.
    name: Arc<str>,
    /// How many are drawn already.
    drawn: usize,
}

impl Pockets {
    fn across(&self, width: f32) -> usize {
        (((width + GAP + 0.05) / (self.side + GAP)).floor() as usize).max(1)
    }

    fn row_height(&self, styles: &TextStyles) -> f32 {
        styles.label.line_height() + WORDS_GAP + self.side + GAP
    }
}

impl Flowable for Pockets {
    fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        let row = self.row_height(styles);
        let rows = self.words.len().div_ceil(self.across(width));
        SizeHint { min_start: row, ..SizeHint::fixed(row * rows as f32) }
    }

    fn draw(mut self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        let (styles, across) = (pen.styles, self.across(rect.w));
        let (row, top) = (self.row_height(&styles), styles.label.line_height() + WORDS_GAP);
        let rows = ((rect.h + 0.05) / row).floor().max(0.0) as usize;
        let drawn = (rows * across).min(self.words.len());
        for (n, words) in self.words.drain(..drawn).enumerate() {
            let x = rect.x + (n % across) as f32 * (self.side + GAP);
            let y = rect.y + (n / across) as f32 * row;
            let words = styles.label.truncate(&words, self.side);
            pen.text(&words, styles.label.with_paint(QUIET_INK), x, y + styles.label.size.mm() * 0.95, Anchor::Start);
            let (place, stroke) = (Rect::new(x, y + top, self.side, self.side), Stroke::new(RULE_INK, THIN_LINE));
            pen.rect(place, 0.0, PaintStyle { fill: None, stroke: Some(stroke) }, None);
            pen.field(place.inset(FIELD_INSET), format!("{}_{}", self.name, self.drawn + n + 1), words);
        }
        self.drawn += drawn;
        (!self.words.is_empty()).then_some(self as Box<dyn Flowable>)
    }
}
