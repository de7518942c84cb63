//! Fleets on paper and elsewhere: packs with the command line's bytes, lists, forms, tokens.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command as Program;

use moldloft::editor::printing::{Options, Print, Stage};
use moldloft::editor::trading::Trading;
use moldloft::editor::{Command, Dialog, Picked};
use moldloft::press::Part;

use super::{ESCORT, escort, with};
use crate::bench::Bench;

const OTHER: &str = "designs/wars-of-honor/fleets/other.toml";

fn print(bench: &mut Bench, all: bool, options: Options, file: &str) -> PathBuf {
    let path = bench.path(file);
    bench.give(Command::Print(Print::Open(None)));
    let Some(Dialog::Print(ask)) = bench.state().dialog.clone() else { panic!("no dialog") };
    let mut ask = *ask;
    (ask.options, ask.all, ask.named, ask.path) = (options, all, true, path.display().to_string());
    bench.give(Command::Print(Print::Change(Box::new(ask))));
    bench.give(Command::Print(Print::Start));
    if let Some(Dialog::Print(ask)) = &bench.state().dialog {
        let Stage::Told(told) = &ask.stage else { panic!("{:?}", ask.stage) };
        assert!(told.written, "{told:?}");
        bench.give(Command::Dismiss);
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
    let plain = Options { view: false, ..Options::default() };
    let parts = BTreeSet::from([Part::Roster, Part::Sheets]);
    let cases: &[(bool, Options, &[&str])] = &[
        (false, plain.clone(), &[OTHER]),
        (true, plain.clone(), &[ESCORT, OTHER]),
        (
            false,
            Options { parts, single_sided: true, ..plain.clone() },
            &[OTHER, "--only", "roster,sheets", "--single-sided"],
        ),
        (false, Options { form: true, copies: 2, ..plain.clone() }, &[OTHER, "--form", "--copies", "2"]),
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
    bench.give(Command::Print(Print::Open(None)));
    assert!(bench.shows("Print the pack"));
    for part in ["roster", "summary", "chits", "logs", "reference"] {
        bench.click(part);
    }
    assert!(!bench.is_enabled("sheets"), "a pack of nothing is none");
    let Some(Dialog::Print(ask)) = &bench.state().dialog else { panic!("no dialog") };
    assert_eq!(ask.options.parts, BTreeSet::from([Part::Sheets]));
    assert!(ask.path.ends_with("escort-of-convoy-hm-17-pack.pdf"), "{}", ask.path);
}

#[test]
fn a_list_goes_out_and_comes_back() {
    let mut bench = escort();
    let before = bench.state().doc().unwrap().fleet().unwrap().mustered.points;
    bench.harness.state_mut().apply(Command::Trade(Trading::Share { designs: false }));
    let text = bench.state().to_clipboard.clone().expect("in the clipboard");
    assert!(text.contains("HMS Vigilant"));
    bench.settle();
    bench.give(Command::Ask(Dialog::ImportList { text }));
    bench.click("Import");
    let doc = bench.state().doc().unwrap();
    assert_eq!(doc.fleet().expect("a fleet").mustered.points, before);
    assert_eq!((bench.state().docs.len(), doc.path()), (2, None), "a fleet of its own, not saved yet");
    bench.give(Command::Ask(Dialog::ImportList { text: "nothing of the sort".into() }));
    bench.click("Import");
    assert!(bench.shows_part("no ship in this list"));
}

#[test]
fn a_form_is_read_back_in_one_step() {
    let mut bench = escort();
    let form = print(&mut bench, false, Options { view: false, form: true, ..Options::default() }, "form.pdf");
    let before = bench.text();
    bench.give(Command::Chosen { paths: vec![form.clone()], then: Picked::Form });
    assert!(bench.shows_part("No change: "));
    assert_eq!(bench.text(), before);
    bench.click("Damage and load");
    bench.click("tick a box of structure");
    bench.give(Command::Chosen { paths: vec![form], then: Picked::Form });
    assert!(bench.shows_part("Set boxes of 1 ship from the form"));
    assert_eq!(bench.text(), before);
    bench.give(Command::Undo);
    assert!(bench.text().contains("structure = 3"));
    // What is no form is told.
    let path = bench.path(ESCORT);
    bench.give(Command::Chosen { paths: vec![path], then: Picked::Form });
    assert!(bench.state().notices.iter().any(|notice| notice.is_error));
}

#[test]
fn tokens_go_into_a_folder_of_their_own() {
    let mut bench = escort();
    bench.give(Command::Trade(Trading::AskTokens));
    let Some(Dialog::Tokens(mut ask)) = bench.state().dialog.clone() else { panic!("no dialog") };
    let folder = bench.path("tokens");
    (ask.folder, ask.dpi) = (folder.display().to_string(), 40);
    bench.give(Command::Ask(Dialog::Tokens(ask)));
    bench.click("Write tokens");
    assert!(folder.join("images").is_dir(), "{:?}", bench.state().notices);
}
