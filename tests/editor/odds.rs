//! The page of odds: its numbers are those of the command line, it follows opponent, situation and edits, and says everything by name.

use std::path::Path;
use std::process::Command as Program;

use egui::accesskit::Role;
use egui::{Key, Modifiers, Rect, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use moldloft::design::{DocumentEdit, TablePath};
use moldloft::editor::jobs::{Jobs, Slices};
use moldloft::editor::library_browser::LibraryCommand;
use moldloft::editor::odds_page::model::{OddsAnswer, OddsCommand, OddsSelection, OddsView, Opponent};
use moldloft::editor::{Command, Dialog, Edit, InspectorTab, RightPage, Tab};
use moldloft::formula::Value;
use moldloft::odds::Odds;
use moldloft::odds::words::percent;
use moldloft::sanitize::plural;
use moldloft::store::FileRef;

use crate::editor::bench::{Bench, SAMPLES};

const VIGILANT: &str = "designs/wars-of-honor/vigilant.toml";
const SWORDFISH: &str = "designs/sky-full-of-ships/swordfish.toml";
const TERN: &str = "designs/sky-full-of-ships/tern.toml";
const CHICAGO: &str = "designs/star-navy/chicago.toml";
/// What the command line prints in the workspace.
fn cli(bench: &Bench, arguments: &[&str]) -> String {
    let program = Program::new(env!("CARGO_BIN_EXE_moldloft"))
        .arg("odds")
        .args(arguments)
        .current_dir(bench.folder.path().join("space"))
        .output()
        .unwrap();
    assert!(program.status.success(), "{}", String::from_utf8_lossy(&program.stderr));
    String::from_utf8_lossy(&program.stdout).into_owned()
}

/// Without a duel, as the command line.
fn open_odds(file: &str) -> Bench {
    let mut bench = Bench::opened(&[file]);
    send(&mut bench, OddsCommand::SetDuel(false));
    bench.click("Show the odds");
    bench
}

fn view(bench: &Bench) -> &OddsView {
    bench.state().odds.view(bench.doc().id).expect("the page is shown")
}

fn answer(bench: &Bench) -> &OddsAnswer {
    view(bench).answer.as_ref().expect("it is worked out")
}

fn odds(bench: &Bench) -> &Odds {
    answer(bench).pair().expect("one ship on another")
}

fn send(bench: &mut Bench, command: OddsCommand) {
    bench.give(Command::Odds(command));
}

/// What the page copies.
fn copied(bench: &mut Bench) -> String {
    bench.harness.state_mut().apply(Command::Odds(OddsCommand::Copy));
    bench.state().to_clipboard.clone().expect("in the clipboard")
}

fn range(bench: &Bench) -> &Value {
    &odds(bench).situation[0]
}

/// On the screen; the page must not be scrolled.
fn mark(bench: &Bench, name: &str) -> Rect {
    let picture = view(bench).picture.as_ref().expect("a chart");
    let shape = picture.index.marked_shapes.iter().find(|shape| &*shape.mark.name == name);
    let rect = shape.unwrap_or_else(|| panic!("nothing is marked {name}")).rect;
    let chart = bench.harness.get_by_label_contains("Chart of odds: ").rect();
    let per_mm = chart.width() / picture.size.0;
    Rect::from_min_size(chart.min + vec2(rect.x, rect.y) * per_mm, vec2(rect.w, rect.h) * per_mm)
}

#[test]
fn the_copied_text_is_what_the_command_line_prints() {
    for file in SAMPLES {
        let mut bench = open_odds(file);
        assert_eq!(copied(&mut bench), cli(&bench, &[file]), "{file}");
        assert!(bench.shows_part("Exact: every roll counted"));
    }
}

#[test]
fn what_is_too_much_to_work_out_is_asked_less_of_by_the_controls_of_the_page() {
    let mut bench = open_odds("designs/sky-full-of-ships/atlas.toml");
    send(&mut bench, OddsCommand::SetDuel(true));
    send(&mut bench, OddsCommand::SetTurns(2));
    assert!(bench.shows_part("lower “turns of fire”"));
    for control in ["attacks that count", "turns of fire", "duel"] {
        assert!(bench.shows(control), "{control}");
    }
    assert!(!bench.shows_part("ask for one attack"));
}

#[test]
fn the_rows_of_the_table_are_named_with_their_numbers() {
    let bench = open_odds(VIGILANT);
    let text = cli(&bench, &[VIGILANT]);
    let line = text.lines().find(|line| line.starts_with("missiles ")).unwrap();
    let mean = line.split_whitespace().nth(1).unwrap();
    assert!(bench.shows_part(&format!("missiles: mean {mean}, 8 in 10 ")), "{line}");
    assert!(bench.shows("laser, port: out of reach"));
    assert!(bench.shows_part("all that bears: mean "));
    // The sentences and what the figures rest on, as printed.
    for line in text.lines().filter(|line| line.starts_with("missiles: ") || line.contains("At equal points")) {
        assert!(bench.shows(line), "{line}");
    }
    assert!(bench.shows_part("range 0"), "the rows over the range");
}

#[test]
fn arrow_keys_move_the_range_by_slider_and_by_chart() {
    let mut bench = open_odds(TERN);
    let before = range(&bench).clone();
    let Value::Int(from) = before else { panic!("{before:?}") };
    bench.harness.get_by_role_and_label(Role::Slider, "range, inches").focus();
    bench.settle();
    bench.press(Modifiers::NONE, Key::ArrowRight);
    assert_eq!(*range(&bench), Value::Int(from + 1));
    bench.press(Modifiers::NONE, Key::ArrowLeft);
    bench.press(Modifiers::NONE, Key::ArrowLeft);
    assert_eq!(*range(&bench), Value::Int(from - 1));
    bench.harness.get_by_label_contains("Chart of odds: ").focus();
    bench.settle();
    bench.press(Modifiers::SHIFT, Key::ArrowRight);
    assert_eq!(*range(&bench), Value::Int(from + 9));
    bench.press(Modifiers::NONE, Key::ArrowLeft);
    assert_eq!(*range(&bench), Value::Int(from + 8));
    let range = (from + 8).to_string();
    assert_eq!(copied(&mut bench), cli(&bench, &[TERN, "--range", &range]));
}

#[test]
fn the_situation_has_an_input_of_its_kind_and_its_defaults_come_back() {
    let mut bench = open_odds(TERN);
    // In a narrow page it is a list.
    bench.click_part("arc of the primaries: ");
    bench.click("left");
    assert_eq!(copied(&mut bench), cli(&bench, &[TERN, "--with", "arc=left"]));
    bench.click("Reset the situation to its defaults");
    assert_eq!(copied(&mut bench), cli(&bench, &[TERN]));
    bench.click("target is slow");
    assert_eq!(copied(&mut bench), cli(&bench, &[TERN, "--with", "slow=true"]));
    bench.click("target is slow");
    assert!(view(&bench).situation.is_empty(), "what is the default is not kept");
}

#[test]
fn the_opponent_is_found_by_its_name() {
    let mut bench = open_odds(TERN);
    assert_eq!(odds(&bench).target.name, odds(&bench).attacker.name);
    bench.click("Opponent: a sister ship");
    bench.focus("Search the opponents");
    bench.type_text("swordf");
    bench.press(Modifiers::NONE, Key::Enter);
    assert_eq!(&*odds(&bench).target.name, "Swordfish");
    assert!(bench.shows("Opponent: Swordfish"));
    assert_eq!(copied(&mut bench), cli(&bench, &[TERN, "--against", "swordfish"]));
}

#[test]
fn an_open_design_that_is_not_saved_can_be_fired_at_and_its_edits_count() {
    let mut bench = Bench::new(&[TERN]);
    let text = std::fs::read_to_string(bench.path(TERN)).unwrap().replace("Tern", "Bulwark");
    bench.give(Command::OpenText { text: text.into() });
    let other = bench.doc().id;
    bench.open(TERN);
    bench.click("Show the odds");
    let own = bench.doc().id;
    bench.click("Opponent: a sister ship");
    bench.click_part(" points, open");
    assert_eq!(&*odds(&bench).target.name, "Bulwark");
    let before = answer(&bench).key.clone();
    bench.give(Command::ShowTab(Tab::Doc(other)));
    bench.give(Command::Edit(Edit::single("rename", DocumentEdit::set(TablePath::Top, "name", "Rampart"))));
    bench.give(Command::ShowTab(Tab::Doc(own)));
    assert_eq!(&*odds(&bench).target.name, "Rampart");
    assert_ne!(answer(&bench).key, before);
    // A closed opponent is reported, and another one can be chosen.
    bench.give(Command::CloseAnyway(other));
    assert!(bench.shows_part("the opponent is no longer open"));
    send(&mut bench, OddsCommand::SetOpponent(Opponent::Sister));
    assert_eq!(&*odds(&bench).target.name, "Tern");
}

#[test]
fn edits_count_at_once_and_odds_leave_no_trace_in_the_design() {
    let mut bench = open_odds(TERN);
    let (text, before) = (bench.text(), copied(&mut bench));
    send(&mut bench, OddsCommand::StepAxis(-5));
    send(&mut bench, OddsCommand::StepAxis(5));
    assert_eq!((bench.text(), bench.doc().history.undo_label()), (text, None));
    bench.give(Command::Edit(Edit::single("guns", DocumentEdit::set(TablePath::Fields, "primary_forward", 40))));
    let after = copied(&mut bench);
    assert_ne!(after, before);
    bench.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(copied(&mut bench), before);
}

#[test]
fn a_design_with_errors_has_odds_and_rules_without_attacks_say_so() {
    let mut bench = Bench::new(&[VIGILANT]);
    let broken = std::fs::read_to_string(bench.path(VIGILANT)).unwrap().replace("feeds = 14", "feeds = 1");
    std::fs::write(bench.path(VIGILANT), broken).unwrap();
    bench.open(VIGILANT);
    bench.click("Show the odds");
    assert!(bench.shows_part("Breaks the rules") && bench.shows_part("missiles: mean "));

    let rules = "[ruleset]\nid = \"dumb\"\ntitle = \"Dumb Boats\"\nversion = \"1\"\nschema = 1\n";
    let path = bench.path("rulesets/dumb.toml");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, rules).unwrap();
    bench.give(Command::RereadFiles(vec![bench.path("rulesets/dumb.toml")]));
    bench.give(Command::OpenText { text: "ruleset = \"dumb\"\nname = \"Skiff\"\n".into() });
    assert!(bench.shows_part("No odds: the rules of Dumb Boats do not say how attacks are resolved"));
    assert!(!bench.is_enabled("Copy the odds as text"));

    bench.give(Command::OpenText { text: "ruleset = \"no such game\"\nname = \"Skiff\"\n".into() });
    assert!(bench.shows_part("No odds: this ship cannot be checked yet"));
}

#[test]
fn a_bar_and_a_step_show_their_numbers_and_the_formulas_behind_them() {
    // With room for the steps beside the curve.
    let mut bench = Bench::opened_in(&[VIGILANT], 2800.0, 1400.0);
    bench.click("Show the odds");
    let at = mark(&bench, "bar_2").center();
    bench.click_at(at);
    assert_eq!(view(&bench).selection, Some(OddsSelection::Bar(2)));
    let gauge = odds(&bench).headline_of(&odds(&bench).all).unwrap();
    let (_, chance) = gauge.lost.iter().find(|(lost, _)| *lost == 2).unwrap();
    assert!(bench.shows("Structure: 2 lost"));
    assert!(bench.shows(&format!("exactly this: {:.1} %", chance * 100.0)));
    bench.click("Explain missiles");
    let Some(OddsSelection::Attack(place)) = view(&bench).selection else { panic!("{:?}", view(&bench).selection) };
    let rules = odds(&bench).rules();
    let attack = &rules.attacks[odds(&bench).attacks[place].attack];
    let labelled = attack.steps.iter().find(|step| step.label.is_some()).unwrap();
    let set = labelled.assignments.first().unwrap();
    assert!(bench.shows(&format!("= {}", set.formula.source)), "{}", set.formula.source);
    assert!(bench.shows(labelled.label.as_ref().unwrap()));
    bench.click("Close the explanation");
    let step = view(&bench)
        .picture
        .as_ref()
        .unwrap()
        .index
        .marked_shapes
        .iter()
        .find(|shape| shape.mark.name.starts_with("step_"));
    let name = step.unwrap().mark.name.to_string();
    let at = mark(&bench, &name).center();
    bench.click_at(at);
    assert_eq!(view(&bench).selection, Some(OddsSelection::Attack(place)));
    // The row of the table does the same.
    bench.click_part("missiles: mean ");
    assert_eq!(view(&bench).selection, None);
}

#[test]
fn a_row_over_the_range_moves_there() {
    let mut bench = open_odds(TERN);
    bench.click_part("range 25–36: mean ");
    assert_eq!(*range(&bench), Value::Int(25));
    send(&mut bench, OddsCommand::SetOver(Some("arc".into())));
    assert!(bench.shows_part("arc of the primaries forward: mean "));
    assert_eq!(copied(&mut bench), cli(&bench, &[TERN, "--range", "25", "--over", "arc"]));
}

#[test]
fn turns_and_duels_are_those_of_the_command_line() {
    let mut bench = open_odds(TERN);
    send(&mut bench, OddsCommand::SetTurns(3));
    assert!(bench.shows_part("turn 3, destroyed by then: Tern "));
    assert!(bench.shows_part("race, both unhurt while they fire: "));
    bench.click("duel");
    assert_eq!(copied(&mut bench), cli(&bench, &[TERN, "--turns", "3", "--duel"]));
    assert!(bench.shows_part("duel of 3 turns: "));
}

#[test]
fn all_against_all_compares_the_designs_of_the_game() {
    let mut bench = open_odds(TERN);
    bench.click("all against all");
    let matrix = answer(&bench).matrix().expect("a matrix");
    assert!(matrix.ships.len() > 3 && &*matrix.ships[0].name == "Tern");
    let terns = matrix.ships.iter().filter(|ship| &*ship.name == "Tern").count();
    assert_eq!(terns, 1, "an open design is not taken from the library as well");
    let trade = matrix.cells[0][1].trade.unwrap();
    let label = format!("Tern on {}: trade {trade:.2}, mean ", matrix.ships[1].name);
    assert!(bench.shows_part(&label), "{label}");
    assert!(copied(&mut bench).contains("points destroyed for each point lost"));
    assert!(bench.shows("Best: none"));
    send(&mut bench, OddsCommand::SetBest(Some("arc".into())));
    assert!(bench.shows("Best: arc of the primaries"));
    let matrix = answer(&bench).matrix().expect("a matrix");
    let rules = &matrix.ruleset.attack_rules;
    assert_eq!(matrix.best.map(|best| &*rules.situations[best].id), Some("arc"));
    assert!(bench.shows_part("with forward"));
    assert!(copied(&mut bench).contains("arc of the primaries, where one is best"));
}

#[test]
fn one_attack_can_be_counted_alone() {
    let mut bench = open_odds(SWORDFISH);
    assert!(odds(&bench).attacks.len() > 1);
    bench.click("Count: all attacks");
    bench.click("primaries");
    assert_eq!(odds(&bench).attacks.len(), 1);
    assert_eq!(copied(&mut bench), cli(&bench, &[SWORDFISH, "--attack", "primaries"]));
}

#[test]
fn other_rules_are_compared_side_by_side() {
    let bench = open_odds(SWORDFISH);
    let path = bench.path("rulesets/bloody.toml");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let layer = "[ruleset]\nid = \"bloody\"\ntitle = \"Bloody\"\nversion = \"1\"\nschema = 1\nextends = \"sky-full-of-ships\"\n\
                 [change.attack.primaries]\nwhen = \"range <= 9\"\n";
    std::fs::write(&path, layer).unwrap();
    let mut bench = Bench::over(bench.folder);
    bench.open(SWORDFISH);
    bench.click("Show the odds");
    bench.click("Compare with: no other rules");
    assert!(bench.shows("sky-plasma") && !bench.shows("woh-lasers"), "rules of the same game alone");
    bench.click("bloody");
    let arguments = [SWORDFISH, "--rules", "sky-full-of-ships", "--rules", "bloody"];
    let printed = cli(&bench, &arguments);
    assert_eq!(copied(&mut bench), printed);
    let line = printed.lines().find(|line| line.starts_with("hull, all that bears")).unwrap();
    let cells: Vec<&str> = line.split_whitespace().rev().collect();
    assert_ne!(cells[0], cells[1], "{printed}");
    let row = format!("hull, all that bears: sky-full-of-ships {}, bloody {}", cells[1], cells[0]);
    assert!(bench.shows(&row), "{row}");
    // The figures above stay those of the design's own rules.
    assert_eq!(*odds(&bench).ruleset.id, *"sky-full-of-ships");
    // Rules that cannot be used say so, and the rest is there.
    std::fs::write(&path, layer.replace("range <= 9", "range <= ")).unwrap();
    let mut bench = Bench::over(bench.folder);
    bench.open(SWORDFISH);
    send(&mut bench, OddsCommand::SetDuel(false));
    bench.click("Show the odds");
    send(&mut bench, OddsCommand::SetOtherRules(Some("bloody".to_owned())));
    assert!(bench.shows_part("cannot compare: the rules bloody cannot be used") || answer(&bench).other().is_some());
    assert!(odds(&bench).trade.is_some());
    send(&mut bench, OddsCommand::SetOtherRules(Some("nowhere".to_owned())));
    assert!(bench.shows_part("cannot compare: the rules nowhere cannot be used"));
    send(&mut bench, OddsCommand::SetOtherRules(None));
    assert!(answer(&bench).compared.is_none() && !bench.shows_part("cannot compare"));
    assert_eq!(copied(&mut bench), cli(&bench, &[SWORDFISH]));
}

#[test]
fn of_quick_changes_the_last_is_shown_and_what_each_tab_asks_stays() {
    let mut bench = Bench::opened(&[SWORDFISH, TERN]);
    bench.click("Show the odds");
    for _ in 0..12 {
        bench.harness.state_mut().apply(Command::Odds(OddsCommand::StepAxis(1)));
        // One frame for each, whether or not the one before is worked out.
        bench.harness.step();
    }
    bench.settle();
    let at = range(&bench).clone();
    assert!(view(&bench).is_current && at == Value::Int(22), "{at:?}");
    let swordfish = bench.doc().id;
    bench.open(TERN);
    assert_eq!(*range(&bench), Value::Int(10));
    assert_eq!(&*odds(&bench).attacker.name, "Tern");
    bench.give(Command::ShowTab(Tab::Doc(swordfish)));
    assert_eq!(*range(&bench), at);
    assert!(view(&bench).picture.is_some(), "drawn again");
}

#[test]
fn work_that_is_cancelled_waits_until_it_is_asked_for_again() {
    let folder = Bench::new(&[TERN]).folder;
    let mut bench = Bench::with_jobs(folder, 1280.0, 800.0, Jobs::with_runner(Slices::default(), || {}));
    bench.open(TERN);
    bench.click("Show the odds");
    let before = answer(&bench).key.clone();
    // The job waits for the next frame: the newer question cancels it, so that it never gives an answer.
    bench.harness.state_mut().apply(Command::Odds(OddsCommand::StepAxis(1)));
    bench.harness.step();
    assert!(bench.state().odds.is_working() && !view(&bench).is_current);
    assert_eq!(answer(&bench).key, before, "the old answer stays");
    bench.harness.state_mut().apply(Command::Odds(OddsCommand::Cancel));
    bench.settle();
    assert_eq!(answer(&bench).key, before);
    assert!(view(&bench).is_cancelled() && bench.shows("Cancelled"));
    bench.click("Work out the odds");
    assert!(view(&bench).is_current && answer(&bench).key != before);
    // A further change asks again by itself.
    send(&mut bench, OddsCommand::StepAxis(1));
    assert!(view(&bench).is_current);
}

#[test]
fn a_table_and_a_chart_are_saved_as_by_the_command_line() {
    let mut bench = open_odds(TERN);
    bench.click("Save or print the odds…");
    let table = bench.path("tern.csv");
    let Some(Dialog::OddsFile(dialog)) = bench.state().dialog.clone() else { panic!("no dialog") };
    assert!(Path::new(&dialog.path).ends_with("tern-on-tern-odds.pdf"), "{}", dialog.path);
    let dialog = |path: &Path, view| {
        let path = path.display().to_string();
        Command::OpenDialog(Dialog::OddsFile(moldloft::editor::odds_page::model::OddsFileDialog {
            path,
            paper: None,
            view,
            existing: None,
        }))
    };
    bench.give(dialog(&table, false));
    bench.click("Save");
    assert!(bench.state().dialog.is_none());
    cli(&bench, &[TERN, "-o", "by-cli.csv"]);
    let read = |bench: &Bench, name: &str| std::fs::read_to_string(bench.path(name)).unwrap();
    assert_eq!(read(&bench, "tern.csv"), read(&bench, "by-cli.csv"));
    // What exists is replaced only if the player agrees.
    std::fs::write(&table, "mine").unwrap();
    bench.give(dialog(&table, false));
    bench.click("Save");
    assert!(bench.shows_part("already exists") && read(&bench, "tern.csv") == "mine");
    bench.click("Replace");
    assert_ne!(read(&bench, "tern.csv"), "mine");
    bench.give(dialog(&bench.path("chart.svg"), true));
    bench.click("Save");
    cli(&bench, &[TERN, "-o", "by-cli.svg"]);
    assert_eq!(read(&bench, "chart.svg"), read(&bench, "by-cli.svg"));
    assert_eq!(bench.platform.borrow().views, [bench.path("chart.svg")]);
    bench.give(dialog(&bench.path("chart.doc"), false));
    bench.click("Save");
    assert!(bench.shows_part(".svg, .pdf, .png or .csv") && !bench.path("chart.doc").exists());
}

#[test]
fn a_key_and_the_switch_change_the_page_and_the_findings_stay_in_reach() {
    let mut bench = open_odds(TERN);
    assert!(!bench.shows_part("Sheet of Tern") && bench.shows_part("Chart of odds: Tern on Tern"));
    bench.press(Modifiers::COMMAND, Key::Num6);
    assert!(bench.shows_part("Sheet of Tern"));
    bench.press(Modifiers::COMMAND, Key::Num6);
    bench.press(Modifiers::COMMAND, Key::Num2);
    assert_eq!(bench.state().inspector_tab, InspectorTab::Explain);
    assert!(bench.shows("All values") && bench.shows_part("Chart of odds: "));
    bench.press(Modifiers::NONE, Key::F5);
    assert!(bench.shows_part("Sheet of Tern"), "F5 shows the sheet");
    // The page is remembered.
    bench.click("Show the odds");
    let mut bench = Bench::over(bench.folder);
    bench.open(TERN);
    assert_eq!(bench.state().settings.page, RightPage::Odds);
    assert!(bench.shows_part("Chart of odds: "));
}

#[test]
fn the_ship_that_a_fleet_shows_has_odds() {
    const FLEET: &str = "designs/sky-full-of-ships/fleets/colm-blockade.toml";
    let designs = ["halberd", "kriegdonner", "projector"].map(|id| format!("designs/sky-full-of-ships/{id}.toml"));
    let files: Vec<&str> = designs.iter().map(String::as_str).chain([FLEET]).collect();
    let mut bench = Bench::new(&files);
    bench.open(FLEET);
    bench.click("Show the odds");
    let own = bench.doc().shown_ship().unwrap().clone();
    assert_eq!(odds(&bench).attacker.name, own.name);
    let mean = odds(&bench).headline_of(&odds(&bench).all).map(|gauge| gauge.mean());
    assert!(mean.is_some_and(|mean| mean > 0.0), "{mean:?}");
    bench.click("all against all");
    let matrix = answer(&bench).matrix().expect("a matrix");
    let units = &bench.doc().as_fleet().unwrap().evaluated.units;
    assert_eq!(matrix.ships.len(), units.len(), "each unit has a class of its own");
    bench.click("all against all");
    bench.click("Opponent: a sister ship");
    assert!(bench.shows_part("Tern, 6 points, built-in"));
}

#[test]
fn a_narrow_page_has_a_chart_of_its_own_that_can_be_read() {
    let widths = [1024.0, 1900.0].map(|width| {
        let mut bench = Bench::opened_in(&[TERN], width, 700.0);
        bench.click("Show the odds");
        let picture = view(&bench).picture.as_ref().expect("a chart");
        assert!(picture.index.marked_shapes.iter().any(|shape| shape.mark.name.starts_with("bar_")));
        for shape in &picture.index.marked_shapes {
            assert!(shape.rect.x >= 0.0 && shape.rect.right() <= picture.size.0, "{}", shape.mark.name);
        }
        let chart = bench.harness.get_by_label_contains("Chart of odds: ").rect();
        // Its letters are 2.6 mm high.
        assert!(chart.width() / picture.size.0 * 2.6 > 12.5, "{chart:?} for {} mm", picture.size.0);
        picture.size.0
    });
    assert!(widths[0] < widths[1], "{widths:?}");
}

#[test]
fn the_first_sentence_says_who_is_stronger_by_what_and_where() {
    let mut bench = open_odds(VIGILANT);
    assert!(bench.shows_part("Vigilant and its sister are even at range 20 MU"));
    let sentence = |bench: &Bench, part: &str| bench.harness.get_by_label_contains(part).rect();
    let chart = bench.harness.get_by_label_contains("Chart of odds: ").rect();
    assert!(sentence(&bench, "its sister are even").bottom() <= chart.top());
    send(
        &mut bench,
        OddsCommand::SetOpponent(Opponent::File(FileRef::built_in("designs/wars-of-honor/ardennes.toml"))),
    );
    let (trade, dealt) = (odds(&bench).trade.unwrap(), "at equal points it destroys");
    let stronger = if trade > 1.0 { "Vigilant" } else { "Ardennes" };
    let figure = if trade > 1.0 { trade } else { 1.0 / trade };
    let words = format!("{stronger} is the stronger at range 20 MU: {dealt} {figure:.2} for each point it loses.");
    assert!(bench.shows(&words), "{words}");
    // Where it is not the same everywhere.
    let mut both = 0;
    for other in ["petrel", "germinal", "tramontane", "eisvogel"] {
        let file = FileRef::built_in(format!("designs/wars-of-honor/{other}.toml"));
        send(&mut bench, OddsCommand::SetOpponent(Opponent::File(file)));
        let trades = &odds(&bench).over.as_ref().unwrap().trades;
        let is_mixed = trades.iter().flatten().any(|trade| *trade > 1.01) && trades.iter().flatten().any(|t| *t < 0.99);
        assert!(!is_mixed || bench.shows_part("By range: Vigilant is ahead at "), "{other}");
        both += usize::from(is_mixed);
    }
    assert!(both > 0);
    let file = FileRef::built_in("designs/wars-of-honor/ardennes.toml");
    send(&mut bench, OddsCommand::SetOpponent(Opponent::File(file)));
    // Asked for, a duel decides.
    send(&mut bench, OddsCommand::SetDuel(true));
    let last = odds(&bench).duel.as_ref().unwrap().turns.last().unwrap().clone();
    let stronger = if last.first_wins > last.second_wins { "Vigilant" } else { "Ardennes" };
    assert!(bench.shows_part(&format!("{stronger} is the stronger: it wins ")), "{last:?}");
}

#[test]
fn the_page_begins_with_a_duel_as_a_bar() {
    let mut bench = Bench::opened(&[TERN]);
    bench.click("Show the odds");
    let last = odds(&bench).duel.as_ref().expect("a duel").turns.last().unwrap().clone();
    assert!(bench.shows_part(&format!("Duel: wins {}, ", percent(last.first_wins))), "{last:?}");
    bench.click("duel");
    assert!(!bench.shows_part("Duel: wins "));
}

#[test]
fn an_opponent_of_equal_points_is_pinned_in_the_headline() {
    let mut bench = Bench::opened(&[TERN]);
    bench.give(Command::Library(LibraryCommand::Scan));
    let frame = |bench: &Bench| ["Suggest…", "name"].map(|name| bench.harness.get_by_label(name).rect());
    let before = frame(&bench);
    bench.click("Fight it…");
    assert_eq!(frame(&bench), before, "nothing moves");
    let Opponent::File(file) = view(&bench).opponent.clone() else { panic!("{:?}", view(&bench).opponent) };
    let own = bench.doc().evaluation().unwrap().points.unwrap();
    let entries = bench.state().library.catalogue.entries();
    let of_game = entries.filter(|entry| &*entry.ruleset == "sky-full-of-ships" && &*entry.name != "Tern");
    let by: Vec<(bool, u64)> =
        of_game.filter_map(|entry| Some((entry.file == file, entry.points()?.abs_diff(own)))).collect();
    let pinned = by.iter().find(|(is_pinned, _)| *is_pinned).expect("of this game").1;
    assert!(by.len() > 3 && by.iter().all(|(_, by)| *by >= pinned), "{file:?}: {by:?}");
    let chances = |bench: &Bench| view(bench).fight.as_ref().unwrap().chances.clone().unwrap();
    let first = chances(&bench);
    assert!(bench.shows_part(&format!(": wins {}, ", percent(first.wins))), "{first:?}");
    // What it rests on is said with it.
    let rests_on = &view(&bench).fight.as_ref().unwrap().rests_on;
    let bar = bench.harness.get_by_label_contains("Fight against ");
    assert_eq!(bar.accesskit_node().description().as_deref(), Some(&**rests_on));
    assert!(
        rests_on.starts_with("range 10 inches")
            && rests_on.contains("not counted: what a critical hit does in later turns"),
        "{rests_on}"
    );
    // It moves with every change.
    bench.give(Command::Edit(Edit::single("more", DocumentEdit::set(TablePath::Fields, "primary_forward", 40))));
    assert!(chances(&bench).wins > first.wins + 0.1, "{first:?}, then {:?}", chances(&bench));
    assert_eq!(frame(&bench), before);
    bench.give(Command::Undo);
    assert_eq!(chances(&bench), first);
    // It is the opponent of the page, one click away, and remembered with the design.
    bench.click_part("Fight against ");
    assert_eq!(bench.state().settings.page, RightPage::Odds);
    bench.give(Command::ShowPage(RightPage::Sheet));
    let id = bench.doc().id;
    bench.give(Command::CloseAnyway(id));
    bench.open(TERN);
    assert_eq!(chances(&bench), first);
    send(&mut bench, OddsCommand::Unpin);
    assert!(bench.shows("Fight it…") && !bench.shows_part("Fight against "));
}

#[test]
fn turns_that_were_not_followed_are_no_draws() {
    let mut bench = Bench::opened(&[CHICAGO]);
    send(&mut bench, OddsCommand::Pin);
    let fight = view(&bench).fight.as_ref().expect("a fight");
    let chances = fight.chances.clone().expect("chances");
    assert!(chances.open() > 0.01 && chances.both_out < chances.open(), "{chances:?}");
    let neither = format!("neither after {}", plural(chances.turns, "turn"));
    let words = format!("both out {}, {neither} {}", percent(chances.both_out), percent(chances.open()));
    assert!(bench.shows_part(&words), "{words}");
}
