//! The program killed while it saves: this test starts itself again as a child that saves designs and drafts without a
//! pause, kills it at a bad moment, and looks at what stands there, two hundred times over. Nothing that was said to be
//! saved may be lost, nothing may be half written, and no rubbish may stay.

#![cfg(unix)]
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use moldloft::design::{Design, Document, TablePath};
use moldloft::source::Source;
use moldloft::store::{ContentHash, Draft, Drafts, read_hashed, save_over};

const CHILD: &str = "MOLDLOFT_KILLED_CHILD";
const ROUNDS: usize = 200;
/// Designs saved in turn, and drafts kept beside them.
const SHIPS: usize = 3;

/// Version `version` of a ship's file: a design of a few to some hundred lines, not the same twice.
fn text(ship: usize, version: usize) -> String {
    let mut text = format!("# kept by hand\nruleset = \"x\"\nname = \"Ship {ship}\"\nnotes = \"{version}\"\n");
    for fit in 0..(version * 37 + ship * 11) % 150 {
        text.push_str(&format!("\n[[fit]]\nsystem = \"laser-{fit}\"\ncount = {}\n", (version + fit) % 9_999));
    }
    text
}

fn ship_file(folder: &Path, ship: usize) -> PathBuf {
    folder.join(format!("designs/ship-{ship}.toml"))
}

fn draft(folder: &Path, ship: usize, version: usize) -> Draft {
    Draft {
        path: Some(ship_file(folder, ship)),
        content_hash: ContentHash::of_bytes(b"x"),
        ruleset: "x".to_owned(),
        name: format!("Ship {ship}"),
        text: text(ship, version),
    }
}

/// The version that a whole text is; fails on any text that was never written.
fn version_of(ship: usize, found: &str) -> usize {
    let design = Design::read(&Source::new("x.toml", found)).unwrap_or_else(|findings| panic!("{findings:?}\n{found}"));
    let notes = design.notes.unwrap_or_else(|| panic!("cut off:\n{found}"));
    let version = notes.text.parse().unwrap();
    assert!(found == text(ship, version), "ship {ship}, version {version} is not what was written");
    version
}

/// Saves until it is killed. Each line says what was surely saved.
#[test]
fn child() {
    let Some(folder) = std::env::var_os(CHILD).map(PathBuf::from) else { return };
    let mut drafts = Drafts::open(&folder.join("drafts")).unwrap();
    let mut hashes = [ContentHash::Absent; SHIPS];
    let mut version = 0;
    for (ship, hash) in hashes.iter_mut().enumerate() {
        if let Ok((found, now)) = read_hashed(&ship_file(&folder, ship)) {
            *hash = now;
            version = version.max(version_of(ship, &found));
        }
    }
    let say = |what: &str, ship: usize, version: usize| {
        let mut out = std::io::stdout().lock();
        writeln!(out, "\n{what} {ship} {version} .").unwrap();
        out.flush().unwrap();
    };
    loop {
        version += 1;
        let ship = version % SHIPS;
        drafts.save_draft(ship as u64, &draft(&folder, ship, version)).unwrap();
        say("draft", ship, version);
        // An edit by the form's own means now and then, so that the whole way is walked.
        let mut new = text(ship, version);
        if version.is_multiple_of(5) {
            let mut document = Document::parse(&text(ship, version)).unwrap();
            document.set(&TablePath::Top, "notes", "other").unwrap();
            document.set(&TablePath::Top, "notes", version.to_string()).unwrap();
            new = document.to_text();
        }
        hashes[ship] = save_over(&ship_file(&folder, ship), new.as_bytes(), Some(hashes[ship])).unwrap();
        say("saved", ship, version);
        if version.is_multiple_of(4) {
            say("dropping", ship, version);
            drafts.remove(ship as u64).unwrap();
        }
    }
}

fn parts(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).unwrap();
    entries.filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().ends_with(".part")).count()
}

#[test]
fn nothing_is_lost_when_the_program_is_killed_while_it_saves() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    fs::create_dir(folder.join("designs")).unwrap();
    let mut saved = [0; SHIPS];
    let mut left_over = 0;
    for round in 0..ROUNDS {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["kill::child", "--exact", "--nocapture", "--test-threads=1"])
            .env(CHILD, folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        // So many lines, then a while that is another each time: the child is anywhere in its work by then.
        let wanted = 1 + round * 7_919 % 7;
        let is_said = |line: &String| line.ends_with('.') && line.split(' ').count() == 4;
        let mut said: Vec<String> = lines.by_ref().filter(is_said).take(wanted).collect();
        assert_eq!(said.len(), wanted, "the child stopped by itself");
        for step in 0..round * 104_729 % 60_000 {
            std::hint::black_box(step);
        }
        child.kill().unwrap();
        child.wait().unwrap();
        said.extend(lines.filter(is_said));

        let mut drafted: [Option<usize>; SHIPS] = [None; SHIPS];
        for line in &said {
            let words: Vec<&str> = line.split(' ').collect();
            let (ship, version): (usize, usize) = (words[1].parse().unwrap(), words[2].parse().unwrap());
            match words[0] {
                "saved" => saved[ship] = version,
                "draft" => drafted[ship] = Some(version),
                _ => drafted[ship] = None,
            }
        }
        for (ship, confirmed) in saved.iter_mut().enumerate() {
            match fs::read_to_string(ship_file(folder, ship)) {
                Ok(found) => {
                    let version = version_of(ship, &found);
                    assert!(version >= *confirmed, "round {round}: {version} stands there, {confirmed} was saved");
                    *confirmed = version;
                }
                Err(_) => assert_eq!(*confirmed, 0, "round {round}: the file is gone"),
            }
        }
        let rubbish = parts(&folder.join("designs"));
        assert!(rubbish <= 1, "round {round}: {rubbish} files half written");
        left_over += rubbish;

        // The next start: what was not dropped is offered, whole, and nothing else.
        let mut drafts = Drafts::open(&folder.join("drafts")).unwrap();
        let (lost, findings) = drafts.leftover_drafts();
        assert!(findings.is_empty(), "round {round}: {findings:?}");
        for (ship, confirmed) in drafted.iter().enumerate() {
            let found = lost.iter().find(|lost| lost.draft.path.as_deref() == Some(&*ship_file(folder, ship)));
            let version = found.map(|lost| version_of(ship, &lost.draft.text));
            assert!(version >= *confirmed, "round {round}: draft {version:?}, {confirmed:?} was kept");
        }
        assert!(lost.len() <= SHIPS);
        for lost in &lost {
            drafts.discard(lost).unwrap();
        }
        drop(drafts);
        let left: Vec<_> = fs::read_dir(folder.join("drafts")).unwrap().collect();
        assert!(left.is_empty(), "round {round}: {left:?}");

        // The next save clears the folder.
        if round % 10 == 9 {
            let file = ship_file(folder, 0);
            let (found, hash) = read_hashed(&file).unwrap();
            save_over(&file, found.as_bytes(), Some(hash)).unwrap();
            assert_eq!(parts(&folder.join("designs")), 0);
        }
    }
    println!("{ROUNDS} rounds, versions {saved:?}, {left_over} half-written files cleared away");
}
