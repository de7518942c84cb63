//! Wars of Honor; its worked figures stand in `tests/rulesets.rs`, its random ships in `tests/oracle.rs` and `tests/sheets.rs`.

const ID: &str = "wars-of-honor";

#[test]
fn samples_are_legal_and_legible() {
    super::samples_hold(ID, 19);
}

#[test]
fn every_check_speaks_in_the_words_kept_beside_its_case() {
    super::every_check_speaks(ID);
}

#[test]
fn counters_and_reference_come_out() {
    super::counters_come_out(ID);
    super::reference_comes_out(ID);
}
