//! Paper sizes by name or in figures, and margins: takes words (`a5`, `200x300mm`, `5,10`), gives lengths in
//! millimetres or explains why the words are wrong. Data only.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The area common to A4 and Letter, mm: a full-page template has this size, and is centred on either paper.
pub const FULL_SHEET_SIZE: (f32, f32) = (210.0, 279.4);

/// The part of it that a full page uses, mm: what printers reach on either paper.
pub const FULL_SHEET_AREA: (f32, f32) = (194.0, 263.0);

/// A paper size by its ISO 216 or trade name, or in figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Paper {
    /// 210 × 297 mm.
    #[default]
    A4,
    /// 8.5 × 11 inches.
    Letter,
    /// 148 × 210 mm.
    A5,
    /// 297 × 420 mm.
    A3,
    /// 8.5 × 14 inches.
    Legal,
    /// 11 × 17 inches.
    Tabloid,
    /// Any other size.
    Custom(CustomSize),
}

/// Width and height of a paper without a name, always within [`Paper::SIDE_LIMITS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CustomSize {
    /// In hundredths of a millimetre.
    width: u32,
    height: u32,
}

impl Paper {
    /// Every size that has a name.
    pub const ALL: [Self; 6] = [Self::A4, Self::Letter, Self::A5, Self::A3, Self::Legal, Self::Tabloid];
    /// The shortest and the longest side of a paper, mm: from an index card to a roll of A0.
    pub const SIDE_LIMITS: (f32, f32) = (70.0, 1200.0);

    /// A paper of this size in millimetres; one with a name if the size matches.
    ///
    /// # Errors
    /// Explains which side is out of range.
    pub fn from_mm(width: f32, height: f32) -> Result<Self, String> {
        let (least, most) = Self::SIDE_LIMITS;
        for side in [width, height] {
            if !(least..=most).contains(&side) {
                return Err(format!("expected paper of {least} to {most} mm, found {width} × {height} mm"));
            }
        }
        let named = Self::ALL.into_iter().find(|paper| {
            let (w, h) = paper.size();
            (w - width).abs() < 0.05 && (h - height).abs() < 0.05
        });
        let hundredths = |mm: f32| (mm * 100.0).round() as u32;
        Ok(named.unwrap_or(Self::Custom(CustomSize { width: hundredths(width), height: hundredths(height) })))
    }

    /// Its name: `A5`, `200 × 300 mm`.
    pub fn name(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::A4 => "A4",
            Self::Letter => "Letter",
            Self::A5 => "A5",
            Self::A3 => "A3",
            Self::Legal => "Legal",
            Self::Tabloid => "Tabloid",
            Self::Custom(_) => {
                let (width, height) = self.size();
                return Cow::Owned(format!("{} × {} mm", format_mm(width), format_mm(height)));
            }
        })
    }

    /// The paper's name on the command line and in files: `a5`, `200x300mm`.
    pub fn id(self) -> String {
        match self {
            Self::Custom(_) => {
                let (width, height) = self.size();
                format!("{}x{}mm", format_mm(width), format_mm(height))
            }
            named => named.name().to_ascii_lowercase(),
        }
    }

    /// Width and height in millimetres.
    pub fn size(self) -> (f32, f32) {
        match self {
            Self::A4 => (210.0, 297.0),
            Self::Letter => (215.9, 279.4),
            Self::A5 => (148.0, 210.0),
            Self::A3 => (297.0, 420.0),
            Self::Legal => (215.9, 355.6),
            Self::Tabloid => (279.4, 431.8),
            Self::Custom(CustomSize { width, height }) => (width as f32 / 100.0, height as f32 / 100.0),
        }
    }
}

impl fmt::Display for Paper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

impl FromStr for Paper {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let plain = text.trim().to_ascii_lowercase().replace(' ', "");
        if let Some(named) = Self::ALL.into_iter().find(|paper| paper.id() == plain) {
            return Ok(named);
        }
        let names = || Self::ALL.map(Self::id).join(", ");
        let not = || format!("expected one of {}, or a size such as 200x300mm or 8x10in", names());
        let (figures, unit) = [("mm", 1.0), ("cm", 10.0), ("in", 25.4), ("\"", 25.4)]
            .into_iter()
            .find_map(|(word, unit)| Some((plain.strip_suffix(word)?, unit)))
            .map_or((&*plain, None), |(figures, unit)| (figures, Some(unit)));
        let (width, height) = figures.split_once(['x', '×', '*']).ok_or_else(not)?;
        let side = |text: &str| text.parse::<f32>().ok().filter(|side| side.is_finite());
        let (Some(width), Some(height)) = (side(width), side(height)) else { return Err(not()) };
        let unit = unit.ok_or_else(|| format!("missing unit: use {figures}mm or {figures}in"))?;
        Self::from_mm(width * unit, height * unit)
    }
}

impl From<String> for Paper {
    /// Unreadable text gives the default paper, so that a settings file is not discarded for it.
    fn from(text: String) -> Self {
        text.parse().unwrap_or_default()
    }
}

impl From<Paper> for String {
    fn from(paper: Paper) -> Self {
        paper.id()
    }
}

/// A length without trailing zeros.
pub(in crate::sheet) fn format_mm(mm: f32) -> String {
    let text = format!("{mm:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Space kept free at the edges of the paper, mm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Margins {
    /// Top margin.
    pub top: f32,
    /// Right margin.
    pub right: f32,
    /// Bottom margin.
    pub bottom: f32,
    /// Left margin.
    pub left: f32,
}

impl Margins {
    /// The largest margin allowed, mm.
    pub const MAX: f32 = 50.0;

    /// The same on all sides.
    pub const fn all(mm: f32) -> Self {
        Self { top: mm, right: mm, bottom: mm, left: mm }
    }

    /// With each margin brought within the allowed range.
    #[must_use]
    pub fn clamped(self) -> Self {
        let clamp_finite = |mm: f32| if mm.is_finite() { mm.clamp(0.0, Self::MAX) } else { 0.0 };
        Self {
            top: clamp_finite(self.top),
            right: clamp_finite(self.right),
            bottom: clamp_finite(self.bottom),
            left: clamp_finite(self.left),
        }
    }

    /// Whether all four are the same.
    pub fn is_uniform(self) -> bool {
        self == Self::all(self.top)
    }

    /// For the paper turned by a quarter, clockwise: the left margin becomes the top one.
    #[must_use]
    pub fn rotated(self) -> Self {
        Self { top: self.left, right: self.top, bottom: self.right, left: self.bottom }
    }
}

impl fmt::Display for Margins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_uniform() {
            write!(f, "{}", format_mm(self.top))
        } else {
            write!(
                f,
                "{},{},{},{}",
                format_mm(self.top),
                format_mm(self.right),
                format_mm(self.bottom),
                format_mm(self.left)
            )
        }
    }
}

impl FromStr for Margins {
    type Err = String;

    /// `5` for all sides, `5,10` for top and bottom, then the sides, `5,10,5,10` clockwise from the top.
    fn from_str(text: &str) -> Result<Self, String> {
        let side = |text: &str| text.trim().parse::<f32>().ok().filter(|mm| (0.0..=Self::MAX).contains(mm));
        let sides: Option<Vec<f32>> = text.split(',').map(side).collect();
        match sides.as_deref() {
            Some([all]) => Ok(Self::all(*all)),
            Some([ends, sides]) => Ok(Self { top: *ends, right: *sides, bottom: *ends, left: *sides }),
            Some([top, right, bottom, left]) => Ok(Self { top: *top, right: *right, bottom: *bottom, left: *left }),
            _ => Err(format!(
                "expected margins in mm from 0 to {}: one for all sides, or four clockwise from the top, such as 5 or 5,6,12,6",
                Self::MAX
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn papers_are_read_and_written() {
        for paper in Paper::ALL {
            assert_eq!(paper.id().parse(), Ok(paper));
            assert_eq!(paper.name().parse(), Ok(paper));
            assert_eq!(serde_json::from_str::<Paper>(&serde_json::to_string(&paper).unwrap()).unwrap(), paper);
        }
        assert_eq!("8.5x11in".parse(), Ok(Paper::Letter));
        assert_eq!("297 × 420 mm".parse(), Ok(Paper::A3));
        let photo: Paper = "4x6\"".parse().unwrap();
        assert_eq!((photo.size(), &*photo.name(), &*photo.id()), ((101.6, 152.4), "101.6 × 152.4 mm", "101.6x152.4mm"));
        assert_eq!(photo.id().parse(), Ok(photo));
        assert_eq!("20x30cm".parse::<Paper>().unwrap().size(), (200.0, 300.0));
        for (wrong, why) in [
            ("", "expected one of"),
            ("a6", "a4, letter"),
            ("200x300", "200x300mm or"),
            ("200mm", "expected one of"),
            ("x300mm", "expected one of"),
            ("60x300mm", "70 to 1200"),
            ("200x1300mm", "70 to 1200"),
            ("nanx300mm", "expected one of"),
            ("1e9x1e9in", "70 to 1200"),
        ] {
            let message = wrong.parse::<Paper>().unwrap_err();
            assert!(message.contains(why), "{wrong}: {message}");
        }
        // Values written by older programs, and by none.
        assert_eq!(serde_json::from_str::<Paper>("\"letter\"").unwrap(), Paper::Letter);
        assert_eq!(serde_json::from_str::<Paper>("\"vellum\"").unwrap(), Paper::A4);
    }

    #[test]
    fn margins_are_read_and_written() {
        let sides = Margins { top: 5.0, right: 6.5, bottom: 12.0, left: 0.0 };
        for margins in [Margins::all(4.2), sides] {
            assert_eq!(margins.to_string().parse(), Ok(margins));
        }
        assert_eq!("5,10".parse(), Ok(Margins { top: 5.0, right: 10.0, bottom: 5.0, left: 10.0 }));
        assert_eq!(sides.rotated().rotated().rotated().rotated(), sides);
        for wrong in ["", "-1", "51", "1,2,3", "nan", "5mm", "1,2,3,4,5"] {
            assert!(wrong.parse::<Margins>().is_err(), "{wrong}");
        }
    }
}
