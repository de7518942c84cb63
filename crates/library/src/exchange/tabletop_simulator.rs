//! Writes Tabletop Simulator's saved objects: takes a folder's tokens and the location of their pictures, gives JSON
//! with a bag for each fleet and in it one for each ship. Tokens have their true size, at one inch per unit. Equal
//! tokens give equal bytes.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::manifest::ManifestEntry;
use moldloft_base::hash::fnv32;
use moldloft_base::sanitize::{self, plural};

/// Shorter side of a tile at scale 1, in the program's units.
const TILE_UNITS: f64 = 2.0;
/// Longer side of a token cut from its picture, at scale 1.
const TOKEN_UNITS: f64 = 3.7;
/// Thickness of a piece, in units.
const THICKNESS: f64 = 0.1;
/// Millimetres per unit: the program's ruler reads inches.
const MM_PER_UNIT: f64 = 25.4;
const BAG_SPACING: f64 = 4.0;

/// One object for each fleet, or for each ship without a fleet.
pub fn saved_object(entries: &[ManifestEntry], base: &str) -> String {
    let mut ids = BTreeSet::new();
    let mut objects: Vec<Value> = Vec::new();
    let same_fleet = |one: &ManifestEntry, two: &ManifestEntry| {
        one.fleet == two.fleet && one.side == two.side && (!one.fleet.is_empty() || one.unit == two.unit)
    };
    let same_ship = |one: &ManifestEntry, two: &ManifestEntry| one.unit == two.unit;
    let fleets: Vec<&[ManifestEntry]> = entries.chunk_by(same_fleet).collect();
    for (place, fleet) in fleets.iter().enumerate() {
        let x = BAG_SPACING * (place as f64 - (fleets.len() as f64 - 1.0) / 2.0);
        let mut bags = Vec::new();
        for ship in fleet.chunk_by(same_ship) {
            let tokens = ship.iter().map(|entry| token_object(entry, base, &mut ids)).collect();
            let one = &ship[0];
            let name = if one.ship.is_empty() { &one.class } else { &one.ship };
            bags.push(bag_object(name, &ship_description(one), &one.unit, x, tokens, &mut ids));
        }
        let Some(first) = fleet.first() else { continue };
        if first.fleet.is_empty() {
            objects.append(&mut bags);
        } else {
            objects.push(bag_object(&first.fleet, &first.side, &format!("fleet {}", first.fleet), x, bags, &mut ids));
        }
    }
    let file = json!({
        "SaveName": "", "Date": "", "VersionNumber": "", "GameMode": "", "GameType": "", "GameComplexity": "", "Tags": [],
        "Gravity": 0.5, "PlayArea": 0.5, "Table": "", "Sky": "", "Note": "", "TabStates": {},
        "LuaScript": "", "LuaScriptState": "", "XmlUI": "",
        "ObjectStates": objects,
    });
    sanitize::for_json(serde_json::to_string_pretty(&file).unwrap_or_default()) + "\n"
}

fn ship_description(entry: &ManifestEntry) -> String {
    let mut parts = Vec::new();
    if !entry.hull_number.is_empty() {
        parts.push(entry.hull_number.clone());
    }
    if !entry.ship.is_empty() {
        parts.push(format!("class {}", entry.class));
    }
    if let Some(points) = entry.points {
        parts.push(plural(points, "point"));
    }
    parts.join(", ")
}

fn token_object(entry: &ManifestEntry, base: &str, ids: &mut BTreeSet<String>) -> Value {
    let url = |file: &str| format!("{base}{}", file.rsplit('/').next().unwrap_or(file));
    let (short, long) = (entry.width_mm.min(entry.height_mm), entry.width_mm.max(entry.height_mm));
    let own = entry.shape == "own";
    let scale = if own { long / MM_PER_UNIT / TOKEN_UNITS } else { short / MM_PER_UNIT / TILE_UNITS };
    let stack = entry.count > 1;
    let mut name = if own { "Custom_Token" } else { "Custom_Tile" }.to_owned();
    if stack {
        name += "_Stack";
    }
    let ship = if entry.ship.is_empty() { &entry.class } else { &entry.ship };
    let nickname = match (entry.is_ship, entry.number) {
        (true, _) => ship.clone(),
        (false, Some(number)) => format!("{} {number}", entry.label),
        (false, None) => entry.label.clone(),
    };
    let description =
        if entry.is_ship { ship_description(entry) } else { format!("{ship}\n{}", ship_description(entry)) };
    let mut object = base_object(&name, &nickname, description.trim_end(), scale, 0.0);
    let mut image = json!({
        "ImageURL": url(&entry.file),
        "ImageSecondaryURL": entry.back.as_deref().map(url).unwrap_or_default(),
        "ImageScalar": 1.0,
        "WidthScale": 0.0,
    });
    if own {
        image["CustomToken"] = json!({
            "Thickness": THICKNESS, "MergeDistancePixels": 15.0, "StandUp": false, "Stackable": stack,
        });
    } else {
        if entry.back.is_none() {
            image["ImageSecondaryURL"] = image["ImageURL"].clone();
        }
        // 3: a rectangle with rounded corners, as the pictures have.
        image["CustomTile"] = json!({ "Type": 3, "Thickness": THICKNESS, "Stackable": stack, "Stretch": true });
    }
    object.insert("CustomImage".into(), image);
    if stack {
        object.insert("Number".into(), entry.count.into());
    }
    with_guid(object, &entry.file, ids)
}

fn bag_object(name: &str, about: &str, key: &str, x: f64, inside: Vec<Value>, ids: &mut BTreeSet<String>) -> Value {
    let mut object = base_object("Bag", name, about, 1.0, x);
    object.insert("Number".into(), 0.into());
    object.insert("Bag".into(), json!({ "Order": 0 }));
    object.insert("ContainedObjects".into(), inside.into());
    with_guid(object, &format!("bag {key}"), ids)
}

fn base_object(name: &str, nickname: &str, description: &str, scale: f64, x: f64) -> Map<String, Value> {
    let scale = (scale * 10_000.0).round() / 10_000.0;
    let level = if name == "Bag" { scale } else { 1.0 };
    let object = json!({
        "GUID": "",
        "Name": name,
        "Transform": {
            "posX": x, "posY": 1.0, "posZ": 0.0, "rotX": 0.0, "rotY": 180.0, "rotZ": 0.0,
            "scaleX": scale, "scaleY": level, "scaleZ": scale,
        },
        "Nickname": nickname,
        "Description": description,
        "GMNotes": "",
        "AltLookAngle": { "x": 0.0, "y": 0.0, "z": 0.0 },
        "ColorDiffuse": { "r": 1.0, "g": 1.0, "b": 1.0 },
        "LayoutGroupSortIndex": 0,
        "Value": 0,
        "Locked": false,
        "Grid": false,
        "Snap": true,
        "IgnoreFoW": false,
        "MeasureMovement": false,
        "DragSelectable": true,
        "Autoraise": true,
        "Sticky": true,
        "Tooltip": true,
        "GridProjection": false,
        "HideWhenFaceDown": false,
        "Hands": false,
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
    });
    match object {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// Adds a unique id of six digits, derived from `key`.
fn with_guid(mut object: Map<String, Value>, key: &str, ids: &mut BTreeSet<String>) -> Value {
    let hash = fnv32(key.as_bytes());
    let mut number = (hash ^ (hash >> 24)) & 0x00ff_ffff;
    let mut id = format!("{number:06x}");
    while !ids.insert(id.clone()) {
        number = (number + 1) & 0x00ff_ffff;
        id = format!("{number:06x}");
    }
    object.insert("GUID".into(), id.into());
    Value::Object(object)
}
