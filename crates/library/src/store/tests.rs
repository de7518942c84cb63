//! Tests of the disk: what is refused, what shadows what, what is written atomically.
#![allow(clippy::disallowed_methods, reason = "tests read and write files")]

use std::fs;
use std::path::{Path, PathBuf};

use super::*;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn what_is_not_a_text_file_is_named() {
    let dir = folder();
    let latin = dir.path().join("latin.toml");
    fs::write(&latin, b"ruleset = 'x'\nname = 'J\xe4ger'\n").unwrap();
    let finding = read(&latin).unwrap_err();
    assert_eq!((finding.code.as_ref(), finding.at.line, finding.at.column), ("not-utf8", 2, 10));
    assert!(finding.message.contains("byte 23") && finding.message.contains("e4"), "{}", finding.message);

    let wide = dir.path().join("wide.toml");
    for utf16 in [&b"\xff\xfer\0u\0"[..], b"r\0u\0", b"\0r\0u"] {
        fs::write(&wide, utf16).unwrap();
        assert!(read(&wide).unwrap_err().message.contains("UTF-16"));
    }

    assert_eq!(read(dir.path()).unwrap_err().code, "not-a-file");

    let large = dir.path().join("large.toml");
    fs::File::create(&large).unwrap().set_len(MAX_TOML_BYTES + 1).unwrap();
    assert_eq!(read(&large).unwrap_err().code, "file-too-large");

    let missing = dir.path().join("latim.toml");
    let finding = read(&missing).unwrap_err();
    assert_eq!(finding.code, "no-such-file");
    assert!(finding.help.unwrap().ends_with("latin.toml?"));
}

#[cfg(unix)]
#[test]
fn devices_are_refused_without_waiting() {
    assert_eq!(read(Path::new("/dev/zero")).unwrap_err().code, "not-a-file");
    assert_eq!(save(Path::new("/dev/null"), b"x").unwrap_err().code, "unwritable");
}

#[test]
fn a_byte_order_mark_is_dropped() {
    let dir = folder();
    let path = dir.path().join("bom.toml");
    fs::write(&path, "\u{feff}name = 'x'\r\n").unwrap();
    assert_eq!(&*read(&path).unwrap().text, "name = 'x'\r\n");
}

#[test]
fn saving_replaces_whole_files_and_leaves_nothing_beside() {
    let dir = folder();
    let path = dir.path().join("out.pdf");
    save(&path, b"one").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    }
    save(&path, b"two").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"two");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        let link = dir.path().join("link.pdf");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        save(&link, b"three").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"three");
        assert!(fs::symlink_metadata(&link).unwrap().file_type().is_symlink());
        fs::remove_file(link).unwrap();
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);

    assert_eq!(save(dir.path(), b"x").unwrap_err().code, "unwritable");
    assert!(save(&dir.path().join("no/such/x.pdf"), b"x").unwrap_err().message.contains("no such folder"));
    assert!(save(&path.join("x.pdf"), b"x").unwrap_err().message.contains("no such folder"));
    let mut readonly = fs::metadata(&path).unwrap().permissions();
    readonly.set_readonly(true);
    fs::set_permissions(&path, readonly).unwrap();
    assert!(save(&path, b"x").unwrap_err().message.contains("read-only"));
}

#[test]
fn pages_are_numbered_only_when_there_are_several() {
    assert_eq!(page_path(Path::new("a/b.svg"), 1, 1), PathBuf::from("a/b.svg"));
    assert_eq!(page_path(Path::new("a/b.svg"), 2, 3), PathBuf::from("a/b-2.svg"));
}

#[test]
fn folders_give_their_designs_sorted_and_links_in_a_circle_end() {
    let dir = folder();
    for name in ["b.toml", "a.TOML", "c.txt", ".hidden.toml", "deep/z.toml", ".git/x.toml"] {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(dir.path(), dir.path().join("deep/loop")).unwrap();
    let empty = dir.path().join("empty");
    fs::create_dir(&empty).unwrap();
    let (found, findings) =
        find_inputs(&[dir.path().to_path_buf(), empty, dir.path().join("b.toml"), "nowhere".into()], None);
    let names: Vec<_> = found
        .iter()
        .map(|found| {
            (
                found.file.path.strip_prefix(dir.path()).unwrap_or(&found.file.path).display().to_string(),
                found.is_explicit,
            )
        })
        .collect();
    let expected = [("a.TOML", false), ("b.toml", false), ("deep/z.toml", false), ("b.toml", true), ("nowhere", true)];
    assert_eq!(names, expected.map(|(name, named)| (name.to_owned(), named)));
    assert_eq!(findings.iter().map(|finding| finding.code.as_ref()).collect::<Vec<_>>(), ["empty-folder"]);
}

#[test]
fn a_workspace_shadows_what_is_built_in() {
    let dir = folder();
    fs::create_dir_all(dir.path().join("rulesets")).unwrap();
    fs::create_dir_all(dir.path().join("templates/x")).unwrap();
    fs::write(dir.path().join("rulesets/mine.toml"), "mine").unwrap();
    fs::write(dir.path().join("templates/x/ship.svg"), "x").unwrap();
    fs::write(dir.path().join("templates/dot.svg"), "shared").unwrap();
    let store = Store::open(Some(dir.path())).unwrap();
    assert_eq!(&*store.ruleset("mine").unwrap().text, "mine");
    assert_eq!(store.ruleset("mime").unwrap_err().help.as_deref(), Some("did you mean `mine`?"));
    for id in ["../rulesets/mine", "", "a/b", "mine\0"] {
        assert_eq!(store.ruleset(id).unwrap_err().code, "unknown-ruleset");
    }
    assert_eq!(&*store.template(&["y", "x"], "ship.svg").unwrap().unwrap().text, "x");
    assert_eq!(&*store.template(&["x"], "dot.svg").unwrap().unwrap().text, "shared");
    assert!(store.template(&["x"], "../../rulesets/mine.toml").is_none());
    assert!(store.template(&["x"], "/etc/passwd").is_none());
    assert!(store.list_assets(AssetKind::Ruleset).iter().any(|listed| listed.id == "mine" && !listed.file.built_in));
    assert!(Store::open(Some(&dir.path().join("none"))).is_err());
}

#[test]
fn built_in_designs_can_be_named_from_anywhere() {
    let (found, findings) = find_inputs(&["designs/wars-of-honor/".into()], None);
    assert!(findings.is_empty());
    assert!(found.len() >= 10);
    let listed = Store::built_in().list_assets(AssetKind::Design);
    assert!(listed.iter().any(|one| one.id == "wars-of-honor/vigilant" && one.file.built_in));
    assert!(Store::built_in().list_assets(AssetKind::Template).iter().all(|one| one.id.ends_with(".svg")));
}

#[test]
fn what_somebody_else_changed_is_not_written_over() {
    let dir = folder();
    let path = dir.path().join("ship.toml");
    let ours = save_over(&path, b"one", Some(ContentHash::Absent)).unwrap();
    assert_eq!((ours, read_hashed(&path).unwrap()), (ContentHash::of_bytes(b"one"), ("one".to_owned(), ours)));
    let ours = save_over(&path, b"two", Some(ours)).unwrap();
    fs::write(&path, b"theirs").unwrap();
    for expected in [ours, ContentHash::Absent] {
        let Err(SaveError::Changed { now, finding }) = save_over(&path, b"three", Some(expected)) else { panic!() };
        assert_eq!((now, finding.code.as_ref()), (ContentHash::of_bytes(b"theirs"), "changed-on-disk"));
        assert!(finding.help.is_some());
    }
    assert_eq!(fs::read(&path).unwrap(), b"theirs");
    fs::remove_file(&path).unwrap();
    let refused = save_over(&path, b"three", Some(ours)).unwrap_err();
    assert!(refused.finding().message.contains("removed"), "{refused:?}");
    assert!(!path.exists());
    save_over(&path, b"three", None).unwrap();
    fs::create_dir(dir.path().join("folder")).unwrap();
    let refused = save_over(&dir.path().join("folder"), b"x", Some(ContentHash::Absent)).unwrap_err();
    assert!(matches!(refused, SaveError::Unwritable(finding) if finding.message.contains("folder")));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
}

#[cfg(unix)]
#[test]
fn a_link_to_nowhere_is_written_through() {
    let dir = folder();
    fs::create_dir(dir.path().join("there")).unwrap();
    let link = dir.path().join("link.toml");
    std::os::unix::fs::symlink("there/ship.toml", &link).unwrap();
    save_over(&link, b"x", Some(ContentHash::Absent)).unwrap();
    assert_eq!(fs::read(dir.path().join("there/ship.toml")).unwrap(), b"x");
    assert!(fs::symlink_metadata(&link).unwrap().file_type().is_symlink());
}

#[test]
fn what_killed_programs_left_is_cleared_away_and_nothing_else() {
    let dir = folder();
    let left = dir.path().join(".moldloft-abc.part");
    let busy = dir.path().join(".moldloft-def.part");
    let other = dir.path().join(".moldloft-notes.txt");
    for file in [&left, &busy, &other] {
        fs::write(file, "x").unwrap();
    }
    let held = fs::File::open(&busy).unwrap();
    held.try_lock().unwrap();
    save(&dir.path().join("ship.toml"), b"x").unwrap();
    assert_eq!([&left, &busy, &other].map(|file| file.exists()), [false, true, true]);
}

#[test]
fn a_byte_order_mark_is_kept_by_who_asks_for_the_file_as_it_is() {
    let dir = folder();
    let path = dir.path().join("bom.toml");
    fs::write(&path, "\u{feff}name = 'x'\r\n").unwrap();
    assert_eq!(read_hashed(&path).unwrap().0, "\u{feff}name = 'x'\r\n");
}

fn draft(text: &str) -> Draft {
    Draft {
        path: Some("/home/p/ship \"x\".toml".into()),
        content_hash: ContentHash::of_bytes(b"old"),
        ruleset: "r".to_owned(),
        name: "Vig\nilant".to_owned(),
        text: text.to_owned(),
    }
}

#[test]
fn drafts_of_a_program_that_is_gone_are_offered_once() {
    let dir = folder();
    let root = dir.path().join("drafts");
    let mut first = Drafts::open(&root).unwrap();
    first.save_draft(1, &draft("\u{feff}one\r\n")).unwrap();
    first.save_draft(1, &draft("\u{feff}two\r\n")).unwrap();
    first.save_draft(2, &Draft { path: None, content_hash: ContentHash::Absent, ..draft("") }).unwrap();
    first.save_draft(3, &draft("saved")).unwrap();
    first.remove(3).unwrap();
    first.remove(9).unwrap();

    // While it runs, another program sees none of its drafts.
    let mut second = Drafts::open(&root).unwrap();
    assert_eq!(second.leftover_drafts(), (Vec::new(), Vec::new()));
    drop(first);
    let (lost, findings) = second.leftover_drafts();
    assert!(findings.is_empty());
    let drafts: Vec<&Draft> = lost.iter().map(|lost| &lost.draft).collect();
    assert_eq!(
        drafts,
        [&draft("\u{feff}two\r\n"), &Draft { path: None, content_hash: ContentHash::Absent, ..draft("") }]
    );
    assert_eq!(second.leftover_drafts().0, lost, "asked again, the same");

    // A third program is offered the second one's leftovers only once that has ended.
    let mut third = Drafts::open(&root).unwrap();
    assert!(third.leftover_drafts().0.is_empty());
    second.discard(&lost[0]).unwrap();
    drop(second);
    assert_eq!(third.leftover_drafts().0, lost[1..]);
    third.discard(&lost[1]).unwrap();
    assert!(third.leftover_drafts().0.is_empty());
    drop(third);
    assert_eq!(fs::read_dir(&root).unwrap().count(), 0, "nothing is left lying about");
}

#[test]
fn damaged_drafts_are_told_and_kept() {
    let dir = folder();
    let root = dir.path().join("drafts");
    let mut drafts = Drafts::open(&root).unwrap();
    for document in 1..6 {
        drafts.save_draft(document, &draft("text")).unwrap();
    }
    drop(drafts);
    let inner = root.join("1");
    let whole = fs::read(inner.join("1.toml")).unwrap();
    fs::write(inner.join("1.toml"), &whole[..whole.len() - 1]).unwrap();
    fs::write(inner.join("2.toml"), vec![0; whole.len()]).unwrap();
    fs::write(inner.join("3.toml"), "").unwrap();
    fs::write(inner.join("4.toml"), String::from_utf8_lossy(&whole).replace("draft 1", "draft 2")).unwrap();
    fs::create_dir(inner.join("6.toml")).unwrap();
    let mut drafts = Drafts::open(&root).unwrap();
    let (lost, findings) = drafts.leftover_drafts();
    assert_eq!((lost.len(), findings.len()), (1, 5), "{findings:?}");
    assert!(findings.iter().all(|finding| finding.code == "damaged-draft" && finding.at.file.is_some()));
    drafts.discard(&lost[0]).unwrap();
    drop(drafts);
    assert_eq!(fs::read(inner.join("3.toml")).unwrap(), b"");
    assert_eq!(fs::read_dir(&inner).unwrap().count(), 6);
    let mine = dir.path().join("mine.toml");
    fs::write(&mine, "x").unwrap();
    Drafts::open(&root).unwrap().discard(&LeftoverDraft { draft: draft(""), file: mine.clone() }).unwrap();
    assert!(mine.exists());
}

#[test]
fn where_no_draft_can_be_kept_it_is_said() {
    let dir = folder();
    let file = dir.path().join("file");
    fs::write(&file, "x").unwrap();
    let finding = Drafts::open(&file.join("drafts")).unwrap_err();
    assert_eq!(finding.code, "no-drafts");
    // A folder removed while the program runs is made again.
    let root = dir.path().join("drafts");
    let mut drafts = Drafts::open(&root).unwrap();
    fs::remove_dir_all(&root).unwrap();
    drafts.save_draft(1, &draft("x")).unwrap();
    let mut other = Drafts::open(&root).unwrap();
    assert!(other.leftover_drafts().0.is_empty());
    // The lock is gone with its file; the leftovers are still offered.
    fs::remove_file(root.join("1/lock")).unwrap();
    drop(drafts);
    assert_eq!(other.leftover_drafts().0.len(), 1);
}

#[test]
fn broken_settings_are_put_aside() {
    let dir = folder();
    let here = dir.path().join("config");
    let number = |text: &str| text.trim().parse::<i32>().map_err(|error| error.to_string());
    assert_eq!(load_settings(&here, "scale", number), (None, None));
    save_settings(&here, "scale", "3\n").unwrap();
    assert_eq!(load_settings(&here, "scale", number), (Some(3), None));
    for broken in ["scale.broken", "scale.broken-2"] {
        save_settings(&here, "scale", broken).unwrap();
        let (none, finding) = load_settings(&here, "scale", number);
        let finding = finding.unwrap();
        assert_eq!((none, finding.code.as_ref()), (None, "broken-settings"));
        assert!(finding.help.unwrap().contains(broken));
        assert_eq!(fs::read_to_string(here.join(broken)).unwrap(), broken);
    }
    assert_eq!(load_settings(&here, "scale", number), (None, None));
    fs::write(here.join("scale"), b"\xff").unwrap();
    assert!(load_settings(&here, "scale", number).1.is_some());
}

#[test]
fn what_the_disk_says_is_put_in_a_players_words() {
    use std::io::{Error, ErrorKind};
    for (kind, word) in [
        (ErrorKind::StorageFull, "full"),
        (ErrorKind::QuotaExceeded, "quota"),
        (ErrorKind::ReadOnlyFilesystem, "read-only"),
        (ErrorKind::PermissionDenied, "permission denied"),
        (ErrorKind::InvalidFilename, "this name"),
    ] {
        let (why, help) = super::save::describe_error(&Error::from(kind));
        assert!(why.contains(word) && help.is_some(), "{why}");
    }
    let dir = folder();
    let finding = save(&dir.path().join("x".repeat(300)), b"x").unwrap_err();
    assert!(finding.message.contains("this name"), "{}", finding.message);
}

#[cfg(unix)]
fn ends(work: impl FnOnce() + Send + 'static) {
    let (done, waits) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        work();
        let _ = done.send(());
    });
    waits.recv_timeout(std::time::Duration::from_secs(60)).expect("it hangs");
}

#[test]
#[cfg(unix)]
fn pipes_hold_nobody_up() {
    let dir = folder();
    let pipe = |name: &str| {
        let path = dir.path().join(name);
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        path
    };
    let (part, ship) = (pipe(".moldloft-x.part"), pipe("ship.toml"));
    let path = dir.path().join("a.txt");
    ends(move || save(&path, b"x").unwrap());
    assert!(part.exists(), "it is not this program's");
    ends(move || {
        assert_eq!(read(&ship).unwrap_err().code, "not-a-file");
        assert_eq!(ContentHash::of_path(&ship), ContentHash::Unreadable);
        assert!(save_over(&ship, b"x", None).is_err());
    });
}

#[test]
fn folders_that_killed_programs_left_are_cleared_away() {
    let dir = folder();
    let left = dir.path().join(".moldloft-abcdef.folder.part");
    let held = dir.path().join(".moldloft-ghijkl.folder.part");
    for folder in [&left, &held] {
        fs::create_dir_all(folder.join("images")).unwrap();
        fs::write(folder.join("images/x.png"), "x").unwrap();
    }
    let lock = fs::File::create(dir.path().join(".moldloft-ghijkl.part")).unwrap();
    lock.try_lock().unwrap();
    let files = vec![("images/y.png".to_owned(), b"y".to_vec())];
    save_bundle(&dir.path().join("tokens"), &files, &Default::default()).unwrap();
    assert!(!left.exists() && held.join("images/x.png").exists());
    drop(lock);
    clear_parts(dir.path());
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "the tokens alone are there");
}

#[test]
#[cfg(unix)]
fn links_do_not_lead_out() {
    use std::os::unix::fs::symlink;
    let dir = folder();
    let (space, other) = (dir.path().join("space"), dir.path().join("other"));
    for inner in ["designs/x", "rulesets", "templates/x"] {
        fs::create_dir_all(space.join(inner)).unwrap();
    }
    fs::create_dir_all(other.join("deep")).unwrap();
    for name in ["secret.toml", "deep/more.toml", "secret.svg"] {
        fs::write(other.join(name), "name = 'secret'").unwrap();
    }
    fs::write(space.join("designs/x/own.toml"), "name = 'own'").unwrap();
    symlink(space.join("designs/x/own.toml"), space.join("designs/x/within.toml")).unwrap();
    symlink(&other, space.join("designs/x/away")).unwrap();
    symlink(other.join("secret.toml"), space.join("designs/x/class.toml")).unwrap();
    symlink(other.join("secret.toml"), space.join("rulesets/secret.toml")).unwrap();
    symlink(other.join("secret.svg"), space.join("templates/x/ship.svg")).unwrap();
    let store = Store::open(Some(&space)).unwrap();
    let designs = space.join("designs");
    let names = |found: &[InputFile]| {
        found.iter().map(|one| one.file.path.file_name().unwrap().to_string_lossy().into_owned()).collect::<Vec<_>>()
    };
    let (found, findings) = find_inputs(std::slice::from_ref(&designs), store.workspace());
    assert_eq!(names(&found), ["own.toml", "within.toml"]);
    assert!(findings.len() == 1 && findings[0].message.contains("away") && findings[0].message.contains("class.toml"));
    // A path given by the player may be a link.
    symlink(&other, dir.path().join("named")).unwrap();
    let (found, findings) = find_inputs(&[dir.path().join("named")], store.workspace());
    assert!(names(&found) == ["more.toml", "secret.toml"] && findings.is_empty());
    let own: Vec<String> =
        store.list_files(100).files.into_iter().filter(|file| !file.file.built_in).map(|file| file.name).collect();
    assert_eq!(own, ["designs/x/own.toml", "designs/x/within.toml"]);
    assert!(store.list_assets(AssetKind::Ruleset).iter().all(|listed| listed.file.built_in));
    assert_eq!(store.ruleset("secret").unwrap_err().code, "outside-workspace");
    assert_eq!(store.template(&["x"], "ship.svg").unwrap().unwrap_err().code, "outside-workspace");
    let classes = store.class_files(&space.join("designs/x/fleet.toml"), false, &["x"]);
    assert!(classes.iter().all(|class| class.built_in || !class.path.ends_with("class.toml")), "{classes:?}");

    // Token folders are never written through a link, and nothing behind one is removed.
    let tokens = dir.path().join("tokens");
    fs::create_dir(&tokens).unwrap();
    symlink(&other, tokens.join("images")).unwrap();
    let files = vec![("images/a.png".to_owned(), b"a".to_vec())];
    assert!(save_bundle(&tokens, &files, &Default::default()).unwrap_err().message.contains("leads out"));
    let known = [("images/secret.svg".to_owned(), ContentHash::of_bytes(b"name = 'secret'"))].into_iter().collect();
    let files = vec![("a.png".to_owned(), b"a".to_vec())];
    assert_eq!(save_bundle(&tokens, &files, &known).unwrap().removed, 0);
    assert!(other.join("secret.svg").exists() && !other.join("a.png").exists());
}

#[cfg(feature = "watch")]
mod watching {
    use std::collections::BTreeSet;
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    use super::*;

    /// Waits until all of these were reported; other reports are ignored.
    fn expect(told: &Receiver<Vec<PathBuf>>, files: &[&Path]) {
        let mut missing: BTreeSet<&Path> = files.iter().copied().collect();
        while !missing.is_empty() {
            let changed =
                told.recv_timeout(Duration::from_secs(20)).unwrap_or_else(|_| panic!("not told: {missing:?}"));
            for file in &changed {
                assert!(!file.to_string_lossy().contains("part"), "{changed:?}");
                missing.remove(file.as_path());
            }
        }
    }

    #[test]
    fn what_is_changed_made_renamed_and_removed_is_told() {
        let dir = folder();
        let space = dir.path().join("space");
        fs::create_dir_all(space.join("rulesets")).unwrap();
        let rules = space.join("rulesets/x.toml");
        fs::write(&rules, "one").unwrap();
        let (sender, told) = channel();
        let watch = FileWatcher::new(Some(&space), move |changed| sender.send(changed).unwrap());
        assert!(watch.is_live());
        fs::write(&rules, "three").unwrap();
        expect(&told, &[&rules]);
        save(&rules, b"another").unwrap();
        expect(&told, &[&rules]);
        let ship = space.join("designs/x/deep/ship.toml");
        fs::create_dir_all(ship.parent().unwrap()).unwrap();
        fs::write(&ship, "x").unwrap();
        expect(&told, &[&ship]);
        fs::write(&ship, "changed").unwrap();
        expect(&told, &[&ship]);
        fs::rename(space.join("designs/x/deep"), dir.path().join("away")).unwrap();
        expect(&told, &[&ship]);
        fs::remove_file(&rules).unwrap();
        expect(&told, &[&rules]);
        fs::remove_dir_all(&space).unwrap();
        fs::create_dir_all(space.join("rulesets")).unwrap();
        fs::write(&rules, "new").unwrap();
        expect(&told, &[&rules]);
        fs::write(&rules, "newer").unwrap();
        expect(&told, &[&rules]);
        assert!(watch.poll().is_empty());
    }

    #[test]
    fn single_files_are_followed_wherever_they_are() {
        let dir = folder();
        let (ship, other) = (dir.path().join("ship.toml"), dir.path().join("other.toml"));
        for file in [&ship, &other] {
            fs::write(file, "x").unwrap();
        }
        let (sender, told) = channel();
        let watch = FileWatcher::new(None, move |changed| sender.send(changed).unwrap());
        watch.watch_files([ship.clone()]);
        fs::write(&other, "longer").unwrap();
        save(&ship, b"longer").unwrap();
        let changed = told.recv_timeout(Duration::from_secs(20)).unwrap();
        assert_eq!(changed, std::slice::from_ref(&ship));
        #[cfg(unix)]
        {
            let link = dir.path().join("link/ship.toml");
            fs::create_dir(dir.path().join("link")).unwrap();
            std::os::unix::fs::symlink(&ship, &link).unwrap();
            watch.watch_files([link.clone()]);
            fs::write(&ship, "longer still").unwrap();
            expect(&told, &[&link]);
        }
        drop(watch);
    }

    #[test]
    fn looking_finds_what_nobody_told() {
        let dir = folder();
        let ship = dir.path().join("designs/ship.toml");
        fs::create_dir_all(ship.parent().unwrap()).unwrap();
        let watch = FileWatcher::new(Some(dir.path()), |_| {});
        fs::write(&ship, "x").unwrap();
        fs::write(ship.with_file_name("notes.txt"), "x").unwrap();
        let mut changed = watch.poll();
        changed.dedup();
        assert!(changed.is_empty() || changed == [ship.clone()]);
        let gone = dir.path().join("nowhere/at/all");
        assert!(FileWatcher::new(Some(&gone), |_| {}).poll().is_empty());
    }
}
