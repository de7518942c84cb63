//! Templates as a store has them: takes a store, gives a cache of its templates, with the files beside designs.

use std::path::Path;

use crate::sheet::TemplateCache;
use crate::store::{AssetKind, Store};

pub fn open_templates(store: &Store) -> TemplateCache<'static> {
    let (files, listed) = (store.clone(), store.clone());
    TemplateCache::new(move |ids, name| files.template(ids, name))
        .with_beside(|design, name| Store::template_beside(Path::new(design), name))
        .with_names(move || listed.list_assets(AssetKind::Template).into_iter().map(|asset| asset.id).collect())
}
