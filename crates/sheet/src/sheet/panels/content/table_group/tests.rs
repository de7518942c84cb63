//! Tests of tables: shades by number, faces of dice, grounds and frames.

use std::collections::BTreeSet;

use super::*;
use crate::sheet::layout::minimum_sizes::{INK, MinimumSizes, QUIET_INK};
use moldloft_drawing::scene::{PaintStyle, Shape};

fn damage() -> TableGroup {
    let number = |words: &str| TableCell::Number(words.into());
    let heads = ["weapon", "1", "2", "6"].map(Arc::from).to_vec();
    let row = vec![TableCell::Words("laser".into()), number("0"), number("−2"), number("3↻")];
    let part = TablePart { label: "".into(), headings: heads, rows: vec![row], note: "".into() };
    let mut style = TableStyle { faces: true, ..TableStyle::default() };
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

/// Headings of several words take lines of their own; no word of them is broken, and none is over its neighbour.
#[test]
fn headings_wider_than_their_columns_are_broken_into_lines() {
    let words = |words: &str| TableCell::Words(words.into());
    let heads = ["its course crosses yours at", "share"].map(Arc::from).to_vec();
    let row = vec![words("11–1, 5–7 o'clock"), words("not in the rules: ____________")];
    let part = TablePart { label: "".into(), headings: heads, rows: vec![row], note: "".into() };
    let style = TableStyle::default();
    let table = TableGroup { parts: vec![part], min_folded_width: None, is_chart: false, style };
    let styles = TextStyles::new(MinimumSizes::default());
    let height = |width: f32| table.measure(width, &styles).natural;
    let mut pen = SheetPen::new(styles, (0.0, 0.0));
    assert!(Box::new(table.clone()).draw(Rect::new(0.0, 0.0, 40.0, height(40.0)), &mut pen).is_none());
    let texts = pen.items.iter().filter_map(|item| match &item.shape {
        Shape::Text(text) => Some((text.shaped.text.to_string(), text.x, text.y, text.width())),
        _ => None,
    });
    let texts: Vec<_> = texts.collect();
    let share = texts.iter().find(|text| text.0 == "share").expect("a heading");
    let heading: Vec<_> = texts.iter().filter(|text| "its course crosses yours at".contains(&*text.0)).collect();
    assert!(heading.len() > 1, "{texts:?}");
    assert!(heading.iter().all(|line| line.1 + line.3 < share.1), "{texts:?}");
    assert_eq!(heading.iter().map(|line| &*line.0).collect::<BTreeSet<_>>().len(), heading.len());
    assert!(heading.iter().any(|line| (line.2 - share.2).abs() < 0.01), "the last line is level with other headings");
    let cells = texts.iter().filter(|text| text.0.starts_with("11") || text.0.starts_with("not"));
    assert!(cells.into_iter().all(|cell| heading.iter().all(|line| cell.2 > line.2)), "{texts:?}");
}

#[test]
fn rows_to_write_in_are_as_high_as_a_pencil_needs() {
    let styles = TextStyles::new(MinimumSizes::default());
    let rows = vec![vec![TableCell::Words("Starfury".into()), TableCell::Write("armour_1".into())]; 3];
    let part = TablePart { label: "".into(), headings: Vec::new(), rows, note: "".into() };
    let table = TableGroup { parts: vec![part], min_folded_width: None, is_chart: false, style: TableStyle::default() };
    let height = table.measure(60.0, &styles).natural;
    assert!(height >= 3.0 * 6.0, "{height}");
}

/// Headings over words leave the columns of numbers beside them as narrow as their numbers.
#[test]
fn folded_columns_are_as_narrow_as_their_numbers() {
    let styles = TextStyles::new(MinimumSizes::default());
    let number = |n: usize| TableCell::Number(n.to_string().into());
    let word = |words: &str| TableCell::Words(words.into());
    let row: Vec<TableCell> = [word("laser"), word("2D10")].into_iter().chain((0..20).map(number)).collect();
    let folded = |head: &str| {
        let heads = ["weapon".into(), Arc::from(head)].into_iter().chain((0..20).map(|n| n.to_string().into()));
        let part = TablePart { label: "".into(), headings: heads.collect(), rows: vec![row.clone()], note: "".into() };
        let style = TableStyle::default();
        let table = TableGroup { parts: vec![part], min_folded_width: Some(4.6), is_chart: false, style };
        table.fold_columns(130.0, &styles).len()
    };
    assert_eq!((folded(""), folded("damage")), (1, 1));
}

/// A row whose numbers have ended is not repeated under the others.
#[test]
fn rows_that_have_ended_are_not_folded() {
    let styles = TextStyles::new(MinimumSizes::default());
    let row = |name: &str, numbers: usize| -> Vec<TableCell> {
        let cell = |n: usize| TableCell::Number(if n < numbers { n.to_string().into() } else { "".into() });
        std::iter::once(TableCell::Words(name.into())).chain((0..24).map(cell)).collect()
    };
    let heads = std::iter::once("weapon".into()).chain((0..24).map(|n| n.to_string().into()));
    let rows = vec![row("gun", 4), row("missile", 24)];
    let part = TablePart { label: "".into(), headings: heads.collect(), rows, note: "".into() };
    let style = TableStyle::default();
    let table = TableGroup { parts: vec![part], min_folded_width: Some(4.6), is_chart: false, style };
    let rows: Vec<usize> = table.fold_columns(90.0, &styles).iter().map(|part| part.rows.len()).collect();
    assert_eq!(rows, [2, 1]);
}

/// Numbers between columns of words, such as damage in dice, are part of what each fold begins with, and leave the columns that are folded as
/// narrow as their own numbers.
#[test]
fn numbers_between_words_are_not_folded() {
    let styles = TextStyles::new(MinimumSizes::default());
    let number = |words: String| TableCell::Number(words.into());
    let word = |words: &str| TableCell::Words(words.into());
    let first = [word("heavy laser cannon"), number("2D10+4".into()), word("standard"), word("power 2 · int. −2")];
    let row: Vec<TableCell> = first.into_iter().chain((0..24).map(|n| number((12 - n).to_string()))).collect();
    let heads = ["weapon", "damage", "mode", ""].map(Arc::from).into_iter();
    let heads = heads.chain((0..24).map(|n| n.to_string().into()));
    let part = TablePart { label: "".into(), headings: heads.collect(), rows: vec![row], note: "".into() };
    let style = TableStyle::default();
    let table = TableGroup { parts: vec![part], min_folded_width: Some(4.6), is_chart: false, style };
    let folded = |width: f32| table.fold_columns(width, &styles);
    let counts = |width: f32| folded(width).iter().map(|part| part.headings.len()).collect::<Vec<_>>();
    // In one line where only the columns of two figures are wider than the others.
    assert_eq!((counts(194.0), counts(160.0)), (vec![4 + 24], vec![4 + 12, 4 + 12]));
    for (part, width) in
        folded(194.0).iter().map(|part| (part, 194.0)).chain(folded(160.0).iter().map(|part| (part, 160.0)))
    {
        assert_eq!(part.headings[..3].iter().map(|head| &**head).collect::<Vec<_>>(), ["weapon", "damage", "mode"]);
        let widths = table.for_width(width, &styles).column_widths(part, width, &styles);
        assert!(widths.iter().sum::<f32>() <= width + 0.01, "{widths:?}");
        assert!(widths[1] > 10.0 && widths[4..].iter().all(|width| *width < 8.0), "{widths:?}");
    }
}

/// Beside a line to write on, a box is level with the words of its row, and under the left edge of its heading.
#[test]
fn boxes_are_level_with_the_words_of_their_row() {
    let styles = TextStyles::new(MinimumSizes::default());
    let heads = ["flight", "out", "speed"].map(Arc::from).to_vec();
    let ticks = TableCell::Ticks("flights_1_out".into(), vec![1], 0, BoxShape::Square);
    let row = vec![TableCell::Words("Starfury".into()), ticks, TableCell::Write("flights_1_speed".into())];
    let part = TablePart { label: "".into(), headings: heads, rows: vec![row], note: "".into() };
    let style = TableStyle::default();
    let table = TableGroup { parts: vec![part], min_folded_width: None, is_chart: false, style };
    let height = table.measure(90.0, &styles).natural;
    let mut pen = SheetPen::new(styles, (0.0, 0.0));
    assert!(Box::new(table).draw(Rect::new(0.0, 0.0, 90.0, height), &mut pen).is_none());
    let text = |words: &str| {
        let text = pen.items.iter().find_map(|item| match &item.shape {
            Shape::Text(text) if *text.shaped.text == *words => Some((text.x, text.y)),
            _ => None,
        });
        text.unwrap_or_else(|| panic!("{words}"))
    };
    let place = pen.items.iter().find_map(|item| match (&item.mark, &item.shape) {
        (Some(mark), Shape::Rect { rect, .. }) if mark.name.starts_with("flights_1_out") => Some(*rect),
        _ => None,
    });
    let place = place.expect("a box");
    assert!((text("out").0 - place.x).abs() < 0.6, "{} {}", text("out").0, place.x);
    let middle = text("Starfury").1 - styles.body.cap_height() / 2.0;
    assert!((middle - place.y - place.h / 2.0).abs() < 0.8, "{middle} {place:?}");
}

/// Rules in rows: `rows` of them, each with what it is about.
fn rules(rows: usize, style: TableStyle) -> TableGroup {
    let row = |n: usize| vec![TableCell::Term(format!("rule {n}").into()), TableCell::Words("as it says".into())];
    let headings = ["", ""].map(Arc::from).to_vec();
    let part = TablePart { label: "".into(), headings, rows: (0..rows).map(row).collect(), note: "".into() };
    TableGroup { parts: vec![part], min_folded_width: None, is_chart: false, style }
}

fn rects(pen: &SheetPen) -> Vec<(Rect, PaintStyle)> {
    let rects = pen.items.iter().filter_map(|item| match &item.shape {
        Shape::Rect { rect, style, .. } => Some((*rect, style.clone())),
        _ => None,
    });
    rects.collect()
}

#[test]
fn every_second_row_is_on_a_ground_and_rows_grow_to_their_limit() {
    let styles = TextStyles::new(MinimumSizes::default());
    let table = rules(5, TableStyle { bands: true, ..TableStyle::default() });
    let wants = table.measure(80.0, &styles);
    assert!(wants.max > wants.natural && wants.natural == wants.min, "{wants:?}");
    let heights = |height: f32| {
        let mut pen = SheetPen::new(styles, (0.0, 0.0));
        assert!(Box::new(table.clone()).draw(Rect::new(10.0, 5.0, 80.0, height), &mut pen).is_none());
        let grounds = rects(&pen);
        assert_eq!(grounds.len(), 2);
        let is_ground = |(rect, style): &(Rect, PaintStyle)| rect.w == 80.0 && style.stroke.is_none();
        assert!(grounds.iter().all(is_ground), "{grounds:?}");
        // The grounds are under the second and the fourth row.
        assert!((grounds[1].0.y - grounds[0].0.y - 2.0 * grounds[0].0.h).abs() < 0.01, "{grounds:?}");
        assert!(grounds[1].0.bottom() + grounds[0].0.h <= 5.0 + height + 0.05, "{grounds:?}");
        grounds[0].0.h
    };
    let (least, most) = (heights(wants.natural), heights(wants.max));
    assert!(least < heights(wants.natural + 2.0) && heights(wants.natural + 2.0) < most);
    assert_eq!(heights(wants.max), heights(wants.max + 40.0), "the rest of the room stays free");
}

#[test]
fn framed_cells_have_one_width_and_their_words_in_the_middle() {
    let styles = TextStyles::new(MinimumSizes::default());
    let cell = |words: &str| TableCell::Words(words.into());
    let headings = ["1", "2", "3"].map(Arc::from).to_vec();
    let rows = vec![vec![cell("hull"), cell("shield"), cell("integrity")], vec![cell("a"), cell("b"), cell("c")]];
    let part = TablePart { label: "".into(), headings, rows, note: "".into() };
    let style = TableStyle { grid: true, faces: true, ..TableStyle::default() };
    let table = TableGroup { parts: vec![part], min_folded_width: None, is_chart: false, style };
    let mut pen = SheetPen::new(styles, (0.0, 0.0));
    assert!(Box::new(table).draw(Rect::new(0.0, 0.0, 90.0, 40.0), &mut pen).is_none());
    let (faces, frames): (Vec<_>, Vec<_>) = rects(&pen).into_iter().partition(|(rect, _)| rect.w < 10.0);
    assert_eq!((faces.len(), frames.len()), (3, 6), "the first column is one of the chart's");
    assert!(frames.iter().all(|(rect, _)| (rect.w - 30.0).abs() < 0.01), "{frames:?}");
    let middle = |words: &str| {
        pen.items.iter().find_map(|item| match &item.shape {
            Shape::Text(text) if &*text.shaped.text == words => Some(text.x + text.width() / 2.0),
            _ => None,
        })
    };
    assert!((middle("hull").unwrap() - 15.0).abs() < 0.1 && (middle("integrity").unwrap() - 75.0).abs() < 0.1);
}

/// Headings of numbers are broken before the words that name the rows.
#[test]
fn headings_of_numbers_give_way_to_words() {
    let styles = TextStyles::new(MinimumSizes::default());
    let number = |n: usize| TableCell::Number(n.to_string().into());
    let headings: Vec<Arc<str>> =
        std::iter::once("nation".into()).chain((0..6).map(|_| "laser head: defence".into())).collect();
    let row = std::iter::once(TableCell::Words("Silesian Confederacy".into())).chain((0..6).map(number)).collect();
    let part = TablePart { label: "".into(), headings, rows: vec![row], note: "".into() };
    let style = TableStyle::default();
    let table = TableGroup { parts: vec![part.clone()], min_folded_width: None, is_chart: false, style };
    let columns = table.column_widths(&part, 130.0, &styles);
    assert!(columns.iter().sum::<f32>() <= 130.01, "{columns:?}");
    assert!(styles.body.width("Silesian Confederacy") <= columns[0] - 1.6, "{columns:?}");
}
