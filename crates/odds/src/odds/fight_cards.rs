//! Two sides as their sheets show it: takes the classes of each, gives for each a card of what it does to every class opposite, and what it takes, at
//! the nearest, a middle and the farthest range. The figures and words are those of [`odds_text`](super::odds_text).

use std::sync::Arc;

use rayon::prelude::*;

use moldloft_base::progress::Progress;
use moldloft_rules::evaluate::{Evaluation, FightCard};
use moldloft_rules::formula::Value;
use moldloft_rules::ruleset::AttackRules;

use super::answer::{Odds, OddsQuestion, OddsShip, work_out};
use super::counted::add_new;
use super::encounter::{Encounter, default_situation};
use super::rows::{RowFigures, figure_rows};
use super::situation::{axis, axis_values, bearing, bearings};
use super::text::notes;
use super::volley::GaugeOdds;
use super::words::{exact_words, exactness, gauge_label, is_exact, percent, ship_title, situation_but, span_words};

/// Most classes of a side that have cards and are on those of the other.
pub const MAX_CARD_CLASSES: usize = 20;
/// Ranges of a pair of classes.
const BANDS: usize = 3;

/// The cards of one side.
#[derive(Clone, Debug, Default)]
pub struct FightCards {
    /// By class.
    pub each: Vec<Arc<FightCard>>,
    /// All of them in one.
    pub all: Arc<FightCard>,
}

/// Neighbouring ranges at which the same happens, and what the first class of a pair does then to the second, and the second to the first.
struct FightBand {
    words: String,
    odds: [Odds; 2],
}

/// The cards of both sides, of their first [`MAX_CARD_CLASSES`] classes; `None` where the rules have no odds. Of use only if it was not cancelled.
pub fn fight_cards(sides: [&[&Evaluation]; 2], progress: &Progress) -> Option<[FightCards; 2]> {
    let [first, second] = sides.map(|classes| &classes[..classes.len().min(MAX_CARD_CLASSES)]);
    let rules = &first.first()?.ruleset.attack_rules;
    if rules.attacks.is_empty() || second.is_empty() {
        return None;
    }
    progress.begin_phase("pair of classes", first.len() * second.len());
    let pairs: Vec<(usize, usize)> = (0..first.len()).flat_map(|a| (0..second.len()).map(move |b| (a, b))).collect();
    let fights: Vec<Vec<FightBand>> = pairs
        .par_iter()
        .map(|&(a, b)| {
            let bands = if progress.is_cancelled() { Vec::new() } else { bands(first[a], second[b], progress) };
            progress.step();
            bands
        })
        .collect();
    let card = |side: usize, own: &[usize]| {
        let count = [first.len(), second.len()][1 - side];
        let of = |own: usize, foe: usize| {
            let (a, b) = if side == 0 { (own, foe) } else { (foe, own) };
            (class_name([first[a], second[b]][1 - side]), &fights[a * second.len() + b][..])
        };
        let groups: Vec<_> = own.iter().map(|&own| (own, (0..count).map(|foe| of(own, foe)).collect())).collect();
        let name = |own: usize| match groups.len() {
            1 => "".into(),
            _ => class_name([first, second][side][own]).into(),
        };
        Arc::new(fight_card(
            rules,
            side,
            groups.iter().map(|(own, fights): &(usize, Vec<_>)| (name(*own), &fights[..])),
        ))
    };
    let cards = |side: usize| {
        let classes: Vec<usize> = (0..[first.len(), second.len()][side]).collect();
        FightCards { each: classes.iter().map(|&own| card(side, &[own])).collect(), all: card(side, &classes) }
    };
    Some([cards(0), cards(1)])
}

fn class_name(class: &Evaluation) -> String {
    ship_title(&OddsShip::new(class).name)
}

/// The nearest, a middle and the farthest of the ranges at which anything fires, wherever it bears; all of them are one where the rules have no axis.
fn bands(own: &Evaluation, target: &Evaluation, progress: &Progress) -> Vec<FightBand> {
    let rules = &own.ruleset.attack_rules;
    let bearings = bearings(rules);
    let Some((axis, rule)) = axis(rules).and_then(|axis| Some((axis, rules.situations.get(axis)?))) else {
        return vec![band([own, target], &bearings, String::new(), progress)];
    };
    let at = |value: &Value| {
        let mut all = bearings.clone();
        all.iter_mut().for_each(|situation| situation[axis].clone_from(value));
        all
    };
    let values = axis_values(rule);
    let fights = values.len() * bearings.len();
    let mut bands: Vec<(Value, Value)> = Vec::new();
    for value in &values {
        let there = at(value);
        let is_silent = |situation: &Vec<Value>| {
            both([own, target], situation, fights, progress).iter().all(|side| side.firing_attacks().is_empty())
        };
        if progress.is_cancelled() || there.iter().all(is_silent) {
            continue;
        }
        let follows = |last: &Value| matches!((last, value), (Value::Int(last), Value::Int(next)) if last + 1 == *next);
        let is_same = |from: &Value| {
            let mut pairs = at(from).into_iter().zip(&there);
            pairs.all(|(before, now)| {
                both([own, target], &before, fights, progress).iter().all(|side| side.is_same_in(now))
            })
        };
        match bands.last_mut() {
            Some((from, to)) if follows(to) && is_same(from) => to.clone_from(value),
            _ => bands.push((value.clone(), value.clone())),
        }
    }
    let last = bands.len().saturating_sub(1);
    let mut chosen = vec![0, bands.len() / 2, last];
    chosen.dedup();
    chosen.truncate(BANDS);
    let chosen = chosen.into_iter().filter_map(|place| bands.get(place));
    chosen.map(|(from, to)| band([own, target], &at(from), span_words(from, to), progress)).collect()
}

/// One of two on the other, and the other on the one.
fn both<'a>(
    [own, target]: [&'a Evaluation; 2],
    situation: &'a [Value],
    fights: usize,
    progress: &'a Progress,
) -> [Encounter<'a>; 2] {
    let on = |own, target| Encounter { own, target, situation, fights, progress: Some(progress) };
    [on(own, target), on(target, own)]
}

/// What each of two does to the other where it does most, the first of equal bearings.
fn band([own, target]: [&Evaluation; 2], bearings: &[Vec<Value>], words: String, progress: &Progress) -> FightBand {
    let best = |own: &Evaluation, target: &Evaluation| {
        let fires = |situation: &&Vec<Value>| {
            let side = Encounter { own, target, situation, fights: 1, progress: Some(progress) };
            !side.firing_attacks().is_empty()
        };
        let firing: Vec<&Vec<Value>> = bearings.iter().filter(fires).collect();
        let ask = |situation: &Vec<Value>| {
            let situation = situation.clone();
            work_out(own, target, &OddsQuestion { situation, progress: progress.detached(), ..OddsQuestion::default() })
        };
        let answers = firing.into_iter().map(ask);
        // One that cannot be worked out may be the best.
        let more = |a: Odds, b: Odds| if a.failed || !b.failed && mean(&a) >= mean(&b) { a } else { b };
        answers.reduce(more).unwrap_or_else(|| ask(&bearings[0]))
    };
    let there = best(own, target);
    // A sister ship does the same.
    let back = if own.shares_with(target) { there.clone() } else { best(target, own) };
    FightBand { words, odds: [there, back] }
}

fn mean(odds: &Odds) -> f64 {
    odds.all.iter().find(|gauge| Some(gauge.gauge) == odds.headline).map_or(0.0, GaugeOdds::mean)
}

/// Of one or several classes of a side, each with the fights of every class opposite.
fn fight_card<'f>(
    rules: &AttackRules,
    side: usize,
    classes: impl Iterator<Item = (Arc<str>, &'f [(String, &'f [FightBand])])> + Clone,
) -> FightCard {
    let fights = || classes.clone().flat_map(|(_, fights)| fights);
    let most = fights().map(|(_, bands)| bands.len()).max().unwrap_or(0).max(1);
    let axis = axis(rules);
    let range: Option<Arc<str>> = axis.and_then(|axis| rules.situations.get(axis)).map(|rule| match &*rule.unit {
        "" => rule.label.clone(),
        unit => format!("{}, {unit}", rule.label).into(),
    });
    let mut columns: Vec<Arc<str>> = vec!["enemy".into()];
    for _ in 0..most {
        columns.extend(range.clone());
        columns.extend(["does".into(), "takes".into()]);
    }
    let row = |(name, bands): &(String, &[FightBand])| {
        let mut cells = vec![name.clone()];
        for band in bands.iter() {
            cells.extend(range.as_ref().map(|_| band.words.clone()));
            cells.extend([&band.odds[side], &band.odds[1 - side]].map(cell));
        }
        if bands.is_empty() {
            cells.push("nothing bears".to_owned());
        }
        cells.resize(columns.len(), String::new());
        cells
    };
    let groups = classes.clone().map(|(name, fights)| (name, fights.iter().map(row).collect())).collect();
    let odds: Vec<&Odds> = fights().flat_map(|(_, bands)| *bands).flat_map(|band| &band.odds).collect();
    FightCard { columns, groups, notes: card_notes(rules, axis, &odds) }
}

/// `7.07`, with the chance that the target is destroyed where it is not nothing: `25.67 · 8.1 %`.
fn cell(odds: &Odds) -> String {
    let (rows, _) = figure_rows(odds);
    match rows.last().map(|row| &row.figures) {
        Some(RowFigures::Known([mean, _, _, destroyed, _])) if *destroyed == percent(0.0) || destroyed == "–" => {
            mean.clone()
        }
        // What is certain needs no tenth.
        Some(RowFigures::Known([mean, _, _, destroyed, _])) if *destroyed == percent(1.0) => format!("{mean} · 100 %"),
        Some(RowFigures::Known([mean, _, _, destroyed, _])) => format!("{mean} · {destroyed}"),
        _ => "not worked out".to_owned(),
    }
}

fn card_notes(rules: &AttackRules, axis: Option<usize>, all: &[&Odds]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut gauges: Vec<&str> = all.iter().map(|odds| gauge_label(odds)).filter(|label| !label.is_empty()).collect();
    gauges.dedup();
    gauges.sort_unstable();
    gauges.dedup();
    if !gauges.is_empty() {
        let chance = if rules.gauges.iter().any(|gauge| gauge.ends) {
            "; after it, the chance to be destroyed at once, where there is one"
        } else {
            ""
        };
        lines.push(format!("{} lost a turn on average, ships unhurt{chance}", gauges.join(" or ")));
    }
    let situation = situation_but(rules, &default_situation(rules), axis, bearing(rules));
    if !situation.is_empty() {
        lines.push(situation);
    }
    let mut assumed = Vec::new();
    let mut not_counted = Vec::new();
    for odds in all {
        add_new(&mut assumed, odds.assumed.iter().cloned());
        add_new(&mut not_counted, odds.not_counted.iter().cloned());
    }
    // Of a ship that fires here and is the target there, the note that names it is enough.
    let is_said =
        |note: &str| not_counted.iter().any(|named| named.strip_suffix(note).is_some_and(|of| of.ends_with(": ")));
    let not_counted: Vec<Arc<str>> = not_counted.iter().filter(|note| !is_said(note)).cloned().collect();
    let known = || all.iter().filter(|odds| !odds.failed);
    let open = known().filter(|odds| !is_exact(odds.lost, &odds.all)).max_by(|a, b| a.lost.total_cmp(&b.lost));
    let mut words: Vec<String> = match open {
        Some(odds) => vec![exactness(odds)],
        None if known().next().is_some() => {
            vec![exact_words(known().all(|odds| odds.is_whole), &not_counted).to_owned()]
        }
        None => Vec::new(),
    };
    if all.iter().any(|odds| odds.failed) {
        words.push("Why something is not worked out, moldloft odds says.".to_owned());
    }
    lines.extend(notes(&words.join(" "), &assumed, &not_counted).lines().map(str::to_owned));
    lines
}
