//! A goal about odds: takes a text such as `odds.missiles.structure >= 7.5`, gives the figure and the number that it is compared with.

use std::sync::Arc;

use crate::odds::Measure;
use moldloft_base::finding::{Finding, QuestionPart};
use moldloft_base::sanitize::shorten;
use moldloft_rules::ruleset::AttackRules;

/// Figures are compared in steps of 10⁻⁹: what is nearer is equal.
pub const FIGURE_STEPS: f64 = 1e9;
/// `odds.missiles.structure >= 7.5`
#[derive(Clone, Debug)]
pub struct OddsGoal {
    pub text: Arc<str>,
    pub measure: Measure,
    comparison: Comparison,
    number: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Less,
    AtMost,
    AtLeast,
    More,
}

impl OddsGoal {
    /// # Errors
    /// `goal-not-a-condition` for a text without a comparison and a number; those of [`Measure::parse`].
    pub fn parse(rules: &AttackRules, text: &str) -> Result<Self, Finding> {
        const SIGNS: [(&str, Comparison); 4] =
            [(">=", Comparison::AtLeast), ("<=", Comparison::AtMost), (">", Comparison::More), ("<", Comparison::Less)];
        let parts = SIGNS.iter().find_map(|(sign, comparison)| Some((text.split_once(sign)?, *comparison)));
        let wrong = || {
            let message = format!("expected a condition such as `odds.all >= 7.5`, found `{}`", shorten(text, 60));
            Finding::error("goal-not-a-condition", message)
                .help("compare a figure of odds with a number")
                .asked_in(QuestionPart::Goal)
        };
        let ((name, number), comparison) = parts.ok_or_else(wrong)?;
        let number = number.trim().parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(wrong)?;
        let measure = Measure::parse(rules, name)?;
        Ok(Self { text: text.trim().into(), measure, comparison, number })
    }

    /// `None` never holds.
    pub fn holds(&self, figure: Option<f64>) -> bool {
        let Some(figure) = figure else { return false };
        let above = steps(figure).cmp(&steps(self.number));
        match self.comparison {
            Comparison::Less => above.is_lt(),
            Comparison::AtMost => above.is_le(),
            Comparison::AtLeast => above.is_ge(),
            Comparison::More => above.is_gt(),
        }
    }
}

/// A figure in steps of [`FIGURE_STEPS`].
#[expect(clippy::cast_possible_truncation, reason = "figures are means of boxes; a cast of what is larger saturates")]
pub fn steps(figure: f64) -> i64 {
    (figure * FIGURE_STEPS).round() as i64
}
