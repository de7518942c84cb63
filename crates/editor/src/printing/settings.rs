//! The settings of printing: takes and gives what is remembered, and the options of `print` and `export`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use moldloft_base::finding::Finding;
use moldloft_export::export::{self, FORMATS, Format, TextMode};
use moldloft_library::print::{
    CHIT_SIZES, MAX_COPIES, MAX_OFFSET, PackPart, PrintKind, PrintOptions, Printer, Printers,
};
use moldloft_sheet::sheet::{Backs, DuplexEdge, Margins, PageSetup};

/// In dots per inch.
pub const DPI_RANGE: (u32, u32) = (20, 1200);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PrintSettings {
    pub what: PrintKind,
    /// By file extension.
    pub format: String,
    #[serde(flatten)]
    pub page_setup: PageSetup,
    /// Name of the calibrated printer.
    pub printer: Option<String>,
    pub grey: bool,
    /// The smallest boxes and letters are 1.3 times as large.
    pub large_print: bool,
    /// Each ship's design as a QR code.
    pub qr: bool,
    /// Load sheets, where a game has them.
    pub loads: bool,
    /// Rulers and collars to cut out.
    pub rulers: bool,
    /// Of the pages, `de`; `None`: as the rules are written.
    pub language: Option<String>,
    pub copies: u32,
    pub dpi: u32,
    pub transparent: bool,
    pub lettering: TextMode,
    pub backs: Backs,
    /// Side of a chit in mm; `None`: as in the rules.
    pub chit: Option<u32>,
    /// Parts of a fleet's pack; empty means all.
    pub parts: BTreeSet<PackPart>,
    pub single_sided: bool,
    /// A PDF form to fill in on the screen.
    pub form: bool,
    pub view: bool,
    pub folder: Option<PathBuf>,
}

impl Default for PrintSettings {
    fn default() -> Self {
        Self {
            what: PrintKind::Sheets,
            format: "pdf".into(),
            page_setup: PageSetup::default(),
            printer: None,
            grey: false,
            large_print: false,
            qr: false,
            loads: false,
            rulers: false,
            language: None,
            copies: 1,
            dpi: 150,
            transparent: false,
            lettering: TextMode::Outlined,
            backs: Backs::Duplex,
            chit: None,
            parts: BTreeSet::new(),
            single_sided: false,
            form: false,
            view: true,
            folder: None,
        }
    }
}

impl PrintSettings {
    /// The first format if the extension is unknown.
    pub fn format(&self) -> &'static Format {
        export::format_for(&self.format).unwrap_or(&FORMATS[0])
    }

    pub(crate) fn clamp(&mut self) {
        self.format = self.format().extension.to_owned();
        self.copies = self.copies.clamp(1, MAX_COPIES);
        self.dpi = self.dpi.clamp(DPI_RANGE.0, DPI_RANGE.1);
        self.chit = self.chit.map(|side| side.clamp(CHIT_SIZES.0, CHIT_SIZES.1));
        let clamp_offset = |mm: f32| if mm.is_finite() { mm.clamp(-MAX_OFFSET, MAX_OFFSET) } else { 0.0 };
        self.page_setup.offset = (clamp_offset(self.page_setup.offset.0), clamp_offset(self.page_setup.offset.1));
        self.page_setup.margins = self.page_setup.margins.map(Margins::clamped);
    }

    pub fn select_printer(&mut self, printer: Option<&Printer>) {
        self.printer = printer.map(|printer| printer.name.clone());
        self.page_setup.turn = printer.map_or(DuplexEdge::Long, |printer| printer.turn);
        // A typed offset belongs to the printer before.
        self.page_setup.offset = (0.0, 0.0);
    }

    /// # Errors
    /// `unknown-printer` if it was removed meanwhile.
    pub(crate) fn print_options(&self, printers: &Printers) -> Result<PrintOptions, Finding> {
        let mut setup = self.page_setup;
        if let Some(name) = &self.printer {
            printers.require(name)?.apply_to(&mut setup);
        }
        Ok(PrintOptions::default()
            .kind(self.what)
            .page_setup(setup)
            .large_print(self.large_print && self.what != PrintKind::Counters)
            .copies(if self.what.sheet_kind().is_some() { 1 } else { self.copies })
            .backs(self.backs)
            .qr(self.qr && self.what != PrintKind::Counters)
            .loads(self.loads)
            .rulers(self.rulers && self.what.sheet_kind().is_none()))
    }

    pub fn export_options(&self) -> export::ExportOptions {
        export::ExportOptions::default()
            .grey(self.grey)
            .form(self.form && self.format == "pdf")
            .text_mode(self.lettering)
            .dpi(self.dpi as f32)
            .background(!self.transparent)
    }
}
