//! Binds queries about the ship when a formula is compiled: takes a call as written, gives its number, or the error.
//! Checks every argument that is known at compile time; the others are resolved when the formula is evaluated.

use std::sync::Arc;

use crate::formula::{Argument, BoundCall, FormulaError, FormulaErrorKind, Type, Value};
use moldloft_base::source::Span;

use super::call_table::{Call, CallKind, FitFilter};
use super::problems::{shorten, suggest};
use super::symbol_table::{EXACT, ItKind, ScopeView, find_typed};

impl ScopeView<'_> {
    fn resolve_filter(
        &self,
        what: FilterKind,
        argument: &Argument<'_>,
        passed: &mut Vec<usize>,
        place: usize,
    ) -> Result<FitFilter, FormulaError> {
        let wrong = |message: String, help: String, code| FormulaError::new(code, message, argument.span).help(help);
        let words: Vec<&str> = match &argument.literal {
            Some(Value::Text(text)) => vec![text],
            Some(Value::List(list)) => {
                list.iter().filter_map(|v| if let Value::Text(t) = v { Some(&**t) } else { None }).collect()
            }
            Some(_) => return Err(wrong(format!("expected text for `{}`", what.noun()), String::new(), "wrong-type")),
            None => {
                let fits = match &argument.ty {
                    Type::Text(_) | Type::Any => true,
                    Type::List(of) => matches!(**of, Type::Text(_) | Type::Any),
                    _ => false,
                };
                if !fits {
                    return Err(wrong(
                        format!("expected text or a list of texts for `{}`", what.noun()),
                        String::new(),
                        "wrong-type",
                    ));
                }
                passed.push(place);
                return Ok(FitFilter::Argument(passed.len() - 1));
            }
        };
        let mut only = Vec::new();
        let exact = words.iter().filter(|word| matches!(what, FilterKind::System) && word.starts_with(EXACT)).count();
        if exact != 0 && exact != words.len() {
            let message = format!("expected `{EXACT}` before all systems or before none");
            let help = "add the counts: count('=laser') + count('graser')".to_owned();
            return Err(wrong(message, help, "wrong-arguments"));
        }
        for word in words {
            let found = match what {
                FilterKind::System => self.symbols.named_systems(word.strip_prefix(EXACT).unwrap_or(word)),
                FilterKind::Mount => self.symbols.match_mounts(word),
                FilterKind::Tag => {
                    let tags = &self.symbols.tags;
                    tags.iter()
                        .position(|tag| **tag == *word)
                        .map(|n| vec![n])
                        .or_else(|| self.symbols.removed.has_system_tag(word).then(Vec::new))
                        .ok_or_else(|| suggest(word, tags.iter().map(|t| &**t)))
                }
            };
            match found {
                Ok(found) => only.extend(found.into_iter().map(|n| n as u32)),
                Err(help) => {
                    return Err(wrong(format!("unknown {} `{}`", what.noun(), shorten(word)), help, what.error_code()));
                }
            }
        }
        only.sort_unstable();
        only.dedup();
        Ok(if exact == 0 { FitFilter::Only(only) } else { FitFilter::Exactly(only) })
    }

    pub(super) fn bind_fit_query(&self, function: &str, arguments: &[Argument<'_>]) -> Result<BoundCall, FormulaError> {
        let span = arguments.first().map_or(Span::default(), |a| a.span);
        let mut passed = Vec::new();
        let mut filters = [FitFilter::Any, FitFilter::Any, FitFilter::Any];
        let mut kind = match function {
            "count" => CallKind::Count,
            "fitted" => CallKind::Fitted,
            "systems" => CallKind::Systems,
            _ => CallKind::Total(usize::MAX),
        };
        let order: &[Option<FilterKind>] = match function {
            "count" => &[Some(FilterKind::System), Some(FilterKind::Mount)],
            "total" => &[None, Some(FilterKind::System), Some(FilterKind::Mount)],
            _ => &[Some(FilterKind::Mount)],
        };
        for (place, argument) in arguments.iter().enumerate() {
            let what = match argument.name {
                None => match order.get(place) {
                    Some(what) => *what,
                    None => {
                        let help = "name the other arguments: system=, mount=, tag=".to_owned();
                        let s = if order.len() == 1 { "" } else { "s" };
                        return Err(misused(
                            argument.span,
                            format!("`{function}` takes at most {} positional argument{s}", order.len()),
                        )
                        .help(help));
                    }
                },
                Some("system") if function != "systems" => Some(FilterKind::System),
                Some("mount") => Some(FilterKind::Mount),
                Some("tag") => Some(FilterKind::Tag),
                Some(name) => {
                    let help = suggest(name, ["system", "mount", "tag"]);
                    return Err(
                        misused(argument.span, format!("`{function}` has no argument `{}`", shorten(name))).help(help)
                    );
                }
            };
            if let Some(what) = what {
                let filter = self.resolve_filter(what, argument, &mut passed, place)?;
                let slot = &mut filters[what as usize];
                if *slot != FitFilter::Any {
                    return Err(misused(argument.span, format!("`{function}` has a duplicate {}", what.noun())));
                }
                *slot = filter;
                continue;
            }
            let Some(Value::Text(word)) = &argument.literal else {
                let help = "use a name in quotes, such as total('mass')".to_owned();
                return Err(misused(argument.span, "`total` needs a literal name").help(help));
            };
            let sums: Vec<&str> =
                self.symbols.attributes.iter().filter(|a| a.ty == Type::Int).map(|a| &*a.id).collect();
            match self.symbols.attribute(word).filter(|&n| self.symbols.attributes[n].ty == Type::Int) {
                Some(n) => kind = CallKind::Total(n),
                None => {
                    let message = format!("cannot total `{}`: no system has such a number", shorten(word));
                    return Err(unknown(argument.span, message, suggest(word, sums.iter().copied())));
                }
            }
        }
        if kind == CallKind::Total(usize::MAX) {
            return Err(misused(span, "`total` needs a name: total('mass')"));
        }
        let [system, mount, tag] = filters;
        let ty = match kind {
            CallKind::Fitted => Type::Any,
            CallKind::Systems => Type::List(Box::new(Type::Text(None))),
            _ => Type::Int,
        };
        self.add_call(Call { kind, system, except: Vec::new(), mount, tag }, passed, ty, span)
    }

    fn add_call(&self, call: Call, passed: Vec<usize>, ty: Type, span: Span) -> Result<BoundCall, FormulaError> {
        match self.symbols.calls.intern(call) {
            Some(call) => Ok(BoundCall { call, passed_arguments: passed, ty }),
            None => Err(FormulaError::new("too-large", "too many different calls in one ruleset", span)),
        }
    }

    /// Whether a word of this type can be that of `it`: of all systems, those alone that `for_each` names.
    fn may_be_it(&self, ty: &Type, word: &str) -> bool {
        match &self.context.it {
            ItKind::Fit(Some(systems)) | ItKind::System(Some(systems)) if *ty == self.symbols.system_type() => {
                self.symbols.system_index(word).is_some_and(|system| systems.contains(&system))
            }
            _ => true,
        }
    }

    /// Reports keys that have no row in the table.
    fn missing_rows(
        &self,
        table: &str,
        argument: &Argument<'_>,
        (first, missing, all): (&Value, usize, usize),
        known: &[&str],
    ) -> FormulaError {
        let first = display_key(first);
        let others = match missing - 1 {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let message = match all {
            1 => format!("table `{table}` needs a row for `{first}`"),
            _ => format!("table `{table}` needs a row for each of the {all} possible words, missing `{first}`{others}"),
        };
        let mount = matches!(&argument.ty, Type::Text(Some(words)) if !words.is_empty()
            && words.len() == self.symbols.mounts.len()
            && words.iter().zip(&self.symbols.mounts).all(|(word, (id, _))| word == id));
        let near = suggest(&first, known.iter().copied());
        let near = if near.starts_with("did you mean") { format!("{near} Otherwise ") } else { String::new() };
        let help = if mount {
            format!(
                "{near}add the rows: a fit can name any mount of the ruleset, even one that the system's `mounts` does not list"
            )
        } else {
            format!(
                "{near}add the rows, or look up another word; existing rows: {}",
                known.iter().take(12).copied().collect::<Vec<_>>().join(", ")
            )
        };
        FormulaError::new("unknown-row", message, argument.span).help(help).about(&first)
    }

    pub(super) fn bind_table_query(
        &self,
        function: &str,
        arguments: &[Argument<'_>],
    ) -> Result<BoundCall, FormulaError> {
        let span = arguments.first().map_or(Span::default(), |a| a.span);
        if let Some(argument) = arguments.iter().find(|a| a.name.is_some()) {
            return Err(misused(argument.span, format!("`{function}` takes only positional arguments")));
        }
        let Some(Value::Text(id)) = arguments.first().and_then(|a| a.literal.as_ref()) else {
            return Err(misused(span, format!("`{function}` needs a literal table id as its first argument")));
        };
        let removed = &self.symbols.removed;
        let gone = |ty: Type, list: bool| self.add_call(Call::of(CallKind::Removed { list }), Vec::new(), ty, span);
        let tables = &self.symbols.tables;
        let Some(number) = tables.iter().position(|table| table.id == *id) else {
            if removed.has("table", id) {
                return if function == "cells" { gone(Type::list_of(Type::Any), true) } else { gone(Type::Any, false) };
            }
            let heir = tables.iter().find(|table| table.former.iter().any(|known| **known == **id));
            let help = match heir {
                Some(heir) => format!("its numbers are in `{}` now", heir.id),
                None => suggest(id, tables.iter().map(|t| &*t.id)),
            };
            return Err(unknown(span, format!("unknown table `{}`", shorten(id)), help));
        };
        let table = &tables[number];
        let kind = if function == "row" {
            if table.key.is_empty() || arguments.len() != table.key.len() + 1 {
                let names: Vec<_> = table.key.iter().map(|&n| &*table.columns[n].0).collect();
                let message = match names.len() {
                    0 => format!("table `{id}` has no `key` to search"),
                    _ => format!("`row` needs {} to look up table `{id}`", names.join(" and ")),
                };
                let help = match names.is_empty() {
                    true => {
                        "add key = [\"COLUMN\"] to the table, or use step() to find a number in any column".to_owned()
                    }
                    false => format!("use row('{id}', {})", names.join(", ")),
                };
                return Err(misused(span, message).help(help));
            }
            // Check the keys that are known now: literals, and every value of a choice's attribute.
            // A formula of a lower layer cannot know the words, nor the rows, of those above: a missing row is a finding
            // where it is looked up, and one that a layer removed is null.
            let may_be_missing = removed.is_below_layer(span);
            for (place, argument) in arguments[1..].iter().enumerate() {
                let is_gone = |word: &Value| match &table.key[..] {
                    [_] => self.symbols.is_removed_row(id, &display_key(word)),
                    _ => removed.within("row", id).any(|row| row.split(' ').nth(place) == Some(&*display_key(word))),
                };
                if may_be_missing {
                    let gone_row =
                        argument.literal.as_ref().filter(|word| !table.keys.iter().any(|key| key[place] == **word));
                    if gone_row.is_some_and(is_gone) {
                        return gone(table.record.clone(), false);
                    }
                    continue;
                }
                let words: Vec<Value> = match (&argument.literal, &argument.ty) {
                    (Some(value), _) => vec![value.clone()],
                    (None, Type::Text(Some(words))) => {
                        let may_be = |word: &&Arc<str>| self.may_be_it(&argument.ty, word);
                        words.iter().filter(may_be).map(|word| Value::Text(word.clone())).collect()
                    }
                    _ => Vec::new(),
                };
                // A system without a row has that of what it is like.
                let has_row = |word: &Value| {
                    let is_key = |word: &Value| table.keys.iter().any(|key| key[place] == *word);
                    let system = if let Value::Text(id) = word { self.symbols.system_index(id) } else { None };
                    let mut kinds = system.iter().flat_map(|system| &self.symbols.systems[*system].kinds);
                    is_key(word) || kinds.any(|kind| is_key(&Value::Text(self.symbols.systems[*kind].id.clone())))
                };
                let missing: Vec<&Value> = words.iter().filter(|word| !has_row(word)).collect();
                if let (Some(first), None) = (missing.first(), &argument.literal) {
                    let known = table.keys.iter().map(|key| &key[place]);
                    let known: Vec<&str> = known
                        .filter_map(|key| if let Value::Text(word) = key { Some(&**word) } else { None })
                        .collect();
                    return Err(self.missing_rows(id, argument, (first, missing.len(), words.len()), &known));
                }
                for word in words {
                    if !has_row(&word) {
                        let shown = display_key(&word);
                        let known: Vec<&str> = table
                            .keys
                            .iter()
                            .filter_map(|key| if let Value::Text(t) = &key[place] { Some(&**t) } else { None })
                            .collect();
                        let help = suggest(&shown, known.iter().copied());
                        return Err(FormulaError::new(
                            "unknown-row",
                            format!("table `{id}` has no row `{shown}`"),
                            argument.span,
                        )
                        .help(help));
                    }
                }
            }
            CallKind::Row(number)
        } else if function == "cells" {
            let [_, column] = arguments else {
                return Err(misused(span, "`cells` takes two arguments: cells('table', 'column')"));
            };
            let Some(Value::Text(word)) = &column.literal else {
                return Err(misused(column.span, "`cells` needs a literal column name"));
            };
            let Some(place) = find_typed(&table.columns, word) else {
                let help = suggest(word, table.columns.iter().map(|(id, _)| &**id));
                let message = format!("table `{id}` has no column `{}`", shorten(word));
                return Err(FormulaError::new("unknown-column", message, column.span).help(help));
            };
            CallKind::Cells(number, place)
        } else {
            let in_range = function == "within";
            let [_, column, reach] = arguments else {
                return Err(misused(
                    span,
                    format!("`{function}` takes three arguments: {function}('table', 'column', number)"),
                ));
            };
            if !matches!(reach.ty, Type::Int | Type::Any) {
                return Err(FormulaError::new(
                    "wrong-type",
                    format!("`{function}` needs a number as its third argument"),
                    reach.span,
                ));
            }
            match &column.literal {
                Some(Value::Text(word)) => {
                    let has_numbers = |ty: &Type| match ty {
                        Type::Int => true,
                        Type::Text(_) | Type::Any => in_range,
                        _ => false,
                    };
                    match find_typed(&table.columns, word).filter(|&n| has_numbers(&table.columns[n].1)) {
                        Some(n) if in_range => CallKind::Within(number, n),
                        Some(n) => CallKind::Step(number, n),
                        None => {
                            let numbers = table.columns.iter().filter(|(_, ty)| has_numbers(ty)).map(|(id, _)| &**id);
                            let help = suggest(word, numbers.collect::<Vec<_>>().iter().copied());
                            return Err(FormulaError::new(
                                "unknown-column",
                                format!("table `{id}` has no number column `{}`", shorten(word)),
                                column.span,
                            )
                            .help(help));
                        }
                    }
                }
                _ => {
                    return Err(misused(column.span, format!("`{function}` needs a literal column name")));
                }
            }
        };
        let (passed, ty) = match kind {
            CallKind::Cells(_, place) => (Vec::new(), Type::list_of(table.columns[place].1.clone())),
            CallKind::Row(_) => ((1..arguments.len()).collect(), table.record.clone()),
            _ => (vec![2], table.record.clone()),
        };
        self.add_call(Call::of(kind), passed, ty, span)
    }
}

#[derive(Clone, Copy)]
enum FilterKind {
    System = 0,
    Mount = 1,
    Tag = 2,
}

fn display_key(word: &Value) -> String {
    match word {
        Value::Text(text) => shorten(text),
        Value::Int(number) => number.to_string(),
        _ => "…".to_owned(),
    }
}

impl FilterKind {
    fn noun(self) -> &'static str {
        ["system", "mount", "tag"][self as usize]
    }
    fn error_code(self) -> &'static str {
        ["unknown-system", "unknown-mount", "unknown-tag"][self as usize]
    }
}

fn unknown(span: Span, message: String, help: String) -> FormulaError {
    FormulaError::of_kind(FormulaErrorKind::UnknownName, message, span).help(help)
}

/// A query that is written wrongly.
fn misused(span: Span, message: impl Into<String>) -> FormulaError {
    FormulaError::new("wrong-arguments", message, span)
}
