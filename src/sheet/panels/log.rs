//! `panel: log NAME`: lines to write orders in, with column headings, growing to fill the room.

use std::sync::Arc;

use super::content::writing_lines::{WritingColumn, WritingLines as Lines};
use super::kind::PanelKind;
use super::panel::Panel;
use super::panel_args::PanelArgs;
use super::panel_options::panel_options;
use crate::evaluate::SlotScope;
use crate::formula::TextTemplate;
use crate::ruleset::SlotContext;
use crate::sheet::assembly::ship_view::ShipView;
use crate::sheet::layout::flowable::Flowable;
use crate::source::toml::TomlValue;

pub static KIND: PanelKind = PanelKind {
    name: "log",
    argument: "its name: fields are called `<name>_<row>_<column>`",
    about: "lines to write in",
    options: LogOptions::LIST,
    compile,
};

panel_options! {
    struct LogOptions {
        columns: LogColumns = "columns", "headings, or how many columns without headings"
            => LogColumns::read;
        widths: Vec<f32> = "widths", "the columns' parts of the width"
            => |args, key| args.numbers(key).unwrap_or_default();
        rows: u32 = "rows", "minimum number of rows; default 12"
            => |args, key| args.integer(key).unwrap_or(12).clamp(1, 2000);
        row: f32 = "row", "preferred height of a row in mm; default 6"
            => |args, key| args.number(key).unwrap_or(6.0);
        grow: bool = "grow", "true: more rows if there is room"
            => |args, key| args.boolean(key).unwrap_or(false);
        number: bool = "number", "true: the first column is the row's number"
            => |args, key| args.boolean(key).unwrap_or(false);
        text: Option<TextTemplate> = "text", "printed in every cell; may use {{ row }} and {{ column }}"
            => |args, key| args.template_text(key, &SlotContext::Ship);
    }
}

struct LogPanel {
    options: LogOptions,
    name: Arc<str>,
}

fn compile(setup: &mut PanelArgs<'_>) -> Option<Box<dyn Panel>> {
    let name = setup.argument.first().cloned().unwrap_or_else(|| "log".into());
    let mut options = LogOptions::read(setup);
    let widths = &mut options.widths;
    widths.resize(options.columns.names.len(), widths.last().copied().unwrap_or(1.0));
    widths.iter_mut().for_each(|width| *width = width.max(0.05));
    Some(Box::new(LogPanel { options, name }))
}

/// Columns by their headings, or a number of columns without headings.
struct LogColumns {
    names: Vec<Arc<str>>,
    headed: bool,
}

impl LogColumns {
    fn read(args: &mut PanelArgs<'_>, key: &str) -> Self {
        if matches!(args.options.get(key).map(|node| &node.data), Some(TomlValue::Int(_))) {
            let count = args.integer(key).unwrap_or(1).clamp(1, 60);
            return Self { names: (1..=count).map(|n| n.to_string().into()).collect(), headed: false };
        }
        let names = args.string_list(key).filter(|words| !words.is_empty()).unwrap_or_else(|| vec!["".into()]);
        Self { headed: names.iter().any(|name| !name.is_empty()), names }
    }
}

impl Panel for LogPanel {
    fn content(&self, view: &ShipView<'_>) -> Option<Box<dyn Flowable>> {
        let printed = |column: usize| {
            let Some(text) = &self.options.text else { return Vec::new() };
            // Growing rows may be more than requested: text for as many as a page can hold.
            let rows = if self.options.grow { self.options.rows.max(60) } else { self.options.rows };
            let cell = |row: u32| SlotScope { cell: Some((i64::from(row), column as i64 + 1)), ..SlotScope::default() };
            (1..=rows).map(|row| view.render_text(text, &cell(row)).unwrap_or_default().into()).collect()
        };
        let columns = self.options.columns.names.iter().zip(&self.options.widths).enumerate();
        let columns = columns
            .map(|(n, (name, &part))| WritingColumn { name: name.clone(), width_share: part, printed: printed(n) })
            .collect();
        Some(Box::new(Lines {
            stem: self.name.clone(),
            columns,
            first: 1,
            rows: self.options.rows,
            grows: self.options.grow,
            row_height: self.options.row,
            numbered: self.options.number,
            prints_in_corner: self.options.text.is_some(),
            has_headings: self.options.columns.headed,
        }))
    }
}
