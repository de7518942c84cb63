//! Tests of the pages of a battle: every ship on every paper, heads that do not touch, fields for the order.

use super::*;
use crate::sheet::page_setup::paper::Paper;
use moldloft_drawing::scene::Shape;

fn battle(ships: usize) -> Battle {
    let ship = |n: usize| BattleShip {
        hull_number: format!("DD-{n}").into(),
        name: format!("HMS Number {n} of the Long Names").into(),
        class: "Havoc".into(),
        points: Some(100 + n as i64),
        ..BattleShip::default()
    };
    let side = BattleSide {
        name: "First".into(),
        notes: "words ".repeat(60).into(),
        ships: (0..ships).map(ship).collect(),
        ..BattleSide::default()
    };
    let phases = vec![("1 Move".to_owned(), "all at once ".repeat(20)), ("2 Fire".to_owned(), String::new())];
    let acts = vec!["mv".into(), "fire".into()];
    Battle {
        game: "A Game".into(),
        sides: vec![side.clone(), side],
        phases,
        order: "initiative".into(),
        acts,
        ..Battle::default()
    }
}

#[test]
fn every_ship_has_its_line_on_every_paper() {
    for (paper, large_print) in [(Paper::A4, false), (Paper::Letter, true), (Paper::A5, false), (Paper::A3, true)] {
        let options = SheetOptions { page_setup: paper.into(), large_print, ..SheetOptions::default() };
        let area = options.page_setup.printable_areas()[0].area;
        for ships in [1, 30] {
            let pages = battle(ships).activation_pages(&options);
            assert!(ships > 1 || pages.len() == 1, "{paper}");
            let mut lines = 0;
            for item in pages.iter().chain(&battle(ships).scenario_pages(&options)).flat_map(|page| &page.items) {
                let (right, bottom) = match &item.shape {
                    Shape::Text(text) => {
                        lines += usize::from(text.shaped.text.starts_with("DD-"));
                        (text.x + text.width(), text.y)
                    }
                    Shape::Rect { rect, .. } => (rect.right(), rect.bottom()),
                    _ => continue,
                };
                assert!(right <= area.right() + 0.1 && bottom <= area.bottom() + 0.1, "{paper}: {right} {bottom}");
            }
            // Once, and again for later turns where the page has room.
            assert!(lines >= ships * 2 && lines.is_multiple_of(ships * 2), "{paper}: {lines}");
            let least = if paper == Paper::A4 { 1 } else { 4 };
            assert!(ships == 1 || lines <= ships * 2 * least, "{paper}: {lines}, though the page is full");
        }
    }
}

#[test]
fn small_paper_in_large_print_has_five_turns_and_one_scenario_page() {
    let options = SheetOptions { page_setup: Paper::A5.into(), large_print: true, ..SheetOptions::default() };
    let mut battle = battle(3);
    battle.sides.iter_mut().for_each(|side| side.notes = "She has been on station too long.".into());
    let pages = battle.activation_pages(&options);
    assert!(pages.iter().any(|page| has(page, "turn 5")), "five turns");
    assert_eq!(battle.scenario_pages(&options).len(), 1);
}

fn has(page: &Page, words: &str) -> bool {
    page.items.iter().any(|item| matches!(&item.shape, Shape::Text(text) if &*text.shaped.text == words))
}

fn lists_ships(page: &Page) -> bool {
    page.items.iter().any(|item| matches!(&item.shape, Shape::Text(text) if text.shaped.text.starts_with("DD-")))
}

/// The baselines at which these words are written.
fn baselines(page: &Page, words: &str) -> Vec<f32> {
    let texts = page.items.iter().filter_map(|item| match &item.shape {
        Shape::Text(text) if &*text.shaped.text == words => Some(text.y),
        _ => None,
    });
    texts.collect()
}

#[test]
fn the_order_has_a_field_for_each_turn_and_free_room_has_later_turns() {
    let options = SheetOptions::default();
    let rolled = battle(3).activation_pages(&options).remove(0);
    let turns = (1..).take_while(|n| has(&rolled, &format!("turn {n}"))).count();
    assert!(turns >= 10, "{turns} turns");
    // Two sides: a field with its word for each turn of each.
    assert_eq!(baselines(&rolled, "initiative").len(), turns * 2);
    // A long list has no room for one below it; small paper has fewer turns side by side, each with its field.
    let long = battle(14).activation_pages(&options);
    assert!(!has(&long[0], "turn 11") && has(&long[0], "turn 5"), "one list");
    let small = SheetOptions { page_setup: Paper::A5.into(), large_print: true, ..options };
    let pages = battle(3).activation_pages(&small);
    let turns = (1..).take_while(|n| pages.iter().any(|page| has(page, &format!("turn {n}")))).count();
    let fields: usize = pages.iter().map(|page| baselines(page, "initiative").len()).sum();
    assert!(turns >= 5 && fields >= turns * 2, "{turns} turns, {fields} fields");
}

#[test]
fn what_acts_by_itself_is_below_its_ship_with_fields_to_write_in() {
    for (paper, large_print) in [(Paper::A4, false), (Paper::A4, true), (Paper::A5, false), (Paper::A5, true)] {
        let options = SheetOptions { page_setup: paper.into(), large_print, ..SheetOptions::default() };
        let mut battle = battle(4);
        for (n, ship) in battle.sides.iter_mut().flat_map(|side| &mut side.ships).enumerate() {
            ship.craft = vec![BattleCraft { number: Some(1 + n as u32), name: format!("Flight {n}").into() }];
        }
        for page in battle.activation_pages(&options) {
            let texts: Vec<&str> = page
                .items
                .iter()
                .filter_map(|item| if let Shape::Text(text) = &item.shape { Some(&*text.shaped.text) } else { None })
                .collect();
            let ships = texts.iter().filter(|text| text.starts_with("DD-")).count();
            let flights = texts.iter().enumerate().filter(|(_, text)| text.starts_with("Flight "));
            for (at, text) in flights.clone() {
                let n: usize = text["Flight ".len()..].parse().unwrap();
                assert_eq!(texts[at - 1], (n + 1).to_string(), "{paper}: its counter's number");
            }
            assert_eq!(ships, flights.count(), "{paper}: a ship and its flight are on one page");
            let fields = page.items.iter().filter_map(|item| match &item.shape {
                Shape::Rect { rect, .. } if rect.w > rect.h * 1.2 => Some(rect.h),
                _ => None,
            });
            let lowest = fields.fold(f32::MAX, f32::min);
            assert!(ships == 0 || lowest >= 5.99, "{paper}: {lowest}");
        }
    }
}

#[test]
fn one_act_a_turn_is_named_once_above_one_line_of_heads() {
    let battle = Battle { acts: vec!["acted".into()], order: "".into(), ..battle(3) };
    let page = battle.activation_pages(&SheetOptions::default()).remove(0);
    assert!(has(&page, "acted in turn") && has(&page, "13"), "turns 13 and later are below");
    assert_eq!(baselines(&page, "points"), baselines(&page, "ship"));
    assert_eq!(baselines(&page, "ship")[0], baselines(&page, "1")[0], "names, points and turns in one line");
}

#[test]
fn heads_of_turns_never_touch() {
    for acts in [&["acted"][..], &["mv", "fire"], &[]] {
        for (paper, large_print) in [(Paper::A4, false), (Paper::A4, true), (Paper::A5, false), (Paper::A5, true)] {
            let options = SheetOptions { page_setup: paper.into(), large_print, ..SheetOptions::default() };
            let battle = Battle { acts: acts.iter().map(|&act| act.into()).collect(), ..battle(4) };
            let pages = battle.activation_pages(&options);
            let mut heads: Vec<(f32, f32, f32)> = Vec::new();
            // The lists may begin on the second page.
            let page = pages.iter().find(|page| lists_ships(page)).unwrap();
            for item in &page.items {
                let Shape::Text(text) = &item.shape else { continue };
                let number = text.shaped.text.trim_start_matches("turn ");
                if number == "turn" || number == "acted in turn" || number.parse::<u16>().is_ok_and(|n| n <= 20) {
                    heads.push((text.y, text.x, text.x + text.width()));
                }
            }
            heads.sort_by(|a, b| a.partial_cmp(b).unwrap());
            assert!(heads.len() > 1, "{paper}, {large_print}");
            for pair in heads.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
                assert!(pair[1].1 - pair[0].2 >= 1.0, "{acts:?}, {paper}, {large_print}: {pair:?}");
            }
        }
    }
}

#[test]
fn what_is_noted_once_a_turn_has_a_field_for_each_turn_of_each_list() {
    for (paper, large_print) in [(Paper::A4, false), (Paper::A5, false), (Paper::A5, true)] {
        let options = SheetOptions { page_setup: paper.into(), large_print, ..SheetOptions::default() };
        let plain = Battle { turns_in_cycle: 4, ..battle(2) };
        let noted = Battle { each_turn: vec!["who began firing".into()], ..plain.clone() };
        let fields = |pages: &[Page]| -> usize {
            let wide = |item: &&moldloft_drawing::scene::SceneItem| matches!(&item.shape, Shape::Rect { rect, .. } if rect.w > rect.h * 1.2 && rect.h >= 5.99);
            pages.iter().map(|page| page.items.iter().filter(wide).count()).sum()
        };
        let pages = noted.activation_pages(&options);
        let lists: usize = pages.iter().map(|page| baselines(page, "who began firing").len()).sum();
        let turns = pages.iter().map(|page| baselines(page, "initiative").len()).sum::<usize>() / 2;
        assert!(lists >= 1 && fields(&pages) == turns * 4 + turns, "{paper}: {turns} turns");
        assert!(pages.iter().any(|page| has(page, "2.1")), "{paper}: the first turn of the second cycle");
    }
}
