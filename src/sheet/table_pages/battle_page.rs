//! The pages of a battle: takes the sides with their ships and the phases of a turn, gives an activation list with boxes
//! for each turn, and a sheet for the scenario.

use std::sync::Arc;

use crate::art::Anchor;
use crate::fonts::FontFace;
use crate::scene::{Page, PaintStyle, Rect, Stroke};
use crate::sheet::layout::minimum_sizes::{
    HEADING_RULE_DROP, INK, LINE_WIDTH, MinimumSizes, QUIET_INK, RULE_INK, THIN_LINE,
};
use crate::sheet::layout::pen::{SheetPen, box_style};
use crate::sheet::layout::text_style::{TextRole, TextStyle, TextStyles};
use crate::sheet::page_setup::sheet_options::SheetOptions;

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
    pub points: Option<i64>,
}

/// Height of a ship's line, and side of its boxes, mm at normal size.
const ROW: f32 = 7.0;
const BOX: f32 = 4.2;
/// Widths of the field for the order, for the whole battle or at least for each turn, of the column for points, of each of
/// a turn's boxes, and beside a turn's boxes, mm at normal size.
const ORDER: f32 = 14.0;
const MIN_TURN_ORDER: f32 = 8.0;
const POINTS: f32 = 12.0;
const ACT: f32 = 5.6;
const BESIDE_ACTS: f32 = 2.4;
/// The least width for a ship's name, mm at normal size, the most turns side by side, and how many a page has if there is
/// room for further lists of the ships below one another.
const MIN_NAME: f32 = 56.0;
const MAX_TURNS: u16 = 12;
const WANTED_TURNS: u16 = 18;
/// Where names leave room for fewer turns than this, they are above the boxes; where fields for the order of each turn do,
/// each ship has one for the whole battle.
const MIN_TURNS: u16 = 6;
/// Height of a line of boxes below a ship's name, mm at normal size.
const BOX_ROW: f32 = 5.4;
/// Below the ships of a side, mm.
const SIDE_GAP: f32 = 4.0;
/// Paper of less height, mm at normal size, has fewer lines.
const SMALL_PAPER: f32 = 230.0;
/// Height of a line to write on, mm at normal size; on small paper.
const WRITING_LINE: f32 = 8.0;
const SMALL_WRITING_LINE: f32 = 6.4;

/// One page after another with a heading, written from top to bottom.
struct BattlePen {
    area: Rect,
    paper: (f32, f32),
    styles: TextStyles,
    heading: String,
    note: String,
    pages: Vec<SheetPen>,
    y: f32,
}

impl BattlePen {
    fn new(options: &SheetOptions, heading: &str, note: &str) -> Self {
        let [paper, _] = options.page_setup.printable_areas();
        let styles = TextStyles::new(MinimumSizes::new(options.large_print));
        let (heading, note) = (heading.to_owned(), note.to_owned());
        let mut pen = Self { area: paper.area, paper: paper.page, styles, heading, note, pages: Vec::new(), y: 0.0 };
        pen.begin_page();
        pen
    }

    fn scale(&self) -> f32 {
        self.styles.minimums.scale
    }

    fn is_small(&self) -> bool {
        self.area.h < SMALL_PAPER * self.scale()
    }

    /// Height of a line to write on, mm.
    fn writing_line(&self) -> f32 {
        self.scale() * if self.is_small() { SMALL_WRITING_LINE } else { WRITING_LINE }
    }

    fn begin_page(&mut self) {
        let styles = self.styles;
        let mut pen = SheetPen::new(styles, (0.0, 0.0));
        let size = styles.minimums.text_size(20.0, TextRole::Play);
        let name = TextStyle { face: FontFace::SemiBold, size, paint: INK, spacing: 0.0 };
        let baseline = self.area.y + name.cap_height();
        let used = pen.text(&self.heading, name, self.area.x, baseline, Anchor::Start);
        let note = styles.note.truncate(&self.note, self.area.w - used - 4.0);
        pen.text(&note, styles.note, self.area.right(), baseline, Anchor::End);
        pen.rule(self.area.x, baseline + 1.8, self.area.w, LINE_WIDTH * 1.6, INK);
        self.y = baseline + 5.0;
        self.pages.push(pen);
    }

    /// Begins a page if less than this height is left.
    fn need(&mut self, height: f32) {
        if self.y + height > self.area.bottom() + 0.05 {
            self.begin_page();
        }
    }

    fn pen(&mut self) -> Option<&mut SheetPen> {
        self.pages.last_mut()
    }

    /// A heading in spaced capitals over a rule, with a note at the right.
    fn title(&mut self, words: &str, note: &str, height_below: f32) {
        let styles = self.styles;
        let height = styles.title.cap_height() + 3.0;
        self.need(height + height_below);
        let (x, w, y) = (self.area.x, self.area.w, self.y + styles.title.cap_height());
        let title = styles.title.truncate(&words.to_uppercase(), w);
        let room = w - styles.title.width(&title) - 4.0;
        if let Some(pen) = self.pen() {
            pen.text(&title, styles.title, x, y, Anchor::Start);
            pen.text(&styles.note.truncate(note, room.max(0.0)), styles.note, x + w, y, Anchor::End);
            pen.rule(x, y + HEADING_RULE_DROP, w, LINE_WIDTH * 1.4, INK);
        }
        self.y += height;
    }

    /// A paragraph; it breaks between lines.
    fn paragraph(&mut self, words: &str, style: TextStyle, indent: f32) {
        for line in style.wrap(words, self.area.w - indent) {
            self.need(style.line_height());
            let (x, y) = (self.area.x + indent, self.y + style.size.mm() * 0.85);
            if let Some(pen) = self.pen() {
                pen.text(&line, style, x, y, Anchor::Start);
            }
            self.y += style.line_height();
        }
    }

    /// Lines to write on, the first after its label.
    fn lines(&mut self, label: &str, filled: &str, count: u16) {
        let (styles, height) = (self.styles, self.writing_line());
        for n in 0..count {
            self.need(height);
            let (x, right, y) = (self.area.x, self.area.right(), self.y + height - 1.2);
            let baseline = y - 1.6 * self.scale();
            let first = n == 0;
            let words = styles.value.truncate(filled, (right - x - 38.0 * self.scale()).max(0.0));
            let indent = if label.is_empty() { 0.0 } else { 36.0 * self.scale() };
            if let Some(pen) = self.pen() {
                if first {
                    pen.text(label, styles.body, x, baseline, Anchor::Start);
                    pen.text(&words, styles.value, x + indent + 1.0, baseline, Anchor::Start);
                }
                pen.rule(x + indent, y, right - x - indent, THIN_LINE, RULE_INK);
            }
            self.y += height;
        }
    }

    /// How many lines to write on are left on this page.
    fn free_lines(&self) -> u16 {
        ((self.area.bottom() - self.y) / self.writing_line()).floor().max(0.0) as u16
    }

    fn finish(self) -> Vec<Page> {
        let (width, height) = self.paper;
        let page = |pen: SheetPen| Page { width, height, items: pen.finish(), ..Page::default() };
        self.pages.into_iter().map(page).collect()
    }
}

impl Battle {
    /// The activation list: the phases of a turn, then every ship with a place for its order and, for each turn, a box for
    /// each of its acts.
    pub fn activation_pages(&self, options: &SheetOptions) -> Vec<Page> {
        let mut out = BattlePen::new(options, "Battle", &self.game);
        let (styles, scale) = (out.styles, out.scale());
        if !self.phases.is_empty() {
            out.title("Phases of a turn", "", styles.body.line_height());
            for (phase, what) in &self.phases {
                out.need(styles.body.line_height());
                let (x, y) = (out.area.x, out.y + styles.value.size.mm() * 0.85);
                let bold = styles.body.with_face(FontFace::SemiBold);
                let indent = (bold.width(phase) + 2.5).min(out.area.w * 0.4).max(34.0 * scale);
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
        let (columns, lists) = self.plan_turns(&out);
        let row = columns.row_height(scale);
        let heads = self.heads_height(&out, columns);
        for list in 0..lists {
            let columns = TurnColumns { first_turn: 1 + list * columns.turns, ..columns };
            for side in &self.sides {
                out.title(&side.heading(), &self.side_note(side, &out, columns), row + heads);
                self.draw_column_heads(&mut out, columns);
                for ship in &side.ships {
                    if out.y + row > out.area.bottom() + 0.05 {
                        out.begin_page();
                        out.title(&format!("{} · continued", side.name), "", row + heads);
                        self.draw_column_heads(&mut out, columns);
                    }
                    self.draw_ship(&mut out, ship, columns);
                }
                out.y += SIDE_GAP;
            }
        }
        let free = out.free_lines();
        if free >= 3 {
            out.title("Notes", "", 0.0);
            out.lines("", "", free - 1);
        }
        out.finish()
    }

    /// The scenario: lines for what the players agree on, with what the fleets' files say filled in.
    pub fn scenario_pages(&self, options: &SheetOptions) -> Vec<Page> {
        let mut out = BattlePen::new(options, "Scenario", &self.game);
        out.lines("Name", "", 1);
        out.lines("Table, map", "", 1);
        out.lines("Turns, end of game", "", 1);
        out.y += 3.0;
        let (is_small, line) = (out.is_small(), out.writing_line());
        for side in &self.sides {
            let points = match (side.points, side.budget) {
                (Some(points), Some(budget)) => format!("{points} of {budget} points"),
                (Some(points), None) => format!("{points} points"),
                (None, _) => String::new(),
            };
            let ships = side.ships.len();
            let note = format!("{ships} {}", if ships == 1 { "ship" } else { "ships" });
            let note = if points.is_empty() { note } else { format!("{note} · {points}") };
            out.title(&side.name, &note, line * 2.0);
            let who = [&*side.side, &*side.player].iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>();
            out.lines("Side, player", &who.join(" · "), 1);
            out.lines("Set-up, speed", "", if is_small { 1 } else { 2 });
            out.lines("Aim", "", 1);
            if !side.notes.trim().is_empty() {
                let (label, style) = (out.styles.label, out.styles.body);
                out.y += 1.5;
                out.paragraph("Notes", label, 0.0);
                out.paragraph(&side.notes, style, 0.0);
            }
            out.y += 3.0;
        }
        // Special rules have what victory, the result and three headings leave of the page, which get fewer lines on
        // small paper.
        let free = out.free_lines();
        let (victory, result) = match free {
            13.. => (3, 2),
            8.. => (2, 1),
            _ => (1, 1),
        };
        let special = free.saturating_sub(victory + result + 4).max(if free >= 6 { 1 } else { 4 });
        for (title, lines) in [("Special rules", special), ("Victory", victory), ("Result", result)] {
            out.title(title, "", line);
            out.lines("", "", lines);
            out.y += 3.0;
        }
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
#[derive(Clone, Copy)]
struct TurnColumns {
    first_turn: u16,
    turns: u16,
    /// Each ship's name is above its boxes.
    names_above: bool,
    /// Width of the field for the order of each turn, mm; 0: there is one field for the whole battle.
    turn_order: f32,
}

impl TurnColumns {
    /// Height of a ship's line, mm.
    fn row_height(self, scale: f32) -> f32 {
        let boxes = if self.turn_order > 0.0 { ROW } else { BOX_ROW };
        (if self.names_above { ROW + boxes } else { ROW }) * scale
    }
}

impl Battle {
    /// Width of the column for the order of the whole battle, mm; 0 where each turn has a field for it.
    fn order_width(&self, turn_order: f32, scale: f32) -> f32 {
        if self.order.is_empty() || turn_order > 0.0 { 0.0 } else { ORDER * scale }
    }

    /// Width of a turn's fields, mm.
    fn turn_width(&self, turn_order: f32, scale: f32) -> f32 {
        turn_order + (ACT * self.acts.len().max(1) as f32 + BESIDE_ACTS) * scale
    }

    /// The middles of a turn's boxes, mm from the left of the turn.
    fn act_middles(&self, columns: TurnColumns, scale: f32) -> impl Iterator<Item = f32> {
        let left = columns.turn_order + BESIDE_ACTS / 2.0 * scale;
        (0..self.acts.len().max(1)).map(move |n| left + ACT * (n as f32 + 0.5) * scale)
    }

    /// The turns beside the names, or below them where that is room for more of too few.
    fn turn_columns(&self, width: f32, turn_order: f32, scale: f32) -> TurnColumns {
        let turn = self.turn_width(turn_order, scale);
        let turns = |room: f32| (room / turn).floor().clamp(1.0, f32::from(MAX_TURNS)) as u16;
        let order = self.order_width(turn_order, scale);
        let (beside, below) = (turns(width - order - (POINTS + MIN_NAME) * scale), turns(width - order));
        let names_above = beside < MIN_TURNS && below > beside && turn_order == 0.0 || beside < MIN_TURNS / 2;
        TurnColumns { first_turn: 1, turns: if names_above { below } else { beside }, names_above, turn_order }
    }

    /// How the rest of the page shows turns, and how many lists of the ships it has, one below the other for further
    /// turns. The order has a field for each turn if enough turns have room.
    fn plan_turns(&self, out: &BattlePen) -> (TurnColumns, u16) {
        let (styles, scale) = (out.styles, out.scale());
        let lists = |columns: TurnColumns| {
            let title = styles.title.cap_height() + 3.0;
            let side = |side: &BattleSide| {
                let rows = side.ships.len() as f32 * columns.row_height(scale);
                title + self.heads_height(out, columns) + rows + SIDE_GAP
            };
            let height: f32 = self.sides.iter().map(side).sum();
            let room = ((out.area.bottom() - out.y) / height.max(1.0)).floor().max(1.0) as u16;
            room.min(WANTED_TURNS.div_ceil(columns.turns))
        };
        let order = styles.label.width(&self.order) + 1.2;
        let each = self.turn_columns(out.area.w, order.max(MIN_TURN_ORDER * scale), scale);
        let once = self.turn_columns(out.area.w, 0.0, scale);
        let columns = if !self.order.is_empty() && each.turns * lists(each) >= MIN_TURNS { each } else { once };
        (columns, lists(columns))
    }

    /// What is written once for all turns, where the columns are too narrow to say it over each.
    fn written_once(&self, out: &BattlePen, columns: TurnColumns) -> Option<String> {
        let label = out.styles.label;
        let turns = columns.first_turn + columns.turns - 1;
        let room = self.turn_width(columns.turn_order, out.scale());
        let narrow = label.width(&format!("turn {turns}")) + BESIDE_ACTS > room;
        narrow.then(|| match &self.acts[..] {
            [act] => format!("{act} in turn"),
            _ => "turn".to_owned(),
        })
    }

    /// Whether the heads of the columns take one line: the numbers of the turns alone.
    fn has_one_head(&self, out: &BattlePen, columns: TurnColumns) -> bool {
        columns.turn_order == 0.0 && self.acts.len() < 2 && self.written_once(out, columns).is_some()
    }

    fn heads_height(&self, out: &BattlePen, columns: TurnColumns) -> f32 {
        let lines = if self.has_one_head(out, columns) { 1.0 } else { 2.0 };
        out.styles.label.line_height() * lines + 0.8
    }

    /// The note of a side's heading: its points, and what its boxes are if that is written once.
    fn side_note(&self, side: &BattleSide, out: &BattlePen, columns: TurnColumns) -> String {
        let points = side.points.map(|points| format!("{points} points"));
        let once = self.written_once(out, columns);
        points.into_iter().chain(once).collect::<Vec<_>>().join(" · ")
    }

    fn draw_column_heads(&self, out: &mut BattlePen, columns: TurnColumns) {
        let TurnColumns { first_turn, turns, names_above, turn_order } = columns;
        let (styles, scale) = (out.styles, out.scale());
        let label = styles.label;
        let height = self.heads_height(out, columns);
        out.need(height + columns.row_height(scale));
        let (x, right) = (out.area.x, out.area.right());
        let upper = out.y + label.size.mm() * 0.85;
        let one_head = self.has_one_head(out, columns);
        let lower = if one_head { upper } else { upper + label.line_height() };
        let narrow = self.written_once(out, columns).is_some();
        let width = self.turn_width(turn_order, scale);
        let first = right - f32::from(turns) * width;
        if let Some(pen) = out.pen() {
            let order_width = self.order_width(turn_order, scale);
            if order_width > 0.0 {
                pen.text(&self.order, label, x, lower, Anchor::Start);
            }
            if !names_above {
                pen.text("ship", label, x + order_width, lower, Anchor::Start);
                pen.text("points", label, first - 3.0, lower, Anchor::End);
            }
            for turn in 0..turns {
                let left = first + f32::from(turn) * width;
                let number = first_turn + turn;
                let number = if narrow { number.to_string() } else { format!("turn {number}") };
                pen.text(&number, label, left + width / 2.0, upper, Anchor::Middle);
                if turn_order > 0.0 {
                    pen.text(&self.order, label, left + turn_order / 2.0, lower, Anchor::Middle);
                }
                for (act, middle) in self.acts.iter().zip(self.act_middles(columns, scale)).filter(|_| !one_head) {
                    pen.text(act, label, left + middle, lower, Anchor::Middle);
                }
            }
        }
        out.y += height;
    }

    fn draw_ship(&self, out: &mut BattlePen, ship: &BattleShip, columns: TurnColumns) {
        let TurnColumns { turns, names_above, turn_order, .. } = columns;
        let (styles, scale) = (out.styles, out.scale());
        let (x, y, right) = (out.area.x, out.y, out.area.right());
        let (height, side) = (columns.row_height(scale), BOX * scale);
        let first = right - f32::from(turns) * self.turn_width(turn_order, scale);
        let names = if names_above { ROW * scale } else { height };
        let baseline = y + names / 2.0 + styles.value.cap_height() / 2.0;
        let points = ship.points.map(|points| points.to_string()).unwrap_or_default();
        let points = if names_above && !points.is_empty() { format!("{points} points") } else { points };
        let points_end = if names_above { right } else { first - 3.0 };
        let left = x + self.order_width(turn_order, scale);
        let room = points_end - left - (POINTS * scale).max(styles.quiet_value.width(&points) + 2.0);
        let name = if ship.hull_number.is_empty() {
            ship.name.to_string()
        } else {
            format!("{} {}", ship.hull_number, ship.name)
        };
        let name = styles.value.truncate(&name, room);
        let used = styles.value.width(&name) + 2.0;
        let class = if ship.class == ship.name { "" } else { &*ship.class };
        let class = if used < room { styles.note.truncate(class, room - used) } else { String::new() };
        let Some(pen) = out.pen() else { return };
        let thin = || PaintStyle { fill: None, stroke: Some(Stroke::new(QUIET_INK, THIN_LINE)) };
        if left > x {
            let high = height.min(ROW * scale) - 1.0;
            pen.rect(Rect::new(x, y + (height - high) / 2.0, (ORDER - 3.0) * scale, high), 0.0, thin(), None);
        }
        pen.text(&name, styles.value, left, baseline, Anchor::Start);
        pen.text(&class, styles.note, left + used, baseline, Anchor::Start);
        pen.text(&points, styles.quiet_value, points_end, baseline, Anchor::End);
        let fields = if names_above { y + names } else { y };
        let lines = y + height - fields;
        let top = if names_above && turn_order == 0.0 { fields } else { fields + (lines - side) / 2.0 };
        for turn in 0..turns {
            let left = first + f32::from(turn) * self.turn_width(turn_order, scale);
            if turn_order > 0.0 {
                let high = lines - 1.0;
                pen.rect(Rect::new(left, fields + 0.5, turn_order - 0.6, high), 0.0, thin(), None);
            }
            for middle in self.act_middles(columns, scale) {
                pen.rect(Rect::new(left + middle - side / 2.0, top, side, side), 0.0, box_style(), None);
            }
        }
        pen.rule(x, y + height, right - x, THIN_LINE, RULE_INK);
        out.y += height;
    }
}

#[cfg(test)]
mod tests;
