//! Tracks on an empty sheet: takes a panel's options for blank boxes, rows and names, gives content to fill in by
//! pencil.

use std::sync::Arc;

use super::TrackPanel;
use crate::sheet::assembly::ship_view::ShipView;
use crate::sheet::layout::box_layout::{BoxGaps, RowFlow};
use crate::sheet::layout::flowable::Flowable;
use crate::sheet::panels::content::box_faces::are_all_worded;
use crate::sheet::panels::content::box_grid::BoxGrid;
use crate::sheet::panels::content::box_rows::{BoxFace, BoxLayer, BoxRow, RowFaces};
use crate::sheet::panels::content::box_strips::{BoxStrip, LabelledBox};
use crate::sheet::panels::content::box_template::BoxTemplate;
use crate::sheet::panels::content::separate_rows;
use crate::sheet::panels::content::units::Unit;
use moldloft_rules::evaluate::BoxShape;

impl TrackPanel {
    /// The text in the boxes of a row.
    fn blank_faces(&self, view: &ShipView<'_>) -> RowFaces {
        if self.options.blank_cells.is_empty() {
            return RowFaces::Same(BoxFace::Blank);
        }
        RowFaces::Each(self.options.blank_cells.iter().map(|words| BoxFace::Value(view.say_shared(words))).collect())
    }

    /// Empty boxes of several tracks on one grid, with the art of their faces.
    fn blank_grid(&self, view: &ShipView<'_>) -> Option<Box<dyn Flowable>> {
        let boxes = *self.blank.first()?;
        let layer = |(id, file): (&Arc<str>, &Option<Arc<str>>)| {
            let face = file.as_ref().and_then(|file| view.box_template(id, file));
            let face = face.map_or(BoxFace::Blank, |face| BoxFace::Template(BoxTemplate::fill(&face, None, 0, view)));
            BoxLayer::new(id.clone(), BoxShape::Square, RowFaces::Same(face))
        };
        let layers = self.ids.iter().zip(&self.box_templates).map(layer).collect();
        let mut grid = self.box_grid(vec![BoxRow::new(boxes, layers)], self.ids.len());
        if self.options.joins_layers {
            grid.layer_gap = 0.0;
        }
        Some(Box::new(grid))
    }

    pub(super) fn blank_content(&self, view: &ShipView<'_>) -> Option<Box<dyn Flowable>> {
        if self.box_templates.iter().any(Option::is_some) && self.blank.len() == 1 {
            return self.blank_grid(view);
        }
        let id = self.ids.first()?;
        if self.options.separate_rows && !self.blank.is_empty() {
            return Some(Box::new(separate_rows::blank_rows(
                id,
                &self.blank,
                self.shape,
                self.preferred_side(5.0),
                self.columns(),
            )));
        }
        if !self.options.blank_names.is_empty() && !self.options.blank_cells.is_empty() && self.blank.is_empty() {
            let stem = |name: &Arc<str>| format!("{id}_{}", name.replace(' ', "-")).into();
            if self.options.wraps_evenly {
                let boxes = self.options.blank_cells.len() as u32;
                let row = |name: &Arc<str>| {
                    let layer = BoxLayer::new(stem(name), self.shape, self.blank_faces(view));
                    BoxRow { label: view.say_shared(name), ..BoxRow::new(boxes, vec![layer]) }
                };
                let rows = self.options.blank_names.iter().map(row).collect();
                return Some(Box::new(self.grid_of_names(rows, view)));
            }
            let strip = |name: &Arc<str>| {
                let entry = |(n, words): (usize, &Arc<str>)| LabelledBox {
                    stem: stem(name),
                    n: n as u32 + 1,
                    fit: None,
                    shape: self.shape,
                    face: BoxFace::Value(view.say_shared(words)),
                };
                let cells = self.options.blank_cells.iter().enumerate().map(entry).collect();
                BoxStrip { label: view.say_shared(name), segments: vec![cells] }
            };
            return Some(self.box_strips(self.options.blank_names.iter().map(strip).collect()));
        }
        if !self.options.blank_names.is_empty() && self.blank.len() <= 1 {
            let first_of_further = self.options.blank_names.len().saturating_sub(self.further_shapes.len());
            let shape = |n: usize| n.checked_sub(first_of_further).and_then(|n| self.further_shapes.get(n).copied());
            let unit = |(n, name): (usize, &Arc<str>)| {
                let shape = shape(n).unwrap_or(self.shape);
                let layer = BoxLayer::new(id.clone(), shape, RowFaces::Same(BoxFace::Blank));
                Unit::new(Some(view.say_shared(name)), 1, BoxLayer { first: n as u32 + 1, ..layer })
            };
            let units = self.options.blank_names.iter().enumerate().map(unit).collect();
            return Some(Box::new(self.list_of_names(units)));
        }
        let named = !self.options.blank_names.is_empty();
        // `check 6 5 4 3`: a heading and the labels at the rows' ends.
        let ends: Vec<Vec<Arc<str>>> = self
            .options
            .blank_ends
            .iter()
            .map(|words| words.split_whitespace().map(|word| view.say(word).into()).collect())
            .collect();
        let end = |words: &Vec<Arc<str>>, n: usize| words.get(n).cloned().unwrap_or_else(|| "".into());
        let mut offset = 0;
        let rows: Vec<BoxRow> = self
            .blank
            .iter()
            .enumerate()
            .map(|(n, &boxes)| {
                let layer = BoxLayer::new(id.clone(), self.shape, self.blank_faces(view));
                let layer = BoxLayer { first: offset + 1, ..layer };
                offset += boxes;
                let label = self.options.blank_names.get(n).map_or_else(|| "".into(), |name| view.say_shared(name));
                let ends = ends.iter().map(|words| end(words, n + 1)).collect();
                BoxRow { label, end_labels: ends, ..BoxRow::new(boxes, vec![layer]) }
            })
            .collect();
        if rows.is_empty() {
            return None;
        }
        let (down, most, aspect) = (self.options.down, self.preferred_side(5.0), self.options.aspect);
        let read = are_all_worded(&rows);
        let plain = self.shape == BoxShape::Plain;
        let gaps = match (read, plain) {
            (true, true) => BoxGaps { within: 0.2, group: 0.0, wrap: 0.14, row: 0.34, ..BoxGaps::default() },
            (true, false) => BoxGaps { group: 0.0, wrap: 0.14, row: 0.34, ..BoxGaps::default() },
            (false, _) => BoxGaps::default(),
        };
        let flow = match (down, plain && read || self.options.wraps_evenly) {
            (true, _) => RowFlow::Centred,
            (false, true) => RowFlow::Even,
            (false, false) => RowFlow::Rows,
        };
        let heads = ends.iter().map(|words| end(words, 0)).collect();
        let medal = self.options.blank_medal.as_ref().map(|words| (view.say_shared(words), "".into()));
        Some(Box::new(BoxGrid {
            rows,
            end_headings: heads,
            medal,
            down,
            flow,
            labels_are_names: named,
            is_centred: down,
            preferred_side: most,
            marker: self.options.marker,
            label_width: if named { self.name_room(view) } else { 0.0 },
            aspect,
            gaps,
            ..BoxGrid::default()
        }))
    }
}
