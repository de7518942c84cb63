//! The short code of a fleet, what it covers, and the roster as a table.

use super::*;

#[test]
fn a_code_stands_for_what_counts_and_for_nothing_else() {
    let code = |text: &str| Fingerprint::of_fleet(&mustered(text)).expect("a code");
    let own = code(ESCORT);
    let (first, second) =
        ESCORT.split_once("[[ship]]").map(|(head, ships)| (head, ships.split_once("[[ship]]").unwrap())).unwrap();
    let turned = format!("{first}[[ship]]{}\n[[ship]]{}", second.1, second.0);
    for (what, text) in [
        ("comments", format!("# for Saturday\n{ESCORT}\n# that is all\n")),
        ("line ends", ESCORT.replace('\n', "\r\n")),
        ("the order of ships", turned),
        ("the fleet's name", ESCORT.replace("Escort of HM-17", "Escort")),
        ("who plays and commands", ESCORT.replace("Anna", "Bert").replace("Captain Aurelia Penhaligon", "Nobody")),
        ("notes", ESCORT.replace("Keep the freighters alive.", "")),
        ("how damage is written", ESCORT.replace("\"1-3, 5\"", "\"1, 2-2,3, 5\"")),
    ] {
        assert_eq!(code(&text), own, "{what}");
    }
    for (what, text) in [
        ("damage", ESCORT.replace("1-3, 5", "1-3, 6")),
        ("a name", ESCORT.replace("HMS Petrel", "HMS Petral")),
        ("a hull number", ESCORT.replace("DD-118", "DD-119")),
        ("a class", ESCORT.replace("design = \"Petrel\"", "design = \"Vigilant\"")),
        ("pods", ESCORT.replace("tow = [{ design = \"Quiver\", count = 1 }]\n", "")),
        ("the budget", ESCORT.replace("2400", "2401")),
        ("a group", ESCORT.replace("group = \"first\"\n", "")),
    ] {
        let other = code(&text);
        assert_eq!(own.compare(&other), FingerprintMatch::OtherFleet, "{what}");
        assert_ne!(own.to_string(), other.to_string(), "{what}");
    }
}

#[test]
fn verify_says_the_same_or_what_is_not() {
    if outside::lacks(&["pdftotext"]) {
        return;
    }
    let folder = folder(&[("escort.toml", ESCORT), ("raiders.toml", RAIDERS)]);
    run(folder.path(), &["pack", "escort.toml", "-o", "summary.pdf", "--only", "summary"]);
    let page = read_back(&folder.path().join("summary.pdf")).join(" ");
    let printed = Fingerprint::of_fleet(&mustered(ESCORT)).unwrap().to_string();
    assert!(page.contains(&printed), "{page}");
    let typed = printed.to_lowercase().replace('0', "O").replace('-', " ");
    let (status, said, _) = run(folder.path(), &["verify", &typed, "escort.toml"]);
    assert_eq!((status, said.as_str()), (0, "escort.toml: matches\n"));
    let (status, said, _) = run(folder.path(), &["verify", &printed, "escort.toml", "raiders.toml"]);
    assert!(status == 1 && said.contains("escort.toml: matches") && said.contains("raiders.toml: different"), "{said}");
    let (status, said, _) = run(folder.path(), &["verify", &printed, "escort.toml", "--set", "mu=cm"]);
    assert!(status == 1 && said.contains("layer or setting"), "{said}");
    let (status, _, _) = run(folder.path(), &["verify", &printed, "escort.toml", "--set", "chit_mm=15"]);
    assert_eq!(status, 0, "the size of chits is no rule");
    let (status, _, told) = run(folder.path(), &["verify", "K7QF", "escort.toml"]);
    assert!(status == 2 && told.contains("sixteen"), "{told}");
}

#[test]
fn the_roster_goes_to_spreadsheets_and_programs() {
    let wicked = ESCORT.replace("\"HMS Petrel\"", "\"=HYPERLINK(\\\"x\\\"),\\n\\\"Petrel\\\"\"");
    let fleets = vec![mustered(&wicked), mustered(PATROL)];
    let bytes = RosterFormat::Csv.write(&fleets).unwrap();
    let text = String::from_utf8(bytes.clone()).unwrap();
    assert!(text.contains("\r\n"));
    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    let heads: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let at = |name: &str| heads.iter().position(|head| head == name).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 6);
    assert_eq!(&rows[0][at("captain")], "Captain Aurelia Penhaligon");
    assert_eq!(&rows[1][at("towed_by")], "CA-301");
    assert_eq!(&rows[2][at("ship")], "'=HYPERLINK(\"x\"),\n\"Petrel\"");
    assert_eq!(&rows[2][at("notes")], "'-1 to every roll, says her captain");
    let points: i64 = rows.iter().map(|row| row[at("points")].parse::<i64>().unwrap()).sum();
    assert_eq!(points, fleets.iter().filter_map(|fleet| fleet.points).sum::<i64>());

    let json: serde_json::Value = serde_json::from_slice(&RosterFormat::Json.write(&fleets).unwrap()).unwrap();
    assert_eq!(json["schema"], 1);
    let fleet = &json["fleets"][0];
    assert_eq!(fleet["code"], Fingerprint::of_fleet(&fleets[0]).unwrap().to_string());
    assert_eq!(fleet["units"][0]["damage"]["structure"], "1-3, 5");
    assert_eq!(fleet["units"][1]["towed_by"], fleet["units"][0]["unit"]);
    assert_eq!(fleet["left"], 2400 - fleets[0].points.unwrap());

    let folder = folder(&[("escort.toml", ESCORT)]);
    for name in ["roster.csv", "roster.json"] {
        let (status, said, told) = run(folder.path(), &["pack", "escort.toml", "-o", name]);
        assert!(status == 0 && said.contains(name), "{told}");
        assert!(PathBuf::from(folder.path()).join(name).exists());
    }
}

/// What a workspace puts in the place of built-in rules and drawings is in the code; what it only holds is not.
#[test]
fn a_code_covers_what_a_workspace_prints() {
    let rules = built_in_source("rulesets/wars-of-honor.toml").unwrap().text.to_string();
    let sheet = built_in_source("templates/wars-of-honor/ship.svg").unwrap().text.to_string();
    let layer = "[ruleset]\nid = \"club\"\ntitle = \"Club\"\nversion = \"1\"\nschema = 1\nextends = \"wars-of-honor\"\n\
                 [change.system.laser]\npoints = 12\nreason = \"they win\"\n";
    let design =
        "ruleset = \"wars-of-honor\"\nname = \"Heron\"\nsilhouette = \"heron.svg\"\n[fields]\nnation = \"manticore\"\n";
    let outline = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 4 4\"><path d=\"M0 0 H4 V4 Z\"/></svg>";
    // The code, and how that of before compares.
    let code = |fleet: &str, files: &[(&str, &str)], before: Option<Fingerprint>| {
        let files: Vec<(&str, &str)> = files.iter().copied().chain([("f.toml", fleet)]).collect();
        let folder = folder(&files);
        let store = Store::open(Some(folder.path())).unwrap();
        let file = FileRef::on_disk(folder.path().join("f.toml"));
        let fleet = check_fleet(&Rulesets::without_settings(&store), &file.read().unwrap(), &file).unwrap();
        assert!(!fleet.units.is_empty(), "{:?}", fleet.skipped);
        let own = Fingerprint::of_fleet(&fleet).unwrap();
        (own, before.and_then(|code: Fingerprint| code.compare_fleet(&fleet)))
    };
    let fleet = "ruleset = \"wars-of-honor\"\n[[ship]]\ndesign = \"Vigilant\"\n";
    let (own, _) = code(fleet, &[], None);
    let headings = [
        ("id = \"f1\", label = \"1\"", "id = \"f1\", label = \"6\""),
        ("id = \"f6\", label = \"6\"", "id = \"f6\", label = \"1\""),
    ];
    assert!(headings.iter().all(|(old, _)| rules.contains(old)));
    let reversed = headings.iter().fold(rules.clone(), |text, (old, new)| text.replace(old, new));
    let letters = rules.replacen("abbr = \"α\"", "abbr = \"Ω\"", 1);
    assert!(reversed != rules && letters != rules);
    let forged = sheet.replace("{{ points }}", "{{ points - 300 }}");
    let path = "templates/wars-of-honor/ship.svg";
    for (what, files) in [
        ("a copy of the rules", vec![("rulesets/wars-of-honor.toml", &*rules)]),
        ("a copy of a template", vec![(path, &*sheet)]),
        ("a copy with other line ends", vec![(path, &*sheet.replace('\n', "\r\n"))]),
        ("a template of another game", vec![("templates/star-navy/ship.svg", outline)]),
        ("rules that are not used", vec![("rulesets/club.toml", layer), ("templates/club/ship.svg", outline)]),
    ] {
        assert_eq!(code(fleet, &files, None).0, own, "{what}");
    }
    for (what, expected, files) in [
        ("faces of dice", FingerprintMatch::OtherTexts, vec![("rulesets/wars-of-honor.toml", &*reversed)]),
        ("letters", FingerprintMatch::OtherTexts, vec![("rulesets/wars-of-honor.toml", &*letters)]),
        ("a template", FingerprintMatch::OtherTemplates, vec![(path, &*forged)]),
        ("a compact form", FingerprintMatch::OtherTemplates, vec![("templates/wars-of-honor/x-compact.svg", outline)]),
        ("an icon of all games", FingerprintMatch::OtherTemplates, vec![("templates/icons/laser.svg", outline)]),
        ("a roster", FingerprintMatch::OtherTemplates, vec![("templates/fleet/roster.svg", outline)]),
    ] {
        let (other, found) = code(fleet, &files, Some(own));
        assert_ne!(other, own, "{what}");
        assert_eq!(found, Some(expected), "{what}");
    }
    // Comments and layout of house rules do not count, their texts do; the outline of a ship counts.
    let of_club = fleet.replace("wars-of-honor", "club");
    let club = |text: &str| code(&of_club, &[("rulesets/club.toml", text)], None).0;
    let turned = layer.replace("points = 12\nreason = \"they win\"", "# changed\nreason   = 'they win'\npoints = 12");
    assert_eq!(club(layer), club(&turned));
    assert_ne!(club(layer), club(&layer.replace("they win", "they lose")));
    let of_heron = fleet.replace("Vigilant", "Heron");
    let drawn = |outline: &str| code(&of_heron, &[("heron.toml", design), ("heron.svg", outline)], None).0;
    assert_ne!(drawn(outline), drawn(&outline.replace("H4", "H3")));
}
