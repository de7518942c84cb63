//! What the fuzz target `document` and the corpus test do with an input: take it as the text of a design or fleet and change single places of it. Bytes
//! that are no text are replaced.

use moldloft::design::Document;
use moldloft::design::fleet::Fleet;
use moldloft::finding::Finding;
use moldloft::source::Source;

type Change = fn(&mut Document) -> Result<(), Finding>;

const PIECE: &str = "[[fit]]\nsystem = \"own\"\n# a note\n[[system]]\nid = \"own\"\nlike = \"gun\"\n";

const CHANGES: &[Change] = &[
    |document| document.set_top("name", "a \"quoted\"\nname \\ '''"),
    |document| document.remove_top("name"),
    |document| document.set_field("hull", 7),
    |document| document.remove_field("hull"),
    |document| document.set_fit(0, "count", 3),
    |document| document.remove_fit_key(0, "count"),
    |document| document.add_fit(1, "gun", Some("bow"), 2, &[("load", "x".into())]).map(drop),
    |document| document.remove_fit(0),
    |document| document.move_fit(0, 1),
    |document| document.move_fit(document.fit_count().saturating_sub(1), 0),
    |document| document.insert_fits(PIECE, 1).map(drop),
    |document| document.insert_fits(&document.fits_text(&[0, 1]), 0).map(drop),
    |document| document.add_system("own", "gun", &[("mass", 4.into())]).map(drop),
    |document| document.set_system(0, "mass", 5),
    |document| document.remove_system(0),
    |document| document.add_ship(0, &[("design", "Petrel".into())]).map(drop),
    |document| document.copy_ship(0).map(drop),
    |document| document.remove_ship(0),
    |document| document.move_ship(0, 1),
    |document| document.set_ship(0, "name", "HMS 漢"),
    |document| document.split_ship(0),
    |document| document.remove_carried(0, "tow", 0),
    |document| document.add_group(&[("id", "one".into())]).map(drop),
    |document| document.remove_group(0),
    |document| document.embed("name = \"Tern\"\n[[fit]]\nsystem = \"gun\"\n").map(drop),
    |document| document.remove_design(0),
    |document| document.set_cell("rows", 0, "name", "x"),
    |document| document.add_row("rows", 0, &[("name", "y".into())]).map(drop),
    |document| document.remove_row("rows", 0),
    |document| document.move_row("rows", 0, 1),
];

/// Runs one input.
///
/// # Panics
/// When a promise about changing files is broken.
pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let Ok(document) = Document::parse(&text) else { return };
    assert_eq!(document.to_text(), text, "what is not changed stays");
    for (number, change) in CHANGES.iter().enumerate() {
        let mut changed = document.clone();
        match change(&mut changed) {
            Ok(()) => {
                let after = Document::parse(&changed.to_text());
                let after = after.unwrap_or_else(|why| panic!("change {number}: {why}\n{}", changed.text()));
                assert_eq!(after.fit_count(), changed.fit_count(), "change {number}\n{}", changed.text());
                assert_eq!(after.ship_count(), changed.ship_count(), "change {number}\n{}", changed.text());
                let _ = Fleet::read(&Source::new("f.toml", changed.text()));
            }
            Err(finding) => {
                assert_eq!(changed.to_text(), text, "change {number} was refused, and changed");
                assert!(!finding.message.is_empty());
            }
        }
    }
}
