//! What a player chose about the preview, remembered in the settings: which pages, on which paper, how large. Data only.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::sheet::Paper;

/// How sheets are shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PreviewSettings {
    /// Which pages.
    pub view: PreviewMode,
    /// On which paper.
    pub paper: Paper,
    /// Colours as greys.
    pub grey: bool,
    /// Every box and letter 1.3 times as large.
    pub large_print: bool,
    /// The sheet chosen for a ruleset's designs, by the ids of both.
    pub sheets: BTreeMap<String, String>,
    /// How large.
    pub zoom: Zoom,
    /// How many thousandths of its nominal length a millimetre is long on this screen.
    pub calibration: u32,
}

impl Default for PreviewSettings {
    fn default() -> Self {
        Self {
            view: PreviewMode::Sheet,
            paper: Paper::A4,
            grey: false,
            large_print: false,
            sheets: BTreeMap::new(),
            zoom: Zoom::FitWidth,
            calibration: NOMINAL_CALIBRATION,
        }
    }
}

/// A screen that is what it says.
pub const NOMINAL_CALIBRATION: u32 = 1000;

/// Which pages are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PreviewMode {
    /// The ship's own.
    #[default]
    Sheet,
    /// Her counters.
    Chits,
    /// The game's tables.
    Reference,
    /// Her sheet without a ship on it.
    Empty,
}

impl PreviewMode {
    /// All, in order.
    pub const ALL: [Self; 4] = [Self::Sheet, Self::Chits, Self::Reference, Self::Empty];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sheet => "Sheet",
            Self::Chits => "Chits",
            Self::Reference => "Reference",
            Self::Empty => "Blank sheet",
        }
    }
}

/// How large pages are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Zoom {
    /// As wide as there is room.
    #[default]
    FitWidth,
    /// A whole page in sight.
    FitPage,
    /// In hundredths of its true size.
    Percent(f32),
}

/// The sizes that larger and smaller step through, in hundredths.
pub const ZOOM_STEPS: [f32; 11] = [25.0, 33.0, 50.0, 67.0, 75.0, 100.0, 125.0, 150.0, 200.0, 300.0, 400.0];

impl Zoom {
    /// A size within what is offered.
    pub fn percent(percent: f32) -> Self {
        let percent = if percent.is_finite() { percent } else { 100.0 };
        Self::Percent(percent.clamp(ZOOM_STEPS[0], ZOOM_STEPS[ZOOM_STEPS.len() - 1]))
    }

    /// The next size beside this one.
    pub fn step(now: f32, larger: bool) -> Self {
        let next = if larger {
            ZOOM_STEPS.iter().find(|step| **step > now + 0.5)
        } else {
            ZOOM_STEPS.iter().rev().find(|step| **step < now - 0.5)
        };
        Self::percent(next.copied().unwrap_or(now))
    }
}

/// A change of how sheets are shown.
#[derive(Clone, Debug, PartialEq)]
pub enum PreviewChange {
    /// Which pages.
    View(PreviewMode),
    /// On which paper.
    Paper(Paper),
    /// Colours as greys or not.
    Grey(bool),
    /// Large print or not.
    LargePrint(bool),
    /// Which sheet the designs of a ruleset are shown on; `None`: the one the ruleset chooses.
    Sheet {
        /// The ruleset.
        ruleset: String,
        /// The sheet.
        sheet: Option<String>,
    },
    /// How large.
    Zoom(Zoom),
    /// A step larger or smaller.
    Step {
        /// Larger.
        larger: bool,
    },
    /// How long a millimetre is, in thousandths of its nominal length.
    Calibration(u32),
}

impl PreviewSettings {
    /// Carries a change out; `now` is the size shown, in hundredths.
    pub fn apply_change(&mut self, change: PreviewChange, now: f32) {
        match change {
            PreviewChange::View(view) => self.view = view,
            PreviewChange::Paper(paper) => self.paper = paper,
            PreviewChange::Grey(grey) => self.grey = grey,
            PreviewChange::LargePrint(large) => self.large_print = large,
            PreviewChange::Sheet { ruleset, sheet: Some(sheet) } => {
                self.sheets.insert(ruleset, sheet);
            }
            PreviewChange::Sheet { ruleset, sheet: None } => {
                self.sheets.remove(&ruleset);
            }
            PreviewChange::Zoom(Zoom::Percent(percent)) => self.zoom = Zoom::percent(percent),
            PreviewChange::Zoom(zoom) => self.zoom = zoom,
            PreviewChange::Step { larger } => self.zoom = Zoom::step(now, larger),
            PreviewChange::Calibration(thousandths) => self.calibration = thousandths,
        }
        self.clamp();
    }

    /// Brings odd numbers of a settings file within bounds.
    pub fn clamp(&mut self) {
        self.calibration = self.calibration.clamp(400, 2_500);
        if let Zoom::Percent(percent) = self.zoom {
            self.zoom = Zoom::percent(percent);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_step_and_stay_within_bounds() {
        assert_eq!(Zoom::step(100.0, true), Zoom::Percent(125.0));
        assert_eq!(Zoom::step(100.0, false), Zoom::Percent(75.0));
        assert_eq!(Zoom::step(108.0, false), Zoom::Percent(100.0));
        assert_eq!(Zoom::step(400.0, true), Zoom::Percent(400.0));
        assert_eq!(Zoom::step(25.0, false), Zoom::Percent(25.0));
        assert_eq!(Zoom::percent(f32::NAN), Zoom::Percent(100.0));
        assert_eq!(Zoom::percent(1e9), Zoom::Percent(400.0));
    }

    #[test]
    fn a_choice_is_remembered() {
        let mut choice = PreviewSettings::default();
        choice.apply_change(PreviewChange::Sheet { ruleset: "a".into(), sheet: Some("b".into()) }, 100.0);
        choice.apply_change(PreviewChange::Zoom(Zoom::Percent(150.0)), 100.0);
        choice.apply_change(PreviewChange::Calibration(1), 100.0);
        assert_eq!(choice.calibration, 400);
        let text = serde_json::to_string(&choice).unwrap();
        assert_eq!(serde_json::from_str::<PreviewSettings>(&text).unwrap(), choice);
        assert_eq!(serde_json::from_str::<PreviewSettings>("{}").unwrap(), PreviewSettings::default());
    }
}
