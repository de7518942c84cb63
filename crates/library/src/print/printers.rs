//! Measured faults of printers: takes measurements, gives corrections for the page setup, a description, and the text
//! of a file. The caller chooses the file's folder.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::store;
use moldloft_base::finding::{Advice, Finding};
use moldloft_sheet::sheet::{DuplexEdge, Margins, PageSetup, Paper, PrinterScale, calibration};

use super::MAX_OFFSET;

/// The name of the file with the printers.
pub const PRINTERS_FILE: &str = "printers.json";
/// Of the file format.
const VERSION: u32 = 1;
/// More than anybody has; bounds the file.
const MAX_PRINTERS: usize = 100;
/// In characters.
const MAX_NAME: usize = 60;
/// The accepted ratio of printed to true length; anything else is an error in measuring.
const SCALE_RANGE: (f32, f32) = (0.8, 1.25);

/// A measured printer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Printer {
    /// The owner's name for it.
    pub name: String,
    /// The paper that was measured.
    pub paper: Paper,
    /// Printed length / true length, across and down the paper.
    pub prints: (f32, f32),
    /// The correction of second sides, in mm to the right and down.
    pub back: (f32, f32),
    /// The edge at which the paper was turned when measured.
    pub turn: DuplexEdge,
    /// White edges in mm.
    pub margin: Option<Margins>,
    /// Keys of newer programs, kept unchanged.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

impl Default for Printer {
    fn default() -> Self {
        Self {
            name: String::new(),
            paper: Paper::A4,
            prints: (1.0, 1.0),
            back: (0.0, 0.0),
            turn: DuplexEdge::Long,
            margin: None,
            more: Map::new(),
        }
    }
}

/// What was measured on a calibration page; what was not measured stays as it was.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeasuredPrinter {
    /// Of the rulers, across and down, in mm.
    pub lengths: Option<(f32, f32)>,
    /// Position of the cross on the scales of the back, in mm.
    pub back: Option<(f32, f32)>,
    pub margin: Option<Margins>,
    pub turn: Option<DuplexEdge>,
}

impl Printer {
    /// Sets the scale from the measured lengths of the calibration page's rulers, in mm.
    ///
    /// # Errors
    /// `not-a-measurement` for impossible lengths.
    pub fn set_measurements(&mut self, paper: Paper, (across, down): (f32, f32)) -> Result<(), Finding> {
        let (due_across, due_down) = calibration::ruler_lengths(paper);
        let share = |is: f32, due: f32, way: &str| {
            let share = is / due;
            if (SCALE_RANGE.0..=SCALE_RANGE.1).contains(&share) {
                return Ok(share);
            }
            let message = format!("invalid length {is} mm for a ruler of {due} mm {way}");
            let help = if (SCALE_RANGE.0..=SCALE_RANGE.1).contains(&(share * 10.0)) {
                "use millimetres, not centimetres".to_owned()
            } else {
                format!(
                    "on {paper} paper the rulers are {due_across} mm across and {due_down} mm down: measure both from end to end in mm, such as {}x{}",
                    due_across - 3.5,
                    due_down - 2.0
                )
            };
            Err(Finding::error("not-a-measurement", message).help(help))
        };
        self.prints = (share(across, due_across, "across")?, share(down, due_down, "down")?);
        self.paper = paper;
        Ok(())
    }

    /// Sets the corrections in a page setup. Options that are set already are kept.
    pub fn apply_to(&self, page_setup: &mut PageSetup) {
        let (across, down) = self.prints;
        page_setup.printer_scale = Some(PrinterScale { scale: (1.0 / across, 1.0 / down) });
        // When the paper is turned at the other edge, the offset is reversed.
        let sign = if page_setup.turn == self.turn { 1.0 } else { -1.0 };
        if page_setup.offset == (0.0, 0.0) {
            page_setup.offset = (sign * self.back.0, sign * self.back.1);
        }
        if let (None, Some(margin)) = (page_setup.margins, self.margin) {
            let usual = PageSetup::default_margins(page_setup.paper);
            let wide =
                [margin.top, margin.right, margin.bottom, margin.left].into_iter().fold(0.0, f32::max) > usual.top;
            // The default margins suffice unless the printer leaves more white.
            page_setup.margins = wide.then_some(Margins {
                top: margin.top.max(usual.top),
                right: margin.right.max(usual.right),
                bottom: margin.bottom.max(usual.bottom),
                left: margin.left.max(usual.left),
            });
        }
    }

    /// The fault and the correction: `prints 98.3 % across: pages are made 1.8 % wider`.
    pub fn summary(&self) -> String {
        let mut words = Vec::new();
        let (across, down) = self.prints;
        for (share, way, more, less) in [(across, "across", "wider", "narrower"), (down, "down", "higher", "lower")] {
            let by = 100.0 / share - 100.0;
            words.push(if by.abs() < 0.05 {
                format!("prints 100 % {way}")
            } else {
                let what = if by > 0.0 { more } else { less };
                format!("prints {:.1} % {way}: pages made {:.1} % {what}", (share * 1000.0).round() / 10.0, by.abs())
            });
        }
        let part = |mm: f32, more: &str, less: &str| {
            (mm != 0.0).then(|| format!("{} mm {}", mm.abs(), if mm > 0.0 { more } else { less }))
        };
        let moved: Vec<String> = [part(self.back.0, "to the right", "to the left"), part(self.back.1, "down", "up")]
            .into_iter()
            .flatten()
            .collect();
        if !moved.is_empty() {
            words.push(format!("backs moved {}", moved.join(" and ")));
        }
        if let Some(margin) = self.margin {
            words.push(format!("leaves {margin} mm white at the edges"));
        }
        words.join("; ")
    }

    /// Whether a length is wrong by more than 1 %, so that a print setting is the likely cause.
    pub fn has_scale_error(&self) -> bool {
        [self.prints.0, self.prints.1].into_iter().any(|share| (share - 1.0).abs() > 0.01)
    }

    fn is_valid(&self) -> bool {
        let share = |share: f32| (SCALE_RANGE.0..=SCALE_RANGE.1).contains(&share);
        let offset = |mm: f32| mm.abs() <= MAX_OFFSET;
        share(self.prints.0) && share(self.prints.1) && offset(self.back.0) && offset(self.back.1)
    }
}

/// All of a player's printers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Printers {
    /// Of the file format.
    #[serde(default = "version")]
    version: u32,
    /// Sorted by name.
    pub printers: Vec<Printer>,
    /// Keys of newer programs, kept unchanged.
    #[serde(flatten)]
    more: Map<String, Value>,
}

/// The version that is written, and the default for files without one.
fn version() -> u32 {
    VERSION
}

impl Default for Printers {
    fn default() -> Self {
        Self { version: VERSION, printers: Vec::new(), more: Map::new() }
    }
}

impl Printers {
    /// Reads the printers from a folder; an unreadable file is moved out of the way and reported.
    pub fn load(folder: Option<&Path>) -> (Self, Option<Finding>) {
        let Some(folder) = folder else { return Default::default() };
        let (read, finding) = store::load_settings(folder, PRINTERS_FILE, Self::parse);
        (read.unwrap_or_default(), finding)
    }

    /// Writes the printers to a folder.
    ///
    /// # Errors
    /// The finding of the file that cannot be written.
    pub fn save(&self, folder: &Path) -> Result<(), Finding> {
        store::save_settings(folder, PRINTERS_FILE, &self.to_text())
    }

    /// Reads the text of a printers' file.
    ///
    /// # Errors
    /// Why the text is not a printers' file.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut read: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if let Some(wrong) = read.printers.iter().find(|printer| !printer.is_valid()) {
            return Err(format!("invalid data for the printer “{}”", wrong.name));
        }
        read.printers.iter_mut().for_each(|printer| printer.margin = printer.margin.map(Margins::clamped));
        Ok(read)
    }

    pub fn to_text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Ignores case.
    pub fn find(&self, name: &str) -> Option<&Printer> {
        self.printers.iter().find(|printer| is_same_name(&printer.name, name))
    }

    /// The printer of a name.
    ///
    /// # Errors
    /// That there is none, with the names of all.
    pub fn require(&self, name: &str) -> Result<&Printer, Finding> {
        self.find(name).ok_or_else(|| {
            let known: Vec<&str> = self.printers.iter().map(|printer| &*printer.name).collect();
            let help = if known.is_empty() {
                "no printers stored; write a calibration page with `moldloft calibrate -o page.pdf`".to_owned()
            } else {
                format!("stored printers: {}", known.join(", "))
            };
            Finding::error("unknown-printer", format!("unknown printer “{name}”")).help(help)
        })
    }

    /// Adds a printer, or replaces the one of its name.
    ///
    /// # Errors
    /// That the name is not valid, or that there are too many.
    pub fn insert(&mut self, mut printer: Printer) -> Result<(), Finding> {
        printer.name = printer.name.trim().to_owned();
        let name = &printer.name;
        if name.is_empty() || name.chars().count() > MAX_NAME || name.chars().any(char::is_control) {
            let message = format!("expected a printer name of 1 to {MAX_NAME} characters");
            return Err(Finding::error("no-name", message).help("use a name such as “study” or “club laser”"));
        }
        self.printers.retain(|other| !is_same_name(&other.name, name));
        if self.printers.len() >= MAX_PRINTERS {
            let message = format!("cannot store more than {MAX_PRINTERS} printers");
            return Err(Finding::error("too-many-printers", message).advise(Advice::ForgetPrinter));
        }
        self.printers.push(printer);
        self.printers.sort_by_key(|printer| printer.name.to_lowercase());
        Ok(())
    }

    /// Sets what was measured of a printer, of a new one if none has this name, and gives it.
    ///
    /// # Errors
    /// Those of [`Printer::set_measurements`] and [`Printers::insert`].
    pub fn measure(&mut self, name: &str, paper: Paper, measured: &MeasuredPrinter) -> Result<Printer, Finding> {
        let name = name.trim();
        let known = self.find(name).cloned();
        let mut printer = known.unwrap_or_else(|| Printer { name: name.to_owned(), ..Printer::default() });
        if let Some(lengths) = measured.lengths {
            printer.set_measurements(paper, lengths)?;
        }
        printer.back = measured.back.unwrap_or(printer.back);
        printer.margin = measured.margin.or(printer.margin);
        printer.turn = measured.turn.unwrap_or(printer.turn);
        self.insert(printer.clone())?;
        Ok(printer)
    }

    /// Removes a printer.
    ///
    /// # Errors
    /// That there is none of this name.
    pub fn remove(&mut self, name: &str) -> Result<(), Finding> {
        self.require(name)?;
        self.printers.retain(|printer| !is_same_name(&printer.name, name));
        Ok(())
    }
}

fn is_same_name(one: &str, other: &str) -> bool {
    one.trim().to_lowercase() == other.trim().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measurements_are_taken_and_nonsense_is_refused() {
        let mut printer = Printer { name: "Study".into(), ..Printer::default() };
        printer.set_measurements(Paper::A4, (196.5, 248.0)).unwrap();
        printer.back = (0.5, -1.0);
        let words = printer.summary();
        assert!(words.contains("prints 98.2 % across: pages made 1.8 % wider") || words.contains("98.3 %"), "{words}");
        assert!(words.contains("99.2 % down: pages made 0.8 % higher"), "{words}");
        assert!(words.contains("backs moved 0.5 mm to the right and 1 mm up"), "{words}");
        for (wrong, why) in [
            ((19.65, 24.8), "centimetres"),
            ((0.0, 248.0), "such as"),
            ((f32::NAN, 248.0), "such as"),
            ((196.5, 400.0), "such as"),
        ] {
            let finding = printer.set_measurements(Paper::A4, wrong).unwrap_err();
            assert!(finding.help.as_deref().unwrap_or_default().contains(why), "{wrong:?}: {finding:?}");
        }
        assert!((printer.prints.0 - 0.9825).abs() < 1e-5, "what was refused changed nothing");
    }

    #[test]
    fn printers_are_remembered() {
        let folder = tempfile::tempdir().unwrap();
        let (mut printers, finding) = Printers::load(Some(folder.path()));
        assert!(finding.is_none() && printers.printers.is_empty());
        assert!(printers.require("study").unwrap_err().help.unwrap().contains("calibrate -o"));
        for name in ["Study", " club ", "STUDY"] {
            printers
                .insert(Printer {
                    name: name.into(),
                    back: (0.5, -1.0),
                    margin: Some(Margins::all(6.0)),
                    ..Printer::default()
                })
                .unwrap();
        }
        assert!(printers.insert(Printer { name: "  ".into(), ..Printer::default() }).is_err());
        printers.save(folder.path()).unwrap();
        let (mut again, finding) = Printers::load(Some(folder.path()));
        assert!(finding.is_none());
        assert_eq!(again, printers);
        assert_eq!(again.printers.iter().map(|printer| &*printer.name).collect::<Vec<_>>(), ["club", "STUDY"]);
        assert!(again.remove("printer").unwrap_err().help.unwrap().contains("club, STUDY"));
        again.remove("Club").unwrap();
        assert_eq!(again.printers.len(), 1);
    }

    #[test]
    fn what_a_newer_program_remembers_stays() {
        let folder = tempfile::tempdir().unwrap();
        let text = r#"{"version": 7, "papers": ["a4"], "printers": [{"name": "Study", "ink": {"black": 3}}]}"#;
        store::save(&folder.path().join(PRINTERS_FILE), text.as_bytes()).unwrap();
        let (mut printers, finding) = Printers::load(Some(folder.path()));
        assert!(finding.is_none(), "{finding:?}");
        let mut study = printers.find("study").unwrap().clone();
        study.back = (0.5, 0.0);
        printers.insert(study).unwrap();
        printers.insert(Printer { name: "club".into(), ..Printer::default() }).unwrap();
        printers.save(folder.path()).unwrap();
        let text = store::read(&folder.path().join(PRINTERS_FILE)).unwrap().text.to_string();
        let read: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&read["version"], &read["papers"][0]), (&Value::from(7), &Value::from("a4")));
        assert_eq!(read["printers"][1]["ink"]["black"], 3);
        assert_eq!(read["printers"][1]["back"][0], 0.5);
    }

    #[test]
    fn a_damaged_file_is_told_and_kept() {
        for text in ["{\"printers\": [", "{\"printers\": [{\"name\": \"x\", \"prints\": [9.0, 1.0]}]}", "[]"] {
            let folder = tempfile::tempdir().unwrap();
            store::save(&folder.path().join(PRINTERS_FILE), text.as_bytes()).unwrap();
            let (printers, finding) = Printers::load(Some(folder.path()));
            assert!(printers.printers.is_empty());
            assert!(finding.unwrap().help.unwrap().contains("printers.json.broken"), "{text}");
            assert_eq!(store::read(&folder.path().join("printers.json.broken")).unwrap().text.to_string(), text);
            // Writing the same again keeps no second copy.
            store::save(&folder.path().join(PRINTERS_FILE), text.as_bytes()).unwrap();
            let (_, finding) = Printers::load(Some(folder.path()));
            assert!(finding.unwrap().help.unwrap().contains("printers.json.broken;"), "{text}");
            assert!(!store::is_there(&folder.path().join("printers.json.broken-2")));
        }
    }

    #[test]
    fn a_bed_makes_up_for_it() {
        let mut printer =
            Printer { name: "Study".into(), back: (0.5, -1.0), margin: Some(Margins::all(6.0)), ..Printer::default() };
        printer.set_measurements(Paper::A4, (196.0, 250.0)).unwrap();
        let mut page_setup = PageSetup::default();
        printer.apply_to(&mut page_setup);
        let (wider, higher) = page_setup.printer_scale.unwrap().scale;
        assert!((wider - 200.0 / 196.0).abs() < 1e-5 && (higher - 1.0).abs() < 1e-5);
        assert_eq!((page_setup.offset, page_setup.margins), ((0.5, -1.0), None), "8 mm are kept free anyway");
        let mut small = PageSetup::from(Paper::A5).turn(DuplexEdge::Short);
        printer.apply_to(&mut small);
        assert_eq!((small.offset, small.margins), ((-0.5, 1.0), Some(Margins::all(6.0))));
        let mut own = PageSetup::default().offset((2.0, 0.0)).margins(Some(Margins::all(3.0)));
        printer.apply_to(&mut own);
        assert_eq!((own.offset, own.margins), ((2.0, 0.0), Some(Margins::all(3.0))));
    }
}
