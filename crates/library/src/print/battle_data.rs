//! What the pages of a battle show: takes a game and the rosters of its fleets, gives the ships that act and the phases of a
//! turn.

use std::sync::Arc;

use moldloft_rules::evaluate::{CounterResult, Evaluation};
use moldloft_rules::ruleset::{Ruleset, SheetKind};
use moldloft_sheet::sheet::fleet_roster::Roster;
use moldloft_sheet::sheet::{Battle, BattleCraft, BattleShip, BattleSide, format_value};

use super::blank_sheets;

/// What the pages of a battle show: the fleets' ships that act, and the game's phases.
pub(super) fn battle_data(ruleset: &Arc<Ruleset>, rosters: &[&Roster<'_>]) -> Battle {
    let side = |roster: &&Roster<'_>| {
        let order = roster.by_group().into_iter().flat_map(|(_, ships)| ships);
        let ships = order.filter(|&ship| roster.places[ship].towed_by.is_none()).map(|ship| {
            let ship = &roster.ships[ship];
            BattleShip {
                hull_number: ship.ship.hull_number.as_deref().unwrap_or_default().into(),
                name: ship.ship.name.as_deref().unwrap_or(&ship.name).into(),
                class: ship.name.clone(),
                points: ship.points,
                words: own_words(ship),
                craft: craft(ship),
            }
        });
        let facts = &roster.facts;
        BattleSide {
            name: facts.name.clone(),
            side: facts.side.clone(),
            player: facts.player.clone(),
            notes: facts.notes.clone(),
            points: facts.points,
            budget: facts.budget,
            ships: ships.collect(),
        }
    };
    let sheets = blank_sheets(ruleset, SheetKind::Reference);
    let tables = sheets.iter().flat_map(|sheet| &sheet.tables);
    let phases = tables.into_iter().find(|table| ruleset.phases.as_ref() == Some(&table.id));
    let phases = phases.iter().flat_map(|table| &table.rows).map(|row| {
        let cell = |n: usize| row.get(n).map(|value| ruleset.say(&format_value(value))).unwrap_or_default();
        (cell(0), cell(1))
    });
    let phases = phases.collect();
    Battle {
        game: ruleset.title.clone(),
        sides: rosters.iter().map(side).collect(),
        phases,
        order: ruleset.say_shared(&ruleset.battle_order),
        acts: ruleset.battle_acts.iter().map(|act| ruleset.say_shared(act)).collect(),
        each_turn: ruleset.battle_each_turn.iter().map(|words| ruleset.say_shared(words)).collect(),
        turns_in_cycle: ruleset.turns_in_cycle,
        words: ruleset.words.clone(),
    }
}

/// What of a ship acts by itself, with the numbers of its counters.
fn craft(ship: &Evaluation) -> Vec<BattleCraft> {
    let lines = acting_counters(ship, false).flat_map(|(counter, words)| {
        (0..counter.count)
            .map(|n| BattleCraft { number: counter.first.map(|first| first.saturating_add(n)), name: words.clone() })
    });
    lines.collect()
}

/// The words of the ship's own counter.
fn own_words(ship: &Evaluation) -> Arc<str> {
    acting_counters(ship, true).next().map(|(_, words)| words.clone()).unwrap_or_default()
}

/// The counters with words for a battle page: those that are the ship itself, or the others.
fn acting_counters(ship: &Evaluation, are_ship: bool) -> impl Iterator<Item = (&CounterResult, &Arc<str>)> {
    let is_ship = |id: &str| ship.ruleset.counters.iter().any(|known| *known.id == *id && known.is_ship);
    let counters = ship.counters.iter().filter(move |counter| is_ship(&counter.id) == are_ship);
    counters.filter_map(|counter| Some((counter, counter.acts_as.as_ref()?)))
}
