//! Finished pages to files: which format a file name asks for, and writing all of its files.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::export::{self, FORMATS, Format, TextMode};
use crate::finding::Finding;
use crate::print;
use crate::progress::Progress;
use crate::scene::Scene;

use super::font_args::FontArgs;
use super::page_args::PageArgs;
use super::print_stdout;

/// Where and how pages are written, the same words in every subcommand that writes some.
#[derive(clap::Args)]
pub struct OutputArgs {
    /// Write to this .pdf, .svg or .png file; several pages of SVG or PNG become FILE-1, FILE-2 and so on
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    #[command(flatten)]
    pub page: PageArgs,
    /// Replace a filled form
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

impl OutputArgs {
    /// The format that the file's name asks for.
    ///
    /// # Errors
    /// A finding when it asks for none that can be written.
    pub fn format(&self) -> Result<&'static Format, Finding> {
        format_of(&self.output)
    }

    /// Writes a scene, all files of it or, where one cannot be made, none; then says what was written. `form`: to be filled in on the screen.
    ///
    /// # Errors
    /// A finding when the pages cannot be put into this format or a file cannot be written.
    pub fn write(&self, scene: &mut Scene, what: &str, form: bool) -> Result<(), Finding> {
        self.write_with_progress(scene, what, form, &Progress::default())
    }

    /// The same, pages and files counted on the way.
    ///
    /// # Errors
    /// As for [`OutputArgs::write`].
    pub fn write_with_progress(
        &self,
        scene: &mut Scene,
        what: &str,
        form: bool,
        progress: &Progress,
    ) -> Result<(), Finding> {
        let lettering = match self.svg_text {
            SvgTextArg::Outlined => TextMode::Outlined,
            SvgTextArg::Embedded => TextMode::Embedded,
        };
        let options = export::ExportOptions {
            grey: self.grey,
            form,
            text_mode: lettering,
            dpi: self.dpi,
            background: !self.no_background,
        };
        let files = print::write_bytes(scene, self.format()?, &options, progress)?;
        if let Some(finding) =
            print::filled_form_warnings(&self.output, files.len()).into_iter().next().filter(|_| !self.force)
        {
            return Err(finding);
        }
        print::write_files(&self.output, &files, progress)?;
        let pages = print::plural(scene.pages.len(), "page");
        print_stdout(&format!("{}: {what} on {pages}\n", print::file_names(&self.output, files.len())))
    }
}

/// The format that a file's name asks for.
///
/// # Errors
/// A finding when it asks for none that can be written.
pub fn format_of(output: &Path) -> Result<&'static Format, Finding> {
    let extension = output.extension().and_then(|extension| extension.to_str());
    extension.and_then(export::format_for).ok_or_else(|| {
        let known: Vec<String> = FORMATS.iter().map(|format| format!(".{}", format.extension)).collect();
        Finding::error("unknown-format", format!("unknown file type: {}", output.display()))
            .help(format!("use a file name that ends in {}", known.join(" or ")))
    })
}
