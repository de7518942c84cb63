//! A report from inside, and a fault of the program itself: nothing is lost, and the next start tells of it.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use moldloft::design::{DocumentEdit, TablePath};
use moldloft::editor::fault::{guarded, install_hook};
use moldloft::editor::{Command, Dialog, Edit, PersistenceCommand};

use crate::editor::bench::Bench;

const VIGILANT: &str = "designs/wars-of-honor/vigilant.toml";

/// What the next steps put on the clipboard.
fn copied(bench: &mut Bench) -> Option<String> {
    (0..4).find_map(|_| {
        bench.harness.step();
        bench.harness.output().platform_output.commands.iter().find_map(|command| match command {
            egui::OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        })
    })
}

fn rename(bench: &mut Bench, name: &str) {
    bench.give(Command::Edit(Edit::single("rename", DocumentEdit::set(TablePath::Top, "name", name))));
}

#[test]
fn one_key_copies_what_is_open() {
    let mut bench = Bench::opened(&[VIGILANT]);
    rename(&mut bench, "Hasty");
    // Pressed alone: the output of its frame is looked at.
    let (key, modifiers) = (Key::F12, Modifiers::NONE);
    bench.harness.event(egui::Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers });
    let report = copied(&mut bench).expect("a text is copied");
    assert!(report.starts_with("Moldloft ") && report.contains("Ruleset: wars-of-honor 1.0.0 (built in)"), "{report}");
    assert!(report.contains("name = \"Hasty\"") && report.contains("Findings: none"), "{report}");
    assert!(!report.contains(&*bench.folder.path().to_string_lossy()), "{report}");
    bench.settle();
    assert!(bench.shows_part("Report copied, "));
}

#[test]
fn a_fault_keeps_unsaved_work_and_is_told_at_the_next_start() {
    let mut bench = Bench::opened(&[VIGILANT]);
    rename(&mut bench, "Hasty");
    // As a frame that fails, before the draft of the change was due.
    let fault = guarded(|| -> () { panic!("index {} out of bounds", 7) }).unwrap_err();
    assert!(fault.starts_with("index 7 out of bounds"), "{fault}");
    bench.harness.state_mut().keep_all(&fault);
    let Bench { harness, folder, .. } = bench;
    drop(harness);

    let mut bench = Bench::over(folder);
    assert_eq!(bench.state().dialog, Some(Dialog::RecoverDrafts));
    assert!(bench.shows("Moldloft ended by a fault of its own") && bench.shows_part("What happened: index 7 out of"));
    let report = bench.state().persistence.fault.clone().unwrap();
    assert!(report.contains("name = \"Hasty\""), "{report}");
    bench.harness.get_by_label("Copy the report").click();
    let told = copied(&mut bench);
    assert_eq!(told.as_ref(), Some(&report));
    bench.click("Restore all");
    assert!(bench.text().contains("name = \"Hasty\""));
    // It is told once.
    bench.press(Modifiers::COMMAND, Key::S);
    let Bench { harness, folder, .. } = bench;
    drop(harness);
    let bench = Bench::over(folder);
    assert_eq!((bench.state().dialog.as_ref(), bench.state().persistence.fault.as_ref()), (None, None));
}

#[test]
fn a_fault_outside_a_frame_is_told_without_drafts() {
    let bench = Bench::new(&[]);
    install_hook(Some(bench.folder.path().join("drafts")));
    let fault = guarded(|| -> () { panic!("no such thing") }).unwrap_err();
    assert!(fault.contains("no such thing, at ") && fault.contains("report.rs:"), "with its place: {fault}");
    // The panic of a job is the window's to outlive.
    let job = std::thread::spawn(|| guarded(|| -> () { panic!("in a job") }).unwrap_err());
    assert!(job.join().unwrap().starts_with("in a job"));
    let mut bench = Bench::over(bench.folder);
    assert!(bench.shows_part("What happened: no such thing, at ") && !bench.shows_part("in a job"));
    bench.click("Close");
    assert_eq!(bench.state().dialog, None);
    // In the menu as long as the window is open.
    bench.give(Command::Persistence(PersistenceCommand::ShowRecovered));
    assert!(bench.shows_part("no such thing"));
}
