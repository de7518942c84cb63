//! A drawing that grows with a ship: takes a small template and what its groups come to for the ship, gives its shapes.

use super::stretch::{bounds, map_shape};
use moldloft_drawing::art::{GroupKind, Template};
use moldloft_drawing::scene::{Drawing, Rect, Shape};

/// Groups within groups multiply: more shapes are not drawn.
const MAX_SHAPES: usize = 5_000;
/// A shape on its way out of the groups around it; one of a repeated group keeps its form, and moves by the group's middle.
#[derive(Clone)]
struct Placed {
    shape: Shape,
    middle: Option<(f32, f32)>,
}

pub fn grown_drawing(template: &Template, values: &[[i64; 2]]) -> Drawing {
    let mut shapes: Vec<Shape> = Vec::new();
    for piece in &template.art {
        let placed = piece.drawing.shapes.iter().map(|shape| Placed { shape: shape.clone(), middle: None });
        let mut placed: Vec<Placed> = placed.collect();
        for group in enclosing_groups(template, piece.when) {
            placed = through_group(template, group, values.get(group).copied().unwrap_or_default(), placed);
            placed.truncate(MAX_SHAPES.saturating_sub(shapes.len()));
        }
        shapes.extend(placed.into_iter().map(|placed| placed.shape));
    }
    Drawing {
        name: template.source.file.to_string(),
        width: template.width,
        height: template.height,
        picture: None,
        shapes,
    }
}

/// The groups around a piece of art, innermost first.
fn enclosing_groups(template: &Template, when: Option<usize>) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(when, |group| template.conditions[*group].parent)
}

fn through_group(template: &Template, group: usize, value: [i64; 2], placed: Vec<Placed>) -> Vec<Placed> {
    match template.conditions[group].kind {
        GroupKind::When | GroupKind::Ruler if value[0] == 0 => Vec::new(),
        GroupKind::When | GroupKind::Ruler => placed,
        GroupKind::Repeat { along } => {
            let middle = middle_of(template, group);
            let copy = |n: i64| {
                let share = (n as f32 + 0.5) / value[0] as f32 - 0.5;
                let by = (along.0 * share, along.1 * share);
                placed
                    .iter()
                    .map(move |it| Placed { middle: Some(middle), ..it.clone() })
                    .map(move |it| shifted(it, by))
            };
            (0..value[0]).flat_map(copy).collect()
        }
        GroupKind::Scale => {
            let (across, down) = (value[0] as f32 / 100.0, value[1] as f32 / 100.0);
            let (x0, y0) = (template.width / 2.0, template.height / 2.0);
            let to = |x: f32, y: f32| (x0 + (x - x0) * across, y0 + (y - y0) * down);
            let scaled = |it: Placed| match it.middle {
                Some((x, y)) => {
                    let (new_x, new_y) = to(x, y);
                    shifted(it, (new_x - x, new_y - y))
                }
                None => Placed { shape: map_shape(&it.shape, to), middle: None },
            };
            placed.into_iter().map(scaled).collect()
        }
    }
}

fn shifted(it: Placed, (across, down): (f32, f32)) -> Placed {
    let to = |x: f32, y: f32| (x + across, y + down);
    Placed { shape: map_shape(&it.shape, to), middle: it.middle.map(|(x, y)| to(x, y)) }
}

/// The middle of what a group draws.
fn middle_of(template: &Template, group: usize) -> (f32, f32) {
    let within = template.art.iter().filter(|piece| enclosing_groups(template, piece.when).any(|outer| outer == group));
    let around = within.flat_map(|piece| piece.drawing.shapes.iter().map(bounds)).reduce(|a, b| {
        let (x, y) = (a.x.min(b.x), a.y.min(b.y));
        Rect::new(x, y, a.right().max(b.right()) - x, a.bottom().max(b.bottom()) - y)
    });
    around.map_or((0.0, 0.0), |all| (all.x + all.w / 2.0, all.y + all.h / 2.0))
}
