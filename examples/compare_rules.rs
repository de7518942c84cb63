//! Compares what a design costs under a ruleset and under a layer of house rules, and shows where the new cost comes from:
//! `cargo run --example compare_rules [LAYER]`.

use moldloft::{Error, Workspace};

fn main() -> Result<(), Error> {
    let workspace = Workspace::built_in();
    let layer = std::env::args().nth(1).unwrap_or_else(|| "woh-lasers".to_owned());
    let design = workspace.design("wars-of-honor/vigilant")?;
    let (ship, house) = (workspace.check(&design)?, workspace.check_with(&design, &layer)?);
    let points = |points: Option<i64>| points.map_or_else(|| "?".to_owned(), |points| points.to_string());
    println!("{}: {} points, with {layer} {}", ship.class(), points(ship.points()), points(house.points()));

    // Cost lines that are new or have another total.
    for line in house.costs().iter().filter(|line| !ship.costs().contains(line)) {
        println!("  {}: {} × {} = {}", line.label, line.count, line.each, line.total);
    }
    // The formulas behind them, each with the numbers put in and the rule it comes from.
    for line in house.explain("costs") {
        let indent = "  ".repeat(line.depth as usize);
        println!("{indent}{} = {} = {}  [{}]", line.name, line.formula, line.result, line.rule);
    }
    // A layer may not fit the rules it changes: what was set aside is reported here.
    for finding in workspace.ruleset_findings() {
        eprintln!("{finding}");
    }
    Ok(())
}
