//! Names without a reader: takes the lint context, reports settings, fields, values, attributes, parameters, columns,
//! options' data, tags and counters' data that no formula and no template contains. Any occurrence in a template
//! counts, so that nothing shown is reported.

use std::collections::BTreeSet;
use std::sync::Arc;

use moldloft_base::source::Span;
use moldloft_base::source::toml::{TomlNode, TomlTable, TomlValue};
use moldloft_rules::formula::Formula;
use moldloft_rules::ruleset::{
    Amount, CallKind, ChoiceDef, FieldKind, PrintedRows, ROLE_TAGS, Selector, Symbol, TableKind, ValueDef,
};
use moldloft_sheet::sheet::{BAND_COLUMNS, BAND_TABLE};

use super::context::{LintContext, collect_template_words, collect_words};

pub(super) fn check(context: &mut LintContext<'_>) {
    // A missing template may read anything.
    if context.has_all_files {
        check_settings_and_fields(context);
        check_values(context);
        check_attributes(context);
        check_tables(context);
        check_tags(context);
    }
    check_counters(context);
}

fn is_read(context: &LintContext<'_>, name: Symbol) -> bool {
    context.reads.contains(&name.slot())
}

/// Whether a choice or any of its data is read.
fn any_data(context: &LintContext<'_>, choice: Option<&ChoiceDef>, name: impl Fn(usize) -> Symbol) -> bool {
    choice.is_some_and(|choice| (0..=choice.attributes.len()).any(|a| is_read(context, name(a))))
}

/// Every `for_each` of the ruleset.
fn all_selectors<'r>(context: &LintContext<'r>) -> Vec<&'r Selector> {
    let rules = context.rules;
    let mut all: Vec<&Selector> = Vec::new();
    all.extend(rules.costs.iter().filter_map(|one| one.for_each.as_ref()));
    all.extend(rules.tracks.iter().filter_map(|one| one.for_each.as_ref()));
    all.extend(rules.checks.iter().filter_map(|one| one.scope.for_each.as_ref()));
    all.extend(rules.counters.iter().filter_map(|one| one.for_each.as_ref()));
    all.extend(rules.rulers.iter().flat_map(|one| &one.reaches).filter_map(|one| one.for_each.as_ref()));
    all.extend(rules.attack_rules.attacks.iter().filter_map(|one| one.for_each.as_ref()));
    all.extend(rules.tables.iter().filter_map(|one| match &one.kind {
        TableKind::ForEach { of, .. } => Some(of),
        _ => None,
    }));
    all
}

fn check_settings_and_fields(context: &mut LintContext<'_>) {
    let rules = context.rules;
    for (n, setting) in rules.settings.iter().enumerate() {
        let data = any_data(context, setting.choice.as_ref(), |a| Symbol::SettingOption(n, a));
        if !data && !is_read(context, Symbol::Setting(n)) && !context.mentions(&setting.id) {
            let span = context.span("setting", &setting.id, "id");
            let message = format!("no formula or template reads the setting `{}`", setting.id);
            context.find("unused-setting", span, message, "use it, or remove it");
        } else if let Some(choice) = &setting.choice {
            check_option_data(context, "setting", &setting.id, choice, |a| Symbol::SettingOption(n, a));
        }
    }
    let over: Vec<usize> = all_selectors(context)
        .into_iter()
        .filter_map(|s| if let Selector::Field(n) = s { Some(*n) } else { None })
        .collect();
    let panels = context.existing_templates.iter().flat_map(|(_, template)| &template.panels);
    let has_band = panels.into_iter().any(|panel| panel.kind.trim() == "band");
    for (n, field) in rules.fields.iter().enumerate() {
        let choice = if let FieldKind::Choice(choice) = &field.kind { Some(choice) } else { None };
        let data = any_data(context, choice, |a| Symbol::FieldOption(n, a));
        // `panel: band` reads the colours of options, and the texts of fields as names of its table's rows.
        let of_band = match &field.kind {
            FieldKind::Choice(choice) => choice.attributes.iter().any(|(id, _)| BAND_COLUMNS.contains(&&**id)),
            FieldKind::Text => rules.tables.iter().any(|table| *table.id == *BAND_TABLE),
            _ => false,
        };
        let read = (of_band && has_band)
            || data
            || is_read(context, Symbol::Field(n))
            || over.contains(&n)
            || context.mentions(&field.id);
        if !read && &*field.id != "points" {
            let span = context.span("field", &field.id, "id");
            let message = format!("designs set `{}`, but no formula or template reads it", field.id);
            context.find("unused-field", span, message, "use it, show it, or remove it");
            continue;
        }
        if let Some(choice) = choice {
            check_option_data(context, "field", &field.id, choice, |a| Symbol::FieldOption(n, a));
        }
        if let FieldKind::Rows(columns) = &field.kind {
            for column in columns.iter().filter(|column| !context.mentions(&column.id)).collect::<Vec<_>>() {
                let span = column_span(context, "field", &field.id, &column.id);
                let message = format!("no formula or template reads the column `{}` of {}", column.id, field.id);
                context.find_about("unused-column", span, [&*column.id], message, "use it, show it, or remove it");
            }
        }
    }
}

fn check_option_data(
    context: &mut LintContext<'_>,
    word: &str,
    id: &str,
    choice: &ChoiceDef,
    name: impl Fn(usize) -> Symbol,
) {
    for (a, (attribute, _)) in choice.attributes.iter().enumerate() {
        let is_of_band = word == "field" && BAND_COLUMNS.contains(&&**attribute);
        if is_of_band || is_read(context, name(a + 1)) || context.mentions(attribute) {
            continue;
        }
        let span = data_span(context, word, id, attribute);
        let message = format!("no formula or template reads choice.{id}.{attribute}");
        context.find_about(
            "unused-option-data",
            span,
            [&**attribute],
            message,
            "use it, or remove it from all options",
        );
    }
}

pub(super) fn option_span(context: &LintContext<'_>, word: &str, id: &str, option: &str) -> Span {
    let options = context.definition(word, id).and_then(|table| table.table("options"));
    let entry = options.and_then(|options| options.entries.iter().find(|entry| entry.key == option));
    entry.map_or_else(|| context.span(word, id, "options"), |entry| entry.span)
}

/// The place where the first option has an attribute.
fn data_span(context: &LintContext<'_>, word: &str, id: &str, attribute: &str) -> Span {
    let options = context.definition(word, id).and_then(|table| table.table("options"));
    let found = options.into_iter().flat_map(|options| &options.entries).find_map(|option| match &option.node.data {
        TomlValue::Table(table) => table.entries.iter().find(|entry| entry.key == attribute).map(|entry| entry.span),
        _ => None,
    });
    found.unwrap_or_else(|| context.span(word, id, "options"))
}

fn column_span(context: &LintContext<'_>, word: &str, id: &str, column: &str) -> Span {
    let columns = context.definition(word, id).map(|table| table.list("columns")).unwrap_or_default();
    let is = |node: &&TomlNode<'_>| node.text_at("id").or_else(|| node.as_text()) == Some(column);
    columns.iter().find(is).map_or_else(|| context.span(word, id, "columns"), |node| node.span)
}

fn check_values(context: &mut LintContext<'_>) {
    let rules = context.rules;
    let amounts = |value: &ValueDef| -> Vec<Amount> { [&*value.spare_of, &*value.room_for].concat() };
    let spares: Vec<Amount> = rules.values.iter().flat_map(amounts).collect();
    for (n, value) in rules.values.iter().enumerate() {
        let is_used =
            value.headline || value.limit.is_some() || !amounts(value).is_empty() || spares.contains(&Amount::Value(n));
        if is_used
            || &*value.id == "points"
            || is_read(context, Symbol::Value(n))
            || context.template_words.contains(&*value.id)
        {
            continue;
        }
        let span = context.span("value", &value.id, "id");
        let message = format!("no formula, template or list of designs shows the value `{}`", value.id);
        let help = "show it on a sheet, set headline = true, or remove it";
        context.find("unused-value", span, message, help);
    }
}

fn check_attributes(context: &mut LintContext<'_>) {
    let symbols = &context.rules.symbols;
    let totals: Vec<usize> = context
        .calls
        .iter()
        .filter_map(|&call| symbols.calls.get(call))
        .filter_map(|call| if let CallKind::Total(attribute) = call.kind { Some(attribute) } else { None })
        .collect();
    for (n, attribute) in symbols.attributes.iter().enumerate() {
        let read = is_read(context, Symbol::Attribute(n)) || is_read(context, Symbol::Whole(n)) || totals.contains(&n);
        if read || context.mentions(&attribute.id) {
            continue;
        }
        if attribute.default.is_some() {
            let attributes = context.tree.table("attributes");
            let entry = attributes.and_then(|table| table.entries.iter().find(|entry| *entry.key == *attribute.id));
            let Some(span) = entry.map(|entry| entry.span) else { continue };
            let message = format!("no formula or template reads the attribute `{}`", attribute.id);
            context.find_about(
                "unused-attribute",
                span,
                [&*attribute.id],
                message,
                "use it, or remove it from all systems",
            );
            continue;
        }
        let systems = context.rules.systems.iter().filter(|s| s.parameters.iter().any(|p| p.attribute == n));
        let Some(system) = systems.map(|system| system.id.clone()).next() else { continue };
        let parameters = context.definition("system", &system).and_then(|table| table.table("parameters"));
        let entry = parameters.and_then(|table| table.entries.iter().find(|entry| *entry.key == *attribute.id));
        let span = entry.map_or_else(|| context.span("system", &system, "parameters"), |entry| entry.span);
        let message = format!("fits of {system} set `{}`, but no formula or template reads it", attribute.id);
        context.find_about("unused-parameter", span, [&*attribute.id], message, "use it, show it, or remove it");
    }
}

fn check_tables(context: &mut LintContext<'_>) {
    let rules = context.rules;
    let read_tables: BTreeSet<usize> = context
        .calls
        .iter()
        .filter_map(|&call| rules.symbols.calls.get(call))
        .filter_map(|call| call.kind.table())
        .chain(
            all_selectors(context).into_iter().filter_map(|s| if let Selector::Table(n) = s { Some(*n) } else { None }),
        )
        .chain(rules.tables.iter().filter_map(|table| table.made_from))
        .chain(rules.attack_rules.printed.iter().filter_map(|printed| match printed {
            PrintedRows::Table(table) => Some(usize::from(*table)),
            PrintedRows::Track(_) => None,
        }))
        .collect();
    for (n, table) in rules.tables.iter().enumerate() {
        // The editor shows what describes something.
        let shown = context.template_words.contains(&*table.id) || table.describes.is_some();
        if !shown && !read_tables.contains(&n) {
            // What a layer adds for certain ships is printed on the continuation sheet.
            if table.is_new() && table.is_conditional() {
                continue;
            }
            let span = context.span("table", &table.id, "id");
            let message = format!("no sheet shows the table `{}`, and no formula reads it", table.id);
            let other = if table.is_new() { "set `concerns` for the ships that show it" } else { "remove the table" };
            let help = format!("draw a rectangle labelled `panel: table {}` on a sheet, or {other}", table.id);
            context.find("unused-table", span, message, help);
            continue;
        }
        let TableKind::Rows { columns, key, .. } = &table.kind else { continue };
        for (place, column) in columns.iter().enumerate() {
            let seen = shown && !column.hidden;
            if seen || key.contains(&place) || context.mentions(&column.id) {
                continue;
            }
            let span = column_span(context, "table", &table.id, &column.id);
            let message = format!("no sheet shows the column `{}` of {}, and nothing reads it", column.id, table.id);
            context.find_about("unused-column", span, [&*column.id], message, "use it, show it, or remove it");
        }
    }
}

/// Tags of systems and mounts.
fn check_tags(context: &mut LintContext<'_>) {
    let mut named: BTreeSet<String> = BTreeSet::new();
    collect_tags(&context.tree, &mut named);
    let mut seen: BTreeSet<(&str, String)> = BTreeSet::new();
    let mut unused: Vec<(Span, &str, String)> = Vec::new();
    for word in ["system", "mount"] {
        for table in context.definitions(word) {
            let Some(node) = table.get("tags") else { continue };
            let list =
                if let TomlValue::List(list) = &node.data { list.as_slice() } else { std::slice::from_ref(node) };
            for tag in list {
                let Some(id) = tag.as_text() else { continue };
                let fresh = seen.insert((word, id.to_owned()));
                let is_role = word == "system" && ROLE_TAGS.contains(&id);
                if fresh && !is_role && !named.contains(id) && !context.mentions(id) {
                    unused.push((tag.span, word, id.to_owned()));
                }
            }
        }
    }
    for (span, word, tag) in unused {
        let message = format!("{word}s have the tag `{tag}`, but nothing uses it");
        context.find("unused-tag", span, message, format!("use it as #{tag} or tag='{tag}', or remove it"));
    }
}

/// Every `#tag` in a tree.
fn collect_tags(table: &TomlTable<'_>, into: &mut BTreeSet<String>) {
    fn walk(data: &TomlValue<'_>, into: &mut BTreeSet<String>) {
        match data {
            TomlValue::Text(text) => {
                let tags = text.split('#').skip(1).map(|rest| {
                    rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-' || *c == '_').collect::<String>()
                });
                into.extend(tags);
            }
            TomlValue::List(list) => list.iter().for_each(|node| walk(&node.data, into)),
            TomlValue::Table(table) => collect_tags(table, into),
            _ => {}
        }
    }
    table.entries.iter().for_each(|entry| walk(&entry.node.data, into));
}

/// The data that counters give their faces.
fn check_counters(context: &mut LintContext<'_>) {
    let rules = context.rules;
    for counter in &rules.counters {
        let mut shown = BTreeSet::new();
        let faces: Vec<&Arc<str>> =
            std::iter::once(&counter.face).chain(&counter.back).filter(|name| !name.is_empty()).collect();
        let there: Vec<_> = context.existing_templates.iter().filter(|(name, _)| faces.contains(&name)).collect();
        // A missing face may read anything.
        if there.len() < faces.len() {
            continue;
        }
        there.iter().for_each(|(_, template)| collect_template_words(template, &mut shown));
        let own = |formula: &Formula| collect_words(&formula.source, &mut shown);
        counter.data.iter().map(|(_, formula)| formula).for_each(own);
        let handed =
            counter.data.iter().map(|(id, _)| ("data", id)).chain(counter.words.iter().map(|(id, _)| ("groups", id)));
        for (key, id) in handed.filter(|(_, id)| !shown.contains(&***id)).collect::<Vec<_>>() {
            let span = context.span("counter", &counter.id, key);
            let message = format!("the counter {} has `{id}`, but its face does not show it", counter.id);
            context.find("unused-counter-data", span, message, "show it on the face, or remove it");
        }
    }
}
