//! Whether a mount takes a system: takes ids, gives the reason against it as a sentence, used in findings and palettes.

use super::Ruleset;
use super::problems::shorten;

impl Ruleset {
    /// Why a mount does not take a system, with the mounts that do and the rule's name; `None` when it takes it. For
    /// custom systems use [`Evaluation::mount_refusal`](crate::evaluate::Evaluation::mount_refusal).
    pub fn mount_refusal(&self, system: &str, mount: &str) -> Option<String> {
        let Some(known) = self.systems.iter().find(|known| *known.id == *system) else {
            let message = format!("{} has no system `{}`", self.base.title, shorten(system));
            return Some(self.with_removal(message, "system", system, None));
        };
        if known.is_abstract {
            return Some(format!("{} is abstract: only a design's own system can be like it", known.name));
        }
        self.mount_refusal_for(&known.name, known.mounts.as_deref(), known.rule.as_deref(), mount)
    }

    /// The same for a system with this name, these mounts and this rule.
    pub fn mount_refusal_for(
        &self,
        name: &str,
        mounts: Option<&[usize]>,
        rule: Option<&str>,
        mount: &str,
    ) -> Option<String> {
        let Some(place) = self.symbols.mount_index(mount) else {
            return Some(format!("unknown mount `{}`", shorten(mount)));
        };
        let mounts = mounts.filter(|mounts| !mounts.contains(&place))?;
        let mut labels: Vec<&str> = mounts.iter().map(|&mount| &*self.mounts[mount].label).collect();
        labels.dedup();
        // `port, fore` is one mount.
        let between = if labels.iter().any(|label| label.contains(',')) { "; " } else { ", " };
        let may = match labels.split_last() {
            None => "nor in any other mount".to_owned(),
            Some((last, [])) => format!("only in {last}"),
            Some((last, before)) if between == "; " => format!("only in {}; or {last}", before.join(between)),
            Some((last, before)) => format!("only in {} or {last}", before.join(between)),
        };
        let rule = rule.map(|rule| format!(" ({rule})")).unwrap_or_default();
        Some(format!("{}, {may}{rule}", not_allowed_message(name, &self.mounts[place].label)))
    }
}

/// `CnC is not allowed in port`.
pub fn not_allowed_message(name: &str, mount: &str) -> String {
    format!("{name} is not allowed in {mount}")
}
