//! The table pack: takes evaluated fleets and options, gives one scene in printing order: for each fleet the roster,
//! summary, control sheets, counters and order logs, so that each side can be handed out separately; then the reference
//! sheets of all games. Counters are numbered in one series over all fleets of a game; fleets of one game share their pages.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::*;

use crate::library::{EvaluatedFleet, open_templates};
use crate::store::Store;
use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_base::sanitize::plural;
use moldloft_base::words::Words;
use moldloft_drawing::scene::{Bookmark, Meta, Page, PageRole, PrintedUnit, Scene, SceneItem, Shape};
use moldloft_rules::evaluate::{Evaluation, number_counters};
use moldloft_rules::ruleset::{Ruleset, SheetKind};
use moldloft_sheet::sheet::fleet_roster::Roster;
use moldloft_sheet::sheet::{
    self, FleetJob, FleetPage, Gauges, MapGrid, PageStorage, SheetOptions, TemplateCache, lay_out_fleet_page,
    odds_pages, roll_pages, scene_meta,
};

use super::battle_data::battle_data;
use super::fights::add_fights;
use super::maps::{gauge_sheets, map_sheets, ruler_sheets};
use super::roster_data::roster_data;
use super::roster_pages::{card_for_roster, pack_sheets, roster_has_odds, roster_pages};
use super::{PackOptions, PackPart, PrintOptions, blank_sheets, counters_of, sheets_of};

#[derive(Debug, Default)]
pub struct LaidOutPack {
    /// In printing order.
    pub scene: Scene,
    pub findings: Vec<Finding>,
    /// The number of pages that are blank backs, so that the next page is a front.
    pub blank_backs: usize,
}

/// The most pages of a pack, copies included.
const MAX_PAGES: usize = 20_000;

/// Lays out exactly what the options say; [`print_fleets`](super::print_fleets) skips fleets without a ship and adapts
/// the options to the file format. After a cancel the pages are incomplete.
pub fn lay_out_pack(
    store: &Store,
    fleets: &[&EvaluatedFleet],
    options: &PackOptions,
    progress: &Progress,
) -> LaidOutPack {
    let mut ships: Vec<Evaluation> =
        fleets.iter().flat_map(|fleet| fleet.units.iter().map(|unit| unit.evaluation.clone())).collect();
    number_counters(&mut ships);
    let draws_notes = options.wants(PackPart::Roster) || options.wants(PackPart::Sheets);
    let notes_finding = if draws_notes { omit_long_notes(&mut ships) } else { None };
    let templates = open_templates(store);
    let (mut fights, odds_findings) = match options.wants(PackPart::Odds) {
        true => add_fights(fleets, &mut ships, &templates, options, progress),
        false => (Vec::new(), Vec::new()),
    };
    fights.resize(fleets.len(), None);
    let mut first = 0;
    let mut boxes = 0;
    let mut rosters = Vec::new();
    // The number of boxes in the fleets before each.
    let mut boxes_before = Vec::new();
    for (fleet, fights) in fleets.iter().zip(fights) {
        let own = &ships[first..first + fleet.units.len()];
        first += own.len();
        if let Some(ruleset) = &fleet.ruleset {
            rosters.push(Roster { fights, ..roster_data(fleet, ruleset, own) });
            boxes_before.push(boxes);
            boxes = sheet::boxes_after(own, 1, boxes);
        }
    }
    if options.wants(PackPart::Roster) && options.wants(PackPart::Sheets) {
        rosters.par_iter_mut().for_each(|roster| roster.card = card_for_roster(roster, &templates, options));
    }
    // All parts of all fleets are laid out in parallel and joined in order. The counters of fleets of one game share their pages.
    let mut tasks: Vec<PackTask<'_>> = Vec::new();
    let shares_counters = rosters.len() > 1 && rosters.len() == fleets.len() && fleet_rulesets(fleets).len() == 1;
    for (n, roster) in rosters.iter().enumerate() {
        let parts = PackPart::ALL.iter().map(|(part, _)| *part).filter(|part| *part < PackPart::Reference);
        let parts = parts.filter(|part| options.wants(*part) && !(shares_counters && *part == PackPart::Chits));
        tasks.extend(parts.map(|part| PackTask::Fleet(n, roster, part)));
    }
    if shares_counters && options.wants(PackPart::Chits) {
        tasks.push(PackTask::Counters(&ships));
    }
    if options.wants(PackPart::Reference) {
        let games = fleet_rulesets(fleets).into_iter();
        let copies = 1..=options.references.max(1);
        tasks.extend(games.flat_map(|game| copies.clone().map(move |copy| PackTask::Reference(game, copy))));
    }
    for game in fleet_rulesets(fleets) {
        let of_game = |roster: &&Roster<'_>| Arc::ptr_eq(&roster.ruleset, game) && !roster.ships.is_empty();
        let sides: Vec<&Roster<'_>> = rosters.iter().filter(of_game).collect();
        for part in [PackPart::Battle, PackPart::Scenario] {
            if options.wants_battle(part, sides.len()) {
                tasks.push(PackTask::Battle(game, sides.clone(), part));
            }
        }
    }
    if options.wants(PackPart::Rolls) {
        let games = fleet_rulesets(fleets).into_iter().filter(|game| !game.shared_rolls.is_empty());
        tasks.extend(games.map(|game| PackTask::Rolls(game, &ships)));
    }
    let words = fleets.iter().find_map(|fleet| fleet.ruleset.as_ref()?.words.as_deref());
    tasks.extend(options.map.as_ref().map(|map| PackTask::Map(map, words)));
    tasks.push(PackTask::Gauges(&options.gauges, words));
    tasks.extend(options.print.rulers.then_some(PackTask::Rulers(&ships)));
    let sheets = if options.wants(PackPart::Sheets) { ships.len() } else { 0 };
    progress.begin_phase("ship", sheets);
    let sections: Vec<PackSection> = tasks
        .par_iter()
        .map(|task| {
            let before = if let PackTask::Fleet(n, ..) = task { boxes_before[*n] } else { 0 };
            if progress.is_cancelled() {
                PackSection::default()
            } else {
                lay_out_task(task, &templates, options, before, progress)
            }
        })
        .collect();
    let packed =
        LaidOutPack { findings: notes_finding.into_iter().chain(odds_findings).collect(), ..LaidOutPack::default() };
    let mut builder = PackBuilder { options, words, packed, fleets: BTreeSet::new(), behind: BTreeSet::new() };
    let mut of_fleet = None;
    let mut first_page = 0;
    for part in place_sections(&tasks, sections, options) {
        if part.fleet != of_fleet {
            builder.finish_fleet(first_page, of_fleet.map(|n: usize| &rosters[n]));
            (of_fleet, first_page) = (part.fleet, builder.next_front());
        }
        builder.add_section(part);
    }
    builder.finish_fleet(first_page, of_fleet.map(|n| &rosters[n]));
    builder.packed.scene.meta = pack_meta(fleets);
    repeat_pack(&mut builder, options.print.copies);
    let mut packed = builder.packed;
    packed.blank_backs = packed.scene.pages.iter().filter(|page| page.is_empty()).count();
    packed.findings = merge_findings(std::mem::take(&mut packed.findings));
    packed
}

/// A part among the pages of a fleet (its index) or of the games.
struct PlacedSection {
    fleet: Option<usize>,
    /// Whether it is on the back of the part before it.
    is_behind: bool,
    section: PackSection,
}

/// The parts in printing order. Printed on both sides, those of one page are on the backs that rosters and reference sheets leave
/// blank: a fleet's summary or order log behind its roster, then the battle page and the scenario sheet.
fn place_sections(tasks: &[PackTask<'_>], sections: Vec<PackSection>, options: &PackOptions) -> Vec<PlacedSection> {
    let has_blank_back = |n: &usize| !sections[*n].pages.len().is_multiple_of(2);
    // A page that fills large paper is behind none of several beside each other.
    let is_n_up =
        |n: usize| sections[n].pages.last().is_some_and(|page| matches!(page.role, PageRole::NUp { up, .. } if up > 1));
    let mut backs: BTreeMap<usize, usize> = BTreeMap::new();
    for n in (0..tasks.len()).filter(|n| !options.single_sided && sections[*n].pages.len() == 1) {
        let takes = |of: &usize| has_blank_back(of) && is_n_up(*of) == is_n_up(n) && !backs.contains_key(of);
        let back = (0..tasks.len()).find(|of| takes(of) && tasks[*of].has_back_for(&tasks[n]));
        backs.extend(back.map(|of| (of, n)));
    }
    let moved: BTreeSet<usize> = backs.values().copied().collect();
    // These are only where a side would be blank, unless they are asked for.
    let is_omitted = |n: usize| matches!(tasks[n], PackTask::Rolls(..)) && !options.parts.contains(&PackPart::Rolls);
    let mut sections: Vec<PackSection> = sections;
    let mut placed = Vec::with_capacity(tasks.len());
    for n in (0..tasks.len()).filter(|n| !moved.contains(n) && !is_omitted(*n)) {
        let fleet = if let PackTask::Fleet(fleet, ..) = &tasks[n] { Some(*fleet) } else { None };
        for (part, is_behind) in [(Some(n), false), (backs.get(&n).copied(), true)] {
            let Some(part) = part else { continue };
            placed.push(PlacedSection { fleet, is_behind, section: std::mem::take(&mut sections[part]) });
        }
    }
    placed
}

/// Equal findings once: a ship's name with a missing character is on many pages.
fn merge_findings(findings: Vec<Finding>) -> Vec<Finding> {
    let mut seen: Vec<Finding> = Vec::with_capacity(findings.len());
    for finding in findings {
        if !seen.iter().any(|other| finding.repeats(other)) {
            seen.push(finding);
        }
    }
    seen
}

/// The most characters of notes in a pack: those of each ship are on its roster and on its sheet.
const MAX_NOTES: usize = 8_000_000;

/// Omits the notes of ships that exceed the limit of a pack, and reports how many.
fn omit_long_notes(ships: &mut [Evaluation]) -> Option<Finding> {
    let mut letters = 0;
    let mut omitted = 0;
    for ship in ships {
        let more = ship.ship.notes.as_ref().map_or(0, |notes| notes.chars().count());
        if letters + more > MAX_NOTES {
            ship.ship.notes = None;
            omitted += 1;
        } else {
            letters += more;
        }
    }
    let message = format!(
        "omitted the notes of {}: with those of earlier ships they exceed the limit of {MAX_NOTES} letters per file",
        plural(omitted, "ship")
    );
    let help = "shorten the notes, or print fewer ships in one file";
    (omitted > 0).then(|| Finding::error("too-large-to-print", message).help(help))
}

enum PackTask<'a> {
    /// A part of a fleet: the fleet's index, the fleet, the part.
    Fleet(usize, &'a Roster<'a>, PackPart),
    /// The counters of all fleets.
    Counters(&'a [Evaluation]),
    /// A game's reference sheets, and the number of the copy from 1.
    Reference(&'a Arc<Ruleset>, u32),
    /// The battle page or the scenario sheet of a game, and its fleets.
    Battle(&'a Arc<Ruleset>, Vec<&'a Roster<'a>>, PackPart),
    Map(&'a MapGrid, Option<&'a Words>),
    /// The shared rolls of a game, and the ships of all fleets.
    Rolls(&'a Arc<Ruleset>, &'a [Evaluation]),
    /// Arcs and courses to cut out; may be none.
    Gauges(&'a Gauges, Option<&'a Words>),
    /// Rulers and collars of the ships of all fleets.
    Rulers(&'a [Evaluation]),
}

impl PackTask<'_> {
    /// Whether a page of another part may be on the back of this one.
    fn has_back_for(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Fleet(own, _, PackPart::Roster), Self::Fleet(fleet, _, PackPart::Summary | PackPart::Logs)) => {
                own == fleet
            }
            (Self::Fleet(_, roster, PackPart::Roster), Self::Battle(game, ..)) => Arc::ptr_eq(&roster.ruleset, game),
            (Self::Reference(own, _), Self::Battle(game, ..) | Self::Rolls(game, _)) => Arc::ptr_eq(own, game),
            (Self::Fleet(_, roster, PackPart::Roster), Self::Rolls(game, _)) => Arc::ptr_eq(&roster.ruleset, game),
            _ => false,
        }
    }
}

#[derive(Default)]
struct PackSection {
    /// Pages with a bookmark start on a front, except those behind another part.
    pages: Vec<Page>,
    findings: Vec<Finding>,
}

impl PackSection {
    /// Pages with their own bookmarks, or what keeps them from being printed.
    fn from_pages(pages: Result<Vec<Page>, Finding>) -> Self {
        match pages {
            Ok(pages) => Self { pages, findings: Vec::new() },
            Err(finding) => Self { pages: Vec::new(), findings: vec![finding] },
        }
    }

    /// All pages under one bookmark, on the first.
    fn with_bookmark(mark: Bookmark, mut pages: Vec<Page>, findings: Vec<Finding>) -> Self {
        if let Some(first) = pages.first_mut() {
            first.bookmarks = vec![mark];
        }
        Self { pages, findings }
    }
}

fn lay_out_task(
    task: &PackTask<'_>,
    templates: &TemplateCache<'_>,
    options: &PackOptions,
    boxes_before: u64,
    progress: &Progress,
) -> PackSection {
    let one = PrintOptions { copies: 1, ..options.print };
    let (roster, part) = match task {
        PackTask::Fleet(_, roster, part) => (*roster, *part),
        PackTask::Counters(ships) => return counter_pages(templates, ships, &one, 0, progress),
        PackTask::Reference(ruleset, copy) => {
            let sheets = blank_sheets(ruleset, SheetKind::Reference);
            let (scene, findings) =
                sheet::lay_out_sheets(&sheets_of(templates, &sheets, &one), PageStorage::Compact, &progress.detached());
            let number = if *copy > 1 { format!(", copy {copy}") } else { String::new() };
            let title = format!("{}{number}", ruleset.say(&format!("reference: {}", ruleset.title)));
            return PackSection::with_bookmark(Bookmark { depth: 0, title }, scene.pages, findings);
        }
        PackTask::Battle(ruleset, rosters, part) => {
            let battle = battle_data(ruleset, rosters);
            let (title, pages) = match part {
                PackPart::Battle => {
                    (format!("battle: {}", ruleset.title), battle.activation_pages(&one.sheet_options()))
                }
                _ => (SCENARIO_TITLE.to_owned(), battle.scenario_pages(&one.sheet_options())),
            };
            return PackSection::with_bookmark(Bookmark { depth: 0, title }, pages, Vec::new());
        }
        PackTask::Rolls(game, ships) => {
            let ships: Vec<&Evaluation> = ships.iter().filter(|ship| Arc::ptr_eq(&ship.ruleset, game)).collect();
            let mut pages = roll_pages(&ships, &game.title, &one.sheet_options());
            pages.iter_mut().for_each(Page::compact_items);
            let bookmark = Bookmark { depth: 0, title: format!("shared rolls: {}", game.title) };
            return PackSection::with_bookmark(bookmark, pages, Vec::new());
        }
        PackTask::Map(map, words) => {
            return PackSection::from_pages(map_sheets(map, &options.print.page_setup, *words));
        }
        PackTask::Rulers(ships) => {
            let (pages, findings) = ruler_sheets(ships, &options.print.page_setup);
            return PackSection { pages, findings };
        }
        PackTask::Gauges(gauges, words) => {
            return PackSection::from_pages(gauge_sheets(gauges, &options.print.page_setup, *words));
        }
    };
    let page_of = |page, title: &str, log_pages| {
        let options = SheetOptions { log_pages, ..one.sheet_options() };
        let (mut pages, findings) = lay_out_fleet_page(&FleetJob { roster, templates, options }, page);
        pages.iter_mut().for_each(Page::compact_items);
        PackSection::with_bookmark(nested_bookmark(title), pages, findings)
    };
    let page = |kind, title: &str| page_of(kind, title, 1);
    match part {
        PackPart::Roster => {
            let has_odds = roster_has_odds(roster, templates, options);
            let fights = roster.fights.clone().filter(|_| has_odds);
            let (pages, findings) = roster_pages(&Roster { fights, ..roster.clone() }, templates, options);
            let mut section = PackSection::with_bookmark(nested_bookmark("roster"), pages, findings);
            if let (Some(card), Some(page)) = (&roster.card, section.pages.first_mut()) {
                page.bookmarks.push(Bookmark { depth: 2, title: card.title.clone() });
            }
            section
        }
        PackPart::Summary => page(FleetPage::Summary, SUMMARY_TITLE),
        PackPart::Logs if needs_order_log(roster, templates, options) => {
            let section = page(FleetPage::Log, "order log");
            let pages = section.pages.len() as u32;
            // A log of one page is behind the roster, if no summary is.
            let has_back = pages == 1 && options.wants(PackPart::Roster) && !options.wants(PackPart::Summary);
            if options.single_sided || pages.is_multiple_of(2) || has_back {
                return section;
            }
            page_of(FleetPage::Log, "order log", pages + 1)
        }
        PackPart::Sheets => {
            let mut ships = roster.ships_in_order();
            if let Some(card) = &roster.card {
                ships.to_mut().retain(|ship| ship.ship.unit != card.unit);
            }
            let mut job = pack_sheets(templates, &ships, options);
            job.options.boxes_before = boxes_before;
            let (mut scene, findings) = sheet::lay_out_sheets(&job, PageStorage::Compact, &progress.child());
            scene.pages.iter_mut().flat_map(|page| &mut page.bookmarks).for_each(|mark| mark.depth = 1);
            PackSection { pages: scene.pages, findings }
        }
        PackPart::Chits => counter_pages(templates, roster.ships, &one, 1, progress),
        PackPart::Odds => match &roster.fights {
            Some(card) if !roster_has_odds(roster, templates, options) => {
                if options.parts.contains(&PackPart::Odds) {
                    let mut pages = odds_pages(card, &roster.facts.name, &roster.ruleset, &one.sheet_options());
                    pages.iter_mut().for_each(Page::compact_items);
                    return PackSection::with_bookmark(nested_bookmark("odds"), pages, Vec::new());
                }
                let message = format!("{}: skipped its odds, its roster has no room for them", roster.facts.name);
                let help = "name them among the parts to have them on pages of their own";
                PackSection { pages: Vec::new(), findings: vec![Finding::info("odds-left-out", message).help(help)] }
            }
            _ => PackSection::default(),
        },
        PackPart::Logs | PackPart::Reference | PackPart::Battle | PackPart::Scenario | PackPart::Rolls => {
            PackSection::default()
        }
    }
}

/// The counters of ships, if they have any, under a bookmark of this depth.
fn counter_pages(
    templates: &TemplateCache<'_>,
    ships: &[Evaluation],
    options: &PrintOptions,
    depth: u8,
    progress: &Progress,
) -> PackSection {
    let job = counters_of(templates, ships, options);
    let (scene, findings) = sheet::lay_out_counters(&job, PageStorage::Compact, &progress.detached());
    PackSection::with_bookmark(Bookmark { depth, title: "counters".into() }, scene.pages, findings)
}

/// Whether a fleet gets pages for its orders: they were asked for, or a ship's ruleset has its orders there, or without a
/// word of the ruleset, a ship has no log on its own sheet.
fn needs_order_log(roster: &Roster<'_>, templates: &TemplateCache<'_>, options: &PackOptions) -> bool {
    let has_log = |ship: &Evaluation| {
        let template = ship.sheet().and_then(|sheet| templates.prepared_template(&ship.ruleset, &sheet.template));
        template.is_some_and(|prepared| prepared.has_log())
    };
    // Towed units get no orders.
    let mut led = roster.ships.iter().zip(&roster.places).filter(|(_, place)| place.towed_by.is_none());
    let needs_it = |(ship, _): (&Evaluation, _)| ship.has_orders_in_log().unwrap_or_else(|| !has_log(ship));
    !roster.ships.is_empty()
        && (options.parts.contains(&PackPart::Logs) && !options.logs_if_needed || led.any(needs_it))
}

/// The bookmark of a summary.
const SUMMARY_TITLE: &str = "summary for the opponent";
/// The bookmark of a scenario sheet.
const SCENARIO_TITLE: &str = "scenario";

/// The rulesets of fleets that have a ship, each once.
fn fleet_rulesets<'a>(fleets: &[&'a EvaluatedFleet]) -> Vec<&'a Arc<Ruleset>> {
    let mut games: Vec<&Arc<Ruleset>> = Vec::new();
    for ruleset in fleets.iter().filter(|fleet| !fleet.units.is_empty()).filter_map(|fleet| fleet.ruleset.as_ref()) {
        if !games.iter().any(|known| Arc::ptr_eq(known, ruleset)) {
            games.push(ruleset);
        }
    }
    games
}

struct PackBuilder<'a> {
    options: &'a PackOptions,
    words: Option<&'a Words>,
    packed: LaidOutPack,
    /// The slugs in the names of boxes and fields of the fleets so far.
    fleets: BTreeSet<Arc<str>>,
    /// The bookmarks of the fleet's or the games' pages that are on backs of other parts.
    behind: BTreeSet<String>,
}

impl PackBuilder<'_> {
    /// Adds a blank back after an odd number of pages.
    fn start_on_front(&mut self) {
        let pages = &mut self.packed.scene.pages;
        if self.options.single_sided || pages.len().is_multiple_of(2) {
            return;
        }
        let Some(&Page { width, height, role, .. }) = pages.last() else { return };
        pages.push(Page { width, height, role, ..Page::default() });
        self.packed.blank_backs += 1;
    }

    /// The index of the next page that is added on a front.
    fn next_front(&self) -> usize {
        let pages = self.packed.scene.pages.len();
        if self.options.single_sided { pages } else { pages.next_multiple_of(2) }
    }

    /// Imposes the pages from this index on.
    fn impose_pages(&mut self, from: usize) {
        if from >= self.packed.scene.pages.len() {
            return;
        }
        let page_setup = self.options.print.page_setup.two_sided(!self.options.single_sided);
        let pages = self.packed.scene.pages.split_off(from);
        // Pages that share sheets come first; a page with a sheet of its own may then follow a front without a back.
        for page in sheet::impose(pages, &page_setup, !self.options.single_sided, self.words) {
            if page.role != PageRole::Back && self.begins_leaf(&page) {
                self.start_on_front();
            }
            self.packed.scene.pages.push(page);
        }
    }

    /// Adds the pages of a part, those that begin a leaf on a front.
    fn add_section(&mut self, part: PlacedSection) {
        self.packed.findings.extend(part.section.findings);
        for page in part.section.pages {
            if part.is_behind {
                self.behind.extend(page.bookmarks.iter().map(|mark| mark.title.clone()));
            }
            if self.begins_leaf(&page) {
                self.start_on_front();
            }
            self.packed.scene.pages.push(page);
        }
    }

    /// Whether a page begins a part that starts on a front: not one behind another part, nor the scenario behind the battle page.
    fn begins_leaf(&self, page: &Page) -> bool {
        let shares = |mark: &Bookmark| {
            mark.title == SCENARIO_TITLE && self.options.wants(PackPart::Battle) || self.behind.contains(&mark.title)
        };
        page.bookmarks.iter().any(|mark| !shares(mark))
    }

    /// Imposes the pages of a fleet, or of the games, and puts a fleet's under a bookmark with its name.
    fn finish_fleet(&mut self, first_page: usize, roster: Option<&Roster<'_>>) {
        self.impose_pages(first_page);
        self.behind.clear();
        let Some(roster) = roster else { return };
        let pages = self.packed.scene.pages.get_mut(first_page..).unwrap_or_default();
        rename_duplicate_fleets(pages, &mut self.fleets);
        if let Some(page) = pages.iter_mut().find(|page| !page.bookmarks.is_empty()) {
            page.bookmarks.insert(0, Bookmark { depth: 0, title: roster.facts.name.to_string() });
        }
    }
}

fn nested_bookmark(title: impl Into<String>) -> Bookmark {
    Bookmark { depth: 1, title: title.into() }
}

/// Adds a number to a fleet's slug in the names of boxes and fields if another fleet of the pack has the same.
fn rename_duplicate_fleets(pages: &mut [Page], used: &mut BTreeSet<Arc<str>>) {
    fn each(items: &mut [SceneItem], change: &mut impl FnMut(&mut Arc<PrintedUnit>)) {
        for item in items {
            if let Some(unit) = item.mark.as_mut().and_then(|mark| mark.unit.as_mut()) {
                change(unit);
            }
            if let Shape::Group { items, .. } = &mut item.shape {
                each(items, change);
            }
        }
    }
    fn all(page: &mut Page, change: &mut impl FnMut(&mut Arc<PrintedUnit>)) {
        page.compact.for_each_unit(change);
        each(&mut page.items, change);
    }
    let mut own: BTreeMap<Arc<str>, Arc<str>> = BTreeMap::new();
    let mut twice = false;
    pages.iter_mut().for_each(|page| {
        all(page, &mut |unit| {
            if !unit.fleet.is_empty() && !own.contains_key(&unit.fleet) {
                let mut word = Arc::clone(&unit.fleet);
                let mut serial = 2;
                while used.contains(&word) {
                    word = format!("{}-{serial}", unit.fleet).into();
                    serial += 1;
                }
                twice |= word != unit.fleet;
                own.insert(Arc::clone(&unit.fleet), word);
            }
        });
    });
    if twice {
        let mut renamed: BTreeMap<(Arc<str>, Arc<str>), Arc<PrintedUnit>> = BTreeMap::new();
        for page in pages {
            all(page, &mut |unit| {
                let Some(word) = own.get(&unit.fleet) else { return };
                let key = (Arc::clone(word), Arc::clone(&unit.key));
                let other = renamed.entry(key);
                let other = other
                    .or_insert_with(|| Arc::new(PrintedUnit { fleet: Arc::clone(word), ..PrintedUnit::clone(unit) }));
                *unit = Arc::clone(other);
            });
        }
    }
    used.extend(own.into_values());
}

/// Repeats the whole pack.
fn repeat_pack(builder: &mut PackBuilder<'_>, copies: u32) {
    let pages = builder.packed.scene.pages.len();
    if copies < 2 || pages == 0 {
        return;
    }
    if pages.saturating_mul(copies as usize) > MAX_PAGES {
        let message = format!(
            "{copies} packs of {} exceed the limit of {MAX_PAGES} pages per file; printed one pack",
            plural(pages, "page")
        );
        builder.packed.findings.push(
            Finding::error("too-large-to-print", message)
                .help("set the copies in the printer's dialog, or print fewer"),
        );
        return;
    }
    builder.start_on_front();
    let (one, blanks) = (builder.packed.scene.pages.clone(), builder.packed.blank_backs);
    for copy in 2..=copies {
        let mut again = one.clone();
        again.iter_mut().for_each(|page| page.bookmarks.clear());
        if let Some(page) = again.first_mut() {
            page.bookmarks.push(Bookmark { depth: 0, title: format!("copy {copy}") });
        }
        builder.packed.scene.pages.append(&mut again);
    }
    builder.packed.blank_backs = blanks * copies as usize;
}

fn pack_meta(fleets: &[&EvaluatedFleet]) -> Meta {
    let names: Vec<String> = fleets.iter().map(|fleet| fleet.name()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let what = if fleets.len() > 1 { "battle pack" } else { "table pack" };
    scene_meta(&names, fleets.iter().filter_map(|fleet| fleet.ruleset.as_deref()), what)
}
