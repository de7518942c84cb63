//! What things of the game do: figures, words, explanations in sentences, the search, the palette of everything.

use std::collections::BTreeSet;

use egui::{Key, Modifiers, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use moldloft::editor::actions::ACTIONS;
use moldloft::editor::library_browser::LibraryCommand;
use moldloft::editor::palette::{EntryKind, PaletteCommand, PaletteDialog, find_entries};
use moldloft::editor::{Command, Dialog, InspectorTab, Tab};
use moldloft::evaluate::{ExplainTarget, explain_target};
use moldloft::formula::Value;
use moldloft::library::{Rulesets, check_source};
use moldloft::scene::MarkKind;
use moldloft::store::{AssetKind, Store};

use crate::editor::bench::Bench;

const VIGILANT: &str = "designs/wars-of-honor/vigilant.toml";
const FIVE: [&str; 5] = [
    VIGILANT,
    "designs/sky-full-of-ships/tern.toml",
    "designs/star-navy/detroit.toml",
    "designs/battleships-1890s/saltholm.toml",
    "designs/b5-house-rules/varnic.toml",
];

fn open(file: &str) -> Bench {
    Bench::opened(&[file])
}

fn description(bench: &Bench, label: &str) -> String {
    let nodes: Vec<_> = bench.harness.get_all_by_label_contains(label).collect();
    assert!(!nodes.is_empty(), "nothing is {label}");
    // Its box on the sheet has the same name.
    nodes.iter().filter_map(|node| node.accesskit_node().description()).collect::<Vec<_>>().join(" ")
}

fn search(bench: &mut Bench, typed: &str) -> Vec<String> {
    let palette = PaletteDialog { query: typed.to_owned(), highlighted: 0 };
    bench.press(Modifiers::COMMAND, Key::K);
    bench.give(Command::Palette(PaletteCommand::Update(palette)));
    find_entries(bench.state(), typed).into_iter().map(|entry| entry.title).collect()
}

fn undoes(bench: &Bench) -> String {
    bench.doc().history.undo_label().unwrap_or_default().to_owned()
}

#[test]
fn rows_and_the_list_of_systems_show_figures_from_the_tables() {
    let mut bench = open(VIGILANT);
    assert!(description(&bench, "graser, port").contains("12 MU · 2D6"), "{}", description(&bench, "graser, port"));
    assert!(!description(&bench, "alpha node, forward ring").contains("MU"));
    bench.click("Add to forward chase");
    assert!(description(&bench, "add grav lance").contains("6 MU · 1D6 once"), "none is aboard yet");
    let at = bench.harness.get_by_label_contains("add laser, ").rect().center();
    bench.harness.hover_at(at);
    bench.harness.run_steps(40);
    bench.settle();
    assert!(bench.shows_part("1–2: 0 · 3–4: 1 · 5–6: 2"), "a tooltip with the table's row");
}

#[test]
fn the_list_of_systems_is_searched_by_what_systems_do() {
    let mut bench = open(VIGILANT);
    bench.click("Add to forward ring");
    bench.type_text("impeller");
    assert!(bench.shows_part("add alpha node") && bench.shows_part("add beta node"));
    assert!(!bench.shows_part("add laser cluster"));
    bench.press(Modifiers::COMMAND, Key::A);
    bench.type_text("decoy");
    assert!(bench.shows_part("EW drone: not here"), "found by its meaning, although the ring does not take it");
}

#[test]
fn every_game_says_what_its_words_mean() {
    for file in FIVE {
        let mut bench = Bench::new(&[]);
        let built_in = std::path::PathBuf::from(file);
        bench.give(Command::OpenBuiltIn(built_in));
        if bench.state().current_doc().is_none() {
            let folder = std::path::Path::new(file).parent().unwrap();
            panic!("{file} is not among {:?}", std::fs::read_dir(folder).map(Iterator::count));
        }
        let terms = find_entries(bench.state(), "word");
        assert!(terms.iter().filter(|entry| entry.kind == EntryKind::Term).count() > 5, "{file}");
        bench.give(Command::Palette(PaletteCommand::ShowTerm(String::new())));
        assert!(bench.shows("Glossary") && bench.shows("Search the glossary"));
        bench.press(Modifiers::NONE, Key::Escape);
        assert_eq!(bench.state().dialog, None);
    }
}

#[test]
fn a_label_explains_its_words_to_the_pointer() {
    let mut bench = open(VIGILANT);
    let at = bench.harness.get_all_by_label("THRUST").next().expect("a large number").rect().center();
    bench.harness.hover_at(at);
    bench.harness.run_steps(40);
    bench.settle();
    assert!(bench.shows_part("points to change course and speed each turn"));
}

#[test]
fn an_explanation_is_a_sentence_with_the_formula_below() {
    let mut bench = open(VIGILANT);
    bench.give(Command::Explain(ExplainTarget::Value("structure".into())));
    assert!(bench.shows("30 % of mass 125 (starship, Manticore Alliance), rounded down: 37"));
    assert!(bench.shows_part("mass * (30 if unit == 'pod' else choice.nation.structure_pct) // 100 = 125 * 30 // 100"));
    bench.give(Command::Explain(ExplainTarget::Value("thrust".into())));
    assert!(bench.shows_part("alf of (2 × alpha nodes 8 + beta nodes 16) (no pods in tow), rounded down: 16"));
}

#[test]
fn a_number_on_the_sheet_explains_itself_on_a_click() {
    for (file, least) in [(VIGILANT, 4), ("designs/sky-full-of-ships/tern.toml", 3)] {
        let mut bench = open(file);
        let id = bench.doc().id;
        let spots: Vec<_> = {
            let shown = bench.state().preview.sheet(id).expect("its sheet is drawn");
            let page = bench.harness.get_by_label_contains(", page 1 of").rect();
            let shapes = shown.pages.page_indices[0].marked_shapes.iter();
            let values = shapes.filter(|shape| shape.mark.kind == MarkKind::Value);
            let centre = |rect: &moldloft::scene::Rect| {
                page.min + vec2(rect.x + rect.w / 2.0, rect.y + rect.h / 2.0) * shown.scale
            };
            values.map(|shape| (shape.mark.name.clone(), centre(&shape.rect))).collect()
        };
        let names: BTreeSet<_> = spots.iter().map(|(name, _)| name.clone()).collect();
        assert!(names.len() >= least, "{file}: {names:?}");
        let window = bench.harness.get_by_label_contains(", page 1 of").rect();
        let (name, at) = spots.iter().find(|(_, at)| window.shrink(4.0).contains(*at)).expect("one is in sight");
        bench.click_at(*at);
        assert_eq!(bench.state().inspector_tab, InspectorTab::Explain, "{file}: {name}");
        let query = bench.state().inspector_views.view(id).and_then(|view| view.query.clone());
        let expected = ExplainTarget::from_mark(bench.doc().evaluation().unwrap(), name);
        assert!(expected.is_some() && query == expected, "{file}: {name}");
    }
}

#[test]
fn every_number_of_a_sheet_has_an_explanation() {
    let files = [
        (VIGILANT, 1),
        ("designs/sky-full-of-ships/tern.toml", 0),
        ("designs/star-navy/chicago.toml", 1),
        ("designs/battleships-1890s/saltholm.toml", 0),
        ("designs/b5-house-rules/varnic.toml", 1),
    ];
    for (file, least_cells) in files {
        let mut bench = open(file);
        let id = bench.doc().id;
        let ship = bench.doc().evaluation().unwrap().clone();
        let names: BTreeSet<_> = {
            let shown = bench.state().preview.sheet(id).expect("its sheet is drawn");
            let shapes = shown.pages.page_indices.iter().flat_map(|page| &page.marked_shapes);
            let values = shapes.filter(|shape| shape.mark.kind == MarkKind::Value);
            values.map(|shape| shape.mark.name.clone()).collect()
        };
        let mut cells = 0;
        for name in &names {
            let target = ExplainTarget::from_mark(&ship, name).unwrap_or_else(|| panic!("{file}: {name} is nothing"));
            let lines = explain_target(&ship, &target);
            assert!(!lines.is_empty(), "{file}: {name} is not explained");
            if let ExplainTarget::Cell { table, row, column } = &target {
                cells += 1;
                let table = ship.tables.iter().find(|known| known.id == *table).unwrap();
                let at = table.columns.iter().position(|known| known.id == *column).unwrap();
                let shown = &table.rows[*row as usize][at];
                if let Value::Int(number) = shown {
                    assert_eq!(lines[0].result, number.to_string(), "{file}: {name}");
                }
            }
        }
        eprintln!("{file}: {cells} cells of {} numbers", names.len());
        assert!(cells >= least_cells, "{file}: {cells} cells of {} numbers", names.len());
        // One of them in the window.
        let target = names.iter().filter_map(|name| ExplainTarget::from_mark(&ship, name));
        let Some(cell) = target.into_iter().find(|target| matches!(target, ExplainTarget::Cell { .. })) else {
            continue;
        };
        let line = explain_target(&ship, &cell)[0].clone();
        bench.give(Command::Explain(cell));
        assert!(bench.shows(&line.name), "{file}: {}", line.name);
    }
}

#[test]
fn most_numbers_are_said_in_a_sentence() {
    let (mut said, mut all) = (0, 0);
    let store = Store::built_in();
    let rulesets = Rulesets::without_settings(&store);
    for listed in store.list_assets(AssetKind::Design) {
        let Ok(source) = listed.file.read() else { continue };
        let Some(ship) = check_source(&rulesets, &source).evaluation else { continue };
        for value in &ship.values {
            let lines = explain_target(&ship, &ExplainTarget::Value(value.id.clone()));
            let Some(line) = lines.first().filter(|line| line.result != "?" && !line.formula.is_empty()) else {
                continue;
            };
            all += 1;
            said += usize::from(!line.sentence.is_empty());
            if line.sentence.is_empty() && std::env::var_os("SHOW").is_some() {
                eprintln!("{}: {}", listed.id, line.formula);
            }
            assert!(!line.sentence.contains("  ") && !line.sentence.contains("["), "{}: {}", listed.id, line.sentence);
        }
    }
    assert!(said * 100 >= all * 90, "{said} of {all}");
}

#[test]
fn a_box_of_a_track_explains_its_number() {
    let mut bench = open(VIGILANT);
    let id = bench.doc().id;
    let at = {
        let shown = bench.state().preview.sheet(id).unwrap();
        let page = bench.harness.get_by_label_contains(", page 1 of").rect();
        let mut shapes = shown.pages.page_indices[0].marked_shapes.iter();
        let rect = shapes.find(|shape| &*shape.mark.name == "sidewall_port_1").expect("a box").rect;
        page.min + vec2(rect.x + rect.w / 2.0, rect.y + rect.h / 2.0) * shown.scale
    };
    bench.click_at(at);
    let query = bench.state().inspector_views.view(id).and_then(|view| view.query.clone());
    assert_eq!(query, Some(ExplainTarget::Value("sidewall".into())));
}

#[test]
fn designs_are_found_by_what_they_carry() {
    let mut bench = Bench::new(&[]);
    let found = |bench: &mut Bench, typed: &str| -> BTreeSet<String> {
        let filter = moldloft::library::CatalogueFilter { text: typed.to_owned(), ..Default::default() };
        bench.give(Command::Library(LibraryCommand::SetFilter(filter)));
        let groups = bench.state().library.matches.groups().clone();
        groups.iter().flat_map(|group| &group.entries).map(|entry| entry.name.to_string()).collect()
    };
    let all = found(&mut bench, "");
    let grasers = found(&mut bench, "graser");
    assert!(grasers.contains("Vigilant") && grasers.len() < all.len());
    assert!(found(&mut bench, "graser>=6").contains("Vigilant"), "it has 6");
    assert!(!found(&mut bench, "graser>6").contains("Vigilant"));
    assert!(found(&mut bench, "graser=6 1700-1800").contains("Vigilant"), "with a range of points");
    assert!(!found(&mut bench, "graser=6 <1000").contains("Vigilant"));
    assert!(found(&mut bench, "thrust>=16").contains("Vigilant"), "a large value");
    assert!(found(&mut bench, "#").is_empty());
}

#[test]
fn the_palette_has_every_command_and_does_the_chosen_one() {
    let mut bench = open(VIGILANT);
    bench.press(Modifiers::COMMAND, Key::K);
    assert!(matches!(bench.state().dialog, Some(Dialog::Palette(_))));
    assert_eq!(bench.focused().as_deref(), Some("Find anything"));
    for action in ACTIONS.iter().filter(|action| (action.command)(bench.state()).is_some()) {
        let label = action.label(bench.state());
        let key = format!("command {}", action.label);
        assert!(find_entries(bench.state(), &label).iter().any(|entry| entry.key == key), "{label}");
    }
    bench.type_text("greysc");
    assert!(bench.shows("command: Greyscale"));
    bench.press(Modifiers::NONE, Key::Enter);
    assert!(bench.state().settings.sheet.grey && bench.state().dialog.is_none());
    assert_eq!(find_entries(bench.state(), "")[0].title, "Greyscale", "the last used first");
}

#[test]
fn the_palette_goes_by_arrows_and_esc_closes_it() {
    let mut bench = open(VIGILANT);
    bench.press(Modifiers::COMMAND, Key::K);
    bench.press(Modifiers::NONE, Key::ArrowDown);
    bench.press(Modifiers::NONE, Key::ArrowDown);
    bench.press(Modifiers::NONE, Key::ArrowUp);
    let line = |bench: &Bench| match &bench.state().dialog {
        Some(Dialog::Palette(open)) => open.highlighted,
        other => panic!("{other:?}"),
    };
    assert_eq!(line(&bench), 1);
    bench.press(Modifiers::NONE, Key::Escape);
    assert_eq!(bench.state().dialog, None);
}

#[test]
fn the_palette_adds_systems_explains_values_opens_designs_and_tabs() {
    let mut bench = open(VIGILANT);
    for (typed, first) in [("fight", "Fight it…"), ("name", "name"), ("notes", "notes")] {
        assert_eq!(search(&mut bench, typed).first().map(String::as_str), Some(first), "{typed}");
    }
    assert!(search(&mut bench, "4 beta").contains(&"4 × beta node".to_owned()));
    bench.press(Modifiers::NONE, Key::Enter);
    assert!(undoes(&bench).starts_with("add 4 × beta node"), "{}", undoes(&bench));
    assert!(bench.focused().is_some_and(|row| row.starts_with("beta node")), "{:?}", bench.focused());
    search(&mut bench, "explain sidewall boxes");
    bench.press(Modifiers::NONE, Key::Enter);
    assert_eq!(bench.state().inspector_tab, InspectorTab::Explain);
    search(&mut bench, "swordfish");
    bench.press(Modifiers::NONE, Key::Enter);
    assert_eq!(bench.doc().name(), "Swordfish");
    search(&mut bench, "open vigilant");
    bench.press(Modifiers::NONE, Key::Enter);
    assert_eq!(bench.doc().name(), "Vigilant");
    bench.give(Command::ShowTab(Tab::Start));
    assert!(search(&mut bench, "4 beta").is_empty(), "without a design nothing is added");
}

#[test]
fn the_palette_finds_designs_by_what_they_carry_and_by_points() {
    let mut bench = open(VIGILANT);
    let found = search(&mut bench, "graser>=6");
    assert!(found.contains(&"Vigilant".to_owned()) && !found.contains(&"Petrel".to_owned()), "{found:?}");
    let found = search(&mut bench, "400-450");
    assert!(found.contains(&"Petrel".to_owned()) && !found.contains(&"Vigilant".to_owned()), "{found:?}");
    // The field stays where it is, whatever is found.
    let field = |bench: &Bench| bench.harness.get_by_label("Find anything").rect();
    let many = field(&bench);
    search(&mut bench, "no such thing");
    assert_eq!(field(&bench), many);
}

#[test]
fn squares_movement_charts_and_free_text_explain_themselves() {
    let marked = |file: &str, is: &dyn Fn(&ExplainTarget) -> bool| {
        let bench = open(file);
        let ship = bench.doc().evaluation().unwrap().clone();
        let shown = bench.state().preview.sheet(bench.doc().id).expect("its sheet is drawn");
        let shapes = shown.pages.page_indices.iter().flat_map(|page| &page.marked_shapes);
        let names = shapes.filter(|shape| shape.mark.kind == MarkKind::Value).map(|shape| shape.mark.name.clone());
        let targets = names.filter_map(|name| ExplainTarget::from_mark(&ship, &name));
        targets.filter(is).collect::<Vec<_>>().len()
    };
    let cell = |id: &'static str| move |target: &ExplainTarget| matches!(target, ExplainTarget::Cell { table, .. } if **table == *id);
    let is_square =
        |target: &ExplainTarget| matches!(target, ExplainTarget::Cell { table, .. } if table.contains("arc"));
    let squares = marked("designs/battleships-1890s/saltholm.toml", &is_square);
    assert!(squares > 20, "squares: {squares}");
    let chart = marked("designs/b5-house-rules/varnic.toml", &cell("movement"));
    assert!(chart >= 3, "the numbers of a movement chart: {chart}");
}
