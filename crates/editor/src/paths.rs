//! Absolute paths, and paths relative to a folder.

use std::path::{Path, PathBuf};

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
