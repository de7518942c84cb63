//! Printing: the same bytes as the command line's, questions before files are replaced, findings, cancelling.

use std::path::{Path, PathBuf};
use std::process::Command as Program;

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use moldloft::editor::printing::{PrintCommand, PrintDialog, PrintSettings, PrintStage};
use moldloft::editor::{Command, Dialog};
use moldloft::export::TextMode;
use moldloft::print::PrintKind;
use moldloft::sheet::{Backs, PageSetup, Paper};

use crate::editor::bench::Bench;

const VIGILANT: &str = "designs/wars-of-honor/vigilant.toml";
const KASIMIR: &str = "designs/wars-of-honor/kasimir.toml";
const BURLINGTON: &str = "designs/sky-full-of-ships/burlington.toml";

fn ask(bench: &Bench) -> PrintDialog {
    match &bench.state().dialog {
        Some(Dialog::Print(ask)) => (**ask).clone(),
        other => panic!("the print dialog is not open: {other:?}"),
    }
}

/// Fills in the dialog and prints to a file of the workspace.
fn print(bench: &mut Bench, all: bool, options: PrintSettings, file: &str) -> PathBuf {
    let path = bench.path(file);
    bench.give(Command::Print(PrintCommand::Open(None)));
    let answer = PrintDialog {
        options,
        all_open: all,
        path: path.display().to_string(),
        path_edited: true,
        more: Default::default(),
        pages: String::new(),
        path_problem: None,
        preset_name: None,
        shows_pages: false,
        printers: Default::default(),
        languages: Default::default(),
        stage: PrintStage::Settings,
    };
    bench.give(Command::Print(PrintCommand::UpdateDialog(Box::new(answer))));
    bench.give(Command::Print(PrintCommand::Start));
    path
}

/// Prints with the command line to a file of the same folder.
fn by_command(bench: &Bench, arguments: &[&str], file: &str) {
    let done = Program::new(env!("CARGO_BIN_EXE_moldloft"))
        .current_dir(bench.path(""))
        .args(arguments)
        .args(["-o", file])
        .output()
        .expect("the program runs");
    assert!(
        done.status.code().is_some_and(|code| code < 2),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&done.stderr)
    );
}

fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_bytes_are_the_command_lines() {
    let mut bench = Bench::new(&[VIGILANT, KASIMIR, BURLINGTON]);
    for file in [BURLINGTON, KASIMIR, VIGILANT] {
        bench.open(file);
    }
    let plain = PrintSettings { view: false, ..PrintSettings::default() };
    let svg = |what| PrintSettings { what, format: "svg".into(), ..plain.clone() };
    let cases: &[(bool, PrintSettings, &[&str])] = &[
        (false, plain.clone(), &["print", VIGILANT]),
        (true, plain.clone(), &["print", BURLINGTON, KASIMIR, VIGILANT]),
        (
            true,
            PrintSettings { what: PrintKind::SheetsAndCounters, copies: 2, backs: Backs::Fold, ..plain.clone() },
            &["print", BURLINGTON, KASIMIR, VIGILANT, "--chits", "--copies", "2", "--back", "fold"],
        ),
        (
            false,
            PrintSettings { grey: true, large_print: true, page_setup: Paper::Letter.into(), ..plain.clone() },
            &["print", VIGILANT, "--grey", "--large-print", "--paper", "letter"],
        ),
        (
            false,
            PrintSettings {
                what: PrintKind::Counters,
                chit: Some(20),
                page_setup: PageSetup::default().offset((0.5, -1.0)),
                ..plain.clone()
            },
            &["chits", VIGILANT, "--size", "20", "--offset=0.5,-1"],
        ),
        (
            false,
            PrintSettings { what: PrintKind::Counters, backs: Backs::None, ..svg(PrintKind::Counters) },
            &["chits", VIGILANT, "--back", "none"],
        ),
        (
            false,
            PrintSettings { lettering: TextMode::Embedded, ..svg(PrintKind::Sheets) },
            &["print", VIGILANT, "--svg-text", "embedded"],
        ),
        (false, PrintSettings { format: "png".into(), dpi: 60, ..plain.clone() }, &["print", VIGILANT, "--dpi", "60"]),
        (false, PrintSettings { what: PrintKind::Reference, ..plain.clone() }, &["reference", "wars-of-honor"]),
        (false, PrintSettings { what: PrintKind::Blank, ..plain.clone() }, &["print", "--blank", "wars-of-honor"]),
    ];
    for (n, (all, options, arguments)) in cases.iter().enumerate() {
        let ours = print(&mut bench, *all, options.clone(), &format!("ours{n}.{}", options.format));
        if bench.state().dialog.is_some() {
            let PrintStage::Report(report) = ask(&bench).stage else {
                panic!("{arguments:?}: {:?}", ask(&bench).stage)
            };
            assert!(report.any_written, "{arguments:?}: {report:?}");
            bench.give(Command::CloseDialog);
        }
        let theirs = format!("theirs{n}.{}", options.format);
        by_command(&bench, arguments, &theirs);
        let theirs = bench.path(&theirs);
        if ours.is_file() {
            assert!(bytes(&ours) == bytes(&theirs), "{arguments:?}");
        } else {
            for page in 1.. {
                let (ours, theirs) =
                    (moldloft::store::page_path(&ours, page, 2), moldloft::store::page_path(&theirs, page, 2));
                assert_eq!(ours.is_file(), theirs.is_file(), "{arguments:?}: page {page}");
                if !ours.is_file() {
                    assert!(page > 2, "{arguments:?}");
                    break;
                }
                assert!(bytes(&ours) == bytes(&theirs), "{arguments:?}: page {page}");
            }
        }
    }
}

#[test]
fn the_keyboard_prints_and_the_viewer_opens() {
    let mut bench = Bench::opened(&[VIGILANT]);
    bench.press(Modifiers::COMMAND, Key::P);
    assert!(bench.shows("Control sheets") && bench.shows("Cancel"));
    let path = bench.path("designs/wars-of-honor/vigilant.pdf");
    assert_eq!(ask(&bench).path, path.display().to_string());
    bench.press(Modifiers::NONE, Key::Enter);
    assert!(bytes(&path).starts_with(b"%PDF"));
    assert_eq!(bench.platform.borrow().views, [path]);
    assert!(bench.state().dialog.is_none() && bench.shows_part("1 ship on 1 page"));
}

#[test]
fn choices_change_the_name_and_are_remembered() {
    let mut bench = Bench::opened(&[VIGILANT]);
    bench.click("Chits…");
    assert!(ask(&bench).path.ends_with("vigilant-chits.pdf"));
    bench.click("PNG");
    assert!(ask(&bench).path.ends_with("vigilant-chits.png"));
    bench.click("Transparent background");
    bench.click("SVG");
    assert!(!ask(&bench).options.export_options().background);
    bench.click("PNG");
    bench.click("Letter");
    bench.click("Cancel");
    bench.click("Print…");
    let options = ask(&bench).options;
    assert_eq!((options.what, &*options.format, options.page_setup.paper), (PrintKind::Counters, "png", Paper::Letter));
    assert!(options.transparent);
    let text = bench.state().settings.to_text();
    let again = moldloft::editor::Settings::parse(&text).unwrap();
    assert_eq!(again.print, bench.state().settings.print);
}

#[test]
fn files_are_replaced_only_after_a_question() {
    let mut bench = Bench::opened(&[VIGILANT]);
    std::fs::write(bench.path("here.pdf"), "mine").unwrap();
    let path = print(&mut bench, false, PrintSettings { view: false, ..PrintSettings::default() }, "here.pdf");
    assert!(bench.shows_part("already exists"));
    assert_eq!(bytes(&path), b"mine");
    bench.click("Choose another name");
    assert_eq!((ask(&bench).stage, bytes(&path)), (PrintStage::Settings, b"mine".to_vec()));
    bench.give(Command::Print(PrintCommand::Start));
    bench.click("Replace");
    assert!(bytes(&path).starts_with(b"%PDF"));

    std::fs::write(bench.path("page-2.svg"), "mine").unwrap();
    let options =
        PrintSettings { what: PrintKind::Counters, format: "svg".into(), view: false, ..PrintSettings::default() };
    print(&mut bench, false, options, "page.svg");
    assert!(bench.shows_part("page-2.svg") && bench.shows("Replace"));
    assert!(!bench.path("page-1.svg").exists(), "nothing is written before the question is answered");
    bench.press(Modifiers::NONE, Key::Escape);
    assert!(bench.state().dialog.is_none() && !bench.path("page-1.svg").exists());
}

#[test]
fn a_bad_ship_is_named_and_the_others_print() {
    let mut bench = Bench::new(&[VIGILANT]);
    std::fs::write(bench.path("bad.toml"), "ruleset = \"no-such-game\"\nname = \"Wreck\"\n").unwrap();
    std::fs::write(bench.path("torn.toml"), "ruleset = \"wars-of-honor\nname").unwrap();
    for file in ["bad.toml", "torn.toml", VIGILANT] {
        bench.open(file);
    }
    let path = print(&mut bench, true, PrintSettings::default(), "all.pdf");
    assert!(bytes(&path).starts_with(b"%PDF"));
    assert!(bench.shows_part("Wreck is not printed") && bench.shows_part("torn is not printed"));
    assert!(bench.shows_part("1 ship on 1 page"));
    bench.click("Close");
    assert!(bench.state().dialog.is_none());
}

#[test]
fn what_cannot_be_written_is_reported() {
    let mut bench = Bench::opened(&[VIGILANT]);
    print(&mut bench, false, PrintSettings::default(), "no/such/folder/x.pdf");
    assert!(bench.shows_part("no such folder"));
    bench.click("Back");
    assert!(bench.shows("Browse…"));
    bench.platform.borrow_mut().choice = vec![bench.path("chosen.svg")];
    bench.click("Browse…");
    assert!(ask(&bench).path.ends_with("chosen.svg") && ask(&bench).options.format == "svg");
    let empty = PrintDialog { path: "  ".into(), ..ask(&bench) };
    bench.give(Command::Print(PrintCommand::UpdateDialog(Box::new(empty))));
    bench.give(Command::Print(PrintCommand::Start));
    assert!(bench.shows_part("missing file name"));
}

#[test]
fn a_cancelled_job_leaves_nothing() {
    let mut bench = Bench::opened(&[VIGILANT]);
    let path = bench.path("long.pdf");
    bench.give(Command::Print(PrintCommand::Open(None)));
    let options = PrintSettings { copies: 1000, view: false, ..PrintSettings::default() };
    let answer = PrintDialog {
        options,
        all_open: false,
        path: path.display().to_string(),
        path_edited: true,
        more: Default::default(),
        pages: String::new(),
        path_problem: None,
        preset_name: None,
        shows_pages: false,
        printers: Default::default(),
        languages: Default::default(),
        stage: PrintStage::Settings,
    };
    // Without frames in between, the job has hardly begun when it is cancelled.
    let app = bench.harness.state_mut();
    app.apply(Command::Print(PrintCommand::UpdateDialog(Box::new(answer))));
    app.apply(Command::Print(PrintCommand::Start));
    app.apply(Command::Print(PrintCommand::BackToSettings));
    bench.settle();
    assert_eq!(ask(&bench).stage, PrintStage::Settings);
    assert!(!path.exists());
}

#[test]
fn the_buttons_are_in_sight_and_the_pointer_reaches_them() {
    let bench = Bench::new(&[VIGILANT]);
    for (width, height) in [(1360.0, 860.0), (1024.0, 700.0)] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("space/designs")).unwrap();
        std::fs::copy(bench.path(VIGILANT), folder.path().join("space/vigilant.toml")).unwrap();
        let mut bench = Bench::sized(folder, width, height);
        bench.give(Command::OpenBuiltIn(KASIMIR.into()));
        bench.open("vigilant.toml");
        // All settings and the note below them.
        bench.click_first("more missile launcher, port");
        bench.give(Command::Print(PrintCommand::Open(None)));
        bench.click("Control sheets and chits");
        // With the pointer, which needs the button to be visible.
        bench.harness.get_by_role_and_label(egui::accesskit::Role::Button, "Save PDF").click();
        bench.settle();
        assert!(bench.path("vigilant-with-chits.pdf").exists(), "{width} × {height}");
    }
}

#[test]
fn the_paper_and_the_printer_are_asked_for() {
    let mut bench = Bench::new(&[VIGILANT]);
    let mut printers = moldloft::print::Printers::default();
    let printer = moldloft::print::Printer { name: "Study".into(), prints: (0.98, 1.0), ..Default::default() };
    printers.insert(printer).unwrap();
    printers.save(&bench.folder.path().join("config")).unwrap();
    bench.open(VIGILANT);
    bench.give(Command::Print(PrintCommand::Open(None)));
    bench.click("A3");
    assert!(bench.shows("for cutting the whole stack"));
    bench.click("for cutting the whole stack");
    bench.click("A5");
    assert!(!bench.shows("for cutting the whole stack"));
    bench.click("custom size");
    assert!(bench.shows("mm wide") && ask(&bench).options.page_setup.paper.size() == (200.0, 300.0));
    bench.click_first("custom margins");
    assert!(ask(&bench).options.page_setup.margins.is_some() && bench.shows("mm on every edge"));
    bench.click("Printer: any");
    bench.click("Study");
    assert_eq!(ask(&bench).options.printer.as_deref(), Some("Study"));
    assert!(bench.shows_part("pages made 2.0 % wider"));
    let chosen = ask(&bench).options;
    let again = moldloft::editor::Settings::parse(&bench.state().settings.to_text()).unwrap();
    assert_eq!(again.print.page_setup, chosen.page_setup.printer_scale(None));
    bench.click("A4");
    let ours = print(
        &mut bench,
        false,
        PrintSettings { view: false, printer: Some("Study".into()), ..PrintSettings::default() },
        "ours.pdf",
    );
    assert!(bytes(&ours).starts_with(b"%PDF"));

    // A printer that no longer exists is not selected.
    moldloft::print::Printers::default().save(&bench.folder.path().join("config")).unwrap();
    bench.give(Command::Print(PrintCommand::Open(None)));
    assert_eq!(ask(&bench).options.printer, None);
}

#[test]
fn old_settings_still_load() {
    let text = r#"{"sheet": {"paper": "letter"}, "print": {"paper": "letter", "offset": [0.5, -1.0], "backs": "fold", "copies": 3}}"#;
    let read = moldloft::editor::Settings::parse(text).unwrap();
    assert_eq!((read.sheet.paper, read.print.page_setup.paper), (Paper::Letter, Paper::Letter));
    assert_eq!((read.print.page_setup.offset, read.print.backs, read.print.copies), ((0.5, -1.0), Backs::Fold, 3));
}
