//! Designs and fleets side by side: key values first, differences only, sheets, rows taken over as one step.

use std::collections::BTreeSet;

use moldloft::editor::compare_page::{CompareCommand, CompareTarget};
use moldloft::editor::{Command, InspectorTab};
use moldloft::evaluate::ComparedPart;
use moldloft::store::FileRef;

use crate::editor::bench::Bench;

const PETREL: &str = "designs/wars-of-honor/petrel.toml";
const GIRONDE: &str = "designs/wars-of-honor/gironde.toml";
const EISVOGEL: &str = "designs/wars-of-honor/eisvogel.toml";

fn side_by_side(others: &[&str]) -> Bench {
    let mut bench = Bench::opened(&[PETREL]);
    bench.give(Command::Compare(CompareCommand::Open));
    for other in others {
        bench.give(Command::Compare(CompareCommand::Add(CompareTarget::File(FileRef::built_in(*other)))));
    }
    bench
}

#[test]
fn three_designs_are_compared_by_what_matters_first() {
    let mut bench = side_by_side(&[GIRONDE, EISVOGEL]);
    let page = bench.state().compare_pages.open_page(bench.doc().id).expect("open");
    let titles: Vec<&str> = page.table.sections.iter().map(|section| &*section.title).collect();
    assert_eq!(titles[..2], ["Key values", "Cost"]);
    assert!(titles[2].starts_with("Aboard"), "{titles:?}");
    assert_eq!(page.table.sections[0].rows[0].label, "points");
    assert!(bench.shows("426  (−16) · better") && bench.shows_part("Gironde") && bench.shows_part("Eisvogel"));
    assert!(!bench.shows("EW drone"), "what is the same is hidden");
    bench.click("only differences");
    assert!(bench.shows("EW drone"));
    bench.click("Remove Eisvogel");
    assert!(!bench.shows("Eisvogel"));
    bench.click("Sheets");
    assert!(bench.shows("sheet of Petrel, page 1") && bench.shows("sheet of Gironde, page 1"));
    bench.click("Back to Petrel");
    assert!(bench.shows_part("Findings") && !bench.shows("Designs side by side"));
}

#[test]
fn a_row_is_taken_over_as_one_step() {
    let mut bench = side_by_side(&[GIRONDE]);
    let before = bench.text();
    bench.click_first("Take missile magazine over from Gironde");
    let text = bench.text();
    assert!(text.contains("feeds = 7") && !text.contains("feeds = 6"), "{text}");
    bench.give(Command::Undo);
    assert_eq!(bench.text(), before);
    bench.click_first("Take nation over from Gironde");
    assert!(bench.text().contains("nation = \"haven\""));
    // What the other one does not have goes.
    let part = ComparedPart::Fits { mount: "aft".into(), system: "missile-launcher".into() };
    bench.give(Command::Compare(CompareCommand::Take { column: 1, part }));
    let aft = |text: &str| text.contains("mount = \"aft\"");
    assert!(aft(&before));
    let evaluation = bench.doc().evaluation().expect("checked");
    let theirs =
        evaluation.fits.iter().filter(|fit| &*fit.mount == "aft" && &*fit.system == "missile-launcher").count();
    assert_eq!(theirs, 0, "{}", bench.text());
}

#[test]
fn other_games_and_the_ship_itself_are_not_offered() {
    let mut bench = side_by_side(&[]);
    assert!(bench.shows("Compare with Gironde") && !bench.shows("Compare with Petrel"));
    assert!(!bench.shows("Compare with Chicago"));
    bench.click("Compare with Gironde");
    assert!(bench.shows_part("rows differ"));
    // Another page of the design closes the comparison.
    bench.give(Command::ShowInspectorTab(InspectorTab::Explain));
    assert!(!bench.shows_part("rows differ"));
}

#[test]
fn fleets_are_compared_by_class_and_a_class_is_taken_over() {
    const ESCORT: &str = "designs/wars-of-honor/fleets/convoy-escort.toml";
    const RAID: &str = "designs/wars-of-honor/fleets/commerce-raid.toml";
    let mut bench = Bench::opened(&[ESCORT]);
    bench.give(Command::Compare(CompareCommand::Open));
    bench.give(Command::Compare(CompareCommand::Add(CompareTarget::File(FileRef::built_in(RAID)))));
    let page = bench.state().compare_pages.open_page(bench.doc().id).expect("open");
    let titles: Vec<&str> = page.table.sections.iter().map(|section| &*section.title).collect();
    assert_eq!(
        titles[..2],
        ["Key values", "Classes"],
        "{:?}",
        page.columns.iter().map(|column| column.is_ok()).collect::<Vec<_>>()
    );
    let class =
        page.table.sections[1].rows.iter().find(|row| row.cells[0].is_none()).expect("a class of theirs").label.clone();
    let before = (bench.text(), bench.doc().as_fleet().expect("a fleet").evaluated.points);
    bench.click(&format!("Take {class} over from {}", fleet_name(&bench)));
    let after = bench.doc().as_fleet().expect("a fleet").evaluated.points;
    assert!(after > before.1 && bench.text().contains(&class), "{}", bench.text());
    bench.give(Command::Undo);
    assert_eq!(bench.text(), before.0);
}

#[test]
fn a_class_comes_with_what_it_carries_its_loads_and_its_damage() {
    const ESCORT: &str = "designs/wars-of-honor/fleets/convoy-escort.toml";
    const RAID: &str = "designs/wars-of-honor/fleets/commerce-raid.toml";
    let mut bench = Bench::opened(&[RAID]);
    bench.give(Command::Compare(CompareCommand::Open));
    bench.give(Command::Compare(CompareCommand::Add(CompareTarget::File(FileRef::built_in(ESCORT)))));
    let carriers = |bench: &Bench, column: usize| -> Vec<(String, usize)> {
        let page = bench.state().compare_pages.open_page(bench.doc().id).expect("open");
        let fleet = page.columns[column].as_ref().unwrap().fleet().unwrap().0.clone();
        let units = fleet.units.iter().filter(|unit| unit.carried.is_none());
        let pods = |n: usize| fleet.units.iter().filter(|unit| unit.carrier == Some(n)).count();
        let place = |unit: &_| fleet.units.iter().position(|known| std::ptr::eq(known, unit)).unwrap();
        units.map(|unit| (unit.evaluation.name.to_string(), pods(place(unit)))).filter(|(_, pods)| *pods > 0).collect()
    };
    let theirs = carriers(&bench, 1);
    let (class, pods) = theirs.first().expect("a ship with pods in tow").clone();
    let part = ComparedPart::Class(class.clone());
    bench.give(Command::Compare(CompareCommand::Take { column: 1, part }));
    let text = bench.text();
    assert!(text.contains("load = [") && text.contains("nuclear = 30"), "{text}");
    assert!(carriers(&bench, 0).contains(&(class, pods)), "{text}");
    let fleet = bench.doc().as_fleet().unwrap().evaluated.clone();
    assert!(fleet.skipped.is_empty(), "{:?}", fleet.skipped);
    bench.give(Command::Undo);

    // Damage, and a design that is inside the other fleet's file.
    const RELIEF: &str = "designs/sky-full-of-ships/fleets/colm-relief.toml";
    const BLOCKADE: &str = "designs/sky-full-of-ships/fleets/colm-blockade.toml";
    let mut bench = Bench::opened(&[RELIEF]);
    bench.give(Command::Compare(CompareCommand::Open));
    bench.give(Command::Compare(CompareCommand::Add(CompareTarget::File(FileRef::built_in(BLOCKADE)))));
    let page = bench.state().compare_pages.open_page(bench.doc().id).expect("open");
    let other = page.columns[1].as_ref().unwrap().fleet().unwrap().0.clone();
    let classes: BTreeSet<String> = other.units.iter().map(|unit| unit.evaluation.name.to_string()).collect();
    for class in classes {
        bench.give(Command::Compare(CompareCommand::Take { column: 1, part: ComparedPart::Class(class) }));
    }
    let text = bench.text();
    assert!(text.contains("[ship.damage]") && text.contains("[[design]]"), "{text}");
    let fleet = bench.doc().as_fleet().unwrap().evaluated.clone();
    assert!(fleet.skipped.is_empty(), "{:?}", fleet.skipped);
    let damaged = |fleet: &moldloft::library::EvaluatedFleet| {
        fleet.units.iter().filter(|unit| unit.evaluation.ship.damage.stems().next().is_some()).count()
    };
    assert_eq!(damaged(&fleet), damaged(&other));
}

#[test]
fn an_own_system_is_taken_over() {
    const VARNIC: &str = "designs/b5-house-rules/varnic.toml";
    const SIRENNA: &str = "designs/b5-house-rules/sirenna.toml";
    let mut bench = Bench::opened(&[SIRENNA]);
    bench.give(Command::Compare(CompareCommand::Open));
    bench.give(Command::Compare(CompareCommand::Add(CompareTarget::File(FileRef::built_in(VARNIC)))));
    let page = bench.state().compare_pages.open_page(bench.doc().id).expect("open");
    let row = page.table.sections.iter().flat_map(|section| &section.rows).find(|row| {
        matches!(row.part, Some(ComparedPart::CustomSystem(_))) && row.cells[0].is_none() && row.cells[1].is_some()
    });
    let id = row.expect("an own system of theirs alone").label.clone();
    let before = bench.text();
    bench.click(&format!("Take {id} over from Var'Nic"));
    assert!(bench.text().contains(&format!("id = \"{id}\"")), "{}", bench.text());
    let facts = |bench: &Bench| {
        let page = bench.state().compare_pages.open_page(bench.doc().id).expect("open");
        let rows = page.table.sections.iter().flat_map(|section| &section.rows);
        rows.filter(|row| row.label == id).map(|row| row.differs).collect::<Vec<_>>()
    };
    assert_eq!(facts(&bench), [false], "it is as theirs");
    bench.give(Command::Undo);
    assert_eq!(bench.text(), before);
}

#[test]
fn files_are_not_read_again_at_every_edit() {
    let mut bench = side_by_side(&[]);
    let copy = bench.path("other.toml");
    std::fs::copy(bench.path(PETREL), &copy).unwrap();
    bench.give(Command::Compare(CompareCommand::Add(CompareTarget::File(FileRef::on_disk(&copy)))));
    let is_there = |bench: &Bench| {
        let page = bench.state().compare_pages.open_page(bench.doc().id).expect("open");
        page.columns[1].is_ok()
    };
    assert!(is_there(&bench));
    std::fs::remove_file(&copy).unwrap();
    let step = moldloft::design::DocumentEdit::set(moldloft::design::TablePath::Top, "notes", "x");
    bench.give(Command::Edit(moldloft::editor::Edit::single("notes", step)));
    assert!(is_there(&bench), "an edit reads no file");
    bench.give(Command::RereadFiles(vec![copy]));
    assert!(!is_there(&bench), "a change on disk does");
}

fn fleet_name(bench: &Bench) -> String {
    let page = bench.state().compare_pages.open_page(bench.doc().id).expect("open");
    page.columns[1].as_ref().expect("compared").name.clone()
}
