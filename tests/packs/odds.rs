//! What the two sides of a battle do to each other, on their sheets: the figures are those of `moldloft odds`, and they take no further side of paper.

use std::fmt::Write;

use moldloft::design::{Design, Ship};
use moldloft::evaluate::{Evaluation, FightCard, evaluate};
use moldloft::odds::{MAX_CARD_CLASSES, Odds, OddsRequest, fight_cards, odds_text, work_out};
use moldloft::ruleset::SituationKind;

use super::*;
use crate::support::GAMES;

/// A design of a game with other counts of its systems, the same for the same seed.
fn random_ship(game: &str, seed: u64) -> Evaluation {
    let names: Vec<String> = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("designs").join(game))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| path.display().to_string())
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut below = |limit: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit
    };
    let text = fs::read_to_string(&names[below(names.len() as u64) as usize]).unwrap();
    let mut changed = String::new();
    for line in text.lines() {
        match line.strip_prefix("count = ").and_then(|count| count.parse::<u64>().ok()) {
            Some(count) => writeln!(changed, "count = {}", below(count + 3)).unwrap(),
            None => writeln!(changed, "{line}").unwrap(),
        }
    }
    let games = Rulesets::without_settings(&store());
    let rules = games.find(game).ruleset().unwrap().clone();
    evaluate(
        &rules,
        &Design::read(&Source::new(format!("{seed}.toml").as_str(), changed.as_str())).unwrap(),
        &Ship::default(),
    )
}

/// What `moldloft odds OWN --against TARGET --range R` prints of all that bears, as a card has it, for the bearing with the most; and the whole text.
fn printed(own: &Evaluation, target: &Evaluation, range: &str) -> (String, String) {
    let rules = &own.ruleset.attack_rules;
    let choice = rules.situations.iter().find_map(|rule| match &rule.kind {
        SituationKind::Choice(options) => Some((rule, options)),
        _ => None,
    });
    let (rule, options) = choice.expect("every game has one");
    let ask = |option: &str| {
        let request = OddsRequest::default().situation(vec![format!("range={range}"), format!("{}={option}", rule.id)]);
        work_out(own, target, &request.question(rules).unwrap())
    };
    let mean = |odds: &Odds| {
        odds.all.iter().find(|gauge| Some(gauge.gauge) == odds.headline).map_or(0.0, |gauge| gauge.mean())
    };
    let all = options.iter().map(|(id, _)| ask(id));
    let best = all.reduce(|best, next| if mean(&next) > mean(&best) { next } else { best }).unwrap();
    let text = odds_text(&best, false);
    let Some(line) = text.lines().find(|line| line.starts_with("all that bears")) else {
        return ("0.00".to_owned(), text);
    };
    let cells: Vec<&str> = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
    let cell = match cells[1..] {
        ["–", words] => words.to_owned(),
        [mean, _, _, "–" | "0.0 %", ..] => mean.to_owned(),
        [mean, _, _, "100.0 %", ..] => format!("{mean} · 100 %"),
        [mean, _, _, destroyed, ..] => format!("{mean} · {destroyed}"),
        _ => panic!("{line}"),
    };
    (cell, text)
}

/// A card's only row: the ranges, each with what is done and taken.
fn bands(card: &FightCard) -> Vec<[String; 3]> {
    let [(_, rows)] = &card.groups[..] else { panic!("{card:?}") };
    let [row] = &rows[..] else { panic!("{card:?}") };
    let bands = row[1..].chunks(3).filter(|band| band.len() == 3 && !band[2].is_empty());
    bands.map(|band| [band[0].clone(), band[1].clone(), band[2].clone()]).collect()
}

#[test]
fn a_card_says_what_the_odds_say() {
    let mut compared = 0;
    for game in GAMES {
        for seed in 0..2 {
            let ships = [random_ship(game, 2 * seed), random_ship(game, 2 * seed + 1)];
            let [first, second] = fight_cards([&[&ships[0]], &[&ships[1]]], &Progress::default()).unwrap();
            for (card, own, target) in [(first, &ships[0], &ships[1]), (second, &ships[1], &ships[0])] {
                let card = &card.each[0];
                let notes = card.notes.join("\n");
                for [range, does, takes] in bands(card) {
                    let nearest = range.split('–').next().unwrap();
                    for range in [nearest, range.rsplit('–').next().unwrap()] {
                        let (there, text) = printed(own, target, range);
                        let (back, answer) = printed(target, own, range);
                        let who = format!("{game} {seed}: {} on {} at {range}", own.name, target.name);
                        assert_eq!([&does, &takes], [&there, &back], "{who}\n{text}\n{answer}");
                        for text in [&text, &answer] {
                            let sure = text.contains("Exact:");
                            assert!(sure || !notes.contains("Exact:"), "{who}\n{text}\n{notes}");
                            let lists = text.lines().filter_map(|line| {
                                line.strip_prefix("assumed: ").or(line.strip_prefix("not counted: "))
                            });
                            for words in lists.flat_map(|list| list.split("; ")) {
                                assert!(notes.contains(words), "{who}: {words}\n{notes}");
                            }
                        }
                        compared += 1;
                    }
                }
            }
        }
    }
    assert!(compared > 40, "{compared}");
}

/// Both sample fleets of a game.
fn sample_battle(game: &str) -> Vec<EvaluatedFleet> {
    let folder = format!("designs/{game}/fleets");
    let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(&folder)).unwrap();
    let files: BTreeSet<String> =
        files.map(|file| format!("{folder}/{}", file.unwrap().file_name().to_string_lossy())).collect();
    let games = Rulesets::without_settings(&store());
    let read = |file: &String| {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
        check_fleet(&games, &Source::new(file.as_str(), text.as_str()), &FileRef::built_in(file)).unwrap()
    };
    files.iter().map(read).collect()
}

/// Fleets that share their ruleset, as those of one job do.
fn together(texts: &[&str], options: &PackOptions) -> PrintedPages {
    let games = Rulesets::without_settings(&store());
    let read = |text: &&str| check_fleet(&games, &Source::new("fleet.toml", text), &FileRef::default()).unwrap();
    packed_fleets(texts.iter().map(read).collect(), options)
}

fn without_odds() -> PackOptions {
    order().without(BTreeSet::from([PackPart::Odds]))
}

#[test]
fn odds_are_on_the_sheets_of_both_sides_and_take_no_side() {
    for game in GAMES {
        for paper in [Paper::A4, Paper::A5] {
            let on = |options: PackOptions| {
                let print = options.print.page_setup(paper.into());
                let options = options.print(print);
                let format = format_for("pdf").unwrap();
                print_fleets(&store(), &sample_battle(game), &options, format, &Progress::default())
            };
            let (with, without) = (on(order()), on(without_odds()));
            assert_eq!(with.scene.pages.len(), without.scene.pages.len(), "{game} {paper}");
            // A roster without room says so.
            let told =
                |found: &PrintedPages| found.findings.iter().map(|finding| finding.code.clone()).collect::<Vec<_>>();
            let left_out = told(&with);
            assert!(left_out.iter().all(|code| *code == "odds-left-out"), "{game} {paper}: {left_out:?}");
            assert!(told(&without).is_empty(), "{game} {paper}: {:?}", told(&without));
            let lists = |pages: &PrintedPages| {
                pages.scene.pages.iter().filter(|page| words(page).contains(&"THE ENEMY".to_owned())).count()
            };
            assert_eq!(lists(&without), 0, "{game}");
            let fleets = sample_battle(game);
            let led = fleets.iter().flat_map(|fleet| &fleet.units).filter(|unit| unit.carrier.is_none()).count();
            let found = lists(&with);
            let due = found + left_out.len() == fleets.len() || found * 2 >= led;
            assert!(due, "{game} {paper}: on {found} of {led}, {left_out:?}");
        }
    }
}

#[test]
fn odds_are_on_the_roster_or_on_pages_of_their_own_where_backs_are_not() {
    let titled = |pages: &[Page]| pages.iter().any(|page| words(page).contains(&"THE ENEMY".to_owned()));
    let one_sided = together(&[ESCORT, RAIDERS], &order().single_sided(true));
    for fleet in ["Escort of HM-17", "Raiders"] {
        let roster = section(&one_sided, fleet, "roster");
        assert!(titled(roster), "{fleet}: {:?}", roster.iter().map(words).collect::<Vec<_>>());
    }
    assert_eq!(titles(&one_sided, "odds"), [""; 0]);
    let alone = together(&[ESCORT, RAIDERS], &order().parts(BTreeSet::from([PackPart::Odds])));
    assert_eq!(titles(&alone, "odds").len(), 2);
    assert!(words(&alone.scene.pages[0]).contains(&"Vigilant".to_owned()), "{:?}", words(&alone.scene.pages[0]));
    // A class is named once, however many ships it has; what is towed does not fight.
    let rows = words(section(&alone, "Raiders", "odds").first().unwrap());
    assert_eq!(rows.iter().filter(|word| **word == "Petrel").count(), 1, "{rows:?}");
    assert!(!rows.contains(&"Quiver".to_owned()), "{rows:?}");
    assert!(!titled(&together(&[ESCORT], &order()).scene.pages));
}

#[test]
fn a_large_battle_has_the_odds_of_its_first_classes() {
    let many: Vec<Evaluation> =
        (0..=MAX_CARD_CLASSES as u64).map(|seed| random_ship("sky-full-of-ships", seed)).collect();
    let many: Vec<&Evaluation> = many.iter().collect();
    let one = random_ship("sky-full-of-ships", 99);
    let [large, small] = fight_cards([&many, &[&one]], &Progress::default()).unwrap();
    assert_eq!((large.each.len(), large.all.groups.len()), (MAX_CARD_CLASSES, MAX_CARD_CLASSES));
    assert_eq!(small.each[0].groups[0].1.len(), MAX_CARD_CLASSES);
}

/// What nobody decided is not told as 0, and a note about a ship is told once, with its name.
#[test]
fn notes_of_cards_say_nothing_twice_and_no_setting_that_is_none() {
    let games = Rulesets::without_settings(&store());
    let rules = games.find("wars-of-honor").ruleset().unwrap().clone();
    let ships = ["quiver", "vigilant"].map(|name| {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("designs/wars-of-honor/{name}.toml"));
        let text = fs::read_to_string(file).unwrap();
        evaluate(&rules, &Design::read(&Source::new(name, text.as_str())).unwrap(), &Ship::default())
    });
    for side in fight_cards([&[&ships[0]], &[&ships[1]]], &Progress::default()).unwrap() {
        let notes = side.each[0].notes.join("\n");
        assert_eq!(notes.matches("box launcher, pod: no attack").count(), 1, "{notes}");
        assert!(notes.contains("Quiver: box launcher, pod: no attack"), "{notes}");
        assert!(notes.contains("warhead laser heads") && !notes.contains("missiles in the salvo"), "{notes}");
    }
}
