//! A Sky Full of Ships: worked figures and random ships.

const ID: &str = "sky-full-of-ships";

#[test]
fn samples_are_legal_and_legible() {
    super::samples_hold(ID, 8);
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
