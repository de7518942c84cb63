//! Where a file is: built into the program, or at a path.

use std::fmt;
use std::path::{Path, PathBuf};

use moldloft_base::finding::Finding;
use moldloft_base::source::Source;

use super::{builtin, read};

/// Where a file is. It need not be there: reading it reports that.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileRef {
    /// The path; of a built-in file its name, `designs/wars-of-honor/vigilant.toml`.
    pub path: PathBuf,
    /// Whether it is one of the program's own files.
    pub built_in: bool,
}

impl FileRef {
    /// A file on the disk. A relative path starts at the current folder.
    pub fn on_disk(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), built_in: false }
    }

    /// A file of the program, `designs/wars-of-honor/vigilant.toml`.
    pub fn built_in(name: impl Into<PathBuf>) -> Self {
        Self { path: name.into(), built_in: true }
    }

    /// The path, unless the file is built in.
    pub fn disk_path(&self) -> Option<&Path> {
        (!self.built_in).then_some(&self.path)
    }

    /// Reads its text.
    ///
    /// # Errors
    /// A finding that names the file: no such file, a folder, a device, more than 4 MB, not UTF-8, not readable.
    pub fn read(&self) -> Result<Source, Finding> {
        if self.built_in {
            let name = self.path.to_string_lossy().replace('\\', "/");
            if let Some(text) = builtin::text(&name) {
                return Ok(Source::new(name, text));
            }
        }
        read(&self.path)
    }
}

impl fmt::Display for FileRef {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path.display().fmt(out)
    }
}
