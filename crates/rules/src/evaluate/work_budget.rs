//! Limits the total work of one ship's formulas. Counts rather than measures time, so that every machine stops at the
//! same place.

use std::cell::Cell;

use crate::formula::FORMULA_WORK;

/// The most cells of lists made by one evaluation: some megabytes.
const MAX_CELLS: i64 = 2_000_000;
/// Work of one ship's formulas in the unit of [`crate::formula::Host::record_work`]. The largest ship of the tests
/// needs less than a tenth; all of it takes about a tenth of a second.
pub const SHIP_WORK: u64 = 16_000_000;
const TEXT_WORK: u64 = 2_000_000;
/// Work of a ship's formulas for all its attacks together, in all situations of one question of odds.
const ODDS_WORK: u64 = 16_000_000;

#[derive(Debug)]
pub struct WorkBudget {
    cells: Cell<i64>,
    remaining: Cell<u64>,
    initial: u64,
}

impl WorkBudget {
    pub fn for_ship() -> Self {
        Self::with_work(SHIP_WORK)
    }

    pub fn for_text() -> Self {
        Self::with_work(TEXT_WORK)
    }

    /// For one of so many fights.
    pub fn for_odds(fights: usize) -> Self {
        let work = ODDS_WORK / fights.max(1) as u64;
        Self { cells: Cell::new(MAX_CELLS), remaining: Cell::new(work), initial: work }
    }

    pub fn with_work(work: u64) -> Self {
        let most = work.min(SHIP_WORK);
        Self { cells: Cell::new(MAX_CELLS), remaining: Cell::new(most), initial: most }
    }

    /// `false` when none is left.
    pub fn spend(&self, units: usize) -> bool {
        let left = self.remaining.get().saturating_sub(u64::try_from(units).unwrap_or(u64::MAX));
        self.remaining.set(left);
        left > 0
    }

    pub fn remaining(&self) -> u64 {
        self.remaining.get()
    }

    pub fn initial(&self) -> u64 {
        self.initial
    }

    pub fn is_spent(&self) -> bool {
        self.remaining.get() == 0
    }

    /// `false` when there are too many.
    pub fn spend_cells(&self, cells: u32) -> bool {
        let left = self.cells.get() - i64::from(cells);
        self.cells.set(left);
        left >= 0
    }

    /// Work and cells that are left.
    pub fn left(&self) -> (u64, u64) {
        (self.remaining.get(), u64::try_from(self.cells.get()).unwrap_or(0))
    }

    /// Spends work and cells that are known beforehand, if more is left of both.
    pub fn spend_known(&self, (work, cells): (u64, u64)) -> bool {
        let (work_left, cells_left) = self.left();
        let is_enough = work_left > work && cells_left > cells;
        if is_enough {
            self.remaining.set(work_left - work);
            self.cells.set(self.cells.get() - cells as i64);
        }
        is_enough
    }

    pub fn spent(&self) -> u64 {
        let cells = u64::try_from(MAX_CELLS.saturating_sub(self.cells.get())).unwrap_or(0);
        (self.initial - self.remaining.get()) / u64::from(FORMULA_WORK) + cells
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::SHIP_WORK;
    use crate::design::{Design, Ship};
    use crate::evaluate::{Evaluation, evaluate, evaluate_within};
    use crate::ruleset::Ruleset;
    use moldloft_base::source::Source;

    /// A ruleset with so many attributes that each scan a long list, and a design with so many fits.
    fn dear(attributes: usize, items: usize, fits: usize) -> (Arc<Ruleset>, Design) {
        let zeros: String = (0..attributes).map(|n| format!("a{n} = 0\n")).collect();
        let looks: String = (0..attributes).map(|n| format!("a{n} = \"1 if -1 in long else {n}\"\n")).collect();
        let totals: Vec<String> = (0..attributes).map(|n| format!("total('a{n}')")).collect();
        let rules = format!(
            "[ruleset]\nid = \"raft\"\ntitle = \"Rafts\"\nversion = \"1\"\nschema = 1\n[attributes]\n{zeros}\
             [[mount]]\nid = \"deck\"\n[[system]]\nid = \"log\"\n{looks}\
             [[value]]\nid = \"long\"\nformula = \"range({items})\"\n\
             [[value]]\nid = \"points\"\nformula = \"{sum}\"\n",
            sum = totals.join(" + "),
        );
        let (rules, findings) = Ruleset::load(&Source::new("raft.toml", &rules));
        let rules = Arc::new(rules.unwrap_or_else(|| panic!("{findings:?}")));
        let fit = "[[fit]]\nsystem = \"log\"\nmount = \"deck\"\n";
        let text = format!("ruleset = \"raft\"\nname = \"Kon\"\n{}", fit.repeat(fits));
        (rules, Design::read(&Source::new("kon.toml", &text)).unwrap())
    }

    fn work_findings(of: &Evaluation) -> Vec<&str> {
        of.findings.iter().filter(|finding| finding.code == "too-much-work").map(|f| &*f.message).collect()
    }

    #[test]
    fn the_formulas_of_a_ship_share_one_allowance() {
        // Each formula is far below its own limits; together they are fifty times a ship's.
        let (rules, design) = dear(100, 90_000, 100);
        let of = evaluate(&rules, &design, &Ship::default());
        assert!(of.is_cut_short() && !of.legal);
        assert!(of.work() <= SHIP_WORK / 10 + 100_000, "{}", of.work());
        let messages = work_findings(&of);
        assert_eq!(messages.len(), 1, "{:?}", of.findings);
        assert!(messages[0].contains("take more than 16000000 steps"), "{messages:?}");
        let finding = of.findings.iter().find(|finding| finding.code == "too-much-work").unwrap();
        assert!(finding.rule.as_deref().is_some_and(|rule| rule.starts_with("raft.toml:")) && finding.help.is_some());
        assert_eq!(of.points, None);
    }

    #[test]
    fn what_is_within_it_is_worked_out() {
        let (rules, design) = dear(10, 100, 100);
        let of = evaluate(&rules, &design, &Ship::default());
        assert!(!of.is_cut_short() && of.findings.is_empty(), "{:?}", of.findings);
        assert_eq!(of.points, Some(4_500));
        // Ten scans of a hundred items for each of a hundred fits.
        assert!((10_000..60_000).contains(&of.work()), "{}", of.work());
    }

    /// The cells of the first grid are kept with the rules, those of the second fail each time.
    #[test]
    fn a_grid_that_is_known_is_the_same_with_the_same_work() {
        let grid = |id: &str, cell: &str| {
            let numbers = "range(-9, 10)";
            format!(
                "[[table]]\nid = \"{id}\"\ngrid = {{ across = \"{numbers}\", down = \"{numbers}\", cell = \"{cell}\" }}\n"
            )
        };
        let rules = format!(
            "[ruleset]\nid = \"raft\"\ntitle = \"Rafts\"\nversion = \"1\"\nschema = 1\n[[mount]]\nid = \"bow\"\n[[mount]]\nid = \"stern\"\n\
             [[system]]\nid = \"log\"\n{}{}",
            grid("logs", "across * down + count('log', 'bow' if down < 0 else 'stern')"),
            grid("quotients", "across // down"),
        );
        let load = || Arc::new(Ruleset::load(&Source::new("raft.toml", &rules)).0.unwrap());
        let ship = |logs: u32| {
            let text = format!("ruleset = \"raft\"\n[[fit]]\nsystem = \"log\"\nmount = \"bow\"\ncount = {logs}\n");
            Design::read(&Source::new("kon.toml", &text)).unwrap()
        };
        let warm = load();
        let of = |rules: &Arc<Ruleset>, logs| evaluate(rules, &ship(logs), &Ship::default());
        let cells =
            |of: &Evaluation| of.tables.iter().map(|table| (table.id.clone(), table.rows.clone())).collect::<Vec<_>>();
        for logs in [2, 2, 3, 2] {
            let (known, fresh) = (of(&warm, logs), of(&load(), logs));
            assert_eq!((cells(&known), known.work()), (cells(&fresh), fresh.work()), "{logs}");
            assert_eq!(known.findings, fresh.findings);
            assert!(known.findings.iter().any(|finding| finding.message.contains("quotients")), "{:?}", known.findings);
        }
        assert!(!cells(&of(&warm, 2)).is_empty());
        assert_eq!(warm.known_grids.len(), 2, "one for each number of logs");
    }

    #[test]
    fn ships_of_one_job_may_have_less() {
        let (rules, design) = dear(10, 100, 100);
        let of = evaluate_within(&rules, &design, &Ship::default(), 1_000);
        assert!(of.is_cut_short() && work_findings(&of).len() == 1, "{:?}", of.findings);
        assert!(of.work() < 1_200, "{}", of.work());
    }

    #[test]
    fn looks_at_fits_count() {
        // No lists: each of a thousand values scans all fits.
        let values: String = (0..1_500)
            .map(|n| format!("[[value]]\nid = \"v{n}\"\nformula = \"{}\"\n", ["total('mass')"; 12].join(" + ")))
            .collect();
        let rules = format!(
            "[ruleset]\nid = \"raft\"\ntitle = \"Rafts\"\nversion = \"1\"\nschema = 1\n[attributes]\nmass = 1\n\
             [[mount]]\nid = \"deck\"\n[[system]]\nid = \"log\"\n{values}"
        );
        let rules = Arc::new(Ruleset::load(&Source::new("raft.toml", &rules)).0.unwrap());
        let fit = "[[fit]]\nsystem = \"log\"\nmount = \"deck\"\n";
        let text = format!("ruleset = \"raft\"\nname = \"Kon\"\n{}", fit.repeat(2_000));
        let of = evaluate(&rules, &Design::read(&Source::new("kon.toml", &text)).unwrap(), &Ship::default());
        assert!(of.is_cut_short(), "{}", of.work());
    }
}
