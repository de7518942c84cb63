//! The same fight under two rulesets as text: figures before and after.

use std::fmt::Write;

use crate::cli::render::clean;
use crate::odds::words::{exactness, figure, gauge_label, percent, ship_title, situation_line, who};
use crate::odds::{Bearing, GaugeOdds, Odds, figures, notes};
use crate::sanitize::shorten_line;

/// Most characters of a title.
const MAX_TITLE: usize = 48;

pub fn comparison(before: &Odds, after: &Odds) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{} · {}", clean(&who(after)), clean(&situation_line(after.rules(), &after.situation)));
    let titles = [before, after].map(|odds| clean(&odds.ruleset.id));
    let mut rows: Vec<(String, String, String)> = Vec::new();
    let mean = |odds: &Odds, gauges: &[GaugeOdds<f64>], failed: bool| match failed {
        true => "–".to_owned(),
        false => figure(odds.headline_of(gauges).map_or(0.0, GaugeOdds::mean)),
    };
    let label = clean(gauge_label(after));
    rows.push((
        format!("{label}, all that bears"),
        mean(before, &before.all, before.failed),
        mean(after, &after.all, after.failed),
    ));
    for attack in after.attacks.iter().filter(|attack| attack.bearing == Bearing::Fires) {
        let same = before.attacks.iter().find(|old| old.title() == attack.title() && old.bearing == Bearing::Fires);
        let old = same.map_or_else(|| "–".to_owned(), |old| mean(before, &old.gauges, old.failed));
        rows.push((
            format!("  {}", clean(&shorten_line(attack.title(), MAX_TITLE))),
            old,
            mean(after, &attack.gauges, attack.failed),
        ));
    }
    let chance = |odds: &Odds, pick: fn(&GaugeOdds<f64>) -> f64, without: f64| {
        if odds.failed { "–".to_owned() } else { percent(odds.headline_of(&odds.all).map_or(without, pick)) }
    };
    let nothing = |odds: &Odds| chance(odds, |gauge| figures(gauge).nothing, 1.0);
    let gone = |odds: &Odds| chance(odds, |gauge| gauge.gone, 0.0);
    rows.push(("nothing".to_owned(), nothing(before), nothing(after)));
    rows.push(("destroyed".to_owned(), gone(before), gone(after)));
    let answer = format!("{} on {}", ship_title(&after.target.name), ship_title(&after.attacker.name));
    rows.push((
        clean(&answer),
        mean(before, &before.back, before.back_failed),
        mean(after, &after.back, after.back_failed),
    ));
    let trade = |odds: &Odds| odds.trade.map_or_else(|| "–".to_owned(), figure);
    rows.push(("equal points trade".to_owned(), trade(before), trade(after)));
    let points = |odds: &Odds| odds.attacker.points.map_or_else(|| "–".to_owned(), |points| points.to_string());
    rows.push((format!("points of {}", clean(&ship_title(&after.attacker.name))), points(before), points(after)));
    let wide = |text: &str| text.chars().count();
    let a = rows.iter().map(|(title, ..)| wide(title)).max().unwrap_or(0);
    let b = rows.iter().map(|(_, before, _)| wide(before)).chain([wide(&titles[0])]).max().unwrap_or(0);
    let c = rows.iter().map(|(.., after)| wide(after)).chain([wide(&titles[1])]).max().unwrap_or(0);
    let _ = writeln!(out, "{:<a$}  {:>b$}  {:>c$}", "", titles[0], titles[1]);
    for (title, before, after) in rows {
        let _ = writeln!(out, "{title:<a$}  {before:>b$}  {after:>c$}");
    }
    out.push_str(&notes(&exactness(after), &after.assumed, &after.not_counted));
    out
}
