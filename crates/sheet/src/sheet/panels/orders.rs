//! `panel: orders NAME`: lines for a fleet's orders, turn by turn: a line per ship in a block per turn, or a line per
//! ship with columns for the turns. Shows nothing on a ship's own sheet.

use std::sync::Arc;

use super::content::order_grid::{OrderForm, OrderGrid, OrderShip};
use super::kind::PanelKind;
use super::panel::{Panel, PanelShows};
use super::panel_args::PanelArgs;
use super::panel_options::{
    Choice, ConditionOption, Integer, Maybe, Number, NumberList, Or, TemplateText, Text, Texts, panel_options,
};
use crate::sheet::assembly::ship_view::{ShipView, with_minus_signs};
use crate::sheet::assembly::shown_parts::ShownParts;
use crate::sheet::layout::flowable::Flowable;
use moldloft_rules::evaluate::SlotScope;
use moldloft_rules::formula::{Formula, TextTemplate, Value};
use moldloft_rules::ruleset::SlotContext;

pub static KIND: PanelKind = PanelKind {
    name: "orders",
    argument: "its name: fields are called `<name>_<turn>_<line>_<column>`",
    about: "on a fleet's order log: a line to write in for each ship and turn",
    options: OrdersOptions::LIST,
    compile,
};

panel_options! {
    struct OrdersOptions {
        columns: Vec<Arc<str>> = "columns", Or(Texts, vec!["orders".into()]), "the columns, from left to right";
        widths: Vec<f32> = "widths", Or(NumberList, Vec::new()), "the columns' parts of the width";
        side_by_side: bool = "by", Or(Choice(&[("turn", false), ("ship", true)]), false),
            "`turn`: a block per turn with a line per ship; `ship`: a line per ship with the turns side by side";
        turns_across: Option<u32> = "abreast", Maybe(Integer(0, 12)),
            "with `by = \"ship\"`: number of turns side by side; default: as many as fit";
        after_heading: Option<Arc<str>> = "after", Maybe(Text),
            "with `by = \"ship\"`: what is written after the last turn";
        turn: Arc<str> = "turn", Or(Text, "turn".into()), "the word for a turn";
        turns: u32 = "turns", Or(Integer(1, 100), 6), "minimum number of turns, if they fit `pages`; more where there is room, and on the back of a leaf printed on both sides";
        cycle: Option<u32> = "cycle", Maybe(Integer(0, u32::MAX)),
            "number of turns after which counting starts from 1 again; default: the ruleset's `cycle`";
        pages: u32 = "pages", Or(Integer(1, 50), 4), "maximum number of pages for the turns after the first";
        block_fields: Vec<Arc<str>> = "head", Or(Texts, Vec::new()),
            "with `by = \"turn\"`: what is written next to the turn's name, such as the initiative";
        row_height: f32 = "row", Or(Number(4.5, 30.0), 7.0), "height of a line in mm";
        ship_width: f32 = "ship", Or(Number(15.0, 90.0), 40.0), "width of the ship column in mm";
        show: Option<TextTemplate> = "show", Maybe(TemplateText(SlotContext::Ship)),
            "text under the ship's name; text about that ship";
        condition: Option<Formula> = "where", Maybe(ConditionOption(SlotContext::Ship)),
            "formula about a ship: whether it has a line; towed units never have one";
        relation: Option<Arc<str>> = "of", Maybe(Text), "with `follow`: only in groups of this relation";
        follow: Option<Arc<str>> = "follow", Maybe(Text),
            "text before the leader's number, printed small if a ship gets its orders from its group's leader";
    }
}

struct OrdersPanel {
    options: OrdersOptions,
    name: Arc<str>,
    columns: Vec<(Arc<str>, f32)>,
}

fn compile(args: &mut PanelArgs<'_>) -> Option<Box<dyn Panel>> {
    let options = OrdersOptions::read(args);
    let mut widths = options.widths.clone();
    widths.resize(options.columns.len(), widths.last().copied().unwrap_or(1.0));
    Some(Box::new(OrdersPanel {
        name: args.argument.first().cloned().unwrap_or_else(|| "orders".into()),
        columns: options.columns.iter().cloned().zip(widths.into_iter().map(|width| width.max(0.05))).collect(),
        options,
    }))
}

impl Panel for OrdersPanel {
    fn shows(&self) -> PanelShows {
        PanelShows::Extras
    }

    fn content(&self, view: &ShipView<'_>, _: &mut ShownParts) -> Option<Box<dyn Flowable>> {
        let roster = view.roster?;
        let mut who = Vec::new();
        for ship in roster.by_group().into_iter().flat_map(|(_, ships)| ships) {
            let evaluation = &roster.ships[ship];
            let holds = |formula: &Formula| match evaluation.eval(formula, &SlotScope::default()) {
                Value::Flag(flag) => flag,
                Value::Int(n) => n != 0,
                Value::Text(text) => !text.is_empty(),
                Value::List(list) => !list.is_empty(),
                Value::Null => false,
                Value::Record(_) => true,
            };
            if roster.places[ship].towed_by.is_some() || !self.options.condition.as_ref().is_none_or(holds) {
                continue;
            }
            let name = evaluation.ship.name.as_deref().unwrap_or(&evaluation.name);
            let remark = self.options.show.as_ref().and_then(|text| evaluation.render(text, &SlotScope::default()));
            let follow = self.options.follow.as_ref().zip(roster.leader(ship, self.options.relation.as_deref()));
            who.push(OrderShip {
                number: evaluation.ship.hull_number.as_deref().unwrap_or_default().to_owned(),
                name: name.to_owned(),
                remark: remark.map(|remark| with_minus_signs(&remark)).unwrap_or_default(),
                hint: follow
                    .map(|(words, leader)| format!("{} {}", view.say(words), roster.short_name(leader)))
                    .unwrap_or_default(),
            });
        }
        if who.is_empty() {
            return None;
        }
        Some(Box::new(OrderGrid {
            form: Arc::new(OrderForm {
                stem: self.name.clone(),
                columns: self.columns.clone(),
                headings: self.columns.iter().map(|(name, _)| view.say_shared(name)).collect(),
                ship: view.say("Ship").into(),
                cycle_word: view.say("Cycle").into(),
                side_by_side: self.options.side_by_side,
                turns_across: self.options.turns_across.unwrap_or(0),
                after_heading: self.options.after_heading.as_ref().map(|after| view.say_shared(after)),
                turn: view.say_shared(&self.options.turn),
                cycle: self.options.cycle.unwrap_or(u32::from(roster.ruleset.turns_in_cycle)),
                block_fields: self.options.block_fields.iter().map(|words| view.say_shared(words)).collect(),
                row_height: self.options.row_height,
                ship_width: self.options.ship_width,
                ships: who,
            }),
            first_turn: 1,
            first_ship: 0,
            last_turn: self.options.turns,
            pages_left: self.options.pages,
            pages_wanted: view.options.log_pages,
        }))
    }
}
