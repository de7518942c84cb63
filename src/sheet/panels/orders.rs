//! `panel: orders NAME`: lines for a fleet's orders, turn by turn: a line per ship in a block per turn, or a line per
//! ship with columns for the turns. Shows nothing on a ship's own sheet.

use std::sync::Arc;

use super::content::order_grid::{OrderForm, OrderGrid, OrderShip};
use super::kind::PanelKind;
use super::panel::Panel;
use super::panel_args::PanelArgs;
use super::panel_options::panel_options;
use crate::evaluate::SlotScope;
use crate::formula::{Formula, TextTemplate, Value};
use crate::ruleset::SlotContext;
use crate::sheet::assembly::ship_view::{ShipView, with_minus_signs};
use crate::sheet::layout::flowable::Flowable;

pub static KIND: PanelKind = PanelKind {
    name: "orders",
    argument: "its name: fields are called `<name>_<turn>_<line>_<column>`",
    about: "on a fleet's order log: a line to write in for each ship and turn",
    options: OrdersOptions::LIST,
    compile,
};

panel_options! {
    struct OrdersOptions {
        columns: Vec<Arc<str>> = "columns", "the columns, from left to right"
            => |args, key| {
                args.string_list(key).filter(|words| !words.is_empty()).unwrap_or_else(|| vec!["orders".into()])
            };
        widths: Vec<f32> = "widths", "the columns' parts of the width"
            => |args, key| args.numbers(key).unwrap_or_default();
        side_by_side: bool = "by", "`turn`: a block per turn with a line per ship; `ship`: a line per ship with the turns side by side"
            => |args, key| args.one_of(key, &["turn", "ship"]) == Some("ship");
        turns_across: u32 = "abreast", "with `by = \"ship\"`: number of turns side by side; default: as many as fit"
            => |args, key| args.integer(key).unwrap_or(0).min(12);
        after: Option<Arc<str>> = "after", "with `by = \"ship\"`: what is written after the last turn"
            => PanelArgs::string;
        turn: Arc<str> = "turn", "the word for a turn; default `turn`"
            => |args, key| args.string(key).unwrap_or_else(|| "turn".into());
        turns: u32 = "turns", "minimum number of turns, if they fit `pages`; default 6"
            => |args, key| args.integer(key).unwrap_or(6).clamp(1, 100);
        cycle: u32 = "cycle", "number of turns after which counting starts from 1 again"
            => |args, key| args.integer(key).unwrap_or(0);
        pages: u32 = "pages", "maximum number of pages for the turns after the first; default 4"
            => |args, key| args.integer(key).unwrap_or(4).clamp(1, 50);
        head: Vec<Arc<str>> = "head", "with `by = \"turn\"`: what is written next to the turn's name, such as the initiative"
            => |args, key| args.string_list(key).unwrap_or_default();
        row: f32 = "row", "height of a line in mm; default 7"
            => |args, key| args.number(key).unwrap_or(7.0).clamp(4.5, 30.0);
        ship: f32 = "ship", "width of the ship column in mm; default 40"
            => |args, key| args.number(key).unwrap_or(40.0).clamp(15.0, 90.0);
        show: Option<TextTemplate> = "show", "text under the ship's name; text about that ship"
            => |args, key| args.template_text(key, &SlotContext::Ship);
        only: Option<Formula> = "where", "formula about a ship: whether it has a line; towed units never have one"
            => |args, key| args.condition(key, &SlotContext::Ship);
        of: Option<Arc<str>> = "of", "with `follow`: only in groups of this relation"
            => PanelArgs::string;
        follow: Option<Arc<str>> = "follow", "text before the leader's number, printed small if a ship gets its orders from its group's leader"
            => PanelArgs::string;
    }
}

struct OrdersPanel {
    options: OrdersOptions,
    name: Arc<str>,
    columns: Vec<(Arc<str>, f32)>,
}

fn compile(setup: &mut PanelArgs<'_>) -> Option<Box<dyn Panel>> {
    let options = OrdersOptions::read(setup);
    let mut widths = options.widths.clone();
    widths.resize(options.columns.len(), widths.last().copied().unwrap_or(1.0));
    Some(Box::new(OrdersPanel {
        name: setup.argument.first().cloned().unwrap_or_else(|| "orders".into()),
        columns: options.columns.iter().cloned().zip(widths.into_iter().map(|width| width.max(0.05))).collect(),
        options,
    }))
}

impl Panel for OrdersPanel {
    fn content(&self, view: &ShipView<'_>) -> Option<Box<dyn Flowable>> {
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
            if roster.places[ship].towed_by.is_some() || !self.options.only.as_ref().is_none_or(holds) {
                continue;
            }
            let name = evaluation.ship.name.as_deref().unwrap_or(&evaluation.name);
            let said = self.options.show.as_ref().and_then(|text| evaluation.render(text, &SlotScope::default()));
            let follow = self.options.follow.as_ref().zip(roster.leader(ship, self.options.of.as_deref()));
            who.push(OrderShip {
                number: evaluation.ship.hull_number.as_deref().unwrap_or_default().to_owned(),
                name: name.to_owned(),
                remark: said.map(|said| with_minus_signs(&said)).unwrap_or_default(),
                hint: follow
                    .map(|(words, leader)| format!("{words} {}", roster.short_name(leader)))
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
                side_by_side: self.options.side_by_side,
                turns_across: self.options.turns_across,
                after_heading: self.options.after.clone(),
                turn: self.options.turn.clone(),
                cycle: self.options.cycle,
                block_fields: self.options.head.clone(),
                row_height: self.options.row,
                ship_width: self.options.ship,
                ships: who,
            }),
            first_turn: 1,
            first_ship: 0,
            last_turn: self.options.turns,
            pages_left: self.options.pages,
        }))
    }
}
