//! The rules while designs are open: what is in force, files changed in other programs, what the lints say, other rules on trial. Carries
//! out its own commands for `apply`; looking a ruleset over is a job, and only the newest of one ruleset counts.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::finding::{Cause, Finding, Severity};
use crate::library::{RulesetReview, review_ruleset, templates_of_ruleset};
use crate::print::plural;
use crate::progress::Progress;
use crate::ruleset::Ruleset;
use crate::store::{self, AssetKind};

use super::command::Command;
use super::doc::Doc;
use super::jobs::Jobs;
use super::state::{EditorState, InspectorTab, Notice, Tab};

/// What is known of rulesets beyond their use.
#[derive(Debug, Default)]
pub struct RulesetStatus {
    /// Grows whenever files of the workspace were changed.
    pub generation: u64,
    /// What became of those whose files changed, by id.
    pub reloads: BTreeMap<String, ReloadStatus>,
    /// What the lints say, by id.
    pub lint_status: BTreeMap<String, LintStatus>,
    /// Every ruleset there is.
    pub available: Vec<AvailableRuleset>,
    /// The rules of the design before the player.
    pub active: Option<ActiveRuleset>,
    active_key: Option<(u64, String, Option<usize>)>,
}

/// What became of a ruleset whose file was changed.
#[derive(Clone, Debug)]
pub struct ReloadStatus {
    /// Whether what stands in the file is in force; if not, what worked before is.
    pub is_active: bool,
    /// What was found in the file.
    pub findings: Arc<[Finding]>,
}

/// What the lints say of a ruleset.
#[derive(Clone, Debug)]
pub enum LintStatus {
    /// It is being looked over.
    Running(Progress),
    /// That is done.
    Done(Box<RulesetReview>),
    /// It could not be done.
    Failed(String),
}

/// A ruleset that can be tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AvailableRuleset {
    /// Its id.
    pub id: String,
    /// Whether it is built in.
    pub is_built_in: bool,
}

/// Rules that are in force.
#[derive(Clone, Debug)]
pub struct ActiveRuleset {
    /// The id they are asked for by.
    pub id: String,
    /// The rules.
    pub rules: Arc<Ruleset>,
    /// The files they were read from, what is extended first: as named, and where on the disk if they are not built in.
    pub files: Vec<(Arc<str>, Option<PathBuf>)>,
}

/// What can be done about rules.
#[derive(Clone, Debug)]
pub enum RulesCommand {
    /// Looks a ruleset over.
    Lint(String),
    /// That is done.
    LintDone {
        /// Which.
        id: String,
        /// By which job.
        progress: Progress,
        /// What was found, or why nothing was.
        report: Result<Box<RulesetReview>, Box<Finding>>,
    },
    /// Judges the design before the player by other rules, or again by those it names.
    Override(Option<String>),
    /// Copies a built-in ruleset into the workspace.
    CopyRules(String),
    /// Copies the templates of a ruleset into the workspace.
    CopyTemplates(String),
}

impl RulesetStatus {
    /// Files of rules that are not in force as they stand, each once whatever is laid over it, by the name of the file.
    pub fn rejected_files(&self) -> Vec<(&str, &ReloadStatus)> {
        let mut waiting: Vec<(&str, &ReloadStatus)> = Vec::new();
        for (id, news) in self.reloads.iter().filter(|(_, news)| !news.is_active) {
            let file = news.worst_finding().and_then(|finding| finding.at.file.as_deref());
            let name = file.and_then(|file| Path::new(file).file_stem()?.to_str()).unwrap_or(id);
            if !waiting.iter().any(|(known, _)| *known == name) {
                waiting.push((name, news));
            }
        }
        waiting
    }
}

impl ActiveRuleset {
    /// Its own file, if it is not built in.
    pub fn own_file(&self) -> Option<&PathBuf> {
        self.files.last().and_then(|(_, path)| path.as_ref())
    }
}

impl ReloadStatus {
    /// What keeps it from being in force: `line 14: there is no name hul`.
    pub fn reason(&self) -> String {
        self.worst_finding().map_or_else(|| "cannot be used".to_owned(), finding_text)
    }

    fn worst_finding(&self) -> Option<&Finding> {
        let error = self.findings.iter().find(|finding| finding.severity == Severity::Error);
        error.or(self.findings.first())
    }
}

/// A finding with its line: `line 14: there is no name hul`.
pub fn finding_text(finding: &Finding) -> String {
    match finding.at.line {
        0 => finding.message.clone(),
        line => format!("line {line}: {}", finding.message),
    }
}

/// The id of the rules a design is judged by: those on trial, else those it names.
pub fn ruleset_id(doc: &Doc) -> Option<String> {
    doc.rules_override.clone().or_else(|| doc.ruleset_id().map(ToString::to_string))
}

/// Files were changed in other programs: rules are read again, what is judged by changed ones is judged again.
pub fn files_changed(state: &mut EditorState, paths: &[PathBuf], jobs: &Jobs) {
    state.ruleset_status.generation += 1;
    let told = state.rulesets.reload();
    for doc in &mut state.docs {
        if ruleset_id(doc).is_some_and(|id| told.iter().any(|one| one.id == id)) {
            doc.evaluate(&state.rulesets);
        }
    }
    for one in told {
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
    // Templates are looked over with the rules they belong to, if somebody looked at those.
    let is_template = |path: &PathBuf| path.extension().is_some_and(|end| end.eq_ignore_ascii_case("svg"));
    if paths.iter().any(is_template) {
        let again: Vec<String> = state.ruleset_status.lint_status.keys().cloned().collect();
        again.into_iter().for_each(|id| lint_ruleset(state, id, jobs));
    }
}

/// Carries a command out.
pub fn apply(state: &mut EditorState, command: RulesCommand, jobs: &Jobs) {
    match command {
        RulesCommand::Lint(id) => {
            state.inspector_tab = InspectorTab::Rules;
            lint_ruleset(state, id, jobs);
        }
        RulesCommand::LintDone { id, progress, report: judged } => {
            let lint = state.ruleset_status.lint_status.get_mut(&id);
            if let Some(lint) =
                lint.filter(|lint| matches!(lint, LintStatus::Running(newest) if newest.is_same_work(&progress)))
            {
                *lint = match judged {
                    Ok(judged) => LintStatus::Done(judged),
                    Err(finding) => LintStatus::Failed(finding.message),
                };
            }
        }
        RulesCommand::Override(id) => override_rules(state, id),
        RulesCommand::CopyRules(id) => copy_rules(state, &id, jobs),
        RulesCommand::CopyTemplates(id) => copy_templates(state, &id, jobs),
    }
}

fn lint_ruleset(state: &mut EditorState, id: String, jobs: &Jobs) {
    let (store, what) = (state.store.clone(), id.clone());
    let progress = jobs.start(move |progress| {
        let progress = progress.clone();
        let looked = catch_unwind(AssertUnwindSafe(|| review_ruleset(&store, &what, &|| !progress.is_cancelled())));
        let judged = match looked {
            Ok(Ok(judged)) => Ok(Box::new(judged?)),
            Ok(Err(finding)) => Err(Box::new(finding)),
            Err(_) => Err(Box::new(Finding::error("fault", "the check failed; this is a bug in moldloft"))),
        };
        Some(Command::Rules(RulesCommand::LintDone { id: what, progress, report: judged }))
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

fn copy_rules(state: &mut EditorState, id: &str, jobs: &Jobs) {
    let Some(folder) = workspace_folder(state, "rulesets") else { return };
    let path = folder.join(format!("{id}.toml"));
    let done = state
        .store
        .ruleset(id)
        .and_then(|source| store::make_folder(&folder).and_then(|()| store::save_new(&path, source.text.as_bytes())));
    match done {
        Ok(()) => {
            let text = format!("Copied to {}: changes to it apply to every design of the game", path.display());
            state.notices.push(Notice::info(text));
            super::apply::files_changed(state, &[path], jobs);
        }
        Err(finding) => state.notices.push(Notice::error(format!("{}: {}", path.display(), finding.message))),
    }
}

fn copy_templates(state: &mut EditorState, id: &str, jobs: &Jobs) {
    let Some(folder) = workspace_folder(state, "templates").map(|folder| folder.join(id)) else { return };
    let loaded = state.rulesets.find(id);
    let Some(rules) = loaded.ruleset() else { return };
    let copied = templates_of_ruleset(&state.store, rules).and_then(|templates| {
        let mut kept = 0;
        let mut made = Vec::new();
        for (name, source) in &templates {
            let path = folder.join(name);
            store::make_folder(path.parent().unwrap_or(&folder))?;
            match store::save_new(&path, source.text.as_bytes()) {
                Ok(()) => made.push(path),
                Err(finding) if finding.cause == Some(Cause::FileExists) => kept += 1,
                Err(finding) => return Err(finding),
            }
        }
        Ok((made, kept))
    });
    let at = folder.display();
    match copied {
        Ok((made, kept)) => {
            let text = match (made.len(), kept) {
                (0, 0) => format!("{id} has no templates"),
                (copied, 0) => {
                    format!(
                        "Copied {} to {at}; used instead of the built-in ones from now on",
                        plural(copied, "template")
                    )
                }
                (copied, kept) => format!("Copied {} to {at}, kept {kept} that existed", plural(copied, "template")),
            };
            state.notices.push(Notice::info(text));
            super::apply::files_changed(state, &made, jobs);
        }
        Err(finding) => state.notices.push(Notice::error(format!("{at}: {}", finding.message))),
    }
}

/// A folder of the workspace; without a workspace that is told.
fn workspace_folder(state: &mut EditorState, name: &str) -> Option<PathBuf> {
    let folder = state.store.workspace().map(|workspace| workspace.join(name));
    if folder.is_none() {
        state.notices.push(Notice::error("no workspace to copy into: open a folder on the start page first"));
    }
    folder
}

/// Works out what is shown of the rules in force, where that is not as it was.
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
