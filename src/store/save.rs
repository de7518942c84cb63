//! Writing: a file is there whole or not at all, and an existing one is replaced only by a finished one.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::finding::Finding;

use super::file::{at, name};

/// Writes a file: beside its place first, then moved there in one step. A file that is there keeps its permissions.
///
/// # Errors
/// A finding that names the path and says why it cannot be written; then nothing has changed.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), Finding> {
    // A link stays a link: what it points to is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let wrong = |message: String, help: Option<&str>| {
        let mut finding = Finding::error("unwritable", message).at(at(&name(path)));
        finding.help = help.map(str::to_owned);
        finding
    };
    let old = fs::metadata(&target).ok();
    if let Some(old) = &old {
        if old.is_dir() {
            return Err(wrong("this is a folder, a file name is wanted".into(), Some("give the name of a file in it")));
        }
        if !old.is_file() {
            return Err(wrong("this is a device or a pipe; only plain files are written".into(), None));
        }
        if old.permissions().readonly() {
            return Err(wrong("the file that is there is protected against writing".into(), None));
        }
    }
    let parent = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if !parent.is_dir() {
        return Err(wrong(
            format!("there is no folder {}", parent.display()),
            Some("make the folder first; nothing was written"),
        ));
    }
    write(parent, &target, old, bytes).map_err(|error| {
        let why = match error.kind() {
            std::io::ErrorKind::PermissionDenied => "writing there is not permitted".to_owned(),
            std::io::ErrorKind::StorageFull => "the disk is full".to_owned(),
            _ => error.to_string(),
        };
        wrong(format!("it cannot be written: {why}"), None)
    })
}

fn write(parent: &Path, target: &Path, old: Option<fs::Metadata>, bytes: &[u8]) -> std::io::Result<()> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".moldloft-").suffix(".part");
    #[cfg(unix)]
    {
        // As any program would create it: what the umask leaves of rw-rw-rw-.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(parent)?;
    file.write_all(bytes)?;
    if let Some(old) = old {
        file.as_file().set_permissions(old.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(target).map_err(|error| error.error)?;
    #[cfg(unix)]
    if let Ok(folder) = fs::File::open(parent) {
        // Not every file system can do this for a folder; the file itself is safe by now.
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Writes a file that is not there yet.
///
/// # Errors
/// As [`save`]; `file-exists` when something of this name is there, which stays as it is.
pub fn save_new(path: &Path, bytes: &[u8]) -> Result<(), Finding> {
    if fs::symlink_metadata(path).is_ok() {
        return Err(Finding::error("file-exists", "there is such a file already; it was left as it is")
            .help("give another name with -o")
            .at(at(&name(path))));
    }
    save(path, bytes)
}

/// The name of page `page` (from 1) of `pages`: `squadron.svg` alone, else `squadron-1.svg`, `squadron-2.svg`…
pub fn numbered(path: &Path, page: usize, pages: usize) -> PathBuf {
    if pages == 1 {
        return path.to_path_buf();
    }
    let mut file = path.file_stem().unwrap_or_default().to_os_string();
    file.push(format!("-{page}"));
    if let Some(extension) = path.extension() {
        file.push(".");
        file.push(extension);
    }
    path.with_file_name(file)
}
