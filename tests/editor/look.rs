//! Tabs for looking, the library's menu, folded identities, and what an empty page says.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use moldloft::editor::library_browser::LibraryCommand;
use moldloft::editor::{Command, FormTarget};

use crate::editor::bench::Bench;

const VIGILANT: &str = "designs/wars-of-honor/vigilant.toml";
const PETREL: &str = "designs/wars-of-honor/petrel.toml";
const LANCET: &str = "designs/star-navy/chicago.toml";
const TERN: &str = "designs/sky-full-of-ships/tern.toml";

fn tabs(bench: &Bench) -> Vec<String> {
    bench.state().docs.iter().map(moldloft::editor::Doc::name).collect()
}

/// Clicks the library's line of a design.
fn look_at(bench: &mut Bench, name: &str) {
    let search = name.split(',').next().unwrap_or(name).to_owned();
    bench.give(Command::Library(LibraryCommand::SearchPanel(search)));
    {
        let mut lines = bench.harness.query_all_by_label_contains(name);
        let line = lines.find(|node| node.rect().left() < 200.0 && node.rect().top() > 90.0);
        line.unwrap_or_else(|| panic!("{name} is not listed")).click_accesskit();
    }
    bench.settle();
}

#[test]
fn a_click_in_the_library_reuses_the_tab_until_the_design_is_changed() {
    let mut bench = Bench::new(&[VIGILANT, PETREL, TERN, LANCET]);
    bench.open(LANCET);
    look_at(&mut bench, "Vigilant, 1732 points");
    look_at(&mut bench, "Tern, 6 points");
    assert_eq!(tabs(&bench), ["Chicago", "Tern"], "the next one takes the place");
    bench.give(Command::Edit(moldloft::editor::Edit::single(
        "rename",
        moldloft::design::DocumentEdit::set(moldloft::design::TablePath::Top, "name", "Sterna"),
    )));
    look_at(&mut bench, "Petrel, 442 points");
    assert_eq!(tabs(&bench), ["Chicago", "Sterna", "Petrel"], "a changed one stays");
    look_at(&mut bench, "Chicago, ");
    assert_eq!(tabs(&bench).len(), 3, "an open one is shown");
    // Kept by its tab.
    let id = bench.state().docs[2].id;
    bench.give(Command::KeepTab(id));
    look_at(&mut bench, "Vigilant, 1732 points");
    assert_eq!(tabs(&bench), ["Chicago", "Sterna", "Petrel", "Vigilant"]);
}

#[test]
fn the_library_has_a_menu() {
    let mut bench = Bench::new(&[VIGILANT, PETREL]);
    bench.open(VIGILANT);
    let line = bench.harness.get_all_by_label_contains("Petrel, 442 points").find(|node| node.rect().left() < 200.0);
    line.expect("it is listed").focus();
    bench.settle();
    bench.press(Modifiers::SHIFT, Key::F10);
    assert!(bench.shows("Open and keep the tab") && bench.shows("Open its folder"), "{:?}", bench.focused());
    bench.click("Compare with the open design");
    assert!(bench.shows_part("Petrel") && tabs(&bench) == ["Vigilant"]);
    bench.click("Back to Vigilant");
    let line = bench.harness.get_all_by_label_contains("Petrel, 442 points").find(|node| node.rect().left() < 200.0);
    line.expect("it is listed").focus();
    bench.settle();
    bench.press(Modifiers::SHIFT, Key::F10);
    bench.click("Open and keep the tab");
    assert_eq!(tabs(&bench), ["Vigilant", "Petrel"]);
    assert_eq!(bench.state().glance_tab, None);
}

#[test]
fn tabs_that_overflow_are_listed() {
    let mut bench = Bench::new(&[VIGILANT]);
    bench.open(VIGILANT);
    assert!(!bench.shows_part("open documents"));
    for n in 0..9 {
        let text = format!("ruleset = \"wars-of-honor\"\nname = \"Ship of a long name {n}\"\n");
        bench.give(Command::OpenText { text: text.into() });
    }
    bench.click("All 10 open documents");
    bench.click("show Vigilant");
    assert_eq!(bench.doc().name(), "Vigilant");
}

#[test]
fn a_design_says_what_it_is_in_one_line() {
    let mut bench = Bench::new(&[VIGILANT, TERN]);
    bench.open(VIGILANT);
    assert!(bench.shows("name") && !bench.shows("notes") && !bench.shows("nation"));
    assert!(bench.shows_part("Manticore Alliance  ·  starship"));
    bench.click("Show choices and notes");
    assert!(bench.shows("notes") && bench.shows("nation"));
    bench.click("Fold name, choices and notes to one line");
    // Going to what is folded opens it.
    bench.give(Command::GoTo(FormTarget::TopKey("notes")));
    assert_eq!(bench.focused().as_deref(), Some("notes"));
    bench.give(Command::ShowIdentity(false));
    bench.give(Command::GoTo(FormTarget::Field("nation".into())));
    assert_eq!(bench.focused().as_deref(), Some("nation"));
    // Numbers are what a design has, not what it is.
    bench.give(Command::ShowIdentity(false));
    bench.open(TERN);
    assert!(bench.shows("mass") && !bench.shows("notes"));
}

#[test]
fn what_is_empty_says_how_to_begin() {
    let mut bench = Bench::new(&[VIGILANT]);
    bench.give(Command::OpenText { text: "ruleset = \"wars-of-honor\"\nname = \"New\"\n".into() });
    assert!(bench.shows_part("Not complete yet") && bench.shows("STILL TO DO") && !bench.shows("ERRORS"));
    assert!(bench.shows("notes"), "a blank design shows what there is to fill in");
    bench.click_first("Add to forward ring");
    bench.press(Modifiers::NONE, Key::Enter);
    assert!(bench.shows("ERRORS") && !bench.shows("STILL TO DO"));
    bench.press(Modifiers::NONE, Key::Escape);
    let text = "ruleset = \"wars-of-honor\"\nname = \"Empty\"\nside = \"\"\n";
    bench.give(Command::OpenText { text: text.into() });
    assert!(bench.shows("No ships yet") && bench.shows("points: 0, no budget"));
    bench.click("Add ships…");
    assert!(bench.state().dialog.is_some());
}
