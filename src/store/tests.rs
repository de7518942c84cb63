//! The disk: what is refused, what shadows what, what is written whole.

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
    fs::write(&wide, b"\xff\xfer\0u\0").unwrap();
    assert!(read(&wide).unwrap_err().message.contains("UTF-16"));

    assert_eq!(read(dir.path()).unwrap_err().code, "not-a-file");

    let large = dir.path().join("large.toml");
    fs::File::create(&large).unwrap().set_len(LIMIT_TOML + 1).unwrap();
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
    assert!(save(&dir.path().join("no/such/x.pdf"), b"x").unwrap_err().message.contains("no folder"));
    assert!(save(&path.join("x.pdf"), b"x").unwrap_err().message.contains("no folder"));
    let mut readonly = fs::metadata(&path).unwrap().permissions();
    readonly.set_readonly(true);
    fs::set_permissions(&path, readonly).unwrap();
    assert!(save(&path, b"x").unwrap_err().message.contains("protected"));
}

#[test]
fn pages_are_numbered_only_when_there_are_several() {
    assert_eq!(numbered(Path::new("a/b.svg"), 1, 1), PathBuf::from("a/b.svg"));
    assert_eq!(numbered(Path::new("a/b.svg"), 2, 3), PathBuf::from("a/b-2.svg"));
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
    let (found, findings) = find(&[dir.path().to_path_buf(), empty, dir.path().join("b.toml"), "nowhere".into()]);
    let names: Vec<_> = found
        .iter()
        .map(|found| (found.path.strip_prefix(dir.path()).unwrap_or(&found.path).display().to_string(), found.named))
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
    assert!(store.list(Kind::Ruleset).iter().any(|listed| listed.id == "mine" && !listed.built_in));
    assert!(Store::open(Some(&dir.path().join("none"))).is_err());
}

#[test]
fn built_in_designs_can_be_named_from_anywhere() {
    let (found, findings) = find(&["designs/wars-of-honor/".into()]);
    assert!(findings.is_empty());
    assert!(found.len() >= 10);
    let listed = Store::built_in().list(Kind::Design);
    assert!(listed.iter().any(|one| one.id == "wars-of-honor/vigilant" && one.built_in));
    assert!(Store::built_in().list(Kind::Template).iter().all(|one| one.id.ends_with(".svg")));
}
