//! Mustering again: what is taken over from the time before makes no difference.

use moldloft::design::fleet::Fleet;
use moldloft::design::{Document, TableList, TablePath};
use moldloft::evaluate::report_json;
use moldloft::library::{EvaluatedFleet, Rulesets, evaluate_fleet, reevaluate_fleet};
use moldloft::source::Source;
use moldloft::store::{AssetKind, FileRef, Store};

/// All that can be seen of it.
fn seen(fleet: &EvaluatedFleet) -> String {
    let mut all = format!("{:?} {:?} {}\n", fleet.findings, fleet.points, fleet.legal);
    for unit in &fleet.units {
        let numbers: Vec<_> = unit.evaluation.counters.iter().map(|counter| counter.first).collect();
        let ship = &unit.evaluation.ship;
        all += &format!("{} {:?} {numbers:?} {ship:?} {}\n", unit.entry, unit.carried, report_json(&unit.evaluation));
    }
    all
}

#[test]
fn what_is_taken_over_makes_no_difference() {
    let games = Rulesets::without_settings(&Store::built_in());
    for listed in games.store().list_assets(AssetKind::Fleet) {
        let name = listed.file.path.to_string_lossy().replace('\\', "/");
        let lies = FileRef::built_in(name.as_str());
        let text = moldloft::store::built_in_source(&name).unwrap().text.to_string();
        let read = |text: &str| Fleet::read(&Source::new(name.as_str(), text)).unwrap();
        let mut before = evaluate_fleet(&games, read(&text), &lies, None);
        let mut document = Document::parse(&text).unwrap();
        let edits: [&dyn Fn(&mut Document); 6] = [
            &|document| document.set(&TablePath::Ship(0), "name", "Other").unwrap(),
            &|document| drop(document.reorder(&TableList::Ships, 0, 1)),
            &|document| document.set(&TablePath::Ship(0), "count", 3).unwrap(),
            &|document| document.duplicate_ship(0).map(|_| ()).unwrap(),
            &|document| document.set(&TablePath::Top, "budget", 10).unwrap(),
            &|document| document.remove(&TableList::Ships, 0).unwrap(),
        ];
        for edit in edits {
            edit(&mut document);
            let again = reevaluate_fleet(&games, read(document.text()), &lies, None, Some(before));
            let anew = evaluate_fleet(&games, read(document.text()), &lies, None);
            assert_eq!(seen(&again), seen(&anew), "{name}\n{}", document.text());
            before = again;
        }
    }
}
