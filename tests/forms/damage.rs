//! What a form that was filled in sets in its fleet's file, and what it does not touch.

use std::path::Path;
use std::process::Command;

use lopdf::{Document, Object, ObjectId};
use moldloft::filled_form;

use super::{fields, words};

/// Runs the program in a folder; gives its exit status and what it said.
pub fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let done =
        Command::new(env!("CARGO_BIN_EXE_moldloft")).args(arguments).current_dir(folder).output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (done.status.code().expect("an end"), text(done.stdout), text(done.stderr))
}

/// A file's form with some boxes ticked or not, as another program would save it.
#[allow(clippy::disallowed_methods, reason = "tests read and write files")]
pub fn tick(from: &Path, to: &Path, boxes: &[(&str, bool)]) {
    let mut document = Document::load(from).expect("a PDF");
    for field in fields(&document) {
        if let Some((_, ticked)) = boxes.iter().find(|(name, _)| *name == field.name) {
            let state = if *ticked { "Yes" } else { "Off" };
            let dict = document.get_dictionary_mut(field.id).expect("a field");
            dict.set("V", state);
            dict.set("AS", state);
        }
    }
    document.save(to).expect("saved");
}

pub const FLEET: &str = "# ours\nruleset = \"wars-of-honor\"\nname = \"First\"\n\n[[ship]] # the flagship\ndesign = \"Vigilant\"\nname = \"HMS Vigilant\"\n\n\
    [ship.damage]\nstructure = 3 # at the yard\n\n[[ship]]\ndesign = \"Petrel\"\nname = \"HMS Petrel\"\nhull_number = \"DD-12\"\ncount = 2\n";

#[test]
#[allow(clippy::disallowed_methods, reason = "tests read and write files")]
fn a_filled_form_sets_the_damage_of_its_fleet() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("first.toml"), FLEET).expect("written");
    let (status, said, wrong) = run(folder.path(), &["print", "first.toml", "--form", "-o", "form.pdf"]);
    assert_eq!((status, &*wrong), (0, ""), "{said}");

    // Damage is on the form already; nothing is written where nothing changed.
    let (status, said, _) = run(folder.path(), &["damage", "form.pdf"]);
    assert!(status == 0 && said.contains("HMS Vigilant (first): 3 of") && said.contains("structure: 1–3"), "{said}");
    let (status, said, _) = run(folder.path(), &["damage", "form.pdf", "first.toml"]);
    assert!(status == 0 && said.contains("no changes"), "{said}");
    assert_eq!(std::fs::read_to_string(at("first.toml")).expect("read"), FLEET);

    tick(
        &at("form.pdf"),
        &at("filled.pdf"),
        &[
            ("first.hms-vigilant.structure_2", false),
            ("first.hms-vigilant.laser_port_1", true),
            ("first.dd-13.structure_1", true),
            ("first.dd-13.structure_2", true),
        ],
    );
    let (status, said, wrong) = run(folder.path(), &["damage", "filled.pdf", "first.toml", "-o", "other.toml"]);
    assert_eq!((status, &*wrong), (0, ""), "{said}");
    assert_eq!(std::fs::read_to_string(at("first.toml")).expect("read"), FLEET, "with -o the fleet's own file stays");
    assert!(said.contains("HMS Vigilant: laser, port 1; structure 1, 3 (before: 1–3)"), "{said}");
    assert!(said.contains("HMS Petrel 2: structure 1–2"), "{said}");
    let other = std::fs::read_to_string(at("other.toml")).expect("read");
    assert!(
        other.starts_with("# ours\n") && other.contains("# the flagship") && other.contains("structure = \"1, 3\""),
        "{other}"
    );

    // What was written is printed, read and the same; the older form takes it back.
    let (status, ..) = run(folder.path(), &["print", "other.toml", "--form", "-o", "again.pdf"]);
    assert_eq!(status, 0);
    let before = filled_form::read(&std::fs::read(at("filled.pdf")).expect("read")).expect("a form");
    let again = filled_form::read(&std::fs::read(at("again.pdf")).expect("read")).expect("a form");
    assert_eq!((again.units, again.fleets, again.changed), (before.units, before.fleets, 0));
    let (status, said, _) = run(folder.path(), &["damage", "form.pdf", "other.toml"]);
    assert!(status == 0 && said.contains("HMS Petrel 2: structure none (before: 1–2)"), "{said}");
}

#[test]
#[allow(clippy::disallowed_methods, reason = "tests read and write files")]
fn a_form_that_was_not_read_is_not_said_to_agree() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("first.toml"), FLEET).expect("written");
    let form = "<xfdf xmlns=\"http://ns.adobe.com/xfdf/\"><fields><field name=\"first.hms-vigilant.hull_99\">\
                <value>Yes</value></field></fields></xfdf>";
    std::fs::write(folder.path().join("f.xfdf"), form).expect("written");
    let (status, said, wrong) = run(folder.path(), &["damage", "f.xfdf", "first.toml"]);
    assert!(status == 1 && wrong.contains("form-box-unknown") && !said.contains("agree"), "{said}{wrong}");
}

#[test]
#[allow(clippy::disallowed_methods, reason = "tests read and write files")]
fn what_fits_no_ship_is_named_and_the_rest_is_set() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let second = FLEET.replace("First", "Second").replace("DD-12", "DD-20");
    std::fs::write(at("first.toml"), FLEET).expect("written");
    std::fs::write(at("second.toml"), &second).expect("written");
    let (status, said, wrong) = run(folder.path(), &["print", "first.toml", "second.toml", "--form", "-o", "form.pdf"]);
    assert_eq!(status, 0, "{said}{wrong}");
    tick(
        &at("form.pdf"),
        &at("filled.pdf"),
        &[
            ("second.hms-vigilant.structure_9", true),
            ("first.hms-vigilant.structure_7", true),
            ("first.dd-12.structure_1", true),
            ("first.dd-12.laser_port_1", true),
        ],
    );
    // Renumbered, and of another class meanwhile: only this fleet's boxes, what still fits.
    let changed = FLEET.replace("DD-12", "DD-77").replace("design = \"Vigilant\"", "design = \"Petrel\"");
    std::fs::write(at("first.toml"), &changed).expect("written");
    let (status, said, wrong) = run(folder.path(), &["damage", "filled.pdf", "first.toml"]);
    assert_eq!(status, 1, "{said}{wrong}");
    assert!(said.contains("HMS Vigilant: structure 1–3, 7 (before: 1–3)"), "{said}");
    assert!(
        wrong.contains("form-ship-unknown") && wrong.contains("`dd-12`") && wrong.contains("skipped 2 ticked boxes"),
        "{wrong}"
    );
    assert!(std::fs::read_to_string(at("first.toml")).expect("read").contains("structure = \"1-3, 7\" # at the yard"));
    assert_eq!(std::fs::read_to_string(at("second.toml")).expect("read"), second);

    let third = second.replace("Second", "Third");
    std::fs::write(at("third.toml"), third).expect("written");
    let (status, _, wrong) = run(folder.path(), &["damage", "filled.pdf", "third.toml"]);
    assert!(status == 2 && wrong.contains("“First”, “Second”"), "{wrong}");
    let (status, _, wrong) = run(folder.path(), &["damage", "first.toml"]);
    assert!(status == 2 && wrong.contains("expected a PDF"), "{wrong}");
    let (status, _, wrong) = run(folder.path(), &["print", "first.toml", "--form", "-o", "form.svg"]);
    assert!(status == 2 && wrong.contains("form-needs-pdf"), "{wrong}");
}

#[test]
#[allow(clippy::disallowed_methods, reason = "tests read and write files")]
fn nothing_of_a_form_is_lost_or_misplaced_in_silence() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let of = |name: &str, ships: &str| format!("ruleset = \"wars-of-honor\"\nname = \"{name}\"\n{ships}");
    let petrel = "[[ship]]\ndesign = \"Petrel\"\n";
    std::fs::write(at("blue.toml"), of("Blue", &petrel.repeat(2))).expect("written");
    std::fs::write(at("red.toml"), of("Red", petrel)).expect("written");
    let (status, ..) = run(folder.path(), &["print", "blue.toml", "--form", "-o", "form.pdf"]);
    assert_eq!(status, 0);
    tick(&at("form.pdf"), &at("filled.pdf"), &[("blue.petrel.structure_1", true), ("blue.petrel.thrust_left_1", true)]);

    // A file cut short is refused whole.
    let bytes = std::fs::read(at("filled.pdf")).expect("read");
    std::fs::write(at("cut.pdf"), &bytes[..bytes.len() - 8]).expect("written");
    let (status, _, wrong) = run(folder.path(), &["damage", "cut.pdf", "blue.toml"]);
    assert!(status == 2 && wrong.contains("form-damaged"), "{status} {wrong}");
    // What is there already stays.
    let (status, _, wrong) = run(folder.path(), &["damage", "filled.pdf", "blue.toml", "-o", "filled.pdf"]);
    assert!(status == 2 && wrong.contains("file-exists"), "{status} {wrong}");
    assert_eq!(std::fs::read(at("filled.pdf")).expect("read"), bytes);
    // Another fleet's form is refused; ships that only their order distinguishes are named.
    let (status, _, wrong) = run(folder.path(), &["damage", "filled.pdf", "red.toml", "-o", "red-hit.toml"]);
    assert!(status == 2 && wrong.contains("form-of-other-fleets") && wrong.contains("0 of 2 ships"), "{wrong}");
    assert!(!at("red-hit.toml").exists());
    let (status, said, wrong) = run(folder.path(), &["damage", "filled.pdf", "blue.toml"]);
    assert!(status == 0 && wrong.contains("form-ships-alike") && said.contains("structure 1"), "{said}{wrong}");
    // A form of which nothing fits is an error.
    std::fs::write(at("blue.toml"), of("Blue", "[[ship]]\ndesign = \"Vigilant\"\n")).expect("written");
    let (status, said, wrong) = run(folder.path(), &["damage", "filled.pdf", "blue.toml"]);
    assert!(status == 1 && wrong.contains("no ships of Blue on the form"), "{said}{wrong}");
}

/// What a fleet's file says of damage, line by line.
#[allow(clippy::disallowed_methods, reason = "tests read files")]
pub fn damage_lines(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("read");
    let is_box = |line: &&str| ["structure", "strukture", "laser_port"].iter().any(|stem| line.starts_with(stem));
    text.lines().filter(is_box).map(str::to_owned).collect()
}

#[test]
#[allow(clippy::disallowed_methods, reason = "tests read and write files")]
fn a_form_sets_boxes_in_the_fleet_that_it_was_printed_from_and_in_no_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let ship = "[[ship]]\ndesign = \"Petrel\"\n";
    let of = |name: &str, side: &str, ships: &str| {
        format!("ruleset = \"wars-of-honor\"\nname = \"{name}\"\nside = \"{side}\"\n{ships}")
    };
    let long = "The first squadron of the home fleet, ";
    // Names whose words are equal: of other letters, equal in their first forty letters, equal but for signs, equal but for the side.
    for (case, (one, two)) in [
        (of("第一", "", ship), of("第二", "", ship)),
        (of(&format!("{long}division one"), "", ship), of(&format!("{long}division two"), "", ship)),
        (of("Patrol!", "", ship), of("Patrol?", "", ship)),
        (of("Patrol", "Manticore", ship), of("Patrol", "Haven", ship)),
        (of("Patrol", "", &format!("{ship}name = \"A\"\n")), of("Patrol", "", &format!("{ship}name = \"B\"\n"))),
    ]
    .into_iter()
    .enumerate()
    {
        std::fs::write(at("one.toml"), &one).expect("written");
        std::fs::write(at("two.toml"), &two).expect("written");
        for command in [&["pack", "--only", "sheets"][..], &["print"]] {
            let arguments = [command, &["one.toml", "two.toml", "--form", "-o", "form.pdf"]].concat();
            let (status, said, wrong) = run(folder.path(), &arguments);
            assert_eq!(status, 0, "{said}{wrong}");
            // The first fleet's first box, the second's second: each is found by its place, not by its name.
            let names: Vec<String> = fields(&Document::load(at("form.pdf")).expect("a PDF"))
                .into_iter()
                .map(|field| field.name)
                .filter(|name| name.ends_with(".structure_1"))
                .collect();
            assert_eq!(names.len(), 2, "{names:?}");
            let second = names[1].replace("structure_1", "structure_2");
            tick(&at("form.pdf"), &at("filled.pdf"), &[(&names[0], true), (&second, true)]);
            for (fleet, text, boxes) in [("one.toml", &one, "structure = 1"), ("two.toml", &two, "structure = \"2\"")] {
                let (status, said, wrong) = run(folder.path(), &["damage", "filled.pdf", fleet]);
                assert_eq!(status, 0, "{case} {fleet}: {said}{wrong}");
                assert_eq!(damage_lines(&at(fleet)), [boxes], "{case} {fleet}");
                std::fs::write(at(fleet), text).expect("written");
            }
        }
    }
    // Two that nothing tells apart are refused, and nothing is written.
    std::fs::write(at("two.toml"), of("Patrol", "", &format!("{ship}name = \"A\"\n"))).expect("written");
    std::fs::write(at("one.toml"), of("Patrol", "", &format!("{ship}name = \"A\"\n"))).expect("written");
    let (status, ..) =
        run(folder.path(), &["pack", "one.toml", "two.toml", "--only", "sheets", "--form", "-o", "form.pdf"]);
    assert_eq!(status, 0);
    let (status, _, wrong) = run(folder.path(), &["damage", "form.pdf", "one.toml"]);
    assert!(status == 2 && wrong.contains("form-ambiguous"), "{wrong}");
}

#[test]
#[allow(clippy::disallowed_methods, reason = "tests read and write files")]
fn a_fleet_that_changed_since_its_form_was_printed_is_known_by_its_ships() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let ship = |class: &str, name: &str| format!("[[ship]]\ndesign = \"{class}\"\nname = \"{name}\"\n");
    let of =
        |name: &str, ships: &[String]| format!("ruleset = \"wars-of-honor\"\nname = \"{name}\"\n{}", ships.concat());
    let (alpha, beta) = (ship("Petrel", "Alpha"), ship("Vigilant", "Beta"));
    std::fs::write(at("fleet.toml"), of("Home", &[alpha.clone(), beta.clone()])).expect("written");
    assert_eq!(run(folder.path(), &["print", "fleet.toml", "--form", "-o", "form.pdf"]).0, 0);
    tick(&at("form.pdf"), &at("filled.pdf"), &[("home.alpha.structure_1", true), ("home.beta.structure_2", true)]);
    // Renamed, in another order, a ship more: told, and set.
    std::fs::write(at("new.toml"), of("Abroad", &[ship("Petrel", "Gamma"), beta, alpha])).expect("written");
    let (status, said, wrong) = run(folder.path(), &["damage", "filled.pdf", "new.toml"]);
    assert!(status == 0 && wrong.contains("form-of-renamed-fleet") && wrong.contains("“Home”"), "{said}{wrong}");
    assert_eq!(damage_lines(&at("new.toml")), ["structure = \"2\"", "structure = 1"]);
    // Two that swapped their names are not mistaken for each other.
    let swapped = of("Home", &[ship("Vigilant", "Alpha"), ship("Petrel", "Beta")]);
    std::fs::write(at("fleet.toml"), &swapped).expect("written");
    let (status, said, wrong) = run(folder.path(), &["damage", "filled.pdf", "fleet.toml"]);
    assert!(status == 1 && wrong.matches("form-ships-swapped").count() == 2, "{said}{wrong}");
    assert_eq!(std::fs::read_to_string(at("fleet.toml")).expect("read"), swapped);
    // Names of other letters give no keys: ships in another order are known by them all the same.
    let (one, two) = (ship("Petrel", "一"), ship("Petrel", "二"));
    std::fs::write(at("fleet.toml"), of("Home", &[one.clone(), two.clone()])).expect("written");
    assert_eq!(run(folder.path(), &["print", "fleet.toml", "--form", "-o", "form.pdf"]).0, 0);
    tick(&at("form.pdf"), &at("filled.pdf"), &[("home.petrel.structure_1", true)]);
    std::fs::write(at("fleet.toml"), of("Home", &[two.clone(), one.clone()])).expect("written");
    let (status, said, wrong) = run(folder.path(), &["damage", "filled.pdf", "fleet.toml"]);
    assert!(status == 0 && said.contains("一: structure 1"), "{said}{wrong}");
    let text = std::fs::read_to_string(at("fleet.toml")).expect("read");
    assert!(text.ends_with(&format!("{two}{one}\n[ship.damage]\nstructure = 1\n")), "{text}");
}

#[test]
#[allow(clippy::disallowed_methods, reason = "tests read and write files")]
fn forms_of_an_older_program_are_read_where_they_are_clear() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let of = |name: &str| format!("ruleset = \"wars-of-honor\"\nname = \"{name}\"\n[[ship]]\ndesign = \"Petrel\"\n");
    // Without the field that says of what fleet it is, as it was printed before there was one.
    let old = |from: &str, to: &str| {
        let mut document = Document::load(at(from)).expect("a PDF");
        let ids: Vec<ObjectId> = document
            .objects
            .iter()
            .filter(|(_, object)| {
                object.as_dict().is_ok_and(|dict| dict.get(b"T").is_ok_and(|name| words(name) == "form_identity"))
            })
            .map(|(id, _)| *id)
            .collect();
        assert!(!ids.is_empty());
        for object in document.objects.values_mut() {
            if let Ok(dict) = object.as_dict_mut() {
                for key in [&b"Kids"[..], b"Annots"] {
                    if let Ok(list) = dict.get_mut(key).and_then(Object::as_array_mut) {
                        list.retain(|kid| kid.as_reference().map_or(true, |id| !ids.contains(&id)));
                    }
                }
            }
        }
        document.save(at(to)).expect("saved");
    };
    for (name, file) in [("第一", "one.toml"), ("第二", "two.toml")] {
        std::fs::write(at(file), of(name)).expect("written");
    }
    let pack = ["pack", "one.toml", "two.toml", "--only", "sheets", "--form", "-o", "form.pdf"];
    assert_eq!(run(folder.path(), &pack).0, 0);
    old("form.pdf", "old.pdf");
    tick(&at("old.pdf"), &at("filled.pdf"), &[("ship.petrel.structure_1", true), ("ship-2.petrel.structure_2", true)]);
    // A PDF says its fleets' whole names as the fields' titles.
    for (fleet, boxes) in [("one.toml", "structure = 1"), ("two.toml", "structure = \"2\"")] {
        let (status, said, wrong) = run(folder.path(), &["damage", "filled.pdf", fleet]);
        assert_eq!(status, 0, "{said}{wrong}");
        assert_eq!(damage_lines(&at(fleet)), [boxes]);
    }
    // Data exported from it does not.
    let field = |fleet: &str| {
        format!(
            "<field name=\"{fleet}\"><field name=\"petrel\"><field name=\"structure_3\"><value>Yes</value></field></field></field>"
        )
    };
    let data = |fields: &str| format!("<xfdf xmlns=\"http://ns.adobe.com/xfdf/\"><fields>{fields}</fields></xfdf>");
    std::fs::write(at("both.xfdf"), data(&format!("{}{}", field("ship"), field("ship-2")))).expect("written");
    std::fs::write(at("one.xfdf"), data(&field("ship"))).expect("written");
    std::fs::write(at("third.toml"), of("Third")).expect("written");
    std::fs::write(at("third.xfdf"), data(&field("third"))).expect("written");
    for form in ["both.xfdf", "one.xfdf"] {
        let (status, _, wrong) = run(folder.path(), &["damage", form, "two.toml"]);
        assert!(status == 2 && wrong.contains("form-of-other-fleets"), "{form}: {wrong}");
    }
    let (status, _, wrong) = run(folder.path(), &["damage", "third.xfdf", "third.toml"]);
    assert_eq!((status, damage_lines(&at("third.toml"))), (0, vec!["structure = \"3\"".to_owned()]), "{wrong}");
}

#[test]
#[allow(clippy::disallowed_methods, reason = "tests read and write files")]
fn lines_that_a_player_typed_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let typed = "[ship.damage]\nstrukture = 3 # typed\nstructure = \"1, 4000\"\nlaser_port = \"1-x\"\n";
    let text = format!("ruleset = \"wars-of-honor\"\nname = \"Home\"\n[[ship]]\ndesign = \"Vigilant\"\n{typed}");
    std::fs::write(at("fleet.toml"), &text).expect("written");
    run(folder.path(), &["print", "fleet.toml", "--form", "-o", "form.pdf"]);
    tick(&at("form.pdf"), &at("filled.pdf"), &[("home.vigilant.structure_3", true)]);
    let (status, said, wrong) = run(folder.path(), &["damage", "filled.pdf", "fleet.toml"]);
    assert_eq!(status, 0, "{said}{wrong}");
    let kept = ["strukture = 3 # typed", "structure = \"1, 3, 4000\"", "laser_port = \"1-x\""];
    assert_eq!(damage_lines(&at("fleet.toml")), kept);
    // The last tick that can be read goes, the others stay; what is replaced is named.
    tick(
        &at("form.pdf"),
        &at("filled.pdf"),
        &[("home.vigilant.structure_1", false), ("home.vigilant.laser_port_1", true)],
    );
    let (status, said, wrong) = run(folder.path(), &["damage", "filled.pdf", "fleet.toml"]);
    assert!(
        status == 0 && wrong.contains("laser_port = \"1-x\"") && wrong.contains("form-line-replaced"),
        "{said}{wrong}"
    );
    let kept = ["strukture = 3 # typed", "structure = \"4000\"", "laser_port = 1"];
    assert_eq!(damage_lines(&at("fleet.toml")), kept);
}

#[test]
#[allow(clippy::disallowed_methods, reason = "tests read and write files")]
fn ticks_of_other_programs_count_and_none_is_passed_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let fleet = "ruleset = \"wars-of-honor\"\nname = \"First\"\n[[ship]]\ndesign = \"Petrel\"\nhull_number = \"DD-1\"\n\
                 [[ship]]\ndesign = \"Petrel\"\nhull_number = \"DD-2\"\n";
    let identity = "{\"moldloft_form\":1,\"game\":\"wars-of-honor\",\"fleet\":\"First\",\"side\":\"\",\
                    \"ships\":{\"dd-1\":[\"Petrel\",\"Petrel\"],\"dd-2\":[\"Petrel\",\"Petrel\"]}}";
    let page = |root: &str, ship: &str, value: &str| {
        format!(
            "<field name=\"{root}\"><field name=\"form_identity\"><value>{}</value></field><field name=\"{ship}\">\
             <field name=\"structure_2\"><value>{value}</value></field></field></field>",
            identity.replace('"', "&quot;")
        )
    };
    let xfdf = |fields: &str| format!("<xfdf xmlns=\"http://ns.adobe.com/xfdf/\"><fields>{fields}</fields></xfdf>");
    let read = |name: &str, form: &str| {
        std::fs::write(at("first.toml"), fleet).expect("written");
        std::fs::write(at(name), form).expect("written");
        let (status, said, wrong) = run(folder.path(), &["damage", name, "first.toml"]);
        (status, said + &wrong, std::fs::read_to_string(at("first.toml")).expect("read"))
    };
    for value in ["1", "Yes", "On", "X", "true"] {
        let (status, said, now) = read("a.xfdf", &xfdf(&page("first", "dd-1", value)));
        assert!(status == 0 && now.contains("structure = \"2\""), "{value}: {said}{now}");
    }
    for value in ["0", "Off", ""] {
        let (status, said, now) = read("a.xfdf", &xfdf(&page("first", "dd-1", value)));
        assert!(status == 0 && said.contains("no changes") && now == fleet, "{value}: {said}{now}");
    }
    let fdf = "%FDF-1.2\n1 0 obj\n<</FDF<</Fields[<</T(first.dd-1.structure_2)/V(Yes)>>]>>>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n";
    let (status, said, now) = read("a.fdf", fdf);
    assert!(status == 0 && now.contains("structure = \"2\""), "{said}{now}");
    let (_, said, _) = run(folder.path(), &["damage", "a.fdf"]);
    assert!(said.contains("structure: 2"), "{said}");

    // Pages that another program joined have a root each; those of two forms contradict one another.
    let both = xfdf(&(page("first+1", "dd-1", "Yes") + &page("first+2", "dd-2", "Yes")));
    let (status, said, now) = read("b.xfdf", &both);
    assert!(status == 0 && now.matches("structure = \"2\"").count() == 2, "{said}{now}");
    let two = xfdf(&(page("first+1", "dd-1", "Yes") + &page("first+2", "dd-1", "Off")));
    let (status, said, now) = read("c.xfdf", &two);
    assert!(status == 2 && said.contains("form-ambiguous") && said.contains("two forms") && now == fleet, "{said}");

    // A tick without a fleet in its name is never "no changes".
    let lost = "<field name=\"dd-1\"><field name=\"structure_2\"><value>Yes</value></field></field>";
    let (status, said, now) = read("d.xfdf", &xfdf(&(page("first", "dd-1", "Off") + lost)));
    assert!(status == 1 && said.contains("`dd-1.structure_2`") && now == fleet, "{said}");
}
