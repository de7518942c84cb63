//! Tabs, panes, form targets and notices. Plain data.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use moldloft_base::finding::Finding;

/// Never reused while the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocId(pub u64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tab {
    Start,
    Doc(DocId),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InspectorTab {
    #[default]
    Findings,
    /// Damage and load of a fleet's ship.
    Ship,
    Explain,
    /// What could be changed, of a design.
    Suggest,
    Rules,
}

/// The part that is shown if there is room for one only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pane {
    #[default]
    Form,
    Sheet,
    Inspector,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub is_error: bool,
    pub text: String,
    /// Where the file is that it is about.
    pub folder: Option<PathBuf>,
    /// A document, and where a copy of it would be used.
    pub copies: Option<(DocId, PathBuf)>,
}

impl Notice {
    pub fn info(text: impl Into<String>) -> Self {
        Self { is_error: false, text: text.into(), folder: None, copies: None }
    }

    pub fn error(text: impl Into<String>) -> Self {
        Self { is_error: true, text: text.into(), folder: None, copies: None }
    }

    /// Of a file, or of several in a folder.
    pub fn written(text: impl Into<String>, path: Option<&Path>) -> Self {
        let folder = path.and_then(|path| if path.extension().is_some() { path.parent() } else { Some(path) });
        Self { folder: folder.map(Path::to_path_buf), ..Self::info(text) }
    }

    /// Rules that no design can name, since they are not where `path` is.
    pub fn unused_rules(doc: DocId, path: PathBuf) -> Self {
        let text = "Designs cannot use these rules from here: only those in the folder rulesets/ of your workspace are offered";
        Self { copies: Some((doc, path)), ..Self::error(text) }
    }

    pub fn from_finding(finding: &Finding) -> Self {
        Self::error(message_with_help(finding))
    }

    /// About a file or folder.
    pub fn about(path: &Path, finding: &Finding) -> Self {
        Self::error(format!("{}: {}", path.display(), message_with_help(finding)))
    }
}

/// `cannot write x.toml: disk full; choose another folder`.
pub fn message_with_help(finding: &Finding) -> String {
    let help = finding.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
    format!("{}{help}", finding.message)
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SystemPicker {
    /// `None` in games without mounts.
    pub mount: Option<String>,
    pub query: String,
    /// Of what is listed, as the query has it; 0 until it is read.
    pub count: u32,
    /// Systems with their counts that the query adds before those.
    pub before: Vec<(Arc<str>, u32)>,
    pub highlighted: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormTarget {
    TopKey(&'static str),
    Field(String),
    /// By index in the file.
    Fit(u32),
    /// Scrolled into sight, without the focus.
    FitInView(u32),
    Mount(String),
    Ship {
        ship: u32,
        /// The key that the cell edits.
        key: &'static str,
    },
    Group(u32),
}
