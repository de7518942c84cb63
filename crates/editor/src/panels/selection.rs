//! What is selected after a click on one of several items.

use egui::Modifiers;

/// `range` gives all items from one to another, or `None` if one of them is not listed.
pub fn after_click(
    old: &[u32],
    item: u32,
    modifiers: Modifiers,
    toggles: bool,
    range: impl FnOnce(u32) -> Option<Vec<u32>>,
) -> Vec<u32> {
    if modifiers.shift
        && let Some(first) = old.first().copied()
        && let Some(range) = range(first)
    {
        // The first selected one is the anchor.
        return std::iter::once(first).chain(range.into_iter().filter(|other| *other != first)).collect();
    }
    if toggles { toggled(old, item) } else { vec![item] }
}

pub fn toggled(old: &[u32], item: u32) -> Vec<u32> {
    let mut new: Vec<u32> = old.iter().copied().filter(|other| *other != item).collect();
    if new.len() == old.len() {
        new.push(item);
    }
    new
}
