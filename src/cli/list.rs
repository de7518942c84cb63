//! `moldloft list`: lists rulesets, designs, fleets and systems.

use std::fmt::Write;
use std::sync::Arc;

use clap::Subcommand;

use moldloft_base::finding::Finding;
use moldloft_base::sanitize::plural;
use moldloft_library::library::{
    CatalogueEntry, EntrySummary, LoadedRuleset, Rulesets, allowed_mounts, built_in_title, catalogue, system_answers,
};
use moldloft_library::store::{AssetKind, ListedAsset, Store};
use moldloft_rules::ruleset::Ruleset;

use super::outcome::RunOutcome;
use super::render::clean;
use super::rulesets::require_ruleset;
use super::terminal::print_stdout;

#[derive(clap::Args)]
pub struct ListArgs {
    #[command(subcommand)]
    what: Option<ListSubcommand>,
}

#[derive(Subcommand)]
enum ListSubcommand {
    /// Available games (default)
    Rulesets,
    /// Designs in the workspace and built-in designs, with their points
    Designs {
        /// Only those of this ruleset
        #[arg(value_name = "RULESET")]
        ruleset: Option<String>,
    },
    /// Fleets in the workspace and built-in fleets, with their points
    Fleets,
    /// Systems of a ruleset with their costs and mounts
    Systems {
        /// A ruleset's id, such as wars-of-honor
        #[arg(value_name = "RULESET")]
        ruleset: String,
    },
}

/// # Errors
/// A finding when the command cannot run.
pub fn run(store: &Store, arguments: &ListArgs) -> Result<RunOutcome, Finding> {
    let text = match &arguments.what {
        None | Some(ListSubcommand::Rulesets) => rulesets_text(store)?,
        Some(ListSubcommand::Designs { ruleset }) => designs_text(store, ruleset.as_deref())?,
        Some(ListSubcommand::Fleets) => fleets_text(store)?,
        Some(ListSubcommand::Systems { ruleset }) => {
            let ruleset = require_ruleset(&Rulesets::new(store, &[])?, ruleset)?;
            systems_text(&ruleset)
        }
    };
    print_stdout(&text)?;
    Ok(RunOutcome::Success)
}

fn rulesets_text(store: &Store) -> Result<String, Finding> {
    let games = Rulesets::new(store, &[])?;
    let mut lines = Vec::new();
    for one in store.list_assets(AssetKind::Ruleset) {
        let title = match built_in_title(store, &one.id) {
            Some((title, version)) => format!("{title}, version {version}"),
            None => match games.get(&one.id)? {
                LoadedRuleset::Ready(ruleset, _) => format!("{}, version {}", ruleset.title, ruleset.version),
                LoadedRuleset::Broken(_) | LoadedRuleset::Missing(_) => {
                    "(has errors; see `moldloft rules check`)".to_owned()
                }
            },
        };
        lines.push(vec![one.id.clone(), title, origin_label(&one)]);
    }
    Ok(align_columns(lines))
}

fn designs_text(store: &Store, ruleset: Option<&str>) -> Result<String, Finding> {
    let games = Rulesets::new(store, &[])?;
    if let Some(ruleset) = ruleset {
        require_ruleset(&games, ruleset)?;
    }
    let all = catalogue(store, &games, &[]);
    let line = |asset: &ListedAsset| {
        let entry = all.entries().find(|entry| entry.file == asset.file);
        let is_wanted = ruleset.is_none_or(|id| entry.is_some_and(|entry| *entry.ruleset == *id));
        let (points, words, verdict) = match entry.map(|entry| (&entry.summary, entry.summary_line())) {
            Some((EntrySummary::Design(card), words)) => {
                let points = card.points.map(|points| plural(points, "point")).unwrap_or_default();
                (points, words, verdict(card.points, card.legal, card.own_systems))
            }
            Some((_, words)) => (String::new(), words, "not checked"),
            None => (String::new(), String::new(), "not checked"),
        };
        is_wanted.then(|| vec![asset.id.clone(), points, words, verdict.to_owned(), origin_label(asset)])
    };
    Ok(align_columns(store.list_assets(AssetKind::Design).iter().filter_map(line).collect()))
}

fn verdict(points: Option<i64>, legal: bool, own_systems: bool) -> &'static str {
    match (points, legal) {
        (None, _) => "not checked",
        (_, true) if own_systems => "legal with own systems",
        (_, true) => "legal",
        (_, false) if own_systems => "not legal, with own systems",
        (_, false) => "not legal",
    }
}

fn fleets_text(store: &Store) -> Result<String, Finding> {
    let all = catalogue(store, &Rulesets::new(store, &[])?, &[]);
    let line = |entry: &Arc<CatalogueEntry>| {
        let EntrySummary::Fleet(card) = &entry.summary else { return None };
        let verdict = verdict(card.points, card.legal, card.own_systems);
        let origin = if entry.built_in() { "built-in".to_owned() } else { entry.file.to_string() };
        // A built-in fleet is named as other commands accept it.
        let name = if entry.built_in() { entry.file.to_string() } else { entry.name.to_string() };
        Some(vec![entry.ruleset.to_string(), name, entry.summary_line(), verdict.to_owned(), origin])
    };
    let mut lines: Vec<Vec<String>> = all.entries().filter_map(line).collect();
    lines.sort();
    Ok(align_columns(lines))
}

fn origin_label(one: &ListedAsset) -> String {
    if one.file.built_in { "built-in".to_owned() } else { one.file.to_string() }
}

fn systems_text(ruleset: &Ruleset) -> String {
    let fitted = ruleset.systems.iter().filter(|system| !system.is_abstract);
    let lines = fitted
        .map(|system| {
            let mounts = allowed_mounts(ruleset, system).join(", ");
            vec![system.id.to_string(), system.name.to_string(), system_answers(ruleset, system), mounts]
        })
        .collect();
    align_columns(lines)
}

/// Lines in columns, each as wide as its longest entry.
fn align_columns(lines: Vec<Vec<String>>) -> String {
    let lines: Vec<Vec<String>> = lines.into_iter().map(|line| line.iter().map(|cell| clean(cell)).collect()).collect();
    let mut widths: Vec<usize> = Vec::new();
    for line in &lines {
        widths.resize(widths.len().max(line.len()), 0);
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut out = String::new();
    for line in &lines {
        let start = out.len();
        for (cell, width) in line.iter().zip(&widths) {
            let _ = write!(out, "{cell:<width$}  ");
        }
        out.truncate(start + out[start..].trim_end().len());
        out.push('\n');
    }
    out
}
