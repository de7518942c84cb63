//! `panel: log NAME`: lines to write orders in, with column headings, growing to fill the room.

use std::sync::Arc;

use super::content::writing_lines::{WritingColumn, WritingLines as Lines};
use super::kind::PanelKind;
use super::panel::Panel;
use super::panel_args::PanelArgs;
use crate::evaluate::SlotScope;
use crate::formula::TextTemplate;
use crate::ruleset::SlotContext;
use crate::sheet::assembly::ship_view::ShipView;
use crate::sheet::layout::flowable::Flowable;

/// The kind.
pub static KIND: PanelKind = PanelKind {
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

struct LogPanel {
    name: Arc<str>,
    columns: Vec<Arc<str>>,
    widths: Vec<f32>,
    rows: u32,
    row: f32,
    grow: bool,
    number: bool,
    headed: bool,
    text: Option<TextTemplate>,
}

fn compile(setup: &mut PanelArgs<'_>) -> Option<Box<dyn Panel>> {
    let name = setup.argument.first().cloned().unwrap_or_else(|| "log".into());
    let plain =
        matches!(setup.options.get("columns").map(|node| &node.data), Some(crate::source::toml::TomlValue::Int(_)));
    let columns = if plain {
        (1..=setup.whole("columns").unwrap_or(1).clamp(1, 60)).map(|n| n.to_string().into()).collect()
    } else {
        setup.words("columns").filter(|words| !words.is_empty()).unwrap_or_else(|| vec!["".into()])
    };
    let mut widths = setup.numbers("widths").unwrap_or_default();
    widths.resize(columns.len(), widths.last().copied().unwrap_or(1.0));
    widths.iter_mut().for_each(|width| *width = width.max(0.05));
    let rows = setup.whole("rows").unwrap_or(12).clamp(1, 2000);
    Some(Box::new(LogPanel {
        name,
        headed: !plain && columns.iter().any(|column| !column.is_empty()),
        columns,
        widths,
        rows,
        row: setup.number("row").unwrap_or(6.0),
        grow: setup.boolean("grow").unwrap_or(false),
        number: setup.boolean("number").unwrap_or(false),
        text: setup.text("text", &SlotContext::Ship),
    }))
}

impl Panel for LogPanel {
    fn content(&self, view: &ShipView<'_>) -> Option<Box<dyn Flowable>> {
        let printed = |column: usize| {
            let Some(text) = &self.text else { return Vec::new() };
            // Growing rows may be more than asked for: words for as many as a page can hold.
            let rows = if self.grow { self.rows.max(60) } else { self.rows };
            let cell = |row: u32| SlotScope { cell: Some((i64::from(row), column as i64 + 1)), ..SlotScope::default() };
            (1..=rows).map(|row| view.render_text(text, &cell(row)).unwrap_or_default().into()).collect()
        };
        let columns = self.columns.iter().zip(&self.widths).enumerate();
        let columns =
            columns.map(|(n, (name, &part))| WritingColumn { name: name.clone(), part, printed: printed(n) }).collect();
        Some(Box::new(Lines {
            stem: self.name.clone(),
            columns,
            first: 1,
            rows: self.rows,
            grows: self.grow,
            row: self.row,
            numbered: self.number,
            prints_in_corner: self.text.is_some(),
            has_headings: self.headed,
        }))
    }
}
