//! The second pass over outputs: takes the tables of tracks, tables, counters and sheets, gives them compiled.

use std::sync::Arc;

use crate::formula::{Formula, Type, Value};
use moldloft_base::source::toml::{TomlNode, TomlValue};

use super::declarations::Declaration;
use super::table_declarations::TableDraft;
use super::{Compiler, label_from_id};
use crate::ruleset::grammar::COUNTER_ROLES;
use crate::ruleset::known_grids::GridInputs;
use crate::ruleset::outputs::{
    BoxKind, BoxShape, CounterDef, CounterGroup, SheetDef, SheetKind, TableDef, TableKind, TrackDef, TrackSign,
};
use crate::ruleset::symbol_table::{ItKind, ScopeContext, ScopeView, TypedName};
use crate::ruleset::symbols::{LocalVar, Symbol};
use crate::ruleset::table_reader::TableReader;

impl Compiler<'_> {
    pub(super) fn compile_tracks(&self, declarations: &[Declaration<'_, '_>]) -> Vec<TrackDef> {
        let mut tracks = Vec::new();
        for (id, reader) in declarations {
            let (for_each, context) = self.parse_for_each(reader);
            let within = |locals: &'static [LocalVar]| ScopeContext {
                it: context.it.clone(),
                locals,
                ..ScopeContext::default()
            };
            let when = self.compile_formula(reader, "when", &context, &Type::Flag);
            let in_rows = reader.table.get("rows").is_some();
            let boxes = if in_rows {
                if let Some(node) = reader.node("boxes") {
                    reader.error("wrong-type", node.span, "expected `rows` or `boxes`, found both", "");
                }
                self.compile_formula(reader, "rows", &context, &Type::list_of(Type::Int))
            } else {
                let _ = reader.node("rows");
                reader.required("boxes", self.compile_formula(reader, "boxes", &context, &Type::Int))
            };
            let lines = self.compile_formula(reader, "lines", &context, &Type::list_of(Type::Int));
            let row_labels = self.named_formulas(reader, "row_label", &within(&[LocalVar::Row, LocalVar::Rows]));
            let row_note = self.compile_text_key(reader, "row_note", &within(&[LocalVar::Row, LocalVar::Rows]));
            let cell = self.named_formulas(reader, "cell", &within(&[LocalVar::Box, LocalVar::Boxes, LocalVar::Row]));
            let label = self.compile_label(reader, id, &context);
            let badge = self.compile_text_key(reader, "badge", &context);
            let signs = self.compile_signs(reader, &context);
            let marks = self.marks(reader);
            let kind = reader.one_of("kind", &BoxKind::ALL).unwrap_or_default();
            let shape = reader.one_of("shape", &BoxShape::ALL).unwrap_or(kind.default_shape());
            let (face, rule) = (reader.string("face"), reader.string("rule"));
            // No template knows a track of a layer yet: by default it goes on the continuation sheet.
            let required = reader.flag("required").unwrap_or(reader.span().file > 0);
            reader.report_unknown_keys();
            let Some(boxes) = boxes else { continue };
            let (id, span) = (id.clone(), reader.span());
            tracks.push(TrackDef {
                id,
                for_each,
                when,
                label,
                badge,
                in_rows,
                boxes,
                lines,
                row_labels,
                row_note,
                cell,
                kind,
                signs,
                shape,
                face,
                required,
                rule,
                direct_marks: marks.len(),
                marks,
                span,
            });
        }
        tracks
    }

    fn compile_signs(&self, reader: &TableReader<'_, '_>, context: &ScopeContext) -> Vec<TrackSign> {
        let mut signs = Vec::new();
        for node in reader.list("marks").unwrap_or_default() {
            let TomlValue::Table(table) = &node.data else {
                reader.error("wrong-type", node.span, "expected a table for a mark: { at, icon, label }", "");
                continue;
            };
            let one = reader.nested(table, "mark");
            let at = one.required("at", self.compile_formula(&one, "at", context, &Type::Int));
            let icon = one.string("icon").unwrap_or_else(|| "dot".into());
            let label = self.compile_label(&one, "", context);
            one.report_unknown_keys();
            if let Some(at) = at {
                signs.push(TrackSign { at, icon, label });
            }
        }
        signs
    }

    pub(super) fn compile_tables(&self, drafts: Vec<TableDraft<'_, '_, '_>>) -> Vec<TableDef> {
        let mut tables: Vec<TableDef> = Vec::new();
        for (number, draft) in drafts.into_iter().enumerate() {
            let TableDraft {
                id,
                reader,
                mut columns,
                sources,
                rows,
                places: _,
                key,
                has_rows,
                made_from,
                is_filtered,
                unread_cells,
            } = draft;
            let (for_each, context) = self.parse_for_each(reader);
            let for_each = for_each.filter(|_| made_from.is_none());
            let ship = ScopeContext::default();
            let grid = reader.table("grid");
            let when_reads = if for_each.is_some() { &context } else { &ship };
            let when = match is_filtered {
                true => reader.node("when").and(None),
                false => self.compile_formula(reader, "when", when_reads, &Type::Flag),
            };
            let row = ScopeContext { it: ItKind::TableRow(number), ..ScopeContext::default() };
            let concerns = self.compile_formula(reader, "concerns", if has_rows { &row } else { &ship }, &Type::Flag);
            let mut sources = sources;
            let mut dropped = Vec::new();
            for (column, source) in columns.iter_mut().zip(&sources) {
                let Some(node) = source.and_then(|table| table.get("cell")) else { continue };
                let what = format_args!("{}: `cell`", reader.label);
                // What a layer above has taken away.
                let may_go = column.is_optional && usize::from(node.span.file) + 1 < self.sources.len();
                let scope = ScopeView { symbols: &self.symbols, context: &context };
                if may_go && matches!(self.compile_in_scope(&what, node, &scope, &Type::Any), Some(Err(_))) {
                    dropped.push(column.id.clone());
                    continue;
                }
                column.cell = self.compile_node(&what, node, &context, &Type::Any);
                column.ty = column.cell.as_ref().map_or(Type::Any, |cell| cell.ty.clone());
            }
            let stays: Vec<bool> = columns.iter().map(|column| !dropped.contains(&column.id)).collect();
            let mut each = stays.iter();
            sources.retain(|_| *each.next().unwrap_or(&true));
            columns.retain(|column| !dropped.contains(&column.id));
            let kind = match (has_rows, for_each, grid) {
                (true, None, None) => {
                    if let Some(column) = columns.iter().find(|column| column.cell.is_some()) {
                        let help = "use for_each instead of rows for computed cells";
                        reader.error(
                            "wrong-type",
                            reader.span(),
                            format!("column `{}` has a `cell`, but the table has rows", column.id),
                            help,
                        );
                    }
                    TableKind::Rows { columns, key, rows, concerns }
                }
                (false, Some(of), None) => {
                    // A cell that is present and wrong has its finding already.
                    let bare = columns.iter().zip(&sources).filter(|(column, source)| {
                        column.cell.is_none() && source.is_none_or(|table| table.get("cell").is_none())
                    });
                    for (column, _) in bare {
                        let help = format!("use {{ id = \"{}\", cell = \"it.…\" }}", column.id);
                        reader.missing(
                            &["cell"],
                            reader.span(),
                            format!("column `{}`: missing `cell`", column.id),
                            help,
                        );
                    }
                    TableKind::ForEach { of, columns }
                }
                (false, None, Some(grid)) => match self.compile_grid(&reader.nested(grid, "`grid`")) {
                    Some(grid) => grid,
                    None => self.null_grid(reader),
                },
                _ => {
                    let help = "use rows and columns, or for_each and columns with cells, or a grid";
                    reader.missing(
                        &["rows", "columns", "for_each", "grid"],
                        reader.span(),
                        "expected one source of cells, found none or several",
                        help,
                    );
                    self.null_grid(reader)
                }
            };
            let label = self.compile_label(reader, &id, &ship);
            let origin = made_from.and_then(|of| tables.get(of));
            let note = self.compile_text_key(reader, "note", &ship).or_else(|| origin?.note.clone());
            let describes = self.parse_table_subject(reader, &kind);
            // Only layers need it, before anything is compiled.
            let _ = reader.table("formerly_rows");
            let hidden_rows = self.rows_of_removed(&kind, describes.as_ref());
            let mut marks = self.marks(reader);
            let rule = reader.string("rule");
            let may_change_odds = reader.flag("odds").unwrap_or(true);
            reader.report_unknown_keys();
            let own_marks = marks.len();
            marks.extend(origin.into_iter().flat_map(|of| &of.marks));
            tables.push(TableDef {
                id,
                label,
                note,
                kind,
                made_from,
                when,
                describes,
                may_change_odds,
                hidden_rows,
                unread_cells,
                rule,
                marks,
                direct_marks: own_marks,
                span: reader.span(),
            });
        }
        tables
    }

    fn null_grid(&self, reader: &TableReader<'_, '_>) -> TableKind {
        let nothing = Formula::constant(Value::List(Arc::new([])), reader.span());
        TableKind::Grid {
            across: nothing.clone(),
            down: nothing.clone(),
            across_label: None,
            down_label: None,
            cell: nothing,
            inputs: None,
        }
    }

    fn compile_grid(&self, reader: &TableReader<'_, '_>) -> Option<TableKind> {
        let ship = ScopeContext::default();
        let local = |locals| ScopeContext { locals, ..ScopeContext::default() };
        let numbers = Type::list_of(Type::Int);
        let across = reader.required("across", self.compile_formula(reader, "across", &ship, &numbers));
        let down = reader.required("down", self.compile_formula(reader, "down", &ship, &numbers));
        let across_label = self.compile_formula(reader, "across_label", &local(&[LocalVar::Across]), &Type::Any);
        let down_label = self.compile_formula(reader, "down_label", &local(&[LocalVar::Down]), &Type::Any);
        let cell = reader.required(
            "cell",
            self.compile_formula(reader, "cell", &local(&[LocalVar::Across, LocalVar::Down]), &Type::Any),
        );
        reader.report_unknown_keys();
        let (across, down, cell) = (across?, down?, cell?);
        let varying = [Symbol::Local(LocalVar::Across).slot(), Symbol::Local(LocalVar::Down).slot()];
        let chosen = cell.with_calls_chosen();
        let formulas = across_label.iter().chain(&down_label).chain([&chosen]);
        let inputs = GridInputs::of(formulas, &varying, &self.symbols.calls).map(Arc::new);
        Some(TableKind::Grid { across, down, across_label, down_label, cell, inputs })
    }

    pub(super) fn compile_counters(&self, declarations: &[Declaration<'_, '_>]) -> Vec<CounterDef> {
        let mut counters = Vec::new();
        for (id, reader) in declarations {
            let (for_each, context) = self.parse_for_each(reader);
            let when = self.compile_formula(reader, "when", &context, &Type::Flag);
            let (groups, group_words) = self.compile_groups(reader, &context);
            let grouped =
                ScopeContext { it: context.it.clone(), group: group_words.clone(), ..ScopeContext::default() };
            let data = self.named_formulas(reader, "data", &grouped);
            let (first, series) = (reader.int("first"), reader.string("series"));
            let ticked = reader.flag("ticked").unwrap_or(false);
            let spares = reader.flag("spares").unwrap_or(false);
            if first.is_some_and(|first| !(0..=1_000_000).contains(&first)) {
                reader.error("value-out-of-range", reader.span(), "expected `first` from 0 to 1000000", "");
            }
            let size = self.compile_size(reader);
            let label = self.compile_label(reader, id, &context);
            let face = reader.string("face").unwrap_or_default();
            let back = reader.string("back");
            let acts_as = self.compile_text_key(reader, "acts_as", &context);
            let is_ship = reader.one_of("stands_for", &COUNTER_ROLES).is_some();
            reader.report_unknown_keys();
            counters.push(CounterDef {
                id: id.clone(),
                label,
                for_each,
                when,
                groups,
                words: group_words,
                first,
                series,
                ticked,
                spares,
                size,
                face,
                back,
                data,
                acts_as,
                is_ship,
                span: reader.span(),
            });
        }
        counters
    }

    /// `count`, or `groups`, each with a count and named values.
    fn compile_groups(
        &self,
        reader: &TableReader<'_, '_>,
        context: &ScopeContext,
    ) -> (Vec<CounterGroup>, Vec<TypedName>) {
        let count = self.compile_formula(reader, "count", context, &Type::Int);
        let Some(list) = reader.list("groups") else {
            let count = reader.required("count", count);
            return (count.map(|count| CounterGroup { count, words: Vec::new() }).into_iter().collect(), Vec::new());
        };
        let mut names: Vec<TypedName> = Vec::new();
        let mut groups = Vec::new();
        for node in list {
            let TomlValue::Table(table) = &node.data else {
                reader.error("wrong-type", node.span, "expected a table for a group", "");
                continue;
            };
            let mut count = None;
            let mut given: Vec<(Arc<str>, Formula)> = Vec::new();
            for entry in table.entries.iter().take(250) {
                let what = format_args!("{}: group: `{}`", reader.label, entry.key);
                if entry.key == "count" {
                    count = self.compile_node(&what, &entry.node, context, &Type::Int);
                } else if self.check_id(&entry.key, entry.span, false)
                    && let Some(formula) = self.compile_node(&what, &entry.node, context, &Type::Any)
                {
                    given.push((entry.key.as_ref().into(), formula));
                }
            }
            for (id, formula) in &given {
                match names.iter_mut().find(|(known, _)| known == id) {
                    Some((_, ty)) if *ty != formula.ty => *ty = join_types(ty, &formula.ty),
                    Some(_) => {}
                    None => names.push((id.clone(), formula.ty.clone())),
                }
            }
            match count {
                Some(count) => groups.push((count, given)),
                None => reader.missing(&["count"], node.span, "group: missing `count`", ""),
            }
        }
        let nothing = Formula::constant(Value::Null, reader.span());
        let groups = groups
            .into_iter()
            .map(|(count, given)| {
                let word = |(id, _): &TypedName| {
                    given
                        .iter()
                        .find(|(known, _)| known == id)
                        .map_or_else(|| nothing.clone(), |(_, formula)| formula.clone())
                };
                CounterGroup { count, words: names.iter().map(word).collect() }
            })
            .collect();
        (groups, names)
    }

    /// Width and height: `size_mm = 20`, `[50.8, 25.4]` or formulas; `size_tenths` for formulas in tenths of a
    /// millimetre.
    fn compile_size(&self, reader: &TableReader<'_, '_>) -> [(Formula, i64); 2] {
        let (tenths, millimetres) = (reader.node("size_tenths"), reader.node("size_mm"));
        let default = || (Formula::constant(Value::Int(200), reader.span()), 1);
        let Some(node) = tenths.or(millimetres) else { return [default(), default()] };
        let (key, unit) = if tenths.is_some() { ("size_tenths", 1) } else { ("size_mm", 10) };
        let side = |node: &TomlNode<'_>| match &node.data {
            TomlValue::Float(text) => {
                let size = text
                    .parse::<f64>()
                    .ok()
                    .map(|size| (size * unit as f64).round())
                    .filter(|size| (10.0..=5_000.0).contains(size));
                if size.is_none() {
                    reader.error("wrong-type", node.span, format!("expected `{key}` from 1 to 500 mm"), "");
                }
                size.map_or_else(default, |size| (Formula::constant(Value::Int(size as i64), node.span), 1))
            }
            _ => match self.compile_node(
                &format_args!("{}: `{key}`", reader.label),
                node,
                &ScopeContext::default(),
                &Type::Int,
            ) {
                Some(formula) => (formula, unit),
                None => default(),
            },
        };
        match &node.data {
            TomlValue::List(list) => match list.as_slice() {
                [width, height] => [side(width), side(height)],
                _ => {
                    reader.error("wrong-type", node.span, "expected one number, or width and height, for a size", "");
                    [default(), default()]
                }
            },
            _ => [side(node), side(node)],
        }
    }

    pub(super) fn compile_sheets(&self, declarations: &[Declaration<'_, '_>]) -> Vec<SheetDef> {
        let mut sheets = Vec::new();
        for (id, reader) in declarations {
            let kind = reader.required("kind", reader.one_of("kind", &SheetKind::ALL));
            let template = reader.required("template", reader.string("template"));
            let when = self.compile_formula(reader, "when", &ScopeContext::default(), &Type::Flag);
            let label = reader.string("label").unwrap_or_else(|| label_from_id(id));
            reader.report_unknown_keys();
            if let (Some(kind), Some(template)) = (kind, template) {
                sheets.push(SheetDef { id: id.clone(), label, kind, when, template });
            }
        }
        sheets
    }
}

/// The common type of two of the same kind: texts keep the choices of both.
fn join_types(a: &Type, b: &Type) -> Type {
    match (a, b) {
        (Type::Text(Some(a)), Type::Text(Some(b))) => Type::Text(Some(a.iter().chain(b.iter()).cloned().collect())),
        (Type::Text(_), Type::Text(_)) => Type::Text(None),
        _ => Type::Any,
    }
}
