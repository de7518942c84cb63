//! Fleets from file to units: the samples, what a fleet does to its ships, what is told of broken ones.

#![allow(clippy::disallowed_methods, reason = "tests read and write files")]

use moldloft::design::fleet::Fleet;
use moldloft::library::fleet::{Lies, Mustered, check};
use moldloft::library::{Games, fleet};
use moldloft::source::Source;
use moldloft::store::Store;

/// A built-in fleet.
fn sample(games: &Games, name: &str) -> Mustered {
    let source = moldloft::store::built_in(name).unwrap();
    check(games, &source, &Lies { path: name.into(), built_in: true }).unwrap()
}

#[test]
fn a_sample_fleet_gives_its_units_in_roster_order() {
    let games = Games::plain(&Store::built_in());
    let fleet = sample(&games, "designs/wars-of-honor/fleets/convoy-escort.toml");
    let said: Vec<String> =
        fleet.all_findings().map(|finding| format!("{} {}", finding.code, finding.message)).collect();
    assert!(fleet.legal && fleet.left_out.is_empty(), "{said:#?}");
    let keys: Vec<&str> = fleet.units.iter().map(|unit| &*unit.evaluation.ship.unit).collect();
    assert_eq!(keys, ["ca-301", "ca-301-quiver", "dd-118"]);
    assert_eq!(fleet.points, Some(1732 + 160 + 442));
    let pod = &fleet.units[1];
    assert_eq!((pod.towed_by, pod.evaluation.ship.owner.as_deref()), (Some(0), Some("CA-301")));
    assert!(fleet.units[0].evaluation.ship.damage.is_hit("structure", 2));
}

#[test]
fn numbers_of_counters_run_on_through_a_fleet() {
    let games = Games::plain(&Store::built_in());
    let text = "ruleset = 'wars-of-honor'\n[[ship]]\ndesign = 'Quiver'\ncount = 2\n";
    let read = Fleet::read(&Source::new("x.toml", text)).unwrap();
    let fleet = fleet::muster(&games, read, &Lies { path: "designs/x.toml".into(), built_in: true }, None);
    let mut next = None;
    for counter in
        fleet.units.iter().flat_map(|unit| &unit.evaluation.counters).filter(|counter| counter.first.is_some())
    {
        assert!(next.is_none_or(|next| counter.first == Some(next)), "{counter:?}");
        next = counter.first.map(|first| first + counter.count);
    }
    assert!(next.is_some());
}
