//! The scenario sheet: takes the sides, gives lines for what the players agree on, with what the fleets' files say filled
//! in.

use super::Battle;
use super::battle_pen::BattlePen;
use crate::sheet::page_setup::sheet_options::SheetOptions;
use moldloft_base::sanitize::plural;
use moldloft_drawing::scene::{Page, Rect};

/// Below a part of the scenario, mm.
const SECTION_GAP: f32 = 3.0;
/// The fewest lines of special rules with a sketch beside them, and the room between, mm.
const MIN_SKETCH_LINES: u16 = 5;
const SKETCH_GAP: f32 = 6.0;

impl Battle {
    /// The scenario: lines for what the players agree on, with what the fleets' files say filled in.
    pub fn scenario_pages(&self, options: &SheetOptions) -> Vec<Page> {
        let mut out = BattlePen::new(options, "Scenario", &self.game, &self.words);
        out.lines(&out.say("Name"), "", 1);
        out.lines(&out.say("Table, map"), "", 1);
        out.lines(&out.say("Turns, end of game"), "", 1);
        out.y += SECTION_GAP;
        let (is_small, line) = (out.is_small(), out.writing_line());
        for side in &self.sides {
            let points = match (side.points, side.budget) {
                (Some(points), Some(budget)) => format!("{points} of {}", plural(budget, "point")),
                (Some(points), None) => plural(points, "point"),
                (None, _) => String::new(),
            };
            let ships = side.ships.len();
            let note = format!("{ships} {}", if ships == 1 { "ship" } else { "ships" });
            let note = if points.is_empty() { note } else { format!("{note} · {points}") };
            out.title(&side.name, &[out.say(&note)], line * 2.0);
            let who = [&*side.side, &*side.player].iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>();
            out.lines(&out.say("Side, player"), &who.join(" · "), 1);
            out.lines(&out.say("Set-up, speed"), "", if is_small { 1 } else { 2 });
            out.lines(&out.say("Aim"), "", 1);
            if !side.notes.trim().is_empty() {
                let style = out.styles.body;
                out.y += 1.8;
                out.paragraph(&side.notes, style, out.label_width());
            }
            out.y += SECTION_GAP;
        }
        // Special rules have what victory and the result leave of the page, which get fewer lines on small paper.
        let (victory, result) = match out.free_lines() {
            13.. => (3, 2),
            8.. => (2, 1),
            _ => (1, 1),
        };
        let heading = out.title_height() + SECTION_GAP;
        let below = f32::from(victory + result) * line + 2.0 * heading;
        let free = ((out.area.bottom() - out.y - below - heading + 0.05) / line).floor().clamp(0.0, 200.0) as u16;
        let special = if free >= 1 { free } else { 4 };
        let whole = out.area;
        let has_sketch = !is_small && special >= MIN_SKETCH_LINES;
        if has_sketch {
            let top = out.y;
            let half = (whole.w - SKETCH_GAP) / 2.0;
            out.area = Rect { x: whole.right() - half, w: half, ..whole };
            out.title(&out.say("Sketch of the set-up"), &[], line);
            out.squares(f32::from(special) * line);
            out.y = top;
            out.area = Rect { w: half, ..whole };
        }
        for (title, lines) in [("Special rules", special), ("Victory", victory), ("Result", result)] {
            out.title(&out.say(title), &[], line);
            out.lines("", "", lines);
            out.y += SECTION_GAP;
            out.area = whole;
        }
        out.finish()
    }
}
