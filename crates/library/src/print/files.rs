//! Makes files from pages: takes pages with their findings and a format, gives the files' bytes, then writes them
//! through `store`.

use std::path::{Path, PathBuf};

use crate::library::filled_form_warning;
use crate::store::{self, page_path};
use moldloft_base::finding::{Advice, Finding, Place};
use moldloft_base::progress::Progress;
use moldloft_base::sanitize::plural;
use moldloft_drawing::scene::Scene;
use moldloft_export::export::{self, ExportError, FileBytes, Format};
use moldloft_rules::design::Design;

/// The pages of a print job before they are files.
#[derive(Debug, Default)]
pub struct PrintedPages {
    /// Empty pages after they are made into files.
    pub scene: Scene,
    /// What was skipped, then findings of the layout. Without a page the last one is an error.
    pub findings: Vec<Finding>,
    /// `3 ships`
    pub contents: String,
    /// Every second page is the back of the one before.
    pub two_sided: bool,
    /// The number of pages before some were left out.
    pub laid_out: Option<usize>,
}

/// Files that are not written yet.
#[derive(Debug, PartialEq)]
pub struct PrintedFiles {
    /// The target; several files are numbered.
    pub path: PathBuf,
    /// One entry for each file.
    pub files: FileBytes,
    pub summary: String,
    pub findings: Vec<Finding>,
    /// Files that would be replaced.
    pub existing: Vec<PathBuf>,
    /// A warning for each existing file that is or may be a filled form, or a picture that a design uses: none is
    /// replaced unless the player agrees.
    pub kept: Vec<Finding>,
}

impl PrintedPages {
    pub(super) fn new(scene: Scene, findings: Vec<Finding>, contents: String) -> Self {
        let mut pages = Self { scene, findings, contents, ..Self::default() };
        if pages.is_empty() {
            let finding = Finding::error("nothing-to-print", "no pages to print; nothing was written");
            pages.findings.push(finding);
        }
        pages
    }

    /// A job without a page, because nothing can be printed: `what` is `designs` or `fleets`.
    pub(super) fn nothing(what: &str, mut findings: Vec<Finding>) -> Self {
        findings.push(nothing_to_print(what));
        Self { findings, ..Self::default() }
    }

    pub fn is_empty(&self) -> bool {
        self.scene.pages.is_empty()
    }

    /// The files of these pages. Takes the findings; drops each page as soon as it is in its file.
    ///
    /// # Errors
    /// As for [`write_bytes`].
    pub fn write(
        &mut self,
        path: PathBuf,
        format: &Format,
        options: &export::ExportOptions,
        progress: &Progress,
    ) -> Result<PrintedFiles, Finding> {
        let files = write_bytes(&mut self.scene, format, options, progress)?;
        let count = self.scene.pages.len();
        let summary = match self.laid_out {
            Some(all) if all > count => format!("{} on {count} of {}", self.contents, plural(all, "page")),
            _ => format!("{} on {}", self.contents, plural(count, "page")),
        };
        let paths: Vec<PathBuf> = (1..=files.len()).map(|page| page_path(&path, page, files.len())).collect();
        let is_pdf = |path: &PathBuf| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pdf"));
        let kept = paths.iter().filter_map(|path| match is_pdf(path) {
            true => filled_form_warning(path),
            false => picture_in_use(path),
        });
        let kept = kept.collect();
        let existing = paths.into_iter().filter(|path| store::is_there(path)).collect();
        let findings = std::mem::take(&mut self.findings);
        Ok(PrintedFiles { path, files, summary, findings, existing, kept })
    }
}

impl PrintedFiles {
    /// `ship.pdf`, `ship-1.svg to ship-4.svg`.
    pub fn names(&self) -> String {
        file_names(&self.path, self.files.len(), self.files.len())
    }

    /// As [`save`](Self::save), unless one of the files is or may be a filled form, or a picture that a design uses.
    ///
    /// # Errors
    /// `form-filled-in`; `picture-in-use`; those of [`save`](Self::save).
    pub fn save_unless_kept(&self, progress: &Progress) -> Result<(), Finding> {
        self.kept.first().map_or_else(|| self.save(progress), |finding| Err(finding.clone()))
    }

    /// Writes every file completely, in order.
    ///
    /// # Errors
    /// The finding of the first file that cannot be written, or `not-written` after a cancel; it names the files that
    /// are written.
    pub fn save(&self, progress: &Progress) -> Result<(), Finding> {
        save_files(&self.path, &self.files, progress)
    }
}

/// The reason not to replace a picture without asking: a design in its folder names it as its silhouette.
fn picture_in_use(path: &Path) -> Option<Finding> {
    if !store::is_there(path) {
        return None;
    }
    let (folder, name) = (path.parent()?, path.file_name()?.to_str()?);
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let beside = store::list_folder(folder, &["toml".to_owned()]).ok()?;
    let uses = |file: &&String| {
        let source = store::read(&folder.join(file)).ok();
        let design = source.and_then(|source| Design::read(&source).ok());
        design.and_then(|design| design.silhouette).is_some_and(|word| *word.text == *name)
    };
    let user = beside.files.iter().find(uses)?;
    let message = format!("the existing picture is the silhouette of {user}");
    Some(
        Finding::error("picture-in-use", message)
            .advise(Advice::KeepPicture)
            .at(Place::in_file(&*path.to_string_lossy())),
    )
}

/// The finding for a job without a design or fleet to print; `what` is `designs` or `fleets`.
pub fn nothing_to_print(what: &str) -> Finding {
    Finding::error("nothing-to-print", format!("cannot print any of these {what}"))
}

/// The bytes of the files. Drops each page as soon as it is in its file.
///
/// # Errors
/// `not-written` when the format cannot hold the pages, or after a cancel; `form-needs-pdf`.
pub fn write_bytes(
    scene: &mut Scene,
    format: &Format,
    options: &export::ExportOptions,
    progress: &Progress,
) -> Result<FileBytes, Finding> {
    if options.form && format.extension != "pdf" {
        let message = format!("cannot write a form as {}; forms are PDF only", format.name);
        return Err(Finding::error("form-needs-pdf", message)
            .help("use a file name that ends in .pdf, or print without the form"));
    }
    let files = (format.write_consuming)(scene, options, progress);
    // A cancel may come after the last page.
    let files = files.and_then(|files| if progress.is_cancelled() { Err(ExportError::Cancelled) } else { Ok(files) });
    files.map_err(|refusal| Finding::error("not-written", refusal.to_string()))
}

fn save_files(path: &Path, files: &FileBytes, progress: &Progress) -> Result<(), Finding> {
    progress.begin_phase("file", files.len());
    for (bytes, page) in files.iter().zip(1..) {
        let saved = if progress.is_cancelled() {
            Err(Finding::error("not-written", "cancelled"))
        } else {
            store::save(&page_path(path, page, files.len()), bytes)
        };
        if let Err(mut finding) = saved {
            if files.len() > 1 {
                let written = match page - 1 {
                    0 => "nothing was written".to_owned(),
                    done => format!("of {} files, wrote {}", files.len(), file_names(path, done, files.len())),
                };
                finding.message = format!("{}; {written}", finding.message);
            }
            return Err(finding);
        }
        progress.step();
    }
    Ok(())
}

/// The names of the first files, from the first to the number `first`, of `of` files in all.
fn file_names(path: &Path, first: usize, of: usize) -> String {
    let show = |page| page_path(path, page, of).display().to_string();
    match first {
        0 | 1 => show(1),
        many => format!("{} to {}", show(1), show(many)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_files_are_named_by_first_and_last() {
        assert_eq!(file_names(Path::new("a/b.pdf"), 1, 1), Path::new("a/b.pdf").display().to_string());
        assert_eq!(file_names(Path::new("b.svg"), 3, 3), "b-1.svg to b-3.svg");
        assert_eq!(file_names(Path::new("b.svg"), 1, 3), "b-1.svg");
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_the_others_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.svg");
        // A folder with the name of the second file.
        store::make_folder(&folder.path().join("x-2.svg")).expect("a folder");
        let finding =
            save_files(&path, &vec![vec![1], vec![2], vec![3]], &Progress::default()).expect_err("not written");
        assert!(finding.message.ends_with("x-1.svg"), "{}", finding.message);
        assert!(finding.message.contains("of 3 files, wrote"), "{}", finding.message);

        let progress = Progress::default();
        progress.cancel();
        let finding =
            save_files(&folder.path().join("y.svg"), &vec![vec![1], vec![2]], &progress).expect_err("not written");
        assert!(finding.message.ends_with("nothing was written"), "{}", finding.message);
        assert!(!store::is_there(&folder.path().join("y-1.svg")));
    }
}
