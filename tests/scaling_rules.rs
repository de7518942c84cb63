//! Kinds of input that rulesets, layers and templates are made of, each as long as it is asked for.

use std::sync::{Arc, LazyLock};

use moldloft::art::Template;
use moldloft::ruleset::{Ruleset, SheetKind};
use moldloft::sheet::check_sheet_template;
use moldloft::source::Source;

/// Rulesets, layers and templates: the name of each kind, the text of this many of its parts, what is done with it.
pub const KINDS: &[super::Kind] = &[
    ("rows of a table", |n| rules(&table(n, |row| format!("[\"k{row}\", {row}],\n"))), load_rules),
    ("columns of a table, hidden ones", hidden_columns, load_rules),
    (
        "options of a field",
        |n| rules(&options(n, |option| format!("a{option} = {{ label = \"l\", d = {option} }}\n"))),
        load_rules,
    ),
    (
        "keys of an option",
        |n| rules(&options(1, |_| format!("a0 = {{ {} }}\n", list(n, |key| format!("k{key} = 1"))))),
        load_rules,
    ),
    (
        "unknown keys of a thing",
        |n| rules(&format!("[[value]]\nid = \"v\"\n{}", list_of_lines(n, |key| format!("zz{key} = 1")))),
        load_rules,
    ),
    ("a layer's changes of systems that are not there", |n| layer(&systems(n), &changes(n, "x")), load_rules),
    ("a layer's changes of systems", |n| layer(&systems(n), &changes(n, "s")), load_rules),
    ("a layer's rows that are not there", |n| layer(&table(2 * n, row), &change_rows(n, "z")), load_rules),
    ("a layer's changes of rows", |n| layer(&table(n, row), &change_rows(n, "k")), load_rules),
    (
        "a layer's new rows",
        |n| {
            layer(
                &table(n, row),
                &format!("[change.table.t.add]\nrows = [{}]\n", list(n, |row| format!("[\"n{row}\", 1]"))),
            )
        },
        load_rules,
    ),
    (
        // More than 4,095 options are refused, and what a layer says of them is set aside in rounds.
        "a layer's changes of options",
        |n| {
            layer(
                &options(n / 2, |option| format!("a{option} = {{ d = 1 }}\n")),
                &format!(
                    "[change.field.o.options]\n{}",
                    list_of_lines(n / 2, |option| format!("a{option} = {{ d = 2 }}"))
                ),
            )
        },
        load_rules,
    ),
    ("panels that stand on each other", |n| svg(&panel("track hull", "").repeat(n)), check_template),
    (
        "panels that stand on each other and differ",
        |n| svg(&list_of_lines(n, |panel_| panel("track hull", &format!("note = '{panel_}'")))),
        check_template,
    ),
    (
        "panels of unknown kinds",
        |n| svg(&list_of_lines(n, |kind| panel(&format!("nothing{kind}"), ""))),
        check_template,
    ),
    (
        "unknown options of a panel",
        |n| svg(&panel("track hull", &list_of_lines(n, |key| format!("zz{key} = 1")))),
        check_template,
    ),
    (
        "texts with unknown names",
        |n| svg(&list_of_lines(n, |name| format!("<text x='9' y='9'>{{{{ nothing{name} }}}}</text>"))),
        check_template,
    ),
    ("flows, blocks and panels of a template", flows, check_template),
    ("flows inside one another", |n| svg(&list_of_lines(n, |_| flow([0, 0], [190, 270]))), check_template),
    ("art of a block", art_of_a_block, check_template),
    (
        "style rules",
        |n| {
            svg(&format!(
                "<style>{}</style><rect width='9' height='9' class='c1'/>",
                list_of_lines(n, |rule| format!(".c{rule}{{fill:#123}}"))
            ))
        },
        check_template,
    ),
];

/// So many things, divided by commas.
fn list(n: usize, one: impl Fn(usize) -> String) -> String {
    (0..n).map(one).collect::<Vec<_>>().join(", ")
}

/// So many lines.
fn list_of_lines(n: usize, one: impl Fn(usize) -> String) -> String {
    (0..n).map(|n| one(n) + "\n").collect()
}

/// A ruleset with these lines at its end.
fn rules(lines: &str) -> String {
    let header = "[ruleset]\nid = \"raft\"\ntitle = \"Rafts\"\nversion = \"1\"\nschema = 1\n";
    format!("{header}[attributes]\nmass = 0\n[[mount]]\nid = \"deck\"\n[[track]]\nid = \"hull\"\nboxes = 3\n{lines}")
}

/// What stands between a ruleset and the layer over it.
const OVER: &str = "\n# ---- the layer ----\n";

fn layer(below: &str, above: &str) -> String {
    let header = "[ruleset]\nid = \"house\"\ntitle = \"H\"\nversion = \"1\"\nschema = 1\nextends = \"raft\"\n";
    format!("{}{OVER}{header}{above}", rules(below))
}

fn table(n: usize, row: fn(usize) -> String) -> String {
    let rows: String = (0..n).map(row).collect();
    format!("[[table]]\nid = \"t\"\ncolumns = [\"a\", \"b\"]\nkey = [\"a\"]\nrows = [\n{rows}]\n")
}

fn row(number: usize) -> String {
    format!("[\"k{number}\", {number}],\n")
}

fn hidden_columns(n: usize) -> String {
    let columns = list(n, |column| format!("\"c{column}\""));
    let cells = list(n, |_| "1".to_owned());
    rules(&format!("[[table]]\nid = \"t\"\ncolumns = [{columns}]\nhide = [{columns}]\nrows = [[{cells}]]\n"))
}

fn options(n: usize, option: impl Fn(usize) -> String) -> String {
    let options: String = (0..n).map(option).collect();
    format!("[[field]]\nid = \"o\"\nkind = \"choice\"\ndefault = \"a0\"\n[field.options]\n{options}")
}

fn systems(n: usize) -> String {
    list_of_lines(n, |system| format!("[[system]]\nid = \"s{system}\"\nmass = 1"))
}

fn changes(n: usize, prefix: &str) -> String {
    list_of_lines(n, |system| format!("[change.system.{prefix}{system}]\nmass = 2"))
}

fn change_rows(n: usize, prefix: &str) -> String {
    format!("[change.table.t.rows]\n{}", list_of_lines(n, |row| format!("{prefix}{row} = {{ b = -1 }}")))
}

fn load_rules(text: &str) {
    let parts: Vec<Source> = text.split(OVER).map(|text| Source::new("x.toml", text)).collect();
    let _ = Ruleset::load_layers(&parts);
}

fn svg(inside: &str) -> String {
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' xmlns:inkscape='http://www.inkscape.org/namespaces/inkscape' \
         width='200mm' height='280mm' viewBox='0 0 200 280'>{inside}</svg>"
    )
}

fn panel(words: &str, options: &str) -> String {
    format!("<rect x='9' y='9' width='99' height='99' inkscape:label='panel: {words}'><desc>{options}</desc></rect>\n")
}

fn flow([x, y]: [usize; 2], [w, h]: [usize; 2]) -> String {
    format!("<rect x='{x}' y='{y}' width='{w}' height='{h}' inkscape:label='flow: rows'/>")
}

/// Flows, each with a block that has a panel and a text.
fn flows(n: usize) -> String {
    let one = |n: usize| {
        let (x, y) = (n % 19 * 10, n / 19 % 27 * 10);
        let rect = |label: &str| format!("<rect x='{x}' y='{y}' width='9' height='9' inkscape:label='{label}'/>");
        format!(
            "{}{}{}<text x='{x}' y='{y}'>A</text>",
            flow([x, y], [9, 9]),
            rect("block: b"),
            rect("panel: track hull")
        )
    };
    svg(&list_of_lines(n, one))
}

fn art_of_a_block(n: usize) -> String {
    let block = "<rect x='9' y='9' width='180' height='180' inkscape:label='block: b'/>";
    let art = list_of_lines(n, |n| format!("<path d='M{} {} h5 v5 z'/>", n % 190, n % 260));
    svg(&format!("{}{block}{art}", flow([0, 0], [190, 270])))
}

fn check_template(text: &str) {
    static RULES: LazyLock<Ruleset> = LazyLock::new(|| Ruleset::load(&Source::new("x.toml", &rules(""))).0.unwrap());
    if let Some(template) = Template::read(&Source::new("x.svg", text)).0 {
        let _ = template.check();
        let _ = check_sheet_template(&Arc::new(template), &RULES, SheetKind::Design, &|_| true, None);
    }
}
