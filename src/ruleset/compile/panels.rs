//! The second pass, what is drawn: tracks, tables, counters and sheets. Takes their tables, gives them compiled.

use std::sync::Arc;

use crate::formula::{Formula, Type, Value};
use crate::source::toml::{Data, Node};

use super::names::Thing;
use super::table_names::TableDraft;
use super::{Compiler, words};
use crate::ruleset::drawn::{BoxKind, BoxShape, Counter, Group, Sheet, SheetKind, Table, TableKind, Track, TrackSign};
use crate::ruleset::lexicon::{Around, Meaning, Typed};
use crate::ruleset::names::Local;
use crate::ruleset::reader::Reader;

impl Compiler<'_> {
    pub(super) fn tracks(&self, things: &[Thing<'_, '_>]) -> Vec<Track> {
        let mut tracks = Vec::new();
        for (id, reader) in things {
            let (for_each, around) = self.for_each(reader);
            let within = |locals: &'static [Local]| Around { it: clone(&around.it), locals, ..Around::default() };
            let when = self.formula(reader, "when", &around, &Type::Flag);
            let in_rows = reader.table.get("rows").is_some();
            let boxes = if in_rows {
                if let Some(node) = reader.node("boxes") {
                    self.problems.error(
                        "wrong-type",
                        node.span,
                        format!("{}: expected `rows` or `boxes`, found both", reader.what),
                        "",
                    );
                }
                self.formula(reader, "rows", &around, &Type::List(Box::new(Type::Int)))
            } else {
                let _ = reader.node("rows");
                reader.required("boxes", self.formula(reader, "boxes", &around, &Type::Int))
            };
            let lines = self.formula(reader, "lines", &around, &Type::List(Box::new(Type::Int)));
            let row_labels = self.named_formulas(reader, "row_label", &within(&[Local::Row, Local::Rows]));
            let cell = self.named_formulas(reader, "cell", &within(&[Local::Box, Local::Boxes, Local::Row]));
            let label = self.label(reader, id, &around);
            let badge = self.text(reader, "badge", &around);
            let signs = self.signs(reader, &around);
            let marks: Vec<u32> = self.marks_of(reader.table, &reader.what).into_iter().map(|(_, mark)| mark).collect();
            let kind = reader.one_of("kind", &BoxKind::ALL).unwrap_or_default();
            let shape = reader.one_of("shape", &BoxShape::ALL).unwrap_or(kind.shape());
            let (face, rule) = (reader.words("face"), reader.words("rule"));
            // What a layer adds is in no template yet: it goes on the continuation sheet unless it says otherwise.
            let required = reader.flag("required").unwrap_or(reader.span().file > 0);
            reader.finish();
            let Some(boxes) = boxes else { continue };
            let (id, span) = (id.clone(), reader.span());
            tracks.push(Track {
                id,
                for_each,
                when,
                label,
                badge,
                in_rows,
                boxes,
                lines,
                row_labels,
                cell,
                kind,
                signs,
                shape,
                face,
                required,
                rule,
                own_marks: marks.len(),
                marks,
                span,
            });
        }
        tracks
    }

    fn signs(&self, reader: &Reader<'_, '_>, around: &Around) -> Vec<TrackSign> {
        let mut signs = Vec::new();
        for node in reader.list("marks").unwrap_or_default() {
            let Data::Table(table) = &node.data else {
                self.problems.error(
                    "wrong-type",
                    node.span,
                    format!("{}: expected a table for a mark: {{ at, icon, label }}", reader.what),
                    "",
                );
                continue;
            };
            let one = Reader::new(table, format!("{}: mark", reader.what), self.problems);
            let at = one.required("at", self.formula(&one, "at", around, &Type::Int));
            let icon = one.words("icon").unwrap_or_else(|| "dot".into());
            let label = self.label(&one, "", around);
            one.finish();
            if let Some(at) = at {
                signs.push(TrackSign { at, icon, label });
            }
        }
        signs
    }

    pub(super) fn tables(&self, drafts: Vec<TableDraft<'_, '_, '_>>) -> Vec<Table> {
        let mut tables = Vec::new();
        for (number, draft) in drafts.into_iter().enumerate() {
            let TableDraft { id, reader, mut columns, sources, rows, key, has_rows } = draft;
            let (for_each, around) = self.for_each(reader);
            let ship = Around::default();
            let grid = reader.table("grid");
            let when = self.formula(reader, "when", if for_each.is_some() { &around } else { &ship }, &Type::Flag);
            let row = Around { it: Meaning::TableRow(number), ..Around::default() };
            let concerns = self.formula(reader, "concerns", if has_rows { &row } else { &ship }, &Type::Flag);
            for (column, source) in columns.iter_mut().zip(&sources) {
                let Some(node) = source.and_then(|table| table.get("cell")) else { continue };
                column.cell = self.compile_node(&format!("{}: `cell`", reader.what), node, &around, &Type::Any);
                column.ty = column.cell.as_ref().map_or(Type::Any, |cell| cell.ty.clone());
            }
            let kind = match (has_rows, for_each, grid) {
                (true, None, None) => {
                    if let Some(column) = columns.iter().find(|column| column.cell.is_some()) {
                        let help = "use for_each instead of rows for computed cells";
                        self.problems.error(
                            "wrong-type",
                            reader.span(),
                            format!("{}: column `{}` has a `cell`, but the table has rows", reader.what, column.id),
                            help,
                        );
                    }
                    TableKind::Rows { columns, key, rows, concerns }
                }
                (false, Some(of), None) => {
                    // A cell that is there and wrong is told already.
                    let bare = columns.iter().zip(&sources).filter(|(column, source)| {
                        column.cell.is_none() && source.is_none_or(|table| table.get("cell").is_none())
                    });
                    for (column, _) in bare {
                        let help = format!("use {{ id = \"{}\", cell = \"it.…\" }}", column.id);
                        self.problems.error(
                            "missing-key",
                            reader.span(),
                            format!("{}: column `{}`: missing `cell`", reader.what, column.id),
                            help,
                        );
                    }
                    TableKind::ForEach { of, columns }
                }
                (false, None, Some(grid)) => {
                    match self.grid(&Reader::new(grid, format!("{}: `grid`", reader.what), self.problems)) {
                        Some(grid) => grid,
                        None => self.nothing(reader),
                    }
                }
                _ => {
                    let help = "use rows and columns, or for_each and columns with cells, or a grid";
                    self.problems.error(
                        "missing-key",
                        reader.span(),
                        format!("{}: expected one source of cells, found none or several", reader.what),
                        help,
                    );
                    self.nothing(reader)
                }
            };
            let label = self.label(reader, &id, &ship);
            let note = self.note(reader, &ship);
            let marks: Vec<u32> = self.marks_of(reader.table, &reader.what).into_iter().map(|(_, mark)| mark).collect();
            let rule = reader.words("rule");
            reader.finish();
            let own_marks = marks.len();
            tables.push(Table { id, label, note, kind, when, rule, marks, own_marks, span: reader.span() });
        }
        tables
    }

    fn nothing(&self, reader: &Reader<'_, '_>) -> TableKind {
        let nothing = Formula::constant(Value::List(Arc::new([])), reader.span());
        TableKind::Grid {
            across: nothing.clone(),
            down: nothing.clone(),
            across_label: None,
            down_label: None,
            cell: nothing,
        }
    }

    fn grid(&self, reader: &Reader<'_, '_>) -> Option<TableKind> {
        let ship = Around::default();
        let local = |locals| Around { locals, ..Around::default() };
        let numbers = Type::List(Box::new(Type::Int));
        let across = reader.required("across", self.formula(reader, "across", &ship, &numbers));
        let down = reader.required("down", self.formula(reader, "down", &ship, &numbers));
        let across_label = self.formula(reader, "across_label", &local(&[Local::Across]), &Type::Any);
        let down_label = self.formula(reader, "down_label", &local(&[Local::Down]), &Type::Any);
        let cell =
            reader.required("cell", self.formula(reader, "cell", &local(&[Local::Across, Local::Down]), &Type::Any));
        reader.finish();
        Some(TableKind::Grid { across: across?, down: down?, across_label, down_label, cell: cell? })
    }

    pub(super) fn counters(&self, things: &[Thing<'_, '_>]) -> Vec<Counter> {
        let mut counters = Vec::new();
        for (id, reader) in things {
            let (for_each, around) = self.for_each(reader);
            let when = self.formula(reader, "when", &around, &Type::Flag);
            let (groups, group_words) = self.groups(reader, &around);
            let grouped = Around { it: clone(&around.it), group: group_words.clone(), ..Around::default() };
            let data = self.named_formulas(reader, "data", &grouped);
            let (first, series) = (reader.int("first"), reader.words("series"));
            let ticked = reader.flag("ticked").unwrap_or(false);
            if first.is_some_and(|first| !(0..=1_000_000).contains(&first)) {
                self.problems.error(
                    "value-out-of-range",
                    reader.span(),
                    format!("{}: expected `first` from 0 to 1000000", reader.what),
                    "",
                );
            }
            let size = self.size(reader);
            let label = self.label(reader, id, &around);
            let face = reader.words("face").unwrap_or_default();
            let back = reader.words("back");
            let is_ship = reader.one_of("stands_for", &[("ship", ())]).is_some();
            reader.finish();
            counters.push(Counter {
                id: id.clone(),
                label,
                for_each,
                when,
                groups,
                words: group_words,
                first,
                series,
                ticked,
                size,
                face,
                back,
                data,
                is_ship,
                span: reader.span(),
            });
        }
        counters
    }

    /// `count`, or `groups`, each a count and some words.
    fn groups(&self, reader: &Reader<'_, '_>, around: &Around) -> (Vec<Group>, Vec<Typed>) {
        let count = self.formula(reader, "count", around, &Type::Int);
        let Some(list) = reader.list("groups") else {
            let count = reader.required("count", count);
            return (count.map(|count| Group { count, words: Vec::new() }).into_iter().collect(), Vec::new());
        };
        let mut names: Vec<Typed> = Vec::new();
        let mut groups = Vec::new();
        for node in list {
            let Data::Table(table) = &node.data else {
                self.problems.error(
                    "wrong-type",
                    node.span,
                    format!("{}: expected a table for a group", reader.what),
                    "",
                );
                continue;
            };
            let mut count = None;
            let mut given: Vec<(Arc<str>, Formula)> = Vec::new();
            for entry in table.entries.iter().take(250) {
                let what = format!("{}: group: `{}`", reader.what, entry.key);
                if entry.key == "count" {
                    count = self.compile_node(&what, &entry.node, around, &Type::Int);
                } else if self.good_id(&entry.key, entry.span, false)
                    && let Some(formula) = self.compile_node(&what, &entry.node, around, &Type::Any)
                {
                    given.push((entry.key.as_ref().into(), formula));
                }
            }
            for (id, formula) in &given {
                match names.iter_mut().find(|(known, _)| known == id) {
                    Some((_, ty)) if *ty != formula.ty => *ty = join(ty, &formula.ty),
                    Some(_) => {}
                    None => names.push((id.clone(), formula.ty.clone())),
                }
            }
            match count {
                Some(count) => groups.push((count, given)),
                None => self.problems.error(
                    "missing-key",
                    node.span,
                    format!("{}: group: missing `count`", reader.what),
                    "",
                ),
            }
        }
        let nothing = Formula::constant(Value::Null, reader.span());
        let groups = groups
            .into_iter()
            .map(|(count, given)| {
                let word = |(id, _): &Typed| {
                    given
                        .iter()
                        .find(|(known, _)| known == id)
                        .map_or_else(|| nothing.clone(), |(_, formula)| formula.clone())
                };
                Group { count, words: names.iter().map(word).collect() }
            })
            .collect();
        (groups, names)
    }

    /// Width and height: `size_mm = 20`, `[50.8, 25.4]` or formulas; `size_tenths` where a formula gives tenths of a millimetre.
    fn size(&self, reader: &Reader<'_, '_>) -> [(Formula, i64); 2] {
        let (tenths, millimetres) = (reader.node("size_tenths"), reader.node("size_mm"));
        let default = || (Formula::constant(Value::Int(200), reader.span()), 1);
        let Some(node) = tenths.or(millimetres) else { return [default(), default()] };
        let (key, unit) = if tenths.is_some() { ("size_tenths", 1) } else { ("size_mm", 10) };
        let side = |node: &Node<'_>| match &node.data {
            Data::Float(text) => {
                let size = text
                    .parse::<f64>()
                    .ok()
                    .map(|size| (size * unit as f64).round())
                    .filter(|size| (10.0..=5_000.0).contains(size));
                if size.is_none() {
                    self.problems.error(
                        "wrong-type",
                        node.span,
                        format!("{}: expected `{key}` from 1 to 500 mm", reader.what),
                        "",
                    );
                }
                size.map_or_else(default, |size| (Formula::constant(Value::Int(size as i64), node.span), 1))
            }
            _ => match self.compile_node(&format!("{}: `{key}`", reader.what), node, &Around::default(), &Type::Int) {
                Some(formula) => (formula, unit),
                None => default(),
            },
        };
        match &node.data {
            Data::List(list) => match list.as_slice() {
                [width, height] => [side(width), side(height)],
                _ => {
                    self.problems.error(
                        "wrong-type",
                        node.span,
                        format!("{}: expected one number, or width and height, for a size", reader.what),
                        "",
                    );
                    [default(), default()]
                }
            },
            _ => [side(node), side(node)],
        }
    }

    pub(super) fn sheets(&self, things: &[Thing<'_, '_>]) -> Vec<Sheet> {
        let mut sheets = Vec::new();
        for (id, reader) in things {
            let kinds = [
                ("design", SheetKind::Design),
                ("reference", SheetKind::Reference),
                ("continuation", SheetKind::Continuation),
                ("roster", SheetKind::Roster),
                ("summary", SheetKind::Summary),
                ("log", SheetKind::Log),
            ];
            let kind = reader.required("kind", reader.one_of("kind", &kinds));
            let template = reader.required("template", reader.words("template"));
            let when = self.formula(reader, "when", &Around::default(), &Type::Flag);
            let label = reader.words("label").unwrap_or_else(|| words(id));
            reader.finish();
            if let (Some(kind), Some(template)) = (kind, template) {
                sheets.push(Sheet { id: id.clone(), label, kind, when, template });
            }
        }
        sheets
    }
}

fn clone(meaning: &Meaning) -> Meaning {
    meaning.clone()
}

/// One type for two of the same sort: texts keep the words of both.
fn join(a: &Type, b: &Type) -> Type {
    match (a, b) {
        (Type::Text(Some(a)), Type::Text(Some(b))) => Type::Text(Some(a.iter().chain(b.iter()).cloned().collect())),
        (Type::Text(_), Type::Text(_)) => Type::Text(None),
        _ => Type::Any,
    }
}
