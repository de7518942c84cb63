//! Heights given to parts, and headings with nothing under them.

use super::*;

fn wants(start: f32, least: f32, natural: f32, most: f32) -> SizeHint {
    SizeHint { min_start: start, min: least, natural, max: most }
}

#[test]
fn natural_heights_first_then_growth() {
    let shares = allot_heights(&[wants(5.0, 10.0, 20.0, 20.0), wants(5.0, 10.0, 20.0, 60.0)], 62.0, 2.0);
    assert_eq!(shares, [20.0, 40.0]);
    let shares = allot_heights(&[wants(5.0, 10.0, 20.0, 20.0), wants(5.0, 10.0, 30.0, 60.0)], 37.0, 2.0);
    assert!((shares[0] - 15.0).abs() < 0.01 && (shares[1] - 20.0).abs() < 0.01, "{shares:?}");
}

#[test]
fn when_short_the_small_stay_whole_and_the_long_is_continued() {
    let shares = allot_heights(
        &[wants(8.0, 12.0, 20.0, 20.0), wants(8.0, 500.0, 900.0, 900.0), wants(8.0, 14.0, 20.0, 20.0)],
        100.0,
        2.0,
    );
    assert_eq!((shares[0], shares[2]), (20.0, 20.0));
    assert!((shares[1] - 56.0).abs() < 0.01, "{shares:?}");
    let shares = allot_heights(
        &[wants(8.0, 30.0, 60.0, 60.0), wants(8.0, 500.0, 900.0, 900.0), wants(8.0, 30.0, 40.0, 40.0)],
        100.0,
        2.0,
    );
    assert!((shares[0], shares[2]) == (30.0, 30.0) && (shares[1] - 36.0).abs() < 0.01, "{shares:?}");
    let used: f32 = allot_heights(&[wants(8.0, 60.0, 60.0, 60.0); 5], 20.0, 2.0)
        .iter()
        .filter(|h| **h > 0.0)
        .map(|h| h + 2.0)
        .sum();
    assert!(used > 0.0 && used <= 22.01);
}

#[test]
fn parts_use_the_room_of_one_that_waits_for_the_next_page() {
    let part = |min: f32, natural: f32| SizeHint { min_start: min, min, natural, max: natural };
    let wants = [part(20.0, 30.0), part(10.0, 25.0), part(60.0, 60.0)];
    assert_eq!(allot_in_order(&wants, 70.0, 4.0), [30.0, 25.0, 0.0]);
    // A part that is begun takes all that is left.
    let wants = [part(20.0, 30.0), SizeHint { min_start: 5.0, ..part(60.0, 60.0) }];
    assert_eq!(allot_in_order(&wants, 70.0, 4.0), [20.0, 46.0]);
}
