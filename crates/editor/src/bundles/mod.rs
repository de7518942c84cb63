//! Bundles in the window: packs the current design or fleet, opens a stranger's, shows what is in it and writes it where the
//! user says. Reading, evaluating and packing are jobs.

pub mod model;
pub mod panel;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::library_browser::model::LibraryCommand;
use crate::paths::{absolute_path, new_workspace};
use crate::{Command, Dialog, EditorState, Jobs, Notice, PickPurpose, message_with_help, own_picture};
use moldloft_base::finding::{Finding, Severity};
use moldloft_base::sanitize::file_stem;
use moldloft_base::source::toml::parse;
use moldloft_library::exchange::bundle::{
    self, BundleFileKind, BundleInput, BundlePlan, BundleReview, FileAction, MAX_BUNDLE_BYTES, SharedBundle,
    bundle_of_text, gather_bundle, plan_files, read_bundle, review_bundle_for, text_of_bundle,
};
use moldloft_library::print::plural;
use moldloft_library::store::{self, ContentHash, FileRef, PathKind};
use moldloft_rules::ruleset::extends;

pub use crate::bundles::model::BundleCommand;
pub(crate) use crate::bundles::model::{BundleDialog, OpenedBundle, ShareDialog};

/// The highest number of a new bundle's file.
const MAX_NUMBER: usize = 1_000;

pub fn apply(state: &mut EditorState, command: BundleCommand, jobs: &Jobs) -> Vec<Command> {
    match command {
        BundleCommand::OpenShareDialog => open_share_dialog(state),
        BundleCommand::WriteShared => write_shared(state),
        BundleCommand::CopyShared => copy_shared(state),
        BundleCommand::Open(path) => open(state, &path, jobs),
        BundleCommand::OpenText(text) => review_in_job(state, jobs, None, move || bundle_of_text(&text)),
        BundleCommand::Reviewed(Ok(opened)) => show(state, opened, jobs),
        BundleCommand::Reviewed(Err(message)) => state.notify(Notice::error(message)),
        BundleCommand::SetFolder(folder) => set_folder(state, folder, jobs),
        BundleCommand::Planned { folder, plan } => {
            if let Some(Dialog::Bundle(dialog)) = &mut state.dialog
                && dialog.folder == folder
            {
                dialog.plan = Some(plan);
            }
        }
        BundleCommand::Unpack => return unpack(state),
    }
    Vec::new()
}

/// Opens what was chosen or dropped: a bundle, a folder, a ruleset, a design or a fleet; a picture is for the design that is shown. A ruleset is shown on the rules
/// page, in the workspace that it belongs to.
pub fn commands_to_open(state: &EditorState, path: &Path) -> Vec<Command> {
    if own_picture::is_wanted(state, path) {
        return vec![Command::FilesPicked { paths: vec![path.to_path_buf()], purpose: PickPurpose::Picture }];
    }
    if ruleset_in(path).is_none() || store::path_kind(path) == Some(PathKind::Folder) {
        return vec![command_to_open(path)];
    }
    let path = absolute_path(path);
    let folder = path.parent().filter(|folder| folder.file_name().is_some_and(|name| name == "rulesets"));
    let (before, after) = match folder.and_then(Path::parent) {
        Some(workspace) if state.store.workspace().is_some_and(|known| absolute_path(known) == workspace) => {
            (None, None)
        }
        Some(workspace) => (Some(Command::Library(LibraryCommand::SetWorkspace(workspace.to_path_buf()))), None),
        None => {
            let text = "designs use these rules once their file is in the folder rulesets/ of your workspace";
            (None, Some(Command::Notify(Notice::info(text))))
        }
    };
    before.into_iter().chain([Command::Open(path)]).chain(after).collect()
}

fn command_to_open(path: &Path) -> Command {
    let has_extension = |wanted: &str| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted));
    if store::path_kind(path) == Some(PathKind::Folder) {
        return Command::FilesPicked { paths: vec![path.to_path_buf()], purpose: PickPurpose::Workspace };
    }
    if has_extension("moldloft") {
        return Command::Bundle(BundleCommand::Open(path.to_path_buf()));
    }
    Command::Open(path.to_path_buf())
}

/// The id of a ruleset's file; `None` for another file.
fn ruleset_in(path: &Path) -> Option<String> {
    let source = store::read(path).ok()?;
    let (root, _) = parse(&source.text, 0);
    let id = root.table("ruleset")?.text("id").map(str::to_owned);
    id.or_else(|| extends(&source).into_iter().next())
}

fn open_share_dialog(state: &mut EditorState) {
    let Some(doc) = state.current_doc() else { return };
    let name = doc.name();
    let folder = doc.path().and_then(|path| path.parent()).map(Path::to_path_buf);
    let folder = folder.or_else(|| state.store.workspace().map(Into::into)).or_else(store::home).unwrap_or_default();
    let stem = file_stem(&name, "bundle");
    let numbered = |n: usize| if n == 1 { format!("{stem}.moldloft") } else { format!("{stem}-{n}.moldloft") };
    let mut paths = (1..MAX_NUMBER).map(|n| folder.join(numbered(n)));
    let free = paths.find(|path| ContentHash::of_path(path) == ContentHash::Absent);
    let path = free.unwrap_or_else(|| folder.join(numbered(1))).to_string_lossy().into_owned();
    state.dialog = Some(Dialog::Share(ShareDialog { name, path }));
}

/// The saved file of the current design or fleet with all that it needs; reports what is missing.
fn shared(state: &mut EditorState) -> Option<SharedBundle> {
    let doc = state.current_doc()?;
    let Some(file) = doc.file.clone().filter(|_| !doc.is_changed()) else {
        state.notify(Notice::error("save it first: a bundle holds files as they are on the disk"));
        return None;
    };
    match gather_bundle(&state.rulesets, &[BundleInput::File(FileRef { path: absolute_path(&file.path), ..file })]) {
        Ok((bundle, findings)) => {
            for finding in findings.iter().filter(|finding| finding.severity < Severity::Info).take(5) {
                state.notify(Notice::from_finding(finding));
            }
            Some(bundle)
        }
        Err(finding) => {
            state.notify(Notice::from_finding(&finding));
            None
        }
    }
}

fn write_shared(state: &mut EditorState) {
    let Some(Dialog::Share(dialog)) = &state.dialog else { return };
    let mut path = PathBuf::from(dialog.path.trim());
    if path.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("moldloft")) {
        path.as_mut_os_string().push(".moldloft");
    }
    let Some(bundle) = shared(state) else { return };
    let written = bundle::write_bundle(&bundle).and_then(|bytes| store::save_new(&path, &bytes).map(|_| bytes.len()));
    match written {
        Ok(bytes) => {
            state.dialog = None;
            let files = plural(bundle.files.len(), "file");
            state.notify(Notice::info(format!("{}: {files}, {} KB", path.display(), bytes.div_ceil(1024))));
        }
        Err(finding) => state.notify(Notice::from_finding(&finding)),
    }
}

fn copy_shared(state: &mut EditorState) {
    let Some(bundle) = shared(state) else { return };
    match text_of_bundle(&bundle) {
        Ok(text) => {
            state.dialog = None;
            state.notify(Notice::info(format!("Copied the bundle as text, {}", plural(text.lines().count(), "line"))));
            state.to_clipboard = Some(text);
        }
        Err(finding) => state.notify(Notice::from_finding(&finding)),
    }
}

fn open(state: &EditorState, path: &Path, jobs: &Jobs) {
    let path = path.to_path_buf();
    let folder = absolute_path(&path).parent().map(Path::to_path_buf);
    review_in_job(state, jobs, folder, move || {
        let at = |finding: Finding| {
            let message = format!("{}: {}", path.display(), finding.message);
            finding.with_message(message)
        };
        store::read_bytes(&path, MAX_BUNDLE_BYTES).and_then(|bytes| read_bundle(&bytes)).map_err(at)
    });
}

fn review_in_job(
    state: &EditorState,
    jobs: &Jobs,
    folder: Option<PathBuf>,
    read: impl FnOnce() -> Result<SharedBundle, Finding> + Send + 'static,
) {
    let own = state.store.workspace().map(Path::to_path_buf);
    jobs.start(move |_| {
        let opened = read().map(|bundle| {
            let review = review_bundle_for(&bundle, own.as_deref());
            Arc::new(OpenedBundle { bundle, review, folder })
        });
        let opened = opened.map_err(|finding| message_with_help(&finding));
        Some(Command::Bundle(BundleCommand::Reviewed(opened)))
    });
}

fn show(state: &mut EditorState, opened: Arc<OpenedBundle>, jobs: &Jobs) {
    let own = state.store.workspace().map(absolute_path);
    let folder = own.or_else(|| new_workspace(&[store::documents(), store::home(), opened.folder.clone()]));
    let folder = folder.map(|folder| folder.to_string_lossy().into_owned()).unwrap_or_default();
    state.dialog = Some(Dialog::Bundle(BundleDialog { opened, folder: String::new(), plan: None }));
    set_folder(state, folder, jobs);
}

fn set_folder(state: &mut EditorState, folder: String, jobs: &Jobs) {
    let Some(Dialog::Bundle(dialog)) = &mut state.dialog else { return };
    dialog.folder.clone_from(&folder);
    dialog.plan = None;
    if folder.trim().is_empty() {
        return;
    }
    let opened = dialog.opened.clone();
    jobs.start(move |_| {
        let plan = Arc::new(plan_files(&opened.bundle, &opened.review, &absolute_path(Path::new(folder.trim()))));
        Some(Command::Bundle(BundleCommand::Planned { folder, plan }))
    });
}

/// The file that unpacking writes for the fleet of a bundle, or else for its first design.
fn main_file<'p>(review: &BundleReview, plan: &'p BundlePlan) -> Option<&'p str> {
    let of_kind = |kind: BundleFileKind| {
        let is_it = |path: &str| review.entries.iter().any(|entry| entry.path == path && entry.kind == kind);
        plan.files.iter().filter(move |file| is_it(&file.path)).find_map(|file| match &file.action {
            FileAction::New => Some(&*file.path),
            FileAction::Renamed(path) => Some(&**path),
            FileAction::Present | FileAction::Refused(_) => None,
        })
    };
    of_kind(BundleFileKind::Fleet).or_else(|| of_kind(BundleFileKind::Design))
}

fn unpack(state: &mut EditorState) -> Vec<Command> {
    let Some(Dialog::Bundle(dialog)) = &state.dialog else { return Vec::new() };
    let opened = dialog.opened.clone();
    let (Some(plan), folder) = (dialog.plan.clone(), absolute_path(Path::new(dialog.folder.trim()))) else {
        return Vec::new();
    };
    match plan.write(&folder) {
        Ok(report) => {
            state.dialog = None;
            for finding in &plan.findings {
                state.notify(Notice::from_finding(finding));
            }
            let written = plural(report.written, "file");
            state.notify(Notice::info(format!("Wrote {written} of the bundle to {}", folder.display())));
            let is_own = state.store.workspace().map(absolute_path).is_some_and(|own| own == folder);
            let shown = main_file(&opened.review, &plan).map(|path| Command::Open(folder.join(path)));
            let first = match is_own {
                true => Command::RereadFiles(plan.written_paths(&folder)),
                false => Command::Library(LibraryCommand::SetWorkspace(folder)),
            };
            std::iter::once(first).chain(shown).collect()
        }
        Err(finding) => {
            state.notify(Notice::from_finding(&finding));
            Vec::new()
        }
    }
}
