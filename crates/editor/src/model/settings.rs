//! Settings and what is remembered between runs: takes and gives the text of the settings file. Never touches the disk.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::RightPage;
use crate::preview::PreviewSettings;
use crate::printing::presets::{MAX_PRESETS, OwnPreset};
use crate::printing::settings::PrintSettings;
use crate::suggest::goals::KeptGoals;

/// Remembered from one run to the next. Every key is optional; unknown keys are ignored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    pub theme: Theme,
    /// Sheets are less bright in the dark theme.
    pub dim_paper: bool,
    /// Of the window, such as `de`; `None`: English, which it is written in.
    pub language: Option<String>,
    /// Percent of the normal size.
    pub scale: u32,
    pub window: Option<(u32, u32)>,
    pub library: bool,
    /// Name, notes and choices of a design take more than one line.
    pub identity: bool,
    /// What is shown on the right of a document.
    pub page: RightPage,
    pub sheet: PreviewSettings,
    pub pictures: bool,
    pub order: DesignOrder,
    /// The ids of the games that are played; empty: all. `None`: not asked yet.
    pub games: Option<BTreeSet<String>>,
    pub workspace: Option<PathBuf>,
    pub recent: Vec<PathBuf>,
    /// In the order of their tabs.
    pub tabs: Vec<PathBuf>,
    pub tab: Option<PathBuf>,
    /// In points.
    pub panels: PanelSizes,
    /// A TrueType font for letters that the bundled faces lack; used from the next start on.
    pub font: Option<PathBuf>,
    pub print: PrintSettings,
    pub print_presets: Vec<OwnPreset>,
    /// Of designs, by their files.
    pub goals: KeptGoals,
    /// Keys of the entries used in the palette, the last one first.
    pub palette: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PanelSizes {
    pub library: u32,
    /// Of sheet or odds; 0: what a form of two columns leaves.
    pub sheet: u32,
    /// In a wide window; 0: half of it.
    pub wide_sheet: u32,
    /// 0: a third of the page.
    pub inspector: u32,
}

impl Default for PanelSizes {
    fn default() -> Self {
        Self { library: 210, sheet: 0, wide_sheet: 0, inspector: 0 }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

/// How lists of designs are sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DesignOrder {
    #[default]
    Name,
    Points,
    Kind,
}

impl DesignOrder {
    pub const ALL: [(Self, &str); 3] = [(Self::Name, "by name"), (Self::Points, "by points"), (Self::Kind, "by kind")];

    /// Of a list that is sorted by name: unknown points come last, designs of a kind are sorted by points.
    pub fn sort_key(self, kind: &str, points: Option<i64>) -> (String, i64) {
        let kind = if self == Self::Kind { kind.to_owned() } else { String::new() };
        (kind, if self == Self::Name { 0 } else { points.unwrap_or(i64::MAX) })
    }
}

/// In percent.
pub const SCALES: [u32; 9] = [75, 90, 100, 110, 125, 150, 175, 200, 250];
pub const MAX_RECENT: usize = 12;
/// Used entries of the palette that are remembered.
pub const MAX_PALETTE_USED: usize = 40;

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: Theme::System,
            dim_paper: false,
            language: None,
            scale: 100,
            window: None,
            library: true,
            identity: false,
            page: RightPage::Sheet,
            sheet: PreviewSettings::default(),
            pictures: true,
            order: DesignOrder::Name,
            games: None,
            workspace: None,
            recent: Vec::new(),
            tabs: Vec::new(),
            tab: None,
            panels: PanelSizes::default(),
            font: None,
            print: PrintSettings::default(),
            print_presets: Vec::new(),
            goals: KeptGoals::default(),
            palette: Vec::new(),
        }
    }
}

impl Settings {
    /// Invalid values become defaults.
    ///
    /// # Errors
    /// The parser's message.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut read: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        read.scale = read.scale.clamp(SCALES[0], SCALES[SCALES.len() - 1]);
        read.recent.truncate(MAX_RECENT);
        read.sheet.clamp();
        read.goals.clamp();
        read.palette.truncate(MAX_PALETTE_USED);
        read.print_presets.truncate(MAX_PRESETS);
        Ok(read)
    }

    /// Whether a game's designs and rules are listed.
    pub fn plays(&self, game: &str) -> bool {
        self.games.as_ref().is_none_or(|games| games.is_empty() || games.contains(game))
    }

    /// At the first start.
    pub fn must_ask_for_games(&self) -> bool {
        self.games.is_none() && self.recent.is_empty()
    }

    pub fn to_text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    pub fn add_recent(&mut self, path: &std::path::Path) {
        self.recent.retain(|other| other != path);
        self.recent.insert(0, path.to_path_buf());
        self.recent.truncate(MAX_RECENT);
    }

    /// The next of [`SCALES`].
    pub fn step_scale(&mut self, larger: bool) {
        let next = if larger {
            SCALES.iter().find(|scale| **scale > self.scale)
        } else {
            SCALES.iter().rev().find(|scale| **scale < self.scale)
        };
        self.scale = next.copied().unwrap_or(self.scale);
    }
}
