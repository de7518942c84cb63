//! A card that is drawn already: takes it and a rectangle, puts it there at its true size.

use std::sync::Arc;

use crate::sheet::assembly::fleet_roster::LaidCard;
use crate::sheet::layout::flowable::{Flowable, SizeHint};
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::TextStyles;
use moldloft_drawing::scene::{Rect, Transform};

#[derive(Debug)]
pub struct DrawnCard(pub Arc<LaidCard>);

impl Flowable for DrawnCard {
    fn measure(&self, _: f32, _: &TextStyles) -> SizeHint {
        SizeHint::fixed(self.0.size.1)
    }

    fn draw(self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        let (x, y) = pen.origin;
        let place = Transform::translate(x + rect.x, y + rect.y);
        pen.items.extend(self.0.items.iter().cloned().map(|mut item| {
            item.transform(&place);
            item
        }));
        None
    }
}
