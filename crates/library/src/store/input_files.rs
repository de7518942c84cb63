//! Expands a command line's paths to files.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use moldloft_base::finding::{Cause, Finding, Place, did_you_mean};
use moldloft_base::sanitize::{shorten_line, slug};
use moldloft_base::source::Source;

use super::allowed_roots::{AllowedRoots, links_not_followed};
use super::builtin;
use super::file;
use super::file_ref::FileRef;
use super::file_system;

use super::walk::{FolderWalk, WalkStep};
use super::workspace::{AssetKind, ListedAsset, Store};

const MAX_DEPTH: usize = 32;
/// Most characters of a design's or fleet's name.
const MAX_NAME: usize = 80;

#[derive(Clone, Debug)]
pub struct InputFile {
    pub file: FileRef,
    /// Named on the command line; otherwise it was found in a folder.
    pub is_explicit: bool,
    /// Written by another program to this one's standard input; relative paths in it start at the current folder.
    pub is_standard_input: bool,
    /// What to name instead, where it is neither a file nor a name.
    instead: Option<String>,
}

impl InputFile {
    fn new(file: FileRef, is_explicit: bool) -> Self {
        Self { file, is_explicit, is_standard_input: false, instead: None }
    }

    /// A file that was named.
    pub fn named(file: FileRef) -> Self {
        Self::new(file, true)
    }

    /// Whether it is no file, nor written as one, so that it may be a name.
    pub fn is_word(&self) -> bool {
        let path = &self.file.path;
        let is_named = self.is_explicit && !self.is_standard_input && !self.file.built_in;
        let is_word = !file::is_toml(path) && !path.to_string_lossy().starts_with(['.', '/', '~']);
        is_named && is_word && !file_system::exists(path)
    }

    /// Reads its text.
    ///
    /// # Errors
    /// As [`FileRef::read`].
    pub fn read(&self) -> Result<Source, Finding> {
        let read = if self.is_standard_input { file::read_standard_input() } else { self.file.read() };
        read.map_err(|finding| match &self.instead {
            Some(instead) if finding.help.is_none() => finding.help(instead.clone()),
            _ => finding,
        })
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

impl Store {
    /// As [`find_inputs`] in this workspace; a word that is no file may be the name of a design or fleet, as `list designs` says it: `vigilant`,
    /// `wars-of-honor/vigilant`.
    ///
    /// # Errors
    /// Findings next to the list: those of [`find_inputs`], and names that several have.
    pub fn inputs(&self, paths: &[PathBuf]) -> (Vec<InputFile>, Vec<Finding>) {
        let (mut found, mut findings) = find_inputs(paths, self.workspace());
        for input in found.iter_mut().filter(|input| input.is_word()) {
            match self.named_file(&input.file.path.to_string_lossy(), &[]) {
                Ok(file) => input.file = file,
                // That it is no file is said where it is read.
                Err(finding) if finding.cause == Some(Cause::MissingDesign) => input.instead = finding.help,
                Err(finding) => findings.push(finding),
            }
        }
        (found, findings)
    }

    /// The file `WORD.toml`, or the design or fleet of this name; of one of these games, if several have it.
    ///
    /// # Errors
    /// A finding: nothing is called so (`missing-design`), or designs of several games (`ambiguous-name`).
    pub fn named_file(&self, word: &str, games: &[Arc<str>]) -> Result<FileRef, Finding> {
        let file = PathBuf::from(format!("{word}.toml"));
        if file_system::exists(&file) {
            return Ok(FileRef::on_disk(file));
        }
        let wanted = slug(word, MAX_NAME);
        let stem = |asset: &ListedAsset| slug(asset.id.rsplit('/').next().unwrap_or_default(), MAX_NAME);
        let is_own = |asset: &ListedAsset| games.iter().any(|game| asset.id.split('/').next() == Some(&**game));
        let mut known = Vec::new();
        for kind in [AssetKind::Design, AssetKind::Fleet] {
            let listed = self.list_assets(kind);
            let named: Vec<_> = listed.iter().filter(|asset| asset.id == word || stem(asset) == wanted).collect();
            let best = named.iter().find(|asset| asset.id == word).or_else(|| named.iter().find(|asset| is_own(asset)));
            match (best, named.as_slice()) {
                (Some(asset), _) => return Ok(asset.file.clone()),
                (None, [asset]) => return Ok(asset.file.clone()),
                (None, []) => known.extend(listed),
                (None, several) => {
                    let ids: Vec<&str> = several.iter().map(|asset| &*asset.id).collect();
                    let message =
                        format!("`{}` is the name of {} designs or fleets", shorten_line(word, MAX_NAME), ids.len());
                    return Err(
                        Finding::error("ambiguous-name", message).help(format!("name one of them: {}", ids.join(", ")))
                    );
                }
            }
        }
        let own: Vec<String> = known.iter().filter(|asset| games.is_empty() || is_own(asset)).map(stem).collect();
        let help = did_you_mean(&wanted, own.iter().map(String::as_str))
            .unwrap_or_else(|| "name the file of a design or fleet, or one of `moldloft list designs`".to_owned());
        let message = format!("unknown design or fleet `{}`", shorten_line(word, MAX_NAME));
        Err(Finding::caused(Cause::MissingDesign, message).help(help))
    }
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
