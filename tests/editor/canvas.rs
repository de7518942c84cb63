//! The sheet as a canvas: systems are dragged onto its mounts, empty mounts are filled, boxes have a menu, and the
//! keyboard does all of it, too.

use egui::{Key, Modifiers, Pos2, vec2};
use egui_kittest::kittest::Queryable;
use moldloft::editor::{Command, Tab};

use crate::editor::bench::Bench;

const VIGILANT: &str = "designs/wars-of-honor/vigilant.toml";
const PETREL: &str = "designs/wars-of-honor/petrel.toml";
const TERN: &str = "designs/sky-full-of-ships/tern.toml";
const ESCORT: &str = "designs/wars-of-honor/fleets/convoy-escort.toml";

/// A window in which the sheet has its own half.
fn large(files: &[&str]) -> Bench {
    let mut bench = Bench::sized(Bench::new(files).folder, 1920.0, 1080.0);
    bench.open(files[0]);
    bench
}

/// The number of a system in a mount.
fn fitted(bench: &Bench, system: &str, mount: &str) -> u32 {
    let ship = bench.doc().evaluation().expect("it can be checked");
    let here = ship.fits.iter().filter(|fit| &*fit.system == system && &*fit.mount == mount);
    here.map(|fit| fit.count).sum()
}

fn middle(bench: &Bench, label: &str) -> Pos2 {
    bench.harness.get_all_by_label_contains(label).next().unwrap_or_else(|| panic!("no {label}")).rect().center()
}

/// Where a mark of the first page is on the screen.
fn mark(bench: &Bench, name: &str) -> Pos2 {
    let shown = bench.state().preview.sheet(bench.doc().id).expect("its sheet is drawn");
    let spot = shown.pages.page_indices[0].marked_shapes.iter().find(|spot| &*spot.mark.name == name);
    let rect = spot.unwrap_or_else(|| panic!("nothing is marked {name}")).rect;
    let page = bench.harness.get_by_label_contains(", page 1 of").rect();
    page.min + vec2(rect.x + rect.w / 2.0, rect.y + rect.h / 2.0) * shown.scale
}

fn drop(bench: &mut Bench, at: Pos2) {
    bench.harness.drop_at(at);
    bench.settle();
}

#[test]
fn a_row_of_the_form_is_dragged_onto_a_mount_of_the_sheet() {
    let mut bench = large(&[VIGILANT]);
    let before = bench.text();
    let (from, to) = (middle(&bench, "graser, forward chase"), middle(&bench, "after chase on the sheet"));
    bench.carry(from, to);
    assert!(bench.shows_part("After chase"), "it says where it would go");
    drop(&mut bench, to);
    assert_eq!((fitted(&bench, "graser", "forward"), fitted(&bench, "graser", "aft")), (0, 2));
    bench.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(bench.text(), before, "one step of undo");
}

#[test]
fn a_mount_that_cannot_take_it_says_why_and_nothing_is_moved() {
    let mut bench = large(&[VIGILANT]);
    let before = bench.text();
    let (from, to) = (middle(&bench, "graser, forward chase"), middle(&bench, "forward ring on the sheet"));
    bench.carry(from, to);
    assert!(bench.shows_part("Not here: graser is not allowed in forward ring"));
    drop(&mut bench, to);
    assert_eq!(bench.text(), before);
    assert!(bench.state().notices.iter().any(|notice| notice.text.starts_with("Not moved: graser")));
    // Beside the mounts, nothing happens at all.
    let aside = mark(&bench, "structure_1");
    bench.carry(from, aside);
    drop(&mut bench, aside);
    assert_eq!(bench.text(), before);
}

#[test]
fn a_box_of_the_sheet_is_dragged_to_another_mount_and_the_sheet_stays() {
    let mut bench = large(&[VIGILANT]);
    let from = mark(&bench, "graser_forward_1");
    let to = middle(&bench, "after chase on the sheet");
    bench.carry(from, to);
    assert_eq!(mark(&bench, "graser_forward_1"), from, "the sheet is not scrolled");
    drop(&mut bench, to);
    assert_eq!(fitted(&bench, "graser", "forward"), 0);
    // Esc ends a drag without a change.
    let before = bench.text();
    let from = mark(&bench, "laser_forward_1");
    bench.carry(from, to);
    bench.harness.key_press(Key::Escape);
    bench.harness.run_steps(2);
    drop(&mut bench, to);
    assert_eq!(bench.text(), before);
}

#[test]
fn a_system_of_the_list_is_dragged_onto_the_sheet() {
    let mut bench = large(&[VIGILANT]);
    bench.click("Add to core");
    let from = bench.harness.get_all_by_label_contains("add CnC").next().expect("it is listed").rect().left_center();
    let before = fitted(&bench, "cnc", "core");
    let to = middle(&bench, "core on the sheet");
    bench.carry(from + vec2(20.0, 0.0), to);
    drop(&mut bench, to);
    let after = bench.doc().evaluation().unwrap().fits.iter().find(|fit| &*fit.mount == "core").unwrap().count;
    assert_eq!(after, before.max(3) + 1, "{}", bench.text());
}

#[test]
fn a_click_on_an_empty_mount_lists_what_goes_there() {
    let mut bench = large(&[PETREL]);
    bench.give(Command::OpenText { text: "ruleset = \"wars-of-honor\"\nname = \"Blank\"\n".into() });
    let at = middle(&bench, "after chase on the sheet, empty");
    bench.harness.hover_at(at);
    bench.settle();
    assert!(bench.shows("After chase: click to add a system"));
    bench.click_at(at);
    assert!(bench.state().picker_on_sheet && bench.shows("search systems"));
    assert_eq!(bench.harness.get_all_by_label("search systems").count(), 1, "the form shows none of its own");
    bench.type_text("graser");
    bench.press(Modifiers::NONE, Key::Enter);
    assert_eq!(fitted(&bench, "graser", "aft"), 1);
    bench.press(Modifiers::NONE, Key::Escape);
    assert!(bench.state().system_picker.is_none() && !bench.state().picker_on_sheet);
    // Opened from the form, it is in the form.
    bench.click("Add to after chase");
    assert!(bench.state().system_picker.is_some() && !bench.state().picker_on_sheet);
}

#[test]
fn a_click_on_a_box_shows_what_can_be_done_with_its_system() {
    let mut bench = large(&[VIGILANT]);
    let before = fitted(&bench, "laser", "port");
    let at = mark(&bench, "laser_port_1");
    bench.click_at(at);
    assert!(bench.shows("Remove") && bench.shows("Show in the form"));
    bench.click("more laser, port on the sheet");
    assert_eq!(fitted(&bench, "laser", "port"), before + 1);
    bench.click("fewer laser, port on the sheet");
    bench.click("fewer laser, port on the sheet");
    assert_eq!(fitted(&bench, "laser", "port"), before - 1);
    bench.click_first("Move to…");
    assert!(bench.shows("move to starboard"));
    bench.click("move to starboard");
    assert_eq!(fitted(&bench, "laser", "port"), 0);
}

#[test]
fn the_keyboard_walks_over_the_sheet_and_fills_it() {
    let mut bench = large(&[VIGILANT]);
    let canvas = bench.harness.get_all_by_label_contains("Sheet of Vigilant,").next().expect("the sheet");
    canvas.focus();
    bench.settle();
    bench.press(Modifiers::NONE, Key::Enter);
    let first = bench.focused().expect("a place of the sheet has the focus");
    assert!(first.contains("on the sheet"), "{first}");
    bench.press(Modifiers::NONE, Key::Home);
    let mut seen = vec![bench.focused().unwrap()];
    for _ in 0..60 {
        bench.press(Modifiers::NONE, Key::PageDown);
        let now = bench.focused().expect("the focus stays on the sheet");
        if seen.contains(&now) {
            break;
        }
        seen.push(now);
    }
    let ship = bench.doc().evaluation().unwrap().clone();
    for mount in ship.mounts.iter().filter(|mount| mount.applies) {
        let name = format!("{} on the sheet", mount.label);
        assert!(seen.iter().any(|seen| seen.starts_with(&name)), "{name}: {seen:?}");
    }
    assert!(seen.iter().any(|name| name.starts_with("laser, port on the sheet, 2 fitted")), "{seen:?}");
    // Arrows go where they point.
    bench.press(Modifiers::NONE, Key::Home);
    bench.press(Modifiers::NONE, Key::ArrowDown);
    assert_ne!(bench.focused().as_ref(), Some(&seen[0]));
    // + and − count.
    let at = seen.iter().position(|name| name.starts_with("laser, port on the sheet")).unwrap();
    bench.press(Modifiers::NONE, Key::Home);
    for _ in 0..at {
        bench.press(Modifiers::NONE, Key::PageDown);
    }
    bench.press(Modifiers::NONE, Key::Plus);
    assert_eq!(fitted(&bench, "laser", "port"), 3);
    assert_eq!(bench.focused().as_deref(), Some("laser, port on the sheet, 3 fitted"));
    bench.press(Modifiers::NONE, Key::Minus);
    // Enter shows the menu, Esc returns.
    bench.press(Modifiers::NONE, Key::Enter);
    assert_eq!(bench.focused().as_deref(), Some("number of laser, port on the sheet"));
    bench.press(Modifiers::NONE, Key::Escape);
    assert!(!bench.shows_part("Show in the form"));
    assert_eq!(bench.focused().as_deref(), Some("laser, port on the sheet, 2 fitted"));
    // Delete removes, and the focus stays on the sheet.
    bench.press(Modifiers::NONE, Key::Delete);
    assert_eq!(fitted(&bench, "laser", "port"), 0);
    assert!(bench.focused().is_some_and(|name| name.contains("on the sheet")), "{:?}", bench.focused());
    // Esc leaves.
    bench.press(Modifiers::NONE, Key::Escape);
    assert!(bench.focused().is_some_and(|name| name.starts_with("Sheet of Vigilant")), "{:?}", bench.focused());
}

#[test]
fn a_mount_is_filled_by_keyboard() {
    let mut bench = large(&[VIGILANT]);
    bench.click("after chase on the sheet, 4 systems");
    assert!(bench.state().picker_on_sheet, "a screen reader's click");
    bench.type_text("energy");
    bench.press(Modifiers::NONE, Key::Enter);
    assert_eq!(fitted(&bench, "energy-torpedo", "aft"), 1, "{}", bench.text());
    bench.press(Modifiers::NONE, Key::Escape);
    assert_eq!(bench.focused().as_deref(), Some("after chase on the sheet, 5 systems"));
}

#[test]
fn a_drag_over_boxes_is_one_step_and_the_keyboard_ticks_too() {
    let mut bench = large(&[VIGILANT]);
    std::fs::create_dir_all(bench.path("designs/wars-of-honor/fleets")).unwrap();
    std::fs::copy(ESCORT, bench.path(ESCORT)).unwrap();
    bench.open(ESCORT);
    bench.give(Command::Select(vec![0]));
    let before = bench.text();
    let (from, to) = (mark(&bench, "structure_3"), mark(&bench, "structure_6"));
    bench.carry(from, to);
    drop(&mut bench, to);
    assert!(bench.text().contains("structure = "), "{}", bench.text());
    bench.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(bench.text(), before, "one step of undo");
    let canvas = bench.harness.get_all_by_label_contains("Sheet of HMS Vigilant,").next().expect("the sheet");
    canvas.focus();
    bench.settle();
    bench.press(Modifiers::NONE, Key::Enter);
    let first = bench.focused().expect("a box has the focus");
    bench.press(Modifiers::NONE, Key::Space);
    assert_ne!(bench.text(), before, "{first} is ticked");
    let once = bench.text();
    // With Shift the next box is ticked, too.
    bench.press(Modifiers::SHIFT, Key::ArrowRight);
    let now = bench.focused();
    assert!(now.as_ref() != Some(&first) && bench.text() != once, "{first} → {now:?}");
}

#[test]
fn a_wide_window_gives_the_sheet_half_and_remembers_what_it_is_dragged_to() {
    let mut bench = large(&[VIGILANT]);
    let width =
        |bench: &Bench| bench.harness.get_all_by_label_contains("Sheet of Vigilant,").next().unwrap().rect().width();
    assert!(width(&bench) > 920.0, "{}", width(&bench));
    assert_eq!(bench.state().settings.panels.wide_sheet, 0, "half stays half");
    let border = bench.harness.get_all_by_label_contains("Sheet of Vigilant,").next().unwrap().rect().left() - 8.0;
    let at = egui::pos2(border, 500.0);
    bench.carry(at, at + vec2(160.0, 0.0));
    drop(&mut bench, at + vec2(160.0, 0.0));
    let kept = bench.state().settings.panels.wide_sheet;
    assert!((740..880).contains(&kept), "{kept}");
    let again = Bench::sized(bench.folder, 1920.0, 1080.0);
    assert_eq!(again.state().settings.panels.wide_sheet, kept);
    let narrow = Bench::sized(again.folder, 1280.0, 800.0);
    assert_eq!(narrow.state().settings.panels.sheet, 0);
}

#[test]
fn a_card_in_the_corner_of_its_page_fills_the_width() {
    let mut bench = large(&[TERN]);
    let window = bench.harness.get_all_by_label_contains("Sheet of Tern,").next().unwrap().rect();
    let page = bench.harness.get_by_label_contains(", page 1 of").rect();
    let shown = bench.state().preview.sheet(bench.doc().id).unwrap();
    let used = shown.pages.page_indices[0].used.0 * shown.scale;
    assert!(used < window.width() && used > window.width() * 0.9, "{used} of {window}, page {page}");
    bench.give(Command::ShowTab(Tab::Start));
}
