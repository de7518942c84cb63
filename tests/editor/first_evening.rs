//! The first evening: which games are played, sample ships, a first ship step by step in every game, the reference sheet in Help.

use egui_kittest::kittest::Queryable;
use moldloft::editor::guide::GuideCommand;
use moldloft::editor::library_browser::LibraryCommand;
use moldloft::editor::{Command, Settings, Tab};

use crate::editor::bench::Bench;

use crate::support::GAMES;

/// As at the very first start.
fn first_start() -> Bench {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("space/designs")).unwrap();
    std::fs::create_dir_all(folder.path().join("config")).unwrap();
    std::fs::write(folder.path().join("config/editor.json"), "{}").unwrap();
    Bench::over(folder)
}

#[test]
fn the_games_are_asked_for_once() {
    let mut bench = first_start();
    assert!(bench.shows("Which games do you play?"));
    assert!(bench.shows_part("Petrel") || bench.shows_part("points, built-in"), "sample ships are shown");
    bench.click("Star Navy v7");
    bench.click("Begin with this game");
    assert_eq!(bench.state().settings.games, Some(["star-navy".to_owned()].into()));
    assert!(bench.shows_part("Star Navy v7, 6 listed") && !bench.shows_part("A Sky Full of Ships"));
    let again = Settings::parse(&bench.state().settings.to_text()).unwrap();
    assert!(!again.must_ask_for_games());
    bench.click("Games…");
    assert!(bench.shows("Which games do you play?"));
    bench.click("All games");
    assert!(bench.shows_part("A Sky Full of Ships, 8 listed"));
    // Whoever has worked with it before is not asked.
    let known = Settings { recent: vec!["x.toml".into()], ..Settings::default() };
    assert!(!known.must_ask_for_games());
}

#[test]
fn every_game_has_a_first_ship_step_by_step() {
    let mut bench = Bench::new(&[]);
    for game in GAMES {
        bench.give(Command::Guide(GuideCommand::Start(game.into())));
        assert!(matches!(bench.state().tab, Tab::Doc(_)) && bench.shows("YOUR FIRST SHIP"), "{game}");
        let steps: Vec<String> = {
            let ship = bench.doc().evaluation().expect("checked");
            ship.ruleset.guide.iter().map(|step| step.label.to_string()).collect()
        };
        let mut heights = std::collections::BTreeSet::new();
        for step in &steps {
            let button = bench.harness.get_by_label(&format!("Do the step {step}")).rect();
            heights.insert(button.top().round() as i32);
            bench.click(&format!("Do the step {step}"));
        }
        assert_eq!(heights.len(), 1, "{game}: the buttons of all steps are at one height, found {heights:?}");
        assert_eq!(bench.doc().is_legal(), Some(true), "{game}:\n{}", bench.text());
        assert!(bench.shows_part("That is a whole ship"), "{game}");
        // One undo takes back one step.
        bench.give(Command::Undo);
        let last = steps.last().expect("steps");
        assert!(bench.shows(&format!("Do the step {last}")), "{game}");
        bench.click("Close the guide");
        assert!(!bench.shows("YOUR FIRST SHIP"));
    }
}

#[test]
fn the_guide_keeps_the_keyboard() {
    let mut bench = Bench::new(&[]);
    bench.give(Command::Guide(GuideCommand::Start("sky-full-of-ships".into())));
    let steps: Vec<String> = {
        let ship = bench.doc().evaluation().expect("checked");
        ship.ruleset.guide.iter().map(|step| step.label.to_string()).collect()
    };
    for step in &steps {
        assert_eq!(bench.focused().as_deref(), Some(&*format!("Do the step {step}")));
        bench.press(egui::Modifiers::NONE, egui::Key::Enter);
    }
    assert_eq!(bench.focused().as_deref(), Some("Print the first ship"));
    // F6: the menu, the tabs, the guide. A step that is opened out of its turn has the focus, too.
    bench.give(Command::Undo);
    bench.focus("File");
    for _ in 0..2 {
        bench.press(egui::Modifiers::NONE, egui::Key::F6);
    }
    assert_eq!(bench.focused().as_deref(), Some("Close the guide"));
    bench.press(egui::Modifiers::NONE, egui::Key::Tab);
    let last = steps.last().expect("steps");
    assert_eq!(bench.focused().as_deref(), Some(&*format!("Do the step {last}")), "its buttons are above the list");
    for _ in 0..8 {
        if bench.focused().is_some_and(|name| name.starts_with("Step 1,")) {
            break;
        }
        bench.press(egui::Modifiers::NONE, egui::Key::Tab);
    }
    assert_eq!(bench.focused().as_deref(), Some(&*format!("Step 1, {}, done", steps[0])));
    assert!(has_ring(&bench, &format!("Step 1, {}, done", steps[0])), "its focus is seen");
    bench.press(egui::Modifiers::NONE, egui::Key::Enter);
    assert_eq!(bench.focused().as_deref(), Some("Next step"));
    bench.press(egui::Modifiers::NONE, egui::Key::Enter);
    assert_eq!(bench.focused().as_deref(), Some(&*format!("Do the step {}", steps.last().expect("steps"))));
}

#[test]
fn the_focus_is_seen_on_numbers_that_look_like_text() {
    let mut bench = Bench::new(&[]);
    bench.give(Command::Guide(GuideCommand::Start("sky-full-of-ships".into())));
    assert!(!has_ring(&bench, "points: 1"));
    bench.focus("points: 1");
    assert!(has_ring(&bench, "points: 1"));
}

/// Whether a frame in the colour of the focus is drawn around the widget.
fn has_ring(bench: &Bench, label: &str) -> bool {
    let rect = bench.harness.get_by_label(label).rect();
    let stroke = bench.harness.ctx.global_style().visuals.selection.stroke;
    bench.harness.output().shapes.iter().any(|shape| match &shape.shape {
        egui::Shape::Rect(drawn) => {
            drawn.stroke == stroke && drawn.rect.contains_rect(rect) && drawn.rect.width() < rect.width() + 10.0
        }
        _ => false,
    })
}

#[test]
fn a_narrow_window_shows_the_next_step_above_the_design() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("space/designs")).unwrap();
    let mut bench = Bench::sized(folder, 683.0, 467.0);
    bench.give(Command::Guide(GuideCommand::Start("star-navy".into())));
    assert!(bench.shows("YOUR FIRST SHIP") && bench.shows("Do the step A core"));
    assert!(!bench.shows_part("Step 2"));
}

#[test]
fn the_reference_sheet_is_in_help() {
    let mut bench = Bench::new(&[]);
    bench.give(Command::Library(LibraryCommand::Scan));
    bench.give(Command::Guide(GuideCommand::ShowReference(Some("star-navy".into()))));
    assert!(bench.shows("Reference sheet") && bench.shows("reference sheet, page 1"));
    bench.click("Close");
    assert!(bench.state().guides.reference.is_none());
}

#[test]
fn a_new_design_can_be_made_before_the_question_is_answered() {
    let mut bench = first_start();
    bench.press(egui::Modifiers::COMMAND, egui::Key::N);
    assert!(!bench.shows("Which games do you play?"), "it stood in the way");
    assert!(bench.shows_part("New design for Wars of Honor") && bench.state().settings.games.is_some());
}

#[test]
fn the_palette_makes_designs_and_fleets_of_every_game() {
    let mut bench = Bench::new(&[]);
    bench.press(egui::Modifiers::COMMAND, egui::Key::K);
    bench.type_text("new design honor");
    bench.press(egui::Modifiers::NONE, egui::Key::Enter);
    assert_eq!(bench.doc().ruleset_id().map(|id| id.to_string()).as_deref(), Some("wars-of-honor"));
    bench.press(egui::Modifiers::COMMAND, egui::Key::K);
    bench.type_text("new fleet sky");
    bench.press(egui::Modifiers::NONE, egui::Key::Enter);
    assert!(bench.doc().as_fleet().is_some());
}

#[test]
fn ticked_games_count_when_a_first_ship_is_begun() {
    let mut bench = first_start();
    bench.click("Star Navy v7");
    bench.click("First ship for Wars of Honor 1.0");
    let played = ["star-navy".to_owned(), "wars-of-honor".to_owned()];
    assert_eq!(bench.state().settings.games, Some(played.into()));
}
