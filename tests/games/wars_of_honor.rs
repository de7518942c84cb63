//! Wars of Honor; its worked figures stand in `tests/rulesets.rs`, its random ships in `tests/oracle.rs` and `tests/sheets.rs`.

const ID: &str = "wars-of-honor";

super::game_of!(ID, 19);

/// The words of all pages of a job.
fn words(ship: &moldloft::evaluate::Evaluation) -> String {
    let (scene, findings) = super::printed(std::slice::from_ref(ship), moldloft::sheet::Options::default());
    assert!(findings.is_empty());
    let items = scene.pages.iter().flat_map(|page| &page.items);
    let words = items.filter_map(|item| match &item.shape {
        moldloft::scene::Shape::Text(text) => Some(text.run.text.to_string()),
        _ => None,
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn the_reference_says_of_pods_and_sidewalls_what_the_rules_say() {
    let reference = moldloft::evaluate::Evaluation::blank(&super::rules::load(ID), "reference").expect("there is one");
    let words = words(&reference);
    for said in
        ["or her drone in her", "rolls once for them", "18 still repair", "not in the text; your group's ruling"]
    {
        assert!(words.contains(said), "{said}: {words}");
    }
    assert!(!words.contains("die with her"), "the rules do not say so");
}

#[test]
fn a_ship_says_down_to_how_many_blocks_her_sidewall_is_repaired() {
    let ships = super::samples(ID);
    let vigilant = ships.iter().find(|ship| &*ship.name == "Vigilant").expect("the sample");
    // 37 blocks: with 18 left, half rounded down, she still repairs; up to half of 9 boxes are 4.
    let words = words(vigilant);
    assert!(words.contains("4 boxes a side back a turn, with 18 + blocks left"), "{words}");
    assert!(words.contains("1D6 for each of 70 systems") && words.contains("check numbers 5 and 4"), "{words}");
}
