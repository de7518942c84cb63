//! What the two sides of a battle do to each other: takes the fleets of a pack and its ships, gives each ship its card, or each fleet one, by which of
//! their pages have a place for it.

use std::sync::Arc;

use crate::library::EvaluatedFleet;
use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_odds::odds::{FightCards, MAX_CARD_CLASSES, fight_cards};
use moldloft_rules::evaluate::{Evaluation, FightCard};
use moldloft_sheet::sheet::TemplateCache;

use super::{PackOptions, PackPart};

/// By fleet: the card of all its classes, if the backs of its ships do not have their own.
pub(super) type FleetFights = Vec<Option<Arc<FightCard>>>;

/// Gives the ships of two fleets that are all of a game's their cards; what is towed has none.
pub(super) fn add_fights(
    fleets: &[&EvaluatedFleet],
    ships: &mut [Evaluation],
    templates: &TemplateCache<'_>,
    options: &PackOptions,
    progress: &Progress,
) -> (FleetFights, Vec<Finding>) {
    let mut of_fleets: FleetFights = vec![None; fleets.len()];
    let mut findings = Vec::new();
    for first in 0..fleets.len() {
        let is_same = |other: &usize| match (&fleets[first].ruleset, &fleets[*other].ruleset) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            _ => false,
        };
        let sides: Vec<usize> = (0..fleets.len()).filter(is_same).collect();
        let [one, two] = sides[..] else { continue };
        if one != first {
            continue;
        }
        let led = [one, two].map(|fleet| led_ships(fleets, fleet));
        let classes = led.each_ref().map(|led| distinct_classes(ships, led));
        let of = |side: usize| classes[side].iter().map(|&ship| &ships[ship]).collect::<Vec<_>>();
        let Some(cards) = fight_cards([&of(0), &of(1)], progress) else { continue };
        for (side, FightCards { each, all }) in cards.into_iter().enumerate() {
            if classes[side].len() > MAX_CARD_CLASSES {
                let message = format!(
                    "{}: the odds are of its first {MAX_CARD_CLASSES} classes of {}",
                    fleets[[one, two][side]].name(),
                    classes[side].len()
                );
                findings.push(Finding::info("odds-left-out", message).help("ask `moldloft odds` for the others"));
            }
            let has_place = |ship: &usize| has_place(&ships[*ship], templates);
            let is_on_backs =
                options.wants(PackPart::Sheets) && !options.single_sided && led[side].iter().all(has_place);
            if !is_on_backs {
                of_fleets[[one, two][side]] = Some(all);
                continue;
            }
            for &ship in &led[side] {
                let class = classes[side].iter().position(|&class| is_of_class(&ships[class], &ships[ship]));
                ships[ship].fights = class.and_then(|class| each.get(class)).cloned();
            }
        }
    }
    (of_fleets, findings)
}

/// The places of a fleet's ships among those of all, without what is towed.
fn led_ships(fleets: &[&EvaluatedFleet], fleet: usize) -> Vec<usize> {
    let first: usize = fleets[..fleet].iter().map(|before| before.units.len()).sum();
    let units = fleets[fleet].units.iter().enumerate();
    units.filter(|(_, unit)| unit.carrier.is_none()).map(|(n, _)| first + n).collect()
}

/// Whether two ships are of one class and loaded alike: odds know no damage.
fn is_of_class(one: &Evaluation, other: &Evaluation) -> bool {
    one.file == other.file && one.name == other.name && one.ship.load == other.ship.load
}

/// The first ship of each class among these.
fn distinct_classes(ships: &[Evaluation], among: &[usize]) -> Vec<usize> {
    let mut classes: Vec<usize> = Vec::new();
    for &ship in among {
        if !classes.iter().any(|&class| is_of_class(&ships[class], &ships[ship])) {
            classes.push(ship);
        }
    }
    classes
}

/// Whether the backs of the ship's game show odds.
fn has_place(ship: &Evaluation, templates: &TemplateCache<'_>) -> bool {
    let mut backs = ship.backs().filter_map(|back| templates.prepared_template(&ship.ruleset, &back.template));
    backs.any(|back| back.shows_odds())
}
