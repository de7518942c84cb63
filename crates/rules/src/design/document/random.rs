//! Property tests: random edits of the sample designs and of oddly written files leave a valid design with the intended
//! values, and lose no comment but those of a removed fit or system.

use std::collections::BTreeMap;

use include_dir::{Dir, include_dir};
use proptest::prelude::*;
use toml_edit::Value;

use super::super::Design;
use super::{Document, TableList, TablePath};
use moldloft_base::source::Source;
use moldloft_base::source::toml::{TomlTable, TomlValue, parse};

static SAMPLES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../designs");

const ODD: [&str; 12] = [
    "",
    "# only a comment",
    "ruleset = 'x'\r\n# one\r\n[fields] # two\r\na = 1 # three\r\n\r\n# four\r\n\r\n[[fit]] # five\r\n# six\r\nsystem = 'a' # seven\r\n# eight\r\n",
    "\u{feff}#:schema x\nruleset = 'x'\nfit = [ # one\n  { system = 'a', count = 2 }, # two\n  # three\n  { system = 'b' } # four\n  # five\n] # six\n",
    "ruleset = 'x'\nfields.a = 1 # one\nfields.m = [{ c = 1 }, { c = 2 }] # two\nfields.'odd key'.b = 2 # three\nfit = []\nsystem = [{ id = 's' }]",
    "fields = { a = 1, m = [ { c = 1 }, # one\n { c = 2 } ], b.c = 3 } # two\nfit = [{ system = 'a' }, 3, { system = 'b' }]\n",
    "[fields]\na = [ # one\n 1, # two\n 2 ] # three\n[[fields.m]] # four\nc = 1 # five\n# six\n[[fields.m]]\nc = 2\n[[fit]]\nsystem='a'\n[[fit]]\nsystem='b'\n[fields.b] # seven\nx = 1\n",
    "[[fit]]\nsystem = 'a'\n  [fit.load] # one\n  x = 1\n\n# two\n[fields]\na = 1\n[fit.more]\n# three\ny = 2\n[[fit]]\nsystem = 'b'\n# four\n\n# five\n",
    "[fit]\nsystem = 'a' # one\n[system]\nid = 's'\n",
    "[[system]]\nid = 's' # one\nmodes = [ { a = 1 } ]\n\n\n# two\n\n\n[[fit]]\nsystem = 's'\n\n\n\n[[fit]]\nsystem = 't'\nwide = 99999999999999999999\n\n\n",
    "name = '''\n# no comment\n''' # one\nnotes = \"# none either\"\n[ fields ] # two\n\"a\" = \"x\\\"#\" # three\n[[ fit ]]\n'system' = \"a\"\n",
    "unknown = 1 # one\n[strange] # two\n[[fit]]\ncount = 2\n[[fit]]\nsystem = 'b'\n[strange.inner]\nx = 1 # three\n",
];

#[derive(Clone, Debug)]
enum RandomEdit {
    Top(usize, Option<u8>),
    Field(usize, Option<u8>),
    Cell(usize, usize, u8),
    AddRow(usize, u8),
    RemoveRow(usize),
    MoveRow(usize, usize),
    Fit(usize, usize, u8),
    RemoveFitKey(usize, usize),
    AddFit(usize, u8),
    RemoveFit(usize),
    MoveFit(usize, usize),
    AddSystem(u8),
    System(usize, u8),
    RemoveSystem(usize),
    Paste(usize, usize, usize),
}

fn edit() -> impl Strategy<Value = RandomEdit> {
    let nth = || 0..6_usize;
    prop_oneof![
        (0..3_usize, proptest::option::of(any::<u8>())).prop_map(|(key, value)| RandomEdit::Top(key, value)),
        (0..4_usize, proptest::option::of(any::<u8>())).prop_map(|(key, value)| RandomEdit::Field(key, value)),
        (nth(), 0..3_usize, any::<u8>()).prop_map(|(row, column, value)| RandomEdit::Cell(row, column, value)),
        (nth(), any::<u8>()).prop_map(|(at, value)| RandomEdit::AddRow(at, value)),
        nth().prop_map(RandomEdit::RemoveRow),
        (nth(), nth()).prop_map(|(from, to)| RandomEdit::MoveRow(from, to)),
        (nth(), 0..4_usize, any::<u8>()).prop_map(|(fit, key, value)| RandomEdit::Fit(fit, key, value)),
        (nth(), 1..4_usize).prop_map(|(fit, key)| RandomEdit::RemoveFitKey(fit, key)),
        (nth(), any::<u8>()).prop_map(|(at, value)| RandomEdit::AddFit(at, value)),
        nth().prop_map(RandomEdit::RemoveFit),
        (nth(), nth()).prop_map(|(from, to)| RandomEdit::MoveFit(from, to)),
        any::<u8>().prop_map(RandomEdit::AddSystem),
        (nth(), any::<u8>()).prop_map(|(system, value)| RandomEdit::System(system, value)),
        nth().prop_map(RandomEdit::RemoveSystem),
        (nth(), nth(), nth()).prop_map(|(one, two, at)| RandomEdit::Paste(one, two, at)),
    ]
}

fn some(value: u8) -> Value {
    match value % 6 {
        0 => Value::from(i64::from(value)),
        1 => Value::from(value > 100),
        2 => Value::from(format!("text {value} # no 'comment' \"\\")),
        3 => Value::from(format!("two\nlines {value}")),
        4 => Value::from_iter([i64::from(value), 2]),
        _ => Value::from_iter([("x", Value::from(i64::from(value))), ("y z", Value::from("\u{7}\r\n"))]),
    }
}

const TOP: [&str; 3] = ["ruleset", "name", "notes"];
const FIELDS: [&str; 4] = ["a", "b", "odd key", "nation"];
const COLUMNS: [&str; 3] = ["c", "d", "hits"];
const FIT: [&str; 4] = ["system", "mount", "count", "load"];

/// The values of a text in an easily edited form: the model that the document is compared with.
#[derive(Clone, Debug, PartialEq)]
enum ModelValue {
    Plain(String),
    List(Vec<ModelValue>),
    Table(BTreeMap<String, ModelValue>),
}

fn model_value(data: &TomlValue<'_>) -> ModelValue {
    match data {
        TomlValue::List(list) => ModelValue::List(list.iter().map(|node| model_value(&node.data)).collect()),
        TomlValue::Table(table) => model_table(table),
        TomlValue::Text(text) => ModelValue::Plain(format!("{text:?}")),
        TomlValue::Int(number) => ModelValue::Plain(number.to_string()),
        TomlValue::Flag(flag) => ModelValue::Plain(flag.to_string()),
        TomlValue::Float(other) => ModelValue::Plain(other.clone().into_owned()),
        TomlValue::Date(other) => ModelValue::Plain(other.clone()),
    }
}

fn model_table(table: &TomlTable<'_>) -> ModelValue {
    ModelValue::Table(
        table.entries.iter().map(|entry| (entry.key.clone().into_owned(), model_value(&entry.node.data))).collect(),
    )
}

fn model_of_text(text: &str) -> ModelValue {
    let (root, faults) = parse(text, 0);
    assert!(faults.is_empty(), "{faults:?}\n{text}");
    model_table(&root)
}

fn model_of_value(value: &Value) -> ModelValue {
    let ModelValue::Table(mut table) = model_of_text(&format!("v = {}", super::toml_text::inline_value(value))) else {
        unreachable!()
    };
    table.remove("v").unwrap()
}

fn table_of<'s>(said: &'s mut ModelValue, key: &str) -> &'s mut BTreeMap<String, ModelValue> {
    let ModelValue::Table(table) = said else { unreachable!() };
    match table.entry(key.to_owned()).or_insert_with(|| ModelValue::Table(BTreeMap::new())) {
        ModelValue::Table(inner) => inner,
        other => panic!("{other:?}"),
    }
}

fn list_of<'s>(table: &'s mut BTreeMap<String, ModelValue>, key: &str) -> &'s mut Vec<ModelValue> {
    let entry = table.entry(key.to_owned()).or_insert_with(|| ModelValue::List(Vec::new()));
    if matches!(entry, ModelValue::Table(_)) {
        *entry = ModelValue::List(vec![entry.clone()]);
    }
    match entry {
        ModelValue::List(list) => list,
        other => panic!("{other:?}"),
    }
}

fn places(list: &[ModelValue]) -> Vec<usize> {
    (0..list.len()).filter(|&at| matches!(list[at], ModelValue::Table(_))).collect()
}

fn root(said: &mut ModelValue) -> &mut BTreeMap<String, ModelValue> {
    let ModelValue::Table(table) = said else { unreachable!() };
    table
}

fn entry<'s>(said: &'s mut ModelValue, key: &str, nth: usize) -> &'s mut BTreeMap<String, ModelValue> {
    let list = match root(said).get_mut(key) {
        Some(ModelValue::Table(table)) => return table,
        Some(ModelValue::List(list)) => list,
        other => panic!("{other:?}"),
    };
    let at = places(list)[nth];
    let ModelValue::Table(table) = &mut list[at] else { unreachable!() };
    table
}

fn shifted(list: &mut Vec<ModelValue>, from: usize, to: usize) {
    let item = list.remove(from);
    list.insert(to, item);
}

/// Makes the edit in the document and, if accepted, in the model. Returns whether comments may have been lost.
fn make(document: &mut Document, model: &mut ModelValue, edit: &RandomEdit) -> bool {
    let before = document.to_text();
    let mut lossy = false;
    let (fits, systems, rows) = (
        document.count(&TableList::Fits),
        document.count(&TableList::CustomSystems),
        document.count(&TableList::Rows("m".into())),
    );
    let made = match *edit {
        RandomEdit::Top(key, Some(value)) => document.set(&TablePath::Top, TOP[key], some(value)).map(|()| {
            root(model).insert(TOP[key].to_owned(), model_of_value(&some(value)));
        }),
        RandomEdit::Top(key, None) => document.unset(&TablePath::Top, TOP[key]).map(|()| {
            root(model).remove(TOP[key]);
        }),
        RandomEdit::Field(key, Some(value)) => document.set(&TablePath::Fields, FIELDS[key], some(value)).map(|()| {
            table_of(model, "fields").insert(FIELDS[key].to_owned(), model_of_value(&some(value)));
        }),
        RandomEdit::Field(key, None) => document.unset(&TablePath::Fields, FIELDS[key]).map(|()| {
            if let Some(ModelValue::Table(fields)) = root(model).get_mut("fields") {
                fields.remove(FIELDS[key]);
            }
        }),
        RandomEdit::Cell(row, column, value) => {
            document.set(&TablePath::Row { field: "m".into(), row }, COLUMNS[column], some(value)).map(|()| {
                let ModelValue::Table(row) = &mut list_of(table_of(model, "fields"), "m")[row] else { panic!("{row}") };
                row.insert(COLUMNS[column].to_owned(), model_of_value(&some(value)));
            })
        }
        RandomEdit::AddRow(at, value) => {
            document.insert(&TableList::Rows("m".into()), at, &[("c", some(value))]).map(|at| {
                let row = ModelValue::Table([("c".to_owned(), model_of_value(&some(value)))].into());
                list_of(table_of(model, "fields"), "m").insert(at, row);
            })
        }
        RandomEdit::RemoveRow(row) => document.remove(&TableList::Rows("m".into()), row).map(|()| {
            list_of(table_of(model, "fields"), "m").remove(row);
        }),
        RandomEdit::MoveRow(from, to) => document.reorder(&TableList::Rows("m".into()), from, to).map(|()| {
            shifted(list_of(table_of(model, "fields"), "m"), from, to.min(rows - 1));
        }),
        RandomEdit::Fit(fit, key, value) => document.set(&TablePath::Fit(fit), FIT[key], some(value)).map(|()| {
            entry(model, "fit", fit).insert(FIT[key].to_owned(), model_of_value(&some(value)));
        }),
        RandomEdit::RemoveFitKey(fit, key) => document.unset(&TablePath::Fit(fit), FIT[key]).map(|()| {
            entry(model, "fit", fit).remove(FIT[key]);
        }),
        RandomEdit::AddFit(at, value) => {
            document.add_fit(at, "new", Some("port"), 1, &[("load", some(value))]).map(|nth| {
                assert_eq!(nth, at.min(fits));
                let list = list_of(root(model), "fit");
                let place = places(list).get(nth).copied().unwrap_or(list.len());
                let pairs = [("system", Value::from("new")), ("mount", Value::from("port")), ("load", some(value))];
                let pairs = pairs.map(|(key, value)| (key.to_owned(), model_of_value(&value)));
                list.insert(place, ModelValue::Table(pairs.into()));
            })
        }
        RandomEdit::RemoveFit(fit) => document.remove(&TableList::Fits, fit).map(|()| {
            lossy = true;
            let list = list_of(root(model), "fit");
            list.remove(places(list)[fit]);
        }),
        RandomEdit::MoveFit(from, to) => document.reorder(&TableList::Fits, from, to).map(|()| {
            if from != to.min(fits - 1) {
                let list = list_of(root(model), "fit");
                let places = places(list);
                shifted(list, places[from], places[to.min(fits - 1)]);
            }
        }),
        RandomEdit::AddSystem(value) => {
            document.add_custom_system(&format!("own-{value}"), "laser", &[("boxes", some(value))]).map(|nth| {
                assert_eq!(nth, systems);
                let pairs = [
                    ("id", Value::from(format!("own-{value}"))),
                    ("like", Value::from("laser")),
                    ("boxes", some(value)),
                ];
                let pairs = pairs.map(|(key, value)| (key.to_owned(), model_of_value(&value)));
                list_of(root(model), "system").push(ModelValue::Table(pairs.into()));
            })
        }
        RandomEdit::System(system, value) => {
            document.set(&TablePath::CustomSystem(system), "modes", some(value)).map(|()| {
                entry(model, "system", system).insert("modes".to_owned(), model_of_value(&some(value)));
            })
        }
        RandomEdit::RemoveSystem(system) => document.remove(&TableList::CustomSystems, system).map(|()| {
            lossy = true;
            let list = list_of(root(model), "system");
            list.remove(places(list)[system]);
        }),
        RandomEdit::Paste(one, two, at) => {
            let text = document.fits_text(&[one, two]);
            document.insert_fits(&text, at).map(|new| {
                let from: Vec<usize> = [one, two].into_iter().filter(|fit| *fit < fits).collect();
                assert_eq!(new.len(), from.len());
                let tables: Vec<ModelValue> =
                    from.into_iter().map(|fit| ModelValue::Table(entry(model, "fit", fit).clone())).collect();
                let list = list_of(root(model), "fit");
                let place = places(list).get(new[0]).copied().unwrap_or(list.len());
                list.splice(place..place, tables);
            })
        }
    };
    match made {
        Ok(()) => {
            for list in ["fit", "system"] {
                if root(model).get(list) == Some(&ModelValue::List(Vec::new())) && !of_says(document, list) {
                    root(model).remove(list);
                }
            }
            let now = root(&mut model_of_text(document.text())).get("fields").cloned();
            let has_rows = matches!(&now, Some(ModelValue::Table(fields)) if fields.contains_key("m"));
            if let Some(ModelValue::Table(fields)) = root(model).get_mut("fields")
                && fields.get("m") == Some(&ModelValue::List(Vec::new()))
                && !has_rows
            {
                fields.remove("m");
            }
            if now.is_none() && root(model).get("fields") == Some(&ModelValue::Table(BTreeMap::new())) {
                root(model).remove("fields");
            }
        }
        Err(finding) => {
            assert_eq!(document.to_text(), before, "{finding:?}");
            assert!(finding.help.is_some());
        }
    }
    lossy
}

fn of_says(document: &Document, key: &str) -> bool {
    root(&mut model_of_text(document.text())).contains_key(key)
}

fn comments(document: &Document) -> BTreeMap<String, usize> {
    let mut all = BTreeMap::new();
    for range in &document.tree.comments {
        *all.entry(document.text[range.clone()].trim_end().to_owned()).or_insert(0) += 1;
    }
    all
}

fn files() -> Vec<String> {
    let folders = SAMPLES.dirs().flat_map(|dir| dir.files());
    let samples = folders.filter_map(|file| file.contents_utf8().map(str::to_owned));
    let mut files: Vec<String> = samples.collect();
    files.sort();
    let windows: Vec<String> = files.iter().step_by(7).map(|text| text.replace('\n', "\r\n")).collect();
    files.extend(windows);
    files.extend(ODD.map(str::to_owned));
    files.extend(ODD.map(|text| text.replace("\r\n", "\n").replace('\n', "\r\n")));
    files
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_edited_the_file_says_what_was_meant(
        file in any::<prop::sample::Index>(),
        edits in proptest::collection::vec(edit(), 1..14),
    ) {
        let files = files();
        let text: &String = file.get(&files);
        let mut document = Document::parse(text).unwrap();
        let mut model = model_of_text(document.text());
        for edit in &edits {
            let before = comments(&document);
            let lines = document.text.matches('\n').count();
            let windows = document.text.matches("\r\n").count();
            let lossy = make(&mut document, &mut model, edit);
            let mut now = model_of_text(document.text());
            prop_assert_eq!(&mut now, &mut model, "{:?}\n{}", edit, document.to_text());
            if !lossy {
                let now = comments(&document);
                for (comment, count) in &before {
                    prop_assert!(now.get(comment).is_some_and(|now| now >= count), "{edit:?} lost {comment}\n{}", document.to_text());
                }
            }
            if windows == lines && lines > 0 {
                let (windows, lines) = (document.text.matches("\r\n").count(), document.text.matches('\n').count());
                prop_assert_eq!(windows, lines, "{:?} mixed the line ends\n{}", edit, document.to_text());
            }
            prop_assert_eq!(document.to_text().starts_with('\u{feff}'), text.starts_with('\u{feff}'));
            if let Ok(design) = Design::read(&Source::new("x.toml", &document.to_text())) {
                prop_assert!(design.fits.iter().all(|fit| (fit.index as usize) < document.count(&TableList::Fits)));
            }
            let again = Document::parse(&document.to_text()).unwrap();
            prop_assert_eq!(again.to_text(), document.to_text());
        }
    }

    #[test]
    fn what_is_moved_there_and_back_is_where_it_was(file in any::<prop::sample::Index>(), from in 0..5_usize, to in 0..5_usize) {
        let files = files();
        let mut document = Document::parse(file.get::<String>(&files)).unwrap();
        let before = model_of_text(document.text());
        let to = to.min(document.count(&TableList::Fits).saturating_sub(1));
        if document.reorder(&TableList::Fits, from, to).is_ok() {
            document.reorder(&TableList::Fits, to, from).unwrap();
            // A value among the fits that is not a table is ignored, and may move.
            let fits = |mut said: ModelValue| {
                let list = list_of(root(&mut said), "fit").clone();
                places(&list).into_iter().map(|at| list[at].clone()).collect::<Vec<_>>()
            };
            prop_assert_eq!(fits(model_of_text(document.text())), fits(before));
        }
    }

    #[test]
    fn a_fit_added_and_taken_out_leaves_the_bytes(file in any::<prop::sample::Index>(), at in 0..60_usize) {
        let files = files();
        let mut document = Document::parse(file.get::<String>(&files)).unwrap();
        let before = document.to_text();
        let had = document.count(&TableList::Fits) > 0;
        if let Ok(nth) = document.add_fit(at, "new", None, 3, &[]) {
            document.remove(&TableList::Fits, nth).unwrap();
            if had && !before.contains("[fit]") {
                let after = document.to_text();
                prop_assert_eq!(after.trim_end(), before.trim_end());
            }
        }
    }

    #[test]
    fn no_text_makes_pasting_fail_badly(text in "(\\PC|[\\[\\]{}=\"'#\\n,.]|\\[\\[fit\\]\\]\n|system = 'a'\n|\\[\\[system\\]\\]\n|id = 'a'\n|count=2\n){0,40}") {
        let mut document = Document::parse("fit = [{ system = 'a' }]\nsystem = [{ id = 'a' }]\n").unwrap();
        let before = document.to_text();
        if document.insert_fits(&text, 0).is_err() {
            prop_assert_eq!(document.to_text(), before);
        }
    }
}
