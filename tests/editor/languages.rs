//! The window in another language: every text of its pages has its words, what a player wrote stays, and it is changed without a restart.

use std::collections::BTreeSet;

use egui::{Key, Modifiers};
use egui_kittest::kittest::NodeT;
use moldloft::editor::compare_page::model::CompareCommand;
use moldloft::editor::guide::GuideCommand;
use moldloft::editor::library_browser::LibraryCommand;
use moldloft::editor::printing::PrintCommand;
use moldloft::editor::suggest::model::SuggestCommand;
use moldloft::editor::{Command, Dialog, InspectorTab, RightPage, SystemPicker, Tab};
use moldloft::print::PrintKind;
use moldloft::suggest::Request;

use crate::editor::access::{all_is_in_sight, dialogs, names_are_right};
use crate::editor::bench::{Bench, SAMPLES};
use crate::support::GAMES;

/// What players wrote in the samples, beside names.
const OF_PLAYERS: [&str; 3] = ["patrol craft", "quiver", "raider"];
const FLEET: &str = "designs/wars-of-honor/fleets/convoy-escort.toml";

/// A small window in German that knows what it was asked for.
fn german(files: &[&str]) -> Bench {
    let mut bench = Bench::sized(Bench::new(files).folder, 1024.0, 700.0);
    bench.harness.state_mut().watch_words();
    bench.give(Command::SetLanguage(Some("de".to_owned())));
    bench
}

/// What was asked for, and has no words. Headings in capitals are made from what has them.
fn missing(bench: &Bench) -> BTreeSet<String> {
    let words = bench.state().language.words().expect("a language");
    let is_own = |text: &str| OF_PLAYERS.contains(&text);
    let lacks =
        |(text, found): (String, bool)| (!found && text.contains(char::is_lowercase) && !is_own(&text)).then_some(text);
    words.asked().into_iter().filter_map(lacks).collect()
}

/// Each page and dialog of a design, then of a fleet and of rules.
fn tour(bench: &mut Bench, mut visit: impl FnMut(&Bench)) {
    visit(bench);
    bench.give(Command::Library(LibraryCommand::AskForGames));
    visit(bench);
    for file in SAMPLES {
        bench.open(file);
        bench.give(Command::ShowIdentity(true));
        visit(bench);
        bench.give(Command::ShowPage(RightPage::Odds));
        visit(bench);
        bench.give(Command::ShowPage(RightPage::Sheet));
        bench.give(Command::SystemPicker(Some(SystemPicker::default())));
        visit(bench);
        bench.give(Command::SystemPicker(None));
        for tab in [InspectorTab::Findings, InspectorTab::Explain, InspectorTab::Rules] {
            bench.give(Command::ShowInspectorTab(tab));
            visit(bench);
        }
        for command in [SuggestCommand::Open, SuggestCommand::Ask(Request::Breaks(None))] {
            bench.give(Command::Suggest(command));
            visit(bench);
        }
        bench.give(Command::Suggest(SuggestCommand::Leave));
        bench.give(Command::Compare(CompareCommand::Open));
        visit(bench);
        bench.give(Command::Compare(CompareCommand::Close));
    }
    bench.give(Command::Select(vec![0]));
    for dialog in dialogs(bench).into_iter().chain([Command::Print(PrintCommand::Open(Some(PrintKind::Counters)))]) {
        bench.give(dialog);
        visit(bench);
        bench.press(Modifiers::NONE, Key::Escape);
    }
    bench.open(FLEET);
    for tab in [InspectorTab::Ship, InspectorTab::Findings] {
        bench.give(Command::ShowInspectorTab(tab));
        visit(bench);
    }
    for game in GAMES {
        bench.give(Command::Guide(GuideCommand::Start(game.into())));
        visit(bench);
        // The next has the same name.
        let id = bench.doc().id;
        bench.give(Command::CloseAnyway(id));
    }
    bench.give(Command::ShowTab(Tab::Start));
    visit(bench);
}

#[test]
fn every_text_of_its_pages_has_words_and_room() {
    let mut bench = german(&[&SAMPLES[..], &[FLEET]].concat());
    let mut lacking = BTreeSet::new();
    let mut places = 0;
    tour(&mut bench, |bench| {
        lacking.extend(missing(bench));
        places += 1;
        names_are_right(bench, &format!("place {places}"));
        // A fleet's table is scrolled sideways.
        if !bench.state().shows_fleet() {
            all_is_in_sight(bench, &format!("place {places}"));
        }
    });
    assert!(lacking.is_empty(), "{} texts without words: {lacking:#?}", lacking.len());
}

/// The names of all that a screen reader says.
fn names(bench: &Bench) -> Vec<String> {
    let nodes = bench.harness.root().children_recursive();
    nodes.filter_map(|node| node.accesskit_node().label()).collect()
}

#[test]
fn it_is_changed_at_once_and_back() {
    let mut bench = Bench::opened(&[SAMPLES[4]]);
    assert!(bench.shows("File") && bench.shows("Print…"));
    let before = names(&bench);
    bench.give(Command::SetLanguage(Some("de".to_owned())));
    assert!(bench.shows("Datei") && bench.shows("Drucken…") && !bench.shows("File"));
    assert_eq!(bench.state().settings.print.language.as_deref(), Some("de"), "sheets are printed in it");
    let rules = &bench.doc().evaluation().expect("checked").ruleset;
    assert_eq!(rules.say("Structure"), "Struktur", "the sheet beside the form is in it");
    // Alt and the first letter of its name in this language.
    bench.press(Modifiers::ALT, Key::D);
    assert!(bench.shows_part("Beenden"));
    bench.press(Modifiers::NONE, Key::Escape);
    // Names of papers are no words: Legal is not what a ship is.
    bench.give(Command::OpenDialog(Dialog::Settings));
    assert!(bench.shows("Legal") && bench.shows("Regelgerecht"));
    bench.press(Modifiers::NONE, Key::Escape);
    bench.give(Command::SetLanguage(None));
    assert_eq!(names(&bench), before);
    // It is kept.
    let settings = moldloft::editor::Settings { language: Some("de".to_owned()), ..Default::default() };
    assert_eq!(moldloft::editor::Settings::parse(&settings.to_text()).expect("settings").language, settings.language);
    // A language that there are no words in changes nothing.
    bench.give(Command::SetLanguage(Some("xx".to_owned())));
    assert_eq!(names(&bench), before);
}

#[test]
fn what_a_player_wrote_stays() {
    let folder = Bench::new(&[SAMPLES[4]]).folder;
    let path = folder.path().join("space").join(SAMPLES[4]);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("name = \"Vigilant\"", "name = \"Structure\"", 1)).unwrap();
    let mut bench = Bench::over(folder);
    bench.open(SAMPLES[4]);
    bench.give(Command::SetLanguage(Some("de".to_owned())));
    assert_eq!(bench.doc().name(), "Structure");
    assert!(bench.shows("Structure") && !bench.shows("Struktur schließen"), "{:?}", names(&bench));
    assert!(bench.shows("Structure schließen"));
}
