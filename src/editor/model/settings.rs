//! What a player set and the program remembers: takes and gives the text of the settings file. Never touches the disk.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::editor::preview::PreviewSettings;

use super::print::PrintSettings;

/// What is remembered from one start to the next. Every key may be missing; unknown ones are passed over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Light, dark, or as the system has it.
    pub theme: Theme,
    /// Size of everything, in hundredths: 100 is the plain size.
    pub scale: u32,
    /// Width and height of the window.
    pub window: Option<(u32, u32)>,
    /// Whether the library stands beside the design.
    pub library: bool,
    /// How sheets are shown.
    pub sheet: PreviewSettings,
    /// Whether the start page shows pictures rather than a list.
    pub pictures: bool,
    /// The workspace opened last.
    pub workspace: Option<PathBuf>,
    /// Files opened lately, the last one first.
    pub recent: Vec<PathBuf>,
    /// Files open when the program was left, in the order of their tabs.
    pub tabs: Vec<PathBuf>,
    /// Which of them was before the player.
    pub tab: Option<PathBuf>,
    /// How wide and high the parts of the window are, in points.
    pub panels: PanelSizes,
    /// A TrueType font for letters that the bundled faces lack, used from the next start on.
    pub font: Option<PathBuf>,
    /// How designs are printed.
    pub print: PrintSettings,
}

/// How wide and high the parts of the window are, in points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PanelSizes {
    /// Width of the library.
    pub library: u32,
    /// Width of the sheet and of what stands below it.
    pub sheet: u32,
    /// Height of what stands below the sheet.
    pub inspector: u32,
}

impl Default for PanelSizes {
    fn default() -> Self {
        Self { library: 210, sheet: 430, inspector: 270 }
    }
}

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Theme {
    /// As the system has it.
    #[default]
    System,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// The scales that the menu steps through, in hundredths.
pub const SCALES: [u32; 9] = [75, 90, 100, 110, 125, 150, 175, 200, 250];
/// Files remembered as recent.
pub const MAX_RECENT: usize = 12;

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: Theme::System,
            scale: 100,
            window: None,
            library: true,
            sheet: PreviewSettings::default(),
            pictures: true,
            workspace: None,
            recent: Vec::new(),
            tabs: Vec::new(),
            tab: None,
            panels: PanelSizes::default(),
            font: None,
            print: PrintSettings::default(),
        }
    }
}

impl Settings {
    /// Reads the settings file's text; what cannot be used is left at its default.
    ///
    /// # Errors
    /// The parser's words when the text is no settings file.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut read: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        read.scale = read.scale.clamp(SCALES[0], SCALES[SCALES.len() - 1]);
        read.recent.truncate(MAX_RECENT);
        read.sheet.clamp();
        Ok(read)
    }

    /// The settings file's text.
    pub fn to_text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Puts a file at the head of the recent ones.
    pub fn add_recent(&mut self, path: &std::path::Path) {
        self.recent.retain(|other| other != path);
        self.recent.insert(0, path.to_path_buf());
        self.recent.truncate(MAX_RECENT);
    }

    /// The next scale of the menu's, larger or smaller.
    pub fn step_scale(&mut self, larger: bool) {
        let next = if larger {
            SCALES.iter().find(|scale| **scale > self.scale)
        } else {
            SCALES.iter().rev().find(|scale| **scale < self.scale)
        };
        self.scale = next.copied().unwrap_or(self.scale);
    }
}
