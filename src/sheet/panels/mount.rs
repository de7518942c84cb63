//! `panel: mount ID`: the systems at one place of the ship, with a tick box each that shows letters or an icon.

use std::sync::Arc;

use super::content::box_faces::numbered_faces;
use super::content::box_grid::{BoxFace, BoxGrid, BoxLayer, BoxRow, RowFaces};
use super::content::component_blocks::{ComponentBlock, ComponentBlocks, HeadBox};
use super::content::sub_track::SubTrack;
use super::kind::PanelKind;
use super::panel::Panel;
use super::panel_args::PanelArgs;
use crate::evaluate::{BoxShape, FitResult, ResultRef, SlotScope};
use crate::formula::TextTemplate;
use crate::ruleset::SlotContext;
use crate::sheet::assembly::ship_view::ShipView;
use crate::sheet::layout::box_layout::{BoxGaps, RowFlow};
use crate::sheet::layout::flowable::{Flowable, HeadingStyle};

pub static KIND: PanelKind = PanelKind {
    name: "mount",
    argument: "the id of a mount",
    about: "the systems in one mount, with a tick box each",
    options: &[
        ("by", "`system`: a row for each system, with its name on the left"),
        (
            "row_label",
            "with `by`: text on the left of a row instead of the system's name; text with {{ }}, `it` is the fit",
        ),
        (
            "track",
            "a track for each fit: each system is shown separately with its box and that track's boxes; `badge` may be its armour",
        ),
        ("systems", "only these systems"),
        ("except", "not these systems"),
        ("text", "text in the boxes instead of letters; text with {{ }}, `it` is the fit"),
        ("badge", "a small sign before each system's row; text with {{ }}, `it` is the fit"),
        ("under", "with `by`: tracks of each mount, each in a row below a system's: `{ shield = \"shields_active\" }`"),
        ("numbered", "systems with numbered boxes, for a marker of how many are active"),
        ("blank_systems", "with `by`: the rows of an empty sheet; `blank` may list the boxes of each"),
        ("blank_names", "names of those rows, if not their systems' names"),
        ("blank_lines", "with `track`: lengths of the lines of boxes on an empty sheet; default: as fits"),
        ("columns", "with `track`: number of systems side by side; default 1"),
        ("down", "true: boxes run down; default: by the shape of the rectangle"),
        ("size", "preferred side of a box in mm; default 5"),
        ("aspect", "width of a box divided by its height; default 1"),
    ],
    compile,
};

struct MountPanel {
    id: Arc<str>,
    by_system: bool,
    track: Option<Arc<str>>,
    /// The track of the panel and those of `under`.
    tracks: Vec<Arc<str>>,
    columns: usize,
    systems: Option<Vec<Arc<str>>>,
    except: Vec<Arc<str>>,
    text: Option<TextTemplate>,
    badge: Option<TextTemplate>,
    row_label: Option<TextTemplate>,
    numbered: Vec<Arc<str>>,
    /// Tracks for each mount, each under the row of a system.
    under: Vec<SubTrack>,
    /// The rows of an empty sheet: name, letters, shape, numbering.
    blank_systems: Vec<(Arc<str>, BoxFace, BoxShape, Arc<str>)>,
    down: Option<bool>,
    size: f32,
    aspect: f32,
    /// Number of boxes in each row of an empty sheet; the last applies to all further rows.
    blank: Vec<u32>,
    /// Lengths of the lines of boxes on an empty sheet.
    blank_lines: Arc<[u32]>,
}

fn compile(setup: &mut PanelArgs<'_>) -> Option<Box<dyn Panel>> {
    let known: Vec<&str> = setup.ruleset.mounts.iter().map(|mount| &*mount.id).collect();
    let id = setup.argument.first().cloned().unwrap_or_else(|| "".into());
    if !known.contains(&&*id) {
        setup.report_unknown("mount", &id, &known);
        return None;
    }
    let systems: Vec<&str> = setup.ruleset.systems.iter().map(|system| &*system.id).collect();
    for key in ["systems", "except", "numbered", "blank_systems"] {
        for word in setup.string_list(key).unwrap_or_default() {
            if !systems.contains(&&*word) {
                setup.report_unknown("system", &word, &systems);
            }
        }
    }
    let list =
        matches!(setup.options.get("blank").map(|node| &node.data), Some(crate::source::toml::TomlValue::List(_)));
    let blank: Vec<u32> = if list {
        setup.numbers("blank").unwrap_or_default().into_iter().map(|n| n.clamp(0.0, 200.0) as u32).collect()
    } else {
        setup.integer("blank").into_iter().collect()
    };
    let blank_systems = setup.string_list("blank_systems").unwrap_or_default();
    let blank_names = setup.string_list("blank_names").unwrap_or_default();
    let declared = |id: &Arc<str>| setup.ruleset.systems.iter().find(|system| system.id == *id);
    let blank_systems = blank_systems
        .iter()
        .filter_map(declared)
        .enumerate()
        .map(|(n, system)| {
            let letters = if system.abbr.is_empty() { BoxFace::Blank } else { BoxFace::Letters(system.abbr.clone()) };
            let name = blank_names.get(n).unwrap_or(&system.name).clone();
            (name, letters, system.shape, system.id.clone())
        })
        .collect();
    let tracks: Vec<&str> = setup.ruleset.tracks.iter().map(|track| &*track.id).collect();
    let under = SubTrack::read_all(setup);
    let track = setup.string("track");
    if let Some(track) = track.as_ref().filter(|track| !tracks.contains(&&***track)) {
        setup.report_unknown("track", track, &tracks);
    }
    Some(Box::new(MountPanel {
        id,
        tracks: track.iter().cloned().chain(under.iter().map(|under| under.track.clone())).collect(),
        track,
        under,
        columns: setup.integer("columns").unwrap_or(1).clamp(1, 8) as usize,
        blank_systems,
        numbered: setup.string_list("numbered").unwrap_or_default(),
        by_system: setup.one_of("by", &["system", "place"]) == Some("system"),
        systems: setup.string_list("systems"),
        except: setup.string_list("except").unwrap_or_default(),
        text: setup.template_text("text", &SlotContext::Fit),
        badge: setup.template_text("badge", &SlotContext::Fit),
        row_label: setup.template_text("row_label", &SlotContext::Fit),
        down: setup.boolean("down"),
        size: setup.number("size").unwrap_or(5.0).clamp(3.0, 30.0),
        aspect: setup.number("aspect").unwrap_or(1.0).clamp(1.0, 12.0),
        blank,
        blank_lines: line_lengths(&setup.numbers("blank_lines").unwrap_or_default()),
    }))
}

fn line_lengths(numbers: &[f32]) -> Arc<[u32]> {
    numbers.iter().map(|n| n.clamp(1.0, 200.0) as u32).collect()
}

/// One row with a fit's boxes.
pub fn fit_row(fit: &FitResult, view: &ShipView<'_>) -> BoxRow {
    let icon = fit.icon.as_ref().and_then(|icon| view.icon(icon));
    let face = match icon {
        Some(icon) => BoxFace::Icon(icon),
        None if fit.abbr.is_empty() => BoxFace::Blank,
        None => BoxFace::Letters(fit.abbr.clone()),
    };
    let layer = BoxLayer {
        stem: format!("{}_{}", fit.system, fit.mount).into(),
        first: fit.first_mark,
        fit: Some(fit.index),
        shape: fit.shape,
        faces: RowFaces::Same(face),
        first_face: 0,
        signs: Arc::from([]),
    };
    BoxRow { boxes: fit.count, layers: vec![layer], label: "".into(), badge: "".into(), end_labels: Vec::new() }
}

impl MountPanel {
    fn shows_system(&self, fit: &FitResult) -> bool {
        fit.count > 0
            && self.systems.as_ref().is_none_or(|systems| systems.contains(&fit.system))
            && !self.except.contains(&fit.system)
    }

    fn system_row(&self, place: usize, view: &ShipView<'_>) -> BoxRow {
        let fit = &view.evaluation.fits[place];
        let focus = SlotScope { it: ResultRef::Fit(place), ..SlotScope::default() };
        let mut row = fit_row(fit, view);
        if let Some(words) = self.text.as_ref().and_then(|text| view.render_text(text, &focus)) {
            row.layers[0].faces = RowFaces::Same(BoxFace::Value(words.into()));
        }
        if let Some(words) = self.badge.as_ref().and_then(|text| view.render_text(text, &focus)) {
            row.badge = words.into();
        }
        if self.numbered.contains(&fit.system) {
            row.layers[0].faces = numbered_faces(fit.first_mark, fit.count);
        }
        if self.by_system {
            let said = self.row_label.as_ref().and_then(|text| view.render_text(text, &focus));
            row.label = said.map_or_else(|| fit.name.clone(), Into::into);
        }
        row
    }

    fn blank_rows(&self) -> Vec<BoxRow> {
        let row = |boxes: u32, label: &Arc<str>, stem: &str, shape: BoxShape, faces: RowFaces| BoxRow {
            boxes,
            layers: vec![BoxLayer {
                stem: format!("{stem}_{}", self.id).into(),
                first: 1,
                fit: None,
                shape,
                faces,
                first_face: 0,
                signs: Arc::from([]),
            }],
            label: label.clone(),
            badge: "".into(),
            end_labels: Vec::new(),
        };
        let boxes = |n: usize| self.blank.get(n).or(self.blank.last()).copied().unwrap_or(0);
        if self.blank.iter().all(|&boxes| boxes == 0) {
            return Vec::new();
        }
        if !self.by_system || self.blank_systems.is_empty() {
            let stem = self.systems.as_deref().and_then(|systems| systems.first()).map_or("blank", |system| system);
            return vec![row(boxes(0), &"".into(), stem, BoxShape::Square, RowFaces::Same(BoxFace::Blank))];
        }
        self.blank_systems
            .iter()
            .enumerate()
            .flat_map(|(n, (name, letters, shape, id))| {
                let numbered = self.numbered.contains(id);
                let faces = if numbered { numbered_faces(1, boxes(n)) } else { RowFaces::Same(letters.clone()) };
                let under = self.under.iter().filter(move |under| under.system == *id);
                let under = under.map(move |under| {
                    row(boxes(n), &under.name, &under.track, under.shape, numbered_faces(1, boxes(n)))
                });
                std::iter::once(row(boxes(n), name, id, *shape, faces)).chain(under)
            })
            .collect()
    }
}

impl MountPanel {
    /// Each system with its boxes.
    fn component_blocks(&self, track: &Arc<str>, view: &ShipView<'_>) -> Vec<ComponentBlock> {
        if view.options.is_blank {
            // Two panels may share a mount, so the names of their boxes must differ.
            let stem: Arc<str> = match self.systems.as_deref() {
                Some([system, ..]) => format!("blank_{}_{system}", self.id).into(),
                _ => format!("blank_{}", self.id).into(),
            };
            let unit = |n: u32| ComponentBlock {
                name: None,
                badge: Some("".into()),
                head: Some(HeadBox {
                    stem: format!("{stem}_head").into(),
                    n: n + 1,
                    face: BoxFace::Blank,
                    shape: BoxShape::Square,
                }),
                fit: None,
                stem: stem.clone(),
                first: n * BLANK_BOXES + 1,
                boxes: BLANK_BOXES,
                lines: self.blank_lines.clone(),
                shape: BoxShape::Square,
            };
            return (0..self.blank.first().copied().unwrap_or(0)).map(unit).collect();
        }
        let Some(mount) = view.evaluation.mounts.iter().find(|mount| mount.id == self.id) else { return Vec::new() };
        let fits = &view.evaluation.fits;
        let alike = |fit: &FitResult| -> u32 {
            mount
                .fits
                .iter()
                .map(|&n| &fits[n])
                .filter(|other| other.system == fit.system)
                .map(|other| other.count)
                .sum()
        };
        let mut units = Vec::new();
        for &place in &mount.fits {
            let fit = &fits[place];
            if !self.shows_system(fit) || !view.claim_fit(place) {
                continue;
            }
            let row = self.system_row(place, view);
            let Some(layer) = row.layers.first() else { continue };
            let tracks = view.evaluation.tracks.iter().enumerate();
            let boxes = tracks
                .filter(|(_, known)| known.track == *track && known.fit == Some(place))
                .find(|(n, _)| view.claim_track(*n))
                .map(|(_, known)| known);
            let (mut first, many) = (1, alike(fit) > 1);
            for copy in 0..fit.count {
                // Rows beyond the count belong to the last of them.
                let own = copy as usize..if copy + 1 == fit.count { usize::MAX } else { copy as usize + 1 };
                let rows = boxes.map_or(&[][..], |known| &known.rows);
                let boxes_here = rows.get(own.start..own.end.min(rows.len())).unwrap_or_default().iter().sum();
                let n = fit.first_mark + copy;
                units.push(ComponentBlock {
                    name: Some(if many { format!("{} {n}", fit.name).into() } else { fit.name.clone() }),
                    badge: self.badge.as_ref().map(|_| row.badge.clone()),
                    head: Some(HeadBox {
                        stem: layer.stem.clone(),
                        n,
                        face: layer.box_face(0).clone(),
                        shape: fit.shape,
                    }),
                    fit: Some(fit.index),
                    stem: boxes.map_or_else(|| "".into(), |known| known.id.clone()),
                    first,
                    boxes: boxes_here,
                    lines: boxes.map_or_else(|| Arc::from([]), |known| known.lines.as_slice().into()),
                    shape: boxes.map_or(BoxShape::Square, |known| known.shape),
                });
                first += boxes_here;
            }
        }
        units
    }
}

/// Boxes of a system on an empty sheet.
const BLANK_BOXES: u32 = 10;

impl Panel for MountPanel {
    fn content(&self, view: &ShipView<'_>) -> Option<Box<dyn Flowable>> {
        if let Some(track) = &self.track {
            let units = self.component_blocks(track, view);
            return if units.is_empty() {
                None
            } else {
                Some(Box::new(ComponentBlocks { blocks: units, preferred_side: self.size, columns: self.columns }))
            };
        }
        let rows: Vec<BoxRow> = if view.options.is_blank {
            self.blank_rows()
        } else {
            let mount = view.evaluation.mounts.iter().find(|mount| mount.id == self.id)?;
            let mut rows = Vec::with_capacity(mount.fits.len());
            for &place in mount.fits.iter().filter(|&&fit| self.shows_system(&view.evaluation.fits[fit])) {
                if view.claim_fit(place) {
                    rows.push(self.system_row(place, view));
                    let system = &view.evaluation.fits[place].system;
                    let under = self.under.iter().filter(|under| under.system == *system);
                    rows.extend(under.filter_map(|under| under.box_row(&self.id, view)));
                }
            }
            rows
        };
        if rows.is_empty() {
            return None;
        }
        Some(Box::new(BoxGrid {
            rows,
            flow: if self.by_system { RowFlow::Rows } else { RowFlow::Centred },
            down: self.down.unwrap_or(false),
            down_if_tall: self.down.is_none() && !self.by_system,
            preferred_side: self.size,
            aspect: self.aspect,
            gaps: BoxGaps { within: 0.1, group: 0.3, run: 0.3, wrap: 0.12, row: 0.3 },
            is_centred: true,
            ..BoxGrid::default()
        }))
    }

    fn heading(&self, view: &ShipView<'_>) -> Option<(String, HeadingStyle)> {
        let mount = view.evaluation.mounts.iter().find(|mount| mount.id == self.id)?;
        Some((mount.label.to_string(), HeadingStyle::Above))
    }

    fn mount(&self) -> Option<&str> {
        Some(&self.id)
    }

    fn tracks(&self) -> &[Arc<str>] {
        &self.tracks
    }
}
