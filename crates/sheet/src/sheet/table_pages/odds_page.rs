//! The pages of a fleet's odds: takes what its classes do to their enemies, gives pages of a table.

use super::battle_page::battle_pen::BattlePen;
use crate::sheet::layout::flowable::Flowable;
use crate::sheet::page_setup::sheet_options::SheetOptions;
use crate::sheet::panels::odds::{TITLE, fight_table};
use moldloft_drawing::scene::{Page, Rect};
use moldloft_rules::evaluate::FightCard;
use moldloft_rules::ruleset::Ruleset;

pub fn odds_pages(card: &FightCard, fleet: &str, ruleset: &Ruleset, options: &SheetOptions) -> Vec<Page> {
    let mut out = BattlePen::new(options, TITLE, fleet, &ruleset.words);
    let mut rest: Option<Box<dyn Flowable>> = Some(Box::new(fight_table(card, ruleset)));
    while let Some(table) = rest.take() {
        // Not even a line has room.
        if table.measure(out.area.w, &out.styles).min_start > out.area.bottom() - out.top {
            break;
        }
        let room = Rect { y: out.top, h: out.area.bottom() - out.top, ..out.area };
        rest = out.pen().and_then(|pen| table.draw(room, pen));
        if rest.is_some() {
            out.begin_page();
        }
    }
    out.finish()
}
