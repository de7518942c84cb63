//! The rulesets in use: changed files, lint results, and the commands for them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::with_kinds;
use moldloft_base::finding::{Finding, Severity};
use moldloft_base::progress::Progress;
use moldloft_library::library::RulesetReview;
use moldloft_rules::ruleset::Ruleset;

#[derive(Debug, Default)]
pub struct RulesetStatus {
    /// Grows whenever files of the workspace change.
    pub generation: u64,
    /// By id.
    pub reloads: BTreeMap<String, ReloadStatus>,
    pub lint_status: BTreeMap<String, LintStatus>,
    pub available: Vec<AvailableRuleset>,
    pub active: Option<ActiveRuleset>,
    pub(crate) active_key: Option<(u64, String, Option<usize>)>,
}

#[derive(Clone, Debug)]
pub enum LintStatus {
    Running(Progress),
    Done(Box<RulesetReview>),
    Failed(String),
}

#[derive(Clone, Debug)]
pub struct ReloadStatus {
    /// If false, the last good version is used.
    pub is_active: bool,
    pub findings: Arc<[Finding]>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AvailableRuleset {
    pub id: String,
    pub is_built_in: bool,
}

#[derive(Clone, Debug)]
pub struct ActiveRuleset {
    pub id: String,
    pub rules: Arc<Ruleset>,
    /// In the order of `extends`: the name, and the path unless it is built in.
    pub files: Vec<(Arc<str>, Option<PathBuf>)>,
}

with_kinds! {
    #[derive(Clone, Debug)]
    pub enum RulesCommand as RulesCommandKind {
        Lint(String),
        LintDone { id: String, progress: Progress, report: Result<Box<RulesetReview>, Box<Finding>> },
        /// `None`: the ruleset named in the file.
        Override(Option<String>),
        /// Writes it into the current file, as the ruleset that it follows.
        Adopt(String),
        CopyRules(String),
        CopyTemplates(String),
    }
}

impl RulesetStatus {
    /// Ruleset files with errors that are not used, each once.
    pub fn rejected_files(&self) -> Vec<(&str, &ReloadStatus)> {
        let mut rejected: Vec<(&str, &ReloadStatus)> = Vec::new();
        for (id, status) in self.reloads.iter().filter(|(_, status)| !status.is_active) {
            let file = status.worst_finding().and_then(|finding| finding.at.file.as_deref());
            let name = file.and_then(|file| Path::new(file).file_stem()?.to_str()).unwrap_or(id);
            if !rejected.iter().any(|(known, _)| *known == name) {
                rejected.push((name, status));
            }
        }
        rejected
    }
}

impl ActiveRuleset {
    /// `None` if it is built in.
    pub fn own_file(&self) -> Option<&PathBuf> {
        self.files.last().and_then(|(_, path)| path.as_ref())
    }
}

impl ReloadStatus {
    /// `line 14: unknown name hul`.
    pub fn reason(&self) -> String {
        self.worst_finding().map_or_else(|| "cannot be used".to_owned(), finding_text)
    }

    fn worst_finding(&self) -> Option<&Finding> {
        let error = self.findings.iter().find(|finding| finding.severity == Severity::Error);
        error.or(self.findings.first())
    }
}

/// `line 14: unknown name hul`.
pub fn finding_text(finding: &Finding) -> String {
    match finding.at.line {
        0 => finding.message.clone(),
        line => format!("line {line}: {}", finding.message),
    }
}
