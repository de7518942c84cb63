//! The preview: it follows every edit, can be clicked, hovered and zoomed, and frees what it held.

use std::sync::Arc;

use egui::{Key, Modifiers, Pos2, vec2};
use egui_kittest::kittest::Queryable;
use moldloft::design::{DocumentEdit, TablePath};
use moldloft::editor::library_browser::LibraryCommand;
use moldloft::editor::preview::{PreviewChange, PreviewMode, PreviewSettings, SheetPreview, Zoom};
use moldloft::editor::{Command, Edit, Tab};
use moldloft::evaluate::ExplainTarget;

use crate::editor::bench::Bench;

const VIGILANT: &str = "designs/wars-of-honor/vigilant.toml";
const TERN: &str = "designs/sky-full-of-ships/tern.toml";

fn shown(bench: &Bench) -> &SheetPreview {
    let doc = bench.doc();
    bench.state().preview.sheet(doc.id).expect("its sheet is drawn")
}

fn is_up_to_date(bench: &Bench) -> bool {
    shown(bench).key.revision == bench.doc().revision
}

fn choice(bench: &Bench) -> &PreviewSettings {
    &bench.state().settings.sheet
}

fn texts(bench: &Bench) -> String {
    format!("{:?}", shown(bench).pages.scene)
}

fn boxes(bench: &Bench, stem: &str) -> usize {
    let pages = &shown(bench).pages.page_indices;
    pages.iter().flat_map(|page| &page.marked_shapes).filter(|spot| spot.mark.name.starts_with(stem)).count()
}

/// Where a mark of the first page is on the screen; the sheet must not be scrolled.
fn on_screen(bench: &Bench, mark: &str) -> Pos2 {
    let shown = shown(bench);
    let spot = shown.pages.page_indices[0].marked_shapes.iter().find(|spot| &*spot.mark.name == mark);
    let rect = spot.unwrap_or_else(|| panic!("nothing is marked {mark}")).rect;
    let page = bench.harness.get_by_label_contains(", page 1 of").rect();
    page.min + vec2(rect.x + rect.w / 2.0, rect.y + rect.h / 2.0) * shown.scale
}

fn rename(name: &str) -> Command {
    Command::Edit(Edit::single("rename", DocumentEdit::set(TablePath::Top, "name", name)))
}

#[test]
fn the_sheet_follows_every_edit() {
    let mut bench = Bench::opened(&[VIGILANT]);
    assert!(bench.shows_part("Sheet of Vigilant, page 1 of"));
    assert!(is_up_to_date(&bench) && !shown(&bench).tiles.is_empty());
    let before = boxes(&bench, "missile-launcher_port_");
    bench.click_first("more missile launcher, port");
    assert!(is_up_to_date(&bench));
    assert_eq!(boxes(&bench, "missile-launcher_port_"), before + 1);
    bench.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(boxes(&bench, "missile-launcher_port_"), before);
}

#[test]
fn of_quick_edits_the_last_is_shown() {
    let mut bench = Bench::opened(&[VIGILANT]);
    for name in ["One", "Two", "Three"] {
        bench.harness.state_mut().apply(rename(name));
        // One frame for each, whether or not the previous one is drawn.
        bench.harness.step();
    }
    bench.settle();
    assert!(is_up_to_date(&bench));
    assert!(texts(&bench).contains("\"Three\"") && !texts(&bench).contains("\"Two\""));
}

#[test]
fn what_did_not_change_is_not_drawn_again() {
    let mut bench = Bench::opened(&[VIGILANT]);
    bench.give(Command::Preview(PreviewChange::Zoom(Zoom::Percent(100.0))));
    let ids = |bench: &Bench| -> Vec<_> {
        let ctx = &bench.harness.ctx;
        shown(bench).tiles.values().filter_map(|tile| tile.texture(ctx)).collect()
    };
    let before = ids(&bench);
    assert!(!before.is_empty());
    // An unknown key is on no sheet.
    let key = "moldloft_test";
    bench.give(Command::Edit(Edit::single("note", DocumentEdit::set(TablePath::Top, key, "x"))));
    assert!(is_up_to_date(&bench));
    assert_eq!(ids(&bench), before);
    bench.give(rename("Other"));
    assert!(is_up_to_date(&bench));
    assert_ne!(ids(&bench), before);
}

#[test]
fn a_click_on_a_box_chooses_its_system_and_a_hover_names_it() {
    let mut bench = Bench::opened(&[VIGILANT]);
    let ship = bench.doc().evaluation().unwrap().clone();
    let fit = ship.fits.iter().find(|fit| &*fit.system == "missile-launcher" && &*fit.mount == "port").unwrap();
    let at = on_screen(&bench, "missile-launcher_port_2");
    bench.harness.hover_at(at);
    bench.settle();
    assert!(bench.shows(&format!("missile launcher, port – box 2 of {}", fit.count)));
    bench.harness.drag_at(at);
    bench.harness.drop_at(at);
    bench.settle();
    assert_eq!(bench.doc().selected, [fit.index]);
    let at = on_screen(&bench, "structure_1");
    bench.harness.hover_at(at);
    bench.settle();
    assert!(bench.shows_part("tructure – box 1 of"));
}

#[test]
fn paper_large_print_grey_and_view_change_the_sheet() {
    let mut bench = Bench::opened(&[VIGILANT]);
    let height = |bench: &Bench| shown(bench).pages.scene.pages[0].height;
    assert_eq!(height(&bench), 297.0);
    bench.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::E);
    assert_eq!(height(&bench), 279.4);
    bench.click("View of the sheet: Sheet, Letter, Fit width");
    bench.click("Greyscale");
    assert!(shown(&bench).grey && choice(&bench).grey);
    bench.click("Large print");
    assert!(shown(&bench).key.large_print);
    bench.press(Modifiers::SHIFT, Key::F5);
    assert!(bench.shows_part("Chits of Vigilant, page 1 of"));
    bench.press(Modifiers::COMMAND, Key::F5);
    assert!(bench.shows_part("Reference sheet, page 1 of"));
    bench.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::F5);
    assert!(bench.shows_part("Blank sheet, page 1 of"));
    assert_eq!(shown(&bench).key.view, PreviewMode::Empty);
    // The settings are remembered.
    let remembered = choice(&bench).clone();
    let again = Bench::over(bench.folder);
    assert_eq!(*choice(&again), remembered);
}

#[test]
fn a_design_can_be_shown_on_another_sheet_of_its_game() {
    let mut bench = Bench::opened(&[TERN]);
    let own = bench.doc().evaluation().unwrap().sheet().unwrap().label.clone();
    bench.click("View of the sheet: Sheet, A4, Fit width");
    assert!(bench.shows(&format!("automatic: {own}")));
    bench.click("full page");
    let before = choice(&bench).sheets.clone();
    assert_eq!(before.into_iter().collect::<Vec<_>>(), [("sky-full-of-ships".into(), "giant".into())]);
    assert_eq!(shown(&bench).key.sheet.as_deref(), Some("giant"));
    bench.click(&format!("automatic: {own}"));
    assert_eq!(shown(&bench).key.sheet, None);
}

#[test]
fn sizes_step_fit_and_are_true() {
    let mut bench = Bench::opened(&[VIGILANT]);
    let wide = |bench: &Bench| bench.harness.get_by_label_contains(", page 1 of").rect().width();
    let fit = wide(&bench);
    bench.press(Modifiers::SHIFT, Key::F9);
    assert!(wide(&bench) < fit);
    bench.press(Modifiers::COMMAND, Key::F9);
    let true_size = 96.0 / 25.4;
    assert!((shown(&bench).scale - true_size).abs() < 1e-4);
    bench.click("Zoom sheet in");
    assert!((shown(&bench).scale - true_size * 1.25).abs() < 1e-4);
    bench.press(Modifiers::NONE, Key::F7);
    assert!((shown(&bench).scale - true_size).abs() < 1e-4);
    bench.give(Command::OpenDialog(moldloft::editor::Dialog::Calibrate));
    bench.click("Much longer");
    assert!((shown(&bench).scale - true_size * 1.02).abs() < 1e-4);
    bench.click("Use reported size");
    assert!((shown(&bench).scale - true_size).abs() < 1e-4);
}

#[test]
fn what_is_under_the_pointer_stays_there_when_the_size_changes_and_moves_with_it_when_dragged() {
    let mut bench = Bench::opened(&[VIGILANT]);
    // Systems are dragged by themselves, other boxes with the sheet.
    let (name, box_two) = {
        let pages = &shown(&bench).pages;
        let shapes = &pages.page_indices[0].marked_shapes;
        let free = shapes.iter().find(|one| one.mark.fit.is_none() && one.mark.name.contains('_') && one.rect.x < 60.0);
        let mark = &free.expect("a box of no system").mark;
        (mark.name.to_string(), moldloft::editor::preview::mark_label(&pages.ship, mark))
    };
    let box_two = &*box_two;
    let at = on_screen(&bench, &name);
    bench.harness.hover_at(at);
    bench.settle();
    assert!(bench.shows_part(box_two));
    let before = shown(&bench).scale;
    for factor in [1.5, 1.4] {
        bench.harness.event(egui::Event::Zoom(factor));
        bench.settle();
        assert!(bench.shows_part(box_two), "{factor}");
    }
    assert!((shown(&bench).scale / before - 2.1).abs() < 0.02);
    let to = at - vec2(10.0, 30.0);
    bench.harness.drag_at(at);
    bench.harness.step();
    for step in 1..=5 {
        bench.harness.hover_at(at + (to - at) * step as f32 / 5.0);
        bench.harness.step();
    }
    bench.harness.drop_at(to);
    bench.settle();
    bench.harness.hover_at(to);
    bench.settle();
    assert!(bench.shows_part(box_two));
    assert!(bench.doc().selected.is_empty());
}

#[test]
fn a_broken_template_is_reported_until_it_is_repaired() {
    let mut bench = Bench::new(&[VIGILANT, "templates/wars-of-honor/ship.svg"]);
    let template = bench.path("templates/wars-of-honor/ship.svg");
    let good = std::fs::read_to_string(&template).unwrap();
    std::fs::write(&template, "<svg").unwrap();
    bench.open(VIGILANT);
    assert!(bench.shows_part("cannot use its template ship.svg"));
    std::fs::write(&template, good).unwrap();
    bench.give(Command::Library(LibraryCommand::Invalidate));
    assert!(bench.shows_part("Sheet of Vigilant, page 1 of"));
}

#[test]
fn many_pages_take_bounded_memory() {
    let mut bench = Bench::new(&[]);
    let fit = "[[fit]]\nsystem = \"laser\"\nmount = \"port\"\ncount = 9000\n";
    bench.give(Command::OpenText { text: format!("ruleset = \"wars-of-honor\"\nname = \"Long\"\n{fit}").into() });
    let pages = shown(&bench).pages.scene.pages.len();
    assert!(pages >= 3, "{pages}");
    bench.give(Command::Preview(PreviewChange::Zoom(Zoom::Percent(200.0))));
    bench.focus(&format!("Sheet of Long, {pages} pages"));
    for _ in 0..pages * 9 {
        bench.press(Modifiers::NONE, Key::PageDown);
        assert!(bench.state().preview.bytes() <= 72 << 20);
    }
    assert!(bench.shows(&format!("page {pages} of {pages}")));
    assert!(bench.state().preview.bytes() > 0);
}

#[test]
fn keys_leaf_through_the_pages() {
    let mut bench = Bench::opened(&[VIGILANT]);
    bench.press(Modifiers::SHIFT, Key::F5);
    let pages = shown(&bench).pages.scene.pages.len();
    assert!(pages > 1);
    assert!(bench.shows(&format!("page 1 of {pages}")));
    bench.focus(&format!("Chits of Vigilant, {pages} pages"));
    bench.press(Modifiers::NONE, Key::End);
    assert!(bench.shows(&format!("page {pages} of {pages}")));
    bench.press(Modifiers::NONE, Key::Home);
    assert!(bench.shows(&format!("page 1 of {pages}")));
    bench.press(Modifiers::NONE, Key::PageDown);
    bench.press(Modifiers::NONE, Key::PageDown);
    assert!(!bench.shows(&format!("page 1 of {pages}")));
}

#[test]
fn what_cannot_be_drawn_is_reported() {
    let mut bench = Bench::opened(&[VIGILANT]);
    bench.give(Command::OpenText { text: "this is no design".into() });
    assert!(bench.shows_part("No sheet: "));
    let many = "ruleset = \"wars-of-honor\"\nname = \"Leviathan\"\n[[fit]]\nsystem = \"missile-launcher\"\nmount = \"port\"\ncount = 9999\n";
    let more = "[[fit]]\nsystem = \"missile-launcher\"\nmount = \"starboard\"\ncount = 9999\n";
    bench.give(Command::OpenText { text: format!("{many}{more}{more}").into() });
    assert!(bench.shows_part("skipped Leviathan"));
}

#[test]
fn a_closed_design_leaves_nothing_behind_and_a_still_window_draws_nothing() {
    let mut bench = Bench::new(&[VIGILANT, TERN]);
    bench.open(TERN);
    let held = |bench: &Bench| bench.harness.ctx.tex_manager().read().num_allocated();
    let before = held(&bench);
    bench.open(VIGILANT);
    assert!(held(&bench) > before);
    let Tab::Doc(id) = bench.state().tab else { panic!("a design is shown") };
    bench.give(Command::CloseAnyway(id));
    assert!(bench.state().preview.sheet(id).is_none());
    assert_eq!(held(&bench), before);
    assert_eq!(bench.harness.run(), 1);
    assert_eq!(bench.harness.run(), 1);
}

#[test]
fn a_moving_pointer_computes_nothing_again() {
    let mut bench = Bench::opened(&[VIGILANT, TERN]);
    bench.give(Command::Explain(ExplainTarget::Value("points".into())));
    // Each is allocated again when it is computed, so compare addresses.
    let computed = |bench: &Bench| {
        let doc = bench.doc();
        let view = bench.state().inspector_views.view(doc.id).unwrap();
        let library = &bench.state().library;
        (
            (doc.revision, doc.measures().as_ptr(), doc.margins().as_ptr(), view.explanation.as_ptr()),
            (library.panel_matches.groups().as_ptr(), library.matches.groups().as_ptr()),
            (Arc::as_ptr(&shown(bench).pages), bench.state().ruleset_status.available.as_ptr()),
        )
    };
    let before = computed(&bench);
    for step in 0..40 {
        bench.harness.hover_at(Pos2::new(20.0 + 31.0 * step as f32, 60.0 + 18.0 * step as f32));
        bench.harness.step();
        assert_eq!(computed(&bench), before, "at step {step}");
        assert!(!bench.harness.state().jobs().has_results());
    }
    bench.give(rename("Other"));
    assert_ne!(computed(&bench), before);
}
