//! Pages to files: takes a file name and the pages of a job, writes all of their files and prints what was found and written.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use clap::builder::PossibleValuesParser;

use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_export::export::{self, FORMATS, Format, TextMode};
use moldloft_library::print::{self, PageSelection, PrintedPages};

use super::font_args::FontArgs;
use super::load::JobStatus;
use super::outcome::RunOutcome;
use super::page_args::PageArgs;
use super::terminal::{print_bytes, print_done, print_findings, with_progress};

// Where and how pages are written, the same words in every subcommand that writes some.
#[derive(clap::Args)]
pub struct OutputArgs {
    /// Write to this .pdf, .svg or .png file; several pages of SVG or PNG become FILE-1, FILE-2 and so on; - is the standard
    /// output
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Type of the file, whatever its name; on the standard output PDF unless given
    #[arg(long, value_name = "TYPE", value_parser = PossibleValuesParser::new(FORMATS.iter().map(|format| format.extension)))]
    pub format: Option<String>,
    #[command(flatten)]
    pub page: PageArgs,
    /// Replace a filled form, or a picture that a design uses
    #[arg(long)]
    pub force: bool,
    /// Use greys instead of colours
    #[arg(long)]
    pub grey: bool,
    /// Set the dots per inch of a PNG
    #[arg(long, value_name = "N", default_value_t = 150.0)]
    pub dpi: f32,
    /// Store the text of an SVG as outlines, the same in every program, or as text with the font embedded
    #[arg(long, value_enum, value_name = "HOW", default_value_t = SvgTextArg::Outlined)]
    pub svg_text: SvgTextArg,
    /// Omit the white background of an SVG or PNG, as for cutting plotters
    #[arg(long)]
    pub no_background: bool,
    #[command(flatten)]
    pub font: FontArgs,
}

/// How an SVG holds its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SvgTextArg {
    /// Outlines
    Outlined,
    /// Text with the font embedded
    Embedded,
}

// Which pages are written.
#[derive(Default, clap::Args)]
pub struct PageSelectionArg {
    /// Write only these pages, such as 1-3,5 or 4-
    #[arg(long, value_name = "PAGES", default_value = "", hide_default_value = true, value_parser = parse_selection)]
    pub pages: PageSelection,
}

/// Whether `-` stands in a file's place.
pub fn is_standard_output(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// # Errors
/// Where the standard output is a terminal.
pub fn not_for_a_terminal(what: &str) -> Result<(), Finding> {
    if !std::io::stdout().is_terminal() {
        return Ok(());
    }
    let help = "send it to a program or a file, as in `-o - | lp`, or name a file";
    Err(Finding::error("not-written", format!("cannot show a {what} on a terminal")).help(help))
}

fn parse_selection(text: &str) -> Result<PageSelection, String> {
    if text.is_empty() { Ok(PageSelection::default()) } else { text.parse() }
}

impl OutputArgs {
    /// The format asked for, or that of the file name.
    ///
    /// # Errors
    /// A finding when the format is unknown, or is nothing for a terminal.
    pub fn format(&self) -> Result<&'static Format, Finding> {
        let asked =
            self.format.as_deref().or(is_standard_output(&self.output).then_some("pdf")).and_then(export::format_for);
        let format = asked.map_or_else(|| export::format_for_path(&self.output), Ok)?;
        if is_standard_output(&self.output) {
            not_for_a_terminal(format.name)?;
        }
        Ok(format)
    }

    /// Lays pages out and writes them, as a form to fill in if `form`; what was found is written to standard error.
    ///
    /// # Errors
    /// A finding when they cannot be written.
    pub fn print_pages(
        &self,
        form: bool,
        status: JobStatus,
        lay_out: impl FnOnce(&Progress) -> PrintedPages,
    ) -> Result<RunOutcome, Finding> {
        self.print_selected(&PageSelectionArg::default(), form, status, lay_out)
    }

    /// As [`OutputArgs::print_pages`], only the selected pages.
    ///
    /// # Errors
    /// A finding when they cannot be written, or when there are no such pages.
    pub fn print_selected(
        &self,
        selection: &PageSelectionArg,
        form: bool,
        status: JobStatus,
        lay_out: impl FnOnce(&Progress) -> PrintedPages,
    ) -> Result<RunOutcome, Finding> {
        let progress = Progress::default();
        let mut pages = with_progress(&progress, || lay_out(&progress));
        print_findings(&pages.findings);
        if pages.is_empty() {
            return Ok(status.without_pages());
        }
        pages.select(&selection.pages)?;
        let errors = status.has_errors || print::has_errors(&pages.findings);
        with_progress(&progress, || self.write(&mut pages, form, &progress))?;
        Ok(RunOutcome::from_errors(errors))
    }

    /// Writes all files of these pages or, where one cannot be made, none; prints what was written. `form`: to be filled in on the screen.
    ///
    /// # Errors
    /// A finding when the pages cannot be put into this format or a file cannot be written.
    fn write(&self, pages: &mut PrintedPages, form: bool, progress: &Progress) -> Result<(), Finding> {
        let text_mode = match self.svg_text {
            SvgTextArg::Outlined => TextMode::Outlined,
            SvgTextArg::Embedded => TextMode::Embedded,
        };
        let options = export::ExportOptions::default()
            .grey(self.grey)
            .form(form)
            .text_mode(text_mode)
            .dpi(self.dpi)
            .background(!self.no_background);
        let files = pages.write(self.output.clone(), self.format()?, &options, progress)?;
        if let Some(finding) = files.kept.first().filter(|_| !self.force) {
            return Err(finding.clone());
        }
        if is_standard_output(&self.output) {
            return match files.files.as_slice() {
                [bytes] => print_bytes(bytes),
                several => {
                    let message = format!("cannot write {} files to the standard output", several.len());
                    Err(Finding::error("not-written", message).help("write a PDF, or one page, as with `--pages 1`"))
                }
            };
        }
        files.save(progress)?;
        print_done(&format!("{}: {}\n", files.names(), files.summary))
    }
}
