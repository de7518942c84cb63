//! Presets of the print room: the program's and the user's own. Take print settings, give others.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::printing::settings::PrintSettings;
use moldloft_export::export::TextMode;
use moldloft_library::print::{PackPart, PrintKind};
use moldloft_sheet::sheet::{Backs, NUp};

/// The most presets that are kept.
pub const MAX_PRESETS: usize = 30;
/// In characters.
pub const MAX_PRESET_NAME: usize = 40;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrintPreset {
    ClubNight,
    Tablet,
    BlackAndWhite,
    LargePrint,
}

impl PrintPreset {
    pub const ALL: [Self; 4] = [Self::ClubNight, Self::Tablet, Self::BlackAndWhite, Self::LargePrint];

    pub const fn name(self) -> &'static str {
        match self {
            Self::ClubNight => "Club night",
            Self::Tablet => "Tablet",
            Self::BlackAndWhite => "Black and white",
            Self::LargePrint => "Large print",
        }
    }

    pub const fn about(self) -> &'static str {
        match self {
            Self::ClubNight => "In colour on both sides: sheets and chits, a fleet with all its parts",
            Self::Tablet => "A form to fill in on the screen: sheets without chits, no blank backs",
            Self::BlackAndWhite => "As for a club night, in grey",
            Self::LargePrint => "As for a club night, no box under 4.1 mm, letters about a third larger",
        }
    }

    /// Paper, margins, printer, copies and the file's place stay; of a fleet, which has parts, also what is printed.
    pub fn apply(self, settings: &PrintSettings, is_fleet: bool) -> PrintSettings {
        let keeps_kind = is_fleet || settings.what.sheet_kind().is_some();
        let what = |what: PrintKind| if keeps_kind { settings.what } else { what };
        let club = PrintSettings {
            what: what(PrintKind::SheetsAndCounters),
            format: "pdf".into(),
            page_setup: settings.page_setup.up(NUp::Auto),
            grey: false,
            large_print: false,
            qr: false,
            loads: false,
            rulers: false,
            transparent: false,
            lettering: TextMode::Outlined,
            backs: Backs::Duplex,
            parts: BTreeSet::new(),
            single_sided: false,
            form: false,
            ..settings.clone()
        };
        match self {
            Self::ClubNight => club,
            Self::Tablet => PrintSettings {
                what: what(PrintKind::Sheets),
                page_setup: settings.page_setup.up(NUp::One),
                backs: Backs::None,
                parts: BTreeSet::from([PackPart::Roster, PackPart::Sheets, PackPart::Reference]),
                single_sided: true,
                form: true,
                copies: 1,
                ..club
            },
            Self::BlackAndWhite => PrintSettings { grey: true, ..club },
            Self::LargePrint => PrintSettings { large_print: true, ..club },
        }
    }
}

/// Print settings that the user named.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct OwnPreset {
    pub name: String,
    pub settings: PrintSettings,
}

impl OwnPreset {
    /// The folder, and whether the file is opened, stay.
    pub fn apply(&self, settings: &PrintSettings) -> PrintSettings {
        PrintSettings { folder: settings.folder.clone(), view: settings.view, ..self.settings.clone() }
    }
}

/// Adds a preset or replaces the one of its name. False if the name is empty or there are too many.
pub fn keep_preset(presets: &mut Vec<OwnPreset>, name: &str, settings: &PrintSettings) -> bool {
    let name: String = name.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_PRESET_NAME).collect();
    let is_same = |preset: &OwnPreset| preset.name.to_lowercase() == name.to_lowercase();
    if name.is_empty() || (presets.len() >= MAX_PRESETS && !presets.iter().any(is_same)) {
        return false;
    }
    let settings = PrintSettings { folder: None, ..settings.clone() };
    presets.retain(|preset| !is_same(preset));
    presets.push(OwnPreset { name, settings });
    presets.sort_by_key(|preset| preset.name.to_lowercase());
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use moldloft_sheet::sheet::Paper;

    #[test]
    fn a_preset_keeps_the_paper_and_the_copies() {
        let settings = PrintSettings { page_setup: Paper::Letter.into(), copies: 3, ..PrintSettings::default() };
        let grey = PrintPreset::BlackAndWhite.apply(&settings, false);
        assert!(grey.grey && grey.page_setup.paper == Paper::Letter && grey.copies == 3);
        assert_eq!(PrintPreset::BlackAndWhite.apply(&grey, false), grey, "twice is the same");
        let tablet = PrintPreset::Tablet.apply(&grey, false);
        assert!(tablet.form && !tablet.grey && tablet.copies == 1);
        let blank = PrintSettings { what: PrintKind::Blank, ..settings };
        assert_eq!(PrintPreset::LargePrint.apply(&blank, false).what, PrintKind::Blank);
    }

    #[test]
    fn own_presets_have_one_name_each() {
        let mut presets = Vec::new();
        let settings = PrintSettings { copies: 2, ..PrintSettings::default() };
        assert!(!keep_preset(&mut presets, "  ", &settings));
        assert!(keep_preset(&mut presets, " At  home ", &settings));
        assert!(keep_preset(&mut presets, "AT HOME", &PrintSettings::default()));
        assert_eq!(
            presets.iter().map(|preset| (&*preset.name, preset.settings.copies)).collect::<Vec<_>>(),
            [("AT HOME", 1)]
        );
        for n in 0..2 * MAX_PRESETS {
            keep_preset(&mut presets, &format!("preset {n}"), &settings);
        }
        assert_eq!(presets.len(), MAX_PRESETS);
    }
}
