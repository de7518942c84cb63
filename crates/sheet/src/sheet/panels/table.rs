//! `panel: table ID …`: one or several of the ruleset's tables under one heading, with the rows that apply to this
//! ship.

use std::sync::Arc;

use super::arcs::parse_sectors;
use super::common_options::blank_counts;
use super::content::arc_rose::RoseCache;
use super::content::blank_table::blank_table;
use super::content::cell_rules::{leave_out_repeats, set_as_numbers, set_dice_as_words, unify_columns};
use super::content::movement_chart::{MovementChart, MovementColumn};
use super::content::square_grid::{Square, SquareFace, SquareGrid};
use super::content::table_group::{
    CellDrawing, MultiColumnTable, TableCell, TableGroup, TablePart, TableStyle, transpose,
};
use super::kind::PanelKind;
use super::panel::Panel;
use super::panel_args::PanelArgs;
use super::panel_options::{Custom, Flag, Integer, Maybe, Number, Or, TemplateTexts, Text, Texts, panel_options};
use crate::sheet::assembly::ship_view::{ShipView, format_signed, format_value, mark_house_rule, with_minus_signs};
use crate::sheet::assembly::shown_parts::ShownParts;
use crate::sheet::layout::flowable::{Flowable, HeadingStyle};
use moldloft_base::sanitize::id_as_words;
use moldloft_base::source::toml::TomlValue;
use moldloft_rules::arcs::{Arcs, SectorWords};
use moldloft_rules::evaluate::{BoxKind, BoxShape, ColumnResult, Evaluation, ResultRef, SlotScope, TableResult};
use moldloft_rules::formula::{Formula, TextTemplate, Value};
use moldloft_rules::ruleset::{ColumnKind, FieldKind, Ruleset, Selector, SlotContext, TableKind};

pub static KIND: PanelKind = PanelKind {
    name: "table",
    argument: "ids of tables",
    about: "tables of the ruleset, with this ship's rows",
    options: TableOptions::LIST,
    compile,
};

panel_options! {
    struct TableOptions {
        condition: Option<Formula> = "where", Maybe(Custom(parse_condition)),
            "formula: which rows; `it` is the row. For squares: which lines across and down, if true for any of their squares";
        columns: Vec<Arc<str>> = "columns", Or(Texts, Vec::new()), "ids of the columns to show";
        is_chart: bool = "chart", Or(Flag, false),
            "true: a lookup table: column headings as large as values, over the whole width";
        squares: bool = "squares", Or(Flag, false),
            "true: draw a grid as squares, without headings; a cell that names an .svg shows that drawing";
        shade: Option<Formula> = "shade", Maybe(Custom(parse_square_condition)),
            "formula: which squares are grey; `across` and `down` are the square's position";
        dot: Option<Formula> = "dot", Maybe(Custom(parse_square_condition)),
            "formula: which squares have a dot in the corner";
        square_side: Option<f32> = "size", Maybe(Custom(parse_square_side)),
            "for squares: preferred side in mm; default: as large as fits";
        transposed: bool = "turn", Or(Flag, false), "true: columns become rows";
        span: Vec<Arc<str>> = "span", Or(Texts, Vec::new()), "two columns of numbers shown as one: `8–12`";
        row_columns: u32 = "abreast", Or(Integer(1, 6), 1), "number of columns of rows side by side";
        has_headings: bool = "heads", Or(Flag, true), "false: no column headings";
        min_folded_width: Option<f32> = "fold", Maybe(Number(4.0, 40.0)),
            "minimum width in mm of columns of numbers; those without room continue below";
        zigzag: bool = "zigzag", Or(Flag, false),
            "true: the first column heads two rows of numbers, the second offset by half a step, with the path between them drawn";
        end: Option<Arc<str>> = "end", Maybe(Text), "with `zigzag`: text after the last number";
        faces: bool = "faces", Or(Flag, false),
            "true: column headings 1 to 6 are faces of a die, zeros are grey: damage for each roll";
        rerolled: Vec<TextTemplate> = "reroll", Or(TemplateTexts(SlotContext::Ship), Vec::new()),
            "with `faces`: headings of dice that are rolled again, with {{ }}; a sign after their numbers, as after `2↻` in any cell";
        tint: Option<f32> = "tint", Maybe(Number(0.0, 18.0)),
            "numbers under headings that are numbers are shaded: white for the lowest, this grey in percent for the highest";
        has_terms: Option<bool> = "terms", Maybe(Flag),
            "true: the first column is bold: what each row is about; by itself on a reference sheet, but for charts, dice and frames";
        bands: Option<bool> = "bands", Maybe(Flag),
            "true: every second row is on a light ground, and rows grow where there is room; by itself where `terms` is";
        has_frames: bool = "frames", Or(Flag, false),
            "true: cells are framed, with their contents in the middle, in columns of one width";
        arcs: Option<Arc<str>> = "arcs", Maybe(Text),
            "a column with arcs, written as for `panel: arcs`, that are drawn as small circles";
        sectors: SectorWords = "sectors", Or(Custom(parse_sectors), Vec::new()), "with `arcs`: words for arcs, as for `panel: arcs`";
        repeats: bool = "repeats", Or(Flag, true),
            "false: a row's first cell is left empty where it is the same as in the row above";
        numbers: Option<Arc<str>> = "numbers", Maybe(Text),
            "id of a counter that is made for each row: its first number is before the row";
        blank_has_all: bool = "blank_all", Or(Flag, false),
            "true: an empty sheet has all rows of the tables, as a reference sheet has them; name its `columns`, since hidden ones are among them";
        has_notes: bool = "table_notes", Or(Flag, true),
            "false: omit the notes of its tables, if they are printed elsewhere";
    }
}

struct TablePanel {
    ids: Vec<Arc<str>>,
    options: TableOptions,
    form: TableForm,
    roses: RoseCache,
    /// Number of rows of each table on an empty sheet; the last is that of all further tables.
    blank: Vec<u32>,
    /// The template gives it no heading: the mark of house rules is in its first column's.
    is_untitled: bool,
}

/// How the rows are drawn.
#[derive(Clone, Copy)]
enum TableForm {
    Rows,
    /// A grid as squares.
    Squares,
    /// A path between two rows of numbers.
    MovementChart,
}

fn compile(args: &mut PanelArgs<'_>) -> Option<Box<dyn Panel>> {
    let ids = args.argument.clone();
    let known = table_ids(args.ruleset);
    for id in &ids {
        args.check_known("table", id, &known);
    }
    if ids.is_empty() {
        args.report_unknown("table", "", &known);
    }
    let is_removed = |id: &Arc<str>| ["table", "field"].iter().any(|section| args.ruleset.is_removed(section, id));
    if ids.iter().all(is_removed) {
        return None;
    }
    let options = TableOptions::read(args);
    let is_grid = is_single_grid(args);
    if options.squares && !is_grid {
        let message = format!("`{}`: `squares` needs exactly one table with a `grid`", args.label);
        let help = "remove `squares`, or use a table with a grid".into();
        args.report_argument("wrong-panel-option", message, Some(help));
    }
    let form = match (options.squares && is_grid, options.zigzag) {
        (true, _) => TableForm::Squares,
        (false, true) => TableForm::MovementChart,
        (false, false) => TableForm::Rows,
    };
    let is_untitled = args.options.text("title") == Some("");
    let (roses, blank) = (RoseCache::default(), blank_counts(args, 200));
    Some(Box::new(TablePanel { ids, options, form, roses, blank, is_untitled }))
}

/// Tables and fields with rows.
fn table_ids(ruleset: &Ruleset) -> Vec<&str> {
    let fields = ruleset.fields.iter().filter(|field| matches!(field.kind, FieldKind::Rows(_)));
    ruleset.tables.iter().map(|table| &*table.id).chain(fields.map(|field| &*field.id)).collect()
}

fn is_single_grid(args: &PanelArgs<'_>) -> bool {
    let [id] = args.argument.as_slice() else { return false };
    let table = args.ruleset.tables.iter().find(|table| table.id == *id);
    table.is_some_and(|table| matches!(table.kind, TableKind::Grid { .. }))
}

/// What `it` is in the formula for rows; `None` if there are no such formulas.
fn condition_context(args: &PanelArgs<'_>) -> Option<SlotContext> {
    if matches!(args.options.get("squares").map(|node| &node.data), Some(TomlValue::Flag(true))) {
        return is_single_grid(args).then_some(SlotContext::Grid);
    }
    match args.argument.as_slice() {
        [id] if table_ids(args.ruleset).contains(&&**id) => Some(SlotContext::Row(id.clone())),
        _ => None,
    }
}

fn parse_condition(args: &mut PanelArgs<'_>, key: &str) -> Option<Formula> {
    let within = condition_context(args)?;
    args.condition(key, &within)
}

fn parse_square_condition(args: &mut PanelArgs<'_>, key: &str) -> Option<Formula> {
    condition_context(args).filter(|within| matches!(within, SlotContext::Grid))?;
    args.condition(key, &SlotContext::Grid)
}

fn parse_square_side(args: &mut PanelArgs<'_>, key: &str) -> Option<f32> {
    condition_context(args).filter(|within| matches!(within, SlotContext::Grid))?;
    args.number(key)
}

impl TablePanel {
    fn table_part(&self, table_index: usize, table: &TableResult, view: &ShipView<'_>) -> Option<TablePart> {
        let declared = view.evaluation.ruleset.tables.iter().find(|known| known.id == table.id);
        let wanted = |column: &ColumnResult| {
            self.options.columns.is_empty()
                || self.options.columns.contains(&column.id)
                || declared.is_some_and(|known| known.has_new_column(&column.id))
        };
        let mut keep: Vec<usize> = (0..table.columns.len()).filter(|&c| wanted(&table.columns[c])).collect();
        let column = |id: &Arc<str>| table.columns.iter().position(|column| column.id == *id);
        let span = self.span().and_then(|(from, to)| Some((column(from)?, column(to)?)));
        if let Some((_, to)) = span {
            keep.retain(|&c| c != to);
        }
        // In a table made from the rows of another one, columns of that one's keys have ids, too.
        let keys: Vec<&Arc<str>> = match declared.map(|known| &known.kind) {
            Some(TableKind::ForEach { of: Selector::Table(of), .. }) => {
                key_columns(&view.evaluation.ruleset.tables[*of].kind)
            }
            Some(kind) => key_columns(kind),
            None => Vec::new(),
        };
        let mut rows = Vec::new();
        for (r, row) in table.rows.iter().enumerate() {
            let focus = SlotScope { it: ResultRef::Row { table: table_index, row: r }, ..SlotScope::default() };
            if self.options.condition.as_ref().is_some_and(|rows| !view.condition_holds(rows, &focus)) {
                continue;
            }
            let mut cells: Vec<TableCell> = Vec::with_capacity(keep.len() + 1);
            if table.grid {
                let label = table.row_labels.get(r).cloned().unwrap_or_else(|| "".into());
                cells.push(TableCell::Words(label.into()));
            }
            for &c in &keep {
                let stem = || format!("{}_{}_{}", table.id, r + 1, table.columns[c].id).into();
                let value = row.get(c).unwrap_or(&Value::Null);
                if self.options.arcs.as_ref().is_some_and(|arcs| *arcs == table.columns[c].id)
                    && let Value::Text(text) = value
                    && let Some(arcs) = Arcs::parse(text, &self.options.sectors)
                {
                    cells.push(TableCell::Drawing(CellDrawing(self.roses.rose(&arcs))));
                    continue;
                }
                let known = keys.contains(&&table.columns[c].id) || holds_ids(table, c, view);
                let value = if known { display_name(value, view) } else { value.clone() };
                let value = match span {
                    Some((from, to)) if from == c => format_span(&value, row.get(to).unwrap_or(&Value::Null)),
                    _ => view.value_in_words(value),
                };
                let cell = match table_cell(&value, &table.columns[c], stem) {
                    TableCell::Words(words) if table.grid => TableCell::QuietWords(words),
                    other => other,
                };
                let name = || format!("{}:{r}:{}", table.id, table.columns[c].id).into();
                cells.push(cell.showing(view.options.marks_values.then(name)));
            }
            rows.push(cells);
        }
        if rows.is_empty() {
            return None;
        }
        if self.options.min_folded_width.is_some() {
            set_dice_as_words(&mut rows);
        }
        unify_columns(&mut rows);
        if !self.options.repeats {
            leave_out_repeats(&mut rows);
        }
        let numbers = self.counter_numbers(rows.len(), view);
        for (row, number) in rows.iter_mut().zip(&numbers) {
            row.insert(0, TableCell::Words(number.to_string().into()));
        }
        // The note of a single table is in the panel's heading.
        let note =
            if self.options.has_notes && self.ids.len() > 1 { with_minus_signs(&table.note).into() } else { "".into() };
        let name: Arc<str> = mark_house_rule(&table.label, table.house && self.ids.len() > 1).into();
        let head = |&c: &usize| match span {
            Some((from, _)) if from == c => "".into(),
            _ => table.columns[c].label.clone(),
        };
        let mut heads: Vec<Arc<str>> = keep.iter().map(head).collect();
        if table.grid || !numbers.is_empty() {
            heads.insert(0, "".into());
        }
        if self.options.transposed {
            (heads, rows) = transpose(heads, rows);
        }
        if self.options.faces || self.options.tint.is_some() {
            set_as_numbers(&heads, &mut rows);
        }
        // A table without words of its own in the first column is named there.
        let named = rows.iter().all(|row| matches!(row.first(), Some(TableCell::Words(_))));
        if !named && !table.grid {
            let label = if self.ids.len() > 1 || rows.len() == 1 { name.clone() } else { "".into() };
            if self.ids.len() > 1 {
                for (n, row) in rows.iter_mut().enumerate() {
                    let label = if n == 0 { label.clone() } else { "".into() };
                    row.insert(0, TableCell::Words(label.into()));
                }
                heads.insert(0, "".into());
            }
            return Some(TablePart { label: "".into(), headings: heads, rows, note });
        }
        if self.ids.len() > 1
            && let Some(first) = heads.first_mut()
        {
            *first = name.clone();
        }
        // A single table is named by the panel's heading.
        let label = if self.ids.len() > 1 { name.clone() } else { "".into() };
        Some(TablePart { label, headings: heads, rows, note })
    }
}

impl TablePanel {
    /// The panel's tables, as far as they are there.
    fn table_parts(&self, view: &ShipView<'_>) -> Vec<TablePart> {
        let find = |id: &Arc<str>| view.evaluation.tables.iter().position(|table| table.id == *id);
        self.ids.iter().filter_map(find).filter_map(|n| self.table_part(n, &view.evaluation.tables[n], view)).collect()
    }

    /// The ship, or on an empty sheet with `blank_all` what a reference sheet shows: all rows, whatever ship they concern.
    fn with_rows<T>(&self, view: &ShipView<'_>, read: impl Fn(&ShipView<'_>) -> T) -> T {
        let ruleset = &view.evaluation.ruleset;
        let sheet = ruleset.reference_sheets().next().filter(|_| view.options.is_blank && self.options.blank_has_all);
        match sheet.and_then(|sheet| Evaluation::blank(ruleset, &sheet.id)) {
            Some(all) => read(&ShipView::new(&all, view.options, view.styles, view.drawings)),
            None => read(view),
        }
    }

    /// The empty table, to fill in by pencil; `place` is its place among the panel's tables.
    fn blank_part(&self, place: usize, id: &Arc<str>, view: &ShipView<'_>) -> Option<TablePart> {
        let rows = self.blank.get(place).or(self.blank.last()).copied().filter(|&rows| rows > 0)?;
        let ruleset = &view.evaluation.ruleset;
        let label = ruleset.tables.iter().find(|table| table.id == *id).map(|table| &table.label);
        let name =
            label.filter(|_| self.ids.len() > 1).and_then(|label| view.render_text(label, &SlotScope::default()));
        let spare = |id: &Arc<str>| self.span().is_some_and(|(_, to)| to == id);
        let wanted =
            |id: &Arc<str>| (self.options.columns.is_empty() || self.options.columns.contains(id)) && !spare(id);
        blank_table(ruleset, id, rows, wanted, name)
    }

    /// The first column as headings, the next two as rows with a path between them.
    fn movement_chart(&self, part: &TablePart, view: &ShipView<'_>) -> Box<dyn Flowable> {
        let text = |cell: Option<&TableCell>| match cell {
            Some(TableCell::Words(text) | TableCell::Number(text)) => Some(text.clone()),
            _ => None,
        };
        let column = |row: &Vec<TableCell>| {
            let cells = [0, 1, 2].map(|n| text(row.get(n)));
            let shown_values = cells.clone().map(|cell| cell.and_then(|text| text.shown_value));
            let [head, upper, lower] = cells.map(|cell| cell.map(|text| text.words));
            MovementColumn { head, upper, lower, shown_values }
        };
        let name = |n: usize| part.headings.get(n).cloned().unwrap_or_else(|| "".into());
        Box::new(MovementChart {
            columns: part.rows.iter().map(column).collect(),
            names: [name(0), name(1), name(2)],
            end: self.options.end.as_ref().map_or_else(|| "".into(), |end| view.say_shared(end)),
            stem: self.ids.first().cloned().unwrap_or_else(|| "table".into()),
            first: 0,
        })
    }
}

/// The ids of the columns that name a row of a written table.
fn key_columns(kind: &TableKind) -> Vec<&Arc<str>> {
    match kind {
        TableKind::Rows { columns, key, .. } => key.iter().map(|&n| &columns[n].id).collect(),
        _ => Vec::new(),
    }
}

/// Whether a column of a design's rows contains ids of systems or mounts.
fn holds_ids(table: &TableResult, c: usize, view: &ShipView<'_>) -> bool {
    let field = view.evaluation.ruleset.fields.iter().find(|field| field.id == table.id);
    match field.map(|field| &field.kind) {
        Some(FieldKind::Rows(columns)) => {
            matches!(columns.get(c).map(|column| &column.kind), Some(ColumnKind::System | ColumnKind::Mount))
        }
        _ => false,
    }
}

/// `8–12`, `7` where both are the same.
fn format_span(from: &Value, to: &Value) -> Value {
    let (from, to) = (format_value(from), format_value(to));
    Value::Text(if from == to { from } else { format!("{from}–{to}").into() })
}

/// The key of a row is an id: replaced by the label of the option, system or mount it names, or by its words.
fn display_name(value: &Value, view: &ShipView<'_>) -> Value {
    let Value::Text(id) = value else { return value.clone() };
    let ruleset = &view.evaluation.ruleset;
    let options = ruleset.fields.iter().filter_map(|field| match &field.kind {
        FieldKind::Choice(choice) => Some(&choice.options),
        _ => None,
    });
    let option = options.flatten().filter(|option| option.id == *id).map(|option| &option.label);
    let system = ruleset.systems.iter().filter(|system| system.id == *id).map(|system| &system.name);
    let mount = ruleset.mounts.iter().filter(|mount| mount.id == *id).map(|mount| &mount.label);
    let own = view.evaluation.fits.iter().filter(|fit| fit.system == *id).map(|fit| &fit.name);
    match option.chain(system).chain(mount).chain(own).next() {
        Some(label) => Value::Text(label.clone()),
        None if id.chars().all(|c| c.is_ascii_lowercase() || matches!(c, '-' | '_')) => {
            Value::Text(id_as_words(id).into())
        }
        None => value.clone(),
    }
}

fn table_cell(value: &Value, column: &ColumnResult, stem: impl Fn() -> Arc<str>) -> TableCell {
    let shape = column.boxes.map_or(BoxShape::Square, BoxKind::default_shape);
    match value {
        Value::Int(n) if column.boxes.is_some() => TableCell::Ticks(stem(), vec![box_count(*n)], 0, shape),
        Value::List(groups) if column.boxes.is_some() => {
            let groups = groups.iter().take(10_000);
            TableCell::Ticks(
                stem(),
                groups.map(|group| if let Value::Int(n) = group { box_count(*n) } else { 0 }).collect(),
                0,
                shape,
            )
        }
        Value::Int(n) if column.signed => TableCell::Number(format_signed(*n).into()),
        Value::Int(_) => TableCell::Number(format_value(value).into()),
        Value::Null => TableCell::Write(stem()),
        // A line of underscores is a place to write.
        Value::Text(text) if is_writing_line(text) => TableCell::Write(stem()),
        // An empty cell among numbers is an empty number.
        Value::Text(text) if text.is_empty() || is_set_like_number(text) || is_placeholder(text) => {
            TableCell::Number(text.clone().into())
        }
        _ => TableCell::Words(format_value(value).into()),
    }
}

fn box_count(n: i64) -> u32 {
    u32::try_from(n).unwrap_or(0).min(1_000)
}

/// Figures and dice (`3D6`, `10/2`) are set like numbers, and so is a dash for none.
fn is_set_like_number(text: &str) -> bool {
    text.is_empty()
        || text == "–"
        || text.chars().count() <= 6 && text.starts_with(|c: char| c.is_ascii_digit() || c == '+' || c == '−')
}

/// Nothing but underscores.
fn is_writing_line(text: &str) -> bool {
    text.len() >= 3 && text.bytes().all(|byte| byte == b'_')
}

/// A dash or a dot is used where there is no figure.
fn is_placeholder(text: &str) -> bool {
    matches!(text, "–" | "—" | "·")
}

impl TablePanel {
    /// The two columns shown as one.
    fn span(&self) -> Option<(&Arc<str>, &Arc<str>)> {
        if let [from, to] = self.options.span.as_slice() { Some((from, to)) } else { None }
    }

    /// The first numbers of the counters made for so many rows, in order; none unless each row has one.
    fn counter_numbers(&self, rows: usize, view: &ShipView<'_>) -> Vec<u32> {
        let Some(id) = &self.options.numbers else { return Vec::new() };
        let made = view.evaluation.counters.iter().filter(|counter| counter.id == *id && counter.count > 0);
        let numbers: Vec<u32> = made.filter_map(|counter| counter.first).collect();
        if numbers.len() == rows { numbers } else { Vec::new() }
    }

    /// Whether its look is that of the rules, where its own options do not say.
    fn is_of_rules(&self, view: &ShipView<'_>) -> bool {
        view.is_reference() && !self.options.is_chart && !self.options.faces && !self.options.has_frames
    }

    fn row_content(&self, parts: Vec<TablePart>, view: &ShipView<'_>) -> Box<dyn Flowable> {
        let in_columns = matches!(parts.as_slice(), [part] if self.options.row_columns > 1 && part.rows.len() > 1);
        let TableOptions { faces, has_frames, .. } = self.options;
        let again = self.options.rerolled.iter().filter(|_| faces);
        let again = again.filter_map(|head| view.render_text(head, &SlotScope::default()));
        let rerolled = again.map(Arc::from).collect();
        let bands = self.options.bands.unwrap_or_else(|| self.is_of_rules(view));
        let mut style = TableStyle { faces, rerolled, tint: None, bands, grid: has_frames };
        if let Some(most) = self.options.tint {
            style.set_tint(most, &parts);
        }
        let (min_folded_width, is_chart) = (self.options.min_folded_width, self.options.is_chart);
        let table = TableGroup { parts, min_folded_width, is_chart, style };
        if in_columns {
            Box::new(MultiColumnTable { max_columns: self.options.row_columns as usize, gap: 2.0, table })
        } else {
            Box::new(table)
        }
    }

    fn square_content(&self, table: &TableResult, view: &ShipView<'_>) -> Option<Box<dyn Flowable>> {
        let holds = |formula: &Formula, at: (i64, i64)| {
            view.condition_holds(formula, &SlotScope { square: Some(at), ..SlotScope::default() })
        };
        let all =
            || table.columns.iter().enumerate().filter_map(|(c, column)| Some((c, column.id.parse::<i64>().ok()?)));
        let wanted = |at: (i64, i64)| self.options.condition.as_ref().is_none_or(|only| holds(only, at));
        let keep: Vec<(usize, i64)> = all()
            .filter(|&(c, _)| self.options.columns.is_empty() || self.options.columns.contains(&table.columns[c].id))
            .filter(|&(_, across)| table.row_numbers.iter().any(|&down| wanted((across, down))))
            .collect();
        let square = |row: &[Value], (r, c): (usize, usize), at: (i64, i64)| {
            let is_met = |formula: &Option<Formula>| formula.as_ref().is_some_and(|formula| holds(formula, at));
            let face = match row.get(c) {
                Some(Value::Text(word)) if word.ends_with(".svg") => {
                    view.icon(word).map_or_else(|| SquareFace::Words("?".into()), SquareFace::Icon)
                }
                Some(value) => SquareFace::Words(format_value(&view.value_in_words(value.clone()))),
                None => SquareFace::Words("".into()),
            };
            let name = || format!("{}:{r}:{}", table.id, table.columns[c].id).into();
            let shown_value = view.options.marks_values.then(name);
            Square { face, shaded: is_met(&self.options.shade), dot: is_met(&self.options.dot), shown_value }
        };
        let rows = table.rows.iter().zip(&table.row_numbers).enumerate();
        let rows = rows.filter(|(_, (_, down))| keep.iter().any(|&(_, across)| wanted((across, **down))));
        let rows =
            rows.map(|(r, (row, &down))| keep.iter().map(|&(c, across)| square(row, (r, c), (across, down))).collect());
        let rows: Vec<Vec<Square>> = rows.collect();
        (!rows.is_empty()).then(|| {
            Box::new(SquareGrid { rows, preferred_side: self.options.square_side.unwrap_or(0.0) }) as Box<dyn Flowable>
        })
    }
}

/// A table of at most this height is not split, mm at normal size: a dozen rows.
const MAX_WHOLE_TABLE: f32 = 58.0;

impl Panel for TablePanel {
    fn kept_together(&self) -> f32 {
        if matches!(self.form, TableForm::Squares) { 0.0 } else { MAX_WHOLE_TABLE }
    }

    fn content(&self, view: &ShipView<'_>, shown: &mut ShownParts) -> Option<Box<dyn Flowable>> {
        if let TableForm::Squares = self.form {
            shown.add_tables(&self.ids[..self.ids.len().min(1)], &[], false, view.evaluation);
            let table = view.evaluation.tables.iter().find(|table| self.ids.first() == Some(&table.id))?;
            return if table.grid { self.square_content(table, view) } else { None };
        }
        let is_whole = self.options.condition.is_none();
        shown.add_tables(&self.ids, &self.options.columns, is_whole, view.evaluation);
        let mut parts = self.with_rows(view, |view| self.table_parts(view));
        if parts.is_empty() && view.options.is_blank {
            let all = self.ids.iter().enumerate();
            parts = all.filter_map(|(place, id)| self.blank_part(place, id, view)).collect();
        }
        if parts.is_empty() {
            return None;
        }
        let first = parts.iter_mut().flat_map(|part| &mut part.headings).find(|head| !head.is_empty());
        if let (true, Some(head)) = (self.is_untitled && self.uses_house_rules(view), first) {
            *head = mark_house_rule(head, true).into();
        }
        if !self.options.has_headings {
            for part in &mut parts {
                part.label = "".into();
                part.headings.fill("".into());
            }
        }
        if self.options.has_terms.unwrap_or_else(|| self.is_of_rules(view)) {
            parts
                .iter_mut()
                .flat_map(|part| &mut part.rows)
                .filter_map(|row| row.first_mut())
                .for_each(TableCell::set_as_term);
        }
        match self.form {
            TableForm::MovementChart => Some(self.movement_chart(&parts[0], view)),
            TableForm::Rows => Some(self.row_content(parts, view)),
            TableForm::Squares => None,
        }
    }

    fn heading(&self, view: &ShipView<'_>) -> Option<(String, HeadingStyle)> {
        let table = view.evaluation.tables.iter().find(|table| self.ids.first() == Some(&table.id))?;
        Some((table.label.to_string(), HeadingStyle::Ruled))
    }

    fn note(&self, view: &ShipView<'_>) -> Option<String> {
        let [id] = self.ids.as_slice() else { return None };
        self.with_rows(view, |view| {
            let table = view.evaluation.tables.iter().find(|table| table.id == *id)?;
            self.options.has_notes.then(|| with_minus_signs(&table.note))
        })
    }

    fn uses_house_rules(&self, view: &ShipView<'_>) -> bool {
        let [id] = self.ids.as_slice() else { return false };
        self.with_rows(view, |view| view.evaluation.tables.iter().any(|table| table.id == *id && table.house))
    }
}

/// A table that no panel shows, for the `rest` panel.
pub fn leftover_table(table_index: usize, view: &ShipView<'_>) -> Option<Box<dyn Flowable>> {
    let table = &view.evaluation.tables[table_index];
    let plain = TablePanel {
        ids: vec![table.id.clone()],
        options: TableOptions::default(),
        form: TableForm::Rows,
        roses: RoseCache::default(),
        blank: Vec::new(),
        is_untitled: false,
    };
    plain.content(view, &mut ShownParts::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn underscores_alone_are_a_line_to_write_on() {
        assert!(is_writing_line("____") && is_writing_line("________________"));
        assert!(!is_writing_line("") && !is_writing_line("__") && !is_writing_line("ruling: ____"));
    }
}
