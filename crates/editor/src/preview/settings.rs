//! Preview settings: pages, paper, zoom. Data only.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::with_kinds;
use moldloft_sheet::sheet::Paper;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PreviewSettings {
    pub view: PreviewMode,
    pub paper: Paper,
    pub grey: bool,
    /// The smallest boxes and letters are 1.3 times as large.
    pub large_print: bool,
    /// By ruleset id: the id of the chosen sheet.
    pub sheets: BTreeMap<String, String>,
    pub zoom: Zoom,
    /// Length of a millimetre on this screen, in thousandths of the reported one.
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

pub const NOMINAL_CALIBRATION: u32 = 1000;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PreviewMode {
    #[default]
    Sheet,
    Chits,
    Reference,
    Empty,
}

impl PreviewMode {
    pub const ALL: [Self; 4] = [Self::Sheet, Self::Chits, Self::Reference, Self::Empty];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Sheet => "Sheet",
            Self::Chits => "Chits",
            Self::Reference => "Reference",
            Self::Empty => "Blank sheet",
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Zoom {
    #[default]
    FitWidth,
    FitPage,
    Percent(f32),
}

impl PreviewChange {
    pub fn is_zoom(&self) -> bool {
        matches!(self, Self::Zoom(_) | Self::Step { .. })
    }
}

/// In percent.
pub const ZOOM_STEPS: [f32; 11] = [25.0, 33.0, 50.0, 67.0, 75.0, 100.0, 125.0, 150.0, 200.0, 300.0, 400.0];

impl Zoom {
    pub fn percent(percent: f32) -> Self {
        let percent = if percent.is_finite() { percent } else { 100.0 };
        Self::Percent(percent.clamp(ZOOM_STEPS[0], ZOOM_STEPS[ZOOM_STEPS.len() - 1]))
    }

    pub fn step(now: f32, larger: bool) -> Self {
        let next = if larger {
            ZOOM_STEPS.iter().find(|step| **step > now + 0.5)
        } else {
            ZOOM_STEPS.iter().rev().find(|step| **step < now - 0.5)
        };
        Self::percent(next.copied().unwrap_or(now))
    }
}

with_kinds! {
    #[derive(Clone, Debug, PartialEq)]
    pub enum PreviewChange as PreviewChangeKind {
        View(PreviewMode),
        Paper(Paper),
        Grey(bool),
        LargePrint(bool),
        /// `None`: the sheet that the ruleset chooses.
        Sheet { ruleset: String, sheet: Option<String> },
        Zoom(Zoom),
        Step { larger: bool },
        /// In thousandths.
        Calibration(u32),
    }
}

impl PreviewSettings {
    /// `percent` is the current zoom.
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
