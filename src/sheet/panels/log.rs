//! `panel: log NAME`: lines to write orders in, with column headings, growing to fill the room.

use std::sync::Arc;

use super::lines::{Log as Lines, LogColumn};
use super::{Kind, Panel, Setup};
use crate::evaluate::Focus;
use crate::formula::Text;
use crate::ruleset::Within;
use crate::sheet::content::Content;
use crate::sheet::view::View;

/// The kind.
pub static KIND: Kind = Kind {
    name: "log",
    argument: "its name: fields are called `<name>_<row>_<column>`",
    about: "lines to write in",
    options: &[
        ("columns", "headings, or how many columns without headings"),
        ("widths", "the columns' parts of the width"),
        ("rows", "minimum number of rows; default 12"),
        ("row", "preferred height of a row in mm; default 6"),
        ("grow", "true: more rows if there is room"),
        ("number", "true: the first column is the row's number"),
        ("text", "printed in every cell; may use {{ row }} and {{ column }}"),
    ],
    compile,
};

struct Log {
    name: Arc<str>,
    columns: Vec<Arc<str>>,
    widths: Vec<f32>,
    rows: u32,
    row: f32,
    grow: bool,
    number: bool,
    headed: bool,
    text: Option<Text>,
}

fn compile(setup: &mut Setup<'_>) -> Option<Box<dyn Panel>> {
    let name = setup.argument.first().cloned().unwrap_or_else(|| "log".into());
    let plain = matches!(setup.options.get("columns").map(|node| &node.data), Some(crate::source::toml::Data::Int(_)));
    let columns = if plain {
        (1..=setup.whole("columns").unwrap_or(1).clamp(1, 60)).map(|n| n.to_string().into()).collect()
    } else {
        setup.words("columns").filter(|words| !words.is_empty()).unwrap_or_else(|| vec!["".into()])
    };
    let mut widths = setup.numbers("widths").unwrap_or_default();
    widths.resize(columns.len(), widths.last().copied().unwrap_or(1.0));
    widths.iter_mut().for_each(|width| *width = width.max(0.05));
    let rows = setup.whole("rows").unwrap_or(12).clamp(1, 2000);
    Some(Box::new(Log {
        name,
        headed: !plain && columns.iter().any(|column| !column.is_empty()),
        columns,
        widths,
        rows,
        row: setup.number("row").unwrap_or(6.0),
        grow: setup.flag("grow").unwrap_or(false),
        number: setup.flag("number").unwrap_or(false),
        text: setup.text("text", &Within::Ship),
    }))
}

impl Panel for Log {
    fn content(&self, view: &View<'_>) -> Option<Box<dyn Content>> {
        let printed = |column: usize| {
            let Some(text) = &self.text else { return Vec::new() };
            // Growing rows may be more than asked for: words for as many as a page can hold.
            let rows = if self.grow { self.rows.max(60) } else { self.rows };
            let cell = |row: u32| Focus { cell: Some((i64::from(row), column as i64 + 1)), ..Focus::default() };
            (1..=rows).map(|row| view.say(text, &cell(row)).unwrap_or_default().into()).collect()
        };
        let columns = self.columns.iter().zip(&self.widths).enumerate();
        let columns =
            columns.map(|(n, (name, &part))| LogColumn { name: name.clone(), part, printed: printed(n) }).collect();
        Some(Box::new(Lines {
            stem: self.name.clone(),
            columns,
            first: 1,
            rows: self.rows,
            grow: self.grow,
            row: self.row,
            numbered: self.number,
            corner: self.text.is_some(),
            headed: self.headed,
        }))
    }
}
