//! The system around the window: file choosers and external programs. A trait, so that tests can replace it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::effects::jobs::CommandSender;
use crate::file_chooser::model::FileChooserCommand;
use crate::language::say;
use crate::{Command, FilePick, FilePickKind, Notice, PlatformCapabilities};

pub trait Platform {
    /// What is not possible is not offered.
    fn capabilities(&self) -> PlatformCapabilities {
        PlatformCapabilities::default()
    }

    /// The answer comes as [`Command::FilesPicked`], or as [`FileChooserCommand::Open`] if the system's chooser cannot
    /// be opened.
    fn pick_file(&mut self, pick: FilePick, sender: CommandSender);

    /// Opens a file or folder in the system's program for it. That there is none may turn out later: then a notice with
    /// the file's path comes.
    ///
    /// # Errors
    /// The system's message.
    fn open_externally(&mut self, path: &Path, sender: CommandSender) -> Result<(), String>;
}

#[derive(Debug, Default)]
pub struct NativePlatform {
    /// Set once its chooser could not be opened: it is not tried again.
    chooser_missing: Arc<AtomicBool>,
}

/// Counts the errors that `rfd` logs when no chooser could be opened: its answer is then the same as when the user
/// cancels.
struct ChooserErrorLog(AtomicUsize);

static CHOOSER_ERRORS: ChooserErrorLog = ChooserErrorLog(AtomicUsize::new(0));

impl log::Log for ChooserErrorLog {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.level() == log::Level::Error && metadata.target().starts_with("rfd")
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) && is_chooser_missing(&record.args().to_string()) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn flush(&self) {}
}

/// Whether a log line says that the last of the choosers could not be started.
fn is_chooser_missing(line: &str) -> bool {
    line.starts_with("Failed to") && line.contains("with zenity")
}

impl NativePlatform {
    pub fn new() -> Self {
        // Another logger may be installed; then failing choosers are not detected.
        if log::set_logger(&CHOOSER_ERRORS).is_ok() {
            log::set_max_level(log::LevelFilter::Error);
        }
        Self::default()
    }
}

/// Waits for an answer in a separate thread; without one, no answer comes, as if the user had cancelled.
fn spawn_waiter(work: impl FnOnce() + Send + 'static) {
    let _ = std::thread::Builder::new().name("moldloft chooser".into()).spawn(work);
}

impl Platform for NativePlatform {
    fn pick_file(&mut self, pick: FilePick, sender: CommandSender) {
        if self.chooser_missing.load(Ordering::Relaxed) {
            return sender.send(Command::FileChooser(FileChooserCommand::Open(Box::new(pick))));
        }
        let mut dialog = rfd::AsyncFileDialog::new().set_title(say(&pick.title));
        if let Some(folder) = &pick.folder {
            dialog = dialog.set_directory(folder);
        }
        if let Some(name) = &pick.name {
            dialog = dialog.set_file_name(name);
        }
        for (name, endings) in &pick.extensions {
            dialog = dialog.add_filter(say(name), endings);
        }
        let kind = pick.kind;
        let chooser_missing_flag = Arc::clone(&self.chooser_missing);
        let before = CHOOSER_ERRORS.0.load(Ordering::Relaxed);
        let path = |handle: rfd::FileHandle| handle.path().to_path_buf();
        let answered = move |paths: Vec<PathBuf>| {
            let is_wrong = paths.is_empty() && CHOOSER_ERRORS.0.load(Ordering::Relaxed) != before;
            if is_wrong {
                chooser_missing_flag.store(true, Ordering::Relaxed);
            }
            sender.send(match is_wrong {
                true => Command::FileChooser(FileChooserCommand::Open(Box::new(pick))),
                false => Command::FilesPicked { paths, purpose: pick.purpose },
            });
        };
        // Some systems allow creating the chooser on this thread only; another thread waits for it.
        match kind {
            FilePickKind::Open => {
                let answer = dialog.pick_files();
                spawn_waiter(move || {
                    let files = pollster::block_on(answer).unwrap_or_default();
                    answered(files.into_iter().map(path).collect());
                });
            }
            FilePickKind::Save => {
                let answer = dialog.save_file();
                spawn_waiter(move || answered(pollster::block_on(answer).into_iter().map(path).collect()));
            }
            FilePickKind::Folder => {
                let answer = dialog.pick_folder();
                spawn_waiter(move || answered(pollster::block_on(answer).into_iter().map(path).collect()));
            }
        }
    }

    fn open_externally(&mut self, path: &Path, sender: CommandSender) -> Result<(), String> {
        let path = path.to_path_buf();
        // Launchers say only when they end whether they found a program, and some end with it.
        let work = move || {
            // Launchers' own words are for programmers.
            if open::that(&path).is_err() {
                let text = format!("{} is there, but no program opens it here: open it yourself", path.display());
                sender.send(Command::Notify(Notice::info(text)));
            }
        };
        let thread = std::thread::Builder::new().name("moldloft viewer".into()).spawn(work);
        thread.map(|_| ()).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chooser_that_is_not_there_is_told_from_a_player_who_chose_nothing() {
        assert!(is_chooser_missing("Failed to pick files with zenity: No such file or directory (os error 2)"));
        assert!(is_chooser_missing("Failed to save file with zenity: No such file or directory (os error 2)"));
        assert!(
            !is_chooser_missing("Failed to connect to session bus: no such address"),
            "another chooser is tried then"
        );
    }
}
