//! Templates as a store has them: takes a store, gives a cache of its templates, with the files beside designs.

use std::path::{Path, PathBuf};

use crate::store::{self, AssetKind, MAX_PICTURE_BYTES, Store, read_bytes};
use moldloft_base::finding::Finding;
use moldloft_base::sanitize::plural;
use moldloft_base::source::{Source, Span};
use moldloft_sheet::sheet::{ArtFile, TemplateCache};

pub fn open_templates(store: &Store) -> TemplateCache<'static> {
    let (files, listed) = (store.clone(), store.clone());
    TemplateCache::new(move |ids, name| files.template(ids, name))
        .with_beside(beside_design)
        .with_names(move || listed.list_assets(AssetKind::Template).into_iter().map(|asset| asset.id).collect())
        .with_review(lost_labels)
}

/// A drawing or picture in the folder of a design's file.
pub(super) fn beside_design(design: &str, name: &str) -> Option<Result<ArtFile, Finding>> {
    let read = |file: PathBuf| {
        if is_picture(name) {
            return read_bytes(&file, MAX_PICTURE_BYTES).map(ArtFile::Picture);
        }
        store::read(&file).map(ArtFile::Svg)
    };
    Store::file_beside(Path::new(design), name).map(|file| read(file?))
}

/// How names of pictures of pixels end.
pub const PICTURE_ENDINGS: [&str; 3] = ["png", "jpg", "jpeg"];

/// Whether a file with a drawing is one of pixels, by its name.
pub fn is_picture(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_lowercase());
    ending.is_some_and(|ending| PICTURE_ENDINGS.contains(&&*ending))
}

/// How labels that a template needs begin in the file.
const LABELS: [&str; 6] = ["when:", "panel:", "slot:", "shape:", "flow:", "block:"];

/// A file without labels in the place of a built-in one that has some: a program that knows no labels has saved it.
/// A counter's face may have the name of a file of all games without being a copy of it.
pub fn lost_labels(ids: &[&str], name: &str, source: &Source, is_face: bool) -> Option<Finding> {
    if source.text.contains(":label=") {
        return None;
    }
    let original = Store::replaced_template(ids, name, !is_face)?;
    let counts = LABELS.map(|label| (label, original.matches(&format!(":label=\"{label}")).count()));
    let count = counts.iter().map(|(_, count)| count).sum::<usize>();
    let (first, _) = counts.into_iter().find(|(_, count)| *count > 0)?;
    let message =
        format!("nothing has a label; the built-in {name} has {}, such as `{first} …`", plural(count, "label"));
    let help = "save the file as Inkscape SVG (File, Save As): Plain SVG drops labels, and every drawing is printed";
    Some(Finding::error("labels-lost", message).help(help).at(source.place(Span::default())))
}
