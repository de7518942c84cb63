//! The whole window by keyboard and by name, at its least size, and what it remembers.

use std::collections::BTreeMap;

use egui::accesskit::Role;
use egui::{Key, Modifiers, Rect};
use egui_kittest::kittest::{AccessKitNode, NodeT};
use moldloft::design::{DocumentEdit, TablePath};
use moldloft::editor::palette::PaletteCommand;
use moldloft::editor::printing::PrintCommand;
use moldloft::editor::suggest::model::SuggestCommand;
use moldloft::editor::{Command, Dialog, Edit, FormTarget, Notice, Pane, RightPage, SystemPicker, Tab};
use moldloft::suggest::Request;

use crate::editor::bench::{Bench, SAMPLES};

fn is_input(role: Role) -> bool {
    use Role::{Button, CheckBox, ComboBox, Link, MultilineTextInput, RadioButton, Slider, SpinButton, Tab, TextInput};
    let inputs =
        [Button, CheckBox, ComboBox, Link, MultilineTextInput, RadioButton, Slider, SpinButton, Tab, TextInput];
    inputs.contains(&role)
}

fn name(node: &AccessKitNode<'_>) -> String {
    let hint = || node.data().placeholder().unwrap_or_default().to_owned();
    node.label().filter(|label| !label.trim().is_empty()).unwrap_or_else(hint)
}

/// Every input has a name, and no two buttons of one group have the same.
pub fn names_are_right(bench: &Bench, place: &str) {
    let mut groups: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for node in bench.harness.root().children_recursive() {
        let node = node.accesskit_node();
        if !is_input(node.role()) || node.is_hidden() || node.data().is_read_only() {
            continue;
        }
        let name = name(&node);
        assert!(!name.trim().is_empty(), "{place}: a {:?} at {:?} has no name", node.role(), node.raw_bounds());
        let parent = node.parent().map(|parent| format!("{:?}", parent.id())).unwrap_or_default();
        if node.role() == Role::Button {
            groups.entry((parent, name)).or_default().push(format!("{:?}", node.raw_bounds()));
        }
    }
    let twice: Vec<_> =
        groups.iter().filter(|(_, places)| places.len() > 1).map(|((_, name), at)| (name, at)).collect();
    assert!(twice.is_empty(), "{place}: the same name twice in one group: {twice:#?}");
}

/// Every input is inside the window and large enough to be used.
pub fn all_is_in_sight(bench: &Bench, place: &str) {
    let size = bench.harness.ctx.content_rect().size();
    let window = Rect::from_min_size(egui::Pos2::ZERO, size).expand(1.0);
    for node in bench.harness.root().children_recursive() {
        let node = node.accesskit_node();
        if !is_input(node.role()) || node.is_hidden() {
            continue;
        }
        let Some(bounds) = node.raw_bounds() else { continue };
        let rect = Rect::from_min_max(
            egui::pos2(bounds.x0 as f32, bounds.y0 as f32),
            egui::pos2(bounds.x1 as f32, bounds.y1 as f32),
        );
        // Tabs are scrolled sideways.
        if rect.top() > 34.0 && rect.bottom() < 76.0 && bench.state().docs.len() > 1 {
            continue;
        }
        // Scrolled content is above or below, never to the side.
        assert!(
            rect.left() >= window.left() && rect.right() <= window.right(),
            "{place}: {:?} “{}” at {rect:?} is outside the window",
            node.role(),
            name(&node)
        );
        assert!(
            rect.width() >= 8.0 && rect.height() >= 8.0,
            "{place}: {:?} “{}” is {rect:?}",
            node.role(),
            name(&node)
        );
    }
}

pub fn dialogs(bench: &Bench) -> Vec<Command> {
    let id = bench.state().docs.last().expect("a design is open").id;
    let path = bench.path("x.toml").display().to_string();
    vec![
        Command::OpenDialog(Dialog::Keys),
        Command::OpenDialog(Dialog::About),
        Command::OpenDialog(Dialog::Settings),
        Command::OpenDialog(Dialog::SaveAs { path }),
        Command::OpenDialog(Dialog::ConfirmClose(id)),
        Command::OpenDialog(Dialog::ConfirmQuit),
        Command::OpenDialog(Dialog::Calibrate),
        Command::OpenDialog(Dialog::MoveTo),
        Command::Palette(PaletteCommand::Open),
        Command::Palette(PaletteCommand::ShowTerm(String::new())),
        Command::Print(PrintCommand::Open(None)),
    ]
}

fn folder_with(files: &[&str]) -> tempfile::TempDir {
    Bench::new(files).folder
}

#[test]
fn everything_has_a_name_and_is_in_sight_at_the_least_size() {
    let mut bench = Bench::sized(folder_with(&SAMPLES), 1024.0, 700.0);
    bench.settle();
    names_are_right(&bench, "start page");
    all_is_in_sight(&bench, "start page");
    for file in SAMPLES {
        bench.open(file);
        names_are_right(&bench, file);
        all_is_in_sight(&bench, file);
        bench.give(Command::ShowPage(RightPage::Odds));
        names_are_right(&bench, &format!("{file}, odds"));
        all_is_in_sight(&bench, &format!("{file}, odds"));
        bench.give(Command::ShowPage(RightPage::Sheet));
        bench.give(Command::SystemPicker(Some(SystemPicker::default())));
        names_are_right(&bench, &format!("{file}, systems"));
        bench.give(Command::SystemPicker(None));
        for command in [SuggestCommand::Open, SuggestCommand::Ask(Request::Breaks(None))] {
            let place = format!("{file}, {:?}", command.kind());
            bench.give(Command::Suggest(command));
            names_are_right(&bench, &place);
            all_is_in_sight(&bench, &place);
        }
        bench.give(Command::Suggest(SuggestCommand::Leave));
    }
    bench.give(Command::Select(vec![0]));
    for dialog in dialogs(&bench) {
        let place = format!("{dialog:?}").chars().take(40).collect::<String>();
        bench.give(dialog);
        names_are_right(&bench, &place);
        all_is_in_sight(&bench, &place);
        bench.press(Modifiers::NONE, Key::Escape);
        assert!(bench.state().dialog.is_none(), "{place} does not close by Escape");
    }
}

/// In points: windows of 1360 × 820 and 1024 × 700 at 150 %, and the smaller one at 200 %.
const LARGE: [(f32, f32); 3] = [(1360.0 / 1.5, 820.0 / 1.5), (1024.0 / 1.5, 410.0), (1024.0 / 2.0, 700.0 / 2.0)];

/// The first widget with this label.
#[test]
fn every_part_is_whole_at_150_and_200_per_cent() {
    let fleet = "designs/wars-of-honor/fleets/escort.toml";
    for (width, height) in LARGE {
        let folder = folder_with(&SAMPLES);
        std::fs::create_dir_all(folder.path().join("space").join(fleet).parent().unwrap()).unwrap();
        std::fs::write(folder.path().join("space").join(fleet), include_str!("fleet/escort.toml")).unwrap();
        let mut bench = Bench::sized(folder, width, height);
        let window = Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(width, height)).expand(1.0);
        all_is_in_sight(&bench, &format!("start page at {width} × {height}"));
        for file in [SAMPLES[0], SAMPLES[2], SAMPLES[4]] {
            bench.open(file);
            let (sheet, odds) = (Command::ShowPage(RightPage::Sheet), Command::ShowPage(RightPage::Odds));
            let panes = [Pane::Inspector, Pane::Form].map(Command::ShowPane);
            for pane in [odds, sheet].into_iter().chain(panes) {
                bench.give(pane.clone());
                let place = format!("{file}, {pane:?} at {width} × {height}");
                all_is_in_sight(&bench, &place);
                for label in ["Print…", "File", "Help"] {
                    let rect = bench.rect(label);
                    assert!(window.contains_rect(rect), "{place}: {label} at {rect:?}");
                }
            }
            // The form is usable.
            let name = bench.rect("name");
            assert!(
                window.contains_rect(name) && name.bottom() + 40.0 < height,
                "{file} at {width} × {height}: {name:?}"
            );
        }
        bench.open(fleet);
        for label in ["Print…", "File", "Name, side, budget, notes, groups", "name of ship 1"] {
            let rect = bench.rect(label);
            assert!(window.contains_rect(rect), "fleet at {width} × {height}: {label} at {rect:?}");
        }
    }
}

#[test]
fn what_is_wanted_is_shown_where_there_is_room_for_one_part_only() {
    let mut bench = Bench::sized(folder_with(&SAMPLES), LARGE[2].0, LARGE[2].1);
    bench.open(SAMPLES[4]);
    bench.click("Show the sheet");
    assert!(bench.shows_part("Sheet of Vigilant") && !bench.shows("name"));
    bench.press(Modifiers::COMMAND, Key::Num1);
    assert!(bench.shows("Explain") && !bench.shows_part("Sheet of Vigilant"), "the findings");
    bench.give(Command::GoTo(FormTarget::TopKey("name")));
    assert_eq!(focused(&bench).as_deref(), Some("name"));
}

/// The place of every input by name, without those whose name contains one of `except`.
fn places(bench: &Bench, except: &[&str]) -> BTreeMap<String, Rect> {
    let mut places = BTreeMap::new();
    for node in bench.harness.root().children_recursive() {
        let node = node.accesskit_node();
        let (name, bounds) = (name(&node), node.raw_bounds());
        let Some(at) = bounds.filter(|_| is_input(node.role()) && !except.iter().any(|except| name.contains(except)))
        else {
            continue;
        };
        let rect = Rect::from_min_max(egui::pos2(at.x0 as f32, at.y0 as f32), egui::pos2(at.x1 as f32, at.y1 as f32));
        places.entry(name).or_insert(rect);
    }
    places
}

#[test]
fn nothing_moves_when_something_comes_up() {
    use moldloft::editor::PersistenceCommand;
    let mut bench = Bench::opened(&[SAMPLES[4]]);
    let own = [
        "Dismiss",
        "Load Vigilant from disk",
        "Keep my",
        "Compare Vigilant with",
        "Save my",
        "Close Vigilant",
        "not saved",
    ];
    let notes = moldloft::design::DocumentEdit::set(moldloft::design::TablePath::Top, "notes", "mine");
    bench.give(Command::Edit(moldloft::editor::Edit::single("write notes", notes)));
    let before = places(&bench, &own);
    // Another program changes the file, too.
    let text = bench.text().replace("laser", "graser");
    std::fs::write(bench.path(SAMPLES[4]), text).unwrap();
    let path = bench.path(SAMPLES[4]);
    bench.give(Command::Persistence(PersistenceCommand::FilesChanged(vec![path])));
    assert!(bench.shows_part("Another program changed"));
    let after = places(&bench, &own);
    for (name, rect) in &before {
        if let Some(now) = after.get(name) {
            assert_eq!(rect, now, "{name} has moved");
        }
    }
    assert!(before.len() > 40 && before.keys().filter(|name| after.contains_key(*name)).count() > 40);
    // Something goes wrong.
    bench.give(Command::Notify(Notice::error("all is lost")));
    let after = places(&bench, &own);
    assert!(bench.shows("all is lost") && before.iter().all(|(name, at)| after.get(name).is_none_or(|now| now == at)));
    // It does not come up under the pointer.
    bench.click("Dismiss: all is lost");
    for y in [100.0, 700.0] {
        bench.give(Command::Persistence(PersistenceCommand::TakeDiskVersion(bench.state().docs[0].id)));
        bench.harness.hover_at(egui::pos2(200.0, y));
        bench.settle();
        bench.give(Command::Notify(Notice::error("all is lost again")));
        let notice = bench.rect("Dismiss: all is lost again");
        assert!((notice.center().y - y).abs() > 200.0, "pointer at {y}, notice at {notice:?}");
        bench.click("Dismiss: all is lost again");
    }
}

#[test]
fn the_headline_does_not_push_the_form() {
    let mut bench = Bench::opened(&[SAMPLES[2]]);
    let at = bench.rect("more mass").center();
    let top = bench.rect("name").top();
    for _ in 0..6 {
        bench.click_at(at);
        assert_eq!(bench.rect("name").top(), top);
    }
}

#[test]
fn the_keyboard_stays_with_its_tab_and_comes_back_from_a_dialog() {
    let mut bench = Bench::opened(&[SAMPLES[3], SAMPLES[4]]);
    let first = bench.state().tab;
    bench.open(SAMPLES[4]);
    let second = bench.state().tab;
    bench.give(Command::ShowIdentity(true));
    bench.focus("notes");
    bench.press(Modifiers::COMMAND, Key::PageUp);
    assert_eq!(bench.state().tab, first);
    assert_eq!(focused(&bench), None, "the other tab's field has not the keyboard here");
    bench.focus("name");
    bench.press(Modifiers::COMMAND, Key::PageDown);
    assert_eq!((bench.state().tab, focused(&bench).as_deref()), (second, Some("notes")));
    bench.press(Modifiers::COMMAND, Key::PageUp);
    assert_eq!(focused(&bench).as_deref(), Some("name"));
    for dialog in dialogs(&bench) {
        let place = format!("{dialog:?}").chars().take(40).collect::<String>();
        bench.give(dialog);
        let inner = focused(&bench).unwrap_or_else(|| panic!("{place}: nothing has the keyboard"));
        assert_ne!(inner, "name", "{place}");
        bench.press(Modifiers::NONE, Key::Escape);
        assert_eq!(focused(&bench).as_deref(), Some("name"), "after {place}");
    }
}

#[test]
fn each_tab_is_scrolled_by_itself() {
    let mut bench = Bench::opened(&[SAMPLES[3], SAMPLES[4]]);
    let top = bench.rect("name").top();
    let first = bench.state().tab;
    bench.open(SAMPLES[4]);
    let last = bench.doc().evaluation().unwrap().fits.last().unwrap().index;
    bench.give(Command::GoTo(moldloft::editor::FormTarget::Fit(last)));
    let scrolled = bench.rect("name").top();
    assert!(scrolled < top);
    bench.give(Command::ShowTab(first));
    assert_eq!(bench.rect("name").top(), top);
    bench.press(Modifiers::COMMAND, Key::PageDown);
    assert_eq!(bench.rect("name").top(), scrolled);
}

#[test]
fn mirroring_by_key_keeps_the_focus_and_the_move_dialog_focuses_an_allowed_mount() {
    let mut bench = Bench::opened(&[SAMPLES[4]]);
    bench.focus("graser, starboard");
    bench.press(Modifiers::NONE, Key::Space);
    bench.press(Modifiers::NONE, Key::Delete);
    assert!(focused(&bench).is_some_and(|name| name.contains("starboard")), "{:?}", focused(&bench));
    bench.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::R);
    assert!(focused(&bench).is_some_and(|name| name.contains(',')), "{:?}", focused(&bench));
    let fit = bench.doc().evaluation().unwrap().fits.iter().find(|fit| *fit.system == *"laser").unwrap().index;
    bench.give(Command::Select(vec![fit]));
    bench.press(Modifiers::COMMAND, Key::M);
    let first = focused(&bench).unwrap();
    assert!(first.starts_with("move to ") && bench.is_enabled(&first), "{first}");
}

#[test]
fn every_scale_shows_every_game() {
    let mut bench = Bench::sized(folder_with(&SAMPLES), 1024.0, 700.0);
    for file in SAMPLES {
        bench.open(file);
    }
    for _ in 0..9 {
        bench.give(Command::StepScale { larger: true });
        let id = bench.state().docs[bench.state().settings.scale as usize % SAMPLES.len()].id;
        bench.give(Command::ShowTab(Tab::Doc(id)));
        bench.give(Command::OpenDialog(Dialog::Settings));
        bench.click("Close");
    }
    assert_eq!(bench.state().settings.scale, 250);
}

fn focused(bench: &Bench) -> Option<String> {
    let nodes: Vec<_> = bench.harness.root().children_recursive().collect();
    nodes.iter().map(|node| node.accesskit_node()).find(|node| node.is_focused()).map(|node| name(&node))
}

#[test]
fn f6_goes_through_the_regions() {
    let mut bench = Bench::opened(&[SAMPLES[4]]);
    let mut stops = Vec::new();
    for _ in 0..6 {
        bench.press(Modifiers::NONE, Key::F6);
        stops.push(focused(&bench).unwrap_or_default());
    }
    let all: std::collections::BTreeSet<&String> = stops.iter().collect();
    assert_eq!(all.len(), 6, "{stops:?}");
    assert_eq!((&*stops[0], &*stops[1], &*stops[5]), ("File", "Start", "Findings"), "{stops:?}");
    bench.press(Modifiers::NONE, Key::F6);
    assert_eq!(focused(&bench).as_deref(), Some("File"));
    bench.press(Modifiers::SHIFT, Key::F6);
    assert_eq!(focused(&bench).as_deref(), Some("Findings"));
}

/// In panes that are higher than their room.
#[test]
fn what_tab_reaches_is_in_sight() {
    for page in [RightPage::Odds, RightPage::Sheet] {
        let mut bench = Bench::opened_in(&[SAMPLES[4]], 1280.0, 720.0);
        bench.give(Command::ShowPage(page));
        if page == RightPage::Sheet {
            bench.give(Command::Suggest(SuggestCommand::Open));
        }
        let window = bench.harness.ctx.content_rect();
        for _ in 0..160 {
            bench.press(Modifiers::NONE, Key::Tab);
            let Some(node) = bench.harness.root().children_recursive().find(|node| node.is_focused()) else { continue };
            let (name, rect) = (node.accesskit_node().label(), node.rect());
            assert!(window.contains(rect.center()), "{page:?}: {name:?} at {rect:?}");
        }
    }
}

/// Also where the first tab is out of sight; what was told is last.
#[test]
fn f6_goes_on_from_tabs_that_are_scrolled_and_reaches_what_is_told() {
    let mut bench = Bench::opened(&SAMPLES);
    for n in 0..6 {
        bench.give(Command::OpenText { text: format!("ruleset = \"star-navy\"\nname = \"Ship {n}\"\n").into() });
    }
    bench.give(Command::Notify(Notice::error("cannot do it")));
    let mut stops = Vec::new();
    for _ in 0..8 {
        bench.press(Modifiers::NONE, Key::F6);
        stops.push(focused(&bench).unwrap_or_default());
    }
    assert_eq!((&*stops[1], &*stops[7]), ("Start", "Dismiss: cannot do it"), "{stops:?}");
    bench.press(Modifiers::NONE, Key::Enter);
    assert!(!bench.shows_part("cannot do it"));
}

#[test]
fn tab_reaches_everything_in_turn() {
    let mut bench = Bench::opened(&[SAMPLES[3]]);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..250 {
        bench.harness.key_press(Key::Tab);
        bench.harness.run();
        seen.extend(focused(&bench));
        if seen.contains("Print…") && seen.contains("name") && seen.contains("Start") && seen.contains("File") {
            return;
        }
    }
    panic!("Tab reaches only {seen:?}");
}

#[test]
fn menus_open_by_letter_and_arrows_go_through_them() {
    use egui_kittest::kittest::Queryable;
    let mut bench = Bench::opened(&[SAMPLES[4]]);
    bench.press(Modifiers::ALT, Key::V);
    assert!(bench.shows_part("Next tab"), "Alt+V opens the menu View");
    assert!(focused(&bench).is_some_and(|name| name.starts_with("Start page")), "{:?}", focused(&bench));
    bench.press(Modifiers::NONE, Key::ArrowRight);
    assert!(bench.shows_part("Add a system…") && !bench.shows_part("Next tab"), "the next menu");
    bench.press(Modifiers::NONE, Key::Escape);
    assert!(!bench.shows_part("Add a system…"));
    bench.press(Modifiers::NONE, Key::F10);
    assert!(bench.shows_part("Save as…"));
    bench.press(Modifiers::NONE, Key::ArrowDown);
    let rect = bench.harness.get_by_label_contains("Open…").rect();
    let ring = bench.harness.ctx.global_style().visuals.selection.stroke;
    let is_ring =
        |shape: &egui::Shape| matches!(shape, egui::Shape::Rect(drawn) if drawn.stroke == ring && drawn.rect == rect);
    assert!(bench.harness.output().shapes.iter().any(|shape| is_ring(&shape.shape)), "the chosen entry has a ring");
    bench.press(Modifiers::NONE, Key::Enter);
    assert_eq!(bench.platform.borrow().picks.len(), 1, "Enter chooses Open…");
}

#[test]
fn tab_goes_on_from_a_number_that_enter_has_left() {
    let mut bench = Bench::opened(&[SAMPLES[4]]);
    let row = bench.doc().as_design().unwrap().design.fits[0].index;
    bench.give(Command::GoTo(FormTarget::Fit(row)));
    bench.press(Modifiers::NONE, Key::Tab);
    let number = focused(&bench).expect("a number");
    bench.press(Modifiers::NONE, Key::Tab);
    // What follows a colon is a number of the design.
    let named = |bench: &Bench| focused(bench).and_then(|name| Some(name.split_once(':')?.0.to_owned()));
    let next = named(&bench).expect("the mass and points of the row");
    bench.press(Modifiers::SHIFT, Key::Tab);
    assert_eq!(focused(&bench), Some(number));
    bench.type_text("3");
    bench.press(Modifiers::NONE, Key::Enter);
    bench.press(Modifiers::NONE, Key::Tab);
    assert_eq!(named(&bench), Some(next));
}

#[test]
fn what_closes_gives_the_keyboard_back() {
    let mut bench = Bench::opened(&[SAMPLES[4]]);
    let row = bench.doc().as_design().unwrap().design.fits[0].index;
    let go = |bench: &mut Bench| {
        bench.give(Command::GoTo(FormTarget::Fit(row)));
        focused(bench).expect("the row")
    };
    // The menu of the row, by key.
    let name = go(&mut bench);
    bench.press(Modifiers::SHIFT, Key::F10);
    assert_eq!(focused(&bench).as_deref(), Some("Cut"));
    bench.press(Modifiers::NONE, Key::Escape);
    assert!(!bench.shows("Cut"));
    assert_eq!(focused(&bench), Some(name.clone()));
    // A menu of the bar.
    bench.press(Modifiers::NONE, Key::F10);
    assert_ne!(focused(&bench), Some(name.clone()));
    bench.press(Modifiers::NONE, Key::Escape);
    assert_eq!(focused(&bench), Some(name.clone()));
    // A dialog that is opened from it.
    bench.press(Modifiers::ALT, Key::H);
    bench.click_part("Keyboard shortcuts");
    assert!(bench.shows_part("Menu of what has the focus"));
    bench.press(Modifiers::NONE, Key::Escape);
    assert_eq!(focused(&bench), Some(name));
    // The button becomes a bar.
    bench.focus("Fight it…");
    bench.press(Modifiers::NONE, Key::Enter);
    assert!(focused(&bench).is_some_and(|name| name.starts_with("Fight against")), "{:?}", focused(&bench));
}

#[test]
fn settings_are_set_and_remembered() {
    let mut bench = Bench::opened(&[SAMPLES[4]]);
    bench.press(Modifiers::COMMAND, Key::Comma);
    bench.click("dark");
    bench.click("Larger interface");
    bench.click("Letter");
    bench.click("Clear the list");
    bench.click("Show the folder");
    assert_eq!(bench.platform.borrow().views.len(), 1);
    bench.click("Close");
    bench.give(Command::OpenBuiltIn("designs/star-navy/detroit.toml".into()));
    bench.give(Command::QuitAnyway);
    let settings = bench.state().settings.clone();
    assert_eq!((settings.scale, settings.recent.len(), settings.tabs.len()), (110, 0, 2));
    let again = Bench::over(bench.folder);
    assert_eq!(again.state().settings, settings);
    let reopened: Vec<Command> = settings.tabs.iter().map(|tab| moldloft::editor::reopen_command(tab)).collect();
    assert!(matches!(&reopened[..], [Command::Open(_), Command::OpenBuiltIn(_)]), "{reopened:?}");
}

#[test]
fn info_notices_disappear_and_errors_stay() {
    let mut bench = Bench::opened(&[SAMPLES[4], SAMPLES[3]]);
    bench.give(Command::Notify(Notice::info("all is well")));
    bench.give(Command::Notify(Notice::error("all is lost")));
    assert!(bench.shows("all is well") && bench.shows("all is lost"));
    let step = DocumentEdit::set(TablePath::Top, "name", "Other");
    bench.give(Command::Edit(Edit::single("rename", step)));
    assert!(!bench.shows("all is well") && bench.shows("all is lost"));
    bench.click("Dismiss: all is lost");
    assert!(!bench.shows("all is lost"));
    // What was said of one file is not said of the next.
    bench.open(SAMPLES[3]);
    bench.give(Command::Notify(Notice::info("all is well again")));
    bench.press(Modifiers::COMMAND, Key::PageUp);
    assert!(!bench.shows("all is well again"));
}
