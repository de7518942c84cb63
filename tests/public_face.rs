//! What other programs use: designs made and changed, values read, odds and suggestions asked for, pages for each format.

use moldloft::{
    ExportOptions, FileFormat, NoValue, OddsRequest, PackOptions, PackPart, PrintOptions, Sense, ShipDesign,
    SpendLimit, SuggestQuestion, SuggestRequest, VaryWord, Workspace,
};

fn petrel() -> (Workspace, ShipDesign) {
    let workspace = Workspace::built_in();
    let design = workspace.design("wars-of-honor/petrel").unwrap();
    (workspace, design)
}

#[test]
fn an_edit_changes_its_lines_alone_or_nothing() {
    let (workspace, mut design) = petrel();
    let before = design.to_toml().to_owned();
    let lasers = design.fits().position(|fit| fit.system == "laser" && fit.mount == Some("port")).unwrap();
    let index = u32::try_from(lasers).unwrap();
    design.set_fit(index, "count", 3).unwrap().set_name("Storm Petrel").unwrap();
    assert_eq!(design.to_toml().replace("Storm Petrel", "Petrel").replacen("count = 3", "count = 2", 1), before);
    assert_eq!(workspace.check(&design).unwrap().class(), "Storm Petrel");

    let changed = design.to_toml().to_owned();
    let error = design.remove_fit(99).unwrap_err();
    assert_eq!((error.code(), design.to_toml()), ("cannot-edit", &*changed));
    design.set_fit(index, "count", 2).unwrap().set_name("Petrel").unwrap();
    assert_eq!(design.to_toml(), before);

    let fits = design.fits().count();
    design.add_fit("laser", "forward", 1).unwrap().remove_fit(u32::try_from(fits).unwrap()).unwrap();
    assert_eq!(design.fits().count(), fits);
}

#[test]
fn a_new_design_has_what_it_is_given() {
    let workspace = Workspace::built_in();
    let mut design = workspace.new_design("wars-of-honor", "Gull \"two\"").unwrap();
    for (field, value) in [("nation", "manticore"), ("unit", "starship"), ("type", "destroyer")] {
        design.set_field(field, value).unwrap();
    }
    design.add_fit_with("missile-magazine", "core", 1, &[("laser_heads", 20.into())]).unwrap();
    design
        .add_system("big-laser", "laser", &[("name", "big laser".into())])
        .unwrap()
        .add_fit("big-laser", "port", 2)
        .unwrap();
    let again = ShipDesign::from_toml("gull.toml", design.to_toml()).unwrap();
    let ship = workspace.check(&again).unwrap();
    assert_eq!(ship.class(), "Gull \"two\"");
    assert_eq!(ship.fields().iter().find(|field| &*field.id == "type").unwrap().value.shown().unwrap(), "destroyer");
    let systems: Vec<(&str, u32)> = ship.fits().iter().map(|fit| (&*fit.system, fit.count)).collect();
    assert_eq!(systems, [("missile-magazine", 1), ("big-laser", 2)]);
    assert_eq!(ship.design().to_toml(), design.to_toml());
    // Both descriptions of what else is possible name a system and a field.
    let (text, schema) = (workspace.commented_design("wars-of-honor", "x"), workspace.design_schema("wars-of-honor"));
    assert!(
        [text.unwrap(), schema.unwrap()].iter().all(|all| all.contains("missile-launcher") && all.contains("nation"))
    );
}

#[test]
fn a_missing_number_says_why() {
    let (workspace, mut design) = petrel();
    let ship = workspace.check(&design).unwrap();
    assert!(ship.number("structure").unwrap() > 0);
    let near = Some("structure".to_owned());
    assert_eq!(ship.number("structur"), Err(NoValue::Unknown { id: "structur".into(), nearest: near }));
    assert!(matches!(ship.number("type"), Err(NoValue::NotANumber { found: "text", .. })));
    design.set_field("type", "raft").unwrap().set_field("nation", "atlantis").unwrap();
    let wrong = workspace.check(&design).unwrap();
    assert_eq!(wrong.number("structure"), Err(NoValue::NotComputable { id: "structure".into() }));
    assert!(!wrong.is_legal());
    let error = moldloft::Error::from(ship.number("strctr").unwrap_err());
    assert_eq!(error.code(), "unknown-value");
}

#[test]
fn boxes_and_their_ticks_are_those_of_the_sheet() {
    let workspace = Workspace::built_in();
    let fleet = workspace.check_fleet(&workspace.fleet("wars-of-honor/fleets/convoy-escort").unwrap());
    let all: Vec<_> = fleet.ships().iter().flat_map(|ship| ship.boxes()).collect();
    assert!(all.iter().all(|group| group.ticked <= group.boxes && group.boxes > 0));
    let ships = fleet.ships();
    for ship in &ships {
        let boxes = ship.boxes();
        for track in ship.tracks().iter().filter(|track| track.boxes() > 0) {
            assert!(boxes.iter().any(|group| group.name == *track.id && group.boxes >= track.boxes()), "{}", track.id);
        }
    }
}

#[test]
fn a_suggestion_is_applied_to_the_design_it_was_made_for() {
    let (workspace, mut design) = petrel();
    let ship = workspace.check(&design).unwrap();
    let budget = SuggestRequest::Spend(SpendLimit::points(ship.points().unwrap() + 60));
    let bought = ship.suggest(&budget, &SuggestQuestion::default()).unwrap();
    let first = bought.proposals().next().unwrap();
    assert!(!first.changes().is_empty() && first.title().contains("more"), "{}", first.title());
    design.apply(first.edits()).unwrap();
    assert_eq!(workspace.check(&design).unwrap().points(), first.ship().points());

    // A figure of odds is against another ship.
    let target = workspace.check(&workspace.design("wars-of-honor/vigilant").unwrap()).unwrap();
    let question = SuggestQuestion::default()
        .objective(Some((Sense::Maximise, "odds.all".to_owned())))
        .vary(vec![VaryWord { word: "laser@forward".to_owned(), window: Some((0, 2)) }]);
    let against = ship.suggest_against(&SuggestRequest::Best, &question, &target, &["range=10".to_owned()]).unwrap();
    assert!(against.notes().any(|note| note.contains("against Vigilant")), "{:?}", against.notes().collect::<Vec<_>>());
    // What cannot be asked has no flag of the command line in it.
    let error = ship.suggest(&SuggestRequest::Best, &question.clone().vary(Vec::new())).unwrap_err();
    assert_eq!(error.code(), "nothing-to-vary");
    assert!(!error.to_string().contains("--"), "{error}");
}

#[test]
fn odds_have_figures_rows_and_texts() {
    let (workspace, design) = petrel();
    let ship = workspace.check(&design).unwrap();
    let request = OddsRequest::default().situation(vec!["range=10".to_owned()]);
    let odds = ship.odds(&ship, &request).unwrap();
    let figures = odds.figures().unwrap();
    assert!(figures.mean > 0.0 && (0.0..=1.0).contains(&figures.nothing));
    assert_eq!(odds.rows().last().unwrap().title, "all that bears");
    assert!(odds.to_text().contains("Petrel") && odds.to_json().starts_with('{') && odds.findings().is_empty());
    assert!(odds.claim().starts_with("Exact") && odds.not_counted().all(|words| odds.to_text().contains(words)));
    let error = ship.odds(&ship, &OddsRequest::default().situation(vec!["rnge=10".to_owned()])).unwrap_err();
    assert_eq!(error.code(), "unknown-situation");
}

#[test]
fn a_pack_is_laid_out_for_its_format() {
    let workspace = Workspace::built_in();
    let fleet = workspace.check_fleet(&workspace.fleet("star-navy/fleets/red-line").unwrap());
    let options = PackOptions::default().parts([PackPart::Roster, PackPart::Chits].into());
    let pages = |format| workspace.print_pack(std::slice::from_ref(&fleet), &options, format).unwrap();
    let (paper, pictures) = (pages(FileFormat::Pdf), pages(FileFormat::Png));
    assert!(paper.len() > pictures.len(), "{} and {}: blank backs", paper.len(), pictures.len());
    assert_eq!(pictures.to_svg(&ExportOptions::default()).unwrap().len(), pictures.len());
    let refused = workspace.print(&fleet.ships(), &PrintOptions::default().copies(0)).err().unwrap();
    assert_eq!(refused.code(), "wrong-argument");
}
