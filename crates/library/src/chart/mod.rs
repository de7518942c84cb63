//! Charts: takes odds, a matrix or the impact of other rules, gives pages with curves, bars and figures in millimetres, in black and one grey.

mod histogram;
mod impact;
mod labels;
mod matrix;
mod page;
mod pen;
mod plot;
mod scale;

pub use histogram::{ChanceBar, chance_bars};
pub use impact::{ImpactBars, ImpactChart, impact_pages};
pub use matrix::matrix_page;
pub use page::{WIDTH, narrow_odds_page, odds_page};

use moldloft_drawing::scene::{Meta, Page, Scene, SceneItem, Shape, Transform};

/// Charts as a document, each on a page of its own size.
pub fn chart_scene(title: &str, pages: Vec<Page>) -> Scene {
    let meta = Meta { title: title.to_owned(), ..Meta::default() };
    Scene { meta, pages }
}

/// The page in the middle of the upper edge of a paper of this size, in mm, turned if it only fits so; `None` if it does not fit at full size.
pub fn on_paper(page: Page, (width, height): (f32, f32)) -> Option<Page> {
    const SLACK: f32 = 0.1;
    let fits = |(w, h): &(f32, f32)| page.width <= w + SLACK && page.height <= h + SLACK;
    let (width, height) = [(width, height), (height, width)].into_iter().find(fits)?;
    let transform = Transform::translate((width - page.width) / 2.0, 0.0);
    let items = vec![SceneItem { shape: Shape::Group { transform, items: page.items }, mark: None }];
    Some(Page { width, height, items, ..page })
}
