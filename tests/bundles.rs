//! Bundles: what is packed comes out the same, a stranger's can do no harm, nothing of the player's own is replaced or hidden,
//! and what differs from what the sender saw is reported.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;
use std::process::Command;

use moldloft::exchange::bundle::{
    BundleFile, BundleInput, BundlePlan, FileAction, MANIFEST_FILE, SharedBundle, bundle_of_text, gather_bundle,
    is_bundle_text, plan_files, read_bundle, review_bundle, review_bundle_for, text_of_bundle, write_bundle,
};
use moldloft::export::{ExportOptions, format_for};
use moldloft::library::{Fingerprint, Rulesets, check_fleet};
use moldloft::print::{PackOptions, print_fleets};
use moldloft::progress::Progress;
use moldloft::store::{FileRef, MemoryFolder, Store, built_in_names, make_folder, save};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const LAYER: &str = "[ruleset]\nid = \"club\"\ntitle = \"Club\"\nversion = \"1.0\"\nschema = 1\nextends = \"wars-of-honor\"\n\
                     [change.system.laser]\npoints = 12\nreason = \"they win\"\n";
const CLASS: &str = "# mine\nruleset = \"club\"\nname = \"Kestrel\"\nsilhouette = \"kestrel.svg\"\n[fields]\nnation = \"manticore\"\n\
                     [[fit]]\nsystem = \"laser\"\nmount = \"port\"\ncount = 2\n";
const FLEET: &str = "ruleset = \"club\"\nname = \"Sixth\"\n[[ship]]\ndesign = \"Kestrel\"\nname = \"One\"\n\
                     [[ship]]\ndesign = \"../kestrel.toml\"\nname = \"Two\"\n[[ship]]\ndesign = \"Petrel\"\n";
const OUTLINE: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 4 4\"><path d=\"M0 0 H4 V4 Z\"/></svg>";

fn put(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

fn workspace() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    put(
        folder.path(),
        &[
            ("rulesets/club.toml", LAYER),
            ("rulesets/other.toml", LAYER),
            ("templates/club/icons/bird.svg", OUTLINE),
            ("templates/other/icons/bird.svg", OUTLINE),
            ("designs/club/kestrel.toml", CLASS),
            ("designs/club/kestrel.svg", OUTLINE),
            ("designs/club/not-needed.toml", CLASS),
            ("designs/club/fleets/sixth.toml", FLEET),
        ],
    );
    folder
}

fn packed(folder: &Path, inputs: &[BundleInput]) -> SharedBundle {
    let rulesets = Rulesets::without_settings(&Store::open(Some(folder)).unwrap());
    let (bundle, findings) = gather_bundle(&rulesets, inputs).unwrap();
    assert!(findings.is_empty(), "{findings:?}");
    bundle
}

fn fleet_bundle(folder: &Path) -> SharedBundle {
    packed(folder, &[BundleInput::File(FileRef::on_disk(folder.join("designs/club/fleets/sixth.toml")))])
}

fn names(bundle: &SharedBundle) -> Vec<&str> {
    bundle.files.iter().map(|file| file.path.as_str()).collect()
}

#[test]
fn a_fleet_comes_with_all_that_it_needs_and_out_the_same() {
    let folder = workspace();
    let bundle = fleet_bundle(folder.path());
    let expected = [
        "designs/club/fleets/sixth.toml",
        "designs/club/kestrel.svg",
        "designs/club/kestrel.toml",
        "rulesets/club.toml",
        "templates/club/icons/bird.svg",
    ];
    assert_eq!(names(&bundle), expected);
    assert_eq!(bundle.files[0].bytes, FLEET.as_bytes(), "in its place, nothing is changed");
    let results: BTreeMap<&str, Option<i64>> =
        bundle.manifest.results.iter().map(|seen| (&*seen.name, seen.points)).collect();
    assert_eq!(results.keys().copied().collect::<Vec<_>>(), ["Kestrel", "Petrel", "Sixth"]);
    // The built-in class costs more by the fleet's rules than by its own.
    assert!(results["Sixth"] > Some(results["Kestrel"].unwrap() * 2 + results["Petrel"].unwrap()), "{results:?}");

    let bytes = write_bundle(&bundle).unwrap();
    assert_eq!(write_bundle(&fleet_bundle(folder.path())).unwrap(), bytes, "the same bytes every time");
    let read = read_bundle(&bytes).unwrap();
    assert_eq!(read, bundle);
    let review = review_bundle(&read);
    assert!(!review.differs() && review.findings.is_empty(), "{review:#?}");
    assert!(review.entries.iter().all(|entry| entry.findings.is_empty()), "{review:#?}");

    let target = folder.path().join("elsewhere/new");
    let plan = plan_files(&read, &review, &target);
    assert_eq!((plan.write(&target).unwrap().written, plan.count()), (5, 5));
    for file in &bundle.files {
        assert_eq!(fs::read(target.join(&file.path)).unwrap(), file.bytes, "{}", file.path);
    }
    let again = plan_files(&read, &review, &target);
    assert!(again.files.iter().all(|file| file.action == FileAction::Present) && again.count() == 0);
}

#[test]
fn a_text_for_a_chat_holds_the_same() {
    let folder = workspace();
    let bundle = fleet_bundle(folder.path());
    let text = text_of_bundle(&bundle).unwrap();
    assert!(text.lines().all(|line| line.len() <= 64) && text.len() < 5_000, "{}", text.len());
    assert!(is_bundle_text(&text) && !is_bundle_text("MOLDLOFT1:ABC") && !is_bundle_text("3 x Tern"));
    assert_eq!(bundle_of_text(&text).unwrap(), bundle);
    let quoted = format!("```\n> {}\n```", text.trim_end().replace('\n', " \r\n> ").to_lowercase());
    assert_eq!(bundle_of_text(&quoted).unwrap(), bundle);
    for place in (12..text.len()).step_by(7).filter(|place| text.as_bytes()[*place] != b'\n') {
        let mut spoilt = text.clone().into_bytes();
        spoilt[place] = if spoilt[place] == b'7' { b'8' } else { b'7' };
        assert!(bundle_of_text(&String::from_utf8(spoilt).unwrap()).is_err(), "{place}");
        assert!(bundle_of_text(&text[..place]).is_err(), "{place}");
    }
    for text in ["", "MOLDLOFTB1:", "MOLDLOFTB2:ABC", "MOLDLOFTB1:::::::"] {
        assert!(bundle_of_text(text).is_err(), "{text}");
    }
}

#[test]
fn files_outside_a_workspace_find_each_other() {
    let folder = tempfile::tempdir().unwrap();
    put(
        folder.path(),
        &[
            (
                "mine/kestrel.toml",
                &CLASS.replace("club", "wars-of-honor").replace("silhouette = \"kestrel.svg\"\n", ""),
            ),
            ("mine/Sixth Fleet.toml", &FLEET.replace("club", "wars-of-honor").replace("../", "")),
        ],
    );
    let fleet = FileRef::on_disk(folder.path().join("mine/Sixth Fleet.toml"));
    let rulesets = Rulesets::without_settings(&Store::built_in());
    let (bundle, findings) = gather_bundle(&rulesets, &[BundleInput::File(fleet)]).unwrap();
    assert!(findings.is_empty(), "{findings:?}");
    assert_eq!(names(&bundle), ["designs/wars-of-honor/fleets/sixth-fleet.toml", "designs/wars-of-honor/kestrel.toml"]);
    let text = String::from_utf8(bundle.files[0].bytes.clone()).unwrap();
    assert_eq!(text.matches("design = \"../kestrel.toml\"").count(), 2, "{text}");
    let review = review_bundle(&bundle);
    assert!(!review.differs(), "{review:#?}");
}

#[test]
fn a_ruleset_comes_with_its_templates_and_what_is_built_in_stays_at_home() {
    let folder = workspace();
    let bundle = packed(folder.path(), &[BundleInput::Ruleset("club".into())]);
    assert_eq!(names(&bundle), ["rulesets/club.toml", "templates/club/icons/bird.svg"]);
    let rulesets = Rulesets::without_settings(&Store::built_in());
    let refused = gather_bundle(&rulesets, &[BundleInput::Ruleset("wars-of-honor".into())]).unwrap_err();
    assert_eq!(refused.code, "nothing-to-bundle");
}

#[test]
fn what_differs_from_what_the_sender_saw_is_reported() {
    let folder = workspace();
    let mut bundle = fleet_bundle(folder.path());
    for seen in &mut bundle.manifest.results {
        seen.points = seen.points.map(|points| points + 1);
        seen.legal = !seen.legal;
    }
    bundle.manifest.rulesets[0].version = "0.9".into();
    let review = review_bundle(&bundle);
    let kestrel = review.entries.iter().find(|entry| entry.path.ends_with("kestrel.toml")).unwrap();
    let points = kestrel.result.as_ref().unwrap().points.unwrap();
    assert!(kestrel.differences.contains(&format!("points {} there, {points} here", points + 1)), "{kestrel:?}");
    assert_eq!(review.ruleset_differences, ["club: version 0.9 there, 1.0 here"]);
    let built_in = review.entries.last().unwrap();
    assert!(!built_in.is_in_bundle && built_in.differences.len() == 2, "{built_in:?}");
    // A layer that was changed on the way changes what is seen.
    let mut bundle = fleet_bundle(folder.path());
    let layer = bundle.files.iter_mut().find(|file| file.path == "rulesets/club.toml").unwrap();
    layer.bytes = LAYER.replace("points = 12", "points = 99").into_bytes();
    let review = review_bundle(&bundle);
    assert!(
        review.differs() && review.ruleset_differences == ["club: another text of version 1.0 there"],
        "{review:#?}"
    );
}

#[test]
fn nothing_of_the_players_own_is_replaced_or_hidden() {
    let sender = workspace();
    put(sender.path(), &[("rulesets/wars-of-honor.toml", "[ruleset]\nid = \"wars-of-honor\"\n")]);
    let mut bundle = fleet_bundle(workspace().path());
    let evil = moldloft::exchange::bundle::BundleFile {
        path: "rulesets/wars-of-honor.toml".into(),
        bytes: b"[ruleset]\nid = \"wars-of-honor\"\n".to_vec(),
    };
    bundle.files.push(evil);
    let mine = workspace();
    let own = CLASS.replace("# mine", "# quite another");
    put(mine.path(), &[("designs/club/kestrel.toml", &own), ("rulesets/club.toml", &format!("{LAYER}# other\n"))]);
    bundle.files.iter_mut().find(|file| file.path.ends_with("kestrel.svg")).unwrap().bytes.push(b'\n');
    let review = review_bundle(&bundle);
    let plan = plan_files(&bundle, &review, mine.path());
    let action = |path: &str| plan.files.iter().find(|file| file.path == path).unwrap().action.clone();
    // It goes with its design.
    assert_eq!(action("designs/club/kestrel.svg"), FileAction::Renamed("designs/club/shared/kestrel.svg".into()));
    assert_eq!(action("designs/club/fleets/sixth.toml"), FileAction::Present);
    assert!(matches!(action("rulesets/club.toml"), FileAction::Refused(why) if why.contains("file of yours")));
    assert!(matches!(action("rulesets/wars-of-honor.toml"), FileAction::Refused(why) if why.contains("built-in file")));
    // It has the name of another class, so it goes where only a path finds it.
    let kestrel = action("designs/club/kestrel.toml");
    plan.write(mine.path()).unwrap();
    assert_eq!(fs::read_to_string(mine.path().join("designs/club/kestrel.toml")).unwrap(), own);
    assert!(!mine.path().join("rulesets/wars-of-honor.toml").exists());
    if let FileAction::Renamed(to) = kestrel {
        let text = fs::read_to_string(mine.path().join(to)).unwrap();
        assert!(text.contains("# mine"), "{text}");
    }
}

#[test]
fn a_renamed_design_is_still_that_of_its_fleet() {
    let bundle = fleet_bundle(workspace().path());
    let mine = tempfile::tempdir().unwrap();
    put(
        mine.path(),
        &[
            ("rulesets/club.toml", LAYER),
            (
                "designs/club/kestrel.toml",
                &CLASS.replace("count = 2", "count = 5").replace("silhouette = \"kestrel.svg\"\n", ""),
            ),
        ],
    );
    let review = review_bundle(&bundle);
    let plan = plan_files(&bundle, &review, mine.path());
    plan.write(mine.path()).unwrap();
    let kestrel = plan.files.iter().find(|file| file.path.ends_with("kestrel.toml")).unwrap();
    assert_eq!(kestrel.action, FileAction::Renamed("designs/club/shared/kestrel.toml".into()));
    let fleet = fs::read_to_string(mine.path().join("designs/club/fleets/sixth.toml")).unwrap();
    assert_eq!(fleet.matches("design = \"../shared/kestrel.toml\"").count(), 2, "{fleet}");
    assert!(fleet.contains("design = \"Petrel\""));
    // A fleet of one's own that names the class still finds one's own.
    let rulesets = Rulesets::without_settings(&Store::open(Some(mine.path())).unwrap());
    let path = mine.path().join("designs/club/fleets/own.toml");
    let text = "ruleset = \"club\"\nname = \"Own\"\n[[ship]]\ndesign = \"Kestrel\"\n";
    fs::write(&path, text).unwrap();
    let fleet = moldloft::design::fleet::Fleet::read(&moldloft::source::Source::new("own.toml", text)).unwrap();
    let fleet = moldloft::library::evaluate_fleet(&rulesets, fleet, &FileRef::on_disk(path), None);
    assert_eq!(fleet.units[0].evaluation.fits[0].count, 5);
}

/// A zip of these entries, as anyone can make it.
fn zip_of(entries: &[(&str, &[u8])], options: SimpleFileOptions) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(*name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

const MANIFEST: &[u8] = b"{\"format\": \"moldloft-bundle\", \"version\": 1}";

#[test]
fn hostile_zips_are_refused() {
    let deflated = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let with = |name: &str| zip_of(&[(MANIFEST_FILE, MANIFEST), (name, b"x")], stored);
    assert!(read_bundle(&with("designs/x/y.toml")).is_ok());
    for name in [
        "../evil.toml",
        "designs/x/../../evil.toml",
        "/etc/passwd",
        "designs//x.toml",
        "designs\\..\\y.toml",
        "C:/designs/x/y.toml",
        "designs/x/con.toml",
        "designs/x/aux",
        "designs/x/a\0.toml",
        "designs/x/.hidden.toml",
        "designs/x/y.toml.",
        "designs/a/b/c/d/e/f/g/h/i.toml",
        "notes.txt",
        "designs/x/run.sh",
        "rulesets/a/b.toml",
        "designs/x/\u{202e}lmot.toml",
    ] {
        let refused = read_bundle(&with(name));
        assert!(refused.as_ref().is_err_and(|finding| finding.code == "not-a-bundle"), "{name}: {refused:?}");
    }
    let refused = |bytes: &[u8], code: &str| {
        let refused = read_bundle(bytes);
        assert!(refused.as_ref().is_err_and(|finding| finding.code == code), "expected {code}: {:?}", refused.err());
    };
    let two = |one: &str, two: &str| zip_of(&[(MANIFEST_FILE, MANIFEST), (one, b"x"), (two, b"y")], stored);
    refused(&two("designs/x/y.toml", "designs/X/Y.toml"), "not-a-bundle");
    refused(&two("designs/x/y.toml", "designs/x/y.toml/z.toml"), "not-a-bundle");
    refused(&zip_of(&[("designs/x/y.toml", b"x")], stored), "not-a-bundle");
    refused(&zip_of(&[(MANIFEST_FILE, b"[[[")], stored), "not-a-bundle");
    refused(&zip_of(&[(MANIFEST_FILE, b"{}")], stored), "not-a-bundle");
    refused(&zip_of(&[(MANIFEST_FILE, b"{\"format\": \"moldloft-bundle\", \"version\": 2}")], stored), "newer-bundle");
    refused(&zip_of(&[(MANIFEST_FILE, &[b'['; 100_000])], stored), "not-a-bundle");
    // Names that differ by nothing: the second name is written over in the bytes.
    let mut twins = two("designs/x/y.toml", "designs/x/z.toml");
    while let Some(at) = twins.windows(16).position(|bytes| bytes == b"designs/x/z.toml") {
        twins[at..at + 16].copy_from_slice(b"designs/x/y.toml");
    }
    refused(&twins, "not-a-bundle");
    // Bombs: one file, many files, much in all.
    let zeros = vec![b' '; 900_000];
    refused(&zip_of(&[(MANIFEST_FILE, MANIFEST), ("designs/x/y.toml", &zeros)], deflated), "not-a-bundle");
    refused(&zip_of(&[(MANIFEST_FILE, MANIFEST), ("designs/x/y.toml", &vec![b' '; 30 << 20])], deflated), "too-large");
    let many: Vec<String> = (0..500).map(|n| format!("designs/x/{n}.toml")).collect();
    let mut entries: Vec<(&str, &[u8])> = vec![(MANIFEST_FILE, MANIFEST)];
    entries.extend(many.iter().map(|name| (name.as_str(), &b"x"[..])));
    refused(&zip_of(&entries, stored), "too-large");
    let mut noise: u32 = 7;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        b'a' + ((noise >> 24) % 3) as u8
    })
    .take(990_000)
    .collect();
    let names: Vec<String> = (0..20).map(|n| format!("designs/x/{n}.toml")).collect();
    let mut entries: Vec<(&str, &[u8])> = vec![(MANIFEST_FILE, MANIFEST)];
    entries.extend(names.iter().map(|name| (name.as_str(), noise.as_slice())));
    refused(&zip_of(&entries, deflated), "too-large");
    // A link.
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file(MANIFEST_FILE, stored).unwrap();
    zip.write_all(MANIFEST).unwrap();
    zip.add_symlink("designs/x/y.toml", "/etc/passwd", stored).unwrap();
    refused(&zip.finish().unwrap().into_inner(), "not-a-bundle");
    // No zip, half a zip, a spoilt zip.
    let whole = zip_of(&[(MANIFEST_FILE, MANIFEST), ("designs/x/y.toml", b"ruleset = \"x\"")], deflated);
    for end in 0..whole.len() {
        assert!(read_bundle(&whole[..end]).is_err(), "{end}");
    }
    let expected = read_bundle(&whole).unwrap();
    for place in 0..whole.len() {
        let mut spoilt = whole.clone();
        spoilt[place] ^= 0x41;
        // Times, permissions and versions mean nothing to a bundle; contents and names are refused or the same.
        if let Ok(bundle) = read_bundle(&spoilt) {
            assert!(bundle.files.iter().zip(&expected.files).all(|(one, two)| one.bytes == two.bytes), "{place}");
        }
    }
}

#[test]
fn commands_pack_list_and_unpack() {
    let folder = workspace();
    let run = |words: &[&str]| {
        let done =
            Command::new(env!("CARGO_BIN_EXE_moldloft")).args(words).current_dir(folder.path()).output().unwrap();
        let said = format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
        (done.status.code(), said)
    };
    let (status, said) = run(&["bundle", "designs/club/fleets/sixth.toml", "-o", "sixth.moldloft"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("wrote sixth.moldloft with 5 files"), "{said}");
    let (status, said) = run(&["import", "sixth.moldloft"]);
    assert!(said.contains("Sixth: 5 files, written by Moldloft ") && said.contains("nothing was written"), "{said}");
    assert!(said.contains("all of it is as the sender's program saw it"), "{said}");
    assert_eq!(status, Some(0), "{said}");
    let (status, said) = run(&["import", "sixth.moldloft", "-o", "got"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("wrote 5 files to got") && said.contains("kestrel.toml  Kestrel"), "{said}");
    let (status, text) = run(&["bundle", "club", "--text"]);
    assert!(status == Some(0) && is_bundle_text(&text), "{text}");
    let (status, said) = run(&["import", &text, "-o", "other"]);
    assert!(status == Some(0) && said.contains("wrote 2 files to other"), "{said}");
    fs::write(folder.path().join("evil.moldloft"), b"PK no zip").unwrap();
    let (status, said) = run(&["import", "evil.moldloft", "-o", "evil"]);
    assert!(
        status == Some(2) && said.contains("error[not-a-bundle]") && !folder.path().join("evil").exists(),
        "{said}"
    );
    let (status, said) = run(&["import", "designs/club/kestrel.toml"]);
    assert!(status == Some(2) && said.contains("found a design file"), "{said}");
}

/// What another program makes of a zip: its own files, a folder around everything, other separators.
#[test]
fn bundles_that_were_packed_again_are_read() {
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let design = b"ruleset = \"x\"";
    let plain = read_bundle(&zip_of(&[(MANIFEST_FILE, MANIFEST), ("designs/x/é.toml", design)], stored)).unwrap();
    for (what, entries) in [
        (
            "macOS",
            vec![
                (MANIFEST_FILE, MANIFEST),
                ("designs/x/e\u{301}.toml", design),
                ("designs/.DS_Store", b"x"),
                ("__MACOSX/._moldloft.json", b"x"),
                ("__MACOSX/designs/x/._e\u{301}.toml", b"x"),
            ],
        ),
        (
            "Windows",
            vec![
                (MANIFEST_FILE, MANIFEST),
                ("designs\\x\\é.toml", design),
                ("designs\\x\\Thumbs.db", b"x"),
                ("desktop.ini", b"x"),
            ],
        ),
        (
            "a folder around",
            vec![
                ("My bundle (2)./moldloft.json", MANIFEST),
                ("My bundle (2)./designs/x/é.toml", design),
                ("__MACOSX/._My bundle (2).", b"x"),
                ("My bundle (2)./.DS_Store", b"x"),
            ],
        ),
    ] {
        let added = entries.len() - 2;
        let read = read_bundle(&zip_of(&entries, stored)).unwrap_or_else(|finding| panic!("{what}: {finding:?}"));
        assert_eq!((&read.files, &read.manifest), (&plain.files, &plain.manifest), "{what}");
        assert_eq!(read.left_aside.len(), added, "{what}: {:?}", read.left_aside);
    }
    // What leads out still does.
    for name in ["designs\\..\\..\\evil.toml", "..\\evil.toml", "C:\\evil.toml", "\\\\host\\evil.toml"] {
        assert!(read_bundle(&zip_of(&[(MANIFEST_FILE, MANIFEST), (name, b"x")], stored)).is_err(), "{name}");
    }
}

fn bundle_of(files: &[(&str, &str)]) -> SharedBundle {
    let mut files: Vec<BundleFile> =
        files.iter().map(|(path, text)| BundleFile { path: (*path).into(), bytes: text.as_bytes().to_vec() }).collect();
    files.sort_by(|one, two| one.path.cmp(&two.path));
    SharedBundle { files, ..SharedBundle::default() }
}

fn planned(bundle: &SharedBundle, folder: &Path) -> BundlePlan {
    plan_files(bundle, &review_bundle_for(bundle, Some(folder)), folder)
}

fn action(plan: &BundlePlan, path: &str) -> FileAction {
    plan.files.iter().find(|file| file.path == path).unwrap_or_else(|| panic!("{path}")).action.clone()
}

#[test]
fn templates_go_where_only_the_bundles_own_rules_look() {
    let shared = "templates/fleet/roster.svg";
    let of_game = "templates/wars-of-honor/icons/bird.svg";
    let files = [
        ("rulesets/club.toml", LAYER),
        ("templates/club/card.svg", OUTLINE),
        ("templates/wars-of-honor/ship.svg", OUTLINE),
        ("templates/star-navy/ship.svg", OUTLINE),
        (of_game, OUTLINE),
        (shared, OUTLINE),
    ];
    let mine = tempfile::tempdir().unwrap();
    put(mine.path(), &[("designs/wars-of-honor/x.toml", CLASS)]);
    let plan = planned(&bundle_of(&files), mine.path());
    assert_eq!(action(&plan, "templates/club/card.svg"), FileAction::New);
    for (path, to) in [
        (of_game, "templates/club/icons/bird.svg"),
        (shared, "templates/club/fleet/roster.svg"),
        ("templates/wars-of-honor/ship.svg", "templates/club/ship.svg"),
    ] {
        assert_eq!(action(&plan, path), FileAction::Renamed(to.into()));
    }
    assert!(matches!(action(&plan, "templates/star-navy/ship.svg"), FileAction::Refused(_)));
    // Where the rules are there already, sheets of the player's own would use them.
    put(mine.path(), &[("rulesets/club.toml", LAYER)]);
    let plan = planned(&bundle_of(&files), mine.path());
    assert!(
        plan.files.iter().all(|file| matches!(file.action, FileAction::Refused(_) | FileAction::Present)),
        "{plan:#?}"
    );
    // A ruleset that is called like a folder of drawings brings none.
    let layer = LAYER.replace("\"club\"", "\"fleet\"");
    let plan = planned(&bundle_of(&[("rulesets/fleet.toml", &layer), (shared, OUTLINE)]), mine.path());
    assert!(matches!(action(&plan, shared), FileAction::Refused(_)));
}

#[test]
fn a_class_of_rules_that_the_bundle_lacks_hides_none() {
    let mine = tempfile::tempdir().unwrap();
    let fleet = "ruleset = \"club\"\nname = \"Own\"\n[[ship]]\ndesign = \"Petrel\"\n[[ship]]\ndesign = \"heron 2\"\n\
                 [[ship]]\ndesign = \"../club/lost.toml\"\n";
    put(mine.path(), &[("rulesets/club.toml", LAYER), ("designs/mine/own.toml", fleet)]);
    let named = |name: &str| CLASS.replace("Kestrel", name).replace("silhouette = \"kestrel.svg\"\n", "");
    let other = CLASS.replace("ruleset = \"club\"", "ruleset = \"star-navy\"").replace("Kestrel", "Petrel");
    let files = [
        ("designs/wars-of-honor/pp.toml", named("Petrel")),
        ("designs/wars-of-honor/fleets/pq.toml", named("petrel")),
        ("designs/club/heron-2.toml", named("Something else")),
        ("designs/club/lost.toml", named("Lost")),
        ("designs/club/kestrel.toml", CLASS.to_owned()),
        ("designs/club/kestrel.svg", OUTLINE.to_owned()),
        ("designs/star-navy/petrel.toml", other),
        ("designs/club/fleets/theirs.toml", "ruleset = \"club\"\n[[ship]]\ndesign = \"Petrel\"\n".to_owned()),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let bundle = bundle_of(&files);
    let plan = planned(&bundle, mine.path());
    for (path, to) in [
        ("designs/wars-of-honor/pp.toml", "designs/wars-of-honor/shared/pp.toml"),
        ("designs/wars-of-honor/fleets/pq.toml", "designs/wars-of-honor/fleets/shared/pq.toml"),
        ("designs/club/heron-2.toml", "designs/club/shared/heron-2.toml"),
        ("designs/club/lost.toml", "designs/club/lost-2.toml"),
    ] {
        assert_eq!(action(&plan, path), FileAction::Renamed(to.into()));
    }
    for path in ["designs/club/kestrel.toml", "designs/club/kestrel.svg", "designs/star-navy/petrel.toml"] {
        assert_eq!(action(&plan, path), FileAction::New, "{path}");
    }
    // The bundle's own fleet finds its own class, with and without the layer.
    plan.write(mine.path()).unwrap();
    let theirs = fs::read_to_string(mine.path().join("designs/club/fleets/theirs.toml")).unwrap();
    assert!(theirs.contains("/shared/p"), "{theirs}");
    let without = plan_files(&bundle, &review_bundle(&bundle), mine.path().join("new").as_path());
    assert!(matches!(action(&without, "designs/wars-of-honor/pp.toml"), FileAction::Renamed(_)), "a built-in class");
}

#[test]
fn an_outline_follows_its_design() {
    let mine = tempfile::tempdir().unwrap();
    let own = CLASS.replace("count = 2", "count = 5");
    put(mine.path(), &[("rulesets/club.toml", LAYER), ("designs/club/kestrel.toml", &own)]);
    let bundle = bundle_of(&[("designs/club/kestrel.toml", CLASS), ("designs/club/kestrel.svg", OUTLINE)]);
    let plan = planned(&bundle, mine.path());
    plan.write(mine.path()).unwrap();
    assert!(mine.path().join("designs/club/shared/kestrel.svg").exists(), "{plan:#?}");
    assert!(!mine.path().join("designs/club/kestrel.svg").exists(), "the player's own class would be drawn with it");
    assert!(
        fs::read_to_string(mine.path().join("designs/club/shared/kestrel.toml")).unwrap().contains("\"kestrel.svg\"")
    );
}

#[test]
fn names_that_another_system_takes_for_one_are_in_use() {
    let mine = tempfile::tempdir().unwrap();
    put(mine.path(), &[("designs/club/É.toml", "x = 1"), ("rulesets/Own.toml", LAYER)]);
    let bundle = bundle_of(&[
        ("designs/Club/e\u{301}.toml", CLASS),
        ("rulesets/own.toml", LAYER),
        ("rulesets/Wars-Of-Honor.toml", LAYER),
    ]);
    let plan = planned(&bundle, mine.path());
    assert_eq!(action(&plan, "designs/Club/e\u{301}.toml"), FileAction::Renamed("designs/Club/e\u{301}-2.toml".into()));
    assert!(matches!(action(&plan, "rulesets/own.toml"), FileAction::Refused(_)));
    assert!(matches!(action(&plan, "rulesets/Wars-Of-Honor.toml"), FileAction::Refused(_)));
}

const FORGED: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"190mm\" height=\"260mm\" viewBox=\"0 0 190 260\">\
                      <text x=\"10\" y=\"20\" style=\"font-size:8px\">FORGED</text><path d=\"M0 0 H90 V90 Z\"/></svg>";

/// What the player's own fleets cost and print.
fn prints_of(folder: &Path, fleets: &[&str]) -> Vec<(Option<i64>, bool, String, String)> {
    let store = Store::open(Some(folder)).unwrap();
    let rulesets = Rulesets::without_settings(&store);
    let svg = format_for("svg").unwrap();
    fleets
        .iter()
        .map(|name| {
            let file = FileRef::on_disk(folder.join(name));
            let fleet = check_fleet(&rulesets, &file.read().unwrap(), &file).unwrap();
            let seen = (fleet.points, fleet.legal, format!("{:?}", Fingerprint::of_fleet(&fleet)));
            let mut pages = print_fleets(&store, &[fleet], &PackOptions::default(), svg, &Progress::default());
            let files =
                pages.write(folder.join("x.svg"), svg, &ExportOptions::default(), &Progress::default()).unwrap();
            (seen.0, seen.1, seen.2, format!("{:?} {:?}", files.files, files.findings))
        })
        .collect()
}

/// Every way by which a file could come before another, in one bundle after another.
fn strangers_files() -> Vec<(String, String)> {
    let mut files = Vec::new();
    let games = ["wars-of-honor", "star-navy", "club", "nobody", "WARS-OF-HONOR", "fleet", "icons"];
    for path in built_in_names("templates").iter().filter(|path| path.ends_with(".svg")) {
        let inner = path.strip_prefix("templates/").unwrap();
        let (folder, rest) = inner.split_once('/').unwrap_or(("", inner));
        let compact = inner.replace(".svg", "-compact.svg");
        for name in [inner, rest, &compact] {
            files.push((format!("templates/{name}"), FORGED.to_owned()));
            files.push((format!("templates/{folder}/{name}"), FORGED.to_owned()));
        }
        files.extend(games.iter().map(|game| (format!("templates/{game}/{rest}"), FORGED.to_owned())));
        files.extend(games.iter().map(|game| (format!("templates/{game}/{inner}"), FORGED.to_owned())));
    }
    for id in games.iter().chain(&["star-navy", "new", "chits"]) {
        files.push((format!("rulesets/{id}.toml"), LAYER.replace("\"club\"", &format!("\"{id}\""))));
    }
    for (n, name) in
        ["Petrel", "petrel", "Vigilant", "Chicago", "Heron", "heron", "own-heron", "Quiver"].iter().enumerate()
    {
        for ruleset in ["wars-of-honor", "club", "star-navy", "nobody"] {
            for folder in ["wars-of-honor", "club", "star-navy", "mine", "club/fleets", "mine/fleets", "nobody"] {
                let text =
                    CLASS.replace("\"Kestrel\"", &format!("{name:?}")).replace("\"club\"", &format!("{ruleset:?}"));
                let text = text.replace("kestrel.svg", "heron.svg");
                files.push((format!("designs/{folder}/{name}.toml"), text.clone()));
                files.push((format!("designs/{folder}/x{n}.toml"), text));
                files.push((format!("designs/{folder}/heron.svg"), FORGED.to_owned()));
                files.push((format!("designs/{folder}/hulls/heron.svg"), FORGED.to_owned()));
            }
        }
    }
    files.sort();
    files.dedup_by(|one, two| one.0 == two.0);
    files
}

#[test]
fn no_bundle_changes_what_the_players_own_fleets_cost_and_print() {
    let memory = MemoryFolder::new();
    let fleets = ["designs/club/fleets/own.toml", "designs/mine/own.toml", "own.toml"];
    let heron = CLASS.replace("Kestrel", "Heron").replace("kestrel.svg", "heron.svg");
    for (name, text) in [
        ("rulesets/club.toml", LAYER),
        ("designs/club/own-heron.toml", &heron),
        ("designs/mine/near.toml", &CLASS.replace("silhouette = \"kestrel.svg\"\n", "")),
        (fleets[0], "ruleset = \"club\"\nname = \"A\"\n[[ship]]\ndesign = \"Heron\"\n[[ship]]\ndesign = \"Petrel\"\n"),
        (
            fleets[1],
            "ruleset = \"club\"\nname = \"B\"\n[[ship]]\ndesign = \"Kestrel\"\n[[ship]]\ndesign = \"own-heron\"\n",
        ),
        (fleets[2], "ruleset = \"star-navy\"\nname = \"C\"\n[[ship]]\ndesign = \"Chicago\"\n"),
    ] {
        let path = memory.path().join(name);
        make_folder(path.parent().unwrap()).unwrap();
        save(&path, text.as_bytes()).unwrap();
    }
    let before = prints_of(memory.path(), &fleets);
    assert!(
        before.iter().all(|seen| seen.0.is_some_and(|points| points > 0) && !seen.3.contains("FORGED")),
        "{before:?}"
    );
    let all = strangers_files();
    let mut written = 0;
    // Each bundle has every seventh file, so that rulesets come with and without their templates.
    for round in 0..7 {
        let files: Vec<(&str, &str)> = all
            .iter()
            .enumerate()
            .filter(|(n, _)| n % 7 == round || n % 11 == round)
            .map(|(_, (a, b))| (&**a, &**b))
            .collect();
        for part in files.chunks(300) {
            let plan = planned(&bundle_of(part), memory.path());
            written += plan.count();
            if plan.count() > 0 {
                plan.write(memory.path()).unwrap();
            }
        }
    }
    assert!(written > 50, "{written} of {} written", all.len());
    let after = prints_of(memory.path(), &fleets);
    for ((before, after), name) in before.iter().zip(&after).zip(fleets) {
        assert_eq!((before.0, before.1, &before.2), (after.0, after.1, &after.2), "{name}");
        assert!(before.3 == after.3, "{name} prints other pages");
    }
}
