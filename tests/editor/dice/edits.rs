//! Random edits of designs and fleets, mostly with names that the current ruleset knows.

use moldloft::design::fleet::Fleet;
use moldloft::design::{Damage, DocumentEdit, TableList, TablePath, UnitPath};
use moldloft::editor::{Edit, EditorState};
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
    let fits: Vec<usize> = (0..open.document.count(&TableList::Fits).min(30)).filter(|_| dice.one_in(4)).collect();
    open.document.fits_text(&fits)
}

/// Numbers that the two functions below give out, together; a number that one of them does not know gives what its files have most of.
const EDIT_COUNT: usize = 37;

fn step(state: &EditorState, dice: &mut Dice) -> DocumentEdit {
    let number = dice.roll(EDIT_COUNT);
    let fleet = state.current_doc().and_then(|doc| doc.as_fleet()).filter(|_| !dice.one_in(6));
    let step = match fleet {
        Some(fleet) => fleet_step(number, fleet.fleet(), dice),
        None => design_step(number, state, dice),
    };
    require_number(&step);
    step
}

/// A new kind of edit does not compile here: give it a number above.
fn require_number(step: &DocumentEdit) {
    match step {
        DocumentEdit::Set { table, .. } | DocumentEdit::Unset { table, .. } => match table {
            TablePath::Top | TablePath::Fields | TablePath::Row { .. } => {}
            TablePath::Fit(_) | TablePath::CustomSystem(_) => {}
            TablePath::Ship(_) | TablePath::Carried { .. } | TablePath::Group(_) => {}
        },
        DocumentEdit::Insert { list, .. } | DocumentEdit::Remove { list, .. } | DocumentEdit::Reorder { list, .. } => {
            match list {
                TableList::Rows(_) | TableList::Fits | TableList::CustomSystems => {}
                TableList::Ships | TableList::Carried { .. } | TableList::Groups | TableList::Designs => {}
            }
        }
        DocumentEdit::AddFit { .. } | DocumentEdit::Paste { .. } | DocumentEdit::AddCustomSystem { .. } => {}
        DocumentEdit::PasteShips { .. } => {}
        DocumentEdit::DuplicateShip { .. } | DocumentEdit::SplitShip { .. } | DocumentEdit::SetDamage { .. } => {}
        DocumentEdit::AddCarried { .. } | DocumentEdit::SetLoad { .. } | DocumentEdit::EmbedDesign { .. } => {}
        DocumentEdit::Fix(_) => {}
        // Of rulesets: commands of the rules page make them.
        DocumentEdit::SetAt { .. } | DocumentEdit::UnsetAt { .. } => {}
        DocumentEdit::PushAt { .. } | DocumentEdit::AppendTable { .. } => {}
    }
}

/// Indices are one behind the last now and then.
fn design_step(number: usize, state: &EditorState, dice: &mut Dice) -> DocumentEdit {
    let (fits, rows) = match state.current_doc().and_then(|doc| doc.as_design()) {
        Some(open) => (open.document.count(&TableList::Fits), 4),
        None => (2, 2),
    };
    let (fit, row) = (dice.roll(fits + 1), dice.roll(rows + 1));
    let own_key = |dice: &mut Dice| dice.of(&["name", "mass", "like"]).to_owned();
    match number {
        0 => DocumentEdit::set(TablePath::Top, dice.of(&["name", "notes", "name", "ruleset"]), text(dice)),
        1 => DocumentEdit::unset(TablePath::Top, dice.of(&["name", "notes"])),
        2 => {
            let value = if dice.one_in(3) { value(dice) } else { choice(state, dice) };
            DocumentEdit::set(TablePath::Fields, field(state, dice), value)
        }
        3 => DocumentEdit::unset(TablePath::Fields, field(state, dice)),
        4 => DocumentEdit::set(TablePath::Row { field: field(state, dice), row }, text(dice), value(dice)),
        5 => DocumentEdit::unset(TablePath::Row { field: field(state, dice), row }, text(dice)),
        6 => DocumentEdit::insert(TableList::Rows(field(state, dice)), row, vec![("a".into(), value(dice))]),
        7 => DocumentEdit::remove(TableList::Rows(field(state, dice)), row),
        8 => DocumentEdit::reorder(TableList::Rows(field(state, dice)), row, dice.roll(rows + 1)),
        10 => DocumentEdit::unset(TablePath::Fit(fit), parameter(state, dice)),
        11 => {
            let parameters = if dice.one_in(3) { vec![(parameter(state, dice), value(dice))] } else { Vec::new() };
            let (system, mount) = (system(state, dice), mount(state, dice));
            DocumentEdit::AddFit { at: fit, system, mount, count: dice.roll(12) as u32, parameters }
        }
        12 => DocumentEdit::remove(TableList::Fits, fit),
        13 => DocumentEdit::reorder(TableList::Fits, fit, dice.roll(fits + 1)),
        14 => DocumentEdit::Paste { text: copied(state, dice), at: fit },
        15 => DocumentEdit::AddCustomSystem {
            id: dice.of(&["own", "other"]).into(),
            like: system(state, dice),
            keys: Vec::new(),
        },
        16 => DocumentEdit::set(TablePath::CustomSystem(dice.roll(3)), own_key(dice), value(dice)),
        17 => DocumentEdit::unset(TablePath::CustomSystem(dice.roll(3)), own_key(dice)),
        18 => DocumentEdit::remove(TableList::CustomSystems, dice.roll(3)),
        36 => {
            let evaluation = state.current_doc().and_then(|doc| doc.evaluation());
            let fix = evaluation.and_then(|one| quick_fix(one, dice.roll(one.findings.len())));
            DocumentEdit::Fix(fix.map(|fix| fix.edits).unwrap_or_default())
        }
        // The steps of fleets, too: fits are what designs have most of.
        _ => match dice.roll(4) {
            0 | 1 => DocumentEdit::set(TablePath::Fit(fit), "count", dice.roll(9) as i64),
            2 => DocumentEdit::set(TablePath::Fit(fit), "mount", mount(state, dice).unwrap_or_default()),
            _ => DocumentEdit::set(TablePath::Fit(fit), parameter(state, dice), value(dice)),
        },
    }
}

fn fleet_step(number: usize, fleet: &Fleet, dice: &mut Dice) -> DocumentEdit {
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
    match number {
        0 if dice.one_in(4) => DocumentEdit::set(TablePath::Top, "budget", value(dice)),
        0 => DocumentEdit::set(TablePath::Top, dice.of(&["name", "side", "player", "notes"]), text(dice)),
        20 => DocumentEdit::unset(TablePath::Ship(ship), key(dice)),
        21 => DocumentEdit::insert(
            TableList::Ships,
            at,
            vec![("design".into(), class(dice)), ("name".into(), text(dice).into())],
        ),
        22 => DocumentEdit::DuplicateShip { ship },
        23 => DocumentEdit::SplitShip { ship },
        24 => DocumentEdit::remove(TableList::Ships, ship),
        25 => DocumentEdit::reorder(TableList::Ships, ship, at),
        26 => {
            let mut damage = Damage::default();
            damage.tick(dice.of(&["structure", "hull", "odd stem"]), 1, dice.roll(4) as u32);
            let carried = dice.one_in(3).then(|| (relation(), carried, 1 + dice.roll(2) as u32));
            DocumentEdit::SetDamage { unit: UnitPath { ship, copy: 1 + dice.roll(2) as u32, carried }, damage }
        }
        27 => {
            let design = class(dice).as_str().unwrap_or_default().to_owned();
            DocumentEdit::AddCarried { ship, relation: relation(), design, count: dice.roll(3) as u32 }
        }
        28 => {
            let table = TablePath::Carried { ship, relation: relation(), at: carried };
            DocumentEdit::set(table, "count", dice.roll(4) as i64)
        }
        29 => DocumentEdit::unset(TablePath::Carried { ship, relation: relation(), at: carried }, "count"),
        30 => DocumentEdit::remove(TableList::Carried { ship, relation: relation() }, carried),
        31 => {
            let (system, mount) = ("missile-magazine".to_owned(), dice.one_in(2).then(|| "core".to_owned()));
            let value = dice.one_in(2).then(|| value(dice));
            DocumentEdit::SetLoad { ship, system, mount, key: "laser_heads".into(), value }
        }
        32 => DocumentEdit::insert(
            TableList::Groups,
            usize::MAX,
            vec![("id".into(), text(dice).into()), ("name".into(), text(dice).into())],
        ),
        33 => DocumentEdit::set(TablePath::Group(group), dice.of(&["id", "name", "kind"]), value(dice)),
        34 => DocumentEdit::remove(TableList::Groups, group),
        35 if dice.one_in(2) => DocumentEdit::EmbedDesign { text: format!("name = \"Own\"\n{}\n", text(dice)).into() },
        35 => DocumentEdit::PasteShips { text: text_of_ship(dice), at },
        // The steps of designs, too: keys of ships are what fleets have most of.
        _ => match dice.roll(3) {
            0 => DocumentEdit::set(TablePath::Ship(ship), key(dice), value(dice)),
            1 => DocumentEdit::set(TablePath::Ship(ship), "count", dice.roll(5) as i64),
            _ => DocumentEdit::set(TablePath::Ship(ship), "design", class(dice)),
        },
    }
}

fn text_of_ship(dice: &mut Dice) -> String {
    format!("[[ship]]\ndesign = \"{}\"\n", text(dice))
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
