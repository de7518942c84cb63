//! Compares the steps of attacks and routines: those with an id by it, the others by their number.

use super::values::{display_value, summarize};
use super::{DiffBuilder, DiffPath, common_names, index_by_name};
use moldloft_base::source::toml::TomlNode;

impl<'a> DiffBuilder<'_, 'a> {
    pub(super) fn compare_steps(&mut self, path: &DiffPath<'_>, a: &[TomlNode<'a>], b: &[TomlNode<'a>]) {
        let (old, new) = (names(a), names(b));
        let (in_old, in_new) = (index_by_name(&old), index_by_name(&new));
        let label = path.label.strip_suffix("step").or(path.label.strip_suffix("each")).unwrap_or(&path.label);
        let base = label.trim_end_matches([':', ' ', ',', '.']).to_owned();
        let step_of = |name: &str| DiffPath {
            section: path.section,
            id: path.id,
            key: format!("{}.{name}", path.key),
            label: format!("{base}, step {name}"),
        };
        for (name, step) in old.iter().zip(a) {
            let path = step_of(name);
            match in_new.get(name).copied() {
                Some(other) => self.compare_nodes(&path, step, &b[other]),
                None => {
                    let text = format!("{} removed", path.label);
                    self.add(&path, Some(display_value(step)), None, text, (false, step.span));
                }
            }
        }
        for (name, step) in new.iter().zip(b).filter(|(name, _)| !in_old.contains_key(name)) {
            let path = step_of(name);
            let text = format!("{base}, new step {name}: {}", summarize(step));
            self.add(&path, None, Some(display_value(step)), text, (true, step.span));
        }
        let (before, after) = (common_names(&old, &in_new), common_names(&new, &in_old));
        if before != after
            && let Some(first) = b.first()
        {
            let (before, after) = (before.join(", "), after.join(", "));
            let text = format!("{base}, order of steps: {before} → {after}");
            self.add(path, Some(before), Some(after), text, (true, first.span));
        }
    }
}

fn names(steps: &[TomlNode<'_>]) -> Vec<String> {
    let name = |(n, step): (usize, &TomlNode<'_>)| step.text_at("id").map_or((n + 1).to_string(), str::to_owned);
    steps.iter().enumerate().map(name).collect()
}
