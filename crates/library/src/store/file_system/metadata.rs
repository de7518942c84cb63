//! What is known of a file without reading it.

use std::ffi::OsString;
use std::fs;
use std::time::UNIX_EPOCH;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    File,
    Folder,
    /// Only where links are not followed.
    Link,
    /// A device, a pipe, a socket.
    Other,
}

#[derive(Clone, Debug)]
pub struct Metadata {
    pub kind: FileKind,
    /// In bytes.
    pub length: u64,
    /// When it was last written: nanoseconds since 1970, in memory a count of changes.
    pub modified: u128,
    /// Another file of the same name has another number; 0 where the system has none.
    pub node: u64,
    pub is_read_only: bool,
    /// `None` in memory.
    pub permissions: Option<fs::Permissions>,
}

/// An entry of a folder.
#[derive(Clone, Debug)]
pub struct FolderEntry {
    pub name: OsString,
    /// Links are not followed; `None` when it cannot be found out.
    pub kind: Option<FileKind>,
}

impl From<fs::FileType> for FileKind {
    fn from(kind: fs::FileType) -> Self {
        match kind {
            kind if kind.is_symlink() => Self::Link,
            kind if kind.is_dir() => Self::Folder,
            kind if kind.is_file() => Self::File,
            _ => Self::Other,
        }
    }
}

impl From<fs::Metadata> for Metadata {
    fn from(meta: fs::Metadata) -> Self {
        let since = meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        #[cfg(unix)]
        let node = std::os::unix::fs::MetadataExt::ino(&meta);
        #[cfg(not(unix))]
        let node = 0;
        Self {
            kind: meta.file_type().into(),
            length: meta.len(),
            modified: since.map_or(0, |since| since.as_nanos()),
            node,
            is_read_only: meta.permissions().readonly(),
            permissions: Some(meta.permissions()),
        }
    }
}
