//! No work is lost: drafts, crashes, files changed by other programs, questions before closing.

use std::path::PathBuf;

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use moldloft::design::{DocumentEdit, TablePath};
use moldloft::editor::{Command, Dialog, Edit, PersistenceCommand, Tab};
use tempfile::TempDir;

use crate::editor::bench::Bench;

const VIGILANT: &str = "designs/wars-of-honor/vigilant.toml";
const QUIVER: &str = "designs/wars-of-honor/quiver.toml";

fn rename(bench: &mut Bench, name: &str) {
    bench.give(Command::Edit(Edit::single("rename", DocumentEdit::set(TablePath::Top, "name", name))));
}

/// Long enough for a draft to be written.
fn wait(bench: &mut Bench) {
    bench.harness.run_steps(6);
    bench.settle();
}

/// Ends the program without saving and gives its folder.
fn crash(bench: Bench) -> TempDir {
    let Bench { harness, folder, .. } = bench;
    drop(harness);
    folder
}

fn drafts(bench: &Bench) -> Vec<PathBuf> {
    let folders = std::fs::read_dir(bench.folder.path().join("drafts")).unwrap();
    let files = folders.flat_map(|folder| std::fs::read_dir(folder.unwrap().path()).unwrap());
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "toml"));
    files
}

fn on_disk(bench: &Bench, file: &str) -> String {
    std::fs::read_to_string(bench.path(file)).unwrap()
}

#[test]
fn a_change_is_safe_a_moment_later_and_until_it_is_saved() {
    let mut bench = Bench::opened(&[VIGILANT]);
    wait(&mut bench);
    assert!(drafts(&bench).is_empty());
    rename(&mut bench, "Hasty");
    assert!(drafts(&bench).is_empty(), "not at every letter");
    wait(&mut bench);
    let draft = drafts(&bench);
    assert_eq!(draft.len(), 1);
    assert!(std::fs::read_to_string(&draft[0]).unwrap().ends_with(&bench.text()));
    // At once when the window loses the focus.
    rename(&mut bench, "Hastier");
    bench.harness.event(egui::Event::WindowFocused(false));
    bench.settle();
    assert!(std::fs::read_to_string(&draft[0]).unwrap().ends_with(&bench.text()));
    bench.press(Modifiers::COMMAND, Key::S);
    assert!(drafts(&bench).is_empty());
    // After undoing to the saved text no draft is needed.
    rename(&mut bench, "Other");
    wait(&mut bench);
    assert_eq!(drafts(&bench).len(), 1);
    bench.press(Modifiers::COMMAND, Key::Z);
    assert!(drafts(&bench).is_empty());
    // An idle window draws nothing.
    assert!(bench.harness.run() <= 2);
}

#[test]
fn what_a_crash_left_is_offered_and_restored() {
    let mut bench = Bench::new(&[VIGILANT, QUIVER]);
    let before = on_disk(&bench, VIGILANT);
    bench.open(VIGILANT);
    rename(&mut bench, "Unsaved One");
    let changed = bench.text();
    bench.give(Command::OpenText { text: "ruleset = \"wars-of-honor\"\nname = \"Never Saved\"\n".into() });
    bench.open(QUIVER);
    wait(&mut bench);
    assert_eq!(drafts(&bench).len(), 2);

    let mut bench = Bench::over(crash(bench));
    assert_eq!(bench.state().dialog, Some(Dialog::RecoverDrafts));
    assert!(bench.shows_part("Unsaved One") && bench.shows_part("Never Saved") && bench.shows_part("vigilant.toml"));
    assert!(bench.shows("1 line only in yours, 1 line only in the file"));
    assert!(bench.shows("+ name = \"Unsaved One\"") && bench.shows("− name = \"Vigilant\""));
    bench.click("Restore all");
    assert_eq!((bench.state().dialog.as_ref(), bench.state().docs.len()), (None, 2));
    assert_eq!(bench.text(), "ruleset = \"wars-of-honor\"\nname = \"Never Saved\"\n");
    let first = bench.state().docs[0].id;
    bench.give(Command::ShowTab(Tab::Doc(first)));
    assert_eq!((bench.text(), on_disk(&bench, VIGILANT)), (changed.clone(), before.clone()));
    assert!(bench.shows("Unsaved One, not saved"));
    // The new draft is written before the old one is removed.
    assert_eq!(drafts(&bench).len(), 2);
    bench.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(bench.text(), before);
    bench.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);

    // After another crash the user discards it and confirms.
    wait(&mut bench);
    let mut bench = Bench::over(crash(bench));
    bench.click("Discard Unsaved One");
    assert_eq!(drafts(&bench).len(), 2);
    bench.click("Keep Unsaved One");
    bench.click("Discard Unsaved One");
    bench.click("Confirm discarding Unsaved One");
    assert_eq!(drafts(&bench).len(), 1);
    bench.click("Later");
    assert_eq!(drafts(&bench).len(), 1);
    let mut bench = Bench::over(crash(bench));
    bench.click("Discard all…");
    bench.click("Discard all drafts");
    assert!(drafts(&bench).is_empty());
    let bench = Bench::over(crash(bench));
    assert_eq!(bench.state().dialog, None);
}

#[test]
fn a_draft_of_a_file_that_changed_since_replaces_nothing() {
    let mut bench = Bench::opened(&[VIGILANT]);
    rename(&mut bench, "Mine");
    let mine = bench.text();
    wait(&mut bench);
    let folder = crash(bench);
    let theirs = mine.replace("Mine", "Theirs");
    std::fs::write(folder.path().join("space").join(VIGILANT), &theirs).unwrap();
    let mut bench = Bench::over(folder);
    bench.click("Restore Mine");
    assert_eq!(bench.text(), mine);
    bench.press(Modifiers::COMMAND, Key::S);
    assert_eq!(on_disk(&bench, VIGILANT), theirs, "not without asking");
    assert!(matches!(bench.state().dialog, Some(Dialog::ChangedOnDisk(_))));
    bench.click("Later");
    bench.click("Keep my Mine");
    bench.press(Modifiers::COMMAND, Key::S);
    assert_eq!(on_disk(&bench, VIGILANT), mine);
    // If the file is gone, it is written again.
    rename(&mut bench, "Orphan");
    wait(&mut bench);
    let folder = crash(bench);
    std::fs::remove_file(folder.path().join("space").join(VIGILANT)).unwrap();
    let mut bench = Bench::over(folder);
    bench.click("Restore Orphan");
    bench.press(Modifiers::COMMAND, Key::S);
    assert_eq!(on_disk(&bench, VIGILANT), bench.text());
}

fn touch(bench: &mut Bench, text: &str) {
    std::fs::write(bench.path(VIGILANT), text).unwrap();
    let path = bench.path(VIGILANT);
    bench.give(Command::Persistence(PersistenceCommand::FilesChanged(vec![path])));
}

#[test]
fn a_file_changed_by_another_program_is_reported_and_the_user_decides() {
    let mut bench = Bench::opened(&[VIGILANT]);
    let first = bench.text();
    rename(&mut bench, "Mine");
    let mine = bench.text();
    let theirs = first.replace("name = \"Vigilant\"", "name = \"Theirs\"");
    touch(&mut bench, &theirs);
    assert!(bench.shows_part("Another program changed"));
    assert_eq!(bench.text(), mine, "nothing is replaced by itself");
    bench.click("Compare Mine with its file");
    assert!(bench.shows("+ name = \"Mine\"") && bench.shows("− name = \"Theirs\""));
    bench.click("Later");
    bench.click("Load Mine from disk");
    assert_eq!(bench.text(), theirs);
    assert!(!bench.shows_part("Another program changed") && !bench.shows("Theirs, not saved"));
    bench.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(bench.text(), mine, "undoing brings it back");
    bench.press(Modifiers::COMMAND, Key::S);
    assert_eq!(on_disk(&bench, VIGILANT), mine);

    // A change that was not detected in time is detected on saving.
    rename(&mut bench, "Later Mine");
    std::fs::write(bench.path(VIGILANT), &theirs).unwrap();
    bench.press(Modifiers::COMMAND, Key::S);
    assert!(matches!(bench.state().dialog, Some(Dialog::ChangedOnDisk(_))));
    assert_eq!(on_disk(&bench, VIGILANT), theirs);
    bench.click_first("Save my Later Mine as a copy");
    bench.click("Save");
    assert_eq!(on_disk(&bench, VIGILANT), theirs);
    let copy = VIGILANT.replace("vigilant", "vigilant-2");
    assert!(on_disk(&bench, &copy).contains("Later Mine"));
    assert!(bench.shows("Later Mine"));
    // Without changes of the player's own it is read again; focusing the window checks the file.
    let before = bench.text();
    std::fs::write(bench.path(&copy), before.clone() + "# more\n").unwrap();
    bench.harness.event(egui::Event::WindowFocused(true));
    bench.settle();
    assert_eq!(bench.text(), before.clone() + "# more\n");
    assert!(bench.shows_part("read again") && !bench.shows_part("Load from disk"));
    bench.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(bench.text(), before, "undone like any other change");
    assert!(bench.shows("Later Mine, not saved"));
    // Changed to the shown text: nothing to report.
    std::fs::write(bench.path(&copy), before).unwrap();
    bench.harness.event(egui::Event::WindowFocused(true));
    bench.settle();
    assert!(!bench.shows_part("Another program changed"));
}

#[test]
fn a_file_that_was_removed_is_not_lost() {
    let mut bench = Bench::opened(&[VIGILANT]);
    let text = bench.text();
    std::fs::remove_file(bench.path(VIGILANT)).unwrap();
    bench.give(Command::Persistence(PersistenceCommand::CheckFiles));
    assert!(bench.shows_part("was removed or renamed"));
    bench.press(Modifiers::COMMAND, Key::W);
    assert!(matches!(bench.state().dialog, Some(Dialog::ConfirmClose(_))), "closing would lose it");
    bench.click("Cancel");
    bench.click("Save Vigilant again");
    assert_eq!(on_disk(&bench, VIGILANT), text);
    assert!(!bench.shows_part("was removed or renamed"));
}

#[test]
fn closing_and_quitting_ask() {
    let mut bench = Bench::opened(&[VIGILANT, QUIVER]);
    rename(&mut bench, "Mine");
    bench.press(Modifiers::COMMAND, Key::W);
    bench.click("Cancel");
    assert_eq!(bench.state().docs.len(), 1);
    bench.press(Modifiers::COMMAND, Key::W);
    bench.click("Save");
    assert!(bench.state().docs.is_empty() && on_disk(&bench, VIGILANT).contains("Mine"));

    // Without a file: asks where to save, then closes; stays open after a cancel.
    bench.give(Command::OpenText { text: "ruleset = \"wars-of-honor\"\nname = \"New One\"\n".into() });
    bench.press(Modifiers::COMMAND, Key::W);
    bench.click("Save");
    bench.click("Cancel");
    assert_eq!(bench.state().docs.len(), 1);
    bench.press(Modifiers::COMMAND, Key::W);
    bench.click("Save");
    bench.click("Save");
    assert!(bench.state().docs.is_empty());
    assert!(on_disk(&bench, "designs/wars-of-honor/new-one.toml").contains("New One"));

    // Quitting with several unsaved documents.
    bench.open(VIGILANT);
    rename(&mut bench, "Again");
    bench.give(Command::OpenText { text: "ruleset = \"wars-of-honor\"\nname = \"Second\"\n".into() });
    bench.open(QUIVER);
    rename(&mut bench, "Changed");
    wait(&mut bench);
    bench.give(Command::Quit);
    bench.click("Cancel");
    assert!(!bench.state().wants_quit);
    bench.give(Command::Quit);
    bench.click("Save all");
    assert!(!bench.state().wants_quit, "the new one is asked about");
    bench.click("Save");
    assert!(bench.state().wants_quit);
    assert!(on_disk(&bench, VIGILANT).contains("Again") && on_disk(&bench, QUIVER).contains("Changed"));
    assert!(drafts(&bench).is_empty());
}

#[test]
fn quitting_without_saving_is_possible() {
    let mut bench = Bench::opened(&[VIGILANT]);
    rename(&mut bench, "Gone");
    wait(&mut bench);
    bench.give(Command::Quit);
    bench.click("Quit without saving");
    assert!(bench.state().wants_quit && drafts(&bench).is_empty());
    assert_eq!(Bench::over(crash(bench)).state().dialog, None);
}

#[test]
fn saving_asks_before_it_replaces_another_file() {
    let mut bench = Bench::new(&[VIGILANT, QUIVER]);
    let quiver = on_disk(&bench, QUIVER);
    bench.open(VIGILANT);
    let to = bench.path(QUIVER);
    bench.give(Command::SaveTo(to.clone()));
    assert!(bench.shows("quiver.toml already exists"));
    assert_eq!(on_disk(&bench, QUIVER), quiver);
    bench.click("Choose another name");
    bench.click("Cancel");
    bench.give(Command::SaveTo(to.clone()));
    bench.click("Replace quiver.toml");
    assert_eq!(on_disk(&bench, QUIVER), bench.text());
    // Nor a file that is open in another tab.
    bench.open(VIGILANT);
    bench.give(Command::SaveTo(to));
    assert!(bench.shows_part("open in another tab"));
    // A name without an extension gets one; folders of the workspace are created.
    let new = bench.path("designs/other/new");
    bench.give(Command::SaveTo(new));
    assert_eq!(on_disk(&bench, "designs/other/new.toml"), bench.text());
}

#[test]
fn an_unreadable_file_is_shown_as_text_and_can_be_repaired() {
    let mut bench = Bench::new(&[]);
    let broken = "\u{feff}ruleset = \"wars-of-honor\"\r\n# mine\r\nname = Broken\r\n";
    std::fs::write(bench.path("designs/broken.toml"), broken).unwrap();
    bench.open("designs/broken.toml");
    assert!(bench.shows_part("cannot be read as a design"));
    bench.click("Go to line 3, column 8");
    assert_eq!(bench.text(), broken);
    // After a repair the text stays until the form is requested.
    bench.harness.event(egui::Event::Text("\"\" #".into()));
    bench.settle();
    assert_eq!(bench.text(), broken.replace("= Broken", "= \"\" #Broken"));
    assert!(bench.shows("This is a valid design again."));
    bench.click("Show the form");
    assert!(!bench.shows("This is a valid design again.") && bench.shows("broken, not saved"));
    bench.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(bench.text(), broken);
    // Saving an unreadable file keeps its text.
    bench.press(Modifiers::COMMAND, Key::S);
    assert_eq!(on_disk(&bench, "designs/broken.toml"), broken);
    let mended = "ruleset = \"wars-of-honor\"\n# mine\nname = \"Mended\"\n";
    bench.give(Command::Persistence(PersistenceCommand::SetText(mended.to_owned())));
    assert_eq!(bench.text(), format!("\u{feff}{}", mended.replace('\n', "\r\n")));
    assert!(!bench.shows_part("cannot be read as a design") && bench.shows("Mended, not saved"));
    bench.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(bench.text(), broken);
    wait(&mut bench);
    // The byte-order mark and the line ends are kept by edits of the form, too.
    bench.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    rename(&mut bench, "Named");
    bench.press(Modifiers::COMMAND, Key::S);
    let whole = format!("\u{feff}{}", mended.replace('\n', "\r\n").replace("Mended", "Named"));
    assert_eq!(on_disk(&bench, "designs/broken.toml"), whole);
}

#[test]
fn letters_typed_in_the_frame_of_a_save_are_saved() {
    let mut bench = Bench::opened(&[VIGILANT]);
    let name = bench.harness.get_by_role_and_label(egui::accesskit::Role::TextInput, "name");
    name.focus();
    bench.settle();
    bench.harness.input_mut().events.push(egui::Event::Text("Hasty ".into()));
    bench.harness.input_mut().events.push(egui::Event::Key {
        key: Key::S,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: Modifiers::COMMAND,
    });
    bench.harness.step();
    bench.settle();
    assert!(bench.text().contains("Hasty"), "{}", bench.text());
    assert_eq!(on_disk(&bench, VIGILANT), bench.text());
    assert!(!bench.shows_part(", not saved"));
}

#[test]
fn several_drafts_of_one_file_each_come_back() {
    let mut bench = Bench::opened(&[VIGILANT]);
    rename(&mut bench, "Draft One");
    wait(&mut bench);
    let mut bench = Bench::over(crash(bench));
    bench.click("Later");
    bench.open(VIGILANT);
    rename(&mut bench, "Draft Two");
    wait(&mut bench);

    let mut bench = Bench::over(crash(bench));
    bench.click("Restore all");
    let names: Vec<String> = bench.state().docs.iter().map(|doc| doc.name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names.contains(&"Draft One".to_owned()) && names.contains(&"Draft Two".to_owned()), "{names:?}");
    assert!(bench.state().docs.iter().all(|doc| doc.has_unsaved_work()));
    assert_eq!(drafts(&bench).len(), 2);
}

#[test]
fn an_unreadable_file_is_replaced_only_on_request() {
    let mut bench = Bench::opened(&[VIGILANT]);
    rename(&mut bench, "Mine");
    let theirs = b"\xff\xfen\x00a\x00";
    std::fs::write(bench.path(VIGILANT), theirs).unwrap();
    bench.press(Modifiers::COMMAND, Key::S);
    assert_eq!(std::fs::read(bench.path(VIGILANT)).unwrap(), theirs);
    assert!(!bench.shows("Save Mine again"));
    bench.click_first("Replace the file of Mine");
    assert_eq!(on_disk(&bench, VIGILANT), bench.text());
}

#[test]
fn what_is_saved_says_which_fleets_change_with_it() {
    const FLEET: &str = "designs/wars-of-honor/fleets/picket.toml";
    let mut bench = Bench::new(&[VIGILANT, QUIVER]);
    bench.write(FLEET, "ruleset = \"wars-of-honor\"\nname = \"Picket\"\n[[ship]]\ndesign = \"../vigilant.toml\"\n");
    bench.give(Command::Library(moldloft::editor::library_browser::LibraryCommand::Scan));
    bench.open(VIGILANT);
    rename(&mut bench, "Watchful");
    bench.press(Modifiers::COMMAND, Key::S);
    assert!(bench.shows_part("it is in a fleet, which changes with it: Picket"), "{:?}", bench.state().notices);
    bench.open(QUIVER);
    rename(&mut bench, "Sheath");
    bench.press(Modifiers::COMMAND, Key::S);
    assert!(bench.shows_part("Saved: ") && !bench.shows_part("it is in a fleet"));
}
