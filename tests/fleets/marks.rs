//! The stems of tick marks that damage is stated by are those that sheets draw, with as many boxes.

use std::collections::BTreeMap;
use std::sync::Arc;

use moldloft::evaluate::{BoxShape, Evaluation, tick_marks};
use moldloft::library::{Rulesets, check_source};
use moldloft::scene::{MarkKind, SceneItem, Shape};
use moldloft::sheet::{SheetJob, SheetOptions, TemplateCache, print};
use moldloft::store::{AssetKind, Store};

/// Every tick mark of items by its stem, with its numbers.
fn ticks(items: &[SceneItem], plain: &[Arc<str>], found: &mut BTreeMap<String, Vec<u32>>) {
    for item in items {
        // Numbers to strike out are shown, and are as good as boxes.
        let marks = item.mark.as_deref().filter(|mark| matches!(mark.kind, MarkKind::Tick | MarkKind::Shown));
        let struck = |stem: &str| plain.iter().any(|id| **id == *stem);
        if let Some((mark, (stem, number))) = marks.and_then(|mark| Some((mark, mark.name.rsplit_once('_')?)))
            && (mark.kind == MarkKind::Tick || struck(stem))
        {
            found.entry(stem.to_owned()).or_default().push(number.parse().unwrap());
        }
        if let Shape::Group { items, .. } = &item.shape {
            ticks(items, plain, found);
        }
    }
}

fn drawn(ship: Evaluation, shelf: &TemplateCache) -> BTreeMap<Arc<str>, u32> {
    let plain: Vec<Arc<str>> =
        ship.tracks.iter().filter(|track| track.shape == BoxShape::Plain).map(|track| track.id.clone()).collect();
    let (scene, _) =
        print(&SheetJob { ships: &[ship], templates: shelf, options: SheetOptions::default(), subject: "sheets" });
    let mut found = BTreeMap::new();
    scene.pages.iter().for_each(|page| ticks(&page.items, &plain, &mut found));
    let count = |(stem, mut numbers): (String, Vec<u32>)| {
        numbers.sort_unstable();
        assert!(numbers.iter().copied().eq(1..=numbers.len() as u32), "{stem}: {numbers:?}");
        (stem.into(), numbers.len() as u32)
    };
    found.into_iter().map(count).collect()
}

#[test]
fn stems_are_those_that_sheets_draw() {
    let store = Store::built_in();
    let games = Rulesets::without_settings(&store);
    let shelf = TemplateCache::new(|ids, name| store.template(ids, name));
    let mut wrong = Vec::new();
    for listed in store.list_assets(AssetKind::Design) {
        let source = moldloft::store::built_in_source(&listed.file.path.to_string_lossy()).unwrap();
        let ship = check_source(&games, &source).evaluation.unwrap();
        let known: BTreeMap<Arc<str>, u32> =
            tick_marks(&ship).into_iter().map(|(stem, boxes)| (stem, boxes.count)).collect();
        let drawn = drawn(ship, &shelf);
        let differ: Vec<String> = known
            .iter()
            .filter(|(stem, count)| drawn.get(*stem) != Some(count))
            .map(|(stem, count)| format!("{stem} {count} is drawn as {:?}", drawn.get(stem)))
            .chain(
                drawn
                    .iter()
                    .filter(|(stem, _)| !known.contains_key(*stem))
                    .map(|(stem, count)| format!("{stem} {count} is drawn only")),
            )
            .collect();
        if !differ.is_empty() {
            wrong.push(format!("{}: {}", listed.id, differ.join(", ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_ship_printed_alone_is_told_of_her_class() {
    let store = Store::built_in();
    let games = Rulesets::without_settings(&store);
    let shelf = TemplateCache::new(|ids, name| store.template(ids, name));
    let mut wrong = Vec::new();
    for listed in store.list_assets(AssetKind::Design) {
        let source = moldloft::store::built_in_source(&listed.file.path.to_string_lossy()).unwrap();
        let ship = check_source(&games, &source).evaluation.unwrap();
        let (scene, _) =
            print(&SheetJob { ships: &[ship], templates: &shelf, options: SheetOptions::default(), subject: "sheets" });
        // The line below the name says what she is: it is no line to write on.
        let mut fields = Vec::new();
        written(&scene.pages[0].items, &mut fields);
        if fields.iter().any(|name| name == "class") {
            wrong.push(listed.id.to_string());
        }
    }
    assert!(wrong.is_empty(), "no class stands on the sheets of {wrong:?}");
}

/// The names of all lines to write on.
fn written(items: &[SceneItem], found: &mut Vec<String>) {
    for item in items {
        found
            .extend(item.mark.as_deref().filter(|mark| mark.kind == MarkKind::Write).map(|mark| mark.name.to_string()));
        if let Shape::Group { items, .. } = &item.shape {
            written(items, found);
        }
    }
}
