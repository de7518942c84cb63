//! How the texts of a sheet are set for a ship: takes a prepared template and an evaluation, gives for each text whether it had to be cut, and
//! whether that alone costs a page. For authors; never draws.

use super::options::{Floor, Options};
use super::page::{goes_on, holds, setting};
use super::pen::Hands;
use super::prepare::Prepared;
use super::shelf::Shelf;
use super::view::View;
use crate::evaluate::{Evaluation, Focus};

/// A text of a sheet as it is set for one ship.
#[derive(Clone, Debug, PartialEq)]
pub struct SetText {
    /// Its place among the template's slots.
    pub place: usize,
    /// Whether some of its words find no room.
    pub is_cut: bool,
    /// The width that it may take, mm.
    pub width: f32,
    /// How wide it is on one line, as small as it may be, mm.
    pub needs: f32,
}

/// The texts of a sheet that say something for one ship.
#[derive(Clone, Debug, PartialEq)]
pub struct SetTexts {
    /// In the template's order.
    pub texts: Vec<SetText>,
    /// Whether something else of the ship goes on a continuation page: where not, a text that is cut has that page to itself.
    pub goes_on: bool,
}

/// Sets the texts of a template for a ship, without large print.
pub fn set_texts(prepared: &Prepared, evaluation: &Evaluation, shelf: &Shelf<'_>) -> SetTexts {
    let options = Options::default();
    let view = View::new(evaluation, options, Hands::new(Floor::of(&options)), shelf);
    let focus = Focus { page: Some((1, 1)), ..Focus::default() };
    let shown = |when: Option<usize>| holds(prepared, &view, &view.hands, when);
    let texts = prepared
        .slots
        .iter()
        .filter(|filled| shown(prepared.template.slots[filled.place].when))
        .filter_map(|filled| Some((filled, filled.words(&view, &focus).filter(|words| !words.trim().is_empty())?)))
        .map(|(filled, words)| {
            let set = setting(filled, prepared, &words, &view.hands);
            SetText { place: filled.place, is_cut: set.cut, width: set.width, needs: set.needs }
        })
        .collect();
    SetTexts { texts, goes_on: goes_on(prepared, &view) }
}
