//! The boundary of a workspace: decides whether a link leads outside the given folders, so that a downloaded workspace
//! cannot refer to other files on the disk.

use std::path::{Path, PathBuf};

use moldloft_base::finding::{Finding, Place};
use moldloft_base::sanitize::list_names;

use super::file::display_name;
use super::file_system;

const MAX_NAMED: usize = 3;

/// Folders that may be read, by canonical path.
#[derive(Clone, Debug, Default)]
pub struct AllowedRoots {
    roots: Vec<PathBuf>,
}

impl AllowedRoots {
    /// Missing folders are ignored. A folder may itself be a link.
    pub fn from_folders<'p>(folders: impl IntoIterator<Item = &'p Path>) -> Self {
        Self { roots: folders.into_iter().filter_map(|folder| file_system::canonicalize(folder).ok()).collect() }
    }

    pub fn contains(&self, path: &Path) -> bool {
        file_system::canonicalize(path).is_ok_and(|real| self.roots.iter().any(|root| real.starts_with(root)))
    }

    /// Whether an entry of an allowed folder may be read: it is not a link, or leads to an allowed folder.
    pub fn allows_entry(&self, path: &Path) -> bool {
        !file_system::is_link(path) || self.contains(path)
    }
}

/// The finding for links that were not followed; `None` for none.
pub fn links_not_followed(links: &[PathBuf]) -> Option<Finding> {
    let first = links.first()?;
    let names: Vec<String> = links.iter().map(|link| link.display().to_string()).collect();
    let message = format!("skipped links that lead out of the workspace: {}", list_names(&names, MAX_NAMED));
    let help = "copy the files into the workspace, or name them on the command line";
    Some(Finding::warning("outside-workspace", message).help(help).at(Place::in_file(display_name(first))))
}

pub fn outside_finding(path: &Path) -> Finding {
    Finding::error("outside-workspace", "cannot open a link that leads out of the workspace")
        .help("copy the file into the workspace")
        .at(Place::in_file(display_name(path)))
}
