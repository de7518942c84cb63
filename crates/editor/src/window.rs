//! Opens the window: takes a store and files, reads the settings and runs until the window is closed.

use std::path::{Path, PathBuf};

use crate::effects::persistence;
use crate::effects::platform::NativePlatform;
use crate::{App, AppFolders, Command, EditorState, Jobs, Notice, PersistenceCommand, Settings, event_loop, fault};
use moldloft_base::finding::{Advice, Finding};
use moldloft_library::library;
use moldloft_library::store::{self, Store};

const MIN_SIZE: (f32, f32) = (1024.0, 700.0);

/// Returns when the window is closed.
///
/// # Errors
/// A finding if no window can be opened.
pub fn open(store: Store, files: Vec<PathBuf>) -> Result<(), Finding> {
    let places =
        directories::ProjectDirs::from("", "", "moldloft").map_or_else(AppFolders::default, |folders| AppFolders {
            config: Some(folders.config_dir().to_path_buf()),
            drafts: Some(folders.data_local_dir().join("drafts")),
        });
    fault::install_hook(places.drafts.clone());
    let (settings, notice) = load_settings(&places);
    // Before any text is shaped.
    let font = settings.font.as_deref().and_then(|font| library::use_font(font).err());
    let font = font.map(|finding| Notice::error(finding.message));
    // The last folder, unless the program was started in one or for one.
    let last = settings.workspace.as_deref().filter(|_| store.workspace().is_none());
    let (store, missing_workspace) = match last.map(|folder| Store::open(Some(folder))) {
        Some(Ok(last)) => (last, None),
        Some(Err(_)) => {
            let folder = settings.workspace.as_deref().unwrap_or(Path::new("")).display();
            (
                store,
                Some(Notice::error(format!(
                    "cannot find {folder}, the folder opened last; use File, Open folder… to open another"
                ))),
            )
        }
        None => (store, None),
    };
    // The first window grows to what the screen allows when it is shown.
    let (width, height) = settings.window.map_or((1360.0, 860.0), |(width, height)| (width as f32, height as f32));
    let viewport = egui::ViewportBuilder::default()
        .with_title("Moldloft")
        .with_app_id("moldloft")
        .with_icon(eframe::icon_data::from_png_bytes(include_bytes!("../../../packaging/icon.png")).unwrap_or_default())
        .with_inner_size((width.max(640.0), height.max(480.0)))
        .with_min_inner_size(MIN_SIZE);
    // Colours are flat: dithering would cost time and show nothing.
    let options = eframe::NativeOptions { viewport, dithering: false, ..Default::default() };
    let run = event_loop::run(
        options,
        Box::new(move |context| {
            let ctx = context.egui_ctx.clone();
            let mut state = EditorState::new(store, places, settings);
            state.platform.guide = std::env::current_exe().ok().and_then(|program| guide_beside(&program));
            state.notices.extend(notice.into_iter().chain(font).chain(missing_workspace));
            let mut app = App::new(state, Jobs::new(move || ctx.request_repaint()), Box::new(NativePlatform::new()));
            let (tabs, tab) = (app.state().settings.tabs.clone(), app.state().settings.tab.clone());
            if files.is_empty() {
                tabs.iter().chain(&tab).for_each(|tab| app.apply(persistence::reopen_command(tab)));
            }
            for path in files {
                let commands = crate::bundles::commands_to_open(app.state(), &path);
                commands.into_iter().for_each(|command| app.apply(command));
            }
            app.apply(Command::Persistence(PersistenceCommand::Watch));
            Ok(Box::new(app))
        }),
    );
    run.map_err(|why| Finding::error("no-window", format!("cannot open a window: {why}")).advise(Advice::NoWindow))
}

/// The guide as a packaged program has it, or as its sources have it.
fn guide_beside(program: &Path) -> Option<PathBuf> {
    const PLACES: [&str; 3] = ["guide/index.html", "share/doc/moldloft/guide/index.html", "docs/guide/src/README.md"];
    let folders = program.ancestors().skip(1).take(4);
    folders.flat_map(|folder| PLACES.map(|place| folder.join(place))).find(|page| store::is_there(page))
}

fn load_settings(places: &AppFolders) -> (Settings, Option<Notice>) {
    let Some(folder) = &places.config else { return Default::default() };
    let (settings, finding) = store::load_settings(folder, "editor.json", Settings::parse);
    (settings.unwrap_or_default(), finding.map(|finding| Notice::from_finding(&finding)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_is_found_from_a_program_in_its_sources() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the repository");
        let page = guide_beside(&root.join("target/debug/moldloft"));
        assert_eq!(page, Some(root.join("docs/guide/src/README.md")));
        assert_eq!(guide_beside(Path::new("/nowhere/moldloft")), None);
    }
}
