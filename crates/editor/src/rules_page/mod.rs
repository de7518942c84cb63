//! The page of a ruleset or layer: takes its commands, changes the state and gives the commands that follow. The impact on
//! the workspace's designs and the sheets before and after are jobs; only the newest of each counts.

pub mod model;
pub mod panel;
pub mod sentence;

use crate::language::say;
use crate::library_browser::model::LibraryCommand;
use crate::paths::workspace_around;
use std::path::PathBuf;
use std::sync::Arc;

use crate::layer_edits::{self, edit_for};
use crate::model::open_ruleset::TablesBehind;
use crate::panic_guard::catch_panic;
use crate::{Command, Dialog, Doc, DocId, EditorState, Jobs, Notice, OpenRuleset, RulesCommand, Tab, preview};
use moldloft_base::progress::Progress;
use moldloft_base::sanitize::file_stem;
use moldloft_base::source::Source;
use moldloft_library::library::{OpenTexts, design_before_and_after, open_templates, store_impact};
use moldloft_library::store::{self, AssetKind, FileRef};
use moldloft_rules::ruleset::{FormColumn, GridId, form_columns};

pub(crate) use crate::rules_page::model::{AddRowDialog, ImpactKey, NewLayerDialog, ReasonDialog, SheetsBeforeAfter};
pub use crate::rules_page::model::{
    CellId, ImpactStatus, RuleChange, RulesPage, RulesPageCommand, RulesPageCommandKind, RulesSide,
};
use crate::rules_page::sentence::Sentence;

pub fn apply(state: &mut EditorState, command: RulesPageCommand, jobs: &Jobs) -> Vec<Command> {
    if let Some(least) = needed_tables(&command) {
        let is_needed = |doc: &Doc| doc.as_ruleset().is_some_and(|open| open.behind >= Some(least));
        state.update_doc(|doc, rulesets| {
            if is_needed(doc) {
                doc.catch_up(rulesets);
            }
        });
    }
    match command {
        RulesPageCommand::TablesMade { doc, revision, progress, tables } => {
            accept_tables(state, doc, revision, &progress, tables.map(|tables| *tables));
            return Vec::new();
        }
        RulesPageCommand::Tried { doc, progress, trial } => {
            if let Some(page) = state.rules_pages.get_mut(&doc)
                && page.trial_job.as_ref().is_some_and(|job| job.is_same_work(&progress))
            {
                page.trial_job = None;
                page.trial = trial.map(|trial| *trial);
            }
            return Vec::new();
        }
        RulesPageCommand::Open(id) => return open(state, &id),
        RulesPageCommand::BeginRule => return begin_rule(state),
        RulesPageCommand::CreateLayer => return create_layer(state),
        RulesPageCommand::AddRow => return add_row(state),
        RulesPageCommand::ImpactDone { doc, progress, result } => {
            if let Some(page) = state.rules_pages.get_mut(&doc)
                && matches!(&page.impact, ImpactStatus::Running(newest, _) if newest.is_same_work(&progress))
            {
                page.impact = result.map_or_else(ImpactStatus::Failed, ImpactStatus::Done);
            }
            return Vec::new();
        }
        RulesPageCommand::SheetsDrawn { doc, progress, pages } => {
            let shown = state.rules_pages.get_mut(&doc).and_then(|page| page.sheets.as_mut());
            if let Some(shown) = shown.filter(|shown| shown.progress.is_same_work(&progress)) {
                let tiles = |images: Vec<egui::ColorImage>| {
                    images.into_iter().map(|image| preview::Tile::new(0, Some(image))).collect()
                };
                shown.pages = Some(pages.map(|pages| pages.map(tiles)).unwrap_or_default());
            }
            return Vec::new();
        }
        RulesPageCommand::Failed(finding) => {
            state.notify(Notice::from_finding(&finding));
            return Vec::new();
        }
        _ => {}
    }
    let Some((id, open)) = state.current_doc().and_then(|doc| Some((doc.id, doc.as_ruleset()?.clone()))) else {
        return Vec::new();
    };
    let page = state.rules_pages.entry(id).or_default();
    match command {
        RulesPageCommand::ShowGrid(grid) => {
            if page.cell.as_ref().is_some_and(|cell| cell.grid != grid) {
                (page.cell, page.typed) = (None, None);
            }
            page.grid = Some(grid);
            page.sheets = None;
        }
        RulesPageCommand::SelectCell(cell) => {
            page.grid = Some(cell.grid.clone());
            if page.cell.as_ref() != Some(&cell) {
                page.typed = None;
            }
            page.cell = Some(cell);
            return vec![Command::EndMerge];
        }
        RulesPageCommand::ShowLine(line) => {
            if let Some(cell) = cell_at_line(&open, line) {
                page.grid = Some(cell.grid.clone());
                page.cell = Some(cell);
                page.typed = None;
            }
        }
        RulesPageCommand::Type(text) => {
            page.typed = Some(text.clone());
            let Some(cell) = page.cell.clone().filter(|_| open.is_layer()) else { return Vec::new() };
            // What cannot be a value yet stays in the field only.
            return edit_for(&open, &RuleChange::Cell { cell, text }).map(Command::Edit).into_iter().collect();
        }
        RulesPageCommand::Search(query) => page.query = query,
        RulesPageCommand::ShowSide(side) => page.side = side,
        RulesPageCommand::Change(change) => {
            page.typed = None;
            return change_layer(state, id, &open, change);
        }
        RulesPageCommand::TakeBack(cell) => {
            page.typed = None;
            return edit_or_report(layer_edits::take_back(&open, &cell));
        }
        RulesPageCommand::TakeBackRow { grid, row } => {
            page.typed = None;
            return edit_or_report(layer_edits::take_back_row(&open, &grid, &row));
        }
        RulesPageCommand::ToggleLayer(layer) => state.update_doc(|doc, rulesets| {
            if !doc.layers_off.remove(&layer) {
                doc.layers_off.insert(layer);
            }
            doc.evaluate(rulesets);
        }),
        RulesPageCommand::MoveLayer { from, to } => {
            let mut ids = direct_layers(&open);
            if from < ids.len() && to < ids.len() && from != to {
                let moved = ids.remove(from);
                ids.insert(to, moved);
                return vec![Command::Edit(layer_edits::set_extends(&open, &ids))];
            }
        }
        RulesPageCommand::AddLayer(layer) => {
            let mut ids = direct_layers(&open);
            let version = state.rulesets.find(&layer).ruleset().map(|rules| rules.version.to_string());
            ids.push((layer, version.unwrap_or_default()));
            return vec![Command::Edit(layer_edits::set_extends(&open, &ids))];
        }
        RulesPageCommand::DropLayer(at) => {
            let mut ids = direct_layers(&open);
            if ids.len() > 1 && at < ids.len() {
                ids.remove(at);
                return vec![Command::Edit(layer_edits::set_extends(&open, &ids))];
            }
        }
        RulesPageCommand::ShowSheets(None) => {
            if let Some(old) = page.sheets.take() {
                old.progress.cancel();
            }
        }
        RulesPageCommand::ShowSheets(Some((file, name))) => show_sheets(state, id, &open, file, name, jobs),
        RulesPageCommand::OpenReasonDialog(change) => state.dialog = Some(Dialog::RuleReason(ReasonDialog { change })),
        RulesPageCommand::OpenAddDialog { grid, like } => open_add_dialog(state, &open, grid, like),
        RulesPageCommand::MakeFor(doc) => page.made_for = doc,
        RulesPageCommand::ShowFormulas(shown) => page.shows_formulas = shown,
        RulesPageCommand::Open(_)
        | RulesPageCommand::BeginRule
        | RulesPageCommand::CreateLayer
        | RulesPageCommand::AddRow
        | RulesPageCommand::TablesMade { .. }
        | RulesPageCommand::Tried { .. }
        | RulesPageCommand::ImpactDone { .. }
        | RulesPageCommand::SheetsDrawn { .. }
        | RulesPageCommand::Failed(_) => {}
    }
    Vec::new()
}

/// How far behind the text the tables may not be for a command; `None` if it does not read them. A key typed into a cell only
/// needs the cell's place in the text.
fn needed_tables(command: &RulesPageCommand) -> Option<TablesBehind> {
    match command {
        RulesPageCommand::Type(_) => Some(TablesBehind::Rows),
        RulesPageCommand::Open(_)
        | RulesPageCommand::BeginRule
        | RulesPageCommand::MakeFor(_)
        | RulesPageCommand::ShowFormulas(_)
        | RulesPageCommand::ShowGrid(_)
        | RulesPageCommand::SelectCell(_)
        | RulesPageCommand::Search(_)
        | RulesPageCommand::ShowSide(_)
        | RulesPageCommand::TablesMade { .. }
        | RulesPageCommand::Tried { .. }
        | RulesPageCommand::ImpactDone { .. }
        | RulesPageCommand::SheetsDrawn { .. }
        | RulesPageCommand::Failed(_) => None,
        _ => Some(TablesBehind::Cells),
    }
}

/// Starts a job for each ruleset whose text is newer than its tables; one at a time, so that the newest text wins.
pub fn request_tables(state: &mut EditorState, jobs: &Jobs) {
    for doc in &state.docs {
        let Some(work) = doc.table_work() else { continue };
        let page = state.rules_pages.entry(doc.id).or_default();
        if page.tables_job.is_some() {
            continue;
        }
        let (id, revision, rulesets) = (doc.id, doc.revision, state.rulesets.clone());
        page.tables_job = Some(jobs.start(move |progress| {
            let tables = catch_panic(|| work(&rulesets)).map(Box::new);
            let progress = progress.clone();
            Some(Command::RulesPage(RulesPageCommand::TablesMade { doc: id, revision, progress, tables }))
        }));
    }
}

/// Tables of an older text are dropped; the job for the newer one follows.
fn accept_tables(state: &mut EditorState, id: DocId, revision: u64, progress: &Progress, made: Option<OpenRuleset>) {
    let Some(page) = state.rules_pages.get_mut(&id) else { return };
    if !page.tables_job.as_ref().is_some_and(|job| job.is_same_work(progress)) {
        return;
    }
    page.tables_job = None;
    if let Some(doc) = state.docs.iter_mut().find(|doc| doc.id == id && doc.revision == revision) {
        doc.accept_tables(made);
    }
}

fn edit_or_report(edit: Result<crate::model::edit::Edit, moldloft_base::finding::Finding>) -> Vec<Command> {
    vec![match edit {
        Ok(edit) => Command::Edit(edit),
        Err(finding) => Command::RulesPage(RulesPageCommand::Failed(Box::new(finding))),
    }]
}

/// The page of a ruleset, in the workspace or built in.
fn open(state: &EditorState, id: &str) -> Vec<Command> {
    match state.store.find_asset(AssetKind::Ruleset, id) {
        Ok(FileRef { path, built_in: true }) => vec![Command::OpenBuiltIn(path)],
        Ok(FileRef { path, .. }) => vec![Command::Open(path)],
        Err(finding) => vec![Command::RulesPage(RulesPageCommand::Failed(Box::new(finding)))],
    }
}

/// From a design, the page of its rules is shown first; it follows what is made there.
fn begin_rule(state: &EditorState) -> Vec<Command> {
    let Some(doc) = state.current_doc() else { return Vec::new() };
    let ask = Command::OpenDialog(Dialog::NewRule);
    if doc.as_ruleset().is_some() {
        return vec![ask];
    }
    let Some(rules) = &state.ruleset_status.active else { return Vec::new() };
    let made_for = Command::RulesPage(RulesPageCommand::MakeFor(Some(doc.id)));
    open(state, &rules.id).into_iter().chain([made_for, ask]).collect()
}

/// A layer is edited; for a ruleset that extends none, a new layer is asked for.
fn change_layer(state: &mut EditorState, id: DocId, open: &OpenRuleset, change: RuleChange) -> Vec<Command> {
    if open.is_layer() && state.find_doc(id).is_some_and(|doc| !doc.is_built_in()) {
        state.dialog = None;
        let is_used = state.rules_pages.get(&id).is_some_and(|page| page.made_for.is_some());
        let mut commands = edit_or_report(edit_for(open, &change));
        commands.extend(is_used.then_some(Command::Save));
        return commands;
    }
    let reason = match &change {
        RuleChange::Cell { .. } | RuleChange::Reason { .. } => String::new(),
        RuleChange::Severity { reason, .. } | RuleChange::Remove { reason, .. } | RuleChange::Add { reason, .. } => {
            reason.clone()
        }
    };
    // What was typed stays in its field if the dialog is cancelled.
    if let RuleChange::Cell { cell, text } = &change
        && let Some(page) = state.rules_pages.get_mut(&id)
        && page.cell.as_ref() == Some(cell)
    {
        page.typed = Some(text.clone());
    }
    let form = state.dialog.take().map(Box::new);
    state.dialog = Some(Dialog::NewLayer(NewLayerDialog {
        base: id,
        name: say("Our house rules"),
        reason,
        file: None,
        change: Some(change),
        form,
        error: None,
    }));
    Vec::new()
}

/// The file that a dialog proposes: after the layer's name, with a number if it exists.
pub fn proposed_file(state: &EditorState, dialog: &NewLayerDialog) -> String {
    let name = dialog.file.clone().unwrap_or_else(|| format!("{}.toml", file_stem(&dialog.name, "house-rules")));
    if dialog.file.is_some() {
        return name;
    }
    let free = state.store.free_path("rulesets", &name);
    let free = free.and_then(|path| path.file_name().map(|name| name.to_string_lossy().into_owned()));
    free.unwrap_or(name)
}

/// Makes the layer with its first change, saves it if there is a workspace, and shows it.
fn create_layer(state: &mut EditorState) -> Vec<Command> {
    let Some(Dialog::NewLayer(dialog)) = &state.dialog else { return Vec::new() };
    let dialog = dialog.clone();
    let Some(base) = state.find_doc(dialog.base).and_then(Doc::as_ruleset).cloned() else { return Vec::new() };
    let fail = |state: &mut EditorState, message: String| {
        state.dialog = Some(Dialog::NewLayer(NewLayerDialog { error: Some(message), ..dialog.clone() }));
        Vec::new()
    };
    if dialog.name.trim().is_empty() {
        return fail(state, "missing name".to_owned());
    }
    let file = proposed_file(state, &dialog);
    let id = file_stem(file.trim().trim_end_matches(".toml"), "house-rules");
    if !id.is_ascii() || !id.starts_with(|first: char| first.is_ascii_lowercase() || first.is_ascii_digit()) {
        return fail(state, "use letters a to z, digits and hyphens for the file name".to_owned());
    }
    let path = state.store.workspace().map(|workspace| workspace.join("rulesets").join(format!("{id}.toml")));
    let schema = path.as_ref().and_then(|path| store::schema_for(path, "ruleset.json"));
    let text = layer_edits::new_layer_text(&id, dialog.name.trim(), &base, schema.as_deref());
    if let Some(path) = &path {
        let saved =
            path.parent().map_or(Ok(()), store::make_folder).and_then(|()| store::save_new(path, text.as_bytes()));
        if let Err(finding) = saved {
            return fail(state, format!("{}: {}", path.display(), finding.message));
        }
    }
    state.dialog = None;
    let old = state.rules_pages.get_mut(&dialog.base).map(|page| {
        page.typed = None;
        (page.grid.clone(), page.cell.clone(), page.made_for.take())
    });
    match &path {
        Some(path) => crate::effects::persistence::open(state, path),
        None => state.add_doc(None, text.into(), false),
    }
    let Some(doc) = state.current_doc() else { return Vec::new() };
    let (doc_id, Some(open)) = (doc.id, doc.as_ruleset().cloned()) else { return Vec::new() };
    let (grid, cell, made_for) = old.unwrap_or_default();
    state.rules_pages.insert(doc_id, RulesPage { grid, cell, made_for, ..RulesPage::default() });
    let mut commands = Vec::new();
    if let Some(change) = &dialog.change {
        match edit_for(&open, change) {
            Ok(mut edit) => {
                edit.merge_key = None;
                if let Some(step) = reason_step(&open, change, dialog.reason.trim()) {
                    edit.steps.push(step);
                }
                commands.push(Command::Edit(edit));
                // Without a folder it is asked where, if a design waits for it.
                commands.extend((path.is_some() || made_for.is_some()).then_some(Command::Save));
            }
            Err(finding) => commands.push(Command::RulesPage(RulesPageCommand::Failed(Box::new(finding)))),
        }
    }
    commands
}

/// The reason of a first change, next to it.
fn reason_step(open: &OpenRuleset, change: &RuleChange, reason: &str) -> Option<moldloft_rules::design::DocumentEdit> {
    let RuleChange::Cell { cell, .. } = change else { return None };
    let edit = edit_for(
        open,
        &RuleChange::Reason { grid: cell.grid.clone(), row: cell.row.clone(), reason: reason.to_owned() },
    );
    edit.ok()?.steps.into_iter().next().filter(|_| !reason.is_empty())
}

fn open_add_dialog(state: &mut EditorState, open: &OpenRuleset, grid: GridId, like: Option<Arc<str>>) {
    let Ok(table) = layer_edits::find_grid(open, &grid) else { return };
    let is_rows = grid.part.as_ref().is_some_and(|(_, key)| &**key == "rows");
    let model = like.and_then(|like| table.row(&like)).or(table.rows.last()).filter(|_| grid.part.is_some());
    let mut cells: Vec<(Arc<str>, String)> = Vec::new();
    if !is_rows {
        cells.push(("".into(), String::new()));
    }
    for FormColumn { column, .. } in form_columns(table) {
        let number = table.column(&column.key);
        // A new row is like another one, but for what it is called.
        let model = model.filter(|_| !matches!(&*column.key, "label" | "title" | "abbr"));
        let text = model.zip(number).and_then(|(row, number)| row.cells.get(number)?.text.as_deref());
        cells.push((column.key, text.unwrap_or_default().to_owned()));
    }
    let reason = layer_edits::declaration_of(open, &grid).and_then(|row| row.reason.clone()).unwrap_or_default();
    let (sentence, has_own_id) = (Sentence { count: 1, ..Sentence::default() }, false);
    let mut dialog = AddRowDialog { grid, cells, has_own_id, reason, sentence, error: None };
    if &*dialog.grid.section == "check" {
        dialog.set("severity", "error".to_owned());
    }
    state.dialog = Some(Dialog::AddRule(dialog));
}

fn add_row(state: &mut EditorState) -> Vec<Command> {
    let Some(Dialog::AddRule(dialog)) = &state.dialog else { return Vec::new() };
    let dialog = dialog.clone();
    let Some((id, open)) = state.current_doc().and_then(|doc| Some((doc.id, doc.as_ruleset()?.clone()))) else {
        return Vec::new();
    };
    let change = dialog.change();
    // Mistakes are shown in the form, before a layer is made.
    if let Err(finding) = edit_for(&open, &change) {
        state.dialog = Some(Dialog::AddRule(AddRowDialog { error: Some(finding.message), ..dialog }));
        return Vec::new();
    }
    let column = layer_edits::find_grid(&open, &dialog.grid).ok().and_then(|grid| grid.columns.first());
    let added = column.map(|column| CellId {
        grid: dialog.grid.clone(),
        row: dialog.text("").trim().into(),
        column: column.key.clone(),
    });
    let mut commands = change_layer(state, id, &open, change);
    if !commands.is_empty() && dialog.cells.iter().any(|(column, _)| column.is_empty()) {
        // Before it is saved, after which a design may be shown.
        commands.splice(1..1, added.map(|cell| Command::RulesPage(RulesPageCommand::SelectCell(cell))));
    }
    commands
}

/// The rulesets that a layer extends, with their versions.
fn direct_layers(open: &OpenRuleset) -> Vec<(String, String)> {
    let version = |id: &String| {
        let known = open.stack.iter().find(|layer| layer.id == *id);
        known.map(|layer| layer.version.clone()).unwrap_or_default()
    };
    open.extends.iter().map(|id| (id.clone(), version(id))).collect()
}

/// The first cell that this layer writes at a line of its text.
fn cell_at_line(open: &OpenRuleset, line: u32) -> Option<CellId> {
    let own = open.sources.len() - 1;
    let source = open.own_source();
    open.book.grids.iter().find_map(|grid| {
        grid.rows.iter().find_map(|row| {
            let at = row.cells.iter().position(|cell| {
                cell.span.is_some_and(|span| {
                    usize::from(span.file) == own
                        && (source.line_column(span.start).0..=source.line_column(span.end).0).contains(&line)
                })
            })?;
            Some(CellId { grid: grid.id.clone(), row: row.key.clone(), column: grid.columns[at].key.clone() })
        })
    })
}

/// Starts the job for the impact if the rules that are shown have changed.
pub fn request_impact(state: &mut EditorState, jobs: &Jobs) {
    let open: Vec<DocId> = state.docs.iter().map(|doc| doc.id).collect();
    state.rules_pages.retain(|id, _| open.contains(id));
    let Tab::Doc(id) = state.tab else { return };
    let Some(doc) = state.docs.iter().find(|doc| doc.id == id) else { return };
    // Of tables that are behind, the impact would be an old one.
    let Some(open) = doc.as_ruleset().filter(|open| open.behind.is_none()) else { return };
    let key = ImpactKey {
        revision: doc.revision,
        generation: state.ruleset_status.generation,
        open: changed_ships(&state.docs).map(|doc| (doc.id, doc.revision)).collect(),
    };
    let page = state.rules_pages.entry(id).or_default();
    if page.impact_key.as_ref() == Some(&key) || page.side != RulesSide::Impact {
        return;
    }
    page.impact_key = Some(key);
    let rows: Arc<[_]> = page.impact.rows().to_vec().into();
    if let ImpactStatus::Running(old, _) = &page.impact {
        old.cancel();
    }
    if open.sources.len() < 2 || open.document.is_none() {
        page.impact = if open.document.is_none() { ImpactStatus::Done(rows) } else { ImpactStatus::Empty };
        return;
    }
    let (before, after): (Vec<Source>, Vec<Source>) = (open.base_sources().to_vec(), open.sources_in_force().to_vec());
    let (store, texts) = (state.store.clone(), open_texts(&state.docs));
    let progress = jobs.start(move |progress| {
        let impact = catch_panic(|| store_impact(&store, &texts, [&before, &after], progress));
        let result = match impact {
            Some(Some(rows)) => Ok(rows.into()),
            Some(None) if progress.is_cancelled() => return None,
            Some(None) => Err("the rules cannot be used: see the findings".to_owned()),
            None => Err("the comparison failed; this is a bug in moldloft".to_owned()),
        };
        Some(Command::RulesPage(RulesPageCommand::ImpactDone { doc: id, progress: progress.clone(), result }))
    });
    page.impact = ImpactStatus::Running(progress, rows);
}

/// Open designs and fleets that differ from their files, and designs that were never saved.
fn changed_ships(docs: &[Doc]) -> impl Iterator<Item = &Doc> {
    let is_new = |doc: &Doc| doc.path().is_none() && !doc.is_built_in() && doc.as_design().is_some();
    docs.iter()
        .filter(move |doc| doc.as_ruleset().is_none() && (is_new(doc) || doc.path().is_some() && doc.is_changed()))
}

/// By the path of their file; what has none, by its name.
fn open_texts(docs: &[Doc]) -> OpenTexts {
    let source = |doc: &Doc| match doc.path() {
        Some(path) => (path.clone(), Source::new(store::display_name(path), doc.text())),
        None => {
            let name = format!("{} ({}, not saved)", doc.name(), doc.id.0);
            (PathBuf::from(&name), Source::new(name, doc.text()))
        }
    };
    changed_ships(docs).map(source).collect()
}

fn show_sheets(state: &mut EditorState, id: DocId, open: &OpenRuleset, file: FileRef, name: String, jobs: &Jobs) {
    let (before, after): (Vec<Source>, Vec<Source>) = (open.base_sources().to_vec(), open.sources_in_force().to_vec());
    let (store, at, settings) = (state.store.clone(), file.clone(), state.settings.sheet.clone());
    let texts = open_texts(&state.docs);
    let progress = jobs.start(move |progress| {
        let pages = catch_panic(|| {
            let ships = design_before_and_after(&at, &texts, [&before, &after])?;
            let templates = open_templates(&store);
            let [before, after] = ships.map(|ship| preview::sheet_pictures(Arc::new(ship), &settings, &templates));
            Some(preview::tint_differences(before, after))
        });
        Some(Command::RulesPage(RulesPageCommand::SheetsDrawn {
            doc: id,
            progress: progress.clone(),
            pages: pages.flatten(),
        }))
    });
    if let Some(page) = state.rules_pages.get_mut(&id) {
        page.sheets = Some(SheetsBeforeAfter { file, name, progress, pages: None });
    }
}

/// From the layer's name it is back to the form, if there was one: true. No design waits for a rule that is not made.
pub fn cancel(state: &mut EditorState) -> bool {
    if let Some(Dialog::NewLayer(NewLayerDialog { form: Some(form), .. })) = &mut state.dialog {
        let form = std::mem::replace(&mut **form, Dialog::NewRule);
        state.dialog = Some(form);
        return true;
    }
    if let (Tab::Doc(id), Some(Dialog::NewRule | Dialog::AddRule(_) | Dialog::NewLayer(_))) = (state.tab, &state.dialog)
        && let Some(page) = state.rules_pages.get_mut(&id)
    {
        page.made_for = None;
    }
    false
}

/// What is typed into a cell no longer counts: the text was changed elsewhere.
pub fn forget_typed(state: &mut EditorState) {
    if let Tab::Doc(id) = state.tab
        && let Some(page) = state.rules_pages.get_mut(&id)
    {
        page.typed = None;
    }
}

/// After a layer was saved: the workspace that it is in is opened where none is, designs by it are checked again, and the
/// one that it was made for follows it.
pub fn commands_after_save(state: &EditorState) -> Vec<Command> {
    let Some(doc) = state.current_doc().filter(|doc| !doc.is_changed()) else { return Vec::new() };
    let (Some(open), Some(path)) = (doc.as_ruleset(), doc.path()) else { return Vec::new() };
    let opened = workspace_around(path).filter(|_| state.store.workspace().is_none());
    let opened = opened.map(|folder| Command::Library(LibraryCommand::SetWorkspace(folder.to_path_buf())));
    let mut commands: Vec<Command> = opened.into_iter().chain([Command::RereadFiles(vec![path.clone()])]).collect();
    if let Some(user) = state.rules_pages.get(&doc.id).and_then(|page| page.made_for) {
        commands.extend([
            Command::RulesPage(RulesPageCommand::MakeFor(None)),
            Command::ShowTab(Tab::Doc(user)),
            Command::Rules(RulesCommand::Adopt(open.id.clone())),
        ]);
    }
    commands
}
