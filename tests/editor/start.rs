//! The start page and the library panel: searching, opening, starting designs.

use std::sync::Arc;

use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT, Queryable};
use moldloft::design::{Design, TablePath};
use moldloft::editor::fleet::FleetCommand;
use moldloft::editor::library_browser::{EntryPicture, LibraryCommand, Pictured, ThumbnailState};
use moldloft::editor::palette::PaletteCommand;
use moldloft::editor::{Command, Edit, Tab};
use moldloft::ruleset::Ruleset;

use crate::editor::bench::Bench;

const VIGILANT: &str = "designs/wars-of-honor/vigilant.toml";
const SWORDFISH: &str = "designs/sky-full-of-ships/swordfish.toml";

/// Types into the field with this label.
fn type_into(bench: &mut Bench, label: &str, text: &str) {
    bench.focus(label);
    bench.harness.get_by_label(label).type_text(text);
    bench.settle();
}

fn search(bench: &mut Bench, text: &str) {
    type_into(bench, "Search the library", text);
}

#[test]
fn what_there_is_is_listed_by_game_and_searched() {
    let mut bench = Bench::new(&[VIGILANT]);
    assert_eq!(bench.state().tab, Tab::Start);
    assert!(bench.shows_part("A Sky Full of Ships, 8 listed"));
    search(&mut bench, "MANTICORE 1700-1800");
    assert!(bench.shows("Vigilant, 1732 points"));
    assert!(!bench.shows_part("A Sky Full of Ships,"));
    bench.click("Clear the search");
    assert!(bench.shows_part("A Sky Full of Ships, 8 listed"));
    search(&mut bench, "no such thing");
    assert!(bench.shows("Nothing matches “no such thing”."));
    bench.click("Clear the search and show all");
    assert!(bench.shows_part("A Sky Full of Ships, 8 listed"));
}

#[test]
fn pictures_are_drawn_of_what_is_in_sight_and_then_nothing_moves() {
    let mut bench = Bench::new(&[]);
    search(&mut bench, "swordfish");
    let entry = bench.state().library.catalogue.entries().find(|entry| &*entry.name == "Swordfish").unwrap().clone();
    let drawn =
        |bench: &Bench| bench.state().library.thumbnail(&Pictured::Entry(entry.clone()), EntryPicture::Sheet(134));
    assert!(matches!(drawn(&bench), ThumbnailState::Ready(_)));
    assert!(!bench.state().library.is_drawing());
    bench.click("List");
    assert!(bench.shows("Swordfish, 13 points, built-in"));
    assert!(!bench.state().settings.pictures);
}

/// The silhouette of a design by these rules, within so many pixels.
fn silhouette(bench: &Bench, design: &Arc<Design>, rules: &Arc<Ruleset>, size: (u32, u32)) -> ThumbnailState {
    let of = Pictured::Design(Arc::clone(design), Arc::clone(rules));
    bench.state().library.thumbnail(&of, EntryPicture::Silhouette(size.0, size.1))
}

#[test]
fn silhouettes_are_in_tabs_lists_and_fleets_and_follow_the_design() {
    let mut bench = Bench::opened(&[VIGILANT]);
    let in_tab = |bench: &Bench| {
        let rules = bench.doc().evaluation().unwrap().ruleset.clone();
        match silhouette(bench, &bench.doc().as_design().unwrap().design, &rules, (36, 18)) {
            ThumbnailState::Ready(image) => image,
            other => panic!("{other:?}"),
        }
    };
    let before = in_tab(&bench);
    let ink = |image: &egui::ColorImage| image.pixels.iter().filter(|pixel| pixel.a() > 64).count();
    assert!((60..400).contains(&ink(&before)), "black on clear: {}", ink(&before));
    let vigilant = bench.state().library.catalogue.entries().find(|entry| &*entry.name == "Vigilant").unwrap().clone();
    let listed = |bench: &Bench, width: u32, height: u32| {
        let of = Pictured::Entry(vigilant.clone());
        bench.state().library.thumbnail(&of, EntryPicture::Silhouette(width, height))
    };
    assert!(matches!(listed(&bench, 40, 20), ThumbnailState::Ready(_)), "in the library beside the design");
    let fits = &bench.doc().evaluation().unwrap().fits;
    let row = fits.iter().find(|fit| *fit.mount == *"port").unwrap().index as usize;
    bench.give(Command::Edit(Edit::change("count", TablePath::Fit(row), "count", Some(20.into()))));
    assert_ne!(before, in_tab(&bench), "a broadside of twenty is seen");
    bench.give(Command::Undo);
    assert_eq!(before, in_tab(&bench));

    bench.give(Command::ShowTab(Tab::Start));
    bench.click("List");
    search(&mut bench, "vigilant");
    assert!(matches!(listed(&bench, 40, 22), ThumbnailState::Ready(_)), "in the list of the start page");

    bench.give(Command::OpenBuiltIn("designs/wars-of-honor/fleets/convoy-escort.toml".into()));
    let fleet = bench.doc().as_fleet().unwrap();
    for unit in &fleet.evaluated.units {
        let drawn = silhouette(&bench, &unit.class.design, fleet.rules().unwrap(), (34, 20));
        assert!(matches!(drawn, ThumbnailState::Ready(_)), "{}: {drawn:?}", unit.evaluation.name);
    }
}

#[test]
fn filters_go_by_game_points_legality_and_origin() {
    let mut bench = Bench::new(&[SWORDFISH]);
    bench.click("List");
    bench.click("Origin");
    bench.click("your folder");
    assert!(bench.shows("Swordfish, 13 points") && !bench.shows_part("Vigilant"));
    bench.click("Legality");
    bench.click("not legal");
    assert!(bench.shows("Nothing matches."));
    bench.click("Clear the search and show all");
    type_into(&mut bench, "Points from", "8000");
    assert!(bench.shows_part("Wars of Honor") && !bench.shows_part("Swordfish"));
    bench.click("Clear the search");
    bench.click("Game");
    bench.harness.get_all_by_label("Star Navy v7").last().unwrap().click_accesskit();
    bench.settle();
    assert!(bench.shows_part("Chicago") && !bench.shows_part("Swordfish"));
}

#[test]
fn the_keyboard_alone_finds_and_opens() {
    let mut bench = Bench::new(&[VIGILANT]);
    bench.press(Modifiers::COMMAND, Key::F);
    bench.harness.get_by_label("Search the library").type_text("swordf");
    bench.settle();
    bench.press(Modifiers::NONE, Key::Enter);
    assert_eq!(bench.doc().name(), "Swordfish");
    bench.give(Command::ShowTab(Tab::Start));
    bench.press(Modifiers::COMMAND, Key::F);
    bench.press(Modifiers::COMMAND, Key::A);
    bench.harness.get_by_label("Search the library").type_text("vigil");
    bench.settle();
    bench.press(Modifiers::NONE, Key::ArrowDown);
    assert!(bench.harness.get_by_label("Vigilant, 1732 points").is_focused());
    bench.press(Modifiers::NONE, Key::Enter);
    assert_eq!(bench.doc().name(), "Vigilant");
    assert!(bench.shows("Vigilant"), "the tab of a file");
}

#[test]
fn a_built_in_design_is_edited_as_a_copy() {
    let mut bench = Bench::new(&[]);
    search(&mut bench, "vigilant");
    bench.click("Vigilant, 1732 points, built-in");
    assert!(bench.shows("Vigilant, built-in"), "the tab says so");
    bench.click_first("more missile launcher, port");
    assert!(bench.shows("Vigilant, not saved"));
}

#[test]
fn every_game_begins_with_an_empty_design_or_a_copy() {
    let mut bench = Bench::new(&[]);
    let games: Vec<String> = bench.state().library.catalogue.games.iter().map(|game| game.title.clone()).collect();
    assert!(games.len() >= 5);
    for title in games {
        bench.give(Command::ShowTab(Tab::Start));
        bench.click(&format!("New design for {title}"));
        type_into(&mut bench, "Name of the new design", "Grey Dawn");
        bench.click(&format!("Start from an empty design for {title}"));
        let doc = bench.doc();
        assert_eq!(doc.name(), "Grey Dawn", "{title}");
        assert!(doc.evaluation().is_some(), "{title}");
    }
    bench.give(Command::ShowTab(Tab::Start));
    bench.click_first("New design for A Sky Full of Ships");
    bench.click("Start from a copy of Swordfish");
    let doc = bench.doc();
    assert_eq!((doc.name().as_str(), doc.evaluation().unwrap().points), ("New design", Some(13)));
}

#[test]
fn recent_files_are_reopened_reported_when_missing_and_forgotten() {
    let mut bench = Bench::opened(&[VIGILANT, SWORDFISH]);
    bench.open(SWORDFISH);
    std::fs::remove_file(bench.path(SWORDFISH)).unwrap();
    let mut bench = Bench::over(bench.folder);
    assert!(bench.shows("swordfish: file not found"));
    bench.click("Forget swordfish");
    assert!(!bench.shows_part("swordfish: file not found"));
    bench.click("Open Vigilant again");
    assert_eq!(bench.doc().name(), "Vigilant");
}

#[test]
fn the_library_panel_lists_marks_and_opens() {
    let mut bench = Bench::opened(&[VIGILANT, SWORDFISH]);
    assert!(
        bench.harness.get_by_label("Vigilant, 1732 points").accesskit_node().toggled()
            == Some(egui::accesskit::Toggled::True)
    );
    search(&mut bench, "swordfish");
    assert!(!bench.shows("Vigilant, 1732 points"));
    bench.click("Swordfish, 13 points");
    assert_eq!(bench.doc().name(), "Swordfish");
    search(&mut bench, "zzz");
    assert!(bench.shows("Nothing matches “swordfishzzz”.") || bench.shows("Nothing matches “zzzswordfish”."));
    bench.click("Clear the search");
    bench.click_first("A Sky Full of Ships, expanded");
    assert!(!bench.shows("Swordfish, 13 points"));
    bench.click("Hide the library");
    assert!(!bench.shows("Search the library"));
    bench.press(Modifiers::COMMAND, Key::F);
    assert!(bench.harness.get_by_label("Search the library").is_focused());
}

#[test]
fn another_folder_is_opened_and_an_empty_one_says_what_to_do() {
    let mut bench = Bench::new(&[VIGILANT]);
    let other = tempfile::tempdir().unwrap();
    bench.platform.borrow_mut().choice = vec![other.path().to_path_buf()];
    bench.click("Open folder…");
    assert!(bench.shows_part("has no designs yet: start one on the left."));
    search(&mut bench, "vigilant");
    assert!(bench.shows("Vigilant, 1732 points, built-in"), "no longer shadowed");
    assert_eq!(bench.state().settings.workspace.as_deref(), Some(other.path()));
}

#[test]
fn a_new_design_begins_in_sight_of_the_game_in_use_with_the_keyboard_on_its_name() {
    let files: Vec<String> = std::fs::read_dir("designs/star-navy")
        .unwrap()
        .map(|file| file.unwrap().path().display().to_string())
        .filter(|file| file.ends_with(".toml"))
        .collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let mut bench = Bench::sized(Bench::new(&files).folder, 1280.0, 640.0);
    for file in &files {
        bench.open(file);
    }
    let in_sight = |bench: &Bench| {
        let rect = bench.harness.get_by_label("Name of the new design").rect();
        assert!(bench.harness.ctx.content_rect().contains_rect(rect), "{rect:?}");
        assert_eq!(bench.focused().as_deref(), Some("Name of the new design"));
    };
    bench.press(Modifiers::COMMAND, Key::N);
    in_sight(&bench);
    bench.type_text("Grey Dawn");
    bench.press(Modifiers::NONE, Key::Enter);
    let doc = bench.doc();
    assert_eq!((doc.name().as_str(), doc.ruleset_id().map(|id| &**id)), ("Grey Dawn", Some("star-navy")));
    bench.click("New design");
    in_sight(&bench);
    bench.give(Command::Library(moldloft::editor::library_browser::LibraryCommand::ChooseGame(None)));
    bench.click("New design for Wars of Honor 1.0");
    in_sight(&bench);
    // The name of a new fleet is typed at once.
    bench.give(Command::Library(moldloft::editor::library_browser::LibraryCommand::ChooseGame(None)));
    bench.click("New fleet for Star Navy v7");
    bench.type_text("Seventh Picket");
    assert_eq!(bench.doc().name(), "Seventh Picket");
}

#[test]
fn without_a_file_chooser_of_the_system_the_editor_has_its_own() {
    let mut bench = Bench::new(&[VIGILANT, SWORDFISH]);
    bench.platform.borrow_mut().has_no_chooser = true;
    bench.press(Modifiers::COMMAND, Key::O);
    assert!(bench.shows("Open designs") && bench.shows("Cannot open the file chooser of this system."));
    assert_eq!(bench.focused().as_deref(), Some("File"));
    // By pointer: folders, then a file.
    bench.click("folder designs");
    bench.click("folder wars-of-honor");
    bench.click("file vigilant.toml");
    bench.click("Open");
    assert_eq!((bench.doc().name().as_str(), &bench.state().dialog), ("Vigilant", &None));
    // By keyboard, from the folder of what is open: a path, then part of a name.
    bench.press(Modifiers::COMMAND, Key::O);
    bench.type_text("../sky-full-of-ships");
    bench.press(Modifiers::NONE, Key::Enter);
    assert!(bench.shows("file swordfish.toml") && bench.focused().as_deref() == Some("File"));
    bench.type_text("nothing");
    assert!(bench.shows("Nothing here matches."));
    bench.press(Modifiers::NONE, Key::Enter);
    assert!(bench.shows_part("! no such file: "), "reported");
    bench.press(Modifiers::COMMAND, Key::A);
    bench.type_text("sword");
    bench.press(Modifiers::NONE, Key::Enter);
    assert_eq!(bench.doc().name(), "Swordfish");
    assert_eq!(bench.focused(), None);
}

#[test]
fn the_own_file_chooser_restores_the_dialog_and_reports_errors() {
    use moldloft::editor::Dialog;
    let mut bench = Bench::new(&[VIGILANT]);
    bench.platform.borrow_mut().has_no_chooser = true;
    bench.open(VIGILANT);
    bench.give(Command::SaveAs);
    bench.click("Browse…");
    assert!(bench.shows("Save the design") && bench.shows("file vigilant.toml"));
    bench.press(Modifiers::NONE, Key::Escape);
    assert!(matches!(&bench.state().dialog, Some(Dialog::SaveAs { path }) if path.ends_with("vigilant.toml")));
    bench.click("Browse…");
    bench.press(Modifiers::COMMAND, Key::A);
    bench.type_text("other.toml");
    bench.press(Modifiers::NONE, Key::Enter);
    assert!(
        matches!(&bench.state().dialog, Some(Dialog::SaveAs { path }) if path.ends_with("wars-of-honor/other.toml"))
    );
    bench.give(Command::CloseDialog);
    // A folder that is deleted meanwhile.
    bench.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::O);
    let gone = bench.path("gone");
    std::fs::create_dir(&gone).unwrap();
    std::fs::create_dir(bench.path(".hidden")).unwrap();
    bench.give(Command::FileChooser(moldloft::editor::file_chooser::FileChooserCommand::EnterFolder(bench.path(""))));
    assert!(bench.shows("folder gone") && !bench.shows("folder .hidden"));
    std::fs::remove_dir(&gone).unwrap();
    bench.click("folder gone");
    assert!(bench.shows_part("cannot read the folder: it no longer exists"));
    bench.click("Parent folder");
    bench.click("Use this folder");
    assert!(bench.state().dialog.is_none() && bench.state().settings.workspace.is_some());
}

#[test]
fn what_is_saved_is_listed_at_once() {
    let mut bench = Bench::opened(&[SWORDFISH]);
    let path = bench.path("designs/sky-full-of-ships/other.toml");
    bench.give(Command::SaveTo(path));
    search(&mut bench, "other");
    assert!(bench.shows("Swordfish, 13 points"));
}

#[test]
fn the_first_design_of_a_game_is_saved_into_a_folder_that_is_made_for_it() {
    let mut bench = Bench::new(&[]);
    bench.click("New design for Star Navy v7");
    assert!(bench.harness.get_by_label("Name of the new design").is_focused());
    bench.harness.get_by_label("Name of the new design").type_text("Grey Dawn");
    bench.settle();
    bench.press(Modifiers::NONE, Key::Enter);
    assert_eq!(bench.doc().name(), "Grey Dawn");
    bench.press(Modifiers::COMMAND, Key::S);
    bench.click_first("Save");
    let path = bench.path("designs/star-navy/grey-dawn.toml");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), bench.text());
    bench.give(Command::Library(moldloft::editor::library_browser::LibraryCommand::Invalidate));
    assert!(bench.state().library.catalogue.entry(&path).is_some());
}

#[test]
fn a_lone_slash_goes_to_the_search_and_is_not_typed_into_it() {
    let mut bench = Bench::new(&[]);
    let slash = |bench: &mut Bench| {
        bench.harness.event(egui::Event::Text("/".into()));
        bench.settle();
    };
    slash(&mut bench);
    assert!(bench.harness.get_by_label("Search the library").is_focused());
    assert_eq!(bench.state().library.filter.text, "");
    slash(&mut bench);
    assert_eq!(bench.state().library.filter.text, "/", "from then on it is a sign like any other");
    bench.press(Modifiers::NONE, Key::Escape);
    assert_eq!(bench.state().library.filter.text, "");
}

#[test]
fn without_a_folder_the_page_says_so_and_one_can_be_opened() {
    let mut bench = Bench::over(tempfile::tempdir().unwrap());
    assert!(bench.shows("No folder is open: only built-in designs are listed."));
    assert!(bench.shows("Designs that you open or save are listed here."));
    let other = tempfile::tempdir().unwrap();
    let file = other.path().join("designs/far/one.toml");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, "ruleset = \"far\"\nname = \"One\"\n").unwrap();
    // Choosing its folder `designs` works as well.
    bench.platform.borrow_mut().choice = vec![other.path().join("designs")];
    bench.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::O);
    assert_eq!(bench.state().settings.workspace.as_deref(), Some(other.path()));
    search(&mut bench, "one");
    assert!(bench.shows_part("far (unknown ruleset), 1 listed"));
    bench.click("One, cannot be read");
    assert_eq!(bench.doc().name(), "One", "it is opened as it is");
}

#[test]
fn fleets_and_torn_files_are_listed_as_what_they_are() {
    let bench = Bench::new(&[]);
    let write = |file: &str, text: &str| {
        let path = bench.path(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("fleets/picket.toml", "ruleset = \"star-navy\"\nname = \"7th Picket\"\n[[ship]]\ncount = 4\n");
    write("designs/star-navy/torn.toml", "ruleset = \"star-navy");
    let mut bench = Bench::over(bench.folder);
    bench.click("List");
    search(&mut bench, "picket");
    assert!(bench.shows("7th Picket, fleet of 4 ships"));
    bench.press(Modifiers::NONE, Key::Escape);
    search(&mut bench, "torn");
    assert!(bench.shows("torn, cannot be read") && bench.shows_part("Star Navy v7, 1 listed"));
}

#[test]
fn arrows_go_through_the_list_beyond_what_is_in_sight() {
    let mut bench = Bench::new(&[]);
    bench.click("List");
    let entries: Vec<String> = bench.state().library.catalogue.entries().map(|entry| entry.name.to_string()).collect();
    bench.press(Modifiers::COMMAND, Key::F);
    for _ in 0..=30 {
        bench.press(Modifiers::NONE, Key::ArrowDown);
    }
    bench.press(Modifiers::NONE, Key::Enter);
    assert_eq!(bench.doc().name(), entries[30]);
}

#[test]
fn the_tooltip_of_a_picture_goes_when_a_dialog_opens() {
    let mut bench = Bench::new(&[]);
    bench.give(Command::Library(LibraryCommand::ShowThumbnails(true)));
    let tile = bench.harness.get_all_by_label_contains(", built-in").next().expect("a picture").rect().center();
    bench.harness.hover_at(tile);
    // The tooltip comes after the pointer has rested.
    bench.harness.run_steps(40);
    assert!(bench.shows_part("built-in: editing makes a copy"));
    bench.harness.state_mut().apply(Command::Palette(PaletteCommand::Open));
    bench.harness.run_steps(4);
    assert!(!bench.shows_part("built-in: editing makes a copy"));
}

#[test]
fn the_library_beside_a_design_lists_the_games_that_are_played() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("space/designs")).unwrap();
    let mut bench = Bench::over(folder);
    let games = ["star-navy".to_owned()].into();
    bench.give(Command::Library(LibraryCommand::SetGames(games)));
    bench.give(Command::OpenBuiltIn("designs/star-navy/chicago.toml".into()));
    assert!(bench.shows("Star Navy v7, expanded") && !bench.shows("A Sky Full of Ships, expanded"));
    bench.give(Command::Library(LibraryCommand::SearchPanel("swordfish".into())));
    assert!(bench.shows("A Sky Full of Ships, expanded"), "a search finds all");
}

#[test]
fn an_empty_fleet_leaves_the_sheet_its_width() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("space/designs")).unwrap();
    let mut bench = Bench::sized(folder, 1920.0, 1080.0);
    bench.give(Command::OpenBuiltIn("designs/wars-of-honor/petrel.toml".into()));
    let before = bench.harness.get_all_by_label("Sheet").last().expect("the switch").rect().left();
    bench.give(Command::Fleet(FleetCommand::New("wars-of-honor".into())));
    let after = bench.harness.get_all_by_label("Sheet").last().expect("the switch").rect().left();
    assert!((before - after).abs() < 2.0, "{before} {after}");
}
