//! `panel: odds`: in a battle pack, what the ship does to each class of the other side, and takes from it. Nothing elsewhere.

use std::sync::Arc;

use super::content::roster_table::{RosterCell, RosterColumn, RosterLine, RosterNote, RosterTable};
use super::kind::PanelKind;
use super::panel::{Panel, PanelShows};
use super::panel_args::PanelArgs;
use crate::sheet::assembly::ship_view::{ShipView, with_decimals};
use crate::sheet::assembly::shown_parts::ShownParts;
use crate::sheet::layout::flowable::{Flowable, HeadingStyle};
use moldloft_rules::evaluate::FightCard;
use moldloft_rules::ruleset::Ruleset;

pub static KIND: PanelKind = PanelKind {
    name: "odds",
    argument: "none",
    about: "in a battle pack of two sides, for the back of a ship's sheet: what it does to each class of the enemy and takes from it, at three ranges",
    options: &[],
    compile: |_: &mut PanelArgs<'_>| Some(Box::new(OddsPanel)),
};

/// Its heading.
pub const TITLE: &str = "The enemy";

struct OddsPanel;

impl Panel for OddsPanel {
    fn content(&self, view: &ShipView<'_>, _: &mut ShownParts) -> Option<Box<dyn Flowable>> {
        view.evaluation
            .fights
            .as_deref()
            .map(|card| Box::new(fight_table(card, &view.evaluation.ruleset)) as Box<dyn Flowable>)
    }

    fn heading(&self, view: &ShipView<'_>) -> Option<(String, HeadingStyle)> {
        Some((view.say(TITLE), HeadingStyle::Ruled))
    }

    fn shows(&self) -> PanelShows {
        PanelShows::Extras
    }

    fn shows_odds(&self) -> bool {
        true
    }
}

/// A line for each class of the enemy, after the name of the firing one if there are several; then what the figures rest on.
pub fn fight_table(card: &FightCard, ruleset: &Ruleset) -> RosterTable {
    let column = |heading: &Arc<str>, strong| RosterColumn {
        heading: ruleset.say_shared(heading),
        align_right: false,
        strong,
        spare_share: 1.0,
    };
    let has_names = card.groups.iter().any(|(name, _)| !name.is_empty());
    let names = has_names.then(|| column(&"ship".into(), true));
    let columns = card.columns.iter().enumerate().map(|(n, heading)| column(heading, n == 0 && !has_names));
    let in_language = |cell: &str| {
        let cell = with_decimals(ruleset.words.as_deref(), &ruleset.say(cell));
        // A figure breaks before its chance at most: no sign stands alone.
        cell.replace(" ·", "\u{a0}·").replace(" %", "\u{a0}%")
    };
    let mut lines = Vec::new();
    for (name, rows) in &card.groups {
        for (n, row) in rows.iter().enumerate() {
            let name = has_names.then(|| RosterCell(if n == 0 { name.to_string() } else { String::new() }));
            // The first is the name of a class.
            let figure =
                |(n, cell): (usize, &String)| RosterCell(if n == 0 { cell.clone() } else { in_language(cell) });
            let cells = name.into_iter().chain(row.iter().enumerate().map(figure)).collect();
            lines.push(RosterLine::Row { cells, indented: false, picture: None });
        }
    }
    lines.extend(card.notes.iter().map(|words| RosterLine::Note(RosterNote::new(ruleset.say(words)))));
    RosterTable { columns: names.into_iter().chain(columns).collect(), lines, is_odds: true, ..RosterTable::default() }
}
