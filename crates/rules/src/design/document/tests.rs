//! Tests: each edit changes what it should and nothing else.

use toml_edit::Value;

use super::{Document, TableList, TablePath};

const TEXT: &str = "\u{feff}# mine\r\nruleset = 'x'   # the game\r\n\r\n[fields]\r\nnation = \"a\"  # ours\r\n\r\n\
                    # guns\r\n[[fit]]\r\nsystem='laser'\r\ncount = 2 # two\r\n";

fn edited(text: &str, edit: impl FnOnce(&mut Document) -> Result<(), moldloft_base::finding::Finding>) -> String {
    let mut document = Document::parse(text).unwrap();
    edit(&mut document).unwrap();
    document.to_text()
}

#[test]
fn unchanged_is_byte_for_byte() {
    for text in [TEXT, "", "a = 1", "a = 1\r\nb = 2\nc = 3\r\n", "\u{feff}", "a = '''\r\nx\r\n'''\r\n"] {
        assert_eq!(Document::parse(text).unwrap().to_text(), text);
    }
}

#[test]
fn a_change_touches_nothing_else() {
    let new = edited(TEXT, |document| {
        document.set(&TablePath::Fields, "nation", "haven")?;
        document.set(&TablePath::Fit(0), "count", 3)?;
        assert!(document.set(&TablePath::Fit(1), "count", 3).is_err());
        document.set(&TablePath::Fit(0), "system", "laser")
    });
    assert_eq!(new, TEXT.replace("\"a\"", "\"haven\"").replace("count = 2", "count = 3"));
}

#[test]
fn what_is_missing_is_added() {
    let new = edited("ruleset = 'x'\nfit = [{ system = 'a' }] # one\n", |document| {
        document.set(&TablePath::Fields, "agile", true)?;
        document.set(&TablePath::Fit(0), "count", 4)
    });
    assert_eq!(new, "ruleset = 'x'\nfit = [{ system = 'a', count = 4 }] # one\n\n[fields]\nagile = true\n");
    let new = edited("# a\n\n[[fit]]\nsystem = 'a'\n", |document| {
        document.set(&TablePath::Fields, "agile", true)?;
        document.set(&TablePath::Top, "name", "N")?;
        document.set(&TablePath::Top, "ruleset", "r")?;
        document.set(&TablePath::Top, "notes", "two\nlines")
    });
    assert_eq!(
        new,
        "# a\n\nruleset = \"r\"\nname = \"N\"\nnotes = \"\"\"\ntwo\nlines\"\"\"\n\n[fields]\nagile = true\n\n[[fit]]\nsystem = 'a'\n"
    );
    let new = edited("fields.a = 1 # first\nname = 'n'", |document| {
        document.set(&TablePath::Fields, "b", 2)?;
        document.set(&TablePath::Top, "ruleset", "r")
    });
    assert_eq!(new, "ruleset = \"r\"\nfields.a = 1 # first\nfields.b = 2\nname = 'n'");
    assert_eq!(
        edited("name = 'n'", |document| document.set(&TablePath::Top, "notes", "x")),
        "name = 'n'\nnotes = \"x\"\n"
    );
    assert_eq!(
        edited("#:schema x\n[fields]\n", |document| document.set(&TablePath::Top, "name", "x")),
        "#:schema x\nname = \"x\"\n\n[fields]\n"
    );
}

#[test]
fn text_of_several_lines_says_the_same_whatever_the_line_ends() {
    let new = edited("name = 'n'\r\n", |document| document.set(&TablePath::Top, "notes", "one\n\"two\"\\\u{1}"));
    assert_eq!(new, "name = 'n'\r\nnotes = \"one\\n\\\"two\\\"\\\\\\u0001\"\r\n");
}

#[test]
fn what_is_taken_out_leaves_its_comments() {
    let text = "[fields]\n# above\na = [ # in\n  1, # one\n] # behind\nb = { x = 1, y = 2 }\nc.d = 1 # deep\nc.e = 2\n";
    let new = edited(text, |document| {
        document.unset(&TablePath::Fields, "a")?;
        document.unset(&TablePath::Fields, "c")?;
        document.unset(&TablePath::Fields, "none")
    });
    assert_eq!(new, "[fields]\n# above\n# in\n# one\n# behind\nb = { x = 1, y = 2 }\n# deep\n");
    let new = edited(text, |document| document.set(&TablePath::Fields, "a", 7));
    assert_eq!(new, text.replace("a = [ # in\n  1, # one\n]", "# in\n# one\na = 7"));
    let new = edited(text, |document| document.set(&TablePath::Fields, "c", 7));
    assert_eq!(new, text.replace("c.d = 1 # deep\nc.e = 2\n", "c = 7\n# deep\n"));
}

const FITS: &str = "name = 'n'\n\n# the guns\n\n# first\n[[fit]]\nsystem = 'a' # a\n# behind a\n\n# apart\n\n[[fit]]\nsystem = 'b'\n\n  \
                    [fit.load]\n  x = 1\n\n[fields]\nf = 1\n";

#[test]
fn fits_come_and_go_with_their_own_comments() {
    let new = edited(FITS, |document| document.remove(&TableList::Fits, 0));
    assert_eq!(new, FITS.replace("# first\n[[fit]]\nsystem = 'a' # a\n# behind a\n\n", ""));
    let new = edited(FITS, |document| document.remove(&TableList::Fits, 1));
    assert_eq!(new, FITS.replace("[[fit]]\nsystem = 'b'\n\n  [fit.load]\n  x = 1\n\n", ""));
    let new = edited(FITS, |document| {
        assert_eq!(document.add_fit(9, "c", Some("port"), 1, &[("laser-heads", Value::from(2))])?, 2);
        assert_eq!(document.count(&TableList::Fits), 3);
        Ok(())
    });
    assert_eq!(
        new,
        FITS.replace("  x = 1\n", "  x = 1\n\n[[fit]]\nsystem = \"c\"\nmount = \"port\"\nlaser-heads = 2\n")
    );
    let moved = edited(FITS, |document| document.reorder(&TableList::Fits, 0, 1));
    assert_eq!(
        moved,
        "name = 'n'\n\n# the guns\n\n# apart\n\n[[fit]]\nsystem = 'b'\n\n  [fit.load]\n  x = 1\n\n# first\n[[fit]]\nsystem = 'a' # a\n\
         # behind a\n\n[fields]\nf = 1\n"
    );
    assert_eq!(
        edited(&moved, |document| document.reorder(&TableList::Fits, 1, 0)).lines().count(),
        FITS.lines().count()
    );
    assert_eq!(
        edited("name = 'n'\n[[system]]\nid='s'\n", |document| document.add_fit(0, "s", None, 2, &[]).map(drop)),
        "name = 'n'\n[[fit]]\nsystem = \"s\"\ncount = 2\n\n[[system]]\nid='s'\n"
    );
    assert_eq!(
        edited("name = 'n'", |document| document.add_fit(0, "s", None, 1, &[]).map(drop)),
        "name = 'n'\n\n[[fit]]\nsystem = \"s\"\n"
    );
}

#[test]
fn fits_in_an_array_stay_in_it() {
    let text = "fit = [ # all\n  { system = 'a' }, # one\n  # two\n  { system = 'b' }\n]\n";
    let new = edited(text, |document| document.add_fit(1, "c", None, 1, &[]).map(drop));
    assert_eq!(
        new,
        "fit = [ # all\n  { system = 'a' }, # one\n  { system = \"c\" },\n  # two\n  { system = 'b' }\n]\n"
    );
    let new = edited(text, |document| document.add_fit(5, "c", None, 1, &[]).map(drop));
    assert_eq!(
        new,
        "fit = [ # all\n  { system = 'a' }, # one\n  # two\n  { system = 'b' },\n  { system = \"c\" }\n]\n"
    );
    assert_eq!(
        edited(text, |document| document.reorder(&TableList::Fits, 0, 1)),
        "fit = [ # all\n  # two\n  { system = 'b' },\n  { system = 'a' } # one\n]\n"
    );
    assert_eq!(
        edited(text, |document| document.remove(&TableList::Fits, 0)),
        "fit = [ # all\n  # two\n  { system = 'b' }\n]\n"
    );
    assert_eq!(
        edited(text, |document| document.remove(&TableList::Fits, 1)),
        "fit = [ # all\n  { system = 'a' } # one\n]\n"
    );
    let text = "fit = [{system='a'}, 1, {system='b'}]";
    assert_eq!(
        edited(text, |document| document.reorder(&TableList::Fits, 1, 0)),
        "fit = [{system='b'}, {system='a'}, 1]"
    );
    assert_eq!(
        edited(text, |document| document.set(&TablePath::Fit(1), "count", 2)),
        "fit = [{system='a'}, 1, {system='b', count = 2}]"
    );
    let text = "[fit]\nsystem = 'a'\n";
    assert_eq!(
        edited(text, |document| document.add_fit(1, "b", None, 1, &[]).map(drop)),
        "[[fit]]\nsystem = 'a'\n\n[[fit]]\nsystem = \"b\"\n"
    );
    let text = "fit = { system = 'a' }\n";
    assert_eq!(
        edited(text, |document| document.add_fit(1, "b", None, 1, &[]).map(drop)),
        "fit = [{ system = 'a' }, { system = \"b\" }]\n"
    );
    assert!(Document::parse("fit.system = 'a'\n").unwrap().add_fit(1, "b", None, 1, &[]).is_err());
}

#[test]
fn rows_are_kept_in_their_form() {
    let cells = [("speed", Value::from(3)), ("delay", Value::from(1))];
    let inline =
        "[fields]\nmovement = [\n  { speed = 1 }, # slow\n  { speed = 2 },\n]\nhits = [{ a = 1 }, { a = 2 }]\n";
    let new = edited(inline, |document| {
        document.insert(&TableList::Rows("movement".into()), 9, &cells)?;
        document.set(&TablePath::Row { field: "movement".into(), row: 1 }, "half", 4)?;
        document.reorder(&TableList::Rows("movement".into()), 0, 2)?;
        document.remove(&TableList::Rows("movement".into()), 1)?;
        document.reorder(&TableList::Rows("hits".into()), 1, 0)?;
        document.insert(&TableList::Rows("hits".into()), 0, &[("a", Value::from(0))])?;
        document.remove(&TableList::Rows("hits".into()), 2)
    });
    assert_eq!(
        new,
        "[fields]\nmovement = [\n  { speed = 2, half = 4 },\n  { speed = 1 }, # slow\n]\nhits = [{ a = 0 }, { a = 2 }]\n"
    );
    let new = edited(inline, |document| document.remove(&TableList::Rows("movement".into()), 0));
    assert_eq!(new, inline.replace("  { speed = 1 }, # slow\n", "  # slow\n"));
    let new =
        edited("name = 'n'\n", |document| document.insert(&TableList::Rows("movement".into()), 0, &cells).map(drop));
    assert_eq!(new, "name = 'n'\n\n[fields]\nmovement = [\n  { speed = 3, delay = 1 },\n]\n");
    let tables = "[fields]\na = 1\n\n[[fields.movement]]\nspeed = 1 # slow\n[[fields.movement]]\nspeed = 2\n";
    let new = edited(tables, |document| {
        document.set(&TablePath::Row { field: "movement".into(), row: 1 }, "speed", 4)?;
        document.insert(&TableList::Rows("movement".into()), 0, &cells)?;
        document.remove(&TableList::Rows("movement".into()), 1)
    });
    assert_eq!(
        new,
        "[fields]\na = 1\n\n[[fields.movement]]\nspeed = 3\ndelay = 1\n# slow\n[[fields.movement]]\nspeed = 4\n"
    );
    let new = edited(tables, |document| document.set(&TablePath::Fields, "movement", 3));
    assert_eq!(new, "[fields]\na = 1\nmovement = 3\n\n# slow\n");
    assert!(Document::parse("fields = 1").unwrap().set(&TablePath::Fields, "a", 1).is_err());
    assert!(Document::parse("[fields]\nm = 1").unwrap().insert(&TableList::Rows("m".into()), 0, &cells).is_err());
}

#[test]
fn fits_are_copied_with_the_systems_they_need() {
    let from = "ruleset='r'\r\n[[fit]]\r\nsystem='gun' # mine\r\ncount=2\r\n\r\n[[fit]]\r\nsystem='laser'\r\n\r\n[[system]]\r\nid='gun'\r\nlike='laser'\r\nmass=3\r\n";
    let from = Document::parse(from).unwrap();
    assert_eq!(from.fits_text(&[1, 7]), "[[fit]]\nsystem='laser'\n");
    let text = from.fits_text(&[0]);
    assert_eq!(text, "[[fit]]\nsystem='gun' # mine\ncount=2\n\n[[system]]\nid='gun'\nlike='laser'\nmass=3\n");

    let mut same = from.clone();
    assert_eq!(same.insert_fits(&text, 1).unwrap(), [1]);
    assert_eq!((same.count(&TableList::Fits), same.count(&TableList::CustomSystems)), (3, 1));

    let mut other = Document::parse("fit = [{ system = 'gun' }]\nsystem = [{ id = 'gun', mass = 4 }]\n").unwrap();
    assert_eq!(other.insert_fits(&text, 9).unwrap(), [1]);
    assert_eq!(
        other.to_text(),
        "fit = [{ system = 'gun' }, { system = \"gun-2\", count = 2 }]\n\
         system = [{ id = 'gun', mass = 4 }, { id = \"gun-2\", like = \"laser\", mass = 3 }]\n"
    );
    let mut empty = Document::parse("name = 'n'\n").unwrap();
    assert_eq!(empty.insert_fits(&other.fits_text(&[1, 0]), 0).unwrap(), [0, 1]);
    assert_eq!(
        empty.to_text(),
        "name = 'n'\n\n[[fit]]\nsystem = \"gun-2\"\ncount = 2\n\n[[fit]]\nsystem = \"gun\"\n\n[[system]]\nid = \"gun-2\"\nlike = \"laser\"\n\
         mass = 3\n\n[[system]]\nid = \"gun\"\nmass = 4\n"
    );
}

#[test]
fn nothing_but_fits_is_pasted() {
    let mut document = Document::parse("name = 'n'\n").unwrap();
    let long = "[[fit]]\nsystem='a'\n".repeat(501);
    let huge = format!("{}{}", "[[fit]]\nsystem='a'\n", "#".repeat(200_000));
    for (text, word) in [
        ("", "nothing"),
        ("Hello there", "invalid TOML"),
        ("name = 'x'", "no systems"),
        ("fit = 3", "no systems"),
        (long.as_str(), "501"),
        (huge.as_str(), "bytes"),
    ] {
        let finding = document.insert_fits(text, 0).unwrap_err();
        assert!(finding.message.contains(word) && finding.help.is_some(), "{}", finding.message);
    }
    assert_eq!(document.to_text(), "name = 'n'\n");
}
