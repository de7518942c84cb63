//! Random edits of designs and fleets, mostly with names that the current ruleset knows.

use moldloft::design::fleet::Fleet;
use moldloft::design::{Damage, UnitPath};
use moldloft::editor::model::edit::EditStepKind;
use moldloft::editor::{Edit, EditStep, EditorState};
use moldloft::evaluate::quick_fix;
use moldloft::ruleset::FieldKind;
use toml_edit::Value;

use super::{Dice, field, mount, parameter, ruleset, system, text};

pub fn edit(state: &EditorState, dice: &mut Dice) -> Edit {
    let steps = 1 + if dice.one_in(6) { dice.roll(4) } else { 0 };
    let edit = Edit::from_steps("try something", (0..steps).map(|_| step(state, dice)).collect());
    if dice.one_in(4) { edit.with_merge_key(dice.of(&["name", "count"])) } else { edit }
}

/// Fits copied from an open design, or now and then some other text.
pub fn copied(state: &EditorState, dice: &mut Dice) -> String {
    let doc = dice.pick(&state.docs).and_then(|doc| doc.as_design()).filter(|_| !dice.one_in(8));
    let Some(open) = doc else { return text(dice) };
    let fits: Vec<usize> = (0..open.document.fit_count().min(30)).filter(|_| dice.one_in(4)).collect();
    open.document.fits_text(&fits)
}

fn step(state: &EditorState, dice: &mut Dice) -> EditStep {
    let kind = dice.of(EditStepKind::ALL);
    if let Some(fleet) = state.current_doc().and_then(|doc| doc.as_fleet()).filter(|_| !dice.one_in(6)) {
        return fleet_step(kind, fleet.fleet(), dice);
    }
    design_step(kind, state, dice)
}

/// Indices are one behind the last now and then.
fn design_step(kind: EditStepKind, state: &EditorState, dice: &mut Dice) -> EditStep {
    let (fits, rows) = match state.current_doc().and_then(|doc| doc.as_design()) {
        Some(open) => (open.document.fit_count(), 4),
        None => (2, 2),
    };
    let (fit, row) = (dice.roll(fits + 1), dice.roll(rows + 1));
    let own_key = |dice: &mut Dice| dice.of(&["name", "mass", "like"]).to_owned();
    match kind {
        EditStepKind::SetTopKey => {
            EditStep::SetTopKey { key: dice.of(&["name", "notes", "name", "ruleset"]).into(), value: text(dice).into() }
        }
        EditStepKind::RemoveTopKey => EditStep::RemoveTopKey { key: dice.of(&["name", "notes"]).into() },
        EditStepKind::SetField => {
            let value = if dice.one_in(3) { value(dice) } else { choice(state, dice) };
            EditStep::SetField { field: field(state, dice), value }
        }
        EditStepKind::RemoveField => EditStep::RemoveField { field: field(state, dice) },
        EditStepKind::SetCell => {
            EditStep::SetCell { field: field(state, dice), row, column: text(dice), value: value(dice) }
        }
        EditStepKind::RemoveCell => EditStep::RemoveCell { field: field(state, dice), row, column: text(dice) },
        EditStepKind::AddRow => {
            EditStep::AddRow { field: field(state, dice), at: row, cells: vec![("a".into(), value(dice))] }
        }
        EditStepKind::RemoveRow => EditStep::RemoveRow { field: field(state, dice), row },
        EditStepKind::MoveRow => EditStep::MoveRow { field: field(state, dice), from: row, to: dice.roll(rows + 1) },
        EditStepKind::RemoveFitKey => EditStep::RemoveFitKey { fit, key: parameter(state, dice) },
        EditStepKind::AddFit => {
            let parameters = if dice.one_in(3) { vec![(parameter(state, dice), value(dice))] } else { Vec::new() };
            let (system, mount) = (system(state, dice), mount(state, dice));
            EditStep::AddFit { at: fit, system, mount, count: dice.roll(12) as u32, parameters }
        }
        EditStepKind::RemoveFit => EditStep::RemoveFit { fit },
        EditStepKind::MoveFit => EditStep::MoveFit { from: fit, to: dice.roll(fits + 1) },
        EditStepKind::Paste => EditStep::Paste { text: copied(state, dice), at: fit },
        EditStepKind::AddCustomSystem => EditStep::AddCustomSystem {
            id: dice.of(&["own", "other"]).into(),
            like: system(state, dice),
            keys: Vec::new(),
        },
        EditStepKind::SetCustomSystem => {
            EditStep::SetCustomSystem { system: dice.roll(3), key: own_key(dice), value: value(dice) }
        }
        EditStepKind::RemoveCustomSystemKey => {
            EditStep::RemoveCustomSystemKey { system: dice.roll(3), key: own_key(dice) }
        }
        EditStepKind::RemoveCustomSystem => EditStep::RemoveCustomSystem { system: dice.roll(3) },
        EditStepKind::Fix => {
            let evaluation = state.current_doc().and_then(|doc| doc.evaluation());
            let fix = evaluation.and_then(|one| quick_fix(one, dice.roll(one.findings.len())));
            EditStep::Fix(fix.map(|fix| fix.edits).unwrap_or_default())
        }
        // The steps of fleets, too: fits are what designs have most of.
        EditStepKind::SetFit
        | EditStepKind::SetShip
        | EditStepKind::RemoveShipKey
        | EditStepKind::AddShip
        | EditStepKind::DuplicateShip
        | EditStepKind::SplitShip
        | EditStepKind::RemoveShip
        | EditStepKind::MoveShip
        | EditStepKind::SetDamage
        | EditStepKind::AddCarried
        | EditStepKind::SetCarried
        | EditStepKind::RemoveCarriedKey
        | EditStepKind::RemoveCarried
        | EditStepKind::SetLoad
        | EditStepKind::AddGroup
        | EditStepKind::SetGroup
        | EditStepKind::RemoveGroup
        | EditStepKind::EmbedDesign => match dice.roll(4) {
            0 | 1 => EditStep::SetFit { fit, key: "count".into(), value: Value::from(dice.roll(9) as i64) },
            2 => EditStep::SetFit { fit, key: "mount".into(), value: mount(state, dice).unwrap_or_default().into() },
            _ => EditStep::SetFit { fit, key: parameter(state, dice), value: value(dice) },
        },
    }
}

fn fleet_step(kind: EditStepKind, fleet: &Fleet, dice: &mut Dice) -> EditStep {
    let ship = dice.roll(fleet.ships.len() + 1);
    let group = dice.roll(fleet.groups.len() + 1);
    let at = dice.roll(fleet.ships.len() + 2);
    let class = |dice: &mut Dice| -> Value {
        let known = dice.pick(&fleet.ships).and_then(|ship| ship.design.as_ref()).map(|word| word.text.to_string());
        known.filter(|_| !dice.one_in(8)).unwrap_or_else(|| text(dice)).into()
    };
    let key = |dice: &mut Dice| {
        dice.of(&["name", "hull_number", "captain", "notes", "count", "group", "tow", "load", "damage", "odd"])
            .to_owned()
    };
    let (relation, carried) = (|| "tow".to_owned(), dice.roll(2));
    match kind {
        EditStepKind::SetTopKey if dice.one_in(4) => EditStep::SetTopKey { key: "budget".into(), value: value(dice) },
        EditStepKind::SetTopKey => {
            EditStep::SetTopKey { key: dice.of(&["name", "side", "player", "notes"]).into(), value: text(dice).into() }
        }
        EditStepKind::RemoveShipKey => EditStep::RemoveShipKey { ship, key: key(dice) },
        EditStepKind::AddShip => {
            EditStep::AddShip { at, keys: vec![("design".into(), class(dice)), ("name".into(), text(dice).into())] }
        }
        EditStepKind::DuplicateShip => EditStep::DuplicateShip { ship },
        EditStepKind::SplitShip => EditStep::SplitShip { ship },
        EditStepKind::RemoveShip => EditStep::RemoveShip { ship },
        EditStepKind::MoveShip => EditStep::MoveShip { from: ship, to: at },
        EditStepKind::SetDamage => {
            let mut damage = Damage::default();
            damage.tick(dice.of(&["structure", "hull", "odd stem"]), 1, dice.roll(4) as u32);
            let carried = dice.one_in(3).then(|| (relation(), carried, 1 + dice.roll(2) as u32));
            EditStep::SetDamage { path: UnitPath { ship, copy: 1 + dice.roll(2) as u32, carried }, damage }
        }
        EditStepKind::AddCarried => {
            let design = class(dice).as_str().unwrap_or_default().to_owned();
            EditStep::AddCarried { ship, relation: relation(), design, count: dice.roll(3) as u32 }
        }
        EditStepKind::SetCarried => {
            let (key, value) = ("count".into(), Value::from(dice.roll(4) as i64));
            EditStep::SetCarried { ship, relation: relation(), at: carried, key, value }
        }
        EditStepKind::RemoveCarriedKey => {
            EditStep::RemoveCarriedKey { ship, relation: relation(), at: carried, key: "count".into() }
        }
        EditStepKind::RemoveCarried => EditStep::RemoveCarried { ship, relation: relation(), at: carried },
        EditStepKind::SetLoad => {
            let (system, mount) = ("missile-magazine".to_owned(), dice.one_in(2).then(|| "core".to_owned()));
            let value = dice.one_in(2).then(|| value(dice));
            EditStep::SetLoad { ship, system, mount, key: "laser_heads".into(), value }
        }
        EditStepKind::AddGroup => {
            EditStep::AddGroup { keys: vec![("id".into(), text(dice).into()), ("name".into(), text(dice).into())] }
        }
        EditStepKind::SetGroup => {
            EditStep::SetGroup { group, key: dice.of(&["id", "name", "kind"]).into(), value: value(dice) }
        }
        EditStepKind::RemoveGroup => EditStep::RemoveGroup { group },
        EditStepKind::EmbedDesign => EditStep::EmbedDesign { text: format!("name = \"Own\"\n{}\n", text(dice)).into() },
        // The steps of designs, too: keys of ships are what fleets have most of.
        EditStepKind::SetShip
        | EditStepKind::RemoveTopKey
        | EditStepKind::SetField
        | EditStepKind::RemoveField
        | EditStepKind::SetCell
        | EditStepKind::RemoveCell
        | EditStepKind::AddRow
        | EditStepKind::RemoveRow
        | EditStepKind::MoveRow
        | EditStepKind::SetFit
        | EditStepKind::RemoveFitKey
        | EditStepKind::AddFit
        | EditStepKind::RemoveFit
        | EditStepKind::MoveFit
        | EditStepKind::Paste
        | EditStepKind::AddCustomSystem
        | EditStepKind::SetCustomSystem
        | EditStepKind::RemoveCustomSystemKey
        | EditStepKind::RemoveCustomSystem
        | EditStepKind::Fix => match dice.roll(3) {
            0 => EditStep::SetShip { ship, key: key(dice), value: value(dice) },
            1 => EditStep::SetShip { ship, key: "count".into(), value: Value::from(dice.roll(5) as i64) },
            _ => EditStep::SetShip { ship, key: "design".into(), value: class(dice) },
        },
    }
}

fn value(dice: &mut Dice) -> Value {
    match dice.roll(12) {
        0 => Value::from(text(dice)),
        1 => Value::from(dice.one_in(2)),
        2 => Value::from(-(dice.roll(1000) as i64)),
        3 => Value::from(i64::MAX),
        4 => Value::from(1.5),
        5 => Value::from_iter([dice.roll(9) as i64, 2]),
        6 => Value::from_iter([("x", Value::from(1)), ("y z", Value::from("\u{7}"))]),
        _ => Value::from(dice.roll(40) as i64),
    }
}

fn choice(state: &EditorState, dice: &mut Dice) -> Value {
    let choices: Vec<String> = ruleset(state)
        .into_iter()
        .flat_map(|ruleset| &ruleset.fields)
        .filter_map(|field| if let FieldKind::Choice(choice) = &field.kind { Some(choice) } else { None })
        .flat_map(|choice| choice.options.iter().map(|option| option.id.to_string()))
        .collect();
    dice.pick(&choices).map_or_else(|| value(dice), |id| Value::from(id.as_str()))
}
