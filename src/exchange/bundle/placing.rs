//! Where the files of a bundle can go: takes a folder, gives for each file whether it is new, there already, written under
//! another name, or refused and why; and the bytes to write. Nothing that is there is replaced, nothing built in is hidden.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::design::fleet::Fleet;
use crate::design::{Design, Document, TablePath};
use crate::finding::Finding;
use crate::sanitize::fold_for_search;
use crate::source::Source;
use crate::store::{self, BundleReport, ContentHash, Store};

use super::gather::{DesignPaths, relative_path, with_paths};
use super::model::{BundleFile, BundleFileKind, SharedBundle};
use super::review::{BundleReview, ReviewEntry};

/// The highest number that is tried for a free name.
const MAX_NUMBER: usize = 1_000;
/// For designs whose class has the name of another: fleets that name a class do not look into it.
const SHARED_FOLDER: &str = "shared";

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileAction {
    /// Nothing has this name.
    New,
    /// A file with the same content is there, or built in.
    Present,
    /// Another file has this name: it is written under this path.
    Renamed(String),
    /// Not written, and why.
    Refused(String),
}

#[derive(Clone, Debug, PartialEq)]
pub struct PlannedFile {
    /// In the bundle.
    pub path: String,
    pub action: FileAction,
}

/// What unpacking does to a folder.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BundlePlan {
    /// In the bundle's order.
    pub files: Vec<PlannedFile>,
    /// By path in the folder.
    writes: Vec<(String, Vec<u8>)>,
    pub findings: Vec<Finding>,
}

impl BundlePlan {
    /// How many files will be written.
    pub fn count(&self) -> usize {
        self.writes.len()
    }

    /// The files that it writes into a folder.
    pub fn written_paths(&self, folder: &Path) -> Vec<PathBuf> {
        self.writes.iter().map(|(path, _)| folder.join(path)).collect()
    }

    /// Writes the files. A new folder is complete or absent.
    ///
    /// # Errors
    /// `file-exists` when a file came in the way since, `unwritable`.
    pub fn write(&self, folder: &Path) -> Result<BundleReport, Finding> {
        store::save_bundle(folder, &self.writes, &BTreeMap::new())
    }
}

/// Plans unpacking into a folder with the folders of a workspace, which need not exist.
pub fn plan_files(bundle: &SharedBundle, review: &BundleReview, folder: &Path) -> BundlePlan {
    let mut plan = BundlePlan::default();
    let mut taken: BTreeSet<String> = bundle.files.iter().map(|file| file.path.to_lowercase()).collect();
    let mut classes = OwnClasses::new(folder);
    for file in &bundle.files {
        let entry = review.entries.iter().find(|entry| entry.path == file.path);
        let mut action = action_of(file, folder, &mut taken);
        if matches!(action, FileAction::New | FileAction::Renamed(_))
            && entry.is_some_and(|entry| classes.has_name_of(entry))
        {
            action = apart(file, folder, &mut taken);
        }
        plan.files.push(PlannedFile { path: file.path.clone(), action });
    }
    let renamed: BTreeMap<&str, &str> = plan
        .files
        .iter()
        .filter_map(|planned| match &planned.action {
            FileAction::Renamed(to) => Some((planned.path.as_str(), to.as_str())),
            _ => None,
        })
        .collect();
    for (file, planned) in bundle.files.iter().zip(&plan.files) {
        let target = match &planned.action {
            FileAction::New => file.path.clone(),
            FileAction::Renamed(to) => to.clone(),
            FileAction::Present | FileAction::Refused(_) => continue,
        };
        let bytes = match with_new_names(file, &target, review, &renamed) {
            Ok(bytes) => bytes,
            Err(finding) => {
                plan.findings.push(finding);
                file.bytes.clone()
            }
        };
        plan.writes.push((target, bytes));
    }
    plan
}

/// The names of classes that fleets of the folder find by name.
struct OwnClasses {
    store: Store,
    /// By the ids in whose folders they are.
    names: BTreeMap<Vec<String>, BTreeSet<String>>,
}

impl OwnClasses {
    fn new(folder: &Path) -> Self {
        Self { store: Store::open(Some(folder)).unwrap_or_else(|_| Store::built_in()), names: BTreeMap::new() }
    }

    /// Whether another design has the name of this one, so that a fleet might find the wrong one.
    fn has_name_of(&mut self, entry: &ReviewEntry) -> bool {
        let Some(result) = entry.result.as_ref().filter(|_| entry.kind == BundleFileKind::Design) else { return false };
        let folder = entry.path.split('/').nth(1).unwrap_or_default().to_owned();
        let ids: Vec<String> = std::iter::once(folder).chain(entry.chain.iter().cloned()).collect();
        let store = &self.store;
        let names = self.names.entry(ids.clone()).or_insert_with(|| {
            let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
            let files = store.class_files(Path::new(""), false, &ids).into_iter();
            let designs = files.filter_map(|file| Design::read(&file.read().ok()?).ok());
            designs.filter_map(|design| Some(fold_for_search(design.name?.text.trim()))).collect()
        });
        names.contains(&fold_for_search(result.name.trim()))
    }
}

/// A place for a design whose class has the name of another: fleets find it there by its path only.
fn apart(file: &BundleFile, folder: &Path, taken: &mut BTreeSet<String>) -> FileAction {
    let (above, name) = file.path.rsplit_once('/').unwrap_or(("designs", &file.path));
    let path = format!("{above}/{SHARED_FOLDER}/{name}");
    free_name(&path, folder, taken, 1)
}

/// The path, or one with a number from `first` (1: without), that nothing has.
fn free_name(path: &str, folder: &Path, taken: &mut BTreeSet<String>, first: usize) -> FileAction {
    let (stem, extension) = path.rsplit_once('.').unwrap_or((path, ""));
    let is_free = |path: &String| {
        !taken.contains(&path.to_lowercase())
            && store::built_in_source(path).is_none()
            && ContentHash::of_path(&folder.join(path)) == ContentHash::Absent
    };
    let numbered = |n: usize| if n == 1 { path.to_owned() } else { format!("{stem}-{n}.{extension}") };
    match (first..MAX_NUMBER).map(numbered).find(is_free) {
        Some(free) => {
            taken.insert(free.to_lowercase());
            FileAction::Renamed(free)
        }
        None => FileAction::Refused("too many files of this name are there".to_owned()),
    }
}

fn action_of(file: &BundleFile, folder: &Path, taken: &mut BTreeSet<String>) -> FileAction {
    let own = ContentHash::of_bytes(&file.bytes);
    let there = ContentHash::of_path(&folder.join(&file.path));
    let built_in = store::built_in_source(&file.path);
    if there == own || there == ContentHash::Absent && built_in.as_ref().is_some_and(|known| is_text(file, known)) {
        return FileAction::Present;
    }
    if there == ContentHash::Absent && built_in.is_none() {
        return FileAction::New;
    }
    let what = if built_in.is_some() && there == ContentHash::Absent { "built-in file" } else { "file of yours" };
    match BundleFileKind::of(&file.path) {
        Some(BundleFileKind::Design | BundleFileKind::Fleet | BundleFileKind::Silhouette) => {
            free_name(&file.path, folder, taken, 2)
        }
        _ => FileAction::Refused(format!(
            "a {what} of this name has other content, and stays in use; unpack into a new folder to use this one"
        )),
    }
}

fn is_text(file: &BundleFile, known: &Source) -> bool {
    *known.text.as_bytes() == *file.bytes
}

/// The file's bytes, with the names of renamed files that it mentions.
fn with_new_names(
    file: &BundleFile,
    target: &str,
    review: &BundleReview,
    renamed: &BTreeMap<&str, &str>,
) -> Result<Vec<u8>, Finding> {
    let unchanged = || Ok(file.bytes.clone());
    let (Some(kind), Ok(text)) = (BundleFileKind::of(&file.path), std::str::from_utf8(&file.bytes)) else {
        return unchanged();
    };
    match kind {
        BundleFileKind::Fleet => {
            let entry = review.entries.iter().find(|entry| entry.path == file.path);
            let classes = entry.into_iter().flat_map(|entry| &entry.classes);
            let moved = classes.filter_map(|(at, design)| Some((*at, (*renamed.get(design.as_str())?).to_owned())));
            let moved: DesignPaths = moved.collect();
            match Fleet::read(&Source::new(file.path.as_str(), text)) {
                Ok(fleet) if !moved.is_empty() => Ok(with_paths(&fleet, text, target, &moved)?.into_bytes()),
                _ => unchanged(),
            }
        }
        BundleFileKind::Design => {
            let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
            let Ok(design) = Design::read(&Source::new(file.path.as_str(), text)) else {
                return unchanged();
            };
            let silhouette = design.silhouette.as_ref().map(|name| format!("{folder}/{}", name.text));
            let Some(new) = silhouette.and_then(|path| renamed.get(path.as_str()).copied()) else { return unchanged() };
            let mut document = Document::parse(text).map_err(|message| Finding::error("cannot-edit", message))?;
            document.set(&TablePath::Top, "silhouette", relative_path(target, new))?;
            Ok(document.to_text().into_bytes())
        }
        _ => unchanged(),
    }
}
