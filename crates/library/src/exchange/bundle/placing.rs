//! Where the files of a bundle can go: takes a folder, gives for each file whether it is new, there already, written under
//! another name, or refused and why; and the bytes to write. Nothing that is there is replaced, and nothing comes where a file
//! that is there, or a built-in one, could find it: what the player's own files print and cost stays the same.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::store::{self, BundleReport, ContentHash, SHARED_FOLDER};
use moldloft_base::finding::Finding;
use moldloft_base::sanitize::{file_name_key, fold_for_search};
use moldloft_base::source::Source;
use moldloft_rules::design::fleet::{Fleet, FleetShip};
use moldloft_rules::design::{Design, Document, TablePath};

use super::gather::{DesignPaths, relative_path, with_paths};
use super::model::{BundleFile, BundleFileKind, SharedBundle};
use super::own_files::{OwnFiles, design_in, folder_of, path_beside};
use super::review::BundleReview;

/// The highest number that is tried for a free name.
const MAX_NUMBER: usize = 1_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileAction {
    /// Nothing has this name.
    New,
    /// A file with the same content is there, or built in.
    Present,
    /// A file of the player's has this name or could find it here: it is written under this path.
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
    Placer::new(bundle, review, folder).plan()
}

struct Placer<'b> {
    bundle: &'b SharedBundle,
    review: &'b BundleReview,
    folder: &'b Path,
    own: OwnFiles,
    /// Names that files of the bundle have or get, by [`file_name_key`].
    taken: BTreeSet<String>,
    /// Designs by the content of their files, by path in the bundle.
    designs: BTreeMap<&'b str, Design>,
    actions: BTreeMap<&'b str, FileAction>,
    /// Where an outline of the bundle is for the designs of a folder: by folder and path in the bundle.
    outlines: BTreeMap<(String, &'b str), String>,
    writes: Vec<(String, Vec<u8>)>,
    findings: Vec<Finding>,
}

impl<'b> Placer<'b> {
    fn new(bundle: &'b SharedBundle, review: &'b BundleReview, folder: &'b Path) -> Self {
        let designs = bundle.files.iter().filter_map(|file| Some((&*file.path, design_in(&file.path, &file.bytes)?)));
        Self {
            bundle,
            review,
            folder,
            own: OwnFiles::of(folder),
            taken: bundle.files.iter().map(|file| file_name_key(&file.path)).collect(),
            designs: designs.collect(),
            actions: BTreeMap::new(),
            outlines: BTreeMap::new(),
            writes: Vec::new(),
            findings: Vec::new(),
        }
    }

    /// Rulesets first, since templates go with them; outlines after their designs.
    fn plan(mut self) -> BundlePlan {
        let bundle = self.bundle;
        for wanted in [BundleFileKind::Ruleset, BundleFileKind::Template, BundleFileKind::Design, BundleFileKind::Fleet]
        {
            for file in &bundle.files {
                match BundleFileKind::of(&file.path) {
                    Some(BundleFileKind::Template) if wanted == BundleFileKind::Template => self.place_template(file),
                    kind if kind == Some(wanted) => {
                        let action = self.action_of(file);
                        let is_new = matches!(action, FileAction::New | FileAction::Renamed(_));
                        let action = if is_new && self.hides_a_class(file) { self.apart(file) } else { action };
                        self.actions.insert(&file.path, action);
                    }
                    _ => {}
                }
            }
        }
        for file in &bundle.files {
            if BundleFileKind::of(&file.path) == Some(BundleFileKind::Silhouette) {
                self.place_outline(file);
            }
        }
        for file in &bundle.files {
            self.write_text(file);
        }
        let planned = |file: &BundleFile| {
            let refused = || FileAction::Refused("no file of a bundle has this name".to_owned());
            PlannedFile {
                path: file.path.clone(),
                action: self.actions.get(file.path.as_str()).cloned().unwrap_or_else(refused),
            }
        };
        let files = bundle.files.iter().map(planned).collect();
        BundlePlan { files, writes: self.writes, findings: self.findings }
    }

    fn hash_at(&self, path: &str) -> ContentHash {
        ContentHash::of_path(&self.folder.join(path))
    }

    fn action_of(&mut self, file: &BundleFile) -> FileAction {
        let (there, built_in) = (self.hash_at(&file.path), store::built_in_source(&file.path));
        let is_there = there != ContentHash::Absent;
        let is_same = built_in.as_ref().is_some_and(|known| *known.text.as_bytes() == *file.bytes);
        if there == ContentHash::of_bytes(&file.bytes) || !is_there && is_same {
            return FileAction::Present;
        }
        if !is_there && !self.own.has_name(&file.path) {
            return FileAction::New;
        }
        match BundleFileKind::of(&file.path) {
            Some(BundleFileKind::Ruleset | BundleFileKind::Template) | None => FileAction::Refused(match built_in {
                Some(_) if !is_there => {
                    "a built-in file of this name has other content, and stays in use; a bundle is a \
                                         zip: take the file out of it to use this one"
                        .to_owned()
                }
                _ => {
                    "a file of yours of this name has other content, and stays in use; unpack into a new folder to use \
                      this one"
                        .to_owned()
                }
            }),
            Some(_) => self.free_name(&file.path, 2),
        }
    }

    /// The path, or one with a number from `first` (1: without), that nothing has and no own file names.
    fn free_name(&mut self, path: &str, first: usize) -> FileAction {
        let (stem, extension) = path.rsplit_once('.').unwrap_or((path, ""));
        let numbered = |n: usize| if n == 1 { path.to_owned() } else { format!("{stem}-{n}.{extension}") };
        let is_free = |path: &String| {
            !self.taken.contains(&file_name_key(path))
                && !self.own.has_name(path)
                && self.hash_at(path) == ContentHash::Absent
        };
        match (first..MAX_NUMBER).map(numbered).find(is_free) {
            Some(free) => {
                self.taken.insert(file_name_key(&free));
                FileAction::Renamed(free)
            }
            None => FileAction::Refused("too many files of this name are there".to_owned()),
        }
    }

    /// The ids of the rulesets of a file of the bundle, the base first; empty if they are not known.
    fn chain(&self, path: &str) -> &'b [String] {
        self.review.entries.iter().find(|entry| entry.path == path).map_or(&[], |entry| &entry.chain)
    }

    /// Whether an own fleet could take this design for a class of its own.
    fn hides_a_class(&self, file: &BundleFile) -> bool {
        let design = self.designs.get(file.path.as_str());
        design.is_some_and(|design| self.own.has_class(&file.path, design, self.chain(&file.path)))
    }

    /// A place where fleets find a design by its path only.
    fn apart(&mut self, file: &BundleFile) -> FileAction {
        let (above, name) = file.path.rsplit_once('/').unwrap_or(("designs", &file.path));
        let numbered = |n: usize| match n {
            1 => format!("{above}/{SHARED_FOLDER}"),
            _ => format!("{above}/{SHARED_FOLDER}-{n}"),
        };
        let folder = (1..MAX_NUMBER).map(numbered).find(|folder| !self.own.has_fleets_in(folder));
        self.free_name(&format!("{}/{name}", folder.unwrap_or_else(|| above.to_owned())), 1)
    }

    /// The rulesets that come with the bundle and that no own file could mean, each with its chain.
    fn new_rulesets(&self) -> impl Iterator<Item = (&'b str, &'b [String])> {
        self.actions.iter().filter(|(_, action)| **action == FileAction::New).filter_map(|(path, _)| {
            let id = path.strip_prefix("rulesets/")?.strip_suffix(".toml")?;
            (!self.own.knows_ruleset(id)).then(|| (id, self.chain(path)))
        })
    }

    /// A template is written where only the bundle's own rulesets look for it: in the folder of one that is new.
    fn place_template(&mut self, file: &'b BundleFile) {
        let there = self.action_of(file);
        if there == FileAction::Present {
            self.actions.insert(&file.path, there);
            return;
        }
        let inner = file.path.strip_prefix("templates/").unwrap_or(&file.path);
        let of_game = inner.split_once('/');
        let is_new = of_game.is_some_and(|(id, _)| self.new_rulesets().any(|(new, _)| new == id));
        let targets = if is_new { BTreeSet::from([file.path.clone()]) } else { self.hosts_of_template(inner) };
        let free: Vec<String> = targets.into_iter().filter(|path| self.hash_at(path) == ContentHash::Absent).collect();
        let action = match (free.first(), there) {
            (Some(path), FileAction::New) if *path == file.path => FileAction::New,
            (Some(path), _) => FileAction::Renamed(path.clone()),
            (None, refused @ FileAction::Refused(_)) => refused,
            (None, _) => FileAction::Refused(
                "sheets of your own would use it; unpack into a new folder, or take it out of the bundle, a zip"
                    .to_owned(),
            ),
        };
        self.taken.extend(free.iter().map(|path| file_name_key(path)));
        self.writes.extend(free.into_iter().map(|path| (path, file.bytes.clone())));
        self.actions.insert(&file.path, action);
    }

    /// Where the bundle's own rulesets find a template of the games that they extend, or of all games, and nobody else.
    fn hosts_of_template(&self, inner: &str) -> BTreeSet<String> {
        let new: BTreeSet<&str> = self.new_rulesets().map(|(id, _)| id).collect();
        let mut hosts = BTreeSet::new();
        for (_, chain) in self.new_rulesets() {
            // The lowest: those that extend it look there, too.
            let Some(host) = chain.iter().find(|id| new.contains(id.as_str())) else { continue };
            let of_game = inner.split_once('/').filter(|(id, _)| chain.iter().any(|known| known == id));
            let target = format!("templates/{host}/{}", of_game.map_or(inner, |(_, rest)| rest));
            // What a game has is found before what all share.
            let is_hidden =
                of_game.is_none() && chain.iter().any(|id| self.own.has_name(&format!("templates/{id}/{inner}")));
            let is_of_other = of_game.is_none()
                && inner
                    .split_once('/')
                    .is_some_and(|(id, _)| store::built_in_source(&format!("rulesets/{id}.toml")).is_some());
            if !is_hidden && !is_of_other && !self.taken.contains(&file_name_key(&target)) {
                hosts.insert(target);
            }
        }
        hosts
    }

    /// An outline goes beside each of its designs.
    fn place_outline(&mut self, file: &'b BundleFile) {
        let uses = self.designs.iter().filter_map(|(path, design)| {
            let name = &design.silhouette.as_ref()?.text;
            (path_beside(path, name)? == file.path).then(|| ((*path).to_owned(), name.to_string()))
        });
        let mut folders: BTreeMap<String, String> = BTreeMap::new();
        let mut is_used_here = false;
        for (path, name) in uses.collect::<Vec<_>>() {
            match self.actions.get(path.as_str()) {
                Some(FileAction::New) => drop(folders.insert(folder_of(&path).to_owned(), name)),
                Some(FileAction::Renamed(to)) => drop(folders.insert(folder_of(to).to_owned(), name)),
                _ => is_used_here = true,
            }
        }
        let mut action = self.action_of(file);
        if !folders.is_empty() {
            let mut placed = Vec::new();
            for (folder, name) in folders {
                let path = format!("{folder}/{name}");
                let is_same = self.hash_at(&path) == ContentHash::of_bytes(&file.bytes);
                let is_free = self.hash_at(&path) == ContentHash::Absent
                    && !self.own.has_name(&path)
                    && (path == file.path || self.taken.insert(file_name_key(&path)));
                let to = match (is_same, is_free) {
                    (true, _) => FileAction::Present,
                    (_, true) if path == file.path => FileAction::New,
                    (_, true) => FileAction::Renamed(path.clone()),
                    _ => self.free_name(&path, 2),
                };
                let target = target_of(&path, &to).map(str::to_owned);
                if let Some(target) = &target {
                    self.writes.push((target.clone(), file.bytes.clone()));
                }
                self.outlines.insert((folder, &file.path), target.unwrap_or(path));
                placed.push(to);
            }
            action = placed.swap_remove(0);
        } else if is_used_here && action != FileAction::Present {
            action =
                FileAction::Refused("a design of yours would be drawn with it; unpack into a new folder".to_owned());
        } else if let Some(target) = target_of(&file.path, &action) {
            self.writes.push((target.to_owned(), file.bytes.clone()));
        }
        self.actions.insert(&file.path, action);
    }

    /// A ruleset, design or fleet, with the new names of files that it mentions.
    fn write_text(&mut self, file: &'b BundleFile) {
        let Some(kind) = BundleFileKind::of(&file.path) else { return };
        let is_text = matches!(kind, BundleFileKind::Ruleset | BundleFileKind::Design | BundleFileKind::Fleet);
        let action = self.actions.get(file.path.as_str()).filter(|_| is_text);
        let Some(target) = action.and_then(|action| target_of(&file.path, action)).map(str::to_owned) else { return };
        let bytes = self.with_new_names(file, &target).unwrap_or_else(|finding| {
            self.findings.push(finding);
            None
        });
        self.writes.push((target, bytes.unwrap_or_else(|| file.bytes.clone())));
    }

    /// `None` where nothing has a new name.
    fn with_new_names(&self, file: &'b BundleFile, target: &str) -> Result<Option<Vec<u8>>, Finding> {
        let Ok(text) = std::str::from_utf8(&file.bytes) else { return Ok(None) };
        if let Some(design) = self.designs.get(file.path.as_str()) {
            let outline = design.silhouette.as_ref().and_then(|name| path_beside(&file.path, &name.text));
            let key = outline.and_then(|path| self.bundle.files.iter().find(|file| file.path == path));
            let new = key.and_then(|outline| self.outlines.get(&(folder_of(target).to_owned(), &*outline.path)));
            let written = design.silhouette.as_ref().and_then(|name| path_beside(target, &name.text));
            let Some(new) = new.filter(|new| Some(*new) != written.as_ref()) else { return Ok(None) };
            let mut document = Document::parse(text).map_err(|message| Finding::error("cannot-edit", message))?;
            document.set(&TablePath::Top, "silhouette", relative_path(target, new))?;
            return Ok(Some(document.to_text().into_bytes()));
        }
        if BundleFileKind::of(&file.path) != Some(BundleFileKind::Fleet) {
            return Ok(None);
        }
        let Ok(fleet) = Fleet::read(&Source::new(file.path.as_str(), text)) else { return Ok(None) };
        let moved: DesignPaths = self.moved_designs(file, &fleet);
        if moved.is_empty() {
            Ok(None)
        } else {
            with_paths(&fleet, text, target, &moved).map(|text| Some(text.into_bytes()))
        }
    }

    /// The new path of the design of each entry of a fleet whose design is written under another.
    fn moved_designs(&self, file: &BundleFile, fleet: &Fleet) -> DesignPaths {
        let moved = |design: &str| match self.actions.get(design)? {
            FileAction::Renamed(to) => Some(to.clone()),
            _ => None,
        };
        let entry = self.review.entries.iter().find(|entry| entry.path == file.path);
        let known = entry.into_iter().flat_map(|entry| &entry.classes);
        let mut paths: DesignPaths = known.filter_map(|(at, design)| Some((*at, moved(design)?))).collect();
        // Of a fleet that could not be evaluated, as its words say.
        let is_known = |at: (usize, Option<(usize, usize)>)| entry.is_some_and(|entry| entry.classes.contains_key(&at));
        for (n, ship) in fleet.ships.iter().enumerate() {
            let carried = ship.carried.iter().enumerate();
            let carried =
                carried.flat_map(|(list, of)| of.ships.iter().enumerate().map(move |(at, ship)| (list, at, ship)));
            let carried = carried.map(|(list, at, ship)| (Some((list, at)), ship));
            for (inner, ship) in std::iter::once((None, ship)).chain(carried) {
                let new = self.design_of_entry(file, fleet, ship).and_then(moved).filter(|_| !is_known((n, inner)));
                paths.extend(new.map(|new| ((n, inner), new)));
            }
        }
        paths
    }

    /// The design of the bundle that an entry names.
    fn design_of_entry(&self, file: &BundleFile, fleet: &Fleet, ship: &FleetShip) -> Option<&'b str> {
        let word = ship.design.as_ref()?.text.trim();
        let path = path_beside(&file.path, &word.replace('\\', "/"));
        if let Some((path, _)) = self.designs.iter().find(|(known, _)| path.as_deref() == Some(**known)) {
            return Some(path);
        }
        let is_named = |design: &Design| {
            design.name.as_ref().is_some_and(|name| fold_for_search(name.text.trim()) == fold_for_search(word))
        };
        let mut named = self.designs.iter().filter(|(_, design)| is_named(design));
        named.next().map(|(path, _)| *path).filter(|_| !fleet.designs.iter().any(is_named))
    }
}

/// Where a file is written, if it is.
fn target_of<'a>(path: &'a str, action: &'a FileAction) -> Option<&'a str> {
    match action {
        FileAction::New => Some(path),
        FileAction::Renamed(to) => Some(to),
        FileAction::Present | FileAction::Refused(_) => None,
    }
}
