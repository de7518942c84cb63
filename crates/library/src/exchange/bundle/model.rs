//! A bundle as data, and its bounds.

use serde::{Deserialize, Serialize};

use crate::library::is_picture;
use crate::store::{MAX_PICTURE_BYTES, MAX_SVG_BYTES, MAX_TOML_BYTES};

/// The manifest's name in the zip.
pub const MANIFEST_FILE: &str = "moldloft.json";
/// The largest file that is read, 8 MB.
pub const MAX_BUNDLE_BYTES: usize = 8 << 20;
/// The most files in a bundle.
pub(super) const MAX_FILES: usize = 400;
/// The most entries of a zip: files, folders and what systems add, such as one of macOS for each.
pub(super) const MAX_ENTRIES: usize = 4 * MAX_FILES;
/// The most bytes of all files unpacked, 16 MB.
pub(super) const MAX_UNPACKED_BYTES: usize = 16 << 20;
/// The most bytes that one packed byte may become, for files above [`MIN_RATIO_BYTES`].
pub(super) const MAX_RATIO: u64 = 200;
pub(super) const MIN_RATIO_BYTES: u64 = 100_000;
/// The largest manifest, 1 MB.
pub(super) const MAX_MANIFEST_BYTES: u64 = 1 << 20;
pub(super) const FORMAT: &str = "moldloft-bundle";
pub(super) const VERSION: u64 = 1;

/// Files with the manifest that describes them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SharedBundle {
    pub manifest: BundleManifest,
    /// By path, sorted.
    pub files: Vec<BundleFile>,
    /// What a system or packer added to the zip, `__MACOSX/._x.toml`; not read.
    pub left_aside: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleFile {
    /// As in a workspace, with `/`: `designs/wars-of-honor/vigilant.toml`.
    pub path: String,
    pub bytes: Vec<u8>,
}

/// The largest file of a name that is packed and unpacked.
pub(super) fn most_bytes(path: &str) -> u64 {
    match BundleFileKind::of(path) {
        Some(BundleFileKind::Silhouette) if is_picture(path) => MAX_PICTURE_BYTES as u64,
        Some(BundleFileKind::Template | BundleFileKind::Silhouette) => MAX_SVG_BYTES,
        _ => MAX_TOML_BYTES,
    }
}

/// What a file of a bundle is, by its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BundleFileKind {
    Ruleset,
    Template,
    Design,
    Fleet,
    Silhouette,
}

impl BundleFileKind {
    /// `None` for a path that no bundle has.
    pub fn of(path: &str) -> Option<Self> {
        let (folder, rest) = path.split_once('/')?;
        let is = |extension: &str| path.ends_with(extension);
        match folder {
            "rulesets" if is(".toml") && !rest.contains('/') => Some(Self::Ruleset),
            "templates" if is(".svg") => Some(Self::Template),
            "designs" if is(".toml") && rest.contains("/fleets/") => Some(Self::Fleet),
            "designs" if is(".toml") && rest.contains('/') => Some(Self::Design),
            "designs" if (is(".svg") || is_picture(path)) && rest.contains('/') => Some(Self::Silhouette),
            _ => None,
        }
    }

    /// `ruleset`
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ruleset => "ruleset",
            Self::Template => "template",
            Self::Design => "design",
            Self::Fleet => "fleet",
            Self::Silhouette => "silhouette",
        }
    }
}

/// What the sender's program wrote: never trusted, only compared.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BundleManifest {
    pub format: String,
    pub version: u64,
    /// `Moldloft 0.1.0`
    pub program: String,
    pub name: String,
    pub rulesets: Vec<SeenRuleset>,
    pub results: Vec<SeenResult>,
}

/// A ruleset that the designs or fleets use, built in or not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SeenRuleset {
    pub id: String,
    pub title: String,
    pub version: String,
    /// The fingerprint of its text with all its layers.
    pub code: String,
}

/// A design or fleet as a program evaluated it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SeenResult {
    /// The file's path in the bundle.
    pub file: String,
    pub name: String,
    pub ruleset: String,
    pub points: Option<i64>,
    pub legal: bool,
    /// The codes of errors, each once, sorted.
    pub errors: Vec<String>,
    /// A design's headline values, a fleet's numbers.
    pub values: Vec<SeenValue>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SeenValue {
    pub id: String,
    pub label: String,
    pub value: String,
}
