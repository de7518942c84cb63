//! What packages are made of agrees with itself and with the program: icon, types of files.

use std::fs;
use std::path::{Path, PathBuf};

use resvg::{tiny_skia, usvg};

use crate::support::expected::blessing;
use crate::support::program::Folder;

fn packaging(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging").join(name)
}

#[test]
fn the_windows_icon_is_the_picture_of_its_drawing() {
    let svg = fs::read_to_string(packaging("moldloft.svg")).unwrap();
    let tree = usvg::Tree::from_str(&svg, &usvg::Options::default()).unwrap();
    let mut drawn = tiny_skia::Pixmap::new(64, 64).unwrap();
    resvg::render(&tree, tiny_skia::Transform::identity(), &mut drawn.as_mut());
    if blessing() {
        fs::write(packaging("icon.png"), drawn.encode_png().unwrap()).unwrap();
    }
    let kept = tiny_skia::Pixmap::decode_png(&fs::read(packaging("icon.png")).unwrap()).unwrap();
    assert!(kept == drawn, "packaging/icon.png is not packaging/moldloft.svg; BLESS=1 draws it");
}

#[test]
fn a_desktop_opens_every_type_that_it_is_told_of() {
    let types = fs::read_to_string(packaging("moldloft-mime.xml")).unwrap();
    let types: Vec<&str> =
        types.split("<mime-type type=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(types.len(), 3);
    let entry = fs::read_to_string(packaging("moldloft.desktop")).unwrap();
    let opened = entry.lines().find_map(|line| line.strip_prefix("MimeType=")).unwrap();
    assert_eq!(opened.trim_end_matches(';').split(';').collect::<Vec<_>>(), types);
    let shop = fs::read_to_string(packaging("moldloft.metainfo.xml")).unwrap();
    for one in types {
        assert!(shop.contains(&format!("<mediatype>{one}</mediatype>")), "{one}");
    }
}

/// Names with which a desktop knows a file mean the same as plain ones.
#[test]
fn names_with_two_endings_are_as_good() {
    let ship = include_str!("cases/wars-of-honor/good/dd.toml");
    let fleet = b"ruleset = \"wars-of-honor\"\n[[ship]]\ndesign = \"Bodkin\"\n";
    let folder = Folder::with(&[("bodkin.ship.toml", ship.as_bytes()), ("raiders.fleet.toml", fleet)]);
    let pages = ["pack", "raiders.fleet.toml", "--only", "roster", "--svg-text", "embedded", "-o", "roster.svg"];
    folder.run(&pages).expect(0);
    let roster = fs::read_to_string(folder.path("roster.svg")).unwrap();
    assert!(roster.contains("raiders") && !roster.contains("raiders.fleet"), "a fleet without a name has its file's");
    folder.run(&["check", "."]).expect(0).says("1 design: 1 legal; 1 fleet: 1 legal");
}
