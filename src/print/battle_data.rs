//! What the pages of a battle show: takes a game and the rosters of its fleets, gives the ships that act and the phases of a
//! turn.

use std::sync::Arc;

use crate::ruleset::{Ruleset, SheetKind};
use crate::sheet::fleet_roster::Roster;
use crate::sheet::{Battle, BattleShip, BattleSide, format_value};

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
        let cell = |n: usize| row.get(n).map(|value| format_value(value).to_string()).unwrap_or_default();
        (cell(0), cell(1))
    });
    let phases = phases.collect();
    let (order, acts) = (ruleset.battle_order.clone(), ruleset.battle_acts.clone());
    Battle { game: ruleset.title.clone(), sides: rosters.iter().map(side).collect(), phases, order, acts }
}
