//! A part of a flow that moves as a whole: takes rows or columns, gives one content, which keeps its form on the page to
//! which it moves. Only what no page can hold is taken apart.

use std::cell::Cell;

use super::flow_layout::FlowPart;
use super::flowable::{Flowable, SizeHint, VStack};
use super::pen::SheetPen;
use super::text_style::TextStyles;
use moldloft_drawing::scene::Rect;

/// Between what remains of its contents, mm.
const REST_GAP: f32 = 5.0;

#[derive(Debug)]
pub struct FlowGroup {
    pub part: FlowPart,
    /// No page holds all of it.
    pub may_split: bool,
}

impl Flowable for FlowGroup {
    fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        let hint = self.part.measure(width, styles);
        SizeHint { min_start: if self.may_split { hint.min_start } else { hint.min }, ..hint }
    }

    fn draw(self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        if !self.may_split && self.part.measure(rect.w, &pen.styles).min > rect.h + 0.05 {
            return Some(self);
        }
        let rest = self.part.draw(rect, pen);
        if rest.is_empty() { None } else { Some(Box::new(VStack::new(rest, REST_GAP, true))) }
    }

    fn max_box_size(&self, rect: Rect, styles: &TextStyles) -> Option<f32> {
        let most = Cell::new(None::<f32>);
        self.part.measure_with(rect.w, &|own, w| {
            let size = own.content.max_box_size(Rect { w, ..rect }, styles);
            most.set(most.get().into_iter().chain(size).reduce(f32::max));
            own.measure(w, styles)
        });
        most.get()
    }

    fn height_for_boxes(&self, width: f32, size: f32, styles: &TextStyles) -> Option<f32> {
        let has_boxes = Cell::new(false);
        let hint = self.part.measure_with(width, &|own, width| {
            let (hint, high) = (own.measure(width, styles), own.content.height_for_boxes(width, size, styles));
            has_boxes.set(has_boxes.get() || high.is_some());
            SizeHint { min: hint.min.max(high.unwrap_or(0.0)), ..hint }
        });
        has_boxes.get().then_some(hint.min)
    }

    fn limit_box_size(&mut self, size: f32) {
        self.part.limit_box_size(size);
    }

    fn allow_split(&mut self) -> bool {
        !std::mem::replace(&mut self.may_split, true)
    }

    fn take_parts(&mut self) -> Vec<Box<dyn Flowable>> {
        let part = std::mem::replace(&mut self.part, FlowPart::Rows { gap: 0.0, parts: Vec::new() });
        part.into_contents()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::layout::flow_layout::{FlowContent, FlowOptions};
    use crate::sheet::layout::minimum_sizes::MinimumSizes;

    #[derive(Debug)]
    struct FixedHeight(f32);

    impl Flowable for FixedHeight {
        fn measure(&self, _width: f32, _styles: &TextStyles) -> SizeHint {
            SizeHint::fixed(self.0)
        }

        fn draw(self: Box<Self>, rect: Rect, _pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
            (rect.h + 0.1 < self.0).then_some(self)
        }
    }

    fn group(heights: &[f32]) -> Box<FlowGroup> {
        let content =
            |height: f32| FlowPart::Content(FlowContent::new(Box::new(FixedHeight(height)), FlowOptions::default()));
        let parts = heights.iter().map(|height| (1.0, content(*height))).collect();
        Box::new(FlowGroup { part: FlowPart::Columns { gap: 4.0, parts }, may_split: false })
    }

    #[test]
    fn a_group_is_drawn_whole_or_not_at_all() {
        let mut pen = SheetPen::new(TextStyles::new(MinimumSizes::default()), (0.0, 0.0));
        let hint = group(&[20.0, 50.0]).measure(100.0, &pen.styles);
        assert_eq!((hint.min_start, hint.min), (50.0, 50.0));
        assert!(group(&[20.0, 50.0]).draw(Rect::new(0.0, 0.0, 100.0, 50.0), &mut pen).is_none());
        let mut left = group(&[20.0, 50.0]).draw(Rect::new(0.0, 0.0, 100.0, 40.0), &mut pen).expect("no room for it");
        // What no page holds is taken apart, from left to right.
        let parts: Vec<f32> = left.take_parts().iter().map(|part| part.measure(100.0, &pen.styles).min).collect();
        assert_eq!(parts, [20.0, 50.0]);
    }
}
