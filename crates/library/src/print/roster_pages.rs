//! A pack's rosters, and what they have in place of further pages: a lone card, the odds of a fleet.

use std::sync::Arc;

use moldloft_base::finding::Finding;
use moldloft_drawing::scene::Page;
use moldloft_rules::evaluate::Evaluation;
use moldloft_sheet::sheet::fleet_roster::{LaidCard, Roster};
use moldloft_sheet::sheet::{
    FleetJob, FleetPage, SheetJob, SheetOptions, TemplateCache, lay_out_card, lay_out_fleet_page, lone_card,
};

use super::{PackOptions, PackPart, PrintOptions, sheets_of};

/// The job for the sheets of a pack.
pub(super) fn pack_sheets<'a>(
    templates: &'a TemplateCache<'a>,
    ships: &'a [Evaluation],
    options: &PackOptions,
) -> SheetJob<'a> {
    let mut job = sheets_of(templates, ships, &PrintOptions { copies: 1, ..options.print });
    job.options.card_backs |= !options.single_sided;
    job.options.card_backs_beside = options.single_sided;
    job.options.sheet_backs = !options.single_sided;
    job
}

/// A card that would take a leaf of its own and has room on the roster, at normal size.
pub(super) fn card_for_roster(
    roster: &Roster<'_>,
    templates: &TemplateCache<'_>,
    options: &PackOptions,
) -> Option<Arc<LaidCard>> {
    let ships = roster.ships_in_order();
    let job = pack_sheets(templates, &ships, options);
    let ship = lone_card(&job).filter(|_| !options.print.large_print && !options.print.loads)?;
    let card = lay_out_card(&SheetJob { ships: ships.get(ship..=ship)?, ..job }).map(Arc::new)?;
    let with = Roster { card: Some(card.clone()), fights: None, ..roster.clone() };
    has_room(&with, &Roster { card: None, ..with.clone() }, templates, options).then_some(card)
}

pub(super) fn roster_pages(
    roster: &Roster<'_>,
    templates: &TemplateCache<'_>,
    options: &PackOptions,
) -> (Vec<Page>, Vec<Finding>) {
    let options = SheetOptions { copies: 1, ..options.print.sheet_options() };
    let (mut pages, findings) = lay_out_fleet_page(&FleetJob { roster, templates, options }, FleetPage::Roster);
    pages.iter_mut().for_each(Page::compact_items);
    (pages, findings)
}

/// Whether a fleet's odds are on its roster: they are on no other page, and the roster takes no further page for them.
pub(super) fn roster_has_odds(roster: &Roster<'_>, templates: &TemplateCache<'_>, options: &PackOptions) -> bool {
    roster.fights.is_some()
        && options.wants(PackPart::Roster)
        && has_room(roster, &Roster { fights: None, ..roster.clone() }, templates, options)
}

/// Whether a roster takes no more pages than without something.
fn has_room(roster: &Roster<'_>, without: &Roster<'_>, templates: &TemplateCache<'_>, options: &PackOptions) -> bool {
    let pages = |roster: &Roster<'_>| roster_pages(roster, templates, options).0.len();
    let count = pages(roster);
    count <= 1 || count == pages(without)
}
