//! The zip of a bundle: written the same from the same files, read within bounds. Nothing of it is written anywhere here.

use std::io::{Cursor, Read, Write};

use zip::result::ZipResult;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, System, ZipArchive, ZipWriter};

use moldloft_base::finding::Finding;
use moldloft_base::sanitize;

use super::entry_names::{SeenNames, folder_around, is_of_a_system, normalized, not_a_bundle, quoted};
use super::model::{
    BundleFile, BundleFileKind, BundleManifest, FORMAT, MANIFEST_FILE, MAX_BUNDLE_BYTES, MAX_ENTRIES, MAX_FILES,
    MAX_MANIFEST_BYTES, MAX_RATIO, MAX_UNPACKED_BYTES, MIN_RATIO_BYTES, SharedBundle, VERSION, most_bytes,
};

/// What deflate makes of nothing.
const MAX_EMPTY_BYTES: u64 = 2;
/// Permissions of the files, in Unix's way: plain files that their owner may change.
const PERMISSIONS: u32 = 0o644;
/// What an entry is, in Unix's way.
const FILE_KINDS: u32 = 0o170_000;
const PLAIN_FILE: u32 = 0o100_000;

/// The bytes of a zip: the manifest, then the files by path, without times.
///
/// # Errors
/// `too-large` when it is larger than [`read_bundle`] reads; `unwritable` for a file with the name of a folder.
pub fn write_bundle(bundle: &SharedBundle) -> Result<Vec<u8>, Finding> {
    if let Some(folder) = bundle.files.iter().find(|file| file.path.ends_with('/')) {
        let message = format!("cannot pack the bundle: `{}` is the name of a folder", quoted(&folder.path));
        return Err(Finding::error("unwritable", message));
    }
    let wrong = |error: zip::result::ZipError| Finding::error("unwritable", format!("cannot pack the bundle: {error}"));
    let bytes = pack(bundle).map_err(wrong)?;
    if bytes.len() > MAX_BUNDLE_BYTES {
        let message = format!("the bundle has {} bytes, the limit is {MAX_BUNDLE_BYTES}", bytes.len());
        return Err(Finding::error("too-large", message).help("bundle fewer designs and fleets at once"));
    }
    Ok(bytes)
}

fn pack(bundle: &SharedBundle) -> ZipResult<Vec<u8>> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .system(System::Unix)
        .unix_permissions(PERMISSIONS);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file(MANIFEST_FILE, options)?;
    zip.write_all(manifest_text(&bundle.manifest).as_bytes())?;
    for file in &bundle.files {
        zip.start_file(&*file.path, options)?;
        zip.write_all(&file.bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}

pub(super) fn manifest_text(manifest: &BundleManifest) -> String {
    let text = serde_json::to_string_pretty(manifest).unwrap_or_default();
    sanitize::for_json(text + "\n")
}

/// Reads a zip from anyone.
///
/// # Errors
/// `not-a-bundle`, `newer-bundle`, `too-large`.
pub fn read_bundle(bytes: &[u8]) -> Result<SharedBundle, Finding> {
    if bytes.len() > MAX_BUNDLE_BYTES {
        return Err(too_large(format!("a bundle of {} bytes, the limit is {MAX_BUNDLE_BYTES}", bytes.len())));
    }
    let damaged = |error: zip::result::ZipError| not_a_bundle(format!("cannot read the bundle: {error}"));
    let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
    if zip.len() > MAX_ENTRIES {
        return Err(too_large(format!("{} entries in the bundle, at most {MAX_ENTRIES} are allowed", zip.len())));
    }
    if zip.has_duplicate_names() {
        return Err(not_a_bundle("two files of one name in the bundle"));
    }
    if zip.has_overlapping_files().map_err(damaged)? {
        return Err(not_a_bundle("files overlap in the bundle"));
    }
    let (entries, left_aside) = entry_names(&mut zip)?;
    let count = entries.iter().filter(|(_, name)| !name.ends_with('/') && name != MANIFEST_FILE).count();
    if count > MAX_FILES {
        return Err(too_large(format!("{count} files in the bundle, at most {MAX_FILES} are allowed")));
    }
    let mut names = SeenNames::default();
    let mut bundle = SharedBundle { left_aside, ..SharedBundle::default() };
    let mut manifest = None;
    let mut left = MAX_UNPACKED_BYTES as u64;
    for (index, name) in entries {
        let mut entry = zip.by_index(index).map_err(damaged)?;
        if name.ends_with('/') {
            // A folder holds nothing itself; what is in it would be lost.
            if entry.size() > 0 || entry.compressed_size() > MAX_EMPTY_BYTES {
                return Err(not_a_bundle(format!(
                    "the folder `{}` in the bundle has content of its own",
                    quoted(&name)
                )));
            }
            continue;
        }
        names.add(&name)?;
        let kind = entry.unix_mode().map_or(PLAIN_FILE, |mode| mode & FILE_KINDS);
        if (kind != 0 && kind != PLAIN_FILE) || entry.encrypted() {
            return Err(not_a_bundle(format!("`{}` in the bundle is a link, or encrypted", quoted(&name))));
        }
        let most = match BundleFileKind::of(&name) {
            _ if name == MANIFEST_FILE => MAX_MANIFEST_BYTES,
            Some(_) => most_bytes(&name),
            None => return Err(not_a_bundle(format!("unexpected file `{}` in the bundle", quoted(&name)))),
        };
        let most = most.min(left);
        let packed = entry.compressed_size();
        let mut bytes = Vec::new();
        let read = entry.by_ref().take(most + 1).read_to_end(&mut bytes);
        read.map_err(|error| not_a_bundle(format!("cannot unpack `{}`: {error}", quoted(&name))))?;
        let length = bytes.len() as u64;
        if length > most {
            return Err(too_large(format!("`{}` in the bundle is larger than {most} bytes", quoted(&name))));
        }
        if length > MIN_RATIO_BYTES && length / packed.max(1) > MAX_RATIO {
            return Err(not_a_bundle(format!(
                "`{}` is packed {} times smaller",
                quoted(&name),
                length / packed.max(1)
            )));
        }
        left -= length;
        if name == MANIFEST_FILE { manifest = Some(bytes) } else { bundle.files.push(BundleFile { path: name, bytes }) }
    }
    bundle.manifest = read_manifest(manifest.as_deref())?;
    bundle.files.sort_by(|one, two| one.path.cmp(&two.path));
    Ok(bundle)
}

/// The entries that count, with their names in the bundle; and the names of those that a system added.
fn entry_names(zip: &mut ZipArchive<Cursor<&[u8]>>) -> Result<(Vec<(usize, String)>, Vec<String>), Finding> {
    let (mut entries, mut left_aside) = (Vec::new(), Vec::new());
    for index in 0..zip.len() {
        let raw = zip.by_index_raw(index).map(|entry| entry.name_raw().to_vec());
        let raw = raw.map_err(|error| not_a_bundle(format!("cannot read the bundle: {error}")))?;
        let Ok(name) = String::from_utf8(raw) else {
            return Err(not_a_bundle("a file name in the bundle is not UTF-8"));
        };
        let name = normalized(&name);
        if is_of_a_system(name.trim_end_matches('/')) { left_aside.push(name) } else { entries.push((index, name)) }
    }
    let around = folder_around(entries.iter().map(|(_, name)| name.as_str())).len();
    for (_, name) in &mut entries {
        name.drain(..around);
    }
    // The folder itself.
    entries.retain(|(_, name)| around == 0 || !name.is_empty());
    Ok((entries, left_aside))
}

pub(super) fn too_large(message: String) -> Finding {
    Finding::error("too-large", message).help("ask the sender for a smaller bundle; nothing was written")
}

pub(super) fn read_manifest(bytes: Option<&[u8]>) -> Result<BundleManifest, Finding> {
    let Some(bytes) = bytes else {
        return Err(not_a_bundle(format!("missing `{MANIFEST_FILE}`: this zip is not a bundle of Moldloft")));
    };
    let mut manifest: BundleManifest = serde_json::from_slice(bytes)
        .map_err(|error| not_a_bundle(format!("cannot read `{MANIFEST_FILE}` of the bundle: {error}")))?;
    if manifest.format != FORMAT {
        return Err(not_a_bundle(format!("`{MANIFEST_FILE}` does not say that this is a bundle of Moldloft")));
    }
    if manifest.version > VERSION {
        let message =
            format!("unsupported bundle format {}; this Moldloft reads {VERSION} and older", manifest.version);
        return Err(Finding::error("newer-bundle", message).help("use a newer Moldloft; nothing was read"));
    }
    for seen in &mut manifest.results {
        seen.file = normalized(&seen.file);
    }
    Ok(manifest)
}
