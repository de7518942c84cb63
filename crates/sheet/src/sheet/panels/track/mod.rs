//! `panel: track ID …`: rows of boxes. One track in rows with labels at their ends; several on one grid; or instances
//! of a track, each named at its left, those of the same thing joined in one line.

mod blank;
mod one_roll;

use std::sync::Arc;

use crate::sheet::assembly::ship_view::{ShipView, with_minus_signs};
use crate::sheet::assembly::shown_parts::ShownParts;
use crate::sheet::layout::box_layout::{BoxGaps, RowFlow};
use crate::sheet::layout::flowable::{Flowable, HeadingStyle, VStack};
use crate::sheet::panels::common_options::blank_counts;
use crate::sheet::panels::content::box_faces::{
    are_all_worded, cell_face, countdown_faces, counter_number, has_value, numbered_faces, plain_label,
};
use crate::sheet::panels::content::box_grid::BoxGrid;
use crate::sheet::panels::content::box_rows::{BoxFace, BoxLayer, BoxRow, BoxSign, LABEL_GAP, RowFaces};
use crate::sheet::panels::content::box_strips::{BoxStrip, BoxStrips, LabelledBox};
use crate::sheet::panels::content::box_template::BoxTemplate;
use crate::sheet::panels::content::separate_rows::{self, RowNaming};
use crate::sheet::panels::content::text_blocks::Paragraphs;
use crate::sheet::panels::content::units::{NamePlace, Unit, Units};
use crate::sheet::panels::kind::PanelKind;
use crate::sheet::panels::panel::{Panel, PanelShows};
use crate::sheet::panels::panel_args::PanelArgs;
use crate::sheet::panels::panel_options::{
    Choice, ConditionOption, Flag, Integer, Maybe, Number, NumberList, Or, TemplateText, Text, Texts, panel_options,
};
use moldloft_drawing::art::Anchor;
use moldloft_rules::evaluate::{BoxKind, BoxShape, SlotScope, TrackLine, TrackResult};
use moldloft_rules::formula::{Formula, TextTemplate};
use moldloft_rules::ruleset::SlotContext;

pub static KIND: PanelKind = PanelKind {
    name: "track",
    argument: "ids of tracks",
    about: "rows of boxes; several tracks share one grid, those for each mount or fit are joined by what they belong to",
    options: TrackOptions::LIST,
    compile,
};

panel_options! {
    struct TrackOptions {
        row_label: Option<Vec<Arc<str>>> = "row_label", Maybe(Texts),
            "which labels are put at the ends of rows; default: all";
        row_name: Option<Arc<str>> = "row_name", Maybe(Text),
            "which label is put to the left of rows, as their names";
        last: Option<TextTemplate> = "last", Maybe(TemplateText(SlotContext::Ship)),
            "text at the end of the last row, if it has no label; text with {{ }}";
        medal: Option<TextTemplate> = "medal", Maybe(TemplateText(SlotContext::Ship)),
            "text in a large circle on the right; text with {{ }}";
        medal_note: Option<TextTemplate> = "medal_note", Maybe(TemplateText(SlotContext::Ship)),
            "small text under the circle; text with {{ }}";
        down: bool = "down", Or(Flag, false), "true: boxes run down";
        labels_beside: Option<bool> = "names", Maybe(Choice(&[("beside", true), ("inside", false)])),
            "labels `beside` or `inside` the boxes; default: by their length";
        one_line_per_track: bool = "named", Or(Flag, false),
            "true: every track on its own line, with its label on the left";
        columns: Option<u32> = "columns", Maybe(Integer(0, u32::MAX)), "maximum number of columns of named boxes";
        spreads: bool = "spread", Or(Flag, false),
            "true: lines of named boxes share the panel's height, so that what is drawn beside them is level with each";
        separate_rows: bool = "apart", Or(Flag, false),
            "true: each row of boxes separately, named and numbered; `columns` is how many side by side";
        counter: Option<Arc<str>> = "numbers", Maybe(Text),
            "the id of a counter for the same things: its numbers are put in the boxes (of boxes with `n` in their cells, in those, counted from `n`), or with `apart` before the rows' numbers";
        numbers_only: bool = "numbers_only", Or(Flag, false),
            "with `apart` and `numbers`: rows have their numbers without the track's name, which is printed elsewhere";
        size: Option<f32> = "size", Maybe(Number(3.0, 60.0)),
            "preferred side of a box in mm; default 5, or about 4 for boxes next to names";
        marker: f32 = "marker", Or(Number(0.0, 60.0), 0.0),
            "width in mm of a marker that is put on the boxes: they are large enough for it on every paper, or go on a further page";
        name_width: f32 = "name_width", Or(Number(0.0, 100.0), 0.0),
            "width in mm kept for names at the left, so that the boxes of several panels begin at one place";
        aspect: f32 = "aspect", Or(Number(0.5, 12.0), 1.0), "width of a box divided by its height";
        widest: Option<f32> = "widest", Maybe(Number(0.5, 12.0)),
            "the same at most, for boxes that would leave part of the width free; default: as `aspect`";
        wraps_evenly: bool = "wrap", Or(Choice(&[("fives", false), ("even", true)]), false),
            "`fives`, or `even`: a long row is split evenly among its lines";
        heights: Vec<f32> = "heights", Or(NumberList, Vec::new()),
            "for several tracks on one grid: heights of their boxes relative to the first";
        joins_layers: bool = "joined", Or(Flag, false),
            "for several tracks on one grid: true: boxes one above the other share a line";
        blank_names: Vec<Arc<str>> = "blank_names", Or(Texts, Vec::new()),
            "names of the rows of an empty sheet; without `blank`, of its boxes, of which the last ones are those of the second and further tracks, one each";
        blank_ends: Vec<Arc<str>> = "blank_ends", Or(Texts, Vec::new()),
            "labels at the ends of those rows, each line after its heading: \"check 6 5 4 3\"";
        rolls: Option<Formula> = "rolls", Maybe(ConditionOption(SlotContext::Ship)),
            "condition: at the ends of rows are the numbers of the track's shared roll, as far as the boxes leave room";
        blank_cells: Vec<Arc<str>> = "blank_cells", Or(Texts, Vec::new()),
            "text in the boxes of each of those rows; with names and without `blank`, text and numbers in columns";
        blank_medal: Option<Arc<str>> = "blank_medal", Maybe(Text), "text in the circle of an empty sheet";
    }
}

struct TrackPanel {
    ids: Vec<Arc<str>>,
    options: TrackOptions,
    /// Templates of the tracks' boxes, for empty sheets.
    box_templates: Vec<Option<Arc<str>>>,
    /// Number of boxes in each row of an empty sheet.
    blank: Vec<u32>,
    /// The shape of the first track's boxes, for empty sheets.
    shape: BoxShape,
    /// Those of the further tracks.
    further_shapes: Vec<BoxShape>,
}

fn compile(args: &mut PanelArgs<'_>) -> Option<Box<dyn Panel>> {
    let tracks = &args.ruleset.tracks;
    let known: Vec<&str> = tracks.iter().map(|track| &*track.id).collect();
    let ids = args.argument.clone();
    for id in &ids {
        // An instance of a track may be named: `status_left-front`.
        let instance = known.iter().any(|known| id.strip_prefix(known).is_some_and(|rest| rest.starts_with('_')));
        if !instance {
            args.check_known("track", id, &known);
        }
    }
    if ids.is_empty() {
        args.report_unknown("track", "", &known);
        return None;
    }
    let options = TrackOptions::read(args);
    if let Some(id) = &options.counter {
        let counters: Vec<&str> = args.ruleset.counters.iter().map(|counter| &*counter.id).collect();
        args.check_known("counter", id, &counters);
    }
    let declared = |id: &Arc<str>| tracks.iter().find(|track| track.id == *id);
    let shape = |id: &Arc<str>| declared(id).map_or(BoxShape::Square, |track| track.shape);
    Some(Box::new(TrackPanel {
        shape: ids.first().map_or(BoxShape::Square, shape),
        further_shapes: ids.iter().skip(1).map(shape).collect(),
        box_templates: ids.iter().map(|id| declared(id)?.face.clone()).collect(),
        blank: blank_counts(args, u32::MAX).into_iter().filter(|&n| n > 0).collect(),
        ids,
        options,
    }))
}

/// Usual side of a box for ammunition, mm: smaller than one for damage.
const AMMO_SIDE: f32 = 3.8;

/// How the tracks of a panel are arranged.
#[derive(Clone, Copy)]
enum Arrangement {
    /// Each row of boxes on its own, named and numbered.
    SeparateRows,
    /// Instances of several tracks: a line for each thing they belong to.
    JoinedInstances,
    /// Instances of one track, each named at its left.
    Instances,
    /// Each track on a line of its own, named at its left.
    NamedLines,
    /// All as one block, one after another.
    OneBlock,
    /// Tracks with equal rows above each other on one grid.
    LayeredGrid,
    /// Each track as a block of its own, below each other.
    Blocks,
}

impl TrackPanel {
    /// `indices` has the tracks of each of the panel's ids; `all` has the same in one list, not empty.
    fn arrangement(&self, indices: &[Vec<usize>], all: &[usize], tracks: &[TrackResult]) -> Arrangement {
        if self.options.separate_rows {
            return Arrangement::SeparateRows;
        }
        if all.iter().any(|&n| tracks[n].id != tracks[n].track) {
            let filled = indices.iter().filter(|indices| !indices.is_empty()).count();
            // Small drawings keep their own shape and size.
            let is_drawn = all.iter().any(|&n| tracks[n].box_template.is_some());
            return if filled > 1 && !is_drawn { Arrangement::JoinedInstances } else { Arrangement::Instances };
        }
        if self.options.one_line_per_track {
            return Arrangement::NamedLines;
        }
        // Boxes named individually or by their row read as one list, whatever their purpose.
        let listed = self.options.row_name.is_some() || all.iter().all(|&n| self.labels_beside(&tracks[n]));
        if all.len() == 1 || listed {
            Arrangement::OneBlock
        } else if all.iter().all(|&n| tracks[n].rows == tracks[all[0]].rows) {
            Arrangement::LayeredGrid
        } else {
            Arrangement::Blocks
        }
    }

    /// The maximum number of columns; 0 for as many as fit.
    fn columns(&self) -> usize {
        self.options.columns.unwrap_or(0) as usize
    }

    /// The preferred side of a box, mm: the author's own, otherwise the usual one of such a place.
    fn preferred_side(&self, usual: f32) -> f32 {
        self.options.size.unwrap_or(usual)
    }

    fn labels_beside(&self, track: &TrackResult) -> bool {
        let longest = track.cells.iter().map(|cell| plain_label(Some(cell)).chars().count()).max().unwrap_or(0);
        match self.options.labels_beside {
            Some(true) => longest > 0,
            Some(false) => false,
            None => longest > 3,
        }
    }

    /// Whether labels of this name are printed at the rows' ends: requested, and not all of them empty.
    fn shows_end_labels(&self, name: &Arc<str>, labels: &[Arc<str>]) -> bool {
        if self.options.row_name.as_ref() == Some(name) {
            return false;
        }
        let is_requested = self.options.row_label.as_ref().is_none_or(|names| names.contains(name));
        is_requested && labels.iter().any(|label| !label.is_empty())
    }

    fn box_rows(&self, index: usize, view: &ShipView<'_>) -> Vec<BoxRow> {
        let track = &view.evaluation.tracks[index];
        let named = !self.labels_beside(track);
        let first = counter_number(track, self.options.counter.as_deref(), view);
        let numbers_all = !track.cells.iter().any(has_value) && track.box_template.is_none();
        let faces = if let Some(first) = first.filter(|_| numbers_all) {
            numbered_faces(first, track.boxes())
        } else if let Some(drawn) = track.box_template.as_ref().and_then(|file| view.box_template(&track.track, file)) {
            let boxes = 0..track.boxes() as usize;
            RowFaces::Each(boxes.map(|n| BoxFace::Template(BoxTemplate::fill(&drawn, Some(index), n, view))).collect())
        } else if track.cells.is_empty() && track.kind == BoxKind::Countdown {
            countdown_faces(&track.rows)
        } else if track.cells.is_empty() {
            RowFaces::Same(BoxFace::Blank)
        } else {
            RowFaces::Each(track.cells.iter().map(|cell| cell_face(Some(cell), named, first, view)).collect())
        };
        let signs: Arc<[(u32, BoxSign)]> = track
            .marks
            .iter()
            .filter(|mark| mark.at > 0)
            .filter_map(|mark| {
                let sign = match &*mark.icon {
                    "dot" => BoxSign::Dot,
                    "bar-after" => BoxSign::BarAfter,
                    file => BoxSign::Icon(view.icon(file)?),
                };
                Some((mark.at - 1, sign))
            })
            .collect();
        let fit = track.fit.and_then(|fit| view.evaluation.fits.get(fit)).map(|fit| fit.index);
        let wanted = |name: &Arc<str>, labels: &[Arc<str>]| self.shows_end_labels(name, labels);
        let mut offset = 0;
        let mut rows = Vec::with_capacity(track.rows.len());
        for TrackLine { row: n, boxes, starts_row: begins, ends_row: stops } in track.lines_of_boxes() {
            let layer = BoxLayer {
                stem: track.id.clone(),
                first: offset + 1,
                fit,
                shape: track.shape,
                faces: faces.clone(),
                first_face: offset,
                signs: signs.clone(),
            };
            offset += boxes;
            let ends = track.row_labels.iter().filter(|(name, labels)| wanted(name, labels));
            let ends = ends.map(|(_, labels)| labels.get(n).filter(|_| stops).cloned().unwrap_or_else(|| "".into()));
            let ends = ends.collect();
            let names = track.row_labels.iter().find(|(name, _)| self.options.row_name.as_ref() == Some(name));
            let label = names.and_then(|(_, labels)| labels.get(n).filter(|_| begins).cloned());
            let label = label.unwrap_or_else(|| "".into());
            // A note that holds for several rows is printed once.
            let note = track.row_notes.get(n).filter(|note| stops && (n == 0 || track.row_notes[n - 1] != **note));
            let note = note.map_or_else(|| "".into(), |note| with_minus_signs(note).into());
            rows.push(BoxRow { note, label, end_labels: ends, ..BoxRow::new(boxes, vec![layer]) });
        }
        rows
    }

    /// Tracks one after another as one block.
    fn block(&self, indices: &[usize], view: &ShipView<'_>) -> Box<dyn Flowable> {
        let tracks: Vec<&TrackResult> = indices.iter().map(|&index| &view.evaluation.tracks[index]).collect();
        let say = |text: &Option<TextTemplate>| {
            text.as_ref().and_then(|text| view.render_text(text, &SlotScope::default())).unwrap_or_default()
        };
        if tracks.iter().all(|track| self.labels_beside(track)) {
            let units = tracks.iter().flat_map(|track| separate_rows::named_boxes(track, view));
            return Box::new(self.list_of_names(units.collect()));
        }
        let labels = tracks.first().map_or(&[][..], |track| &track.row_labels);
        let heads = labels.iter().filter(|(name, labels)| self.shows_end_labels(name, labels)).map(|(name, _)| name);
        let medal = say(&self.options.medal);
        let plain = tracks.iter().all(|track| track.shape == BoxShape::Plain);
        let rows: Vec<BoxRow> = indices.iter().flat_map(|&index| self.box_rows(index, view)).collect();
        let read = are_all_worded(&rows);
        // Boxes that are counted, and enough of them for groups.
        let counted = rows.iter().any(|row| row.boxes > 5 && !are_all_worded(std::slice::from_ref(row)));
        let is_ruled = rows.iter().all(|row| row.layers.iter().all(|layer| layer.shape == BoxShape::Ruled));
        let usual = if tracks.iter().all(|track| track.kind == BoxKind::Ammo) { AMMO_SIDE } else { 5.0 };
        let grid = BoxGrid {
            rows,
            end_headings: heads.map(|name| view.say(&name.replace('_', " ")).into()).collect(),
            last_label: say(&self.options.last).into(),
            medal: (!medal.is_empty()).then(|| (medal.into(), say(&self.options.medal_note).into())),
            down: self.options.down,
            preferred_side: self.preferred_side(usual),
            marker: self.options.marker,
            aspect: self.options.aspect,
            // Numbers to strike out are read, not counted, so they are evenly spaced.
            gaps: match (plain, self.options.down) {
                // Cells of one ruled row share their lines.
                _ if is_ruled => BoxGaps { within: 0.0, group: if read { 0.0 } else { 0.3 }, ..BoxGaps::default() },
                _ if read && !plain => BoxGaps { within: 0.12, group: 0.0, run: 0.0, ..BoxGaps::default() },
                (true, _) => BoxGaps { within: 0.2, group: 0.0, ..BoxGaps::default() },
                (_, true) => BoxGaps { within: 0.16, group: 0.3, run: 0.3, ..BoxGaps::default() },
                _ if !counted => BoxGaps { group: 0.0, ..BoxGaps::default() },
                _ => BoxGaps::default(),
            },
            // Numbers to strike out are in lines as long as one another.
            flow: match (self.options.down, plain && read) {
                // Columns of a ruled row begin at one height.
                (true, _) if is_ruled => RowFlow::Start,
                (true, _) => RowFlow::Centred,
                (false, true) => RowFlow::Even,
                (false, false) => RowFlow::Rows,
            },
            is_centred: self.options.down,
            labels_are_names: self.options.row_name.is_some(),
            max_label_share: if self.options.row_name.is_some() { 0.7 } else { 0.5 },
            ..BoxGrid::default()
        };
        Box::new(one_roll::with_ends(grid, &tracks, self.options.rolls.as_ref(), view))
    }

    fn list_of_names(&self, units: Vec<Unit>) -> Units {
        Units {
            units,
            preferred_side: self.preferred_side(4.2),
            names: NamePlace::Right,
            max_columns: self.columns(),
            spreads: self.options.spreads,
            ..Units::default()
        }
    }

    /// Instances of one track, each named at its left; instances of the same name are together.
    fn instance_rows(&self, indices: &[usize], view: &ShipView<'_>) -> Box<dyn Flowable> {
        let mut blocks: Vec<(Arc<str>, Arc<str>, Vec<BoxRow>)> = Vec::new();
        for &index in indices {
            let track = &view.evaluation.tracks[index];
            let rows = self.box_rows(index, view);
            match blocks.iter_mut().find(|(label, badge, _)| *label == track.label && *badge == track.badge) {
                Some((_, _, known)) => known.extend(rows),
                None => blocks.push((track.label.clone(), track.badge.clone(), rows)),
            }
        }
        let names = blocks.iter().map(|(label, _, _)| view.styles.body.width(label));
        let left = names.fold(self.name_room(view), f32::max);
        let parts = blocks
            .into_iter()
            .map(|(label, badge, mut rows)| {
                let few = rows.iter().all(|row| row.boxes <= 8) || are_all_worded(&rows);
                if let Some(first) = rows.first_mut() {
                    (first.label, first.badge) = (label, badge);
                }
                Box::new(BoxGrid {
                    rows,
                    flow: RowFlow::Start,
                    preferred_side: self.preferred_side(4.2),
                    aspect: self.options.aspect,
                    // A thing's few boxes are a group of their own.
                    gaps: BoxGaps { within: 0.06, group: if few { 0.0 } else { 0.5 }, run: 0.5, wrap: 0.14, row: 0.3 },
                    labels_are_names: true,
                    label_width: left,
                    marker: self.options.marker,
                    ..BoxGrid::default()
                }) as Box<dyn Flowable>
            })
            .collect();
        Box::new(VStack::new(parts, 0.6, true))
    }

    /// Tracks of different lengths, each named at its left, all of one size.
    fn named_lines(&self, indices: &[usize], view: &ShipView<'_>) -> Box<dyn Flowable> {
        let rows: Vec<BoxRow> = indices
            .iter()
            .flat_map(|&index| {
                let mut rows = self.box_rows(index, view);
                if let Some(first) = rows.first_mut() {
                    first.label = view.evaluation.tracks[index].label.clone();
                }
                rows
            })
            .collect();
        Box::new(self.grid_of_names(rows, view))
    }

    /// Rows of different lengths on one grid, each with its name at the left.
    fn grid_of_names(&self, rows: Vec<BoxRow>, view: &ShipView<'_>) -> BoxGrid {
        let group = if are_all_worded(&rows) { 0.0 } else { 0.36 };
        let (most, aspect) = (self.preferred_side(5.0), self.options.aspect);
        let gaps = BoxGaps { group, wrap: 0.14, row: 0.2, ..BoxGaps::default() };
        let flow = if self.options.wraps_evenly { RowFlow::Even } else { RowFlow::Rows };
        BoxGrid {
            rows,
            preferred_side: most,
            aspect,
            gaps,
            flow,
            labels_are_names: true,
            label_width: self.name_room(view),
            marker: self.options.marker,
            ..BoxGrid::default()
        }
    }

    /// The width of the names at the left, mm: the gap after them is not part of it.
    fn name_room(&self, view: &ShipView<'_>) -> f32 {
        (self.options.name_width * view.styles.minimums.scale - LABEL_GAP).max(0.0)
    }

    /// Instances of several tracks: a line for each thing they belong to.
    fn joined_rows(&self, indices: &[Vec<usize>], view: &ShipView<'_>) -> Box<dyn Flowable> {
        let tracks = &view.evaluation.tracks;
        let mut rows: Vec<(Option<Arc<str>>, Option<usize>, BoxStrip)> = Vec::new();
        for (s, indices) in indices.iter().enumerate() {
            for &index in indices {
                let track = &tracks[index];
                let owner = track.fit.and_then(|fit| view.evaluation.fits.get(fit)).map(|fit| fit.index);
                let segment: Vec<LabelledBox> = (0..track.boxes())
                    .map(|n| LabelledBox {
                        stem: track.id.clone(),
                        n: n + 1,
                        fit: owner,
                        shape: track.shape,
                        face: cell_face(track.cells.get(n as usize), true, None, view),
                    })
                    .collect();
                // A track that belongs to nothing gets a line of its own, from the first column on.
                let own = track.mount.is_none() && track.fit.is_none();
                let known = rows.iter_mut().find(|(mount, fit, _)| !own && *mount == track.mount && *fit == track.fit);
                let row = match known {
                    Some((_, _, row)) => row,
                    None => {
                        let strip = BoxStrip { label: track.label.clone(), segments: Vec::new() };
                        rows.push((track.mount.clone(), track.fit, strip));
                        let Some((_, _, row)) = rows.last_mut() else { continue };
                        row
                    }
                };
                if !own {
                    row.segments.resize(s, Vec::new());
                }
                row.segments.push(segment);
            }
        }
        self.box_strips(rows.into_iter().map(|(_, _, row)| row).collect())
    }

    fn box_strips(&self, rows: Vec<BoxStrip>) -> Box<dyn Flowable> {
        let (marker, name_width) = (self.options.marker, self.options.name_width);
        Box::new(BoxStrips { marker, name_width, ..BoxStrips::aligned(rows, self.preferred_side(4.6)) })
    }

    /// Tracks with equal boxes, one above the other on one grid.
    fn layered_grid(&self, indices: &[usize], view: &ShipView<'_>) -> Box<dyn Flowable> {
        let mut rows: Vec<BoxRow> = self.box_rows(indices[0], view);
        for &index in &indices[1..] {
            for (row, other) in rows.iter_mut().zip(self.box_rows(index, view)) {
                row.layers.extend(other.layers);
            }
        }
        let mut grid = self.box_grid(rows, indices.len());
        if self.options.joins_layers {
            grid.layer_gap = 0.0;
        }
        Box::new(grid)
    }

    /// Columns of boxes, each with one box of each track.
    fn box_grid(&self, rows: Vec<BoxRow>, tracks: usize) -> BoxGrid {
        let mut heights = self.options.heights.clone();
        heights.iter_mut().for_each(|height| *height = height.clamp(0.2, 5.0));
        heights.resize(tracks, 0.5);
        heights[0] = 1.0;
        BoxGrid {
            rows,
            preferred_side: self.preferred_side(5.0),
            marker: self.options.marker,
            aspect: self.options.aspect,
            widest: self.options.widest.unwrap_or(0.0),
            layer_heights: heights,
            flow: if self.options.wraps_evenly { RowFlow::Even } else { RowFlow::Rows },
            gaps: BoxGaps {
                within: 0.03,
                group: if self.options.wraps_evenly { 0.0 } else { 0.07 },
                run: 0.1,
                wrap: 0.12,
                row: 0.2,
            },
            ..BoxGrid::default()
        }
    }
}

/// The notes of the rows of tracks whose boxes have names beside them or share lines, each once.
fn row_notes(indices: &[usize], tracks: &[TrackResult]) -> Vec<Arc<str>> {
    let mut notes: Vec<Arc<str>> = Vec::new();
    for note in indices.iter().flat_map(|&n| &tracks[n].row_notes).filter(|note| !note.is_empty()) {
        let note: Arc<str> = with_minus_signs(note).into();
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    notes
}

impl Panel for TrackPanel {
    fn shows(&self) -> PanelShows {
        PanelShows::Boxes
    }

    fn content(&self, view: &ShipView<'_>, shown: &mut ShownParts) -> Option<Box<dyn Flowable>> {
        let tracks = &view.evaluation.tracks;
        let mut of = |id: &Arc<str>| {
            let indices = (0..tracks.len()).filter(|&n| tracks[n].track == *id || tracks[n].id == *id);
            indices.filter(|&n| tracks[n].boxes() > 0 && shown.add_track(n)).collect::<Vec<_>>()
        };
        let indices: Vec<Vec<usize>> = self.ids.iter().map(&mut of).collect();
        let all: Vec<usize> = indices.iter().flatten().copied().collect();
        if view.options.is_blank && (all.is_empty() || !self.blank.is_empty()) {
            return self.blank_content(view);
        }
        if all.is_empty() {
            return None;
        }
        let arrangement = self.arrangement(&indices, &all, tracks);
        // Where boxes share lines or have names beside them, the notes of rows come after all of them.
        let noted: Vec<usize> = match arrangement {
            Arrangement::JoinedInstances => all.clone(),
            Arrangement::OneBlock if !all.iter().all(|&n| self.labels_beside(&tracks[n])) => Vec::new(),
            Arrangement::OneBlock | Arrangement::Blocks => {
                all.iter().copied().filter(|&n| self.labels_beside(&tracks[n])).collect()
            }
            _ => Vec::new(),
        };
        let content: Box<dyn Flowable> = match arrangement {
            Arrangement::SeparateRows => {
                let naming =
                    RowNaming { counter: self.options.counter.as_deref(), names_tracks: !self.options.numbers_only };
                Box::new(separate_rows::track_rows(&all, view, self.preferred_side(5.0), self.columns(), naming))
            }
            Arrangement::JoinedInstances => self.joined_rows(&indices, view),
            Arrangement::Instances => self.instance_rows(&all, view),
            Arrangement::NamedLines => self.named_lines(&all, view),
            Arrangement::OneBlock => self.block(&all, view),
            Arrangement::LayeredGrid => self.layered_grid(&all, view),
            Arrangement::Blocks => {
                Box::new(VStack::new(all.iter().map(|&n| self.block(&[n], view)).collect(), 1.4, true))
            }
        };
        let notes = row_notes(&noted, tracks);
        if notes.is_empty() {
            return Some(content);
        }
        let style = view.styles.label;
        let notes = notes.into_iter().map(|note| ("".into(), note)).collect();
        let notes = Paragraphs::new(notes, style, Anchor::Start);
        Some(Box::new(VStack::new(vec![content, Box::new(notes)], 0.8, true)))
    }

    fn heading(&self, view: &ShipView<'_>) -> Option<(String, HeadingStyle)> {
        let track = view
            .evaluation
            .tracks
            .iter()
            .find(|track| self.ids.contains(&track.track) || self.ids.contains(&track.id))?;
        let id = view.say(&track.track.replace('_', " "));
        let words = if track.id == track.track && !track.label.is_empty() { track.label.to_string() } else { id };
        Some((words, if self.options.down { HeadingStyle::Above } else { HeadingStyle::Ruled }))
    }

    fn uses_house_rules(&self, view: &ShipView<'_>) -> bool {
        let own = |id: &Arc<str>| self.ids.contains(id);
        view.evaluation.tracks.iter().any(|track| track.house && (own(&track.track) || own(&track.id)))
    }

    fn tracks(&self) -> &[Arc<str>] {
        &self.ids
    }
}

/// A track that no panel shows, for the `rest` panel.
pub fn leftover_track(index: usize, view: &ShipView<'_>) -> Box<dyn Flowable> {
    let plain = TrackPanel {
        ids: Vec::new(),
        options: TrackOptions::default(),
        box_templates: Vec::new(),
        blank: Vec::new(),
        shape: BoxShape::Square,
        further_shapes: Vec::new(),
    };
    plain.block(&[index], view)
}
