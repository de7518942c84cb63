//! `panel: orders NAME`: where a fleet's orders are written, turn by turn: a line a ship in a block a turn, or a line a ship with columns for
//! the turns. Shows nothing on a ship's own sheet.

use std::sync::Arc;

use super::content::order_grid::{OrderForm, OrderGrid, OrderShip};
use super::kind::PanelKind;
use super::panel::Panel;
use super::panel_args::PanelArgs;
use crate::evaluate::SlotScope;
use crate::formula::{Formula, TextTemplate, Value};
use crate::ruleset::SlotContext;
use crate::sheet::assembly::ship_view::{ShipView, with_minus_signs};
use crate::sheet::layout::flowable::Flowable;

/// The kind.
pub static KIND: PanelKind = PanelKind {
    name: "orders",
    argument: "its name: fields are called `<name>_<turn>_<line>_<column>`",
    about: "on a fleet's order log: a line to write in for each ship and turn",
    options: &[
        ("columns", "the columns, from left to right"),
        ("widths", "the columns' parts of the width"),
        ("by", "`turn`: a block per turn with a line per ship; `ship`: a line per ship with the turns side by side"),
        ("abreast", "with `by = \"ship\"`: number of turns side by side; default: as many as fit"),
        ("after", "with `by = \"ship\"`: what is written after the last turn"),
        ("turn", "the word for a turn; default `turn`"),
        ("turns", "minimum number of turns, if they fit `pages`; default 6"),
        ("cycle", "number of turns after which counting starts from 1 again"),
        ("pages", "maximum number of pages for the turns after the first; default 4"),
        ("head", "with `by = \"turn\"`: what is written next to the turn's name, such as the initiative"),
        ("row", "height of a line in mm; default 7"),
        ("ship", "width of the ship column in mm; default 40"),
        ("show", "text under the ship's name; text about that ship"),
        ("where", "formula about a ship: whether it has a line; towed units never have one"),
        ("of", "with `follow`: only in groups of this relation"),
        ("follow", "text before the leader's number, printed small if a ship gets its orders from its group's leader"),
    ],
    compile,
};

struct OrdersPanel {
    name: Arc<str>,
    columns: Vec<(Arc<str>, f32)>,
    side_by_side: bool,
    turns_across: u32,
    after: Option<Arc<str>>,
    turn: Arc<str>,
    turns: u32,
    cycle: u32,
    pages: u32,
    head: Vec<Arc<str>>,
    row: f32,
    ship: f32,
    show: Option<TextTemplate>,
    only: Option<Formula>,
    follow: Option<Arc<str>>,
    of: Option<Arc<str>>,
}

fn compile(setup: &mut PanelArgs<'_>) -> Option<Box<dyn Panel>> {
    let columns = setup.words("columns").filter(|words| !words.is_empty()).unwrap_or_else(|| vec!["orders".into()]);
    let mut widths = setup.numbers("widths").unwrap_or_default();
    widths.resize(columns.len(), widths.last().copied().unwrap_or(1.0));
    Some(Box::new(OrdersPanel {
        name: setup.argument.first().cloned().unwrap_or_else(|| "orders".into()),
        columns: columns.into_iter().zip(widths.into_iter().map(|width| width.max(0.05))).collect(),
        side_by_side: setup.choice("by", &["turn", "ship"]) == Some("ship"),
        turns_across: setup.whole("abreast").unwrap_or(0).min(12),
        after: setup.word("after"),
        turn: setup.word("turn").unwrap_or_else(|| "turn".into()),
        turns: setup.whole("turns").unwrap_or(6).clamp(1, 100),
        cycle: setup.whole("cycle").unwrap_or(0),
        pages: setup.whole("pages").unwrap_or(4).clamp(1, 50),
        head: setup.words("head").unwrap_or_default(),
        row: setup.number("row").unwrap_or(7.0).clamp(4.5, 30.0),
        ship: setup.number("ship").unwrap_or(40.0).clamp(15.0, 90.0),
        show: setup.text("show", &SlotContext::Ship),
        only: setup.condition("where", &SlotContext::Ship),
        follow: setup.word("follow"),
        of: setup.word("of"),
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
            if roster.places[ship].towed_by.is_some() || !self.only.as_ref().is_none_or(holds) {
                continue;
            }
            let name = evaluation.ship.name.as_deref().unwrap_or(&evaluation.name);
            let said = self.show.as_ref().and_then(|text| evaluation.render(text, &SlotScope::default()));
            let follow = self.follow.as_ref().zip(roster.leader(ship, self.of.as_deref()));
            who.push(OrderShip {
                number: evaluation.ship.hull_number.as_deref().unwrap_or_default().to_owned(),
                name: name.to_owned(),
                said: said.map(|said| with_minus_signs(&said)).unwrap_or_default(),
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
                side_by_side: self.side_by_side,
                turns_across: self.turns_across,
                after: self.after.clone(),
                turn: self.turn.clone(),
                cycle: self.cycle,
                head: self.head.clone(),
                row: self.row,
                ship: self.ship,
                ships: who,
            }),
            first_turn: 1,
            line: 0,
            last_turn: self.turns,
            pages: self.pages,
        }))
    }
}
