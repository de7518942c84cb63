//! `moldloft list`: the rulesets, designs, fleets and systems there are.

use std::fmt::Write;
use std::sync::Arc;

use clap::Subcommand;

use crate::finding::Finding;
use crate::library::{Entry, Games, Loaded, Shown, catalogue, words};
use crate::ruleset::Ruleset;
use crate::store::{Kind, Listed, Store};

use super::games::need;
use super::render::clean;
use super::{Outcome, say};

/// List rulesets, designs, fleets or systems
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Subcommand)]
enum What {
    /// Available games (default)
    Rulesets,
    /// Designs in the workspace and built-in designs
    Designs,
    /// Fleets in the workspace and built-in fleets, with their points
    Fleets,
    /// Systems of a ruleset with their costs and mounts
    Systems {
        /// A ruleset's id, such as wars-of-honor
        #[arg(value_name = "RULESET")]
        ruleset: String,
    },
}

/// Runs it.
///
/// # Errors
/// A finding when it cannot run.
pub fn run(store: &Store, arguments: &Args) -> Result<Outcome, Finding> {
    let text = match &arguments.what {
        None | Some(What::Rulesets) => rulesets(store)?,
        Some(What::Designs) => {
            let lines = store.list(Kind::Design).iter().map(|one| vec![one.id.clone(), origin(one)]).collect();
            columns(lines)
        }
        Some(What::Fleets) => fleets(store)?,
        Some(What::Systems { ruleset }) => {
            let ruleset = need(&Games::new(store, &[])?, ruleset)?;
            systems(&ruleset)
        }
    };
    say(&text)?;
    Ok(Outcome::Fine)
}

fn rulesets(store: &Store) -> Result<String, Finding> {
    let games = Games::new(store, &[])?;
    let mut lines = Vec::new();
    for one in store.list(Kind::Ruleset) {
        let title = match games.get(&one.id)? {
            Loaded::Ready(ruleset, _) => format!("{}, version {}", ruleset.title, ruleset.version),
            Loaded::Broken(_) | Loaded::Missing(_) => "(has errors; see `moldloft rules check`)".to_owned(),
        };
        lines.push(vec![one.id.clone(), title, origin(&one)]);
    }
    Ok(columns(lines))
}

fn fleets(store: &Store) -> Result<String, Finding> {
    let all = catalogue(store, &Games::new(store, &[])?, &[]);
    let line = |entry: &Arc<Entry>| {
        let Shown::Fleet(card) = &entry.shown else { return None };
        let verdict = match (card.points, card.legal) {
            (None, _) => "not checked",
            (_, true) if card.own_systems => "legal with own systems",
            (_, true) => "legal",
            (_, false) if card.own_systems => "not legal, with own systems",
            (_, false) => "not legal",
        };
        let origin = if entry.built_in() { "built-in".to_owned() } else { entry.path.display().to_string() };
        // A built-in fleet is named as other commands take it.
        let name = if entry.built_in() { entry.path.display().to_string() } else { entry.name.to_string() };
        Some(vec![entry.ruleset.to_string(), name, entry.line(), verdict.to_owned(), origin])
    };
    let mut lines: Vec<Vec<String>> = all.entries().filter_map(line).collect();
    lines.sort();
    Ok(columns(lines))
}

fn origin(one: &Listed) -> String {
    if one.built_in { "built-in".to_owned() } else { one.path.display().to_string() }
}

fn systems(ruleset: &Ruleset) -> String {
    let fitted = ruleset.systems.iter().filter(|system| !system.is_abstract);
    let lines = fitted
        .map(|system| {
            let mounts = words::mounts(ruleset, system).join(", ");
            vec![system.id.to_string(), system.name.to_string(), words::answers(ruleset, system), mounts]
        })
        .collect();
    columns(lines)
}

/// Lines in columns, each as wide as its longest entry.
fn columns(lines: Vec<Vec<String>>) -> String {
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
