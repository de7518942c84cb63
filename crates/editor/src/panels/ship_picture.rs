//! The silhouettes of ships in lines, tabs and lists, in the colours of the theme. Takes what they are of and where;
//! gives a command to draw those that are missing.

use egui::cache::FramePublisher;
use egui::{Color32, Id, Pos2, Rect, TextureHandle, TextureOptions, Ui, pos2};

use crate::library_browser::model::{EntryPicture, LibraryCommand, Pictured, ThumbnailState};
use crate::{Command, EditorState};

const PICTURES_PER_BATCH: usize = 6;
pub const WHOLE_PICTURE: Rect = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));

/// What was shown in the frame before; what is not shown again is dropped.
type Shown = FramePublisher<Id, TextureHandle>;

/// Those of one list, which are drawn to one size.
#[derive(Default)]
pub struct ShipPictures {
    missing: Vec<Pictured>,
    picture: Option<EntryPicture>,
}

impl ShipPictures {
    /// As large as there is room in `rect`. Until the picture is drawn, what was last shown under `id` stays.
    pub fn paint(&mut self, ui: &Ui, state: &EditorState, rect: Rect, id: Id, of: Pictured, colour: Color32) {
        let [width, height] = [rect.width(), rect.height()].map(|side| (side * ui.pixels_per_point()).round() as u32);
        let picture = EntryPicture::Silhouette(width, height);
        let id = id.with("silhouette");
        let known = || ui.memory_mut(|memory| memory.caches.cache::<Shown>().get(&id).cloned());
        let texture = match state.library.thumbnail(&of, picture) {
            ThumbnailState::Pending => {
                self.missing.push(of);
                self.picture = Some(picture);
                known()
            }
            ThumbnailState::Unavailable => None,
            ThumbnailState::Ready(image) => {
                Some(ui.ctx().load_texture_cached("silhouette", id, image, TextureOptions::LINEAR))
            }
        };
        let Some(texture) = texture else { return };
        let size = texture.size_vec2() / ui.pixels_per_point();
        let scale = (rect.size() / size).min_elem().min(1.0);
        let place = Rect::from_center_size(rect.center(), size * scale);
        ui.painter().image(texture.id(), place, WHOLE_PICTURE, colour);
        ui.memory_mut(|memory| memory.caches.cache::<Shown>().set(id, texture));
    }

    /// After the last one.
    pub fn draw_missing(self, state: &EditorState, out: &mut Vec<Command>) {
        if let Some(picture) = self.picture {
            draw_missing(state, self.missing, picture, out);
        }
    }
}

/// Some at a time, the first ones first.
pub fn draw_missing(state: &EditorState, mut of: Vec<Pictured>, picture: EntryPicture, out: &mut Vec<Command>) {
    of.truncate(PICTURES_PER_BATCH);
    if !of.is_empty() && !state.library.is_drawing() {
        out.push(Command::Library(LibraryCommand::DrawThumbnails { of, picture }));
    }
}
