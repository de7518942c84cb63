//! The print room: pages as they will come, ticked one by one, counted live; presets; several fleets; calibration; small windows.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use moldloft::editor::printing::{PrintCommand, PrintDialog, PrintStage};
use moldloft::editor::{Command, Dialog};

use crate::editor::bench::Bench;
use crate::support::outside;

const VIGILANT: &str = "designs/wars-of-honor/vigilant.toml";
const ESCORT: &str = "designs/wars-of-honor/fleets/convoy-escort.toml";

fn dialog(bench: &Bench) -> PrintDialog {
    match &bench.state().dialog {
        Some(Dialog::Print(dialog)) => (**dialog).clone(),
        other => panic!("the print room is not open: {other:?}"),
    }
}

fn room(files: &[&str], shown: &str) -> Bench {
    let mut bench = Bench::new(files);
    bench.open(shown);
    bench.give(Command::Print(PrintCommand::Open(None)));
    bench
}

/// The number of pages in a PDF.
fn pages_of(path: &std::path::Path) -> usize {
    outside::tool("qpdf", &["--show-npages", path.to_str().expect("a plain path")]).trim().parse().expect("a number")
}

#[test]
fn the_pages_are_shown_counted_and_ticked_off() {
    if outside::lacks(&["qpdf"]) {
        return;
    }
    let mut bench = room(&[VIGILANT], VIGILANT);
    assert!(bench.shows_part("1 page on 1 sheet of A4"));
    bench.click("Control sheets and chits");
    let plan = bench.state().print_room.plan().expect("laid out").outline.len();
    assert!(plan > 3 && bench.shows_part(&format!("{plan} pages on ")), "{plan}");
    assert!(bench.state().print_room.picture(0).is_some(), "the first page is drawn");
    bench.click("Page 3, counters");
    assert_eq!((&*dialog(&bench).pages, plan), ("1-2,4", 4));
    assert!(bench.shows_part(&format!("{} pages on ", plan - 1)));
    bench.click("Letter");
    assert!(bench.shows_part("of Letter"));
    let path = bench.path("ticked.pdf");
    let edited =
        PrintDialog { path: path.display().to_string(), path_edited: true, pages: "1".into(), ..dialog(&bench) };
    bench.give(Command::Print(PrintCommand::UpdateDialog(Box::new(edited))));
    bench.give(Command::Print(PrintCommand::Start));
    assert_eq!(pages_of(&path), 1);
    assert!(bench.shows_part(&format!("1 ship on 1 of {plan} pages")));
    assert!(bench.state().print_room.is_empty(), "nothing is kept when the room is closed");
}

#[test]
fn pages_that_do_not_exist_are_reported() {
    let mut bench = room(&[VIGILANT], VIGILANT);
    for (typed, says) in [("x", "expected pages such as 1-3,5"), ("7", "cannot print page 7: there is 1 page")] {
        let edited = PrintDialog { pages: typed.into(), ..dialog(&bench) };
        bench.give(Command::Print(PrintCommand::UpdateDialog(Box::new(edited))));
        assert!(bench.shows_part(says), "{typed}");
        bench.give(Command::Print(PrintCommand::Start));
        assert!(matches!(dialog(&bench).stage, PrintStage::Report(_)) && bench.shows_part(says), "{typed}");
        bench.click("Back");
    }
    bench.click("Print all pages");
    assert!(bench.shows_part("1 page on 1 sheet"));
}

#[test]
fn presets_change_the_settings_and_own_ones_are_kept() {
    let mut bench = room(&[VIGILANT], VIGILANT);
    bench.click("Letter");
    bench.click("Preset Black and white");
    assert!(dialog(&bench).options.grey && bench.state().settings.sheet.grey);
    bench.click("Preset Tablet");
    let tablet = dialog(&bench).options;
    assert!(tablet.form && !tablet.grey && tablet.page_setup.paper == moldloft::sheet::Paper::Letter);
    bench.click("Save these settings as a preset");
    bench.type_text("At home");
    bench.press(Modifiers::NONE, Key::Enter);
    bench.click("Preset Large print");
    assert!(dialog(&bench).options.large_print);
    bench.click("Preset At home");
    assert_eq!(dialog(&bench).options, tablet);
    let again = moldloft::editor::Settings::parse(&bench.state().settings.to_text()).unwrap();
    assert_eq!(again.print_presets.iter().map(|preset| &*preset.name).collect::<Vec<_>>(), ["At home"]);
    bench.click("Remove the preset At home");
    assert!(bench.state().settings.print_presets.is_empty());
}

#[test]
fn fleets_of_the_library_join_the_battle_pack() {
    let mut bench = room(&[ESCORT], ESCORT);
    let alone = bench.state().print_room.plan().expect("laid out").outline.len();
    bench.give(Command::Library(moldloft::editor::library_browser::LibraryCommand::Scan));
    bench.click("more from the library");
    let label = {
        let mut entries = bench.state().library.catalogue.entries();
        let other = entries.find(|entry| entry.file.path.ends_with("commerce-raid.toml")).expect("built in");
        let points = other.points().map(|points| format!(", {points}")).unwrap_or_default();
        format!("{} (built-in){points}", other.name)
    };
    bench.click(&label);
    assert!(dialog(&bench).path.ends_with("battle-pack.pdf"));
    let plan = bench.state().print_room.plan().expect("laid out");
    assert!(plan.outline.len() > alone && plan.contents.starts_with("2 fleets"), "{}", plan.contents);
    assert!(plan.outline.iter().any(|page| page.title.as_deref().is_some_and(|title| title.starts_with("battle"))));
}

#[test]
fn a_place_that_cannot_be_written_is_said_before_printing() {
    let mut bench = room(&[VIGILANT], VIGILANT);
    let wrong = bench.path("no/such/x.pdf");
    let edited = PrintDialog { path: wrong.display().to_string(), ..dialog(&bench) };
    bench.give(Command::Print(PrintCommand::UpdateDialog(Box::new(edited))));
    assert!(bench.shows_part("Cannot write there: no such folder"));
    // Without a file, the whole path is shown all the same.
    let mut bench = Bench::new(&[]);
    bench.give(Command::OpenBuiltIn("designs/wars-of-honor/quiver.toml".into()));
    bench.give(Command::Print(PrintCommand::Open(None)));
    assert!(std::path::Path::new(&dialog(&bench).path).is_absolute(), "{}", dialog(&bench).path);
}

#[test]
fn a_printer_is_calibrated_inside() {
    let mut bench = room(&[VIGILANT], VIGILANT);
    bench.click("Calibrate a printer");
    bench.click("Write the calibration page");
    let page = bench.path("designs/wars-of-honor/calibration-page.pdf");
    assert!(page.exists() && bench.platform.borrow().views.contains(&page));
    bench.click("Keep these measurements");
    assert!(bench.shows_part("expected the length across in mm"));
    let (across, down) = moldloft::sheet::calibration::ruler_lengths(moldloft::sheet::Paper::A4);
    let lengths = [("Length across", (across - 2.0).to_string()), ("Length down", down.to_string())];
    for (label, text) in [("2. Printer", "Study".to_owned())].into_iter().chain(lengths) {
        bench.focus(label);
        bench.harness.get_by_label(label).type_text(&text);
        bench.settle();
    }
    bench.click("Keep these measurements");
    assert_eq!(
        (dialog(&bench).stage, dialog(&bench).options.printer.as_deref()),
        (PrintStage::Settings, Some("Study"))
    );
    assert!(bench.shows_part("wider"));
    let (kept, _) = moldloft::print::Printers::load(Some(&bench.folder.path().join("config")));
    assert!(kept.find("study").is_some());
}

#[test]
fn a_small_window_shows_settings_or_pages_and_always_the_button() {
    for (width, height) in [(683.0, 467.0), (1024.0, 700.0)] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("space/designs")).unwrap();
        let mut bench = Bench::sized(folder, width, height);
        bench.give(Command::OpenBuiltIn(VIGILANT.into()));
        bench.give(Command::Print(PrintCommand::Open(None)));
        for part in ["Settings", "Pages"] {
            if width < 700.0 {
                bench.harness.get_all_by_label(part).next().expect(part).click_accesskit();
                bench.settle();
                assert_eq!(bench.shows("Page 1, Vigilant"), part == "Pages");
                assert_eq!(bench.shows("custom margins"), part == "Settings");
            }
            let print = bench.harness.get_by_role_and_label(egui::accesskit::Role::Button, "Save PDF").rect();
            assert!(print.bottom() < height && print.right() < width, "{width} × {height}: {print:?}");
        }
    }
}

#[test]
fn pages_are_printed_in_a_language_of_the_game() {
    if outside::lacks(&["pdftotext"]) {
        return;
    }
    for (file, english, german) in [(VIGILANT, "STRUCTURE", "STRUKTUR"), (ESCORT, "unspent", "übrig")] {
        let mut bench = room(&[VIGILANT, ESCORT], file);
        let printed = |bench: &mut Bench, language: &str| {
            bench.click(language);
            let path = bench.path(&format!("{language}.pdf"));
            let edited = PrintDialog { path: path.display().to_string(), path_edited: true, ..dialog(bench) };
            bench.give(Command::Print(PrintCommand::UpdateDialog(Box::new(edited))));
            bench.give(Command::Print(PrintCommand::Start));
            bench.settle();
            bench.give(Command::Print(PrintCommand::Open(None)));
            bench.settle();
            outside::tool("pdftotext", &[path.to_str().expect("a plain path"), "-"])
        };
        let (plain, spoken) = (printed(&mut bench, "English"), printed(&mut bench, "Deutsch"));
        assert!(plain.contains(english) && !plain.contains(german), "{plain}");
        assert!(spoken.contains(german) && !spoken.contains(english), "{spoken}");
        assert_eq!(dialog(&bench).options.language.as_deref(), Some("de"), "as last time");
        assert_eq!(printed(&mut bench, "English"), plain);
    }
    // A game that nobody has translated is not asked.
    let bench = room(&["designs/b5-house-rules/sirenna.toml"], "designs/b5-house-rules/sirenna.toml");
    assert!(!bench.shows("Français") && bench.shows("Deutsch"));
}
