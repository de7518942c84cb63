//! Suggestions: asked by button and by form, previewed without a change of the text, applied as one undo step, with the claims of the
//! command line; goals and pins.

use std::process::Command as Program;

use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT, Queryable};
use moldloft::editor::odds_page::model::OddsCommand;
use moldloft::editor::suggest::goals::{GoalLine, Relation};
use moldloft::editor::suggest::model::{AnswerStage, AskedQuestion, QuestionDraft, SuggestCommand};
use moldloft::editor::{Command, InspectorTab};
use moldloft::suggest::{Reply, Request, Sense, SpendLimit};

use crate::editor::bench::Bench;

const VIGILANT: &str = "designs/wars-of-honor/vigilant.toml";
const PETREL: &str = "designs/wars-of-honor/petrel.toml";

/// Seven launchers a side in place of five, and 90 laser heads: two changes make it legal.
fn refit() -> Bench {
    let mut bench = Bench::new(&[VIGILANT]);
    let path = bench.path(VIGILANT);
    let text = std::fs::read_to_string(&path).unwrap();
    let text = text.replace("count = 5", "count = 7").replace("laser_heads = 50", "laser_heads = 90");
    std::fs::write(path, text).unwrap();
    bench.open(VIGILANT);
    bench
}

fn suggest(bench: &mut Bench, command: SuggestCommand) {
    bench.give(Command::Suggest(command));
}

fn asked(bench: &Bench) -> AskedQuestion {
    let view = bench.state().suggestions.view(bench.doc().id).unwrap();
    view.asked.clone().expect("a question was asked")
}

fn reply(bench: &Bench) -> std::sync::Arc<Reply> {
    match asked(bench).stage {
        AnswerStage::Done { reply, .. } => reply,
        other => panic!("{other:?}"),
    }
}

/// What the command line prints for the open design.
fn printed(bench: &Bench, arguments: &[&str]) -> String {
    let file = bench.folder.path().join("asked.toml");
    std::fs::write(&file, bench.text()).unwrap();
    let mut program = Program::new(env!("CARGO_BIN_EXE_moldloft"));
    let run = program.arg("suggest").arg(&file).args(arguments).current_dir(bench.folder.path()).output().unwrap();
    String::from_utf8(run.stdout).unwrap()
}

/// The labels of the proposals' buttons.
fn rows(bench: &Bench, part: &str) -> Vec<String> {
    bench.harness.query_all_by_label_contains(part).filter_map(|node| node.accesskit_node().label()).collect()
}

fn hover(bench: &mut Bench, part: &str) {
    bench.harness.get_by_label_contains(part).scroll_to_me();
    bench.settle();
    let at = bench.harness.get_by_label_contains(part).rect().center();
    bench.harness.hover_at(at);
    bench.settle();
}

fn pick(bench: &mut Bench, menu: &str, entry: &str) {
    bench.click(menu);
    // The menu's own text may be the same.
    let entries: Vec<_> = bench.harness.query_all_by_label(entry).collect();
    entries.last().unwrap_or_else(|| panic!("no entry {entry}")).click_accesskit();
    drop(entries);
    bench.settle();
}

fn set_number(bench: &mut Bench, field: &str, number: &str) {
    bench.focus(field);
    bench.press(Modifiers::COMMAND, Key::A);
    bench.type_text(number);
    bench.press(Modifiers::NONE, Key::Enter);
}

#[test]
fn make_legal_chosen_from_the_palette_gives_the_focus_to_the_first_way() {
    let mut bench = refit();
    bench.press(Modifiers::COMMAND, Key::K);
    bench.type_text("make legal");
    bench.press(Modifiers::NONE, Key::Enter);
    assert_eq!(bench.state().inspector_tab, InspectorTab::Suggest);
    let focused = bench.focused().expect("the keyboard is somewhere");
    bench.press(Modifiers::NONE, Key::Enter);
    assert_eq!(bench.doc().is_legal(), Some(true), "Enter applies the first way; the focus was on {focused}");
}

#[test]
fn all_ways_with_the_fewest_changes_are_listed_above_the_findings() {
    let mut bench = refit();
    let before = bench.text();
    assert!(bench.shows_part("Findings ("));
    bench.click("Make legal…");
    assert_eq!(bench.state().inspector_tab, InspectorTab::Suggest);
    let printed = printed(&bench, &["--legal"]);
    assert!(bench.shows("No single change makes it legal (21 numbers may change). Two do, in 6 ways:"));
    assert!(printed.starts_with(&reply(&bench).heading), "{printed}");
    let ways = reply(&bench);
    assert_eq!(ways.proposals.len(), 6);
    for (n, way) in ways.proposals.iter().enumerate() {
        assert!(way.after.legal);
        let row = rows(&bench, &format!("{}. ", n + 1)).pop().unwrap();
        for change in &way.changes {
            assert!(row.contains(&change.words()) && printed.contains(&change.words()), "{row}");
        }
        let (was, now) = (bench.doc().evaluation().unwrap().points.unwrap(), way.after.points.unwrap());
        assert!(row.contains(&format!("{was} → {now} points")) && row.contains("no findings left"), "{row}");
    }
    assert_eq!(bench.text(), before);
    bench.click_part("4. ");
    assert_eq!(bench.text(), before.replace("count = 7", "count = 5").replace("laser_heads = 90", "laser_heads = 50"));
    assert!(bench.shows_part("Follows the rules") && bench.shows_part("One undo step takes it back"));
    bench.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(bench.text(), before, "one step back, byte for byte");
    assert!(bench.shows_part("6. "), "the answer holds again");
}

#[test]
fn a_preview_changes_numbers_and_sheet_but_no_text() {
    let mut bench = Bench::opened(&[VIGILANT]);
    let before = bench.text();
    let sheet = |bench: &Bench| {
        let shown = bench.state().preview.sheet(bench.doc().id).unwrap();
        (shown.key.proposal, shown.pages.ship.points)
    };
    assert_eq!(sheet(&bench), (None, Some(1732)));
    suggest(&mut bench, SuggestCommand::Ask(Request::Spend(SpendLimit::points(1_800))));
    hover(&mut bench, "3 more CnC, core: 1794 points");
    let previewed = bench.state().previewed().expect("the pointer is on it");
    assert_eq!(previewed.proposal.after.points, Some(1794));
    assert!(bench.shows_part("points: 1794 in the preview, 1732 now"));
    assert!(bench.shows_part("structure blocks: 38 in the preview, 37 now"), "as the break-points say");
    assert!(bench.shows("CnC, core: 6 in the preview"), "the form shows it, too");
    assert!(bench.shows("Preview: nothing is changed yet") && bench.shows_part("Preview: follows the rules"));
    assert!(matches!(sheet(&bench), (Some(_), Some(1794))), "{:?}", sheet(&bench));
    assert_eq!((bench.text(), bench.doc().is_changed()), (before.clone(), false));
    // By keyboard as well.
    bench.harness.hover_at(egui::pos2(500.0, 700.0));
    bench.settle();
    assert!(bench.state().previewed().is_none());
    assert_eq!(sheet(&bench), (None, Some(1732)));
    bench.harness.get_by_label_contains("1 more laser, port and starboard: 1784 points").focus();
    bench.settle();
    assert_eq!(bench.state().previewed().unwrap().proposal.after.points, Some(1784));
    bench.press(Modifiers::NONE, Key::Escape);
    bench.press(Modifiers::NONE, Key::Escape);
    assert_eq!(bench.state().inspector_tab, InspectorTab::Findings);
    assert!(bench.state().previewed().is_none());
    assert_eq!((bench.text(), bench.doc().history.undo_label()), (before, None));
}

#[test]
fn what_is_left_of_a_goal_can_be_spent() {
    let mut bench = Bench::opened(&[VIGILANT]);
    let before = bench.text();
    suggest(&mut bench, SuggestCommand::Open);
    bench.click("+ Goal");
    set_number(&mut bench, "goal 1: number", "1800");
    assert!(bench.shows("goal: points ≤ 1800, 68 left"), "{:?}", rows(&bench, "goal: "));
    bench.click_first("What could 68 points buy?");
    let printed = printed(&bench, &["--spend", "1800"]);
    let answer = reply(&bench);
    for line in [&answer.heading, answer.claim.as_ref().unwrap(), answer.limits.as_ref().unwrap()] {
        assert!(printed.contains(line), "{line}\n{printed}");
    }
    let titles: Vec<&str> = answer.proposals.iter().map(|proposal| &*proposal.title).collect();
    assert_eq!(titles.len(), 14);
    assert!(titles.iter().all(|title| printed.contains(title)) && titles.contains(&"3 more CnC, core: 1794 points"));
    assert!(bench.shows("Proved: no design within these limits is better."));
    // Enter applies what has the focus.
    bench.harness.get_by_label_contains("3 more CnC, core").focus();
    bench.settle();
    bench.press(Modifiers::NONE, Key::Enter);
    assert!(bench.text().contains("system = \"cnc\"\nmount = \"core\"\ncount = 6"), "{}", bench.text());
    assert!(bench.shows("goal: points ≤ 1800, 6 left") && bench.shows_part("What could 6 points buy?"));
    assert_eq!(bench.doc().history.undo_label(), Some("add 3 more CnC, core"));
    assert_eq!(reply(&bench).heading, "1794 points now; for 1800 points in all, one of these:", "asked again");
    bench.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(bench.text(), before);
}

#[test]
fn break_points_of_a_value_are_a_table_whose_cells_apply() {
    let mut bench = Bench::opened(&[PETREL]);
    let before = bench.text();
    let link = rows(&bench, "Break-points of structure blocks").into_iter().next().unwrap();
    bench.click_first(&link);
    let printed = printed(&bench, &["--breaks", "structure"]);
    let answer = reply(&bench);
    let lines: Vec<&str> = printed.lines().collect();
    let titles: Vec<&str> = answer.proposals.iter().map(|proposal| &*proposal.title).collect();
    assert_eq!(titles, lines);
    assert!(bench.shows("Break-points of structure blocks (15 now)"));
    let cell =
        "CnC, core: 1 now; 4 changes none of these values (+30 points); 5: structure blocks 15 → 16 (+56 points)";
    bench.focus(cell);
    assert!(bench.shows_part("structure blocks: 16 in the preview, 15 now"));
    bench.click(cell);
    assert_ne!(bench.text(), before);
    assert_eq!(bench.doc().history.undo_label(), Some("set CnC, core to 5"));
    // The table is that of the new design.
    assert!(bench.shows_part("CnC, core: 5 now; 4: structure blocks 16 → 15"), "{:?}", rows(&bench, "CnC"));
    bench.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(bench.text(), before);
}

#[test]
fn a_question_is_put_together_by_menus_and_answered_as_by_the_command_line() {
    let mut bench = Bench::opened(&[PETREL]);
    let before = bench.text();
    bench.press(Modifiers::COMMAND, Key::G);
    assert_eq!(bench.state().inspector_tab, InspectorTab::Suggest);
    bench.click("+ Goal");
    set_number(&mut bench, "goal 1: number", "500");
    let label = bench.doc().evaluation().unwrap().values.iter().find(|value| *value.id == *"launchers").unwrap();
    let label = label.label.to_string();
    pick(&mut bench, "of what", &label);
    for place in ["forward chase", "after chase", "port and starboard"] {
        let lever = rows(&bench, &format!("vary missile launcher, {place} (")).pop().unwrap();
        bench.click(&lever);
    }
    bench.click("Find");
    let printed =
        printed(&bench, &["--maximise", "launchers", "--goal", "points <= 500", "--vary", "missile-launcher"]);
    let answer = reply(&bench);
    let mut said = vec![answer.heading.clone(), answer.claim.clone().unwrap(), answer.limits.clone().unwrap()];
    said.extend(answer.proposals[0].changes.iter().map(|change| change.words()));
    assert!(said.iter().all(|line| printed.contains(line)), "{said:#?}\n{printed}");
    assert_eq!(said[1], "Proved: no design within these limits is better.");
    assert!(bench.shows("Proved: no design within these limits is better."));
    assert!(bench.shows_part("goes with it (launcher-without-magazine)"));
    bench.click_part("missile launcher, forward chase: 1 → 2; ");
    assert!(bench.text() != before && bench.text().contains("feeds = 7"));
    bench.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(bench.text(), before);
}

#[test]
fn figures_of_odds_are_goals_and_objectives_against_the_opponent_of_the_odds() {
    let mut bench = Bench::opened(&[VIGILANT]);
    bench.click("Show the odds");
    bench.give(Command::Odds(OddsCommand::SetSituation { id: "range".to_owned(), word: Some("10".to_owned()) }));
    bench.press(Modifiers::COMMAND, Key::G);
    pick(&mut bench, "of what", "structure taken by all that bears");
    assert!(
        bench.shows_part("Odds are against a sister ship, range=10, as on the page Odds."),
        "{:?}",
        rows(&bench, "Odds")
    );
    // Nothing may change yet.
    bench.click("Find");
    assert!(bench.shows_part("A question about odds needs to know what may vary"));
    bench.click("Back to the questions");
    let levers = [("laser@port", (0, 4)), ("graser@forward", (0, 4))];
    let draft = QuestionDraft {
        objective: "odds.all".to_owned(),
        levers: levers.map(|(word, window)| (word.to_owned(), window)).into_iter().collect(),
        ..QuestionDraft::default()
    };
    suggest(&mut bench, SuggestCommand::SetDraft(Box::new(draft)));
    let goal = GoalLine { what: "points".to_owned(), relation: Relation::AtMost, number: 1800, hundredths: 0 };
    suggest(&mut bench, SuggestCommand::SetGoal { at: 0, goal });
    bench.click("Find");
    let arguments = ["--maximise", "odds.all", "--goal", "points <= 1800", "--range", "10"];
    let vary = ["--vary", "graser@forward:0..4", "--vary", "laser@port:0..4"];
    let printed = printed(&bench, &[&arguments[..], &vary[..]].concat());
    let answer = reply(&bench);
    let said = [&answer.heading, answer.claim.as_ref().unwrap(), &answer.basis[0], &answer.basis[1]];
    assert!(said.iter().all(|line| printed.contains(&***line)), "{said:#?}\n{printed}");
    assert!(bench.shows_part("Odds: against Vigilant, range 10 MU"));
    // As a goal: the bar says that it is no number of the design alone; no mean is exactly a whole number.
    let goal = GoalLine { what: "odds.all".to_owned(), relation: Relation::AtLeast, number: 17, hundredths: 0 };
    suggest(&mut bench, SuggestCommand::SetGoal { at: 1, goal });
    assert!(bench.shows("goal: structure taken by all that bears ≥ 17, for Find"), "{:?}", rows(&bench, "goal"));
    suggest(&mut bench, SuggestCommand::Open);
    bench.click("goal 2: at least");
    assert!(bench.shows("≤ at most") && !bench.shows("= exactly"));
    bench.press(Modifiers::NONE, Key::Escape);
    suggest(&mut bench, SuggestCommand::Ask(Request::Best));
    assert_eq!(reply(&bench).claim.as_deref(), Some("Proved: no design within these limits is better."));
    let goal = GoalLine { what: "odds.all".to_owned(), relation: Relation::AtLeast, number: 400, hundredths: 0 };
    suggest(&mut bench, SuggestCommand::SetGoal { at: 1, goal });
    suggest(&mut bench, SuggestCommand::Ask(Request::Best));
    assert_eq!(reply(&bench).claim.as_deref(), Some("Proved: no design within these limits meets that."));
}

/// An opponent of the library by its name, and a file of the player's own.
#[test]
fn figures_of_odds_are_against_the_opponent_that_is_chosen_by_name_or_file() {
    let bench = Bench::new(&[VIGILANT, PETREL]);
    let text = std::fs::read_to_string(bench.path(PETREL)).unwrap().replace("\"Petrel\"", "\"Storm Petrel\"");
    std::fs::write(bench.path("designs/wars-of-honor/storm.toml"), text).unwrap();
    let mut bench = Bench::over(bench.folder);
    bench.open(VIGILANT);
    bench.click("Show the odds");
    let draft = QuestionDraft {
        objective: "odds.all".to_owned(),
        levers: [("laser@port".to_owned(), (0, 4))].into_iter().collect(),
        ..QuestionDraft::default()
    };
    let mut means = Vec::new();
    for (before, typed, chosen, against) in [
        ("a sister ship", "eisvog", "Eisvogel", "eisvogel"),
        ("Eisvogel", "storm", "Storm Petrel", "space/designs/wars-of-honor/storm.toml"),
    ] {
        bench.click(&format!("Opponent: {before}"));
        bench.focus("Search the opponents");
        bench.type_text(typed);
        bench.press(Modifiers::NONE, Key::Enter);
        suggest(&mut bench, SuggestCommand::SetDraft(Box::new(draft.clone())));
        suggest(&mut bench, SuggestCommand::Ask(Request::Best));
        let printed = printed(&bench, &["--maximise", "odds.all", "--vary", "laser@port:0..4", "--against", against]);
        let answer = reply(&bench);
        assert!(printed.contains(&answer.heading) && printed.contains(&answer.basis[0]), "{answer:?}\n{printed}");
        assert!(bench.shows_part(&format!("Odds: against {chosen}")), "{:?}", rows(&bench, "Odds"));
        means.push(answer.heading.clone());
    }
    assert_ne!(means[0], means[1], "the opponent counts");
}

#[test]
fn the_same_for_less_is_the_command_lines_answer() {
    let mut bench = Bench::opened(&[VIGILANT]);
    suggest(&mut bench, SuggestCommand::Open);
    for lever in ["CnC, core", "EW drone, core", "laser cluster, all round"] {
        let tick = rows(&bench, &format!("vary {lever} (")).pop().unwrap();
        bench.click(&tick);
    }
    bench.click("The same for less");
    let printed = printed(&bench, &["--cheaper", "--vary", "cnc", "--vary", "ew-drone", "--vary", "laser-cluster"]);
    let answer = reply(&bench);
    assert!(printed.starts_with(&answer.heading) && answer.heading == "points: 1718 instead of 1732; legal");
    assert!(printed.contains(answer.claim.as_ref().unwrap()) && printed.contains(answer.limits.as_ref().unwrap()));
}

#[test]
fn a_pinned_fit_is_no_lever() {
    let mut bench = Bench::opened(&[VIGILANT]);
    suggest(&mut bench, SuggestCommand::Open);
    let tick = rows(&bench, "vary EW drone").pop().unwrap();
    bench.click(&tick.replace("vary", "pin"));
    assert!(bench.shows("Pinned: EW drone, core") && !bench.is_enabled(&tick));
    for lever in ["CnC, core", "laser cluster, all round"] {
        let tick = rows(&bench, &format!("vary {lever} (")).pop().unwrap();
        bench.click(&tick);
    }
    bench.click("The same for less");
    let limits = reply(&bench).limits.clone().unwrap();
    assert!(limits.contains("CnC, core 0–12") && !limits.contains("EW drone"), "{limits}");
    let asked = ["--cheaper", "--vary", "cnc", "--vary", "laser-cluster", "--vary", "ew-drone", "--pin", "ew-drone"];
    assert!(printed(&bench, &asked).contains(&limits), "{limits}");
    bench.click("Back to the questions");
    bench.click(&tick.replace("vary", "unpin"));
    assert!(!bench.shows_part("Pinned: "));
    // A magazine that is pinned feeds no further launcher, in any way.
    let mut bench = refit();
    suggest(&mut bench, SuggestCommand::Pin { lever: "missile-magazine@core".into(), on: true });
    bench.click("Make legal…");
    assert!(
        reply(&bench).proposals.iter().all(|way| way.changes.iter().all(|change| !change.lever.contains("magazine")))
    );
}

#[test]
fn goals_and_pins_survive_a_restart_and_are_not_in_the_design() {
    let mut bench = Bench::opened(&[VIGILANT]);
    let before = bench.text();
    let goals =
        [("points", Relation::AtMost, 1750), ("thrust", Relation::AtLeast, 16), ("mass", Relation::AtMost, 120)];
    for (at, (what, relation, number)) in goals.into_iter().enumerate() {
        let goal = GoalLine { what: what.into(), relation, number, hundredths: 0 };
        suggest(&mut bench, SuggestCommand::SetGoal { at, goal });
    }
    suggest(&mut bench, SuggestCommand::Pin { lever: "laser@port+starboard".into(), on: true });
    let bar = |bench: &Bench| {
        let label = |id: &str| {
            let values = &bench.doc().evaluation().unwrap().values;
            values.iter().find(|value| &*value.id == id).unwrap().label.to_string()
        };
        assert!(bench.shows("goal: points ≤ 1750, 18 left"), "{:?}", rows(bench, "goal: "));
        assert!(bench.shows_part(&format!("goal: {} ≥ 16, reached", label("thrust"))), "{:?}", rows(bench, "goal: "));
        assert!(bench.shows_part(&format!("goal: {} ≤ 120, ! 5 over", label("mass"))), "{:?}", rows(bench, "goal: "));
        assert!(bench.shows("Pinned: laser, port and starboard"));
    };
    bar(&bench);
    assert_eq!((bench.text(), bench.doc().is_changed()), (before, false));
    let file = std::fs::read_to_string(bench.path(VIGILANT)).unwrap();
    assert_eq!(file, bench.text());
    let folder = bench.folder;
    drop(bench.harness);
    let mut again = Bench::over(folder);
    again.open(VIGILANT);
    bar(&again);
    // They follow the design to another file.
    let copy = again.path("designs/copy.toml");
    again.give(Command::SaveTo(copy));
    bar(&again);
    suggest(&mut again, SuggestCommand::RemoveGoal(2));
    let folder = again.folder;
    drop(again.harness);
    let mut third = Bench::over(folder);
    third.open("designs/copy.toml");
    assert!(third.shows("goal: points ≤ 1750, 18 left") && !third.shows_part("! 5 over"));
    third.open(VIGILANT);
    bar(&third);
}

/// A question that takes minutes: all levers, a hundred times the work.
fn long_question(bench: &mut Bench) {
    suggest(bench, SuggestCommand::Open);
    let view = bench.state().suggestions.view(bench.doc().id).unwrap();
    let levers = view.levers.iter().filter(|lever| lever.id.contains('@') && !lever.id.contains('.'));
    let levers = levers.map(|lever| (lever.id.to_string(), (0, lever.high))).collect();
    let draft = QuestionDraft {
        sense: Sense::Maximise,
        objective: "structure".into(),
        levers,
        effort: 100,
        ..QuestionDraft::default()
    };
    suggest(bench, SuggestCommand::SetDraft(Box::new(draft)));
    let goal = GoalLine { what: "points".into(), relation: Relation::AtMost, number: 1800, hundredths: 0 };
    suggest(bench, SuggestCommand::SetGoal { at: 0, goal });
    // Not `give`, which would wait for the answer.
    bench.harness.state_mut().apply(Command::Suggest(SuggestCommand::Ask(Request::Best)));
}

#[test]
fn a_search_shows_how_far_it_is_and_can_be_cancelled() {
    let mut bench = Bench::opened(&[VIGILANT]);
    let before = bench.text();
    long_question(&mut bench);
    // Until something is known.
    for _ in 0..600 {
        bench.harness.run_steps(1);
        if bench.shows_part("Best so far: ") {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    assert!(bench.shows_part("; none can have more than "), "{:?}", rows(&bench, "est"));
    assert!(bench.shows_part("searched "));
    bench.harness.get_by_label("Cancel").click_accesskit();
    bench.harness.run_steps(2);
    bench.settle();
    assert!(bench.shows_part("Cancelled: the search was not finished"));
    let claim = reply(&bench).claim.clone().unwrap();
    assert!(claim.starts_with("Best found: ") && claim.contains("none has more than"), "{claim}");
    assert!(matches!(asked(&bench).stage, AnswerStage::Done { is_cancelled: true, .. }));
    assert_eq!(bench.text(), before);
}

#[test]
fn the_newest_question_wins_and_an_edit_makes_an_answer_outdated() {
    let mut bench = Bench::opened(&[VIGILANT]);
    long_question(&mut bench);
    suggest(&mut bench, SuggestCommand::Ask(Request::Breaks(Some("structure".into()))));
    assert_eq!(asked(&bench).request, Request::Breaks(Some("structure".into())));
    assert!(matches!(asked(&bench).stage, AnswerStage::Done { is_cancelled: false, .. }));
    bench.click_first("more CnC, core");
    assert!(bench.shows("The design has changed since this was asked."));
    let text = bench.text();
    suggest(&mut bench, SuggestCommand::Preview(Some(0)));
    suggest(&mut bench, SuggestCommand::Apply(0));
    assert_eq!(bench.text(), text, "what was found for another design is not applied");
    bench.click("Ask again");
    assert!(!reply(&bench).proposals.is_empty() && !bench.shows("The design has changed since this was asked."));
}

#[test]
fn what_cannot_be_asked_or_reached_says_so() {
    let mut bench = Bench::opened(&[PETREL]);
    suggest(&mut bench, SuggestCommand::Open);
    bench.click("Find");
    assert!(bench.shows("Choose what to make the most of, or add a goal"));
    let goal = GoalLine { what: "points".into(), relation: Relation::AtMost, number: 100, hundredths: 0 };
    suggest(&mut bench, SuggestCommand::SetGoal { at: 0, goal });
    let levers = std::iter::once(("missile-launcher@forward".to_owned(), (0, 8))).collect();
    let draft = QuestionDraft { objective: "launchers".into(), levers, ..QuestionDraft::default() };
    suggest(&mut bench, SuggestCommand::SetDraft(Box::new(draft)));
    suggest(&mut bench, SuggestCommand::Ask(Request::Best));
    assert!(bench.shows("No design found"));
    assert!(bench.shows("The goal “points <= 100” alone cannot be met"));
    assert!(bench.shows("Proved: no design within these limits meets that."));
    // A goal of other rules, from an older settings file.
    let goal = GoalLine { what: "nothing_like_it".into(), relation: Relation::AtLeast, number: 1, hundredths: 0 };
    suggest(&mut bench, SuggestCommand::SetGoal { at: 0, goal });
    assert!(bench.shows("goal: nothing_like_it ≥ 1, not known"));
    suggest(&mut bench, SuggestCommand::AskAgain);
    assert!(bench.shows_part("nothing_like_it"), "{:?}", asked(&bench).stage);
    assert!(matches!(asked(&bench).stage, AnswerStage::Failed(_)));
}

#[test]
fn every_game_has_its_questions() {
    for file in [
        "designs/b5-house-rules/sirenna.toml",
        "designs/battleships-1890s/saltholm.toml",
        "designs/sky-full-of-ships/atlas.toml",
        "designs/star-navy/chicago.toml",
    ] {
        let mut bench = Bench::opened(&[file]);
        let before = bench.text();
        suggest(&mut bench, SuggestCommand::Ask(Request::Breaks(None)));
        assert!(matches!(asked(&bench).stage, AnswerStage::Done { .. }), "{file}");
        let points = bench.doc().evaluation().unwrap().points.unwrap();
        suggest(&mut bench, SuggestCommand::Ask(Request::Spend(SpendLimit::points(points + 20))));
        let answer = reply(&bench);
        // There the design states its points.
        if file.contains("b5-house-rules") {
            assert!(answer.proposals.is_empty() && bench.shows("Nothing"), "{answer:?}");
            continue;
        }
        assert!(!answer.proposals.is_empty(), "{file}: {answer:?}");
        suggest(&mut bench, SuggestCommand::Apply(0));
        assert!(bench.text() != before && bench.doc().is_legal() == Some(true), "{file}");
        bench.press(Modifiers::COMMAND, Key::Z);
        assert_eq!(bench.text(), before, "{file}");
    }
    // A limit of the rules is a budget, too.
    let mut bench = Bench::opened(&["designs/sky-full-of-ships/burlington.toml"]);
    bench.click("What could 2 mass of all weapons buy?");
    let printed = printed(&bench, &["--spend", "11", "--of", "weapon_mass"]);
    let answer = reply(&bench);
    assert!(printed.contains(&answer.heading) && !answer.proposals.is_empty(), "{printed}");
    assert!(answer.proposals.iter().all(|proposal| printed.contains(&proposal.title)), "{printed}");
}

#[test]
fn a_goal_about_odds_may_be_a_fraction() {
    let mut bench = Bench::opened(&[VIGILANT]);
    let goal = |hundredths| GoalLine { what: "odds.all".into(), relation: Relation::AtLeast, number: 7, hundredths };
    suggest(&mut bench, SuggestCommand::SetGoal { at: 0, goal: goal(0) });
    suggest(&mut bench, SuggestCommand::Open);
    bench.focus("goal 1: number");
    bench.press(Modifiers::COMMAND, Key::A);
    bench.type_text("7.25");
    bench.press(Modifiers::NONE, Key::Enter);
    assert!(bench.shows_part("≥ 7.25, for Find"), "{:?}", rows(&bench, "goal"));
}

/// The first button that a player presses: two plain errors, one a word of the file and one a number.
#[test]
fn make_legal_mends_a_misplaced_system_and_a_number_at_once() {
    let mut bench = Bench::new(&[PETREL]);
    let path = bench.path(PETREL);
    let text = std::fs::read_to_string(&path).unwrap();
    let broken = text.replace("system = \"cnc\"\nmount = \"core\"", "system = \"cnc\"\nmount = \"forward\"");
    assert_ne!(broken, text);
    std::fs::write(path, broken.replace("feeds = 6", "feeds = 4")).unwrap();
    bench.open(PETREL);
    assert_eq!(bench.doc().is_legal(), Some(false));
    bench.click("Make legal…");
    let row = rows(&bench, "1. ").pop().unwrap();
    assert!(
        row.contains("move the CnC from forward chase to core")
            && row.contains("set launchers it feeds of the missile magazine in core to 6"),
        "{row}"
    );
    bench.click_part("1. ");
    assert_eq!((bench.text(), bench.doc().is_legal()), (text, Some(true)));
}

#[test]
fn the_best_purchase_of_a_mount_is_on_its_card_and_taken_by_a_click() {
    let mut bench = Bench::opened(&[VIGILANT]);
    let before = bench.text();
    assert!(rows(&bench, "take ").is_empty(), "nothing was asked");
    let place = bench.harness.get_by_label("Add to port").rect();
    suggest(&mut bench, SuggestCommand::Ask(Request::Spend(SpendLimit::points(1_800))));
    let best = |mount: &str| {
        let is_there = |lever: &str| lever.split_once('@').is_some_and(|(_, at)| at.split('+').any(|one| one == mount));
        let answer = reply(&bench);
        // What goes with a purchase may be elsewhere.
        let first = answer
            .proposals
            .iter()
            .find(|proposal| proposal.changes.iter().any(|change| change.follows.is_none() && is_there(&change.lever)));
        first.unwrap().after.points.unwrap()
    };
    for mount in ["core", "port", "starboard"] {
        let price = best(mount) - 1732;
        let shown = rows(&bench, "take +");
        assert!(
            shown.iter().any(|chip| chip.ends_with(&format!(" · {price}, {mount}"))),
            "{mount}, {price}: {shown:?}"
        );
    }
    assert_eq!(bench.harness.get_by_label("Add to port").rect(), place, "nothing moves");
    let points = best("core");
    let chip = rows(&bench, ", core").into_iter().find(|chip| chip.starts_with("take +")).unwrap();
    bench.click(&chip);
    assert_eq!(bench.doc().evaluation().unwrap().points, Some(points), "{chip}");
    // The next ones are for what is left.
    let left = rows(&bench, "take +");
    let price = |chip: &String| chip.rsplit(" · ").next()?.split(',').next()?.parse::<i64>().ok();
    assert!(left.iter().all(|chip| price(chip).is_some_and(|price| price <= 1_800 - points)), "{left:?}");
    bench.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(bench.text(), before);
}
