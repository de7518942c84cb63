//! The same fight under two rulesets: takes the odds by each, gives figures before and after, as rows and as text.

use std::fmt::Write;

use moldloft_base::sanitize::{for_terminal as clean, shorten_line};

use super::answer::{Bearing, Odds};
use super::figures::figures;
use super::text::notes;
use super::volley::GaugeOdds;
use super::words::{exactness, figure, gauge_label, percent, ship_title, situation_line, who};

/// Most characters of a title.
const MAX_TITLE: usize = 48;
/// Before the title of one attack.
const INDENT: &str = "  ";

/// A figure under both rulesets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparisonRow {
    /// That of one attack is indented.
    pub title: String,
    pub before: String,
    pub after: String,
}

pub fn comparison_rows(before: &Odds, after: &Odds) -> Vec<ComparisonRow> {
    let mut rows = Vec::new();
    let mut add = |title: String, before: String, after: String| rows.push(ComparisonRow { title, before, after });
    let mean = |odds: &Odds, gauges: &[GaugeOdds<f64>], failed: bool| match failed {
        true => "–".to_owned(),
        false => figure(odds.headline_of(gauges).map_or(0.0, GaugeOdds::mean)),
    };
    add(
        format!("{}, all that bears", gauge_label(after)),
        mean(before, &before.all, before.failed),
        mean(after, &after.all, after.failed),
    );
    for attack in after.attacks.iter().filter(|attack| attack.bearing == Bearing::Fires) {
        let same = before.attacks.iter().find(|old| old.title() == attack.title() && old.bearing == Bearing::Fires);
        let old = same.map_or_else(|| "–".to_owned(), |old| mean(before, &old.gauges, old.failed));
        let title = format!("{INDENT}{}", shorten_line(attack.title(), MAX_TITLE));
        add(title, old, mean(after, &attack.gauges, attack.failed));
    }
    let chance = |odds: &Odds, pick: fn(&GaugeOdds<f64>) -> f64, without: f64| {
        if odds.failed { "–".to_owned() } else { percent(odds.headline_of(&odds.all).map_or(without, pick)) }
    };
    let nothing = |odds: &Odds| chance(odds, |gauge| figures(gauge).nothing, 1.0);
    let gone = |odds: &Odds| chance(odds, |gauge| gauge.gone, 0.0);
    add("nothing".to_owned(), nothing(before), nothing(after));
    add("destroyed".to_owned(), gone(before), gone(after));
    add(
        format!("{} on {}", ship_title(&after.target.name), ship_title(&after.attacker.name)),
        mean(before, &before.back, before.back_failed),
        mean(after, &after.back, after.back_failed),
    );
    let trade = |odds: &Odds| odds.trade.map_or_else(|| "–".to_owned(), figure);
    add("equal points trade".to_owned(), trade(before), trade(after));
    let points = |odds: &Odds| odds.attacker.points.map_or_else(|| "–".to_owned(), |points| points.to_string());
    add(format!("points of {}", ship_title(&after.attacker.name)), points(before), points(after));
    rows
}

pub fn comparison_text(before: &Odds, after: &Odds) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{} · {}", clean(&who(after)), clean(&situation_line(after.rules(), &after.situation)));
    let titles = [before, after].map(|odds| clean(&odds.ruleset.id));
    let rows = comparison_rows(before, after).into_iter();
    let rows: Vec<ComparisonRow> = rows.map(|row| ComparisonRow { title: clean(&row.title), ..row }).collect();
    let wide = |text: &str| text.chars().count();
    let a = rows.iter().map(|row| wide(&row.title)).max().unwrap_or(0);
    let b = rows.iter().map(|row| wide(&row.before)).chain([wide(&titles[0])]).max().unwrap_or(0);
    let c = rows.iter().map(|row| wide(&row.after)).chain([wide(&titles[1])]).max().unwrap_or(0);
    let _ = writeln!(out, "{:<a$}  {:>b$}  {:>c$}", "", titles[0], titles[1]);
    for ComparisonRow { title, before, after } in rows {
        let _ = writeln!(out, "{title:<a$}  {before:>b$}  {after:>c$}");
    }
    out.push_str(&notes(&exactness(after), &after.assumed, &after.not_counted));
    out
}
