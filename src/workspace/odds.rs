//! What ships do to one another: takes two checked ships and what is asked, gives exact figures, words and files.

use std::path::Path;

use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_library::print::{ChartOptions, odds_files};
use moldloft_odds::odds::{self, Figures, Odds, OddsRequest, OddsRow};

use super::{CheckedShip, Error};

impl CheckedShip {
    /// Works out what this ship's weapons do to `target`, and what it does in return. What cannot be worked out is a
    /// [finding](ShipOdds::findings); what the attacks of the rules do not use is [not counted](ShipOdds::not_counted).
    ///
    /// # Errors
    /// `no-odds` when the rules declare no attacks; `unknown-situation`, `unknown-option`, `wrong-situation`,
    /// `value-out-of-range`, `no-axis`, `no-choice` or `unknown-attack` for what `request` says.
    pub fn odds(&self, target: &Self, request: &OddsRequest) -> Result<ShipOdds, Error> {
        let rules = &self.evaluation.ruleset;
        if rules.attack_rules.attacks.is_empty() {
            let message = format!("the rules of {} declare no attacks", rules.id);
            return Err(Finding::error("no-odds", message).into());
        }
        let question = request.question(&rules.attack_rules)?;
        Ok(ShipOdds(odds::work_out(&self.evaluation, &target.evaluation, &question)))
    }
}

/// The odds of one ship against another. Rolls are counted, not sampled; [`claim`](Self::claim) says how exact the figures are.
#[derive(Clone, Debug)]
pub struct ShipOdds(Odds);

impl ShipOdds {
    /// What all that bears does to the gauge that puts a ship out. `None` where it does nothing, or could not be worked
    /// out; a finding then says why.
    #[must_use]
    pub fn figures(&self) -> Option<Figures> {
        if self.0.failed { None } else { self.0.headline_of(&self.0.all).map(odds::figures) }
    }

    /// A row for each attack, at most 40, and one for all that bears; with the words of a table.
    #[must_use]
    pub fn rows(&self) -> Vec<OddsRow> {
        odds::figure_rows(&self.0).0
    }

    /// Points destroyed for each point lost, at equal points; 1 is even. `None` where the target does nothing in return.
    #[must_use]
    pub fn trade(&self) -> Option<f64> {
        self.0.trade
    }

    /// What could not be worked out, and why.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.0.findings
    }

    /// How exact the figures are, in words: `Exact: every roll counted, none thrown.`, or how far they may be off.
    #[must_use]
    pub fn claim(&self) -> String {
        odds::words::exactness(&self.0)
    }

    /// What the figures leave out, such as a weapon that no attack of the rules uses.
    pub fn not_counted(&self) -> impl Iterator<Item = &str> {
        self.0.not_counted.iter().map(|words| &**words)
    }

    /// All figures as text, with what they rest on.
    #[must_use]
    pub fn to_text(&self) -> String {
        odds::odds_text(&self.0, true)
    }

    /// All figures as a JSON object, of the shape that `moldloft odds --json` prints.
    #[must_use]
    pub fn to_json(&self) -> String {
        odds::odds_json(&self.0).to_string()
    }

    /// Writes a chart as `.svg`, `.pdf` or `.png`, or a table as `.csv`. An existing file is replaced, except a filled form.
    ///
    /// # Errors
    /// `unknown-format`; `form-filled-in`; `unwritable`.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let progress = Progress::default();
        let files = odds_files(path.as_ref().to_owned(), &[&self.0], &ChartOptions::default(), &progress)?;
        Ok(files.save_unless_kept(&progress)?)
    }
}
