//! Contents that are continued under one heading: takes contents in order, joins neighbours whose headings are the same.

use super::flowable::{Empty, Flowable, VStack};

/// Between contents under one heading, mm.
const GAP: f32 = 1.6;
/// Most contents under one heading: all of them are measured on each page that they may be on.
const MAX_JOINED: usize = 12;

/// The contents, those with the same heading as the one before under that heading.
pub fn join_headings(parts: Vec<Box<dyn Flowable>>) -> Vec<Box<dyn Flowable>> {
    let mut joined: Vec<Box<dyn Flowable>> = Vec::with_capacity(parts.len());
    let mut bodies: Vec<Box<dyn Flowable>> = Vec::new();
    for mut part in parts {
        let is_same = bodies.len() < MAX_JOINED
            && part.heading().is_some()
            && joined.last().is_some_and(|last| last.heading() == part.heading());
        if is_same {
            if bodies.is_empty()
                && let Some(first) = joined.last_mut()
            {
                bodies = take_bodies(first);
            }
            bodies.extend(take_bodies(&mut part));
            continue;
        }
        put_back(&mut joined, &mut bodies);
        joined.push(part);
    }
    put_back(&mut joined, &mut bodies);
    joined
}

/// What is under a heading, by itself: contents that were joined on the page before must not become one of those joined now.
fn take_bodies(part: &mut Box<dyn Flowable>) -> Vec<Box<dyn Flowable>> {
    let Some(mut body) = part.swap_body(Box::new(Empty)) else { return Vec::new() };
    let parts = body.take_parts();
    if parts.is_empty() { vec![body] } else { parts }
}

fn put_back(joined: &mut [Box<dyn Flowable>], bodies: &mut Vec<Box<dyn Flowable>>) {
    if let Some(first) = joined.last_mut().filter(|_| !bodies.is_empty()) {
        first.swap_body(Box::new(VStack::new(std::mem::take(bodies), GAP, true)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::layout::flowable::{HeadedContent, SizeHint};
    use crate::sheet::layout::minimum_sizes::MinimumSizes;
    use crate::sheet::layout::pen::SheetPen;
    use crate::sheet::layout::text_style::TextStyles;
    use moldloft_drawing::scene::Rect;

    #[derive(Debug)]
    struct TenHigh;

    impl Flowable for TenHigh {
        fn measure(&self, _width: f32, _styles: &TextStyles) -> SizeHint {
            SizeHint::fixed(10.0)
        }

        fn draw(self: Box<Self>, rect: Rect, _pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
            (rect.h < 9.9).then_some(self)
        }
    }

    fn titled(title: &str) -> Box<dyn Flowable> {
        Box::new(HeadedContent::titled(title.to_owned(), String::new(), "continued".into(), Box::new(TenHigh)))
    }

    #[test]
    fn neighbours_with_one_heading_share_it() {
        let styles = TextStyles::new(MinimumSizes::default());
        let joined =
            join_headings(vec![titled("front"), titled("front"), titled("front"), titled("core"), titled("front")]);
        let headings: Vec<_> = joined.iter().map(|part| part.heading().unwrap().0.to_owned()).collect();
        assert_eq!(headings, ["front", "core", "front"]);
        let height = |n: usize| joined[n].measure(80.0, &styles).min;
        assert!((height(0) - height(1) - 2.0 * (10.0 + GAP)).abs() < 0.01, "{} {}", height(0), height(1));
    }

    #[test]
    fn what_is_too_large_for_a_page_is_taken_apart_under_its_heading() {
        let mut joined = join_headings(vec![titled("front"), titled("front")]);
        let parts = joined[0].take_apart();
        assert_eq!(parts.iter().map(|part| part.heading().unwrap().0).collect::<Vec<_>>(), ["front", "front"]);
    }
}
