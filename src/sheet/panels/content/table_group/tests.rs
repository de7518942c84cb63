//! Tests of tables: shades by number, faces of dice.

use super::*;
use crate::scene::Shape;
use crate::sheet::layout::minimum_sizes::MinimumSizes;

fn damage() -> TableGroup {
    let number = |words: &str| TableCell::Number(words.into());
    let heads = ["weapon", "1", "2", "6"].map(Arc::from).to_vec();
    let row = vec![TableCell::Words("laser".into()), number("0"), number("−2"), number("3↻")];
    let part = TablePart { label: "".into(), headings: heads, rows: vec![row], note: "".into() };
    let mut style = TableStyle { faces: true, rerolled: Vec::new(), tint: None };
    style.set_tint(18.0, std::slice::from_ref(&part));
    TableGroup { parts: vec![part], min_folded_width: None, is_chart: false, style }
}

#[test]
fn shades_go_from_white_to_the_darkest() {
    let tint = damage().style.tint.unwrap();
    assert_eq!((tint.lowest, tint.highest), (-2, 3));
    let shares = [-2, 0, 3, 9].map(|number| tint.share(number));
    assert!(shares.windows(2).all(|pair| pair[0] <= pair[1]), "{shares:?}");
    assert_eq!((shares[0], shares[2], shares[3]), (0.0, 18.0, 18.0));
}

#[test]
fn dice_have_faces_and_zeros_are_grey() {
    let styles = TextStyles::new(MinimumSizes::default());
    let mut pen = SheetPen::new(styles, (0.0, 0.0));
    assert!(Box::new(damage()).draw(Rect::new(0.0, 0.0, 90.0, 40.0), &mut pen).is_none());
    let faces = pen.items.iter().filter(|item| matches!(item.shape, Shape::Rect { radius, .. } if radius > 0.0));
    assert_eq!(faces.count(), 3);
    let texts = pen.items.iter().filter_map(|item| match &item.shape {
        Shape::Text(text) => Some((text.shaped.text.to_string(), text.paint)),
        _ => None,
    });
    let texts: Vec<_> = texts.collect();
    let paint = |words: &str| texts.iter().find(|(known, _)| known == words).map(|(_, paint)| *paint);
    assert_eq!((paint("0"), paint("−2")), (Some(QUIET_INK), Some(INK)));
    // The sign is drawn.
    assert!(paint("3").is_some() && paint("3↻").is_none());
}
