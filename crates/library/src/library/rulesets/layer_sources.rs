//! The sources of a ruleset: takes an id or a file's name, gives the texts of all that it extends and its own. Never
//! compiles.

use std::path::Path;

use crate::store::{Store, read};
use moldloft_base::finding::Finding;
use moldloft_base::source::{Source, is_built_in, toml};
use moldloft_rules::ruleset::extends;

/// The sources of a ruleset by id or file, in the order of the layers, as
/// [`Ruleset::load_layers`](moldloft_rules::ruleset::Ruleset::load_layers) takes them.
///
/// # Errors
/// A finding when the ruleset, or one that it extends, does not exist or cannot be read.
pub fn layer_sources(store: &Store, what: &str) -> Result<Vec<Source>, Finding> {
    let mut sources: Vec<(String, Source)> = Vec::new();
    if what.to_lowercase().ends_with(".toml") {
        let source = read(Path::new(what))?;
        for base in extends(&source) {
            gather_sources(store, &base, &mut vec![what.to_owned()], &mut sources)?;
        }
        sources.push((what.to_owned(), source));
    } else {
        gather_sources(store, what, &mut Vec::new(), &mut sources)?;
    }
    Ok(sources.into_iter().map(|(_, source)| source).collect())
}

/// The title and version of a ruleset that is built in with all that it extends, and so has no errors; `None` for others, which must be loaded.
pub fn built_in_title(store: &Store, id: &str) -> Option<(String, String)> {
    let sources = layer_sources(store, id).ok()?;
    if !sources.iter().all(|source| is_built_in(&source.text)) {
        return None;
    }
    let (root, _) = toml::parse(&sources.last()?.text, 0);
    let word = |key| root.table("ruleset")?.text(key).map(str::to_owned);
    Some((word("title")?, word("version")?))
}

/// The longest chain of layers.
const MAX_LAYERS: usize = 16;

/// Adds a ruleset's sources after all that it extends, each once.
fn gather_sources(
    store: &Store,
    id: &str,
    path: &mut Vec<String>,
    into: &mut Vec<(String, Source)>,
) -> Result<(), Finding> {
    if into.iter().any(|(known, _)| known == id) {
        return Ok(());
    }
    if path.len() > MAX_LAYERS {
        return Err(Finding::error(
            "too-many-layers",
            format!("`{}` extends more than {MAX_LAYERS} layers, the limit is {MAX_LAYERS}", path[0]),
        )
        .help("merge some of them into one"));
    }
    if path.iter().any(|above| above == id) {
        path.push(id.to_owned());
        return Err(Finding::error(
            "extends-in-circle",
            format!("rulesets extend each other in a cycle: {}", path.join(" → ")),
        )
        .help("remove `extends` from one of them"));
    }
    let source = store.ruleset(id).map_err(|mut finding| {
        if let Some(by) = path.last() {
            finding.message = format!("{}, which `{by}` extends", finding.message);
        }
        finding
    })?;
    path.push(id.to_owned());
    for base in extends(&source) {
        gather_sources(store, &base, path, into)?;
    }
    path.pop();
    if into.len() >= 2 * MAX_LAYERS {
        return Err(Finding::error(
            "too-many-layers",
            format!("`{id}` is one of more than {} layered rulesets", 2 * MAX_LAYERS),
        )
        .help("merge some of them into one"));
    }
    into.push((id.to_owned(), source));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::Rulesets;
    use crate::store::{AssetKind, MemoryFolder, make_folder, save};

    #[test]
    fn built_in_titles_are_those_of_the_loaded_rulesets() {
        let store = Store::built_in();
        let rulesets = Rulesets::without_settings(&store);
        let listed = store.list_assets(AssetKind::Ruleset);
        assert!(listed.len() >= 8);
        for one in listed {
            let loaded = rulesets.find(&one.id);
            let ruleset = loaded.ruleset().expect("a built-in ruleset has no errors");
            let title = (ruleset.title.to_string(), ruleset.version.to_string());
            assert_eq!(built_in_title(&store, &one.id), Some(title));
        }
    }

    #[test]
    fn what_extends_a_changed_ruleset_is_loaded() {
        let folder = MemoryFolder::new();
        let text = format!("{}\n# changed\n", Store::built_in().ruleset("wars-of-honor").unwrap().text);
        make_folder(&folder.path().join("rulesets")).unwrap();
        save(&folder.path().join("rulesets/wars-of-honor.toml"), text.as_bytes()).unwrap();
        let store = Store::open(Some(folder.path())).unwrap();
        assert_eq!(built_in_title(&store, "woh-lasers"), None);
        assert!(built_in_title(&store, "star-navy").is_some());
    }
}
