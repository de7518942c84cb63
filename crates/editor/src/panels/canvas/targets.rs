//! What the drawn sheet offers: the mounts and systems of a design, the boxes of a fleet's ship, each with its places
//! and its name.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use egui::Context;

use crate::panels::canvas::on_screen::TargetKey;
use crate::panels::canvas::ticking::is_fleet_damage;
use crate::preview::{PreviewKey, SheetPreview, join_near_rects, join_with_room, mark_label};
use crate::widgets::memoized;
use crate::{Doc, DocId, fit_edits};
use moldloft_drawing::scene::Rect;

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
        let mut on_page: BTreeMap<u32, Vec<Rect>> = BTreeMap::new();
        for shape in &index.marked_shapes {
            let Some(fit) = shape.mark.fit else { continue };
            on_page.entry(fit).or_default().push(shape.rect);
        }
        for (fit, rects) in on_page {
            let mut joined = join_near_rects(rects);
            joined.sort_by(|a, b| a.y.total_cmp(&b.y));
            by_fit.entry(fit).or_default().extend(joined.into_iter().map(|rect| (page, rect)));
        }
    }
    let fits: Vec<Target> = ship
        .fits
        .iter()
        .filter_map(|fit| {
            let rects = by_fit.remove(&fit.index)?;
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
        // On pages without a place for it, such as continuations, its boxes are one, with the room between them.
        let drawn: BTreeSet<usize> = rects.iter().map(|(page, _)| *page).collect();
        let here = ship.fits.iter().filter(|fit| fit.mount == mount.id);
        let own = |index: u32| fits.iter().find(move |target| target.key == TargetKey::Fit(index));
        let boxes = here.filter_map(|fit| own(fit.index)).flat_map(|target| &target.rects);
        let mut on_page: BTreeMap<usize, Vec<Rect>> = BTreeMap::new();
        for (page, rect) in boxes.filter(|(page, _)| !drawn.contains(page)) {
            on_page.entry(*page).or_default().push(*rect);
        }
        for (page, own) in on_page {
            let is_other = |target: &&Target| match target.key {
                TargetKey::Fit(index) => mount.fits.iter().all(|n| ship.fits[*n].index != index),
                _ => false,
            };
            let others = fits.iter().filter(is_other).flat_map(|target| &target.rects);
            let others: Vec<Rect> = others.filter(|(at, _)| *at == page).map(|(_, rect)| *rect).collect();
            rects.extend(join_with_room(own, &others).into_iter().map(|rect| (page, rect)));
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
