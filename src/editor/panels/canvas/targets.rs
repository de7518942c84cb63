//! What the drawn sheet offers: the mounts and systems of a design, the boxes of a fleet's ship, each with its places
//! and its name.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::Context;

use crate::editor::model::doc::Doc;
use crate::editor::preview::{PreviewKey, SheetPreview, mark_label};
use crate::editor::widgets::memoized;
use crate::editor::{DocId, fit_edits};
use crate::scene::Rect;

use super::on_screen::TargetKey;
use super::ticking::is_fleet_damage;

/// In mm: nearer boxes of a fit belong together.
const MERGE_DISTANCE: f32 = 1.6;

#[derive(Clone, Debug)]
pub struct Target {
    pub key: TargetKey,
    /// For screen readers.
    pub name: String,
    /// Each on its page, in mm; empty for a mount that the sheet does not draw.
    pub rects: Vec<(usize, Rect)>,
}

pub fn targets(ctx: &Context, shown: &SheetPreview, doc: &Doc) -> Arc<[Target]> {
    let key: (DocId, PreviewKey, usize) = (doc.id, shown.key.clone(), Arc::as_ptr(&shown.pages).addr());
    memoized(ctx, "targets of the sheet", key, || match doc.as_fleet() {
        Some(_) => boxes(shown).into(),
        None => mounts_and_fits(shown).into(),
    })
}

fn mounts_and_fits(shown: &SheetPreview) -> Vec<Target> {
    let ship = &shown.pages.ship;
    let mut by_fit: BTreeMap<u32, Vec<(usize, Rect)>> = BTreeMap::new();
    for (page, index) in shown.pages.page_indices.iter().enumerate() {
        for shape in &index.marked_shapes {
            let Some(fit) = shape.mark.fit else { continue };
            by_fit.entry(fit).or_default().push((page, shape.rect));
        }
    }
    let fits: Vec<Target> = ship
        .fits
        .iter()
        .filter_map(|fit| {
            let rects = merge_near(by_fit.remove(&fit.index)?);
            let name = format!("{} on the sheet, {} fitted", fit_edits::fit_label(ship, fit), fit.count);
            Some(Target { key: TargetKey::Fit(fit.index), name, rects })
        })
        .collect();
    let mounts = ship.mounts.iter().filter(|mount| mount.applies);
    let mounts = mounts.map(|mount| {
        let pages = shown.pages.scene.pages.iter().enumerate();
        let areas = pages.flat_map(|(n, page)| page.mount_areas.iter().map(move |area| (n, area)));
        let mut rects: Vec<(usize, Rect)> =
            areas.filter(|(_, area)| area.mount == mount.id).map(|(n, area)| (n, area.rect)).collect();
        if rects.is_empty() {
            let here = ship.fits.iter().filter(|fit| fit.mount == mount.id);
            let own = |index: u32| fits.iter().find(move |target| target.key == TargetKey::Fit(index));
            rects = here.filter_map(|fit| own(fit.index)).flat_map(|target| target.rects.clone()).collect();
        }
        let name = match mount.fits.len() {
            0 => format!("{} on the sheet, empty", mount.label),
            1 => format!("{} on the sheet, 1 system", mount.label),
            many => format!("{} on the sheet, {many} systems", mount.label),
        };
        Target { key: TargetKey::Mount(mount.id.clone()), name, rects }
    });
    mounts.collect::<Vec<_>>().into_iter().chain(fits).collect()
}

fn boxes(shown: &SheetPreview) -> Vec<Target> {
    let ship = &shown.pages.ship;
    let pages = shown.pages.page_indices.iter().enumerate();
    let shapes = pages.flat_map(|(page, index)| index.marked_shapes.iter().map(move |shape| (page, shape)));
    let lasting = shapes.filter(|(_, shape)| is_fleet_damage(shown, &shape.mark));
    lasting
        .map(|(page, shape)| Target {
            key: TargetKey::Box(shape.mark.name.clone()),
            name: mark_label(ship, &shape.mark),
            rects: vec![(page, shape.rect)],
        })
        .collect()
}

/// Rectangles of one page that nearly touch become one.
fn merge_near(mut rects: Vec<(usize, Rect)>) -> Vec<(usize, Rect)> {
    let mut joined: Vec<(usize, Rect)> = Vec::new();
    let near = |(page, a): &(usize, Rect), (other, b): &(usize, Rect)| {
        let a = a.inset(-MERGE_DISTANCE);
        page == other && a.x <= b.right() && b.x <= a.right() && a.y <= b.bottom() && b.y <= a.bottom()
    };
    while let Some(mut one) = rects.pop() {
        // The union may reach others.
        while let Some(at) = joined.iter().position(|other| near(&one, other)) {
            let (_, other) = joined.swap_remove(at);
            let (x, y) = (one.1.x.min(other.x), one.1.y.min(other.y));
            let (right, bottom) = (one.1.right().max(other.right()), one.1.bottom().max(other.bottom()));
            one.1 = Rect::new(x, y, right - x, bottom - y);
        }
        joined.push(one);
    }
    joined.sort_by(|(page, a), (other, b)| (page, a.y).partial_cmp(&(other, b.y)).unwrap_or(std::cmp::Ordering::Equal));
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_side_by_side_are_one_place_on_each_page() {
        let at = |page: usize, x: f32| (page, Rect::new(x, 10.0, 4.0, 4.0));
        let merged = merge_near(vec![at(0, 10.0), at(0, 18.4), at(0, 14.2), at(1, 10.0), at(0, 60.0)]);
        assert_eq!(merged.len(), 3);
        assert!(merged.contains(&(0, Rect::new(10.0, 10.0, 12.4, 4.0))), "{merged:?}");
    }
}
