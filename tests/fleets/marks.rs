//! The stems of tick marks that damage is stated by are those that sheets draw, with as many boxes.

use std::collections::BTreeMap;
use std::sync::Arc;

use moldloft::evaluate::{Evaluation, marks};
use moldloft::library::{Games, check};
use moldloft::scene::{Item, MarkKind, Shape};
use moldloft::sheet::{Job, Options, Shelf, print};
use moldloft::store::{Kind, Store};

/// Every tick mark of items by its stem, with its numbers.
fn ticks(items: &[Item], found: &mut BTreeMap<String, Vec<u32>>) {
    for item in items {
        if let Some(mark) = item.mark.as_deref().filter(|mark| mark.kind == MarkKind::Tick) {
            let (stem, number) = mark.name.rsplit_once('_').unwrap();
            found.entry(stem.to_owned()).or_default().push(number.parse().unwrap());
        }
        if let Shape::Group { items, .. } = &item.shape {
            ticks(items, found);
        }
    }
}

fn drawn(ship: Evaluation, shelf: &Shelf) -> BTreeMap<Arc<str>, u32> {
    let (scene, _) = print(&Job { ships: &[ship], shelf, options: Options::default(), what: "sheets" });
    let mut found = BTreeMap::new();
    scene.pages.iter().for_each(|page| ticks(&page.items, &mut found));
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
    let games = Games::plain(&store);
    let shelf = Shelf::new(|ids, name| store.template(ids, name));
    let mut wrong = Vec::new();
    for listed in store.list(Kind::Design) {
        let source = moldloft::store::built_in(&listed.path.to_string_lossy()).unwrap();
        let ship = check(&games, &source).evaluation.unwrap();
        let (known, drawn) = (marks(&ship), drawn(ship, &shelf));
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
