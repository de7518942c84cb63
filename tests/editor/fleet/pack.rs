//! Fleets on paper and elsewhere: packs with the same bytes as the command line's, lists, forms, tokens.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command as Program;

use moldloft::editor::fleet_exchange::ExchangeCommand;
use moldloft::editor::printing::{PrintCommand, PrintSettings, PrintStage};
use moldloft::editor::{Command, Dialog, PickPurpose};
use moldloft::print::PackPart;

use super::{ESCORT, escort, with};
use crate::editor::bench::Bench;

const OTHER: &str = "designs/wars-of-honor/fleets/other.toml";

fn print(bench: &mut Bench, all: bool, options: PrintSettings, file: &str) -> PathBuf {
    let path = bench.path(file);
    bench.give(Command::Print(PrintCommand::Open(None)));
    let Some(Dialog::Print(ask)) = bench.state().dialog.clone() else { panic!("no dialog") };
    let mut ask = *ask;
    (ask.options, ask.all_open, ask.path_edited, ask.path) = (options, all, true, path.display().to_string());
    bench.give(Command::Print(PrintCommand::UpdateDialog(Box::new(ask))));
    bench.give(Command::Print(PrintCommand::Start));
    if let Some(Dialog::Print(ask)) = &bench.state().dialog {
        let PrintStage::Report(report) = &ask.stage else { panic!("{:?}", ask.stage) };
        assert!(report.any_written, "{report:?}");
        bench.give(Command::CloseDialog);
    }
    path
}

#[test]
fn a_pack_has_the_command_lines_bytes() {
    let mut bench = with(&[]);
    let other = std::fs::read_to_string(bench.path(ESCORT)).unwrap().replace("HM-17", "HM-18");
    std::fs::write(bench.path(OTHER), other).unwrap();
    bench.open(ESCORT);
    bench.open(OTHER);
    let plain = PrintSettings { view: false, ..PrintSettings::default() };
    let parts = BTreeSet::from([PackPart::Roster, PackPart::Sheets]);
    let cases: &[(bool, PrintSettings, &[&str])] = &[
        (false, plain.clone(), &[OTHER]),
        (true, plain.clone(), &[ESCORT, OTHER]),
        (
            false,
            PrintSettings { parts, single_sided: true, ..plain.clone() },
            &[OTHER, "--only", "roster,sheets", "--single-sided"],
        ),
        (false, PrintSettings { form: true, copies: 2, ..plain.clone() }, &[OTHER, "--form", "--copies", "2"]),
    ];
    for (n, (all, options, arguments)) in cases.iter().enumerate() {
        let ours = print(&mut bench, *all, options.clone(), &format!("ours{n}.pdf"));
        let theirs = format!("theirs{n}.pdf");
        let done = Program::new(env!("CARGO_BIN_EXE_moldloft"))
            .current_dir(bench.path(""))
            .arg("pack")
            .args(*arguments)
            .args(["-o", &theirs])
            .output()
            .expect("the program runs");
        assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
        let theirs = std::fs::read(bench.path(&theirs)).unwrap();
        assert!(std::fs::read(ours).unwrap() == theirs, "{arguments:?}");
    }
}

#[test]
fn the_dialog_asks_for_the_parts_and_keeps_one() {
    let mut bench = escort();
    bench.give(Command::Print(PrintCommand::Open(None)));
    assert!(bench.shows("Print the pack"));
    for part in ["roster", "chits", "logs", "reference", "rolls"] {
        bench.click(part);
    }
    assert!(!bench.is_enabled("sheets"), "a pack of nothing is none");
    let Some(Dialog::Print(ask)) = &bench.state().dialog else { panic!("no dialog") };
    assert_eq!(ask.options.parts, BTreeSet::from([PackPart::Sheets]));
    assert!(ask.path.ends_with("escort-of-convoy-hm-17-pack.pdf"), "{}", ask.path);
}

#[test]
fn a_list_goes_out_and_comes_back() {
    let mut bench = escort();
    let before = bench.doc().as_fleet().unwrap().evaluated.points;
    bench.harness.state_mut().apply(Command::Exchange(ExchangeCommand::ShareList { with_designs: false }));
    let text = bench.state().to_clipboard.clone().expect("in the clipboard");
    assert!(text.contains("HMS Vigilant"));
    bench.settle();
    bench.give(Command::OpenDialog(Dialog::ImportList { text }));
    bench.click("Import");
    let doc = bench.doc();
    assert_eq!(doc.as_fleet().expect("a fleet").evaluated.points, before);
    assert_eq!((bench.state().docs.len(), doc.path()), (2, None), "a fleet of its own, not saved yet");
    bench.give(Command::OpenDialog(Dialog::ImportList { text: "nothing of the sort".into() }));
    bench.click("Import");
    assert!(bench.shows_part("no ship in this list"));
}

#[test]
fn a_form_is_read_back_in_one_step() {
    let mut bench = escort();
    let form =
        print(&mut bench, false, PrintSettings { view: false, form: true, ..PrintSettings::default() }, "form.pdf");
    let before = bench.text();
    bench.give(Command::FilesPicked { paths: vec![form.clone()], purpose: PickPurpose::FilledForm });
    assert!(bench.shows_part("No change: "));
    assert_eq!(bench.text(), before);
    bench.click("Damage and load");
    bench.click("tick a box of structure");
    bench.give(Command::FilesPicked { paths: vec![form], purpose: PickPurpose::FilledForm });
    assert!(bench.shows_part("Set boxes of 1 ship from the form"));
    assert_eq!(bench.text(), before);
    bench.give(Command::Undo);
    assert!(bench.text().contains("structure = 3"));
    // Not a form.
    let path = bench.path(ESCORT);
    bench.give(Command::FilesPicked { paths: vec![path], purpose: PickPurpose::FilledForm });
    assert!(bench.state().notices.iter().any(|notice| notice.is_error));
}

#[test]
fn tokens_go_into_a_folder_of_their_own() {
    let mut bench = escort();
    bench.give(Command::Exchange(ExchangeCommand::OpenTokensDialog));
    let Some(Dialog::Tokens(mut ask)) = bench.state().dialog.clone() else { panic!("no dialog") };
    let folder = bench.path("tokens");
    (ask.folder, ask.dpi) = (folder.display().to_string(), 40);
    bench.give(Command::OpenDialog(Dialog::Tokens(ask)));
    bench.click("Write tokens");
    assert!(folder.join("images").is_dir(), "{:?}", bench.state().notices);
}
