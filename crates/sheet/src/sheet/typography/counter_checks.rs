//! Counters: takes a page of counters, gives texts that are too near to the cut, and names in more than two sizes or
//! on more than one baseline.

use std::collections::BTreeMap;

use super::faults::{CUT_CLEARANCE, MAX_NAME_SIZES, TypographyCheck, TypographyFault};
use super::ink::{PageInk, is_frame_of};
use super::near_lines::{self, distance_of_bounds, segment_to_rect};
use moldloft_base::sanitize::plural;
use moldloft_drawing::scene::{MarkKind, Page, Rect, SceneItem, Shape, Transform};

/// One side of a counter, with its corner on the page.
struct DrawnCounter<'a> {
    /// `missile`.
    kind: &'a str,
    /// Its position and turn.
    transform: Transform,
    size: (f32, f32),
    items: &'a [SceneItem],
}

/// A fault on a counter.
#[derive(Clone, Debug)]
pub struct CounterFault {
    /// The counter's id.
    pub counter: String,
    pub fault: TypographyFault,
}

/// Checks the fronts of the counters of a page whose groups are counters; `names` are those of the ships.
pub fn check_counters(page: &Page, names: &[&str]) -> Vec<CounterFault> {
    let items = page.items();
    let mut faults = Vec::new();
    let mut add = |kind: &str, fault: TypographyFault| faults.push(CounterFault { counter: kind.to_owned(), fault });
    // By kind and name's place among its texts: sizes and baselines in hundredths of a millimetre, with a place.
    let mut of_names: BTreeMap<(&str, bool), (Vec<i32>, Vec<i32>, (f32, f32))> = BTreeMap::new();
    for face in items.iter().filter_map(drawn_counter) {
        let ink = PageInk::new(face.items, face.size);
        let edges = cut_edges(&ink, face.size);
        for fault in near_lines::check(&ink) {
            add(face.kind, TypographyFault { at: face.transform.apply(fault.at.0, fault.at.1), ..fault });
        }
        for text in &ink.texts {
            let is_near = |(from, to): &&_| distance_of_bounds(*from, *to, &text.extent) < CUT_CLEARANCE;
            let near = edges.iter().filter(is_near);
            let nearest = near.map(|(from, to)| segment_to_rect(*from, *to, &text.extent).0);
            let mm = nearest.fold(f32::INFINITY, f32::min);
            let at = face.transform.apply(text.extent.x, text.extent.bottom());
            if mm < CUT_CLEARANCE - 0.02 {
                let message = format!(
                    "“{}” on the counter at {:.1}, {:.1} mm is {mm:.2} mm from the cut; the least is {CUT_CLEARANCE} mm",
                    text.words, face.transform.m[4], face.transform.m[5]
                );
                let text = text.words.to_string();
                add(face.kind, TypographyFault { check: TypographyCheck::TextNearCut, at, text, message });
            }
            if text.words.ends_with('…') {
                let message = format!("“{}” is cut at {:.1}, {:.1} mm", text.words, at.0, at.1);
                let text = text.words.to_string();
                add(face.kind, TypographyFault { check: TypographyCheck::TextCut, at, text, message });
            }
            if names.iter().any(|name| **name == *text.words) {
                let known =
                    of_names.entry((face.kind, face.transform.m[0] < 0.0)).or_insert((Vec::new(), Vec::new(), at));
                let (size, baseline) = ((text.points * 10.0).round() as i32, (text.baseline * 10.0).round() as i32);
                if !known.0.contains(&size) {
                    known.0.push(size);
                }
                if !known.1.contains(&baseline) {
                    known.1.push(baseline);
                }
            }
        }
    }
    for ((kind, _), (sizes, baselines, at)) in of_names {
        if sizes.len() > MAX_NAME_SIZES || baselines.len() > 1 {
            let message = format!(
                "the names on the counters “{kind}” have {} and {}; the limits are {MAX_NAME_SIZES} and 1",
                plural(sizes.len(), "size"),
                plural(baselines.len(), "baseline")
            );
            add(kind, TypographyFault { check: TypographyCheck::CounterNames, at, text: String::new(), message });
        }
    }
    faults
}

/// A group that is a counter: its front has a mark of the counter's size.
fn drawn_counter(item: &SceneItem) -> Option<DrawnCounter<'_>> {
    let Shape::Group { transform, items } = &item.shape else { return None };
    let marked = items.iter().find_map(|item| match (&item.shape, &item.mark) {
        (Shape::Rect { rect, .. }, Some(mark)) if mark.kind == MarkKind::Shown => Some((rect, &mark.name)),
        _ => None,
    });
    let (rect, name) = marked?;
    let kind = name.rsplit_once('_').map_or(&**name, |(kind, _)| kind);
    Some(DrawnCounter { kind, transform: *transform, size: (rect.w, rect.h), items })
}

/// The lines along which a counter is cut: an outline as large as the counter, else its rectangle.
fn cut_edges(ink: &PageInk, (w, h): (f32, f32)) -> Vec<((f32, f32), (f32, f32))> {
    let whole = Rect::new(0.0, 0.0, w, h);
    let outline = ink.shapes.iter().position(|shape| shape.is_closed && is_frame_of(&shape.bounds, &whole));
    if let Some(outline) = outline {
        return ink.lines.iter().filter(|line| line.shape == outline).map(|line| (line.from, line.to)).collect();
    }
    let corners = [(0.0, 0.0), (w, 0.0), (w, h), (0.0, h)];
    (0..4).map(|n| (corners[n], corners[(n + 1) % 4])).collect()
}
