//! The rules while designs are open: those in force, files that were changed, what the lints report; and what can be done about them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::finding::{Finding, Severity};
use crate::library::RulesetReview;
use crate::progress::Progress;
use crate::ruleset::Ruleset;

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
    pub(in crate::editor) active_key: Option<(u64, String, Option<usize>)>,
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

/// What became of a ruleset whose file was changed.
#[derive(Clone, Debug)]
pub struct ReloadStatus {
    /// Whether what stands in the file is in force; if not, what worked before is.
    pub is_active: bool,
    /// What was found in the file.
    pub findings: Arc<[Finding]>,
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
