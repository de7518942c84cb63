//! A card that would take a page of its own: takes a job, finds it, and draws it with its back for another page.

use super::fleet_roster::LaidCard;
use super::ship_sheets::{FirstPage, SheetJob, ShipPlacement, bookmark_title, lay_out_ship, place_first_pages};
use crate::sheet::page_setup::card_packing::pack_cards;
use crate::sheet::page_setup::sheet_options::SheetOptions;
use moldloft_drawing::scene::{Rect, SceneItem, Transform};

/// The smallest card of a job without which its cards take a page less.
pub fn lone_card(job: &SheetJob<'_>) -> Option<usize> {
    let (places, pages) = place_first_pages(job, &mut Vec::new());
    let cards: Vec<&ShipPlacement> = places.iter().filter(|place| place.plan.is_card).collect();
    let size = |place: &ShipPlacement| place.plan.own.size_on_page();
    let area = |place: &ShipPlacement| size(place).0 * size(place).1;
    let smallest = cards.iter().min_by(|a, b| area(a).total_cmp(&area(b)))?.ship;
    let others: Vec<_> = cards.iter().filter(|place| place.ship != smallest).map(|place| size(place)).collect();
    let now = pages.iter().filter(|page| matches!(page, FirstPage::Cards(_))).count();
    (pack_cards(&others, &job.options.page_setup).pages.len() < now).then_some(smallest)
}

/// A card with its back beside or below it, to be drawn on another page at its true size; `None` for what takes more than
/// a card.
pub fn lay_out_card(job: &SheetJob<'_>) -> Option<LaidCard> {
    let options =
        SheetOptions { copies: 1, fill_card_pages: true, card_backs: false, card_backs_beside: true, ..job.options };
    let job = SheetJob { options, ..*job };
    let mut findings = Vec::new();
    let (places, pages) = place_first_pages(&job, &mut findings);
    let [place] = &places[..] else { return None };
    let Some(FirstPage::Cards((page_width, _))) = pages.first() else { return None };
    let (laid, back) = lay_out_ship(&job, place, Some(*page_width), options.minimum_sizes()).ok()?;
    if !laid.continuation_pages.is_empty() || !laid.findings.is_empty() || !findings.is_empty() {
        return None;
    }
    let (w, h) = place.plan.own.size_on_page();
    let card = Rect::new(place.origin.0, place.origin.1, w, h);
    let all = place.back_place.map_or(card, |back| {
        let (x, y) = (card.x.min(back.x), card.y.min(back.y));
        Rect::new(x, y, card.right().max(back.right()) - x, card.bottom().max(back.bottom()) - y)
    });
    let mut items: Vec<SceneItem> = laid.first.into_iter().chain(back).collect();
    items.iter_mut().for_each(|item| item.transform(&Transform::translate(-all.x, -all.y)));
    let ship = &job.ships[place.ship];
    Some(LaidCard {
        title: bookmark_title(ship, job.subject),
        unit: ship.ship.unit.clone(),
        size: (all.w, all.h),
        items,
    })
}
