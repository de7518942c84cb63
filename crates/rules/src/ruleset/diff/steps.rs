//! Compares the steps of attacks and routines: those with an id by it, the others by their number.

use super::values::summarize;
use super::{DiffBuilder, DiffPath, NamedItems};
use moldloft_base::source::toml::TomlNode;

impl<'a> DiffBuilder<'_, 'a> {
    pub(super) fn compare_steps(&mut self, path: &DiffPath<'_>, a: &[TomlNode<'a>], b: &[TomlNode<'a>]) {
        let (old, new) = (names(a), names(b));
        let label = path.label.strip_suffix("step").or(path.label.strip_suffix("each")).unwrap_or(&path.label);
        let base = label.trim_end_matches([':', ' ', ',', '.']).to_owned();
        let items = NamedItems {
            path,
            item: &|name| path.item(name, format!("{base}, step {name}")),
            new_text: &|name, step| format!("{base}, new step {name}: {}", summarize(step)),
            order_text: &|before, after| format!("{base}, order of steps: {before} → {after}"),
        };
        self.compare_named(&items, (&old, a), (&new, b), &mut |diff, path, a, b| diff.compare_nodes(path, a, b));
    }
}

fn names(steps: &[TomlNode<'_>]) -> Vec<String> {
    let name = |(n, step): (usize, &TomlNode<'_>)| step.text_at("id").map_or((n + 1).to_string(), str::to_owned);
    steps.iter().enumerate().map(name).collect()
}
