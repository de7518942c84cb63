//! Absolute paths, paths relative to a folder, and a new folder for what a player makes.

use std::path::{Path, PathBuf};

use moldloft_library::store::{self, PathKind};

/// Of a player who has opened no folder.
const NEW_WORKSPACE: &str = "Moldloft";
const MAX_NUMBER: usize = 1_000;

/// One file has one tab, wherever the program is started.
pub fn absolute_path(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// `../vigilant.toml`; `None` if the two have no common root.
pub fn relative_path_from(folder: &Path, file: &Path) -> Option<String> {
    let (from, to): (Vec<_>, Vec<_>) = (folder.components().collect(), file.components().collect());
    let alike = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    if alike == 0 {
        return None;
    }
    let up = std::iter::repeat_n("..".to_owned(), from.len() - alike);
    let down = to[alike..].iter().map(|part| part.as_os_str().to_string_lossy().into_owned());
    Some(up.chain(down).collect::<Vec<_>>().join("/"))
}

/// The workspace in whose folder `rulesets/` a file is.
pub fn workspace_around(path: &Path) -> Option<&Path> {
    path.parent().filter(|folder| folder.file_name().is_some_and(|name| name == "rulesets"))?.parent()
}

/// A folder of its own in the first of these places that can be written; it need not exist.
pub fn new_workspace(places: &[Option<PathBuf>]) -> Option<PathBuf> {
    let place = places.iter().flatten().find(|folder| store::is_writable_folder(folder))?;
    let named = |n: usize| if n == 1 { place.join(NEW_WORKSPACE) } else { place.join(format!("{NEW_WORKSPACE}-{n}")) };
    (1..MAX_NUMBER).map(named).find(|folder| store::path_kind(folder) != Some(PathKind::File))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::disallowed_methods, reason = "tests read and write files")]
    fn a_folder_that_can_be_written_is_proposed() {
        let own = tempfile::tempdir().unwrap();
        let beside = Some(own.path().to_path_buf());
        let missing = Some(own.path().join("missing"));
        assert_eq!(new_workspace(&[missing.clone(), None, beside.clone()]), Some(own.path().join("Moldloft")));
        let documents = tempfile::tempdir().unwrap();
        let both = [Some(documents.path().to_path_buf()), None, beside.clone()];
        assert_eq!(new_workspace(&both), Some(documents.path().join("Moldloft")));
        std::fs::write(own.path().join("Moldloft"), "a file").unwrap();
        assert_eq!(new_workspace(&[None, None, beside]), Some(own.path().join("Moldloft-2")));
        assert_eq!(new_workspace(&[missing, None, None]), None);
        assert_eq!(std::fs::read_dir(documents.path()).unwrap().count(), 0, "nothing is left behind");
    }
}
