//! A ship's own picture: takes a file that was chosen or dropped, puts a copy beside the design's file unless it is there
//! already, and names it in the design.

use std::path::{Path, PathBuf};

use crate::{Command, Edit, EditorState, FilePick, Notice, PickPurpose};
use moldloft_library::library::{PICTURE_ENDINGS, is_picture};
use moldloft_library::store::{self, ContentHash, MAX_PICTURE_BYTES};
use moldloft_rules::design::{DocumentEdit, TablePath};

/// The highest number after a name that is tried.
const MAX_NUMBER: usize = 100;

/// Asks for the file; `None` without a design.
pub fn choose(state: &EditorState) -> Option<Command> {
    let doc = state.current_doc().filter(|doc| doc.as_design().is_some())?;
    let folder = doc.path().and_then(|path| path.parent()).or_else(|| state.store.workspace());
    let kinds = std::iter::once("svg").chain(PICTURE_ENDINGS).map(str::to_owned).collect();
    let pick = FilePick::designs("Picture of the ship", folder, PickPurpose::Picture);
    Some(Command::PickFile(FilePick { extensions: vec![("Pictures".into(), kinds)], ..pick }))
}

/// Takes the picture out of the design; its file stays. `None` without one.
pub fn remove(state: &EditorState) -> Option<Command> {
    state.current_doc()?.as_design()?.design.silhouette.as_ref()?;
    Some(Command::Edit(Edit::single("remove the picture", DocumentEdit::unset(TablePath::Top, "silhouette"))))
}

/// Whether a dropped file is a picture for the design that is shown.
pub fn is_wanted(state: &EditorState, path: &Path) -> bool {
    let name = path.to_string_lossy().to_lowercase();
    (name.ends_with(".svg") || is_picture(&name)) && state.current_doc().is_some_and(|doc| doc.as_design().is_some())
}

/// Uses a picture for the design that is shown.
pub fn use_file(state: &EditorState, path: &Path) -> Option<Command> {
    let doc = state.current_doc().filter(|doc| doc.as_design().is_some())?;
    let Some(folder) = doc.path().and_then(|path| path.parent()) else {
        let text = "cannot add the picture: it is kept beside the design's file; save the design first";
        return Some(Command::Notify(Notice::error(text)));
    };
    Some(match placed(folder, path) {
        Ok(name) => {
            let edit = DocumentEdit::set(TablePath::Top, "silhouette", name.as_str());
            Command::Edit(Edit::single("change the picture", edit))
        }
        Err(message) => Command::Notify(Notice::error(format!("cannot add the picture: {message}"))),
    })
}

/// The name of the picture in the design's folder, where it is copied unless the same is there.
fn placed(folder: &Path, path: &Path) -> Result<String, String> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let bytes = store::read_bytes(path, MAX_PICTURE_BYTES).map_err(|finding| finding.message)?;
    if is_picture(&name) {
        moldloft_drawing::art::read_picture(&name, &bytes)?.ok_or("it is all white or clear")?;
    }
    let wanted = ContentHash::of_bytes(&bytes);
    let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, ""));
    for number in 1..MAX_NUMBER {
        let name = if number == 1 { name.clone() } else { format!("{stem}-{number}.{ending}") };
        let target: PathBuf = folder.join(&name);
        match ContentHash::of_path(&target) {
            found if found == wanted => return Ok(name),
            ContentHash::Absent => {
                return store::save_new(&target, &bytes).map(|()| name).map_err(|finding| finding.message);
            }
            _ => {}
        }
    }
    Err(format!("no name like `{name}` is free in {}", folder.display()))
}
