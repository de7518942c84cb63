//! Mustering again: what is taken over from the time before makes no difference.

use moldloft::design::Document;
use moldloft::design::fleet::Fleet;
use moldloft::evaluate::report;
use moldloft::library::Games;
use moldloft::library::fleet::{Lies, Mustered, muster, muster_again};
use moldloft::source::Source;
use moldloft::store::{Kind, Store};

/// All that can be seen of it.
fn seen(fleet: &Mustered) -> String {
    let mut all = format!("{:?} {:?} {}\n", fleet.findings, fleet.points, fleet.legal);
    for unit in &fleet.units {
        let numbers: Vec<_> = unit.evaluation.counters.iter().map(|counter| counter.first).collect();
        let ship = &unit.evaluation.ship;
        all += &format!("{} {:?} {numbers:?} {ship:?} {}\n", unit.entry, unit.carried, report(&unit.evaluation));
    }
    all
}

#[test]
fn what_is_taken_over_makes_no_difference() {
    let games = Games::plain(&Store::built_in());
    for listed in games.store().list(Kind::Fleet) {
        let name = listed.path.to_string_lossy().replace('\\', "/");
        let lies = Lies { path: name.as_str().into(), built_in: true };
        let text = moldloft::store::built_in(&name).unwrap().text.to_string();
        let read = |text: &str| Fleet::read(&Source::new(name.as_str(), text)).unwrap();
        let mut before = muster(&games, read(&text), &lies, None);
        let mut document = Document::parse(&text).unwrap();
        let edits: [&dyn Fn(&mut Document); 6] = [
            &|document| document.set_ship(0, "name", "Other").unwrap(),
            &|document| drop(document.move_ship(0, 1)),
            &|document| document.set_ship(0, "count", 3).unwrap(),
            &|document| document.copy_ship(0).map(|_| ()).unwrap(),
            &|document| document.set_top("budget", 10).unwrap(),
            &|document| document.remove_ship(0).unwrap(),
        ];
        for edit in edits {
            edit(&mut document);
            let again = muster_again(&games, read(document.text()), &lies, None, Some(before));
            let anew = muster(&games, read(document.text()), &lies, None);
            assert_eq!(seen(&again), seen(&anew), "{name}\n{}", document.text());
            before = again;
        }
    }
}
