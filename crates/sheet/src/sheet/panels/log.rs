//! `panel: log NAME`: lines to write orders in, with column headings, growing to fill the room.

use std::sync::Arc;

use super::content::writing_lines::{WritingColumn, WritingLines as Lines};
use super::kind::PanelKind;
use super::panel::{Panel, PanelShows};
use super::panel_args::PanelArgs;
use super::panel_options::{
    Custom, Flag, Integer, Maybe, Number, NumberList, Or, TemplateText, Text, Texts, panel_options,
};
use crate::sheet::assembly::ship_view::ShipView;
use crate::sheet::assembly::shown_parts::ShownParts;
use crate::sheet::layout::flowable::Flowable;
use moldloft_base::source::toml::TomlValue;
use moldloft_rules::evaluate::SlotScope;
use moldloft_rules::formula::{Formula, TextTemplate};
use moldloft_rules::ruleset::{LocalVar, SlotContext, Symbol};

pub static KIND: PanelKind = PanelKind {
    name: "log",
    argument: "its name: fields are called `<name>_<row>_<column>`",
    about: "lines to write in",
    options: LogOptions::LIST,
    compile,
};

panel_options! {
    struct LogOptions {
        columns: LogColumns = "columns", Or(Custom(LogColumns::parse), LogColumns::unnamed()),
            "headings, or how many columns without headings";
        shown_when: Vec<(Arc<str>, Formula)> = "shown_when", Or(Custom(parse_conditions), Vec::new()),
            "columns that only some ships have, by their headings: `{ drones = \"count('ew-drone')\" }`; the others share the width; an empty sheet has all";
        widths: Vec<f32> = "widths", Or(NumberList, Vec::new()), "the columns' parts of the width";
        rows: u32 = "rows", Or(Integer(1, 2000), 12), "minimum number of rows";
        row_height: f32 = "row", Or(Number(0.0, 1000.0), 6.0), "preferred height of a row in mm";
        grow: bool = "grow", Or(Flag, false), "true: more rows if there is room";
        names: Vec<Arc<str>> = "names", Or(Texts, Vec::new()), "names of the rows, in order, in front of the first column";
        after: Vec<Arc<str>> = "after", Or(Texts, Vec::new()),
            "names of logs: its rows are numbered on from theirs on the ship's pages before it";
        orders: bool = "orders", Or(Flag, true),
            "false: orders are written elsewhere, too; the `when` of the order log's [[sheet]] says it for all sheets of a ruleset";
        number: bool = "number", Or(Flag, false), "true: the first column is the row's number";
        start: Option<Arc<str>> = "start", Maybe(Text),
            "with `number`: what a row before the first is called, for course and speed at the start";
        text: Option<TextTemplate> = "text", Maybe(TemplateText(SlotContext::Ship)),
            "printed in every cell; may use {{ row }} and {{ column }}";
        circled: Vec<Arc<str>> = "circled", Or(Texts, Vec::new()),
            "headings of columns whose printed words are each in a circle, to be crossed off";
    }
}

struct LogPanel {
    options: LogOptions,
    /// Whether the panel has a heading of its own.
    has_title: bool,
    name: Arc<str>,
}

fn compile(args: &mut PanelArgs<'_>) -> Option<Box<dyn Panel>> {
    let name = args.argument.first().cloned().unwrap_or_else(|| "log".into());
    let mut options = LogOptions::read(args);
    let widths = &mut options.widths;
    widths.resize(options.columns.names.len(), widths.last().copied().unwrap_or(1.0));
    widths.iter_mut().for_each(|width| *width = width.max(0.05));
    let headings: Vec<&str> = options.columns.names.iter().map(|name| &**name).collect();
    for (column, _) in &options.shown_when {
        args.check_known("column", column, &headings);
    }
    let has_title = args.options.get("title").is_some();
    Some(Box::new(LogPanel { options, has_title, name }))
}

fn parse_conditions(args: &mut PanelArgs<'_>, key: &str) -> Option<Vec<(Arc<str>, Formula)>> {
    args.conditions(key, &SlotContext::Ship)
}

/// Columns by their headings, or a number of columns without headings.
#[derive(Clone)]
struct LogColumns {
    names: Vec<Arc<str>>,
    headed: bool,
}

impl LogColumns {
    fn unnamed() -> Self {
        Self { names: vec!["".into()], headed: false }
    }

    fn without_headings(count: u32) -> Self {
        Self { names: (1..=count).map(|n| n.to_string().into()).collect(), headed: false }
    }

    fn parse(args: &mut PanelArgs<'_>, key: &str) -> Option<Self> {
        if matches!(args.options.get(key).map(|node| &node.data), Some(TomlValue::Int(_))) {
            return args.integer(key).map(|count| Self::without_headings(count.clamp(1, 60)));
        }
        let names = args.string_list(key).filter(|names| !names.is_empty())?;
        Some(Self { headed: names.iter().any(|name| !name.is_empty()), names })
    }
}

impl Panel for LogPanel {
    fn shows(&self) -> PanelShows {
        PanelShows::Extras
    }

    fn is_log(&self) -> bool {
        self.options.orders
    }

    fn log(&self) -> Option<(&Arc<str>, &[Arc<str>])> {
        Some((&self.name, &self.options.after))
    }

    fn content(&self, view: &ShipView<'_>, shown: &mut ShownParts) -> Option<Box<dyn Flowable>> {
        let start = self.options.start.as_ref().filter(|_| self.options.number).map(|start| view.say_shared(start));
        let before = shown.last_log_row(&self.options.after);
        let first = if before == 0 && start.is_some() { 0 } else { before + 1 };
        let printed = |column: usize| {
            let Some(text) = &self.options.text else { return Vec::new() };
            // Growing rows may be more than requested: text for as many as a page can hold.
            let rows = if self.options.grow { self.options.rows.max(60) } else { self.options.rows };
            let cell = |row: u32| SlotScope { cell: Some((i64::from(row), column as i64 + 1)), ..SlotScope::default() };
            let words = |row: u32| -> Arc<str> { view.render_text(text, &cell(row)).unwrap_or_default().into() };
            let last = first + rows - 1;
            if text.reads().any(|slot| Symbol::from_slot(slot) == Symbol::Local(LocalVar::Row)) {
                (1..=last).map(words).collect()
            } else {
                vec![words(1); last as usize]
            }
        };
        let is_shown = |name: &Arc<str>| {
            let mut conditions = self.options.shown_when.iter().filter(|(column, _)| column == name);
            view.options.is_blank || conditions.all(|(_, when)| view.condition_holds(when, &SlotScope::default()))
        };
        let columns = self.options.columns.names.iter().zip(&self.options.widths).enumerate();
        let columns = columns
            .filter(|(_, (name, _))| is_shown(name))
            .map(|(n, (name, &part))| WritingColumn {
                name: name.clone(),
                shown: view.say_shared(name),
                width_share: part,
                printed: printed(n),
                is_circled: self.options.circled.contains(name),
            })
            .collect();
        Some(Box::new(Lines {
            stem: self.name.clone(),
            columns,
            first,
            rows: self.options.rows,
            grows: self.options.grow,
            row_height: self.options.row_height,
            row_names: self.options.names.iter().map(|name| view.say_shared(name)).collect(),
            numbered: self.options.number,
            start,
            prints_in_corner: self.options.text.is_some() && self.options.circled.is_empty(),
            has_headings: self.options.columns.headed,
            is_under_rule: self.has_title,
        }))
    }
}
