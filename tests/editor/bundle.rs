//! Sharing as a bundle, and opening one: what is in it, what differs, and where it goes.

use std::fs;

use moldloft::editor::bundles::BundleCommand;
use moldloft::editor::{Command, Dialog, PickPurpose};
use moldloft::exchange::bundle::{BundleInput, FileAction, gather_bundle, is_bundle_text, text_of_bundle};
use moldloft::store::FileRef;

use crate::editor::bench::Bench;

const PETREL: &str = "designs/wars-of-honor/petrel.toml";
const LAYER: &str = "[ruleset]\nid = \"club\"\ntitle = \"Club\"\nversion = \"1\"\nschema = 1\nextends = \"wars-of-honor\"\n\
                     [change.system.laser]\npoints = 12\nreason = \"they win\"\n";

/// A design of house rules, in a workspace of its own.
fn with_club() -> Bench {
    let mut bench = Bench::new(&[PETREL]);
    fs::create_dir_all(bench.path("rulesets")).unwrap();
    fs::write(bench.path("rulesets/club.toml"), LAYER).unwrap();
    let text = fs::read_to_string(bench.path(PETREL)).unwrap().replace("\"wars-of-honor\"", "\"club\"");
    fs::create_dir_all(bench.path("designs/club")).unwrap();
    fs::write(bench.path("designs/club/kite.toml"), text.replace("name = \"Petrel\"", "name = \"Kite\"")).unwrap();
    bench.open("designs/club/kite.toml");
    bench
}

#[test]
fn a_design_is_shared_and_opened_by_another_player() {
    let mut bench = with_club();
    bench.give(Command::Bundle(BundleCommand::OpenShareDialog));
    bench.settle();
    assert!(bench.shows_part("Share Kite"));
    bench.click("Write the file");
    let file = bench.path("designs/club/kite.moldloft");
    assert!(file.exists() && bench.state().dialog.is_none());

    // Dropped on the window of a player who has nothing of it.
    let mut other = Bench::new(&[PETREL]);
    other.give(Command::FilesPicked { paths: vec![file], purpose: PickPurpose::Open });
    other.settle();
    assert!(other.shows_part("Open bundle: Kite") && other.shows("All of it is as the sender's program saw it."));
    let Some(Dialog::Bundle(dialog)) = &other.state().dialog else { panic!("no dialog") };
    let plan = dialog.plan.as_ref().expect("a plan");
    assert!(plan.files.iter().all(|file| file.action == FileAction::New), "{plan:?}");
    assert!(!other.path("rulesets/club.toml").exists(), "nothing is written yet");
    assert!(other.shows("Write 2 files"));
    assert_eq!(other.focused().as_deref(), Some("Write into this folder"));
    other.press(egui::Modifiers::NONE, egui::Key::Enter);
    assert!(other.path("rulesets/club.toml").exists() && other.path("designs/club/kite.toml").exists());
    assert!(other.state().dialog.is_none());
    assert_eq!(other.doc().path(), Some(&other.path("designs/club/kite.toml")), "what was shared is open");
    assert!(other.doc().evaluation().is_some());
}

#[test]
fn what_differs_is_shown_and_own_files_stay() {
    let mut bench = with_club();
    bench.give(Command::Bundle(BundleCommand::OpenShareDialog));
    bench.give(Command::Bundle(BundleCommand::WriteShared));
    bench.settle();
    // Meanwhile the ruleset's layer and the design are other ones here.
    let own = LAYER.replace("points = 12", "points = 99");
    fs::write(bench.path("rulesets/club.toml"), &own).unwrap();
    let design = fs::read_to_string(bench.path("designs/club/kite.toml")).unwrap() + "# mine\n";
    fs::write(bench.path("designs/club/kite.toml"), &design).unwrap();
    let file = bench.path("designs/club/kite.moldloft");
    bench.give(Command::Bundle(BundleCommand::Open(file)));
    bench.settle();
    assert!(bench.shows("left out") && bench.shows_part("as kite"));
    bench.click("Write 1 file");
    assert_eq!(fs::read_to_string(bench.path("rulesets/club.toml")).unwrap(), own);
    assert_eq!(fs::read_to_string(bench.path("designs/club/kite.toml")).unwrap(), design);
}

#[test]
fn a_bundle_as_text_is_copied_and_pasted() {
    let mut bench = with_club();
    bench.give(Command::Bundle(BundleCommand::OpenShareDialog));
    bench.settle();
    bench.click("Copy as text");
    assert!(bench.shows_part("Copied the bundle as text"));
    let file = FileRef::on_disk(bench.path("designs/club/kite.toml"));
    let (bundle, _) = gather_bundle(&bench.state().rulesets, &[BundleInput::File(file)]).unwrap();
    let text = text_of_bundle(&bundle).unwrap();
    assert!(is_bundle_text(&text), "{text}");
    bench.give(Command::OpenDialog(Dialog::ImportList { text }));
    bench.settle();
    bench.click("Import");
    assert!(bench.shows_part("Open bundle: Kite") && bench.shows("Nothing to write"));
}

#[test]
fn what_is_no_bundle_is_refused_with_its_reason() {
    let mut bench = Bench::new(&[PETREL]);
    let file = bench.path("evil.moldloft");
    fs::write(&file, b"PK\x03\x04 nothing").unwrap();
    bench.give(Command::Bundle(BundleCommand::Open(file)));
    bench.settle();
    assert!(bench.state().dialog.is_none() && bench.shows_part("cannot read the bundle"));
}

#[test]
fn what_is_dropped_opens_as_what_it_is() {
    let mut bench = Bench::new(&[PETREL]);
    let drop = |bench: &mut Bench, path| {
        bench.give(Command::FilesPicked { paths: vec![path], purpose: PickPurpose::Open });
        bench.settle();
    };
    let path = bench.path(PETREL);
    drop(&mut bench, path);
    assert_eq!(bench.doc().name(), "Petrel");
    let other = tempfile::tempdir().unwrap();
    fs::create_dir_all(other.path().join("rulesets")).unwrap();
    let layer = other.path().join("rulesets/club.toml");
    fs::write(&layer, LAYER).unwrap();
    drop(&mut bench, layer);
    assert!(bench.state().store.workspace().is_some_and(|own| own.ends_with(other.path())));
    assert!(bench.doc().as_ruleset().is_some() && bench.shows_part("Show Systems"), "the rules page is shown");
    let loose = other.path().join("loose.toml");
    fs::write(&loose, LAYER).unwrap();
    drop(&mut bench, loose);
    assert!(bench.doc().path().is_some_and(|path| path.ends_with("loose.toml")));
    assert!(bench.doc().as_ruleset().is_some());
    assert!(bench.shows_part("once their file is in the folder rulesets/"));
}

#[test]
fn a_picture_that_is_dropped_is_the_ships_own() {
    let mut bench = Bench::opened(&[PETREL]);
    let elsewhere = tempfile::tempdir().unwrap();
    let photo = elsewhere.path().join("photo.png");
    image::RgbImage::from_pixel(40, 20, image::Rgb([90, 60, 30])).save(&photo).unwrap();
    let drop = |bench: &mut Bench, path: &std::path::Path| {
        bench.give(Command::FilesPicked { paths: vec![path.to_path_buf()], purpose: PickPurpose::Open });
        bench.settle();
    };
    let named = |bench: &Bench| {
        let design = &bench.doc().as_design().unwrap().design;
        design.silhouette.as_ref().map(|name| name.text.to_string())
    };
    drop(&mut bench, &photo);
    assert_eq!(named(&bench).as_deref(), Some("photo.png"));
    let beside = bench.path(PETREL).with_file_name("photo.png");
    assert_eq!(fs::read(&beside).unwrap(), fs::read(&photo).unwrap());
    // The same again is no second file; another of its name is.
    drop(&mut bench, &photo);
    image::RgbImage::from_pixel(40, 20, image::Rgb([30, 60, 90])).save(&photo).unwrap();
    bench.platform.borrow_mut().choice = vec![photo.clone()];
    bench.press(egui::Modifiers::COMMAND, egui::Key::K);
    bench.type_text("picture");
    bench.press(egui::Modifiers::NONE, egui::Key::Enter);
    assert_eq!(named(&bench).as_deref(), Some("photo-2.png"));
    bench.give(Command::Undo);
    bench.settle();
    assert_eq!(named(&bench).as_deref(), Some("photo.png"));
    // What is none is refused, and nothing is copied.
    fs::write(&photo, b"GIF89a").unwrap();
    drop(&mut bench, &photo);
    assert!(bench.shows_part("cannot add the picture: expected a PNG or JPEG picture"));
    assert_eq!(named(&bench).as_deref(), Some("photo.png"));
    assert!(!beside.with_file_name("photo-3.png").exists());
}
