//! What single pages of a pack say: references, summaries, battle pages, maps.

use super::*;

#[test]
fn arcs_and_courses_come_after_the_map() {
    if outside::lacks(&["pdftotext"]) {
        return;
    }
    let folder = folder(&[("patrol.toml", PATROL)]);
    let arguments =
        ["pack", "patrol.toml", "-o", "pack.pdf", "--maps", "hex:25", "--arcs", "60,120", "--courses", "12"];
    let (status, said, told) = run(folder.path(), &arguments);
    assert_eq!((status, told.as_str()), (0, ""), "{said}");
    let pages = read_back(&folder.path().join("pack.pdf"));
    let map = pages.iter().position(|page| page.contains("hexes of 25 mm")).expect("a map");
    assert!(map + 1 < pages.len() && pages[map + 1..].concat().contains("120°"), "{}", pages[map + 1..].concat());
    let (status, _, told) =
        run(folder.path(), &["pack", "patrol.toml", "-o", "pack.pdf", "--arcs", "60", "--radius", "300"]);
    assert!(status == 1 && told.contains("paper-too-small"), "{told}");
}

#[test]
fn summaries_list_the_settings_that_change_rules() {
    if outside::lacks(&["pdftotext"]) {
        return;
    }
    for (game, shown, hidden) in [
        ("sky-full-of-ships/fleets/colm-relief", "battery strength per mass", "side of a counter"),
        ("star-navy/fleets/blue-line", "width of a map hex", "status marker"),
    ] {
        let path = format!("{}/designs/{game}.toml", env!("CARGO_MANIFEST_DIR"));
        let folder = folder(&[]);
        let (status, said, told) = run(folder.path(), &["pack", &path, "--only", "summary", "-o", "summary.pdf"]);
        assert_eq!((status, told.as_str()), (0, ""), "{said}");
        let page = read_back(&folder.path().join("summary.pdf")).concat();
        assert!(page.contains(shown) && !page.contains(hidden), "{game}: {page}");
    }
}

#[test]
fn reference_sheets_need_no_place_for_a_code() {
    let order = order().print(order().print.qr(true));
    assert!(!packed(&[PATROL], &order).scene.pages.is_empty(), "no finding");
}

#[test]
fn a_name_of_two_lines_needs_no_further_page() {
    let long = PATROL.replace("name = \"Lantern\"", "name = \"Lantern over the Northern Marches\"");
    let sheets = order().parts(BTreeSet::from([PackPart::Sheets]));
    let pages = |text: &str| packed(&[text], &sheets).scene.pages.len();
    assert_eq!(pages(&long), pages(PATROL));
}

#[test]
fn a_line_that_is_cut_is_printed_in_full_on_the_same_page() {
    let captain =
        "Commander Idris Vaughan-Featherstonehaugh of the Second Battlecruiser Squadron, commodore of the escort";
    let long =
        ESCORT.replace("hull_number = \"DD-118\"", &format!("hull_number = \"DD-118\"\ncaptain = \"{captain}\""));
    let sheets = order().parts(BTreeSet::from([PackPart::Sheets]));
    let (plain, cut) = (packed(&[ESCORT], &sheets), packed(&[&long], &sheets));
    assert_eq!(plain.scene.pages.len(), cut.scene.pages.len());
    let pages: Vec<Vec<String>> = cut.scene.pages.iter().map(words).collect();
    let page = pages.iter().position(|page| page.iter().any(|word| word == "DD-118")).expect("her sheet");
    let first = &pages[page];
    assert!(first.iter().any(|word| word.ends_with('…')), "{first:?}");
    let start = first.iter().position(|word| word == "IN FULL").expect("a heading");
    assert!(first[start..].join(" ").contains("commodore of the escort"), "{first:?}");
    // The back is the one that she has without it.
    assert_eq!(words(&plain.scene.pages[page + 1]), pages[page + 1]);
}

#[test]
fn what_a_layer_adds_to_the_tables_of_nations_is_on_the_reference_sheet_and_a_column_that_it_removes_goes() {
    if outside::lacks(&["pdftotext"]) {
        return;
    }
    let folder = folder(&[]);
    fs::create_dir(folder.path().join("rulesets")).unwrap();
    let of = |changes: &str| {
        let head = "[ruleset]\nid = \"house\"\ntitle = \"House\"\nversion = \"1\"\nschema = 1\nextends = \"wars-of-honor\"\nextends_version = \"1.0.0\"\n";
        fs::write(folder.path().join("rulesets/house.toml"), format!("{head}{changes}")).unwrap();
        let (status, said, told) = run(folder.path(), &["reference", "house", "-o", "reference.pdf", "--force"]);
        assert_eq!(status, 0, "{said}{told}");
        let page = read_back(&folder.path().join("reference.pdf")).concat();
        page.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let plain = of("[change.table.missiles.rows.\"haven laser-head\"]\ndefence = 9\n");
    assert!(
        plain.contains("Republic of Haven 10 3 +9 3D6 +1 2D6 +3 35 +2 6") && !plain.contains("MISSILE DATA"),
        "{plain}"
    );
    let decoy = of("[change.table.missiles]\nadd.rows = [[\"haven\", \"decoy\", 7, 5, 4, \"1D6\"]]\n");
    assert!(decoy.contains("MISSILE DATA") && decoy.contains("decoy 7 +5 4 1D6"), "{decoy}");
    let diceless = of("[change.table.missiles.columns]\ndice = { remove = true }\n");
    assert!(diceless.contains("Republic of Haven 10 3 +3 +1 +3 35 +2 6"), "{diceless}");
}

/// Two destroyers with two flights each.
const NARN: &str = r#"ruleset = "b5-house-rules"
name = "Two of them"

[[ship]]
design = "Var'Nic"
name = "Na'Tesh"
hull_number = "N1"
count = 2
"#;

#[test]
fn a_list_of_both_sides_that_fits_a_page_is_not_split_for_the_phases() {
    if outside::lacks(&["pdftotext"]) {
        return;
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("designs/b5-house-rules/fleets");
    let folder = tempfile::tempdir().unwrap();
    let pdf = folder.path().join("battle.pdf");
    let arguments =
        ["pack", "narn-strike.toml", "station-watch.toml", "--only", "battle", "--paper", "a5", "--large-print", "-o"];
    let (status, said, errors) = run(&here, &[&arguments[..], &[pdf.to_str().unwrap()]].concat());
    assert_eq!(status, 0, "{said}{errors}");
    let mut pages = read_back(&pdf);
    pages.retain(|page| !page.trim().is_empty());
    let first = &pages[0];
    assert!(first.contains("PHASES OF A TURN") && first.contains("NOTES") && !first.contains("Frazi"), "{first}");
    for page in &pages[1..] {
        let has_all = ["Na'Tesh 1", "Torvald Deep", "began firing"].iter().all(|words| page.contains(words));
        assert!(has_all, "{page}");
    }
    assert!(pages.iter().any(|page| page.contains("turn 6")), "six turns");
}

#[test]
fn what_acts_by_itself_has_a_line_with_its_counters_number() {
    let order = order().parts(BTreeSet::from([PackPart::Battle]));
    let battle = packed(&[NARN], &order);
    assert_eq!(battle.scene.pages.len(), 1);
    let words = words(&battle.scene.pages[0]);
    let from = words.iter().position(|word| word == "N1 Na'Tesh 1").expect("the first ship");
    let is_after = |word: &String| ["TWO OF THEM", "NOTES", "began firing"].contains(&word.as_str());
    let to = words[from..].iter().position(is_after).expect("a heading");
    let lines: Vec<&str> = words[from..from + to].iter().map(String::as_str).collect();
    let flight = "Frazi · d20 +9";
    let ship = |name| [name, "Var'Nic · d20 +2", "525"];
    let wanted: Vec<&str> =
        [&ship("N1 Na'Tesh 1")[..], &["1", flight, "2", flight], &ship("N2 Na'Tesh 2"), &["3", flight, "4", flight]]
            .concat();
    assert_eq!(lines, wanted, "two ships and four flights");
}
