//! Finds files by name, first in the player's workspace, then among the built-in ones.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use moldloft_base::finding::{Finding, Place, did_you_mean};
use moldloft_base::sanitize::list_names;
use moldloft_base::source::Source;

use super::allowed_roots::{AllowedRoots, outside_finding};
use super::file_ref::FileRef;
use super::file_system;
use super::walk::{FolderWalk, WalkStep, name_below};
use super::{builtin, file, read};

const FOLDERS: [&str; 4] = ["rulesets", "templates", "designs", "words"];
const MAX_DEPTH: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssetKind {
    /// `rulesets/<id>.toml`.
    Ruleset,
    /// `designs/<ruleset>/<name>.toml`.
    Design,
    /// `designs/<ruleset>/fleets/<name>.toml`, and below `fleets/`.
    Fleet,
    /// `templates/<ruleset>/<name>.svg`.
    Template,
    /// `words/<ruleset>.<language>.toml`.
    Words,
}

/// A ruleset, template, design or fleet that a workspace has.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct ListedAsset {
    /// `wars-of-honor`; for designs and templates with their folder: `wars-of-honor/vigilant`,
    /// `wars-of-honor/ship.svg`.
    pub id: String,
    /// Built in only where the workspace has none of the name.
    pub file: FileRef,
}

/// The built-in files and a workspace that shadows them.
#[derive(Clone, Debug)]
pub struct Store {
    workspace: Option<PathBuf>,
}

/// Rulesets that a message lists.
const MAX_NAMED: usize = 12;

impl Store {
    /// Opens this workspace; without one, the current folder or its nearest ancestor with `rulesets/`, `templates/` or
    /// `designs/`; else only the built-in files.
    ///
    /// # Errors
    /// A finding when the given workspace is not a folder.
    pub fn open(workspace: Option<&Path>) -> Result<Self, Finding> {
        builtin::know_rulesets();
        match workspace {
            Some(folder) if file_system::is_folder(folder) => Ok(Self { workspace: Some(folder.to_path_buf()) }),
            Some(folder) => Err(Finding::error("no-workspace", "the workspace is not a folder")
                .at(Place::in_file(file::display_name(folder)))),
            None => Ok(Self { workspace: nearest_workspace() }),
        }
    }

    /// Opens the workspace of a folder: if it is one of a workspace's own folders, the workspace around it.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn open_containing(folder: &Path) -> Result<Self, Finding> {
        let is_inner = folder.file_name().is_some_and(|name| FOLDERS.iter().any(|inner| name == *inner));
        let above = folder.parent().filter(|above| is_inner && !above.as_os_str().is_empty());
        Self::open(Some(above.unwrap_or(folder)))
    }

    pub fn built_in() -> Self {
        builtin::know_rulesets();
        Self { workspace: None }
    }

    pub fn workspace(&self) -> Option<&Path> {
        self.workspace.as_deref()
    }

    /// The store for a file named by the player: this one if the file is in its workspace; else one for the folder with
    /// the file's `rulesets/`, or the file's own folder.
    #[must_use]
    pub fn for_file(&self, path: &Path) -> Self {
        let full = |path: &Path| file_system::canonicalize(path).ok();
        let Some(folder) = full(path).and_then(|file| file.parent().map(Path::to_path_buf)) else {
            return self.clone();
        };
        if self.workspace.as_deref().and_then(full).is_some_and(|own| folder.starts_with(own)) {
            return self.clone();
        }
        let above = folder.parent().filter(|_| folder.file_name().is_some_and(|name| name == "rulesets"));
        Self { workspace: Some(above.unwrap_or(&folder).to_path_buf()) }
    }

    /// The name of a file of the workspace, `designs/wars-of-honor/vigilant.toml`; `None` for a file elsewhere.
    pub fn name_in_workspace(&self, path: &Path) -> Option<String> {
        let folder = file_system::canonicalize(self.workspace.as_deref()?).ok()?;
        name_below(&folder, &file_system::canonicalize(path).ok()?)
    }

    /// The text of a file in the folder of another; `None` when there is none.
    pub fn template_beside(path: &Path, name: &str) -> Option<Result<Source, Finding>> {
        Self::file_beside(path, name).map(|file| read(&file?))
    }

    /// A file in the folder of another; `None` when there is none.
    ///
    /// # Errors
    /// A link that leads elsewhere.
    pub fn file_beside(path: &Path, name: &str) -> Option<Result<PathBuf, Finding>> {
        let folder = path.parent()?;
        let file = folder.join(name);
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let is_own = || AllowedRoots::from_folders([folder]).contains(&file);
        (is_inside(name) && file_system::is_file(&file))
            .then(|| if is_own() { Ok(file.clone()) } else { Err(outside_finding(&file)) })
    }

    /// The text of a ruleset or layer.
    ///
    /// # Errors
    /// `unknown-ruleset` with the nearest id, or a finding of [`read`].
    pub fn ruleset(&self, id: &str) -> Result<Source, Finding> {
        if is_id(id)
            && let Some(source) = self.read_text(&format!("rulesets/{id}.toml"))
        {
            return source;
        }
        let known = self.list_assets(AssetKind::Ruleset);
        let shown: String = id.chars().take(60).collect();
        let help = did_you_mean(id, known.iter().map(|listed| listed.id.as_str())).unwrap_or_else(|| {
            let all: Vec<_> = known.iter().map(|listed| format!("`{}`", listed.id)).collect();
            format!("available rulesets: {}", list_names(&all, MAX_NAMED))
        });
        Err(Finding::error("unknown-ruleset", format!("unknown ruleset `{shown}`")).help(help))
    }

    /// The text of a template, icon or face: looked for in `templates/<id>/` of each id in turn (a layer, then its base),
    /// then in `templates/` itself, each time in the workspace before the built-in files. `None` when it is nowhere.
    pub fn template(&self, ids: &[&str], name: &str) -> Option<Result<Source, Finding>> {
        if !is_inside(name) {
            return None;
        }
        let folders = ids.iter().filter(|id| is_id(id)).map(|id| format!("templates/{id}/{name}"));
        folders.chain([format!("templates/{name}")]).find_map(|path| self.read_text(&path))
    }

    /// The words of a game, of a layer, or of all games (`moldloft`) in a language; `None` when there are none.
    pub fn words(&self, id: &str, language: &str) -> Option<Result<Source, Finding>> {
        let name = Self::words_file(id, language)?;
        self.read_text(&name)
    }

    /// `words/wars-of-honor.de.toml`; `None` for what is no id or no language.
    pub fn words_file(id: &str, language: &str) -> Option<String> {
        (is_id(id) && is_id(language)).then(|| format!("words/{id}.{language}.toml"))
    }

    /// The built-in file that a template of the workspace replaces, in the games' folders or, if `or_shared`, among those of all games.
    pub fn replaced_template(ids: &[&str], name: &str, or_shared: bool) -> Option<&'static str> {
        let folders = ids.iter().map(|id| format!("templates/{id}/{name}"));
        folders.chain(or_shared.then(|| format!("templates/{name}"))).find_map(|path| builtin::text(&path))
    }

    /// Sorted by id, without shadowed ones.
    pub fn list_assets(&self, kind: AssetKind) -> Vec<ListedAsset> {
        let (folder, extension) = match kind {
            AssetKind::Ruleset => ("rulesets", ".toml"),
            AssetKind::Design | AssetKind::Fleet => ("designs", ".toml"),
            AssetKind::Template => ("templates", ".svg"),
            AssetKind::Words => ("words", ".toml"),
        };
        let suits = |name: &str| match kind {
            AssetKind::Design => !name.contains("/fleets/"),
            AssetKind::Fleet => name.contains("/fleets/"),
            _ => true,
        };
        let mut listed: Vec<ListedAsset> = Vec::new();
        if let Some(workspace) = &self.workspace {
            let roots = AllowedRoots::from_folders([&**workspace]);
            let mut walk = FolderWalk::new(&roots, MAX_DEPTH);
            walk.follows_folder_links = false;
            let _ = walk.walk(&workspace.join(folder), &mut |step| {
                if let WalkStep::File(path) = step
                    && let Some(name) = name_below(workspace, path)
                {
                    let file = FileRef::on_disk(self.display_path(&name));
                    listed.push(ListedAsset { id: name, file });
                }
                ControlFlow::Continue(())
            });
        }
        for name in builtin::files(folder) {
            if !listed.iter().any(|other| other.id == name) {
                listed.push(ListedAsset { id: name.clone(), file: FileRef::built_in(name) });
            }
        }
        listed.retain(|one| one.id.ends_with(extension) && suits(&one.id));
        for one in &mut listed {
            one.id = one.id[folder.len() + 1..].to_owned();
            if kind != AssetKind::Template {
                one.id.truncate(one.id.len() - extension.len());
            }
        }
        listed.sort();
        listed
    }

    /// The file of an id, as [`list_assets`](Self::list_assets) lists it.
    ///
    /// # Errors
    /// `missing-design` with the nearest id.
    pub fn find_asset(&self, kind: AssetKind, id: &str) -> Result<FileRef, Finding> {
        let listed = self.list_assets(kind);
        if let Some(found) = listed.iter().find(|listed| listed.id == id) {
            return Ok(found.file.clone());
        }
        let word = match kind {
            AssetKind::Ruleset => "ruleset",
            AssetKind::Design => "design",
            AssetKind::Fleet => "fleet",
            AssetKind::Template => "template",
            AssetKind::Words => "file of words",
        };
        let shown: String = id.chars().take(60).collect();
        let mut finding = Finding::error("missing-design", format!("unknown {word} `{shown}`"));
        finding.help = did_you_mean(id, listed.iter().map(|listed| &*listed.id));
        Err(finding)
    }

    /// `name` is like `rulesets/…`, `templates/…` or `designs/…`.
    fn read_text(&self, name: &str) -> Option<Result<Source, Finding>> {
        if let Some(workspace) = &self.workspace
            && file_system::exists(&workspace.join(name))
        {
            let is_own = AllowedRoots::from_folders([&**workspace]).contains(&workspace.join(name));
            return Some(if is_own {
                read(&self.display_path(name))
            } else {
                Err(outside_finding(&self.display_path(name)))
            });
        }
        builtin::text(name).map(|text| Ok(Source::new(name, text)))
    }

    /// A workspace file's path for messages: short when the workspace is the current folder.
    pub(super) fn display_path(&self, name: &str) -> PathBuf {
        match &self.workspace {
            Some(folder) if std::env::current_dir().is_ok_and(|here| here == *folder) => name.into(),
            Some(folder) => folder.join(name),
            None => name.into(),
        }
    }
}

fn nearest_workspace() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let is_workspace = |folder: &&Path| FOLDERS.iter().any(|name| file_system::is_folder(&folder.join(name)));
    here.ancestors().find(is_workspace).map(Path::to_path_buf)
}

/// Whether a word can be an id and so part of a file name: letters, digits, `-` and `_`.
fn is_id(word: &str) -> bool {
    !word.is_empty() && word.len() <= 80 && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

/// Whether a relative name stays inside its folder.
pub(super) fn is_inside(name: &str) -> bool {
    !name.is_empty()
        && name.split('/').all(|part| part != ".." && !part.contains(['\\', ':', '\0']))
        && !name.starts_with('/')
}
