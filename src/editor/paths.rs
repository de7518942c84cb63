//! Paths as the editor keeps them: whole, or from the folder of another file.

use std::path::{Path, PathBuf};

/// The whole path: it names the same file wherever the program is started next, and one file has one tab.
pub fn absolute_path(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// A file as a path from a folder: `../vigilant.toml`.
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
