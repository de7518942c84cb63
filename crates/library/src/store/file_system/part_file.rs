//! A file that is written under another name and then moved into place in one step.

use std::io::{ErrorKind, Result, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::NamedTempFile;

use super::memory::{Memory, memory_of};
use super::metadata::Metadata;

/// Removed when it is dropped before it was moved into place.
pub struct PartFile(Inner);

enum Inner {
    Disk(NamedTempFile),
    Memory { memory: Arc<Memory>, name: String, bytes: Vec<u8> },
}

impl PartFile {
    /// Makes a file in a folder, its name between `prefix` and `suffix`. It is locked, so that other programs do not
    /// take it for the leftover of one that ended.
    pub fn new(folder: &Path, prefix: &str, suffix: &str) -> Result<Self> {
        if let Some((memory, folder)) = memory_of(folder) {
            memory.entries(&folder)?;
            let name = format!("{prefix}{:06}{suffix}", memory.next_number());
            return Ok(Self(Inner::Memory { memory, name, bytes: Vec::new() }));
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(prefix).suffix(suffix);
        #[cfg(unix)]
        {
            // The usual permissions of a new file: rw-rw-rw- with the umask applied.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let file = builder.tempfile_in(folder)?;
        let _ = file.as_file().try_lock();
        Ok(Self(Inner::Disk(file)))
    }

    pub fn name(&self) -> String {
        match &self.0 {
            Inner::Disk(file) => file.path().file_name().unwrap_or_default().to_string_lossy().into_owned(),
            Inner::Memory { name, .. } => name.clone(),
        }
    }

    pub fn write(&mut self, more: &[u8]) -> Result<()> {
        match &mut self.0 {
            Inner::Disk(file) => file.write_all(more),
            Inner::Memory { bytes, .. } => {
                bytes.extend_from_slice(more);
                Ok(())
            }
        }
    }

    pub fn set_permissions(&self, like: &Metadata) -> Result<()> {
        match (&self.0, &like.permissions) {
            (Inner::Disk(file), Some(permissions)) => file.as_file().set_permissions(permissions.clone()),
            _ => Ok(()),
        }
    }

    /// Returns once it is on the disk.
    pub fn sync(&self) -> Result<()> {
        match &self.0 {
            Inner::Disk(file) => file.as_file().sync_all(),
            Inner::Memory { .. } => Ok(()),
        }
    }

    /// Moves it into place; an existing file there is replaced.
    pub fn persist(self, target: &Path) -> Result<()> {
        match self.0 {
            Inner::Disk(file) => file.persist(target).map(drop).map_err(|error| error.error),
            Inner::Memory { memory, bytes, .. } => memory.write(&target_in(&memory, target)?, &bytes, false),
        }
    }

    /// Moves it into place; fails with [`ErrorKind::AlreadyExists`] when a file is there.
    pub fn persist_new(self, target: &Path) -> Result<()> {
        match self.0 {
            Inner::Disk(file) => file.persist_noclobber(target).map(drop).map_err(|error| error.error),
            Inner::Memory { memory, bytes, .. } => memory.write_new(&target_in(&memory, target)?, &bytes),
        }
    }
}

fn target_in(memory: &Arc<Memory>, target: &Path) -> Result<PathBuf> {
    memory_of(target)
        .filter(|(other, _)| Arc::ptr_eq(memory, other))
        .map(|(_, path)| path)
        .ok_or_else(|| ErrorKind::CrossesDevices.into())
}
