//! The rules while designs are open: what is in force, files changed in other programs, what the lints say, other rules on trial. Carries
//! out its own commands for `apply`; looking a ruleset over is a job, and only the newest of one ruleset counts.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::finding::{Finding, Severity};
use crate::library::author::{self, Judged};
use crate::press::many;
use crate::progress::Progress;
use crate::ruleset::Ruleset;
use crate::store::{self, Kind};

use super::command::Command;
use super::doc::Doc;
use super::jobs::Jobs;
use super::state::{Inspector, Notice, State, Tab};

/// What is known of rulesets beyond their use.
#[derive(Debug, Default)]
pub struct Rules {
    /// Grows whenever files of the workspace were changed.
    pub round: u64,
    /// What became of those whose files changed, by id.
    pub news: BTreeMap<String, News>,
    /// What the lints say, by id.
    pub lints: BTreeMap<String, Lint>,
    /// Every ruleset there is.
    pub known: Vec<Known>,
    /// The rules of the design before the player.
    pub shown: Option<Shown>,
    seen: Option<(u64, String, Option<usize>)>,
}

/// What became of a ruleset whose file was changed.
#[derive(Clone, Debug)]
pub struct News {
    /// Whether what stands in the file is in force; if not, what worked before is.
    pub in_force: bool,
    /// What was found in the file.
    pub findings: Arc<[Finding]>,
}

/// What the lints say of a ruleset.
#[derive(Clone, Debug)]
pub enum Lint {
    /// It is being looked over.
    Running(Progress),
    /// That is done.
    Done(Box<Judged>),
    /// It could not be done.
    Failed(String),
}

/// A ruleset that can be tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// Its id.
    pub id: String,
    /// Whether it is built in.
    pub built_in: bool,
}

/// Rules that are in force.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The id they are asked for by.
    pub id: String,
    /// The rules.
    pub rules: Arc<Ruleset>,
    /// The files they were read from, what is extended first: as named, and where on the disk if they are not built in.
    pub files: Vec<(Arc<str>, Option<PathBuf>)>,
}

/// What can be done about rules.
#[derive(Clone, Debug)]
pub enum Ruling {
    /// Looks a ruleset over.
    Check(String),
    /// That is done.
    Looked {
        /// Which.
        id: String,
        /// By which job.
        progress: Progress,
        /// What was found, or why nothing was.
        judged: Result<Box<Judged>, Finding>,
    },
    /// Judges the design before the player by other rules, or again by those it names.
    Try(Option<String>),
    /// Copies a built-in ruleset into the workspace.
    CopyRules(String),
    /// Copies the templates of a ruleset into the workspace.
    CopyTemplates(String),
}

impl Rules {
    /// Files of rules that are not in force as they stand, each once whatever is laid over it, by the name of the file.
    pub fn waiting(&self) -> Vec<(&str, &News)> {
        let mut waiting: Vec<(&str, &News)> = Vec::new();
        for (id, news) in self.news.iter().filter(|(_, news)| !news.in_force) {
            let file = news.worst().and_then(|finding| finding.at.file.as_deref());
            let name = file.and_then(|file| Path::new(file).file_stem()?.to_str()).unwrap_or(id);
            if !waiting.iter().any(|(known, _)| *known == name) {
                waiting.push((name, news));
            }
        }
        waiting
    }
}

impl Shown {
    /// Its own file, if it is not built in.
    pub fn file(&self) -> Option<&PathBuf> {
        self.files.last().and_then(|(_, path)| path.as_ref())
    }
}

impl News {
    /// What keeps it from being in force: `line 14: there is no name hul`.
    pub fn why(&self) -> String {
        self.worst().map_or_else(|| "cannot be used".to_owned(), told)
    }

    fn worst(&self) -> Option<&Finding> {
        let error = self.findings.iter().find(|finding| finding.severity == Severity::Error);
        error.or(self.findings.first())
    }
}

/// A finding with its line: `line 14: there is no name hul`.
pub fn told(finding: &Finding) -> String {
    match finding.at.line {
        0 => finding.message.clone(),
        line => format!("line {line}: {}", finding.message),
    }
}

/// The id of the rules a design is judged by: those on trial, else those it names.
pub fn of(doc: &Doc) -> Option<String> {
    doc.tried.clone().or_else(|| doc.rules_named().map(ToString::to_string))
}

/// Files were changed in other programs: rules are read again, what is judged by changed ones is judged again.
pub fn files_changed(state: &mut State, paths: &[PathBuf], jobs: &Jobs) {
    state.rules.round += 1;
    let told = state.games.reload();
    for doc in &mut state.docs {
        if of(doc).is_some_and(|id| told.iter().any(|one| one.id == id)) {
            doc.judge(&state.games);
        }
    }
    for one in told {
        let again = one.in_force && state.store.ruleset(&one.id).is_ok();
        state.rules.news.insert(one.id.clone(), News { in_force: one.in_force, findings: one.findings });
        if again {
            check(state, one.id, jobs);
        } else if let Some(Lint::Running(progress)) = state.rules.lints.remove(&one.id) {
            progress.cancel();
        }
    }
    // Templates are looked over with the rules they belong to, if somebody looked at those.
    let is_template = |path: &PathBuf| path.extension().is_some_and(|end| end.eq_ignore_ascii_case("svg"));
    if paths.iter().any(is_template) {
        let again: Vec<String> = state.rules.lints.keys().cloned().collect();
        again.into_iter().for_each(|id| check(state, id, jobs));
    }
}

/// Carries a command out.
pub fn apply(state: &mut State, command: Ruling, jobs: &Jobs) {
    match command {
        Ruling::Check(id) => {
            state.inspector = Inspector::Rules;
            check(state, id, jobs);
        }
        Ruling::Looked { id, progress, judged } => {
            let lint = state.rules.lints.get_mut(&id);
            if let Some(lint) = lint.filter(|lint| matches!(lint, Lint::Running(newest) if newest.is(&progress))) {
                *lint = match judged {
                    Ok(judged) => Lint::Done(judged),
                    Err(finding) => Lint::Failed(finding.message),
                };
            }
        }
        Ruling::Try(id) => on_trial(state, id),
        Ruling::CopyRules(id) => copy_rules(state, &id, jobs),
        Ruling::CopyTemplates(id) => copy_templates(state, &id, jobs),
    }
}

fn check(state: &mut State, id: String, jobs: &Jobs) {
    let (store, what) = (state.store.clone(), id.clone());
    let progress = jobs.start(move |progress| {
        let progress = progress.clone();
        let looked = catch_unwind(AssertUnwindSafe(|| author::look_over(&store, &what, &|| !progress.is_cancelled())));
        let judged = match looked {
            Ok(Ok(judged)) => Ok(Box::new(judged?)),
            Ok(Err(finding)) => Err(finding),
            Err(_) => Err(Finding::error("fault", "the check failed; this is a bug in moldloft")),
        };
        Some(Command::Rules(Ruling::Looked { id: what, progress, judged }))
    });
    if let Some(Lint::Running(old)) = state.rules.lints.insert(id, Lint::Running(progress)) {
        old.cancel();
    }
}

fn on_trial(state: &mut State, id: Option<String>) {
    let Tab::Doc(doc) = state.tab else { return };
    if let Some(id) = &id {
        let loaded = state.games.find(id);
        if loaded.ruleset().is_none() {
            let why = loaded.findings().iter().find(|finding| finding.severity == Severity::Error).map(told);
            let text = format!("cannot try {id}: {}", why.unwrap_or_default());
            state.notices.push(Notice::error(text));
            return;
        }
    }
    if let Some(doc) = state.docs.iter_mut().find(|open| open.id == doc) {
        let is_named = |id: &String| doc.rules_named().is_some_and(|named| **named == **id);
        doc.tried = id.filter(|id| !is_named(id));
        doc.judge(&state.games);
    }
}

fn copy_rules(state: &mut State, id: &str, jobs: &Jobs) {
    let Some(folder) = folder(state, "rulesets") else { return };
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

fn copy_templates(state: &mut State, id: &str, jobs: &Jobs) {
    let Some(folder) = folder(state, "templates").map(|folder| folder.join(id)) else { return };
    let loaded = state.games.find(id);
    let Some(rules) = loaded.ruleset() else { return };
    let copied = author::templates(&state.store, rules).and_then(|templates| {
        let mut kept = 0;
        let mut made = Vec::new();
        for (name, source) in &templates {
            let path = folder.join(name);
            store::make_folder(path.parent().unwrap_or(&folder))?;
            match store::save_new(&path, source.text.as_bytes()) {
                Ok(()) => made.push(path),
                Err(finding) if finding.code == "file-exists" => kept += 1,
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
                        many(copied, "template")
                    )
                }
                (copied, kept) => format!("Copied {} to {at}, kept {kept} that existed", many(copied, "template")),
            };
            state.notices.push(Notice::info(text));
            super::apply::files_changed(state, &made, jobs);
        }
        Err(finding) => state.notices.push(Notice::error(format!("{at}: {}", finding.message))),
    }
}

/// A folder of the workspace; without a workspace that is told.
fn folder(state: &mut State, name: &str) -> Option<PathBuf> {
    let folder = state.store.workspace().map(|workspace| workspace.join(name));
    if folder.is_none() {
        state.notices.push(Notice::error("no workspace to copy into: open a folder on the start page first"));
    }
    folder
}

/// Works out what is shown of the rules in force, where that is not as it was.
pub fn follow(state: &mut State) {
    let Some(id) = state.doc().and_then(of) else {
        state.rules.shown = None;
        state.rules.seen = None;
        return;
    };
    let of_fleet = || state.doc()?.fleet()?.rules().cloned();
    let loaded = state.doc().and_then(Doc::ship).map(|ship| ship.ruleset.clone()).or_else(of_fleet);
    let seen = (state.rules.round, id.clone(), loaded.as_ref().map(|rules| Arc::as_ptr(rules) as usize));
    if state.rules.seen.as_ref() == Some(&seen) {
        return;
    }
    state.rules.seen = Some(seen);
    let listed = state.store.list(Kind::Ruleset);
    state.rules.known = listed.iter().map(|one| Known { id: one.id.clone(), built_in: one.built_in }).collect();
    let place = |file: &str| {
        let own = listed.iter().find(|one| !one.built_in && *one.path == *Path::new(file));
        own.and_then(|one| std::path::absolute(&one.path).ok())
    };
    let texts = state.games.texts(&id).unwrap_or_default();
    let files = texts.iter().map(|source| (source.file.clone(), place(&source.file))).collect();
    state.rules.shown = loaded.map(|rules| Shown { id, rules, files });
}
