//! Expands a command line's paths to files.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use moldloft_base::finding::{Finding, Place};
use moldloft_base::source::Source;

use super::allowed_roots::{AllowedRoots, links_not_followed};
use super::builtin;
use super::file;
use super::file_ref::FileRef;
use super::file_system;
use super::walk::{FolderWalk, WalkStep};

const MAX_DEPTH: usize = 32;

#[derive(Clone, Debug)]
pub struct InputFile {
    pub file: FileRef,
    /// Named on the command line; otherwise it was found in a folder.
    pub is_explicit: bool,
    /// Written by another program to this one's standard input; relative paths in it start at the current folder.
    pub is_standard_input: bool,
}

impl InputFile {
    fn new(file: FileRef, is_explicit: bool) -> Self {
        Self { file, is_explicit, is_standard_input: false }
    }

    /// A file that was named.
    pub fn named(file: FileRef) -> Self {
        Self::new(file, true)
    }

    /// Reads its text.
    ///
    /// # Errors
    /// As [`FileRef::read`].
    pub fn read(&self) -> Result<Source, Finding> {
        if self.is_standard_input { file::read_standard_input() } else { self.file.read() }
    }
}

/// Expands paths in order: `-` is the standard input; a file is itself; a folder is all `*.toml` in and below it, sorted, without hidden ones.
/// Each folder is entered once, and links out of the folder (and of the workspace, if the folder is in it) are not
/// followed. A path that is not on the disk may be built in, such as `designs/wars-of-honor`; any other is kept, so
/// that reading it gives the error.
///
/// # Errors
/// Findings next to the list: folders that cannot be read or hold no design.
pub fn find_inputs(paths: &[PathBuf], workspace: Option<&Path>) -> (Vec<InputFile>, Vec<Finding>) {
    let mut found = Vec::new();
    let mut findings = Vec::new();
    let mut outside = Vec::new();
    let whole = AllowedRoots::from_folders(workspace);
    for path in paths {
        let before = found.len();
        if path.as_os_str() == "-" {
            found.push(InputFile { is_standard_input: true, ..InputFile::named(FileRef::on_disk(path)) });
        } else if file_system::is_folder(path) {
            let own = workspace.filter(|_| whole.contains(path));
            let roots = AllowedRoots::from_folders(own.into_iter().chain([&**path]));
            let _ = FolderWalk::new(&roots, MAX_DEPTH).walk(path, &mut |step| {
                match step {
                    WalkStep::File(path) if file::is_toml(path) => {
                        found.push(InputFile::new(FileRef::on_disk(path), false));
                    }
                    WalkStep::LinkOut(path) if file_system::is_folder(path) || file::is_toml(path) => {
                        outside.push(path.into())
                    }
                    WalkStep::Unreadable(folder, error) => findings.push(file::unreadable(folder, error)),
                    WalkStep::File(_) | WalkStep::LinkOut(_) | WalkStep::TooMany => {}
                }
                ControlFlow::Continue(())
            });
        } else {
            if !file_system::exists(path) {
                found.extend(built_in_files(path));
            }
            if found.len() == before {
                found.push(InputFile::named(FileRef::on_disk(path)));
            }
        }
        if found.len() == before {
            let finding = Finding::error("empty-folder", "no designs (*.toml) in this folder");
            findings.push(finding.at(Place::in_file(file::display_name(path))));
        }
    }
    findings.extend(links_not_followed(&outside));
    (found, findings)
}

fn built_in_files(path: &Path) -> Vec<InputFile> {
    let name = path.to_string_lossy().replace('\\', "/");
    let name = name.trim_start_matches("./").trim_end_matches('/');
    if builtin::text(name).is_some() {
        return vec![InputFile::named(FileRef::built_in(name))];
    }
    let files = builtin::files(name).into_iter().filter(|file| file.ends_with(".toml"));
    files.map(|file| InputFile::new(FileRef::built_in(file), false)).collect()
}
