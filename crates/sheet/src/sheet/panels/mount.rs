//! `panel: mount ID`: the systems at one place of the ship, with a tick box each that shows letters or an icon.

use std::sync::Arc;

use super::arcs::parse_sectors;
use super::common_options::blank_counts;
use super::content::arc_rose::RoseCache;
use super::content::box_faces::numbered_faces;
use super::content::box_grid::BoxGrid;
use super::content::box_rows::{BoxFace, BoxLayer, BoxRow, Companion, RowFaces, mark_name};
use super::content::companion_track::{CompanionTrack, MAX_COMPANIONS};
use super::content::sub_track::SubTrack;
use super::content::units::{Unit, Units};
use super::kind::PanelKind;
use super::panel::{Panel, PanelShows};
use super::panel_args::PanelArgs;
use super::panel_options::{
    Choice, Custom, Flag, Integer, Maybe, Number, Or, TemplateText, Text, Texts, panel_options,
};
use crate::sheet::assembly::ship_view::{ShipView, with_minus_signs};
use crate::sheet::assembly::shown_parts::ShownParts;
use crate::sheet::layout::box_layout::{BoxGaps, RowFlow};
use crate::sheet::layout::companion_grid::CompanionSide;
use crate::sheet::layout::flowable::{Flowable, HeadingStyle};
use moldloft_drawing::scene::Drawing;
use moldloft_rules::arcs::{Arcs, SectorWords};
use moldloft_rules::evaluate::{BoxShape, FitResult, ResultRef, SlotScope};
use moldloft_rules::formula::TextTemplate;
use moldloft_rules::ruleset::SlotContext;

pub static KIND: PanelKind = PanelKind {
    name: "mount",
    argument: "the id of a mount",
    about: "the systems in one mount, with a tick box each",
    options: MountOptions::LIST,
    compile,
};

panel_options! {
    struct MountOptions {
        by_system: bool = "by", Or(Choice(&[("system", true), ("place", false)]), false),
            "`system`: a row for each system, with its name on the left";
        row_label: Option<TextTemplate> = "row_label", Maybe(TemplateText(SlotContext::Fit)),
            "with `by`: text on the left of a row instead of the system's name; text with {{ }}, `it` is the fit";
        track: Option<Arc<str>> = "track", Maybe(Text),
            "a track for each fit: each system is a compact grid of that track's boxes under its name, which is struck out for the whole system, with its badge (its armour, perhaps) at the left, its arcs at the right and what is `beside` it below; alike systems mirror one another, and room that is left goes between the lines";
        systems: Option<Vec<Arc<str>>> = "systems", Maybe(Texts), "only these systems";
        except: Vec<Arc<str>> = "except", Or(Texts, Vec::new()), "not these systems";
        text: Option<TextTemplate> = "text", Maybe(TemplateText(SlotContext::Fit)),
            "text in the boxes instead of letters; text with {{ }}, `it` is the fit";
        badge: Option<TextTemplate> = "badge", Maybe(TemplateText(SlotContext::Fit)),
            "a small sign before each system's row; text with {{ }}, `it` is the fit";
        badge_shape: BoxShape = "badge_shape", Or(Choice(&[("rounded", BoxShape::Rounded), ("shield", BoxShape::Shield)]), BoxShape::Rounded),
            "with `track`: what a badge is drawn in, `rounded` or `shield`";
        last: Vec<Arc<str>> = "last", Or(Texts, Vec::new()), "with `by` or `track`: systems that come after the others";
        blank_last: u32 = "blank_last", Or(Integer(0, 200), 0),
            "with `last`: boxes of each of them on an empty sheet, under its name";
        arcs: Option<TextTemplate> = "arcs", Maybe(TemplateText(SlotContext::Fit)),
            "with `by` or `track`: each system's arcs of fire as a small circle, written as for `panel: arcs`; text with {{ }}, `it` is the fit";
        sectors: SectorWords = "sectors", Or(Custom(parse_sectors), Vec::new()), "with `arcs`: words for arcs, as for `panel: arcs`";
        sub_tracks: Vec<SubTrack> = "under", Or(Custom(SubTrack::parse_all), Vec::new()),
            "with `by`: tracks of each mount, each in a row below a system's: `{ shield = \"shields_active\" }`";
        companion_tracks: Vec<CompanionTrack> = "beside", Or(Custom(CompanionTrack::parse_all), Vec::new()),
            "tracks whose boxes are drawn beside the systems that they belong to: `[\"rounds\"]`, or for each system `{ launcher = \"loaded\" }`";
        companion_side: Option<CompanionSide> = "beside_at", Maybe(Choice(&[
            ("left", CompanionSide::Left),
            ("right", CompanionSide::Right),
            ("below", CompanionSide::Below),
        ])),
            "`left`, `right` or `below` each box; default: right of boxes that run down, else below";
        blank_companions: Vec<u32> = "blank_beside", Or(Custom(parse_blank_companions), Vec::new()),
            "number of such boxes beside each box of an empty sheet; a list for its rows";
        numbered: Vec<Arc<str>> = "numbered", Or(Texts, Vec::new()),
            "systems with numbered boxes, for a marker of how many are active";
        blank_systems: Vec<Arc<str>> = "blank_systems", Or(Texts, Vec::new()),
            "with `by`: the rows of an empty sheet; `blank` may list the boxes of each";
        blank_names: Vec<Arc<str>> = "blank_names", Or(Texts, Vec::new()),
            "names of those rows, if not their systems' names";
        blank_lines: Arc<[u32]> = "blank_lines", Or(Custom(parse_line_lengths), Arc::from([])),
            "with `track`: lengths of the lines of boxes on an empty sheet; default: as fits";
        down: Option<bool> = "down", Maybe(Flag), "true: boxes run down; default: by the shape of the rectangle";
        size: f32 = "size", Or(Number(3.0, 30.0), 5.0), "preferred side of a box in mm";
        aspect: f32 = "aspect", Or(Number(1.0, 12.0), 1.0), "width of a box divided by its height";
    }
}

struct MountPanel {
    id: Arc<str>,
    options: MountOptions,
    roses: RoseCache,
    /// The track of the panel and those below its systems.
    tracks: Vec<Arc<str>>,
    /// The rows of an empty sheet.
    empty_rows: Vec<BlankRow>,
    /// Number of boxes in each row of an empty sheet; the last applies to all further rows.
    blank: Vec<u32>,
}

/// A system's row on an empty sheet.
struct BlankRow {
    name: Arc<str>,
    face: BoxFace,
    shape: BoxShape,
    system: Arc<str>,
}

fn compile(args: &mut PanelArgs<'_>) -> Option<Box<dyn Panel>> {
    let ruleset = args.ruleset;
    let mounts: Vec<&str> = ruleset.mounts.iter().map(|mount| &*mount.id).collect();
    let id = args.argument.first().cloned().unwrap_or_else(|| "".into());
    if !args.check_known("mount", &id, &mounts) {
        return None;
    }
    let options = MountOptions::read(args);
    let systems: Vec<&str> = ruleset.systems.iter().map(|system| &*system.id).collect();
    let only = options.systems.iter().flatten();
    for system in
        only.chain(&options.except).chain(&options.numbered).chain(&options.blank_systems).chain(&options.last)
    {
        args.check_known("system", system, &systems);
    }
    if let Some(track) = &options.track {
        let tracks: Vec<&str> = ruleset.tracks.iter().map(|track| &*track.id).collect();
        args.check_known("track", track, &tracks);
    }
    let declared = |id: &Arc<str>| ruleset.systems.iter().find(|system| system.id == *id);
    let empty = if options.track.is_some() { &options.last } else { &options.blank_systems };
    let empty_rows = empty.iter().filter_map(declared).enumerate().map(|(n, system)| BlankRow {
        name: ruleset.say_shared(options.blank_names.get(n).unwrap_or(&system.name)),
        face: if system.abbr.is_empty() { BoxFace::Blank } else { BoxFace::Letters(system.abbr.clone()) },
        shape: system.shape,
        system: system.id.clone(),
    });
    let below = options.sub_tracks.iter().map(|below| below.track.clone());
    let beside = options.companion_tracks.iter().map(|beside| beside.track.clone());
    Some(Box::new(MountPanel {
        id,
        tracks: options.track.iter().cloned().chain(below).chain(beside).collect(),
        empty_rows: empty_rows.collect(),
        blank: blank_counts(args, 200),
        roses: RoseCache::default(),
        options,
    }))
}

fn parse_line_lengths(args: &mut PanelArgs<'_>, key: &str) -> Option<Arc<[u32]>> {
    Some(args.numbers(key)?.iter().map(|n| n.clamp(1.0, 200.0) as u32).collect())
}

fn parse_blank_companions(args: &mut PanelArgs<'_>, key: &str) -> Option<Vec<u32>> {
    if args.is_list(key) {
        return Some(args.numbers(key)?.iter().map(|n| n.clamp(0.0, MAX_COMPANIONS as f32) as u32).collect());
    }
    Some(vec![args.integer(key)?.min(MAX_COMPANIONS)])
}

/// One row with a fit's boxes.
pub fn fit_row(fit: &FitResult, view: &ShipView<'_>) -> BoxRow {
    let icon = fit.icon.as_ref().and_then(|icon| view.icon(icon));
    let face = match icon {
        Some(icon) => BoxFace::Icon(icon),
        None if fit.abbr.is_empty() => BoxFace::Blank,
        None => BoxFace::Letters(fit.abbr.clone()),
    };
    let stem = format!("{}_{}", fit.system, fit.mount).into();
    let layer = BoxLayer::new(stem, fit.shape, RowFaces::Same(face));
    BoxRow::new(fit.count, vec![BoxLayer { first: fit.first_mark, fit: Some(fit.index), ..layer }])
}

impl MountPanel {
    fn shows_system(&self, fit: usize, view: &ShipView<'_>) -> bool {
        let counts_as = |systems: &[Arc<str>]| view.evaluation.counts_as_any(fit, systems);
        view.evaluation.fits[fit].count > 0
            && self.options.systems.as_deref().is_none_or(counts_as)
            && !counts_as(&self.options.except)
    }

    /// The boxes of a fit, and its arcs as they are written where nothing can be drawn of them.
    fn system_row(&self, fit_index: usize, view: &ShipView<'_>) -> (BoxRow, Option<String>) {
        let fit = &view.evaluation.fits[fit_index];
        let focus = SlotScope { it: ResultRef::Fit(fit_index), ..SlotScope::default() };
        let mut row = fit_row(fit, view);
        if let Some(words) = self.options.text.as_ref().and_then(|text| view.render_text(text, &focus)) {
            row.layers[0].faces = RowFaces::Same(BoxFace::Value(words.into()));
        }
        if let Some(words) = self.options.badge.as_ref().and_then(|text| view.render_text(text, &focus)) {
            row.badge = words.into();
        }
        if view.evaluation.counts_as_any(fit_index, &self.options.numbered) {
            row.layers[0].faces = numbered_faces(fit.first_mark, fit.count);
        }
        let (rose, unread) = self.arcs(fit_index, view);
        row.sign = rose;
        if self.options.by_system {
            let label = self.options.row_label.as_ref().and_then(|text| view.render_text(text, &focus));
            row.label = label.map_or_else(|| fit.name.clone(), Into::into);
        }
        (row, unread)
    }

    /// The arcs of a fit as a drawing, or as they are written where nothing can be drawn of them.
    fn arcs(&self, fit_index: usize, view: &ShipView<'_>) -> (Option<Arc<Drawing>>, Option<String>) {
        let focus = SlotScope { it: ResultRef::Fit(fit_index), ..SlotScope::default() };
        let text = self.options.arcs.as_ref().and_then(|arcs| view.evaluation.render_code(arcs, &focus));
        let Some(text) = text.filter(|text| !text.trim().is_empty()) else { return (None, None) };
        match Arcs::parse(&text, &self.options.sectors) {
            Some(arcs) => (Some(self.roses.rose(&arcs)), None),
            None => (None, Some(text.trim().to_owned())),
        }
    }

    /// Marks the fits that the panel shows, in order; without those that another panel shows.
    fn claim_fits(&self, fits: &[usize], view: &ShipView<'_>, shown: &mut ShownParts) -> Vec<usize> {
        let shows = |fit: &&usize| self.shows_system(**fit, view) && shown.add_fit(**fit);
        let mut own: Vec<usize> = fits.iter().filter(shows).copied().collect();
        own.sort_by_key(|fit| view.evaluation.counts_as_any(*fit, &self.options.last)); // stable: else in the design's order
        own
    }

    /// The boxes of other tracks that belong to each of the fits that the panel shows.
    fn companions(&self, fits: &[usize], view: &ShipView<'_>, shown: &mut ShownParts) -> Vec<Vec<Companion>> {
        let mut companions = vec![Vec::new(); fits.len()];
        for beside in &self.options.companion_tracks {
            for (own, found) in companions.iter_mut().zip(beside.companions(&self.id, fits, view, shown)) {
                own.extend(found);
            }
        }
        companions
    }

    /// The boxes beside those of a row of an empty sheet, from 0.
    fn blank_companions(&self, row: usize, boxes: u32, stem: &str) -> Vec<Companion> {
        let counts = &self.options.blank_companions;
        let each = counts.get(row).or(counts.last()).copied().unwrap_or(0);
        let Some(beside) = self.options.companion_tracks.iter().find(|beside| beside.belongs_to(stem)) else {
            return Vec::new();
        };
        let stem = format!("{}_{}_{}", beside.track, self.id, row + 1).into();
        let layer = BoxLayer::new(stem, beside.shape, RowFaces::Same(BoxFace::Blank));
        vec![Companion { layer, counts: vec![each; boxes as usize].into(), is_full_size: false }]
    }

    fn blank_rows(&self) -> Vec<BoxRow> {
        let row = |boxes: u32, label: &Arc<str>, stem: &str, shape: BoxShape, faces: RowFaces| {
            let layer = BoxLayer::new(format!("{stem}_{}", self.id).into(), shape, faces);
            BoxRow { label: label.clone(), ..BoxRow::new(boxes, vec![layer]) }
        };
        let boxes = |n: usize| self.blank.get(n).or(self.blank.last()).copied().unwrap_or(0);
        if self.blank.iter().all(|&boxes| boxes == 0) {
            return Vec::new();
        }
        if !self.options.by_system || self.empty_rows.is_empty() {
            let stem =
                self.options.systems.as_deref().and_then(|systems| systems.first()).map_or("blank", |system| system);
            let row = row(boxes(0), &"".into(), stem, BoxShape::Square, RowFaces::Same(BoxFace::Blank));
            return vec![BoxRow { companions: self.blank_companions(0, boxes(0), stem), ..row }];
        }
        self.empty_rows
            .iter()
            .enumerate()
            .flat_map(|(n, BlankRow { name, face, shape, system })| {
                let is_numbered = self.options.numbered.contains(system);
                let faces = if is_numbered { numbered_faces(1, boxes(n)) } else { RowFaces::Same(face.clone()) };
                let under = self.options.sub_tracks.iter().filter(move |under| under.system == *system);
                let under = under.map(move |under| {
                    row(boxes(n), &under.name, &under.track, under.shape, numbered_faces(1, boxes(n)))
                });
                let companions = self.blank_companions(n, boxes(n), system);
                std::iter::once(BoxRow { companions, ..row(boxes(n), name, system, *shape, faces) }).chain(under)
            })
            .collect()
    }
}

impl MountPanel {
    /// Each system with its boxes.
    fn units(&self, track: &Arc<str>, view: &ShipView<'_>, shown: &mut ShownParts) -> Vec<Unit> {
        if view.options.is_blank {
            // Two panels may share a mount, so the names of their boxes must differ.
            let stem: Arc<str> = match self.options.systems.as_deref() {
                Some([system, ..]) => format!("blank_{}_{system}", self.id).into(),
                _ => format!("blank_{}", self.id).into(),
            };
            let layer = |first: u32| {
                let layer = BoxLayer::new(stem.clone(), BoxShape::Square, RowFaces::Same(BoxFace::Blank));
                BoxLayer { first, ..layer }
            };
            let unit = |n: u32| Unit {
                badge: Some("".into()),
                lines: self.options.blank_lines.clone(),
                companions: self.blank_companions(n as usize, 1, &stem),
                ..Unit::new(None, BLANK_BOXES, layer(n * BLANK_BOXES + 1))
            };
            let many = self.blank.first().copied().unwrap_or(0);
            let last = self.empty_rows.iter().filter(|_| self.options.blank_last > 0);
            let named = last.zip(0..).map(|(row, n)| Unit {
                badge: Some("".into()),
                ..Unit::new(
                    Some(row.name.clone()),
                    self.options.blank_last,
                    layer(many * BLANK_BOXES + n * self.options.blank_last + 1),
                )
            });
            return (0..many).map(unit).chain(named).collect();
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
        let own = self.claim_fits(&mount.fits, view, shown);
        for (fit_index, companions) in own.iter().copied().zip(self.companions(&own, view, shown)) {
            let fit = &fits[fit_index];
            let (row, unread) = self.system_row(fit_index, view);
            let Some(layer) = row.layers.first() else { continue };
            let tracks = view.evaluation.tracks.iter().enumerate();
            let boxes = tracks
                .filter(|(_, known)| known.track == *track && known.fit == Some(fit_index))
                .find(|(n, _)| shown.add_track(*n))
                .map(|(_, known)| known);
            let (mut first, many) = (1, alike(fit) > 1);
            for copy in 0..fit.count {
                // Rows beyond the count belong to the last of them.
                let own = copy as usize..if copy + 1 == fit.count { usize::MAX } else { copy as usize + 1 };
                let rows = boxes.map_or(&[][..], |known| &known.rows);
                let boxes_here = rows.get(own.start..own.end.min(rows.len())).unwrap_or_default().iter().sum();
                let note =
                    boxes.and_then(|known| known.row_notes.get(copy as usize)).map(|note| with_minus_signs(note));
                let note = unread.iter().cloned().chain(note.filter(|note| !note.is_empty())).collect::<Vec<_>>();
                let n = fit.first_mark + copy;
                let name = if many { format!("{} {n}", fit.name).into() } else { fit.name.clone() };
                let own = BoxLayer::new(
                    boxes.map_or_else(|| "".into(), |known| known.id.clone()),
                    boxes.map_or(BoxShape::Square, |known| known.shape),
                    RowFaces::Same(BoxFace::Blank),
                );
                units.push(Unit {
                    name_mark: Some(mark_name(&layer.stem, n)),
                    badge: self.options.badge.as_ref().map(|_| row.badge.clone()),
                    sign: row.sign.clone(),
                    lines: boxes.map_or_else(|| Arc::from([]), |known| known.lines.as_slice().into()),
                    note: note.join(" · ").into(),
                    companions: companions.iter().map(|companion| companion.clone().only(copy)).collect(),
                    ..Unit::new(Some(name), boxes_here, BoxLayer { first, fit: Some(fit.index), ..own })
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
    fn shows(&self) -> PanelShows {
        PanelShows::Boxes
    }

    fn content(&self, view: &ShipView<'_>, shown: &mut ShownParts) -> Option<Box<dyn Flowable>> {
        if let Some(track) = &self.options.track {
            let units = self.units(track, view, shown);
            let (preferred_side, badge_shape) = (self.options.size, self.options.badge_shape);
            let content = Units { units, preferred_side, badge_shape, ..Units::default() };
            return (!content.units.is_empty()).then(|| Box::new(content) as Box<dyn Flowable>);
        }
        let rows: Vec<BoxRow> = if view.options.is_blank {
            self.blank_rows()
        } else {
            let mount = view.evaluation.mounts.iter().find(|mount| mount.id == self.id)?;
            let mut rows = Vec::with_capacity(mount.fits.len());
            let own = self.claim_fits(&mount.fits, view, shown);
            for (fit_index, companions) in own.iter().copied().zip(self.companions(&own, view, shown)) {
                let (mut row, unread) = self.system_row(fit_index, view);
                if let Some(unread) = unread {
                    row.label = [&*row.label, &unread].join(" ").trim().into();
                }
                rows.push(BoxRow { companions, ..row });
                let belongs =
                    |system: &Arc<str>| view.evaluation.counts_as_any(fit_index, std::slice::from_ref(system));
                let under = self.options.sub_tracks.iter().filter(|under| belongs(&under.system));
                rows.extend(under.filter_map(|under| under.box_row(&self.id, view, shown)));
            }
            rows
        };
        if rows.is_empty() {
            return None;
        }
        Some(Box::new(BoxGrid {
            rows,
            flow: if self.options.by_system { RowFlow::Rows } else { RowFlow::Centred },
            down: self.options.down.unwrap_or(false),
            down_if_tall: self.options.down.is_none() && !self.options.by_system,
            preferred_side: self.options.size,
            aspect: self.options.aspect,
            gaps: BoxGaps { within: 0.1, group: 0.3, run: 0.3, wrap: 0.12, row: 0.3 },
            is_centred: true,
            companion_side: self.options.companion_side,
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
