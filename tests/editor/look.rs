//! Tabs for looking, the library's menu, folded identities, what an empty page says, sizes of texts and colours of signs.

use std::collections::BTreeMap;

use egui::epaint::TextShape;
use egui::{Key, Modifiers, Shape};
use egui_kittest::kittest::{NodeT, Queryable};
use moldloft::editor::compare_page::CompareCommand;
use moldloft::editor::library_browser::LibraryCommand;
use moldloft::editor::printing::PrintCommand;
use moldloft::editor::rules_page::RulesPageCommand;
use moldloft::editor::{Command, Dialog, FormTarget, InspectorTab, RightPage, SystemPicker, Theme};

use crate::editor::bench::{Bench, SAMPLES};

const VIGILANT: &str = "designs/wars-of-honor/vigilant.toml";
const PETREL: &str = "designs/wars-of-honor/petrel.toml";
const LANCET: &str = "designs/star-navy/chicago.toml";
const TERN: &str = "designs/sky-full-of-ships/tern.toml";

fn tabs(bench: &Bench) -> Vec<String> {
    bench.state().docs.iter().map(moldloft::editor::Doc::name).collect()
}

/// Clicks the library's line of a design.
fn look_at(bench: &mut Bench, name: &str) {
    let search = name.split(',').next().unwrap_or(name).to_owned();
    bench.give(Command::Library(LibraryCommand::SearchPanel(search)));
    {
        let mut lines = bench.harness.query_all_by_label_contains(name);
        let line = lines.find(|node| node.rect().left() < 200.0 && node.rect().top() > 90.0);
        line.unwrap_or_else(|| panic!("{name} is not listed")).click_accesskit();
    }
    bench.settle();
}

#[test]
fn a_click_in_the_library_reuses_the_tab_until_the_design_is_changed() {
    let mut bench = Bench::new(&[VIGILANT, PETREL, TERN, LANCET]);
    bench.open(LANCET);
    look_at(&mut bench, "Vigilant, 1732 points");
    look_at(&mut bench, "Tern, 6 points");
    assert_eq!(tabs(&bench), ["Chicago", "Tern"], "the next one takes the place");
    bench.give(Command::Edit(moldloft::editor::Edit::single(
        "rename",
        moldloft::design::DocumentEdit::set(moldloft::design::TablePath::Top, "name", "Sterna"),
    )));
    look_at(&mut bench, "Petrel, 442 points");
    assert_eq!(tabs(&bench), ["Chicago", "Sterna", "Petrel"], "a changed one stays");
    look_at(&mut bench, "Chicago, ");
    assert_eq!(tabs(&bench).len(), 3, "an open one is shown");
    // Kept by its tab.
    let id = bench.state().docs[2].id;
    bench.give(Command::KeepTab(id));
    look_at(&mut bench, "Vigilant, 1732 points");
    assert_eq!(tabs(&bench), ["Chicago", "Sterna", "Petrel", "Vigilant"]);
}

#[test]
fn the_library_has_a_menu() {
    let mut bench = Bench::opened(&[VIGILANT, PETREL]);
    let line = bench.harness.get_all_by_label_contains("Petrel, 442 points").find(|node| node.rect().left() < 200.0);
    line.expect("it is listed").focus();
    bench.settle();
    bench.press(Modifiers::SHIFT, Key::F10);
    assert!(bench.shows("Open and keep the tab") && bench.shows("Open its folder"), "{:?}", bench.focused());
    bench.click("Compare with the open design");
    assert!(bench.shows_part("Petrel") && tabs(&bench) == ["Vigilant"]);
    bench.click("Back to Vigilant");
    let line = bench.harness.get_all_by_label_contains("Petrel, 442 points").find(|node| node.rect().left() < 200.0);
    line.expect("it is listed").focus();
    bench.settle();
    bench.press(Modifiers::SHIFT, Key::F10);
    bench.click("Open and keep the tab");
    assert_eq!(tabs(&bench), ["Vigilant", "Petrel"]);
    assert_eq!(bench.state().glance_tab, None);
}

#[test]
fn tabs_that_overflow_are_listed() {
    let mut bench = Bench::opened(&[VIGILANT]);
    assert!(!bench.shows_part("open documents"));
    for n in 0..9 {
        let text = format!("ruleset = \"wars-of-honor\"\nname = \"Ship of a long name {n}\"\n");
        bench.give(Command::OpenText { text: text.into() });
    }
    assert!(bench.rect("Start").left() >= 0.0, "the start page is one click away, however far the row is scrolled");
    bench.click("All 10 open documents");
    bench.click("show Vigilant");
    assert_eq!(bench.doc().name(), "Vigilant");
}

#[test]
fn a_design_says_what_it_is_in_one_line() {
    let mut bench = Bench::opened(&[VIGILANT, TERN]);
    assert!(bench.shows("name") && !bench.shows("notes") && !bench.shows("nation"));
    assert!(bench.shows_part("Manticore Alliance  ·  starship"));
    bench.click("Show choices and notes");
    assert!(bench.shows("notes") && bench.shows("nation"));
    bench.click("Fold name, choices and notes to one line");
    // Going to what is folded opens it.
    bench.give(Command::GoTo(FormTarget::TopKey("notes")));
    assert_eq!(bench.focused().as_deref(), Some("notes"));
    bench.give(Command::ShowIdentity(false));
    bench.give(Command::GoTo(FormTarget::Field("nation".into())));
    assert_eq!(bench.focused().as_deref(), Some("nation"));
    // Numbers are what a design has, not what it is.
    bench.give(Command::ShowIdentity(false));
    bench.open(TERN);
    assert!(bench.shows("mass") && !bench.shows("notes"));
}

#[test]
fn what_is_empty_says_how_to_begin() {
    let mut bench = Bench::new(&[VIGILANT]);
    bench.give(Command::OpenText { text: "ruleset = \"wars-of-honor\"\nname = \"New\"\n".into() });
    assert!(bench.shows_part("Not complete yet") && bench.shows("STILL TO DO") && !bench.shows("ERRORS"));
    assert!(bench.shows("notes"), "a blank design shows what there is to fill in");
    bench.click_first("Add to forward ring");
    bench.press(Modifiers::NONE, Key::Enter);
    assert!(bench.shows("ERRORS") && !bench.shows("STILL TO DO"));
    bench.press(Modifiers::NONE, Key::Escape);
    let text = "ruleset = \"wars-of-honor\"\nname = \"Empty\"\nside = \"\"\n";
    bench.give(Command::OpenText { text: text.into() });
    assert!(bench.shows("No ships yet") && bench.shows("points: 0, no budget"));
    bench.click("Add ships…");
    assert!(bench.state().dialog.is_some());
}

/// The texts of the last frame.
fn texts(bench: &Bench) -> Vec<&TextShape> {
    fn collect<'s>(shape: &'s Shape, into: &mut Vec<&'s TextShape>) {
        match shape {
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, into)),
            Shape::Text(text) => into.push(text),
            _ => {}
        }
    }
    let mut texts = Vec::new();
    bench.harness.output().shapes.iter().for_each(|shape| collect(&shape.shape, &mut texts));
    texts
}

/// In tenths; signs of systems are drawings of one to three letters.
fn text_sizes(bench: &Bench) -> BTreeMap<u32, String> {
    let long = texts(bench).into_iter().filter(|text| text.galley.text().chars().count() > 3);
    let sizes = long.flat_map(|text| {
        let sizes = text.galley.job.sections.iter().map(|section| (section.format.font_id.size * 10.0).round() as u32);
        sizes.map(|size| (size, text.galley.text().to_owned()))
    });
    sizes.collect()
}

#[test]
fn signs_of_systems_are_coloured_by_what_they_are_for() {
    let bench = Bench::opened_in(&[VIGILANT], 1600.0, 1000.0);
    let colour = |letter: &str| {
        let sign = texts(&bench).into_iter().find(|text| text.galley.text() == letter);
        sign.unwrap_or_else(|| panic!("no sign {letter}")).galley.job.sections[0].format.color
    };
    // Weapons, defences, drives, command.
    let [laser, graser, drone, missiles, node, beta, cnc] = ["L", "G", "D", "C", "α", "β", "N"].map(colour);
    assert_eq!((laser, drone, node), (graser, missiles, beta));
    assert_eq!([laser, drone, node, cnc].iter().collect::<std::collections::HashSet<_>>().len(), 4);
}

#[test]
fn texts_have_four_sizes() {
    let fleet = "designs/wars-of-honor/fleets/convoy-escort.toml";
    let mut bench = Bench::new(&[SAMPLES[4], fleet]);
    let mut all = text_sizes(&bench);
    bench.open(SAMPLES[4]);
    let pages = [
        Command::ShowInspectorTab(InspectorTab::Explain),
        Command::ShowInspectorTab(InspectorTab::Suggest),
        Command::ShowPage(RightPage::Odds),
        Command::SystemPicker(Some(SystemPicker { mount: Some("port".to_owned()), ..SystemPicker::default() })),
        Command::Print(PrintCommand::Open(None)),
        Command::OpenDialog(Dialog::Keys),
        Command::Compare(CompareCommand::Open),
        Command::Open(bench.path(fleet)),
        Command::RulesPage(RulesPageCommand::Open("wars-of-honor".into())),
        Command::RulesPage(RulesPageCommand::BeginRule),
    ];
    for page in pages {
        bench.give(page);
        all.extend(text_sizes(&bench));
    }
    assert_eq!(all.keys().copied().collect::<Vec<_>>(), [130, 150, 180, 240], "{all:?}");
}

#[test]
fn paper_is_dimmed_in_the_dark_theme_alone_and_stays_so() {
    let mut bench = Bench::opened(&[VIGILANT]);
    let whites = |bench: &Bench| {
        let picture = bench.picture();
        let at = |pixel: &&resvg::tiny_skia::PremultipliedColorU8| {
            (pixel.red(), pixel.green(), pixel.blue()) == (255, 255, 255)
        };
        picture.pixels().iter().filter(at).count()
    };
    bench.give(Command::SetTheme(Theme::Dark));
    let bright = whites(&bench);
    assert!(bright > 50_000, "the sheet: {bright}");
    bench.give(Command::DimPaper(true));
    assert!(whites(&bench) < 2_000, "{}", whites(&bench));
    let Bench { harness, folder, .. } = bench;
    drop(harness);
    let mut bench = Bench::over(folder);
    assert!(bench.state().settings.dim_paper, "it is kept");
    bench.open(VIGILANT);
    bench.give(Command::SetTheme(Theme::Light));
    assert!(whites(&bench) > bright, "paper is white in the light theme");
}

#[test]
fn names_of_systems_are_never_cut() {
    for (width, height) in [(1366.0, 768.0), (1280.0, 800.0), (1366.0 / 1.5, 768.0 / 1.5), (1920.0, 1080.0)] {
        let mut bench = Bench::sized(Bench::new(&SAMPLES).folder, width, height);
        for sample in SAMPLES {
            bench.open(sample);
            bench.give(Command::ShowPane(moldloft::editor::Pane::Form));
            let ship = bench.doc().evaluation().unwrap().clone();
            for fit in &ship.fits {
                let name = moldloft::sanitize::capitalize(&fit.name);
                let cut = texts(&bench).into_iter().find(|text| text.galley.text() == name && text.galley.elided);
                assert!(cut.is_none(), "{name} at {width} × {height}");
            }
        }
    }
}

#[test]
fn every_number_of_the_headline_is_explained_in_a_sentence() {
    let mut bench = Bench::sized(Bench::new(&SAMPLES).folder, 1600.0, 1000.0);
    for sample in SAMPLES {
        bench.open(sample);
        let ship = bench.doc().evaluation().unwrap().clone();
        let values = ship.values.iter().filter(|value| value.headline || value.limit.is_some());
        let mut numbers: Vec<(String, String)> =
            values.map(|value| (value.label.to_string(), value.value.shown().unwrap_or_default())).collect();
        numbers.extend(ship.points.map(|points| ("points".to_owned(), points.to_string())));
        assert!(numbers.len() > 1, "{sample}");
        for (label, shown) in numbers {
            let start = format!("{label}: {shown}");
            bench.harness.get_all_by_label_contains(&start).next().unwrap_or_else(|| panic!("no {start}")).hover();
            bench.harness.run_steps(30);
            let end = format!(": {shown}");
            let said: Vec<&str> = texts(&bench).into_iter().map(|text| text.galley.text()).collect();
            assert!(said.iter().any(|text| text.ends_with(&end)), "{sample}, {start}: {said:?}");
        }
    }
}

#[test]
fn designs_are_listed_with_their_kinds_by_name_points_or_kind() {
    let mut bench = Bench::new(&[VIGILANT, PETREL]);
    bench.give(Command::Library(LibraryCommand::Scan));
    /// Row by row.
    fn order(bench: &Bench, mut names: [&'static str; 3]) -> [&'static str; 3] {
        names.sort_by_key(|name| {
            let line = bench.harness.get_all_by_label_contains(name).next().unwrap_or_else(|| panic!("no {name}"));
            (line.rect().top() as i64, line.rect().left() as i64)
        });
        names.map(|name| name.split(',').next().unwrap_or(name))
    }
    bench.give(Command::Library(LibraryCommand::SetFilter(moldloft::library::CatalogueFilter {
        ruleset: Some("star-navy".into()),
        ..Default::default()
    })));
    let names = ["Chicago, 376", "Cincinnati, 119", "Milwaukee, 251"];
    assert_eq!(order(&bench, names), ["Chicago", "Cincinnati", "Milwaukee"]);
    bench.click("Sorted");
    bench.click("by points");
    assert_eq!(order(&bench, names), ["Cincinnati", "Milwaukee", "Chicago"]);
    bench.click("by kind");
    assert_eq!(order(&bench, names), ["Cincinnati", "Milwaukee", "Chicago"], "corvette, cruiser, dreadnought");
    // Also where ships are added to a fleet, and after the next start.
    let mut bench = Bench::over(bench.folder);
    bench.give(Command::Library(LibraryCommand::Scan));
    bench.give(Command::OpenText { text: "ruleset = \"star-navy\"\nname = \"Empty\"\nside = \"\"\n".into() });
    bench.click("Add ships…");
    let names = ["choose Chicago", "choose Cincinnati", "choose Milwaukee"];
    assert_eq!(order(&bench, names), ["choose Cincinnati", "choose Milwaukee", "choose Chicago"]);
    let line = bench.harness.get_by_label_contains("choose Chicago");
    assert_eq!(line.accesskit_node().description().as_deref(), Some("dreadnought"));
}

#[test]
fn the_list_of_keys_has_room_for_its_longest_lines() {
    let mut bench = Bench::opened_in(&[VIGILANT], 1366.0, 768.0);
    bench.give(Command::OpenDialog(Dialog::Keys));
    let right = 1366.0 - bench.rect("Close").left();
    for keys in ["PgDn, PgUp", "F6, Shift+F6", "F10, Alt and a letter", "the digits, or + and −", "Space, Shift+↓"]
    {
        assert!(bench.rect(keys).right() < right, "{keys}: {:?}, {right}", bench.rect(keys));
    }
}
