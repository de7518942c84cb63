//! What the window shows, as pixels, without a screen or a graphics library: textured triangles, one pixel a point, the same on every machine.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use egui::epaint::{ImageData, Mesh, Primitive, Vertex};
use egui::{Color32, ColorImage, Context, FullOutput, Pos2, Rect, TextureId, TexturesDelta, Vec2};
use egui_kittest::TestRenderer;
use resvg::tiny_skia::{IntSize, Pixmap};

/// The textures that the window has sent so far.
#[derive(Clone, Default)]
pub struct Painter(Rc<RefCell<HashMap<TextureId, ColorImage>>>);

impl TestRenderer for Painter {
    fn handle_delta(&mut self, delta: &mut TexturesDelta) {
        let mut textures = self.0.borrow_mut();
        #[allow(clippy::iter_over_hash_type, reason = "no texture depends on another")]
        for (id, parts) in std::mem::take(&mut delta.set) {
            for part in parts {
                let ImageData::Color(image) = &part.image;
                match part.pos {
                    None => drop(textures.insert(id, (**image).clone())),
                    Some(at) => put(textures.get_mut(&id).expect("a texture"), image, at),
                }
            }
        }
        let freed = std::mem::take(&mut delta.free);
        textures.retain(|id, _| !freed.contains(id));
    }
}

fn put(texture: &mut ColorImage, part: &ColorImage, [left, top]: [usize; 2]) {
    let width = texture.size[0];
    for (y, row) in part.pixels.chunks_exact(part.size[0]).enumerate() {
        let start = (top + y) * width + left;
        texture.pixels[start..start + row.len()].copy_from_slice(row);
    }
}

impl Painter {
    /// The frame, on black.
    pub fn picture(&self, ctx: &Context, output: &FullOutput, size: Vec2) -> Pixmap {
        let (width, height) = (size.x as usize, size.y as usize);
        let mut pixels = vec![Color32::BLACK; width * height];
        for part in ctx.tessellate(output.shapes.clone(), 1.0) {
            let Primitive::Mesh(mesh) = part.primitive else { continue };
            let textures = self.0.borrow();
            let texture = &textures[&mesh.texture_id];
            let clip = part.clip_rect.intersect(Rect::from_min_size(Pos2::ZERO, size));
            for corners in triangles(&mesh) {
                paint(&mut pixels, width, clip, corners, texture);
            }
        }
        let bytes = pixels.iter().flat_map(|pixel| pixel.to_array()).collect();
        Pixmap::from_vec(bytes, IntSize::from_wh(width as u32, height as u32).expect("a size")).expect("a picture")
    }
}

fn triangles(mesh: &Mesh) -> impl Iterator<Item = [Vertex; 3]> {
    mesh.indices.chunks_exact(3).map(|at| [at[0], at[1], at[2]].map(|at| mesh.vertices[at as usize]))
}

/// Twice the area of a triangle, above 0 if it runs clockwise on the screen.
fn area(a: Pos2, b: Pos2, c: Pos2) -> f32 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/// Pixels whose middle lies within; of an edge that two triangles share, one has them.
fn paint(pixels: &mut [Color32], width: usize, clip: Rect, mut corners: [Vertex; 3], texture: &ColorImage) {
    if area(corners[0].pos, corners[1].pos, corners[2].pos) < 0.0 {
        corners.swap(1, 2);
    }
    let [a, b, c] = corners.map(|corner| corner.pos);
    let whole = area(a, b, c);
    if whole <= 0.0 {
        return;
    }
    let bounds = Rect::from_points(&[a, b, c]).intersect(clip.round());
    // An edge that lies above or to the left keeps the middles on it.
    let keeps = |from: Pos2, to: Pos2| to.y < from.y || (to.y == from.y && to.x > from.x);
    let edges = [(b, c), (c, a), (a, b)];
    let is_plain = corners.iter().all(|corner| (corner.uv, corner.color) == (corners[0].uv, corners[0].color));
    let plain = is_plain.then(|| mixed(corners, [1.0, 0.0, 0.0], texture));
    for y in bounds.top().floor() as usize..bounds.bottom().ceil().max(0.0) as usize {
        for x in bounds.left().floor() as usize..bounds.right().ceil().max(0.0) as usize {
            let middle = Pos2::new(x as f32 + 0.5, y as f32 + 0.5);
            if !bounds.contains(middle) {
                continue;
            }
            let shares = edges.map(|(from, to)| area(from, to, middle));
            if shares.iter().zip(edges).any(|(&share, (from, to))| share < 0.0 || (share == 0.0 && !keeps(from, to))) {
                continue;
            }
            let colour = plain.unwrap_or_else(|| mixed(corners, shares.map(|share| share / whole), texture));
            let under = &mut pixels[y * width + x];
            let cover = 1.0 - colour[3] / 255.0;
            let over = |at: usize| (colour[at] + f32::from(under[at]) * cover).round() as u8;
            *under = Color32::from_rgba_premultiplied(over(0), over(1), over(2), 255);
        }
    }
}

/// The colour at a place that has these shares of the corners: 0 to 255 a channel, multiplied by its opacity.
fn mixed(corners: [Vertex; 3], shares: [f32; 3], texture: &ColorImage) -> [f32; 4] {
    let mix = |values: [f32; 3]| values[0] * shares[0] + values[1] * shares[1] + values[2] * shares[2];
    let uv = Pos2::new(mix(corners.map(|corner| corner.uv.x)), mix(corners.map(|corner| corner.uv.y)));
    let texel = sample(texture, uv);
    std::array::from_fn(|at| mix(corners.map(|corner| f32::from(corner.color[at]))) * texel[at] / 255.0)
}

/// The four texels around a place of 0 to 1, mixed: 0 to 255 a channel.
fn sample(texture: &ColorImage, uv: Pos2) -> [f32; 4] {
    let [width, height] = texture.size;
    let place = |share: f32, many: usize| {
        let at = (share * many as f32 - 0.5).clamp(0.0, (many - 1) as f32);
        (at.floor() as usize, (at.floor() as usize + 1).min(many - 1), at.fract())
    };
    let ((left, right, x), (top, bottom, y)) = (place(uv.x, width), place(uv.y, height));
    let at = |column: usize, row: usize| texture.pixels[row * width + column];
    std::array::from_fn(|channel| {
        let line = |row| f32::from(at(left, row)[channel]) * (1.0 - x) + f32::from(at(right, row)[channel]) * x;
        line(top) * (1.0 - y) + line(bottom) * y
    })
}
