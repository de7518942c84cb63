//! Finds the designs that a fleet names: takes a path relative to the fleet's file, or the name of a class in the folders
//! of designs, gives files. Never leaves the workspace.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use moldloft_base::finding::{Cause, Finding, nearest};

use super::allowed_roots::AllowedRoots;
use super::file_ref::FileRef;
use super::file_system::{self, FileKind, FolderEntry};
use super::workspace::Store;
use super::{builtin, file};

/// The folder, or with a number behind it, for classes of a bundle that an own fleet could take for its own.
pub const SHARED_FOLDER: &str = "shared";
const MAX_SEARCHED: usize = 2_000;

fn slashes(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// A path without `.` and `..`; `None` when it climbs above its start.
fn normalized(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                if !plain.pop() {
                    return None;
                }
            }
            other => plain.push(other),
        }
    }
    Some(plain)
}

fn or_current(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

struct FleetBounds {
    /// The fleet's folder.
    folder: PathBuf,
    /// The workspace; without one, the parent of the fleet's folder.
    root: PathBuf,
    in_workspace: bool,
}

impl FleetBounds {
    /// A path from the fleet's folder, without `.` and `..`; `None` when it leaves the root.
    fn join(&self, path: &Path) -> Option<PathBuf> {
        normalized(&self.folder.join(path)).filter(|path| path.starts_with(&self.root))
    }
}

impl Store {
    /// The file at a relative path. `fleet` is the fleet's own path, or its built-in name.
    ///
    /// # Errors
    /// A finding without a place: the path is not relative, does not end in `.toml`, or leaves the workspace (without
    /// one, the parent of the fleet's folder); or there is no such file.
    pub fn design_beside_fleet(&self, fleet: &Path, built_in: bool, written: &str) -> Result<FileRef, Finding> {
        let written = written.trim().replace('\\', "/");
        let path = Path::new(&written);
        let drive = written.as_bytes().get(1) == Some(&b':');
        if path.is_absolute() || written.starts_with('/') || drive || written.contains('\0') {
            return Err(Finding::error("outside-workspace", "expected a path relative to the fleet file")
                .help("use a relative path such as ../vigilant.toml, or the name of a class"));
        }
        if !file::is_toml(path) {
            return Err(Finding::caused(Cause::NotAFile, "expected a path that ends in .toml"));
        }
        let outside = || {
            Finding::error("outside-workspace", "cannot open a path outside the workspace")
                .help("copy the design into the workspace, or embed it as a [[design]]")
        };
        let nowhere = || {
            Finding::caused(Cause::MissingDesign, "no such file")
                .help("use a path relative to the fleet's folder, such as ../vigilant.toml, or the name of a class")
        };
        let folder = fleet.parent().unwrap_or(Path::new(""));
        if built_in {
            let inner = normalized(&folder.join(path)).ok_or_else(outside)?;
            return if builtin::text(&slashes(&inner)).is_some() {
                Ok(FileRef::built_in(inner))
            } else {
                Err(nowhere())
            };
        }
        let bounds = self.fleet_bounds(folder).ok_or_else(nowhere)?;
        let lexical = bounds.join(path).ok_or_else(outside)?;
        match file_system::canonicalize(&lexical) {
            Ok(real) if !real.starts_with(&bounds.root) => Err(outside()),
            Ok(_) => Ok(FileRef::on_disk(display_path(folder, path))),
            // A file that the workspace would shadow may be built in.
            Err(_) => {
                let inner = lexical.strip_prefix(&bounds.root).map(slashes).unwrap_or_default();
                match builtin::text(&inner) {
                    Some(_) if bounds.in_workspace => Ok(FileRef::built_in(inner)),
                    _ => Err(nowhere()),
                }
            }
        }
    }

    /// What a fleet in this folder may refer to; `None` when there is no such folder.
    fn fleet_bounds(&self, folder: &Path) -> Option<FleetBounds> {
        let folder = file_system::canonicalize(or_current(folder)).ok()?;
        let workspace = self.workspace().and_then(|workspace| file_system::canonicalize(workspace).ok());
        let workspace = workspace.filter(|workspace| folder.starts_with(workspace));
        let in_workspace = workspace.is_some();
        let root = workspace.unwrap_or_else(|| folder.parent().unwrap_or(&folder).to_path_buf());
        Some(FleetBounds { folder, root, in_workspace })
    }

    /// A suggestion for a missing file: the missing part of the path is replaced by its nearest neighbour. Reads
    /// nothing outside the limits of [`Store::design_beside_fleet`].
    pub fn nearest_design_path(&self, fleet: &Path, built_in: bool, written: &str) -> Option<String> {
        let written = written.trim().replace('\\', "/");
        let folder = fleet.parent().unwrap_or(Path::new(""));
        let instead = |wrong: &str, near: &str| {
            let parts: Vec<&str> = written.split('/').collect();
            let place = parts.iter().rposition(|part| *part == wrong)?;
            let parts = parts.iter().enumerate().map(|(n, part)| if n == place { near } else { part });
            Some(parts.collect::<Vec<_>>().join("/"))
        };
        if built_in {
            let inner = normalized(&folder.join(&written))?;
            let wrong = inner.file_name()?.to_string_lossy().into_owned();
            let siblings = builtin::files(&slashes(inner.parent()?));
            let names: Vec<&str> = siblings.iter().filter_map(|name| name.rsplit('/').next()).collect();
            return instead(&wrong, &near_name(&wrong, names.iter().copied().filter(|name| name.ends_with(".toml")))?);
        }
        let bounds = self.fleet_bounds(folder)?;
        let lexical = bounds.join(Path::new(&written))?;
        let mut at = bounds.root.clone();
        for part in lexical.strip_prefix(&bounds.root).ok()?.components() {
            let next = at.join(part);
            if file_system::canonicalize(&next).is_ok_and(|real| real.starts_with(&bounds.root)) {
                at = next;
                continue;
            }
            let wrong = part.as_os_str().to_string_lossy().into_owned();
            let is_file = file::is_toml(Path::new(&wrong));
            let entries = file_system::entries(&at).ok()?.take(MAX_SEARCHED);
            let suits = |entry: &FolderEntry| {
                if is_file { file::is_toml(Path::new(&entry.name)) } else { entry.kind == Some(FileKind::Folder) }
            };
            let mut names: Vec<String> =
                entries.filter(suits).filter_map(|entry| entry.name.into_string().ok()).collect();
            names.retain(|name| !name.starts_with('.'));
            names.sort();
            return instead(&wrong, &near_name(&wrong, names.iter().map(String::as_str))?);
        }
        None
    }

    /// Files that may define a class, in search order: next to the fleet, in the workspace's `designs/<id>/` for each
    /// id, in its other folders of designs, built in. At most some thousands.
    pub fn class_files(&self, fleet: &Path, built_in: bool, ids: &[&str]) -> Vec<FileRef> {
        let mut named = Vec::new();
        let mut seen = BTreeSet::new();
        // Limited like a path: to the workspace, or to the fleet's own folder elsewhere.
        let folder = fleet.parent().unwrap_or(Path::new(""));
        let bounds = AllowedRoots::from_folders(self.workspace().into_iter().chain([or_current(folder)]));
        let mut add = |one: FileRef| {
            if !one.built_in && !bounds.allows_entry(&one.path) {
                return;
            }
            let key = if one.built_in {
                one.path.clone()
            } else {
                file_system::canonicalize(&one.path).unwrap_or(one.path.clone())
            };
            if named.len() < MAX_SEARCHED && seen.insert(key) {
                named.push(one);
            }
        };
        let folders = ids.iter().map(|id| format!("designs/{id}"));
        if !built_in {
            // A file given by path may be anywhere, so only its own folder is searched.
            let is_here =
                !fleet.as_os_str().is_empty() && folder.components().count() + 1 == fleet.components().count();
            let siblings = if is_here { toml_files(folder) } else { Vec::new() };
            siblings.into_iter().filter(|path| path != fleet).for_each(|path| add(FileRef::on_disk(path)));
            if let Some(workspace) = self.workspace() {
                for folder in folders.clone() {
                    let path = workspace.join(&folder);
                    if !AllowedRoots::from_folders([workspace]).allows_entry(&path) {
                        continue;
                    }
                    for name in toml_files(&path).iter().filter_map(|path| path.file_name()) {
                        add(FileRef::on_disk(self.display_path(&format!("{folder}/{}", name.to_string_lossy()))));
                    }
                }
                let (mut names, _) = self.names_in(&["designs"], MAX_SEARCHED);
                let games = builtin::files("rulesets");
                let is_of_another_game = |name: &str| {
                    let folder = name.split('/').nth(1).unwrap_or_default();
                    !ids.contains(&folder) && games.contains(&format!("rulesets/{folder}.toml"))
                };
                names.retain(|name| file::is_toml(Path::new(name)) && !is_shared(name) && !is_of_another_game(name));
                names.sort();
                names.iter().for_each(|name| add(FileRef::on_disk(self.display_path(name))));
            }
        }
        for folder in folders {
            for name in builtin::files(&folder).into_iter().filter(|name| name.ends_with(".toml")) {
                let shadowed =
                    !built_in && self.workspace().is_some_and(|workspace| file_system::exists(&workspace.join(&name)));
                if !shadowed && !name.contains("/fleets/") {
                    add(FileRef::built_in(name));
                }
            }
        }
        named
    }
}

/// Whether a design stands where bundles put classes that only their own fleets may find.
fn is_shared(name: &str) -> bool {
    let folders = name.rsplit_once('/').map_or("", |(folders, _)| folders).split('/');
    let mut rests = folders.filter_map(|folder| folder.strip_prefix(SHARED_FOLDER));
    rests.any(|rest| rest.is_empty() || rest.starts_with('-'))
}

/// The nearest name, compared without extension.
fn near_name<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    let is_file = file::is_toml(Path::new(wrong));
    let stem = |name: &'a str| if is_file { &name[..name.len() - ".toml".len()] } else { name };
    let wanted = if is_file { &wrong[..wrong.len() - ".toml".len()] } else { wrong };
    let near = nearest(wanted, names.map(stem))?;
    Some(if is_file { format!("{near}.toml") } else { near.to_owned() })
}

fn display_path(folder: &Path, path: &Path) -> PathBuf {
    let joined = folder.join(path);
    // Only `..` in the name itself is resolved: `fleets/../x.toml` is `x.toml`.
    match normalized(&joined) {
        Some(plain) if !folder.components().any(|part| part == Component::ParentDir) => plain,
        _ => joined,
    }
}

/// Sorted.
fn toml_files(folder: &Path) -> Vec<PathBuf> {
    let folder = or_current(folder);
    let Ok(entries) = file_system::entries(folder) else { return Vec::new() };
    let names = entries.take(MAX_SEARCHED * 4).map(|entry| entry.name);
    let names = names.filter(|name| file::is_toml(Path::new(name)) && !name.to_string_lossy().starts_with('.'));
    let here = folder == Path::new(".");
    let mut paths: Vec<PathBuf> = names.map(|name| if here { name.into() } else { folder.join(name) }).collect();
    paths.sort();
    paths.truncate(MAX_SEARCHED);
    paths
}
