//! The state of a file when it was read or written, in a few bytes, to detect changes.

use std::fmt;
use std::io::ErrorKind;
use std::path::Path;
use std::str::FromStr;

use moldloft_base::hash::fnv128;

use super::file_system::{self, FileKind};

/// Equal values mean equal bytes; times and permissions do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContentHash {
    Absent,
    File {
        /// In bytes.
        length: u64,
        /// FNV-1a, 128 bits.
        hash: u128,
    },
    /// Something that cannot be read: a folder, a device, a file without permission or too large.
    Unreadable,
}

impl ContentHash {
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self::File { length: bytes.len() as u64, hash: fnv128(bytes) }
    }

    /// The current file; links are followed.
    pub fn of_path(path: &Path) -> Self {
        match file_system::metadata(path) {
            Ok(meta) if meta.kind == FileKind::File && meta.length <= super::limits::MAX_SVG_BYTES * 4 => {
                file_system::read(path, u64::MAX).map_or(Self::Unreadable, |bytes| Self::of_bytes(&bytes))
            }
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Self::Absent,
            _ => Self::Unreadable,
        }
    }
}

/// `absent`, `unreadable` or `<length>:<hash>`.
impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("absent"),
            Self::Unreadable => f.write_str("unreadable"),
            Self::File { length, hash } => write!(f, "{length}:{hash:032x}"),
        }
    }
}

impl FromStr for ContentHash {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "absent" => Ok(Self::Absent),
            "unreadable" => Ok(Self::Unreadable),
            _ => {
                let (length, hash) = text.split_once(':').ok_or(())?;
                let hash = u128::from_str_radix(hash, 16).map_err(|_| ())?;
                Ok(Self::File { length: length.parse().map_err(|_| ())?, hash })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_tell_bytes_apart_and_read_back() {
        let hashes = [
            ContentHash::Absent,
            ContentHash::Unreadable,
            ContentHash::of_bytes(b""),
            ContentHash::of_bytes(b"a"),
            ContentHash::of_bytes(b"b"),
            ContentHash::of_bytes(b"aa"),
        ];
        for (place, hash) in hashes.iter().enumerate() {
            assert_eq!(hash.to_string().parse(), Ok(*hash));
            assert!(hashes.iter().skip(place + 1).all(|other| other != hash));
        }
        for text in ["", "x", "1:", ":1", "1:zz", "-1:00"] {
            assert!(text.parse::<ContentHash>().is_err(), "{text}");
        }
        // A published test vector, so that later versions understand today's drafts.
        assert_eq!(ContentHash::of_bytes(b"a").to_string(), "1:d228cb696f1a8caf78912b704e4a8964");
    }
}
