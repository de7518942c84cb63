//! What the fuzz target `document` and the corpus test do with an input: take it as the text of a design or fleet and change single places of it. Bytes
//! that are no text are replaced.

use moldloft::design::fleet::Fleet;
use moldloft::design::{Document, TableList, TablePath};
use moldloft::finding::Finding;
use moldloft::source::Source;

type Change = fn(&mut Document) -> Result<(), Finding>;

const PIECE: &str = "[[fit]]\nsystem = \"own\"\n# a note\n[[system]]\nid = \"own\"\nlike = \"gun\"\n";

const CHANGES: &[Change] = &[
    |document| document.set(&TablePath::Top, "name", "a \"quoted\"\nname \\ '''"),
    |document| document.unset(&TablePath::Top, "name"),
    |document| document.set(&TablePath::Fields, "hull", 7),
    |document| document.unset(&TablePath::Fields, "hull"),
    |document| document.set(&TablePath::Fit(0), "count", 3),
    |document| document.unset(&TablePath::Fit(0), "count"),
    |document| document.add_fit(1, "gun", Some("bow"), 2, &[("load", "x".into())]).map(drop),
    |document| document.remove(&TableList::Fits, 0),
    |document| document.reorder(&TableList::Fits, 0, 1),
    |document| document.reorder(&TableList::Fits, document.count(&TableList::Fits).saturating_sub(1), 0),
    |document| document.insert_fits(PIECE, 1).map(drop),
    |document| document.insert_fits(&document.fits_text(&[0, 1]), 0).map(drop),
    |document| document.add_custom_system("own", "gun", &[("mass", 4.into())]).map(drop),
    |document| document.set(&TablePath::CustomSystem(0), "mass", 5),
    |document| document.remove(&TableList::CustomSystems, 0),
    |document| document.insert(&TableList::Ships, 0, &[("design", "Petrel".into())]).map(drop),
    |document| document.duplicate_ship(0).map(drop),
    |document| document.remove(&TableList::Ships, 0),
    |document| document.reorder(&TableList::Ships, 0, 1),
    |document| document.set(&TablePath::Ship(0), "name", "HMS 漢"),
    |document| document.split_ship(0),
    |document| document.remove(&TableList::Carried { ship: 0, relation: "tow".into() }, 0),
    |document| document.insert(&TableList::Groups, usize::MAX, &[("id", "one".into())]).map(drop),
    |document| document.remove(&TableList::Groups, 0),
    |document| document.embed("name = \"Tern\"\n[[fit]]\nsystem = \"gun\"\n").map(drop),
    |document| document.remove(&TableList::Designs, 0),
    |document| document.set(&TablePath::Row { field: "rows".into(), row: 0 }, "name", "x"),
    |document| document.insert(&TableList::Rows("rows".into()), 0, &[("name", "y".into())]).map(drop),
    |document| document.remove(&TableList::Rows("rows".into()), 0),
    |document| document.reorder(&TableList::Rows("rows".into()), 0, 1),
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
                assert_eq!(
                    after.count(&TableList::Fits),
                    changed.count(&TableList::Fits),
                    "change {number}\n{}",
                    changed.text()
                );
                assert_eq!(
                    after.count(&TableList::Ships),
                    changed.count(&TableList::Ships),
                    "change {number}\n{}",
                    changed.text()
                );
                let _ = Fleet::read(&Source::new("f.toml", changed.text()));
            }
            Err(finding) => {
                assert_eq!(changed.to_text(), text, "change {number} was refused, and changed");
                assert!(!finding.message.is_empty());
            }
        }
    }
}
