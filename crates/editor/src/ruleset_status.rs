//! The rulesets in use: reloads changed files, runs lints, tries other rules. Takes commands and the state; a lint is a
//! job, and only the newest one of a ruleset counts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::model::rules::{AvailableRuleset, ReloadStatus, finding_text};
use crate::panic_guard::catch_panic;
use crate::{ActiveRuleset, Command, Doc, Edit, EditorState, InspectorTab, Jobs, Notice, Tab};
use moldloft_base::finding::{Cause, Finding, Severity};
use moldloft_library::library::{review_ruleset, templates_of_ruleset};
use moldloft_library::print::plural;
use moldloft_library::store::{self, AssetKind};
use moldloft_rules::design::TablePath;

pub use crate::model::rules::RulesetStatus;
pub use crate::model::rules::{LintStatus, RulesCommand};

/// The override if there is one.
pub fn ruleset_id(doc: &Doc) -> Option<String> {
    doc.rules_override.clone().or_else(|| doc.ruleset_id().map(ToString::to_string))
}

pub fn files_changed(state: &mut EditorState, paths: &[PathBuf], jobs: &Jobs) {
    state.ruleset_status.generation += 1;
    let reloads = state.rulesets.reload();
    for doc in &mut state.docs {
        if doc.as_ruleset().is_some() {
            // It may extend what has changed.
            doc.evaluate(&state.rulesets);
        } else if ruleset_id(doc).is_some_and(|id| reloads.iter().any(|one| one.id == id)) {
            doc.evaluate(&state.rulesets);
        }
    }
    for one in reloads {
        let again = one.in_force && state.store.ruleset(&one.id).is_ok();
        state
            .ruleset_status
            .reloads
            .insert(one.id.clone(), ReloadStatus { is_active: one.in_force, findings: one.findings });
        if again {
            lint_ruleset(state, one.id, jobs);
        } else if let Some(LintStatus::Running(progress)) = state.ruleset_status.lint_status.remove(&one.id) {
            progress.cancel();
        }
    }
    // Templates are linted with their ruleset, if it was linted before.
    let is_template = |path: &PathBuf| path.extension().is_some_and(|end| end.eq_ignore_ascii_case("svg"));
    if paths.iter().any(is_template) {
        let again: Vec<String> = state.ruleset_status.lint_status.keys().cloned().collect();
        again.into_iter().for_each(|id| lint_ruleset(state, id, jobs));
    }
}

pub fn apply(state: &mut EditorState, command: RulesCommand, jobs: &Jobs) -> Vec<Command> {
    match command {
        RulesCommand::Lint(id) => {
            state.inspector_tab = InspectorTab::Rules;
            lint_ruleset(state, id, jobs);
        }
        RulesCommand::LintDone { id, progress, report: review } => {
            let lint = state.ruleset_status.lint_status.get_mut(&id);
            if let Some(lint) =
                lint.filter(|lint| matches!(lint, LintStatus::Running(newest) if newest.is_same_work(&progress)))
            {
                *lint = match review {
                    Ok(review) => LintStatus::Done(review),
                    Err(finding) => LintStatus::Failed(finding.message),
                };
            }
        }
        RulesCommand::Override(id) => override_rules(state, id),
        RulesCommand::Adopt(id) => return adopt(state, &id),
        RulesCommand::CopyRules(id) => return copy_rules(state, &id).map(Command::RereadFiles).into_iter().collect(),
        RulesCommand::CopyTemplates(id) => {
            return copy_templates(state, &id).map(Command::RereadFiles).into_iter().collect();
        }
    }
    Vec::new()
}

fn lint_ruleset(state: &mut EditorState, id: String, jobs: &Jobs) {
    let (store, what) = (state.store.clone(), id.clone());
    let progress = jobs.start(move |progress| {
        let progress = progress.clone();
        // Unfinished rulesets are the likeliest to cause a panic; the user goes on editing.
        let review_result = catch_panic(|| review_ruleset(&store, &what, &|| !progress.is_cancelled()));
        let review = match review_result {
            Some(Ok(review)) => Ok(Box::new(review?)),
            Some(Err(finding)) => Err(Box::new(finding)),
            None => Err(Box::new(Finding::error("fault", "the check failed; this is a bug in moldloft"))),
        };
        Some(Command::Rules(RulesCommand::LintDone { id: what, progress, report: review }))
    });
    if let Some(LintStatus::Running(old)) = state.ruleset_status.lint_status.insert(id, LintStatus::Running(progress)) {
        old.cancel();
    }
}

fn override_rules(state: &mut EditorState, id: Option<String>) {
    let Tab::Doc(doc) = state.tab else { return };
    if let Some(id) = &id {
        let loaded = state.rulesets.find(id);
        if loaded.ruleset().is_none() {
            let why = loaded.findings().iter().find(|finding| finding.severity == Severity::Error).map(finding_text);
            let text = format!("cannot try {id}: {}", why.unwrap_or_default());
            state.notices.push(Notice::error(text));
            return;
        }
    }
    if let Some(doc) = state.docs.iter_mut().find(|open| open.id == doc) {
        let is_named = |id: &String| doc.ruleset_id().is_some_and(|named| **named == **id);
        doc.rules_override = id.filter(|id| !is_named(id));
        doc.evaluate(&state.rulesets);
    }
}

fn adopt(state: &EditorState, id: &str) -> Vec<Command> {
    let Some(doc) = state.current_doc().filter(|doc| doc.ruleset_id().is_some()) else { return Vec::new() };
    let loaded = state.rulesets.find(id);
    let title = loaded.ruleset().map_or_else(|| id.to_owned(), |rules| rules.title.to_string());
    let mut commands = vec![Command::Rules(RulesCommand::Override(None))];
    if doc.ruleset_id().is_some_and(|named| **named != *id) {
        commands.push(Command::Edit(Edit::change("the rules", TablePath::Top, "ruleset", Some(id.into()))));
    }
    commands.push(Command::Notify(Notice::info(format!("{} follows {title}", doc.name()))));
    commands
}

/// Gives the new file.
fn copy_rules(state: &mut EditorState, id: &str) -> Option<Vec<PathBuf>> {
    let folder = workspace_folder(state, "rulesets")?;
    let path = folder.join(format!("{id}.toml"));
    let copied = state.store.ruleset(id).and_then(|source| {
        store::make_folder(&folder)?;
        store::save_new(&path, source.text.as_bytes())?;
        let text = format!("Copied to {}: changes to it apply to every design of the game", path.display());
        Ok((text, vec![path.clone()]))
    });
    report_copy(state, &path, copied)
}

/// Gives the new files.
fn copy_templates(state: &mut EditorState, id: &str) -> Option<Vec<PathBuf>> {
    let folder = workspace_folder(state, "templates")?.join(id);
    let loaded = state.rulesets.find(id);
    let rules = loaded.ruleset()?;
    let copied = templates_of_ruleset(&state.store, rules).and_then(|templates| {
        let (mut kept, mut new) = (0, Vec::new());
        for (name, source) in &templates {
            let path = folder.join(name);
            store::make_folder(path.parent().unwrap_or(&folder))?;
            match store::save_new(&path, source.text.as_bytes()) {
                Ok(()) => new.push(path),
                Err(finding) if finding.cause == Some(Cause::FileExists) => kept += 1,
                Err(finding) => return Err(finding),
            }
        }
        let copied = format!("Copied {} to {}", plural(new.len(), "template"), folder.display());
        let text = match (new.len(), kept) {
            (0, 0) => format!("{id} has no templates"),
            (_, 0) => format!("{copied}; used instead of the built-in ones from now on"),
            _ => format!("{copied}, kept {kept} that existed"),
        };
        Ok((text, new))
    });
    report_copy(state, &folder, copied)
}

fn report_copy(
    state: &mut EditorState,
    target: &Path,
    copied: Result<(String, Vec<PathBuf>), Finding>,
) -> Option<Vec<PathBuf>> {
    let (notice, paths) = match copied {
        Ok((text, paths)) => (Notice::info(text), Some(paths)),
        Err(finding) => (Notice::error(format!("{}: {}", target.display(), finding.message)), None),
    };
    state.notices.push(notice);
    paths
}

/// Reports a missing workspace.
fn workspace_folder(state: &mut EditorState, name: &str) -> Option<PathBuf> {
    let folder = state.store.workspace().map(|workspace| workspace.join(name));
    if folder.is_none() {
        state.notices.push(Notice::error("no workspace to copy into: open a folder on the start page first"));
    }
    folder
}

pub fn update(state: &mut EditorState) {
    let Some(id) = state.current_doc().and_then(ruleset_id) else {
        state.ruleset_status.active = None;
        state.ruleset_status.active_key = None;
        return;
    };
    let of_fleet = || state.current_doc()?.as_fleet()?.rules().cloned();
    let loaded = state.current_doc().and_then(Doc::shown_ship).map(|ship| ship.ruleset.clone()).or_else(of_fleet);
    let seen = (state.ruleset_status.generation, id.clone(), loaded.as_ref().map(|rules| Arc::as_ptr(rules) as usize));
    if state.ruleset_status.active_key.as_ref() == Some(&seen) {
        return;
    }
    state.ruleset_status.active_key = Some(seen);
    let listed = state.store.list_assets(AssetKind::Ruleset);
    state.ruleset_status.available =
        listed.iter().map(|one| AvailableRuleset { id: one.id.clone(), is_built_in: one.file.built_in }).collect();
    let place = |file: &str| {
        let own = listed.iter().filter_map(|one| one.file.disk_path()).find(|path| **path == *Path::new(file));
        own.and_then(|path| std::path::absolute(path).ok())
    };
    let texts = state.rulesets.sources(&id).unwrap_or_default();
    let files = texts.iter().map(|source| (source.file.clone(), place(&source.file))).collect();
    state.ruleset_status.active = loaded.map(|rules| ActiveRuleset { id, rules, files });
}
