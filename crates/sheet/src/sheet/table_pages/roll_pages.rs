//! The page of shared rolls: takes the ships of a game, gives tables that say for so many systems of a kind how many of them one
//! roll of d100 takes away, and what each class has to lose. They hold for as many as are left, however many earlier rows took.

use super::battle_page::battle_pen::BattlePen;
use crate::sheet::layout::minimum_sizes::{RULE_INK, THIN_LINE};
use crate::sheet::page_setup::sheet_options::SheetOptions;
use moldloft_base::sanitize::plural;
use moldloft_drawing::art::Anchor;
use moldloft_drawing::scene::Page;
use moldloft_rules::evaluate::{Evaluation, LARGEST_GROUP, SharedRoll, percent_at_most};

/// Between two tables, mm at normal size; of a line and a column of a table.
const GAP: f32 = 6.0;
const LINE: f32 = 3.7;
const COLUMN: f32 = 5.1;
/// Of how many are left, mm.
const NUMBERS: f32 = 6.0;
/// More classes are not listed.
const MAX_CLASSES: usize = 20;

/// No page where no ship has such rolls.
pub fn roll_pages(ships: &[&Evaluation], game: &str, options: &SheetOptions) -> Vec<Page> {
    let mut rolls: Vec<(SharedRoll, Vec<String>)> = Vec::new();
    for ship in ships {
        for roll in ship.shared_rolls() {
            let groups =
                roll.groups.iter().map(|(name, count)| format!("{count} {name}")).collect::<Vec<_>>().join(" · ");
            let line = format!("{}: {groups}", ship.name);
            match rolls.iter_mut().find(|(known, _)| known.label == roll.label) {
                Some((known, lines)) => {
                    known.least.extend(
                        roll.least.iter().filter(|least| !known.least.contains(least)).copied().collect::<Vec<_>>(),
                    );
                    known.groups.extend(roll.groups);
                    if !lines.contains(&line) {
                        lines.push(line);
                    }
                }
                None => rolls.push((roll, vec![line])),
            }
        }
    }
    if rolls.is_empty() {
        return Vec::new();
    }
    let words = ships.first().and_then(|ship| ship.ruleset.words.clone());
    let mut out = BattlePen::new(options, "Shared rolls", game, &words);
    for (roll, lines) in &rolls {
        let styles = out.styles;
        out.title(&out.say(&roll.label), &[out.say(&roll.note)], 20.0);
        let how = format!(
            "Systems of a kind on one mount that are left: find their number at the left, and roll d100 once for them (00 is 100). As many are lost as the head of the first column \
             says whose number is not below the roll; which of them does not matter. More than {LARGEST_GROUP}: roll for parts. Each number is the exact chance of at most so many, \
             to the nearest whole per cent."
        );
        out.paragraph(&out.say(&how), styles.body, 0.0);
        out.y += 2.0;
        draw_tables(roll, &mut out);
        for line in lines.iter().take(MAX_CLASSES) {
            out.paragraph(line, styles.body, 0.0);
        }
        if lines.len() > MAX_CLASSES {
            let more = plural(lines.len() - MAX_CLASSES, "further class");
            let more = format!("and {more}, as on their sheets");
            out.paragraph(&out.say(&more), styles.body, 0.0);
        }
        out.y += 3.0;
    }
    out.finish()
}

/// A table for each face from which on systems are lost, as many side by side as there is room for.
fn draw_tables(roll: &SharedRoll, out: &mut BattlePen) {
    let largest = roll.groups.iter().map(|(_, count)| *count).max().unwrap_or(0).clamp(2, LARGEST_GROUP);
    let (scale, styles) = (out.scale(), out.styles);
    let (line, column) = (LINE * scale, COLUMN * scale);
    let numbers = NUMBERS * scale;
    let width = numbers + column * (largest + 1) as f32;
    let height = line * (largest + 1) as f32 + out.title_height();
    let across = (((out.area.w + GAP) / (width + GAP)).floor() as usize).max(1);
    for row in roll.least.chunks(across) {
        out.need(height);
        let (left, top) = (out.area.x, out.y);
        let heads = row.iter().map(|least| {
            let words = format!("lost on {least}{} of a die", if *least < roll.faces { "+" } else { "" });
            out.say(&words)
        });
        let (heads, left_words): (Vec<String>, String) = (heads.collect(), out.say("still left"));
        let Some(pen) = out.pen() else { return };
        for (n, (&least, words)) in row.iter().zip(&heads).enumerate() {
            let x = left + n as f32 * (width + GAP);
            pen.text(words, styles.value, x, top + styles.value.cap_height(), Anchor::Start);
            let place = |lost: u32| x + numbers + column * (lost + 1) as f32 - 0.4;
            let mut y = top + styles.value.line_height() + styles.label.cap_height() + 0.6;
            pen.text(&left_words, styles.label, x, y, Anchor::Start);
            for lost in 0..=largest {
                pen.text(&lost.to_string(), styles.value, place(lost), y, Anchor::End);
            }
            for dice in 1..=largest {
                y += line;
                if dice % 5 == 1 {
                    pen.rule(x, y - line + 0.9, width, THIN_LINE, RULE_INK);
                }
                pen.text(&dice.to_string(), styles.value, x + numbers - 1.4, y, Anchor::End);
                // What is not rolled has no number; behind 100 nothing is left.
                let percents = percent_at_most(dice, least, roll.faces);
                let shown = percents.iter().position(|percent| *percent == 100).unwrap_or(percents.len());
                for (lost, percent) in (0..).zip(&percents[..(shown + 1).min(percents.len())]) {
                    let words = if *percent == 0 { "·".to_owned() } else { percent.to_string() };
                    pen.text(&words, styles.quiet_value, place(lost), y, Anchor::End);
                }
            }
        }
        out.y = top + height + 2.0;
    }
}
