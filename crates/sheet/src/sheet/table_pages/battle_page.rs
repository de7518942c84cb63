//! The pages of a battle: takes the sides with their ships and the phases of a turn, gives an activation list with boxes
//! for each turn.

use std::sync::Arc;

use crate::sheet::layout::minimum_sizes::{QUIET_INK, RULE_INK, THIN_LINE};
use crate::sheet::layout::pen::box_style;
use crate::sheet::layout::text_style::TextStyles;
use crate::sheet::page_setup::sheet_options::SheetOptions;
use battle_pen::BattlePen;
use moldloft_base::sanitize::plural;
use moldloft_base::words::Words;
use moldloft_drawing::art::Anchor;
use moldloft_drawing::fonts::FontFace;
use moldloft_drawing::scene::{Page, PaintStyle, Rect, Stroke};

/// A battle of one game.
#[derive(Clone, Debug, Default)]
pub struct Battle {
    /// `Wars of Honor 1.0`.
    pub game: Arc<str>,
    pub sides: Vec<BattleSide>,
    /// Each phase of a turn, and what is done in it.
    pub phases: Vec<(String, String)>,
    /// What decides the order in which ships act; empty for no such column.
    pub order: Arc<str>,
    /// What a ship does each turn: a box each.
    pub acts: Vec<Arc<str>>,
    /// What is noted once a turn for all sides: a field each.
    pub each_turn: Vec<Arc<str>>,
    /// Turns are counted from 1 again after this many; 0: never.
    pub turns_in_cycle: u16,
    /// The language of its pages.
    pub words: Option<Arc<Words>>,
}

/// A fleet.
#[derive(Clone, Debug, Default)]
pub struct BattleSide {
    pub name: Arc<str>,
    /// Nation or alliance, and player; may be empty.
    pub side: Arc<str>,
    pub player: Arc<str>,
    pub notes: Arc<str>,
    pub points: Option<i64>,
    pub budget: Option<i64>,
    pub ships: Vec<BattleShip>,
}

/// A ship that acts.
#[derive(Clone, Debug, Default)]
pub struct BattleShip {
    pub hull_number: Arc<str>,
    pub name: Arc<str>,
    pub class: Arc<str>,
    /// What else is beside its name; may be empty.
    pub words: Arc<str>,
    pub points: Option<i64>,
    /// What of it acts by itself: a line each.
    pub craft: Vec<BattleCraft>,
}

/// What of a ship acts by itself, such as a flight.
#[derive(Clone, Debug, Default)]
pub struct BattleCraft {
    /// That of its counter.
    pub number: Option<u32>,
    pub name: Arc<str>,
}

impl BattleShip {
    /// How many of its lines are on one page at least.
    fn lines_together(&self) -> f32 {
        (1 + self.craft.len()).min(MOST_TOGETHER) as f32
    }

    /// The hull number and the name.
    fn full_name(&self) -> String {
        let parts = [&*self.hull_number, &*self.name];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// What is beside the name: the class, if it is not the name, and more words.
    fn note(&self, has_class: bool) -> String {
        let class = if self.class == self.name || !has_class { "" } else { &*self.class };
        [class, &*self.words].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
    }
}

impl BattleCraft {
    fn number(&self) -> String {
        self.number.map(|number| number.to_string()).unwrap_or_default()
    }

    /// Width of its number and its words.
    fn width(&self, styles: TextStyles) -> f32 {
        let number = self.number();
        let used = if number.is_empty() { 0.0 } else { styles.value.width(&number) + NUMBER_GAP };
        used + styles.body.width(&self.name)
    }
}

/// Heights of a ship's line and of a field to write in, and side of its boxes, mm at normal size.
const ROW: f32 = 7.0;
const MIN_FIELD: f32 = 6.0;
const BOX: f32 = 4.2;
/// Least width of the field for the order of a turn, widths of the column for points, of each of a turn's boxes, and
/// beside a turn's boxes, mm at normal size.
const MIN_TURN_ORDER: f32 = 9.0;
const POINTS: f32 = 12.0;
const ACT: f32 = 5.6;
const BESIDE_ACTS: f32 = 2.0;
/// Right of a column's label, of the field for the order, of points, of a name and of a number, mm.
const BESIDE_LABEL: f32 = 1.0;
const BESIDE_ORDER: f32 = 0.6;
const POINTS_GAP: f32 = 3.0;
const NAME_GAP: f32 = 2.0;
const NUMBER_GAP: f32 = 1.0;
/// Of the lines below a ship's, mm at normal size, and how many lines of a ship are on one page at least.
const CRAFT_INDENT: f32 = 4.0;
const MOST_TOGETHER: usize = 6;
/// Limits of the width of names beside the boxes, mm at normal size, the most turns side by side, and how many a page has
/// if there is room for further lists of the ships below one another.
const MIN_NAME: f32 = 24.0;
const MAX_NAME: f32 = 60.0;
const MAX_TURNS: u16 = 12;
const WANTED_TURNS: u16 = 18;
/// Turns of a battle that there are pages for: of a list that takes more than a page, and of others.
const FEW_TURNS: u16 = 4;
const MIN_TURNS: u16 = 5;
/// Height of a line of boxes below a ship's name, mm at normal size.
const BOX_ROW: f32 = 5.4;
/// The fewest lines for notes at the end, and on a page after which a list begins on the next.
const MIN_NOTES: u16 = 2;
const MIN_NOTES_BETWEEN: u16 = 4;
/// Beside the names of phases, mm.
const PHASE_GAP: f32 = 4.0;
/// Below what is noted once a turn, and from the edges of its fields to the number of the turn, mm.
const EACH_TURN_GAP: f32 = 2.0;
const NUMBER_INSET: f32 = 0.9;
/// Below the ships of a side, mm.
const SIDE_GAP: f32 = 4.0;

impl Battle {
    /// The activation list: the phases of a turn, then every ship with a place for its order and, for each turn, a box for
    /// each of its acts.
    pub fn activation_pages(&self, options: &SheetOptions) -> Vec<Page> {
        let mut out = BattlePen::new(options, "Battle", &self.game, &self.words);
        let styles = out.styles;
        if !self.phases.is_empty() {
            out.title(&out.say("Phases of a turn"), &[], styles.body.line_height());
            let bold = styles.body.with_face(FontFace::SemiBold);
            let widest = self.phases.iter().map(|(phase, _)| bold.width(phase)).fold(0.0, f32::max);
            let indent = (widest + PHASE_GAP).min(out.area.w * 0.4);
            for (phase, what) in &self.phases {
                out.need(styles.body.line_height());
                let (x, y) = (out.area.x, out.y + styles.value.size.mm() * 0.85);
                let name = bold.truncate(phase, indent);
                if let Some(pen) = out.pen() {
                    pen.text(&name, bold, x, y, Anchor::Start);
                }
                if what.is_empty() {
                    out.y += styles.body.line_height();
                }
                out.paragraph(what, styles.body, indent);
                out.y += 0.8;
            }
            out.y += 3.0;
        }
        let plan = self.plan_turns(&out);
        self.draw_lists(&mut out, &plan);
        out.fill_with_notes(MIN_NOTES);
        out.finish()
    }
}

impl BattleSide {
    /// The fleet's name, its nation or alliance, and its player.
    fn heading(&self) -> String {
        let parts = [&*self.name, &*self.side, &*self.player];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
    }
}

/// How a page shows the turns of a battle.
#[derive(Clone, Copy, Debug)]
struct TurnColumns {
    first_turn: u16,
    turns: u16,
    /// Each ship's name is above its boxes.
    names_above: bool,
    /// Its class is beside its name.
    has_classes: bool,
    /// Widths of a turn, of its field for the order, which may be 0, and of each of its boxes with what is beside it, mm.
    turn: f32,
    order: f32,
    act: f32,
}

/// The lists of all ships, one under another.
#[derive(Clone, Copy, Debug)]
struct TurnPlan {
    columns: TurnColumns,
    lists: u16,
    /// The first list begins below the phases though it continues on the next page.
    is_first_split: bool,
    pages: usize,
}

impl TurnColumns {
    /// Height of a ship's line, mm.
    fn row_height(self, scale: f32) -> f32 {
        let boxes = if self.order > 0.0 { ROW } else { BOX_ROW };
        (if self.names_above { ROW + boxes } else { ROW }) * scale
    }

    /// The middles of a turn's boxes, mm from the left of the turn.
    fn act_middles(self, acts: usize) -> impl Iterator<Item = f32> {
        let acts = acts.max(1);
        let left = self.order + (self.turn - self.order - self.act * acts as f32) / 2.0;
        (0..acts).map(move |n| left + self.act * (n as f32 + 0.5))
    }
}

impl Battle {
    /// The turns beside the names, with or without classes, or below them, as many as have room.
    fn turn_columns(&self, out: &BattlePen, (names_above, has_classes): (bool, bool)) -> TurnColumns {
        let (styles, scale, width) = (out.styles, out.scale(), out.area.w);
        let label = |words: &Arc<str>| styles.label.width(words) + BESIDE_LABEL;
        // A single act is named once for all turns.
        let named = if self.names_one_act() { &[][..] } else { &self.acts[..] };
        let act = named.iter().map(label).fold(ACT * scale, f32::max);
        let least = if self.order.is_empty() { 0.0 } else { label(&self.order).max(MIN_TURN_ORDER * scale) };
        let fixed = act * self.acts.len().max(1) as f32 + BESIDE_ACTS * scale;
        let names = if names_above { 0.0 } else { self.names_width(out, has_classes) + self.points_width(out) };
        let turns = ((width - names) / (least + fixed)).floor().clamp(1.0, f32::from(MAX_TURNS));
        // Below the names, turns share the width; the field takes half of what each has more than it needs.
        let turn = if names_above { width / turns } else { least + fixed };
        let order = if least > 0.0 { least + (turn - least - fixed).max(0.0) / 2.0 } else { 0.0 };
        TurnColumns { first_turn: 1, turns: turns as u16, names_above, has_classes, turn, order, act }
    }

    /// Width of the widest name with what is beside it, mm.
    fn names_width(&self, out: &BattlePen, has_classes: bool) -> f32 {
        let (styles, scale) = (out.styles, out.scale());
        let ships = self.sides.iter().flat_map(|side| &side.ships);
        let width = |ship: &BattleShip| {
            let note = ship.note(has_classes);
            let beside = if note.is_empty() { 0.0 } else { NAME_GAP + styles.note.width(&note) };
            let craft = ship.craft.iter().map(|craft| craft.width(styles) + CRAFT_INDENT * scale);
            craft.fold(styles.value.width(&ship.full_name()) + beside, f32::max)
        };
        (ships.map(width).fold(0.0, f32::max) + NAME_GAP).clamp(MIN_NAME * scale, MAX_NAME * scale)
    }

    /// Width of the column of points, mm; 0 if no ship has points.
    fn points_width(&self, out: &BattlePen) -> f32 {
        let has_points = self.sides.iter().flat_map(|side| &side.ships).any(|ship| ship.points.is_some());
        if has_points { POINTS * out.scale() } else { 0.0 }
    }

    /// How the rest of the page shows turns, and how many lists of the ships follow one another: as few pages as
    /// enough turns need, and as many turns as these pages have room for.
    fn plan_turns(&self, out: &BattlePen) -> TurnPlan {
        let plan = |form: (bool, bool)| {
            let columns = self.turn_columns(out, form);
            let enough =
                if self.list_height(out, columns) > out.area.bottom() - out.top { FEW_TURNS } else { MIN_TURNS };
            let mut plan =
                TurnPlan { columns, lists: enough.div_ceil(columns.turns), is_first_split: true, pages: usize::MAX };
            // A list that is whole on the next page is found sooner than one whose sides are on two.
            for is_first_split in [false, true] {
                let pages = self.page_count(out, &TurnPlan { is_first_split, ..plan });
                if pages < plan.pages {
                    plan = TurnPlan { is_first_split, pages, ..plan };
                }
            }
            let is_room = |lists: u16| self.page_count(out, &TurnPlan { lists, ..plan }) == plan.pages;
            let mut lists = plan.lists;
            while lists * columns.turns < WANTED_TURNS && is_room(lists + 1) {
                lists += 1;
            }
            TurnPlan { lists, ..plan }
        };
        let turns = |plan: &TurnPlan| (plan.columns.turns * plan.lists).min(WANTED_TURNS);
        let mut best = plan((false, true));
        // Names and classes beside the boxes are found soonest: a few turns more do not make up for that.
        for form in [(false, false), (true, true)] {
            let other = plan(form);
            if other.pages < best.pages || other.pages == best.pages && turns(&other) * 2 > turns(&best) * 3 {
                best = other;
            }
        }
        best
    }

    /// Height of one list of all ships, mm.
    fn list_height(&self, out: &BattlePen, columns: TurnColumns) -> f32 {
        let heads = out.title_height() + self.heads_height(out, columns);
        let each_turn = self.each_turn_height(out, columns);
        let rows = self.sides.iter().flat_map(|side| &side.ships).map(|ship| 1 + ship.craft.len()).sum::<usize>();
        each_turn + (heads + SIDE_GAP) * self.sides.len() as f32 - SIDE_GAP
            + rows as f32 * columns.row_height(out.scale())
    }

    /// How many pages the lists would take, as [`Battle::draw_lists`] breaks them.
    fn page_count(&self, out: &BattlePen, plan: &TurnPlan) -> usize {
        let mut trial = out.trial();
        self.draw_lists(&mut trial, plan);
        trial.page_count
    }

    fn draw_lists(&self, out: &mut BattlePen, plan: &TurnPlan) {
        let columns = plan.columns;
        let row = columns.row_height(out.scale());
        let heads = self.heads_height(out, columns);
        let list_height = self.list_height(out, columns);
        let fits_page = list_height <= out.area.bottom() - out.top;
        for list in 0..plan.lists {
            let columns = TurnColumns { first_turn: 1 + list * columns.turns, ..columns };
            if fits_page && !(list == 0 && plan.is_first_split) && !out.has_room(list_height) {
                out.fill_with_notes(MIN_NOTES_BETWEEN);
                out.begin_page();
            }
            self.draw_each_turn(out, columns);
            for side in &self.sides {
                let first = side.ships.first().map_or(1.0, BattleShip::lines_together);
                out.title(&side.heading(), &self.side_notes(side, out, columns), row * first + heads);
                self.draw_column_heads(out, columns);
                for ship in &side.ships {
                    self.continue_side(out, side, columns, row * ship.lines_together());
                    self.draw_ship(out, ship, columns);
                    for craft in &ship.craft {
                        self.continue_side(out, side, columns, row);
                        self.draw_craft(out, craft, columns);
                    }
                }
                out.y += SIDE_GAP;
            }
        }
    }

    /// `3`; in cycles `1.3`.
    fn turn_number(&self, turn: u16) -> String {
        match self.turns_in_cycle {
            0 => turn.to_string(),
            cycle => format!("{}.{}", (turn - 1) / cycle + 1, (turn - 1) % cycle + 1),
        }
    }

    /// Height of a line with fields for all sides, with its words beside or above them, mm.
    fn each_turn_line(out: &BattlePen, columns: TurnColumns) -> f32 {
        ROW * out.scale() + if columns.names_above { out.styles.body.line_height() } else { 0.0 }
    }

    fn each_turn_height(&self, out: &BattlePen, columns: TurnColumns) -> f32 {
        let lines = self.each_turn.len() as f32;
        if lines > 0.0 { lines * Self::each_turn_line(out, columns) + EACH_TURN_GAP } else { 0.0 }
    }

    /// The fields of what is noted once a turn, above the sides.
    fn draw_each_turn(&self, out: &mut BattlePen, columns: TurnColumns) {
        let (scale, styles, height) = (out.scale(), out.styles, Self::each_turn_line(out, columns));
        if self.each_turn.is_empty() {
            return;
        }
        let first_side = out.title_height() + self.heads_height(out, columns) + columns.row_height(scale);
        out.need(self.each_turn_height(out, columns) + first_side);
        let first = out.area.right() - f32::from(columns.turns) * columns.turn;
        let high = MIN_FIELD * scale;
        for words in &self.each_turn {
            let (x, bottom) = (out.area.x, out.y + height);
            let top = bottom - ROW * scale + (ROW * scale - high) / 2.0;
            let middle =
                if columns.names_above { top - 1.0 } else { top + high / 2.0 + styles.body.cap_height() / 2.0 };
            if let Some(pen) = out.pen() {
                pen.text(words, styles.body, x, middle, Anchor::Start);
                for turn in 0..columns.turns {
                    let left = first + f32::from(turn) * columns.turn;
                    let field = Rect::new(left, top, columns.turn - BESIDE_ORDER, high);
                    pen.rect(field, 0.0, thin_field(), None);
                    let number = self.turn_number(columns.first_turn + turn);
                    let baseline = top + NUMBER_INSET + styles.label.cap_height();
                    pen.text(&number, styles.label, left + NUMBER_INSET, baseline, Anchor::Start);
                }
            }
            out.y = bottom;
        }
        out.y += EACH_TURN_GAP;
    }

    /// Begins a page with a side's heading if less than this height is left.
    fn continue_side(&self, out: &mut BattlePen, side: &BattleSide, columns: TurnColumns, height: f32) {
        if !out.has_room(height) {
            out.begin_page();
            let heads = self.heads_height(out, columns);
            out.title(&format!("{} · {}", side.name, out.say("continued")), &[], height + heads);
            self.draw_column_heads(out, columns);
        }
    }

    /// Whether a turn has one box and no field, so that its number is all that is above it.
    fn names_one_act(&self) -> bool {
        self.order.is_empty() && self.acts.len() == 1
    }

    /// What is written once for all turns, where the columns are too narrow to say it over each.
    fn written_once(&self, out: &BattlePen, columns: TurnColumns) -> Option<String> {
        let label = out.styles.label;
        let narrow = self.names_one_act()
            || label.width(&out.say(&format!("turn {}", self.turn_number(WANTED_TURNS)))) + BESIDE_ACTS > columns.turn;
        narrow.then(|| match &self.acts[..] {
            [act] => format!("{act} {}", out.say("in turn")),
            _ => out.say("turn"),
        })
    }

    /// Whether the heads of the columns take one line: the numbers of the turns alone.
    fn has_one_head(&self, out: &BattlePen, columns: TurnColumns) -> bool {
        columns.order == 0.0 && self.acts.len() < 2 && self.written_once(out, columns).is_some()
    }

    fn heads_height(&self, out: &BattlePen, columns: TurnColumns) -> f32 {
        let lines = if self.has_one_head(out, columns) { 1.0 } else { 2.0 };
        out.styles.label.line_height() * lines + 0.8
    }

    /// The note of a side's heading: its points, and what its boxes are if that is written once; shorter ones after it.
    fn side_notes(&self, side: &BattleSide, out: &BattlePen, columns: TurnColumns) -> Vec<String> {
        let points = side.points.map(|points| out.say(&plural(points, "point")));
        let once = self.written_once(out, columns);
        let all = points.iter().chain(&once).cloned().collect::<Vec<_>>().join(" · ");
        std::iter::once(all).chain(once.or(points)).collect()
    }

    fn draw_column_heads(&self, out: &mut BattlePen, columns: TurnColumns) {
        let TurnColumns { first_turn, turns, names_above, turn: width, order, .. } = columns;
        let label = out.styles.label;
        let height = self.heads_height(out, columns);
        out.need(height + columns.row_height(out.scale()));
        let (x, right) = (out.area.x, out.area.right());
        let upper = out.y + label.size.mm() * 0.85;
        let one_head = self.has_one_head(out, columns);
        let lower = if one_head { upper } else { upper + label.line_height() };
        let narrow = self.written_once(out, columns).is_some();
        let has_points = self.points_width(out) > 0.0;
        let first = right - f32::from(turns) * width;
        let [ship, points] = ["ship", "points"].map(|word| out.say(word));
        let numbers = (0..turns).map(|turn| {
            let number = self.turn_number(first_turn + turn);
            if narrow { number } else { out.say(&format!("turn {number}")) }
        });
        let numbers: Vec<String> = numbers.collect();
        if let Some(pen) = out.pen() {
            if !names_above {
                pen.text(&ship, label, x, lower, Anchor::Start);
                if has_points {
                    pen.text(&points, label, first - POINTS_GAP, lower, Anchor::End);
                }
            }
            for (turn, number) in (0..turns).zip(&numbers) {
                let left = first + f32::from(turn) * width;
                let middle = if order > 0.0 { left + (width - BESIDE_ORDER) / 2.0 } else { left + width / 2.0 };
                pen.text(number, label, middle, upper, Anchor::Middle);
                if order > 0.0 {
                    pen.text(&self.order, label, left + (order - BESIDE_ORDER) / 2.0, lower, Anchor::Middle);
                }
                for (act, middle) in self.acts.iter().zip(columns.act_middles(self.acts.len())).filter(|_| !one_head) {
                    pen.text(act, label, left + middle, lower, Anchor::Middle);
                }
            }
        }
        out.y += height;
    }

    fn draw_ship(&self, out: &mut BattlePen, ship: &BattleShip, columns: TurnColumns) {
        let (styles, scale) = (out.styles, out.scale());
        if out.is_trial {
            out.y += columns.row_height(scale);
            return;
        }
        let (left, baseline, end) = self.names_place(out, columns);
        let words =
            |points: i64| if columns.names_above { out.say(&plural(points, "point")) } else { points.to_string() };
        let points = ship.points.map(words).unwrap_or_default();
        let taken = if points.is_empty() { 0.0 } else { styles.quiet_value.width(&points) + NAME_GAP };
        let room =
            end - left - if columns.names_above { taken } else { taken.max(self.points_width(out) - POINTS_GAP) };
        let name = styles.value.truncate(&ship.full_name(), room);
        let used = styles.value.width(&name) + NAME_GAP;
        // The class is not there if it does not fit as a whole.
        let fits = |note: &String| used + styles.note.width(note) <= room + 0.05;
        let all = Some(ship.note(columns.has_classes)).filter(fits);
        let note = all.unwrap_or_else(|| styles.note.truncate(&ship.words, (room - used).max(0.0)));
        if let Some(pen) = out.pen() {
            pen.text(&name, styles.value, left, baseline, Anchor::Start);
            pen.text(&note, styles.note, left + used, baseline, Anchor::Start);
            pen.text(&points, styles.quiet_value, end, baseline, Anchor::End);
        }
        self.draw_turns(out, columns, scale);
    }

    /// The line of what acts by itself, below its ship.
    fn draw_craft(&self, out: &mut BattlePen, craft: &BattleCraft, columns: TurnColumns) {
        let (styles, scale) = (out.styles, out.scale());
        if out.is_trial {
            out.y += columns.row_height(scale);
            return;
        }
        let (left, baseline, end) = self.names_place(out, columns);
        let left = left + CRAFT_INDENT * scale;
        let number = craft.number();
        let used = craft.width(styles) - styles.body.width(&craft.name);
        let words = styles.body.truncate(&craft.name, (end - left - used).max(0.0));
        if let Some(pen) = out.pen() {
            pen.text(&number, styles.value, left, baseline, Anchor::Start);
            pen.text(&words, styles.body, left + used, baseline, Anchor::Start);
        }
        self.draw_turns(out, columns, scale);
    }

    /// Left edge, baseline and right edge of the names of a line.
    fn names_place(&self, out: &BattlePen, columns: TurnColumns) -> (f32, f32, f32) {
        let height = ROW * out.scale();
        let baseline = out.y + height / 2.0 + out.styles.value.cap_height() / 2.0;
        let first = out.area.right() - f32::from(columns.turns) * columns.turn;
        let end = if columns.names_above { out.area.right() } else { first - POINTS_GAP };
        (out.area.x, baseline, end)
    }

    /// The fields and boxes of a line, and the rule below it.
    fn draw_turns(&self, out: &mut BattlePen, columns: TurnColumns, scale: f32) {
        let TurnColumns { turns, names_above, turn: width, order, .. } = columns;
        let (x, y, right) = (out.area.x, out.y, out.area.right());
        let (height, side) = (columns.row_height(scale), BOX * scale);
        let first = right - f32::from(turns) * width;
        let fields = if names_above { y + ROW * scale } else { y };
        let lines = y + height - fields;
        let top = if names_above && order == 0.0 { fields } else { fields + (lines - side) / 2.0 };
        if let Some(pen) = out.pen() {
            for turn in 0..turns {
                let left = first + f32::from(turn) * width;
                if order > 0.0 {
                    let high = MIN_FIELD * scale;
                    let field = Rect::new(left, fields + (lines - high) / 2.0, order - BESIDE_ORDER, high);
                    pen.rect(field, 0.0, thin_field(), None);
                }
                for middle in columns.act_middles(self.acts.len()) {
                    pen.rect(Rect::new(left + middle - side / 2.0, top, side, side), 0.0, box_style(), None);
                }
            }
            pen.rule(x, y + height, right - x, THIN_LINE, RULE_INK);
        }
        out.y += height;
    }
}

fn thin_field() -> PaintStyle {
    PaintStyle { fill: None, stroke: Some(Stroke::new(QUIET_INK, THIN_LINE)) }
}

pub mod battle_pen;
mod scenario;
#[cfg(test)]
mod tests;
